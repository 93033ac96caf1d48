//! The records of a traced search, in the game's own types: every expanded state and its children.

use super::{Cost, Rules};

/// What the search did with a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The child was new and is waiting to be expanded. If it exceeds the bound, it waits for a later round.
    New,
    /// The child was known, but only through a more expensive path.
    Better,
    /// The child was already known: it is stored, or on the current path.
    Known,
    /// The child was discarded, because no goal can be reached from it.
    Dead,
    /// A two-player search need not visit it, because the moves before it decide that the position above is avoided.
    Pruned,
}

impl Fate {
    pub fn name(self) -> &'static str {
        match self {
            Fate::New => "new",
            Fate::Better => "better",
            Fate::Known => "known",
            Fate::Dead => "dead",
            Fate::Pruned => "pruned",
        }
    }
}

/// The end from which a bidirectional search reached a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Forward,
    Backward,
}

impl Side {
    pub fn name(self) -> &'static str {
        match self {
            Side::Forward => "forward",
            Side::Backward => "backward",
        }
    }
}

/// Moves that lead from one state to another: a single move, or several that a solver makes at once.
pub struct Way<R: Rules> {
    pub from: R::State,
    pub moves: Vec<R::Move>,
}

/// An expanded state and its children.
pub struct Expanded<R: Rules> {
    /// The number of the search node that was expanded.
    pub id: u64,
    pub parent: Option<u64>,
    /// The moves by which the search reached the state or, in a backward search, the moves from the state to the parent.
    pub way: Option<Way<R>>,
    pub state: R::State,
    /// Number of steps from the root.
    pub depth: u32,
    /// The cost of the path so far.
    pub cost: Cost,
    /// The estimated cost to go, if there is one.
    pub estimate: Option<Cost>,
    /// The value by which the search orders states, if it is not cost plus estimate.
    pub priority: Option<f64>,
    /// Number of open states after this expansion.
    pub open: u64,
    /// The proved lower bound after this expansion.
    pub lower: Cost,
    /// The cost of the best plan found so far, after this expansion.
    pub upper: Option<Cost>,
    /// The bound of this round, if the search proceeds in rounds.
    pub bound: Option<Cost>,
    pub side: Option<Side>,
    pub children: Vec<Child<R>>,
}

/// A state generated from the expanded one.
pub struct Child<R: Rules> {
    /// The number of the child's search node; `None` if the search does not store the child.
    pub id: Option<u64>,
    /// The moves from the expanded state to the child or, in a backward search, from the child to the expanded state.
    pub moves: Vec<R::Move>,
    /// The state of the child, if the moves begin at the child.
    pub from: Option<R::State>,
    pub cost: Cost,
    pub estimate: Option<Cost>,
    pub priority: Option<f64>,
    pub fate: Fate,
    pub goal: bool,
}
