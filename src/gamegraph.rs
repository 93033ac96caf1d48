//! Two-player games: the outcome, the best moves, and Grundy values. Nothing here depends on a particular game.
//!
//! * [`induction`] labels all positions, layer by layer.
//! * [`retrograde`] does so from the ends of the game, even if positions repeat, and [`labels`] chooses between the two.
//! * [`decider`] searches depth-first with a [`table`] of known positions, only as far as needed to answer the question.
//! * [`sum`] searches the independent parts of positions for their Grundy values, which add up.
//! * [`minimax`], [`proof_number`] and [`dfpn`] are the methods of textbooks, which search the game tree; [`tree`] has what they share, and
//!   [`order`] the order of their moves.
//! * [`opponent`] looks some moves ahead, for play against an opponent who is not perfect.
//! * [`strategy`] lists a player's moves in every position that can arise.
//! * [`graph`] writes the graph of positions and moves in formats that other programs can draw.

pub mod decider;
pub mod dfpn;
pub mod graph;
pub mod induction;
pub mod labels;
pub mod minimax;
pub mod opponent;
pub mod order;
pub mod proof_number;
pub mod retrograde;
pub mod strategy;
pub mod sum;
pub mod table;
mod tally;
pub mod tree;

use order::Order;

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
    Minimax,
    AlphaBeta,
    AlphaBetaTable,
    Scout,
    Pns,
    Dfpn,
    Retrograde,
}

impl DuelKind {
    /// True for the minimax family. These methods search the game tree, so no position may recur.
    pub fn searches_tree(self) -> bool {
        use DuelKind::{AlphaBeta, AlphaBetaTable, Dfpn, Minimax, Pns, Scout};
        matches!(self, Minimax | AlphaBeta | AlphaBetaTable | Scout | Pns | Dfpn)
    }

    /// True if the method always finds all best moves, unless a limit stops it.
    pub fn finds_all_best(self) -> bool {
        !self.searches_tree() || self == DuelKind::Minimax
    }

    /// True if the method can try moves in this order. A method without cutoffs has no history of cutoffs.
    pub fn takes(self, order: Order) -> bool {
        self.searches_tree() && (order != Order::History || !matches!(self, DuelKind::Minimax | DuelKind::Pns | DuelKind::Dfpn))
    }

    /// True if the method works even if positions repeat. The other methods need [`Rules::layer`](crate::rules::Rules::layer).
    pub fn allows_repetition(self) -> bool {
        matches!(self, DuelKind::Auto | DuelKind::Retrograde)
    }
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
    DuelMethod { name: "minimax", kind: DuelKind::Minimax,
        about: "minimax search of the whole game tree, without a table; also computes the length of best play" },
    DuelMethod { name: "alphabeta", kind: DuelKind::AlphaBeta,
        about: "alpha-beta search of the game tree, without a table" },
    DuelMethod { name: "alphabeta-table", kind: DuelKind::AlphaBetaTable,
        about: "alpha-beta search with a transposition table, which merges symmetric positions" },
    DuelMethod { name: "scout", kind: DuelKind::Scout,
        about: "SCOUT: tests whether a move is better than the best one so far, and searches it again if it is" },
    DuelMethod { name: "pns", kind: DuelKind::Pns,
        about: "proof-number search, best-first, with the tree in memory; proves a win or else a draw" },
    DuelMethod { name: "dfpn", kind: DuelKind::Dfpn,
        about: "depth-first proof-number search with a transposition table of bounded size; proves a win or else a draw" },
    DuelMethod { name: "retrograde", kind: DuelKind::Retrograde,
        about: "retrograde analysis: decides all positions, back from the ends of the game, even if positions repeat; also computes the \
            length of best play and counts the positions" },
];

pub fn find(name: &str) -> Option<&'static DuelMethod> {
    METHODS.iter().find(|method| method.name.eq_ignore_ascii_case(name))
}
