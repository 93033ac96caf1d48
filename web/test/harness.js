// What the browser tests share: a server of their own, a browser, and pages that must not log errors.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const program = process.env.KIBITZER ?? `${root}target/debug/kibitzer`;
const browserPath = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

export const docs = `${root}docs/`;

/** What a command of the program prints. @param {string[]} args */
export const run = (args) => execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26 });

/** A server on a free port. */
export async function serve(more = []) {
  const child = spawn(program, ['serve', '--port', '0', '--solves', '3', '--memory', '1G', ...more], { stdio: ['ignore', 'pipe', 'inherit'] });
  const base = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the server exited with ${code}`)));
    child.stdout.on('data', (data) => {
      const address = /http:\/\/\S+/.exec(String(data));
      if (address) resolve(address[0]);
    });
  });
  return { base, pid: child.pid, stop: () => child.kill() };
}

/** Starts Chromium; a missing browser is a failure, not a reason to skip. */
export async function browse() {
  assert.ok(browserPath, 'no Chromium: install the package `chromium`, or set CHROMIUM');
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  return chromium.launch({ executablePath: browserPath, args });
}

/**
 * Runs `work` on a new page and fails if anything is logged as an error or requested from another host.
 * `allowed` matches messages to ignore, such as the browser's own about a response of 422.
 */
export async function withPage(browser, base, options, work) {
  const { allowed, ...rest } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...rest });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !allowed?.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) complaints.push(`requests ${request.url()}`);
  });
  try {
    await work(page);
    assert.deepEqual(complaints, []);
  } catch (error) {
    await page.screenshot({ path: `${root}target/failed.png` }).catch(() => {});
    throw error;
  } finally {
    await context.close();
  }
}

/** Asks the server directly, without the page. */
export async function ask(base, path, body) {
  const response = await fetch(`${base}${path}`, body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  assert.equal(response.status, 200, `${path}: ${response.status}`);
  return response.json();
}

/** The report at the end of a solve. */
export async function solve(base, game, body) {
  const response = await fetch(`${base}/api/${game}/solve`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const event = (await response.text()).split('\n\n').find((event) => event.includes('event: report'));
  return JSON.parse(/data: (.*)/.exec(event)[1]);
}

/** Opens the gallery or, with a name and perhaps more, a game. */
export async function openGame(page, base, address = '') {
  await page.goto(`${base}/#/${address}`);
  // The board of the game before may still be there.
  if (address !== '') await page.locator('.intro h1', { hasText: new RegExp(`^${address.split('?')[0]}$`, 'i') }).waitFor();
  await page.locator(address === '' ? '.gallery .card' : '.holder svg').first().waitFor();
}

/** A place of the board. */
export const place = (page, name) => page.locator(`.holder [data-name=${JSON.stringify(name)}]`).first();

/** Waits until the page says something. */
export const said = (page, text) => page.locator('.left > .message', { hasText: text }).waitFor();

/** Waits until this many moves were made. */
export const made = (page, count) => page.waitForFunction((count) => document.querySelectorAll('#panel-play .made li').length === count, count);

/** A server and a browser for the tests of one file, from its first test to its last. */
export function site() {
  let server;
  let browser;
  const here = {
    base: '',
    games: [],
    page: (options, work) => withPage(browser, here.base, options, work),
    open: (page, address) => openGame(page, here.base, address),
    ask: (path, body) => ask(here.base, path, body),
    solve: (game, body) => solve(here.base, game, body),
  };
  before(async () => {
    server = await serve();
    here.base = server.base;
    here.games = await here.ask('/api/games');
    browser = await browse();
  });
  after(async () => {
    await browser?.close();
    server?.stop();
  });
  return here;
}

/** Presses Tab until the focus is where it is wanted. */
export async function tabTo(page, wanted) {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(wanted)) return;
  }
  assert.fail(`Tab does not lead to ${wanted}`);
}

/** The file that the page saves when `act` is done: its name and its bytes. */
export async function saved(page, act) {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** Fails if `page` has a serious accessibility violation. Needs a page with `bypassCSP`. */
export async function checkAccess(page, what) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => window.axe.run());
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(serious.map(({ id, nodes }) => `${what}: ${id} ${nodes[0].html.slice(0, 120)} ${nodes[0].failureSummary}`), []);
}

/** The longest task of the page's main thread while `act` runs, in milliseconds of processor time: other programs do not count. */
export async function longest(page, act) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await act();
  const { traceEvents: events } = JSON.parse(await browser.stopTracing());
  const thread = ({ pid, tid }) => `${pid} ${tid}`;
  const mains = new Set(events.filter((event) => event.name === 'thread_name' && event.args.name === 'CrRendererMain').map(thread));
  const tasks = events.filter((event) => event.name.endsWith('RunTask') && event.tdur !== undefined && mains.has(thread(event)));
  assert.ok(tasks.length > 20, `only ${tasks.length} tasks were measured`);
  return Math.round(Math.max(...tasks.map(({ tdur }) => tdur)) / 1000);
}
