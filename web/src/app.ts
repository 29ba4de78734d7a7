// The explorer: one state, which the address holds, and what follows from it.

import { Chrome } from './chrome';
import { debounce, fill, h, number, typing } from './dom';
import { acceptDrops, type Dropped } from './drop';
import { Channel, Pool, poolSize } from './engine/client';
import { EngineError, type LayerInfo, type Legend, type Made, type Parameters, type ParamValue, type Progress, type Request, type Scale, type WorldInfo } from './engine/types';
import { ScaleBar } from './map/scale';
import { type Extent, MapView, type OverlayPicture } from './map/view';
import { AboutPanel } from './panel/about';
import { ParameterForm } from './panel/form';
import { Hud, MINI_M } from './panel/hud';
import { Inspector } from './panel/inspector';
import { LayerPanel } from './panel/layers';
import { command, downloads, save } from './share';
import { ContactSheet } from './sheet';
import { fromHash, initial, isSeed, type Mode, type State, toHash } from './state';
import type { OpenScene } from './three';

/** Pixels of the first, coarse picture of a map. */
const COARSE_PX = 512;
/** Pixels of a picture that is looked at closely. */
const SHARP_PX = 4096;
/** Anything that takes longer than this shows its progress. */
const PATIENCE_MS = 300;
/** Metres between north lines. */
const NORTH_LINES_M = 300;

export class App {
  private state!: State;
  private info!: WorldInfo;
  private parameters!: Parameters;
  private made: Made | null = null;
  private seconds = 0;
  /** What the map on the screen was made from. */
  private shown = '';
  private readonly pool = new Pool(poolSize());
  private running: AbortController | null = null;
  private readonly chrome: Chrome;
  private readonly map: MapView;
  private readonly scale = new ScaleBar();
  private readonly form: ParameterForm;
  private readonly layers: LayerPanel;
  private readonly about: AboutPanel;
  private readonly inspector: Inspector;
  private readonly sheet: ContactSheet;
  private scene: OpenScene | null = null;
  private hud: Hud | null = null;
  private maps: Record<string, string> = {};
  /** Files that were dropped, for engines that start later. */
  private readonly files = new Map<string, Uint8Array>();
  private overlayPictures = new Map<string, { picture: ImageBitmap; layer: LayerInfo; scale: Scale | null }>();
  private hovering = false;
  private nextHover: { x: number; y: number } | null = null;

  static async start(root: HTMLElement): Promise<App> {
    const maker = new Channel();
    const [worlds, version] = await Promise.all([maker.call('worlds'), maker.call('version')]);
    const app = new App(root, worlds, version, maker);
    await app.open(location.hash);
    return app;
  }

