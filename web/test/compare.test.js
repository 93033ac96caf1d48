// The Compare panel: its table, notes, limits and downloads.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, answerWith, click, compared, pixel, questions, said, saved, site, some, tab, tabTo } from './harness.js';

const here = site();
const { page, open, ask } = here;

/** Selects these methods, and runs them to the end. */
async function compare(page, methods) {
  for (const box of await page.locator('.methods input').all()) await box.setChecked(methods.includes(await box.inputValue()));
  await page.locator('#panel-compare').getByRole('button', { name: 'Run' }).click();
  await compared(page);
}

/** The row of a method. */
const row = (page, method) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: method }) });

/** A report as sent by `solve`, for a method invented by the test. */
const answer = (report) => ({ report, plan: [], best: [], explanation: null });

const CHEXERS = ['astar:relaxed', 'astar:bad', 'bfs', 'ucs', 'greedy:relaxed', 'bidirectional'];

test('methods are compared, and answers above the optimum are marked', () =>
  page({}, async (page) => {
    await open(page, 'chexers?view=compare');
    await compare(page, ['astar:relaxed', 'astar:bad', 'bfs']);
    assert.equal(await page.locator('.comparison tbody tr').count(), 3);
    await row(page, 'astar:bad').getByText('above the optimum').waitFor();
    assert.equal(await page.locator('tr.good').count(), 2);
    // Bars for states, memory and time, each beside its number.
    assert.equal(await page.locator('.fillbar').count(), 9);
    assert.equal(await page.locator('.fillbar.bad').count(), 3);
    const numbers = await row(page, 'bfs').locator('.measured').allInnerTexts();
    assert.match(numbers[0], /^[\d,]+$/);
    assert.match(numbers[1], /^[\d,.]+ [kMG]?B$/);
    assert.match(numbers[2], /^[\d.]+ (µs|ms|s)$/);
  }));

test('bars are logarithmic and labeled as such if values are far apart', () =>
  page(DESK, async (page) => {
    await open(page, 'chexers?view=compare');
    const expanded = { bfs: 1000, dfs: 10, ucs: 100_000 };
    await answerWith(page, 'solve', ({ method }) => {
      const stats = { expanded: expanded[method] ?? 1, generated: 1, peak_bytes: 1000 * (method === 'ucs' ? 2 : 1), seconds: 0.5 };
      return answer({ game: 'chexers', method, verdict: 'solved', verified: true, cost: 10, optimal: true, lower: 10, stats });
    });
    await compare(page, Object.keys(expanded));
    const shares = async (at) => {
      const bars = await page.locator('.comparison tbody tr').evaluateAll((rows, at) => rows.map((row) => [row.querySelector('th').firstChild.textContent, row.querySelectorAll('.fillbar')[at].style.width]), at);
      return Object.fromEntries(bars.map(([name, width]) => [name, Math.round(parseFloat(width))]));
    };
    // On a scale from 1 to 100,000, each factor of ten takes a fifth of the width. Memory is linear.
    assert.deepEqual(await shares(0), { bfs: 60, dfs: 20, ucs: 100 });
    assert.deepEqual(await shares(1), { bfs: 50, dfs: 50, ucs: 100 });
    await page.getByRole('columnheader', { name: 'expanded (log scale)' }).waitFor();
    await page.getByRole('columnheader', { name: 'memory', exact: true }).waitFor();
    await page.getByText('expanded logarithmic, 1 to 100,000; memory linear; time linear').waitFor();
  }));

test('two players: the table has winner and outcome instead of cost', () =>
  here.each({}, async (page, { name, methods, report }) => {
    await tab(page, 'Compare');
    await compare(page, methods.map(({ name }) => name));
    await page.getByRole('columnheader', { name: 'winner' }).waitFor();
    await page.getByRole('columnheader', { name: 'outcome' }).waitFor();
    // A method without a table may give up.
    const rows = await page.locator('.comparison tbody tr').evaluateAll((rows) => rows.map((row) => ['.result', '.judged'].map((part) => row.querySelector(part).textContent)));
    const right = rows.filter(([winner, outcome]) => winner === (report.winner === null ? 'draw' : `player ${report.winner}`) && outcome.startsWith(`${report.outcome}, `));
    const given = rows.filter(([winner, outcome]) => winner === '?' && /gave up: (time|memory) limit$/.test(outcome));
    assert.equal(right.length + given.length, rows.length, `${name}: ${rows}`);
    if (report.stats.expanded < 10_000) assert.ok(right.length > 0, name);
    assert.doesNotMatch(await page.locator('.comparison').innerText(), /cost/);
    const svg = await saved(page, () => click(page, 'Download SVG'));
    assert.match(svg.bytes.toString(), /method, winner, outcome/);
    assert.doesNotMatch(svg.bytes.toString(), /cost/);
  }, 2));

