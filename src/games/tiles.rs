//! Sliding tiles: the 8-puzzle, the 15-puzzle and all boards up to 5 x 5. Slide tiles into the blank until they are in order.
//!
//! A state is one number with 4 bits per cell or, on boards with more than 16 cells, 5 bits. The first cell is in the lowest bits.
//! A move is the cell of the tile that slides into the blank, so moves in ascending order are the blank's moves up, left, right
//! and down.

mod distance;
mod korf;
mod patterns;
mod proof;

use std::ops::{ControlFlow, RangeInclusive};

use serde_json::{Value, json};

use self::distance::Conflict;
use crate::drawing::{Card, Drawing, Editor, Lesson, Primer, Topic};
use crate::limits::{Limit, Limits};
use crate::notation::tools::Example;
use crate::notation::{
    Generator, Info, Input, LevelSpec, Monster, Notation, OptionSpec, Options, ParseError, ReadError, Source, counted, shorten,
};
use crate::random::Random;
use crate::rules::{Backward, Cost, Heuristic, InPlace, Pack, Patterns, Problem, Proofs, Rules, Solver};
use crate::scene::{Brush, Explanation, Form, Paint, Scene};

/// The maximum number of rows and of columns.
const MOST: usize = 5;

/// One board with its options.
pub struct Tiles {
    rows: usize,
    columns: usize,
    /// The number of bits per cell.
    bits: usize,
    start: Cells,
    goal: Cells,
    /// True if a move costs the tile's number. Otherwise, every move costs 1.
    by_tile: bool,
    /// The cells next to each cell, in ascending order, and their number.
    near: Vec<([u8; 4], usize)>,
    /// The cell of each tile in the goal; the blank is tile 0.
    homes: Vec<usize>,
    /// The groups of tiles for the heuristic `pattern`.
    groups: Vec<Vec<usize>>,
}

/// The tiles in all cells; 0 is the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cells(u128);

impl Cells {
    fn new(tiles: &[usize]) -> Cells {
        let bits = if tiles.len() <= 16 { 4 } else { 5 };
        Cells(tiles.iter().rev().fold(0, |cells, &tile| cells << bits | tile as u128))
    }

    // The next three functions are for boards with more than 16 cells. They are not inlined, because otherwise the compiler would
    // compute their results in advance, even in loops that do not need them.

    #[inline(never)]
    fn wide_tile(self, cell: usize) -> usize {
        (self.0 >> (5 * cell)) as usize % 32
    }

    #[inline(never)]
    fn wide_blank(self) -> usize {
        const ONES: u128 = (u128::MAX >> 3) / 31;
        (self.0.wrapping_sub(ONES) & !self.0 & ONES << 4).trailing_zeros() as usize / 5
    }

    #[inline(never)]
    fn wide_slide(self, blank: usize, from: usize) -> Cells {
        let tile = self.0 >> (5 * from) & 31;
        Cells(self.0 ^ tile << (5 * from) ^ tile << (5 * blank))
    }
}

impl Tiles {
    fn new(columns: usize, start: &[usize], goal: &[usize], by_tile: bool) -> Tiles {
        let (len, rows, bits) = (start.len(), start.len() / columns, if start.len() <= 16 { 4 } else { 5 });
        let homes = (0..len).map(|tile| goal.iter().position(|&other| other == tile).unwrap_or(0)).collect();
        let (start, goal, near, groups) = (Cells::new(start), Cells::new(goal), Vec::new(), Vec::new());
        let mut board = Tiles { rows, columns, bits, start, goal, by_tile, near, homes, groups };
        board.group(&patterns::usual_sizes(len));
        board.near = (0..len).map(|cell| board.beside(cell)).collect();
        board
    }

    /// The number of cells.
    fn len(&self) -> usize {
        self.rows * self.columns
    }

    #[inline]
    fn tile(&self, cells: Cells, cell: usize) -> usize {
        if self.bits == 4 { (cells.0 as u64 >> (4 * cell)) as usize % 16 } else { cells.wide_tile(cell) }
    }

