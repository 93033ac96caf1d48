// The static site, with the library in the tab: it gives the same answers as the program and the server, works offline after the
// first visit, and is small.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { browse, host, openGame, root, run, saved, site, siteOnly, withPage } from './harness.js';

const here = site();
const { ask, open, page, solve } = here;

/** A report without values that differ between machines. */
function plain({ stats: { seconds, peak_bytes, ...stats }, ...report }) {
  assert.ok(seconds >= 0 && peak_bytes >= 0);
  return { ...report, stats };
}

/** A board that takes minutes to solve. */
const hard = async () => (await ask('/api/pegs/about')).instances.find(({ name }) => name === 'english-priced');

/** Solves in the tab. */
const inTab = (page, game, task) =>
  page.evaluate(async ([game, task]) => (await import('./engine/api.js')).solve(game, task, () => {}, new AbortController().signal), [game, task]);

test('program, server and tab give the same answers for all boards', { ...siteOnly, timeout: 600_000 }, () =>
  page({ bypassCSP: true }, async (page) => {
    await open(page);
    let compared = 0;
    for (const { name: game } of here.games) {
      const { instances } = await ask(`/api/${game}/about`);
      for (const { name, text, options } of instances) {
        // Some boards need minutes, so only those decided in seconds are compared.
        if (name === 'english-priced') continue;
        const file = readdirSync(`${root}instances/${game}`).find((file) => file.startsWith(`${name}.`));
        const flags = Object.entries(options).flatMap(([key, value]) => ['--option', `${key}=${value}`]);
        const program = JSON.parse(run(['solve', game, `${root}instances/${game}/${file}`, ...flags, '--json'], [0, 10]));
        const task = { instance: text, options };
        const [server, tab] = [await solve(game, task), await inTab(page, game, task)];
        assert.deepEqual(plain(tab.report), plain(program), `${game} ${name}: tab and program`);
        assert.deepEqual(plain(server.report), plain(program), `${game} ${name}: server and program`);
        const { seconds, peak_bytes, ...rest } = server.report.stats;
        assert.deepEqual({ ...tab, report: plain(tab.report) }, { ...server, report: plain({ ...server.report, stats: { seconds, peak_bytes, ...rest } }) });
        compared += 1;
      }
    }
    assert.ok(compared > 60, `${compared} boards`);
  }));

