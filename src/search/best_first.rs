//! Best-first search. Uniform-cost search, greedy search, A* and weighted A* are settings of this one engine. They differ only in
//! the weights of the cost so far and of the estimate.
//!
//! The engine is correct with inconsistent heuristics (a state is reopened when a cheaper path to it is found) and with moves that
//! cost 0. A goal is noticed when it is generated, so a run that hits its limit may already have a plan. The search ends when no open
//! state can lead to a cheaper plan.

use super::driver::{Budget, Engine, Kept, Task, heap_bytes, state_bytes};
use super::queue::{Key, Queue};
use super::store::Id;
use super::tree::{Nodes, Reached, Tree};
use crate::limits::Limit;
use crate::outcome::Stats;
use crate::rules::{Cost, DEAD, Packing, Problem};

/// The priority of a state is `cost` times its cost so far plus `estimate` times its estimate.
#[derive(Clone, Copy)]
pub(super) struct Order {
    pub(super) cost: u32,
    pub(super) estimate: u32,
}

impl Order {
    fn key(self, cost: Cost, estimate: Cost) -> Key {
        let key = u64::from(self.cost) * u64::from(cost) + u64::from(self.estimate) * u64::from(estimate);
        (key, if self.estimate == 0 { 0 } else { estimate })
    }

    /// With an admissible estimate, some open state on an optimal plan has cost + estimate <= optimum. The key of that state, and
    /// therefore the least key, is at most the larger weight times the optimum.
    fn lower_bound(self, (key, _): Key) -> Cost {
        match self.cost.max(self.estimate) {
            1 => key as Cost,
            weight => key.div_ceil(u64::from(weight)) as Cost,
        }
    }
}

pub(super) struct BestFirst<P: Problem> {
    order: Order,
    tree: Tree,
    queue: Queue,
    /// The best open entry, as [`Engine::advance`] found it.
    next: Option<Id>,
    closed: u64,
    children: Vec<(P::State, Cost)>,
    /// Estimates for the children, if they are computed before any child is stored.
    estimates: Vec<Cost>,
}

/// If a state has more children than this, they are estimated beforehand, and the limits are checked after each estimate.
const MANY: usize = 1024;

/// After generating this many children, the engine returns to the driver, which checks whether to continue.
const AT_ONCE: u64 = 64;

impl<P: Problem> BestFirst<P> {
    pub(super) fn new(task: &mut Task<P>, order: Order) -> Self {
        let (mut tree, mut queue) = (Tree::of(&*task.problem), Queue::default());
        tree.store.insert(&task.root());
        tree.nodes.push_root();
        if task.estimate != DEAD {
            queue.push(order.key(0, task.estimate), 0);
            if task.begins_at_goal() {
                (task.best, tree.goal) = (Some(0), Some(0));
            }
        }
        BestFirst { order, tree, queue, next: None, closed: 0, children: Vec::new(), estimates: Vec::new() }
    }

    /// Returns the best open entry, and raises the lower bound accordingly.
    fn bound(&mut self, task: &mut Task<P>) -> Option<(Key, Id)> {
        let top = self.queue.peek_open(&self.tree.nodes);
        self.next = top.map(|(_, id)| id);
        if task.guide.admissible && self.order.cost > 0 {
            let bound = top.map_or(DEAD, |(key, _)| self.order.lower_bound(key));
            task.lower = task.lower.max(bound.min(task.best.unwrap_or(DEAD)));
        }
        top
    }
}

