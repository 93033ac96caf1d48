//! The trace of a search.

use super::{Colors, Tricolor};
use crate::rules::Cost;
use crate::trace::{Child, Expanded, Fate, Way};

pub struct BoardTrace<'a> {
    pub emit: &'a mut dyn FnMut(Expanded<Tricolor>),
    /// The next free board number.
    pub next: u64,
}

/// A board in the trace: its number, its parent's number and the clicks that lead from the parent to it, its colors, its depth in
/// steps, and its cost.
pub struct TracedBoard {
    pub id: u64,
    pub way: Option<(u64, Way<Tricolor>)>,
    pub colors: Colors,
    pub depth: u32,
    pub spent: Cost,
}

/// The trace entry for the board after `clicks`. The board before `clicks` was reached with `spent` clicks.
pub fn child(clicks: Vec<u32>, spent: Cost, id: Option<u64>, estimate: Option<Cost>, fate: Fate) -> Child<Tricolor> {
    let cost = spent + clicks.len() as Cost;
    Child { id, moves: clicks, from: None, cost, estimate, priority: None, fate, goal: false }
}

impl BoardTrace<'_> {
    /// Emits a board with its estimate, the bound of the round, the number of open boards, and the bounds on the cost.
    pub fn expanded(
        &mut self,
        TracedBoard { id, way, colors: state, depth, spent: cost }: TracedBoard,
        (estimate, bound): (Option<Cost>, Option<Cost>),
        (open, lower, upper): (u64, Cost, Option<Cost>),
        children: Vec<Child<Tricolor>>,
    ) {
        let (parent, way) = way.unzip();
        let (priority, side) = (None, None);
        (self.emit)(Expanded { id, parent, way, state, depth, cost, estimate, priority, open, lower, upper, bound, side, children });
    }
}
