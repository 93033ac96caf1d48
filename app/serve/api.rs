//! The API: one route for each question that the library answers, and `/api/status`. `web/page/openapi.json` describes it, and
//! `tests/program/serve.rs` compares the two.

use std::net::IpAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use futures_util::future::{self, Either};
use kibitzer::ask::{QUESTIONS, Question, Refusal, Reply, ask};
use kibitzer::limits::Limit;
use serde_json::{Value, json};

use super::answer::{HttpError, json_response};
use super::watch::Pending;
use super::{Client, Server, assets, guard, stream};
use crate::parallel::lock;

/// Maximum size of a request, in bytes.
const MOST_BODY: usize = 256 << 10;
/// Maximum time for a request to arrive.
const BODY_TIME: Duration = Duration::from_secs(10);
/// Time limit for a question that does not stream its answer.
const WORK_TIME: Duration = Duration::from_secs(15);
/// Additional time for the work to stop after the time limit.
const GRACE: Duration = Duration::from_secs(1);
/// A question that takes longer than this needs a slot for long questions.
const QUICK: Duration = Duration::from_millis(300);
/// Maximum time to wait for a slot for long questions.
const PATIENCE: Duration = Duration::from_secs(2);

pub fn router(server: Arc<Server>) -> Router {
    let mut router = Router::new().route("/api/status", get(status));
    for question in QUESTIONS {
        let handler = move |State(server): State<Arc<Server>>,
                            Extension(Client(address)): Extension<Client>,
                            game: Option<Path<String>>,
                            request: Request| async move {
            let asked = respond(server, question, game.map(|Path(game)| game), request, address);
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

async fn respond(
    server: Arc<Server>,
    question: &'static Question,
    game: Option<String>,
    request: Request,
    address: IpAddr,
) -> Result<Response, HttpError> {
    let accept = request.headers().get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    let takes_events = accept.is_some_and(|accept| accept.contains("text/event-stream"));
    let body = if question.body { read_body(request).await? } else { Value::Null };
    if question.streams {
        return stream::respond(&server, question, game, body).await;
    }
    let mut answer = Box::pin(answer(server, question, game, body, address));
    let answer = match takes_events {
        false => answer.await,
        true => match tokio::time::timeout(QUICK, &mut answer).await {
            Ok(answer) => answer,
            Err(_) => return Ok(stream::thinking(answer)),
        },
    };
    Ok(json_response(StatusCode::OK, &answer?))
}

/// Runs blocking work. Work starts in a quick slot. If it takes longer, it moves to one of the few long slots, so that quick questions do
/// not have to wait. When the client disconnects, this future is dropped, and [`Pending`] stops the work. Work that does not stop in time
/// keeps its slot and its thread until it ends, but the client does not wait for it.
async fn answer(
    server: Arc<Server>,
    question: &'static Question,
    game: Option<String>,
    body: Value,
    address: IpAddr,
) -> Result<Value, HttpError> {
    let busy = || {
        let help = "wait until some of your other requests are answered";
        HttpError::new(StatusCode::TOO_MANY_REQUESTS, "too many requests: the server is busy with long requests", help)
    };
    let time = WORK_TIME.min(Duration::from_secs_f64(server.seconds));
    let pending = Pending::new(time, server.bytes, server.most_resident);
    let limits = pending.limits.clone();
    let first = tokio::time::timeout(WORK_TIME, server.quick.wait(address)).await.ok().flatten().ok_or_else(busy)?;
    let place = Arc::new(Mutex::new(Some(first)));
    let held = Arc::clone(&place);
    let games = server.games;
    let work = move || {
        let answer = ask(games, game.as_deref(), question.name, &body, &limits, None);
        lock(&held).take();
        answer
    };
    let mut done = pin!(tokio::task::spawn_blocking(work));
    let finished = |answer: Result<Reply, _>| Ok(answer.unwrap_or_else(|_| Err(Refusal::internal()))?);
    if let Ok(answer) = tokio::time::timeout(QUICK, &mut done).await {
        return finished(answer);
    }
    let long = pin!(tokio::time::timeout(PATIENCE, server.long.wait(address)));
    match future::select(&mut done, long).await {
        Either::Left((answer, _)) => return finished(answer),
        Either::Right((long, _)) => {
            let long = long.ok().flatten().ok_or_else(busy)?;
            let mut place = lock(&place);
            // The work may have ended in the meantime.
            if place.is_some() {
                *place = Some(long);
            }
        }
    }
    match tokio::time::timeout(time + GRACE, done).await {
        Ok(answer) => finished(answer),
        Err(_) => Err(Refusal::from(Limit::Time).into()),
    }
}

async fn read_body(request: Request) -> Result<Value, HttpError> {
    let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if content_type.is_none_or(|kind| !kind.starts_with("application/json")) {
        let help = "send `Content-Type: application/json`";
        return Err(HttpError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported media type", help));
    }
    let too_large = || {
        let error = format!("the body is larger than {} kB, or incomplete", MOST_BODY >> 10);
        HttpError::new(StatusCode::PAYLOAD_TOO_LARGE, error, "send a smaller board; `kibitzer solve` accepts larger ones")
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
