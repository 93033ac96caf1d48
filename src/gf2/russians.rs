//! The method of the four Russians (Arlazarov, Dinic, Kronrod, Faradzhev 1970), the inner loop of elimination and products: to
//! every row of a matrix add a subset of some source rows, chosen for that row.
//!
//! All 256 sums of 8 source rows are written into a table; one addition from the table then does the work of 8. Eight such
//! tables make a pass over 64 source rows, one word of choices per row, and each row is read and written once per pass.
//! The tables are as wide as a strip of the matrix, so that all eight stay in the second-level cache (512 kB).
//!
//! CPUs that multiply 8 x 8 bits in one instruction need no tables; see `tiles.rs`.

use std::ops::Range;

use super::matrix::Matrix;

/// Words per strip: 256 bytes, four cache lines.
const STRIP: usize = 32;
/// The number of sets of 64 source rows that an adder holds.
const SETS: usize = 8;
/// Entries of the eight tables.
const ENTRIES: usize = 8 * 256;

/// Source rows and their tables; reused from pass to pass.
pub(super) struct Adder {
    /// Words from the start of a row to that of the next.
    stride: usize,
    sources: Vec<u64>,
    tables: Vec<u64>,
}

impl Adder {
    /// For rows of `stride` words.
    pub fn new(stride: usize) -> Adder {
        Adder { stride, sources: vec![0; SETS * 64 * stride], tables: Vec::new() }
    }

    /// Stores a source row: set `place / 64`, bit `place % 64`. Places that are never chosen may stay empty.
    pub fn put(&mut self, place: usize, row: &[u64]) {
        self.sources[place * self.stride..][..row.len()].copy_from_slice(row);
    }

