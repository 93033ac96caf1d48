//! The stages of the search in one connected component of the problem.

use super::code::Code;
use super::groups::Groups;
use super::sample::Sampler;
use super::split::{Setup, Split};
use super::walsh::Walsh;
use crate::bits::{bit, ones, xor};
use crate::limits::{Limit, Limits};

/// The maximum number of dimensions for an exact walk; 2^48 members take hours. With more dimensions, members are sampled and
/// bounds are improved indefinitely.
const REACH: usize = 48;
/// With more dimensions than this, it pays to compute a lower bound before the walk ends.
const LONG: usize = 34;
/// Number of consecutive rounds of sampling.
const ROUNDS: u64 = 256;
/// The number of dimensions per group: the first value, the increment, the last value before a walk, and the maximum.
const GROUPS: (usize, usize, usize, usize) = (16, 4, 24, 36);
/// The number of dimensions of a neighborhood, and the number of neighborhoods that are searched in a row.
const NEAR: (usize, u64) = (24, 32);

#[derive(Clone)]
pub struct Component {
    code: Code,
    sampler: Sampler,
    lower: u64,
    /// The costs of all patterns are congruent modulo this number.
    modulus: u64,
    stage: Stage,
    bounded: bool,
}

#[derive(Clone)]
enum Stage {
    /// Sampling: the number of rounds left, and the number of dimensions per group for the bound that follows.
    Sample {
        rounds: u64,
        then: usize,
    },
    /// Searching neighborhoods of the best member: the member plus all sums of a few light words. `columns` are the columns that
    /// these words touch.
    Near {
        left: u64,
        then: usize,
        columns: Vec<usize>,
        current: Option<Box<Component>>,
    },
    Bound {
        groups: Groups,
        sum: u64,
        current: Option<Box<Component>>,
    },
    /// The exact walk: its words, its state, and its total number of blocks.
    Walk {
        words: Vec<Vec<u64>>,
        walk: Box<Walsh>,
        blocks: u64,
    },
}

impl Component {
    /// If `bounded`, lower bounds are computed before the walk ends.
    pub fn new(code: Code, bounded: bool) -> Component {
        let even = code.words.iter().all(|word| code.cost(word).is_multiple_of(2));
        let sampler = Sampler::new(&code, 1);
        let rounds = match code.dims() {
            0..=12 => 1,
            13..=20 => 4,
            21..=24 => 8,
            25..=28 => 16,
            29..=32 => 64,
            _ => ROUNDS,
        };
        let stage = Stage::Sample { rounds, then: GROUPS.0 };
        Component { code, sampler, lower: 0, modulus: if even { 2 } else { 1 }, stage, bounded }
    }

    pub fn cost(&self) -> u64 {
        self.sampler.cost
    }

    pub fn best(&self) -> &[u64] {
        &self.sampler.best
    }

    pub fn start(&self) -> &[u64] {
        &self.code.start
    }

    pub fn lower(&self) -> u64 {
        self.lower
    }

    /// True if the best member is proved to be a lightest one.
    pub fn done(&self) -> bool {
        self.lower == self.sampler.cost
    }

    pub fn members(&self) -> f64 {
        (self.code.dims() as f64).exp2()
    }

    pub fn progress(&self) -> f64 {
        match &self.stage {
            _ if self.done() => 1.0,
            Stage::Walk { walk, blocks, .. } => 1.0 - walk.left() as f64 / *blocks as f64,
            _ => 0.0,
        }
    }

    pub fn bytes(&self) -> usize {
        let code = self.code.bytes();
        let sampler = Sampler::bytes(&self.code);
        // Each neighborhood or group is searched by a nested `Component`.
        let inner = if self.bounded && self.code.dims() > LONG { Groups::bytes(&self.code) + 2 * code + sampler } else { 0 };
        2 * code + sampler + inner + Walsh::most_bytes(self.code.columns(), self.code.dims())
    }

