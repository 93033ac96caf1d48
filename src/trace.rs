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

/// The scores between which a search must find the exact value, for the player to move. `None` if the window is open on that side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub alpha: Option<Score>,
    pub beta: Option<Score>,
}

/// Proof and disproof numbers of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofNumbers {
    pub proof: u32,
    pub disproof: u32,
}

/// The proof number of a disproved position.
pub const INFINITE: u32 = u32::MAX;

/// The result of a visit by a method of the minimax family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    Value {
        /// The window at first; `None` in a search without windows.
        window: Option<Window>,
        /// The value, or a bound if it is outside the window. `None` if a limit came first.
        value: Option<Score>,
        /// True if some moves were pruned.
        cutoff: bool,
    },
    Proof {
        /// The score that the player to move at the root is asked to reach.
        question: Score,
        /// The numbers after the visit. `None` if a limit came first.
        numbers: Option<ProofNumbers>,
    },
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
    /// Only in the minimax family.
    pub judged: Option<Judged>,
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
        let mut optional = vec![
            ("open", self.open.map(Value::from)),
            ("lower", self.lower.map(Value::from)),
            ("upper", self.upper.map(Value::from)),
            ("bound", self.bound.map(Value::from)),
            ("side", self.side.map(|side| side.name().into())),
            ("state", self.state.clone().map(Value::from)),
            ("place", self.place.clone().map(Value::from)),
            ("children", Some(self.children.iter().map(ChildLine::json).collect())),
        ];
        optional.extend(self.judged.map(Judged::members).into_iter().flatten());
        object(required, self.numbers, self.value, optional)
    }
}

impl Judged {
    /// The names and values in JSON.
    fn members(self) -> Vec<(&'static str, Option<Value>)> {
        let score = |score: Option<Score>| Some(json!(score.map(Score::name)));
        match self {
            Judged::Value { window: None, value, .. } => vec![("value", score(value))],
            Judged::Value { window: Some(Window { alpha, beta }), value, cutoff } => {
                vec![("alpha", score(alpha)), ("beta", score(beta)), ("value", score(value)), ("cutoff", Some(json!(cutoff)))]
            }
            Judged::Proof { question, numbers } => {
                let number = |of: fn(ProofNumbers) -> u32| Some(json!(numbers.map(of).filter(|number| *number != INFINITE)));
                let (proof, disproof) = (number(|numbers| numbers.proof), number(|numbers| numbers.disproof));
                vec![("question", score(Some(question))), ("proof", proof), ("disproof", disproof)]
            }
        }
    }
}

impl ChildLine {
    fn json(&self) -> Value {
        let optional = vec![
            ("fate", Some(self.fate.name().into())),
            ("goal", self.goal.then_some(Value::Bool(true))),
            ("place", self.place.clone().map(Value::from)),
        ];
        object(json!({"id": self.id, "move": self.mv}), self.numbers, self.value, optional)
    }
}

/// A JSON object of the required members, the numbers of a search or the value of a position, and the optional members that have a
/// value.
fn object(
    mut required: Value,
    numbers: Option<Numbers>,
    value: Option<PositionValue>,
    optional: Vec<(&'static str, Option<Value>)>,
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
