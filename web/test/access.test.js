// Accessibility: no serious violations in any workspace, dialog or message, on a desktop and on a phone, in both themes; and the
// names of the places on every board, from Chromium's own accessibility tree.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, PHONE, assessed, bestMove, checkAccess, click, clickAll, compared, made, place, pressSolve, searched, serverOnly, site, some, unfold } from './harness.js';

const here = site();
const { open, page } = here;

/** On a phone the board picker is collapsed. */
async function choose(page, name) {
  const more = page.getByRole('button', { name: 'More…' });
  if (await more.isVisible()) await more.click();
  await page.locator('.picker').getByRole('button', { name }).click();
}

/** Views of the page by name, each with the steps that open it. */
const SIGHTS = {
  gallery: (page) => open(page),
  solve: async (page) => {
    await open(page, 'pegs?view=solve');
    await pressSolve(page);
    await page.locator('.film').waitFor();
  },
  compare: async (page) => {
    await open(page, 'chexers?view=compare');
    await page.locator('#panel-compare').getByRole('button', { name: 'Run' }).click();
    await compared(page);
  },
  'the methods compared': async (page) => {
    // On a phone the results take their place.
    const methods = page.getByRole('button', { name: 'Methods', exact: true });
    if (await methods.isVisible()) await methods.click();
    await page.getByText('What the methods do').click();
  },
  search: async (page) => {
    await open(page, 'pegs?view=search&method=astar:priced&second=bfs&step=5');
    await searched(page);
  },
  projector: async (page) => {
    await page.locator('.stage .transport .play').focus();
    await page.keyboard.press('p');
    await page.locator('dialog.projector[open]').waitFor();
  },
  review: async (page) => {
    await open(page, `pegs?board=${encodeURIComponent('....\n.dc.\n.ba.\n....')}&moves=${encodeURIComponent('a left\nc left\na up')}`);
    await page.locator('.review .summary', { hasText: 'best possible is 4' }).waitFor();
  },
  'look back': async (page) => {
    // On a phone the message covers the moves until it is dismissed.
    const dismiss = page.getByRole('button', { name: 'Dismiss' });
    if (await dismiss.isVisible()) await dismiss.click();
    await page.locator('.review .made button').first().click();
    await page.getByRole('button', { name: 'Back to my game' }).waitFor();
  },
  share: (page) => choose(page, 'Share…'),
  paste: async (page) => {
    await click(page, 'Close');
    await choose(page, 'Paste…');
  },
  'list of graphs': async (page) => {
    await page.keyboard.press('Escape');
    await open(page, 'tricolor');
    await choose(page, 'Paste…');
    await page.locator('#paste-text').fill('P5\nD?{\n');
    await click(page, 'Use this board');
    await page.getByRole('group', { name: 'List of graphs' }).getByText('of 2').waitFor();
  },
  'a long path': (page) => open(page, 'edge?board=P12'),
  labels: async (page) => {
    await open(page, 'edge');
    await unfold(page);
    await page.getByLabel('Show who wins after every move').check();
    await page.locator('.moves .badge').first().waitFor();
  },
  'a solved level': async (page) => {
    await open(page, 'moles?level=easy&seed=1');
    const { instance } = await here.ask('/api/moles/level', { level: 'easy', seed: 1 });
    await clickAll(page, (await here.solve('moles', { instance })).plan);
    await page.locator('.message').getByRole('button', { name: 'Next board' }).waitFor();
  },
  results: async (page) => {
    await choose(page, /solved/);
    await page.locator('dialog .scores tr').nth(1).waitFor();
  },
};

async function workspaces(options, where) {
  await page({ ...options, allowed: /status of 422/ }, async (page) => {
    for (const [what, lead] of Object.entries(SIGHTS)) {
      await lead(page);
      await checkAccess(page, `${what}, ${where}`);
    }
  });
}

async function games(options, where) {
  await here.each(options, async (page, game) => {
    await assessed(page);
    await page.locator('.intro .short').evaluate((details) => (details.open = true));
    await clickAll(page, bestMove(game).clicks);
    await made(page, 1);
    await click(page, 'Why?');
    await page.locator('.left .message.explanation').waitFor();
    await checkAccess(page, `${game.name}, ${where}`);
  });
}

const DEVICES = [['desk', 'light', DESK], ['phone', 'dark', PHONE], ['desk', 'dark', DESK], ['phone', 'light', PHONE]];
/** Both parts are checked on all devices; a short run checks one part on a desktop and the other on a phone. */
const CHECKS = [[workspaces, games], [games, workspaces]].flatMap((parts) => DEVICES.map((device, at) => [parts[at % 2], ...device]));
for (const [part, device, colorScheme, options] of some(CHECKS, 2)) {
  const where = `on a ${device}, ${colorScheme}`;
  test(`no serious accessibility violations in ${part.name} ${where}`, serverOnly, () => part({ ...options, colorScheme, bypassCSP: true }, where));
}

