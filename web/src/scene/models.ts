// Small models of what stands in the endless world. Each is put on the ground at a place of its cell.

import type { Builder } from './builder';
import type { Rgb } from './data';
import { RADIAN, sequence } from './hash';

/** Where a model goes: metres east and south in its cell, and the ground around it. */
export interface Site {
  x: number;
  z: number;
  /** Height of the ground at metres east and south of the site. */
  ground(dx: number, dz: number): number;
  /** Differs from site to site. */
  seed: number;
  version: number;
  /** Degrees clockwise from north; null for all but cave mouths. */
  direction: number | null;
}

type Model = (builder: Builder, site: Site) => void;

const STONE: Rgb = [150, 146, 138];
const DARK_STONE: Rgb = [96, 92, 88];
const TIMBER: Rgb = [126, 96, 66];
const OLD_TIMBER: Rgb = [98, 84, 70];
const EARTH: Rgb = [112, 84, 58];
const GRASS: Rgb = [120, 132, 70];
const PIT: Rgb = [14, 12, 12];
const WHITE: Rgb = [236, 234, 226];
const RED: Rgb = [196, 44, 38];
const ORANGE: Rgb = [238, 112, 30];
const STEEL: Rgb = [196, 200, 206];
const POND: Rgb = [74, 110, 122];
const REED: Rgb = [138, 148, 74];

/** Puts the origin of the next parts on the ground, sunk a little. */
function stand(builder: Builder, site: Site, turn: number, size = 1, sink = 0): Builder {
  return builder.at(site.x, site.ground(0, 0) - sink, site.z, turn, size);
}

const turnOf = (site: Site): number => (site.seed % 360) * RADIAN;

function boulder(builder: Builder, site: Site): void {
  const size = 0.9 + 0.35 * site.version;
  stand(builder, site, turnOf(site), size);
  builder.lump({ centre: [0, 0.45, 0], radius: [1.15, 0.95, 0.95], top: STONE, bottom: DARK_STONE, seed: site.seed, dents: 0.3, edged: true });
  builder.lump({ centre: [1.05, 0.1, 0.5], radius: [0.5, 0.4, 0.45], top: STONE, bottom: DARK_STONE, seed: site.seed + 1, dents: 0.3, edged: true });
}

/** An upturned tree: the plate of its roots stands, the stem lies. */
function root(builder: Builder, site: Site): void {
  const turn = turnOf(site);
  const along = (d: number): number => site.ground(Math.cos(turn) * d, Math.sin(turn) * d) - site.ground(0, 0);
  stand(builder, site, turn);
  builder.lump({ centre: [0, 0.7, 0], radius: [0.35, 1.15, 1.25], top: EARTH, bottom: [70, 52, 40], seed: site.seed, dents: 0.45, edged: true });
  builder.beam([0.1, 0.55, 0], [5.5, along(5.5) + 0.2, 0.4], 0.36, OLD_TIMBER);
  builder.beam([3.2, along(3.2) + 0.35, 0.2], [4.2, along(4.2) + 1.1, 0.9], 0.1, OLD_TIMBER);
  const random = sequence(site.seed);
  for (let i = 0; i < 6; i++) {
    const angle = random() * 2 * Math.PI;
    builder.beam([-0.1, 0.7, 0], [-0.3 - 0.3 * random(), 0.8 + Math.sin(angle) * 1.3, Math.cos(angle) * 1.5], 0.09, TIMBER);
  }
}

/** A mound or pond that lies on the ground all around: rings of points with a height above it. */
function drape(builder: Builder, site: Site, rings: readonly (readonly [number, number, Rgb])[]): void {
  const sides = 10;
  const point = (i: number, ring: number) => {
    const [radius, lift] = rings[ring]!;
    const angle = (i / sides) * 2 * Math.PI;
    const reach = radius * (0.88 + 0.24 * sequence(site.seed + (i % sides))());
    const [dx, dz] = [Math.cos(angle) * reach, Math.sin(angle) * reach];
    return [dx, site.ground(dx, dz) - site.ground(0, 0) + lift, dz] as const;
  };
  stand(builder, site, 0);
  for (let ring = 0; ring + 1 < rings.length; ring++) {
    const [outer, inner] = [rings[ring]![2], rings[ring + 1]![2]];
    for (let i = 0; i < sides; i++) {
      const [a, b, c, d] = [point(i, ring), point(i + 1, ring), point(i + 1, ring + 1), point(i, ring + 1)];
      builder.triangle([a, c, b], [outer, inner, outer]);
      if (rings[ring + 1]![0] > 0) builder.triangle([a, d, c], [outer, inner, inner]);
    }
  }
}

