//! Reading and writing instances, states and moves.
//!
//! A game implements [`Notation`]. The game reads instances in a single function, [`Notation::read`]. [`Source`], and [`json`] for
//! JSON, add a line and a column to errors. Moves are never parsed: external text is compared with the written forms of the legal
//! moves.

pub mod tools;

use std::ops::RangeInclusive;
use std::sync::Mutex;

use serde_json::Value;
use tools::{Census, Example, Tool};

use crate::graph::Graph;
use crate::limits::{Limit, Limits};
use crate::random::Random;
use crate::rules::Rules;
pub use crate::text::{Fault, Field, OptionSpec, Options, ParseError, Source, counted, json, sentence, shorten};

/// A game's name, and the notation for its boards and moves.
pub trait Notation: Rules {
    /// The game's facts, for the registry, help and documentation.
    const INFO: Info<Self>;

    /// The name of this instance's game.
    ///
    /// Default: the name in [`Notation::INFO`]. Override it only if one type represents many games, such as all games written in
    /// another language.
    fn name(&self) -> &'static str {
        Self::INFO.name
    }

    /// Reads an instance.
    fn read(input: &Input<'_>) -> Result<Self, ReadError>;

    /// Writes an instance that starts at `state`, in the format that the game reads.
    fn write(&self, state: &Self::State) -> String;

    /// A move on one line, as players of the game write it. Different moves of one state must be written differently.
    fn write_move(&self, state: &Self::State, mv: &Self::Move) -> String;

    /// The state as a few lines of text for a terminal.
    fn ascii(&self, state: &Self::State) -> String;

    /// The state as one short line, for lists of states. Default: the lines of [`Notation::ascii`], joined.
    fn line(&self, state: &Self::State) -> String {
        self.ascii(state).lines().map(str::trim).collect::<Vec<_>>().join(" ")
    }

    /// A move as a JSON value, for reports. Default: the written move as a string.
    fn move_json(&self, state: &Self::State, mv: &Self::Move) -> Value {
        Value::String(self.write_move(state, mv))
    }

    /// The name of a layer of the space. The layer is a number from [`Rules::layer`] or, by default, the number of moves from the
    /// start.
    fn layer_name(&self, layer: u32) -> String {
        counted(layer as usize, "move", "moves")
    }
}

/// The facts about a game as data: [`Notation::INFO`]. The first four fields are required; `..Info::EMPTY` supplies the rest.
pub struct Info<R: Rules> {
    /// The game's name, a lowercase word that is the same everywhere: source file, command line, URL, instances folder, golden file,
    /// docs page.
    pub name: &'static str,
    /// A one-line description of the game.
    pub about: &'static str,
    /// Rules and input formats, shown by `about`, including any difference from the published rules.
    pub rules: &'static str,
    /// A small instance with an interesting answer.
    pub sample: &'static str,
    /// Publications to cite, with the origin of the game and known results.
    pub sources: &'static [&'static str],
    /// Variants that `--option` selects when an instance is read.
    pub options: &'static [OptionSpec],
    /// Example lines for the program's help.
    pub examples: &'static [Example],
    /// The generator of random boards, if the game has one.
    pub generator: Option<Generator<R>>,
    /// The requirements for easy, medium, hard and expert boards, in this order. If there are none, several boards are generated with
    /// the default settings, and the level selects one of them by measured difficulty. If hardly any board meets the requirements,
    /// making a board of that level is slow and may fail.
    pub levels: Option<&'static [LevelSpec; 4]>,
    /// A table of many boards, if the game has one.
    pub census: Option<Census<R>>,
    /// Extras that only some games have: their own commands, kernels, or boards as images.
    pub tools: &'static [Tool],
    /// Converts a one-line graph to the text of its board, for games on graphs. The page uses it to step through lists of graphs.
    pub graph_board: Option<fn(&str) -> String>,
    /// The graph on which a board is played, with its vertices named as in moves.
    pub board_graph: fn(&R) -> Option<Graph>,
    /// Number of states that a plain search may expand to confirm an answer. A larger number makes checking slower; a smaller number
    /// leaves more answers unverified.
    pub verified_states: u64,
    /// Boards that stress the limits: the largest, the densest, the longest. Tests check that every command and method respects
    /// its limits on these boards. If the list is empty, the sample and random boards are used.
    pub monsters: &'static [Monster],
}

