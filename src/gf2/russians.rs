//! The method of the four Russians (Arlazarov, Dinic, Kronrod, Faradzhev 1970), the one loop here that costs time: add to
//! every row of a matrix its own choice of up to 64 source rows.
//!
//! Of 8 source rows all 256 sums are written into a table; one addition from the table then does the work of 8. Eight such
//! tables make a pass over 64 source rows, that is one word of choices per row, and each row is read and written once a pass.
//! The tables are as wide as a strip of the matrix, so that all eight stay in the second-level cache (512 kB).
//!
//! Processors that multiply 8 x 8 bits in one instruction need no tables; see [`tiles`](super::tiles).

use std::ops::Range;

use super::matrix::Matrix;

/// Words to a strip: 256 bytes, four cache lines.
const STRIP: usize = 32;
/// Entries of the eight tables together.
const ENTRIES: usize = 8 * 256;

/// Source rows, and the room for their tables: kept from pass to pass.
pub(super) struct Adder {
    /// Words from a row to the next.
    stride: usize,
    sources: Vec<u64>,
    tables: Vec<u64>,
}

impl Adder {
    /// For rows of `stride` words.
    pub fn new(stride: usize) -> Adder {
        Adder { stride, sources: vec![0; 64 * stride], tables: Vec::new() }
    }

    /// Puts a row in place `at` (0 to 63) of the source rows. A place that nobody chooses needs none.
    pub fn put(&mut self, at: usize, row: &[u64]) {
        self.sources[at * self.stride..][..row.len()].copy_from_slice(row);
    }

    /// To row `first + i` of the target adds the sources chosen by the bits of `chosen[i]`, in the given lines of 8 words only.
    pub fn add(&mut self, chosen: &[u64], target: &mut Matrix, first: usize, lines: Range<usize>) {
        assert_eq!(target.stride(), self.stride, "rows of other length");
        let start = first * self.stride;
        let rows = &mut target.words_mut()[start..start + chosen.len() * self.stride];
        if rows.is_empty() {
            return;
        }
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected;
            if super::tiles::possible() {
                // SAFETY: the processor has what the function is compiled for.
                #[allow(unsafe_code)]
                return unsafe { super::tiles::add(&self.sources, self.stride, chosen, rows, lines) };
            }
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has what the function is compiled for.
                #[allow(unsafe_code)]
                return unsafe { self.add_avx2(chosen, rows, lines) };
            }
        }
        self.add_portable(chosen, rows, lines);
    }

    /// The portable loop, compiled for registers of 256 bits.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn add_avx2(&mut self, chosen: &[u64], rows: &mut [u64], lines: Range<usize>) {
        self.add_portable(chosen, rows, lines);
    }

    /// Strip by strip: whole strips, then single lines.
    #[inline(always)]
    fn add_portable(&mut self, chosen: &[u64], rows: &mut [u64], lines: Range<usize>) {
        // Room for one more line, so that the tables can begin at the start of one.
        self.tables.resize(ENTRIES * STRIP + 8, 0);
        let (mut at, end) = (8 * lines.start, 8 * lines.end);
        while at < end {
            at += if end - at >= STRIP { self.strip::<STRIP>(chosen, rows, at) } else { self.strip::<8>(chosen, rows, at) };
        }
    }

    /// One strip of `W` words from word `at` of each row.
    #[inline(always)]
    fn strip<const W: usize>(&mut self, chosen: &[u64], rows: &mut [u64], at: usize) -> usize {
        let aligned = self.tables.as_ptr().align_offset(64).min(8);
        let (tables, _) = self.tables[aligned..][..ENTRIES * W].as_chunks_mut::<W>();
        let tables: &mut [[u64; W]; ENTRIES] = tables.try_into().expect("as many");
        let used = chosen.iter().fold(0, |used, bits| used | bits);
        for (number, table) in tables.chunks_exact_mut(256).enumerate() {
            table[0] = [0; W];
            if used >> (8 * number) & 255 == 0 {
                continue; // only the first entry, the sum of no rows, is looked up
            }
            for bit in 0..8 {
                let source = &self.sources[(8 * number + bit) * self.stride + at..][..W];
                let (done, next) = table.split_at_mut(1 << bit);
                for (sum, old) in next.iter_mut().zip(done) {
                    for word in 0..W {
                        sum[word] = old[word] ^ source[word];
                    }
                }
            }
        }
        for (row, bits) in rows.chunks_exact_mut(self.stride).zip(chosen) {
            let mut sums = [&tables[0]; 8];
            for (number, sum) in sums.iter_mut().enumerate() {
                *sum = &tables[256 * number + (bits >> (8 * number) & 255) as usize];
            }
            for (word, value) in row[at..at + W].iter_mut().enumerate() {
                *value ^= sums.iter().fold(0, |sum, entry| sum ^ entry[word]);
            }
        }
        W
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The loop chosen for this processor, the others that it can run, and adding row by row.
    #[test]
    fn all_ways_to_add_agree() {
        let mut random = Random::new(1);
        for cols in [1, 64, 65, 700, 64 * 45 + 3] {
            for (rows, places, first) in [(1, 64, 0), (70, 64, 3), (300, 5, 0), (40, 20, 39)] {
                let mut bits = |rows| Matrix::from_fn(rows, cols, |_, _| random.below(2) == 1);
                let (sources, start) = (bits(places), bits(rows));
                let chosen: Vec<u64> =
                    (first..rows).map(|_| (0..places).fold(0, |bits, at| bits | (random.below(2) as u64) << at)).collect();
                let lines = random.below(start.stride() / 8)..start.stride() / 8;
                let mut adder = Adder::new(start.stride());
                (0..places).for_each(|at| adder.put(at, sources.row(at)));
                let mut fast = start.clone();
                adder.add(&chosen, &mut fast, first, lines.clone());
                let mut portable = start.clone();
                adder.add_portable(&chosen, &mut portable.words_mut()[first * start.stride()..], lines.clone());
                let mut slow = start;
                for (row, bits) in chosen.iter().enumerate() {
                    for at in (0..places).filter(|at| bits >> at & 1 == 1) {
                        let words = 8 * lines.start..sources.row(at).len();
                        words.for_each(|word| slow.row_mut(first + row)[word] ^= sources.row(at)[word]);
                    }
                }
                assert!(fast == slow && portable == slow, "{rows} x {cols}, {places} sources");
            }
        }
    }
}
