//! What all searches share: limits, progress and resuming. An [`Engine`] only says how to go on and where it stands.

use super::{Look, Search};
use crate::limits::{Limit, Limits, Progress};
use crate::outcome::{Plan, Stats, Verdict};
use crate::rules::{Cost, Problem};

/// A search algorithm, without limits.
pub(super) trait Engine<P: Problem> {
    /// The answer, once there is one; then always the same.
    fn answer(&mut self) -> Option<Verdict<P::Move>>;

    /// Goes on: expands at least one and at most `most` states, or does other work of that size. Only called while there
    /// is no answer. Says how much was done: states made, or looked at.
    fn work(&mut self, most: u64) -> u64;

    /// Counts; `peak_bytes` and `stored` are not used.
    fn stats(&self) -> Stats;

    /// Distinct states kept.
    fn stored(&self) -> u64;

    /// No plan costs less than this.
    fn lower(&self) -> Cost;

    /// The cheapest plan found so far.
    fn plan(&self) -> Option<Plan<P::Move>>;

    /// What that plan costs.
    fn upper(&self) -> Option<Cost>;

    /// States waiting, and states done and kept.
    fn open_and_closed(&self) -> (u64, u64);

    /// The state expanded last.
    fn last(&self) -> Option<P::State>;

    /// Bytes held after `more` further states.
    fn bytes(&self, more: usize) -> usize;
}

/// Work between two looks at memory and the stop hook: short enough to stop at once, long enough not to matter.
const PERIOD: u64 = 1024;

/// An engine under limits.
pub(super) struct Driver<E> {
    engine: E,
    /// New states for which memory is asked ahead: what one period can make. A state's children are the smallest step.
    soon: usize,
    period: u64,
    since_check: u64,
    /// The most states that one step has made.
    largest_step: u64,
    peak_bytes: usize,
}

impl<E> Driver<E> {
    /// `width` is the size of a packed state: large states are made more slowly and fill memory faster.
    pub(super) fn new(engine: E, width: usize) -> Self {
        let period = PERIOD.min((1 << 20) / (width as u64 + 1)).max(16);
        Driver { engine, soon: 2 * period as usize, period, since_check: 0, largest_step: 0, peak_bytes: 0 }
    }

    fn check<P: Problem>(&mut self, limits: &Limits) -> Result<(), Limit>
    where
        E: Engine<P>,
    {
        let (stats, bytes) = (self.engine.stats(), self.engine.bytes(0));
        self.peak_bytes = self.peak_bytes.max(bytes);
        limits.room(self.engine.bytes(self.soon + self.largest_step as usize))?;
        let progress = Progress {
            expanded: stats.expanded,
            generated: stats.generated,
            open: self.engine.open_and_closed().0,
            bytes,
            lower: self.engine.lower(),
            upper: self.engine.upper(),
        };
        limits.report(&progress)
    }
}

impl<P: Problem, E: Engine<P>> Search<P> for Driver<E> {
    fn run(&mut self, limits: &Limits) -> Verdict<P::Move> {
        // The first step of a run always asks.
        self.since_check = self.period;
        loop {
            if let Some(answer) = self.engine.answer() {
                return answer;
            }
            let expanded = self.engine.stats().expanded;
            let mut allowed = if expanded < limits.nodes { Ok(()) } else { Err(Limit::Nodes) };
            if allowed.is_ok() && self.since_check >= self.period {
                self.since_check = 0;
                allowed = self.check(limits);
            }
            if let Err(limit) = allowed {
                return Verdict::Unknown { limit, lower: self.engine.lower(), best: self.engine.plan() };
            }
            let done = self.engine.work(limits.nodes - expanded) + 1;
            self.since_check += done;
            self.largest_step = self.largest_step.max(done);
        }
    }

    fn look(&self) -> Look<P::State> {
        let (open, closed) = self.engine.open_and_closed();
        Look { open, closed, lower: self.engine.lower(), upper: self.engine.upper(), last: self.engine.last() }
    }

    fn stats(&self) -> Stats {
        let peak_bytes = self.peak_bytes.max(self.engine.bytes(0));
        Stats { stored: self.engine.stored(), peak_bytes, ..self.engine.stats() }
    }
}
