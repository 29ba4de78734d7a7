// The eight kinds of trees: their sizes, their models near the eye and one plain form for the distance.

import { BufferAttribute, BufferGeometry, Color, DoubleSide, ShaderMaterial, Vector2, Vector4 } from 'three';
import { mergeVertices } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { Texture } from 'three';
import { Builder, mix } from './builder';
import type { Rgb } from './data';
import { sequence } from './hash';
import { LIGHT } from './sky';
import type { Uniforms } from './sky';

export interface TreeKind {
  /** Least and greatest height in metres. */
  low: number;
  high: number;
  /** Foot of the crown and its radius, as shares of the height. */
  foot: number;
  radius: number;
  /** 0 for a round crown, 1 for a cone. */
  cone: number;
  leaf: Rgb;
  bark: Rgb;
}

/** Kinds 0 to 3 are undergrowth, 4 to 7 tall trees. */
export const TREE_KINDS: readonly TreeKind[] = [
  { low: 1.4, high: 3.6, foot: 0.04, radius: 0.27, cone: 1, leaf: [66, 98, 56], bark: [84, 68, 54] },
  { low: 1.0, high: 2.2, foot: 0, radius: 0.5, cone: 0, leaf: [112, 136, 60], bark: [96, 80, 60] },
  { low: 2.6, high: 5.4, foot: 0.3, radius: 0.17, cone: 0.3, leaf: [142, 164, 82], bark: [206, 202, 190] },
  { low: 0.9, high: 2.4, foot: 0, radius: 0.24, cone: 0.5, leaf: [92, 118, 84], bark: [90, 74, 60] },
  { low: 11, high: 20, foot: 0.15, radius: 0.155, cone: 1, leaf: [54, 86, 52], bark: [92, 74, 60] },
  { low: 12, high: 18, foot: 0.6, radius: 0.17, cone: 0.1, leaf: [86, 114, 70], bark: [158, 98, 66] },
  { low: 9, high: 14, foot: 0.34, radius: 0.3, cone: 0, leaf: [102, 130, 56], bark: [98, 84, 68] },
  { low: 11, high: 17, foot: 0.38, radius: 0.21, cone: 0.1, leaf: [126, 152, 70], bark: [198, 194, 182] },
];

/** How much of the stem is below the ground, as a share of the height: slopes must not show its end. */
const ROOT = 0.06;

/** The model of a kind, one unit high. */
export function treeModel(kind: number): BufferGeometry {
  const tree = TREE_KINDS[kind]!;
  const builder = new Builder();
  if (tree.cone === 1) needleTree(builder, tree, kind);
  else leafTree(builder, tree, kind);
  const geometry = builder.build();
  geometry.deleteAttribute('facade');
  return mergeVertices(geometry, 1e-4);
}

function needleTree(builder: Builder, tree: TreeKind, kind: number): void {
  const tall = kind >= 4;
  const random = sequence(kind + 11);
  const tiers = tall ? 6 : 4;
  const stem = tall ? 0.012 : 0.02;
  builder.tube(tall ? 5 : 4, [-ROOT, stem * 1.3, tree.bark], [0.8, stem * 0.3, tree.bark]);
  const dark = mix(tree.leaf, [16, 26, 20], 0.55);
  for (let tier = 0; tier < tiers; tier++) {
    const t = tier / tiers;
    const low = tree.foot + (1 - tree.foot) * t;
    const top = Math.min(1, low + (1 - tree.foot) * (1.75 / tiers));
    const radius = tree.radius * (1 - t) ** 0.85 * (0.92 + 0.16 * random());
    branchTier(builder, low, top, radius, random, [mix(dark, tree.leaf, 0.25 + 0.5 * t), dark, tree.leaf]);
  }
}

/** A skirt of branches: tips reach out and hang, gaps between them lie deeper. */
function branchTier(
  builder: Builder, low: number, top: number, radius: number, random: () => number, [edge, gap, tip]: readonly [Rgb, Rgb, Rgb],
): void {
  const sides = 10;
  const turn = random() * 6;
  const ring = Array.from({ length: sides }, (_, i) => {
    const angle = turn + (i / sides) * 2 * Math.PI;
    const reach = i % 2 ? radius * (0.85 + 0.3 * random()) : radius * 0.58;
    return [Math.cos(angle) * reach, low + (i % 2 ? -0.02 : 0.025), Math.sin(angle) * reach] as const;
  });
  ring.forEach((a, i) => {
    const b = ring[(i + 1) % sides]!;
    const out = (p: readonly [number, number, number]) => [p[0] / radius, 0.55, p[2] / radius] as const;
    const shade = (j: number): Rgb => (j % 2 ? tip : gap);
    builder.triangle([a, [0, top, 0], b], [shade(i), edge, shade(i + 1)], [out(a), [0, 1, 0], out(b)], true);
  });
}

