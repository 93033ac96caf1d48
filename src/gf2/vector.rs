//! A vector over GF(2) of any length, 64 entries per word.
//!
//! The last word is padded with zeros; comparing, counting and testing for zero rely on this.

use crate::bits;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Vector {
    len: usize,
    words: Vec<u64>,
}

impl Vector {
    pub fn zero(len: usize) -> Vector {
        Vector { len, words: vec![0; len.div_ceil(64)] }
    }

    /// The vector whose entry `i` is `bit(i)`.
    pub fn from_fn(len: usize, mut bit: impl FnMut(usize) -> bool) -> Vector {
        let mut vector = Vector::zero(len);
        for at in (0..len).filter(|&at| bit(at)) {
            vector.flip(at);
        }
        vector
    }

    /// The number of entries, including zeros.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if the length is 0. To test whether all entries are 0, use [`Vector::is_zero`].
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// # Panics
    /// If `at` is not below the length. [`Vector::flip`] panics in the same case.
    pub fn get(&self, at: usize) -> bool {
        assert!(at < self.len, "entry {at} is out of range for length {}", self.len);
        bits::bit(&self.words, at)
    }

    pub fn flip(&mut self, at: usize) {
        assert!(at < self.len, "entry {at} is out of range for length {}", self.len);
        self.words[at / 64] ^= 1 << (at % 64);
    }

    /// Adds `other`.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn xor(&mut self, other: &Vector) {
        assert_eq!(self.len, other.len, "lengths differ");
        bits::xor(&mut self.words, &other.words);
    }

    /// The inner product: true if the number of ones that the vectors have in common is odd.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn dot(&self, other: &Vector) -> bool {
        assert_eq!(self.len, other.len, "lengths differ");
        bits::dot(&self.words, &other.words)
    }

    pub fn count_ones(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn is_zero(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The positions of the ones, in increasing order.
    pub fn ones(&self) -> impl Iterator<Item = usize> {
        bits::ones_in(&self.words)
    }

    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Mutable access to the words. Bits of the last word beyond [`Vector::len`] must stay zero, because comparing and counting
    /// rely on that.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }
}
