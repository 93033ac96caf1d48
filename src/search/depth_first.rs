//! Depth-first search with a visited set, so that it ends on every finite space.
//!
//! A state is marked visited when it is expanded, not when it is made: a state first seen high up and met again deeper
//! down is expanded at the deeper place, as the recursive textbook version does.

use super::column::Column;
use super::driver::Engine;
use super::packed;
use super::replay::{ROOT, plan_to};
use super::store::{Batch, Id, Store};
use crate::outcome::{Plan, Stats, Verdict, Why};
use crate::rules::{Cost, Problem};

/// In the parent column: seen, but not expanded yet.
const WAITING: Id = Id::MAX - 1;

pub(super) struct DepthFirst<'a, P: Problem> {
    problem: &'a P,
    start: P::State,
    store: Store,
    parent: Column<Id>,
    /// States to expand next, each with the state it was made from.
    stack: Vec<(Id, Id)>,
    goal: Option<Id>,
    last: Option<Id>,
    batch: Batch,
    moves: Vec<P::Move>,
    stats: Stats,
}

impl<'a, P: Problem> DepthFirst<'a, P> {
    pub(super) fn new(problem: &'a P, start: P::State) -> Self {
        let mut search = DepthFirst {
            problem,
            store: Store::new(problem.state_bytes()),
            parent: Column::new(),
            stack: Vec::new(),
            goal: None,
            last: None,
            batch: Batch::new(problem.state_bytes()),
            moves: Vec::new(),
            stats: Stats::default(),
            start,
        };
        if !problem.is_dead(&search.start) {
            search.store.insert(&packed(problem, search.start.clone()));
            search.parent.push(WAITING);
            search.stack.push((0, ROOT));
            if problem.is_goal(&search.start) {
                search.parent.set(0, ROOT);
                search.goal = Some(0);
            }
        }
        search
    }

    fn expand(&mut self, id: Id) {
        let problem = self.problem;
        let state = problem.unpack(self.store.get(id));
        self.stats.expanded += 1;
        self.last = Some(id);
        let mut goal = None;
        problem.expand(&state, &mut self.moves, |child, _| {
            self.stats.generated += 1;
            if problem.is_dead(&child) {
                return;
            }
            if goal.is_none() && problem.is_goal(&child) {
                goal = Some(self.batch.len());
            }
            self.batch.push(|out| problem.pack(&child, out));
        });
        let from = self.stack.len();
        self.store.insert_all(&mut self.batch, |index, child, new| {
            if new {
                self.parent.push(WAITING);
            }
            if self.parent.get(child) == WAITING {
                self.stack.push((child, id));
            }
            if goal == Some(index) {
                self.goal = Some(child);
            }
        });
        if let Some(goal) = self.goal {
            self.parent.set(goal, id);
        }
        // The first move is to be tried first.
        self.stack[from..].reverse();
    }
}

impl<P: Problem> Engine<P> for DepthFirst<'_, P> {
    fn answer(&mut self) -> Option<Verdict<P::Move>> {
        if let Some(plan) = self.plan() {
            return Some(Verdict::Solved { plan, lower: 0 });
        }
        // What was expanded meanwhile is not expanded again.
        while self.stack.last().is_some_and(|&(id, _)| self.parent.get(id) != WAITING) {
            self.stack.pop();
        }
        self.stack.is_empty().then(|| Verdict::Unsolvable(Why::Exhausted { states: self.store.len() as u64 }))
    }

    fn work(&mut self, _most: u64) -> u64 {
        let Some((id, parent)) = self.stack.pop() else { return 0 };
        let before = self.stats.generated;
        self.parent.set(id, parent);
        self.expand(id);
        self.stats.generated - before
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn stored(&self) -> u64 {
        self.store.len() as u64
    }

    fn lower(&self) -> Cost {
        0
    }

    fn plan(&self) -> Option<Plan<P::Move>> {
        Some(plan_to(self.problem, &self.start, &self.store, self.goal?, |id| self.parent.get(id)))
    }

    fn upper(&self) -> Option<Cost> {
        self.plan().map(|plan| plan.cost)
    }

    fn open_and_closed(&self) -> (u64, u64) {
        (self.stack.len() as u64, self.stats.expanded)
    }

    fn last(&self) -> Option<P::State> {
        self.last.map(|id| self.problem.unpack(self.store.get(id)))
    }

    fn bytes(&self, more: usize) -> usize {
        let stack = (self.stack.len() + more).max(self.stack.capacity()) * size_of::<(Id, Id)>();
        self.store.bytes_after(more) + self.parent.bytes_after(more) + stack + self.batch.bytes()
    }
}
