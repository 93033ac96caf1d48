//! Heuristics based on the distances of the tiles to their places.

use super::{Cells, MOST, Tiles};
use crate::limits::{Limit, Limits};
use crate::rules::{Cost, Estimate, Heuristic};

pub(super) const HEURISTICS: &[Heuristic<Tiles>] = &[
    consistent("conflict", "`manhattan`, plus two steps for each tile that must leave its line to let others pass", |board, _| {
        let conflict = Conflict::new(board);
        Ok(Estimate::new(move |board: &Tiles, cells| conflict.at(board, *cells)))
    }),
    consistent("manhattan", "the total number of steps from all tiles to their places", |board, _| {
        Ok(Sum::new(board, |tile, cell| board.steps(cell, board.homes[tile])).estimate(board))
    }),
    consistent("misplaced", "the number of tiles that are not in their places", |board, _| {
        Ok(Sum::new(board, |tile, cell| usize::from(cell != board.homes[tile])).estimate(board))
    }),
];

/// A consistent heuristic. With `cost: tile`, the contribution of each tile is multiplied by the tile's number.
const fn consistent(name: &'static str, about: &'static str, build: Build) -> Heuristic<Tiles> {
    Heuristic { name, about, admissible: true, consistent: true, aliases: &[], build }
}

type Build = fn(&Tiles, &Limits) -> Result<Estimate<Tiles>, Limit>;

/// For each cell and tile, a number of steps times the price of the tile.
pub(super) struct Sum(Vec<[Cost; 32]>);

impl Sum {
    fn new(board: &Tiles, steps: impl Fn(usize, usize) -> usize) -> Sum {
        let price = |tile: usize, cell: usize| match tile {
            1.. if tile < board.len() => steps(tile, cell) as Cost * board.price(tile),
            _ => 0,
        };
        Sum((0..board.len()).map(|cell| std::array::from_fn(|tile| price(tile, cell))).collect())
    }

    #[inline]
    pub(super) fn at(&self, board: &Tiles, cells: Cells) -> Cost {
        self.0.iter().enumerate().map(|(cell, prices)| prices[board.tile(cells, cell)]).sum()
    }

    /// The sum as an estimate. A move changes only the contribution of the tile that moves.
    fn estimate(self, board: &Tiles) -> Estimate<Tiles> {
        let mut differences = vec![0 as Cost; board.change(board.len() - 1, board.len() - 1, board.len() - 1) + 1];
        for (from, tile) in (0..board.len()).flat_map(|from| (1..board.len()).map(move |tile| (from, tile))) {
            for to in board.near(from) {
                differences[board.change(tile, from, to)] = self.0[to][tile].wrapping_sub(self.0[from][tile]);
            }
        }
        Estimate::new(move |board: &Tiles, cells| self.at(board, *cells)).with_differences(differences)
    }
}

/// The heuristic `conflict`. Among tiles that are in the row or column of their places, but in the wrong order, some must step
/// aside and return, and each of them takes two steps that `manhattan` does not count. For each line, the price of the cheapest set
/// of such tiles is added. A tile leaves its row by a vertical step and its column by a horizontal one, so no step is counted
/// twice.
pub(super) struct Conflict {
    pub(super) distance: Sum,
    /// For each row and column: its cells and, for each tile, the position in this line where the tile belongs, counted from 1, or
    /// 0 if it belongs elsewhere.
    lines: Vec<(Vec<usize>, [usize; 32])>,
}

impl Conflict {
    pub(super) fn new(board: &Tiles) -> Conflict {
        let line = |line: usize| {
            let is_in = |cell: usize| cell / board.columns == line || board.rows + cell % board.columns == line;
            let cells: Vec<usize> = (0..board.len()).filter(|&cell| is_in(cell)).collect();
            let place = |tile: usize| cells.iter().position(|&cell| tile > 0 && board.tile(board.goal, cell) == tile);
            let places = std::array::from_fn(|tile| place(tile).map_or(0, |at| at + 1));
            (cells, places)
        };
        let distance = Sum::new(board, |tile, cell| board.steps(cell, board.homes[tile]));
        Conflict { distance, lines: (0..board.rows + board.columns).map(line).collect() }
    }

    #[inline]
    pub(super) fn at(&self, board: &Tiles, cells: Cells) -> Cost {
        let mut total = self.distance.at(board, cells);
        for (line, places) in &self.lines {
            // For each position, the highest total price of tiles that are in the right order and the last of which belongs at that
            // position.
            let (mut dearest, mut all) = ([0; MOST + 1], 0);
            for tile in line.iter().map(|&cell| board.tile(cells, cell)) {
                let place = places[tile];
                if place > 0 {
                    dearest[place] = board.price(tile) + dearest[..place].iter().max().unwrap_or(&0);
                    all += board.price(tile);
                }
            }
            total += 2 * (all - dearest.into_iter().max().unwrap_or(0));
        }
        total
    }
}
