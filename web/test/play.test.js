// Playing: dragged pieces, animation, keys, counted hints, and the review of the moves, whose losses are recomputed here from the
// server's answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, PHONE, answerWith, assessed, click, clickAll, fingers, made, middle, place, pressSolve, said, site, some, swipe, unfold } from './harness.js';

const here = site();
const { page, open, ask, solve } = here;

/** Drags with the mouse; `look` runs before the release. */
async function drag(page, from, to, { look, release = true } = {}) {
  const [[x0, y0], [x1, y1]] = [await middle(page, from), Array.isArray(to) ? to : await middle(page, to)];
  await page.mouse.move(x0, y0);
  await page.mouse.down();
  for (let step = 1; step <= 5; step++) await page.mouse.move(x0 + ((x1 - x0) * step) / 5, y0 + ((y1 - y0) * step) / 5);
  await look?.();
  if (release) await page.mouse.up();
}

/** The sample's first legal move that needs clicks on two different places. */
const twoClicks = ({ scene }) => scene.moves.find(({ clicks }) => clicks.length === 2 && clicks[0] !== clicks[1]);

/** The names of the places with a mark. */
const marked = (page, kind) => page.locator(`.holder .${kind}`).evaluateAll((places) => places.map((place) => place.dataset.name));

const lastMove = (page) => page.locator('#panel-play .made li button').last().innerText();

test('moves are made by dragging with a mouse; targets are marked, and a drop elsewhere changes nothing', async () => {
  let dragged = 0;
  await here.each({}, async (page, game) => {
    const { name, scene } = game;
    const move = twoClicks(game);
    if (!move) return;
    dragged++;
    const [from, to] = move.clicks;
    const legal = new Set(scene.moves.filter(({ clicks }) => clicks[0] === from && clicks[1] !== from).map(({ clicks }) => clicks[1]));
    await drag(page, from, [5, 300], {
      look: async () => {
        assert.deepEqual(new Set(await marked(page, 'next')), legal, `${name}: targets`);
        const [ghost] = await page.locator('.holder .ghost, .holder .carried > :first-child').evaluateAll((ghosts) => ghosts.map((ghost) => ghost.getBoundingClientRect().left));
        assert.ok(ghost < 60, `${name}: the piece follows the pointer`);
      },
    });
    // A vertex of a graph stays where it was dropped.
    await page.waitForFunction(() => !document.querySelector('.holder .carried'));
    assert.equal(await page.locator('.holder .ghost, .holder .picked, .holder .next, .holder .lifted').count(), 0, name);
    await made(page, 0);
    await drag(page, from, to);
    await made(page, 1);
    assert.equal(await lastMove(page), move.text);
    assert.equal(await page.locator('.holder .ghost, .holder .lifted').count(), 0, name);
    // Escape cancels a drag.
    await page.keyboard.press('u');
    await made(page, 0);
    await drag(page, from, to, { release: false });
    await page.keyboard.press('Escape');
    await page.mouse.up();
    assert.equal(await page.locator('.holder .ghost, .holder .picked').count(), 0, name);
    await made(page, 0);
    // Clicks make the same move.
    await clickAll(page, move.clicks);
    await made(page, 1);
  });
  assert.ok(dragged > 1);
});

test('a gesture of three places continues with a click after a drag', () =>
  page(DESK, async (page) => {
    // No game has such a gesture, so the test invents the moves of this scene.
    await answerWith(page, 'position', async (body) => {
      const position = await ask('/api/moles/position', body);
      position.scene.moves = [['1', '2', '3'], ['1', '2', '4'], ['1', '6', '7'], ['5', '6', '7']].map((clicks, at) => ({ text: String(at + 1), clicks }));
      return position;
    });
    await open(page, 'moles');
    const next = () => marked(page, 'next');
    await drag(page, '1', '2', { look: async () => assert.deepEqual(await next(), ['2', '6']) });
    assert.deepEqual(await next(), ['3', '4']);
    await made(page, 0);
    await place(page, '4').click();
    await made(page, 1);
    assert.equal(await lastMove(page), '2');
    // The gesture can also be completed by another drag, from where the first one ended.
    await drag(page, '1', '6');
    await drag(page, '6', '7');
    await made(page, 2);
  }));

