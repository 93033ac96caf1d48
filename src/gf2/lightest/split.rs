//! Finds the lightest member if the columns fall into four classes, each of which depends on only part of the choice.
//!
//! On Lights Out boards, the holes in rows and columns of a given parity form such classes. The square of the system's matrix
//! links only holes of the same class, so a quiet pattern splits into four patterns, each of about half the nullity. The cost is then
//!
//! ```text
//! a(u) + b(v) + c(M u + N v) + d(P u + Q v)
//! ```
//!
//! with linear maps M, N, P, Q. Each of the four tables takes one transform of size 2^(d/2), instead of size 2^d for the whole problem.
//!
//! 1. The sum of the four minima is a lower bound. The cost of a class above its minimum is called its *excess*.
//! 2. If a member has a total excess of at most E, then for any t, either the joint excess of its first two classes is at most
//!    t, or that of the other two is at most E - t - 1. Therefore all pairs of table entries within these thresholds are tried, each
//!    with a look-up in one of the other tables. Either this finds the lightest member, or every member has an excess above E. In the
//!    latter case, E is increased.
//! 3. The histograms of the tables determine the number of pairs. With these numbers, t is chosen to make both sides cheap, and E is
//!    chosen so that each round takes several times as long as the previous one.
//!
//! Tables are computed block by block (`table`), and only their entries of least cost are stored. `frame` finds the linear maps
//! for arbitrary classes, and `pairs` tries the pairs.

pub mod frame;
pub mod pairs;
pub mod table;

use super::code::Code;
use crate::bits::{ones_in, xor};
use crate::gf2::echelon::solve;
use crate::gf2::matrix::Matrix;
use crate::gf2::speed::Speed;
use crate::gf2::vector::Vector;
use crate::limits::{Limit, Limits};
use frame::{Class, ClassFrame, ClassPair};
use pairs::{Best, Costs, FoundMember, Parts};
use table::{CostTable, LOW, MOST, Tail};

/// Maximum total number of dimensions.
const DIMS: usize = 120;
/// Maximum number of dimensions per class.
const RANK: u32 = 44;
/// Minimum amount by which the rank of every class must be below the dimension for a split to pay off.
const HELP: u32 = 4;
/// Maximum number of spare bits per pair. Each spare bit doubles the work.
const SPARE: u32 = 4;
/// Maximum number of bits in the number of a bucket.
const KEYS: u32 = 26;
/// The number of entries kept from a table whose rank is at most `KEPT_RANK`.
const KEPT: usize = 1 << 20;
const KEPT_RANK: u32 = 28;
/// The factor by which the number of entries to keep is increased if too few were kept.
const MORE: usize = 4;
/// Minimum number of pairs in the first round.
const PAIRS: f64 = (1 << 24) as f64;
/// The factor by which the number of pairs increases per round.
const ROUND: f64 = 4.0;

/// The parameters of a search, which tests vary.
#[derive(Clone, Copy)]
pub struct Setup {
    /// The number of low bits of an index, which determine its position within a block.
    pub low: u32,
    pub kept: usize,
    pub pairs: f64,
    pub speed: Speed,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { low: LOW, kept: KEPT, pairs: PAIRS, speed: Speed::best() }
    }
}

/// A split search that is ready to run.
pub struct Split<'a> {
    code: &'a Code,
    pub frame: ClassFrame,
    pub tables: [CostTable; 4],
    costs: [Costs; 4],
    setup: Setup,
    /// A lower bound on the cost of all members.
    pub lower: u64,
}

