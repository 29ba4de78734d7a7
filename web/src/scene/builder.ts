// Puts small models together from boxes, tubes and lumps with colours at their vertices.

import { BufferAttribute, BufferGeometry, Matrix4, Vector3 } from 'three';
import type { Rgb } from './data';
import { sequence } from './hash';

type Point = readonly [number, number, number];

const GOLDEN = (1 + Math.sqrt(5)) / 2;
const LUMP_POINTS: readonly Point[] = [
  [-1, GOLDEN, 0], [1, GOLDEN, 0], [-1, -GOLDEN, 0], [1, -GOLDEN, 0], [0, -1, GOLDEN], [0, 1, GOLDEN],
  [0, -1, -GOLDEN], [0, 1, -GOLDEN], [GOLDEN, 0, -1], [GOLDEN, 0, 1], [-GOLDEN, 0, -1], [-GOLDEN, 0, 1],
];
const LUMP_FACES = [
  0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9, 5, 11, 4, 11, 10, 2, 10, 7, 6, 7, 1, 8,
  3, 9, 4, 3, 4, 2, 3, 2, 6, 3, 6, 8, 3, 8, 9, 4, 9, 5, 2, 4, 11, 6, 2, 10, 8, 6, 7, 9, 8, 1,
];

/** A lump: a ball with dents, lit as a ball. */
export interface Lump {
  centre: Point;
  radius: Point;
  top: Rgb;
  bottom: Rgb;
  seed: number;
  /** Depth of the dents as a share of the radius. */
  dents: number;
  leaf?: boolean;
  /** Flat faces, as of a rock. */
  edged?: boolean;
}

export class Builder {
  /** Where the next parts go. */
  readonly matrix = new Matrix4();
  private readonly positions: number[] = [];
  private readonly normals: number[] = [];
  private readonly colours: number[] = [];
  private readonly facades: number[] = [];

  get empty(): boolean {
    return this.positions.length === 0;
  }

  /** Sets a place, a turn clockwise seen from above (radians) and a size for the next parts. */
  at(x: number, y: number, z: number, turn = 0, size = 1): this {
    this.matrix.makeRotationY(-turn).scale(new Vector3(size, size, size)).setPosition(x, y, z);
    return this;
  }

  /** A triangle, anticlockwise from outside; flat unless normals are given. */
  triangle(corners: readonly [Point, Point, Point], colours: readonly Rgb[], normals?: readonly Point[], leaf = false): void {
    const flat = normals ? null : normalOf(corners);
    corners.forEach((corner, i) => {
      this.positions.push(...new Vector3(...corner).applyMatrix4(this.matrix).toArray());
      const normal = new Vector3(...(flat ?? normals![i]!)).transformDirection(this.matrix);
      this.normals.push(...normal.toArray());
      const colour = colours[i] ?? colours[0]!;
      this.colours.push(colour[0], colour[1], colour[2], leaf ? 255 : 0);
      this.facades.push(0, 0);
    });
  }

  quad(a: Point, b: Point, c: Point, d: Point, colour: Rgb, low: Rgb = colour): void {
    this.triangle([a, b, c], [low, low, colour]);
    this.triangle([a, c, d], [low, colour, colour]);
  }

  /** A wall with windows from corner `a` along to `b`, `height` high. */
  wall(a: Point, b: Point, foot: number, height: number, colour: Rgb): void {
    const width = Math.hypot(b[0] - a[0], b[2] - a[2]);
    const low: Rgb = [colour[0] * 0.72, colour[1] * 0.72, colour[2] * 0.72];
    const from = this.facades.length;
    const up = (p: Point, y: number): Point => [p[0], y, p[2]];
    this.quad(up(a, foot), up(b, foot), up(b, height), up(a, height), colour, low);
    // Metres along and above the ground, in the order in which `quad` puts corners.
    const [x0, x1] = [0.01, width];
    [x0, foot, x1, foot, x1, height, x0, foot, x1, height, x0, height].forEach((v, i) => (this.facades[from + i] = v));
  }

