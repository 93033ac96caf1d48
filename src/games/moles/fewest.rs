//! Finds the solution with the fewest hits, or lists all solutions.

use super::field::FieldShape;
use super::linear::Solved;
use crate::bits::{bit, pack};
use crate::gf2::lightest::{Lightest, REACH};
use crate::limits::{Limit, Limits, Progress};
use crate::rules::Cost;
use crate::sort;

/// Number of work units spent on finding a good solution if none can be proved to be the lightest.
const BEYOND_REACH: u64 = 1 << 19;
/// At or above this nullity, grids are split by row and column parity, after an initial search for a good solution.
const SPLIT: usize = 26;
/// Above this nullity, the split may take hours before it yields a bound, so the initial search is longer and finds a bound first.
const SPLIT_LONG: usize = 64;
/// Number of work units for the initial search if the nullity is at most `SPLIT_LONG`.
const BEFORE_SPLIT: u64 = 1 << 12;
/// Maximum number of solutions to compare on boards with three or more states.
const COMPARED: u64 = 1 << 32;
/// Maximum number of holes read between two checks of the limits on boards with three or more states.
const COMPARED_HOLES: usize = 1 << 22;

/// A solution, and the reason why it may not be the lightest.
pub struct ChosenHits {
    pub hits: Vec<u8>,
    /// A lower bound on the number of hits in any solution.
    pub lower: Cost,
    /// The reason why the search for a lighter solution ended: the name of a limit, or `reach` if no amount of time would be
    /// enough.
    pub limit: &'static str,
}

/// The lightest solution found within the limits, and a proved lower bound.
pub fn fewest(states: u8, solved: &Solved, shape: &FieldShape, limits: &Limits) -> ChosenHits {
    if solved.quiet.len() < solved.orders.len() {
        return ChosenHits { hits: solved.hits.clone(), lower: 0, limit: Limit::Memory.name() };
    }
    let columns = if let FieldShape::Grid { columns, .. } = shape { Some(*columns) } else { None };
    if states == 2 { fewest_bits(solved, columns, limits) } else { fewest_modular(states, solved, limits) }
}

/// Packs bytes of 0 and 1 into bits.
pub fn packed(bytes: &[u8]) -> Vec<u64> {
    pack(bytes.iter().map(|&byte| byte == 1))
}

/// Like [`fewest`], but for two states; `columns` is the width of a grid.
pub fn fewest_bits(solved: &Solved, columns: Option<usize>, limits: &Limits) -> ChosenHits {
    let count = solved.hits.len();
    let kernel: Vec<Vec<u64>> = solved.quiet.iter().map(|pattern| packed(pattern)).collect();
    let mut search = match Lightest::with_costs(count, &packed(&solved.hits), &kernel, &|_| [0, 1], limits) {
        Ok(search) => search,
        Err(limit) => return ChosenHits { hits: solved.hits.clone(), lower: 0, limit: limit.name() },
    };
    let limit = lightest(&mut search, columns, limits).err().map_or("reach", Limit::name);
    let member = search.member();
    let hits = (0..count).map(|at| u8::from(bit(&member, at))).collect();
    ChosenHits { hits, lower: search.lower() as Cost, limit }
}

/// Runs a search until its answer is proved or out of reach.
fn lightest(search: &mut Lightest, columns: Option<usize>, limits: &Limits) -> Result<(), Limit> {
    let mut short = None;
    if let Some(columns) = columns.filter(|_| search.dims() >= SPLIT) {
        walk(search, if search.dims() <= SPLIT_LONG { BEFORE_SPLIT } else { BEYOND_REACH }, limits)?;
        match search.split(&|at| at / columns % 2 * 2 + at % columns % 2, limits) {
            // If memory is short, continue with the walk below, which needs less memory.
            Err(Limit::Memory) => short = Some(Limit::Memory),
            other => other?,
        }
    }
    walk(search, if search.dims() <= REACH { u64::MAX } else { BEYOND_REACH }, limits)?;
    short.map_or(Ok(()), Err)
}

fn walk(search: &mut Lightest, budget: u64, limits: &Limits) -> Result<(), Limit> {
    search.run(budget, limits, |search| {
        let total = 2_f64.powi(search.dims() as i32);
        let done = (search.progress() * total) as u64;
        Progress { expanded: done, generated: done, open: (total * (1.0 - search.progress())) as u64, ..Progress::default() }
    })
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

    /// Advances to the next solution; returns `false` after the last one.
    fn next(&mut self) -> bool {
        for ((digit, pattern), order) in self.digits.iter_mut().zip(&self.solved.quiet).zip(&self.solved.orders) {
            // Adding a pattern `order` times changes nothing.
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

fn fewest_modular(states: u8, solved: &Solved, limits: &Limits) -> ChosenHits {
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
            if let Some(limit) = limits.report(&progress).err().map(Limit::name).or((seen >= COMPARED).then_some("reach")) {
                return ChosenHits { hits: best.1, lower: 0, limit };
            }
        }
    }
    ChosenHits { hits: best.1, lower: best.0 as Cost, limit: "reach" }
}

/// All solutions, the lightest first; at most `most`, and fewer if a limit is reached.
pub fn all(states: u8, solved: &Solved, most: usize, limits: &Limits) -> Vec<Vec<u8>> {
    let mut counter = Counter::new(states, solved);
    let mut all = vec![solved.hits.clone()];
    // Each solution later becomes a list of moves, four bytes per hit.
    let bytes = 5 * solved.hits.len();
    while all.len() < most && limits.check().is_ok() && limits.room((all.len() + 1) * bytes).is_ok() && counter.next() {
        all.push(counter.now.clone());
    }
    let weight = |hits: &[u8]| hits.iter().map(|&times| u64::from(times)).sum::<u64>();
    let order = |hits: &[u8]| hits.iter().enumerate().filter(|(_, times)| **times > 0).map(|(at, _)| at).collect::<Vec<_>>();
    sort::by_key(&mut all, |hits| (weight(hits), order(hits)));
    all
}
