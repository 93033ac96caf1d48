//! A one-player problem written in Python, as the library sees it.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::{Mutex, OnceLock, PoisonError};

use kibitzer::limits::{Limit, Limits};
use kibitzer::rules::{Backward, Cost, DEAD, Estimate, Heuristic, MAX_MOVE_COST, Pack, Problem, Rules};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;

use crate::session::{Core, Function, Move, State, optional, permanent, required};
use crate::text::shown_as_text;

/// A problem of a class that was written in Python.
pub struct Custom {
    pub core: Core,
    is_goal: Function,
    cost: Option<Function>,
    heuristics: &'static [Heuristic<Custom>],
    estimates: Vec<Function>,
    goals: Option<Function>,
    before: Option<Function>,
}

/// Name, a line about it, admissible, consistent.
type Facts = (&'static str, &'static str, bool, bool);

type Build = fn(&Custom, &Limits) -> Result<Estimate<Custom>, Limit>;

/// Functions that build the first, the second, ... estimate of a problem.
const BUILD: [Build; 8] = [build::<0>, build::<1>, build::<2>, build::<3>, build::<4>, build::<5>, build::<6>, build::<7>];

fn build<const AT: usize>(_: &Custom, _: &Limits) -> Result<Estimate<Custom>, Limit> {
    Ok(Estimate::slow(|problem: &Custom, state, limits| problem.estimate(AT, state, limits)))
}

/// The list of heuristics with these facts. It stays, since methods are named after it; classes are few.
fn listed(facts: &[Facts]) -> &'static [Heuristic<Custom>] {
    type Lists = Vec<(Vec<Facts>, &'static [Heuristic<Custom>])>;
    static LISTS: OnceLock<Mutex<Lists>> = OnceLock::new();
    let mut lists = LISTS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, list)) = lists.iter().find(|(known, _)| known == facts) {
        return list;
    }
    let heuristic =
        |(&(name, about, admissible, consistent), build)| Heuristic { name, about, admissible, consistent, aliases: &[], build };
    let list: &'static [Heuristic<Custom>] = Box::leak(facts.iter().zip(BUILD).map(heuristic).collect());
    lists.push((facts.to_vec(), list));
    list
}

impl Custom {
    pub fn new(adapter: &Bound<'_, PyAny>) -> PyResult<Custom> {
        let py = adapter.py();
        let (mut facts, mut estimates) = (Vec::new(), Vec::new());
        for item in adapter.getattr(intern!(py, "heuristics"))?.try_iter()? {
            let (name, about, admissible, consistent, function): (String, String, bool, bool, Py<PyAny>) = item?.extract()?;
            facts.push((permanent(&name), permanent(&about), admissible || consistent, consistent));
            estimates.push(Function { object: function, name: permanent(&name) });
        }
        if facts.len() > BUILD.len() {
            return Err(PyValueError::new_err(format!("a problem has at most {} heuristics", BUILD.len())));
        }
        Ok(Custom {
            core: Core::new(adapter)?,
            is_goal: required(adapter, "is_goal")?,
            cost: optional(adapter, "cost")?,
            heuristics: listed(&facts),
            estimates,
            goals: optional(adapter, "goals")?,
            before: optional(adapter, "before")?,
        })
    }

    fn estimate(&self, at: usize, state: &State, limits: &Limits) -> Result<Cost, Limit> {
        limits.check()?;
        let function = &self.estimates[at];
        let found = Python::attach(|py| {
            let object = state.object(py);
            let value = self.core.session.call(function, object, None)?;
            if value.is_none() {
                return Some(DEAD);
            }
            if let Ok(number) = value.extract::<Cost>() {
                return Some(number.min(DEAD - 1));
            }
            match value.extract::<f64>() {
                // Costs are whole numbers, so rounding up keeps an estimate admissible and consistent.
                Ok(number) if number >= 0.0 => Some(if number < f64::from(DEAD - 1) { number.ceil() as Cost } else { DEAD }),
                _ => {
                    self.core.wrong(&value, function, "a number from 0 on, or None where no goal can be reached", object);
                    None
                }
            }
        });
        found.map_or_else(|| limits.check().map(|()| 0), Ok)
    }

