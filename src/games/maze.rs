//! Shortest paths on a grid of cells with prices, and on a map of places and roads.
//!
//! A state is the number of a cell or a place, and a move is the number of the cell or place that it leads to. Cells are numbered
//! row by row. The grid has a frame, so that looking up the neighbors of a cell needs no bounds checks: a row of walls above it, a
//! row of walls below it, and one wall at the end of each row.

mod drawing;
mod generate;
mod heuristics;
mod map;
mod movingai;
mod primer;

use std::fmt::Write;
use std::ops::{ControlFlow, RangeInclusive};

use crate::limits::Limits;
use crate::notation::tools::Example;
use crate::notation::{Fault, Info, Input, LevelSpec, Monster, Notation, OptionSpec, ParseError, ReadError, Source, shorten};
use crate::rules::{Backward, Cost, Heuristic, Problem, Rules};
use map::Map;

/// The number of a cell, including the cells of the frame, or of a place on a map.
type Place = u32;

/// Maximum number of cells in a grid.
const MOST: usize = 1 << 24;

const HELP: &str =
    "write one row per line: `S` start, `G` goal, `#` wall, `.` floor, `1` to `9` the price of entering; comments start with `# `";

#[derive(Clone)]
pub struct Maze {
    ground: Ground,
    start: Place,
    goal: Place,
}

#[derive(Clone)]
enum Ground {
    Grid(Grid),
    Map(Map),
}

/// The movement rules of a grid: which cells are neighbors, and the factors that multiply the prices of straight and diagonal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Neighbors {
    name: &'static str,
    straight: Cost,
    /// The factor for diagonal moves; 0 if there are none.
    diagonal: Cost,
}

const FOUR: Neighbors = Neighbors { name: "4", straight: 1, diagonal: 0 };
const EIGHT: Neighbors = Neighbors { name: "8", straight: 10, diagonal: 14 };
const OCTILE: Neighbors = Neighbors { name: "octile", straight: 1000, diagonal: 1414 };

impl Neighbors {
    fn find(name: &str) -> Result<Neighbors, String> {
        let known = [FOUR, EIGHT, OCTILE].into_iter().find(|known| known.name == name.trim());
        known.ok_or_else(|| format!("`neighbors` cannot be `{}`", shorten(name)))
    }
}

const NEIGHBORS_HELP: &str = "use `4`, `8` (10 straight, 14 diagonal) or `octile` (1000 and 1414)";

#[derive(Clone)]
struct Grid {
    rows: usize,
    columns: usize,
    neighbors: Neighbors,
    /// The price of entering each cell, including the cells of the frame; 0 for a wall.
    prices: Vec<u8>,
    /// The numbers to add to the number of a cell, in wrapping arithmetic, to get the eight cells around it, in ascending order.
    offsets: [Place; 8],
    /// The least and the greatest price, not counting walls.
    range: (u8, u8),
}

/// The straight directions among the eight directions, as bits: up, left, right and down.
const STRAIGHT: u8 = 0b0101_1010;

/// The directions that may be open, indexed by the set of open straight directions (as bits: up, left, right, down). A diagonal
/// needs both of the straight directions beside it.
const ALL_WAYS: [u8; 16] = ways(true);
const STRAIGHT_WAYS: [u8; 16] = ways(false);

const fn ways(diagonal: bool) -> [u8; 16] {
    let (mut ways, mut sides) = ([0; 16], 0);
    while sides < 16 {
        let [up, left, right, down] = [sides & 1, sides >> 1 & 1, sides >> 2 & 1, sides >> 3];
        ways[sides] = (up << 1 | left << 3 | right << 4 | down << 6) as u8;
        if diagonal {
            ways[sides] |= (up & left | (up & right) << 2 | (down & left) << 5 | (down & right) << 7) as u8;
        }
        sides += 1;
    }
    ways
}

impl Grid {
    fn new(columns: usize, neighbors: Neighbors) -> Grid {
        let below = columns as Place + 1;
        let down = [below - 1, below, below + 1];
        let up = [below + 1, below, below - 1].map(Place::wrapping_neg);
        let offsets = [up[0], up[1], up[2], Place::MAX, 1, down[0], down[1], down[2]];
        Grid { rows: 0, columns, neighbors, prices: vec![0; columns + 1], offsets, range: (1, 1) }
    }

