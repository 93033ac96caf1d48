// The address: boards and moves, random boards by seed (the same as the program's), and the state of every workspace.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, PHONE, addressed, click, engine, made, place, pressSolve, run, said, searched, shown, site, some, tabTo } from './harness.js';

const here = site();
const { page, open, labels } = here;

/** The board that the program generates. */
const generated = (game, seed, options) => run(['generate', game, '--seed', seed, ...options.flatMap((option) => ['--option', option])]);

const SEEDS = [
  ['pegs', '7', ['pegs=8']],
  ['pegs', '7', []],
  ['chexers', '12', ['pieces=2', 'color=blue']],
  ['edge', '3', ['vertices=6']],
  ['moles', '18446744073709551615', ['size=4x6']],
  ['tricolor', '5', ['vertices=9', 'black=3']],
  ['tiles', '4', ['rows=2']],
  ['maze', '6', ['rows=5', 'columns=7']],
  ['connect', '2', ['size=4x3', 'gravity=no', 'line=3']],
  ['kayles', '2', ['vertices=6', 'rule=node']],
];

test('a seed in the address gives the same board as the program', () =>
  page({}, async (page) => {
    assert.deepEqual(here.games.map(({ name }) => name).filter((name) => !SEEDS.some(([game]) => game === name)), [], 'a game has no seed here');
    for (const [game, seed, options] of SEEDS) {
      const address = `${game}?${[`seed=${seed}`, ...options].join('&')}`;
      await open(page, address);
      await said(page, `random board, seed ${seed}`);
      const board = await labels(game, generated(game, seed, options));
      assert.ok(board.length > 1, game);
      assert.deepEqual((await shown(page)).sort(), board, address);
      await addressed(page, `${here.base}/#/${address}`);
      assert.equal(await page.locator('#board-choice option:checked').innerText(), `random board, seed ${seed}`);
      assert.ok((await page.locator('.left .message code').innerText()).startsWith(`kibitzer generate ${game} --seed ${seed}`));
    }
  }));

test('a random board has its seed in the address, with the moves, and Back and Forward lead from board to board', () =>
  page({}, async (page) => {
    await open(page, 'pegs');
    const sample = await shown(page);
    const random = async (seed, pegs) => {
      await click(page, 'Random…');
      await page.locator('#random-seed').fill(seed);
      await page.locator('#random-pegs').fill(pegs);
      await click(page, 'Generate');
      await said(page, `random board, seed ${seed}`);
    };
    await random('7', '8');
    await addressed(page, `${here.base}/#/pegs?seed=7&pegs=8`);
    const seven = await shown(page);
    await click(page, 'Hint');
    await click(page, 'Play it');
    await made(page, 1);
    await addressed(page, /seed=7&pegs=8&moves=/);
    const address = page.url();
    await random('8', '');
    await addressed(page, `${here.base}/#/pegs?seed=8`);
    const boards = async (expected) => page.waitForFunction((text) => [...document.querySelectorAll('.holder [data-name]')].map((place) => place.getAttribute('aria-label')).join() === text, expected.join());
    const eight = await shown(page);
    await page.goBack();
    await made(page, 1);
    await addressed(page, address);
    await click(page, 'Undo');
    await boards(seven);
    await page.goBack();
    await boards(sample);
    await addressed(page, `${here.base}/#/pegs`);
    await page.goForward();
    await boards(seven);
    // An open dialog refers to the previous board.
    await click(page, 'Share…');
    await page.goForward();
    await boards(eight);
    await said(page, 'random board, seed 8');
    assert.equal(await page.locator('dialog').count(), 0);
    await page.reload();
    await boards(eight);
    // Choosing a board from the list also adds a history entry, and changing the board removes the seed.
    await page.getByLabel('Board', { exact: true }).selectOption('sample');
    await boards(sample);
    await page.goBack();
    await boards(eight);
    await click(page, 'Edit');
    await page.getByRole('button', { name: 'Peg', exact: true }).click();
    await place(page, '0,0').click();
    await page.locator('.editor').getByRole('button', { name: 'Undo' }).and(page.locator(':enabled')).waitFor();
    await click(page, 'Play this board');
    await page.getByRole('button', { name: 'Hint' }).waitFor();
    await page.waitForURL(/board=/);
    assert.doesNotMatch(page.url(), /seed=/);
  }));

