//! Answers of the server: JSON, and errors as a sentence with its remedy and, for texts, its place.

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use kibitzer::catalog::{ChoiceError, MoveError};
use kibitzer::notation::{OptionError, ReadError};
use serde_json::{Value, json};

/// A refusal, always 4xx but for faults of the program itself.
#[derive(Debug)]
pub struct Refusal {
    pub status: StatusCode,
    body: Value,
}

pub type Answer = Result<Value, Refusal>;

impl Refusal {
    pub fn new(status: StatusCode, error: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal { status, body: json!({"error": error.into(), "help": help.into()}) }
    }

    /// What was asked for is understood, but cannot be done with this board.
    pub fn board(error: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, error, help)
    }

    pub fn internal() -> Refusal {
        let help = "this is a fault in kibitzer, not in what you asked; please report it with the board";
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "something went wrong inside", help)
    }

    pub fn body(&self) -> &Value {
        &self.body
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        json_response(self.status, &self.body)
    }
}

pub fn json_response(status: StatusCode, value: &Value) -> Response {
    let mut response = Response::new(Body::from(value.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
    response.headers_mut().insert(header::CACHE_CONTROL, header::HeaderValue::from_static("no-store"));
    response
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Refusal {
        let mut refusal = Refusal::board(error.to_string(), error.help());
        if let ReadError::Text(place) = &error {
            refusal.body["line"] = json!(place.line);
            refusal.body["column"] = json!(place.column);
        }
        refusal
    }
}

impl From<OptionError> for Refusal {
    fn from(error: OptionError) -> Refusal {
        Refusal::board(error.message, error.help)
    }
}

impl From<MoveError> for Refusal {
    fn from(error: MoveError) -> Refusal {
        Refusal::board(error.to_string(), "the legal moves are in `scene.moves` of the position before it")
    }
}

impl From<ChoiceError> for Refusal {
    fn from(error: ChoiceError) -> Refusal {
        Refusal::board(error.message, error.help)
    }
}
