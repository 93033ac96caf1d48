// Levels, the daily board, and the player's results: everyone gets the same boards, marks for solved boards persist, and the page works
// even if storage is denied.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, addressed, click, made, run, said, saved, shown, site, some, tabTo, unfold } from './harness.js';

const here = site();
const { page, open, ask, labels, solve } = here;

const DAY = 24 * 60 * 60 * 1000;
const MONDAY = Date.parse('2026-11-16T12:00:00Z');

/** The drawing with its lines, since two graphs may have the same places. */
const drawn = async (page) => `${await shown(page)} ${await page.locator('.holder line').evaluateAll((lines) => lines.map((line) => ['x1', 'y1', 'x2', 'y2'].map((name) => line.getAttribute(name))).join(';'))}`;
const press = (page, name) => page.locator('.levels').getByRole('button', { name, exact: true }).click();
const results = (page) => page.locator('.results');
const next = (page) => page.locator('.message').getByRole('button', { name: 'Next board' });

const EASY = { level: 'easy', seed: 1 };

/** The moves that solve a moles board. */
async function planOf(wanted) {
  const { instance } = await ask('/api/moles/level', wanted);
  return (await solve('moles', { instance })).plan;
}

/** Solves the current moles board by clicking each move in the list of legal moves. */
async function play(page, wanted) {
  const plan = await planOf(wanted);
  await unfold(page);
  for (const [at, move] of plan.entries()) {
    await page.locator('#panel-play .moves').getByRole('button').filter({ has: page.getByText(move, { exact: true }) }).first().click();
    await made(page, at + 1);
  }
  await next(page).waitFor();
  return plan.length;
}

/** Sets the page's date and lets its clock run. */
const at = (page, time) => page.clock.install({ time });

test('every game has four levels; New opens another board, and the address reopens the same one', () =>
  page({}, async (page) => {
    for (const { name, players } of some(here.games, 3)) {
      await open(page, name);
      const boards = [];
      const levels = some(['Easy', 'Medium', 'Hard', 'Expert'], 2);
      const last = levels.at(-1);
      for (const level of levels) {
        await press(page, level);
        await said(page, `${level} 1`);
        await addressed(page, `${here.base}/#/${name}?level=${level.toLowerCase()}&seed=1`);
        assert.equal(await page.locator('.segments [aria-pressed=true]').innerText(), level);
        boards.push(await drawn(page));
      }
      assert.equal(new Set(boards).size, levels.length, `${name}: different levels have different boards`);
      await press(page, 'New');
      await said(page, `${last} 2`);
      assert.notEqual(await drawn(page), boards.at(-1), name);
      await page.goBack();
      await said(page, `${last} 1`);
      assert.equal(await drawn(page), boards.at(-1));
      await page.reload();
      await said(page, players === 2 ? 'you move first and can win' : 'best possible cost');
      assert.equal(await drawn(page), boards.at(-1));
      assert.equal(await page.locator('#board-choice option:checked').innerText(), `${last} 1`);
    }
  }));

test('the page and the program generate the same boards at a level', () =>
  page({}, async (page) => {
    const seed = '18446744073709551615';
    await open(page, `moles?level=medium&seed=${seed}`);
    assert.deepEqual((await shown(page)).sort(), await labels('moles', run(['generate', 'moles', '--level', 'medium', '--seed', seed])));
  }));

test('the daily board is the same for everyone on a date, changes on the next, and keeps its address', async () => {
  const seen = [];
  for (const time of [MONDAY, MONDAY + 5 * 60 * 60 * 1000, MONDAY + DAY]) {
    await page(DESK, async (page) => {
      await at(page, time);
      await open(page, 'moles');
      await press(page, 'Daily');
      const date = new Date(time).toISOString().slice(0, 10);
      await said(page, `Daily board ${date} (easy)`);
      await addressed(page, `${here.base}/#/moles?daily=${date}`);
      seen.push(await shown(page));
    });
  }
  assert.deepEqual(seen[0], seen[1]);
  assert.notDeepEqual(seen[1], seen[2]);
  await page({}, async (page) => {
    await open(page, 'moles?daily=2026-11-16');
    assert.deepEqual(await shown(page), seen[0]);
  });
});

