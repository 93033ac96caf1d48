//! Layered search, for problems in which no state can recur ([`Rules::layer`](crate::rules::Rules::layer)): a dynamic program
//! that processes the layers in order and expands each state when its cost is final.
//!
//! The method needs no queue, and expands the states of one layer together, which suits the store. Where A* relies on its order, this
//! method relies on bounds. A narrow beam search through the layers first finds a good plan. Then all layers are searched, skipping
//! states that cannot lead to a cheaper plan. Only states that the beam expanded too early are expanded again.

use std::collections::BTreeMap;

use super::driver::{Budget, Engine, Kept, Task};
use super::store::Id;
use super::tree::{Nodes, Reached, Tree};
use crate::limits::{Limit, Limits};
use crate::outcome::Stats;
use crate::rules::{Cost, DEAD, Packing, Problem};

/// Maximum number of states per layer that the beam expands.
const BEAM: usize = 1000;
/// Number of children that enter the store together, and number of states examined between two checks of the limits.
const TOGETHER: usize = 1024;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Beam,
    All,
}

/// A generated state that is not in the store yet.
struct Made {
    parent: Id,
    cost: Cost,
    layer: u32,
    goal: bool,
}

pub(super) struct Layered {
    tree: Tree,
    layers: BTreeMap<u32, Vec<Id>>,
    phase: Phase,
    /// The current layer.
    layer: Option<u32>,
    /// The remaining states of the current layer, with the next one last.
    left: Vec<Id>,
    /// The cost that a plan must beat. It is fixed within a layer, so the result does not depend on where a run is stopped.
    upper: Cost,
    /// The remaining states that already have a value, while the beam chooses among them.
    valued: Option<Vec<(Cost, Id)>>,
    /// Data about the generated states of the current batch, in the same order as the batch.
    made: Vec<Made>,
}

impl Layered {
    pub(super) fn new<P: Problem>(task: &mut Task<P>) -> Self {
        let (mut tree, mut layers) = (Tree::new(task.problem.state_bytes()), BTreeMap::new());
        tree.store.insert(&task.root());
        tree.nodes.push_root();
        if task.estimate != DEAD {
            layers.insert(task.problem.layer(&task.start).unwrap_or(0), vec![0]);
            if task.begins_at_goal() {
                (task.best, tree.goal) = (Some(0), Some(0));
            }
        }
        let (phase, left, made) = (Phase::Beam, Vec::new(), Vec::new());
        Layered { tree, layers, phase, layer: None, left, upper: DEAD, valued: None, made }
    }

    /// Proceeds to the next layer. After the beam's last layer, starts again at the first. Returns false if no layer is left.
    fn next_layer(&mut self) -> bool {
        let from = self.layer.map_or(0, |layer| layer + 1);
        let Some((&layer, ids)) = self.layers.range(from..).next() else {
            if self.phase == Phase::All {
                return false;
            }
            (self.phase, self.layer) = (Phase::All, None);
            return self.next_layer();
        };
        self.layer = Some(layer);
        self.left = ids.clone();
        if self.phase == Phase::Beam && self.left.len() > BEAM {
            self.valued = Some(Vec::new());
        } else {
            self.left.reverse();
        }
        true
    }

    /// Computes the values of the next states of a wide layer: cost so far plus estimate, or `DEAD`. Once all states of the layer have
    /// a value, only the best are kept.
    fn narrow<P: Problem>(&mut self, task: &Task<P>, mut valued: Vec<(Cost, Id)>, limits: &Limits) -> Result<u64, Limit> {
        let before = valued.len();
        let mut stopped = Ok(());
        while valued.len() < self.left.len().min(before + TOGETHER) && stopped.is_ok() {
            let id = self.left[valued.len()];
            let estimate = limits.check().and_then(|()| task.guide.at(&*task.problem, &self.tree.state(&*task.problem, id), limits));
            // A dead state is sorted last, because `DEAD` is the largest cost.
            match estimate {
                Ok(estimate) => valued.push((self.tree.nodes.cost(id).saturating_add(estimate), id)),
                Err(limit) => stopped = Err(limit),
            }
        }
        let done = (valued.len() - before) as u64;
        if valued.len() < self.left.len() {
            self.valued = Some(valued);
        } else {
            valued.sort_unstable();
            self.left = valued[..BEAM].iter().rev().map(|&(_, id)| id).collect();
        }
        stopped.map(|()| done)
    }

