//! The parts that the methods of the minimax family share: their answers, the record of a visit, and the check of the limits.

use std::sync::Arc;

use super::DuelKind;
use super::dfpn::DepthFirstProof;
use super::minimax::{Minimax, Variant};
use super::order::Order;
use super::proof_number::ProofNumber;
use crate::limits::{Limit, Limits, Progress};
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

/// The counts of a search and the check of its limits.
pub(super) struct Work {
    pub stats: Stats,
    since_check: u64,
}

/// The size of the smallest search, in bytes.
const LEAST: usize = 4096;
/// Number of bytes that may be added before the memory limit is checked again.
const LARGE: usize = 1 << 16;
/// Number of visits between two progress reports.
const PERIOD: u64 = 1024;

impl Work {
    pub fn new(stats: Stats) -> Work {
        Work { stats, since_check: PERIOD }
    }

    /// Makes the next check of the limits complete, because they may have changed.
    pub fn begin(&mut self) {
        self.since_check = PERIOD;
    }

    /// Checks the limits before a visit.
    pub fn check(&mut self, limits: &Limits, open: u64, bytes: impl Fn() -> usize) -> Result<(), Limit> {
        limits.check()?;
        if self.stats.expanded >= limits.nodes {
            return Err(Limit::Nodes);
        }
        self.since_check += 1;
        if self.since_check <= PERIOD {
            return Ok(());
        }
        self.since_check = 0;
        let bytes = bytes();
        self.holds(bytes);
        limits.room(bytes + LEAST)?;
        let Stats { expanded, generated, .. } = self.stats;
        limits.report(&Progress { expanded, generated, open, bytes, ..Progress::default() })
    }

    /// Records that this number of bytes is in use.
    pub fn holds(&mut self, bytes: usize) {
        self.stats.peak_bytes = self.stats.peak_bytes.max(bytes);
    }

    /// Counts a visit of a position with this number of moves, for which the search keeps this number of bytes.
    pub fn visited(&mut self, moves: usize, bytes: usize) {
        self.stats.expanded += 1;
        self.stats.generated += moves as u64;
        // Positions with many moves take longer, so they bring the next check of the limits closer.
        self.since_check += moves as u64 / 16;
        if bytes > LARGE {
            self.since_check = PERIOD;
        }
    }
}

/// The best moves in the order of the game's list.
pub(super) fn sorted<M: Ord>(mut best: Vec<M>) -> Vec<M> {
    best.sort();
    best
}
