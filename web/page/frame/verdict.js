// Phrases reports as text, for each part of the page that shows them.
//
// In a two-player game a decided report or reply has an `outcome`, and its `winner` is 1, 2, or null for a draw.

import { grouped, counted, press } from '../dom.js';

/** @param {any} report */
const isDecided = (report) => typeof report.outcome === 'string';

/** @param {any} report */
const isDraw = (report) => isDecided(report) && report.winner === null;

/** The result of a move for the player who makes it, by paint, best first. @type {Record<string, {sign: string, words: string} | undefined>} */
export const LEADS = { win: { sign: '+', words: 'wins' }, draw: { sign: '=', words: 'draws' }, lose: { sign: '−', words: 'loses' } };

/**
 * The status line of a puzzle: the cost so far and the least possible.
 * @param {number} cost the cost so far @param {any} best the report on the start: null while it is computed, false if it failed @param {boolean} isOver
 */
export function inCost(cost, best, isOver) {
  const paid = isOver ? `Cost ${grouped(cost)}` : `Cost ${grouped(cost)} so far`;
  if (best === null) return `${paid}, looking for the best possible cost…`;
  if (!best) return paid;
  if (best.verdict === 'unsolvable') return `${paid}; this board cannot be solved`;
  if (best.verdict === 'unknown') return best.lower > cost && !isOver ? `${paid}, at least ${grouped(best.lower - cost)} more` : `${paid}, best possible cost unknown`;
  // At this cost the best result is already out of reach.
  if (!isOver && cost >= best.cost) return `${paid}; the best possible cost was ${best.optimal ? '' : 'at most '}${grouped(best.cost)}`;
  return `${paid}, best possible ${best.optimal ? '' : 'at most '}${grouped(best.cost)}`;
}

/** The status line of a two-player game before the first move. @param {any} report */
export function inProspect(report) {
  if (isDraw(report)) return 'a draw with best play';
  return isDecided(report) ? `player ${report.winner} can win` : '';
}

/**
 * The message when a puzzle is solved by hand.
 * @param {number} cost @param {any} best the report on the start, if there is one
 * @param {number} hints the number of moves from hints or a solver @param {boolean} watched true if a solution was shown
 */
export function inTriumph(cost, best, hints, watched) {
  const after = watched && hints === 0 ? ', after a solution was shown' : '';
  const text = `Solved${hints > 0 ? ` with ${counted(hints, 'hint')}` : ''} at a cost of ${grouped(cost)}`;
  if (best?.verdict !== 'solved' || !best.optimal) return `${text}${after}.`;
  if (cost === best.cost) return `${text}, the least possible${after}.${hints > 0 || watched ? '' : ' Well played!'}`;
  return `${text}, ${grouped(cost - best.cost)} more than needed${after}.`;
}

/**
 * The rating of a solution: three stars for the least cost, one or two for more. At most two with hints, and one if most moves were hints.
 * @param {number} cost @param {any} best the report on the start @param {number} hints @param {number} moves
 */
export function inStars(cost, best, hints, moves) {
  if (best?.verdict !== 'solved' || !best.optimal) return '';
  const most = hints === 0 ? 3 : 2 * hints <= moves ? 2 : 1;
  const count = Math.min(most, cost <= best.cost ? 3 : cost <= 1.25 * best.cost ? 2 : 1);
  return '★'.repeat(count) + '☆'.repeat(3 - count);
}

/** The message when a two-player game is over; empty if the winner is not known. @param {any} report @param {number} kibitzer the side that Kibitzer plays, or 0 */
export function inEnd(report, kibitzer) {
  if (isDraw(report)) return 'Game over: a draw.';
  if (isDecided(report) && kibitzer > 0) return report.winner === kibitzer ? 'Game over: Kibitzer wins.' : 'Game over: you win!';
  return isDecided(report) ? `Game over: player ${report.winner} wins.` : '';
}

/** How well Kibitzer plays. @param {string} skill `perfect`, `random`, or a number of moves to look ahead */
export const inSkill = (skill) => (skill === 'perfect' ? 'plays perfectly' : skill === 'random' ? 'plays at random' : `looks ${counted(Number(skill), 'move')} ahead`);

