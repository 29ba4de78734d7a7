// A planet to turn.

import { AdditiveBlending, BackSide, BufferAttribute, BufferGeometry, Mesh, Points, ShaderMaterial, SphereGeometry, Vector3 } from 'three';
import { Keys } from './controls';
import type { Globe, Orbit, SceneView } from './data';
import { clamp, RADIAN, sequence } from './hash';
import { pictureTexture } from './picture';
import { Stage } from './stage';

const LABEL = 'A planet. Drag or use the arrow keys to turn it, the wheel or plus and minus zoom.';
const KEYS = new Set(['arrowup', 'arrowdown', 'arrowleft', 'arrowright', '+', '=', '-', '_']);
const START: Orbit = { bearing: 0, pitch: 90, distance: 2.4, x: 0, y: 18 };
const [NEAREST, FURTHEST] = [0.12, 6];
const MAX_LATITUDE = 88;
/** Height of high mountains as a share of the radius: much more than in nature, but still a ball. */
const RELIEF = 0.022;
/** Share of the turning speed that is left after a second. */
const INERTIA = 0.06;
const STARS = 900;
const AIR = 1.035;

export function openGlobe(container: HTMLElement, globe: Globe, start: Orbit | null, options: { reducedMotion: boolean }): SceneView<Orbit> {
  return new GlobeView(container, globe, start ?? START, options.reducedMotion);
}

/** The place of a longitude and latitude in degrees on a ball: x through 0°, y through the north pole. */
function onBall(longitude: number, latitude: number, radius = 1): Vector3 {
  const [lon, lat] = [longitude * RADIAN, latitude * RADIAN];
  return new Vector3(Math.cos(lat) * Math.cos(lon), Math.sin(lat), -Math.cos(lat) * Math.sin(lon)).multiplyScalar(radius);
}

const wrapped = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180;

class GlobeView implements SceneView<Orbit> {
  onMove: ((state: Orbit) => void) | null = null;
  private readonly stage: Stage;
  private readonly keys: Keys;
  private readonly at = { longitude: 0, latitude: 0, distance: 2 };
  private readonly speed = { longitude: 0, latitude: 0, zoom: 0 };
  private readonly sun = { value: new Vector3() };
  private readonly pointers = new Map<number, { x: number; y: number }>();
  /** Longitude and latitude that the pointer holds. */
  private grabbed: { longitude: number; latitude: number } | null = null;
  private dragged = 0;
  private spread = 0;

  constructor(container: HTMLElement, globe: Globe, start: Orbit, private readonly reducedMotion: boolean) {
    this.stage = new Stage(container, { label: LABEL, fov: 38, near: 0.02, far: 60 });
    const { bin } = this.stage;
    this.keys = new Keys(bin, KEYS, () => this.stage.wake());
    this.addBall(globe);
    this.addAir();
    this.addStars();
    this.listen();
    this.set(start);
    this.stage.run((seconds) => this.step(seconds));
  }

  state(): Orbit {
    return { bearing: 0, pitch: 90, distance: this.at.distance, x: this.at.longitude, y: this.at.latitude };
  }

  set(state: Orbit): void {
    this.at.longitude = wrapped(state.x);
    this.at.latitude = clamp(state.y, -MAX_LATITUDE, MAX_LATITUDE);
    this.at.distance = clamp(state.distance, NEAREST, FURTHEST);
    this.speed.longitude = this.speed.latitude = this.speed.zoom = 0;
    this.place();
    this.stage.wake();
  }

  dispose(): void {
    this.onMove = null;
    this.stage.dispose();
  }

