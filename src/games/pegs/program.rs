//! The linear program behind all hole weights, kept ready for the next right-hand side.
//!
//! With fractional jumps, the least price for turning one board into another is `min c x` subject to `A x = r`, `x >= 0`. `A` has a
//! column for every jump (1 where it removes a peg, -1 where it lands), and `r` is the difference of the boards. The dual variables
//! are hole weights such that no jump removes more weight than its price, so a solution also bounds the cost for every other pair
//! of boards. Only `r` changes from one call to the next, so the last basis stays dual feasible and the dual simplex method needs
//! few pivots. The numbers are floating-point, so the weights are only candidates, which callers test exactly. The existing crates
//! for linear programs read the clock or need a C++ library, and this library must do neither.

use crate::limits::{Limit, Limits};

/// Absolute values below this count as zero.
const TINY: f64 = 1e-9;
/// The tolerance for prices and amounts.
const SLOPPY: f64 = 1e-7;
/// The number of pivots after which the method gives up.
const PIVOTS: usize = 5000;
/// The number of pivots after which the method picks the first column instead of the steepest, to avoid cycles.
const STEEPEST: usize = 2000;
/// The number of dual pivots after which starting over is faster.
const DUAL: usize = 300;

#[derive(Default)]
pub struct LinearProgram {
    rows: usize,
    /// The number of columns that represent jumps or goals.
    real: usize,
    /// The columns, followed by the identity matrix; stored row by row.
    matrix: Vec<f64>,
    price: Vec<f64>,
    /// For each row, the price of a missing or surplus unit, which bounds the row's weight.
    penalty: Vec<f64>,
    /// The inverse of the basis times the matrix.
    table: Vec<f64>,
    /// The inverse of the basis times the right-hand side.
    amounts: Vec<f64>,
    /// For each row, the index of its basic column. The `real` columns come first, then one column per row for missing units, then one per
    /// row for surplus units.
    basis: Vec<usize>,
    reduced: Vec<f64>,
    pub weights: Vec<f64>,
    buffer: Vec<f64>,
    /// The number of table cells changed so far.
    pub work: i64,
}

impl LinearProgram {
    /// Sets up a program. Each column has one number per row and a nonnegative price.
    pub fn new(columns: &[(Vec<f64>, f64)], penalty: Vec<f64>) -> LinearProgram {
        let (rows, real) = (penalty.len(), columns.len());
        let width = real + rows;
        let mut matrix = vec![0.0; rows * width];
        for row in 0..rows {
            for (at, (column, _)) in columns.iter().enumerate() {
                matrix[row * width + at] = column[row];
            }
            matrix[row * width + real + row] = 1.0;
        }
        let price = columns.iter().map(|column| column.1).collect();
        LinearProgram { rows, real, matrix, price, penalty, amounts: vec![0.0; rows], ..LinearProgram::default() }
    }

    pub fn bytes(&self) -> usize {
        2 * self.matrix.len() * size_of::<f64>()
    }

    fn width(&self) -> usize {
        self.real + self.rows
    }

    fn entry(&self, row: usize, column: usize) -> f64 {
        let width = self.width();
        if column < width { self.table[row * width + column] } else { -self.table[row * width + column - self.rows] }
    }

    fn reduced(&self, column: usize) -> f64 {
        let (real, width) = (self.real, self.width());
        if column < real {
            self.reduced[column]
        } else if column < width {
            self.penalty[column - real] - self.weights[column - real]
        } else {
            self.penalty[column - width] + self.weights[column - width]
        }
    }

    /// Makes the next call to [`LinearProgram::solve`] start over; call it when rounding errors have grown.
    pub fn forget(&mut self) {
        self.basis.clear();
    }

    /// Finds the best weights for this right-hand side. Returns false if it gave up; in that case, the weights are meaningless.
    pub fn solve(&mut self, side: &[f64]) -> bool {
        if self.basis.is_empty() {
            return self.begin(side, None) == Ok(true);
        }
        self.work += (self.rows * self.rows) as i64;
        let (real, width) = (self.real, self.width());
        for row in 0..self.rows {
            let inverse = &self.table[row * width + real..(row + 1) * width];
            self.amounts[row] = inverse.iter().zip(side).map(|(x, y)| x * y).sum();
        }
        for _ in 0..DUAL {
            let (mut row, mut least) = (usize::MAX, -SLOPPY);
            for (at, &amount) in self.amounts.iter().enumerate() {
                if amount < least {
                    (row, least) = (at, amount);
                }
            }
            if row == usize::MAX {
                return true;
            }
            match self.entering(row) {
                Some(column) => self.pivot(row, column),
                None => break,
            }
        }
        self.begin(side, None) == Ok(true)
    }

