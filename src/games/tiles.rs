//! Sliding tiles: the 8-puzzle, the 15-puzzle and all boards up to 5 x 5. Slide tiles into the blank until they are in order.
//!
//! A state is one number with 4 bits per cell or, on boards with more than 16 cells, 5 bits. The first cell is in the lowest bits.
//! A move is the cell of the tile that slides into the blank, so moves in ascending order are the blank's moves up, left, right
//! and down.

mod korf;
mod patterns;

use std::fmt::Write;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::drawing::{Card, Drawing, Editor, Lesson, Primer, Topic};
use crate::limits::{Limit, Limits};
use crate::notation::tools::Example;
use crate::notation::{
    Fault, Generator, Info, Input, LevelSpec, Monster, Notation, OptionSpec, Options, ParseError, ReadError, Source, counted, sentence,
    shorten,
};
use crate::outcome::Certificate;
use crate::random::Random;
use crate::rules::{Backward, CheckError, Cost, Estimate, Heuristic, InPlace, Pack, Patterns, Problem, Proofs, Rules, Solver};
use crate::scene::{Brush, Explanation, Form, Paint, Scene};
use crate::text::offset_in;

/// The maximum number of rows and of columns.
const MOST: usize = 5;
/// The maximum number of cells that have 4 bits each.
const NARROW: usize = 16;

/// One board with its options.
pub struct Tiles {
    rows: usize,
    columns: usize,
    start: Cells,
    goal: Cells,
    /// True if a move costs the tile's number. Otherwise, every move costs 1.
    by_tile: bool,
    /// The cells next to each cell, in ascending order.
    near: [Near; MOST * MOST],
    /// The cell of each tile and of the blank in the goal.
    homes: [u8; MOST * MOST],
    /// The cells in the first column and in the last.
    edges: [u32; 2],
    /// The groups of tiles for the heuristic `pattern`.
    groups: Vec<Vec<u8>>,
}

#[derive(Clone, Copy, Default)]
struct Near {
    cells: [u8; 4],
    count: u8,
}

impl Near {
    #[inline]
    fn iter(&self) -> impl Iterator<Item = usize> {
        self.cells.into_iter().take(usize::from(self.count)).map(usize::from)
    }
}

/// The tiles in all cells; 0 is the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cells(u128);

/// A 1 in each cell of 4 bits, and of 5 bits.
const ONES_4: u64 = 0x1111_1111_1111_1111;
const ONES_5: u128 = (1 << (5 * MOST * MOST)) / 31;

impl Tiles {
    /// A board with these tiles, row by row, and the goal `goal`.
    fn new(rows: usize, columns: usize, start: &[u8], goal: &[u8], by_tile: bool) -> Tiles {
        let mut near = [Near::default(); MOST * MOST];
        for (at, near) in near.iter_mut().enumerate().take(rows * columns) {
            let (row, column) = (at / columns, at % columns);
            let sides = [
                (row > 0).then(|| at - columns),
                (column > 0).then(|| at - 1),
                (column + 1 < columns).then(|| at + 1),
                (row + 1 < rows).then(|| at + columns),
            ];
            for cell in sides.into_iter().flatten() {
                near.cells[usize::from(near.count)] = cell as u8;
                near.count += 1;
            }
        }
        let mut homes = [0; MOST * MOST];
        (0..).zip(goal).for_each(|(cell, &tile)| homes[usize::from(tile)] = cell);
        let edges = [0, columns - 1].map(|edge| (0..rows).fold(0, |cells, row| cells | 1 << (row * columns + edge)));
        let mut board = Tiles { rows, columns, start: Cells(0), goal: Cells(0), by_tile, near, homes, edges, groups: Vec::new() };
        (board.start, board.goal) = (board.cells(start), board.cells(goal));
        board.group(&patterns::usual_sizes(rows * columns));
        board
    }

    /// The number of cells.
    #[inline]
    fn len(&self) -> usize {
        self.rows * self.columns
    }

    /// The number of bits per cell.
    #[inline]
    fn bits(&self) -> usize {
        if self.len() <= NARROW { 4 } else { 5 }
    }

    fn cells(&self, tiles: &[u8]) -> Cells {
        Cells(tiles.iter().rev().fold(0, |cells, &tile| cells << self.bits() | u128::from(tile)))
    }

    #[inline]
    fn tile(&self, cells: Cells, cell: usize) -> usize {
        let bits = self.bits();
        (cells.0 >> (bits * cell)) as usize & ((1 << bits) - 1)
    }

    /// The tiles in all cells, row by row.
    fn tiles(&self, cells: Cells) -> Vec<u8> {
        (0..self.len()).map(|cell| self.tile(cells, cell) as u8).collect()
    }

    /// The lowest cell with a 0, found by the borrow of a subtraction in each cell. Cells beyond the board are higher than the blank.
    #[inline]
    fn blank(&self, cells: Cells) -> usize {
        if self.bits() == 4 {
            let cells = cells.0 as u64;
            (cells.wrapping_sub(ONES_4) & !cells & ONES_4 << 3).trailing_zeros() as usize / 4
        } else {
            (cells.0.wrapping_sub(ONES_5) & !cells.0 & ONES_5 << 4).trailing_zeros() as usize / 5
        }
    }

