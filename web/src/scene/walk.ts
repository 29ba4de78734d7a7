// A walk in first person through the endless world.

import type { ChunkSource, SceneView, Walker } from './data';
import { Keys, watchLook } from './controls';
import { clamp, RADIAN, turnOf } from './hash';
import { createNoise, createSky, daylight } from './sky';
import { Stage } from './stage';
import { Terrain, VIEW_DISTANCE } from './terrain';
import type { Eye } from './terrain';
import { ThingField } from './things';
import type { Thinning } from './trees';

export type WalkMode = 'walk' | 'run' | 'fly';

export interface WalkOptions {
  /** Height of the sea or the lakes, if they have one level: no one sinks below it. */
  seaLevel?: number;
  /** Metres a second when running. */
  speed: number;
  reducedMotion: boolean;
}

export interface WalkView extends SceneView<Walker> {
  readonly mode: WalkMode;
  setMode(mode: WalkMode): void;
  readonly canvas: HTMLCanvasElement;
  /** A key of the page: `w`, `ArrowUp`, `Shift`, … */
  press(key: string, down: boolean): void;
  /** A stick: −1 to 1 to the right and downwards, as on the screen. */
  stick(dx: number, dy: number): void;
}

interface Detail extends Thinning {
  /** How near a chunk of ground must be to be divided, as a share of its size. */
  split: number;
  stride: number;
}

const LABEL =
  'The landscape seen by a walker. W, A, S, D or the arrow keys walk, Shift runs, drag to look around, double click to look with the mouse. ' +
  'When flying, Space or E rises and Q or C sinks.';
const KEYS = new Set(['w', 'a', 's', 'd', 'arrowup', 'arrowdown', 'arrowleft', 'arrowright', 'shift', ' ', 'e', 'q', 'c', 'pageup', 'pagedown']);
const EYE = 1.7;
/** A swimmer's eye above the water. */
const SWIM_EYE = 0.45;
const FLY_ABOVE = 30;
const MAX_ABOVE = 3000;
const WALK_SHARE = 0.45;
/** Beyond this distance from the scene's origin, 32-bit floats would show: the origin moves. */
const REBASE = 2000;
/** What is drawn how finely: on a graphics card, and by a processor alone. */
const DETAIL: Detail = { edge: 640, full: 28, near: 28, fine: 44, split: 0.5, stride: 1 };
const SOFT_DETAIL: Detail = { edge: 260, full: 14, near: 14, fine: 0, split: 0.5, stride: 2 };
const FOV = 60;

export function openWalk(container: HTMLElement, source: ChunkSource, start: Walker, options: WalkOptions): WalkView {
  return new Walk(container, source, start, options);
}

class Walk implements WalkView {
  onMove: ((state: Walker) => void) | null = null;
  mode: WalkMode = 'walk';
  readonly canvas: HTMLCanvasElement;
  private readonly stage: Stage;
  private readonly keys: Keys;
  private readonly light = daylight(VIEW_DISTANCE);
  private readonly origin = { x: 0, y: 0 };
  private readonly terrain: Terrain;
  private readonly things: ThingField;
  private walker: Walker;
  private readonly stickAt = { x: 0, y: 0 };
  /** Height of the ground under the eye, smoothed. */
  private floor = NaN;
  private readonly speed = { x: 0, y: 0, up: 0 };
  private paced = 0;
  private told = '';

  constructor(container: HTMLElement, private readonly source: ChunkSource, start: Walker, private readonly options: WalkOptions) {
    this.walker = { ...start };
    this.mode = start.above > 2 ? 'fly' : 'walk';
    this.stage = new Stage(container, { label: LABEL, fov: FOV, near: 0.25, far: VIEW_DISTANCE * 1.6, adaptive: true });
    const { bin, scene, soft } = this.stage;
    this.canvas = this.stage.canvas;
    this.keys = new Keys(bin, KEYS);
    watchLook(bin, this.canvas, (right, up) => this.turn(right, up));
    const noise = createNoise(bin);
    const detail = soft ? SOFT_DETAIL : DETAIL;
    this.terrain = new Terrain(bin, source, this.origin, this.light, noise, detail.split, detail.stride);
    this.things = new ThingField(bin, source, this.origin, this.light, noise, detail);
    scene.add(createSky(bin, this.light), this.terrain.group, this.things.group);
    this.rebase();
    this.stage.run((seconds) => this.step(seconds));
  }

  state(): Walker {
    return { ...this.walker };
  }

  set(state: Walker): void {
    this.walker = { ...state, bearing: turnOf(state.bearing), pitch: clamp(state.pitch, -89, 89) };
    this.mode = state.above > 2 ? 'fly' : this.mode === 'fly' ? 'walk' : this.mode;
    this.floor = NaN;
    this.rebase();
  }

  setMode(mode: WalkMode): void {
    if (mode === 'fly' && this.mode !== 'fly') this.speed.up = Math.min(FLY_ABOVE, this.options.speed * 4);
    this.mode = mode;
  }

  press(key: string, down: boolean): void {
    this.keys.press(key, down);
  }

  stick(dx: number, dy: number): void {
    this.stickAt.x = clamp(dx, -1, 1);
    this.stickAt.y = clamp(dy, -1, 1);
  }

  dispose(): void {
    this.onMove = null;
    this.stage.dispose();
  }

  private turn(right: number, up: number): void {
    this.walker.bearing = turnOf(this.walker.bearing + right);
    this.walker.pitch = clamp(this.walker.pitch + up, -89, 89);
  }

