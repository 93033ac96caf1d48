// Boards without a solution: after every move, the page shows the value that cannot change, or that can only decrease, and after a few
// moves it explains the proof. The values are compared with the library's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, PHONE, click, clickAll, made, place, pressSolve, said, site, some, tab } from './harness.js';

const here = site();
const { page, open, ask, solve } = here;

/** The boards of all games that have no solution, with their certificates. */
async function unsolvable() {
  const found = [];
  for (const { name } of here.games) {
    for (const { name: board, text, options, answer } of (await ask(`/api/${name}/about`)).instances) {
      if (answer !== 'unsolvable') continue;
      const { report } = await solve(name, { instance: text, options });
      if (report.why.kind !== 'exhausted') found.push({ game: name, board, text, options, why: report.why });
    }
  }
  return found;
}

/** The text of the message, without the buttons. */
const message = (page) => page.locator('.left .message').innerText();
/** Makes the first legal move by clicking or touching its places. */
async function tryMove(page, game, where, touch) {
  const { scene } = await ask(`/api/${game}/position`, where);
  const [move] = scene.moves;
  if (!move) return null;
  if (touch) for (const name of move.clicks) await place(page, name).tap();
  else await clickAll(page, move.clicks);
  return move.text;
}

for (const [device, options] of Object.entries({ desk: DESK, phone: PHONE })) {
  test(`moves on a board without a solution show what cannot change, on a ${device}`, { timeout: 120_000 }, () =>
    page(options, async (page) => {
      const kinds = new Set();
      for (const { game, board, text, options: rules, why } of some(await unsolvable(), 4)) {
        await open(page, game);
        if (options.hasTouch) await page.locator('.chooser .more').tap();
        await page.getByLabel('Board', { exact: true }).selectOption(`instance:${board}`);
        await page.getByRole('button', { name: 'Prove it to me' }).waitFor();
        const moves = [];
        for (let tries = 1; tries <= 3; tries++) {
          const move = await tryMove(page, game, { instance: text, options: rules, moves }, options.hasTouch);
          if (move === null) break;
          moves.push(move);
          await made(page, tries);
          const { measures, explanation } = await ask(`/api/${game}/measure`, { instance: text, options: rules, moves, why });
          const [before, after] = measures.slice(-2);
          if (after) {
            kinds.add(after.kind);
            if (after.kind === 'invariant') assert.equal(before.value, after.value);
            const sign = before.value === after.value ? '=' : '→';
            await page.locator('.message .measure', { hasText: `${before.value} ${sign} ${after.value}` }).filter({ hasText: `a solution needs: ${after.goal}` }).waitFor();
            assert.ok((await message(page)).toLowerCase().includes(after.text.toLowerCase()), `${game} ${board}: ${after.text}`);
          }
          const isSpelledOut = (await message(page)).includes(explanation.text.replaceAll('`', ''));
          assert.equal(isSpelledOut, !after || tries === 3, `${game} ${board}: after ${tries} tries: ${await message(page)}`);
          assert.ok(await page.locator('.holder .tint, .holder .ring').count() > 0 || explanation.tints.length === 0, `${game} ${board}: the picture`);
        }
        // Undo takes the message away; the button brings the whole proof back.
        if (moves.length === 0) continue;
        await page.getByRole('button', { name: 'Undo' }).click();
        await made(page, moves.length - 1);
        await page.locator('.left .message .measure').waitFor({ state: 'detached' });
        await click(page, 'Why?');
        await said(page, 'This board cannot be solved.');
      }
      assert.ok(kinds.has('invariant'));
    }));
}

test('“Prove it to me” shows the proof on the board, and a hint that finds a dead end is followed too', () =>
  page({}, async (page) => {
    const [{ game, board, why }] = await unsolvable();
    await open(page, game);
    await page.getByLabel('Board', { exact: true }).selectOption(`instance:${board}`);
    await click(page, 'Prove it to me');
    await page.locator('.left .message.explanation', { hasText: 'This board cannot be solved.' }).waitFor();
    assert.ok(await page.locator('.holder .tint, .holder .ring').count() > 0);
    assert.ok((await message(page)).toLowerCase().includes(why.claim.toLowerCase().replaceAll('`', '')));
    // A solvable board, and a move that makes it unsolvable: no value is shown until a hint has found that it is unsolvable.
    const instance = '....\n.dc.\n.ba.\n....';
    let dead = null;
    for (const { text } of (await ask('/api/pegs/position', { instance })).legal) {
      const { report } = await solve('pegs', { instance, moves: [text] });
      if (report.verdict === 'unsolvable' && report.why.kind !== 'exhausted') dead ??= text;
    }
    if (dead === null) return;
    await open(page, `pegs?board=${encodeURIComponent(instance)}&moves=${encodeURIComponent(dead)}`);
    await click(page, 'Hint');
    await said(page, 'There is no solution from here');
    await tryMove(page, 'pegs', { instance, moves: [dead] }, false);
    await page.locator('.left .message.explanation, .left .message .measure').first().waitFor();
  }));

test('Solve answers with the proof, also with the default method, and no message is cut off', () =>
  page({}, async (page) => {
    for (const { game, board, why } of some(await unsolvable(), 3)) {
      await open(page, game);
      await page.getByLabel('Board', { exact: true }).selectOption(`instance:${board}`);
      await click(page, 'Prove it to me');
      await page.locator('.left .message.explanation').waitFor();
      const cut = await page.locator('.left .message').evaluate((message) => {
        const { left, top, right, bottom } = message.getBoundingClientRect();
        return message.scrollHeight > message.clientHeight + 1 || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
      });
      assert.equal(cut, false, `${game} ${board}: ${await message(page)}`);
      await tab(page, 'Solve');
      await pressSolve(page);
      await page.locator('.verdict.bad', { hasText: 'cannot be solved' }).waitFor();
      const answer = (await page.locator('#panel-solve .answer').innerText()).toLowerCase();
      assert.ok(answer.includes(why.claim.toLowerCase().replaceAll('`', '')), `${game} ${board}: ${answer}`);
    }
  }));

test('another board brings its own default method, but a chosen method stays', () =>
  page({}, async (page) => {
    const method = page.locator('#solve-method');
    const chosen = () => method.evaluate((select) => select.value);
    const usual = () => method.locator('option').first().getAttribute('value');
    const choose = async (board) => {
      const before = await usual();
      await page.getByLabel('Board', { exact: true }).selectOption(board);
      await method.locator(`option:first-child:not([value="${before}"])`).waitFor({ state: 'attached' });
    };
    await open(page, 'pegs?view=solve');
    assert.equal(await chosen(), await usual());
    await choose('instance:diamond');
    assert.equal(await chosen(), await usual());
    await method.selectOption('bfs');
    await choose('sample');
    assert.equal(await chosen(), 'bfs');
  }));
