// Firefox: every world loads, draws, and has the bits of the goldens.

import assert from 'node:assert/strict';
import { goldens } from './lib/cli.mjs';

const WORLDS = [
  ['forest', 'forest', '1', '64x64', 'biome'],
  ['endless', 'endless', '42', '97x61', 'height', '&view=mines'],
  ['planet', 'planet', '42', '33x33', 'height_px'],
  ['galaxy', 'galaxy', '42', '97x61', 'nebula'],
  ['city', 'city', '1', '256x256', 'height'],
  ['island', 'island', '1', '128x128', 'height'],
  ['realm', 'realm', '1', '128x128', 'biome'],
];

/** Waits in the page; evaluation is all that is needed of the browser's driver. */
async function until(page, test, ms = 40_000) {
  const end = performance.now() + ms;
  while (!(await page.evaluate(test))) {
    if (performance.now() > end) throw new Error(`waited ${ms / 1000} s for ${test}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

const ready = () => Number(document.body?.dataset.ready ?? 0) > 0;

/** How many colours a canvas has. */
const colours = (page, selector) =>
  page.evaluate((selector) => {
    const canvas = document.querySelector(selector);
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
    copy.drawImage(canvas, 0, 0);
    return new Set(new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
  }, selector);

function smoke([world, recipe, seed, size, layer, more = '']) {
  const test = async ({ page, url }) => {
    await page.goto(`${url}#v=1&world=${world}&recipe=${recipe}&seed=${seed}&size=${size}${more}`);
    await until(page, ready);
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('.toast.bad')].map((t) => t.textContent)), []);
    const count = await colours(page, 'canvas.pictures');
    assert.ok(count > (more ? 3 : 100), `the map has ${count} colours`);
    await page.evaluate(() => {
      document.querySelector('[data-tab=about]').click();
      document.querySelector('[data-action=hashes]').click();
    });
    await until(page, () => document.querySelectorAll('.hashes tr').length > 0);
    const hash = await page.evaluate((name) => document.querySelector(`.hashes tr[data-name="${name}"]`)?.dataset.hash, layer);
    assert.equal(hash, goldens(recipe, seed, size).get(layer), `the hash of ${layer}`);
  };
  return [`in Firefox ${world} loads, draws and has the golden hash of ${layer}`, test];
}

async function tiles({ page, url }) {
  await page.goto(`${url}#v=1&world=endless&seed=0&x=-300&y=-1440&z=0`);
  await until(page, ready);
  assert.ok((await colours(page, '.map canvas:not(.pictures)')) > 50, 'tiles are drawn');
}

async function scene({ page, url, watch }) {
  // Firefox tells of software rendering and of slow reading by warnings of its own.
  watch.allow(/WebGL|EXT_|extension/i);
  await page.goto(`${url}#v=1&world=island&seed=1&size=128x128&mode=3d`);
  await until(page, () => Number(document.body?.dataset.ready ?? 0) > 0);
  const works = await page.evaluate(() => document.createElement('canvas').getContext('webgl2') !== null);
  if (works) await until(page, () => document.querySelector('.scene canvas') !== null);
  else assert.match(await page.evaluate(() => document.querySelector('.toasts').textContent), /cannot show 3-D/);
  if (works) {
    await new Promise((done) => setTimeout(done, 1500));
    const { readPng, coloursOf } = await import('./lib/png.mjs');
    const box = await page.evaluate(() => JSON.parse(JSON.stringify(document.querySelector('.scene canvas').getBoundingClientRect())));
    const picture = readPng(Buffer.from(await page.screenshot({ clip: { x: box.x, y: box.y, width: box.width, height: box.height } })));
    assert.ok(coloursOf(picture).count > 300, 'the island is drawn');
  }
}

export const tests = [
  ...WORLDS.map(smoke),
  ['in Firefox endless draws its tiles', tiles],
  ['in Firefox the 3-D view of an island is drawn, or its absence explained', scene],
];
