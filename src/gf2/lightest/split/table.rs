//! The cost of every index of a class, a block at a time: a Walsh–Hadamard transform that never holds its whole result.
//!
//! The cost of an index `u` is `(T - S(u)) / 2`, as in `walsh.rs`. The high bits of `u` are fixed for a block and only change
//! signs; of the low ones, six are lanes, whose levels of the transform are done while the columns are put in, and the others
//! are butterflies of eight between rows of 64 lanes. So a table of any size is read once, block by block, in half a megabyte.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI16, AtomicU64, Ordering};

use crate::gf2::lightest::walsh::block::{LANES, butterfly};
use crate::gf2::speed::Speed;
use crate::limits::{Limit, Limits};

type Row = [i16; LANES];
/// The low bits of an index: a block takes 2^19 bytes, which the second cache of most processors holds.
pub(super) const LOW: u32 = 18;
/// Rows that are transformed to the end before the next ones.
const NEAR: usize = 512;
/// Entries that a thread collects on its own, and how many times what is kept there may be in all.
const FLUSH: usize = 1 << 14;
const CROWDED: usize = 3;
/// Bits of an index in an entry of a tail.
pub(super) const INDEX: u32 = 48;

/// The largest sum of weights.
pub(super) const MOST: u64 = i16::MAX as u64;

struct Place {
    row: u32,
    lane: u8,
    high: u64,
    weight: i16,
}

/// A class's costs.
pub(super) struct CostTable {
    places: Vec<Place>,
    pub(super) rank: u32,
    pub(super) low: u32,
    total: i32,
    speed: Speed,
}

/// The sums of all indices that share their high bits.
pub(super) struct TableBlock {
    rows: Vec<Row>,
    /// `masks[v][l]` is -1 if `<v, l>` is odd, else 0.
    masks: Vec<Row>,
}

/// The indices that cost least.
pub(super) struct Tail {
    /// The largest sum of all.
    pub(super) peak: i32,
    /// The excess of an index, shifted by `INDEX`, plus the index; sorted.
    pub(super) entries: Vec<u64>,
    /// All indices with at most this excess are there; none if already those of least cost are too many.
    pub(super) whole: Option<u32>,
}

impl Tail {
    /// The number of indices of each excess.
    pub(super) fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.entries.last().map_or(0, |entry| (entry >> INDEX) as usize + 1)];
        self.entries.iter().for_each(|entry| counts[(entry >> INDEX) as usize] += 1);
        counts
    }
}

/// Sums in falling order as rising numbers.
fn level(sum: i16) -> u64 {
    u64::from((i16::MAX as u16).wrapping_sub(sum as u16))
}

/// Keeps the best entries, whole levels of them and no more than `most`. Returns the least sum that is kept.
fn cut(entries: &mut Vec<u64>, most: usize) -> i16 {
    let (_, &mut first_out, _) = entries.select_nth_unstable(most);
    entries.retain(|entry| entry >> INDEX < first_out >> INDEX);
    (i32::from(i16::MAX) - (first_out >> INDEX) as i32).saturating_add(1) as i16
}

impl CostTable {
    /// The columns by the bits of the index that flip them and their weights, negative where a column starts on its expensive
    /// side.
    pub(super) fn new(columns: impl Iterator<Item = (u64, i32)>, rank: u32, low: u32, speed: Speed) -> CostTable {
        let low = low.min(rank);
        let place = |(bits, weight): (u64, i32)| {
            let inside = bits & ((1 << low) - 1);
            Place { row: (inside >> 6) as u32, lane: inside as u8 % 64, high: bits >> low, weight: weight as i16 }
        };
        let places: Vec<Place> = columns.map(place).collect();
        let total = places.iter().map(|place| i32::from(place.weight).abs()).sum();
        CostTable { places, rank, low, total, speed }
    }

    pub(super) fn blocks(&self) -> u64 {
        1 << (self.rank - self.low)
    }

    pub(super) fn block(&self) -> TableBlock {
        let masks = (0..LANES).map(|v| std::array::from_fn(|l| -((v & l).count_ones() as i16 & 1))).collect();
        TableBlock { rows: vec![[0; LANES]; 1 << self.low.saturating_sub(6)], masks }
    }

    /// The bytes of a block.
    pub(super) fn block_bytes(&self) -> usize {
        (LANES + (1 << self.low.saturating_sub(6))) * size_of::<Row>()
    }

    /// The cost of an index with this sum.
    pub(super) fn cost(&self, sum: i32) -> u64 {
        ((self.total - sum) / 2) as u64
    }

