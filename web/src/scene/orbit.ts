// A finished map as a block to look at from all sides.

import {
  AmbientLight, BoxGeometry, Color, DirectionalLight, DoubleSide, HemisphereLight, Mesh, MeshLambertMaterial, MeshPhongMaterial, Vector3,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { BLOCK, Block, blockBand, blockFoot, blockGround, blockWater } from './block';
import { Keys } from './controls';
import type { Orbit, SceneView, Surface } from './data';
import { clamp, RADIAN, turnOf } from './hash';
import { paperBackground, pictureTexture } from './picture';
import { sunDirection } from './sky';
import { Stage } from './stage';

const LABEL = 'The map as a block of land. Drag to turn, drag with the right button to move, arrow keys turn and tilt, plus and minus zoom.';
const KEYS = new Set(['arrowup', 'arrowdown', 'arrowleft', 'arrowright', '+', '=', '-', '_']);
const START: Orbit = { bearing: 20, pitch: 38, distance: 1.75, x: 0, y: 0 };
const NEAREST = 0.06;
const FURTHEST = 4;
const TURN_SPEED = 70;
const ZOOM_SPEED = 1.1;
/** The eye stays this far above the ground. */
const CLEARANCE = 1;
const SOIL = new Color('#a08464');
const PAPER = new Color('#efe9dc');
const SHEET = 0.35;

export function openOrbit(container: HTMLElement, surface: Surface, start: Orbit | null, options: { reducedMotion: boolean }): SceneView<Orbit> {
  return new OrbitView(container, surface, start ?? whole(container), options.reducedMotion);
}

/** The view of the whole block: its nearest corners are about 0.4 closer than its middle and 0.65 to the side, which 1.8 makes fit. */
function whole(container: HTMLElement): Orbit {
  const aspect = container.clientWidth / Math.max(container.clientHeight, 1);
  return { ...START, distance: clamp(0.4 + 1.8 / aspect, START.distance, FURTHEST) };
}

class OrbitView implements SceneView<Orbit> {
  onMove: ((state: Orbit) => void) | null = null;
  private readonly stage: Stage;
  private readonly block: Block;
  private readonly controls: OrbitControls;
  private readonly keys: Keys;

  constructor(container: HTMLElement, surface: Surface, start: Orbit, reducedMotion: boolean) {
    this.stage = new Stage(container, { label: LABEL, fov: 40, near: 0.5, far: 900, clear: true });
    const { bin, camera, canvas } = this.stage;
    this.block = new Block(surface, this.stage.soft ? 320 : undefined);
    paperBackground(canvas);
    this.controls = bin.keep(new OrbitControls(camera, canvas));
    this.keys = new Keys(bin, KEYS, () => this.stage.wake());
    this.addLand();
    this.addLight();
    this.setUpControls(reducedMotion);
    this.set(start);
    this.stage.run((seconds) => this.step(seconds));
  }

  state(): Orbit {
    const { target } = this.controls;
    const away = this.stage.camera.position.clone().sub(target);
    const distance = away.length();
    return {
      bearing: turnOf(Math.atan2(-away.x, away.z) / RADIAN),
      pitch: Math.asin(clamp(away.y / distance, -1, 1)) / RADIAN,
      distance: distance / BLOCK,
      x: target.x / this.block.width,
      y: -target.z / this.block.depth,
    };
  }

  set(state: Orbit): void {
    const { target } = this.controls;
    target.set(state.x * this.block.width, 0, -state.y * this.block.depth);
    // From nearby one looks at the ground, from afar at the block as a whole.
    target.y = this.block.topAt(target.x, target.z) * clamp((1.4 - state.distance) / 0.8, 0, 1);
    const flat = Math.cos(state.pitch * RADIAN);
    const [sin, cos] = [Math.sin(state.bearing * RADIAN), Math.cos(state.bearing * RADIAN)];
    const away = new Vector3(-sin * flat, Math.sin(state.pitch * RADIAN), cos * flat);
    this.stage.camera.position.copy(target).addScaledVector(away, state.distance * BLOCK);
    this.controls.update();
    this.stage.wake();
  }

  dispose(): void {
    this.onMove = null;
    this.stage.dispose();
  }

  private setUpControls(reducedMotion: boolean): void {
    const { controls } = this;
    controls.enableDamping = !reducedMotion;
    controls.dampingFactor = 0.09;
    controls.minDistance = BLOCK * NEAREST;
    controls.maxDistance = BLOCK * FURTHEST;
    controls.maxPolarAngle = 89 * RADIAN;
    controls.minPolarAngle = 0.5 * RADIAN;
    controls.screenSpacePanning = false;
    controls.zoomToCursor = true;
    controls.addEventListener('change', () => this.stage.wake());
  }

  private step(seconds: number): boolean {
    this.steer(seconds);
    const { controls } = this;
    const before = controls.target.clone();
    const moved = controls.update(seconds);
    this.keepTarget(before);
    this.keepAbove();
    if (moved || this.keys.any) this.onMove?.(this.state());
    return moved || this.keys.any;
  }

  /** Keys turn, tilt and zoom about the target. */
  private steer(seconds: number): void {
    if (!this.keys.any) return;
    const state = this.state();
    state.bearing += this.keys.axis(['arrowright'], ['arrowleft']) * TURN_SPEED * seconds;
    state.pitch = clamp(state.pitch + this.keys.axis(['arrowdown'], ['arrowup']) * TURN_SPEED * 0.6 * seconds, 2, 89);
    const zoom = this.keys.axis(['+', '='], ['-', '_']);
    state.distance = clamp(state.distance * Math.exp(zoom * ZOOM_SPEED * seconds), NEAREST, FURTHEST);
    this.set(state);
  }

  /** The target stays on the map. */
  private keepTarget(before: Vector3): void {
    const { target } = this.controls;
    const kept = new Vector3(clamp(target.x, -this.block.width / 2, this.block.width / 2), 0, clamp(target.z, -this.block.depth / 2, this.block.depth / 2));
    kept.y = clamp(target.y, 0, Math.max(before.y, this.block.topAt(kept.x, kept.z)));
    this.stage.camera.position.add(kept).sub(target);
    target.copy(kept);
  }

  private keepAbove(): void {
    const { position } = this.stage.camera;
    const inside = Math.abs(position.x) < this.block.width / 2 && Math.abs(position.z) < this.block.depth / 2;
    const floor = (inside ? this.block.topAt(position.x, position.z) : blockFoot()) + CLEARANCE;
    if (position.y >= floor) return;
    position.y = floor;
    this.stage.camera.lookAt(this.controls.target);
  }

  private addLand(): void {
    const { bin, scene, renderer } = this.stage;
    const { block } = this;
    const picture = pictureTexture(bin, renderer, block.surface.picture);
    scene.add(new Mesh(bin.keep(blockGround(block)), bin.keep(new MeshLambertMaterial({ map: picture }))));
    const soil = bin.keep(new MeshLambertMaterial({ color: SOIL, emissive: SOIL, emissiveIntensity: 0.22, side: DoubleSide }));
    scene.add(new Mesh(bin.keep(blockBand(block, blockFoot, (i, j) => block.ground(i, j))), soil));
    const sheet = new Mesh(bin.keep(new BoxGeometry(block.width + 5, SHEET, block.depth + 5)), bin.keep(new MeshLambertMaterial({ color: PAPER })));
    sheet.position.y = blockFoot() - SHEET / 2;
    scene.add(sheet);
    this.addWater();
  }

  private addWater(): void {
    const { bin, scene } = this.stage;
    const { block } = this;
    const water = blockWater(block);
    if (!water) return;
    const material = bin.keep(new MeshPhongMaterial({
      color: '#3f86b0', specular: '#9ab4c4', shininess: 60, transparent: true, opacity: 0.55, depthWrite: false, side: DoubleSide,
      // Shallow water lies close to its bed.
      polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -1,
    }));
    const level = (i: number, j: number): number => {
      const height = block.water(i, j);
      return Number.isNaN(height) ? block.ground(i, j) : height;
    };
    scene.add(new Mesh(bin.keep(water), material));
    scene.add(new Mesh(bin.keep(blockBand(block, (i, j) => block.ground(i, j), level)), material));
  }

  private addLight(): void {
    const sun = new DirectionalLight('#fff4e0', 2.9);
    // Lower than the sun of a walk: relief reads by its shades.
    sun.position.copy(sunDirection()).setY(0.5).multiplyScalar(BLOCK);
    this.stage.scene.add(sun, new HemisphereLight('#dfe9f5', '#8d8069', 1.35), new AmbientLight('#ffffff', 0.35));
  }
}
