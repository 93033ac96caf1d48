//! The default method where a game's own solver is best on most boards and very slow on some: a plain search takes turns with it.
//!
//! The solver runs once. About once in a millisecond it lets the search make some more states; the first to have an answer gives it.
//! So a board takes at most a small factor of what the better of the two needs, and one that the solver decides before the first turn
//! takes no more than without the search. Turns are counted in work of the solver and states of the search, never in seconds: answers
//! and counts are the same on every machine.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::methods::{self, ChosenMethod};
use super::run::{SolverRun, promised};
use super::{Inside, Run, SelfCheck};
use crate::drawing::Drawing;
use crate::limits::{Limit, Limits, Progress, Sink};
use crate::outcome::{Outcome, Stats, Verdict};
use crate::report::{ProofSource, Report};
use crate::rules::{Cost, Problem};
use crate::search::{Search, WEIGHT_ONE};
use crate::trace::Line;

/// States that the search expands at a time.
const STEP: u64 = 16;
/// The part of the nodes and bytes allowed that the search may use while the solver runs.
const PART: u64 = 4;

/// A game's own solver and the search that takes turns with it.
pub(super) struct SharedRun<P: Problem> {
    solver: SolverRun<P>,
    beside: ChosenMethod,
    /// States that the search makes in a turn, about.
    share: u64,
    /// The answer until it is reported, and the method that gave it.
    found: Option<(String, ProofSource, Outcome<P::Move>)>,
}

/// A search that is resumed in every turn, without its types.
trait Resumed: Send {
    /// Searches until there is an answer or a limit is hit.
    fn run(&mut self, limits: &Limits) -> Result<(), Limit>;
    fn has_answer(&self) -> bool;
    fn stats(&self) -> Stats;
    fn lower(&self) -> Cost;
}

struct ResumedSearch<P: Problem> {
    search: Search<P>,
    answer: Option<Verdict<P::Move>>,
}

impl<P: Problem> Resumed for ResumedSearch<P> {
    fn run(&mut self, limits: &Limits) -> Result<(), Limit> {
        match self.search.run(limits) {
            Verdict::Unknown { limit, .. } => Err(limit),
            answer => {
                self.answer = Some(answer);
                Ok(())
            }
        }
    }

    fn has_answer(&self) -> bool {
        self.answer.is_some()
    }

    fn stats(&self) -> Stats {
        self.search.stats()
    }

    fn lower(&self) -> Cost {
        self.search.look().lower
    }
}

/// The turns of the search.
struct Turns {
    /// States made in a turn, about, and those that should have been made by now.
    share: u64,
    due: u64,
    /// Has the search reached its limits?
    stopped: bool,
}

impl Turns {
    /// Takes a turn. An answer ends the solver.
    fn take(&mut self, search: &mut dyn Resumed, limits: &Limits) -> Result<(), Limit> {
        self.due += self.share;
        while !self.stopped && search.stats().generated < self.due {
            let nodes = limits.nodes.min(search.stats().expanded + STEP);
            self.stopped = search.run(&limits.with_nodes(nodes)) != Err(Limit::Nodes) || nodes == limits.nodes;
        }
        if search.has_answer() { Err(Limit::Time) } else { Ok(()) }
    }
}

/// The counts of a solver, and the limit that ended it with the bound that it proved.
type SolverEnd = (Stats, Option<(Limit, Cost)>);