  private step(seconds: number): boolean {
    const { speed, keys, at } = this;
    const reach = 40 * Math.min(1, at.distance);
    if (keys.any) {
      speed.longitude = keys.axis(['arrowleft'], ['arrowright']) * reach;
      speed.latitude = keys.axis(['arrowdown'], ['arrowup']) * reach;
      speed.zoom = keys.axis(['+', '='], ['-', '_']) * 1.2;
    }
    if (!this.grabbed || keys.any) {
      this.turn(speed.longitude * seconds, speed.latitude * seconds);
      at.distance = clamp(at.distance * Math.exp(speed.zoom * seconds), NEAREST, FURTHEST);
    }
    const left = this.reducedMotion ? 0 : INERTIA ** seconds;
    for (const name of ['longitude', 'latitude', 'zoom'] as const) {
      speed[name] *= name === 'zoom' ? left ** 2 : left;
      if (Math.abs(speed[name]) < (name === 'zoom' ? 0.01 : 0.1)) speed[name] = 0;
    }
    this.place();
    const moving = keys.any || Math.abs(speed.longitude) + Math.abs(speed.latitude) + Math.abs(speed.zoom) > 0;
    if (moving || this.grabbed) this.onMove?.(this.state());
    return moving;
  }

  private turn(longitude: number, latitude: number): void {
    this.at.longitude = wrapped(this.at.longitude + longitude);
    this.at.latitude = clamp(this.at.latitude + latitude, -MAX_LATITUDE, MAX_LATITUDE);
  }

  private place(): void {
    const { camera } = this.stage;
    camera.position.copy(onBall(this.at.longitude, this.at.latitude, 1 + this.at.distance));
    camera.lookAt(0, 0, 0);
    camera.updateMatrixWorld();
    // The sun stands beside the eye: wherever one turns the ball, its relief has light and shade.
    this.sun.value.set(-0.75, 0.5, 0.62).normalize().transformDirection(camera.matrixWorld);
  }

  private listen(): void {
    const { bin, canvas } = this.stage;
    bin.listen<PointerEvent>(canvas, 'pointerdown', (event) => this.grab(event));
    bin.listen<PointerEvent>(canvas, 'pointermove', (event) => this.drag(event));
    const release = (event: PointerEvent): void => this.release(event);
    bin.listen(canvas, 'pointerup', release);
    bin.listen(canvas, 'pointercancel', release);
    bin.listen<WheelEvent>(canvas, 'wheel', (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
      this.zoom(Math.exp(clamp(lines, -200, 200) * 0.0014));
    }, { passive: false });
  }

  private zoom(factor: number): void {
    this.at.distance = clamp(this.at.distance * factor, NEAREST, FURTHEST);
    this.onMove?.(this.state());
    this.stage.wake();
  }

  private grab(event: PointerEvent): void {
    const { canvas } = this.stage;
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.speed.longitude = this.speed.latitude = 0;
    this.grabbed = this.pointers.size === 1 ? this.under(event.clientX, event.clientY) : null;
    this.dragged = performance.now();
    this.spread = this.fingers();
  }

