//! Whole boards as bitmaps, up to billions of cells: nothing is listed cell by cell, and beside the board there are only a few
//! rows.

use serde_json::{Map, json};

use super::chase::{Chase, Grid, NoHits, Wrap};
use super::fewest::{Chosen, fewest_bits};
use super::lighten::lighten;
use super::linear::Solved;
use super::rows::size;
use crate::limits::{Limit, Limits, Progress};
use crate::notation::bitmap::{Bitmap, BitmapAnswer, BitmapVerdict, Judgement, mask_row};
use crate::notation::{OptionError, Options, ReadError, shorten};
use crate::random::Random;

const MOST_SIDE: usize = 1 << 30;
/// Most bytes of quiet patterns that are held cell by cell.
const LISTED: usize = 1 << 29;
/// Most independent quiet patterns among which the lightest solution is looked for.
const QUIET: usize = 24;

/// What the options say about a board of this size; only whole grids go this way.
fn grid(rows: usize, columns: usize, options: &Options) -> Result<Grid, OptionError> {
    let whole = "boards of this size are whole grids with the patterns plus or cross and two states";
    for name in ["states", "missing", "locked", "target", "graph"] {
        if options.get(name).is_some_and(|value| !(value.is_empty() || (name, value) == ("states", "2") || value == "clear")) {
            return Err(OptionError { message: format!("option `{name}` is not for bitmaps"), help: whole.to_owned() });
        }
    }
    let wrong = |name: &str, value: &str, help: &str| OptionError {
        message: format!("option `{name}` cannot be `{}` here", shorten(value)),
        help: help.to_owned(),
    };
    let wrap = match options.get("wrap") {
        None | Some("none") => Wrap::None,
        Some("cylinder") => Wrap::Cylinder,
        Some("torus") => Wrap::Torus,
        Some(other) => return Err(wrong("wrap", other, "there is none, cylinder and torus")),
    };
    let center = match options.get("pattern") {
        None | Some("plus") => true,
        Some("cross") => false,
        Some(other) => return Err(wrong("pattern", other, whole)),
    };
    Ok(Grid { rows, columns, center, wrap })
}

fn chase(grid: Grid, limits: &Limits) -> Result<Chase, ReadError> {
    let chase = Chase::within(grid, limits)?;
    Ok(chase.ok_or_else(|| OptionError {
        message: "rings of fewer than three holes cannot be solved row by row".to_owned(),
        help: "give this board as text".to_owned(),
    })?)
}

/// Overwrites the board by hits that clear it, or by the holes of a proof that none do.
pub fn solve(board: &mut Bitmap, options: &Options, limits: &Limits) -> Result<BitmapAnswer, ReadError> {
    let grid = grid(board.rows(), board.columns(), options)?;
    let fewest = match options.get("answer") {
        None | Some("fewest") => true,
        Some("any") => false,
        Some(_) => {
            let help = "give `fewest` or `any`, or a smaller board".to_owned();
            return Err(OptionError { message: "option `answer` must be `fewest` or `any` for bitmaps".to_owned(), help }.into());
        }
    };
    let bytes = board.words().len() * 8;
    let moles = board.count_ones();
    let floor = moles.div_ceil(if grid.center { 5 } else { 4 });
    let chase = chase(grid, limits)?;
    // A row takes whole words, so a low and wide board grows when its columns become rows.
    let turned = chase.turned_bytes();
    if turned > limits.bytes {
        let message = format!("this board takes {turned} bytes with its short side as rows, which is above the memory limit");
        return Err(OptionError { message, help: "raise `--memory`, or give a board that is less wide".to_owned() }.into());
    }
    let progress = Progress { lower: floor.min(u64::from(u32::MAX)) as u32, bytes, ..Progress::default() };
    let nullity = chase.nullity();
    let cells = board.cells();
    let facts = Map::from_iter([
        ("rows".to_owned(), json!(grid.rows)),
        ("columns".to_owned(), json!(grid.columns)),
        ("rank".to_owned(), json!(cells - nullity)),
        ("nullity".to_owned(), json!(nullity)),
    ]);
    let verdict = match chase.solve_within(board, limits)? {
        Err(NoHits) => BitmapVerdict::Unsolvable,
        Ok(()) => {
            let mut lower = floor;
            if nullity > 0 && fewest {
                if nullity <= QUIET {
                    let lightest = lighten(&chase, board, limits, || limits.report(&progress));
                    lower = if lightest.is_ok() { u64::MAX } else { floor };
                } else if nullity.saturating_mul(cells) <= LISTED.min(limits.bytes) {
                    lower = floor.max(lighten_listed(&chase, board, limits).unwrap_or(0));
                }
            }
            let cost = board.count_ones();
            BitmapVerdict::Solved { cost, lower: if nullity == 0 { cost } else { lower.min(cost) } }
        }
    };
    Ok(BitmapAnswer { verdict, facts })
}

