//! Iterative deepening and IDA*: depth-first search under a limit that is repeatedly raised to the least value that exceeded it.
//! The two differ only in what is limited: the number of moves, or the cost so far plus the estimate.
//!
//! Only one path is stored. States on the path are not entered again, so both methods terminate on every finite space. However, without
//! a visited set a state is searched once for every path to it, so both may take a very long time on unsolvable boards.
//!
//! Nearly all children exceed the limit, so the limit is tested first. Only children that would be entered or would set the next limit
//! are compared with the path, and a small hash table usually shows at once that a child is not on the path. All waiting children are
//! in one stack. A state becomes a frame only when one of its children is entered, because most states have no child within the limit.
//!
//! If a game makes and unmakes moves in place, children are made in the expanded state and copied only if they are entered. If the
//! estimate is also updated by differences, children beyond the limit are not made at all.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::driver::{self, Budget, CHECK, Engine, Kept, Task, heap_bytes};
use super::guide::FAR;
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
    /// The estimates for the children of the tip: see [`Deepening::expand_by_differences`].
    estimates: [Cost; CHECK],
    /// The indices of the tip's moves in the table of differences.
    changes: [usize; CHECK],
    /// True if all moves cost the same, the cost plus an admissible estimate is limited, and the estimate has a table of differences.
    quick: bool,
    /// The path without its last state. Its first frame is the start.
    path: Path<P::State>,
    /// The last state of the path.
    tip: Open<P::State>,
    /// True if the tip has been expanded.
    expanded: bool,
    /// The children of all states on the path that are within the limit and have not been entered yet. The children of the last state
    /// are on top, and the child of its first move is topmost.
    open: Vec<Open<P::State>>,
    /// The index in `open` where the children of the tip begin.
    children: usize,
    limit: Cost,
    /// The least measure that exceeded the limit in this round.
    next_limit: Cost,
    /// Number of states expanded in this round.
    round: u64,
    /// The goal, once it has been found. It follows the last state of the path.
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
    /// The state in canonical form, like every state that is compared with the path.
    state: S,
    cost: Cost,
    estimate: Cost,
    hash: u32,
    /// The index in `open` where the children of this state begin. There are far fewer than 2^32 waiting children, because all of them are
    /// children of states on one path.
    children: u32,
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
    fn push(&mut self, Open { state, cost, estimate, hash }: Open<S>, children: u32) {
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
    // The initial hasher is a constant, because `FxHasher::default` is not inlined.
    const EMPTY: FxHasher = FxHasher::default();
    let mut hasher = EMPTY;
    state.hash(&mut hasher);
    hasher.finish() as u32
}

/// Number of children to generate before returning to the driver.
const TOGETHER: u64 = 1024;

const _: () = assert!(CHECK <= 32, "`expand_by_differences` has one bit per move");

