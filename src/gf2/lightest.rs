//! The lightest member of a coset over GF(2): among all solutions of a linear system, one of least cost.
//!
//! A coset is given by one member and kernel vectors. Its members are the given member plus any sum of kernel vectors. Each
//! coordinate has a cost for 0 and a cost for 1 (for the plain weight, these are 0 and 1). With `d` linearly independent
//! kernel vectors there are `2^d` members, and all known methods take time exponential in `d`. This is feasible up to about `d` = 45.
//! [`Lightest`] runs step by step and owns its data, so it can be stopped at any time with the best member found and a proved
//! lower bound. Its stages are:
//!
//! 1. `code`: merge equal columns, drop columns that cost the same in every member, and split the code into independent components.
//! 2. `sample`: random information sets yield a good member and light kernel words. If the exact walk (stage 4) will
//!    take a long time, the neighborhood of the best member (plus sums of a few light words) is searched exactly.
//! 3. `groups`: if the walk will take a long time, a lower bound is computed from exact minima of small groups of columns.
//! 4. `walsh`: the exact walk, a Walsh–Hadamard transform that skips members that cannot beat the best one.
//!
//! `component` runs these stages on each component. If the caller knows classes of coordinates, each of which depends on only part of
//! the choice of kernel vectors, [`Lightest::split`] replaces the walk. With four classes of half the dimension, it can handle twice
//! the dimension.
//!
//! Symmetry and parallelism are left to the caller, with one exception: `split` uses all threads that its limits provide.
//!
//! ```
//! use kibitzer::gf2::lightest::Lightest;
//!
//! // 1111 plus any sum of 1110 and 0111: the lightest members are 0001 and 1000.
//! let mut search = Lightest::new(4, &[0b1111], &[vec![0b1110], vec![0b0111]]);
//! while !search.step(1000) {}
//! assert_eq!((search.cost(), search.lower()), (1, 1));
//! assert_eq!(search.member()[0].count_ones(), 1);
//! ```

// Hidden modules are public for the tests.
#[doc(hidden)]
pub mod code;
#[doc(hidden)]
pub mod component;
#[doc(hidden)]
pub mod groups;
mod sample;
#[doc(hidden)]
pub mod split;
#[doc(hidden)]
pub mod walsh;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use code::{Code, echelon};
use component::Component;
use split::Setup;

use crate::bits::{bit, pack, xor};
use crate::cost::Cost;
use crate::limits::{Limit, Limits, Progress};
use crate::sort;

/// Maximum dimension for which the exact walk is feasible.
pub const REACH: usize = 46;
/// Number of units of work between two progress reports.
const STEP: u64 = 2048;

/// Coordinates that always flip together: the first of them, and their total cost if they stay or flip.
struct Same {
    first: usize,
    stay: u64,
    flip: u64,
}

/// A search for the lightest member; see the module documentation.
#[derive(Clone)]
pub struct Lightest {
    coordinates: usize,
    member: Vec<u64>,
    /// The cost that all members share.
    constant: u64,
    /// The unit of the remaining costs: their greatest common divisor.
    unit: u64,
    /// For each pivot of the reduced problem: its component, its column there, and its kernel vector.
    pivots: Vec<(usize, usize, Vec<u64>)>,
    parts: Vec<Component>,
    /// For each part and each of its columns, the first coordinate that the column represents.
    places: Vec<Vec<usize>>,
    dims: usize,
}

impl Lightest {
    /// A search for the member with the fewest ones. Coordinate `i` of a vector is bit `i % 64` of word `i / 64`. Kernel vectors may be
    /// linearly dependent.
    ///
    /// # Panics
    /// If a vector is too short for `n` coordinates.
    pub fn new(n: usize, member: &[u64], kernel: &[Vec<u64>]) -> Lightest {
        Lightest::with_costs(n, member, kernel, &|_| [0, 1], &Limits::none()).expect("there are no limits")
    }

