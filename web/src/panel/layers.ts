// The panel of layers: views, overlays with opacity and blending, contours, and the legend.

import { fill, h, number, words } from '../dom';
import type { LayerInfo, Legend, Scale, ViewInfo } from '../engine/types';
import type { Overlay } from '../state';

export interface LayerEvents {
  onView(view: string): void;
  onSetting(name: string, value: number): void;
  onOverlays(overlays: Overlay[]): void;
  onContours(step: number): void;
}

export class LayerPanel {
  readonly element: HTMLElement;
  private readonly views = h('div', { className: 'views' });
  private readonly list = h('ul', { className: 'layers' });
  private readonly contour = h('div', { className: 'contours' });
  private readonly legend = h('div', { className: 'legend' });
  private overlays: Overlay[] = [];

  constructor(private readonly events: LayerEvents) {
    this.element = h(
      'div',
      { className: 'layer-panel' },
      h('h3', {}, 'View'),
      this.views,
      h('h3', {}, 'Layers over it'),
      this.list,
      this.contour,
      h('h3', {}, 'Legend'),
      this.legend,
    );
  }

  /** Shows the views of a world and the settings of the chosen one. */
  showViews(views: ViewInfo[], chosen: string, settings: Record<string, number>): void {
    const option = (view: ViewInfo) => {
      const input = h('input', { type: 'radio', name: 'view', value: view.name, checked: view.name === chosen, onchange: () => this.events.onView(view.name) });
      return h('label', { className: 'view' }, input, h('span', {}, h('strong', {}, words(view.name)), ` ${view.about}`));
    };
    const now = views.find((v) => v.name === chosen);
    const setting = (s: ViewInfo['settings'][number]) => {
      const input = h('input', { type: 'number', min: s.min, max: s.max, step: s.whole ? 1 : 'any', value: String(settings[s.name] ?? s.default) });
      input.onchange = () => this.events.onSetting(s.name, Number(input.value));
      return h('label', { className: 'setting', title: s.about }, h('span', {}, words(s.name)), input, s.unit);
    };
    fill(this.views, ...views.map(option), ...(now?.settings ?? []).map(setting));
  }

  /** Lists the layers that can be laid over the map, or says why there are none. */
  showLayers(layers: LayerInfo[], overlays: Overlay[], none: string): void {
    this.overlays = overlays;
    const change = (next: Overlay[]) => {
      this.overlays = next;
      this.events.onOverlays(next);
    };
    const item = (layer: LayerInfo) => {
      const at = () => this.overlays.find((o) => o.name === layer.name);
      const box = h('input', { type: 'checkbox', checked: !!at(), onchange: () => toggle() });
      const opacity = h('input', { type: 'range', min: 0.05, max: 1, step: 0.05, value: String(at()?.opacity ?? 1), 'aria-label': `Opacity of ${words(layer.name)}` });
      const blend = h('input', { type: 'checkbox', checked: at()?.blend === 'multiply', 'aria-label': `Blend ${words(layer.name)} with the map` });
      const more = h('div', { className: 'more', hidden: !at() }, opacity, h('label', { title: 'Multiply with the map, so that its relief shows' }, blend, ' blend'));
      const toggle = () => {
        more.hidden = !box.checked;
        const rest = this.overlays.filter((o) => o.name !== layer.name);
        change(box.checked ? [...rest, { name: layer.name, opacity: Number(opacity.value), blend: blend.checked ? 'multiply' : 'normal' }] : rest);
      };
      const update = () =>
        change(this.overlays.map((o) => (o.name === layer.name ? { ...o, opacity: Number(opacity.value), blend: blend.checked ? 'multiply' : 'normal' } : o)));
      opacity.oninput = update;
      blend.onchange = update;
      const unit = layer.unit && layer.unit !== '1' ? ` (${layer.unit})` : '';
      return h('li', { 'data-layer': layer.name }, h('label', { title: layer.about }, box, ` ${words(layer.name)}${unit}`), more);
    };
    if (layers.length === 0) fill(this.list, h('li', { className: 'about' }, none));
    else fill(this.list, ...layers.map(item));
  }

  /** The control of contour lines; none if there is no height. */
  showContours(range: [number, number] | null, step: number, unit: string): void {
    if (!range) {
      fill(this.contour);
      return;
    }
    const round = (v: number) => Number(v.toPrecision(1));
    const usual = Math.max(round((range[1] - range[0]) / 15), Number.MIN_VALUE);
    const input = h('input', { type: 'number', min: 0, step: 'any', value: String(step || usual), 'aria-label': 'Contour interval' });
    const box = h('input', { type: 'checkbox', checked: step > 0 });
    const update = () => this.events.onContours(box.checked && Number(input.value) > 0 ? Number(input.value) : 0);
    box.onchange = update;
    input.onchange = update;
    fill(this.contour, h('label', {}, box, ' Contour lines every '), input, unit === '1' ? '' : ` ${unit}`);
  }

  /** The legend of the map and of the layers over it. */
  showLegend(map: Legend | null, layers: { layer: LayerInfo; scale: Scale | null }[]): void {
    const parts: Node[] = [];
    for (const { layer, scale } of layers) parts.push(scale ? ramp(layer, scale) : classes(layer));
    if (map) parts.push(...samples(map));
    if (parts.length === 0) parts.push(h('p', { className: 'about' }, 'No legend for this view.'));
    fill(this.legend, ...parts);
  }
}

function ramp(layer: LayerInfo, scale: Scale): HTMLElement {
  const stops = scale.colours.map((c) => `rgb(${c.join(' ')})`).join(', ');
  const unit = layer.unit && layer.unit !== '1' ? ` ${layer.unit}` : '';
  return h(
    'section',
    {},
    h('h4', {}, words(layer.name)),
    h('div', { className: 'ramp', style: `background: linear-gradient(to right, ${stops})` }),
    h('div', { className: 'ends' }, h('span', {}, number(scale.low)), h('span', {}, scale.logarithmic ? 'logarithmic' : ''), h('span', {}, number(scale.high) + unit)),
  );
}

function classes(layer: LayerInfo): HTMLElement {
  const row = (c: NonNullable<LayerInfo['classes']>[number]) =>
    h('li', {}, h('span', { className: 'swatch', style: `background: rgb(${c.colour.join(' ')})` }), words(c.name));
  return h('section', {}, h('h4', {}, words(layer.name)), h('ul', {}, ...(layer.classes ?? []).map(row)));
}

function samples(legend: Legend): HTMLElement[] {
  let k = 0;
  const sample = () => {
    const canvas = h('canvas', { width: legend.samples?.width ?? 1, height: legend.step || 1, className: 'sample' });
    if (legend.samples) canvas.getContext('2d')!.drawImage(legend.samples, 0, k * legend.step, canvas.width, canvas.height, 0, 0, canvas.width, canvas.height);
    k++;
    return canvas;
  };
  return legend.parts.map((part) =>
    h(
      'section',
      {},
      h('h4', {}, part.heading),
      h('ul', {}, ...part.entries.map((e) => h('li', {}, sample(), h('span', {}, e.label), h('span', { className: 'value' }, e.value)))),
    ),
  );
}
