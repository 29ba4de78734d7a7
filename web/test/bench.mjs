// Times and weights of the explorer in Chromium. From the repository's root: node web/test/bench.mjs --weald target/release/weald

import { parseArgs } from 'node:util';
import { startChromium, Watch, watchedContext } from './lib/browser.mjs';
import { startWeald } from './lib/servers.mjs';
import { dragFrames, firstPicture, STARTS } from './lib/times.mjs';
import { GOAL_BYTES, weights } from './lib/weights.mjs';

const ROUNDS = 3;
const { values: options } = parseArgs({ options: { weald: { type: 'string' } } });
if (!options.weald) {
  console.error('--weald PATH: name the program to measure');
  process.exit(2);
}

const server = await startWeald(options.weald);
const browser = await startChromium();
const watch = new Watch();
const context = () => watchedContext(browser, new URL(server.url).origin, watch);
const rows = [];
const row = (what, is, goal, met) => rows.push([what, is, goal, met === null ? '' : met ? 'met' : 'missed']);
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];

try {
  for (const [name, state, goal] of STARTS) {
    const times = [];
    for (let i = 0; i < ROUNDS; i++) times.push(await firstPicture(await context(), server.url, state));
    const ms = median(times);
    row(`first picture, ${name}`, `${(ms / 1000).toFixed(2)} s`, `${goal / 1000} s`, ms <= goal);
  }
  const { fps, moved } = await dragFrames(await context(), server.url);
  row(`drag of the endless map over ${Math.round(Math.abs(moved))} m`, `${fps.toFixed(0)} frames/s`, 'above 30', fps > 30 && Math.abs(moved) > 300);
  watch.allow(/ERR_ABORTED/);
  const sums = await weights(await (await context()).newPage(), server.url);
  const megabytes = (n) => `${(n / 1e6).toFixed(2)} MB`;
  row('weight of the page', megabytes(sums.page), `below ${megabytes(GOAL_BYTES)}`, sums.page < GOAL_BYTES);
  row('weight of the 3-D views', megabytes(sums['3-D']), '', null);
  row('weight of the checker', megabytes(sums.checker), '', null);
} finally {
  await browser.close();
  server.stop();
}
const widths = [0, 1, 2, 3].map((i) => Math.max(...rows.map((r) => r[i].length)));
for (const r of rows) console.log(r.map((text, i) => (i === 1 ? text.padStart(widths[i]) : text.padEnd(widths[i]))).join('  ').trimEnd());
for (const problem of watch.problems) console.log(`problem: ${problem}`);
