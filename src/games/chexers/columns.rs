//! A lower bound on the actions that `relaxed` does not count: those wasted because there is nothing to jump over.
//!
//! The relaxed distance lets every piece jump at every turn. But the foremost piece can only step, unless a block is in front of
//! it, and the pieces behind it are similarly limited. A *count* lists the number of pieces in each column parallel to the exit
//! side; for up to 12 pieces on a board of radius 4, there are 293,930 counts. In terms of counts, a piece may jump only if the
//! column that it jumps over contains another piece or a block.
//!
//! The price of an action is its waste: 1 plus the change in the relaxed sum (the sum of the relaxed distances). The least waste
//! from every count to the empty board is computed backward. The sum of this waste and the relaxed sum is a consistent estimate,
//! because every action on the board is also an action on counts, at the same or a lower price.

use std::collections::HashMap;

use super::heuristics::{choose, relaxed_sum, relaxed_table};
use super::{Chexers, HexSet, OFF};
use crate::limits::{Limit, Limits};
use crate::rules::{Cost, DEAD};

/// Maximum number of counts in a table; if there are more, the estimate is `relaxed`.
const COUNTS: usize = 2_000_000;
/// Number of counts processed between two checks of the limits.
const LOOK: usize = 1 << 12;
/// Maximum number of columns for which there is a table.
pub const COLUMNS: usize = 16;

/// The move of a piece from one column to another, or off the board. `over` is the column that must contain a piece to jump over.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Shift {
    from: usize,
    to: Option<usize>,
    over: Option<usize>,
}

/// The least waste for every count.
pub struct Columns {
    /// The relaxed distance of each hex.
    pub relaxed: Vec<Cost>,
    /// The column of each hex.
    column: Vec<u8>,
    columns: usize,
    /// The terms that add up to a count's rank: one per column, indexed by the number of pieces up to that column. If the count is
    /// written as stars and bars, its rank is that of the set of bar positions.
    ranks: Vec<Vec<u32>>,
    waste: Vec<u8>,
}

/// For each column, the number of pieces in it and in the columns before it.
pub type Sums = [u8; COLUMNS];

impl Columns {
    pub fn new(board: &Chexers, limits: &Limits) -> Result<Columns, Limit> {
        let relaxed = relaxed_table(board);
        let column = board.hexes.iter().map(|&hex| (board.color.progress(hex) + board.radius) as u8).collect();
        let columns = 2 * board.radius as usize + 1;
        let pieces = board.start.len();
        let mut known = Columns { relaxed, column, columns, ranks: Vec::new(), waste: Vec::new() };
        if columns > COLUMNS || pieces > 200 || choose(pieces + columns, columns) > COUNTS {
            return Ok(known);
        }
        limits.room(2 * choose(pieces + columns, columns))?;
        known.ranks = (0..columns).map(|at| (0..=pieces + 1).map(|sum| choose(sum + at, at + 1) as u32).collect()).collect();
        known.waste = vec![u8::MAX; choose(pieces + columns, columns)];
        known.fill(&known.shifts(board), pieces, limits)?;
        Ok(known)
    }

    pub fn bytes(&self) -> usize {
        self.waste.len() + size_of_val(&*self.relaxed)
    }

    /// Returns whether the table has been built.
    pub fn is_known(&self) -> bool {
        !self.waste.is_empty()
    }

    /// The effects of actions on columns, each with its least waste.
    fn shifts(&self, board: &Chexers) -> Vec<(Shift, u32)> {
        let mut shifts: HashMap<Shift, u32> = HashMap::new();
        let alive = |hex: usize| self.relaxed[hex] != DEAD;
        for from in (0..board.hexes.len()).filter(|&hex| alive(hex)) {
            let column = |hex: usize| usize::from(self.column[hex]);
            let mut add = |to: Option<usize>, over: Option<usize>| {
                let after = to.map_or(0, |to| self.relaxed[to]);
                let waste = (1 + after).saturating_sub(self.relaxed[from]);
                let shift = Shift { from: column(from), to: to.map(column), over };
                let least = shifts.entry(shift).or_insert(waste);
                *least = waste.min(*least);
            };
            for (&step, &leap) in board.step[from].iter().zip(&board.leap[from]) {
                let lands = |hex: u16| hex != OFF && !board.blocked.has(hex) && alive(hex.into());
                if lands(step) {
                    add(Some(step.into()), None);
                }
                if lands(leap) {
                    add(Some(leap.into()), (!board.blocked.has(step)).then(|| column(step.into())));
                }
            }
            if board.exit.has(from as u16) {
                add(None, None);
            }
        }
        let plain = shifts.clone();
        // Drops moves within a column, which do not change the count, and conditional shifts that are not cheaper than the
        // unconditional one.
        let better = |shift: &Shift| plain.get(&Shift { over: None, ..*shift }).copied().unwrap_or(u32::MAX);
        shifts
            .into_iter()
            .filter(|(shift, waste)| Some(shift.from) != shift.to && (shift.over.is_none() || *waste < better(shift)))
            .collect()
    }

