//! Iterative deepening and IDA*: depth-first search under a limit that is repeatedly raised to the least value that exceeded it.
//! The two differ only in what is limited: the number of moves, or the cost so far plus the estimate.
//!
//! Only one path is stored. States on the path are not entered again, so both methods terminate on every finite space. But
//! without a visited set a state is searched once for every path to it, so on unsolvable boards they may take a very long time.
//!
//! Nearly all children exceed the limit, so that is tested first. Only children that would be entered or would set the next limit
//! are compared with the path, and a small hash table usually shows at once that a child is not on the path. All waiting children
//! are in one stack. A state becomes a frame only when one of its children is entered, because most states have no child within
//! the limit.
//!
//! If a game makes and unmakes moves in place, children are made in the expanded state and copied only if they are entered. If, in
//! addition, the estimate is updated by differences, children beyond the limit are not made at all.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::driver::{self, Budget, Engine, Kept, Task, heap_bytes};
use crate::limits::Limit;
use crate::outcome::{Plan, Stats};
use crate::rules::{Cost, DEAD, InPlace, Problem};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Moves,
    Cost,
}

pub(super) struct Deepening<P: Problem> {
    measure: Measure,
    /// The cost of every move, if they all cost the same.
    each: Option<Cost>,
    /// The path without its last state. Its first frame is the start.
    path: Path<P::State>,
    /// The last state of the path.
    tip: Open<P::State>,
    /// True if the tip has been expanded.
    expanded: bool,
    /// For all states on the path, the children within the limit that wait to be entered. The children of the last state are on
    /// top, and among them the child of its first move is topmost.
    open: Vec<Open<P::State>>,
    /// The index in `open` where the children of the tip begin.
    children: usize,
    limit: Cost,
    /// The least measure that exceeded the limit in this round.
    next_limit: Cost,
    /// Number of states expanded in this round.
    round: u64,
    /// The goal after the end of the path, once it has been found.
    goal: Option<P::State>,
    finished: bool,
    /// The state from which the search last backtracked.
    left: Open<P::State>,
    /// While the tip is not expanded: true if the last expanded state is the tip's parent, false if it is `left`.
    entered: bool,
}

/// A waiting child.
#[derive(Clone)]
struct Open<S> {
    state: S,
    cost: Cost,
    estimate: Cost,
    hash: u32,
}

struct Frame<S> {
    /// The state in canonical form, like everything that the path is compared with.
    state: S,
    cost: Cost,
    estimate: Cost,
    hash: u32,
    /// The index in `open` where the children of this state begin.
    children: usize,
}

/// The states from the start to the current one, and the number of these states in each hash slot.
struct Path<S> {
    frames: Vec<Frame<S>>,
    counts: Vec<u32>,
}

impl<S: Hash + Eq> Path<S> {
    fn new() -> Self {
        Path { frames: Vec::new(), counts: vec![0; 1024] }
    }

    #[inline]
    fn slot(&self, hash: u32) -> usize {
        hash as usize & (self.counts.len() - 1)
    }

    #[inline]
    fn push(&mut self, Open { state, cost, estimate, hash }: Open<S>, children: usize) {
        if self.frames.len() * 4 > self.counts.len() {
            self.recount();
        }
        let slot = self.slot(hash);
        self.counts[slot] += 1;
        self.frames.push(Frame { state, cost, estimate, hash, children });
    }

