//! The rows of a bit board, one after another: next = given ^ previous ^ spread(current), where spread adds the neighbors of each
//! bit and, with a center, the bit itself.
//!
//! Large boards spend their time here. The loop is plain Rust over slices, compiled for several instruction sets, and runs at the
//! speed of memory. RowRecurrence have an empty word at both ends, so neighbors need no special cases.

use crate::bits::low_mask;
use crate::gf2::speed::Speed;

/// Two rows, one after the other.
pub struct RowRecurrence {
    before: Vec<u64>,
    now: Vec<u64>,
    columns: usize,
    center: u64,
    joined: bool,
    speed: Speed,
}

/// Given rows, one after the other.
enum Given<'a> {
    /// This many empty ones.
    Nothing(usize),
    Read(&'a [u64]),
    /// They are overwritten by the rows themselves.
    Swap(&'a mut [u64]),
}

impl RowRecurrence {
    /// Empty rows of `columns` bits. With `center`, a bit spreads to its own place as well as to its neighbors; if rows are
    /// `joined`, the first and the last bit are neighbors.
    pub fn new(columns: usize, center: bool, joined: bool) -> RowRecurrence {
        let empty = vec![0; columns.div_ceil(64) + 2];
        RowRecurrence {
            before: empty.clone(),
            now: empty,
            columns,
            center: if center { u64::MAX } else { 0 },
            joined,
            speed: Speed::best(),
        }
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

    /// Advances by one row, with nothing given.
    pub fn next(&mut self) {
        self.dispatch(Given::Nothing(1));
    }

    /// Advances by as many rows as are given.
    pub fn read(&mut self, given: &[u64]) {
        self.dispatch(Given::Read(given));
    }

    /// Like [`RowRecurrence::read`], but overwrites each given row with the row that was current before it.
    pub fn overwrite(&mut self, given: &mut [u64]) {
        self.dispatch(Given::Swap(given));
    }

    fn dispatch(&mut self, given: Given<'_>) {
        match self.speed {
            Speed::Plain => self.steps(given),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Speed` has only what `is_x86_feature_detected!` found.
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
        // Plain loops, one for each case: they become vectors.
        match given {
            Given::Nothing(rows) => {
                for _ in 0..rows {
                    self.step(|_, _| 0);
                }
            }
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

    /// One row; `given` is called with each place and the present word there.
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

/// The spread of a word of a row, between its neighbors.
#[inline(always)]
fn around(left: u64, word: u64, right: u64, center: u64) -> u64 {
    (word & center) ^ (word << 1 | left >> 63) ^ (word >> 1 | right << 63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::{bit, pack};
    use crate::random::Random;

    /// Every instruction set against one bit at a time.
    #[test]
    fn rows_follow_bit_by_bit() {
        let mut random = Random::new(8);
        let variants = [(true, true), (true, false), (false, true), (false, false)];
        for columns in [3, 4, 63, 64, 65, 100, 511, 512, 513, 1000] {
            for (speed, (center, joined)) in Speed::all().into_iter().flat_map(|speed| variants.map(|variant| (speed, variant))) {
                let mut row = || pack((0..columns).map(|_| random.below(2) == 0));
                let mut rows = RowRecurrence { speed, ..RowRecurrence::new(columns, center, joined) };
                let (mut now, mut before) = (row(), row());
                rows.set(&now, &before);
                for step in 0..9 {
                    let given: Vec<Vec<u64>> = match step % 3 {
                        0 => vec![vec![0; now.len()]],
                        _ => (0..step % 4).map(|_| row()).collect(),
                    };
                    let mut seen = Vec::new();
                    for given in &given {
                        let next = pack((0..columns).map(|at| {
                            let left = if at > 0 { bit(&now, at - 1) } else { joined && bit(&now, columns - 1) };
                            let right = if at + 1 < columns { bit(&now, at + 1) } else { joined && bit(&now, 0) };
                            bit(given, at) ^ bit(&before, at) ^ (center && bit(&now, at)) ^ left ^ right
                        }));
                        seen.extend_from_slice(&now);
                        (before, now) = (now, next);
                    }
                    let mut given = given.concat();
                    match step % 3 {
                        0 => rows.next(),
                        1 => rows.read(&given),
                        _ => {
                            rows.overwrite(&mut given);
                            assert!(given == seen);
                        }
                    }
                    assert!(rows.now() == now && rows.before() == before, "{columns} {center} {joined} {speed:?}");
                }
            }
        }
    }
}
