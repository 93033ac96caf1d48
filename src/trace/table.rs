//! A trace as a table: one row for every expanded state, its children as a number.

use super::{Line, Worth};

/// The names of the columns.
pub const COLUMNS: &[&str] = &[
    "n", "id", "parent", "move", "depth", "g", "h", "f", "priority", "open", "lower", "upper", "bound", "side", "outcome", "grundy",
    "length", "children", "new", "better", "known", "dead", "state",
];

impl Line {
    /// The fields of [`COLUMNS`]; what is not known or does not apply is empty.
    pub fn fields(&self) -> Vec<String> {
        fn some(value: Option<impl ToString>) -> String {
            value.map(|value| value.to_string()).unwrap_or_default()
        }
        let numbers = self.numbers.as_ref();
        let worth = |of: fn(Worth) -> Option<u16>| some(self.value.and_then(of));
        let fates = ["new", "better", "known", "dead"];
        let of_fate = |fate: &str| self.children.iter().filter(|child| child.fate.name() == fate).count().to_string();
        let mut fields = vec![
            self.n.to_string(),
            self.id.to_string(),
            some(self.parent),
            self.mv.clone().unwrap_or_default(),
            self.depth.to_string(),
            some(numbers.map(|numbers| numbers.g)),
            some(numbers.and_then(|numbers| numbers.h)),
            some(numbers.and_then(super::Numbers::f)),
            some(numbers.and_then(|numbers| numbers.priority)),
            some(self.open),
            some(self.lower),
            some(self.upper),
            some(self.bound),
            some(self.side.map(super::Side::name)),
            some(self.value.map(|worth| worth.score.outcome())),
            worth(|worth| worth.grundy),
            worth(|worth| worth.length),
            self.children.len().to_string(),
        ];
        fields.extend(fates.map(of_fate));
        fields.push(self.state.clone().unwrap_or_default());
        fields
    }
}
