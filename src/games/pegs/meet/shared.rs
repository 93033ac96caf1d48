//! Data shared by all rounds of a search: the weights that define losses, and the learned bounds.

use super::bounds::Bounds;
use super::field::{JumpMask, PegField};
use super::pool;
use crate::rules::Cost;
use crate::trace::Side;

/// Another lower bound on the cost from a state to the goals, or from the start to a state.
pub type Lines<'a> = &'a dyn Fn(Side, u64) -> Cost;

pub struct Shared<'a> {
    pub field: &'a PegField,
    /// The number of weight and loss units per unit of price.
    pub scale: i64,
    /// The loss of every jump, by the weights in `base`.
    pub losses: Vec<i64>,
    /// Hole weights, which are equal for symmetric holes.
    base: Vec<i32>,
    /// The weight of the heaviest goal.
    goal: i64,
    /// Forward and backward.
    bounds: [Bounds; 2],
    lines: Option<Lines<'a>>,
}

impl<'a> Shared<'a> {
    /// Computes the shared data; also returns a lower bound on the cost of every plan.
    pub fn new(field: &'a PegField, scale: i64, lines: Option<Lines<'a>>) -> (Self, Cost) {
        let mut bounds = [Side::Forward, Side::Backward].map(|side| Bounds::new(field, side, scale));
        let nothing = || vec![0; field.holes];
        let heaviest = |weights: &[i32]| field.goals.iter().map(|&goal| pool::value(weights, goal)).max().unwrap_or(0);
        let found = bounds[0].weights(field, field.start).unwrap_or_else(nothing);
        let lower = units(pool::value(&found, field.start) - heaviest(&found), scale);
        let mean = field.mean(&found.iter().map(|&weight| f64::from(weight) / scale as f64).collect::<Vec<_>>());
        let base = pool::whole(field, &mean, scale).unwrap_or_else(nothing);
        let taken = |jump: &JumpMask| pool::value(&base, jump.need) - pool::value(&base, jump.landing);
        let losses = field.jumps.iter().map(|jump| scale * i64::from(jump.price) - taken(jump)).collect();
        let least = lines.map_or(0, |lines| lines(Side::Forward, field.start));
        (Shared { field, scale, goal: heaviest(&base), losses, base, bounds, lines }, least.max(lower))
    }

    pub fn bytes(&self) -> usize {
        self.field.bytes() + self.bounds.iter().map(Bounds::bytes).sum::<usize>()
    }

    /// The weight lost between a state and the other end, if play ends at the heaviest goal.
    fn rest(&self, side: Side, state: u64) -> i64 {
        let weight = pool::value(&self.base, state);
        if side == Side::Forward { weight - self.goal } else { pool::value(&self.base, self.field.start) - weight }
    }

    /// The loss of a path of this cost to a state.
    pub fn loss(&self, side: Side, state: u64, cost: Cost) -> i64 {
        let whole = pool::value(&self.base, self.field.start) - self.goal;
        self.scale * i64::from(cost) - (whole - self.rest(side, state))
    }

    /// A lower bound on the cost of reaching the other end, computed from the weights in `base`.
    pub fn estimate(&self, side: Side, state: u64) -> Cost {
        units(self.rest(side, state), self.scale)
    }

    /// A cheap test: true if a known bound exceeds `most`.
    #[inline]
    pub fn known(&mut self, side: Side, state: u64, most: Cost) -> bool {
        self.bounds[side as usize].known(state, most)
    }

    /// True if any bound exceeds `most`: a known one, a new one from the linear program, or `lines`.
    pub fn cut(&mut self, side: Side, state: u64, most: Cost) -> bool {
        self.bounds[side as usize].exceed(self.field, state, most) || self.lines.is_some_and(|lines| lines(side, state) > most)
    }

    /// A lower bound on the cost of plans through a forward state; lower is better.
    pub fn promise(&self, state: u64, cost: Cost) -> i64 {
        let lines = self.lines.map_or(0, |lines| self.scale * i64::from(lines(Side::Forward, state)));
        let estimate = self.rest(Side::Forward, state).max(i64::from(self.bounds[0].estimate(state))).max(lines);
        self.scale * i64::from(cost) + estimate
    }
}

/// Converts an amount to units of price, rounded up and at least 0.
fn units(amount: i64, scale: i64) -> Cost {
    Cost::try_from((amount.max(0) + scale - 1) / scale).unwrap_or(Cost::MAX)
}
