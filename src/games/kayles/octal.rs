//! Octal games: rules for taking pins from heaps, written as digits after a point. The digit for k is a sum of 1 (k pins may be taken if
//! they are the whole heap), 2 (if the rest is one heap) and 4 (if the rest is two heaps).

use crate::limits::{Limit, Limits};

/// Maximum number of digits of a code.
const MOST_DIGITS: usize = 200;

/// The digits after the point, without zeros at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Octal(Vec<u8>);

/// A period of the Grundy values of heaps: the value of n + `period` is the value of n, for every n from `from` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub from: usize,
    pub period: usize,
    /// The values were compared for n below this number, which proves it for all n.
    pub checked: usize,
}

impl Octal {
    /// Reads a code such as `0.77`. The error is a message.
    pub fn read(code: &str) -> Result<Octal, &'static str> {
        let Some((whole, digits)) = code.trim().split_once('.') else { return Err("a code has a point, as in `0.77`") };
        if !matches!(whole, "" | "0") {
            return Err("the digit before the point must be 0, because every move takes a pin");
        }
        if digits.is_empty() || !digits.bytes().all(|digit| (b'0'..=b'7').contains(&digit)) {
            return Err("after the point, a code has the digits 0 to 7");
        }
        if digits.len() > MOST_DIGITS {
            return Err("a code has at most 200 digits");
        }
        let mut digits: Vec<u8> = digits.bytes().map(|digit| digit - b'0').collect();
        while digits.last() == Some(&0) {
            digits.pop();
        }
        if digits.is_empty() { Err("this code allows no move") } else { Ok(Octal(digits)) }
    }

    /// Nim on heaps of up to `most` pins: any number of pins may be taken.
    pub fn nim(most: usize) -> Octal {
        Octal(vec![3; most])
    }

    pub fn write(&self) -> String {
        format!("0.{}", self.0.iter().map(|digit| char::from(b'0' + digit)).collect::<String>())
    }

    /// The largest number of pins that a move takes.
    pub fn most(&self) -> usize {
        self.0.len()
    }

    /// True if a number of pins to take follows from where they are.
    pub(super) fn has_one_number(&self) -> bool {
        self.0.iter().filter(|&&digit| digit != 0).count() == 1
    }

    /// True if some move splits a heap. Otherwise, pins are taken from one end only.
    #[inline]
    pub(super) fn splits(&self) -> bool {
        self.0.iter().any(|digit| digit & 4 != 0)
    }

    fn digit(&self, take: usize) -> u8 {
        self.0.get(take.wrapping_sub(1)).copied().unwrap_or(0)
    }

    /// True if a move may take `take` pins of a heap and leave `before` pins before them and `after` pins after them.
    #[inline]
    pub(super) fn allows(&self, take: usize, before: usize, after: usize) -> bool {
        let bit = match (before, after) {
            (0, 0) => 1,
            (_, 0) => 2,
            (0, _) => {
                if self.splits() {
                    2
                } else {
                    0
                }
            }
            _ => 4,
        };
        self.digit(take) & bit != 0
    }

    /// True if a heap of this size has no moves.
    pub(super) fn is_dead(&self, size: usize) -> bool {
        let fits = |take: usize| {
            let digit = self.digit(take);
            take == size && digit & 1 != 0 || take < size && digit & 2 != 0 || take + 2 <= size && digit & 4 != 0
        };
        !(1..=size.min(self.0.len())).any(fits)
    }

    /// Appends the Grundy values of heaps until there are `count`. Takes O(`count`²) steps for each digit with 4.
    pub fn extend(&self, values: &mut Vec<u16>, count: usize, limits: &Limits) -> Result<(), Limit> {
        let mut seen: Vec<usize> = Vec::new();
        for n in values.len()..count {
            limits.check()?;
            limits.room(values.capacity() * size_of::<u16>() + seen.capacity() * size_of::<usize>())?;
            // An entry is n + 1 if the value is reached from n.
            let mut reach = |value: u16| {
                let value = usize::from(value);
                if seen.len() <= value {
                    seen.resize(value + 1, 0);
                }
                seen[value] = n + 1;
            };
            for take in 1..=n.min(self.0.len()) {
                let (digit, rest) = (self.digit(take), n - take);
                if digit & 1 != 0 && rest == 0 {
                    reach(0);
                }
                if digit & 2 != 0 && rest > 0 {
                    reach(values[rest]);
                }
                if digit & 4 != 0 {
                    (1..=rest / 2).for_each(|part| reach(values[part] ^ values[rest - part]));
                }
            }
            let least = seen.iter().position(|&last| last != n + 1).unwrap_or(seen.len());
            values.push(least as u16);
        }
        Ok(())
    }

    /// The least period that these values prove, and where it begins. By the theorem of Guy and Smith, a period p that holds from n > 0 on
    /// holds forever if it holds below 2n + p + t, where t is the largest number of pins that a move takes.
    pub fn period(&self, values: &[u16]) -> Option<Period> {
        (1..values.len()).find_map(|period| {
            let differs = |n: &usize| values[*n] != values[n + period];
            let from = (0..values.len() - period).rev().find(differs).map_or(0, |last| last + 1);
            let checked = 2 * from.max(1) + period + self.most();
            (checked + period <= values.len()).then_some(Period { from, period, checked })
        })
    }
}
