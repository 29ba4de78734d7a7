// Browsers, and pages that are watched: no error, no warning, no request to another origin.

import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';

const CHROMIUM = process.env.WEALD_CHROMIUM ?? '/usr/bin/chromium';
const FIREFOX = process.env.WEALD_FIREFOX ?? '/usr/bin/firefox-esr';
const ARGS = [
  '--no-sandbox',
  '--enable-unsafe-swiftshader',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--disable-gpu-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

export function startChromium() {
  return chromium.launch({ executablePath: CHROMIUM, args: ARGS });
}

export function startFirefox() {
  return puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX, headless: true });
}

/** What went wrong on the pages of one test. */
export class Watch {
  problems = [];
  requests = [];
  allowed = [];

  /** From now on messages that match are no problem. */
  allow(pattern) {
    this.allowed.push(pattern);
  }

  say(problem) {
    if (!this.allowed.some((pattern) => pattern.test(problem))) this.problems.push(problem);
  }

  request(address, origin) {
    this.requests.push(address);
    const url = new URL(address);
    // Blobs and data are of the page itself.
    if (url.origin !== origin && !['blob:', 'data:'].includes(url.protocol)) this.say(`request to another origin: ${address}`);
  }

  console(type, text) {
    if (['error', 'warning', 'warn', 'assert'].includes(type)) this.say(`console ${type}: ${text}`);
  }
}

/** A new context of Chromium whose pages are watched. */
export async function watchedContext(browser, origin, watch, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, acceptDownloads: true, ...options });
  context.setDefaultTimeout(30_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  context.on('request', (request) => watch.request(request.url(), origin));
  context.on('requestfailed', (request) => watch.say(`request failed: ${request.url()} ${request.failure()?.errorText}`));
  context.on('response', (response) => {
    if (response.status() >= 400) watch.say(`answer ${response.status()}: ${response.url()}`);
  });
  context.on('console', (message) => watch.console(message.type(), message.text()));
  context.on('weberror', (error) => watch.say(`page error: ${error.error().message}`));
  return context;
}

/** A new page of Firefox that is watched. */
export async function watchedFirefoxPage(browser, origin, watch) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 1200, height: 800 });
  page.on('request', (request) => watch.request(request.url(), origin));
  page.on('requestfailed', (request) => watch.say(`request failed: ${request.url()}`));
  page.on('console', (message) => watch.console(message.type(), message.text()));
  page.on('pageerror', (error) => watch.say(`page error: ${error.message}`));
  return { page, close: () => context.close() };
}
