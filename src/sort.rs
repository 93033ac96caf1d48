//! Sorting of lists outside inner loops.
//!
//! The standard library's sort is compiled again for every type and every order, each time to several kilobytes. In this module, the
//! sort is compiled only once: it sorts the places of the items through a function pointer, and then the items are moved. Inner loops
//! use the standard library directly.

use std::cmp::Ordering;

/// Sorts in ascending order. Equal items keep their order.
pub fn ascending<T: Ord>(list: &mut [T]) {
    by(list, T::cmp);
}

/// Sorts by a key, which is computed once for each item. Items with equal keys keep their order.
pub fn by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    if list.len() > 1 {
        let keys: Vec<K> = list.iter().map(key).collect();
        arrange(list, places(keys.len(), &|a, b| keys[a].cmp(&keys[b])));
    }
}

/// Sorts by a comparison. Equal items keep their order.
pub fn by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if list.len() > 1 {
        let places = places(list.len(), &|a, b| compare(&list[a], &list[b]));
        arrange(list, places);
    }
}

/// The places of the items in sorted order.
#[inline(never)]
fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|&a, &b| compare(a, b));
    places
}

/// Moves to each `place` the item at `from[place]`. Every item is moved once, along the cycles of the permutation.
fn arrange<T>(list: &mut [T], mut from: Vec<usize>) {
    for start in 0..from.len() {
        let mut to = start;
        loop {
            let source = std::mem::replace(&mut from[to], to);
            if source == start {
                break;
            }
            list.swap(to, source);
            to = source;
        }
    }
}
