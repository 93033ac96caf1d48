//! The default method where a game's own solver is best on most boards and very slow on some: a plain search takes turns with it.
//!
//! The solver runs once. About once in a millisecond it lets the search make some more states; the first answer counts. So a board
//! takes at most a small factor of the time that the better of the two needs, and a board that the solver decides before the first
//! turn takes no more than without the search. Turns are counted in work of the solver and states of the search, never in seconds:
//! answers and counts are the same on every machine.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::methods::{self, ChosenMethod};
use super::run::{SolverRun, promised};
use super::{Run, SelfCheck, TraceSink};
use crate::drawing::Drawing;
use crate::limits::{Limit, Limits, Progress, Sink};
use crate::outcome::{Outcome, Stats, Verdict};
use crate::report::{ProofSource, Report};
use crate::rules::{Cost, Problem};
use crate::search::{Look, Method, WEIGHT_ONE};

/// Number of states that the search expands at a time.
const STEP: u64 = 16;
/// While the solver runs, the limits on nodes and bytes are divided by this for the search.
const PART: u64 = 4;

/// A game's own solver and the search that takes turns with it.
pub(super) struct SharedRun<P: Problem> {
    solver: SolverRun<P>,
    beside: ChosenMethod,
    /// The approximate number of states that the search makes in a turn.
    share: u64,
    /// The answer of the search, with its method, until it is reported. The answer of the solver is in `solver`.
    found: Option<(String, ProofSource, Outcome<P::Move>)>,
}

/// A search that is resumed in every turn, without its types.
struct Turns {
    /// Searches until there is an answer or a limit is hit.
    search: Box<ResumeFn>,
    /// The search after its last run.
    last: Searched,
    /// The approximate number of states made in a turn, and those that should have been made by now.
    share: u64,
    due: u64,
    /// Has the search reached its limits?
    stopped: bool,
}

type ResumeFn = dyn FnMut(&Limits) -> Searched + Send;

/// A search after a run: an answer or the limit that ended the run, its counts, and the bound that it proved.
struct Searched {
    answer: Result<(), Limit>,
    stats: Stats,
    lower: Cost,
}

impl Turns {
    /// Takes a turn. An answer ends the solver.
    fn take(&mut self, limits: &Limits) -> Result<(), Limit> {
        self.due += self.share;
        while !self.stopped && self.last.stats.generated < self.due {
            let nodes = limits.nodes.min(self.last.stats.expanded + STEP);
            self.last = (self.search)(&limits.with_nodes(nodes));
            self.stopped = self.last.answer != Err(Limit::Nodes) || nodes == limits.nodes;
        }
        if self.last.answer.is_ok() { Err(Limit::Time) } else { Ok(()) }
    }
}

/// The counts of a solver, and the limit that ended it with the bound that it proved.
type SolverEnd = (Stats, Option<(Limit, Cost)>);

/// Runs a solver and a search in turns, and returns the counts of both. If a limit ended the solver, the search gets what is left.
fn take_turns(search: Box<ResumeFn>, share: u64, limits: &Limits, solve: &mut dyn FnMut(&Limits) -> SolverEnd) -> SolverEnd {
    let expanded = Arc::new(AtomicU64::new(0));
    let part = Limits { nodes: limits.nodes / PART, bytes: limits.bytes / PART as usize, progress: None, ..limits.clone() };
    let last = Searched { answer: Err(Limit::Nodes), stats: Stats::default(), lower: 0 };
    let turns = Arc::new(Mutex::new(Turns { search, last, share, due: 0, stopped: false }));
    let rest = Limits {
        nodes: limits.nodes - part.nodes,
        bytes: limits.bytes - part.bytes,
        progress: limits.progress.clone().map(|sink| in_total(sink, Arc::clone(&expanded))),
        turn: Some({
            let (turns, expanded) = (Arc::clone(&turns), Arc::clone(&expanded));
            Arc::new(move || {
                let mut turns = lock(&turns);
                let turn = turns.take(&part);
                expanded.store(turns.last.stats.expanded, Ordering::Relaxed);
                turn
            })
        }),
        ..limits.clone()
    };
    let (stats, mut end) = solve(&rest);
    let Turns { search, last, .. } = &mut *lock(&turns);
    // Both hold memory until here, and only the search from here on.
    let held = stats.peak_bytes + last.stats.peak_bytes;
    if let Some((limit, lower)) = &mut end {
        if last.answer.is_err() && limits.check().is_ok() {
            expanded.store(stats.expanded, Ordering::Relaxed);
            let progress = limits.progress.clone().map(|sink| in_total(sink, Arc::clone(&expanded)));
            *last = search(&Limits { nodes: limits.nodes - stats.expanded, progress, ..limits.clone() });
            *limit = last.answer.err().unwrap_or(*limit);
        }
        *lower = last.lower.max(*lower);
    }
    (Stats { peak_bytes: held.max(last.stats.peak_bytes), ..stats.plus(last.stats) }, end)
}

