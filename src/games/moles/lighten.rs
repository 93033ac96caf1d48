//! The lightest solution on a board of any size, if there are few quiet patterns.
//!
//! A cell matters only through the set of quiet patterns that contain it. So the cells are grouped by that set, and each group is
//! summed: +1 for a cell without a hit, -1 for a cell with a hit. If there are d patterns, the sums form a table of 2^d numbers. It
//! is filled in one pass over the board, in which each pattern is computed row by row, with two rows in memory. For each sum of
//! patterns, the Walsh–Hadamard transform of the table yields the number of cells without a hit minus the number of cells with a
//! hit.

use super::chase::Chase;
use crate::bits::bitmap::Bitmap;
use crate::bits::{ones, transpose_block, xor};
use crate::limits::{Limit, Limits};

/// Adds the combination of quiet patterns that minimizes the number of hits. `report` is called once per row; if it returns an
/// error, the hits are unchanged.
pub fn lighten(chase: &Chase, hits: &mut Bitmap, limits: &Limits, mut report: impl FnMut() -> Result<(), Limit>) -> Result<(), Limit> {
    let count = chase.nullity();
    limits.room(size_of::<i64>() << count)?;
    let mut table = vec![0_i64; 1 << count];
    chase.with_quiet(hits, (0..count).collect(), limits, |patterns, hits| {
        for at in 0..hits.len() {
            let mut block = [0; 64];
            block.iter_mut().zip(patterns).for_each(|(word, pattern)| *word = pattern[at]);
            transpose_block(&mut block);
            let cells = (chase.columns() - at * 64).min(64);
            for (cell, &kind) in block.iter().enumerate().take(cells) {
                table[kind as usize] += 1 - 2 * (hits[at] >> cell & 1) as i64;
            }
        }
        report()
    })?;
    let mut half = 1;
    while half < table.len() {
        limits.check()?;
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
    // This pass must not be stopped halfway, because the hits would then be wrong.
    chase.with_quiet(hits, chosen, &Limits::none(), |patterns, hits| {
        patterns.iter().for_each(|pattern| xor(hits, pattern));
        Ok(())
    })
}
