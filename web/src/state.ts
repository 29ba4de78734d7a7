// What the page shows, and its form in the address: the address is the document.

import type { ParamValue } from './engine/types';

export type Mode = 'map' | '3d' | 'sheet';

/** A layer that is laid over the map. */
export interface Overlay {
  name: string;
  /** 0 to 1. */
  opacity: number;
  blend: 'normal' | 'multiply';
}

export interface State {
  world: string;
  recipe: string;
  seed: string;
  size: [number, number] | null;
  /** Parameters that differ from the recipe. */
  params: Record<string, ParamValue>;
  mode: Mode;
  /** View of the world; null for its first one. */
  view: string | null;
  settings: Record<string, number>;
  overlays: Overlay[];
  /** Contour interval; 0 for none. */
  contours: number;
  /** Centre of the map and its zoom, in the world's coordinates. */
  centre: { x: number; y: number; zoom: number } | null;
  /** The camera of the 3-D view. */
  camera: number[] | null;
  /** The middle of the window that views of an endless world other than its map show, in metres. */
  window: [number, number] | null;
  /** First seed of the contact sheet. */
  first: number;
}

export function initial(world: string): State {
  return {
    world,
    recipe: '',
    seed: '',
    size: null,
    params: {},
    mode: 'map',
    view: null,
    settings: {},
    overlays: [],
    contours: 0,
    centre: null,
    camera: null,
    window: null,
    first: 1,
  };
}

const VERSION = '1';
const round = (v: number) => String(Number(v.toFixed(3)));

/** The address of a state: only what differs from the defaults. */
export function toHash(s: State): string {
  const out = new URLSearchParams();
  out.set('v', VERSION);
  out.set('world', s.world);
  if (s.recipe && s.recipe !== s.world) out.set('recipe', s.recipe);
  if (s.seed) out.set('seed', s.seed);
  if (s.size) out.set('size', s.size.join('x'));
  for (const [path, value] of Object.entries(s.params)) out.set(`p.${path}`, String(value));
  if (s.mode !== 'map') out.set('mode', s.mode);
  if (s.view) out.set('view', s.view);
  for (const [name, value] of Object.entries(s.settings)) out.set(`d.${name}`, String(value));
  for (const o of s.overlays) {
    out.append('layer', [o.name, o.opacity === 1 ? '' : round(o.opacity), o.blend === 'normal' ? '' : o.blend].join(':').replace(/:+$/, ''));
  }
  if (s.contours) out.set('contours', round(s.contours));
  if (s.centre) {
    out.set('x', round(s.centre.x));
    out.set('y', round(s.centre.y));
    out.set('z', round(s.centre.zoom));
  }
  if (s.view && s.window) out.set('at', s.window.join(','));
  if (s.mode === '3d' && s.camera) out.set('camera', s.camera.map(round).join(','));
  if (s.mode === 'sheet' && s.first !== 1) out.set('first', String(s.first));
  // Colons and commas may stand in a fragment as they are.
  return `#${out.toString().replaceAll('%3A', ':').replaceAll('%2C', ',')}`;
}

/** Whether a text is a whole number of 64 bits. */
export function isSeed(text: string): boolean {
  return /^\d{1,20}$/.test(text) && BigInt(text) <= 18446744073709551615n;
}

const finite = (text: string) => (text.trim() === '' ? Number.NaN : Number(text));

/** So many numbers with commas between, or null. */
function numbers(text: string, count: number): number[] | null {
  const list = text.split(',').map(finite);
  return list.length === count && list.every(Number.isFinite) ? list : null;
}

/** The value of a parameter as it stands in an address. */
function value(text: string): ParamValue {
  if (text === 'true' || text === 'false') return text === 'true';
  const n = Number(text);
  return text.trim() !== '' && Number.isFinite(n) ? n : text;
}

/** The state of an address, and what in it is not understood. Null if it names no world. */
export function fromHash(hash: string, worlds: string[]): { state: State; problems: string[] } | null {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  const world = query.get('world');
  if (!world) return null;
  const problems: string[] = [];
  if (!worlds.includes(world)) return { state: initial(worlds[0]!), problems: [`There is no world called “${world}”.`] };
  const version = query.get('v');
  if (version && version !== VERSION) problems.push(`This link is of another version (${version}); some of it may be ignored.`);
  const s = initial(world);
  const centre = { x: Number.NaN, y: Number.NaN, zoom: Number.NaN };
  for (const [key, text] of query) {
    if (key === 'v' || key === 'world') continue;
    if (key === 'recipe') s.recipe = text;
    else if (key === 'seed' && isSeed(text)) s.seed = text;
    else if (key === 'size' && /^\d{1,6}x\d{1,6}$/.test(text)) s.size = text.split('x').map(Number) as [number, number];
    else if (key.startsWith('p.')) s.params[key.slice(2)] = value(text);
    else if (key === 'mode' && (text === '3d' || text === 'sheet' || text === 'map')) s.mode = text;
    else if (key === 'view') s.view = text;
    else if (key.startsWith('d.') && Number.isFinite(finite(text))) s.settings[key.slice(2)] = Number(text);
    else if (key === 'layer') {
      const [name, opacity, blend] = text.split(':');
      const share = opacity ? Math.min(1, Math.max(0, Number(opacity))) : 1;
      if (name) s.overlays.push({ name, opacity: Number.isFinite(share) ? share : 1, blend: blend === 'multiply' ? 'multiply' : 'normal' });
    } else if (key === 'contours' && finite(text) > 0) s.contours = Number(text);
    else if ((key === 'x' || key === 'y') && Number.isFinite(finite(text))) centre[key] = finite(text);
    else if (key === 'z' && Number.isFinite(finite(text))) centre.zoom = finite(text);
    else if (key === 'camera' && numbers(text, 5)) s.camera = numbers(text, 5);
    else if (key === 'at' && numbers(text, 2)) s.window = numbers(text, 2) as [number, number];
    else if (key === 'first' && finite(text) >= 0 && finite(text) <= 1e15) s.first = Math.floor(Number(text));
    else problems.push(`“${key}=${text}” in the link is not understood.`);
  }
  if (Object.values(centre).every(Number.isFinite)) s.centre = centre;
  else if (Object.values(centre).some(Number.isFinite)) problems.push('The place in the link needs x, y and z.');
  return { state: s, problems };
}
