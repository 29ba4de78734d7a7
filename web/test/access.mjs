// Accessibility: names, order of the keyboard, focus that can be seen.

import assert from 'node:assert/strict';
import { open, tab, update } from './lib/page.mjs';

const ROLES = new Set(['button', 'checkbox', 'combobox', 'image', 'img', 'link', 'menuitem', 'radio', 'searchbox', 'slider', 'spinbutton', 'tab', 'tabpanel', 'textbox', 'dialog', 'application', 'progressbar', 'ProgressIndicator']);
const CONTROLS = new Set(['button', 'checkbox', 'combobox', 'radio', 'slider', 'spinbutton', 'textbox', 'searchbox', 'tab', 'menuitem']);

/** Checks that all that can be used has a name, by the browser's own tree. */
async function named(page, least) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const seen = nodes.filter((n) => !n.ignored && ROLES.has(n.role?.value));
  const controls = seen.filter((n) => CONTROLS.has(n.role.value));
  assert.ok(controls.length >= least, `${controls.length} controls are in the tree`);
  const without = [];
  for (const n of seen.filter((n) => !n.name?.value?.trim())) {
    const { node } = await session.send('DOM.describeNode', { backendNodeId: n.backendDOMNodeId });
    without.push(`${n.role.value} <${node.localName} ${(node.attributes ?? []).join(' ')}>`);
  }
  assert.deepEqual(without, [], 'controls without a name');
  await session.detach();
}

async function names({ page, url }) {
  await open(page, url, 'world=forest&seed=1&size=64x64&layer=biome&contours=0.1');
  await page.$$eval('details', (list) => list.forEach((d) => (d.open = true)));
  await named(page, 80);
  for (const name of ['layers', 'about']) {
    await tab(page, name);
    await named(page, 12);
  }
  await page.click('[data-action=share]');
  await named(page, 12);
  await page.click('h1');
  await page.click('.map', { position: { x: 430, y: 350 } });
  await page.waitForSelector('.inspector .reason');
  await named(page, 12);
  await page.click('[aria-label=Help]');
  await page.waitForSelector('dialog[open]');
  await named(page, 1);
}

async function namesElsewhere({ page, url }) {
  await open(page, url, 'world=endless&seed=0&mode=3d');
  await page.waitForSelector('.hud');
  await named(page, 12);
  await update(page, () => page.selectOption('[aria-label=World]', 'planet'));
  await tab(page, 'layers');
  await named(page, 12);
  await open(page, url, 'world=galaxy&size=32x32&mode=sheet');
  await named(page, 12);
}

const focused = (page) =>
  page.evaluate(() => {
    const e = document.activeElement;
    const style = getComputedStyle(e);
    const ring = (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== 'none';
    const box = e.getBoundingClientRect();
    return { tag: e.tagName, what: e.getAttribute('aria-label') ?? e.id ?? e.textContent.trim().slice(0, 30), map: e.matches('.map'), panel: !!e.closest('.panel'), top: !!e.closest('header.top'), ring, seen: box.width > 0 && box.height > 0 };
  });

async function keyboard({ page, url }) {
  await open(page, url, 'world=galaxy&seed=1&size=32x32');
  const stops = [];
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const stop = await focused(page);
    if (stop.tag === 'BODY') break;
    stops.push(stop);
  }
  assert.ok(stops.some((s) => s.map), 'the map can be reached');
  assert.ok(stops.some((s) => s.panel), 'the panel can be reached');
  assert.ok(stops.findIndex((s) => s.top) < stops.findIndex((s) => s.panel), 'the top bar comes first');
  assert.ok(stops.findIndex((s) => s.panel) < stops.findIndex((s) => s.map), 'the panel comes before the map');
  assert.deepEqual(stops.filter((s) => !s.ring).map((s) => `${s.tag} ${s.what}`), [], 'stops whose focus cannot be seen');
  assert.deepEqual(stops.filter((s) => !s.seen).map((s) => `${s.tag} ${s.what}`), [], 'stops that cannot be seen');
}

async function tabKeys({ page, url }) {
  await open(page, url, 'world=galaxy&seed=1&size=32x32');
  const chosen = () => page.$eval('[role=tab][aria-selected=true]', (e) => [e.dataset.tab, document.activeElement === e, !document.getElementById(e.getAttribute('aria-controls')).hidden].join());
  await page.focus('[data-tab=parameters]');
  for (const [key, name] of [['ArrowRight', 'layers'], ['End', 'about'], ['ArrowRight', 'parameters'], ['ArrowLeft', 'about'], ['Home', 'parameters']]) {
    await page.keyboard.press(key);
    assert.equal(await chosen(), `${name},true,true`, key);
  }
  assert.deepEqual(await page.$$eval('[role=tab]', (list) => list.map((e) => e.tabIndex)), [0, -1, -1], 'one tab is a stop of the Tab key');
}

async function zoomed({ page, url }) {
  await open(page, url, 'world=forest&seed=1&size=64x64');
  const problems = await page.evaluate(() => [
    document.documentElement.lang !== 'en' && 'no language',
    document.querySelectorAll('h1').length !== 1 && 'not one h1',
    document.querySelectorAll('main').length !== 1 && 'not one main',
    /user-scalable=no|maximum-scale=1/.test(document.querySelector('meta[name=viewport]').content) && 'zoom is forbidden',
    new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size !== document.querySelectorAll('[id]').length && 'an id is used twice',
    ...['aria-controls', 'aria-describedby', 'aria-labelledby', 'for'].flatMap((name) =>
      [...document.querySelectorAll(`[${name}]`)].filter((e) => !e.getAttribute(name).split(' ').every((id) => document.getElementById(id))).map((e) => `${name}=${e.getAttribute(name)} leads nowhere`)),
  ].filter(Boolean));
  assert.deepEqual(problems, []);
}

export const tests = [
  ['everything that can be used has a name', names],
  ['everything that can be used in other worlds and views has a name', namesElsewhere],
  ['the keyboard reaches bar, panel and map, and the focus can be seen', keyboard],
  ['arrows, Home and End choose tabs', tabKeys],
  ['the document has a language, one heading, one main part and no broken reference', zoomed],
];
