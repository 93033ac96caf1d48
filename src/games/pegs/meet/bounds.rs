//! Lower bounds on the cost between a state and the other end, computed from hole weights that are learned from states that the
//! search encounters.
//!
//! In the forward search, the other end is the set of goals; in the backward search, it is the start. If no weights in the pool
//! prune a state, the linear program sometimes looks for new ones. If its weights prune the state, they join the pool and prune
//! similar states. Solving the program takes as long as processing many states. So it is solved only within a work budget, which
//! grows with every state that the pool does not prune, and each failure lengthens the wait until the next attempt.

use super::field::PegField;
use super::pool::{self, Pool};
use crate::games::pegs::program::LinearProgram;
use crate::rules::Cost;
use crate::trace::Side;

/// The maximum number of states between two runs of the program.
const RAREST: u32 = 1024;
/// The number of states by which each success shortens the interval between two runs.
const SOONER: u32 = 4;
/// The work credited for each state that the pool does not prune, measured in changed cells of the program's table.
const EARNED: i64 = 1000;
/// The initial credit, which is also the maximum.
const FREE: i64 = 5_000_000;

pub struct Bounds {
    side: Side,
    scale: i64,
    program: LinearProgram,
    pool: Pool,
    right: Vec<f64>,
    /// The number of states left until the next run of the program.
    wait: u32,
    /// The last value that `wait` was set to, minus [`SOONER`] for each success since then.
    pause: u32,
    credit: i64,
}

impl Bounds {
    pub fn new(field: &PegField, side: Side, scale: i64) -> Bounds {
        let heaviest = pool::HEAVIEST * f64::from(field.dearest());
        // The forward search has one more row: the fractions of the goals add up to one.
        let more = usize::from(side == Side::Forward);
        let jumps = field.jumps.iter().map(|jump| {
            let column = (0..field.holes).map(|hole| bit(jump.need, hole) - bit(jump.landing, hole)).chain(vec![0.0; more]).collect();
            (column, f64::from(jump.price))
        });
        let goals = field.goals.iter().filter(|_| more == 1).map(|&goal| {
            let column = (0..field.holes).map(|hole| bit(goal, hole)).chain([1.0]).collect();
            (column, 0.0)
        });
        let columns: Vec<(Vec<f64>, f64)> = jumps.chain(goals).collect();
        let mut penalty = vec![heaviest; field.holes];
        penalty.extend(vec![heaviest * field.holes as f64; more]);
        let (program, pool) = (LinearProgram::new(&columns, penalty), Pool::new(field.holes));
        Bounds { side, scale, program, pool, right: Vec::new(), wait: 0, pause: 0, credit: FREE }
    }

    pub fn bytes(&self) -> usize {
        self.program.bytes() + self.pool.bytes()
    }

    /// The best weights for bounding the cost between a state and the other end, if the program finds any that pass the exact test.
    pub fn weights(&mut self, field: &PegField, state: u64) -> Option<Vec<i32>> {
        self.right.clear();
        match self.side {
            Side::Forward => self.right.extend((0..field.holes).map(|hole| bit(state, hole)).chain([1.0])),
            Side::Backward => self.right.extend((0..field.holes).map(|hole| bit(field.start, hole) - bit(state, hole))),
        }
        if !self.program.solve(&self.right) {
            return None;
        }
        // In the backward search, a state represents all its images, which need not be equally far from the start.
        let fair = self.side == Side::Forward || field.fixed;
        let whole = match fair {
            true => pool::whole(field, &self.program.weights, self.scale),
            false => pool::whole(field, &field.mean(&self.program.weights), self.scale),
        };
        if whole.is_none() {
            self.program.forget();
        }
        whole
    }

    /// Sets the sign of the weights so that the remaining cost is at least the weight of a state minus the returned number.
    fn other_end(&self, field: &PegField, weights: &mut [i32]) -> i64 {
        match self.side {
            Side::Forward => field.goals.iter().map(|&goal| pool::value(weights, goal)).max().unwrap_or(0),
            Side::Backward => {
                weights.iter_mut().for_each(|weight| *weight = -*weight);
                pool::value(weights, field.start)
            }
        }
    }

    /// True if a bound from the pool exceeds `most`.
    #[inline]
    pub fn known(&mut self, state: u64, most: Cost) -> bool {
        i32::try_from(self.scale * i64::from(most)).is_ok_and(|most| self.pool.exceeds(state, most))
    }

    /// True if a bound from the pool exceeds `most`. If no such bound does and the linear program may run now, also tries its
    /// bound.
    pub fn exceed(&mut self, field: &PegField, state: u64, most: Cost) -> bool {
        if self.known(state, most) {
            return true;
        }
        self.credit = (self.credit + EARNED).min(FREE);
        if self.wait > 0 || self.credit < 0 {
            self.wait = self.wait.saturating_sub(1);
            return false;
        }
        let before = self.program.work;
        let found = self.weights(field, state);
        self.credit -= self.program.work - before;
        if let Some(mut weights) = found {
            let other = self.other_end(field, &mut weights);
            if pool::value(&weights, state) - other > self.scale * i64::from(most) {
                self.pool.add(&weights, other);
                self.pause = self.pause.saturating_sub(SOONER);
                return true;
            }
        }
        self.pause = (2 * self.pause + 1).min(RAREST);
        self.wait = self.pause;
        false
    }

    /// The pool's largest bound for a state, in units of 1/scale.
    pub fn estimate(&self, state: u64) -> i32 {
        self.pool.most(state)
    }
}

fn bit(set: u64, hole: usize) -> f64 {
    f64::from((set >> hole & 1) as u8)
}
