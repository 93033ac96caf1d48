//! One-player problems as puzzles: positions, checked reports, claims, and random boards.

mod check;
mod erased;
mod plans;

use std::convert::Infallible;
use std::sync::Arc;

pub(super) use erased::Erased;
use serde_json::Value;

use super::methods::ChosenMethod;
use super::packed::Packed;
use super::run::{SearchRun, SolverRun};
use super::sharing::SharedRun;
use super::{
    Checker, Choice, Edit, Exploration, Illustrated, LegalMove, MethodInfo, MoveError, Position, Puzzle, Run, SelfCheck, SolveError, board,
    entry, methods, primer,
};
use crate::drawing::{Drawing, Measure};
use crate::graph::Graph;
use crate::limits::{Limit, Limits};
use crate::notation::{Fault, Notation, Options, ReadError};
use crate::outcome::{Certificate, Outcome, Plan};
use crate::random::Random;
use crate::report::{Answer, ProofSource, Report, Written};
use crate::rules::{Packing, Problem, is_own_image};
use crate::scene::Explanation;
use crate::search::explore::explore;
use crate::search::{self, Method, Search};
use crate::space::{RulesSpace, Space};
use crate::verify;

/// Adapts a one-player [`Problem`] to the interface [`Puzzle`].
pub struct OnePlayer<P: Problem> {
    pub(super) problem: Arc<P>,
    pub(super) start: P::State,
}

impl<P: Problem> Clone for OnePlayer<P> {
    fn clone(&self) -> Self {
        OnePlayer { problem: Arc::clone(&self.problem), start: self.start.clone() }
    }
}

impl<P: Problem + Notation> OnePlayer<P> {
    pub fn new(problem: P) -> Self {
        OnePlayer { start: problem.start(), problem: Arc::new(problem) }
    }

    pub(super) fn legal_move(&self, state: &P::State, mv: &P::Move) -> LegalMove {
        let problem = &self.problem;
        LegalMove { text: problem.write_move(state, mv), json: problem.move_json(state, mv), cost: problem.cost(state, mv) }
    }

    /// Calls `see` for every move of a plan, with the state before the move, and returns the results.
    fn along<T>(&self, moves: &[P::Move], mut see: impl FnMut(&P::State, &P::Move) -> T) -> Vec<T> {
        let mut state = self.start.clone();
        let seen = |mv: &P::Move| {
            let seen = see(&state, mv);
            (P::REPLAY.make)(&self.problem, &mut state, mv);
            seen
        };
        moves.iter().map(seen).collect()
    }

    fn written(&self, moves: &[P::Move]) -> Vec<Written> {
        self.along(moves, |state, mv| Written { text: self.problem.write_move(state, mv), json: self.problem.move_json(state, mv) })
    }

    /// The moves that these strings or JSON values denote.
    fn read_moves(&self, texts: &[Value]) -> Result<(Vec<P::Move>, P::State), MoveError> {
        let mut state = self.start.clone();
        let mut found = Vec::new();
        for (at, text) in texts.iter().enumerate() {
            let mv = self.find_move(&state, text).ok_or_else(|| MoveError::new(at, text))?;
            (P::REPLAY.make)(&self.problem, &mut state, &mv);
            found.push(mv);
        }
        Ok((found, state))
    }

    /// The legal move that a string or JSON value denotes.
    fn find_move(&self, state: &P::State, text: &Value) -> Option<P::Move> {
        if let Some(mv) = (P::REPLAY.find)(&self.problem, state, text).filter(|mv| (P::REPLAY.is_legal)(&self.problem, state, mv)) {
            return Some(mv);
        }
        let mut legal = Vec::new();
        self.problem.moves(state, &mut legal);
        let written: Vec<LegalMove> = legal.iter().map(|mv| self.legal_move(state, mv)).collect();
        LegalMove::position(&written, text).map(|at| legal.swap_remove(at))
    }