/** The end of a sentence about a win against Kibitzer; empty if it played perfectly. @param {string} [skill] */
export const inWeakness = (skill = 'perfect') => (skill === 'perfect' ? '' : ` against Kibitzer, which ${inSkill(skill)}`);

/** The end of the message after Kibitzer's move. @param {any} report @param {number | null} turn the side that moved */
export function prospect(report, turn) {
  if (isDraw(report)) return ', which keeps the draw';
  return isDecided(report) && report.winner === turn ? ' and will win' : '';
}

/** @param {string} move @param {string[]} clicks its places @param {any} report */
export function inHint(move, clicks, report) {
  const [first, second] = clicks;
  const text = move.replace(/\.$/, '').replace(/^[A-Z]+ /, (word) => word.toLowerCase());
  const way = clicks.length === 1 ? `${press()} ${text}` : first === second ? `${text}; ${press()} it twice` : text;
  return `Hint: ${way}${worth(report)} `;
}

/** @param {any} report */
function worth(report) {
  if (isDraw(report)) return ' (keeps the draw)';
  if (isDecided(report)) return ' (wins)';
  if (report.cost === undefined) return '';
  return report.optimal ? ` (${grouped(report.cost)} to go, the least possible)` : ` (${grouped(report.cost)} to go)`;
}

/**
 * Compares the move of a hint with the other moves.
 * @param {string} hint @param {any} report the report on the position before it
 * @param {{move: string, least: number, most: number}[]} costs of all moves and the rest of the game; empty if not known
 * @param {{move: string, paint: string}[]} labels the results of the moves in a two-player game
 */
export function inOthers(hint, report, costs, labels) {
  const name = `\`${hint.replace(/\.$/, '')}\``;
  const other = (/** @type {number} */ count) => (count === 1 ? 'the other move' : `the other ${count} moves`);
  if (isDecided(report)) {
    const own = labels.find(({ move }) => move === hint)?.paint ?? '';
    const lead = LEADS[own];
    if (!lead) return '';
    const rest = labels.filter(({ move }) => move !== hint);
    const parts = Object.entries(LEADS).flatMap(([paint, result]) => {
      const count = rest.filter((label) => label.paint === paint).length;
      return count === 0 || !result ? [] : [`${counted(count, 'other move')} ${count === 1 ? result.words : result.words.replace(/s$/, '')}`];
    });
    return `${name} ${lead.words}${parts.length > 0 ? `; ${parts.join(', ')}` : ', the only move'}.`;
  }
  const own = costs.find(({ move }) => move === hint);
  const rest = costs.filter(({ move }) => move !== hint);
  if (!own || own.most === Infinity) return '';
  const text = `With ${name}, ${grouped(own.most)} to go`;
  if (rest.length === 0) return `${text}; it is the only move.`;
  const solved = rest.filter(({ most }) => most < Infinity);
  if (solved.length === 0) return `${text}; with ${other(rest.length)}, no solution is left.`;
  const [least, most] = [Math.min(...solved.map(({ least }) => least)), Math.max(...solved.map(({ most }) => most))];
  const range = least !== most ? `${grouped(least)} to ${grouped(most)}` : least === own.most ? `also ${grouped(least)}` : grouped(least);
  return `${text}; with ${other(rest.length)}, ${range}${solved.length < rest.length ? ', or no solution' : ''}.`;
}

/** The reason why there is no hint. @param {any} report */
export function noHint(report) {
  if (isDraw(report)) return 'With best play this is a draw: no move wins.';
  if (isDecided(report)) return 'Every move loses against best play. Keep playing and hope for a mistake.';
  if (report.verdict === 'unsolvable') return 'There is no solution from here: every reachable state was examined.';
  if (report.verdict === 'unknown') return report.lower > 0 ? `No hint found within the limits. At least ${grouped(report.lower)} to go.` : 'No hint found within the limits.';
  return 'This board is already solved.';
}

