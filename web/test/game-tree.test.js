// The Search tab for methods that search the tree of a two-player game: it agrees with `trace` and `solve`, by mouse, keyboard and touch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, PHONE, addressed, checkAccess, click, compared, frame, run, searched, site, tabTo } from './harness.js';

const here = site();
const { page, open, solve } = here;

/** A board whose game tree has some hundred positions. */
const BOARD = 'graph: P4\ncolors: 2';
const GAME = `edge?board=${encodeURIComponent(BOARD)}`;

const panel = (page) => page.locator('#panel-search');
const words = (page, at = 0) => page.locator('.step-words').nth(at).innerText();
const counters = (page, at = 0) => page.locator('.counters').nth(at).evaluate((list) => Object.fromEntries([...list.querySelectorAll('dt')].map((dt) => [dt.textContent, dt.nextElementSibling.textContent])));
const plain = (text) => Number(text.replaceAll(',', ''));
const rows = (page, at = 0) => page.locator('.waiting tbody').nth(at).evaluate((body) => [...body.rows].map((row) => [...row.cells].map((cell) => cell.textContent)));

/** The report of a method, and the lines of its trace. */
function traced(method, order) {
  const [, ...lines] = run(['trace', 'edge', BOARD, '--method', method, '--order', order]).trim().split('\n').map((line) => JSON.parse(line));
  const { stats, outcome } = lines.pop().report;
  return { stats, outcome, lines };
}

/** Chooses a method and an order, and starts. */
async function search(page, method, order) {
  await page.locator('#search-method option').first().waitFor({ state: 'attached' });
  await page.selectOption('#search-method', method);
  if (order) await page.selectOption('#search-order', order);
  await click(page, 'Start');
  await searched(page);
  await frame(page);
}

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await frame(page);
}

/** Presses until the words match. */
async function until(page, act, pattern) {
  for (let steps = 0; steps < 200; steps++) {
    if (pattern.test(await words(page))) return;
    await act();
    await frame(page);
  }
  assert.fail(`no step says ${pattern}`);
}

/** What has been seen at a step. */
const seen = async (page) => [await words(page), await counters(page), await rows(page)];

test('every method ends with the counts and the outcome of solve', () =>
  page({}, async (page) => {
    await open(page, `${GAME}&view=search`);
    for (const [method, order] of [['minimax', 'none'], ['alphabeta', 'none'], ['alphabeta', 'history'], ['alphabeta-table', 'game'], ['scout', 'none'], ['pns', 'none'], ['dfpn', 'game']]) {
      const { stats, outcome, lines } = traced(method, order);
      await search(page, method, order);
      await press(page, 'End');
      const { visited, generated, cutoffs, result } = await counters(page);
      assert.deepEqual([plain(visited), plain(generated), result[0]], [stats.expanded, stats.generated, outcome], `${method} ${order}`);
      assert.equal(lines.length, stats.expanded);
      if (cutoffs !== undefined) assert.equal(plain(cutoffs), stats.cutoffs, `${method} ${order}`);
      assert.equal(cutoffs === undefined, !/alphabeta|scout/.test(method));
    }
  }));

