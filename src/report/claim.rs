//! Answers that come back to be checked: what they claim, read from JSON or from a plan as text. Whether it holds is for the
//! puzzle to say.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::notation::shorten;
use crate::outcome::{AnswerField, Certificate, Why};

/// Fields that claim nothing about the board: which game it is, how the answer was found, what that took, why it ended, and how
/// it was checked then. They are not compared with anything, except that `game` must be the game asked about.
pub const NEUTRAL: &[AnswerField] = &[
    AnswerField { name: "game", about: "the game" },
    AnswerField { name: "method", about: "the method that found the answer" },
    AnswerField { name: "verified", about: "whether the program that found it checked it" },
    AnswerField { name: "confirmed", about: "how it did" },
    AnswerField { name: "proved_by", about: "where the proof comes from: the method, a lower bound, or the game's short proof" },
    AnswerField { name: "stats", about: "what the method took" },
    AnswerField { name: "seconds", about: "how long it took" },
    AnswerField { name: "removed", about: "nodes removed from the queue, as a course counts them" },
    AnswerField { name: "limit", about: "the limit that ended the search or the proof" },
];

/// The field that says which kind of answer it is.
pub const VERDICT: &str = "verdict";

/// Fields of one-player answers that claim something.
pub const ONE_PLAYER: &[AnswerField] = &[
    AnswerField { name: "verdict", about: "solved, unsolvable or unknown" },
    AnswerField { name: "moves", about: "a plan" },
    AnswerField { name: "cost", about: "what it costs" },
    AnswerField { name: "optimal", about: "true: no plan costs less; false claims nothing" },
    AnswerField { name: "lower", about: "no plan costs less than this" },
    AnswerField { name: "upper", about: "what the best plan found costs" },
    AnswerField { name: "plans", about: "all plans, if they were asked for" },
    AnswerField {
        name: "why",
        about: "why there is no plan: a certificate, or `exhausted` (its number of `states` is that of the method)",
    },
];

/// Fields of two-player answers that claim something.
pub const TWO_PLAYER: &[AnswerField] = &[
    AnswerField { name: "verdict", about: "solved or unknown" },
    AnswerField { name: "outcome", about: "N if the player to move wins, P if not, D for a draw" },
    AnswerField { name: "winner", about: "1, 2 or null" },
    AnswerField { name: "grundy", about: "the Grundy value, where there is one" },
    AnswerField { name: "length", about: "moves to the end under best play" },
    AnswerField { name: "best", about: "the best moves" },
    AnswerField { name: "all_best", about: "whether these are all of them" },
    AnswerField { name: "positions", about: "positions up to symmetry" },
    AnswerField { name: "boards", about: "positions without symmetry" },
    AnswerField { name: "boards_over", about: "of these, those where the game is over" },
    AnswerField { name: "boards_P", about: "of these, those that the player to move loses" },
    AnswerField { name: "boards_D", about: "of these, those that are drawn" },
    AnswerField { name: "lower", about: "0 where a limit was reached: there are no costs" },
    AnswerField { name: "upper", about: "null where a limit was reached" },
];

/// An answer from outside, to be checked. `said` has the fields that claim something, by name.
#[derive(Clone, Debug)]
pub enum Claim {
    /// Moves as written, and what is said about them.
    Plan { moves: Vec<Value>, said: Map<String, Value> },
    /// There is no plan.
    Unsolvable { why: Why, said: Map<String, Value> },
    /// The result of a two-player game under best play.
    Decided(Map<String, Value>),
    /// That a limit was reached, and perhaps bounds.
    Unknown(Map<String, Value>),
}

impl From<Why> for Claim {
    fn from(why: Why) -> Claim {
        Claim::Unsolvable { why, said: Map::new() }
    }
}

/// The sentences that say who wins, as reports have them.
pub fn winner_sentence(winner: Option<u8>) -> String {
    match winner {
        Some(player) => format!("Player {player} has a winning strategy"),
        None => "the game is a draw under best play".to_owned(),
    }
}

/// The error for an answer to a two-player game without a result.
pub fn needs_outcome(game: &str) -> String {
    let sentence = winner_sentence(Some(1));
    format!(
        "{game} has two players: an answer says who wins, as JSON with `winner` (1, 2 or null) or `outcome` (N, P or D), or as text \
         with the sentence `{sentence}`"
    )
}

/// The output of a course's own programs: the plan on one line, with commas, and its cost.
const COURSE: [&str; 3] = ["Number of removed nodes:", "Path cost:", "Solution:"];

