// Figures, hashes and the checker.

import { fill, h, number, words } from '../dom';
import type { CheckReport, Made } from '../engine/types';

export interface AboutEvents {
  hashes(): Promise<[string, string][]>;
  check(): Promise<CheckReport>;
}

export class AboutPanel {
  readonly element = h('div', { className: 'about-panel' });
  /** Where answers go: those that come late are about the map that is shown by then. */
  private rules = h('div', {});
  private hashTable = h('table', {});

  constructor(private readonly events: AboutEvents) {}

  /** Tells of a world that was made; without one, of the world itself. */
  show(about: string, made: Made | null, seconds: number): void {
    this.rules = h('div', { className: 'rules' });
    this.hashTable = h('table', { className: 'hashes' });
    const children: (Node | string)[] = [h('p', {}, about)];
    if (made) {
      const reused = made.reused.length ? ` Kept from before: ${made.reused.join(', ')}.` : '';
      children.push(
        h('p', { className: 'about' }, `${made.width} × ${made.height} cells, made in ${seconds.toFixed(1)} s in this browser.${reused}`),
        ...made.notes.map((n) => h('p', { className: 'about' }, n)),
        h('h3', {}, 'Figures'),
        h('table', { className: 'figures' }, ...figures(made.figures)),
        h('h3', {}, 'Rules'),
        h('p', { className: 'about' }, 'The checker reads the files of this map and knows nothing of how it was made.'),
        h('button', { type: 'button', 'data-action': 'check', onclick: () => this.check() }, 'Check the rules'),
        this.rules,
        h('h3', {}, 'Hashes'),
        h('p', { className: 'about' }, 'SHA-256 of every layer, of the lines, points and polygons, and of the world’s own data files. The command line gives the same on every machine.'),
        h('button', { type: 'button', 'data-action': 'hashes', onclick: () => this.hashes() }, 'Show the hashes'),
        this.hashTable,
      );
    }
    fill(this.element, ...children);
  }

  private async hashes(): Promise<void> {
    try {
      const list = await this.events.hashes();
      fill(this.hashTable, ...list.map(([name, hash]) => h('tr', { 'data-name': name, 'data-hash': hash }, h('th', { scope: 'row' }, name), h('td', { title: hash }, `${hash.slice(0, 16)}…`))));
    } catch (error) {
      fill(this.hashTable, h('tr', {}, h('td', { className: 'problem' }, (error as Error).message)));
    }
  }

  private async check(): Promise<void> {
    fill(this.rules, h('p', { className: 'about' }, 'Checking …'));
    try {
      const report = await this.events.check();
      const row = (r: CheckReport['rules'][number]) =>
        h('tr', {}, h('th', { scope: 'row' }, r.rule), h('td', { className: r.violations ? 'broken' : 'ok' }, r.violations ? `${r.violations} broken` : 'kept'), h('td', {}, number(r.checked)));
      fill(this.rules, h('p', { 'data-ok': String(report.ok) }, report.ok ? `All ${report.rules.length} rules are kept.` : 'Some rules are broken.'), h('table', {}, ...report.rules.map(row)));
    } catch (error) {
      fill(this.rules, h('p', { className: 'problem' }, (error as Error).message));
    }
  }
}

function figures(object: Record<string, unknown>, path = ''): HTMLElement[] {
  return Object.entries(object).flatMap(([key, value]) => {
    const name = path ? `${path}, ${words(key).toLowerCase()}` : words(key);
    if (value && typeof value === 'object' && !Array.isArray(value)) return figures(value as Record<string, unknown>, name);
    const text = typeof value === 'number' ? number(value) : Array.isArray(value) ? value.map((v) => (typeof v === 'number' ? number(v) : JSON.stringify(v))).slice(0, 8).join(', ') : String(value);
    return [h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, text))];
  });
}
