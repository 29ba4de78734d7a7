// The engine in a worker: answers calls by name, one after another.

import init, * as weald from '../pkg/weald_web.js';
import checkerUrl from '../pkg-check/weald_web_bg.wasm?url';
import type { Calls } from './calls';

interface Call {
  id: number;
  name: keyof Calls;
  args: unknown[];
}

let session: weald.Session | null = null;
const tiles = new Map<string, weald.Tiles>();
/** Set by the page to stop the running call, where pages can share memory with workers. */
let stopFlag: Int32Array | null = null;
let running = 0;
let lastTold = 0;

function listen(stage: string, done: number, total: number): boolean {
  const now = performance.now();
  if (now - lastTold > 60) {
    lastTold = now;
    postMessage({ progress: { stage, done, total }, id: running });
  }
  return stopFlag !== null && Atomics.load(stopFlag, 0) === running;
}

function made(): weald.Session {
  session ??= new weald.Session();
  return session;
}

function tilesOf(request: string): weald.Tiles {
  let found = tiles.get(request);
  if (!found) {
    if (tiles.size >= 4) {
      const [oldest, old] = tiles.entries().next().value as [string, weald.Tiles];
      tiles.delete(oldest);
      old.free();
    }
    found = new weald.Tiles(request);
    tiles.set(request, found);
  }
  return found;
}

async function bitmap(pixels: weald.Pixels): Promise<ImageBitmap> {
  const { width, height } = pixels;
  const rgba = pixels.rgba();
  pixels.free();
  return createImageBitmap(new ImageData(rgba as Uint8ClampedArray<ArrayBuffer>, width, height));
}

const calls: { [Name in keyof Calls]: (...args: Parameters<Calls[Name]>) => unknown } = {
  version: () => weald.version(),
  worlds: () => JSON.parse(weald.worlds()),
  parameters: (world, recipe) => JSON.parse(weald.parameters(world, recipe)),
  putFile: (name, bytes) => {
    weald.put_file(name, bytes);
    // Worlds that were made from an older file of that name are not the same any more.
    for (const old of tiles.values()) old.free();
    tiles.clear();
  },
  make: (request) => JSON.parse(made().make(JSON.stringify(request), listen)),
  layer: (name) => made().layer(name),
  layerPicture: (name) => bitmap(made().layer_picture(name, listen)),
  layerScale: (name) => JSON.parse(made().layer_scale(name)),
  places: (look) => made().places(JSON.stringify(look)) as 'cells',
  picture: (look) => bitmap(made().picture(JSON.stringify(look), listen)),
  legend: async (look) => {
    const legend = made().legend(JSON.stringify(look));
    const parts = JSON.parse(legend.json()) as { entries: unknown[] }[];
    const count = parts.reduce((n, part) => n + part.entries.length, 0);
    const samples = count > 0 ? await bitmap(legend.samples()) : null;
    legend.free();
    return { parts, samples, step: samples ? samples.height / count : 0 };
  },
  contours: (layer, step) => {
    const lines = made().contours(layer, step, listen);
    const out = { points: lines.points(), lengths: lines.lengths(), levels: lines.levels() };
    lines.free();
    return out;
  },
  features: (set) => JSON.parse(made().features(set)),
  file: (name) => made().file(name, listen),
  hashes: () => JSON.parse(made().hashes(listen)),
  values: (column, row) => JSON.parse(made().values(column, row)),
  explain: (place) => JSON.parse(made().explain(Float64Array.from(place))),
  sample: (place) => JSON.parse(made().sample(Float64Array.from(place))),
  globe: (columns, rows) => made().globe(columns, rows),
  spaceColours: () => JSON.parse(weald.space_colours()),
  check: async () => {
    const files = made().folder(listen) as [string, Uint8Array][];
    // The checker is a program of its own, and is loaded when it is first asked for.
    const checker = await import('../pkg-check/weald_web.js');
    await checker.default({ module_or_path: checkerUrl });
    for (const [name, bytes] of files) checker.put_file(name, bytes);
    try {
      return JSON.parse(checker.check('folder'));
    } finally {
      checker.remove_file('folder');
    }
  },
  thumbnail: (request, look) => {
    const own = new weald.Session();
    try {
      own.make(JSON.stringify(request), listen);
      const pixels = own.picture(JSON.stringify(look), listen);
      own.free();
      return bitmap(pixels);
    } catch (error) {
      // After a trap nothing of that engine can be used, not even to free it.
      if (!(error instanceof WebAssembly.RuntimeError)) own.free();
      throw error;
    }
  },
  tile: (request, west, north, zoom, px) => bitmap(tilesOf(request).picture(west, north, zoom, px)),
  chunk: (request, west, north, step, side, things) => {
    const chunk = tilesOf(request).chunk(west, north, step, side, things);
    const out = {
      ground: chunk.ground(),
      water: chunk.water(),
      colours: chunk.colours(),
      trees: chunk.trees(),
      buildings: chunk.buildings(),
      rest: JSON.parse(chunk.rest()),
    };
    chunk.free();
    return out;
  },
  tileSample: (request, x, y) => JSON.parse(tilesOf(request).sample(x, y)),
  tileExplain: (request, x, y) => JSON.parse(tilesOf(request).explain(x, y)),
};

/** What can be handed over without a copy. */
function transfers(value: unknown): Transferable[] {
  if (value instanceof ImageBitmap) return [value];
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer];
  if (value && typeof value === 'object' && !Array.isArray(value)) {
    return Object.values(value).flatMap((v) => (ArrayBuffer.isView(v) || v instanceof ImageBitmap ? transfers(v) : []));
  }
  return [];
}

function plain(error: unknown): { message: string; code: number; problems: [string, string][] } {
  if (error instanceof WebAssembly.RuntimeError) {
    const panic = weald.last_panic();
    const memory = /memory|unreachable/.test(error.message) && !panic;
    const message = memory
      ? 'the browser does not have enough memory for this map; make it smaller, or use the command line'
      : `the engine has stopped: ${panic ?? error.message}`;
    return { message, code: 5, problems: [] };
  }
  const e = error as { message?: string; code?: number; problems?: [string, string][] };
  return { message: e.message ?? String(error), code: e.code ?? 5, problems: e.problems ?? [] };
}

onmessage = async (event: MessageEvent<Call | { start: WebAssembly.Module; flag: SharedArrayBuffer | null }>) => {
  const data = event.data;
  if ('start' in data) {
    try {
      await init({ module_or_path: data.start });
      stopFlag = data.flag ? new Int32Array(data.flag) : null;
      postMessage({ ready: true });
    } catch (error) {
      postMessage({ failed: `the engine did not start: ${(error as Error).message}` });
    }
    return;
  }
  running = data.id;
  try {
    const call = calls[data.name] as (...args: unknown[]) => unknown;
    const result = await call(...data.args);
    postMessage({ id: data.id, result }, transfers(result));
  } catch (error) {
    postMessage({ id: data.id, error: plain(error), broken: error instanceof WebAssembly.RuntimeError });
  }
};
