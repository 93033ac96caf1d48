//! How boards of moles are read, written, drawn and made up.

use serde_json::{Value, json};

use super::chase::Wrap;
use super::field::{Field, Hole, Pattern, Shape};
use super::{Board, Moles, Wanted, pictures};
use crate::graph::{Graph, formats, layout};
use crate::notation::bitmap::{Bitmap, Pictures, is_pbm, pbm_head};
use crate::notation::{Field as Line, Notation, OptionError, OptionSpec, Options, ParseError, ReadError, Source, shorten};
use crate::random::Random;
use crate::rules::Rules;
use crate::scene::{Form, Paint, Scene};

/// Larger boards are pictures: a list of moves is no good for them.
pub const MOST_HOLES: usize = 1 << 22;
const MOST_STATES: i64 = 36;
const KEYS: [&str; 10] = ["size", "moles", "board", "states", "wrap", "pattern", "missing", "locked", "target", "graph"];
const HELP: &str = "write rows of 0 and 1 (or `.` and `#`), or `size: 4x4` and `moles: 2 5 6 7`; before rows there may be \
                    lines such as `wrap: torus`";
/// Solutions listed unless asked otherwise.
const LISTED: i64 = 1000;

/// A line of the board, and where it starts in the text.
type Row<'a> = (usize, &'a str);

/// The rows of the board among the lines of a text, and the text without them.
fn split<'a>(source: &'a Source<'a>) -> (Vec<Row<'a>>, String) {
    let mut rows = Vec::new();
    let mut rest = String::with_capacity(256);
    let mut at = 0;
    for line in source.text().split_inclusive('\n') {
        let bare = line.trim();
        // `#..#` is a row, `# so` a remark; a remark never has only the signs of rows.
        let remark = bare.starts_with('#') && !bare.chars().all(|c| ".#_ \t".contains(c));
        let field = bare.contains(':');
        if bare.is_empty() || remark || field {
            if remark {
                rest.extend(line.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            } else {
                rest.push_str(line);
            }
        } else {
            rows.push((at + (line.len() - line.trim_start().len()), bare));
            rest.extend(line.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        }
        at += line.len();
    }
    // One line may hold the whole board, its rows with blanks or `/` between them.
    if let [(start, line)] = rows[..]
        && line.contains([' ', '/', '|', ','])
    {
        let blank = |c: char| c.is_whitespace() || "/|,".contains(c);
        let offset = |part: &str| start + (part.as_ptr() as usize - line.as_ptr() as usize);
        rows = line.split(blank).filter(|part| !part.is_empty()).map(|part| (offset(part), part)).collect();
    }
    (rows, rest)
}

/// A cell as it is written.
enum Cell {
    State(u8),
    Missing,
}

fn cell(sign: char, states: u8) -> Option<Cell> {
    let state = match sign {
        '.' if states == 2 => 0,
        '#' if states == 2 => 1,
        '_' => return Some(Cell::Missing),
        _ => sign.to_digit(36)? as u8,
    };
    (state < states).then_some(Cell::State(state))
}

/// The cells of rows; all rows must be equally long.
fn cells(source: &Source<'_>, rows: &[Row<'_>], states: u8) -> Result<(usize, usize, Vec<Cell>), ParseError> {
    let mut cells = Vec::new();
    let mut columns = None;
    for (number, (start, row)) in rows.iter().enumerate() {
        let before = cells.len();
        for (offset, sign) in row.char_indices().filter(|(_, sign)| !sign.is_whitespace()) {
            let Some(cell) = cell(sign, states) else {
                let sign: String = if sign.is_control() { "\u{fffd}".into() } else { sign.into() };
                let help = match states {
                    2 => "a hole is `0` or `.`, a mole `1` or `#`, no hole `_`".to_owned(),
                    _ => format!("a hole's state is a digit below {states} (after 9 come a, b, …), no hole is `_`"),
                };
                return Err(source.error(start + offset, format!("`{sign}` is not a cell"), help));
            };
            cells.push(cell);
        }
        let length = cells.len() - before;
        let first = *columns.get_or_insert(length);
        if length != first {
            let message = format!("row {} has {length} cells, but the rows above have {first}", number + 1);
            return Err(source.error(*start, message, "make all rows equally long"));
        }
        if cells.len() > MOST_HOLES {
            return Err(source.error(*start, format!("there are more than {MOST_HOLES} cells"), PICTURES));
        }
    }
    Ok((rows.len(), columns.unwrap_or(0), cells))
}

const PICTURES: &str = "give larger boards as a PBM picture: `kibitzer solve moles big.pbm -o hits.pbm`";

/// `4x5` as rows and columns; `4` is a square.
pub(super) fn size(text: &str) -> Option<(usize, usize)> {
    let numbers = text.split(|c: char| c.is_whitespace() || "xX*".contains(c)).filter(|part| !part.is_empty());
    let numbers: Option<Vec<usize>> = numbers.map(|part| part.parse().ok().filter(|&number| number > 0)).collect();
    match numbers?[..] {
        [rows, columns] => Some((rows, columns)),
        [side] => Some((side, side)),
        _ => None,
    }
}

/// A value that a line of the text or an option gives, and how to complain about it.
struct Given<'a> {
    value: &'a str,
    complain: Box<Complain<'a>>,
}

