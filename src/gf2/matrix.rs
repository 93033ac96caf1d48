//! A dense matrix over GF(2): one flat list of words, row after row, each row padded with zeros to whole lines of 8 words.
//!
//! A line of 8 words is a cache line and fills the widest registers, so no loop needs a special case for the end of a row.

use super::russians::Adder;
use super::vector::{self, Vector};
use crate::bits;
use crate::limits::{Limit, Limits};

/// A matrix of bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    rows: usize,
    cols: usize,
    /// Words per row that hold entries.
    width: usize,
    /// Words from the start of a row to that of the next.
    stride: usize,
    words: Vec<u64>,
}

impl Matrix {
    pub fn zero(rows: usize, cols: usize) -> Matrix {
        let stride = stride(cols);
        Matrix { rows, cols, width: cols.div_ceil(64), stride, words: vec![0; rows * stride] }
    }

    /// The bytes that a matrix of this size takes, to be asked for before it is made.
    pub fn bytes(rows: usize, cols: usize) -> usize {
        rows.saturating_mul(8 * stride(cols))
    }

    pub fn identity(size: usize) -> Matrix {
        let mut matrix = Matrix::zero(size, size);
        (0..size).for_each(|at| matrix.flip(at, at));
        matrix
    }

    /// The matrix whose entry at (row, column) is `bit(row, column)`.
    pub fn from_fn(rows: usize, cols: usize, mut bit: impl FnMut(usize, usize) -> bool) -> Matrix {
        let mut matrix = Matrix::zero(rows, cols);
        for row in 0..rows {
            for col in (0..cols).filter(|&col| bit(row, col)) {
                matrix.flip(row, col);
            }
        }
        matrix
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Words from the start of a row to that of the next.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Lines of 8 words per row that hold entries.
    pub(super) fn lines(&self) -> usize {
        self.width.div_ceil(8)
    }

    pub fn get(&self, row: usize, col: usize) -> bool {
        assert!(col < self.cols, "column {col} of {}", self.cols);
        bits::bit(self.row(row), col)
    }

    pub fn set(&mut self, row: usize, col: usize, bit: bool) {
        if self.get(row, col) != bit {
            self.flip(row, col);
        }
    }

    pub fn flip(&mut self, row: usize, col: usize) {
        assert!(col < self.cols, "column {col} of {}", self.cols);
        self.row_mut(row)[col / 64] ^= 1 << (col % 64);
    }

    pub fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.stride..][..self.width]
    }

    /// Mutable access to a row. Bits of its last word beyond the last column must stay zero.
    pub fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.words[row * self.stride..][..self.width]
    }

    /// A copy of a row.
    pub fn row_vector(&self, row: usize) -> Vector {
        let mut vector = Vector::zero(self.cols);
        vector.words_mut().copy_from_slice(self.row(row));
        vector
    }

    /// All words, row after row, including the padding.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Mutable access to all words; see [`Matrix::row_mut`].
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    pub fn swap_rows(&mut self, one: usize, other: usize) {
        if one != other {
            let (low, high) = self.words.split_at_mut(one.max(other) * self.stride);
            low[one.min(other) * self.stride..][..self.stride].swap_with_slice(&mut high[..self.stride]);
        }
    }

    /// Adds row `source` to row `target`.
    ///
    /// # Panics
    /// If they are the same row.
    pub fn add_row(&mut self, source: usize, target: usize) {
        assert_ne!(source, target, "a row added to itself");
        let (low, high) = self.words.split_at_mut(source.max(target) * self.stride);
        let (low, high) = (&mut low[source.min(target) * self.stride..][..self.stride], &mut high[..self.stride]);
        if source < target { bits::xor(high, low) } else { bits::xor(low, high) }
    }

    /// The product with the column vector `x`.
    ///
    /// # Panics
    /// If `x` does not have one entry per column.
    pub fn mul_vec(&self, x: &Vector) -> Vector {
        assert_eq!(x.len(), self.cols, "lengths differ");
        Vector::from_fn(self.rows, |row| vector::dot(self.row(row), x.words()))
    }

    /// The row vector `z` times the matrix: the sum of the rows chosen by `z`.
    ///
    /// # Panics
    /// If `z` does not have one entry per row.
    pub fn vec_mul(&self, z: &Vector) -> Vector {
        assert_eq!(z.len(), self.rows, "lengths differ");
        let mut sum = Vector::zero(self.cols);
        z.ones().for_each(|row| bits::xor(sum.words_mut(), self.row(row)));
        sum
    }

    /// The product with `other`. Takes about n^3 / 512 word operations for square matrices.
    ///
    /// # Panics
    /// If `other` does not have as many rows as this has columns.
    pub fn mul(&self, other: &Matrix) -> Matrix {
        assert_eq!(self.cols, other.rows, "sizes differ");
        let mut product = Matrix::zero(self.rows, other.cols);
        let mut adder = Adder::new(other.stride);
        for words in (0..self.width).collect::<Vec<_>>().chunks(8) {
            let rows = 64 * words[0]..other.rows.min(64 * words[0] + 512);
            rows.enumerate().for_each(|(at, row)| adder.put(at, other.row(row)));
            let word = |&word: &usize| (0..self.rows).map(|row| self.row(row)[word]).collect();
            let chosen: Vec<Vec<u64>> = words.iter().map(word).collect();
            adder.add(0, &chosen.iter().map(Vec::as_slice).collect::<Vec<_>>(), &mut product, 0, 0..other.lines());
        }
        product
    }

    /// The transpose, block by block of 64 x 64.
    pub fn transpose(&self) -> Matrix {
        self.transpose_within(&Limits::none()).expect("there are no limits")
    }

    /// The same within limits.
    pub fn transpose_within(&self, limits: &Limits) -> Result<Matrix, Limit> {
        let mut turned = Matrix::zero(self.cols, self.rows);
        let mut block = [0; 64];
        for top in (0..self.rows).step_by(64) {
            limits.check()?;
            let height = 64.min(self.rows - top);
            for word in 0..self.width {
                let width = 64.min(self.cols - 64 * word);
                (0..height).for_each(|row| block[row] = self.row(top + row)[word]);
                block[height..].fill(0);
                bits::transpose_block(&mut block);
                (0..width).for_each(|row| turned.row_mut(64 * word + row)[top / 64] = block[row]);
            }
        }
        Ok(turned)
    }

    pub fn is_symmetric(&self) -> bool {
        self.rows == self.cols && *self == self.transpose()
    }
}

