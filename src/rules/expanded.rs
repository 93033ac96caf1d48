//! The records of a traced search, in the game's own types: every state that is expanded, and its children.

use super::{Cost, Rules};

/// The fate of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was not known before and waits to be expanded. If it exceeds the bound, it waits for a later round.
    New,
    /// It was known, but only by a costlier path.
    Better,
    /// It is known: stored, or on the path.
    Known,
    /// No goal can be reached from it.
    Dead,
}

impl Fate {
    pub fn name(self) -> &'static str {
        match self {
            Fate::New => "new",
            Fate::Better => "better",
            Fate::Known => "known",
            Fate::Dead => "dead",
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

/// Moves that lead from a state to another one: one, or several that a solver makes at once.
pub struct Way<R: Rules> {
    pub from: R::State,
    pub moves: Vec<R::Move>,
}

/// A state that was expanded, and its children.
pub struct Expanded<R: Rules> {
    /// The number of the node of the search.
    pub id: u64,
    pub parent: Option<u64>,
    /// The moves by which the search reached it; backwards, those to the parent.
    pub way: Option<Way<R>>,
    pub state: R::State,
    /// Steps from the root.
    pub depth: u32,
    /// The cost so far.
    pub cost: Cost,
    /// The estimated cost to go, if there is one.
    pub estimate: Option<Cost>,
    /// The value that the search orders by, if that is not the sum of the two.
    pub priority: Option<f64>,
    /// Number of open states after this expansion.
    pub open: u64,
    /// The proved lower bound, and the cost of the best plan found, after this expansion.
    pub lower: Cost,
    pub upper: Option<Cost>,
    /// The limit of this round, if the search goes in rounds.
    pub bound: Option<Cost>,
    pub side: Option<Side>,
    pub children: Vec<Child<R>>,
}

/// A state that was made from the expanded one.
pub struct Child<R: Rules> {
    /// None if the search does not keep it.
    pub id: Option<u64>,
    /// The moves to it from the expanded state; backwards, from it to there.
    pub moves: Vec<R::Move>,
    /// The child itself, if the moves begin there.
    pub from: Option<R::State>,
    pub cost: Cost,
    pub estimate: Option<Cost>,
    pub priority: Option<f64>,
    pub fate: Fate,
    pub goal: bool,
}
