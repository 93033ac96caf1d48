// The frame never shifts: whatever is clicked or shown, the tabs and the board stay in place, the page does not scroll, and there is
// no layout shift, not even right after a click (docs/page-budget.md). On a desktop, the board, the main button and the status are
// always in view.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, assessed, bestMove, click, clickAll, frame, longOnly, longest, made, nodes, searched, site, some, tab } from './harness.js';

const here = site();
const { page, open } = here;

const SIZES = [[390, 844], [1280, 800], [844, 390], [1600, 1000], [1920, 1080], [2560, 1440]];
/** All sizes in both themes; a short run uses a phone and a desktop. */
const SIGHTS = [0, 1].flatMap((turn) => SIZES.map(([width, height], at) => ({ width, height, colorScheme: ['light', 'dark'][(at + turn) % 2] })));

/** Records all layout shifts. */
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

/** The boxes of the tabs and the board, and the scroll offsets of the frame. */
const stands = (page) =>
  page.evaluate(() => {
    const corner = (element) => {
      const { left, top } = element.getBoundingClientRect();
      return [left, top];
    };
    const tabs = [...document.querySelectorAll('.tabs [role=tab]')].map(corner);
    return { tabs, bar: corner(document.querySelector('.tabs')), holder: corner(document.querySelector('.holder')), board: corner(document.querySelector('.holder svg')), scroll: [scrollX, scrollY, document.querySelector('main').scrollTop, document.querySelector('.game').scrollTop] };
  });

/** Uses every part of one game, and calls `check` after each step with the parts that must be in view. */
async function goThrough(page, game, check) {
  const turn = async (label, ...parts) => {
    await tab(page, label);
    await check(`tab ${label}`, ...parts);
  };
  await clickAll(page, bestMove(game).clicks);
  await made(page, 1);
  await check('a move', '.strip button.primary', '.status');
  await click(page, 'Undo');
  await made(page, 0);
  await click(page, 'Hint');
  await page.locator('.left .message', { hasText: /Hint|loses|No / }).waitFor();
  await check('a hint', '.strip button', '.status');
  await click(page, 'Why?');
  await page.locator('.left .message.explanation').waitFor();
  await check('a reason', '.strip button', '.status');
  await turn('Solve', '#panel-solve .go');
  await page.locator('#panel-solve .go').click();
  await page.locator('.verdict').waitFor();
  await check('an answer', '#panel-solve .go', '.verdict');
  await turn('Search', '#panel-search .go');
  await page.selectOption('#search-nodes', String(nodes));
  await click(page, 'Start');
  await searched(page);
  await page.keyboard.press('End');
  await frame(page);
  await check('a search', '#panel-search .go', '#panel-search > [role=status]');
  await turn('Compare', '#panel-compare .go');
  await click(page, 'Run');
  await page.locator('.comparison tbody tr').first().waitFor();
  await check('a comparison', '#panel-compare .go', '#panel-compare [role=status]');
  if (await page.getByRole('tab', { name: 'Graph' }).count()) {
    await turn('Graph');
    await page.locator('.graph [data-name="1"]').waitFor();
    await check('a graph');
  }
  await turn('Play');
  await page.evaluate(() => document.querySelector('.left .message .close')?.click());
}

for (const { width, height, colorScheme } of some(SIGHTS, 2)) {
  test(`the frame does not shift at ${width} x ${height}, ${colorScheme}`, { timeout: 300_000 }, () => {
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
        // A separate load, so that shifts are observed from the first paint.
        await page.goto('about:blank');
        await open(page, name);
        await assessed(page);
        const before = await stands(page);
        assert.deepEqual(before.scroll, [0, 0, 0, 0]);
        await goThrough(page, await here.sample(name), async (what, ...parts) => {
          assert.deepEqual(await stands(page), before, `${name}: ${what}`);
          // On a phone some parts are in the scrolling area, so only larger screens are checked.
          for (const part of isSmall ? [] : ['.holder', ...parts]) {
            const box = await page.locator(part).first().boundingBox();
            assert.ok(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, `${name}, ${what}: ${part} ${JSON.stringify(box)}`);
          }
        });
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

test('the board grows with the window', () =>
  here.each({}, async (page, { name }) => {
    const widths = [];
    for (const [width, height] of [[1280, 800], [1920, 1080], [2560, 1440]]) {
      await page.setViewportSize({ width, height });
      widths.push(await page.locator('.holder').evaluate((holder) => holder.getBoundingClientRect().width));
    }
    assert.ok(widths[0] > 500 && widths[1] > 1.4 * widths[0] && widths[2] > 1.3 * widths[1], `${name}: ${widths}`);
  }));

test('five taps on a board with many messages do not move it', longOnly, () =>
  here.each(PHONE, async (page, { name }) => {
    const before = await stands(page);
    for (let taps = 0; taps < 5; taps++) {
      await page.locator('.holder .place').nth(taps).tap();
      assert.deepEqual(await stands(page), before, name);
    }
  }));
