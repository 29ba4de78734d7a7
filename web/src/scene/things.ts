// What stands on the ground around the eye: cells with trees, buildings, features and bridges.

import { Group, Mesh } from 'three';
import type { Texture } from 'three';
import type { Bin } from './bin';
import { Builder } from './builder';
import type { Chunk, ChunkSource, Things } from './data';
import { createGrove, Forest, GROVE } from './forest';
import type { Grove } from './forest';
import { heightIn } from './ground';
import { clamp, hashOf } from './hash';
import { solidMaterial } from './materials';
import { addBridge, addBuilding, addFeature } from './models';
import type { Site } from './models';
import type { Uniforms } from './sky';
import type { Eye, Origin } from './terrain';
import { treeUniforms } from './trees';
import type { Thinning } from './trees';

/** The world says what stands only where the ground is a metre fine. */
const STEP = 1;
const SIDE = 129;
const SIZE = STEP * (SIDE - 1);
const SQUARES = SIZE / GROVE;
const MAX_ASKED = 2;
/** Cells are kept this much further than they are asked for, so that walking to and fro asks for nothing. */
const SLACK = 160;
const RETRY_FRAMES = 120;
const BRIDGE_WIDTH = 5;
/** How far a bridge is above the water, and a building from its centre to its wall. */
const CLEARANCE = 1.1;
const HALF_BUILDING = 6;

interface Cell {
  west: number;
  north: number;
  distance: number;
  asked: AbortController | null;
  retry: number;
  chunk: Chunk | null;
  built: boolean;
  groves: Grove[];
  mesh: Mesh | null;
  /** x, y of the centres of its buildings, in metres from the corner to the east and south. */
  buildings: Float32Array;
}

export class ThingField {
  readonly group = new Group();
  private readonly cells = new Map<string, Cell>();
  private readonly forest: Forest;
  private readonly material;
  private readonly radius: number;
  private flying = 0;
  private frame = 0;

  constructor(
    bin: Bin, private readonly source: ChunkSource, private readonly origin: Origin, light: Uniforms,
    noise: Texture, thinning: Thinning,
  ) {
    this.radius = thinning.edge;
    this.material = bin.keep(solidMaterial(light));
    this.forest = new Forest(bin, origin, treeUniforms(light, noise, thinning), thinning);
    this.group.add(this.forest.group);
    bin.add(() => [...this.cells.keys()].forEach((key) => this.drop(key)));
  }

  update(eye: Eye): void {
    this.frame += 1;
    this.addCells(eye);
    for (const [key, cell] of this.cells) {
      cell.distance = distanceTo(cell, eye);
      if (cell.distance > this.radius + SLACK) this.drop(key);
    }
    const near = [...this.cells.values()].sort((a, b) => a.distance - b.distance);
    for (const cell of near) {
      if (this.flying >= MAX_ASKED) break;
      if (!cell.chunk && !cell.asked && cell.retry <= this.frame) void this.fetch(cell);
    }
    // One cell a frame: sorting its trees takes a few milliseconds.
    const ready = near.find((cell) => cell.chunk && !cell.built);
    if (ready) this.build(ready, ready.chunk!);
    this.forest.update(eye);
  }

  rebase(): void {
    for (const cell of this.cells.values()) this.put(cell);
    this.forest.rebase();
  }

  /** Whether a wall is in the way at a place. */
  blocked(x: number, y: number): boolean {
    for (const { west, north, buildings } of this.cells.values()) {
      const [dx, dz] = [x - west, north - y];
      if (Math.min(dx, dz) < -HALF_BUILDING || Math.max(dx, dz) > SIZE + HALF_BUILDING) continue;
      for (let i = 0; i < buildings.length; i += 2) {
        if (Math.max(Math.abs(buildings[i]! - dx), Math.abs(buildings[i + 1]! - dz)) < HALF_BUILDING + 0.4) return true;
      }
    }
    return false;
  }

  private addCells(eye: Eye): void {
    const range = (v: number): [number, number] => [Math.floor((v - this.radius) / SIZE), Math.floor((v + this.radius) / SIZE)];
    const [[first, last], [low, high]] = [range(eye.x), range(eye.y)];
    for (let row = low; row <= high; row++) {
      for (let column = first; column <= last; column++) {
        const key = `${column}/${row}`;
        if (this.cells.has(key)) continue;
        const cell: Cell = {
          west: column * SIZE, north: (row + 1) * SIZE, distance: 0, asked: null, retry: 0, chunk: null, built: false,
          groves: [], mesh: null, buildings: new Float32Array(),
        };
        if (distanceTo(cell, eye) < this.radius) this.cells.set(key, cell);
      }
    }
  }

  private async fetch(cell: Cell): Promise<void> {
    const asked = (cell.asked = new AbortController());
    this.flying += 1;
    try {
      const chunk = await this.source.chunk(cell.west, cell.north, STEP, SIDE, true, asked.signal);
      if (!asked.signal.aborted) cell.chunk = chunk;
    } catch {
      cell.retry = this.frame + RETRY_FRAMES;
    } finally {
      this.flying -= 1;
      cell.asked = null;
    }
  }

