// What the address says: boards and moves, and random boards by their seed, which are the program's own.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { addressed, made, place, program, said, site, tabTo } from './harness.js';

const here = site();
const { page, open, ask } = here;

/** The board that the program makes. */
const generated = (game, seed, options) => execFileSync(program, ['generate', game, '--seed', seed, ...options.flatMap((option) => ['--option', option])], { encoding: 'utf8' });

/** The labels of all places that are shown, which say what is on each. */
const shown = (page) => page.locator('.holder [data-name]').evaluateAll((places) => places.map((place) => place.getAttribute('aria-label')));

/** The labels of all places of a board. */
async function labels(game, instance) {
  const { scene } = await ask(`/api/${game}/position`, { instance });
  return scene.shapes.flatMap((shape) => shape.label ?? []);
}

const SEEDS = [
  ['pegs', '7', ['pegs=8']],
  ['pegs', '7', []],
  ['chexers', '12', ['pieces=2', 'color=blue']],
  ['edge', '3', ['vertices=6']],
  ['moles', '18446744073709551615', ['size=4x6']],
  ['tricolor', '5', ['vertices=9', 'black=3']],
];

test('a seed in the address gives the board that the program makes', async () => {
  assert.deepEqual(here.games.map(({ name }) => name).filter((name) => !SEEDS.some(([game]) => game === name)), [], 'a game has no seed here');
  for (const [game, seed, options] of SEEDS) {
    await page({}, async (page) => {
      const address = `${game}?${[`seed=${seed}`, ...options].join('&')}`;
      await open(page, address);
      await said(page, `random board, seed ${seed}`);
      const board = await labels(game, generated(game, seed, options));
      assert.ok(board.length > 1, game);
      assert.deepEqual((await shown(page)).sort(), board.sort(), address);
      await addressed(page, `${here.base}/#/${address}`);
      assert.equal(await page.locator('#board-choice option:checked').innerText(), `random board, seed ${seed}`);
      assert.ok((await page.locator('.left > .message code').innerText()).startsWith(`kibitzer generate ${game} --seed ${seed}`));
    });
  }
});

test('a random board has its seed in the address, with the moves, and Back and Forward lead from board to board', () =>
  page({}, async (page) => {
    await open(page, 'pegs');
    const sample = await shown(page);
    const random = async (seed, pegs) => {
      await page.getByRole('button', { name: 'Random…' }).click();
      await page.locator('#random-seed').fill(seed);
      await page.locator('#random-pegs').fill(pegs);
      await page.getByRole('button', { name: 'Generate' }).click();
      await said(page, `random board, seed ${seed}`);
    };
    await random('7', '8');
    await addressed(page, `${here.base}/#/pegs?seed=7&pegs=8`);
    const seven = await shown(page);
    await page.getByRole('button', { name: 'Hint' }).click();
    await page.getByRole('button', { name: 'Play it' }).click();
    await made(page, 1);
    const address = page.url();
    assert.match(address, /seed=7&pegs=8&moves=/);
    await random('8', '');
    await addressed(page, `${here.base}/#/pegs?seed=8`);
    const boards = async (expected) => page.waitForFunction((text) => [...document.querySelectorAll('.holder [data-name]')].map((place) => place.getAttribute('aria-label')).join() === text, expected.join());
    const eight = await shown(page);
    await page.goBack();
    await made(page, 1);
    await addressed(page, address);
    await page.getByRole('button', { name: 'Undo' }).click();
    await boards(seven);
    await page.goBack();
    await boards(sample);
    await addressed(page, `${here.base}/#/pegs`);
    await page.goForward();
    await boards(seven);
    // An open dialog is about the board that is left.
    await page.getByRole('button', { name: 'Share…' }).click();
    await page.goForward();
    await boards(eight);
    await said(page, 'random board, seed 8');
    assert.equal(await page.locator('dialog').count(), 0);
    await page.reload();
    await boards(eight);
    // Choosing a board of the list is a step, too, and a change of the board ends the seed.
    await page.getByLabel('Board', { exact: true }).selectOption('sample');
    await boards(sample);
    await page.goBack();
    await boards(eight);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Peg', exact: true }).click();
    await place(page, '0,0').click();
    await page.locator('.editor').getByRole('button', { name: 'Undo' }).and(page.locator(':enabled')).waitFor();
    await page.getByRole('button', { name: 'Play this board' }).click();
    await page.getByRole('button', { name: 'Hint' }).waitFor();
    await page.waitForURL(/board=/);
    assert.doesNotMatch(page.url(), /seed=/);
  }));

test('a random board is made by keyboard alone', () =>
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

test('a wrong address says what is wrong and how to go on', () =>
  page({ allowed: /status of 4(04|22)/ }, async (page) => {
    const cases = [
      ['pegs?seed=x', 'x is not a seed', 'whole number'],
      ['pegs?seed=-1', '-1 is not a seed', 'whole number'],
      ['pegs?seed=1.5', '1.5 is not a seed', 'whole number'],
      ['pegs?seed=18446744073709551616', 'is not a seed', '18446744073709551615'],
      ['pegs?seed=', 'seed is missing', 'whole number'],
      ['pegs?seed=7&colour=1', 'no option colour', 'rows'],
      ['pegs?seed=7&pegs=99', 'pegs cannot be 99', 'from 1 to 36'],
      ['pegs?pegs=8', 'pegs without a seed', 'seed=7'],
      ['pegs?seed=1&board=ab.', 'a board and a seed', 'Keep one'],
      ['pegs?seed=1&seed=2', 'seed twice', 'Keep one'],
      ['%', 'no game', 'pegs'],
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
    await page.getByRole('link', { name: 'Pegs with its own board' }).click();
    await page.locator('.holder svg').waitFor();
    // In the dialog, too, and the board stays.
    await page.getByRole('button', { name: 'Random…' }).click();
    await page.locator('#random-seed').fill('-3');
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByRole('alert').getByText('-3 is not a seed').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await addressed(page, `${here.base}/#/pegs`);
  }));
