// One game on the page: its state, and the parts that show and change it.

import * as api from '../engine/api.js';
import { h, fill, capital } from '../dom.js';
import { Advice } from '../play/advice.js';
import { Board } from '../board/board.js';
import { Clicks } from '../board/clicks.js';
import { ComparePanel } from '../compare/panel.js';
import { Controls } from './controls.js';
import { Drag } from '../board/drag.js';
import { inFileName } from '../download.js';
import { Editor } from './editor.js';
import { GraphPanel } from '../graph/panel.js';
import { LayoutDrag } from '../board/arrange.js';
import { Levels } from './levels.js';
import { Messages } from './messages.js';
import { animate } from '../board/motion.js';
import { Places } from '../board/places.js';
import { Opponent } from '../play/opponent.js';
import { Picker } from './picker.js';
import { PlayPanel } from '../play/panel.js';
import { Primer } from '../play/primer.js';
import { Proof } from '../play/proof.js';
import { Review } from '../play/review.js';
import { SearchPanel } from '../search/panel.js';
/** @import { Start } from '../state/game.js' */
import * as share from '../state/address.js';
import { choose } from '../state/choices.js';
import { between, GameState } from '../state/game.js';
import { SolvePanel } from '../solve/panel.js';
import { copySight } from './share-dialog.js';
import { Status } from './status.js';
import { Tabs } from './tabs.js';
import { Zoom } from '../board/zoom.js';

/**
 * The methods that a panel may have, called when it is opened (`show`), when the board has changed (`reset`), when the position
 * has changed (`refresh`), and when the user leaves (`stop`). `sight` returns its state for the address; `restore` restores it.
 * @typedef {{show?: () => void, reset?: () => void, refresh?: () => void, stop?: () => void, sight?: () => share.Sight,
 *   restore?: (sight: share.Sight) => void}} Panel
 */

export class GameView extends GameState {
  /** @param {HTMLElement} main @param {api.About} about */
  constructor(main, about) {
    super(about);
    this.queue = Promise.resolve();
    this.messages = new Messages();
    this.holder = h('div', { class: 'holder' });
    this.board = new Board(this.holder, (name) => this.clicks.pick(name));
    this.places = new Places(this.game, (moves) => this.where(moves));
    this.clicks = new Clicks(this);
    this.drag = new Drag(this);
    this.zoom = new Zoom(this.board);
    this.advice = new Advice(this);
    this.proof = new Proof(this);
    this.controls = new Controls(this);
    this.status = new Status(this);
    this.editor = new Editor(this);
    this.levels = new Levels(this);
    this.picker = new Picker(this);
    this.primer = new Primer(this.game);
    this.opponent = new Opponent(this);
    this.review = new Review(this);
    this.arranging = new LayoutDrag(this);
    const graph = this.about.players === 2 ? [{ name: 'graph', wide: true }] : [];
    this.tabs = new Tabs([{ name: 'play' }, { name: 'solve' }, { name: 'search', wide: true }, { name: 'compare', wide: true }, ...graph], (name) => this.turnTo(name));
    this.playing = new PlayPanel(this, this.tabs.panel('play'));
    this.solving = new SolvePanel(this, this.tabs.panel('solve'));
    this.shelf = h('div', { class: 'shelf' });
    this.searching = new SearchPanel(this, this.tabs.panel('search'), this.shelf);
    this.comparing = new ComparePanel(this, this.tabs.panel('compare'));
    /** @type {Map<string, Panel>} Panels by tab name. */
    this.panels = new Map(Object.entries({ play: this.playing, solve: this.solving, search: this.searching, compare: this.comparing }));
    if (this.tabs.has('graph')) this.panels.set('graph', new GraphPanel(this, this.tabs.panel('graph')));
    this.section = this.layOut();
    this.main = main;
    this.listening = new AbortController();
    document.addEventListener('keydown', (event) => this.isNear(event.target) && this.key(event), { signal: this.listening.signal });
  }

  /** Adds the parts in reading order; the style sheet positions them. */
  layOut() {
    const bar = this.picker.element;
    bar.prepend(h('h1', null, capital(this.about.name)));
    const stand = h('div', { class: 'stand' }, this.holder, this.shelf, this.zoom.element, this.picker.list.element);
    const strip = h('div', { class: 'strip' }, this.controls.element, this.status.element);
    // On a phone, a tap on the workspace puts away a message that lies over it.
    this.tabs.element.addEventListener('pointerdown', () => this.messages.dismiss());
    const left = h('div', { class: 'left' }, stand, this.messages.element, strip);
    this.tabs.element.append(this.editor.element);
    return h('section', { class: 'game', 'data-tab': 'play' }, bar, left, this.tabs.bar, this.tabs.element);
  }

  /** True if keys pressed here are meant for the game. @param {EventTarget | null} target */
  isNear(target) {
    return target === document.body || target === this.main || (target instanceof Node && this.section.contains(target));
  }

