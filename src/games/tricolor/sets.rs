//! Sets of vertices in a fixed number of words, for the solver's inner loops.

use crate::bits;

/// The number of words charged to work budgets for each set of vertices. It does not depend on the compiled widths.
pub fn counted_words(vertices: usize) -> usize {
    match vertices.div_ceil(64) {
        words @ 0..=2 => words.max(1),
        3..=16 => 16,
        _ => 64,
    }
}

/// A set of up to 64 * `W` vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VertexSet<const W: usize>([u64; W]);

impl<const W: usize> VertexSet<W> {
    pub const EMPTY: VertexSet<W> = VertexSet([0; W]);

    /// Builds a set from a row of at most `W` words.
    pub fn from_row(row: &[u64]) -> VertexSet<W> {
        let mut words = [0; W];
        words[..row.len()].copy_from_slice(row);
        VertexSet(words)
    }

    pub fn of(v: usize) -> VertexSet<W> {
        let mut words = [0; W];
        words[v / 64] = 1 << (v % 64);
        VertexSet(words)
    }

    pub fn has(&self, v: usize) -> bool {
        self.0[v / 64] >> (v % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        *self == VertexSet::EMPTY
    }

    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn with(self, other: VertexSet<W>, join: impl Fn(u64, u64) -> u64) -> VertexSet<W> {
        let mut words = self.0;
        words.iter_mut().zip(other.0).for_each(|(a, b)| *a = join(*a, b));
        VertexSet(words)
    }

    pub fn and(self, other: VertexSet<W>) -> VertexSet<W> {
        self.with(other, |a, b| a & b)
    }

    pub fn or(self, other: VertexSet<W>) -> VertexSet<W> {
        self.with(other, |a, b| a | b)
    }

    pub fn xor(self, other: VertexSet<W>) -> VertexSet<W> {
        self.with(other, |a, b| a ^ b)
    }

    pub fn without(self, other: VertexSet<W>) -> VertexSet<W> {
        self.with(other, |a, b| a & !b)
    }

    pub fn within(&self, other: &VertexSet<W>) -> bool {
        self.without(*other).is_empty()
    }

    pub fn ones(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(at, word)| bits::ones(word).map(move |bit| 64 * at + bit))
    }

    pub fn words(&self) -> &[u64] {
        &self.0
    }
}
