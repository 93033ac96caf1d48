//! Textbook Gauss–Jordan elimination: one pivot after another, one row added at a time.
//!
//! Much slower than [`echelon`](super::echelon) on large systems, but short enough to check by reading. Tests compare the two.

use super::matrix::Matrix;
use crate::limits::{Limit, Limits};

/// Equivalent to [`echelon::reduce`](super::echelon::reduce).
pub fn reduce(a: &mut Matrix, cols: usize, limits: &Limits) -> Result<Vec<usize>, Limit> {
    let mut pivots = Vec::new();
    for col in 0..cols {
        limits.check()?;
        let top = pivots.len();
        // A column with only zeros below the pivot rows stays free, and the next column is tried with the same row.
        let Some(row) = (top..a.rows()).find(|&row| a.get(row, col)) else { continue };
        a.swap_rows(top, row);
        for other in 0..a.rows() {
            if other != top && a.get(other, col) {
                a.add_row(top, other);
            }
        }
        pivots.push(col);
    }
    Ok(pivots)
}