test('a place that only ends moves, such as a color, can be dragged to a place where they begin', async () => {
  let dragged = 0;
  await here.each({}, async (page, { scene }) => {
    const begins = new Set(scene.moves.map(({ clicks }) => clicks[0]));
    const isLoaded = (place) => scene.shapes.filter((shape) => shape.name === place).length > 1;
    const move = scene.moves.find(({ clicks }) => clicks.length === 2 && !begins.has(clicks[1]) && isLoaded(clicks[1]));
    if (!move) return;
    dragged++;
    await drag(page, move.clicks[1], move.clicks[0]);
    await made(page, 1);
    assert.equal(await lastMove(page), move.text);
  });
  assert.ok(dragged > 0);
});

test('moves are made by dragging with a finger; elsewhere, a finger scrolls the workspace and does not move the board', () =>
  here.each({ ...PHONE, viewport: { width: 390, height: 700 } }, async (page, game) => {
    const { name, scene } = game;
    const move = twoClicks(game);
    if (move) {
      await swipe(page, await middle(page, move.clicks[0]), await middle(page, move.clicks[1]));
      await made(page, 1);
      assert.equal(await page.evaluate(() => scrollY), 0, `${name}: the page does not scroll`);
      await page.getByRole('button', { name: 'Undo' }).tap();
      await made(page, 0);
    }
    // Swipes at a place that cannot be dragged or, if there is none, at the bottom edge of the board.
    const still = await page.locator('.holder [data-name]:not(.grip)').evaluateAll((places) =>
      places.map((place) => place.firstElementChild.getBoundingClientRect()).map((box) => [box.x + box.width / 2, box.y + box.height / 2])
    );
    const board = await page.locator('.holder').boundingBox();
    const [x, y] = still.findLast(([, y]) => y > 200) ?? [195, board.y + board.height - 4];
    if (scene.moves.every(({ clicks }) => clicks.length === 1) && !scene.movable?.length) assert.ok(still.length > 0, `${name}: no place without a draggable piece was found`);
    await swipe(page, [x, y], [x, y - 150]);
    await made(page, 0);
    const panel = await page.locator('#panel-play').boundingBox();
    const low = panel.y + panel.height - 10;
    await swipe(page, [195, low], [195, low - 80]);
    await page.waitForFunction(() => document.querySelector('#panel-play').scrollTop > 20);
    assert.deepEqual([await page.evaluate(() => scrollY), (await page.locator('.holder').boundingBox()).y], [0, board.y], `${name}: the board does not move`);
    await made(page, 0);
  }));

test('pieces glide and fade, unless the user prefers reduced motion, and clicks work during the animation', async () => {
  const watch = () => {
    window.seen = { flying: 0, leaving: 0, animations: 0 };
    new MutationObserver((records) => {
      for (const { addedNodes } of records) {
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue;
          if (node.matches('.flying')) window.seen.flying++;
          else if (node.matches('.leaving')) window.seen.leaving++;
        }
      }
      window.seen.animations = Math.max(window.seen.animations, document.getAnimations().filter(({ effect }) => effect.target.closest('.holder')).length);
    }).observe(document.querySelector('.holder svg'), { childList: true, subtree: true });
  };
  for (const reducedMotion of ['no-preference', 'reduce']) {
    const isCalm = reducedMotion === 'reduce';
    await page({ reducedMotion }, async (page) => {
      // Two pegs are jumped over: one glides with its letter, two fade with theirs.
      await open(page, `pegs?board=${encodeURIComponent('abc.\n....')}`);
      await page.evaluate(watch);
      await clickAll(page, ['0,0', '0,3']);
      await made(page, 1);
      const seen = await page.evaluate(() => window.seen);
      assert.deepEqual([seen.flying, seen.leaving], isCalm ? [0, 0] : [2, 4]);
      assert.equal(seen.animations > 0, !isCalm);
      // On undo, the peg glides back from its current place.
      await click(page, 'Undo');
      await made(page, 0);
      assert.equal(await page.evaluate(() => window.seen.flying), isCalm ? 0 : 4);
      await page.waitForFunction(() => document.querySelectorAll('.leaving').length === 0);
      assert.equal(await page.locator('.holder .p-blue').count(), 3);
    });
    await page({ reducedMotion }, async (page) => {
      // No pieces move in this game: shapes appear and disappear, and none may glide.
      await open(page, 'moles');
      await page.evaluate(watch);
      const svg = await page.locator('.holder svg').elementHandle();
      // Clicks in quick succession: all are accepted.
      for (const hole of ['6', '14', '16']) await place(page, hole).click({ noWaitAfter: true, delay: 0 });
      await said(page, 'the least possible');
      await made(page, 3);
      assert.equal(await page.evaluate(() => window.seen.flying), 0);
      assert.equal((await page.evaluate(() => window.seen.leaving)) > 0, !isCalm);
      assert.ok(await svg.evaluate((svg) => svg.isConnected), 'the board is the same element');
    });
  }
});