/** The verdict in the Solve panel: its style and its sentence. @param {any} report @returns {[kind: string, text: string]} */
export function inAnswer(report) {
  if (isDraw(report)) return ['draw', 'A draw with best play.'];
  if (isDecided(report)) return ['good', `Player ${report.winner} has a winning strategy.`];
  if (report.verdict === 'unsolvable') return ['bad', 'This board cannot be solved.'];
  if (report.verdict === 'solved') {
    const text = `Solved at a cost of ${grouped(report.cost)}`;
    return ['good', report.optimal ? `${text}, the least possible.` : `${text}. The least possible cost is at least ${grouped(report.lower)}.`];
  }
  const found = typeof report.upper === 'number' ? `; the best one found costs ${grouped(report.upper)}` : '';
  // A two-player game has no plan.
  const bound = report.lower > 0 || found ? ` Every plan costs at least ${grouped(report.lower)}${found}.` : '';
  return ['', `Not decided: the ${report.limit} limit was reached.${bound}`];
}

/** The known answer for a listed board. @param {string} answer as in the instance file: `unsolvable`, `cost 4` or `player 1` */
export function inKnown(answer) {
  if (answer === 'unsolvable') return 'This board cannot be solved.';
  return answer.startsWith('player') ? `With best play, ${answer} wins.` : `Best possible ${answer}.`;
}

/** Maximum number of moves named in a sentence. */
const MOST_NAMED = 40;

/** Further sentences in the Solve panel. @param {any} report @param {string[]} best */
export function inDetail(report, best) {
  const named = `${best.slice(0, MOST_NAMED).join(', ')}${best.length > MOST_NAMED ? ', …' : ''}`;
  if (isDraw(report)) return best.length === 0 ? [] : [`Moves that keep the draw: ${named}.`];
  if (isDecided(report)) return [best.length === 0 ? 'No move wins from here.' : `Winning moves: ${named}.`];
  return report.why?.kind === 'exhausted' ? [`Every reachable state was examined: ${counted(report.why.states, 'state')}.`] : [];
}

/** How a result was checked; empty if in the plain way. @type {Record<string, string>} */
const CHECKS = { symmetry: ' up to symmetry', parts: ' part by part', strategy: ' by playing the strategy against every reply' };

/** The words about the check of an answer. @param {any} report @param {boolean} hasPlan */
export function inCheck({ verified, confirmed }, hasPlan) {
  if (!verified) return '';
  return hasPlan ? 'Checked by replaying it. ' : `Verified${CHECKS[confirmed] ?? ''}. `;
}

/** @type {Record<string, string>} */
const OUTCOMES = { N: 'N, the player to move wins', P: 'P, the player to move loses', D: 'D, a draw' };

/** The bounds on the outcome that a stopped search has proved. @param {any} report */
function inBounds({ at_least: least, at_most: most }) {
  return [least && `at least ${least}, `, most && `at most ${most}, `].filter(Boolean).join('');
}

/**
 * A row of the comparison table: the result; whether its cost is the least or, in a two-player game, the outcome; and the style.
 * @param {any} report
 * @param {{cost: number, proved: boolean}} least the least known cost
 * @param {boolean} promised true if the method guarantees the least cost on this board
 * @param {number} players
 * @returns {[result: string, optimal: string, kind: string]}
 */
export function inTable(report, least, promised, players) {
  if (isDecided(report)) return [isDraw(report) ? 'draw' : `player ${report.winner}`, OUTCOMES[report.outcome] ?? report.outcome, 'good'];
  if (report.verdict === 'unsolvable') return ['none', 'no solution', ''];
  if (report.verdict === 'unknown') return [players === 2 ? '?' : `≥ ${grouped(report.lower)}`, `${inBounds(report)}gave up: ${report.limit} limit`, 'unsure'];
  if (report.optimal) return [grouped(report.cost), promised ? 'yes, proved' : 'yes, proved (lucky)', 'good'];
  if (report.cost > least.cost) return [grouped(report.cost), `${grouped(report.cost - least.cost)} above the ${least.proved ? 'optimum' : 'best found'}`, 'bad'];
  return [grouped(report.cost), least.proved ? 'yes, proved by another method' : 'not proved', 'unsure'];
}
