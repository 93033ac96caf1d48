//! Hole weights by linear programming: pagoda functions, whose sum no jump increases, and potentials, whose sum no jump lowers
//! by more than its price. The program computes in floating point; only weights that pass an exact test in integers are returned.

use super::program::LinearProgram;
use super::{DIRECTIONS, Direction, Pegs, Segment, holes_of};
use crate::limits::{Limit, Limits};

/// One weight per hole.
pub(super) type HoleWeights = Vec<i64>;

/// The maximum size of a program, as computed by [`rows`].
const MOST_ROWS: usize = 700;

/// The weight of a set of holes.
pub(super) fn value(weights: &[i64], pegs: u128) -> i64 {
    holes_of(pegs).map(|hole| weights[hole as usize]).sum()
}

/// Every jump that the board allows, with its direction.
fn jumps(board: &Pegs) -> impl Iterator<Item = (Direction, &Segment)> {
    board.segments.iter().flat_map(|rays| DIRECTIONS.into_iter().zip(rays)).flat_map(|(way, ray)| ray.iter().map(move |jump| (way, jump)))
}

/// The size of the program for this board, counting one row per jump and three per hole.
pub(super) fn rows(board: &Pegs) -> usize {
    jumps(board).count() + 3 * board.holes.len()
}

/// The weight that a jump removes: the weight of its start and of the jumped pegs, minus that of its landing hole.
fn taken(weights: &[i64], jump: &Segment) -> i64 {
    value(weights, jump.flips) - 2 * weights[jump.to as usize]
}

/// Weights such that no jump gains weight and the target weighs more than the start, if such weights are found.
pub(super) fn pagoda(board: &Pegs, pegs: u128, target: u128, limits: &Limits) -> Result<Option<HoleWeights>, Limit> {
    let holes = 0..board.holes.len();
    let gain = |jump: &Segment| holes.clone().map(|hole| 2.0 * bit(jump.landing, hole) - bit(jump.flips, hole)).collect();
    let columns = jumps(board).map(|(_, jump)| (gain(jump), 0.0)).collect();
    let aim: Vec<f64> = holes.clone().map(|hole| bit(target, hole) - bit(pegs, hole)).collect();
    let fits =
        |weights: &[i64], _| value(weights, target) > value(weights, pegs) && jumps(board).all(|(_, jump)| taken(weights, jump) >= 0);
    let found = whole(board, columns, vec![1.0; board.holes.len()], &aim, fits, limits)?;
    Ok(found.map(|(weights, _)| weights))
}

/// Weights, in units of 1/scale, such that no jump removes more weight than its price and the start weighs as much as possible.
pub(super) fn heaviest(board: &Pegs, limits: &Limits) -> Result<Option<(HoleWeights, i64)>, Limit> {
    let holes = 0..board.holes.len();
    let price = |way: Direction| board.costs[way as usize];
    let fits = |weights: &[i64], scale: i64| jumps(board).all(|(way, jump)| taken(weights, jump) <= scale * i64::from(price(way)));
    let loss = |jump: &Segment| holes.clone().map(|hole| bit(jump.flips, hole) - 2.0 * bit(jump.landing, hole)).chain([0.0]).collect();
    let mut columns: Vec<(Vec<f64>, f64)> = jumps(board).map(|(way, jump)| (loss(jump), f64::from(price(way)))).collect();
    // The last row is the weight of the heaviest goal.
    columns.extend(board.goals().into_iter().map(|goal| (holes.clone().map(|hole| bit(goal, hole)).chain([1.0]).collect(), 0.0)));
    let most = f64::from(10 * board.costs.iter().copied().max().unwrap_or(0));
    let mut penalty = vec![most; board.holes.len()];
    penalty.push(most * board.holes.len() as f64);
    let aim: Vec<f64> = holes.clone().map(|hole| bit(board.start.pegs, hole)).chain([1.0]).collect();
    let found = whole(board, columns, penalty, &aim, fits, limits)?;
    Ok(found.map(|(weights, scale)| board.symmetric(&weights, scale)))
}

/// Weights found without a program: with single jumps, the least price for every hole; otherwise zero.
pub(super) fn plain(board: &Pegs) -> (HoleWeights, i64) {
    let least = if board.single { board.costs.iter().copied().min().unwrap_or(0) } else { 0 };
    (vec![i64::from(least); board.holes.len()], 1)
}

fn bit(set: u128, hole: usize) -> f64 {
    f64::from((set >> hole & 1) as u8)
}

/// The best weights of a program as integers in units of 1/scale, if they pass the test. The coordinates of the vertices of such
/// programs have small denominators.
fn whole(
    board: &Pegs,
    columns: Vec<(Vec<f64>, f64)>,
    penalty: Vec<f64>,
    aim: &[f64],
    fits: impl Fn(&[i64], i64) -> bool,
    limits: &Limits,
) -> Result<Option<(HoleWeights, i64)>, Limit> {
    if rows(board) > MOST_ROWS {
        return Ok(None);
    }
    let mut program = LinearProgram::new(&columns, penalty);
    if !program.begin(aim, Some(limits))? {
        return Ok(None);
    }
    let found = (1..=240).find_map(|scale| {
        let scaled: Vec<f64> = program.weights[..board.holes.len()].iter().map(|weight| weight * scale as f64).collect();
        let whole = scaled.iter().all(|weight| (weight - weight.round()).abs() < 1e-5);
        let weights: HoleWeights = scaled.iter().map(|weight| weight.round() as i64).collect();
        (whole && fits(&weights, scale)).then_some((weights, scale))
    });
    Ok(found)
}
