// Nothing is cut off: after the last step of two searches, every part is fully visible, in the Search tab and on the projector.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, addressed, click, frame, made, nodes, searched, site, some } from './harness.js';

const here = site();
const { page } = here;

/** The faults of the visible parts inside `root`: parts without a size, outside the window, wider than their place, or on top of each other. */
const faults = (page, root, parts) =>
  page.evaluate(
    ([root, parts]) => {
      const seen = parts
        .flatMap((part) => [...document.querySelectorAll(`${root} ${part}`)])
        .filter((element) => element.checkVisibility({ visibilityProperty: true }) && getComputedStyle(element).clipPath === 'none');
      const name = (element) => `${element.tagName}.${element.className} ${element.textContent.slice(0, 20)}`;
      const boxes = seen.map((element) => [element, element.getBoundingClientRect()]);
      const found = [];
      for (const [element, { left, top, right, bottom, width, height }] of boxes) {
        if (width < 12 || height < 12) found.push(`${name(element)} is ${width} x ${height}`);
        if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) found.push(`${name(element)} ends at ${right}, ${bottom}`);
        if (element.matches('dt, dd, button, .caption') && element.scrollWidth > element.clientWidth + 1) found.push(`${name(element)} is too wide for its place`);
      }
      for (const [at, [one, a]] of boxes.entries()) {
        for (const [other, b] of boxes.slice(at + 1)) {
          const [wide, high] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
          if (wide > 2 && high > 2 && !one.contains(other) && !other.contains(one)) found.push(`${name(one)} and ${name(other)} overlap by ${wide} x ${high}`);
        }
      }
      return found;
    },
    [root, parts]
  );

const SIZES = [[1280, 800], [844, 390], [1920, 1080], [1024, 768], [1280, 720], [390, 844], [360, 640]];

for (const [width, height] of some(SIZES, 2)) {
  test(`two searches fit into ${width} x ${height} after their last step`, () => {
    const isSmall = Math.min(width, height) < 600;
    return page({ viewport: { width, height }, hasTouch: isSmall, isMobile: isSmall }, async (page) => {
      for (const { name } of some(here.games, 2)) {
        const { methods } = await here.sample(name);
        const [first, second] = methods.filter(({ memory }) => memory !== null);
        if (!second) continue;
        for (const projector of ['', '&projector=1']) {
          const at = `${name}?view=search&method=${first.name}&second=${second.name}&limit=${nodes}&step=1000000${projector}`;
          await page.goto('about:blank');
          await page.goto(`${here.base}/#/${at.replaceAll(':', '%3A')}`);
          await searched(page);
          if (projector) await page.locator('dialog.projector[open]').waitFor();
          await addressed(page, projector ? /projector=1$/ : /step=\d+$/);
          await frame(page);
          const root = projector ? 'dialog.projector' : '#panel-search';
          // In its tab on a phone, a search shows the tree; the other parts lie over it or are reached by swiping.
          const rest = isSmall && !projector ? [] : ['dt', 'dd', '.waiting .scroll', '.moment'];
          assert.deepEqual(await faults(page, root, ['.board-of-step svg', '.tree', '.bars', '.transport button', '.transport select', '.transport .counter', '.transport input', ...rest]), [], at);
        }
      }
    });
  });
}

test('the words above a position graph fit into their place', () =>
  page(PHONE, async (page) => {
    for (const { name } of here.games.filter(({ players }) => players === 2)) {
      await page.goto(`${here.base}/#/${name}?view=graph`);
      await page.locator('.graph [data-name="1"]').waitFor();
      assert.ok(await page.locator('#panel-graph > p').evaluate((words) => words.scrollHeight <= words.clientHeight + 1), name);
    }
  }));

test('the message at the end of a game is beside the moves, not over them, and can be dismissed', () =>
  page({ viewport: { width: 1280, height: 800 } }, async (page) => {
    await here.open(page, 'moles');
    for (let hints = 1; (await page.locator('.left .message .next').count()) === 0; hints++) {
      await click(page, 'Hint');
      await click(page, 'Play it');
      await made(page, hints);
      await frame(page);
    }
    await page.locator('.review .summary', { hasText: 'Your cost' }).waitFor();
    const box = (part) => page.locator(part).first().boundingBox();
    const [message, panel, words, next] = [await box('.left .message'), await box('#panel-play'), await box('.left .message .words'), await box('.left .message .next')];
    assert.ok(message.y >= panel.y + panel.height && message.y + message.height <= 800, JSON.stringify({ message, panel }));
    assert.ok(next.y >= words.y + words.height, JSON.stringify({ words, next }));
    await click(page, 'Dismiss');
    assert.equal(await page.locator('.left .message').count(), 0);
  }));

test('the rules make room for the moves after the first move, unless they are beside them', () =>
  page({ viewport: { width: 1280, height: 800 } }, async (page) => {
    const isOpen = () => page.locator('.intro .short').evaluate((details) => details.open);
    const turn = async () => {
      await here.open(page, 'moles');
      assert.ok(await isOpen());
      await click(page, 'Hint');
      await click(page, 'Play it');
      await made(page, 1);
    };
    await turn();
    assert.ok(!(await isOpen()));
    // The player's own choice stands.
    await page.locator('.intro .short summary').click();
    await click(page, 'Undo');
    await made(page, 0);
    await click(page, 'Redo');
    await made(page, 1);
    assert.ok(await isOpen());
    await page.setViewportSize({ width: 1920, height: 1080 });
    await turn();
    assert.ok(await isOpen());
  }));
