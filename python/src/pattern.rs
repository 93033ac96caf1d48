//! The heuristic `pattern` of problems written in Python: a pattern database for the patterns that `project` returns.
//!
//! Patterns are arbitrary objects, and only states have moves. Therefore, all reachable states are visited once, and every move between two
//! states is recorded as a step between their patterns. A backward uniform-cost search then finds the least costs from all patterns to the
//! patterns of goals.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::ops::ControlFlow;

use kibitzer::limits::{Limit, Limits, Progress};
use kibitzer::rules::{Cost, DEAD, Estimate, Heuristic, Problem, Rules};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::problem::Custom;
use crate::session::{Function, State, shown};

pub const HEURISTIC: Heuristic<Custom> = Heuristic {
    name: "pattern",
    about: "the least cost for the patterns that `project` returns, from a table",
    admissible: true,
    consistent: true,
    aliases: &[],
    build,
};

/// The function `project`, and a flag that is true if the costs of its patterns are added.
pub struct Projection {
    pub function: Function,
    pub additive: bool,
}

/// Number of states between two checks of the limits.
const PERIOD: usize = 256;
/// Approximate number of bytes per pattern and per step.
const BYTES: usize = 64;

/// The patterns of one projection, numbered as they are found, and the steps between them.
struct Patterns {
    numbers: Py<PyDict>,
    count: u32,
    goals: Vec<u32>,
    /// The least cost of each step.
    steps: HashMap<(u32, u32), Cost>,
}

impl Patterns {
    fn new(py: Python<'_>) -> Patterns {
        Patterns { numbers: PyDict::new(py).unbind(), count: 0, goals: Vec::new(), steps: HashMap::new() }
    }

    fn number(&mut self, pattern: &Bound<'_, PyAny>) -> PyResult<u32> {
        let numbers = self.numbers.bind(pattern.py());
        if let Some(number) = numbers.get_item(pattern)? {
            return number.extract();
        }
        numbers.set_item(pattern, self.count)?;
        self.count += 1;
        Ok(self.count - 1)
    }

    /// The least cost from each pattern to a goal.
    fn costs(&self) -> Vec<Cost> {
        let mut before = vec![Vec::new(); self.count as usize];
        self.steps.iter().for_each(|(&(from, to), &cost)| before[to as usize].push((from, cost)));
        let mut costs = vec![DEAD; self.count as usize];
        let mut open: BinaryHeap<_> = self.goals.iter().map(|&goal| Reverse((0, goal))).collect();
        while let Some(Reverse((cost, pattern))) = open.pop() {
            if cost >= costs[pattern as usize] {
                continue;
            }
            costs[pattern as usize] = cost;
            open.extend(before[pattern as usize].iter().map(|&(from, price): &(u32, Cost)| Reverse((cost.saturating_add(price), from))));
        }
        costs
    }

    fn bytes(&self) -> usize {
        BYTES * (self.count as usize + self.steps.len())
    }
}

fn build(problem: &Custom, limits: &Limits) -> Result<Estimate<Custom>, Limit> {
    let Some(projection) = problem.projection() else { return Ok(Estimate::new(|_, _| 0)) };
    let all = explore(problem, projection, limits)?;
    let bytes = all.iter().map(Patterns::bytes).sum();
    let tables: Vec<(Py<PyDict>, Vec<Cost>)> =
        all.into_iter().map(|patterns| (patterns.costs(), patterns)).map(|(c, p)| (p.numbers, c)).collect();
    let additive = projection.additive;
    let estimate = move |problem: &Custom, state: &State, limits: &Limits| {
        limits.check()?;
        let Some(projection) = problem.projection() else { return Ok(0) };
        let state = problem.canonical(state.clone());
        let found = Python::attach(|py| {
            let object = state.object(py);
            let patterns = patterns_of(problem, projection, object)?;
            let costs = patterns.iter().zip(&tables).map(|(pattern, (numbers, costs))| {
                let number = problem.session.attempt(py, projection.function.name, Some(object), || numbers.bind(py).get_item(pattern))?;
                // A state that cannot be reached from the start is not in the table.
                Some(number.and_then(|number| number.extract::<usize>().ok()).map_or(0, |number| costs[number]))
            });
            let costs: Vec<Cost> = costs.collect::<Option<_>>()?;
            Some(if additive { costs.into_iter().fold(0, Cost::saturating_add) } else { costs.into_iter().max().unwrap_or(0) })
        });
        found.map_or_else(|| limits.check().map(|()| 0), Ok)
    };
    Ok(Estimate::slow(estimate).with_tables(bytes))
}

