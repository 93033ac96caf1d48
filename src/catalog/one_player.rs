//! One-player problems as puzzles: positions, checked reports, claims, and random boards.

mod check;

use std::convert::Infallible;
use std::sync::Arc;

use serde_json::Value;

use super::packed::Packed;
use super::run::{Searching, Solving};
use super::sharing::Sharing;
use super::{
    Checker, Choice, ChoiceError, Edit, Exploration, Illustrated, LegalMove, MethodInfo, MoveError, Position, Puzzle, Run, SelfCheck,
    canvas, draw, methods, paint, paint_at, place, position, primer, show_proof,
};
use crate::drawing::Drawing;
use crate::graph::Graph;
use crate::limits::{Limit, Limits};
use crate::notation::{Notation, OptionError, Options, ReadError, shorten};
use crate::outcome::{Certificate, Outcome, Plan, Verdict, Why};
use crate::random::Random;
use crate::report::{Answer, Proof, Report, Written};
use crate::rules::{Packing, Problem, is_own_image};
use crate::scene::{Brush, Explanation, Scene};
use crate::search::explore::explore;
use crate::space::{ProblemSpace, Space};
use crate::verify;

/// A one-player problem as a puzzle.
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

    fn written(&self, moves: &[P::Move]) -> Vec<Written> {
        let mut state = self.start.clone();
        let write = |mv: &P::Move| {
            let written = Written { text: self.problem.write_move(&state, mv), json: self.problem.move_json(&state, mv) };
            (P::REPLAY.make)(&self.problem, &mut state, mv);
            written
        };
        moves.iter().map(write).collect()
    }

    /// The moves that these texts or JSON values stand for.
    fn read_moves(&self, texts: &[Value]) -> Result<(Vec<P::Move>, P::State), MoveError> {
        let mut state = self.start.clone();
        let mut found = Vec::new();
        for (at, text) in texts.iter().enumerate() {
            let Some(mv) = self.find_move(&state, text) else {
                let text = text.as_str().map_or_else(|| text.to_string(), str::to_owned);
                return Err(MoveError { number: at + 1, text: shorten(&text) });
            };
            (P::REPLAY.make)(&self.problem, &mut state, &mv);
            found.push(mv);
        }
        Ok((found, state))
    }

    /// The legal move that a text or JSON value means.
    fn find_move(&self, state: &P::State, text: &Value) -> Option<P::Move> {
        if let Some(mv) = (P::REPLAY.find)(&self.problem, state, text).filter(|mv| (P::REPLAY.is_legal)(&self.problem, state, mv)) {
            return Some(mv);
        }
        let mut legal = Vec::new();
        self.problem.moves(state, &mut legal);
        let written: Vec<LegalMove> = legal.iter().map(|mv| self.legal_move(state, mv)).collect();
        let meant = LegalMove::find(&written, text)?;
        let at = written.iter().position(|mv| std::ptr::eq(mv, meant))?;
        Some(legal.swap_remove(at))
    }

    fn chosen(&self, choice: &Choice) -> Result<methods::Chosen<P>, ChoiceError> {
        match &choice.method {
            Some(name) => methods::find(&*self.problem, &self.start, name),
            None => Ok(methods::best(&*self.problem, &self.start)),
        }
    }

    /// A short proof that there is no plan, if the game has one and finds it within the limits.
    pub(super) fn refute(&self, limits: &Limits) -> Option<Certificate> {
        self.refute_instead_of(u64::MAX, limits)
    }

    /// The same where looking at so many states is a proof, too.
    fn refute_instead_of(&self, states: u64, limits: &Limits) -> Option<Certificate> {
        P::PROOFS.and_then(|proofs| (proofs.refute)(&self.problem, &self.start, &limits.with_nodes(states)))
    }

    /// Checks an outcome and writes it down. `proof` says where its proof comes from, if it is one.
    pub(super) fn report(&self, method: &str, proof: Proof, outcome: Outcome<P::Move>, limits: &Limits) -> Result<Report, SelfCheck> {
        let fail = |fault: String| SelfCheck { method: method.to_owned(), fault };
        let replayed = |plan: &Plan<P::Move>| match verify::plan(&*self.problem, &self.start, &plan.moves) {
            Ok(cost) if cost == plan.cost => Ok(()),
            Ok(cost) => Err(fail(format!("the plan costs {cost}, not {}", plan.cost))),
            Err(fault) => Err(fail(fault)),
        };
        let mut facts = (P::FACTS.of)(&self.problem, &outcome.verdict, limits);
        facts.extend(outcome.facts);
        let mut proved = None;
        let (answer, verified) = match outcome.verdict {
            Verdict::Solved { plan, lower } => {
                replayed(&plan)?;
                let (moves, optimal) = (self.written(&plan.moves), lower >= plan.cost);
                proved = optimal.then_some(proof);
                (Answer::Solved { cost: plan.cost, optimal, lower, moves }, true)
            }
            Verdict::Unsolvable(why) => {
                // A short proof is better than "I looked everywhere".
                let why = match why {
                    Why::Exhausted { states } => self.refute_instead_of(states, limits).map_or(why, Why::Certificate),
                    certificate => certificate,
                };
                let limits = limits.with_nodes(P::INFO.verified_states);
                let verified = verify::refutation(&*self.problem, &self.start, &why, &limits).map_err(fail)?;
                // Whoever finds that there is no plan has proved it, whatever is promised about plans.
                proved = Some(if proof == Proof::Bound { Proof::Method } else { proof });
                (Answer::Unsolvable { why }, verified)
            }
            Verdict::Unknown { limit, lower, best } => {
                let upper = best.as_ref().map(|plan| plan.cost);
                best.iter().try_for_each(replayed)?;
                let moves = best.map(|plan| self.written(&plan.moves)).unwrap_or_default();
                (Answer::Unknown { limit, lower, upper, moves }, upper.is_some())
            }
        };
        let all = outcome.all.map(|plans| -> Result<Vec<Vec<Written>>, SelfCheck> {
            plans.iter().try_for_each(replayed)?;
            Ok(plans.iter().map(|plan| self.written(&plan.moves)).collect())
        });
        let (method, stats, all) = (method.to_owned(), outcome.stats, all.transpose()?);
        Ok(Report { game: self.problem.name(), method, answer, proof: proved, verified, stats, facts, all })
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
        position(problem, state, &legal, |mv| self.legal_move(state, mv), problem.is_goal(state), limits)
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
        let mut state = self.start.clone();
        let cost = |mv: &P::Move| {
            let cost = self.problem.cost(&state, mv);
            (P::REPLAY.make)(&self.problem, &mut state, mv);
            u64::from(cost)
        };
        Ok(moves.iter().map(cost).sum())
    }

    fn methods(&self) -> Vec<MethodInfo> {
        methods::list(&*self.problem, &self.start)
    }

    fn method(&self, choice: &Choice) -> Result<String, ChoiceError> {
        Ok(self.chosen(choice)?.name())
    }

    fn begin(&self, choice: &Choice) -> Result<Box<dyn Run + Send>, ChoiceError> {
        Ok(match self.chosen(choice)? {
            methods::Chosen::Solver(solver) => match methods::beside(&*self.problem, &self.start, solver) {
                Some(search) if choice.method.is_none() => Box::new(Sharing::new(self.clone(), solver, search)),
                _ => Box::new(Solving { puzzle: self.clone(), solver, found: None }),
            },
            methods::Chosen::Search(method, heuristic) => Box::new(Searching::new(self.clone(), method, heuristic, choice)),
        })
    }

    fn checker(&self) -> Box<dyn Checker + '_> {
        Box::new(check::Examiner::new(self))
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
        Box::new(ProblemSpace::new(Arc::clone(&self.problem), self.start.clone(), fold))
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
        show_proof(&*self.problem, &self.start, certificate)
    }

    fn primer(&self, limits: &Limits) -> Result<Vec<Illustrated>, Limit> {
        primer::one_player(self, limits)
    }

    fn editor(&self) -> Option<&dyn Edit> {
        P::EDITOR.is_some().then_some(self as &dyn Edit)
    }

    fn place(&self, name: &str, at: (f64, f64), limits: &Limits) -> Result<Option<String>, Limit> {
        place(&*self.problem, &self.start, name, at, limits)
    }
}

