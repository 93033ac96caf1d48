// The page in a real browser: every game is played, solved and understood as a person would.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressed, answerWith, checkAccess, docs, made, place, said, serverOnly, site, tabTo, unfold } from './harness.js';

const here = site();
const { page, open, ask, solve } = here;

test('the gallery shows every game with its board', () =>
  page({}, async (page) => {
    await open(page);
    assert.equal(await page.locator('.card').count(), here.games.length);
    assert.equal(await page.locator('.card svg.mini').count(), here.games.length);
    const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
    console.log(`# first paint after ${Math.round(paint)} ms`);
    await page.locator('.card').first().click();
    await page.locator('.holder svg').waitFor();
  }));

test('every puzzle is played to the end by clicks, with undo, redo and an address that keeps the moves', async () => {
  for (const { name } of here.games.filter((game) => game.players === 1)) {
    await page({}, async (page) => {
      await open(page, name);
      const { sample } = await ask(`/api/${name}/about`);
      const { plan } = await solve(name, { instance: sample });
      assert.ok(plan.length > 1, name);
      for (const [at, move] of plan.entries()) {
        const position = await ask(`/api/${name}/position`, { instance: sample, moves: plan.slice(0, at) });
        const gesture = position.scene.moves.find((gesture) => gesture.text === move);
        for (const click of gesture.clicks) await place(page, click).click();
        await made(page, at + 1);
        if (at === 0) {
          await page.getByRole('button', { name: 'Undo' }).click();
          await made(page, 0);
          await page.getByRole('button', { name: 'Redo' }).click();
          await made(page, 1);
        }
      }
      await said(page, 'the least possible');
      await page.reload();
      await said(page, 'The address holds a solution');
      await made(page, plan.length);
      await page.getByRole('button', { name: 'Restart' }).click();
      await made(page, 0);
    });
  }
});

test('two players: perfect play wins won positions, labels say so, and every position of the graph can be opened', async () => {
  for (const { name } of here.games.filter((game) => game.players === 2)) {
    await page({}, async (page) => {
      await open(page, name);
      const { sample } = await ask(`/api/${name}/about`);
      const { report, best } = await solve(name, { instance: sample });
      assert.equal(report.winner, 1, 'the sample is a win for the first player');
      await page.locator('.status', { hasText: 'player 1 can win' }).waitFor();
      await unfold(page);
      await page.getByRole('button', { name: 'Why?' }).click();
      await page.locator('.moves .badge.good').first().waitFor();
      assert.equal(await page.locator('.moves .badge.good').count(), best.length);
      // The person always plays the first legal move; Kibitzer, as player 1, wins.
      await page.getByLabel('Kibitzer plays').selectOption('1');
      for (let count = 1; ; count += 2) {
        await page.waitForFunction((count) => document.querySelectorAll('#panel-play .made li').length >= count, count);
        if ((await page.locator('.moves button').count()) === 0) break;
        await page.locator('.moves button').first().click();
      }
      await said(page, 'Kibitzer wins');
      await page.getByRole('button', { name: 'Restart' }).click();
    });
    await page({}, async (page) => {
      // By clicks alone, with a winning move each time it is player 1's turn.
      await open(page, name);
      const { sample } = await ask(`/api/${name}/about`);
      const moves = [];
      for (;;) {
        const position = await ask(`/api/${name}/position`, { instance: sample, moves });
        if (position.goal) break;
        const { best } = await solve(name, { instance: sample, moves });
        const move = best[0] ?? position.legal[0].text;
        for (const click of position.scene.moves.find((gesture) => gesture.text === move).clicks) await place(page, click).click();
        moves.push(move);
        await made(page, moves.length);
      }
      await said(page, 'player 1 wins');
      await page.getByRole('button', { name: 'Restart' }).click();
      await made(page, 0);
      await page.getByRole('tab', { name: 'Graph' }).click();
      await page.locator('.graph [data-name="1"]').waitFor();
      const wide = await page.locator('.graph svg').evaluate((svg) => svg.getBoundingClientRect().width);
      await page.getByRole('button', { name: 'Larger' }).click();
      assert.ok((await page.locator('.graph svg').evaluate((svg) => svg.getBoundingClientRect().width)) > wide);
      await page.locator('.graph [data-name="1"]').focus();
      await page.keyboard.press('Enter');
      await said(page, 'position that you clicked');
      await addressed(page, /position/);
    });
  }
});

