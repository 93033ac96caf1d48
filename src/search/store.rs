//! Packed states by id: the memory of every search, made for tens of millions of states.
//!
//! Three parts. An *arena* holds each distinct state once, packed to the width that its game asks for, in insertion order;
//! the id of a state is its place there. A *table* finds the id of a state: buckets of one cache line, each with twelve
//! one-byte tags and twelve ids, so that a look-up costs one line there and, if a tag matches, one line of the arena.
//! Neither keeps hashes, parents or costs: a rebuilt table rehashes the arena from end to end, and what a search knows
//! about its states it keeps in [`Column`]s beside the store.
//!
//! On big spaces the time goes into waiting for memory. So states are inserted in *batches*: first all hashes are computed
//! and all buckets touched, then the arena lines that the tags point to, and only then is anything compared. The loads of
//! one pass do not depend on each other, so the processor has many of them under way at once. This needs no prefetch
//! instruction, hence no unsafe code, and works on every target.
//!
//! The table grows by half, not by doubling, and the old one is dropped before the new one is made (the arena has all that
//! is needed), so a store takes its width plus about 6 to 10 bytes per state, also while it grows.
//!
//! Absent on purpose: deletion, and ids beyond 32 bits.

/// The place of a state in its store: 0, 1, 2, … in insertion order.
pub type Id = u32;

/// States per arena chunk and entries per column chunk. Chunks never move once full, so nothing is copied on growth.
const CHUNK: usize = 1 << 16;
/// Every chunk ends with so many spare bytes that a whole word can be read anywhere in it.
const PAD: usize = 8;
/// Entries per bucket: 12 tags + 1 length + 3 spare + 12 ids of 4 bytes = 64.
const SLOTS: usize = 12;

/// Distinct packed states, found by content and by id.
pub struct Store {
    width: usize,
    /// For states of at most eight bytes, which are handled as numbers: the bits they use.
    mask: Option<u64>,
    chunks: Vec<Vec<u8>>,
    len: usize,
    buckets: Vec<Bucket>,
    /// States beyond which the table must grow.
    room: usize,
    /// Keeps the touching loads alive.
    sink: u8,
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket {
    /// Tags in bytes 0..12, the number of entries in byte 12.
    head: [u8; 16],
    ids: [Id; SLOTS],
}

impl Store {
    /// An empty store for states of `width` bytes.
    pub fn new(width: usize) -> Store {
        let mask = (width <= 8).then(|| u64::MAX.checked_shr(64 - 8 * width as u32).unwrap_or(0));
        Store { width, mask, chunks: Vec::new(), len: 0, buckets: Vec::new(), room: 0, sink: 0 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The packed state with this id.
    pub fn get(&self, id: Id) -> &[u8] {
        let (chunk, at) = self.place(id);
        &self.chunks[chunk][at..at + self.width]
    }

    /// The id of a packed state, if it is here.
    pub fn find(&self, state: &[u8]) -> Option<Id> {
        if self.buckets.is_empty() {
            return None;
        }
        self.probe(hash(state), |id| self.get(id) == state).ok()
    }

    /// The id of a packed state, and whether it is new.
    pub fn insert(&mut self, state: &[u8]) -> (Id, bool) {
        let mut batch = Batch::new(self.width);
        batch.push(|out| out.copy_from_slice(state));
        let mut result = (0, false);
        self.insert_all(&mut batch, |_, id, new| result = (id, new));
        result
    }

    /// Inserts the batch in order, calls `seen(index, id, is_new)` for each state and empties the batch. Gives the same ids
    /// as inserting one by one.
    pub fn insert_all(&mut self, batch: &mut Batch, mut seen: impl FnMut(usize, Id, bool)) {
        debug_assert_eq!(batch.width, self.width);
        let count = batch.len();
        self.reserve(count);
        let mut sink = 0;
        batch.hashes.clear();
        for index in 0..count {
            let hash = match self.mask {
                Some(mask) => hash_word(batch.word(index) & mask),
                None => hash(batch.get(index)),
            };
            batch.hashes.push(hash);
            sink ^= self.buckets[self.home(hash)].head[SLOTS];
        }
        for &hash in &batch.hashes {
            let bucket = &self.buckets[self.home(hash)];
            if let Some(slot) = bucket.matches(hash).next() {
                let (chunk, at) = self.place(bucket.ids[slot]);
                sink ^= self.chunks[chunk][at];
            }
        }
        self.sink ^= sink;
        for index in 0..count {
            let hash = batch.hashes[index];
            let found = match self.mask {
                Some(mask) => {
                    let key = batch.word(index) & mask;
                    self.probe(hash, |id| self.word(id) & mask == key)
                }
                None => {
                    let state = batch.get(index);
                    self.probe(hash, |id| self.get(id) == state)
                }
            };
            match found {
                Ok(id) => seen(index, id, false),
                Err(at) => {
                    let id = Id::try_from(self.len).expect("a store holds at most 2^32 states");
                    self.buckets[at].push(hash, id);
                    self.append(batch, index);
                    seen(index, id, true);
                }
            }
        }
        batch.clear();
    }

    /// Bytes held now.
    pub fn bytes(&self) -> usize {
        self.arena_bytes() + self.buckets.len() * size_of::<Bucket>()
    }

    /// Bytes held after `more` further states: what a search with a memory limit must ask for *before* it goes on.
    pub fn bytes_after(&self, more: usize) -> usize {
        let mut buckets = self.buckets.len();
        if self.len + more > self.room {
            buckets = grown(buckets, self.len + more);
        }
        self.arena_bytes() + more * self.width + buckets * size_of::<Bucket>()
    }

    fn arena_bytes(&self) -> usize {
        // All chunks but the first and only one are full-sized.
        match self.chunks.as_slice() {
            [only] => only.len(),
            all => all.len() * self.chunk_bytes(),
        }
    }

    fn chunk_bytes(&self) -> usize {
        CHUNK * self.width + PAD
    }

    fn place(&self, id: Id) -> (usize, usize) {
        (id as usize / CHUNK, id as usize % CHUNK * self.width)
    }

    /// The bucket where a search for this hash begins: the high bits, scaled to the number of buckets.
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.buckets.len() as u128) >> 64) as usize
    }

