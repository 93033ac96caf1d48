//! The Method of Four Russians (Arlazarov, Dinic, Kronrod, Faradzhev 1970), the inner loop of elimination. It adds
//! source rows to every row of a matrix, with a separate choice of source rows for each row.
//!
//! The sums of all 256 subsets of 8 source rows are written into a table; adding one table entry then replaces up to 8 row
//! additions. Eight such tables cover 64 source rows in one pass, with one word of choices per row, and each row is read and written
//! once per pass. The tables are as wide as a strip of the matrix, so that all eight fit in the second-level cache (512 kB).
//!
//! CPUs that multiply 8 x 8 bit matrices in one instruction need no tables; see `tiles.rs`.

use std::ops::Range;

use super::matrix::Matrix;
use super::speed::{HotLoop, Speed};

/// Number of words per strip: 256 bytes, four cache lines.
const STRIP: usize = 32;
/// The number of sets of 64 source rows that an adder stores.
const SETS: usize = 8;
/// Number of entries in the eight tables.
const ENTRIES: usize = 8 * 256;

/// Source rows and their tables, which are reused from pass to pass.
pub struct Adder {
    /// Number of words from the start of one row to the start of the next.
    stride: usize,
    sources: Vec<u64>,
    tables: Vec<u64>,
}

impl Adder {
    /// An adder for rows of `stride` words.
    pub fn new(stride: usize) -> Adder {
        Adder { stride, sources: vec![0; SETS * 64 * stride], tables: Vec::new() }
    }

    /// Stores source row `place % 64` of set `place / 64`. Source rows that are never chosen need not be stored.
    pub fn put(&mut self, place: usize, row: &[u64]) {
        self.sources[place * self.stride..][..row.len()].copy_from_slice(row);
    }

    /// Adds source rows to rows of the target. For row `first + i`, the bits of `chosen[0][i]` choose source rows from set `set`, the
    /// bits of `chosen[1][i]` choose from the next set, and so on. Only the given lines of 8 words are changed.
    pub fn add(&mut self, set: usize, chosen: &[&[u64]], target: &mut Matrix, first: usize, lines: Range<usize>) {
        assert_eq!(target.stride(), self.stride, "rows have a different length");
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
        }
        self.add_by(Speed::best(), set, chosen, rows, lines);
    }

    /// Like [`Adder::add`], but takes the target rows as words and always uses the tables.
    pub fn add_by(&mut self, speed: Speed, set: usize, chosen: &[&[u64]], rows: &mut [u64], lines: Range<usize>) {
        // There is one extra line, so that the tables can be aligned to cache lines.
        self.tables.resize(ENTRIES * STRIP + 8, 0);
        speed.run(TablePass { adder: self, set, chosen, rows, lines });
    }

    /// Processes one strip of `W` words, starting at word `at` of each row.
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

/// The arguments of [`Adder::add_by`].
struct TablePass<'a> {
    adder: &'a mut Adder,
    set: usize,
    chosen: &'a [&'a [u64]],
    rows: &'a mut [u64],
    lines: Range<usize>,
}

impl HotLoop for TablePass<'_> {
    /// Processes whole strips, then single lines.
    #[inline(always)]
    fn run(self) {
        let (mut at, end) = (8 * self.lines.start, 8 * self.lines.end);
        while at < end {
            let width = if end - at >= STRIP { STRIP } else { 8 };
            for (number, chosen) in self.chosen.iter().enumerate() {
                if width == STRIP {
                    self.adder.strip::<STRIP>(self.set + number, chosen, self.rows, at);
                } else {
                    self.adder.strip::<8>(self.set + number, chosen, self.rows, at);
                }
            }
            at += width;
        }
    }
}
