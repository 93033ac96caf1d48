//! Reads, writes and generates pegs boards.

use std::fmt::Write;

use serde_json::{Value, json};

use super::chains::MOST_HOLES;
use super::{Direction, Jump, MOST, PegSet, Pegs, holes_of};
use crate::limits::Limits;
use crate::notation::tools::Example;
use crate::notation::{
    Fault, Generator, Info, Input, LevelSpec, Monster, Notation, OptionSpec, Options, ParseError, ReadError, Source, counted, shorten,
};
use crate::random::Random;
use crate::rules::{Cost, MAX_MOVE_COST, Rules};

const HELP: &str = "write one row per line: a letter is a peg, `.` an empty hole, and `#` or a space a square without a hole";

/// A line of the text: its offset and its content.
type Line<'a> = (usize, &'a str);

/// The parts of the text: settings, the rows of the board, the rows of the goal.
struct Parts<'a> {
    settings: Vec<(usize, &'a str, &'a str)>,
    rows: Vec<Line<'a>>,
    goal: Option<(usize, Vec<Line<'a>>)>,
}

fn take_apart<'a>(source: &'a Source<'_>) -> Result<Parts<'a>, ParseError> {
    let text = source.text();
    let short = text.contains('|') && !text.trim_end().contains('\n');
    let mut parts = Parts { settings: Vec::new(), rows: Vec::new(), goal: None };
    let mut at = 0;
    for line in text.split_inclusive(if short { '|' } else { '\n' }) {
        let start = at;
        at += line.len();
        let line = line.trim_end_matches(if short { ['|', '\n'] } else { ['\n', '\r'] }).trim_end_matches('\r');
        let begun = !parts.rows.is_empty() || parts.goal.is_some();
        if line.starts_with("# ") {
            if begun {
                let help = "put comments before the board; a row may start with `##` or a space";
                return Err(source.error(start, "there is a comment in or after the board", help));
            }
            continue;
        }
        let Some((key, value)) = line.split_once(':') else {
            match &mut parts.goal {
                Some((_, rows)) => rows.push((start, line)),
                None => parts.rows.push((start, line)),
            }
            continue;
        };
        let (key, value) = (key.trim(), value.trim());
        if !["goal", "jump", "costs", "count"].contains(&key) {
            let message = format!("unknown setting `{}`", shorten(key));
            return Err(source.error(start, message, "the settings are `jump:`, `costs:`, `count:` and `goal:`"));
        }
        if parts.goal.is_some() || parts.settings.iter().any(|(_, known, _)| *known == key) {
            return Err(source.error(start, format!("`{key}` is given twice"), "keep one of the two"));
        }
        match (key, value) {
            ("goal", "") => parts.goal = Some((start, Vec::new())),
            _ => parts.settings.push((start, key, value)),
        }
    }
    trim(&mut parts.rows);
    if let Some((_, rows)) = &mut parts.goal {
        trim(rows);
    }
    Ok(parts)
}

/// Removes blank lines before and after the rows.
fn trim(rows: &mut Vec<Line<'_>>) {
    while rows.last().is_some_and(|(_, row)| row.trim().is_empty()) {
        rows.pop();
    }
    let blank = rows.iter().take_while(|(_, row)| row.trim().is_empty()).count();
    rows.drain(..blank);
}

/// A square of a board in the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Square {
    Missing,
    Empty,
    Peg(u8),
}

/// The rows as squares. Rows must be of equal length, unless spaces are used for missing holes; in that case, short rows are
/// padded.
fn squares(source: &Source<'_>, rows: &[Line<'_>]) -> Result<Vec<Vec<Square>>, ParseError> {
    let mut board: Vec<Vec<Square>> = Vec::new();
    for (start, row) in rows {
        let mut squares = Vec::new();
        for (offset, character) in row.char_indices() {
            squares.push(match character {
                '.' => Square::Empty,
                '#' | ' ' => Square::Missing,
                letter if letter.is_ascii_alphabetic() => Square::Peg(letter as u8),
                other => {
                    return Err(source.error(
                        start + offset,
                        format!("`{}` is not a valid board character", shorten(&other.to_string())),
                        HELP,
                    ));
                }
            });
        }
        board.push(squares);
    }
    let width = board.iter().map(Vec::len).max().unwrap_or(0);
    let padded = rows.iter().any(|(_, row)| row.contains(' '));
    for (squares, (start, row)) in board.iter_mut().zip(rows) {
        if squares.len() < width && !padded {
            let message = format!("this row has {} squares, but others have {width}", squares.len());
            return Err(source.error(
                start + row.len(),
                message,
                "make all rows the same length; `#` or a space is a square without a hole",
            ));
        }
        squares.resize(width, Square::Missing);
    }
    Ok(board)
}

