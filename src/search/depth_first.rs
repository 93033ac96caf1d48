//! Depth-first search with a visited set, so that it ends on every finite space.
//!
//! A state is marked visited when it is expanded, not when it is made: a state first seen high up and met again deeper
//! down is expanded at the deeper place, as the recursive textbook version does.

use super::replay::{ROOT, chain, replay};
use super::store::{Batch, Column, Id, Store};
use super::{Look, Meter, SOON, Search, packed};
use crate::outcome::{Limits, Progress, Stats, Verdict, Why};
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
    meter: Meter,
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
            meter: Meter::default(),
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
        self.meter.stats.expanded += 1;
        self.last = Some(id);
        let mut goal = None;
        problem.expand(&state, &mut self.moves, |child, _| {
            self.meter.stats.generated += 1;
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

    fn bytes(&self, more: usize) -> usize {
        self.store.bytes_after(more) + self.parent.bytes_after(more) + self.stack.capacity() * size_of::<(Id, Id)>()
    }
}

impl<P: Problem> Search<P> for DepthFirst<'_, P> {
    fn run(&mut self, limits: &mut Limits<'_>) -> Verdict<P::Move> {
        self.meter.begin();
        loop {
            if let Some(goal) = self.goal {
                let ids = chain(goal, |id| self.parent.get(id));
                let steps = ids[1..].iter().map(|&id| self.problem.unpack(self.store.get(id)));
                return Verdict::Solved { plan: replay(self.problem, &self.start, steps), lower: 0 };
            }
            let Some(&(id, parent)) = self.stack.last() else {
                return Verdict::Unsolvable(Why::Exhausted { states: self.store.len() as u64 });
            };
            if self.parent.get(id) != WAITING {
                self.stack.pop();
                continue;
            }
            let (bytes, soon, open) = (self.bytes(0), self.bytes(SOON), self.stack.len() as u64);
            let progress =
                |stats: &Stats| Progress { expanded: stats.expanded, generated: stats.generated, open, bytes, lower: 0, upper: None };
            if let Err(limit) = self.meter.check(limits, |stats| (progress(stats), soon)) {
                return Verdict::Unknown { limit, lower: 0, best: None };
            }
            self.stack.pop();
            self.parent.set(id, parent);
            self.expand(id);
        }
    }

    fn look(&self) -> Look<P::State> {
        Look {
            open: self.stack.len() as u64,
            closed: self.meter.stats.expanded,
            lower: Cost::default(),
            upper: None,
            last: self.last.map(|id| self.problem.unpack(self.store.get(id))),
        }
    }

    fn stats(&self) -> Stats {
        let stats = self.meter.stats;
        Stats { stored: self.store.len() as u64, peak_bytes: stats.peak_bytes.max(self.bytes(0)), ..stats }
    }
}