    /// Adds a row at the bottom. After the last row, [`Grid::close`] adds the frame below it.
    fn push_row(&mut self, row: impl IntoIterator<Item = u8>) {
        self.prices.extend(row);
        self.rows += 1;
        self.prices.resize((self.rows + 1) * self.stride(), 0);
    }

    fn close(mut self) -> Grid {
        self.prices.resize((self.rows + 2) * self.stride(), 0);
        let used = || self.prices.iter().copied().filter(|&price| price > 0);
        self.range = (used().min().unwrap_or(1), used().max().unwrap_or(1));
        self
    }

    #[inline]
    fn stride(&self) -> usize {
        self.columns + 1
    }

    fn cell(&self, x: usize, y: usize) -> Place {
        ((y + 1) * self.stride() + x) as Place
    }

    /// The column and row of a cell, counted from 0.
    fn xy(&self, cell: Place) -> (usize, usize) {
        (cell as usize % self.stride(), cell as usize / self.stride() - 1)
    }

    #[inline]
    fn price(&self, cell: Place) -> Cost {
        Cost::from(self.prices[cell as usize])
    }

    /// Calls `each` for every neighbor that can be entered from a cell, in ascending order, with the neighbor, its price, and the
    /// factor by which the price is multiplied.
    #[inline]
    fn steps(&self, cell: Place, mut each: impl FnMut(Place, Cost, Cost) -> ControlFlow<()>) -> ControlFlow<()> {
        let below = self.stride() as Place;
        let free = |cell: Place| usize::from(self.prices[cell as usize] > 0);
        let sides = free(cell - below) | free(cell - 1) << 1 | free(cell + 1) << 2 | free(cell + below) << 3;
        let mut ways = if self.neighbors.diagonal == 0 { STRAIGHT_WAYS[sides] } else { ALL_WAYS[sides] };
        while ways != 0 {
            let way = ways.trailing_zeros();
            ways &= ways - 1;
            let to = cell.wrapping_add(self.offsets[way as usize % 8]);
            let price = self.price(to);
            if price > 0 {
                each(to, price, if STRAIGHT >> way & 1 == 1 { self.neighbors.straight } else { self.neighbors.diagonal })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The factor by which a move between two neighbors multiplies the price.
    fn factor(&self, from: Place, to: Place) -> Cost {
        let apart = from.abs_diff(to) as usize;
        if apart == 1 || apart == self.stride() { self.neighbors.straight } else { self.neighbors.diagonal }
    }

    /// The rows as text, with these letters in place of some prices.
    fn text(&self, letters: &[(Place, char)]) -> String {
        let mut text = String::with_capacity(self.rows * self.stride());
        for y in 0..self.rows {
            let first = self.cell(0, y);
            text.extend((first..first + self.columns as Place).map(|cell| {
                let letter = letters.iter().find(|(place, _)| *place == cell).map(|&(_, letter)| letter);
                letter.unwrap_or(match self.prices[cell as usize] {
                    0 => '#',
                    1 => '.',
                    price => (b'0' + price) as char,
                })
            }));
            text.push('\n');
        }
        text
    }

    /// Finds the cell with these coordinates, written as in `3,4`.
    fn find(&self, text: &str) -> Result<Place, String> {
        let number = |text: &str| text.trim().parse::<usize>().ok();
        let Some((x, y)) = text.split_once(',').and_then(|(x, y)| number(x).zip(number(y))) else {
            return Err(format!("`{}` is not a cell", shorten(text)));
        };
        if x >= self.columns || y >= self.rows {
            return Err(format!("there is no cell {x},{y}: the grid has {} columns and {} rows", self.columns, self.rows));
        }
        match self.price(self.cell(x, y)) {
            0 => Err(format!("the cell {x},{y} is a wall")),
            _ => Ok(self.cell(x, y)),
        }
    }

    /// Returns an error if the costs of paths might not fit in a [`Cost`].
    fn check_sum(&self, source: &Source<'_>) -> Result<(), ParseError> {
        let sum: u64 = self.prices.iter().map(|&price| u64::from(price)).sum();
        match sum * u64::from(self.neighbors.straight.max(self.neighbors.diagonal)) < u64::from(Cost::MAX) {
            true => Ok(()),
            false => Err(source.error(0, "the sum of the prices of all cells is too large", "use `neighbors=8`, or a smaller grid")),
        }
    }
}

impl Rules for Maze {
    type State = Place;
    type Move = Place;

    #[inline]
    fn start(&self) -> Place {
        self.start
    }

    #[inline]
    fn moves(&self, &place: &Place, out: &mut Vec<Place>) {
        match &self.ground {
            Ground::Grid(grid) => {
                let _ = grid.steps(place, |to, _, _| {
                    out.push(to);
                    ControlFlow::Continue(())
                });
            }
            Ground::Map(map) => out.extend(map.roads(place).iter().map(|road| road.0)),
        }
    }

    #[inline]
    fn apply(&self, _: &Place, &to: &Place) -> Place {
        to
    }
}

impl Problem for Maze {
    const BACKWARD: Option<Backward<Self>> = Some(Backward {
        goals: |maze| vec![maze.goal],
        step: |maze, &place, emit| match &maze.ground {
            Ground::Grid(grid) => {
                let price = grid.price(place);
                grid.steps(place, |before, _, factor| emit(before, price * factor))
            }
            Ground::Map(map) => map.roads_to(place).iter().try_for_each(|&(before, price)| emit(before, price)),
        },
    });

    #[inline]
    fn states_below(&self) -> Option<u64> {
        Some(self.len() as u64)
    }

    fn heuristics(&self) -> &'static [Heuristic<Self>] {
        heuristics::of(self)
    }

    #[inline]
    fn is_goal(&self, &place: &Place) -> bool {
        place == self.goal
    }

    #[inline]
    fn cost(&self, &place: &Place, &to: &Place) -> Cost {
        match &self.ground {
            Ground::Grid(grid) => grid.price(to) * grid.factor(place, to),
            Ground::Map(map) => map.price(place, to),
        }
    }

    fn move_costs(&self) -> RangeInclusive<Cost> {
        match &self.ground {
            Ground::Grid(Grid { range: (least, most), neighbors, .. }) => {
                Cost::from(*least) * neighbors.straight..=Cost::from(*most) * neighbors.straight.max(neighbors.diagonal)
            }
            Ground::Map(map) => map.prices(),
        }
    }

    #[inline]
    fn expand(&self, &place: &Place, _: &mut Vec<Place>, mut emit: impl FnMut(Place, Cost) -> ControlFlow<()>) -> ControlFlow<()> {
        match &self.ground {
            Ground::Grid(grid) => grid.steps(place, |to, price, factor| emit(to, price * factor)),
            Ground::Map(map) => map.roads(place).iter().try_for_each(|&(to, price)| emit(to, price)),
        }
    }
}

/// The lines of the source with their offsets, without comments or empty lines. If the source is a single line, `|` separates lines.
fn lines<'a>(source: &'a Source<'_>) -> impl Iterator<Item = (usize, &'a str)> {
    let text = source.text();
    let short = !text.trim().contains('\n');
    let parts = text.split_inclusive(move |c| c == '\n' || short && c == '|').scan(0, |at, line| {
        *at += line.len();
        Some((*at - line.len(), line))
    });
    let trimmed = parts.map(move |(at, line)| {
        let line = if short { line.trim_end_matches(['\n', '|']) } else { line };
        (at + line.len() - line.trim_start().len(), line.trim_start())
    });
    trimmed.filter(|(_, line)| !line.starts_with("# ")).map(|(at, line)| (at, line.trim_end())).filter(|(_, line)| !line.is_empty())
}

/// A value in the text, with its offset.
type Given<'a> = Option<(usize, &'a str)>;

