// A block of space to fly through: stars and clouds of gas.

import {
  AdditiveBlending, BufferAttribute, BufferGeometry, DoubleSide, Mesh, PlaneGeometry, Points, ShaderMaterial, Vector3,
} from 'three';
import { Keys, watchLook } from './controls';
import type { SceneView, Space, Walker } from './data';
import { clamp, RADIAN, turnOf } from './hash';
import { pictureTexture } from './picture';
import { Stage } from './stage';

export interface SpaceView extends SceneView<Walker> {
  /** Called with the index of the star under the pointer, or null. */
  onHover?: (index: number | null) => void;
  /** Where a star is in the canvas, in CSS pixels; null if it is out of sight. */
  project(index: number): { x: number; y: number } | null;
  readonly canvas: HTMLCanvasElement;
  /** A key of the page, as in the walk. */
  press(key: string, down: boolean): void;
}

const LABEL = 'Stars and gas. W, A, S, D or the arrow keys fly, E and Q rise and sink, Shift is faster, drag to look around.';
const KEYS = new Set(['w', 'a', 's', 'd', 'arrowup', 'arrowdown', 'arrowleft', 'arrowright', 'shift', ' ', 'e', 'q', 'c']);
/** Pixels from a star within which the pointer counts as on it. */
const REACH = 14;
/** Seconds to fly through the depth of the block. */
const CROSSING = 14;
/** Sheets for each third of the depth: together they look like a cloud. */
const SHEETS = 3;

/** The place of the walker is x, y and, as `above`, the depth z. Bearing 0 looks along z, away from the viewer of the map. */
export function openSpace(container: HTMLElement, space: Space, start: Walker | null, options: { reducedMotion: boolean }): SpaceView {
  return new Flight(container, space, start, options.reducedMotion);
}

class Flight implements SpaceView {
  onMove: ((state: Walker) => void) | null = null;
  onHover?: (index: number | null) => void;
  readonly canvas: HTMLCanvasElement;
  private readonly stage: Stage;
  private readonly keys: Keys;
  private readonly centre: Vector3;
  private readonly walker: Walker;
  private readonly speed = new Vector3();
  private readonly scale = { value: 1 };
  private pointer: { x: number; y: number } | null = null;
  private hovered: number | null = null;
  private told = '';

  constructor(container: HTMLElement, private readonly space: Space, start: Walker | null, private readonly reducedMotion: boolean) {
    const [width, height, depth] = space.size;
    const origin = space.origin ?? leastOf(space.places);
    this.centre = new Vector3(origin[0] + width / 2, origin[1] + height / 2, origin[2] + depth / 2);
    const size = Math.max(width, height, depth);
    this.stage = new Stage(container, { label: LABEL, fov: 62, near: size / 20_000, far: size * 6, adaptive: true });
    this.canvas = this.stage.canvas;
    // Half the width away, the whole block is in sight.
    this.walker = start ? { ...start } : { x: this.centre.x, y: this.centre.y, above: origin[2] - 0.45 * width, bearing: 0, pitch: 0 };
    this.keys = new Keys(this.stage.bin, KEYS);
    watchLook(this.stage.bin, this.canvas, (right, up) => this.turn(right, up));
    this.watchPointer();
    this.addStars();
    this.addGas();
    this.stage.run((seconds) => this.step(seconds));
  }

  state(): Walker {
    return { ...this.walker };
  }

  set(state: Walker): void {
    Object.assign(this.walker, state);
    this.speed.set(0, 0, 0);
  }

  press(key: string, down: boolean): void {
    this.keys.press(key, down);
  }

  dispose(): void {
    this.onMove = null;
    delete this.onHover;
    this.stage.dispose();
  }

  project(index: number): { x: number; y: number } | null {
    const point = this.pointOf(index).project(this.stage.camera);
    if (point.z > 1 || Math.max(Math.abs(point.x), Math.abs(point.y)) > 1) return null;
    return { x: ((point.x + 1) / 2) * this.canvas.clientWidth, y: ((1 - point.y) / 2) * this.canvas.clientHeight };
  }

  /** East is x, south on the map is y, away is z: in the scene up is −y and away −z. */
  private pointOf(index: number): Vector3 {
    const { places } = this.space;
    return new Vector3(places[index * 3]! - this.centre.x, this.centre.y - places[index * 3 + 1]!, this.centre.z - places[index * 3 + 2]!);
  }

