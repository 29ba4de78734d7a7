// Daylight, haze and the dome of the sky, as shader text that all materials of the walk share.

import {
  BackSide, Color, DataTexture, LinearFilter, LinearMipmapLinearFilter, Mesh, RepeatWrapping, RGBAFormat, ShaderMaterial,
  SphereGeometry, Vector3,
} from 'three';
import type { IUniform } from 'three';
import type { Bin } from './bin';
import { RADIAN, shareOf } from './hash';

export type Uniforms = Record<string, IUniform>;

/** The sun of a map stands in the north-west. */
const SUN_BEARING = 312;
const SUN_HEIGHT = 38;
const NOISE_SIDE = 128;

export function sunDirection(): Vector3 {
  const flat = Math.cos(SUN_HEIGHT * RADIAN);
  const bearing = SUN_BEARING * RADIAN;
  return new Vector3(Math.sin(bearing) * flat, Math.sin(SUN_HEIGHT * RADIAN), -Math.cos(bearing) * flat);
}

/** Uniforms of the light. One object serves all materials, so that a change reaches all of them. */
export function daylight(viewDistance: number): Uniforms {
  return {
    sunDir: { value: sunDirection() },
    sunColour: { value: new Color(0.98, 0.91, 0.78) },
    skyLight: { value: new Color(0.36, 0.42, 0.53) },
    groundLight: { value: new Color(0.22, 0.2, 0.15) },
    zenith: { value: new Color().setRGB(0.13, 0.33, 0.66) },
    horizon: { value: new Color().setRGB(0.66, 0.78, 0.87) },
    viewDistance: { value: viewDistance },
    time: { value: 0 },
  };
}

/** `skyAt(direction)`, `lit(colour, normal)` and `hazed(colour, place)` with the eye at `cameraPosition`. */
export const LIGHT = /* glsl */ `
uniform vec3 sunDir, sunColour, skyLight, groundLight, zenith, horizon;
uniform float viewDistance, time;
vec3 skyAt(vec3 d) {
  float h = clamp(d.y, 0.0, 1.0);
  float rest = 1.0 - h;
  vec3 c = mix(horizon, zenith, 1.0 - rest * rest * sqrt(rest));
  float s = max(dot(d, sunDir), 0.0);
  float s2 = s * s;
  return c + vec3(1.0, 0.86, 0.62) * (0.10 * s2 * s2 + 0.16 * s2 * s2 * s2 * s2 * s2 * s2);
}
vec3 lit(vec3 colour, vec3 n) {
  // A wrapped sun: the shaded side of a hill keeps its form.
  float sun = max((dot(n, sunDir) + 0.18) / 1.18, 0.0);
  return colour * (sunColour * sun + mix(groundLight, skyLight, n.y * 0.5 + 0.5));
}
float hazeAt(float far) {
  return max(1.0 - exp(-far / viewDistance * (0.9 + 1.6 * far / viewDistance)), smoothstep(viewDistance * 0.72, viewDistance * 0.98, far));
}
vec4 hazeOf(vec3 place) {
  vec3 d = place - cameraPosition;
  float far = length(d);
  // The haze has the colour of the sky just above the horizon, or the far hills would show an edge.
  return vec4(skyAt(normalize(vec3(d.x, 0.03 * far, d.z))), hazeAt(length(d.xz)));
}
float fresnelOf(float facing) {
  float rest = 1.0 - facing;
  rest *= rest;
  return 0.04 + 0.86 * rest * rest;
}
vec3 lakeBody() { return vec3(0.035, 0.13, 0.15) * (sunColour * 0.7 + skyLight); }
vec3 linearOf(vec3 c) { return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878); }
`;

/** Ends a fragment shader: from linear light to the colours of the screen, without bands in the sky. */
export const FINISH = /* glsl */ `
  gl_FragColor.rgb += (fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5) / 300.0;
  #include <colorspace_fragment>
`;

export function createSky(bin: Bin, uniforms: Uniforms): Mesh {
  const material = new ShaderMaterial({
    uniforms,
    side: BackSide,
    depthWrite: false,
    depthTest: false,
    vertexShader: /* glsl */ `
      varying vec3 way;
      void main() {
        way = position;
        gl_Position = projectionMatrix * mat4(mat3(viewMatrix)) * vec4(position, 1.0);
      }`,
    fragmentShader: /* glsl */ `
      varying vec3 way;
      ${LIGHT}
      void main() {
        vec3 d = normalize(way);
        float disc = smoothstep(0.99955, 0.9998, dot(d, sunDir));
        gl_FragColor = vec4(skyAt(d) + disc * vec3(1.0, 0.95, 0.8), 1.0);
        ${FINISH}
      }`,
  });
  const dome = new Mesh(bin.keep(new SphereGeometry(100, 24, 12)), bin.keep(material));
  dome.frustumCulled = false;
  // Behind everything, whatever its size.
  dome.renderOrder = -1;
  return dome;
}

/** Tileable noise: four octaves of value noise in red, and others in green, blue and alpha. */
export function createNoise(bin: Bin): DataTexture {
  const bytes = new Uint8Array(NOISE_SIDE * NOISE_SIDE * 4);
  for (let channel = 0; channel < 4; channel++) {
    for (let i = 0; i < NOISE_SIDE * NOISE_SIDE; i++) {
      const value = noiseAt(i % NOISE_SIDE, Math.floor(i / NOISE_SIDE), channel);
      bytes[i * 4 + channel] = Math.round(value * 255);
    }
  }
  const texture = bin.keep(new DataTexture(bytes, NOISE_SIDE, NOISE_SIDE, RGBAFormat));
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}

function noiseAt(x: number, y: number, salt: number): number {
  let sum = 0;
  let weight = 0;
  for (let cells = 8, part = 1; cells <= 64; cells *= 2, part *= 0.7) {
    sum += part * valueAt((x * cells) / NOISE_SIDE, (y * cells) / NOISE_SIDE, cells, salt * 97 + cells);
    weight += part;
  }
  return Math.min(1, Math.max(0, 0.5 + (sum / weight - 0.5) * 1.7));
}

function valueAt(x: number, y: number, cells: number, salt: number): number {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const ease = (t: number): number => t * t * (3 - 2 * t);
  const [u, v] = [ease(x - column), ease(y - row)];
  const at = (i: number, j: number): number => shareOf((column + i) % cells, (row + j) % cells, salt);
  return (at(0, 0) * (1 - u) + at(1, 0) * u) * (1 - v) + (at(0, 1) * (1 - u) + at(1, 1) * u) * v;
}
