//! The data of a search that stores its states: every state once, its parent and, in searches that order states by cost, the cost
//! of the cheapest known path to it.
//!
//! Apart from unpacking states, nothing here depends on a game, so this code is compiled only once.

use super::column::Column;
use super::store::{Id, Store};
use crate::rules::{Cost, Packing, Problem, Rules};
use crate::space::Batch;

/// The parent recorded for a root.
pub(super) const ROOT: Id = Id::MAX;

/// The top bit of a cost, which marks a closed state.
const CLOSED: Cost = 1 << 31;

/// Stored states. Following parents from any state leads to a root.
pub(super) struct Tree {
    pub(super) store: Store,
    pub(super) nodes: Nodes,
    /// Children waiting to enter the store.
    pub(super) batch: Batch,
    /// The end of the best path found: a goal or, in a bidirectional search, the state where both sides meet.
    pub(super) goal: Option<Id>,
    /// The last expanded state.
    pub(super) last: Option<Id>,
}

impl Tree {
    pub(super) fn new(width: usize) -> Self {
        Tree { store: Store::new(width), nodes: Nodes::default(), batch: Batch::new(width), goal: None, last: None }
    }

    /// An empty tree for a problem. If the problem's states are small numbers, the store is numbered.
    pub(super) fn of<P: Problem>(problem: &P) -> Self {
        let width = problem.state_bytes();
        Tree { store: Store::below(width, problem.states_below()), ..Tree::new(width) }
    }

    pub(super) fn len(&self) -> usize {
        self.store.len()
    }

    #[inline]
    pub(super) fn state<R: Rules>(&self, rules: &R, id: Id) -> R::State {
        rules.unpack(self.store.get(id))
    }

    /// The ids from the root to `id`, both included.
    pub(super) fn path(&self, mut id: Id) -> Vec<Id> {
        let mut ids = vec![id];
        while let Some(parent) = self.nodes.parent(id) {
            id = parent;
            ids.push(id);
        }
        ids.reverse();
        ids
    }

    /// Number of bytes used after adding `more` states.
    pub(super) fn bytes_after(&self, more: usize) -> usize {
        self.store.bytes_after(more) + self.nodes.bytes_after(more) + self.batch.bytes()
    }
}

/// Parents and costs by id.
#[derive(Default)]
pub(super) struct Nodes {
    /// Parents, in searches that do not order states by cost.
    pub(super) parents: Column<Id>,
    /// Parents and costs, in other searches.
    costed: Column<Node>,
}

#[derive(Clone, Copy)]
struct Node {
    parent: Id,
    /// The cost of the cheapest known path; the top bit marks a closed state.
    cost: Cost,
}

/// The result of comparing a new path to a state with the known path to it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    /// The path is the first one found to this state.
    New,
    /// The path is cheaper than the known path. `closed` is true if the state was already expanded.
    Cheaper { closed: bool },
    /// The path is not cheaper than the known path.
    Known,
}

impl Nodes {
    /// Adds a root with cost 0.
    pub(super) fn push_root(&mut self) {
        self.costed.push(Node { parent: ROOT, cost: 0 });
    }

    /// Records a path to a state, which is either new in the store or already there. A cheaper path reopens the state.
    #[inline]
    pub(super) fn reach(&mut self, id: Id, new: bool, parent: Id, cost: Cost) -> Reached {
        if new {
            self.costed.push(Node { parent, cost });
            return Reached::New;
        }
        let known = self.costed.get(id).cost;
        if cost >= known & !CLOSED {
            return Reached::Known;
        }
        self.costed.set(id, Node { parent, cost });
        Reached::Cheaper { closed: known & CLOSED != 0 }
    }

    pub(super) fn parent(&self, id: Id) -> Option<Id> {
        let parent = if self.costed.is_empty() { self.parents.get(id) } else { self.costed.get(id).parent };
        Some(parent).filter(|&parent| parent != ROOT)
    }

    #[inline]
    pub(super) fn cost(&self, id: Id) -> Cost {
        self.costed.get(id).cost & !CLOSED
    }

    /// The cost of the cheapest known path to a state, if costs are stored.
    pub(super) fn known_cost(&self, id: Id) -> Option<Cost> {
        (!self.costed.is_empty()).then(|| self.cost(id))
    }

    #[inline]
    pub(super) fn is_closed(&self, id: Id) -> bool {
        self.costed.get(id).cost & CLOSED != 0
    }

    #[inline]
    pub(super) fn close(&mut self, id: Id) {
        let node = self.costed.get(id);
        self.costed.set(id, Node { cost: node.cost | CLOSED, ..node });
    }

    /// Closes a dead state permanently: its cost becomes 0, so no path is cheaper.
    #[inline]
    pub(super) fn bury(&mut self, id: Id) {
        let node = self.costed.get(id);
        self.costed.set(id, Node { cost: CLOSED, ..node });
    }

    fn bytes_after(&self, more: usize) -> usize {
        if self.costed.is_empty() { self.parents.bytes_after(more) } else { self.costed.bytes_after(more) }
    }

    /// The cost of a path extended by one move. The sum is capped, so that it never reaches the bit that marks closed states.
    #[inline]
    pub(super) fn sum(cost: Cost, more: Cost) -> Cost {
        cost.saturating_add(more).min(CLOSED - 1)
    }
}
