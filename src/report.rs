//! The report of a solver's answer, as text and as JSON, and the reading of answers that come back to be checked.
//! Only this file knows the JSON of reports.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::limits::Limit;
use crate::notation::bitmap::{PictureAnswer, PictureVerdict};
use crate::notation::shorten;
use crate::outcome::{Certificate, Stats, Why};
use crate::rules::Cost;

/// An answer, checked and written in the game's own words.
#[derive(Clone, Debug)]
pub struct Report {
    pub game: &'static str,
    /// Which method found it, as `--method` takes it.
    pub method: String,
    pub answer: Answer,
    /// The plan was replayed, or the reason was checked.
    pub verified: bool,
    pub stats: Stats,
    /// What only this game reports.
    pub facts: Map<String, Value>,
    /// All plans, where that was asked for.
    pub all: Option<Vec<Vec<Written>>>,
}

#[derive(Clone, Debug)]
pub enum Answer {
    Solved { cost: Cost, optimal: bool, lower: Cost, moves: Vec<Written> },
    Unsolvable { why: Why },
    Decided(Decided),
    Unknown { limit: Limit, lower: Cost, upper: Option<Cost>, moves: Vec<Written> },
}

/// Who wins a two-player game.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// 1 or 2: player 1 is the one to move at the start of the instance.
    pub winner: u8,
    /// Does the player to move win? Then the position is called N, else P.
    pub wins: bool,
    /// Unknown if only the winner was asked for, or if the game has no such values.
    pub grundy: Option<u16>,
    /// Moves to the end under best play, where that was found out.
    pub length: Option<u16>,
    /// The winning moves.
    pub best: Vec<Written>,
    /// Are these all of them?
    pub all_best: bool,
}

impl Decided {
    /// `N` or `P`.
    pub fn outcome(&self) -> &'static str {
        if self.wins { "N" } else { "P" }
    }
}

/// A move in both its forms.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    pub text: String,
    pub json: Value,
}

