// Stopping what runs, with shared memory and without; pages on a site of plain files.

import assert from 'node:assert/strict';
import { goldens, manifestOf } from './lib/cli.mjs';
import { hashes, open, readyCount, stateOf, toasts, update } from './lib/page.mjs';

/** It takes a quarter of a minute. */
const LARGE = 'world=city&seed=1&size=4096x4096';

async function setSize(page, width, height) {
  for (const [label, value] of [['Width in cells', width], ['Height in cells', height]]) {
    await page.fill(`[aria-label="${label}"]`, String(value));
    await page.press(`[aria-label="${label}"]`, 'Enter');
  }
}

async function cancels(page, url, shared) {
  await page.goto(`${url}#v=1&${LARGE}`);
  await page.waitForSelector('.progress:not([hidden]) [data-action=cancel]');
  assert.equal(await page.evaluate(() => crossOriginIsolated), shared);
  await page.waitForTimeout(700);
  const start = performance.now();
  await update(page, () => page.click('[data-action=cancel]'), 10_000);
  assert.ok(performance.now() - start < 3000, 'it stops within 3 s');
  assert.doesNotMatch(await page.textContent('.about-panel'), /4096 × 4096/, 'no map was made');
  assert.equal(await page.isVisible('.progress'), false);
  assert.deepEqual(await toasts(page), ['Cancelled.'], 'one message');
  await page.waitForTimeout(300);
  assert.equal(await page.isVisible('.progress'), false, 'nothing begins again');
  await setSize(page, 256, 256);
  await page.waitForFunction(() => document.querySelector('.about-panel')?.textContent.includes('256 × 256'), null, { timeout: 20_000 });
  const [is, must] = [await hashes(page), goldens('city', 1, '256x256')];
  assert.ok(is.size > 10);
  for (const [name, hash] of is) assert.equal(hash, must.get(name), `the hash of ${name}`);
}

async function plainFiles({ context, files }) {
  const url = await files('/weald/');
  const page = await (await context({}, url)).newPage();
  await open(page, url, 'world=island&seed=1&size=128x128');
  const [is, must] = [await hashes(page), goldens('island', 1, '128x128')];
  for (const [name, hash] of is) assert.equal(hash, must.get(name), `the hash of ${name}`);
  await page.click('[data-action=check]');
  await page.waitForSelector('.rules [data-ok=true], .rules .problem');
  assert.equal(await page.locator('.rules .problem').count(), 0);
  await update(page, () => page.click('[data-mode="3d"]'));
  await page.waitForSelector('.scene canvas');
  assert.ok(new URL(page.url()).pathname === '/weald/');
}

/** Without shared memory a call can only be stopped together with its worker, which would forget the map. */
async function asksWhileDrawing({ context, files, cli }) {
  const url = await files('/');
  const page = await (await context({}, url)).newPage();
  await open(page, url, 'world=forest&seed=1&size=256x256&x=128&y=-128&z=5&layer=biome');
  // The map is looked at closely, so that it is being drawn anew with more pixels.
  await page.click('.map', { position: { x: 400, y: 300 } });
  await page.waitForSelector('.inspector .reason, .inspector .problem');
  assert.equal(await page.textContent('.inspector').then((text) => /is made yet/.test(text)), false, 'the map is still there');
  const before = await readyCount(page);
  await page.goto(`${url}#v=1&world=forest&seed=2&size=240x240`);
  await page.waitForFunction(() => document.title.startsWith('Forest 2'));
  const [is, must] = [await hashes(page), manifestOf(await cli.folderOf('forest', '--seed', '2', '--size', '240'))];
  for (const layer of must.layers) assert.equal(is.get(layer.name), layer.sha256, `the hash of ${layer.name}`);
  assert.ok((await readyCount(page)) > before, 'the map was drawn to its end');
}

/** Another world need not wait for a large map. */
async function otherWorld({ page, url }) {
  await page.goto(`${url}#v=1&${LARGE}`);
  await page.waitForSelector('.progress:not([hidden])');
  await page.selectOption('[aria-label=World]', 'forest');
  const shown = page.waitForFunction(() => document.querySelector('.about-panel')?.textContent.includes('256 × 256'), null, { timeout: 5000 });
  await shown.catch(() => assert.fail('the forest is not shown within 5 s'));
  assert.equal((await stateOf(page)).world, 'forest');
  assert.deepEqual(await page.$$eval('.toast.bad', (list) => list.map((t) => t.textContent)), []);
}

async function escapeCancels({ page, url }) {
  await page.goto(`${url}#v=1&${LARGE}`);
  await page.waitForSelector('.progress:not([hidden])');
  await update(page, () => page.keyboard.press('Escape'), 10_000);
  assert.equal(await page.isVisible('.progress'), false);
}

export const tests = [
  ['a large map can be cancelled where memory is shared, and the next one is right', ({ page, url }) => cancels(page, url, true)],
  [
    'a large map can be cancelled on a site of plain files, and the next one is right',
    async ({ context, files }) => {
      const url = await files('/');
      await cancels(await (await context({}, url)).newPage(), url, false);
    },
  ],
  ['questions about a map do not stop its drawing, nor does its drawing stop them, on a site of plain files', asksWhileDrawing],
  ['the page works as plain files below a path of a site', plainFiles],
  ['another world can be chosen while a large map is being made', otherWorld],
  ['the escape key cancels', escapeCancels],
];
