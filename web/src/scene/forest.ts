// Draws the trees of the cells around the eye: models near, a plain form further away.

import { Group, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, Sphere, Vector3 } from 'three';
import type { BufferGeometry } from 'three';
import type { Bin } from './bin';
import { clamp, hashOf } from './hash';
import type { Uniforms } from './sky';
import type { Eye, Origin } from './terrain';
import { farTreeMaterial, nearTreeMaterial, plainTree, shareAt, TREE_KINDS, treeModel } from './trees';
import type { Thinning } from './trees';

/** Squares in which the trees of a cell are kept, for finding the near ones. */
const BIN = 16;
/** Width of a grove: small, because the number of trees that are drawn is chosen for all of it. */
export const GROVE = 64;
const NEAR_CAPACITY = 700;
/** The near trees are chosen again after so many metres or degrees. */
const MOVED = 3;
const TURNED = 12;
/** Degrees to each side of the view in which near models are drawn. */
const SECTOR = 62;
/** Trees this near are drawn all around: they may come into view at once. */
const CLOSE = 8;

/** Trees of a cell, ordered so that the first part of them is an even selection. */
export interface Grove {
  west: number;
  north: number;
  size: number;
  count: number;
  spots: Float32Array;
  traits: Uint8Array;
  /** Trees by squares: those of square i are `members[starts[i]]` to before `members[starts[i + 1]]`. */
  starts: Uint32Array;
  members: Uint32Array;
}

/** Sorts trees (east, south, kind in turn, metres from the corner) into a grove. */
export function createGrove(
  west: number, north: number, size: number, trees: Float32Array, heightAt: (x: number, y: number) => number,
): Grove {
  const count = trees.length / 3;
  const order = ranked(west, north, trees);
  const spots = new Float32Array(count * 4);
  const traits = new Uint8Array(count * 4);
  for (let i = 0; i < count; i++) {
    const { from, rank, hash } = order[i]!;
    const [x, z, kind] = [trees[from * 3]!, trees[from * 3 + 1]!, trees[from * 3 + 2]! & 7];
    const tree = TREE_KINDS[kind]!;
    // Most trees are of a middling size.
    const share = ((hash & 255) + ((hash >>> 8) & 255)) / 510;
    spots.set([x, heightAt(west + x, north - z), z, tree.low + (tree.high - tree.low) * share], i * 4);
    traits.set([kind, hash >>> 24, (hash >>> 16) & 255, Math.min(255, rank * 256)], i * 4);
  }
  const { starts, members } = squares(size, count, spots);
  return { west, north, size, count, spots, traits, starts, members };
}

function ranked(west: number, north: number, trees: Float32Array): { from: number; rank: number; hash: number }[] {
  const list = Array.from({ length: trees.length / 3 }, (_, from) => {
    const hash = hashOf(Math.round(west + trees[from * 3]!), Math.round(north - trees[from * 3 + 1]!));
    const share = hashOf(hash, from) / 0x1_0000_0000;
    // From afar one sees the tall trees.
    return { from, hash, rank: trees[from * 3 + 2]! > 3 ? share * 0.7 : 0.06 + 0.94 * share };
  });
  return list.sort((a, b) => a.rank - b.rank);
}

function squares(size: number, count: number, spots: Float32Array): Pick<Grove, 'starts' | 'members'> {
  const side = Math.ceil(size / BIN);
  const starts = new Uint32Array(side * side + 1);
  const squareOf = (i: number): number => {
    const column = clamp(Math.floor(spots[i * 4]! / BIN), 0, side - 1);
    return clamp(Math.floor(spots[i * 4 + 2]! / BIN), 0, side - 1) * side + column;
  };
  for (let i = 0; i < count; i++) starts[squareOf(i) + 1]! += 1;
  for (let i = 0; i < side * side; i++) starts[i + 1]! += starts[i]!;
  const next = starts.slice();
  const members = new Uint32Array(count);
  for (let i = 0; i < count; i++) members[next[squareOf(i)]!++] = i;
  return { starts, members };
}

/** Far form of a grove: two geometries with the same trees. */
interface Planted {
  grove: Grove;
  mesh: Mesh<InstancedBufferGeometry>;
  fine: InstancedBufferGeometry;
  coarse: InstancedBufferGeometry;
}

