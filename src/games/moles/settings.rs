//! Settings from the `key: value` lines of the text and from options. An error about a line gives its position; an error about an
//! option names the option.

use super::Board;
use super::chase::Wrap;
use super::field::{FieldShape, Hole, HoleField, Pattern};
use super::rows::WrittenCell;
use crate::graph::{Graph, formats};
use crate::limits::Limits;
use crate::notation::{Fault, Field as Line, Options, ParseError, ReadError, shorten};

const MOST_STATES: i64 = 36;

/// The value of a setting, and its origin.
pub struct Setting<'a> {
    pub value: &'a str,
    place: Place<'a>,
}

enum Place<'a> {
    Line(&'a Line<'a>),
    Option(&'static str),
}

impl Setting<'_> {
    /// An error that points to the whole value.
    pub fn error(&self, message: impl Into<String>, help: &str) -> ReadError {
        self.error_at(0, message, help)
    }

    /// An error at a byte offset within the value.
    pub fn error_at(&self, offset: usize, message: impl Into<String>, help: &str) -> ReadError {
        match self.place {
            Place::Line(line) => line.error_at(offset, message, help).into(),
            Place::Option(name) => Fault::new(format!("option `{name}`: {}", message.into()), help).into(),
        }
    }

    /// The graph, given as one line of the text or, in any format, as an option.
    pub fn graph(&self) -> Result<Graph, ReadError> {
        let wrong = |error: ParseError| Fault::new(format!("option `graph`: {error}"), error.help);
        Ok(match self.place {
            Place::Line(line) => formats::read_field(line)?,
            Place::Option(_) => formats::read_option(self.value)?.simple().map_err(wrong)?,
        })
    }

    /// The listed holes, numbered from 0, each with its offset.
    pub fn holes(&self, shape: &FieldShape, limits: &Limits) -> Result<Vec<(usize, usize)>, ReadError> {
        let len = shape.len();
        if self.value == "all" {
            return Ok((0..len).map(|hole| (hole, 0)).collect());
        }
        let mut holes = Vec::new();
        let mut listed = vec![false; len];
        for word in self.value.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
            limits.check()?;
            let offset = word.as_ptr() as usize - self.value.as_ptr() as usize;
            let Some(hole) = shape.find(word) else {
                let help = match shape.own_name(0) {
                    Some(_) => "holes have the names of the graph's vertices".to_owned(),
                    None => format!("holes are numbered row by row from 1 to {len}"),
                };
                return Err(self.error_at(offset, format!("there is no hole `{}`", shorten(word)), &help));
            };
            if std::mem::replace(&mut listed[hole], true) {
                return Err(self.error_at(offset, format!("hole {word} is listed twice"), "list it once"));
            }
            holes.push((hole, offset));
        }
        Ok(holes)
    }

    /// A board in one line: `clear`, `full`, or rows separated by `/` or blanks.
    pub fn board(&self, field: &HoleField, states: u8) -> Result<Board, ReadError> {
        let len = field.len();
        let all = |state: u8| (0..len).map(|at| if field.exists(at) { state } else { 0 }).collect();
        match self.value {
            "clear" => return Ok(all(0)),
            "full" => return Ok(all(states - 1)),
            _ => {}
        }
        let mut board = Vec::with_capacity(len);
        for (offset, character) in self.value.char_indices().filter(|(_, c)| !c.is_whitespace() && !"/|,".contains(*c)) {
            match WrittenCell::read(character, states) {
                Some(WrittenCell::State(state)) => board.push(state),
                Some(WrittenCell::Missing) if board.len() < len && !field.exists(board.len()) => board.push(0),
                _ => {
                    let message = format!("`{}` is not a cell", shorten(&character.to_string()));
                    return Err(self.error_at(offset, message, "give `clear`, `full` or rows such as `0110/1001`"));
                }
            }
        }
        if board.len() != len {
            let help = format!("give {len} cells, or `clear` or `full`");
            return Err(self.error(format!("the number of cells is {}, but the number of holes is {len}", board.len()), &help));
        }
        Ok(board.into_iter().enumerate().map(|(at, state)| if field.exists(at) { state } else { 0 }).collect())
    }
}

/// The lines of the text, and the options.
pub struct Settings<'a> {
    pub lines: &'a [Line<'a>],
    pub options: &'a Options,
}

impl<'a> Settings<'a> {
    /// The setting with this name. The text and the option must not contradict each other.
    pub fn get(&self, name: &'static str) -> Result<Option<Setting<'a>>, ReadError> {
        let line = self.lines.iter().find(|line| line.key == name);
        let option = self.options.get(name);
        if let (Some(line), Some(option)) = (line, option)
            && line.value != option
        {
            let message = format!("option `{name}` is `{}`, but the board says `{}`", shorten(option), shorten(line.value));
            return Err(Fault::new(message, "leave the option out").into());
        }
        let line = line.map(|line| Setting { value: line.value, place: Place::Line(line) });
        Ok(line.or(option.map(|value| Setting { value, place: Place::Option(name) })))
    }

    pub fn wrap(&self) -> Result<Wrap, ReadError> {
        let Some(given) = self.get("wrap")? else { return Ok(Wrap::None) };
        let known = [Wrap::None, Wrap::Cylinder, Wrap::Torus].into_iter().find(|wrap| wrap.name() == given.value);
        known.ok_or_else(|| given.error(format!("unknown wrap `{}`", shorten(given.value)), "give none, cylinder or torus"))
    }

    pub fn pattern(&self) -> Result<Pattern, ReadError> {
        let Some(given) = self.get("pattern")? else { return Ok(Pattern::named("plus").expect("it is named")) };
        Pattern::named(given.value).or_else(|| Pattern::drawn(given.value)).ok_or_else(|| {
            let help = "give plus, cross (no center), king or ring (no center), or draw a pattern with the hit hole in the middle: \
                        an odd number of rows and columns, as in `010/111/010`";
            given.error(format!("`{}` is not a pattern", shorten(given.value)), help)
        })
    }

    pub fn states(&self) -> Result<u8, ReadError> {
        let Some(given) = self.get("states")? else { return Ok(2) };
        let number = given.value.parse().ok().filter(|states| (2..=MOST_STATES).contains(states));
        let help = format!("give a whole number from 2 to {MOST_STATES}");
        number
            .map(|states: i64| states as u8)
            .ok_or_else(|| given.error(format!("`{}` is not a number of states", shorten(given.value)), &help))
    }

    /// Marks the listed holes as missing or locked. A missing hole must not have a mole.
    pub fn mark(&self, mark: Hole, shape: &FieldShape, holes: &mut [Hole], start: &[u8], limits: &Limits) -> Result<(), ReadError> {
        let name = if mark == Hole::Missing { "missing" } else { "locked" };
        let Some(given) = self.get(name)? else { return Ok(()) };
        for (hole, offset) in given.holes(shape, limits)? {
            if mark == Hole::Missing && start[hole] != 0 {
                let help = "remove it from `missing`, or write `_` for it";
                return Err(given.error_at(offset, format!("hole {} is missing and cannot have a mole", hole + 1), help));
            }
            if mark == Hole::Locked && holes[hole] == Hole::Missing {
                let message = format!("hole {} is missing and cannot be locked", hole + 1);
                return Err(given.error_at(offset, message, "leave it out"));
            }
            holes[hole] = mark;
        }
        Ok(())
    }
}
