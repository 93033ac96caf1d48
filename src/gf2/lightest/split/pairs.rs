//! Tries all pairs of indices with a small total excess, and adds the costs of the other two classes to each pair.
//!
//! A pair determines the index of the probed class, and the table of that class is far larger than any cache. So both lists are sorted
//! by the high bits of their contributions to that index. The pairs that need one block of the table are then in buckets whose numbers
//! xor to the block's number, so every block is computed once, used, and discarded.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::frame::{ClassPair, Joint};
use super::table::{CostTable, INDEX, Tail};
use crate::bits::{bit, pack};
use crate::gf2::lightest::code::Code;
use crate::gf2::speed::{HotLoop, Speed};
use crate::limits::{Limit, Limits};

/// A mask of the bits of an index, without the excess above them.
const BITS: u64 = (1 << INDEX) - 1;
/// Number of pairs between two checks of the limits.
const PAIRS: u64 = 1 << 22;

/// An index with its excess in the bits above it (`tagged`), and its contribution to the probed index (`image`).
#[derive(Clone, Copy, Default)]
struct Entry {
    image: u64,
    tagged: u64,
}

impl Entry {
    fn excess(self) -> u32 {
        (self.tagged >> INDEX) as u32
    }
}

/// Entries sorted into buckets by the high bits of their images. Each bucket is sorted by excess.
struct Half {
    entries: Vec<Entry>,
    /// The starts of the buckets.
    starts: Vec<u32>,
    /// The least excess in each bucket.
    least: Vec<u16>,
    /// The numbers of the non-empty buckets.
    used: Vec<u32>,
}

impl Half {
    /// Builds the buckets in two passes over the list.
    fn new(list: impl Iterator<Item = Entry> + Clone, low: u32, bits: u32) -> Half {
        let key = |entry: &Entry| (entry.image >> low) as usize;
        let mut starts = vec![0_u32; (1 << bits) + 1];
        list.clone().for_each(|entry| starts[key(&entry) + 1] += 1);
        let used = (0..1_u32 << bits).filter(|&at| starts[at as usize + 1] > 0).collect();
        (0..1 << bits).for_each(|at| starts[at + 1] += starts[at]);
        let mut entries = vec![Entry::default(); starts[1 << bits] as usize];
        let mut at = starts.clone();
        for entry in list {
            let at = &mut at[key(&entry)];
            entries[*at as usize] = entry;
            *at += 1;
        }
        let least = |at: usize| if starts[at] < starts[at + 1] { entries[starts[at] as usize].excess() as u16 } else { u16::MAX };
        Half { least: (0..1 << bits).map(least).collect(), entries, starts, used }
    }

