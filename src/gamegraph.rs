//! Two-player games: the outcome, the best moves, and Grundy values. Nothing here depends on a particular game.
//!
//! * [`induction`] labels all positions, layer by layer.
//! * [`decider`] searches depth-first with a [`table`] of known positions, only as far as needed to answer the question.
//! * [`sum`] searches the independent parts of positions for their Grundy values, which add up.
//! * [`opponent`] looks some moves ahead, for play against an opponent who is not perfect.
//! * [`strategy`] lists a player's moves in every position that can arise.
//! * [`graph`] writes the graph of positions and moves in formats that other programs can draw.

pub mod decider;
pub mod graph;
pub mod induction;
pub mod opponent;
pub mod strategy;
pub mod sum;
pub mod table;

/// A method for deciding a two-player game, described as data.
pub struct DuelMethod {
    /// The NAME in `--method NAME`.
    pub name: &'static str,
    pub about: &'static str,
    pub kind: DuelKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuelKind {
    /// Grundy values if they can be found quickly, else only the winner.
    Auto,
    Winner,
    Grundy,
    Induction,
}

/// All methods; the first is the default.
#[rustfmt::skip]
pub const METHODS: &[DuelMethod] = &[
    DuelMethod { name: "auto", kind: DuelKind::Auto,
        about: "the winner and all best moves; also Grundy values, if the game has them and they need at most 100,000 positions" },
    DuelMethod { name: "winner", kind: DuelKind::Winner,
        about: "depth-first search that stops at a winning move, with a table of known positions" },
    DuelMethod { name: "grundy", kind: DuelKind::Grundy,
        about: "depth-first search of all moves for Grundy values, with a table of known positions" },
    DuelMethod { name: "induction", kind: DuelKind::Induction,
        about: "backward induction over all positions, layer by layer; also computes the length of best play and counts the positions" },
];

pub fn find(name: &str) -> Option<&'static DuelMethod> {
    METHODS.iter().find(|method| method.name.eq_ignore_ascii_case(name))
}
