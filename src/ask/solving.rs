//! The questions `solve` and `trace`: progress and expanded states as events, and the report in the form that a page shows.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::board::{BoardRequest, Replayed};
use super::{Asked, Event, Refusal, Reply};
use crate::catalog::{Choice, Entry, Puzzle, SolveError};
use crate::gamegraph::order::Order;
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
    #[serde(flatten)]
    board: BoardRequest,
    #[serde(flatten)]
    method: MethodRequest,
    /// `count` to also count the least-cost plans, or a number to also list at most that many of them.
    plans: Option<PlansRequest>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum PlansRequest {
    Word(PlansWord),
    Most(u64),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum PlansWord {
    Count,
}

/// Maximum number of plans to list.
const MOST_PLANS: u64 = 1000;

#[derive(Deserialize)]
struct MethodRequest {
    method: Option<String>,
    /// The weight of weighted A*.
    weight: Option<f64>,
    /// The order of moves in methods for two players: a name in [`ORDERS`](crate::gamegraph::order::ORDERS).
    order: Option<String>,
    /// The time limit. The caller applies it, because the library has no clock. Here it is only validated.
    seconds: Option<f64>,
}

impl MethodRequest {
    /// Reads the board and chooses the method.
    fn read(self, board: &BoardRequest, entry: &'static Entry, limits: &Limits) -> Result<(Box<dyn Puzzle>, Choice), Refusal> {
        let weight = match self.weight {
            None => Choice::default().weight,
            Some(weight) => search::weight_from(weight)
                .ok_or_else(|| Refusal::board("`weight` must be from 1 to 1000", "omit it for the default, 2"))?,
        };
        let order = |name: String| {
            let refused = || Refusal::board("`order` must be game, none or history", "omit it for the default, game");
            Order::find(&name).ok_or_else(refused)
        };
        let order = self.order.map(order).transpose()?;
        check_seconds(self.seconds)?;
        let Replayed { here, .. } = board.read(entry, limits)?;
        let choice = Choice { method: self.method, weight, order };
        here.method(&choice)?;
        Ok((here, choice))
    }
}

/// Refuses an invalid time limit.
pub(super) fn check_seconds(seconds: Option<f64>) -> Result<(), Refusal> {
    match seconds.is_some_and(|seconds| !(0.0..=1e9).contains(&seconds)) {
        true => Err(Refusal::board("`seconds` must be from 0 to 1e9", "omit it for the default limit")),
        false => Ok(()),
    }
}

pub fn solve(entry: &'static Entry, asked: &Asked) -> Reply {
    let SolveRequest { board, method, plans } = asked.read()?;
    let list = match &plans {
        None | Some(PlansRequest::Word(PlansWord::Count)) => None,
        Some(PlansRequest::Most(most @ 1..=MOST_PLANS)) => Some(*most),
        Some(PlansRequest::Most(_)) => {
            return Err(Refusal::board("`plans` must be `count` or from 1 to 1000", "`kibitzer solve --plans` lists more"));
        }
    };
    let (here, choice) = method.read(&board, entry, asked.limits)?;
    let limits = accepted(asked, asked.limits.clone());
    let mut report = here.solve(&choice, &limits)?;
    if plans.is_some() {
        here.count_plans(&mut report, list, &limits)?;
    }
    Ok(written(&*here, &report))
}

/// Sends the first event, which means that the request was accepted. Returns limits that also report progress as events.
pub(super) fn accepted(asked: &Asked, limits: Limits) -> Limits {
    let Some(emit) = asked.emit.cloned() else { return limits };
    emit(&Event::Progress(Progress::default()));
    let sink = limits.progress.clone();
    let both = move |progress: &Progress| {
        emit(&Event::Progress(*progress));
        if let Some(sink) = &sink {
            sink(progress);
        }
    };
    Limits { progress: Some(Arc::new(both)), ..limits }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TraceRequest {
    #[serde(flatten)]
    board: BoardRequest,
    #[serde(flatten)]
    method: MethodRequest,
    /// Maximum number of states to expand.
    nodes: Option<u64>,
    /// True if lines should contain the boards of their states.
    #[serde(default)]
    states: bool,
    /// True if the answer should be an HTML document instead of lines.
    #[serde(default)]
    html: bool,
}

/// Maximum value of `nodes`.
const MOST_NODES: u64 = 200_000;
/// Default value of `nodes`.
const NODES: u64 = 20_000;
/// Maximum number of lines in one event. The first lines are sent one at a time, so that a page can show something at once.
const TOGETHER: u64 = 64;

/// Sends lines as events or, if there is no event sink, returns them with the answer.
pub fn trace(entry: &'static Entry, asked: &Asked) -> Reply {
    let TraceRequest { board, method, nodes, states, html } = asked.read()?;
    let nodes = nodes.unwrap_or(NODES);
    if !(1..=MOST_NODES).contains(&nodes) {
        return Err(Refusal::board("`nodes` must be from 1 to 200000", "`kibitzer trace` traces larger searches into a file"));
    }
    let (here, choice) = method.read(&board, entry, asked.limits)?;
    let limits = accepted(asked, asked.limits.with_nodes(nodes));
    if html {
        let mut page = Page::new(entry, &here.method(&choice)?, &here.instance());
        page.set_order(choice.order);
        let report = here.begin(&choice)?.trace(true, &limits, &mut |line| page.add(line, &limits)).map_err(SolveError::from)?;
        let mut answer = traced(&*here, &report);
        page.set_places(places(&*here, &report));
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

/// Like [`written`], but also reports why the search ended and the places along the plan.
fn traced(puzzle: &dyn Puzzle, report: &Report) -> Value {
    let mut answer = written(puzzle, report);
    answer["moment"] = json!(moment(report));
    answer["places"] = json!(places(puzzle, report));
    answer
}

/// The places along the plan, if the game has places.
fn places(puzzle: &dyn Puzzle, report: &Report) -> Vec<String> {
    let plan: Vec<Value> = report.plan().iter().map(|mv| mv.json.clone()).collect();
    puzzle.places(&plan)
}

/// The report and, for pages, the plan or all winning moves as text and the proof as an explanation.
fn written(puzzle: &dyn Puzzle, report: &Report) -> Value {
    let none: &[Written] = &[];
    let (best, explanation) = match &report.answer {
        report::Answer::Unsolvable { why: Why::Certificate(certificate) } => (none, Some(puzzle.show_proof(certificate))),
        report::Answer::Decided(decided) => (decided.best.as_slice(), None),
        _ => (none, None),
    };
    let texts = |moves: &[Written]| -> Value { moves.iter().map(|mv| mv.text.as_str()).collect() };
    // The caller fills in the seconds.
    json!({"report": report.json(0.0), "plan": texts(report.plan()), "best": texts(best), "explanation": explanation})
}
