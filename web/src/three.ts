// The 3-D views: which one a world has, and what it is given. The views themselves are loaded when they are first asked for.

import type { Channel, Pool } from './engine/client';
import type { ChunkData, GalaxyStar, Made, Request, Rgb, WorldInfo } from './engine/types';
import type { Gait } from './panel/hud';
import type { Chunk, ChunkSource, Globe, Orbit, SceneView, Space, Surface, Walker } from './scene/data';

/** A view that is open, with its camera as numbers for the address. */
export interface OpenScene {
  camera(): number[];
  /** A walker, where there is one. */
  walker: (SceneView<Walker> & { setMode?(mode: Gait): void; mode?: Gait; stick?(dx: number, dy: number): void }) | null;
  view: SceneView<Walker> | SceneView<Orbit>;
  dispose(): void;
}

export interface SceneContext {
  container: HTMLElement;
  maker: Channel;
  pool: Pool;
  /** Files that were dropped on the page. */
  files: ReadonlyMap<string, Uint8Array>;
  info: WorldInfo;
  request: Request;
  made: Made | null;
  camera: number[] | null;
  onMove(camera: number[]): void;
}

const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Opens the 3-D view of a world. */
export async function openScene(context: SceneContext): Promise<OpenScene> {
  const { scene } = context.info;
  switch (scene.kind) {
    case 'globe':
      return openPlanet(context, scene.view);
    case 'space':
      return openStars(context, scene.points, scene.gas);
    case 'walk':
      return openGround(context);
    case 'relief':
      return openMap(context);
  }
}

const orbitNumbers = (o: Orbit) => [o.bearing, o.pitch, o.distance, o.x, o.y];
const orbitOf = (n: number[] | null): Orbit | null =>
  n && n.length === 5 ? { bearing: n[0]!, pitch: n[1]!, distance: n[2]!, x: n[3]!, y: n[4]! } : null;
const walkerNumbers = (w: Walker) => [w.x, w.y, w.above, w.bearing, w.pitch];
const walkerOf = (n: number[] | null): Walker | null =>
  n && n.length === 5 ? { x: n[0]!, y: n[1]!, above: n[2]!, bearing: n[3]!, pitch: n[4]! } : null;

async function openMap(context: SceneContext): Promise<OpenScene> {
  const { made, maker, container } = context;
  if (!made) throw new Error('There is no map yet.');
  const [{ openOrbit }, surface] = await Promise.all([import('./scene/orbit'), surfaceOf(made, maker)]);
  const view = openOrbit(container, surface, orbitOf(context.camera), { reducedMotion: reducedMotion() });
  view.onMove = (state) => context.onMove(orbitNumbers(state));
  return { camera: () => orbitNumbers(view.state()), walker: null, view, dispose: () => view.dispose() };
}

/** Heights, water and the map of a world that was made. */
async function surfaceOf(made: Made, maker: Channel): Promise<Surface> {
  const has = (name: string) => made.layers.some((l) => l.name === name);
  const ground = (await maker.call('layer', 'height')) as Float32Array;
  const lakes = has('surface') && made.layers.find((l) => l.name === 'surface')!.kind === 'measure' ? ((await maker.call('layer', 'surface')) as Float32Array) : null;
  const water = new Float32Array(ground.length).fill(Number.NaN);
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < ground.length; i++) {
    const level = lakes && lakes[i]! > ground[i]! ? lakes[i]! : ground[i]! < 0 ? 0 : Number.NaN;
    water[i] = level;
    const top = Number.isNaN(level) ? ground[i]! : level;
    low = Math.min(low, top);
    high = Math.max(high, top);
  }
  const picture = await maker.call('picture', { px: 2048 });
  // Relief of a sixteenth of the map's side is plain to see; land that is steeper keeps its true slopes.
  const extent = Math.max(made.width, made.height) * made.cell;
  const exaggeration = Math.max(made.unit === 'm' ? 1 : 0, extent / 16 / Math.max(high - low, 1e-6));
  return { width: made.width, height: made.height, cell: made.cell, ground, water, picture, exaggeration };
}

async function openGround(context: SceneContext): Promise<OpenScene> {
  const [{ openWalk }, source] = await Promise.all([import('./scene/walk'), chunkSource(context)]);
  const start = walkerOf(context.camera) ?? { x: 0, y: 0, above: 1.7, bearing: 30, pitch: -4 };
  const view = openWalk(context.container, source, start, { speed: 4, reducedMotion: reducedMotion() });
  view.onMove = (state) => context.onMove(walkerNumbers(state));
  const dispose = () => {
    view.dispose();
    source.dispose();
  };
  return { camera: () => walkerNumbers(view.state()), walker: view, view, dispose };
}

