//! One-player problems written in Python.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::{Mutex, OnceLock};

use kibitzer::limits::{Limit, Limits};
use kibitzer::rules::{Backward, Cost, DEAD, Estimate, Heuristic, MAX_MOVE_COST, Problem};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;

use crate::own::{Kind, Own, optional, permanent, required};
use crate::pattern::{self, Projection};
use crate::session::{Function, Move, State, lock};

/// A one-player problem written in Python.
pub type Custom = Own<OnePlayer>;

/// The functions that only one-player problems have.
pub struct OnePlayer {
    is_goal: Function,
    cost: Option<Function>,
    heuristics: &'static [Heuristic<Custom>],
    estimates: Vec<Function>,
    goals: Option<Function>,
    before: Option<Function>,
    projection: Option<Projection>,
}

impl Kind for OnePlayer {
    const NAME: &'static str = "problem";
    const ABOUT: &'static str = "a problem written in Python";
}

/// A heuristic's name and description, whether it is admissible, and whether it is consistent.
type Facts = (&'static str, &'static str, bool, bool);

type Build = fn(&Custom, &Limits) -> Result<Estimate<Custom>, Limit>;

/// Functions that build the first, second, ... heuristic of a problem.
const BUILD: [Build; 8] = [build::<0>, build::<1>, build::<2>, build::<3>, build::<4>, build::<5>, build::<6>, build::<7>];

fn build<const AT: usize>(_: &Custom, _: &Limits) -> Result<Estimate<Custom>, Limit> {
    Ok(Estimate::slow(|problem: &Custom, state, limits| problem.estimate(AT, state, limits)))
}

/// Returns the list of heuristics with these facts and, if there are patterns, `pattern`. The few lists are never freed, because methods
/// borrow their names.
fn listed(facts: &[Facts], patterns: bool) -> &'static [Heuristic<Custom>] {
    type Lists = Vec<(Vec<Facts>, bool, &'static [Heuristic<Custom>])>;
    static LISTS: OnceLock<Mutex<Lists>> = OnceLock::new();
    let mut lists = lock(LISTS.get_or_init(Mutex::default));
    if let Some((.., list)) = lists.iter().find(|(known, with, _)| known == facts && *with == patterns) {
        return list;
    }
    let heuristic =
        |(&(name, about, admissible, consistent), build)| Heuristic { name, about, admissible, consistent, aliases: &[], build };
    let list: &'static [Heuristic<Custom>] =
        Box::leak(facts.iter().zip(BUILD).map(heuristic).chain(patterns.then_some(pattern::HEURISTIC)).collect());
    lists.push((facts.to_vec(), patterns, list));
    list
}

impl Custom {
    pub fn from_adapter(adapter: &Bound<'_, PyAny>) -> PyResult<Custom> {
        let py = adapter.py();
        let (mut facts, mut estimates) = (Vec::new(), Vec::new());
        for item in adapter.getattr(intern!(py, "heuristics"))?.try_iter()? {
            let (name, about, admissible, consistent, function): (String, String, bool, bool, Py<PyAny>) = item?.extract()?;
            facts.push((permanent(&name), permanent(&about), admissible || consistent, consistent));
            estimates.push(Function { object: function, name: permanent(&name) });
        }
        if facts.len() > BUILD.len() {
            return Err(PyValueError::new_err(format!("a problem can have at most {} heuristics", BUILD.len())));
        }
        let additive: bool = adapter.getattr(intern!(py, "additive"))?.is_truthy()?;
        let projection = optional(adapter, "project")?.map(|function| Projection { function, additive });
        if projection.is_some() && facts.iter().any(|(name, ..)| *name == pattern::HEURISTIC.name) {
            return Err(PyValueError::new_err("`project` adds a heuristic named `pattern`, so no other heuristic can have this name"));
        }
        let kind = OnePlayer {
            is_goal: required(adapter, "is_goal")?,
            cost: optional(adapter, "cost")?,
            heuristics: listed(&facts, projection.is_some()),
            estimates,
            goals: optional(adapter, "goals")?,
            before: optional(adapter, "before")?,
            projection,
        };
        Own::new(adapter, kind)
    }

    /// The projection to patterns, if the class has one.
    pub fn projection(&self) -> Option<&Projection> {
        self.kind.projection.as_ref()
    }

