// The moves so far and, on request, a judgment of each: where and how much cost was lost, or where a win was given away and which
// move would have kept it. Every position is solved in the background. A two-player game also gets a line with the value after each
// move.

/** @typedef {Pick<import('../frame/view.js').GameView, 'about' | 'attempt' | 'back' | 'board' | 'game' | 'go' | 'keepFocus' | 'messages' | 'moves' | 'opponent' | 'places' | 'position' | 'preview' | 'replaying' | 'status' | 'turnTo' | 'where' | 'writeAddress'>} Host the members of the view that this module uses */
import * as api from '../engine/api.js';
import { lights } from '../board/places.js';
import { h, fill, rich, counted, grouped } from '../dom.js';
import { Values } from './values.js';

/** Time limit per position in seconds, and the maximum solving time of the start for an automatic review. */
const SECONDS = 5;
const QUICK = 0.5;

/**
 * @typedef {{cost: number, goal: boolean, turn: number | null, report: any, plan: string[], best: string[]}} Known a position, a plan from it, and the best moves
 * @typedef {{kind: string, mark: string, words: string, isLoss: boolean, isFatal?: boolean, isMine: boolean, better: string}} Judgment the judgment of a move
 */

/** The bounds on the remaining cost. @param {Known} known @returns {[least: number, most: number]} */
function rest({ goal, report }) {
  if (goal) return [0, 0];
  if (report.verdict === 'unsolvable') return [Infinity, Infinity];
  if (report.verdict === 'solved') return [report.optimal ? report.cost : report.lower, report.cost];
  return [report.lower ?? 0, report.upper ?? Infinity];
}

/** Judges a move in a puzzle. @param {Known} before @param {Known} after @returns {Omit<Judgment, 'isMine'>} */
function judgeCost(before, after) {
  const [[least, most], [leastAfter, mostAfter]] = [rest(before), rest(after)];
  const better = before.best[0] ?? '';
  const paid = after.cost - before.cost;
  if (least === Infinity) return { kind: '', mark: '', words: 'there was already no solution', isLoss: false, better: '' };
  if (leastAfter === Infinity) return { kind: 'bad', mark: 'dead end', words: most === Infinity ? 'it leaves no solution' : 'it made the board unsolvable', isLoss: true, isFatal: true, better };
  const [low, high] = [Math.max(0, paid + leastAfter - most), paid + mostAfter - least];
  if (high <= 0) return { kind: 'good', mark: 'best', words: 'it was a best move', isLoss: false, better: '' };
  if (low === high) return { kind: 'bad', mark: `+${grouped(low)}`, words: `it cost ${grouped(low)} more than needed`, isLoss: true, better };
  if (low > 0) return { kind: 'bad', mark: `+${grouped(low)} or more`, words: `it cost at least ${grouped(low)} more than needed`, isLoss: true, better };
  return { kind: 'draw', mark: '?', words: 'it was not evaluated within the time limit', isLoss: false, better: '' };
}

/** The result for a player: 1 wins, 0 draws, −1 loses. @param {any} report @param {number | null} player */
const stands = (report, player) => (typeof report.outcome !== 'string' ? null : report.winner === null ? 0 : report.winner === player ? 1 : -1);

/** Judges a move in a two-player game. @param {Known} before @param {Known} after @returns {Omit<Judgment, 'isMine'>} */
function judgeOutcome(before, after) {
  const [was, is] = [stands(before.report, before.turn), stands(after.report, before.turn)];
  if (was === null || is === null) return { kind: 'draw', mark: '?', words: 'it was not evaluated within the time limit', isLoss: false, better: '' };
  if (is >= was) {
    const kept = { 1: ['good', 'wins', 'it wins'], 0: ['draw', 'draws', 'it keeps the draw'], '-1': ['', 'loses', 'every move loses here'] }[was];
    const [kind = '', mark = '', words = ''] = kept ?? [];
    return { kind, mark, words, isLoss: false, better: '' };
  }
  const what = was === 1 ? 'the win' : 'the draw';
  return { kind: 'bad', mark: 'mistake', words: `it gave away ${what}`, isLoss: true, better: before.best[0] ?? '' };
}

