//! The data structures that store states: store, columns, open list, sets.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use kibitzer::search::column::Column;
use kibitzer::search::queue::{Key, Queue};
use kibitzer::search::set::{NARROW, StateSet};
use kibitzer::search::store::{Id, Store};
use kibitzer::space::Batch;
use proptest::prelude::*;

fn batch_of(width: usize, states: &[Vec<u8>]) -> Batch {
    let mut batch = Batch::new(width);
    states.iter().for_each(|state| batch.push(|out| out.copy_from_slice(state)));
    batch
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::common::amount(60, 256)))]

    /// Batches of any size return the same ids as one-by-one insertion into a plain map, at every width.
    #[test]
    fn a_store_agrees_with_a_hash_map(
        width in 0usize..20,
        seeds in prop::collection::vec(0u32..3000, 0..4000),
        size in 1usize..300,
    ) {
        let state = |&seed: &u32| -> Vec<u8> {
            (0..width).map(|i| (seed.wrapping_mul(0x9e37_79b9).rotate_left(i as u32 * 5) >> 11) as u8 ^ i as u8).collect()
        };
        let mut map: HashMap<Vec<u8>, Id> = HashMap::new();
        let mut store = Store::new(width);
        for part in seeds.chunks(size) {
            let states: Vec<Vec<u8>> = part.iter().map(state).collect();
            let mut batch = batch_of(width, &states);
            let mut expected = Vec::new();
            for state in states {
                let next = map.len() as Id;
                let new = !map.contains_key(&state);
                expected.push((*map.entry(state).or_insert(next), new));
            }
            let mut got = Vec::new();
            store.insert_all(&mut batch, |index, id, new| {
                assert_eq!(index, got.len());
                got.push((id, new));
            });
            prop_assert_eq!(got, expected);
            prop_assert!(batch.is_empty());
        }
        prop_assert_eq!(store.len(), map.len());
        for (state, &id) in &map {
            prop_assert_eq!(store.get(id), &state[..]);
            prop_assert_eq!(store.find(state), Some(id));
            prop_assert_eq!(store.insert(state), (id, false));
        }
    }

    /// A store of small numbers returns the same ids as a store of any states.
    #[test]
    fn a_numbered_store_agrees_with_another(width in 2usize..9, numbers in prop::collection::vec(0u16..3000, 0..4000), size in 1usize..300) {
        let (mut store, mut numbered) = (Store::new(width), Store::below(width, Some(3000)));
        let pack = |number: &u16| u64::from(*number).to_le_bytes()[..width].to_vec();
        for (part, group) in numbers.chunks(size).enumerate() {
            let mut found = [Vec::new(), Vec::new()];
            let states: Vec<Vec<u8>> = group.iter().map(pack).collect();
            store.insert_all(&mut batch_of(width, &states), |_, id, new| found[0].push((id, new)));
            if part % 2 == 0 {
                numbered.insert_all(&mut batch_of(width, &states), |_, id, new| found[1].push((id, new)));
            } else {
                found[1] = group.iter().map(|&number| numbered.insert_number(number.into())).collect();
            }
            prop_assert_eq!(&found[0], &found[1]);
        }
        prop_assert!(numbered.is_numbered() && !store.is_numbered() && store.len() == numbered.len());
        for number in 0..3000 {
            let state = pack(&number);
            let id = numbered.find(&state);
            prop_assert_eq!(id, store.find(&state));
            prop_assert_eq!(id.map(|id| numbered.get(id)), id.map(|_| &state[..]));
        }
        prop_assert_eq!(numbered.find(&vec![255; width]), None);
    }

    /// Compares the queue with one stack per key, with pops between the pushes. A level of the queue changes its form when it has many
    /// entries.
    #[test]
    fn a_queue_pops_the_least_key_and_the_newest_entry_first(
        ops in prop::collection::vec(prop::option::weighted(0.9, (0u64..6, 0u32..3000)), 0..5000),
        (priorities, estimates) in (1u64..7, 1u32..3000),
    ) {
        let mut queue = Queue::default();
        let mut stacks: BTreeMap<Key, Vec<Id>> = BTreeMap::new();
        for (id, op) in ops.into_iter().enumerate() {
            match op {
                Some((priority, estimate)) => {
                    let key = (priority % priorities, estimate % estimates);
                    queue.push(key, id as Id);
                    stacks.entry(key).or_default().push(id as Id);
                }
                None => {
                    let mut first = stacks.first_entry();
                    let expected = first.as_ref().and_then(|stack| Some((*stack.key(), *stack.get().last()?)));
                    prop_assert_eq!(queue.peek(), expected);
                    queue.pop();
                    if let Some(stack) = &mut first {
                        stack.get_mut().pop();
                    }
                    if let Some(stack) = first.filter(|stack| stack.get().is_empty()) {
                        stack.remove();
                    }
                }
            }
            if id % 64 == 0 {
                prop_assert_eq!(queue.len(), stacks.values().map(Vec::len).sum::<usize>());
                prop_assert_eq!(queue.bytes(), queue.bytes_in_levels());
            }
        }
        for (key, id) in stacks.into_iter().flat_map(|(key, stack)| stack.into_iter().rev().map(move |id| (key, id))) {
            prop_assert_eq!(queue.peek(), Some((key, id)));
            queue.pop();
        }
        prop_assert_eq!((queue.peek(), queue.is_empty()), (None, true));
    }

    #[test]
    fn a_set_agrees_with_a_plain_set(width in 0usize..12, seeds in prop::collection::vec(0u64..2000, 0..5000)) {
        let state = |seed: u64| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes().repeat(2)[..width].to_vec();
        let states: Vec<Vec<u8>> = seeds.into_iter().map(state).collect();
        let (mut set, mut batch) = (StateSet::new(width), batch_of(width, &states));
        let plain: BTreeSet<Vec<u8>> = states.into_iter().collect();
        let middle = batch.len() / 3;
        set.insert(&batch, 0..middle);
        set.insert(&batch, middle..batch.len());
        prop_assert_eq!(set.len(), plain.len());
        let mut seen = BTreeSet::new();
        let mut place = 0;
        while seen.len() < set.len() {
            batch.clear();
            place = set.take(place, 100, &mut batch);
            prop_assert_eq!(batch.len(), 100.min(set.len() - seen.len()));
            for index in 0..batch.len() {
                prop_assert!(seen.insert(batch.get(index).to_vec()));
            }
        }
        prop_assert_eq!(seen, plain);
    }

    #[test]
    fn sorting_emits_every_state_once_and_in_order(
        width in 0usize..12,
        seeds in prop::collection::vec(0u64..3000, 0..3000),
        shift in 0u32..8,
    ) {
        let bin = |state: &[u8]| state.iter().fold(7u8, |sum, byte| sum.wrapping_mul(31).wrapping_add(*byte)) as usize >> shift;
        // Narrow states are compared as little-endian numbers.
        let key = |state: &[u8]| -> Vec<u8> {
            if width <= NARROW { state.iter().rev().copied().collect() } else { state.to_vec() }
        };
        let state = |seed: u64| {
            seed.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed % 3)).to_le_bytes().repeat(2)[..width].to_vec()
        };
        let states: Vec<Vec<u8>> = seeds.into_iter().map(state).collect();
        let (mut set, batch) = (StateSet::new(width), batch_of(width, &states));
        set.insert(&batch, 0..batch.len());
        let mut got = Vec::new();
        let emit = |bin: usize, state: &[u8]| {
            got.push((bin, key(state)));
            Ok::<(), ()>(())
        };
        set.sorted(bin, || Ok(()), emit).expect("no error");
        let plain: BTreeSet<_> = states.iter().map(|state| (bin(state), key(state))).collect();
        prop_assert_eq!(got, plain.into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn sorting_stops_at_the_first_error() {
    for width in [3usize, 9] {
        let asked = Cell::new(0);
        let make = || {
            let (mut set, mut batch) = (StateSet::new(width), Batch::new(width));
            for seed in 0..200_000u64 {
                batch.push(|out| out[..3].copy_from_slice(&seed.to_le_bytes()[..3]));
            }
            set.insert(&batch, 0..batch.len());
            set
        };
        let bin = |state: &[u8]| usize::from(state[0]);
        let ask = |stop: u32| {
            asked.set(0);
            let count = || {
                asked.set(asked.get() + 1);
                if asked.get() == stop { Err(()) } else { Ok(()) }
            };
            (make().sorted(bin, count, |_, _| Ok(())), asked.get())
        };
        let (whole, all) = ask(u32::MAX);
        assert!(whole.is_ok() && all > 8, "{width}: asked {all} times");
        for stop in [1, 3, 6, all] {
            assert_eq!(ask(stop), (Err(()), stop));
        }
    }
}

#[test]
fn a_store_is_small_and_bytes_after_is_an_upper_bound() {
    let mut store = Store::new(5);
    let mut batch = Batch::new(5);
    for first in (0u64..1_000_000).step_by(1000) {
        for n in first..first + 1000 {
            batch.push(|out| out.copy_from_slice(&(n * 7919).to_le_bytes()[..5]));
        }
        let forecast = store.bytes_after(1000);
        store.insert_all(&mut batch, |_, _, new| assert!(new));
        assert!(store.bytes() <= forecast, "{} > {forecast}", store.bytes());
    }
    assert_eq!(store.find(&(7919u64 * 999_999).to_le_bytes()[..5]), Some(999_999));
    let per_state = store.bytes() as f64 / store.len() as f64;
    assert!(per_state < 5.0 + 10.0, "{per_state} bytes per state");
}

#[test]
fn columns_hold_what_was_pushed_and_set() {
    let mut column = Column::new();
    for n in 0..200_000u32 {
        column.push(n);
    }
    column.set(131_072, 7);
    assert_eq!((column.get(65_535), column.get(65_536), column.get(131_072), column.get(199_999)), (65_535, 65_536, 7, 199_999));
    let mut forecast = column.bytes_after(70_000);
    assert!(forecast < 270_000 * 4 + 2 * (4 << 16));
    for n in 0..70_000 {
        column.push(n);
    }
    assert!(column.bytes() <= forecast);
    let mut small = Column::new();
    for n in 0..3000u64 {
        forecast = small.bytes_after(1).max(64);
        small.push(n);
        assert!(small.bytes() <= forecast, "{n}");
    }
}
