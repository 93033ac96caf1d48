//! Data about stored states: one value per id, parallel to a store.

use super::store::Id;

/// Number of values per chunk. Only the first chunk grows; the others are allocated at full size and never move.
const CHUNK: usize = 1 << 16;

/// A list with one value for each id of a store. Like the store's arena, a column grows in chunks.
pub struct Column<T> {
    chunks: Vec<Vec<T>>,
}

impl<T: Copy> Column<T> {
    pub fn new() -> Self {
        Column { chunks: Vec::new() }
    }

    /// Appends the value for the next id.
    #[inline]
    pub fn push(&mut self, value: T) {
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => chunk.push(value),
            last => {
                let mut chunk = Vec::new();
                if last.is_some() {
                    chunk.reserve_exact(CHUNK);
                }
                chunk.push(value);
                self.chunks.push(chunk);
            }
        }
    }

    #[inline]
    pub fn get(&self, id: Id) -> T {
        self.chunks[id as usize / CHUNK][id as usize % CHUNK]
    }

    #[inline]
    pub fn set(&mut self, id: Id, value: T) {
        self.chunks[id as usize / CHUNK][id as usize % CHUNK] = value;
    }

    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Number of bytes used after adding `more` values.
    pub fn bytes_after(&self, more: usize) -> usize {
        if more == 0 {
            return self.bytes();
        }
        let full = self.chunks.len().saturating_sub(1) * CHUNK;
        let values = full + self.chunks.last().map_or(0, Vec::len) + more;
        let room = if values <= CHUNK { 2 * values } else { values.div_ceil(CHUNK) * CHUNK };
        (room * size_of::<T>()).max(self.bytes())
    }

    pub fn bytes(&self) -> usize {
        let tail: usize = self.chunks.iter().rev().take(2).map(Vec::capacity).sum();
        (self.chunks.len().saturating_sub(2) * CHUNK + tail) * size_of::<T>()
    }
}

impl<T: Copy> Default for Column<T> {
    fn default() -> Self {
        Column::new()
    }
}