function leafTree(builder: Builder, tree: TreeKind, kind: number): void {
  const tall = kind >= 4;
  const random = sequence(kind + 31);
  const stem = tall ? 0.013 : 0.011;
  const bend = (random() - 0.5) * 0.02;
  const fork = tree.foot + (1 - tree.foot) * 0.72;
  if (tree.foot > 0) {
    builder.tube(tall ? 6 : 4, [-ROOT, stem * 1.4, mix(tree.bark, [60, 56, 46], 0.5)], [fork, stem * 0.3, tree.bark], [bend, 0]);
  }
  const lumps = tall ? 5 : kind === 1 ? 3 : 2;
  const dark = mix(tree.leaf, [30, 44, 26], 0.6);
  const light = mix(tree.leaf, [206, 210, 120], 0.22);
  for (let i = 0; i < lumps; i++) {
    const t = i / (lumps - 1);
    const angle = i * 2.4 + kind;
    const off = tree.radius * (i === lumps - 1 || i === 0 ? 0.1 : 0.48) * (tall ? 1 : 0.6);
    const reach = tree.radius * (0.78 - 0.25 * t) * (0.9 + 0.2 * random());
    const thick = ((1 - tree.foot) / lumps) * (tall ? 1.05 : 0.85) * (0.9 + 0.25 * random());
    const y = tree.foot + (1 - tree.foot) * (0.24 + 0.56 * t);
    builder.lump({
      centre: [Math.cos(angle) * off, y, Math.sin(angle) * off], radius: [reach, thick, reach],
      top: light, bottom: dark, seed: kind * 17 + i, dents: 0.35, leaf: true,
    });
  }
}

/** The plain form of all kinds: a stem and a crown of rings; the shader gives it the shape of its kind. */
export function plainTree(sides: number, rings: readonly number[], stemSides: number): BufferGeometry {
  // x: angle, y: height in the crown or stem, z: 1 for the crown, 0 for the stem.
  const points: number[] = [];
  const index: number[] = [];
  const addRing = (height: number, part: number, count: number): number => {
    const first = points.length / 3;
    for (let i = 0; i < count; i++) points.push((i / count) * 2 * Math.PI, height, part);
    return first;
  };
  const join = (low: number, high: number, count: number): void => {
    for (let i = 0; i < count; i++) {
      const j = (i + 1) % count;
      index.push(low + i, high + i, low + j, low + j, high + i, high + j);
    }
  };
  const first = rings.map((height) => addRing(height, 1, sides));
  for (let i = 0; i + 1 < first.length; i++) join(first[i]!, first[i + 1]!, sides);
  const top = addRing(1, 1, 1);
  for (let i = 0; i < sides; i++) index.push(first.at(-1)! + i, top, first.at(-1)! + ((i + 1) % sides));
  join(addRing(0, 0, stemSides), addRing(1, 0, stemSides), stemSides);
  const geometry = new BufferGeometry();
  geometry.setIndex(index);
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
  return geometry;
}

/** How trees thin out: all of them near, ever fewer and wider ones to the edge. */
export interface Thinning {
  /** Metres to which models are drawn. */
  near: number;
  /** Metres to which every tree is drawn. */
  full: number;
  /** Metres to which plain forms have stems and more corners. */
  fine: number;
  /** Metres to which there are trees at all. */
  edge: number;
}

/** Share of the trees that are drawn at a distance; the shader computes the same. */
export function shareAt(distance: number, { full, edge }: Thinning): number {
  const fade = Math.min(1, Math.max(0, (edge - distance) / (edge * 0.2)));
  return Math.min(1, (full / Math.max(distance, 1)) ** 1.2) * fade;
}

export function treeUniforms(light: Uniforms, noise: Texture, thinning: Thinning): Uniforms {
  return {
    ...light,
    noise: { value: noise },
    shapes: { value: TREE_KINDS.map((k) => new Vector4(k.foot, k.radius, k.cone, 0)) },
    leaves: { value: TREE_KINDS.map((k) => new Color().setRGB(k.leaf[0] / 255, k.leaf[1] / 255, k.leaf[2] / 255, 'srgb')) },
    barks: { value: TREE_KINDS.map((k) => new Color().setRGB(k.bark[0] / 255, k.bark[1] / 255, k.bark[2] / 255, 'srgb')) },
    anchor: { value: new Vector2() },
    nearRadius: { value: thinning.near },
    fullRadius: { value: thinning.full },
    edgeRadius: { value: thinning.edge },
  };
}

const INSTANCE = /* glsl */ `
attribute vec4 spot; // east, height, south, and the height of the tree
attribute vec4 traits; // kind, turn, tint, rank
vec2 turned(vec2 p, float angle) { float c = cos(angle), s = sin(angle); return vec2(p.x * c - p.y * s, p.x * s + p.y * c); }
vec3 leafTint(vec3 c, float tint) { return c * (0.74 + 0.5 * tint) * (1.0 + vec3(0.18, 0.02, -0.1) * (fract(tint * 7.0) - 0.5)); }
vec2 leanOf(float turn, float tint) { return (vec2(fract(turn * 13.0), fract(tint * 11.0)) - 0.5) * 0.16; }
`;

