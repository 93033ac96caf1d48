//! One-player solvers in progress: a game's own solver, which runs in one go, and searches, which can be stopped and resumed.
//! Before a search gives up, and earlier if that is likely to pay off, it tries to find a short proof that there is no plan.

use super::methods::{self, ChosenMethod};
use super::one_player::{Erased, OnePlayer};
use super::{Choice, Inside, Run, SelfCheck, TraceSink};
use crate::drawing::Drawing;
use crate::limits::{Limit, Limits};
use crate::notation::Notation;
use crate::outcome::{Certificate, Outcome, Verdict, Why};
use crate::report::{ProofSource, Report};
use crate::rules::{Problem, Solver};
use crate::search::{Emit, Look, Method, Search};
use crate::trace::{ChildLine, Expanded, Line, Numbers, Way};

/// The source of the proof that a cost is least, depending on whether the method promises least-cost plans.
pub(super) fn promised(promises: bool) -> ProofSource {
    if promises { ProofSource::Method } else { ProofSource::Bound }
}

/// A game's own solver.
pub(super) struct SolverRun<P: Problem> {
    pub(super) puzzle: OnePlayer<P>,
    pub(super) solver: &'static Solver<P>,
    /// The result, if there is one that has not been reported yet.
    pub(super) found: Option<Outcome<P::Move>>,
}

impl<P: Problem + Drawing> Run for SolverRun<P> {
    fn advance(&mut self, limits: &Limits) -> Result<Report, SelfCheck> {
        if self.found.is_none() {
            self.work(limits);
        }
        let found = self.found.take().expect("the solver has run");
        self.puzzle.report(self.solver.name, promised(self.solver.optimal), found, limits)
    }

    /// Emits expanded states only if the solver supports tracing.
    fn solve(&mut self, limits: &Limits, trace: Option<TraceSink<'_>>) {
        let (problem, start) = (&*self.puzzle.problem, &self.puzzle.start);
        self.found = Some(match (trace, self.solver.trace) {
            (Some(mut sink), Some(traced)) => traced(problem, start, limits, &mut lines(&self.puzzle, &mut sink, &mut 0)),
            _ => (self.solver.run)(problem, start, limits),
        });
    }
}

/// Number of states to expand before trying a short proof that is not quick. Such a proof may take longer than an easy search.
const REFUTE_AFTER: u64 = 10_000;

pub(super) struct SearchRun<P: Problem> {
    puzzle: OnePlayer<P>,
    name: String,
    /// True if the game chose the method; in that case, a short proof ends the search. A method chosen by name continues its
    /// search, so that the counts are those of the method, and the proof is used only if the search gives up.
    free: bool,
    search: Search<P>,
    /// Number of trace lines so far.
    lines: u64,
    /// `None` until a short proof has been tried; after that, the proof, or `Some(None)` if none was found.
    short: Option<Option<Certificate>>,
    /// True if the method promises least-cost plans on this board.
    promises: bool,
    /// The source of the proof, if the last answer is proved.
    proof: ProofSource,
    /// The result, if there is one that has not been reported yet.
    found: Option<Verdict<P::Move>>,
}

impl<P: Problem + Drawing> SearchRun<P> {
    pub(super) fn new(puzzle: OnePlayer<P>, method: &'static Method, heuristic: Option<usize>, choice: &Choice) -> Self {
        let name = methods::name(&puzzle, ChosenMethod::Search(method, heuristic));
        let search = puzzle.search(method, heuristic, choice.weight);
        let promises = methods::promises(&puzzle, method, heuristic);
        let (free, proof) = (choice.method.is_none(), promised(promises));
        SearchRun { puzzle, name, free, search, lines: 0, short: None, promises, proof, found: None }
    }

    /// Tries to find a short proof. A second call tries again only if a limit stopped the first.
    fn refute(&mut self, limits: &Limits) -> Option<Certificate> {
        if self.short.is_none() {
            let found = self.puzzle.refute(&limits.with_nodes(u64::MAX));
            self.short = (found.is_some() || limits.check().is_ok()).then_some(found);
        }
        self.short.clone().flatten()
    }

    /// Makes a short proof the answer. `gave_up` is the limit that had ended the search, if any.
    fn proved(&mut self, certificate: Certificate, gave_up: Option<Limit>) -> Verdict<P::Move> {
        self.proof = ProofSource::Certificate { gave_up };
        Verdict::Unsolvable(Why::Certificate(certificate))
    }

