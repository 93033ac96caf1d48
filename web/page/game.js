// One game on the page: which board, which moves were made on it, and the parts that show and change that.

import * as api from './api.js';
import { h, fill, capital } from './dom.js';
import { Advice } from './advice.js';
import { Board } from './board.js';
import { Clicks } from './clicks.js';
import { ComparePanel } from './compare/panel.js';
import { Controls } from './controls.js';
import { Drag } from './drag.js';
import { inFileName } from './download.js';
import { Editor } from './editor.js';
import { GraphPanel } from './graph.js';
import { LayoutDrag } from './layout-drag.js';
import { Levels } from './levels.js';
import { Messages } from './messages.js';
import { animate } from './motion.js';
import { Opponent } from './opponent.js';
import { Picker } from './picker.js';
import { PlayPanel } from './play.js';
import { Primer } from './primer.js';
import { Review } from './review.js';
import { SearchPanel } from './search/panel.js';
import * as share from './share.js';
import { SolvePanel } from './solve.js';
import { Status } from './status.js';
import { Tabs } from './tabs.js';
import { Zoom } from './zoom.js';

/**
 * What every panel may have: what to do when it is turned to (`show`), when the board is another (`reset`), when the position
 * is (`refresh`), and when the reader leaves (`stop`).
 * @typedef {{show?: () => void, reset?: () => void, refresh?: () => void, stop?: () => void}} Panel
 * @typedef {{text: string | null, options?: Record<string, string>, random?: api.Random | null,
 *   level?: import('./levels.js').LevelBoard | null}} Start a board: its text (null is the sample), and the seed or level it came from
 */

/** What the game is, in short, in pictures and in full. @param {api.About} about @param {HTMLElement} primer */
function intro(about, primer) {
  return h(
    'div',
    { class: 'intro' },
    h('h1', null, capital(about.name)),
    h('p', { class: 'lead' }, `${capital(about.about)}.`),
    primer,
    h('details', null, h('summary', null, 'All rules and formats'), h('pre', { tabindex: '0' }, about.rules))
  );
}

export class GameView {
  /** @param {HTMLElement} main @param {api.About} about */
  constructor(main, about) {
    this.about = about;
    this.game = about.name;
    /** @type {string | null} The start, if it is not the sample. */
    this.text = null;
    /** @type {api.Random | null} What the start was made from, if it is random. */
    this.random = null;
    /** @type {import('./levels.js').LevelBoard | null} Which board of a level the start is. */
    this.level = null;
    /** @type {string[] | null} The moves that led to the position that is shown; null before there is one of this board. */
    this.shownMoves = null;
    /** @type {Set<string>} Moves that were hints or a solver's, each with those before it. */
    this.aided = new Set();
    /** Was a solution of this board shown? */
    this.watched = false;
    /** The reader went elsewhere: what is still under way must not change the address. */
    this.left = false;
    /** @type {string[]} */
    this.moves = [];
    /** @type {string[]} */
    this.undone = [];
    /** @type {string[]} Names clicked for the last move. */
    this.lastClicks = [];
    /** @type {api.Position | null} */
    this.position = null;
    /** A plan is shown; the board is not where the player left it. */
    this.replaying = false;
    this.queue = Promise.resolve();
    this.messages = new Messages();
    this.holder = h('div', { class: 'holder' });
    this.board = new Board(this.holder, (name) => this.clicks.pick(name));
    this.clicks = new Clicks(this);
    this.drag = new Drag(this);
    this.zoom = new Zoom(this.board);
    this.advice = new Advice(this);
    this.controls = new Controls(this);
    this.status = new Status(this);
    this.editor = new Editor(this);
    this.levels = new Levels(this);
    this.picker = new Picker(this);
    this.primer = new Primer(this.game);
    this.opponent = new Opponent(this);
    this.review = new Review(this);
    this.arranging = new LayoutDrag(this);
    const graph = this.about.players === 2 ? [{ name: 'graph' }] : [];
    this.tabs = new Tabs([{ name: 'play' }, { name: 'solve' }, { name: 'search', wide: true }, { name: 'compare', wide: true }, ...graph], (name) => this.turnTo(name));
    this.playing = new PlayPanel(this, this.tabs.panel('play'));
    this.solving = new SolvePanel(this, this.tabs.panel('solve'));
    this.searching = new SearchPanel(this, this.tabs.panel('search'));
    this.comparing = new ComparePanel(this, this.tabs.panel('compare'));
    /** @type {Map<string, Panel>} By the name of their tab. */
    this.panels = new Map(Object.entries({ play: this.playing, solve: this.solving, search: this.searching, compare: this.comparing }));
    if (this.tabs.has('graph')) this.panels.set('graph', new GraphPanel(this, this.tabs.panel('graph')));
    this.section = this.layOut();
    this.main = main;
    this.listening = new AbortController();
    document.addEventListener('keydown', (event) => this.isNear(event.target) && this.controls.key(event), { signal: this.listening.signal });
  }

