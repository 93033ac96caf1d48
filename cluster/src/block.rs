//! A block is the unit in which states are written and read: up to 4,096 sorted states in a few bytes each, with a checksum.
//!
//! A block consists of four little-endian 32-bit numbers (the number of states, the sizes of the states and of the labels in bytes, and
//! the CRC-32 of these three numbers and of everything that follows), then the states, then the labels.
//!
//! States of one to seven bytes are sorted as little-endian numbers. The first state is stored whole, and each later state as its
//! difference from the previous one, in LEB128. States of other sizes are sorted as byte strings. The first state is stored whole, and each
//! later state as the number of leading bytes that it shares with the previous one, in LEB128, followed by its remaining bytes.
//!
//! A label consists of two numbers in LEB128. The first number is three times the number of moves to the end, plus 0, 1 or 2 if the player
//! to move loses, draws or wins. The second number is the Grundy value.

use kibitzer::outcome::Worth;
use kibitzer::search::set::NARROW;

/// Maximum number of states in a block.
pub const STATES: usize = 4096;
/// Size of the header, in bytes.
pub const HEAD: usize = 16;

/// The value of a position of a two-player game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// 0 if the player to move loses, 1 for a draw, 2 if the player to move wins.
    pub score: u8,
    pub grundy: u16,
    /// Number of moves to the end with best play, or [`Worth::ENDLESS`] in a draw by repetition.
    pub length: u16,
}

impl Label {
    /// The number of moves to the end with best play; `None` in a draw by repetition.
    pub fn moves(self) -> Option<u16> {
        (self.score != 1 || self.length != Worth::ENDLESS).then_some(self.length)
    }
}

/// True if states of this width are sorted as numbers.
pub fn is_narrow(width: usize) -> bool {
    (1..=NARROW).contains(&width)
}

/// Converts a state of at most eight bytes to a number.
#[inline]
pub fn word_of(state: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..state.len()].copy_from_slice(state);
    u64::from_le_bytes(word)
}

/// Collects sorted states into a block.
pub struct Encoder {
    width: usize,
    count: usize,
    last: Vec<u8>,
    word: u64,
    states: Vec<u8>,
    labels: Vec<u8>,
}

impl Encoder {
    pub fn new(width: usize) -> Encoder {
        Encoder { width, count: 0, last: vec![0; width], word: 0, states: Vec::new(), labels: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a state, which must be greater than all previous ones.
    pub fn push(&mut self, state: &[u8]) {
        if is_narrow(self.width) {
            let word = word_of(state);
            if self.count == 0 {
                self.states.extend_from_slice(state);
            } else {
                debug_assert!(word > self.word, "states are sorted and distinct");
                put(&mut self.states, word - self.word);
            }
            self.word = word;
        } else if self.count == 0 {
            self.states.extend_from_slice(state);
            self.last.copy_from_slice(state);
        } else {
            debug_assert!(state > self.last.as_slice(), "states are sorted and distinct");
            let shared = state.iter().zip(&self.last).take_while(|(a, b)| a == b).count();
            put(&mut self.states, shared as u64);
            self.states.extend_from_slice(&state[shared..]);
            self.last.copy_from_slice(state);
        }
        self.count += 1;
    }

    /// Adds the label of a state, just before or just after the state itself.
    pub fn push_label(&mut self, label: Label) {
        put(&mut self.labels, 3 * u64::from(label.length) + u64::from(label.score));
        put(&mut self.labels, u64::from(label.grundy));
    }

    /// Appends the block to `out`, and starts the next one.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        let from = out.len();
        for number in [self.count, self.states.len(), self.labels.len()] {
            out.extend_from_slice(&(number as u32).to_le_bytes());
        }
        let mut crc = crc32fast::Hasher::new();
        crc.update(&out[from..]);
        crc.update(&self.states);
        crc.update(&self.labels);
        out.extend_from_slice(&crc.finalize().to_le_bytes());
        out.append(&mut self.states);
        out.append(&mut self.labels);
        self.count = 0;
    }
}

#[derive(Clone, Copy, Debug)]
pub struct BlockHead {
    pub count: usize,
    states: usize,
    labels: usize,
    crc: u32,
}

impl BlockHead {
    /// Reads the header. Returns `None` if there are too few bytes, or if the numbers in the header are implausible.
    pub fn read(bytes: &[u8], width: usize) -> Option<BlockHead> {
        let number = |at: usize| Some(u32::from_le_bytes(bytes.get(4 * at..4 * at + 4)?.try_into().ok()?));
        let head = BlockHead { count: number(0)? as usize, states: number(1)? as usize, labels: number(2)? as usize, crc: number(3)? };
        let plausible =
            head.count >= 1 && head.count <= STATES && head.states <= head.count * (width + 10) && head.labels <= head.count * 20;
        plausible.then_some(head)
    }

