// Searches painted on the board: on the page, in the standalone file and in the editor, where brushes are dragged.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { DESK, browse, click, frame, middle, run, site } from './harness.js';

const here = site();
const { page, open, solve } = here;

/** A wall with a gap at the bottom. */
const BOARD = 'S..#...\n...#...\n...#..G\n.......\n';

/** The numbers of places painted as expanded and as open, and of points on the path. */
const painted = (page) =>
  page.evaluate(() => ({
    expanded: document.querySelectorAll('svg.painted [class^=p-shade]').length,
    open: document.querySelectorAll('svg.painted [data-name].p-color3').length,
    way: (document.querySelector('svg.painted .way')?.getAttribute('points') ?? '').split(' ').filter(Boolean).length,
  }));

/** Goes to the last step and compares the painting with the report. */
async function comparesWith(page, report) {
  await page.waitForFunction(() => document.querySelector('svg.painted'));
  await page.keyboard.press('End');
  await frame(page);
  const { expanded, way } = await painted(page);
  assert.deepEqual([expanded, way], [report.stats.expanded, report.moves.length + 1]);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await frame(page);
  const second = await painted(page);
  assert.equal(second.expanded, 2);
  assert.ok(second.open > 0 && second.way === 2);
}

test('a search is painted on one board, on the page and in the file', async () => {
  const { report } = await solve('maze', { instance: BOARD, method: 'ucs' });
  await page({}, async (page) => {
    await open(page, `maze?board=${encodeURIComponent(BOARD)}&view=search`);
    await page.locator('#search-method option').first().waitFor({ state: 'attached' });
    await page.selectOption('#search-method', 'ucs');
    await click(page, 'Start');
    await page.locator('#panel-search > [role=status]', { hasText: /expanded\.$/ }).waitFor();
    await comparesWith(page, report);
    // The values of the place under the pointer.
    await page.locator('svg.painted [data-name="1,0"]:not(.unpainted)').last().hover({ force: true });
    await page.locator('.selection', { hasText: 'g 1 + h 0 = f 1' }).waitFor();
  });
  const folder = mkdtempSync(join(tmpdir(), 'kibitzer-'));
  const browser = await browse();
  try {
    const file = join(folder, 'maze.html');
    run(['trace', 'maze', BOARD.trim().replaceAll('\n', '|'), '--method', 'ucs', '--format', 'html', '-o', file]);
    const alone = await browser.newPage();
    await alone.goto(pathToFileURL(file).href);
    await alone.waitForFunction(() => document.querySelector('svg.painted'));
    await comparesWith(alone, report);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
});

test('walls are drawn and the start is moved by dragging, and the search follows', () =>
  page(DESK, async (page) => {
    await open(page, `maze?board=${encodeURIComponent(BOARD)}`);
    await click(page, 'Edit');
    const tints = () => page.locator('.holder .tint').count();
    await page.waitForFunction(() => document.querySelectorAll('.holder .tint').length > 0);
    const before = await tints();
    const drag = async (from, to) => {
      const [[x0, y0], [x1, y1]] = [await middle(page, from), await middle(page, to)];
      await page.mouse.move(x0, y0);
      await page.mouse.down();
      await page.mouse.move(x0 + 6, y0);
      await page.mouse.move(x1, y1);
      await page.mouse.up();
    };
    const label = (name) => page.locator(`.holder [data-name="${name}"]`).getAttribute('aria-label');
    await drag('0,3', '3,3');
    await page.waitForFunction(() => ['0,3', '1,3', '2,3', '3,3'].every((name) => document.querySelector(`.holder [data-name="${name}"]`)?.getAttribute('aria-label')?.startsWith('wall')));
    // The goal can no longer be reached, so exactly the 9 cells on the left are expanded.
    await page.waitForFunction(() => document.querySelectorAll('.holder .tint').length === 9);
    assert.ok(before > 9);
    await drag('0,0', '5,0');
    await page.waitForFunction(() => document.querySelector('.holder [data-name="5,0"]')?.getAttribute('aria-label')?.startsWith('you are here'));
    await page.waitForFunction(() => document.querySelectorAll('.holder .over .stroke').length === 3);
    // Each drag is undone as a whole.
    await click(page, 'Undo');
    await page.waitForFunction(() => document.querySelector('.holder [data-name="0,0"]')?.getAttribute('aria-label')?.startsWith('you are here'));
    await click(page, 'Undo');
    await page.waitForFunction(() => document.querySelector('.holder [data-name="0,3"]')?.getAttribute('aria-label')?.startsWith('floor'));
    assert.ok((await label('3,0')).startsWith('wall'));
  }));
