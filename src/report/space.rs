//! The counts of a board's whole space.

use serde_json::{Value, json};

use crate::limits::Limit;
use crate::search::explore::{Explored, Layer};

/// The counts of a board's whole space.
#[derive(Clone, Debug)]
pub struct Exploration {
    pub explored: Explored,
    /// The number of states with symmetric ones counted separately, if it could be computed within the limits.
    pub unfolded: Option<u64>,
    pub names: Vec<String>,
    /// True if each layer includes the numbers of boards that the player to move loses and draws.
    pub labeled: bool,
}

/// The counts of a whole space, as one JSON object.
pub fn exploration_json(game: &str, space: &Exploration, seconds: f64) -> Value {
    let row = |(layer, name): (&Layer, &String)| {
        json!({
            "layer": name, "states": layer.states, "goals": layer.goals, "dead_ends": layer.dead_ends, "moves": layer.moves,
        })
    };
    let total = space.explored.total();
    let counted = |boards: u64| (space.labeled && boards < u64::MAX).then_some(boards);
    json!({
        "game": game,
        "complete": space.explored.limit.is_none(),
        "limit": space.explored.limit.map(Limit::name),
        "states": total.states,
        "without_symmetry": space.unfolded,
        "goals": total.goals,
        "dead_ends": total.dead_ends,
        "moves": total.moves,
        "losing": counted(total.losing),
        "drawn": counted(total.drawn),
        "layers": space.explored.layers.iter().zip(&space.names).map(row).collect::<Value>(),
        "stats": {"peak_bytes": space.explored.peak_bytes, "seconds": seconds},
    })
}