  private constructor(
    root: HTMLElement,
    private readonly worlds: WorldInfo[],
    version: string,
    private readonly maker: Channel,
  ) {
    this.chrome = new Chrome(root, {
      onWorld: (world) => void this.change({ ...initial(world), mode: this.state.mode }, 'push'),
      onRecipe: (recipe) => void this.change({ recipe: recipe === this.state.world ? '' : recipe, params: {}, size: null, overlays: this.state.overlays }, 'push'),
      onSeed: (seed) => this.seed(seed),
      onRoll: () => this.roll(),
      onMode: (mode) => this.mode(mode),
      onSize: (size) => void this.change({ size }, 'replace'),
      onResetAll: () => {
        this.changed.clear();
        void this.change({ params: {}, size: null }, 'push');
      },
      onZoom: (steps) => this.map.zoom(steps),
      onFit: () => this.map.fit(),
      onCancel: () => this.cancel(),
      onShare: (menu) => this.share(menu),
    }, worlds, version, this.scale.element);
    this.map = new MapView(this.chrome.mapElement, {
      onHover: (at) => this.hover(at),
      onClick: (at) => void this.inspect(at),
      onMove: debounce(250, () => {
        // The map may have been put elsewhere since it moved.
        const centre = this.map.centre();
        if (!centre || this.state.mode !== 'map' || !this.placed) return;
        this.state.centre = centre;
        this.address('replace');
        this.showScale();
        void this.sharpen();
      }),
    });
    this.form = new ParameterForm({ onChange: (path, value) => this.param(path, value) });
    this.chrome.panes.parameters.append(this.form.element);
    this.layers = new LayerPanel({
      onView: (view) => void this.view(view),
      onSetting: (name, value) => void this.change({ settings: { ...this.state.settings, [name]: value } }, 'replace'),
      onOverlays: (overlays) => this.overlay({ overlays }),
      onContours: (contours) => this.overlay({ contours }),
    });
    this.chrome.panes.layers.append(this.layers.element);
    this.about = new AboutPanel({
      hashes: () => this.asked('Hashing', (signal, onProgress) => this.maker.run('hashes', [], signal, onProgress)),
      check: () => this.asked('Checking', (signal, onProgress) => this.maker.run('check', [], signal, onProgress)),
    });
    this.chrome.panes.about.append(this.about.element);
    this.inspector = new Inspector(() => this.closeInspector());
    this.sheet = new ContactSheet(this.pool, (seed) => void this.change({ seed, mode: 'map', centre: null }, 'push'), (first) => void this.change({ first }, 'replace'));
    this.chrome.stage.append(this.inspector.element, this.sheet.element);
    // A new worker knows nothing of the world that the old one made.
    this.maker.onRestart = () => this.forget();
    acceptDrops(this.chrome.stage, this.worlds, (dropped) => void this.drop(dropped), (message) => this.chrome.toast(message, true));
    // The event's own address: a late move of the old map may have changed that of the page by now.
    window.addEventListener('hashchange', (event) => void this.open(new URL(event.newURL).hash));
    window.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.map.resize()).observe(this.chrome.mapElement);
  }

  // ---- State ----

  /** Shows what an address says. */
  private async open(hash: string): Promise<void> {
    const read = fromHash(hash, this.worlds.map((w) => w.name)) ?? { state: initial(this.worlds[0]!.name), problems: [] };
    if (this.state && toHash(read.state) === toHash(this.state)) return;
    for (const problem of read.problems) this.chrome.toast(problem, true);
    this.maps = {};
    this.placed = false;
    this.changed.clear();
    await this.apply(read.state, 'replace', true);
  }

  private async change(change: Partial<State>, history: 'push' | 'replace'): Promise<void> {
    if (change.world && change.world !== this.state.world) {
      this.maps = {};
      this.placed = false;
    }
    if (change.world || change.recipe !== undefined) this.changed.clear();
    await this.apply({ ...this.state, ...change }, history, false);
  }

  /** Counts what was asked for: only the newest counts. */
  private turn = 0;
  /** World and recipe whose parameters the form shows. */
  private formOf = '';

  private async apply(next: State, history: 'push' | 'replace', restore: boolean): Promise<void> {
    const turn = ++this.turn;
    const before = this.state as State | undefined;
    this.running?.abort();
    this.sharpening?.abort();
    this.chrome.showProgress(null);
    this.state = next;
    this.info = this.worlds.find((w) => w.name === next.world)!;
    this.address(history);
    const formOf = `${next.world} ${next.recipe}`;
    if (this.formOf !== formOf) {
      try {
        const parameters = await this.maker.call('parameters', next.world, next.recipe);
        if (turn !== this.turn) return;
        this.parameters = parameters;
        this.formOf = formOf;
        this.form.show(parameters, next.params);
      } catch (error) {
        if (turn !== this.turn) return;
        this.chrome.toast((error as Error).message, true);
        if (next.recipe) await this.apply({ ...next, recipe: '' }, 'replace', restore);
        return;
      }
    }
    this.tidy(next);
    this.address('replace');
    this.form.set(next.params);
    this.chrome.show(next, this.info, this.seedText(), this.size());
    if (before?.mode !== next.mode || before?.world !== next.world) this.closeScene();
    if (next.mode !== 'sheet') this.sheet.stop();
    this.closeInspector();
    await this.update(restore || before?.world !== next.world);
  }

  /** Drops what the world does not have, and says so. */
  private tidy(state: State): void {
    const problem = (text: string) => this.chrome.toast(text, true);
    for (const [path, value] of Object.entries(state.params)) {
      const schema = this.parameters.parameters.find((p) => p.path === path)?.schema;
      if (!schema) {
        problem(`There is no parameter called “${path}”.`);
        delete state.params[path];
      } else if (schema.type === 'string') state.params[path] = String(value);
    }
    const view = this.info.views.find((v) => v.name === (state.view ?? this.info.views[0]!.name));
    if (!view) {
      problem(`There is no view called “${state.view}”.`);
      state.view = null;
      state.settings = {};
    }
    for (const name of Object.keys(state.settings).filter((n) => !view?.settings.some((s) => s.name === n))) {
      problem(`There is no setting called “${name}”.`);
      delete state.settings[name];
    }
    const known = (name: string) => this.info.layers.some((l) => l.name === name);
    for (const { name } of state.overlays.filter((o) => !known(o.name))) problem(`There is no layer called “${name}”.`);
    state.overlays = state.overlays.filter((o) => known(o.name));
  }

  private address(history: 'push' | 'replace'): void {
    const hash = toHash(this.state);
    if (hash === location.hash) return;
    if (history === 'push') window.history.pushState(null, '', hash);
    else window.history.replaceState(null, '', hash);
  }

  /** Forgets the world that was made. */
  private forget(): void {
    this.made = null;
    this.shown = '';
    this.pictured = '';
    this.contoured = '';
  }

  /** Another view. Views of an endless world other than its tiles show a window around the middle of the screen. */
  private async view(name: string): Promise<void> {
    const view = name === this.info.views[0]?.name ? null : name;
    const centre = this.state.centre;
    const window = this.tiled() && centre ? ([Math.round(centre.x), Math.round(centre.y)] as [number, number]) : this.state.window;
    await this.change({ view, settings: {}, window }, 'push');
  }

  private seedText(): string {
    return this.state.seed || this.parameters.seed;
  }

  private size(): [number, number] {
    return this.state.size ?? this.parameters.size;
  }

  private request(): Request {
    const { world, recipe, params, size } = this.state;
    const request: Request = { world, recipe, seed: this.seedText(), params };
    if (size || Object.keys(this.maps).length === 0) request.size = this.size();
    if (Object.keys(this.maps).length) {
      request.maps = this.maps;
      request.resample = size !== null && this.info.resamples;
    }
    return request;
  }

  /** The request of the window of an endless world around the centre of the map. */
  private windowRequest(): Request {
    const request = this.request();
    if (!this.info.tiles || !this.info.window) return request;
    const [width, height] = this.size();
    const centre = this.state.centre;
    const middle = this.tiled() ? (centre ? [centre.x, centre.y] : null) : this.state.window;
    if (!middle) return request;
    const [x, y] = this.info.window;
    const at = { [x]: Math.round(middle[0]! - width / 2), [y]: Math.round(middle[1]! + height / 2) };
    return { ...request, params: { ...at, ...request.params } };
  }

  /** The middle of the window that the recipe and the parameters name. */
  private middle(): { x: number; y: number } {
    const at = (path: string) => Number(this.state.params[path] ?? this.parameters.parameters.find((p) => p.path === path)?.value ?? 0);
    const [x, y] = (this.info.window?.map(at) ?? [0, 0]) as [number, number];
    const [width, height] = this.size();
    return x === 0 && y === 0 ? { x, y } : { x: x + Math.round(width / 2), y: y - Math.round(height / 2) };
  }

  private seed(text: string): void {
    const seed = text.trim();
    if (!isSeed(seed)) {
      this.chrome.toast('A seed is a whole number up to 18446744073709551615.', true);
      return;
    }
    void this.change({ seed }, 'push');
  }

  private roll(): void {
    const seed = String(crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000);
    void this.change({ seed }, 'push');
  }

  /** Changes of the form that wait for the next moment of rest. */
  private readonly changed = new Map<string, ParamValue | undefined>();

  private param(path: string, value: ParamValue | undefined): void {
    this.changed.set(path, value);
    this.flushParams();
  }

  private readonly flushParams = debounce(250, () => {
    const params = { ...this.state.params };
    for (const [path, value] of this.changed) {
      if (value === undefined) delete params[path];
      else params[path] = value;
    }
    this.changed.clear();
    void this.change({ params }, 'replace');
  });

  private mode(mode: Mode): void {
    if (mode !== this.state.mode) void this.change({ mode, camera: null }, 'push');
  }

  // ---- Making ----

  /** Brings the screen up to what the state says. Only the newest update counts. */
  private async update(restore: boolean): Promise<void> {
    const run = this.begin();
    const { signal } = run;
    try {
      if (this.state.mode === 'sheet') {
        this.describeWorld();
        const { view, settings, first } = this.state;
        this.sheet.show(this.request(), this.made && this.maps.height ? [this.made.width, this.made.height] : this.size(), this.info.fixedExtent, { view: view ?? undefined, settings }, first);
        return;
      }
      if (this.state.mode === '3d') await this.showScene(signal);
      else if (this.tiled()) await this.showTiles(restore);
      else await this.showMap(signal, restore);
      this.form.complain([]);
    } catch (error) {
      if (signal.aborted || (error instanceof EngineError && error.cancelled)) {
        if (this.running === run) this.chrome.toast('Cancelled.');
        return;
      }
      if (error instanceof EngineError) this.form.complain(error.problems);
      this.chrome.toast((error as Error).message, true);
    } finally {
      if (this.end(run)) {
        void this.sharpen();
        this.settled();
      }
    }
  }

  private tiled(): boolean {
    return this.info.tiles !== null && (this.state.view === null || this.state.view === this.info.views[0]?.name);
  }

  /** Begins something that the user waits for; what ran before is stopped. */
  private begin(): AbortController {
    this.running?.abort();
    this.sharpening?.abort();
    this.chrome.showProgress(null);
    const run = new AbortController();
    this.running = run;
    return run;
  }

  /** Ends it; false if something newer runs. */
  private end(run: AbortController): boolean {
    if (this.running !== run) return false;
    this.running = null;
    for (const go of this.atRest.splice(0)) go();
    return true;
  }

  /** What waits until nothing runs. */
  private readonly atRest: (() => void)[] = [];

  /** Resolves when nothing runs: what one asks about a map does not stop its drawing. */
  private async rest(): Promise<void> {
    while (this.running) await new Promise<void>((go) => this.atRest.push(go));
  }

  private cancel(): void {
    this.running?.abort();
    this.chrome.showProgress(null);
  }

  /** Calls the engine and shows the progress of what takes long. */
  private async busy<T>(text: string, signal: AbortSignal, work: (onProgress: (p: Progress) => void) => Promise<T>): Promise<T> {
    let last: Progress | null = null;
    let visible = false;
    const timer = setTimeout(() => {
      visible = true;
      if (!signal.aborted) this.chrome.showProgress(text, last);
    }, PATIENCE_MS);
    try {
      return await work((p) => {
        last = p;
        if (visible && !signal.aborted) this.chrome.showProgress(text, p);
      });
    } finally {
      clearTimeout(timer);
      if (!signal.aborted) this.chrome.showProgress(null);
    }
  }

  /** A question about the map that the user waits for. */
  private async asked<T>(text: string, call: (signal: AbortSignal, onProgress: (p: Progress) => void) => Promise<T>): Promise<T> {
    await this.rest();
    const run = this.begin();
    try {
      // A worker that was stopped has forgotten the map.
      await this.make(this.windowRequest(), run.signal);
      return await this.busy(text, run.signal, (onProgress) => call(run.signal, onProgress));
    } finally {
      this.end(run);
    }
  }

  /** Makes the world of a request unless it is there already. */
  private async make(request: Request, signal: AbortSignal): Promise<Made> {
    const key = JSON.stringify(request);
    if (this.made && this.shown === key) return this.made;
    this.forget();
    this.forgetOverlays();
    const start = performance.now();
    const made = await this.busy('Making the world', signal, (onProgress) => this.maker.run('make', [request], signal, onProgress));
    if (signal.aborted) throw new EngineError('cancelled', 130);
    this.seconds = (performance.now() - start) / 1000;
    this.made = made;
    this.shown = key;
    return made;
  }

  private look() {
    return { view: this.state.view ?? undefined, settings: this.state.settings };
  }

  /** A finished map: a coarse picture first, then the whole one. */
  private async showMap(signal: AbortSignal, restore: boolean): Promise<void> {
    const request = this.windowRequest();
    const made = await this.make(request, signal);
    const pictured = JSON.stringify([this.shown, this.look()]);
    if (this.pictured !== pictured) {
      const places = await this.maker.run('places', [this.look()], signal);
      const coarse = await this.maker.run('picture', [{ ...this.look(), px: COARSE_PX }], signal);
      this.places = places;
      const extent = this.extentOf(made, coarse);
      const keep = !restore && this.lastExtent === extent.join();
      this.lastExtent = extent.join();
      // What is on the screen is neither the old map nor the whole new one.
      this.pictured = '';
      this.map.showPicture(extent, this.cellOf(made), coarse, keep);
      this.putMap(restore);
      document.body.dataset.coarse = String(Math.round(performance.now()));
      this.describe(made);
      const whole = await this.busy('Drawing', signal, (onProgress) => this.maker.run('picture', [this.look()], signal, onProgress));
      this.map.replacePicture(whole);
      this.pictured = pictured;
      this.layers.showViews(this.info.views, this.state.view ?? this.info.views[0]!.name, this.state.settings);
      void this.showLegend(signal);
    } else this.describe(made);
    this.putMap(restore);
    await this.showOverlays(signal);
  }

  /** Puts the map where the address says. From then on its moves are the user's. */
  private putMap(restore: boolean): void {
    if (restore && this.state.centre) this.map.setCentre(this.state.centre);
    this.placed = true;
    this.showScale();
  }

  private sharpening: AbortController | null = null;

  /** Draws the map with more pixels when the screen shows its pixels large. */
  private async sharpen(): Promise<void> {
    const { made, pictured } = this;
    if (this.running || this.sharpening || this.state.mode !== 'map' || this.tiled() || !made || this.places !== 'cells') return;
    if (this.map.magnification() < 1.4 || this.map.pictureSize() >= SHARP_PX * 0.9) return;
    const sharpening = new AbortController();
    this.sharpening = sharpening;
    try {
      const picture = await this.maker.spare('picture', [{ ...this.look(), px: SHARP_PX }], sharpening.signal);
      if (this.made === made && this.pictured === pictured) this.map.replacePicture(picture);
      else picture.close();
    } catch {
      // It was not needed any more; the coarser picture stays.
    } finally {
      this.sharpening = null;
    }
  }

  private pictured = '';
  /** Whether the map lies where the address says, so that its moves are the user's. */
  private placed = false;
  private lastExtent = '';

  /** What the places of the picture on the screen are. */
  private places: 'cells' | 'degrees' | 'none' = 'cells';

  /** The map in its coordinates: columns east and rows south as negative numbers, metres in an endless world, degrees on a planet. */
  private extentOf(made: Made, picture: ImageBitmap): Extent {
    if (this.places === 'degrees') return [-180, -90, 180, 90];
    if (this.places === 'none') return [0, -made.width * (picture.height / picture.width), made.width, 0];
    const [west, north] = this.corner(made);
    return [west, north - made.height, west + made.width, north];
  }

  /** The north-west corner of the map in its coordinates. */
  private corner(made: Made): [number, number] {
    return this.info.tiles ? [made.origin[0], -made.origin[1]] : [0, 0];
  }

  private cellOf(made: Made): number {
    return this.places === 'degrees' ? 90 / made.width : 1;
  }

  /** Tiles of a world without edges. */
  private async showTiles(restore: boolean): Promise<void> {
    const text = JSON.stringify(this.tileRequest());
    if (this.pictured !== text) {
      this.made = null;
      this.shown = '';
      this.pictured = text;
      this.lastExtent = '';
      const first = this.map.showTiles((west, north, zoom, px, signal) => this.pool.call('tile', [text, west, north, zoom, px], signal), this.info.tiles!, NORTH_LINES_M);
      if (first && !this.state.centre) this.state.centre = { ...this.middle(), zoom: 0 };
      if (first) restore = true;
      this.describeWorld();
      void this.tileLegend();
    }
    this.putMap(restore);
    await this.map.rendered();
  }

  /** Tells of the world itself where no map of it is made. */
  private describeWorld(): void {
    this.about.show(this.info.about, null, 0);
    this.layers.showViews(this.info.views, this.state.view ?? this.info.views[0]!.name, this.state.settings);
    this.layers.showLayers([], [], this.noLayers());
    this.layers.showContours(null, 0, '');
  }

  /** What tiles depend on: neither size nor place. */
  private tileRequest(): Request {
    const { size: _, ...request } = this.request();
    return request;
  }

  private async tileLegend(): Promise<void> {
    // The legend is that of a window that shows most kinds of ground.
    const request: Request = { ...this.tileRequest(), size: [400, 400] };
    try {
      await this.maker.call('make', request);
      this.layers.showLegend(await this.maker.call('legend', {}), []);
    } catch {
      this.layers.showLegend(null, []);
    }
  }

  private describe(made: Made): void {
    this.about.show(this.info.about, made, this.seconds);
    const fits = this.overlaid() ? made.layers : [];
    this.layers.showLayers(fits, this.state.overlays, this.noLayers());
    const height = fits.find((l) => l.name === 'height');
    this.layers.showContours(height ? [height.min ?? 0, height.max ?? 1] : null, this.state.contours, height?.unit ?? '');
  }

  // ---- Layers ----

  /** Why no layers can be laid over what is shown. */
  private noLayers(): string {
    return this.state.mode === 'map' ? 'This view has no layers of its own; click the map to read every value at a place.' : 'Layers lie over the map. Choose “Map” to see them.';
  }

  private forgetOverlays(): void {
    this.map.setOverlays([]);
    this.map.setContours(null, 1);
    this.overlayPictures.clear();
    this.contoured = '';
  }

  private contoured = '';

  /** Whether the cells of layers lie where the picture on the screen shows them. */
  private overlaid(): boolean {
    return this.state.mode === 'map' && this.places === 'cells';
  }

  private async showOverlays(signal: AbortSignal): Promise<void> {
    const made = this.made;
    if (!made) return;
    const layers = this.overlaid() ? made.layers : [];
    const shown: OverlayPicture[] = [];
    for (const o of this.state.overlays) {
      const layer = layers.find((l) => l.name === o.name);
      if (!layer) continue;
      let known = this.overlayPictures.get(o.name);
      if (!known) {
        const scale = await this.maker.run('layerScale', [o.name], signal);
        const picture = await this.maker.run('layerPicture', [o.name], signal);
        known = { picture, layer, scale };
        this.overlayPictures.set(o.name, known);
      }
      shown.push({ picture: known.picture, opacity: o.opacity, blend: o.blend });
    }
    this.map.setOverlays(shown);
    for (const name of [...this.overlayPictures.keys()]) if (!this.state.overlays.some((o) => o.name === name)) this.overlayPictures.delete(name);
    const contoured = `${this.shown} ${this.state.contours} ${this.overlaid()}`;
    if (this.contoured !== contoured) {
      const { contours } = this.state;
      const wanted = contours > 0 && layers.some((l) => l.name === 'height');
      this.map.setContours(wanted ? await this.maker.run('contours', ['height', contours], signal) : null, contours);
      this.contoured = contoured;
    }
    if (this.legend !== undefined) this.layers.showLegend(this.legend, this.overlayLegends());
  }

  private overlaying = new AbortController();

  /** Other layers or contours over the same map. */
  private overlay(change: Partial<State>): void {
    const shown = () => [this.state.contours, ...this.state.overlays.map((o) => o.name)].join();
    const before = shown();
    Object.assign(this.state, change);
    // A slider of opacity asks many times a second.
    if (before === shown()) this.addressSoon();
    else this.address('replace');
    if (this.running) return;
    this.overlaying.abort();
    this.overlaying = new AbortController();
    this.showOverlays(this.overlaying.signal).then(
      () => this.settled(),
      (error: unknown) => {
        if (!(error instanceof EngineError && error.cancelled)) this.chrome.toast((error as Error).message, true);
      },
    );
  }

  /** Counts what has been brought to the screen, for programs that drive the page. */
  private settled(): void {
    document.body.dataset.ready = String(Number(document.body.dataset.ready ?? 0) + 1);
  }

  private readonly addressSoon = debounce(300, () => this.address('replace'));

  private legend: Legend | null | undefined;

  private overlayLegends() {
    return this.state.overlays.flatMap((o) => this.overlayPictures.get(o.name) ?? []);
  }

  private async showLegend(signal: AbortSignal): Promise<void> {
    try {
      this.legend = await this.maker.call('legend', { ...this.look(), px: 256 });
    } catch {
      this.legend = null;
    }
    if (!signal.aborted) this.layers.showLegend(this.legend, this.overlayLegends());
  }

  private showScale(): void {
    const r = this.map.resolution();
    if (this.tiled()) this.scale.set(r, 'm');
    else if (this.places === 'degrees') this.scale.set(r, '°');
    else if (this.made?.unit === 'm') this.scale.set(r * this.made.cell, 'm');
    else this.scale.set(r, this.made?.unit ?? 'cells');
  }

  // ---- Places ----

  /** The place of a click as the engine wants it. */
  private place(at: { x: number; y: number }): number[] {
    if (this.info.tiles) return [Math.round(at.x), Math.round(at.y)];
    return this.places === 'degrees' ? [at.y, at.x] : this.cell(at);
  }

  /** Column and row of a place on a map of cells. */
  private cell(at: { x: number; y: number }): [number, number] {
    const [west, north] = this.made ? this.corner(this.made) : [0, 0];
    return [Math.floor(at.x - west), Math.floor(north - at.y)];
  }

  private hover(at: { x: number; y: number } | null): void {
    this.nextHover = at;
    if (!at || (this.places === 'none' && !this.tiled())) this.chrome.hover.textContent = '';
    else if (!this.hovering) void this.showHover();
  }

  private async showHover(): Promise<void> {
    this.hovering = true;
    try {
      while (this.nextHover) {
        const at = this.nextHover;
        this.nextHover = null;
        this.chrome.hover.textContent = await this.hoverText(at);
      }
    } catch {
      // The world is being made anew.
    } finally {
      this.hovering = false;
    }
  }

  private async hoverText(at: { x: number; y: number }): Promise<string> {
    const place = this.place(at);
    const tell = (name: string, value: unknown, unit: string) => `${name} ${typeof value === 'number' ? number(value) : value}${unit && unit !== '1' ? ` ${unit}` : ''}`;
    if (this.tiled() || this.places === 'degrees') {
      const sample = this.tiled() ? await this.maker.call('tileSample', JSON.stringify(this.tileRequest()), place[0]!, place[1]!) : await this.maker.call('sample', place);
      const where = this.tiled() ? `${place[0]} E, ${place[1]} N` : `${place[0]!.toFixed(2)}°, ${place[1]!.toFixed(2)}°`;
      const parts = Object.entries(sample).filter(([, v]) => v.value !== null && v.value !== '' && v.value !== 'none').slice(0, 4);
      return [where, ...parts.map(([name, v]) => tell(name, v.value, v.unit))].join(' · ');
    }
    const [column, row] = this.cell(at);
    const values = await this.maker.call('values', column, row);
    const wanted = new Set(this.state.overlays.map((o) => o.name));
    const chosen = values.filter((v) => wanted.has(v.layer));
    const usual = this.info.keyLayers.flatMap((name) => values.find((v) => v.layer === name) ?? []);
    const list = [...chosen, ...usual.filter((v) => !wanted.has(v.layer))].slice(0, 5);
    return [`${column}, ${row}`, ...list.map((v) => `${v.layer.replaceAll('_', ' ')} ${v.value}`)].join(' · ');
  }

  private async inspect(at: { x: number; y: number }): Promise<void> {
    if (this.places === 'none' && !this.tiled()) return;
    const asked = ++this.asking;
    this.sharpening?.abort();
    this.inspector.waiting();
    const place = this.place(at);
    const centre = this.info.tiles ? { x: place[0]!, y: place[1]! } : this.places === 'degrees' ? at : { x: Math.floor(at.x) + 0.5, y: Math.ceil(at.y) - 0.5 };
    this.map.mark([centre]);
    try {
      const explanation = this.tiled()
        ? await this.maker.call('tileExplain', JSON.stringify(this.tileRequest()), place[0]!, place[1]!)
        : await this.maker.call('explain', place);
      if (asked === this.asking) this.inspector.show(explanation);
    } catch (error) {
      if (asked === this.asking) this.inspector.fail((error as Error).message);
    }
  }

  /** Counts questions: an answer that comes too late is not shown. */
  private asking = 0;

  private closeInspector(): void {
    this.asking++;
    this.inspector.hide();
    this.map.mark([]);
  }

  // ---- 3-D ----

  private async showScene(signal: AbortSignal): Promise<void> {
    const walking = this.info.scene.kind === 'walk';
    const request = walking ? this.tileRequest() : this.windowRequest();
    const made = walking ? null : await this.make(request, signal);
    if (made) this.describe(made);
    else this.describeWorld();
    const key = JSON.stringify(request);
    if (this.scene && this.sceneKey === key) return;
    this.closeScene();
    const { openScene } = await import('./three');
    if (signal.aborted) return;
    const centre = this.state.centre;
    const camera = this.state.camera ?? (walking && centre ? [Math.round(centre.x), Math.round(centre.y), 1.7, 30, -4] : null);
    const container = h('div', { className: 'scene-holder' });
    container.style.cssText = 'position:absolute;inset:0';
    fill(this.chrome.sceneElement, container);
    const onMove = debounce(300, (next: number[]) => {
      if (this.state.mode !== '3d') return;
      this.state.camera = next;
      if (walking) this.state.centre = { x: next[0]!, y: next[1]!, zoom: this.state.centre?.zoom ?? 0 };
      this.address('replace');
    });
    const scene = await this.busy('Opening the 3-D view', signal, () => openScene({ container, maker: this.maker, pool: this.pool, files: this.files, info: this.info, request, made, camera, onMove }));
    if (signal.aborted) {
      scene.dispose();
      return;
    }
    this.scene = scene;
    this.sceneKey = key;
    if (scene.walker) this.openHud(scene, JSON.stringify(request), walking);
  }

  private sceneKey = '';

  private openHud(scene: OpenScene, request: string, walks: boolean): void {
    const walker = scene.walker!;
    const px = MINI_M;
    const hud = new Hud({
      onGait: (mode) => walker.setMode?.(mode),
      onStick: (dx, dy) => walker.stick?.(dx, dy),
      map: (x, y) => this.pool.call('tile', [request, x - MINI_M / 2, y + MINI_M / 2, 0, px]),
    }, walks);
    this.hud = hud;
    this.chrome.sceneElement.append(hud.element);
    const tick = () => {
      if (this.hud !== hud) return;
      hud.show(walker.state(), walker.mode ?? 'fly');
      setTimeout(tick, 120);
    };
    tick();
  }

  private closeScene(): void {
    this.hud?.dispose();
    this.hud = null;
    this.scene?.dispose();
    this.scene = null;
    this.sceneKey = '';
    fill(this.chrome.sceneElement);
  }

  // ---- Sharing ----

  private share(menu: HTMLElement): void {
    const item = (text: string, about: string, action: () => void, name: string) => h('button', { type: 'button', 'data-action': name, onclick: action }, text, about ? h('small', {}, about) : null);
    const request = this.windowRequest();
    const list: Node[] = [
      item('Copy link', 'Opens this world and view', () => this.copy(location.href, 'Link copied.'), 'copy-link'),
      item('Copy command', 'For the command line', () => this.copy(command(request, this.info), 'Command copied.'), 'copy-command'),
      h('h4', {}, 'Download'),
    ];
    const base = `${this.state.world}-${this.seedText()}`;
    const made = this.shown === JSON.stringify(request) ? this.made : null;
    const files = made ? downloads(made, this.info) : [{ file: 'map.png', name: `${base}.png`, about: this.tiled() ? 'The map around the middle of the screen' : 'The map' }, { file: 'recipe.toml', name: `${base}.toml`, about: 'The recipe of that map' }];
    list.push(...files.map((f) => item(f.file, f.about, () => void this.download(f.file, f.name), `download-${f.file}`)));
    fill(menu, ...list);
  }

  private copy(text: string, done: string): void {
    document.body.dataset.copied = text;
    // Pages that come over plain HTTP from elsewhere have no clipboard.
    (navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))).then(
      () => this.chrome.toast(done),
      () => prompt('Copy this:', text),
    );
  }

  private async download(file: string, name: string): Promise<void> {
    await this.rest();
    const run = this.begin();
    const { signal } = run;
    try {
      const request = this.windowRequest();
      // The legend of tiles uses the same worker, so their window is made anew.
      if (this.tiled()) await this.busy('Making the map', signal, (onProgress) => this.maker.run('make', [request], signal, onProgress));
      else await this.make(request, signal);
      save(await this.busy(`Writing ${file}`, signal, (onProgress) => this.maker.run('file', [file], signal, onProgress)), name);
    } catch (error) {
      this.chrome.toast(error instanceof EngineError && error.cancelled ? 'Cancelled.' : (error as Error).message, !(error instanceof EngineError && error.cancelled));
    } finally {
      this.end(run);
    }
  }

  private async drop(dropped: Dropped): Promise<void> {
    try {
      await Promise.all([this.maker.call('putFile', dropped.name, dropped.bytes), this.pool.putFile(dropped.name, dropped.bytes)]);
      this.files.set(dropped.name, dropped.bytes);
      // Another file may have had that name.
      this.forget();
      this.formOf = '';
      if (dropped.kind === 'recipe') {
        await this.change({ ...initial(dropped.world), recipe: dropped.name }, 'push');
        this.chrome.toast(`Read ${dropped.name}. Links do not include the file, so keep it.`);
        return;
      }
      const other = dropped.world !== this.state.world;
      this.maps = { height: dropped.name };
      this.changed.clear();
      await this.apply(other ? initial(dropped.world) : { ...this.state, size: null, mode: 'map' }, 'push', false);
      for (const note of this.made?.notes ?? []) this.chrome.toast(note);
    } catch (error) {
      this.chrome.toast((error as Error).message, true);
    }
  }

  // ---- Keys ----

  private key(event: KeyboardEvent): void {
    if (typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const walking = this.state.mode === '3d' && this.scene?.walker;
    const keys: Record<string, () => void> = {
      '1': () => this.mode('map'),
      '2': () => this.mode('3d'),
      '3': () => this.mode('sheet'),
      r: () => this.roll(),
      c: () => this.copy(location.href, 'Link copied.'),
      p: () => this.tab('parameters'),
      l: () => this.tab('layers'),
      i: () => this.tab('about'),
      '?': () => this.chrome.help(),
      Escape: () => this.escape(),
    };
    if (walking) keys.f = () => this.hud?.choose(walking.mode === 'fly' ? 'walk' : 'fly');
    if (walking) delete keys.c;
    const inPanel = (event.target as HTMLElement).closest?.('.panel, .menu, .inspector');
    if (this.state.mode === 'map' && !inPanel) {
      Object.assign(keys, {
        Enter: () => this.inspectCentre(event),
        '+': () => this.map.zoom(1),
        '=': () => this.map.zoom(1),
        '-': () => this.map.zoom(-1),
        '0': () => this.map.fit(),
        ArrowLeft: () => this.map.pan(-120, 0),
        ArrowRight: () => this.map.pan(120, 0),
        ArrowUp: () => this.map.pan(0, -120),
        ArrowDown: () => this.map.pan(0, 120),
      });
    }
    const action = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (action) {
      action();
      event.preventDefault();
    }
  }

  /** Without a mouse, the place in the middle of the map is asked for. */
  private inspectCentre(event: KeyboardEvent): void {
    const centre = this.map.centre();
    if (centre && event.target === this.chrome.mapElement) void this.inspect(centre).then(() => this.inspector.element.focus());
  }

  private tab(name: 'parameters' | 'layers' | 'about'): void {
    this.chrome.showTab(name);
    this.chrome.openPanel(true);
  }

  private escape(): void {
    this.closeInspector();
    this.chrome.openPanel(false);
    if (this.running) this.cancel();
  }
}
