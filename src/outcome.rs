//! What a solver answers.
//!
//! There are three verdicts, not two: "no" is an answer and comes with its reason; "gave up" is not "no" and comes with
//! what was proved so far.

use serde_json::{Map, Value};

use crate::cost::Cost;
use crate::limits::Limit;

/// Moves that lead from the start to a goal, and what they cost together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan<M> {
    pub moves: Vec<M>,
    pub cost: Cost,
}

/// The answer to "what is the cheapest way to a goal?"
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict<M> {
    /// A plan, and a proved lower bound for every plan: the plan is optimal if they meet.
    Solved { plan: Plan<M>, lower: Cost },
    /// There is no plan, and this is why.
    Unsolvable(Why),
    /// A limit was hit: what is proved and what was found until then.
    Unknown { limit: Limit, lower: Cost, best: Option<Plan<M>> },
}

impl<M> Verdict<M> {
    /// The same verdict with its plan mapped.
    pub fn try_map<N, E>(self, map: impl FnOnce(Plan<M>) -> Result<Plan<N>, E>) -> Result<Verdict<N>, E> {
        Ok(match self {
            Verdict::Solved { plan, lower } => Verdict::Solved { plan: map(plan)?, lower },
            Verdict::Unsolvable(why) => Verdict::Unsolvable(why),
            Verdict::Unknown { limit, lower, best } => Verdict::Unknown { limit, lower, best: best.map(map).transpose()? },
        })
    }
}

/// The reason for "there is no plan".
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// Everything reachable was looked at, or ruled out by an admissible estimate. `states` says how many looks that took:
    /// methods that keep no visited set look at a state once for every way to it.
    Exhausted { states: u64 },
    /// A proof that can be checked without searching.
    Certificate(Certificate),
}

/// A checkable proof: its kind, the claim in a sentence, and the data to check it with.
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
    /// States made by a move, duplicates included.
    pub generated: u64,
    /// States expanded again because a cheaper way to them was found.
    pub reopened: u64,
    /// Distinct states kept in memory.
    pub stored: u64,
    /// The most bytes that the search's structures held.
    pub peak_bytes: usize,
}

/// A verdict with what it took.
#[derive(Clone, Debug)]
pub struct Outcome<M> {
    pub verdict: Verdict<M>,
    pub stats: Stats,
    /// Facts that only this game and method report; they go into the report unchanged.
    pub facts: Map<String, Value>,
    /// All plans, where that was asked for.
    pub all: Option<Vec<Plan<M>>>,
}

impl<M> Outcome<M> {
    pub fn new(verdict: Verdict<M>, stats: Stats) -> Self {
        Outcome { verdict, stats, facts: Map::new(), all: None }
    }
}

/// A field of an answer, as JSON has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerField {
    pub name: &'static str,
    pub about: &'static str,
}

/// The end of a game for one of two players, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Score {
    Loss,
    Draw,
    Win,
}

impl Score {
    /// The same end for the other player.
    pub fn reversed(self) -> Score {
        match self {
            Score::Loss => Score::Win,
            Score::Draw => Score::Draw,
            Score::Win => Score::Loss,
        }
    }

    /// The class of a position that ends so for the player to move: `N` (the next player wins), `P` (the previous one
    /// wins) or `D` (a draw).
    pub fn outcome(self) -> &'static str {
        match self {
            Score::Win => "N",
            Score::Loss => "P",
            Score::Draw => "D",
        }
    }
}
