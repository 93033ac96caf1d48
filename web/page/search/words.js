// Describes steps, values and rounds in words.

/** @import { Line, Node, Score, Trace } from './trace.js' */
import { counted, grouped } from '../dom.js';
import { Visit, VisitTrace, reversed } from './visits.js';

/** @param {string | null | undefined} outcome */
export const meaning = (outcome) => (outcome === 'N' ? 'the player to move wins' : outcome === 'P' ? 'the player to move loses' : outcome === 'D' ? 'a draw' : 'not decided');

/** Formats a number that may be missing or have decimals. @param {number | null | undefined} value */
export const number = (value) => (value === null || value === undefined ? '–' : Number.isInteger(value) ? grouped(value) : String(Math.round(value * 1000) / 1000));

/** Describes a step in a sentence. Screen readers also read the sentence aloud. @param {Trace} trace @param {number} step */
export function sentence(trace, step) {
  if (trace instanceof VisitTrace && step > 0) return `Step ${grouped(step)}: ${visited(trace, step)}.`;
  const line = trace.lines[step - 1];
  if (!line || step === 0) return trace.steps === 0 ? 'No states were expanded.' : `Step 0 of ${grouped(trace.steps)}: nothing is ${trace instanceof VisitTrace ? 'visited' : trace.isDuel ? 'decided' : 'expanded'} yet.`;
  const where = line.move === null ? (line.side === 'backward' ? 'a goal' : `the ${trace.isDuel && line.depth > 0 ? 'position' : 'start'}`) : `the ${trace.isDuel ? 'position' : 'state'} ${line.side === 'backward' ? 'before' : 'after'} ${line.move.replace(/\.$/, '')}`;
  if (!trace.isDuel && line.place !== undefined && line.move !== null && line.side !== 'backward') return `Step ${grouped(step)}: expands ${line.place}, ${values(line)}; ${offspring(line)}.`;
  if (trace.isDuel) return `Step ${grouped(step)}: decides ${where}: ${decided(line)}; ${counted(line.children.length, 'move')}.`;
  return `Step ${grouped(step)}: expands ${where}, ${values(line)}; ${offspring(line)}.`;
}

/** @type {Record<string, string>} */
const RESULTS = { win: 'the player to move wins', draw: 'a draw', loss: 'the player to move loses' };

/** @param {Visit} visit */
const placed = ({ above, move }) => (!above ? 'the start' : move === null ? 'a position' : `the position after ${move.replace(/\.$/, '')}`);

/** A step of a search of a game tree. @param {VisitTrace} trace @param {number} step */
function visited(trace, step) {
  const visit = /** @type {Visit} */ (trace.visits[step - 1]);
  const [{ line, above }, where, numbers] = [visit, placed(visit), proofWords(visit, step)];
  if (!line || step < visit.expanded) {
    const again = above?.below.some((other) => other !== visit && other.from < visit.from && other.move === visit.move && visit.move !== null);
    return `enters ${where}${again ? ' again' : ''}${line?.alpha === undefined ? '' : `, window ${windowWords(visit, step)}`}`;
  }
  const count = line.children.length;
  const end = line.value ?? (trace.isProof ? SCORES[line.outcome ?? ''] : undefined);
  if (count === 0 && end) return `the game is over in ${where}: ${RESULTS[end]}${numbers && `; ${numbers}`}`;
  if (trace.isProof) return `${trace.isBestFirst ? 'visits' : 'leaves'} ${where}: ${numbers || 'a limit was reached'}; ${counted(count, 'move')}`;
  if (!visit.value) return `a limit was reached in ${where}`;
  const known = line.children.filter(({ fate }) => fate === 'known').length;
  const value = `${above ? `after ${visit.move ?? '?'}` : 'at the start'}, backs up ${valueWords(visit)}${line.length === undefined ? '' : `, length ${line.length}`}`;
  if (!line.cutoff) return `${value}; ${counted(count, 'move')}${known > 0 ? `, ${known} known from the table` : ''}`;
  const pruned = line.children.filter(({ fate }) => fate === 'pruned').length;
  // The value is at least beta, which the opponent can avoid.
  return `${value}. Cut off: the opponent has a ${reversed(line.beta ?? 'loss')} elsewhere, and at most a ${reversed(visit.value.score)} here; ${counted(pruned, 'move')} pruned`;
}

/** @type {Record<string, Score>} */
const SCORES = { N: 'win', D: 'draw', P: 'loss' };

/** @param {Visit} visit */
function valueWords({ value }) {
  return value ? `${value.sign === '≥' ? 'at least ' : value.sign === '≤' ? 'at most ' : ''}a ${value.score}` : 'no value';
}

