//! The cost of every index of a class, one block at a time: a Walsh–Hadamard transform that never stores its whole result.
//!
//! The cost of an index `u` is `(T - S(u)) / 2`, as in `walsh.rs`. The high bits of `u` are constant within a block and affect
//! only the signs of the weights. Six of the low bits select a lane; their levels of the transform are computed as the columns are
//! added. The levels of the other low bits are butterflies of eight between rows of 64 lanes. So a table of any size is processed in
//! half a megabyte.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI16, AtomicU64, Ordering};

use crate::gf2::lightest::walsh::block::{LANES, butterfly};
use crate::gf2::speed::{HotLoop, Speed};
use crate::limits::{Limit, Limits};

type Row = [i16; LANES];
/// The number of low bits of an index. A block takes 2^19 bytes, which fits in the second-level cache of most processors.
pub const LOW: u32 = 18;
/// Number of rows to transform completely before moving on to the next rows.
const NEAR: usize = 512;
/// Number of entries that a thread collects before it adds them to the shared list.
const FLUSH: usize = 1 << 14;
/// Maximum number of entries in memory, as a multiple of the number kept.
const CROWDED: usize = 3;
/// Number of bits for the index in an entry of a tail.
pub const INDEX: u32 = 48;

/// The largest allowed sum of weights.
pub const MOST: u64 = i16::MAX as u64;

struct Place {
    row: u32,
    lane: u8,
    high: u64,
    weight: i16,
}

/// The costs of all indices of a class.
pub struct CostTable {
    places: Vec<Place>,
    pub rank: u32,
    pub low: u32,
    total: i32,
    speed: Speed,
}

/// The sums of all indices that share their high bits.
pub struct TableBlock {
    rows: Vec<Row>,
    /// `masks[v][l]` is -1 if `<v, l>` is odd, else 0.
    masks: Vec<Row>,
}

/// The indices of least cost.
pub struct Tail {
    /// The largest sum of any index.
    pub peak: i32,
    /// Sorted entries. Each is the excess of an index, shifted left by `INDEX` bits, plus the index.
    pub entries: Vec<u64>,
    /// The largest excess up to which all indices are listed; `None` if there are too many indices of least cost.
    pub whole: Option<u32>,
}

impl Tail {
    /// The number of indices with each excess.
    pub fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.entries.last().map_or(0, |entry| (entry >> INDEX) as usize + 1)];
        self.entries.iter().for_each(|entry| counts[(entry >> INDEX) as usize] += 1);
        counts
    }
}

/// The level of a sum. Larger sums have lower levels.
fn level(sum: i16) -> u64 {
    u64::from((i16::MAX as u16).wrapping_sub(sum as u16))
}

/// Keeps the best entries, at most `most` of them, without splitting a level. Returns the least sum that is kept.
fn cut(entries: &mut Vec<u64>, most: usize) -> i16 {
    let (_, &mut first_out, _) = entries.select_nth_unstable(most);
    entries.retain(|entry| entry >> INDEX < first_out >> INDEX);
    (i32::from(i16::MAX) - (first_out >> INDEX) as i32).saturating_add(1) as i16
}

impl CostTable {
    /// Each column is given by the bits of the index that flip it and by its weight, which is negative if the column starts on its
    /// expensive side.
    pub fn new(columns: impl Iterator<Item = (u64, i32)>, rank: u32, low: u32, speed: Speed) -> CostTable {
        let low = low.min(rank);
        let place = |(bits, weight): (u64, i32)| {
            let inside = bits & ((1 << low) - 1);
            Place { row: (inside >> 6) as u32, lane: inside as u8 % 64, high: bits >> low, weight: weight as i16 }
        };
        let places: Vec<Place> = columns.map(place).collect();
        let total = places.iter().map(|place| i32::from(place.weight).abs()).sum();
        CostTable { places, rank, low, total, speed }
    }

    pub fn blocks(&self) -> u64 {
        1 << (self.rank - self.low)
    }

    pub fn block(&self) -> TableBlock {
        let masks = (0..LANES).map(|v| std::array::from_fn(|l| -((v & l).count_ones() as i16 & 1))).collect();
        TableBlock { rows: vec![[0; LANES]; 1 << self.low.saturating_sub(6)], masks }
    }

    pub fn block_bytes(&self) -> usize {
        (LANES + (1 << self.low.saturating_sub(6))) * size_of::<Row>()
    }

    /// The cost of an index with this sum.
    pub fn cost(&self, sum: i32) -> u64 {
        ((self.total - sum) / 2) as u64
    }