    /// The tiles in all cells, row by row.
    fn tiles(&self, cells: Cells) -> Vec<usize> {
        (0..self.len()).map(|cell| self.tile(cells, cell)).collect()
    }

    /// The blank: the lowest cell that contains 0, found by the borrow when 1 is subtracted from each cell. The cells beyond the
    /// board also contain 0, but they are higher.
    #[inline]
    fn blank(&self, cells: Cells) -> usize {
        const ONES: u64 = u64::MAX / 15;
        if self.bits == 4 {
            let cells = cells.0 as u64;
            (cells.wrapping_sub(ONES) & !cells & ONES << 3).trailing_zeros() as usize / 4
        } else {
            cells.wide_blank()
        }
    }

    /// The state after the tile in a cell slides into the blank.
    #[inline]
    fn slide(&self, cells: Cells, blank: usize, from: usize) -> Cells {
        if self.bits == 4 {
            let tile = cells.0 as u64 >> (4 * from) & 15;
            Cells(cells.0 ^ u128::from(tile << (4 * from) ^ tile << (4 * blank)))
        } else {
            cells.wide_slide(blank, from)
        }
    }

    /// A number that identifies the move of a tile from one cell to another.
    #[inline]
    fn change(&self, tile: usize, from: usize, to: usize) -> usize {
        from << 10 | to << 5 | tile
    }

    /// The cost of a move of a tile.
    #[inline]
    fn price(&self, tile: usize) -> Cost {
        if self.by_tile { tile as Cost } else { 1 }
    }

    /// The cells next to a cell, in ascending order, and their number.
    fn beside(&self, cell: usize) -> ([u8; 4], usize) {
        let (mut cells, mut count) = ([0; 4], 0);
        for other in (0..self.len()).filter(|&other| self.steps(cell, other) == 1) {
            (cells[count], count) = (other as u8, count + 1);
        }
        (cells, count)
    }

    /// The cells next to a cell, in ascending order.
    #[inline]
    fn near(&self, cell: usize) -> impl Iterator<Item = usize> {
        let (cells, count) = self.near[cell];
        cells.into_iter().take(count).map(usize::from)
    }

    /// The number of steps between two cells.
    fn steps(&self, one: usize, other: usize) -> usize {
        (one / self.columns).abs_diff(other / self.columns) + (one % self.columns).abs_diff(other % self.columns)
    }
}

impl Pack<Tiles> for Cells {
    fn bytes(rules: &Tiles) -> usize {
        (rules.bits * rules.len()).div_ceil(8)
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
        // Copying all four cells and then removing some is faster than copying a number of cells that is unknown at compile time.
        let ((near, count), before) = (self.near[self.blank(*cells)], out.len());
        out.extend_from_slice(&near);
        out.truncate(before + count);
    }

    #[inline]
    fn apply(&self, cells: &Cells, from: &u8) -> Cells {
        self.slide(*cells, self.blank(*cells), usize::from(*from))
    }
}

impl Problem for Tiles {
    const HEURISTICS: &'static [Heuristic<Self>] = distance::HEURISTICS;

    const SOLVERS: &'static [Solver<Self>] = &[korf::SOLVER];

    const PATTERNS: Option<Patterns<Self>> = Some(patterns::PATTERNS);

    const IN_PLACE: Option<InPlace<Self>> = Some(InPlace {
        make: |board, cells, from| {
            let blank = board.blank(*cells);
            *cells = board.slide(*cells, blank, usize::from(*from));
            blank as u64
        },
        unmake: |board, cells, from, blank| *cells = board.slide(*cells, usize::from(*from), blank as usize),
        changes: |board, cells, moves, changes| {
            let blank = board.blank(*cells);
            let changes = &mut changes[..moves.len()];
            for at in 0..moves.len() {
                let from = usize::from(moves[at]);
                changes[at] = board.change(board.tile(*cells, from), from, blank);
            }
        },
    });

