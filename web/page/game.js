// One game: its board, what was played on it, and the panels beside it.

import * as api from './api.js';
import { h, fill, rich, grouped, counted, capital } from './dom.js';
import { Board, nextNames } from './board.js';
import { pasteDialog, randomDialog } from './dialogs.js';
import { Editor } from './editor.js';
import { SolvePanel } from './solve.js';
import { ComparePanel } from './compare.js';
import { GraphPanel } from './graph.js';
import * as share from './share.js';

/** Seconds that the page spends on the best possible cost before anybody asked, and on a hint. */
const QUIET_SECONDS = 5;
const HINT_SECONDS = 30;

/** The first two sentences of the rules. @param {string} rules */
function shortRules(rules) {
  const paragraph = (rules.split('\n\n')[0] ?? '').replaceAll('\n', ' ');
  const sentences = paragraph.match(/[^.]+(?:\.(?!\s|$)[^.]+)*\./g) ?? [paragraph];
  return sentences.slice(0, 2).join(' ').trim();
}

export class GameView {
  /** @param {HTMLElement} main @param {api.About} about */
  constructor(main, about) {
    this.main = main;
    this.about = about;
    this.game = about.name;
    /** @type {string | null} The start, if it is not the sample. */
    this.text = null;
    /** @type {Record<string, string>} */
    this.options = {};
    /** @type {string[]} */
    this.moves = [];
    /** @type {string[]} */
    this.undone = [];
    /** @type {string[]} */
    this.picked = [];
    /** @type {api.Position | null} */
    this.position = null;
    /** @type {any} The report about the start, once there is one. */
    this.best = null;
    /** @type {api.Remark | null} */
    this.remark = null;
    this.view = 'play';
    this.replaying = false;
    this.gone = new AbortController();
    this.quiet = new AbortController();
    this.asking = new AbortController();
    this.turnstile = Promise.resolve();
    /** @type {string | null} The instance that was picked, and its text. */
    this.loaded = null;
    /** @type {string | null} */
    this.loadedText = null;
    /** @type {string[]} */
    this.lastClicks = [];
    this.holder = h('div', { class: 'holder' });
    this.board = new Board(this.holder, (name) => this.pick(name));
    this.status = h('p', { class: 'status' });
    this.message = h('div', { class: 'message', role: 'status', 'aria-live': 'polite' });
    const button = (/** @type {string} */ label, /** @type {string} */ key, /** @type {() => void} */ act, /** @type {string} */ kind = '') =>
      h('button', { type: 'button', class: kind, title: key ? `Key: ${key}` : null, onclick: act }, label);
    this.buttons = {
      undo: button('Undo', 'u', () => this.undo()),
      redo: button('Redo', 'r', () => this.redo()),
      restart: button('Restart', '', () => this.restart()),
      hint: button('Hint', 'h', () => this.hint(), 'primary'),
      why: button('Why?', 'w', () => this.why()),
      edit: button('Edit', '', () => this.edit()),
    };
    this.controls = h('div', { class: 'controls', role: 'group', 'aria-label': 'Play' }, ...Object.values(this.buttons).slice(0, 5));
    this.editorHolder = h('div', { class: 'editor', hidden: true });
    this.editor = new Editor(this);
    this.choice = h('select', { id: 'board-choice', 'aria-label': 'Board', onchange: () => this.choose() });
    this.moveList = h('div', { class: 'moves' });
    this.madeList = h('ol', { class: 'made' });
    const two = about.players === 2;
    /** @type {Record<string, HTMLElement>} */
    this.panels = {
      play: h('div', { class: 'panel', role: 'tabpanel', id: 'panel-play', 'aria-labelledby': 'tab-play' }, h('h2', null, 'Played'), this.madeList, h('h2', null, 'Possible moves'), this.moveList),
      solve: h('div', { class: 'panel', role: 'tabpanel', id: 'panel-solve', 'aria-labelledby': 'tab-solve' }),
      compare: h('div', { class: 'panel', role: 'tabpanel', id: 'panel-compare', 'aria-labelledby': 'tab-compare' }),
      ...(two && { graph: h('div', { class: 'panel', role: 'tabpanel', id: 'panel-graph', 'aria-labelledby': 'tab-graph' }) }),
    };
    this.solving = new SolvePanel(this, /** @type {HTMLElement} */ (this.panels.solve));
    this.comparing = new ComparePanel(this, /** @type {HTMLElement} */ (this.panels.compare));
    this.graph = this.panels.graph ? new GraphPanel(this, this.panels.graph) : null;
    this.opponent = h(
      'select',
      { id: 'opponent', onchange: () => this.answer() },
      h('option', { value: '0' }, 'nobody'),
      h('option', { value: '2' }, 'player 2'),
      h('option', { value: '1' }, 'player 1')
    );
    if (two) this.panels.play?.prepend(h('div', { class: 'field row' }, h('label', { for: 'opponent' }, 'Kibitzer plays'), this.opponent));
    this.tabs = Object.keys(this.panels).map((name) =>
      h('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`, onclick: () => this.turnTo(name) }, capital(name))
    );
    const tablist = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'What to do' }, this.tabs);
    tablist.addEventListener('keydown', (event) => {
      const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (step === 0) return;
      const at = this.tabs.findIndex((tab) => tab === document.activeElement);
      const tab = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
      tab?.focus();
      tab?.click();
      event.preventDefault();
    });
    const names = about.instances.map((instance) => h('option', { value: `instance:${instance.name}` }, instance.name.replaceAll('-', ' ')));
    fill(this.choice, h('option', { value: 'sample' }, 'the sample'), ...names, h('option', { value: 'own', hidden: true }, 'your own board'));
    this.right = h('div', { class: 'right' }, tablist, Object.values(this.panels));
    const intro = h(
      'div',
      { class: 'intro' },
      h('h1', null, capital(about.name)),
      h('p', { class: 'lead' }, `${capital(about.about)}.`),
      h('p', null, rich(shortRules(about.rules))),
      h('details', null, h('summary', null, 'All rules and formats'), h('pre', { tabindex: '0' }, about.rules))
    );
    const picker = h(
      'div',
      { class: 'picker' },
      h('label', { for: 'board-choice' }, 'Board'),
      this.choice,
      h('button', { type: 'button', onclick: () => this.random() }, 'Random…'),
      h('button', { type: 'button', onclick: () => this.paste() }, 'Paste…'),
      this.buttons.edit,
      h('button', { type: 'button', onclick: () => this.share() }, 'Share')
    );
    fill(
      this.main,
      h(
        'section',
        { class: 'game' },
        h(
          'div',
          { class: 'table' },
          intro,
          h('div', { class: 'left' }, picker, this.holder, h('div', { class: 'strip' }, this.controls, this.status), this.editorHolder, this.message),
          this.right
        )
      )
    );
    this.main.querySelector('.game')?.addEventListener('keydown', (event) => this.key(/** @type {KeyboardEvent} */ (event)));
  }

  /** @param {share.Place} place */
  async open(place) {
    this.turnTo(place.view in this.panels ? place.view : 'play');
    await this.load(place.board, place.moves);
    if (this.view === 'graph') this.graph?.show();
  }

  leave() {
    for (const controller of [this.gone, this.quiet, this.asking]) controller.abort();
    this.solving.stop();
    this.comparing.stop();
  }

  /** What a request is about. @param {string[]} [moves] @returns {api.Board} */
  where(moves = this.moves) {
    return { instance: this.text ?? this.about.sample, options: this.options, moves };
  }

  /** Takes another board. @param {string | null} text @param {string[]} [moves] @param {Record<string, string>} [options] */
  async load(text, moves = [], options = {}) {
    const position = await api.position(this.game, { instance: text ?? this.about.sample, options, moves });
    this.text = text === null ? null : position.start;
    this.options = {};
    this.undone = [];
    this.best = null;
    this.solving.reset();
    this.comparing.reset();
    this.setChoice();
    await this.arrive(moves, position);
    this.fetchBest();
  }

  setChoice() {
    const known = this.about.instances.find((instance) => this.loaded === instance.name && this.loadedText === this.text);
    this.choice.value = this.text === null ? 'sample' : known ? `instance:${known.name}` : 'own';
  }

  async choose() {
    const instance = this.about.instances.find(({ name }) => this.choice.value === `instance:${name}`);
    await this.attempt(async () => {
      if (this.editor.active) this.editor.close();
      if (!instance) return this.load(null);
      await this.load(instance.text, [], instance.options);
      [this.loaded, this.loadedText] = [instance.name, this.text];
      this.setChoice();
      const told = [instance.answer && `Known answer: ${instance.answer}.`, instance.source && `Source: ${instance.source}.`].filter(Boolean);
      if (told.length > 0) this.say(told.join(' '));
    });
  }

  /** Stands at a position. @param {string[]} moves @param {api.Position} position */
  async arrive(moves, position) {
    this.asking.abort();
    this.moves = moves;
    this.position = position;
    this.picked = [];
    this.remark = null;
    this.replaying = false;
    share.write({ game: this.game, board: this.text, moves, view: this.view });
    this.draw();
    this.say(null);
    if (position.turn !== null && position.goal) this.announce();
    else if (position.turn !== null) this.answer();
    else if (position.goal) this.celebrate(position);
    else if (position.scene.moves.length === 0) this.say('No move is left. Undo, or start again.', 'bad');
  }

  draw() {
    const position = this.position;
    if (!position) return;
    this.board.show(position.scene);
    this.board.mark('last', this.moves.length > 0 ? this.lastClicks : []);
    this.refreshMarks();
    this.showStatus();
    const set = (/** @type {HTMLButtonElement} */ button, /** @type {boolean} */ on) => {
      if (!on && document.activeElement === button) this.board.stand(this.board.current, true);
      button.disabled = !on;
    };
    set(this.buttons.undo, this.moves.length > 0);
    set(this.buttons.redo, this.undone.length > 0);
    set(this.buttons.restart, this.moves.length > 0);
    set(this.buttons.hint, !position.goal);
    this.buttons.edit.hidden = !position.editable;
    fill(this.madeList, ...this.moves.map((text) => h('li', null, text)));
    this.madeList.classList.toggle('empty', this.moves.length === 0);
    this.madeList.scrollTop = this.madeList.scrollHeight;
    this.listMoves([]);
    this.solving.refresh();
    this.comparing.refresh();
    if (this.view === 'graph') this.graph?.show();
  }

  /** @param {api.Label[]} labels */
  listMoves(labels) {
    const position = this.position;
    if (!position) return;
    const most = 200;
    const rows = position.legal.slice(0, most).map(({ text, cost }) => {
      const label = labels.find((label) => label.move === text);
      const note = label ? h('span', { class: `badge ${label.good ? 'good' : ''}` }, label.text) : position.legal.some((move) => move.cost !== 1) ? h('span', { class: 'soft' }, `costs ${cost}`) : null;
      return h('button', { type: 'button', onclick: () => this.make(text) }, h('span', null, text), note);
    });
    const more = position.legal.length > most ? h('p', { class: 'soft' }, `and ${grouped(position.legal.length - most)} more`) : null;
    fill(this.moveList, ...rows, more, position.legal.length === 0 ? h('p', { class: 'soft' }, 'none') : null);
  }

  refreshMarks() {
    const gestures = this.position?.scene.moves ?? [];
    const next = nextNames(gestures, this.picked);
    this.board.mark('picked', this.picked);
    this.board.mark('next', this.picked.length > 0 ? next : []);
    this.board.mark('can', this.picked.length === 0 ? next : []);
  }

  showStatus() {
    const position = this.position;
    if (!position) return;
    const parts = [counted(this.moves.length, 'move')];
    if (position.turn === null && position.cost !== this.moves.length) parts.push(`cost ${grouped(position.cost)}`);
    if (position.turn !== null && !position.goal) parts.push(`player ${position.turn} to move`);
    const best = this.best;
    if (best?.winner !== undefined) parts.push(`player ${best.winner} can win from the start`);
    else if (best?.verdict === 'solved' && best.cost !== undefined) parts.push(best.optimal ? `best possible ${grouped(best.cost)}` : `at most ${grouped(best.cost)} needed`);
    else if (best?.verdict === 'unsolvable') parts.push('proved: there is no solution');
    else if (best?.verdict === 'unknown') parts.push(`at least ${grouped(best.lower)} needed`);
    else if (best === null) parts.push('looking for the best …');
    fill(this.status, parts.join(' · '));
  }

  /** Finds out what the best possible is, without anybody waiting for it. */
  async fetchBest() {
    this.quiet.abort();
    const quiet = (this.quiet = new AbortController());
    try {
      const { report } = await api.solve(this.game, { ...this.where([]), seconds: QUIET_SECONDS }, () => {}, quiet.signal);
      this.best = report;
    } catch {
      if (quiet.signal.aborted) return;
      this.best = false;
    }
    this.showStatus();
    if (this.position?.goal && !this.replaying) this.celebrate(this.position);
  }

  /** The game is over: the server knows who has won. */
  async announce() {
    const here = this.position;
    const { report } = await api.solve(this.game, this.where(), () => {}, this.gone.signal).catch(() => ({ report: {} }));
    if (this.position === here && report.winner !== undefined) this.say(`The game is over: player ${report.winner} wins.`, 'good');
  }

  /** Where two play and it is Kibitzer's turn: plays a winning move, or any if there is none. */
  async answer() {
    const here = this.position;
    if (!here || here.goal || this.replaying || String(here.turn) !== this.opponent.value) return;
    this.say('Kibitzer is thinking …');
    const asking = (this.asking = new AbortController());
    try {
      const { best, report } = await api.solve(this.game, { ...this.where(), seconds: HINT_SECONDS }, () => {}, asking.signal);
      await new Promise((resolve) => setTimeout(resolve, matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 500));
      if (this.position !== here || asking.signal.aborted) return;
      const move = best[0] ?? here.legal[Math.floor(Math.random() * here.legal.length)]?.text;
      if (move === undefined) return;
      await this.make(move);
      if (!this.position?.goal) this.say(`Kibitzer played ${move}${report.winner === here.turn ? ', and will win' : ''}. Your turn.`);
    } catch (error) {
      if (!asking.signal.aborted) this.fail(error);
    }
  }

  /** @param {api.Position} position */
  celebrate(position) {
    if (position.turn !== null) return;
    const best = this.best;
    if (this.moves.length === 0) return this.say('This board is solved already.', 'good');
    const spent = position.cost;
    if (best?.verdict === 'solved' && best.optimal && best.cost !== undefined) {
      if (spent === best.cost) this.say(`Solved at a cost of ${grouped(spent)}, the least possible. Well played!`, 'good');
      else this.say(`Solved at a cost of ${grouped(spent)}: ${grouped(spent - best.cost)} more than needed.`, 'good');
    } else this.say(`Solved at a cost of ${grouped(spent)}.`, 'good');
  }

  /** A click on the board, by mouse or key. @param {string} name */
  pick(name) {
    if (this.editor.active) return this.editor.pick(name);
    if (this.replaying) return;
    const gestures = this.position?.scene.moves ?? [];
    if (this.picked.length > 0 && this.picked.at(-1) === name && !nextNames(gestures, this.picked).has(name)) {
      this.picked = [];
      return this.refreshMarks();
    }
    if (!nextNames(gestures, this.picked).has(name)) {
      if (!nextNames(gestures, []).has(name)) {
        this.picked = [];
        this.refreshMarks();
        return this.say('No move goes there.', 'bad');
      }
      this.picked = [];
    }
    this.picked.push(name);
    const whole = gestures.find((gesture) => gesture.clicks.length === this.picked.length && gesture.clicks.every((click, at) => click === this.picked[at]));
    if (whole) return this.make(whole.text);
    this.say(null);
    this.refreshMarks();
  }

  /** @param {string} text */
  make(text) {
    const gesture = this.position?.scene.moves.find((gesture) => gesture.text === text);
    return this.go([...this.moves, text], this.undone[0] === text ? this.undone.slice(1) : [], gesture?.clicks ?? []);
  }

  undo() {
    // Against Kibitzer its answer goes back with one's own move.
    const back = this.opponent.value !== '0' && this.moves.length > 1 ? 2 : 1;
    if (this.moves.length === 0) return;
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
      await this.arrive(moves, position);
    });
  }

  /** Shows a position of a plan without going there. @param {string[]} moves @param {string[]} clicks */
  async preview(moves, clicks) {
    const position = await api.position(this.game, this.where(moves));
    this.replaying = true;
    this.remark = null;
    this.board.show(position.scene, false);
    this.board.mark('last', clicks);
    return position;
  }

  /** Shows the board as it stands again. */
  back() {
    if (!this.replaying) return;
    this.replaying = false;
    this.lastClicks = [];
    this.draw();
  }

  async hint() {
    if (this.position?.goal) return;
    this.back();
    this.asking.abort();
    const asking = (this.asking = new AbortController());
    this.say('Thinking …');
    const stop = h('button', { type: 'button', onclick: () => asking.abort() }, 'Stop');
    this.message.append(stop);
    try {
      const { report, plan, best, remark } = await api.solve(this.game, { ...this.where(), seconds: HINT_SECONDS }, () => {}, asking.signal);
      const move = plan[0] ?? best[0];
      if (move !== undefined) {
        const gesture = this.position?.scene.moves.find((gesture) => gesture.text === move);
        this.board.mark('hint', gesture?.clicks ?? []);
        const worth = report.winner !== undefined ? 'it wins' : report.optimal ? `${grouped(report.cost)} to go, the least possible` : report.cost !== undefined ? `${grouped(report.cost)} to go` : '';
        const button = h('button', { type: 'button', class: 'primary', onclick: () => this.make(move) }, 'Make it');
        this.say(`Hint: ${move}${worth ? ` (${worth})` : ''} `, 'good', button);
      } else if (report.winner !== undefined) {
        this.say('No move wins against perfect play. Make the game long, and hope.', 'bad');
      } else if (report.verdict === 'unsolvable') {
        this.showRemark(remark ?? { text: 'From here there is no solution: everything that can be reached was looked at.', tints: [], shapes: [], labels: [] }, 'There is no way from here. ');
      } else if (report.verdict === 'unknown') {
        this.say(`No hint within the limits; what is left costs at least ${grouped(report.lower)}.`, 'bad');
      } else this.say('There is nothing left to do.');
    } catch (error) {
      if (asking.signal.aborted) this.say(null);
      else this.fail(error);
    }
  }

  async why() {
    if (this.remark) {
      this.remark = null;
      this.board.remark(null);
      this.listMoves([]);
      return this.say(null);
    }
    this.back();
    await this.attempt(async () => {
      const { remark } = await api.explain(this.game, this.where());
      if (remark) this.showRemark(remark);
      else this.say('There is nothing to explain here.');
    });
  }

  /** @param {api.Remark} remark @param {string} [before] */
  showRemark(remark, before = '') {
    this.back();
    this.remark = remark;
    this.board.remark(remark);
    this.listMoves(remark.labels);
    this.say(before + remark.text, 'remark');
  }

  /** @param {string | null} text @param {string} [kind] @param {...Node} more */
  say(text, kind = '', ...more) {
    this.message.className = `message ${kind}`;
    fill(this.message, ...(text === null ? [] : [h('p', null, rich(text))]), ...more);
  }

  /** @param {unknown} error */
  fail(error) {
    const help = error instanceof api.Refusal && error.help ? ` (${error.help})` : '';
    this.say(`${capital(error instanceof Error ? error.message : String(error))}${help}`, 'bad');
  }

  /** One thing after the other, and errors told. @param {() => Promise<void>} act */
  attempt(act) {
    this.turnstile = this.turnstile.then(act).catch((error) => this.fail(error));
    return this.turnstile;
  }

  random() {
    randomDialog(this.about, async (wish) => {
      const { instance } = await api.generate(this.game, wish);
      if (this.editor.active) this.editor.close();
      await this.load(instance);
    });
  }

  paste() {
    pasteDialog(this.position?.instance ?? this.about.sample, async (text) => {
      await this.load(text);
      if (this.editor.active) this.editor.close();
    });
  }

  edit() {
    return this.attempt(() => this.editor.toggle());
  }

  async share() {
    const place = { game: this.game, board: this.text ?? this.about.sample, moves: this.moves, view: this.view };
    share.write(place);
    try {
      await navigator.clipboard.writeText(location.href);
      this.say('The address of this board and its moves is on your clipboard.', 'good');
    } catch {
      const field = h('input', { class: 'address', readonly: true, value: location.href, 'aria-label': 'Address of this board' });
      this.say('Copy this address: ', 'good', field);
      field.select();
    }
  }

  /** @param {string} name */
  turnTo(name) {
    this.view = name;
    for (const [key, panel] of Object.entries(this.panels)) panel.hidden = key !== name;
    for (const tab of this.tabs) {
      const on = tab.id === `tab-${name}`;
      tab.setAttribute('aria-selected', String(on));
      tab.tabIndex = on ? 0 : -1;
    }
    if (this.position) {
      if (name !== 'solve') {
        this.solving.pause();
        this.back();
      }
      share.write({ game: this.game, board: this.text, moves: this.moves, view: name });
    }
    if (name === 'graph') this.graph?.show();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input, textarea, select, dialog')) return;
    if (this.editor.active) return;
    if (event.key === 'Escape') {
      this.picked = [];
      this.refreshMarks();
      return;
    }
    const keys = { u: () => this.undo(), r: () => this.redo(), h: () => this.hint(), w: () => this.why() };
    const act = keys[/** @type {keyof typeof keys} */ (event.key)];
    if (act) {
      event.preventDefault();
      act();
    }
  }
}
