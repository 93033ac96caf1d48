//! The solver for boards with many pegs: it searches from both ends and prunes states that linear programs rule out.
//!
//! Undoing a jump is the same as making it on the complement of the board (with pegs and empty holes exchanged), so the search can
//! run backward from the goals as well as forward from the start (`field`). Each round decides, from both ends, whether there is a
//! plan up to a given cost (`round`). Bounds come from hole weights. A linear program computes weights for some of the states that
//! the search encounters (`bounds`). These weights then prune most of the other states that the program would rule out.
//!
//! Rounds start at the least cost that is not ruled out, so the first plan that a round finds is optimal. Between rounds, beams
//! look for a plan; a beam is a round that drops unpromising states. If a beam's plan costs no more than the proved lower bound, no
//! further round is needed. This settles boards on which all plans cost the same.

mod bounds;
mod budget;
mod field;
mod layer_table;
mod path;
mod pool;
mod round;
mod shared;
mod trace;

use budget::{MeetBudget, Stop};
use field::PegField;
use round::Round;
use shared::Shared;
use trace::MeetTrace;

use super::{Jump, PegSet, Pegs, heuristics, proof};
use crate::limits::{Limit, Limits};
use crate::outcome::{Certificate, Outcome, Plan, Stats, Verdict, Why};
use crate::rules::{Cost, Solver};
use crate::trace::{Expanded, Side};

/// The minimum number of pegs. With fewer, A* finishes before this solver has built its tables.
const FEWEST: u32 = 20;
/// The number of states per layer that the first beam expands.
const WIDTH: usize = 64;
/// The factor by which each beam is wider than the previous one.
const WIDER: usize = 4;
/// Once a plan is known, exact rounds may expand WORTH times as many states as the beams have, before the next beam starts.
const WORTH: u64 = 4;
/// Without a plan, a round is abandoned for a wider beam after PATIENCE times the beams' expansions, or after as many expansions as in
/// all earlier rounds, whichever is more.
const PATIENCE: u64 = 1;
/// Once a plan is known, if a round expands fewer states than this, the next round covers twice as many costs. If prices are large,
/// most numbers are not the cost of any plan.
const IDLE: u64 = 16;

pub(super) const SOLVER: Solver<Pegs> = Solver {
    name: "meet",
    about: "searches forward from the start and backward from the goal until both meet, and prunes with weights that linear programs find \
            on the way",
    optimal: true,
    course: false,
    beside: Some(|_| ("astar:priced", 1024)),
    applies: |board, state| match state.pegs.count_ones() < FEWEST {
        true => Err("it needs a board with at least 20 pegs; with fewer, A* is faster"),
        false => fits(board, state),
    },
    run: |board, start, limits| solve(board, start, WIDTH, limits, None),
    trace: Some(|board, start, limits, emit| solve(board, start, WIDTH, limits, Some(emit))),
};

/// Checks that the solver can handle this board.
pub fn fits(board: &Pegs, state: &PegSet) -> Result<(), &'static str> {
    if board.by_moves {
        return Err("it counts jumps, not moves");
    }
    if board.holes.len() > 64 {
        return Err("it handles at most 64 holes");
    }
    if board.goals().contains(&0) {
        return Err("it needs a goal with at least one peg");
    }
    let field = PegField::new(board, state.pegs);
    match pool::scale(&field).is_some() && field.ceiling() < layer_table::MOST_COST {
        true => Ok(()),
        false => Err("the prices are too large for it"),
    }
}

/// Solves the board, starting with a beam of this width.
pub fn solve(board: &Pegs, start: &PegSet, width: usize, limits: &Limits, emit: Option<&mut dyn FnMut(Expanded<Pegs>)>) -> Outcome<Jump> {
    let pegs = start.pegs;
    if board.is_won(pegs) {
        return Outcome::new(Verdict::Solved { plan: Plan { moves: Vec::new(), cost: 0 }, lower: 0 }, Stats::default());
    }
    if let Some(certificate) = proof::refute(board, pegs, &limits.with_nodes(0)) {
        return Outcome::new(Verdict::Unsolvable(Why::Certificate(certificate)), Stats::default());
    }
    let field = PegField::new(board, pegs);
    // `applies` has rejected boards for which there is no scale.
    let scale = pool::scale(&field).unwrap_or(1);
    let cover = |side: Side, state: u64| match side {
        Side::Forward => heuristics::lines(board, u128::from(state), None),
        Side::Backward if field.fixed => heuristics::lines(board, u128::from(state), Some(pegs)),
        Side::Backward => 0,
    };
    // With single jumps, the cover never exceeds the bound from the weights by enough to be worth computing.
    let lines: Option<shared::Lines<'_>> = if board.single { None } else { Some(&cover) };
    let (mut shared, lower) = Shared::new(&field, scale, lines);
    let trace = emit.map(|emit| MeetTrace::new(board, &field, start.clone(), emit));
    let budget = MeetBudget { limits, stats: Stats::default(), lower, upper: None, most: u64::MAX, trace };
    let mut search = Search { board, pegs, field: &field, budget, plan: None, refuted: false };
    let verdict = search.run(&mut shared, width).unwrap_or_else(|limit| search.gave_up(limit));
    Outcome::new(verdict, search.budget.stats)
}