    /// A search for the member of least cost, where `costs(i)` are the costs of a 0 and a 1 at coordinate `i`. With millions of
    /// coordinates, this call alone takes seconds.
    ///
    /// # Panics
    /// If a vector is too short for `n` coordinates, or the sum of the costs, in units of their greatest common divisor, exceeds
    /// 2^30.
    pub fn with_costs(
        n: usize,
        member: &[u64],
        kernel: &[Vec<u64>],
        costs: &dyn Fn(usize) -> [u32; 2],
        limits: &Limits,
    ) -> Result<Lightest, Limit> {
        let long = n.div_ceil(64);
        assert!(member.len() >= long && kernel.iter().all(|vector| vector.len() >= long), "a vector is shorter than {n} bits");
        let member = member[..long].to_vec();
        // Transpose the kernel. Equal columns flip together.
        let width = kernel.len().div_ceil(64);
        limits.room(n.saturating_mul(8 * width + size_of::<(&[u64], Same)>()))?;
        let mut columns = vec![0_u64; n * width];
        for (i, vector) in kernel.iter().enumerate() {
            limits.check()?;
            for (at, column) in columns.chunks_exact_mut(width).enumerate() {
                column[i / 64] |= u64::from(bit(vector, at)) << (i % 64);
            }
        }
        let mut same: HashMap<&[u64], Same> = HashMap::new();
        let mut constant = 0;
        for at in 0..n {
            if at % 4096 == 0 {
                limits.check()?;
            }
            let [stay, flip] = [false, true].map(|flip| u64::from(costs(at)[usize::from(bit(&member, at) ^ flip)]));
            let column = &columns[at * width..][..width];
            if column.iter().all(|&bits| bits == 0) {
                constant += stay;
            } else {
                let same = same.entry(column).or_insert(Same { first: at, stay: 0, flip: 0 });
                (same.stay, same.flip) = (same.stay + stay, same.flip + flip);
            }
        }
        let mut kept: Vec<(usize, u64, bool)> = Vec::new();
        for Same { first, stay, flip } in same.into_values() {
            constant += stay.min(flip);
            if stay != flip {
                kept.push((first, stay.abs_diff(flip), stay > flip));
            }
        }
        // Sort the columns by coordinate, because neighboring coordinates may be related.
        sort::ascending(&mut kept);
        let unit = kept.iter().fold(0, |unit, &(_, weight, _)| gcd(unit, weight)).max(1);
        let total: u64 = kept.iter().map(|&(_, weight, _)| weight / unit).sum();
        assert!(total <= 1 << 30, "the costs are too large");
        let weights: Vec<u32> = kept.iter().map(|&(_, weight, _)| (weight / unit) as u32).collect();
        let start = pack(kept.iter().map(|&(_, _, dear)| dear));

        // Append the whole kernel vector to each word, so that elimination also transforms it.
        let front = start.len();
        let mut words: Vec<Vec<u64>> = Vec::with_capacity(kernel.len());
        for vector in kernel {
            limits.check()?;
            let mut word = pack(kept.iter().map(|&(at, _, _)| bit(vector, at)));
            word.extend_from_slice(&vector[..long]);
            words.push(word);
        }
        let found = echelon(&mut words, 0..kept.len(), limits)?;
        let code = Code::new(weights, start, words.iter().map(|word| word[..front].to_vec()).collect(), limits)?;
        let components = code.components(limits)?;
        let mut pivots: Vec<(usize, usize, Vec<u64>)> = Vec::new();
        for (&pivot, word) in found.iter().zip(&words) {
            let home = components.iter().enumerate().find_map(|(part, columns)| Some((part, columns.binary_search(&pivot).ok()?)));
            let (part, at) = home.expect("every pivot is in a component");
            pivots.push((part, at, word[front..].to_vec()));
        }
        let mut parts = Vec::with_capacity(components.len());
        for columns in &components {
            parts.push(Component::new(code.restrict(columns, limits)?, true));
        }
        let places = components.iter().map(|columns| columns.iter().map(|&at| kept[at].0).collect()).collect();
        Ok(Lightest { coordinates: n, member, constant, unit, pivots, parts, places, dims: code.dims() })
    }

    /// Continues until `budget` units are spent or the answer is proved, and returns whether it is proved. A unit is the work for
    /// about 2^16 members, a few microseconds; a step may exceed its budget by a few hundred units. The result does not depend on
    /// the step sizes.
    pub fn step(&mut self, budget: u64) -> bool {
        self.step_within(budget, &Limits::none()).expect("there are no limits")
    }

