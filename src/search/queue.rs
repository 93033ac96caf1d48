//! The open list: buckets of ids by priority, then by estimate, last in first out within a bucket.
//!
//! Costs are whole numbers, so few priorities are in use at a time and a bucket is a plain stack: four bytes per entry and
//! no sifting. An id may be pushed again with a better priority; the reader skips the stale entry when it comes up.

use std::collections::BTreeMap;

use super::store::Id;
use crate::rules::Cost;

/// The priority, then the estimate that breaks ties: among equals the state nearest to the goal goes first.
pub(super) type Key = (u64, Cost);

#[derive(Default)]
pub(super) struct Queue {
    /// The bucket in use, taken out of the map. Its key is below all keys in the map, also while it is empty.
    top: (Key, Vec<Id>),
    rest: BTreeMap<Key, Vec<Id>>,
    len: usize,
    /// Entries that the buckets have room for.
    capacity: usize,
}

impl Queue {
    #[inline]
    pub(super) fn push(&mut self, key: Key, id: Id) {
        self.len += 1;
        if key > self.top.0 {
            return put(self.rest.entry(key).or_default(), id, &mut self.capacity);
        }
        if key < self.top.0 {
            self.change_top(key);
        }
        put(&mut self.top.1, id, &mut self.capacity);
    }

    /// The best entry; it stays.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<(Key, Id)> {
        if self.top.1.is_empty() {
            let key = *self.rest.first_key_value()?.0;
            self.change_top(key);
        }
        self.top.1.last().map(|&id| (self.top.0, id))
    }

    /// Removes the entry that `peek` showed.
    #[inline]
    pub(super) fn pop(&mut self) {
        if self.top.1.pop().is_some() {
            self.len -= 1;
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Bytes held after `more` further entries. The bucket in use may have to double.
    pub(super) fn bytes_after(&self, more: usize) -> usize {
        let doubled = if more == 0 { 0 } else { self.top.1.capacity() };
        (self.capacity + more + doubled) * size_of::<Id>() + self.rest.len() * size_of::<(Key, Vec<Id>)>()
    }

    /// Makes the bucket of `key`, which may be new, the one in use. The old one goes back, or away if it is empty.
    fn change_top(&mut self, key: Key) {
        let bucket = self.rest.remove(&key).unwrap_or_default();
        let (old_key, old) = std::mem::replace(&mut self.top, (key, bucket));
        if old.is_empty() {
            self.capacity -= old.capacity();
        } else {
            self.rest.insert(old_key, old);
        }
    }
}

#[inline]
fn put(bucket: &mut Vec<Id>, id: Id, capacity: &mut usize) {
    let before = bucket.capacity();
    bucket.push(id);
    *capacity += bucket.capacity() - before;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against a plain list searched from end to end, with pops between the pushes.
        #[test]
        fn gives_the_least_key_last_in_first_out(ops in prop::collection::vec(prop::option::of((0u64..6, 0u32..4)), 0..400)) {
            let mut queue = Queue::default();
            let mut list: Vec<(Key, Id)> = Vec::new();
            for (id, op) in ops.into_iter().enumerate() {
                match op {
                    Some(key) => {
                        queue.push(key, id as Id);
                        list.push((key, id as Id));
                    }
                    None => {
                        let expected = list.iter().enumerate().min_by_key(|(at, (key, _))| (*key, std::cmp::Reverse(*at)));
                        let expected = expected.map(|(at, &entry)| (at, entry));
                        prop_assert_eq!(queue.peek(), expected.map(|(_, entry)| entry));
                        queue.pop();
                        if let Some((at, _)) = expected {
                            list.remove(at);
                        }
                    }
                }
                prop_assert_eq!(queue.len(), list.len());
                let room: usize = queue.rest.values().map(Vec::capacity).sum::<usize>() + queue.top.1.capacity();
                prop_assert_eq!(queue.capacity, room);
            }
        }
    }
}
