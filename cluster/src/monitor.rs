//! Checks the limits and reports progress while files are sorted, merged and written. Work on files may take as long as expanding states,
//! so users must be able to follow it and stop it.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use kibitzer::limits::{Limits, Progress};

use super::Halt;
use super::expand::SharedProgress;

/// Number of states between two checks.
const PERIOD: u64 = 16_384;

/// Tracks one worker's share of the progress of its process.
pub struct Monitor {
    limits: Limits,
    shared: Arc<SharedProgress>,
    /// Number of states since the last check.
    since: Cell<u64>,
    /// This monitor's share of the bytes that the process holds.
    held: Cell<usize>,
}

impl Monitor {
    pub fn new(limits: &Limits, shared: &Arc<SharedProgress>) -> Monitor {
        Monitor { limits: limits.clone(), shared: Arc::clone(shared), since: Cell::new(0), held: Cell::new(0) }
    }

    /// Counts a state, and checks the limits from time to time.
    #[inline]
    pub fn step(&self) -> Result<(), Halt> {
        self.steps(1)
    }

    /// Like [`Monitor::step`], but counts several states.
    #[inline]
    pub fn steps(&self, states: usize) -> Result<(), Halt> {
        self.since.set(self.since.get() + states as u64);
        if self.since.get() < PERIOD { Ok(()) } else { self.check() }
    }

    pub fn check(&self) -> Result<(), Halt> {
        let shared = &self.shared;
        let written = self.since.take();
        let progress = Progress {
            expanded: shared.expanded.load(Ordering::Relaxed),
            generated: shared.generated.load(Ordering::Relaxed),
            open: shared.written.fetch_add(written, Ordering::Relaxed) + written,
            bytes: shared.bytes.load(Ordering::Relaxed),
            ..Progress::default()
        };
        Ok(self.limits.report(&progress)?)
    }

    /// Records the number of bytes that the owner of this monitor holds now, and returns the total for the process.
    pub fn holds(&self, bytes: usize) -> usize {
        let more = bytes.wrapping_sub(self.held.replace(bytes));
        let all = self.shared.bytes.fetch_add(more, Ordering::Relaxed).wrapping_add(more);
        self.shared.peak.fetch_max(all, Ordering::Relaxed);
        all
    }

    /// Starts a stage, whose states are counted from 0.
    pub fn begin(&self, what: &str) {
        self.since.set(0);
        self.shared.written.store(0, Ordering::Relaxed);
        (self.shared.events.stage)(what);
    }
}

impl Drop for Monitor {
    fn drop(&mut self) {
        self.holds(0);
    }
}
