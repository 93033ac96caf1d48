//! The solver for many pieces: a search with a growing limit on wasted actions.
//!
//! An action wastes 1 plus the change in the estimate `columns`, so the cost of a plan is the estimate of the start plus the plan's
//! total waste. With 12 pieces, an optimal plan wastes 0 to 5 actions, but nearly all of the 50 or so actions in a state waste at
//! least one. A* would store the resulting states without ever expanding them. Here, the allowed waste grows from 0, and a
//! depth-first search stores only states within this allowance. Beams of growing width find plans early, so the last and largest
//! round is rarely needed: once a waste of w is proved impossible, a plan that wastes w + 1 is optimal.
//!
//! Boards have fewer than 64 hexes, so a state is one word.

use super::columns::{Columns, Sums};
use super::{Action, Chexers, Hex, HexSet, Kind, OFF};
use crate::bits::ones;
use crate::limits::{Limit, Limits, Progress};
use crate::outcome::{Outcome, Plan, Stats, Verdict, Why};
use crate::rules::{Cost, DEAD, Rules};

/// Boards must have fewer hexes than this.
const HEXES: usize = 64;
/// Minimum number of pieces. With fewer, A* is as fast.
const PIECES: usize = 7;
/// Widths of the beams that precede the first rounds.
const BEAMS: [usize; 3] = [100, 1000, 10_000];
/// Maximum waste of a beam's plan.
const BEAM_WASTE: u32 = 60;
/// Number of expansions between two progress reports.
const LOOK: u64 = 1 << 11;
/// Number of expansions between two turns of the search that alternates with this one.
const TURN: u64 = 1 << 8;

/// Checks that this solver can handle the board.
pub fn applies(board: &Chexers, pieces: &HexSet) -> Result<(), &'static str> {
    match (board.hexes.len(), pieces.len()) {
        (HEXES.., _) => Err("it needs a board of radius 4 or less"),
        (_, ..PIECES) => Err("it needs at least 7 pieces; with fewer, A* is as fast"),
        _ => Ok(()),
    }
}

/// A state, and the waste on the path to it.
#[derive(Clone, Copy)]
struct Child {
    state: u64,
    waste: u32,
}

/// The states visited in this round. For each state, `left` is the waste that is still allowed, plus 1. The empty board is never
/// stored.
struct Visited {
    states: Vec<u64>,
    left: Vec<u8>,
    used: usize,
}

impl Visited {
    fn new() -> Visited {
        Visited { states: vec![0; 1 << 12], left: vec![0; 1 << 12], used: 0 }
    }

    fn bytes(&self) -> usize {
        9 * self.states.len()
    }