  private build(cell: Cell, chunk: Chunk): void {
    cell.built = true;
    const heightAt = (x: number, y: number): number => heightIn(chunk, chunk.ground, x, y);
    for (const [square, trees] of bySquare(placesOf(cell, chunk.things, chunk.things.trees))) {
      const [dx, dz] = [(square % SQUARES) * GROVE, Math.floor(square / SQUARES) * GROVE];
      const grove = createGrove(cell.west + dx, cell.north - dz, GROVE, Float32Array.from(trees), heightAt);
      cell.groves.push(grove);
      this.forest.add(grove);
    }
    const builder = new Builder();
    this.addSolids(builder, cell, chunk.things);
    if (builder.empty) return;
    cell.mesh = new Mesh(builder.build(), this.material);
    this.group.add(cell.mesh);
    this.put(cell);
  }

  private addSolids(builder: Builder, cell: Cell, things: Things): void {
    const buildings = placesOf(cell, things, things.buildings);
    cell.buildings = new Float32Array((buildings.length / 3) * 2);
    for (let i = 0; i < buildings.length; i += 3) {
      cell.buildings.set([buildings[i]!, buildings[i + 1]!], (i / 3) * 2);
      addBuilding(builder, this.site(cell, buildings[i]!, buildings[i + 1]!), buildings[i + 2]!);
    }
    for (const feature of things.features) {
      // Features are numbers, not 32-bit floats: they need no origin.
      const [x, z] = [feature.x - cell.west, cell.north - feature.y];
      const site = this.site(cell, x, z);
      addFeature(builder, feature.kind, { ...site, version: feature.version, direction: feature.direction });
    }
    for (const line of things.lines) if (line.set === 'bridges') this.addBridge(builder, cell, things, line.points);
  }

  /** Roads and streams are in the colours of the ground; only bridges stand out of it. */
  private addBridge(builder: Builder, cell: Cell, things: Things, places: Float32Array): void {
    const [left, top] = things.origin ?? [0, 0];
    const points: [number, number, number][] = [];
    for (let i = 0; i + 1 < places.length; i += 2) {
      const [x, y] = [left + places[i]!, top + places[i + 1]!];
      points.push([x - cell.west, this.source.heightAt(x, y), cell.north - y]);
    }
    const [first, last] = [points[0], points[points.length - 1]];
    // A bridge over several cells comes in parts: each ends at the height at which the next begins.
    if (!first || !last) return;
    const water = Math.min(...points.map((p) => p[1]));
    points.forEach((p, i) => {
      const even = first[1] + (last[1] - first[1]) * (i / Math.max(1, points.length - 1));
      p[1] = Math.max(even + 0.12, p[1] + 0.12, water + CLEARANCE);
    });
    addBridge(builder, points, BRIDGE_WIDTH);
  }

  private site(cell: Cell, x: number, z: number): Site {
    const [east, north] = [cell.west + x, cell.north - z];
    return {
      x, z, version: 0, direction: null, seed: hashOf(Math.round(east), Math.round(north)) % 100_003,
      ground: (dx, dz) => this.source.heightAt(east + dx, north - dz),
    };
  }

  private put(cell: Cell): void {
    cell.mesh?.position.set(cell.west - this.origin.x, 0, this.origin.y - cell.north);
  }

  private drop(key: string): void {
    const cell = this.cells.get(key)!;
    cell.asked?.abort();
    for (const grove of cell.groves) this.forest.remove(grove);
    if (cell.mesh) {
      cell.mesh.geometry.dispose();
      this.group.remove(cell.mesh);
    }
    this.cells.delete(key);
  }
}

/** Triples of x, y and a value, as metres east and south of the corner of a cell. */
function placesOf(cell: Cell, things: Things, triples: Float32Array): Float32Array {
  const [left, top] = things.origin ?? [0, 0];
  const placed = triples.slice();
  for (let i = 0; i + 2 < triples.length; i += 3) {
    // Add the origin in double precision first.
    placed[i] = left - cell.west + triples[i]!;
    placed[i + 1] = cell.north - top - triples[i + 1]!;
  }
  return placed;
}

/** Sorts trees into the groves of a cell: metres from the corner of each. */
function bySquare(trees: Float32Array): Map<number, number[]> {
  const squares = new Map<number, number[]>();
  for (let i = 0; i < trees.length; i += 3) {
    const [x, z] = [trees[i]!, trees[i + 1]!];
    // A tree may stand half a metre beyond the edge of the cell to which it belongs.
    const [column, row] = [x, z].map((v) => clamp(Math.floor(v / GROVE), 0, SQUARES - 1)) as [number, number];
    const square = row * SQUARES + column;
    const list = squares.get(square) ?? [];
    if (list.length === 0) squares.set(square, list);
    list.push(x - column * GROVE, z - row * GROVE, trees[i + 2]!);
  }
  return squares;
}

function distanceTo(cell: Cell, eye: Eye): number {
  const dx = Math.max(cell.west - eye.x, eye.x - cell.west - SIZE, 0);
  const dy = Math.max(cell.north - SIZE - eye.y, eye.y - cell.north, 0);
  return Math.hypot(dx, dy);
}
