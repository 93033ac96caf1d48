//! Boards as packed states, for engines that store whole spaces without knowing the game: a state's notation, its estimated
//! distance to a goal, and the report for a path of states.

use super::one_player::Erased;
use super::{OnePlayer, SelfCheck, TwoPlayer};
use crate::drawing::Drawing;
use crate::limits::{Limit, Limits};
use crate::notation::{Fault, shorten};
use crate::outcome::{Outcome, Stats, Verdict, Why};
use crate::report::{ProofSource, Report};
use crate::rules::{Cost, DEAD, Estimate, Game, Packing, Problem};
use crate::search;
use crate::search::replay::{Patience, replay};
use crate::space::Batch;

/// One board with packed states.
pub trait Packed {
    /// The state as an instance that can be read.
    fn instance_of(&self, state: &[u8]) -> String;

    fn layer_name(&self, layer: u32) -> String;

    /// True if positions have Grundy values. Default: false.
    fn has_grundy(&self) -> bool {
        false
    }

    /// A consistent heuristic and its name: the one with the given name, or by default the game's first. The empty name means no
    /// heuristic, with an estimate of 0. Two-player games return an error.
    fn guide(&self, name: Option<&str>) -> Result<(Option<&'static str>, Box<dyn Estimator>), Fault>;

    /// Checks the result of a search and writes its report.
    fn report(&self, method: &str, found: PackedOutcome, stats: Stats, limits: &Limits) -> Result<Report, SelfCheck>;
}

/// Estimates for packed states.
pub trait Estimator: Send + Sync {
    /// Prepares tables, if there are any.
    fn build(&mut self, limits: &Limits) -> Result<(), Limit>;

    /// Replaces the contents of `out` with the estimate for each state; [`DEAD`] if no goal can be reached.
    fn estimate(&self, states: &Batch, out: &mut Vec<Cost>, limits: &Limits) -> Result<(), Limit>;

    /// True if a short proof that no plan exists was found within the limits.
    fn refutes(&self, limits: &Limits) -> bool;
}

/// The result of a search over packed states.
pub enum PackedOutcome {
    /// States from the start to a goal, both included, each up to symmetry. The plan through them is optimal.
    Path(Vec<Vec<u8>>),
    /// No reachable state is a goal.
    Nothing { states: u64 },
    /// [`Estimator::refutes`] found a short proof that no plan exists.
    Refuted,
    /// The limit that ended the search, and a lower bound on the cost of any plan.
    Limit(Limit, Cost),
}

struct Estimates<P: Problem> {
    puzzle: OnePlayer<P>,
    build: Option<Build<P>>,
    estimate: Option<Estimate<P>>,
}

type Build<P> = fn(&P, &Limits) -> Result<Estimate<P>, Limit>;

impl<P: Problem + Drawing> Estimator for Estimates<P> {
    fn build(&mut self, limits: &Limits) -> Result<(), Limit> {
        self.estimate = self.build.map(|build| build(&self.puzzle.problem, limits)).transpose()?;
        Ok(())
    }

    fn estimate(&self, states: &Batch, out: &mut Vec<Cost>, limits: &Limits) -> Result<(), Limit> {
        let problem = &self.puzzle.problem;
        out.clear();
        for at in 0..states.len() {
            let state = problem.unpack(states.get(at));
            out.push(match &self.estimate {
                _ if problem.is_dead(&state) => DEAD,
                Some(estimate) => estimate.at(problem, &state, limits)?,
                None => 0,
            });
        }
        Ok(())
    }

    fn refutes(&self, limits: &Limits) -> bool {
        self.puzzle.refute(&limits.with_nodes(u64::MAX)).is_some()
    }
}

impl<P: Problem + Drawing> Packed for OnePlayer<P> {
    fn instance_of(&self, state: &[u8]) -> String {
        self.problem.write(&self.problem.unpack(state))
    }

    fn layer_name(&self, layer: u32) -> String {
        self.problem.layer_name(layer)
    }

