// Files that are dropped on the page.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf } from './lib/cli.mjs';
import { copied, drop, hashes, open, stateOf, update } from './lib/page.mjs';

async function sameAsFolder(page, folder) {
  const is = await hashes(page);
  for (const layer of manifestOf(folder).layers) assert.equal(is.get(layer.name), layer.sha256, `the hash of ${layer.name}`);
}

async function dropsHeightmap({ page, url, cli }) {
  const source = await cli.folderOf('island', '--seed', '3', '--size', '96');
  const bytes = readFileSync(join(source, 'layers/height.npy'));
  await open(page, url, 'world=forest&seed=2&size=64x64');
  await drop(page, 'my height.npy', bytes);
  await page.waitForSelector('dialog [data-world=island]');
  await update(page, () => page.click('dialog [data-world=island]'));
  const line = await copied(page, 'copy-command');
  assert.match(line, /^weald derive island .*--map height=my_height\.npy/);
  const place = cli.place();
  writeFileSync(join(place, 'my_height.npy'), bytes);
  await cli.shell(line, place);
  await sameAsFolder(page, join(place, / -o (\S+)$/.exec(line)[1]));
}

async function dropsRecipe({ page, url, cli }) {
  const source = await cli.folderOf('island', '--seed', '77', '--size', '90x70', '--recipe', 'atoll', '--set', 'rivers.spring_area=30');
  await open(page, url, 'world=forest&seed=2&size=64x64');
  await update(page, () => drop(page, 'recipe.toml', readFileSync(join(source, 'recipe.toml'))));
  const state = await stateOf(page);
  assert.equal(state.world, 'island');
  assert.equal(await page.inputValue('[aria-label=Seed]'), '77');
  assert.equal(await page.inputValue('[aria-label="Width in cells"]'), '90');
  await sameAsFolder(page, source);
}

async function refusesOthers({ page, url }) {
  await open(page, url, 'world=forest&seed=2&size=64x64');
  await drop(page, 'letter.txt', Buffer.from('hello'));
  await page.waitForSelector('.toast.bad:has-text("letter.txt")');
  await drop(page, 'wrong.toml', Buffer.from('kind = "iland"\n'));
  await page.waitForSelector('.toast.bad:has-text("wrong.toml")');
  await drop(page, 'broken.npy', Buffer.from('no numbers'));
  await page.click('dialog [data-world=island]');
  await page.waitForSelector('.toast.bad:has-text("broken.npy")');
  await update(page, async () => {
    await page.selectOption('[aria-label=World]', 'galaxy');
  });
  assert.ok((await hashes(page)).size > 3, 'the page goes on');
}

export const tests = [
  ['a dropped heightmap becomes the map that weald derive makes', dropsHeightmap],
  ['a dropped recipe becomes its map', dropsRecipe],
  ['files of other kinds give a message', refusesOthers],
];
