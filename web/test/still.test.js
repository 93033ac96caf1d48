// The frame stands still: whatever is clicked or shown, the tabs and the board stay where they are, the page does not scroll, and
// nothing shifts, not even right after a click (docs/page-budget.md).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, assessed, bestMove, click, clickAll, frame, longOnly, longest, made, nodes, searched, site, some, tab } from './harness.js';

const here = site();
const { page, open } = here;

const SIZES = [[390, 844], [1280, 800], [844, 390], [1920, 1080], [2560, 1440]];
/** All sizes in both themes; a short run takes a phone and a desk. */
const SIGHTS = [0, 1].flatMap((turn) => SIZES.map(([width, height], at) => ({ width, height, colorScheme: ['light', 'dark'][(at + turn) % 2] })));

/** Notes everything that shifts. */
const observe = () => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    const told = ({ node, previousRect: from, currentRect: to }) => {
      const element = node instanceof Element ? node : node?.parentElement;
      return `${element?.tagName}.${element?.className} ${node?.textContent?.slice(0, 20)} from ${from.x},${from.y} ${from.width}x${from.height} to ${to.x},${to.y} ${to.width}x${to.height}`;
    };
    for (const { value, sources } of list.getEntries()) window.shifts.push(...sources.map(told), value);
  }).observe({ type: 'layout-shift', buffered: true });
};

/** Where the tabs and the board are, and how far anything of the frame has scrolled. */
const stands = (page) =>
  page.evaluate(() => {
    const corner = (element) => {
      const { left, top } = element.getBoundingClientRect();
      return [left, top];
    };
    const tabs = [...document.querySelectorAll('.tabs [role=tab]')].map(corner);
    return { tabs, bar: corner(document.querySelector('.tabs')), holder: corner(document.querySelector('.holder')), board: corner(document.querySelector('.holder svg')), scroll: [scrollX, scrollY, document.querySelector('main').scrollTop, document.querySelector('.game').scrollTop] };
  });

/** Goes through everything in one game, and calls `check` after each step. */
async function goThrough(page, game, check) {
  const turn = async (label) => {
    await tab(page, label);
    await check(`tab ${label}`);
  };
  await clickAll(page, bestMove(game).clicks);
  await made(page, 1);
  await check('a move');
  await click(page, 'Undo');
  await made(page, 0);
  await click(page, 'Hint');
  await page.locator('.left .message', { hasText: /Hint|loses|No / }).waitFor();
  await check('a hint');
  await click(page, 'Why?');
  await page.locator('.left .message.explanation').waitFor();
  await check('a reason');
  await turn('Solve');
  await page.locator('#panel-solve button.primary').first().click();
  await page.locator('.verdict').waitFor();
  await check('an answer');
  await turn('Search');
  await page.selectOption('#search-nodes', String(nodes));
  await click(page, 'Start');
  await searched(page);
  await page.keyboard.press('End');
  await frame(page);
  await check('a search');
  await turn('Compare');
  await click(page, 'Run');
  await page.locator('.comparison tbody tr').first().waitFor();
  await check('a comparison');
  if (await page.getByRole('tab', { name: 'Graph' }).count()) {
    await turn('Graph');
    await page.locator('.graph [data-name="1"]').waitFor();
    await check('a graph');
  }
  await turn('Play');
  await page.evaluate(() => document.querySelector('.left .message .close')?.click());
}

for (const { width, height, colorScheme } of some(SIGHTS, 2)) {
  test(`the frame stands still at ${width} x ${height}, ${colorScheme}`, { timeout: 300_000 }, () => {
    const isSmall = Math.min(width, height) < 600;
    return page({ viewport: { width, height }, colorScheme, hasTouch: isSmall, isMobile: isSmall, reducedMotion: 'no-preference' }, async (page) => {
      await page.addInitScript(observe);
      const steady = async (what) => {
        await frame(page);
        assert.deepEqual(await page.evaluate(() => window.shifts), [], what);
      };
      await open(page);
      await steady('gallery');
      for (const { name } of here.games) {
        // A load of its own, so that it is observed from the first paint.
        await page.goto('about:blank');
        await open(page, name);
        await assessed(page);
        const before = await stands(page);
        assert.deepEqual(before.scroll, [0, 0, 0, 0]);
        await goThrough(page, await here.sample(name), async (what) => assert.deepEqual(await stands(page), before, `${name}: ${what}`));
        await steady(name);
      }
    });
  });
}

test('the longest task of each game is printed', longOnly, () =>
  here.each({ reducedMotion: 'no-preference' }, async (page, game) => {
    const time = await longest(page, async () => {
      await page.reload();
      await assessed(page);
      await goThrough(page, game, async () => {});
    });
    console.log(`# ${game.name}: longest task ${time} ms`);
  }));

test('board, main button and status are in view before and after the main action of each tab', () =>
  here.each({}, async (page, { name }) => {
    const inView = async (selector, what) => {
      const box = await page.locator(selector).first().boundingBox();
      assert.ok(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= 1280 && box.y + box.height <= 800, `${name}, ${what}: ${selector} ${JSON.stringify(box)}`);
    };
    const search = '#panel-search > [role=status]';
    const compare = '#panel-compare [role=status]';
    const action = {
      play: ['.strip button.primary', '.status', page.locator('.left .message').first()],
      solve: ['#panel-solve button.primary', '.verdict', page.locator('.verdict')],
      search: ['#panel-search button.go', search, page.locator(search, { hasText: /(expanded|decided)\.$/ })],
      compare: ['#panel-compare button.primary', compare, page.locator(compare, { hasText: /compared/ })],
    };
    await page.locator('#search-nodes').evaluate((list, nodes) => (list.value = nodes), String(nodes));
    for (const [tab, [button, status, done]] of Object.entries(action)) {
      await page.locator(`#tab-${tab}`).click();
      await inView('.holder', tab);
      await inView(button, tab);
      await page.locator(button).first().click();
      await done.waitFor();
      await inView('.holder', `${tab}, after`);
      await inView(button.replace('.primary', '.go').replace('.strip button.go', '.strip button'), `${tab}, after`);
      await inView(status, `${tab}, after`);
    }
  }));

test('the board grows with the window', () =>
  here.each({}, async (page, { name }) => {
    const widths = [];
    for (const [width, height] of [[1280, 800], [1920, 1080], [2560, 1440]]) {
      await page.setViewportSize({ width, height });
      widths.push(await page.locator('.holder').evaluate((holder) => holder.getBoundingClientRect().width));
    }
    assert.ok(widths[0] > 500 && widths[1] > 1.4 * widths[0] && widths[2] > 1.3 * widths[1], `${name}: ${widths}`);
  }));

test('five taps on a board with many messages leave it where it is', longOnly, () =>
  here.each(PHONE, async (page, { name }) => {
    const before = await stands(page);
    for (let taps = 0; taps < 5; taps++) {
      await page.locator('.holder .place').nth(taps).tap();
      assert.deepEqual(await stands(page), before, name);
    }
  }));
