// The workspaces of the frame: the rules in pictures, the editor, the search on a phone, the race, and the link back to a game.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, PHONE, answerWith, click, clickAll, made, place, said, site, some } from './harness.js';

const here = site();
const { page, open, ask, solve } = here;

test('the editor: a slow double click opens nothing else, Cancel discards changes, and the paste box is monospace', () =>
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

for (const [device, options] of some(Object.entries({ phone: PHONE, desktop: {} }), 1)) {
  test(`the last place of a move may be clicked first, and a hint is an arrow, on a ${device}`, () =>
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

test('on a phone the boards, the tree and the playback controls of a search are in view, and a swipe shows the open list', () =>
  page(PHONE, async (page) => {
    for (const query of ['method=astar:priced&step=5', 'method=astar:priced&second=bfs&step=5']) {
      await open(page, `pegs?view=search&${query}`);
      await page.locator('.stage .transport .counter', { hasText: 'Step 5' }).waitFor();
      const inView = async (selector) => {
        for (const part of await page.locator(selector).all()) {
          const box = await part.boundingBox();
          assert.ok(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= 390.5 && box.y + box.height <= 844.5 && box.height > 20, `${query}: ${selector} ${JSON.stringify(box)}`);
        }
      };
      for (const selector of ['.shelf .figure', '.field-of-tree', '.stage .transport', '.tabs']) await inView(selector);
      assert.equal(await page.locator('.strip').isVisible(), false, 'there is nothing to undo here');
      await page.locator('.parts').first().evaluate((parts) => parts.scrollTo(parts.scrollWidth, 0));
      await page.waitForFunction(() => document.querySelector('.waiting').getBoundingClientRect().left < 100);
      assert.equal(await page.evaluate(() => scrollY), 0);
    }
  }));

test('the start page links to the daily boards and back to the last game', () =>
  page(DESK, async (page) => {
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

for (const [device, options] of some(Object.entries({ desktop: {}, phone: PHONE }), 1)) {
  test(`on a ${device}, two methods race after a vote, and the race has a link`, () =>
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

/** On a phone the rules are collapsed at first. */
const unfoldRules = (page) => page.locator('.intro .short').evaluate((details) => (details.open = true));

/** Waits until the cards show this text. */
const says = (page, text) => page.locator('.primer li', { hasText: text }).first().waitFor();

test('every game shows its rules in pictures, each with a sentence from the library', () =>
  here.each({}, async (page, { name, sample }) => {
    await page.locator('.primer li').first().waitFor();
    const { cards } = await ask(`/api/${name}/primer`, { instance: sample });
    const shown = await page.locator('.primer li p').allInnerTexts();
    assert.equal(shown.length, cards.length, name);
    for (const [at, { sentence, pictures, price }] of cards.entries()) {
      assert.ok(shown[at].includes(sentence.replaceAll('`', '')), `${name}: ${shown[at]}`);
      const card = page.locator('.primer li').nth(at);
      assert.equal(await card.locator('svg').count(), pictures.length, name);
      assert.equal(await card.locator('.price').count(), price === null ? 0 : 1, name);
      for (const picture of await card.locator('svg').all()) {
        const { width, height } = await picture.boundingBox();
        assert.ok(width >= 30 && height >= 18, `${name}: a picture of ${width} x ${height} pixels`);
      }
    }
  }));

test('the pictures change with the board', () =>
  page({}, async (page) => {
    // Find two boards of the same game whose cards differ.
    for (const { name } of here.games) {
      const { sample, instances } = await ask(`/api/${name}/about`);
      const words = async (instance, options = {}) => (await ask(`/api/${name}/primer`, { instance, options })).cards.map((card) => card.sentence);
      const [first] = await words(sample);
      for (const instance of instances) {
        const [other] = await words(instance.text, instance.options);
        if (other === first) continue;
        await open(page, name);
        await says(page, first);
        await page.locator('#board-choice').selectOption(`instance:${instance.name}`);
        await says(page, other);
        await page.locator('#board-choice').selectOption('sample');
        await says(page, first);
        break;
      }
    }
  }));

for (const [device, options] of some(Object.entries({ phone: PHONE, desktop: DESK }), 1)) {
  test(`nothing moves when the pictures arrive, and they are small on a ${device}`, () =>
    page(options, async (page) => {
      let [asked, held, release] = ['', null, null];
      await answerWith(page, 'primer', async (body) => {
        await held;
        return ask(`/api/${asked}/primer`, body);
      });
      for (const { name } of here.games) {
        asked = name;
        held = new Promise((resolve) => (release = resolve));
        await open(page, name);
        await unfoldRules(page);
        const places = () => page.evaluate(() => ['.holder', '.tabs', '.intro details'].map((part) => document.querySelector(part).getBoundingClientRect().top));
        const before = await places();
        release();
        await page.locator('.primer li').first().waitFor();
        assert.deepEqual(await places(), before, name);
        const { height } = await page.locator('.primer').boundingBox();
        assert.ok(height <= (device === 'phone' ? 150 : 260), `${name}: ${height} pixels high`);
        // Nothing is cut off, and cards that do not fit can be reached by keyboard.
        const cut = await page.evaluate(() => [...document.querySelectorAll('.primer li')].filter((card) => card.scrollHeight > card.clientHeight + 1 || card.scrollWidth > card.clientWidth + 1).length);
        assert.equal(cut, 0, `${name}: cards are cut off`);
        const primer = page.locator('.primer');
        if (await primer.evaluate((element) => element.scrollWidth > element.clientWidth)) {
          await primer.focus();
          await page.keyboard.press('ArrowRight');
          await page.waitForFunction(() => document.querySelector('.primer').scrollLeft > 0);
        } else {
          assert.equal(await primer.getAttribute('tabindex'), null);
        }
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${name}: the page is too wide`);
      }
    }));
}