  private step(seconds: number): boolean {
    this.move(seconds);
    if (Math.hypot(this.walker.x - this.origin.x, this.walker.y - this.origin.y) > REBASE) this.rebase();
    const { x, y, above, bearing } = this.walker;
    const eye: Eye = { x, y, height: Math.max(0, above - EYE), bearing };
    this.terrain.update(eye, seconds);
    this.things.update(eye);
    this.follow(seconds);
    this.place();
    if (!this.options.reducedMotion) this.light.time!.value += seconds;
    this.tell();
    return true;
  }

  private move(seconds: number): void {
    const { keys, speed, walker } = this;
    const forward = clamp(keys.axis(['s', 'arrowdown'], ['w', 'arrowup']) - this.stickAt.y, -1, 1);
    const right = clamp(keys.axis(['a'], ['d']) + this.stickAt.x, -1, 1);
    this.turn(keys.axis(['arrowleft'], ['arrowright']) * 80 * seconds, 0);
    const pace = this.pace() / Math.max(1, Math.hypot(forward, right));
    const [sin, cos] = [Math.sin(walker.bearing * RADIAN), Math.cos(walker.bearing * RADIAN)];
    const ease = 1 - Math.exp(-seconds * 9);
    speed.x += ((forward * sin + right * cos) * pace - speed.x) * ease;
    speed.y += ((forward * cos - right * sin) * pace - speed.y) * ease;
    this.go(speed.x * seconds, speed.y * seconds);
    if (this.mode === 'fly') {
      const up = keys.axis(['q', 'c', 'pagedown'], [' ', 'e', 'pageup']);
      speed.up += (up * pace * 0.7 - speed.up) * (1 - Math.exp(-seconds * 4));
      walker.above = clamp(walker.above + speed.up * seconds, EYE, MAX_ABOVE);
    }
  }

  /** Metres a second at full stick. */
  private pace(): number {
    const { speed } = this.options;
    const fast = this.keys.has('shift');
    if (this.mode === 'fly') return speed * (3 + this.walker.above / 12) * (fast ? 3 : 1);
    const depth = this.terrain.drawnAt(this.walker.x, this.walker.y)?.depth ?? 0;
    const wade = 1 / (1 + 2.5 * Math.min(depth, 1.4));
    return speed * (this.mode === 'run' || fast ? 1 : WALK_SHARE) * wade;
  }

  /** Goes unless a wall is in the way; along a wall one slides. */
  private go(dx: number, dy: number): void {
    const { walker } = this;
    const free = (x: number, y: number): boolean =>
      this.mode === 'fly' || this.things.blocked(walker.x, walker.y) || !this.things.blocked(x, y);
    if (free(walker.x + dx, walker.y)) walker.x += dx;
    if (free(walker.x, walker.y + dy)) walker.y += dy;
    this.paced += Math.hypot(dx, dy);
  }

  /** Keeps the eye above the ground, also while that is still drawn coarsely. */
  private follow(seconds: number): void {
    const { walker } = this;
    const drawn = this.terrain.drawnAt(walker.x, walker.y);
    // Outside the world there is no height: stay level.
    const heights = [this.source.heightAt(walker.x, walker.y), drawn?.ground, this.options.seaLevel];
    const known = heights.filter((height) => height !== undefined && Number.isFinite(height)) as number[];
    const ground = known.length > 0 ? Math.max(...known) : this.floor || 0;
    // Flying follows the hills gently, walking closely.
    const ease = 1 - Math.exp(-seconds * (this.mode === 'fly' ? 1.2 : 14));
    this.floor = Number.isNaN(this.floor) ? ground : this.floor + (ground - this.floor) * ease;
    if (this.mode === 'fly') {
      this.floor = Math.max(this.floor, ground - walker.above + EYE);
      return;
    }
    const standing = Math.max(SWIM_EYE, EYE - (drawn?.depth ?? 0));
    // Coming down from a flight takes a moment.
    walker.above += (standing - walker.above) * (1 - Math.exp(-seconds * 5));
  }

  private place(): void {
    const { camera } = this.stage;
    const { x, y, above, bearing, pitch } = this.walker;
    const bobs = this.mode !== 'fly' && !this.options.reducedMotion;
    const bob = bobs ? Math.sin(this.paced * 2.6) * 0.03 * Math.min(1, Math.hypot(this.speed.x, this.speed.y)) : 0;
    camera.position.set(x - this.origin.x, this.floor + above + bob, this.origin.y - y);
    camera.rotation.set(pitch * RADIAN, -bearing * RADIAN, 0, 'YXZ');
    const near = clamp(above * 0.08, 0.25, 12);
    if (Math.abs(near - camera.near) > 0.02 * near) {
      camera.near = near;
      camera.updateProjectionMatrix();
    }
  }

  private rebase(): void {
    // A multiple of 64 m keeps all chunks at whole metres of the scene.
    this.origin.x = Math.round(this.walker.x / 64) * 64;
    this.origin.y = Math.round(this.walker.y / 64) * 64;
    this.terrain.rebase();
    this.things.rebase();
  }

  private tell(): void {
    const { x, y, above, bearing, pitch } = this.walker;
    const state = `${x.toFixed(2)} ${y.toFixed(2)} ${above.toFixed(2)} ${bearing.toFixed(2)} ${pitch.toFixed(2)}`;
    if (state === this.told) return;
    this.told = state;
    this.onMove?.(this.state());
  }
}
