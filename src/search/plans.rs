//! Counts and lists the least-cost plans of a problem: sequences of moves from the start to a goal, each of which ends at the first goal
//! that it reaches. Plans with different moves are different, even if they pass through the same states.
//!
//! The first pass finds the least cost of every state that some least-cost plan may pass through, as uniform-cost search does. States whose
//! estimate shows that every plan through them costs more are skipped. The second pass visits the same states in the opposite order.
//! The number of ways to complete a plan from a state is the sum of the numbers for the next states, over all moves that reach the next
//! state at its least cost. With these numbers, plans are listed without a search: such a move belongs to a plan if the number for the
//! next state is not 0.
//!
//! Symmetric states have equally many moves to each class of symmetric states, so one number per class is enough. Moves of cost 0 stay at
//! the same cost, so the numbers at one cost are computed in topological order. If there is no such order, plans can go in circles, and
//! their number is infinite.

use std::collections::{BTreeMap, HashMap};
use std::ops::{ControlFlow, Range};

use super::column::Column;
use super::store::{Id, Store};
use crate::bits::natural::Natural;
use crate::limits::{Limit, Limits, Progress};
use crate::outcome::Plan;
use crate::rules::{Cost, Packing, Problem};
use crate::space::{Batch, Space, Status, Successors};

/// Maximum number of states that are expanded together, and maximum total size of these states in bytes.
const TOGETHER: (usize, usize) = (128, 4096);
/// Number of states generated between memory checks and progress reports.
const PERIOD: u64 = 16_384;

/// Replaces the contents of the vector with an admissible estimate for each state.
pub type Estimates<'a> = dyn FnMut(&Batch, &mut Vec<Cost>) -> Result<(), Limit> + 'a;

/// The reason why plans could not be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncounted {
    Limit(Limit),
    /// Moves of cost 0 lead from a state on a least-cost plan back to the same state, so there are infinitely many plans.
    Infinite,
    /// There is a plan of this cost, which is less than the supposed least cost.
    Cheaper(Cost),
}

impl From<Limit> for Uncounted {
    fn from(limit: Limit) -> Uncounted {
        Uncounted::Limit(limit)
    }
}

/// The states that least-cost plans pass through, and for each state the number of ways to complete a plan from it.
pub struct PlanGraph {
    store: Store,
    /// The least cost of reaching each state; only an upper bound if no least-cost plan passes through the state.
    costs: Column<Cost>,
    ways: Ways,
    bytes: usize,
}

/// One number per state. Numbers that do not fit into a word are stored separately.
#[derive(Default)]
struct Ways {
    small: Column<u64>,
    large: HashMap<Id, Natural>,
    large_bytes: usize,
}

/// In [`Ways::small`], marks a number that is stored in [`Ways::large`].
const LARGE: u64 = u64::MAX;

/// A sum of path counts, which may not fit in one word.
#[derive(Default)]
struct Sum {
    small: u128,
    large: Natural,
}

impl Ways {
    fn is_zero(&self, id: Id) -> bool {
        self.small.get(id) == 0
    }

    #[inline]
    fn add_to(&self, sum: &mut Sum, id: Id) {
        match self.small.get(id) {
            LARGE => sum.large += &self.large[&id],
            ways => sum.small += u128::from(ways),
        }
    }

    fn set(&mut self, id: Id, sum: Sum) {
        if sum.large.is_zero() && sum.small < u128::from(LARGE) {
            return self.small.set(id, sum.small as u64);
        }
        let mut ways = sum.large;
        ways += &Natural::from(sum.small);
        self.small.set(id, LARGE);
        self.large_bytes += ways.bytes() + 2 * size_of::<(Id, Natural)>();
        self.large.insert(id, ways);
    }

    fn bytes(&self) -> usize {
        self.small.bytes() + self.large_bytes
    }
}