type Complain<'a> = dyn Fn(String, &str) -> ReadError + 'a;

/// Everything that a text and options say, before it is put together.
struct Reader<'a> {
    lines: &'a [Line<'a>],
    options: &'a Options,
}

impl<'a> Reader<'a> {
    /// What is said under a name; text and option must not contradict each other.
    fn get(&self, name: &'static str) -> Result<Option<Given<'a>>, ReadError> {
        let line = self.lines.iter().find(|line| line.key == name);
        let option = self.options.get(name);
        if let (Some(line), Some(option)) = (line, option)
            && line.value != option
        {
            let message = format!("option `{name}` is `{}`, but the board says `{}`", shorten(option), shorten(line.value));
            return Err(OptionError { message, help: "leave the option out".to_owned() }.into());
        }
        Ok(match (line, option) {
            (Some(line), _) => Some(Given { value: line.value, complain: Box::new(move |message, help| line.error(message, help).into()) }),
            (None, Some(value)) => {
                let complain = move |message: String, help: &str| -> ReadError {
                    OptionError { message: format!("option `{name}`: {message}"), help: help.to_owned() }.into()
                };
                Some(Given { value, complain: Box::new(complain) })
            }
            (None, None) => None,
        })
    }

    fn wrap(&self) -> Result<Wrap, ReadError> {
        let Some(given) = self.get("wrap")? else { return Ok(Wrap::None) };
        match given.value {
            "none" => Ok(Wrap::None),
            "cylinder" => Ok(Wrap::Cylinder),
            "torus" => Ok(Wrap::Torus),
            other => Err((given.complain)(format!("`{}` joins nothing", shorten(other)), "there is none, cylinder and torus")),
        }
    }

    fn pattern(&self) -> Result<Pattern, ReadError> {
        let Some(given) = self.get("pattern")? else { return Ok(Pattern::named("plus").expect("it is named")) };
        Pattern::named(given.value).or_else(|| Pattern::drawn(given.value)).ok_or_else(|| {
            let help = "there is plus, cross (no centre), king and ring (no centre); or draw one with the hit hole in the middle: \
                        an odd number of rows and columns, as in `010/111/010`";
            (given.complain)(format!("`{}` is no pattern", shorten(given.value)), help)
        })
    }

    fn states(&self) -> Result<u8, ReadError> {
        let Some(given) = self.get("states")? else { return Ok(2) };
        let number = given.value.parse().ok().filter(|states| (2..=MOST_STATES).contains(states));
        let help = format!("give a whole number from 2 to {MOST_STATES}");
        number.map(|states: i64| states as u8).ok_or_else(|| (given.complain)(format!("`{}` states", shorten(given.value)), &help))
    }

    /// The holes that a value lists, from 0.
    fn holes(&self, given: &Given<'_>, len: usize) -> Result<Vec<usize>, ReadError> {
        if given.value == "all" {
            return Ok((0..len).collect());
        }
        let mut holes = Vec::new();
        for word in given.value.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
            let hole = word.parse().ok().filter(|hole| (1..=len).contains(hole));
            let help = format!("holes are numbered row by row from 1 to {len}");
            let hole = hole.ok_or_else(|| (given.complain)(format!("there is no hole `{}`", shorten(word)), &help))?;
            holes.push(hole - 1);
        }
        Ok(holes)
    }

