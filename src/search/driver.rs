//! The parts that all searches share: limits, progress, resuming and reconstructing the plan. An [`Engine`] contains only its
//! algorithm.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::guide::Guide;
use super::replay::{Patience, replay};
use super::trace::{Emit, Tracer};
use super::tree::Tree;
use super::{Algorithm, Look};
use crate::limits::{Limit, Limits, Progress};
use crate::outcome::{Plan, Stats, Verdict, Why};
use crate::rules::{Cost, DEAD, Heuristic, Packing, Problem};
use crate::space::packed;
use crate::trace::Side;

/// A search algorithm that does not handle limits itself.
///
/// An expansion is atomic: if a limit stops it, the engine is left as it was before, so that a resumed search has the same
/// results and counts as an uninterrupted one.
pub(super) trait Engine<P: Problem>: Send {
    /// Proceeds to the next state to expand. Returns false once the search is over: its plan is final, or no state is left.
    fn advance(&mut self, task: &mut Task<P>) -> bool;

    /// Expands at least one and at most `most` states, or does other work of that size. Only called after [`Engine::advance`]
    /// returned true. Returns the number of states generated or examined.
    ///
    /// This function is never inlined into the driver, which is the same for all engines. Otherwise the compiler would no longer
    /// inline the functions called for every child.
    fn work(&mut self, task: &mut Task<P>, most: u64, budget: &mut Budget) -> Result<u64, Limit>;

    /// The states that the engine stores.
    fn kept(&self) -> Kept<'_, P::State>;

    /// The number of open states and the number of closed states.
    fn open_and_closed(&self, stats: &Stats) -> (u64, u64);

    /// Number of bytes used after adding `more` states, not counting the bytes of the task.
    fn bytes(&self, problem: &P, more: usize) -> usize;

    /// Number of bytes per child in all buffers while its parent is expanded.
    fn child_bytes(&self, problem: &P) -> usize;

    /// The path to the goal without the start, for engines that store a path.
    fn steps(&self) -> Option<Vec<&P::State>> {
        None
    }

    /// Updates the bounds after a traced expansion.
    fn settle(&mut self, _task: &mut Task<P>) {}

    /// The value by which states are ordered, if that is not cost so far plus estimate.
    fn priority(&self, _cost: Cost, _estimate: Cost) -> Option<f64> {
        None
    }
}

/// The states that an engine stores.
pub(super) enum Kept<'a, S> {
    /// All states seen: a tree from the start and, in a bidirectional search, one from the goals. `side` is the side of the last
    /// expanded state.
    Trees {
        trees: &'a [Tree],
        side: Option<Side>,
    },
    Path(Path<'a, S>),
}

/// One path from the start.
pub(super) struct Path<'a, S> {
    /// Its last state, in canonical form.
    pub(super) tip: &'a S,
    /// The cost of the path.
    pub(super) cost: Cost,
    /// Number of moves to the tip.
    pub(super) depth: usize,
    /// The limit of the current iteration or of the current subtree.
    pub(super) bound: Option<Cost>,
    /// The last expanded state, if any.
    pub(super) last: &'a S,
    /// Number of states searched, for the proof that there is no goal.
    pub(super) searched: u64,
}

/// The problem to search, with the results so far.
pub(super) struct Task<P: Problem> {
    pub(super) problem: Arc<P>,
    pub(super) start: P::State,
    pub(super) guide: Guide<P>,
    /// The estimate for the start.
    pub(super) estimate: Cost,
    pub(super) moves: Vec<P::Move>,
    /// Counts; `stored` and `peak_bytes` are unused.
    pub(super) stats: Stats,
    /// A lower bound on the cost of every plan.
    pub(super) lower: Cost,
    /// The cost of the best plan found, for engines that store costs.
    pub(super) best: Option<Cost>,
    /// The plan, once its moves are known.
    pub(super) plan: Option<Plan<P::Move>>,
}

impl<P: Problem> Task<P> {
    /// The packed canonical form of the start.
    pub(super) fn root(&self) -> Vec<u8> {
        packed(&*self.problem, self.start.clone(), true)
    }

    pub(super) fn begins_at_goal(&self) -> bool {
        self.problem.is_goal(&self.start)
    }

    /// The cost of the best plan found.
    pub(super) fn upper(&self) -> Option<Cost> {
        self.best.or_else(|| self.plan.as_ref().map(|plan| plan.cost))
    }

    pub(super) fn count(&mut self, expanded: u64, generated: u64) {
        self.stats.expanded += expanded;
        self.stats.generated += generated;
    }

    fn bytes(&self) -> usize {
        self.moves.capacity() * size_of::<P::Move>() + self.guide.bytes()
    }