fn read_costs(text: &str) -> Option<[Cost; 4]> {
    if text == "unit" {
        return Some([1; 4]);
    }
    let costs: Option<Vec<Cost>> = text.split([',', ' ']).filter(|word| !word.is_empty()).map(|word| word.parse().ok()).collect();
    costs?.try_into().ok().filter(|costs: &[Cost; 4]| costs.iter().all(|&cost| cost <= MAX_MOVE_COST))
}

/// Reads a goal: `one`, or `at:ROW,COL` (also `at ROW,COL`).
fn read_goal(text: &str, board: &Pegs) -> Result<Option<u128>, String> {
    if text == "one" {
        return Ok(None);
    }
    let wrong = || "`goal` must be `one` or `at:ROW,COL`, with rows and columns counted from 0".to_owned();
    let place = text.strip_prefix("at").ok_or_else(wrong)?.trim_start_matches([':', ' ']);
    let (row, column) = place.split_once(',').ok_or_else(wrong)?;
    let (Ok(row), Ok(column)) = (row.trim().parse::<usize>(), column.trim().parse::<usize>()) else { return Err(wrong()) };
    match board.holes.iter().position(|&hole| hole == (row, column)) {
        Some(hole) => Ok(Some(1 << hole)),
        None => Err(format!("there is no hole in row {row}, column {column}; both are counted from 0")),
    }
}

impl Pegs {
    /// Changes a setting by name. The error is a help text.
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "jump" => match value {
                "single" => self.single = true,
                "long" => self.single = false,
                _ => return Err("`jump` must be `long` or `single`".to_owned()),
            },
            "costs" => {
                let wrong = || format!("`costs` must be `unit` or four whole numbers from 0 to {MAX_MOVE_COST}: up, right, down, left");
                self.costs = read_costs(value).ok_or_else(wrong)?;
            }
            "count" => match value {
                "moves" => self.by_moves = true,
                "jumps" => self.by_moves = false,
                _ => return Err("count `jumps` or `moves`".to_owned()),
            },
            _ => self.goal = read_goal(value, self)?,
        }
        Ok(())
    }

    /// Applies an option, if it is given.
    fn set_option(&mut self, name: &str, options: &Options) -> Result<(), Fault> {
        let Some(value) = options.get(name) else { return Ok(()) };
        self.set(name, value).map_err(|help| Fault::new(format!("option `{name}` cannot be `{}`", shorten(value)), help))
    }
}

const GENERATE_OPTIONS: &[OptionSpec] = &[
    OptionSpec { name: "rows", about: "number of rows, 1 to 11", default: "6" },
    OptionSpec { name: "columns", about: "number of columns, 1 to 11", default: "6" },
    OptionSpec { name: "pegs", about: "number of pegs, at least 1", default: "10" },
    OptionSpec { name: "jump", about: "`long` or `single`", default: "long" },
    OptionSpec { name: "costs", about: "`unit`, or four prices: up,right,down,left", default: "1,2,3,4" },
    OptionSpec { name: "shape", about: "`rectangle`, or `english` for the cross of 33 holes", default: "rectangle" },
];

/// The holes of a board, and its numbers of rows and columns.
type Shape = (Vec<(usize, usize)>, usize, usize);