/// Finds a place by its name; the error says what is wrong.
type FindPlace<'a> = dyn Fn(&str) -> Result<Place, String> + 'a;

/// The start or the goal: from an option, from a line of the text, or marked on the board.
fn endpoint(
    (what, source, input): (&str, &Source<'_>, &Input<'_>),
    given: Given<'_>,
    marked: Option<Place>,
    (find, help): (&FindPlace<'_>, &str),
) -> Result<Place, ReadError> {
    if let Some(value) = input.options.get(what) {
        return find(value).map_err(|wrong| Fault::new(format!("option `{what}` cannot be used: {wrong}"), help).into());
    }
    match (given, marked) {
        (Some((at, _)), Some(_)) => {
            Err(source.error(at, format!("the {what} is given twice"), "keep either the line or the mark on the grid").into())
        }
        (Some((at, value)), None) => find(value).map_err(|wrong| source.error(at, wrong, help).into()),
        (None, Some(place)) => Ok(place),
        (None, None) => Err(source.error(0, format!("there is no {what}"), help).into()),
    }
}

const CELL_HELP: &str = "name a free cell by column and row, counted from 0 at the upper left, as in `3,4`";

impl Maze {
    fn read_grid(input: &Input<'_>, source: &Source<'_>) -> Result<Maze, ReadError> {
        let (mut settings, mut grid) = ([None; 3], None::<Grid>);
        let mut marks = [None; 2];
        for (at, line) in lines(source) {
            input.limits.check()?;
            if let Some((key, value)) = line.split_once(':') {
                let keys = ["neighbors", "start", "goal"];
                let Some(index) = keys.iter().position(|known| *known == key.trim()) else {
                    let message = format!("unknown setting `{}`", shorten(key));
                    return Err(source
                        .error(at, message, "the settings are `neighbors:`, `start:` and `goal:`; `map:` starts a map")
                        .into());
                };
                if settings[index].replace((at, value.trim())).is_some() {
                    return Err(source.error(at, format!("`{}` is given twice", key.trim()), "keep one of the two lines").into());
                }
                continue;
            }
            let grid = grid.get_or_insert_with(|| Grid::new(line.len(), FOUR));
            if grid.rows.saturating_mul(grid.columns).saturating_add(line.len()) > MOST {
                return Err(too_many(source, at).into());
            }
            let mut row = Vec::with_capacity(line.len());
            for (offset, sign) in line.char_indices() {
                let mark = match sign {
                    'S' => 0,
                    'G' => 1,
                    _ => {
                        row.push(price_of(sign).ok_or_else(|| {
                            source.error(at + offset, format!("`{}` is not part of a maze", shorten(&sign.to_string())), HELP)
                        })?);
                        continue;
                    }
                };
                let place = grid.cell(offset, grid.rows);
                if marks[mark].replace(place).is_some() {
                    let message = format!("the {} is marked twice", ["start", "goal"][mark]);
                    return Err(source
                        .error(at + offset, message, format!("keep one `{sign}` and write `.` in place of the other"))
                        .into());
                }
                row.push(1);
            }
            if row.len() != grid.columns {
                let message = format!("this row has {} cells, but the first has {}", row.len(), grid.columns);
                return Err(source.error(at + line.len(), message, "make all rows the same length; `#` is a wall").into());
            }
            grid.push_row(row);
        }
        let Some(mut grid) = grid else { return Err(source.error(source.text().len(), "there is no maze", HELP).into()) };
        if let Some((at, value)) = settings[0] {
            grid.neighbors = Neighbors::find(value).map_err(|wrong| source.error(at, wrong, NEIGHBORS_HELP))?;
        }
        Maze::finish(grid.close(), input, source, [settings[1], settings[2]], marks)
    }

    /// Builds a maze from a grid and the options.
    fn finish(
        mut grid: Grid,
        input: &Input<'_>,
        source: &Source<'_>,
        given: [Given<'_>; 2],
        marks: [Option<Place>; 2],
    ) -> Result<Maze, ReadError> {
        if let Some(value) = input.options.get("neighbors") {
            grid.neighbors = Neighbors::find(value).map_err(|wrong| Fault::new(format!("option {wrong}"), NEIGHBORS_HELP))?;
        }
        grid.check_sum(source)?;
        let ends = [0, 1].map(|end| {
            let (what, letter) = [("start", 'S'), ("goal", 'G')][end];
            let unmarked = format!("mark the {what} with `{letter}`, or {CELL_HELP}");
            let help = if given[end].is_some() || input.options.get(what).is_some() { CELL_HELP } else { &unmarked };
            endpoint((what, source, input), given[end], marks[end], (&|text| grid.find(text), help))
        });
        let [start, goal] = ends;
        let (start, goal) = (start?, goal?);
        Ok(Maze { ground: Ground::Grid(grid), start, goal })
    }
}

fn too_many(source: &Source<'_>, at: usize) -> ParseError {
    source.error(at, format!("the grid has more than {MOST} cells"), "make the grid smaller, for example 4096 by 4096")
}

fn price_of(sign: char) -> Option<u8> {
    match sign {
        '#' => Some(0),
        '.' => Some(1),
        '1'..='9' => Some(sign as u8 - b'0'),
        _ => None,
    }
}

impl Notation for Maze {
    const INFO: Info<Self> = Info {
        name: "maze",
        about: "shortest paths on a grid with walls and prices, and on a map of places and roads",
        rules: "\
Find the cheapest way from the start to the goal. On a grid, a move enters a free neighboring cell and costs the cell's price.
A grid is text, one row per line: `S` start, `G` goal, `#` wall, `.` floor of price 1, `1` to `9` the price of entering the cell;
entering `S` or `G` costs 1. A grid on the command line has `|` between its rows:
  kibitzer solve maze 'S.#.|..9G'
With option `neighbors=4`, moves are `up`, `left`, `right` and `down`. With `neighbors=8`, there are also diagonal moves such as
`up-left`, which need both cells beside the diagonal to be free. Prices are then multiplied by 10 for straight moves and by 14 for
diagonal ones; with `neighbors=octile`, by 1000 and 1414. Lines such as `neighbors: 8`, `start: 3,4` and `goal: 0,0` (column and row,
counted from 0 at the upper left) may precede the rows. They also allow a start or goal whose price is not 1. Lines that start with
`# ` are comments.

A map is a line `map:` followed by one line per road, with two places and a price from 1 to 1000000. `A > B 3` is a one-way road.
`start: A` and `goal: B` follow. A move is the name of the next place. After a line `places:`, each line has a place and its
coordinates, two whole numbers: x to the right, y up. They are used to draw the map and for the heuristic `straight`. After `table:`,
each line has a place and an estimate of the cost from it to the goal, for the heuristic `table`. When the map is read, both heuristics
are compared with the exact costs; a result of A* with one that overestimates is not reported as optimal. Names contain no spaces.
  kibitzer solve maze 'map:|A B 2|B C 2|A C 5|start: A|goal: C'

Maps of the Moving AI Lab (`type octile`) are read as they are, with `neighbors=octile` unless the option says otherwise. There, `.`,
`G` and `S` (swamp) are passable and cost 1; water `W` can be entered only from water; everything else is a wall. Scenarios may follow
the map; `scenario=N` chooses the Nth one (by default, the first). With the options `start` and `goal`, no scenario is needed:
  cat arena.map arena.map.scen | kibitzer solve maze - --option scenario=3

Options take precedence over the text.",
        sample: "S..#....\n.#...##.\n.##5#...\n...5#.#.\n##.#..#G\n",
        sources: &[
            "E. W. Dijkstra: A note on two problems in connexion with graphs, Numerische Mathematik 1 (1959).",
            "P. E. Hart, N. J. Nilsson, B. Raphael: A formal basis for the heuristic determination of minimum cost paths, IEEE Transactions on \
             Systems Science and Cybernetics 4 (1968): A*.",
            "S. Russell, P. Norvig: Artificial Intelligence: A Modern Approach, chapter 3: the map of Romania.",
            "N. R. Sturtevant: Benchmarks for grid-based pathfinding, IEEE Transactions on Computational Intelligence and AI in Games 4 (2012): \
             the map and scenario formats.",
        ],
        options: &[
            OptionSpec { name: "neighbors", about: "`4`, `8` (10 straight, 14 diagonal) or `octile` (1000 and 1414)", default: "4" },
            OptionSpec { name: "start", about: "column,row of the start from 0, or a place on the map", default: "as the board says" },
            OptionSpec { name: "goal", about: "column,row of the goal from 0, or a place on the map", default: "as the board says" },
            OptionSpec { name: "scenario", about: "number of the scenario to use, among those that follow a Moving AI map", default: "1" },
        ],
        examples: &[
            Example { command: "solve", arguments: "'S.#.|..9G' --option neighbors=8", about: "diagonal moves" },
            Example { command: "solve", arguments: "instances/maze/romania.txt --method greedy:table", about: "not the cheapest path" },
            Example { command: "trace", arguments: "board.txt --format svg -o search.svg", about: "a picture of the search on the board" },
        ],
        generator: Some(generate::GENERATOR),
        levels: Some(&LEVELS),
        monsters: &[Monster { name: "1000 x 1000, one third walls", make: generate::monster }],
        ..Info::EMPTY
    };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        let source = Source::new(input.text);
        let first = lines(&source).map(|(_, line)| line).find(|line| !line.starts_with("start:") && !line.starts_with("goal:"));
        match first {
            Some(line) if line.starts_with("map:") => map::read(input, &source),
            Some(line) if line.starts_with("type ") => movingai::read(input, &source),
            _ => match input.options.get("scenario") {
                Some(_) => Err(Fault::new("only a Moving AI map has scenarios", "leave out `scenario`").into()),
                None => Maze::read_grid(input, &source),
            },
        }
    }

    /// A start or goal whose price is not 1 is written as a line above the grid.
    fn write(&self, &place: &Place) -> String {
        let grid = match &self.ground {
            Ground::Grid(grid) => grid,
            Ground::Map(map) => return map.write(place, self.goal),
        };
        let (mut text, mut letters) = (String::new(), Vec::new());
        if grid.neighbors != FOUR {
            let _ = writeln!(text, "neighbors: {}", grid.neighbors.name);
        }
        for (what, letter, place) in [("start", 'S', place), ("goal", 'G', self.goal)] {
            if grid.price(place) == 1 && letters.iter().all(|&(other, _)| other != place) {
                letters.push((place, letter));
            } else {
                let _ = writeln!(text, "{what}: {}", self.place_name(place));
            }
        }
        text + &grid.text(&letters)
    }

    fn write_move(&self, &place: &Place, &to: &Place) -> String {
        let Ground::Grid(grid) = &self.ground else { return self.place_name(to) };
        let ((x, y), (to_x, to_y)) = (grid.xy(place), grid.xy(to));
        let names = [["up-left", "up", "up-right"], ["left", "", "right"], ["down-left", "down", "down-right"]];
        names[1 + to_y - y][1 + to_x - x].to_owned()
    }

    fn ascii(&self, &place: &Place) -> String {
        match &self.ground {
            Ground::Grid(grid) => grid.text(&[(place, 'S'), (self.goal, 'G')]).trim_end().to_owned(),
            Ground::Map(_) => format!("at {}, goal {}", self.place_name(place), self.place_name(self.goal)),
        }
    }

    fn line(&self, &place: &Place) -> String {
        self.place_name(place)
    }
}

const LEVELS: [LevelSpec; 4] = [
    LevelSpec { options: &["rows=7 columns=9"], least: 10..=32, guesses: 20..=58 },
    LevelSpec { options: &["rows=11 columns=15 loops=20"], least: 20..=44, guesses: 44..=80 },
    LevelSpec { options: &["rows=17 columns=25 loops=20 prices=3"], least: 60..=180, guesses: 64..=125 },
    LevelSpec { options: &["rows=25 columns=39 loops=20 prices=5"], least: 160..=320, guesses: 110..=230 },
];

impl Maze {
    /// The name of a place: `column,row` for a cell, or its name on a map. The shapes in drawings have these names.
    fn place_name(&self, place: Place) -> String {
        match &self.ground {
            Ground::Grid(grid) => {
                let (x, y) = grid.xy(place);
                format!("{x},{y}")
            }
            Ground::Map(map) => map.name(place).to_owned(),
        }
    }

    /// All places, in ascending order.
    fn places(&self) -> Box<dyn Iterator<Item = Place> + '_> {
        match &self.ground {
            Ground::Grid(grid) => Box::new((0..grid.rows).flat_map(move |y| (0..grid.columns).map(move |x| grid.cell(x, y)))),
            Ground::Map(map) => Box::new(0..map.len() as Place),
        }
    }

    /// Checks that the limits allow tables with `bytes` bytes per place.
    fn room(&self, bytes: usize, limits: &Limits) -> Result<(), crate::limits::Limit> {
        limits.check()?;
        limits.room(bytes * self.len())
    }

    /// The number of places, including the cells of the frame.
    #[inline]
    fn len(&self) -> usize {
        match &self.ground {
            Ground::Grid(grid) => grid.prices.len(),
            Ground::Map(map) => map.len(),
        }
    }
}
