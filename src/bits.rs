//! Basic loops over bits that are packed into words of 64 bits.
//!
//! Entry `i` of a packed row is bit `i % 64` of word `i / 64`, here and everywhere in this crate.

pub mod bitmap;
pub mod crc;
pub mod natural;

/// An unsigned integer whose bits can be iterated over.
pub trait Word: Copy {
    /// Clears the lowest set bit and returns its position; `None` if no bit is set.
    fn pop_lowest(&mut self) -> Option<usize>;
}

macro_rules! word {
    ($($word:ty)*) => {$(
        impl Word for $word {
            #[inline(always)]
            fn pop_lowest(&mut self) -> Option<usize> {
                let at = self.trailing_zeros() as usize;
                (*self != 0).then(|| {
                    *self &= *self - 1;
                    at
                })
            }
        }
    )*};
}
word!(u64 u128);

/// The positions of the set bits in a word, lowest first. Takes one step per set bit.
#[inline(always)]
pub fn ones<W: Word>(mut word: W) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || word.pop_lowest())
}

/// The positions of the set bits in a packed row, lowest first. Takes one step per word and per set bit.
#[inline]
pub fn ones_in(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(at, &word)| ones(word).map(move |bit| 64 * at + bit))
}

/// Bit `at` of a packed row.
///
/// # Panics
/// If `at` is beyond the last word.
#[inline(always)]
pub fn bit(words: &[u64], at: usize) -> bool {
    words[at / 64] >> (at % 64) & 1 == 1
}

/// Packs bits into words; the last word is padded with zeros.
pub fn pack(bits: impl ExactSizeIterator<Item = bool>) -> Vec<u64> {
    let mut packed = vec![0; bits.len().div_ceil(64)];
    let mut at = 0;
    bits.for_each(|one| {
        packed[at / 64] |= u64::from(one) << (at % 64);
        at += 1;
    });
    packed
}

/// A word with its lowest `count` bits set; all bits if `count` is 64 or more.
#[inline(always)]
pub fn low_mask(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Adds (xor) the words of `source` to those of `target`; surplus words of the longer slice are ignored.
#[inline(always)]
pub fn xor(target: &mut [u64], source: &[u64]) {
    // The loop uses an index, because `zip` is slow when it is not inlined.
    let words = target.len().min(source.len());
    let (target, source) = (&mut target[..words], &source[..words]);
    for at in 0..words {
        target[at] ^= source[at];
    }
}

/// The dot product over GF(2): true if the number of ones that two packed rows have in common is odd.
#[inline]
pub fn dot(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).fold(0, |sum, (a, b)| sum ^ (a & b)).count_ones() % 2 == 1
}

/// Transposes 64 x 64 bits in six rounds: swaps the off-diagonal quarters, then does the same inside each quarter.
pub fn transpose_block(block: &mut [u64; 64]) {
    let mut mask = u64::MAX >> 32;
    let mut half = 32;
    while half > 0 {
        for row in (0..64).filter(|row| row & half == 0) {
            let swap = (block[row] >> half ^ block[row + half]) & mask;
            block[row] ^= swap << half;
            block[row + half] ^= swap;
        }
        half /= 2;
        mask ^= mask << half;
    }
}
