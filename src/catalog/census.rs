//! Many boards of a two-player game, one to a line: who wins on each, as rows of a table.

use std::sync::Arc;

use crate::gamegraph::decider::{Decider, Grundy};
use crate::limits::Limits;
use crate::notation::{Input, Notation, OptionSpec, Options, ReadError};
use crate::rules::{Game, Score};
use crate::tools::Line;

/// A game's census, as the registry has it.
pub struct Survey {
    /// What the lines of the input hold.
    pub lines: &'static str,
    /// The game's own columns, before and after those about the outcome.
    before: &'static [(&'static str, &'static str)],
    after: &'static [(&'static str, &'static str)],
    /// The game's own options; [`OPTIONS`] are there for every game.
    pub options: &'static [OptionSpec],
    /// The fields of one line's row; `None` if the line holds no board.
    pub row: fn(&Input<'_>) -> Result<Option<Vec<String>>, ReadError>,
}

/// Options of every census.
pub const OPTIONS: &[OptionSpec] =
    &[OptionSpec { name: "winner", about: "only the winner, not the Grundy value: quicker on larger boards", default: "no" }];

const OUTCOME: [(&str, &str); 3] = [
    ("winner", "1 or 2; empty if it is a draw"),
    ("outcome", "N, P or D"),
    ("grundy", "the Grundy value, where there is one and it was asked for"),
];
const POSITIONS: (&str, &str) = ("positions", "that the search looked at, after all reductions");

impl Survey {
    /// Every column: its name and what it holds.
    pub fn columns(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.before.iter().copied().chain(OUTCOME).chain(self.after.iter().copied()).chain([POSITIONS])
    }
}

pub(super) const fn survey<G: Game + Notation>() -> Option<Survey> {
    match &G::CENSUS {
        None => None,
        Some(census) => {
            Some(Survey { lines: census.lines, before: census.before, after: census.after, options: census.options, row: row::<G> })
        }
    }
}

fn asked(options: &Options, name: &str) -> bool {
    options.get(name).is_some_and(|value| value != "no")
}

fn row<G: Game + Notation>(input: &Input<'_>) -> Result<Option<Vec<String>>, ReadError> {
    let Some(census) = &G::CENSUS else { return Ok(None) };
    let Some(Line { fields: mut row, board }) = (census.read)(input)? else { return Ok(None) };
    let Some(game) = board else {
        row.resize(row.len() + OUTCOME.len() + census.after.len() + 1, String::new());
        return Ok(Some(row));
    };
    let game = Arc::new(game);
    let only_winner = asked(input.options, "winner");
    let (score, grundy, positions) = decide(&game, only_winner || !game.impartial(), input.limits);
    let winner = match score {
        Some(Score::Win) => "1",
        Some(Score::Loss) => "2",
        Some(Score::Draw) | None => "",
    };
    row.extend([
        winner.to_owned(),
        score.map(|score| score.outcome().to_owned()).unwrap_or_default(),
        grundy.map(|grundy| grundy.to_string()).unwrap_or_default(),
    ]);
    row.extend(if only_winner { vec![String::new(); census.after.len()] } else { (census.rest)(&game, input.limits) });
    row.push(positions.to_string());
    Ok(Some(row))
}

/// How the player to move fares, with which Grundy value, and how many positions finding out took.
fn decide<G: Game>(game: &Arc<G>, only_winner: bool, limits: &Limits) -> (Option<Score>, Option<Grundy>, u64) {
    if only_winner {
        let mut decider: Decider<G, Score> = Decider::new(Arc::clone(game));
        return (decider.value(&game.start(), limits).ok(), None, decider.stats().expanded);
    }
    let mut decider: Decider<G, Grundy> = Decider::new(Arc::clone(game));
    let grundy = decider.value(&game.start(), limits).ok();
    let score = grundy.map(|grundy| if grundy == 0 { Score::Loss } else { Score::Win });
    (score, grundy, decider.stats().expanded)
}
