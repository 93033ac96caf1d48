//! The solver's work so far, and its limits.
//!
//! A single expansion may take seconds: there may be hundreds of black vertices, and every approach to one of them may need an
//! elimination. So limits are checked before and within every expansion. The node limit is checked only before an expansion,
//! because the count is exact only then.

use std::cell::RefCell;

use super::trace::BoardTrace;
use crate::limits::{Limit, Limits, Progress};
use crate::rules::Cost;

/// The work of a search so far.
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

/// The limits, and the contents of progress reports.
pub struct Meter<'a> {
    pub limits: &'a Limits,
    pub lower: Cost,
    pub upper: Option<Cost>,
    /// The number of boards that earlier searches expanded.
    pub expanded: u64,
    /// The work after which the search over recolorings gives up.
    pub most: Option<Most>,
    pub trace: Option<RefCell<BoardTrace<'a>>>,
}

/// A limit on the work of a search.
#[derive(Clone, Copy)]
pub struct Most {
    /// Maximum number of boards expanded.
    pub expanded: u64,
    /// Maximum number of machine words read from coset members.
    pub words: usize,
}

/// Number of expansions between two progress reports.
const REPORTED: u64 = 64;

impl Meter<'_> {
    /// Checks whether one more board may be expanded.
    pub fn expand(&self, effort: &Effort) -> Result<(), Limit> {
        let expanded = self.expanded + effort.expanded;
        if expanded >= self.limits.nodes || self.most.is_some_and(|most| effort.expanded >= most.expanded) {
            return Err(Limit::Nodes);
        }
        if effort.expanded % REPORTED == REPORTED - 1 {
            self.long(effort)?;
        }
        self.check(effort)
    }

    /// Checks the limits within an expansion.
    pub fn check(&self, effort: &Effort) -> Result<(), Limit> {
        self.limits.room(effort.bytes)?;
        self.limits.check()
    }

    /// Like [`Meter::check`], but also reports progress. Call this during long work that expands no board.
    pub fn report(&self, effort: &Effort) -> Result<(), Limit> {
        self.limits.room(effort.bytes)?;
        self.limits.report(&self.progress(effort))
    }

    /// Like [`Meter::report`], but also lets other searches take their turn. Call this only after at least a millisecond of work.
    pub fn long(&self, effort: &Effort) -> Result<(), Limit> {
        self.report(effort)?;
        self.limits.take_turns()
    }

    pub fn progress(&self, effort: &Effort) -> Progress {
        Progress {
            expanded: self.expanded + effort.expanded,
            generated: effort.generated,
            bytes: effort.bytes,
            lower: self.lower,
            upper: self.upper,
            open: 0,
        }
    }
}
