//! The open list: levels by priority, and in each level, entries by estimate. Among entries with equal keys, the order is last in, first
//! out.
//!
//! Costs are whole numbers, so few priorities are in use at a time. In many puzzles, few estimates are in use as well, and a large
//! level has a stack of ids for each estimate: four bytes per entry and no sifting. On a map with exact distances, however, most
//! estimates occur only once. Therefore a small level is one list of estimates and ids, which is sorted when the search reaches it. An
//! id may be pushed again with a better priority; the caller skips the stale entry when it reaches it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::store::Id;
use super::tree::Nodes;
use crate::rules::Cost;

/// The priority, then the estimate, which breaks ties: among states of equal priority, the one with the least estimate is first.
pub type Key = (u64, Cost);

#[derive(Default)]
pub struct Queue {
    /// The level in use, removed from the map. Its priority is below all priorities in the map, even while it is empty.
    top: (u64, Level),
    rest: BTreeMap<u64, Level>,
    len: usize,
    /// Number of bytes in the levels.
    bytes: usize,
}

impl Queue {
    #[inline]
    pub fn push(&mut self, (priority, estimate): Key, id: Id) {
        self.len += 1;
        if priority > self.top.0 {
            return self.rest.entry(priority).or_default().push(estimate, id, &mut self.bytes);
        }
        if priority < self.top.0 {
            self.change_top(priority);
        }
        self.top.1.push(estimate, id, &mut self.bytes);
    }

    /// The best entry, without removing it.
    #[inline]
    pub fn peek(&mut self) -> Option<(Key, Id)> {
        loop {
            if let Some((estimate, id)) = self.top.1.peek(&mut self.bytes) {
                return Some(((self.top.0, estimate), id));
            }
            let priority = *self.rest.first_key_value()?.0;
            self.change_top(priority);
        }
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
        let popped = match &mut self.top.1 {
            Level::Small(list) => list.pop().is_some(),
            Level::Large(stacks) => stacks.top.1.pop().is_some(),
        };
        self.len -= usize::from(popped);
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of bytes in the levels.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The value of [`Queue::bytes`], computed from the levels, for the tests.
    pub fn bytes_in_levels(&self) -> usize {
        self.rest.values().chain([&self.top.1]).map(Level::bytes).sum()
    }

    /// Number of bytes used after adding `more` entries, which may force the stack in use to double.
    pub fn bytes_after(&self, more: usize) -> usize {
        let doubled = match &self.top.1 {
            _ if more == 0 => 0,
            Level::Small(list) => list.capacity() * size_of::<Entry>(),
            Level::Large(stacks) => stacks.top.1.capacity() * size_of::<Id>(),
        };
        self.bytes + more * size_of::<Entry>() + doubled + self.rest.len() * size_of::<(u64, Level)>()
    }

    /// Changes the level in use to the level of this priority, which may be new. The old level is put back, or dropped if it is empty.
    fn change_top(&mut self, priority: u64) {
        let level = self.rest.remove(&priority).unwrap_or_default();
        let (old_priority, old) = std::mem::replace(&mut self.top, (priority, level));
        if old.is_empty() {
            self.bytes -= old.bytes();
        } else {
            self.rest.insert(old_priority, old);
        }
    }
}

/// An entry of a small level: the estimate and the id.
type Entry = (Cost, Id);

/// The entries of one priority.
enum Level {
    Small(List),
    Large(Stacks),
}

/// Maximum number of entries in a small level. Sorting this many entries takes about as long as expanding a few dozen states.
const SMALL: usize = 1024;

impl Default for Level {
    fn default() -> Self {
        Level::Small(List::default())
    }
}

impl Level {
    #[inline]
    fn push(&mut self, estimate: Cost, id: Id, bytes: &mut usize) {
        match self {
            Level::Small(list) if list.entries.len() < SMALL => list.push((estimate, id), bytes),
            Level::Small(_) => self.enlarge(estimate, id, bytes),
            Level::Large(stacks) => stacks.push(estimate, id, bytes),
        }
    }

