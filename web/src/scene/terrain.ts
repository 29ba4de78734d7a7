// The ground of the endless world: a quadtree of chunks that are finer the nearer they are.

import { Group, Mesh } from 'three';
import type { BufferAttribute, Texture } from 'three';
import type { Bin } from './bin';
import type { Chunk, ChunkSource } from './data';
import { ASKED_SIDE, createGroundIndex, groundGeometry, heightIn, lakeGeometry, MARGIN, QUADS } from './ground';
import { groundMaterial, lakeMaterial } from './materials';
import type { Uniforms } from './sky';

export const VIEW_DISTANCE = 6000;
/** Steps are 2^level metres. */
const ROOT_LEVEL = 6;
const MAX_ASKED = 6;
/** Milliseconds for building meshes, as a share of the frame time and at least. */
const BUILD_SHARE = 0.15;
const BUILD_TIME = 4;
/** Metres that a level of detail is worth when requests are put in order. */
const LEVEL_WORTH = 400;
/** Chunks behind the eye wait longer. */
const BEHIND = 1.6;
/** Frames for which chunks that are no longer wanted are kept: one often turns back. */
const KEEP_FRAMES = 600;
const KEEP_SPARE = 60;
/** Frames before a chunk that failed is asked for again. */
const RETRY_FRAMES = 120;

interface Node {
  level: number;
  /** Place in the lattice of its level: columns to the east, rows to the north. */
  column: number;
  row: number;
  west: number;
  north: number;
  size: number;
  distance: number;
  order: number;
  wanted: number;
  split: boolean;
  retry: number;
  asked: AbortController | null;
  chunk: Chunk | null;
  group: Group | null;
  children: Node[];
}

/** The eye of a walker, in metres of the world. */
export interface Eye {
  x: number;
  y: number;
  height: number;
  bearing: number;
}

/** The place of the scene's origin in the world. */
export interface Origin {
  x: number;
  y: number;
}

export class Terrain {
  readonly group = new Group();
  private readonly nodes = new Map<string, Node>();
  private readonly index: BufferAttribute;
  private readonly ground;
  private readonly lake;
  private frame = 0;
  private flying = 0;

  constructor(
    bin: Bin, private readonly source: ChunkSource, private readonly origin: Origin, light: Uniforms, noise: Texture,
    /** A chunk is divided when it is nearer than this share of its size. */
    private readonly split: number,
    /** Only every so many-th sample is drawn. */
    stride: number,
  ) {
    this.index = createGroundIndex(stride);
    this.ground = bin.keep(groundMaterial(light, noise));
    this.lake = bin.keep(lakeMaterial(light, noise));
    bin.add(() => this.clear());
  }

  /** Asks for, builds, shows and drops chunks for an eye. */
  update(eye: Eye, seconds: number): void {
    this.frame += 1;
    const roots = this.rootsAround(eye);
    for (const root of roots) this.want(root, eye);
    this.dropUnwanted();
    this.ask();
    this.build(Math.max(BUILD_TIME, seconds * 1000 * BUILD_SHARE));
    for (const node of this.nodes.values()) if (node.group) node.group.visible = false;
    for (const root of roots) this.show(root);
  }

  /** Moves everything to a new origin of the scene. */
  rebase(): void {
    for (const node of this.nodes.values()) this.put(node);
  }

  /** Height of the ground as it is drawn and depth of water on it at a place; null where nothing is loaded. */
  drawnAt(x: number, y: number): { ground: number; depth: number; step: number } | null {
    for (let level = 0; level <= ROOT_LEVEL; level++) {
      const size = QUADS << level;
      const node = this.nodes.get(keyOf(level, Math.floor(x / size), Math.floor(y / size)));
      if (!node?.group?.visible || !node.chunk) continue;
      const ground = heightIn(node.chunk, node.chunk.ground, x, y);
      const level2 = heightIn(node.chunk, node.chunk.water, x, y);
      return { ground, depth: Number.isNaN(level2) ? 0 : Math.max(0, level2 - ground), step: node.chunk.step };
    }
    return null;
  }

  private rootsAround(eye: Eye): Node[] {
    const size = QUADS << ROOT_LEVEL;
    const found: Node[] = [];
    const [first, last] = [Math.floor((eye.x - VIEW_DISTANCE) / size), Math.floor((eye.x + VIEW_DISTANCE) / size)];
    const [low, high] = [Math.floor((eye.y - VIEW_DISTANCE) / size), Math.floor((eye.y + VIEW_DISTANCE) / size)];
    for (let row = low; row <= high; row++) {
      for (let column = first; column <= last; column++) {
        const node = this.node(ROOT_LEVEL, column, row);
        if (distanceTo(node, eye) < VIEW_DISTANCE) found.push(node);
      }
    }
    return found;
  }

  private node(level: number, column: number, row: number): Node {
    const key = keyOf(level, column, row);
    const known = this.nodes.get(key);
    if (known) return known;
    const size = QUADS << level;
    const node: Node = {
      level, column, row, size, west: column * size, north: (row + 1) * size, distance: 0, order: 0, wanted: 0,
      split: false, retry: 0, asked: null, chunk: null, group: null, children: [],
    };
    this.nodes.set(key, node);
    return node;
  }

