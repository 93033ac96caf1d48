//! Whole grids as bitmaps, up to billions of holes. Memory holds the board, its answer and a few rows, but no list of holes.

use serde_json::{Map, json};

use super::Moles;
use super::chase::{Chase, Grid, NoHits, Wrap};
use super::fewest::{ChosenHits, fewest_bits};
use super::lighten::lighten;
use super::linear::Solved;
use super::notation::solvable;
use super::rows::{MOST_HOLES, size};
use super::settings::Settings;
use crate::bits::bitmap::{Bitmap, mask_row};
use crate::bits::{dot, xor};
use crate::limits::{Limit, Limits, Progress};
use crate::notation::tools::{BitmapAnswer, Bitmaps};
use crate::notation::{Fault, Input, Notation, Options, ReadError, shorten};
use crate::random::Random;

pub const BITMAPS: Bitmaps = Bitmaps { method: "chase", most_as_text: MOST_HOLES, to_text, from_text, generate, solve, check };

const MOST_SIDE: usize = 1 << 30;
/// Maximum number of bytes for quiet patterns stored with one byte per hole.
const LISTED: usize = 1 << 29;
/// Maximum number of independent quiet patterns for which all combinations are compared.
const QUIET: usize = 24;

fn not_whole() -> Fault {
    let help =
        "only a complete grid (no hole missing or locked) with pattern plus or cross, two states and an empty target can be a bitmap";
    Fault::new("this board cannot be a bitmap", help)
}

/// The grid of a bitmap with these options.
fn grid(rows: usize, columns: usize, options: &Options) -> Result<Grid, ReadError> {
    let settings = Settings { lines: &[], options };
    let whole = ["missing", "locked", "target", "graph"].iter().all(|name| matches!(options.get(name), None | Some("" | "clear")));
    let center = settings.pattern()?.center().filter(|_| whole);
    let center = if settings.states()? == 2 { center } else { None };
    Ok(Grid { rows, columns, center: center.ok_or_else(not_whole)?, wrap: settings.wrap()? })
}

/// Reads a board from text. The settings in the text become options of the bitmap.
fn from_text(input: &Input<'_>) -> Result<(Bitmap, Options), ReadError> {
    let moles = Moles::read(input)?;
    let plain = moles.field.whole_grid().filter(|_| moles.states == 2 && moles.target.iter().all(|&state| state == 0));
    let Grid { rows, columns, center, wrap } = plain.ok_or_else(not_whole)?;
    let options = input.options.with("wrap", wrap.name()).with("pattern", if center { "plus" } else { "cross" });
    Ok((image(rows, columns, &moles.start)?, options))
}

/// Converts one byte per hole to a bitmap.
pub fn image(rows: usize, columns: usize, holes: &[u8]) -> Result<Bitmap, Limit> {
    let mut image = Bitmap::new(rows, columns).ok_or(Limit::Memory)?;
    (0..holes.len()).filter(|&at| holes[at] == 1).for_each(|at| image.flip(at / columns, at % columns));
    Ok(image)
}

/// Converts a bitmap to one byte per hole.
pub fn holes(image: &Bitmap) -> Vec<u8> {
    let mut holes = vec![0; image.cells()];
    image.ones().for_each(|at| holes[at] = 1);
    holes
}

pub fn to_text(board: &Bitmap) -> String {
    let mut text = String::with_capacity(board.cells() + board.rows());
    for row in 0..board.rows() {
        text.extend((0..board.columns()).map(|column| if board.get(row, column) { '1' } else { '0' }));
        text.push('\n');
    }
    text
}

fn solve(board: &Bitmap, options: &Options, limits: &Limits) -> Result<BitmapAnswer, ReadError> {
    let grid = grid(board.rows(), board.columns(), options)?;
    if options.get("answer") == Some("all") {
        let help = "give `fewest` or `any`, or a smaller board";
        return Err(Fault::new("option `answer` must be `fewest` or `any` for bitmaps", help).into());
    }
    let bytes = board.words().len() * 8;
    let floor = board.count_ones().div_ceil(if grid.center { 5 } else { 4 });
    let too_narrow = || Fault::new("rings of fewer than three holes cannot be solved row by row", "give this board as text");
    let chase = Chase::new(grid, limits)?.ok_or_else(too_narrow)?;
    // Rows are padded to whole words, so a wide board with few rows needs more memory when transposed.
    let turned = chase.turned_bytes();
    if turned > limits.bytes {
        let message = format!("this board needs {turned} bytes when transposed, which exceeds the memory limit");
        return Err(Fault::new(message, "raise `--memory`, or give a narrower board").into());
    }
    let (nullity, holes) = (chase.nullity(), board.cells());
    let facts = [("rows", grid.rows), ("columns", grid.columns), ("rank", holes - nullity), ("nullity", nullity)];
    let facts = Map::from_iter(facts.map(|(name, number)| (name.to_owned(), json!(number))));
    limits.room(bytes)?;
    let mut cells = board.clone();
    if chase.solve(&mut cells, limits)? == Err(NoHits) {
        return Ok(BitmapAnswer { cells, cost: None, lower: 0, facts });
    }
    let mut lower = if nullity == 0 { u64::MAX } else { floor };
    if nullity > 0 && options.get("answer") != Some("any") {
        if nullity <= QUIET {
            let progress = Progress { lower: floor.min(u64::from(u32::MAX)) as u32, bytes, ..Progress::default() };
            if lighten(&chase, &mut cells, limits, || limits.report(&progress)).is_ok() {
                lower = u64::MAX;
            }
        } else if nullity.saturating_mul(holes) <= LISTED.min(limits.bytes) {
            lower = floor.max(lighten_listed(&chase, &mut cells, limits).unwrap_or(0));
        }
    }
    let cost = cells.count_ones();
    Ok(BitmapAnswer { cells, cost: Some(cost), lower: lower.min(cost), facts })
}