/// Counts the plans of cost `least`, which must be the least cost of any plan. `cheapest` is the least cost of any move. Each state is
/// expanded at most twice, and both times count toward `limits.nodes`.
pub fn count(
    space: &dyn Space,
    estimates: &mut Estimates<'_>,
    cheapest: Cost,
    least: Cost,
    limits: &Limits,
) -> Result<PlanGraph, Uncounted> {
    let width = space.width();
    let mut counting = Counting {
        space,
        limits,
        for_buffer: limits.clone(),
        cheapest,
        least,
        store: Store::new(width),
        costs: Column::new(),
        levels: Vec::new(),
        parents: Batch::new(width),
        next: Successors::new(width),
        expanded: 0,
        made: 0,
        next_check: 0,
    };
    counting.forward(estimates)?;
    let ways = counting.backward()?;
    let bytes = counting.store.bytes() + counting.costs.bytes() + ways.bytes();
    Ok(PlanGraph { store: counting.store, costs: counting.costs, ways, bytes })
}

struct Counting<'a> {
    space: &'a dyn Space,
    limits: &'a Limits,
    /// Like `limits`, but with only the bytes that are left for `next`.
    for_buffer: Limits,
    cheapest: Cost,
    least: Cost,
    store: Store,
    costs: Column<Cost>,
    /// The states that plans may pass through, grouped by cost, in ascending order.
    levels: Vec<(Cost, Vec<Id>)>,
    parents: Batch,
    next: Successors,
    expanded: u64,
    made: u64,
    next_check: u64,
}

