// Every world from a cold address: its picture cell by cell, its hashes, its rules.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { classColours, goldens, layerOf } from './lib/cli.mjs';
import { canvasPixels, hashes, open, PICTURES, pixelOf, stateOf, tab, wrongCells } from './lib/page.mjs';
import { readPng } from './lib/png.mjs';

/** A class layer of each world that is laid over its map, cells of several pixels. */
const CLASSES = [
  ['forest', 'biome', 1, 64, 3],
  ['island', 'cover', 1, 128, 2],
  ['realm', 'biome', 1, 128, 2],
  ['city', 'buildable', 1, 256, 1],
  ['endless', 'surface', 0, 128, 2],
];

/** One golden case of every world. Endless is shown as a window when it has another view than its map. */
const GOLDENS = [
  ['forest', 'forest', '42', '97x61'],
  ['endless', 'endless', '0', '200x150', '&view=mines'],
  ['planet', 'planet', '42', '33x33'],
  ['galaxy', 'galaxy', '18446744073709551615', '33x200'],
  ['city', 'city-river', '1', '256x256'],
  ['island', 'archipelago', '42', '200x150'],
  ['realm', 'realm-coast', '18446744073709551615', '61x200'],
];

function drawsClasses([world, layer, seed, side, zoom]) {
  const test = async ({ page, url, cli }) => {
    const view = world === 'endless' ? '&view=mines' : '';
    await open(page, url, `world=${world}&seed=${seed}&size=${side}x${side}${view}&layer=${layer}&x=${side / 2}&y=${-side / 2}&z=${zoom}`);
    const folder = await cli.folderOf(world, '--seed', `${seed}`, '--size', `${side}`);
    const [cells, colours] = [layerOf(folder, layer), classColours(folder, layer)];
    assert.ok(new Set(cells.cells).size > 1, 'the layer has more than one class');
    const image = await canvasPixels(page, PICTURES);
    const { wrong, seen } = wrongCells(image, await stateOf(page), side, side, (c, r) => colours.get(cells.at(c, r)), world === 'endless' ? 0.5 : 0);
    assert.equal(seen, side * side, 'every cell is on the screen');
    assert.deepEqual(wrong.slice(0, 3), [], `${wrong.length} of ${seen} cells have another colour`);
  };
  return [`${world} draws every cell of ${layer} in the colour of its class`, test];
}

/** Every cell has the colour that `weald debug` gives it. */
async function drawsGalaxy({ page, url, cli }) {
  await open(page, url, 'world=galaxy&seed=5&size=64x64&layer=nebula&x=32&y=-32&z=3');
  const folder = join(cli.place(), 'debug');
  await cli.run(['debug', 'galaxy', '--seed', '5', '--size', '64', '-o', folder]);
  // That picture has a title above it and a legend below; its cells are squares of 16 pixels.
  const drawn = readPng(readFileSync(join(folder, 'debug/nebula.png')));
  const [image, state, cell] = [await canvasPixels(page, PICTURES), await stateOf(page), 16];
  const left = (drawn.width - 64 * cell) / 2;
  const wrong = Array.from({ length: drawn.height - 64 * cell }, (_, top) =>
    wrongCells(image, state, 64, 64, (c, r) => drawn.at(left + c * cell + cell / 2, top + r * cell + cell / 2)).wrong.length);
  assert.equal(Math.min(...wrong), 0, 'cells with another colour');
  assert.ok(Math.max(...wrong) > 500, `moved by up to ${wrong.length} pixels it matches as well: ${Math.max(...wrong)}`);
}

/** The map of a planet at one pixel of the screen for one of the file. */
async function drawsPlanet({ page, url, cli }) {
  await open(page, url, `world=planet&seed=3&size=64x64&view=equirectangular&x=20&y=10&z=${Math.log2(2048 / 360).toFixed(3)}`);
  const folder = await cli.folderOf('planet', '--seed', '3', '--size', '64');
  const drawn = readPng(readFileSync(join(folder, 'equirectangular.png')));
  const image = await canvasPixels(page, PICTURES);
  const [dx, dy] = [1024 + (20 / 360) * 2048 - image.width / 2, 512 - (10 / 360) * 2048 - image.height / 2].map(Math.round);
  const compare = (moved) => {
    let [sum, count] = [0, 0];
    for (let y = 0; y < image.height; y += 3) {
      for (let x = 0; x < image.width; x += 3) {
        const other = drawn.rgb(dx + x + moved, dy + y);
        image.rgb(x, y).forEach((v, i) => (sum += Math.abs(v - other[i])));
        count += 3;
      }
    }
    return sum / count;
  };
  const [same, moved] = [compare(0), compare(8)];
  assert.ok(same < 8, `the map differs from equirectangular.png by ${same.toFixed(2)} levels`);
  assert.ok(moved > 2 * same, `8 pixels beside it differs by ${moved.toFixed(2)} levels only, at the place by ${same.toFixed(2)}`);
}

const isBlue = ([r, g, b]) => b > 150 && b - r > 60 && b > g;

