// No serious accessibility violation: every workspace, dialog and message, on a desk and on a phone, in both themes.

import { test } from 'node:test';
import { DESK, PHONE, assessed, bestMove, checkAccess, click, clickAll, made, pressSolve, serverOnly, site, some, unfold } from './harness.js';

const here = site();
const { open } = here;

const searched = (page) => page.locator('#panel-search > [role=status]', { hasText: /expanded\.$/ }).waitFor({ state: 'attached' });

/** On a phone the row of boards is folded. */
async function choose(page, name) {
  const more = page.getByRole('button', { name: 'More…' });
  if (await more.isVisible()) await more.click();
  await page.locator('.picker').getByRole('button', { name }).click();
}

/** Places of the page by name, and the steps that lead there. */
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
    await page.locator('#panel-compare [role=status]', { hasText: /methods compared/ }).waitFor();
    await page.getByText('What the methods do').click();
  },
  search: async (page) => {
    await open(page, 'pegs?view=search&method=astar:priced&second=bfs&step=5');
    await searched(page);
  },
  projector: async (page) => {
    await page.locator('.transport .play').focus();
    await page.keyboard.press('p');
    await page.locator('dialog.projector[open]').waitFor();
  },
  review: async (page) => {
    await open(page, `pegs?board=${encodeURIComponent('....\n.dc.\n.ba.\n....')}&moves=${encodeURIComponent('a left\nc left\na up')}`);
    await page.locator('.review .summary', { hasText: 'best possible 4' }).waitFor();
  },
  'look back': async (page) => {
    // On a phone the message lies over the moves until it is dismissed.
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
  labels: async (page) => {
    await open(page, 'edge?board=P12');
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

const DEVICES = [['desk', 'light', DESK], ['phone', 'dark', PHONE], ['desk', 'dark', DESK], ['phone', 'light', PHONE]];
for (const [device, colorScheme, options] of some(DEVICES, 2)) {
  test(`no serious accessibility violation on a ${device}, ${colorScheme}`, serverOnly, async () => {
    await here.page({ ...options, colorScheme, bypassCSP: true }, async (page) => {
      for (const [what, lead] of Object.entries(SIGHTS)) {
        await lead(page);
        await checkAccess(page, `${what}, ${device}, ${colorScheme}`);
      }
    });
    await here.each({ ...options, colorScheme, bypassCSP: true }, async (page, game) => {
      await assessed(page);
      await page.locator('.intro .short').evaluate((details) => (details.open = true));
      await clickAll(page, bestMove(game).clicks);
      await made(page, 1);
      await click(page, 'Why?');
      await page.locator('.left .message.explanation').waitFor();
      await checkAccess(page, `${game.name}, ${device}, ${colorScheme}`);
    });
  });
}