    /// Marks the holes that are listed under a name.
    fn mark(&self, name: &'static str, mark: Hole, holes: &mut [Hole]) -> Result<(), ReadError> {
        let Some(given) = self.get(name)? else { return Ok(()) };
        for hole in self.holes(&given, holes.len())? {
            if holes[hole] == Hole::Missing && mark == Hole::Locked {
                return Err((given.complain)(format!("hole {} is missing and cannot be locked as well", hole + 1), "leave it out"));
            }
            holes[hole] = mark;
        }
        Ok(())
    }

    /// A board in one line: `clear`, `full`, or rows with `/` or blanks between them.
    fn one_line(&self, given: &Given<'_>, field: &Field, states: u8) -> Result<Board, ReadError> {
        let len = field.len();
        let all = |state: u8| (0..len).map(|at| if field.exists(at) { state } else { 0 }).collect();
        match given.value {
            "clear" => return Ok(all(0)),
            "full" => return Ok(all(states - 1)),
            _ => {}
        }
        let mut board = Vec::with_capacity(len);
        for sign in given.value.chars().filter(|sign| !sign.is_whitespace() && !"/|,".contains(*sign)) {
            match cell(sign, states) {
                Some(Cell::State(state)) => board.push(state),
                Some(Cell::Missing) => board.push(0),
                None => {
                    return Err((given.complain)(format!("`{sign}` is not a cell"), "give `clear`, `full` or rows such as `0110/1001`"));
                }
            }
        }
        if board.len() != len {
            let help = format!("give {len} cells, or `clear` or `full`");
            return Err((given.complain)(format!("these are {} cells, but there are {len} holes", board.len()), &help));
        }
        Ok(board.into_iter().enumerate().map(|(at, state)| if field.exists(at) { state } else { 0 }).collect())
    }
}

fn read_graph(given: &Given<'_>) -> Result<Graph, ReadError> {
    let source = Source::new(given.value);
    let read = formats::read(&source).and_then(formats::Reading::simple);
    read.map_err(|error| (given.complain)(error.message, &error.help))
}

fn wanted(options: &Options) -> Result<Wanted, OptionError> {
    let limit = options.integer("limit", 1..=1_000_000)?.unwrap_or(LISTED) as usize;
    match options.get("answer") {
        None | Some("fewest") => Ok(Wanted::Fewest),
        Some("any") => Ok(Wanted::Any),
        Some("all") => Ok(Wanted::All(limit)),
        Some(other) => {
            let message = format!("option `answer` cannot be `{}`", shorten(other));
            Err(OptionError { message, help: "give `fewest`, `any` or `all`".to_owned() })
        }
    }
}

fn too_large(given: &Given<'_>, what: &str) -> ReadError {
    (given.complain)(format!("{what} has more than {MOST_HOLES} holes"), PICTURES)
}

