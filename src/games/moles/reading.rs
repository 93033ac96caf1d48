//! Reads moles boards: rows, `key: value` lines and options.
//!
//! The shape is read first (a graph, a size, or the rows themselves), then missing and locked holes, then the moles and the target.

use super::chase::Wrap;
use super::field::{FieldShape, Hole, HoleField};
use super::rows::{BITMAPS, MOST_HOLES, WrittenCell, cells, size, split};
use super::settings::{Setting, Settings};
use super::{Moles, Wanted};
use crate::graph::places::Layout;
use crate::limits::Limits;
use crate::notation::{Fault, Options, ReadError, Source, shorten};

const KEYS: [&str; 11] = ["size", "moles", "board", "states", "wrap", "pattern", "missing", "locked", "target", "graph", "layout"];
const HELP: &str = "write rows of 0 and 1 (or `.` and `#`), or `size: 4x4` and `moles: 2 5 6 7`; lines such as `wrap: torus` \
                    may precede the rows";
/// Default number of solutions to list.
const LISTED: i64 = 1000;
/// Number of bytes needed per hole to read a board.
const BYTES: usize = 4;

fn wanted(options: &Options) -> Result<Wanted, Fault> {
    let limit = options.integer("limit", 1..=1_000_000)?.unwrap_or(LISTED) as usize;
    match options.get("answer") {
        None | Some("fewest") => Ok(Wanted::Fewest),
        Some("any") => Ok(Wanted::Any),
        Some("all") => Ok(Wanted::All(limit)),
        Some(other) => Err(Fault::new(format!("option `answer` cannot be `{}`", shorten(other)), "give `fewest`, `any` or `all`")),
    }
}

fn graph_shape(settings: &Settings<'_>, given: &Setting<'_>) -> Result<FieldShape, ReadError> {
    if settings.wrap()? != Wrap::None {
        return Err(given.error("a graph has no sides to join", "leave `wrap` out"));
    }
    let wrong = || given.error("this pattern needs a grid", "on a graph, use `plus`, or `cross` if a hit does not toggle the hole itself");
    Ok(FieldShape::Graph { center: settings.pattern()?.center().ok_or_else(wrong)?, graph: given.graph()? })
}

fn sides(given: &Setting<'_>) -> Result<(usize, usize), ReadError> {
    let Some((rows, columns)) = size(given.value) else {
        return Err(given.error(format!("`{}` is not a size", shorten(given.value)), "write rows x columns, such as `4x5`"));
    };
    if rows.checked_mul(columns).is_none_or(|holes| holes > MOST_HOLES) {
        return Err(given.error(format!("this board has more than {MOST_HOLES} holes"), BITMAPS));
    }
    Ok((rows, columns))
}

pub fn read_text(text: &str, options: &Options, limits: &Limits) -> Result<Moles, ReadError> {
    let source = Source::new(text);
    let (rows, rest) = split(&source, limits)?;
    let rest = Source::new(&rest);
    let lines = rest.fields(&KEYS, HELP)?;
    let settings = Settings { lines: &lines, options };
    let states = settings.states()?;
    let (graph, sized) = (settings.get("graph")?, settings.get("size")?);
    let wrong = |at: usize, message: &str| -> ReadError { source.error(at, message, HELP).into() };
    let mut written: Option<Vec<WrittenCell>> = None;
    let shape = if let Some(given) = &graph {
        if !rows.is_empty() || sized.is_some() {
            let at = rows.first().map_or(0, |(at, _)| *at);
            return Err(wrong(at, "a graph has neither rows nor a size; write its moles as `moles: 1 3`"));
        }
        graph_shape(&settings, given)?
    } else {
        let (rows, columns) = match (&sized, rows.first()) {
            (Some(_), Some((at, _))) => return Err(wrong(*at, "the size is given twice: by `size` and by rows")),
            (None, None) => return Err(wrong(text.len(), "there is no board")),
            (Some(given), None) => sides(given)?,
            (None, Some(_)) => {
                let (columns, cells) = cells(&source, &rows, states, limits)?;
                written = Some(cells);
                (rows.len(), columns)
            }
        };
        FieldShape::Grid { rows, columns, wrap: settings.wrap()?, pattern: settings.pattern()? }
    };
    let len = shape.len();
    limits.room(BYTES * len)?;
    let mut holes = vec![Hole::Open; len];
    let mut start = vec![0; len];
    for (at, cell) in written.iter().flatten().enumerate() {
        match cell {
            WrittenCell::State(state) => start[at] = *state,
            WrittenCell::Missing => holes[at] = Hole::Missing,
        }
    }
    settings.mark(Hole::Missing, &shape, &mut holes, &start, limits)?;
    settings.mark(Hole::Locked, &shape, &mut holes, &start, limits)?;
    let field = HoleField::new(shape, holes);
    let (listed, board) = (settings.get("moles")?, settings.get("board")?);
    let twice = listed.as_ref().filter(|_| written.is_some() || board.is_some()).or(board.as_ref().filter(|_| written.is_some()));
    if let Some(given) = twice {
        return Err(given.error("the moles are given twice", "keep one of the two"));
    }
    if let Some(given) = board {
        start = given.board(&field, states)?;
    }
    if let Some(given) = listed {
        for (hole, offset) in given.holes(&field.shape, limits)? {
            if field.exists(hole) {
                start[hole] = 1;
            } else if given.value != "all" {
                let message = format!("hole {} is missing and cannot have a mole", hole + 1);
                return Err(given.error_at(offset, message, "leave it out"));
            }
        }
    }
    let target = settings.get("target")?.map(|given| given.board(&field, states)).transpose()?;
    let layout = match lines.iter().find(|line| line.key == "layout") {
        Some(line) if graph.is_none() => return Err(line.error("only a graph has a layout", "remove this line").into()),
        // A layout applies only to the board's own graph, not to one given as an option.
        Some(line) if options.get("graph").is_none() => Layout::read(line, (0..len).map(|at| field.shape.name(at)).collect())?,
        _ => Layout::default(),
    };
    Ok(Moles { layout, ..Moles::new(field, states, start, target.unwrap_or_else(|| vec![0; len]), wanted(options)?) })
}
