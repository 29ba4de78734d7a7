// Files that are dropped on the page: heightmaps and recipes.

import { h, words } from './dom';
import type { WorldInfo } from './engine/types';

export interface Dropped {
  kind: 'recipe' | 'height';
  world: string;
  name: string;
  bytes: Uint8Array;
}

const MAPS = /\.(png|npy|tiff?|r16|raw|json)$/i;
const MOST_BYTES = 512 * 1024 * 1024;

/** Takes files that are dropped on an element. */
export function acceptDrops(element: HTMLElement, worlds: WorldInfo[], onDrop: (dropped: Dropped) => void, onProblem: (message: string) => void): void {
  let depth = 0;
  const mark = (by: number) => {
    depth = Math.max(0, depth + by);
    element.classList.toggle('dropping', depth > 0);
  };
  element.addEventListener('dragenter', () => mark(1));
  element.addEventListener('dragleave', () => mark(-1));
  element.addEventListener('dragover', (event) => event.preventDefault());
  element.addEventListener('drop', (event) => {
    event.preventDefault();
    mark(-depth);
    const file = event.dataTransfer?.files[0];
    if (file) void take(file, worlds, onDrop, onProblem);
  });
}

async function take(file: File, worlds: WorldInfo[], onDrop: (dropped: Dropped) => void, onProblem: (message: string) => void): Promise<void> {
  if (file.size > MOST_BYTES) {
    onProblem(`${file.name} is larger than 512 MiB; use the command line for it.`);
    return;
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  // The name becomes part of commands and recipes.
  const name = file.name.replaceAll(/[^\w.-]+/g, '_').replace(/^\.+/, '_');
  if (/\.toml$/i.test(name)) {
    const kind = /^\s*kind\s*=\s*["'](\w+)["']/m.exec(new TextDecoder().decode(bytes))?.[1];
    const world = worlds.find((w) => w.name === kind);
    if (world) onDrop({ kind: 'recipe', world: world.name, name, bytes });
    else onProblem(`${file.name} is not a recipe of Weald: it must name a world, such as kind = "island".`);
    return;
  }
  if (!MAPS.test(name)) {
    onProblem(`${file.name}: drop a heightmap (.png, .npy, .tif, .r16, .raw, .json) or a recipe (.toml).`);
    return;
  }
  const world = await choose(file.name, worlds.filter((w) => w.maps.length > 0));
  if (world) onDrop({ kind: 'height', world, name, bytes });
}

/** Asks what to make of a heightmap. */
function choose(file: string, worlds: WorldInfo[]): Promise<string | null> {
  return new Promise((resolve) => {
    const dialog = h('dialog', { 'aria-label': 'What to make of the heightmap' }, h('h2', {}, `Which world should ${file} become?`));
    for (const world of worlds) {
      const button = h('button', { type: 'button', 'data-world': world.name, onclick: () => dialog.close(world.name) }, words(world.name));
      dialog.append(h('p', {}, button, ` ${world.about}`));
    }
    dialog.append(h('p', {}, h('button', { type: 'button', onclick: () => dialog.close('') }, 'Cancel')));
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue || null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
