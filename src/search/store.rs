//! Packed states by id, designed for searches that store tens of millions of states.
//!
//! An *arena* contains each distinct state once, packed to the width that its game requires, in insertion order. The id of a
//! state is its index in the arena. A *table* maps states to ids. Each of its buckets is one cache line with twelve one-byte tags and
//! twelve ids, so a look-up reads one line of the table and, if a tag matches, one line of the arena. Neither the arena nor the table
//! stores hashes, parents or costs: rebuilding the table rehashes the arena from end to end, and a search stores its own data about
//! states in columns parallel to the store.
//!
//! In large spaces, most of the time is spent waiting for memory. To overlap these waits, states are inserted in *batches*: first all
//! hashes are computed and all buckets are touched, then the arena lines that the tags point to are touched, and only then are states
//! compared. The loads of one pass do not depend on each other, so the processor overlaps many of them. This method needs no prefetch
//! instruction and therefore no unsafe code, and works on every target.
//!
//! A large table grows by half instead of doubling, and the old one is dropped before the new one is allocated (the arena
//! contains everything needed). For each state, a store therefore takes the width of the state plus about 6 to 10 bytes, even while it
//! grows.
//!
//! Deletion and ids beyond 32 bits are deliberately not supported.

use std::ops::Range;

use crate::space::Batch;
use crate::space::batch::{PAD, set_word, word_at};

/// The index of a state in its store: 0, 1, 2, … in insertion order.
pub type Id = u32;

/// Maximum number of states per arena chunk. Only the first chunk grows; the others are allocated at full size and never move.
const CHUNK: usize = 1 << 16;
/// Maximum number of bytes per arena chunk, unless a single state takes more.
const CHUNK_BYTES: usize = 4 << 20;
/// The number of states whose memory accesses overlap: enough to hide the latency, few enough to stay in the cache.
const WINDOW: usize = 128;
const NONE: Id = Id::MAX;
/// Maximum number of states in an array of ids, which then takes 16 MB.
const MOST_NUMBERS: u64 = 1 << 22;
/// Entries per bucket. The 64 bytes of a bucket are 12 tags, 1 length, 3 spare bytes and 12 ids of 4 bytes each.
const SLOTS: usize = 12;

/// Distinct packed states, found by content and by id.
pub struct Store {
    width: usize,
    /// A mask of the bits that states use. Set only for states of at most eight bytes, which are handled as numbers.
    mask: Option<u64>,
    /// The number of states per chunk is two to this power.
    shift: u32,
    chunks: Vec<Vec<u8>>,
    len: usize,
    buckets: Vec<Bucket>,
    /// Used instead of the table if all states are small numbers: for each number, the id plus 1, or 0 if the number is not stored.
    numbered: Vec<Id>,
    /// Number of states above which the table must grow.
    room: usize,
    /// A buffer for insertion: hashes and ids as input, results as output.
    window: Box<[(u64, Id); WINDOW]>,
    /// Keeps the compiler from removing the prefetching loads.
    sink: u8,
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket {
    /// Tags in bytes 0..12, the number of entries in byte 12.
    head: [u8; 16],
    ids: [Id; SLOTS],
}

const _: () = assert!(size_of::<Bucket>() == 64, "a bucket is one cache line");

impl Store {
    /// An empty store for states of `width` bytes.
    pub fn new(width: usize) -> Store {
        let mask = (width <= 8).then(|| u64::MAX.checked_shr(64 - 8 * width as u32).unwrap_or(0));
        let shift = CHUNK.min(CHUNK_BYTES / width.max(1)).max(1).ilog2();
        let window = Box::new([(0, 0); WINDOW]);
        Store { width, mask, shift, chunks: Vec::new(), len: 0, buckets: Vec::new(), numbered: Vec::new(), room: 0, window, sink: 0 }
    }

    /// An empty store for states of `width` bytes that are numbers below `below`, if that is known. If `below` is small, the ids are
    /// stored in an array.
    pub fn below(width: usize, below: Option<u64>) -> Store {
        let store = Store::new(width);
        match below.filter(|&below| below <= MOST_NUMBERS && (1..=8).contains(&width)) {
            Some(below) => Store { numbered: vec![0; below as usize], room: usize::MAX, ..store },
            None => store,
        }
    }

