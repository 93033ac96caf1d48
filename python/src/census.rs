//! Solving many boards, one per line, on several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use kibitzer::ask::Refusal;
use kibitzer::games::GAMES;
use kibitzer::limits::{Limit, Limits, Progress};
use kibitzer::notation::{Input, OptionSpec, ParseError, ReadError};
use pyo3::prelude::*;

use crate::board::{find, options};
use crate::errors::refused;
use crate::session::lock;
use crate::supervise::{Effort, supervised};

/// A row of a census: the index of its input line, and its fields.
type Row = (usize, Vec<String>);

/// Columns, rows in line order, the limit that ended the census early, and the exception if Ctrl-C ended it.
type Census = (Vec<&'static str>, Vec<Row>, Option<&'static str>, Option<PyErr>);

/// Solves many boards on `threads` threads. Progress counts rows.
#[pyfunction]
pub fn census_rows(
    py: Python<'_>,
    game: &str,
    lines: Vec<String>,
    given: Vec<(String, String)>,
    threads: usize,
    effort: Effort,
) -> PyResult<Census> {
    let entry = find(py, game)?;
    let Some(survey) = &entry.census else {
        let names: Vec<&str> = GAMES.iter().filter(|entry| entry.census.is_some()).map(|entry| entry.name).collect();
        let message = format!("{game} has no census: its boards need more than one line");
        return Err(refused(py, Refusal::board(message, format!("games with a census: {}", names.join(", ")))));
    };
    let known: Vec<&OptionSpec> = survey.options().collect();
    let options = options(py, &given, &known)?;
    let done = supervised(py, &effort, None, |limits| {
        let (next, rows, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Mutex::new(None));
        // One thread reports the progress of all threads.
        let quiet = Limits { progress: None, ..limits.clone() };
        let work = |limits: &Limits| {
            while limits.check().is_ok() {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(line) = lines.get(at).map(|line| line.trim()) else { return };
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                match (survey.row)(&Input::new(line, &options, &quiet)) {
                    Ok(Some(row)) if limits.check().is_ok() => {
                        let mut rows = lock(&rows);
                        rows.push((at, row));
                        let (done, left) = (rows.len() as u64, lines.len().saturating_sub(at + 1) as u64);
                        drop(rows);
                        let _ = limits.report(&Progress { expanded: done, generated: done, open: left, ..Progress::default() });
                    }
                    Ok(_) | Err(ReadError::Stopped(_)) => {}
                    Err(error) => {
                        let error = match error {
                            ReadError::Text(error) => ReadError::Text(ParseError { line: at + 1, ..error }),
                            other => other,
                        };
                        let mut failed = lock(&failed);
                        // Keep the error from the first invalid line, not the one found first.
                        if failed.as_ref().is_none_or(|(line, _)| *line > at) {
                            *failed = Some((at, error));
                        }
                        return;
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            (1..threads.max(1)).for_each(|_| _ = scope.spawn(|| work(&quiet)));
            work(limits);
        });
        let mut rows = std::mem::take(&mut *lock(&rows));
        rows.sort_unstable_by_key(|(at, _): &Row| *at);
        let limit = limits.check().err().map(Limit::name);
        lock(&failed).take().map_or(Ok((rows, limit)), |(_, error)| Err(error))
    })?;
    let (rows, limit) = done.value.map_err(|error| refused(py, error))?;
    Ok((survey.columns().map(|(name, _)| name).collect(), rows, limit, done.interrupt))
}
