// The page in a real browser: every game is played, solved and explained as a person would use it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, addressed, answerWith, assessed, click, clickAll, compared, docs, made, place, pressSolve, said, searched, serverOnly, site, tab, tabTo, unfold } from './harness.js';

const here = site();
const { page, open, ask, solve } = here;

test('the gallery shows every game with its board', () =>
  page({}, async (page) => {
    await open(page);
    assert.equal(await page.locator('.card').count(), here.games.length);
    assert.equal(await page.locator('.card svg.mini').count(), here.games.length);
    await page.locator('.card').first().click();
    await page.locator('.holder svg').waitFor();
  }));

test('every puzzle can be solved by clicking, undo and redo work, and the address contains the moves', () =>
  here.each({}, async (page, { name, sample, plan }) => {
    assert.ok(plan.length > 1, name);
    for (const [at, move] of plan.entries()) {
      const { scene } = await ask(`/api/${name}/position`, { instance: sample, moves: plan.slice(0, at) });
      await clickAll(page, scene.moves.find((gesture) => gesture.text === move).clicks);
      await made(page, at + 1);
      if (at > 0) continue;
      await click(page, 'Undo');
      await made(page, 0);
      await click(page, 'Redo');
      await made(page, 1);
    }
    await said(page, 'the least possible');
    await page.reload();
    await said(page, 'You solved this board');
    // To someone else, the same link includes a solution.
    await page.evaluate(() => localStorage.removeItem('kibitzer-solved'));
    await page.reload();
    await said(page, 'This link includes a solution');
    await made(page, plan.length);
    await click(page, 'Restart');
    await made(page, 0);
  }, 1));

test('two players: best play wins won positions, labels show who wins, and every position of the graph can be opened', () =>
  here.each({}, async (page, { name, sample, report, best }) => {
    assert.equal(report.winner, 1, 'the sample is a win for the first player');
    await page.locator('.status', { hasText: 'player 1 can win' }).waitFor();
    await unfold(page);
    await click(page, 'Why?');
    await page.locator('.moves .badge.good').first().waitFor();
    assert.equal(await page.locator('.moves .badge.good').count(), best.length);
    // The person always plays the first legal move; Kibitzer, as player 1, wins.
    await page.getByLabel('Opponent').selectOption('1');
    for (let count = 1; ; count += 2) {
      await page.waitForFunction((count) => document.querySelectorAll('#panel-play .made li').length >= count, count);
      if ((await page.locator('.moves button').count()) === 0) break;
      await page.locator('.moves button').first().click();
    }
    await said(page, 'Kibitzer wins');
    // Player 1 moves by clicks only, and always makes a winning move.
    await page.getByLabel('Opponent').selectOption('0');
    await click(page, 'Restart');
    await made(page, 0);
    for (const moves = []; ; ) {
      const position = await ask(`/api/${name}/position`, { instance: sample, moves });
      if (position.goal) break;
      const { best } = await solve(name, { instance: sample, moves });
      moves.push(best[0] ?? position.legal[0].text);
      await clickAll(page, position.scene.moves.find((gesture) => gesture.text === moves.at(-1)).clicks);
      await made(page, moves.length);
    }
    await said(page, 'player 1 wins');
    await click(page, 'Restart');
    await made(page, 0);
    await tab(page, 'Graph');
    await page.locator('.graph [data-name="1"]').waitFor();
    const width = () => page.locator('.graph svg').evaluate((svg) => svg.getBoundingClientRect().width);
    const before = await width();
    await click(page, 'Larger');
    assert.ok((await width()) > before);
    await page.locator('.graph [data-name="1"]').focus();
    await page.keyboard.press('Enter');
    await said(page, 'position you chose');
    await addressed(page, /board=/);
  }, 2));

test('draws: the status, an answer, labels and the table show them', () =>
  page(DESK, async (page) => {
    // No game has draws yet, so the test invents the answers.
    const [{ name }] = here.games.filter((game) => game.players === 2);
    const report = { game: name, method: 'search', verdict: 'solved', verified: true, winner: null, outcome: 'D', stats: { expanded: 3, generated: 4, peak_bytes: 5, seconds: 0.1 } };
    const { legal } = await here.sample(name);
    const best = [legal[0].text];
    await answerWith(page, 'solve', () => ({ report, plan: [], best, explanation: null }));
    const labels = ['draw', 'lose', 'win'].map((paint, at) => ({ move: legal[at].text, text: 'DPN'[at], paint, good: at === 0 }));
    await answerWith(page, 'explain', () => ({ explanation: { text: 'A draw.', tints: [], shapes: [], labels } }));
    await open(page, name);
    await unfold(page);
    await page.locator('.status', { hasText: 'a draw with best play' }).waitFor();
    await click(page, 'Hint');
    await said(page, '(keeps the draw)');
    await click(page, 'Why?');
    await page.locator('.badge').first().waitFor();
    const colors = await page.locator('.badge').evaluateAll((badges) => badges.map((badge) => getComputedStyle(badge).backgroundColor));
    assert.equal(new Set(colors).size, 3, `draws have their own color: ${colors}`);
    await tab(page, 'Solve');
    await pressSolve(page);
    await page.locator('.verdict.draw', { hasText: 'A draw with best play' }).waitFor();
    await page.getByText(`Moves that keep the draw: ${best[0]}.`).waitFor();
    await tab(page, 'Compare');
    await click(page, 'Run');
    await page.locator('.comparison td', { hasText: 'draw' }).first().waitFor();
    assert.doesNotMatch(await page.locator('main').innerText(), /null|undefined|NaN/);
  }));

