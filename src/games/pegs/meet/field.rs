//! A board of at most 64 holes as the solver sees it: jumps as masks of words, and the symmetries.
//!
//! A jump backwards undoes a jump: it needs a peg where the jump landed and none in the holes it crossed. That is the same as the
//! jump itself on the complement, the board with pegs and empty holes exchanged, so both directions share their masks.

use crate::rules::Cost;

/// Most symmetries, the identity included.
const IMAGES: usize = 8;

/// A way to jump: the holes that it changes.
#[derive(Clone, Debug)]
pub struct Jump {
    /// Where the pegs are before it.
    pub need: u64,
    /// Where the peg is after it.
    pub landing: u64,
    pub flips: u64,
    pub price: Cost,
    /// From which hole to which.
    pub holes: (u8, u8),
    /// What it changes on each image of the board.
    images: [u64; IMAGES],
}

pub struct Field {
    pub holes: usize,
    pub jumps: Vec<Jump>,
    pub start: u64,
    pub goals: Vec<u64>,
    /// Where each hole goes, for each symmetry but the identity.
    maps: Vec<Vec<usize>>,
    /// Is the start its own image under all symmetries?
    pub fixed: bool,
    /// By byte of a state and value of that byte: the images of that part.
    parts: Vec<[[u64; IMAGES]; 256]>,
}

/// The bits of a word, from the lowest.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        bit
    })
}

impl Field {
    /// `jumps` are given as the holes where they start and land, the pegs needed, and the price; `maps` say where the holes go under each
    /// symmetry that keeps prices and goals, the identity left out.
    pub fn new(holes: usize, jumps: Vec<((u8, u8), u64, Cost)>, start: u64, goals: Vec<u64>, maps: Vec<Vec<usize>>) -> Field {
        let image = |kind: usize, set: u64| match kind.checked_sub(1).and_then(|kind| maps.get(kind)) {
            Some(map) => bits(set).fold(0, |image, hole| image | 1 << map[hole]),
            None => set,
        };
        let images = |set: u64| std::array::from_fn(|kind| image(kind, set));
        let inside = |byte: usize, value: usize| bits((value as u64) << (8 * byte)).take_while(|&hole| hole < holes);
        let part = |byte| std::array::from_fn(|value| images(inside(byte, value).fold(0, |set, hole| set | 1 << hole)));
        let parts = (0..holes.div_ceil(8)).map(part).collect();
        let jump = |(holes, need, price): ((u8, u8), u64, Cost)| {
            let landing = 1 << holes.1;
            let flips = need | landing;
            Jump { need, landing, flips, price, holes, images: images(flips) }
        };
        let jumps = jumps.into_iter().map(jump).collect();
        let fixed = images(start).iter().all(|&image| image == start);
        Field { holes, jumps, start, goals, fixed, parts, maps }
    }

    /// A state and its images, repeated where there are fewer than eight.
    #[inline]
    pub fn images(&self, state: u64) -> [u64; IMAGES] {
        if self.maps.is_empty() {
            return [state; IMAGES];
        }
        let mut images = [0; IMAGES];
        for (byte, part) in self.parts.iter().enumerate() {
            let more = &part[(state >> (8 * byte)) as usize & 255];
            for kind in 0..IMAGES {
                images[kind] |= more[kind];
            }
        }
        images
    }

    /// The least image of a state.
    pub fn least(&self, state: u64) -> u64 {
        self.images(state).into_iter().fold(u64::MAX, u64::min)
    }

    /// The least image of a state after a jump, or before it; `images` are those of the state on the other side of the jump.
    #[inline]
    pub fn least_after(&self, images: &[u64; IMAGES], jump: &Jump) -> u64 {
        if self.maps.is_empty() {
            return images[0] ^ jump.flips;
        }
        images.iter().zip(&jump.images).map(|(image, flips)| image ^ flips).fold(u64::MAX, u64::min)
    }

    /// The mean of weights over all symmetries.
    pub fn mean(&self, weights: &[f64]) -> Vec<f64> {
        let sum = |hole: usize| weights[hole] + self.maps.iter().map(|map| weights[map[hole]]).sum::<f64>();
        (0..self.holes).map(|hole| sum(hole) / (self.maps.len() + 1) as f64).collect()
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&*self.parts) + size_of_val(&*self.jumps)
    }

    pub fn dearest(&self) -> Cost {
        self.jumps.iter().map(|jump| jump.price).max().unwrap_or(0)
    }

    /// No plan costs more than this: every jump removes a peg.
    pub fn ceiling(&self) -> Cost {
        let fewest = self.goals.iter().map(|goal| goal.count_ones()).min().unwrap_or(0);
        self.start.count_ones().saturating_sub(fewest).saturating_mul(self.dearest())
    }
}
