//! The parts that the methods of the minimax family share: their answers, and the record of a visit.

use std::sync::Arc;

use super::DuelKind;
use super::dfpn::DepthFirstProof;
use super::minimax::{Minimax, Variant};
use super::order::Order;
use super::proof_number::ProofNumber;
use crate::limits::{Limit, Limits};
use crate::outcome::Stats;
use crate::rules::{Game, Rules, Score};
use crate::trace::{Fate, Judged};

/// The answer of a method of the minimax family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved<M> {
    /// The score of the player to move.
    pub score: Score,
    /// Number of moves to the end with best play, if the method computes it.
    pub length: Option<u16>,
    /// The best moves that the method knows, in the order of the game's list; empty if the player to move loses.
    pub best: Vec<M>,
    /// True if there are no other best moves.
    pub all_best: bool,
}

/// The range of scores that a search has not yet ruled out for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub at_least: Score,
    pub at_most: Score,
}

impl Range {
    pub const ALL: Range = Range { at_least: Score::Loss, at_most: Score::Win };
}

/// A visit of a position, as shown in a trace. A position is visited again if it is reached by other moves.
pub struct Visit<'v, G: Game> {
    /// The number of the visit.
    pub id: u64,
    pub parent: Option<u64>,
    /// The position above and the move from it.
    pub mv: Option<(&'v G::State, &'v G::Move)>,
    /// Number of moves from the start.
    pub depth: u32,
    pub state: &'v G::State,
    /// Number of positions in progress, or waiting to be visited.
    pub open: u64,
    pub judged: Judged,
    /// The score and the length of play, if they are known exactly.
    pub exact: Option<(Score, Option<u16>)>,
    pub children: Vec<VisitedChild<'v, G>>,
}

/// The visit from which a position is reached, and the position above with the move from it.
pub(super) type Way<'v, G> = (Option<u64>, Option<(&'v <G as Rules>::State, &'v <G as Rules>::Move)>);

/// A move of a visited position.
pub struct VisitedChild<'v, G: Game> {
    pub mv: &'v G::Move,
    /// The number of the visit of the position after the move.
    pub id: Option<u64>,
    pub exact: Option<(Score, Option<u16>)>,
    pub fate: Fate,
}

/// The receiver of visits. `None` if the search is not traced.
pub type Watch<'w, G> = Option<&'w mut dyn FnMut(Visit<'_, G>)>;

/// A search of the minimax family, in progress. It owns its data.
pub trait TreeSearch<G: Game> {
    /// Decides the start. After a limit, another call resumes where the search stopped.
    fn solve(&mut self, limits: &Limits, watch: Watch<'_, G>) -> Result<Proved<G::Move>, Limit>;

    fn stats(&self) -> Stats;

    /// The scores that are not yet ruled out for the player to move at the start.
    fn range(&self) -> Range;
}

/// Starts a search; `None` if the method is not of the minimax family.
pub fn begin<G: Game>(kind: DuelKind, game: Arc<G>, start: G::State, order: Order) -> Option<Box<dyn TreeSearch<G> + Send>> {
    let variant = match kind {
        DuelKind::Minimax => Variant::Minimax,
        DuelKind::AlphaBeta => Variant::AlphaBeta,
        DuelKind::AlphaBetaTable => Variant::Table,
        DuelKind::Scout => Variant::Scout,
        DuelKind::Pns => return Some(Box::new(ProofNumber::new(game, start, order))),
        DuelKind::Dfpn => return Some(Box::new(DepthFirstProof::new(game, start, order))),
        _ => return None,
    };
    Some(Box::new(Minimax::new(game, start, variant, order)))
}

/// The best moves in the order of the game's list.
pub(super) fn sorted<M: Ord>(mut best: Vec<M>) -> Vec<M> {
    best.sort();
    best
}