    fn price(&self, state: &State, mv: &Bound<'_, PyAny>) -> Cost {
        let Some(cost) = &self.cost else { return 1 };
        let object = state.object(mv.py());
        let Some(value) = self.core.session.call(cost, object, Some(mv)) else { return 1 };
        match value.extract() {
            Ok(price) if price <= MAX_MOVE_COST => price,
            _ => {
                self.core.wrong(&value, cost, "a whole number from 0 to 1,000,000", object);
                1
            }
        }
    }

    fn goals(&self) -> Vec<State> {
        let Some(goals) = &self.goals else { return Vec::new() };
        Python::attach(|py| {
            let list = || goals.object.bind(py).call0()?.try_iter()?.collect::<PyResult<Vec<_>>>();
            let listed = self.core.session.attempt(py, goals.name, None, list).unwrap_or_default();
            listed.into_iter().filter_map(|goal| self.core.session.state(goal, goals.name, None)).collect()
        })
    }

    fn step_back(&self, state: &State, emit: &mut dyn FnMut(State, Cost) -> ControlFlow<()>) -> ControlFlow<()> {
        let Some(before) = &self.before else { return ControlFlow::Continue(()) };
        Python::attach(|py| {
            let object = state.object(py);
            let list = || before.object.bind(py).call1((object,))?.try_iter()?.collect::<PyResult<Vec<_>>>();
            for pair in self.core.session.attempt(py, before.name, Some(object), list).unwrap_or_default() {
                // Pairs of a state and the price of the move from it to here, or states alone.
                let priced = if self.cost.is_some() { pair.extract() } else { Ok((pair.clone(), 1)) };
                let Ok((from, cost)) = priced else {
                    self.core.wrong(&pair, before, "a pair of a state and the price of the move from it", object);
                    break;
                };
                let Some(from) = self.core.session.state(from, before.name, Some(object)) else { break };
                emit(from, cost)?;
            }
            ControlFlow::Continue(())
        })
    }
}

impl Pack<Custom> for State {
    fn bytes(_: &Custom) -> usize {
        4
    }

    fn pack(&self, rules: &Custom, out: &mut [u8]) {
        out.copy_from_slice(&rules.core.session.number(self).to_le_bytes());
    }

    fn unpack(rules: &Custom, bytes: &[u8]) -> Self {
        rules.core.session.numbered(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }
}

impl Rules for Custom {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        self.core.start.clone()
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        self.core.moves(state, out);
    }

    fn apply(&self, state: &State, mv: &Move) -> State {
        Python::attach(|py| self.core.apply(state, mv.object(py)))
    }

    fn canonical(&self, state: State) -> State {
        self.core.canonical(state)
    }

    fn orbit(&self, _: &State) -> u64 {
        self.core.orbit()
    }

    fn layer(&self, state: &State) -> Option<u32> {
        self.core.layer(state)
    }
}

impl Problem for Custom {
    const BACKWARD: Option<Backward<Self>> =
        Some(Backward { goals: Custom::goals, step: |problem, state, emit| problem.step_back(state, emit) });

    fn heuristics(&self) -> &'static [Heuristic<Self>] {
        self.heuristics
    }

    fn is_goal(&self, state: &State) -> bool {
        self.core.session.goal(state, || {
            Python::attach(|py| {
                let object = state.object(py);
                let Some(goal) = self.core.session.call(&self.is_goal, object, None) else { return false };
                // The most frequent slip there is, and the answer would be that there is no plan.
                if goal.is_none() {
                    self.core.wrong(&goal, &self.is_goal, "true or false (is a `return` missing?)", object);
                    return false;
                }
                goal.is_truthy().unwrap_or_else(|error| {
                    self.core.session.fail(py, error, self.is_goal.name, Some(object));
                    false
                })
            })
        })
    }

    fn cost(&self, state: &State, mv: &Move) -> Cost {
        if self.cost.is_none() { 1 } else { Python::attach(|py| self.price(state, mv.object(py))) }
    }

    fn move_costs(&self) -> RangeInclusive<Cost> {
        if self.cost.is_none() { 1..=1 } else { 0..=MAX_MOVE_COST }
    }

    fn expand(&self, state: &State, _moves: &mut Vec<Move>, emit: impl FnMut(State, Cost) -> ControlFlow<()>) -> ControlFlow<()> {
        self.core.expand(state, |mv| self.price(state, mv), emit)
    }
}

shown_as_text!(Custom, "problem", "a problem written in Python");