test('the focus does not move when the board changes', () =>
  page({ reducedMotion: 'no-preference' }, async (page) => {
    await open(page, 'moles');
    await place(page, '6').focus();
    const element = await page.evaluateHandle(() => document.activeElement);
    await page.keyboard.press('Enter');
    await made(page, 1);
    assert.ok(await element.evaluate((element) => element === document.activeElement), 'the same element has the focus');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.name), '7');
  }));

test('Ctrl+Z undoes, Ctrl+Y and Ctrl+Shift+Z redo, wherever the focus is', () =>
  page({}, async (page) => {
    await open(page, 'moles');
    await place(page, '6').click();
    await made(page, 1);
    await page.keyboard.press('Control+z');
    await made(page, 0);
    await page.keyboard.press('Control+y');
    await made(page, 1);
    await page.keyboard.press('Meta+z');
    await made(page, 0);
    await page.keyboard.press('Control+Shift+z');
    await made(page, 1);
    // The keys also work beside the board, where nothing has the focus.
    await page.locator('.game h1').click();
    await page.keyboard.press('Control+z');
    await made(page, 0);
    await page.keyboard.press('Control+y');
    await made(page, 1);
    // In a text field they edit the text.
    await click(page, 'Paste…');
    await page.keyboard.press('Control+z');
    await click(page, 'Cancel');
    await made(page, 1);
    // In the editor they undo edits.
    await click(page, 'Edit');
    const label = () => place(page, '1').getAttribute('aria-label');
    const before = await label();
    await place(page, '1').click();
    await page.waitForFunction((before) => document.querySelector('.holder [data-name="1"]').getAttribute('aria-label') !== before, before);
    await page.keyboard.press('Control+z');
    await page.waitForFunction((before) => document.querySelector('.holder [data-name="1"]').getAttribute('aria-label') === before, before);
    assert.equal(await page.getByRole('button', { name: 'Done' }).count(), 0, 'the editor has only one button that leaves it');
    await click(page, 'Play this board');
  }));

test('the status shows the cost so far and the best possible cost', async () => {
  const status = (page, text) => page.locator('.status', { hasText: text }).waitFor();
  await here.each({}, async (page, { name, sample, report, plan }) => {
    await status(page, new RegExp(`^Cost 0 so far, best possible ${report.cost}$`));
    await open(page, `${name}?moves=${encodeURIComponent(plan[0])}`);
    const { cost } = await ask(`/api/${name}/position`, { instance: sample, moves: plan.slice(0, 1) });
    await status(page, new RegExp(`^Cost ${cost} so far, best possible ${report.cost}$`));
  }, 1);
  await here.each({}, async (page) => {
    await status(page, 'player 1 to move');
    await unfold(page);
    await page.locator('.moves button').first().click();
    await status(page, 'player 2 to move');
    assert.doesNotMatch(await page.locator('.status').innerText(), /can win/, 'shown only at the start');
  }, 2);
  await page(DESK, async (page) => {
    // A report with only a lower bound.
    const report = { game: 'moles', method: 'x', verdict: 'unknown', limit: 'time', lower: 5, upper: null, stats: { expanded: 1, generated: 1, peak_bytes: 1, seconds: 5 } };
    await answerWith(page, 'solve', () => ({ report, plan: [], best: [], explanation: null }));
    await open(page, 'moles');
    await status(page, 'Cost 0 so far, at least 5 more');
    await place(page, '1').click();
    await status(page, 'Cost 1 so far, at least 4 more');
  });
});

