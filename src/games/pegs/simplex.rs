//! A small linear program by the simplex method: maximize c x where A x <= b, x >= 0, and no b is negative.
//!
//! Plain and dense, for a few hundred rows. Its answers are only suggestions: whoever uses them tests them exactly. The
//! crates for this read the clock or need a C++ library, which the library here must not.

use crate::limits::{Limit, Limits};

/// Numbers smaller than this count as zero.
const TINY: f64 = 1e-9;
/// Most pivots before it gives up.
const PIVOTS: usize = 20_000;

/// The best x, or nothing if it is unbounded or takes too many pivots. A table of 700 rows takes about a millisecond a pivot, so
/// the limits are asked at each.
pub(super) fn maximize(c: &[f64], rows: &[(Vec<f64>, f64)], limits: &Limits) -> Result<Option<Vec<f64>>, Limit> {
    let (variables, slacks) = (c.len(), rows.len());
    let width = variables + slacks + 1;
    // Each row: the variables, its slack, the right-hand side; the last row is the objective.
    let mut table: Vec<Vec<f64>> = rows
        .iter()
        .enumerate()
        .map(|(at, (a, b))| {
            let mut row = vec![0.0; width];
            row[..variables].copy_from_slice(a);
            row[variables + at] = 1.0;
            row[width - 1] = *b;
            row
        })
        .collect();
    let mut objective = vec![0.0; width];
    c.iter().zip(&mut objective).for_each(|(c, cell)| *cell = -c);
    let mut basis: Vec<usize> = (variables..variables + slacks).collect();
    for pivot in 0..PIVOTS {
        limits.check()?;
        // The steepest column at first; later the first one, which cannot cycle.
        let candidates = (0..width - 1).filter(|&column| objective[column] < -TINY);
        let steepest = candidates.clone().min_by(|&a, &b| objective[a].total_cmp(&objective[b]));
        let Some(column) = (if pivot < PIVOTS / 2 { steepest } else { candidates.clone().next() }) else {
            let mut x = vec![0.0; variables];
            for (row, &variable) in table.iter().zip(&basis) {
                if variable < variables {
                    x[variable] = row[width - 1];
                }
            }
            return Ok(Some(x));
        };
        let ratio = |row: usize| table[row][width - 1] / table[row][column];
        let leaving = (0..slacks).filter(|&row| table[row][column] > TINY);
        let Some(leaving) = leaving.min_by(|&a, &b| ratio(a).total_cmp(&ratio(b)).then(basis[a].cmp(&basis[b]))) else {
            return Ok(None);
        };
        let scale = table[leaving][column];
        table[leaving].iter_mut().for_each(|cell| *cell /= scale);
        let chosen = std::mem::take(&mut table[leaving]);
        for row in table.iter_mut().filter(|row| !row.is_empty()).chain([&mut objective]) {
            let factor = row[column];
            if factor.abs() > TINY {
                row.iter_mut().zip(&chosen).for_each(|(cell, pivot)| *cell -= factor * pivot);
            }
        }
        table[leaving] = chosen;
        basis[leaving] = column;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_programs() {
        let maximize = |c: &[f64], rows: &[(Vec<f64>, f64)]| maximize(c, rows, &Limits::none()).expect("no limit");
        // 3x + 2y, x + y <= 4, x + 3y <= 6, x <= 3.
        let rows = [(vec![1.0, 1.0], 4.0), (vec![1.0, 3.0], 6.0), (vec![1.0, 0.0], 3.0)];
        assert_eq!(maximize(&[3.0, 2.0], &rows), Some(vec![3.0, 1.0]));
        assert_eq!(maximize(&[1.0], &[(vec![-1.0], 1.0)]), None, "unbounded");
        assert_eq!(maximize(&[-1.0], &[(vec![1.0], 1.0)]), Some(vec![0.0]));
    }
}
