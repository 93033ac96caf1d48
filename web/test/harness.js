// The harness of the browser tests: a server, a browser, and pages that must not log errors. With ENGINE=site in the environment the
// pages are static files (`./site` builds them) under a path prefix, and the library runs in the tab.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { chromium } from 'playwright-core';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const program = process.env.KIBITZER ?? `${root}target/debug/kibitzer`;
const browserPath = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

export const docs = `${root}docs/`;

/** The engine: `server` or `site`. */
export const engine = process.env.ENGINE ?? 'server';
/** Options for tests of one engine only. */
export const serverOnly = engine === 'server' ? {} : { skip: 'about the server' };
export const siteOnly = engine === 'site' ? {} : { skip: 'about the site' };
/** Options for slow tests, which run only if LONG is set (`./test long`). */
const long = Boolean(process.env.LONG);
export const longOnly = long ? {} : { skip: 'run by ./test long' };
/** The first `few` items of a list, or all of them in a long run. @template T @param {T[]} list @param {number} few */
export const some = (list, few) => (long ? list : list.slice(0, few));
/** The state limit of a search, one of the page's choices. */
export const nodes = long ? 20_000 : 2000;

/** The output of a command of the program. @param {string[]} args @param {number[]} codes allowed exit codes */
export function run(args, codes = [0]) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  assert.ok(codes.includes(status), `kibitzer ${args.join(' ')}: ${status} ${stderr}`);
  return stdout;
}

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

const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', png: 'image/png', json: 'application/json', wasm: 'application/wasm', webmanifest: 'application/manifest+json' };

/** A minimal static file server for the site, under a path prefix. */
export async function host(prefix = '/some/where') {
  const folder = process.env.SITE ?? `${root}target/site`;
  assert.ok(existsSync(`${folder}/sw.js`), `no site in ${folder}: \`./site\` builds it`);
  /** @type {string[]} */
  const asked = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    asked.push(pathname);
    const name = pathname === `${prefix}/` ? 'index.html' : pathname.slice(prefix.length + 1);
    const path = `${folder}/${name}`;
    if (!pathname.startsWith(`${prefix}/`) || name.includes('..') || !existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': TYPES[name.split('.').at(-1)] ?? 'application/octet-stream' }).end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { base: `http://localhost:${server.address().port}${prefix}`, asked, stop };
}

/** Starts Chromium; a missing browser is a failure, not a reason to skip. */
export async function browse() {
  assert.ok(browserPath, 'no Chromium: install the package `chromium`, or set CHROMIUM');
  const args = ['--no-sandbox', '--disable-gpu', '--in-process-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  return chromium.launch({ executablePath: browserPath, args });
}

/**
 * A new page that records logged errors and requests to other hosts. `allowed` matches messages to ignore, such as the browser's
 * own message about a 422 response.
 */
async function watched(browser, base, { allowed, ...rest }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', serviceWorkers: 'block', ...rest });
  const page = await context.newPage();
  page.setDefaultTimeout(Number(process.env.PATIENCE ?? 60_000));
  const complaints = [];
  page.on('console', (message) => {
    const ours = message.text() !== 'Service Worker registration blocked by Playwright';
    if (ours && ['error', 'warning'].includes(message.type()) && !allowed?.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) complaints.push(`requests ${request.url()}`);
  });
  return { page, complaints };
}

/** Runs `work` on a page, and fails if anything was recorded. */
async function tried({ page, complaints }, work) {
  try {
    await work(page);
    assert.deepEqual(complaints, []);
  } catch (error) {
    await page.screenshot({ path: `${root}target/failed.png` }).catch(() => {});
    throw error;
  }
}

/** Runs `work` on a new page. */
export async function withPage(browser, base, options, work) {
  const opened = await watched(browser, base, options);
  await tried(opened, work).finally(() => opened.page.context().close());
}

/** Waits until the address equals or matches `wanted`. */
export async function addressed(page, wanted) {
  const is = (text) => (typeof wanted === 'string' ? text === wanted : wanted.test(decodeURIComponent(text)));
  await page.waitForURL((url) => is(url.href)).catch(() => assert.fail(`the address is ${page.url()}, not ${wanted}`));
}

/** Answers the page's questions of one kind instead of the engine. `answer` receives the question's body. */
export async function answerWith(page, question, answer) {
  if (engine === 'server') {
    return page.route(`**/${question}`, async (route) => {
      const value = await answer(route.request().postDataJSON());
      const streams = ['reply', 'solve', 'trace'].includes(question);
      return streams ? route.fulfill({ contentType: 'text/event-stream', body: `event: report\ndata: ${JSON.stringify(value)}\n\n` }) : route.fulfill({ json: value });
    });
  }
  await page.exposeFunction(`answer_${question}`, answer);
  await intercept(page, (question) => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
      const asked = JSON.parse(message.text);
      if (asked.question !== question) return post.call(this, message, ...rest);
      window[`answer_${question}`](asked.body).then((value) => this.onmessage?.({ data: { kind: 'answer', text: JSON.stringify(value), held: 0 } }));
    };
  }, question);
}