    /// True if ids are in an array, so that [`Store::insert_number`] can be used.
    #[inline]
    pub fn is_numbered(&self) -> bool {
        !self.numbered.is_empty()
    }

    /// Inserts a state, given as a number, into a store that is numbered. Returns its id and whether it is new.
    #[inline]
    pub fn insert_number(&mut self, state: u64) -> (Id, bool) {
        match self.numbered[state as usize] {
            0 => (self.add_number(state), true),
            known => (known - 1, false),
        }
    }

    fn add_number(&mut self, state: u64) -> Id {
        let id = self.len as Id;
        self.append_word(state);
        self.numbered[state as usize] = id + 1;
        id
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The packed state with this id.
    #[inline]
    pub fn get(&self, id: Id) -> &[u8] {
        let (chunk, at) = self.place(id);
        &self.chunks[chunk][at..at + self.width]
    }

    /// The id of a packed state, if it is stored.
    #[inline]
    pub fn find(&self, state: &[u8]) -> Option<Id> {
        if let (true, Some(mask)) = (self.is_numbered(), self.mask) {
            let mut bytes = [0; 8];
            bytes[..self.width].copy_from_slice(state);
            return self.numbered.get((u64::from_le_bytes(bytes) & mask) as usize)?.checked_sub(1);
        }
        if self.buckets.is_empty() {
            return None;
        }
        self.probe(hash(state), |id| self.get(id) == state).ok()
    }

    /// Inserts a packed state. Returns its id and whether it is new.
    pub fn insert(&mut self, state: &[u8]) -> (Id, bool) {
        let mut batch = Batch::new(self.width);
        batch.push(|out| out.copy_from_slice(state));
        let mut result = (0, false);
        self.insert_all(&mut batch, |_, id, new| result = (id, new));
        result
    }

    /// Inserts the batch in order, calls `seen(index, id, is_new)` for each state and empties the batch. The ids are the same as
    /// if the states were inserted one by one.
    #[inline]
    pub fn insert_all(&mut self, batch: &mut Batch, seen: impl FnMut(usize, Id, bool)) {
        self.insert_range(batch, 0..batch.len(), seen);
        batch.clear();
    }

    /// Like [`Store::insert_all`], but for part of a batch, which is not emptied.
    #[inline]
    pub fn insert_range(&mut self, batch: &Batch, range: Range<usize>, mut seen: impl FnMut(usize, Id, bool)) {
        debug_assert_eq!(batch.width(), self.width);
        self.reserve(range.len());
        let mut first = range.start;
        while first < range.end {
            let count = WINDOW.min(range.end - first);
            self.insert_window(batch, first, count);
            for at in 0..count {
                let (new, id) = self.window[at];
                seen(first + at, id, new != 0);
            }
            first += count;
        }
    }

    /// Inserts `count` states, at most `WINDOW`. For each state, the window then contains a flag (1 if the state is new, else 0) and
    /// the id. This is not generic over `seen`, because it would then be compiled again for every search of every game.
    fn insert_window(&mut self, batch: &Batch, first: usize, count: usize) {
        match self.mask {
            Some(mask) if self.is_numbered() => {
                for at in 0..count {
                    let (id, new) = self.insert_number(batch.word(first + at) & mask);
                    self.window[at] = (u64::from(new), id);
                }
            }
            // The loops are compiled separately for this common case.
            Some(mask) => self.insert_keys(batch, first, count, Words(mask)),
            None => self.insert_keys(batch, first, count, Slices),
        }
    }

    fn insert_keys<K: Keys>(&mut self, batch: &Batch, first: usize, count: usize, keys: K) {
        // Prepare the insertion: fill each entry of the window with the state's hash and the first id that its tag points to.
        let mut sink = 0;
        for at in 0..count {
            let hash = keys.hash(batch, first + at);
            self.window[at] = (hash, NONE);
            sink ^= self.buckets[self.home(hash)].head[SLOTS];
        }
        for at in 0..count {
            let hash = self.window[at].0;
            let bucket = &self.buckets[self.home(hash)];
            if let Some(slot) = bucket.matches(hash).next() {
                let guess = bucket.ids[slot];
                let (chunk, place) = self.place(guess);
                sink ^= self.chunks[chunk][place];
                self.window[at].1 = guess;
            }
        }
        self.sink ^= sink;
        for at in 0..count {
            let (hash, guess) = self.window[at];
            let index = first + at;
            self.window[at] = if guess != NONE && keys.same(self, guess, batch, index) {
                (0, guess)
            } else {
                match self.probe(hash, |id| keys.same(self, id, batch, index)) {
                    Ok(id) => (0, id),
                    Err(bucket) => {
                        let id = self.len as Id;
                        assert!(id != NONE, "a store holds fewer than 2^32 states");
                        self.buckets[bucket].push(hash, id);
                        self.append(batch, index);
                        (1, id)
                    }
                }
            };
        }
    }

    pub fn bytes(&self) -> usize {
        self.arena_bytes() + self.buckets.len() * size_of::<Bucket>() + size_of_val(&*self.numbered)
    }

    /// Number of bytes used after adding `more` states. A search with a memory limit checks this *before* it continues.
    pub fn bytes_after(&self, more: usize) -> usize {
        if more == 0 {
            return self.bytes();
        }
        let mut buckets = self.buckets.len();
        if self.len + more > self.room {
            buckets = grown(buckets, self.len + more);
        }
        let states = self.len + more;
        if states >= NONE as usize {
            return usize::MAX / 2;
        }
        let (few, chunks) = (states <= self.per_chunk(), states.div_ceil(self.per_chunk()));
        let arena = if few { 2 * (states * self.width + PAD) } else { chunks * self.chunk_bytes() };
        arena.max(self.arena_bytes()) + buckets * size_of::<Bucket>() + size_of_val(&*self.numbered)
    }

    fn arena_bytes(&self) -> usize {
        // All chunks are full-sized, unless there is only one.
        match self.chunks.as_slice() {
            [only] => only.len(),
            all => all.len() * self.chunk_bytes(),
        }
    }

    #[inline]
    fn per_chunk(&self) -> usize {
        1 << self.shift
    }

    #[inline]
    fn chunk_bytes(&self) -> usize {
        self.per_chunk() * self.width + PAD
    }

    #[inline]
    fn place(&self, id: Id) -> (usize, usize) {
        (id as usize >> self.shift, (id as usize & (self.per_chunk() - 1)) * self.width)
    }

    /// The bucket where probing for this hash begins: the hash's high bits, scaled to the number of buckets.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.buckets.len() as u128) >> 64) as usize
    }

