//! What the solver has spent, and its limits.
//!
//! A single expansion may take seconds: hundreds of black vertices, each with an elimination for every way to click it. So the
//! limits are asked before every expansion and within it, but the number of nodes only before, where it can be exact.

use crate::limits::{Limit, Limits, Progress};
use crate::rules::Cost;

/// What it took so far.
#[derive(Clone, Copy, Default)]
pub struct Effort {
    pub expanded: u64,
    pub generated: u64,
    pub bytes: usize,
    pub peak: usize,
}

impl Effort {
    pub fn hold(&mut self, bytes: usize) {
        self.bytes += bytes;
        self.peak = self.peak.max(self.bytes);
    }
}

/// The limits, as the searches ask about them, and what goes into reports of progress.
pub struct Meter<'a> {
    pub limits: &'a Limits,
    pub lower: Cost,
    pub upper: Option<Cost>,
    /// What was expanded before.
    pub expanded: u64,
    /// Expansions after which the search gives up by itself.
    pub most: Option<u64>,
}

/// Expansions between two reports of progress.
const REPORTED: u64 = 64;

impl Meter<'_> {
    /// May one more board be expanded?
    pub fn expand(&self, effort: &Effort) -> Result<(), Limit> {
        let expanded = self.expanded + effort.expanded;
        if expanded >= self.limits.nodes || self.most.is_some_and(|most| effort.expanded >= most) {
            return Err(Limit::Nodes);
        }
        if effort.expanded % REPORTED == REPORTED - 1 {
            self.report(effort)?;
        }
        self.check(effort)
    }

    /// May the work go on? Asked within an expansion.
    pub fn check(&self, effort: &Effort) -> Result<(), Limit> {
        self.limits.room(effort.bytes)?;
        self.limits.check()
    }

    /// The same with a report of progress, for work that takes long without an expansion.
    pub fn report(&self, effort: &Effort) -> Result<(), Limit> {
        let progress = Progress {
            expanded: self.expanded + effort.expanded,
            generated: effort.generated,
            bytes: effort.bytes,
            lower: self.lower,
            upper: self.upper,
            open: 0,
        };
        self.limits.room(effort.bytes)?;
        self.limits.report(&progress)
    }
}
