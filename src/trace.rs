//! A search, step by step: one record for every state that is expanded, in order, taken from the engines themselves.
//!
//! [`Expanded`] is what an engine or a game's own solver shows, in the game's own types; [`Line`] is the same as text and
//! numbers, which [`Line::json`] writes as one line of a trace. The first line of a trace is [`header`], the last one is the
//! report that `solve` gives.

mod bundle;
mod moment;
pub mod page;
pub mod table;
pub mod tree;

pub use moment::moment;

use serde_json::{Map, Value, json};

use crate::rules::{Cost, Rules, Score};

/// The version of the format, in the first line of every trace.
pub const VERSION: u32 = 1;

/// What became of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was not known before and waits to be expanded. Where there is a bound, one above it waits for a later round.
    New,
    /// It was known, but not by a way as cheap as this.
    Better,
    /// It is known: stored, or on the path.
    Known,
    /// No goal can be reached from it.
    Dead,
}

impl Fate {
    pub fn name(self) -> &'static str {
        match self {
            Fate::New => "new",
            Fate::Better => "better",
            Fate::Known => "known",
            Fate::Dead => "dead",
        }
    }
}

/// From which end a bidirectional search came to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Forward,
    Backward,
}

impl Side {
    pub fn name(self) -> &'static str {
        match self {
            Side::Forward => "forward",
            Side::Backward => "backward",
        }
    }
}

/// Moves that lead from a state to another one: one, or several that a solver makes at once.
pub struct Way<R: Rules> {
    pub from: R::State,
    pub moves: Vec<R::Move>,
}

/// A state that was expanded, and its children.
pub struct Expanded<R: Rules> {
    /// The same number whenever it is the same node of the search.
    pub id: u64,
    pub parent: Option<u64>,
    /// How the search came to it. Backwards it is the way to the parent.
    pub way: Option<Way<R>>,
    pub state: R::State,
    /// Steps from the root.
    pub depth: u32,
    /// The cost so far.
    pub cost: Cost,
    /// The estimated cost to go; none if there is none to be had.
    pub estimate: Option<Cost>,
    /// What the search goes by, where that is not the sum of the two.
    pub priority: Option<f64>,
    /// States that wait, after this one was expanded.
    pub open: u64,
    /// What is proved of the cost of any plan, and the cost of the best plan found, after this one was expanded.
    pub lower: Cost,
    pub upper: Option<Cost>,
    /// The limit of this round, where a search goes in rounds.
    pub bound: Option<Cost>,
    pub side: Option<Side>,
    pub children: Vec<Child<R>>,
}

/// A state that was made from the expanded one.
pub struct Child<R: Rules> {
    /// None if the search keeps nothing of it.
    pub id: Option<u64>,
    /// The moves to it from the expanded state; backwards, from it to there.
    pub moves: Vec<R::Move>,
    /// The child itself, where the moves begin there.
    pub from: Option<R::State>,
    pub cost: Cost,
    pub estimate: Option<Cost>,
    pub priority: Option<f64>,
    pub fate: Fate,
    pub goal: bool,
}

/// What is known of a position of a two-player game, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
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
    pub value: Option<Worth>,
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
    pub value: Option<Worth>,
    pub fate: Fate,
    pub goal: bool,
}

impl Worth {
    fn put(value: Option<Worth>, object: &mut Map<String, Value>) {
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
            None => Worth::put(self.value, &mut object),
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
            None => Worth::put(self.value, &mut object),
        }
        object.insert("fate".to_owned(), json!(self.fate.name()));
        if self.goal {
            object.insert("goal".to_owned(), json!(true));
        }
        Value::Object(object)
    }
}
