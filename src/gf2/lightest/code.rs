//! A reduced coset problem: distinct columns with positive weights, linearly independent words, and no column that costs the
//! same in every member.

use crate::bits::{bit, ones_in, pack, xor};
use crate::limits::{Limit, Limits};

/// A pattern has one bit per column, which is set if the column is on its expensive side. Patterns of the coset are `start` plus
/// any sum of `words`. The cost of a pattern is the total weight of its set bits.
#[derive(Clone, Debug)]
pub struct Code {
    pub weights: Vec<u32>,
    pub start: Vec<u64>,
    /// In reduced echelon form.
    pub words: Vec<Vec<u64>>,
    /// Bit `at` of `planes[b]` is bit `b` of `weights[at]`.
    planes: Vec<Vec<u64>>,
}

/// Brings words into reduced echelon form, trying pivots in the given order. Linearly dependent words are dropped. If elimination is
/// stopped, the words still span the same space.
pub fn echelon(words: &mut Vec<Vec<u64>>, order: impl Iterator<Item = usize>, limits: &Limits) -> Result<Vec<usize>, Limit> {
    let mut pivots = Vec::new();
    for at in order {
        let rank = pivots.len();
        if rank == words.len() {
            break;
        }
        let Some(found) = (rank..words.len()).find(|&i| bit(&words[i], at)) else { continue };
        limits.check()?;
        words.swap(rank, found);
        let pivot = std::mem::take(&mut words[rank]);
        for word in words.iter_mut().filter(|word| !word.is_empty() && bit(word, at)) {
            xor(word, &pivot);
        }
        words[rank] = pivot;
        pivots.push(at);
    }
    words.truncate(pivots.len());
    Ok(pivots)
}

impl Code {
    pub fn new(weights: Vec<u32>, start: Vec<u64>, mut words: Vec<Vec<u64>>, limits: &Limits) -> Result<Code, Limit> {
        echelon(&mut words, 0..weights.len(), limits)?;
        let most = weights.iter().fold(0, |all, weight| all | weight);
        let plane = |b: u32| pack(weights.iter().map(|weight| weight >> b & 1 == 1));
        let planes = (0..32 - most.leading_zeros()).map(plane).collect();
        Ok(Code { weights, start, words, planes })
    }

    pub fn columns(&self) -> usize {
        self.weights.len()
    }

    /// The dimension of the coset.
    pub fn dims(&self) -> usize {
        self.words.len()
    }

    pub fn total(&self) -> u64 {
        self.weights.iter().map(|&weight| u64::from(weight)).sum()
    }

    #[inline(always)]
    pub fn cost(&self, pattern: &[u64]) -> u64 {
        // The loops here and below are by index, because `zip` and `map` are slow when they are not inlined.
        let mut cost = 0;
        for (b, plane) in self.planes.iter().enumerate() {
            let (pattern, mut count) = (&pattern[..plane.len()], 0);
            for at in 0..plane.len() {
                count += (plane[at] & pattern[at]).count_ones();
            }
            cost += u64::from(count) << b;
        }
        cost
    }

    #[inline(always)]
    pub fn cost_of_sum(&self, one: &[u64], two: &[u64]) -> u64 {
        let mut cost = 0;
        for (b, plane) in self.planes.iter().enumerate() {
            let (one, two, mut count) = (&one[..plane.len()], &two[..plane.len()], 0);
            for at in 0..plane.len() {
                count += (plane[at] & (one[at] ^ two[at])).count_ones();
            }
            cost += u64::from(count) << b;
        }
        cost
    }

    /// The problem restricted to some columns. Its least cost is a lower bound on the cost of these columns in any pattern.
    pub fn restrict(&self, columns: &[usize], limits: &Limits) -> Result<Code, Limit> {
        let part = |bits: &[u64]| pack(columns.iter().map(|&at| bit(bits, at)));
        let weights = columns.iter().map(|&at| self.weights[at]).collect();
        let mut words = Vec::with_capacity(self.words.len());
        for word in &self.words {
            limits.check()?;
            words.push(part(word));
        }
        Code::new(weights, part(&self.start), words, limits)
    }

    /// The connected components: sets of columns that no word connects with each other and that can be solved independently.
    pub fn components(&self, limits: &Limits) -> Result<Vec<Vec<usize>>, Limit> {
        // Words that share a column are connected; in reduced echelon form this also covers all sums of words.
        let mut leader: Vec<usize> = (0..self.dims()).collect();
        fn find(leader: &mut [usize], mut at: usize) -> usize {
            while leader[at] != at {
                leader[at] = leader[leader[at]];
                at = leader[at];
            }
            at
        }
        let mut home = vec![usize::MAX; self.columns()];
        for (i, word) in self.words.iter().enumerate() {
            limits.check()?;
            for at in ones_in(word) {
                if home[at] == usize::MAX {
                    home[at] = i;
                } else {
                    let (a, b) = (find(&mut leader, home[at]), find(&mut leader, i));
                    leader[a] = b;
                }
            }
        }
        let mut parts: Vec<Vec<usize>> = vec![Vec::new(); self.dims()];
        for (at, &home) in home.iter().enumerate() {
            if home != usize::MAX {
                parts[find(&mut leader, home)].push(at);
            }
        }
        parts.retain(|part| !part.is_empty());
        Ok(parts)
    }

    pub fn bytes(&self) -> usize {
        let row = self.start.len() * 8;
        row * (1 + self.words.len() + self.planes.len()) + self.weights.len() * 4
    }
}
