// The frame of the page: top bar, panel with tabs, what lies over the stage, dialogs.

import { fill, h, iconButton, words } from './dom';
import type { Progress, WorldInfo } from './engine/types';
import type { Mode, State } from './state';

export interface ChromeEvents {
  onWorld(world: string): void;
  onRecipe(recipe: string): void;
  onSeed(seed: string): void;
  onRoll(): void;
  onMode(mode: Mode): void;
  onSize(size: [number, number] | null): void;
  onResetAll(): void;
  onZoom(steps: number): void;
  onFit(): void;
  onCancel(): void;
  onShare(menu: HTMLElement): void;
}

const MODES: [Mode, string][] = [
  ['map', 'Map'],
  ['3d', '3-D'],
  ['sheet', 'Seeds'],
];

const KEYS: [string, string][] = [
  ['1 2 3', 'map, 3-D view, contact sheet of seeds'],
  ['R', 'another seed'],
  ['+ −', 'zoom'],
  ['0', 'the whole map'],
  ['arrows', 'move the map; walk or turn in 3-D'],
  ['P L I', 'parameters, layers, about this map'],
  ['C', 'copy the link'],
  ['W A S D', 'walk; with Shift run; F flies, E and Q rise and sink'],
  ['Enter', 'what is in the middle of the map, when the map has the focus'],
  ['Esc', 'close, or cancel what runs'],
  ['?', 'this help'],
];

export class Chrome {
  readonly mapElement = h('div', { className: 'map', tabIndex: 0, role: 'application', 'aria-label': 'Map. Drag or use the arrow keys to move it, plus and minus to zoom.' });
  readonly sceneElement = h('div', { className: 'scene', hidden: true });
  readonly stage: HTMLElement;
  readonly panes: Record<'parameters' | 'layers' | 'about', HTMLElement>;
  private readonly world: HTMLSelectElement;
  private readonly recipe: HTMLSelectElement;
  private readonly seed: HTMLInputElement;
  private readonly modes: HTMLElement;
  private readonly width: HTMLInputElement;
  private readonly height: HTMLInputElement;
  private readonly panel: HTMLElement;
  private readonly toggle: HTMLButtonElement;
  private readonly progress: HTMLElement;
  private readonly progressText = h('span', {});
  private readonly progressBar = h('progress', { max: 1 });
  private readonly toasts = h('div', { className: 'toasts', role: 'status', 'aria-live': 'polite' });
  private readonly status: HTMLElement;
  readonly hover = h('span', { className: 'hover' }, '');
  private readonly zoomButtons: HTMLElement;

