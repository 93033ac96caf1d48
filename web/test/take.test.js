// The Share dialog and downloads: a link, the board as a picture, and a plan as a film.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESK, answerWith, click, frame, made, pixel, place, pressSolve, questions, said, saved, site, some, tabTo } from './harness.js';

const here = site();
const { page, open, ask } = here;

/** The picture of the board, as the Share dialog saves it. */
async function picture(page) {
  await click(page, 'Share…');
  const { name, bytes } = await saved(page, () => page.getByRole('button', { name: 'Download SVG' }).click());
  await click(page, 'Close');
  return { name, text: bytes.toString() };
}

test('the board is saved as SVG and PNG, in the colors of the theme', async () => {
  for (const colorScheme of some(['dark', 'light'], 1)) {
    await page({ colorScheme }, async (page) => {
      // Nine holes, with a mole only in the middle one.
      await open(page, `moles?board=${encodeURIComponent('000\n010\n000')}`);
      const { name, text } = await picture(page);
      assert.equal(name, 'moles-board.svg');
      assert.doesNotMatch(text.replaceAll('http://www.w3.org', ''), /https?:|class=|style|var\(--|data-name|tabindex/, 'it needs no style sheet');
      const parsed = await page.evaluate((text) => {
        const svg = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
        return { title: svg.querySelector('title').textContent, width: Number(svg.getAttribute('width')), shapes: svg.querySelectorAll('circle, rect, polygon, line').length };
      }, text);
      const { scene } = await ask('/api/moles/position', { instance: '000\n010\n000' });
      assert.equal(parsed.title, scene.title);
      assert.equal(parsed.shapes, scene.shapes.filter(({ form }) => form !== 'text').length + 1, 'every shape, and the background');
      await click(page, 'Share…');
      const png = await saved(page, () => page.getByRole('button', { name: 'Download PNG' }).click());
      assert.equal(png.name, 'moles-board.png');
      const image = `data:image/png;base64,${png.bytes.toString('base64')}`;
      const corner = await pixel(page, image, 0.01, 0.01);
      assert.equal(corner.width, 2 * parsed.width);
      assert.equal(`rgb(${corner.color.join(', ')})`, await page.locator('.holder').evaluate((holder) => getComputedStyle(holder).backgroundColor), colorScheme);
      const middle = await pixel(page, image, 0.5, 0.5);
      assert.notDeepEqual(middle.color, corner.color, 'the board is in it');
    });
  }
});

test('file names describe the contents', () =>
  page({}, async (page) => {
    const svg = async (name) => assert.equal((await picture(page)).name, name);
    await open(page, 'pegs?seed=7');
    await svg('pegs-seed-7.svg');
    await click(page, 'Hint');
    await click(page, 'Play it');
    await made(page, 1);
    await svg('pegs-seed-7-move-1.svg');
    await open(page, 'moles?seed=7&size=4x6');
    await svg('moles-seed-7-size-4x6.svg');
    await page.getByLabel('Board', { exact: true }).selectOption('instance:full-5');
    await said(page, 'Best possible cost');
    await svg('moles-full-5.svg');
    await page.getByLabel('Board', { exact: true }).selectOption('sample');
    await page.waitForURL(/#\/moles$/);
    await page.locator('.status', { hasText: /best possible \d/ }).waitFor();
    await svg('moles-sample.svg');
  }));

test('a visible explanation is part of the picture', () =>
  page({}, async (page) => {
    await open(page, 'moles');
    const plain = await picture(page);
    await click(page, 'Why?');
    await page.locator('.holder .tint, .holder .over > *').first().waitFor();
    assert.ok((await picture(page)).text.length > plain.text.length);
  }));

test('a link is copied, by mouse and by keyboard, and leads to the same board and moves', () =>
  page({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await open(page, `moles?board=${encodeURIComponent('010\n000')}`);
    await place(page, '2').click();
    await made(page, 1);
    await click(page, 'Share…');
    await click(page, 'Copy link');
    await said(page, 'Link copied');
    const link = await copied();
    assert.match(decodeURIComponent(link), /board=.*moves=/s);
    await page.goto(`${here.base}/#/`);
    await page.goto(link);
    await made(page, 1);
    await open(page, 'pegs?seed=7');
    await tabTo(page, () => document.activeElement?.textContent === 'Share…');
    await page.keyboard.press('Enter');
    await tabTo(page, () => document.activeElement?.textContent === 'Copy link');
    await page.keyboard.press('Enter');
    await said(page, 'Link copied');
    assert.equal(await copied(), `${here.base}/#/pegs?seed=7`);
    // Shares only the board, without the moves, for someone else to solve.
    await open(page, `moles?board=${encodeURIComponent('010\n000')}&moves=2`);
    await click(page, 'Share…');
    assert.match(await page.locator('#share-link').inputValue(), /moves=2/);
    await page.getByLabel('Share', { exact: true }).selectOption('board');
    assert.doesNotMatch(await page.locator('#share-link').inputValue(), /moves=/);
    await click(page, 'Copy link');
    await said(page, 'Link copied. It opens this board.');
    assert.doesNotMatch(await copied(), /moves=/);
    // The sample may change in a later version, so a link to it contains its text.
    await open(page, 'moles');
    await click(page, 'Share…');
    assert.match(await page.locator('#share-link').inputValue(), /board=/);
  }));

test('the system shares the link if it can', async () => {
  const address = `moles?board=${encodeURIComponent('01\n11')}`;
  await page(DESK, async (page) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'share', { value: async (what) => (window.shared = what), configurable: true });
    });
    await open(page, address);
    await page.locator('.picker').getByRole('button', { name: 'Share…' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Share…' }).click();
    await page.locator('dialog').getByText('Shared.').waitFor();
    const { url, title } = await page.evaluate(() => window.shared);
    assert.match(decodeURIComponent(url), /#\/moles\?board=01/);
    assert.match(title, /Moles/);
    // A canceled share is not an error.
    await page.evaluate(() => Object.defineProperty(navigator, 'share', { value: () => Promise.reject(new DOMException('no', 'AbortError')) }));
    await page.locator('dialog').getByRole('button', { name: 'Share…' }).click();
    await page.locator('dialog [role=status]', { hasText: /^$/ }).waitFor({ state: 'attached' });
    assert.equal(await page.locator('dialog .message').innerText(), '', 'no error is shown');
  });
  await page(DESK, async (page) => {
    await page.addInitScript(() => delete Navigator.prototype.share);
    await open(page, address);
    await page.locator('.picker').getByRole('button', { name: 'Share…' }).click();
    await page.getByRole('button', { name: 'Copy link' }).waitFor();
    assert.equal(await page.locator('dialog').getByRole('button', { name: 'Share…' }).count(), 0);
  });
});

test('if the browser does not allow copying to the clipboard, the link is selected', () =>
  page(DESK, async (page) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('no')) } }));
    await open(page, 'pegs?seed=7');
    await click(page, 'Share…');
    await click(page, 'Copy link');
    await page.getByRole('alert').getByText('copy it with Ctrl+C').waitFor();
    const selected = await page.locator('#share-link').evaluate((field) => field.value.slice(field.selectionStart, field.selectionEnd));
    assert.equal(selected, `${here.base}/#/pegs?seed=7`);
  }));

