// Standalone documents opened from disk: films are stepped through, played and scrubbed by mouse and keyboard, under their own security
// policy, and sheets are checked. Also tests the page in a frame on another site.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { browse, run, serve, some, withPage } from './harness.js';

const folder = mkdtempSync(join(tmpdir(), 'kibitzer-film-'));
const games = JSON.parse(run(['list', '--json'])).map((/** @type {{name: string}} */ game) => game.name);
let browser;

before(async () => {
  browser = await browse();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** Opens a document from disk. */
const open = (name, html, options, work) => {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, html);
  const base = pathToFileURL(file).href;
  return withPage(browser, base, options, async (page) => {
    await page.goto(base);
    await work(page);
  });
};

/** Messages that the browser logs for a page that must not be framed. */
const REFUSED = /frame-ancestors|Refused to display|violates/;

const shown = (page) => page.locator('.frame.now figcaption').textContent();
const visible = (page) => page.locator('.frame:visible').count();

/** Violations of accessibility rules. The test injects axe, because the document's content security policy would block it. */
async function violations(page) {
  await page.evaluate(axe.source);
  const found = await page.evaluate(() => globalThis.axe.run());
  return found.violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(' ')}`);
}

test('a film of every game can be stepped through, scrubbed and played', async () => {
  for (const game of some(games, 2)) {
    const html = run(['film', game]);
    const last = html.split('<li class="frame">').length - 2;
    await open(`film-${game}`, html, {}, async (page) => {
      assert.deepEqual([await visible(page), await shown(page)], [1, 'Start']);
      await page.keyboard.press('ArrowRight');
      assert.match(await shown(page), new RegExp(`^Move 1 of ${last}: `));
      assert.equal(await page.locator('#caption').textContent(), await shown(page));
      assert.ok((await page.locator('.frame.now .made').count()) > 0, 'the move is marked');
      await page.keyboard.press('ArrowLeft');
      assert.equal(await shown(page), 'Start');
      await page.keyboard.press('End');
      assert.match(await shown(page), new RegExp(`^Move ${last} of ${last}: `));
      await page.keyboard.press('Home');
      await page.getByRole('button', { name: 'Next step' }).click();
      assert.match(await shown(page), /^Move 1 of /);
      await page.getByRole('slider').fill(String(last));
      assert.match(await shown(page), new RegExp(`^Move ${last} of ${last}: `));
      await page.getByLabel('Speed').selectOption('8');
      await page.getByRole('button', { name: 'Play again' }).click();
      await page.locator('.frame.now figcaption', { hasText: `Move ${last} of ${last}` }).waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'Play again' }).waitFor();
      assert.deepEqual([await visible(page), await page.locator('#caption').getAttribute('aria-live')], [1, 'polite']);
    });
  }
});

test('films and sheets are accessible in both themes', async () => {
  run(['generate', games[0], '--count', '2', '--seed', '7', '-o', join(folder, 'sheet.html')]);
  const read = (name) => readFileSync(join(folder, `${name}.html`), 'utf8');
  const documents = { film: run(['film', games[0]]), sheet: read('sheet'), 'sheet-answers': read('sheet-answers') };
  const sights = [['film', 'dark'], ['sheet', 'light'], ['sheet-answers', 'dark'], ['film', 'light'], ['sheet', 'dark'], ['sheet-answers', 'light']];
  for (const [name, colorScheme] of some(sights, 2)) {
    await open(`axe-${name}`, documents[name], { colorScheme, bypassCSP: true }, async (page) => {
      assert.deepEqual(await violations(page), [], `${name}, ${colorScheme}`);
    });
  }
});

test('on paper and without scripts, a film is a sequence of drawings', async () => {
  const html = run(['film', games[0]]);
  const all = html.split('<li class="frame">').length - 1;
  await open('film-paper', html, {}, async (page) => {
    await page.emulateMedia({ media: 'print' });
    assert.deepEqual([await visible(page), await page.locator('.player:visible').count()], [all, 0]);
  });
  await open('film-plain', html, { javaScriptEnabled: false }, async (page) => assert.equal(await visible(page), all));
});

test('the page works in a frame on an allowed site, but not on any other', async () => {
  const site = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>Course</title><iframe width="1200" height="700" src="${new URL(request.url ?? '/', 'http://x').searchParams.get('page')}"></iframe>`);
  });
  await new Promise((resolve) => site.listen(0, '127.0.0.1', () => resolve(undefined)));
  const origin = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (site.address()).port}`;
  const servers = [await serve(['--embed', origin]), await serve()];
  try {
    const [named, other] = servers;
    await withPage(browser, 'http://', {}, async (page) => {
      await page.goto(`${origin}/?page=${named.base}/%23/${games[0]}`);
      const frame = page.frameLocator('iframe');
      await frame.locator('.holder svg').waitFor();
      await frame.getByRole('tab', { name: 'Solve' }).click();
    });
    await withPage(browser, 'http://', { allowed: REFUSED }, async (page) => {
      await Promise.all([page.waitForEvent('console', (message) => REFUSED.test(message.text())), page.goto(`${origin}/?page=${other.base}/`)]);
      assert.equal(await page.frameLocator('iframe').locator('.card').count(), 0);
    });
  } finally {
    servers.forEach((server) => server.stop());
    site.close();
  }
});
