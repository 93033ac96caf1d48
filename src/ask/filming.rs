//! The question `film`: a plan as an HTML document that shows it step by step.

use serde::Deserialize;
use serde_json::{Value, json};

use super::board::{BoardRequest, Replayed};
use super::{Asked, Kind, Refusal, Reply};
use crate::catalog::{Choice, Entry};
use crate::film::{Film, FilmError};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FilmRequest {
    /// The board that the film starts from.
    #[serde(flatten)]
    board: BoardRequest,
    /// The moves to show; by default, those of a best plan or of best play.
    plan: Option<Vec<Value>>,
}

pub fn film(entry: &'static Entry, asked: &Asked) -> Reply {
    let FilmRequest { board, plan } = asked.read()?;
    let Replayed { here, .. } = board.read(entry, asked.limits)?;
    let film = match plan {
        Some(plan) => Film::of(&*here, &plan, asked.limits),
        None => Film::best(&*here, &Choice::default(), asked.limits),
    };
    Ok(json!({"html": film?.html()}))
}

impl From<FilmError> for Refusal {
    fn from(error: FilmError) -> Refusal {
        let message = error.to_string();
        match error {
            FilmError::Solve(error) => error.into(),
            FilmError::Move(error) => error.into(),
            FilmError::Limit(limit) => limit.into(),
            FilmError::Unsolvable => Refusal::board(message, "`solve` explains why; pass a `plan` to show other moves"),
            FilmError::TooLarge => Refusal::new(Kind::TooLarge, message, "use a smaller board, or show part of the plan"),
        }
    }
}
