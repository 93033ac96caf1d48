//! The states of a set in order, for engines that write them to disk. States are sorted first by a bin that the caller chooses, then by
//! the state itself. States stored as numbers are sorted as numbers, wider ones as byte strings.
//!
//! States stored as numbers are sorted in place, because sets are written when memory is short, and there is no room for a copy.
//! Sorting may take seconds, so the caller is asked regularly whether to continue.

use std::cmp::Ordering;

use super::{Kind, NARROW, StateSet, Words};
use crate::search::store::Id;

/// Maximum number of bins.
const BINS: usize = 256;
/// Number of states moved between two calls to `go_on`.
const PERIOD: usize = 1 << 16;

impl StateSet {
    /// Calls `emit` with all states and their bins, ordered by bin and then by state. `bin` must return a number below 256.
    /// `go_on` is called regularly, and an error from it stops the sorting.
    pub fn sorted<E>(
        self,
        bin: impl Fn(&[u8]) -> usize,
        go_on: impl Fn() -> Result<(), E>,
        mut emit: impl FnMut(usize, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let store = match self.0 {
            Kind::Words(words) => return words.sorted(bin, &go_on, emit),
            Kind::Wide(store) => store,
        };
        let mut ids: Vec<[u8; size_of::<Id>()]> = (0..store.len() as Id).map(Id::to_le_bytes).collect();
        let state = |id: &[u8; size_of::<Id>()]| store.get(Id::from_le_bytes(*id));
        let compare = |a: &_, b: &_| state(a).cmp(state(b));
        flag(&mut ids, |id| bin(state(id)), compare, &go_on, |bin, ids| ids.iter().try_for_each(|id| emit(bin, state(id))))
    }

    /// Number of bytes that [`StateSet::sorted`] needs in addition to those of the set.
    pub fn bytes_to_sort(&self) -> usize {
        match &self.0 {
            Kind::Words(_) => 0,
            Kind::Wide(store) => store.len() * size_of::<Id>(),
        }
    }
}

/// A callback that returns an error to stop the sorting.
type GoOn<'a, E> = &'a dyn Fn() -> Result<(), E>;

impl Words {
    fn sorted<E>(
        mut self,
        bin: impl Fn(&[u8]) -> usize,
        go_on: GoOn<'_, E>,
        emit: impl FnMut(usize, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        // Move all states to the front of the table.
        let (width, mut count) = (self.width, 0);
        for slot in 0..self.slots {
            if slot % PERIOD == 0 {
                go_on()?;
            }
            if self.get(slot) != 0 {
                self.table.copy_within(slot * width..(slot + 1) * width, count * width);
                count += 1;
            }
        }
        if self.zero {
            // There is a free slot, because the table is at most half full.
            self.table[count * width..(count + 1) * width].fill(0);
            count += 1;
        }
        self.table.truncate(count * width);
        let bytes = &mut self.table;
        match width {
            1 => numbers::<1, E>(bytes, bin, go_on, emit),
            2 => numbers::<2, E>(bytes, bin, go_on, emit),
            3 => numbers::<3, E>(bytes, bin, go_on, emit),
            4 => numbers::<4, E>(bytes, bin, go_on, emit),
            5 => numbers::<5, E>(bytes, bin, go_on, emit),
            6 => numbers::<6, E>(bytes, bin, go_on, emit),
            NARROW => numbers::<NARROW, E>(bytes, bin, go_on, emit),
            _ => unreachable!("wider states are in a store"),
        }
    }
}

/// Sorts states of `W` bytes as little-endian numbers.
fn numbers<const W: usize, E>(
    bytes: &mut [u8],
    bin: impl Fn(&[u8]) -> usize,
    go_on: GoOn<'_, E>,
    mut emit: impl FnMut(usize, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let number = |state: &[u8; W]| {
        let mut word = [0; 8];
        word[..W].copy_from_slice(state);
        u64::from_le_bytes(word)
    };
    let compare = |a: &[u8; W], b: &[u8; W]| number(a).cmp(&number(b));
    let (states, _) = bytes.as_chunks_mut::<W>();
    flag(states, |state| bin(state), compare, go_on, |bin, states| states.iter().try_for_each(|state| emit(bin, state)))
}

/// Sorts by bin (American flag sort), then sorts each bin separately.
fn flag<S, E>(
    states: &mut [S],
    bin: impl Fn(&S) -> usize,
    compare: impl Fn(&S, &S) -> Ordering,
    go_on: GoOn<'_, E>,
    mut emit: impl FnMut(usize, &[S]) -> Result<(), E>,
) -> Result<(), E> {
    let mut ends = [0; BINS];
    for some in states.chunks(PERIOD) {
        go_on()?;
        some.iter().for_each(|state| ends[bin(state)] += 1);
    }
    let mut next = [0; BINS];
    let mut sum = 0;
    for (next, end) in next.iter_mut().zip(&mut ends) {
        *next = sum;
        sum += *end;
        *end = sum;
    }
    let mut moved = 0usize;
    for this in 0..BINS {
        while next[this] < ends[this] {
            moved += 1;
            if moved.is_multiple_of(PERIOD) {
                go_on()?;
            }
            let home = bin(&states[next[this]]);
            if home != this {
                states.swap(next[this], next[home]);
            }
            next[home] += 1;
        }
    }
    let (mut from, mut asked) = (0, 0);
    for (bin, &end) in ends.iter().enumerate() {
        if end - asked >= PERIOD {
            asked = end;
            go_on()?;
        }
        states[from..end].sort_unstable_by(&compare);
        emit(bin, &states[from..end])?;
        from = end;
    }
    Ok(())
}
