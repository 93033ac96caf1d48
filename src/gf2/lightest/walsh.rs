//! The exact walk through all members of a coset: a Walsh–Hadamard transform that stops early.
//!
//! The cost of the member `z` is `(T - S(z)) / 2`, where `T` is the sum of the weights and `S(z)` the sum over the columns of
//! `±weight · (-1)^<z, v>`. Here `v` has a bit for each word, which is set if the word flips the column, and the sign is `-` if the
//! column starts on its expensive side. `S` is the Walsh–Hadamard transform of these signed weights, so the work per member does
//! not depend on the number of columns.
//!
//! # Example
//!
//! Three words, six columns; patterns are `start + z0 word0 + z1 word1 + z2 word2`:
//!
//! ```text
//! column           0   1   2   3   4   5
//! weight           1   1   1   2   1   1     T = 7
//! start            1   1   0   1   1   0     costs 1 + 1 + 2 + 1 = 5
//! word0            1   1   0   0   1   0
//! word1            0   1   1   0   0   1
//! word2            0   0   0   1   1   1
//! v (z2 z1 z0)   001 011 010 100 101 110
//! signed weight   -1  -1  +1  -2  -1  +1
//! ```
//!
//! Ordered by `v`, the signed weights are `0 -1 1 -1 -2 -1 1 0`. A butterfly replaces `(a, b)` by `(a + b, a - b)`; one level
//! of butterflies per bit of `z` yields `S` for all eight `z`:
//!
//! ```text
//! v or z       0   1   2   3   4   5   6   7
//!              0  -1   1  -1  -2  -1   1   0
//! bit 0       -1   1   0   2  -3  -1   1   1     pairs (0,1) (2,3) (4,5) (6,7)
//! bit 1       -1   3  -1  -1  -2   0  -4  -2     pairs (0,2) (1,3) (4,6) (5,7)
//! bit 2 = S   -3   3  -5  -3   1   3   3   1     pairs (0,4) (1,5) (2,6) (3,7)
//! cost         5   2   6   5   3   2   2   3     (7 - S) / 2
//! ```
//!
//! The walk can stop early. Fix `z2`, and call the columns with the same `z1 z0` part of `v` a class. The sum `x` of a class is then
//! fixed except for its sign, so `S` is at most `x_00 + |x_01| + |x_10| + |x_11|`:
//!
//! ```text
//!          x_00  x_01  x_10  x_11   bound
//! z2 = 0    -2    -2     2    -1      3
//! z2 = 1     2     0     0    -1      3
//! ```
//!
//! If only the start (`S = -3`) is known, the bound of `z2 = 0` beats it: the four sums `-3 3 -5 -3` are computed, and the
//! new best member is `z = 1` with `S = 3` and cost 2. A better member would need `S = 5`. The bound of `z2 = 1` is smaller, so its
//! four members are skipped. To get from `z2 = 0` to `z2 = 1`, twice the weight of the columns 3, 4 and 5, which `word2` touches, is
//! subtracted from their classes.
//!
//! # How the bits of `z` are used
//!
//! The bits of `z`, from the lowest to the highest, are:
//!
//! * *leaf* bits (`z0` and `z1` above): `2^leaf` classes of columns. If the bound does not beat the best member, all `2^leaf`
//!   members are decided at once, and these levels of the transform are never computed. Otherwise, these levels are computed for the
//!   one lane whose bound is too large.
//! * *outer* bits (`z2` above): a Gray code. A step changes only the columns that its word touches, so light words are placed
//!   first.
//! * 3 or 6 *radix* bits: butterflies of eight in registers, the last of which ends in the sum of absolute values.
//! * 6 *lane* bits: 64 independent lanes, so that every operation is on whole vectors.
//! * 0 or 3 *upper* bits: butterflies of eight from memory to memory.
//!
//! The numbers of radix and upper bits are chosen so that there are at most about twice as many rows as columns. This keeps the steps
//! of the Gray code from costing more than the transform.
//!
//! Sums are stored in bytes if no class can reach 128, else in 16 or 32 bits. The loops (in `block`) are plain Rust over arrays
//! of 64, compiled three times for different instruction sets; there are no intrinsics.

pub mod block;

use block::{Block, Cell, EIGHT, LANES, Place, Row, bounds, exact};

use super::code::Code;
use crate::bits::bit;
use crate::gf2::speed::{HotLoop, Speed};

/// The number of lane bits plus the number of bits of one butterfly.
const FIXED: u32 = 9;
/// The maximum number of leaf bits.
const LEAF: u32 = 8;

#[derive(Clone)]
enum Blocks {
    Bytes(Block<i8>),
    Words(Block<i16>),
    Longs(Block<i32>),
}

