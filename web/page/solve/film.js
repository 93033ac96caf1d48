// Plays a plan on the board as a film, automatically or step by step.

/** @typedef {Pick<import('../frame/view.js').GameView, 'attempt' | 'back' | 'board' | 'boardName' | 'copyLink' | 'game' | 'go' | 'help' | 'moves' | 'places' | 'preview' | 'watched' | 'where' | 'writeAddress'>} Host the members of the view that this module uses */
import * as api from '../engine/api.js';
import { h, fill } from '../dom.js';
import { save } from '../download.js';
import { isCalm } from '../board/motion.js';
import { lights } from '../board/places.js';
import { Transport } from '../search/transport.js';

const SPEEDS = { list: [0.5, 1, 2, 4, 8], usual: 1, text: (/** @type {number} */ speed) => `${speed} ×` };
/** Milliseconds per move at speed 1. */
const BEAT = 700;

export class Film {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    /** @type {string[]} */
    this.plan = [];
    /** @type {string[]} The moves before the plan. */
    this.before = [];
    const words = (/** @type {number} */ at) => (at === 0 ? 'Start' : `${at} of ${this.plan.length}: ${this.plan[at - 1]}`);
    this.transport = new Transport({ change: (step) => this.show(step), words, label: 'Plan step', speeds: SPEEDS, beat: BEAT });
    this.transport.counter.className = 'caption';
    const button = (/** @type {string} */ label, /** @type {() => void} */ act) => h('button', { type: 'button', onclick: act }, label);
    this.saveButton = button('Download film', () => this.save());
    this.saveButton.className = 'gone';
    const exits = h('div', { class: 'controls' }, button('Continue from here', () => this.take()), button('Back to my game', () => this.drop()), button('Copy link to this step', () => view.copyLink()), this.saveButton);
    this.element = h('div', { class: 'film', hidden: true }, this.transport.counter, this.transport.element, exits);
    this.list = h('ol', { class: 'made plan' });
  }

  get step() {
    return this.transport.step;
  }

  /** Shows a plan: plays it from the start, or pauses at `step`. @param {string[]} before @param {string[]} plan @param {number | null} [step] */
  open(before, plan, step = null) {
    this.before = before;
    this.plan = plan;
    this.element.hidden = plan.length === 0;
    if (plan.length === 0) return;
    this.view.watched = true;
    api.offers('film').then((offered) => this.saveButton.classList.toggle('gone', !offered));
    const row = (/** @type {string} */ text, /** @type {number} */ at) => {
      const button = h('button', { type: 'button', class: 'quiet', onclick: () => this.transport.seek(at + 1) }, text);
      lights(this.view.board, button, () => this.clicks(at));
      return h('li', null, button);
    };
    fill(this.list, ...plan.map(row));
    this.transport.step = step ?? 0;
    this.transport.resize(plan.length);
    if (step === null && !isCalm()) this.transport.start();
  }

  close() {
    this.pause();
    this.plan = [];
    this.element.hidden = true;
    fill(this.list);
  }

  /** True if the plan starts at the player's current position. */
  get current() {
    return this.plan.length === 0 || this.before.join('\n') === this.view.moves.join('\n');
  }

  pause() {
    this.transport.pause();
  }

  /** @param {number} at */
  async show(at) {
    for (const [number, row] of [...this.list.children].entries()) row.classList.toggle('now', number === at - 1);
    this.view.writeAddress();
    const clicks = await this.clicks(at - 1);
    if (this.step === at && this.plan.length > 0) await this.view.preview([...this.before, ...this.plan.slice(0, at)], clicks);
  }

  /** The places to click for a move of the plan. @param {number} at */
  async clicks(at) {
    const move = this.plan[at];
    return move === undefined ? [] : this.view.places.of([...this.before, ...this.plan.slice(0, at)], move);
  }

  /** Makes the moves up to the step shown in the player's own game. */
  take() {
    this.pause();
    const moves = [...this.before, ...this.plan.slice(0, this.step)];
    for (let made = this.before.length + 1; made <= moves.length; made++) this.view.help(moves.slice(0, made));
    this.view.go(moves, this.plan.slice(this.step));
  }

  /** Saves the whole plan as a standalone page that needs no server. */
  save() {
    const { view, before, plan } = this;
    return view.attempt(async () => {
      const { html } = await api.film(view.game, { ...view.where(before), plan });
      save(`${view.boardName}-film.html`, html, 'text/html');
    });
  }

  drop() {
    this.pause();
    this.view.back();
  }
}