    /// The id for which `same` holds, or the bucket that has a free slot for a new one.
    fn probe(&self, hash: u64, same: impl Fn(Id) -> bool) -> Result<Id, usize> {
        let mut at = self.home(hash);
        loop {
            let bucket = &self.buckets[at];
            for slot in bucket.matches(hash) {
                if same(bucket.ids[slot]) {
                    return Ok(bucket.ids[slot]);
                }
            }
            if bucket.len() < SLOTS {
                return Err(at);
            }
            at += 1;
            if at == self.buckets.len() {
                at = 0;
            }
        }
    }

    /// The word that begins where the state does; a state shorter than that has its successors in the upper bytes.
    fn word(&self, id: Id) -> u64 {
        let (chunk, at) = self.place(id);
        word_at(&self.chunks[chunk], at)
    }

    fn append(&mut self, batch: &Batch, index: usize) {
        let (chunk, at) = (self.len / CHUNK, self.len % CHUNK * self.width);
        let end = at + self.width + PAD;
        let full = self.chunk_bytes();
        if chunk == self.chunks.len() {
            self.chunks.push(vec![0; if chunk == 0 { end } else { full }]);
        }
        let chunk = &mut self.chunks[chunk];
        if end > chunk.len() {
            // Only the first chunk grows, so that small searches stay small.
            let size = full.min(2 * end);
            chunk.reserve_exact(size - chunk.len());
            chunk.resize(size, 0);
        }
        if self.mask.is_some() {
            // A whole word is quicker than its part. What follows the state is not in use yet.
            chunk[at..at + 8].copy_from_slice(&batch.word(index).to_le_bytes());
        } else {
            chunk[at..at + self.width].copy_from_slice(batch.get(index));
        }
        self.len += 1;
    }

    fn reserve(&mut self, more: usize) {
        if self.len + more <= self.room {
            return;
        }
        self.rebuild(more);
    }

    #[cold]
    fn rebuild(&mut self, more: usize) {
        let count = grown(self.buckets.len(), self.len + more);
        self.buckets = Vec::new();
        self.buckets = vec![Bucket { head: [0; 16], ids: [0; SLOTS] }; count];
        self.room = room(count);
        let mut hashes = Vec::with_capacity(256);
        for first in (0..self.len).step_by(256) {
            let ids = first..self.len.min(first + 256);
            hashes.clear();
            let mut sink = 0;
            for id in ids.clone() {
                let hash = match self.mask {
                    Some(mask) => hash_word(self.word(id as Id) & mask),
                    None => hash(self.get(id as Id)),
                };
                hashes.push(hash);
                sink ^= self.buckets[self.home(hash)].head[SLOTS];
            }
            self.sink ^= sink;
            for (id, &hash) in ids.zip(&hashes) {
                let Err(at) = self.probe(hash, |_| false) else { unreachable!("nothing is the same") };
                self.buckets[at].push(hash, id as Id);
            }
        }
    }
}

impl Bucket {
    fn len(&self) -> usize {
        self.head[SLOTS] as usize
    }

    fn push(&mut self, hash: u64, id: Id) {
        let slot = self.len();
        self.head[slot] = hash as u8;
        self.ids[slot] = id;
        self.head[SLOTS] += 1;
    }

    /// The slots whose tag is that of `hash`: all twelve are compared at once in one wide word. A slot after a true match
    /// may be named wrongly; the caller compares states anyway.
    fn matches(&self, hash: u64) -> impl Iterator<Item = usize> {
        const ONES: u128 = u128::from_le_bytes([1; 16]);
        let differ = u128::from_le_bytes(self.head) ^ (ONES * u128::from(hash as u8));
        let zero = differ.wrapping_sub(ONES) & !differ & (ONES << 7);
        let mut left = zero & ((1 << (8 * self.len())) - 1);
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let slot = left.trailing_zeros() as usize / 8;
                left &= left - 1;
                slot
            })
        })
    }
}

