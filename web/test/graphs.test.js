// Games on graphs: vertices can be dragged and stay where they are dropped, and a new vertex appears where the user clicks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, click, clickAll, made, middle, place, said, site, some, swipe } from './harness.js';

const here = site();

const BOARDS = [
  { game: 'tricolor', vertex: '3', other: '4', move: ['1'], board: 'colors: GGBRR\nedges: 0-1 0-2 1-2 1-3 1-4 2-3' },
  { game: 'edge', vertex: 'vertex c', other: 'vertex d', move: ['vertex a', 'color 1'], board: 'graph: C5\ncolors: 3' },
];

const address = (game, board) => `${game}?board=${encodeURIComponent(board)}`;

/** A vertex's place in the drawing, as fractions of the drawing's size. */
const inDrawing = (page, name) =>
  place(page, name).evaluate((group) => {
    const box = group.firstElementChild.getBoundingClientRect();
    const all = group.ownerSVGElement.getBoundingClientRect();
    return [(box.x + box.width / 2 - all.x) / all.width, (box.y + box.height / 2 - all.y) / all.height];
  });

/** A screen point relative to one vertex, in units of the distance between that vertex and another, so that scale and margins do not matter. */
async function seenFrom(page, one, other, [x, y]) {
  const [a, b] = [await middle(page, one), await middle(page, other)];
  const unit = Math.hypot(b[0] - a[0], b[1] - a[1]);
  return [(x - a[0]) / unit, (y - a[1]) / unit];
}

const near = ([x, y], [u, v], within = 2) => Math.hypot(x - u, y - v) <= within;

async function assertAt(page, name, wanted, within) {
  const at = await middle(page, name);
  assert.ok(near(at, wanted, within), `${name} is at ${at}, not at ${wanted}`);
}

/** Pastes text as a board. */
async function paste(page, text) {
  await click(page, 'Paste…');
  await page.locator('#paste-text').fill(text);
  await click(page, 'Use this board');
}

const boardOf = (page) => page.evaluate(() => new URLSearchParams(location.hash.split('?')[1]).get('board'));

for (const [game, has] of some([['edge', /colors: 3/], ['moles', /board: 11111/], ['tricolor', /colors: RRRRR/]], 1)) {
  test(`${game}: a list of graphs can be stepped through`, () =>
    here.page({ allowed: /status of 422/ }, async (page) => {
      await here.open(page, game);
      await paste(page, '>>graph6<<DQc\n\n# a comment\nP5\nD?{\n');
      const list = page.getByRole('group', { name: 'List of graphs' });
      await list.getByText('of 3').waitFor();
      const first = await boardOf(page);
      assert.ok(await list.getByRole('button', { name: 'Previous graph' }).isDisabled());
      await list.getByRole('button', { name: 'Next graph' }).click();
      await page.waitForFunction(() => document.querySelector('#graph-number').value === '2');
      assert.match(await boardOf(page), has);
      assert.notEqual(await boardOf(page), first);
      await list.getByRole('spinbutton').fill('99');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.querySelector('#graph-number').value === '3');
      assert.ok(await list.getByRole('button', { name: 'Next graph' }).isDisabled());
      // Text that is not a list has its own error, and another board closes the list.
      await paste(page, 'P5\n!\n');
      await page.getByRole('alert').getByText('line', { exact: false }).waitFor();
      await click(page, 'Cancel');
      await paste(page, game === 'moles' ? '01\n10' : game === 'edge' ? 'P4' : 'colors: RG\nedges: 0-1');
      await list.waitFor({ state: 'hidden' });
    }));
}

/** Waits until the board's text has a layout. */
const placed = (page) => page.waitForFunction(() => decodeURIComponent(location.hash).includes('layout'));

async function dragBy(page, name, dx, dy) {
  const [x, y] = await middle(page, name);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx / 2, y + dy / 2, { steps: 4 });
  await page.mouse.move(x + dx, y + dy, { steps: 4 });
  return { to: [x + dx, y + dy], drop: () => page.mouse.up() };
}