  private turn(right: number, up: number): void {
    this.walker.bearing = turnOf(this.walker.bearing + right);
    this.walker.pitch = clamp(this.walker.pitch + up, -89, 89);
  }

  private step(seconds: number): boolean {
    this.move(seconds);
    const { camera } = this.stage;
    const { x, y, above, bearing, pitch } = this.walker;
    camera.position.set(x - this.centre.x, this.centre.y - y, this.centre.z - above);
    camera.rotation.set(pitch * RADIAN, -bearing * RADIAN, 0, 'YXZ');
    camera.updateMatrixWorld();
    this.scale.value = this.stage.renderer.domElement.height / 700;
    this.hover();
    const state = [x, y, above, bearing, pitch].map((value) => value.toFixed(2)).join(' ');
    if (state !== this.told) this.onMove?.(this.state());
    this.told = state;
    return true;
  }

  private move(seconds: number): void {
    const { keys, walker, speed } = this;
    const wish = new Vector3(
      keys.axis(['a', 'arrowleft'], ['d', 'arrowright']),
      keys.axis(['q', 'c'], ['e', ' ']),
      -keys.axis(['s', 'arrowdown'], ['w', 'arrowup']),
    );
    const pace = (this.space.size[2] / CROSSING) * (keys.has('shift') ? 4 : 1);
    wish.applyEuler(this.stage.camera.rotation).multiplyScalar(pace);
    speed.lerp(wish, this.reducedMotion ? 1 : 1 - Math.exp(-seconds * 3.5));
    if (speed.lengthSq() < (pace * 1e-3) ** 2) speed.set(0, 0, 0);
    walker.x += speed.x * seconds;
    walker.y -= speed.y * seconds;
    walker.above -= speed.z * seconds;
  }

  private watchPointer(): void {
    const { bin } = this.stage;
    bin.listen<PointerEvent>(this.canvas, 'pointermove', (event) => (this.pointer = { x: event.offsetX, y: event.offsetY }));
    bin.listen(this.canvas, 'pointerleave', () => (this.pointer = null));
  }

  private hover(): void {
    const found = this.pointer && this.onHover ? this.starAt(this.pointer.x, this.pointer.y) : null;
    if (found === this.hovered) return;
    this.hovered = found;
    this.canvas.style.cursor = found === null ? '' : 'pointer';
    this.onHover?.(found);
  }

  /** The star that looks brightest among those near a point of the canvas. */
  private starAt(x: number, y: number): number | null {
    const { camera } = this.stage;
    const matrix = camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse);
    const point = new Vector3();
    let best: number | null = null;
    let brightest = Infinity;
    for (let i = 0; i < this.space.magnitudes.length; i++) {
      point.copy(this.pointOf(i));
      const distance = point.distanceTo(camera.position);
      point.applyMatrix4(matrix);
      if (point.z > 1) continue;
      const dx = ((point.x + 1) / 2) * this.canvas.clientWidth - x;
      const dy = ((1 - point.y) / 2) * this.canvas.clientHeight - y;
      const off = Math.hypot(dx, dy);
      if (off > REACH) continue;
      const seen = this.space.magnitudes[i]! + 5 * Math.log10(distance) + off * 0.25;
      if (seen < brightest) [best, brightest] = [i, seen];
    }
    return best;
  }

  private addStars(): void {
    const { bin, scene } = this.stage;
    const count = this.space.magnitudes.length;
    const places = new Float32Array(count * 3);
    for (let i = 0; i < count; i++) places.set(this.pointOf(i).toArray(), i * 3);
    const geometry = bin.keep(new BufferGeometry());
    geometry.setAttribute('position', new BufferAttribute(places, 3));
    geometry.setAttribute('color', new BufferAttribute(this.space.colours, 3, true));
    geometry.setAttribute('magnitude', new BufferAttribute(this.space.magnitudes, 1));
    const middle = medianOf(this.space.magnitudes);
    const material = bin.keep(starMaterial(this.scale, middle, this.space.size[2]));
    const points = new Points(geometry, material);
    points.frustumCulled = false;
    points.renderOrder = 1;
    scene.add(points);
  }

  private addGas(): void {
    const { bin, scene, renderer, soft } = this.stage;
    const [width, height, depth] = this.space.size;
    const sheets = soft ? 1 : SHEETS;
    const plane = bin.keep(new PlaneGeometry(width, height));
    this.space.gas.forEach((picture, third) => {
      const texture = pictureTexture(bin, renderer, picture);
      for (let sheet = 0; sheet < sheets; sheet++) {
        const share = (third + (sheet + 0.5) / sheets) / this.space.gas.length;
        const mesh = new Mesh(plane, bin.keep(gasMaterial(texture, sheet / sheets, sheets, depth)));
        mesh.position.z = depth / 2 - share * depth;
        scene.add(mesh);
      }
    });
  }
}

