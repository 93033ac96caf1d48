//! Breadth-first search. The store's ids are already in first-in-first-out order, so the queue is one number: the next id
//! to expand. Parents are expanded a few hundred at a time so that their children enter the store as one batch; the ids,
//! and so the result, are those of expanding them one by one.

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

/// Children that are made before they enter the store together.
const TOGETHER: usize = 1024;

pub(super) struct BreadthFirst<P: Problem> {
    problem: Arc<P>,
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
    /// The plan to it, once it is written down.
    plan: Option<Plan<P::Move>>,
    batch: Batch,
    parents: Vec<Id>,
    moves: Vec<P::Move>,
    stats: Stats,
}

impl<P: Problem> BreadthFirst<P> {
    /// Expands up to `most` states of this layer; stops after the first one that has a goal among its children.
    fn expand(&mut self, most: u64, budget: &mut Budget) -> Result<(), Limit> {
        let problem = &*self.problem;
        let (first, last) = (self.next, (u64::from(self.next) + most).min(self.store.len() as u64).min(u64::from(self.layer_end)) as Id);
        let mut goal = None;
        let mut stopped = Ok(());
        while self.next < last && goal.is_none() && self.batch.len() < TOGETHER {
            let state = problem.unpack(self.store.get(self.next));
            let (mut generated, whole) = (0, self.parents.len());
            let _ = problem.expand(&state, &mut self.moves, |child, _| {
                stopped = budget.child();
                if stopped.is_err() {
                    return ControlFlow::Break(());
                }
                generated += 1;
                if problem.is_dead(&child) {
                    return ControlFlow::Continue(());
                }
                if goal.is_none() && problem.is_goal(&child) {
                    goal = Some(self.parents.len());
                }
                self.batch.push_state(problem, &child);
                self.parents.push(self.next);
                ControlFlow::Continue(())
            });
            if stopped.is_err() {
                // The states before this one are done; of this one nothing stays.
                self.batch.truncate(whole);
                self.parents.truncate(whole);
                goal = None;
                break;
            }
            self.stats.expanded += 1;
            self.stats.generated += generated;
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
        if self.next == first { stopped } else { Ok(()) }
    }
}

impl<P: Problem> Engine<P> for BreadthFirst<P> {
    type Setting = ();

    fn new(root: Root<P>, (): ()) -> Self {
        let Root { problem, start, .. } = root;
        let mut store = Store::new(problem.state_bytes());
        let mut parent = Column::new();
        if !problem.is_dead(&start) {
            store.insert(&packed(&*problem, start.clone()));
            parent.push(ROOT);
        }
        let goal = (!store.is_empty() && problem.is_goal(&start)).then_some(0);
        let batch = Batch::new(problem.state_bytes());
        let (plan, parents, moves, stats) = (None, Vec::new(), Vec::new(), Stats::default());
        BreadthFirst { problem, start, store, parent, next: 0, layer_end: 1, depth: 0, goal, plan, batch, parents, moves, stats }
    }

    fn answer(&mut self, limits: &Limits) -> Result<Option<Verdict<P::Move>>, Limit> {
        if let (Some(goal), None) = (self.goal, &self.plan) {
            let parent = |id| self.parent.get(id);
            self.plan = Some(plan_to(&*self.problem, &self.start, &self.store, goal, parent, Patience::Limits(limits))?);
        }
        if let Some(plan) = &self.plan {
            return Ok(Some(Verdict::Solved { lower: self.lower().min(plan.cost), plan: plan.clone() }));
        }
        let exhausted = self.next as usize == self.store.len();
        Ok(exhausted.then(|| Verdict::Unsolvable(Why::Exhausted { states: self.store.len() as u64 })))
    }

    #[inline(never)]
    fn work(&mut self, most: u64, budget: &mut Budget) -> Result<u64, Limit> {
        let before = self.stats.generated;
        self.expand(most, budget)?;
        Ok(self.stats.generated - before)
    }

    fn kept(&self) -> u64 {
        self.store.len() as u64
    }

    fn plan(&self) -> Option<Plan<P::Move>> {
        self.plan.clone()
    }

    fn open_and_closed(&self) -> (u64, u64) {
        (self.store.len() as u64 - u64::from(self.next), u64::from(self.next))
    }

    fn last(&self) -> Option<P::State> {
        self.next.checked_sub(1).map(|id| self.problem.unpack(self.store.get(id)))
    }

    fn bytes(&self, more: usize) -> usize {
        let buffers = self.batch.bytes() + self.parents.capacity() * size_of::<Id>() + self.moves.capacity() * size_of::<P::Move>();
        self.store.bytes_after(more) + self.parent.bytes_after(more) + buffers
    }

    fn child_bytes(&self) -> usize {
        3 * self.problem.state_bytes() + 4 * size_of::<Id>()
    }
}

impl<P: Problem> Watched<P> for BreadthFirst<P> {
    fn shown(&self) -> Option<Shown<P::State>> {
        let id = self.next.checked_sub(1)?;
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

    /// Every state up to this depth has been made and tested, so a plan takes at least one move more.
    fn lower(&self) -> Cost {
        match self.goal {
            Some(0) => 0,
            _ => (self.depth + 1).saturating_mul(*self.problem.move_costs().start()),
        }
    }

    fn upper(&self) -> Option<Cost> {
        self.plan.as_ref().map(|plan| plan.cost)
    }
}
