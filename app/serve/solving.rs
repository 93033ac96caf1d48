//! Solves as streams of events: how far it has come, and then the report. A solve ends when nobody reads its stream any
//! more, when its time or memory is over, or with its answer.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use kibitzer::catalog::{Choice, Puzzle, SolveError};
use kibitzer::limits::{Cancel, Limit, Limits, Progress, Sink};
use kibitzer::outcome::Why;
use kibitzer::report::{Answer, Report, Written};
use kibitzer::search::{WEIGHT_ONE, weight_from};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use super::Server;
use super::answer::Refusal;
use super::api::{self, Board};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Task {
    instance: String,
    #[serde(default)]
    options: Map<String, Value>,
    #[serde(default)]
    moves: Vec<Value>,
    method: Option<String>,
    /// Of weighted A*.
    weight: Option<f64>,
    seconds: Option<f64>,
}

/// How long a solve waits for its place: one that was stopped just now needs a moment to end.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two events.
const PERIOD: Duration = Duration::from_millis(100);

pub async fn solve(State(server): State<Arc<Server>>, Path(game): Path<String>, request: Request) -> Response {
    match begin(&server, &game, request).await {
        Ok(events) => {
            let mut events = events;
            let events = stream::poll_fn(move |context| events.poll_recv(context).map(|event| event.map(Ok::<_, Infallible>)));
            Sse::new(events).into_response()
        }
        Err(refusal) => refusal.into_response(),
    }
}

async fn begin(server: &Arc<Server>, game: &str, request: Request) -> Result<mpsc::Receiver<Event>, Refusal> {
    let entry = api::find_game(game)?;
    let Task { instance, options, moves, method, weight, seconds } = api::read_body(request).await?;
    let weight = match weight.unwrap_or(2.0) {
        weight if (1.0..=1000.0).contains(&weight) => weight_from(weight).unwrap_or(WEIGHT_ONE),
        _ => return Err(Refusal::board("a weight is from 1 to 1000", "leave `weight` out for 2")),
    };
    let seconds = seconds.unwrap_or(server.seconds);
    if !(0.0..=1e9).contains(&seconds) {
        return Err(Refusal::board("`seconds` is not a time", "leave it out for the server's limit"));
    }
    let seconds = seconds.min(server.seconds);
    let free = tokio::time::timeout(PATIENCE, Arc::clone(&server.solves).acquire_owned()).await;
    let place = free.ok().and_then(Result::ok).ok_or_else(|| {
        let error = format!("{} solves are running, which is all that this server does at a time", server.most_solves);
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, error, "stop one of them, or wait")
    })?;
    let read = move || -> Result<_, Refusal> {
        let (_, puzzle) = Board { instance, options, moves }.read(entry)?;
        let choice = Choice { method, weight };
        puzzle.method(&choice)?;
        Ok((puzzle, choice))
    };
    let (puzzle, choice) = tokio::task::spawn_blocking(read).await.unwrap_or_else(|_| Err(Refusal::internal()))?;
    let (events, stream) = mpsc::channel(16);
    let work = Work { puzzle, choice, seconds, bytes: server.bytes, events, _place: place };
    let name = "solve".to_owned();
    std::thread::Builder::new().name(name).spawn(|| work.run()).map_err(|_| Refusal::internal())?;
    Ok(stream)
}

struct Work {
    puzzle: Box<dyn Puzzle>,
    choice: Choice,
    seconds: f64,
    bytes: usize,
    events: mpsc::Sender<Event>,
    _place: OwnedSemaphorePermit,
}

impl Work {
    fn run(self) {
        let begun = Instant::now();
        let deadline = begun + Duration::from_secs_f64(self.seconds);
        let cancel = Cancel::default();
        let (events, flag, sent) = (self.events.clone(), cancel.clone(), Mutex::new(begun));
        let sink: Sink = Arc::new(move |progress| {
            let now = Instant::now();
            let mut sent = sent.lock().unwrap_or_else(PoisonError::into_inner);
            if now - *sent >= PERIOD {
                *sent = now;
                let Progress { expanded, generated, open, bytes, lower, upper } = *progress;
                let seconds = (now - begun).as_secs_f64();
                let data = json!({
                    "expanded": expanded, "generated": generated, "open": open, "bytes": bytes, "lower": lower, "upper": upper,
                    "seconds": seconds,
                });
                // A reader who is behind misses some.
                let _ = events.try_send(event("progress", &data));
            }
            if now >= deadline || events.is_closed() {
                flag.stop(Limit::Time);
            }
        });
        let limits = Limits { nodes: u64::MAX, bytes: self.bytes, cancel, progress: Some(sink) };
        let solved = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.puzzle.solve(&self.choice, &limits)));
        let seconds = begun.elapsed().as_secs_f64();
        let last = match solved {
            Ok(Ok(report)) => event("report", &written(&*self.puzzle, &report, seconds)),
            Ok(Err(SolveError::Choice(error))) => event("failure", Refusal::from(error).body()),
            Ok(Err(SolveError::SelfCheck(_))) | Err(_) => event("failure", Refusal::internal().body()),
        };
        let _ = self.events.blocking_send(last);
    }
}

fn event(name: &str, data: &Value) -> Event {
    Event::default().event(name).data(data.to_string())
}

/// The report with what a page needs besides: the moves of a plan or all winning moves as text, and the proof as an explanation.
fn written(puzzle: &dyn Puzzle, report: &Report, seconds: f64) -> Value {
    let none: &[Written] = &[];
    let (plan, best, explanation) = match &report.answer {
        Answer::Solved { moves, .. } | Answer::Unknown { moves, .. } => (moves.as_slice(), none, None),
        Answer::Unsolvable { why: Why::Certificate(certificate) } => (none, none, Some(puzzle.show_proof(certificate))),
        Answer::Unsolvable { .. } => (none, none, None),
        Answer::Decided(decided) => (none, decided.best.as_slice(), None),
    };
    let texts = |moves: &[Written]| -> Value { moves.iter().map(|mv| mv.text.as_str()).collect() };
    json!({"report": report.json(seconds), "plan": texts(plan), "best": texts(best), "remark": explanation})
}
