//! Reports of answers, as text and as JSON. Only this module knows the JSON of reports: `json` writes it, and [`claim`] reads it.

pub mod claim;
mod json;
mod numbers;
mod space;
mod text;
mod tools;

pub use claim::Claim;
pub use json::STATS;
pub use numbers::{bytes, count, duration, grouped};
use serde_json::{Map, Value};
pub use space::{Exploration, exploration_json};
pub use tools::{bitmap_json, bitmap_text, tool_json};

use crate::limits::Limit;
use crate::outcome::{Stats, Why};
use crate::rules::{Cost, Score};

/// An answer, checked and written in the game's own words.
#[derive(Clone, Debug)]
pub struct Report {
    pub game: &'static str,
    /// The method that found it, as `--method` takes it.
    pub method: String,
    pub answer: Answer,
    /// The source of the proof that a plan is of least cost or that there is none, if that is proved.
    pub proof: Option<ProofSource>,
    /// The plan was replayed, or the reason was checked.
    pub verified: bool,
    pub stats: Stats,
    /// Facts that only this game reports.
    pub facts: Map<String, Value>,
    /// All plans, where that was asked for.
    pub all: Option<Vec<Vec<Written>>>,
}

#[derive(Clone, Debug)]
pub enum Answer {
    Solved { cost: Cost, optimal: bool, lower: Cost, moves: Vec<Written> },
    Unsolvable { why: Why },
    Decided(DuelResult),
    Unknown { limit: Limit, lower: Cost, upper: Option<Cost>, moves: Vec<Written> },
}

/// The source of a proof. It is not always the method: a method that promises nothing may find a plan that meets a lower bound, and
/// the game's own short proof may give the answer when the method gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofSource {
    /// The method proves what it promises.
    Method,
    /// The method promises no least cost, but the plan's cost meets a lower bound.
    Bound,
    /// The game's short proof that there is no plan, found without the method. If the method had worked before, this limit
    /// ended it.
    Certificate { gave_up: Option<Limit> },
}

impl ProofSource {
    /// As JSON has it.
    pub fn name(self) -> &'static str {
        match self {
            ProofSource::Method => "method",
            ProofSource::Bound => "bound",
            ProofSource::Certificate { .. } => "certificate",
        }
    }
}

/// The result of a two-player game under best play.
#[derive(Clone, Debug, PartialEq)]
pub struct DuelResult {
    /// 1 or 2, or none in a draw: player 1 is the one to move at the start of the instance.
    pub winner: Option<u8>,
    /// The best score of the player to move.
    pub score: Score,
    /// None if only the winner was computed, or if the game has no such values.
    pub grundy: Option<u16>,
    /// Moves to the end under best play, if that was computed.
    pub length: Option<u16>,
    /// The winning moves or, in a draw, the moves that keep it. None if every move loses.
    pub best: Vec<Written>,
    /// Are these all the best moves?
    pub all_best: bool,
    /// The way the answer was confirmed; none if there were too many positions for it.
    pub confirmed: Option<Confirmed>,
}

impl DuelResult {
    /// `N`, `P` or `D`.
    pub fn outcome(&self) -> &'static str {
        self.score.outcome()
    }
}

/// The way the answer to a two-player game was confirmed, by code that no solver shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmed {
    /// By the rules alone, board by board.
    Plain,
    /// With one board of each set that the game calls symmetric: a fault in that symmetry could go unnoticed.
    Symmetry,
    /// By a strategy that was played against every reply. This confirms the winner, but not that there are no other best moves.
    Strategy,
}

impl Confirmed {
    /// As JSON has it.
    pub fn name(self) -> &'static str {
        match self {
            Confirmed::Plain => "plain",
            Confirmed::Symmetry => "symmetry",
            Confirmed::Strategy => "strategy",
        }
    }
}

/// A move in both its forms.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    pub text: String,
    pub json: Value,
}

impl Report {
    /// A strategy was played against every reply, and nothing had confirmed the answer before.
    pub fn confirm_by_strategy(&mut self) {
        if let Answer::Decided(decided) = &mut self.answer {
            decided.confirmed.get_or_insert(Confirmed::Strategy);
            self.verified = true;
        }
    }

    /// The moves of the plan; none if there is no plan, or if two play.
    pub fn plan(&self) -> &[Written] {
        match &self.answer {
            Answer::Solved { moves, .. } | Answer::Unknown { moves, .. } => moves,
            Answer::Unsolvable { .. } | Answer::Decided(_) => &[],
        }
    }

    /// The report of work that a limit ended without a result.
    pub fn unknown(game: &'static str, method: impl Into<String>, limit: Limit) -> Report {
        let answer = Answer::Unknown { limit, lower: 0, upper: None, moves: Vec::new() };
        Report { game, method: method.into(), answer, proof: None, verified: false, stats: Stats::default(), facts: Map::new(), all: None }
    }

    pub fn verdict(&self) -> &'static str {
        match self.answer {
            Answer::Solved { .. } | Answer::Decided(_) => "solved",
            Answer::Unsolvable { .. } => "unsolvable",
            Answer::Unknown { .. } => "unknown",
        }
    }

    /// The limit that ended the method, if one did: also where the game's short proof gave the answer.
    pub fn gave_up(&self) -> Option<Limit> {
        match (&self.answer, self.proof) {
            (Answer::Unknown { limit, .. }, _) => Some(*limit),
            (_, Some(ProofSource::Certificate { gave_up })) => gave_up,
            _ => None,
        }
    }
}
