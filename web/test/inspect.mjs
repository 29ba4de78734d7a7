// What a click on the map tells, against the files and `weald explain`.

import assert from 'node:assert/strict';
import { layerOf, manifestOf } from './lib/cli.mjs';
import { number, open, screenOf, words } from './lib/page.mjs';

/** What the inspector shows. */
async function shown(page) {
  await page.waitForSelector('.inspector .reason, .inspector .problem, .inspector .values tr', { timeout: 8000 });
  return page.evaluate(() => {
    const text = (root, selector) => [...root.querySelectorAll(selector)].map((e) => e.textContent);
    const body = document.querySelector('.inspector');
    return {
      problem: text(body, '.problem'),
      place: text(body, '.place')[0],
      values: [...body.querySelectorAll('.values tr')].map((row) => [row.dataset.layer, row.children[1].textContent]),
      reasons: [...body.querySelectorAll('.reason')].map((r) => [r.dataset.subject, r.querySelector('.answer').textContent, r.querySelector(':scope > p').textContent]),
      rules: text(body, '.rule'),
    };
  });
}

async function clickAt(page, x, y) {
  await page.mouse.click(...(await screenOf(page, x, y)));
}

const valueText = (v) => (v.names.length ? v.names.map(words).join(', ') : number(v.value));

function sameAsExplain(is, explained) {
  assert.deepEqual(is.problem, []);
  assert.ok(is.reasons.length >= 1, 'there is a reason');
  assert.deepEqual(is.reasons, explained.reasons.map((r) => [r.subject, words(r.answer), r.sentence]));
  assert.deepEqual(is.values, explained.values.map((v) => [v.layer, valueText(v)]));
  assert.deepEqual(is.rules, explained.reasons.filter((r) => r.rule).map((r) => r.rule));
}

function inspects([world, side, zoom, ...cells]) {
  const test = async ({ page, url, cli }) => {
    const folder = await cli.folderOf(world, '--seed', '1', '--size', `${side}`);
    const { layers } = manifestOf(folder);
    await open(page, url, `world=${world}&seed=1&size=${side}x${side}&x=${side / 2}&y=${-side / 2}&z=${zoom}`);
    for (const [column, row] of cells) {
      await clickAt(page, column + 0.5, -row - 0.5);
      const is = await shown(page);
      assert.deepEqual(is.values.map(([name]) => name), layers.map((l) => l.name), 'every layer is listed');
      const explained = JSON.parse(await cli.run(['explain', folder, '--at', `${column},${row}`, '--json']));
      for (const v of explained.values) assert.equal(v.value, layerOf(folder, v.layer).at(column, row), `${v.layer} at ${column},${row}`);
      sameAsExplain(is, explained);
      await page.click('.inspector [aria-label=Close]');
      assert.equal(await page.isVisible('.inspector'), false);
    }
  };
  return [`a click on ${world} tells every layer and the reasons of weald explain`, test];
}

async function inspectsEndless({ page, url, cli }) {
  await open(page, url, 'world=endless&seed=0&x=300&y=-200&z=2');
  const folder = await cli.folderOf('endless', '--seed', '0', '--at=250,-150', '--size', '100');
  for (const [x, y] of [[301, -203], [280, -180]]) {
    await clickAt(page, x, y);
    const is = await shown(page);
    const explained = JSON.parse(await cli.run(['explain', folder, `--at=${x},${y}`, '--json']));
    assert.deepEqual(is.reasons, explained.reasons.map((r) => [r.subject, words(r.answer), r.sentence]), `the reasons at ${x}, ${y}`);
    assert.ok(is.reasons.length >= 1);
    const must = new Map(explained.values.map((v) => [v.layer, valueText(v)]));
    assert.ok(is.values.length >= 3);
    for (const [layer, text] of is.values) assert.equal(text, must.get(layer), `${layer} at ${x}, ${y}`);
    await page.keyboard.press('Escape');
  }
}

async function inspectsPlanet({ page, url, cli }) {
  await open(page, url, 'world=planet&seed=3&size=32x32&x=20&y=10&z=3');
  const folder = await cli.folderOf('planet', '--seed', '3', '--size', '32');
  await clickAt(page, 22, 11);
  const is = await shown(page);
  // A pixel is an eighth of a degree: the same cell, and the same ground.
  const explained = JSON.parse(await cli.run(['explain', folder, '--at=11,22', '--json']));
  assert.deepEqual(is.values.map(([layer]) => layer), explained.values.map((v) => v.layer));
  assert.deepEqual(is.reasons.map(([subject, answer]) => [subject, answer]), explained.reasons.map((r) => [r.subject, words(r.answer)]));
}

async function hoverTells({ page, url, cli }) {
  const folder = await cli.folderOf('forest', '--seed', '1', '--size', '64');
  await open(page, url, 'world=forest&seed=1&size=64x64&x=32&y=-32&z=3');
  await page.mouse.move(...(await screenOf(page, 20.5, -10.5)));
  await page.waitForFunction(() => document.querySelector('.hover').textContent.startsWith('20, 10'));
  const text = await page.textContent('.hover');
  const biome = manifestOf(folder).layer.get('biome').classes.find((c) => c.value === layerOf(folder, 'biome').at(20, 10)).name;
  assert.ok(text.includes(`biome ${biome}`) || text.includes(biome.replaceAll('_', ' ')), `${text} names ${biome}`);
}

export const tests = [
  ...[
    ['forest', 64, 3, [5, 7], [40, 60]],
    ['island', 128, 2, [64, 64], [3, 120]],
    ['realm', 128, 2, [50, 70]],
    ['city', 256, 1, [100, 130]],
    ['galaxy', 64, 3, [10, 20]],
  ].map(inspects),
  ['a click on endless tells what weald explain tells', inspectsEndless],
  ['a click on planet tells what weald explain tells', inspectsPlanet],
  ['the status line tells what is under the pointer', hoverTells],
];