  private want(node: Node, eye: Eye): void {
    node.wanted = this.frame;
    node.distance = distanceTo(node, eye);
    node.order = (ROOT_LEVEL - node.level) * LEVEL_WORTH + node.distance * (isBehind(node, eye) ? BEHIND : 1);
    node.split = node.level > 0 && node.distance < this.split * node.size;
    if (!node.split) return;
    node.children = [];
    for (let i = 0; i < 4; i++) {
      const child = this.node(node.level - 1, node.column * 2 + (i & 1), node.row * 2 + (i >> 1));
      node.children.push(child);
      if (distanceTo(child, eye) < VIEW_DISTANCE) this.want(child, eye);
      else child.wanted = 0;
    }
  }

  private dropUnwanted(): void {
    const spare: Node[] = [];
    for (const [key, node] of this.nodes) {
      if (node.wanted === this.frame) continue;
      node.asked?.abort();
      if (!node.group) this.nodes.delete(key);
      else spare.push(node);
    }
    spare.sort((a, b) => b.wanted - a.wanted);
    spare.forEach((node, i) => {
      if (i >= KEEP_SPARE || this.frame - node.wanted > KEEP_FRAMES) this.drop(node);
    });
  }

  private drop(node: Node): void {
    node.asked?.abort();
    if (node.group) {
      for (const mesh of node.group.children as Mesh[]) {
        // The index belongs to all chunks.
        if (mesh.geometry.index === this.index) mesh.geometry.setIndex(null);
        mesh.geometry.dispose();
      }
      this.group.remove(node.group);
    }
    node.group = null;
    node.chunk = null;
    this.nodes.delete(keyOf(node.level, node.column, node.row));
  }

  private ask(): void {
    if (this.flying >= MAX_ASKED) return;
    const missing: Node[] = [];
    for (const node of this.nodes.values()) {
      if (node.wanted === this.frame && !node.chunk && !node.asked && node.retry <= this.frame) missing.push(node);
    }
    missing.sort((a, b) => a.order - b.order);
    for (const node of missing.slice(0, MAX_ASKED - this.flying)) void this.fetch(node);
  }

  private async fetch(node: Node): Promise<void> {
    const asked = (node.asked = new AbortController());
    const step = 1 << node.level;
    this.flying += 1;
    try {
      const edge = MARGIN * step;
      const chunk = await this.source.chunk(node.west - edge, node.north + edge, step, ASKED_SIDE, false, asked.signal);
      if (!asked.signal.aborted) node.chunk = chunk;
    } catch {
      // Aborted or failed: it is asked for again if it is still wanted, but not in every frame.
      node.retry = this.frame + RETRY_FRAMES;
    } finally {
      this.flying -= 1;
      node.asked = null;
    }
  }

  private build(milliseconds: number): void {
    const end = performance.now() + milliseconds;
    const here = [...this.nodes.values()].filter((node) => node.chunk && !node.group);
    here.sort((a, b) => a.order - b.order);
    for (const node of here) {
      this.buildNode(node, node.chunk!);
      if (performance.now() > end) break;
    }
  }

  private buildNode(node: Node, chunk: Chunk): void {
    node.group = new Group();
    node.group.add(new Mesh(groundGeometry(chunk, this.index), this.ground));
    const lakes = lakeGeometry(chunk);
    if (lakes) {
      const mesh = new Mesh(lakes, this.lake);
      mesh.renderOrder = 1;
      node.group.add(mesh);
    }
    node.group.matrixAutoUpdate = false;
    for (const mesh of node.group.children) mesh.matrixAutoUpdate = false;
    this.group.add(node.group);
    this.put(node);
  }

  private put(node: Node): void {
    if (!node.group) return;
    node.group.position.set(node.west - this.origin.x, 0, this.origin.y - node.north);
    node.group.updateMatrix();
    node.group.matrixWorldNeedsUpdate = true;
  }

  /** Shows the children if they cover the node, else the node itself, else what there is. */
  private show(node: Node): void {
    const wanted = node.split ? node.children.filter((child) => child.wanted === this.frame) : [];
    const covered = wanted.length > 0 && wanted.every((child) => covers(child, this.frame));
    if (node.group && !covered) node.group.visible = true;
    else for (const child of wanted) this.show(child);
  }

  private clear(): void {
    for (const node of [...this.nodes.values()]) this.drop(node);
    this.group.clear();
  }
}

/** Whether a node can be shown without a hole. */
function covers(node: Node, frame: number): boolean {
  if (node.group) return true;
  const wanted = node.split ? node.children.filter((child) => child.wanted === frame) : [];
  return wanted.length > 0 && wanted.every((child) => covers(child, frame));
}

const keyOf = (level: number, column: number, row: number): string => `${level}/${column}/${row}`;

function distanceTo(node: Node, eye: Eye): number {
  const dx = Math.max(node.west - eye.x, eye.x - node.west - node.size, 0);
  const dy = Math.max(node.north - node.size - eye.y, eye.y - node.north, 0);
  return Math.hypot(dx, dy, eye.height);
}

function isBehind(node: Node, eye: Eye): boolean {
  const dx = node.west + node.size / 2 - eye.x;
  const dy = node.north - node.size / 2 - eye.y;
  const bearing = (eye.bearing * Math.PI) / 180;
  return dx * Math.sin(bearing) + dy * Math.cos(bearing) < -node.size * 0.7;
}