const knoll: Model = (builder, site) =>
  drape(builder, site, [[4.2, -0.4, GRASS], [3.2, 0.45, GRASS], [1.6, 1.25, [134, 140, 78]], [0, 1.55, [142, 146, 84]]]);

function waterhole(builder: Builder, site: Site): void {
  drape(builder, site, [[2.9, -0.15, [94, 84, 60]], [2.2, 0.16, [94, 84, 60]], [1.9, 0.12, POND], [0, 0.12, [52, 84, 98]]]);
  const random = sequence(site.seed);
  stand(builder, site, 0);
  for (let i = 0; i < 9; i++) {
    const angle = random() * 2 * Math.PI;
    const [x, z] = [Math.cos(angle) * 2.1, Math.sin(angle) * 2.1];
    const y = site.ground(x, z) - site.ground(0, 0);
    builder.beam([x, y - 0.1, z], [x + 0.2 * (random() - 0.5), y + 0.8 + 0.7 * random(), z], 0.05, REED);
  }
}

function cone(builder: Builder, site: Site): void {
  stand(builder, site, turnOf(site), 1.15);
  builder.box([0, 0, 0], [0.62, 0.22, 0.62], [60, 56, 54]);
  builder.tube(9, [0.1, 0.24, ORANGE], [0.38, 0.165, ORANGE]);
  builder.tube(9, [0.38, 0.165, WHITE], [0.58, 0.115, WHITE]);
  builder.tube(9, [0.58, 0.115, ORANGE], [0.92, 0.03, ORANGE]);
}

function mine(builder: Builder, site: Site): void {
  if (site.direction !== null) return caveMouth(builder, site);
  stand(builder, site, 0, 1, 0.05);
  for (const [x, z, w, d] of [[0, -1.25, 2.9, 0.4], [0, 1.25, 2.9, 0.4], [-1.25, 0, 0.4, 2.1], [1.25, 0, 0.4, 2.1]] as const) {
    builder.box([x, -0.8, z], [w, 2.7, d], TIMBER, OLD_TIMBER);
  }
  builder.box([0, -0.4, 0], [2.1, 1.3, 2.1], PIT);
  for (const side of [-1, 1]) {
    builder.beam([side * 1.25, 0, -1.2], [side * 0.35, 3.6, 0], 0.2, OLD_TIMBER);
    builder.beam([side * 1.25, 0, 1.2], [side * 0.35, 3.6, 0], 0.2, OLD_TIMBER);
  }
  builder.beam([-0.7, 3.6, 0], [0.7, 3.6, 0], 0.22, TIMBER);
  builder.beam([0, 3.5, 0], [0, 0.3, 0], 0.05, DARK_STONE);
}

/** An arch of rock around a dark opening. Its direction is that of the tunnel, into the hill. */
function caveMouth(builder: Builder, site: Site): void {
  // The model opens to the north, that is −z; its tunnel leads the other way.
  stand(builder, site, ((site.direction ?? 180) + 180) * RADIAN);
  const stones = 9;
  for (let i = 0; i < stones; i++) {
    const angle = (i / (stones - 1)) * Math.PI;
    const centre = [Math.cos(angle) * 1.75, Math.sin(angle) * 2.1 - 0.1, 0.2] as const;
    builder.lump({ centre, radius: [0.75, 0.75, 0.9], top: STONE, bottom: DARK_STONE, seed: site.seed + i, dents: 0.35, edged: true });
  }
  builder.lump({ centre: [0, 1.1, 1.6], radius: [2.4, 1.9, 1.7], top: GRASS, bottom: EARTH, seed: site.seed + 20, dents: 0.2 });
  const floor = -0.6;
  const top = Array.from({ length: 7 }, (_, i) => {
    const angle = (i / 6) * Math.PI;
    return [Math.cos(angle) * 1.4, Math.max(floor, Math.sin(angle) * 1.9), -0.25] as const;
  });
  for (let i = 0; i < 6; i++) builder.triangle([[0, floor, -0.25], top[i]!, top[i + 1]!], [PIT]);
}

