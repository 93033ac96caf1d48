//! Solvers of one-player games at work: a game's own solver, which runs in one go, and searches, which can be stopped and
//! resumed. A short proof that there is no plan is asked for before a search gives up, and earlier where that pays.

use super::methods::{self, ChosenMethod};
use super::one_player::{Erased, OnePlayer};
use super::{Choice, Inside, Run, SelfCheck};
use crate::drawing::Drawing;
use crate::limits::{Limit, Limits};
use crate::notation::Notation;
use crate::outcome::{Certificate, Outcome, Verdict, Why};
use crate::report::{ProofSource, Report};
use crate::rules::{Problem, Solver};
use crate::search::{self, Emit, Method, Search};
use crate::trace::{ChildLine, Expanded, Line, Numbers, Way};

/// The source of the proof of a least cost, if there is one.
pub(super) fn promised(promises: bool) -> ProofSource {
    if promises { ProofSource::Method } else { ProofSource::Bound }
}

/// A game's own solver.
pub(super) struct SolverRun<P: Problem> {
    pub(super) puzzle: OnePlayer<P>,
    pub(super) solver: &'static Solver<P>,
    /// The result, until it is reported.
    pub(super) found: Option<Outcome<P::Move>>,
}

impl<P: Problem + Drawing> SolverRun<P> {
    /// Solves, emitting expanded states if the solver supports tracing.
    pub(super) fn solve(&self, limits: &Limits, emit: Option<Emit<'_, P>>) -> Outcome<P::Move> {
        let (problem, start) = (&*self.puzzle.problem, &self.puzzle.start);
        match (emit, self.solver.trace) {
            (Some(emit), Some(trace)) => trace(problem, start, limits, emit),
            _ => (self.solver.run)(problem, start, limits),
        }
    }
}

impl<P: Problem + Drawing> Run for SolverRun<P> {
    fn advance(&mut self, limits: &Limits) -> Result<Report, SelfCheck> {
        let found = self.found.take().unwrap_or_else(|| self.solve(limits, None));
        self.puzzle.report(self.solver.name, promised(self.solver.optimal), found, limits)
    }

    fn work(&mut self, limits: &Limits) {
        self.found = Some(self.solve(limits, None));
    }

    fn trace(&mut self, states: bool, limits: &Limits, emit: &mut dyn FnMut(Line)) -> Result<Report, SelfCheck> {
        let found = self.solve(limits, Some(&mut lines(&self.puzzle, states, &mut 0, emit)));
        self.puzzle.report(self.solver.name, promised(self.solver.optimal), found, limits)
    }

    fn resumes(&self) -> bool {
        false
    }

    fn look(&self) -> Option<Inside> {
        None
    }
}

/// States to expand before a short proof that is not quick is looked for: it may take longer than an easy search.
const REFUTE_AFTER: u64 = 10_000;

/// The state of the question for a short proof.
enum Short {
    NotAsked,
    Asked(Option<Certificate>),
}

/// A search.
pub(super) struct SearchRun<P: Problem> {
    puzzle: OnePlayer<P>,
    name: String,
    /// Did the game choose the method? Then a short proof is an answer at once. A method that was asked for by name searches
    /// on, so that its counts are its own, and the proof is used if it gives up.
    free: bool,
    search: Search<P>,
    /// Lines of its trace.
    lines: u64,
    short: Short,
    /// Does the method promise least-cost plans on this board?
    promises: bool,
    /// The source of the proof, if the last answer is one.
    proof: ProofSource,
    /// The result, until it is reported.
    found: Option<Verdict<P::Move>>,
}

impl<P: Problem + Drawing> SearchRun<P> {
    pub(super) fn new(puzzle: OnePlayer<P>, method: &'static Method, heuristic: Option<usize>, choice: &Choice) -> Self {
        let name = methods::name(&puzzle, ChosenMethod::Search(method, heuristic));
        let search = puzzle.search(method, heuristic, choice.weight);
        let promises = methods::promises(&puzzle, method, heuristic);
        let (free, short, proof) = (choice.method.is_none(), Short::NotAsked, promised(promises));
        SearchRun { puzzle, name, free, search, lines: 0, short, promises, proof, found: None }
    }

    /// Asks for a short proof, once; again only if a limit cut the answer off.
    fn refute(&mut self, limits: &Limits) -> Option<Certificate> {
        if matches!(self.short, Short::NotAsked) {
            let found = self.puzzle.refute(&limits.with_nodes(u64::MAX));
            if found.is_some() || limits.check().is_ok() {
                self.short = Short::Asked(found);
            }
        }
        match &self.short {
            Short::Asked(found) => found.clone(),
            Short::NotAsked => None,
        }
    }

