//! The default method where a game's own solver is best on most boards and very slow on some: a plain search takes turns with it.
//!
//! The solver runs once. About once in a millisecond it lets the search make some more states; the first to have an answer gives it.
//! So a board takes at most a small factor of what the better of the two needs, and one that the solver decides before the first turn
//! takes no more than without the search. Turns are counted in work of the solver and states of the search, never in seconds: answers
//! and counts are the same on every machine.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::methods::{self, Chosen};
use super::one_player::OnePlayer;
use super::run::{Solving, promised};
use super::{Inside, Run, SelfCheck};
use crate::drawing::Drawing;
use crate::limits::{Limit, Limits, Progress, Sink};
use crate::outcome::{Outcome, Stats, Verdict};
use crate::report::{Proof, Report};
use crate::rules::{Problem, Solver};
use crate::search::{self, Search, WEIGHT_ONE};
use crate::trace::Line;

/// States that the search expands at a time.
const STEP: u64 = 16;
/// The part of the nodes and bytes allowed that the search may use while the solver runs.
const PART: u64 = 4;

/// A game's own solver and the search that takes turns with it.
pub(super) struct Sharing<P: Problem> {
    puzzle: OnePlayer<P>,
    solver: &'static Solver<P>,
    beside: Chosen<P>,
    /// States that the search makes in a turn, about.
    share: u64,
    /// The answer until it is reported, and the method that gave it.
    found: Option<(String, Proof, Outcome<P::Move>)>,
}

/// The search in its turns.
struct Beside<P: Problem> {
    search: Search<P>,
    /// States that it should have made by now.
    due: u64,
    /// Has it reached its limits?
    stopped: bool,
    answer: Option<Verdict<P::Move>>,
}

impl<P: Problem> Beside<P> {
    /// Searches until there is an answer or a limit is hit.
    fn run(&mut self, limits: &Limits) -> Result<(), Limit> {
        match self.search.run(limits) {
            Verdict::Unknown { limit, .. } => Err(limit),
            answer => {
                self.answer = Some(answer);
                Ok(())
            }
        }
    }

    /// Takes its turn. An answer ends the solver.
    fn turn(&mut self, share: u64, limits: &Limits) -> Result<(), Limit> {
        self.due += share;
        while !self.stopped && self.search.stats().generated < self.due {
            let nodes = limits.nodes.min(self.search.stats().expanded + STEP);
            self.stopped = self.run(&limits.with_nodes(nodes)) != Err(Limit::Nodes) || nodes == limits.nodes;
        }
        if self.answer.is_some() { Err(Limit::Time) } else { Ok(()) }
    }
}

impl<P: Problem + Drawing> Sharing<P> {
    pub(super) fn new(puzzle: OnePlayer<P>, solver: &'static Solver<P>, (beside, share): (Chosen<P>, u64)) -> Self {
        Sharing { puzzle, solver, beside, share, found: None }
    }

    fn begin(&self) -> Option<Search<P>> {
        let Chosen::Search(method, heuristic) = self.beside else { return None };
        Some(search::begin(method.kind, Arc::clone(&self.puzzle.problem), self.puzzle.start.clone(), heuristic, WEIGHT_ONE))
    }

    fn solve(&self, limits: &Limits) -> (String, Proof, Outcome<P::Move>) {
        let (problem, start) = (&*self.puzzle.problem, &self.puzzle.start);
        let own = |outcome| (self.solver.name.to_owned(), promised(self.solver.optimal), outcome);
        let Some(search) = self.begin() else { return own((self.solver.run)(problem, start, limits)) };
        let beside = Arc::new(Mutex::new(Beside { search, due: 0, stopped: false, answer: None }));
        let expanded = Arc::new(AtomicU64::new(0));
        let part = Limits { nodes: limits.nodes / PART, bytes: limits.bytes / PART as usize, progress: None, ..limits.clone() };
        let rest = Limits {
            nodes: limits.nodes - part.nodes,
            bytes: limits.bytes - part.bytes,
            progress: limits.progress.clone().map(|sink| in_total(sink, Arc::clone(&expanded))),
            turn: Some({
                let (beside, expanded, share) = (Arc::clone(&beside), Arc::clone(&expanded), self.share);
                Arc::new(move || {
                    let mut beside = lock(&beside);
                    let turn = beside.turn(share, &part);
                    expanded.store(beside.search.stats().expanded, Ordering::Relaxed);
                    turn
                })
            }),
            ..limits.clone()
        };
        let mut outcome = (self.solver.run)(problem, start, &rest);
        let mut beside = lock(&beside);
        // Both hold memory until here, and only the search from here on.
        let held = outcome.stats.peak_bytes + beside.search.stats().peak_bytes;
        if let Verdict::Unknown { mut limit, lower, best } = outcome.verdict {
            // What is left is for the search.
            if beside.answer.is_none() && limits.check().is_ok() {
                expanded.store(outcome.stats.expanded, Ordering::Relaxed);
                let progress = limits.progress.clone().map(|sink| in_total(sink, Arc::clone(&expanded)));
                let nodes = limits.nodes - outcome.stats.expanded;
                limit = beside.run(&Limits { nodes, progress, ..limits.clone() }).err().unwrap_or(limit);
            }
            outcome.verdict = Verdict::Unknown { limit, lower: lower.max(beside.search.look().lower), best };
        }
        let stats = sum(outcome.stats, beside.search.stats(), held);
        match beside.answer.take() {
            Some(verdict) => (self.beside.name(), promised(self.promises()), Outcome::new(verdict, stats)),
            None => own(Outcome { stats, ..outcome }),
        }
    }

    /// Does the search promise least-cost plans?
    fn promises(&self) -> bool {
        matches!(self.beside, Chosen::Search(method, heuristic) if methods::promises(&*self.puzzle.problem, method, heuristic))
    }
}

/// Adds what the other method has expanded to the progress that is reported.
fn in_total(sink: Sink, expanded: Arc<AtomicU64>) -> Sink {
    Arc::new(move |progress| sink(&Progress { expanded: progress.expanded + expanded.load(Ordering::Relaxed), ..*progress }))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What both took; `held` is the memory that both held at the same time, at most.
fn sum(one: Stats, other: Stats, held: usize) -> Stats {
    Stats {
        expanded: one.expanded + other.expanded,
        generated: one.generated + other.generated,
        reopened: one.reopened + other.reopened,
        stored: one.stored + other.stored,
        peak_bytes: held.max(other.peak_bytes),
    }
}

impl<P: Problem + Drawing> Run for Sharing<P> {
    fn work(&mut self, limits: &Limits) {
        self.found = Some(self.solve(limits));
    }

    fn advance(&mut self, limits: &Limits) -> Result<Report, SelfCheck> {
        let (method, proof, outcome) = self.found.take().unwrap_or_else(|| self.solve(limits));
        self.puzzle.report(&method, proof, outcome, limits)
    }

    fn trace(&mut self, states: bool, limits: &Limits, emit: &mut dyn FnMut(Line)) -> Result<Report, SelfCheck> {
        Solving { puzzle: self.puzzle.clone(), solver: self.solver, found: None }.trace(states, limits, emit)
    }

    fn resumes(&self) -> bool {
        false
    }

    fn look(&self) -> Option<Inside> {
        None
    }
}
