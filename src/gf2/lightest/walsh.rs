//! The exact walk through all members of a coset: a Walsh–Hadamard transform that stops early.
//!
//! The cost of the member `z` is `(T - S(z)) / 2`, where `S(z)` is the sum over the columns `v` of `±weight · (-1)^<z, v>`
//! and `T` the sum of the weights. `S` is the Walsh–Hadamard transform of the signed weights, so the work per member does not
//! depend on the number of columns. The bits of `z` are dealt out like this, from the lowest:
//!
//! * *leaf* bits: `2^leaf` classes of columns. For fixed other bits each class has one sum `x_c`, and `S` is at most
//!   `x_0 + Σ |x_c|`. If that does not beat the best known, all `2^leaf` members are decided at once: these levels of the
//!   transform are never computed. Otherwise they are, for this one lane.
//! * 3 *radix* bits: one butterfly of eight in registers.
//! * 6 *lane* bits: 64 independent lanes, so that every operation is on whole vectors.
//! * *outer* bits: a Gray code. A step changes only the columns that its word touches, so light words come first.
//!
//! Sums are kept in bytes where no class can reach 128, else in 16 or 32 bits. The loops are plain Rust over arrays of 64,
//! compiled three times for what the processor has; there are no intrinsics.

use super::code::{Code, bit};

const LANES: usize = 64;
const RADIX: usize = 8;
/// Members of a block are `2^(FIXED + leaf)`.
const FIXED: u32 = 9;
/// The most leaf bits.
const LEAF: u32 = 8;

/// One number of a row.
trait Cell: Copy + Default {
    type Sum: Copy + Default;
    /// The largest absolute value, and the largest sum of such.
    const MAX: u64;
    const SUM: u64;
    fn cut(value: i32) -> Self;
    fn wide(self) -> i32;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn grow(sum: Self::Sum, one: Self, two: Self) -> Self::Sum;
    fn widen(sum: Self::Sum) -> i32;
}

macro_rules! cell {
    ($cell:ty, $sum:ty) => {
        impl Cell for $cell {
            type Sum = $sum;
            const MAX: u64 = <$cell>::MAX as u64;
            const SUM: u64 = <$sum>::MAX as u64;
            #[inline(always)]
            fn cut(value: i32) -> Self {
                value as $cell
            }
            #[inline(always)]
            fn wide(self) -> i32 {
                self as i32
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn grow(sum: $sum, one: Self, two: Self) -> $sum {
                sum.wrapping_add(one.unsigned_abs()).wrapping_add(two.unsigned_abs())
            }
            #[inline(always)]
            fn widen(sum: $sum) -> i32 {
                sum as i32
            }
        }
    };
}
cell!(i8, u8);
cell!(i16, u16);
cell!(i32, u32);

type Row<E> = [E; LANES];

/// A column with its bits dealt out.
#[derive(Clone, Copy)]
struct Place {
    outer: u64,
    class: u32,
    radix: u8,
    lane: u8,
    /// The signed weight at `z = 0`.
    weight: i32,
}

/// The sums of one block: all members that share the outer bits.
#[derive(Clone)]
struct Block<E: Cell> {
    rows: Vec<[Row<E>; RADIX]>,
    /// Class 0 apart: its sum keeps its sign, and grows beyond the cells.
    zero: [Row<i32>; RADIX],
    /// `masks[v][l]` is -1 if `<v, l>` is odd, else 0.
    masks: Vec<Row<E>>,
    /// Classes between two of these can be summed up without overflow.
    chunks: Vec<usize>,
}

#[derive(Clone)]
enum Blocks {
    Bytes(Block<i8>),
    Words(Block<i16>),
    Longs(Block<i32>),
}

/// The walk. It needs at most 63 dimensions.
#[derive(Clone)]
pub(super) struct Walsh {
    places: Vec<Place>,
    /// The places that each outer bit touches.
    touched: Vec<Vec<u32>>,
    blocks: Blocks,
    leaf: u32,
    /// The Gray-code indices still to do.
    next: u64,
    end: u64,
    /// Whether the block holds the sums of `next`.
    ready: bool,
    /// The largest `S` so far, by how much the next larger one exceeds it at least, and where it is.
    best: i32,
    rise: i32,
    choice: Option<u64>,
    total: u64,
    speed: Speed,
}

/// What the processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speed {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Speed {
    /// From the slowest to the fastest.
    pub(super) fn all() -> Vec<Speed> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut all = vec![Speed::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                all.push(Speed::Avx2);
                if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl") {
                    all.push(Speed::Avx512);
                }
            }
        }
        all
    }

    fn best() -> Speed {
        *Speed::all().last().expect("at least the plain one")
    }
}

