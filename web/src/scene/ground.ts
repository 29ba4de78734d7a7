// Meshes of a chunk of ground: its surface with skirts, and the water on it.

import { BufferAttribute, BufferGeometry, Sphere, Vector3 } from 'three';
import type { Chunk } from './data';

/** Quads along the side of a chunk. */
export const QUADS = 64;
const SIDE = QUADS + 1;
/** Samples beyond each edge, so that neighbouring chunks have the same normals at their common border. */
export const MARGIN = 1;
export const ASKED_SIDE = SIDE + 2 * MARGIN;
/** From this step on lakes are part of the ground: a second surface close above it would flicker far away. */
export const FLAT_WATER_STEP = 16;
/** The bed of a lake. The blue of a map would show as a fringe on the shore. */
const BED = [124, 118, 92];
const BORDER = 4 * SIDE;
const VERTICES = SIDE * SIDE + BORDER;

/**
 * The index of all chunks, which uses every `stride`-th sample. It is shared: take it off a geometry before disposing of
 * that.
 */
export function createGroundIndex(stride: number): BufferAttribute {
  const list: number[] = [];
  const down = SIDE * stride;
  for (let row = 0; row < QUADS; row += stride) {
    for (let column = 0; column < QUADS; column += stride) {
      const a = row * SIDE + column;
      list.push(a, a + down, a + stride, a + stride, a + down, a + down + stride);
    }
  }
  for (let edge = 0; edge < 4; edge++) {
    for (let i = 0; i < QUADS; i += stride) {
      const [a, b] = [borderVertex(edge, i), borderVertex(edge, i + stride)];
      const low = SIDE * SIDE + edge * SIDE + i;
      list.push(a, low, b, b, low, low + stride);
    }
  }
  return new BufferAttribute(new Uint16Array(list), 1);
}

/** The vertex of the surface above the i-th vertex of a skirt; edges run so that skirts face outwards. */
function borderVertex(edge: number, i: number): number {
  const j = QUADS - i;
  return [j, i * SIDE, QUADS * SIDE + i, j * SIDE + QUADS][edge] ?? 0;
}

/** The surface of a chunk that was asked for with a margin. Places are metres east and south of its north-west corner. */
export function groundGeometry(chunk: Chunk, index: BufferAttribute): BufferGeometry {
  const { step } = chunk;
  const positions = new Float32Array(VERTICES * 3);
  const normals = new Int8Array(VERTICES * 4);
  const colours = new Uint8Array(VERTICES * 4);
  const flat = step >= FLAT_WATER_STEP;
  const range = { low: Infinity, high: -Infinity };
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      const vertex = row * SIDE + column;
      const sample = (row + MARGIN) * chunk.side + column + MARGIN;
      const height = surfaceAt(chunk, sample, flat);
      range.low = Math.min(range.low, height);
      range.high = Math.max(range.high, height);
      positions.set([column * step, height, row * step], vertex * 3);
      putNormal(normals, vertex, chunk, sample, flat);
      const wet = !Number.isNaN(chunk.water[sample]!);
      colours.set(wet ? BED : chunk.colours.subarray(sample * 3, sample * 3 + 3), vertex * 4);
      colours[vertex * 4 + 3] = flat && wet ? 255 : 0;
    }
  }
  addSkirts(positions, normals, colours, step);
  const geometry = new BufferGeometry();
  geometry.setIndex(index);
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(normals, 4, true));
  geometry.setAttribute('color', new BufferAttribute(colours, 4, true));
  geometry.boundingSphere = boundsOf(step * QUADS, range.low, range.high);
  return geometry;
}

function boundsOf(size: number, low: number, high: number): Sphere {
  const centre = new Vector3(size / 2, (low + high) / 2, size / 2);
  return new Sphere(centre, Math.hypot(size / 2, size / 2, (high - low) / 2) + 1);
}

function surfaceAt(chunk: Chunk, sample: number, flat: boolean): number {
  const ground = chunk.ground[sample]!;
  const water = chunk.water[sample]!;
  return flat && water > ground ? water : ground;
}

function putNormal(normals: Int8Array, vertex: number, chunk: Chunk, sample: number, flat: boolean): void {
  const { side, step } = chunk;
  const east = surfaceAt(chunk, sample - 1, flat) - surfaceAt(chunk, sample + 1, flat);
  const south = surfaceAt(chunk, sample - side, flat) - surfaceAt(chunk, sample + side, flat);
  const length = Math.hypot(east, south, 2 * step) / 127;
  normals[vertex * 4] = Math.round(east / length);
  normals[vertex * 4 + 1] = Math.round((2 * step) / length);
  normals[vertex * 4 + 2] = Math.round(south / length);
}