/** Something man-made: a high seat, a cairn, a bench or a signpost. */
function manMade(builder: Builder, site: Site): void {
  const kinds: readonly Model[] = [highSeat, cairn, bench, signpost];
  kinds[site.version & 3]!(builder, site);
}

function highSeat(builder: Builder, site: Site): void {
  stand(builder, site, turnOf(site));
  for (const [x, z] of [[-1, -1], [1, -1], [-1, 1], [1, 1]] as const) builder.beam([x * 1.2, -1.6, z * 1.2], [x * 0.75, 4, z * 0.75], 0.16, OLD_TIMBER);
  builder.box([0, 3.1, 0], [1.9, 0.15, 1.9], TIMBER);
  builder.box([0, 3.6, 0], [1.7, 0.9, 1.7], TIMBER, OLD_TIMBER);
  builder.box([0, 4.9, 0], [2.2, 0.15, 2.2], [88, 96, 78]);
  for (const x of [-0.75, 0.75]) for (const z of [-0.75, 0.75]) builder.beam([x, 4, z], [x, 4.9, z], 0.1, OLD_TIMBER);
  for (let i = 0; i < 6; i++) builder.beam([-0.4, 0.4 + i * 0.5, 1.15 - i * 0.05], [0.4, 0.4 + i * 0.5, 1.15 - i * 0.05], 0.07, TIMBER);
}

function cairn(builder: Builder, site: Site): void {
  stand(builder, site, turnOf(site));
  for (let i = 0; i < 6; i++) {
    const r = 0.75 - i * 0.1;
    builder.lump({ centre: [0.1 * Math.cos(i * 2), 0.15 + i * 0.3, 0.1 * Math.sin(i * 2)], radius: [r, 0.3, r * 0.9], top: STONE, bottom: DARK_STONE, seed: site.seed + i, dents: 0.25, edged: true });
  }
}

function bench(builder: Builder, site: Site): void {
  stand(builder, site, turnOf(site));
  for (const x of [-0.8, 0.8]) builder.box([x, -0.2, 0], [0.14, 1.4, 0.5], DARK_STONE);
  builder.box([0, 0.52, 0], [2.1, 0.08, 0.55], TIMBER);
  builder.box([0, 0.92, 0.28], [2.1, 0.35, 0.07], TIMBER);
}

function signpost(builder: Builder, site: Site): void {
  stand(builder, site, turnOf(site));
  builder.box([0, 1.1, 0], [0.16, 3, 0.16], WHITE);
  builder.box([0.65, 2.3, 0], [1.3, 0.26, 0.07], [214, 190, 90]);
  builder.box([-0.1, 1.95, 0.5], [0.07, 0.26, 1.2], [214, 190, 90]);
}

function rocket(builder: Builder, site: Site): void {
  stand(builder, site, turnOf(site));
  builder.tube(12, [0.8, 0.75, STEEL], [1.6, 0.95, STEEL]);
  builder.tube(12, [1.6, 0.95, STEEL], [5.2, 0.95, WHITE]);
  builder.tube(12, [5.2, 0.95, RED], [6.6, 0.55, RED]);
  builder.tube(12, [6.6, 0.55, RED], [7.8, 0, RED]);
  for (let i = 0; i < 3; i++) {
    const angle = (i * 2 * Math.PI) / 3;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    builder.beam([c * 0.8, 2.2, s * 0.8], [c * 1.8, -0.3, s * 1.8], 0.28, RED);
  }
}

function hut(builder: Builder, site: Site): void {
  stand(builder, site, turnOf(site));
  house(builder, 3, -1.5, 2.8, [170, 132, 92], [112, 66, 52]);
}

function phoneBox(builder: Builder, site: Site): void {
  stand(builder, site, turnOf(site));
  builder.box([0, -0.4, 0], [1, 1.3, 1], DARK_STONE);
  builder.box([0, 1.3, 0], [0.92, 2.2, 0.92], RED);
  builder.box([0, 1.45, 0], [0.96, 1.5, 0.6], [150, 178, 186]);
  builder.box([0, 1.45, 0], [0.6, 1.5, 0.96], [150, 178, 186]);
  builder.box([0, 2.5, 0], [1, 0.22, 1], RED);
}

