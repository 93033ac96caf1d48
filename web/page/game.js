// One game on the page: which board, which moves were made on it, and the parts that show and change that.

import * as api from './api.js';
import { h, fill, rich, capital } from './dom.js';
import { Advice } from './advice.js';
import { Board } from './board.js';
import { Clicks } from './clicks.js';
import { ComparePanel } from './compare/panel.js';
import { Controls } from './controls.js';
import { inFileName } from './download.js';
import { Editor } from './editor.js';
import { GraphPanel } from './graph.js';
import { Levels } from './levels.js';
import { Messages } from './messages.js';
import { Opponent } from './opponent.js';
import { Picker } from './picker.js';
import { PlayPanel } from './play.js';
import { SearchPanel } from './search/panel.js';
import * as share from './share.js';
import { SolvePanel } from './solve.js';
import { Status } from './status.js';
import { Tabs } from './tabs.js';

/**
 * What every panel may have: what to do when it is turned to (`show`), when the board is another (`reset`), when the position
 * is (`refresh`), and when the reader leaves (`stop`).
 * @typedef {{show?: () => void, reset?: () => void, refresh?: () => void, stop?: () => void}} Panel
 * @typedef {{text: string | null, options?: Record<string, string>, random?: api.Random | null,
 *   level?: import('./levels.js').LevelBoard | null}} Start a board: its text (null is the sample), and the seed or level it came from
 */

/** The first two sentences of the rules. @param {string} rules */
function shortRules(rules) {
  const paragraph = (rules.split('\n\n')[0] ?? '').replaceAll('\n', ' ');
  const sentences = paragraph.match(/[^.]+(?:\.(?!\s|$)[^.]+)*\./g) ?? [paragraph];
  return sentences.slice(0, 2).join(' ').trim();
}

/** What the game is, in short and in full. @param {api.About} about */
function intro(about) {
  return h(
    'div',
    { class: 'intro' },
    h('h1', null, capital(about.name)),
    h('p', { class: 'lead' }, `${capital(about.about)}.`),
    h('p', null, rich(shortRules(about.rules))),
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
    /** Moves that were taken from hints. */
    this.helped = 0;
    /** How many moves led to the position that is shown. */
    this.shown = 0;
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
    this.advice = new Advice(this);
    this.controls = new Controls(this);
    this.status = new Status(this);
    this.editor = new Editor(this);
    this.levels = new Levels(this);
    this.picker = new Picker(this);
    this.opponent = new Opponent(this);
    const graph = this.about.players === 2 ? [{ name: 'graph' }] : [];
    this.tabs = new Tabs([{ name: 'play' }, { name: 'solve' }, { name: 'search', wide: true }, { name: 'compare', wide: true }, ...graph], (name) => this.turnTo(name));
    this.playing = new PlayPanel(this, this.tabs.panel('play'));
    this.solving = new SolvePanel(this, this.tabs.panel('solve'));
    this.searching = new SearchPanel(this, this.tabs.panel('search'));
    this.comparing = new ComparePanel(this, this.tabs.panel('compare'));
    /** @type {Map<string, Panel>} By the name of their tab. */
    this.panels = new Map(Object.entries({ play: this.playing, solve: this.solving, search: this.searching, compare: this.comparing }));
    if (this.tabs.has('graph')) this.panels.set('graph', new GraphPanel(this, this.tabs.panel('graph')));
    this.layOut(main);
  }

  /** @param {HTMLElement} main */
  layOut(main) {
    const strip = h('div', { class: 'strip' }, this.controls.element, this.status.element);
    const left = h('div', { class: 'left' }, this.picker.element, this.holder, strip, this.editor.element, this.messages.element);
    this.table = h('div', { class: 'table' }, intro(this.about), left, this.tabs.element);
    const section = h('section', { class: 'game' }, this.table);
    section.addEventListener('keydown', (event) => this.controls.key(event));
    fill(main, section);
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
    this.helped = 0;
    this.undone = [];
    this.status.reset();
    for (const panel of this.panels.values()) panel.reset?.();
    this.picker.refresh();
    this.levels.arrive(moves.length);
    this.arrive(moves, position, isNew);
    this.status.fetch();
  }

  /** Shows a position that was reached. @param {string[]} moves @param {api.Position} position @param {boolean} [isNew] is the board another? */
  arrive(moves, position, isNew = false) {
    this.advice.stop();
    this.opponent.stop();
    this.moves = moves;
    if (moves.length === 0) this.helped = this.levels.given = 0;
    this.position = position;
    this.replaying = false;
    this.clicks.clear();
    this.advice.forget();
    this.writeAddress(isNew);
    this.draw();
    this.messages.say(null);
    if (position.goal) this.status.announceEnd(position);
    else if (position.turn !== null) this.opponent.answer();
    else if (position.scene.moves.length === 0) this.messages.say('No legal move is left. Undo, or restart.', 'bad');
  }

  draw() {
    const position = this.position;
    if (!position) return;
    this.board.show(position.scene);
    this.shown = this.moves.length;
    this.board.mark('last', this.moves.length > 0 ? this.lastClicks : []);
    this.clicks.refresh();
    this.status.refresh();
    this.controls.refresh();
    this.picker.edit.hidden = !position.editable;
    for (const panel of this.panels.values()) panel.refresh?.();
    this.panels.get(this.tabs.current)?.show?.();
  }

  /** @param {string} text */
  make(text) {
    return this.go([...this.moves, text], this.undone[0] === text ? this.undone.slice(1) : [], this.gesture(text));
  }

  /** The names to click for a move. @param {string} text @returns {string[]} */
  gesture(text) {
    return this.position?.scene.moves.find((gesture) => gesture.text === text)?.clicks ?? [];
  }

  undo() {
    if (this.moves.length === 0) return;
    // Kibitzer's reply is undone together with the player's own move.
    const back = this.opponent.active && this.moves.length > 1 ? 2 : 1;
    return this.go(this.moves.slice(0, -back), [...this.moves.slice(-back), ...this.undone], []);
  }

  redo() {
    const [next, ...rest] = this.undone;
    if (next !== undefined) return this.go([...this.moves, next], rest, []);
  }

  restart() {
    return this.go([], [...this.moves, ...this.undone], []);
  }

  /** Goes to the position after these moves. @param {string[]} moves @param {string[]} undone @param {string[]} clicks */
  go(moves, undone, clicks) {
    return this.attempt(async () => {
      const position = await api.position(this.game, this.where(moves));
      this.undone = undone;
      this.lastClicks = clicks;
      this.arrive(moves, position);
    });
  }

  /** Shows a position of a plan without going there. @param {string[]} moves @param {string[]} clicks */
  async preview(moves, clicks) {
    const position = await api.position(this.game, this.where(moves));
    this.replaying = true;
    this.advice.forget();
    this.shown = moves.length;
    this.board.show(position.scene, false);
    this.board.mark('last', clicks);
  }

  /** Ends a preview. */
  back() {
    if (!this.replaying) return;
    this.replaying = false;
    this.lastClicks = [];
    this.draw();
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
