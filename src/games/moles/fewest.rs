//! The choice among solutions: the one with the fewest hits, or a list of all.

use super::linear::Solved;
use crate::gf2::lightest::Lightest;
use crate::limits::{Limits, Progress};
use crate::rules::Cost;

/// Work between two looks at the limits.
const STEP: u64 = 2048;
/// Beyond this many independent quiet patterns a proof is out of reach: then so much work goes into a good solution.
const REACH: usize = 46;
const BEYOND_REACH: u64 = 1 << 19;
/// Modulo 3 and more: solutions that are compared at most, and holes that are looked at between two looks at the limits.
const COMPARED: u64 = 1 << 32;
const COMPARED_HOLES: usize = 1 << 22;

/// Are there so many solutions that a proof is out of reach, whatever the time?
pub fn is_out_of_reach(patterns: usize) -> bool {
    patterns > REACH
}

/// The lightest solution that is found within the limits, and a proved lower bound for all.
pub fn fewest(states: u8, solved: &Solved, limits: &Limits) -> (Vec<u8>, Cost) {
    if solved.quiet.len() < solved.orders.len() {
        // They are too many to be listed.
        return (solved.hits.clone(), 0);
    }
    if states == 2 { fewest_bits(solved, limits) } else { fewest_modular(states, solved, limits) }
}

pub fn fewest_bits(solved: &Solved, limits: &Limits) -> (Vec<u8>, Cost) {
    let pack = |bytes: &[u8]| -> Vec<u64> {
        let word = |cells: &[u8]| cells.iter().enumerate().fold(0, |word, (at, &cell)| word | u64::from(cell) << at);
        bytes.chunks(64).map(word).collect()
    };
    let count = solved.hits.len();
    let kernel: Vec<Vec<u64>> = solved.quiet.iter().map(|pattern| pack(pattern)).collect();
    let Ok(mut search) = Lightest::within(count, &pack(&solved.hits), &kernel, &|_| [0, 1], limits) else {
        return (solved.hits.clone(), 0);
    };
    let mut budget = if search.dims() <= REACH { u64::MAX } else { BEYOND_REACH };
    while budget > 0 && search.step_within(STEP, limits) == Ok(false) {
        budget = budget.saturating_sub(STEP);
        let total = 2_f64.powi(search.dims() as i32);
        let progress = Progress {
            expanded: (search.progress() * total) as u64,
            generated: (search.progress() * total) as u64,
            open: (total * (1.0 - search.progress())) as u64,
            bytes: search.bytes(),
            lower: search.lower() as Cost,
            upper: Some(search.cost() as Cost),
        };
        if limits.report(&progress).and(limits.room(search.bytes())).is_err() {
            break;
        }
    }
    let member = search.member();
    let hits = (0..count).map(|at| (member[at / 64] >> (at % 64) & 1) as u8).collect();
    (hits, search.lower() as Cost)
}

/// Steps through all solutions like a counter: each quiet pattern is a digit.
struct Counter<'a> {
    states: u8,
    solved: &'a Solved,
    digits: Vec<u8>,
    now: Vec<u8>,
}

impl<'a> Counter<'a> {
    fn new(states: u8, solved: &'a Solved) -> Counter<'a> {
        Counter { states, solved, digits: vec![0; solved.quiet.len()], now: solved.hits.clone() }
    }

    /// Goes on to the next solution; `false` after the last.
    fn next(&mut self) -> bool {
        for ((digit, pattern), order) in self.digits.iter_mut().zip(&self.solved.quiet).zip(&self.solved.orders) {
            // After as many steps as its order a pattern is back where it was.
            for (now, step) in self.now.iter_mut().zip(pattern) {
                let sum = *now + *step;
                *now = sum.min(sum.wrapping_sub(self.states));
            }
            *digit += 1;
            if *digit < *order {
                return true;
            }
            *digit = 0;
        }
        false
    }

    fn weight(&self) -> u64 {
        self.now.iter().map(|&times| u64::from(times)).sum()
    }
}

fn fewest_modular(states: u8, solved: &Solved, limits: &Limits) -> (Vec<u8>, Cost) {
    let total = solved.orders.iter().fold(1_u64, |total, order| total.saturating_mul(u64::from(*order)));
    let mut counter = Counter::new(states, solved);
    let mut best = (counter.weight(), solved.hits.clone());
    let step = (COMPARED_HOLES / solved.hits.len().max(1)).clamp(1, 1 << 16) as u64;
    let (mut seen, mut look) = (1, step);
    while counter.next() {
        seen += 1;
        let weight = counter.weight();
        if weight < best.0 {
            best = (weight, counter.now.clone());
        }
        if seen >= look {
            look += step;
            let progress =
                Progress { expanded: seen, generated: seen, open: total - seen, upper: Some(best.0 as Cost), ..Progress::default() };
            if seen >= COMPARED || limits.report(&progress).is_err() {
                return (best.1, 0);
            }
        }
    }
    (best.1, best.0 as Cost)
}

/// All solutions, the lightest first, but no more than `most` and as many as the limits allow.
pub fn all(states: u8, solved: &Solved, most: usize, limits: &Limits) -> Vec<Vec<u8>> {
    let mut counter = Counter::new(states, solved);
    let mut all = vec![solved.hits.clone()];
    // Later each becomes a list of moves, four bytes per hit.
    let bytes = 5 * solved.hits.len();
    while all.len() < most && limits.check().is_ok() && limits.room((all.len() + 1) * bytes).is_ok() && counter.next() {
        all.push(counter.now.clone());
    }
    let weight = |hits: &[u8]| hits.iter().map(|&times| u64::from(times)).sum::<u64>();
    let order = |hits: &[u8]| hits.iter().enumerate().filter(|(_, times)| **times > 0).map(|(at, _)| at).collect::<Vec<_>>();
    all.sort_by_cached_key(|hits| (weight(hits), order(hits)));
    all
}