  constructor(
    root: HTMLElement,
    private readonly events: ChromeEvents,
    worlds: WorldInfo[],
    private readonly version: string,
    scale: HTMLElement,
  ) {
    this.world = h('select', { 'aria-label': 'World', onchange: () => events.onWorld(this.world.value) }, ...worlds.map((w) => h('option', { value: w.name, title: w.about }, words(w.name))));
    this.recipe = h('select', { 'aria-label': 'Recipe', onchange: () => events.onRecipe(this.recipe.value) });
    this.seed = h('input', { type: 'text', inputMode: 'numeric', pattern: '[0-9]{1,20}', 'aria-label': 'Seed', autocomplete: 'off', onchange: () => events.onSeed(this.seed.value) });
    this.modes = h('div', { className: 'modes', role: 'group', 'aria-label': 'View' }, ...MODES.map(([mode, text]) => h('button', { type: 'button', 'data-mode': mode, onclick: () => events.onMode(mode) }, text)));
    this.width = h('input', { type: 'number', min: 1, step: 1, 'aria-label': 'Width in cells', onchange: () => this.sized() });
    this.height = h('input', { type: 'number', min: 1, step: 1, 'aria-label': 'Height in cells', onchange: () => this.sized() });
    this.panes = {
      parameters: h('div', { className: 'pane', role: 'tabpanel', id: 'pane-parameters', 'aria-label': 'Parameters', tabIndex: -1 }),
      layers: h('div', { className: 'pane', role: 'tabpanel', id: 'pane-layers', 'aria-label': 'Layers', tabIndex: -1, hidden: true }),
      about: h('div', { className: 'pane', role: 'tabpanel', id: 'pane-about', 'aria-label': 'About', tabIndex: -1, hidden: true }),
    };
    this.panes.parameters.append(
      h('div', { className: 'size' }, h('span', {}, 'Size'), this.width, '×', this.height, h('span', { className: 'unit' }, 'cells'), h('button', { type: 'button', title: 'Back to the recipe’s values', onclick: () => events.onResetAll() }, 'Reset all')),
    );
    this.panel = h('aside', { className: 'panel', 'aria-label': 'Settings' }, this.tabs(), ...Object.values(this.panes));
    this.toggle = iconButton('☰', 'Settings', () => this.openPanel(!this.panel.classList.contains('open')), { className: 'icon panel-toggle' });
    this.progress = h('div', { className: 'progress', role: 'status', hidden: true }, this.progressText, this.progressBar, h('button', { type: 'button', 'data-action': 'cancel', onclick: () => events.onCancel() }, 'Cancel'));
    this.status = h('div', { className: 'status' }, scale, this.hover);
    this.zoomButtons = h('div', { className: 'zoom' }, iconButton('+', 'Zoom in', () => events.onZoom(1)), iconButton('−', 'Zoom out', () => events.onZoom(-1)), iconButton('⤢', 'The whole map', () => events.onFit()));
    this.stage = h('main', { className: 'stage' }, this.mapElement, this.sceneElement, this.zoomButtons, this.status, this.progress, this.toasts);
    fill(root, h('div', { className: 'shell' }, this.top(), this.panel, this.stage));
    this.showTab('parameters');
  }

  private top(): HTMLElement {
    return h(
      'header',
      { className: 'top' },
      h('h1', { className: 'brand' }, h('img', { src: './icon.svg', alt: '' }), h('span', {}, 'Weald')),
      this.toggle,
      h('label', { className: 'choice' }, h('span', {}, 'World'), this.world),
      h('label', { className: 'choice' }, h('span', {}, 'Recipe'), this.recipe),
      h('div', { className: 'choice seed' }, h('span', {}, 'Seed'), this.seed, iconButton('⚄', 'Another seed', () => this.events.onRoll())),
      this.modes,
      h('span', { className: 'grow' }),
      this.menu(),
      iconButton('◐', 'Light or dark', () => this.theme(), { className: 'icon theme' }),
      iconButton('?', 'Help', () => this.help()),
    );
  }

  private tabs(): HTMLElement {
    const tab = (name: keyof Chrome['panes'], text: string) =>
      h('button', { type: 'button', role: 'tab', 'data-tab': name, 'aria-controls': `pane-${name}`, onclick: () => this.showTab(name) }, text);
    const list = h('div', { className: 'tabs', role: 'tablist', 'aria-label': 'Settings' }, tab('parameters', 'Parameters'), tab('layers', 'Layers'), tab('about', 'About'));
    list.addEventListener('keydown', (event) => this.tabKey(event));
    return list;
  }

