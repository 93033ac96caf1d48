//! The API: one route for every question of the library, and `/api/status`, the server's own. `web/page/openapi.json` describes
//! it, and `tests/serve.rs` holds the two together.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use kibitzer::ask::{QUESTIONS, Question, Refusal, ask};
use kibitzer::limits::Limit;
use serde_json::{Value, json};

use super::answer::{HttpError, json_response};
use super::watch::Watch;
use super::{Server, assets, guard, stream};

/// The largest request, in bytes.
const MOST_BODY: usize = 256 << 10;
/// The longest that a request may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(10);
/// The longest that a question other than a stream may take, and how long the server then waits for the work to end.
const WORK_TIME: Duration = Duration::from_secs(15);
const GRACE: Duration = Duration::from_secs(1);

pub fn router(server: Arc<Server>) -> Router {
    let mut router = Router::new().route("/api/status", get(status));
    for question in QUESTIONS {
        let handler = move |State(server): State<Arc<Server>>, game: Option<Path<String>>, request: Request| async move {
            let asked = respond(&server, question, game.map(|Path(game)| game), request);
            asked.await.unwrap_or_else(HttpError::into_response)
        };
        router = router.route(&question.path(), if question.body { post(handler) } else { get(handler) });
    }
    let not_allowed =
        || async { HttpError::new(StatusCode::METHOD_NOT_ALLOWED, "method not allowed", "`/openapi.json` describes the API") };
    router
        .fallback(assets::asset)
        .method_not_allowed_fallback(not_allowed)
        .layer(middleware::from_fn_with_state(Arc::clone(&server), guard::guard))
        .with_state(server)
}

async fn respond(server: &Server, question: &'static Question, game: Option<String>, request: Request) -> Result<Response, HttpError> {
    let body = if question.body { read_body(request).await? } else { Value::Null };
    if question.streams {
        return stream::respond(server, question, game, body).await;
    }
    Ok(json_response(StatusCode::OK, &answer(server, question, game, body).await?))
}

/// Runs blocking work with bounded concurrency. Work that outlives its time and the grace keeps its permit and its thread
/// until it ends, but the client does not wait for it.
async fn answer(server: &Server, question: &'static Question, game: Option<String>, body: Value) -> Result<Value, Refusal> {
    let watch = Watch::new(WORK_TIME, server.bytes);
    let limits = watch.limits.clone();
    let permits = Arc::clone(&server.short);
    let done = async {
        let permit = permits.acquire_owned().await.map_err(|_| Refusal::internal())?;
        let work = move || {
            let _permit = permit;
            ask(game.as_deref(), question.name, &body, &limits, None)
        };
        tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Refusal::internal()))
    };
    tokio::time::timeout(WORK_TIME + GRACE, done).await.unwrap_or_else(|_| Err(Limit::Time.into()))
}

/// The JSON of a request, if it has a sensible size.
async fn read_body(request: Request) -> Result<Value, HttpError> {
    let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if content_type.is_none_or(|kind| !kind.starts_with("application/json")) {
        let help = "send `Content-Type: application/json`";
        return Err(HttpError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported media type", help));
    }
    let too_large = || {
        let error = format!("the body is larger than {} kB, or incomplete", MOST_BODY >> 10);
        HttpError::new(StatusCode::PAYLOAD_TOO_LARGE, error, "send a smaller board; `kibitzer solve` takes larger ones")
    };
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > MOST_BODY as u64) {
        return Err(too_large());
    }
    let bytes = match tokio::time::timeout(BODY_TIME, to_bytes(request.into_body(), MOST_BODY)).await {
        Ok(bytes) => bytes.map_err(|_| too_large())?,
        Err(_) => return Err(HttpError::new(StatusCode::REQUEST_TIMEOUT, "body timed out", "send the whole body at once")),
    };
    serde_json::from_slice(&bytes).map_err(|error| Refusal::body(format!("invalid JSON: {error}")).into())
}

async fn status(State(server): State<Arc<Server>>) -> Response {
    let solving = server.most_solves - server.solves.available_permits();
    let limits = json!({"seconds": server.seconds, "bytes": server.bytes, "solves": server.most_solves, "body": MOST_BODY});
    json_response(StatusCode::OK, &json!({"version": env!("CARGO_PKG_VERSION"), "solving": solving, "limits": limits}))
}
