// Keys and pointers as the views want them.

import type { Bin } from './bin';

/** Degrees a pixel of dragging turns the view. */
const TURN_PER_PIXEL = 0.18;
/** Keys that would scroll the page. */
const SCROLLING = new Set(['arrowup', 'arrowdown', 'arrowleft', 'arrowright', ' ']);
const TYPING = 'input, textarea, select, [contenteditable=""], [contenteditable="true"]';
/** The space bar and arrows belong to these when they have the focus. */
const PRESSABLE = 'button, a, summary, [role="button"], [role="tab"], [role="menuitem"], [role="slider"]';

/** Keys that are held down, by their lower-case names: `w`, `arrowup`, `shift`, ` `. */
export class Keys {
  private readonly held = new Set<string>();

  /** Listens for `names` in the whole window; `changed` is called when one goes down or up. */
  constructor(bin: Bin, private readonly names: ReadonlySet<string>, private readonly changed: () => void = () => {}) {
    bin.listen<KeyboardEvent>(window, 'keydown', (event) => this.onKey(event, true));
    bin.listen<KeyboardEvent>(window, 'keyup', (event) => this.onKey(event, false));
    // A key that is let go in another window never says so.
    bin.listen(window, 'blur', () => this.clear());
  }

  press(name: string, down: boolean): void {
    const key = name.toLowerCase();
    if (down) this.held.add(key);
    else this.held.delete(key);
    this.changed();
  }

  has(...names: string[]): boolean {
    return names.some((name) => this.held.has(name));
  }

  /** −1, 0 or 1: whether the keys of the one or of the other side are held. */
  axis(minus: string[], plus: string[]): number {
    return Number(this.has(...plus)) - Number(this.has(...minus));
  }

  get any(): boolean {
    return this.held.size > 0;
  }

  private clear(): void {
    this.held.clear();
    this.changed();
  }

  private onKey(event: KeyboardEvent, down: boolean): void {
    const name = event.key.toLowerCase();
    if (!this.names.has(name)) return;
    // A key that goes up always counts, or it would stay held for ever.
    if (down && (event.ctrlKey || event.metaKey || event.altKey || busy(name))) return;
    if (down && SCROLLING.has(name)) event.preventDefault();
    this.press(name, down);
  }
}

function busy(name: string): boolean {
  const focused = document.activeElement;
  if (!focused) return false;
  return focused.matches(TYPING) || (SCROLLING.has(name) && focused.matches(PRESSABLE));
}

/** Turns drags into degrees: to the right and upwards. A double click locks the pointer where that is possible. */
export function watchLook(bin: Bin, canvas: HTMLCanvasElement, turn: (right: number, up: number) => void): void {
  let dragging = -1;
  let x = 0;
  let y = 0;
  bin.listen<PointerEvent>(canvas, 'pointerdown', (event) => {
    if (dragging >= 0) return;
    dragging = event.pointerId;
    [x, y] = [event.clientX, event.clientY];
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
  });
  bin.listen<PointerEvent>(canvas, 'pointermove', (event) => {
    if (document.pointerLockElement === canvas) {
      turn(event.movementX * TURN_PER_PIXEL, -event.movementY * TURN_PER_PIXEL);
    } else if (event.pointerId === dragging) {
      // A dragged picture follows the finger, so the view turns the other way.
      turn((x - event.clientX) * TURN_PER_PIXEL, (event.clientY - y) * TURN_PER_PIXEL);
      [x, y] = [event.clientX, event.clientY];
    }
  });
  const release = (event: PointerEvent): void => {
    if (event.pointerId === dragging) dragging = -1;
  };
  bin.listen(canvas, 'pointerup', release);
  bin.listen(canvas, 'pointercancel', release);
  bin.listen<MouseEvent>(canvas, 'dblclick', () => {
    // Browsers may refuse, for example in a frame: then dragging still works.
    void Promise.resolve(canvas.requestPointerLock?.()).catch(() => undefined);
  });
  bin.add(() => {
    if (document.pointerLockElement === canvas) document.exitPointerLock();
  });
}
