//! Costs of moves and plans.

/// The cost of a plan or a move. Sums saturate; a single move costs at most [`MAX_MOVE_COST`].
pub type Cost = u32;

/// The estimate of a heuristic that has proved that no goal can be reached.
pub const DEAD: Cost = Cost::MAX;

/// The maximum cost of a single move, far above any sensible cost, and low enough to avoid overflow.
pub const MAX_MOVE_COST: Cost = 1_000_000;
