// Words and board agree: pointing at a move highlights its places, and pointing at a place highlights its moves; names of places can be
// shown; a review compares the moves with a best plan; and a level's message says which rules change.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, PHONE, click, made, place, pressSolve, said, site, some, unfold } from './harness.js';

const here = site();
const { page, open, ask, solve } = here;

const pointed = (page) => page.locator('.holder .pointed').evaluateAll((places) => places.map((place) => place.dataset.name).sort());
/** Points at an element with the mouse, or focuses it, as the keyboard does. */
const pointAt = (element, by) => (by === 'mouse' ? element.hover() : element.focus());

for (const by of ['mouse', 'keyboard']) {
  test(`pointing at a move highlights its places, and pointing at a place highlights its moves, by ${by}`, () =>
    here.each({}, async (page, { name, scene }) => {
      const [first, last] = [scene.moves[0], scene.moves.at(-1)];
      await unfold(page);
      await page.mouse.move(5, 5);
      const row = (text) => page.locator('.legal .moves button', { has: page.locator(`span:text-is(${JSON.stringify(text)})`) }).first();
      const places = ({ clicks }) => [...new Set(clicks)].sort();
      for (const move of [first, last]) {
        await pointAt(row(move.text), by);
        await page.waitForFunction((names) => names.every((name) => document.querySelector(`.holder [data-name="${CSS.escape(name)}"]`)?.classList.contains('pointed')), places(move));
        assert.deepEqual(await pointed(page), places(move), `${name}: ${move.text}`);
      }
      await pointAt(place(page, first.clicks[0]), by);
      await page.locator('.legal .lit').first().waitFor();
      const lit = await page.locator('.legal .lit > span:first-child').allInnerTexts();
      assert.deepEqual(lit, scene.moves.filter(({ clicks }) => clicks.includes(first.clicks[0])).map(({ text }) => text), name);
      // Moves made.
      await row(first.text).click();
      await made(page, 1);
      await pointAt(page.locator('.review .made button').first(), by);
      await page.waitForFunction((name) => document.querySelector(`.holder [data-name="${CSS.escape(name)}"]`).classList.contains('pointed'), first.clicks[0]);
      await pointAt(place(page, first.clicks[0]), by);
      await page.locator('.review .made .lit').waitFor().catch(() => assert.fail(`${name}: the move at ${first.clicks[0]} is not lit`));
    }));
}

test('pointing at a step of a plan highlights its places', () =>
  here.each({}, async (page, { plan, scene }) => {
    await page.getByRole('tab', { name: 'Solve' }).click();
    await pressSolve(page);
    await page.locator('.plan button').first().hover();
    const { clicks } = scene.moves.find(({ text }) => text === plan[0]);
    await page.waitForFunction((count) => document.querySelectorAll('.holder .pointed').length === count, new Set(clicks).size);
    assert.deepEqual(await pointed(page), [...new Set(clicks)].sort());
  }, 1));

for (const [device, options] of some(Object.entries({ desk: DESK, phone: PHONE }), 1)) {
  test(`the names of places can be shown, and stay shown, on a ${device}`, () =>
    page(options, async (page) => {
      await open(page, 'moles');
      const names = () => page.locator('.names text').allTextContents();
      assert.deepEqual(await names(), []);
      await page.getByLabel('Show the names of places').check();
      const { scene } = await here.sample('moles');
      assert.deepEqual(await names(), [...new Set(scene.shapes.flatMap(({ name }) => name ?? []))]);
      await page.reload();
      await page.locator('.names text').first().waitFor({ state: 'attached' });
      // Names that the drawing already contains are not repeated.
      for (const { name } of here.games) {
        await open(page, name);
        const { scene } = await here.sample(name);
        const written = new Set(scene.shapes.flatMap((shape) => (shape.form === 'text' ? [shape.text] : [])));
        assert.ok((await names()).every((text) => !written.has(text)), name);
      }
    }));
}

