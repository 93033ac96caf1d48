//! What all searches share: limits, progress and resuming. An [`Engine`] only says how to go on and where it stands.

use std::sync::Arc;

use super::guide::Guide;
use super::trace::{Emit, Tracer, Watched};
use super::{Look, Search};
use crate::limits::{Limit, Limits, Progress};
use crate::outcome::{Plan, Stats, Verdict};
use crate::rules::{Cost, Heuristic, Packing, Problem};

/// A search algorithm without limits of its own.
///
/// An expansion is atomic: if a limit ends it, the engine is as if it had not begun, so that a resumed search finds and
/// counts what an uninterrupted one does.
pub(super) trait Engine<P: Problem>: Watched<P> + Sized {
    /// The setting that tells methods of one engine apart.
    type Setting: Copy + Send;

    fn new(root: Root<P>, setting: Self::Setting) -> Self;

    /// The answer, once there is one; then always the same. Writing down the plan may run into a limit; it is tried again
    /// when the search is resumed.
    fn answer(&mut self, limits: &Limits) -> Result<Option<Verdict<P::Move>>, Limit>;

    /// Goes on: expands at least one and at most `most` states, or does other work of that size. Only called while there
    /// is no answer. Says how much was done: states made, or looked at.
    ///
    /// Never inlined into the driver, which is the same for all engines: next to it the compiler would no longer inline what is
    /// called for every child.
    fn work(&mut self, most: u64, budget: &mut Budget) -> Result<u64, Limit>;

    /// Distinct states kept.
    fn kept(&self) -> u64;

    /// The cheapest plan found so far, unless writing it down would take long: this is asked after a limit was hit.
    fn plan(&self) -> Option<Plan<P::Move>>;

    /// States waiting, and states done and kept.
    fn open_and_closed(&self) -> (u64, u64);

    /// The state expanded last.
    fn last(&self) -> Option<P::State>;

    /// Bytes held after `more` further states.
    fn bytes(&self, more: usize) -> usize;

    /// Bytes that one child takes while its parent is expanded, in all buffers.
    fn child_bytes(&self) -> usize;
}

/// Where a search begins.
pub(super) struct Root<P: Problem> {
    pub(super) problem: Arc<P>,
    pub(super) start: P::State,
    pub(super) guide: Guide<P>,
    /// The estimate for the start.
    pub(super) estimate: Cost,
}

/// What an expansion may spend. Children are charged while they are made: where states are large and moves are many, one
/// expansion can take minutes and more memory than there is.
pub(super) struct Budget<'a> {
    pub(super) limits: &'a Limits,
    /// Bytes left, and bytes per child.
    left: usize,
    each: usize,
    /// Children until the next look at the limits, and between two looks: one where states are large.
    until: u32,
    every: u32,
}

/// Most children, and most bytes of children, between two looks at the limits.
const LOOK: usize = 32;
const LOOK_BYTES: usize = 16 << 10;

impl Budget<'_> {
    /// May one more child be made?
    #[inline]
    pub(super) fn child(&mut self) -> Result<(), Limit> {
        self.until -= 1;
        if self.until == 0 { self.look() } else { Ok(()) }
    }

    #[inline(never)]
    fn look(&mut self) -> Result<(), Limit> {
        self.charge();
        self.limits.check()?;
        if self.left == 0 { Err(Limit::Memory) } else { Ok(()) }
    }

    /// Charges what was made since the last look.
    fn charge(&mut self) {
        self.left = self.left.saturating_sub((self.every - self.until) as usize * self.each);
        self.until = self.every;
    }
}

/// Bytes of a state in a buffer. What a state keeps on the heap is not known; its packed form stands for it.
pub(super) fn state_bytes<P: Problem>(problem: &P) -> usize {
    size_of::<P::State>() + heap_bytes(problem)
}

/// Bytes that a state keeps on the heap, about.
pub(super) fn heap_bytes<P: Problem>(problem: &P) -> usize {
    if std::mem::needs_drop::<P::State>() { problem.state_bytes() } else { 0 }
}

/// Work between two looks at memory and the progress sink: short enough to stop at once, long enough not to matter.
const PERIOD: u64 = 1024;

/// An engine under limits.
pub(super) struct Driver<P: Problem, E: Engine<P>> {
    stage: Stage<P, E>,
    /// New states for which memory is asked ahead: what one period can make. A state's children are the smallest step.
    soon: usize,
    period: u64,
    since_check: u64,
    /// The most states that one step has made.
    largest_step: u64,
    /// Bytes that were left at the last look at memory, less what was made since.
    room: usize,
    /// Bytes per child, and children between two looks at the limits.
    each: usize,
    every: u32,
    peak_bytes: usize,
}