    /// The plan to the goal found by the engine, if there is one.
    fn written(&self, engine: &dyn Engine<P>, patience: Patience) -> Result<Option<Plan<P::Move>>, Limit> {
        if self.plan.is_some() {
            return Ok(self.plan.clone());
        }
        let (problem, start) = (&*self.problem, &self.start);
        match engine.kept() {
            Kept::Path(_) => match engine.steps() {
                Some(steps) => replay(problem, start, &mut steps.into_iter().cloned(), patience).map(Some),
                None => Ok(None),
            },
            Kept::Trees { trees, .. } => {
                // From the start to the goal, or to the state where the sides meet and from there to the goal.
                let path = |tree: &'_ Tree| tree.goal.map_or_else(Vec::new, |goal| tree.path(goal));
                let ahead = path(&trees[0]);
                if ahead.is_empty() {
                    return Ok(None);
                }
                let ahead = ahead.into_iter().skip(1).map(|id| trees[0].state(problem, id));
                let behind = trees[1..].iter().flat_map(|tree| path(tree).into_iter().rev().skip(1).map(|id| tree.state(problem, id)));
                replay(problem, start, &mut ahead.chain(behind), patience).map(Some)
            }
        }
    }
}

/// The budget of an expansion. Children are charged while they are generated, because with large states and many moves a single
/// expansion can take minutes and exceed the available memory.
pub(super) struct Budget<'a> {
    pub(super) limits: &'a Limits,
    /// Bytes left.
    left: usize,
    /// Bytes per child.
    each: usize,
    /// Number of children until the next check of the limits.
    until: u32,
    /// Number of children between two checks of the limits: 1 if states are large.
    every: u32,
}

/// Maximum number of children between two checks of the limits.
pub(super) const CHECK: usize = 32;
/// Maximum total size of these children, in bytes.
const CHECK_BYTES: usize = 16 << 10;

impl Budget<'_> {
    /// Returns an error if no more children may be generated.
    #[inline]
    pub(super) fn child(&mut self) -> Result<(), Limit> {
        self.until -= 1;
        if self.until == 0 { self.check() } else { Ok(()) }
    }

    /// Charges several children at once. If they are too many for a single check of the limits, charges none and returns false.
    #[inline]
    pub(super) fn children(&mut self, count: usize) -> Result<bool, Limit> {
        if count >= self.until as usize {
            if count >= self.every as usize {
                return Ok(false);
            }
            self.check()?;
        }
        self.until -= count as u32;
        Ok(true)
    }

    /// Generates the children of a state, in canonical form, and returns their number. Stops if `child` breaks or a limit is hit.
    #[inline]
    pub(super) fn expand<P: Problem>(
        &mut self,
        problem: &P,
        state: &P::State,
        moves: &mut Vec<P::Move>,
        mut child: impl FnMut(P::State, Cost) -> Result<(), Limit>,
    ) -> Result<u64, Limit> {
        // The number of children at which the limits are checked.
        let (mut made, mut pause, mut stopped) = (0, self.until, Ok(()));
        let _ = problem.expand(state, moves, |state, cost| {
            made += 1;
            if made == pause {
                self.until = 0;
                stopped = self.check();
                pause += self.until;
            }
            stopped = stopped.and_then(|()| child(state, cost));
            if stopped.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.until = pause - made;
        stopped.map(|()| u64::from(made))
    }

    /// Like [`Budget::expand`], but generates the states from which a move leads to `state`.
    pub(super) fn expand_back<P: Problem>(
        &mut self,
        problem: &P,
        state: &P::State,
        mut child: impl FnMut(P::State, Cost) -> Result<(), Limit>,
    ) -> Result<u64, Limit> {
        let (mut made, mut stopped) = (0, Ok(()));
        let Some(backward) = P::BACKWARD else { return Ok(0) };
        let _ = (backward.step)(problem, state, &mut |before, cost| {
            stopped = self.child().and_then(|()| child(problem.canonical(before), cost));
            if stopped.is_err() {
                return ControlFlow::Break(());
            }
            made += 1;
            ControlFlow::Continue(())
        });
        stopped.map(|()| made)
    }

    #[inline(never)]
    fn check(&mut self) -> Result<(), Limit> {
        self.charge();
        self.limits.check()?;
        if self.left == 0 { Err(Limit::Memory) } else { Ok(()) }
    }

    /// Charges the children generated since the last check.
    fn charge(&mut self) {
        self.left = self.left.saturating_sub((self.every - self.until) as usize * self.each);
        self.until = self.every;
    }
}

/// The size of a state in a buffer, in bytes. Its size on the heap is unknown and approximated by the size of its packed form.
pub(super) fn state_bytes<P: Problem>(problem: &P) -> usize {
    size_of::<P::State>() + heap_bytes(problem)
}

/// The approximate size of a state on the heap.
pub(super) fn heap_bytes<P: Problem>(problem: &P) -> usize {
    if std::mem::needs_drop::<P::State>() { problem.state_bytes() } else { 0 }
}

/// Amount of work between two checks of memory and progress: small enough to stop promptly, and large enough to make checks cheap.
const PERIOD: u64 = 1024;

/// The schedule on which a search checks memory and reports progress, and its budget between two checks.
struct Schedule {
    /// Number of new states for which each check requires memory in advance, in addition to `largest_step` states.
    soon: usize,
    period: u64,
    since_check: u64,
    /// The largest number of states generated in one step.
    largest_step: u64,
    /// Number of bytes left at the last memory check, minus those used since.
    room: usize,
    /// The field `each` of the next [`Budget`].
    each: usize,
    /// The field `every` of the next [`Budget`].
    every: u32,
    peak_bytes: usize,
}

impl Schedule {
    fn new(state_bytes: usize) -> Self {
        // Large states take longer to generate and fill memory faster.
        let period = PERIOD.min((1 << 20) / (state_bytes as u64 + 1)).max(16);
        Schedule { soon: 2 * period as usize, period, since_check: 0, largest_step: 0, room: 0, each: 0, every: 1, peak_bytes: 0 }
    }

    fn set_child(&mut self, bytes: usize, state_bytes: usize) {
        self.each = bytes;
        self.every = CHECK.min(CHECK_BYTES / (bytes + state_bytes).max(1)).max(1) as u32;
    }

    #[inline]
    fn is_due(&self) -> bool {
        self.since_check >= self.period
    }

    /// Makes the next step check the limits.
    fn make_due(&mut self) {
        self.since_check = self.period;
    }

    /// Checks memory and reports progress. `bytes(more)` is the number of bytes used after adding `more` states.
    fn check(&mut self, bytes: &dyn Fn(usize) -> usize, mut now: Progress, limits: &Limits) -> Result<(), Limit> {
        self.since_check = 0;
        now.bytes = bytes(0);
        self.peak_bytes = self.peak_bytes.max(now.bytes);
        limits.room(bytes(self.soon + self.largest_step as usize))?;
        self.room = limits.bytes.saturating_sub(now.bytes);
        limits.report(&now)
    }

    fn budget<'a>(&self, limits: &'a Limits) -> Budget<'a> {
        Budget { limits, left: self.room, each: self.each, until: self.every, every: self.every }
    }

    fn step(&mut self, done: u64, mut budget: Budget) {
        budget.charge();
        self.room = budget.left;
        self.since_check += done + 1;
        self.largest_step = self.largest_step.max(done + 1);
    }
}

