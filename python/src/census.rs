//! Solving many boards, one per line, on several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use kibitzer::ask::{Kind, Refusal, instances};
use kibitzer::catalog::{Choice, Entry, SelfCheck, Survey};
use kibitzer::limits::{Limit, Limits, Progress};
use kibitzer::notation::{Input, OptionSpec, Options, ParseError, ReadError};
use pyo3::prelude::*;

use crate::board::{find, options};
use crate::errors::refused;
use crate::session::lock;
use crate::supervise::{Effort, supervised};

/// A row of a census: the index of its input line, and its fields.
type Row = (usize, Vec<String>);

/// The columns, the rows in line order, the limit that ended the census early, and the exception if Ctrl-C ended the census.
type Census = (Vec<&'static str>, Vec<Row>, Option<&'static str>, Option<PyErr>);

/// The kind of a table.
enum Rows {
    /// The game's own table.
    Survey(&'static Survey, Options),
    /// The results of a method.
    Solving(&'static Entry, Choice, Options),
}

/// The columns of the results of a method, which are the same as in the program.
const COLUMNS: [&str; 6] = ["verdict", "cost", "optimal", "expanded", "generated", "seconds"];

impl Rows {
    /// The fields of the row for a board, or `None` if a limit was reached.
    fn fields(&self, at: usize, line: &str, limits: &Limits) -> Result<Option<Vec<String>>, Refusal> {
        let unreadable = |error: ReadError| match error {
            ReadError::Stopped(_) => None,
            ReadError::Text(error) => Some(Refusal::from(ReadError::Text(ParseError { line: at + 1, ..error }))),
            other => Some(other.into()),
        };
        match self {
            Rows::Survey(survey, options) => {
                (survey.row)(&Input::new(line, options, limits)).or_else(|error| unreadable(error).map_or(Ok(None), Err))
            }
            Rows::Solving(entry, choice, options) => {
                let puzzle = match instances::read(entry, line, options, limits) {
                    Ok((puzzle, _)) => puzzle,
                    Err(error) => return unreadable(error).map_or(Ok(None), Err),
                };
                let mut run = puzzle.begin(choice)?;
                let begun = Instant::now();
                run.work(limits);
                let seconds = begun.elapsed().as_secs_f64();
                let fault = |fault: SelfCheck| Refusal::new(Kind::Internal, format!("line {}: {fault}", at + 1), REPORT);
                Ok(Some(run.advance(limits).map_err(fault)?.fields((seconds * 1e6).round() / 1e6, &COLUMNS)))
            }
        }
    }
}

const REPORT: &str = "this is a bug in kibitzer; please report it and include the board";

/// Solves many boards on `threads` threads, by a method or for the game's own table. The reported progress is the number of rows.
#[pyfunction]
#[pyo3(signature = (game, lines, method, given, threads, effort))]
pub fn census_rows(
    py: Python<'_>,
    game: &str,
    lines: Vec<String>,
    method: Option<String>,
    given: Vec<(String, String)>,
    threads: usize,
    effort: Effort,
) -> PyResult<Census> {
    let entry = find(py, game)?;
    let (table, columns) = match &entry.census {
        Some(survey) if method.is_none() => {
            let known: Vec<&OptionSpec> = survey.options().collect();
            (Rows::Survey(survey, options(py, &given, &known)?), survey.columns().map(|(name, _)| name).collect())
        }
        _ if entry.players != 1 => {
            let message = format!("{game} has two players, so no method finds plans");
            return Err(refused(py, Refusal::board(message, "omit `method`")));
        }
        _ => {
            let choice = Choice { method, ..Choice::default() };
            (Rows::Solving(entry, choice, options(py, &given, &entry.options.iter().collect::<Vec<_>>())?), COLUMNS.to_vec())
        }
    };
    let done = supervised(py, &effort, None, |limits| {
        let (next, rows, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Mutex::new(None));
        // One thread reports the progress of all threads.
        let mut quiet = Limits { progress: None, ..limits.clone() };
        if let Rows::Solving(..) = table {
            // The boards are distributed over the threads, and each thread may use its share of the memory.
            quiet = Limits { threads: None, bytes: limits.bytes / threads.max(1), ..quiet };
        }
        let work = |limits: &Limits| {
            while limits.check().is_ok() {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(line) = lines.get(at).map(|line| line.trim()) else { return };
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                match table.fields(at, line, &quiet) {
                    Ok(Some(row)) if limits.check().is_ok() => {
                        let mut rows = lock(&rows);
                        rows.push((at, row));
                        let (done, left) = (rows.len() as u64, lines.len().saturating_sub(at + 1) as u64);
                        drop(rows);
                        let _ = limits.report(&Progress { expanded: done, generated: done, open: left, ..Progress::default() });
                    }
                    Ok(_) => {}
                    Err(error) => {
                        let mut failed = lock(&failed);
                        // Keep the error for the first invalid line, even if an error in a later line was found earlier.
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
    Ok((columns, rows, limit, done.interrupt))
}
