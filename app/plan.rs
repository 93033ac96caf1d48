//! Reads moves from the command line, or from a file with an answer or a plan.

use std::path::Path;

use kibitzer::catalog::{Entry, MoveError, Puzzle};
use kibitzer::limits::Limits;
use kibitzer::report::Claim;
use serde_json::Value;

use crate::failure::Failure;
use crate::input;

/// Maximum number of legal moves that an error lists.
const SHOWN: usize = 8;

/// Reads `MOVE; MOVE`, or an answer or a plan from a file or standard input (`-`).
pub fn read(entry: &Entry, argument: &str, limits: &Limits) -> Result<Vec<Value>, Failure> {
    let is_file = argument == "-" || Path::new(argument).is_file();
    let (from, text) = input::text_of(argument, "the plan", limits)?;
    if !is_file {
        let moves = text.split([';', '\n']).map(str::trim).filter(|mv| !mv.is_empty());
        return Ok(moves.map(|mv| Value::String(mv.to_owned())).collect());
    }
    let remedy = "use the output of `kibitzer solve`, or a plan with one move per line";
    let claim = entry.claim(&text).map_err(|message| Failure::input(format!("{from}: {message}"), remedy))?;
    match claim {
        Claim::Plan { moves, .. } => Ok(moves),
        _ => Err(Failure::input(format!("{from} has no plan"), remedy)),
    }
}

/// The error for an illegal move, which lists the legal ones.
pub fn illegal(puzzle: &dyn Puzzle, moves: &[Value], error: &MoveError, limits: &Limits) -> Failure {
    let before = moves.get(..error.number.saturating_sub(1)).unwrap_or_default();
    let here = puzzle.after(before).ok().map(|here| here.position(limits));
    let legal = match here.transpose() {
        Ok(here) => here.map(|here| here.moves).unwrap_or_default(),
        Err(limit) => return Failure::stopped(limit),
    };
    let texts: Vec<String> = legal.iter().take(SHOWN).map(|mv| format!("`{}`", mv.text)).collect();
    let help = match legal.len() {
        0 => "no move is left there; end the plan earlier".to_owned(),
        count if count > SHOWN => format!("the legal moves there are {} and {} more", texts.join(", "), count - SHOWN),
        _ => format!("the legal moves there are {}", texts.join(", ")),
    };
    Failure::input(error.to_string(), help)
}
