//! A dense matrix over GF(2): a bitmap whose rows are padded with zeros to whole lines of 8 words.
//!
//! A line of 8 words is a cache line and fills the widest registers, so no loop needs a special case for the end of a row.

use super::vector::Vector;
use crate::bits;
pub use crate::bits::bitmap::Bitmap as Matrix;

impl Matrix {
    pub fn zero(rows: usize, columns: usize) -> Matrix {
        Matrix::with_stride(rows, columns, padded(columns))
    }

    /// The size in bytes of a matrix with these dimensions.
    pub fn bytes(rows: usize, columns: usize) -> usize {
        rows.saturating_mul(8 * padded(columns))
    }

    pub fn identity(size: usize) -> Matrix {
        let mut matrix = Matrix::zero(size, size);
        (0..size).for_each(|at| matrix.flip(at, at));
        matrix
    }

    /// The matrix whose entry at (row, column) is `bit(row, column)`.
    pub fn from_fn(rows: usize, columns: usize, mut bit: impl FnMut(usize, usize) -> bool) -> Matrix {
        let mut matrix = Matrix::zero(rows, columns);
        for row in 0..rows {
            for column in (0..columns).filter(|&column| bit(row, column)) {
                matrix.flip(row, column);
            }
        }
        matrix
    }

    /// Number of 8-word lines per row that contain entries.
    #[doc(hidden)] // public for the tests
    pub fn lines(&self) -> usize {
        self.width().div_ceil(8)
    }

    pub fn row_vector(&self, row: usize) -> Vector {
        let mut vector = Vector::zero(self.columns());
        vector.words_mut().copy_from_slice(self.row(row));
        vector
    }

    pub fn swap_rows(&mut self, one: usize, other: usize) {
        if one != other {
            let stride = self.stride();
            let (low, high) = self.words_mut().split_at_mut(one.max(other) * stride);
            low[one.min(other) * stride..][..stride].swap_with_slice(&mut high[..stride]);
        }
    }

    /// Adds row `source` to row `target`.
    ///
    /// # Panics
    /// If `source` equals `target`.
    pub fn add_row(&mut self, source: usize, target: usize) {
        assert_ne!(source, target, "a row cannot be added to itself");
        let stride = self.stride();
        let (low, high) = self.words_mut().split_at_mut(source.max(target) * stride);
        let (low, high) = (&mut low[source.min(target) * stride..][..stride], &mut high[..stride]);
        if source < target { bits::xor(high, low) } else { bits::xor(low, high) }
    }

    /// The product with the column vector `x`.
    ///
    /// # Panics
    /// If `x` does not have one entry per column.
    pub fn mul_vec(&self, x: &Vector) -> Vector {
        assert_eq!(x.len(), self.columns(), "lengths differ");
        Vector::from_fn(self.rows(), |row| bits::dot(self.row(row), x.words()))
    }

    /// The row vector `z` times the matrix: the sum of the rows chosen by `z`.
    ///
    /// # Panics
    /// If `z` does not have one entry per row.
    pub fn vec_mul(&self, z: &Vector) -> Vector {
        assert_eq!(z.len(), self.rows(), "lengths differ");
        let mut sum = Vector::zero(self.columns());
        z.ones().for_each(|row| bits::xor(sum.words_mut(), self.row(row)));
        sum
    }
}

/// The stride, in words, of rows with this number of columns.
fn padded(columns: usize) -> usize {
    // If the stride were a power of two, rows would compete for the same few cache sets.
    let lines = columns.div_ceil(512);
    8 * if lines > 0 && lines.is_multiple_of(8) { lines + 1 } else { lines }
}