test('positions are entered with a window and left with a value, and a cutoff is explained: by mouse and by keyboard', () =>
  page(DESK, async (page) => {
    const { lines } = traced('alphabeta', 'none');
    await open(page, `${GAME}&view=search`);
    const order = page.getByRole('combobox', { name: 'Order of moves', exact: true });
    await page.locator('#search-method option').first().waitFor({ state: 'attached' });
    const start = panel(page).getByRole('button', { name: 'Start' });
    await page.selectOption('#search-method', 'auto');
    const box = await start.boundingBox();
    assert.equal(await order.isVisible(), false, 'auto takes no order');
    await page.selectOption('#search-method', 'pns');
    assert.deepEqual(await start.boundingBox(), box, 'nothing moves');
    assert.deepEqual(await order.locator('option').allInnerTexts(), ['order game', 'order none']);
    await search(page, 'alphabeta', 'none');
    // By mouse: the start is entered first, then the first move.
    await click(page, 'Next step');
    await frame(page);
    assert.equal(await words(page), 'Step 1: enters the start, window (−∞, ∞).');
    await click(page, 'Next step');
    await frame(page);
    const [first] = lines.filter(({ depth }) => depth === 1);
    assert.equal(await words(page), `Step 2: enters the position after ${first.move}, window (−∞, ∞).`);
    assert.deepEqual((await rows(page)).map(([move]) => move), [first.move, 'start']);
    await page.locator('.shelf .board-of-step svg').waitFor();
    // By keyboard: all positions that are entered and left, in the order of the trace.
    const left = [];
    await press(page, 'Home');
    const all = Number(await page.locator('.stage .transport input').getAttribute('max'));
    for (let step = 1; step <= all; step++) {
      await press(page, 'ArrowRight');
      const now = await words(page);
      if (/ enters /.test(now)) continue;
      const line = lines[left.length];
      left.push(now);
      const { cutoff, children, value } = line;
      if (cutoff) assert.match(now, new RegExp(`Cut off: the opponent has a (win|draw|loss) elsewhere, and at most a (win|draw|loss) here; ${children.filter(({ fate }) => fate === 'pruned').length} moves? pruned\\.$`));
      else if (children.length > 0) assert.match(now, new RegExp(` backs up (at (least|most) )?a ${value}; `));
      else assert.match(now, / the game is over in /);
      // Below the positions in progress.
      const [top, below] = (await rows(page)).slice(line.depth);
      assert.deepEqual(top.slice(0, 2), [line.move ?? 'start', String(line.depth)]);
      assert.ok(top[2].endsWith(value), `step ${step}: ${top}`);
      assert.equal(below?.[2] === 'pruned', cutoff, `step ${step}: ${below}`);
    }
    assert.equal(left.length, lines.length);
    assert.ok(left.some((now) => now.includes('Cut off')), 'the board has a cutoff');
    // A step shows the same, whether it is reached by stepping back or by jumping to the end first.
    await press(page, 'ArrowLeft', 'ArrowLeft', 'ArrowLeft');
    const before = await seen(page);
    await press(page, 'Home', 'End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft');
    assert.deepEqual(await seen(page), before);
    // In the tree a pruned move is a sibling of those tried.
    const cut = left.length - 1 - [...left].reverse().findIndex((now) => now.includes('Cut off'));
    await page.locator('.stage .transport input').fill(/^Step ([\d,]+)/.exec(left[cut])[1].replace(',', ''));
    await frame(page);
    await page.getByRole('application', { name: /Search tree/ }).focus();
    await press(page, 'ArrowUp', 'ArrowDown', ...Array(lines[cut].children.length).fill('ArrowRight'));
    assert.match(await page.locator('.selection').innerText(), / · pruned$/);
    // A row of the table leads to its node.
    await press(page, 'Escape');
    await page.getByRole('region', { name: /List of states/ }).focus();
    await press(page, 'ArrowDown');
    assert.match(await page.locator('.selection').innerText(), /^Selected: /);
  }));

test('the same by touch on a phone', () =>
  page(PHONE, async (page) => {
    await open(page, `${GAME}&view=search`);
    await page.locator('#search-method option').first().waitFor({ state: 'attached' });
    await page.selectOption('#search-method', 'alphabeta');
    await page.selectOption('#search-order', 'none');
    await panel(page).getByRole('button', { name: 'Start' }).tap();
    await searched(page);
    const next = page.getByRole('button', { name: 'Next step' });
    const tap = () => next.tap();
    await page.locator('.stage .transport input').fill('0');
    await tap();
    await frame(page);
    assert.equal(await words(page), 'Step 1: enters the start, window (−∞, ∞).');
    const box = await next.boundingBox();
    await until(page, tap, /Cut off: the opponent has /);
    assert.deepEqual(await next.boundingBox(), box, 'nothing moves');
    const now = await seen(page);
    await page.getByRole('button', { name: 'Previous step' }).tap();
    await frame(page);
    assert.notDeepEqual(await seen(page), now);
    await tap();
    await frame(page);
    assert.deepEqual(await seen(page), now);
    // A swipe leads to the table; a row can be tapped.
    await page.locator('.waiting').scrollIntoViewIfNeeded();
    await page.locator('.waiting tbody tr').nth(1).tap();
    await page.locator('.selection', { hasText: 'Selected: ' }).waitFor();
  }));

test('one method with two orders runs in lockstep, and the address has both', () =>
  page(DESK, async (page) => {
    const [without, ordered] = [traced('alphabeta', 'none'), traced('alphabeta', 'game')];
    await open(page, `${GAME}&view=search`);
    await page.locator('#search-method option').first().waitFor({ state: 'attached' });
    await page.selectOption('#search-second', 'alphabeta');
    await page.selectOption('#search-second-order', 'game');
    await search(page, 'alphabeta', 'none');
    await panel(page).getByText(`alphabeta, order none: ${without.lines.length} visited; alphabeta, order game: ${ordered.lines.length} visited.`).waitFor();
    const visited = async () => [plain((await counters(page, 0)).visited), plain((await counters(page, 1)).visited)];
    await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight');
    assert.deepEqual(await visited(), [3, 3]);
    await press(page, 'End');
    assert.deepEqual(await visited(), [without.lines.length, ordered.lines.length]);
    await page.getByRole('heading', { name: /^alphabeta, order none finished/ }).waitFor();
    await page.locator('.stage .transport input').fill('7');
    await addressed(page, /method=alphabeta&order=none&second=alphabeta&step=7$/);
    await page.goto(page.url().replace('second=alphabeta', 'second=scout&second_order=history'));
    await page.reload();
    await searched(page);
    await page.getByRole('heading', { name: 'scout, order history' }).waitFor();
    await page.getByRole('heading', { name: 'alphabeta, order none' }).waitFor();
    await addressed(page, /method=alphabeta&order=none&second=scout&second_order=history&step=7$/);
    assert.deepEqual([await page.locator('#search-order').inputValue(), await page.locator('#search-second-order').inputValue()], ['none', 'history']);
  }));

