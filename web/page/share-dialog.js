// What is given away: a link to the board, or to the board and the moves made on it, through the system's own share sheet
// where there is one; and the board as a picture.

/** @import { GameView } from './game.js' */
import * as api from './api.js';
import { dialog } from './dialogs.js';
import { h, fill, capital, counted } from './dom.js';
import { save, saveSvg } from './download.js';
import { picture, png } from './picture.js';
import * as share from './share.js';

/** @param {GameView} view */
export function shareDialog(view) {
  // The sample may change one day: a link to it holds its text.
  const place = { ...view.place, board: view.text ?? view.about.sample };
  const isSolved = view.position?.goal === true && view.position.turn === null && view.moves.length > 0;
  const mine = isSolved ? 'solution' : 'moves';
  const field = h('input', { id: 'share-link', class: 'address', type: 'text', readonly: true });
  const said = h('p', { class: 'soft', role: 'status' });
  const choice = h(
    'select',
    { id: 'share-what', onchange: () => refresh() },
    h('option', { value: 'moves' }, `the board and my ${mine} (${counted(view.moves.length, 'move')})`),
    h('option', { value: 'board' }, 'the board alone, for somebody else to solve')
  );
  const withMoves = () => view.moves.length > 0 && choice.value === 'moves';
  const link = () => share.link({ ...place, moves: withMoves() ? view.moves : [] });
  const refresh = () => {
    field.value = link();
    field.setAttribute('aria-label', `Link to the board${withMoves() ? ` and my ${mine}` : ''}`);
  };
  refresh();
  const button = (/** @type {string} */ label, /** @type {() => void | Promise<void>} */ make, /** @type {string} */ done) =>
    h('button', { type: 'button', onclick: async () => fill(said, await attempted(make, done)) }, label);
  const title = `${capital(view.game)} · Kibitzer`;
  const text = withMoves() && isSolved ? `${capital(view.game)}: my solution costs ${view.position?.cost}.` : `${capital(view.game)}: a board to play.`;
  const sheet = 'share' in navigator && button('Share…', () => navigator.share({ title, text, url: link() }), 'Shared.');
  const fields = [
    view.moves.length > 0 && h('div', { class: 'field' }, h('label', { for: 'share-what' }, 'Share'), choice),
    h('label', { for: 'share-link' }, 'Link'),
    field,
    sheet && h('div', { class: 'controls' }, sheet),
    h('p', { id: 'share-pictures' }, 'A picture of the board as it is shown'),
    h(
      'div',
      { class: 'controls', role: 'group', 'aria-labelledby': 'share-pictures' },
      button('Download SVG', () => saveSvg(`${view.fileName}.svg`, picture(view.board)), 'Saved.'),
      button('Download PNG', async () => save(`${view.fileName}.png`, await png(picture(view.board)), 'image/png'), 'Saved.')
    ),
    said,
  ].filter((part) => part instanceof Node);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link());
    } catch {
      field.focus();
      field.select();
      throw new api.Refusal({ error: 'the browser does not let this page copy', help: 'the link is selected: copy it with Ctrl+C' }, 0);
    }
    view.messages.say(`Link copied. It holds this board${withMoves() ? ` and your ${mine}` : ''}.`, 'good');
  };
  dialog('Share this board', fields, 'Copy link', copy, { leave: 'Close' });
}

/** Does something and says so; a share that was given up is no error. @param {() => void | Promise<void>} make @param {string} done */
async function attempted(make, done) {
  try {
    await make();
    return done;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? '' : `${api.problem(error).message}.`;
  }
}
