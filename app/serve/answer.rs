//! Responses: JSON with a status, for answers and for errors.

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use kibitzer::ask::{Kind, Refusal};
use serde_json::{Value, json};

/// An error of the server itself or of the library, as its status and JSON.
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
    let mut response = Response::new(Body::from(value.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
    response.headers_mut().insert(header::CACHE_CONTROL, header::HeaderValue::from_static("no-store"));
    response
}