    /// Replaces a list by stacks, and adds an entry.
    #[cold]
    fn enlarge(&mut self, estimate: Cost, id: Id, bytes: &mut usize) {
        if let Level::Small(list) = self {
            *bytes -= list.capacity() * size_of::<Entry>();
            let mut stacks = Stacks::default();
            list.entries.drain(..).for_each(|(estimate, id)| stacks.push(estimate, id, bytes));
            stacks.push(estimate, id, bytes);
            *self = Level::Large(stacks);
        }
    }

    /// The entry with the least estimate; among several, the newest.
    #[inline]
    fn peek(&mut self, bytes: &mut usize) -> Option<Entry> {
        match self {
            Level::Small(list) => list.peek(),
            Level::Large(stacks) => stacks.peek(bytes),
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Level::Small(list) => list.entries.is_empty(),
            Level::Large(stacks) => stacks.top.1.is_empty() && stacks.rest.is_empty(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Level::Small(list) => list.capacity() * size_of::<Entry>(),
            Level::Large(Stacks { top, rest }) => {
                rest.values().chain([&top.1]).map(|stack| stack.capacity() * size_of::<Id>()).sum::<usize>() + rest.len() * STACK_BYTES
            }
        }
    }
}

/// A small level: the first `sorted` entries have descending estimates, and older entries before newer ones.
#[derive(Default)]
struct List {
    entries: Vec<Entry>,
    sorted: usize,
}

impl List {
    #[inline]
    fn push(&mut self, entry: Entry, bytes: &mut usize) {
        let before = self.entries.capacity();
        self.entries.push(entry);
        *bytes += (self.entries.capacity() - before) * size_of::<Entry>();
    }

    #[inline]
    fn peek(&mut self) -> Option<Entry> {
        if self.sorted < self.entries.len() {
            self.sort();
        }
        self.entries.last().copied()
    }

    #[inline]
    fn pop(&mut self) -> Option<Entry> {
        let popped = self.entries.pop();
        self.sorted = self.entries.len();
        popped
    }

    #[inline(never)]
    fn sort(&mut self) {
        if self.entries.len() - self.sorted > 8 {
            self.entries.sort_by_key(|entry| Reverse(entry.0));
        } else {
            for at in self.sorted..self.entries.len() {
                let estimate = self.entries[at].0;
                // Usually a child has a smaller estimate than all others.
                if at > 0 && self.entries[at - 1].0 < estimate {
                    let place = self.entries[..at].partition_point(|entry| entry.0 >= estimate);
                    self.entries[place..=at].rotate_right(1);
                }
            }
        }
        self.sorted = self.entries.len();
    }

    fn capacity(&self) -> usize {
        self.entries.capacity()
    }
}

/// A large level: a stack for each estimate.
#[derive(Default)]
struct Stacks {
    /// The stack in use, removed from the map. Its estimate is below all estimates in the map, even while it is empty.
    top: (Cost, Vec<Id>),
    rest: BTreeMap<Cost, Vec<Id>>,
}

/// The size of a stack in the map, without its entries.
const STACK_BYTES: usize = size_of::<(Cost, Vec<Id>)>();

impl Stacks {
    #[inline]
    fn push(&mut self, estimate: Cost, id: Id, bytes: &mut usize) {
        if estimate < self.top.0 {
            self.change_top(estimate, bytes);
        }
        let stack = if estimate == self.top.0 {
            &mut self.top.1
        } else {
            self.rest.entry(estimate).or_insert_with(|| {
                *bytes += STACK_BYTES;
                Vec::new()
            })
        };
        let before = stack.capacity();
        stack.push(id);
        *bytes += (stack.capacity() - before) * size_of::<Id>();
    }

    #[inline]
    fn peek(&mut self, bytes: &mut usize) -> Option<Entry> {
        if self.top.1.is_empty() {
            let estimate = *self.rest.first_key_value()?.0;
            self.change_top(estimate, bytes);
        }
        self.top.1.last().map(|&id| (self.top.0, id))
    }

    fn change_top(&mut self, estimate: Cost, bytes: &mut usize) {
        let stack = self.rest.remove(&estimate);
        *bytes -= if stack.is_some() { STACK_BYTES } else { 0 };
        let (old_estimate, old) = std::mem::replace(&mut self.top, (estimate, stack.unwrap_or_default()));
        if old.is_empty() {
            *bytes -= old.capacity() * size_of::<Id>();
        } else {
            *bytes += STACK_BYTES;
            self.rest.insert(old_estimate, old);
        }
    }
}
