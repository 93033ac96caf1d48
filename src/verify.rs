//! Checks answers. This module shares no code with any solver: plans are replayed by the rules, certificates are checked by the
//! game's own checker, and "no plan" or "no cheaper plan" is confirmed by a plain search over plain states, without packing,
//! symmetry, heuristics or pruning. The winner of a two-player game is confirmed by plain backward induction or, if positions can
//! repeat, by passes over all positions until nothing changes. If there are too many positions, the game's own symmetry or its own
//! parts are used, and the result reports this. In all checks here, `limits.nodes` is the number of
//! states that a plain search may store before it gives up.

mod plans;
mod repetition;
mod strategy;
mod sums;

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet};

pub use plans::{PlanTotal, plan_total};
use rustc_hash::FxHashMap;
pub use strategy::{Strategy, strategy};
pub use sums::{Sums, sums};

use crate::limits::Limits;
use crate::outcome::{Why, Worth};
use crate::rules::{CheckError, Cost, Game, Packing, Problem, Score, is_own_image};

/// Maximum total size of the stored states, in bytes, computed as if they were packed. Unpacked states take several times that much.
const BYTES: usize = 200 << 20;

/// Replays a plan and returns its cost. Every move must be legal in its position, and the last position must be a goal.
pub fn plan<P: Problem>(problem: &P, start: &P::State, moves: &[P::Move]) -> Result<Cost, String> {
    let mut state = start.clone();
    let mut total: Cost = 0;
    for (at, mv) in moves.iter().enumerate() {
        if !(P::REPLAY.is_legal)(problem, &state, mv) {
            return Err(format!("move {} is not legal", at + 1));
        }
        let cost = problem.cost(&state, mv);
        total = total.checked_add(cost).ok_or("the plan's cost overflows")?;
        (P::REPLAY.make)(problem, &mut state, mv);
    }
    match problem.is_goal(&state) {
        true => Ok(total),
        false => Err("the plan does not end at a goal".to_owned()),
    }
}

/// Checks a reason for "there is no plan". Returns `true` if it is valid, `false` if the limits were too small to decide.
pub fn refutation<P: Problem>(problem: &P, start: &P::State, why: &Why, limits: &Limits) -> Result<bool, String> {
    match why {
        Why::Certificate(certificate) => match P::PROOFS {
            Some(proofs) => match (proofs.check)(problem, start, certificate, limits) {
                Ok(()) => Ok(true),
                Err(CheckError::Wrong(fault)) => Err(fault),
                Err(CheckError::Stopped(_)) => Ok(false),
            },
            None => Err("this game has no certificates".to_owned()),
        },
        Why::Exhausted { .. } => match least_cost(problem, start, limits) {
            Least::None => Ok(true),
            Least::Cost(cost) => Err(format!("there is a plan of cost {cost}")),
            Least::Unknown { .. } => Ok(false),
        },
    }
}

/// The result of a plain search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Least {
    /// The least cost of any plan.
    Cost(Cost),
    /// There is no plan.
    None,
    /// The limits were too small to decide. No plan costs less than `at_least`.
    Unknown { at_least: Cost },
}

/// The least cost of any plan, by Dijkstra's algorithm in its plainest form.
pub fn least_cost<P: Problem>(problem: &P, start: &P::State, limits: &Limits) -> Least {
    let most = limits.nodes.min((BYTES / problem.state_bytes().max(1)) as u64);
    // A state is identified by its index in `states`; the map finds the index.
    let mut states = vec![start.clone()];
    let mut costs: Vec<Cost> = vec![0];
    let mut number: HashMap<P::State, usize> = HashMap::from([(start.clone(), 0)]);
    let mut open = BinaryHeap::from([(Reverse(0), 0)]);
    let mut moves = Vec::new();
    while let Some((Reverse(cost), at)) = open.pop() {
        if cost > costs[at] {
            continue;
        }
        let state = states[at].clone();
        if problem.is_goal(&state) {
            return Least::Cost(cost);
        }
        moves.clear();
        problem.moves(&state, &mut moves);
        for mv in &moves {
            if states.len() as u64 > most || limits.check().is_err() {
                return Least::Unknown { at_least: cost };
            }
            let next = problem.apply(&state, mv);
            let cost = cost.saturating_add(problem.cost(&state, mv));
            let at = *number.entry(next).or_insert_with_key(|next| {
                states.push(next.clone());
                costs.push(Cost::MAX);
                states.len() - 1
            });
            if cost < costs[at] {
                costs[at] = cost;
                open.push((Reverse(cost), at));
            }
        }
    }
    Least::None
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of positions up to the game's own symmetry.
    pub positions: u64,
    /// Four numbers: all boards, boards where the game is over, boards that the player to move loses, and drawn boards. `None` if
    /// boards were visited only up to symmetry and cannot be counted from that, or if a number exceeds 64 bits.
    pub boards: Option<[u64; 4]>,
}

/// All positions reachable from a start position, each with its labels.
pub struct Induction<'a, G: Game> {
    game: &'a G,
    start: G::State,
    /// All positions are in layer 0 if positions can repeat.
    layers: BTreeMap<u32, FxHashMap<G::State, Option<Worth>>>,
    /// True if only one position from each set of symmetric positions was examined.
    pub symmetry: bool,
}

