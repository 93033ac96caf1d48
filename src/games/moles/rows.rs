//! Boards written as rows of cells, and sizes such as `4x5`.
//!
//! The text also contains `key: value` lines and comments, and `#` is both a mole and the start of a comment, so rows are
//! extracted first. All other text keeps its line and column.

use crate::limits::{Limit, Limits};
use crate::notation::{ReadError, Source, counted, shorten};

/// Maximum number of holes. Larger boards must be bitmaps; a list of moves would be useless for them.
pub const MOST_HOLES: usize = 1 << 22;
/// The help text for larger boards.
pub const BITMAPS: &str = "give larger boards as a PBM bitmap: `kibitzer solve moles big.pbm -o hits.pbm`";

/// A row of the board, and its offset in the text.
pub type BoardRow<'a> = (usize, &'a str);

/// Splits the text into the rows of the board and the rest, with blanks in place of the rows.
pub fn split<'a>(source: &'a Source<'a>, limits: &Limits) -> Result<(Vec<BoardRow<'a>>, String), Limit> {
    let mut rows = Vec::new();
    let mut rest = String::with_capacity(256);
    let mut at = 0;
    // `#..#` is a row, and `# text` is a comment; a comment never consists only of row characters.
    let is_comment = |line: &str| line.starts_with('#') && !line.chars().all(|c| ".#_ \t".contains(c));
    let lines = source.text().split_inclusive('\n');
    let parts = lines.flat_map(|line| if is_comment(line.trim()) { vec![line] } else { line.split_inclusive(';').collect() });
    for line in parts {
        limits.check()?;
        let bare = line.trim().trim_end_matches(';').trim_end();
        let comment = is_comment(bare);
        if !comment && (bare.is_empty() || bare.contains(':')) {
            rest.push_str(line);
        } else {
            rest.extend(line.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            if !comment {
                rows.push((at + (line.len() - line.trim_start().len()), bare));
            }
        }
        at += line.len();
    }
    // One line may contain the whole board, with its rows separated by blanks or `/`.
    if let [(start, line)] = rows[..]
        && line.contains([' ', '/', '|', ','])
    {
        let blank = |c: char| c.is_whitespace() || "/|,".contains(c);
        let offset = |part: &str| start + (part.as_ptr() as usize - line.as_ptr() as usize);
        rows = line.split(blank).filter(|part| !part.is_empty()).map(|part| (offset(part), part)).collect();
    }
    Ok((rows, rest))
}

/// A cell in the text of a board.
pub enum WrittenCell {
    State(u8),
    Missing,
}

impl WrittenCell {
    pub fn read(character: char, states: u8) -> Option<WrittenCell> {
        let state = match character {
            '.' if states == 2 => 0,
            '#' if states == 2 => 1,
            '_' => return Some(WrittenCell::Missing),
            _ => character.to_digit(36)? as u8,
        };
        (state < states).then_some(WrittenCell::State(state))
    }
}

/// The number of columns and the cells of the rows, which must be equally long.
pub fn cells(source: &Source<'_>, rows: &[BoardRow<'_>], states: u8, limits: &Limits) -> Result<(usize, Vec<WrittenCell>), ReadError> {
    let mut cells = Vec::new();
    let mut columns = None;
    for (number, (start, row)) in rows.iter().enumerate() {
        limits.check()?;
        let before = cells.len();
        for (offset, character) in row.char_indices().filter(|(_, character)| !character.is_whitespace()) {
            let Some(cell) = WrittenCell::read(character, states) else {
                let help = match states {
                    2 => "an empty hole is `0` or `.`, a mole `1` or `#`, a missing hole `_`".to_owned(),
                    _ => format!("a hole's state is a digit below {states} (a, b, … follow 9); a missing hole is `_`"),
                };
                let message = format!("`{}` is not a cell", shorten(&character.to_string()));
                return Err(source.error(start + offset, message, help).into());
            };
            cells.push(cell);
        }
        let length = cells.len() - before;
        let first = *columns.get_or_insert(length);
        if length != first {
            let message = format!("row {} has {}, but the rows above have {first}", number + 1, counted(length, "cell", "cells"));
            return Err(source.error(*start, message, "make all rows the same length").into());
        }
        if cells.len() > MOST_HOLES {
            return Err(source.error(*start, format!("there are more than {MOST_HOLES} cells"), BITMAPS).into());
        }
    }
    Ok((columns.unwrap_or(0), cells))
}

/// Reads a size: `4x5` is rows and columns, and `4` is a square.
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
