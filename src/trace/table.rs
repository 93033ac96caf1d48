//! A trace as a table: one row for every expanded state, with the number of its children.

use serde_json::Value;

use super::Line;
use crate::text::field;

/// The names of the columns.
pub const COLUMNS: &[&str] = &[
    "n", "id", "parent", "move", "depth", "g", "h", "f", "priority", "open", "lower", "upper", "bound", "side", "outcome", "grundy",
    "length", "children", "new", "better", "known", "dead", "state",
];

impl Line {
    /// The fields for [`COLUMNS`], with the same values as in JSON. A field is empty if its value is unknown or does not apply.
    pub fn fields(&self) -> Vec<String> {
        let json = self.json();
        let of_fate = |fate: &str| self.children.iter().filter(|child| child.fate.name() == fate).count().to_string();
        let text = |name: &&str| match *name {
            "children" => self.children.len().to_string(),
            "new" | "better" | "known" | "dead" => of_fate(name),
            "priority" => json.get(name).and_then(Value::as_f64).map(|priority| priority.to_string()).unwrap_or_default(),
            name => field(json.get(name)),
        };
        COLUMNS.iter().map(text).collect()
    }
}