    /// The sums of all indices with these high bits, in increasing order of the index.
    pub fn sums<'a>(&self, high: u64, block: &'a mut TableBlock) -> &'a [i16] {
        self.speed.run(Transform { table: self, high, block, seen: None });
        &block.rows.as_flattened()[..1 << self.low]
    }

    /// The indices of least cost: all indices up to some excess, and at most `most` in total. `report` is called with the number of
    /// indices processed since the last call. The result does not depend on the number of threads.
    pub fn tail(&self, most: usize, limits: &Limits, report: &(dyn Fn(u64) + Sync)) -> Result<Tail, Limit> {
        let most = most.min(1 << self.rank.min(40));
        let mine = self.block_bytes() + 8 * (FLUSH + (1 << self.low));
        limits.room(most.saturating_mul(8 * CROWDED).saturating_add(mine * limits.threads()))?;
        let next = AtomicU64::new(0);
        // The least sum that may still be among the best `most` sums.
        let floor = AtomicI16::new(i16::MIN);
        let found = Mutex::new((u64::MAX, Vec::<u64>::new()));
        let gather = |mine: &mut Vec<u64>| {
            let (best, entries) = &mut *found.lock().expect("no thread panics while it holds the lock");
            *best = mine.iter().copied().fold(*best, u64::min);
            // The floor may have risen in the meantime.
            let least = level(floor.load(Ordering::Relaxed));
            mine.retain(|entry| entry >> INDEX <= least);
            if entries.len() + mine.len() > entries.capacity() {
                // Doubling would exceed the memory reserved above.
                entries.reserve_exact((entries.len() / 2).max(mine.len()).max(1 << 16));
            }
            entries.append(mine);
            if entries.len() > most.saturating_mul(CROWDED) - most {
                floor.store(cut(entries, most), Ordering::Relaxed);
            }
        };
        limits.together(&|| {
            let mut block = self.block();
            let (mut mine, mut seen) = (Vec::new(), Vec::new());
            loop {
                let high = next.fetch_add(1, Ordering::Relaxed);
                if high >= self.blocks() || limits.check().is_err() {
                    break;
                }
                let floor = floor.load(Ordering::Relaxed);
                seen.clear();
                self.speed.run(Transform { table: self, high, block: &mut block, seen: Some((floor, &mut seen)) });
                for &row in &seen {
                    let lanes = LANES.min(1 << self.low);
                    for (lane, &sum) in block.rows[row as usize].iter().enumerate().take(lanes).filter(|(_, sum)| **sum >= floor) {
                        mine.push(level(sum) << INDEX | high << self.low | u64::from(row) << 6 | lane as u64);
                    }
                }
                if mine.len() > FLUSH {
                    gather(&mut mine);
                }
                report(1 << self.low);
            }
            gather(&mut mine);
        });
        limits.check()?;
        let (best, mut entries) = found.into_inner().expect("no thread panicked");
        let mut floor = floor.into_inner();
        // A level is dropped only when the levels up to it contain more than `most` entries. So the order of the blocks does not
        // matter: a level that would be kept if all blocks were processed first is never dropped.
        if entries.len() > most {
            floor = cut(&mut entries, most);
        }
        let top = best >> INDEX;
        let peak = i32::from(i16::MAX) - top as i32;
        let whole = match floor {
            i16::MIN => Some(((self.total + peak) / 2) as u32),
            _ => (i32::from(floor) <= peak).then(|| (peak - i32::from(floor)) as u32 / 2),
        };
        // All sums have the same parity, so the distance from the best level is twice the excess.
        entries.iter_mut().for_each(|entry| *entry = (((*entry >> INDEX) - top) / 2) << INDEX | *entry & ((1 << INDEX) - 1));
        entries.sort_unstable();
        Ok(Tail { peak, entries, whole })
    }
}

/// Fills a block, and appends to `seen` the numbers of the rows whose largest sum is large enough.
struct Transform<'a> {
    table: &'a CostTable,
    high: u64,
    block: &'a mut TableBlock,
    seen: Option<(i16, &'a mut Vec<u32>)>,
}

impl HotLoop for Transform<'_> {
    #[inline(always)]
    fn run(self) {
        let TableBlock { rows, masks } = self.block;
        rows.fill([0; LANES]);
        for place in &self.table.places {
            let weight = if (place.high & self.high).count_ones() & 1 == 1 { -place.weight } else { place.weight };
            let (row, mask) = (&mut rows[place.row as usize], &masks[place.lane as usize % LANES]);
            for lane in 0..LANES {
                row[lane] = row[lane].wrapping_add((weight ^ mask[lane]).wrapping_sub(mask[lane]));
            }
        }
        let mut part = rows.len();
        while part > NEAR {
            for rows in rows.chunks_exact_mut(part) {
                eighths(rows);
            }
            part /= 8;
        }
        for near in rows.chunks_exact_mut(part) {
            let mut part = part;
            while part >= 8 {
                for rows in near.chunks_exact_mut(part) {
                    eighths(rows);
                }
                part /= 8;
            }
            while part >= 2 {
                for rows in near.chunks_exact_mut(part) {
                    halves(rows);
                }
                part /= 2;
            }
        }
        if let Some((least, seen)) = self.seen {
            for (at, row) in rows.iter().enumerate() {
                if row.iter().copied().fold(i16::MIN, i16::max) >= least {
                    seen.push(at as u32);
                }
            }
        }
    }
}

/// Butterflies between the eighths of the rows.
#[inline(always)]
fn eighths(rows: &mut [Row]) {
    let eighth = rows.len() / 8;
    let (a, rest) = rows.split_at_mut(eighth);
    let (b, rest) = rest.split_at_mut(eighth);
    let (c, rest) = rest.split_at_mut(eighth);
    let (d, rest) = rest.split_at_mut(eighth);
    let (e, rest) = rest.split_at_mut(eighth);
    let (f, rest) = rest.split_at_mut(eighth);
    let (g, h) = rest.split_at_mut(eighth);
    for at in 0..eighth {
        let (a, b, c, d, e, f, g, h) = (&mut a[at], &mut b[at], &mut c[at], &mut d[at], &mut e[at], &mut f[at], &mut g[at], &mut h[at]);
        for lane in 0..LANES {
            let all = [a[lane], b[lane], c[lane], d[lane], e[lane], f[lane], g[lane], h[lane]];
            [a[lane], b[lane], c[lane], d[lane], e[lane], f[lane], g[lane], h[lane]] = butterfly(all);
        }
    }
}

#[inline(always)]
fn halves(rows: &mut [Row]) {
    let half = rows.len() / 2;
    let (a, b) = rows.split_at_mut(half);
    for at in 0..half {
        let (a, b) = (&mut a[at], &mut b[at]);
        for lane in 0..LANES {
            (a[lane], b[lane]) = (a[lane].wrapping_add(b[lane]), a[lane].wrapping_sub(b[lane]));
        }
    }
}
