//! A lower bound for problems too large to solve exactly: the columns are divided into groups, each of which spans few
//! dimensions.
//!
//! For each group, the least cost of its own columns is found exactly, as if the other columns cost nothing. The sum of these
//! costs is a lower bound on the cost of every member. A group grows greedily: among the columns modulo its span, the most frequent
//! value is added to the span, and all columns with this value join the group.

use super::code::Code;
use crate::bits::{bit, ones_in, xor};
use crate::limits::{Limit, Limits};

/// Number of columns sorted between two checks of the limits.
const SORTED: usize = 1 << 16;

#[derive(Clone)]
pub struct Groups {
    /// One vector per column, with one bit per word.
    columns: Vec<Vec<u64>>,
    /// True for each column that a word touches and that is not in a group yet.
    free: Vec<bool>,
    /// The maximum number of dimensions that a group spans.
    pub dims: usize,
}

impl Groups {
    pub fn new(code: &Code, dims: usize, limits: &Limits) -> Result<Groups, Limit> {
        let mut columns = vec![vec![0u64; code.dims().div_ceil(64)]; code.columns()];
        for (i, word) in code.words.iter().enumerate() {
            limits.check()?;
            for (at, column) in columns.iter_mut().enumerate() {
                column[i / 64] |= u64::from(bit(word, at)) << (i % 64);
            }
        }
        let free = columns.iter().map(|column| column.iter().any(|&bits| bits != 0)).collect();
        Ok(Groups { columns, free, dims })
    }

    /// The next group; `None` if the remaining columns yield no bound. If this call is stopped, the next call returns the
    /// same group.
    pub fn next(&mut self, code: &Code, limits: &Limits) -> Result<Option<Vec<usize>>, Limit> {
        let mut rests: Vec<Vec<u64>> = self.columns.clone();
        let mut left: Vec<usize> = (0..rests.len()).filter(|&at| self.free[at]).collect();
        let mut group = Vec::new();
        for _ in 0..self.dims {
            let order = |&a: &usize, &b: &usize| rests[a].cmp(&rests[b]).then(a.cmp(&b));
            for some in left.chunks_mut(SORTED) {
                limits.check()?;
                some.sort_by(order);
            }
            // Now only sorted runs remain to be merged.
            left.sort_by(order);
            let weight = |run: &&[usize]| run.iter().map(|&at| u64::from(code.weights[at])).sum::<u64>();
            let Some(run) = left.chunk_by(|&a, &b| rests[a] == rests[b]).max_by_key(|run| (run.len(), weight(run), usize::MAX - run[0]))
            else {
                break;
            };
            let joins = rests[run[0]].clone();
            group.extend_from_slice(run);
            let pivot = ones_in(&joins).next().expect("not in the span");
            left.retain(|&at| rests[at] != joins);
            for &at in &left {
                if bit(&rests[at], pivot) {
                    xor(&mut rests[at], &joins);
                }
            }
        }
        // A column that is not connected to another column of the group can always be on its cheap side, so it is left for a later
        // group.
        let part = code.restrict(&group, limits)?;
        let useful: Vec<usize> = part.components(limits)?.into_iter().filter(|part| part.len() > 1).flatten().map(|at| group[at]).collect();
        if useful.is_empty() {
            return Ok(None);
        }
        for &at in &useful {
            self.free[at] = false;
        }
        Ok(Some(useful))
    }

    /// The work for one group, in units.
    pub fn work(code: &Code, dims: usize) -> u64 {
        1 + (code.columns() * dims) as u64 / 64
    }

    pub fn bytes(code: &Code) -> usize {
        2 * code.columns() * (code.dims().div_ceil(64) * 8 + size_of::<Vec<u64>>() + 16)
    }
}
