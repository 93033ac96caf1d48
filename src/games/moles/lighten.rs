//! The lightest solution on a board of any size, when there are few quiet patterns.
//!
//! A cell matters only through the quiet patterns that it is in. So count the cells of each kind, hit cells as -1: with d
//! patterns that is a table of 2^d numbers, made in one pass over the board while each pattern is chased along in two rows.
//! The Walsh–Hadamard transform of the table tells, for each sum of patterns, how many cells it leaves without a hit minus
//! how many it hits.

use super::chase::Chase;
use crate::bits::{ones, transpose_block};
use crate::notation::bitmap::Bitmap;

/// Adds the sum of quiet patterns to the hits that makes them fewest; `false` if `stop` ended it before. `stop` is asked
/// once per row.
pub fn lighten(chase: &Chase, hits: &mut Bitmap, mut stop: impl FnMut(usize) -> bool) -> bool {
    let count = chase.nullity();
    let mut table = vec![0_i64; 1 << count];
    let complete = chase.with_quiet(hits, (0..count).collect(), |row, patterns, hits| {
        for at in 0..hits.len() {
            let mut block = [0; 64];
            block.iter_mut().zip(patterns).for_each(|(word, pattern)| *word = pattern[at]);
            transpose_block(&mut block);
            let cells = (chase.columns() - at * 64).min(64);
            for (cell, &kind) in block.iter().enumerate().take(cells) {
                table[kind as usize] += 1 - 2 * (hits[at] >> cell & 1) as i64;
            }
        }
        !stop(row)
    });
    if !complete {
        return false;
    }
    let mut half = 1;
    while half < table.len() {
        for block in table.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
    let best = (0..table.len()).max_by_key(|&sum| (table[sum], std::cmp::Reverse(sum))).expect("not empty");
    let chosen: Vec<usize> = ones(best as u64).collect();
    chase.with_quiet(hits, chosen, |_, patterns, hits| {
        for pattern in patterns {
            hits.iter_mut().zip(*pattern).for_each(|(hits, pattern)| *hits ^= pattern);
        }
        true
    })
}