test('a review shows a best plan beside the moves, from the first move that was not best, and the board after each move', () =>
  page({}, async (page) => {
    const instance = '....\n.dc.\n.ba.\n....';
    const moves = ['a left', 'c left', 'a up'];
    const least = async (made) => (await solve('pegs', { instance, moves: moves.slice(0, made) })).report.cost;
    const paid = async (made) => (await ask('/api/pegs/position', { instance, moves: moves.slice(0, made) })).cost;
    let split = 0;
    while ((await paid(split + 1)) + (await least(split + 1)) === (await least(0))) split += 1;
    const { plan } = await solve('pegs', { instance, moves: moves.slice(0, split) });
    await open(page, `pegs?board=${encodeURIComponent(instance)}&moves=${encodeURIComponent(moves.join('\n'))}`);
    await page.locator('.review .ghost button').first().waitFor();
    assert.deepEqual(await page.locator('.review .ghost button').allInnerTexts(), plan);
    assert.equal(await page.locator('.review .ghost .gap').count(), split);
    await page.getByText('Purple: better').waitFor();
    const at = (selector, number) => page.locator(selector).nth(number).boundingBox();
    assert.ok(Math.abs((await at('.review .made li', split)).y - (await at('.review .ghost li', split)).y) < 1, 'the plans split in the same row');
    // Shows the board after the move, with an arrow for the move and one for a better move.
    await page.locator('.review .made button').nth(split).click();
    await said(page, `Move ${split + 1}: you played`);
    await page.locator('.pointer polygon.past').waitFor({ state: 'attached' });
    assert.equal(await page.locator('.pointer polygon:not(.past)').count(), 1);
    const after = await ask('/api/pegs/position', { instance, moves: moves.slice(0, split + 1) });
    assert.equal(await page.locator('.holder svg.board').getAttribute('aria-label'), after.scene.title);
    await page.locator('.review .ghost button').last().click();
    await said(page, 'A best plan from move');
    const best = await ask('/api/pegs/position', { instance, moves: [...moves.slice(0, split), ...plan] });
    await page.waitForFunction((title) => document.querySelector('.holder svg.board').getAttribute('aria-label') === title, best.scene.title);
    await click(page, 'Back to my game');
    await made(page, moves.length);
  }));

test('a level with different rules says so, and a move that ends where it begins is announced', () =>
  page(DESK, async (page) => {
    const { sample } = await here.sample('pegs');
    const sentences = async (instance) => (await ask('/api/pegs/primer', { instance })).cards.map(({ sentence }) => sentence);
    const { instance } = await ask('/api/pegs/level', { level: 'easy', seed: 1 });
    const before = await sentences(sample);
    const changed = (await sentences(instance)).filter((sentence) => !before.includes(sentence));
    assert.ok(changed.length > 0);
    await open(page, 'pegs');
    await click(page, 'Easy');
    await said(page, `The rules change: ${changed[0]}`);
    // To leave the board, the same place is clicked twice.
    for (const { name } of here.games) {
      const { sample } = await here.sample(name);
      const found = await leaving(name, sample);
      if (!found) continue;
      await open(page, `${name}?moves=${encodeURIComponent(found.moves.join('\n'))}`);
      await place(page, found.clicks[0]).click();
      await said(page, 'Click the same place again');
      await place(page, found.clicks[0]).click();
      await made(page, found.moves.length + 1);
    }
  }));

/** A position of a plan in which a move ends where it begins. */
async function leaving(game, instance) {
  const { plan } = await here.sample(game);
  for (let count = 0; count < plan.length; count++) {
    const moves = plan.slice(0, count);
    const { scene } = await ask(`/api/${game}/position`, { instance, moves });
    const move = scene.moves.find(({ clicks }) => clicks.length === 2 && clicks[0] === clicks[1]);
    if (move) return { moves, clicks: move.clicks };
  }
  return null;
}
