// Numbers that look random and depend on a place alone, so that a tree is the same whenever one returns to it.

/** A hash of a whole place, 0 to 2³²−1. The place may be beyond 32 bits. */
export function hashOf(x: number, y: number, salt = 0): number {
  const high = Math.floor(x / 0x1_0000_0000) * 31 + Math.floor(y / 0x1_0000_0000);
  let h = Math.imul(x | 0, 0x9e3779b1) ^ Math.imul(y | 0, 0x85ebca77) ^ Math.imul(salt + high, 0xc2b2ae3d);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return (h ^ (h >>> 15)) >>> 0;
}

/** Like `hashOf`, from 0 to below 1. */
export function shareOf(x: number, y: number, salt = 0): number {
  return hashOf(x, y, salt) / 0x1_0000_0000;
}

/** A sequence of shares from 0 to below 1 that belongs to a seed. */
export function sequence(seed: number): () => number {
  let n = 0;
  return () => shareOf(seed, n++, 77);
}

export const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

export const RADIAN = Math.PI / 180;

/** Degrees from 0 to below 360. */
export const turnOf = (degrees: number): number => ((degrees % 360) + 360) % 360;
