// The 3-D views: what they show, and how one moves in them.

import assert from 'node:assert/strict';
import { cameraAfter, open, screenshot, update } from './lib/page.mjs';
import { coloursOf, difference } from './lib/png.mjs';

const START = [300, -200, 1.7, 60, -4];
const CANVAS = '.scene canvas[role=img]';
const isGreen = (r, g, b) => g > r + 8 && g > b + 8;
const isBlue = (r, g, b) => b > r + 20 && b > g;

/** Opens a 3-D view and waits for a picture that stays. */
async function openScene(page, url, state, settle = 1200) {
  await open(page, url, `${state}&mode=3d`);
  await page.waitForSelector(CANVAS);
  await page.waitForTimeout(settle);
  await page.focus(CANVAS);
}

async function hold(page, key, ms) {
  await page.keyboard.down(key);
  await page.waitForTimeout(ms);
  await page.keyboard.up(key);
}

async function drag(page, dx, dy) {
  const box = await page.locator(CANVAS).boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let i = 1; i <= 8; i++) await page.mouse.move(x + (dx * i) / 8, y + (dy * i) / 8);
  await page.mouse.up();
}

const turned = (a, b) => Math.abs(((a - b + 540) % 360) - 180);

async function walks({ page, url }) {
  await openScene(page, url, `world=endless&seed=0&camera=${START}`, 4000);
  const before = await screenshot(page, CANVAS);
  assert.ok(coloursOf(before).count > 300, `the landscape has ${coloursOf(before).count} colours`);
  const compass = await page.textContent('.compass');
  assert.match(compass, /^NE 60° .* 300 E, -200 N$/);
  await hold(page, 'w', 5000);
  const [x, y, above, bearing] = await cameraAfter(page, START);
  const [east, north] = [x - 300, y + 200];
  const metres = Math.hypot(east, north);
  assert.ok(metres > 3 && metres < 15, `walked ${metres.toFixed(1)} m in 5 s`);
  assert.ok(turned((Math.atan2(east, north) * 180) / Math.PI, 60) < 12, `walked to ${east.toFixed(1)} E, ${north.toFixed(1)} N with bearing 60`);
  assert.equal(bearing, 60);
  assert.ok(above < 2);
  assert.notEqual(await page.textContent('.compass'), compass);
  assert.ok(difference(before, await screenshot(page, CANVAS)) > 1, 'the landscape has changed');
}

async function flies({ page, url }) {
  const start = [300, -200, 1.7, 180, -10];
  await openScene(page, url, `world=endless&seed=0&camera=${start}`, 2500);
  await page.keyboard.press('f');
  assert.equal(await page.getAttribute('[data-gait=fly]', 'aria-pressed'), 'true');
  await hold(page, 'e', 2500);
  const risen = await cameraAfter(page, start);
  assert.ok(risen[2] > 5, `flies ${risen[2]} m above the ground`);
  await hold(page, 'w', 2000);
  const flown = await cameraAfter(page, risen);
  assert.ok(flown[1] < -205 && Math.abs(flown[0] - 300) < 15, `flew south to ${flown}`);
  await hold(page, 'ArrowRight', 1000);
  const looking = await cameraAfter(page, flown);
  assert.ok(turned(looking[3], flown[3]) > 10, `turns by the arrow keys: ${looking}`);
  await page.click('[data-gait=walk]');
  const landed = await cameraAfter(page, looking);
  assert.ok(landed[2] < 2, `comes down to walk: ${landed}`);
}

/** Without a camera in the address the whole block can be seen, on a wide stage as on a narrow one. */
async function wholeBlock({ context, url }) {
  for (const [width, height] of [[1200, 600], [390, 800]]) {
    const page = await (await context({ viewport: { width, height } })).newPage();
    await openScene(page, url, 'world=island&seed=7&size=128x128');
    const image = await screenshot(page, CANVAS);
    const blue = (hex) => isBlue(...[0, 2, 4].map((i) => Number.parseInt(hex.slice(i, i + 2), 16)));
    // The ring around what has the focus is not part of the picture.
    const ring = 6;
    const within = (length) => Array.from({ length: length - 2 * ring }, (_, i) => i + ring);
    const columns = within(image.width).filter((x) => within(image.height).some((y) => blue(image.at(x, y))));
    const rows = within(image.height).filter((y) => within(image.width).some((x) => blue(image.at(x, y))));
    for (const [list, length] of [[columns, image.width], [rows, image.height]]) {
      assert.ok(list[0] > ring && list.at(-1) < length - 1 - ring, `the sea ends within the picture: ${list[0]} to ${list.at(-1)} of ${length}`);
    }
    const share = Math.max(columns.length / image.width, rows.length / image.height);
    assert.ok(share > 0.5, `the block fills the picture: ${share}`);
  }
}

