//! A lower bound where the whole is out of reach: the columns in groups that each span few dimensions.
//!
//! For each group the least cost of its own columns is found exactly, as if the other columns were free; these least costs
//! add up to a bound on the cost of every member. A group is grown greedily: among the columns modulo its span, the value that
//! most columns share joins the span and brings all of them.

use super::code::{Code, bit, xor};

#[derive(Clone)]
pub(super) struct Groups {
    /// Column by column, one bit per word.
    columns: Vec<Vec<u64>>,
    /// Those in no group yet that any word touches.
    free: Vec<bool>,
    /// The dimensions a group may span.
    pub(super) dims: usize,
}

impl Groups {
    pub(super) fn new(code: &Code, dims: usize) -> Groups {
        let mut columns = vec![vec![0u64; code.dims().div_ceil(64)]; code.columns()];
        for (i, word) in code.words.iter().enumerate() {
            for (at, column) in columns.iter_mut().enumerate() {
                column[i / 64] |= u64::from(bit(word, at)) << (i % 64);
            }
        }
        let free = columns.iter().map(|column| column.iter().any(|&bits| bits != 0)).collect();
        Groups { columns, free, dims }
    }

    /// The next group; `None` if what is left gives no more.
    pub(super) fn next(&mut self, code: &Code) -> Option<Vec<usize>> {
        let mut rests: Vec<Vec<u64>> = self.columns.clone();
        let mut left: Vec<usize> = (0..rests.len()).filter(|&at| self.free[at]).collect();
        let mut group = Vec::new();
        for _ in 0..self.dims {
            left.sort_by(|&a, &b| rests[a].cmp(&rests[b]).then(a.cmp(&b)));
            let weight = |run: &&[usize]| run.iter().map(|&at| u64::from(code.weights[at])).sum::<u64>();
            let Some(run) = left.chunk_by(|&a, &b| rests[a] == rests[b]).max_by_key(|run| (run.len(), weight(run), usize::MAX - run[0]))
            else {
                break;
            };
            let joins = rests[run[0]].clone();
            group.extend_from_slice(run);
            let word = joins.iter().position(|&bits| bits != 0).expect("not in the span");
            let pivot = 64 * word + joins[word].trailing_zeros() as usize;
            left.retain(|&at| rests[at] != joins);
            for &at in &left {
                if bit(&rests[at], pivot) {
                    xor(&mut rests[at], &joins);
                }
            }
        }
        // Columns that depend on no others of the group could always be on their cheap side: keep them for a later group.
        let part = code.restrict(&group);
        let useful: Vec<usize> = part.components().into_iter().filter(|part| part.len() > 1).flatten().map(|at| group[at]).collect();
        if useful.is_empty() {
            return None;
        }
        for &at in &useful {
            self.free[at] = false;
        }
        Some(useful)
    }

    /// The work of one group, in units.
    pub(super) fn work(code: &Code, dims: usize) -> u64 {
        1 + (code.columns() * dims) as u64 / 64
    }

    pub(super) fn bytes(code: &Code) -> usize {
        2 * code.columns() * (code.dims().div_ceil(64) * 8 + size_of::<Vec<u64>>() + 16)
    }
}
