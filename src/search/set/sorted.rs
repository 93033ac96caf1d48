//! The states of a set in order, for those who write them to disk: first by a bin that the caller chooses, then by the state
//! itself. States kept as numbers are sorted as numbers, wider ones as strings of bytes.
//!
//! Sorting happens in the set's own memory. A set that must be written because memory is short has none to spare for a copy.
//! It may take seconds, so the caller is asked regularly whether to continue.

use super::{Kind, NARROW, StateSet, Words};
use crate::search::store::{Id, Store};

/// Most bins.
const BINS: usize = 256;
/// States moved between two calls of `go_on`.
const PERIOD: usize = 1 << 16;

impl StateSet {
    /// Gives `emit` all states with their bin, ordered by bin and then by state. `bin` is below 256. An error of `go_on`, which
    /// is called now and then, ends it.
    pub fn sorted<E>(
        self,
        bin: impl Fn(&[u8]) -> usize,
        go_on: impl Fn() -> Result<(), E>,
        emit: impl FnMut(usize, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.0 {
            Kind::Words(words) => words.sorted(bin, go_on, emit),
            Kind::Wide(store) => sorted(&store, bin, go_on, emit),
        }
    }

    /// Bytes that [`StateSet::sorted`] takes on top of what the set holds.
    pub fn bytes_to_sort(&self) -> usize {
        match &self.0 {
            Kind::Words(_) => 0,
            Kind::Wide(store) => store.len() * size_of::<Id>(),
        }
    }
}

impl Words {
    fn sorted<E>(
        mut self,
        bin: impl Fn(&[u8]) -> usize,
        go_on: impl Fn() -> Result<(), E>,
        mut emit: impl FnMut(usize, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        // All states to the front of the table.
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
            // There is a free slot: the table is at most half full.
            self.table[count * width..(count + 1) * width].fill(0);
            count += 1;
        }
        self.table.truncate(count * width);
        let mut emit = |bin: usize, states: &[u8]| states.chunks_exact(width).try_for_each(|state| emit(bin, state));
        match width {
            1 => flag::<1, E>(&mut self.table, bin, &go_on, &mut emit),
            2 => flag::<2, E>(&mut self.table, bin, &go_on, &mut emit),
            3 => flag::<3, E>(&mut self.table, bin, &go_on, &mut emit),
            4 => flag::<4, E>(&mut self.table, bin, &go_on, &mut emit),
            5 => flag::<5, E>(&mut self.table, bin, &go_on, &mut emit),
            6 => flag::<6, E>(&mut self.table, bin, &go_on, &mut emit),
            NARROW => flag::<NARROW, E>(&mut self.table, bin, &go_on, &mut emit),
            _ => unreachable!("wider states are in a store"),
        }
    }
}

/// Takes the states of a bin.
type Emit<'a, E> = &'a mut dyn FnMut(usize, &[u8]) -> Result<(), E>;
/// Says whether to continue.
type GoOn<'a, E> = &'a dyn Fn() -> Result<(), E>;

/// American flag sort by bin, then each bin on its own.
fn flag<const W: usize, E>(bytes: &mut [u8], bin: impl Fn(&[u8]) -> usize, go_on: GoOn<'_, E>, emit: Emit<'_, E>) -> Result<(), E> {
    let (states, _) = bytes.as_chunks_mut::<W>();
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
        states[from..end].sort_unstable_by_key(|state| {
            let mut word = [0; 8];
            word[..W].copy_from_slice(state);
            u64::from_le_bytes(word)
        });
        emit(bin, states[from..end].as_flattened())?;
        from = end;
    }
    Ok(())
}

/// Like [`flag`], for states in a store, by their ids.
fn sorted<E>(
    store: &Store,
    bin: impl Fn(&[u8]) -> usize,
    go_on: impl Fn() -> Result<(), E>,
    mut emit: impl FnMut(usize, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let period = PERIOD as Id;
    let mut next = [0; BINS + 1];
    for id in 0..store.len() as Id {
        if id % period == 0 {
            go_on()?;
        }
        next[bin(store.get(id)) + 1] += 1;
    }
    (1..=BINS).for_each(|bin| next[bin] += next[bin - 1]);
    let starts = next;
    let mut ids = vec![0; store.len()];
    for id in 0..store.len() as Id {
        if id % period == 0 {
            go_on()?;
        }
        let bin = bin(store.get(id));
        ids[next[bin]] = id;
        next[bin] += 1;
    }
    let mut asked = 0;
    for bin in 0..BINS {
        if starts[bin + 1] - asked >= PERIOD {
            asked = starts[bin + 1];
            go_on()?;
        }
        let ids = &mut ids[starts[bin]..starts[bin + 1]];
        ids.sort_unstable_by(|&a, &b| store.get(a).cmp(store.get(b)));
        ids.iter().try_for_each(|&id| emit(bin, store.get(id)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Batch;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_state_comes_once_and_in_order(width in 0usize..12, seeds in prop::collection::vec(0u64..3000, 0..3000), shift in 0u32..8) {
            let (mut set, mut batch) = (StateSet::new(width), Batch::new(width));
            let mut plain = std::collections::BTreeSet::new();
            let bin = |state: &[u8]| state.iter().fold(7u8, |sum, byte| sum.wrapping_mul(31).wrapping_add(*byte)) as usize >> shift;
            for seed in seeds {
                let bytes = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed % 3)).to_le_bytes().repeat(2);
                batch.push(|out| out.copy_from_slice(&bytes[..width]));
                let mut key = bytes[..width].to_vec();
                if width <= NARROW {
                    key.reverse();
                }
                plain.insert((bin(&bytes[..width]), key));
            }
            set.insert(&batch, 0..batch.len());
            let mut got = Vec::new();
            let emit = |bin: usize, state: &[u8]| {
                let mut key = state.to_vec();
                if width <= NARROW {
                    key.reverse();
                }
                got.push((bin, key));
                Ok::<(), ()>(())
            };
            set.sorted(bin, || Ok(()), emit).expect("no error");
            prop_assert_eq!(got, plain.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn sorting_ends_as_soon_as_it_may_not_go_on() {
        for width in [3usize, 9] {
            let asked = std::cell::Cell::new(0);
            let make = || {
                let (mut set, mut batch) = (StateSet::new(width), Batch::new(width));
                for seed in 0..200_000u64 {
                    batch.push(|out| out[..3].copy_from_slice(&seed.to_le_bytes()[..3]));
                }
                set.insert(&batch, 0..batch.len());
                set
            };
            let bin = |state: &[u8]| usize::from(state[0]);
            let count = || {
                asked.set(asked.get() + 1);
                Ok(())
            };
            make().sorted(bin, count, |_, _| Ok::<(), ()>(())).expect("it ends");
            let all = asked.get();
            assert!(all > 8, "{width}: asked {all} times");
            for stop in [1, 3, 6, all] {
                asked.set(0);
                let until = || {
                    asked.set(asked.get() + 1);
                    if asked.get() == stop { Err(()) } else { Ok(()) }
                };
                assert_eq!(make().sorted(bin, until, |_, _| Ok(())), Err(()));
                assert_eq!(asked.get(), stop);
            }
        }
    }
}