    /// The state after the tile in a cell slides into the blank.
    #[inline]
    fn slide(&self, cells: Cells, blank: usize, from: usize) -> Cells {
        let (tile, bits) = (self.tile(cells, from) as u128, self.bits());
        Cells(cells.0 ^ tile << (bits * from) ^ tile << (bits * blank))
    }

    #[inline]
    fn price(&self, tile: usize) -> Cost {
        if self.by_tile { tile as Cost } else { 1 }
    }

    /// The number of steps between two cells.
    fn steps(&self, one: usize, other: usize) -> usize {
        (one / self.columns).abs_diff(other / self.columns) + (one % self.columns).abs_diff(other % self.columns)
    }

    /// The goal with this name for a board with this number of cells.
    fn named_goal(name: &str, len: usize) -> Option<Vec<u8>> {
        let mut goal: Vec<u8> = (0..len as u8).collect();
        match name {
            "blank-first" => {}
            "blank-last" => goal.rotate_left(1),
            _ => return None,
        }
        Some(goal)
    }

    /// Calls `each` with every state that is one move away, and with the price of the move.
    #[inline]
    fn around(&self, cells: Cells, mut each: impl FnMut(Cells, Cost) -> ControlFlow<()>) -> ControlFlow<()> {
        let blank = self.blank(cells);
        self.near[blank].iter().try_for_each(|from| each(self.slide(cells, blank, from), self.price(self.tile(cells, from))))
    }
}

impl Pack<Tiles> for Cells {
    fn bytes(rules: &Tiles) -> usize {
        (rules.bits() * rules.len()).div_ceil(8)
    }

    #[inline]
    fn pack(&self, _: &Tiles, out: &mut [u8]) {
        out.copy_from_slice(&self.0.to_le_bytes()[..out.len()]);
    }

    #[inline]
    fn word(&self, _: &Tiles) -> u64 {
        self.0 as u64
    }

    #[inline]
    fn unpack(_: &Tiles, bytes: &[u8]) -> Self {
        let mut whole = [0; 16];
        whole[..bytes.len()].copy_from_slice(bytes);
        Cells(u128::from_le_bytes(whole))
    }
}

impl Rules for Tiles {
    type State = Cells;
    /// The cell of the tile that moves.
    type Move = u8;

    fn start(&self) -> Cells {
        self.start
    }

    #[inline]
    fn moves(&self, cells: &Cells, out: &mut Vec<u8>) {
        out.extend(self.near[self.blank(*cells)].iter().map(|cell| cell as u8));
    }

    #[inline]
    fn apply(&self, cells: &Cells, from: &u8) -> Cells {
        self.slide(*cells, self.blank(*cells), usize::from(*from))
    }
}

impl Problem for Tiles {
    const HEURISTICS: &'static [Heuristic<Self>] = &[
        consistent("conflict", "`manhattan`, plus two more steps for each tile that must leave its line to let others pass", |board, _| {
            let lines = Lines::new(board);
            let bytes = lines.bytes();
            Ok(Estimate::new(move |board: &Tiles, cells: &Cells| lines.at(board, *cells)).with_tables(bytes))
        }),
        consistent("manhattan", "the number of steps from each tile to its place, added up", |board, _| {
            Ok(Pairs::new(board, |tile, cell| board.steps(cell, board.home(tile))).estimate())
        }),
        consistent("misplaced", "the number of tiles that are not in their places", |board, _| {
            Ok(Pairs::new(board, |tile, cell| usize::from(cell != board.home(tile))).estimate())
        }),
    ];

    const SOLVERS: &'static [Solver<Self>] = &[korf::SOLVER];

    const PATTERNS: Option<Patterns<Self>> = Some(patterns::PATTERNS);

    const IN_PLACE: Option<InPlace<Self>> = Some(InPlace {
        make: |board, cells, from| {
            let blank = board.blank(*cells);
            *cells = board.slide(*cells, blank, usize::from(*from));
            blank as u64
        },
        unmake: |board, cells, from, blank| *cells = board.slide(*cells, usize::from(*from), blank as usize),
    });

    const PROOFS: Option<Proofs<Self>> = Some(Proofs {
        quick: true,
        refute: |board, cells, _| board.refute(*cells),
        check: |board, cells, certificate, limits| {
            limits.check()?;
            board.confirm(*cells, &certificate.kind)
        },
        data: &[],
        claim: |board, cells, certificate| board.claim(*cells, &certificate.kind),
        least: None,
    });

    const BACKWARD: Option<Backward<Self>> =
        Some(Backward { goals: |board| vec![board.goal], step: |board, cells, emit| board.around(*cells, emit) });

    #[inline]
    fn is_goal(&self, cells: &Cells) -> bool {
        *cells == self.goal
    }

    #[inline]
    fn cost(&self, cells: &Cells, from: &u8) -> Cost {
        self.price(self.tile(*cells, usize::from(*from)))
    }

    fn move_costs(&self) -> RangeInclusive<Cost> {
        1..=self.price(self.len() - 1)
    }

    #[inline]
    fn expand(&self, cells: &Cells, _: &mut Vec<u8>, emit: impl FnMut(Cells, Cost) -> ControlFlow<()>) -> ControlFlow<()> {
        self.around(*cells, emit)
    }
}

