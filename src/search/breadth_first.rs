//! Breadth-first search. The store's ids are already in first-in-first-out order, so the queue is one number: the next id
//! to expand. Parents are expanded a few hundred at a time so that their children enter the store as one batch; the ids,
//! and so the result, are those of expanding them one by one.

use super::column::Column;
use super::driver::Engine;
use super::packed;
use super::replay::{ROOT, plan_to};
use super::store::{Batch, Id, Store};
use crate::outcome::{Plan, Stats, Verdict, Why};
use crate::rules::{Cost, Problem};

/// Children that are made before they enter the store together.
const TOGETHER: usize = 1024;

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
    stats: Stats,
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
        let (parents, moves, stats) = (Vec::new(), Vec::new(), Stats::default());
        BreadthFirst { problem, start, store, parent, next: 0, layer_end: 1, depth: 0, goal, batch, parents, moves, stats }
    }

    /// Expands up to `most` states of this layer; stops after the first one that has a goal among its children.
    fn expand(&mut self, most: u64) {
        let problem = self.problem;
        let last = (u64::from(self.next) + most).min(self.store.len() as u64).min(u64::from(self.layer_end)) as Id;
        let mut goal = None;
        while self.next < last && goal.is_none() && self.batch.len() < TOGETHER {
            let state = problem.unpack(self.store.get(self.next));
            self.stats.expanded += 1;
            problem.expand(&state, &mut self.moves, |child, _| {
                self.stats.generated += 1;
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
        if self.next == self.layer_end && self.goal.is_none() {
            self.layer_end = self.store.len() as Id;
            self.depth += 1;
        }
    }
}

impl<P: Problem> Engine<P> for BreadthFirst<'_, P> {
    fn answer(&mut self) -> Option<Verdict<P::Move>> {
        if let Some(plan) = self.plan() {
            return Some(Verdict::Solved { lower: self.lower().min(plan.cost), plan });
        }
        let exhausted = self.next as usize == self.store.len();
        exhausted.then(|| Verdict::Unsolvable(Why::Exhausted { states: self.store.len() as u64 }))
    }

    fn work(&mut self, most: u64) -> u64 {
        let before = self.stats.generated;
        self.expand(most);
        self.stats.generated - before
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn stored(&self) -> u64 {
        self.store.len() as u64
    }

    /// Every state up to this depth has been made and tested, so a plan takes at least one move more.
    fn lower(&self) -> Cost {
        match self.goal {
            Some(0) => 0,
            _ => (self.depth + 1).saturating_mul(*self.problem.move_costs().start()),
        }
    }

    fn plan(&self) -> Option<Plan<P::Move>> {
        Some(plan_to(self.problem, &self.start, &self.store, self.goal?, |id| self.parent.get(id)))
    }

    fn upper(&self) -> Option<Cost> {
        self.plan().map(|plan| plan.cost)
    }

    fn open_and_closed(&self) -> (u64, u64) {
        (self.store.len() as u64 - u64::from(self.next), u64::from(self.next))
    }

    fn last(&self) -> Option<P::State> {
        self.next.checked_sub(1).map(|id| self.problem.unpack(self.store.get(id)))
    }

    fn bytes(&self, more: usize) -> usize {
        self.store.bytes_after(more) + self.parent.bytes_after(more) + self.batch.bytes()
    }
}
