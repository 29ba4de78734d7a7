// Keys, touch and the look: shortcuts, phones, the dark scheme.

import assert from 'node:assert/strict';
import { cameraAfter, copied, open, stateOf, update } from './lib/page.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const SMALL = 'world=forest&seed=1&size=64x64';

async function shortcuts({ page, url }) {
  await open(page, url, `${SMALL}&x=32&y=-32&z=4`);
  const selected = () => page.getAttribute('[role=tab][aria-selected=true]', 'data-tab');
  /** Presses a key and waits until a number of the address is right. */
  const press = async (key, what, [least, most], message) => {
    await page.keyboard.press(key);
    const late = () => assert.fail(`${message}: ${page.url()}`);
    const right = ([what, least, most]) => {
      const value = Number(new URLSearchParams(location.hash.slice(1)).get(what));
      return value > least && value < most;
    };
    await page.waitForFunction(right, [what, least, most], { timeout: 6000 }).catch(late);
  };
  await press('+', 'z', [4.5, 6], '+ zooms in');
  await press('-', 'z', [3, 4.5], '- zooms out');
  await press('ArrowRight', 'x', [33, 64], 'an arrow moves the map to the east');
  await press('ArrowUp', 'y', [-31, 0], 'an arrow moves the map to the north');
  await press('0', 'x', [31, 33], '0 shows the whole map');
  for (const [key, name] of [['l', 'layers'], ['i', 'about'], ['p', 'parameters']]) {
    await page.keyboard.press(key);
    assert.equal(await selected(), name);
  }
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open] h2');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached', timeout: 3000 });
  await page.keyboard.press('c');
  await page.waitForSelector('.toast:has-text("Link copied")');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
  await update(page, () => page.keyboard.press('r'));
  assert.notEqual((await stateOf(page)).seed, '1', 'r takes another seed');
  await update(page, () => page.keyboard.press('3'));
  assert.equal((await stateOf(page)).mode, 'sheet');
  await update(page, () => page.keyboard.press('2'));
  assert.equal((await stateOf(page)).mode, '3d');
  await update(page, () => page.keyboard.press('1'));
  assert.equal((await stateOf(page)).mode, undefined);
  await page.focus('[type=search]');
  await page.keyboard.type('r3');
  assert.equal((await stateOf(page)).mode, undefined, 'keys that are typed into a field are no shortcuts');
}

async function mouseMoves({ page, url }) {
  await open(page, url, `${SMALL}&x=32&y=-32&z=4`);
  await page.mouse.move(700, 400);
  await page.mouse.down();
  for (let i = 1; i <= 10; i++) await page.mouse.move(700 + 16 * i, 400);
  await page.mouse.up();
  await page.waitForFunction(() => Number(new URLSearchParams(location.hash.slice(1)).get('x')) < 24);
  await page.mouse.wheel(0, -600);
  await page.waitForFunction(() => Number(new URLSearchParams(location.hash.slice(1)).get('z')) > 4.2);
  assert.equal(await page.isVisible('.inspector'), false, 'a drag is no click');
}

