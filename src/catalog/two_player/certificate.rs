//! Strategy files. They prove who wins, or that the game is a draw, and any program that knows the rules can check them.
//!
//! ```text
//! {"strategy":1,"game":"edge","board":"P4\n","data":{…},"outcome":"N","positions":7,"checksum":"9c3f0a11"}
//! player 1
//! 0 1 2 3 | 1-1 1-2 2-2 | 0 = 1:1
//! …
//! ```
//!
//! The first line is a JSON object. The strategy of a player follows: a line for every position in which that player moves, with the
//! move after ` = `. These lines are sorted. Player 1 is the player to move on the board. Positions and moves are written by
//! [`Game::OUTLINE`](crate::rules::Game::OUTLINE). With this strategy the player wins. The file for a draw has two strategies, one for
//! each player, with which that player does not lose. The checksum is the CRC-32 of all lines after the first.
//!
//! If positions can repeat, the lines of a win are `position = move @ length` and the version is 2. The length is the maximum number of
//! moves to the end if the player follows the strategy. It shows that play ends.

use serde_json::{Map, Value, json};

use crate::bits::crc::crc32;
use crate::notation::shorten;
use crate::rules::Score;
use crate::sort;
use crate::verify::Strategy;

/// The version of the format without lengths, and that with lengths.
const VERSIONS: [u64; 2] = [1, 2];

/// The error if a certificate is not confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CertificateError {
    /// The file is damaged, or not a certificate.
    Unreadable(String),
    /// The certificate is wrong, or is for another board.
    Wrong(String),
    /// A limit was hit before the check was complete.
    Stopped(crate::limits::Limit),
}

/// True if `text` looks like a strategy certificate. [`Duel::check`](super::Duel::check) checks the rest.
pub fn is_certificate(text: &str) -> bool {
    text.trim_start().starts_with("{\"strategy\"")
}

/// The contents of a certificate file.
pub(super) struct File {
    pub game: String,
    pub board: String,
    pub data: Map<String, Value>,
    pub score: Score,
    pub strategies: Vec<Strategy>,
}

/// The players whose strategies prove a score, and the score that each of them reaches.
pub(super) fn sides(score: Score) -> &'static [(u8, Score)] {
    match score {
        Score::Win => &[(1, Score::Win)],
        Score::Loss => &[(2, Score::Win)],
        Score::Draw => &[(1, Score::Draw), (2, Score::Draw)],
    }
}

impl File {
    pub fn write(&self) -> String {
        let mut body = String::new();
        for strategy in &self.strategies {
            body.push_str(&format!("player {}\n", strategy.player));
            let mut lines: Vec<(&String, &String)> = strategy.moves.iter().collect();
            sort::ascending(&mut lines);
            for (text, name) in lines {
                body.extend([text, " = ", name]);
                if let Some(length) = strategy.lengths.get(text) {
                    body.push_str(&format!(" @ {length}"));
                }
                body.push('\n');
            }
        }
        let with_lengths = self.strategies.iter().any(|strategy| !strategy.lengths.is_empty());
        let positions: usize = self.strategies.iter().map(|strategy| strategy.moves.len()).sum();
        let version = VERSIONS[usize::from(with_lengths)];
        let header = json!({
            "strategy": version, "game": self.game, "board": self.board, "data": self.data, "outcome": self.score.outcome(),
            "positions": positions, "checksum": format!("{:08x}", crc32(body.as_bytes())),
        });
        format!("{header}\n{body}")
    }

    /// Reads a file and checks its format and its checksum, but not the strategy.
    pub fn read(text: &str) -> Result<File, String> {
        let (first, body) = text.split_once('\n').ok_or("the certificate is cut off in its first line")?;
        let header: Map<String, Value> =
            serde_json::from_str(first).map_err(|error| format!("the first line of the certificate is not a JSON object: {error}"))?;
        let known = ["strategy", "game", "board", "data", "outcome", "positions", "checksum"];
        if let Some(name) = header.keys().find(|name| !known.contains(&name.as_str())) {
            return Err(format!("the first line has an unknown field `{}`", shorten(name)));
        }
        let field = |name: &str| header.get(name).ok_or_else(|| format!("the first line has no `{name}`"));
        let string = |name: &str| field(name)?.as_str().map(str::to_owned).ok_or_else(|| format!("`{name}` is not a string"));
        let number = |name: &str| field(name)?.as_u64().ok_or_else(|| format!("`{name}` is not a whole number"));
        let [plain, with_lengths] = VERSIONS;
        let version = number("strategy")?;
        if !VERSIONS.contains(&version) {
            return Err(format!("this is version {version} of the format; this program reads versions {plain} and {with_lengths}"));
        }
        let data = field("data")?.as_object().cloned().ok_or("`data` is not an object")?;
        let outcome = string("outcome")?;
        let score = [Score::Loss, Score::Draw, Score::Win].into_iter().find(|score| score.outcome() == outcome);
        let score = score.ok_or_else(|| format!("`outcome` is `{}`, but must be N, P or D", shorten(&outcome)))?;
        if string("checksum")? != format!("{:08x}", crc32(body.as_bytes())) {
            return Err("the checksum is wrong: the certificate was modified or is incomplete".to_owned());
        }
        let mut strategies: Vec<Strategy> = Vec::new();
        for (at, line) in body.lines().enumerate() {
            let fault = |what: &str| format!("line {} of the certificate {what}: `{}`", at + 2, shorten(line));
            if let Some(player) = line.strip_prefix("player ") {
                let Some(&(player, score)) = sides(score).get(strategies.len()).filter(|side| side.0.to_string() == player) else {
                    return Err(fault("names a player out of place"));
                };
                strategies.push(Strategy { player, score, moves: Default::default(), lengths: Default::default() });
                continue;
            }
            let (text, name) = line.split_once(" = ").ok_or_else(|| fault("is not a position and a move"))?;
            let strategy = strategies.last_mut().ok_or_else(|| fault("precedes the first player"))?;
            let name = if version == with_lengths {
                let listed = name.rsplit_once(" @ ").and_then(|(name, length)| Some((name, length.parse().ok()?)));
                let (name, length) = listed.ok_or_else(|| fault("does not end with a length"))?;
                strategy.lengths.insert(text.to_owned(), length);
                name
            } else {
                name
            };
            if strategy.moves.insert(text.to_owned(), name.to_owned()).is_some() {
                return Err(fault("repeats a position"));
            }
        }
        if strategies.len() != sides(score).len() {
            return Err(format!("the outcome {outcome} needs {} strategies, but there are {}", sides(score).len(), strategies.len()));
        }
        let positions: usize = strategies.iter().map(|strategy| strategy.moves.len()).sum();
        if number("positions")? != positions as u64 {
            return Err(format!("`positions` is {}, but {positions} are listed", field("positions")?));
        }
        Ok(File { game: string("game")?, board: string("board")?, data, score, strategies })
    }
}