/// The first run builds the heuristic, under its limits; there is no engine before.
enum Stage<P: Problem, E: Engine<P>> {
    Begun { problem: Arc<P>, start: P::State, heuristic: Option<&'static Heuristic<P>>, setting: E::Setting },
    Ready(E),
}

impl<P: Problem, E: Engine<P>> Driver<P, E> {
    pub(super) fn new(problem: Arc<P>, start: P::State, heuristic: Option<&'static Heuristic<P>>, setting: E::Setting) -> Self {
        // Large states are made more slowly and fill memory faster.
        let period = PERIOD.min((1 << 20) / (problem.state_bytes() as u64 + 1)).max(16);
        let stage = Stage::Begun { problem, start, heuristic, setting };
        Driver { stage, soon: 2 * period as usize, period, since_check: 0, largest_step: 0, room: 0, each: 0, every: 1, peak_bytes: 0 }
    }

    /// Builds the engine, if there is none yet.
    fn prepare(&mut self, limits: &Limits) -> Result<(), Limit> {
        if let Stage::Begun { problem, start, heuristic, setting } = &self.stage {
            limits.check()?;
            let guide = Guide::new(*heuristic, &**problem, limits)?;
            let estimate = guide.at(problem, start, limits)?;
            let root = Root { problem: Arc::clone(problem), start: start.clone(), guide, estimate };
            let engine = E::new(root, *setting);
            self.each = engine.child_bytes();
            self.every = LOOK.min(LOOK_BYTES / (self.each + problem.state_bytes()).max(1)).max(1) as u32;
            self.stage = Stage::Ready(engine);
        }
        Ok(())
    }

    /// Goes on until there is an answer. Who watches sees one expansion at a time.
    fn answer(&mut self, limits: &Limits, mut watch: Option<(&mut Tracer<P>, Emit<'_, P>)>) -> Result<Verdict<P::Move>, Limit> {
        self.prepare(limits)?;
        let Stage::Ready(engine) = &mut self.stage else { unreachable!("it was just prepared") };
        if let Some((tracer, _)) = &mut watch
            && engine.stats().expanded == 0
        {
            tracer.prepare(engine);
        }
        // The first step of a run always looks at the limits.
        self.since_check = self.period;
        loop {
            if let Some(answer) = engine.answer(limits)? {
                return Ok(answer);
            }
            let expanded = engine.stats().expanded;
            if expanded >= limits.nodes {
                return Err(Limit::Nodes);
            }
            let fresh = self.since_check >= self.period;
            if fresh {
                self.since_check = 0;
                let (stats, bytes) = (engine.stats(), engine.bytes(0));
                self.peak_bytes = self.peak_bytes.max(bytes);
                limits.room(engine.bytes(self.soon + self.largest_step as usize))?;
                self.room = limits.bytes.saturating_sub(bytes);
                let (open, lower, upper) = (engine.open_and_closed().0, engine.lower(), engine.upper());
                limits.report(&Progress { expanded: stats.expanded, generated: stats.generated, open, bytes, lower, upper })?;
            }
            let mut budget = Budget { limits, left: self.room, each: self.each, until: self.every, every: self.every };
            let most = if watch.is_some() { 1 } else { limits.nodes - expanded };
            match engine.work(most, &mut budget) {
                Ok(done) => {
                    budget.charge();
                    self.room = budget.left;
                    self.since_check += done + 1;
                    self.largest_step = self.largest_step.max(done + 1);
                    if let Some((tracer, emit)) = &mut watch
                        && engine.stats().expanded > expanded
                    {
                        engine.settle();
                        tracer.see(engine, limits, emit);
                    }
                }
                // The number is out of date: buffers have been emptied since. Once more, after a new look.
                Err(Limit::Memory) if !fresh => self.since_check = self.period,
                Err(limit) => return Err(limit),
            }
        }
    }

    /// The answer, or what is known when a limit was hit.
    fn settled(&self, answer: Result<Verdict<P::Move>, Limit>) -> Verdict<P::Move> {
        answer.unwrap_or_else(|limit| {
            let (lower, best) = self.engine().map_or((0, None), |engine| (engine.lower(), engine.plan()));
            Verdict::Unknown { limit, lower, best }
        })
    }

    fn engine(&self) -> Option<&E> {
        match &self.stage {
            Stage::Begun { .. } => None,
            Stage::Ready(engine) => Some(engine),
        }
    }
}

impl<P: Problem, E: Engine<P>> Search<P> for Driver<P, E> {
    fn run(&mut self, limits: &Limits) -> Verdict<P::Move> {
        let answer = self.answer(limits, None);
        self.settled(answer)
    }

    fn trace(&mut self, limits: &Limits, tracer: &mut Tracer<P>, emit: Emit<'_, P>) -> Verdict<P::Move> {
        let answer = self.answer(limits, Some((tracer, emit)));
        self.settled(answer)
    }

    fn look(&self) -> Look<P::State> {
        let Some(engine) = self.engine() else { return Look { open: 0, closed: 0, lower: 0, upper: None, last: None } };
        let (open, closed) = engine.open_and_closed();
        Look { open, closed, lower: engine.lower(), upper: engine.upper(), last: engine.last() }
    }

    fn stats(&self) -> Stats {
        let Some(engine) = self.engine() else { return Stats::default() };
        let peak_bytes = self.peak_bytes.max(engine.bytes(0));
        Stats { stored: engine.kept(), peak_bytes, ..engine.stats() }
    }
}