/// A consistent heuristic. With `cost: tile`, it counts each tile as often as its number, and no move of a tile lowers that by more
/// than the number.
const fn consistent(name: &'static str, about: &'static str, build: BuildFn) -> Heuristic<Tiles> {
    Heuristic { name, about, admissible: true, consistent: true, aliases: &[], build }
}

type BuildFn = fn(&Tiles, &Limits) -> Result<Estimate<Tiles>, Limit>;

/// A sum over all tiles, read from a table two cells at a time.
struct Pairs {
    /// For each pair of cells, the sum for all values of their bits.
    sums: Vec<u16>,
    bits: usize,
}

impl Pairs {
    fn new(board: &Tiles, steps: impl Fn(usize, usize) -> usize) -> Pairs {
        let (len, bits) = (board.len(), board.bits());
        let mut sums = vec![0; len.div_ceil(2) << (2 * bits)];
        let price = |tile: usize, cell: usize| match tile {
            0 => 0,
            _ => (steps(tile, cell) * board.price(tile) as usize) as u16,
        };
        for (first, second) in (0..len)
            .step_by(2)
            .flat_map(|cell| (0..len * len).map(move |both| (cell, both)))
            .map(|(cell, both)| ((cell, both % len), (cell + 1, both / len)))
        {
            let at = (first.0 / 2) << (2 * bits) | second.1 << bits | first.1;
            sums[at] = price(first.1, first.0) + price(second.1, second.0);
        }
        Pairs { sums, bits }
    }

    #[inline]
    fn at(&self, cells: Cells) -> Cost {
        if self.bits == 4 {
            let bytes = (cells.0 as u64).to_le_bytes();
            return bytes.into_iter().zip(self.sums.chunks_exact(256)).map(|(both, sums)| Cost::from(sums[usize::from(both)])).sum();
        }
        self.sums.chunks_exact(1024).enumerate().map(|(pair, sums)| Cost::from(sums[(cells.0 >> (10 * pair)) as usize % 1024])).sum()
    }

    /// The part of the sum for a tile in a cell.
    #[inline]
    fn of(&self, tile: usize, cell: usize) -> Cost {
        let shift = if cell % 2 == 1 { self.bits } else { 0 };
        Cost::from(self.sums[(cell / 2) << (2 * self.bits) | tile << shift])
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.sums)
    }

    fn estimate(self) -> Estimate<Tiles> {
        let (bytes, whole) = (self.bytes(), Arc::new(self));
        let parts = Arc::clone(&whole);
        let estimate = Estimate::new(move |_, cells: &Cells| whole.at(*cells)).with_tables(bytes);
        estimate.with_difference(move |board: &Tiles, cells, from, estimate| {
            let (from, to) = (usize::from(*from), board.blank(*cells));
            let tile = board.tile(*cells, from);
            estimate + parts.of(tile, to) - parts.of(tile, from)
        })
    }
}

/// The heuristic `conflict`. Tiles in the same row or column as their places that stand in each other's way cannot all go straight.
/// The cheapest of them that must step aside add two steps each to their distance. A tile that steps aside from its row moves in a
/// column, so no step is counted twice.
struct Lines {
    manhattan: Pairs,
    /// For each cell and tile, what the tile adds to the code of its row (lower half) and of its column (upper half). A code has a
    /// digit for each cell: the place of the cell's tile in the line, from 1, or 0 if the tile belongs elsewhere.
    digits: Vec<[u32; 32]>,
    /// For each row, then each column, the cost of stepping aside, by code.
    aside: Vec<u16>,
    /// The number of codes of a line.
    codes: usize,
}

impl Lines {
    fn new(board: &Tiles) -> Lines {
        let (rows, columns) = (board.rows, board.columns);
        let base = rows.max(columns) + 1;
        let codes = base.pow(base as u32 - 1);
        let digit = |cell: usize, tile: usize| {
            let (home, row, column) = (board.home(tile), cell / columns, cell % columns);
            let part = |same: bool, place: usize, at: usize| if same { (place + 1) * base.pow(at as u32) } else { 0 };
            let in_row = part(home / columns == row, home % columns, column);
            let in_column = part(home % columns == column, home / columns, row);
            (in_row | in_column << 16) as u32
        };
        let digits = |cell| std::array::from_fn(|tile| if (1..board.len()).contains(&tile) { digit(cell, tile) } else { 0 });
        let goal = board.tiles(board.goal);
        let price = |cell: usize| board.price(usize::from(goal[cell]));
        let of_rows = (0..rows).map(|row| (0..columns).map(|column| price(row * columns + column)).collect());
        let of_columns = (0..columns).map(|column| (0..rows).map(|row| price(row * columns + column)).collect());
        let lines: Vec<Vec<Cost>> = of_rows.chain(of_columns).collect();
        let aside = lines.iter().flat_map(|prices| (0..codes).map(|code| 2 * least_aside(code, base, prices) as u16)).collect();
        let manhattan = Pairs::new(board, |tile, cell| board.steps(cell, board.home(tile)));
        Lines { manhattan, digits: (0..board.len()).map(digits).collect(), aside, codes }
    }

