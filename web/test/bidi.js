// A small client of WebDriver BiDi, enough to use the page in Firefox. Playwright needs its own build of Firefox.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';

const path = process.env.FIREFOX ?? ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path));
const PATIENCE = Number(process.env.PATIENCE ?? 60_000);
/** Preferences for a blank first page, and against requests that Firefox makes on its own. */
const PREFERENCES = {
  'browser.startup.page': 0,
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'app.update.disabledForTesting': true,
  'app.normandy.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.server': 'data:,',
};

/** Waits for a promise, but not forever. @template T @param {Promise<T>} promise @param {string} what @returns {Promise<T>} */
function soon(promise, what) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`no answer from Firefox: ${what}`)), PATIENCE)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Starts Firefox with an empty profile; a missing browser is a failure, not a reason to skip. */
export async function firefox() {
  assert.ok(path, 'no Firefox: install the package `firefox-esr`, or set FIREFOX');
  const profile = mkdtempSync(join(tmpdir(), 'kibitzer-firefox-'));
  writeFileSync(join(profile, 'user.js'), Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''));
  const child = spawn(path, ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile, '--width=1280', '--height=800'], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' } });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const stop = async () => {
    child.kill();
    await soon(ended, 'exit').catch(() => child.kill('SIGKILL'));
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const address = await soon(
      new Promise((resolve, reject) => {
        let said = '';
        child.on('error', reject);
        child.on('exit', (code) => reject(new Error(`Firefox exited with ${code}: ${said}`)));
        child.stderr.on('data', (data) => {
          said += data;
          const [, found] = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(said) ?? [];
          if (found) resolve(found);
        });
      }),
      'start'
    );
    return { page: await Page.open(`${address}/session`), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

class Page {
  /** @param {string} address */
  static async open(address) {
    const page = new Page(new WebSocket(address));
    await soon(new Promise((resolve, reject) => page.socket.on('open', resolve).on('error', reject)), 'connection');
    await page.send('session.new', { capabilities: {} });
    const { contexts } = await page.send('browsingContext.getTree', {});
    page.context = contexts[0].context;
    await page.send('session.subscribe', { events: ['log.entryAdded'] });
    await page.send('browsingContext.setViewport', { context: page.context, viewport: { width: 1280, height: 800 } });
    return page;
  }

  /** @param {WebSocket} socket */
  constructor(socket) {
    this.socket = socket;
    this.context = '';
    /** Errors and warnings that the page logged. @type {string[]} */
    this.complaints = [];
    this.number = 0;
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
    socket.on('message', (data) => this.receive(JSON.parse(String(data))));
    socket.on('close', () => this.waiting.forEach(({ reject }) => reject(new Error('Firefox closed the connection'))));
  }

  receive({ type, id, result, error, message, method, params }) {
    if (type === 'event') {
      if (method === 'log.entryAdded' && ['error', 'warn'].includes(params.level)) this.complaints.push(params.text);
      return;
    }
    const { resolve, reject } = this.waiting.get(id) ?? {};
    this.waiting.delete(id);
    if (type === 'success') resolve?.(result);
    else reject?.(new Error(`${error}: ${message}`));
  }

  /** @param {string} method @param {object} params */
  send(method, params) {
    const id = ++this.number;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.socket.send(JSON.stringify({ id, method, params }));
    return soon(answer, method);
  }

  /** @param {string} url */
  async goto(url) {
    await this.send('browsingContext.navigate', { context: this.context, url, wait: 'complete' });
  }

  /** Calls a function in the page. Its arguments and its result must be strings, numbers, booleans, lists or null. @param {(...args: any[]) => any} work @param {...unknown} args */
  async evaluate(work, ...args) {
    const expression = `Promise.resolve((${work})(...${JSON.stringify(args)})).then((value) => JSON.stringify(value) ?? 'null')`;
    const { type, result, exceptionDetails } = await this.send('script.evaluate', { expression, target: { context: this.context }, awaitPromise: true });
    if (type !== 'success') throw new Error(exceptionDetails.text);
    return JSON.parse(result.value);
  }

  /** Waits until a function returns a truthy value in the page, and returns this value. @param {(...args: any[]) => any} work @param {...unknown} args */
  async until(work, ...args) {
    for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
      const value = await this.evaluate(work, ...args);
      if (value) return value;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return assert.fail(`not true in Firefox: ${work} ${JSON.stringify(args)}`);
  }

  /** Clicks the middle of the first visible element that matches, or of its first shape if it is a place of the board. Waits until the element can be clicked. @param {string} selector @param {string} [text] the element's text */
  async click(selector, text) {
    const [x, y] = await this.until(
      (selector, text) => {
        const found = [...document.querySelectorAll(selector)].find((element) => !element.disabled && element.getClientRects().length > 0 && (text === null || element.textContent.trim() === text));
        if (!found) return null;
        const { x, y, width, height } = (found.matches('[data-name]') ? found.firstElementChild : found).getBoundingClientRect();
        const middle = [Math.round(x + width / 2), Math.round(y + height / 2)];
        return found.contains(document.elementFromPoint(...middle)) ? middle : null;
      },
      selector,
      text ?? null
    );
    const actions = [{ type: 'pointerMove', x, y }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }];
    await this.send('input.performActions', { context: this.context, actions: [{ type: 'pointer', id: 'mouse', actions }] });
  }

  /** Waits until the text of the first element that matches `selector` matches `wanted`. @param {string} selector @param {RegExp} wanted */
  reads(selector, wanted) {
    return this.until((selector, ...wanted) => new RegExp(...wanted).test(document.querySelector(selector)?.textContent ?? ''), selector, wanted.source, wanted.flags);
  }
}
