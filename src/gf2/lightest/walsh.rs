//! The exact walk through all members of a coset: a Walsh–Hadamard transform that stops early.
//!
//! The cost of the member `z` is `(T - S(z)) / 2`, where `S(z)` is the sum over the columns `v` of `±weight · (-1)^<z, v>`
//! and `T` the sum of the weights. `S` is the Walsh–Hadamard transform of the signed weights, so the work per member does not
//! depend on the number of columns. The bits of `z` are dealt out like this, from the lowest:
//!
//! * *leaf* bits: `2^leaf` classes of columns. For fixed other bits each class has one sum `x_c`, and `S` is at most
//!   `x_0 + Σ |x_c|`. If that does not beat the best known, all `2^leaf` members are decided at once: these levels of the
//!   transform are never computed. Otherwise they are, for this one lane.
//! * 3 or 6 *radix* bits: butterflies of eight in registers, the last of which ends in the sum of absolute values.
//! * 6 *lane* bits: 64 independent lanes, so that every operation is on whole vectors.
//! * *outer* bits: a Gray code. A step changes only the columns that its word touches, so light words come first.
//! * 3 *upper* bits or none: butterflies of eight from memory to memory.
//!
//! Radix and upper bits are as many as give about as many rows as columns: then the steps of the Gray code do not cost more
//! than the transform.
//!
//! Sums are kept in bytes where no class can reach 128, else in 16 or 32 bits. The loops are plain Rust over arrays of 64,
//! compiled three times for what the processor has; there are no intrinsics.

use super::code::{Code, bit};

const LANES: usize = 64;
/// Rows in a butterfly.
const EIGHT: usize = 8;
/// The bits of the lane and of one butterfly.
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
    /// Adds an absolute value.
    fn grow(sum: Self::Sum, value: Self) -> Self::Sum;
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
            fn grow(sum: $sum, value: Self) -> $sum {
                sum.wrapping_add(value.unsigned_abs())
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
    /// The upper bits, the class and the radix bits.
    row: u32,
    lane: u8,
    /// The signed weight at `z = 0`.
    weight: i32,
}

/// The sums of one block: all members that share the outer bits.
#[derive(Clone)]
struct Block<E: Cell> {
    /// For each value of the upper bits all classes, and for each of these all values of the radix bits.
    rows: Vec<Row<E>>,
    /// The rows after the upper bits; empty if there are none.
    spread: Vec<Row<E>>,
    /// `masks[v][l]` is -1 if `<v, l>` is odd, else 0.
    masks: Vec<Row<E>>,
    /// Classes between two of these can be summed up without overflow; class 0 is none of them.
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
    radix: u32,
    upper: u32,
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
                if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl") {
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
        // What a row can come to: a class as a whole, but class 0 only up to the last butterfly, which is wide for it.
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
        let (rise, end, speed) = (2 * modulus as i32, 1 << outer, Speed::best());
        Walsh { places, touched, blocks, leaf, radix, upper, next: 0, end, ready: false, best, rise, choice: None, total, speed }
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
        (1 << (6 + self.leaf + self.radix + self.upper) >> 16).max(1)
    }

    /// The best member found since the last call, as a choice of words, if it beats what was known.
    pub(super) fn take(&mut self) -> Option<u64> {
        self.choice.take()
    }

    /// The bytes that a walk holds at most.
    pub(super) fn most_bytes(columns: usize, dims: usize) -> usize {
        let rows = (2 * columns).max(EIGHT << LEAF);
        let block = 2 * rows * size_of::<Row<i32>>() + LANES * size_of::<Row<i32>>() + size_of::<Walsh>();
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
            radix: self.radix,
            upper: self.upper,
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
    fn new(sums: &[u64], radix: u32, upper: u32) -> Block<E> {
        let masks = (0..LANES).map(|v| std::array::from_fn(|l| E::cut(-((v & l).count_ones() as i32 & 1)))).collect();
        let mut chunks = vec![1];
        let mut sum = 0;
        for (class, &most) in sums.iter().enumerate().skip(1) {
            if sum + most > E::SUM {
                chunks.push(class);
                sum = 0;
            }
            sum += most;
        }
        chunks.push(sums.len());
        let rows = vec![[E::default(); LANES]; sums.len() << (radix + upper)];
        let spread = if upper > 0 { rows.clone() } else { Vec::new() };
        Block { rows, spread, masks, chunks }
    }

    /// Adds `weight` times the sign pattern of a place to its row.
    #[inline(always)]
    fn put(&mut self, place: &Place, weight: i32) {
        let mask = &self.masks[place.lane as usize % LANES];
        let weight = E::cut(weight);
        for (sum, &mask) in self.rows[place.row as usize].iter_mut().zip(mask) {
            *sum = sum.add(weight.xor(mask).sub(mask));
        }
    }

    /// The sums for one choice of outer bits, from nothing.
    #[inline(always)]
    fn fill(&mut self, places: &[Place], outer: u64) {
        self.rows.fill([E::default(); LANES]);
        for place in places {
            let odd = (place.outer & outer).count_ones() & 1 == 1;
            self.put(place, if odd { -place.weight } else { place.weight });
        }
    }

    /// The rows of all classes for one value of the upper bits; these must come in order.
    #[inline(always)]
    fn part(&mut self, upper: usize) -> &[Row<E>] {
        if self.spread.is_empty() {
            return &self.rows;
        }
        if upper == 0 {
            transform(&self.rows, &mut self.spread);
        }
        let part = self.spread.len() / EIGHT;
        &self.spread[upper * part..][..part]
    }
}