    /// The slot of a state, or the free slot for it.
    fn find(states: &[u64], state: u64) -> usize {
        let mut at = (state ^ state >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        at = (at ^ at >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 20;
        let mask = states.len() - 1;
        let mut at = at as usize & mask;
        while states[at] != 0 && states[at] != state {
            at = (at + 1) & mask;
        }
        at
    }

    /// Records a visit. Returns false if an earlier visit had at least as much allowed waste left.
    fn visit(&mut self, state: u64, left: u32) -> bool {
        let at = Self::find(&self.states, state);
        let left = left.min(254) as u8 + 1;
        self.used += usize::from(self.states[at] == 0);
        self.states[at] = state;
        let more = self.left[at] < left;
        self.left[at] = self.left[at].max(left);
        more
    }

    fn is_full(&self) -> bool {
        4 * (self.used + 1) > 3 * self.states.len()
    }

    fn grow(&mut self) {
        let (mut states, mut left) = (vec![0; 2 * self.states.len()], vec![0; 2 * self.states.len()]);
        for (&state, &much) in self.states.iter().zip(&self.left).filter(|(state, _)| **state != 0) {
            let at = Self::find(&states, state);
            (states[at], left[at]) = (state, much);
        }
        (self.states, self.left) = (states, left);
    }
}

struct Search<'a> {
    board: &'a Chexers,
    columns: Columns,
    blocked: u64,
    limits: &'a Limits,
    stats: Stats,
    visited: Visited,
    /// A lower bound on the cost of every plan.
    lower: Cost,
    /// The cost of the best plan known.
    upper: Option<Cost>,
    /// The least excess over the allowed waste among the states refused in this round.
    refused: u32,
    path: Vec<u64>,
    /// Children of all states on the path.
    pool: Vec<Child>,
}

pub fn solve(board: &Chexers, pieces: &HexSet, limits: &Limits) -> Outcome<Action> {
    if let Some(certificate) = board.refute(pieces) {
        return Outcome::new(Verdict::Unsolvable(Why::Certificate(certificate)), Stats::default());
    }
    let columns = match Columns::new(board, limits) {
        Ok(columns) => columns,
        Err(limit) => return Outcome::new(Verdict::Unknown { limit, lower: 0, best: None }, Stats::default()),
    };
    let word = |set: &HexSet| set.iter().fold(0, |word, hex| word | 1 << hex);
    let (start, lower) = (word(pieces), columns.at(pieces));
    let (stats, visited) = (Stats::default(), Visited::new());
    let blocked = word(&board.blocked);
    let (path, pool) = (vec![start], Vec::new());
    let mut search = Search { board, columns, blocked, limits, stats, visited, lower, upper: None, refused: 0, path, pool };
    let mut best = None;
    let stopped = search.run(start, &mut best).err();
    let lower = search.lower;
    let best = best.map(|states| plan(board, pieces, &states));
    let verdict = match (stopped, best) {
        (None, Some(plan)) => Verdict::Solved { plan, lower },
        (Some(limit), best) => Verdict::Unknown { limit, lower, best },
        (None, None) => unreachable!("without a limit, the search ends with a plan"),
    };
    Outcome::new(verdict, search.stats)
}

/// The plan that leads through these states.
fn plan(board: &Chexers, start: &HexSet, states: &[u64]) -> Plan<Action> {
    let action = |pair: &[u64]| {
        let hex = |word: u64| ones(word).next().map_or(OFF, |hex| hex as Hex);
        let (from, to) = (hex(pair[0] & !pair[1]), hex(pair[1] & !pair[0]));
        let kind = match to {
            OFF => Kind::Exit,
            _ if board.step[from as usize].contains(&to) => Kind::Move,
            _ => Kind::Jump,
        };
        Action { from, kind, to }
    };
    let moves: Vec<Action> = states.windows(2).map(action).collect();
    debug_assert!(moves.iter().fold(start.clone(), |pieces, action| board.apply(&pieces, action)).is_empty());
    Plan { cost: moves.len() as Cost, moves }
}

impl Search<'_> {
    fn run(&mut self, start: u64, best: &mut Option<Vec<u64>>) -> Result<(), Limit> {
        let estimate = self.lower;
        for round in 0.. {
            if let Some(&width) = BEAMS.get(round)
                && self.upper.is_none_or(|upper| upper > self.lower)
                && let Some(states) = self.beam(start, width)?
                && self.upper.is_none_or(|upper| upper as usize > states.len() - 1)
            {
                self.upper = Some(states.len() as Cost - 1);
                *best = Some(states);
            }
            if self.upper.is_some_and(|upper| upper <= self.lower) {
                return Ok(());
            }
            self.visited = Visited::new();
            self.refused = u32::MAX;
            self.path.truncate(1);
            self.pool.clear();
            let allowed = self.lower - estimate;
            self.visited.visit(start, allowed);
            if self.visit(Child { state: start, waste: 0 }, allowed)? {
                *best = Some(self.path.clone());
                return Ok(());
            }
            self.lower += self.refused;
        }
        Ok(())
    }

    fn place(&self, state: u64) -> (Sums, u32) {
        if self.columns.is_known() { self.columns.place(ones(state).map(|hex| hex as Hex)) } else { Default::default() }
    }

    /// Counts an expansion and checks the limits.
    fn expand(&mut self, more: usize) -> Result<(), Limit> {
        if self.stats.expanded >= self.limits.nodes {
            return Err(Limit::Nodes);
        }
        self.stats.expanded += 1;
        if self.stats.expanded % LOOK == 1 {
            let bytes = self.bytes() + more;
            self.limits.room(bytes)?;
            self.stats.peak_bytes = self.stats.peak_bytes.max(bytes);
            let (lower, upper) = (self.lower, self.upper);
            let Stats { expanded, generated, .. } = self.stats;
            self.limits.report(&Progress { expanded, generated, bytes, lower, upper, open: self.pool.len() as u64 })?;
        }
        if self.stats.expanded.is_multiple_of(TURN) {
            self.limits.take_turns()?;
        }
        self.limits.check()
    }

