//! Computes the rows of a bit board one after another: next = given ^ previous ^ spread(current), where each bit of spread(row) is
//! the sum of its two neighbors in the row and, with a center, of the bit itself.
//!
//! On large boards, most of the time is spent here. The loop is plain Rust over slices, compiled for several instruction sets, and
//! runs at the speed of memory. Rows have an empty word at both ends, so neighbors need no special cases.

use crate::bits::low_mask;
use crate::gf2::speed::Speed;

/// Two consecutive rows.
pub struct RowRecurrence {
    before: Vec<u64>,
    now: Vec<u64>,
    columns: usize,
    center: u64,
    joined: bool,
    speed: Speed,
}

/// The given rows for consecutive steps.
enum Given<'a> {
    /// One empty row.
    Nothing,
    Read(&'a [u64]),
    /// Rows that are overwritten with the computed rows.
    Swap(&'a mut [u64]),
}

impl RowRecurrence {
    /// Empty rows of `columns` bits. With `center`, a bit spreads to its own place as well as to its neighbors; if rows are
    /// `joined`, the first and the last bit are neighbors.
    pub fn new(columns: usize, center: bool, joined: bool) -> RowRecurrence {
        let now = vec![0; columns.div_ceil(64) + 2];
        let center = if center { u64::MAX } else { 0 };
        RowRecurrence { before: now.clone(), now, columns, center, joined, speed: Speed::best() }
    }

    /// One recurrence with empty rows for each instruction set of this processor. Public for the tests.
    #[doc(hidden)]
    pub fn variants(columns: usize, center: bool, joined: bool) -> Vec<RowRecurrence> {
        Speed::all().into_iter().map(|speed| RowRecurrence { speed, ..RowRecurrence::new(columns, center, joined) }).collect()
    }

    pub fn set(&mut self, now: &[u64], before: &[u64]) {
        self.now[1..=now.len()].copy_from_slice(now);
        self.before[1..=before.len()].copy_from_slice(before);
    }

    pub fn now(&self) -> &[u64] {
        &self.now[1..self.now.len() - 1]
    }

    pub fn before(&self) -> &[u64] {
        &self.before[1..self.before.len() - 1]
    }

    /// Advances by one row; the given row is empty.
    pub fn next(&mut self) {
        self.dispatch(Given::Nothing);
    }

    /// Advances by one row for each given row.
    pub fn read(&mut self, given: &[u64]) {
        self.dispatch(Given::Read(given));
    }

    /// Like [`RowRecurrence::read`], but overwrites each given row with the row that was current before that step.
    pub fn overwrite(&mut self, given: &mut [u64]) {
        self.dispatch(Given::Swap(given));
    }

    fn dispatch(&mut self, given: Given<'_>) {
        match self.speed {
            Speed::Plain => self.steps(given),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Speed` contains only features that `is_x86_feature_detected!` found.
            #[allow(unsafe_code)]
            Speed::Avx2 => unsafe { self.steps_avx2(given) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            #[allow(unsafe_code)]
            Speed::Avx512 => unsafe { self.steps_avx512(given) },
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn steps_avx2(&mut self, given: Given<'_>) {
        self.steps(given);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl")]
    fn steps_avx512(&mut self, given: Given<'_>) {
        self.steps(given);
    }

    #[inline(always)]
    fn steps(&mut self, given: Given<'_>) {
        let count = self.now.len() - 2;
        // Each case has its own plain loop, so that it can be vectorized.
        match given {
            Given::Nothing => self.step(|_, _| 0),
            Given::Read(given) => {
                for given in given.chunks_exact(count) {
                    self.step(|at, _| given[at]);
                }
            }
            Given::Swap(given) => {
                for given in given.chunks_exact_mut(count) {
                    self.step(|at, now| std::mem::replace(&mut given[at], now));
                }
            }
        }
    }

    /// Advances by one row; `given` is called with each word's index and current value.
    #[inline(always)]
    fn step(&mut self, mut given: impl FnMut(usize, u64) -> u64) {
        let count = self.now.len() - 2;
        let (left, now, right) = (&self.now[..count], &self.now[1..=count], &self.now[2..]);
        let next = &mut self.before[1..=count];
        let center = self.center;
        for at in 0..count {
            next[at] ^= given(at, now[at]) ^ around(left[at], now[at], right[at], center);
        }
        let last = self.columns - 1;
        if self.joined {
            next[0] ^= now[last / 64] >> (last % 64) & 1;
            next[last / 64] ^= (now[0] & 1) << (last % 64);
        }
        next[last / 64] &= low_mask(last % 64 + 1);
        std::mem::swap(&mut self.before, &mut self.now);
    }
}

/// The spread of a word, given the words to its left and right.
#[inline(always)]
fn around(left: u64, word: u64, right: u64, center: u64) -> u64 {
    (word & center) ^ (word << 1 | left >> 63) ^ (word >> 1 | right << 63)
}
