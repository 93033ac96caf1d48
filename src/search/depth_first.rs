//! Depth-first search with a visited set, so that it ends on every finite space.
//!
//! A state is marked visited when it is expanded, not when it is made: a state first seen high up and met again deeper
//! down is expanded at the deeper place, as the recursive textbook version does.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::column::Column;
use super::driver::{Budget, Engine, Root};
use super::packed;
use super::replay::{Patience, ROOT, above, plan_to, states_to};
use super::store::{Batch, Id, Store};
use super::trace::{Known, Place, Shown, Watched};
use crate::limits::{Limit, Limits};
use crate::outcome::{Plan, Stats, Verdict, Why};
use crate::rules::{Cost, Packing, Problem};
use crate::trace::Side;

/// In the parent column: seen, but not expanded yet.
const WAITING: Id = Id::MAX - 1;

pub(super) struct DepthFirst<P: Problem> {
    problem: Arc<P>,
    start: P::State,
    store: Store,
    parent: Column<Id>,
    /// States to expand next, each with the state it was made from.
    stack: Vec<(Id, Id)>,
    goal: Option<Id>,
    /// The plan to it, once it is written down.
    plan: Option<Plan<P::Move>>,
    last: Option<Id>,
    batch: Batch,
    moves: Vec<P::Move>,
    stats: Stats,
}

impl<P: Problem> DepthFirst<P> {
    fn expand(&mut self, id: Id, parent: Id, budget: &mut Budget) -> Result<(), Limit> {
        let problem = &*self.problem;
        let state = problem.unpack(self.store.get(id));
        self.batch.clear();
        let (mut goal, mut generated, mut stopped) = (None, 0, Ok(()));
        let _ = problem.expand(&state, &mut self.moves, |child, _| {
            stopped = budget.child();
            if stopped.is_err() {
                return ControlFlow::Break(());
            }
            generated += 1;
            if !problem.is_dead(&child) {
                if goal.is_none() && problem.is_goal(&child) {
                    goal = Some(self.batch.len());
                }
                self.batch.push_state(problem, &child);
            }
            ControlFlow::Continue(())
        });
        stopped?;
        self.stack.pop();
        self.parent.set(id, parent);
        self.stats.expanded += 1;
        self.stats.generated += generated;
        self.last = Some(id);
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
        Ok(())
    }
}

impl<P: Problem> Engine<P> for DepthFirst<P> {
    type Setting = ();

    fn new(root: Root<P>, (): ()) -> Self {
        let Root { problem, start, .. } = root;
        let width = problem.state_bytes();
        let mut search = DepthFirst {
            store: Store::new(width),
            parent: Column::new(),
            stack: Vec::new(),
            goal: None,
            plan: None,
            last: None,
            batch: Batch::new(width),
            moves: Vec::new(),
            stats: Stats::default(),
            start,
            problem,
        };
        if !search.problem.is_dead(&search.start) {
            search.store.insert(&packed(&*search.problem, search.start.clone()));
            search.parent.push(WAITING);
            search.stack.push((0, ROOT));
            if search.problem.is_goal(&search.start) {
                search.parent.set(0, ROOT);
                search.goal = Some(0);
            }
        }
        search
    }

    fn answer(&mut self, limits: &Limits) -> Result<Option<Verdict<P::Move>>, Limit> {
        if let (Some(goal), None) = (self.goal, &self.plan) {
            let parent = |id| self.parent.get(id);
            self.plan = Some(plan_to(&*self.problem, &self.start, &self.store, goal, parent, Patience::Limits(limits))?);
        }
        if let Some(plan) = &self.plan {
            return Ok(Some(Verdict::Solved { plan: plan.clone(), lower: 0 }));
        }
        // What was expanded meanwhile is not expanded again.
        while self.stack.last().is_some_and(|&(id, _)| self.parent.get(id) != WAITING) {
            self.stack.pop();
        }
        Ok(self.stack.is_empty().then(|| Verdict::Unsolvable(Why::Exhausted { states: self.store.len() as u64 })))
    }

    #[inline(never)]
    fn work(&mut self, _most: u64, budget: &mut Budget) -> Result<u64, Limit> {
        let Some(&(id, parent)) = self.stack.last() else { return Ok(0) };
        let before = self.stats.generated;
        self.expand(id, parent, budget)?;
        Ok(self.stats.generated - before)
    }

    fn kept(&self) -> u64 {
        self.store.len() as u64
    }

    fn plan(&self) -> Option<Plan<P::Move>> {
        self.plan.clone()
    }

    fn open_and_closed(&self) -> (u64, u64) {
        (self.stack.len() as u64, self.stats.expanded)
    }

    fn last(&self) -> Option<P::State> {
        self.last.map(|id| self.problem.unpack(self.store.get(id)))
    }

    fn bytes(&self, more: usize) -> usize {
        let stack = (self.stack.len() + more).max(self.stack.capacity()) * size_of::<(Id, Id)>();
        let buffers = self.batch.bytes() + self.moves.capacity() * size_of::<P::Move>();
        self.store.bytes_after(more) + self.parent.bytes_after(more) + stack + buffers
    }

    fn child_bytes(&self) -> usize {
        3 * self.problem.state_bytes() + 2 * size_of::<(Id, Id)>()
    }
}

impl<P: Problem> Watched<P> for DepthFirst<P> {
    fn shown(&self) -> Option<Shown<P::State>> {
        let id = self.last?;
        let place = Place::Stored { side: None, id, parent: above(self.parent.get(id)) };
        Some(Shown { state: self.problem.unpack(self.store.get(id)), cost: None, place, bound: None })
    }

    fn stored(&self, _side: Option<Side>) -> usize {
        self.store.len()
    }

    fn known(&self, _side: Option<Side>, packed: &[u8]) -> Option<Known> {
        let id = self.store.find(packed)?;
        Some(Known { id, parent: above(self.parent.get(id)), cost: None })
    }

    fn ancestors(&self, _side: Option<Side>, id: Id) -> Vec<P::State> {
        states_to(&*self.problem, &self.store, id, |id| self.parent.get(id))
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn lower(&self) -> Cost {
        0
    }

    fn upper(&self) -> Option<Cost> {
        self.plan.as_ref().map(|plan| plan.cost)
    }
}