    /// A search of this board. `heuristic` is an index into the board's list of heuristics.
    pub(super) fn search(&self, method: &Method, heuristic: Option<usize>, weight: u32) -> Search<P> {
        let heuristic = heuristic.map(|at| search::heuristics(&*self.problem)[at]);
        search::begin(method.kind, Arc::clone(&self.problem), self.start.clone(), heuristic, weight)
    }

    /// The plan in the game's notation, if its moves lead to a goal and their costs add up to its cost.
    fn confirmed(&self, plan: Plan<P::Move>) -> Result<Plan<Written>, String> {
        match verify::plan(&*self.problem, &self.start, &plan.moves)? {
            cost if cost == plan.cost => Ok(Plan { moves: self.written(&plan.moves), cost }),
            cost => Err(format!("the plan costs {cost}, not {}", plan.cost)),
        }
    }

    /// Checks an outcome and writes its report. `proof` is the source of the proof if the outcome is proved.
    pub(super) fn report(&self, method: &str, proof: ProofSource, outcome: Outcome<P::Move>, limits: &Limits) -> Result<Report, SelfCheck> {
        let Outcome { verdict, stats, facts: more, all } = outcome;
        let mut facts = (P::FACTS.of)(&self.problem, &verdict, limits);
        facts.extend(more);
        let verdict = verdict.try_map(|plan| self.confirmed(plan));
        let all = all.map(|plans| plans.into_iter().map(|plan| self.confirmed(plan)).collect()).transpose();
        let outcome = verdict.and_then(|verdict| Ok(Outcome { verdict, stats, facts, all: all? }));
        outcome
            .and_then(|outcome| erased::settle(self, method, proof, outcome, limits))
            .map_err(|fault| SelfCheck { method: method.to_owned(), fault })
    }
}

impl<P: Problem + Drawing> Puzzle for OnePlayer<P> {
    fn game(&self) -> &'static str {
        self.problem.name()
    }

    fn board_graph(&self) -> Option<Graph> {
        (P::INFO.board_graph)(&self.problem)
    }

    fn instance(&self) -> String {
        self.problem.write(&self.start)
    }

    fn ascii(&self) -> String {
        self.problem.ascii(&self.start)
    }

    fn position(&self, limits: &Limits) -> Result<Position, Limit> {
        let (problem, state) = (&*self.problem, &self.start);
        let mut legal = Vec::new();
        problem.moves(state, &mut legal);
        board::position(problem, state, &legal, |mv| self.legal_move(state, mv), problem.is_goal(state), limits)
    }

    fn meant(&self, value: &Value) -> Option<LegalMove> {
        self.find_move(&self.start, value).map(|mv| self.legal_move(&self.start, &mv))
    }

    fn after(&self, moves: &[Value]) -> Result<Box<dyn Puzzle>, MoveError> {
        let (_, start) = self.read_moves(moves)?;
        Ok(Box::new(OnePlayer { problem: Arc::clone(&self.problem), start }))
    }

    fn cost(&self, moves: &[Value]) -> Result<u64, MoveError> {
        let (moves, _) = self.read_moves(moves)?;
        Ok(self.along(&moves, |state, mv| u64::from(self.problem.cost(state, mv))).into_iter().sum())
    }

    fn methods(&self) -> Vec<MethodInfo> {
        methods::list(self)
    }

    fn method(&self, choice: &Choice) -> Result<String, Fault> {
        Ok(methods::name(self, chosen(self, choice)?))
    }

    fn begin(&self, choice: &Choice) -> Result<Box<dyn Run + Send>, Fault> {
        Ok(match chosen(self, choice)? {
            ChosenMethod::Solver(at) => {
                let run = SolverRun { puzzle: self.clone(), solver: &P::SOLVERS[at], found: None };
                match methods::beside(self, at) {
                    Some(search) if choice.method.is_none() => Box::new(SharedRun::new(run, search)),
                    _ => Box::new(run),
                }
            }
            ChosenMethod::Search(method, heuristic) => Box::new(SearchRun::new(self.clone(), method, heuristic, choice)),
        })
    }

    fn count_plans(&self, report: &mut Report, list: Option<u64>, limits: &Limits) -> Result<(), SolveError> {
        plans::count(self, report, list, limits)
    }

    fn checker(&self) -> Box<dyn Checker + '_> {
        Box::new(check::PlanChecker::new(self))
    }

    fn explore(&self, limits: &Limits) -> Exploration {
        let problem = &*self.problem;
        let explored = explore(&*self.space(true), limits);
        let names = explored.layers.iter().map(|layer| problem.layer_name(layer.layer)).collect();
        let plain = || Ok::<_, Infallible>(explore(&*self.space(false), limits));
        let Ok(unfolded) = explored.without_symmetry(is_own_image(problem, &self.start), plain);
        Exploration { explored, unfolded, names, labeled: false }
    }

    fn space(&self, fold: bool) -> Box<dyn Space> {
        Box::new(RulesSpace::of_problem(Arc::clone(&self.problem), self.start.clone(), fold))
    }

    fn packed(&self) -> &dyn Packed {
        self
    }

    fn state_bytes(&self) -> usize {
        self.problem.state_bytes()
    }

    fn explain(&self, limits: &Limits) -> Option<Explanation> {
        P::LESSON.and_then(|lesson| (lesson.explain)(&self.problem, &self.start, limits))
    }

    fn show_proof(&self, certificate: &Certificate) -> Explanation {
        board::show_proof(&*self.problem, &self.start, certificate)
    }

    fn measure(&self, certificate: &Certificate) -> Option<Measure> {
        board::measure(&*self.problem, &self.start, certificate)
    }

    fn primer(&self, limits: &Limits) -> Result<Vec<Illustrated>, Limit> {
        primer::one_player(self, limits)
    }

    fn places(&self, plan: &[Value]) -> Vec<String> {
        let Some((track, (moves, end))) = P::TRACK.zip(self.read_moves(plan).ok()) else { return Vec::new() };
        let mut places = self.along(&moves, |state, _| (track.place)(&self.problem, state));
        places.push((track.place)(&self.problem, &end));
        places
    }

    fn editor(&self) -> Option<Box<dyn Edit + '_>> {
        board::editor(&*self.problem, &self.start)
    }
}

