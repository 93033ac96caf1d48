//! Answers that come back to be checked: what they claim, read from JSON or from a plan as text. Whether it holds is for the
//! puzzle to say.

use serde_json::{Map, Value};

use crate::notation::shorten;
use crate::outcome::{Certificate, Why};

/// Fields of a two-player answer that claim nothing about the game, or were looked at when the answer was read: how it was
/// found, what that took, and how it was checked then.
const NEUTRAL: &[&str] = &["game", "verdict", "method", "stats", "seconds", "verified", "confirmed"];

/// An answer that somebody claims, to be checked.
#[derive(Clone, Debug)]
pub enum Claim {
    /// Moves as written; the cost and its optimality may be claimed with them.
    Plan {
        moves: Vec<Value>,
        cost: Option<u64>,
        optimal: bool,
        /// Whatever else the answer says.
        said: Map<String, Value>,
    },
    Unsolvable(Why),
    /// How a two-player game ends under best play: every field of the answer that claims something, by name.
    Decided(Map<String, Value>),
    /// Only that a limit was reached.
    Unknown,
}

impl Claim {
    /// Reads an answer for a game: a JSON report, or a plan as plain lines with `#` comments. Errors are sentences.
    pub fn read(text: &str, game: &str) -> Result<Claim, String> {
        if !text.trim_start().starts_with('{') {
            if text.lines().any(|line| line.starts_with('#') && (line.contains(": there is no solution") || line.contains(": not decided")))
            {
                return Err("as text only a plan can be checked; for a proof give the JSON".to_owned());
            }
            if text.trim().is_empty() {
                return Err("the answer is empty".to_owned());
            }
            if text.trim_start().starts_with(['[', '"']) {
                return Err("an answer is a JSON object, or a plan with one move per line".to_owned());
            }
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            let moves = lines.map(|line| Value::String(line.to_owned())).collect();
            return Ok(Claim::Plan { moves, cost: None, optimal: false, said: Map::new() });
        }
        let value: Value = serde_json::from_str(text).map_err(|error| format!("the answer is broken JSON: {error}"))?;
        if let Some(other) = value["game"].as_str().filter(|other| *other != game) {
            return Err(format!("the answer is for `{}`, not for {game}", shorten(other)));
        }
        let verdict = match &value["verdict"] {
            Value::Null => "solved",
            Value::String(verdict) => verdict.as_str(),
            other => return Err(format!("the answer's `verdict` is {}", shorten(&other.to_string()))),
        };
        match verdict {
            "solved" if value.get("outcome").or(value.get("winner")).is_some() => {
                let mut said = value.as_object().cloned().unwrap_or_default();
                said.retain(|name, _| !NEUTRAL.contains(&name.as_str()));
                Ok(Claim::Decided(said))
            }
            "solved" => {
                let moves = value["moves"].as_array().ok_or("the answer has no list `moves`")?.clone();
                let cost = match &value["cost"] {
                    Value::Null => None,
                    cost => Some(cost.as_u64().ok_or("the answer's `cost` is not a whole number")?),
                };
                let optimal = match &value["optimal"] {
                    Value::Null => false,
                    optimal => optimal.as_bool().ok_or("the answer's `optimal` is neither true nor false")?,
                };
                Ok(Claim::Plan { moves, cost, optimal, said: value.as_object().cloned().unwrap_or_default() })
            }
            "unsolvable" => {
                let mut why = value["why"].as_object().ok_or("the answer says unsolvable but has no `why`")?.clone();
                let kind = why.remove("kind");
                let kind = kind.as_ref().and_then(Value::as_str).ok_or("the answer's `why` has no `kind`")?.to_owned();
                if kind == "exhausted" {
                    let states = why.get("states").and_then(Value::as_u64).ok_or("`exhausted` needs the number of `states`")?;
                    return Ok(Claim::Unsolvable(Why::Exhausted { states }));
                }
                let claim = why.remove("claim").as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
                Ok(Claim::Unsolvable(Why::Certificate(Certificate { kind, claim, data: why })))
            }
            "unknown" => match value["moves"].as_array() {
                Some(moves) => {
                    let said = value.as_object().cloned().unwrap_or_default();
                    Ok(Claim::Plan { moves: moves.clone(), cost: value["upper"].as_u64(), optimal: false, said })
                }
                None => Ok(Claim::Unknown),
            },
            other => Err(format!("the answer's verdict `{}` is none of solved, unsolvable, unknown", shorten(other))),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn claims_are_read_or_refused_with_a_sentence() {
        assert!(matches!(Claim::read("# x\n a b \n\nc", "x").unwrap(), Claim::Plan { moves, .. } if moves == [json!("a b"), json!("c")]));
        assert!(matches!(Claim::read("{\"verdict\":\"unknown\"}", "x").unwrap(), Claim::Unknown));
        let decided = Claim::read("{\"winner\":null,\"stats\":{},\"length\":9}", "x").unwrap();
        assert!(matches!(decided, Claim::Decided(said) if said.keys().eq(["winner", "length"])));
        for (text, message) in [
            ("{", "broken JSON"),
            ("{}", "no list `moves`"),
            ("{\"verdict\":3}", "`verdict` is 3"),
            ("{\"game\":\"y\",\"moves\":[]}", "for `y`"),
            ("# x: there is no solution", "give the JSON"),
            ("{\"verdict\":\"maybe\"}", "none of"),
            ("{\"moves\":[],\"cost\":-1}", "not a whole number"),
            ("{\"moves\":[],\"optimal\":\"yes\"}", "neither true nor false"),
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