impl<'a> Split<'a> {
    /// `class[i]` is the class of column `i`, from 0 to 3. `None` if the search is infeasible or would take longer than a
    /// transform of the whole problem.
    pub fn new(code: &'a Code, class: &[usize], setup: Setup, limits: &Limits) -> Result<Option<Split<'a>>, Limit> {
        let dims = code.dims();
        if dims > DIMS {
            return Ok(None);
        }
        let mut columns = vec![0_u128; code.columns()];
        for (i, word) in code.words.iter().enumerate() {
            limits.check()?;
            ones_in(word).for_each(|at| columns[at] |= 1 << i);
        }
        let Some(frame) = ClassFrame::new(&columns, class, dims, RANK) else { return Ok(None) };
        limits.check()?;
        let weight = |class: &Class| class.columns.iter().map(|&(at, _)| u64::from(code.weights[at])).sum::<u64>();
        let fits = |class: &Class| class.rank() + HELP <= dims as u32 && weight(class) <= MOST;
        let keys = |side: &ClassPair| frame.classes[side.probe].rank().saturating_sub(setup.low) + side.overlap;
        let joins = |side: &ClassPair| side.spare <= SPARE && keys(side) <= KEYS;
        if !frame.classes.iter().all(fits) || !frame.sides.iter().all(joins) {
            return Ok(None);
        }
        let tables = std::array::from_fn(|at| {
            let class = &frame.classes[at];
            let signed = |&(at, bits): &(usize, u64)| {
                let weight = code.weights[at] as i32;
                (bits, if crate::bits::bit(&code.start, at) { -weight } else { weight })
            };
            CostTable::new(class.columns.iter().map(signed), class.rank(), setup.low, setup.speed)
        });
        let mut costs = Vec::with_capacity(4);
        for class in &frame.classes {
            costs.push(Costs::new(code, &class.columns, class.rank(), limits)?);
        }
        let costs = costs.try_into().unwrap_or_else(|_| unreachable!("there are four classes"));
        Ok(Some(Split { code, frame, tables, costs, setup, lower: 0 }))
    }

    /// Finds the lightest member if it costs less than `upper`; otherwise `upper` is a lower bound. `report` is called with the
    /// work done and the lower bound so far. If the search is stopped, the lower bound remains valid.
    pub fn run(&mut self, upper: u64, limits: &Limits, report: &(dyn Fn(u64, u64) + Sync)) -> Result<Option<Vec<u64>>, Limit> {
        let largest = self.tables.iter().map(|table| table.rank).max().unwrap_or(0);
        let mut kept = self.setup.kept << (largest.saturating_sub(KEPT_RANK) / 2);
        self.lower = 0;
        let mut tails = self.tails(kept, None, limits, report)?;
        let entries: f64 = self.tables.iter().map(|table| f64::from(table.rank).exp2()).sum();
        let mut budget = self.setup.pairs.max(entries / 4.0);
        let base: u64 = tails.iter().zip(&self.tables).map(|(tail, table)| table.cost(tail.peak)).sum();
        self.lower = base.min(upper);
        let mut next = 0;
        while base + next < upper {
            let ceiling = (upper - 1 - base) as usize;
            let plan = Rounds::new(&self.frame, &tails, ceiling + 1);
            let Some((excess, most)) = plan.furthest(next as usize, ceiling, budget) else {
                if plan.work(next as usize).is_none() {
                    // The lists are too short for any round.
                    kept *= MORE;
                    tails = self.tails(kept, Some(tails), limits, report)?;
                } else {
                    budget *= ROUND;
                }
                continue;
            };
            if let Some(found) = self.round(excess as u32, most, &tails, limits, report)? {
                self.lower = base + u64::from(found.excess);
                return Ok(Some(self.pattern(&found)));
            }
            next = excess as u64 + 1;
            self.lower = base + next;
            budget *= ROUND;
        }
        Ok(None)
    }

    /// The entries of least cost in each table. In the first call (without `old`), adds the minimum of each table to the lower bound.
    pub fn tails(
        &mut self,
        kept: usize,
        old: Option<[Tail; 4]>,
        limits: &Limits,
        report: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<[Tail; 4], Limit> {
        let first = old.is_none();
        let mut tails = Vec::with_capacity(4);
        let mut old = old.map(|old| old.into_iter());
        for table in &self.tables {
            let lower = self.lower;
            // Reuse the old list if it is complete.
            let all = |tail: &Tail| tail.entries.len() as u64 == 1 << table.rank;
            let tail = match old.as_mut().and_then(|old| old.next()).filter(all) {
                Some(tail) => tail,
                None => table.tail(kept, limits, &|entries| report(entries, lower))?,
            };
            if first {
                self.lower += table.cost(tail.peak);
            }
            tails.push(tail);
        }
        Ok(tails.try_into().unwrap_or_else(|_| unreachable!("there are four classes")))
    }

    /// The lightest member with at most this excess, if there is one. `most` contains the thresholds for the two sides.
    pub fn round(
        &self,
        excess: u32,
        most: [Option<u32>; 2],
        tails: &[Tail; 4],
        limits: &Limits,
        report: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Option<FoundMember>, Limit> {
        let best = Best::new(excess);
        for (number, (side, most)) in self.frame.sides.iter().zip(most).enumerate() {
            let Some(most) = most else { continue };
            let parts = Parts {
                number,
                side,
                tails: side.pair.map(|class| &tails[class]),
                probe: &self.tables[side.probe],
                probe_peak: tails[side.probe].peak,
                last: &self.costs[side.last],
                last_least: self.tables[side.last].cost(tails[side.last].peak),
                shift: self.tables[side.pair[1]].rank,
                speed: self.setup.speed,
            };
            parts.run(most, &best, limits, &|pairs| report(pairs, self.lower))?;
        }
        Ok(best.take())
    }

    fn pattern(&self, found: &FoundMember) -> Vec<u64> {
        let side = &self.frame.sides[found.side];
        let shift = self.tables[side.pair[1]].rank;
        let equations = side.equations(found.first, found.second & ((1 << shift) - 1), found.second >> shift);
        let matrix = Matrix::from_fn(equations.len(), self.code.dims(), |row, word| equations[row].0 >> word & 1 == 1);
        let sides = Vector::from_fn(equations.len(), |row| equations[row].1);
        let solution = solve(&matrix, &sides).expect("the equations are independent");
        let mut pattern = self.code.start.clone();
        solution.x.ones().for_each(|word| xor(&mut pattern, &self.code.words[word]));
        assert_eq!(self.code.cost(&pattern), self.lower, "the costs of the classes add up");
        pattern
    }
}

/// The number of pairs in each possible round.
pub struct Rounds {
    /// For each side and each threshold, the number of pairs with at most this joint excess, as far as the lists extend.
    pub pairs: [Vec<f64>; 2],
}

impl Rounds {
    pub fn new(frame: &ClassFrame, tails: &[Tail; 4], most: usize) -> Rounds {
        let pairs = [0, 1].map(|at| {
            let side = &frame.sides[at];
            let [one, two] = side.pair.map(|class| &tails[class]);
            let Some(whole) = one.whole.zip(two.whole).map(|(one, two)| one.min(two) as usize) else { return Vec::new() };
            let mut sums = vec![0.0; whole.min(most) + 1];
            let (one, two) = (one.counts(), two.counts());
            for (a, &count) in one.iter().enumerate().take(sums.len()).filter(|(_, count)| **count > 0) {
                for (sum, &other) in sums[a..].iter_mut().zip(&two) {
                    *sum += count as f64 * other as f64;
                }
            }
            let scale = (f64::from(side.spare) - f64::from(side.overlap)).exp2();
            let mut all = 0.0;
            for sum in &mut sums {
                all += *sum * scale;
                *sum = all;
            }
            sums
        });
        Rounds { pairs }
    }

    /// The minimum number of pairs in a round up to this excess, and the thresholds of the two sides that achieve it. `None` if the
    /// lists are too short.
    fn work(&self, excess: usize) -> Option<(f64, [Option<u32>; 2])> {
        let pairs = |side: usize, most: Option<usize>| match most {
            None => Some(0.0),
            Some(most) => self.pairs[side].get(most).copied(),
        };
        // The thresholds are t - 1 and E - t. A side with a negative threshold has no pairs.
        let split = |t: usize| {
            let (one, two) = (t.checked_sub(1), excess.checked_sub(t));
            Some((pairs(0, one)? + pairs(1, two)?, [one, two].map(|most| most.map(|most| most as u32))))
        };
        (0..=excess + 1).filter_map(split).min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The largest excess from `from` to `to` whose round takes at most `budget` pairs, and the thresholds for that round.
    fn furthest(&self, from: usize, to: usize, budget: f64) -> Option<(usize, [Option<u32>; 2])> {
        let fits = |&excess: &usize| self.work(excess).is_some_and(|(work, _)| work <= budget);
        // The work never decreases as the excess grows.
        let (mut low, mut high) = (from, to + 1);
        if !fits(&low) {
            return None;
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if fits(&middle) { low = middle } else { high = middle }
        }
        self.work(low).map(|(_, most)| (low, most))
    }
}
