//! The middle: games on one side, everything that shows or asks on the other.
//!
//! [`Puzzle`] is what the program, a page, Python and the tests see. It is object-safe and implemented once for all
//! one-player problems ([`OnePlayer`]) and once for all two-player games ([`TwoPlayer`]); dispatch happens once per call, the loops inside are compiled for their game.

mod board;
pub mod census;
mod entry;
mod methods;
mod one_player;
pub mod packed;
pub mod primer;
mod run;
mod sharing;
mod two_player;

pub use board::Edit;
pub use census::Survey;
pub use entry::{Entry, Games, ReadResult};
pub use one_player::OnePlayer;
use packed::Packed;
use primer::Illustrated;
use serde_json::Value;
pub use two_player::{CertificateError, Duel, GraphError, MoveValue, TwoPlayer, is_certificate};

use crate::graph::Graph;
use crate::limits::{Limit, Limits};
use crate::notation::Fault;
use crate::outcome::{Certificate, Stats};
pub use crate::report::Exploration;
use crate::report::{Claim, Report};
use crate::rules::Cost;
use crate::scene::{Explanation, Scene};
use crate::search::{Memory, Optimal, WEIGHT_ONE};
use crate::space::Space;
use crate::trace::Line;

/// One board of some game.
pub trait Puzzle: Send + Sync {
    /// The game's name.
    fn game(&self) -> &'static str;

    /// The board as an instance that can be read again.
    fn instance(&self) -> String;

    /// The board as a few lines of text for a terminal.
    fn ascii(&self) -> String;

    /// The board as it stands, drawn, with the moves that can be made.
    fn position(&self, limits: &Limits) -> Result<Position, Limit>;

    /// The puzzle that is left after these moves, each written as the game writes it.
    fn after(&self, moves: &[Value]) -> Result<Box<dyn Puzzle>, MoveError>;

    /// The legal move that a text or JSON value means.
    fn meant(&self, value: &Value) -> Option<LegalMove>;

    /// The total cost of these moves, each written as the game writes it. Default: 1 each.
    fn cost(&self, moves: &[Value]) -> Result<u64, MoveError> {
        Ok(moves.len() as u64)
    }

    /// The ways to solve this board, the recommended one first.
    fn methods(&self) -> Vec<MethodInfo>;

    /// The full name of the method that a choice means, such as `astar:relaxed` for `A*`.
    fn method(&self, choice: &Choice) -> Result<String, Fault>;

    /// Starts a solver that can be stopped, looked into, moved to another thread and resumed.
    fn begin(&self, choice: &Choice) -> Result<Box<dyn Run + Send>, Fault>;

    /// Solves in one go.
    fn solve(&self, choice: &Choice, limits: &Limits) -> Result<Report, SolveError> {
        Ok(self.begin(choice)?.advance(limits)?)
    }

    /// Checks an answer that came from anywhere; `limits.nodes` says how many states a plain search may look at.
    fn check(&self, claim: &Claim, limits: &Limits) -> Result<Checked, String> {
        self.checker().check(claim, limits)
    }

    /// Checks many answers to this board.
    fn checker(&self) -> Box<dyn Checker + '_>;

    /// Walks through everything that can be reached.
    fn explore(&self, limits: &Limits) -> Exploration;

    /// The board's whole space as packed states, with symmetric ones as one if `fold` is set.
    fn space(&self, fold: bool) -> Box<dyn Space>;

    /// The board as packed states.
    fn packed(&self) -> &dyn Packed;

    /// Bytes of a packed state: how large the board is.
    fn state_bytes(&self) -> usize;

    /// An explanation of the board, if the game has one and finds it within the limits.
    fn explain(&self, limits: &Limits) -> Option<Explanation>;

    /// A proof that there is no solution, shown on the board.
    fn show_proof(&self, certificate: &Certificate) -> Explanation;

    /// The rules of this board in up to three small pictures.
    fn primer(&self, limits: &Limits) -> Result<Vec<Illustrated>, Limit>;

    /// Changing the board by hand, if the game offers that.
    fn editor(&self) -> Option<Box<dyn Edit + '_>>;

    /// The instance with a named shape of the scene at another point of it; nothing if it cannot be moved.
    fn place(&self, name: &str, at: (f64, f64), limits: &Limits) -> Result<Option<String>, Limit>;

    /// The graph on which the board is played, its vertices named as in moves, if there is one.
    fn board_graph(&self) -> Option<Graph>;

    /// The board as a two-player game. Default: it is not one.
    fn duel(&self) -> Option<&dyn Duel> {
        None
    }
}

/// Checks answers to one board. What is the same for all of them, the least cost or an induction over all positions, is found
/// out once: for the first answer that needs it, and under the limits given with that one.
pub trait Checker {
    /// As [`Puzzle::check`]; the error says what is wrong with the answer.
    fn check(&mut self, claim: &Claim, limits: &Limits) -> Result<Checked, String>;
}

/// A strategy as the text of a certificate, or the limit that was hit before there was one.
pub type WrittenStrategy = Result<Result<String, Limit>, SelfCheck>;