impl Walsh {
    /// The walk over all members `start + Σ z_j words[j]`, looking for one that costs less than `cost`. The words are those of
    /// `code` in any independent choice: the first ones become leaf bits, the next outer bits, so light words should come first.
    /// All costs are the same modulo `modulus`.
    pub(super) fn new(code: &Code, words: &[Vec<u64>], cost: u64, modulus: u64) -> Walsh {
        let dims = words.len() as u32;
        assert!(dims < 64, "too many dimensions for one walk");
        let total = code.total();
        let best = total as i32 - 2 * cost as i32;
        let leaf = leaf_bits(code, words, best);
        let outer = dims.saturating_sub(FIXED + leaf);
        let deal = |at: usize| {
            let column = words.iter().rev().fold(0u64, |v, word| v << 1 | u64::from(bit(word, at)));
            let fixed = column >> (leaf + outer);
            let weight = code.weights[at] as i32;
            Place {
                class: (column & ((1 << leaf) - 1)) as u32,
                outer: column >> leaf & ((1 << outer) - 1),
                radix: (fixed % RADIX as u64) as u8,
                lane: (fixed / RADIX as u64) as u8,
                weight: if bit(&code.start, at) { -weight } else { weight },
            }
        };
        let places: Vec<Place> = (0..code.columns()).map(deal).collect();
        let touches = |j: u32| (0..places.len() as u32).filter(|&at| places[at as usize].outer >> j & 1 == 1).collect();
        let touched = (0..outer).map(touches).collect();
        let mut sums = vec![0u64; 1 << leaf];
        for place in places.iter().filter(|place| place.class != 0) {
            sums[place.class as usize] += u64::from(place.weight.unsigned_abs());
        }
        let largest = sums.iter().copied().max().unwrap_or(0);
        let blocks = if largest <= <i8 as Cell>::MAX {
            Blocks::Bytes(Block::new(&sums))
        } else if largest <= <i16 as Cell>::MAX {
            Blocks::Words(Block::new(&sums))
        } else {
            Blocks::Longs(Block::new(&sums))
        };
        let (rise, end, speed) = (2 * modulus as i32, 1 << outer, Speed::best());
        Walsh { places, touched, blocks, leaf, next: 0, end, ready: false, best, rise, choice: None, total, speed }
    }

    #[cfg(test)]
    pub(super) fn with_speed(mut self, speed: Speed) -> Walsh {
        self.speed = speed;
        self
    }

    /// Blocks left to do.
    pub(super) fn left(&self) -> u64 {
        self.end - self.next
    }

    /// The work of one block, in units of 2^16 members.
    pub(super) fn block_work(&self) -> u64 {
        (1 << (FIXED + self.leaf) >> 16).max(1)
    }

    /// The best member found since the last call, as a choice of words, if it beats what was known.
    pub(super) fn take(&mut self) -> Option<u64> {
        self.choice.take()
    }

    /// The bytes that a walk holds at most.
    pub(super) fn most_bytes(columns: usize, dims: usize) -> usize {
        let block = (1 << LEAF) * size_of::<[Row<i32>; RADIX]>() + LANES * size_of::<Row<i32>>() + size_of::<Walsh>();
        block + columns * (size_of::<Place>() + 4 * dims)
    }

    /// Tells the walk of a better member found elsewhere.
    pub(super) fn beat(&mut self, cost: u64) {
        self.best = self.best.max(self.total as i32 - 2 * cost as i32);
    }

    /// Cuts off the later part of what is left: the walk itself keeps the first `keep` blocks.
    pub(super) fn split_off(&mut self, keep: u64) -> Walsh {
        let mut rest = self.clone();
        let cut = self.next + keep.min(self.left());
        (self.end, rest.next) = (cut, cut);
        (rest.ready, rest.choice) = (false, None);
        rest
    }