fn read_text(text: &str, options: &Options) -> Result<Moles, ReadError> {
    let source = Source::new(text);
    let (rows, rest) = split(&source);
    let rest = Source::new(&rest);
    let lines = rest.fields(&KEYS, HELP)?;
    let reader = Reader { lines: &lines, options };
    let states = reader.states()?;
    let (graph, sized) = (reader.get("graph")?, reader.get("size")?);
    let wrong = |at: usize, message: &str| -> ReadError { source.error(at, message, HELP).into() };
    // Where the holes are.
    let mut written: Option<Vec<Cell>> = None;
    let (shape, len) = if let Some(given) = &graph {
        if !rows.is_empty() || sized.is_some() {
            let at = rows.first().map_or(0, |(at, _)| *at);
            return Err(wrong(at, "a graph has neither rows nor a size; write its moles as `moles: 1 3`"));
        }
        if reader.wrap()? != Wrap::None {
            return Err((given.complain)("a graph has no sides to join".to_owned(), "leave `wrap` out"));
        }
        let centre = match reader.pattern()?.name.as_str() {
            "plus" | "king" => true,
            "cross" | "ring" => false,
            _ => return Err((given.complain)("a graph has no pattern of rows".to_owned(), "take plus, or cross for no centre")),
        };
        let graph = read_graph(given)?;
        if graph.is_empty() {
            return Err((given.complain)("a graph without vertices".to_owned(), "give a graph with at least one vertex"));
        }
        let len = graph.len();
        (Shape::Graph { graph, centre }, len)
    } else {
        let (rows, columns) = match (&sized, rows.first()) {
            (Some(_), Some((at, _))) => return Err(wrong(*at, "the size is given twice: by `size` and by rows")),
            (None, None) => return Err(wrong(text.len(), "there is no board")),
            (Some(given), None) => {
                let read = size(given.value);
                let (rows, columns) = read.ok_or_else(|| {
                    (given.complain)(format!("`{}` is not a size", shorten(given.value)), "write rows x columns, such as `4x5`")
                })?;
                if rows.checked_mul(columns).is_none_or(|holes| holes > MOST_HOLES) {
                    return Err(too_large(given, "this board"));
                }
                (rows, columns)
            }
            (None, Some(_)) => {
                let (rows, columns, cells) = cells(&source, &rows, states)?;
                written = Some(cells);
                (rows, columns)
            }
        };
        let (wrap, pattern) = (reader.wrap()?, reader.pattern()?);
        (Shape::Grid { rows, columns, wrap, pattern }, rows * columns)
    };
    let mut holes = vec![Hole::Open; len];
    let mut start = vec![0; len];
    for (at, cell) in written.iter().flatten().enumerate() {
        match cell {
            Cell::State(state) => start[at] = *state,
            Cell::Missing => holes[at] = Hole::Missing,
        }
    }
    reader.mark("missing", Hole::Missing, &mut holes)?;
    reader.mark("locked", Hole::Locked, &mut holes)?;
    let field = Field::new(shape, holes);
    let (listed, board) = (reader.get("moles")?, reader.get("board")?);
    let twice = listed.as_ref().filter(|_| written.is_some() || board.is_some()).or(board.as_ref().filter(|_| written.is_some()));
    if let Some(given) = twice {
        return Err((given.complain)("the moles are given twice".to_owned(), "keep one of the two"));
    }
    if let Some(given) = board {
        start = reader.one_line(&given, &field, states)?;
    }
    if let Some(given) = listed {
        for hole in reader.holes(&given, len)? {
            if field.exists(hole) {
                start[hole] = 1;
            } else if given.value != "all" {
                return Err((given.complain)(format!("hole {} is missing and cannot have a mole", hole + 1), "leave it out"));
            }
        }
    }
    (0..len).filter(|&at| !field.exists(at)).for_each(|at| start[at] = 0);
    let target = reader.get("target")?.map(|given| reader.one_line(&given, &field, states)).transpose()?;
    Ok(Moles::new(field, states, start, target.unwrap_or_else(|| vec![0; len]), wanted(options)?))
}

/// A text's board as a picture: a whole grid with moles up or down.
fn from_text(text: &str, options: &Options) -> Result<Bitmap, ReadError> {
    let moles = Moles::read(text, options)?;
    let plain = moles.field.whole_grid().filter(|_| moles.states == 2 && moles.target.iter().all(|&state| state == 0));
    let grid = plain.ok_or_else(|| OptionError {
        message: "this board is no picture".to_owned(),
        help: "only whole grids with the patterns plus or cross, two states and an empty target go with pictures".to_owned(),
    })?;
    let mut board = Bitmap::new(grid.rows, grid.columns).expect("the board is there as bytes");
    (0..moles.start.len()).filter(|&at| moles.start[at] == 1).for_each(|at| board.flip(at / grid.columns, at % grid.columns));
    Ok(board)
}

