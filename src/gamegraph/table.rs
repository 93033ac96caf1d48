//! The transposition table: values by key. Keys may have any length. Keys of the same length share a [`Store`], so that a short key
//! takes few bytes. Keys are stored in full, so no two positions are ever confused.

use crate::search::store::Store;
use crate::space::Batch;

/// A value per key.
pub struct Transpositions<V> {
    /// Indexed by key length.
    shelves: Vec<Option<Shelf<V>>>,
    len: u64,
}

struct Shelf<V> {
    keys: Store,
    values: Vec<V>,
    batch: Batch,
}

impl<V: Copy> Default for Transpositions<V> {
    fn default() -> Self {
        Transpositions { shelves: Vec::new(), len: 0 }
    }
}

impl<V: Copy> Transpositions<V> {
    pub fn get(&self, key: &[u8]) -> Option<V> {
        let shelf = self.shelves.get(key.len())?.as_ref()?;
        shelf.keys.find(key).map(|id| shelf.values[id as usize])
    }

    /// Stores the value of a key. A known key keeps its value.
    pub fn put(&mut self, key: &[u8], value: V) {
        if self.shelves.len() <= key.len() {
            self.shelves.resize_with(key.len() + 1, || None);
        }
        let new = || Shelf { keys: Store::new(key.len()), values: Vec::new(), batch: Batch::new(key.len()) };
        let shelf = self.shelves[key.len()].get_or_insert_with(new);
        shelf.batch.push(|out| out.copy_from_slice(key));
        let (values, len) = (&mut shelf.values, &mut self.len);
        shelf.keys.insert_all(&mut shelf.batch, |_, _, is_new| {
            if is_new {
                values.push(value);
                *len += 1;
            }
        });
    }

    /// Stores the value of a key, also of a known one.
    pub fn replace(&mut self, key: &[u8], value: V) {
        let known = self.shelves.get_mut(key.len()).and_then(Option::as_mut);
        match known.and_then(|shelf| shelf.keys.find(key).map(|id| &mut shelf.values[id as usize])) {
            Some(place) => *place = value,
            None => self.put(key, value),
        }
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn bytes(&self) -> usize {
        let shelf = |shelf: &Shelf<V>| shelf.keys.bytes() + shelf.values.capacity() * size_of::<V>() + shelf.batch.bytes();
        self.shelves.iter().flatten().map(shelf).sum()
    }
}