/// Labels all reachable positions or, if they exceed the limits, one position from each set of symmetric positions. `None` if even
/// these are too many.
pub fn induction<'a, G: Game>(game: &'a G, start: &G::State, limits: &Limits) -> Option<Induction<'a, G>> {
    [false, true].into_iter().find_map(|symmetry| {
        let mut induction = Induction { game, start: start.clone(), layers: BTreeMap::new(), symmetry };
        if game.repeats() {
            induction.passes(limits)?;
        } else {
            induction.forward(limits)?;
            induction.backward(limits)?;
        }
        Some(induction)
    })
}

impl<G: Game> Induction<'_, G> {
    /// The moves of a state. A terminal state has none, even if the game lists some.
    fn moves(&self, state: &G::State) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.game.terminal(state).is_none() {
            self.game.moves(state, &mut moves);
        }
        moves
    }

    fn seen_as(&self, state: G::State) -> G::State {
        if self.symmetry { self.game.canonical(state) } else { state }
    }

    fn forward(&mut self, limits: &Limits) -> Option<()> {
        let start = self.seen_as(self.start.clone());
        let mut layer = self.game.layer(&start)?;
        self.layers.entry(layer).or_default().insert(start, None);
        let mut count = 1;
        loop {
            let states: Vec<G::State> = self.layers[&layer].keys().cloned().collect();
            for state in &states {
                for mv in self.moves(state) {
                    if count > limits.nodes || limits.check().is_err() {
                        return None;
                    }
                    let next = self.seen_as(self.game.apply(state, &mv));
                    let new = self.layers.entry(self.game.layer(&next)?).or_default().insert(next, None).is_none();
                    count += u64::from(new);
                }
            }
            match self.layers.range(layer + 1..).next() {
                Some((next, _)) => layer = *next,
                None => return (count <= limits.nodes).then_some(()),
            }
        }
    }

    fn backward(&mut self, limits: &Limits) -> Option<()> {
        let numbers: Vec<u32> = self.layers.keys().rev().copied().collect();
        for layer in numbers {
            let states: Vec<G::State> = self.layers[&layer].keys().cloned().collect();
            for state in states {
                let worth = self.judge(&state, limits)?;
                self.layers.get_mut(&layer)?.insert(state, Some(worth));
            }
        }
        Some(())
    }

    /// The labels of a position, computed from those of its successors. The limits are checked for each move, because there may be
    /// thousands of moves.
    fn judge(&self, state: &G::State, limits: &Limits) -> Option<Worth> {
        if let Some(score) = self.game.terminal(state) {
            return Some(Worth { score, grundy: 0, length: 0 });
        }
        let (mut score, mut length) = (Score::Loss, 0);
        let mut values = BTreeSet::new();
        for mv in self.moves(state) {
            limits.check().ok()?;
            let after = self.find(self.game.apply(state, &mv))?;
            let (reached, steps) = (after.score.reversed(), after.length.saturating_add(1));
            length = match reached.cmp(&score) {
                Ordering::Less => length,
                Ordering::Greater => steps,
                Ordering::Equal if score == Score::Loss => length.max(steps),
                Ordering::Equal => length.min(steps),
            };
            score = score.max(reached);
            values.insert(after.grundy);
        }
        let grundy = (0..).find(|value| !values.contains(value))?;
        Some(Worth { score, grundy, length })
    }

    fn find(&self, state: G::State) -> Option<Worth> {
        let state = self.seen_as(state);
        let layer = if self.game.repeats() { 0 } else { self.game.layer(&state)? };
        *self.layers.get(&layer)?.get(&state)?
    }

    /// The labels of the start position.
    pub fn worth(&self) -> Option<Worth> {
        self.find(self.start.clone())
    }

    /// Every move from the start, with the labels of the position after it.
    pub fn after(&self) -> Option<Vec<(G::Move, Worth)>> {
        self.moves(&self.start).into_iter().map(|mv| Some((mv.clone(), self.find(self.game.apply(&self.start, &mv))?))).collect()
    }

    /// Counts the positions. `None` if a limit is reached.
    pub fn counts(&self, limits: &Limits) -> Option<Counts> {
        let states = || self.layers.values().flatten();
        let positions = match self.symmetry {
            true => states().count(),
            false => {
                let canonical = |(state, _): (&G::State, _)| limits.check().is_ok().then(|| self.game.canonical(state.clone()));
                states().map(canonical).collect::<Option<HashSet<_>>>()?.len()
            }
        };
        let countable = !self.symmetry || is_own_image(self.game, &self.start);
        let mut boards = countable.then_some([0u64; 4]);
        for (state, worth) in states() {
            limits.check().ok()?;
            let Some(counts) = &mut boards else { break };
            let score = worth.map(|worth| worth.score);
            let kinds = [true, self.game.terminal(state).is_some(), score == Some(Score::Loss), score == Some(Score::Draw)];
            let each = if self.symmetry { self.game.orbit(state) } else { 1 };
            for (count, kind) in counts.iter_mut().zip(kinds) {
                *count = count.saturating_add(if kind { each } else { 0 });
            }
        }
        let boards = boards.filter(|counts| counts.iter().all(|&count| count < u64::MAX));
        Some(Counts { positions: positions as u64, boards })
    }
}
