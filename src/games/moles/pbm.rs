//! Boards as PBM bitmaps in text form, and texts as bitmaps: how the two ways to give a board meet.
//!
//! A bitmap of `0` and `1` is small enough to be read like any other text, with its errors at line and column.

use super::Moles;
use super::rows::{BITMAPS, MOST_HOLES};
use crate::limits::{Limit, Limits};
use crate::notation::bitmap::{Bitmap, pbm_header};
use crate::notation::{Input, Notation, OptionError, ReadError, Source, shorten};

/// A text's board as a bitmap: a whole grid with moles up or down.
pub fn from_text(input: &Input<'_>) -> Result<Bitmap, ReadError> {
    let moles = Moles::read(input)?;
    let plain = moles.field.whole_grid().filter(|_| moles.states == 2 && moles.target.iter().all(|&state| state == 0));
    let grid = plain.ok_or_else(|| OptionError {
        message: "this board cannot be a bitmap".to_owned(),
        help: "only whole grids with the patterns plus or cross, two states and an empty target can be bitmaps".to_owned(),
    })?;
    let mut board = Bitmap::new(grid.rows, grid.columns).ok_or(Limit::Memory)?;
    (0..moles.start.len()).filter(|&at| moles.start[at] == 1).for_each(|at| board.flip(at / grid.columns, at % grid.columns));
    Ok(board)
}

/// A PBM bitmap in text form as rows.
pub fn rows_of_bitmap(text: &str, limits: &Limits) -> Result<String, ReadError> {
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
    for (at, character) in text.char_indices().skip_while(|(at, _)| *at < header.length) {
        match character {
            '\n' => {
                limits.check()?;
                comment = false;
            }
            _ if comment => {}
            '#' => comment = true,
            '0' | '1' if seen < cells => {
                if seen > 0 && seen % header.columns == 0 {
                    rows.push('\n');
                }
                rows.push(character);
                seen += 1;
            }
            '0' | '1' => return Err(wrong(at, format!("more than {} x {} cells", header.columns, header.rows)).into()),
            _ if character.is_whitespace() => {}
            _ => return Err(wrong(at, format!("`{}` is not a cell", shorten(&character.to_string()))).into()),
        }
    }
    if seen < cells {
        return Err(wrong(text.len(), format!("the bitmap ends after {seen} of {cells} cells")).into());
    }
    Ok(rows)
}
