//! Hole weights that have pruned states; they are tried on every state, many sets at a time.
//!
//! If no jump removes more weight than its price, a plan costs at least the weight that the board loses. Each set of weights with
//! this property gives the best bound for some boards. The pool keeps the useful sets and evaluates sixteen of them at a time.

use super::field::PegField;

/// The scales to choose from. Weights are integers in units of 1/scale. The coordinates of the linear programs' vertices have small
/// denominators, mostly divisors of the first scale.
const SCALES: [i64; 4] = [27_720, 2520, 60, 1];
/// The fraction by which weights that fail the exact test are reduced, to allow for rounding.
const MARGIN: f64 = 1.0 / 2048.0;
const LANES: usize = 16;
/// The maximum number of blocks; more would take more time than they save.
const BLOCKS: usize = 4;

/// The largest weight that a program may return, as a multiple of the highest price; larger weights do not prune additional states.
pub const HEAVIEST: f64 = 10.0;

/// The number of weight units per unit of price: the largest scale for which no sum of weights overflows. `None` if prices are too
/// large.
pub fn scale(field: &PegField) -> Option<i64> {
    let most = i64::from(i32::MAX) / (4 * (HEAVIEST as i64) * field.holes as i64 * i64::from(field.dearest().max(1)));
    SCALES.into_iter().find(|&scale| scale <= most)
}

/// The weight of a board.
pub fn value(weights: &[i32], mut set: u64) -> i64 {
    let mut sum = 0;
    while set != 0 {
        sum += i64::from(weights[set.trailing_zeros() as usize]);
        set &= set - 1;
    }
    sum
}

/// The weights as integers, if an exact test shows that no jump removes more than its price.
pub fn whole(field: &PegField, weights: &[f64], scale: i64) -> Option<Vec<i32>> {
    let fits = |weights: &Vec<i32>| {
        let taken = |need, landing| value(weights, need) - value(weights, landing);
        field.jumps.iter().all(|jump| taken(jump.need, jump.landing) <= scale * i64::from(jump.price))
    };
    let most = HEAVIEST * f64::from(field.dearest()) + 1.0;
    [1.0, 1.0 - MARGIN].into_iter().find_map(|factor| {
        let weights = &weights[..field.holes];
        let sound = weights.iter().all(|weight| weight.abs() <= most);
        let rounded = || weights.iter().map(|weight| (weight * factor * scale as f64).round() as i32).collect();
        sound.then(rounded).filter(fits)
    })
}

/// Sixteen sets of weights: the weight of each byte of the state, indexed by byte position and value.
struct Block {
    bytes: Vec<[[i32; LANES]; 256]>,
    /// The weight of the other end in each set: a plan costs at least the state's weight minus this.
    other: [i32; LANES],
}

pub struct Pool {
    holes: usize,
    blocks: Vec<Block>,
    len: usize,
    /// The number of states that each set of weights has pruned recently.
    hits: Vec<u32>,
}

impl Pool {
    pub fn new(holes: usize) -> Pool {
        Pool { holes, blocks: Vec::new(), len: 0, hits: Vec::new() }
    }

    pub fn bytes(&self) -> usize {
        self.blocks.len() * self.holes.div_ceil(8) * size_of::<[[i32; LANES]; 256]>()
    }

    /// Adds a set of weights, which replaces the least useful set once the pool is full. A plan costs at least the weight of a
    /// state minus `other`.
    pub fn add(&mut self, weights: &[i32], other: i64) {
        let at = if self.len == BLOCKS * LANES {
            let least = (0..self.len).min_by_key(|&at| self.hits[at]).unwrap_or(0);
            self.hits.iter_mut().for_each(|hits| *hits -= *hits / 8);
            least
        } else {
            if self.len == self.blocks.len() * LANES {
                let bytes = vec![[[0; LANES]; 256]; self.holes.div_ceil(8)];
                self.blocks.push(Block { bytes, other: [i32::MAX / 2; LANES] });
            }
            self.hits.push(0);
            self.len += 1;
            self.len - 1
        };
        self.hits[at] = self.hits.iter().sum::<u32>() / self.len as u32;
        let (block, lane) = (&mut self.blocks[at / LANES], at % LANES);
        for (byte, values) in block.bytes.iter_mut().enumerate() {
            for value in 1..256_usize {
                let hole = 8 * byte + value.trailing_zeros() as usize;
                values[value][lane] = values[value & (value - 1)][lane] + weights.get(hole).copied().unwrap_or(0);
            }
        }
        block.other[lane] = other as i32;
    }

    /// A block's bounds for a state.
    #[inline]
    fn block(block: &Block, state: u64) -> [i32; LANES] {
        let mut sums = [0; LANES];
        for (byte, values) in block.bytes.iter().enumerate() {
            let values = &values[(state >> (8 * byte)) as usize & 255];
            for lane in 0..LANES {
                sums[lane] += values[lane];
            }
        }
        sums.iter_mut().zip(&block.other).for_each(|(sum, other)| *sum -= other);
        sums
    }

    /// True if any bound exceeds `most`.
    #[inline]
    pub fn exceeds(&mut self, state: u64, most: i32) -> bool {
        for at in 0..self.blocks.len() {
            let sums = Pool::block(&self.blocks[at], state);
            let mut any = false;
            for sum in sums {
                any |= sum > most;
            }
            if any {
                let lane = sums.iter().position(|&sum| sum > most).unwrap_or(0);
                self.hits[at * LANES + lane] += 1;
                // Blocks that prune often move to the front.
                if at > 0 && self.len == BLOCKS * LANES && self.hits[at * LANES + lane].is_multiple_of(64) {
                    self.blocks.swap(at, at - 1);
                    for lane in 0..LANES {
                        self.hits.swap(at * LANES + lane, (at - 1) * LANES + lane);
                    }
                }
                return true;
            }
        }
        false
    }

    /// The largest bound for a state, at least 0.
    pub fn most(&self, state: u64) -> i32 {
        self.blocks.iter().flat_map(|block| Pool::block(block, state)).fold(0, i32::max)
    }
}