const MODELS: Readonly<Record<string, Model>> = {
  boulder, root, knoll, waterhole, pond: waterhole, cone, mine, cave_mouth: caveMouth, x: manMade, rocket, building: hut, t: phoneBox,
};

/** Adds the model of a kind; kinds without one get a cairn, so that nothing is missed. */
export function addFeature(builder: Builder, kind: string, site: Site): void {
  if (kind !== 'none') (MODELS[kind] ?? cairn)(builder, site);
}

const PLASTER: readonly Rgb[] = [[226, 214, 190], [212, 188, 152], [198, 156, 126], [220, 220, 212], [190, 120, 92], [204, 200, 176]];
const ROOFS: readonly Rgb[] = [[150, 76, 58], [122, 70, 58], [98, 92, 92], [136, 96, 72]];

/** A building of a town, `height` high and 12 m square. */
export function addBuilding(builder: Builder, site: Site, height: number): void {
  const half = 6;
  const corners = [[-half, -half], [half, -half], [half, half], [-half, half]] as const;
  const low = Math.min(...corners.map(([x, z]) => site.ground(x, z)));
  stand(builder, site, 0);
  const foot = low - site.ground(0, 0) - 0.5;
  house(builder, half, foot, height, PLASTER[site.seed % PLASTER.length]!, ROOFS[(site.seed >>> 4) % ROOFS.length]!, (site.seed & 64) > 0);
}

/** Walls and a gable roof; `across` turns the ridge. */
function house(builder: Builder, half: number, foot: number, height: number, wall: Rgb, roof: Rgb, across = false): void {
  const rise = half * 0.62;
  const turned = (x: number, y: number, z: number): readonly [number, number, number] => (across ? [z, y, -x] : [x, y, z]);
  const [a, b, c, d] = [turned(-half, 0, half), turned(half, 0, half), turned(half, 0, -half), turned(-half, 0, -half)];
  builder.wall(a, b, foot, height, wall);
  builder.wall(b, c, foot, height, wall);
  builder.wall(c, d, foot, height, wall);
  builder.wall(d, a, foot, height, wall);
  const over = half + 0.5;
  const eaves = height - 0.25;
  const ridge = height + rise;
  builder.quad(turned(-over, eaves, over), turned(over, eaves, over), turned(over, ridge, 0), turned(-over, ridge, 0), roof);
  builder.quad(turned(over, eaves, -over), turned(-over, eaves, -over), turned(-over, ridge, 0), turned(over, ridge, 0), roof);
  builder.triangle([turned(half, height, half), turned(half, height, -half), turned(half, ridge, 0)], [wall]);
  builder.triangle([turned(-half, height, -half), turned(-half, height, half), turned(-half, ridge, 0)], [wall]);
}

/** A bridge along points (east, height of the deck, south) of its cell. */
export function addBridge(builder: Builder, points: readonly (readonly [number, number, number])[], width: number): void {
  builder.at(0, 0, 0);
  for (let i = 0; i + 1 < points.length; i++) {
    const [a, b] = [points[i]!, points[i + 1]!];
    const length = Math.hypot(b[0] - a[0], b[2] - a[2]);
    if (length < 0.1) continue;
    const [nx, nz] = [((b[2] - a[2]) / length) * (width / 2), (-(b[0] - a[0]) / length) * (width / 2)];
    const side = (p: readonly [number, number, number], s: number, lift: number) => [p[0] + nx * s, p[1] + lift, p[2] + nz * s] as const;
    builder.quad(side(b, -1, 0), side(b, 1, 0), side(a, 1, 0), side(a, -1, 0), TIMBER);
    for (const s of [-1, 1]) {
      builder.beam(side(a, s, -0.2), side(b, s, -0.2), 0.45, OLD_TIMBER);
      builder.beam(side(a, s, 1), side(b, s, 1), 0.12, TIMBER);
      builder.beam(side(a, s, 0), side(a, s, 1), 0.14, TIMBER);
      builder.beam(side(a, s, -4), side(a, s, -0.2), 0.35, OLD_TIMBER);
    }
  }
}