impl Counting<'_> {
    /// Finds the states that plans may pass through.
    fn forward(&mut self, estimates: &mut Estimates<'_>) -> Result<(), Limit> {
        self.store.insert(&self.space.start());
        self.costs.push(0);
        let mut open = BTreeMap::from([(0, vec![0])]);
        let mut waiting = 1;
        let (mut improved, mut fresh, mut estimated) = (Vec::new(), Batch::new(self.space.width()), Vec::new());
        while let Some((cost, mut ids)) = open.pop_first() {
            let mut level = Vec::new();
            // Moves of cost 0 may lead to more states of the same cost.
            while !ids.is_empty() {
                waiting -= ids.len();
                ids.retain(|&id| self.costs.get(id) == cost);
                for some in ids.chunks(self.together()) {
                    self.check(|counting| 2 * size_of::<Id>() * counting.store.len(), waiting)?;
                    if self.is_last(cost) {
                        continue;
                    }
                    self.expand(some)?;
                    improved.clear();
                    let (costs, steps, made) = (&mut self.costs, self.next.costs(), self.next.states());
                    for range in unfinished(&self.next) {
                        self.store.insert_range(made, range, |index, id, new| {
                            if new {
                                costs.push(Cost::MAX);
                            }
                            let reached = cost.saturating_add(steps[index]);
                            if reached < costs.get(id) {
                                costs.set(id, reached);
                                improved.push((index, id, reached));
                            }
                        });
                    }
                    improved.retain(|&(_, id, reached)| reached <= self.least && self.costs.get(id) == reached);
                    fresh.clear();
                    improved.iter().for_each(|&(index, ..)| fresh.push_all(1, made.get(index)));
                    estimates(&fresh, &mut estimated)?;
                    for (&(_, id, reached), &estimate) in improved.iter().zip(&estimated) {
                        if reached.saturating_add(estimate) <= self.least {
                            waiting += 1;
                            open.entry(reached).or_insert_with(Vec::new).push(id);
                        }
                    }
                }
                level.append(&mut ids);
                ids = open.remove(&cost).unwrap_or_default();
            }
            self.levels.push((cost, level));
        }
        Ok(())
    }

    /// Computes the number of ways to complete a plan from each of these states.
    fn backward(&mut self) -> Result<Ways, Uncounted> {
        let mut ways = Ways::default();
        (0..self.store.len()).for_each(|_| ways.small.push(0));
        while let Some((cost, ids)) = self.levels.pop() {
            // Moves of cost 0 between states of this cost.
            let mut free: Vec<(Id, Id)> = Vec::new();
            for some in ids.chunks(self.together()) {
                self.check(|_| ways.bytes() + free.capacity() * size_of::<(Id, Id)>(), 0)?;
                if self.is_last(cost) {
                    for &id in some {
                        match self.space.status(self.store.get(id)) {
                            Status::Goal if cost < self.least => return Err(Uncounted::Cheaper(cost)),
                            status => ways.small.set(id, u64::from(status == Status::Goal)),
                        }
                    }
                    continue;
                }
                self.expand(some)?;
                let mut sums: Vec<Sum> = some.iter().map(|_| Sum::default()).collect();
                let (costs, parents, steps) = (&self.costs, self.next.parents(), self.next.costs());
                for (sum, _) in sums.iter_mut().zip(parents).filter(|(_, parent)| parent.status == Status::Goal) {
                    if cost < self.least {
                        return Err(Uncounted::Cheaper(cost));
                    }
                    sum.small = 1;
                }
                let mut at = 0;
                for range in unfinished(&self.next) {
                    self.store.insert_range(self.next.states(), range, |index, id, new| {
                        assert!(!new, "the first pass stored every successor");
                        while parents[at].end <= index {
                            at += 1;
                        }
                        match steps[index] {
                            0 if costs.get(id) == cost => free.push((some[at], id)),
                            step if step > 0 && costs.get(id) == cost.saturating_add(step) => ways.add_to(&mut sums[at], id),
                            _ => {}
                        }
                    });
                }
                some.iter().zip(sums).for_each(|(&id, sum)| ways.set(id, sum));
            }
            if !free.is_empty() {
                add_free_moves(&mut ways, &mut free)?;
            }
        }
        Ok(ways)
    }

    fn together(&self) -> usize {
        TOGETHER.0.min(TOGETHER.1 / self.space.width().max(1)).max(1)
    }

    /// True if no move from a state of this cost can belong to a least-cost plan.
    fn is_last(&self, cost: Cost) -> bool {
        cost.saturating_add(self.cheapest) > self.least
    }

    /// Generates the successors of these states.
    fn expand(&mut self, ids: &[Id]) -> Result<(), Limit> {
        self.expanded += ids.len() as u64;
        if self.expanded > self.limits.nodes {
            return Err(Limit::Nodes);
        }
        self.parents.clear();
        ids.iter().for_each(|&id| self.parents.push(|out| out.copy_from_slice(self.store.get(id))));
        self.space.successors(&self.parents, &mut self.next, &self.for_buffer)?;
        self.made += self.next.states().len() as u64;
        Ok(())
    }

    /// Checks memory and reports progress, once per period. `more` is the number of bytes used by the caller.
    fn check(&mut self, more: impl FnOnce(&Self) -> usize, open: usize) -> Result<(), Limit> {
        self.limits.check()?;
        if self.made < self.next_check {
            return Ok(());
        }
        self.next_check = self.made + PERIOD;
        let soon = 2 * PERIOD as usize;
        let states = self.store.bytes_after(soon) + self.costs.bytes_after(soon) + more(self);
        let bytes = states + self.parents.bytes() + self.next.bytes();
        self.limits.room(bytes)?;
        self.for_buffer.bytes = self.limits.bytes - states;
        let (lower, upper) = (self.least, Some(self.least));
        self.limits.report(&Progress { expanded: self.expanded, generated: self.made, open: open as u64, bytes, lower, upper })
    }
}

/// The successors of all states that are not goals, as ranges of indices. The successors of a goal are left out, because a plan ends at
/// a goal.
fn unfinished(next: &Successors) -> Vec<Range<usize>> {
    let (mut ranges, mut begin): (Vec<Range<usize>>, usize) = (Vec::new(), 0);
    for parent in next.parents() {
        let range = begin..parent.end;
        begin = parent.end;
        match ranges.last_mut() {
            _ if parent.status == Status::Goal => {}
            Some(last) if last.end == range.start => last.end = range.end,
            _ => ranges.push(range),
        }
    }
    ranges
}

