// What is shown over a walk: compass, place, the map with oneself on it, the gait, and a stick for thumbs.

import { h } from '../dom';
import type { Walker } from '../scene/data';

const SIDES = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];

export type Gait = 'walk' | 'run' | 'fly';

export interface HudEvents {
  onGait(mode: Gait): void;
  onStick(dx: number, dy: number): void;
  /** The orienteering map around a place. */
  map(x: number, y: number): Promise<ImageBitmap>;
}

/** Metres of the map around the walker, and how far one may walk before it is drawn anew. */
export const MINI_M = 512;
const REDRAW_M = 90;

export class Hud {
  readonly element: HTMLElement;
  private readonly compass = h('output', { className: 'compass', 'aria-label': 'Bearing and place' });
  private readonly canvas = h('canvas', { width: 380, height: 380 });
  private readonly gait: HTMLElement;
  private picture: { bitmap: ImageBitmap; x: number; y: number } | null = null;
  private asking = false;
  private closed = false;

  constructor(
    private readonly events: HudEvents,
    private readonly walks: boolean,
  ) {
    const button = (mode: Gait, text: string) =>
      h('button', { type: 'button', 'data-gait': mode, 'aria-pressed': String(mode === 'walk'), onclick: () => this.choose(mode) }, text);
    this.gait = h('div', { className: 'gait modes', role: 'group', 'aria-label': 'Gait' }, button('walk', 'Walk'), button('run', 'Run'), button('fly', 'Fly'));
    const mini = h('div', { className: 'mini', role: 'img', 'aria-label': 'Orienteering map around you, north up' }, this.canvas);
    this.element = h('div', { className: 'hud' }, this.compass, ...(walks ? [mini, this.gait] : []), this.stick());
  }

  choose(mode: Gait): void {
    this.events.onGait(mode);
    this.press(mode);
  }

  private press(mode: Gait): void {
    for (const b of this.gait.querySelectorAll('button')) b.setAttribute('aria-pressed', String(b.dataset.gait === mode));
  }

  private stick(): HTMLElement {
    const knob = h('i', {});
    const stick = h('div', { className: 'stick', 'aria-hidden': 'true' }, knob);
    const move = (event: PointerEvent) => {
      const box = stick.getBoundingClientRect();
      let [dx, dy] = [(event.clientX - box.left) / box.width - 0.5, (event.clientY - box.top) / box.height - 0.5].map((v) => v * 2) as [number, number];
      const far = Math.max(1, Math.hypot(dx, dy));
      [dx, dy] = [dx / far, dy / far];
      knob.style.transform = `translate(${dx * 2.2}rem, ${dy * 2.2}rem)`;
      this.events.onStick(dx, dy);
    };
    const rest = () => {
      knob.style.transform = '';
      this.events.onStick(0, 0);
    };
    stick.onpointerdown = (event) => {
      stick.setPointerCapture(event.pointerId);
      move(event);
    };
    stick.onpointermove = (event) => {
      if (event.buttons) move(event);
    };
    stick.onpointerup = rest;
    stick.onpointercancel = rest;
    return stick;
  }

  /** Shows where the walker is and how it moves. */
  show(w: Walker, mode: Gait): void {
    this.press(mode);
    const bearing = ((w.bearing % 360) + 360) % 360;
    const side = SIDES[Math.round(bearing / 45) % 8];
    this.compass.value = this.walks
      ? `${side} ${bearing.toFixed(0)}°  ·  ${w.x.toFixed(0)} E, ${w.y.toFixed(0)} N`
      : `x ${w.x.toFixed(0)}, y ${w.y.toFixed(0)}, z ${w.above.toFixed(0)} light years`;
    if (!this.walks) return;
    this.draw(w);
    const far = this.picture ? Math.hypot(w.x - this.picture.x, w.y - this.picture.y) : Infinity;
    if (far > REDRAW_M && !this.asking) void this.ask(w);
  }

  private async ask(w: Walker): Promise<void> {
    this.asking = true;
    const [x, y] = [Math.round(w.x), Math.round(w.y)];
    try {
      const bitmap = await this.events.map(x, y);
      if (this.closed) {
        bitmap.close();
        return;
      }
      this.picture?.bitmap.close();
      this.picture = { bitmap, x, y };
      this.draw(w);
    } catch {
      // Beyond the edge of the world there is no map.
    } finally {
      this.asking = false;
    }
  }

  private draw(w: Walker): void {
    const ctx = this.canvas.getContext('2d')!;
    const { width, height } = this.canvas;
    ctx.fillStyle = '#fff';
    ctx.fillRect(0, 0, width, height);
    if (this.picture) {
      const { bitmap, x, y } = this.picture;
      const perM = bitmap.width / MINI_M;
      const scale = 1.2;
      ctx.drawImage(bitmap, width / 2 - ((w.x - x) * perM + bitmap.width / 2) * scale, height / 2 + ((w.y - y) * perM - bitmap.height / 2) * scale, bitmap.width * scale, bitmap.height * scale);
    }
    ctx.save();
    ctx.translate(width / 2, height / 2);
    ctx.rotate((w.bearing * Math.PI) / 180);
    ctx.beginPath();
    ctx.moveTo(0, -20);
    ctx.lineTo(12, 14);
    ctx.lineTo(0, 7);
    ctx.lineTo(-12, 14);
    ctx.closePath();
    ctx.fillStyle = '#b026be';
    ctx.strokeStyle = '#fff';
    ctx.lineWidth = 3;
    ctx.stroke();
    ctx.fill();
    ctx.restore();
  }

  dispose(): void {
    this.closed = true;
    this.picture?.bitmap.close();
    this.element.remove();
  }
}