    /// Expands a state unless it is closed or cannot lead to a cheaper plan.
    fn expand<P: Problem>(&mut self, task: &mut Task<P>, id: Id, budget: &mut Budget) -> Result<bool, Limit> {
        let (problem, tree, made) = (&*task.problem, &mut self.tree, &mut self.made);
        let cost_here = tree.nodes.cost(id);
        if tree.nodes.is_closed(id) || cost_here >= self.upper {
            return Ok(false);
        }
        let state = tree.state(problem, id);
        let estimate = task.guide.at(problem, &state, budget.limits)?;
        // An estimate that may be too large must not be used for pruning.
        if estimate == DEAD || task.guide.admissible && cost_here.saturating_add(estimate) >= self.upper {
            return Ok(false);
        }
        let whole = made.len();
        let generated = budget.expand(problem, &state, &mut task.moves, |child, cost| {
            debug_assert!(problem.layer(&child) > self.layer, "`layer` increases with every move");
            tree.batch.push_state(problem, &child);
            let (layer, goal) = (problem.layer(&child).unwrap_or(0), problem.is_goal(&child));
            made.push(Made { parent: id, cost: Nodes::sum(cost_here, cost), layer, goal });
            Ok(())
        });
        if generated.is_err() {
            tree.batch.truncate(whole);
            made.truncate(whole);
        }
        task.count(1, generated?);
        tree.nodes.close(id);
        tree.last = Some(id);
        Ok(true)
    }

    /// Stores the generated states, and returns the cost of the best plan so far.
    fn store(&mut self, mut best: Option<Cost>) -> Option<Cost> {
        let tree = &mut self.tree;
        tree.store.insert_all(&mut tree.batch, |index, id, new| {
            let Made { parent, cost, layer, goal } = self.made[index];
            match tree.nodes.reach(id, new, parent, cost) {
                Reached::New => self.layers.entry(layer).or_default().push(id),
                Reached::Cheaper { .. } => {}
                Reached::Known => return,
            }
            if goal && best.is_none_or(|best| cost < best) {
                (best, tree.goal) = (Some(cost), Some(id));
            }
        });
        self.made.clear();
        best
    }
}

impl<P: Problem> Engine<P> for Layered {
    fn advance(&mut self, task: &mut Task<P>) -> bool {
        if !self.left.is_empty() {
            return true;
        }
        self.upper = task.best.unwrap_or(DEAD);
        let more = (!task.guide.admissible || self.upper > task.lower) && self.next_layer();
        if let (false, true, Some(best)) = (more, task.guide.admissible, task.best) {
            task.lower = best;
        }
        more
    }

    #[inline(never)]
    fn work(&mut self, task: &mut Task<P>, most: u64, budget: &mut Budget) -> Result<u64, Limit> {
        if let Some(valued) = self.valued.take() {
            return self.narrow(task, valued, budget.limits);
        }
        let (before, mut expanded, mut seen) = (task.stats.generated, 0, 0);
        let mut stopped = Ok(());
        while expanded < most && seen < TOGETHER && self.made.len() < TOGETHER {
            let Some(&id) = self.left.last() else { break };
            match self.expand(task, id, budget) {
                Ok(done) => expanded += u64::from(done),
                Err(limit) => {
                    stopped = Err(limit);
                    break;
                }
            }
            self.left.pop();
            seen += 1;
        }
        task.best = self.store(task.best);
        if seen == 0 { stopped.map(|()| 0) } else { Ok(seen as u64 + task.stats.generated - before) }
    }

    fn kept(&self) -> Kept<'_, P::State> {
        Kept::Trees { trees: std::slice::from_ref(&self.tree), side: None }
    }

    fn open_and_closed(&self, stats: &Stats) -> (u64, u64) {
        let closed = stats.expanded.min(self.tree.len() as u64);
        (self.tree.len() as u64 - closed, closed)
    }

    fn bytes(&self, _problem: &P, more: usize) -> usize {
        // Every stored state is in the list of its layer, and the list of the current layer exists twice.
        let lists = (self.tree.len() + more) * size_of::<Id>() * 3 / 2 + self.left.capacity() * size_of::<Id>();
        let valued = self.valued.as_ref().map_or(0, |valued| valued.capacity() * size_of::<(Cost, Id)>());
        self.tree.bytes_after(more) + lists + valued + self.made.capacity() * size_of::<Made>()
    }

    fn child_bytes(&self, problem: &P) -> usize {
        3 * problem.state_bytes() + 2 * size_of::<Made>() + size_of::<(Id, Cost)>()
    }
}