/// Adds the states that the other method has expanded to the progress that is reported.
fn in_total(sink: Sink, expanded: Arc<AtomicU64>) -> Sink {
    Arc::new(move |progress| sink(&Progress { expanded: progress.expanded + expanded.load(Ordering::Relaxed), ..*progress }))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<P: Problem + Drawing> SharedRun<P> {
    pub(super) fn new(solver: SolverRun<P>, (beside, share): (ChosenMethod, u64)) -> Self {
        SharedRun { solver, beside, share, found: None }
    }

    /// Runs the solver and the search in turns. The answer of the search, if there is one, comes with its method.
    fn solve_in_turns(&mut self, method: &'static Method, heuristic: Option<usize>, limits: &Limits) {
        let answer = Arc::new(Mutex::new(None));
        let (mut search, found) = (self.solver.puzzle.search(method, heuristic, WEIGHT_ONE), Arc::clone(&answer));
        let search = Box::new(move |limits: &Limits| {
            let answer = match search.run(limits) {
                Verdict::Unknown { limit, .. } => Err(limit),
                verdict => {
                    *lock(&found) = Some(verdict);
                    Ok(())
                }
            };
            let Look { stats, lower, .. } = search.look();
            Searched { answer, stats, lower }
        });
        let solver = &mut self.solver;
        let (stats, end) = take_turns(search, self.share, limits, &mut |limits| {
            solver.work(limits);
            let Outcome { verdict, stats, .. } = solver.found.as_ref().expect("the solver has run");
            (*stats, if let Verdict::Unknown { limit, lower, .. } = verdict { Some((*limit, *lower)) } else { None })
        });
        if let Some(verdict) = lock(&answer).take() {
            let proof = promised(methods::promises(&self.solver.puzzle, method, heuristic));
            self.found = Some((methods::name(&self.solver.puzzle, self.beside), proof, Outcome::new(verdict, stats)));
            self.solver.found = None;
        } else if let Some(outcome) = &mut self.solver.found {
            outcome.stats = stats;
            if let (Some(end), Verdict::Unknown { limit, lower, .. }) = (end, &mut outcome.verdict) {
                (*limit, *lower) = end;
            }
        }
    }
}

impl<P: Problem + Drawing> Run for SharedRun<P> {
    fn advance(&mut self, limits: &Limits) -> Result<Report, SelfCheck> {
        if self.found.is_none() && self.solver.found.is_none() {
            self.work(limits);
        }
        match self.found.take() {
            Some((method, proof, outcome)) => self.solver.puzzle.report(&method, proof, outcome, limits),
            None => self.solver.advance(limits),
        }
    }

    fn solve(&mut self, limits: &Limits, trace: Option<TraceSink<'_>>) {
        match self.beside {
            ChosenMethod::Search(method, heuristic) if trace.is_none() => self.solve_in_turns(method, heuristic, limits),
            _ => self.solver.solve(limits, trace),
        }
    }
}