impl<R: Rules> Info<R> {
    /// Default values for the facts that a game does not set.
    pub const EMPTY: Info<R> = Info {
        name: "",
        about: "",
        rules: "",
        sample: "",
        sources: &[],
        options: &[],
        examples: &[],
        generator: None,
        levels: None,
        census: None,
        tools: &[],
        graph_board: None,
        board_graph: |_| None,
        verified_states: 200_000,
        monsters: &[],
    };
}

/// A board that stresses the limits: [`Info::monsters`].
pub struct Monster {
    /// The property that makes the board difficult, in a word or two.
    pub name: &'static str,
    /// Generates the board as text.
    pub make: fn(&mut Random) -> String,
}

/// A generator of random boards: [`Info::generator`].
pub struct Generator<R: Rules> {
    /// The options of `generate`.
    pub options: &'static [OptionSpec],
    /// True if every generated board is solvable. Otherwise, the caller generates boards until one is solvable.
    pub solvable: bool,
    /// Generates a board.
    pub make: fn(&mut Random, &Options, &Limits) -> Result<R, ReadError>,
}

/// The requirements for one level: [`Info::levels`].
pub struct LevelSpec {
    /// Generator settings, such as `rows=4 columns=5`. Each board uses one of these settings.
    pub options: &'static [&'static str],
    /// The least cost or, for two players, the number of moves to the end with best play.
    pub least: RangeInclusive<u64>,
    /// The expected number of moves that a guesser tries, undoing wrong moves: [`Difficulty::guesses`].
    ///
    /// [`Difficulty::guesses`]: crate::level::Difficulty::guesses
    pub guesses: RangeInclusive<u64>,
}

/// The input of a reader: text, its options, and limits on reading.
pub struct Input<'a> {
    pub text: &'a str,
    pub options: &'a Options,
    pub limits: &'a Limits,
    /// True if the text is a single typed line that may be meant as a name instead. In that case, the reader refuses text that is
    /// unlikely to be a board.
    pub is_typed: bool,
    notes: Mutex<Vec<String>>,
}

impl<'a> Input<'a> {
    pub fn new(text: &'a str, options: &'a Options, limits: &'a Limits) -> Self {
        Input { text, options, limits, is_typed: false, notes: Mutex::default() }
    }

    /// Like [`Input::new`], but for a single typed line that may be meant as a name instead: see [`Input::is_typed`].
    pub fn typed(text: &'a str, options: &'a Options, limits: &'a Limits) -> Self {
        Input { is_typed: true, ..Input::new(text, options, limits) }
    }

    /// Adds a note about text that is accepted, such as a harmless repetition.
    pub fn note(&self, note: impl Into<String>) {
        self.notes.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(note.into());
    }

    /// Calls `read` with the text, preceded by a `name: value` line for each option with one of these names.
    pub fn with_option_lines<T>(&self, names: &[&str], read: impl FnOnce(&str) -> Result<T, ParseError>) -> Result<T, ReadError> {
        let line = |name: &&str| Some(format!("{name}: {}\n", self.options.get(name)?.replace('\n', "|")));
        let lines: Vec<String> = names.iter().filter_map(line).collect();
        read(&(lines.concat() + self.text)).map_err(|error| match error.line.checked_sub(lines.len()) {
            None | Some(0) => Fault::new(format!("option `{}`: {}", lines[error.line - 1].trim(), error.message), error.help).into(),
            Some(line) => ParseError { line, ..error }.into(),
        })
    }

    pub fn notes(&self) -> Vec<String> {
        self.notes.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }
}

/// Reads an instance without limits; notes about it are dropped.
pub fn parse<R: Notation>(text: &str, options: &Options) -> Result<R, ReadError> {
    R::read(&Input::new(text, options, &Limits::none()))
}

/// The reason an instance could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The text is invalid at some position.
    #[error("{0}")]
    Text(#[from] ParseError),
    /// An option is invalid.
    #[error("{0}")]
    Option(#[from] Fault),
    /// A limit was reached before the instance was read.
    #[error("{} while the board was being read", .0.words())]
    Stopped(Limit),
}

impl From<Limit> for ReadError {
    fn from(limit: Limit) -> Self {
        ReadError::Stopped(limit)
    }
}

impl ReadError {
    /// The remedy.
    pub fn help(&self) -> &str {
        match self {
            ReadError::Text(error) => &error.help,
            ReadError::Option(error) => &error.help,
            ReadError::Stopped(_) => "raise the limit, or use a smaller board",
        }
    }
}
