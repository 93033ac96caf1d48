// A smoke test of the static site in Firefox: for every game, opens the page, plays a move, solves the board, and steps through a search.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firefox } from './bidi.js';
import { bestMove, engine, nodes, site, siteOnly } from './harness.js';

const here = site();

test('in Firefox, the page of every game plays a move, solves the board, and steps through a search', { ...siteOnly, timeout: 600_000 }, async () => {
  const { page, stop } = await firefox();
  try {
    for (const { name } of here.games) {
      const game = await here.sample(name);
      await page.goto('about:blank');
      await page.goto(`${here.base}/#/${name}`);
      await page.reads('h1', new RegExp(`^${name}$`, 'i'));
      for (const place of bestMove(game).clicks) await page.click(`.holder [data-name=${JSON.stringify(place)}]`);
      await page.until(() => document.querySelectorAll('#panel-play .made li').length === 1);
      await page.click('button', 'Undo');
      await page.until(() => document.querySelectorAll('#panel-play .made li').length === 0);

      await page.click('[role=tab]', 'Solve');
      await page.click('#panel-solve .go');
      await page.reads('#panel-solve .verdict', game.players === 2 ? /has a winning strategy|draw/ : /the least possible/);
      if (game.players === 1) assert.equal(await page.evaluate(() => document.querySelectorAll('#panel-solve .plan li').length), game.plan.length, name);

      await page.click('[role=tab]', 'Search');
      await page.until((nodes) => {
        const select = document.querySelector('#search-nodes');
        if (!select) return false;
        select.value = String(nodes);
        select.dispatchEvent(new Event('change', { bubbles: true }));
        return true;
      }, nodes);
      await page.click('#panel-search .go');
      await page.reads('#panel-search > [role=status]', /[1-9][\d,]* (expanded|decided|visited)\.$/);
      await page.click('.stage .transport button.end[aria-label="First step"]');
      await page.reads('.stage .transport .counter', /^Step 0 /);
      for (const step of [1, 2]) {
        await page.click('.stage .transport button[aria-label="Next step"]');
        await page.reads('.stage .transport .counter', new RegExp(`^Step ${step} `));
      }
      assert.ok(await page.evaluate(() => document.querySelectorAll('.field-of-tree svg *, .field-of-tree canvas').length > 0), `${name}: no tree`);
      assert.deepEqual(page.complaints, [], name);
    }
    assert.ok(engine === 'site' && here.games.length > 0);
  } finally {
    await stop();
  }
});