    /// To row `first + i` of the target adds the sources of set `set` chosen by the bits of `chosen[0][i]`, those of the next set
    /// chosen by `chosen[1][i]`, and so on; only in the given lines of 8 words.
    pub fn add(&mut self, set: usize, chosen: &[&[u64]], target: &mut Matrix, first: usize, lines: Range<usize>) {
        assert_eq!(target.stride(), self.stride, "rows have another length");
        let count = chosen.first().map_or(0, |chosen| chosen.len());
        let rows = &mut target.words_mut()[first * self.stride..][..count * self.stride];
        if rows.is_empty() || lines.is_empty() {
            return;
        }
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("gfni") && has!("avx512f") && has!("avx512bw") && has!("avx512vbmi") {
                // SAFETY: the CPU has the features that the function is compiled for.
                #[allow(unsafe_code)]
                return unsafe { super::tiles::add(&self.sources[64 * set * self.stride..], self.stride, chosen, rows, lines) };
            }
            if has!("avx2") {
                // SAFETY: the CPU has the features that the function is compiled for.
                #[allow(unsafe_code)]
                return unsafe { self.add_avx2(set, chosen, rows, lines) };
            }
        }
        self.add_portable(set, chosen, rows, lines);
    }

    /// The portable loop, compiled for registers of 256 bits.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn add_avx2(&mut self, set: usize, chosen: &[&[u64]], rows: &mut [u64], lines: Range<usize>) {
        self.add_portable(set, chosen, rows, lines);
    }

    /// Strip by strip: whole strips, then single lines.
    #[inline(always)]
    fn add_portable(&mut self, set: usize, chosen: &[&[u64]], rows: &mut [u64], lines: Range<usize>) {
        // One more line, so that the tables can be aligned to cache lines.
        self.tables.resize(ENTRIES * STRIP + 8, 0);
        let (mut at, end) = (8 * lines.start, 8 * lines.end);
        while at < end {
            let width = if end - at >= STRIP { STRIP } else { 8 };
            for (number, chosen) in chosen.iter().enumerate() {
                if width == STRIP {
                    self.strip::<STRIP>(set + number, chosen, rows, at);
                } else {
                    self.strip::<8>(set + number, chosen, rows, at);
                }
            }
            at += width;
        }
    }

    /// One strip of `W` words from word `at` of each row.
    #[inline(always)]
    fn strip<const W: usize>(&mut self, set: usize, chosen: &[u64], rows: &mut [u64], at: usize) {
        let aligned = self.tables.as_ptr().align_offset(64).min(8);
        let (tables, _) = self.tables[aligned..][..ENTRIES * W].as_chunks_mut::<W>();
        let tables: &mut [[u64; W]; ENTRIES] = tables.try_into().expect("the same length");
        let used = chosen.iter().fold(0, |used, bits| used | bits);
        for (number, table) in tables.chunks_exact_mut(256).enumerate() {
            table[0] = [0; W];
            if used >> (8 * number) & 255 == 0 {
                continue; // only the first entry, the sum of no rows, is looked up
            }
            for bit in 0..8 {
                let source = &self.sources[(64 * set + 8 * number + bit) * self.stride + at..][..W];
                let (done, next) = table.split_at_mut(1 << bit);
                let next = &mut next[..1 << bit];
                for at in 0..done.len() {
                    for word in 0..W {
                        next[at][word] = done[at][word] ^ source[word];
                    }
                }
            }
        }
        for (number, row) in rows.chunks_exact_mut(self.stride).take(chosen.len()).enumerate() {
            let entry = |number: usize, byte: u64| &tables[256 * number + (byte & 255) as usize];
            let bits = chosen[number];
            let (a, b, c, d) = (entry(0, bits), entry(1, bits >> 8), entry(2, bits >> 16), entry(3, bits >> 24));
            let (e, f, g, h) = (entry(4, bits >> 32), entry(5, bits >> 40), entry(6, bits >> 48), entry(7, bits >> 56));
            let row = &mut row[at..at + W];
            for word in 0..W {
                row[word] ^= a[word] ^ b[word] ^ c[word] ^ d[word] ^ e[word] ^ f[word] ^ g[word] ^ h[word];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The loop chosen for this CPU, the portable ones, and adding row by row.
    #[test]
    fn all_ways_to_add_agree() {
        let mut random = Random::new(1);
        for cols in [1, 64, 65, 700, 64 * 45 + 3] {
            for (rows, places, first, set) in [(1, 64, 0, 0), (70, 64, 3, 2), (300, 5, 0, 7), (40, 150, 39, 1), (300, 512, 1, 0)] {
                let mut bits = |rows| Matrix::from_fn(rows, cols, |_, _| random.below(2) == 1);
                let (sources, start) = (bits(places), bits(rows));
                let choices = Matrix::from_fn(places.div_ceil(64) * 64, rows - first, |place, _| place < places && random.below(2) == 1);
                let choices = choices.transpose();
                let word = |number| (0..rows - first).map(|row| choices.row(row)[number]).collect();
                let chosen: Vec<Vec<u64>> = (0..places.div_ceil(64)).map(word).collect();
                let chosen: Vec<&[u64]> = chosen.iter().map(Vec::as_slice).collect();
                let lines = random.below(start.lines())..start.lines();

                let mut adder = Adder::new(start.stride());
                (0..places).for_each(|place| adder.put(64 * set + place, sources.row(place)));
                let mut fast = start.clone();
                adder.add(set, &chosen, &mut fast, first, lines.clone());
                let mut portable = start.clone();
                adder.add_portable(set, &chosen, &mut portable.words_mut()[first * start.stride()..], lines.clone());
                #[cfg(target_arch = "x86_64")]
                if std::arch::is_x86_feature_detected!("avx2") {
                    let mut wide = start.clone();
                    // SAFETY: the CPU has the features that the function is compiled for.
                    #[allow(unsafe_code)]
                    unsafe {
                        adder.add_avx2(set, &chosen, &mut wide.words_mut()[first * start.stride()..], lines.clone());
                    }
                    assert!(wide == portable, "{rows} x {cols}, {places} sources");
                }
                let mut slow = start;
                for row in 0..rows - first {
                    for place in choices.row_vector(row).ones() {
                        let words = 8 * lines.start..sources.row(place).len();
                        words.for_each(|word| slow.row_mut(first + row)[word] ^= sources.row(place)[word]);
                    }
                }
                assert!(fast == slow && portable == slow, "{rows} x {cols}, {places} sources");
            }
        }
    }
}
