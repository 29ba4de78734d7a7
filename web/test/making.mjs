// Making maps: what a change keeps, which request counts, and the contact sheet.

import assert from 'node:assert/strict';
import { classColours, goldens, layerOf, manifestOf } from './lib/cli.mjs';
import { canvasPixels, hashes, open, PICTURES, stateOf, tab, update, wrongCells } from './lib/page.mjs';
import { coloursOf, difference } from './lib/png.mjs';

async function sameHashes(page, folder) {
  const is = await hashes(page);
  for (const layer of manifestOf(folder).layers) assert.equal(is.get(layer.name), layer.sha256, `the hash of ${layer.name}`);
}

async function keepsPhases({ page, url, cli }) {
  await open(page, url, 'world=forest&seed=5&size=96x96');
  const before = await canvasPixels(page, PICTURES);
  assert.doesNotMatch(await page.textContent('.about-panel'), /Kept from before/);
  await page.fill('[type=search]', 'seed_tiles_per_trail');
  await update(page, async () => {
    await page.fill('#p-game_trails-seed_tiles_per_trail', '100');
    await page.press('#p-game_trails-seed_tiles_per_trail', 'Enter');
  });
  await tab(page, 'about');
  const kept = /Kept from before: (.*?)\./.exec(await page.textContent('.about-panel'));
  assert.ok(kept, 'the page tells what was kept');
  assert.ok(kept[1].split(', ').length >= 2, `only ${kept[1]} was kept`);
  assert.notEqual(difference(before, await canvasPixels(page, PICTURES)), 0, 'the map has changed');
  assert.equal((await stateOf(page))['p.game_trails.seed_tiles_per_trail'], '100');
  await sameHashes(page, await cli.folderOf('forest', '--seed', '5', '--size', '96', '--set', 'game_trails.seed_tiles_per_trail=100'));
  await tab(page, 'parameters');
  await update(page, () => page.click('.field:not([hidden]) .reset'));
  assert.equal((await stateOf(page))['p.game_trails.seed_tiles_per_trail'], undefined);
  assert.equal(difference(before, await canvasPixels(page, PICTURES)), 0, 'the first map is back');
}

async function layersWhereTheyLie({ page, url }) {
  const layers = () => page.$$eval('.layer-panel [data-layer]', (list) => list.length);
  await open(page, url, 'world=forest&seed=5&size=64x64&layer=biome');
  await tab(page, 'layers');
  assert.ok((await layers()) > 20, 'the layers of a map');
  await update(page, () => page.click('[data-mode="3d"]'));
  assert.equal(await layers(), 0, 'none in 3-D');
  await update(page, () => page.click('[data-mode=map]'));
  assert.ok((await layers()) > 20, 'the layers of the map again');
  assert.ok(await page.isChecked('[data-layer=biome] input[type=checkbox]'), 'and the one that was chosen');
  await update(page, () => page.selectOption('[aria-label=World]', 'planet'));
  assert.equal(await layers(), 0, 'the faces of a cube do not lie on a map');
}

async function newestCounts({ page, url, cli }) {
  await open(page, url, 'world=forest&seed=1&size=128x128&layer=biome&x=64&y=-64&z=2');
  await update(page, async () => {
    for (const seed of ['2', '3', '4', '5', '6']) {
      await page.fill('[aria-label=Seed]', seed);
      await page.press('[aria-label=Seed]', 'Enter');
    }
  });
  const folder = await cli.folderOf('forest', '--seed', '6', '--size', '128');
  const [cells, colours] = [layerOf(folder, 'biome'), classColours(folder, 'biome')];
  const { wrong } = wrongCells(await canvasPixels(page, PICTURES), await stateOf(page), 128, 128, (c, r) => colours.get(cells.at(c, r)));
  assert.deepEqual(wrong.slice(0, 2), [], 'the map is that of the last seed');
  await sameHashes(page, folder);
  assert.equal((await stateOf(page)).seed, '6');
}

