//! The move of an opponent in a two-player game.

use serde::Deserialize;
use serde_json::{Value, json};

use super::board::{BoardRequest, Replayed};
use super::solving::{accepted, check_seconds};
use super::{Asked, Refusal, Reply};
use crate::catalog::Entry;
use crate::gamegraph::opponent::Opponent;
use crate::notation::shorten;
use crate::rules::Score;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplyRequest {
    #[serde(flatten)]
    board: BoardRequest,
    /// The opponent: `perfect`, `random`, or the number of moves to look ahead.
    opponent: Option<Value>,
    #[serde(default)]
    seed: u64,
    /// The time limit. The caller applies it, because the library has no clock.
    seconds: Option<f64>,
}

pub fn reply(entry: &'static Entry, asked: &Asked) -> Reply {
    let ReplyRequest { board, opponent, seed, seconds } = asked.read()?;
    check_seconds(seconds)?;
    let opponent: Opponent = match opponent {
        None => Opponent::default(),
        Some(given) => {
            let text = given.as_str().map_or_else(|| given.to_string(), str::to_owned);
            let wrong = |expected: String| Refusal::board(format!("unknown opponent `{}`", shorten(&text)), expected);
            text.parse().map_err(wrong)?
        }
    };
    let Replayed { here, .. } = board.read(entry, asked.limits)?;
    let Some(duel) = here.duel() else {
        return Err(Refusal::board(format!("{} has one player, so there is no opponent", entry.name), "`solve` finds the next move"));
    };
    let limits = accepted(asked, asked.limits.clone());
    let reply = duel.reply(opponent, seed, &limits)?;
    let score = reply.as_ref().map_or_else(|| duel.end(), |reply| reply.score);
    let winner = score.and_then(|score| match score {
        Score::Win => Some(duel.turn()),
        Score::Draw => None,
        Score::Loss => Some(3 - duel.turn()),
    });
    // Like the length in a report, this is the number of moves from here to the end.
    let length = reply.as_ref().map_or(Some(0), |reply| reply.length.map(|length| u32::from(length) + 1));
    let mv = reply.map(|reply| reply.mv.text);
    Ok(json!({"move": mv, "outcome": score.map(Score::outcome), "winner": winner, "length": length}))
}
