//! Projections of states to patterns, for pattern databases.

use super::{Cost, Problem};

/// Projections of states to patterns: [`Problem::PATTERNS`]. They provide the heuristic `pattern` without any other code.
///
/// A *projection* maps every state to a *pattern*, a number that describes only some features of the state, such as the places of some of
/// the pieces. A move from one state to another is a step from one pattern to another, or leaves the pattern unchanged. The heuristic is a
/// pattern database: a table of the least costs from all patterns to the patterns of goals. It is built by a search backward from the
/// goals, before the search of the states begins. The estimate of a state is the sum of the costs of its patterns, or their maximum.
///
/// A pattern is `entry * details + detail`. The table has one value for each entry: the least value of all its details. Features that
/// are needed to compute the steps, but would make the table too large, can therefore be details.
pub struct Patterns<P: Problem> {
    /// A description of the heuristic in one sentence, for help and documentation.
    pub about: &'static str,
    /// True if each move has a cost in at most one projection. If so, the estimate is the sum of the costs; otherwise, it is the
    /// largest cost. If this is wrongly true, estimates are too large, and A* may call a plan optimal that is not. If it is wrongly
    /// false, estimates are smaller than necessary, which only costs time.
    pub additive: bool,
    /// True if no move lowers the estimate by more than the move's cost. Without details, this is always true. It affects only the
    /// choice of the default heuristic.
    pub consistent: bool,
    /// The projections of this instance, at most 32.
    pub projections: fn(&P) -> Vec<Projection>,
    /// Writes the entry of a state in the table of each projection.
    pub entries: fn(&P, &P::State, &mut [u32]),
    /// The patterns of all goals under the projection with this index. A missing pattern makes estimates too large, so that A* may call a
    /// plan optimal that is not, or a live state dead. An additional pattern makes estimates smaller, which only costs time.
    pub goals: fn(&P, usize) -> Vec<u64>,
    /// Calls `emit` with every pattern from which a step leads to this pattern, and the cost of the step: the cost of the move or, if costs
    /// are added, 0 in all projections but one. Steps of cost 0 may be skipped if `emit` is called with the patterns beyond them
    /// instead. A missing step or a cost that is too large has the same effect as a missing goal. An additional step has the same
    /// effect as an additional goal.
    pub step: PatternStepFn<P>,
}

/// Emits the predecessors of a pattern under the projection with this index.
pub type PatternStepFn<P> = fn(&P, usize, u64, &mut dyn FnMut(u64, Cost));

/// A projection and the size of its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Projection {
    /// One line that states everything on which the values of the table depend: the name of the game, the board, its goal, its prices,
    /// and the features of the pattern. A table on disk is reused if its line is the same. If different tables have the same line,
    /// estimates are wrong.
    pub id: String,
    /// Number of entries in the table.
    pub entries: u32,
    /// Number of patterns per entry. There are at most 2^32 patterns in total.
    pub details: u32,
}

impl Projection {
    /// Number of patterns.
    pub fn patterns(&self) -> u64 {
        u64::from(self.entries) * u64::from(self.details)
    }

    /// Approximate number of bytes needed to build the table: the table itself and a bit per pattern, but not the patterns waiting to
    /// be expanded.
    pub fn bytes(&self) -> u64 {
        u64::from(self.entries) + self.patterns() / 8
    }
}
