//! The counts of a depth-first or proof-number search, and the check of its limits.

use crate::limits::{Limit, Limits, Progress};
use crate::outcome::Stats;

/// The counts of a search and the check of its limits.
pub(super) struct Tally {
    pub stats: Stats,
    since_check: u64,
}

/// The size of the smallest search, in bytes.
const LEAST: usize = 4096;
/// Number of bytes that may be added before the memory limit is checked again.
const LARGE: usize = 1 << 16;
/// Number of visits between two progress reports.
const PERIOD: u64 = 1024;

impl Tally {
    pub fn new(stats: Stats) -> Tally {
        Tally { stats, since_check: PERIOD }
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
        self.keeps(bytes);
    }

    /// Records that the search will keep this number of bytes. A few large positions may fill the memory.
    pub fn keeps(&mut self, bytes: usize) {
        if bytes > LARGE {
            self.begin();
        }
    }
}
