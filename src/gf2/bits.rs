//! A vector over GF(2) of any length, 64 entries to a word.
//!
//! The last word is padded with zeros. Everything here keeps it so, and comparing, counting and testing for zero rely on it.

/// A row of bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits {
    len: usize,
    words: Vec<u64>,
}

impl Bits {
    /// `len` zeros.
    pub fn zero(len: usize) -> Bits {
        Bits { len, words: vec![0; len.div_ceil(64)] }
    }

    pub fn from_fn(len: usize, mut bit: impl FnMut(usize) -> bool) -> Bits {
        let mut bits = Bits::zero(len);
        for at in (0..len).filter(|&at| bit(at)) {
            bits.flip(at);
        }
        bits
    }

    /// The number of bits, zeros and ones.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bits at all; see [`Bits::is_zero`] for no ones.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn get(&self, at: usize) -> bool {
        assert!(at < self.len, "bit {at} of {}", self.len);
        self.words[at / 64] >> (at % 64) & 1 == 1
    }

    pub fn set(&mut self, at: usize, bit: bool) {
        if self.get(at) != bit {
            self.flip(at);
        }
    }

    pub fn flip(&mut self, at: usize) {
        assert!(at < self.len, "bit {at} of {}", self.len);
        self.words[at / 64] ^= 1 << (at % 64);
    }

    /// Adds `other`, which must be as long.
    pub fn xor(&mut self, other: &Bits) {
        assert_eq!(self.len, other.len, "lengths differ");
        xor(&mut self.words, &other.words);
    }

    /// The inner product: whether the two have an odd number of ones in common. `other` must be as long.
    pub fn dot(&self, other: &Bits) -> bool {
        assert_eq!(self.len, other.len, "lengths differ");
        dot(&self.words, &other.words)
    }

    pub fn count_ones(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn is_zero(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The places of the ones, from the first to the last.
    pub fn ones(&self) -> impl Iterator<Item = usize> {
        ones(&self.words)
    }

    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words to write to. Bits of the last word beyond [`Bits::len`] must stay zero, or comparing and counting go wrong.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }
}

/// Adds the words of `source` to those of `target`.
pub(super) fn xor(target: &mut [u64], source: &[u64]) {
    for (word, other) in target.iter_mut().zip(source) {
        *word ^= other;
    }
}

/// Whether the words have an odd number of ones in common.
pub(super) fn dot(one: &[u64], other: &[u64]) -> bool {
    let common = one.iter().zip(other).fold(0, |sum, (a, b)| sum ^ (a & b));
    common.count_ones() % 2 == 1
}

/// The places of the ones in a row of words.
pub(super) fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let rest = |&word: &u64| Some(word & (word - 1)).filter(|&rest| rest != 0);
        std::iter::successors(Some(word).filter(|&word| word != 0), rest).map(move |word| 64 * at + word.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against the same done on plain lists of truth values.
        #[test]
        fn bits_behave_like_a_list(pairs in prop::collection::vec(any::<(bool, bool)>(), 0..200)) {
            let (a, b): (Vec<bool>, Vec<bool>) = pairs.iter().copied().unzip();
            let (mut one, other) = (Bits::from_fn(a.len(), |at| a[at]), Bits::from_fn(b.len(), |at| b[at]));
            prop_assert_eq!(one.count_ones(), a.iter().filter(|&&bit| bit).count());
            prop_assert_eq!(one.ones().collect::<Vec<_>>(), (0..a.len()).filter(|&at| a[at]).collect::<Vec<_>>());
            prop_assert_eq!(one.is_zero(), !a.contains(&true));
            prop_assert_eq!(one.dot(&other), pairs.iter().filter(|pair| pair.0 && pair.1).count() % 2 == 1);
            one.xor(&other);
            prop_assert!((0..a.len()).all(|at| one.get(at) == (a[at] != b[at])));
            b.iter().enumerate().for_each(|(at, &bit)| one.set(at, bit));
            prop_assert_eq!(one, other);
        }
    }
}