    const PROOFS: Option<Proofs<Self>> = Some(Proofs {
        quick: true,
        refute: |board, cells, _| board.refute(*cells),
        check: |board, cells, certificate, limits| {
            limits.check()?;
            board.confirm(*cells, &certificate.kind)
        },
        data: &[],
        claim: |board, cells, _| board.claim(*cells),
        least: None,
    });

    const BACKWARD: Option<Backward<Self>> =
        Some(Backward { goals: |board| vec![board.goal], step: |board, cells, emit| board.expand(cells, &mut Vec::new(), emit) });

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
    fn expand(&self, cells: &Cells, _: &mut Vec<u8>, mut emit: impl FnMut(Cells, Cost) -> ControlFlow<()>) -> ControlFlow<()> {
        let blank = self.blank(*cells);
        self.near(blank).try_for_each(|from| emit(self.slide(*cells, blank, from), self.price(self.tile(*cells, from))))
    }
}

const HELP: &str = "write rows such as `1 2 3|4 5 6|7 0 8`, with 0 or _ for the blank; before them, `goal:` with `blank-last`, \
                    `blank-first` or such a board, and `cost:` with `unit` or `tile`";

/// Reads rows; returns the number of columns and the tiles.
fn read_tiles(source: &Source<'_>) -> Result<(usize, Vec<usize>), ParseError> {
    const SIZES: &str = "a board must have at most 5 rows and 5 columns, and at least 2 cells";
    if source.text().trim().len() > 10_000 {
        return Err(source.error(0, "the board is too large", SIZES));
    }
    let rows = source.rows(HELP)?;
    let Some(columns) = rows.first().map(Vec::len) else { return Err(source.error(source.text().len(), "there is no board", HELP)) };
    if let Some((row, numbers)) = (1..).zip(&rows).find(|(_, row)| row.len() != columns) {
        let message = format!("row {row} has {}, but row 1 has {columns}", counted(numbers.len(), "number", "numbers"));
        return Err(source.error(numbers[0].1, message, "make all rows the same length"));
    }
    let (size, len) = (format!("{} x {columns}", rows.len()), rows.len() * columns);
    if rows.len() > MOST || columns > MOST || len < 2 {
        return Err(source.error(rows[0][0].1, format!("the board is {size}"), SIZES));
    }
    let mut tiles = Vec::new();
    for &(number, at) in rows.iter().flatten() {
        let help = format!("write each number from 0 to {} exactly once; 0 or _ is the blank", len - 1);
        match usize::try_from(number).ok().filter(|&tile| tile < len) {
            None => return Err(source.error(at, format!("a board of {size} has no tile {number}"), help)),
            Some(tile) if tiles.contains(&tile) => return Err(source.error(at, format!("{tile} is on the board twice"), help)),
            Some(tile) => tiles.push(tile),
        }
    }
    Ok((columns, tiles))
}

/// Reads a board with its settings.
fn read_text(text: &str) -> Result<Tiles, ParseError> {
    // This does not change the number of bytes, so positions in errors remain correct.
    let text = text.replace('_', "0");
    let source = Source::without_comments(&text);
    let (settings, rows) = source.settings(&["goal", "cost", "patterns"], HELP)?;
    let (columns, start) = read_tiles(&rows)?;
    let (mut goal, mut by_tile, mut sizes) = (named_goal(false, start.len()), false, None);
    for setting in settings {
        match (setting.key, setting.value) {
            ("goal", "blank-last") | ("cost", "unit") => {}
            ("goal", "blank-first") => goal = named_goal(true, start.len()),
            ("goal", "") => return Err(setting.error("the goal is empty", HELP)),
            ("goal", _) => {
                let (wide, tiles) = read_tiles(&setting.alone())?;
                if (wide, tiles.len()) != (columns, start.len()) {
                    let [goal, board] =
                        [(wide, tiles.len()), (columns, start.len())].map(|(columns, len)| format!("{} x {columns}", len / columns));
                    return Err(setting.error(format!("the goal is {goal}, but the board is {board}"), "give both the same size"));
                }
                goal = tiles;
            }
            ("patterns", _) => sizes = Some(patterns::read_sizes(&setting, start.len())?),
            (_, "tile") => by_tile = true,
            (_, cost) => return Err(setting.error(format!("`{}` is not a cost", shorten(cost)), "`cost` must be `unit` or `tile`")),
        }
    }
    let mut board = Tiles::new(columns, &start, &goal, by_tile);
    if let Some(sizes) = sizes {
        board.group(&sizes);
    }
    Ok(board)
}