test('a plan is saved as a film if the server supports films', async () => {
  // The test invents the list of questions and the film, so that servers with and without films are tested.
  const described = (film) => ({ paths: { '/api/{game}/solve': {}, ...(film ? { '/api/{game}/film': {} } : {}) } });
  const solved = async (page, film) => {
    await page.route('**/openapi.json', (route) => route.fulfill({ json: described(film) }));
    await open(page, 'pegs?seed=7&view=solve');
    const answer = page.waitForResponse('**/openapi.json');
    await pressSolve(page);
    await (await answer).finished();
    await page.locator('.film').waitFor();
  };
  await page(DESK, async (page) => {
    const html = '<!doctype html><title>A film</title>';
    await answerWith(page, 'film', () => ({ html }));
    const asked = await questions(page);
    await solved(page, true);
    const plan = await page.locator('.plan li').allInnerTexts();
    await tabTo(page, () => document.activeElement?.textContent === 'Download film');
    const film = await saved(page, () => page.keyboard.press('Enter'));
    assert.deepEqual([film.name, film.bytes.toString()], ['pegs-seed-7-film.html', html]);
    const request = asked.find(({ question }) => question === 'film').body;
    const { instance } = await ask('/api/pegs/generate', { seed: 7 });
    const { start } = await ask('/api/pegs/position', { instance });
    assert.deepEqual(request, { instance: start, options: {}, moves: [], plan });
  });
  await page(DESK, async (page) => {
    await solved(page, false);
    await frame(page);
    assert.equal(await page.getByRole('button', { name: 'Download film' }).count(), 0);
  });
});