test('every method is explained in the words of the library', () =>
  here.each({}, async (page, { name, methods }) => {
    await tab(page, 'Compare');
    await page.getByText('What the methods do').click();
    const plain = (text) => text.replaceAll('`', '');
    const entries = new Map(await page.locator('.glossary dt').evaluateAll((names) => names.map((name) => [name.textContent, name.nextElementSibling.textContent])));
    for (const { name: method, about, promise, memory } of methods) {
      for (const fact of [about, promise, memory]) assert.ok(fact === null || entries.get(method).includes(plain(fact)), `${name} ${method}: \`${fact}\` is not in \`${entries.get(method)}\``);
    }
    await compare(page, [methods[0].name]);
    assert.ok((await page.locator('.comparison .about').innerText()).includes(plain(methods[0].about)));
  }));

test('a proof that a method does not guarantee is marked as lucky', () =>
  page({}, async (page) => {
    await open(page, `pegs?view=compare&board=${encodeURIComponent('ab.\n...')}`);
    const { methods } = await ask('/api/pegs/position', { instance: 'ab.\n...' });
    const greedy = methods.find(({ name }) => name.startsWith('greedy')).name;
    const astar = methods.find(({ name, optimal }) => name.startsWith('astar') && optimal).name;
    await compare(page, [greedy, astar]);
    await row(page, greedy).getByText('yes, proved (lucky)').waitFor();
    await row(page, astar).getByText('yes, proved', { exact: true }).waitFor();
    await page.locator('.notes').getByText(`Lucky: ${greedy} may miss the best plan, but found it here`).waitFor();
    // A method that guarantees the least cost is not marked as lucky.
    await compare(page, [astar]);
    assert.equal(await page.locator('.notes', { hasText: 'Lucky' }).count(), 0);
  }));

test('the defaults end soon on the hardest boards, and methods that were cut off are listed', async () => {
  for (const [game, instance] of some([['pegs', 'english-priced'], ['tricolor', 'random-30'], ['moles', 'full-9']], 1)) {
    await page(DESK, async (page) => {
      await open(page, `${game}?view=compare`);
      await page.getByLabel('Board', { exact: true }).selectOption(`instance:${instance}`);
      await said(page, /Best possible|Source/);
      const seen = await questions(page);
      await page.locator('#panel-compare').getByRole('button', { name: 'Run' }).click();
      await compared(page);
      const asked = seen.flatMap(({ question, body }) => (question === 'solve' && body.method ? [body] : []));
      const chosen = await page.locator('.methods input:checked').evaluateAll((boxes) => boxes.map((box) => box.value));
      assert.deepEqual(asked.map(({ method }) => method), chosen);
      assert.ok(asked.every(({ seconds }) => seconds <= 5), 'the time limit is for all methods together');
      assert.ok(asked[0].seconds <= 5 / chosen.length + 0.01, 'the first method gets only its share');
      const cut = page.locator('.comparison tr', { hasText: 'gave up' });
      for (const name of await cut.getByRole('rowheader').evaluateAll((names) => names.map((name) => name.firstChild.textContent))) {
        await page.locator('.notes li', { hasText: 'Cut off:' }).getByText(`${name} (`).waitFor();
      }
      if (instance === 'english-priced') assert.ok((await cut.count()) > 0, 'no method without a heuristic solves this in a second');
      assert.equal(await page.locator('.comparison tbody tr').count(), chosen.length);
    });
  }
});

test('a comparison can be stopped, and is cleared when the position changes', async () => {
  await page({}, async (page) => {
    await open(page, 'pegs?view=compare');
    await page.getByLabel('Board', { exact: true }).selectOption('instance:english-priced');
    await said(page, 'Best possible cost');
    for (const box of await page.locator('.methods input').all()) await box.setChecked(['bfs', 'dfs', 'ucs'].includes(await box.inputValue()));
    await page.getByLabel('Time').selectOption('300');
    const panel = page.locator('#panel-compare');
    await panel.getByRole('button', { name: 'Run' }).click();
    await panel.getByText('1 of 3…').waitFor();
    await panel.getByRole('button', { name: 'Stop' }).click();
    await panel.getByText(/Stopped\. Not finished: .*ucs/).waitFor();
  });
  await page({}, async (page) => {
    await open(page, 'chexers?view=compare');
    assert.equal(await page.locator('.comparison').innerText(), '', 'empty before it runs');
    await compare(page, ['bfs']);
    await page.locator('.holder .can').first().waitFor();
    await click(page, 'Hint');
    await click(page, 'Play it');
    await page.waitForFunction(() => document.querySelectorAll('.comparison tr').length === 0);
  });
});