export class Review {
  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    this.running = new AbortController();
    this.busy = false;
    /** @type {Map<string, Known>} The solved positions, by their moves. */
    this.known = new Map();
    /** @type {Judgment[]} The judgments known so far, in the order of the moves. */
    this.judgments = [];
    /** The moves that were judged. */
    this.about = '';
    /** The move after which the board is shown, or -1. */
    this.at = -1;
    this.made = h('ol', { class: 'made' });
    this.ghost = h('ol', { class: 'ghost', 'aria-label': 'A best plan, from the first move that cost more than needed' });
    this.key = h('span', { class: 'key gone', 'aria-hidden': 'true' }, 'Purple: better');
    this.both = h('div', { class: 'both' }, this.made, this.ghost);
    this.values = new Values((at) => this.look(at));
    this.summary = h('p', { class: 'summary', role: 'status' });
    this.go = h('button', { type: 'button', class: 'go', onclick: () => (this.busy ? this.stop() : this.ask()) }, 'Review');
    this.element = h('div', { class: `review ${view.about.players === 2 ? 'duel' : ''}` }, h('div', { class: 'heading' }, h('h2', null, 'Moves so far'), this.key, this.go), this.both, this.values.element, this.summary);
  }

  stop() {
    this.running.abort();
  }

  /** Called when the board has changed. */
  reset() {
    this.stop();
    this.known.clear();
  }

  /** Called when the moves may have changed. */
  refresh() {
    const { moves } = this.view;
    if (this.about !== moves.join('\n')) {
      this.stop();
      this.judgments = [];
      this.about = moves.join('\n');
      fill(this.summary);
    }
    this.list();
  }

  list() {
    const { moves } = this.view;
    if (!this.view.replaying) this.at = -1;
    this.go.hidden = moves.length === 0;
    const row = (/** @type {string} */ text, /** @type {number} */ at) => {
      const judgment = this.judgments[at];
      const button = h('button', { type: 'button', class: 'quiet', title: `Show the board after move ${at + 1}`, onclick: () => this.look(at) }, text);
      lights(this.view.board, button, () => this.view.places.of(moves.slice(0, at), text));
      const value = values[at + 1];
      return h('li', null, button, judgment?.mark ? h('span', { class: `badge ${judgment.kind}` }, judgment.mark) : null, value ? h('span', { class: 'soft value' }, value.words) : null);
    };
    const values = this.judgedValues();
    fill(this.made, ...moves.map(row));
    this.made.classList.toggle('empty', moves.length === 0);
    this.values.show(values, [1, 2].map((player) => this.nameOf(player)));
    this.values.mark(this.at);
    this.listGhost();
    this.both.scrollTop = this.ghost.hidden ? this.both.scrollHeight : 0;
  }

  /** A player's name in the review: `You`, if Kibitzer plays the other side. @param {number} player */
  nameOf(player) {
    const { active, plays } = this.view.opponent;
    return !active ? `Player ${player}` : player === plays ? 'Kibitzer' : 'You';
  }

  /** The values of the start and of the positions judged so far, in a two-player game. @returns {import('./values.js').Value[]} */
  judgedValues() {
    const { moves, position } = this.view;
    if (this.judgments.length === 0 || position?.turn === null) return [];
    const known = Array.from({ length: this.judgments.length + 1 }, (_, made) => this.known.get(moves.slice(0, made).join('\n')));
    return known.flatMap((known) => (known ? [this.valueOf(known.report)] : []));
  }

  /** The value of a position in a two-player game. @param {any} report @returns {import('./values.js').Value} */
  valueOf({ outcome, winner, length }) {
    if (typeof outcome !== 'string') return { winner: undefined, length: null, words: 'not known' };
    if (winner === null) return { winner, length, words: length === 0 ? 'drawn' : 'a draw' };
    const name = this.nameOf(winner);
    const [win, won] = name === 'You' ? ['you win', 'you have won'] : [`${name === 'Kibitzer' ? name : `player ${winner}`} wins`, `${name === 'Kibitzer' ? name : `player ${winner}`} has won`];
    return { winner, length, words: length === 0 ? won : length === null ? win : `${win} in ${counted(length, 'move')}` };
  }

  /** Lists a best plan beside the moves, starting beside the player's mistake. */
  listGhost() {
    const { moves, position } = this.view;
    const at = this.isDone && position?.turn === null ? this.mistake : -1;
    const before = moves.slice(0, Math.max(at, 0));
    const plan = at < 0 ? [] : (this.known.get(before.join('\n'))?.plan ?? []);
    this.ghost.hidden = plan.length === 0;
    this.key.classList.toggle('gone', plan.length === 0);
    // Empty rows above the plan, so that it begins beside the mistake.
    const gap = () => h('li', { class: 'gap', role: 'presentation' }, h('span', null, '\u00a0'));
    const row = (/** @type {string} */ text, /** @type {number} */ step) => {
      const button = h('button', { type: 'button', class: 'quiet', title: `Show the board after this move of a best plan`, onclick: () => this.lookAside(at, step) }, text);
      lights(this.view.board, button, () => this.view.places.of([...before, ...plan.slice(0, step)], text));
      return h('li', { value: at + step + 1 }, button);
    };
    fill(this.ghost, ...(plan.length > 0 ? before.map(gap) : []), ...plan.map(row));
  }

  /** Highlights the moves made at a place. @param {string | null} name */
  point(name) {
    const { moves, places } = this.view;
    for (const [at, row] of [...this.made.children].entries()) row.classList.toggle('lit', name !== null && places.now(moves.slice(0, at), moves[at] ?? '').includes(name));
  }

  /** True if all moves are judged. */
  get isDone() {
    return this.judgments.length === this.view.moves.length && this.about === this.view.moves.join('\n');
  }

  /** Starts a review at the player's request. */
  async ask() {
    const { view } = this;
    view.turnTo('play');
    await this.run();
  }

  /** Reviews the game automatically when it ends, if that takes little time. Returns true if there is a new result. @param {any} best the report on the start */
  async follow(best) {
    const { view } = this;
    if (this.isDone || this.busy) return false;
    const isSolo = view.position?.turn === null;
    if (isSolo && !(best?.optimal && best.stats.seconds < QUICK)) return false;
    if (!isSolo && !view.opponent.active) return false;
    await this.run();
    return this.isDone;
  }

  async run() {
    const { view } = this;
    this.stop();
    const running = (this.running = new AbortController());
    const { moves } = view;
    this.about = moves.join('\n');
    this.judgments = [];
    this.setBusy(true);
    try {
      let before = await this.weigh(moves.slice(0, 0), running.signal);
      for (let made = 1; made <= moves.length; made++) {
        fill(this.summary, `Reviewing move ${made} of ${moves.length}…`);
        const after = await this.weigh(moves.slice(0, made), running.signal);
        if (running.signal.aborted) break;
        this.judgments.push(this.judge(before, after));
        before = after;
        if (made % 8 === 0) this.list();
      }
      if (!running.signal.aborted) fill(this.summary, ...rich(this.inShort()));
    } catch (error) {
      if (!running.signal.aborted) fill(this.summary, `${api.problem(error).message}.`);
    }
    if (running === this.running) this.setBusy(false);
    if (running.signal.aborted && this.about === moves.join('\n')) fill(this.summary, 'Stopped.');
    this.list();
  }

  /** @param {boolean} busy */
  setBusy(busy) {
    this.busy = busy;
    this.go.textContent = busy ? 'Stop' : 'Review';
  }

  /** The solver's answer for the position after these moves. @param {string[]} moves @param {AbortSignal} signal */
  async weigh(moves, signal) {
    const { view } = this;
    const key = moves.join('\n');
    const found = this.known.get(key);
    if (found) return found;
    const where = view.where(moves);
    const { cost, goal, turn, scene } = await api.position(view.game, where);
    const next = view.moves[moves.length] ?? '';
    view.places.learn([...moves, next], scene.moves.find(({ text }) => text === next)?.clicks ?? []);
    const { report, plan, best } = turn === null ? await this.solve(where, goal, signal) : await this.reply(where, signal);
    /** @type {Known} */
    const known = { cost, goal, turn, report, plan, best: plan.length > 0 ? plan.slice(0, 1) : best };
    this.known.set(key, known);
    return known;
  }

  /** The solver's answer in a puzzle. @param {api.Board} where @param {boolean} isOver @param {AbortSignal} signal */
  async solve(where, isOver, signal) {
    if (isOver) return { report: { verdict: 'solved' }, plan: [], best: [] };
    return api.solve(this.view.game, { ...where, seconds: SECONDS }, () => {}, signal);
  }

  /** The value of a position in a two-player game, and a best move. @param {api.Board} where @param {AbortSignal} signal */
  async reply(where, signal) {
    const report = await api.reply(this.view.game, { ...where, seconds: SECONDS }, signal);
    return { report, plan: [], best: report.outcome !== null && report.move !== null ? [report.move] : [] };
  }

  /** @param {Known} before @param {Known} after @returns {Judgment} */
  judge(before, after) {
    const { opponent } = this.view;
    if (before.turn === null) return { ...judgeCost(before, after), isMine: true };
    return { ...judgeOutcome(before, after), isMine: !opponent.active || before.turn !== opponent.plays };
  }

  /** The player's move that made the board unsolvable or, if there is none, the player's first move that was not best. */
  get mistake() {
    const fatal = this.judgments.findIndex(({ isFatal, isMine }) => isFatal && isMine);
    return fatal < 0 ? this.judgments.findIndex(({ isLoss, isMine }) => isLoss && isMine) : fatal;
  }

  /** The review in one sentence. */
  inShort() {
    const { position } = this.view;
    const [start, end] = [this.known.get(''), this.known.get(this.about)];
    const at = this.mistake;
    const lost = at < 0 ? '' : ` ${this.inWords(at)}`;
    if (!start || !end || !position) return '';
    if (position.turn !== null) return at < 0 ? 'No mistakes.' : this.inWords(at);
    const [best] = rest(start);
    const [least, most] = rest(end);
    if (best === Infinity) return 'This board has no solution.';
    const isProved = start.goal || start.report.optimal;
    const known = isProved ? `the best possible is ${grouped(best)}` : `the best possible is ${grouped(best)} or more`;
    if (position.goal) return `Your cost: ${grouped(position.cost)}; ${known}.${lost}`;
    if (least === Infinity) return `There is no solution from here; from the start, ${known}.${lost}`;
    return `Your cost so far: ${grouped(position.cost)}, ${least === most ? '' : 'at least '}${grouped(least)} more from here; ${known}.${lost}`;
  }

  /** The sentence about a move. @param {number} at */
  inWords(at) {
    const judgment = this.judgments[at];
    const move = this.view.moves[at] ?? '';
    if (!judgment) return `Position after move ${at + 1} (${quoted(move)}).`;
    const { isLoss, isMine, better, words } = judgment;
    const who = this.view.position?.turn === null || (isMine && this.view.opponent.active) ? 'you played' : isMine ? `player ${this.player(at)} played` : 'Kibitzer played';
    const text = `Move ${at + 1}: ${who} ${quoted(move)}; ${words}.`;
    if (!isLoss || !better) return text;
    return `${text} Better: ${quoted(better)}.`;
  }

  /** The player who made a move. @param {number} at */
  player(at) {
    return this.known.get(this.view.moves.slice(0, at).join('\n'))?.turn ?? '';
  }

  /** The sentence about the mistake and a button to replay from there, for the message at the end. */
  ending() {
    const at = this.isDone ? this.mistake : -1;
    if (at < 0) {
      const isReview = !this.isDone && !this.busy;
      return { sentence: '', buttons: isReview ? [h('button', { type: 'button', onclick: () => this.ask() }, 'Review')] : [] };
    }
    const isDuel = this.view.position?.turn !== null;
    const sentence = isDuel && this.view.opponent.active ? `Your mistake was ${this.inWords(at).replace(/^M/, 'm')}` : this.inWords(at);
    return { sentence, buttons: [this.again(at)] };
  }

  /** @param {number} at */
  again(at) {
    const { view } = this;
    const { moves } = view;
    return h('button', { type: 'button', class: 'primary', onclick: () => view.go(moves.slice(0, at), moves.slice(at)) }, `Replay from move ${at + 1}`);
  }

  /** Shows the board after a move, with an arrow for the move and, if it was not best, another one for a better move. @param {number} at */
  look(at) {
    const { view } = this;
    const { moves, places } = view;
    return view.attempt(async () => {
      const before = moves.slice(0, at);
      const { better } = this.judgments[at] ?? {};
      const made = await places.of(before, moves[at] ?? '');
      const ghost = better ? await places.of(before, better) : [];
      await view.preview(moves.slice(0, at + 1), made);
      view.board.mark('hint', ghost);
      view.board.overlay.arrow(ghost, made);
      this.now(this.made, at);
      this.at = at;
      this.values.mark(at);
      view.writeAddress();
      view.messages.say(this.inWords(at), '', this.again(at), this.back());
    });
  }

  /** Shows the board after a move of the best plan that begins before move `at`. @param {number} at @param {number} step */
  lookAside(at, step) {
    const { view } = this;
    return view.attempt(async () => {
      const before = view.moves.slice(0, at);
      const plan = this.known.get(before.join('\n'))?.plan ?? [];
      const clicks = await view.places.of([...before, ...plan.slice(0, step)], plan[step] ?? '');
      await view.preview([...before, ...plan.slice(0, step + 1)], clicks);
      view.board.overlay.arrow(clicks);
      this.now(this.ghost, at + step);
      view.messages.say(`A best plan from move ${at + 1}: ${quoted(plan[step] ?? '')}.`, '', this.again(at), this.back());
    });
  }

  /** Marks one row of the lists. @param {HTMLElement} list @param {number} at */
  now(list, at) {
    for (const other of [this.made, this.ghost]) for (const [number, row] of [...other.children].entries()) row.classList.toggle('now', other === list && number === at);
  }

  /** The button that leads from an earlier position back to the game. */
  back() {
    return h('button', { type: 'button', onclick: () => this.leave() }, 'Back to my game');
  }

  /** Ends a look back. */
  leave() {
    const { view } = this;
    view.keepFocus(() => {
      view.back();
      view.messages.say(null);
    });
    if (view.position?.goal) view.status.announceEnd(view.position);
  }
}

/** @param {string} move */
const quoted = (move) => `\`${move.replace(/\.$/, '')}\``;
