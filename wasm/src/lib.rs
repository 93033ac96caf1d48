//! The library in a browser tab: questions arrive as JSON, and answers and events are returned as JSON.
//!
//! The interface consists of a few plain functions, so it needs no tool besides the compiler. `web/page/engine/worker.js` is the
//! other side.
//!
//! 1. The host writes a question, `{"game", "question", "body"}`, into the buffer that [`room`] returns, and calls [`answer`].
//! 2. The host's `emit` receives events and finally the answer or the refusal.
//!
//! A worker has one thread, so the limit check also reads the clock and the memory size (`watch.rs`). When a client
//! disconnects, its worker is terminated, and so is any question in progress.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use kibitzer::ask::{self, Event, Refusal};
use kibitzer::limits::Limits;
use serde_json::Value;

mod host;
// Outside a browser, other threads watch the limits.
#[cfg(target_arch = "wasm32")]
mod watch;

use host::Kind;

/// Minimum number of milliseconds between progress reports.
const PERIOD: f64 = 100.0;

/// The host's question.
static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Returns a buffer of `length` bytes for the next question.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    let mut buffer = BUFFER.lock().unwrap_or_else(PoisonError::into_inner);
    buffer.clear();
    buffer.resize(length, 0);
    buffer.as_mut_ptr()
}

/// Answers the question in the buffer within these limits.
#[unsafe(no_mangle)]
pub extern "C" fn answer(seconds: f64, bytes: f64) {
    host::report_panics();
    let question = std::mem::take(&mut *BUFFER.lock().unwrap_or_else(PoisonError::into_inner));
    let (kind, value) = match respond(&question, seconds, bytes) {
        Ok(value) => (Kind::Answer, value),
        Err(refusal) => (Kind::Refusal, refusal.json()),
    };
    host::emit(kind, &value.to_string());
}

fn respond(question: &[u8], seconds: f64, bytes: f64) -> ask::Reply {
    let begun = host::now();
    let elapsed = move || (host::now() - begun) / 1000.0;
    let value: Value = serde_json::from_slice(question).map_err(|error| Refusal::body(format!("invalid JSON: {error}")))?;
    let limits = Limits { bytes: bytes as usize, ..Limits::none() };
    let until = begun + 1000.0 * seconds;
    #[cfg(target_arch = "wasm32")]
    let _watched = watch::begin(&limits, until);
    #[cfg(not(target_arch = "wasm32"))]
    let _ = until;
    // The time of the last progress report, as bits.
    let last = AtomicU64::new(f64::NEG_INFINITY.to_bits());
    let emit: ask::EventSink = Arc::new(move |event| {
        let now = host::now();
        if let Event::Progress(_) = event {
            if now - f64::from_bits(last.load(Ordering::Relaxed)) < PERIOD {
                return;
            }
            last.store(now.to_bits(), Ordering::Relaxed);
        }
        let kind = if matches!(event, Event::Progress(_)) { Kind::Progress } else { Kind::Lines };
        host::emit(kind, &event.json(elapsed()).to_string());
    });
    let name = value["question"].as_str().unwrap_or_default();
    let streams = ask::Question::find(name).is_some_and(|question| question.streams);
    let mut answer = ask::ask(kibitzer::games::GAMES, value["game"].as_str(), name, &value["body"], &limits, streams.then_some(&emit))?;
    ask::set_seconds(&mut answer, elapsed());
    Ok(answer)
}
