//! Exercises: random boards of a requested difficulty, with their answers, as a sheet to hand out.
//!
//! Seeds are derived from the sheet's seed. A board is generated from each, solved, and kept if it fits. Therefore the same version,
//! seed and options produce the same sheet on every machine, and a sheet with fewer exercises is part of a longer one. Every exercise
//! shows the seed of its board. If there are too few exercises, there is no sheet, and [`Shortage`] describes the boards that were
//! tried.

mod collect;
mod page;
mod span;
mod text;

pub use collect::{Shortage, collect};
pub(crate) use collect::{decide, make, solve, stopped};
use serde_json::{Value, json};
pub use span::Span;

use crate::catalog::{Entry, Position, SolveError};
use crate::notation::{Fault, ReadError, counted};
use crate::report::{Answer, DuelResult, Report, Written, count};

/// A request for a sheet.
#[derive(Clone)]
pub struct Request {
    pub entry: &'static Entry,
    /// Options of the game's generator, as `NAME=VALUE`.
    pub options: Vec<String>,
    pub seed: u64,
    /// The number of exercises.
    pub count: usize,
    /// The allowed range of proven least costs.
    pub cost: Option<Span>,
    /// The allowed range of the number of states that `method` expands.
    pub expanded: Option<Span>,
    /// The method whose expanded states are counted. The default is the method of `solve`. However, if that method is the game's own
    /// solver and `expanded` is set, the default is A* with the game's first heuristic or, if the game has none, uniform-cost search.
    pub method: Option<String>,
    /// Maximum number of boards to try.
    pub tries: u64,
    /// The sheet's title; `None` for the default title.
    pub title: Option<String>,
}

/// A board with its answer.
pub struct Exercise {
    /// The seed that generates its board.
    pub seed: u64,
    pub position: Position,
    /// The checked answer, found by the method of `solve`.
    pub report: Report,
    /// The method whose expanded states were counted.
    pub method: String,
    pub expanded: u64,
}

/// Exercises, easiest first.
pub struct Sheet {
    pub request: Request,
    pub exercises: Vec<Exercise>,
}

/// The reason a sheet could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Solve(#[from] SolveError),
    #[error(transparent)]
    Request(Fault),
    #[error("{0}")]
    Short(Shortage),
}

impl Sheet {
    pub fn title(&self, answers: bool) -> String {
        let Request { entry, count, title, .. } = &self.request;
        let title = title.clone().unwrap_or_else(|| format!("{}: {}", entry.name, counted(*count, "exercise", "exercises")));
        if answers { format!("{title} (answers)") } else { title }
    }

    /// The instruction printed above the exercises.
    fn task(&self) -> &'static str {
        match self.request.entry.players {
            1 => "Find a plan of least cost for each board.",
            _ => "For each board, name the winner with best play and list the winning first moves.",
        }
    }

    /// The first paragraph of the game's rules. Each indented line is its own paragraph.
    fn rules(&self) -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        let mut alone = true;
        for line in self.request.entry.rules.lines().take_while(|line| !line.trim().is_empty()) {
            let text = line.split_whitespace().collect::<Vec<_>>().join(" ");
            let indented = line.starts_with(' ');
            match parts.last_mut().filter(|_| !alone && !indented) {
                Some(last) => *last = format!("{last} {text}"),
                None => parts.push(text),
            }
            alone = indented;
        }
        if !self.request.options.is_empty() {
            parts.push(format!("Options: {}.", self.request.options.join(", ")));
        }
        parts
    }

    /// A line with the version, the seed and the options of the sheet.
    fn origin(&self) -> String {
        let Request { seed, cost, expanded, options, .. } = &self.request;
        let mut parts = vec![format!("kibitzer {}, seed {seed}", env!("CARGO_PKG_VERSION"))];
        parts.extend(options.iter().cloned());
        parts.extend(cost.map(|span| format!("least cost {span}")));
        parts.extend(expanded.map(|span| format!("{span} states expanded")));
        parts.join(", ")
    }

    /// The command that generates the board of an exercise.
    pub fn command(&self, exercise: &Exercise) -> String {
        let Request { entry, options, .. } = &self.request;
        let options: String = options.iter().map(|option| format!(" --option {}", quoted(option))).collect();
        format!("kibitzer generate {} --seed {}{options}", entry.name, exercise.seed)
    }

    /// The sheet as JSON, with or without answers. The member `answer` is the output of `solve --json` without `stats`.
    pub fn json(&self, answers: bool) -> Value {
        let Request { entry, options, seed, cost, expanded, .. } = &self.request;
        let span = |span: &Option<Span>| span.map(|span| json!([span.least, (span.most < u64::MAX).then_some(span.most)]));
        let exercise = |(at, exercise): (usize, &Exercise)| {
            let Position { instance, ascii, .. } = &exercise.position;
            let (seed, command) = (exercise.seed, self.command(exercise));
            let mut object = json!({"number": at + 1, "seed": seed, "command": command, "instance": instance, "ascii": ascii});
            if answers {
                let mut answer = exercise.report.json(0.0);
                answer.as_object_mut().map(|fields| fields.shift_remove("stats"));
                for name in ["cost", "moves", "winner", "outcome", "best"] {
                    if let Some(value) = answer.get(name) {
                        object[name] = value.clone();
                    }
                }
                object["method"] = json!(exercise.method);
                object["expanded"] = json!(exercise.expanded);
                object["answer"] = answer;
            }
            object
        };
        json!({
            "sheet": 1, "game": entry.name, "title": self.title(answers), "version": env!("CARGO_PKG_VERSION"), "seed": seed, "options": options,
            "cost": span(cost), "expanded": span(expanded), "answers": answers,
            "exercises": self.exercises.iter().enumerate().map(exercise).collect::<Value>(),
        })
    }
}

impl Exercise {
    /// The least cost of the board; `None` in a two-player game.
    pub fn cost(&self) -> Option<u64> {
        match self.report.answer {
            Answer::Solved { cost, .. } => Some(u64::from(cost)),
            _ => None,
        }
    }

    /// The sentence that precedes the moves of the answer.
    fn answer(&self) -> String {
        let these = |best: &[Written]| if best.len() == 1 { "this first move" } else { "any of these first moves" };
        match &self.report.answer {
            Answer::Solved { cost: 0, moves, .. } if moves.is_empty() => "Least cost 0: the board is already solved.".to_owned(),
            Answer::Solved { cost, moves, .. } if moves.len() == 1 => format!("Least cost {cost}, in 1 move:"),
            Answer::Solved { cost, moves, .. } => format!("Least cost {cost}. One solution, in {} moves:", moves.len()),
            Answer::Decided(DuelResult { winner: Some(player), best, .. }) if best.is_empty() => {
                format!("Player {player} wins, because every first move loses.")
            }
            Answer::Decided(DuelResult { winner: Some(player), best, .. }) => format!("Player {player} wins with {}:", these(best)),
            Answer::Decided(DuelResult { winner: None, best, .. }) => format!("A draw with best play, with {}:", these(best)),
            Answer::Unsolvable { .. } | Answer::Unknown { .. } => "No answer.".to_owned(),
        }
    }

    fn moves(&self) -> &[Written] {
        match &self.report.answer {
            Answer::Solved { moves, .. } | Answer::Unknown { moves, .. } => moves,
            Answer::Decided(decided) => &decided.best,
            Answer::Unsolvable { .. } => &[],
        }
    }

    fn counted(&self) -> String {
        format!("{} expands {}.", self.method, count(self.expanded, "state"))
    }
}

/// Quotes a word as a shell argument.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=:,./@%".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}