fn chosen(board: &dyn Erased, choice: &Choice) -> Result<ChosenMethod, Fault> {
    if choice.order.is_some() {
        return Err(Fault::new("only methods for two players take an order of moves", "omit `--order`"));
    }
    choice.method.as_ref().map_or_else(|| Ok(methods::best(board)), |name| methods::find(board, name))
}

/// Maximum number of boards that a generator draws.
const DRAWS: usize = 1000;
/// Maximum number of states expanded to decide whether one of these boards is solvable.
const DRAW_NODES: u64 = 300_000;

pub(super) fn generate<P: Problem + Drawing>(seed: u64, options: &Options, limits: &Limits) -> Result<String, ReadError> {
    let solvable = P::INFO.generator.is_some_and(|generator| generator.solvable);
    let mut random = Random::new(seed);
    solvable_board(solvable, limits, &mut || Ok(Box::new(OnePlayer::new(entry::draw::<P>(&mut random, options, limits)?))))
}

/// Draws random boards until one is solvable. If `solvable` is set, every board is known to be solvable.
fn solvable_board(
    solvable: bool,
    limits: &Limits,
    draw: &mut dyn FnMut() -> Result<Box<dyn Puzzle>, ReadError>,
) -> Result<String, ReadError> {
    let few = limits.with_nodes(limits.nodes.min(DRAW_NODES));
    for _ in 0..DRAWS {
        limits.check()?;
        let puzzle = draw()?;
        if solvable || matches!(puzzle.solve(&Choice::default(), &few), Ok(Report { answer: Answer::Solved { .. }, .. })) {
            return Ok(puzzle.instance());
        }
    }
    let message = format!("none of {DRAWS} random boards was solved");
    Err(Fault::new(message, "try a smaller or emptier board, or another seed").into())
}