test('solved boards are marked and counted, Next board opens another, and New skips solved boards', () =>
  page(DESK, async (page) => {
    await open(page, 'moles');
    await press(page, 'Easy');
    await said(page, 'Easy 1');
    const cost = await play(page, EASY);
    await page.locator('.results', { hasText: '1 solved' }).waitFor();
    await next(page).click();
    await said(page, 'Easy 2');
    await press(page, 'Medium');
    await said(page, 'Medium 1');
    await press(page, 'Easy');
    await said(page, 'Easy 2');
    await open(page, 'moles?level=easy&seed=1');
    await said(page, `Your best so far: ${cost}.`);
    await page.goto(`${here.base}/#/`);
    await page.locator('.card', { hasText: 'Moles' }).getByText('1 solved').waitFor();
  }));

test('opening a link to a solution does not solve the board', () =>
  page(DESK, async (page) => {
    await open(page, `moles?level=easy&seed=1&moves=${encodeURIComponent((await planOf(EASY)).join('\n'))}`);
    await next(page).waitFor();
    assert.equal(await results(page).innerText(), 'Results');
    await click(page, 'Restart');
    await play(page, EASY);
    await page.locator('.results', { hasText: '1 solved' }).waitFor();
  }));

test('a board solved only with hints does not count', () =>
  page(DESK, async (page) => {
    await open(page, 'moles?level=easy&seed=1');
    for (const at of (await planOf(EASY)).keys()) {
      await click(page, 'Hint');
      await click(page, 'Play it');
      await made(page, at + 1);
    }
    await said(page, 'does not count as solved');
    assert.equal(await results(page).innerText(), 'Results');
    // A restart clears the hints.
    await click(page, 'Restart');
    await play(page, EASY);
    await page.locator('.results', { hasText: '1 solved' }).waitFor();
  }));

test('a streak grows day by day, lasts until the end of the next day, and then ends', () =>
  page(DESK, async (page) => {
    const visit = async (days) => {
      await page.clock.setSystemTime(MONDAY + days * DAY);
      await page.goto(`${here.base}/#/`);
      await open(page, 'moles');
    };
    await at(page, MONDAY);
    for (const [day, streak] of [[0, 1], [1, 2]]) {
      await visit(day);
      await press(page, 'Daily');
      await said(page, 'Daily board');
      await play(page, { daily: new Date(MONDAY + day * DAY).toISOString().slice(0, 10) });
      await page.locator('.results', { hasText: `streak ${streak}` }).waitFor();
      assert.equal(await page.locator('.levels').getByRole('button', { name: 'Daily ✓' }).count(), 1);
    }
    // On the next day the streak is still valid, and that day's board is not solved yet.
    await visit(2);
    await page.locator('.results', { hasText: 'streak 2' }).waitFor();
    assert.equal(await page.locator('.levels').getByRole('button', { name: 'Daily', exact: true }).count(), 1);
    // A past daily board can be solved, and counts, but does not repair a streak.
    await visit(3);
    assert.doesNotMatch(await results(page).innerText(), /streak/);
    await open(page, 'moles?daily=2026-11-18');
    await play(page, { daily: '2026-11-18' });
    await page.locator('.results', { hasText: '3 solved' }).waitFor();
    assert.doesNotMatch(await results(page).innerText(), /streak/);
  }));

test('results are saved to a file, cleared, and restored; other files are rejected', () =>
  page(DESK, async (page) => {
    await open(page, 'moles?level=easy&seed=1');
    await play(page, EASY);
    await results(page).click();
    await page.locator('dialog .scores tr', { hasText: 'Moles' }).locator('td').first().and(page.getByText('1', { exact: true })).waitFor();
    await page.locator('dialog').getByText('1 of 1 solved at the least possible cost.').waitFor();
    const file = await saved(page, () => page.getByRole('button', { name: 'Save to a file' }).click());
    assert.equal(file.name, 'kibitzer-results.json');
    assert.equal(JSON.parse(String(file.bytes)).games.moles.boards['easy-1'].hints, 0);
    await results(page).click();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    assert.match(await results(page).innerText(), /1 solved/, 'one press does not clear anything');
    await click(page, 'Really clear everything?');
    await page.locator('dialog').getByText('Cleared.').waitFor();
    assert.equal(await results(page).innerText(), 'Results');
    const load = (text) => page.locator('#results-file').setInputFiles({ name: 'results.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    for (const wrong of ['', '{', '[]', '{"version":2,"games":{},"days":[]}', 'null']) {
      await load(wrong);
      await page.locator('dialog').getByText('This file does not contain results').waitFor();
    }
    await load('{"version":1,"games":{"moles":{"boards":{"easy-9":{"cost":"<b>","least":-1,"hints":{}},"x":3}},"__proto__":{}},"days":["never",7]}');
    await page.locator('dialog').getByText('Added.').waitFor();
    await load(String(file.bytes));
    await page.locator('.results', { hasText: '2 solved' }).waitFor();
    await click(page, 'Close');
    await page.reload();
    await page.locator('.results', { hasText: '2 solved' }).waitFor();
  }));

test('if storage is denied, everything works until the page is closed', () =>
  page(DESK, async (page) => {
    await page.addInitScript(() => Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('refused', 'SecurityError'); } }));
    await open(page, 'moles');
    await press(page, 'Easy');
    await said(page, 'Easy 1');
    await play(page, EASY);
    await page.locator('.results', { hasText: '1 solved' }).waitFor();
    await next(page).click();
    await said(page, 'Easy 2');
    await page.goto(`${here.base}/#/`);
    await page.locator('.card', { hasText: 'Moles' }).getByText('1 solved').waitFor();
  }));