  /** Arrows, Home and End move between tabs; the Tab key goes on to the chosen pane. */
  private tabKey(event: KeyboardEvent): void {
    const tabs = [...this.panel.querySelectorAll<HTMLElement>('[role=tab]')];
    const at = tabs.indexOf(event.target as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (at < 0 || to === undefined) return;
    const next = tabs.at(to % tabs.length)!;
    this.showTab(next.dataset.tab as keyof Chrome['panes']);
    next.focus();
    event.preventDefault();
  }

  showTab(name: keyof Chrome['panes']): void {
    for (const [key, pane] of Object.entries(this.panes)) pane.hidden = key !== name;
    for (const tab of this.panel.querySelectorAll<HTMLElement>('[role=tab]')) {
      const chosen = tab.dataset.tab === name;
      tab.setAttribute('aria-selected', String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
  }

  /** On a phone the panel lies over the map. */
  openPanel(open: boolean): void {
    this.panel.classList.toggle('open', open);
    this.toggle.setAttribute('aria-expanded', String(open));
  }

  private menu(): HTMLElement {
    const list = h('div', { hidden: true });
    const button = h('button', { type: 'button', 'data-action': 'share', 'aria-expanded': 'false' }, 'Share ▾');
    const open = (yes: boolean) => {
      if (yes) this.events.onShare(list);
      list.hidden = !yes;
      button.setAttribute('aria-expanded', String(yes));
    };
    button.onclick = () => open(list.hidden === true);
    document.addEventListener('pointerdown', (event) => {
      if (!list.hidden && !list.parentElement!.contains(event.target as Node)) open(false);
    });
    list.addEventListener('click', (event) => {
      if ((event.target as HTMLElement).closest('button')) open(false);
    });
    const menu = h('div', { className: 'menu' }, button, list);
    menu.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !list.hidden) {
        open(false);
        button.focus();
        event.stopPropagation();
      }
    });
    return menu;
  }

  private theme(): void {
    const chosen = document.documentElement.dataset.theme;
    const dark = chosen
      ? chosen === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'light' : 'dark';
  }

  help(): void {
    const keys = KEYS.map(([key, text]) => h('tr', {}, h('td', {}, ...key.split(' ').flatMap((k) => [h('kbd', {}, k), ' '])), h('td', {}, text)));
    const dialog = h(
      'dialog',
      { 'aria-label': 'Help' },
      h('h2', {}, `Weald ${this.version} in the browser`),
      h('p', {}, 'This page runs the engine itself: what you see is bit for bit what the command line writes. Click the map to read every value at a place, and why it is so. Drop a heightmap or a recipe on the map to begin from it. The address holds the world, its parameters and the view.'),
      h('table', {}, ...keys),
      h('p', {}, h('button', { type: 'button', className: 'primary', autofocus: true, onclick: () => dialog.close() }, 'Close')),
    );
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  private sized(): void {
    const [w, hgt] = [Math.round(Number(this.width.value)), Math.round(Number(this.height.value))];
    this.events.onSize(w > 0 && hgt > 0 ? [w, hgt] : null);
  }

  /** Shows what was chosen. */
  show(state: State, info: WorldInfo, seed: string, size: [number, number]): void {
    this.world.value = state.world;
    const recipes = info.recipes.map((r) => h('option', { value: r.name, title: r.about }, words(r.name.replaceAll('-', ' '))));
    if (state.recipe && !info.recipes.some((r) => r.name === state.recipe)) recipes.push(h('option', { value: state.recipe }, state.recipe));
    fill(this.recipe, ...recipes);
    this.recipe.value = state.recipe || info.name;
    this.seed.value = seed;
    [this.width.value, this.height.value] = size.map(String) as [string, string];
    for (const b of this.modes.querySelectorAll<HTMLElement>('button')) b.setAttribute('aria-pressed', String(b.dataset.mode === state.mode));
    this.mapElement.hidden = state.mode !== 'map';
    this.sceneElement.hidden = state.mode !== '3d';
    this.status.hidden = state.mode !== 'map';
    this.zoomButtons.hidden = state.mode !== 'map';
    document.title = `${words(state.world)} ${seed} – Weald`;
  }

  /** Progress of what runs; null when it has ended. */
  showProgress(text: string | null, progress: Progress | null = null): void {
    this.progress.hidden = text === null;
    if (text === null) return;
    this.progressText.textContent = progress?.stage ? `${text}: ${progress.stage}` : text;
    if (progress && progress.total > 0) this.progressBar.value = progress.done / progress.total;
    else this.progressBar.removeAttribute('value');
  }

  toast(text: string, bad = false): void {
    const toast = h('div', { className: bad ? 'toast bad' : 'toast', role: bad ? 'alert' : undefined }, text);
    this.toasts.append(toast);
    setTimeout(() => toast.remove(), bad ? 9000 : 3500);
  }
}
