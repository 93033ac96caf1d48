//! The native module of the Python package. This module contains only the code that must be fast or needs the library. Everything else is
//! written, typed and documented in Python, in `kibitzer/`.
//!
//! * `board`: a board and all operations on it; `run`: a running solver, its answer and its trace
//! * `supervise`: limits, progress and Ctrl-C, while Python's other threads run; `interrupt`: the signal handler
//! * `problem`, `duel`: games written in Python; `own`: their common part; `session`: their states and exceptions
//! * `census`: a game solved on many boards; `bitmap`: boards with millions of cells, as arrays

mod bitmap;
mod board;
mod census;
mod duel;
mod errors;
mod interrupt;
mod own;
mod pattern;
mod problem;
mod run;
mod session;
mod supervise;
mod table;
mod value;

use kibitzer::ask::{Kind, Refusal, set_seconds};
use kibitzer::catalog::Entry;
use kibitzer::games::GAMES;
use kibitzer::graph::formats::read_simple;
use kibitzer::notation::{Input, Options, ReadError, Source};
use kibitzer::report::tool_json;
use pyo3::prelude::*;
use serde_json::Value;

use crate::board::{find, options, parse};
use crate::errors::{refused, tool_failed};
use crate::supervise::{Effort, supervised};
use crate::value::to_python;

/// Answers one of the questions that all front ends share.
#[pyfunction]
#[pyo3(name = "ask")]
fn question<'py>(py: Python<'py>, game: Option<&str>, question: &str, body: &str, effort: Effort) -> PyResult<Bound<'py, PyAny>> {
    let body: Value = parse(py, body)?;
    let done = supervised(py, &effort, None, |limits| kibitzer::ask::ask(GAMES, game, question, &body, limits, None))?;
    let seconds = done.seconds;
    let mut answer = done.whole()?.map_err(|refusal| refused(py, refusal))?;
    set_seconds(&mut answer, seconds);
    to_python(py, &answer)
}

/// Generates a random board, as text.
#[pyfunction]
fn generate(py: Python<'_>, game: &str, seed: u64, given: Vec<(String, String)>, effort: Effort) -> PyResult<String> {
    let entry = find(py, game)?;
    let options = options(py, &given, &entry.generate_options.unwrap_or_default().iter().collect::<Vec<_>>())?;
    let done = supervised(py, &effort, None, |limits| (entry.generate)(seed, &options, limits))?;
    done.whole()?.map_err(|error| refused(py, error))
}

/// Runs a game-specific command, such as `edcn`.
#[pyfunction]
fn tool<'py>(py: Python<'py>, name: &str, text: &str, effort: Effort) -> PyResult<Bound<'py, PyAny>> {
    let tool = GAMES.iter().flat_map(Entry::commands).find(|tool| tool.name == name);
    let tool = tool.ok_or_else(|| refused(py, Refusal::new(Kind::Unknown, format!("unknown tool `{name}`"), "see `about`")))?;
    let done = supervised(py, &effort, None, |limits| (tool.run)(&Input::new(text, &Options::default(), limits)))?;
    let seconds = done.seconds;
    let found = done.whole()?.map_err(|error| tool_failed(py, error))?;
    to_python(py, &tool_json(&found, seconds))
}

/// Vertex names, and edges as pairs of indices into that list.
type NamedGraph = (Vec<String>, Vec<(usize, usize)>);

/// Reads a graph in any supported format.
#[pyfunction]
fn read_graph(py: Python<'_>, text: &str) -> PyResult<NamedGraph> {
    let graph = read_simple(&Source::new(text)).map_err(|error| refused(py, ReadError::from(error)))?;
    Ok(((0..graph.len()).map(|vertex| graph.name(vertex)).collect(), graph.edges().collect()))
}

/// Converts a graph in any supported format to graph6, on one line.
#[pyfunction]
fn graph6(py: Python<'_>, text: &str) -> PyResult<String> {
    let graph = read_simple(&Source::new(text)).map_err(|error| refused(py, ReadError::from(error)))?;
    Ok(kibitzer::graph::formats::graph6::write(&graph).trim_end().to_owned())
}

/// The time limit, in seconds, for the next method of a comparison; see [`kibitzer::compare::Share`].
#[pyfunction]
fn share(time: Option<f64>, passed: f64, methods: usize) -> f64 {
    kibitzer::compare::Share::of(time, passed, methods).time
}

/// The package's native module.
#[pymodule(gil_used = true)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    supervise::quiet_panics();
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
    module.add_function(wrap_pyfunction!(graph6, module)?)?;
    module.add_function(wrap_pyfunction!(share, module)?)?;
    py.import("atexit")?.call_method1("register", (wrap_pyfunction!(supervise::shut_down, module)?,))?;
    module.add_function(wrap_pyfunction!(census::census_rows, module)?)?;
    Ok(())
}
