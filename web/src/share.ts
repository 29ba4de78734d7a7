// Links, commands and files to take away.

import type { Made, ParamValue, Request, WorldInfo } from './engine/types';

/** A word for a shell, in quotes if it needs them. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function setting([path, value]: [string, ParamValue]): string {
  return `--set ${shellWord(`${path}=${value}`)}`;
}

/** The command that makes the same map, bit for bit. */
export function command(request: Request, info: WorldInfo): string {
  const maps = Object.entries(request.maps ?? {});
  const params = { ...request.params };
  const words = [maps.length ? 'weald derive' : 'weald generate', request.world];
  if (request.recipe && request.recipe !== request.world) words.push(`--recipe ${shellWord(request.recipe)}`);
  if (request.seed) words.push(`--seed ${request.seed}`);
  if (request.size) words.push(`--size ${request.size.join('x')}`);
  for (const [name, file] of maps) words.push(`--map ${shellWord(`${name}=${file}`)}`);
  const place = info.window?.map((path) => params[path]);
  if (info.window && place?.every((n) => n !== undefined)) {
    words.push(`--at ${place.join(',')}`);
    for (const path of info.window) delete params[path];
  }
  words.push(...Object.entries(params).map(setting));
  words.push(`-o ${request.world}-${request.seed ?? info.seed}/`);
  return words.join(' ');
}

/** A file of the output folder, and what it is. */
export interface Download {
  file: string;
  name: string;
  about: string;
}

/** The files that can be downloaded of a map. */
export function downloads(made: Made, info: WorldInfo): Download[] {
  const base = `${made.world}-${made.seed}`;
  const out: Download[] = [
    { file: 'map.png', name: `${base}.png`, about: 'The map, with title and legend' },
    { file: 'recipe.toml', name: `${base}.toml`, about: 'The recipe that makes this map again' },
  ];
  const own = info.files.filter((f) => !f.needs);
  out.push(...own.map((f) => ({ file: f.name, name: `${base}-${f.name}`, about: f.about })));
  if (made.layers.some((l) => l.name === 'height')) {
    out.push(
      { file: 'layers/height.png', name: `${base}-height.png`, about: 'Heights as 16-bit grey, from the lowest to the highest' },
      { file: 'layers/height.npy', name: `${base}-height.npy`, about: 'Heights as a NumPy array' },
    );
  }
  out.push(...made.sets.map((s) => ({ file: `${s.name}.geojson`, name: `${base}-${s.name}.geojson`, about: s.about })));
  return out;
}

/** Hands bytes to the browser as a file. */
export function save(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  const type = name.endsWith('.png') ? 'image/png' : name.endsWith('json') ? 'application/json' : 'application/octet-stream';
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