    /// Like [`Lightest::step`], but within limits, because on large problems a single unit of work takes seconds. If the search
    /// is stopped, the best member and the bound found so far remain valid, and the search can be resumed.
    pub fn step_within(&mut self, budget: u64, limits: &Limits) -> Result<bool, Limit> {
        let mut left = budget.max(1);
        for part in &mut self.parts {
            while !part.done() {
                if left == 0 {
                    return Ok(false);
                }
                left = left.saturating_sub(part.step(left, limits)?);
            }
        }
        Ok(self.done())
    }

    /// Runs until the answer is proved or `budget` units are spent, and reports progress. `more` returns the caller's part of each
    /// progress report.
    pub fn run(&mut self, mut budget: u64, limits: &Limits, more: impl Fn(&Lightest) -> Progress) -> Result<(), Limit> {
        while budget > 0 && !self.step_within(STEP.min(budget), limits)? {
            budget = budget.saturating_sub(STEP);
            let (bytes, lower, upper) = (self.bytes(), self.lower() as Cost, Some(self.cost() as Cost));
            limits.report(&Progress { bytes, lower, upper, ..more(self) })?;
            limits.room(bytes)?;
        }
        Ok(())
    }

    /// Finds and proves the lightest member, if the coordinates of each class depend on only a few linear functions of the choice of
    /// kernel vectors. `class` maps a coordinate to its class, a number below 4. Does nothing if these classes would not make the
    /// search faster. If the search is stopped, the best member and the bound found so far remain valid.
    pub fn split(&mut self, class: &dyn Fn(usize) -> usize, limits: &Limits) -> Result<(), Limit> {
        for at in 0..self.parts.len() {
            if self.parts[at].done() {
                continue;
            }
            let others = self.lower() - self.unit * self.parts[at].lower();
            let (unit, upper) = (self.unit, self.cost());
            let done = AtomicU64::new(0);
            let report = |work: u64, lower: u64| {
                let expanded = done.fetch_add(work, Ordering::Relaxed) + work;
                let lower = (others + unit * lower).min(u64::from(u32::MAX)) as u32;
                // The workers check the limits themselves.
                let _ = limits.report(&Progress {
                    expanded,
                    generated: expanded,
                    lower,
                    upper: u32::try_from(upper).ok(),
                    ..Progress::default()
                });
            };
            let class: Vec<usize> = self.places[at].iter().map(|&place| class(place)).collect();
            self.parts[at].split(&class, Setup::default(), limits, &report)?;
        }
        Ok(())
    }

    /// True if the best member is proved to be a lightest one.
    pub fn done(&self) -> bool {
        self.parts.iter().all(Component::done)
    }

    /// The cost of the best member found.
    pub fn cost(&self) -> u64 {
        self.constant + self.unit * self.parts.iter().map(Component::cost).sum::<u64>()
    }

    /// A lower bound on the cost of all members.
    pub fn lower(&self) -> u64 {
        self.constant + self.unit * self.parts.iter().map(Component::lower).sum::<u64>()
    }

    /// The best member found.
    pub fn member(&self) -> Vec<u64> {
        let mut member = self.member.clone();
        for (part, at, vector) in &self.pivots {
            let part = &self.parts[*part];
            if bit(part.best(), *at) != bit(part.start(), *at) {
                xor(&mut member, vector);
            }
        }
        if let Some(last) = member.last_mut() {
            // Clear the caller's bits beyond the last coordinate.
            *last &= u64::MAX >> (64 * self.member.len() - self.coordinates);
        }
        member
    }

    /// The dimension after reduction: restricted to the columns that affect the cost, there are `2^dims` distinct members.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// The completed fraction of the exact walk, from 0 to 1. It stays 0 if the walk is infeasible.
    pub fn progress(&self) -> f64 {
        let all: f64 = self.parts.iter().map(|part| part.members()).sum();
        let done: f64 = self.parts.iter().map(|part| part.members() * part.progress()).sum();
        if all == 0.0 { 1.0 } else { done / all }
    }

    /// An upper bound on the bytes that the search will use.
    pub fn bytes(&self) -> usize {
        let vectors = self.pivots.len() + 1;
        self.parts.iter().map(Component::bytes).sum::<usize>() + vectors * (self.member.len() * 8 + 40)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