/// Like [`lighten`], but for more quiet patterns, which are stored with one byte per hole. Returns a lower bound on the number of
/// hits.
fn lighten_listed(chase: &Chase, hits: &mut Bitmap, limits: &Limits) -> Result<u64, Limit> {
    let quiet: Result<Vec<Vec<u8>>, Limit> = (0..chase.nullity()).map(|at| Ok(holes(&chase.kernel(at, limits)?))).collect();
    let solved = Solved { hits: holes(hits), orders: vec![2; chase.nullity()], quiet: quiet? };
    let ChosenHits { hits: chosen, lower, .. } = fewest_bits(&solved, Some(hits.columns()), limits);
    *hits = image(hits.rows(), hits.columns(), &chosen)?;
    Ok(u64::from(lower))
}

/// The holes of a row that the hits toggle, computed from the rules, sharing no code with [`Chase`].
fn toggled_row(grid: Grid, hits: &Bitmap, row: usize, toggled: &mut [u64]) {
    let (now, last) = (hits.row(row), grid.columns - 1);
    for (at, sum) in toggled.iter_mut().enumerate() {
        let from_left = now[at] << 1 | if at > 0 { now[at - 1] >> 63 } else { 0 };
        let from_right = now[at] >> 1 | now.get(at + 1).map_or(0, |next| next << 63);
        *sum = from_left ^ from_right ^ if grid.center { now[at] } else { 0 };
    }
    if grid.wrap != Wrap::None {
        toggled[0] ^= u64::from(hits.get(row, last));
        toggled[last / 64] ^= u64::from(hits.get(row, 0)) << (last % 64);
    }
    let joined = grid.wrap == Wrap::Torus;
    let above = row.checked_sub(1).or(joined.then(|| grid.rows - 1));
    let below = if row + 1 < grid.rows { Some(row + 1) } else { joined.then_some(0) };
    [above, below].into_iter().flatten().for_each(|other| xor(toggled, hits.row(other)));
    mask_row(toggled, grid.columns);
}

fn check(board: &Bitmap, answer: &Bitmap, options: &Options) -> Result<bool, String> {
    let (rows, columns) = (board.rows(), board.columns());
    let grid = grid(rows, columns, options).map_err(|error| error.to_string())?;
    if (answer.rows(), answer.columns()) != (rows, columns) {
        return Err(format!("the answer has {} x {} cells, but the board has {rows} x {columns}", answer.rows(), answer.columns()));
    }
    let (mut clears, mut quiet, mut odd) = (true, true, false);
    let mut toggled = vec![0; answer.stride()];
    for row in 0..rows {
        toggled_row(grid, answer, row, &mut toggled);
        clears &= toggled == board.row(row);
        quiet &= toggled.iter().all(|&word| word == 0);
        odd ^= dot(board.row(row), answer.row(row));
    }
    if clears || quiet && odd { Ok(clears) } else { Err("the bitmap is neither a solution nor a proof that there is none".to_owned()) }
}

/// A random board: an empty board after random hits, or random moles.
fn generate(seed: u64, options: &Options, limits: &Limits) -> Result<Bitmap, ReadError> {
    let text = options.get("size").unwrap_or("5x5");
    let wrong = || Fault::new(format!("option `size` cannot be `{}`", shorten(text)), "write rows x columns, such as `1000x1000`");
    let (rows, columns) = size(text).filter(|&(rows, columns)| rows.max(columns) < MOST_SIDE).ok_or_else(wrong)?;
    let grid = grid(rows, columns, options)?;
    limits.room(rows.saturating_mul(columns.div_ceil(64)).saturating_mul(16))?;
    let mut hits = Bitmap::new(rows, columns).ok_or(Limit::Memory)?;
    let mut random = Random::new(seed);
    for row in 0..rows {
        limits.check()?;
        let row = hits.row_mut(row);
        row.iter_mut().for_each(|word| *word = random.word());
        mask_row(row, columns);
    }
    Ok(if solvable(options)? { toggled(grid, &hits) } else { hits })
}

/// The empty board after these hits.
pub fn toggled(grid: Grid, hits: &Bitmap) -> Bitmap {
    let mut board = hits.clone();
    (0..grid.rows).for_each(|row| toggled_row(grid, hits, row, board.row_mut(row)));
    board
}