  box(centre: Point, size: Point, colour: Rgb, low: Rgb = colour): void {
    const [x, y, z] = centre;
    const [w, h, d] = [size[0] / 2, size[1] / 2, size[2] / 2];
    const p = (i: number, j: number, k: number): Point => [x + i * w, y + j * h, z + k * d];
    this.quad(p(-1, -1, 1), p(1, -1, 1), p(1, 1, 1), p(-1, 1, 1), colour, low);
    this.quad(p(1, -1, -1), p(-1, -1, -1), p(-1, 1, -1), p(1, 1, -1), colour, low);
    this.quad(p(1, -1, 1), p(1, -1, -1), p(1, 1, -1), p(1, 1, 1), colour, low);
    this.quad(p(-1, -1, -1), p(-1, -1, 1), p(-1, 1, 1), p(-1, 1, -1), colour, low);
    this.quad(p(-1, 1, 1), p(1, 1, 1), p(1, 1, -1), p(-1, 1, -1), colour);
  }

  /** A beam from one point to another. */
  beam(a: Point, b: Point, thick: number, colour: Rgb): void {
    const along = new Vector3(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const length = along.length();
    const kept = this.matrix.clone();
    const up = Math.abs(along.y) > 0.9 * length ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    const turned = new Matrix4().lookAt(new Vector3(), along, up);
    turned.setPosition((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2);
    this.matrix.multiply(turned);
    this.box([0, 0, 0], [thick, thick, length], colour);
    this.matrix.copy(kept);
  }

  /** A round stem between two heights with a radius and colour at each. */
  tube(sides: number, low: readonly [number, number, Rgb], high: readonly [number, number, Rgb], middle: readonly [number, number] = [0, 0]): void {
    const at = (i: number, [y, radius]: readonly [number, number, Rgb]): Point => {
      const angle = (i / sides) * 2 * Math.PI;
      return [middle[0] + Math.cos(angle) * radius, y, middle[1] + Math.sin(angle) * radius];
    };
    const out = (i: number): Point => [Math.cos((i / sides) * 2 * Math.PI), 0.1, Math.sin((i / sides) * 2 * Math.PI)];
    for (let i = 0; i < sides; i++) {
      const [a, b, c, d] = [at(i, low), at(i + 1, low), at(i + 1, high), at(i, high)];
      this.triangle([a, c, b], [low[2], high[2], low[2]], [out(i), out(i + 1), out(i + 1)]);
      if (high[1] > 0) this.triangle([a, d, c], [low[2], high[2], high[2]], [out(i), out(i), out(i + 1)]);
    }
  }

  lump(lump: Lump): void {
    const random = sequence(lump.seed);
    const unit = Math.hypot(1, GOLDEN);
    const ways = LUMP_POINTS.map((p): Point => [p[0] / unit, p[1] / unit, p[2] / unit]);
    const points = ways.map((way): Point => {
      const size = 1 - lump.dents * random();
      return [0, 1, 2].map((i) => lump.centre[i]! + way[i]! * lump.radius[i]! * size) as unknown as Point;
    });
    const colours = ways.map((way) => mix(lump.bottom, lump.top, way[1] * 0.5 + 0.5 + (random() - 0.5) * 0.3));
    for (let i = 0; i < LUMP_FACES.length; i += 3) {
      const [a, b, c] = [LUMP_FACES[i]!, LUMP_FACES[i + 1]!, LUMP_FACES[i + 2]!];
      const normals = lump.edged ? undefined : [ways[a]!, ways[b]!, ways[c]!];
      this.triangle([points[a]!, points[b]!, points[c]!], [colours[a]!, colours[b]!, colours[c]!], normals, lump.leaf);
    }
  }

  build(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(this.positions), 3));
    geometry.setAttribute('normal', new BufferAttribute(new Float32Array(this.normals), 3));
    geometry.setAttribute('color', new BufferAttribute(Uint8Array.from(this.colours), 4, true));
    geometry.setAttribute('facade', new BufferAttribute(new Float32Array(this.facades), 2));
    return geometry;
  }
}

export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  const t = Math.min(1, Math.max(0, share));
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

function normalOf([a, b, c]: readonly [Point, Point, Point]): Point {
  const u = new Vector3(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  const v = new Vector3(c[0] - a[0], c[1] - a[1], c[2] - a[2]);
  const n = u.cross(v).normalize();
  return [n.x, n.y, n.z];
}
