// Addresses with mistakes give a message and a page that works.

import assert from 'node:assert/strict';
import { goldens } from './lib/cli.mjs';
import { hashes, toasts, update } from './lib/page.mjs';

/** What is wrong, the address, and what the message names. */
const WRONG = [
  ['an unknown world', 'v=1&world=atlantis', /atlantis/],
  ['an unknown key', 'v=1&world=forest&size=64x64&seed=1&colour=red', /colour=red/],
  ['a seed that is no number', 'v=1&world=forest&size=64x64&seed=seven', /seed=seven/],
  ['a seed that is too large', 'v=1&world=forest&size=64x64&seed=18446744073709551616', /18446744073709551616/],
  ['a size that is no size', 'v=1&world=forest&seed=1&size=64by64', /size=64by64/],
  ['a size of nothing', 'v=1&world=forest&seed=1&size=0x0', /size|width/i],
  ['a parameter out of range', 'v=1&world=forest&seed=1&size=64x64&p.height_noise.octaves=1000', /octaves/],
  ['a parameter of another kind', 'v=1&world=forest&seed=1&size=64x64&p.height_noise.octaves=many', /octaves/],
  ['an unknown parameter', 'v=1&world=forest&seed=1&size=64x64&p.no.such=1', /no\.such/],
  ['an unknown recipe', 'v=1&world=forest&seed=1&size=64x64&recipe=jungle', /jungle/],
  ['an unknown view', 'v=1&world=forest&seed=1&size=64x64&view=inside', /inside/],
  ['an unknown layer', 'v=1&world=forest&seed=1&size=64x64&layer=gold', /gold/],
  ['another version', 'v=9&world=forest&seed=1&size=64x64', /version/],
  ['a broken place', 'v=1&world=forest&seed=1&size=64x64&x=here&y=0&z=1', /place|here/],
  ['an unknown mode', 'v=1&world=forest&seed=1&size=64x64&mode=4d', /4d/],
  ['markup', 'v=1&world=%3Cimg%20src=x%20onerror=alert(1)%3E', /<img/],
];

function tells([what, hash, message]) {
  const test = async ({ page, url }) => {
    await page.goto(`${url}#${hash}`);
    await page.waitForFunction(() => Number(document.body.dataset.ready) > 0, null, { timeout: 15_000 }).catch(() => assert.fail('the page never is ready'));
    const told = await toasts(page);
    assert.ok(told.some((t) => message.test(t)), `a message: ${JSON.stringify(told)}`);
    if (what === 'an unknown view') assert.ok((await page.locator('.views input').count()) > 0, 'another view can be chosen');
    await update(page, () => page.evaluate(() => (location.hash = '#v=1&world=forest&seed=42&size=97x61')), 10_000);
    assert.equal((await hashes(page)).get('biome'), goldens('forest', 42, '97x61').get('biome'), 'the next address works');
  };
  return [`an address with ${what} gives a message and a page that works`, test];
}

/** A map that still moves writes its place into the address, even between a new address and its event. */
async function lateMove({ page, url }) {
  await page.goto(`${url}#v=1&world=forest&size=64x64&seed=1`);
  await page.waitForFunction(() => Number(document.body.dataset.ready) > 0);
  await update(page, () =>
    page.evaluate(() => {
      const old = location.hash;
      location.hash = '#v=1&world=forest&seed=42&size=97x61';
      history.replaceState(null, '', old);
    }), 10_000);
  assert.match(await page.title(), /42/);
  assert.match(page.url(), /seed=42&size=97x61/);
}

export const tests = [...WRONG.map(tells), ['a new address counts, although the old map still moved', lateMove]];