impl Report {
    pub fn verdict(&self) -> &'static str {
        match self.answer {
            Answer::Solved { .. } | Answer::Decided(_) => "solved",
            Answer::Unsolvable { .. } => "unsolvable",
            Answer::Unknown { .. } => "unknown",
        }
    }

    /// The report as one JSON object. The library has no clock, so the caller says how long it took.
    pub fn json(&self, seconds: f64) -> Value {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
        put("game", json!(self.game));
        put("method", json!(self.method));
        put("verdict", json!(self.verdict()));
        put("verified", json!(self.verified));
        match &self.answer {
            Answer::Solved { cost, optimal, lower, moves } => {
                put("cost", json!(cost));
                put("optimal", json!(optimal));
                put("lower", json!(lower));
                put("moves", moves.iter().map(|mv| mv.json.clone()).collect());
            }
            Answer::Unsolvable { why: Why::Exhausted { states } } => {
                put("why", json!({"kind": "exhausted", "states": states}));
            }
            Answer::Unsolvable { why: Why::Certificate(certificate) } => {
                let mut why =
                    Map::from_iter([("kind".to_owned(), json!(certificate.kind)), ("claim".to_owned(), json!(certificate.claim))]);
                why.extend(certificate.data.clone());
                put("why", Value::Object(why));
            }
            Answer::Decided(decided) => {
                put("winner", json!(decided.winner));
                put("outcome", json!(decided.outcome()));
                put("grundy", json!(decided.grundy));
                put("best", decided.best.iter().map(|mv| mv.json.clone()).collect());
                put("all_best", json!(decided.all_best));
                if let Some(length) = decided.length {
                    put("length", json!(length));
                }
            }
            Answer::Unknown { limit, lower, upper, moves } => {
                put("limit", json!(limit.name()));
                put("lower", json!(lower));
                put("upper", json!(upper));
                if upper.is_some() {
                    put("moves", moves.iter().map(|mv| mv.json.clone()).collect());
                }
            }
        }
        let Stats { expanded, generated, reopened, stored, peak_bytes } = self.stats;
        let stats = json!({
            "expanded": expanded, "generated": generated, "reopened": reopened, "stored": stored,
            "peak_bytes": peak_bytes, "seconds": seconds,
        });
        put("stats", stats);
        object.extend(self.facts.clone());
        if let Some(plans) = &self.all {
            object.insert("plans".to_owned(), plans.iter().map(|plan| plan.iter().map(|mv| mv.json.clone()).collect::<Value>()).collect());
        }
        Value::Object(object)
    }

    /// The report as text: remarks behind `#`, then one move per line.
    pub fn text(&self, seconds: f64) -> String {
        let mut text = String::new();
        let Stats { expanded, generated, peak_bytes, .. } = self.stats;
        let checked = |yes: &str, no: &str| if self.verified { yes.to_owned() } else { no.to_owned() };
        let mut moves: &[Written] = &[];
        let _ = match &self.answer {
            Answer::Solved { cost, optimal, lower, moves: found } => {
                moves = found;
                let worth =
                    if *optimal { "the least possible".to_owned() } else { format!("not proved least; every plan costs at least {lower}") };
                let moves = if found.len() == 1 { "1 move".to_owned() } else { format!("{} moves", grouped(found.len() as u64)) };
                writeln!(text, "# {}: solved, cost {cost} ({worth}), {moves}; replayed and correct", self.game)
            }
            Answer::Unsolvable { why: Why::Exhausted { states } } => {
                let checked = checked("; confirmed by a second search", "; too many to confirm by a second search");
                let states = grouped(*states);
                writeln!(text, "# {}: there is no solution\n# why: everything reachable was examined, {states} states{checked}", self.game)
            }
            Answer::Unsolvable { why: Why::Certificate(certificate) } => {
                let Certificate { kind, claim, .. } = certificate;
                writeln!(text, "# {}: there is no solution\n# why: {claim}; certificate `{kind}`, checked", self.game)
            }
            Answer::Decided(decided) => {
                moves = &decided.best;
                let checked = checked("; confirmed by a second road", "; too many positions to confirm by a second road");
                let grundy = decided.grundy.map(|grundy| format!(", Grundy value {grundy}")).unwrap_or_default();
                let length = decided.length.map(|length| format!(", {length} moves under best play")).unwrap_or_default();
                let (player, outcome) = (decided.winner, decided.outcome());
                let _ = writeln!(text, "# {}: Player {player} has a winning strategy{checked}", self.game);
                let moves = match (decided.best.len(), decided.all_best) {
                    (0, _) => "no move wins".to_owned(),
                    (1, true) => "1 winning move".to_owned(),
                    (count, true) => format!("{} winning moves", grouped(count as u64)),
                    (count, false) => format!("{} winning moves found before a limit was reached", grouped(count as u64)),
                };
                writeln!(text, "# {} {outcome}-position{grundy}{length}; {moves}", if decided.wins { "an" } else { "a" })
            }
            Answer::Unknown { limit, lower, upper, moves: found } => {
                moves = found;
                let limit = limit.words();
                let _ = writeln!(text, "# {}: not decided, the {limit} was reached", self.game);
                match upper {
                    None if *lower == 0 => Ok(()),
                    Some(upper) => writeln!(text, "# every plan costs at least {lower}; the best one found costs {upper}:"),
                    None => writeln!(text, "# every plan costs at least {lower}; none was found"),
                }
            }
        };
        for (name, value) in &self.facts {
            let _ = writeln!(text, "# {name}: {value}");
        }
        let _ = writeln!(
            text,
            "# by {}: {} states expanded, {} generated, {}, {}",
            self.method,
            grouped(expanded),
            grouped(generated),
            bytes(peak_bytes),
            duration(seconds)
        );
        for (number, plan) in self.all.iter().flatten().enumerate() {
            let plan: Vec<&str> = plan.iter().map(|mv| mv.text.as_str()).collect();
            let _ = writeln!(text, "# plan {} ({} moves): {}", number + 1, plan.len(), plan.join(" "));
        }
        for mv in moves {
            let _ = writeln!(text, "{}", mv.text);
        }
        text
    }
}

/// The report of a board that is a picture: its moves are a picture, too, never a list.
pub struct PictureReport {
    pub game: &'static str,
    pub method: &'static str,
    /// It was checked.
    pub answer: PictureAnswer,
    /// Where the picture of the moves, or of the proof, was written.
    pub file: Option<String>,
}

