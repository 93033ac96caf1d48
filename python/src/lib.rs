//! The library in Python. This crate is the part that must be fast or must reach into the library; what can be written in
//! Python is, in `kibitzer/`, where it is typed and documented.
//!
//! * [`board`]: a board and everything that can be asked about it; [`run`]: a solver at work, its answer and its trace
//! * [`supervise`]: limits, progress and Ctrl-C, while Python's other threads go on; [`interrupt`]: the signal
//! * [`problem`], [`duel`]: games written in Python, over [`session`], which keeps their states and their exceptions
//! * [`bitmap`]: boards of millions of cells, from arrays and back

mod bitmap;
mod board;
mod duel;
mod errors;
mod interrupt;
mod problem;
mod run;
mod session;
mod supervise;
mod value;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use kibitzer::ask::{Kind, Refusal, set_seconds};
use kibitzer::catalog::census;
use kibitzer::games::GAMES;
use kibitzer::graph::formats::read_simple;
use kibitzer::limits::Limits;
use kibitzer::notation::{Input, OptionSpec, Options, ParseError, ReadError, Source};
use kibitzer::report::tool_json;
use kibitzer::tools::ToolError;
use pyo3::prelude::*;
use serde_json::Value;

use crate::board::{find, options};
use crate::errors::{raise, refused};
use crate::supervise::{Effort, supervised};
use crate::value::to_python;

/// One of the library's questions, answered as JSON: what every front end asks.
#[pyfunction]
#[pyo3(name = "ask")]
fn question<'py>(py: Python<'py>, game: Option<&str>, question: &str, body: &str, effort: Effort) -> PyResult<Bound<'py, PyAny>> {
    let body: Value = serde_json::from_str(body).map_err(|error| raise(py, &Refusal::body(format!("invalid JSON: {error}"))))?;
    let done = supervised(py, &effort, None, |limits| kibitzer::ask::ask(game, question, &body, limits, None))?;
    let seconds = done.seconds;
    let mut answer = done.whole()?.map_err(|refusal| raise(py, &refusal))?;
    set_seconds(&mut answer, seconds);
    to_python(py, &answer)
}

/// A random board as text.
#[pyfunction]
fn generate(py: Python<'_>, game: &str, seed: u64, given: Vec<(String, String)>, effort: Effort) -> PyResult<String> {
    let entry = find(py, game)?;
    let options = options(py, &given, &entry.generate_options.unwrap_or_default().iter().collect::<Vec<_>>())?;
    let done = supervised(py, &effort, None, |limits| (entry.generate)(seed, &options, limits))?;
    done.whole()?.map_err(|error| refused(py, error))
}

/// A command of a game's own, such as `edcn`.
#[pyfunction]
fn tool<'py>(py: Python<'py>, name: &str, text: &str, effort: Effort) -> PyResult<Bound<'py, PyAny>> {
    let tool = GAMES.iter().flat_map(|entry| entry.tools).find(|tool| tool.name == name);
    let tool = tool.ok_or_else(|| raise(py, &Refusal::new(Kind::Unknown, format!("there is no tool `{name}`"), "see `about`")))?;
    let done = supervised(py, &effort, None, |limits| (tool.run)(&Input::new(text, &Options::default(), limits)))?;
    let seconds = done.seconds;
    let found = done.whole()?.map_err(|error| match error {
        ToolError::Read(error) => refused(py, error),
        ToolError::SelfCheck(fault) => raise(py, &Refusal::new(Kind::Internal, fault, "please report this with the graph")),
    })?;
    to_python(py, &tool_json(&found, seconds))
}

/// Names of vertices, and edges as pairs of places in that list.
type NamedGraph = (Vec<String>, Vec<(usize, usize)>);

/// A graph in any of the formats.
#[pyfunction]
fn read_graph(py: Python<'_>, text: &str) -> PyResult<NamedGraph> {
    let graph = read_simple(&Source::new(text)).map_err(|error| refused(py, ReadError::from(error)))?;
    Ok(((0..graph.len()).map(|vertex| graph.name(vertex)).collect(), graph.edges().collect()))
}

/// A line of a census: its number and its fields.
type Row = (usize, Vec<String>);

/// A game decided on many boards, on some threads: the columns, and a row for every line that holds a board. Rows are in the
/// order of the lines. `told` gets the number of rows so far, through the effort's progress.
#[pyfunction]
fn census_rows(
    py: Python<'_>,
    game: &str,
    lines: Vec<String>,
    given: Vec<(String, String)>,
    threads: usize,
    effort: Effort,
) -> PyResult<(Vec<&'static str>, Vec<Row>, bool)> {
    let entry = find(py, game)?;
    let Some(survey) = &entry.census else {
        let names: Vec<&str> = GAMES.iter().filter(|entry| entry.census.is_some()).map(|entry| entry.name).collect();
        let message = format!("there is no census of {game}: its boards do not fit on a line");
        return Err(raise(py, &Refusal::new(Kind::Board, message, format!("there is one of {}", names.join(", ")))));
    };
    let known: Vec<&OptionSpec> = survey.options.iter().chain(census::OPTIONS).collect();
    let options = options(py, &given, &known)?;
    let done = supervised(py, &effort, None, |limits| {
        let (next, rows, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Mutex::new(None));
        let work = |limits: &Limits| {
            while limits.check().is_ok() {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(line) = lines.get(at).map(|line| line.trim()) else { return };
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                match (survey.row)(&Input::new(line, &options, limits)) {
                    Ok(Some(row)) if limits.check().is_ok() => {
                        rows.lock().unwrap_or_else(PoisonError::into_inner).push((at, row));
                    }
                    Ok(_) | Err(ReadError::Stopped(_)) => {}
                    Err(error) => {
                        let error = match error {
                            ReadError::Text(error) => ReadError::Text(ParseError { line: at + 1, ..error }),
                            other => other,
                        };
                        let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                        // The first line that is wrong, whichever thread comes to one first.
                        if failed.as_ref().is_none_or(|(line, _)| *line > at) {
                            *failed = Some((at, error));
                        }
                        return;
                    }
                }
            }
        };
        // Work that reports no progress of its own: the sink is for all of it, and asked by one thread.
        let quiet = Limits { progress: None, ..limits.clone() };
        std::thread::scope(|scope| {
            (1..threads.max(1)).for_each(|_| _ = scope.spawn(|| work(&quiet)));
            work(limits);
        });
        let mut rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
        rows.sort_unstable_by_key(|(at, _): &Row| *at);
        let whole = limits.check().is_ok();
        failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok((rows, whole)), |(_, error)| Err(error))
    })?;
    let (rows, whole) = done.whole()?.map_err(|error| refused(py, error))?;
    Ok((survey.columns().map(|(name, _)| name).collect(), rows, whole))
}

/// The native part of the package.
#[pymodule(gil_used = true)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let main: u64 = py.import("threading")?.call_method0("main_thread")?.getattr("ident")?.extract()?;
    interrupt::remember_main_thread(main);
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<board::Board>()?;
    module.add_class::<run::Run>()?;
    module.add_class::<run::Answer>()?;
    module.add_class::<run::Lines>()?;
    module.add_class::<bitmap::Bits>()?;
    module.add_function(wrap_pyfunction!(question, module)?)?;
    module.add_function(wrap_pyfunction!(generate, module)?)?;
    module.add_function(wrap_pyfunction!(tool, module)?)?;
    module.add_function(wrap_pyfunction!(read_graph, module)?)?;
    module.add_function(wrap_pyfunction!(census_rows, module)?)?;
    Ok(())
}
