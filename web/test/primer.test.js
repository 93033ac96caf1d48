// The rules in small pictures: for every game and the board that is shown; nothing moves when they arrive.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, PHONE, answerWith, site, some } from './harness.js';

const here = site();
const { page, open, ask } = here;

/** On a phone the rules are folded at first. */
const unfoldRules = (page) => page.locator('.intro .short').evaluate((details) => (details.open = true));

/** Waits until the cards say this. */
const says = (page, text) => page.locator('.primer li', { hasText: text }).first().waitFor();

test('every game shows its rules in pictures, each with a sentence of the library', () =>
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

test('the pictures follow the board', () =>
  page({}, async (page) => {
    // Two boards of one game whose cards differ, whichever game that is.
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

for (const [device, options] of some(Object.entries({ phone: PHONE, desk: DESK }), 1)) {
  test(`nothing moves when the pictures arrive, and they are small on a ${device}`, async () => {
    for (const { name } of here.games) {
      await page(options, async (page) => {
        let release;
        const held = new Promise((resolve) => (release = resolve));
        await answerWith(page, 'primer', async (body) => {
          await held;
          return ask(`/api/${name}/primer`, body);
        });
        await open(page, name);
        await unfoldRules(page);
        const places = () => page.evaluate(() => ['.holder', '.tabs', '.intro details'].map((part) => document.querySelector(part).getBoundingClientRect().top));
        const before = await places();
        release();
        await page.locator('.primer li').first().waitFor();
        assert.deepEqual(await places(), before, name);
        const { height } = await page.locator('.primer').boundingBox();
        assert.ok(height <= (device === 'phone' ? 150 : 260), `${name}: ${height} pixels high`);
        // Nothing is cut off, and cards that do not fit are reached by keyboard.
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
      });
    }
  });
}