/// A search in progress.
pub struct Search<P: Problem> {
    stage: Stage<P>,
    schedule: Schedule,
    /// Present if the search is traced.
    tracer: Option<Tracer<P>>,
}

/// The stage of a search. The first run builds the heuristic (under that run's limits) and then the engine.
#[allow(clippy::large_enum_variant, reason = "there are few searches, and almost all of them are ready")]
enum Stage<P: Problem> {
    Begun { problem: Arc<P>, start: P::State, heuristic: Option<&'static Heuristic<P>>, kind: Algorithm, weight: u32 },
    Ready(Task<P>, Box<dyn Engine<P>>),
}

impl<P: Problem> Search<P> {
    pub(super) fn new(problem: Arc<P>, start: P::State, heuristic: Option<&'static Heuristic<P>>, kind: Algorithm, weight: u32) -> Self {
        let schedule = Schedule::new(problem.state_bytes());
        Search { stage: Stage::Begun { problem, start, heuristic, kind, weight }, schedule, tracer: None }
    }

    /// Searches until there is an answer or a limit is hit. After `Unknown` it can be called again with larger limits and
    /// continues where it stopped. After an answer it returns the same answer again.
    pub fn run(&mut self, limits: &Limits) -> Verdict<P::Move> {
        let answer = self.answer(limits, None);
        self.settled(answer)
    }

    /// Like [`Search::run`], but passes every expansion to `emit`. A search must be traced from its beginning or not at all.
    pub fn trace(&mut self, limits: &Limits, emit: Emit<'_, P>) -> Verdict<P::Move> {
        let answer = self.answer(limits, Some(emit));
        self.settled(answer)
    }

    /// Expands one state.
    pub fn step(&mut self) -> Verdict<P::Move> {
        let next = self.stats().expanded + 1;
        self.run(&Limits::nodes(next))
    }

    /// A snapshot of the search.
    pub fn look(&self) -> Look<P::State> {
        let stats = self.stats();
        let Stage::Ready(task, engine) = &self.stage else { return Look { open: 0, closed: 0, lower: 0, upper: None, stats, last: None } };
        let (open, closed) = engine.open_and_closed(&task.stats);
        let last = match engine.kept() {
            Kept::Path(path) => (task.stats.expanded > 0).then(|| path.last.clone()),
            Kept::Trees { trees, side } => {
                let tree = tree(trees, side);
                tree.last.map(|id| tree.state(&*task.problem, id))
            }
        };
        Look { open, closed, lower: task.lower, upper: task.upper(), stats, last }
    }