  /** Handles a key that no part of the page has handled. @param {KeyboardEvent} event */
  key(event) {
    // A search that was opened by a link does not have the focus, but its keys work.
    if (!this.section.contains(/** @type {Node} */ (event.target)) && this.tabs.current === 'search') this.searching.key(event);
    this.controls.key(event);
  }

  /** @param {share.Place} place */
  async open(place) {
    this.turnTo(this.tabs.has(place.view) ? place.view : 'play');
    this.isOpening = true;
    this.opponent.wanted = place.rival;
    await this.load(place.level ? await this.levels.make(place.level) : place.random ? await this.generate(place.random) : { text: place.board }, place.moves);
    this.panels.get(this.tabs.current)?.show?.();
    this.isOpening = false;
    if (Object.keys(place.sight).length > 0) this.panels.get(this.tabs.current)?.restore?.(place.sight);
    this.writeAddress();
    if (place.moves.length === 0 && Object.keys(place.sight).length === 0) {
      this.picker.introduce();
      this.levels.introduce();
    }
  }

  /** Generates a random board. @param {api.Random} random @returns {Promise<Start>} */
  async generate(random) {
    const { instance } = await api.generate(this.game, random);
    return { text: instance, random };
  }

  leave() {
    this.left = true;
    share.forget();
    this.listening.abort();
    this.board.release(true);
    this.status.stop();
    this.advice.stop();
    this.opponent.stop();
    for (const panel of this.panels.values()) panel.stop?.();
  }

  /** Loads another board. @param {Start} start @param {string[]} [moves] */
  async load({ text, options = {}, random = null, level = null }, moves = []) {
    const position = await api.position(this.game, { instance: text ?? this.about.sample, options, moves });
    if (this.left) return;
    const isNew = this.position !== null;
    this.isLoading = true;
    // The engine writes the options into the text of the start.
    this.text = text === null ? null : position.start;
    this.random = random;
    this.level = level;
    this.picker.list.isShown = false;
    // The board's column has the shape of the board, so that no space beside it is lost.
    this.section.style.setProperty('--shape', `${position.scene.width / position.scene.height}`);
    this.undone = [];
    this.shownMoves = null;
    this.clicks.clear();
    this.aided.clear();
    this.watched = false;
    this.proof.reset();
    this.places.reset();
    this.zoom.reset();
    this.status.reset();
    this.primer.show(position.start);
    for (const panel of this.panels.values()) panel.reset?.();
    this.picker.refresh();
    this.opponent.arrive(level !== null);
    this.levels.arrive(moves.length);
    this.arrive(moves, position, isNew);
    this.status.fetch();
  }

  /** Shows a new position. @param {string[]} moves @param {api.Position} position @param {boolean} [isNew] true if the board has changed */
  arrive(moves, position, isNew = false) {
    this.keepFocus(() => this.settle(moves, position, isNew));
  }

  /** Runs `act`. If that removes the focused button, the board takes the focus. @param {() => void} act */
  keepFocus(act) {
    const isHere = () => this.section.contains(document.activeElement);
    const before = isHere();
    act();
    if (before && !isHere()) this.board.stand(this.board.current, true);
  }

  /** @param {string[]} moves @param {api.Position} position @param {boolean} isNew */
  settle(moves, position, isNew) {
    this.advice.stop();
    this.opponent.stop();
    this.moves = moves;
    if (moves.length === 0) this.levels.given = 0;
    this.position = position;
    this.replaying = false;
    this.isLoading = false;
    this.advice.forget();
    this.writeAddress(isNew);
    // For the Continue link on the start page; a solved board needs none.
    if (moves.length > 0) choose('last', position.goal ? '' : `${new URL(share.link(this.place)).hash}\n${capital(this.game)}, ${this.boardWords}`);
    this.draw();
    // All parts appear together with the first board, so that nothing shifts.
    if (!this.section.isConnected && !this.left) {
      document.documentElement.classList.add('playing');
      fill(this.main, this.section);
    }
    this.zoom.refresh();
    this.messages.say(null);
    if (position.goal) this.status.announceEnd(position);
    else if (position.turn !== null) this.opponent.answer();
    else if (position.scene.moves.length === 0) this.messages.say('No legal moves left. Undo, restart, or press Review to see where it went wrong.', 'bad', h('button', { type: 'button', onclick: () => this.review.ask() }, 'Review'));
    if (position.turn !== null) this.advice.follow();
    this.proof.follow();
  }

  draw() {
    const position = this.position;
    if (!position) return;
    this.present(position.scene, this.moves, true);
    this.board.mark('last', this.moves.length > 0 && !this.isSolved ? this.lastClicks : []);
    this.clicks.refresh();
    this.status.refresh();
    this.controls.refresh();
    this.picker.edit.hidden = !position.editable;
    for (const panel of this.panels.values()) panel.refresh?.();
    this.panels.get(this.tabs.current)?.show?.();
  }

