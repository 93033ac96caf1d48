//! A search, step by step: one record for every expanded state, in order, produced by the engines themselves.
//!
//! An engine or a game's own solver emits [`Expanded`] records, in the game's types. A [`Line`] is such a record converted to text and
//! numbers; [`Line::json`] writes it as one line of a trace. The first line of a trace is [`header`]. The last line is the report of
//! `solve`.

pub mod table;

use serde_json::{Value, json};

pub use crate::rules::{Child, Expanded, Fate, Side, Way};
use crate::rules::{Cost, Score};

/// The version of the trace format, which is in the first line of every trace.
pub const VERSION: u32 = 1;

/// The value of a two-player position for the player to move, if it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionValue {
    pub score: Score,
    pub grundy: Option<u16>,
    pub length: Option<u16>,
}

/// One line of a trace.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The line number, from 1.
    pub n: u64,
    pub id: u64,
    pub parent: Option<u64>,
    pub mv: Option<String>,
    pub depth: u32,
    /// `None` for two-player games.
    pub numbers: Option<Numbers>,
    pub value: Option<PositionValue>,
    pub open: Option<u64>,
    pub lower: Option<Cost>,
    pub upper: Option<Cost>,
    pub bound: Option<Cost>,
    pub side: Option<Side>,
    /// The state as an instance, if requested.
    pub state: Option<String>,
    /// The name of the shape that marks the state's place on the board, if the game has places.
    pub place: Option<String>,
    pub children: Vec<ChildLine>,
}

/// Cost so far, estimate, and the value by which the method orders states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers {
    pub g: Cost,
    pub h: Option<Cost>,
    pub priority: Option<f64>,
}

impl Numbers {
    /// Cost so far plus estimate.
    pub fn f(&self) -> Option<Cost> {
        self.h.map(|h| self.g.saturating_add(h))
    }
}

#[derive(Clone, Debug)]
pub struct ChildLine {
    pub id: Option<u64>,
    pub mv: String,
    pub numbers: Option<Numbers>,
    pub value: Option<PositionValue>,
    pub fate: Fate,
    pub goal: bool,
    /// The name of the shape that marks the child's place on the board, if the game has places.
    pub place: Option<String>,
}

/// The first line of a trace.
pub fn header(game: &str, method: &str, start: &str) -> Value {
    json!({"trace": VERSION, "game": game, "method": method, "start": start})
}

impl Line {
    pub fn json(&self) -> Value {
        let required = json!({"n": self.n, "id": self.id, "parent": self.parent, "move": self.mv, "depth": self.depth});
        let optional = [
            ("open", self.open.map(Value::from)),
            ("lower", self.lower.map(Value::from)),
            ("upper", self.upper.map(Value::from)),
            ("bound", self.bound.map(Value::from)),
            ("side", self.side.map(|side| side.name().into())),
            ("state", self.state.clone().map(Value::from)),
            ("place", self.place.clone().map(Value::from)),
            ("children", Some(self.children.iter().map(ChildLine::json).collect())),
        ];
        object(required, self.numbers, self.value, optional)
    }
}

impl ChildLine {
    fn json(&self) -> Value {
        let optional = [
            ("fate", Some(self.fate.name().into())),
            ("goal", self.goal.then_some(Value::Bool(true))),
            ("place", self.place.clone().map(Value::from)),
        ];
        object(json!({"id": self.id, "move": self.mv}), self.numbers, self.value, optional)
    }
}

/// A JSON object of the required members, the numbers of a search or the value of a position, and the optional members that have a
/// value.
fn object<const N: usize>(
    mut required: Value,
    numbers: Option<Numbers>,
    value: Option<PositionValue>,
    optional: [(&str, Option<Value>); N],
) -> Value {
    let known = match numbers {
        Some(numbers) => [
            ("g", Some(json!(numbers.g))),
            ("h", Some(json!(numbers.h))),
            ("f", Some(json!(numbers.f()))),
            ("priority", numbers.priority.map(Value::from)),
        ],
        None => [
            ("outcome", Some(json!(value.map(|value| value.score.outcome())))),
            ("grundy", value.and_then(|value| value.grundy).map(Value::from)),
            ("length", value.and_then(|value| value.length).map(Value::from)),
            ("", None),
        ],
    };
    for (key, value) in known.into_iter().chain(optional) {
        if let Some(value) = value {
            required[key] = value;
        }
    }
    required
}
