//! Bidirectional uniform-cost search: one search forward from the start and one backward from all goals, until they have met and
//! no cheaper plan is possible. Two searches to half the depth visit far fewer states than one search to the full depth.
//!
//! The method requires a problem whose goals can be listed and whose moves can be reversed. The side with fewer open states is always
//! expanded next.

use super::driver::{Budget, Engine, Kept, Task};
use super::goals;
use super::queue::Queue;
use super::store::Id;
use super::tree::{Nodes, Reached, Tree};
use crate::limits::Limit;
use crate::outcome::Stats;
use crate::rules::{Cost, DEAD, Packing, Problem};
use crate::space::packed;
use crate::trace::Side;

pub(super) struct Bidirectional {
    /// The forward tree from the start, and the backward tree from the goals. In each tree, `goal` is the state at which the best plan
    /// passes from one tree to the other.
    trees: [Tree; 2],
    queues: [Queue; 2],
    /// The costs of the children in the batch.
    costs: Vec<Cost>,
    /// Children that are new or reached by a cheaper path, with their costs.
    improved: Vec<(Id, Cost)>,
    side: Side,
}

impl Bidirectional {
    pub(super) fn new<P: Problem>(task: &mut Task<P>) -> Self {
        let width = task.problem.state_bytes();
        let (trees, queues) = ([Tree::new(width), Tree::new(width)], [Queue::default(), Queue::default()]);
        let mut search = Bidirectional { trees, queues, costs: Vec::new(), improved: Vec::new(), side: Side::Forward };
        search.root(0, &task.root());
        for goal in goals(&*task.problem) {
            search.root(1, &packed(&*task.problem, goal, true));
        }
        if let Some(goal) = search.trees[1].store.find(search.trees[0].store.get(0)) {
            task.best = Some(0);
            (search.trees[0].goal, search.trees[1].goal) = (Some(0), Some(goal));
        }
        search
    }

    fn root(&mut self, side: usize, state: &[u8]) {
        let (id, new) = self.trees[side].store.insert(state);
        if new {
            self.trees[side].nodes.push_root();
            self.queues[side].push((0, 0), id);
        }
    }

    /// The cheapest open state on a side.
    fn peek(&mut self, side: usize) -> Option<(Cost, Id)> {
        self.queues[side].peek_open(&self.trees[side].nodes).map(|((cost, _), id)| (cost as Cost, id))
    }

    /// Stores the children of a state, and returns the cost of the best plan so far.
    fn store(&mut self, side: usize, id: Id, mut best: Option<Cost>) -> Option<Cost> {
        let [ahead, behind] = &mut self.trees;
        let (here, there) = if side == 0 { (ahead, behind) } else { (behind, ahead) };
        let (queue, costs, improved) = (&mut self.queues[side], &self.costs, &mut self.improved);
        queue.pop();
        here.nodes.close(id);
        here.last = Some(id);
        improved.clear();
        here.store.insert_all(&mut here.batch, |index, child, new| {
            if here.nodes.reach(child, new, id, costs[index]) != Reached::Known {
                queue.push((u64::from(costs[index]), 0), child);
                improved.push((child, costs[index]));
            }
        });
        for &(child, cost) in &*improved {
            if let Some(other) = there.store.find(here.store.get(child)) {
                let total = cost.saturating_add(there.nodes.cost(other));
                if best.is_none_or(|best| total < best) {
                    best = Some(total);
                    (here.goal, there.goal) = (Some(child), Some(other));
                }
            }
        }
        best
    }

    /// A lower bound on the cost of every plan not found yet. Such a plan contains an open state of each side, so no such plan
    /// exists if one side has no open state.
    fn bound(&mut self) -> Cost {
        match [self.peek(0), self.peek(1)] {
            [Some((ahead, _)), Some((behind, _))] => ahead.saturating_add(behind),
            _ => DEAD,
        }
    }
}

impl<P: Problem> Engine<P> for Bidirectional {
    fn advance(&mut self, task: &mut Task<P>) -> bool {
        let (bound, best) = (self.bound(), task.best.unwrap_or(DEAD));
        task.lower = task.lower.max(bound.min(best));
        bound < best
    }

    #[inline(never)]
    fn work(&mut self, task: &mut Task<P>, _most: u64, budget: &mut Budget) -> Result<u64, Limit> {
        let side = usize::from(self.queues[0].len() > self.queues[1].len());
        let Some((_, id)) = self.peek(side) else { return Ok(0) };
        let (problem, tree, costs) = (&*task.problem, &mut self.trees[side], &mut self.costs);
        let (state, cost_here) = (tree.state(problem, id), tree.nodes.cost(id));
        tree.batch.clear();
        costs.clear();
        let mut add = |child: P::State, cost| {
            tree.batch.push_state(problem, &child);
            costs.push(Nodes::sum(cost_here, cost));
            Ok(())
        };
        let generated = if side == 0 {
            let add = |child, cost| if problem.is_dead(&child) { Ok(()) } else { add(child, cost) };
            budget.expand(problem, &state, &mut task.moves, add)?
        } else {
            budget.expand_back(problem, &state, add)?
        };
        self.side = if side == 0 { Side::Forward } else { Side::Backward };
        task.count(1, generated);
        task.best = self.store(side, id, task.best);
        Ok(generated)
    }

    fn settle(&mut self, task: &mut Task<P>) {
        self.advance(task);
    }

    fn kept(&self) -> Kept<'_, P::State> {
        Kept::Trees { trees: &self.trees, side: Some(self.side) }
    }

    fn open_and_closed(&self, stats: &Stats) -> (u64, u64) {
        (self.queues.iter().map(|queue| queue.len() as u64).sum(), stats.expanded)
    }

    fn bytes(&self, _problem: &P, more: usize) -> usize {
        let sides = self.trees.iter().zip(&self.queues).map(|(tree, queue)| tree.bytes_after(more) + queue.bytes_after(more));
        sides.sum::<usize>() + self.costs.capacity() * size_of::<Cost>() + self.improved.capacity() * size_of::<(Id, Cost)>()
    }

    fn child_bytes(&self, problem: &P) -> usize {
        3 * problem.state_bytes() + size_of::<(Id, Cost)>() + 4 * size_of::<Id>()
    }
}
