//! Refusals: errors as data, with a kind, a message, a remedy and, for text input, the line and column.

use serde_json::{Value, json};

use crate::catalog::{MoveError, SolveError};
use crate::limits::Limit;
use crate::notation::{Fault, ReadError};

/// The kind of an error, for callers that treat kinds differently. A server derives its status code from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// There is no such game or question.
    Unknown,
    /// The body does not have the format that the question expects.
    Body,
    /// The question cannot be answered for this board, option, move or method.
    Board,
    /// The board is too large to be drawn or sent.
    TooLarge,
    /// A limit was reached before there was an answer.
    Limit(Limit),
    /// A bug in this library.
    Internal,
}

impl Kind {
    /// The name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Unknown => "unknown",
            Kind::Body => "body",
            Kind::Board => "board",
            Kind::TooLarge => "too_large",
            Kind::Limit(_) => "limit",
            Kind::Internal => "internal",
        }
    }
}

/// The error returned when a question is not answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    pub kind: Kind,
    pub message: String,
    /// The remedy.
    pub help: String,
    /// Line and column in the board's text, counted from 1.
    pub place: Option<(usize, usize)>,
}

impl Refusal {
    pub fn new(kind: Kind, message: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal { kind, message: message.into(), help: help.into(), place: None }
    }

    pub fn body(message: impl Into<String>) -> Refusal {
        Refusal::new(Kind::Body, message, "`openapi.json` describes every request")
    }

    pub fn board(message: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal::new(Kind::Board, message, help)
    }

    pub fn too_large() -> Refusal {
        Refusal::new(Kind::TooLarge, "this board is too large to draw", "`kibitzer solve` accepts larger ones")
    }

    pub fn internal() -> Refusal {
        let help = "this is a bug in kibitzer, not in the request; please report it and include the board";
        Refusal::new(Kind::Internal, "internal error", help)
    }

    pub fn json(&self) -> Value {
        let mut value = json!({"error": self.message, "help": self.help, "kind": self.kind.name()});
        if let Some((line, column)) = self.place {
            value["line"] = json!(line);
            value["column"] = json!(column);
        }
        value
    }
}

impl From<Limit> for Refusal {
    fn from(limit: Limit) -> Refusal {
        Refusal::new(Kind::Limit(limit), limit.words(), "use a smaller board, or `kibitzer` on the command line")
    }
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Refusal {
        let refusal = Refusal::board(error.to_string(), error.help());
        match error {
            ReadError::Text(error) => Refusal { place: Some((error.line, error.column)), ..refusal },
            ReadError::Option(_) => refusal,
            ReadError::Stopped(limit) => limit.into(),
        }
    }
}

impl From<Fault> for Refusal {
    fn from(error: Fault) -> Refusal {
        Refusal::board(error.message, error.help)
    }
}

impl From<MoveError> for Refusal {
    fn from(error: MoveError) -> Refusal {
        Refusal::board(error.to_string(), "every move must be legal in its position, and written as in the list of legal moves")
    }
}

impl From<SolveError> for Refusal {
    fn from(error: SolveError) -> Refusal {
        match error {
            SolveError::Choice(error) => error.into(),
            SolveError::SelfCheck(_) => Refusal::internal(),
        }
    }
}
