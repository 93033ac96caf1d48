//! The questions `solve` and `trace`: progress and expanded states as events, and the report with what a page needs to show it.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::board::{BoardRequest, Replayed};
use super::{Asked, Event, EventSink, Refusal, Reply};
use crate::catalog::{Choice, Entry, Puzzle, SolveError};
use crate::limits::{Limits, Progress};
use crate::outcome::Why;
use crate::report::{self, Report, Written};
use crate::search;
use crate::trace::Line;
use crate::viewer::moment;
use crate::viewer::page::Page;

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

impl SolveRequest {
    /// The board and the method.
    fn read(self, entry: &'static Entry, limits: &Limits) -> Result<(Box<dyn Puzzle>, Choice), Refusal> {
        let SolveRequest { instance, options, moves, method, weight, seconds } = self;
        let weight = match weight {
            None => Choice::default().weight,
            Some(weight) => search::weight_from(weight)
                .ok_or_else(|| Refusal::board("`weight` is not from 1 to 1000", "leave it out for the default, 2"))?,
        };
        if seconds.is_some_and(|seconds| !(0.0..=1e9).contains(&seconds)) {
            return Err(Refusal::board("`seconds` is not from 0 to 1e9", "leave it out for the default limit"));
        }
        let Replayed { here, .. } = BoardRequest { instance, options, moves }.read(entry, limits)?;
        let choice = Choice { method, weight };
        here.method(&choice)?;
        Ok((here, choice))
    }
}

pub fn solve(entry: &'static Entry, asked: &Asked) -> Reply {
    let (here, choice) = asked.read::<SolveRequest>()?.read(entry, asked.limits)?;
    let report = match asked.emit {
        None => here.solve(&choice, asked.limits)?,
        Some(emit) => {
            emit(&Event::Progress(Progress::default()));
            here.solve(&choice, &reporting(emit, asked.limits))?
        }
    };
    Ok(written(&*here, &report))
}

/// The same limits; progress also goes to `emit`.
fn reporting(emit: &EventSink, limits: &Limits) -> Limits {
    let (emit, sink) = (Arc::clone(emit), limits.progress.clone());
    let both = move |progress: &Progress| {
        emit(&Event::Progress(*progress));
        if let Some(sink) = &sink {
            sink(progress);
        }
    };
    Limits { progress: Some(Arc::new(both)), ..limits.clone() }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TraceRequest {
    instance: String,
    #[serde(default)]
    options: Map<String, Value>,
    #[serde(default)]
    moves: Vec<Value>,
    method: Option<String>,
    weight: Option<f64>,
    seconds: Option<f64>,
    /// Most states to expand.
    nodes: Option<u64>,
    /// With their boards?
    #[serde(default)]
    states: bool,
    /// All of it as a document, instead of lines?
    #[serde(default)]
    html: bool,
}

/// Most states that are shown, and how many unless the request says otherwise.
const MOST_NODES: u64 = 200_000;
const NODES: u64 = 20_000;
/// Most lines that are sent together. The first ones go one by one, so that there is something to see at once.
const TOGETHER: u64 = 64;

/// Lines go out as events or, without a receiver of events, with the answer.
pub fn trace(entry: &'static Entry, asked: &Asked) -> Reply {
    let TraceRequest { instance, options, moves, method, weight, seconds, nodes, states, html } = asked.read()?;
    let nodes = nodes.unwrap_or(NODES);
    if !(1..=MOST_NODES).contains(&nodes) {
        return Err(Refusal::board("`nodes` is not from 1 to 200000", "`kibitzer trace` traces larger searches into a file"));
    }
    let (here, choice) = SolveRequest { instance, options, moves, method, weight, seconds }.read(entry, asked.limits)?;
    let limits = asked.limits.with_nodes(nodes);
    let limits = match asked.emit {
        None => limits,
        Some(emit) => {
            emit(&Event::Progress(Progress::default()));
            reporting(emit, &limits)
        }
    };
    if html {
        let mut page = Page::new(entry, &here.method(&choice)?, &here.instance());
        let report = here.begin(&choice)?.trace(true, &limits, &mut |line| page.add(line, &limits)).map_err(SolveError::from)?;
        let mut answer = traced(&*here, &report);
        answer["html"] = json!(page.html(&report, 0.0));
        return Ok(answer);
    }
    let mut lines: Vec<Value> = Vec::new();
    let mut each = |line: Line| {
        lines.push(line.json());
        if let Some(emit) = asked.emit
            && lines.len() as u64 >= TOGETHER.min(1 + line.n / 8)
        {
            emit(&Event::Lines(std::mem::take(&mut lines)));
        }
    };
    let report = here.begin(&choice)?.trace(states, &limits, &mut each).map_err(SolveError::from)?;
    let mut answer = traced(&*here, &report);
    match asked.emit {
        None => answer["lines"] = json!(lines),
        Some(emit) if !lines.is_empty() => emit(&Event::Lines(lines)),
        Some(_) => {}
    }
    Ok(answer)
}

/// The report with what a page needs besides, and why the search ended.
fn traced(puzzle: &dyn Puzzle, report: &Report) -> Value {
    let mut answer = written(puzzle, report);
    answer["moment"] = json!(moment(report));
    answer
}

/// The report with what a page needs besides: the moves of a plan or all winning moves as text, and the proof as an explanation.
fn written(puzzle: &dyn Puzzle, report: &Report) -> Value {
    let none: &[Written] = &[];
    let (best, explanation) = match &report.answer {
        report::Answer::Unsolvable { why: Why::Certificate(certificate) } => (none, Some(puzzle.show_proof(certificate))),
        report::Answer::Decided(decided) => (decided.best.as_slice(), None),
        _ => (none, None),
    };
    let texts = |moves: &[Written]| -> Value { moves.iter().map(|mv| mv.text.as_str()).collect() };
    // The seconds are the caller's to fill in.
    json!({"report": report.json(0.0), "plan": texts(report.plan()), "best": texts(best), "explanation": explanation})
}