fn named_goal(blank_first: bool, len: usize) -> Vec<usize> {
    if blank_first { (0..len).collect() } else { (1..len).chain([0]).collect() }
}

const GOAL: OptionSpec =
    OptionSpec { name: "goal", about: "`blank-last`, `blank-first`, or a board such as `1 2 3|8 0 4|7 6 5`", default: "blank-last" };
const COST: OptionSpec = OptionSpec { name: "cost", about: "`unit`, or `tile` if a move costs the tile's number", default: "unit" };

/// A random board, found by random moves from the goal. With the default number of moves, all boards are about equally likely.
fn generate(random: &mut Random, options: &Options, limits: &Limits) -> Result<Tiles, ReadError> {
    let side = |name: &str| options.integer(name, 1..=MOST as i64).map(|side| side.unwrap_or(3) as usize);
    let (rows, columns) = (side("rows")?, side("columns")?);
    let steps = options.integer("steps", 0..=100_000)?.unwrap_or(10_000 + random.below(100) as i64);
    let text = rows_of(&named_goal(true, rows * columns), columns).join("|");
    let mut board = Tiles::read(&Input::new(&text, options, limits))?;
    board.start = board.goal;
    let (mut blank, mut before) = (board.homes[0], usize::MAX);
    for _ in 0..steps {
        limits.check()?;
        // The last move is not undone, unless that is the only legal move: at the end of a board with a single row or column.
        let next: Vec<usize> = board.near(blank).filter(|&cell| cell != before || board.near(blank).count() == 1).collect();
        let from = next[random.below(next.len())];
        board.start = board.slide(board.start, blank, from);
        (before, blank) = (blank, from);
    }
    Ok(board)
}