impl PictureReport {
    pub fn json(&self, seconds: f64) -> Value {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
        put("game", json!(self.game));
        put("method", json!(self.method));
        match self.answer.verdict {
            PictureVerdict::Solved { cost, lower } => {
                put("verdict", json!("solved"));
                put("verified", json!(true));
                put("cost", json!(cost));
                put("optimal", json!(lower >= cost));
                put("lower", json!(lower));
            }
            PictureVerdict::Unsolvable => {
                put("verdict", json!("unsolvable"));
                put("verified", json!(true));
                put("why", json!({"kind": "picture"}));
            }
        }
        put("picture", json!(self.file));
        put("stats", json!({"expanded": 0, "generated": 0, "reopened": 0, "stored": 0, "peak_bytes": 0, "seconds": seconds}));
        object.extend(self.answer.facts.clone());
        Value::Object(object)
    }

    pub fn text(&self, seconds: f64) -> String {
        let mut text = String::new();
        let shown = self
            .file
            .as_ref()
            .map_or_else(|| "# to see it, name a picture to write: -o answer.pbm".to_owned(), |file| format!("# the picture is {file}"));
        let _ = match self.answer.verdict {
            PictureVerdict::Solved { cost, lower } => {
                let worth = if lower >= cost {
                    "the least possible".to_owned()
                } else {
                    format!("not proved least; at least {} are needed", grouped(lower))
                };
                let moves = if cost == 1 { "1 move".to_owned() } else { format!("{} moves", grouped(cost)) };
                writeln!(text, "# {}: solved, {moves} ({worth}); multiplied back and correct", self.game)
            }
            PictureVerdict::Unsolvable => {
                writeln!(text, "# {}: there is no solution\n# why: a pattern that no move can change the parity of, checked", self.game)
            }
        };
        for (name, value) in &self.answer.facts {
            let _ = writeln!(text, "# {name}: {value}");
        }
        let _ = writeln!(text, "{shown}\n# by {}: {}", self.method, duration(seconds));
        text
    }
}

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes with a unit.
pub fn bytes(bytes: usize) -> String {
    match bytes as f64 {
        n if n < 10e3 => format!("{bytes} B"),
        n if n < 10e6 => format!("{:.0} kB", n / 1e3),
        n if n < 10e9 => format!("{:.0} MB", n / 1e6),
        n => format!("{:.1} GB", n / 1e9),
    }
}

/// Seconds with a unit.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

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
    /// Who wins a two-player game, with whatever else is said about it.
    Decided {
        wins: bool,
        grundy: Option<u64>,
        best: Option<Vec<Value>>,
        /// Are those said to be all winning moves?
        all_best: bool,
    },
    /// Only that a limit was reached.
    Unknown,
}

impl Claim {
    /// Reads an answer for a game: a JSON report, or a plan as plain lines with `#` remarks. Errors are sentences.
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
            "solved" if !value["outcome"].is_null() => {
                let wins = match value["outcome"].as_str() {
                    Some("N") => true,
                    Some("P") => false,
                    _ => return Err("the answer's `outcome` is neither \"N\" nor \"P\"".to_owned()),
                };
                let grundy = match &value["grundy"] {
                    Value::Null => None,
                    grundy => Some(grundy.as_u64().ok_or("the answer's `grundy` is not a whole number")?),
                };
                let best = match &value["best"] {
                    Value::Null => None,
                    best => Some(best.as_array().ok_or("the answer's `best` is not a list")?.clone()),
                };
                Ok(Claim::Decided { wins, grundy, best, all_best: value["all_best"].as_bool().unwrap_or(true) })
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
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!([grouped(0), grouped(999), grouped(1000), grouped(23475688)], ["0", "999", "1,000", "23,475,688"]);
        assert_eq!([bytes(9999), bytes(12_345), bytes(94_000_000)], ["9999 B", "12 kB", "94 MB"]);
        assert_eq!([duration(0.0000453), duration(0.0123), duration(2.0)], ["45 µs", "12.3 ms", "2.00 s"]);
    }

    #[test]
    fn claims_are_read_or_refused_with_a_sentence() {
        assert!(matches!(Claim::read("# x\n a b \n\nc", "x").unwrap(), Claim::Plan { moves, .. } if moves == [json!("a b"), json!("c")]));
        assert!(matches!(Claim::read("{\"verdict\":\"unknown\"}", "x").unwrap(), Claim::Unknown));
        for (text, told) in [
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
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