    /// The entering column for a row with a negative amount: the one whose reduced price reaches zero first.
    fn entering(&self, row: usize) -> Option<usize> {
        let (real, width) = (self.real, self.width());
        let (mut best, mut ratio) = (None, f64::INFINITY);
        let mut offer = |column: usize, entry: f64, reduced: f64| {
            if entry < -TINY && reduced.max(0.0) / -entry < ratio {
                (best, ratio) = (Some(column), reduced.max(0.0) / -entry);
            }
        };
        let line = &self.table[row * width..(row + 1) * width];
        for (column, (entry, reduced)) in line[..real].iter().zip(&self.reduced).enumerate() {
            offer(column, *entry, *reduced);
        }
        for at in 0..self.rows {
            offer(real + at, line[real + at], self.penalty[at] - self.weights[at]);
            offer(width + at, -line[real + at], self.penalty[at] + self.weights[at]);
        }
        best
    }

    /// Like [`LinearProgram::solve`], but uses the primal simplex method, starting from a basis of missing and surplus units.
    pub fn begin(&mut self, side: &[f64], limits: Option<&Limits>) -> Result<bool, Limit> {
        let (rows, real, width) = (self.rows, self.real, self.width());
        self.table.clone_from(&self.matrix);
        self.basis = (0..rows).map(|row| if side[row] >= 0.0 { real + row } else { width + row }).collect();
        self.weights = (0..rows).map(|row| if side[row] >= 0.0 { self.penalty[row] } else { -self.penalty[row] }).collect();
        for (row, amount) in side[..rows].iter().enumerate() {
            self.amounts[row] = amount.abs();
            if *amount < 0.0 {
                self.table[row * width..(row + 1) * width].iter_mut().for_each(|cell| *cell = -*cell);
            }
        }
        let worth = |column: usize| (0..rows).map(|row| self.weights[row] * self.matrix[row * width + column]).sum::<f64>();
        self.reduced = (0..real).map(|column| self.price[column] - worth(column)).collect();
        for pivot in 0..PIVOTS {
            limits.map_or(Ok(()), Limits::check)?;
            let negative = (0..width + rows).filter(|&column| self.reduced(column) < -SLOPPY);
            let steepest = |a: &usize, b: &usize| self.reduced(*a).total_cmp(&self.reduced(*b));
            let column = if pivot < STEEPEST { negative.min_by(steepest) } else { negative.min() };
            let Some(column) = column else { return Ok(true) };
            let ratio = |row: usize| self.amounts[row] / self.entry(row, column);
            let leaving = (0..rows).filter(|&row| self.entry(row, column) > TINY);
            let first = leaving.min_by(|&a, &b| ratio(a).total_cmp(&ratio(b)).then(self.basis[a].cmp(&self.basis[b])));
            let Some(row) = first else { break };
            self.pivot(row, column);
        }
        self.forget();
        Ok(false)
    }

    fn pivot(&mut self, row: usize, column: usize) {
        self.work += self.matrix.len() as i64;
        let (real, width) = (self.real, self.width());
        let (scale, step) = (1.0 / self.entry(row, column), self.reduced(column));
        let mut chosen = std::mem::take(&mut self.buffer);
        chosen.clear();
        chosen.extend(self.table[row * width..(row + 1) * width].iter().map(|cell| cell * scale));
        let amount = self.amounts[row] * scale;
        for other in (0..self.rows).filter(|&other| other != row) {
            let factor = self.entry(other, column);
            if factor.abs() > TINY {
                let line = &mut self.table[other * width..(other + 1) * width];
                line.iter_mut().zip(&chosen).for_each(|(cell, pivot)| *cell -= factor * pivot);
                self.amounts[other] -= factor * amount;
            }
        }
        self.table[row * width..(row + 1) * width].copy_from_slice(&chosen);
        self.amounts[row] = amount;
        self.reduced.iter_mut().zip(&chosen).for_each(|(cell, pivot)| *cell -= step * pivot);
        self.weights.iter_mut().zip(&chosen[real..]).for_each(|(weight, pivot)| *weight += step * pivot);
        self.basis[row] = column;
        self.buffer = chosen;
    }
}
