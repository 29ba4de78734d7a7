// The contact sheet: twelve seeds of a world as small maps.

import { fill, h } from './dom';
import type { Pool } from './engine/client';
import { EngineError, type Request } from './engine/types';

const COUNT = 12;
/** Where the size is only a resolution, maps are made with at most this many cells a side: enough for a small picture. */
const MOST_CELLS = 256;
const PX = 512;

export class ContactSheet {
  readonly element: HTMLElement;
  private readonly grid = h('ol', { className: 'grid' });
  private abort = new AbortController();

  constructor(
    private readonly pool: Pool,
    private readonly onOpen: (seed: string) => void,
    private readonly onPage: (first: number) => void,
  ) {
    this.element = h('div', { className: 'sheet', hidden: true }, this.grid);
  }

  /** Makes the pictures of the seeds from `first` on. `finer` says that the land is the same with fewer cells. */
  show(request: Request, size: [number, number], finer: boolean, look: { view?: string; settings?: Record<string, number> }, first: number): void {
    this.stop();
    const { signal } = this.abort;
    const long = Math.max(...size);
    const small = finer && long > MOST_CELLS ? (size.map((n) => Math.max(64, Math.round((n * MOST_CELLS) / long))) as [number, number]) : size;
    const cells = Array.from({ length: COUNT }, (_, i) => {
      const seed = String(first + i);
      const canvas = h('canvas', { width: 4, height: 4 });
      const label = h('span', {}, `Seed ${seed}`);
      const button = h('button', { type: 'button', 'data-seed': seed, className: 'waiting', onclick: () => this.onOpen(seed) }, canvas, label);
      // Maps of one's own are resampled only where the size is a resolution.
      const sized = request.maps ? (small === size ? {} : { size: small, resample: true }) : { size: small };
      const wanted: Request = { ...request, ...sized, seed };
      this.pool
        .call('thumbnail', [wanted, { ...look, px: PX }], signal)
        .then((picture) => {
          canvas.width = picture.width;
          canvas.height = picture.height;
          canvas.getContext('2d')!.drawImage(picture, 0, 0);
          picture.close();
          button.className = '';
        })
        .catch((error: unknown) => {
          if (error instanceof EngineError && error.cancelled) return;
          button.className = 'failed';
          label.textContent = `Seed ${seed}: ${(error as Error).message}`;
        });
      return h('li', {}, button);
    });
    const page = (to: number, text: string) => h('button', { type: 'button', disabled: to < 0 || first === to, onclick: () => this.onPage(Math.max(0, to)) }, text);
    const note = small !== size ? h('p', { className: 'about' }, `Made with ${small.join(' × ')} cells; a click makes the whole map.`) : null;
    fill(this.grid, ...cells);
    this.element.replaceChildren(h('div', { className: 'pages' }, page(Math.max(0, first - COUNT), '← Earlier seeds'), page(first + COUNT, 'Later seeds →')), this.grid, ...(note ? [note] : []));
    this.element.hidden = false;
  }

  stop(): void {
    this.abort.abort();
    this.abort = new AbortController();
    this.element.hidden = true;
  }
}