test('hints are counted: only a solution without help is well played', () =>
  page({}, async (page) => {
    const hint = async (page) => {
      await click(page, 'Hint');
      await click(page, 'Play it');
    };
    await open(page, 'moles');
    await clickAll(page, ['6', '14', '16']);
    await said(page, 'Solved at a cost of 3, the least possible. Well played!');
    await click(page, 'Restart');
    await made(page, 0);
    await hint(page);
    await made(page, 1);
    // A hint that the player follows by clicking still counts as a hint.
    await click(page, 'Hint');
    await page.locator('.holder .hint').first().click();
    await made(page, 2);
    await hint(page);
    await said(page, 'Solved with 3 hints at a cost of 3, the least possible.');
    assert.doesNotMatch(await page.locator('.left .message').innerText(), /Well played/);
    await click(page, 'Restart');
    await made(page, 0);
    await page.getByRole('tab', { name: 'Solve' }).click();
    await pressSolve(page);
    await page.locator('.film').waitFor();
    await page.getByLabel('Plan step').fill('2');
    await click(page, 'Continue from here');
    await made(page, 2);
    await place(page, '16').click();
    await said(page, 'Solved with 2 hints');
  }));

/** The cost lost by each move of a plan, computed only from the server's answers. */
async function losses(game, instance, moves) {
  const least = async (count) => {
    const { report } = await solve(game, { instance, moves: moves.slice(0, count) });
    return report.verdict === 'unsolvable' ? Infinity : report.cost;
  };
  const paid = async (count) => (await ask(`/api/${game}/position`, { instance, moves: moves.slice(0, count) })).cost;
  const lost = [];
  for (let count = 1; count <= moves.length; count++) lost.push((await paid(count)) - (await paid(count - 1)) + (await least(count)) - (await least(count - 1)));
  return lost;
}

test('a review shows where cost was lost, and how much, and play can resume there', () =>
  page({}, async (page) => {
    // Solved at a cost of 9; the least cost is 4.
    const instance = '....\n.dc.\n.ba.\n....';
    const moves = ['a left', 'c left', 'a up'];
    const lost = await losses('pegs', instance, moves);
    assert.equal(lost.reduce((sum, one) => sum + one), 5);
    const first = lost.findIndex((one) => one > 0);
    await open(page, `pegs?board=${encodeURIComponent(instance)}&moves=${encodeURIComponent(moves.join('\n'))}`);
    await said(page, '5 more than needed');
    await page.locator('.review .summary', { hasText: 'Your cost: 9; the best possible is 4.' }).waitFor();
    const marks = await page.locator('.review .badge').allInnerTexts();
    assert.deepEqual(marks, lost.map((one) => (one === 0 ? 'best' : `+${one}`)));
    await said(page, `Move ${first + 1}: you played`);
    // Show the board after a move, and return.
    await page.locator('.review .made button').nth(2).click();
    await said(page, 'Move 3');
    await page.locator('.holder .last').first().waitFor();
    await page.locator('.review li.now').waitFor();
    await made(page, 3);
    await click(page, 'Back to my game');
    await said(page, '5 more than needed');
    await page.getByRole('button', { name: `Replay from move ${first + 1}` }).press('Enter');
    await made(page, first);
    assert.ok(await page.evaluate(() => document.activeElement.closest('.holder') !== null), 'the button is gone: the board has the focus');
    assert.ok(await page.getByRole('button', { name: 'Redo' }).isEnabled(), 'nothing is lost');
  }));

test('a review before the end marks a move that leaves no solution', () =>
  page({}, async (page) => {
    // Search for a solvable board with a move that makes it unsolvable.
    const boards = ['.....\n.atb.\nn...g\nn...a\nh...b\nx...c', '....\n.dc.\n.ba.\n....'];
    let found = null;
    for (const board of boards) {
      for (const { text } of (await ask('/api/pegs/position', { instance: board })).legal) {
        const { report } = await solve('pegs', { instance: board, moves: [text] });
        if (report.verdict === 'unsolvable') found ??= { board, text };
      }
    }
    assert.ok(found, 'no board has a dead end');
    await open(page, `pegs?board=${encodeURIComponent(found.board)}&moves=${encodeURIComponent(found.text)}`);
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.locator('.review .badge', { hasText: 'dead end' }).waitFor();
    await page.locator('.review .summary', { hasText: 'There is no solution from here' }).waitFor();
    await page.locator('.review .made button').first().click();
    await said(page, 'it made the board unsolvable');
    await page.locator('.holder .hint').first().waitFor();
    await click(page, 'Replay from move 1');
    await made(page, 0);
  }));

