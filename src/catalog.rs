//! The layer between games and front ends.
//!
//! [`Puzzle`] is the interface that the program, the page, Python and the tests use. It is object-safe. It is implemented once for
//! all one-player problems ([`OnePlayer`]) and once for all two-player games ([`TwoPlayer`]). Dispatch happens once per call; the
//! inner loops are compiled for each game.

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
pub use two_player::{CertificateError, Duel, GraphError, MoveValue, Reply, TwoPlayer, is_certificate};

use crate::drawing::Measure;
use crate::gamegraph::order::Order;
use crate::graph::Graph;
use crate::limits::{Limit, Limits};
use crate::notation::{Fault, shorten};
use crate::outcome::Certificate;
pub use crate::report::Exploration;
use crate::report::{Claim, Report};
use crate::rules::Cost;
use crate::scene::{Explanation, Scene};
use crate::search::{Look, Memory, Optimal, WEIGHT_ONE};
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

    /// The drawn board with its legal moves.
    fn position(&self, limits: &Limits) -> Result<Position, Limit>;

    /// The puzzle after these moves, which are in the game's notation.
    fn after(&self, moves: &[Value]) -> Result<Box<dyn Puzzle>, MoveError>;

    /// The legal move that a string or JSON value denotes.
    fn meant(&self, value: &Value) -> Option<LegalMove>;

    /// The total cost of these moves, which are in the game's notation. By default, each move costs 1.
    fn cost(&self, moves: &[Value]) -> Result<u64, MoveError> {
        Ok(moves.len() as u64)
    }

    /// The methods for this board, with the recommended one first.
    fn methods(&self) -> Vec<MethodInfo>;

    /// The full name of the chosen method, such as `astar:relaxed` for `A*`.
    fn method(&self, choice: &Choice) -> Result<String, Fault>;

    /// Starts a solver.
    fn begin(&self, choice: &Choice) -> Result<Box<dyn Run + Send>, Fault>;

    /// Starts a solver and runs it until there is an answer or a limit is hit.
    fn solve(&self, choice: &Choice, limits: &Limits) -> Result<Report, SolveError> {
        Ok(self.begin(choice)?.advance(limits)?)
    }

    /// Adds the number of least-cost plans to a report of [`Puzzle::solve`] and, if `list` is set, at most `list` of these plans, each of
    /// them replayed. Expanded states count toward `limits.nodes`, together with those already in the report. If a limit is reached, the
    /// report names it. Returns a fault if the least cost is not proved, or if the number is infinite because moves of cost 0 form a
    /// cycle. A report without an answer is not changed.
    ///
    /// Default: a fault, because two-player games have no plans.
    fn count_plans(&self, _report: &mut Report, _list: Option<u64>, _limits: &Limits) -> Result<(), SolveError> {
        Err(Fault::new(format!("{} is for two players and has no plans", self.game()), "do not ask for plans").into())
    }

    /// Checks an answer from any source; `limits.nodes` is the number of states that a plain search may store.
    fn check(&self, claim: &Claim, limits: &Limits) -> Result<Checked, String> {
        self.checker().check(claim, limits)
    }

    /// Returns a checker for many answers to this board.
    fn checker(&self) -> Box<dyn Checker + '_>;

    /// Counts all reachable states.
    fn explore(&self, limits: &Limits) -> Exploration;

    /// The graph of all reachable states, packed. With `fold`, states that are equal up to symmetry are merged.
    fn space(&self, fold: bool) -> Box<dyn Space>;

    /// The board as seen by engines that store packed states.
    fn packed(&self) -> &dyn Packed;

    /// The number of bytes per packed state, which measures the size of the board.
    fn state_bytes(&self) -> usize;

    /// An explanation of the board, if the game has one and finds it within the limits.
    fn explain(&self, limits: &Limits) -> Option<Explanation>;

    /// A proof that there is no solution, shown on the board.
    fn show_proof(&self, certificate: &Certificate) -> Explanation;

    /// The value of the invariant or potential behind a proof. Default: `None`.
    fn measure(&self, _certificate: &Certificate) -> Option<Measure> {
        None
    }

    /// The rules of this board in up to three small pictures.
    fn primer(&self, limits: &Limits) -> Result<Vec<Illustrated>, Limit>;

    /// An editor for the board, if the game has one.
    fn editor(&self) -> Option<Box<dyn Edit + '_>>;

    /// The name of the shape that marks each state along a plan, from the start to the end. Empty if the game has no places.
    fn places(&self, _plan: &[Value]) -> Vec<String> {
        Vec::new()
    }

    /// The graph on which the game is played, if there is one. Its vertices have the same names as in moves.
    fn board_graph(&self) -> Option<Graph>;

    /// The board as a two-player game. Default: `None`.
    fn duel(&self) -> Option<&dyn Duel> {
        None
    }
}

/// Checks answers to one board. Results that all answers share, such as the least cost or a backward induction over all positions, are
/// computed once, under the limits of the first check that needs them.
pub trait Checker {
    /// Like [`Puzzle::check`]. The error describes what is wrong with the answer.
    fn check(&mut self, claim: &Claim, limits: &Limits) -> Result<Checked, String>;
}

/// A strategy as the text of a certificate, or the limit that was hit before a strategy was found.
pub type WrittenStrategy = Result<Result<String, Limit>, SelfCheck>;

/// A solver in progress. It owns its data, so it can be sent to another thread or wrapped in an object of another language. It
/// can be stepped, inspected, stopped and resumed.
pub trait Run {
    /// Runs until there is an answer or a limit is hit. After `unknown` it can be called again with larger limits or a new cancel
    /// flag: a search resumes where it stopped; a run for which [`Run::resumes`] is false starts over.
    ///
    /// The answer is checked and converted before it is reported. If [`Run::work`] was called before, only this remains to be done.
    fn advance(&mut self, limits: &Limits) -> Result<Report, SelfCheck>;