  layOut() {
    const strip = h('div', { class: 'strip' }, this.controls.element, this.status.element);
    const stand = h('div', { class: 'stand' }, this.holder, this.zoom.element);
    const rules = h('button', { type: 'button', class: 'quiet', onclick: () => this.section.querySelector('.intro')?.scrollIntoView() }, 'Rules');
    // Where the rules are far below, as on a phone.
    const goal = h('p', { class: 'goal' }, h('span', null, `${capital(this.about.about)}.`), rules);
    const left = h('div', { class: 'left' }, this.picker.element, stand, goal, strip, this.editor.element, this.messages.element);
    this.table = h('div', { class: 'table' }, intro(this.about, this.primer.element), left, this.tabs.element);
    return h('section', { class: 'game' }, this.table);
  }

  /** Is this a place from which keys are for the game? @param {EventTarget | null} target */
  isNear(target) {
    return target === document.body || target === this.main || (target instanceof Node && this.section.contains(target));
  }

  /** @param {share.Place} place */
  async open(place) {
    this.turnTo(this.tabs.has(place.view) ? place.view : 'play');
    await this.load(place.level ? await this.levels.make(place.level) : place.random ? await this.generate(place.random) : { text: place.board }, place.moves);
    this.panels.get(this.tabs.current)?.show?.();
    if (place.moves.length === 0) {
      this.picker.introduce();
      this.levels.introduce();
    }
  }

  /** A random board. @param {api.Random} random @returns {Promise<Start>} */
  async generate(random) {
    const { instance } = await api.generate(this.game, random);
    return { text: instance, random };
  }

  leave() {
    this.left = true;
    this.listening.abort();
    this.board.release(true);
    this.status.stop();
    this.advice.stop();
    this.opponent.stop();
    for (const panel of this.panels.values()) panel.stop?.();
  }

  /** What a request is about. @param {string[]} [moves] @returns {api.Board} */
  where(moves = this.moves) {
    return { instance: this.text ?? this.about.sample, options: {}, moves };
  }

  /** Takes another board. @param {Start} start @param {string[]} [moves] */
  async load({ text, options = {}, random = null, level = null }, moves = []) {
    const position = await api.position(this.game, { instance: text ?? this.about.sample, options, moves });
    if (this.left) return;
    const isNew = this.position !== null;
    // The server writes the options into the text of the start.
    this.text = text === null ? null : position.start;
    this.random = random;
    this.level = level;
    this.picker.list.isShown = false;
    this.undone = [];
    this.shownMoves = null;
    this.clicks.clear();
    this.aided.clear();
    this.watched = false;
    this.zoom.reset();
    this.status.reset();
    this.primer.show(position.start);
    for (const panel of this.panels.values()) panel.reset?.();
    this.picker.refresh();
    this.levels.arrive(moves.length);
    this.arrive(moves, position, isNew);
    this.status.fetch();
  }

  /** Shows a position that was reached. @param {string[]} moves @param {api.Position} position @param {boolean} [isNew] is the board another? */
  arrive(moves, position, isNew = false) {
    this.keepFocus(() => this.settle(moves, position, isNew));
  }