    /// Walks through so many blocks.
    pub(super) fn run(&mut self, blocks: u64) {
        let until = self.next + blocks.min(self.left());
        let mut walker = Walker {
            places: &self.places,
            touched: &self.touched,
            leaf: self.leaf,
            next: self.next,
            until,
            ready: self.ready,
            best: self.best,
            rise: self.rise,
            choice: self.choice,
        };
        match &mut self.blocks {
            Blocks::Bytes(block) => walker.dispatch(block, self.speed),
            Blocks::Words(block) => walker.dispatch(block, self.speed),
            Blocks::Longs(block) => walker.dispatch(block, self.speed),
        }
        (self.best, self.choice, self.next, self.ready) = (walker.best, walker.choice, until, walker.ready);
    }
}

/// How many leaf bits are worth it: as many as leave a block a chance below about one in a thousand to be looked at closely,
/// judged by mean and spread of the bound for random signs.
fn leaf_bits(code: &Code, words: &[Vec<u64>], best: i32) -> u32 {
    let most = (words.len() as u32).saturating_sub(FIXED).min(LEAF);
    // For each class: the squares, the number of columns.
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

impl<E: Cell> Block<E> {
    fn new(sums: &[u64]) -> Block<E> {
        let masks = (0..LANES).map(|v| std::array::from_fn(|l| E::cut(-((v & l).count_ones() as i32 & 1)))).collect();
        let mut chunks = vec![0];
        let mut sum = 0;
        // Classes are summed up two at a time; a leaf of one class has no rows at all.
        for (at, pair) in sums.chunks_exact(2).enumerate() {
            let both = pair[0] + pair[1];
            if sum + both > E::SUM {
                chunks.push(2 * at);
                sum = 0;
            }
            sum += both;
        }
        chunks.push(if sums.len() == 1 { 0 } else { sums.len() });
        let rows = vec![[[E::default(); LANES]; RADIX]; sums.len()];
        Block { rows, zero: [[0; LANES]; RADIX], masks, chunks }
    }

    /// Adds `weight` times the sign pattern of a place to its row.
    #[inline(always)]
    fn put(&mut self, place: &Place, weight: i32) {
        let mask = &self.masks[place.lane as usize % LANES];
        let radix = place.radix as usize % RADIX;
        if place.class == 0 {
            for (sum, mask) in self.zero[radix].iter_mut().zip(mask) {
                *sum += (weight ^ mask.wide()) - mask.wide();
            }
        } else {
            let weight = E::cut(weight);
            for (sum, &mask) in self.rows[place.class as usize][radix].iter_mut().zip(mask) {
                *sum = sum.add(weight.xor(mask).sub(mask));
            }
        }
    }

    /// The sums for one choice of outer bits, from nothing.
    fn fill(&mut self, places: &[Place], outer: u64) {
        self.rows.fill([[E::default(); LANES]; RADIX]);
        self.zero = [[0; LANES]; RADIX];
        for place in places {
            let odd = (place.outer & outer).count_ones() & 1 == 1;
            self.put(place, if odd { -place.weight } else { place.weight });
        }
    }

    /// For each radix and lane a value that no member there exceeds.
    #[inline(always)]
    fn bounds(&self, bounds: &mut [Row<i32>; RADIX]) {
        *bounds = self.zero;
        for lane in 0..LANES {
            let eight = butterfly(std::array::from_fn(|j| bounds[j][lane]));
            for (bound, sum) in bounds.iter_mut().zip(eight) {
                bound[lane] = sum;
            }
        }
        for chunk in self.chunks.windows(2) {
            let mut sums = [[E::Sum::default(); LANES]; RADIX];
            for pair in self.rows[chunk[0]..chunk[1]].chunks_exact(2) {
                let (one, two) = (&pair[0], &pair[1]);
                for lane in 0..LANES {
                    let a = butterfly(std::array::from_fn(|j| one[j][lane]));
                    let b = butterfly(std::array::from_fn(|j| two[j][lane]));
                    for k in 0..RADIX {
                        sums[k][lane] = E::grow(sums[k][lane], a[k], b[k]);
                    }
                }
            }
            for (bound, sum) in bounds.iter_mut().zip(&sums) {
                for (bound, &sum) in bound.iter_mut().zip(sum) {
                    *bound += E::widen(sum);
                }
            }
        }
    }

    /// `S` of all members of one radix and lane.
    #[inline(always)]
    fn exact(&self, radix: usize, lane: usize, out: &mut Vec<i32>) {
        let signed = |j: usize, sum: i32| if (j & radix).count_ones() & 1 == 1 { -sum } else { sum };
        out.clear();
        out.extend(self.rows.iter().map(|row| (0..RADIX).map(|j| signed(j, row[j][lane].wide())).sum::<i32>()));
        out[0] = (0..RADIX).map(|j| signed(j, self.zero[j][lane])).sum();
        let mut half = 1;
        while half < out.len() {
            for pair in out.chunks_exact_mut(2 * half) {
                let (low, high) = pair.split_at_mut(half);
                for (a, b) in low.iter_mut().zip(high) {
                    (*a, *b) = (*a + *b, *a - *b);
                }
            }
            half *= 2;
        }
    }
}

/// The Walsh–Hadamard transform of eight.
#[inline(always)]
fn butterfly<E: Cell>(x: [E; RADIX]) -> [E; RADIX] {
    let [a, b, c, d, e, f, g, h] = x;
    let (a, b, c, d) = (a.add(b), a.sub(b), c.add(d), c.sub(d));
    let (e, f, g, h) = (e.add(f), e.sub(f), g.add(h), g.sub(h));
    let (a, b, c, d) = (a.add(c), b.add(d), a.sub(c), b.sub(d));
    let (e, f, g, h) = (e.add(g), f.add(h), e.sub(g), f.sub(h));
    [a.add(e), b.add(f), c.add(g), d.add(h), a.sub(e), b.sub(f), c.sub(g), d.sub(h)]
}

/// A walk under way, with its block taken out.
struct Walker<'a> {
    places: &'a [Place],
    touched: &'a [Vec<u32>],
    leaf: u32,
    next: u64,
    until: u64,
    ready: bool,
    best: i32,
    rise: i32,
    choice: Option<u64>,
}

