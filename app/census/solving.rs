//! The table of a method: solves every board of a list, and writes its cost and the counts of the search as a row. Every one-player game
//! has such a table, which ends with the totals of its columns.

use kibitzer::ask::instances;
use kibitzer::catalog::{Choice, Entry, Puzzle};
use kibitzer::limits::Limits;
use kibitzer::notation::Options;
use kibitzer::report::grouped;
use serde_json::json;

use super::unreadable;
use crate::failure::Failure;
use crate::lines::is_board;
use crate::solve;
use crate::table::{CSV_TOTALS, RowFormat, TableHead};

/// The columns, with their descriptions in the help text.
pub const COLUMNS: [(&str, &str); 8] = [
    ("line", "the line number in the list"),
    ("board", "as given"),
    ("verdict", "solved, unsolvable or unknown"),
    ("cost", "the cost of the plan found"),
    ("optimal", "true if that cost is proved to be the least"),
    ("expanded", "number of states expanded"),
    ("generated", "number of states generated"),
    (SECONDS, "how long the method took"),
];

/// The column whose values differ from run to run.
pub const SECONDS: &str = "seconds";
/// The columns whose values may differ between versions of the program.
pub const COUNTS: [&str; 2] = ["expanded", "generated"];

/// The option in a table's header that names the method. Its value is empty if each board is solved by the game's best method for that
/// board.
pub const METHOD: &str = "method";

/// The game, method and options that determine the rows.
pub struct Solving {
    pub entry: &'static Entry,
    pub method: Option<String>,
    /// Options of the game, for all boards.
    pub options: Options,
}

impl Solving {
    /// The fields of the row for an input line. `None` if the line has no board, or if the work was canceled.
    pub fn fields(&self, number: u64, line: &str, limits: &Limits) -> Result<Option<Vec<String>>, Failure> {
        if !is_board(line) {
            return Ok(None);
        }
        // Each board is solved on one thread, because the boards are distributed over the threads.
        let limits = Limits { threads: None, progress: None, ..limits.clone() };
        let puzzle = match instances::read(self.entry, line, &self.options, &limits) {
            Ok((puzzle, _)) => puzzle,
            Err(error) => return unreadable(number, error, &limits),
        };
        let at_line = |failure: Failure| Failure { message: format!("line {number} of the list: {}", failure.message), ..failure };
        let (report, seconds) = solve::timed(&*puzzle, &self.choice(&*puzzle), &limits).map_err(at_line)?;
        if limits.check().is_err() {
            return Ok(None);
        }
        // Microseconds are more precise than any measurement.
        let names: Vec<&str> = COLUMNS[2..].iter().map(|(name, _)| *name).collect();
        let found = report.fields((seconds * 1e6).round() / 1e6, &names);
        Ok(Some([number.to_string(), line.to_owned()].into_iter().chain(found).collect()))
    }

    /// Returns one of the game's methods or, if none has the requested name, an algorithm of a course.
    fn choice(&self, puzzle: &dyn Puzzle) -> Choice {
        let Some(name) = &self.method else { return Choice::default() };
        let choice = Choice::method(name);
        if puzzle.method(&choice).is_ok() {
            return choice;
        }
        let full = format!("course:{name}");
        let course = puzzle.methods().into_iter().find(|info| info.course && info.name.eq_ignore_ascii_case(&full));
        course.map_or(choice, |info| Choice::method(info.name))
    }
}

/// The column totals of the table of a method.
#[derive(Clone, Default)]
pub struct Totals {
    boards: u64,
    solved: u64,
    unsolvable: u64,
    optimal: u64,
    cost: u64,
    expanded: u64,
    generated: u64,
    seconds: f64,
}

impl Totals {
    /// Adds the values of a row to the totals.
    pub fn add(&mut self, fields: &[String]) {
        let [_, _, verdict, cost, optimal, expanded, generated, seconds] = fields else { return };
        let number = |field: &String| field.parse::<u64>().unwrap_or(0);
        self.boards += 1;
        self.solved += u64::from(verdict == "solved");
        self.unsolvable += u64::from(verdict == "unsolvable");
        self.optimal += u64::from(optimal == "true");
        self.cost = self.cost.saturating_add(number(cost));
        self.expanded = self.expanded.saturating_add(number(expanded));
        self.generated = self.generated.saturating_add(number(generated));
        self.seconds += seconds.parse().unwrap_or(0.0);
    }

    /// The line with the totals, which follows the rows.
    pub fn line(&self, format: RowFormat) -> String {
        let Totals { boards, solved, unsolvable, optimal, cost, expanded, generated, seconds } = *self;
        let seconds = (seconds * 1e6).round() / 1e6;
        match format {
            RowFormat::Csv => format!(
                "{CSV_TOTALS}boards={boards}; solved={solved}; unsolvable={unsolvable}; optimal={optimal}; cost={cost}; expanded={expanded}; \
                 generated={generated}; seconds={seconds}\n"
            ),
            RowFormat::Jsonl => {
                let totals = json!({
                    "boards": boards, "solved": solved, "unsolvable": unsolvable, "optimal": optimal, "cost": cost, "expanded": expanded,
                    "generated": generated, "seconds": seconds,
                });
                format!("{}\n", json!({"totals": totals}))
            }
        }
    }

    /// The totals as a sentence.
    pub fn sentence(&self) -> String {
        let [boards, solved, optimal, cost] = [self.boards, self.solved, self.optimal, self.cost].map(grouped);
        let [expanded, generated] = [self.expanded, self.generated].map(grouped);
        format!(
            "totals: {solved} of {boards} solved, {optimal} with a proof of the least cost; cost {cost}, {expanded} expanded, {generated} \
             generated, {:.2} s",
            self.seconds
        )
    }
}

/// True if a table with this header is the table of a method.
pub fn is_head(head: &TableHead) -> bool {
    head.kind == "census" && head.options.iter().any(|(name, _)| name == METHOD)
}