/// The same where all quiet patterns can be held cell by cell: by the search for the lightest member, which gives a lower bound
/// if it does not finish.
fn lighten_listed(chase: &Chase, board: &mut Bitmap, limits: &Limits) -> Result<u64, Limit> {
    let bytes = |board: &Bitmap| {
        let mut bytes = vec![0; board.cells()];
        board.ones().for_each(|at| bytes[at] = 1);
        bytes
    };
    let quiet: Result<Vec<Vec<u8>>, Limit> = (0..chase.nullity()).map(|at| Ok(bytes(&chase.kernel_within(at, limits)?))).collect();
    let columns = board.columns();
    let solved = Solved { hits: bytes(board), orders: vec![2; chase.nullity()], quiet: quiet? };
    let Chosen { hits, lower, .. } = fewest_bits(&solved, Some(columns), limits);
    let changed: Vec<usize> = (0..hits.len()).filter(|&at| board.get(at / columns, at % columns) != (hits[at] == 1)).collect();
    changed.into_iter().for_each(|at| board.flip(at / columns, at % columns));
    Ok(u64::from(lower))
}

/// What a bitmap of hits or of a proof is worth, by multiplication: the board's rows come one after the other.
pub fn check(
    rows: usize,
    columns: usize,
    board_row: &mut dyn FnMut(&mut [u64]) -> Result<(), String>,
    answer: &Bitmap,
    options: &Options,
) -> Result<Judgement, String> {
    let grid = grid(rows, columns, options).map_err(|error| error.message)?;
    if (answer.rows(), answer.columns()) != (rows, columns) {
        return Err(format!("the answer has {} x {} cells, the board {rows} x {columns}", answer.rows(), answer.columns()));
    }
    let (mut clears, mut quiet, mut odd) = (true, true, false);
    let mut moles = vec![0; answer.stride()];
    let mut toggled = vec![0; answer.stride()];
    for row in 0..rows {
        board_row(&mut moles)?;
        let hits = answer.row(row);
        let bit = |column: usize| hits[column / 64] >> (column % 64) & 1;
        let (first, last) = (bit(0), bit(columns - 1));
        for (at, sum) in toggled.iter_mut().enumerate() {
            let from_left = hits[at] << 1 | if at > 0 { hits[at - 1] >> 63 } else { 0 };
            let from_right = hits[at] >> 1 | hits.get(at + 1).map_or(0, |next| next << 63);
            *sum = from_left ^ from_right ^ if grid.center { hits[at] } else { 0 };
        }
        if grid.wrap != Wrap::None {
            toggled[0] ^= last;
            toggled[(columns - 1) / 64] ^= first << ((columns - 1) % 64);
        }
        let joined = grid.wrap == Wrap::Torus;
        let above = row.checked_sub(1).or(joined.then(|| rows - 1));
        let below = if row + 1 < rows { Some(row + 1) } else { joined.then_some(0) };
        for other in [above, below].into_iter().flatten() {
            toggled.iter_mut().zip(answer.row(other)).for_each(|(sum, hits)| *sum ^= hits);
        }
        mask_row(&mut toggled, columns);
        clears &= toggled == moles;
        quiet &= toggled.iter().all(|&word| word == 0);
        odd ^= moles.iter().zip(hits).fold(0, |sum, (a, b)| sum ^ (a & b)).count_ones() % 2 == 1;
    }
    Ok(if clears {
        Judgement::Clears
    } else if quiet && odd {
        Judgement::Refutes
    } else {
        Judgement::Nothing
    })
}

/// A random board: what random hits toggle, or random moles.
pub fn generate(seed: u64, options: &Options, limits: &Limits) -> Result<Bitmap, ReadError> {
    let text = options.get("size").unwrap_or("5x5");
    let (rows, columns) = size(text).filter(|&(rows, columns)| rows < MOST_SIDE && columns < MOST_SIDE).ok_or_else(|| OptionError {
        message: format!("option `size` cannot be `{}`", shorten(text)),
        help: "write rows x columns, such as `1000x1000`".to_owned(),
    })?;
    let grid = grid(rows, columns, options)?;
    let too_large = || OptionError { message: "a board of this size does not fit".to_owned(), help: "ask for a smaller one".to_owned() };
    limits.room(rows.saturating_mul(columns.div_ceil(64)).saturating_mul(8))?;
    let mut hits = Bitmap::new(rows, columns).ok_or_else(too_large)?;
    let mut random = Random::new(seed);
    for row in 0..rows {
        limits.check()?;
        let row = hits.row_mut(row);
        row.iter_mut().for_each(|word| *word = random.word());
        mask_row(row, columns);
    }
    match options.get("kind") {
        Some("any") => return Ok(hits),
        None | Some("solvable") => {}
        Some(other) => {
            let message = format!("option `kind` cannot be `{}`", shorten(other));
            return Err(OptionError { message, help: "give `solvable` or `any`".to_owned() }.into());
        }
    }
    super::chase::toggle(grid, &mut hits, limits)?;
    Ok(hits)
}

/// The board as rows of 0 and 1.
pub fn to_text(board: &Bitmap) -> String {
    let mut text = String::with_capacity(board.cells() + board.rows());
    for row in 0..board.rows() {
        text.extend((0..board.columns()).map(|column| if board.get(row, column) { '1' } else { '0' }));
        text.push('\n');
    }
    text
}
