//! The labels of all positions of any game: by retrograde analysis if positions can repeat, else by backward induction.

use std::sync::Arc;

use super::induction::{self, Labeled};
use super::retrograde::{self, Retrograde};
use crate::limits::{Limit, Limits};
use crate::outcome::{Stats, Worth};
use crate::rules::Game;
use crate::search::explore;

/// All positions of a game and their labels.
pub enum Labels<'a, G: Game> {
    Layered(Labeled<'a, G>),
    Retrograde(Retrograde<G>),
}

/// Labels all positions reachable from `start`; with `fold`, only one position from each set of symmetric positions.
pub fn label<'a, G: Game>(game: &'a Arc<G>, start: &G::State, fold: bool, limits: &Limits) -> Result<Labels<'a, G>, Limit> {
    if game.repeats() {
        retrograde::analyze(game, start, fold, limits).map(Labels::Retrograde)
    } else {
        induction::label(&**game, start, fold, limits).map(Labels::Layered)
    }
}

impl<G: Game> Labels<'_, G> {
    /// The labels of a reachable position.
    pub fn worth(&self, state: &G::State) -> Worth {
        match self {
            Labels::Layered(labeled) => labeled.worth(state),
            Labels::Retrograde(found) => found.worth(state),
        }
    }

    /// The Grundy value among these labels, if they include one.
    pub fn grundy(&self, game: &G, worth: Worth) -> Option<u16> {
        (game.impartial() && matches!(self, Labels::Layered(_))).then_some(worth.grundy)
    }

    /// The number of positions.
    pub fn total(&self) -> u64 {
        match self {
            Labels::Layered(labeled) => labeled.total(),
            Labels::Retrograde(found) => found.total(),
        }
    }

    pub fn stats(&self) -> Stats {
        match self {
            Labels::Layered(labeled) => labeled.stats(),
            Labels::Retrograde(found) => found.stats(),
        }
    }

    /// Every position with its labels, layer by layer. Without layers, the number of moves from the start takes their place.
    pub fn positions(&self) -> Box<dyn Iterator<Item = (u32, G::State, Worth)> + '_> {
        match self {
            Labels::Layered(labeled) => Box::new(labeled.positions()),
            Labels::Retrograde(found) => Box::new(found.positions()),
        }
    }

    /// The counts of each layer.
    pub fn counts(&self, limits: &Limits) -> Result<Vec<explore::Layer>, Limit> {
        match self {
            Labels::Layered(labeled) => labeled.counts(limits),
            Labels::Retrograde(found) => found.counts(limits),
        }
    }
}
