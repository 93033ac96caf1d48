//! Answers streaming questions with server-sent events: the events of the question, and at the end its answer as `report` or a refusal as
//! `failure`. For any other question that takes a while, a client that accepts events receives `thinking` at intervals, and the answer at
//! the end. The work stops when the client closes the stream.

use std::convert::Infallible;
use std::future::ready;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, StreamExt};
use kibitzer::ask::{self, EventSink, Question, Refusal, Reply};
use kibitzer::report::count;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use super::Server;
use super::answer::HttpError;
use super::watch::Pending;
use crate::parallel::lock;

/// Maximum time that a solve waits for a permit, because another solve that was just stopped needs a moment to end.
const PATIENCE: Duration = Duration::from_secs(1);
/// Interval between `thinking` events.
const BEAT: Duration = Duration::from_secs(1);
/// Minimum interval between progress events.
const PERIOD: Duration = Duration::from_millis(100);

pub async fn respond(server: &Server, question: &'static Question, game: Option<String>, body: Value) -> Result<Response, HttpError> {
    let permit = tokio::time::timeout(PATIENCE, Arc::clone(&server.solves).acquire_owned()).await;
    let permit = permit.ok().and_then(Result::ok).ok_or_else(|| {
        let error = format!("too many requests: this server runs at most {} at a time", count(server.most_solves as u64, "solve"));
        HttpError::new(StatusCode::TOO_MANY_REQUESTS, error, "stop one of them, or wait")
    })?;
    // The library later rejects an invalid value of `seconds`.
    let seconds = body["seconds"].as_f64().map_or(server.seconds, |seconds| seconds.clamp(0.0, server.seconds));
    let pending = Pending::new(Duration::from_secs_f64(seconds), server.bytes, server.most_resident);
    let limits = pending.limits.clone();
    let (events, mut reader) = mpsc::channel(16);
    // The answer has its own channel, so that a client that does not read cannot block the thread.
    let (sender, answer) = oneshot::channel();
    let begun = Instant::now();
    let emit = emitter(events, begun);
    let games = server.games;
    let work = move || {
        let answer = catch_unwind(AssertUnwindSafe(|| ask::ask(games, game.as_deref(), question.name, &body, &limits, Some(&emit))));
        let mut answer = answer.unwrap_or_else(|_| Err(Refusal::internal()));
        if let Ok(answer) = &mut answer {
            ask::set_seconds(answer, begun.elapsed().as_secs_f64());
        }
        drop(permit);
        let _ = sender.send(answer);
    };
    // A solve runs outside the thread pool, because it may take minutes.
    let thread = std::thread::Builder::new().name(question.name.to_owned()).spawn(work);
    thread.map_err(|_| Refusal::internal())?;

    let answer = async { answer.await.unwrap_or_else(|_| Err(Refusal::internal())) };
    let Some(first) = reader.recv().await else {
        // The answer was ready before any event, so the stream contains only the answer.
        return Ok(sse(stream::once(ready(last(Ok(answer.await?))))));
    };
    let rest = stream::poll_fn(move |context| reader.poll_recv(context));
    let end = stream::once(async move {
        let _pending = pending;
        last(answer.await)
    });
    Ok(sse(stream::once(ready(first)).chain(rest).chain(end)))
}

/// Sends `thinking` events until there is an answer.
pub fn thinking(answer: Pin<Box<impl Future<Output = Result<Value, HttpError>> + Send + 'static>>) -> Response {
    let begun = Instant::now();
    sse(stream::unfold(Some((answer, Duration::ZERO)), move |state| async move {
        let (mut answer, pause) = state?;
        Some(match tokio::time::timeout(pause, &mut answer).await {
            Ok(Ok(value)) => (event("report", &value), None),
            Ok(Err(error)) => (event("failure", error.json()), None),
            Err(_) => (event("thinking", &json!({"seconds": begun.elapsed().as_secs_f64()})), Some((answer, BEAT))),
        })
    }))
}

fn sse(events: impl stream::Stream<Item = Event> + Send + 'static) -> Response {
    Sse::new(events.map(Ok::<_, Infallible>)).into_response()
}

/// Sends every batch of lines, but progress at most once per [`PERIOD`].
fn emitter(events: mpsc::Sender<Event>, begun: Instant) -> EventSink {
    let sent: Mutex<Option<Instant>> = Mutex::new(None);
    Arc::new(move |emitted| {
        let now = Instant::now();
        if let ask::Event::Lines(_) = emitted {
            // Waits for a slow reader. A reader that disconnects stops the work.
            let _ = events.blocking_send(event(emitted.name(), &emitted.json((now - begun).as_secs_f64())));
            return;
        }
        let mut sent = lock(&sent);
        if sent.is_none_or(|sent| now - sent >= PERIOD) {
            *sent = Some(now);
            // A slow reader misses some progress events.
            let _ = events.try_send(event(emitted.name(), &emitted.json((now - begun).as_secs_f64())));
        }
    })
}

fn last(answer: Reply) -> Event {
    match answer {
        Ok(answer) => event("report", &answer),
        Err(refusal) => event("failure", &refusal.json()),
    }
}

fn event(name: &str, data: &Value) -> Event {
    Event::default().event(name).data(data.to_string())
}
