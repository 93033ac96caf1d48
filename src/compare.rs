//! Methods side by side on one board: the choice of methods, the time for each, and the costs to compare them with. There is no
//! clock here: the caller gives the time that has passed.

use crate::catalog::{Choice, Puzzle};
use crate::notation::Fault;
use crate::report::{Answer, Report};
use crate::rules::Cost;

/// Seconds for the whole comparison unless a time is set, and then for any one method.
pub const TABLE_TIME: f64 = 60.0;
pub const METHOD_TIME: f64 = 10.0;

/// The methods to compare, in order: the requested ones or, if there are none, all methods of a course or all others. An unknown name
/// is refused before anything runs.
pub fn choices(puzzle: &dyn Puzzle, asked: &[String], course: bool, weight: u32) -> Result<Vec<Choice>, Fault> {
    let names: Vec<String> = match asked {
        [] => puzzle.methods().into_iter().filter(|info| info.course == course).map(|info| info.name).collect(),
        names => names.to_vec(),
    };
    if names.is_empty() {
        return Err(Fault::new(format!("{} has no course algorithms", puzzle.game()), "leave `--course` out"));
    }
    let choice = |name: String| {
        let choice = Choice { method: Some(name), weight };
        puzzle.method(&choice).map(|_| choice)
    };
    names.into_iter().map(choice).collect()
}

/// The time of one method, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    pub time: f64,
    /// A method that overruns takes from the time of the others; after this much it ends the comparison.
    pub grace: f64,
}

impl Share {
    /// The share of the next method, `passed` seconds after the start, with `methods` still to run: an equal part of the remaining
    /// time. `time` is the time for all.
    pub fn of(time: Option<f64>, passed: f64, methods: usize) -> Share {
        let left = (time.unwrap_or(TABLE_TIME) - passed).max(0.0);
        let most = if time.is_some() { f64::INFINITY } else { METHOD_TIME };
        let time = (left / methods as f64).min(most);
        Share { time, grace: left - time }
    }
}

/// The costs that the plan of a method is compared with.
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