/// Butterflies between the eighths of the rows.
#[inline(always)]
fn transform<E: Cell>(rows: &[Row<E>], out: &mut [Row<E>]) {
    let eighth = rows.len() / EIGHT;
    let mut parts = out.chunks_exact_mut(eighth);
    let mut parts: [&mut [Row<E>]; EIGHT] = std::array::from_fn(|_| parts.next().expect("eight"));
    for at in 0..eighth {
        let from: [&Row<E>; EIGHT] = std::array::from_fn(|j| &rows[j * eighth + at]);
        let to = parts.each_mut().map(|part| &mut part[at]);
        for lane in 0..LANES {
            let eight = butterfly(std::array::from_fn(|j| from[j][lane]));
            for k in 0..EIGHT {
                to[k][lane] = eight[k];
            }
        }
    }
}

/// For each value of the radix bits and each lane a value that no member there exceeds.
#[inline(always)]
fn bounds<E: Cell, const RADIX: usize>(rows: &[Row<E>], chunks: &[usize], bounds: &mut [Row<i32>; RADIX]) {
    // All but the last butterfly of a class.
    let mut room = [[[E::default(); LANES]; RADIX]; 2];
    let (rows, _) = rows.as_chunks::<RADIX>();
    let zero = ready(&rows[0], &mut room[0]);
    for (eight, bounds) in zero.as_chunks::<EIGHT>().0.iter().zip(bounds.as_chunks_mut::<EIGHT>().0) {
        for lane in 0..LANES {
            let eight = butterfly(std::array::from_fn(|j| eight[j][lane].wide()));
            for k in 0..EIGHT {
                bounds[k][lane] = eight[k];
            }
        }
    }
    for chunk in chunks.windows(2) {
        let mut sums = [[E::Sum::default(); LANES]; RADIX];
        let (pairs, rest) = rows[chunk[0]..chunk[1]].as_chunks::<2>();
        for [one, two] in pairs {
            let [room, other] = &mut room;
            let (one, two) = (ready(one, room).as_chunks().0, ready(two, other).as_chunks().0);
            for (sums, (one, two)) in sums.as_chunks_mut().0.iter_mut().zip(one.iter().zip(two)) {
                fold(one, two, sums);
            }
        }
        for one in rest {
            for (sums, one) in sums.as_chunks_mut().0.iter_mut().zip(ready(one, &mut room[0]).as_chunks().0) {
                fold(one, &[[E::default(); LANES]; EIGHT], sums);
            }
        }
        for (bound, sum) in bounds.iter_mut().zip(&sums) {
            for (bound, &sum) in bound.iter_mut().zip(sum) {
                *bound += E::widen(sum);
            }
        }
    }
}

