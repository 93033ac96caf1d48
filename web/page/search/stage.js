// One search, or two in lockstep: one set of controls and keys drives both, and projector mode fills the screen with them.

/** @import { BoardOf } from './viewer.js' */
/** @import { Trace } from './trace.js' */
import { fill, h } from '../dom.js';
import { onColors } from './colors.js';
import { Transport } from './transport.js';
import { Viewer } from './viewer.js';

const KEYS = 'Keys: Space plays and pauses, ← → step, Home and End go to the first and last frame, + − change the speed, P or F toggles full screen (Esc exits). In the tree, the arrow keys select a node and Enter jumps to its step; in the list, up and down select a row.';

export class Stage {
  /** @param {HTMLElement | null} [shelf] where the boards are shown, if not beside their trees as on the projector @param {() => void} [onShow] called when another step is shown, or the projector changes */
  constructor(shelf = null, onShow = () => {}) {
    this.shelf = shelf;
    /** @type {Viewer[]} */
    this.viewers = [];
    this.transport = new Transport({ change: () => (this.request(), onShow()), state: (isPlaying) => this.voice(isPlaying) });
    this.pair = h('div', { class: 'pair' });
    this.projectorButton = h('button', { type: 'button', class: 'projecting', 'aria-pressed': 'false', onclick: () => this.project(!this.isProjected) }, 'Projector');
    this.transport.element.querySelector('.controls')?.append(this.projectorButton);
    this.keys = h('p', { class: 'soft small keys' }, KEYS);
    this.element = h('div', { class: 'stage', onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event) }, this.transport.element, this.pair, this.keys);
    this.place = h('div', { class: 'stage-place' }, this.element);
    this.dialog = h('dialog', { class: 'projector', 'aria-label': 'Search in full screen', onclose: () => this.leave() });
    this.onShow = onShow;
    this.frame = 0;
    new ResizeObserver(() => this.request()).observe(this.pair);
    this.mustRedraw = false;
    this.isEntering = false;
    /** Resolves when the browser has left full-screen mode. */
    this.leaving = Promise.resolve();
    const closing = new AbortController();
    // Esc leaves full-screen mode first; the projector closes with it.
    document.addEventListener('fullscreenchange', () => !document.fullscreenElement && this.leave(), { signal: closing.signal });
    const stopColors = onColors(() => this.request(true));
    this.stop = () => {
      closing.abort();
      stopColors();
      this.leave();
      this.open([], async () => null);
    };
  }

  get isProjected() {
    return this.dialog.open;
  }

  /** @param {Trace[]} traces @param {BoardOf} boardOf */
  open(traces, boardOf) {
    this.transport.pause();
    this.viewers = traces.map((trace) => new Viewer(trace, boardOf, (step) => this.transport.seek(step)));
    fill(this.pair, ...this.viewers.map(({ element }) => element));
    this.placeBoards(this.isProjected);
    this.pair.classList.toggle('two', traces.length > 1);
    this.element.classList.toggle('double', traces.length > 1);
    this.transport.step = 0;
    this.grown();
  }

  /** Puts the boards beside their trees if `isTogether`, or else on the shelf. @param {boolean} isTogether */
  placeBoards(isTogether) {
    if (!this.shelf) return;
    this.place.classList.toggle('shelved', !isTogether);
    this.shelf.classList.toggle('two', this.viewers.length > 1);
    if (isTogether) for (const viewer of this.viewers) viewer.side.prepend(viewer.figure);
    else fill(this.shelf, ...this.viewers.map(({ figure }) => figure));
  }

  /** Called when more lines have arrived. */
  grown() {
    for (const viewer of this.viewers) viewer.grown();
    const steps = this.viewers.map(({ trace }) => trace.steps);
    this.transport.element.hidden = this.viewers.every(({ trace }) => trace.ending !== null && trace.steps === 0);
    this.transport.resize(Math.max(0, ...steps), this.viewers.some(({ trace }) => trace.ending === null));
  }

  /** Draws in the next frame. @param {boolean} [mustRedraw] */
  request(mustRedraw = false) {
    this.mustRedraw ||= mustRedraw;
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      for (const viewer of this.viewers) viewer.show(this.transport.step);
      if (this.mustRedraw) for (const viewer of this.viewers) viewer.redraw();
      this.mustRedraw = false;
    });
  }

  /** Turns announcements off during playback, since a screen reader could not keep up. @param {boolean} isPlaying */
  voice(isPlaying) {
    for (const { words } of this.viewers) words.setAttribute('aria-live', isPlaying ? 'off' : 'polite');
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const isToggle = ['p', 'f', 'P', 'F'].includes(event.key) && !target.closest('select, textarea');
    if (isToggle) this.project(!this.isProjected);
    if (isToggle || this.transport.key(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** Enters or leaves projector mode. @param {boolean} on */
  async project(on) {
    if (!on) return this.leave();
    if (this.isEntering) return;
    this.isEntering = true;
    await this.leaving;
    // Full screen is requested before the dialog opens, because the element that opens last is on top. If full screen is not allowed, the
    // dialog fills the window.
    if (navigator.userActivation?.isActive !== false) await document.documentElement.requestFullscreen?.().catch(() => {});
    this.isEntering = false;
    const focused = document.activeElement;
    this.placeBoards(true);
    this.dialog.append(this.element);
    this.place.append(this.dialog);
    this.dialog.showModal();
    this.projectorButton.setAttribute('aria-pressed', 'true');
    if (focused instanceof HTMLElement && this.element.contains(focused)) focused.focus();
    else this.transport.play.focus();
    this.onShow();
    this.request(true);
  }

  /** Leaves projector mode. */
  leave() {
    if (this.element.parentElement !== this.dialog) return;
    this.dialog.close();
    if (document.fullscreenElement) this.leaving = document.exitFullscreen().catch(() => {});
    this.place.append(this.element);
    this.dialog.remove();
    this.placeBoards(false);
    this.projectorButton.setAttribute('aria-pressed', 'false');
    this.transport.play.focus();
    this.onShow();
    this.request(true);
  }
}
