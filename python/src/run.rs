//! A running solver, its answers, and its trace.

use std::sync::{Arc, Mutex, PoisonError};

use kibitzer::catalog::{self, Inside};
use kibitzer::games;
use kibitzer::limits::Limits;
use kibitzer::report;
use kibitzer::trace::{Line, header};
use kibitzer::viewer::page::Page;
use kibitzer::viewer::{moment, tree};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::errors::{refused, self_check};
use crate::session::Session;
use crate::supervise::{Effort, supervised};
use crate::value::to_python;

/// A checked answer, whose fields are converted to Python objects on demand.
#[pyclass(frozen, module = "kibitzer._native")]
pub struct Answer {
    report: report::Report,
    seconds: f64,
}

#[pymethods]
impl Answer {
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.report.json(self.seconds))
    }

    fn text(&self) -> String {
        self.report.text(self.seconds)
    }

    #[getter]
    fn verdict(&self) -> &'static str {
        self.report.verdict()
    }

    /// The moves of the plan in the game's notation.
    fn plan(&self) -> Vec<String> {
        self.report.plan().iter().map(|mv| mv.text.clone()).collect()
    }

    /// The best moves in a two-player game, in the game's notation.
    fn best(&self) -> Vec<String> {
        match &self.report.answer {
            report::Answer::Decided(decided) => decided.best.iter().map(|mv| mv.text.clone()).collect(),
            _ => Vec::new(),
        }
    }
}

/// A solver that can be run to a limit, inspected, and resumed.
#[pyclass(frozen, module = "kibitzer._native")]
pub struct Run {
    run: Mutex<Box<dyn catalog::Run + Send>>,
    #[pyo3(get)]
    method: String,
    game: &'static str,
    session: Option<Arc<Session>>,
}

impl Run {
    pub fn new(run: Box<dyn catalog::Run + Send>, method: String, game: &'static str, session: Option<Arc<Session>>) -> Run {
        Run { run: Mutex::new(run), method, game, session }
    }

    /// Locks the solver. Fails if another thread is using it.
    fn take(&self) -> PyResult<std::sync::MutexGuard<'_, Box<dyn catalog::Run + Send>>> {
        if self.session.as_ref().is_some_and(|session| session.failed()) {
            return Err(PyRuntimeError::new_err("this search ended with an exception; start a new one"));
        }
        match self.run.try_lock() {
            Ok(run) => Ok(run),
            Err(std::sync::TryLockError::Poisoned(poisoned)) => Ok(PoisonError::into_inner(poisoned)),
            Err(std::sync::TryLockError::WouldBlock) => Err(PyRuntimeError::new_err("this search is already running")),
        }
    }

    /// Wraps a report for Python.
    fn answer(&self, py: Python<'_>, report: Result<report::Report, catalog::SelfCheck>, seconds: f64) -> PyResult<Answer> {
        let report = report.map_err(|fault| self_check(py, &fault, self.session.is_some()))?;
        Ok(Answer { report, seconds })
    }
}

#[pymethods]
impl Run {
    /// Continues until there is an answer or a limit is reached. Also returns the exception if Ctrl-C ended the work.
    fn advance(&self, py: Python<'_>, effort: Effort) -> PyResult<(Answer, Option<PyErr>)> {
        let mut run = self.take()?;
        let run = &mut **run;
        let done = supervised(py, &effort, self.session.as_ref(), |limits| run.advance(limits))?;
        Ok((self.answer(py, done.value, done.seconds)?, done.interrupt))
    }

    /// Like [`Run::advance`], but records a line for every expanded state.
    fn trace(&self, py: Python<'_>, start: &str, states: bool, effort: Effort) -> PyResult<(Lines, Option<PyErr>)> {
        let mut run = self.take()?;
        let run = &mut **run;
        let mut lines = Vec::new();
        let done = supervised(py, &effort, self.session.as_ref(), |limits| run.trace(states, limits, &mut |line| lines.push(line)))?;
        let answer = Py::new(py, self.answer(py, done.value, done.seconds)?)?;
        let header = header(self.game, &self.method, start);
        Ok((Lines { header, lines, answer, game: self.game, start: start.to_owned(), own: self.session.is_some() }, done.interrupt))
    }

    fn resumes(&self) -> PyResult<bool> {
        Ok(self.take()?.resumes())
    }

    /// The open and closed states, the bounds and the counts, if the method shows them.
    fn look<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(Inside { open, closed, lower, upper, stats, last }) = self.take()?.look() else { return Ok(None) };
        let value = json!({
            "open": open, "closed": closed, "lower": lower, "upper": upper, "last": last,
            "expanded": stats.expanded, "generated": stats.generated, "stored": stats.stored, "peak_bytes": stats.peak_bytes,
        });
        to_python(py, &value).map(Some)
    }
}

/// A trace: the expanded states, in order.
#[pyclass(frozen, module = "kibitzer._native")]
pub struct Lines {
    header: Value,
    lines: Vec<Line>,
    #[pyo3(get)]
    answer: Py<Answer>,
    game: &'static str,
    start: String,
    own: bool,
}

#[pymethods]
impl Lines {
    fn __len__(&self) -> usize {
        self.lines.len()
    }

    fn header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.header)
    }

    fn line<'py>(&self, py: Python<'py>, at: usize) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.lines[at].json())
    }

    /// A sentence that explains why the search ended.
    fn moment(&self) -> String {
        moment(&self.answer.get().report)
    }

    /// The trace as `kibitzer trace --format jsonl` writes it.
    fn jsonl(&self) -> String {
        let Answer { report, seconds } = self.answer.get();
        let mut text = format!("{}\n", self.header);
        self.lines.iter().for_each(|line| text.push_str(&format!("{}\n", line.json())));
        text.push_str(&format!("{}\n", json!({"report": report.json(*seconds), "moment": moment(report)})));
        text
    }

    /// The search tree of the first `most` expanded states.
    fn svg(&self, py: Python<'_>, most: usize) -> PyResult<String> {
        let lines = &self.lines[..self.lines.len().min(most)];
        tree::draw(lines, &self.answer.get().report).svg(&Limits::none()).map_err(|error| refused(py, error))
    }

    /// A page that shows the search step by step, with the boards if the trace has them; `None` for a game written in Python.
    fn html(&self) -> Option<String> {
        let entry = games::find(self.game).filter(|_| !self.own)?;
        let Answer { report, seconds } = self.answer.get();
        let mut page = Page::new(entry, &report.method, &self.start);
        self.lines.iter().for_each(|line| page.add(line.clone(), &Limits::none()));
        Some(page.html(report, *seconds))
    }
}
