// How long things take.

import { open } from './page.mjs';

/** Worlds, their addresses and the goal for the first picture in milliseconds. */
export const STARTS = [
  ['forest 256²', 'world=forest&seed=42&size=256x256', 2000],
  ['endless', 'world=endless&seed=0', 2000],
  ['island 512²', 'world=island&seed=7&size=512x512', 2000],
  ['realm 256²', 'world=realm&seed=7&size=256x256', 2000],
];

/** Milliseconds from the navigation to the first picture, coarse or whole, when the page was loaded before. */
export async function firstPicture(context, url, state) {
  const warm = await context.newPage();
  await open(warm, url, state);
  await warm.close();
  const page = await context.newPage();
  await page.addInitScript(watchTiles);
  await open(page, url, state);
  const ms = await page.evaluate(() => Number(document.body.dataset.coarse ?? window.firstTile));
  await page.close();
  return ms;
}

/** In the page: notes when the canvas of tiles first has a pixel. */
function watchTiles() {
  const look = () => {
    const canvas = document.querySelector('.map canvas:not(.pictures)');
    if (canvas?.width > 1) {
      const small = new OffscreenCanvas(16, 16).getContext('2d', { willReadFrequently: true });
      small.drawImage(canvas, 0, 0, 16, 16);
      if (small.getImageData(0, 0, 16, 16).data.some((v) => v > 0)) {
        window.firstTile = performance.now();
        return;
      }
    }
    requestAnimationFrame(look);
  };
  addEventListener('DOMContentLoaded', look);
}

/** Frames a second while the map of endless is dragged for some seconds and tiles arrive. */
export async function dragFrames(context, url, seconds = 3) {
  const page = await context.newPage();
  await open(page, url, 'world=endless&seed=0&x=5000&y=5000&z=0');
  await page.evaluate(() => {
    window.frames_ = 0;
    window.count = () => {
      window.frames_++;
      requestAnimationFrame(window.count);
    };
    requestAnimationFrame(window.count);
  });
  const box = await page.locator('.map').boundingBox();
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  const start = performance.now();
  const first = await page.evaluate(() => window.frames_);
  let [x, y, down] = [middle[0] + 300, middle[1], false];
  while (performance.now() - start < seconds * 1000) {
    if (!down) {
      [x, y] = [middle[0] + 300, middle[1] + 100];
      await page.mouse.move(x, y);
      await page.mouse.down();
      down = true;
    }
    [x, y] = [x - 9, y - 3];
    await page.mouse.move(x, y);
    await page.waitForTimeout(12);
    if (x < middle[0] - 300) {
      await page.mouse.up();
      down = false;
    }
  }
  const frames = (await page.evaluate(() => window.frames_)) - first;
  const took = (performance.now() - start) / 1000;
  if (down) await page.mouse.up();
  // The address follows when the map rests.
  await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get('x') !== '5000');
  const moved = await page.evaluate(() => Number(new URLSearchParams(location.hash.slice(1)).get('x')) - 5000);
  await page.close();
  return { fps: frames / took, moved };
}