/** Size and light of a star follow its magnitude and distance, as they do for the eye. */
function starMaterial(scale: { value: number }, middle: number, depth: number): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { scale, middle: { value: middle }, reach: { value: depth } },
    transparent: true,
    depthTest: false,
    depthWrite: false,
    blending: AdditiveBlending,
    vertexShader: /* glsl */ `
      attribute vec3 color;
      attribute float magnitude;
      uniform float scale, middle, reach;
      varying vec3 vColour;
      varying float vCore;
      void main() {
        vec4 view = modelViewMatrix * vec4(position, 1.0);
        float far = max(length(view.xyz) / reach, 0.004);
        // The root of the light that arrives: 5 magnitudes are a factor of 10.
        float size = 2.6 * pow(10.0, -0.2 * (magnitude - middle) * 0.8) / pow(far, 0.75);
        float shown = clamp(size, 2.0, 42.0);
        vCore = shown;
        // A star too faint for its smallest size gets darker, not smaller.
        vColour = mix(color * color, vec3(1.0), 0.06) * clamp(size / shown, 0.08, 1.0);
        gl_PointSize = shown * scale;
        gl_Position = projectionMatrix * view;
      }`,
    fragmentShader: /* glsl */ `
      varying vec3 vColour;
      varying float vCore;
      void main() {
        float r = length(gl_PointCoord - 0.5) * 2.0;
        if (r > 1.0) discard;
        float rest = 1.0 - r;
        // A small bright core in a soft glow; small points are all core.
        float glow = rest * rest * (0.35 + 0.65 * smoothstep(14.0, 3.0, vCore));
        float core = smoothstep(0.32, 0.05, r);
        gl_FragColor = vec4(vColour * (glow + core * 0.9 + core * 0.2 * smoothstep(4.0, 16.0, vCore)), 1.0);
        #include <colorspace_fragment>
      }`,
  });
}

/** One sheet of a cloud. Sheets of a third differ a little, and each fades when the eye comes near or looks along it. */
function gasMaterial(picture: unknown, share: number, sheets: number, depth: number): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { picture: { value: picture }, share: { value: share }, thin: { value: 1 / sheets }, reach: { value: depth } },
    transparent: true,
    depthTest: false,
    depthWrite: false,
    side: DoubleSide,
    vertexShader: /* glsl */ `
      varying vec2 vUv;
      varying vec3 vPlace;
      void main() {
        // The first row of a picture is its upper edge.
        vUv = vec2(uv.x, 1.0 - uv.y);
        vPlace = (modelMatrix * vec4(position, 1.0)).xyz;
        gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
      }`,
    fragmentShader: /* glsl */ `
      uniform sampler2D picture;
      uniform float share, thin, reach;
      varying vec2 vUv;
      varying vec3 vPlace;
      void main() {
        vec2 shift = (vec2(sin(share * 17.0 + vUv.y * 9.0), cos(share * 23.0 + vUv.x * 8.0))) * 0.006 * step(0.01, share);
        vec4 gas = texture2D(picture, vUv + shift);
        vec3 way = vPlace - cameraPosition;
        float near = smoothstep(0.015, 0.22, abs(way.z) / reach);
        float along = smoothstep(0.03, 0.3, abs(way.z) / length(way));
        vec2 edge = smoothstep(vec2(0.0), vec2(0.2), vUv) * smoothstep(vec2(0.0), vec2(0.2), 1.0 - vUv);
        float alpha = 1.0 - pow(max(1.0 - gas.a, 0.0), thin);
        gl_FragColor = vec4(gas.rgb, alpha * near * along * edge.x * edge.y * 0.9);
        #include <colorspace_fragment>
      }`,
  });
}

function medianOf(values: Float32Array): number {
  const sorted = values.slice().sort();
  return sorted[sorted.length >> 1] ?? 0;
}

function leastOf(places: Float32Array): readonly [number, number, number] {
  const least: [number, number, number] = [Infinity, Infinity, Infinity];
  for (let i = 0; i < places.length; i++) least[i % 3] = Math.min(least[i % 3]!, places[i]!);
  return places.length > 0 ? least : [0, 0, 0];
}