test('draws: the status, an answer, labels and the table show them', () =>
  page({}, async (page) => {
    // No listed game has draws yet: the server's answers about one that has are made up.
    const [{ name }] = here.games.filter((game) => game.players === 2);
    const report = { game: name, method: 'search', verdict: 'solved', verified: true, winner: null, outcome: 'D', stats: { expanded: 3, generated: 4, peak_bytes: 5, seconds: 0.1 } };
    const { sample } = await ask(`/api/${name}/about`);
    const { legal } = await ask(`/api/${name}/position`, { instance: sample });
    const best = [legal[0].text];
    await answerWith(page, 'solve', () => ({ report, plan: [], best, explanation: null }));
    const labels = ['draw', 'lose', 'win'].map((paint, at) => ({ move: legal[at].text, text: 'DPN'[at], paint, good: at === 0 }));
    await answerWith(page, 'explain', () => ({ explanation: { text: 'A draw.', tints: [], shapes: [], labels } }));
    await open(page, name);
    await unfold(page);
    await page.locator('.status', { hasText: 'a draw under best play' }).waitFor();
    await page.getByRole('button', { name: 'Hint' }).click();
    await said(page, 'it keeps the draw');
    await page.getByRole('button', { name: 'Why?' }).click();
    await page.locator('.badge').first().waitFor();
    const colors = await page.locator('.badge').evaluateAll((badges) => badges.map((badge) => getComputedStyle(badge).backgroundColor));
    assert.equal(new Set(colors).size, 3, `draws have a color of their own: ${colors}`);
    await page.getByRole('tab', { name: 'Solve' }).click();
    await page.locator('#panel-solve').getByRole('button', { name: 'Solve' }).click();
    await page.locator('.verdict.draw', { hasText: 'A draw under best play' }).waitFor();
    await page.getByText(`Moves that keep the draw: ${best[0]}.`).waitFor();
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('.comparison td', { hasText: 'draw' }).first().waitFor();
    assert.doesNotMatch(await page.locator('main').innerText(), /null|undefined|NaN/);
  }));

test('hints, followed to the end, give an optimal solution', async () => {
  for (const { name } of here.games.filter((game) => game.players === 1)) {
    await page({}, async (page) => {
      await open(page, name);
      const { sample } = await ask(`/api/${name}/about`);
      const { plan } = await solve(name, { instance: sample });
      for (let count = 1; count <= plan.length; count++) {
        await page.getByRole('button', { name: 'Hint' }).click();
        await page.getByRole('button', { name: 'Play it' }).click();
        await made(page, count);
      }
      await said(page, 'the least possible');
    });
  }
});

test('a solution is found and shown as a film', async () => {
  for (const { name } of here.games.filter((game) => game.players === 1)) {
    await page({ reducedMotion: 'no-preference' }, async (page) => {
      await open(page, name);
      await page.getByRole('tab', { name: 'Solve' }).click();
      await page.locator('#panel-solve').getByRole('button', { name: 'Solve' }).click();
      await page.locator('.verdict.good', { hasText: 'the least possible' }).waitFor();
      await page.locator('.film').getByLabel('Speed').selectOption('8');
      const length = await page.locator('.plan li').count();
      await page.locator('.caption', { hasText: `${length} of ${length}` }).waitFor();
      await page.getByLabel('Step of the plan').fill('1');
      await page.locator('.caption', { hasText: `1 of ${length}` }).waitFor();
      await page.locator('.holder .last').first().waitFor();
      await page.getByRole('button', { name: 'Continue from here' }).click();
      await made(page, 1);
      await page.getByRole('tab', { name: 'Solve' }).click();
      assert.equal(await page.locator('.film').isVisible(), false, 'the film was about another position');
    });
  }
});

test('a board that cannot be solved is shown with its proof', () =>
  page({}, async (page) => {
    await open(page, `moles?board=${encodeURIComponent('1000\n0000\n0000\n0000')}&view=solve`);
    await page.locator('#panel-solve').getByRole('button', { name: 'Solve' }).click();
    await page.locator('.verdict.bad', { hasText: 'no solution' }).waitFor();
    assert.ok((await page.locator('.holder .tint, .holder .ring').count()) > 0);
    await page.locator('.status', { hasText: 'proved: no solution' }).waitFor();
  }));

