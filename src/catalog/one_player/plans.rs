//! Counts and lists the least-cost plans of a board, after a method has proved the least cost.

use std::ops::ControlFlow;

use super::OnePlayer;
use crate::catalog::packed::Packed;
use crate::catalog::{SelfCheck, SolveError};
use crate::drawing::Drawing;
use crate::limits::{Limit, Limits};
use crate::notation::Fault;
use crate::report::{Answer, LeastPlans, Report, Written};
use crate::rules::{Cost, Problem};
use crate::search::plans::{self, Uncounted};
use crate::space::RulesSpace;

/// The approximate size of a written move, in bytes.
const MOVE_BYTES: usize = 256;

/// See [`Puzzle::count_plans`](crate::catalog::Puzzle::count_plans).
pub(super) fn count<P: Problem + Drawing>(
    puzzle: &OnePlayer<P>,
    report: &mut Report,
    list: Option<u64>,
    limits: &Limits,
) -> Result<(), SolveError> {
    let wrong = |method: &str, fault: String| SolveError::SelfCheck(SelfCheck { method: method.to_owned(), fault });
    let least = match &report.answer {
        Answer::Solved { cost, optimal: true, .. } => *cost,
        Answer::Solved { cost, .. } => {
            let message = format!("`{}` did not prove that no plan costs less than {cost}, so least-cost plans are unknown", report.method);
            return Err(Fault::new(message, "use a method that finds least-cost plans, or let the game choose").into());
        }
        Answer::Unsolvable { .. } => {
            report.plans = Some(LeastPlans { count: Some("0".to_owned()), list: list.map(|_| Vec::new()), limit: None });
            return Ok(());
        }
        Answer::Unknown { .. } | Answer::Decided(_) => return Ok(()),
    };
    let limits = limits.with_nodes(limits.nodes.saturating_sub(report.stats.expanded));
    let (count, listed, limit) = match graph(puzzle, &report.method, least, &limits) {
        Ok(graph) => {
            let total = graph.total();
            if total.is_zero() {
                return Err(wrong(&report.method, format!("no plan of cost {least} was found when plans were counted")));
            }
            let (mut listed, mut bytes, mut fault): (Vec<Vec<Written>>, usize, Option<String>) = (Vec::new(), graph.bytes(), None);
            let most = list.unwrap_or(0);
            let mut emit = |plan: crate::outcome::Plan<P::Move>| {
                bytes += (plan.moves.len() + 1) * MOVE_BYTES;
                if let Err(limit) = limits.room(bytes) {
                    return ControlFlow::Break(Some(limit));
                }
                match puzzle.confirmed(plan) {
                    Ok(plan) if plan.cost == least => listed.push(plan.moves),
                    Ok(plan) => fault = Some(format!("a listed plan costs {}, not {least}", plan.cost)),
                    Err(why) => fault = Some(why),
                }
                if fault.is_none() && (listed.len() as u64) < most { ControlFlow::Continue(()) } else { ControlFlow::Break(None) }
            };
            let limit = if most > 0 { graph.list(&*puzzle.problem, &puzzle.start, &limits, &mut emit) } else { None };
            if let Some(fault) = fault {
                return Err(wrong(&report.method, fault));
            }
            (Some(total.to_string()), listed, limit)
        }
        Err(Uncounted::Limit(limit)) => (None, Vec::new(), Some(limit)),
        Err(Uncounted::Infinite) => {
            let message = "the number of least-cost plans is infinite: moves of cost 0 lead from a position back to the same position";
            return Err(Fault::new(message, "give every move a cost above 0, or do not ask for the number of plans").into());
        }
        Err(Uncounted::Cheaper(cost)) => {
            return Err(wrong(&report.method, format!("a plan of cost {cost} was found, which is less than {least}")));
        }
    };
    report.plans = Some(LeastPlans { count, list: list.map(|_| listed), limit });
    Ok(())
}

/// The states on plans of this cost, found with the method's estimate if it is consistent, and otherwise with the game's first
/// consistent estimate.
fn graph<P: Problem + Drawing>(puzzle: &OnePlayer<P>, method: &str, least: Cost, limits: &Limits) -> Result<plans::PlanGraph, Uncounted> {
    let named = method.split_once(':').and_then(|(_, name)| puzzle.guide(Some(name)).ok());
    let Some((_, mut estimator)) = named.or_else(|| puzzle.guide(None).ok()) else { return Err(Limit::Nodes.into()) };
    estimator.build(limits)?;
    let space = RulesSpace::of_problem(std::sync::Arc::clone(&puzzle.problem), puzzle.start.clone(), true);
    let mut estimates = |states: &crate::space::Batch, out: &mut Vec<Cost>| estimator.estimate(states, out, limits);
    plans::count(&space, &mut estimates, *puzzle.problem.move_costs().start(), least, limits)
}
