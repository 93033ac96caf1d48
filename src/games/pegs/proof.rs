//! Proofs that a pegs board cannot be solved, found without a search and checked by arithmetic.
//!
//! *Count*: jumps never add a peg.
//!
//! *Class* (single jumps only): color the squares by row + column modulo 3, and again by row - column modulo 3. A jump changes
//! three neighboring squares in a line, one of each color, so for each coloring the parities of the three peg counts all change
//! together. So two counts that have the same parity always will.
//!
//! *Pagoda*: give every hole a weight so that no jump gains weight, that is, so that the landing hole weighs at most as much as all
//! pegs that the jump removes. With such weights, a board that weighs more than the start cannot be reached. The best weights for a
//! start and a goal are the solution of a linear program.

use serde_json::{Map, Value, json};

use super::weights::{self, HoleWeights, value};
use super::{Pegs, holes_of};
use crate::limits::Limits;
use crate::notation::shorten;
use crate::outcome::Certificate;
use crate::rules::CheckError;

/// A search of fewer than PAGODA_WORTH states is faster than a linear program with more than QUICK_ROWS rows, which takes seconds.
const PAGODA_WORTH: u64 = 1000;
const QUICK_ROWS: usize = 200;

/// A proof that no goal can be reached; `None` if none is found or a limit was reached.
pub(super) fn refute(board: &Pegs, pegs: u128, limits: &Limits) -> Option<Certificate> {
    let certificate =
        |kind: &str, data: Map<String, Value>| Some(Certificate { kind: kind.to_owned(), claim: claim(board, pegs, kind), data });
    if pegs.count_ones() < fewest(board) {
        return certificate("count", Map::new());
    }
    let mut left = board.goals();
    left.retain(|&target| same_class(board, pegs, target));
    if left.is_empty() {
        return certificate("class", Map::new());
    }
    if limits.nodes < PAGODA_WORTH && weights::rows(board) > QUICK_ROWS {
        return None;
    }
    let mut pagodas: Vec<HoleWeights> = Vec::new();
    while let Some(&target) = left.first() {
        let weights = weights::pagoda(board, pegs, target, limits).ok()??;
        left.retain(|&target| value(&weights, target) <= value(&weights, pegs));
        pagodas.push(weights);
    }
    certificate("pagoda", Map::from_iter([("weights".to_owned(), json!(pagodas))]))
}

/// The minimum number of pegs in a goal.
fn fewest(board: &Pegs) -> u32 {
    board.goals().into_iter().map(u128::count_ones).min().unwrap_or(0)
}

/// The claim of a certificate of this kind.
pub(super) fn claim(board: &Pegs, pegs: u128, kind: &str) -> String {
    match kind {
        "count" => {
            let there = match pegs.count_ones() {
                1 => "there is 1 peg".to_owned(),
                many => format!("there are {many} pegs"),
            };
            let needed = fewest(board);
            format!("{there}, {needed} {} needed, and jumps never add a peg", if needed == 1 { "is" } else { "are" })
        }
        "class" => "no goal is in the start's position class, and single jumps never change the class".to_owned(),
        _ => "under weights whose sum no jump increases, every goal weighs more than the start".to_owned(),
    }
}

pub(super) fn check(board: &Pegs, pegs: u128, certificate: &Certificate, limits: &Limits) -> Result<(), CheckError> {
    limits.check()?;
    let mut left = board.goals();
    match certificate.kind.as_str() {
        "count" => left.retain(|target| target.count_ones() <= pegs.count_ones()),
        "class" => left.retain(|&target| same_class(board, pegs, target)),
        "pagoda" => {
            left.retain(|&target| same_class(board, pegs, target));
            let rows = certificate.data.get("weights").and_then(Value::as_array).ok_or("there is no list `weights`")?;
            for row in rows {
                limits.check()?;
                let weights: Option<HoleWeights> = row
                    .as_array()
                    .and_then(|row| row.iter().map(|weight| weight.as_i64().filter(|weight| weight.abs() < 1 << 40)).collect());
                let weights = weights.filter(|weights| weights.len() == board.holes.len());
                let weights = weights.ok_or("every row of `weights` needs one whole number per hole")?;
                no_jump_gains(board, &weights)?;
                left.retain(|&target| value(&weights, target) <= value(&weights, pegs));
            }
        }
        kind => return Err(format!("pegs has no certificates of kind `{}`", shorten(kind)).into()),
    }
    match left.first() {
        None => Ok(()),
        Some(&target) => {
            let holes: Vec<(usize, usize)> = holes_of(target).map(|hole| board.holes[hole as usize]).collect();
            Err(format!("the goal with pegs at {holes:?} is not excluded").into())
        }
    }
}

/// True if both boards are in the same position class. If long jumps are allowed, there is only one class.
pub(super) fn same_class(board: &Pegs, one: u128, other: u128) -> bool {
    let class = |pegs: u128| {
        let mut odd = [[false; 3]; 2];
        for hole in holes_of(pegs) {
            let (row, column) = board.holes[hole as usize];
            odd[0][(row + column) % 3] ^= true;
            odd[1][(row + 2 * column) % 3] ^= true;
        }
        odd.map(|[a, b, c]| (a ^ b, b ^ c))
    };
    !board.single || class(one) == class(other)
}

fn no_jump_gains(board: &Pegs, weights: &[i64]) -> Result<(), String> {
    for segment in board.segments.iter().flatten().flatten() {
        let taken = value(weights, segment.flips & !segment.landing);
        if taken < weights[segment.to as usize] {
            return Err(format!("a jump to {:?} gains weight", board.holes[segment.to as usize]));
        }
    }
    Ok(())
}