    /// The first part of [`Run::advance`]: runs the method without checking its answer. If `trace` is set, also emits trace lines.
    fn solve(&mut self, limits: &Limits, trace: Option<TraceSink<'_>>);

    /// Like [`Run::solve`] without a trace: call it before [`Run::advance`] to measure how long the method itself takes.
    fn work(&mut self, limits: &Limits) {
        self.solve(limits, None);
    }

    /// Like [`Run::advance`], but also passes a line for every expanded state to `emit`, in order, with its board if `states` is
    /// set. Call this only on a run that has not started, or to resume the trace of a resumable run. If the default method
    /// alternates with a search, the trace shows only the method that [`Puzzle::method`] names.
    fn trace(&mut self, states: bool, limits: &Limits, emit: &mut dyn FnMut(Line)) -> Result<Report, SelfCheck> {
        self.solve(limits, Some(TraceSink { states, emit }));
        self.advance(limits)
    }

    /// A strategy that proves who wins, as a file that [`Duel::check`] reads. It is checked before it is returned. `None`
    /// for one-player games.
    fn certificate(&mut self, _limits: &Limits) -> Option<WrittenStrategy> {
        None
    }

    /// True if the run resumes where a limit stopped it. Default: false, because a game's own solver starts over.
    fn resumes(&self) -> bool {
        false
    }

    /// A snapshot of the search. Default: `None`.
    fn look(&self) -> Option<Inside> {
        None
    }
}

/// The receiver of trace lines.
pub struct TraceSink<'a> {
    /// True if lines should contain the boards of their states.
    pub states: bool,
    pub emit: &'a mut dyn FnMut(Line),
}

/// A snapshot of a search. The last expanded state is written as an instance.
pub type Inside = Look<String>;

/// A board with its drawing and its legal moves.
#[derive(Clone, Debug)]
pub struct Position {
    /// The board as an instance that can be read again.
    pub instance: String,
    pub ascii: String,
    pub scene: Scene,
    pub moves: Vec<LegalMove>,
    pub goal: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LegalMove {
    pub text: String,
    pub json: Value,
    pub cost: Cost,
}

impl LegalMove {
    /// The index of the move that an external string or JSON value denotes. An exact match is preferred; otherwise, exactly one
    /// move must match when case, spaces and a final period are ignored.
    pub fn position(moves: &[LegalMove], value: &Value) -> Option<usize> {
        let exact = |legal: &LegalMove| legal.json == *value || value.as_str() == Some(&legal.text);
        moves.iter().position(exact).or_else(|| {
            let text = plain(value.as_str()?);
            let mut alike = (0..moves.len()).filter(|&at| plain(&moves[at].text) == text);
            alike.next().filter(|_| alike.next().is_none())
        })
    }

    /// Like [`LegalMove::position`], but returns the move itself.
    pub fn find<'a>(moves: &'a [LegalMove], value: &Value) -> Option<&'a LegalMove> {
        LegalMove::position(moves, value).map(|at| &moves[at])
    }
}

/// A method that can solve a given board.
#[derive(Clone, Debug)]
pub struct MethodInfo {
    /// The name that `--method` accepts, such as `astar:relaxed`.
    pub name: String,
    pub about: String,
    /// True if the method promises a least-cost plan on this board.
    pub optimal: bool,
    /// The condition under which the method's plans are optimal on any board; `None` for two-player games, which have no plans.
    pub promise: Option<Optimal>,
    pub memory: Option<Memory>,
    /// True if the method is an algorithm as taught in a course.
    pub course: bool,
    /// The orders in which the method can try moves, the default first. Empty if it has no such setting.
    pub orders: Vec<&'static str>,
}

/// A method chosen by name, or the game's best method.
#[derive(Clone, Debug)]
pub struct Choice {
    /// `METHOD` or `METHOD:HEURISTIC`; if `None`, the game chooses.
    pub method: Option<String>,
    /// The weight of weighted A*, in thousandths.
    pub weight: u32,
    /// The order of moves in the methods that search the tree of a two-player game. `None` is their default.
    pub order: Option<Order>,
}

impl Default for Choice {
    fn default() -> Self {
        Choice { method: None, weight: 2 * WEIGHT_ONE, order: None }
    }
}

impl Choice {
    pub fn method(name: impl Into<String>) -> Choice {
        Choice { method: Some(name.into()), ..Choice::default() }
    }
}

/// A move that is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number}, `{text}`, is not legal")]
pub struct MoveError {
    /// The number of the move, counted from 1.
    pub number: usize,
    pub text: String,
}

impl MoveError {
    /// The error for a move, quoted as it was passed; `at` counts from 0.
    fn new(at: usize, value: &Value) -> MoveError {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        MoveError { number: at + 1, text: shorten(&text) }
    }
}

/// A solver's answer did not pass the check, which is a bug in this library.
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

/// The result of a check that found no error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// A sentence that lists the confirmed claims.
    pub text: String,
    /// Fields of the answer that could not be decided within the limits.
    pub undecided: Vec<String>,
    /// The cost of the answer's plan, if it has one.
    pub cost: Option<Cost>,
    /// The least cost of any plan, if the check had to compute it.
    pub least: Option<Cost>,
}

impl Checked {
    /// True if everything that the answer claims was confirmed.
    pub fn complete(&self) -> bool {
        self.undecided.is_empty()
    }
}

/// A move's text in lowercase, without spaces and final periods.
fn plain(text: &str) -> String {
    text.trim_end().trim_end_matches('.').chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}
