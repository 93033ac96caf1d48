//! The solver's view of a board with at most 64 holes: jumps as 64-bit masks, and the symmetries.
//!
//! Undoing a jump needs a peg in its landing hole and no pegs in the other holes that it changed. This is the same jump on the
//! complement, the board with pegs and empty holes exchanged, so both directions share their masks.

use crate::games::pegs::symmetry::{IMAGES, ImageTable};
use crate::games::pegs::{Pegs, proof};
use crate::rules::Cost;

/// A possible jump, as the set of holes that it changes.
#[derive(Clone, Debug)]
pub struct JumpMask {
    /// The holes that must contain pegs before the jump.
    pub need: u64,
    /// The landing hole.
    pub landing: u64,
    pub flips: u64,
    pub price: Cost,
    /// The start and the landing hole.
    pub holes: (u8, u8),
    /// The holes that it changes on each image of the board.
    images: [u64; IMAGES],
}

pub struct PegField {
    pub holes: usize,
    pub jumps: Vec<JumpMask>,
    pub start: u64,
    pub goals: Vec<u64>,
    /// For each symmetry, the image of each hole. The identity is first.
    maps: Vec<Vec<usize>>,
    /// True if the start is its own image under all symmetries.
    pub fixed: bool,
    table: ImageTable<u64>,
}

impl PegField {
    /// The board with this state as its start.
    pub fn new(board: &Pegs, pegs: u128) -> PegField {
        let images = |set: u128| board.symmetry.images(set).map(|image| image as u64);
        let jumps = board.segments().map(|(from, way, segment)| JumpMask {
            need: (segment.flips ^ segment.landing) as u64,
            landing: segment.landing as u64,
            flips: segment.flips as u64,
            price: board.costs[way as usize],
            holes: (from, segment.to),
            images: images(segment.flips),
        });
        // A stored state represents all its images, and a goal for one image is an image of a goal for any other.
        let fits = |&goal: &u128| board.symmetry.orbit(goal).any(|image| proof::same_class(board, pegs, image));
        PegField {
            holes: board.holes.len(),
            jumps: jumps.collect(),
            start: pegs as u64,
            goals: board.goals().into_iter().filter(fits).map(|goal| goal as u64).collect(),
            maps: board.symmetry.maps.clone(),
            fixed: board.symmetry.orbit(pegs).all(|image| image == pegs),
            table: ImageTable::new(board.holes.len(), |hole| images(1 << hole)),
        }
    }

    fn is_symmetric(&self) -> bool {
        self.maps.len() > 1
    }

    /// The images of a state, including the state itself; repeated if there are fewer than eight.
    #[inline]
    pub fn images(&self, state: u64) -> [u64; IMAGES] {
        if self.is_symmetric() { self.table.images(&state.to_le_bytes()) } else { [state; IMAGES] }
    }

    /// The least image of a state.
    pub fn least(&self, state: u64) -> u64 {
        self.images(state).into_iter().fold(u64::MAX, u64::min)
    }

    /// The least image of the state after a jump, or before it; `images` are the images of the state on the other side of the jump.
    #[inline]
    pub fn least_after(&self, images: &[u64; IMAGES], jump: &JumpMask) -> u64 {
        if !self.is_symmetric() {
            return images[0] ^ jump.flips;
        }
        images.iter().zip(&jump.images).map(|(image, flips)| image ^ flips).fold(u64::MAX, u64::min)
    }

    /// The mean of the weights over all symmetries.
    pub fn mean(&self, weights: &[f64]) -> Vec<f64> {
        let sum = |hole: usize| self.maps.iter().map(|map| weights[map[hole]]).sum::<f64>();
        (0..self.holes).map(|hole| sum(hole) / self.maps.len() as f64).collect()
    }

    pub fn bytes(&self) -> usize {
        self.table.bytes() + size_of_val(&*self.jumps)
    }

    pub fn dearest(&self) -> Cost {
        self.jumps.iter().map(|jump| jump.price).max().unwrap_or(0)
    }

    /// An upper bound on the cost of any plan: every jump removes at least one peg.
    pub fn ceiling(&self) -> Cost {
        let fewest = self.goals.iter().map(|goal| goal.count_ones()).min().unwrap_or(0);
        self.start.count_ones().saturating_sub(fewest).saturating_mul(self.dearest())
    }
}
