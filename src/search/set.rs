//! A set of packed states without ids, for walks that only ask "was it there?": one memory access per state instead of
//! the store's two.
//!
//! States of at most seven bytes are numbers in an open table, linearly probed, each in no more bytes than it needs: what
//! counts is how much of the table is in the caches. A state's place is its hash scaled to the
//! table's size, so walking through the table is walking through the hashes in order, and growing copies it from end to
//! end. Wider states go into a [`Store`]. Insertion is in batches, for the reason given there.
//!
//! Absent on purpose: sorting the states by the top of their hash before they go in, so that each part finds its stretch of
//! the table in the cache. It was tried; on tables of some 50 MB the sorting cost more than it saved.

use super::store::{Batch, Store, hash_word, word_at};
use crate::rules::Rules;

pub(super) enum Set {
    Words(Words),
    Wide { store: Store, batch: Batch },
}

/// Most bytes of a state that is kept as a number.
const NARROW: usize = 7;
/// States whose memory accesses are under way together.
const WINDOW: usize = 128;

impl Set {
    pub(super) fn new(width: usize) -> Set {
        match width {
            1..=NARROW => Set::Words(Words::new(width)),
            _ => Set::Wide { store: Store::new(width), batch: Batch::new(width) },
        }
    }

    /// Adds a state; it enters with the next flush.
    pub(super) fn push<P: Rules>(&mut self, problem: &P, state: &P::State) {
        match self {
            Set::Words(words) => {
                words.pending.push(problem.pack_word(state));
                if words.pending.len() >= 8 * WINDOW {
                    words.enter();
                }
            }
            Set::Wide { store, batch } => {
                batch.push(|out| problem.pack(state, out));
                if batch.len() >= 8 * WINDOW {
                    store.insert_all(batch, |_, _, _| ());
                }
            }
        }
    }

    /// Lets everything that was pushed enter.
    pub(super) fn flush(&mut self) {
        match self {
            Set::Words(words) => words.enter(),
            Set::Wide { store, batch } => store.insert_all(batch, |_, _, _| ()),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Set::Words(words) => words.len,
            Set::Wide { store, .. } => store.len(),
        }
    }

    /// Bytes held after `more` further states.
    pub(super) fn bytes_after(&self, more: usize) -> usize {
        match self {
            Set::Words(words) => {
                let slots = grown(words.slots, words.len + more);
                let both = if slots > words.slots { slots + words.slots } else { slots };
                both * words.width + words.pending.capacity() * size_of::<u64>()
            }
            Set::Wide { store, batch } => store.bytes_after(more) + batch.bytes(),
        }
    }

    /// How many places [`Set::at`] has.
    pub(super) fn places(&self) -> usize {
        match self {
            Set::Words(words) => words.slots + 1,
            Set::Wide { store, .. } => store.len(),
        }
    }

    /// Shows `see` the packed state at a place, if there is one.
    pub(super) fn at(&self, place: usize, see: impl FnOnce(&[u8])) {
        match self {
            Set::Words(words) => {
                // The state that is 0 has the place after the last slot.
                let (key, there) = if place == words.slots { (0, words.zero) } else { (words.get(place), words.get(place) != 0) };
                if there {
                    see(&key.to_le_bytes()[..words.width]);
                }
            }
            Set::Wide { store, .. } => see(store.get(place as u32)),
        }
    }
}

/// States as numbers of `width` bytes; 0 is an empty slot.
pub(super) struct Words {
    width: usize,
    mask: u64,
    slots: usize,
    /// The slots, and spare bytes so that a whole word can be read and written at each.
    table: Vec<u8>,
    /// Is the state that is 0 here?
    zero: bool,
    len: usize,
    /// States on their way in.
    pending: Vec<u64>,
    /// Keeps the touching loads alive.
    sink: u8,
}

/// Slots for so many states, at least as many as there are: half full at most.
fn grown(mut slots: usize, states: usize) -> usize {
    while slots / 2 < states {
        slots = if slots < 1 << 16 { (4 * slots).max(1024) } else { slots + slots / 2 };
    }
    slots
}

impl Words {
    fn new(width: usize) -> Words {
        let mask = u64::MAX >> (64 - 8 * width);
        Words { width, mask, slots: 0, table: Vec::new(), zero: false, len: 0, pending: Vec::new(), sink: 0 }
    }

    fn home(&self, key: u64) -> usize {
        ((u128::from(hash_word(key)) * self.slots as u128) >> 64) as usize
    }

    fn get(&self, slot: usize) -> u64 {
        word_at(&self.table, slot * self.width) & self.mask
    }

    fn enter(&mut self) {
        let mut keys = std::mem::take(&mut self.pending);
        let slots = grown(self.slots, self.len + keys.len());
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
        let mut homes = [0; WINDOW];
        for window in keys.chunks(WINDOW) {
            // Two loops: the second one is so short that the processor has dozens of its loads under way.
            for (home, &key) in homes.iter_mut().zip(window) {
                *home = self.home(key);
            }
            self.sink ^= homes[..window.len()].iter().fold(0, |touched, &home| touched ^ self.table[home * self.width]);
            for (&home, &key) in homes.iter().zip(window) {
                self.len += usize::from(self.insert_from(home, key));
            }
        }
        keys.clear();
        self.pending = keys;
    }

    /// True if the key is new.
    fn insert_from(&mut self, mut slot: usize, key: u64) -> bool {
        if key == 0 {
            return !std::mem::replace(&mut self.zero, true);
        }
        loop {
            let at = slot * self.width;
            let word = word_at(&self.table, at);
            match word & self.mask {
                0 => {
                    // The bytes above belong to the next slots.
                    self.table[at..at + 8].copy_from_slice(&(word | key).to_le_bytes());
                    return true;
                }
                found if found == key => return false,
                _ => slot = if slot + 1 == self.slots { 0 } else { slot + 1 },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// States that are byte strings of one width.
    struct Strings(usize);

    impl Rules for Strings {
        type State = Vec<u8>;
        type Move = ();
        fn start(&self) -> Vec<u8> {
            vec![0; self.0]
        }
        fn moves(&self, _: &Vec<u8>, _: &mut Vec<()>) {}
        fn apply(&self, state: &Vec<u8>, (): &()) -> Vec<u8> {
            state.clone()
        }
        fn state_bytes(&self) -> usize {
            self.0
        }
        fn pack(&self, state: &Vec<u8>, out: &mut [u8]) {
            out.copy_from_slice(state);
        }
        fn unpack(&self, bytes: &[u8]) -> Vec<u8> {
            bytes.to_vec()
        }
    }

    proptest! {
        #[test]
        fn holds_what_a_plain_set_holds(width in 0usize..12, seeds in prop::collection::vec(0u64..2000, 0..5000)) {
            let rules = Strings(width);
            let mut set = Set::new(width);
            let mut plain = BTreeSet::new();
            for seed in seeds {
                let bytes = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes().repeat(2);
                set.push(&rules, &bytes[..width].to_vec());
                plain.insert(bytes[..width].to_vec());
            }
            set.flush();
            prop_assert_eq!(set.len(), plain.len());
            let mut seen = BTreeSet::new();
            for place in 0..set.places() {
                set.at(place, |bytes| assert!(seen.insert(bytes.to_vec())));
            }
            prop_assert_eq!(seen, plain);
        }
    }
}