/// States that a table of so many buckets takes before it grows: seventeen twentieths of its slots.
fn room(buckets: usize) -> usize {
    buckets * SLOTS / 20 * 17
}

/// The next table size that has room for `states`.
fn grown(mut buckets: usize, states: usize) -> usize {
    buckets = buckets.max(20);
    while room(buckets) < states {
        buckets += buckets / 2;
    }
    buckets
}

/// Hashes a packed state. Folded multiplication: both halves of the product count, so every input bit reaches the high
/// bits (which choose the bucket) and the low ones (which are the tag).
fn hash(state: &[u8]) -> u64 {
    let mut hash = 0;
    let mut words = state.chunks_exact(8);
    for bytes in &mut words {
        hash = hash_word(hash ^ word_at(bytes, 0));
    }
    let rest = words.remainder();
    if rest.is_empty() && !state.is_empty() {
        return hash;
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    hash_word(hash ^ u64::from_le_bytes(last))
}

fn hash_word(word: u64) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let once = fold(word ^ 0x9e37_79b9_7f4a_7c15, 0xa076_1d64_78bd_642f);
    fold(once, 0xe703_7ed1_a0b4_28db)
}

fn word_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

/// Packed states on their way into a store.
pub struct Batch {
    width: usize,
    /// The states one after the other, and a spare word; it never shrinks.
    bytes: Vec<u8>,
    count: usize,
    hashes: Vec<u64>,
}

impl Batch {
    pub fn new(width: usize) -> Batch {
        Batch { width, bytes: vec![0; PAD], count: 0, hashes: Vec::new() }
    }

    /// Adds a state; `pack` writes all of it.
    pub fn push(&mut self, pack: impl FnOnce(&mut [u8])) {
        let at = self.count * self.width;
        if self.bytes.len() < at + self.width + PAD {
            self.bytes.resize(2 * (at + self.width + PAD), 0);
        }
        pack(&mut self.bytes[at..at + self.width]);
        self.count += 1;
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn clear(&mut self) {
        self.count = 0;
    }

    fn get(&self, index: usize) -> &[u8] {
        &self.bytes[index * self.width..(index + 1) * self.width]
    }

    fn word(&self, index: usize) -> u64 {
        word_at(&self.bytes, index * self.width)
    }
}

/// One value per id, beside a store. Like the arena it grows by chunks and never moves what it holds.
pub struct Column<T> {
    chunks: Vec<Vec<T>>,
}

impl<T: Copy> Column<T> {
    pub fn new() -> Self {
        Column { chunks: Vec::new() }
    }

    /// Appends the value for the next id.
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

    pub fn get(&self, id: Id) -> T {
        self.chunks[id as usize / CHUNK][id as usize % CHUNK]
    }

    pub fn set(&mut self, id: Id, value: T) {
        self.chunks[id as usize / CHUNK][id as usize % CHUNK] = value;
    }

    /// Bytes held now.
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    #[test]
    fn a_bucket_is_one_cache_line() {
        assert_eq!(size_of::<Bucket>(), 64);
    }

    proptest! {
        /// Batches of any size give the ids that one-by-one insertion into a plain map gives, at every width.
        #[test]
        fn agrees_with_a_hash_map(
            width in 0usize..20,
            seeds in prop::collection::vec(0u32..3000, 0..4000),
            size in 1usize..300,
        ) {
            let state = |seed: u32| -> Vec<u8> {
                (0..width).map(|i| (seed.wrapping_mul(0x9e37_79b9).rotate_left(i as u32 * 5) >> 11) as u8 ^ i as u8).collect()
            };
            let mut map: HashMap<Vec<u8>, Id> = HashMap::new();
            let mut store = Store::new(width);
            let mut batch = Batch::new(width);
            for part in seeds.chunks(size) {
                let mut expected = Vec::new();
                for &seed in part {
                    let next = map.len() as Id;
                    let state = state(seed);
                    batch.push(|out| out.copy_from_slice(&state));
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
    }

    #[test]
    fn many_states_stay_small_and_bytes_after_is_a_true_forecast() {
        let mut store = Store::new(5);
        let mut batch = Batch::new(5);
        for first in (0u64..1_000_000).step_by(1000) {
            for n in first..first + 1000 {
                batch.push(|out| out.copy_from_slice(&(n * 7919).to_le_bytes()[..5]));
            }
            let forecast = store.bytes_after(1000);
            store.insert_all(&mut batch, |_, _, new| assert!(new));
            assert!(store.bytes() <= forecast + CHUNK * 5 + PAD, "{} > {forecast}", store.bytes());
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
        assert!(column.bytes() < 200_000 * 4 + 2 * CHUNK * 4);
    }
}
