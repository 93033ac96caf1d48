//! Boards of measured difficulty, and daily boards.

use serde::Deserialize;
use serde_json::json;

use super::{Asked, Refusal, Reply};
use crate::catalog::Entry;
use crate::level::daily::{self, Date};
use crate::level::{self, LEVELS, Level};
use crate::sheet::SheetError;

/// The requested board: a level and a seed, or a date.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelRequest {
    level: Option<String>,
    seed: Option<u64>,
    daily: Option<String>,
}

pub fn level(entry: &'static Entry, asked: &Asked) -> Reply {
    let request: LevelRequest = asked.read()?;
    let (level, seed, date) = match (&request.level, request.seed, &request.daily) {
        (None, None, Some(date)) => {
            let date: Date = date.parse().map_err(|message: String| Refusal::board(message, daily::HELP))?;
            (date.level(), date.seed(entry.name), Some(date))
        }
        (Some(level), seed, None) => {
            let level: Level = level
                .parse()
                .map_err(|message: String| Refusal::board(message, format!("the levels are {}", LEVELS.map(Level::name).join(", "))))?;
            (level, seed.unwrap_or(0), None)
        }
        _ => return Err(Refusal::body("pass either a `level` with a `seed`, or a date as `daily`")),
    };
    let made = level::make(entry, level, seed, asked.limits)?;
    Ok(json!({
        "instance": made.instance, "level": level.name(), "seed": seed, "daily": date.map(|date| date.to_string()),
        "difficulty": made.difficulty.json(),
    }))
}

impl From<SheetError> for Refusal {
    fn from(error: SheetError) -> Refusal {
        match error {
            SheetError::Read(error) => error.into(),
            SheetError::Solve(error) => error.into(),
            SheetError::Request(error) => error.into(),
            SheetError::Short(shortage) => Refusal::board(shortage.to_string(), "try another seed or level"),
        }
    }
}