    fn guide(&self, name: Option<&str>) -> Result<(Option<&'static str>, Box<dyn Estimator>), Fault> {
        let at = consistent(self, name)?;
        let heuristic = at.map(|at| search::heuristics(&*self.problem)[at]);
        let build = heuristic.map(|heuristic| heuristic.build);
        Ok((heuristic.map(|heuristic| heuristic.name), Box::new(Estimates { puzzle: self.clone(), build, estimate: None })))
    }

    fn report(&self, method: &str, found: PackedOutcome, stats: Stats, limits: &Limits) -> Result<Report, SelfCheck> {
        // Set if a short proof may still be the answer; contains the limit that ended the search, if any.
        let mut gave_up = None;
        let mut verdict = match found {
            PackedOutcome::Path(states) => {
                let mut steps = states.iter().skip(1).map(|state| self.problem.unpack(state));
                match replay(&*self.problem, &self.start, &mut steps, Patience::Limits(limits)) {
                    Ok(plan) => Verdict::Solved { lower: plan.cost, plan },
                    Err(limit) => Verdict::Unknown { limit, lower: 0, best: None },
                }
            }
            PackedOutcome::Nothing { states } => Verdict::Unsolvable(Why::Exhausted { states }),
            PackedOutcome::Refuted => {
                gave_up = Some(None);
                Verdict::Unknown { limit: Limit::Time, lower: 0, best: None }
            }
            PackedOutcome::Limit(limit, lower) => {
                gave_up = Some(Some(limit));
                Verdict::Unknown { limit, lower, best: None }
            }
        };
        let mut proof = ProofSource::Method;
        // As in a single process, try a short proof before giving up.
        if let Some(gave_up) = gave_up
            && let Some(certificate) = self.refute(&limits.with_nodes(u64::MAX))
        {
            (verdict, proof) = (Verdict::Unsolvable(Why::Certificate(certificate)), ProofSource::Certificate { gave_up });
        }
        OnePlayer::report(self, method, proof, Outcome::new(verdict, stats), limits)
    }
}

/// The index of a consistent heuristic; see [`Packed::guide`].
fn consistent(board: &dyn Erased, name: Option<&str>) -> Result<Option<usize>, Fault> {
    let heuristics = board.menu().heuristics;
    let consistent = || heuristics.iter().enumerate().filter(|(_, heuristic)| heuristic.consistent);
    let Some(name) = name else { return Ok(consistent().next().map(|(at, _)| at)) };
    if name.is_empty() {
        return Ok(None);
    }
    let found = consistent().find(|(_, heuristic)| heuristic.name.eq_ignore_ascii_case(name));
    found.map(|(at, _)| Some(at)).ok_or_else(|| {
        let names: Vec<&str> = consistent().map(|(_, heuristic)| heuristic.name).collect();
        let help = match names.as_slice() {
            [] => "this game has none; omit the heuristic".to_owned(),
            names => format!("the consistent ones are {}", names.join(", ")),
        };
        Fault::new(format!("`{}` is not a consistent heuristic for this board", shorten(name)), help)
    })
}

impl<G: Game + Drawing> Packed for TwoPlayer<G> {
    fn instance_of(&self, state: &[u8]) -> String {
        self.game.write(&self.game.unpack(state))
    }

    fn layer_name(&self, layer: u32) -> String {
        self.game.layer_name(layer)
    }

    fn has_grundy(&self) -> bool {
        self.game.impartial() && !self.game.repeats()
    }

    fn guide(&self, _name: Option<&str>) -> Result<(Option<&'static str>, Box<dyn Estimator>), Fault> {
        Err(Fault::new("this is a two-player game, which has no plan", "`kibitzer label` solves every position"))
    }

    fn report(&self, method: &str, _found: PackedOutcome, _stats: Stats, _limits: &Limits) -> Result<Report, SelfCheck> {
        Err(SelfCheck { method: method.to_owned(), fault: "two-player games have no plan".to_owned() })
    }
}
