// The meshes of a finished map: a block of ground with walls, and the water on it.

import { BufferAttribute, BufferGeometry } from 'three';
import type { Surface } from './data';
import { waterGeometry } from './ground';
import { clamp } from './hash';

/** Vertices along the longer side. */
const MOST = 512;
/** The longer side of the block in units of the scene. */
export const BLOCK = 100;
/** Least thickness of the block below its lowest ground. */
const BASE = 2.2;

/** The samples of a surface that are drawn, in units of the scene with its centre in the middle. */
export class Block {
  readonly columns: readonly number[];
  readonly rows: readonly number[];
  readonly width: number;
  readonly depth: number;
  readonly low: number;
  private readonly unit: number;
  private readonly lift: number;

  constructor(readonly surface: Surface, most = MOST) {
    const { width, height, cell, exaggeration, ground } = surface;
    const stride = Math.max(1, Math.ceil(Math.max(width, height) / most));
    this.columns = picked(width, stride);
    this.rows = picked(height, stride);
    this.unit = BLOCK / Math.max(width - 1, height - 1, 1);
    this.width = (width - 1) * this.unit;
    this.depth = (height - 1) * this.unit;
    this.lift = (this.unit / cell) * exaggeration;
    let low = Infinity;
    for (const row of this.rows) for (const column of this.columns) low = Math.min(low, ground[row * width + column]!);
    this.low = Number.isFinite(low) ? low : 0;
  }

  /** Height in units of the scene. */
  up(height: number): number {
    return (height - this.low) * this.lift;
  }

  ground(i: number, j: number): number {
    return this.up(this.surface.ground[this.rows[j]! * this.surface.width + this.columns[i]!]!);
  }

  water(i: number, j: number): number {
    return this.up(this.surface.water[this.rows[j]! * this.surface.width + this.columns[i]!]!);
  }

  place(i: number, j: number): readonly [number, number] {
    return [this.columns[i]! * this.unit - this.width / 2, this.rows[j]! * this.unit - this.depth / 2];
  }

  /** Height of what one sees at a place of the scene. */
  topAt(x: number, z: number): number {
    const { width, height, ground, water } = this.surface;
    const column = clamp(Math.round((x + this.width / 2) / this.unit), 0, width - 1);
    const row = clamp(Math.round((z + this.depth / 2) / this.unit), 0, height - 1);
    const i = row * width + column;
    return this.up(Number.isNaN(water[i]!) ? ground[i]! : Math.max(ground[i]!, water[i]!));
  }
}

/** Every `stride`-th of `count`, and always the last. */
function picked(count: number, stride: number): number[] {
  const list: number[] = [];
  for (let i = 0; i < count - 1; i += stride) list.push(i);
  list.push(count - 1);
  return list;
}

export function blockGround(block: Block): BufferGeometry {
  const [columns, rows] = [block.columns.length, block.rows.length];
  const positions = new Float32Array(columns * rows * 3);
  const uvs = new Float32Array(columns * rows * 2);
  const index = new Uint32Array((columns - 1) * (rows - 1) * 6);
  let n = 0;
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const vertex = j * columns + i;
      const [x, z] = block.place(i, j);
      positions.set([x, block.ground(i, j), z], vertex * 3);
      // A sample lies in the middle of its pixel.
      uvs.set([(block.columns[i]! + 0.5) / block.surface.width, (block.rows[j]! + 0.5) / block.surface.height], vertex * 2);
      if (i + 1 === columns || j + 1 === rows) continue;
      index.set([vertex, vertex + columns, vertex + 1, vertex + 1, vertex + columns, vertex + columns + 1], n);
      n += 6;
    }
  }
  const geometry = new BufferGeometry();
  geometry.setIndex(new BufferAttribute(index, 1));
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('uv', new BufferAttribute(uvs, 2));
  geometry.computeVertexNormals();
  return geometry;
}

export function blockWater(block: Block): BufferGeometry | null {
  const geometry = waterGeometry({
    columns: block.columns.length,
    rows: block.rows.length,
    water: (i, j) => block.water(i, j),
    bed: (i, j) => block.ground(i, j),
    place: (i, j) => block.place(i, j),
  });
  geometry?.computeVertexNormals();
  return geometry;
}

/** The samples along the border, clockwise seen from above, from the north-west corner and back to it. */
function border(block: Block): [number, number][] {
  const [last, bottom] = [block.columns.length - 1, block.rows.length - 1];
  const list: [number, number][] = [];
  for (let i = 0; i < last; i++) list.push([i, 0]);
  for (let j = 0; j < bottom; j++) list.push([last, j]);
  for (let i = last; i > 0; i--) list.push([i, bottom]);
  for (let j = bottom; j >= 0; j--) list.push([0, j]);
  return list;
}

/** A band around the block between two heights of each border sample; where they are equal there is nothing. */
export function blockBand(block: Block, low: (i: number, j: number) => number, high: (i: number, j: number) => number): BufferGeometry {
  const positions: number[] = [];
  const around = border(block);
  for (let n = 0; n + 1 < around.length; n++) {
    const [[i, j], [k, l]] = [around[n]!, around[n + 1]!];
    const [[x, z], [u, v]] = [block.place(i, j), block.place(k, l)];
    const [a, b, c, d] = [low(i, j), high(i, j), low(k, l), high(k, l)];
    if (b <= a && d <= c) continue;
    positions.push(x, a, z, u, d, v, u, c, v, x, a, z, x, b, z, u, d, v);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
  geometry.computeVertexNormals();
  return geometry;
}

export const blockFoot = (): number => -BASE;
