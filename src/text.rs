//! Text in general: input with line and column, JSON, options, and small helpers for sentences.

pub mod json;
pub mod options;
pub mod source;

pub use options::{OptionError, OptionSpec, Options};
pub use source::{Field, ParseError, Source, shorten};

/// `1 vertex`, `2 vertices`: a number and the word for one or for many.
pub fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A claim as a sentence: with a capital letter and a full stop.
pub fn sentence(claim: &str) -> String {
    let mut characters = claim.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", characters.as_str())
}
