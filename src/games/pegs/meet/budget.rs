//! The solver's work so far, and its limits.

use super::trace::MeetTrace;
use crate::limits::{Limit, Limits, Progress};
use crate::outcome::Stats;
use crate::rules::Cost;

/// Number of expansions between two progress reports.
const REPORTED: u64 = 256;

/// The reason why a round ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Limit(Limit),
    /// The round has used up its share of expansions.
    Enough,
}

impl From<Limit> for Stop {
    fn from(limit: Limit) -> Stop {
        Stop::Limit(limit)
    }
}

pub struct MeetBudget<'a> {
    pub limits: &'a Limits,
    pub stats: Stats,
    pub lower: Cost,
    pub upper: Option<Cost>,
    /// The total number of expansions, over all rounds, at which the current round gives up.
    pub most: u64,
    pub trace: Option<MeetTrace<'a>>,
}

impl MeetBudget<'_> {
    /// Counts one more expansion, if it is allowed. `holds` returns the bytes in use and the number of open states.
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

    /// Reports progress and checks the limits.
    pub fn report(&mut self, (bytes, open): (usize, u64)) -> Result<(), Limit> {
        let Stats { expanded, generated, .. } = self.stats;
        self.limits.room(bytes)?;
        self.stats.peak_bytes = self.stats.peak_bytes.max(bytes);
        self.limits.report(&Progress { expanded, generated, open, bytes, lower: self.lower, upper: self.upper })
    }
}
