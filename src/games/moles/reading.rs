//! How boards of moles are read: rows, lines `key: value`, options, and bitmaps that are text.

use super::chase::Wrap;
use super::field::{Field, Hole, Pattern, Shape};
use super::{Board, Moles, Wanted};
use crate::graph::{Graph, formats};
use crate::notation::bitmap::{Bitmap, pbm_header};
use crate::notation::{Field as Line, Input, Notation, OptionError, Options, ParseError, ReadError, Source, shorten};

/// Larger boards are bitmaps: a list of moves is no good for them.
pub const MOST_HOLES: usize = 1 << 22;
const MOST_STATES: i64 = 36;
const KEYS: [&str; 10] = ["size", "moles", "board", "states", "wrap", "pattern", "missing", "locked", "target", "graph"];
const HELP: &str = "write rows of 0 and 1 (or `.` and `#`), or `size: 4x4` and `moles: 2 5 6 7`; before rows there may be \
                    lines such as `wrap: torus`";
/// On larger boards it is not noticed when a hole is listed twice.
const LISTED_ONCE: usize = 10_000;
/// Solutions listed unless asked otherwise.
const LISTED: i64 = 1000;

/// A line of the board, and where it starts in the text.
type Row<'a> = (usize, &'a str);

/// The rows of the board among the lines of a text, and the text without them.
fn split<'a>(source: &'a Source<'a>) -> (Vec<Row<'a>>, String) {
    let mut rows = Vec::new();
    let mut rest = String::with_capacity(256);
    let mut at = 0;
    // `#..#` is a row, `# so` a comment; a comment never has only the signs of rows.
    let is_comment = |line: &str| line.starts_with('#') && !line.chars().all(|c| ".#_ \t".contains(c));
    let lines = source.text().split_inclusive('\n');
    let parts = lines.flat_map(|line| if is_comment(line.trim()) { vec![line] } else { line.split_inclusive(';').collect() });
    for line in parts {
        let bare = line.trim().trim_end_matches(';').trim_end();
        let comment = is_comment(bare);
        let field = bare.contains(':');
        if bare.is_empty() || comment || field {
            if comment {
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
            return Err(source.error(*start, format!("there are more than {MOST_HOLES} cells"), BITMAPS));
        }
    }
    Ok((rows.len(), columns.unwrap_or(0), cells))
}

const BITMAPS: &str = "give larger boards as a PBM bitmap: `kibitzer solve moles big.pbm -o hits.pbm`";

/// `4x5` as rows and columns; `4` is a square.
pub fn size(text: &str) -> Option<(usize, usize)> {
    let parts: Vec<&str> = match text.split_once(['x', 'X', '*']) {
        Some((rows, columns)) => vec![rows.trim(), columns.trim()],
        None => text.split_whitespace().collect(),
    };
    let numbers: Option<Vec<usize>> = parts.iter().map(|part| part.parse().ok().filter(|&number| number > 0)).collect();
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
            let help = "there is plus, cross (no center), king and ring (no center); or draw one with the hit hole in the middle: \
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
            if len <= LISTED_ONCE && holes.contains(&(hole - 1)) {
                return Err((given.complain)(format!("hole {hole} is listed twice"), "list it once"));
            }
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
                Some(Cell::Missing) if board.len() < len && !field.exists(board.len()) => board.push(0),
                _ => {
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
    (given.complain)(format!("{what} has more than {MOST_HOLES} holes"), BITMAPS)
}

pub fn read_text(text: &str, options: &Options) -> Result<Moles, ReadError> {
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
        let center = match reader.pattern()?.name.as_str() {
            "plus" => true,
            "cross" => false,
            _ => return Err((given.complain)("a graph has no pattern of rows".to_owned(), "take plus, or cross for no center")),
        };
        let graph = read_graph(given)?;
        if graph.is_empty() {
            return Err((given.complain)("a graph without vertices".to_owned(), "give a graph with at least one vertex"));
        }
        let len = graph.len();
        (Shape::Graph { graph, center }, len)
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
    if let Some(at) = (0..len).find(|&at| holes[at] == Hole::Missing && start[at] != 0) {
        let message = format!("hole {} has a mole and is missing", at + 1);
        let help = "leave it out of `missing`, or write `_` in its place".to_owned();
        return Err(OptionError { message, help }.into());
    }
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

/// A text's board as a bitmap: a whole grid with moles up or down.
pub fn from_text(input: &Input<'_>) -> Result<Bitmap, ReadError> {
    let moles = Moles::read(input)?;
    let plain = moles.field.whole_grid().filter(|_| moles.states == 2 && moles.target.iter().all(|&state| state == 0));
    let grid = plain.ok_or_else(|| OptionError {
        message: "this board is no bitmap".to_owned(),
        help: "only whole grids with the patterns plus or cross, two states and an empty target go with bitmaps".to_owned(),
    })?;
    let mut board = Bitmap::new(grid.rows, grid.columns).expect("the board is there as bytes");
    (0..moles.start.len()).filter(|&at| moles.start[at] == 1).for_each(|at| board.flip(at / grid.columns, at % grid.columns));
    Ok(board)
}

/// A PBM bitmap in text form as rows.
pub fn rows_of_bitmap(text: &str) -> Result<String, ReadError> {
    let source = Source::new(text);
    let wrong = |at: usize, message: String| source.error(at, message, "a bitmap is `P1`, width, height, and then 0 and 1 for each cell");
    let header = pbm_header(text.as_bytes()).map_err(|message| wrong(0, message))?;
    if header.packed {
        return Err(wrong(0, "a packed bitmap is not text".to_owned()).into());
    }
    let cells = header.rows.checked_mul(header.columns).filter(|&cells| cells <= MOST_HOLES);
    let cells = cells.ok_or_else(|| source.error(0, format!("there are more than {MOST_HOLES} cells"), BITMAPS))?;
    let mut rows = String::new();
    let mut seen = 0;
    let mut comment = false;
    for (at, sign) in text.char_indices().skip_while(|(at, _)| *at < header.length) {
        match sign {
            '\n' => comment = false,
            _ if comment => {}
            '#' => comment = true,
            '0' | '1' if seen < cells => {
                if seen > 0 && seen % header.columns == 0 {
                    rows.push('\n');
                }
                rows.push(sign);
                seen += 1;
            }
            '0' | '1' => return Err(wrong(at, format!("more than {} x {} cells", header.columns, header.rows)).into()),
            _ if sign.is_whitespace() => {}
            _ => return Err(wrong(at, format!("`{}` is not a cell", shorten(&sign.to_string()))).into()),
        }
    }
    if seen < cells {
        return Err(wrong(text.len(), format!("the bitmap ends after {seen} of {cells} cells")).into());
    }
    Ok(rows)
}
