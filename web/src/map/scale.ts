// The scale bar.

import { h } from '../dom';

/** A round length whose bar is at most `most` pixels wide, and its width. */
export function roundLength(unitsPerPixel: number, most: number): { length: number; px: number } {
  const longest = unitsPerPixel * most;
  const power = 10 ** Math.floor(Math.log10(longest));
  const length = [5, 2, 1].map((n) => n * power).find((n) => n <= longest) ?? power;
  return { length, px: length / unitsPerPixel };
}

/** A length with its unit: metres become kilometres, centimetres are left out. */
export function lengthText(length: number, unit: string): string {
  const plain = (v: number) => String(Number(v.toPrecision(3)));
  if (unit === 'm' && length >= 1000) return `${plain(length / 1000)} km`;
  if (unit === 'm' && length < 1) return `${plain(length * 100)} cm`;
  return `${plain(length)} ${unit}`;
}

export class ScaleBar {
  private readonly bar = h('span', { className: 'bar' });
  private readonly text = h('span', {});
  readonly element = h('div', { className: 'scale', role: 'img' }, this.bar, this.text);

  /** `unitsPerPixel` in units of `unit`. */
  set(unitsPerPixel: number, unit: string): void {
    const { length, px } = roundLength(unitsPerPixel, 120);
    this.bar.style.width = `${px}px`;
    this.text.textContent = lengthText(length, unit);
    this.element.setAttribute('aria-label', `The bar is ${lengthText(length, unit)} long`);
  }
}