    /// The sums of the indices with these high bits, in order.
    pub(super) fn sums<'a>(&self, high: u64, block: &'a mut TableBlock) -> &'a [i16] {
        self.dispatch(high, block, None);
        &block.rows.as_flattened()[..1 << self.low]
    }

    fn dispatch(&self, high: u64, block: &mut TableBlock, seen: Option<(i16, &mut Vec<u32>)>) {
        match self.speed {
            Speed::Plain => self.transform(high, block, seen),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Speed` has only what `is_x86_feature_detected!` found.
            #[allow(unsafe_code)]
            Speed::Avx2 => unsafe { self.transform_avx2(high, block, seen) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            #[allow(unsafe_code)]
            Speed::Avx512 => unsafe { self.transform_avx512(high, block, seen) },
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn transform_avx2(&self, high: u64, block: &mut TableBlock, seen: Option<(i16, &mut Vec<u32>)>) {
        self.transform(high, block, seen);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl,popcnt")]
    fn transform_avx512(&self, high: u64, block: &mut TableBlock, seen: Option<(i16, &mut Vec<u32>)>) {
        self.transform(high, block, seen);
    }

    /// Fills a block; of the rows in which a sum is large enough the numbers go to `seen`.
    #[inline(always)]
    fn transform(&self, high: u64, block: &mut TableBlock, seen: Option<(i16, &mut Vec<u32>)>) {
        let TableBlock { rows, masks } = block;
        rows.fill([0; LANES]);
        for place in &self.places {
            let weight = if (place.high & high).count_ones() & 1 == 1 { -place.weight } else { place.weight };
            let (row, mask) = (&mut rows[place.row as usize], &masks[place.lane as usize % LANES]);
            for lane in 0..LANES {
                row[lane] = row[lane].wrapping_add((weight ^ mask[lane]).wrapping_sub(mask[lane]));
            }
        }
        // Plain loops: functions that are passed on are not compiled for this processor.
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
        if let Some((least, seen)) = seen {
            for (at, row) in rows.iter().enumerate() {
                if row.iter().copied().fold(i16::MIN, i16::max) >= least {
                    seen.push(at as u32);
                }
            }
        }
    }

    /// The indices of least cost, no more than `most` of them but all up to some excess. `report` is called now and then with
    /// the indices done since the last time. The result does not depend on the number of threads.
    pub(super) fn tail(&self, most: usize, limits: &Limits, report: &(dyn Fn(u64) + Sync)) -> Result<Tail, Limit> {
        let most = most.min(1 << self.rank.min(40));
        let mine = self.block_bytes() + 8 * (FLUSH + (1 << self.low));
        limits.room(most.saturating_mul(8 * CROWDED).saturating_add(mine * limits.threads()))?;
        let next = AtomicU64::new(0);
        // Sums below this are not among the best `most` so far.
        let floor = AtomicI16::new(i16::MIN);
        let found = Mutex::new((u64::MAX, Vec::<u64>::new()));
        let gather = |mine: &mut Vec<u64>| {
            let (best, entries) = &mut *found.lock().expect("nobody panics with it");
            *best = mine.iter().copied().fold(*best, u64::min);
            // It may have risen in the meantime.
            let least = level(floor.load(Ordering::Relaxed));
            mine.retain(|entry| entry >> INDEX <= least);
            if entries.len() + mine.len() > entries.capacity() {
                // No more than there is room for: doubling would take too much.
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
                self.dispatch(high, &mut block, Some((floor, &mut seen)));
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
        let (best, mut entries) = found.into_inner().expect("nobody panics with it");
        let mut floor = floor.into_inner();
        // Whenever levels were dropped, there were more than `most` up to the best of them. So no level goes that would be kept if
        // all blocks were done first, in whatever order they are done.
        if entries.len() > most {
            floor = cut(&mut entries, most);
        }
        let top = best >> INDEX;
        let peak = i32::from(i16::MAX) - top as i32;
        let whole = match floor {
            i16::MIN => Some(((self.total + peak) / 2) as u32),
            _ => (i32::from(floor) <= peak).then(|| (peak - i32::from(floor)) as u32 / 2),
        };
        // Sums have one parity, so levels above the best are twice the excess.
        entries.iter_mut().for_each(|entry| *entry = (((*entry >> INDEX) - top) / 2) << INDEX | *entry & ((1 << INDEX) - 1));
        entries.sort_unstable();
        Ok(Tail { peak, entries, whole })
    }
}

/// Butterflies between the eighths of some rows.
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
