// The workspaces of the frame: the editor, the search on a phone, words and board that agree, and the way back to a game.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, place, said, site } from './harness.js';

const here = site();
const { page, open, ask, solve } = here;

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test('the editor: a slow double click opens nothing else, Cancel changes nothing, and the paste box is monospace', () =>
  page({}, async (page) => {
    await open(page, 'pegs');
    const pegs = await page.locator('.holder .p-blue').count();
    const box = await page.getByRole('button', { name: 'Edit' }).boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.click(x, y);
    await page.getByRole('button', { name: 'Play this board' }).waitFor();
    await page.mouse.click(x, y);
    assert.equal(await page.locator('dialog').count(), 0);
    await said(page, 'Choose a brush');
    assert.ok(await page.locator('.left .message').isVisible());
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.holder .p-blue').length === 0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForFunction((count) => document.querySelectorAll('.holder .p-blue').length === count, pegs);
    await page.getByRole('button', { name: 'Hint' }).waitFor();
    await page.getByRole('button', { name: 'Paste…' }).click();
    assert.match(await page.locator('#paste-text').evaluate((area) => getComputedStyle(area).fontFamily), /mono/i);
  }));

for (const [device, options] of Object.entries({ desk: {}, phone: PHONE })) {
  test(`what ends a move may be clicked first, and a hint is an arrow, on a ${device}`, () =>
    page(options, async (page) => {
      const press = async (name) => (options.hasTouch ? place(page, name).tap() : place(page, name).click());
      for (const { name } of here.games) {
        const { sample } = await ask(`/api/${name}/about`);
        const { scene } = await ask(`/api/${name}/position`, { instance: sample });
        const begins = new Set(scene.moves.map(({ clicks }) => clicks[0]));
        const move = scene.moves.find(({ clicks }) => clicks.length === 2 && clicks[0] !== clicks[1]);
        if (!move) continue;
        await open(page, name);
        await page.getByRole('button', { name: 'Hint' }).click();
        await page.locator('.holder .pointer polygon').first().waitFor({ state: 'attached' });
        if (begins.has(move.clicks[1])) continue;
        const reverse = scene.moves.find(({ clicks }) => clicks.length === 2 && !begins.has(clicks[1]));
        await open(page, `${name}?moves=`);
        await page.getByRole('button', { name: 'Dismiss' }).first().click({ timeout: 1000 }).catch(() => {});
        await press(reverse.clicks[1]);
        await press(reverse.clicks[0]);
        await made(page, 1);
      }
    }));
}

test('a proof that there is no solution stays when its reason is asked for', () =>
  page({}, async (page) => {
    await open(page, `moles?board=${encodeURIComponent('1000\n0000\n0000\n0000')}`);
    await page.getByRole('button', { name: 'Hint' }).click();
    await said(page, 'No solution from here');
    const drawn = () => page.locator('.holder .tint, .holder .ring').count();
    const before = await drawn();
    assert.ok(before > 0);
    await page.getByRole('button', { name: 'Why?' }).click();
    assert.equal(await drawn(), before);
    await page.getByRole('button', { name: 'Why?' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.holder .tint, .holder .ring').length === 0);
  }));

test('every game offers a search that expands states', async () => {
  for (const { name } of here.games) {
    await page({}, async (page) => {
      await open(page, `${name}?view=search`);
      await page.locator('#panel-search').getByRole('button', { name: 'Start' }).click();
      await page.waitForFunction(() => Number(document.querySelector('.transport input').max) > 1);
    });
  }
});

test('on a phone the boards, the tree and the transport of a search are in view, and the open list is a swipe away', () =>
  page(PHONE, async (page) => {
    for (const query of ['method=astar:priced&step=5', 'method=astar:priced&second=bfs&step=5']) {
      await open(page, `pegs?view=search&${query}`);
      await page.locator('.transport .counter', { hasText: 'Step 5' }).waitFor();
      const inView = async (selector) => {
        for (const part of await page.locator(selector).all()) {
          const box = await part.boundingBox();
          assert.ok(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= 390.5 && box.y + box.height <= 844.5 && box.height > 20, `${query}: ${selector} ${JSON.stringify(box)}`);
        }
      };
      for (const selector of ['.shelf .figure', '.field-of-tree', '.transport', '.tabs']) await inView(selector);
      assert.equal(await page.locator('.strip').isVisible(), false, 'there is nothing to undo here');
      await page.locator('.parts').first().evaluate((parts) => parts.scrollTo(parts.scrollWidth, 0));
      await page.waitForFunction(() => document.querySelector('.waiting').getBoundingClientRect().left < 100);
      assert.equal(await page.evaluate(() => scrollY), 0);
    }
  }));

test('the start page leads to the boards of the day and back to the game that was left', () =>
  page({}, async (page) => {
    await open(page, 'moles');
    await place(page, '1').click();
    await made(page, 1);
    await page.goto(`${here.base}/#/`);
    assert.equal(await page.locator('.today ul a').count(), here.games.length);
    await page.getByRole('link', { name: /^Continue: Moles/ }).click();
    await made(page, 1);
    const { sample } = await ask('/api/moles/about');
    const { plan } = await solve('moles', { instance: sample });
    await open(page, 'moles?view=play');
    for (const move of plan) await place(page, move).click();
    await page.getByRole('img', { name: '3 of 3 stars' }).waitFor();
  }));

for (const [device, options] of Object.entries({ desk: {}, phone: PHONE })) {
  test(`two methods race after a vote, and the race has a link, on a ${device}`, () =>
    page({ ...options, permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await open(page, 'chexers?view=compare&method=astar%3Arelaxed&second=bfs');
      const { sample } = await ask('/api/chexers/about');
      const counts = [];
      for (const method of ['astar:relaxed', 'bfs']) counts.push((await solve('chexers', { instance: sample, method })).report.stats.expanded.toLocaleString('en'));
      await page.getByRole('group', { name: 'Your vote' }).getByRole('button', { name: 'astar:relaxed' }).click();
      await page.locator('.race [role=status]', { hasText: `astar:relaxed ${counts[0]} states, bfs ${counts[1]} states. You were right.` }).waitFor();
      await page.getByRole('button', { name: 'Copy link to this race' }).click();
      await said(page, 'Link copied');
      assert.match(decodeURIComponent(await page.evaluate(() => navigator.clipboard.readText())), /view=compare&method=astar:relaxed&second=bfs$/);
    }));
}