test('a review can be stopped', () =>
  page(DESK, async (page) => {
    let asked = 0;
    await open(page, 'moles?moves=1%0A2%0A3');
    await page.locator('.status', { hasText: '3 so far' }).waitFor();
    await page.locator('.status', { hasText: 'looking' }).waitFor({ state: 'detached' });
    // The third answer never arrives.
    await answerWith(page, 'solve', (body) => (++asked < 3 ? solve('moles', body) : new Promise(() => {})));
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.locator('.review .summary', { hasText: 'Reviewing move 2 of 3' }).waitFor();
    await page.locator('.review').getByRole('button', { name: 'Stop' }).click();
    await page.locator('.review .summary', { hasText: 'Stopped' }).waitFor();
    await page.getByRole('button', { name: 'Review', exact: true }).waitFor();
  }));

test('two players: every move is also labeled on the board, and labels persist during play', () =>
  here.each({}, async (page, { name, sample, scene }) => {
    const { explanation } = await ask(`/api/${name}/explain`, { instance: sample });
    await unfold(page);
    await page.getByLabel('Show who wins after every move').check();
    await page.locator('.holder .badges circle').first().waitFor();
    // Recompute the best result that can be reached from each place.
    const paint = new Map(explanation.labels.map((label) => [label.move, label.paint]));
    const best = (gestures) => ['win', 'draw', 'lose'].find((rank) => gestures.some(({ text }) => paint.get(text) === rank));
    const check = async (at, picked) => {
      const fits = scene.moves.filter(({ clicks }) => picked.every((pick, index) => clicks[index] === pick));
      for (const place of new Set(fits.map(({ clicks }) => clicks[at]))) {
        const words = { win: 'wins', draw: 'draws', lose: 'loses' }[best(fits.filter(({ clicks }) => clicks[at] === place))];
        assert.equal(await page.locator(`.holder [data-name="${place}"]`).first().getAttribute('aria-description'), words, place);
      }
    };
    await check(0, []);
    const [first] = scene.moves[0].clicks;
    if (scene.moves[0].clicks.length > 1) {
      await place(page, first).click();
      await check(1, [first]);
      await page.keyboard.press('Escape');
    }
    await page.locator('.moves .badge').first().waitFor();
    await page.locator('.moves button').first().click();
    await made(page, 1);
    await page.locator('.moves .badge').first().waitFor();
    await page.getByLabel('Show who wins after every move').uncheck();
    assert.equal(await page.locator('.holder .badges circle, .moves .badge').count(), 0);
  }, 2));

test('two players: the first mistake is reported with a winning move, and undo also reverts the reply', () =>
  here.each({}, async (page, { name, sample, best }) => {
    const { explanation } = await ask(`/api/${name}/explain`, { instance: sample });
    const wrong = explanation.labels.find(({ paint }) => paint === 'lose')?.move;
    // On some samples, every other move still draws.
    if (!wrong) return;
    await page.getByLabel('Opponent').selectOption('2');
    await unfold(page);
    const play = async (text, count) => {
      await page.locator('.moves button').filter({ has: page.getByText(text, { exact: true }) }).click();
      await page.waitForFunction((count) => document.querySelectorAll('#panel-play .made li').length >= count, count);
    };
    await play(wrong, 2);
    await said(page, 'Kibitzer played');
    await click(page, 'Undo');
    await made(page, 0);
    await play(wrong, 2);
    for (let count = 4; ; count += 2) {
      await page.locator('.left .message', { hasText: /Your turn|Game over/ }).waitFor();
      const [first] = await page.locator('.moves button > :first-child').allInnerTexts();
      if (first === undefined) break;
      await play(first, count - 1);
      await page.waitForFunction((count) => document.querySelectorAll('#panel-play .made li').length >= count || /Game over/.test(document.querySelector('.left .message').textContent), count);
    }
    await said(page, 'Kibitzer wins');
    await said(page, `Your mistake was move 1: you played ${wrong}; it gave away the win. Better: ${best[0]}`);
    assert.match(await page.locator('.status').innerText(), /game over/);
    assert.doesNotMatch(await page.locator('.status').innerText(), /can win/);
    await click(page, 'Replay from move 1');
    await made(page, 0);
  }, 2));

