//! Compares methods on one board: chooses the methods, divides the time among them, and finds the costs with which their plans are
//! compared. The library has no clock, so the caller passes the elapsed time.

use crate::catalog::{Choice, Puzzle};
use crate::notation::Fault;
use crate::report::{Answer, Report};
use crate::rules::Cost;

/// Default time limit for the whole comparison, in seconds.
pub const TABLE_TIME: f64 = 60.0;
/// Time limit for each method if no time is set, in seconds.
pub const METHOD_TIME: f64 = 10.0;

/// The methods to compare, in order: those in `asked` or, if it is empty, all course algorithms (if `course` is set) or all other
/// methods (if not). An unknown name is refused before anything runs.
///
/// `settings` are the settings of all methods. If no methods are named, those without an order of moves ignore it.
pub fn choices(puzzle: &dyn Puzzle, asked: &[String], course: bool, settings: &Choice) -> Result<Vec<Choice>, Fault> {
    let names: Vec<String> = match asked {
        [] => puzzle.methods().into_iter().filter(|info| info.course == course).map(|info| info.name).collect(),
        names => names.to_vec(),
    };
    if names.is_empty() {
        return Err(Fault::new(format!("{} has no course algorithms", puzzle.game()), "omit `--course`"));
    }
    let choice = |name: &String| {
        let choice = Choice { method: Some(name.clone()), ..settings.clone() };
        puzzle.method(&choice).map(|_| choice)
    };
    let chosen: Vec<Result<Choice, Fault>> = names.iter().map(choice).collect();
    if asked.is_empty() && chosen.iter().any(Result::is_ok) {
        let without = |(name, choice): (String, Result<Choice, Fault>)| {
            choice.unwrap_or_else(|_| Choice { method: Some(name), order: None, ..settings.clone() })
        };
        return Ok(names.into_iter().zip(chosen).map(without).collect());
    }
    chosen.into_iter().collect()
}

/// The time for one method, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    pub time: f64,
    /// Seconds by which the method may overrun, at the expense of later methods, before the comparison ends.
    pub grace: f64,
}

impl Share {
    /// The time for the next method when `passed` seconds have elapsed and `methods` methods are left: an equal part of the
    /// remaining time. `time` is the total for all methods.
    pub fn of(time: Option<f64>, passed: f64, methods: usize) -> Share {
        let left = (time.unwrap_or(TABLE_TIME) - passed).max(0.0);
        let most = if time.is_some() { f64::INFINITY } else { METHOD_TIME };
        let time = (left / methods as f64).min(most);
        Share { time, grace: left - time }
    }
}

/// The costs with which a method's plan is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeastCosts {
    /// The least cost, if a method proved it.
    pub proved: Option<Cost>,
    /// The cost of the cheapest plan found.
    pub found: Option<Cost>,
}

impl LeastCosts {
    pub fn of<'a>(reports: impl Iterator<Item = &'a Report>) -> LeastCosts {
        reports.fold(LeastCosts::default(), |least, report| match report.answer {
            Answer::Solved { cost, optimal, .. } => LeastCosts {
                proved: least.proved.or(optimal.then_some(cost)),
                found: Some(least.found.map_or(cost, |found| found.min(cost))),
            },
            _ => least,
        })
    }
}
