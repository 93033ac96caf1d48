// Describes steps, values and rounds in words.

/** @import { Line, Trace } from './trace.js' */
import { counted, grouped } from '../dom.js';

/** @param {string | null | undefined} outcome */
export const meaning = (outcome) => (outcome === 'N' ? 'the player to move wins' : outcome === 'P' ? 'the player to move loses' : outcome === 'D' ? 'a draw' : 'not decided');

/** Formats a number that may be missing or have decimals. @param {number | null | undefined} value */
export const number = (value) => (value === null || value === undefined ? '–' : Number.isInteger(value) ? grouped(value) : String(Math.round(value * 1000) / 1000));

/** Describes a step in a sentence. Screen readers also read the sentence aloud. @param {Trace} trace @param {number} step */
export function sentence(trace, step) {
  const line = trace.lines[step - 1];
  if (!line) return trace.steps === 0 ? 'No states were expanded.' : `Step 0 of ${grouped(trace.steps)}: nothing is ${trace.isDuel ? 'decided' : 'expanded'} yet.`;
  const where = line.move === null ? (line.side === 'backward' ? 'a goal' : `the ${trace.isDuel && line.depth > 0 ? 'position' : 'start'}`) : `the ${trace.isDuel ? 'position' : 'state'} ${line.side === 'backward' ? 'before' : 'after'} ${line.move.replace(/\.$/, '')}`;
  if (!trace.isDuel && line.place !== undefined && line.move !== null && line.side !== 'backward') return `Step ${grouped(step)}: expands ${line.place}, ${values(line)}; ${offspring(line)}.`;
  if (trace.isDuel) return `Step ${grouped(step)}: decides ${where}: ${decided(line)}; ${counted(line.children.length, 'move')}.`;
  return `Step ${grouped(step)}: expands ${where}, ${values(line)}; ${offspring(line)}.`;
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
  const bound = trace.lines[step - 1]?.bound ?? round?.bound;
  if (!round || bound === undefined) return '';
  const many = trace.rounds.length > 1 ? `Round ${round.number} of ${trace.ending ? trace.rounds.length : `${trace.rounds.length} so far`}, bound` : 'Bound';
  return `${many} ${number(bound)}`;
}
