// The row of levels, with buttons for four levels, the daily board and another board; and the result when a board is solved.

/** @typedef {Pick<import('./view.js').GameView, 'about' | 'attempt' | 'editor' | 'game' | 'helped' | 'level' | 'load' | 'messages' | 'moves' | 'opponent' | 'picker' | 'position' | 'primer' | 'text' | 'watched'>} Host the members of the view that this module uses */
import * as api from '../engine/api.js';
import { resultsDialog } from './dialogs.js';
import { h, fill, capital, grouped } from '../dom.js';
import { inStars, inWeakness } from './verdict.js';
import { choice, choose } from '../state/choices.js';
import * as record from '../state/record.js';

export class Levels {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    /** The number of moves in the address. Opening a link to a solution does not count as solving. */
    this.given = 0;
    this.buttons = record.LEVELS.map((level) => h('button', { type: 'button', 'aria-pressed': 'false', onclick: () => this.start(level) }, capital(level)));
    this.daily = h('button', { type: 'button', 'aria-pressed': 'false', title: 'One board per day, the same for everyone', onclick: () => this.open({ daily: record.today() }) }, 'Daily');
    this.fresh = h('button', { type: 'button', title: 'Another board at this level', onclick: () => this.next() }, 'New');
    this.results = h('button', { type: 'button', class: 'quiet results', onclick: () => resultsDialog(() => this.refresh()) });
    this.element = h(
      'div',
      { class: 'levels' },
      h('div', { class: 'segments', role: 'group', 'aria-label': 'Level' }, ...this.buttons),
      this.daily,
      this.fresh
    );
  }

  get game() {
    return this.view.game;
  }

  /** Shows the level and the number of boards solved. */
  refresh() {
    const { level } = this.view;
    this.buttons.forEach((button, at) => {
      const name = record.LEVELS[at] ?? '';
      const count = record.count(this.game, `${name}-`);
      button.setAttribute('aria-pressed', String(level !== null && !level.daily && level.level === name));
      button.title = count > 0 ? `${count} solved` : 'None solved yet';
    });
    const done = record.resultOn(this.game, `daily-${record.today()}`) !== undefined;
    this.daily.setAttribute('aria-pressed', String(level?.daily === record.today()));
    fill(this.daily, done ? 'Daily ✓' : 'Daily');
    const days = record.streak();
    fill(this.results, [record.count(this.game) > 0 && `${record.count(this.game)} solved`, days > 0 && `streak ${days}`].filter(Boolean).join(' · ') || 'Results');
    this.results.title = 'Your results. A streak counts consecutive days on which you solved a daily board, in any game.';
  }

  /** The level for `New`: that of the current board, or else the last level played. */
  get current() {
    return this.view.level?.level ?? remembered() ?? 'easy';
  }

  /** The number of the first unsolved board at the level after `after`. @param {string} level @param {number} after */
  unsolved(level, after) {
    let number = after + 1;
    while (record.resultOn(this.game, `${level}-${number}`)) number += 1;
    return number;
  }

  /** Opens the first unsolved board at a level. @param {string} level */
  start(level) {
    return this.open({ level, seed: String(this.unsolved(level, 0)) });
  }

  /** Opens another board at the same level. */
  next() {
    const { level } = this.view;
    const isNumber = level && !level.daily && Number(level.seed) < Number.MAX_SAFE_INTEGER;
    return this.open({ level: this.current, seed: String(this.unsolved(this.current, isNumber ? Number(level.seed) : 0)) });
  }

  /** @param {{level: string, seed: string} | {daily: string}} wanted */
  open(wanted) {
    const { view } = this;
    return view.attempt(async () => {
      const start = await this.make(wanted);
      view.editor.close();
      await view.load(start);
      this.introduce();
    });
  }

  /** Generates a board at a given level, or the daily board. @param {{level: string, seed: string} | {daily: string}} wanted */
  async make(wanted) {
    const { instance, level, seed, daily, difficulty } = await api.level(this.game, wanted);
    choose('level', level);
    return { text: instance, level: { level, seed: 'seed' in wanted ? wanted.seed : String(seed), daily, least: difficulty.least } };
  }

  /** The board in words. */
  get words() {
    const { level } = this.view;
    if (!level) return '';
    return level.daily ? `Daily board ${level.daily} (${level.level})` : `${capital(level.level)} ${level.seed}`;
  }

  /** The name under which the board's results are stored; empty if they are not stored. */
  get board() {
    const { level, picker, text } = this.view;
    if (level) return level.daily ? `daily-${level.daily}` : `${level.level}-${level.seed}`;
    if (text === null) return 'sample';
    return picker.listed ? `board-${picker.listed.name}` : '';
  }

  /** True if the player made at least one of their moves without help. */
  get isOwn() {
    const { helped, moves, opponent, watched } = this.view;
    const mine = opponent.active ? moves.filter((_, at) => (at % 2 === 0) === (opponent.plays === 2)) : moves;
    return helped < mine.length && !watched;
  }

  /** Shows the goal of a level's board, and the rules that differ from those of the previous board. */
  async introduce() {
    const { about, level, messages, position } = this.view;
    if (!level || position?.goal) return;
    const best = record.resultOn(this.game, this.board);
    const done = best ? (best.cost === null ? ` You have won this one${inWeakness(best.opponent)}.` : ` Your best so far: ${grouped(best.cost)}.`) : '';
    const changed = await this.view.primer.changed;
    if (this.view.level !== level || this.view.moves.length > 0) return;
    const rules = changed.length > 0 ? ` The rules change: ${changed.join(' ')}` : '';
    if (about.players === 2) messages.say(`${this.words}: you move first and can win. Kibitzer is player 2.${done}${rules}`);
    else messages.say(`${this.words}: ${level.least === null ? 'it can be solved' : `best possible cost ${grouped(level.least)}`}.${done}${rules}`);
  }

  /** Called when a new board is loaded. @param {number} given the number of moves in the address */
  arrive(given) {
    this.given = given;
    this.refresh();
  }

  /** The board with the moves made, as stored to recognize the player's own game when its link is opened again. */
  get written() {
    const { moves, text } = this.view;
    return [this.game, text ?? '', ...moves].join('\n');
  }

  /** True if this is the last game that the player has solved. */
  get isAgain() {
    return choice('solved') === this.written;
  }

  /**
   * Called when the game is over. Stores the result and offers the next board.
   * @param {api.Position} position @param {any} report the report on the start or, in a two-player game, on the end
   * @returns {Node[]} to show below the message
   */
  finished(position, report) {
    const { view, board } = this;
    const { helped, level, moves, opponent } = view;
    if (moves.length === 0) return [];
    if (moves.length <= this.given) return [this.onward()];
    if (position.turn === null) choose('solved', this.written);
    const { isOwn } = this;
    const hasWon = position.turn === null || (opponent.active && typeof report?.winner === 'number' && String(report.winner) !== opponent.side.value);
    // Daily boards for future dates can be played, but do not count yet.
    const isEarly = level?.daily && level.daily > record.today();
    if (board && isOwn && hasWon && !isEarly) {
      const least = level?.least ?? (report?.optimal ? report.cost : null);
      record.solved(this.game, board, position.turn === null ? { cost: position.cost, least, hints: helped } : { cost: null, least: null, hints: helped, opponent: opponent.skill.value });
      this.refresh();
    }
    const result = inStars(position.cost, { verdict: 'solved', optimal: level?.least !== null, cost: level?.least }, helped, moves.length);
    // One line to share with friends, without the moves.
    const share = level?.daily && isOwn && hasWon ? [h('button', { type: 'button', onclick: () => this.copyResult(`Kibitzer ${capital(this.game)} ${level.daily} ${position.turn === null ? `${result} cost ${grouped(position.cost)}${level.least === null ? '' : `, best possible ${grouped(level.least)}`}` : `won${inWeakness(opponent.skill.value)}`}`) }, 'Copy result')] : [];
    if (position.turn === null && !isOwn && board) return [h('p', { class: 'soft' }, `${view.watched ? 'You watched the solution' : 'All moves were hints'}, so this board does not count as solved.`), this.onward()];
    return [...share, this.onward()];
  }

  /** Copies a result. @param {string} text */
  async copyResult(text) {
    await navigator.clipboard.writeText(text).then(() => this.view.messages.say(`Copied: ${text}`, 'good', this.onward()), () => this.view.messages.say(text, 'good', this.onward()));
  }

  onward() {
    return h('button', { type: 'button', class: 'primary next', onclick: () => this.next() }, 'Next board');
  }
}

/** The last level played, in any game. */
const remembered = () => record.LEVELS.find((level) => level === choice('level'));
