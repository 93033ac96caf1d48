//! Looking at the limits, and saying how far all have come, while files are sorted, merged and written. That may take as long as
//! expanding does, so it must be as easy to stop and as easy to watch.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use kibitzer::limits::{Limits, Progress};

use super::Halt;
use super::expand::SharedProgress;

/// States between two looks.
const PERIOD: u64 = 16_384;

/// One worker's pace.
pub struct Pace {
    limits: Limits,
    shared: Arc<SharedProgress>,
    /// States since the last look.
    since: Cell<u64>,
    /// Bytes that were last added to what the process holds.
    held: Cell<usize>,
}

impl Pace {
    pub fn new(limits: &Limits, shared: &Arc<SharedProgress>) -> Pace {
        Pace { limits: limits.clone(), shared: Arc::clone(shared), since: Cell::new(0), held: Cell::new(0) }
    }

    /// A state was written.
    #[inline]
    pub fn step(&self) -> Result<(), Halt> {
        self.steps(1)
    }

    /// So many were.
    #[inline]
    pub fn steps(&self, states: usize) -> Result<(), Halt> {
        self.since.set(self.since.get() + states as u64);
        if self.since.get() < PERIOD { Ok(()) } else { self.look() }
    }

    /// Looks at the limits now.
    pub fn look(&self) -> Result<(), Halt> {
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

    /// Says how many bytes whoever has this holds now.
    pub fn holds(&self, bytes: usize) {
        let more = bytes.wrapping_sub(self.held.replace(bytes));
        let all = self.shared.bytes.fetch_add(more, Ordering::Relaxed).wrapping_add(more);
        self.shared.peak.fetch_max(all, Ordering::Relaxed);
    }

    /// What comes now, for the person who waits: states are counted from 0 again.
    pub fn begin(&self, what: &str) {
        self.since.set(0);
        self.shared.written.store(0, Ordering::Relaxed);
        (self.shared.tell.stage)(what);
    }
}

impl Drop for Pace {
    fn drop(&mut self) {
        self.holds(0);
    }
}
