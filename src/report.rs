//! Reports of answers, as text and as JSON. Only this module knows the JSON format of reports: `json` writes it, and [`claim`]
//! reads it.

pub mod claim;
mod json;
mod numbers;
mod space;
mod text;
mod tools;

pub use claim::Claim;
pub use json::{STATS, TREE_STATS};
pub use numbers::{branching, bytes, count, duration, grouped};
use serde_json::{Map, Value};
pub use space::{Exploration, exploration_json};
pub use tools::{bitmap_json, bitmap_text, tool_json};

use crate::limits::Limit;
use crate::outcome::{Stats, Why};
use crate::rules::{Cost, Score};

/// A checked answer in the game's notation.
#[derive(Clone, Debug)]
pub struct Report {
    pub game: &'static str,
    /// The method that found the answer, as named in `--method`.
    pub method: String,
    pub answer: Answer,
    /// Where the proof comes from that the plan is optimal or that there is no plan; `None` if neither is proved.
    pub proof: Option<ProofSource>,
    /// True if the plan was replayed, the proof that there is no plan was checked, or the winner was confirmed.
    pub verified: bool,
    pub stats: Stats,
    /// Facts that only this game reports.
    pub facts: Map<String, Value>,
    /// All plans, if they were requested.
    pub all: Option<Vec<Vec<Written>>>,
    /// The least-cost plans, if they were counted.
    pub plans: Option<LeastPlans>,
}

/// The least-cost plans of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct LeastPlans {
    /// The number of these plans, in decimal digits; `None` if a limit was reached before all were counted.
    pub count: Option<String>,
    /// Some or all of the plans, if a list was requested.
    pub list: Option<Vec<Vec<Written>>>,
    /// The limit that ended the count or the list early, if any.
    pub limit: Option<Limit>,
}

#[derive(Clone, Debug)]
pub enum Answer {
    Solved { cost: Cost, optimal: bool, lower: Cost, moves: Vec<Written> },
    Unsolvable { why: Why },
    Decided(DuelResult),
    Unknown { limit: Limit, lower: Cost, upper: Option<Cost>, moves: Vec<Written> },
}

/// The source of a proof. It is not always the method. A method without guarantees may find a plan that meets a lower bound. The game's
/// own short proof may also supply the answer after the method gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofSource {
    /// The method itself, which guarantees its answer.
    Method,
    /// A lower bound: the method does not guarantee the least cost, but the cost of its plan equals the bound.
    Bound,
    /// The game's short proof that there is no plan, found independently of the method. If the method had already run, `gave_up`
    /// is the limit that ended it.
    Certificate { gave_up: Option<Limit> },
}

impl ProofSource {
    /// The name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ProofSource::Method => "method",
            ProofSource::Bound => "bound",
            ProofSource::Certificate { .. } => "certificate",
        }
    }
}

/// The result of a two-player game with best play.
#[derive(Clone, Debug, PartialEq)]
pub struct DuelResult {
    /// The number of the winner, 1 or 2; `None` in a draw. Player 1 is the player to move at the start.
    pub winner: Option<u8>,
    /// The best score of the player to move.
    pub score: Score,
    /// The Grundy value; `None` if only the winner was computed, or if the game has no Grundy values.
    pub grundy: Option<u16>,
    /// Number of moves to the end with best play, if that was computed.
    pub length: Option<u16>,
    /// True if play never ends with best play: a draw by repetition. Then there is no `length`.
    pub endless: bool,
    /// The independent parts of the position, as lines of text, with their Grundy values. Empty unless there are several.
    pub parts: Vec<(String, u16)>,
    /// The winning moves or, in a draw, the drawing moves. Empty if every move loses.
    pub best: Vec<Written>,
    /// True if these are all the best moves.
    pub all_best: bool,
    /// How the answer was confirmed; `None` if there were too many positions to confirm it.
    pub confirmed: Option<Confirmed>,
}

impl DuelResult {
    /// `N`, `P` or `D`.
    pub fn outcome(&self) -> &'static str {
        self.score.outcome()
    }
}

/// How the answer to a two-player game was confirmed. The code that confirms it is not shared with any solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmed {
    /// By examining every board, using only the rules.
    Plain,
    /// By examining only one board from each set that the game calls symmetric, so a bug in the symmetry could go unnoticed.
    Symmetry,
    /// By examining the independent parts into which the game says that positions split, so a bug there could go unnoticed.
    Parts,
    /// By playing a strategy against every reply. This confirms the winner, but not that there are no other best moves.
    Strategy,
}

impl Confirmed {
    /// The name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Confirmed::Plain => "plain",
            Confirmed::Symmetry => "symmetry",
            Confirmed::Parts => "parts",
            Confirmed::Strategy => "strategy",
        }
    }
}

/// A move as text and as JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    pub text: String,
    pub json: Value,
}

impl Report {
    /// Records that a strategy was played against every reply, unless the answer was already confirmed in another way.
    pub fn confirm_by_strategy(&mut self) {
        if let Answer::Decided(decided) = &mut self.answer {
            decided.confirmed.get_or_insert(Confirmed::Strategy);
            self.verified = true;
        }
    }

    /// The moves of the plan; empty if there is no plan, or in a two-player game.
    pub fn plan(&self) -> &[Written] {
        match &self.answer {
            Answer::Solved { moves, .. } | Answer::Unknown { moves, .. } => moves,
            Answer::Unsolvable { .. } | Answer::Decided(_) => &[],
        }
    }

    /// The report for work that a limit ended without a result.
    pub fn unknown(game: &'static str, method: impl Into<String>, limit: Limit) -> Report {
        let answer = Answer::Unknown { limit, lower: 0, upper: None, moves: Vec::new() };
        Report {
            game,
            method: method.into(),
            answer,
            proof: None,
            verified: false,
            stats: Stats::default(),
            facts: Map::new(),
            all: None,
            plans: None,
        }
    }

    pub fn verdict(&self) -> &'static str {
        match self.answer {
            Answer::Solved { .. } | Answer::Decided(_) => "solved",
            Answer::Unsolvable { .. } => "unsolvable",
            Answer::Unknown { .. } => "unknown",
        }
    }

    /// The effective branching factor of the search that found the plan: see [`branching`].
    pub fn branching(&self) -> Option<f64> {
        match &self.answer {
            Answer::Solved { moves, .. } => branching(self.stats.generated, moves.len()),
            _ => None,
        }
    }

    /// The limit that ended the method, if any, whether or not the game's short proof supplied the answer afterward.
    pub fn gave_up(&self) -> Option<Limit> {
        match (&self.answer, self.proof) {
            (Answer::Unknown { limit, .. }, _) => Some(*limit),
            (_, Some(ProofSource::Certificate { gave_up })) => gave_up,
            _ => None,
        }
    }
}
