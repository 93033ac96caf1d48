//! Reports as JSON and as the fields of a table.

use serde_json::{Map, Value, json};

use super::{Answer, DuelResult, LeastPlans, Report, Written, claim};
use crate::outcome::{Certificate, Stats, Why};
use crate::text::field;

/// The fields of `stats` in JSON.
pub const STATS: [&str; 6] = ["expanded", "generated", "reopened", "stored", "peak_bytes", "seconds"];
/// More fields of `stats`, which only some methods for two players have.
pub const TREE_STATS: [&str; 2] = ["cutoffs", "table"];

impl Report {
    /// The report as one JSON object. The library has no clock, so the caller passes the time that the method took, excluding the
    /// check of its answer.
    pub fn json(&self, seconds: f64) -> Value {
        let head = json!({"game": self.game, "method": self.method, "verdict": self.verdict(), "verified": self.verified});
        let mut answer = match &self.answer {
            Answer::Solved { cost, optimal, lower, moves } => {
                json!({"cost": cost, "optimal": optimal, "lower": lower, "moves": list(moves)})
            }
            Answer::Unsolvable { why: Why::Exhausted { states } } => json!({"why": {"kind": "exhausted", "states": states}}),
            Answer::Unsolvable { why: Why::Certificate(Certificate { kind, claim, data }) } => {
                let parts = [("kind".to_owned(), json!(kind)), ("claim".to_owned(), json!(claim))];
                json!({"why": parts.into_iter().chain(data.clone()).collect::<Value>()})
            }
            Answer::Decided(decided) => {
                let DuelResult { winner, grundy, best, all_best, length, endless, parts, .. } = decided;
                let mut answer =
                    json!({"winner": winner, "outcome": decided.outcome(), "grundy": grundy, "best": list(best), "all_best": all_best});
                if length.is_some() || *endless {
                    answer["length"] = json!(length);
                }
                if !parts.is_empty() {
                    answer[claim::PARTS] = claim::parts(parts);
                }
                if let Some(confirmed) = decided.confirmed {
                    answer["confirmed"] = json!(confirmed.name());
                }
                answer
            }
            Answer::Unknown { limit, lower, upper, moves } => {
                let mut answer = json!({"limit": limit.name(), "lower": lower, "upper": upper});
                if upper.is_some() {
                    answer["moves"] = list(moves);
                }
                answer
            }
        };
        if let Some(proof) = self.proof {
            answer["proved_by"] = json!(proof.name());
        }
        if let (Answer::Unsolvable { .. }, Some(limit)) = (&self.answer, self.gave_up()) {
            answer["limit"] = json!(limit.name());
        }
        if !matches!(self.answer, Answer::Decided(_)) {
            answer["branching"] = json!(self.branching());
        }
        let Stats { expanded, generated, reopened, stored, peak_bytes, cutoffs, table } = self.stats;
        answer["stats"] = json!({
            "expanded": expanded, "generated": generated, "reopened": reopened, "stored": stored,
            "peak_bytes": peak_bytes, "seconds": seconds,
        });
        for (name, count) in TREE_STATS.into_iter().zip([cutoffs, table]) {
            if let Some(count) = count {
                answer["stats"][name] = json!(count);
            }
        }
        let parts = [head, answer].into_iter().filter_map(|part| if let Value::Object(part) = part { Some(part) } else { None });
        let mut object: Map<String, Value> = parts.flatten().collect();
        object.extend(self.facts.clone());
        if let Some(plans) = &self.all {
            object.insert("plans".to_owned(), plans.iter().map(|plan| list(plan)).collect());
        }
        if let Some(LeastPlans { count, list: listed, limit }) = &self.plans {
            object.insert("plans".to_owned(), json!(count));
            if let Some(listed) = listed {
                object.insert("plan_list".to_owned(), listed.iter().map(|plan| list(plan)).collect());
            }
            if let Some(limit) = limit {
                object.insert("limit".to_owned(), json!(limit.name()));
            }
        }
        Value::Object(object)
    }

    /// The report as table fields for these columns, which are named like the JSON values that they contain.
    pub fn fields(&self, seconds: f64, columns: &[&str]) -> Vec<String> {
        let json = self.json(seconds);
        columns.iter().map(|name| field(json.get(name).or_else(|| json["stats"].get(name)))).collect()
    }
}

fn list(moves: &[Written]) -> Value {
    moves.iter().map(|mv| mv.json.clone()).collect()
}
