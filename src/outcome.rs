//! The answers of solvers.
//!
//! There are three verdicts, not two. "No" is an answer, and includes the reason why there is no plan. "Gave up" does not mean "no",
//! and includes what was proved so far.

use serde_json::{Map, Value};

use crate::cost::Cost;
use crate::limits::Limit;

/// Moves that lead from the start to a goal, and their total cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan<M> {
    pub moves: Vec<M>,
    pub cost: Cost,
}

/// The answer to "what is the cheapest path to a goal?"
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict<M> {
    /// A plan, and a proved lower bound on the cost of every plan. The plan is optimal if its cost equals the bound.
    Solved { plan: Plan<M>, lower: Cost },
    /// There is no plan, for this reason.
    Unsolvable(Why),
    /// A limit was hit. Contains the lower bound that was proved and the best plan that was found before the limit.
    Unknown { limit: Limit, lower: Cost, best: Option<Plan<M>> },
}

impl<M> Verdict<M> {
    /// Returns the same verdict with its plan converted by `map`.
    pub fn try_map<N, E>(self, map: impl FnOnce(Plan<M>) -> Result<Plan<N>, E>) -> Result<Verdict<N>, E> {
        Ok(match self {
            Verdict::Solved { plan, lower } => Verdict::Solved { plan: map(plan)?, lower },
            Verdict::Unsolvable(why) => Verdict::Unsolvable(why),
            Verdict::Unknown { limit, lower, best } => Verdict::Unknown { limit, lower, best: best.map(map).transpose()? },
        })
    }
}

/// The reason why there is no plan.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// Every reachable state was examined: expanded, or ruled out by an admissible estimate. If the method keeps no visited set, `states`
    /// counts a state once for every path to it.
    Exhausted { states: u64 },
    /// A proof that can be checked without searching.
    Certificate(Certificate),
}

/// A checkable proof: its kind, the claim as a sentence, and the data to check it with.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    pub kind: String,
    pub claim: String,
    pub data: Map<String, Value>,
}

/// The counts of a run. Node counts are exact and the same on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// States whose moves were generated.
    pub expanded: u64,
    /// States generated as successors, including duplicates.
    pub generated: u64,
    /// States expanded again because a cheaper path to them was found.
    pub reopened: u64,
    /// Distinct states stored in memory.
    pub stored: u64,
    /// Maximum number of bytes used by the search's data structures.
    pub peak_bytes: usize,
    /// Positions whose last moves were cut off, in methods that do so.
    pub cutoffs: Option<u64>,
    /// Positions in the transposition table, in methods that compare runs with and without one.
    pub table: Option<u64>,
}

impl Stats {
    /// The combined counts of two consecutive runs.
    pub fn plus(self, other: Stats) -> Stats {
        Stats {
            expanded: self.expanded + other.expanded,
            generated: self.generated + other.generated,
            reopened: self.reopened + other.reopened,
            stored: self.stored + other.stored,
            peak_bytes: self.peak_bytes.max(other.peak_bytes),
            cutoffs: self.cutoffs.or(other.cutoffs),
            table: self.table.or(other.table),
        }
    }
}

/// A verdict, and the counts of the run that reached it.
#[derive(Clone, Debug)]
pub struct Outcome<M> {
    pub verdict: Verdict<M>,
    pub stats: Stats,
    /// Facts that only this game and this method report. They are copied to the report unchanged.
    pub facts: Map<String, Value>,
    /// All plans, if they were requested.
    pub all: Option<Vec<Plan<M>>>,
}

impl<M> Outcome<M> {
    pub fn new(verdict: Verdict<M>, stats: Stats) -> Self {
        Outcome { verdict, stats, facts: Map::new(), all: None }
    }
}

/// A field of an answer in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerField {
    pub name: &'static str,
    pub about: &'static str,
}

/// The result of a game for one of two players, ordered from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Score {
    Loss,
    Draw,
    Win,
}

impl Score {
    /// Returns this result as seen by the other player.
    pub fn reversed(self) -> Score {
        match self {
            Score::Loss => Score::Win,
            Score::Draw => Score::Draw,
            Score::Win => Score::Loss,
        }
    }

    /// The name of the score in traces.
    pub fn name(self) -> &'static str {
        match self {
            Score::Loss => "loss",
            Score::Draw => "draw",
            Score::Win => "win",
        }
    }

    /// The class of a position with this score for the player to move: `N` (the next player wins), `P` (the previous player wins)
    /// or `D` (a draw).
    pub fn outcome(self) -> &'static str {
        match self {
            Score::Win => "N",
            Score::Loss => "P",
            Score::Draw => "D",
        }
    }
}

/// The labels of a position in a two-player game: the result, the Grundy value, and the number of moves to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// The best score of the player to move.
    pub score: Score,
    /// The Grundy value; meaningless if the game has no Grundy values.
    pub grundy: u16,
    /// Number of moves to the end if the winner hurries and the loser delays; in a draw, the minimum
    /// number of moves to the end if both players keep the draw, or [`Worth::ENDLESS`] if play never ends.
    pub length: u16,
}

impl Worth {
    /// The length of a draw by repetition, in which play never ends.
    pub const ENDLESS: u16 = u16::MAX;

    /// The number of moves to the end with best play; `None` in a draw by repetition.
    pub fn moves(self) -> Option<u16> {
        (self.score != Score::Draw || self.length != Worth::ENDLESS).then_some(self.length)
    }
}