/** @param {Visit} visit @param {number} step */
function windowWords(visit, step) {
  const window = visit.windowAt(step);
  return `(${window?.alpha ?? '−∞'}, ${window?.beta ?? '∞'})`;
}

/** @param {Visit} visit @param {number} step */
function proofWords(visit, step) {
  const numbers = visit.numbersAt(step);
  const text = (/** @type {number} */ count) => (count === Infinity ? '∞' : grouped(count));
  return numbers ? `proof number ${text(numbers.proof)}, disproof number ${text(numbers.disproof)}` : '';
}

/** Describes a node of a two-player search as of a step. @param {Trace} trace @param {Node} node @param {number} step @returns {string[]} */
export function nodeWords(trace, node, step) {
  const isDecided = node.expanded > 0 && node.expanded <= step;
  if (!(node instanceof Visit)) return isDecided ? [`${node.outcome ?? '–'}, Grundy value ${number(node.grundy)}`, `decided at step ${grouped(node.expanded)}`] : ['not decided yet'];
  if (node.isPruned) return ['pruned'];
  const numbers = proofWords(node, step);
  if (!node.isVisit) return [numbers || (node.outcome ? meaning(node.outcome) : ''), node.fate === 'known' ? 'known from the table' : 'not visited'];
  const window = node.line?.alpha === undefined ? '' : `window ${windowWords(node, step)}`;
  return isDecided ? [numbers || valueWords(node), window, `${numbers ? 'visited' : 'backed up'} at step ${grouped(node.expanded)}`] : [numbers, window, 'in progress'];
}

/** The numbers of a search of a game tree. @param {VisitTrace} trace @param {number} step @returns {[string, string][]} */
export function figures(trace, step) {
  const visit = trace.visits[step - 1];
  const report = trace.ending && step === trace.steps ? trace.ending.report : null;
  /** @type {[string, string][]} */
  const rows = [
    ['visited', grouped(trace.visited[step] ?? 0)],
    ['generated', grouped(trace.generatedAt(step))],
  ];
  if (trace.isProof) {
    const root = trace.roundAt(step)?.nodes[0];
    const numbers = root instanceof Visit ? root.numbersAt(step) : null;
    const text = (/** @type {number | undefined} */ count) => (count === Infinity ? '∞' : number(count));
    rows.push(['proof', text(numbers?.proof)], ['disproof', text(numbers?.disproof)]);
  } else if (trace.word !== 'minimax') {
    const window = visit?.windowAt(step);
    rows.push(['cutoffs', grouped(trace.cutoffs[step] ?? 0)], ['alpha', window ? (window.alpha ?? '−∞') : '–'], ['beta', window ? (window.beta ?? '∞') : '–']);
  }
  if (report?.outcome) rows.push(['result', `${report.outcome}: ${SCORES[report.outcome]}`]);
  else if (!trace.isProof) rows.push(['value', visit && visit.expanded <= step && visit.value ? `${visit.value.sign} ${visit.value.score}`.trim() : '–']);
  return rows;
}

/** @param {Line} line */
function decided({ outcome, grundy }) {
  const value = grundy === undefined ? '' : `, Grundy value ${grundy}`;
  return `${outcome ?? 'open'}${value} (${meaning(outcome)})`;
}

/** @param {Line} line */
function values({ g, h, f, priority }) {
  const sum = h === null || h === undefined ? `g ${number(g)}, no estimate` : `g ${number(g)} + h ${number(h)} = f ${number(f)}`;
  return priority === undefined ? sum : `${sum}, priority ${number(priority)}`;
}

/** @param {Line} line */
function offspring({ children }) {
  const of = (/** @type {string} */ fate) => children.filter((child) => child.fate === fate).length;
  const fates = ['new', 'better', 'known', 'dead'].flatMap((fate) => (of(fate) > 0 ? [`${of(fate)} ${fate}`] : []));
  const goal = children.some((child) => child.goal) ? ', a goal among them' : '';
  return children.length === 0 ? 'no children' : `${children.length === 1 ? '1 child' : `${children.length} children`}, ${fates.join(', ')}${goal}`;
}

/** Describes the round of a step if there are several rounds or a bound. @param {Trace} trace @param {number} step */
export function roundWords(trace, step) {
  const round = trace.roundAt(step);
  if (round?.question) return `Can the player to move at the start ${round.question === 'win' ? 'win' : 'at least draw'}?`;
  const bound = trace.lines[step - 1]?.bound ?? round?.bound;
  if (!round || bound === undefined) return '';
  const many = trace.rounds.length > 1 ? `Round ${round.number} of ${trace.ending ? trace.rounds.length : `${trace.rounds.length} so far`}, bound` : 'Bound';
  return `${many} ${number(bound)}`;
}