    /// Rebuilds the counts in a larger table.
    #[cold]
    fn recount(&mut self) {
        self.counts = vec![0; 4 * self.counts.len()];
        for at in 0..self.frames.len() {
            let slot = self.slot(self.frames[at].hash);
            self.counts[slot] += 1;
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<Open<S>> {
        let Frame { state, cost, estimate, hash, .. } = self.frames.pop()?;
        let slot = self.slot(hash);
        self.counts[slot] -= 1;
        Some(Open { state, cost, estimate, hash })
    }

    #[inline]
    fn has(&self, state: &S, hash: u32) -> bool {
        self.counts[self.slot(hash)] > 0 && self.frames.iter().rev().any(|frame| frame.state == *state)
    }
}

/// A hash for a table that may have false positives.
#[inline]
fn short_hash<S: Hash>(state: &S) -> u32 {
    let mut hasher = FxHasher::default();
    state.hash(&mut hasher);
    hasher.finish() as u32
}

/// Number of children generated between two returns to the driver.
const TOGETHER: u64 = 1024;

impl<P: Problem> Deepening<P> {
    pub(super) fn new(task: &mut Task<P>, measure: Measure) -> Self {
        task.plan = task.begins_at_goal().then(|| Plan { moves: Vec::new(), cost: 0 });
        let state = task.problem.canonical(task.start.clone());
        let tip = Open { cost: 0, estimate: task.estimate, hash: short_hash(&state), state };
        let costs = task.problem.move_costs();
        let search = Deepening {
            each: (costs.start() == costs.end()).then_some(*costs.start()),
            path: Path::new(),
            left: tip.clone(),
            entered: true,
            tip,
            children: 0,
            measure,
            open: Vec::new(),
            expanded: false,
            limit: task.estimate,
            next_limit: DEAD,
            round: 0,
            finished: task.plan.is_some() || task.estimate == DEAD,
            goal: None,
        };
        search.raise_bound(task);
        search
    }

    /// Raises the lower bound: every plan costs at least the limit of this round.
    fn raise_bound(&self, task: &mut Task<P>) {
        task.lower = match self.measure {
            Measure::Moves => self.limit.saturating_mul(*task.problem.move_costs().start()),
            Measure::Cost if task.guide.admissible => self.limit,
            Measure::Cost => 0,
        };
    }

    /// Enters the next waiting child of the tip or, if it has none, of its nearest ancestor that has one. If all children have been
    /// entered, starts the next round.
    #[inline]
    fn enter(&mut self, task: &mut Task<P>) {
        if !self.expanded || self.finished {
            return;
        }
        if self.open.len() > self.children {
            let child = self.open.pop().expect("there are more");
            let tip = std::mem::replace(&mut self.tip, child);
            self.path.push(tip, self.children);
            self.entered = true;
        } else {
            self.go_back(task);
        }
        self.children = self.open.len();
        self.expanded = self.finished;
    }

    #[inline]
    fn go_back(&mut self, task: &mut Task<P>) {
        let mut gone = false;
        while let Some(above) = self.path.frames.last() {
            let more = self.open.len() > above.children;
            let next = if more { self.open.pop() } else { self.path.pop() }.expect("there is one");
            let tip = std::mem::replace(&mut self.tip, next);
            if !gone {
                (gone, self.left) = (true, tip);
            }
            if more {
                break;
            }
        }
        self.entered = !gone;
        if !self.path.frames.is_empty() {
            return;
        }
        // The tip is the start.
        if self.next_limit == DEAD {
            self.finished = true;
        } else {
            (self.limit, self.next_limit, self.round) = (self.next_limit, DEAD, 0);
            self.raise_bound(task);
        }
    }

    #[inline]
    fn expand(&mut self, task: &mut Task<P>, budget: &mut Budget) -> Result<(), Limit> {
        let depth = self.path.frames.len() as Cost + 1;
        let mut tip = Tip {
            cost: self.tip.cost,
            above: self.path.frames.last().map(|frame| &frame.state),
            path: &self.path,
            limit: self.limit,
            next_limit: self.next_limit,
            moves: (self.measure == Measure::Moves).then_some(depth),
            each: self.each,
            goal: None,
            open: &mut self.open,
        };
        let made = match P::IN_PLACE {
            None => tip.expand(&self.tip.state, task, budget),
            Some(in_place) => tip.expand_in_place(&mut self.tip, &in_place, task, budget),
        };
        let Tip { goal, next_limit, open, .. } = tip;
        if made.is_err() {
            open.truncate(self.children);
        }
        task.count(1, made?);
        if open.len() > self.children + 1 {
            open[self.children..].reverse();
        }
        self.expanded = true;
        self.next_limit = next_limit;
        self.finished = goal.is_some();
        self.goal = goal;
        self.round += 1;
        Ok(())
    }
}

/// The last state of the path, while it is expanded.
struct Tip<'a, P: Problem> {
    cost: Cost,
    above: Option<&'a P::State>,
    path: &'a Path<P::State>,
    limit: Cost,
    next_limit: Cost,
    /// Number of moves to a child, if that is what is limited.
    moves: Option<Cost>,
    /// The cost of every move, if they all cost the same.
    each: Option<Cost>,
    goal: Option<P::State>,
    open: &'a mut Vec<Open<P::State>>,
}

impl<P: Problem> Tip<'_, P> {
    #[inline]
    fn expand(&mut self, state: &P::State, task: &mut Task<P>, budget: &mut Budget) -> Result<u64, Limit> {
        let (problem, limits) = (&*task.problem, budget.limits);
        budget.expand(problem, state, &mut task.moves, |child, cost| {
            // Most moves can be undone by the next move, so the state above is the most common child on the path.
            if self.above == Some(&child) {
                return Ok(());
            }
            let estimate = task.guide.at(problem, &child, limits)?;
            let cost = self.cost.saturating_add(cost);
            let value = self.value(cost, estimate);
            if self.is_wanted(value, estimate) && child != *state {
                let hash = short_hash(&child);
                if !self.path.has(&child, hash) {
                    self.see(problem, value, Open { state: child, cost, estimate, hash });
                }
            }
            Ok(())
        })
    }