test('a move is in the address as soon as it is on the board, however fast moves are made', () =>
  page({}, async (page) => {
    await open(page, 'moles');
    const hash = await page.evaluate(async () => {
      for (const name of ['1', '2', '3']) document.querySelector(`.holder [data-name="${name}"]`).dispatchEvent(new MouseEvent('click', { bubbles: true }));
      while (document.querySelectorAll('#panel-play .made li').length < 3) await new Promise(requestAnimationFrame);
      return decodeURIComponent(location.hash);
    });
    assert.equal(hash, '#/moles?moves=1\n2\n3');
  }));

test('a random board can be generated by keyboard alone', () =>
  page({}, async (page) => {
    await open(page, 'moles');
    await tabTo(page, () => document.activeElement?.textContent === 'Random…');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'random-seed');
    await page.keyboard.type('7');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'random-size');
    await page.keyboard.type('3x3');
    await page.keyboard.press('Enter');
    await said(page, 'random board, seed 7 (size 3x3)');
    await addressed(page, `${here.base}/#/moles?seed=7&size=3x3`);
    assert.equal((await shown(page)).length, 9);
  }));

test('a wrong address is reported with a remedy', () =>
  page({ allowed: /status of 4(04|22)/ }, async (page) => {
    const cases = [
      ['pegs?seed=x', 'x is not a seed', 'whole number'],
      ['pegs?seed=-1', '-1 is not a seed', 'whole number'],
      ['pegs?seed=1.5', '1.5 is not a seed', 'whole number'],
      ['pegs?seed=18446744073709551616', 'is not a seed', '18446744073709551615'],
      ['pegs?seed=', 'seed is missing', 'whole number'],
      ['pegs?seed=7&colour=1', 'Unknown option colour', 'rows'],
      ['pegs?seed=7&pegs=99', 'pegs cannot be 99', 'from 1 to 36'],
      ['pegs?pegs=8', 'pegs without a seed', 'seed=7'],
      ['pegs?seed=1&board=ab.', 'a board and a seed', 'Keep one'],
      ['pegs?seed=1&seed=2', 'seed twice', 'Keep one'],
      ['%', 'Unknown game', 'pegs'],
      ['tennis', 'Unknown game', 'pegs'],
      ['pegs?board=ab.&moves=z%20up', 'not legal', ''],
      ['pegs?level=foo', 'Unknown level foo', 'easy, medium, hard, expert'],
      ['pegs?level=simple&seed=1', 'Unknown level simple', 'easy, medium, hard, expert'],
      ['pegs?level=easy&seed=x', 'x is not a seed', 'whole number'],
      ['pegs?level=easy&seed=1&pegs=8', 'pegs and a level', 'remove one of them'],
      ['pegs?level=easy&seed=1&board=ab.', 'a board and a level', 'Keep one'],
      ['pegs?daily=2026-02-30', '2026-02-30 is not a date', '2026-11-16'],
      ['pegs?daily=2026-11-16&seed=1', 'a date and a seed', 'Remove one of them'],
      ['pegs?daily=2026-11-16&level=easy&seed=1', 'a date and a level', 'Remove one of them'],
    ];
    for (const [address, message, help] of cases) {
      await page.goto(`${here.base}/#/${address}`);
      const alert = page.getByRole('alert');
      await alert.getByText(message).waitFor();
      const text = await alert.innerText();
      assert.ok(text.includes(help), `${address}: ${text}`);
    }
    await page.goto(`${here.base}/#/pegs?seed=x`);
    await page.getByRole('alert').getByText('x is not a seed').waitFor();
    await page.getByRole('link', { name: 'Open Pegs with its first board' }).click();
    await page.locator('.holder svg').waitFor();
    // The dialog also reports an invalid seed, and the board stays.
    await click(page, 'Random…');
    await page.locator('#random-seed').fill('-3');
    await click(page, 'Generate');
    await page.getByRole('alert').getByText('-3 is not a seed').waitFor();
    await click(page, 'Cancel');
    await addressed(page, `${here.base}/#/pegs`);
  }));

const counter = (page) => page.locator('.stage .transport .counter');