/// The rows of a board as text.
fn rows_of(tiles: &[usize], columns: usize) -> Vec<String> {
    tiles.chunks(columns).map(|row| row.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")).collect()
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
blank. Rows are on separate lines or separated by `|`. Settings have lines of their own or are followed by `;`:
  kibitzer solve tiles '1 2 3|4 5 6|7 0 8'
  kibitzer solve tiles 'goal: blank-first; 7 2 4|5 0 6|8 3 1'
A move is written as the number of the tile.

Half of all boards cannot be solved, and a proof called `parity` shows that without a search: every move swaps the blank with a tile, so
the number of moves has the same parity as the permutation of the tiles and the blank, and as the distance of the blank from its place.

With --course --method korf, IDA* runs as in R. E. Korf's paper: it uses the Manhattan distance; the blank moves up, left, right and
down; the last move is never undone, but other repeated boards are not detected. It counts the start and, in every iteration, every
child that the search reaches, even if its estimated cost exceeds the bound. Korf's 100 boards are in instances/tiles/korf100.list.",
        sample: "8 1 3\n4 0 2\n7 6 5\n",
        sources: &[
            "W. W. Johnson, W. E. Story: Notes on the \"15\" puzzle. American Journal of Mathematics 2, 1879: which boards can be solved.",
            "R. E. Korf: Depth-first iterative-deepening. Artificial Intelligence 27, 1985: IDA* and the 100 boards.",
            "O. Hansson, A. Mayer, M. Yung: Criticizing solutions to relaxed models. Information Sciences 63, 1992: linear conflicts.",
            "S. Russell, P. Norvig: Artificial Intelligence: A Modern Approach: the 8-puzzle with misplaced tiles and Manhattan distance.",
            "OEIS A089473: the number of boards of the 8-puzzle at each distance.",
        ],
        options: &[GOAL, COST, patterns::OPTION],
        examples: &[
            Example { command: "solve", arguments: "'1 2 3|4 5 6|7 0 8'", about: "" },
            Example { command: "solve", arguments: "korf-79 --course --method korf", about: "IDA*, counted as in Korf's paper" },
            Example { command: "explore", arguments: "'1 2 3|4 5 6|7 8 0'", about: "all 181,440 boards of the 8-puzzle" },
        ],
        generator: Some(Generator {
            options: &[
                OptionSpec { name: "rows", about: "number of rows, 1 to 5", default: "3" },
                OptionSpec { name: "columns", about: "number of columns, 1 to 5", default: "3" },
                OptionSpec { name: "steps", about: "number of random moves from the goal, up to 100000", default: "10000" },
                GOAL,
                COST,
            ],
            solvable: true,
            make: generate,
        }),
        levels: Some(&[
            LevelSpec { options: &["steps=8", "rows=2 steps=12"], least: 4..=8, guesses: 4..=40 },
            LevelSpec { options: &["steps=24"], least: 10..=16, guesses: 10..=80 },
            LevelSpec { options: &[""], least: 18..=22, guesses: 20..=120 },
            LevelSpec { options: &[""], least: 24..=31, guesses: 30..=200 },
        ]),
        monsters: &[Monster {
            name: "5 x 5, backward",
            make: |_| "cost: tile; 24 23 22 21 20|19 18 17 16 15|14 13 12 11 10|9 8 7 6 5|4 3 2 1 0".to_owned(),
        }],
        ..Info::EMPTY
    };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        let board = input.with_option_lines(&["goal", "cost", "patterns"], read_text)?;
        patterns::note_on_memory(&board, input.limits.bytes).into_iter().for_each(|note| input.note(note));
        Ok(board)
    }

    fn write(&self, cells: &Cells) -> String {
        let is = |blank_first: bool| named_goal(blank_first, self.len()) == self.tiles(self.goal);
        let goal = match (is(false), is(true)) {
            (true, _) => String::new(),
            (_, true) => "goal: blank-first\n".to_owned(),
            _ => format!("goal: {}\n", self.line(&self.goal)),
        };
        let cost = if self.by_tile { "cost: tile\n" } else { "" };
        goal + cost + &patterns::setting(self) + &self.line(cells).replace('|', "\n") + "\n"
    }

    fn write_move(&self, cells: &Cells, from: &u8) -> String {
        self.tile(*cells, usize::from(*from)).to_string()
    }

    fn move_json(&self, cells: &Cells, from: &u8) -> Value {
        json!(self.tile(*cells, usize::from(*from)))
    }

    fn ascii(&self, cells: &Cells) -> String {
        let word = |tile: &usize| if *tile == 0 { " _".to_owned() } else { format!("{tile:2}") };
        let row = |tiles: &[usize]| tiles.iter().map(word).collect::<Vec<_>>().join(" ");
        self.tiles(*cells).chunks(self.columns).map(row).collect::<Vec<_>>().join("\n")
    }

    fn line(&self, cells: &Cells) -> String {
        rows_of(&self.tiles(*cells), self.columns).join("|")
    }
}

impl Tiles {
    /// The name of a cell in the drawing.
    fn place(&self, cell: usize) -> String {
        format!("{},{}", cell / self.columns + 1, cell % self.columns + 1)
    }

    fn explain(&self, cells: Cells) -> Explanation {
        let conflict = Conflict::new(self);
        let (distance, estimate) = (conflict.distance.at(self, cells), conflict.at(self, cells));
        let times = if self.by_tile { ", each multiplied by the tile's number," } else { "" };
        let mut explanation = Explanation::new(format!(
            "The distances of the tiles from their places{times} add up to {distance}. Tiles in each other's way in their own row or \
             column add {}. So a plan costs at least {estimate}, which is the estimate `conflict`.",
            estimate - distance
        ));
        for (cell, tile) in self.tiles(cells).into_iter().enumerate().filter(|&(_, tile)| tile > 0) {
            let steps = self.steps(cell, self.homes[tile]);
            explanation.tint(self.place(cell), Paint::Glow, steps as f64 / (self.rows + self.columns) as f64);
        }
        explanation
    }

