//! Two-player games: who wins or whether it is a draw, by which moves, and with which Grundy values. No file here names a game.
//!
//! * [`induction`] goes through all positions, layer by layer, and back again: it knows everything about each of them.
//! * [`decider`] goes depth-first with a [`table`] of known positions: it asks as little as the question allows.
//! * [`strategy`] writes down what a player does in every position that can come up.
//! * [`graph`] is the graph of positions and moves, written in formats that other programs draw.

pub mod decider;
pub mod graph;
pub mod induction;
pub mod strategy;
pub mod table;

/// A way to decide a two-player game: facts as data.
pub struct DuelMethod {
    /// The word in `--method NAME`.
    pub name: &'static str,
    pub about: &'static str,
    pub kind: DuelKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuelKind {
    /// Grundy values if they come soon, else only the winner.
    Auto,
    Winner,
    Grundy,
    Induction,
}

/// Every method, the default first.
pub const METHODS: &[DuelMethod] = &[
    DuelMethod {
        name: "auto",
        about: "the winner and all best moves; with Grundy values where the game has them and 100,000 positions suffice",
        kind: DuelKind::Auto,
    },
    DuelMethod {
        name: "winner",
        about: "depth-first search that stops at a winning move, with a table of known positions",
        kind: DuelKind::Winner,
    },
    DuelMethod {
        name: "grundy",
        about: "depth-first search of all moves for Grundy values, with a table of known positions",
        kind: DuelKind::Grundy,
    },
    DuelMethod {
        name: "induction",
        about: "backward induction over all positions, layer by layer: also the length of best play, and counts",
        kind: DuelKind::Induction,
    },
];

/// The method with this name.
pub fn find(name: &str) -> Option<&'static DuelMethod> {
    METHODS.iter().find(|method| method.name.eq_ignore_ascii_case(name))
}
