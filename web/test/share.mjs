// Links, commands and files to take away.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf } from './lib/cli.mjs';
import { canvasPixels, copied, hashes, open, PICTURES, share, stateOf } from './lib/page.mjs';
import { difference } from './lib/png.mjs';

const RICH = 'world=island&recipe=archipelago&seed=9&size=160x120&p.rivers.spring_area=60&layer=cover:0.5:multiply&layer=moisture:0.3&contours=20&x=70.25&y=-55.5&z=2.75';

async function linkRoundTrip({ page, url, context }) {
  await open(page, url, RICH);
  const link = await copied(page, 'copy-link');
  const other = await (await context()).newPage();
  await other.goto(link);
  await other.waitForFunction(() => Number(document.body.dataset.ready) > 0);
  const [one, two] = [await stateOf(page), await stateOf(other)];
  assert.deepEqual(two, one);
  for (const [key, value] of new URLSearchParams(RICH)) assert.ok(one[key].split(' ').includes(value), `${key}=${value} is in the link, not ${one[key]}`);
  const [here, there] = [await canvasPixels(page, PICTURES), await canvasPixels(other, PICTURES)];
  assert.equal(difference(here, there), 0, 'both show the same picture');
  assert.deepEqual([...(await hashes(other))], [...(await hashes(page))]);
}

async function cameraRoundTrip({ page, url, context }) {
  await open(page, url, 'world=island&seed=1&size=128x128&mode=3d&camera=120,40,1.2,0.1,0.05');
  const link = await copied(page, 'copy-link');
  assert.match(link, /mode=3d/);
  const other = await (await context()).newPage();
  await other.goto(link);
  await other.waitForSelector('.scene canvas');
  const numbers = (await stateOf(other)).camera.split(',').map(Number);
  [120, 40, 1.2, 0.1, 0.05].forEach((v, i) => assert.ok(Math.abs(numbers[i] - v) < 0.6, `camera ${numbers}`));
}

/** In the page: the timers that follow a move of the map come just when the first picture is put on the screen, as on a busy machine. */
function lateTimers() {
  const [set, clear, held] = [window.setTimeout, window.clearTimeout, new Map()];
  let [next, over] = [0, false];
  window.setTimeout = (action, ms, ...rest) => {
    if (ms !== 250 || over) return set(action, ms, ...rest);
    held.set(--next, action);
    return next;
  };
  window.clearTimeout = (id) => {
    held.delete(id);
    clear(id);
  };
  const come = () => {
    over = true;
    window.late = held.size;
    for (const action of held.values()) action();
    held.clear();
    window.place = location.hash;
  };
  addEventListener('DOMContentLoaded', () => new MutationObserver(come).observe(document.body, { attributeFilter: ['data-coarse'] }));
}

async function latePlace({ url, context }) {
  const made = await context();
  for (let i = 0; i < 5; i++) {
    const page = await made.newPage();
    await page.addInitScript(lateTimers);
    await open(page, url, 'world=forest&seed=1&size=64x64&x=30&y=-20&z=3');
    const [late, place] = await page.evaluate(() => [window.late, window.place]);
    await page.close();
    // The browser has not always drawn its first, empty frame by then.
    if (late === 0) continue;
    assert.match(place, /x=30&y=-20&z=3$/);
    return;
  }
  assert.fail('no move of the empty map was late in five tries');
}

/** Worlds with a state, and the files of theirs that the command must give as well. */
const EXPORTS = [
  ['forest', 'seed=3&size=64x64&p.height_noise.octaves=4', ['map.png', 'recipe.toml', 'tiles.json', 'layers/height.png', 'layers/height.npy', 'trails.geojson']],
  ['island', 'recipe=atoll&seed=7&size=96x96', ['map.png', 'recipe.toml', 'terrain.json', 'layers/height.png', 'rivers.geojson', 'peaks.geojson', 'harbours.geojson']],
  ['city', 'seed=2&size=256x256', ['map.png', 'recipe.toml', 'heightmap.png', 'rivers.geojson', 'water_sources.geojson']],
  ['realm', 'seed=4&size=96x96', ['map.png', 'recipe.toml', 'map_clean.png', 'roads.geojson', 'settlements.geojson']],
  ['planet', 'seed=6&size=24x24', ['map.png', 'recipe.toml', 'equirectangular.png', 'features.geojson']],
  ['galaxy', 'seed=8&size=64x48', ['map.png', 'recipe.toml', 'stars.csv', 'stars.geojson']],
  ['endless', 'seed=0&size=120x80&x=-500&y=400&z=1', ['map.png', 'recipe.toml']],
  ['endless', 'seed=0&size=120x80&x=-500&y=400&z=1&view=mines', ['recipe.toml', 'streams.geojson', 'layers/height.npy']],
];

/** Files that a tab of Chromium saves one after another before it asks whether it may save more. Nobody answers here, and the next one is dropped. */
const FILES_OF_A_TAB = 10;

/** Downloads a file of the page; if none comes, the error tells which, and what the page said. */
async function downloaded(page, name) {
  const said = page.waitForSelector('.toast:not(:has-text("copied"))').then((toast) => toast.innerText(), () => 'nothing');
  const arrived = page.waitForEvent('download').catch((error) => error);
  await share(page, `download-${name}`);
  const download = await Promise.race([arrived, said]);
  if (typeof download === 'string' || download instanceof Error) assert.fail(`${name} is not downloaded; the page says: ${await said}`);
  return download;
}

function exportsEqual([world, state, files]) {
  const test = async ({ page, url, cli }) => {
    await open(page, url, `world=${world}&${state}`);
    const line = await copied(page, 'copy-command');
    assert.match(line, new RegExp(`^weald generate ${world} .*-o ${world}-\\d+/$`));
    const place = cli.place();
    await cli.shell(`${line}${files.includes('layers/height.png') ? ' --png height' : ''}`, place);
    const folder = join(place, / -o (\S+)$/.exec(line)[1]);
    await page.click('[data-action=share]');
    const offered = await page.$$eval('[data-action^=download-]', (list) => list.map((b) => b.dataset.action.slice('download-'.length)));
    await page.keyboard.press('Escape');
    await page.click('[data-action=share]');
    await page.click('h1');
    const written = offered.filter((name) => existsSync(join(folder, name)));
    for (const name of files) assert.ok(written.includes(name), `${name} is offered and written: ${offered}`);
    let tab = page;
    for (const [i, name] of written.entries()) {
      if (i > 0 && i % FILES_OF_A_TAB === 0) {
        tab = await page.context().newPage();
        await open(tab, url, `world=${world}&${state}`);
      }
      const download = await downloaded(tab, name);
      const [one, other] = await Promise.all([readFile(await download.path()), readFile(join(folder, name))]);
      assert.ok(one.length > 20 && one.equals(other), `${name}: ${one.length} bytes of the page, ${other.length} of the command line`);
    }
    if (!state.includes('view') && world === 'endless') return;
    const [is, manifest] = [await hashes(page), manifestOf(folder)];
    for (const layer of manifest.layers) assert.equal(is.get(layer.name), layer.sha256, `the hash of ${layer.name}`);
  };
  return [`the copied command of ${world} ${state.includes('view') ? 'in another view ' : ''}works and writes the files that the page gives`, test];
}

export const tests = [
  ['a link opens the same world, layers, place and picture elsewhere', linkRoundTrip],
  ['a link keeps the camera of the 3-D view', cameraRoundTrip],
  ['a link keeps its place when the first frame of the empty map comes late', latePlace],
  ...EXPORTS.map(exportsEqual),
];