/** Walls below the edges: where a coarse chunk meets a fine one they hide the gaps. */
function addSkirts(positions: Float32Array, normals: Int8Array, colours: Uint8Array, step: number): void {
  const drop = step * 2.5 + 1;
  for (let edge = 0; edge < 4; edge++) {
    for (let i = 0; i < SIDE; i++) {
      const from = borderVertex(edge, i);
      const to = SIDE * SIDE + edge * SIDE + i;
      positions.copyWithin(to * 3, from * 3, from * 3 + 3);
      positions[to * 3 + 1]! -= drop;
      normals.copyWithin(to * 4, from * 4, from * 4 + 4);
      colours.copyWithin(to * 4, from * 4, from * 4 + 4);
    }
  }
}

/** A lattice of water levels, NaN where it is dry, with the heights of the bed. */
export interface WaterLattice {
  columns: number;
  rows: number;
  water(column: number, row: number): number;
  bed(column: number, row: number): number;
  /** Place of a sample: east and south. */
  place(column: number, row: number): readonly [number, number];
}

/** The lake surface of every quad with water at a corner, with its depth at each vertex; null if all is dry. */
export function waterGeometry(lattice: WaterLattice): BufferGeometry | null {
  const vertices = new Map<number, number>();
  const positions: number[] = [];
  const depths: number[] = [];
  const index: number[] = [];
  const vertexOf = (column: number, row: number, level: number): number => {
    const key = row * lattice.columns + column;
    const known = vertices.get(key);
    if (known !== undefined) return known;
    const own = lattice.water(column, row);
    // A dry corner takes the level of the lake: the bank hides what is below it.
    const height = Number.isNaN(own) ? level : own;
    const [x, z] = lattice.place(column, row);
    vertices.set(key, depths.length);
    positions.push(x, height, z);
    depths.push(height - lattice.bed(column, row));
    return depths.length - 1;
  };
  for (let row = 0; row + 1 < lattice.rows; row++) {
    for (let column = 0; column + 1 < lattice.columns; column++) {
      const level = quadLevel(lattice, column, row);
      if (Number.isNaN(level)) continue;
      const a = vertexOf(column, row, level);
      const b = vertexOf(column + 1, row, level);
      const c = vertexOf(column, row + 1, level);
      const d = vertexOf(column + 1, row + 1, level);
      index.push(a, c, b, b, c, d);
    }
  }
  if (index.length === 0) return null;
  const geometry = new BufferGeometry();
  geometry.setIndex(index);
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute('depth', new BufferAttribute(new Float32Array(depths), 1));
  geometry.computeBoundingSphere();
  return geometry;
}

/** The lowest water at the corners of a quad, NaN if they are all dry. */
function quadLevel(lattice: WaterLattice, column: number, row: number): number {
  let level = NaN;
  for (let corner = 0; corner < 4; corner++) {
    const water = lattice.water(column + (corner & 1), row + (corner >> 1));
    if (!Number.isNaN(water) && !(water > level)) level = water;
  }
  return level;
}

/** The lakes of a chunk, or null if they are part of its ground or there are none. */
export function lakeGeometry(chunk: Chunk): BufferGeometry | null {
  if (chunk.step >= FLAT_WATER_STEP) return null;
  const at = (column: number, row: number): number => (row + MARGIN) * chunk.side + column + MARGIN;
  return waterGeometry({
    columns: SIDE,
    rows: SIDE,
    water: (column, row) => chunk.water[at(column, row)]!,
    bed: (column, row) => chunk.ground[at(column, row)]!,
    place: (column, row) => [column * chunk.step, row * chunk.step],
  });
}

/** Height of a layer of a chunk at a place, on the very triangles that are drawn. */
export function heightIn(chunk: Chunk, layer: Float32Array, x: number, y: number): number {
  const last = chunk.side - 1.000001;
  const u = Math.min(last, Math.max(0, (x - chunk.west) / chunk.step));
  const v = Math.min(last, Math.max(0, (chunk.north - y) / chunk.step));
  const [column, row] = [Math.floor(u), Math.floor(v)];
  const [s, t] = [u - column, v - row];
  const i = row * chunk.side + column;
  const [a, b, c, d] = [layer[i]!, layer[i + 1]!, layer[i + chunk.side]!, layer[i + chunk.side + 1]!];
  return s + t < 1 ? a + s * (b - a) + t * (c - a) : d + (1 - s) * (c - d) + (1 - t) * (b - d);
}
