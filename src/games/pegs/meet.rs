//! The solver for boards with many pegs: it meets in the middle, and cuts off what linear programs rule out.
//!
//! Undoing a jump is the same jump on the complement, so play can be followed backward from the goals as well as forward from the
//! start ([`field`]). Each round asks whether there is a plan that costs at most so much, and does so from both ends ([`round`]).
//! Bounds come from weights of holes, which a linear program finds for some of the states that the search meets ([`bounds`]) and which
//! then cut off most of what the program would cut off, too.
//!
//! Rounds start at the least cost that is not ruled out, so the first plan that a round finds is optimal. Between them beams, rounds that
//! leave out what promises little, look for a plan: where it costs no more than what is proved, no further round is needed. That
//! decides boards on which all plans cost the same.

mod bounds;
mod field;
mod path;
mod pool;
mod program;
mod round;
mod shared;
mod show;
mod table;
#[cfg(test)]
mod tests;
mod watch;

use field::Field;
use round::Round;
use shared::Shared;
use show::Show;
use watch::{Observer, Stop, Watch};

use super::{Jump, ORDER, PegSet, Pegs, heuristics, proof};
use crate::limits::{Limit, Limits};
use crate::outcome::{Certificate, Outcome, Plan, Stats, Verdict, Why};
use crate::rules::{Cost, Solver};
use crate::trace::{Expanded, Side};

/// With fewer pegs A* has its answer before this has its tables.
const FEWEST: u32 = 20;
/// States of a layer that the first beam expands, and how many times as many the next one does.
const WIDTH: usize = 64;
const WIDER: usize = 4;
/// A beam is worth so many times its expansions in rounds, once there is a plan.
const WORTH: u64 = 4;
/// A round without a plan in hand is left for a wider beam after so many times what beams have taken.
const PATIENCE: u64 = 1;
/// With a plan in hand, a round that expands fewer states than this doubles what the next one allows beyond the lower bound: where
/// prices are large, most numbers are not the cost of any plan.
const IDLE: u64 = 16;

pub(super) const SOLVER: Solver<Pegs> = Solver {
    name: "meet",
    about: "meets in the middle: forward from the start, backward from the goal, cut off by weights that linear programs find on the way",
    optimal: true,
    course: false,
    beside: Some(|_| ("astar:priced", 1024)),
    applies: |board, state| match state.pegs.count_ones() < FEWEST {
        true => Err("it is for boards with 20 pegs or more: on smaller ones A* is quicker"),
        false => fits(board, state.pegs),
    },
    run: |board, start, limits| solve(board, start, WIDTH, limits, None),
    trace: Some(|board, start, limits, emit| solve(board, start, WIDTH, limits, Some(emit))),
};

/// Can it work on this board at all?
fn fits(board: &Pegs, pegs: u128) -> Result<(), &'static str> {
    if board.holes.len() > 64 {
        return Err("it takes at most 64 holes");
    }
    if board.goals().contains(&0) {
        return Err("it needs a goal with a peg");
    }
    let field = field(board, pegs);
    match pool::scale(&field).is_some() && field.ceiling() < table::MOST_COST {
        true => Ok(()),
        false => Err("the prices are too large for it"),
    }
}

/// The board from this state on.
fn field(board: &Pegs, pegs: u128) -> Field {
    let mut jumps = Vec::new();
    for (from, rays) in (0..).zip(&board.segments) {
        for way in ORDER {
            let jump = |segment: &super::Segment| ((from, segment.to), (segment.flips ^ segment.landing) as u64, board.costs[way as usize]);
            jumps.extend(rays[way as usize].iter().map(jump));
        }
    }
    // A stored state stands for its images, and what is a goal to one of them is the image of a goal to another.
    let order = board.symmetry.order();
    let fits = |&goal: &u128| board.symmetry.images(goal)[..order].iter().any(|&image| proof::same_class(board, pegs, image));
    let goals = board.goals().into_iter().filter(fits).map(|goal| goal as u64).collect();
    Field::new(board.holes.len(), jumps, pegs as u64, goals, board.symmetry.maps(board.holes.len()))
}

/// Solves, with a first beam of this width.
fn solve(board: &Pegs, start: &PegSet, width: usize, limits: &Limits, emit: Option<&mut dyn FnMut(Expanded<Pegs>)>) -> Outcome<Jump> {
    let pegs = start.pegs;
    if board.is_won(pegs) {
        return Outcome::new(Verdict::Solved { plan: Plan { moves: Vec::new(), cost: 0 }, lower: 0 }, Stats::default());
    }
    if let Some(certificate) = proof::refute(board, pegs, &limits.with_nodes(0)) {
        return Outcome::new(Verdict::Unsolvable(Why::Certificate(certificate)), Stats::default());
    }
    let field = field(board, pegs);
    // Whoever asks for it by name has been refused already.
    let scale = pool::scale(&field).unwrap_or(1);
    let cover = |side: Side, state: u64| match side {
        Side::Forward => heuristics::lines(board, u128::from(state), None),
        Side::Backward if field.fixed => heuristics::lines(board, u128::from(state), Some(pegs)),
        Side::Backward => 0,
    };
    // With single jumps the cover never exceeds what weights say by enough to pay for it.
    let lines: Option<shared::Lines<'_>> = if board.single { None } else { Some(&cover) };
    let (mut shared, lower) = Shared::new(&field, scale, lines);
    let mut show = emit.map(|emit| Show::new(board, &field, start.clone(), emit));
    let observer = show.as_mut().map(|show| show as &mut dyn Observer);
    let watch = Watch { limits, stats: Stats::default(), lower, upper: None, most: u64::MAX, observer };
    let mut search = Search { board, pegs, field: &field, watch, plan: None, refuted: false };
    let verdict = search.run(&mut shared, width).unwrap_or_else(|limit| search.gave_up(limit));
    Outcome::new(verdict, search.watch.stats)
}

