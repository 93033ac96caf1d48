// The entry point: shows the gallery or one game, as the address says.

import * as api from './api.js';
import { h, fill, capital } from './dom.js';
import { miniature } from './board.js';
import { GameView } from './game.js';
import * as share from './share.js';

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const nav = /** @type {HTMLElement} */ (document.getElementById('games'));
/** @type {GameView | null} */
let view = null;
/** @type {Promise<api.GameRow[]>} */
let listed = api.games();

/** @param {unknown} error */
function trouble(error) {
  const { message, help } = api.problem(error);
  fill(
    main,
    h('section', { class: 'trouble', role: 'alert' }, h('h1', null, 'Something went wrong'), h('p', null, `${message}.`), help && h('p', { class: 'soft' }, `${capital(help)}.`), h('p', null, h('a', { href: '#/' }, 'All games')))
  );
}

/** @param {api.GameRow[]} games */
function gallery(games) {
  document.title = 'Kibitzer';
  fill(
    main,
    h('section', { class: 'hero' }, h('h1', null, 'See it, play it, solve it'), h('p', null, 'A kibitzer looks over your shoulder and knows the best move. This one can prove it.')),
    h(
      'ul',
      { class: 'gallery' },
      games.map((game) =>
        h(
          'li',
          null,
          h(
            'a',
            { class: 'card', href: `#/${game.name}` },
            h('div', { class: 'frame' }, miniature(game.scene)),
            h('h2', null, capital(game.name)),
            h('p', null, `${capital(game.about)}.`),
            h('p', { class: 'soft small' }, game.players === 2 ? 'Two players' : 'One player')
          )
        )
      )
    )
  );
}

async function route() {
  const place = share.read();
  view?.leave();
  view = null;
  try {
    const games = await listed;
    fill(nav, ...games.map((game) => h('a', { href: `#/${game.name}`, 'aria-current': game.name === place.game ? 'page' : null }, capital(game.name))));
    nav.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
    if (place.game === '') {
      gallery(games);
    } else {
      const about = await api.about(place.game);
      document.title = `${capital(about.name)} · Kibitzer`;
      view = new GameView(main, about);
      await view.open(place);
    }
  } catch (error) {
    listed = api.games();
    listed.catch(() => {});
    trouble(error);
  }
}

addEventListener('hashchange', () => {
  if (location.hash === '#main') return;
  scrollTo(0, 0);
  route();
});
document.querySelector('.skip')?.addEventListener('click', (event) => {
  // The part of the address after `#` says which board this is; a jump there would overwrite it.
  event.preventDefault();
  main.focus();
});
route();
