// The entry point: shows the gallery or one game, depending on the address.

import * as api from './engine/api.js';
import { h, fill, rich, capital } from './dom.js';
import { miniature } from './board/scene.js';
import { resultsDialog } from './frame/dialogs.js';
import { GameView } from './frame/view.js';
import { choice } from './state/choices.js';
import * as record from './state/record.js';
import * as share from './state/address.js';

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const nav = /** @type {HTMLElement} */ (document.getElementById('games'));
/** @type {GameView | null} */
let view = null;
/** @type {Promise<api.GameRow[]>} */
let listed = api.games();

/** Shows an error instead of the game. @param {unknown} error @param {string} game the game in the address, if it exists */
function trouble(error, game) {
  const { message, help } = api.problem(error);
  const ways = h('p', null, game && [h('a', { href: `#/${game}` }, `Open ${capital(game)} with its first board`), ' · '], h('a', { href: '#/' }, 'All games'));
  document.documentElement.classList.remove('playing');
  fill(main, h('section', { class: 'trouble start', role: 'alert' }, h('h1', null, 'Something went wrong'), h('p', null, rich(`${message}.`)), help && h('p', { class: 'soft' }, rich(`${capital(help)}.`)), ways));
}

/** The streak and a button that shows all results; empty if there are none. @param {api.GameRow[]} games */
function progress(games) {
  const days = record.streak();
  if (days === 0 && games.every(({ name }) => record.count(name) === 0)) return null;
  const label = days > 0 ? `${days}-day streak · Your results` : 'Your results';
  const title = 'Days in a row on which you solved a daily board, in any game';
  return h('p', { class: 'streak' }, h('button', { type: 'button', title, onclick: () => resultsDialog(() => {}) }, label));
}

/** @param {api.GameRow} game */
const card = ({ name, about, players, scene }) =>
  h(
    'a',
    { class: 'card', href: `#/${name}` },
    h('div', { class: 'frame' }, miniature(scene)),
    h('h2', null, capital(name)),
    h('p', null, `${capital(about)}.`),
    h('p', { class: 'soft small' }, players === 2 ? 'Two players' : 'One player', record.summary(name) && [' · ', h('span', { class: 'marks' }, record.summary(name))])
  );

/** @param {api.GameRow[]} games */
function gallery(games) {
  document.title = 'Kibitzer';
  document.documentElement.classList.remove('playing');
  const hero = h('section', { class: 'hero' }, h('h1', null, 'See it, play it, solve it'), h('p', null, 'A kibitzer looks over your shoulder and knows the best move. This one can prove it.'), progress(games));
  const cards = [today(games), ...games.map(card)].map((entry) => h('li', null, entry));
  fill(main, h('div', { class: 'start' }, hero, h('ul', { class: 'gallery' }, cards)));
}

/** The daily boards, and a link back to the last game. @param {api.GameRow[]} games */
function today(games) {
  const date = record.today();
  const mark = (/** @type {string} */ name) => record.resultOn(name, `daily-${date}`) && h('span', { class: 'marks' }, ' ✓');
  const [address = '', words = ''] = choice('last')?.split('\n') ?? [];
  return h(
    'section',
    { class: 'today', 'aria-label': 'Today' },
    h('h2', null, 'Today’s boards'),
    h('p', { class: 'soft small' }, `${date}, the same for everyone`),
    h('ul', null, ...games.map(({ name }) => h('li', null, h('a', { href: `#/${name}?daily=${date}` }, capital(name)), mark(name) || null))),
    address.startsWith('#/') && h('p', { class: 'continue' }, h('a', { href: address }, `Continue: ${words}`))
  );
}

/** The number of addresses opened so far. Answers that belong to earlier addresses are not shown. */
let turns = 0;

async function route() {
  const turn = ++turns;
  const game = share.readGame();
  let known = '';
  for (const box of document.querySelectorAll('dialog')) box.close();
  view?.leave();
  view = null;
  try {
    const games = await listed;
    if (turn !== turns) return;
    known = games.find(({ name }) => name === game)?.name ?? '';
    fill(nav, ...games.map(({ name }) => h('a', { href: `#/${name}`, 'aria-current': name === game ? 'page' : null, 'data-text': capital(name) }, capital(name))));
    nav.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
    const place = share.read();
    if (game === '') {
      gallery(games);
    } else {
      const about = await api.about(game);
      if (turn !== turns) return;
      document.title = `${capital(about.name)} · Kibitzer`;
      const opened = (view = new GameView(main, about));
      await opened.open(place);
    }
  } catch (error) {
    if (turn !== turns) return;
    view?.leave();
    listed = api.games();
    listed.catch(() => {});
    trouble(error, known);
  }
}

addEventListener('hashchange', () => {
  if (location.hash === '#main') return;
  scrollTo(0, 0);
  route();
});
document.querySelector('.skip')?.addEventListener('click', (event) => {
  // Following this link would overwrite the part of the address after `#`, which names the board.
  event.preventDefault();
  main.focus();
});
route();