    /// Fills the table backward from the empty board, in order of waste.
    fn fill(&mut self, shifts: &[(Shift, u32)], most: usize, limits: &Limits) -> Result<(), Limit> {
        let mut room = [0_u8; COLUMNS];
        self.column.iter().for_each(|&column| room[usize::from(column)] += 1);
        let mut open: Vec<Vec<[u8; COLUMNS]>> = vec![vec![[0; COLUMNS]]];
        let empty = self.rank(&sums(&[0; COLUMNS]));
        self.waste[empty] = 0;
        let (mut waste, mut seen) = (0, 0);
        while waste < open.len() {
            while let Some(mut count) = open[waste].pop() {
                seen += 1;
                if seen % LOOK == 0 {
                    limits.check()?;
                    limits.take_turns()?;
                    limits.room(self.bytes() + open.iter().map(|list| list.capacity() * COLUMNS).sum::<usize>())?;
                }
                if usize::from(self.waste[self.rank(&sums(&count))]) < waste {
                    continue;
                }
                let pieces: usize = count.iter().map(|&pieces| usize::from(pieces)).sum();
                for &(Shift { from, to, over }, more) in shifts {
                    if to.map_or(pieces == most, |to| count[to] == 0) || count[from] == room[from] {
                        continue;
                    }
                    to.into_iter().for_each(|to| count[to] -= 1);
                    count[from] += 1;
                    let total = waste + more as usize;
                    let rank = self.rank(&sums(&count));
                    let possible = over.is_none_or(|over| count[over] > u8::from(over == from));
                    if possible && total < usize::from(self.waste[rank]) {
                        self.waste[rank] = total as u8;
                        open.resize(open.len().max(total + 1), Vec::new());
                        open[total].push(count);
                    }
                    count[from] -= 1;
                    to.into_iter().for_each(|to| count[to] += 1);
                }
            }
            waste += 1;
        }
        Ok(())
    }

    #[inline]
    fn rank(&self, sums: &Sums) -> usize {
        self.ranks.iter().zip(sums).map(|(ranks, &sum)| ranks[usize::from(sum)] as usize).sum()
    }

    /// The sums of these pieces by column, and the rank of their count.
    #[inline]
    pub fn place(&self, pieces: impl Iterator<Item = u16>) -> (Sums, u32) {
        let mut count = [0; COLUMNS];
        pieces.for_each(|hex| count[usize::from(self.column[usize::from(hex)])] += 1);
        let sums = sums(&count);
        (sums, self.rank(&sums) as u32)
    }

    /// The rank after a piece has moved from one hex to another or, if `to` is `None`, has left the board.
    #[inline]
    pub fn moved(&self, sums: &Sums, mut rank: u32, from: u16, to: Option<u16>) -> u32 {
        let column = |hex: u16| usize::from(self.column[usize::from(hex)]);
        let (from, to) = (column(from), to.map_or(self.columns, column));
        for (at, ranks) in self.ranks.iter().enumerate().take(from.max(to)).skip(from.min(to)) {
            let sum = usize::from(sums[at]);
            rank = rank - ranks[sum] + if from < to { ranks[sum - 1] } else { ranks[sum + 1] };
        }
        rank
    }

    /// The least waste of the count with this rank.
    #[inline]
    pub fn waste(&self, rank: u32) -> u32 {
        self.waste.get(rank as usize).map_or(0, |&waste| waste.into())
    }

    /// The estimate for a position.
    pub fn at(&self, pieces: &HexSet) -> Cost {
        match relaxed_sum(&self.relaxed, pieces) {
            sum if sum == DEAD || !self.is_known() => sum,
            sum => sum + self.waste(self.place(pieces.iter()).1),
        }
    }
}

fn sums(count: &[u8; COLUMNS]) -> Sums {
    let mut sum = 0;
    count.map(|pieces| {
        sum += pieces;
        sum
    })
}
