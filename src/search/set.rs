//! A set of packed states without ids, for searches that only test membership. A look-up takes one memory access instead of the two
//! that a store needs.
//!
//! States of at most seven bytes are numbers in an open-addressing table with linear probing. Each takes no more bytes than
//! necessary, because the speed depends on how much of the table fits in the caches. A state's slot is its hash scaled to the
//! table's size, so the table is in the order of the hashes, and growing it is one pass from end to end. Wider states are kept in
//! a [`Store`]. Like the store, the set inserts states in batches to overlap memory accesses.
//!
//! One optimization is deliberately missing: sorting the states by the high bits of their hashes before insertion, so that each
//! part finds its section of the table in the cache. In an experiment with tables of about 50 MB, the sorting cost more than it
//! saved.

mod sorted;

use std::ops::Range;

use super::store::{Store, hash_word};
use crate::space::Batch;
use crate::space::batch::{set_word, word_at};

pub struct StateSet(Kind);

enum Kind {
    Words(Words),
    Wide(Store),
}

/// Maximum width of a state that is stored as a number.
pub const NARROW: usize = 7;
/// The number of states whose memory accesses overlap.
const WINDOW: usize = 128;

impl StateSet {
    /// An empty set of states of `width` bytes.
    pub fn new(width: usize) -> StateSet {
        StateSet(match width {
            1..=NARROW => Kind::Words(Words::new(width)),
            _ => Kind::Wide(Store::new(width)),
        })
    }

    /// An empty set that allocates about `bytes` bytes immediately and does not need to grow, for callers that fill and empty sets
    /// repeatedly.
    pub fn with_bytes(width: usize, bytes: usize) -> StateSet {
        let mut set = StateSet::new(width);
        if let Kind::Words(words) = &mut set.0 {
            words.slots = bytes / width;
            words.table = vec![0; words.slots * width + 8];
        }
        set
    }

    /// Adds the states of a batch that are in this range.
    #[inline]
    pub fn insert(&mut self, batch: &Batch, range: Range<usize>) {
        match &mut self.0 {
            Kind::Words(words) => words.insert(batch, range),
            Kind::Wide(store) => store.insert_range(batch, range, |_, _, _| ()),
        }
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    pub fn len(&self) -> usize {
        match &self.0 {
            Kind::Words(words) => words.len,
            Kind::Wide(store) => store.len(),
        }
    }

    /// Number of bytes used after adding `more` states.
    pub fn bytes_after(&self, more: usize) -> usize {
        match &self.0 {
            Kind::Words(words) => {
                let slots = grown(words.slots, words.len + more);
                let both = if slots > words.slots { slots + words.slots } else { slots };
                both * words.width
            }
            Kind::Wide(store) => store.bytes_after(more),
        }
    }

    /// Copies states starting at `place` until the batch contains `most` states or the set ends, and returns the next place.
    pub fn take(&self, place: usize, most: usize, batch: &mut Batch) -> usize {
        match &self.0 {
            Kind::Words(words) => words.take(place, most, batch),
            Kind::Wide(store) => {
                let end = store.len().min(place + most.saturating_sub(batch.len()));
                (place..end).for_each(|id| batch.push(|out| out.copy_from_slice(store.get(id as u32))));
                end
            }
        }
    }
}

/// A table of states stored as integers of `width` bytes. A slot with the number 0 is empty.
struct Words {
    width: usize,
    mask: u64,
    slots: usize,
    /// The slots, followed by spare bytes so that a whole word can be read and written at every slot.
    table: Vec<u8>,
    /// True if the set contains the state 0.
    zero: bool,
    len: usize,
    /// Keeps the compiler from removing the prefetching loads.
    sink: u8,
}

/// The number of slots for `states` states, at least `slots`. The table is at most half full.
fn grown(mut slots: usize, states: usize) -> usize {
    while slots / 2 < states {
        slots = if slots < 1 << 16 { (4 * slots).max(1024) } else { slots + slots / 2 };
    }
    slots
}

impl Words {
    fn new(width: usize) -> Words {
        let mask = u64::MAX >> (64 - 8 * width);
        Words { width, mask, slots: 0, table: Vec::new(), zero: false, len: 0, sink: 0 }
    }

    #[inline]
    fn home(&self, key: u64) -> usize {
        ((u128::from(hash_word(key)) * self.slots as u128) >> 64) as usize
    }

    #[inline]
    fn get(&self, slot: usize) -> u64 {
        word_at(&self.table, slot * self.width) & self.mask
    }

    #[inline]
    fn insert(&mut self, batch: &Batch, range: Range<usize>) {
        let slots = grown(self.slots, self.len + range.len());
        if slots > self.slots {
            let old = std::mem::replace(&mut self.table, vec![0; slots * self.width + 8]);
            let before = std::mem::replace(&mut self.slots, slots);
            for slot in 0..before {
                let key = word_at(&old, slot * self.width) & self.mask;
                if key != 0 {
                    self.insert_from(self.home(key), key);
                }
            }
        }
        let mut window = [(0, 0); WINDOW];
        for first in range.clone().step_by(WINDOW) {
            let window = &mut window[..WINDOW.min(range.end - first)];
            // The work is split into three loops. The second one is so short that the processor overlaps dozens of its loads.
            for (at, (home, key)) in window.iter_mut().enumerate() {
                *key = batch.word(first + at) & self.mask;
                *home = self.home(*key);
            }
            self.sink ^= window.iter().fold(0, |touched, &(home, _)| touched ^ self.table[home * self.width]);
            for &(home, key) in &*window {
                self.len += usize::from(self.insert_from(home, key));
            }
        }
    }

    fn take(&self, place: usize, most: usize, batch: &mut Batch) -> usize {
        for slot in place..self.slots {
            if batch.len() >= most {
                return slot;
            }
            let key = self.get(slot);
            if key != 0 {
                batch.push_word(key);
            }
        }
        if place > self.slots || batch.len() >= most {
            return place.max(self.slots);
        }
        // The state 0, which has no slot, comes after the last slot.
        if self.zero {
            batch.push_word(0);
        }
        self.slots + 1
    }

    /// Inserts a key, probing from this slot. Returns true if the key is new.
    #[inline]
    fn insert_from(&mut self, mut slot: usize, key: u64) -> bool {
        if key == 0 {
            return !std::mem::replace(&mut self.zero, true);
        }
        loop {
            let at = slot * self.width;
            let word = word_at(&self.table, at);
            match word & self.mask {
                0 => {
                    // The higher bytes of the word belong to the next slots, and are kept.
                    set_word(&mut self.table, at, word | key);
                    return true;
                }
                found if found == key => return false,
                _ => slot = if slot + 1 == self.slots { 0 } else { slot + 1 },
            }
        }
    }
}