/// Returns the patterns of a state, or `None` after an exception. A list contains several patterns, as does a tuple if costs are added; any
/// other value is a single pattern.
fn patterns_of<'py>(problem: &Custom, projection: &Projection, state: &Bound<'py, PyAny>) -> Option<Vec<Bound<'py, PyAny>>> {
    let value = problem.session.call(&projection.function, state, None)?;
    if let Ok(list) = value.cast::<PyList>() {
        return Some(list.iter().collect());
    }
    match value.cast::<PyTuple>() {
        Ok(tuple) if projection.additive => Some(tuple.iter().collect()),
        _ => Some(vec![value]),
    }
}

/// Visits all states that can be reached from the start, and collects the steps between their patterns.
fn explore(problem: &Custom, projection: &Projection, limits: &Limits) -> Result<Vec<Patterns>, Limit> {
    let session = &problem.session;
    let mut all: Vec<Patterns> = Vec::new();
    // The states in the order in which they are found, the place of each state in this order, and the pattern numbers of all states.
    let (mut states, mut places, mut numbers) = (Vec::new(), HashMap::new(), Vec::<u32>::new());
    let start = problem.canonical(problem.start());
    places.insert(session.number(&start), 0);
    states.push(start);
    let mut moves = Vec::new();
    let mut at = 0;
    while at < states.len() {
        if at.is_multiple_of(PERIOD) {
            let bytes =
                session.bytes() + states.len() * (size_of::<State>() + 4 * all.len() + 16) + all.iter().map(Patterns::bytes).sum::<usize>();
            limits.room(bytes)?;
            limits.report(&Progress { open: (states.len() - at) as u64, bytes, ..Progress::default() })?;
        }
        let state = states[at].clone();
        let mut children = Vec::new();
        let _ = Problem::expand(problem, &state, &mut moves, |child, cost| {
            children.push((child, cost));
            ControlFlow::Continue(())
        });
        let is_goal = problem.is_goal(&state);
        let mut step_to =
            |all: &mut Vec<Patterns>, place: usize, state: &State| number(problem, projection, all, &mut numbers, place, state);
        let done = step_to(&mut all, at, &state).and_then(|own| {
            if is_goal {
                all.iter_mut().zip(&own).for_each(|(patterns, &number)| patterns.goals.push(number));
            }
            for (child, cost) in children {
                let next = places.len();
                let place = *places.entry(session.number(&child)).or_insert(next);
                if place == states.len() {
                    states.push(child.clone());
                }
                let other = step_to(&mut all, place, &child)?;
                let changed = own.iter().zip(&other).filter(|(one, other)| one != other).count();
                if projection.additive && changed > 1 && cost > 0 {
                    let message = "a move changes several patterns, so their costs cannot be added: set `additive = False`";
                    Python::attach(|py| {
                        let error = PyValueError::new_err(format!("{message}; the move leads to {}", shown(child.object(py))));
                        session.fail(py, error, projection.function.name, Some(state.object(py)));
                    });
                    return None;
                }
                for (patterns, (&from, &to)) in all.iter_mut().zip(own.iter().zip(&other)).filter(|(_, (from, to))| from != to) {
                    patterns.steps.entry((from, to)).and_modify(|least| *least = cost.min(*least)).or_insert(cost);
                }
            }
            Some(())
        });
        if done.is_none() || session.failed() {
            limits.check()?;
            return Err(Limit::Time);
        }
        at += 1;
    }
    Ok(all)
}

/// Returns the pattern numbers of the state at this place, which is either a known state or the next new one. Returns `None` after an
/// exception.
fn number(
    problem: &Custom,
    projection: &Projection,
    all: &mut Vec<Patterns>,
    numbers: &mut Vec<u32>,
    place: usize,
    state: &State,
) -> Option<Vec<u32>> {
    if let Some(known) = numbers.get(place * all.len()..(place + 1) * all.len()).filter(|known| !known.is_empty()) {
        return Some(known.to_vec());
    }
    Python::attach(|py| {
        let object = state.object(py);
        let found = patterns_of(problem, projection, object)?;
        if place == 0 {
            all.extend(found.iter().map(|_| Patterns::new(py)));
        }
        if found.len() != all.len() || found.is_empty() {
            let error = PyValueError::new_err(format!("`project` returned {} patterns, but {} for the start", found.len(), all.len()));
            problem.session.fail(py, error, projection.function.name, Some(object));
            return None;
        }
        let number = |(patterns, pattern): (&mut Patterns, &Bound<'_, PyAny>)| {
            problem.session.attempt(py, projection.function.name, Some(object), || patterns.number(pattern))
        };
        let own: Vec<u32> = all.iter_mut().zip(&found).map(number).collect::<Option<_>>()?;
        numbers.extend(&own);
        Some(own)
    })
}