for (const [device, options] of some(Object.entries({ desktop: DESK, phone: PHONE }), 1)) {
  test(`methods, step and projector of a search are in the address, and reload and Back return to them, on a ${device}`, () =>
    page(options, async (page) => {
      await open(page, 'pegs?view=search');
      await page.selectOption('#search-method', 'astar:priced');
      await page.selectOption('#search-second', 'bfs');
      await page.locator('#panel-search').getByRole('button', { name: 'Start' }).click();
      await searched(page);
      await page.locator('.stage .transport input').fill('7');
      await addressed(page, /view=search&method=astar:priced&second=bfs&step=7$/);
      const all = await counter(page).innerText();
      await page.reload();
      await counter(page).getByText(all, { exact: true }).waitFor();
      assert.equal(await page.locator('.viewer').count(), 2);
      await page.getByRole('link', { name: 'Moles' }).click();
      await page.locator('.game h1', { hasText: 'Moles' }).waitFor();
      await page.goBack();
      await counter(page).getByText(all, { exact: true }).waitFor();
      await page.locator('.stage .transport .play').focus();
      await page.keyboard.press('p');
      await page.locator('dialog.projector[open]').waitFor();
      await addressed(page, /step=7&projector=1$/);
      await page.reload();
      await page.locator('dialog.projector[open] .board-of-step svg').first().waitFor();
      await page.keyboard.press('p');
      await page.locator('dialog.projector').waitFor({ state: 'detached' });
      await addressed(page, /step=7$/);
    }));
}

test('an answer, an earlier position, a comparison and a part of the graph are in the address', () =>
  page({}, async (page) => {
    await open(page, 'pegs?view=solve');
    await pressSolve(page);
    await page.locator('.film').waitFor();
    await page.getByLabel('Plan step').fill('2');
    await addressed(page, /view=solve&method=astar:priced&step=2$/);
    await page.reload();
    await page.locator('.caption', { hasText: '2 of' }).waitFor();
    // An earlier position in the review.
    await open(page, `pegs?moves=${encodeURIComponent('x up\nx right')}`);
    await page.locator('.review .made button').nth(1).click();
    await addressed(page, /look=2$/);
    await page.reload();
    await page.locator('.left .message', { hasText: 'Position after move 2' }).waitFor();
    await click(page, 'Back to my game');
    await addressed(page, /moves=x.up\nx.right$/);
    // A comparison runs again.
    await open(page, 'pegs?view=compare');
    for (const box of await page.locator('.methods input').all()) await box.setChecked(['bfs', 'ucs'].includes(await box.inputValue()));
    await page.locator('#panel-compare').getByRole('button', { name: 'Run' }).click();
    await addressed(page, /methods=bfs,ucs&seconds=5$/);
    await page.reload();
    await page.locator('#panel-compare [role=status]', { hasText: '2 methods compared' }).waitFor();
    // A part of the graph.
    const { name } = here.games.find(({ players }) => players === 2);
    await open(page, `${name}?view=graph`);
    await page.locator('.graph [data-name="1"]').waitFor();
    for (let times = 0; times < 3; times++) await click(page, 'Larger');
    await page.locator('.graph').evaluate((graph) => graph.scrollTo(60, 90));
    await page.waitForFunction(() => /zoom=[\d.]+%2C[1-9]\d*%2C[1-9]/.test(location.hash));
    const zoom = await page.evaluate(() => new URLSearchParams(location.hash.split('?')[1]).get('zoom'));
    await page.reload();
    await page.locator('.graph [data-name="1"]').waitFor();
    await page.waitForFunction((zoom) => new URLSearchParams(location.hash.split('?')[1]).get('zoom') === zoom && document.querySelector('.graph').scrollTop > 0, zoom);
  }));

test('the link to a step is copied, and a share has a QR code and an embed snippet', () =>
  page({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
    await open(page, 'pegs?view=search&method=bfs&step=3');
    await page.getByText(/^Step 3 of/).first().waitFor();
    // The keys work before anything has the focus.
    await page.keyboard.press('ArrowRight');
    await page.getByText(/^Step 4 of/).first().waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByText(/^Step 3 of/).first().waitFor();
    await page.getByRole('button', { name: 'Copy link to this step' }).first().click();
    await said(page, 'It opens this step');
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /view=search&method=bfs&step=3$/);
    await click(page, 'Share…');
    const link = await page.locator('#share-link').inputValue();
    assert.match(link, /view=search&method=bfs&step=3$/);
    await page.getByText('QR code', { exact: true }).click();
    await page.getByRole('img', { name: 'QR code for the link' }).waitFor();
    await page.getByText('Embed in a page').click();
    // The server allows no frames unless it is started with `--embed`.
    const warning = page.locator('dialog code', { hasText: 'kibitzer serve --embed' });
    if (engine === 'server') await warning.waitFor();
    else assert.ok(!(await warning.isVisible()));
    assert.ok((await page.locator('#share-embed').inputValue()).includes(`src="${link.replaceAll('&', '&amp;')}"`));
    await page.locator('#share-what').selectOption('board');
    assert.doesNotMatch(await page.locator('#share-link').inputValue(), /step=/);
  }));
