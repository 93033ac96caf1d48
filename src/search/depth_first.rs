//! Depth-first search with a visited set, so that it terminates on every finite space.
//!
//! A state is marked as visited when it is expanded, not when it is generated. If a state is generated at a small depth and again
//! at a larger one, it is expanded at the larger depth, as in the recursive textbook version.

use super::driver::{Budget, Engine, Kept, Task};
use super::store::Id;
use super::tree::{ROOT, Tree};
use crate::limits::Limit;
use crate::outcome::Stats;
use crate::rules::{Packing, Problem};

/// The parent recorded for a state that was generated but not expanded yet.
const WAITING: Id = Id::MAX - 1;

pub(super) struct DepthFirst {
    tree: Tree,
    /// States to expand next, each with its parent.
    stack: Vec<(Id, Id)>,
}

impl DepthFirst {
    pub(super) fn new<P: Problem>(task: &mut Task<P>) -> Self {
        let mut search = DepthFirst { tree: Tree::new(task.problem.state_bytes()), stack: Vec::new() };
        if !task.problem.is_dead(&task.start) {
            let goal = task.begins_at_goal();
            search.tree.store.insert(&task.root());
            search.tree.nodes.parents.push(if goal { ROOT } else { WAITING });
            search.tree.goal = goal.then_some(0);
            search.stack.push((0, ROOT));
        }
        search
    }
}

impl<P: Problem> Engine<P> for DepthFirst {
    fn advance(&mut self, _task: &mut Task<P>) -> bool {
        // Skip states that were expanded after they were added to the stack.
        while self.stack.last().is_some_and(|&(id, _)| self.tree.nodes.parents.get(id) != WAITING) {
            self.stack.pop();
        }
        self.tree.goal.is_none() && !self.stack.is_empty()
    }

    #[inline(never)]
    fn work(&mut self, task: &mut Task<P>, _most: u64, budget: &mut Budget) -> Result<u64, Limit> {
        let (problem, tree, stack) = (&*task.problem, &mut self.tree, &mut self.stack);
        let Some(&(id, parent)) = stack.last() else { return Ok(0) };
        let state = tree.state(problem, id);
        tree.batch.clear();
        let mut goal = None;
        let generated = budget.expand(problem, &state, &mut task.moves, |child, _| {
            if !problem.is_dead(&child) {
                if goal.is_none() && problem.is_goal(&child) {
                    goal = Some(tree.batch.len());
                }
                tree.batch.push_state(problem, &child);
            }
            Ok(())
        })?;
        stack.pop();
        let from = stack.len();
        let parents = &mut tree.nodes.parents;
        parents.set(id, parent);
        tree.last = Some(id);
        task.count(1, generated);
        tree.store.insert_all(&mut tree.batch, |index, child, new| {
            if new {
                parents.push(WAITING);
            }
            if parents.get(child) == WAITING {
                stack.push((child, id));
            }
            if goal == Some(index) {
                tree.goal = Some(child);
            }
        });
        if let Some(goal) = tree.goal {
            parents.set(goal, id);
        }
        // The child of the first move must be on top, because it is tried first.
        stack[from..].reverse();
        Ok(generated)
    }

    fn kept(&self) -> Kept<'_, P::State> {
        Kept::Trees { trees: std::slice::from_ref(&self.tree), side: None }
    }

    fn open_and_closed(&self, stats: &Stats) -> (u64, u64) {
        (self.stack.len() as u64, stats.expanded)
    }

    fn bytes(&self, _problem: &P, more: usize) -> usize {
        self.tree.bytes_after(more) + (self.stack.len() + more).max(self.stack.capacity()) * size_of::<(Id, Id)>()
    }

    fn child_bytes(&self, problem: &P) -> usize {
        3 * problem.state_bytes() + 2 * size_of::<(Id, Id)>()
    }
}
