//! The symmetries of a pegs board: those of the square that preserve the board's shape, its goal and the price of every direction.
//!
//! All images of a set of holes are looked up together, one byte at a time. Successors need no look-up: the image of a state after a jump
//! is its image before the jump, with the image of the jump's segment flipped.

use std::ops::BitOr;

use super::{DIRECTIONS, Pegs};
use crate::bits::ones;

/// The maximum number of symmetries, the identity included.
pub(super) const IMAGES: usize = 8;

/// The images of a set of holes; in one cache line if they are 64-bit words.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line<T>([T; IMAGES]);

/// For each byte position and value, the images of that part of a set.
#[derive(Clone, Debug)]
pub(super) struct ImageTable<T>(Vec<[Line<T>; 256]>);

impl<T: Copy + Default + BitOr<Output = T>> ImageTable<T> {
    /// Builds the table; `of` returns the images of a single hole.
    pub(super) fn new(holes: usize, of: impl Fn(usize) -> [T; IMAGES]) -> ImageTable<T> {
        let mut parts = vec![[Line([T::default(); IMAGES]); 256]; holes.div_ceil(8)];
        for (byte, part) in parts.iter_mut().enumerate() {
            for value in 1..256_usize {
                let (Line(rest), hole) = (part[value & (value - 1)], 8 * byte + value.trailing_zeros() as usize);
                // Bits beyond the board have no image.
                let lowest = if hole < holes { of(hole) } else { Default::default() };
                part[value] = Line(std::array::from_fn(|kind| rest[kind] | lowest[kind]));
            }
        }
        ImageTable(parts)
    }

    /// The images of a set given as bytes.
    #[inline]
    pub(super) fn images(&self, bytes: &[u8]) -> [T; IMAGES] {
        let mut images = [T::default(); IMAGES];
        for (part, &byte) in self.0.iter().zip(bytes) {
            let Line(more) = &part[byte as usize];
            for kind in 0..IMAGES {
                images[kind] = images[kind] | more[kind];
            }
        }
        images
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }
}

/// The symmetries of a board, including the identity.
#[derive(Clone, Debug)]
pub(super) struct BoardSymmetry {
    /// For each symmetry, the image of each hole. The identity is first.
    pub maps: Vec<Vec<usize>>,
    table: ImageTable<u128>,
}

/// The place of a square under one of the eight symmetries of a rectangle with this last row and column.
fn moved(kind: usize, (row, column): (i32, i32), (last_row, last_column): (i32, i32)) -> (i32, i32) {
    let (row, column) = if kind & 1 == 0 { (row, column) } else { (last_row - row, column) };
    let (row, column) = if kind & 2 == 0 { (row, column) } else { (row, last_column - column) };
    if kind & 4 == 0 { (row, column) } else { (column, row) }
}

impl BoardSymmetry {
    pub(super) fn none() -> BoardSymmetry {
        BoardSymmetry { maps: Vec::new(), table: ImageTable(Vec::new()) }
    }

    pub(super) fn find(board: &Pegs) -> BoardSymmetry {
        // The board may lie anywhere in its rectangle.
        let top = board.holes.iter().map(|hole| hole.0).min().unwrap_or(0);
        let left = board.holes.iter().map(|hole| hole.1).min().unwrap_or(0);
        let place = |&(row, column): &(usize, usize)| ((row - top) as i32, (column - left) as i32);
        let last_row = board.holes.iter().map(|hole| place(hole).0).max().unwrap_or(0);
        let last_column = board.holes.iter().map(|hole| place(hole).1).max().unwrap_or(0);
        let last = (last_row, last_column);
        let mut maps: Vec<Vec<usize>> = Vec::new();
        for kind in 0..IMAGES {
            if kind & 4 != 0 && last_row != last_column {
                continue;
            }
            let prices_stay = DIRECTIONS.iter().all(|&direction| {
                let (from, to) = (moved(kind, (0, 0), last), moved(kind, direction.step(), last));
                let image = DIRECTIONS.iter().find(|image| image.step() == (to.0 - from.0, to.1 - from.1));
                image.is_some_and(|&image| board.costs[image as usize] == board.costs[direction as usize])
            });
            let find = |hole: &(usize, usize)| board.holes.iter().position(|other| place(other) == moved(kind, place(hole), last));
            let Some(map) = board.holes.iter().map(find).collect::<Option<Vec<usize>>>() else { continue };
            let image = |goal: u128| ones(goal).fold(0_u128, |image, hole| image | 1 << map[hole]);
            if prices_stay && board.goal.is_none_or(|goal| image(goal) == goal) {
                maps.push(map);
            }
        }
        let table = ImageTable::new(board.holes.len(), |hole| std::array::from_fn(|kind| 1 << maps.get(kind).unwrap_or(&maps[0])[hole]));
        BoardSymmetry { maps, table }
    }

    /// The number of symmetries, the identity included.
    pub(super) fn order(&self) -> usize {
        self.maps.len()
    }

    /// A set of holes and its images. The set itself is repeated for symmetries that the board does not have.
    pub(super) fn images(&self, pegs: u128) -> [u128; IMAGES] {
        self.table.images(&pegs.to_le_bytes())
    }

    /// The images of a set of holes, one for each symmetry of the board.
    pub(super) fn orbit(&self, pegs: u128) -> impl Iterator<Item = u128> {
        self.images(pegs).into_iter().take(self.order())
    }

    /// The least image of a state.
    pub(super) fn least(&self, pegs: u128) -> u128 {
        if self.order() == 1 { pegs } else { self.images(pegs).into_iter().fold(pegs, u128::min) }
    }
}