test('"Why?" explains, and draws the explanation', async () => {
  for (const { name } of here.games) {
    await page({}, async (page) => {
      await open(page, name);
      await page.getByRole('button', { name: 'Why?' }).click();
      await page.locator('.left .message:not(:empty)').waitFor();
      const drawn = await page.locator('.holder .tint, .holder .over > *, .moves .badge').count();
      assert.ok(drawn > 0, `${name}: nothing is drawn`);
      await page.getByRole('button', { name: 'Why?' }).click();
      await page.waitForFunction(() => document.querySelectorAll('.holder .tint, .holder .over > *').length === 0);
    });
  }
});

test('a bad board is reported with line and column, and nothing is lost', () =>
  page({ allowed: /status of 422/ }, async (page) => {
    await open(page, 'pegs');
    await page.getByRole('button', { name: 'Paste…' }).click();
    await page.locator('#paste-text').fill('ab.\n.?.');
    await page.getByRole('button', { name: 'Use this board' }).click();
    await page.getByRole('alert').getByText('Line 2, column 2').waitFor();
    const selected = await page.locator('#paste-text').evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd));
    assert.equal(selected, '?');
    await page.locator('#paste-text').fill('ab.\n...');
    await page.getByRole('button', { name: 'Use this board' }).click();
    await page.locator('.status', { hasText: '0 so far, best possible 2' }).waitFor();
    assert.equal(await page.locator('dialog').count(), 0);
    await page.locator('.picker').getByRole('button', { name: 'Random…' }).click();
    await page.locator('#random-seed').fill('7');
    await page.locator('#random-pegs').fill('99');
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByRole('alert').getByText('pegs').first().waitFor();
    await page.locator('#random-pegs').fill('6');
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.holder .p-blue').length === 6);
  }));

