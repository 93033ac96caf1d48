// The Search tab: it agrees with `solve`, and any step can be reached by mouse and keyboard.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { DESK, PHONE, browse, click, frame, longest, nodes, run, saved, site, some, tabTo } from './harness.js';

const here = site();
const { page, open, solve } = here;

const panel = (page) => page.locator('#panel-search');
/** The numbers of a search, by name. */
const counters = (page, at = 0) =>
  page.locator('.counters').nth(at).evaluate((list) => Object.fromEntries([...list.querySelectorAll('dt')].map((dt) => [dt.textContent, dt.nextElementSibling.textContent])));
const words = (page, at = 0) => page.locator('.step-words').nth(at).innerText();
const counter = (page) => page.locator('.stage .transport .counter').innerText();

/** Chooses methods, starts, and waits until all lines have arrived. */
async function search(page, method, second = '') {
  await page.locator('#search-method option').first().waitFor({ state: 'attached' });
  await page.selectOption('#search-method', method);
  await page.selectOption('#search-second', second);
  await page.selectOption('#search-nodes', String(nodes));
  await panel(page).getByRole('button', { name: 'Start' }).click();
  await finished(page);
  // The text and the board are updated in the next frame.
  await frame(page);
}
const finished = (page, state = 'visible') => panel(page).locator('> [role=status]', { hasText: /(expanded|decided|visited)\.$/ }).waitFor({ state, timeout: 120_000 });

/** Moves the slider to a step. */
async function scrub(page, step) {
  await page.locator('.stage .transport input').fill(String(step));
  await frame(page);
}

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await frame(page);
}

/** The number of states that a method expands on the sample pegs board. */
async function stepsOf(method) {
  const { sample } = await here.sample('pegs');
  return (await solve('pegs', { instance: sample, method })).report.stats.expanded;
}

/** The last step of a search that the limit stops. */
const LAST = `Step ${nodes.toLocaleString('en')} of ${nodes.toLocaleString('en')}`;

const plain = (text) => Number(text.replaceAll(',', '').replace(/\D.*$/, ''));

test('in every game, several methods end with the same result as solve', () =>
  page({}, async (page) => {
    for (const { name, players } of here.games) {
      const { sample, methods } = await here.sample(name);
      const names = methods.map((method) => method.name).filter((method) => /^(bfs|dfs|iddfs|bidirectional|winner|induction|(astar|rbfs|idastar|greedy):(priced|relaxed|reach))$/.test(method));
      await open(page, `${name}?view=search`);
      for (const method of new Set([methods[0].name, ...some(names, 1)])) {
        await search(page, method);
        if (await page.locator('.stage .transport').isVisible()) await press(page, 'End');
        // Some methods would run forever without a limit.
        if ((await page.locator('.moment').innerText()).startsWith('Stopped by the node limit')) {
          assert.equal(await counter(page), LAST);
          continue;
        }
        const { report } = await solve(name, { instance: sample, method });
        if (report.stats.expanded === 0) {
          assert.match(await words(page), /expands no states/, `${name} ${method}`);
          assert.ok((await words(page)).includes(`cost ${report.cost}`));
          continue;
        }
        if (report.stats.expanded > nodes) {
          assert.equal(await counter(page), LAST);
          continue;
        }
        const shown = await counters(page);
        assert.equal(plain(shown.expanded ?? shown.decided), report.stats.expanded, `${name} ${method}: expanded`);
        assert.equal(plain(shown.generated), report.stats.generated, `${name} ${method}: generated`);
        if (players === 1) assert.equal(plain(shown['least cost'] ?? shown.cost), report.cost, `${name} ${method}: cost`);
        else assert.equal(shown.result[0], report.outcome, `${name} ${method}: outcome`);
        assert.notEqual(await page.locator('.moment').innerText(), '');
        await page.locator('.board-of-step svg').waitFor();
      }
    }
  }));

