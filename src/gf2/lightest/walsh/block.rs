//! The inner loops of the walk: sums of signed weights, 64 lanes at a time, and the butterflies between them.
//!
//! The loops are generic over the type of the sums, and the walk compiles them for several instruction sets, so all of them are
//! inlined.

pub const LANES: usize = 64;
/// Number of rows in a butterfly.
pub const EIGHT: usize = 8;

/// A number in a row: `i8`, `i16` or `i32`.
pub trait Cell: Copy + Default {
    type Sum: Copy + Default;
    /// The largest absolute value.
    const MAX: u64;
    /// The largest sum of absolute values.
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

pub type Row<E> = [E; LANES];

/// The place of a column in the sums: the bits of its `v`, divided into groups.
#[derive(Clone, Copy)]
pub struct Place {
    pub outer: u64,
    /// The upper bits, the class and the radix bits.
    pub row: u32,
    pub lane: u8,
    /// The signed weight at `z = 0`.
    pub weight: i32,
}

/// The sums of one block: all members that share the outer bits.
#[derive(Clone)]
pub struct Block<E: Cell> {
    /// Indexed by the upper bits, then the class, then the radix bits.
    rows: Vec<Row<E>>,
    /// The rows after the butterflies of the upper bits; empty if there are no upper bits.
    spread: Vec<Row<E>>,
    /// `masks[v][l]` is -1 if `<v, l>` is odd, else 0.
    masks: Vec<Row<E>>,
    /// Boundaries of runs of classes that can be summed without overflow. Class 0 is not included.
    pub chunks: Vec<usize>,
}

impl<E: Cell> Block<E> {
    pub fn new(sums: &[u64], radix: u32, upper: u32) -> Block<E> {
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

    /// Adds `weight` times a column's sign pattern to the column's row.
    #[inline(always)]
    pub fn put(&mut self, place: &Place, weight: i32) {
        let mask = &self.masks[place.lane as usize % LANES];
        let weight = E::cut(weight);
        let row = &mut self.rows[place.row as usize];
        for lane in 0..LANES {
            row[lane] = row[lane].add(weight.xor(mask[lane]).sub(mask[lane]));
        }
    }

    /// Computes the sums for one choice of outer bits from scratch.
    #[inline(always)]
    pub fn fill(&mut self, places: &[Place], outer: u64) {
        self.rows.fill([E::default(); LANES]);
        for place in places {
            let odd = (place.outer & outer).count_ones() & 1 == 1;
            self.put(place, if odd { -place.weight } else { place.weight });
        }
    }

    /// The rows of all classes for one value of the upper bits. Calls must be in ascending order of `upper`.
    #[inline(always)]
    pub fn part(&mut self, upper: usize) -> &[Row<E>] {
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

/// Applies `of` to each of eight rows. It is spelled out because `map` and `from_fn` of arrays are slow when they are not inlined.
#[inline(always)]
fn column<R, T>(rows: &[R], of: impl Fn(&R) -> T) -> [T; EIGHT] {
    let [a, b, c, d, e, f, g, h] = rows else { unreachable!("there are eight") };
    [of(a), of(b), of(c), of(d), of(e), of(f), of(g), of(h)]
}

/// Butterflies between the eighths of the rows.
#[inline(always)]
fn transform<E: Cell>(rows: &[Row<E>], out: &mut [Row<E>]) {
    let eighth = rows.len() / EIGHT;
    let from = column(&[0, 1, 2, 3, 4, 5, 6, 7], |&j: &usize| &rows[j * eighth..][..eighth]);
    let mut parts = out.chunks_exact_mut(eighth);
    let mut next = || parts.next().expect("eight");
    let [a, b, c, d, e, f, g, h] = [next(), next(), next(), next(), next(), next(), next(), next()];
    for at in 0..eighth {
        let from = column(&from, |part| &part[at]);
        let to = [&mut a[at], &mut b[at], &mut c[at], &mut d[at], &mut e[at], &mut f[at], &mut g[at], &mut h[at]];
        for lane in 0..LANES {
            let eight = butterfly(column(&from, |row| row[lane]));
            for k in 0..EIGHT {
                to[k][lane] = eight[k];
            }
        }
    }
}

/// For each value of the radix bits and each lane, an upper bound on the `S` of all members with these radix bits and this lane.
#[inline(always)]
pub fn bounds<E: Cell, const RADIX: usize>(rows: &[Row<E>], chunks: &[usize], bounds: &mut [Row<i32>; RADIX]) {
    // Buffers for a class's rows after all butterflies but the last.
    let mut room = [[[E::default(); LANES]; RADIX]; 2];
    let (rows, _) = rows.as_chunks::<RADIX>();
    let zero = ready(&rows[0], &mut room[0]);
    for first in (0..RADIX).step_by(EIGHT) {
        for lane in 0..LANES {
            let eight = butterfly(column(&zero[first..first + EIGHT], |row| row[lane].wide()));
            for k in 0..EIGHT {
                bounds[first + k][lane] = eight[k];
            }
        }
    }
    for chunk in chunks.windows(2) {
        let mut sums = [[E::Sum::default(); LANES]; RADIX];
        let (pairs, rest) = rows[chunk[0]..chunk[1]].as_chunks::<2>();
        for [one, two] in pairs {
            let [room, other] = &mut room;
            let (one, two) = (ready(one, room).as_chunks().0, ready(two, other).as_chunks().0);
            for at in 0..RADIX / EIGHT {
                fold(&one[at], &two[at], &mut sums.as_chunks_mut().0[at]);
            }
        }
        for one in rest {
            let one = ready(one, &mut room[0]).as_chunks().0;
            for (at, one) in one.iter().enumerate() {
                fold(one, &[[E::default(); LANES]; EIGHT], &mut sums.as_chunks_mut().0[at]);
            }
        }
        for radix in 0..RADIX {
            for lane in 0..LANES {
                bounds[radix][lane] += E::widen(sums[radix][lane]);
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

/// Applies the last butterfly to two classes and adds up the absolute values.
#[inline(always)]
fn fold<E: Cell>(one: &[Row<E>; EIGHT], two: &[Row<E>; EIGHT], sums: &mut [Row<E::Sum>; EIGHT]) {
    for lane in 0..LANES {
        let a = butterfly(column(one, |row| row[lane]));
        let b = butterfly(column(two, |row| row[lane]));
        for k in 0..EIGHT {
            sums[k][lane] = E::grow(E::grow(sums[k][lane], a[k]), b[k]);
        }
    }
}

/// The `S` of all members with the given radix bits and lane.
#[inline(always)]
pub fn exact<E: Cell, const RADIX: usize>(rows: &[Row<E>], radix: usize, lane: usize, out: &mut Vec<i32>) {
    let signed = |j: usize, sum: i32| if (j & radix).count_ones() & 1 == 1 { -sum } else { sum };
    out.clear();
    // Plain loops, because `map` and `zip` are slow when they are not inlined.
    for class in rows.as_chunks::<RADIX>().0 {
        let mut sum = 0;
        for (j, row) in class.iter().enumerate() {
            sum += signed(j, row[lane].wide());
        }
        out.push(sum);
    }
    let mut half = 1;
    while half < out.len() {
        for pair in out.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for at in 0..half {
                (low[at], high[at]) = (low[at] + high[at], low[at] - high[at]);
            }
        }
        half *= 2;
    }
}

/// The Walsh–Hadamard transform of eight values.
#[inline(always)]
pub fn butterfly<E: Cell>(x: [E; EIGHT]) -> [E; EIGHT] {
    let [a, b, c, d, e, f, g, h] = x;
    let (a, b, c, d) = (a.add(b), a.sub(b), c.add(d), c.sub(d));
    let (e, f, g, h) = (e.add(f), e.sub(f), g.add(h), g.sub(h));
    let (a, b, c, d) = (a.add(c), b.add(d), a.sub(c), b.sub(d));
    let (e, f, g, h) = (e.add(g), f.add(h), e.sub(g), f.sub(h));
    [a.add(e), b.add(f), c.add(g), d.add(h), a.sub(e), b.sub(f), c.sub(g), d.sub(h)]
}