impl Claim {
    /// Reads an answer for a game of one player: a JSON report, or text as in [`Claim::read_for`]. Errors are sentences.
    pub fn read(text: &str, game: &str) -> Result<Claim, String> {
        Claim::read_for(text, game, 1)
    }

    /// Reads an answer as text; lines that begin with `#` are comments. One player: a plan, one move per line, or what a
    /// course prints. Two players: the sentence that says who wins, which may be a comment, and moves that do it.
    fn read_text(text: &str, game: &str, players: u8) -> Result<Claim, String> {
        if text.trim().is_empty() {
            return Err("the answer is empty".to_owned());
        }
        if text.trim_start().starts_with(['[', '"']) {
            return Err("an answer is a JSON object, or a plan with one move per line".to_owned());
        }
        let all = || text.lines().map(str::trim);
        let move_lines = || all().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let value = |text: &str| Value::String(text.to_owned());
        if players == 2 {
            let says = |winner: Option<u8>| all().any(|line| line.contains(&winner_sentence(winner)));
            let mut found = [Some(1), Some(2), None].into_iter().filter(|winner| says(*winner));
            let (Some(winner), None) = (found.next(), found.next()) else { return Err(needs_outcome(game)) };
            let best: Vec<Value> = move_lines().filter(|line| !line.contains(&winner_sentence(winner))).map(value).collect();
            let mut said = Map::from_iter([("winner".to_owned(), winner.into())]);
            if !best.is_empty() {
                said.extend([("best".to_owned(), Value::Array(best)), ("all_best".to_owned(), false.into())]);
            }
            return Ok(Claim::Decided(said));
        }
        let none = |line: &str| line.starts_with('#') && (line.contains(": there is no solution") || line.contains(": not decided"));
        if all().any(|line| none(line) || line.eq_ignore_ascii_case("no solution")) {
            return Err("as text only a plan can be checked; for a proof give the JSON".to_owned());
        }
        let course = |at: usize| all().find_map(|line| line.strip_prefix(COURSE[at])).map(str::trim);
        let Some(plan) = course(2) else {
            return Ok(Claim::Plan { moves: move_lines().map(value).collect(), said: Map::new() });
        };
        if let Some(line) = move_lines().find(|line| COURSE.iter().all(|start| !line.starts_with(start))) {
            return Err(format!("`{}` stands beside a line that begins with `{}`", shorten(line), COURSE[2]));
        }
        let cost = course(1).map(|cost| cost.parse::<u64>().map_err(|_| format!("`{}` is followed by `{}`", COURSE[1], shorten(cost))));
        let said = cost.transpose()?.map(|cost| ("cost".to_owned(), cost.into())).into_iter().collect();
        Ok(Claim::Plan { moves: plan.split(',').map(str::trim).filter(|text| !text.is_empty()).map(value).collect(), said })
    }

