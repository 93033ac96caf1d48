//! The symmetries of a peg board: those of the square that keep its shape, its goal and the price of every direction.
//!
//! The image of a state is looked up byte by byte. For successors there is a shorter way: the image of a state after a
//! jump is its image before, with the image of the jump's segment flipped.

use super::{DIRECTIONS, Goal, Pegs};

/// Most symmetries, the identity included.
const MOST: usize = 8;

/// The symmetries other than the identity.
#[derive(Clone, Debug, Default)]
pub(super) struct Symmetry {
    count: usize,
    /// By symmetry, then byte of the state, then value of that byte: the image of that part.
    tables: Vec<Vec<[u128; 256]>>,
    /// Images of segments: the segment itself, then its image under each symmetry.
    segments: Vec<u128>,
}

/// A square's place after one of the eight symmetries of a rectangle with this last row and column.
fn moved(kind: usize, (row, column): (i32, i32), (last_row, last_column): (i32, i32)) -> (i32, i32) {
    let (row, column) = if kind & 1 == 0 { (row, column) } else { (last_row - row, column) };
    let (row, column) = if kind & 2 == 0 { (row, column) } else { (row, last_column - column) };
    if kind & 4 == 0 { (row, column) } else { (column, row) }
}

/// By value of a byte of the state, whose bits go to these holes: the image of that part.
fn images_of_bytes(map: &[usize]) -> [u128; 256] {
    let mut images = [0; 256];
    for value in 1..256_usize {
        // Bits beyond the board go nowhere.
        let lowest = map.get(value.trailing_zeros() as usize).map_or(0, |&hole| 1 << hole);
        images[value] = images[value & (value - 1)] | lowest;
    }
    images
}

impl Symmetry {
    pub(super) fn find(board: &Pegs) -> Symmetry {
        // The board may stand anywhere in its rectangle.
        let top = board.holes.iter().map(|hole| hole.0).min().unwrap_or(0);
        let left = board.holes.iter().map(|hole| hole.1).min().unwrap_or(0);
        let place = |&(row, column): &(usize, usize)| ((row - top) as i32, (column - left) as i32);
        let last_row = board.holes.iter().map(|hole| place(hole).0).max().unwrap_or(0);
        let last_column = board.holes.iter().map(|hole| place(hole).1).max().unwrap_or(0);
        let last = (last_row, last_column);
        let mut symmetry = Symmetry::default();
        for kind in 1..MOST {
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
            let image = |pegs: u128| super::holes_of(pegs).fold(0u128, |image, hole| image | 1 << map[hole as usize]);
            let goal_stays = match board.goal {
                Goal::One => true,
                Goal::At(hole) => map[hole as usize] == hole as usize,
                Goal::Exactly(goal) => image(goal) == goal,
            };
            if prices_stay && goal_stays {
                symmetry.tables.push(map.chunks(8).map(images_of_bytes).collect());
                symmetry.count += 1;
            }
        }
        symmetry
    }

    /// How many symmetries there are, the identity included.
    pub(super) fn order(&self) -> usize {
        self.count + 1
    }

    /// Where each hole goes, by symmetry.
    pub(super) fn maps(&self, holes: usize) -> Vec<Vec<usize>> {
        let map = |kind| (0..holes).map(|hole| self.image(kind, 1 << hole).trailing_zeros() as usize).collect();
        (0..self.count).map(map).collect()
    }

    fn image(&self, kind: usize, pegs: u128) -> u128 {
        let bytes = pegs.to_le_bytes();
        self.tables[kind].iter().zip(bytes).fold(0, |image, (table, byte)| image | table[byte as usize])
    }

    /// A state and its images.
    pub(super) fn images(&self, pegs: u128) -> [u128; MOST] {
        let mut images = [pegs; MOST];
        for kind in 0..self.count {
            images[kind + 1] = self.image(kind, pegs);
        }
        images
    }

    /// The least image of a state.
    pub(super) fn least(&self, pegs: u128) -> u128 {
        (0..self.count).fold(pegs, |least, kind| least.min(self.image(kind, pegs)))
    }

    /// Prepares a segment and gives its place in the table.
    pub(super) fn add(&mut self, segment: u128) -> u32 {
        let at = self.segments.len() as u32;
        let images = self.images(segment);
        self.segments.extend_from_slice(&images[..=self.count]);
        at
    }

    /// The least image of a state after the segment at this place was flipped; `images` are those of the state before.
    pub(super) fn least_after(&self, images: &[u128; MOST], segment: u32) -> u128 {
        let segment = &self.segments[segment as usize..][..=self.count];
        images.iter().zip(segment).map(|(image, segment)| image ^ segment).fold(u128::MAX, u128::min)
    }
}
