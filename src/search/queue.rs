//! The open list: buckets of ids by priority, then by estimate. Within a bucket, the order is last in, first out.
//!
//! Costs are whole numbers, so few priorities are in use at a time and a bucket is a plain stack: four bytes per entry and no
//! sifting. An id may be pushed again with a better priority; the caller skips the stale entry when it reaches it.

use std::collections::BTreeMap;

use super::store::Id;
use super::tree::Nodes;
use crate::rules::Cost;

/// The priority, then the estimate, which breaks ties: among states of equal priority, the one with the least estimate is first.
pub type Key = (u64, Cost);

#[derive(Default)]
pub struct Queue {
    /// The bucket in use, removed from the map. Its key is below all keys in the map, even while it is empty.
    top: (Key, Vec<Id>),
    rest: BTreeMap<Key, Vec<Id>>,
    len: usize,
    /// Number of entries that fit in the buckets.
    capacity: usize,
}

impl Queue {
    #[inline]
    pub fn push(&mut self, key: Key, id: Id) {
        self.len += 1;
        if key > self.top.0 {
            return put(self.rest.entry(key).or_default(), id, &mut self.capacity);
        }
        if key < self.top.0 {
            self.change_top(key);
        }
        put(&mut self.top.1, id, &mut self.capacity);
    }

    /// The best entry, without removing it.
    #[inline]
    pub fn peek(&mut self) -> Option<(Key, Id)> {
        if self.top.1.is_empty() {
            let key = *self.rest.first_key_value()?.0;
            self.change_top(key);
        }
        self.top.1.last().map(|&id| (self.top.0, id))
    }

    /// The best entry whose state is not closed. Stale entries before it are removed.
    #[inline]
    pub(super) fn peek_open(&mut self, nodes: &Nodes) -> Option<(Key, Id)> {
        while let Some((key, id)) = self.peek() {
            if !nodes.is_closed(id) {
                return Some((key, id));
            }
            self.pop();
        }
        None
    }

    /// Removes the entry that `peek` returned.
    #[inline]
    pub fn pop(&mut self) {
        if self.top.1.pop().is_some() {
            self.len -= 1;
        }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of entries that fit in the buckets.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// All buckets, for the tests.
    pub fn buckets(&self) -> impl Iterator<Item = &Vec<Id>> {
        self.rest.values().chain([&self.top.1])
    }

    /// Number of bytes used after adding `more` entries. The bucket in use may have to double.
    pub fn bytes_after(&self, more: usize) -> usize {
        let doubled = if more == 0 { 0 } else { self.top.1.capacity() };
        (self.capacity + more + doubled) * size_of::<Id>() + self.rest.len() * size_of::<(Key, Vec<Id>)>()
    }

    /// Makes the bucket of `key`, which may be new, the bucket in use. The old bucket is put back, or dropped if it is empty.
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