    /// Reads an answer for a game with this number of players.
    pub fn read_for(text: &str, game: &str, players: u8) -> Result<Claim, String> {
        if !text.trim_start().starts_with('{') {
            return Claim::read_text(text, game, players);
        }
        let Strict(value) = serde_json::from_str(text).map_err(|error| format!("the answer is broken JSON: {error}"))?;
        if let Some(other) = value["game"].as_str().filter(|other| *other != game) {
            return Err(format!("the answer is for `{}`, not for {game}", shorten(other)));
        }
        let verdict = match &value["verdict"] {
            Value::Null => "solved",
            Value::String(verdict) => verdict.as_str(),
            other => return Err(format!("the answer's `verdict` is {}", shorten(&other.to_string()))),
        };
        let mut said = value.as_object().cloned().unwrap_or_default();
        said.retain(|name, _| name != "verdict" && NEUTRAL.iter().all(|field| field.name != name));
        let foreign: &[&str] = match verdict {
            "solved" => &["why"],
            "unsolvable" => &["moves", "cost", "optimal", "lower", "upper", "plans", "outcome", "winner", "best"],
            _ => &["why", "cost", "optimal", "plans", "outcome", "winner", "best", "grundy"],
        };
        if let Some(name) = foreign.iter().find(|name| said.contains_key(**name)) {
            return Err(format!("`{name}` does not go with the verdict `{}`", shorten(verdict)));
        }
        let moves = |said: &mut Map<String, Value>| match said.remove("moves") {
            None => Ok(None),
            Some(Value::Array(moves)) => Ok(Some(moves)),
            Some(other) => Err(format!("the answer's `moves` is {}, not a list", shorten(&other.to_string()))),
        };
        match verdict {
            "solved" if said.contains_key("outcome") || said.contains_key("winner") => Ok(Claim::Decided(said)),
            "solved" | "unsolvable" if players == 2 => Err(needs_outcome(game)),
            "solved" => {
                let moves = moves(&mut said)?.ok_or("the answer has no list `moves`")?;
                Ok(Claim::Plan { moves, said })
            }
            "unsolvable" => {
                let why = said.remove("why");
                let mut why = why.as_ref().and_then(Value::as_object).ok_or("the answer says unsolvable but has no `why`")?.clone();
                let kind = why.remove("kind");
                let kind = kind.as_ref().and_then(Value::as_str).ok_or("the answer's `why` has no `kind`")?.to_owned();
                if kind == "exhausted" {
                    let states =
                        why.remove("states").and_then(|states| states.as_u64()).ok_or("`exhausted` needs the number of `states`")?;
                    if let Some(name) = why.keys().next() {
                        return Err(format!("`{}` is no field of `exhausted`", shorten(name)));
                    }
                    return Ok(Claim::Unsolvable { why: Why::Exhausted { states }, said });
                }
                let claim = match why.remove("claim") {
                    None => String::new(),
                    Some(Value::String(claim)) => claim,
                    Some(other) => return Err(format!("the certificate's `claim` is {}, not a text", shorten(&other.to_string()))),
                };
                Ok(Claim::Unsolvable { why: Why::Certificate(Certificate { kind, claim, data: why }), said })
            }
            "unknown" => Ok(match moves(&mut said)? {
                Some(moves) => {
                    // A plan was found, and yet the answer does not call the board solved.
                    said.insert(VERDICT.to_owned(), Value::String(verdict.to_owned()));
                    Claim::Plan { moves, said }
                }
                None => Claim::Unknown(said),
            }),
            other => Err(format!("the answer's verdict `{}` is none of solved, unsolvable, unknown", shorten(other))),
        }
    }

    /// The fields that claim something.
    pub fn said(&self) -> &Map<String, Value> {
        match self {
            Claim::Plan { said, .. } | Claim::Unsolvable { said, .. } | Claim::Decided(said) | Claim::Unknown(said) => said,
        }
    }
}

/// JSON in which no key is there twice: which one counts is for every reader to choose.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Strict, D::Error> {
        from.deserialize_any(StrictVisitor).map(Strict)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((name, Strict(value))) = members.next_entry::<String, Strict>()? {
            if map.contains_key(&name) {
                return Err(serde::de::Error::custom(format!("the key `{}` is there twice", shorten(&name))));
            }
            map.insert(name, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn claims_are_read_or_refused_with_a_sentence() {
        assert!(matches!(Claim::read("# x\n a b \n\nc", "x").unwrap(), Claim::Plan { moves, .. } if moves == [json!("a b"), json!("c")]));
        assert!(matches!(Claim::read("{\"verdict\":\"unknown\"}", "x").unwrap(), Claim::Unknown(_)));
        let decided = Claim::read("{\"winner\":null,\"stats\":{},\"length\":9}", "x").unwrap();
        assert!(matches!(decided, Claim::Decided(said) if said.keys().eq(["winner", "length"])));
        for (text, message) in [
            ("{", "broken JSON"),
            ("{}", "no list `moves`"),
            ("{\"verdict\":3}", "`verdict` is 3"),
            ("{\"game\":\"y\",\"moves\":[]}", "for `y`"),
            ("# x: there is no solution", "give the JSON"),
            ("{\"verdict\":\"maybe\"}", "none of"),
            ("{\"moves\":3}", "not a list"),
            ("{\"moves\":[],\"cost\":1,\"cost\":2}", "the key `cost` is there twice"),
            ("{\"moves\":[],\"why\":7}", "`why` does not go with the verdict `solved`"),
            ("{\"verdict\":\"unsolvable\",\"cost\":1,\"why\":{}}", "`cost` does not go with the verdict `unsolvable`"),
            ("{\"verdict\":\"unknown\",\"winner\":2}", "`winner` does not go with the verdict `unknown`"),
            ("{\"verdict\":\"unsolvable\",\"why\":{\"kind\":\"exhausted\",\"states\":5,\"x\":1}}", "`x` is no field of `exhausted`"),
            (" ", "is empty"),
            ("[]", "a JSON object"),
            ("{\"verdict\":\"unsolvable\"}", "no `why`"),
            ("{\"verdict\":\"unsolvable\",\"why\":{}}", "no `kind`"),
            ("{\"verdict\":\"unsolvable\",\"why\":{\"kind\":\"exhausted\"}}", "`states`"),
        ] {
            let error = Claim::read(text, "x").unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