    fn cards(&self) -> Vec<Card> {
        let small = if self.by_tile { "cost: tile\n1 2 3\n4 0 5\n" } else { "1 2 3\n4 0 5\n" };
        let price = if self.by_tile { "A move costs the number of the tile." } else { "Every move costs 1." };
        let from = usize::from(self.near[self.homes[0]].0[0]);
        let last = self.write(&self.slide(self.goal, self.homes[0], from));
        vec![
            Card::new(Topic::Move, "Slide a tile into the blank next to it.", small).making("2"),
            Card::new(Topic::Cost, price, small).pricing("4"),
            Card::new(Topic::Goal, "You win when the tiles are in this order.", last).making(self.tile(self.goal, from).to_string()),
        ]
    }

    fn paint(&self, cells: Cells, brush: &str, places: &[&str]) -> Option<String> {
        let cell = |place: &str| (0..self.len()).find(|&cell| self.place(cell) == place);
        let ("swap", [one, other], mut tiles) = (brush, places, self.tiles(cells)) else { return None };
        tiles.swap(cell(one)?, cell(other)?);
        Some(self.write(&Cells::new(&tiles)))
    }
}

impl Drawing for Tiles {
    const LESSON: Option<Lesson<Self>> = Some(Lesson {
        explain: |board, cells, _| Some(board.explain(*cells)),
        show_proof: |board, cells, certificate| board.show_proof(*cells, certificate),
        measure: Some(|board, cells, certificate| board.measure(*cells, certificate)),
    });

    const EDITOR: Option<Editor<Self>> = Some(Editor {
        brushes: |_| &[Brush { name: "swap", about: "swap two tiles; this makes a solvable board unsolvable, and vice versa", clicks: 2 }],
        canvas: Tiles::scene,
        paint: |board, cells, brush, places| board.paint(*cells, brush, places),
        arranging: None,
        dragging: None,
    });

    const PRIMER: Option<Primer<Self>> = Some(Primer { cards: Tiles::cards, picture: Tiles::scene });

    fn scene(&self, cells: &Cells, limits: &Limits) -> Result<Scene, Limit> {
        const SIZE: f64 = 40.0;
        let away = (0..self.len()).filter(|&cell| ![0, self.tile(self.goal, cell)].contains(&self.tile(*cells, cell))).count();
        let title = format!("Sliding tiles, {} x {}: {} out of place", self.rows, self.columns, counted(away, "tile", "tiles"));
        let (width, height) = (SIZE * self.columns as f64 + 20.0, SIZE * self.rows as f64 + 20.0);
        let mut scene = Scene { title, width, height, ..Scene::default() };
        for (cell, tile) in self.tiles(*cells).into_iter().enumerate() {
            scene.check(limits)?;
            let (name, row, column) = (self.place(cell), cell / self.columns, cell % self.columns);
            let (x, y) = (10.0 + SIZE * (column as f64 + 0.5), 10.0 + SIZE * (row as f64 + 0.5));
            let square = |side: f64| Form::Rect { x: x - side / 2.0, y: y - side / 2.0, width: side, height: side };
            scene.add_named(square(SIZE), Paint::Ghost, name.clone());
            if tile > 0 {
                scene.add_named(square(36.0), Paint::Color2, name.clone());
                scene.add_named(Form::Text { x, y, size: 18.0, text: tile.to_string() }, Paint::Ink, name.clone());
            }
            let what = if tile > 0 { format!("tile {tile}") } else { "blank".to_owned() };
            scene.describe(&name, format!("{what}, row {} column {}", row + 1, column + 1));
        }
        Ok(scene)
    }

    fn clicks(&self, _: &Cells, from: &u8) -> Vec<String> {
        vec![self.place(usize::from(*from))]
    }
}
