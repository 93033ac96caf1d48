// The workspaces of the frame: the editor, the search on a phone, the race, and the link back to a game.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, click, clickAll, made, place, said, site } from './harness.js';

const here = site();
const { page, open, solve } = here;

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
    await click(page, 'Clear');
    await page.waitForFunction(() => document.querySelectorAll('.holder .p-blue').length === 0);
    await click(page, 'Cancel');
    await page.waitForFunction((count) => document.querySelectorAll('.holder .p-blue').length === count, pegs);
    await page.getByRole('button', { name: 'Hint' }).waitFor();
    await click(page, 'Paste…');
    assert.match(await page.locator('#paste-text').evaluate((area) => getComputedStyle(area).fontFamily), /mono/i);
  }));

for (const [device, options] of Object.entries({ desk: {}, phone: PHONE })) {
  test(`the end of a move may be clicked first, and a hint is an arrow, on a ${device}`, () =>
    here.each(options, async (page, { name, scene }) => {
      const press = async (name) => (options.hasTouch ? place(page, name).tap() : place(page, name).click());
      const begins = new Set(scene.moves.map(({ clicks }) => clicks[0]));
      const move = scene.moves.find(({ clicks }) => clicks.length === 2 && clicks[0] !== clicks[1]);
      if (!move) return;
      await click(page, 'Hint');
      await page.locator('.holder .pointer polygon').first().waitFor({ state: 'attached' });
      if (begins.has(move.clicks[1])) return;
      const reverse = scene.moves.find(({ clicks }) => clicks.length === 2 && !begins.has(clicks[1]));
      await open(page, `${name}?moves=`);
      await page.locator('.left .message').waitFor({ state: 'detached' });
      await press(reverse.clicks[1]);
      await press(reverse.clicks[0]);
      await made(page, 1);
    }));
}

test('every game offers a search that expands states', () =>
  page({}, async (page) => {
    for (const { name } of here.games) {
      await open(page, `${name}?view=search`);
      await page.locator('#panel-search').getByRole('button', { name: 'Start' }).click();
      await page.waitForFunction(() => Number(document.querySelector('.transport input').max) > 1);
    }
  }));

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
    const { plan } = await here.sample('moles');
    await open(page, 'moles?view=play');
    await clickAll(page, plan);
    await page.getByRole('img', { name: '3 of 3 stars' }).waitFor();
  }));

for (const [device, options] of Object.entries({ desk: {}, phone: PHONE })) {
  test(`two methods race after a vote, and the race has a link, on a ${device}`, () =>
    page({ ...options, permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await open(page, 'chexers?view=compare&method=astar%3Arelaxed&second=bfs');
      const { sample } = await here.sample('chexers');
      const counts = [];
      for (const method of ['astar:relaxed', 'bfs']) counts.push((await solve('chexers', { instance: sample, method })).report.stats.expanded.toLocaleString('en'));
      await page.getByRole('group', { name: 'Your vote' }).getByRole('button', { name: 'astar:relaxed' }).click();
      await page.locator('.race [role=status]', { hasText: `astar:relaxed ${counts[0]} states, bfs ${counts[1]} states. You were right.` }).waitFor();
      await click(page, 'Copy link to this race');
      await said(page, 'Link copied');
      assert.match(decodeURIComponent(await page.evaluate(() => navigator.clipboard.readText())), /view=compare&method=astar:relaxed&second=bfs$/);
    }));
}