impl<P: Problem + Drawing> Edit for OnePlayer<P> {
    fn brushes(&self) -> &'static [Brush] {
        P::EDITOR.map_or(&[], |editor| (editor.brushes)(&self.problem))
    }

    fn canvas(&self, limits: &Limits) -> Result<Scene, Limit> {
        canvas(&*self.problem, &self.start, limits)
    }

    fn paint(&self, brush: &str, shapes: &[&str]) -> Option<String> {
        paint(&*self.problem, &self.start, brush, shapes)
    }

    fn point_brushes(&self) -> &'static [&'static str] {
        super::arranging::<P>().map_or(&[], |arranging| arranging.brushes)
    }

    fn paint_at(&self, brush: &str, at: (f64, f64), limits: &Limits) -> Result<Option<String>, Limit> {
        paint_at(&*self.problem, &self.start, brush, at, limits)
    }
}

/// Boards drawn before a generator gives up, and states that deciding one of them may take.
const DRAWS: usize = 1000;
const DRAW_NODES: u64 = 300_000;

pub(super) fn generate<P: Problem + Drawing>(seed: u64, options: &Options, limits: &Limits) -> Result<String, ReadError> {
    let mut random = Random::new(seed);
    for _ in 0..DRAWS {
        limits.check()?;
        let puzzle = OnePlayer::new(draw::<P>(&mut random, options, limits)?);
        if P::INFO.generator.is_some_and(|generator| generator.solvable) {
            return Ok(puzzle.problem.write(&puzzle.start));
        }
        let solved = puzzle.solve(&Choice::default(), &limits.with_nodes(limits.nodes.min(DRAW_NODES)));
        if matches!(solved, Ok(Report { answer: Answer::Solved { .. }, .. })) {
            return Ok(puzzle.problem.write(&puzzle.start));
        }
    }
    let message = format!("none of {DRAWS} random boards was solved");
    Err(OptionError { message, help: "ask for a smaller or emptier board, or another seed".to_owned() }.into())
}