    #[inline]
    fn at(&self, board: &Tiles, cells: Cells) -> Cost {
        let (mut columns, mut total) = ([0; MOST], self.manhattan.at(cells));
        let mut line = 0..;
        let mut aside = |code: u32| {
            let line = line.next().unwrap_or(0);
            Cost::from(self.aside[line * self.codes + code as usize])
        };
        for row in 0..board.rows {
            let mut code = 0;
            for (column, down) in columns.iter_mut().enumerate().take(board.columns) {
                let cell = row * board.columns + column;
                let digits = self.digits[cell][board.tile(cells, cell) % 32];
                code += digits & 0xffff;
                *down += digits >> 16;
            }
            total += aside(code);
        }
        total + columns[..board.columns].iter().map(|&code| aside(code)).sum::<Cost>()
    }

    fn bytes(&self) -> usize {
        self.manhattan.bytes() + size_of_val(&*self.digits) + size_of_val(&*self.aside)
    }
}

/// The least total price of tiles to remove from a line so that the others are in order: all, without the dearest ordered ones.
fn least_aside(code: usize, base: usize, prices: &[Cost]) -> Cost {
    let places = (0..prices.len()).map(|at| code / base.pow(at as u32) % base).filter(|&place| (1..=prices.len()).contains(&place));
    let places: Vec<usize> = places.map(|place| place - 1).collect();
    // For each place, the price of the dearest ordered tiles that end there.
    let mut dearest = vec![0; prices.len()];
    for &place in &places {
        dearest[place] = prices[place] + dearest[..place].iter().max().unwrap_or(&0);
    }
    places.iter().map(|&place| prices[place]).sum::<Cost>().saturating_sub(dearest.into_iter().max().unwrap_or(0))
}

impl Tiles {
    #[inline]
    fn home(&self, tile: usize) -> usize {
        usize::from(self.homes[tile])
    }

    /// The tiles in reading order, without the blank.
    fn order(&self, cells: Cells) -> Vec<u8> {
        self.tiles(cells).into_iter().filter(|&tile| tile > 0).collect()
    }

    fn is_line(&self) -> bool {
        self.rows.min(self.columns) == 1
    }

    /// The kind of proof that the goal cannot be reached. Every move swaps the blank with a tile. So the number of moves is odd
    /// if the number of pairs in the wrong order is odd, counting the blank, and also if the blank is an odd number of steps from its
    /// place. On a line, tiles cannot pass each other. Without such an obstacle, the goal can be reached (Johnson and Story, 1879).
    fn obstacle(&self, cells: Cells) -> Option<&'static str> {
        let homes: Vec<usize> = self.tiles(cells).into_iter().map(|tile| self.home(usize::from(tile))).collect();
        let after = |at: usize| homes[at..].iter().filter(|&&home| home < homes[at]).count();
        let wrong: usize = (0..homes.len()).map(after).sum();
        match (wrong + self.steps(self.blank(cells), self.home(0))) % 2 {
            1 => Some("parity"),
            _ => (self.is_line() && self.order(cells) != self.order(self.goal)).then_some("order"),
        }
    }

    fn refute(&self, cells: Cells) -> Option<Certificate> {
        let kind = self.obstacle(cells)?;
        Some(Certificate { kind: kind.to_owned(), claim: self.claim(cells, kind), data: Map::new() })
    }

    /// For each cell, the number of its cycle in the permutation that takes every tile to its place.
    fn cycles(&self, cells: Cells) -> Vec<usize> {
        let (here, goal) = (self.tiles(cells), self.tiles(self.goal));
        let mut cycles = vec![0; here.len()];
        let mut count = 0;
        for begin in 0..here.len() {
            let mut at = begin;
            count += usize::from(cycles[at] == 0);
            while cycles[at] == 0 {
                cycles[at] = count;
                at = goal.iter().position(|tile| *tile == here[at]).unwrap_or(at);
            }
        }
        cycles
    }

    /// Checks a proof, by the cycles of the permutation and the colors of a chessboard.
    fn confirm(&self, cells: Cells, kind: &str) -> Result<(), CheckError> {
        match kind {
            "parity" => {
                let cycles = self.cycles(cells).into_iter().max().unwrap_or(0);
                let color = |cells: Cells| {
                    self.tiles(cells).iter().position(|&tile| tile == 0).map(|at| (at / self.columns + at % self.columns) % 2)
                };
                let swaps_are_odd = (self.len() - cycles) % 2 == 1;
                match swaps_are_odd == (color(cells) != color(self.goal)) {
                    true => Err("the board and the goal have the same parity".into()),
                    false => Ok(()),
                }
            }
            "order" if !self.is_line() => Err("tiles can change their order, because the board has several rows and columns".into()),
            "order" if self.order(cells) == self.order(self.goal) => Err("the tiles are in the same order as in the goal".into()),
            "order" => Ok(()),
            kind => Err(format!("tiles has no certificates of kind `{}`", shorten(kind)).into()),
        }
    }

    fn claim(&self, cells: Cells, kind: &str) -> String {
        if kind == "order" {
            return "tiles in a single line never change their order, and their order in the goal is different".to_owned();
        }
        let [blank, tiles] = match self.steps(self.blank(cells), self.home(0)) % 2 {
            0 => ["even", "odd"],
            _ => ["odd", "even"],
        };
        format!(
            "the blank needs an {blank} number of moves to its place, but all together need an {tiles} number, as each move is one swap"
        )
    }
}

