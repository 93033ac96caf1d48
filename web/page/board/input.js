// Board input: presses, drags, and the arrow keys.

/** @import { Board } from './board.js' */

/**
 * Handles a drag that leaves the place where the pointer was pressed.
 * @typedef {{move: (event: PointerEvent) => void, drop: (event: PointerEvent) => void, cancel: () => void}} Carrier
 */

/** Distance in pixels at which a press becomes a drag, and the maximum distance of a touch from its place. */
const SLOP = { mouse: 4, touch: 9 };
const REACH = 24;
/** Milliseconds within which a browser sends the click that belongs to a press. */
export const ECHO = 700;

/** @type {Record<string, [number, number]>} The direction of each arrow key. */
export const DIRECTIONS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/**
 * Handles a pointerdown event. If the pointer is released at the same place, it was a press; otherwise it may be a drag. The
 * browser's own click would be lost if the board were redrawn in between.
 * @param {Board} board @param {PointerEvent} start
 */
export function press(board, start) {
  if (!board.active || start.button !== 0 || !start.isPrimary) return;
  board.release(true);
  const isTouch = start.pointerType !== 'mouse';
  const name = board.nameAt(start.target) ?? (isTouch ? board.near(start, REACH) : null);
  if (name === null) return;
  /** @type {Carrier | null} */
  let carrier = null;
  let strayed = false;
  const until = new AbortController();
  const end = () => {
    until.abort();
    board.release = () => {};
  };
  board.release = (isPress = false) => {
    if (!carrier && !isPress) return;
    end();
    carrier?.cancel();
  };
  /** @param {string} kind @param {(event: PointerEvent) => void} act */
  const on = (kind, act) =>
    addEventListener(kind, (event) => event instanceof PointerEvent && event.pointerId === start.pointerId && act(event), { signal: until.signal, capture: true });
  on('pointermove', (event) => {
    const far = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY);
    if (!strayed && far > SLOP[isTouch ? 'touch' : 'mouse']) {
      strayed = true;
      carrier = board.onDrag?.(name) ?? null;
    }
    carrier?.move(event);
  });
  on('pointerup', (event) => {
    end();
    board.pressed = event.timeStamp;
    if (carrier) return carrier.drop(event);
    const target = document.elementFromPoint(event.clientX, event.clientY);
    if (!strayed || board.nameAt(target) === name) board.pick(name);
  });
  on('pointercancel', () => board.release(true));
  addEventListener('keydown', (event) => event.key === 'Escape' && carrier && (event.stopPropagation(), board.release()), { signal: until.signal, capture: true });
  // A second finger starts to zoom, which cancels the press or drag.
  addEventListener('touchstart', (event) => event.touches.length > 1 && board.release(true), { signal: until.signal, passive: true });
  // Browsers that ignore `touch-action` would scroll the page.
  addEventListener('touchmove', (event) => carrier && event.cancelable && event.preventDefault(), { signal: until.signal, passive: false });
}

/** Handles a key: the arrow keys move between places, and Enter and Space pick the current place. @param {Board} board @param {KeyboardEvent} event */
export function key(board, event) {
  const name = board.nameAt(event.target);
  if (!board.active || name === null || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    board.onPick(name);
    return;
  }
  const direction = DIRECTIONS[event.key];
  if (!direction) return;
  event.preventDefault();
  const to = beside(board, name, direction);
  if (to !== null) board.stand(to, true);
}

/** The nearest place in a direction. A sideways distance counts three times as much as a distance in that direction. @param {Board} board @param {string} name @param {[number, number]} direction */
function beside(board, name, [dx, dy]) {
  const from = board.middle(name);
  let best = null;
  let least = Infinity;
  for (const other of board.places.keys()) {
    const at = board.middle(other);
    const ahead = (at[0] - from[0]) * dx + (at[1] - from[1]) * dy;
    const aside = Math.abs((at[0] - from[0]) * dy) + Math.abs((at[1] - from[1]) * dx);
    if (other === name || ahead < 1) continue;
    const away = ahead + 3 * aside;
    if (away < least) [best, least] = [other, away];
  }
  return best;
}