test('"Why?" draws an explanation, which keeps its text, and labels stay readable', () =>
  here.each({}, async (page, { name, sample, scene }) => {
    const { explanation } = await ask(`/api/${name}/explain`, { instance: sample });
    const words = explanation.text.replaceAll('`', '').slice(0, 40);
    const drawn = () => page.locator('.holder .tint, .holder .over:not(.badges, .pointer) > *').count();
    const why = async () => {
      await click(page, 'Why?');
      await said(page, words);
      assert.ok((await drawn()) > 0, name);
    };
    await why();
    await click(page, 'Why?');
    await page.waitForFunction(() => document.querySelectorAll('.holder .tint, .holder .over > *').length === 0);
    await why();
    // The explanation does not hide the text of any place on the board.
    const hidden = await page.locator('.holder .place > text').evaluateAll((texts) => texts.filter((text) => getComputedStyle(text).display === 'none').length);
    assert.equal(hidden, 0, name);
    // A click that only begins a move keeps the explanation's text.
    await place(page, scene.moves[0].clicks[0]).click();
    if (scene.moves[0].clicks.length > 1) await said(page, words);
    else await made(page, 1);
    await click(page, 'Hint');
    await page.locator('.left .message', { hasText: 'Hint:' }).or(page.locator('.left .message.bad')).waitFor();
    assert.equal(await drawn(), 0, `${name}: an explanation without its text`);
  }));

test('a click beside the board does not draw a focus outline', () =>
  page({}, async (page) => {
    await open(page, 'pegs');
    const box = await page.locator('.holder svg').boundingBox();
    for (const [x, y] of [[640, 780], [20, 400], [82, 60], [box.x + 2, box.y + 2], [box.x + box.width / 2, box.y + box.height - 2]]) {
      await page.mouse.click(x, y);
      assert.notEqual(await page.evaluate(() => document.activeElement.tagName), 'svg', 'the drawing itself is not focused');
      await page.keyboard.press('Shift');
      const outline = await page.evaluate(() => {
        const element = document.activeElement;
        const style = getComputedStyle(element);
        return style.outlineStyle === 'none' || style.outlineWidth === '0px' ? '' : `${element.tagName} ${style.outline}`;
      });
      assert.equal(outline, '', `${x}, ${y}`);
    }
  }));

