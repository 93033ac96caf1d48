//! One-player boards without the types of their game, so that the code that chooses methods, checks answers and writes reports is
//! compiled once and not for every game.

use serde_json::{Map, Value};

use super::OnePlayer;
use crate::catalog::MoveError;
use crate::catalog::methods::{HeuristicFacts, Menu, SolverFacts};
use crate::limits::Limits;
use crate::notation::Notation;
use crate::outcome::{Certificate, Outcome, Plan, Verdict, Why};
use crate::report::{Answer, ProofSource, Report, Written};
use crate::rules::{Cost, Problem};
use crate::search::{self, Method};
use crate::verify::{self, Least, PlanTotal};

/// A one-player board, for code that does not depend on the types of its game.
pub(in crate::catalog) trait Erased {
    fn menu(&self) -> Menu;

    /// Tests whether this solver can solve the board. The error says why it cannot.
    fn solver_applies(&self, at: usize) -> Result<(), &'static str>;

    /// Tests whether this method can search the board. The error says why it cannot.
    fn search_applies(&self, method: &Method) -> Result<(), &'static str>;

    /// The name of the search that alternates with a solver, and the number of states it generates per turn.
    fn beside(&self, solver: usize) -> Option<(&'static str, u64)>;

    /// Reads and replays a plan. Returns its cost, and its moves in the game's notation. The error describes what is wrong with the
    /// plan.
    fn replay(&self, moves: &[Value]) -> Result<Plan<String>, String>;

    /// Facts that only this game reports, about a verdict whose plan can be replayed.
    fn facts(&self, verdict: Verdict<Value>, limits: &Limits) -> Map<String, Value>;

    /// See [`verify::least_cost`].
    fn least_cost(&self, limits: &Limits) -> Least;

    /// See [`verify::plan_total`].
    fn plan_total(&self, limits: &Limits) -> Option<PlanTotal>;

    /// Uses the game's own proof to decide whether this is the least cost.
    fn is_least(&self, cost: Cost, limits: &Limits) -> Option<bool>;

    /// A short proof that there is no plan, if the game has one and finds it within the limits. `limits.nodes` is the number of states
    /// that a search would need instead.
    fn refute(&self, limits: &Limits) -> Option<Certificate>;

    /// See [`verify::refutation`].
    fn refutation(&self, why: &Why, limits: &Limits) -> Result<bool, String>;

    /// A sentence that states what a valid certificate proves.
    fn claim(&self, certificate: &Certificate) -> String;
}

impl<P: Problem + Notation> Erased for OnePlayer<P> {
    fn menu(&self) -> Menu {
        let costs = self.problem.move_costs();
        Menu {
            game: self.problem.name(),
            solvers: P::SOLVERS.iter().map(SolverFacts::of).collect(),
            heuristics: search::heuristics(&*self.problem).into_iter().map(HeuristicFacts::of).collect(),
            searchable: self.problem.searchable(),
            equal_costs: costs.start() == costs.end(),
            fact_fields: P::FACTS.fields,
            certificate_data: P::PROOFS.map_or(&[], |proofs| proofs.data),
            verified_states: P::INFO.verified_states,
        }
    }

    fn solver_applies(&self, at: usize) -> Result<(), &'static str> {
        (P::SOLVERS[at].applies)(&self.problem, &self.start)
    }

    fn search_applies(&self, method: &Method) -> Result<(), &'static str> {
        method.applies(&*self.problem, &self.start)
    }

    fn beside(&self, solver: usize) -> Option<(&'static str, u64)> {
        P::SOLVERS[solver].beside.map(|beside| beside(&self.problem))
    }

    fn replay(&self, moves: &[Value]) -> Result<Plan<String>, String> {
        let (moves, _) = self.read_moves(moves).map_err(|error| error.to_string())?;
        let cost = verify::plan(&*self.problem, &self.start, &moves)?;
        Ok(Plan { moves: self.along(&moves, |state, mv| self.problem.write_move(state, mv)), cost })
    }

    fn facts(&self, verdict: Verdict<Value>, limits: &Limits) -> Map<String, Value> {
        let verdict = verdict.try_map(|plan| Ok::<_, MoveError>(Plan { moves: self.read_moves(&plan.moves)?.0, cost: plan.cost }));
        verdict.map(|verdict| (P::FACTS.of)(&self.problem, &verdict, limits)).unwrap_or_default()
    }

    fn least_cost(&self, limits: &Limits) -> Least {
        verify::least_cost(&*self.problem, &self.start, limits)
    }

    fn plan_total(&self, limits: &Limits) -> Option<PlanTotal> {
        verify::plan_total(&*self.problem, &self.start, limits)
    }

    fn is_least(&self, cost: Cost, limits: &Limits) -> Option<bool> {
        P::PROOFS?.least?(&self.problem, &self.start, cost, limits)
    }

    fn refute(&self, limits: &Limits) -> Option<Certificate> {
        (P::PROOFS?.refute)(&self.problem, &self.start, limits)
    }

    fn refutation(&self, why: &Why, limits: &Limits) -> Result<bool, String> {
        verify::refutation(&*self.problem, &self.start, why, limits)
    }

    fn claim(&self, certificate: &Certificate) -> String {
        P::PROOFS.map(|proofs| (proofs.claim)(&self.problem, &self.start, certificate)).unwrap_or_default()
    }
}

/// Writes the report. If there is no plan, the proof of that is checked first. Plans must already have been replayed.
pub(super) fn settle(
    board: &dyn Erased,
    method: &str,
    proof: ProofSource,
    outcome: Outcome<Written>,
    limits: &Limits,
) -> Result<Report, String> {
    let Outcome { verdict, stats, facts, all } = outcome;
    let mut proved = None;
    let (answer, verified) = match verdict {
        Verdict::Solved { plan: Plan { moves, cost }, lower } => {
            let optimal = lower >= cost;
            proved = optimal.then_some(proof);
            (Answer::Solved { cost, optimal, lower, moves }, true)
        }
        Verdict::Unsolvable(why) => {
            // A short proof is preferred to an exhausted search.
            let why = match why {
                Why::Exhausted { states } => board.refute(&limits.with_nodes(states)).map_or(why, Why::Certificate),
                certificate => certificate,
            };
            let verified = board.refutation(&why, &limits.with_nodes(board.menu().verified_states))?;
            // A method that reports "no plan" has proved it, whatever it promises about plans.
            proved = Some(if proof == ProofSource::Bound { ProofSource::Method } else { proof });
            (Answer::Unsolvable { why }, verified)
        }
        Verdict::Unknown { limit, lower, best } => {
            let (upper, moves) = best.map(|plan| (plan.cost, plan.moves)).unzip();
            (Answer::Unknown { limit, lower, upper, moves: moves.unwrap_or_default() }, upper.is_some())
        }
    };
    let all = all.map(|plans| plans.into_iter().map(|plan| plan.moves).collect());
    Ok(Report { game: board.menu().game, method: method.to_owned(), answer, proof: proved, verified, stats, facts, all, plans: None })
}
