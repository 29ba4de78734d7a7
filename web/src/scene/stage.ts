// Canvas, renderer, camera and the frame loop that all views share.

import { PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { Bin } from './bin';
import { clamp } from './hash';

const NO_WEBGL = 'This browser cannot show 3-D: WebGL 2 is not available.';
/** Sharper costs more than it shows. */
const MAX_RATIO = 1.5;
/** A software renderer draws every pixel on the processor. */
const SOFT_RATIO = 0.75;
const MIN_RATIO = 0.5;
/** Frames, or milliseconds, between two looks at the frame time. */
const ADAPT_EVERY = 20;
const ADAPT_TIME = 900;
/** Above the one the picture gets coarser, below the other finer again (ms a frame). */
const SLOW_FRAME = 34;
const FAST_FRAME = 18;

export interface StageOptions {
  /** What the picture shows and which keys work. */
  label: string;
  fov: number;
  near: number;
  far: number;
  /** Lets the page show through where nothing is drawn. */
  clear?: boolean;
  /** Trades sharpness for frame time; for views that move all the time. */
  adaptive?: boolean;
}

/** Draws a frame after `seconds`; true if another frame should follow. */
export type Step = (seconds: number) => boolean;

export class Stage {
  readonly bin = new Bin();
  readonly canvas: HTMLCanvasElement;
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera: PerspectiveCamera;
  /** Whether the processor draws, not a graphics card. */
  readonly soft: boolean;
  frames = 0;
  private request = 0;
  private last = 0;
  private step: Step = () => false;
  private ratio: number;
  private spent = 0;
  private measured = 0;

  constructor(private readonly container: HTMLElement, private readonly options: StageOptions) {
    this.soft = softwareRenders();
    this.canvas = createCanvas(options.label);
    const context = this.canvas.getContext('webgl2', {
      alpha: options.clear ?? false,
      antialias: !this.soft,
      powerPreference: 'high-performance',
    });
    if (!context) throw new Error(NO_WEBGL);
    this.renderer = new WebGLRenderer({ canvas: this.canvas, context, alpha: options.clear ?? false });
    this.camera = new PerspectiveCamera(options.fov, 1, options.near, options.far);
    this.ratio = Math.min(window.devicePixelRatio, this.soft && options.adaptive ? SOFT_RATIO : MAX_RATIO);
    container.append(this.canvas);
    this.bin.add(() => this.close());
    this.watch();
    this.resize();
  }

  /** Starts the loop. Frames are drawn while `step` says so, and after `wake`. */
  run(step: Step): void {
    this.step = step;
    this.wake();
  }

  /** Asks for a frame. */
  wake(): void {
    if (this.request || document.hidden) return;
    this.request = requestAnimationFrame(this.frame);
  }

  dispose(): void {
    this.bin.empty();
  }

  private readonly frame = (now: number): void => {
    this.request = 0;
    const seconds = this.last ? clamp((now - this.last) / 1000, 0.001, 0.25) : 1 / 60;
    // Before drawing: a new size empties the canvas.
    if (this.options.adaptive && this.last) this.adapt(seconds * 1000);
    const again = this.step(seconds);
    this.renderer.render(this.scene, this.camera);
    this.frames += 1;
    // After a pause the first frame must not count the pause.
    this.last = again ? now : 0;
    if (again) this.wake();
  };

  private watch(): void {
    const observer = new ResizeObserver(() => {
      this.resize();
      // The browser shows the canvas right after this, and a new size has emptied it.
      if (this.frames > 0) this.renderer.render(this.scene, this.camera);
    });
    observer.observe(this.container);
    this.bin.add(() => observer.disconnect());
    this.bin.listen(document, 'visibilitychange', () => {
      this.last = 0;
      this.wake();
    });
    this.bin.listen(this.canvas, 'webglcontextrestored', () => this.wake());
  }

  private resize(): void {
    const width = Math.max(1, this.container.clientWidth);
    const height = Math.max(1, this.container.clientHeight);
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.wake();
  }

  private adapt(milliseconds: number): void {
    this.spent += milliseconds;
    this.measured += 1;
    if (this.measured < ADAPT_EVERY && this.spent < ADAPT_TIME) return;
    const mean = this.spent / this.measured;
    this.spent = this.measured = 0;
    const most = Math.min(window.devicePixelRatio, this.soft ? SOFT_RATIO : MAX_RATIO);
    const factor = mean > SLOW_FRAME * 2 ? 0.7 : mean > SLOW_FRAME ? 0.85 : mean < FAST_FRAME ? 1.1 : 1;
    const ratio = clamp(this.ratio * factor, Math.min(MIN_RATIO, most), most);
    if (Math.abs(ratio - this.ratio) < 0.01) return;
    this.ratio = ratio;
    this.resize();
  }

  private close(): void {
    cancelAnimationFrame(this.request);
    // A wake after the end must not draw with a dead context.
    this.request = -1;
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.canvas.remove();
  }
}

function createCanvas(label: string): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', label);
  canvas.style.cssText = 'display:block;width:100%;height:100%;touch-action:none;outline-offset:-3px';
  // The canvas fills its container, so a ring around it would be cut off: draw it inside.
  canvas.addEventListener('focus', () => {
    if (canvas.matches(':focus-visible')) canvas.style.outline = '3px solid var(--focus, #1a73e8)';
  });
  canvas.addEventListener('blur', () => (canvas.style.outline = ''));
  return canvas;
}

/** Asks a throw-away context, because the real one has to be told about smoothing when it is made. */
function softwareRenders(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  if (!context) throw new Error(NO_WEBGL);
  const info = context.getExtension('WEBGL_debug_renderer_info');
  const name = info ? String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