/// Adds the ways that begin with moves of cost 0, given as pairs of states of the same cost. States from which no plan can be completed are
/// ignored; the others are processed in topological order, those without moves of cost 0 first.
fn add_free_moves(ways: &mut Ways, free: &mut [(Id, Id)]) -> Result<(), Uncounted> {
    free.sort_unstable_by_key(|&(_, to)| to);
    let before = |to: Id| {
        let begin = free.partition_point(|&(_, other)| other < to);
        free[begin..].iter().take_while(move |&&(_, other)| other == to).map(|&(from, _)| from)
    };
    // The number of moves from each live state to live states that are not yet processed.
    let mut left: HashMap<Id, u64> = HashMap::new();
    let mut ready: Vec<Id> = free.iter().flat_map(|&(from, to)| [from, to]).filter(|&id| !ways.is_zero(id)).collect();
    ready.sort_unstable();
    ready.dedup();
    let mut live = ready;
    left.extend(live.iter().map(|&id| (id, 0)));
    let mut at = 0;
    while let Some(&to) = live.get(at) {
        for from in before(to) {
            let count = left.entry(from).or_insert_with(|| {
                live.push(from);
                0
            });
            *count += 1;
        }
        at += 1;
    }
    let mut ready: Vec<Id> = live.iter().copied().filter(|id| left[id] == 0).collect();
    let mut done = 0;
    while let Some(to) = ready.pop() {
        done += 1;
        for from in before(to) {
            let mut sum = Sum::default();
            ways.add_to(&mut sum, from);
            ways.add_to(&mut sum, to);
            ways.set(from, sum);
            let count = left.get_mut(&from).expect("a live state");
            *count -= 1;
            if *count == 0 {
                ready.push(from);
            }
        }
    }
    if done == live.len() { Ok(()) } else { Err(Uncounted::Infinite) }
}

impl PlanGraph {
    /// The number of plans.
    pub fn total(&self) -> Natural {
        let mut sum = Sum::default();
        self.ways.add_to(&mut sum, 0);
        sum.large += &Natural::from(sum.small);
        sum.large
    }

    /// Number of bytes used.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Calls `emit` with every plan, in the order of the moves, until it breaks. Returns the limit that ended the work, if any. `problem`
    /// and `start` must be those of the space in which plans were counted.
    pub fn list<P: Problem>(
        &self,
        problem: &P,
        start: &P::State,
        limits: &Limits,
        emit: &mut dyn FnMut(Plan<P::Move>) -> ControlFlow<Option<Limit>>,
    ) -> Option<Limit> {
        if self.ways.is_zero(0) {
            return None;
        }
        let mut bytes = vec![0; problem.state_bytes()];
        // The states on the current path, each with its cost and the moves that have not been tried yet, in reverse order.
        let mut path: Vec<(P::State, Cost, Vec<P::Move>)> = Vec::new();
        let mut plan: Vec<P::Move> = Vec::new();
        let mut entered = Some((start.clone(), 0));
        loop {
            if let Some((state, cost)) = entered.take() {
                let mut moves = Vec::new();
                if problem.is_goal(&state) {
                    if let ControlFlow::Break(limit) = emit(Plan { moves: plan.clone(), cost }) {
                        return limit;
                    }
                } else {
                    problem.moves(&state, &mut moves);
                    moves.reverse();
                }
                path.push((state, cost, moves));
            }
            if let Err(limit) = limits.check() {
                return Some(limit);
            }
            let (state, cost, moves) = path.last_mut()?;
            let Some(mv) = moves.pop() else {
                path.pop();
                plan.pop();
                continue;
            };
            let (after, reached) = (problem.apply(state, &mv), cost.saturating_add(problem.cost(state, &mv)));
            problem.pack(&problem.canonical(after.clone()), &mut bytes);
            let on_plan = |&id: &Id| self.costs.get(id) == reached && !self.ways.is_zero(id);
            if self.store.find(&bytes).filter(on_plan).is_some() {
                plan.push(mv);
                entered = Some((after, reached));
            }
        }
    }
}