test('other questions get the same answers and the same errors', siteOnly, () =>
  page({ bypassCSP: true }, async (page) => {
    await open(page);
    const asked = (game, question, body) =>
      page.evaluate(
        async ([game, question, body]) => {
          const engine = await (await import('./engine/pick.js')).engine;
          const text = body === undefined ? undefined : JSON.stringify(body);
          return engine.ask({ game, question, body: text }).catch((error) => ({ error: error.message, help: error.help, line: error.line, column: error.column }));
        },
        [game, question, body]
      );
    const fromServer = async (path, body) => {
      const response = await fetch(`${here.server}${path}`, body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
      const value = await response.json();
      return response.ok ? value : { error: value.error, help: value.help, line: value.line, column: value.column };
    };
    const same = async (game, question, body) => {
      const [tab, server] = [await asked(game, question, body), await fromServer(game === null ? `/api/${question}` : `/api/${game}/${question}`, body)];
      assert.deepEqual(JSON.parse(JSON.stringify(tab)), JSON.parse(JSON.stringify(server)), `${game} ${question} ${JSON.stringify(body)?.slice(0, 80)}`);
      return tab;
    };
    await same(null, 'games');
    for (const { name: game } of here.games) {
      const { sample } = await same(game, 'about');
      await same(game, 'position', { instance: sample });
      await same(game, 'explain', { instance: sample });
      await same(game, 'canvas', { instance: sample });
      for (const seed of [0, 7, 123456789]) await same(game, 'generate', { seed });
      assert.ok((await same(game, 'position', { instance: 'no \u0000 board {' })).error);
      assert.ok((await same(game, 'position', { instance: sample, moves: ['nowhere'] })).error);
      assert.ok((await same(game, 'position', { instance: sample, more: 1 })).error);
    }
  }));

test('a search in the tab reports progress, can be stopped, and does not block other questions', siteOnly, () =>
  page({ bypassCSP: true }, async (page) => {
    await open(page);
    const { text, options } = await hard();
    const seen = await page.evaluate(
      async ([instance, options]) => {
        const api = await import('./engine/api.js');
        const reports = [];
        const stop = new AbortController();
        const long = api.solve('pegs', { instance, options, method: 'ucs' }, (progress) => reports.push(progress), stop.signal);
        const ended = long.then(() => 'answered', (error) => error.name);
        while (reports.length < 5) await new Promise((resolve) => setTimeout(resolve, 20));
        // In the meantime, other questions are answered.
        await api.position('pegs', { instance, options });
        stop.abort();
        const short = await api.solve('pegs', { instance, options, method: 'ucs', seconds: 0.5 }, () => {}, new AbortController().signal);
        return { reports, ended: await ended, short: short.report };
      },
      [text, options]
    );
    assert.equal(seen.ended, 'AbortError');
    assert.ok(seen.reports.at(-1).expanded > seen.reports[0].expanded && seen.reports.at(-1).seconds > 0);
    assert.deepEqual([seen.short.verdict, seen.short.limit], ['unknown', 'time']);
  }));

test('time and memory limits work in the tab, even if no progress is reported', siteOnly, () =>
  page({ bypassCSP: true }, async (page) => {
    await open(page);
    const { text, options } = await hard();
    const seen = await page.evaluate(
      async ([instance, options]) => {
        const { WorkerEngine } = await import('./engine/workers.js');
        const engine = new WorkerEngine('engine/kibitzer.wasm');
        // The worker is not terminated from outside; the library must stop by itself.
        engine.grace = 1e6;
        const solve = (game, task) => engine.ask({ game, question: 'solve', body: JSON.stringify(task), streams: true }).then(({ report }) => report.limit, (error) => error.message);
        // Symmetries and colorings of large graphs are computed before any search.
        const late = [await solve('edge', { instance: 'Q6', seconds: 1 }), await solve('edge', { instance: 'K64', seconds: 1 }), await solve('edge', { instance: 'grid8x8', seconds: 1 })];
        engine.bytes = 50e6;
        const full = await solve('pegs', { instance, options, method: 'bfs' });
        const { legal } = await engine.ask({ game: 'pegs', question: 'position', body: JSON.stringify({ instance, options }) });
        return { late, full, legal: legal.length };
      },
      [text, options]
    );
    for (const end of seen.late) assert.match(end, /^time$|time limit/);
    assert.equal(seen.full, 'memory');
    assert.ok(seen.legal > 0, 'the engine still answers');
  }));

test('a long search in the tab explains how to install the program', siteOnly, () =>
  page({}, async (page) => {
    const { text, options } = await hard();
    const { start } = await ask('/api/pegs/position', { instance: text, options });
    await open(page, `pegs?view=solve&board=${encodeURIComponent(start)}`);
    await page.locator('#solve-method').selectOption('bfs');
    const panel = page.locator('#panel-solve');
    await panel.getByRole('button', { name: 'Solve' }).click();
    await panel.getByText('The command-line program is up to twice as fast').waitFor();
    await panel.getByText('How to install it').click();
    const board = await saved(page, () => panel.getByRole('button', { name: 'Download this board' }).click());
    assert.deepEqual([board.name, board.bytes.toString()], ['pegs-board.txt', start]);
    await panel.getByText('kibitzer solve pegs pegs-board.txt --method bfs').waitFor();
    await panel.getByRole('button', { name: 'Stop' }).click();
    await panel.getByText('Stopped.').waitFor();
  }));

test('the site is small and complete', siteOnly, () => {
  const folder = process.env.SITE ?? `${root}target/site`;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile() && !file.name.startsWith('.'));
  const paths = files.map((file) => `${file.parentPath}/${file.name}`.slice(folder.length + 1)).sort();
  const size = paths.reduce((sum, path) => sum + gzipSync(readFileSync(`${folder}/${path}`), { level: 9 }).length, 0);
  assert.ok(size < 1_850_000, `${size} bytes compressed`);
  const kept = [.../const FILES = \[(.*)\]/.exec(readFileSync(`${folder}/sw.js`, 'utf8'))[1].matchAll(/'([^']*)'/g)].map(([, path]) => (path === './' ? 'index.html' : path));
  assert.deepEqual(kept.sort(), paths.filter((path) => path !== 'sw.js'));
  const manifest = JSON.parse(readFileSync(`${folder}/manifest.webmanifest`, 'utf8'));
  for (const { src } of manifest.icons) assert.ok(paths.includes(src), src);
});

test('after the first visit the site works without a network, under any path', siteOnly, async () => {
  const files = await host('/a/path of its own'.replaceAll(' ', '-'));
  const browser = await browse();
  try {
    await withPage(browser, files.base, { serviceWorkers: 'allow', bypassCSP: true }, async (page) => {
      await openGame(page, files.base);
      await page.evaluate(async () => {
        await navigator.serviceWorker.ready;
        // All files are cached once the service worker is active.
        while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 20));
      });
      files.stop();
      await page.context().setOffline(true);
      for (const { name } of here.games) {
        await openGame(page, files.base, name);
        await page.reload();
        await page.locator('.holder svg').waitFor();
        await page.getByRole('button', { name: 'Hint' }).click();
        await page.locator('.left .message', { hasText: 'Hint' }).first().waitFor();
      }
    });
  } finally {
    await browser.close();
    files.stop();
  }
});