/// A solver at work. It owns what it needs: it can move to a thread, live in an object of another language, be stepped,
/// looked into, stopped and resumed.
pub trait Run {
    /// Works until there is an answer or a limit is hit. After `unknown` it can be called again with larger limits or a new
    /// cancel flag: a search resumes where it stopped; a run for which [`Run::resumes`] is false starts over.
    ///
    /// The answer is checked and written down before it is reported. Where [`Run::work`] was called before, that is all that
    /// is left to do.
    fn advance(&mut self, limits: &Limits) -> Result<Report, SelfCheck>;

    /// The method's own part of [`Run::advance`], without the check of the answer: call it first to measure how long the
    /// method itself takes.
    fn work(&mut self, limits: &Limits);

    /// Like [`Run::advance`], but `emit` also gets a line for every state that is expanded, in order; with their boards if
    /// `states` is set. To be called on a run that did nothing yet; what resumes can be traced on. Where a default takes turns with
    /// a search, the trace shows the method that [`Puzzle::method`] names, on its own.
    fn trace(&mut self, states: bool, limits: &Limits, emit: &mut dyn FnMut(Line)) -> Result<Report, SelfCheck>;

    /// A strategy that shows who wins, as a file that [`Duel::check`] reads; it is checked before it is given. Only for two
    /// players.
    fn certificate(&mut self, _limits: &Limits) -> Option<WrittenStrategy> {
        None
    }

    /// Does it resume where a limit stopped it? A game's own solver starts over.
    fn resumes(&self) -> bool;

    /// A look into the search, where the method offers one.
    fn look(&self) -> Option<Inside>;
}

/// A look into a search.
#[derive(Clone, Debug)]
pub struct Inside {
    pub open: u64,
    pub closed: u64,
    pub lower: Cost,
    pub upper: Option<Cost>,
    pub stats: Stats,
    /// The state expanded last, as an instance.
    pub last: Option<String>,
}

/// A board and what can be done with it.
#[derive(Clone, Debug)]
pub struct Position {
    /// As an instance that can be read again.
    pub instance: String,
    pub ascii: String,
    pub scene: Scene,
    pub moves: Vec<LegalMove>,
    pub goal: bool,
}

#[derive(Clone, Debug)]
pub struct LegalMove {
    pub text: String,
    pub json: Value,
    pub cost: Cost,
}

impl LegalMove {
    /// The move that a text or JSON value from outside means: the one written exactly so or, if only one fits, the one that
    /// differs in case, spaces or a full stop at the end.
    pub fn find<'a>(moves: &'a [LegalMove], value: &Value) -> Option<&'a LegalMove> {
        let exact = |legal: &&LegalMove| legal.json == *value || value.as_str() == Some(&legal.text);
        moves.iter().find(exact).or_else(|| {
            let text = plain(value.as_str()?);
            let mut alike = moves.iter().filter(|legal| plain(&legal.text) == text);
            alike.next().filter(|_| alike.next().is_none())
        })
    }

    /// The place of that move in the list.
    pub fn position(moves: &[LegalMove], value: &Value) -> Option<usize> {
        let meant = LegalMove::find(moves, value)?;
        moves.iter().position(|legal| std::ptr::eq(legal, meant))
    }
}

/// A method that can be asked for on some board.
#[derive(Clone, Debug)]
pub struct MethodInfo {
    /// As `--method` takes it, such as `astar:relaxed`.
    pub name: String,
    pub about: String,
    /// Does it promise a least-cost plan on this board?
    pub optimal: bool,
    /// When it promises one on any board; none where there are no plans, as where two play.
    pub promise: Option<Optimal>,
    pub memory: Option<Memory>,
    /// A course's own algorithm?
    pub course: bool,
}

/// A method by name, or the game's best.
#[derive(Clone, Debug)]
pub struct Choice {
    /// `METHOD` or `METHOD:HEURISTIC`; none lets the game choose.
    pub method: Option<String>,
    /// Weighted A*'s weight in thousandths.
    pub weight: u32,
}

impl Default for Choice {
    fn default() -> Self {
        Choice { method: None, weight: 2 * WEIGHT_ONE }
    }
}

impl Choice {
    pub fn method(name: impl Into<String>) -> Choice {
        Choice { method: Some(name.into()), ..Choice::default() }
    }
}

/// A move that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number}, `{text}`, is not legal there")]
pub struct MoveError {
    /// From 1.
    pub number: usize,
    pub text: String,
}

/// A solver's answer did not pass the check: a fault of this library.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an answer by `{method}` did not pass its check: {fault}")]
pub struct SelfCheck {
    pub method: String,
    pub fault: String,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    #[error(transparent)]
    Choice(#[from] Fault),
    #[error(transparent)]
    SelfCheck(#[from] SelfCheck),
}

/// The result of checking an answer that is not wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The confirmed claims, in a sentence.
    pub text: String,
    /// Fields of the answer that could not be decided within the limits.
    pub undecided: Vec<String>,
    /// The cost of its plan, if it has one.
    pub cost: Option<Cost>,
    /// The least cost of any plan, if the check had to compute it.
    pub least: Option<Cost>,
}

impl Checked {
    /// Was everything that the answer claims confirmed?
    pub fn complete(&self) -> bool {
        self.undecided.is_empty()
    }
}

/// A written move without what does not matter.
fn plain(text: &str) -> String {
    text.trim_end().trim_end_matches('.').chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}
