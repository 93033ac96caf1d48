//! The loop of [`russians`](super::russians) without tables, for processors that multiply 8 x 8 bits in one instruction
//! (GFNI with registers of 512 bits: Ice Lake, Zen 4 and later).
//!
//! The instruction `gf2p8affineqb` takes a register of 8 tiles of 8 x 8 bits and multiplies each with the 8 bytes of the other
//! register that lie below it: 4096 products of bits at once, from registers and a few kilobytes of the first-level cache. The
//! bytes below a tile must be those of 8 rows, so sums are formed in tiles and shuffled back into rows when they are added.

use std::arch::x86_64::*;
use std::ops::Range;

/// Lines of a row that are done together; their tiles take 4 kB each.
const LINES: usize = 4;

/// Whether this processor can run [`add`].
pub(super) fn possible() -> bool {
    std::arch::is_x86_feature_detected!("gfni")
        && std::arch::is_x86_feature_detected!("avx512bw")
        && std::arch::is_x86_feature_detected!("avx512vbmi")
}

/// To row `i` adds the sources chosen by the bits of `chosen[i]`, in the given lines of 8 words.
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vbmi")]
pub(super) fn add(sources: &[u64], stride: usize, chosen: &[u64], rows: &mut [u64], lines: Range<usize>) {
    // Byte 8j + i of the result is byte 8i + j.
    let mut turn = [0; 8];
    (0..64).for_each(|at| turn[at / 8] |= ((at % 8 * 8 + at / 8) as u64) << (at % 8 * 8));
    let turn = load(&turn);
    let mut at = lines.start;
    while at < lines.end {
        let count = LINES.min(lines.end - at);
        let mut tiles = [[[_mm512_setzero_si512(); 8]; 8]; LINES];
        for line in 0..count {
            for part in 0..8 {
                tiles[line][part] = tiles_of(&sources[8 * part * stride..], stride, at + line);
            }
        }
        for (rows, chosen) in rows.chunks_mut(8 * stride).zip(chosen.chunks(8)) {
            let mut bits = [0; 8];
            bits[..chosen.len()].copy_from_slice(chosen);
            let bits = _mm512_permutexvar_epi8(turn, load(&bits));
            let mut parts = [bits; 8];
            for part in 0..8 {
                parts[part] = _mm512_permutexvar_epi64(_mm512_set1_epi64(part as i64), bits);
            }
            for line in 0..count {
                let mut sums = [_mm512_setzero_si512(); 8];
                for part in 0..8 {
                    for tile in 0..8 {
                        let product = _mm512_gf2p8affine_epi64_epi8::<0>(parts[part], tiles[line][part][tile]);
                        sums[tile] = _mm512_xor_si512(sums[tile], product);
                    }
                }
                let sums = shuffle(shuffle(shuffle(shuffle(sums))));
                for (row, sum) in rows.chunks_exact_mut(stride).zip(sums) {
                    let line = &mut row.as_chunks_mut::<8>().0[at + line];
                    store(line, _mm512_xor_si512(load(line), sum));
                }
            }
        }
        at += count;
    }
}

/// One line of 8 source rows as 64 tiles, in the order that four more rounds of [`shuffle`] bring back into rows.
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vbmi")]
fn tiles_of(rows: &[u64], stride: usize, line: usize) -> [__m512i; 8] {
    // The instruction wants tiles transposed and upside down. It can do that itself: times unit vectors a tile gives its columns.
    const UNITS: i64 = 0x0102_0408_1020_4080;
    let mut tiles = [_mm512_setzero_si512(); 8];
    for row in 0..8 {
        tiles[7 - row] = load(&rows[row * stride..].as_chunks::<8>().0[line]);
    }
    let mut tiles = shuffle(shuffle(shuffle(tiles)));
    for tile in &mut tiles {
        *tile = _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(UNITS), *tile);
    }
    tiles
}

/// A perfect shuffle of the bytes of 8 registers, separately in each quarter of a register: write the place of a byte as three
/// bits for the register and four bits for the byte in the quarter; the seven bits are rotated by one. So after three rounds the
/// last three bits tell the register it came from, and after seven rounds every byte is back.
#[target_feature(enable = "avx512f,avx512bw")]
fn shuffle(from: [__m512i; 8]) -> [__m512i; 8] {
    let mut to = from;
    for at in 0..4 {
        to[2 * at] = _mm512_unpacklo_epi8(from[at], from[at + 4]);
        to[2 * at + 1] = _mm512_unpackhi_epi8(from[at], from[at + 4]);
    }
    to
}

#[target_feature(enable = "avx512f")]
fn load(line: &[u64; 8]) -> __m512i {
    let [a, b, c, d, e, f, g, h] = line.map(|word| word as i64);
    _mm512_setr_epi64(a, b, c, d, e, f, g, h)
}

#[target_feature(enable = "avx512f")]
fn store(line: &mut [u64; 8], value: __m512i) {
    let halves = [_mm512_extracti64x4_epi64::<0>(value), _mm512_extracti64x4_epi64::<1>(value)];
    for (words, half) in line.as_chunks_mut::<4>().0.iter_mut().zip(halves) {
        words[0] = _mm256_extract_epi64::<0>(half) as u64;
        words[1] = _mm256_extract_epi64::<1>(half) as u64;
        words[2] = _mm256_extract_epi64::<2>(half) as u64;
        words[3] = _mm256_extract_epi64::<3>(half) as u64;
    }
}