  /** Shows the same position in a changed drawing. @param {api.Position} position */
  rearrange(position) {
    this.text = position.start;
    this.random = null;
    this.position = position;
    // No animation: the shape is already where it was dropped.
    this.shownMoves = null;
    this.writeAddress();
    this.picker.refresh();
    this.advice.forget();
    this.draw();
    this.advice.follow();
  }

  /** Draws a scene. If it is one move away from the current one, the move is animated. @param {api.Scene} scene @param {string[]} moves @param {boolean} active */
  present(scene, moves, active) {
    const [before, was] = [this.board.scene, this.shownMoves];
    this.shownMoves = moves;
    const clicks = was && before ? between(before, was, scene, moves) : [];
    this.board.release();
    this.board.show(scene, active);
    if (was && !this.editor.active) animate(this.board, before, clicks, this.drag.carried);
    this.drag.end();
  }

  /** @param {string} text */
  make(text) {
    return this.step(() => {
      // The second click of a double click must not change a board that the first click solved.
      if (this.isSolved) return null;
      const undone = this.undone[0] === text ? this.undone.slice(1) : [];
      return [[...this.moves, text], undone, this.gesture(text)];
    });
  }

  undo() {
    return this.step(() => {
      const { moves, opponent, position } = this;
      // Kibitzer's reply is undone together with the player's own move.
      const back = opponent.active && position?.turn !== opponent.plays ? 2 : 1;
      return moves.length === 0 ? null : [moves.slice(0, -back), [...moves.slice(-back), ...this.undone], []];
    });
  }

  redo() {
    return this.step(() => {
      const [next, ...rest] = this.undone;
      return next === undefined ? null : [[...this.moves, next], rest, this.gesture(next)];
    });
  }

  restart() {
    return this.step(() => {
      this.aided.clear();
      this.opponent.shuffle();
      return [[], [...this.moves, ...this.undone], []];
    });
  }

  /** Goes to the position after these moves. @param {string[]} moves @param {string[]} undone @param {string[]} [clicks] */
  go(moves, undone, clicks = []) {
    return this.step(() => [moves, undone, clicks]);
  }

  /**
   * Queues a step to another position. It runs after all earlier steps, because the user may click before the previous step is answered.
   * @param {() => [moves: string[], undone: string[], clicks: string[]] | null} next
   */
  step(next) {
    return this.attempt(async () => {
      const to = next();
      if (!to) return;
      const [moves, undone, clicks] = to;
      const position = await api.position(this.game, this.where(moves));
      if (this.left) return;
      const isOnward = moves.length > this.moves.length && !this.replaying;
      this.undone = undone;
      this.lastClicks = clicks;
      this.places.learn(moves, clicks);
      this.position = position;
      if (isOnward) this.clicks.keep();
      else this.clicks.clear();
      this.arrive(moves, position);
    });
  }

  /** Previews another position without changing the game. @param {string[]} moves @param {string[]} clicks */
  async preview(moves, clicks) {
    const position = await api.position(this.game, this.where(moves));
    this.replaying = true;
    this.clicks.clear();
    this.present(position.scene, moves, false);
    this.board.mark('last', clicks);
  }

  /** Ends a preview. */
  back() {
    if (!this.replaying) return;
    this.replaying = false;
    this.lastClicks = [];
    this.advice.forget();
    this.draw();
    this.writeAddress();
    this.advice.follow();
  }

  /** Runs actions one after another and reports errors. @param {() => Promise<void>} act */
  attempt(act) {
    this.queue = this.queue.then(act).catch((error) => this.messages.fail(error));
    return this.queue;
  }

  /** @param {string} name */
  turnTo(name) {
    if (name !== this.tabs.current) this.messages.clear();
    this.tabs.show(name);
    this.section?.classList.toggle('wide', this.tabs.wide);
    this.section?.setAttribute('data-tab', name);
    if (this.position) {
      if (name !== 'solve') {
        this.solving.pause();
        this.back();
      }
      this.writeAddress();
    }
    this.panels.get(name)?.show?.();
  }

  /** The reader's current place, for the address. @returns {share.Place} */
  get place() {
    const { level } = this;
    const wanted = level && (level.daily ? { daily: level.daily } : { level: level.level, seed: level.seed });
    const sight = this.panels.get(this.tabs.current)?.sight?.() ?? {};
    return { game: this.game, board: this.text, random: this.random, level: wanted, moves: this.moves, rival: this.opponent.rival, view: this.tabs.current, sight };
  }

  /** @param {boolean} [isNew] has the board changed? */
  writeAddress(isNew = false) {
    if (this.position && !this.left && !this.isOpening && !this.isLoading) share.write(this.place, isNew);
  }

  /** Copies a link to the current view. */
  copyLink() {
    return copySight(this);
  }

  /** A description of the board. */
  get boardWords() {
    return this.picker.words;
  }

  /** The name for files about the start, without an extension. */
  get boardName() {
    return inFileName(`${this.game}-${this.picker.name}`);
  }

  /** The name for files about the position shown. */
  get fileName() {
    return this.shown === 0 ? this.boardName : `${this.boardName}-move-${this.shown}`;
  }
}