function orbits([world, state]) {
  const test = async ({ page, url }) => {
    const start = [20, 38, 1.2, 0, 0];
    await openScene(page, url, `world=${world}&${state}&camera=${start}`);
    const before = await screenshot(page, CANVAS);
    const [green, blue] = [coloursOf(before, isGreen), coloursOf(before, isBlue)];
    assert.ok(green.count > 300, `${green.count} colours`);
    assert.ok(green.share > 0.03, `woods and meadows are green: ${green.share}`);
    assert.ok(world !== 'island' || blue.share > 0.03, `the sea is blue: ${blue.share}`);
    await drag(page, 160, 0);
    const one = await cameraAfter(page, start);
    assert.ok(turned(one[0], start[0]) > 5, `the camera in the address has turned: ${one}`);
    assert.ok(difference(before, await screenshot(page, CANVAS)) > 2, 'a drag turns the land');
    await page.focus(CANVAS);
    await hold(page, 'ArrowLeft', 900);
    assert.ok(turned((await cameraAfter(page, one))[0], one[0]) > 5, 'the arrow keys turn it too');
    await update(page, () => page.click('[data-mode=map]'));
    assert.equal(await page.locator(CANVAS).count(), 0, 'the scene is closed');
  };
  return [`the land of ${world} is a block that turns`, test, SMALL];
}

async function globe({ page, url }) {
  await openScene(page, url, 'world=planet&seed=0&size=32x32');
  const before = await screenshot(page, CANVAS);
  assert.ok(coloursOf(before, isBlue).share > 0.03, 'seas are blue');
  await drag(page, 10, 0);
  const first = await cameraAfter(page);
  await drag(page, 200, 0);
  const second = await cameraAfter(page, first);
  // The camera of a globe is a distance, a longitude and a latitude.
  assert.ok(turned(second[3], first[3]) > 10, `the globe turned from ${first} to ${second}`);
  assert.ok(difference(before, await screenshot(page, CANVAS)) > 2);
}

async function space({ page, url }) {
  await openScene(page, url, 'world=galaxy&seed=0&size=160x120');
  const before = await screenshot(page, CANVAS);
  assert.ok(coloursOf(before, (r, g, b) => r + g + b > 300).count > 100, 'stars of many colours');
  const compass = await page.textContent('.compass');
  await hold(page, 'w', 1500);
  const camera = await cameraAfter(page);
  assert.ok(camera, 'the camera is in the address');
  assert.notEqual(await page.textContent('.compass'), compass);
  assert.ok(difference(before, await screenshot(page, CANVAS)) > 0.3, 'the stars have moved');
}

async function newSeed({ page, url }) {
  await openScene(page, url, 'world=island&seed=1&size=96x96');
  const before = await screenshot(page, CANVAS);
  await update(page, async () => {
    await page.fill('[aria-label=Seed]', '2');
    await page.press('[aria-label=Seed]', 'Enter');
  });
  await page.waitForTimeout(800);
  assert.equal(await page.locator(CANVAS).count(), 1);
  assert.ok(difference(before, await screenshot(page, CANVAS)) > 2, 'another island is shown');
}

/** Processors draw small pictures sooner. */
const SMALL = { viewport: { width: 800, height: 520 } };

export const tests = [
  ['the whole block of land fits the screen', wholeBlock],
  ['a walk in endless goes where the compass points', walks, SMALL],
  ['a flight in endless rises, goes south and lands', flies, SMALL],
  orbits(['island', 'seed=1&size=128x128']),
  orbits(['forest', 'seed=1&size=96x96']),
  ['the globe of planet turns by a drag', globe, SMALL],
  ['one flies through the stars of galaxy', space, SMALL],
  ['another seed changes the land of the 3-D view', newSeed, SMALL],
];