/// The shape of a random board.
fn shape(options: &Options) -> Result<Shape, ReadError> {
    let (rows, columns) = (options.integer("rows", 1..=11)?, options.integer("columns", 1..=11)?);
    match options.get("shape") {
        None | Some("rectangle") => {
            let (rows, columns) = (rows.unwrap_or(6) as usize, columns.unwrap_or(6) as usize);
            Ok(((0..rows * columns).map(|at| (at / columns, at % columns)).collect(), rows, columns))
        }
        Some("english") if rows.is_some() || columns.is_some() => {
            Err(Fault::new("the English board has seven rows and columns", "leave out `shape`, or both `rows` and `columns`").into())
        }
        Some("english") => {
            let inner = |at: usize| (2..5).contains(&at);
            let holes = (0..49).map(|at| (at / 7, at % 7)).filter(|&(row, column)| inner(row) || inner(column));
            Ok((holes.collect(), 7, 7))
        }
        Some(other) => Err(Fault::new(format!("option `shape` cannot be `{}`", shorten(other)), "give `rectangle` or `english`").into()),
    }
}

/// A random board, generated by playing backward from one peg, so that it can be solved.
fn generate(random: &mut Random, options: &Options, limits: &Limits) -> Result<Pegs, ReadError> {
    let (holes, rows, columns) = shape(options)?;
    let count = holes.len();
    let wanted = options.integer("pegs", 1..=count as i64)?.unwrap_or(10).min(count as i64) as u32;
    let mut board = Pegs::new(holes, rows, columns);
    board.set_option("jump", options)?;
    board.set_option("costs", options)?;
    let board = board.finish();
    let mut best = 0u128;
    for _ in 0..200 {
        let mut pegs: u128 = 1 << random.below(count);
        while pegs.count_ones() < wanted {
            limits.check()?;
            let mut before: Vec<u128> = Vec::new();
            for segment in board.segments.iter().flatten().flatten() {
                let back = pegs ^ segment.flips;
                if pegs & segment.flips == segment.landing && back.count_ones() <= wanted {
                    before.push(back);
                }
            }
            if before.is_empty() {
                break;
            }
            pegs = before[random.below(before.len())];
        }
        if pegs.count_ones() > best.count_ones() {
            best = pegs;
        }
        if best.count_ones() == wanted {
            let letters = (0..board.holes.len()).scan(0, |next, hole| {
                let letter = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[*next % 52];
                *next += (best >> hole & 1) as usize;
                Some(letter)
            });
            let labels = Some(letters.collect());
            return Ok(Pegs { start: PegSet { pegs: best, labels }, ..board });
        }
    }
    let message = format!("no {rows} x {columns} board with {wanted} pegs was found");
    Err(Fault::new(message, "ask for fewer `pegs`, or for more `rows` or `columns`").into())
}

impl Pegs {
    /// A move with the hole that it starts from: `a@2,3 up`.
    fn write_with_hole(&self, state: &PegSet, jump: &Jump) -> String {
        let (row, column) = self.holes[jump.from as usize];
        format!("{}@{row},{column} {}", state.label(jump.from), self.directions(jump))
    }

    /// The direction of a jump, or the directions of all jumps of a move.
    fn directions(&self, jump: &Jump) -> String {
        if !self.by_moves {
            return self.direction(jump).name().to_owned();
        }
        jump.chain.directions().map(Direction::name).collect::<Vec<_>>().join(" ")
    }

    /// The reason why moves cannot be counted on this board, with a remedy.
    fn unfit_for_moves(&self) -> Option<(String, String)> {
        if self.by_moves && (!self.single || self.costs != [1; 4]) {
            let message = "counting moves needs single jumps at unit costs";
            return Some((message.to_owned(), "set `jump` to `single` and `costs` to `unit`, or count jumps".to_owned()));
        }
        let message =
            format!("the board has {} holes, but moves can be counted only on boards with at most {MOST_HOLES}", self.holes.len());
        (self.by_moves && self.holes.len() > MOST_HOLES).then(|| (message, "make the board smaller, or count jumps".to_owned()))
    }
}

