//! Optional additions to a game's rules: its own commands, a census (a table of many boards), and examples for the help text.
//!
//! A game lists them in [`crate::notation::Info`]. The program builds its subcommands and help from the registry, so its code does
//! not name any game.

use serde_json::{Map, Value};

use super::{Input, OptionSpec, Options, ReadError, Source};
use crate::bits::bitmap::Bitmap;
use crate::graph::{Graph, formats};
use crate::limits::{Limit, Limits};
use crate::rules::Rules;
use crate::scene::Scene;

/// A line in the program's help: `kibitzer COMMAND GAME ARGUMENTS`, and its purpose.
#[derive(Debug)]
pub struct Example {
    /// The subcommand under which the example is shown.
    pub command: &'static str,
    /// The arguments after the game's name or, for a [`Command`], after the command's name.
    pub arguments: &'static str,
    /// The purpose of the example, in a few words; may be empty.
    pub about: &'static str,
}

/// An extra that most games do not have.
pub enum Tool {
    /// One of the game's own commands.
    Command(Command),
    /// The command `kernel`, for linear games.
    Kernel(Kernel),
    /// Boards as images, for boards too large for text and lists of moves.
    Bitmaps(Bitmaps),
}

/// A command specific to one game that computes a property of one input, such as a graph invariant.
pub struct Command {
    /// The subcommand's name.
    pub name: &'static str,
    /// The command's purpose, in one line.
    pub about: &'static str,
    /// Background information for the command's help text.
    pub help: &'static str,
    /// The name of the command's argument in the help text, and the possible values of the argument.
    pub argument: (&'static str, &'static str),
    pub examples: &'static [Example],
    /// Runs the command. The input also contains the limits and collects notes.
    pub run: fn(&Input<'_>) -> Result<ToolAnswer, ToolError>,
}

/// The checked answer from a tool.
pub struct ToolAnswer {
    /// The answer for people.
    pub text: String,
    /// The answer for programs; [`crate::report::tool_json`] adds the verdict and statistics.
    pub json: Map<String, Value>,
    /// Number of steps taken.
    pub steps: u64,
    /// The limit that ended the work, if the answer is incomplete.
    pub limit: Option<Limit>,
}

/// The reason a tool returned no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolError {
    /// The text is invalid, or a limit was reached while it was read.
    Read(ReadError),
    /// The answer did not pass its check, which is a bug in this library.
    SelfCheck(String),
}

impl<E: Into<ReadError>> From<E> for ToolError {
    fn from(error: E) -> Self {
        ToolError::Read(error.into())
    }
}

/// The command `kernel` of a game: shows sets of moves that change nothing.
pub struct Kernel {
    /// Shows up to the given number of sets from a basis, each as a board.
    pub show: fn(&Input<'_>, usize) -> Result<Exhibits, ReadError>,
    /// Returns an empty board of a given size, such as `4x5`, as text.
    pub empty: fn(&str) -> String,
    /// The columns of a table of square boards of many sizes.
    pub columns: &'static [&'static str],
    /// The game options that the table accepts.
    pub options: &'static [&'static str],
    /// The table row for boards of the given size.
    pub row: fn(u64, &Options, &Limits) -> Result<Vec<String>, ReadError>,
}

/// The sets of moves that `kernel` shows.
pub struct Exhibits {
    /// The meaning of the sets, in a few words.
    pub about: String,
    /// The size of the basis, which may be larger than the number shown.
    pub count: usize,
    /// A sentence that states the number of sets and what follows from it.
    pub total: String,
    pub items: Vec<Exhibit>,
}

/// A set of moves, shown as a board.
pub struct Exhibit {
    pub title: String,
    /// The board as text that can be read again.
    pub instance: String,
    /// The board for a terminal.
    pub ascii: String,
    pub scene: Scene,
}