impl<P: Problem> BestFirst<P> {
    /// Expands the best open state. Returns the number of states generated.
    #[inline]
    fn expand(&mut self, task: &mut Task<P>, budget: &mut Budget) -> Result<u64, Limit> {
        let Some(id) = self.next else { return Ok(0) };
        let (problem, limits, order, tree, children) = (&*task.problem, budget.limits, self.order, &mut self.tree, &mut self.children);
        let (state, cost_here) = (tree.state(problem, id), tree.nodes.cost(id));
        // For problems whose states are not small numbers, the compiler removes the code for the case that they are.
        let mut numbered = problem.states_below().is_some() && tree.store.is_numbered();
        children.clear();
        tree.batch.clear();
        let generated = budget.expand(problem, &state, &mut task.moves, |child, cost| {
            if !numbered {
                tree.batch.push_state(problem, &child);
            }
            children.push((child, Nodes::sum(cost_here, cost)));
            Ok(())
        })?;
        // Usually, estimates are computed while states are stored, and only for states that enter the queue. Slow estimates are
        // computed beforehand, so that nothing has been stored if a limit interrupts them.
        let early = task.guide.is_slow() || children.len() > MANY;
        if early {
            if numbered {
                children.iter().for_each(|(state, _)| tree.batch.push_state(problem, state));
                numbered = false;
            }
            self.estimates.clear();
            for (index, (state, cost)) in children.iter().enumerate() {
                let known = tree.store.find(tree.batch.get(index));
                let wanted = known.is_none_or(|id| order.cost > 0 && *cost < tree.nodes.cost(id));
                self.estimates.push(if wanted { task.guide.at(problem, state, limits)? } else { DEAD });
                limits.check()?;
            }
        }
        // From here on, no limit can stop the expansion.
        self.queue.pop();
        tree.nodes.close(id);
        tree.last = Some(id);
        self.closed += 1;
        task.stats.expanded += 1;
        task.stats.generated += generated;
        let mut seen = |nodes: &mut Nodes, index: usize, child: Id, new: bool| {
            let (state, cost): &(P::State, Cost) = &children[index];
            if !new && order.cost == 0 {
                return;
            }
            match nodes.reach(child, new, id, *cost) {
                Reached::New | Reached::Cheaper { closed: false } => {}
                Reached::Cheaper { closed: true } => {
                    self.closed -= 1;
                    task.stats.reopened += 1;
                }
                Reached::Known => return,
            }
            let estimate = if early { self.estimates[index] } else { task.guide.quick(problem, state, limits) };
            if estimate == DEAD {
                return nodes.bury(child);
            }
            if problem.is_goal(state) && task.best.is_none_or(|best| *cost < best) {
                (task.best, tree.goal) = (Some(*cost), Some(child));
            }
            self.queue.push(order.key(*cost, estimate), child);
        };
        if numbered {
            for (index, (state, cost)) in children.iter().enumerate() {
                let (child, new) = tree.store.insert_number(problem.pack_word(state));
                // Most children have already been reached by a path that is at least as cheap.
                if new || *cost < tree.nodes.cost(child) {
                    seen(&mut tree.nodes, index, child, new);
                }
            }
        } else {
            tree.store.insert_all(&mut tree.batch, |index, child, new| seen(&mut tree.nodes, index, child, new));
        }
        Ok(generated)
    }
}

impl<P: Problem> Engine<P> for BestFirst<P> {
    fn advance(&mut self, task: &mut Task<P>) -> bool {
        match (self.bound(task), task.best) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some((key, _)), Some(cost)) => self.order.cost > 0 && key < self.order.key(cost, 0),
        }
    }

    #[inline(never)]
    fn work(&mut self, task: &mut Task<P>, most: u64, budget: &mut Budget) -> Result<u64, Limit> {
        let (mut generated, last) = (0, task.stats.expanded + most);
        loop {
            generated += self.expand(task, budget)?;
            if generated >= AT_ONCE || task.stats.expanded == last || !self.advance(task) {
                return Ok(generated);
            }
        }
    }

    fn settle(&mut self, task: &mut Task<P>) {
        self.bound(task);
    }

    fn kept(&self) -> Kept<'_, P::State> {
        Kept::Trees { trees: std::slice::from_ref(&self.tree), side: None }
    }

    fn open_and_closed(&self, _stats: &Stats) -> (u64, u64) {
        (self.queue.len() as u64, self.closed)
    }

    fn bytes(&self, problem: &P, more: usize) -> usize {
        let children = self.children.capacity() * size_of::<(P::State, Cost)>() + self.children.len() * heap_bytes(problem);
        self.tree.bytes_after(more) + self.queue.bytes_after(more) + children
    }

    fn child_bytes(&self, problem: &P) -> usize {
        state_bytes(problem) + 3 * problem.state_bytes() + size_of::<(Id, Cost)>() + size_of::<(Cost, Cost, Id)>()
    }

    fn priority(&self, cost: Cost, estimate: Cost) -> Option<f64> {
        let Order { cost: weight, estimate: other } = self.order;
        (other > 0 && other != weight).then(|| self.order.key(cost, estimate).0 as f64 / f64::from(weight.max(1)))
    }
}
