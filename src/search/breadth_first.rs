//! Breadth-first search. The store's ids are already in first-in-first-out order, so the queue is one number: the next id
//! to expand. Parents are expanded a few hundred at a time so that their children enter the store as one batch; the ids,
//! and so the result, are those of expanding them one by one.

use super::replay::{ROOT, chain, replay};
use super::store::{Batch, Column, Id, Store};
use super::{Look, Meter, Search, packed};
use crate::outcome::{Limits, Progress, Stats, Verdict, Why};
use crate::rules::{Cost, Problem};

/// Parents expanded together.
const TOGETHER: u64 = 256;

pub(super) struct BreadthFirst<'a, P: Problem> {
    problem: &'a P,
    start: P::State,
    store: Store,
    parent: Column<Id>,
    /// The next id to expand; all smaller ones are closed.
    next: Id,
    /// The first id of the next layer.
    layer_end: Id,
    /// Moves from the start to the layer that is being expanded.
    depth: Cost,
    goal: Option<Id>,
    batch: Batch,
    parents: Vec<Id>,
    moves: Vec<P::Move>,
    meter: Meter,
}

impl<'a, P: Problem> BreadthFirst<'a, P> {
    pub(super) fn new(problem: &'a P, start: P::State) -> Self {
        let mut store = Store::new(problem.state_bytes());
        let mut parent = Column::new();
        if !problem.is_dead(&start) {
            store.insert(&packed(problem, start.clone()));
            parent.push(ROOT);
        }
        let goal = (!store.is_empty() && problem.is_goal(&start)).then_some(0);
        let batch = Batch::new(problem.state_bytes());
        let (parents, moves, meter) = (Vec::new(), Vec::new(), Meter::default());
        BreadthFirst { problem, start, store, parent, next: 0, layer_end: 1, depth: 0, goal, batch, parents, moves, meter }
    }

    /// Expands up to `count` states; stops after the first one that has a goal among its children.
    fn expand(&mut self, count: u64) {
        let problem = self.problem;
        let last = (u64::from(self.next) + count).min(self.store.len() as u64).min(u64::from(self.layer_end)) as Id;
        let mut goal = None;
        while self.next < last && goal.is_none() {
            let state = problem.unpack(self.store.get(self.next));
            self.meter.stats.expanded += 1;
            problem.expand(&state, &mut self.moves, |child, _| {
                self.meter.stats.generated += 1;
                if problem.is_dead(&child) {
                    return;
                }
                if goal.is_none() && problem.is_goal(&child) {
                    goal = Some(self.parents.len());
                }
                self.batch.push(|out| problem.pack(&child, out));
                self.parents.push(self.next);
            });
            self.next += 1;
        }
        self.store.insert_all(&mut self.batch, |index, id, new| {
            if new {
                self.parent.push(self.parents[index]);
            }
            if goal == Some(index) {
                self.goal = Some(id);
            }
        });
        self.parents.clear();
        if self.next == self.layer_end {
            self.layer_end = self.store.len() as Id;
            self.depth += 1;
        }
    }

    /// Every state up to this depth has been made and tested, so a plan takes at least one move more.
    fn lower(&self) -> Cost {
        (self.depth + 1).saturating_mul(*self.problem.move_costs().start())
    }

    fn bytes(&self, more: usize) -> usize {
        self.store.bytes_after(more) + self.parent.bytes_after(more)
    }
}

impl<P: Problem> Search<P> for BreadthFirst<'_, P> {
    fn run(&mut self, limits: &mut Limits<'_>) -> Verdict<P::Move> {
        self.meter.begin();
        loop {
            if let Some(goal) = self.goal {
                let ids = chain(goal, |id| self.parent.get(id));
                let steps = ids[1..].iter().map(|&id| self.problem.unpack(self.store.get(id)));
                let plan = replay(self.problem, &self.start, steps);
                let costs = self.problem.move_costs();
                let lower = if costs.start() == costs.end() { plan.cost } else { plan.moves.len() as Cost * costs.start() };
                return Verdict::Solved { plan, lower };
            }
            if self.next as usize == self.store.len() {
                return Verdict::Unsolvable(Why::Exhausted { states: self.store.len() as u64 });
            }
            // The nodes of one batch have about as many children as those of the one before.
            let branching = 1 + self.meter.stats.generated / self.meter.stats.expanded.max(1);
            let soon = self.bytes((2 * TOGETHER * branching) as usize);
            let (bytes, open, lower) = (self.bytes(0), self.store.len() as u64 - u64::from(self.next), self.lower());
            let progress =
                |stats: &Stats| Progress { expanded: stats.expanded, generated: stats.generated, open, bytes, lower, upper: None };
            if let Err(limit) = self.meter.check(limits, |stats| (progress(stats), soon)) {
                return Verdict::Unknown { limit, lower, best: None };
            }
            self.expand(TOGETHER.min(limits.nodes - self.meter.stats.expanded));
        }
    }

    fn look(&self) -> Look<P::State> {
        Look {
            open: self.store.len() as u64 - u64::from(self.next),
            closed: u64::from(self.next),
            lower: if self.goal.is_some() { 0 } else { self.lower() },
            upper: None,
            last: self.next.checked_sub(1).map(|id| self.problem.unpack(self.store.get(id))),
        }
    }

    fn stats(&self) -> Stats {
        let stats = self.meter.stats;
        Stats { stored: self.store.len() as u64, peak_bytes: stats.peak_bytes.max(self.bytes(0)), ..stats }
    }
}