/// The walk. It supports at most 63 dimensions.
#[derive(Clone)]
pub struct Walsh {
    blocks: Blocks,
    walker: Walker,
    speed: Speed,
}

/// The part of a walk that does not depend on the type of the sums.
#[derive(Clone)]
struct Walker {
    places: Vec<Place>,
    /// The columns that each outer bit touches.
    touched: Vec<Vec<u32>>,
    leaf: u32,
    radix: u32,
    upper: u32,
    /// The next Gray-code index to process.
    next: u64,
    /// The number of Gray-code indices.
    end: u64,
    /// True if the block contains the sums of `next`.
    ready: bool,
    /// The largest `S` so far.
    best: i32,
    /// The minimum amount by which a larger `S` exceeds `best`.
    rise: i32,
    /// The `z` with the largest `S`, until [`Walsh::take`] returns it.
    choice: Option<u64>,
}

impl Walsh {
    /// The walk over all members `start + Σ z_j words[j]`, looking for a member that costs less than `cost`. The words are any basis
    /// of the span of `code`'s words. The first words become leaf bits and the next words outer bits, so light words should
    /// be first. All costs are congruent modulo `modulus`.
    pub fn new(code: &Code, words: &[Vec<u64>], cost: u64, modulus: u64) -> Walsh {
        let dims = words.len() as u32;
        assert!(dims < 64, "too many dimensions for one walk");
        let best = code.total() as i32 - 2 * cost as i32;
        let leaf = leaf_bits(code, words, best);
        let spare = dims.saturating_sub(FIXED + leaf);
        let fits = |&(radix, upper): &(u32, u32)| radix - 3 + upper <= spare && 1 << (leaf + radix + upper) <= 2 * code.columns();
        let (radix, upper) = [(6, 3), (6, 0)].into_iter().find(fits).unwrap_or((3, 0));
        let outer = spare.saturating_sub(radix - 3 + upper);
        let deal = |at: usize| {
            let column = words.iter().rev().fold(0u64, |v, word| v << 1 | u64::from(bit(word, at)));
            let rest = column >> (leaf + outer);
            let (low, high) = (rest & ((1 << radix) - 1), rest >> (radix + 6));
            let weight = code.weights[at] as i32;
            Place {
                row: (low | (column & ((1 << leaf) - 1)) << radix | high << (leaf + radix)) as u32,
                outer: column >> leaf & ((1 << outer) - 1),
                lane: (rest >> radix) as u8 % LANES as u8,
                weight: if bit(&code.start, at) { -weight } else { weight },
            }
        };
        let places: Vec<Place> = (0..code.columns()).map(deal).collect();
        let touches = |j: u32| (0..places.len() as u32).filter(|&at| places[at as usize].outer >> j & 1 == 1).collect();
        let touched = (0..outer).map(touches).collect();
        // The largest sum that a row can reach. For most classes this is the sum over the whole class. For class 0 it is the sum
        // before the last butterfly, which is computed in 32 bits for this class.
        let mut sums = vec![0u64; 1 << leaf];
        let mut zeros = [0u64; EIGHT];
        for place in &places {
            let class = (place.row >> radix) as usize % sums.len();
            let sum = if class == 0 { &mut zeros[place.row as usize % EIGHT] } else { &mut sums[class] };
            *sum += u64::from(place.weight.unsigned_abs());
        }
        let largest = sums.iter().chain(&zeros).copied().max().unwrap_or(0);
        let blocks = if largest <= <i8 as Cell>::MAX {
            Blocks::Bytes(Block::new(&sums, radix, upper))
        } else if largest <= <i16 as Cell>::MAX {
            Blocks::Words(Block::new(&sums, radix, upper))
        } else {
            Blocks::Longs(Block::new(&sums, radix, upper))
        };
        let (rise, end) = (2 * modulus as i32, 1 << outer);
        let walker = Walker { places, touched, leaf, radix, upper, next: 0, end, ready: false, best, rise, choice: None };
        Walsh { blocks, walker, speed: Speed::best() }
    }

    /// Sets the instruction set, for tests.
    pub fn with_speed(mut self, speed: Speed) -> Walsh {
        self.speed = speed;
        self
    }

    /// Number of blocks still to be processed.
    pub fn left(&self) -> u64 {
        self.walker.end - self.walker.next
    }

    /// The work for one block, in units of 2^16 members.
    pub fn block_work(&self) -> u64 {
        let Walker { leaf, radix, upper, .. } = self.walker;
        (1 << (6 + leaf + radix + upper) >> 16).max(1)
    }

    /// The best member found since the last call, as a choice of words, if it beats all members known before.
    pub fn take(&mut self) -> Option<u64> {
        self.walker.choice.take()
    }