    /// Does one piece of work and returns the number of units it took.
    pub fn step(&mut self, budget: u64, limits: &Limits) -> Result<u64, Limit> {
        let (code, sampler) = (&self.code, &mut self.sampler);
        Ok(match &mut self.stage {
            &mut Stage::Sample { rounds: 0, then } => {
                self.stage = if code.dims() > LONG {
                    Stage::Near { left: NEAR.1, then, columns: Vec::new(), current: None }
                } else {
                    self.walk(limits)?
                };
                1
            }
            Stage::Sample { rounds, .. } => {
                sampler.round(code, limits)?;
                *rounds -= 1;
                Sampler::work(code)
            }
            Stage::Near { left, then, columns, current } => match current {
                None if *left == 0 => {
                    let (dims, then) = (code.dims(), *then);
                    let last = if dims > REACH { GROUPS.3.min(dims - 1) } else { GROUPS.2 };
                    self.stage = if self.bounded && then <= last {
                        Stage::Bound { groups: Groups::new(code, then, limits)?, sum: 0, current: None }
                    } else if dims <= REACH {
                        self.walk(limits)?
                    } else {
                        Stage::Sample { rounds: ROUNDS, then }
                    };
                    1
                }
                None => {
                    let near = sampler.near(code, NEAR.0, limits)?;
                    *columns = (0..code.columns()).filter(|&at| near.words.iter().any(|word| bit(word, at))).collect();
                    *current = Some(Box::new(Component::new(near.restrict(columns, limits)?, false)));
                    *left -= 1;
                    Sampler::work(code)
                }
                Some(search) if search.done() => {
                    let mut best = sampler.best.clone();
                    for (i, &at) in columns.iter().enumerate() {
                        best[at / 64] = best[at / 64] & !(1 << (at % 64)) | u64::from(bit(search.best(), i)) << (at % 64);
                    }
                    sampler.offer(code, &best);
                    *current = None;
                    1
                }
                Some(search) => search.step(budget, limits)?,
            },
            Stage::Bound { groups, sum, current } => match current {
                None => {
                    let dims = groups.dims;
                    match groups.next(code, limits)? {
                        Some(group) => *current = Some(Box::new(Component::new(code.restrict(&group, limits)?, false))),
                        None => self.stage = Stage::Sample { rounds: ROUNDS, then: dims + GROUPS.1 },
                    }
                    Groups::work(&self.code, dims)
                }
                Some(search) if search.done() => {
                    *sum += search.cost();
                    *current = None;
                    let sum = *sum;
                    self.raise(sum);
                    1
                }
                Some(search) => search.step(budget, limits)?,
            },
            Stage::Walk { words, walk, .. } => {
                let blocks = (budget / walk.block_work()).clamp(1, walk.left());
                let work = blocks * walk.block_work();
                walk.run(blocks);
                if let Some(choice) = walk.take() {
                    let mut best = code.start.clone();
                    ones(choice).for_each(|i| xor(&mut best, &words[i]));
                    sampler.offer(code, &best);
                }
                if walk.left() == 0 {
                    self.lower = sampler.cost;
                }
                work
            }
        })
    }

    /// Finds the lightest member using classes of columns. Does nothing if these classes would not make the search faster.
    pub fn split(&mut self, class: &[usize], setup: Setup, limits: &Limits, report: &(dyn Fn(u64, u64) + Sync)) -> Result<(), Limit> {
        let Some(mut split) = Split::new(&self.code, class, setup, limits)? else { return Ok(()) };
        let run = split.run(self.sampler.cost, limits, report);
        let lower = split.lower;
        match run {
            Ok(found) => {
                if let Some(found) = found {
                    self.sampler.offer(&self.code, &found);
                }
                self.lower = self.sampler.cost;
                Ok(())
            }
            Err(limit) => {
                self.raise(lower);
                Err(limit)
            }
        }
    }

    fn walk(&self, limits: &Limits) -> Result<Stage, Limit> {
        let words = self.sampler.light_words(&self.code, limits)?;
        let walk = Walsh::new(&self.code, &words, self.sampler.cost, self.modulus);
        Ok(Stage::Walk { words, blocks: walk.left(), walk: Box::new(walk) })
    }

    /// Raises the lower bound, rounded up to a cost that can occur.
    fn raise(&mut self, lower: u64) {
        let cost = self.sampler.cost;
        let lower = cost - (cost - lower) / self.modulus * self.modulus;
        self.lower = self.lower.max(lower);
    }
}