/// The rows of a class before their last butterfly.
#[inline(always)]
fn ready<'a, E: Cell, const RADIX: usize>(rows: &'a [Row<E>; RADIX], room: &'a mut [Row<E>; RADIX]) -> &'a [Row<E>; RADIX] {
    if RADIX == EIGHT {
        return rows;
    }
    transform(rows, room);
    room
}

/// The last butterfly of two classes, and their absolute values.
#[inline(always)]
fn fold<E: Cell>(one: &[Row<E>; EIGHT], two: &[Row<E>; EIGHT], sums: &mut [Row<E::Sum>; EIGHT]) {
    for lane in 0..LANES {
        let a = butterfly(std::array::from_fn(|j| one[j][lane]));
        let b = butterfly(std::array::from_fn(|j| two[j][lane]));
        for k in 0..EIGHT {
            sums[k][lane] = E::grow(E::grow(sums[k][lane], a[k]), b[k]);
        }
    }
}

/// `S` of all members of one radix and lane.
#[inline(always)]
fn exact<E: Cell, const RADIX: usize>(rows: &[Row<E>], radix: usize, lane: usize, out: &mut Vec<i32>) {
    let signed = |j: usize, sum: i32| if (j & radix).count_ones() & 1 == 1 { -sum } else { sum };
    out.clear();
    out.extend(rows.chunks_exact(RADIX).map(|rows| (0..RADIX).map(|j| signed(j, rows[j][lane].wide())).sum::<i32>()));
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

/// The Walsh–Hadamard transform of eight.
#[inline(always)]
fn butterfly<E: Cell>(x: [E; EIGHT]) -> [E; EIGHT] {
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
    radix: u32,
    upper: u32,
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
            Speed::Plain => self.choose(block),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this value is made only where the processor has AVX2 and popcnt.
            #[allow(unsafe_code)]
            Speed::Avx2 => unsafe { self.choose_avx2(block) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this value is made only where the processor has AVX2, popcnt and AVX-512 F, BW and VL.
            #[allow(unsafe_code)]
            Speed::Avx512 => unsafe { self.choose_avx512(block) },
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn choose_avx2<E: Cell>(&mut self, block: &mut Block<E>) {
        self.choose(block);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl,popcnt")]
    fn choose_avx512<E: Cell>(&mut self, block: &mut Block<E>) {
        self.choose(block);
    }

    #[inline(always)]
    fn choose<E: Cell>(&mut self, block: &mut Block<E>) {
        match self.radix {
            3 => self.walk::<E, 8>(block),
            _ => self.walk::<E, 64>(block),
        }
    }

    /// Takes the best of a leaf if it is better.
    fn look(&mut self, sums: &[i32], outer: u64, rest: u64) {
        let (class, &sum) = sums.iter().enumerate().max_by_key(|&(class, &sum)| (sum, usize::MAX - class)).expect("one");
        if sum > self.best {
            let choice = class as u64 | outer << self.leaf | rest << (self.leaf + self.touched.len() as u32);
            (self.best, self.choice) = (sum, Some(choice));
        }
    }

    #[inline(always)]
    fn walk<E: Cell, const RADIX: usize>(&mut self, block: &mut Block<E>) {
        let mut most = [[0; LANES]; RADIX];
        let mut sums = Vec::new();
        let chunks = block.chunks.clone();
        while self.next < self.until {
            let outer = self.next ^ self.next >> 1;
            if !self.ready {
                block.fill(self.places, outer);
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