test('steps go forward, back and anywhere, and each is described', () =>
  page({}, async (page) => {
    const all = await stepsOf('astar:priced');
    await open(page, 'pegs?view=search');
    await search(page, 'astar:priced');
    assert.equal(await counter(page), `Step 0 of ${all}`);
    assert.match(await words(page), /nothing is expanded yet/);
    // By mouse.
    await click(page, 'Next step');
    await frame(page);
    assert.match(await words(page), /^Step 1: expands the start, g 0 \+ h (\d+) = f \1; 10 children, 10 new\.$/);
    await click(page, 'Next step');
    await frame(page);
    assert.match(await words(page), /^Step 2: expands the state after \w+ \w+, g \d \+ h \d = f \d; \d+ children, \d+ new(, \d known)?\.$/);
    await page.locator('.board-of-step svg').waitFor();
    await click(page, 'Previous step');
    await frame(page);
    assert.equal(await counter(page), `Step 1 of ${all}`);
    assert.equal((await counters(page)).open, '10');
    // By keyboard; the focus is on a playback button.
    await press(page, 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowRight', 'ArrowRight');
    assert.equal(await counter(page), `Step 4 of ${all}`);
    await press(page, 'End');
    assert.equal(await counter(page), `Step ${all} of ${all}`);
    assert.equal(await page.locator('.moment').innerText(), 'Nothing is left below 4: no open state can lead to a cheaper plan.');
    await press(page, 'Home');
    assert.equal(await counter(page), `Step 0 of ${all}`);
    assert.equal(await page.locator('.moment').isVisible(), false);
    // After going to the end and back, a step looks the same as before.
    await scrub(page, 6);
    const before = [await words(page), await counters(page), await page.locator('.waiting tbody').innerText()];
    await scrub(page, all);
    await scrub(page, 3);
    await scrub(page, 6);
    assert.deepEqual([await words(page), await counters(page), await page.locator('.waiting tbody').innerText()], before);
    // Faster and slower.
    const speed = () => page.getByRole('combobox', { name: 'Speed' }).inputValue();
    const usual = Number(await speed());
    await page.getByRole('button', { name: 'Previous step' }).focus();
    await press(page, '+');
    assert.ok(Number(await speed()) > usual);
    await press(page, '-', '-');
    assert.ok(Number(await speed()) < usual);
    // Plays to the end.
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('500');
    await page.getByRole('button', { name: 'Play', exact: true }).focus();
    await page.keyboard.press('Space');
    await page.getByText(`Step ${all} of ${all}`, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  }));

test('the first state of the open list is expanded next', () =>
  page({}, async (page) => {
    await open(page, 'pegs?view=search');
    for (const method of some(['astar:h2', 'dfs', 'rbfs:priced', 'ucs', 'bfs', 'greedy:priced', 'idastar:priced'], 3)) {
      const all = await stepsOf(method);
      await search(page, method);
      for (const step of [0, 1, 2, 5, 9].filter((step) => step < all)) {
        await scrub(page, step);
        const [move] = await page.locator('.waiting tbody tr').first().locator('td').allInnerTexts();
        await scrub(page, step + 1);
        const now = await words(page);
        assert.ok(now.includes(step === 0 ? 'expands the start' : `after ${move},`), `${method}, step ${step + 1}: first is ${move}, but: ${now}`);
        const rows = await page.locator('.waiting tbody tr').count();
        const total = Number(/Open: (?:first 100 of )?([\d,]+)/.exec(await page.locator('.waiting h3').innerText())[1].replace(',', ''));
        assert.equal(rows, Math.min(100, total));
      }
    }
  }));

test('a node of the tree is selected by click and by keyboard, with its board and its moves', () =>
  page({}, async (page) => {
    const all = await stepsOf('astar:priced');
    await open(page, 'pegs?view=search');
    await search(page, 'astar:priced');
    await press(page, 'End');
    const tree = page.getByRole('application', { name: /Search tree/ });
    await tree.focus();
    await press(page, 'ArrowUp');
    await page.getByText('Selected: after').waitFor();
    const start = await page.locator('.selection').innerText();
    await press(page, 'ArrowUp', 'ArrowUp', 'ArrowUp');
    assert.match(await page.locator('.selection').innerText(), /^Selected: the start · .* expanded at step 1$/);
    await press(page, 'ArrowDown', 'ArrowRight');
    assert.match(await page.locator('.selection').innerText(), /^Selected: after [^,]+ · g/);
    assert.notEqual(await page.locator('.selection').innerText(), start);
    // The board of a node that was never expanded is derived from its parent.
    await page.locator('.board-of-step svg').waitFor();
    await press(page, 'Escape');
    assert.equal(await page.locator('.selection').isVisible(), false);
    // The root is at the top, where its children meet.
    const box = await page.locator('.field-of-tree').boundingBox();
    for (let x = 20; x < box.width; x += 8) {
      await page.mouse.click(box.x + x, box.y + 0.1 * (box.height - 36) + 18);
      if (await page.getByText('Selected: the start').isVisible()) break;
    }
    await page.getByText('Selected: the start').waitFor();
    await tree.focus();
    await press(page, 'Enter');
    assert.equal(await counter(page), `Step 1 of ${all}`);
    // A row of the list can also be selected.
    await page.locator('.waiting tbody tr').nth(2).click();
    assert.match(await page.locator('.selection').innerText(), /open$/);
    const third = await page.locator('.selection').innerText();
    await page.getByRole('region', { name: /List of states/ }).focus();
    await press(page, 'ArrowDown');
    assert.notEqual(await page.locator('.selection').innerText(), third);
    assert.equal(await counter(page), `Step 1 of ${all}`);
    await press(page, 'ArrowUp');
    assert.equal(await page.locator('.selection').innerText(), third);
    await click(page, 'Larger');
    await click(page, 'Fit the whole tree');
  }));

test('two methods run in lockstep, and a finished one is marked', () =>
  page({}, async (page) => {
    await open(page, 'pegs?view=search');
    await search(page, 'astar:priced', 'bfs');
    const [all, longer] = [await stepsOf('astar:priced'), await stepsOf('bfs')];
    assert.ok(all + 2 < longer);
    assert.equal(await counter(page), `Step 0 of ${longer}`);
    const both = async () => [Number((await counters(page, 0)).expanded), Number((await counters(page, 1)).expanded)];
    await scrub(page, all - 2);
    assert.deepEqual(await both(), [all - 2, all - 2]);
    await scrub(page, all + 2);
    assert.deepEqual(await both(), [all, all + 2]);
    await page.getByRole('heading', { name: `astar:priced finished after ${all}` }).waitFor();
    assert.equal(await page.getByRole('heading', { name: 'bfs', exact: true }).count(), 1);
    await press(page, 'End');
    assert.equal(await page.locator('.moment').count(), 2);
    for (const moment of await page.locator('.moment').allInnerTexts()) assert.notEqual(moment, '');
  }));

test('rounds are shown as rounds, each with its bound and its own tree', () =>
  page({}, async (page) => {
    await open(page, 'moles?view=search');
    await search(page, 'idastar:reach');
    await scrub(page, 1);
    assert.equal(await page.locator('.round').innerText(), 'Round 1 of 2, bound 2');
    await press(page, 'End');
    assert.equal(await page.locator('.round').innerText(), 'Round 2 of 2, bound 3');
    await open(page, 'pegs?view=search');
    await search(page, 'iddfs');
    await scrub(page, 1);
    assert.equal(await page.locator('.round').innerText(), 'Round 1 of 4, bound 0');
    assert.equal(await page.locator('.waiting tbody tr').count(), 0);
    // The children are in the tree, but the bound keeps them out of the open list.
    assert.match(await page.locator('.legend').innerText(), /gray: beyond the bound/);
    await page.locator('.field-of-tree').focus();
    await press(page, 'ArrowDown', 'ArrowDown');
    assert.match(await page.locator('.selection').innerText(), /beyond the bound$/);
    await press(page, 'Escape', 'End');
    assert.equal(await page.locator('.round').innerText(), 'Round 4 of 4, bound 3');
  }));

test('two players: positions are decided one after another', () =>
  page({}, async (page) => {
    await open(page, 'edge?view=search');
    await search(page, 'grundy');
    await scrub(page, 2);
    assert.match(await words(page), /^Step 2: decides the position after \S+: N, Grundy value 1 \(the player to move wins\); 2 moves\.$/);
    const rows = await page.locator('.waiting tbody tr').allInnerTexts();
    assert.equal(rows.length, 2);
    assert.match(rows[1], /^1\s+\S+\s+P\s+0$/);
    await press(page, 'End');
    assert.match(await page.locator('.moment').innerText(), /so the first player wins/);
  }));

test('projector mode fills the screen, and can be entered and left by key and by button', () =>
  page({}, async (page) => {
    const all = await stepsOf('astar:h2');
    await open(page, 'pegs?view=search');
    await search(page, 'astar:h2');
    await scrub(page, 5);
    await page.getByRole('button', { name: 'Next step' }).focus();
    for (const [enter, leave] of [['p', 'p'], ['f', 'Escape']]) {
      await page.keyboard.press(enter);
      await page.locator('dialog.projector[open] .viewer').waitFor();
      await frame(page);
      const { width, height } = await page.locator('dialog.projector').boundingBox();
      const [wide, high] = await page.evaluate(() => [innerWidth, innerHeight]);
      assert.deepEqual([Math.round(width), Math.round(height)], [wide, high]);
      const size = await page.locator('.step-words').evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
      assert.ok(size >= 20, `the text has ${size} pixels`);
      await press(page, 'ArrowRight');
      assert.equal(await page.locator('.waiting tbody tr:visible').count(), 5, 'the first states of the open list are shown');
      await page.keyboard.press(leave);
      await page.locator('dialog.projector').waitFor({ state: 'detached' });
    }
    assert.equal(await counter(page), `Step 7 of ${all}`);
    await click(page, 'Projector');
    await page.locator('dialog.projector[open]').waitFor();
    await click(page, 'Projector');
    await page.locator('dialog.projector').waitFor({ state: 'hidden' });
    assert.equal(await page.getByText('Keys: Space plays and pauses').isVisible(), true);
  }));

test('a search can be stopped, and another board clears it', () =>
  page({}, async (page) => {
    await open(page, 'chexers?view=search');
    await page.selectOption('#search-method', 'iddfs');
    await page.selectOption('#search-nodes', '100000');
    await panel(page).getByRole('button', { name: 'Start' }).click();
    await page.waitForFunction(() => Number(document.querySelector('.stage .transport input').max) > 300);
    await panel(page).getByRole('button', { name: 'Stop' }).click();
    await panel(page).getByText(/^Stopped\. iddfs: [\d,]+ expanded\.$/).waitFor();
    await press(page, 'End');
    assert.equal(await page.locator('.moment').innerText(), 'Stopped before the end.');
    await page.goto(`${here.base}/#/pegs?view=search`);
    await panel(page).getByText('Press Start to see every state').waitFor();
    assert.equal(await page.locator('.viewer').count(), 0);
  }));

test('a step can be reached from the tab by keyboard alone', () =>
  page({}, async (page) => {
    const all = await stepsOf('astar:priced');
    await open(page, 'pegs?view=search');
    await page.locator('#tab-search').focus();
    await tabTo(page, () => document.activeElement?.id === 'search-method');
    await tabTo(page, () => document.activeElement?.textContent === 'Start');
    await page.keyboard.press('Enter');
    await finished(page);
    // The focus is on Play, so the keys work at once.
    await press(page, 'ArrowRight', 'ArrowRight');
    assert.equal(await counter(page), `Step 2 of ${all}`);
  }));

test(`${nodes} states arrive, are played and scrubbed through`, async () => {
  for (const [method, board] of some([['dfs', `board=${encodeURIComponent(LARGE)}&`], ['iddfs', '']], 1)) {
    await page({ reducedMotion: 'no-preference' }, async (page) => {
      await open(page, `chexers?${board}view=search`);
      await page.selectOption('#search-method', method);
      await page.selectOption('#search-nodes', String(nodes));
      const arriving = await longest(page, async () => {
        await panel(page).getByRole('button', { name: 'Start' }).click();
        // At this speed, playback can be paused before the end.
        await page.getByRole('combobox', { name: 'Speed' }).selectOption(nodes > 2000 ? '2000' : '100');
        await finished(page);
      });
      const playing = await longest(page, async () => {
        await click(page, 'First step');
        await page.getByRole('button', { name: 'Play', exact: true }).click();
        await page.waitForFunction((step) => Number(document.querySelector('.stage .transport input').value) > step, nodes / 20);
        await click(page, 'Pause');
      });
      const scrubbing = await longest(page, async () => {
        const box = await page.locator('.stage .transport input').boundingBox();
        const to = (part) => page.mouse.move(box.x + 4 + (box.width - 8) * part, box.y + box.height / 2);
        await to(1);
        await page.mouse.down();
        const parts = nodes / 500;
        for (let at = -parts; at <= parts; at++) await to(Math.abs(at) / parts);
        await page.mouse.up();
      });
      if (arriving) console.log(`# ${method}: longest tasks in ms: ${JSON.stringify({ arriving, playing, scrubbing })}`);
      await press(page, 'End');
      assert.equal(await counter(page), LAST);
      assert.equal(plain((await counters(page)).expanded), nodes);
      await page.getByText(/nodes are too many for a tree/).waitFor();
      assert.match(await page.locator('.bars canvas').first().getAttribute('aria-label'), /^States by depth(, which is f here)?: /);
    });
  }
});

/** A board on which depth-first search goes deep. */
const LARGE = '{"colour": "red", "pieces": [[-3, 0], [-3, 1], [-3, 2], [-3, 3]], "blocks": [[3, -3], [3, -2], [3, -1], [3, 0]]}';

test('the search is saved as a page that works from disk', async () => {
  const all = await stepsOf('astar:priced');
  const folder = mkdtempSync(join(tmpdir(), 'kibitzer-'));
  const browser = await browse();
  try {
    const file = join(folder, 'trace.html');
    run(['trace', 'pegs', '--format', 'html', '-o', file]);
    await page({}, async (page) => {
      await open(page, 'pegs?view=search');
      await search(page, 'astar:priced');
      const { name, bytes } = await saved(page, () => panel(page).getByRole('button', { name: 'Download' }).click());
      assert.match(name, /^pegs-.*-astar-priced\.html$/);
      assert.match(bytes.toString(), /<title>pegs: astar:priced, step by step<\/title>/);
    });
    const tab = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
    const trouble = [];
    tab.on('console', (message) => trouble.push(message.text()));
    tab.on('pageerror', (error) => trouble.push(error.message));
    tab.on('request', (request) => request.url().startsWith('file:') || trouble.push(request.url()));
    await tab.goto(pathToFileURL(file).href);
    await tab.getByText(`Step 0 of ${all}`, { exact: true }).waitFor();
    await tab.locator('.board-of-step svg').waitFor();
    await tab.keyboard.press('End');
    await tab.getByText('Nothing is left below 4').waitFor();
    assert.equal((await counters(tab))['least cost'], '4');
    await tab.keyboard.press('ArrowLeft');
    await frame(tab);
    assert.equal(await counter(tab), `Step ${all - 1} of ${all}`);
    await tab.keyboard.press('p');
    await tab.locator('dialog.projector[open] .board-of-step svg').waitFor();
    assert.deepEqual(trouble, []);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
});

/** Records the boxes of all text drawn on a canvas since it was last cleared. */
const recordText = () => {
  const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
  window.written = [];
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    window.written = [];
    return clearRect.apply(this, box);
  };
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const [wide, high] = [this.measureText(text).width, 0.7 * parseFloat(this.font)];
    window.written.push({ text, left: x - wide / 2, right: x + wide / 2, top: y - high / 2, bottom: y + high / 2 });
    return fillText.call(this, text, x, y);
  };
};

for (const options of [DESK, PHONE]) {
  test(`no label of a tree covers another, on ${options.isMobile ? 'a phone' : 'a desktop'}`, () =>
    page(options, async (page) => {
      await page.addInitScript(recordText);
      let count = 0;
      for (const { name } of here.games.filter(({ players }) => players === 1)) {
        const { methods } = await here.sample(name);
        const method = methods.find((method) => method.name.startsWith('astar:'))?.name ?? 'bfs';
        await page.goto('about:blank');
        await page.goto(`${here.base}/#/${name}?view=search&method=${encodeURIComponent(method)}&limit=${nodes}&step=${nodes}`);
        await finished(page, 'attached');
        await frame(page);
        const written = await page.evaluate(() => window.written);
        const covered = written.flatMap((one, at) => written.slice(at + 1).filter((other) => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1).map((other) => `${one.text} and ${other.text}`));
        assert.deepEqual(covered, [], name);
        count += written.length;
      }
      assert.ok(count > 20);
    }));
}
