//! Reading and writing instances, states and moves.
//!
//! A game implements [`Notation`]. Reading is one function of the game. [`Source`], and [`json`] for JSON, give errors a line and
//! a column. Moves are never parsed: text from outside is compared with the written form of the legal moves.

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

/// A game's name, and the notation of its boards and moves.
pub trait Notation: Rules {
    /// The game's facts, for registry, help and documentation.
    const INFO: Info<Self>;

    /// The name of this instance's game.
    ///
    /// Default: that of [`Notation::INFO`]. Override it only if one type stands for many games, such as all those written in another
    /// language.
    fn name(&self) -> &'static str {
        Self::INFO.name
    }

    /// Reads an instance.
    fn read(input: &Input<'_>) -> Result<Self, ReadError>;

    /// An instance, in the format that the game reads, that starts at `state`.
    fn write(&self, state: &Self::State) -> String;

    /// A move in one line, as the game's players write it. Different moves of one state must be written differently.
    fn write_move(&self, state: &Self::State, mv: &Self::Move) -> String;

    /// The state as a few lines of text for a terminal.
    fn ascii(&self, state: &Self::State) -> String;

    /// The state in one short line, for lists of states. Default: the lines of [`Notation::ascii`] joined.
    fn line(&self, state: &Self::State) -> String {
        self.ascii(state).lines().map(str::trim).collect::<Vec<_>>().join(" ")
    }

    /// A move in JSON reports. Default: the written move as a string.
    fn move_json(&self, state: &Self::State, mv: &Self::Move) -> Value {
        Value::String(self.write_move(state, mv))
    }

    /// The name of a layer of the space: a number from [`Rules::layer`] or, by default, the number of moves from the start.
    fn layer_name(&self, layer: u32) -> String {
        counted(layer as usize, "move", "moves")
    }
}

/// The facts about a game as data: [`Notation::INFO`]. The first four are required; `..Info::EMPTY` gives the rest.
pub struct Info<R: Rules> {
    /// One lowercase word, the same everywhere: file, command line, URL, instances folder, golden file, docs page.
    pub name: &'static str,
    /// The game in one line.
    pub about: &'static str,
    /// Rules and input formats, for `about`, with any difference from the published rules.
    pub rules: &'static str,
    /// A small instance with an interesting answer.
    pub sample: &'static str,
    /// Publications to cite: the origin of the game, and known results.
    pub sources: &'static [&'static str],
    /// Variants that `--option` sets when an instance is read.
    pub options: &'static [OptionSpec],
    /// Lines for the program's help.
    pub examples: &'static [Example],
    /// Random boards, if the game has a generator.
    pub generator: Option<Generator<R>>,
    /// The requirements of easy, medium, hard and expert boards, in this order. Without them several boards are generated with the
    /// default settings, and the level selects one of them by measured difficulty. Ranges that hardly any board meets make levels
    /// slow and may end in an error.
    pub levels: Option<&'static [LevelSpec; 4]>,
    /// A table over many boards, if the game has one.
    pub census: Option<Census<R>>,
    /// Extras that only some games have: their own commands, kernels, boards as images.
    pub tools: &'static [Tool],
    /// From a graph on one line to the text of its board, for games on graphs. With it, the page steps through lists of graphs.
    pub graph_board: Option<fn(&str) -> String>,
    /// The graph on which a board is played, with its vertices named as in moves.
    pub board_graph: fn(&R) -> Option<Graph>,
    /// States that a plain search may expand to confirm an answer. More is slower; fewer leaves more answers unverified.
    pub verified_states: u64,
    /// Boards that make it hard to keep limits: the largest, the densest, the longest. Tests check that every command and method keeps
    /// its limits on them; without any, on the sample and on random boards.
    pub monsters: &'static [Monster],
}

impl<R: Rules> Info<R> {
    /// No facts, to be completed.
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

/// A board on which limits are hard to keep: [`Info::monsters`].
pub struct Monster {
    /// Its difficulty, in a word or two.
    pub name: &'static str,
    /// The board as text.
    pub make: fn(&mut Random) -> String,
}

/// Random boards: [`Info::generator`].
pub struct Generator<R: Rules> {
    /// The options of `generate`.
    pub options: &'static [OptionSpec],
    /// True if every board can be solved. If not, the caller generates boards until one can.
    pub solvable: bool,
    /// Makes a board.
    pub make: fn(&mut Random, &Options, &Limits) -> Result<R, ReadError>,
}

/// The requirements of one level: [`Info::levels`].
pub struct LevelSpec {
    /// Settings of the generator, such as `rows=4 columns=5`; each board uses one of these.
    pub options: &'static [&'static str],
    /// Least cost or, for two players, moves to the end under best play.
    pub least: RangeInclusive<u64>,
    /// Moves that a guesser tries, undoing wrong ones: [`Difficulty::guesses`].
    ///
    /// [`Difficulty::guesses`]: crate::level::Difficulty::guesses
    pub guesses: RangeInclusive<u64>,
}

/// The input of a reader: a text, the options given with it, and the limits of reading.
pub struct Input<'a> {
    pub text: &'a str,
    pub options: &'a Options,
    pub limits: &'a Limits,
    /// True if the text was typed on one line, in place of a name. Then a text that is unlikely to be a board is refused.
    pub is_typed: bool,
    notes: Mutex<Vec<String>>,
}

impl<'a> Input<'a> {
    pub fn new(text: &'a str, options: &'a Options, limits: &'a Limits) -> Self {
        Input { text, options, limits, is_typed: false, notes: Mutex::default() }
    }

    /// Like [`Input::new`], but for a text of one line that may be a name instead.
    pub fn typed(text: &'a str, options: &'a Options, limits: &'a Limits) -> Self {
        Input { is_typed: true, ..Input::new(text, options, limits) }
    }

    /// Adds a note about a text that is accepted, such as a harmless repetition.
    pub fn note(&self, note: impl Into<String>) {
        self.notes.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(note.into());
    }

    pub fn notes(&self) -> Vec<String> {
        self.notes.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }
}

/// Reads an instance without limits; notes about it are dropped.
pub fn parse<R: Notation>(text: &str, options: &Options) -> Result<R, ReadError> {
    R::read(&Input::new(text, options, &Limits::none()))
}

/// Why an instance could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The text is invalid at some place.
    #[error("{0}")]
    Text(#[from] ParseError),
    /// An option is invalid.
    #[error("{0}")]
    Option(#[from] Fault),
    /// A limit was reached before the instance was read.
    #[error("{} while the board was read", .0.words())]
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
            ReadError::Stopped(_) => "raise the limit, or give a smaller board",
        }
    }
}