    /// The id for which `same` is true, or the bucket with a free slot for a new id.
    #[inline]
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

    /// The word at the start of the state. If the state is shorter, the upper bytes belong to the next states.
    #[inline]
    fn word(&self, id: Id) -> u64 {
        let (chunk, at) = self.place(id);
        word_at(&self.chunks[chunk], at)
    }

    #[inline]
    fn append(&mut self, batch: &Batch, index: usize) {
        if self.mask.is_some() {
            return self.append_word(batch.word(index));
        }
        let (chunk, at) = self.next_place();
        self.chunks[chunk][at..at + self.width].copy_from_slice(batch.get(index));
        self.len += 1;
    }

    /// Appends a state of at most eight bytes.
    #[inline]
    fn append_word(&mut self, word: u64) {
        let (chunk, at) = self.next_place();
        // Writing a whole word is faster than writing part of one. This overwrites the bytes after the state, which are not in use yet.
        set_word(&mut self.chunks[chunk], at, word);
        self.len += 1;
    }

    /// Allocates space for the next state, and returns its place.
    #[inline]
    fn next_place(&mut self) -> (usize, usize) {
        let (chunk, at) = self.place(self.len as Id);
        if self.chunks.get(chunk).is_none_or(|chunk| chunk.len() < at + self.width + PAD) {
            self.lengthen(chunk, at + self.width + PAD);
        }
        (chunk, at)
    }

    /// Makes a chunk at least `end` bytes long.
    #[cold]
    fn lengthen(&mut self, chunk: usize, end: usize) {
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
    }

