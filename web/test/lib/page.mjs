// What tests do with the page.

import { picture, readPng } from './png.mjs';

/** The address of a state. */
export function address(base, state) {
  return `${base}#${state.startsWith('v=') ? '' : 'v=1&'}${state}`;
}

export function readyCount(page) {
  return page.evaluate(() => Number(document.body.dataset.ready ?? 0));
}

/** Waits until more than `count` updates are finished. */
export async function readyAfter(page, count, timeout = 30_000) {
  await page.waitForFunction((n) => Number(document.body.dataset.ready ?? 0) > n, count, { timeout });
}

/** Opens an address and waits until it is shown. */
export async function open(page, base, state, timeout = 30_000) {
  await page.goto(address(base, state));
  await readyAfter(page, 0, timeout);
}

/** Does something and waits for the update that follows. */
export async function update(page, action, timeout = 30_000) {
  const before = await readyCount(page);
  await action();
  await readyAfter(page, before, timeout);
}

/** What the address says now, by key. Keys that may repeat are joined by spaces. */
export async function stateOf(page) {
  const query = new URLSearchParams(new URL(page.url()).hash.slice(1));
  return Object.fromEntries([...new Set(query.keys())].map((key) => [key, query.getAll(key).join(' ')]));
}

/** The camera in the address, once it is another one than `before` and stays. Frames are slow where a processor draws them. */
export async function cameraAfter(page, before = undefined, timeout = 10_000) {
  const end = performance.now() + timeout;
  let [last, same] = [before?.join(), 0];
  while (performance.now() < end && same < 4) {
    await page.waitForTimeout(250);
    const now = (await stateOf(page)).camera;
    same = now && now === last && now !== before?.join() ? same + 1 : 0;
    last = now;
  }
  return last?.split(',').map(Number);
}

export function tab(page, name) {
  return page.click(`[data-tab=${name}]`);
}

/** The hashes that the page shows: name to hash. */
export async function hashes(page) {
  await tab(page, 'about');
  await page.click('[data-action=hashes]');
  await page.waitForSelector('.hashes tr');
  const rows = await page.$$eval('.hashes tr', (list) => list.map((row) => [row.dataset.name ?? 'problem', row.dataset.hash ?? row.textContent]));
  return new Map(rows);
}

/** What the toasts say. */
export function toasts(page) {
  return page.$$eval('.toast', (list) => list.map((t) => t.textContent));
}

/** The pixels of a canvas with two dimensions, once what was asked for is drawn. A copy is read, so that the browser has nothing to warn of. */
export async function canvasPixels(page, selector) {
  const { width, height, base64 } = await page.$eval(selector, async (canvas) => {
    for (let i = 0; i < 3; i++) await new Promise((done) => requestAnimationFrame(done));
    const { width, height } = canvas;
    const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    let text = '';
    for (let i = 0; i < data.length; i += 0x8000) text += String.fromCharCode(...data.subarray(i, i + 0x8000));
    return { width, height, base64: btoa(text) };
  });
  return picture(width, height, 4, Buffer.from(base64, 'base64'));
}

export const PICTURES = 'canvas.pictures';

/** A picture of the screen, of an element if one is named. */
export async function screenshot(page, selector) {
  const options = selector ? { clip: await page.locator(selector).boundingBox() } : {};
  return readPng(await page.screenshot(options));
}

/** Where a place of the map is in a picture of `width` by `height`, by the centre and zoom in the address. */
export function pixelOf(state, width, height, x, y) {
  const scale = 2 ** Number(state.z);
  return [(x - Number(state.x)) * scale + width / 2, (Number(state.y) - y) * scale + height / 2];
}

/** Where the centre of a cell is on the screen. */
export async function screenOf(page, x, y) {
  const box = await page.locator('.map').boundingBox();
  const [px, py] = pixelOf(await stateOf(page), box.width, box.height, x, y);
  return [box.x + px, box.y + py];
}

/** Cells whose colour on the screen is not the expected one. The corner of the map lies `before` the place 0, 0. */
export function wrongCells(image, state, columns, rows, expected, before = 0) {
  const wrong = [];
  let seen = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [x, y] = pixelOf(state, image.width, image.height, column + 0.5 - before, before - row - 0.5).map(Math.floor);
      if (x < 0 || y < 0 || x >= image.width || y >= image.height) continue;
      seen++;
      const [is, must] = [image.at(x, y), expected(column, row)];
      if (is !== must) wrong.push(`${column},${row}: ${is} instead of ${must}`);
    }
  }
  return { wrong, seen };
}

/** Opens the Share menu and chooses an item. */
export async function share(page, action) {
  await page.click('[data-action=share]');
  await page.click(`[data-action="${action}"]`);
}

/** What an item of the Share menu copies. */
export async function copied(page, action) {
  await share(page, action);
  await page.waitForSelector('.toast:has-text("copied")');
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Drops a file on the map. */
export async function drop(page, name, bytes) {
  const transfer = await page.evaluateHandle(
    ([name, base64]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
      return data;
    },
    [name, bytes.toString('base64')],
  );
  await page.dispatchEvent('main.stage', 'drop', { dataTransfer: transfer });
}

/** Text of a parameter or of a value, as the page writes it. */
export function number(value) {
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return value.toLocaleString('en', { useGrouping: Math.abs(value) >= 10000 });
  return String(Number(value.toPrecision(5)));
}

export function words(name) {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
