//! What a game brings along besides its rules: commands of its own, a table over many boards, and examples for the help.
//!
//! A game lists them in [`crate::notation::Notation`]; the program makes its subcommands and help from the registry, so
//! that it names no game.

use serde_json::{Map, Value};

use super::{Input, OptionSpec, ReadError};
use crate::limits::{Limit, Limits};
use crate::rules::Rules;

/// A line of the program's help: `kibitzer COMMAND GAME ARGUMENTS`, and what it is good for.
#[derive(Debug)]
pub struct Example {
    /// The subcommand under which it is shown.
    pub command: &'static str,
    /// What follows the game's name; for a [`Tool`], what follows the tool's name.
    pub arguments: &'static str,
    /// A few words; may be empty.
    pub about: &'static str,
}

/// A command of a game's own: something to be found out about one text, such as a number of a graph.
pub struct Tool {
    /// The subcommand's name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// What is known about it, for its help.
    pub help: &'static str,
    /// The name of its argument in the help, and what may stand there.
    pub argument: (&'static str, &'static str),
    pub examples: &'static [Example],
    /// Does the work. Notes and limits are in the input.
    pub run: fn(&Input<'_>) -> Result<ToolAnswer, ToolError>,
}

/// What a tool found out, checked.
pub struct ToolAnswer {
    /// For people.
    pub text: String,
    /// For programs; [`crate::report::tool_json`] adds the verdict and what it took.
    pub json: Map<String, Value>,
    /// Steps taken.
    pub steps: u64,
    /// The limit that ended the work, if it was not finished.
    pub limit: Option<Limit>,
}

/// Why a tool has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolError {
    /// The text is wrong, or a limit was hit while it was read.
    Read(ReadError),
    /// The answer did not pass its check: a fault of this library.
    SelfCheck(String),
}

impl<E: Into<ReadError>> From<E> for ToolError {
    fn from(error: E) -> Self {
        ToolError::Read(error.into())
    }
}

/// A table over many boards, one to a line. Where two play, it says who wins on each.
pub struct Census<G: Rules> {
    /// What the lines hold, in a few words.
    pub lines: &'static str,
    /// Columns that reading a line gives, before those about the outcome: each name and what it holds.
    pub before: &'static [(&'static str, &'static str)],
    /// Columns after the outcome, or all others where one plays.
    pub after: &'static [(&'static str, &'static str)],
    /// Offered as flags of the command; one whose default is `no` takes no value.
    pub options: &'static [OptionSpec],
    /// Reads a line; `None` if it holds no board, such as a header.
    pub read: fn(&Input<'_>) -> Result<Option<Line<G>>, ReadError>,
    /// The fields of the columns in `after`. A field is empty where a limit was hit.
    pub rest: fn(&G, &Limits) -> Vec<String>,
}

/// A line of a census.
pub struct Line<G> {
    /// The fields of the columns in [`Census::before`].
    pub fields: Vec<String>,
    /// The board; none where a limit was hit before it was known.
    pub board: Option<G>,
}