/** True if the lines that join vertices end where the vertices are drawn. */
const linesEndAtVertices = (page) =>
  page.evaluate(() => {
    const centers = [...document.querySelectorAll('.holder .place')].map((group) => {
      const box = group.firstElementChild.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    });
    return [...document.querySelectorAll('.holder svg > line')].every((line) => {
      const matrix = line.getScreenCTM();
      const end = (which) => new DOMPoint(Number(line.getAttribute(`x${which}`)), Number(line.getAttribute(`y${which}`))).matrixTransform(matrix);
      return [end(1), end(2)].every(({ x, y }) => centers.some(([u, v]) => Math.hypot(x - u, y - v) < 2.5));
    });
  });

for (const { game, vertex, other, move, board } of some(BOARDS, 1)) {
  test(`${game}: a vertex is dragged with a mouse, its edges follow, and moves are kept`, () =>
    here.page({}, async (page) => {
      await here.open(page, address(game, board));
      await clickAll(page, move);
      await made(page, 1);
      const stays = await middle(page, other);
      const { to, drop } = await dragBy(page, vertex, -22, -31);
      await assertAt(page, vertex, to);
      assert.ok(await linesEndAtVertices(page), 'lines follow while it is dragged');
      await drop();
      await placed(page);
      await assertAt(page, vertex, to);
      await assertAt(page, other, stays);
      assert.ok(await linesEndAtVertices(page));
      assert.equal(await page.locator('#panel-play .made li').count(), 1);
      assert.equal(await page.locator('.holder .carried').count(), 0);
      // A click is still a move.
      await clickAll(page, move.length === 1 ? [vertex] : [vertex, 'color 2']);
      await made(page, 2);
      await assertAt(page, vertex, to);
      await page.reload();
      await page.locator('.holder svg').waitFor();
      await made(page, 2);
      await assertAt(page, vertex, to);
    }));

  test(`${game}: a vertex is dragged with a finger, and the page does not scroll`, () =>
    here.page({ ...PHONE, viewport: { width: 390, height: 780 } }, async (page) => {
      await here.open(page, address(game, board));
      await place(page, vertex).scrollIntoViewIfNeeded();
      const [x, y] = await middle(page, vertex);
      const scroll = await page.evaluate(() => scrollY);
      await swipe(page, [x, y], [x - 24, y - 36]);
      await placed(page);
      await assertAt(page, vertex, [x - 24, y - 36], 3);
      assert.equal(await page.evaluate(() => scrollY), scroll);
      assert.equal(await page.locator('#panel-play .made li').count(), 0);
    }));

  test(`${game}: Shift and the arrow keys move the vertex that has the focus`, () =>
    here.page({}, async (page) => {
      await here.open(page, address(game, board));
      const [x, y] = await middle(page, vertex);
      await place(page, vertex).focus();
      await page.keyboard.press('Shift+ArrowUp');
      await page.keyboard.press('Shift+ArrowUp');
      await page.keyboard.press('Shift+ArrowRight');
      await page.waitForFunction(([name, x, y]) => {
        const box = document.querySelector(`.holder [data-name="${name}"]`).firstElementChild.getBoundingClientRect();
        return box.x + box.width / 2 > x + 6 && box.y + box.height / 2 < y - 12;
      }, [vertex, x, y]);
      await placed(page);
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-name')), vertex, 'the focus stays');
      // Without Shift, the arrow keys move between places.
      await page.keyboard.press('ArrowLeft');
      assert.notEqual(await page.evaluate(() => document.activeElement?.getAttribute('data-name')), vertex);
    }));

  test(`${game}: in the editor, a click adds a vertex there, it can be dragged, and the layout can be reset`, () =>
    here.page({}, async (page) => {
      await here.open(page, address(game, board));
      const places = () => page.locator('.holder [data-name]').evaluateAll((groups) => groups.map((group) => group.getAttribute('data-name')));
      await click(page, 'Edit');
      await page.getByRole('button', { name: 'Play this board' }).waitFor();
      assert.equal(await page.getByRole('button', { name: /^(Edit|Done)$/ }).count(), 0, 'the editor has only one button that leaves it');
      const before = await places();
      await click(page, '+ vertex');
      await said(page, 'Click the board to place it');
      const box = await page.locator('.holder svg').boundingBox();
      const to = [box.x + 0.18 * box.width, box.y + 0.14 * box.height];
      const wanted = await seenFrom(page, vertex, other, to);
      await page.mouse.click(...to);
      await page.waitForFunction((count) => document.querySelectorAll('.holder [data-name]').length === count, before.length + 1);
      const added = (await places()).find((name) => !before.includes(name));
      // The scale may change with the graph, but the place relative to other vertices does not.
      const found = await seenFrom(page, vertex, other, await middle(page, added));
      assert.ok(near(found, wanted, 0.05), `${found}, not ${wanted}`);
      // By keyboard: pressing the button again uses any free place.
      await page.getByRole('button', { name: '+ vertex' }).press('Enter');
      await page.waitForFunction((count) => document.querySelectorAll('.holder [data-name]').length === count, before.length + 2);
      const { to: there, drop } = await dragBy(page, added, 30, 20);
      const dropped = await seenFrom(page, vertex, other, there);
      await drop();
      await page.waitForFunction(() => document.querySelectorAll('.holder .carried').length === 0);
      const stands = await seenFrom(page, vertex, other, await middle(page, added));
      assert.ok(near(stands, dropped, 0.05), `${stands}, not ${dropped}`);
      await click(page, 'Play this board');
      await page.getByRole('button', { name: 'Edit' }).waitFor();
      await placed(page);
      assert.ok((await places()).includes(added));
      await click(page, 'Edit');
      await click(page, 'Reset layout');
      await page.locator('.editor').getByRole('button', { name: 'Undo' }).and(page.locator(':enabled')).waitFor();
      await click(page, 'Play this board');
      await page.waitForFunction(() => !decodeURIComponent(location.hash).includes('layout'));
    }));
}