/// Words from the start of a row of so many columns to that of the next.
fn stride(cols: usize) -> usize {
    // Rows at a distance of a power of two would compete for the same few cache sets.
    let lines = cols.div_ceil(512);
    8 * if lines > 0 && lines.is_multiple_of(8) { lines + 1 } else { lines }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use proptest::prelude::*;

    fn random(rows: usize, cols: usize, seed: u64) -> Matrix {
        let mut random = Random::new(seed);
        Matrix::from_fn(rows, cols, |_, _| random.below(2) == 1)
    }

    const SIZES: [usize; 10] = [0, 1, 2, 63, 64, 65, 127, 130, 520, 650];

    fn size() -> impl Strategy<Value = usize> {
        prop::sample::select(&SIZES[..])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn transposing_exchanges_rows_and_columns(rows in size(), cols in size(), seed in any::<u64>()) {
            let a = random(rows, cols, seed);
            prop_assert_eq!(a.transpose(), Matrix::from_fn(cols, rows, |row, col| a.get(col, row)));
        }

        /// Freivalds: a wrong product passes each of the 20 random vectors with chance 1/2.
        #[test]
        fn a_product_acts_like_its_factors(rows in size(), middle in size(), cols in size(), seed in any::<u64>()) {
            let (a, b) = (random(rows, middle, seed), random(middle, cols, seed ^ 1));
            let product = a.mul(&b);
            let mut random = Random::new(seed ^ 2);
            for _ in 0..20 {
                let x = Vector::from_fn(cols, |_| random.below(2) == 1);
                prop_assert_eq!(product.mul_vec(&x), a.mul_vec(&b.mul_vec(&x)));
                let z = Vector::from_fn(rows, |_| random.below(2) == 1);
                prop_assert_eq!(product.vec_mul(&z), b.vec_mul(&a.vec_mul(&z)));
            }
        }
    }

    #[test]
    fn single_entries_and_rows() {
        let mut a = Matrix::identity(70);
        assert!(a.is_symmetric());
        a.set(69, 3, true);
        assert!(a.get(69, 3) && !a.is_symmetric());
        a.add_row(69, 3);
        assert_eq!(a.row_vector(3).ones().collect::<Vec<_>>(), [69]);
        a.add_row(3, 69);
        a.swap_rows(3, 69);
        assert_eq!(a.row_vector(3).ones().collect::<Vec<_>>(), [3]);
        assert_eq!(a.row_vector(69).ones().collect::<Vec<_>>(), [69]);
        assert_eq!(a, Matrix::identity(70));
    }
}
