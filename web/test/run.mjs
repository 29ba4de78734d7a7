// Tests of the explorer in browsers. From the repository's root:
//
//   node web/test/run.mjs --weald target/debug/weald [--only NAME] [--browser chromium|firefox|all] [--break 'TEXT=>OTHER'] [--shots FOLDER]
//
// --only takes the tests whose names contain NAME. --break changes a text of the built page before it is served: to see that a test can fail.
// --shots keeps a picture of the page of every test that fails.

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startChromium, startFirefox, Watch, watchedContext, watchedFirefoxPage } from './lib/browser.mjs';
import { Cli, ROOT } from './lib/cli.mjs';
import { startFiles, startWeald } from './lib/servers.mjs';

const MODULES = ['worlds', 'making', 'cancel', 'share', 'inspect', 'files', 'addresses', 'scenes', 'control', 'access', 'weight'];
const LONGEST_MS = 90_000;

const { values: options } = parseArgs({
  options: { weald: { type: 'string' }, only: { type: 'string' }, browser: { type: 'string', default: 'all' }, break: { type: 'string' }, shots: { type: 'string' } },
});
if (!options.weald) {
  console.error('--weald PATH: name the program to test');
  process.exit(2);
}

const page = join(ROOT, 'crates/weald-cli/page');
const cli = new Cli(options.weald);
const server = await mainServer();
let [passed, failed] = [0, 0];

function mainServer() {
  if (!options.break) return startWeald(cli.binary);
  let found = false;
  const seen = (text) => {
    found ||= text.includes(options.break.split('=>')[0]);
    return broken(text);
  };
  return startFiles(page, { isolated: true, edit: seen }).then((s) => {
    if (!found) throw new Error(`--break: the page has no ${options.break.split('=>')[0]}`);
    return s;
  });
}

/** A text of the page as --break changes it. */
function broken(text) {
  const [from, to] = options.break?.split('=>') ?? [];
  return from ? text.replaceAll(from, to) : text;
}

async function inTime(work, ms) {
  let timer;
  const late = new Promise((_, fail) => (timer = setTimeout(() => fail(new Error(`took longer than ${ms / 1000} s`)), ms)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Tries one test: what went wrong, or nothing. `start` gives what the test gets, and how to end that. */
async function attempt(name, test, start) {
  const watch = new Watch();
  const ends = [];
  let [problem, given] = [null, null];
  try {
    given = await start(watch, ends);
    await inTime(test({ cli, watch, url: server.url, page: given.page, folder: page, ...given }), LONGEST_MS);
  } catch (error) {
    problem = error;
    const path = options.shots && join(options.shots, `${name.replaceAll(/\W+/g, '-').slice(0, 60)}.png`);
    if (path) await given?.page.screenshot({ path }).catch(() => {});
  }
  for (const end of ends) await Promise.resolve(end()).catch(() => {});
  const said = [problem?.message, ...watch.problems].filter(Boolean);
  return said.length ? said.join('\n').replaceAll(/^/gm, '       ') : null;
}

/** Runs one test and prints a line about it. On a busy machine a browser can be late once; what is wrong is wrong twice. */
async function run(name, test, start) {
  if (options.only && !name.toLowerCase().includes(options.only.toLowerCase())) return;
  const begin = performance.now();
  let problem = await attempt(name, test, start);
  if (problem) {
    console.log(`once more: ${name}\n${problem}`);
    problem = await attempt(name, test, start);
  }
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.log(`${problem ? 'FAIL' : 'ok  '} ${name} (${seconds} s)`);
  if (problem) console.log(problem);
  if (problem) failed++;
  else passed++;
}

async function chromiumTests() {
  const browser = await startChromium();
  for (const module of MODULES) {
    const { tests } = await import(`./${module}.mjs`);
    for (const [name, test, settings = {}] of tests) {
      await run(name, test, async (watch, ends) => {
        const context = async (more = {}, base = server.url) => {
          const made = await watchedContext(browser, new URL(base).origin, watch, { ...settings, ...more });
          ends.push(() => made.close());
          return made;
        };
        const files = async (prefix) => {
          const made = await startFiles(page, { prefix, edit: broken });
          ends.push(made.stop);
          return made.url;
        };
        return { context, files, page: await (await context()).newPage() };
      });
    }
  }
  await browser.close();
}

async function firefoxTests() {
  const browser = await startFirefox();
  const { tests } = await import('./firefox.mjs');
  for (const [name, test] of tests) {
    await run(name, test, async (watch, ends) => {
      const made = await watchedFirefoxPage(browser, new URL(server.url).origin, watch);
      ends.push(made.close);
      return { page: made.page };
    });
  }
  await browser.close();
}

try {
  if (options.browser !== 'firefox') await chromiumTests();
  if (options.browser !== 'chromium') await firefoxTests();
} finally {
  server.stop();
  cli.remove();
}
if (passed + failed === 0) {
  console.log(`no test has “${options.only}” in its name`);
  failed = 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