test('a solution is found and shown as a film', () =>
  here.each({ reducedMotion: 'no-preference' }, async (page) => {
    await tab(page, 'Solve');
    await pressSolve(page);
    await page.locator('.verdict.good', { hasText: 'the least possible' }).waitFor();
    await page.locator('.film').getByLabel('Speed').selectOption('8');
    const length = await page.locator('.plan li').count();
    await page.locator('.caption', { hasText: `${length} of ${length}` }).waitFor();
    await page.getByLabel('Plan step').fill('1');
    await page.locator('.caption', { hasText: `1 of ${length}` }).waitFor();
    await page.locator('.holder .last').first().waitFor();
    await click(page, 'Continue from here');
    await made(page, 1);
    await tab(page, 'Solve');
    assert.equal(await page.locator('.film').isVisible(), false, 'the film belonged to another position');
  }, 1));

test('a board that cannot be solved is shown with its proof', () =>
  page({}, async (page) => {
    const address = `moles?board=${encodeURIComponent('1000\n0000\n0000\n0000')}`;
    const drawn = () => page.locator('.holder .tint, .holder .ring').count();
    await open(page, `${address}&view=solve`);
    await pressSolve(page);
    await page.locator('.verdict.bad', { hasText: 'cannot be solved' }).waitFor();
    assert.ok((await drawn()) > 0);
    await page.locator('.status', { hasText: 'this board cannot be solved' }).waitFor();
    // A proof shown instead of a hint stays when Why? is pressed.
    await open(page, address);
    await click(page, 'Hint');
    await said(page, 'There is no solution from here');
    const before = await drawn();
    assert.ok(before > 0);
    await click(page, 'Why?');
    assert.equal(await drawn(), before);
    await click(page, 'Why?');
    await page.waitForFunction(() => document.querySelectorAll('.holder .tint, .holder .ring').length === 0);
    // A listed board whose answer is known.
    const { instances } = await here.sample('moles');
    const { name } = instances.find(({ answer }) => answer === 'unsolvable');
    await page.getByLabel('Board', { exact: true }).selectOption(`instance:${name}`);
    await said(page, 'This board cannot be solved.');
  }));

test('a bad board is reported with line and column, and nothing is lost', () =>
  page({ allowed: /status of 422/ }, async (page) => {
    await open(page, 'pegs');
    await click(page, 'Paste…');
    await page.locator('#paste-text').fill('ab.\n.?.');
    await click(page, 'Use this board');
    await page.getByRole('alert').getByText('Line 2, column 2').waitFor();
    const selected = await page.locator('#paste-text').evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd));
    assert.equal(selected, '?');
    await page.locator('#paste-text').fill('ab.\n...');
    await click(page, 'Use this board');
    await page.locator('.status', { hasText: '0 so far, best possible 2' }).waitFor();
    assert.equal(await page.locator('dialog').count(), 0);
    await click(page, 'Random…');
    await page.locator('#random-seed').fill('7');
    await page.locator('#random-pegs').fill('99');
    await click(page, 'Generate');
    await page.getByRole('alert').getByText('pegs').first().waitFor();
    await page.locator('#random-pegs').fill('6');
    await click(page, 'Generate');
    await page.waitForFunction(() => document.querySelectorAll('.holder .p-blue').length === 6);
  }));