    fn bucket(&self, at: usize) -> &[Entry] {
        &self.entries[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// The costs of individual indices of a class, computed without a table of all indices: the pattern is looked up one byte of the
/// index at a time.
pub struct Costs {
    code: Code,
    bytes: Vec<Vec<u64>>,
}

impl Costs {
    /// The columns are given by their positions in the code and the bits of the index that flip them.
    pub fn new(code: &Code, columns: &[(usize, u64)], rank: u32, limits: &Limits) -> Result<Costs, Limit> {
        let weights = columns.iter().map(|&(at, _)| code.weights[at]).collect();
        let start = pack(columns.iter().map(|&(at, _)| bit(&code.start, at)));
        let long = start.len();
        let words: Vec<Vec<u64>> = (0..rank).map(|i| pack(columns.iter().map(|(_, bits)| bits >> i & 1 == 1))).collect();
        let bytes = words.chunks(8).map(|words| {
            let mut sums = vec![0; long << words.len()];
            for at in 1..1_usize << words.len() {
                let (before, after) = sums.split_at_mut(at * long);
                after[..long].copy_from_slice(&before[(at & (at - 1)) * long..][..long]);
                crate::bits::xor(&mut after[..long], &words[at.trailing_zeros() as usize]);
            }
            sums
        });
        Ok(Costs { bytes: bytes.collect(), code: Code::new(weights, start, Vec::new(), limits)? })
    }

    #[inline(always)]
    fn of(&self, index: u64, pattern: &mut Vec<u64>) -> u64 {
        pattern.clone_from(&self.code.start);
        let long = pattern.len();
        // Plain loops, so that they are compiled for the current processor.
        for (at, sums) in self.bytes.iter().enumerate() {
            let byte = (index >> (8 * at)) as usize % 256;
            let sums = &sums[byte * long..][..long];
            for word in 0..long {
                pattern[word] ^= sums[word];
            }
        }
        self.code.cost(pattern)
    }
}

/// A member, identified by the side and the indices that it was found with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FoundMember {
    pub excess: u32,
    pub side: usize,
    pub first: u64,
    /// The second index, with the spare bits above it.
    pub second: u64,
}

/// The best member so far, shared by all threads.
pub struct Best {
    /// Members with a larger excess are ignored.
    bound: AtomicU32,
    found: Mutex<Option<FoundMember>>,
}

impl Best {
    pub fn new(bound: u32) -> Best {
        Best { bound: AtomicU32::new(bound), found: Mutex::new(None) }
    }

    pub fn take(self) -> Option<FoundMember> {
        self.found.into_inner().expect("no thread panicked")
    }

    /// Stores a member if it is better than the best one. Among equally good members, keeps the least, so that the order of threads
    /// does not matter.
    fn offer(&self, new: FoundMember) {
        let mut found = self.found.lock().expect("no thread panics while it holds the lock");
        if found.is_none_or(|old| new < old) {
            *found = Some(new);
            self.bound.fetch_min(new.excess, Ordering::Relaxed);
        }
    }
}

/// The four classes in the form that one side needs.
pub struct Parts<'a> {
    pub number: usize,
    pub side: &'a ClassPair,
    pub tails: [&'a Tail; 2],
    pub probe: &'a CostTable,
    pub probe_peak: i32,
    pub last: &'a Costs,
    pub last_least: u64,
    /// The rank of the second class. The spare bits start at this position.
    pub shift: u32,
    pub speed: Speed,
}

impl Parts<'_> {
    /// Tries all pairs whose total excess is at most `most`. Offers `best` the members whose total excess in all classes is within its
    /// bound.
    pub fn run(&self, most: u32, best: &Best, limits: &Limits, report: &(dyn Fn(u64) + Sync)) -> Result<(), Limit> {
        let low = self.probe.low;
        let bits = self.probe.rank - low + self.side.overlap;
        let within = |tail: &Tail| tail.entries.partition_point(|entry| entry >> INDEX <= u64::from(most));
        let [one, two] = self.tails.map(within);
        let (one, two) = (one, two << self.side.spare);
        // While the buckets are being filled, there are two copies of the list of their starts.
        limits.room(size_of::<Entry>() * (one + two) + (24 << bits) + self.probe.block_bytes() * limits.threads())?;
        let Joint { first, second, spare } = &self.side.to_probe;
        let list = self.tails[0].entries[..one].iter().map(|&tagged| Entry { image: first.of(tagged & BITS), tagged });
        let first = Half::new(list, low, bits);
        limits.check()?;
        let list = self.tails[1].entries[..two >> self.side.spare].iter().flat_map(|&tagged| {
            let image = second.of(tagged & BITS);
            (0..1 << self.side.spare).map(move |bits| Entry { image: image ^ spare.of(bits), tagged: tagged | bits << self.shift })
        });
        let second = Half::new(list, low, bits);
        limits.check()?;
        let next = AtomicU64::new(0);
        limits.together(&|| {
            let mut block = self.probe.block();
            let mut pattern = Vec::new();
            loop {
                let high = next.fetch_add(1, Ordering::Relaxed);
                if high >= self.probe.blocks() || limits.check().is_err() {
                    break;
                }
                let sums = self.probe.sums(high, &mut block);
                let halves = [&first, &second];
                self.speed.run(BlockPairs { parts: self, high, sums, halves, most, best, pattern: &mut pattern, limits, report });
            }
        });
        limits.check()
    }
}

/// All pairs that need one block of the table.
struct BlockPairs<'a> {
    parts: &'a Parts<'a>,
    high: u64,
    sums: &'a [i16],
    halves: [&'a Half; 2],
    most: u32,
    best: &'a Best,
    pattern: &'a mut Vec<u64>,
    limits: &'a Limits,
    report: &'a (dyn Fn(u64) + Sync),
}

impl HotLoop for BlockPairs<'_> {
    #[inline(always)]
    fn run(mut self) {
        let [first, second] = self.halves;
        let (sums, most, peak) = (self.sums, self.most, self.parts.probe_peak);
        let mask = sums.len() - 1;
        let mut pairs = 0;
        for &key in &first.used {
            let other = key as usize ^ self.high as usize;
            let least = u32::from(second.least[other]);
            if u32::from(first.least[key as usize]) + least > most {
                continue;
            }
            let others = second.bucket(other);
            for one in first.bucket(key as usize) {
                let Some(room) = most.checked_sub(one.excess()).filter(|&room| room >= least) else { break };
                let bound = self.best.bound.load(Ordering::Relaxed);
                let Some(left) = bound.checked_sub(one.excess()) else { break };
                // The minimum sum that the probed entry must have if the second index has no excess.
                let enough = peak - 2 * left as i32;
                let end = (u64::from(room) + 1) << INDEX;
                for two in others {
                    if two.tagged >= end {
                        break;
                    }
                    pairs += 1;
                    let sum = i32::from(sums[(one.image ^ two.image) as usize & mask]);
                    if sum >= enough + 2 * two.excess() as i32 {
                        self.finish(one, two, sum);
                    }
                }
            }
            if pairs >= PAIRS {
                (self.report)(pairs);
                pairs = 0;
                if self.limits.check().is_err() {
                    return;
                }
            }
        }
        (self.report)(pairs);
    }
}

impl BlockPairs<'_> {
    #[inline(always)]
    fn finish(&mut self, one: &Entry, two: &Entry, sum: i32) {
        let parts = self.parts;
        let (index, tagged) = (one.tagged & BITS, two.tagged & BITS);
        let (second, spare) = (tagged & ((1 << parts.shift) - 1), tagged >> parts.shift);
        let to_last = &parts.side.to_last;
        let last = to_last.first.of(index) ^ to_last.second.of(second) ^ to_last.spare.of(spare);
        let last = (parts.last.of(last, self.pattern) - parts.last_least) as u32;
        let excess = one.excess() + two.excess() + ((parts.probe_peak - sum) / 2) as u32 + last;
        if excess <= self.best.bound.load(Ordering::Relaxed) {
            self.best.offer(FoundMember { excess, side: parts.number, first: index, second: tagged });
        }
    }
}