async function newestAddressCounts({ page, url }) {
  await open(page, url, 'world=forest&seed=1&size=64x64');
  await page.evaluate(() => {
    for (const state of ['world=island&seed=1&size=128x128', 'world=realm&seed=1&size=128x128', 'world=forest&seed=1&size=200x200', 'world=island&seed=42&size=200x150']) location.hash = `#v=1&${state}`;
  });
  await page.waitForFunction(() => document.title.startsWith('Island 42'));
  await page.waitForFunction(() => document.querySelector('.about-panel')?.textContent.includes('200 × 150'));
  await page.waitForTimeout(500);
  const [is, must] = [await hashes(page), goldens('island', 42, '200x150')];
  assert.equal(is.get('height'), must.get('height'));
  assert.equal(await page.inputValue('[aria-label=World]'), 'island');
  assert.deepEqual(await page.$$eval('.toast.bad', (list) => list.map((t) => t.textContent)), []);
}

async function sheetOpensSeed({ page, url, cli }) {
  await open(page, url, 'world=forest&size=64x64');
  await page.click('[data-mode=sheet]');
  await page.waitForFunction(() => document.querySelectorAll('.sheet button[data-seed]:not(.waiting)').length === 12);
  const [count, failed] = await page.evaluate(() => [document.querySelectorAll('.sheet li canvas').length, document.querySelectorAll('.sheet .failed').length]);
  assert.deepEqual([count, failed], [12, 0]);
  const pictures = [];
  for (let i = 1; i <= 12; i++) pictures.push(await canvasPixels(page, `.sheet li:nth-child(${i}) canvas`));
  for (const p of pictures) assert.ok(coloursOf(p).count > 50, 'a picture has many colours');
  for (let i = 1; i < 12; i++) assert.ok(difference(pictures[0], pictures[i]) > 2, `picture ${i + 1} is another one than the first`);
  await page.click('.pages button:last-child');
  await page.waitForSelector('[data-seed="13"]');
  await page.click('.pages button:first-child');
  await page.waitForSelector('[data-seed="7"]:not(.waiting)');
  await update(page, () => page.click('[data-seed="7"]'));
  const state = await stateOf(page);
  assert.deepEqual([state.seed, state.mode], ['7', undefined]);
  await sameHashes(page, await cli.folderOf('forest', '--seed', '7', '--size', '64'));
  await update(page, () => page.goBack());
}

async function overlaysFollow({ page, url, cli }) {
  const folder = await cli.folderOf('island', '--seed', '1', '--size', '128');
  await open(page, url, 'world=island&seed=1&size=128x128&x=64&y=-64&z=2');
  const plain = await canvasPixels(page, PICTURES);
  await tab(page, 'layers');
  await update(page, () => page.check('li[data-layer=land] label input'));
  const colours = classColours(folder, 'land');
  const land = layerOf(folder, 'land');
  const right = async (expected) => wrongCells(await canvasPixels(page, PICTURES), await stateOf(page), 128, 128, expected).wrong.slice(0, 2);
  assert.deepEqual(await right((c, r) => colours.get(land.at(c, r))), []);
  assert.match(await page.textContent('.legend'), /Sea/);
  await update(page, () => page.check('li[data-layer=land] .more input[type=checkbox]'));
  await page.waitForFunction(() => location.hash.includes('layer=land::multiply'), null, { timeout: 5000 });
  await update(page, () => page.uncheck('li[data-layer=land] > label input'));
  assert.equal(difference(plain, await canvasPixels(page, PICTURES)), 0, 'without the layer the map is as before');
  await update(page, () => page.check('.contours input[type=checkbox]'));
  assert.ok(difference(plain, await canvasPixels(page, PICTURES)) > 0.2, 'contour lines are drawn');
}

export const tests = [
  ['layers are offered only where their cells lie', layersWhereTheyLie],
  ['a changed parameter draws the map anew and keeps the phases before it', keepsPhases],
  ['of seeds that are typed quickly only the last one counts', newestCounts],
  ['of addresses that follow quickly only the last one counts', newestAddressCounts],
  ['the contact sheet shows twelve seeds and a click opens one', sheetOpensSeed],
  ['layers and contour lines are laid over the map and taken away', overlaysFollow],
];