    fn estimate(&self, at: usize, state: &State, limits: &Limits) -> Result<Cost, Limit> {
        limits.check()?;
        let function = &self.kind.estimates[at];
        let found = Python::attach(|py| {
            let object = state.object(py);
            let value = self.session.call(function, object, None)?;
            if value.is_none() {
                return Some(DEAD);
            }
            if let Ok(number) = value.extract::<Cost>() {
                return Some(number.min(DEAD - 1));
            }
            match value.extract::<f64>() {
                // Costs are whole numbers, so rounding up preserves admissibility and consistency.
                Ok(number) if number >= 0.0 => Some(if number < f64::from(DEAD - 1) { number.ceil() as Cost } else { DEAD }),
                _ => {
                    self.wrong(&value, function, "a non-negative number, or None if no goal can be reached", object);
                    None
                }
            }
        });
        found.map_or_else(|| limits.check().map(|()| 0), Ok)
    }

    fn price(&self, state: &State, mv: &Bound<'_, PyAny>) -> Cost {
        let Some(cost) = &self.kind.cost else { return 1 };
        let object = state.object(mv.py());
        let Some(value) = self.session.call(cost, object, Some(mv)) else { return 1 };
        match value.extract() {
            Ok(price) if price <= MAX_MOVE_COST => price,
            _ => {
                self.wrong(&value, cost, "a whole number from 0 to 1,000,000", object);
                1
            }
        }
    }

    fn goals(&self) -> Vec<State> {
        let Some(goals) = &self.kind.goals else { return Vec::new() };
        Python::attach(|py| {
            let list = || goals.object.bind(py).call0()?.try_iter()?.collect::<PyResult<Vec<_>>>();
            let listed = self.session.attempt(py, goals.name, None, list).unwrap_or_default();
            listed.into_iter().filter_map(|goal| self.session.state(goal, goals.name, None)).collect()
        })
    }

    fn step_back(&self, state: &State, emit: &mut dyn FnMut(State, Cost) -> ControlFlow<()>) -> ControlFlow<()> {
        let Some(before) = &self.kind.before else { return ControlFlow::Continue(()) };
        Python::attach(|py| {
            let object = state.object(py);
            let list = || before.object.bind(py).call1((object,))?.try_iter()?.collect::<PyResult<Vec<_>>>();
            for pair in self.session.attempt(py, before.name, Some(object), list).unwrap_or_default() {
                // If the class has `cost`, each item is a pair of a state and the price of the move from that state; otherwise, each item
                // is a state.
                let priced = if self.kind.cost.is_some() { pair.extract() } else { Ok((pair.clone(), 1)) };
                let Ok((from, cost)) = priced else {
                    self.wrong(&pair, before, "a pair of a state and the price of the move from it", object);
                    break;
                };
                let Some(from) = self.session.state(from, before.name, Some(object)) else { break };
                emit(from, cost)?;
            }
            ControlFlow::Continue(())
        })
    }
}

impl Problem for Custom {
    const BACKWARD: Option<Backward<Self>> =
        Some(Backward { goals: Custom::goals, step: |problem, state, emit| problem.step_back(state, emit) });

    fn heuristics(&self) -> &'static [Heuristic<Self>] {
        self.kind.heuristics
    }

    fn is_goal(&self, state: &State) -> bool {
        self.session.goal(state, || {
            Python::attach(|py| {
                let object = state.object(py);
                let Some(goal) = self.session.call(&self.kind.is_goal, object, None) else { return false };
                // Without this test, the most common mistake, a missing `return`, would make the problem seem unsolvable.
                if goal.is_none() {
                    self.wrong(&goal, &self.kind.is_goal, "true or false (is a `return` missing?)", object);
                    return false;
                }
                goal.is_truthy().unwrap_or_else(|error| {
                    self.session.fail(py, error, self.kind.is_goal.name, Some(object));
                    false
                })
            })
        })
    }

    fn cost(&self, state: &State, mv: &Move) -> Cost {
        if self.kind.cost.is_none() { 1 } else { Python::attach(|py| self.price(state, mv.object(py))) }
    }

    fn move_costs(&self) -> RangeInclusive<Cost> {
        if self.kind.cost.is_none() { 1..=1 } else { 0..=MAX_MOVE_COST }
    }

    fn expand(&self, state: &State, _moves: &mut Vec<Move>, emit: impl FnMut(State, Cost) -> ControlFlow<()>) -> ControlFlow<()> {
        self.expand(state, |mv| self.price(state, mv), emit)
    }
}
