//! Converts errors to exceptions with the program's message, its remedy, and the position in the board's text.

use std::any::Any;

use kibitzer::ask::{Kind, Refusal};
use kibitzer::catalog::SelfCheck;
use kibitzer::notation::tools::ToolError;
use pyo3::prelude::*;

/// The exception for a refusal. The exception classes are written in Python, where they are documented and typed.
pub fn refused(py: Python<'_>, refusal: impl Into<Refusal>) -> PyErr {
    let Refusal { kind, message, help, place } = refusal.into();
    let (class, help) = match kind {
        Kind::Limit(_) => ("LimitError", "increase `time`, `memory` or `nodes`, or use a smaller board"),
        Kind::Internal => ("InternalError", &*help),
        _ => ("Error", &*help),
    };
    let (line, column) = place.unzip();
    let error = py.import("kibitzer._errors").and_then(|errors| errors.call_method1(class, (message, help, line, column)));
    error.map_or_else(|error| error, PyErr::from_value)
}

/// The help text for common mistakes in games written in Python.
const OWN: &str = "the game's functions must be deterministic, an estimate declared admissible may not exceed the true cost (nor be None \
                   if a goal can be reached), `canonical` must preserve costs and goals, and a game with draws has no Grundy values \
                   (`impartial = False`); `test()` looks for such faults";

/// The exception for an answer that fails its check. If the game is written in Python, the game's code is usually at fault.
pub fn self_check(py: Python<'_>, fault: &SelfCheck, own: bool) -> PyErr {
    let help = if own { OWN } else { "this is a bug in kibitzer; please report it and include the board" };
    refused(py, Refusal::new(Kind::Internal, fault.to_string(), help))
}

/// The exception for a panic in the rules of a game written in Python.
pub fn panicked(py: Python<'_>, payload: &(dyn Any + Send)) -> PyErr {
    let said = payload.downcast_ref::<&str>().map(|text| (*text).to_owned()).or_else(|| payload.downcast_ref().cloned());
    let message = format!("the game contradicts itself: {}", said.unwrap_or_else(|| "a panic without a message".to_owned()));
    refused(py, Refusal::new(Kind::Internal, message, OWN))
}

/// The exception for a tool that fails.
pub fn tool_failed(py: Python<'_>, error: ToolError) -> PyErr {
    match error {
        ToolError::Read(error) => refused(py, error),
        ToolError::SelfCheck(fault) => {
            refused(py, Refusal::new(Kind::Internal, fault, "this is a bug in kibitzer; please report it and include the input"))
        }
    }
}