    fn verdict(&mut self, limits: &Limits, mut emit: Option<Emit<'_, P>>) -> Verdict<P::Move> {
        self.proof = promised(self.promises);
        let quick = P::PROOFS.is_some_and(|proofs| proofs.quick);
        if quick
            && self.free
            && let Some(certificate) = self.refute(limits)
        {
            return self.proved(certificate, None);
        }
        // Pause the search to try a proof that may take a moment.
        let asks = P::PROOFS.is_some() && self.short.is_none();
        let pause = limits.with_nodes(if asks { limits.nodes.min(REFUTE_AFTER) } else { limits.nodes });
        let mut run = |search: &mut Search<P>, limits: &Limits| match &mut emit {
            None => search.run(limits),
            Some(emit) => search.trace(limits, &mut |expanded| emit(expanded)),
        };
        let mut verdict = run(&mut self.search, &pause);
        if pause.nodes < limits.nodes
            && let Verdict::Unknown { limit: Limit::Nodes, best, .. } = &verdict
        {
            // A board with a plan has no such proof.
            let free = self.free;
            if best.is_none()
                && let Some(certificate) = self.refute(limits).filter(|_| free)
            {
                return self.proved(certificate, None);
            }
            verdict = run(&mut self.search, limits);
        }
        // Before giving up, try a short proof. After the time limit, try only a quick one.
        if let (Verdict::Unknown { limit, best: None, .. }, Some(_)) = (&verdict, P::PROOFS) {
            let over = Limits { cancel: Default::default(), ..limits.clone() };
            let last = if quick { &over } else { limits };
            if let Some(certificate) = self.refute(last) {
                return self.proved(certificate, Some(*limit));
            }
        }
        verdict
    }
}

impl<P: Problem + Drawing> Run for SearchRun<P> {
    fn advance(&mut self, limits: &Limits) -> Result<Report, SelfCheck> {
        if self.found.is_none() {
            self.work(limits);
        }
        let verdict = self.found.take().expect("the search has run");
        self.puzzle.report(&self.name, self.proof, Outcome::new(verdict, self.search.stats()), limits)
    }

    fn solve(&mut self, limits: &Limits, trace: Option<TraceSink<'_>>) {
        self.found = Some(match trace {
            None => self.verdict(limits, None),
            Some(mut sink) => {
                let (puzzle, mut count) = (self.puzzle.clone(), self.lines);
                let verdict = self.verdict(limits, Some(&mut lines(&puzzle, &mut sink, &mut count)));
                self.lines = count;
                verdict
            }
        });
    }

    fn resumes(&self) -> bool {
        true
    }

    fn look(&self) -> Option<Inside> {
        let Look { open, closed, lower, upper, stats, last } = self.search.look();
        Some(Look { open, closed, lower, upper, stats, last: last.map(|state| self.puzzle.problem.write(&state)) })
    }
}

/// Converts expanded states to lines, numbered from `count`.
fn lines<P: Problem + Drawing>(puzzle: &OnePlayer<P>, sink: &mut TraceSink<'_>, count: &mut u64) -> impl FnMut(Expanded<P>) {
    let problem = &*puzzle.problem;
    move |expanded| {
        *count += 1;
        let numbers = |g, h, priority| Some(Numbers { g, h, priority });
        let place = |state: &P::State| P::TRACK.map(|track| (track.place)(problem, state));
        let place_of_child = |child: &crate::trace::Child<P>| {
            P::TRACK?;
            let mut state = child.from.as_ref().unwrap_or(&expanded.state).clone();
            if child.from.is_none() {
                child.moves.iter().for_each(|mv| (P::REPLAY.make)(problem, &mut state, mv));
            }
            place(&state)
        };
        let child = |child: &crate::trace::Child<P>| ChildLine {
            id: child.id,
            mv: written(problem, child.from.as_ref().unwrap_or(&expanded.state), &child.moves),
            numbers: numbers(child.cost, child.estimate, child.priority),
            value: None,
            fate: child.fate,
            goal: child.goal,
            place: place_of_child(child),
        };
        (sink.emit)(Line {
            n: *count,
            id: expanded.id,
            parent: expanded.parent,
            mv: expanded.way.as_ref().map(|Way { from, moves }| written(problem, from, moves)),
            depth: expanded.depth,
            numbers: numbers(expanded.cost, expanded.estimate, expanded.priority),
            value: None,
            judged: None,
            open: Some(expanded.open),
            lower: Some(expanded.lower),
            upper: expanded.upper,
            bound: expanded.bound,
            side: expanded.side,
            state: sink.states.then(|| problem.write(&expanded.state)),
            place: place(&expanded.state),
            children: expanded.children.iter().map(child).collect(),
        });
    }
}

/// Moves in the game's notation, separated by commas.
fn written<P: Problem + Notation>(problem: &P, from: &P::State, moves: &[P::Move]) -> String {
    if let [mv] = moves {
        return problem.write_move(from, mv);
    }
    let mut state = from.clone();
    let write = |mv: &P::Move| {
        let text = problem.write_move(&state, mv);
        (P::REPLAY.make)(problem, &mut state, mv);
        text
    };
    moves.iter().map(write).collect::<Vec<_>>().join(", ")
}