test('dragging a vertex out of the drawing makes the drawing grow', () =>
  here.page({}, async (page) => {
    await here.open(page, address('edge', 'graph: P5\ncolors: 3'));
    const ratio = () => page.locator('.holder svg').evaluate((svg) => svg.viewBox.baseVal.height / svg.viewBox.baseVal.width);
    const before = await ratio();
    const box = await page.locator('.holder svg').boundingBox();
    const [, y] = await middle(page, 'vertex c');
    const { drop } = await dragBy(page, 'vertex c', 0, box.y - y - 20);
    await drop();
    await placed(page);
    assert.ok((await ratio()) > before);
    const [, down] = await inDrawing(page, 'vertex c');
    assert.ok(down > 0, 'it is in the drawing');
  }));

test('edge: dropping a vertex on a color is a move, and the vertex returns to its place', () =>
  here.page({}, async (page) => {
    await here.open(page, address('edge', 'graph: P5\ncolors: 3'));
    const at = await middle(page, 'vertex b');
    const [x, y] = await middle(page, 'color 2');
    const { drop } = await dragBy(page, 'vertex b', x - at[0], y - at[1]);
    await drop();
    await made(page, 1);
    await assertAt(page, 'vertex b', at);
    assert.ok(!decodeURIComponent(page.url()).includes('layout'));
  }));

test('a long path can be played on a phone', () =>
  here.page({ ...PHONE, viewport: { width: 390, height: 780 } }, async (page) => {
    await here.open(page, address('edge', 'P12'));
    const centers = await Promise.all([...'abcdefghijkl'].map((letter) => middle(page, `vertex ${letter}`)));
    for (const [at, one] of centers.entries()) for (const two of centers.slice(0, at)) assert.ok(Math.hypot(one[0] - two[0], one[1] - two[1]) >= 40);
    await place(page, 'vertex l').tap();
    await place(page, 'color 3').tap();
    await made(page, 1);
  }));
