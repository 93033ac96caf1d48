//! A search, step by step: one record for every state that is expanded, in order, taken from the engines themselves.
//!
//! [`Expanded`] is what an engine or a game's own solver shows, in the game's own types; [`Line`] is the same as text and
//! numbers, which [`Line::json`] writes as one line of a trace. The first line of a trace is [`header`], the last one is the
//! report that `solve` gives.

pub mod table;

use serde_json::{Map, Value, json};

pub use crate::rules::{Child, Expanded, Fate, Side, Way};
use crate::rules::{Cost, Score};

/// The version of the format, in the first line of every trace.
pub const VERSION: u32 = 1;

/// The known value of a position of a two-player game, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionValue {
    pub score: Score,
    pub grundy: Option<u16>,
    pub length: Option<u16>,
}

/// One line of a trace.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// From 1.
    pub n: u64,
    pub id: u64,
    pub parent: Option<u64>,
    pub mv: Option<String>,
    pub depth: u32,
    /// None for two players.
    pub numbers: Option<Numbers>,
    pub value: Option<PositionValue>,
    pub open: Option<u64>,
    pub lower: Option<Cost>,
    pub upper: Option<Cost>,
    pub bound: Option<Cost>,
    pub side: Option<Side>,
    /// The state as an instance, if that was asked for.
    pub state: Option<String>,
    pub children: Vec<ChildLine>,
}

/// Cost so far, estimate, and what the search goes by.
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

    fn put(&self, object: &mut Map<String, Value>) {
        object.insert("g".to_owned(), json!(self.g));
        object.insert("h".to_owned(), json!(self.h));
        object.insert("f".to_owned(), json!(self.f()));
        object.extend(self.priority.map(|priority| ("priority".to_owned(), json!(priority))));
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
}

impl PositionValue {
    fn put(value: Option<PositionValue>, object: &mut Map<String, Value>) {
        object.insert("outcome".to_owned(), json!(value.map(|value| value.score.outcome())));
        object.extend(value.and_then(|value| value.grundy).map(|grundy| ("grundy".to_owned(), json!(grundy))));
        object.extend(value.and_then(|value| value.length).map(|length| ("length".to_owned(), json!(length))));
    }
}

/// The first line of a trace.
pub fn header(game: &str, method: &str, start: &str) -> Value {
    json!({"trace": VERSION, "game": game, "method": method, "start": start})
}

impl Line {
    pub fn json(&self) -> Value {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
        put("n", json!(self.n));
        put("id", json!(self.id));
        put("parent", json!(self.parent));
        put("move", json!(self.mv));
        put("depth", json!(self.depth));
        match &self.numbers {
            Some(numbers) => numbers.put(&mut object),
            None => PositionValue::put(self.value, &mut object),
        }
        let mut put_some = |key: &str, value: Option<Value>| object.extend(value.map(|value| (key.to_owned(), value)));
        put_some("open", self.open.map(|open| json!(open)));
        put_some("lower", self.lower.map(|lower| json!(lower)));
        put_some("upper", self.upper.map(|upper| json!(upper)));
        put_some("bound", self.bound.map(|bound| json!(bound)));
        put_some("side", self.side.map(|side| json!(side.name())));
        put_some("state", self.state.as_ref().map(|state| json!(state)));
        object.insert("children".to_owned(), self.children.iter().map(ChildLine::json).collect());
        Value::Object(object)
    }
}

impl ChildLine {
    fn json(&self) -> Value {
        let mut object = Map::from_iter([("id".to_owned(), json!(self.id)), ("move".to_owned(), json!(self.mv))]);
        match &self.numbers {
            Some(numbers) => numbers.put(&mut object),
            None => PositionValue::put(self.value, &mut object),
        }
        object.insert("fate".to_owned(), json!(self.fate.name()));
        if self.goal {
            object.insert("goal".to_owned(), json!(true));
        }
        Value::Object(object)
    }
}
