//! The loop of `russians.rs` without tables, for CPUs that multiply 8 x 8 bit matrices in one instruction (GFNI with AVX-512: Ice Lake,
//! Zen 4 and later).
//!
//! The instruction `gf2p8affineqb` takes one register with 8 tiles of 8 x 8 bits and another register with 8 bytes per tile, and
//! multiplies each byte by its tile: 4096 bit products at once. Here a tile contains 8 columns of 8 source rows, and the 8 bytes
//! are the choices for 8 target rows. So the sums are also tiles: columns of bytes, one byte from each of 8 rows. These sums are
//! accumulated over all sources, and only the totals are shuffled into rows.

use std::arch::x86_64::*;
use std::ops::Range;

/// Number of groups of 8 target rows whose sums stay in the first-level cache (8 kB) while a set of 64 sources (4 kB) is applied
/// to them.
const BLOCK: usize = 16;
/// Number of consecutive lines to process per target row, so that the row is not fetched from memory again for each line. The
/// tiles of all sources in these lines fit in the second-level cache (4 kB per set and line).
const LINES: usize = 4;

/// Adds to row `i` the sources chosen by the bits of `chosen[set][i]`, 64 sources per set, in the given lines of 8 words.
#[target_feature(enable = "gfni,avx512f,avx512bw,avx512vbmi")]
pub(super) fn add(sources: &[u64], stride: usize, chosen: &[&[u64]], rows: &mut [u64], lines: Range<usize>) {
    let chosen: Vec<Vec<[u64; 8]>> = chosen.iter().map(|chosen| turned(chosen)).collect();
    let zero = [_mm512_setzero_si512(); 8];
    let mut strip = vec![[zero; 8]; LINES.min(lines.len()) * chosen.len()];
    for start in lines.clone().step_by(LINES) {
        let lines = start..lines.end.min(start + LINES);
        for (line, sets) in lines.clone().zip(strip.chunks_mut(chosen.len())) {
            for (set, sources) in sets.iter_mut().zip(sources.chunks(64 * stride)) {
                for (tiles, sources) in set.iter_mut().zip(sources.chunks(8 * stride)) {
                    *tiles = tiles_of(sources, stride, line);
                }
            }
        }
        for (number, rows) in rows.chunks_mut(8 * BLOCK * stride).enumerate() {
            for (line, sets) in lines.clone().zip(strip.chunks(chosen.len())) {
                let mut sums = [zero; BLOCK];
                // The loop is by index, because `zip` is slow when it is not inlined.
                for (at, set) in sets.iter().enumerate() {
                    let chosen = &chosen[at][BLOCK * number..];
                    for (at, sums) in sums.iter_mut().take(chosen.len()).enumerate() {
                        for (eight, tiles) in set.iter().enumerate() {
                            let bytes = _mm512_set1_epi64(chosen[at][eight] as i64);
                            for eighth in 0..8 {
                                let product = _mm512_gf2p8affine_epi64_epi8::<0>(bytes, tiles[eighth]);
                                sums[eighth] = _mm512_xor_si512(sums[eighth], product);
                            }
                        }
                    }
                }
                for (at, rows) in rows.chunks_mut(8 * stride).enumerate() {
                    let sums = shuffle(shuffle(shuffle(shuffle(sums[at]))));
                    for (at, row) in rows.chunks_exact_mut(stride).enumerate() {
                        let words = &mut row.as_chunks_mut::<8>().0[line];
                        store(words, _mm512_xor_si512(load(words), sums[at]));
                    }
                }
            }
        }
    }
}

/// Transposes bytes: for every eight words of choices, word `j` of the result contains the `j`-th byte of each of these words.
#[target_feature(enable = "avx512f,avx512vbmi")]
fn turned(chosen: &[u64]) -> Vec<[u64; 8]> {
    let mut places = [0; 8];
    (0..64).for_each(|at| places[at / 8] |= ((at % 8 * 8 + at / 8) as u64) << (at % 8 * 8));
    let mut turned = vec![[0; 8]; chosen.len().div_ceil(8)];
    for (turned, chosen) in turned.iter_mut().zip(chosen.chunks(8)) {
        turned[..chosen.len()].copy_from_slice(chosen);
        let words = _mm512_permutexvar_epi8(load(&places), load(turned));
        store(turned, words);
    }
    turned
}

/// One line of 8 source rows as 64 tiles, in an order that four more rounds of [`shuffle`] turn back into rows.
#[target_feature(enable = "gfni,avx512f,avx512bw")]
fn tiles_of(rows: &[u64], stride: usize, line: usize) -> [__m512i; 8] {
    // The instruction expects tiles transposed and upside down. It can convert them itself: multiplying unit vectors by a tile
    // yields its columns.
    const UNITS: i64 = 0x0102_0408_1020_4080;
    let mut tiles = [_mm512_setzero_si512(); 8];
    for (tile, row) in tiles.iter_mut().rev().zip(rows.chunks_exact(stride)) {
        *tile = load(&row.as_chunks::<8>().0[line]);
    }
    let mut tiles = shuffle(shuffle(shuffle(tiles)));
    for tile in &mut tiles {
        *tile = _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(UNITS), *tile);
    }
    tiles
}

/// A perfect shuffle of the bytes in 8 registers, separately in each quarter of a register. If the position of a byte is written
/// as three bits for the register and four bits for the byte in the quarter, the seven bits are rotated by one. After three rounds, the
/// last three bits are therefore the number of the original register, and after seven rounds every byte is back in its original
/// position.
#[target_feature(enable = "avx512f,avx512bw")]
fn shuffle(from: [__m512i; 8]) -> [__m512i; 8] {
    let mut to = from;
    for at in 0..4 {
        to[2 * at] = _mm512_unpacklo_epi8(from[at], from[at + 4]);
        to[2 * at + 1] = _mm512_unpackhi_epi8(from[at], from[at + 4]);
    }
    to
}

/// Loads a line without a raw pointer. Compiles to one instruction.
#[target_feature(enable = "avx512f")]
fn load(line: &[u64; 8]) -> __m512i {
    let [a, b, c, d, e, f, g, h] = *line;
    _mm512_setr_epi64(a as i64, b as i64, c as i64, d as i64, e as i64, f as i64, g as i64, h as i64)
}

/// Stores a line without a raw pointer. Compiles to one instruction.
#[target_feature(enable = "avx512f")]
fn store(line: &mut [u64; 8], value: __m512i) {
    let (low, high) = (_mm512_extracti64x4_epi64::<0>(value), _mm512_extracti64x4_epi64::<1>(value));
    line[0] = _mm256_extract_epi64::<0>(low) as u64;
    line[1] = _mm256_extract_epi64::<1>(low) as u64;
    line[2] = _mm256_extract_epi64::<2>(low) as u64;
    line[3] = _mm256_extract_epi64::<3>(low) as u64;
    line[4] = _mm256_extract_epi64::<0>(high) as u64;
    line[5] = _mm256_extract_epi64::<1>(high) as u64;
    line[6] = _mm256_extract_epi64::<2>(high) as u64;
    line[7] = _mm256_extract_epi64::<3>(high) as u64;
}
