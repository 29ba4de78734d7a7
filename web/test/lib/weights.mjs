// What the page weighs, as a server that compresses would send it.

import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { open, tab, update } from './page.mjs';

const compress = promisify(brotliCompress);
export const GOAL_BYTES = 1.5e6;

async function weigh(bytes) {
  const packed = await compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  return packed.length;
}

/** Bytes of the page at the start, and what the 3-D views and the checker add. */
export async function weights(page, url) {
  const files = new Map();
  let part = 'page';
  page.context().on('response', (response) => {
    const { pathname, href, protocol } = new URL(response.url());
    if (protocol === 'http:' && !files.has(pathname)) files.set(pathname, { part, href });
  });
  await open(page, url, 'world=island&seed=1&size=64x64');
  part = '3-D';
  await update(page, () => page.click('[data-mode="3d"]'));
  for (const world of ['planet', 'galaxy', 'endless']) {
    await open(page, `${url}?${world}`, `world=${world}&mode=3d&size=32x32`);
  }
  part = 'checker';
  await open(page, `${url}?check`, 'world=island&seed=1&size=64x64');
  await tab(page, 'about');
  await page.click('[data-action=check]');
  await page.waitForSelector('.rules [data-ok]');
  const sums = { page: 0, '3-D': 0, checker: 0 };
  for (const { part, href } of files.values()) sums[part] += await weigh(Buffer.from(await (await fetch(href)).arrayBuffer()));
  return sums;
}
