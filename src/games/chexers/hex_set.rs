//! Sets of hexes, one bit each: two words for boards up to radius 6, a boxed slice for larger ones.

use super::Hex;
use crate::bits::ones_in;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HexSet {
    Small([u64; 2]),
    Large(Box<[u64]>),
}

impl HexSet {
    /// The empty set for a board with this number of hexes.
    #[inline]
    pub fn none(hexes: usize) -> HexSet {
        if hexes <= 128 { HexSet::Small([0; 2]) } else { HexSet::Large(vec![0; hexes.div_ceil(64)].into()) }
    }

    #[inline]
    fn words(&self) -> &[u64] {
        match self {
            HexSet::Small(words) => words,
            HexSet::Large(words) => words,
        }
    }

    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        match self {
            HexSet::Small(words) => words,
            HexSet::Large(words) => words,
        }
    }

    /// The word that contains a hex's bit. On small boards, all hexes fit in the two words.
    #[inline]
    fn word_mut(&mut self, hex: Hex) -> &mut u64 {
        match self {
            HexSet::Small(words) => &mut words[(hex as usize / 64) & 1],
            HexSet::Large(words) => &mut words[hex as usize / 64],
        }
    }

    #[inline]
    pub fn has(&self, hex: Hex) -> bool {
        let word = match self {
            HexSet::Small(words) => words[(hex as usize / 64) & 1],
            HexSet::Large(words) => words[hex as usize / 64],
        };
        word >> (hex % 64) & 1 == 1
    }

    #[inline]
    pub fn insert(&mut self, hex: Hex) {
        *self.word_mut(hex) |= 1 << (hex % 64);
    }

    #[inline]
    pub fn remove(&mut self, hex: Hex) {
        *self.word_mut(hex) &= !(1 << (hex % 64));
    }

    #[inline]
    pub fn len(&self) -> usize {
        if let HexSet::Small([a, b]) = self {
            return (a.count_ones() + b.count_ones()) as usize;
        }
        self.words().iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    #[inline]
    pub fn union(&self, other: &HexSet) -> HexSet {
        if let (HexSet::Small([a, b]), HexSet::Small([c, d])) = (self, other) {
            return HexSet::Small([a | c, b | d]);
        }
        let mut union = self.clone();
        union.words_mut().iter_mut().zip(other.words()).for_each(|(word, other)| *word |= other);
        union
    }

    /// The hexes in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Hex> {
        ones_in(self.words()).map(|hex| hex as Hex)
    }

    /// Writes one bit per hex to `out`; the first hex is the lowest bit of the first byte.
    #[inline]
    pub fn write_bytes(&self, out: &mut [u8]) {
        if let (HexSet::Small([word, _]), true) = (self, out.len() <= 8) {
            return out.copy_from_slice(&word.to_le_bytes()[..out.len()]);
        }
        for (bytes, word) in out.chunks_mut(8).zip(self.words()) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
    }

    /// Reads what [`HexSet::write_bytes`] wrote. The set must be empty.
    #[inline]
    pub fn read_bytes(&mut self, bytes: &[u8]) {
        for (bytes, word) in bytes.chunks(8).zip(self.words_mut()) {
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(whole);
        }
    }
}