/// A PBM picture in text form as rows.
fn rows_of_picture(text: &str) -> Result<String, ReadError> {
    let source = Source::new(text);
    let wrong = |at: usize, message: String| source.error(at, message, "a picture is `P1`, width, height, and then 0 and 1 for each cell");
    let head = pbm_head(text.as_bytes()).map_err(|message| wrong(0, message))?;
    if head.packed {
        return Err(wrong(0, "a packed picture is not text".to_owned()).into());
    }
    let cells = head.rows.checked_mul(head.columns).filter(|&cells| cells <= MOST_HOLES);
    let cells = cells.ok_or_else(|| source.error(0, format!("there are more than {MOST_HOLES} cells"), PICTURES))?;
    let mut rows = String::new();
    let mut seen = 0;
    let mut remark = false;
    for (at, sign) in text.char_indices().skip_while(|(at, _)| *at < head.length) {
        match sign {
            '\n' => remark = false,
            _ if remark => {}
            '#' => remark = true,
            '0' | '1' if seen < cells => {
                if seen > 0 && seen % head.columns == 0 {
                    rows.push('\n');
                }
                rows.push(sign);
                seen += 1;
            }
            '0' | '1' => return Err(wrong(at, format!("more than {} x {} cells", head.columns, head.rows)).into()),
            _ if sign.is_whitespace() => {}
            _ => return Err(wrong(at, format!("`{}` is not a cell", shorten(&sign.to_string()))).into()),
        }
    }
    if seen < cells {
        return Err(wrong(text.len(), format!("the picture ends after {seen} of {cells} cells")).into());
    }
    Ok(rows)
}