  private drag(event: PointerEvent): void {
    const last = this.pointers.get(event.pointerId);
    if (!last) return;
    const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.pointers.size > 1) {
      const spread = this.fingers();
      if (spread > 0 && this.spread > 0) this.zoom(this.spread / spread);
      this.spread = spread;
      return;
    }
    const before = { ...this.at };
    if (!this.pull(event.clientX, event.clientY)) this.turn(-dx * 0.25, dy * 0.25);
    this.measure(before);
    this.place();
    this.onMove?.(this.state());
    this.stage.wake();
  }

  /** Turns the ball until the place that was grabbed is under the pointer; false if the pointer is beside the ball. */
  private pull(x: number, y: number): boolean {
    // Each round comes closer: turning about the axis moves places at different latitudes differently.
    for (let round = 0; round < 4; round++) {
      const here = this.under(x, y);
      if (!here || !this.grabbed) return round > 0;
      const share = round === 0 ? 1 : 0.8;
      this.turn(clamp(wrapped(this.grabbed.longitude - here.longitude), -60, 60) * share, (this.grabbed.latitude - here.latitude) * share);
      this.place();
    }
    return true;
  }

  /** Takes the speed of the drag, for the inertia. */
  private measure(before: { longitude: number; latitude: number }): void {
    const now = performance.now();
    const seconds = Math.max(0.008, (now - this.dragged) / 1000);
    this.dragged = now;
    const ease = 0.35;
    const { speed, at } = this;
    speed.longitude += (clamp(wrapped(at.longitude - before.longitude) / seconds, -240, 240) - speed.longitude) * ease;
    speed.latitude += (clamp((at.latitude - before.latitude) / seconds, -240, 240) - speed.latitude) * ease;
  }

  private release(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
    this.grabbed = null;
    // A pointer that rested before it let go throws nothing.
    if (performance.now() - this.dragged > 80 || this.reducedMotion) this.speed.longitude = this.speed.latitude = 0;
    this.stage.wake();
  }

  /** Distance between two fingers in pixels. */
  private fingers(): number {
    const [a, b] = [...this.pointers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }

  /** Longitude and latitude under a point of the window. */
  private under(x: number, y: number): { longitude: number; latitude: number } | null {
    const { camera, canvas } = this.stage;
    const box = canvas.getBoundingClientRect();
    const point = new Vector3(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2, 0.5);
    const way = point.unproject(camera).sub(camera.position).normalize();
    const along = camera.position.dot(way);
    const root = along * along - camera.position.lengthSq() + 1;
    if (root < 0) return null;
    const hit = way.multiplyScalar(-along - Math.sqrt(root)).add(camera.position);
    return { longitude: Math.atan2(-hit.z, hit.x) / RADIAN, latitude: Math.asin(clamp(hit.y, -1, 1)) / RADIAN };
  }

  private addBall(globe: Globe): void {
    const { bin, scene, renderer, soft } = this.stage;
    const material = new ShaderMaterial({
      uniforms: { picture: { value: pictureTexture(bin, renderer, globe.picture) }, sun: this.sun },
      vertexShader: /* glsl */ `
        varying vec2 vUv;
        varying vec3 vNormal, vPlace;
        void main() {
          vUv = uv;
          vNormal = normal;
          vPlace = position;
          gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        }`,
      fragmentShader: /* glsl */ `
        uniform sampler2D picture;
        uniform vec3 sun;
        varying vec2 vUv;
        varying vec3 vNormal, vPlace;
        void main() {
          vec3 colour = texture2D(picture, vUv).rgb;
          vec3 n = normalize(vNormal), out_ = normalize(vPlace), eye = normalize(cameraPosition - vPlace);
          float ball = smoothstep(-0.35, 0.75, dot(out_, sun));
          float relief = 1.0 + 1.5 * (dot(n, sun) - dot(out_, sun));
          vec3 lit = colour * (0.13 + 1.02 * ball * clamp(relief, 0.35, 1.6));
          float rim = pow(1.0 - max(dot(out_, eye), 0.0), 3.0);
          gl_FragColor = vec4(mix(lit, vec3(0.42, 0.62, 0.95) * (0.08 + ball), rim * 0.5), 1.0);
          #include <colorspace_fragment>
        }`,
    });
    scene.add(new Mesh(bin.keep(ballGeometry(globe, soft ? 256 : 512)), bin.keep(material)));
  }

  private addAir(): void {
    const { bin, scene } = this.stage;
    const material = new ShaderMaterial({
      uniforms: { sun: this.sun },
      side: BackSide,
      transparent: true,
      depthWrite: false,
      blending: AdditiveBlending,
      vertexShader: /* glsl */ `
        varying vec3 vPlace;
        void main() {
          vPlace = position;
          gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        }`,
      fragmentShader: /* glsl */ `
        uniform vec3 sun;
        varying vec3 vPlace;
        void main() {
          // How near the line of sight passes by the ground: 0 at the upper edge of the air, 1 at the ground.
          vec3 way = normalize(vPlace - cameraPosition);
          float pass = length(cross(way, vPlace));
          float depth = clamp((${AIR.toFixed(3)} - pass) / (${AIR.toFixed(3)} - 1.0), 0.0, 1.0);
          float day = smoothstep(-0.5, 0.7, dot(normalize(vPlace), sun));
          gl_FragColor = vec4(vec3(0.3, 0.55, 1.0) * depth * depth * (0.06 + 0.75 * day), 1.0);
          #include <colorspace_fragment>
        }`,
    });
    scene.add(new Mesh(bin.keep(new SphereGeometry(AIR, 128, 64)), bin.keep(material)));
  }

  private addStars(): void {
    const { bin, scene } = this.stage;
    const random = sequence(5);
    const places = new Float32Array(STARS * 3);
    const light = new Float32Array(STARS);
    for (let i = 0; i < STARS; i++) {
      const latitude = Math.asin(2 * random() - 1) / RADIAN;
      places.set(onBall(random() * 360, latitude, 40).toArray(), i * 3);
      light[i] = 0.12 + 0.5 * random() ** 4;
    }
    const geometry = bin.keep(new BufferGeometry());
    geometry.setAttribute('position', new BufferAttribute(places, 3));
    geometry.setAttribute('light', new BufferAttribute(light, 1));
    const material = new ShaderMaterial({
      transparent: true,
      depthWrite: false,
      vertexShader: /* glsl */ `
        attribute float light;
        varying float vLight;
        void main() {
          vLight = light;
          gl_PointSize = 1.5 + 1.5 * light;
          gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        }`,
      fragmentShader: 'varying float vLight; void main() { gl_FragColor = vec4(0.9, 0.93, 1.0, vLight); }',
    });
    scene.add(new Points(geometry, bin.keep(material)));
  }
}

