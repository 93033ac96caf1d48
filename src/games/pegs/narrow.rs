//! Fast generation of successors on boards with at most 64 holes and few possible jumps. All legal jumps are looked up together, one byte
//! of the state at a time, and images are single words.

use std::ops::ControlFlow;

use super::Pegs;
use super::symmetry::{IMAGES, ImageTable};
use crate::rules::Cost;

/// All jumps on a board, in the order in which `moves` lists them.
#[derive(Clone, Debug)]
pub(super) struct Narrow {
    /// For each byte position and value, the jumps that this byte allows, one bit each.
    allowed: Vec<[[u64; MOST_JUMPS / 64]; 256]>,
    /// For each jump, the images of the holes that it changes.
    flips: Vec<[u64; IMAGES]>,
    costs: Vec<Cost>,
    table: ImageTable<u64>,
}

/// The maximum number of jumps; with more, it is faster to find them peg by peg.
const MOST_JUMPS: usize = 256;

impl Narrow {
    pub(super) fn new(board: &Pegs) -> Option<Narrow> {
        if board.holes.len() > 64 || board.segments().count() > MOST_JUMPS {
            return None;
        }
        let images = |pegs: u128| board.symmetry.images(pegs).map(|image| image as u64);
        let ordered: Vec<_> = board.segments().collect();
        let allowed = |byte: usize| {
            let fits = |value: usize| {
                let mut jumps = [0; MOST_JUMPS / 64];
                for (at, (.., jump)) in ordered.iter().enumerate() {
                    let (flips, need) = ((jump.flips >> (8 * byte)) as u8, ((jump.flips ^ jump.landing) >> (8 * byte)) as u8);
                    jumps[at / 64] |= u64::from(value as u8 & flips == need) << (at % 64);
                }
                jumps
            };
            std::array::from_fn(fits)
        };
        Some(Narrow {
            allowed: (0..board.holes.len().div_ceil(8)).map(allowed).collect(),
            flips: ordered.iter().map(|(.., jump)| images(jump.flips)).collect(),
            costs: ordered.iter().map(|&(_, way, _)| board.costs[way as usize]).collect(),
            table: ImageTable::new(board.holes.len(), |hole| images(1 << hole)),
        })
    }

    /// The images of a state, including the state itself; repeated if there are fewer than eight.
    #[inline]
    pub(super) fn images(&self, pegs: u64) -> [u64; IMAGES] {
        self.table.images(&pegs.to_le_bytes())
    }

    /// Calls `emit` with the least image of every successor and the price of the jump to it.
    #[inline]
    pub(super) fn expand(&self, pegs: u64, mut emit: impl FnMut(u64, Cost) -> ControlFlow<()>) -> ControlFlow<()> {
        let images = self.images(pegs);
        let mut legal = [u64::MAX; MOST_JUMPS / 64];
        for (at, allowed) in self.allowed.iter().enumerate() {
            let allowed = &allowed[(pegs >> (8 * at)) as usize & 255];
            for block in 0..legal.len() {
                legal[block] &= allowed[block];
            }
        }
        for (block, mut legal) in legal.into_iter().enumerate() {
            while legal != 0 {
                let jump = 64 * block + legal.trailing_zeros() as usize;
                legal &= legal - 1;
                let flips = &self.flips[jump];
                let mut least = images[0] ^ flips[0];
                for kind in 1..IMAGES {
                    least = least.min(images[kind] ^ flips[kind]);
                }
                emit(least, self.costs[jump])?;
            }
        }
        ControlFlow::Continue(())
    }
}
