//! Reading boards, and random boards.

use super::{Board, Connect};
use crate::bits::ones;
use crate::limits::Limits;
use crate::notation::{Field, Input, Notation, Options, ParseError, ReadError, Source, counted, shorten};
use crate::random::Random;
use crate::rules::{Game, Rules};

/// Maximum number of columns and of rows: columns are named by letters.
const MOST_LINES: usize = 26;
/// Maximum number of squares. One more row, which packed boards need, still fits in a word.
const MOST_SQUARES: usize = 100;

pub const KEYS: [&str; 3] = ["size", "line", "gravity"];
const HELP: &str = "write `size: 3x3`, `line: 3`, `gravity: no`, or rows of `.`, `X` and `O` such as `X.. / .O. / ...`";
const SIZES: &str = "a board has 1 to 26 columns, 1 to 26 rows, and at most 100 squares";

fn check_size(width: usize, height: usize, error: impl Fn(String, &str) -> ParseError) -> Result<(), ParseError> {
    let fits = (1..=MOST_LINES).contains(&width) && (1..=MOST_LINES).contains(&height) && width * height <= MOST_SQUARES;
    if fits { Ok(()) } else { Err(error(format!("the board is {width} x {height}"), SIZES)) }
}

/// Reads `7x6` as a number of columns and a number of rows.
fn read_size(size: &Field<'_>) -> Result<(usize, usize), ParseError> {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let sides = size.value.split_once(['x', 'X', '×']).and_then(|(width, height)| number(width).zip(number(height)));
    let wrong = || size.error(format!("`{}` is not a size", shorten(size.value)), "write columns x rows, such as `7x6`");
    let (width, height) = sides.ok_or_else(wrong)?;
    check_size(width, height, |message, help| size.error(message, help))?;
    Ok((width, height))
}

/// Reads rows of squares, each with its offset.
fn read_rows(source: &Source<'_>) -> Result<Vec<Vec<(char, usize)>>, ParseError> {
    let mut rows: Vec<Vec<(char, usize)>> = Vec::new();
    let mut begins = true;
    for (offset, sign) in source.text().char_indices() {
        match sign.to_ascii_uppercase() {
            '\n' | '/' | '|' => begins = true,
            sign @ ('.' | 'X' | 'O') => {
                if std::mem::take(&mut begins) {
                    rows.push(Vec::new());
                }
                let columns = rows.last_mut().map_or(0, |row| {
                    row.push((sign, offset));
                    row.len()
                });
                if columns > MOST_LINES || rows.len() > MOST_LINES {
                    return Err(source.error(offset, "the board is too large", SIZES));
                }
            }
            sign if sign.is_whitespace() => {}
            sign => return Err(source.error(offset, format!("`{}` is not a square", shorten(&sign.to_string())), HELP)),
        }
    }
    Ok(rows)
}

pub fn read_text(text: &str) -> Result<Connect, ParseError> {
    let source = Source::without_comments(text);
    let (settings, board) = source.settings(&KEYS, HELP)?;
    let setting = |key: &str| settings.iter().find(|setting| setting.key == key);
    let rows = read_rows(&board)?;
    let first = rows.first().and_then(|row| row.first()).map_or(source.text().len(), |square| square.1);
    let (width, height) = match (setting("size"), rows.first()) {
        (Some(size), _) => read_size(size)?,
        (None, Some(row)) => (row.len(), rows.len()),
        (None, None) => return Err(source.error(first, "there is no board", HELP)),
    };
    check_size(width, height, |message, help| source.error(first, message, help))?;
    let gravity = match setting("gravity").map(|gravity| (gravity, gravity.value)) {
        None | Some((_, "no")) => false,
        Some((_, "yes" | "")) => true,
        Some((gravity, value)) => return Err(gravity.error(format!("`gravity` cannot be `{}`", shorten(value)), "write `yes` or `no`")),
    };
    let line = setting("line").map_or(Ok(3 + usize::from(gravity)), |line| {
        let wrong = || line.error(format!("`{}` is not the length of a line", shorten(line.value)), "write a whole number, at least 2");
        line.value.parse().ok().filter(|&squares| squares > 1).ok_or_else(wrong)
    })?;
    let longest = width.max(height);
    if line > longest {
        let message = format!("no line of {line} fits on a board of {width} x {height}");
        let help = format!("use a larger board{}", if longest > 1 { format!(", or `line: {longest}`") } else { String::new() });
        return Err(setting("line")
            .or(setting("size"))
            .map_or(source.error(first, &*message, &*help), |place| place.error(&*message, &*help)));
    }
    let game = Connect::new(width, height, line, gravity);
    let start = game.read_marks(&board, &rows, first)?;
    Ok(Connect { start, ..game })
}