test('proof numbers are backed up to the start', () =>
  page({}, async (page) => {
    for (const method of ['pns', 'dfpn']) {
      const { lines, outcome } = traced(method, 'none');
      await open(page, `${GAME}&view=search`);
      await search(page, method, 'none');
      await page.getByText('Can the player to move at the start win?').waitFor();
      await press(page, 'Home', 'ArrowRight');
      const start = lines.find(({ parent }) => parent === null);
      if (method === 'pns') assert.equal(await words(page), `Step 1: visits the start: proof number ${start.proof}, disproof number ${start.disproof}; ${start.children.length} moves.`);
      await press(page, 'End');
      const { proof, disproof } = await counters(page);
      assert.deepEqual([proof, disproof], outcome === 'N' ? ['0', '∞'] : ['∞', '0'], method);
      assert.equal((await rows(page))[0].length, 4);
    }
  }));

test('of a large tree, the path and its moves are shown, also to a selected position; a limit is named', () =>
  page(DESK, async (page) => {
    await open(page, 'edge?view=search');
    await page.locator('#search-nodes').selectOption('2000');
    await search(page, 'minimax', 'none');
    await press(page, 'End');
    assert.match(await words(page), /^Step [\d,]+: a limit was reached in the start\.$/);
    assert.equal((await counters(page)).visited, '2,000');
    await page.getByText(/^The path and its moves, of [\d,]+ nodes\./).waitFor();
    await page.getByRole('application', { name: /Search tree/ }).focus();
    await press(page, 'ArrowUp', 'ArrowDown');
    assert.match(await page.locator('.selection').innerText(), /^Selected: after [^,]+ · /);
    await press(page, 'ArrowDown', 'ArrowDown');
    assert.match(await page.locator('.selection').innerText(), /^Selected: after [^,]+, [^,]+, [^,]+ · /);
    // The selected position can be visited.
    await press(page, 'Enter');
    assert.match(await words(page), / (backs up|the game is over in) /);
  }));

test('the table and the drawings are accessible, light and dark', () =>
  page({ ...DESK, bypassCSP: true, colorScheme: 'dark' }, async (page) => {
    await open(page, `${GAME}&view=search&method=alphabeta&order=none&second=pns&step=9`);
    await searched(page);
    await checkAccess(page, 'a game tree, dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await checkAccess(page, 'a game tree, light');
    await page.locator('#tab-search').focus();
    await tabTo(page, () => document.activeElement?.id === 'search-order');
    await tabTo(page, () => document.activeElement?.id === 'search-second-order');
  }));

test('the methods are compared with their cutoffs and tables', () =>
  page({}, async (page) => {
    await open(page, `${GAME}&view=compare`);
    const methods = ['minimax', 'alphabeta', 'alphabeta-table', 'dfpn'];
    for (const box of await page.locator('.methods input').all()) await box.setChecked(methods.includes(await box.inputValue()));
    await page.locator('#panel-compare').getByRole('button', { name: 'Run' }).click();
    await compared(page);
    const titles = await page.locator('.comparison thead th').allInnerTexts();
    for (const title of ['outcome', 'length', 'generated', 'cutoffs', 'table']) assert.ok(titles.includes(title), `${title}: ${titles}`);
    for (const [at, method] of methods.entries()) {
      const { report } = await solve('edge', { instance: BOARD, method });
      const cells = await page.locator('.comparison tbody tr').nth(at).locator('th, td').evaluateAll((cells) => cells.map((cell) => cell.firstChild?.textContent ?? ''));
      const cell = (title) => cells[titles.indexOf(title)];
      const text = (count) => (count === undefined ? '' : count.toLocaleString('en'));
      assert.deepEqual(['length', 'generated', 'cutoffs', 'table'].map(cell), [report.length, report.stats.generated, report.stats.cutoffs, report.stats.table].map(text), method);
    }
  }));