for (const [width, height] of some([[360, 640], [390, 844]], 1)) {
  test(`a phone of ${width} x ${height}: board first, buttons at the bottom, messages in view`, async () => {
    const options = { ...PHONE, viewport: { width, height } };
    const fits = async (page, what) => assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${what}: wider than the screen`);
    await here.each(options, async (page, { name }) => {
      await assessed(page);
      const inView = (box, what) => assert.ok(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width + 0.5 && box.y + box.height <= height + 0.5, `${name}: ${what} ${JSON.stringify(box)}`);
      const board = await page.locator('.holder').boundingBox();
      inView(board, 'board');
      assert.ok(board.y < 140, `${name}: the board is at the top, at ${board.y}`);
      assert.ok((await page.locator('.intro').boundingBox()).y > board.y + board.height, 'the rules come after it');
      const bar = await page.locator('.strip').boundingBox();
      assert.ok(board.y + board.height <= bar.y, `${name}: the bar covers the board`);
      for (const label of ['Undo', 'Redo', 'Restart', 'Hint', 'Why?']) {
        const box = await page.locator('.strip').getByRole('button', { name: label }).boundingBox();
        inView(box, label);
        assert.ok(box.y > height * 0.8 && box.height >= 40 && box.width >= 40, `${label}: ${JSON.stringify(box)}`);
      }
      // The bar of games is swiped; the names do not overlap, and the current one is in view.
      const links = await page.locator('#games a').evaluateAll((links) => links.map((link) => ({ left: link.getBoundingClientRect().left, right: link.getBoundingClientRect().right, isCut: link.scrollWidth > link.clientWidth })));
      for (const [at, link] of links.entries()) assert.ok(!link.isCut && (at === 0 || link.left >= links[at - 1].right - 0.5), `${name}: ${JSON.stringify(links)}`);
      inView(await page.locator('#games [aria-current]').boundingBox(), 'the game in the menu');
      await page.getByRole('button', { name: 'Why?' }).tap();
      await page.locator('.left .message:not(:empty)').waitFor();
      const message = await page.locator('.left .message').boundingBox();
      inView(message, 'message');
      assert.ok(message.y + message.height <= bar.y, `${name}: the bar covers the message`);
      await page.getByRole('button', { name: 'Dismiss' }).tap();
      const scrolled = await page.evaluate(() => (scrollTo(0, document.body.scrollHeight), scrollY));
      assert.equal(scrolled, 0, 'the page itself does not scroll');
      await page.evaluate(() => (document.querySelector('#panel-play').scrollTop = 1e6));
      inView(await page.locator('.strip').boundingBox(), 'bar at the end');
      const last = await page.locator('.legal').boundingBox();
      assert.ok(last.y + last.height <= bar.y + 1, 'nothing stays under the bar');
      await page.evaluate(() => (document.querySelector('#panel-play').scrollTop = 0));
      await fits(page, name);
      // Every touch target is large enough for a finger.
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('button, a, select, summary, label.check')]
          .filter((element) => element.checkVisibility() && !element.matches('.skip'))
          .map((element) => ({ text: element.textContent.trim().slice(0, 30), box: element.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0 && (box.height < 39.5 || box.width < 39.5))
          .map(({ text, box }) => `${text} ${Math.round(box.width)} x ${Math.round(box.height)}`)
      );
      assert.deepEqual(small, [], name);
      const places = await page.locator('.holder .can').evaluateAll((places) => Math.min(...places.map((place) => Math.min(...['width', 'height'].map((side) => place.firstElementChild.getBoundingClientRect()[side])))));
      if (places < 39.5) {
        await page.getByRole('button', { name: 'Zoom in' }).tap();
        const after = await page.locator('.holder .can').first().evaluate((place) => place.firstElementChild.getBoundingClientRect().width);
        assert.ok(after >= 40, `${name}: ${after} px after zooming`);
        await fits(page, `${name}, enlarged`);
        await page.getByRole('button', { name: 'Zoom out' }).tap();
      }
      await open(page, `${name}?view=compare`);
      await fits(page, `${name}, compare`);
    });
    await page(options, async (page) => {
      await open(page);
      await fits(page, 'gallery');
    });
  });
}

test('two fingers enlarge the board, and moves can be made there', () =>
  page(PHONE, async (page) => {
    await open(page, 'moles?board=' + encodeURIComponent(Array(12).fill('1'.repeat(12)).join('\n')));
    const width = () => place(page, '66').evaluate((place) => place.firstElementChild.getBoundingClientRect().width);
    const before = await width();
    assert.ok(before < 40);
    const touch = await fingers(page);
    await touch('touchStart', [180, 280]);
    await touch('touchStart', [180, 280], [210, 310]);
    for (let step = 1; step <= 6; step++) await touch('touchMove', [180 - 8 * step, 280 - 8 * step], [210 + 8 * step, 310 + 8 * step]);
    await touch('touchEnd');
    await made(page, 0);
    assert.ok((await width()) >= 40, `${before} px became ${await width()} px`);
    assert.equal(await page.evaluate(() => visualViewport.scale), 1, 'the page itself is not enlarged');
    await place(page, '66').tap();
    await made(page, 1);
    await page.getByRole('button', { name: 'Zoom out' }).waitFor();
  }));

test('a solved board stays solved', () =>
  page({}, async (page) => {
    const { plan } = await here.sample('moles');
    await open(page, `moles?moves=${encodeURIComponent(plan.slice(0, -1).join('\n'))}`);
    await place(page, plan.at(-1)).dblclick();
    await said(page, 'the least possible');
    await place(page, plan[0]).click();
    await said(page, 'the least possible');
    assert.equal(await page.locator('.moves button').count(), 0);
    // Undo runs after all earlier clicks, so an extra move would still be there.
    await click(page, 'Undo');
    await made(page, plan.length - 1);
  }));

test('Why? after a hint compares it with the other moves, and the hint stays', () =>
  page({}, async (page) => {
    await open(page, 'tiles');
    const instance = (await here.sample('tiles')).sample;
    const { legal } = await ask('/api/tiles/position', { instance });
    const costs = new Map();
    for (const { text, cost } of legal) costs.set(text, cost + (await solve('tiles', { instance, moves: [text] })).report.cost);
    await click(page, 'Hint');
    await said(page, 'Hint:');
    await click(page, 'Why?');
    await page.locator('.left .message.explanation').waitFor();
    const text = await page.locator('.left .message').innerText();
    const [, move, own, others] = /^With (\S+), (\d+) to go; with the other \d+ moves?, (\d+)(?: to \d+)?\./.exec(text) ?? [];
    assert.equal(costs.get(move), Number(own), text);
    costs.delete(move);
    assert.equal(Math.min(...costs.values()), Number(others), text);
    assert.ok((await page.locator('.holder .hint').count()) > 0);
    await click(page, 'Play it');
    await made(page, 1);
  }));