    /// Size of the whole block, in bytes.
    pub fn bytes(&self) -> usize {
        HEAD + self.states + self.labels
    }

    /// Appends the states and labels of a whole block to the vectors. Returns `None` if the block is damaged.
    pub fn decode(&self, block: &[u8], width: usize, states: &mut Vec<u8>, labels: Option<&mut Vec<Label>>) -> Option<()> {
        let mut crc = crc32fast::Hasher::new();
        crc.update(&block[..HEAD - 4]);
        crc.update(block.get(HEAD..self.bytes())?);
        if crc.finalize() != self.crc {
            return None;
        }
        let mut rest = &block[HEAD..HEAD + self.states];
        let (first, mut after) = rest.split_at_checked(width)?;
        let from = states.len();
        states.extend_from_slice(first);
        if is_narrow(width) {
            let mut word = word_of(first);
            for _ in 1..self.count {
                word = word.checked_add(get(&mut after)?)?;
                states.extend_from_slice(&word.to_le_bytes()[..width]);
            }
        } else {
            for at in 1..self.count {
                let shared = get(&mut after)? as usize;
                let before = from + (at - 1) * width;
                if shared > width {
                    return None;
                }
                states.extend_from_within(before..before + shared);
                let (new, then) = after.split_at_checked(width - shared)?;
                states.extend_from_slice(new);
                after = then;
            }
        }
        rest = after;
        if !rest.is_empty() {
            return None;
        }
        if let Some(labels) = labels {
            let mut rest = &block[HEAD + self.states..self.bytes()];
            for _ in 0..self.count {
                let (both, grundy) = (get(&mut rest)?, get(&mut rest)?);
                let label = Label { score: (both % 3) as u8, grundy: grundy.try_into().ok()?, length: (both / 3).try_into().ok()? };
                labels.push(label);
            }
        }
        Some(())
    }
}

/// Appends a number in LEB128.
#[inline]
fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads a LEB128 number and removes it from the front.
#[inline]
fn get(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn blocks_are_read_back_unchanged_and_flipped_bits_are_detected(
            width in 0usize..20,
            seeds in prop::collection::vec(any::<u32>(), 1..300),
            flip in any::<u32>(),
        ) {
            let state = |seed: u32| -> Vec<u8> { (0..width).map(|at| (seed >> (at % 3 * 8)) as u8).collect() };
            let mut states: Vec<Vec<u8>> = seeds.iter().map(|seed| state(*seed)).collect::<BTreeSet<_>>().into_iter().collect();
            if is_narrow(width) {
                states.sort_by_key(|state| word_of(state));
            }
            let label = |at: usize| Label { score: (at % 3) as u8, grundy: at as u16, length: (at * 217) as u16 };
            let mut encoder = Encoder::new(width);
            for (at, state) in states.iter().enumerate() {
                encoder.push(state);
                encoder.push_label(label(at));
            }
            let mut block = Vec::new();
            encoder.finish(&mut block);
            let head = BlockHead::read(&block, width).expect("a head");
            let (mut got, mut labels) = (Vec::new(), Vec::new());
            head.decode(&block, width, &mut got, Some(&mut labels)).expect("it is whole");
            prop_assert_eq!(got, states.concat());
            prop_assert_eq!(labels, (0..states.len()).map(label).collect::<Vec<_>>());
            let at = flip as usize % (8 * block.len());
            block[at / 8] ^= 1 << (at % 8);
            let read = BlockHead::read(&block, width).filter(|head| head.bytes() <= block.len());
            let read = read.and_then(|head| head.decode(&block, width, &mut Vec::new(), Some(&mut Vec::new())));
            prop_assert!(read.is_none(), "bit {} was flipped", at);
        }
    }
}
