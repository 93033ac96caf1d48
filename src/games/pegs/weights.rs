//! Weights for holes by linear programming: pagoda functions, which no jump can gain by, and potentials, of which no jump takes
//! away more than its price. Whatever the program says in floating point, only weights that pass an exact test in whole
//! numbers are given out.

use super::{DIRECTIONS, Direction, Pegs, Segment, holes_of, simplex};
use crate::limits::{Limit, Limits};
use crate::rules::Cost;

/// One weight per hole.
pub(super) type Weights = Vec<i64>;

/// The largest program to be tried, in rows.
const MOST_ROWS: usize = 700;

/// What a set of holes weighs.
pub(super) fn value(weights: &[i64], pegs: u128) -> i64 {
    holes_of(pegs).map(|hole| weights[hole as usize]).sum()
}

/// Every jump that the board allows, with its direction.
fn jumps(board: &Pegs) -> impl Iterator<Item = (Direction, &Segment)> {
    board.segments.iter().flat_map(|rays| DIRECTIONS.into_iter().zip(rays)).flat_map(|(way, ray)| ray.iter().map(move |jump| (way, jump)))
}

/// Rows of a program for this board, about.
pub(super) fn rows(board: &Pegs) -> usize {
    jumps(board).count() + 3 * board.holes.len()
}

/// What a jump takes away: its segment but for where it lands, less where it lands.
fn taken(weights: &[i64], jump: &Segment) -> i64 {
    value(weights, jump.flips) - 2 * weights[jump.to as usize]
}

/// Weights under which no jump gains and the target weighs more than the start, if there are any.
pub(super) fn pagoda(board: &Pegs, pegs: u128, target: u128, limits: &Limits) -> Result<Option<Weights>, Limit> {
    let Some(mut program) = Program::new(board) else { return Ok(None) };
    for (_, jump) in jumps(board) {
        program.limit(|hole| 2.0 * bit(jump.landing, hole) - bit(jump.flips, hole), None, 0.0);
    }
    program.bound(1.0);
    let fits =
        |weights: &[i64], _| value(weights, target) > value(weights, pegs) && jumps(board).all(|(_, jump)| taken(weights, jump) >= 0);
    let found = program.whole(|hole| bit(target, hole) - bit(pegs, hole), 0.0, fits, limits)?;
    Ok(found.map(|(weights, _)| weights))
}

/// Weights in units of 1/scale of which no jump takes away more than its price, as heavy as possible for the start.
pub(super) fn heaviest(board: &Pegs, limits: &Limits) -> Result<Option<(Weights, i64)>, Limit> {
    let price = |way: Direction| board.costs[way as usize];
    let fits = |weights: &[i64], scale: i64| jumps(board).all(|(way, jump)| taken(weights, jump) <= scale * i64::from(price(way)));
    let Some(mut program) = Program::new(board) else { return Ok(None) };
    for (way, jump) in jumps(board) {
        program.limit(|hole| bit(jump.flips, hole) - 2.0 * bit(jump.landing, hole), None, f64::from(price(way)));
    }
    // The extra variable is what the heaviest goal weighs.
    for goal in board.goals() {
        program.limit(|hole| bit(goal, hole), Some(-1.0), 0.0);
    }
    program.bound(f64::from(10 * price_range(board)));
    let found = program.whole(|hole| bit(board.start.pegs, hole), -1.0, fits, limits)?;
    Ok(found.map(|(weights, scale)| board.symmetric(&weights, scale)))
}

fn price_range(board: &Pegs) -> Cost {
    board.costs.iter().copied().max().unwrap_or(0)
}

/// Without a program: with single jumps every peg weighs the least price; else nothing weighs anything.
pub(super) fn plain(board: &Pegs) -> (Weights, i64) {
    let least = if board.single { board.costs.iter().copied().min().unwrap_or(0) } else { 0 };
    (vec![i64::from(least); board.holes.len()], 1)
}

fn bit(set: u128, hole: usize) -> f64 {
    f64::from((set >> hole & 1) as u8)
}

/// A program whose variables are the weights and one extra, each as the difference of two that are not negative.
struct Program {
    holes: usize,
    rows: Vec<(Vec<f64>, f64)>,
}

impl Program {
    /// Nothing if it would be too large.
    fn new(board: &Pegs) -> Option<Program> {
        (rows(board) <= MOST_ROWS).then(|| Program { holes: board.holes.len(), rows: Vec::new() })
    }

    fn both(&self, weights: impl Fn(usize) -> f64, extra: f64) -> Vec<f64> {
        let half: Vec<f64> = (0..self.holes).map(weights).chain([extra]).collect();
        half.iter().copied().chain(half.iter().map(|weight| -weight)).collect()
    }

    /// Some combination of weights is at most `most`.
    fn limit(&mut self, weights: impl Fn(usize) -> f64, extra: Option<f64>, most: f64) {
        let row = self.both(weights, extra.unwrap_or(0.0));
        self.rows.push((row, most));
    }

    /// All variables are from `-most` to `most`.
    fn bound(&mut self, most: f64) {
        let variables = 2 * (self.holes + 1);
        for variable in 0..variables {
            let mut row = vec![0.0; variables];
            row[variable] = 1.0;
            self.rows.push((row, most));
        }
    }

    /// The best weights as whole numbers in units of 1/scale, if they pass the test. Corners of such programs have small
    /// denominators.
    fn whole(
        &self,
        aim: impl Fn(usize) -> f64,
        extra: f64,
        fits: impl Fn(&[i64], i64) -> bool,
        limits: &Limits,
    ) -> Result<Option<(Weights, i64)>, Limit> {
        let Some(solution) = simplex::maximize(&self.both(aim, extra), &self.rows, limits)? else { return Ok(None) };
        let weights: Vec<f64> = (0..self.holes).map(|hole| solution[hole] - solution[self.holes + 1 + hole]).collect();
        let found = (1..=240).find_map(|scale| {
            let scaled: Vec<f64> = weights.iter().map(|weight| weight * scale as f64).collect();
            let whole = scaled.iter().all(|weight| (weight - weight.round()).abs() < 1e-5);
            let weights: Weights = scaled.iter().map(|weight| weight.round() as i64).collect();
            (whole && fits(&weights, scale)).then_some((weights, scale))
        });
        Ok(found)
    }
}