struct Search<'a> {
    board: &'a Pegs,
    pegs: u128,
    field: &'a Field,
    watch: Watch<'a>,
    plan: Option<Plan<Jump>>,
    /// Was a short proof asked for?
    refuted: bool,
}

impl Search<'_> {
    fn run(&mut self, shared: &mut Shared<'_>, mut width: usize) -> Result<Verdict<Jump>, Limit> {
        let ceiling = self.field.ceiling();
        // How much more than is proved the next round allows: without a plan, and with one.
        let (mut step, mut gap) = (1, 1);
        // Expansions of beams and of rounds.
        let (mut beams, mut rounds) = (0, 0);
        loop {
            let lower = self.watch.lower;
            if let Some(plan) = self.plan.clone().filter(|plan| plan.cost <= lower) {
                return Ok(Verdict::Solved { plan, lower });
            }
            if lower > ceiling {
                return Ok(Verdict::Unsolvable(Why::Exhausted { states: self.watch.stats.stored }));
            }
            let worth = if self.plan.is_some() { WORTH } else { 1 };
            let before = self.watch.stats.expanded;
            if rounds >= worth * beams {
                if let Some(verdict) = self.beam(shared, width)? {
                    return Ok(verdict);
                }
                beams += self.watch.stats.expanded - before;
                width = width.saturating_mul(WIDER);
                continue;
            }
            let most = match &self.plan {
                Some(plan) => lower.saturating_add(gap - 1).min(plan.cost - 1),
                // There may be none at all.
                None => lower.saturating_add(step - 1).min(ceiling),
            };
            self.watch.most = if self.plan.is_some() { u64::MAX } else { before + (PATIENCE * beams).max(rounds) };
            if let Some(verdict) = self.round(shared, most)? {
                return Ok(verdict);
            }
            let expanded = self.watch.stats.expanded - before;
            if self.watch.lower > lower && self.plan.is_none() {
                step = step.saturating_mul(2);
            } else if expanded < IDLE {
                gap = gap.saturating_mul(2);
            }
            rounds += expanded;
        }
    }

    /// Looks for a plan, leaving out what promises little. It is an answer if nothing was left out.
    fn beam(&mut self, shared: &mut Shared<'_>, width: usize) -> Result<Option<Verdict<Jump>>, Limit> {
        self.watch.most = u64::MAX;
        let dearest = self.plan.as_ref().map_or(self.field.ceiling(), |plan| plan.cost - 1);
        let whole = self.search(shared, dearest, Some(width))?.unwrap_or(false);
        if whole {
            self.watch.lower = self.plan.as_ref().map_or(self.field.ceiling().saturating_add(1), |plan| plan.cost);
        } else if self.plan.is_none()
            && let Some(certificate) = self.refute()
        {
            return Ok(Some(Verdict::Unsolvable(Why::Certificate(certificate))));
        }
        Ok(None)
    }

    /// Looks for the cheapest plan of at most this cost.
    fn round(&mut self, shared: &mut Shared<'_>, most: Cost) -> Result<Option<Verdict<Jump>>, Limit> {
        let before = self.plan.as_ref().map(|plan| plan.cost);
        if self.search(shared, most, None)?.is_none() {
            return Ok(None);
        }
        match self.plan.clone().filter(|plan| before.is_none_or(|before| plan.cost < before)) {
            Some(plan) => Ok(Some(Verdict::Solved { lower: plan.cost, plan })),
            None => {
                self.watch.lower = most.saturating_add(1);
                Ok(None)
            }
        }
    }

    /// Runs a round and keeps its plan, if that is cheaper. Says whether it looked at everything; nothing if it gave up.
    fn search(&mut self, shared: &mut Shared<'_>, most: Cost, width: Option<usize>) -> Result<Option<bool>, Limit> {
        if let Some(observer) = &mut self.watch.observer {
            observer.begin();
        }
        let mut round = Round::new(shared, most, width, self.watch.limits.bytes);
        let ended = round.run(&mut self.watch);
        self.watch.stats.stored = self.watch.stats.stored.max(round.states());
        if let Some(best) = round.best
            && self.plan.as_ref().is_none_or(|plan| best.cost < plan.cost)
        {
            let plan = path::plan(self.field, &round, best).expect("both sides know a way to where they meet");
            self.watch.upper = Some(plan.cost);
            self.plan = Some(plan);
        }
        match ended {
            Ok(()) => Ok(Some(!round.narrowed)),
            Err(Stop::Enough) => Ok(None),
            Err(Stop::Limit(limit)) => Err(limit),
        }
    }

    /// A short proof, if there is one; it is asked for once.
    fn refute(&mut self) -> Option<Certificate> {
        let asked = std::mem::replace(&mut self.refuted, true);
        if asked { None } else { proof::refute(self.board, self.pegs, &self.watch.limits.with_nodes(u64::MAX)) }
    }

    /// What is known when a limit is hit.
    fn gave_up(&mut self, limit: Limit) -> Verdict<Jump> {
        // Once interrupted, it looks for nothing more.
        if self.plan.is_none()
            && limit != Limit::Time
            && let Some(certificate) = self.refute()
        {
            return Verdict::Unsolvable(Why::Certificate(certificate));
        }
        Verdict::Unknown { limit, lower: self.watch.lower, best: self.plan.take() }
    }
}
