//! Text: input with line and column numbers, JSON, options, and small helpers for sentences.

pub mod json;
pub mod options;
pub mod source;

use serde_json::Value;

pub use options::{OptionSpec, Options};
pub use source::{Field, ParseError, Source, offset_in, shorten};

/// An error message and its remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    pub message: String,
    pub help: String,
}

impl Fault {
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Fault {
        Fault { message: message.into(), help: help.into() }
    }
}

/// A JSON value as a table field: a string without quotes, an empty field for null, and JSON for all other values.
pub fn field(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    }
}

/// A number and the singular or plural of a word: `1 vertex`, `2 vertices`.
pub fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A claim as a sentence, with a capital letter and a period.
pub fn sentence(claim: &str) -> String {
    let mut characters = claim.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", characters.as_str())
}