impl Notation for Pegs {
    const INFO: Info<Self> = Info {
        name: "pegs",
        about: "peg solitaire, classic or with long jumps and priced directions: leave one peg",
        rules: "\
A peg jumps in a straight line over one or more pegs without a gap, into the first empty hole behind them; all jumped
pegs are removed. Up costs 1, right 2, down 3, left 4, however long the jump. The goal is one peg, anywhere.

A board is text, one row per line: a letter is a peg, `.` an empty hole, and `#` or a space a square without a hole. Letters are
labels and may repeat. Rows must be of equal length, unless spaces are used for missing holes; then short rows are padded with spaces. Lines
before the board may be settings, as with --option: `jump: single`, `costs: unit`, `count: moves`, `goal: at 3,3` (row and column from 0);
or comments that start with `# `. After the board, a line with only `goal:` starts a goal board of the same shape. A board on
the command line has `|` between its rows:
  kibitzer solve pegs '.....|.atb.|n...g|n...a|h...b|x...c'
A move is written `a up`. If two pegs with that letter can move in that direction, it is written `a@2,3 up`, with row and
column from 0; this form is always accepted.

With `count: moves`, consecutive jumps by one peg are one move of cost 1, as in the literature, and every part of them that begins with
the first jump is also a move. Such a move is written `a up right`, with the direction of every jump; in JSON, `via` lists all landing
holes. With a pointer, click the peg, every hole where it lands, and the last of them again. This needs single jumps at unit costs, and at
most 49 holes. `explore` then counts positions by the number of moves.

Boards with at least 20 pegs and at most 64 holes are solved by `meet`, which searches forward from the start and backward from the
goal; linear programs rule out states that no sufficiently cheap plan passes through. On smaller boards, A* is as fast.

The course's algorithms are BFS, DFS, UCS, GS (greedy with h1), A* (with h1) and A*2 (with h2). With --course they run as the
course teaches them: tree search without a visited set, the goal test when a node is removed, root and goal counted.

For readers of the course sheet: it calls h1 admissible, but h1 is not (rows `.....` `....a` `bcde.` `....f` `....g` `....h` `.....`:
h1 is 4, but the least cost is 3), so A* with h1 is never reported as optimal. h2 is consistent, and so is `lines`, which also takes
prices into account. One printed board is garbled, and the plans printed for A*2 are not optimal. The course's count of 146 for
UCS on the first board does not follow from its rules, which give 175.",
        sample: ".....\n.atb.\nn...g\nn...a\nh...b\nx...c\n",
        sources: &["K. Sarıtaş: CmpE 480, homework 1, fall 2022-2023: the game, its algorithms and h2."],
        options: &[
            OptionSpec { name: "jump", about: "`long`, or `single` for jumps over exactly one peg", default: "long" },
            OptionSpec { name: "costs", about: "`unit`, or four prices: up,right,down,left", default: "1,2,3,4" },
            OptionSpec {
                name: "count",
                about: "`jumps`, or `moves`, where consecutive jumps by one peg together cost 1 (needs jump=single and costs=unit)",
                default: "jumps",
            },
            OptionSpec { name: "goal", about: "`one`, or `at:ROW,COL` for one peg in that hole (row and column from 0)", default: "one" },
        ],
        examples: &[
            Example { command: "solve", arguments: "board.txt --course --method 'A*2'", about: "as the course teaches it" },
            Example { command: "compare", arguments: "board.txt --course", about: "" },
            Example { command: "explore", arguments: "instances/pegs/english.txt", about: "23,475,688 positions up to symmetry" },
            Example { command: "explore", arguments: "instances/pegs/english.txt --option count=moves", about: "by moves: 18 are enough" },
        ],
        generator: Some(Generator { options: GENERATE_OPTIONS, solvable: true, make: generate }),
        levels: Some(&[
            LevelSpec {
                options: &[
                    "rows=4 columns=4 pegs=4",
                    "shape=english jump=single costs=unit pegs=4",
                    "shape=english jump=single costs=unit pegs=5",
                ],
                least: 2..=6,
                guesses: 3..=8,
            },
            LevelSpec {
                options: &["rows=5 columns=5 pegs=7", "shape=english jump=single costs=unit pegs=7"],
                least: 5..=12,
                guesses: 9..=16,
            },
            LevelSpec {
                options: &["rows=6 columns=6 pegs=10", "shape=english jump=single costs=unit pegs=11"],
                least: 8..=16,
                guesses: 17..=30,
            },
            LevelSpec {
                options: &[
                    "rows=6 columns=6 pegs=12",
                    "shape=english jump=single costs=unit pegs=14",
                    "shape=english jump=single costs=unit pegs=15",
                ],
                least: 12..=23,
                guesses: 24..=70,
            },
        ]),
        monsters: &[Monster {
            name: "11 x 11, two thirds full",
            make: |random| {
                let row =
                    |random: &mut Random| (0..11).map(|_| if random.below(3) > 0 { 'a' } else { '.' }).chain(['\n']).collect::<String>();
                (0..11).map(|_| row(random)).collect()
            },
        }],
        ..Info::EMPTY
    };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        let (text, options) = (input.text, input.options);
        let source = Source::new(text);
        if input.is_typed && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return Err(source.error(0, "a row of pegs without an empty hole, or an unknown name", HELP).into());
        }
        let parts = take_apart(&source)?;
        if parts.rows.is_empty() {
            return Err(source.error(text.len(), "there is no board", HELP).into());
        }
        let squares = squares(&source, &parts.rows)?;
        let all = (0..squares.len()).flat_map(|row| (0..squares[row].len()).map(move |column| (row, column)));
        let holes: Vec<(usize, usize)> = all.filter(|&(row, column)| squares[row][column] != Square::Missing).collect();
        if holes.len() > MOST {
            let (row, _) = holes[MOST];
            let message = format!("the board has {} holes; there can be at most {MOST}", holes.len());
            return Err(source.error(parts.rows[row].0, message, "make the board smaller; `#` is a square without a hole").into());
        }
        if holes.is_empty() {
            return Err(source.error(parts.rows[0].0, "the board has no holes", HELP).into());
        }
        let mut board = Pegs::new(holes, squares.len(), squares[0].len());
        let mut labels = vec![b'o'; board.holes.len()];
        for (hole, &(row, column)) in board.holes.iter().enumerate() {
            if let Square::Peg(letter) = squares[row][column] {
                board.start.pegs |= 1 << hole;
                labels[hole] = letter;
            }
        }
        board.start.labels = Some(labels.into());
        for (start, key, value) in &parts.settings {
            board.set(key, value).map_err(|help| source.error(*start, format!("`{key}` cannot be `{}`", shorten(value)), help))?;
        }
        if let Some((start, rows)) = &parts.goal {
            let goal = self::squares(&source, rows)?;
            let shape = |squares: &[Vec<Square>]| -> Vec<Vec<bool>> {
                squares.iter().map(|row| row.iter().map(|square| *square == Square::Missing).collect()).collect()
            };
            if shape(&goal) != shape(&squares) {
                let help = "the goal board must have the same number and lengths of rows, and the same missing holes, as the board";
                return Err(source.error(*start, "the goal and the board have different shapes", help).into());
            }
            let filled = |&&(row, column): &&(usize, usize)| matches!(goal[row][column], Square::Peg(_));
            let pegs = (0..).zip(&board.holes).filter(|(_, hole)| filled(hole)).fold(0u128, |pegs, (hole, _)| pegs | 1 << hole as u32);
            board.goal = Some(pegs);
        }
        for name in ["jump", "costs", "count", "goal"] {
            let before = (board.single, board.costs, board.by_moves, board.goal);
            board.set_option(name, options)?;
            let said = parts.settings.iter().find(|(_, key, _)| *key == name).map(|&(.., said)| said);
            let said = said.or(parts.goal.as_ref().filter(|_| name == "goal").map(|_| "a board"));
            if let (Some(said), Some(value)) = (said, options.get(name))
                && before != (board.single, board.costs, board.by_moves, board.goal)
            {
                let message = format!("option `{name}` is `{}`, but the board says `{}`", shorten(value), shorten(said));
                return Err(Fault::new(message, "leave the option out").into());
            }
        }
        if let Some((message, help)) = board.unfit_for_moves() {
            let setting = parts.settings.iter().find(|(_, key, _)| *key == "count");
            return Err(match setting {
                Some(&(start, ..)) => source.error(start, message, help).into(),
                None => Fault::new(message, help).into(),
            });
        }
        Ok(board.finish())
    }

    fn layer_name(&self, layer: u32) -> String {
        if self.by_moves {
            return counted(layer as usize, "move", "moves");
        }
        counted(MOST - layer as usize, "peg", "pegs")
    }

    fn write_move(&self, state: &PegSet, jump: &Jump) -> String {
        if self.by_moves {
            let label = state.label(jump.from);
            let rivals = holes_of(state.pegs).filter(|&hole| state.label(hole) == label && self.can_make(state.pegs, hole, jump.chain));
            return if rivals.count() > 1 { self.write_with_hole(state, jump) } else { format!("{label} {}", self.directions(jump)) };
        }
        let (label, direction) = (state.label(jump.from), self.direction(jump));
        let rivals = holes_of(state.pegs).filter(|&hole| state.label(hole) == label && self.jump(state.pegs, hole, direction).is_some());
        if rivals.count() > 1 {
            return self.write_with_hole(state, jump);
        }
        format!("{label} {}", direction.name())
    }

    fn move_json(&self, state: &PegSet, jump: &Jump) -> Value {
        let (from, to) = (self.holes[jump.from as usize], self.holes[jump.to as usize]);
        let mut fields = json!({"peg": state.label(jump.from), "from": from, "to": to, "direction": self.directions(jump)});
        if self.by_moves {
            fields["via"] = self.landings(jump).into_iter().map(|hole| json!(self.holes[hole as usize])).collect();
        }
        fields
    }

    fn write(&self, state: &PegSet) -> String {
        let mut text = self.settings();
        if let Some(hole) = self.goal_hole() {
            let (row, column) = self.holes[hole];
            let _ = writeln!(text, "goal: at {row},{column}");
        }
        text.push_str(&self.rows_of(state, ""));
        if let Some(goal) = self.goal.filter(|goal| !goal.is_power_of_two()) {
            let _ = write!(text, "goal:\n{}", self.rows_of(&PegSet::bare(goal), ""));
        }
        text
    }

    fn ascii(&self, state: &PegSet) -> String {
        let mut text = String::from("    ");
        (0..self.columns).for_each(|column| text.push_str(&format!("{} ", column % 10)));
        for (row, line) in self.rows_of(state, " ").lines().enumerate() {
            let _ = write!(text, "\n{row:>2}  {}", line.replace('#', " "));
        }
        text
    }
}

