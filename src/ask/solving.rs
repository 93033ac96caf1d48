//! The question `solve`: progress as events, and the report with what a page needs to show it.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::board::{BoardRequest, Replayed};
use super::{Answer, Asked, Event, Refusal};
use crate::catalog::{Choice, Entry, Puzzle};
use crate::limits::{Limits, Progress};
use crate::outcome::Why;
use crate::report::{self, Report, Written};
use crate::search;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SolveRequest {
    instance: String,
    #[serde(default)]
    options: Map<String, Value>,
    #[serde(default)]
    moves: Vec<Value>,
    method: Option<String>,
    /// Of weighted A*.
    weight: Option<f64>,
    /// The caller has the clock; only the form is checked here.
    seconds: Option<f64>,
}

pub fn solve(entry: &'static Entry, asked: &Asked) -> Answer {
    let SolveRequest { instance, options, moves, method, weight, seconds } = asked.read()?;
    let weight = match weight {
        None => Choice::default().weight,
        Some(weight) => search::weight_from(weight)
            .ok_or_else(|| Refusal::board("`weight` is not from 1 to 1000", "leave it out for the default, 2"))?,
    };
    if seconds.is_some_and(|seconds| !(0.0..=1e9).contains(&seconds)) {
        return Err(Refusal::board("`seconds` is not from 0 to 1e9", "leave it out for the default limit"));
    }
    let Replayed { here, .. } = BoardRequest { instance, options, moves }.read(entry, asked.limits)?;
    let choice = Choice { method, weight };
    here.method(&choice)?;
    let report = match asked.emit {
        None => here.solve(&choice, asked.limits)?,
        Some(emit) => {
            emit(&Event::Progress(Progress::default()));
            let (emit, sink) = (Arc::clone(emit), asked.limits.progress.clone());
            let both = move |progress: &Progress| {
                emit(&Event::Progress(*progress));
                if let Some(sink) = &sink {
                    sink(progress);
                }
            };
            here.solve(&choice, &Limits { progress: Some(Arc::new(both)), ..asked.limits.clone() })?
        }
    };
    Ok(written(&*here, &report))
}

/// The report with what a page needs besides: the moves of a plan or all winning moves as text, and the proof as an explanation.
fn written(puzzle: &dyn Puzzle, report: &Report) -> Value {
    let none: &[Written] = &[];
    let (plan, best, explanation) = match &report.answer {
        report::Answer::Solved { moves, .. } | report::Answer::Unknown { moves, .. } => (moves.as_slice(), none, None),
        report::Answer::Unsolvable { why: Why::Certificate(certificate) } => (none, none, Some(puzzle.show_proof(certificate))),
        report::Answer::Unsolvable { .. } => (none, none, None),
        report::Answer::Decided(decided) => (none, decided.best.as_slice(), None),
    };
    let texts = |moves: &[Written]| -> Value { moves.iter().map(|mv| mv.text.as_str()).collect() };
    // The seconds are the caller's to fill in.
    json!({"report": report.json(0.0), "plan": texts(plan), "best": texts(best), "explanation": explanation})
}
