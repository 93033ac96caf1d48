//! Reports as JSON and as fields of a table.

use serde_json::{Map, Value, json};

use super::{Answer, Report, Written};
use crate::outcome::{Stats, Why};
use crate::text::field;

/// The fields of `stats` in JSON.
pub const STATS: [&str; 6] = ["expanded", "generated", "reopened", "stored", "peak_bytes", "seconds"];

impl Report {
    /// The report as one JSON object. The library has no clock, so the caller says how long the method worked, without the
    /// check of its answer.
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
                put("moves", list(moves));
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
                put("best", list(&decided.best));
                put("all_best", json!(decided.all_best));
                if let Some(length) = decided.length {
                    put("length", json!(length));
                }
                if let Some(confirmed) = decided.confirmed {
                    put("confirmed", json!(confirmed.name()));
                }
            }
            Answer::Unknown { limit, lower, upper, moves } => {
                put("limit", json!(limit.name()));
                put("lower", json!(lower));
                put("upper", json!(upper));
                if upper.is_some() {
                    put("moves", list(moves));
                }
            }
        }
        if let Some(proof) = self.proof {
            put("proved_by", json!(proof.name()));
        }
        if let (Answer::Unsolvable { .. }, Some(limit)) = (&self.answer, self.gave_up()) {
            put("limit", json!(limit.name()));
        }
        let Stats { expanded, generated, reopened, stored, peak_bytes } = self.stats;
        let stats = json!({
            "expanded": expanded, "generated": generated, "reopened": reopened, "stored": stored,
            "peak_bytes": peak_bytes, "seconds": seconds,
        });
        put("stats", stats);
        object.extend(self.facts.clone());
        if let Some(plans) = &self.all {
            object.insert("plans".to_owned(), plans.iter().map(|plan| list(plan)).collect());
        }
        Value::Object(object)
    }

    /// The report as fields of a table with these columns: what JSON has under the name.
    pub fn fields(&self, seconds: f64, columns: &[&str]) -> Vec<String> {
        let json = self.json(seconds);
        columns.iter().map(|name| field(json.get(name).or_else(|| json["stats"].get(name)))).collect()
    }
}

fn list(moves: &[Written]) -> Value {
    moves.iter().map(|mv| mv.json.clone()).collect()
}