/** A growing list of the names and bodies of all questions that the page asks from now on. */
export async function questions(page) {
  const asked = [];
  if (engine === 'server') {
    page.on('request', (request) => {
      const [, question] = /\/api\/(?:[^/]+\/)?(\w+)$/.exec(request.url()) ?? [];
      if (question) asked.push({ question, body: request.postDataJSON() });
    });
    return asked;
  }
  await page.exposeFunction('note_question', (text) => void asked.push(JSON.parse(text)));
  await intercept(page, () => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
      window.note_question(message.text);
      return post.call(this, message, ...rest);
    };
  });
  return asked;
}

/** Runs a script in the current page and in pages loaded later. */
async function intercept(page, script, ...args) {
  await page.addInitScript(script, ...args);
  if (page.url() !== 'about:blank') await page.evaluate(script, ...args);
}

/** Asks the server directly, without the page. */
export async function ask(base, path, body) {
  const headers = { 'Content-Type': 'application/json', Connection: 'close' };
  const response = await fetch(`${base}${path}`, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
  assert.equal(response.status, 200, `${path}: ${response.status}`);
  return response.json();
}

/** The answer at the end of a stream. */
export async function solve(base, game, body, question = 'solve') {
  // A new connection: the server may be closing an idle one.
  const headers = { 'Content-Type': 'application/json', Connection: 'close' };
  const response = await fetch(`${base}/api/${game}/${question}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const event = (await response.text()).split('\n\n').find((event) => event.includes('event: report'));
  return JSON.parse(/data: (.*)/.exec(event)[1]);
}

/** Opens the gallery or, with a name and optional parameters, a game, and waits until it has replaced the previous view. */
export async function openGame(page, base, address = '') {
  const url = `${base}/#/${address}`;
  await page.evaluate(() => document.querySelector('main > *')?.setAttribute('data-old', ''));
  if (page.url() === url) await page.reload();
  else await page.goto(url);
  await page.locator(`main > :not([data-old]) ${address === '' ? '.card' : '.stand svg.scene:visible'}`).first().waitFor();
}

/** Options for a separate page of the usual size, for tests that store, intercept or set something. */
export const DESK = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** A place of the board. */
export const place = (page, name) => page.locator(`.holder [data-name=${JSON.stringify(name)}]`).first();

/** The middle of a place on the screen, that is, of its first shape. */
export const middle = (page, name) =>
  place(page, name).evaluate((group) => {
    const { x, y, width, height } = group.firstElementChild.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  });

/** The labels of all visible places, which describe their contents. */
export const shown = (page) => page.locator('.holder [data-name]').evaluateAll((places) => places.map((place) => place.getAttribute('aria-label')));

/** Returns a function that sends a touch event to the page, given its type and the points of the fingers. */
export async function fingers(page) {
  const session = await page.context().newCDPSession(page);
  return (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
}

/** Swipes one finger from one point to another. */
export async function swipe(page, [x0, y0], [x1, y1]) {
  const touch = await fingers(page);
  await touch('touchStart', [x0, y0]);
  for (let step = 1; step <= 8; step++) await touch('touchMove', [x0 + ((x1 - x0) * step) / 8, y0 + ((y1 - y0) * step) / 8]);
  await touch('touchEnd');
}

/** Waits until the page has drawn the next frames. */
export const frame = (page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Clicks places one after another. */
export async function clickAll(page, names) {
  for (const name of names) await place(page, name).click();
}

/** Clicks the first button with this name. */
export const click = (page, name) => page.getByRole('button', { name, exact: true }).first().click();

/** Opens a tab. */
export const tab = (page, name) => page.getByRole('tab', { name }).click();

/** Presses the main button of the Solve tab. */
export const pressSolve = (page) => page.locator('#panel-solve').getByRole('button', { name: 'Solve', exact: true }).click();

/** Waits for the end of a search that expands states, or decides positions. */
export const searched = (page) => page.locator('#panel-search > [role=status]', { hasText: /[1-9][\d,]* (expanded|decided|visited)\.$/ }).waitFor({ state: 'attached', timeout: 120_000 });

/** Waits for the end of a comparison. */
export const compared = (page) => page.locator('#panel-compare [role=status]', { hasText: /methods? compared/ }).waitFor({ timeout: 60_000 });

/** Waits for the best possible result in the status line. */
export const assessed = (page) => page.locator('.status', { hasText: /best possible \d|can win|a draw/ }).waitFor();

/** A best move on a game's first board, which `sample` returns. */
export const bestMove = ({ scene, plan, best }) => scene.moves.find(({ text }) => text === (plan[0] ?? best[0]));

/** Waits for a message. */
export const said = (page, text) => page.locator('.left .message', { hasText: text }).waitFor();

/** Waits until `count` moves have been made. */
export const made = (page, count) => page.waitForFunction((count) => document.querySelectorAll('#panel-play .made li').length === count, count);

/** Unfolds the list of legal moves. */
export const unfold = (page) => page.locator('.legal').evaluate((details) => (details.open = true));

/** An engine and a browser for the tests of one file. */
export function site() {
  let server;
  let files;
  let browser;
  let shared;
  const here = {
    base: '',
    server: '',
    games: [],
    /** Runs `work` on a new page. Loading is slow, so tests without options share a page, until one of them fails. */
    page: async (options, work) => {
      if (Object.keys(options).length > 0) return withPage(browser, here.base, options, work);
      shared ??= await watched(browser, here.base, {});
      return tried(shared, work).catch(async (error) => {
        await shared.page.context().close();
        shared = undefined;
        throw error;
      });
    },
    open: (page, address) => openGame(page, here.base, address),
    // The server also answers the tests' own questions.
    ask: (path, body) => ask(server.base, path, body),
    solve: (game, body) => solve(server.base, game, body),
    reply: (game, body) => solve(server.base, game, body, 'reply'),
    /** The labels of all places of a board. */
    labels: async (game, instance) => {
      const { scene } = await here.ask(`/api/${game}/position`, { instance });
      return scene.shapes.flatMap((shape) => shape.label ?? []).sort();
    },
    /** The first board of a game: the answers of `about`, `position` and `solve`. */
    sample: (name) => (samples[name] ??= first(here, name)),
    /** Runs `work` for every game, or for every game with this number of players, one after another on one page. */
    each: (options, work, players = 0) =>
      here.page(options, async (page) => {
        for (const { name } of here.games.filter((game) => players === 0 || game.players === players)) {
          await here.open(page, name);
          await work(page, await here.sample(name));
        }
      }),
  };
  const samples = {};
  before(async () => {
    server = await serve();
    if (engine === 'site') files = await host();
    here.server = server.base;
    here.base = (files ?? server).base;
    here.games = await here.ask('/api/games');
    browser = await browse();
  });
  after(async () => {
    await browser?.close();
    server?.stop();
    files?.stop();
  });
  return here;
}

async function first({ ask, solve }, name) {
  const about = await ask(`/api/${name}/about`);
  const task = { instance: about.sample };
  return { ...about, ...(await ask(`/api/${name}/position`, task)), ...(await solve(name, task)) };
}

/** Presses Tab until the wanted element has the focus. */
export async function tabTo(page, wanted) {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(wanted)) return;
  }
  assert.fail(`Tab does not lead to ${wanted}`);
}

/** The name and bytes of the file that the page saves during `act`. */
export async function saved(page, act) {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** The size of an image and the color of one pixel, whose place is given as fractions of the size. */
export const pixel = (page, source, x, y) =>
  page.evaluate(
    async ([source, x, y]) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const { width, height } = image;
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [width, height];
      canvas.getContext('2d').drawImage(image, 0, 0);
      return { width, height, color: [...canvas.getContext('2d').getImageData(x * width, y * height, 1, 1).data].slice(0, 3) };
    },
    [source, x, y]
  );

/** Fails if `page` has a serious accessibility violation. Needs a page with `bypassCSP`. */
export async function checkAccess(page, what) {
  // The page is the same with both engines, and the check is slow, so one engine is enough.
  if (engine === 'site') return;
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(serious.map(({ id, nodes }) => `${what}: ${id} ${nodes[0].html.slice(0, 120)} ${nodes[0].failureSummary}`), []);
}

/**
 * The longest task of the page's main thread while `act` runs, in milliseconds of processor time. The value is only printed; no
 * test depends on it. Tracing is slow, so only a long run measures it.
 */
export async function longest(page, act) {
  if (!long) return act();
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await act();
  const { traceEvents: events } = JSON.parse(await browser.stopTracing());
  const thread = ({ pid, tid }) => `${pid} ${tid}`;
  const mains = new Set(events.filter((event) => event.name === 'thread_name' && event.args.name === 'CrRendererMain').map(thread));
  const tasks = events.filter((event) => event.name.endsWith('RunTask') && event.tdur !== undefined && mains.has(thread(event)));
  return Math.round(Math.max(0, ...tasks.map(({ tdur }) => tdur)) / 1000);
}