    /// Like [`Tip::expand`], but makes the children in the state of the tip, which is restored.
    #[inline]
    fn expand_in_place(
        &mut self,
        tip: &mut Open<P::State>,
        in_place: &InPlace<P>,
        task: &mut Task<P>,
        budget: &mut Budget,
    ) -> Result<u64, Limit> {
        let (problem, limits, Open { state, estimate: estimate_here, hash: hash_here, .. }) = (&*task.problem, budget.limits, tip);
        task.moves.clear();
        problem.moves(state, &mut task.moves);
        task.estimates.clear();
        if let Some(after) = task.guide.by_differences(*estimate_here) {
            after(problem, state, &task.moves, *estimate_here, &mut task.estimates);
        }
        for (at, mv) in task.moves.iter().enumerate() {
            budget.child()?;
            let cost = self.cost.saturating_add(self.each.unwrap_or_else(|| problem.cost(state, mv)));
            // Without an estimate, the cost alone may be too large.
            let known = task.estimates.get(at).map(|&estimate| task.guide.proved(estimate));
            if !self.is_wanted(self.value(cost, known.unwrap_or(0)), known.unwrap_or(0)) {
                continue;
            }
            let undo = (in_place.make)(problem, state, mv);
            let estimate = match known {
                _ if self.above == Some(state) => Ok(DEAD),
                Some(_) if problem.is_dead(state) => Ok(DEAD),
                Some(estimate) => Ok(estimate),
                None => task.guide.at(problem, state, limits),
            };
            let value = self.value(cost, *estimate.as_ref().unwrap_or(&DEAD));
            if estimate.is_ok_and(|estimate| self.is_wanted(value, estimate)) {
                let hash = short_hash(state);
                // A move may lead back to the state itself.
                let same = hash == *hash_here && {
                    let mut before = state.clone();
                    (in_place.unmake)(problem, &mut before, mv, undo);
                    before == *state
                };
                if !same && !self.path.has(state, hash) {
                    self.see(problem, value, Open { state: state.clone(), cost, estimate: estimate.unwrap_or(DEAD), hash });
                }
            }
            (in_place.unmake)(problem, state, mv, undo);
            estimate?;
        }
        Ok(task.moves.len() as u64)
    }

    /// The value that is limited.
    #[inline]
    fn value(&self, cost: Cost, estimate: Cost) -> Cost {
        self.moves.unwrap_or_else(|| cost.saturating_add(estimate).min(DEAD - 1))
    }

    /// True if a child with this value would be entered or would set the next limit, unless it is on the path.
    #[inline]
    fn is_wanted(&self, value: Cost, estimate: Cost) -> bool {
        // Every value within the limit is also less than the next limit.
        value < self.next_limit && estimate != DEAD && self.goal.is_none()
    }

    /// Keeps a child for which [`Tip::is_wanted`] is true and which is not on the path.
    #[inline]
    fn see(&mut self, problem: &P, value: Cost, child: Open<P::State>) {
        if value > self.limit {
            self.next_limit = value;
        } else if problem.is_goal(&child.state) {
            self.goal = Some(child.state);
        } else {
            self.open.push(child);
        }
    }
}

impl<P: Problem> Engine<P> for Deepening<P> {
    fn advance(&mut self, task: &mut Task<P>) -> bool {
        self.enter(task);
        !self.finished
    }

    fn work(&mut self, task: &mut Task<P>, most: u64, budget: &mut Budget) -> Result<u64, Limit> {
        let before = task.stats;
        loop {
            let expanded = self.expand(task, budget);
            let (states, made) = (task.stats.expanded - before.expanded, task.stats.generated - before.generated);
            if expanded.is_err() && states == 0 {
                return expanded.map(|()| 0);
            }
            if expanded.is_err() || self.finished || states >= most || made >= TOGETHER {
                return Ok(made);
            }
            self.enter(task);
            if self.finished {
                return Ok(made);
            }
        }
    }

    fn kept(&self) -> Kept<'_, P::State> {
        let last = match self.path.frames.last() {
            _ if self.expanded => &self.tip.state,
            Some(above) if self.entered => &above.state,
            // The start had no child to enter, and a new round begins.
            None if self.entered => &self.tip.state,
            _ => &self.left.state,
        };
        Kept::Path(driver::Path {
            tip: &self.tip.state,
            cost: self.tip.cost,
            depth: self.path.frames.len(),
            bound: Some(self.limit),
            last,
            searched: self.round,
        })
    }

    fn steps(&self) -> Option<Vec<&P::State>> {
        let goal = self.goal.as_ref()?;
        let path = self.path.frames.iter().map(|frame| &frame.state).chain([&self.tip.state, goal]);
        Some(path.skip(1).collect())
    }

    fn open_and_closed(&self, _stats: &Stats) -> (u64, u64) {
        (self.open.len() as u64, self.path.frames.len() as u64)
    }

    fn bytes(&self, problem: &P, _more: usize) -> usize {
        let path = self.path.frames.capacity() * size_of::<Frame<P::State>>() + self.path.counts.capacity() * size_of::<u32>();
        let heap = (self.path.frames.len() + self.open.len()) * heap_bytes(problem);
        path + heap + self.open.capacity() * size_of::<Open<P::State>>()
    }

    fn child_bytes(&self, problem: &P) -> usize {
        2 * size_of::<Open<P::State>>() + heap_bytes(problem)
    }
}