    /// An upper bound on the bytes that a walk uses.
    pub fn most_bytes(columns: usize, dims: usize) -> usize {
        let rows = (2 * columns).max(EIGHT << LEAF);
        let block = 2 * rows * size_of::<Row<i32>>() + LANES * size_of::<Row<i32>>() + size_of::<Walsh>();
        block + columns * (size_of::<Place>() + 4 * dims)
    }

    /// Processes up to `blocks` blocks.
    pub fn run(&mut self, blocks: u64) {
        let until = self.walker.next + blocks.min(self.left());
        match &mut self.blocks {
            Blocks::Bytes(block) => self.speed.run(Blockwise { walker: &mut self.walker, block, until }),
            Blocks::Words(block) => self.speed.run(Blockwise { walker: &mut self.walker, block, until }),
            // Such large sums occur only with very many equal columns in few dimensions, so one instruction set is enough.
            Blocks::Longs(block) => Blockwise { walker: &mut self.walker, block, until }.run(),
        }
    }
}

/// The best number of leaf bits: the maximum for which the chance that a lane must be computed stays below about one in a
/// thousand, estimated from the mean and spread of the bound for random signs.
fn leaf_bits(code: &Code, words: &[Vec<u64>], best: i32) -> u32 {
    let most = (words.len() as u32).saturating_sub(FIXED).min(LEAF);
    // The class of each column for the leaf bits tried so far.
    let mut classes = vec![0usize; code.columns()];
    let mut leaf = 0;
    for tried in 1..=most {
        for (at, class) in classes.iter_mut().enumerate() {
            *class |= usize::from(bit(&words[tried as usize - 1], at)) << (tried - 1);
        }
        let mut sums = vec![(0.0f64, 0u32); 1 << tried];
        for (at, &class) in classes.iter().enumerate() {
            let weight = f64::from(code.weights[at]);
            sums[class].0 += weight * weight;
            sums[class].1 += 1;
        }
        let (mut mean, mut spread) = (0.0, sums[0].0);
        for &(squares, count) in &sums[1..] {
            if count == 1 {
                mean += squares.sqrt();
            } else {
                mean += 0.8 * squares.sqrt();
                spread += 0.36 * squares;
            }
        }
        if mean + 3.2 * spread.sqrt() > f64::from(best) {
            break;
        }
        leaf = tried;
    }
    leaf
}

/// A loop that continues the walk up to an index of the Gray code.
struct Blockwise<'a, E: Cell> {
    walker: &'a mut Walker,
    block: &'a mut Block<E>,
    until: u64,
}

impl<E: Cell> HotLoop for Blockwise<'_, E> {
    #[inline(always)]
    fn run(self) {
        match self.walker.radix {
            3 => self.walker.walk::<E, 8>(self.block, self.until),
            _ => self.walker.walk::<E, 64>(self.block, self.until),
        }
    }
}

impl Walker {
    /// Stores the best member of a leaf if it beats the best so far.
    fn look(&mut self, sums: &[i32], outer: u64, rest: u64) {
        for (class, &sum) in sums.iter().enumerate() {
            if sum > self.best {
                let choice = class as u64 | outer << self.leaf | rest << (self.leaf + self.touched.len() as u32);
                (self.best, self.choice) = (sum, Some(choice));
            }
        }
    }

    #[inline(always)]
    fn walk<E: Cell, const RADIX: usize>(&mut self, block: &mut Block<E>, until: u64) {
        let mut most = [[0; LANES]; RADIX];
        let mut sums = Vec::new();
        let chunks = block.chunks.clone();
        while self.next < until {
            let outer = self.next ^ self.next >> 1;
            if !self.ready {
                block.fill(&self.places, outer);
                self.ready = true;
            }
            for upper in 0..1 << self.upper {
                let rows = block.part(upper);
                bounds(rows, &chunks, &mut most);
                for (radix, row) in most.iter().enumerate() {
                    if row.iter().fold(i32::MIN, |most, &bound| most.max(bound)) >= self.best + self.rise {
                        for (lane, &bound) in row.iter().enumerate() {
                            if bound >= self.best + self.rise {
                                exact::<E, RADIX>(rows, radix, lane, &mut sums);
                                self.look(&sums, outer, ((upper * LANES + lane) * RADIX + radix) as u64);
                            }
                        }
                    }
                }
            }
            self.next += 1;
            let flip = self.next.trailing_zeros() as usize;
            if let Some(touched) = self.touched.get(flip) {
                let outer = outer ^ 1 << flip;
                for &at in touched {
                    let place = &self.places[at as usize];
                    let odd = (place.outer & outer).count_ones() & 1 == 1;
                    block.put(place, if odd { -2 * place.weight } else { 2 * place.weight });
                }
            }
        }
    }
}
