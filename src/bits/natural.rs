//! Natural numbers of any size, for counts that exceed 128 bits. They can only be added and printed.

use std::fmt;
use std::ops::AddAssign;

/// A natural number, in words of 64 bits. The least significant word is first, and the last word is not 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Natural(Vec<u64>);

impl Natural {
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<u64>()
    }
}

impl From<u128> for Natural {
    fn from(number: u128) -> Natural {
        let mut words = vec![number as u64, (number >> 64) as u64];
        while words.last() == Some(&0) {
            words.pop();
        }
        Natural(words)
    }
}

impl AddAssign<&Natural> for Natural {
    fn add_assign(&mut self, other: &Natural) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        let mut carry = false;
        for (at, word) in self.0.iter_mut().enumerate() {
            if at >= other.0.len() && !carry {
                return;
            }
            let (sum, over) = word.overflowing_add(other.0.get(at).copied().unwrap_or(0));
            let (sum, more) = sum.overflowing_add(u64::from(carry));
            (*word, carry) = (sum, over || more);
        }
        if carry {
            self.0.push(1);
        }
    }
}

/// Writes the number in decimal digits.
impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// The largest power of ten below 2^64, and its number of zeros.
        const PIECE: (u128, usize) = (10_000_000_000_000_000_000, 19);
        let (mut words, mut pieces) = (self.0.clone(), Vec::new());
        while !words.is_empty() {
            let mut rest = 0;
            for word in words.iter_mut().rev() {
                let number = rest << 64 | u128::from(*word);
                (*word, rest) = ((number / PIECE.0) as u64, number % PIECE.0);
            }
            pieces.push(rest);
            while words.last() == Some(&0) {
                words.pop();
            }
        }
        let mut text = pieces.pop().unwrap_or(0).to_string();
        pieces.iter().rev().for_each(|piece| text.push_str(&format!("{piece:0width$}", width = PIECE.1)));
        f.pad_integral(true, "", &text)
    }
}