impl Walker<'_> {
    fn dispatch<E: Cell>(&mut self, block: &mut Block<E>, speed: Speed) {
        match speed {
            Speed::Plain => self.walk(block),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this value is made only where the processor has AVX2.
            #[allow(unsafe_code)]
            Speed::Avx2 => unsafe { self.walk_avx2(block) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this value is made only where the processor has AVX-512 BW and VL.
            #[allow(unsafe_code)]
            Speed::Avx512 => unsafe { self.walk_avx512(block) },
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn walk_avx2<E: Cell>(&mut self, block: &mut Block<E>) {
        self.walk(block);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl,popcnt")]
    fn walk_avx512<E: Cell>(&mut self, block: &mut Block<E>) {
        self.walk(block);
    }

    #[inline(always)]
    fn walk<E: Cell>(&mut self, block: &mut Block<E>) {
        let mut bounds = [[0; LANES]; RADIX];
        let mut exact = Vec::new();
        while self.next < self.until {
            let outer = self.next ^ self.next >> 1;
            if !self.ready {
                block.fill(self.places, outer);
                self.ready = true;
            }
            block.bounds(&mut bounds);
            for (radix, row) in bounds.iter().enumerate() {
                if row.iter().fold(i32::MIN, |most, &bound| most.max(bound)) < self.best + self.rise {
                    continue;
                }
                for (lane, &bound) in row.iter().enumerate() {
                    if bound >= self.best + self.rise {
                        block.exact(radix, lane, &mut exact);
                        let (class, &sum) = exact.iter().enumerate().max_by_key(|&(at, &sum)| (sum, usize::MAX - at)).expect("one");
                        if sum > self.best {
                            let fixed = (lane * RADIX + radix) as u64;
                            let choice = class as u64 | outer << self.leaf | fixed << (self.leaf + self.touched.len() as u32);
                            (self.best, self.choice) = (sum, Some(choice));
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
