//! Censuses: many boards of a game, one per input line, become rows of a table. In two-player games, the rows contain the winner, the
//! winning moves and the length of play.

use std::sync::Arc;

use crate::gamegraph::decider::{Decider, Grundy, Value};
use crate::gamegraph::labels;
use crate::gamegraph::sum::Adder;
use crate::limits::Limits;
use crate::notation::tools::CensusLine;
use crate::notation::{Input, Notation, OptionSpec, ReadError};
use crate::outcome::Worth;
use crate::rules::{Game, Score};

/// A game's census, as the registry stores it.
#[derive(Clone)]
pub struct Survey {
    /// The contents of an input line, in a few words.
    pub lines: &'static str,
    columns: [Columns; 4],
    options: [&'static [OptionSpec]; 2],
    pub row: RowFn,
}

/// The names of columns, with descriptions of their contents.
type Columns = &'static [(&'static str, &'static str)];

/// Computes the fields of one line's row; `None` if the line contains no board.
pub type RowFn = fn(&Input<'_>) -> Result<Option<Vec<String>>, ReadError>;

/// Census options of two-player games.
const OPTIONS: &[OptionSpec] =
    &[OptionSpec { name: "winner", about: "only the winner, not the Grundy value: faster on larger boards", default: "no" }];

const OUTCOME: Columns = &[
    ("winner", "1 or 2; empty for a draw"),
    ("outcome", "N, P or D"),
    ("grundy", "the Grundy value, if the game has one and `winner` is not set"),
];
const LAST: Columns = &[
    (POSITIONS, "number of positions searched, after all reductions"),
    ("length", "number of moves to the end when the winner hurries and the loser delays; empty if over 100,000 positions are reachable"),
    ("first", "the winning first moves"),
];
/// The number of positions searched. It may differ between versions of the program.
pub const POSITIONS: &str = "positions";
/// Maximum number of positions for which the length of play is computed.
const LENGTH_NODES: u64 = 100_000;

impl Survey {
    /// Every column, with its name and description.
    pub fn columns(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.columns.into_iter().flatten().copied()
    }

    pub fn options(&self) -> impl Iterator<Item = &'static OptionSpec> {
        self.options.into_iter().flatten()
    }
}

pub(super) const fn one_player<R: Notation>() -> Option<Survey> {
    survey::<R>([&[]; 2], &[], plain_row::<R>)
}

pub(super) const fn two_player<G: Game + Notation>() -> Option<Survey> {
    survey::<G>([OUTCOME, LAST], OPTIONS, row::<G>)
}

/// Places the game's own columns before and after those for the outcome.
const fn survey<R: Notation>([outcome, last]: [Columns; 2], common: &'static [OptionSpec], row: RowFn) -> Option<Survey> {
    match &R::INFO.census {
        None => None,
        Some(census) => {
            let (columns, options) = ([census.before, outcome, census.after, last], [census.options, common]);
            Some(Survey { lines: census.lines, columns, options, row })
        }
    }
}

fn plain_row<R: Notation>(input: &Input<'_>) -> Result<Option<Vec<String>>, ReadError> {
    let Some(census) = &R::INFO.census else { return Ok(None) };
    let Some(CensusLine { fields: mut row, board }) = (census.read)(input)? else { return Ok(None) };
    row.extend(match board {
        Some(board) => (census.rest)(&board, input.limits),
        None => vec![String::new(); census.after.len()],
    });
    Ok(Some(row))
}

fn row<G: Game + Notation>(input: &Input<'_>) -> Result<Option<Vec<String>>, ReadError> {
    let Some(census) = &G::INFO.census else { return Ok(None) };
    let Some(CensusLine { fields: mut row, board }) = (census.read)(input)? else { return Ok(None) };
    let Some(game) = board else {
        row.resize(row.len() + OUTCOME.len() + census.after.len() + LAST.len(), String::new());
        return Ok(Some(row));
    };
    let game = Arc::new(game);
    let only_winner = input.options.get("winner").is_some_and(|value| value != "no");
    let Decided { score, grundy, positions, first } = decide(&game, only_winner, input.limits);
    let winner = match score {
        Some(Score::Win) => "1",
        Some(Score::Loss) => "2",
        Some(Score::Draw) | None => "",
    };
    row.extend([winner.to_owned(), score.map_or("", Score::outcome).to_owned(), text(grundy)]);
    row.extend(if only_winner { vec![String::new(); census.after.len()] } else { (census.rest)(&game, input.limits) });
    let few = input.limits.with_nodes(input.limits.nodes.min(LENGTH_NODES));
    let labeled = if only_winner || score.is_none() { None } else { labels::label(&game, &game.start(), true, &few).ok() };
    let worth = labeled.as_ref().map(|labeled| labeled.worth(&game.start()));
    // The two methods share no code. A difference is a bug in this library and must not enter a table.
    assert!(worth.is_none_or(|worth| Some(worth.score) == score), "two methods disagree on the winner of board `{}`", input.text);
    row.extend([positions.to_string(), text(worth.and_then(Worth::moves)), first.unwrap_or_default()]);
    Ok(Some(row))
}

fn text(number: Option<u16>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

/// The result for the player to move.
struct Decided {
    score: Option<Score>,
    grundy: Option<Grundy>,
    /// The number of positions searched.
    positions: u64,
    /// The winning moves, if all moves were examined.
    first: Option<String>,
}

fn decide<G: Game + Notation>(game: &Arc<G>, only_winner: bool, limits: &Limits) -> Decided {
    let start = game.start();
    let mut moves = Vec::new();
    if game.terminal(&start).is_none() {
        game.moves(&start, &mut moves);
    }
    let written = |wins: Vec<bool>| {
        let wins = moves.iter().zip(wins).filter(|(_, wins)| *wins);
        wins.map(|(mv, _)| game.write_move(&start, mv)).collect::<Vec<_>>().join(" ")
    };
    let decided = |score, grundy, positions, wins: Option<Vec<bool>>| Decided { score, grundy, positions, first: wins.map(written) };
    if game.repeats() {
        let Ok(labels) = labels::label(game, &start, true, limits) else { return decided(None, None, 0, None) };
        let lost = |mv| labels.worth(&game.apply(&start, mv)).score == Score::Loss;
        let wins = (!only_winner).then(|| moves.iter().map(lost).collect());
        return decided(Some(labels.worth(&start).score), None, labels.total(), wins);
    }
    let of_value = |value: Grundy| if value == 0 { Score::Loss } else { Score::Win };
    if G::PARTS.is_some()
        && let Some(mut sum) = Adder::new(game)
    {
        let grundy = if only_winner { None } else { sum.value(&start, limits, &mut ()).ok() };
        let score = match grundy {
            None if only_winner => sum.is_lost(&start, limits, &mut ()).ok().map(|is_lost| if is_lost { Score::Loss } else { Score::Win }),
            grundy => grundy.map(of_value),
        };
        let positions = sum.stats().expanded;
        let wins = |mv| sum.is_lost(&game.apply(&start, mv), limits, &mut ()).ok();
        return decided(score, grundy, positions, grundy.and_then(|_| moves.iter().map(wins).collect()));
    }
    if only_winner || !game.impartial() {
        let (score, positions, wins) = judge(game, Score::Loss, !only_winner, &moves, limits);
        return decided(score, None, positions, wins);
    }
    let (grundy, positions, wins) = judge::<G, Grundy>(game, 0, true, &moves, limits);
    decided(grundy.map(of_value), grundy, positions, wins)
}

/// Returns the value of the start, the number of positions searched and, if `all` is set, whether each move leads to a lost position
/// and therefore wins.
fn judge<G: Game, V: Value>(game: &Arc<G>, lost: V, all: bool, moves: &[G::Move], limits: &Limits) -> (Option<V>, u64, Option<Vec<bool>>) {
    let (start, mut decider) = (game.start(), Decider::<G, V>::new(Arc::clone(game)));
    let value = decider.value(&start, limits).ok();
    let positions = decider.stats().expanded;
    let wins = |mv| Some(decider.value(&game.apply(&start, mv), limits).ok()? == lost);
    let wins = if all && value.is_some() { moves.iter().map(wins).collect() } else { None };
    (value, positions, wins)
}