impl Connect {
    /// Reads the marks, and checks that they can occur in play.
    fn read_marks(&self, source: &Source<'_>, rows: &[Vec<(char, usize)>], first: usize) -> Result<Board, ParseError> {
        let (mut board, width) = (Board::default(), self.width);
        if rows.is_empty() {
            return Ok(board);
        }
        if let Some((at, row)) = (1..).zip(rows).find(|(_, row)| row.len() != width) {
            let message = format!("row {at} has {}, not {width}", counted(row.len(), "square", "squares"));
            return Err(source.error(row[0].1, message, "make all rows as long as the board is wide"));
        }
        if rows.len() != self.height {
            let message = format!("there are {}, not {}", counted(rows.len(), "row", "rows"), self.height);
            return Err(source.error(first, message, "write as many rows as the board is high"));
        }
        let squares = || rows.iter().flatten().enumerate();
        squares().filter(|(_, (sign, _))| *sign != '.').for_each(|(at, (sign, _))| board.0[usize::from(*sign == 'O')] |= 1 << at);
        let all = board.all();
        let floats = |at: usize| all >> at & 1 == 1 && at + width < self.width * self.height && all >> (at + width) & 1 == 0;
        if let Some((_, (sign, offset))) = squares().find(|(at, _)| self.gravity && floats(*at)) {
            let help = "put a disc below it, move it down, or write `gravity: no`";
            return Err(source.error(*offset, format!("this {sign} floats above an empty square"), help));
        }
        let [x, o] = board.0.map(u128::count_ones);
        if x != o && x != o + 1 {
            return Err(source.error(first, format!("there are {x} X and {o} O"), "X moves first: write as many O as X, or one O fewer"));
        }
        let last = 1 - board.turn();
        let name = |player: usize| ["X", "O"][player];
        let wins = [0, 1].map(|player| self.has_line(board.0[player]));
        if wins[1 - last] {
            let message = match wins[last] {
                true => format!("both players have {} in a row", self.line),
                false => format!("{} has {} in a row, but {} moved last", name(1 - last), self.line, name(last)),
            };
            return Err(source.error(first, message, "the game ends with the first line; remove a mark from this line"));
        }
        // One move completed all lines, so they share a square. With gravity, no disc is on top of it.
        let is_top = |at: usize| !self.gravity || at < width || all >> (at - width) & 1 == 0;
        let decided = |at: &usize| is_top(*at) && !self.has_line(board.0[last] & !(1 << at));
        if wins[last] && !ones(board.0[last]).any(|at| decided(&at)) {
            let message = format!("no last move of {} completes all lines of {}", name(last), self.line);
            return Err(source.error(first, message, "the game ends with the first line; remove a mark from a line"));
        }
        Ok(board)
    }
}

/// A position after random moves. No move ends the game or, if possible, lets the other player win at once.
pub fn generate(random: &mut Random, options: &Options, limits: &Limits) -> Result<Connect, ReadError> {
    let set = |options: Options, name: &str, value: &str| if options.get(name).is_some() { options } else { options.with(name, value) };
    let options = set(set(options.clone(), "size", "5x4"), "gravity", "yes");
    let mut game = Connect::read(&Input::new("", &options, limits))?;
    let squares = game.width * game.height;
    let marks = options.integer("marks", 0..=squares as i64)?.map_or_else(|| squares * 2 / 5 + random.below(3), |marks| marks as usize);
    for _ in 0..marks {
        limits.check()?;
        let after = |board: &Board| {
            let mut moves = Vec::new();
            game.moves(board, &mut moves);
            moves.into_iter().map(|mv| game.apply(board, &mv)).collect::<Vec<Board>>()
        };
        let (mut open, mut safe) = (after(&game.start), Vec::new());
        open.retain(|board| game.terminal(board).is_none());
        safe.extend(open.iter().copied().filter(|board| !after(board).iter().any(|next| game.is_won(*next))));
        let choices = if safe.is_empty() { open } else { safe };
        let Some(next) = choices.get(random.below(choices.len().max(1))) else { break };
        game.start = *next;
    }
    Ok(game)
}
