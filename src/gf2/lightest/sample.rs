//! Finds good members and light words with random information sets (Lee–Brickell). A pattern is determined by its bits on an
//! information set, and a light pattern is likely to have few set bits there, so patterns with zero, one or two set bits there are
//! tried.
//!
//! Sampling proves nothing, but it works where the exact walk is infeasible, and a good start makes the walk faster.

use super::code::{Code, echelon};
use crate::bits::{bit, ones_in, xor};
use crate::limits::{Limit, Limits};
use crate::random::Random;

#[derive(Clone)]
pub struct Sampler {
    random: Random,
    words: Vec<Vec<u64>>,
    order: Vec<usize>,
    /// The cheapest pattern so far.
    pub best: Vec<u64>,
    pub cost: u64,
    /// Light words sorted by weight, at most `POOL` per dimension.
    pool: Vec<(u64, Vec<u64>)>,
}

const POOL: usize = 4;

impl Sampler {
    pub fn new(code: &Code, seed: u64) -> Sampler {
        let (best, cost) = (code.start.clone(), code.cost(&code.start));
        let order = (0..code.columns()).collect();
        Sampler { random: Random::new(seed), words: code.words.clone(), order, best, cost, pool: Vec::new() }
    }

    /// The work for one round, in units of about 2^13 word operations.
    pub fn work(code: &Code) -> u64 {
        1 + (2 * code.dims() * code.dims() * code.start.len()) as u64 / (1 << 13)
    }

    /// Tries one information set. If the round is stopped, the results found so far are kept.
    pub fn round(&mut self, code: &Code, limits: &Limits) -> Result<(), Limit> {
        let count = self.order.len();
        self.random.shuffle(&mut self.order, count);
        let pivots = echelon(&mut self.words, self.order.iter().copied(), limits)?;
        let mut pattern = code.start.clone();
        for (word, &pivot) in self.words.iter().zip(&pivots) {
            if bit(&pattern, pivot) {
                xor(&mut pattern, word);
            }
        }
        // Try adding zero, one or two words.
        let mut found = (code.cost(&pattern), None, None);
        let mut first = pattern.clone();
        for (i, word) in self.words.iter().enumerate() {
            limits.check()?;
            first.copy_from_slice(&pattern);
            xor(&mut first, word);
            found = found.min((code.cost(&first), Some(i), None));
            for (j, other) in self.words.iter().enumerate().skip(i + 1) {
                let cost = code.cost_of_sum(&first, other);
                if cost < found.0 {
                    found = (cost, Some(i), Some(j));
                }
            }
        }
        for at in [found.1, found.2].into_iter().flatten() {
            xor(&mut pattern, &self.words[at]);
        }
        let words = std::mem::take(&mut self.words);
        let learned = self.learn(code, &words, limits);
        self.words = words;
        learned.and_then(|()| self.descend(code, pattern, found.0, limits))
    }

    /// Stores those of `words`, and of the sums of two of them, that are light enough.
    fn learn(&mut self, code: &Code, words: &[Vec<u64>], limits: &Limits) -> Result<(), Limit> {
        for (i, word) in words.iter().enumerate() {
            limits.check()?;
            self.keep(code, code.cost(word), || word.clone());
            for other in &words[..i] {
                let make = || {
                    let mut sum = word.clone();
                    xor(&mut sum, other);
                    sum
                };
                self.keep(code, code.cost_of_sum(word, other), make);
            }
        }
        Ok(())
    }

    fn keep(&mut self, code: &Code, weight: u64, make: impl FnOnce() -> Vec<u64>) {
        let full = self.pool.len() >= POOL * code.dims();
        if full && self.pool.last().is_some_and(|(worst, _)| weight >= *worst) {
            return;
        }
        let entry = (weight, make());
        if let Err(at) = self.pool.binary_search(&entry) {
            self.pool.insert(at, entry);
            self.pool.truncate(POOL * code.dims());
        }
    }

    /// Keeps adding light words to a pattern as long as one makes it cheaper.
    fn descend(&mut self, code: &Code, mut pattern: Vec<u64>, mut cost: u64, limits: &Limits) -> Result<(), Limit> {
        loop {
            limits.check()?;
            let better = self.pool.iter().map(|(_, word)| (code.cost_of_sum(&pattern, word), word)).min_by_key(|&(cost, _)| cost);
            match better {
                Some((less, word)) if less < cost => {
                    xor(&mut pattern, word);
                    cost = less;
                }
                _ => break,
            }
        }
        self.offer(code, &pattern);
        Ok(())
    }

    /// Stores a pattern if it is the cheapest so far.
    pub fn offer(&mut self, code: &Code, pattern: &[u64]) {
        let cost = code.cost(pattern);
        if cost < self.cost {
            self.cost = cost;
            self.best.copy_from_slice(pattern);
        }
    }

    /// The neighborhood of the best pattern: the pattern plus all sums of `dims` random light words.
    pub fn near(&mut self, code: &Code, dims: usize, limits: &Limits) -> Result<Code, Limit> {
        let mut words = self.light_words(code, limits)?;
        self.random.shuffle(&mut words, dims);
        words.truncate(dims);
        Code::new(code.weights.clone(), self.best.clone(), words, limits)
    }

    /// A basis of light words, the lightest first.
    pub fn light_words(&self, code: &Code, limits: &Limits) -> Result<Vec<Vec<u64>>, Limit> {
        let rest = code.words.iter();
        let mut basis: Vec<Vec<u64>> = Vec::new();
        let mut reduced: Vec<(usize, Vec<u64>)> = Vec::new();
        for word in self.pool.iter().map(|(_, word)| word).chain(rest) {
            limits.check()?;
            let mut left = word.clone();
            for (pivot, other) in &reduced {
                if bit(&left, *pivot) {
                    xor(&mut left, other);
                }
            }
            let pivot = ones_in(&left).next();
            if let Some(pivot) = pivot {
                reduced.push((pivot, left));
                basis.push(word.clone());
            }
        }
        Ok(basis)
    }

    /// An upper bound on the bytes that a sampler uses.
    pub fn bytes(code: &Code) -> usize {
        code.start.len() * 8 * (2 + (POOL + 1) * code.dims()) + code.columns() * 8
    }
}