/// Boards as black-and-white images.
pub struct Bitmaps {
    /// The method that solves boards given as images, as named in `--method`.
    pub method: &'static str,
    /// Maximum number of cells of a board that can also be given as text.
    pub most_as_text: usize,
    pub to_text: fn(&Bitmap) -> String,
    /// Converts a board given as text, if it can be given as an image, and returns it with the options for solving it.
    pub from_text: fn(&Input<'_>) -> Result<(Bitmap, Options), ReadError>,
    /// A random board for the given seed.
    pub generate: fn(u64, &Options, &Limits) -> Result<Bitmap, ReadError>,
    pub solve: fn(&Bitmap, &Options, &Limits) -> Result<BitmapAnswer, ReadError>,
    /// Checks an image as an answer to a board: moves that lead to the goal (`true`), or a proof that there are no such moves
    /// (`false`). An error is a sentence that describes the fault. Shares no code with `solve`.
    pub check: fn(&Bitmap, &Bitmap, &Options) -> Result<bool, String>,
}

/// The answer to a board given as an image.
pub struct BitmapAnswer {
    /// The moves, or the proof that there is no solution.
    pub cells: Bitmap,
    /// The number of moves; `None` if there is no solution.
    pub cost: Option<u64>,
    /// A lower bound on the number of moves.
    pub lower: u64,
    /// Facts that only this game reports.
    pub facts: Map<String, Value>,
}

impl Bitmaps {
    /// Solves a board and checks the answer.
    pub fn answer(&self, board: &Bitmap, options: &Options, limits: &Limits) -> Result<BitmapAnswer, ToolError> {
        let answer = (self.solve)(board, options, limits)?;
        self.confirm(board, &answer, options)?;
        Ok(answer)
    }

    /// Checks the answer to a board. An error indicates a bug in this library.
    pub fn confirm(&self, board: &Bitmap, answer: &BitmapAnswer, options: &Options) -> Result<(), ToolError> {
        match (self.check)(board, &answer.cells, options) {
            Ok(clears) if clears == answer.cost.is_some() => Ok(()),
            judged => Err(ToolError::SelfCheck(format!("{judged:?}"))),
        }
    }
}

/// A table of many boards, one per line. For a two-player game, the table includes the winner on each board.
pub struct Census<G: Rules> {
    /// The contents of a line, in a few words.
    pub lines: &'static str,
    /// The names and descriptions of the columns before the outcome. The fields of these columns are known as soon as the line is read.
    pub before: &'static [(&'static str, &'static str)],
    /// The names and descriptions of the columns after the outcome; for one player, of all other columns.
    pub after: &'static [(&'static str, &'static str)],
    /// Options offered as flags of the command. An option with the default `no` takes no value.
    pub options: &'static [OptionSpec],
    /// Reads a line; `None` if it contains no board, such as a header.
    pub read: fn(&Input<'_>) -> Result<Option<CensusLine<G>>, ReadError>,
    /// The fields for the columns in `after`. A field that could not be computed within the limits is empty.
    pub rest: fn(&G, &Limits) -> Vec<String>,
}

pub struct CensusLine<G> {
    /// The fields for the columns in [`Census::before`].
    pub fields: Vec<String>,
    /// The board; `None` if a limit was reached before the board was read.
    pub board: Option<G>,
}

impl<G> CensusLine<G> {
    /// Maximum number of vertices of a graph in a graph census. Larger graphs need `solve`.
    const MOST_VERTICES: usize = 4096;

    /// Reads a line with a graph, for a table whose first columns are the numbers of vertices and edges.
    pub fn of_graph(input: &Input<'_>, board: impl FnOnce(Graph) -> Option<G>) -> Result<Option<CensusLine<G>>, ReadError> {
        let Some(graph) = formats::line_of_list(input.text)? else { return Ok(None) };
        if !(1..=Self::MOST_VERTICES).contains(&graph.len()) {
            let message = format!("a census accepts graphs with 1 to {} vertices, but this one has {}", Self::MOST_VERTICES, graph.len());
            return Err(Source::new(input.text).error(0, message, "remove this line").into());
        }
        let fields = vec![graph.len().to_string(), graph.edge_count().to_string()];
        Ok(Some(CensusLine { fields, board: board(graph) }))
    }
}