impl Notation for Moles {
    const NAME: &'static str = "moles";
    const ABOUT: &'static str = "whack-a-mole: a hit toggles a hole and its neighbours; clear the board with the fewest hits";
    const SAMPLE: &'static str = "0100\n1110\n0001\n1101\n";
    const RULES: &'static str = "\
A board has m x n holes, numbered row by row from 1; in some there is a mole. Hitting a hole, mole or not, toggles that
hole and its neighbours above, below, left and right. Clear the board. The order of hits does not matter, and a second
hit on a hole undoes the first. So a board is a system of linear equations over GF(2): it has no solution, or 2^nullity
of them, all equally far from any one by *quiet patterns*, hits that change nothing (`kibitzer kernel moles` shows
them). The answer says the rank and the nullity, and is the solution with the fewest hits; if there is none, it names
holes of which every hit toggles an even number but an odd number must change.

A board is rows of 0 and 1, or of `.` and `#`, on lines or with blanks between them; or `size: 4x4` with
`moles: 2 5 6 7` or `moles: all`. Lines before the rows may say what the options say: `wrap: torus`, `states: 3`, ...
A place without a hole is `_`. Pictures in PBM format (P1 or P4) are read, too, and large boards go only that way, in
and out: `kibitzer solve moles big.pbm -o hits.pbm`.

Variants: joined sides, other patterns, holes with more than two states (a hit leads to the next, from the last back to
0), missing holes, holes that may not be hit, another target than the empty board, and any graph in place of the grid.

If you know the source of this game, these points are corrected here: over GF(2) the matrix of the 4 x 4 board has
rank 12 (14 is its rank over the real numbers), so its example has 16 solutions, not 2; a system can be solved if
rank(A|s) equals rank(A), while `>=` always holds; elimination must step over columns without a pivot; boards of fewer
than 3 rows are fine; a null vector orthogonal to s means that there is a solution, not that it is the only one; and
larger boards may well have full rank (6, 7, 8, 10, ...).";
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec { name: "answer", about: "fewest hits, the first solution found (any), or all", default: "fewest" },
        OptionSpec { name: "limit", about: "most solutions to list with answer=all", default: "1000" },
        OptionSpec { name: "wrap", about: "join sides: none, cylinder (left and right) or torus", default: "none" },
        OptionSpec { name: "pattern", about: "plus, cross (no centre), king, ring (no centre), or drawn: 010/111/010", default: "plus" },
        OptionSpec { name: "states", about: "states of a hole, 2 to 36; a hit leads to the next", default: "2" },
        OptionSpec { name: "missing", about: "places without a hole, such as 1,4", default: "" },
        OptionSpec { name: "locked", about: "holes that may not be hit, such as 6,7", default: "" },
        OptionSpec { name: "target", about: "clear, full, or rows such as 0110/1001", default: "clear" },
        OptionSpec { name: "graph", about: "a graph in place of the grid: a family (P5), graph6, edges", default: "" },
    ];
    const GENERATE_OPTIONS: &'static [OptionSpec] = &[
        OptionSpec { name: "size", about: "rows x columns", default: "5x5" },
        OptionSpec { name: "kind", about: "solvable, or any: random moles, perhaps without a solution", default: "solvable" },
        OptionSpec { name: "states", about: "states of a hole, 2 to 36", default: "2" },
        OptionSpec { name: "wrap", about: "none, cylinder or torus", default: "none" },
        OptionSpec { name: "pattern", about: "plus, cross, king, ring, or drawn", default: "plus" },
        OptionSpec { name: "missing", about: "places without a hole", default: "" },
        OptionSpec { name: "locked", about: "holes that may not be hit", default: "" },
        OptionSpec { name: "graph", about: "a graph in place of the grid", default: "" },
    ];
    const GENERATES_SOLVABLE: bool = true;
    const PICTURES: Option<Pictures> = Some(Pictures {
        most_as_text: MOST_HOLES,
        to_text: pictures::to_text,
        from_text,
        solve: pictures::solve,
        check: pictures::check,
        generate: pictures::generate,
    });

    fn read(text: &str, options: &Options) -> Result<Self, ReadError> {
        if is_pbm(text.as_bytes()) { read_text(&rows_of_picture(text)?, options) } else { read_text(text, options) }
    }

    fn generate(random: &mut Random, options: &Options) -> Result<Self, OptionError> {
        let text = match options.get("graph") {
            Some(_) => String::new(),
            None => format!("size: {}", options.get("size").unwrap_or("5x5")),
        };
        let mut moles = read_text(&text, options).map_err(|error| match error {
            ReadError::Option(error) => error,
            ReadError::Text(error) => OptionError { message: error.message, help: error.help },
        })?;
        let states = usize::from(moles.states);
        match options.get("kind") {
            None | Some("solvable") => {
                for hole in (0..moles.field.len()).filter(|&hole| moles.field.can_hit(hole)) {
                    for _ in 0..random.below(states) {
                        let mut board = std::mem::take(&mut moles.start);
                        moles.make(&mut board, &(hole as u32));
                        moles.start = board;
                    }
                }
            }
            Some("any") => {
                for hole in (0..moles.field.len()).filter(|&hole| moles.field.exists(hole)) {
                    moles.start[hole] = random.below(states) as u8;
                }
            }
            Some(other) => {
                let message = format!("option `kind` cannot be `{}`", shorten(other));
                return Err(OptionError { message, help: "give `solvable` or `any`".to_owned() });
            }
        }
        Ok(moles)
    }

    fn layer_name(&self, layer: u32) -> String {
        if layer == 1 { "1 hit".to_owned() } else { format!("{layer} hits") }
    }

    fn write_move(&self, _board: &Board, hole: &u32) -> String {
        (hole + 1).to_string()
    }

    fn move_json(&self, _board: &Board, hole: &u32) -> Value {
        json!(hole + 1)
    }

    fn find_move(&self, _board: &Board, value: &Value) -> Option<u32> {
        let number = value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())?;
        u32::try_from(number.checked_sub(1)?).ok()
    }

    fn write(&self, board: &Board) -> String {
        let mut text = String::new();
        let list = |hole: Hole| {
            let holes: Vec<String> =
                (0..self.field.len()).filter(|&at| self.field.hole(at) == hole).map(|at| (at + 1).to_string()).collect();
            holes.join(" ")
        };
        let mut line = |key: &str, value: String| text.push_str(&format!("{key}: {value}\n"));
        if self.states != 2 {
            line("states", self.states.to_string());
        }
        if self.field.holes.contains(&Hole::Locked) {
            line("locked", list(Hole::Locked));
        }
        if self.target.iter().any(|&state| state != 0) {
            line("target", self.lines(&self.target).join("/"));
        }
        match &self.field.shape {
            Shape::Grid { wrap, pattern, .. } => {
                match wrap {
                    Wrap::None => {}
                    Wrap::Cylinder => line("wrap", "cylinder".to_owned()),
                    Wrap::Torus => line("wrap", "torus".to_owned()),
                }
                if pattern.name != "plus" {
                    line("pattern", pattern.name.clone());
                }
                for row in self.lines(board) {
                    text.push_str(&row);
                    text.push('\n');
                }
            }
            Shape::Graph { graph, centre } => {
                line("graph", formats::write_list(graph).trim().replace('\n', " "));
                if !centre {
                    line("pattern", "cross".to_owned());
                }
                if self.field.holes.contains(&Hole::Missing) {
                    line("missing", list(Hole::Missing));
                }
                line("board", self.lines(board).join(""));
            }
        }
        text
    }

    fn picture(&self, board: &Board) -> String {
        let (rows, columns) = self.sides();
        if rows > 60 || columns > 120 {
            let moles = board.iter().filter(|&&state| state != 0).count();
            return format!("{rows} x {columns} holes, {moles} of them not empty");
        }
        let lines: Vec<String> = match self.states {
            2 => self.lines(board).iter().map(|line| line.replace('0', ".").replace('1', "#").replace('_', " ")).collect(),
            _ => self.lines(board).iter().map(|line| line.replace('_', " ")).collect(),
        };
        lines.join("\n")
    }

    fn scene(&self, board: &Board) -> Scene {
        let moles = board.iter().filter(|&&state| state != 0).count();
        let (rows, columns) = self.sides();
        let places: Vec<(f64, f64)> = match &self.field.shape {
            Shape::Grid { columns, .. } => {
                (0..self.field.len()).map(|at| (40.0 * (at % columns) as f64 + 30.0, 40.0 * (at / columns) as f64 + 30.0)).collect()
            }
            Shape::Graph { graph, .. } => {
                let side = 60.0 * (graph.len() as f64).sqrt() + 60.0;
                layout::places(graph).into_iter().map(|(x, y)| (30.0 + x * side, 30.0 + y * side)).collect()
            }
        };
        let edge = |along: fn(&(f64, f64)) -> f64| places.iter().map(along).fold(0.0, f64::max) + 30.0;
        let title = match &self.field.shape {
            Shape::Grid { .. } => format!("Whack-a-mole: {rows} x {columns} holes, {moles} moles"),
            Shape::Graph { graph, .. } => format!("Whack-a-mole on a graph of {} holes, {moles} moles", graph.len()),
        };
        let mut scene = Scene { title, width: edge(|place| place.0), height: edge(|place| place.1), ..Scene::default() };
        if let Shape::Graph { graph, .. } = &self.field.shape {
            for (u, v) in graph.edges().filter(|&(u, v)| self.field.exists(u) && self.field.exists(v)) {
                scene.add(Form::Line { from: places[u], to: places[v] }, Paint::Ink);
            }
        }
        for (at, &(x, y)) in places.iter().enumerate().filter(|(at, _)| self.field.exists(*at)) {
            let name = (at + 1).to_string();
            let ground = if self.target[at] != 0 { Paint::Mark } else { Paint::Cell };
            match &self.field.shape {
                Shape::Grid { .. } => {
                    scene.add_named(Form::Rect { x: x - 18.0, y: y - 18.0, width: 36.0, height: 36.0 }, ground, name.clone());
                }
                Shape::Graph { .. } => scene.add_named(Form::Circle { x, y, r: 16.0 }, ground, name.clone()),
            }
            if board[at] != 0 {
                scene.add_named(Form::Circle { x, y, r: 12.0 }, Paint::Block, name.clone());
            }
            if self.states > 2 && board[at] != 0 {
                let digit = char::from_digit(u32::from(board[at]), 36).expect("below 36").to_string();
                scene.add_named(Form::Text { x, y, size: 14.0, text: digit }, Paint::Cell, name.clone());
            }
            if !self.field.can_hit(at) {
                let corner = |dx: f64| Form::Line { from: (x - 14.0 * dx, y - 14.0), to: (x + 14.0 * dx, y + 14.0) };
                scene.add_named(corner(1.0), Paint::Red, name.clone());
                scene.add_named(corner(-1.0), Paint::Red, name);
            }
        }
        scene
    }

    fn clicks(&self, _board: &Board, hole: &u32) -> Vec<String> {
        vec![(hole + 1).to_string()]
    }
}

impl Moles {
    /// Rows and columns; a graph is one row.
    fn sides(&self) -> (usize, usize) {
        match &self.field.shape {
            Shape::Grid { rows, columns, .. } => (*rows, *columns),
            Shape::Graph { graph, .. } => (1, graph.len()),
        }
    }

    /// The rows of a board as they are written.
    fn lines(&self, board: &Board) -> Vec<String> {
        let (_, columns) = self.sides();
        let sign = |at: usize| match self.field.exists(at) {
            true => char::from_digit(u32::from(board[at]), 36).expect("at most 36 states"),
            false => '_',
        };
        (0..board.len()).step_by(columns).map(|start| (start..start + columns).map(sign).collect()).collect()
    }
}