    fn bytes(&self) -> usize {
        self.visited.bytes() + self.columns.bytes() + self.pool.capacity() * size_of::<Child>()
    }

    /// Appends all children with a total waste of at most `most`.
    fn children(&mut self, from: &Child, most: u32, out: &mut Vec<Child>) {
        let (board, occupied) = (self.board, from.state | self.blocked);
        let (sums, rank) = self.place(from.state);
        let now = self.columns.waste(rank);
        for piece in ones(from.state).map(|hex| hex as Hex) {
            let before = self.columns.relaxed[usize::from(piece)] + now;
            let mut add = |to: Option<Hex>| {
                self.stats.generated += 1;
                let rank = self.columns.moved(&sums, rank, piece, to);
                let after = to.map_or(0, |to| self.columns.relaxed[usize::from(to)]);
                if after == DEAD {
                    return;
                }
                let waste = from.waste + (1 + after + self.columns.waste(rank)).saturating_sub(before);
                if waste <= most {
                    let state = from.state & !(1 << piece) | to.map_or(0, |to| 1 << to);
                    out.push(Child { state, waste });
                } else {
                    self.refused = self.refused.min(waste - most);
                }
            };
            let free = |hex: Hex| hex != OFF && occupied >> hex & 1 == 0;
            for (&step, &leap) in board.step[usize::from(piece)].iter().zip(&board.leap[usize::from(piece)]) {
                if free(step) {
                    add(Some(step));
                } else if step != OFF && free(leap) {
                    add(Some(leap));
                }
            }
            if board.exit.has(piece) {
                add(None);
            }
        }
    }

    /// Visits a state and its descendants. Returns true if the path now leads to the empty board.
    fn visit(&mut self, from: Child, most: u32) -> Result<bool, Limit> {
        if from.state == 0 {
            return Ok(true);
        }
        self.expand(0)?;
        let mut pool = std::mem::take(&mut self.pool);
        let first = pool.len();
        self.children(&from, most, &mut pool);
        pool[first..].sort_unstable_by_key(|child| (child.waste, child.state.count_ones(), child.state));
        self.pool = pool;
        for at in first..self.pool.len() {
            let child = self.pool[at];
            if self.visited.is_full() {
                // While the table grows, the old and the new table are both in memory.
                self.limits.room(self.bytes() + 2 * self.visited.bytes())?;
                self.stats.peak_bytes = self.stats.peak_bytes.max(self.bytes() + 2 * self.visited.bytes());
                self.visited.grow();
            }
            if !self.visited.visit(child.state, most - child.waste) {
                continue;
            }
            self.stats.stored = self.stats.stored.max(self.visited.used as u64);
            self.path.push(child.state);
            if self.visit(child, most)? {
                return Ok(true);
            }
            self.path.pop();
        }
        self.pool.truncate(first);
        Ok(false)
    }

    /// Looks for a good plan, keeping only the states with the least waste in each layer.
    fn beam(&mut self, start: u64, width: usize) -> Result<Option<Vec<u64>>, Limit> {
        // Each state, with the index of its parent in the previous layer.
        let mut layers: Vec<Vec<(Child, u32)>> = vec![vec![(Child { state: start, waste: 0 }, 0)]];
        let mut children = Vec::new();
        loop {
            let layer = &layers[layers.len() - 1];
            if let Some(mut at) = layer.iter().position(|(child, _)| child.state == 0) {
                let mut states = Vec::new();
                for layer in layers.iter().rev() {
                    states.push(layer[at].0.state);
                    at = layer[at].1 as usize;
                }
                states.reverse();
                return Ok(Some(states));
            }
            let mut next: Vec<(Child, u32)> = Vec::new();
            for (at, (child, _)) in layer.iter().enumerate() {
                self.expand((layers.len() * width + next.capacity()) * size_of::<(Child, u32)>())?;
                children.clear();
                self.children(child, BEAM_WASTE, &mut children);
                next.extend(children.iter().map(|&child| (child, at as u32)));
            }
            next.sort_unstable_by_key(|(child, _)| (child.waste, child.state.count_ones(), child.state));
            next.dedup_by_key(|(child, _)| child.state);
            next.truncate(width);
            if next.is_empty() {
                return Ok(None);
            }
            layers.push(next);
        }
    }
}