/** The names of the buttons on the board, in order. */
async function boardNames(page) {
  const title = await page.locator('.holder svg').getAttribute('aria-label');
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const inside = (node) => (node.childIds ?? []).map((id) => byId.get(id)).flatMap((child) => [child, ...inside(child)]);
  const board = nodes.find((node) => node.role?.value === 'group' && node.name?.value === title);
  assert.ok(board, `no group is called \`${title}\``);
  return inside(board).filter((node) => !node.ignored && node.role?.value === 'button').map((node) => node.name.value);
}

/** Boards, names that must be read, and a pattern that all names must match. */
const BOARDS = [
  { game: 'moles', board: '010\n000', names: ['hole 1, empty', 'hole 2, mole', 'hole 6, empty'], all: /^hole \d+, (mole|empty)$/ },
  { game: 'moles', board: 'states: 3\nlocked: 2\n021', names: ['hole 1, empty', 'hole 2, state 2, locked', 'hole 3, state 1'], all: /^hole / },
  { game: 'moles', board: 'graph: P3\nboard: 010', names: ['hole 1, empty', 'hole 2, mole', 'hole 3, empty'], all: /^hole \d+, (mole|empty)$/ },
  { game: 'pegs', board: 'ab.\n...', names: ['a, row 0 column 0', 'b, row 0 column 1', 'empty hole, row 1 column 2'], all: /^(\w|empty hole), row \d+ column \d+$/ },
  {
    game: 'chexers',
    board: '{"colour": "red", "pieces": [[0, 1], [3, 0]], "blocks": [[-1, 0]]}',
    names: ['piece at (0, 1)', 'piece on the exit at (3, 0)', 'block at (-1, 0)', 'exit at (3, -1)', 'empty hex at (0, 0)'],
    all: /^(piece|piece on the exit|block|exit|empty hex) at \(-?\d, -?\d\)$/,
  },
  { game: 'tiles', board: '1 2\n0 3', names: ['tile 1, row 1 column 1', 'blank, row 2 column 1'], all: /^(tile \d+|blank), row \d column \d$/ },
  { game: 'maze', board: 'S5#\n..G', names: ['price 5, column 1 row 0'], all: /, column \d row \d$/ },
  { game: 'connect', board: '...\nXO.\n...', names: ['square a2, X', 'square b2, O', 'square c1, empty'], all: /^square \w\d, (X|O|empty)$/ },
  { game: 'kayles', board: 'graph: P3; taken: a + heaps: 2', names: ['vertex 1:a, taken', 'vertex 1:b', 'pin 2:1.2'], all: /^(vertex|pin) \d:\S+(, taken)?$/ },
  { game: 'tricolor', board: 'colors: GRB\nedges: 0-1 1-2', names: ['vertex 0, green', 'vertex 1, red', 'vertex 2, black'], all: /^vertex \d+, (red|green|black)$/ },
  {
    game: 'edge',
    board: 'graph: P3\ncolors: 2\nposition: -,-,2',
    names: ['vertex a, uncolored', 'vertex c, color 2', 'color 1', 'color 2'],
    all: /^(vertex \w+, (color \d+|uncolored)|color \d+)$/,
  },
];

test('screen readers get a name for every place of every board that describes its contents', () =>
  page({}, async (page) => {
    assert.deepEqual(here.games.map((game) => game.name).filter((name) => !BOARDS.some(({ game }) => game === name)), [], 'a game has no board here');
    for (const { game, board, names, all } of BOARDS) {
      await open(page, `${game}?board=${encodeURIComponent(board)}`);
      const read = await boardNames(page);
      for (const name of names) assert.ok(read.includes(name), `${game}: \`${name}\` is not among ${JSON.stringify(read)}`);
      assert.deepEqual(read.filter((name) => !all.test(name)), [], game);
      assert.equal(new Set(read).size, read.length, `${game}: two places have the same name`);
    }
    // Also after a move.
    await open(page, `moles?board=${encodeURIComponent('010\n000')}`);
    await place(page, '2').click();
    await made(page, 1);
    assert.deepEqual(await boardNames(page), ['hole 1, mole', 'hole 2, empty', 'hole 3, mole', 'hole 4, empty', 'hole 5, mole', 'hole 6, empty']);
  }));

test('the editor and the position graph also have names for screen readers', () =>
  page({}, async (page) => {
    await open(page, `pegs?board=${encodeURIComponent('ab.\n#..')}`);
    await click(page, 'Edit');
    await page.getByRole('button', { name: 'Play this board' }).waitFor();
    const read = await boardNames(page);
    for (const name of ['a, row 0 column 0', 'no hole, row 1 column 0', 'no hole, row -1 column 3']) assert.ok(read.includes(name), `${name}: ${JSON.stringify(read)}`);
    await open(page, `edge?board=${encodeURIComponent('graph: P3\ncolors: 2')}&view=graph`);
    await page.locator('.graph').getByRole('button', { name: /, the player to move (wins|loses)$/ }).first().waitFor();
  }));