test('a long solve reports progress, and stops on request or when the page is closed', serverOnly, async () => {
  const idle = async () => {
    for (let tries = 0; (await ask('/api/status')).solving > 0; tries++) {
      assert.ok(tries < 1200, 'the solve does not stop');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const begin = async (page) => {
    await open(page, 'pegs?view=solve');
    await page.getByLabel('Board', { exact: true }).selectOption('instance:english-priced');
    await page.locator('#solve-method').selectOption('bfs');
    await pressSolve(page);
    await page.locator('.progress', { hasText: 'states' }).waitFor();
  };
  await page(DESK, async (page) => {
    await begin(page);
    await page.locator('#panel-solve').getByRole('button', { name: 'Stop' }).click();
    await page.locator('.verdict', { hasText: 'Stopped' }).waitFor();
    await page.goto(`${here.base}/#/`);
    await idle();
    await begin(page);
  });
  await idle();
});

test('boards are edited with the game\'s own brushes', () =>
  page({}, async (page) => {
    await open(page, 'pegs');
    const pegs = await page.locator('.holder .p-blue').count();
    const count = (wanted) => page.waitForFunction((wanted) => document.querySelectorAll('.holder .p-blue').length === wanted, wanted);
    await click(page, 'Edit');
    const leave = await page.getByRole('button', { name: 'Play this board' }).elementHandle();
    await place(page, '-1,0').click();
    await count(pegs + 1);
    // If the answer replaced the button, a click that has begun would be lost.
    assert.ok(await leave.evaluate((button) => button.isConnected), 'the button is not replaced');
    await page.locator('.editor').getByRole('button', { name: 'Undo' }).click();
    await count(pegs);
    await place(page, '1,1').click();
    await page.getByRole('button', { name: 'Hole', exact: true }).click();
    await place(page, '1,1').click();
    await click(page, 'Play this board');
    await page.getByRole('button', { name: 'Hint' }).waitFor();
    assert.equal(await page.locator('.holder .p-blue').count(), pegs - 1);
    await addressed(page, /board=/);
    await open(page, `moles?board=${encodeURIComponent('graph: P3\nboard: 010')}`);
    await click(page, 'Edit');
    // A second press places the new hole anywhere.
    for (let times = 0; times < 2; times++) await click(page, '+ hole');
    await place(page, '4').waitFor();
    await click(page, 'Join');
    await clickAll(page, ['3', '4']);
    await page.waitForFunction(() => document.querySelectorAll('.holder line').length === 3);
    await click(page, 'Play this board');
    await page.locator('.status', { hasText: /0 so far, best possible \d/ }).waitFor();
  }));

test('everything works by keyboard alone', () =>
  page({}, async (page) => {
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await open(page);
    await tabTo(page, () => document.activeElement?.matches('.card[href="#/moles"]'));
    await press('Enter');
    await page.locator('.holder svg').waitFor();
    await tabTo(page, () => document.activeElement?.hasAttribute('data-name'));
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-name')), '1');
    // Holes 6, 14 and 16 clear the sample.
    for (const [count, keys] of [[1, ['ArrowDown', 'ArrowRight', 'Enter']], [2, ['ArrowDown', 'ArrowDown', 'Enter']], [1, ['u']], [2, ['r']], [3, ['ArrowRight', 'ArrowRight', 'Space']]]) {
      await press(...keys);
      await made(page, count);
    }
    await said(page, 'the least possible');
    await tabTo(page, () => document.activeElement?.getAttribute('role') === 'tab');
    await press('ArrowRight');
    await page.locator('#panel-solve').waitFor();
    await tabTo(page, () => document.activeElement?.textContent === 'Solve' && document.activeElement.getAttribute('role') !== 'tab');
    await press('Enter');
    await page.locator('.verdict').waitFor();
  }));

test('the theme is the user\'s choice', () =>
  page(DESK, async (page) => {
    await open(page);
    await page.locator('#theme').click();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await page.reload();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  }));

// `SHOTS=1 npm test` takes the screenshots for the documentation.
test('screenshots for the documentation', { skip: !process.env.SHOTS }, async () => {
  const shot = (name, options, path, work, part = 'body') =>
    page(options, async (page) => {
      await open(page, path);
      await work(page);
      await page.waitForTimeout(400);
      await page.locator(part).screenshot({ path: `${docs}page${name}.png` });
    });
  const why = async (page) => {
    await assessed(page);
    await click(page, 'Why?');
  };
  await shot('', {}, '', async () => {});
  for (const { name } of here.games) await shot(`-${name}`, { colorScheme: name === 'moles' ? 'dark' : 'light' }, name, why);
  await shot('-compare', {}, 'chexers?view=compare&methods=astar:relaxed,astar:bad,bfs,ucs,greedy:relaxed,bidirectional&seconds=5', compared, '#panel-compare');
  await shot('-search', { viewport: { width: 1280, height: 1180 } }, 'pegs?view=search&method=astar:priced&second=bfs&step=40', searched, '#panel-search');
  await shot('-projector', { viewport: { width: 1280, height: 720 } }, 'chexers?view=search&method=astar:relaxed', async (page) => {
    await searched(page);
    for (const key of ['End', 'p']) await page.locator('.stage .transport .play').press(key);
    await page.locator('dialog.projector[open]').waitFor();
  });
});
