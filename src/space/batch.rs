//! Packed states in one buffer.

use crate::rules::{Packing, Rules};

/// Number of spare bytes at the end of a state buffer, so that a whole word can be read at every state's offset.
pub(crate) const PAD: usize = 8;

#[inline]
pub(crate) fn word_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

/// Writes eight bytes. The length is known at compile time, so one instruction stores them, even in code that is not inlined.
#[inline]
pub(crate) fn set_word(bytes: &mut [u8], at: usize, word: u64) {
    let place: &mut [u8; 8] = (&mut bytes[at..at + 8]).try_into().expect("eight bytes");
    *place = word.to_le_bytes();
}

/// Consecutive packed states of the same width.
pub struct Batch {
    width: usize,
    /// The states, followed by a spare word. This buffer never shrinks.
    bytes: Vec<u8>,
    count: usize,
}

impl Batch {
    pub fn new(width: usize) -> Batch {
        Batch { width, bytes: vec![0; PAD], count: 0 }
    }

    /// Adds a state. `pack` must write all of its bytes.
    #[inline]
    pub fn push(&mut self, pack: impl FnOnce(&mut [u8])) {
        let at = self.grow();
        pack(&mut self.bytes[at..at + self.width]);
        self.count += 1;
    }

    /// Adds a state of a game.
    #[inline]
    pub fn push_state<R: Rules>(&mut self, rules: &R, state: &R::State) {
        match self.width {
            1..=8 => self.push_word(rules.pack_word(state)),
            _ => self.push(|out| rules.pack(state, out)),
        }
    }

    /// Adds a state of one to eight bytes, given as a little-endian number.
    #[inline]
    pub fn push_word(&mut self, state: u64) {
        debug_assert!((1..=8).contains(&self.width) && (self.width == 8 || state >> (8 * self.width) == 0));
        let at = self.grow();
        // This always writes eight bytes. Those beyond `width` belong to the next state's slot, which is still unused.
        set_word(&mut self.bytes, at, state);
        self.count += 1;
    }

    /// Adds `count` consecutive states.
    pub fn push_all(&mut self, count: usize, states: &[u8]) {
        debug_assert_eq!(count * self.width, states.len());
        let (at, end) = (self.count * self.width, self.count * self.width + states.len());
        if self.bytes.len() < end + PAD {
            self.bytes.resize(end + PAD, 0);
        }
        self.bytes[at..end].copy_from_slice(states);
        self.count += count;
    }

    /// The states in a range, as consecutive bytes.
    pub fn slice(&self, range: std::ops::Range<usize>) -> &[u8] {
        &self.bytes[range.start * self.width..range.end * self.width]
    }

    /// Makes space for one more state and returns its offset.
    #[inline]
    fn grow(&mut self) -> usize {
        let at = self.count * self.width;
        if self.bytes.len() < at + self.width + PAD {
            self.bytes.resize(2 * (at + self.width + PAD), 0);
        }
        at
    }

    /// The number of bytes per state.
    #[inline]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of bytes used while the next state is added. While the buffer grows, the old and the new one exist at the same time.
    #[inline]
    pub fn bytes_after_push(&self) -> usize {
        let least = (self.count + 1) * self.width + PAD;
        if self.bytes.len() < least { self.bytes.len() + 2 * least } else { self.bytes.len() }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Keeps only the first `count` states.
    #[inline]
    pub fn truncate(&mut self, count: usize) {
        self.count = self.count.min(count);
    }

    pub fn bytes(&self) -> usize {
        self.bytes.capacity()
    }

    /// The packed state at this index.
    #[inline]
    pub fn get(&self, index: usize) -> &[u8] {
        &self.bytes[index * self.width..(index + 1) * self.width]
    }

    /// The word at the start of the state. If the state is shorter, the upper bytes of the word are arbitrary.
    #[inline]
    pub fn word(&self, index: usize) -> u64 {
        word_at(&self.bytes, index * self.width)
    }
}
