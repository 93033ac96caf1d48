// The Share dialog: a link to the board, to the board and the moves, or to a step, which the system's share sheet can also send; and
// the board as a picture.

/** @typedef {Pick<import('./view.js').GameView, 'about' | 'board' | 'fileName' | 'game' | 'messages' | 'moves' | 'place' | 'position' | 'text'>} Host the members of the view that this module uses */
import * as api from '../engine/api.js';
import { dialog } from './dialogs.js';
import { h, fill, rich, s, capital, counted } from '../dom.js';
import { save, saveSvg } from '../download.js';
import { picture, png } from '../board/picture.js';
import * as share from '../state/address.js';
import { qr } from '../state/qr.js';

/** @param {Host} view */
export function shareDialog(view) {
  // The sample may change in a later version, so a link to it contains its text.
  const place = { ...view.place, board: view.text ?? view.about.sample };
  const isSight = Object.keys(place.sight).length > 0;
  const isSolved = view.position?.goal === true && view.position.turn === null && view.moves.length > 0;
  const mine = isSolved ? 'solution' : 'moves';
  const field = h('input', { id: 'share-link', class: 'address', type: 'text', readonly: true });
  const said = h('p', { class: 'soft', role: 'status' });
  const choice = h(
    'select',
    { id: 'share-what', onchange: () => refresh() },
    isSight && h('option', { value: 'sight' }, `this step in ${capital(place.view)}`),
    view.moves.length > 0 && h('option', { value: 'moves' }, `the board and my ${mine} (${counted(view.moves.length, 'move')})`),
    h('option', { value: 'board' }, 'the board only, for someone else to solve')
  );
  const isHere = () => isSight && choice.value === 'sight';
  const withMoves = () => view.moves.length > 0 && choice.value !== 'board';
  const link = () => share.link({ ...place, moves: withMoves() ? view.moves : [], sight: isHere() ? place.sight : {} });
  const code = h('div', { class: 'qr' });
  const warning = h('p', { class: 'soft small', hidden: true }, ...rich('This server does not let other sites embed its pages. To allow one, start it with `kibitzer serve --embed ORIGIN`, where `ORIGIN` is the scheme and host of the site.'));
  api.refusesFrames().then((refuses) => (warning.hidden = !refuses));
  const snippet = h('textarea', { id: 'share-embed', rows: '3', readonly: true });
  const refresh = () => {
    field.value = link();
    field.setAttribute('aria-label', `Link to the board${withMoves() ? ` and my ${mine}` : ''}`);
    const drawn = drawQr(link());
    fill(code, drawn ?? h('p', { class: 'soft' }, 'This link is too long for a QR code.'));
    snippet.value = `<iframe src="${link().replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" title="${capital(view.game)}" width="100%" height="640" style="border:0" allow="fullscreen; clipboard-write"></iframe>`;
  };
  refresh();
  const button = (/** @type {string} */ label, /** @type {() => void | Promise<void>} */ make, /** @type {string} */ done) =>
    h('button', { type: 'button', onclick: async () => fill(said, await attempted(make, done)) }, label);
  const title = `${capital(view.game)} · Kibitzer`;
  const text = withMoves() && isSolved ? `${capital(view.game)}: my solution costs ${view.position?.cost}.` : `${capital(view.game)}: a board to play.`;
  const sheet = 'share' in navigator && button('Share…', () => navigator.share({ title, text, url: link() }), 'Shared.');
  const fields = [
    (isSight || view.moves.length > 0) && h('div', { class: 'field' }, h('label', { for: 'share-what' }, 'Share'), choice),
    h('label', { for: 'share-link' }, 'Link'),
    field,
    sheet && h('div', { class: 'controls' }, sheet),
    h('details', null, h('summary', null, 'QR code'), code, h('div', { class: 'controls' }, button('Download QR code', () => saveSvg(`${view.fileName}-qr.svg`, /** @type {SVGElement} */ (code.querySelector('svg'))), 'Saved.'))),
    h('details', null, h('summary', null, 'Embed in a page'), warning, h('label', { for: 'share-embed' }, 'HTML'), snippet, h('div', { class: 'controls' }, button('Copy HTML', () => navigator.clipboard.writeText(snippet.value), 'Copied.'))),
    h('p', { id: 'share-pictures' }, 'Picture of the board as shown'),
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
      throw new api.Refusal({ error: 'the browser does not allow this page to copy to the clipboard', help: 'the link is selected: copy it with Ctrl+C' }, 0);
    }
    view.messages.say(isHere() ? 'Link copied. It opens this step.' : `Link copied. It opens this board${withMoves() ? ` with your ${mine}` : ''}.`, 'good');
  };
  dialog('Share this board', fields, 'Copy link', copy, { leave: 'Close' });
}

/** A QR code as a drawing, dark on light in every theme; null if the text is too long. @param {string} text */
function drawQr(text) {
  const rows = qr(text);
  if (!rows) return null;
  const size = rows.length + 8;
  const path = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + 4} ${y + 4}h1v1h-1z`] : []))).join('');
  return s('svg', { viewBox: `0 0 ${size} ${size}`, width: 4 * size, height: 4 * size, role: 'img', 'aria-label': 'QR code for the link' }, s('rect', { width: size, height: size, fill: '#fff' }), s('path', { d: path, fill: '#000', 'shape-rendering': 'crispEdges' }));
}

/** Copies a link to the current view. @param {Host} view */
export async function copySight(view) {
  const link = share.link({ ...view.place, board: view.text ?? view.about.sample });
  try {
    await navigator.clipboard.writeText(link);
    view.messages.say('Link copied. It opens this step.', 'good');
  } catch {
    shareDialog(view);
  }
}

/** Runs `make` and returns the message to show. A canceled share is not an error. @param {() => void | Promise<void>} make @param {string} done */
async function attempted(make, done) {
  try {
    await make();
    return done;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? '' : `${api.problem(error).message}.`;
  }
}