const HELP: &str =
    "write rows such as `1 2 3|4 5 6|7 0 8`, with 0 or _ for the blank; `goal: blank-first;` or `cost: tile;` may precede them";

/// Reads rows of numbers. `text` is a part of the source.
fn read_rows(source: &Source<'_>, parts: &[&str]) -> Result<(usize, Vec<u8>), ParseError> {
    let text = source.text();
    let mut words: Vec<&str> = Vec::new();
    let (mut columns, mut rows) = (0, 0);
    for row in parts.iter().flat_map(|part| part.split(['|', '/'])) {
        let before = words.len();
        for word in row.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
            if rows == MOST || words.len() == before + MOST {
                return Err(source.error(offset_in(text, word), "the board is larger than 5 x 5", "use at most 5 rows and 5 columns"));
            }
            words.push(word);
        }
        let Some(first) = words.get(before) else { continue };
        rows += 1;
        if rows == 1 {
            columns = words.len();
        } else if words.len() != before + columns {
            let message = format!("row {rows} has {}, but row 1 has {columns}", counted(words.len() - before, "number", "numbers"));
            return Err(source.error(offset_in(text, first), message, "make all rows equally long"));
        }
    }
    if words.len() < 2 {
        return Err(source.error(parts.first().map_or(0, |part| offset_in(text, part)), "there is no board", HELP));
    }
    let mut tiles: Vec<u8> = Vec::new();
    for word in &words {
        let wrong = |message: String| {
            let help = format!("write each number from 0 to {} exactly once; 0 or _ is the blank", words.len() - 1);
            source.error(offset_in(text, word), message, help)
        };
        let digits = if *word == "_" { "0" } else { word };
        let tile =
            Some(digits).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())).and_then(|digits| digits.parse::<u64>().ok());
        let tile = tile.ok_or_else(|| wrong(format!("`{}` is not a number", shorten(word))))?;
        if tile >= words.len() as u64 {
            return Err(wrong(format!("a board of {rows} x {columns} has no tile {tile}")));
        }
        if tiles.contains(&(tile as u8)) {
            let what = if tile == 0 { "the blank".to_owned() } else { format!("tile {tile}") };
            return Err(wrong(format!("{what} is on the board twice")));
        }
        tiles.push(tile as u8);
    }
    Ok((columns, tiles))
}

/// The goal that a value names or shows, for a board with these rows.
fn read_goal(source: &Source<'_>, value: &str, columns: usize, len: usize) -> Result<Vec<u8>, ParseError> {
    if let Some(goal) = Tiles::named_goal(value.trim(), len) {
        return Ok(goal);
    }
    const HELP: &str = "a goal is `blank-last`, `blank-first`, or a board such as `1 2 3|8 0 4|7 6 5`";
    let at = offset_in(source.text(), value);
    if !value.contains(|c: char| c.is_ascii_digit()) {
        return Err(source.error(at, format!("there is no goal `{}`", shorten(value.trim())), HELP));
    }
    let (goal_columns, goal) = read_rows(source, &[value])?;
    if (goal_columns, goal.len()) != (columns, len) {
        let size = |columns: usize, len: usize| format!("{} x {columns}", len / columns);
        let message = format!("the goal is {}, but the board is {}", size(goal_columns, goal.len()), size(columns, len));
        return Err(source.error(at, message, "give the goal as many rows and columns as the board"));
    }
    Ok(goal)
}

/// True if a move costs the tile's number.
fn read_cost(source: &Source<'_>, value: &str) -> Result<bool, ParseError> {
    match value.trim() {
        "unit" => Ok(false),
        "tile" => Ok(true),
        other => Err(source.error(
            offset_in(source.text(), value),
            format!("there is no cost `{}`", shorten(other)),
            "a cost is `unit` or `tile`",
        )),
    }
}