struct Search<'a> {
    board: &'a Pegs,
    pegs: u128,
    field: &'a PegField,
    budget: MeetBudget<'a>,
    plan: Option<Plan<Jump>>,
    /// True if a short proof has already been tried.
    refuted: bool,
}

impl Search<'_> {
    fn run(&mut self, shared: &mut Shared<'_>, mut width: usize) -> Result<Verdict<Jump>, Limit> {
        let ceiling = self.field.ceiling();
        // The number of costs that the next round covers, starting at the lower bound: without a known plan, and with one.
        let (mut step, mut gap) = (1, 1);
        // The number of expansions by beams and by rounds.
        let (mut beams, mut rounds) = (0, 0);
        loop {
            let lower = self.budget.lower;
            if let Some(plan) = self.plan.clone().filter(|plan| plan.cost <= lower) {
                return Ok(Verdict::Solved { plan, lower });
            }
            if lower > ceiling {
                return Ok(Verdict::Unsolvable(Why::Exhausted { states: self.budget.stats.stored }));
            }
            let worth = if self.plan.is_some() { WORTH } else { 1 };
            let before = self.budget.stats.expanded;
            if rounds >= worth * beams {
                if let Some(verdict) = self.beam(shared, width)? {
                    return Ok(verdict);
                }
                beams += self.budget.stats.expanded - before;
                width = width.saturating_mul(WIDER);
                continue;
            }
            let most = match &self.plan {
                Some(plan) => lower.saturating_add(gap - 1).min(plan.cost - 1),
                // Raise the bound in small steps, because the board may be unsolvable.
                None => lower.saturating_add(step - 1).min(ceiling),
            };
            self.budget.most = if self.plan.is_some() { u64::MAX } else { before + (PATIENCE * beams).max(rounds) };
            if let Some(verdict) = self.round(shared, most)? {
                return Ok(verdict);
            }
            let expanded = self.budget.stats.expanded - before;
            if self.budget.lower > lower && self.plan.is_none() {
                step = step.saturating_mul(2);
            } else if expanded < IDLE {
                gap = gap.saturating_mul(2);
            }
            rounds += expanded;
        }
    }

    /// Looks for a plan among the most promising states. If no state was dropped, the result is exact.
    fn beam(&mut self, shared: &mut Shared<'_>, width: usize) -> Result<Option<Verdict<Jump>>, Limit> {
        self.budget.most = u64::MAX;
        let dearest = self.plan.as_ref().map_or(self.field.ceiling(), |plan| plan.cost - 1);
        let whole = self.search(shared, dearest, Some(width))?.unwrap_or(false);
        if whole {
            self.budget.lower = self.plan.as_ref().map_or(self.field.ceiling().saturating_add(1), |plan| plan.cost);
        } else if self.plan.is_none()
            && let Some(certificate) = self.refute()
        {
            return Ok(Some(Verdict::Unsolvable(Why::Certificate(certificate))));
        }
        Ok(None)
    }

    /// Looks for the cheapest plan that costs at most `most`.
    fn round(&mut self, shared: &mut Shared<'_>, most: Cost) -> Result<Option<Verdict<Jump>>, Limit> {
        let before = self.plan.as_ref().map(|plan| plan.cost);
        if self.search(shared, most, None)?.is_none() {
            return Ok(None);
        }
        match self.plan.clone().filter(|plan| before.is_none_or(|before| plan.cost < before)) {
            Some(plan) => Ok(Some(Verdict::Solved { lower: plan.cost, plan })),
            None => {
                self.budget.lower = most.saturating_add(1);
                Ok(None)
            }
        }
    }

    /// Runs a round and keeps its plan if it is cheaper than the known one. Returns true if no state was dropped, or `None` if the
    /// round gave up.
    fn search(&mut self, shared: &mut Shared<'_>, most: Cost, width: Option<usize>) -> Result<Option<bool>, Limit> {
        if let Some(trace) = &mut self.budget.trace {
            trace.begin();
        }
        let mut round = Round::new(shared, most, width, self.budget.limits.bytes);
        let ended = round.run(&mut self.budget);
        self.budget.stats.stored = self.budget.stats.stored.max(round.states());
        if let Some(best) = round.best
            && self.plan.as_ref().is_none_or(|plan| best.cost < plan.cost)
        {
            let plan = path::plan(self.field, &round, best).expect("both sides have a path to the meeting state");
            self.budget.upper = Some(plan.cost);
            self.plan = Some(plan);
        }
        match ended {
            Ok(()) => Ok(Some(!round.narrowed)),
            Err(Stop::Enough) => Ok(None),
            Err(Stop::Limit(limit)) => Err(limit),
        }
    }

    /// A short proof that there is no solution, if one is found. Only the first call looks for one.
    fn refute(&mut self) -> Option<Certificate> {
        let asked = std::mem::replace(&mut self.refuted, true);
        if asked { None } else { proof::refute(self.board, self.pegs, &self.budget.limits.with_nodes(u64::MAX)) }
    }

    /// The verdict when a limit is reached.
    fn gave_up(&mut self, limit: Limit) -> Verdict<Jump> {
        if self.plan.is_none()
            && !matches!(limit, Limit::Time | Limit::Interrupt)
            && let Some(certificate) = self.refute()
        {
            return Verdict::Unsolvable(Why::Certificate(certificate));
        }
        Verdict::Unknown { limit, lower: self.budget.lower, best: self.plan.take() }
    }
}
