// The budget of the page, docs/page-budget.md: nothing shifts, no task is long, and nothing is hard to reach, on the sample
// of every game, on a desk and on a phone, by day and by night.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAccess, longest, longOnly, made, place, site, some, unfold } from './harness.js';

const here = site();
const { page, open, ask, solve } = here;

const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Of docs/page-budget.md. */
const MOST_SHIFT = 0.01;
const MOST_TASK = 200;

/** Notes everything that shifts, even where the reader has just done something. */
const observe = () => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const nodes = entry.sources.map(({ node }) => (node instanceof Element ? `${node.tagName}.${node.className}` : (node?.parentElement?.className ?? '?')));
      window.shifts.push({ value: entry.value, recent: entry.hadRecentInput, nodes });
    }
  }).observe({ type: 'layout-shift', buffered: true });
};

/** A legal move of the sample, and the clicks that make it. */
async function firstMove(name) {
  const { sample } = await ask(`/api/${name}/about`);
  const { plan, best } = await solve(name, { instance: sample });
  const { scene } = await ask(`/api/${name}/position`, { instance: sample });
  return scene.moves.find(({ text }) => text === (plan[0] ?? best[0]));
}

/** Loads a game, makes a move, and asks for a hint and a reason. */
async function play(page, name, move) {
  await open(page, name);
  await page.locator('.status', { hasText: /best possible \d|can win/ }).waitFor();
  for (const click of move.clicks) await place(page, click).click();
  await made(page, 1);
  await page.waitForTimeout(700);
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.locator('.left .message', { hasText: /Hint|loses|No / }).waitFor();
  await page.waitForTimeout(700);
  await page.getByRole('button', { name: 'Why?' }).click();
  await page.locator('.left .message.explanation').waitFor();
  await page.waitForTimeout(300);
}

for (const [where, options] of some(Object.entries({ phone: PHONE, desk: DESK }), 1)) {
  test(`nothing shifts on a ${where}`, async () => {
    for (const { name } of here.games) {
      const move = await firstMove(name);
      await page({ ...options, reducedMotion: 'no-preference' }, async (page) => {
        await page.addInitScript(observe);
        await play(page, name, move);
        const shifts = await page.evaluate(() => window.shifts);
        const sum = (list) => list.reduce((sum, { value }) => sum + value, 0);
        assert.ok(sum(shifts.filter(({ recent }) => !recent)) <= MOST_SHIFT, `${name}: ${JSON.stringify(shifts, null, 1)}`);
      });
    }
    await page(options, async (page) => {
      await page.addInitScript(observe);
      await open(page);
      await page.waitForTimeout(300);
      const shifts = await page.evaluate(() => window.shifts);
      assert.ok(shifts.reduce((sum, { value }) => sum + value, 0) <= MOST_SHIFT, `gallery: ${JSON.stringify(shifts)}`);
    });
  });
}

test('no task is long on the samples', longOnly, async () => {
  for (const { name } of here.games) {
    const move = await firstMove(name);
    await page({ reducedMotion: 'no-preference' }, async (page) => {
      await page.goto(`${here.base}/#/`);
      await page.locator('.card').first().waitFor();
      const time = await longest(page, () => play(page, name, move));
      console.log(`# ${name}: longest task ${time} ms`);
      assert.ok(time <= MOST_TASK, `${name}: a task of ${time} ms`);
    });
  }
});

test('no serious accessibility fault: while playing, at the end and in reviews, on a desk and on a phone, by day and by night', async () => {
  const sights = [['desk', 'light'], ['phone', 'dark'], ['desk', 'dark'], ['phone', 'light']];
  for (const [where, colorScheme] of some(sights, 2)) {
    const options = where === 'desk' ? DESK : PHONE;
    await page({ ...options, colorScheme, bypassCSP: true }, async (page) => {
      await open(page);
      await checkAccess(page, `gallery, ${where}, ${colorScheme}`);
      for (const { name } of here.games) {
        const move = await firstMove(name);
        await play(page, name, move);
        await checkAccess(page, `${name}, ${where}, ${colorScheme}`);
      }
      const board = '....\n.dc.\n.ba.\n....';
      await open(page, `pegs?board=${encodeURIComponent(board)}&moves=${encodeURIComponent('a left\nc left\na up')}`);
      await page.locator('.review .summary', { hasText: 'best possible 4' }).waitFor();
      await checkAccess(page, `review, ${where}, ${colorScheme}`);
      // On a phone the message lies over the moves until it is dismissed.
      const dismiss = page.getByRole('button', { name: 'Dismiss' });
      if (await dismiss.isVisible()) await dismiss.click();
      await page.locator('.review .made button').first().click();
      await page.getByRole('button', { name: 'Try again from here' }).waitFor();
      await checkAccess(page, `look back, ${where}, ${colorScheme}`);
      if (await page.getByRole('button', { name: 'More…' }).isVisible()) await page.getByRole('button', { name: 'More…' }).click();
      await page.locator('.picker').getByRole('button', { name: 'Share…' }).click();
      await checkAccess(page, `share, ${where}, ${colorScheme}`);
      await page.getByRole('button', { name: 'Close' }).click();
      const [{ name }] = here.games.filter((game) => game.players === 2);
      await open(page, name);
      await unfold(page);
      await page.getByLabel('Show who wins after every move').check();
      await page.locator('.moves .badge').first().waitFor();
      await checkAccess(page, `labels, ${where}, ${colorScheme}`);
    });
  }
});

test('a game is played, reviewed and tried again by keyboard alone', () =>
  page({}, async (page) => {
    await open(page, `pegs?board=${encodeURIComponent('....\n.dc.\n.ba.\n....')}`);
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    // To a place by its name, however far away it is.
    const go = async (name) => {
      await place(page, name).focus();
      await press('Enter');
    };
    for (const [at, [from, to]] of [['2,2', '2,0'], ['1,2', '1,0'], ['2,0', '0,0']].entries()) {
      await go(from);
      await go(to);
      await made(page, at + 1);
    }
    await page.locator('.review .summary', { hasText: 'Your cost 9, best possible 4.' }).waitFor();
    await page.getByRole('button', { name: 'Try again from there' }).focus();
    await press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('#panel-play .made li').length < 3);
    assert.ok(await page.evaluate(() => document.activeElement.closest('.holder') !== null), 'the button is gone: the board has the focus');
    await press('Control+y');
    await page.waitForFunction(() => document.querySelectorAll('#panel-play .made li').length > 0);
  }));
