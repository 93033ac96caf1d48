//! Breadth-first search. The store's ids are already in first-in-first-out order, so the queue is a single number: the next id to
//! expand. Parents are expanded a few hundred at a time so that their children enter the store as one batch. The ids, and therefore the
//! result, are the same as if parents were expanded one by one.

use super::driver::{Budget, Engine, Kept, Task};
use super::store::Id;
use super::tree::{ROOT, Tree};
use crate::limits::Limit;
use crate::outcome::Stats;
use crate::rules::{Cost, Packing, Problem};

/// Number of children that enter the store together.
const TOGETHER: usize = 1024;

pub(super) struct BreadthFirst {
    tree: Tree,
    /// The next id to expand; all smaller ones are closed.
    next: Id,
    /// The first id of the next layer.
    layer_end: Id,
    /// Number of moves from the start to the layer being expanded.
    depth: Cost,
    /// The parents of the children in the batch.
    parents: Vec<Id>,
}

impl BreadthFirst {
    pub(super) fn new<P: Problem>(task: &mut Task<P>) -> Self {
        let mut tree = Tree::new(task.problem.state_bytes());
        if !task.problem.is_dead(&task.start) {
            tree.store.insert(&task.root());
            tree.nodes.parents.push(ROOT);
            tree.goal = task.begins_at_goal().then_some(0);
        }
        let search = BreadthFirst { tree, next: 0, layer_end: 1, depth: 0, parents: Vec::new() };
        if search.tree.goal.is_none() {
            search.raise_bound(task);
        }
        search
    }

    /// Raises the lower bound: every state up to this depth has been generated and tested, so every plan has at least one move
    /// more.
    fn raise_bound<P: Problem>(&self, task: &mut Task<P>) {
        task.lower = (self.depth + 1).saturating_mul(*task.problem.move_costs().start());
    }
}

impl<P: Problem> Engine<P> for BreadthFirst {
    fn advance(&mut self, _task: &mut Task<P>) -> bool {
        self.tree.goal.is_none() && (self.next as usize) < self.tree.len()
    }

    /// Expands states of the current layer, and stops after the first state that has a goal among its children.
    #[inline(never)]
    fn work(&mut self, task: &mut Task<P>, most: u64, budget: &mut Budget) -> Result<u64, Limit> {
        let (problem, tree, parents) = (&*task.problem, &mut self.tree, &mut self.parents);
        let (first, last) = (self.next, (u64::from(self.next) + most).min(tree.len() as u64).min(u64::from(self.layer_end)) as Id);
        let (mut goal, mut generated, mut stopped) = (None, 0, Ok(()));
        while self.next < last && goal.is_none() && tree.batch.len() < TOGETHER {
            let (state, whole) = (tree.state(problem, self.next), parents.len());
            let made = budget.expand(problem, &state, &mut task.moves, |child, _| {
                if !problem.is_dead(&child) {
                    if goal.is_none() && problem.is_goal(&child) {
                        goal = Some(parents.len());
                    }
                    tree.batch.push_state(problem, &child);
                    parents.push(self.next);
                }
                Ok(())
            });
            match made {
                Ok(made) => generated += made,
                Err(limit) => {
                    // The expansions before this one are complete; only this one is undone.
                    tree.batch.truncate(whole);
                    parents.truncate(whole);
                    (goal, stopped) = (None, Err(limit));
                    break;
                }
            }
            self.next += 1;
        }
        tree.store.insert_all(&mut tree.batch, |index, id, new| {
            if new {
                tree.nodes.parents.push(parents[index]);
            }
            if goal == Some(index) {
                tree.goal = Some(id);
            }
        });
        parents.clear();
        task.count(u64::from(self.next - first), generated);
        tree.last = self.next.checked_sub(1);
        if self.next == self.layer_end && tree.goal.is_none() {
            self.layer_end = tree.len() as Id;
            self.depth += 1;
            self.raise_bound(task);
        }
        if self.next == first { stopped.map(|()| 0) } else { Ok(generated) }
    }

    fn kept(&self) -> Kept<'_, P::State> {
        Kept::Trees { trees: std::slice::from_ref(&self.tree), side: None }
    }

    fn open_and_closed(&self, _stats: &Stats) -> (u64, u64) {
        (self.tree.len() as u64 - u64::from(self.next), u64::from(self.next))
    }

    fn bytes(&self, _problem: &P, more: usize) -> usize {
        self.tree.bytes_after(more) + self.parents.capacity() * size_of::<Id>()
    }

    fn child_bytes(&self, problem: &P) -> usize {
        3 * problem.state_bytes() + 4 * size_of::<Id>()
    }
}
