//! Systems of linear equations modulo k, and the method that works for every field: one equation and one unknown per hole. It
//! takes cubic time in the number of holes, so it is used for graphs and for fields that `sweep` cannot order.

use serde_json::{Value, json};

use super::Board;
use super::field::HoleField;
use crate::gf2::echelon::{self, Echelon, Reduce};
use crate::gf2::matrix::Matrix;
use crate::gf2::vector::Vector;
use crate::limits::{Limit, Limits};
use crate::modular;

/// Hits that solve a system, and independent quiet patterns. Every solution is the sum of the hits and a multiple of each pattern,
/// where the multiplier is below the pattern's order.
pub struct Solved {
    pub hits: Board,
    /// The orders of the quiet patterns: their product is the number of solutions.
    pub orders: Vec<u8>,
    /// The patterns; empty if they would take too much memory (see [`may_list`]).
    pub quiet: Vec<Board>,
}

/// The result of solving a system, unless a limit was reached. If there is no solution, the proof is a weight for each hole such
/// that every hit changes the weighted sum by a multiple of k, but the required change is not a multiple of k.
pub type Attempt = Result<Result<Solved, Vec<u8>>, Limit>;

/// The number of solutions, if there are any, computed from the orders of the quiet patterns.
pub fn solutions(orders: &[u8]) -> Value {
    let product = orders.iter().try_fold(1_u64, |product, &order| product.checked_mul(u64::from(order)));
    if let Some(product) = product.filter(|product| *product < 1 << 53) {
        return json!(product);
    }
    let mut sorted = orders.to_vec();
    sorted.sort_unstable();
    let powers: Vec<String> = sorted.chunk_by(|a, b| a == b).map(|same| format!("{}^{}", same[0], same.len())).collect();
    json!(powers.join(" * "))
}

/// The minimum number of quiet patterns that generate all others. Patterns whose orders are powers of different primes can be combined
/// into one.
pub fn nullity(orders: &[u8]) -> usize {
    let of_prime = |prime: u8| orders.iter().filter(|order| order.is_multiple_of(prime)).count();
    (2..=orders.iter().copied().max().unwrap_or(0)).map(of_prime).max().unwrap_or(0)
}

/// Maximum number of bytes for quiet patterns.
const QUIET_BYTES: usize = 1 << 28;

/// Returns whether `count` quiet patterns fit in memory, with one byte per place.
pub fn may_list(count: usize, places: usize, limits: &Limits) -> bool {
    count.saturating_mul(places) <= QUIET_BYTES.min(limits.bytes)
}

/// Solves a system modulo k, given by its rows. If there is no solution, the proof is a weight for each row.
pub fn solve_rows(states: u8, columns: usize, rows: &[Vec<u8>], sides: &[u8], limits: &Limits) -> Attempt {
    if states == 2 {
        limits.room(Matrix::bytes(rows.len(), columns))?;
        let matrix = Matrix::from_fn(rows.len(), columns, |row, column| rows[row][column] == 1);
        return solve_bits(&matrix, sides, echelon::reduce, limits);
    }
    solve_modular(states, columns, rows, sides, limits)
}

fn solve_bits(matrix: &Matrix, sides: &[u8], reduce: Reduce, limits: &Limits) -> Attempt {
    let bytes = |bits: &Vector| {
        let mut bytes = vec![0; bits.len()];
        bits.ones().for_each(|at| bytes[at] = 1);
        bytes
    };
    let side = Vector::from_fn(sides.len(), |at| sides[at] == 1);
    let echelon = Echelon::by(matrix, &[&side], reduce, limits)?;
    let Some(x) = echelon.solution(0) else {
        drop(echelon);
        return Ok(Err(bytes(&echelon::refute(matrix, &side, limits)?)));
    };
    let count = matrix.columns() - echelon.rank();
    let mut quiet = Vec::new();
    if may_list(count, matrix.columns(), limits) {
        let kernel = echelon.kernel(limits)?;
        quiet.extend((0..count).map(|row| bytes(&kernel.row_vector(row))));
    }
    Ok(Ok(Solved { hits: bytes(&x), orders: vec![2; count], quiet }))
}

fn solve_modular(states: u8, columns: usize, rows: &[Vec<u8>], sides: &[u8], limits: &Limits) -> Attempt {
    let wide = |numbers: &[u8]| numbers.iter().map(|&number| u32::from(number)).collect::<Vec<u32>>();
    let narrow = |numbers: Vec<u32>| numbers.into_iter().map(|number| number as u8).collect::<Vec<u8>>();
    limits.room(rows.len().saturating_mul(columns).saturating_mul(BYTES_MODULAR))?;
    let mut entries: Vec<Vec<u32>> = Vec::with_capacity(rows.len());
    for row in rows {
        limits.check()?;
        entries.push(wide(row));
    }
    Ok(match modular::solve(u32::from(states), columns, &entries, &wide(sides), limits)? {
        Ok(modular::ModularSolution { x, kernel }) => {
            let (orders, quiet) = kernel.into_iter().map(|generator| (generator.order as u8, narrow(generator.vector))).unzip();
            Ok(Solved { hits: narrow(x), orders, quiet })
        }
        Err(certificate) => Err(narrow(certificate.z)),
    })
}

/// Bytes per matrix entry for three or more states: one in the rows as they are built, four in the system, and four in the copy
/// that is reduced.
const BYTES_MODULAR: usize = 9;

/// The approximate number of bytes for a system with one equation per hole.
pub fn bytes(field: &HoleField, states: u8) -> usize {
    let holes = field.len();
    if states == 2 { Matrix::bytes(holes, holes).saturating_mul(2) } else { holes.saturating_mul(holes).saturating_mul(BYTES_MODULAR) }
}

/// Solves a field with one equation per hole. If holes have two states, `reduce` does the elimination.
pub fn solve(field: &HoleField, states: u8, need: &[u8], reduce: Reduce, limits: &Limits) -> Attempt {
    limits.room(bytes(field, states))?;
    let places = |fits: &dyn Fn(usize) -> bool| (0..field.len()).filter(|&at| fits(at)).collect::<Vec<usize>>();
    let (holes, hits) = (places(&|at| field.exists(at)), places(&|at| field.can_hit(at)));
    let mut row_of = vec![usize::MAX; field.len()];
    holes.iter().enumerate().for_each(|(row, &hole)| row_of[hole] = row);
    let sides: Vec<u8> = holes.iter().map(|&hole| need[hole]).collect();
    let solved = if states == 2 {
        let mut matrix = Matrix::zero(holes.len(), hits.len());
        for (column, &hit) in hits.iter().enumerate() {
            limits.check()?;
            field.toggled(hit, |hole| matrix.flip(row_of[hole], column));
        }
        solve_bits(&matrix, &sides, reduce, limits)?
    } else {
        let mut rows = vec![vec![0; hits.len()]; holes.len()];
        for (column, &hit) in hits.iter().enumerate() {
            limits.check()?;
            field.toggled(hit, |hole| rows[row_of[hole]][column] = 1);
        }
        solve_modular(states, hits.len(), &rows, &sides, limits)?
    };
    let spread = |values: &[u8], places: &[usize]| {
        let mut all = vec![0; field.len()];
        places.iter().zip(values).for_each(|(&at, &value)| all[at] = value);
        all
    };
    Ok(match solved {
        Ok(solved) => {
            let quiet = solved.quiet.iter().map(|pattern| spread(pattern, &hits)).collect();
            Ok(Solved { hits: spread(&solved.hits, &hits), quiet, ..solved })
        }
        Err(weights) => Err(spread(&weights, &holes)),
    })
}
