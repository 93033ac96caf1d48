//! Sets of labels: a label is a pair of colors, and a set of them is a symmetric matrix of bits.
//!
//! Sets come in three widths, because keys are computed for every move of a search and most boards have few colors. For up to 8
//! colors, the whole matrix is one word; for up to 16, it is 32 bytes that are combined in a few instructions.

use crate::bits::ones;

/// A set of labels over colors numbered from 0.
pub trait Labels: Copy + PartialEq {
    /// A set of colors.
    type Set: Copy + Default;
    /// A number for each color.
    type Each: Copy + AsRef<[u64]> + AsMut<[u64]>;

    const NONE: Self;
    const ZEROS: Self::Each;

    fn set(bits: u64) -> Self::Set;
    fn bits(set: Self::Set) -> u64;
    /// The number of colors in a set.
    fn count(bits: u64) -> u32;
    /// The labels that consist of a color from one set and a color from the other.
    fn pairs(one: u64, other: u64) -> Self;
    /// The colors that, together with `color`, form a label in this set.
    fn row(&self, color: usize) -> u64;
    /// Combines two sets of labels with a bitwise operation on words.
    fn combine(self, other: Self, word: impl Fn(u64, u64) -> u64) -> Self;

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.combine(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.combine(other, |a, b| a | b)
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.combine(other, |a, b| a & !b)
    }
}

/// One byte per row.
impl Labels for u64 {
    type Set = u8;
    type Each = [u64; 8];

    const NONE: u64 = 0;
    const ZEROS: [u64; 8] = [0; 8];

    #[inline(always)]
    fn set(bits: u64) -> u8 {
        bits as u8
    }

    #[inline(always)]
    fn bits(set: u8) -> u64 {
        u64::from(set)
    }

    #[inline(always)]
    fn count(bits: u64) -> u32 {
        u32::from(COUNTS[usize::from(bits as u8)])
    }

    #[inline(always)]
    fn pairs(one: u64, other: u64) -> u64 {
        // Multiplying a row by bytes of 0 and 1 copies it to each byte that is 1.
        bytes(one).wrapping_mul(other) | bytes(other).wrapping_mul(one)
    }

    #[inline(always)]
    fn row(&self, color: usize) -> u64 {
        self >> (8 * color) & 0xff
    }

    #[inline(always)]
    fn combine(self, other: u64, word: impl Fn(u64, u64) -> u64) -> u64 {
        word(self, other)
    }
}

/// The number of set bits in each byte value. Builds for generic processors cannot use the instruction that counts bits.
const COUNTS: [u8; 256] = {
    let mut counts = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        counts[byte] = byte.count_ones() as u8;
        byte += 1;
    }
    counts
};

/// Spreads bit `i` of a byte to byte `i` of a word.
#[inline(always)]
fn bytes(set: u64) -> u64 {
    // The product consists of copies of the low seven bits, each shifted by 7 more, so bit `i` of copy `i` is at bit 8 `i`. The highest
    // bit would overlap the next copy, so it is handled separately.
    (set & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & 0x0101_0101_0101_0101 | (set >> 7) << 56
}

/// One word per row.
#[derive(Clone, Copy, PartialEq)]
pub struct LabelRows<W, const N: usize>([W; N]);

macro_rules! rows {
    ($($word:ty, $most:literal;)*) => {$(
        impl Labels for LabelRows<$word, $most> {
            type Set = $word;
            type Each = [u64; $most];

            const NONE: Self = LabelRows([0; $most]);
            const ZEROS: [u64; $most] = [0; $most];

            #[inline(always)]
            fn set(bits: u64) -> $word {
                bits as $word
            }

            #[inline(always)]
            fn bits(set: $word) -> u64 {
                u64::from(set)
            }

            #[inline(always)]
            fn count(bits: u64) -> u32 {
                bits.count_ones()
            }

            #[inline]
            fn pairs(one: u64, other: u64) -> Self {
                let mut rows = [0; $most];
                ones(one).for_each(|color| rows[color] |= other as $word);
                ones(other).for_each(|color| rows[color] |= one as $word);
                LabelRows(rows)
            }

            #[inline(always)]
            fn row(&self, color: usize) -> u64 {
                u64::from(self.0[color])
            }

            #[inline(always)]
            fn combine(self, other: Self, word: impl Fn(u64, u64) -> u64) -> Self {
                LabelRows(std::array::from_fn(|at| word(u64::from(self.0[at]), u64::from(other.0[at])) as $word))
            }
        }
    )*};
}
rows! {
    u16, 16;
    u64, 64;
}
