//! Reports for a game's own tools, and for boards given as images.

use serde_json::{Map, Value, json};

use super::{count, duration, grouped};
use crate::notation::tools::{BitmapAnswer, ToolAnswer};

/// The answer from a game's own tool, as one JSON object.
pub fn tool_json(answer: &ToolAnswer, seconds: f64) -> Value {
    let verdict = if answer.limit.is_some() { "unknown" } else { "solved" };
    let mut object = Map::from_iter([("verdict".to_owned(), json!(verdict)), ("verified".to_owned(), json!(answer.limit.is_none()))]);
    if let Some(limit) = answer.limit {
        object.insert("limit".to_owned(), json!(limit.name()));
    }
    object.extend(answer.json.clone());
    object.insert("stats".to_owned(), json!({"expanded": answer.steps, "seconds": seconds}));
    Value::Object(object)
}

/// The report for a board given as an image. The moves are also an image, which is written to `file`.
pub fn bitmap_json(game: &str, method: &str, answer: &BitmapAnswer, file: Option<&str>, seconds: f64) -> Value {
    let mut object = Map::from_iter([("game".to_owned(), json!(game)), ("method".to_owned(), json!(method))]);
    let more = match answer.cost {
        Some(cost) => json!({"verdict": "solved", "verified": true, "cost": cost, "optimal": answer.lower >= cost, "lower": answer.lower}),
        None => json!({"verdict": "unsolvable", "verified": true, "why": {"kind": "picture"}}),
    };
    let stats = json!({"expanded": 0, "generated": 0, "reopened": 0, "stored": 0, "peak_bytes": 0, "seconds": seconds});
    let rest = json!({"picture": file, "stats": stats});
    [more, rest].iter().filter_map(Value::as_object).for_each(|part| object.extend(part.clone()));
    object.extend(answer.facts.clone());
    Value::Object(object)
}

/// Like [`bitmap_json`], but returns text.
pub fn bitmap_text(game: &str, method: &str, answer: &BitmapAnswer, file: Option<&str>, seconds: f64) -> String {
    let mut text = match answer.cost {
        Some(cost) => {
            let worth = match answer.lower {
                lower if lower >= cost => "the least possible".to_owned(),
                lower => format!("not proved least; at least {} moves are needed", grouped(lower)),
            };
            format!("# {game}: solved, {} ({worth}); checked by multiplication\n", count(cost, "move"))
        }
        None => format!("# {game}: there is no solution\n# why: no move changes the board's odd parity on a certain pattern; checked\n"),
    };
    answer.facts.iter().for_each(|(name, value)| text.push_str(&format!("# {name}: {value}\n")));
    let shown = file.map_or("to see the answer, write it to a bitmap: -o answer.pbm".to_owned(), |file| format!("the bitmap is {file}"));
    format!("{text}# {shown}\n# by {method}: {}\n", duration(seconds))
}
