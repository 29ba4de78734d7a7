// Takes the pictures of docs/explore: node web/test/pictures.mjs --weald PATH

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startChromium } from './lib/browser.mjs';
import { startWeald } from './lib/servers.mjs';

const FOLDER = join(import.meta.dirname, '../../docs/explore');

/** Name, address, size of the window, what to click, and seconds to wait for what arrives piece by piece. */
const PICTURES = [
  { name: 'map.png', hash: '#v=1&world=island&seed=7&size=512x512&contours=40', tab: 'layers', at: [0.46, 0.6] },
  { name: 'realm.png', hash: '#v=1&world=realm&seed=7', dark: true },
  { name: 'walk.png', hash: '#v=1&world=endless&mode=3d&camera=1500,640,12,300,-6', wait: 25 },
  { name: 'orbit.png', hash: '#v=1&world=island&seed=7&mode=3d', wait: 2 },
  { name: 'globe.png', hash: '#v=1&world=planet&seed=7&mode=3d', wait: 2 },
  { name: 'seeds.png', hash: '#v=1&world=island&mode=sheet', wait: 15 },
  { name: 'phone.png', hash: '#v=1&world=endless&seed=5', size: [390, 720], wait: 3 },
];

const binary = process.argv[process.argv.indexOf('--weald') + 1];
const [server, browser] = [await startWeald(binary), await startChromium()];
mkdirSync(FOLDER, { recursive: true });
for (const { name, hash, size = [1200, 750], dark = false, tab, at, wait = 0 } of PICTURES) {
  const context = await browser.newContext({ viewport: { width: size[0], height: size[1] }, colorScheme: dark ? 'dark' : 'light' });
  const page = await context.newPage();
  await page.goto(server.url + hash);
  await page.waitForFunction(() => Number(document.body.dataset.ready) >= 1);
  if (tab) await page.click(`[data-tab=${tab}]`);
  if (at) {
    const box = await page.locator('.map').boundingBox();
    await page.mouse.click(box.x + box.width * at[0], box.y + box.height * at[1]);
    await page.waitForSelector('.reason');
  }
  await page.waitForTimeout(1000 * (wait + 0.5));
  await page.screenshot({ path: join(FOLDER, name) });
  console.log(name);
  await context.close();
}
await browser.close();
server.stop();
