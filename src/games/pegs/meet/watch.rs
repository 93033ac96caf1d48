//! What the solver has spent, its limits, and who watches it.

use crate::limits::{Limit, Limits, Progress};
use crate::outcome::Stats;
use crate::rules::Cost;
use crate::trace::{Fate, Side};

/// Expansions between two reports of progress.
const REPORTED: u64 = 256;

/// Why a round ended before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Limit(Limit),
    /// It has expanded as many states as it may for now.
    Enough,
}

impl From<Limit> for Stop {
    fn from(limit: Limit) -> Stop {
        Stop::Limit(limit)
    }
}

/// A state that was made, by which jump, and what became of it.
pub struct Made {
    pub jump: usize,
    pub canonical: u64,
    pub cost: Cost,
    /// What the way to the other end costs at least.
    pub estimate: Cost,
    pub fate: Fate,
}

/// A state that was expanded.
pub struct Seen<'a> {
    pub side: Side,
    pub canonical: u64,
    pub cost: Cost,
    pub estimate: Cost,
    /// What a plan may cost in this round, where it proves something.
    pub bound: Option<Cost>,
    pub open: u64,
    pub lower: Cost,
    pub upper: Option<Cost>,
    pub made: &'a [Made],
}

/// Shows what is expanded. States are stored as one of their images; whoever watches knows to which image play leads.
pub trait Observer {
    /// A round begins.
    fn begin(&mut self);
    /// The image that stands for a state.
    fn image(&self, side: Side, canonical: u64) -> u64;
    fn expanded(&mut self, seen: &Seen<'_>);
}

pub struct Watch<'a> {
    pub limits: &'a Limits,
    pub stats: Stats,
    pub lower: Cost,
    pub upper: Option<Cost>,
    /// Expansions, over all, at which a round gives up by itself.
    pub most: u64,
    pub observer: Option<&'a mut dyn Observer>,
}

impl Watch<'_> {
    /// Counts one more expansion, if it is allowed. `holds` says what is held: bytes, and states that wait.
    pub fn expand(&mut self, holds: impl FnOnce() -> (usize, u64)) -> Result<(), Stop> {
        if self.stats.expanded >= self.limits.nodes {
            return Err(Limit::Nodes.into());
        }
        if self.stats.expanded >= self.most {
            return Err(Stop::Enough);
        }
        if self.stats.expanded.is_multiple_of(REPORTED) {
            self.report(holds())?;
            if self.stats.expanded > 0 {
                self.limits.take_turns()?;
            }
        }
        self.limits.check()?;
        self.stats.expanded += 1;
        Ok(())
    }

    /// Reports progress and asks the limits.
    pub fn report(&mut self, (bytes, open): (usize, u64)) -> Result<(), Limit> {
        let Stats { expanded, generated, .. } = self.stats;
        self.limits.room(bytes)?;
        self.stats.peak_bytes = self.stats.peak_bytes.max(bytes);
        self.limits.report(&Progress { expanded, generated, open, bytes, lower: self.lower, upper: self.upper })
    }
}
