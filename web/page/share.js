// The address holds game, board and moves: it can be shared, and reloading the page loses nothing.

/** @typedef {{game: string, board: string | null, moves: string[], view: string}} Place */

/** @returns {Place} */
export function read() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const values = new URLSearchParams(query ?? '');
  const moves = values.get('moves');
  return { game: decodeURIComponent(path ?? ''), board: values.get('board'), moves: moves ? moves.split('\n') : [], view: values.get('view') ?? 'play' };
}

/** @param {Place} place */
export function write(place) {
  const values = new URLSearchParams();
  if (place.board !== null) values.set('board', place.board);
  if (place.moves.length > 0) values.set('moves', place.moves.join('\n'));
  if (place.view !== 'play') values.set('view', place.view);
  const query = values.toString();
  history.replaceState(null, '', `#/${place.game}${query ? `?${query}` : ''}`);
}