test('a long solve reports progress, and ends when it is stopped or the page is closed', serverOnly, async () => {
  const idle = async () => {
    for (let tries = 0; (await ask('/api/status')).solving > 0; tries++) {
      assert.ok(tries < 200, 'the solve goes on');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const begin = async (page) => {
    await open(page, 'pegs?view=solve');
    await page.getByLabel('Board', { exact: true }).selectOption('instance:english-priced');
    await page.locator('#solve-method').selectOption('bfs');
    await page.locator('#panel-solve').getByRole('button', { name: 'Solve' }).click();
    await page.locator('.progress', { hasText: 'states' }).waitFor();
  };
  await page({}, async (page) => {
    await begin(page);
    await page.locator('#panel-solve').getByRole('button', { name: 'Stop' }).click();
    await page.locator('.verdict', { hasText: 'Stopped' }).waitFor();
    await page.goto(`${here.base}/#/`);
    await idle();
    await begin(page);
  });
  await idle();
});

test('boards are edited with the game\'s own brushes', async () => {
  await page({}, async (page) => {
    await open(page, 'pegs');
    const pegs = await page.locator('.holder .p-blue').count();
    await page.getByRole('button', { name: 'Edit' }).click();
    const leave = await page.getByRole('button', { name: 'Play this board' }).elementHandle();
    await place(page, '-1,0').click();
    await page.waitForFunction((count) => document.querySelectorAll('.holder .p-blue').length === count, pegs + 1);
    // A button that were replaced by the answer would lose a click that has begun.
    assert.ok(await leave.evaluate((button) => button.isConnected), 'the buttons stay');
    await page.locator('.editor').getByRole('button', { name: 'Undo' }).click();
    await page.waitForFunction((count) => document.querySelectorAll('.holder .p-blue').length === count, pegs);
    await place(page, '1,1').click();
    await page.getByRole('button', { name: 'Hole', exact: true }).click();
    await place(page, '1,1').click();
    await page.getByRole('button', { name: 'Play this board' }).click();
    await page.getByRole('button', { name: 'Hint' }).waitFor();
    assert.equal(await page.locator('.holder .p-blue').count(), pegs - 1);
    await addressed(page, /board=/);
  });
  await page({}, async (page) => {
    await open(page, `moles?board=${encodeURIComponent('graph: P3\nboard: 010')}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    // The second time it is put to any free place.
    for (let times = 0; times < 2; times++) await page.getByRole('button', { name: '+ hole' }).click();
    await place(page, '4').waitFor();
    await page.getByRole('button', { name: 'Join' }).click();
    await place(page, '3').click();
    await place(page, '4').click();
    await page.waitForFunction(() => document.querySelectorAll('.holder line').length === 3);
    await page.getByRole('button', { name: 'Play this board' }).click();
    await page.locator('.status', { hasText: /0 so far, best possible \d/ }).waitFor();
  });
});

test('everything works by keyboard alone', () =>
  page({}, async (page) => {
    await open(page);
    await tabTo(page, () => document.activeElement?.matches('.card[href="#/moles"]'));
    await page.keyboard.press('Enter');
    await page.locator('.holder svg').waitFor();
    await tabTo(page, () => document.activeElement?.hasAttribute('data-name'));
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-name')), '1');
    // Holes 6, 14 and 16 clear the sample.
    for (const key of ['ArrowDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await made(page, 1);
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await made(page, 2);
    await page.keyboard.press('u');
    await made(page, 1);
    await page.keyboard.press('r');
    await made(page, 2);
    for (const key of ['ArrowRight', 'ArrowRight', 'Space']) await page.keyboard.press(key);
    await said(page, 'the least possible');
    await tabTo(page, () => document.activeElement?.getAttribute('role') === 'tab');
    await page.keyboard.press('ArrowRight');
    await page.locator('#panel-solve').waitFor();
    await tabTo(page, () => document.activeElement?.textContent === 'Solve' && document.activeElement.getAttribute('role') !== 'tab');
    await page.keyboard.press('Enter');
    await page.locator('.verdict').waitFor();
  }));

test('no serious accessibility violation, by day and by night', async () => {
  for (const colorScheme of ['light', 'dark']) {
    await page({ colorScheme, bypassCSP: true }, async (page) => {
      await open(page);
      await checkAccess(page, 'gallery');
      for (const { name } of here.games) {
        await open(page, name);
        await page.getByRole('button', { name: 'Why?' }).click();
        await page.locator('.left .message:not(:empty)').waitFor();
        await checkAccess(page, name);
      }
      await page.getByRole('tab', { name: 'Solve' }).click();
      await page.locator('#panel-solve').getByRole('button', { name: 'Solve' }).click();
      await page.locator('.verdict').waitFor();
      await checkAccess(page, 'solve');
      await page.getByRole('tab', { name: 'Compare' }).click();
      await page.getByRole('button', { name: 'Run' }).click();
      await page.waitForFunction(() => document.querySelectorAll('.comparison tbody tr').length > 1);
      await checkAccess(page, 'compare');
      await page.getByRole('button', { name: 'Paste…' }).click();
      await checkAccess(page, 'paste');
    });
  }
});

test('a phone shows everything without scrolling sideways', () =>
  page({ viewport: { width: 390, height: 844 }, hasTouch: true }, async (page) => {
    for (const path of ['', ...here.games.map((game) => game.name), ...here.games.map((game) => `${game.name}?view=compare`)]) {
      await open(page, path);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${path} is ${wide} px wide`);
    }
    await open(page, here.games[0].name);
    const { sample } = await ask(`/api/${here.games[0].name}/about`);
    const position = await ask(`/api/${here.games[0].name}/position`, { instance: sample });
    for (const click of position.scene.moves[0].clicks) await place(page, click).tap();
    await made(page, 1);
  }));

test('the theme is the reader\'s choice', () =>
  page({}, async (page) => {
    await open(page);
    await page.locator('#theme').click();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await page.reload();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  }));

test('an unknown game and a broken address are reported', () =>
  page({ allowed: /status of 4(04|22)/ }, async (page) => {
    await page.goto(`${here.base}/#/tennis`);
    await page.getByRole('alert').getByText('no game').waitFor();
    await page.goto(`${here.base}/#/pegs?board=ab.&moves=z%20up`);
    await page.getByRole('alert').getByText('not legal').waitFor();
  }));

// SHOTS=1 npm test: the screenshots in the documentation.
test('screenshots for the documentation', { skip: !process.env.SHOTS }, async () => {
  const shot = (name, options, path, work) =>
    page(options, async (page) => {
      await open(page, path);
      await page.locator('.status', { hasText: /best possible \d|can win/ }).waitFor();
      await work?.(page);
      await page.waitForTimeout(400);
      await page.screenshot({ path: `${docs}page-${name}.png` });
    });
  await page({}, async (page) => {
    await open(page);
    await page.screenshot({ path: `${docs}page.png`, fullPage: true });
  });
  for (const { name } of here.games) {
    await shot(name, { colorScheme: name === 'moles' ? 'dark' : 'light' }, name, (page) => page.getByRole('button', { name: 'Why?' }).click());
  }
});
