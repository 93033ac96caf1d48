// Two players: opponents of different strength, and the line that shows the value after each move. Both are compared with answers of
// the library.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, PHONE, addressed, answerWith, checkAccess, click, frame, made, openGame, said, site, some, unfold } from './harness.js';

const here = site();
const { page, open, ask, solve, reply } = here;

/** The first game for two players. */
const duel = () => here.games.find(({ players }) => players === 2).name;
const BOARD = 'P5';

const moves = (page) => page.locator('#panel-play .made li > button').allInnerTexts();
const luck = (page) => Number(new URL(page.url().replace('#/', '')).searchParams.get('luck'));
const chosen = (page) => page.evaluate(() => ['opponent', 'skill'].map((id) => document.getElementById(id).value));
/** Makes a move by clicking it in the list of legal moves. */
const play = (page, text) => page.locator('.moves button').filter({ has: page.getByText(text, { exact: true }) }).click();

test('an opponent is chosen by keyboard, plays by its seed, and is kept in the address', () =>
  page(DESK, async (page) => {
    const game = duel();
    await open(page, `${game}?board=${BOARD}`);
    assert.deepEqual(await chosen(page), ['0', 'perfect']);
    assert.equal(await page.locator('#skill').isDisabled(), true, 'a friend plays as they like');
    await page.locator('#opponent').focus();
    await page.keyboard.press('ArrowDown');
    await addressed(page, /opponent=perfect$/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await addressed(page, /opponent=random&luck=\d+$/);
    await unfold(page);
    await play(page, 'a:1');
    await made(page, 2);
    await said(page, 'Kibitzer played');
    const wanted = async (made, opponent) => (await reply(game, { instance: BOARD, moves: made, opponent, seed: luck(page) })).move;
    const [first, second] = await moves(page);
    assert.equal(second, await wanted([first], 'random'));
    // The same move gets the same reply, also after a reload.
    const address = page.url();
    await click(page, 'Undo');
    await made(page, 0);
    await play(page, 'a:1');
    await made(page, 2);
    assert.deepEqual(await moves(page), [first, second]);
    await page.reload();
    await made(page, 2);
    assert.deepEqual(await chosen(page), ['2', 'random']);
    assert.equal(page.url(), address);
    // After a restart, the random moves are different.
    await click(page, 'Restart');
    await made(page, 0);
    assert.notEqual(luck(page), Number(/luck=(\d+)/.exec(address)[1]));
    // The start page leads back to the same opponent.
    await unfold(page);
    await play(page, 'a:1');
    await made(page, 2);
    await page.goto(`${here.base}/#/`);
    await page.locator('.continue a').click();
    await made(page, 2);
    assert.deepEqual(await chosen(page), ['2', 'random']);
  }));

test('Kibitzer sees as far ahead as chosen, as either player', () =>
  page(DESK, async (page) => {
    const game = duel();
    for (const [skill, seed] of [['1', 3], ['2', 4], ['4', 5], ['perfect', 0]]) {
      await open(page, `${game}?board=${BOARD}&opponent=${skill}&side=1&luck=${seed}`);
      await made(page, 1);
      const first = (await reply(game, { instance: BOARD, moves: [], opponent: Number(skill) || skill, seed })).move;
      assert.deepEqual(await moves(page), [first], `${skill} ahead`);
      await unfold(page);
      const next = (await ask(`/api/${game}/position`, { instance: BOARD, moves: [first] })).legal[0].text;
      await play(page, next);
      await made(page, 3);
      const { move, outcome } = await reply(game, { instance: BOARD, moves: [first, next], opponent: Number(skill) || skill, seed });
      assert.equal((await moves(page))[2], move);
      const isOver = (await ask(`/api/${game}/position`, { instance: BOARD, moves: [first, next, move] })).goal;
      if (!isOver) await said(page, outcome === 'N' ? `Kibitzer played ${move} and will win. Your turn.` : `Kibitzer played ${move}. Your turn.`);
    }
  }));

test('on a level Kibitzer plays perfectly unless the address says otherwise, and an unknown opponent is reported', () =>
  page(DESK, async (page) => {
    const game = duel();
    await open(page, `${game}?level=easy&seed=1`);
    assert.deepEqual(await chosen(page), ['2', 'perfect']);
    assert.doesNotMatch(page.url(), /opponent/);
    await page.getByLabel('Opponent').selectOption('0');
    await addressed(page, /opponent=friend$/);
    await page.reload();
    await page.locator('#opponent').waitFor();
    assert.deepEqual(await chosen(page), ['0', 'perfect']);
    await openGame(page, here.base, `${game}?opponent=7&luck=1`);
    assert.deepEqual(await chosen(page), ['2', '7']);
    assert.equal(await page.locator('#skill option:checked').innerText(), 'looks 7 moves ahead');
    for (const [address, remedy] of [['opponent=weak', 'use friend, perfect, random'], ['opponent=0', 'use friend'], ['opponent=random&side=3', 'use side=1 or side=2']]) {
      await page.goto(`${here.base}/#/${game}?${address}`);
      await page.locator('.trouble', { hasText: new RegExp(remedy, 'i') }).waitFor();
    }
  }));

for (const [device, options] of some(Object.entries({ phone: PHONE, desktop: DESK }), 1)) {
  test(`a beginner beats a random opponent on a ${device}, and the result says so`, () =>
    page(options, async (page) => {
      const game = duel();
      await open(page, `${game}?level=easy&seed=1&opponent=random&luck=5`);
      const start = (await ask(`/api/${game}/level`, { level: 'easy', seed: 1 })).instance;
      for (let count = 2; (await page.locator('.message', { hasText: 'Game over' }).count()) === 0; count += 2) {
        const before = await moves(page);
        const { move } = await reply(game, { instance: start, moves: before });
        const { clicks } = (await ask(`/api/${game}/position`, { instance: start, moves: before })).scene.moves.find(({ text }) => text === move);
        for (const name of clicks) {
          const place = page.locator(`.holder [data-name=${JSON.stringify(name)}]`).first();
          await (options === PHONE ? place.tap() : place.click());
        }
        await page.waitForFunction((count) => document.querySelectorAll('#panel-play .made li').length >= count || /Game over/.test(document.querySelector('.left .message')?.textContent ?? ''), count);
      }
      await said(page, 'you win');
      await page.locator('.results', { hasText: '1 solved' }).waitFor({ state: 'attached' });
      await page.goto('about:blank');
      await open(page, `${game}?level=easy&seed=1`);
      await said(page, 'You have won this one against Kibitzer, which plays at random');
    }));
}

/** Plays a game with a mistake, and returns its moves and the values of its positions, which the library computes by backward induction. */
async function game() {
  const name = duel();
  const made = [];
  const values = [];
  for (;;) {
    const { report } = await solve(name, { instance: BOARD, moves: made, method: 'induction' });
    values.push(report);
    const { legal } = await ask(`/api/${name}/position`, { instance: BOARD, moves: made });
    if (legal.length === 0) return { name, made, values };
    made.push(legal.at(-1).text);
  }
}

const inWords = ({ winner, length }) => (length === 0 ? `player ${winner} has won` : `player ${winner} wins in ${length} ${length === 1 ? 'move' : 'moves'}`);
const line = (page) => page.getByRole('slider', { name: 'Value after each move' });
/** Records all layout shifts. */
const observe = () => {
  window.shifts = 0;
  new PerformanceObserver((list) => (window.shifts += list.getEntries().length)).observe({ type: 'layout-shift', buffered: true });
};

for (const [device, options] of Object.entries({ desktop: DESK, phone: PHONE })) {
  test(`the review shows the value after each move as a line, on a ${device}`, () =>
    page({ ...options, bypassCSP: true, reducedMotion: 'no-preference' }, async (page) => {
      await page.addInitScript(observe);
      const { name, made: all, values } = await game();
      await open(page, `${name}?board=${BOARD}&moves=${encodeURIComponent(all.join('\n'))}`);
      await said(page, 'Game over');
      assert.equal(await line(page).isVisible(), false);
      await page.locator('.review').getByRole('button', { name: 'Review' }).click();
      await page.locator('.review .summary', { hasText: /Move \d|No mistakes/ }).waitFor();
      assert.deepEqual(await page.locator('.review .value').allInnerTexts(), values.slice(1).map(inWords));
      // On a phone the message covers the workspace.
      if (options === PHONE) await page.locator('.left .message').getByRole('button', { name: 'Dismiss' }).tap();
      const slider = line(page);
      await slider.scrollIntoViewIfNeeded();
      assert.equal(await slider.getAttribute('aria-valuetext'), `Move ${all.length}: ${inWords(values.at(-1))}`);
      // The line has one point for the start and one for each move: wins of player 1 are above the middle, wins of player 2 are below, and
      // the sooner a win, the nearer it is to the edge.
      const box = await slider.boundingBox();
      const points = await slider.locator('.dot').evaluateAll((dots) => dots.map((dot) => dot.getBoundingClientRect().y + dot.getBoundingClientRect().height / 2));
      const heights = points.map((y) => (y - box.y) / box.height);
      assert.equal(points.length, values.length);
      for (const [at, { winner }] of values.entries()) assert.ok(winner === 1 ? heights[at] < 0.5 : heights[at] > 0.5, `point ${at}: ${heights[at]}`);
      for (const [one, other] of values.flatMap((one) => values.map((other) => [one, other])).filter(([one, other]) => one.winner === other.winner && one.length < other.length)) {
        const from = (report) => Math.abs(heights[values.indexOf(report)] - 0.5);
        assert.ok(from(one) > from(other), `${JSON.stringify([one.length, other.length])}`);
      }
      assert.deepEqual(await slider.locator('.number').allInnerTexts(), values.map(({ length }) => String(length)));
      // A click or tap shows the board after that move.
      const at = 2;
      const [x, y] = [box.x + (box.width * (at + 0.5)) / values.length, box.y + box.height / 2];
      if (options === PHONE) await page.touchscreen.tap(x, y);
      else await page.mouse.click(x, y);
      await addressed(page, /look=2$/);
      await page.locator('.review li.now').waitFor();
      assert.equal(await slider.getAttribute('aria-valuetext'), `Move 2: ${inWords(values[2])}`);
      assert.equal(await slider.locator('.dot.now').count(), 1);
      if (options !== PHONE) {
        await slider.focus();
        for (const [key, look] of [['ArrowLeft', 1], ['ArrowLeft', 1], ['End', all.length], ['Home', 1], ['ArrowRight', 2]]) {
          await page.keyboard.press(key);
          await addressed(page, new RegExp(`look=${look}$`));
          assert.equal(await slider.getAttribute('aria-valuenow'), String(look));
        }
        assert.equal(await slider.evaluate((slider) => slider === document.activeElement), true);
        await frame(page);
        assert.equal(await page.evaluate(() => window.shifts), 0, 'layout shifts');
      }
      await checkAccess(page, `review on a ${device}`);
      await click(page, 'Back to my game');
      await page.locator('.review li.now').waitFor({ state: 'detached' });
    }));
}

test('where the length or the winner is unknown, the line says so', () =>
  page(DESK, async (page) => {
    const { name, made: all } = await game();
    await open(page, `${name}?board=${BOARD}&moves=${encodeURIComponent(all.slice(0, 3).join('\n'))}`);
    const known = [{ outcome: 'N', winner: 1, length: null }, { outcome: null, winner: null, length: null }, { outcome: 'D', winner: null, length: 4 }, { outcome: 'P', winner: 1, length: 2 }];
    await answerWith(page, 'reply', ({ moves }) => ({ move: 'a:1', ...known[moves.length] }));
    await page.locator('.review').getByRole('button', { name: 'Review' }).click();
    await page.locator('.review .summary', { hasText: /./ }).waitFor();
    await page.locator('.review .value').nth(2).waitFor();
    assert.deepEqual(await page.locator('.review .value').allInnerTexts(), ['not known', 'a draw', 'player 1 wins in 2 moves']);
    assert.deepEqual(await line(page).locator('.dot').evaluateAll((dots) => dots.map((dot) => dot.className.replace('dot ', ''))), ['first', 'unknown', 'draw', 'first']);
    assert.deepEqual(await line(page).locator('.number').allInnerTexts(), ['', '?', '', '2']);
  }));