    pub fn stats(&self) -> Stats {
        let Stage::Ready(task, engine) = &self.stage else { return Stats::default() };
        let bytes = engine.bytes(&task.problem, 0) + task.bytes();
        Stats { stored: engine.kept().len(), peak_bytes: self.schedule.peak_bytes.max(bytes), ..task.stats }
    }

    /// Builds the engine, if there is none yet.
    fn prepare(&mut self, limits: &Limits) -> Result<(), Limit> {
        if let Stage::Begun { problem, start, heuristic, kind, weight } = &self.stage {
            limits.check()?;
            let guide = Guide::new(*heuristic, &**problem, limits)?;
            let estimate = guide.at(problem, start, limits)?;
            let lower = if guide.admissible && estimate != DEAD { estimate } else { 0 };
            let (problem, start, moves, stats) = (Arc::clone(problem), start.clone(), Vec::new(), Stats::default());
            let mut task = Task { problem, start, guide, estimate, moves, stats, lower, best: None, plan: None };
            let engine = super::engine(*kind, *weight, &mut task);
            self.schedule.set_child(engine.child_bytes(&task.problem), task.problem.state_bytes());
            self.stage = Stage::Ready(task, engine);
        }
        Ok(())
    }

    /// Continues until there is an answer. A traced search does one expansion at a time.
    fn answer(&mut self, limits: &Limits, mut emit: Option<Emit<'_, P>>) -> Result<Verdict<P::Move>, Limit> {
        self.prepare(limits)?;
        let (schedule, Stage::Ready(task, engine)) = (&mut self.schedule, &mut self.stage) else { unreachable!("it was just prepared") };
        if emit.is_some() && self.tracer.is_none() {
            self.tracer = Some(Tracer::new(task, &engine.kept()));
        }
        // The first step of a run always checks the limits.
        schedule.make_due();
        while engine.advance(task) {
            let expanded = task.stats.expanded;
            if expanded >= limits.nodes {
                return Err(Limit::Nodes);
            }
            let fresh = schedule.is_due();
            if fresh {
                let Stats { generated, .. } = task.stats;
                let open = engine.open_and_closed(&task.stats).0;
                let now = Progress { expanded, generated, open, bytes: 0, lower: task.lower, upper: task.upper() };
                schedule.check(&|more| engine.bytes(&task.problem, more) + task.bytes(), now, limits)?;
            }
            let mut budget = schedule.budget(limits);
            let most = if emit.is_some() { 1 } else { limits.nodes - expanded };
            match engine.work(task, most, &mut budget) {
                Ok(done) => {
                    schedule.step(done, budget);
                    if let (Some(emit), Some(tracer)) = (&mut emit, &mut self.tracer)
                        && task.stats.expanded > expanded
                    {
                        engine.settle(task);
                        emit(tracer.see(task, &**engine, limits));
                    }
                }
                // The number of bytes left is out of date, because buffers have been emptied. Try again after a new check.
                Err(Limit::Memory) if !fresh => schedule.make_due(),
                Err(limit) => return Err(limit),
            }
        }
        task.plan = task.written(&**engine, Patience::Limits(limits))?;
        Ok(match &task.plan {
            Some(plan) => Verdict::Solved { lower: task.lower.min(plan.cost), plan: plan.clone() },
            None => Verdict::Unsolvable(Why::Exhausted { states: engine.kept().searched() }),
        })
    }

    /// The answer, or the bounds and the best plan at the limit.
    fn settled(&self, answer: Result<Verdict<P::Move>, Limit>) -> Verdict<P::Move> {
        answer.unwrap_or_else(|limit| {
            let Stage::Ready(task, engine) = &self.stage else { return Verdict::Unknown { limit, lower: 0, best: None } };
            let best = task.written(&**engine, Patience::short()).ok().flatten();
            Verdict::Unknown { limit, lower: task.lower, best }
        })
    }
}

impl<S> Kept<'_, S> {
    /// Number of distinct states stored.
    fn len(&self) -> u64 {
        match self {
            Kept::Trees { trees, .. } => trees.iter().map(|tree| tree.len() as u64).sum(),
            Kept::Path(path) => path.depth as u64 + 1,
        }
    }

    /// Number of states searched, once no state is left.
    fn searched(&self) -> u64 {
        match self {
            Kept::Trees { .. } => self.len(),
            Kept::Path(path) => path.searched,
        }
    }
}

pub(super) fn tree(trees: &[Tree], side: Option<Side>) -> &Tree {
    &trees[usize::from(side == Some(Side::Backward))]
}
