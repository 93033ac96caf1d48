//! Responses: JSON with a status, for answers and for errors.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use kibitzer::ask::{Kind, Refusal};
use serde_json::{Value, json};

/// An error from the server or the library.
#[derive(Debug)]
pub struct HttpError {
    status: StatusCode,
    body: Value,
}

impl HttpError {
    pub fn new(status: StatusCode, error: impl Into<String>, help: impl Into<String>) -> HttpError {
        HttpError { status, body: json!({"error": error.into(), "help": help.into()}) }
    }

    pub fn json(&self) -> &Value {
        &self.body
    }
}

impl From<Refusal> for HttpError {
    fn from(refusal: Refusal) -> HttpError {
        let status = match refusal.kind {
            Kind::Unknown => StatusCode::NOT_FOUND,
            Kind::Body => StatusCode::BAD_REQUEST,
            Kind::Board | Kind::TooLarge | Kind::Limit(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        };
        HttpError { status, body: refusal.json() }
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        json_response(self.status, &self.body)
    }
}

pub fn json_response(status: StatusCode, value: &Value) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (status, headers, value.to_string()).into_response()
}