test('two players: Kibitzer is the opponent, and a win counts', () =>
  page(DESK, async (page) => {
    const { name } = here.games.find(({ players }) => players === 2);
    await open(page, `${name}?level=easy&seed=1`);
    await said(page, 'can win');
    const start = (await ask(`/api/${name}/level`, { level: 'easy', seed: 1 })).instance;
    await unfold(page);
    while ((await next(page).count()) === 0) {
      const moves = await page.locator('#panel-play .made li').allInnerTexts();
      const { best } = await solve(name, { instance: start, moves });
      await page.locator('#panel-play .moves').getByRole('button').filter({ has: page.getByText(best[0], { exact: true }) }).first().click();
      await page.waitForFunction((count) => document.querySelectorAll('#panel-play .made li').length >= count || document.querySelector('.message .next'), moves.length + 2);
    }
    await page.locator('.results', { hasText: '1 solved' }).waitFor();
  }));

test('a level, another board and the results can be opened by keyboard alone', () =>
  page({}, async (page) => {
    await open(page, 'moles');
    await tabTo(page, () => document.activeElement?.textContent === 'Hard');
    await page.keyboard.press('Enter');
    await said(page, 'Hard 1');
    await tabTo(page, () => document.activeElement?.textContent === 'New');
    await page.keyboard.press('Space');
    await said(page, 'Hard 2');
    await tabTo(page, () => document.activeElement?.textContent === 'Results');
    await page.keyboard.press('Enter');
    await page.locator('dialog[open]').getByText('Streak: 0 days').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('dialog') === null);
  }));

test('boards for players are listed first, those for teachers below', () =>
  page({}, async (page) => {
    await open(page, 'pegs');
    const groups = await page.locator('#board-choice optgroup').evaluateAll((groups) => groups.map((group) => [group.label, [...group.children].map((option) => option.textContent)]));
    assert.deepEqual(groups.map(([label]) => label), ['Classics', 'For teachers']);
    assert.ok(groups[0][1].includes('Central solitaire'));
    assert.ok(groups[1][1].includes('Where h1 overestimates'));
    await page.getByLabel('Board', { exact: true }).selectOption({ label: 'Central solitaire' });
    await said(page, 'Best possible cost 31');
  }));

for (const viewport of some([{ width: 390, height: 844 }, { width: 1280, height: 800 }], 1)) {
  test(`nothing is cut off, and touch targets are large, at ${viewport.width} pixels`, () =>
    page({ viewport }, async (page) => {
      const fits = async () => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page fits the window');
      await open(page, 'moles?level=easy&seed=1');
      await play(page, EASY);
      await fits();
      for (const button of await page.locator('.levels button:visible, .message .next').all()) {
        const { width, height } = await button.boundingBox();
        assert.ok(width >= 40 && height >= 40, `${await button.innerText()} is ${width} x ${height}`);
      }
      if (viewport.width < 480) {
        const more = page.getByRole('button', { name: 'More…' });
        assert.equal(await page.getByRole('button', { name: 'Share…' }).isVisible(), false, 'the row is collapsed');
        await more.click();
        assert.equal(await more.getAttribute('aria-expanded'), 'true');
        await page.getByRole('button', { name: 'Share…' }).waitFor();
        await fits();
      }
      await results(page).click();
      await page.locator('dialog .scores tr').nth(1).waitFor();
      await fits();
      await page.keyboard.press('Escape');
      await page.goto(`${here.base}/#/`);
      await page.locator('.card .marks').waitFor();
      await fits();
    }));
}