/** Tiles: places that are lakes for `weald sample`, with lake all around, are blue; other places are not. */
async function drawsEndless({ page, url, cli }) {
  const [x0, y0, step] = [-300, -1440, 10];
  await open(page, url, `world=endless&seed=0&x=${x0}&y=${y0}&z=0`);
  const image = await canvasPixels(page, '.map canvas:not(.pictures)');
  const places = [];
  for (let y = y0 - 340; y <= y0 + 340; y += step) for (let x = x0 - 400; x <= x0 + 400; x += step) places.push([x, y]);
  const file = join(cli.place(), 'places.csv');
  writeFileSync(file, ['x,y', ...places.map((p) => p.join())].join('\n'));
  const rows = (await cli.run(['sample', 'endless', '--seed', '0', '--points', file, '--columns', 'terrain'])).trim().split('\n').slice(1);
  const terrain = new Map(rows.map((row) => row.split(',')).map(([x, y, kind]) => [`${Number(x)},${Number(y)}`, kind]));
  const around = (x, y) => [-1, 0, 1].flatMap((i) => [-1, 0, 1].map((j) => terrain.get(`${x + i * step},${y + j * step}`) === 'lake'));
  const state = await stateOf(page);
  const found = { lake: [0, 0], land: [0, 0] };
  for (const [x, y] of places) {
    const near = around(x, y);
    if (near.some((v) => v !== near[0])) continue;
    const [px, py] = pixelOf(state, image.width, image.height, x, y).map(Math.floor);
    if (px < 0 || py < 0 || px >= image.width || py >= image.height) continue;
    const count = found[near[0] ? 'lake' : 'land'];
    count[0]++;
    if (isBlue(image.rgb(px, py))) count[1]++;
  }
  assert.ok(found.lake[0] > 200 && found.land[0] > 200, `there are lakes and land: ${JSON.stringify(found)}`);
  // Streams, and the lines and symbols on lakes, are the exceptions.
  assert.ok(found.lake[1] / found.lake[0] > 0.97, `blue lakes: ${found.lake[1]} of ${found.lake[0]}`);
  assert.ok(found.land[1] / found.land[0] < 0.03, `blue land: ${found.land[1]} of ${found.land[0]}`);
}

function hasGoldens([world, recipe, seed, size, more = '']) {
  const test = async ({ page, url }) => {
    await open(page, url, `world=${world}&recipe=${recipe}&seed=${seed}&size=${size}${more}`);
    const [is, must] = [await hashes(page), goldens(recipe, seed, size)];
    assert.ok(is.size >= 5, `only ${is.size} hashes are shown`);
    for (const [name, hash] of is) assert.equal(hash, must.get(name), `the hash of ${name}`);
    // The map of the land around is an option of the command line.
    const missing = [...must.keys()].filter((name) => !is.has(name) && name !== 'worldmap.terrain.json');
    assert.deepEqual(missing, [], 'goldens that the page does not list');
  };
  return [`${world} has the golden hashes of ${recipe} ${seed} ${size}`, test];
}

function keepsRules(world) {
  const size = { planet: '16x16', city: '256x256', galaxy: '64x64', endless: '64x64' }[world] ?? '96x80';
  const test = async ({ page, url, cli }) => {
    await open(page, url, `world=${world}&seed=11&size=${size}${world === 'endless' ? '&view=mines' : ''}`);
    await tab(page, 'about');
    await page.click('[data-action=check]');
    await page.waitForSelector('.rules [data-ok], .rules .problem', { timeout: 60_000 });
    const text = await page.$eval('.rules [data-ok], .rules .problem', (e) => e.textContent);
    const rows = await page.$$eval('.rules tr', (list) => list.map((row) => [...row.children].map((c) => c.textContent)));
    const folder = await cli.folderOf(world, '--seed', '11', '--size', size);
    const native = JSON.parse(await cli.run(['check', folder, '--json']));
    assert.equal(text, `All ${native.rules.length} rules are kept.`);
    assert.deepEqual(rows.map(([rule]) => rule), native.rules.map((r) => r.rule), 'the rules of weald check');
    assert.ok(rows.every(([, kept]) => kept === 'kept'));
    const counts = rows.map(([, , checked]) => Number(checked.replaceAll(',', '')));
    assert.ok(counts.some((n) => n > 1000), 'cells were checked');
  };
  return [`the checker says that ${/^[aeiou]/.test(world) ? 'an' : 'a'} ${world} keeps all rules`, test];
}

/** All worlds of the program. */
const WORLDS = ['forest', 'endless', 'planet', 'galaxy', 'city', 'island', 'realm'];

export const tests = [
  ...CLASSES.map(drawsClasses),
  ['galaxy draws every cell of the nebula as weald debug does', drawsGalaxy],
  ['planet draws the picture that the command line writes', drawsPlanet],
  ['endless draws lakes blue and land not', drawsEndless],
  ...GOLDENS.map(hasGoldens),
  ...WORLDS.map(keepsRules),
];