/** A ball with mountains. Rows run from the north, u from 180° W to the east. */
function ballGeometry(globe: Globe, columns: number): BufferGeometry {
  const rows = columns / 2;
  const scale = RELIEF / Math.max(highOf(globe.heights), 1e-9);
  const positions = new Float32Array((columns + 1) * (rows + 1) * 3);
  const uvs = new Float32Array((columns + 1) * (rows + 1) * 2);
  const index: number[] = [];
  for (let j = 0; j <= rows; j++) {
    for (let i = 0; i <= columns; i++) {
      const vertex = j * (columns + 1) + i;
      const [u, v] = [i / columns, j / rows];
      const radius = 1 + heightOf(globe, u, v) * scale;
      positions.set(onBall(u * 360 - 180, 90 - v * 180, radius).toArray(), vertex * 3);
      uvs.set([u, v], vertex * 2);
      if (i === columns || j === rows) continue;
      const below = vertex + columns + 1;
      index.push(vertex, below, vertex + 1, vertex + 1, below, below + 1);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setIndex(index);
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('uv', new BufferAttribute(uvs, 2));
  geometry.computeVertexNormals();
  closeSeam(geometry, columns, rows);
  return geometry;
}

/** Both edges of the picture meet at 180°: give them one normal, and the poles too. */
function closeSeam(geometry: BufferGeometry, columns: number, rows: number): void {
  const normals = geometry.getAttribute('normal') as BufferAttribute;
  const sum = new Vector3();
  for (let j = 0; j <= rows; j++) {
    const [first, last] = [j * (columns + 1), j * (columns + 1) + columns];
    sum.fromBufferAttribute(normals, first).add(new Vector3().fromBufferAttribute(normals, last)).normalize();
    for (const vertex of [first, last]) normals.setXYZ(vertex, sum.x, sum.y, sum.z);
    if (j > 0 && j < rows) continue;
    for (let vertex = first; vertex <= last; vertex++) normals.setXYZ(vertex, 0, j === 0 ? 1 : -1, 0);
  }
}

/** The height that only few places exceed: one lonely peak must not make all others flat. */
function highOf(heights: Float32Array): number {
  const some = heights.filter((height, i) => i % 7 === 0 && height > 0).sort();
  return some.length > 0 ? some[Math.floor((some.length - 1) * 0.99)]! : 1;
}

/** Height at a share of the width and height of the picture; the first and last samples lie on its edges. */
function heightOf({ columns, rows, heights }: Globe, u: number, v: number): number {
  const [x, y] = [u * (columns - 1), v * (rows - 1)];
  const [i, j] = [Math.min(Math.floor(x), columns - 2), Math.min(Math.floor(y), rows - 2)];
  const [s, t] = [x - i, y - j];
  const at = j * columns + i;
  const upper = heights[at]! * (1 - s) + heights[at + 1]! * s;
  const lower = heights[at + columns]! * (1 - s) + heights[at + columns + 1]! * s;
  return upper * (1 - t) + lower * t;
}
