// The position graph of a two-player game, in layers. It can be dragged, scrolled and zoomed, and a click on a position opens it.

/** @typedef {Pick<import('../frame/view.js').GameView, 'attempt' | 'game' | 'load' | 'messages' | 'position' | 'tabs' | 'where' | 'writeAddress'>} Host the members of the view that this module uses */
import * as api from '../engine/api.js';
import { Board } from '../board/board.js';
import { capital, h, fill, rich, counted, press } from '../dom.js';
import { folded } from './layout.js';

/** The legend for the colors in the graph. @param {api.Scene} scene */
function legend(scene) {
  const meanings = { win: 'Green, pointed: the player to move wins (N).', draw: 'Blue, slanted: a draw with best play (D).', lose: 'Red, square: the player to move loses (P).' };
  const paints = new Set(scene.shapes.map((shape) => shape.paint));
  return Object.entries(meanings).flatMap(([paint, meaning]) => (paints.has(paint) ? [meaning] : [])).join(' ');
}

export class GraphPanel {
  /** @param {Host} view @param {HTMLElement} panel */
  constructor(view, panel) {
    this.view = view;
    this.shown = '';
    /** The position whose graph was last requested. */
    this.asked = '';
    /** @type {string[]} */
    this.instances = [];
    this.zoom = 1;
    /** @type {api.Scene | null} The scene before folding. */
    this.scene = null;
    /** @type {number[] | null} The scale and corner to show when the graph arrives. */
    this.wanted = null;
    this.caption = h('p', { class: 'soft', role: 'status' });
    this.holder = h('div', { class: 'graph', tabindex: '0', role: 'region', 'aria-label': 'Position graph' });
    this.board = new Board(this.holder, (name) => this.go(name));
    const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {number} */ factor) =>
      h('button', { type: 'button', 'aria-label': label, onclick: () => this.scale(factor === 0 ? this.fit() : this.zoom * factor) }, text);
    this.controls = h('div', { class: 'controls' }, button('+', 'Larger', 1.4), button('−', 'Smaller', 1 / 1.4), button('Fit', 'Fit the whole graph', 0));
    fill(panel, this.caption, this.controls, this.holder);
    this.holder.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        this.scale(this.zoom * (event.deltaY < 0 ? 1.15 : 1 / 1.15));
      },
      { passive: false }
    );
    this.drag();
    this.holder.addEventListener('scroll', () => this.view.writeAddress(), { passive: true });
  }

  /** Lets the user drag the graph with the mouse. */
  drag() {
    /** @type {{x: number, y: number, left: number, top: number} | null} */
    let held = null;
    this.holder.addEventListener('pointerdown', (event) => {
      if (event.pointerType !== 'mouse') return;
      held = { x: event.clientX, y: event.clientY, left: this.holder.scrollLeft, top: this.holder.scrollTop };
    });
    addEventListener('pointermove', (event) => {
      if (!held) return;
      this.holder.scrollLeft = held.left - (event.clientX - held.x);
      this.holder.scrollTop = held.top - (event.clientY - held.y);
    });
    addEventListener('pointerup', () => (held = null));
  }

  /** Draws all positions reachable from here. */
  async show() {
    const here = this.view.position?.instance ?? '';
    if (this.shown === here || this.asked === here) return;
    this.asked = here;
    fill(this.caption, 'Finding all positions…');
    this.controls.classList.add('gone');
    this.holder.replaceChildren();
    try {
      const graph = await api.graph(this.view.game, this.view.where());
      if (this.asked !== here) return;
      this.shown = here;
      this.instances = graph.instances;
      this.scene = graph.scene;
      this.board.show(folded(graph.scene, this.holder.clientWidth, this.holder.clientHeight));
      this.controls.classList.remove('gone');
      fill(this.caption, `${counted(graph.positions, 'position')} up to symmetry, in layers. ${legend(graph.scene)} ${capital(press())} a position to go to it.`);
      this.scale(this.fit());
      this.look();
    } catch (error) {
      this.shown = here;
      const { message, help } = api.problem(error);
      fill(this.caption, ...rich(`${message}${help && `; ${help}`}.`));
    }
  }

  /** The scale and corner for the address; empty if the whole graph is visible. */
  sight() {
    if (this.wanted) return { zoom: this.wanted.join() };
    if (!this.scene || Math.abs(this.zoom / this.fit() - 1) < 0.01) return {};
    return { zoom: [this.zoom.toFixed(3), Math.round(this.holder.scrollLeft / this.zoom), Math.round(this.holder.scrollTop / this.zoom)].join() };
  }

  /** @param {import('../state/address.js').Sight} sight */
  restore({ zoom }) {
    const numbers = zoom?.split(',').map(Number) ?? [];
    if (numbers.length !== 3 || !numbers.every(Number.isFinite)) return;
    this.wanted = numbers;
    if (this.shown !== '') this.look();
  }

  /** Shows the part of the graph that the address requested. */
  look() {
    if (!this.wanted) return;
    const [zoom = 1, left = 0, top = 0] = this.wanted;
    this.wanted = null;
    this.scale(zoom);
    this.holder.scrollTo(left * zoom, top * zoom);
  }

  /** The scale at which the whole graph is visible. */
  fit() {
    const { width, height } = this.board.scene ?? { width: 1, height: 1 };
    return Math.min((this.holder.clientWidth - 10) / width, (this.holder.clientHeight - 10) / height);
  }

  /** @param {number} zoom */
  scale(zoom) {
    this.zoom = Math.min(3, Math.max(0.05, zoom));
    const width = (this.board.scene?.width ?? 0) * this.zoom;
    this.holder.style.setProperty('--wide', `${width}px`);
    this.view.writeAddress();
  }

  /** @param {string} name */
  go(name) {
    const text = this.instances[Number(name)];
    if (text === undefined) return;
    this.view.attempt(async () => {
      await this.view.load({ text });
      this.view.messages.say('This is the position you chose. Here, the player to move is player 1.');
      if (this.view.tabs.current === 'graph') await this.show();
    });
  }
}