/** Crowns are full of holes and of lighter and darker leaves. `vWay` is the normal, and above 0 in w for leaves. */
const FRAGMENT = /* glsl */ `
uniform sampler2D noise;
varying vec3 vColour, vLeaf;
varying vec4 vHaze, vWay;
void main() {
  // The plane that the surface faces most, so that the pattern is nowhere drawn out.
  vec3 way = abs(vWay.xyz);
  vec2 spot = way.y > max(way.x, way.z) ? vLeaf.xz : way.x > way.z ? vLeaf.zy : vLeaf.xy;
  float leaves = mix(0.5, texture2D(noise, spot).r * 0.45 + texture2D(noise, spot.yx * 3.0).g * 0.55, vWay.w);
  if (leaves < 0.36) discard;
  vec3 colour = vColour * (0.25 + 1.5 * leaves);
  gl_FragColor = vec4(mix(colour, vHaze.rgb, vHaze.a), 1.0);
  #include <colorspace_fragment>
}`;

/** For the models near the eye. */
export function nearTreeMaterial(uniforms: Uniforms): ShaderMaterial {
  return new ShaderMaterial({
    uniforms,
    side: DoubleSide,
    vertexShader: /* glsl */ `
      attribute vec4 color;
      varying vec3 vColour, vLeaf;
      varying vec4 vHaze, vWay;
      ${INSTANCE}
      ${LIGHT}
      void main() {
        float angle = traits.y * 6.2832;
        vec3 p = position * spot.w;
        p.xz = turned(p.xz * (0.85 + 0.35 * fract(traits.z * 5.0)), angle) + leanOf(traits.y, traits.z) * max(p.y, 0.0);
        vec3 n = normalize(vec3(turned(normal.xz, angle), normal.y).xzy);
        vec4 place = modelMatrix * vec4(p + spot.xyz, 1.0);
        vec3 c = linearOf(color.rgb);
        c = mix(c, leafTint(c, traits.z), color.a);
        // Under the crowns it is darker.
        float open = mix(0.6, 1.0, smoothstep(0.0, 0.6, position.y));
        vColour = lit(c, n) * open;
        vLeaf = position * spot.w * 0.42 + traits.yzw;
        vWay = vec4(normal, color.a);
        vHaze = hazeOf(place.xyz);
        gl_Position = projectionMatrix * viewMatrix * place;
      }`,
    fragmentShader: FRAGMENT,
  });
}

/** For the plain form. */
export function farTreeMaterial(uniforms: Uniforms): ShaderMaterial {
  return new ShaderMaterial({
    uniforms,
    side: DoubleSide,
    vertexShader: /* glsl */ `
      uniform vec4 shapes[8];
      uniform vec3 leaves[8], barks[8];
      uniform vec2 anchor;
      uniform float nearRadius, fullRadius, edgeRadius;
      varying vec3 vColour, vLeaf;
      varying vec4 vHaze, vWay;
      ${INSTANCE}
      ${LIGHT}
      void main() {
        int kind = int(traits.x * 255.0 + 0.5);
        vec4 shape = shapes[kind];
        vec3 foot = (modelMatrix * vec4(spot.xyz, 1.0)).xyz;
        float far = distance(foot.xz, anchor);
        float share = min(1.0, pow(fullRadius / max(far, 1.0), 1.2)) * clamp((edgeRadius - far) / (edgeRadius * 0.2), 0.0, 1.0);
        float grown = clamp((share - traits.w) / (0.25 * share + 0.001), 0.0, 1.0) * step(nearRadius, far);
        float wide = min(inversesqrt(max(share, 0.001)), 1.5 + far / 400.0);
        float leaf = position.z;
        float t = position.y;
        float round_ = sqrt(max(1.0 - (2.0 * t - 1.0) * (2.0 * t - 1.0), 0.0));
        float crown = mix(round_, 1.0 - t, shape.z) * shape.y * wide;
        float radius = mix(0.012 * wide, crown, leaf) * (0.85 + 0.35 * fract(traits.z * 5.0));
        // Uneven crowns: every corner reaches out differently.
        float angle = position.x + traits.y * 6.2832;
        radius *= mix(1.0, 0.8 + 0.4 * fract(sin(floor(position.x * 3.0) + traits.y * 91.0 + t * 7.0) * 43.7), leaf);
        float y = mix(mix(-${ROOT.toFixed(2)}, shape.x + 0.2, t), mix(shape.x, 1.0, t), leaf);
        vec3 p = vec3(cos(angle) * radius, y, sin(angle) * radius) * spot.w * grown;
        p.xz += leanOf(traits.y, traits.z) * max(p.y, 0.0);
        vec3 n = normalize(vec3(cos(angle), mix(0.05, mix((t - 0.35) * 1.9, 0.55, shape.z), leaf), sin(angle)));
        vec3 c = mix(barks[kind], leafTint(leaves[kind], traits.z) * mix(0.6, 1.12, t), leaf);
        vColour = lit(c, n) * mix(0.6, 1.0, smoothstep(0.0, 0.6, y));
        vLeaf = p * 0.25 + traits.yzw;
        vWay = vec4(n, leaf);
        vec4 place = vec4(foot + p, 1.0);
        vHaze = hazeOf(place.xyz);
        gl_Position = projectionMatrix * viewMatrix * place;
      }`,
    fragmentShader: FRAGMENT,
  });
}