    /// The answer is a short proof; `gave_up` says which limit had ended the search.
    fn proved(&mut self, certificate: Certificate, gave_up: Option<Limit>) -> Verdict<P::Move> {
        self.proof = ProofSource::Certificate { gave_up };
        Verdict::Unsolvable(Why::Certificate(certificate))
    }

    /// Runs the search.
    fn search(&mut self, limits: &Limits, emit: Option<&mut dyn FnMut(Expanded<P>)>) -> Verdict<P::Move> {
        match emit {
            None => self.search.run(limits),
            Some(emit) => self.search.trace(limits, emit),
        }
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
        // A pause to look for a proof that may take a moment.
        let asks = P::PROOFS.is_some() && matches!(self.short, Short::NotAsked);
        let pause = limits.with_nodes(if asks { limits.nodes.min(REFUTE_AFTER) } else { limits.nodes });
        let mut verdict = match &mut emit {
            None => self.search(&pause, None),
            Some(emit) => self.search(&pause, Some(&mut |expanded| emit(expanded))),
        };
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
            verdict = self.search(limits, emit);
        }
        // Nothing is given up before a short proof was asked for. If the time is over, only a quick one is.
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
    fn work(&mut self, limits: &Limits) {
        self.found = Some(self.verdict(limits, None));
    }

    fn trace(&mut self, states: bool, limits: &Limits, emit: &mut dyn FnMut(Line)) -> Result<Report, SelfCheck> {
        let (puzzle, mut count) = (self.puzzle.clone(), self.lines);
        let verdict = self.verdict(limits, Some(&mut lines(&puzzle, states, &mut count, emit)));
        self.lines = count;
        self.puzzle.report(&self.name, self.proof, Outcome::new(verdict, self.search.stats()), limits)
    }

    fn advance(&mut self, limits: &Limits) -> Result<Report, SelfCheck> {
        let verdict = self.found.take().unwrap_or_else(|| self.verdict(limits, None));
        self.puzzle.report(&self.name, self.proof, Outcome::new(verdict, self.search.stats()), limits)
    }

    fn resumes(&self) -> bool {
        true
    }

    fn look(&self) -> Option<Inside> {
        let search::Look { open, closed, lower, upper, last } = self.search.look();
        let last = last.map(|state| self.puzzle.problem.write(&state));
        Some(Inside { open, closed, lower, upper, stats: self.search.stats(), last })
    }
}

/// Writes down what a search shows.
fn lines<'a, P: Problem + Notation>(
    puzzle: &'a OnePlayer<P>,
    states: bool,
    count: &'a mut u64,
    emit: &'a mut dyn FnMut(Line),
) -> impl FnMut(Expanded<P>) + 'a {
    let problem = &*puzzle.problem;
    move |expanded| {
        *count += 1;
        let numbers = |g, h, priority| Some(Numbers { g, h, priority });
        let child = |child: &crate::trace::Child<P>| ChildLine {
            id: child.id,
            mv: written(problem, child.from.as_ref().unwrap_or(&expanded.state), &child.moves),
            numbers: numbers(child.cost, child.estimate, child.priority),
            value: None,
            fate: child.fate,
            goal: child.goal,
        };
        emit(Line {
            n: *count,
            id: expanded.id,
            parent: expanded.parent,
            mv: expanded.way.as_ref().map(|Way { from, moves }| written(problem, from, moves)),
            depth: expanded.depth,
            numbers: numbers(expanded.cost, expanded.estimate, expanded.priority),
            value: None,
            open: Some(expanded.open),
            lower: Some(expanded.lower),
            upper: expanded.upper,
            bound: expanded.bound,
            side: expanded.side,
            state: states.then(|| problem.write(&expanded.state)),
            children: expanded.children.iter().map(child).collect(),
        });
    }
}

/// Moves as the game writes them.
fn written<P: Problem + Notation>(problem: &P, from: &P::State, moves: &[P::Move]) -> String {
    let [first, rest @ ..] = moves else { return String::new() };
    let mut text = problem.write_move(from, first);
    if rest.is_empty() {
        return text;
    }
    let mut state = problem.apply(from, first);
    for mv in rest {
        text.push_str(", ");
        text.push_str(&problem.write_move(&state, mv));
        (P::REPLAY.make)(problem, &mut state, mv);
    }
    text
}
