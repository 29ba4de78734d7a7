// What the page weighs and how soon it shows something: with room, for machines that are busy.

import assert from 'node:assert/strict';
import { firstPicture, STARTS } from './lib/times.mjs';
import { GOAL_BYTES, weights } from './lib/weights.mjs';

async function light({ page, url, watch }) {
  // One page after another is left while its workers still load.
  watch.allow(/request failed: .*ERR_ABORTED/);
  const sums = await weights(page, url);
  assert.ok(sums.page > 100_000, 'the page was weighed');
  assert.ok(sums.page < GOAL_BYTES, `the page weighs ${(sums.page / 1e6).toFixed(2)} MB`);
  assert.ok(sums['3-D'] > 50_000 && sums.checker > 50_000, `3-D and the checker are loaded when they are asked for: ${JSON.stringify(sums)}`);
}

async function soon({ context, url }) {
  for (const [name, state, goal] of STARTS) {
    const ms = await firstPicture(await context(), url, state);
    assert.ok(ms < 2 * goal, `${name}: ${ms.toFixed(0)} ms`);
  }
}

export const tests = [
  ['the page weighs less than 1.5 MB', light, { viewport: { width: 800, height: 480 } }],
  ['the first picture of usual worlds is soon there', soon],
];