    #[inline]
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
                let Err(at) = self.probe(hash, |_| false) else { unreachable!("no id is the same") };
                self.buckets[at].push(hash, id as Id);
            }
        }
    }
}

/// Hashes the states of a batch and compares them with stored ones.
trait Keys: Copy {
    fn hash(self, batch: &Batch, index: usize) -> u64;
    fn same(self, store: &Store, id: Id, batch: &Batch, index: usize) -> bool;
}

/// States of at most eight bytes, handled as numbers. The field is the mask of the bits they use.
#[derive(Clone, Copy)]
struct Words(u64);

impl Keys for Words {
    #[inline]
    fn hash(self, batch: &Batch, index: usize) -> u64 {
        hash_word(batch.word(index) & self.0)
    }

    #[inline]
    fn same(self, store: &Store, id: Id, batch: &Batch, index: usize) -> bool {
        (store.word(id) ^ batch.word(index)) & self.0 == 0
    }
}

#[derive(Clone, Copy)]
struct Slices;

impl Keys for Slices {
    #[inline]
    fn hash(self, batch: &Batch, index: usize) -> u64 {
        hash(batch.get(index))
    }

    #[inline]
    fn same(self, store: &Store, id: Id, batch: &Batch, index: usize) -> bool {
        store.get(id) == batch.get(index)
    }
}

impl Bucket {
    #[inline]
    fn len(&self) -> usize {
        self.head[SLOTS] as usize
    }

    #[inline]
    fn push(&mut self, hash: u64, id: Id) {
        let slot = self.len();
        self.head[slot] = tag(hash);
        self.ids[slot] = id;
        self.head[SLOTS] += 1;
    }

    /// The slots whose tag matches that of `hash`. Eight tags in one word are compared at once. A slot after a true match may be
    /// reported although its tag differs, but the caller compares the states in any case.
    #[inline]
    fn matches(&self, hash: u64) -> impl Iterator<Item = usize> {
        const ONES: u64 = u64::from_le_bytes([1; 8]);
        let equal = |tags: u64| {
            let differ = tags ^ (ONES * u64::from(tag(hash)));
            differ.wrapping_sub(ONES) & !differ & (ONES << 7)
        };
        // The upper half of the second word contains no tags.
        let mut left = [equal(word_at(&self.head, 0)), equal(word_at(&self.head, 8)) & u64::from(u32::MAX)];
        std::iter::from_fn(move || {
            let (at, word) = if left[0] != 0 { (0, &mut left[0]) } else { (8, &mut left[1]) };
            (*word != 0).then(|| {
                let slot = at + word.trailing_zeros() as usize / 8;
                *word &= *word - 1;
                slot
            })
        })
    }
}

/// The tag of a state, which is one byte of its hash. It is never 0, because 0 is the tag of an empty slot.
#[inline]
fn tag(hash: u64) -> u8 {
    (hash as u8).max(1)
}

/// The number of states in a table before it grows: 17/20 of its slots.
fn room(buckets: usize) -> usize {
    buckets * SLOTS / 20 * 17
}

/// The next table size with enough space for `states`. A small table grows fourfold, so that it is rebuilt rarely; a large one
/// grows by half.
fn grown(mut buckets: usize, states: usize) -> usize {
    buckets = buckets.max(SMALL);
    while room(buckets) < states {
        buckets += if buckets < 1000 * SMALL { 3 * buckets } else { buckets / 2 };
    }
    buckets
}

/// Number of buckets in the smallest table, which takes 5 kB.
const SMALL: usize = 80;

/// Hashes a packed state by folded multiplication. Both halves of the product are used, so every input bit affects the high bits
/// (which choose the bucket) and the low ones (which are the tag).
#[inline]
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

#[inline]
pub(super) fn hash_word(word: u64) -> u64 {
    let fold = |word: u64, by: u64| {
        let product = u128::from(word) * u128::from(by);
        product as u64 ^ (product >> 64) as u64
    };
    fold(fold(word ^ 0x9e37_79b9_7f4a_7c15, 0xa076_1d64_78bd_642f), 0xe703_7ed1_a0b4_28db)
}
