// What is at a place, and why.

import { fill, h, iconButton, number, words } from '../dom';
import type { Explanation, Reason } from '../engine/types';

export class Inspector {
  readonly element: HTMLElement;
  private readonly body = h('div', { className: 'body' });

  constructor(onClose: () => void) {
    this.element = h(
      'section',
      { className: 'inspector', hidden: true, tabIndex: -1, 'aria-label': 'What is at this place' },
      h('header', {}, h('h2', {}, 'This place'), iconButton('✕', 'Close', onClose)),
      this.body,
    );
  }

  hide(): void {
    this.element.hidden = true;
  }

  waiting(): void {
    this.element.hidden = false;
    fill(this.body, h('p', { className: 'about' }, 'Looking …'));
  }

  fail(message: string): void {
    this.element.hidden = false;
    fill(this.body, h('p', { className: 'problem' }, message));
  }

  show(e: Explanation): void {
    this.element.hidden = false;
    this.element.scrollTop = 0;
    const place = e.coordinates.map((c) => `${words(c.name)} ${number(c.value)}${c.unit ? ` ${c.unit}` : ''}`).join(', ');
    fill(
      this.body,
      h('p', { className: 'place' }, place),
      ...e.reasons.map(reason),
      features(e),
      values(e),
      ...e.notes.map((n) => h('p', { className: 'about' }, n)),
    );
  }
}

function reason(r: Reason): HTMLElement {
  const numbers = r.numbers.map((n) => h('tr', {}, h('th', { scope: 'row' }, n.name), h('td', {}, number(n.value)), h('td', {}, n.unit === '1' ? '' : n.unit)));
  const neighbours = r.neighbours.map((n) => h('li', {}, h('strong', {}, n.direction), ` ${n.contributes}`));
  const rule = r.rule ? h('p', { className: 'rule' }, r.rule) : null;
  const details = rule || numbers.length || neighbours.length
    ? h('details', {}, h('summary', {}, 'Why'), rule, numbers.length ? h('table', {}, ...numbers) : null, neighbours.length ? h('ul', {}, ...neighbours) : null)
    : null;
  return h('section', { className: 'reason', 'data-subject': r.subject }, h('h3', {}, words(r.subject), h('span', { className: 'answer' }, words(r.answer))), h('p', {}, r.sentence), details);
}

function features(e: Explanation): HTMLElement | null {
  if (e.features.length === 0) return null;
  const item = (f: Explanation['features'][number]) => {
    const shown = Object.entries(f.properties).filter(([, v]) => typeof v !== 'object' || v === null).slice(0, 6);
    const text = shown.map(([k, v]) => `${words(k).toLowerCase()} ${typeof v === 'number' ? number(v) : v}`).join(', ');
    return h('li', {}, h('strong', {}, `${words(f.set)} ${f.id}`), f.near === 'here' ? ' here' : ' beside', text ? `: ${text}` : '');
  };
  return h('section', {}, h('h3', {}, 'In this cell and next to it'), h('ul', {}, ...e.features.slice(0, 12).map(item)));
}

function values(e: Explanation): HTMLElement {
  const row = (v: Explanation['values'][number]) =>
    h('tr', { 'data-layer': v.layer }, h('th', { scope: 'row' }, words(v.layer)), h('td', {}, v.names.length ? v.names.map(words).join(', ') : number(v.value)), h('td', {}, v.unit === '1' ? '' : v.unit));
  return h('details', { className: 'values', open: true }, h('summary', {}, 'Every layer'), h('table', {}, ...e.values.map(row)));
}