export class Forest {
  readonly group = new Group();
  private readonly planted = new Map<Grove, Planted>();
  private readonly farMaterial;
  private readonly fineForm: BufferGeometry;
  private readonly coarseForm: BufferGeometry;
  private readonly near: Mesh<InstancedBufferGeometry>[];
  private anchor = { x: Infinity, y: Infinity, bearing: 0 };
  private stale = true;

  constructor(bin: Bin, private readonly origin: Origin, private readonly uniforms: Uniforms, private readonly thinning: Thinning) {
    this.farMaterial = bin.keep(farTreeMaterial(uniforms));
    this.fineForm = bin.keep(plainTree(5, [0.02, 0.3, 0.7], 3));
    this.coarseForm = bin.keep(plainTree(5, [0.1, 0.6], 2));
    const material = bin.keep(nearTreeMaterial(uniforms));
    this.near = TREE_KINDS.map((_, kind) => new Mesh(bin.keep(nearGeometry(kind)), material));
    for (const mesh of this.near) {
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
    bin.add(() => [...this.planted.keys()].forEach((grove) => this.remove(grove)));
  }

  add(grove: Grove): void {
    const spots = new InstancedBufferAttribute(grove.spots, 4);
    const traits = new InstancedBufferAttribute(grove.traits, 4, true);
    const fine = instanced(this.fineForm, spots, traits);
    const coarse = instanced(this.coarseForm, spots, traits);
    fine.boundingSphere = coarse.boundingSphere = boundsOf(grove);
    const mesh = new Mesh(coarse, this.farMaterial);
    this.planted.set(grove, { grove, mesh, fine, coarse });
    this.group.add(mesh);
    this.put(grove, mesh);
    this.stale = true;
  }

  remove(grove: Grove): void {
    const planted = this.planted.get(grove);
    if (!planted) return;
    // The forms belong to all groves: take them off before disposing of what is this grove's own.
    planted.coarse.setIndex(null).deleteAttribute('position');
    for (const name of ['position', 'spot', 'traits']) planted.fine.deleteAttribute(name);
    planted.fine.setIndex(null).dispose();
    planted.coarse.dispose();
    this.group.remove(planted.mesh);
    this.planted.delete(grove);
    this.stale = true;
  }

  rebase(): void {
    for (const { grove, mesh } of this.planted.values()) this.put(grove, mesh);
    this.stale = true;
  }

  /** Chooses what is drawn for an eye. */
  update(eye: Eye): void {
    const moved = Math.hypot(eye.x - this.anchor.x, eye.y - this.anchor.y) > MOVED;
    const turned = Math.abs(((eye.bearing - this.anchor.bearing + 540) % 360) - 180) > TURNED;
    if (!moved && !turned && !this.stale) return;
    this.stale = false;
    this.anchor = { x: eye.x, y: eye.y, bearing: eye.bearing };
    this.uniforms.anchor!.value.set(eye.x - this.origin.x, this.origin.y - eye.y);
    for (const planted of this.planted.values()) this.thin(planted, eye);
    this.chooseNear(eye);
  }

  private put(grove: Grove, mesh: Mesh): void {
    mesh.position.set(grove.west - this.origin.x, 0, this.origin.y - grove.north);
  }

  private thin({ grove, mesh, fine, coarse }: Planted, eye: Eye): void {
    const distance = distanceTo(grove, eye);
    mesh.geometry = Math.max(distance, eye.height) < this.thinning.fine ? fine : coarse;
    const share = shareAt(distance, this.thinning);
    // Trees are ordered by rank; those above the share have not grown anyway.
    const count = countBelow(grove, share);
    mesh.geometry.instanceCount = count;
    mesh.visible = count > 0;
  }

  private chooseNear(eye: Eye): void {
    const counts = this.near.map(() => 0);
    const groves = [...this.planted.keys()].filter((grove) => distanceTo(grove, eye) < this.thinning.near);
    if (eye.height < this.thinning.near) for (const grove of groves) this.collect(grove, eye, counts);
    this.near.forEach((mesh, kind) => {
      mesh.geometry.instanceCount = counts[kind]!;
      mesh.visible = counts[kind]! > 0;
      for (const name of ['spot', 'traits']) {
        const attribute = mesh.geometry.getAttribute(name) as InstancedBufferAttribute;
        attribute.clearUpdateRanges();
        attribute.addUpdateRange(0, counts[kind]! * 4);
        attribute.needsUpdate = true;
      }
    });
  }

  private collect(grove: Grove, eye: Eye, counts: number[]): void {
    const { near } = this.thinning;
    const side = Math.ceil(grove.size / BIN);
    const [x, z] = [eye.x - grove.west, grove.north - eye.y];
    const range = (v: number): [number, number] => [
      Math.max(0, Math.floor((v - near) / BIN)), Math.min(side - 1, Math.floor((v + near) / BIN)),
    ];
    const [[first, last], [top, bottom]] = [range(x), range(z)];
    for (let row = top; row <= bottom; row++) {
      for (let square = row * side + first; square <= row * side + last; square++) {
        for (let m = grove.starts[square]!; m < grove.starts[square + 1]!; m++) {
          this.collectTree(grove, grove.members[m]!, x, z, eye.bearing, counts);
        }
      }
    }
  }

  private collectTree(grove: Grove, tree: number, x: number, z: number, bearing: number, counts: number[]): void {
    const dx = grove.spots[tree * 4]! - x;
    const dz = grove.spots[tree * 4 + 2]! - z;
    const distance = Math.hypot(dx, dz);
    const kind = grove.traits[tree * 4]!;
    const at = counts[kind]!;
    if (distance >= this.thinning.near || at >= NEAR_CAPACITY) return;
    const side = Math.abs((((Math.atan2(dx, -dz) * 180) / Math.PI - bearing + 900) % 360) - 180);
    if (distance > CLOSE && side > SECTOR) return;
    const { geometry } = this.near[kind]!;
    const spots = geometry.getAttribute('spot').array as Float32Array;
    const traits = geometry.getAttribute('traits').array as Uint8Array;
    spots[at * 4] = grove.west - this.origin.x + grove.spots[tree * 4]!;
    spots[at * 4 + 1] = grove.spots[tree * 4 + 1]!;
    spots[at * 4 + 2] = this.origin.y - grove.north + grove.spots[tree * 4 + 2]!;
    spots[at * 4 + 3] = grove.spots[tree * 4 + 3]!;
    for (let i = 0; i < 4; i++) traits[at * 4 + i] = grove.traits[tree * 4 + i]!;
    counts[kind] = at + 1;
  }
}

/** How many trees have a rank of at most a share. */
function countBelow(grove: Grove, share: number): number {
  let [low, high] = [0, grove.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (grove.traits[middle * 4 + 3]! / 255 > share) high = middle;
    else low = middle + 1;
  }
  return low;
}

function instanced(form: BufferGeometry, spots: InstancedBufferAttribute, traits: InstancedBufferAttribute): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  geometry.setIndex(form.index);
  for (const [name, attribute] of Object.entries(form.attributes)) geometry.setAttribute(name, attribute);
  geometry.setAttribute('spot', spots);
  geometry.setAttribute('traits', traits);
  return geometry;
}

function nearGeometry(kind: number): InstancedBufferGeometry {
  const spots = new InstancedBufferAttribute(new Float32Array(NEAR_CAPACITY * 4), 4);
  const traits = new InstancedBufferAttribute(new Uint8Array(NEAR_CAPACITY * 4), 4, true);
  return instanced(treeModel(kind), spots, traits);
}

function boundsOf(grove: Grove): Sphere {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < grove.count; i++) {
    low = Math.min(low, grove.spots[i * 4 + 1]!);
    high = Math.max(high, grove.spots[i * 4 + 1]! + 20);
  }
  if (low > high) [low, high] = [0, 0];
  const half = grove.size / 2;
  return new Sphere(new Vector3(half, (low + high) / 2, half), Math.hypot(half, half, (high - low) / 2) + 8);
}

function distanceTo(grove: Grove, eye: Eye): number {
  const dx = Math.max(grove.west - eye.x, eye.x - grove.west - grove.size, 0);
  const dy = Math.max(grove.north - grove.size - eye.y, eye.y - grove.north, 0);
  return Math.hypot(dx, dy);
}