impl<P: Problem> Deepening<P> {
    pub(super) fn new(task: &mut Task<P>, measure: Measure) -> Self {
        task.plan = task.begins_at_goal().then(|| Plan { moves: Vec::new(), cost: 0 });
        let state = task.problem.canonical(task.start.clone());
        let tip = Open { cost: 0, estimate: task.estimate, hash: short_hash(&state), state };
        let costs = task.problem.move_costs();
        let search = Deepening {
            each: (costs.start() == costs.end()).then_some(*costs.start()),
            estimates: [0; CHECK],
            changes: [0; CHECK],
            quick: costs.start() == costs.end()
                && task.guide.admissible
                && !task.guide.differences().is_empty()
                && measure == Measure::Cost,
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
    #[inline(always)]
    fn enter(&mut self, task: &mut Task<P>) {
        if !self.expanded || self.finished {
            return;
        }
        if self.open.len() > self.children {
            let child = self.open.pop().expect("there are more");
            let tip = std::mem::replace(&mut self.tip, child);
            self.path.push(tip, self.children as u32);
            self.entered = true;
        } else {
            self.go_back(task);
        }
        self.children = self.open.len();
        self.expanded = self.finished;
    }

    #[inline]
    fn go_back(&mut self, task: &mut Task<P>) {
        self.entered = self.path.frames.is_empty();
        while let Some(above) = self.path.frames.last() {
            let more = self.open.len() > above.children as usize;
            let next = if more { self.open.pop() } else { self.path.pop() }.expect("there is one");
            if more || self.path.frames.is_empty() {
                self.left = std::mem::replace(&mut self.tip, next);
                break;
            }
        }
        if !self.path.frames.is_empty() {
            return;
        }
        // The search has backtracked to the start, which is now the tip.
        if self.next_limit == DEAD {
            self.finished = true;
        } else {
            (self.limit, self.next_limit, self.round) = (self.next_limit, DEAD, 0);
            self.raise_bound(task);
        }
    }

    #[inline]
    fn expand(&mut self, task: &mut Task<P>, budget: &mut Budget) -> Result<(), Limit> {
        if let Some(in_place) = P::IN_PLACE
            && self.quick
            && let Some(made) = self.expand_by_differences(&in_place, task, budget)?
        {
            self.end_expansion(task, made);
            return Ok(());
        }
        if P::IN_PLACE.is_some() { self.expand_apart(task, budget) } else { self.expand_any(task, budget) }
    }

    /// Calls [`Deepening::expand_any`], which is kept out of the loop of [`Deepening::expand_by_differences`].
    #[inline(never)]
    fn expand_apart(&mut self, task: &mut Task<P>, budget: &mut Budget) -> Result<(), Limit> {
        self.expand_any(task, budget)
    }

    #[inline]
    fn expand_any(&mut self, task: &mut Task<P>, budget: &mut Budget) -> Result<(), Limit> {
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
        let made = made?;
        open[self.children..].reverse();
        (self.goal, self.next_limit) = (goal, next_limit);
        self.end_expansion(task, made);
        Ok(())
    }

    /// Records that the tip has been expanded.
    #[inline]
    fn end_expansion(&mut self, task: &mut Task<P>, made: u64) {
        task.count(1, made);
        (self.expanded, self.finished) = (true, self.goal.is_some());
        self.round += 1;
    }

    /// Expands the tip like [`Tip::expand_in_place`], but only in the usual case that a next limit is known and there are few moves. In
    /// this case, a single comparison rules out most children. In all other cases, does nothing and returns `None`.
    #[inline]
    fn expand_by_differences(&mut self, in_place: &InPlace<P>, task: &mut Task<P>, budget: &mut Budget) -> Result<Option<u64>, Limit> {
        let (problem, differences, Open { state, cost, estimate, .. }) = (&*task.problem, task.guide.differences(), &self.tip);
        // Below `FAR`, values are exact: none is clamped, and no estimate is a placeholder for a state that an inadmissible heuristic
        // calls dead.
        let (Some(each), true) = (self.each, self.next_limit < FAR) else { return Ok(None) };
        task.moves.clear();
        problem.moves(state, &mut task.moves);
        let (moves, cost, estimate, above) = (&*task.moves, cost + each, *estimate, self.path.frames.last().map(|frame| &frame.state));
        if !budget.children(moves.len())? {
            return Ok(None);
        }
        // One bit per move; the lowest bit is the last move.
        let (mut wanted, most) = (0_u32, self.next_limit.saturating_sub(cost));
        (in_place.changes)(problem, state, moves, &mut self.changes[..moves.len()]);
        for at in 0..moves.len() {
            self.estimates[at] = estimate.wrapping_add(differences[self.changes[at]]);
            wanted = wanted << 1 | u32::from(self.estimates[at] < most);
        }
        while wanted != 0 {
            // The child of the first move must be pushed last.
            let at = moves.len() - 1 - wanted.trailing_zeros() as usize;
            wanted &= wanted - 1;
            let (mut child, estimate) = (state.clone(), self.estimates[at]);
            (in_place.make)(problem, &mut child, &moves[at]);
            if above == Some(&child) || child == *state || cost + estimate >= self.next_limit || problem.is_dead(&child) {
                continue;
            }
            let hash = short_hash(&child);
            if self.path.has(&child, hash) {
                continue;
            }
            if cost + estimate > self.limit {
                self.next_limit = cost + estimate;
            } else if problem.is_goal(&child) {
                // If several children are goals, only the first counts.
                self.open.truncate(self.children);
                return Ok(None);
            } else {
                self.open.push(Open { state: child, cost, estimate, hash });
            }
        }
        Ok(Some(moves.len() as u64))
    }
}

/// The last state of the path, while it is expanded.
struct Tip<'a, P: Problem> {
    cost: Cost,
    above: Option<&'a P::State>,
    path: &'a Path<P::State>,
    limit: Cost,
    next_limit: Cost,
    /// Number of moves from the start to a child, if the number of moves is limited.
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
            // Most moves can be undone by the next move, so a child that is on the path is most often the state above.
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

    /// Like [`Tip::expand`], but generates each child by making the move in the tip's own state and then undoing it.
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
        let differences = if *estimate_here < FAR { task.guide.differences() } else { &[] };
        for mv in &task.moves {
            budget.child()?;
            let change = (!differences.is_empty()).then(|| differences[in_place.change(problem, state, mv)]);
            let cost = self.cost.saturating_add(self.each.unwrap_or_else(|| problem.cost(state, mv)));
            // If there is no estimate, the cost alone may still be too large.
            let known = change.map(|change| task.guide.proved(estimate_here.wrapping_add(change)));
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

    /// The value that the limit applies to.
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