/** Chunks made by the pool, and heights by an engine of the page's own, which answers at once. */
async function chunkSource({ pool, request, files }: SceneContext): Promise<ChunkSource & { dispose(): void }> {
  const text = JSON.stringify(request);
  const [{ default: init, Tiles, put_file }, { engineModule }] = await Promise.all([import('./pkg/weald_web.js'), import('./engine/client')]);
  await init({ module_or_path: await engineModule() });
  for (const [name, bytes] of files) put_file(name, bytes);
  const tiles = new Tiles(text);
  return {
    dispose: () => tiles.free(),
    chunk: async (west, north, step, side, things, signal) => {
      const data = await pool.call('chunk', [text, west, north, step, side, things], signal);
      return chunkOf(data, west, north, step, side);
    },
    map: async (x, y, metres, px) => {
      const zoom = Math.ceil(Math.log2(metres / px));
      const size = Math.round(metres / 2 ** zoom);
      const [west, north] = [Math.round(x - metres / 2), Math.round(y + metres / 2)];
      return pool.call('tile', [text, west, north, zoom, size]);
    },
    heightAt: (x, y) => tiles.height_at(x, y),
  };
}

/** Places of things are relative to the corner of their chunk, where floats are exact. */
function chunkOf(data: ChunkData, west: number, north: number, step: number, side: number): Chunk {
  const { ground, water, colours, trees, buildings, rest } = data;
  const features = (rest?.features ?? []).map((f) => ({ ...f, x: west + f.x, y: north + f.y }));
  const lines = (rest?.lines ?? []).map((l) => ({ set: l.set as 'streams', points: Float32Array.from(l.points) }));
  return { west, north, step, side, ground, water, colours, things: { origin: [west, north], trees, buildings, features, lines } };
}

async function openPlanet(context: SceneContext, around: string): Promise<OpenScene> {
  const { maker, container } = context;
  const [columns, rows] = [361, 181];
  const [{ openGlobe }, picture, heights] = await Promise.all([
    import('./scene/globe'),
    maker.call('picture', { view: around, px: 2048 }),
    maker.call('globe', columns, rows),
  ]);
  const globe: Globe = { picture, columns, rows, heights };
  const view = openGlobe(container, globe, orbitOf(context.camera), { reducedMotion: reducedMotion() });
  view.onMove = (state) => context.onMove(orbitNumbers(state));
  return { camera: () => orbitNumbers(view.state()), walker: null, view, dispose: () => view.dispose() };
}

async function openStars(context: SceneContext, points: string, gas: string[]): Promise<OpenScene> {
  const { maker, container, made } = context;
  if (!made) throw new Error('There is no block of space yet.');
  const [{ openSpace }, space] = await Promise.all([import('./scene/space'), spaceOf(made, maker, points, gas)]);
  const view = openSpace(container, space, walkerOf(context.camera), { reducedMotion: reducedMotion() });
  view.onMove = (state) => context.onMove(walkerNumbers(state));
  return { camera: () => walkerNumbers(view.state()), walker: view, view, dispose: () => view.dispose() };
}

async function spaceOf(made: Made, maker: Channel, points: string, layers: string[]): Promise<Space> {
  const list = (await maker.call('features', points)).features.map((f) => f.properties as unknown as GalaxyStar);
  const corner = [made.origin[0] / made.cell, made.origin[1] / made.cell] as const;
  const near = Math.min(...list.map((s) => s.z));
  const depth = Math.max(1, ...list.map((s) => s.z - near + 1));
  const colours = await maker.call('spaceColours');
  const gas = await Promise.all(layers.map((name, i) => glow(maker, made, name, colours.gas[i]!)));
  return {
    places: Float32Array.from(list.flatMap((s) => [s.x - corner[0], s.y - corner[1], s.z - near])),
    colours: Uint8Array.from(list.flatMap((s) => colours.stars[s.colour] ?? [255, 255, 255])),
    magnitudes: Float32Array.from(list.map((s) => s.magnitude)),
    planets: Uint8Array.from(list.map((s) => s.planets)),
    size: [made.width, made.height, depth],
    origin: [0, 0, 0],
    gas,
  };
}

/** A layer of gas as a picture whose opacity is its density. */
async function glow(maker: Channel, made: Made, name: string, colour: Rgb): Promise<ImageBitmap> {
  const density = (await maker.call('layer', name)) as Float32Array;
  const most = Math.max(1e-9, made.layers.find((l) => l.name === name)?.max ?? 1);
  const image = new ImageData(made.width, made.height);
  for (let i = 0; i < density.length; i++) {
    const share = Math.min(1, density[i]! / most);
    image.data.set([...colour.map((c) => c + (255 - c) * 0.35 * share), 255 * Math.sqrt(share) * 0.85], 4 * i);
  }
  return createImageBitmap(image);
}
