//! The search step by step, as a trace shows it.

use super::{Colors, Tricolor};
use crate::rules::Cost;
use crate::trace::{Child, Expanded, Fate, Way};

pub struct BoardTrace<'a> {
    pub emit: &'a mut dyn FnMut(Expanded<Tricolor>),
    /// The next free board number.
    pub next: u64,
}

/// A board of a search: its number, that of its parent and the clicks from there, the steps from the start, the clicks made.
pub struct TracedBoard {
    pub id: u64,
    pub way: Option<(u64, Way<Tricolor>)>,
    pub colors: Colors,
    pub depth: u32,
    pub spent: Cost,
}

/// Clicks on colored vertices, then one on a black vertex, and what became of the board after them.
pub struct TracedStep {
    pub clicks: Vec<u32>,
    pub id: Option<u64>,
    pub estimate: Option<Cost>,
    pub fate: Fate,
}

impl BoardTrace<'_> {
    /// Shows a board, with the estimate and the bound of the round, the open boards and the bounds of the cost, and its steps.
    pub fn expanded(
        &mut self,
        TracedBoard { id, way, colors: state, depth, spent: cost }: TracedBoard,
        (estimate, bound): (Option<Cost>, Option<Cost>),
        (open, lower, upper): (u64, Cost, Option<Cost>),
        steps: Vec<TracedStep>,
    ) {
        let child = |TracedStep { clicks: moves, id, estimate, fate }: TracedStep| {
            let cost = cost + moves.len() as Cost;
            Child { id, moves, from: None, cost, estimate, priority: None, fate, goal: false }
        };
        let children = steps.into_iter().map(child).collect();
        let (parent, way) = way.unzip();
        let (priority, side) = (None, None);
        (self.emit)(Expanded { id, parent, way, state, depth, cost, estimate, priority, open, lower, upper, bound, side, children });
    }
}