impl Pegs {
    /// The lines above the board that set the kind of jump and the costs. Defaults are omitted.
    pub(super) fn settings(&self) -> String {
        let mut text = if self.single { "jump: single\n".to_owned() } else { String::new() };
        if self.costs != [1, 2, 3, 4] {
            let _ = writeln!(text, "costs: {}", self.costs.map(|cost| cost.to_string()).join(" "));
        }
        text.push_str(if self.by_moves { "count: moves\n" } else { "" });
        text
    }

    /// The board's rows as text, with a separator between the squares.
    fn rows_of(&self, state: &PegSet, between: &str) -> String {
        let mut rows = vec![vec!['#'; self.columns]; self.rows];
        for (hole, &(row, column)) in (0..).zip(&self.holes) {
            rows[row][column] = if state.pegs >> hole & 1 == 1 { state.label(hole) } else { '.' };
        }
        let line = |row: &Vec<char>| row.iter().map(char::to_string).collect::<Vec<_>>().join(between) + "\n";
        rows.iter().map(line).collect()
    }

    /// Finds a move written with its hole, such as `a@2,3 up`. This form is always accepted.
    pub(super) fn find_move(&self, state: &PegSet, value: &Value) -> Option<Jump> {
        let text = value.as_str().filter(|text| text.contains('@'))?;
        let mut jumps = Vec::new();
        self.moves(state, &mut jumps);
        jumps.into_iter().find(|jump| self.write_with_hole(state, jump) == text)
    }
}