  /** Does something after which the button that has the focus may be gone: the board takes it. @param {() => void} act */
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
    this.advice.forget();
    this.writeAddress(isNew);
    this.draw();
    // All parts appear together with the first board, so that nothing has to make room for it.
    if (!this.section.isConnected && !this.left) fill(this.main, this.section);
    this.zoom.refresh();
    this.messages.say(null);
    if (position.goal) this.status.announceEnd(position);
    else if (position.turn !== null) this.opponent.answer();
    else if (position.scene.moves.length === 0) this.messages.say('No legal move is left. Undo, restart, or see where it went wrong.', 'bad', h('button', { type: 'button', onclick: () => this.review.ask() }, 'Review'));
    if (position.turn !== null) this.advice.follow();
  }

  draw() {
    const position = this.position;
    if (!position) return;
    this.present(position.scene, this.moves, true);
    this.board.mark('last', this.moves.length > 0 ? this.lastClicks : []);
    this.clicks.refresh();
    this.status.refresh();
    this.controls.refresh();
    this.picker.edit.hidden = !position.editable;
    for (const panel of this.panels.values()) panel.refresh?.();
    this.panels.get(this.tabs.current)?.show?.();
  }

  /** Shows the same board after the same moves, drawn otherwise. @param {api.Position} position */
  rearrange(position) {
    this.text = position.start;
    this.random = null;
    this.position = position;
    // Nothing glides: what was moved is where it was dropped.
    this.shownMoves = null;
    this.writeAddress();
    this.picker.refresh();
    this.advice.forget();
    this.draw();
    this.advice.follow();
  }

  /** Draws a scene; if it is a move away from what is drawn, shows the move. @param {api.Scene} scene @param {string[]} moves @param {boolean} active */
  present(scene, moves, active) {
    const [before, was] = [this.board.scene, this.shownMoves];
    this.shownMoves = moves;
    const clicks = was && before ? between(before, was, scene, moves) : [];
    this.board.release();
    this.board.show(scene, active);
    if (was && !this.editor.active) animate(this.board, before, clicks, this.drag.carried);
    this.drag.end();
  }

  /** How many moves led to the position that is shown. */
  get shown() {
    return this.shownMoves?.length ?? 0;
  }

  /** Counts the last of these moves as a hint. @param {string[]} moves */
  help(moves) {
    this.aided.add(moves.join('\n'));
  }

  /** How many of the moves were hints or a solver's. */
  get helped() {
    return this.moves.filter((_, at) => this.aided.has(this.moves.slice(0, at + 1).join('\n'))).length;
  }

  /** @param {string} text */
  make(text) {
    return this.step(() => {
      // A double click must not spoil the board that its first click solved.
      if (this.isSolved) return null;
      const undone = this.undone[0] === text ? this.undone.slice(1) : [];
      return [[...this.moves, text], undone, this.gesture(text)];
    });
  }

  /** Was the board solved by the moves made? */
  get isSolved() {
    return this.position !== null && this.position.turn === null && this.position.goal && this.moves.length > 0;
  }

  /** What can be clicked now: nothing on a board that is solved. */
  get gestures() {
    return this.isSolved ? [] : (this.position?.scene.moves ?? []);
  }

  /** The names to click for a move. @param {string} text @returns {string[]} */
  gesture(text) {
    return this.position?.scene.moves.find((gesture) => gesture.text === text)?.clicks ?? [];
  }

  undo() {
    return this.step(() => {
      const { moves, opponent, position } = this;
      // Kibitzer's reply is taken back together with the player's own move.
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
    return this.step(() => [[], [...this.moves, ...this.undone], []]);
  }

  /** Goes to the position after these moves. @param {string[]} moves @param {string[]} undone @param {string[]} [clicks] */
  go(moves, undone, clicks = []) {
    return this.step(() => [moves, undone, clicks]);
  }

  /**
   * Goes to another position, once it is this one's turn: the next click may come before the answer to the last.
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
      this.position = position;
      if (isOnward) this.clicks.keep();
      else this.clicks.clear();
      this.arrive(moves, position);
    });
  }

  /** Shows a position of a plan without going there. @param {string[]} moves @param {string[]} clicks */
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
    this.advice.follow();
  }

  /** Runs actions one after the other and reports errors. @param {() => Promise<void>} act */
  attempt(act) {
    this.queue = this.queue.then(act).catch((error) => this.messages.fail(error));
    return this.queue;
  }

  /** @param {string} name */
  turnTo(name) {
    this.tabs.show(name);
    this.table?.classList.toggle('wide', this.tabs.wide);
    if (this.position) {
      if (name !== 'solve') {
        this.solving.pause();
        this.back();
      }
      this.writeAddress();
    }
    this.panels.get(name)?.show?.();
  }

  /** Where the reader is. @returns {share.Place} */
  get place() {
    const { level } = this;
    const wanted = level && (level.daily ? { daily: level.daily } : { level: level.level, seed: level.seed });
    return { game: this.game, board: this.text, random: this.random, level: wanted, moves: this.moves, view: this.tabs.current };
  }

  /** @param {boolean} [isNew] is the board another? */
  writeAddress(isNew = false) {
    if (!this.left) share.write(this.place, isNew);
  }

  /** What files about the start are called, without their ending. */
  get boardName() {
    return inFileName(`${this.game}-${this.picker.name}`);
  }

  /** What files about the position that is shown are called. */
  get fileName() {
    return this.shown === 0 ? this.boardName : `${this.boardName}-move-${this.shown}`;
  }
}

/** The clicks of the move that leads from one position to another, forward or back; none where it is not one move. @param {api.Scene} before @param {string[]} was @param {api.Scene} after @param {string[]} is */
function between(before, was, after, is) {
  const [longer, shorter, start] = is.length > was.length ? [is, was, before] : [was, is, after];
  if (longer.length !== shorter.length + 1 || !shorter.every((move, at) => move === longer[at])) return [];
  return start.moves.find(({ text }) => text === longer.at(-1))?.clicks ?? [];
}