/// Runs a solver and a search in turns, and gives the counts of both. If a limit ended the solver, what is left is for the search.
fn take_turns(search: Arc<Mutex<dyn Resumed>>, share: u64, limits: &Limits, solve: &mut dyn FnMut(&Limits) -> SolverEnd) -> SolverEnd {
    let expanded = Arc::new(AtomicU64::new(0));
    let part = Limits { nodes: limits.nodes / PART, bytes: limits.bytes / PART as usize, progress: None, ..limits.clone() };
    let turns = Mutex::new(Turns { share, due: 0, stopped: false });
    let rest = Limits {
        nodes: limits.nodes - part.nodes,
        bytes: limits.bytes - part.bytes,
        progress: limits.progress.clone().map(|sink| in_total(sink, Arc::clone(&expanded))),
        turn: Some({
            let (search, expanded) = (Arc::clone(&search), Arc::clone(&expanded));
            Arc::new(move || {
                let mut search = lock(&*search);
                let turn = lock(&turns).take(&mut *search, &part);
                expanded.store(search.stats().expanded, Ordering::Relaxed);
                turn
            })
        }),
        ..limits.clone()
    };
    let (stats, mut end) = solve(&rest);
    let mut search = lock(&*search);
    // Both hold memory until here, and only the search from here on.
    let held = stats.peak_bytes + search.stats().peak_bytes;
    if let Some((limit, lower)) = &mut end {
        if !search.has_answer() && limits.check().is_ok() {
            expanded.store(stats.expanded, Ordering::Relaxed);
            let progress = limits.progress.clone().map(|sink| in_total(sink, Arc::clone(&expanded)));
            let nodes = limits.nodes - stats.expanded;
            *limit = search.run(&Limits { nodes, progress, ..limits.clone() }).err().unwrap_or(*limit);
        }
        *lower = search.lower().max(*lower);
    }
    (sum(stats, search.stats(), held), end)
}

impl<P: Problem + Drawing> SharedRun<P> {
    pub(super) fn new(solver: SolverRun<P>, (beside, share): (ChosenMethod, u64)) -> Self {
        SharedRun { solver, beside, share, found: None }
    }

    fn solve(&self, limits: &Limits) -> (String, ProofSource, Outcome<P::Move>) {
        let SolverRun { puzzle, solver, .. } = &self.solver;
        let own = |outcome| (solver.name.to_owned(), promised(solver.optimal), outcome);
        let ChosenMethod::Search(method, heuristic) = self.beside else { return own(self.solver.solve(limits, None)) };
        let search = Arc::new(Mutex::new(ResumedSearch { search: puzzle.search(method, heuristic, WEIGHT_ONE), answer: None }));
        let mut found = None;
        let (stats, end) = take_turns(Arc::clone(&search) as _, self.share, limits, &mut |limits| {
            let outcome = found.insert(self.solver.solve(limits, None));
            let end = if let Verdict::Unknown { limit, lower, .. } = outcome.verdict { Some((limit, lower)) } else { None };
            (outcome.stats, end)
        });
        if let Some(verdict) = lock(&search).answer.take() {
            let proof = promised(methods::promises(puzzle, method, heuristic));
            return (methods::name(puzzle, self.beside), proof, Outcome::new(verdict, stats));
        }
        let mut outcome = Outcome { stats, ..found.expect("the solver has run") };
        if let (Some(end), Verdict::Unknown { limit, lower, .. }) = (end, &mut outcome.verdict) {
            (*limit, *lower) = end;
        }
        own(outcome)
    }
}

/// Adds what the other method has expanded to the progress that is reported.
fn in_total(sink: Sink, expanded: Arc<AtomicU64>) -> Sink {
    Arc::new(move |progress| sink(&Progress { expanded: progress.expanded + expanded.load(Ordering::Relaxed), ..*progress }))
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The counts of both; `held` is the memory that both held at the same time, at most.
fn sum(one: Stats, other: Stats, held: usize) -> Stats {
    Stats {
        expanded: one.expanded + other.expanded,
        generated: one.generated + other.generated,
        reopened: one.reopened + other.reopened,
        stored: one.stored + other.stored,
        peak_bytes: held.max(other.peak_bytes),
    }
}

impl<P: Problem + Drawing> Run for SharedRun<P> {
    fn work(&mut self, limits: &Limits) {
        self.found = Some(self.solve(limits));
    }

    fn advance(&mut self, limits: &Limits) -> Result<Report, SelfCheck> {
        let (method, proof, outcome) = self.found.take().unwrap_or_else(|| self.solve(limits));
        self.solver.puzzle.report(&method, proof, outcome, limits)
    }

    fn trace(&mut self, states: bool, limits: &Limits, emit: &mut dyn FnMut(Line)) -> Result<Report, SelfCheck> {
        self.solver.trace(states, limits, emit)
    }

    fn resumes(&self) -> bool {
        false
    }

    fn look(&self) -> Option<Inside> {
        None
    }
}