async function touch(page, from, to) {
  const session = await page.context().newCDPSession(page);
  const send = (type, points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await send('touchStart', [{ x: from[0], y: from[1] }]);
  for (let i = 1; i <= 8; i++) await send('touchMove', [{ x: from[0] + ((to[0] - from[0]) * i) / 8, y: from[1] + ((to[1] - from[1]) * i) / 8 }]);
  await send('touchEnd', []);
}

const tooWide = (page) =>
  page.evaluate(() => {
    const over = [...document.querySelectorAll('body *')].filter((e) => e.getClientRects().length && getComputedStyle(e).position !== 'fixed' && e.getBoundingClientRect().right > innerWidth + 1);
    return [document.documentElement.scrollWidth > innerWidth, ...over.filter((e) => !e.closest('.map, .scene, .panel:not(.open)') && !scrolls(e.parentElement)).map((e) => `${e.tagName}.${e.className}`)].slice(0, 6);
    function scrolls(e) {
      return e && (/auto|scroll|hidden/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
    }
  });

async function phone({ page, url }) {
  await open(page, url, `${SMALL}&x=32&y=-32&z=4`);
  assert.deepEqual(await tooWide(page), [false], 'nothing is wider than the screen');
  const toggle = page.locator('.panel-toggle');
  await toggle.tap();
  await page.waitForTimeout(400);
  assert.equal(await toggle.getAttribute('aria-expanded'), 'true');
  const box = await page.locator('.panel').boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 391 && box.height > 200, `the panel is on the screen: ${JSON.stringify(box)}`);
  await page.locator('[data-tab=layers]').tap();
  await update(page, () => page.locator('li[data-layer=biome] > label').tap());
  assert.equal((await stateOf(page)).layer, 'biome');
  assert.deepEqual(await tooWide(page), [false]);
  await toggle.tap();
  await page.waitForTimeout(400);
  const map = await page.locator('.map').boundingBox();
  const middle = [map.x + map.width / 2, map.y + map.height / 2];
  await touch(page, middle, [middle[0] - 120, middle[1]]);
  await page.waitForFunction(() => Number(new URLSearchParams(location.hash.slice(1)).get('x')) > 35);
  assert.equal(await page.evaluate(() => scrollY), 0);
  await page.touchscreen.tap(...middle);
  await page.waitForSelector('.inspector .reason');
  const inspector = await page.locator('.inspector').boundingBox();
  assert.ok(inspector.x >= 0 && inspector.x + inspector.width <= 391, 'the inspector is on the screen');
  const small = await page.$$eval('header button, header select, .zoom button', (list) => list.filter((e) => e.getClientRects().length && Math.min(e.offsetWidth, e.offsetHeight) < 24).map((e) => e.textContent));
  assert.deepEqual(small, [], 'controls that are too small for a finger');
}

async function phoneWalks({ page, url }) {
  const start = [300, -200, 1.7, 0, -4];
  await open(page, url, `world=endless&seed=0&camera=${start}&mode=3d`);
  await page.waitForSelector('.stick');
  await page.waitForTimeout(1500);
  assert.deepEqual(await tooWide(page), [false]);
  const box = await page.locator('.stick').boundingBox();
  const session = await page.context().newCDPSession(page);
  const at = (y) => [{ x: box.x + box.width / 2, y: box.y + box.height * y }];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0.5) });
  await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(0.05) });
  await page.waitForTimeout(3500);
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  const [x, y] = await cameraAfter(page, start);
  assert.ok(y > -199 && Math.abs(x - 300) < 1, `the stick walks north: ${x}, ${y}`);
}

/** Contrast of the text of elements with what is behind them. */
const contrasts = (page) =>
  page.evaluate(() => {
    const channels = (text) => text.match(/[\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)).reduce((n, v, i) => n + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (e) => {
      const colour = channels(getComputedStyle(e).backgroundColor);
      return colour[3] === 0 && e.parentElement ? behind(e.parentElement) : colour;
    };
    const seen = [...document.querySelectorAll('h1, button, label, select, input, p, summary, h3')].filter((e) => e.getClientRects().length && e.textContent.trim());
    return seen.map((e) => {
      const [a, b] = [light(channels(getComputedStyle(e).color)), light(behind(e))];
      return { what: `${e.tagName} ${e.textContent.trim().slice(0, 30)}`, ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), ground: b };
    });
  });

function scheme(dark) {
  return async ({ page, url }) => {
    await open(page, url, SMALL);
    const check = async (expected) => {
      const list = await contrasts(page);
      assert.ok(list.length > 20);
      assert.deepEqual(list.filter((c) => c.ratio < 4.5).map((c) => `${c.what}: ${c.ratio.toFixed(1)}`), [], 'text that is hard to read');
      const ground = await page.$eval('body', (e) => getComputedStyle(e).backgroundColor.match(/\d+/g).slice(0, 3).map(Number));
      assert.equal(ground.every((v) => v < 90), expected, `the ground is ${ground}`);
    };
    await check(dark);
    await page.click('[aria-label="Light or dark"]');
    await page.waitForTimeout(400);
    await check(!dark);
  };
}

async function menus({ page, url }) {
  await open(page, url, SMALL);
  await page.click('[data-action=share]');
  await page.keyboard.press('Escape');
  assert.equal(await page.isVisible('[data-action=copy-link]'), false, 'escape closes the menu');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.action), 'share', 'the focus is on the button');
  assert.match(await copied(page, 'copy-link'), /world=forest/);
}

export const tests = [
  ['keys zoom, move, open tabs and change the view', shortcuts],
  ['the mouse drags the map and the wheel zooms', mouseMoves],
  ['on a phone the panel opens, the map moves by touch and nothing is too wide', phone, PHONE],
  ['on a phone a stick walks', phoneWalks, PHONE],
  ['the dark scheme is dark and can be read', scheme(true), { colorScheme: 'dark' }],
  ['the light scheme is light and can be read', scheme(false), { colorScheme: 'light' }],
  ['the menu closes by the escape key', menus],
];
