// Every world from a cold address: its picture cell by cell, its hashes, its rules.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classColours, goldens, layerOf } from './lib/cli.mjs';
import { canvasPixels, hashes, open, PICTURES, stateOf, tab, wrongCells } from './lib/page.mjs';
import { picture, readPng } from './lib/png.mjs';

/** A class layer of each world that is laid over its map, cells of several pixels. */
const CLASSES = [
  ['forest', 'biome', 1, 64, 3],
  ['island', 'cover', 1, 128, 2],
  ['realm', 'biome', 1, 128, 2],
  ['city', 'buildable', 1, 256, 1],
  ['endless', 'terrain', 0, 128, 2],
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
    const { wrong, seen } = wrongCells(image, await stateOf(page), side, side, (c, r) => colours.get(cells.at(c, r)));
    assert.equal(seen, side * side, 'every cell is on the screen');
    assert.deepEqual(wrong.slice(0, 3), [], `${wrong.length} of ${seen} cells have another colour`);
  };
  return [`${world} draws every cell of ${layer} in the colour of its class`, test];
}

async function drawsGalaxy({ page, url, cli }) {
  await open(page, url, 'world=galaxy&seed=5&size=64x64&layer=nebula&x=32&y=-32&z=3');
  const folder = join(cli.place(), 'debug');
  await cli.run(['debug', 'galaxy', '--seed', '5', '--size', '64', '-o', folder]);
  // The picture of a layer has a margin; cells are squares in it.
  const drawn = readPng(readFileSync(join(folder, 'debug/nebula.png')));
  const image = await canvasPixels(page, PICTURES);
  const state = await stateOf(page);
  const cell = Math.floor(drawn.width / 64) - (Math.floor(drawn.width / 64) % 4);
  const left = (drawn.width - 64 * cell) / 2;
  const matches = [];
  for (let top = 0; top < drawn.height - 64 * cell; top++) {
    const { wrong } = wrongCells(image, state, 64, 64, (c, r) => drawn.at(left + c * cell + cell / 2, top + r * cell + cell / 2));
    matches.push(wrong.length);
  }
  assert.equal(Math.min(...matches), 0, 'every cell has the colour that weald debug gives it');
  assert.ok(Math.max(...matches) > 3000, 'a picture that is moved does not match');
}

async function drawsPlanet({ page, url, cli }) {
  // One pixel of the screen is one pixel of the file.
  await open(page, url, `world=planet&seed=3&size=64x64&x=20&y=10&z=${Math.log2(2048 / 360).toFixed(3)}`);
  const folder = await cli.folderOf('planet', '--seed', '3', '--size', '64');
  const drawn = readPng(readFileSync(join(folder, 'equirectangular.png')));
  const image = await canvasPixels(page, PICTURES);
  const perDegree = drawn.width / 360;
  const compare = (moved) => {
    let sum = 0;
    for (let y = 0; y < image.height; y++) {
      for (let x = 0; x < image.width; x++) {
        const at = [Math.floor(1024 + 20 * perDegree + x - image.width / 2) + moved, Math.floor(512 - 10 * perDegree + y - image.height / 2)];
        sum += image.rgb(x, y).reduce((n, v, i) => n + Math.abs(v - drawn.rgb(...at)[i]), 0);
      }
    }
    return sum / (3 * image.width * image.height);
  };
  const [same, moved] = [compare(0), compare(24)];
  assert.ok(same < 4, `the picture differs from equirectangular.png by ${same.toFixed(2)} levels`);
  assert.ok(moved > 4 * same, `24 pixels beside it differs by ${moved.toFixed(2)} levels only`);
}

async function drawsEndless({ page, url, cli }) {
  const [west, north, side] = [-128, 128, 256];
  await open(page, url, `world=endless&seed=0&x=0&y=0&z=1`);
  // The tiles lie below the canvas of pictures.
  const image = await canvasPixels(page, '.map canvas:not(.pictures)');
  const points = [];
  for (let y = north; y > north - side; y -= 4) for (let x = west; x < west + side; x += 4) points.push(`${x},${y}`);
  const answer = await cli.run(['sample', 'endless', '--seed', '0', '--json', ...points.flatMap((p) => [`--at=${p}`])]);
  const places = JSON.parse(answer);
  const state = await stateOf(page);
  return { image, places, state, picture };
}

function hasGoldens([world, recipe, seed, size, more = '']) {
  const test = async ({ page, url }) => {
    await open(page, url, `world=${world}&recipe=${recipe}&seed=${seed}&size=${size}${more}`);
    const [is, must] = [await hashes(page), goldens(recipe, seed, size)];
    assert.ok(is.size >= 5, `only ${is.size} hashes are shown`);
    for (const [name, hash] of is) assert.equal(hash, must.get(name), `the hash of ${name}`);
    const missing = [...must.keys()].filter((name) => !is.has(name));
    assert.deepEqual(missing, [], 'goldens that the page does not list');
  };
  return [`${world} has the golden hashes of ${recipe} ${seed} ${size}`, test];
}

function keepsRules(world) {
  const size = { planet: '32x32', city: '256x256', galaxy: '64x64', endless: '64x64' }[world] ?? '96x80';
  const test = async ({ page, url, cli }) => {
    await open(page, url, `world=${world}&seed=11&size=${size}${world === 'endless' ? '&view=mines' : ''}`);
    await tab(page, 'about');
    await page.click('[data-action=check]');
    await page.waitForSelector('.rules [data-ok]', { timeout: 60_000 });
    const [text] = await page.$$eval('.rules [data-ok]', (list) => list.map((e) => e.textContent));
    const rows = await page.$$eval('.rules tr', (list) => list.map((row) => [...row.children].map((c) => c.textContent)));
    const folder = await cli.folderOf(world, '--seed', '11', '--size', size);
    const native = JSON.parse(await cli.run(['check', folder, '--json']));
    assert.equal(text, `All ${native.rules.length} rules are kept.`);
    assert.deepEqual(rows.map(([rule]) => rule), native.rules.map((r) => r.rule), 'the rules of weald check');
    assert.ok(rows.every(([, kept]) => kept === 'kept'));
    const counts = rows.map(([, , checked]) => Number(checked.replaceAll(',', '')));
    assert.ok(counts.some((n) => n > 1000), 'cells were checked');
  };
  return [`the checker says that a ${world} keeps all rules`, test];
}

const WORLDS = ['forest', 'endless', 'planet', 'galaxy', 'city', 'island', 'realm'];

export const tests = [
  ...CLASSES.map(drawsClasses),
  ['galaxy draws every cell of the nebula as weald debug does', drawsGalaxy],
  ['planet draws the picture that the command line writes', drawsPlanet],
  ['endless draws lakes blue and land not', drawsEndless],
  ...GOLDENS.map(hasGoldens),
  ...WORLDS.map(keepsRules),
];