test('nothing is cut off at any width', async () => {
  for (const width of some([400, 1280, 900], 2)) {
    await page({ viewport: { width, height: 800 } }, async (page) => {
      await open(page, 'chexers?view=compare');
      await compare(page, CHEXERS);
      // On a phone the results replace the methods until a button brings the methods back.
      assert.equal(await page.locator('.methods').isVisible(), width >= 600);
      if (width < 600) await click(page, 'Methods');
      await page.getByText('What the methods do').click();
      const hidden = await page.evaluate(() => {
        const inside = (box) => box.left >= 0 && box.right <= innerWidth + 0.5 && box.width > 0;
        const cut = [...document.querySelectorAll('#panel-compare, .comparison tbody th, .comparison td, .notes li, .glossary dd, .comparison button, .methods label')].filter(
          (element) => !inside(element.getBoundingClientRect()) || element.scrollWidth > element.clientWidth + 1
        );
        return [document.documentElement.scrollWidth > innerWidth && 'the page', ...cut.map((element) => element.textContent)].filter(Boolean);
      });
      assert.deepEqual(hidden, [], `${width} px`);
      const panel = await page.locator('#panel-compare').boundingBox();
      if (width >= 1280) assert.ok(panel.width > 820, `${panel.width} px is not the width beside the board`);
      // Every number has a title: above its column or, beside a board in a narrow window, on the card itself.
      const titled = await row(page, 'bfs').locator('td').evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::before').content));
      assert.ok(titled.every((content) => (width < 1280 ? /"[a-z]/.test(content) : content === 'none')), `${width} px: ${titled}`);
    });
  }
});

test('the values and the drawing are saved, by mouse and by keyboard', () =>
  page({ acceptDownloads: true }, async (page) => {
    await open(page, 'chexers?view=compare');
    // By keyboard: to the tab, to the Run button, and then to the downloads.
    await tabTo(page, () => document.activeElement?.id === 'tab-compare');
    await tabTo(page, () => document.activeElement?.textContent === 'Run');
    await page.keyboard.press('Enter');
    await compared(page);
    await tabTo(page, () => document.activeElement?.textContent === 'Download CSV');
    const csv = await saved(page, () => page.keyboard.press('Enter'));
    assert.equal(csv.name, 'chexers-sample-compare.csv');
    const [header, ...lines] = csv.bytes.toString().trimEnd().split('\n');
    assert.equal(header, 'method,about,verdict,cost,optimal,promised,lower,upper,winner,outcome,at_least,at_most,length,limit,expanded,generated,cutoffs,table,branching,peak_bytes,seconds,error');
    const shown = await page.locator('.comparison tbody tr').evaluateAll((rows) => rows.map((row) => [row.querySelector('th').firstChild.textContent, row.querySelector('.measured').firstChild.textContent.replaceAll(',', '')]));
    assert.equal(lines.length, shown.length);
    for (const [at, [name, expanded]] of shown.entries()) {
      const fields = lines[at].match(/("([^"]|"")*"|[^,]*)(,|$)/g).map((field) => field.replace(/,$/, ''));
      assert.deepEqual([fields[0], fields[14]], [name, expanded], lines[at]);
    }
    const svg = await saved(page, () => page.getByRole('button', { name: 'Download SVG' }).click());
    assert.equal(svg.name, 'chexers-sample-compare.svg');
    const text = svg.bytes.toString();
    assert.doesNotMatch(text.replaceAll('http://www.w3.org', ''), /https?:|var\(--|NaN|undefined/, 'it is standalone');
    // The image has a title, shows every method, and follows the light or dark theme.
    const written = (tag) => [...text.matchAll(new RegExp(`<${tag}[^>]*>([^<]*)`, 'g'))].map(([, words]) => words);
    assert.match(written('title')[0], /^Chexers: \d methods compared$/);
    for (const [name] of shown) assert.ok(written('text').includes(name), name);
    assert.ok(written('text').some((word) => word.includes('log')), 'the scale is shown');
    for (const [colorScheme, isDark] of [['light', false], ['dark', true]]) {
      await page.emulateMedia({ colorScheme });
      const { color } = await pixel(page, `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`, 0.005, 0.005);
      assert.equal(color[0] < 80, isDark, `${colorScheme}: ${color}`);
    }
  }));