/// A setting from a line of the text or from an option, read by `read`; they must not contradict each other.
fn setting<T: PartialEq>(
    name: &str,
    line: Option<(&Source<'_>, &str)>,
    options: &Options,
    default: T,
    read: impl Fn(&Source<'_>, &str) -> Result<T, ParseError>,
) -> Result<T, ReadError> {
    let said = line.map(|(source, value)| read(source, value)).transpose()?;
    let Some(value) = options.get(name) else { return Ok(said.unwrap_or(default)) };
    let wrong = |error: ParseError| Fault::new(format!("option `{name}`: {}", error.message), error.help);
    let given = read(&Source::new(value), value).map_err(wrong)?;
    if said.is_some_and(|said| said != given) {
        let said = shorten(line.map_or("", |(_, value)| value.trim()));
        return Err(
            Fault::new(format!("option `{name}` is `{}`, but the board says `{said}`", shorten(value)), "leave the option out").into()
        );
    }
    Ok(given)
}

const GOAL: OptionSpec =
    OptionSpec { name: "goal", about: "`blank-last`, `blank-first`, or a board such as `1 2 3|8 0 4|7 6 5`", default: "blank-last" };
const COST: OptionSpec = OptionSpec { name: "cost", about: "`unit`, or `tile` if a move costs the tile's number", default: "unit" };

const GENERATE_OPTIONS: &[OptionSpec] = &[
    OptionSpec { name: "rows", about: "number of rows, 1 to 5", default: "3" },
    OptionSpec { name: "columns", about: "number of columns, 1 to 5", default: "3" },
    OptionSpec { name: "steps", about: "number of random moves from the goal, up to 10000; or `any` for any board", default: "any" },
    GOAL,
    COST,
];

/// A random solvable board. Without `steps`, all solvable boards are equally likely.
fn generate(random: &mut Random, options: &Options, limits: &Limits) -> Result<Tiles, ReadError> {
    let side = |name: &str| Ok::<_, Fault>(options.integer(name, 1..=MOST as i64)?.unwrap_or(3) as usize);
    let (rows, columns) = (side("rows")?, side("columns")?);
    let len = rows * columns;
    if len < 2 {
        return Err(Fault::new("a board of 1 x 1 has no tiles", "ask for more `rows` or `columns`").into());
    }
    let goal = setting("goal", None, options, Tiles::named_goal("blank-last", len).unwrap_or_default(), |source, value| {
        read_goal(source, value, columns, len)
    })?;
    let by_tile = setting("cost", None, options, false, read_cost)?;
    let board = |start: &[u8]| Tiles::new(rows, columns, start, &goal, by_tile);
    let steps = if options.get("steps") == Some("any") { None } else { options.integer("steps", 0..=10_000)? };
    let mut found = board(&goal);
    if let (None, false) = (steps, found.is_line()) {
        let mut tiles = goal.clone();
        random.shuffle(&mut tiles, len);
        found = board(&tiles);
        if found.obstacle(found.start).is_some() {
            let tiles_only: Vec<usize> = (0..len).filter(|&at| tiles[at] > 0).collect();
            tiles.swap(tiles_only[0], tiles_only[1]);
            found = board(&tiles);
        }
        return Ok(found);
    }
    let mut before = usize::MAX;
    for _ in 0..steps.unwrap_or(8 * len as i64) {
        limits.check()?;
        let blank = found.blank(found.start);
        let mut cells: Vec<usize> = found.near[blank].iter().collect();
        // Like a player, the walk takes no move back, except at the end of a line.
        if cells.len() > 1 {
            cells.retain(|&cell| cell != before);
        }
        before = blank;
        found.start = found.slide(found.start, blank, cells[random.below(cells.len())]);
    }
    Ok(found)
}

impl Notation for Tiles {
    const INFO: Info<Self> = Info {
        name: "tiles",
        about: "sliding tiles, such as the 8-puzzle and the 15-puzzle: slide tiles into the blank until they are in order",
        rules: "\
A move slides a tile into the blank next to it. The goal is to put the tiles in order, with the blank last (`goal: blank-last`) or
first (`goal: blank-first`), or as on another board (`goal: 1 2 3|8 0 4|7 6 5`). Every move costs 1 or, with `cost: tile`, the
number of the tile.

A board has up to 5 rows and 5 columns, and at least 2 cells. It is written as rows of numbers separated by spaces, with 0 or _ for the
blank. Rows are on separate lines or separated by `|`. Settings come first, on lines of their own or followed by `;`:
  kibitzer solve tiles '1 2 3|4 5 6|7 0 8'
  kibitzer solve tiles 'goal: blank-first; 7 2 4|5 0 6|8 3 1'
A move is written as the number of the tile.

Half of all boards have no solution: a move changes the parity of the order of the tiles, and it moves the blank to a cell of the other
color of a chessboard. So the two always change together, and if they do not match in the goal, no search is needed. On boards with a
single row or column, tiles never change their order. The proof is called `parity` or `order`.

With --course --method korf, IDA* runs as R. E. Korf counted it in 1985: Manhattan distance; the blank moves up, left, right, down; the
last move is not taken back, but there is no other test for repeated boards; `generated` counts the start, and every child in every
iteration when its turn comes, even above the bound. Korf's 100 boards are in instances/tiles/korf100.list.",
        sample: "1 2 3\n4 5 6\n7 0 8\n",
        sources: &[
            "W. W. Johnson, W. E. Story: Notes on the \"15\" puzzle. American Journal of Mathematics 2, 1879: which boards can be solved.",
            "R. E. Korf: Depth-first iterative-deepening. Artificial Intelligence 27, 1985: IDA* and the 100 boards.",
            "O. Hansson, A. Mayer, M. Yung: Criticizing solutions to relaxed models yields powerful admissible heuristics. Information Sciences 63, 1992: linear conflicts.",
            "S. Russell, P. Norvig: Artificial Intelligence: A Modern Approach: the 8-puzzle as an example of search.",
            "OEIS A089473: the number of boards of the 8-puzzle at each distance from the goal.",
        ],
        options: &[GOAL, COST, patterns::OPTION],
        examples: &[
            Example { command: "solve", arguments: "'1 2 3|4 5 6|7 0 8'", about: "" },
            Example { command: "solve", arguments: "korf-79 --course --method korf", about: "IDA*, counted as in Korf's paper" },
            Example { command: "explore", arguments: "'1 2 3|4 5 6|7 8 0'", about: "all 181,440 boards of the 8-puzzle" },
        ],
        generator: Some(Generator { options: GENERATE_OPTIONS, solvable: true, make: generate }),
        levels: Some(&[
            LevelSpec { options: &["steps=8", "rows=2 columns=3 steps=12"], least: 4..=8, guesses: 4..=40 },
            LevelSpec { options: &["steps=24"], least: 10..=16, guesses: 10..=80 },
            LevelSpec { options: &["steps=any"], least: 18..=22, guesses: 20..=120 },
            LevelSpec { options: &["steps=any"], least: 24..=31, guesses: 30..=200 },
        ]),
        monsters: &[
            Monster { name: "5 x 5, shuffled", make: |random| shuffled(random, "") },
            Monster { name: "5 x 5, by tile", make: |random| shuffled(random, "cost: tile\n") },
        ],
        ..Info::EMPTY
    };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        input.limits.check()?;
        let source = &Source::without_comments(input.text);
        let (mut rows, mut settings) = (Vec::new(), [("goal", None), ("cost", None), ("patterns", None)]);
        for part in source.text().split(['\n', ';']) {
            let Some((key, value)) = part.split_once(':') else {
                rows.push(part);
                continue;
            };
            let at = offset_in(source.text(), part) + part.len() - part.trim_start().len();
            let Some((key, known)) = settings.iter_mut().find(|(name, _)| *name == key.trim()) else {
                return Err(source.error(at, format!("unknown setting `{}`", shorten(key.trim())), HELP).into());
            };
            if known.replace((source, value)).is_some() {
                return Err(source.error(at, format!("`{key}` is given twice"), "remove one of the two").into());
            }
        }
        let (columns, start) = read_rows(source, &rows)?;
        let [(_, goal), (_, cost), (_, sizes)] = settings;
        let last = Tiles::named_goal("blank-last", start.len()).unwrap_or_default();
        let goal = setting("goal", goal, input.options, last, |source, value| read_goal(source, value, columns, start.len()))?;
        let by_tile = setting("cost", cost, input.options, false, read_cost)?;
        let usual = patterns::usual_sizes(start.len());
        let sizes = setting("patterns", sizes, input.options, usual, |source, value| patterns::read_sizes(source, value, start.len()))?;
        let mut board = Tiles::new(start.len() / columns, columns, &start, &goal, by_tile);
        board.group(&sizes);
        patterns::note_on_memory(&board, input.limits.bytes).into_iter().for_each(|note| input.note(note));
        Ok(board)
    }

    fn write(&self, cells: &Cells) -> String {
        self.settings() + &self.rows(*cells).join("\n") + "\n"
    }

    fn write_move(&self, cells: &Cells, from: &u8) -> String {
        self.tile(*cells, usize::from(*from)).to_string()
    }

    fn move_json(&self, cells: &Cells, from: &u8) -> Value {
        json!(self.tile(*cells, usize::from(*from)))
    }

    fn ascii(&self, cells: &Cells) -> String {
        let word = |&tile: &u8| if tile == 0 { " _".to_owned() } else { format!("{tile:2}") };
        let line = |tiles: &[u8]| tiles.iter().map(word).collect::<Vec<_>>().join(" ");
        self.tiles(*cells).chunks(self.columns).map(line).collect::<Vec<_>>().join("\n")
    }

    fn line(&self, cells: &Cells) -> String {
        self.rows(*cells).join("|")
    }
}

fn shuffled(random: &mut Random, settings: &str) -> String {
    let mut tiles: Vec<u8> = (0..25).collect();
    random.shuffle(&mut tiles, 25);
    tiles.chunks(5).fold(settings.to_owned(), |text, row| text + &row.iter().map(|tile| format!("{tile} ")).collect::<String>() + "\n")
}

impl Tiles {
    fn rows(&self, cells: Cells) -> Vec<String> {
        let line = |tiles: &[u8]| tiles.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
        self.tiles(cells).chunks(self.columns).map(line).collect()
    }

    /// The lines with settings that are not the default.
    fn settings(&self) -> String {
        let goal = self.tiles(self.goal);
        let is = |name: &str| Tiles::named_goal(name, self.len()).as_ref() == Some(&goal);
        let mut text = String::new();
        if !is("blank-last") {
            let goal = if is("blank-first") { "blank-first".to_owned() } else { self.line(&self.goal) };
            let _ = writeln!(text, "goal: {goal}");
        }
        if self.by_tile {
            text.push_str("cost: tile\n");
        }
        let sizes = self.group_sizes();
        if sizes != patterns::usual_sizes(self.len()) {
            let _ = writeln!(text, "patterns: {}", patterns::written(&sizes));
        }
        text
    }

    /// The name of a cell in the drawing.
    fn place(&self, cell: usize) -> String {
        format!("{},{}", cell / self.columns + 1, cell % self.columns + 1)
    }

    fn explain(&self, cells: Cells) -> Explanation {
        let tiles = self.tiles(cells);
        let far = |cell: usize| if tiles[cell] == 0 { 0 } else { self.steps(cell, self.home(usize::from(tiles[cell]))) };
        let manhattan = Pairs::new(self, |tile, cell| self.steps(cell, self.home(tile))).at(cells);
        let conflict = Lines::new(self).at(self, cells);
        let times = if self.by_tile { ", times its number" } else { "" };
        let mut explanation = Explanation::new(format!(
            "Each tile needs at least as many moves as it is steps away from its place{times}: together {manhattan}. Tiles that block each \
             other in their own row or column add {}, so a plan costs at least {conflict}. This is the estimate `conflict`.",
            conflict - manhattan
        ));
        for cell in (0..tiles.len()).filter(|&cell| far(cell) > 0) {
            explanation.tint(self.place(cell), Paint::Glow, far(cell) as f64 / (self.rows + self.columns) as f64);
        }
        explanation
    }

    fn show_proof(&self, cells: Cells, certificate: &Certificate) -> Explanation {
        let mut explanation = Explanation::new(sentence(&certificate.claim));
        if certificate.kind == "parity" {
            let cycles = self.cycles(cells);
            let alone = |cycle: usize| cycles.iter().filter(|&&other| other == cycle).count() == 1;
            for (cell, &cycle) in cycles.iter().enumerate().filter(|(_, cycle)| !alone(**cycle)) {
                explanation.tint(self.place(cell), Paint::color(cycle), 0.6);
            }
            explanation.text.push_str(
                " Tiles of one color change places in a circle; a circle of 2, 4 or 6 takes an odd number of swaps, and one of 3, 5 or 7 an even number.",
            );
        }
        explanation
    }

    fn cards(&self) -> Vec<Card> {
        let cost = if self.by_tile { "cost: tile\n" } else { "" };
        let small = format!("{cost}1 2 3\n4 0 5\n");
        let price = match self.by_tile {
            true => Card::new(Topic::Cost, "A move costs the number of the tile.", small.clone()),
            false => Card::new(Topic::Cost, "Every move costs 1.", small.clone()),
        };
        let blank = self.home(0);
        let from = self.near[blank].iter().next().unwrap_or(blank);
        let last = self.write(&self.slide(self.goal, blank, from));
        let goal = Card::new(Topic::Goal, "You win when the tiles are in this order.", last);
        vec![
            Card::new(Topic::Move, "Slide a tile into the blank next to it.", small).making("2"),
            price.pricing("4"),
            goal.making(self.tile(self.goal, from).to_string()),
        ]
    }

    /// The board after two cells are swapped or all tiles are put in their places.
    fn paint(&self, cells: Cells, brush: &str, places: &[&str]) -> Option<String> {
        let cell = |place: &str| (0..self.len()).find(|&cell| self.place(cell) == place);
        match (brush, places) {
            ("solved", []) => Some(self.write(&self.goal)),
            ("swap", [one, other]) => {
                let mut tiles = self.tiles(cells);
                tiles.swap(cell(one)?, cell(other)?);
                Some(self.write(&self.cells(&tiles)))
            }
            _ => None,
        }
    }
}

impl Drawing for Tiles {
    const LESSON: Option<Lesson<Self>> = Some(Lesson {
        explain: |board, cells, _| Some(board.explain(*cells)),
        show_proof: |board, cells, certificate| board.show_proof(*cells, certificate),
    });

    const EDITOR: Option<Editor<Self>> = Some(Editor {
        brushes: |_| {
            &[
                Brush { name: "swap", about: "swap two tiles; this makes a solvable board unsolvable", clicks: 2 },
                Brush { name: "solved", about: "put every tile in its place", clicks: 0 },
            ]
        },
        canvas: Tiles::scene,
        paint: |board, cells, brush, places| board.paint(*cells, brush, places),
        arranging: None,
    });

    const PRIMER: Option<Primer<Self>> = Some(Primer { cards: Tiles::cards, picture: Tiles::scene });

    fn scene(&self, cells: &Cells, limits: &Limits) -> Result<Scene, Limit> {
        const SIZE: f64 = 40.0;
        let away = (0..self.len())
            .filter(|&cell| self.tile(*cells, cell) != 0 && *cells != self.goal && self.tile(*cells, cell) != self.tile(self.goal, cell));
        let title = format!("Sliding tiles, {} x {}: {} out of place", self.rows, self.columns, counted(away.count(), "tile", "tiles"));
        let (width, height) = (SIZE * self.columns as f64 + 20.0, SIZE * self.rows as f64 + 20.0);
        let mut scene = Scene { title, width, height, ..Scene::default() };
        for cell in 0..self.len() {
            scene.check(limits)?;
            let (name, tile) = (self.place(cell), self.tile(*cells, cell));
            let (x, y) = (10.0 + SIZE * (cell % self.columns) as f64, 10.0 + SIZE * (cell / self.columns) as f64);
            let square = |gap: f64| Form::Rect { x: x + gap, y: y + gap, width: SIZE - 2.0 * gap, height: SIZE - 2.0 * gap };
            scene.add_named(square(0.0), Paint::Ghost, name.clone());
            if tile > 0 {
                scene.add_named(square(1.5), Paint::Color2, name.clone());
                let text = tile.to_string();
                scene.add_named(Form::Text { x: x + SIZE / 2.0, y: y + SIZE / 2.0, size: 18.0, text }, Paint::Ink, name.clone());
            }
            let what = if tile == 0 { "blank".to_owned() } else { format!("tile {tile}") };
            scene.describe(&name, format!("{what}, row {} column {}", cell / self.columns + 1, cell % self.columns + 1));
        }
        Ok(scene)
    }

    fn clicks(&self, _: &Cells, from: &u8) -> Vec<String> {
        vec![self.place(usize::from(*from))]
    }
}
