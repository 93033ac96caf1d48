//! Exercises: random boards that are as hard as asked for, with their answers, as a sheet to hand out.
//!
//! Boards are made from seeds that follow from the sheet's own, solved, and kept if they fit; so the same version, seed and
//! options give the same sheet on every machine, and a sheet of fewer exercises is a part of a longer one. Every exercise names
//! the seed that makes its board again. A sheet with fewer exercises than asked for is not made: [`Shortage`] says what was seen.

mod page;
mod text;

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use serde_json::{Map, Value, json};

use crate::catalog::{Choice, Entry, MethodInfo, Position, Puzzle, SolveError};
use crate::limits::{Limit, Limits};
use crate::notation::{Input, Options, ReadError};
use crate::random::Random;
use crate::report::{Answer, Decided, Report, Written, grouped};

/// Numbers from `least` to `most`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub least: u64,
    pub most: u64,
}

impl Span {
    pub fn contains(&self, number: u64) -> bool {
        (self.least..=self.most).contains(&number)
    }

    /// The smallest span with these numbers.
    fn of(numbers: impl Iterator<Item = u64> + Clone) -> Option<Span> {
        Some(Span { least: numbers.clone().min()?, most: numbers.max()? })
    }
}

/// `6..9`, `6`, `6..` or `..9`.
impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        let number = |text: &str, or: u64| match text.trim() {
            "" => Ok(or),
            text if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().map_err(|_| format!("{text} is too large")),
            text => Err(format!("`{text}` is not a number from 0; give a range such as 6..9, 6.., ..9 or 6")),
        };
        let (least, most) = match text.split_once("..") {
            None if text.trim().is_empty() => return Err("give a range such as 6..9, 6.., ..9 or 6".to_owned()),
            None => (text, text),
            // `6..=9`, as some languages write it.
            Some((least, most)) => (least, most.strip_prefix('=').unwrap_or(most)),
        };
        let span = Span { least: number(least, 0)?, most: number(most, u64::MAX)? };
        if span.least > span.most {
            return Err(format!("{} is more than {}; write the smaller number first", span.least, span.most));
        }
        Ok(span)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Span { least, most } if least == most => write!(f, "{least}"),
            Span { least, most: u64::MAX } => write!(f, "{least}.."),
            Span { least, most } => write!(f, "{least}..{most}"),
        }
    }
}

/// What is asked for.
#[derive(Clone)]
pub struct Request {
    pub entry: &'static Entry,
    /// Options of the game's generator, as `NAME=VALUE`.
    pub options: Vec<String>,
    pub seed: u64,
    /// How many exercises.
    pub count: usize,
    /// Proved least costs.
    pub cost: Option<Span>,
    /// States that `method` expands.
    pub expanded: Option<Span>,
    /// Whose expanded states count. None: the method of `solve`; where that is the game's own solver and `expanded` is asked
    /// for, A* with the game's first heuristic, or uniform-cost search.
    pub method: Option<String>,
    /// Most boards to look at.
    pub tries: u64,
    /// The sheet's title; none lets it be made up.
    pub title: Option<String>,
}

/// A board with its answer.
pub struct Exercise {
    /// The seed that makes its board.
    pub seed: u64,
    pub position: Position,
    /// By the method of `solve`, and checked.
    pub report: Report,
    /// The method whose expanded states were counted.
    pub method: String,
    pub expanded: u64,
}

impl Exercise {
    /// The least cost, where one plays.
    pub fn cost(&self) -> Option<u64> {
        match self.report.answer {
            Answer::Solved { cost, .. } => Some(u64::from(cost)),
            _ => None,
        }
    }
}

/// Exercises, the easiest first.
pub struct Sheet {
    pub request: Request,
    pub exercises: Vec<Exercise>,
}

/// Why there is no sheet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Solve(#[from] SolveError),
    #[error("{message}")]
    Request { message: String, help: String },
    #[error("{0}")]
    Short(Shortage),
}

/// Too few boards fit, and what those that were looked at were like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortage {
    pub wanted: usize,
    pub found: usize,
    pub tried: u64,
    /// The limit that ended the work, if it was not the number of tries.
    pub limit: Option<Limit>,
    /// Boards that were not decided within the limit on nodes.
    pub undecided: u64,
    /// Boards that came a second time.
    pub repeated: u64,
    /// Least costs seen.
    pub costs: Option<Span>,
    /// States expanded on boards whose cost fits, where they were asked for. A count that was not followed to its end is one more
    /// than the largest asked for.
    pub expanded: Option<Span>,
    /// Were counts not followed to their end?
    pub cut: bool,
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(limit) = self.limit {
            write!(f, "the {} was reached: ", limit.words())?;
        }
        write!(f, "{} of {} exercises were found among {} boards", self.found, self.wanted, grouped(self.tried))?;
        if let Some(costs) = self.costs {
            write!(f, "; least costs seen: {costs}")?;
        }
        if let Some(expanded) = self.expanded {
            let most = if self.cut { format!("{} or more", expanded.least) } else { expanded.to_string() };
            write!(f, "; states expanded{}: {most}", if self.costs.is_some() { " where the cost fits" } else { "" })?;
        }
        for (what, count) in [("repeated", self.repeated), ("not decided within the limits", self.undecided)] {
            if count > 0 {
                write!(f, "; {what}: {}", grouped(count))?;
            }
        }
        Ok(())
    }
}

/// States that deciding one board may take.
const NODES: u64 = 300_000;
/// Bytes of a packed state, as for the page: larger boards do not fit on paper.
const MOST_STATE: usize = 640;
/// Seeds with which a generator may fail.
const FAILURES: u32 = 100;
/// Seeds have up to nine digits, so that they can be typed.
const SEEDS: usize = 1_000_000_000;

/// What became of a board.
enum Tried {
    Fits(Box<Exercise>),
    /// Its least cost is another.
    Cost(u64),
    /// It takes another number of states.
    Expanded {
        cost: Option<u64>,
        expanded: u64,
    },
    Undecided,
    Repeated,
}

/// Looks for boards. `progress` is called with the numbers of those found and tried.
pub fn collect(request: Request, limits: &Limits, progress: &mut dyn FnMut(usize, u64)) -> Result<Sheet, SheetError> {
    let entry = request.entry;
    if entry.players == 2 && request.cost.is_some() {
        let message = format!("boards of {} have no cost: it is for two players", entry.name);
        return Err(SheetError::Request { message, help: "leave `--cost` out; `--expanded` says how hard a board is".to_owned() });
    }
    let specs: Vec<_> = entry.generate_options.unwrap_or_default().iter().collect();
    let options = Options::parse(request.options.iter().map(String::as_str), &specs).map_err(ReadError::from)?;
    let mut seeds = Random::new(request.seed);
    let mut texts = HashSet::new();
    let mut exercises: Vec<Exercise> = Vec::new();
    let (mut costs, mut counts) = (Vec::new(), Vec::new());
    let (mut tried, mut undecided, mut repeated, mut limit) = (0, 0, 0, None);
    let (mut failures, mut failure) = (0, None);
    while exercises.len() < request.count && tried < request.tries && limit.is_none() {
        progress(exercises.len(), tried);
        let seed = seeds.below(SEEDS) as u64;
        match attempt(&request, seed, &options, &mut texts, limits) {
            Ok(Tried::Fits(exercise)) => {
                costs.extend(exercise.cost());
                counts.push(exercise.expanded);
                exercises.push(*exercise);
            }
            Ok(Tried::Cost(cost)) => costs.push(cost),
            Ok(Tried::Expanded { cost, expanded }) => {
                costs.extend(cost);
                counts.push(expanded);
            }
            Ok(Tried::Undecided) => undecided += 1,
            Ok(Tried::Repeated) => repeated += 1,
            // A generator may fail with one seed and not with another.
            Err(SheetError::Read(error @ ReadError::Option(_))) if failures < FAILURES => {
                failures += 1;
                failure.get_or_insert(error);
            }
            Err(SheetError::Read(ReadError::Stopped(reached))) => limit = Some(reached),
            Err(error) => return Err(error),
        }
        tried += u64::from(limit.is_none());
    }
    if exercises.len() < request.count {
        if let Some(failure) = failure.filter(|_| costs.is_empty() && counts.is_empty()) {
            return Err(failure.into());
        }
        let (found, wanted) = (exercises.len(), request.count);
        let expanded = request.expanded.and_then(|_| Span::of(counts.iter().copied()));
        let costs = Span::of(costs.iter().copied());
        let beyond = |span: Span| counts.iter().any(|&count| count > span.most);
        let cut = request.expanded.is_some_and(beyond);
        return Err(SheetError::Short(Shortage { wanted, found, tried, limit, undecided, repeated, costs, expanded, cut }));
    }
    // The seeds decide between equals.
    exercises.sort_by_key(|exercise| (exercise.cost(), exercise.expanded));
    Ok(Sheet { request, exercises })
}

/// Makes a board from a seed. A limit is [`ReadError::Stopped`].
pub(crate) fn make(entry: &Entry, seed: u64, options: &Options, limits: &Limits) -> Result<(String, Box<dyn Puzzle>), SheetError> {
    limits.check().map_err(stopped)?;
    let text = (entry.generate)(seed, options, limits)?;
    let puzzle = (entry.read)(&Input::new(&text, &Options::default(), limits))?;
    if puzzle.state_bytes() > MOST_STATE {
        let message = format!("such boards of {} are too large for a sheet", entry.name);
        return Err(SheetError::Request { message, help: "ask for smaller ones with `--option`".to_owned() });
    }
    Ok((text, puzzle))
}

/// The checked answer of `solve` and, where one plays, the proved least cost. None if `nodes` do not decide that, or if
/// there is no plan. A limit other than that on nodes is [`ReadError::Stopped`].
pub(crate) fn decide(puzzle: &dyn Puzzle, nodes: u64, limits: &Limits) -> Result<Option<(Report, Option<u64>)>, SheetError> {
    let report = puzzle.solve(&Choice::default(), &limits.with_nodes(limits.nodes.min(nodes)))?;
    Ok(match report.answer {
        Answer::Solved { cost, optimal: true, .. } => Some((report, Some(u64::from(cost)))),
        Answer::Decided(_) if report.verified => Some((report, None)),
        Answer::Unknown { limit: limit @ (Limit::Time | Limit::Memory), .. } => return Err(stopped(limit)),
        _ => None,
    })
}

/// A limit that ended the work.
pub(crate) fn stopped(limit: Limit) -> SheetError {
    SheetError::Read(ReadError::Stopped(limit))
}

/// Makes a board and finds out whether it fits. A limit other than that on nodes is [`ReadError::Stopped`].
fn attempt(request: &Request, seed: u64, options: &Options, texts: &mut HashSet<String>, limits: &Limits) -> Result<Tried, SheetError> {
    let (text, puzzle) = make(request.entry, seed, options, limits)?;
    if !texts.insert(text) {
        return Ok(Tried::Repeated);
    }
    let nodes = limits.nodes.min(NODES);
    let counting = counting(request, &*puzzle);
    let named = puzzle.method(&counting).map_err(SolveError::from)?;
    let Some((report, cost)) = decide(&*puzzle, nodes, limits)? else { return Ok(Tried::Undecided) };
    if let (Some(cost), Some(span)) = (cost, request.cost)
        && !span.contains(cost)
    {
        return Ok(Tried::Cost(cost));
    }
    let enough = request.expanded.map_or(nodes, |span| span.most.saturating_add(1).min(nodes));
    let (method, expanded) = if counting.method.is_none() || named == report.method {
        (report.method.clone(), report.stats.expanded)
    } else {
        let counted = puzzle.solve(&counting, &limits.with_nodes(enough))?;
        match counted.answer {
            Answer::Unknown { limit: limit @ (Limit::Time | Limit::Memory), .. } => return Err(stopped(limit)),
            Answer::Unknown { .. } if enough == nodes => return Ok(Tried::Undecided),
            _ => (named, counted.stats.expanded),
        }
    };
    if request.expanded.is_some_and(|span| !span.contains(expanded)) {
        return Ok(Tried::Expanded { cost, expanded });
    }
    let position = puzzle.position(limits).map_err(stopped)?;
    Ok(Tried::Fits(Box::new(Exercise { seed, position, report, method, expanded })))
}

/// The method whose expanded states count; see [`Request::method`].
fn counting(request: &Request, puzzle: &dyn Puzzle) -> Choice {
    if let Some(method) = &request.method {
        return Choice::method(method);
    }
    let methods = puzzle.methods();
    let is_search = |info: &MethodInfo| info.memory.is_some() && info.optimal;
    if request.expanded.is_none() || puzzle.duel().is_some() || methods.first().is_some_and(is_search) {
        return Choice::default();
    }
    let named = |start: &str| methods.iter().find(|info| is_search(info) && info.name.starts_with(start));
    named("astar:").or_else(|| named("ucs")).map_or_else(Choice::default, |info| Choice::method(&info.name))
}

impl Sheet {
    pub fn title(&self, answers: bool) -> String {
        let Request { entry, count, title, .. } = &self.request;
        let exercises = if *count == 1 { "1 exercise".to_owned() } else { format!("{count} exercises") };
        let title = title.clone().unwrap_or_else(|| format!("{}: {exercises}", entry.name));
        if answers { format!("{title} (answers)") } else { title }
    }

    /// What is to be done.
    fn task(&self) -> &'static str {
        match self.request.entry.players {
            1 => "Find a plan of least cost for each board.",
            _ => "For each board: who wins under best play, and by which first moves?",
        }
    }

    /// The first paragraph of the game's rules; lines that are indented there stand alone.
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
            parts.push(format!("Here: {}.", self.request.options.join(", ")));
        }
        parts
    }

    /// How the sheet was made, in a line.
    fn origin(&self) -> String {
        let Request { seed, cost, expanded, options, .. } = &self.request;
        let mut parts = vec![format!("kibitzer {}, seed {seed}", env!("CARGO_PKG_VERSION"))];
        parts.extend(options.iter().cloned());
        parts.extend(cost.map(|span| format!("least cost {span}")));
        parts.extend(expanded.map(|span| format!("{span} states expanded")));
        parts.join(", ")
    }

    /// The command that makes the board of an exercise again.
    pub fn command(&self, exercise: &Exercise) -> String {
        let Request { entry, options, .. } = &self.request;
        let options: String = options.iter().map(|option| format!(" --option {}", quoted(option))).collect();
        format!("kibitzer generate {} --seed {}{options}", entry.name, exercise.seed)
    }

    /// The sheet as JSON, with or without answers. `answer` is what `solve --json` prints, without what it took.
    pub fn json(&self, answers: bool) -> Value {
        let Request { entry, options, seed, cost, expanded, .. } = &self.request;
        let span = |span: &Option<Span>| span.map(|span| json!([span.least, (span.most < u64::MAX).then_some(span.most)]));
        let exercise = |(at, exercise): (usize, &Exercise)| {
            let mut object = Map::new();
            let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
            put("number", json!(at + 1));
            put("seed", json!(exercise.seed));
            put("command", json!(self.command(exercise)));
            put("instance", json!(exercise.position.instance));
            put("ascii", json!(exercise.position.ascii));
            if answers {
                let mut answer = exercise.report.json(0.0);
                if let Some(fields) = answer.as_object_mut() {
                    fields.shift_remove("stats");
                }
                for name in ["cost", "moves", "winner", "outcome", "best"] {
                    if let Some(value) = answer.get(name) {
                        put(name, value.clone());
                    }
                }
                put("method", json!(exercise.method));
                put("expanded", json!(exercise.expanded));
                put("answer", answer);
            }
            Value::Object(object)
        };
        json!({
            "sheet": 1, "game": entry.name, "title": self.title(answers), "version": env!("CARGO_PKG_VERSION"), "seed": seed, "options": options,
            "cost": span(cost), "expanded": span(expanded), "answers": answers,
            "exercises": self.exercises.iter().enumerate().map(exercise).collect::<Value>(),
        })
    }
}

impl Exercise {
    /// The answer in a sentence, before its moves.
    fn answer(&self) -> String {
        match &self.report.answer {
            Answer::Solved { cost: 0, moves, .. } if moves.is_empty() => "Least cost 0: it is solved already.".to_owned(),
            Answer::Solved { cost, moves, .. } if moves.len() == 1 => format!("Least cost {cost}, by 1 move:"),
            Answer::Solved { cost, moves, .. } => format!("Least cost {cost}, for example by these {} moves:", moves.len()),
            Answer::Decided(Decided { winner: Some(player), best, .. }) if best.is_empty() => {
                format!("Player {player} wins: every first move loses.")
            }
            Answer::Decided(Decided { winner: Some(player), .. }) => format!("Player {player} wins, by these first moves:"),
            Answer::Decided(Decided { winner: None, .. }) => "A draw, kept by these first moves:".to_owned(),
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
        let states = if self.expanded == 1 { "1 state".to_owned() } else { format!("{} states", grouped(self.expanded)) };
        format!("{} expands {states}.", self.method)
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=:,./@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends() {
        let span = |text: &str| text.parse::<Span>();
        let all = u64::MAX;
        for (text, least, most) in
            [("6..9", 6, 9), ("6", 6, 6), ("6..", 6, all), ("..9", 0, 9), ("..", 0, all), ("6..=9", 6, 9), (" 1 .. 2 ", 1, 2)]
        {
            assert_eq!(span(text), Ok(Span { least, most }), "{text}");
        }
        for text in ["", " ", "9..6", "x..", "..x", "-1..3", "1..-3", "1.5", "6...9", "6..9..12", "99999999999999999999", "+1", "1e3"] {
            assert!(span(text).is_err_and(|error| error.len() > 10), "{text}");
        }
        for text in ["6..9", "6", "6.."] {
            assert_eq!(span(text).expect("right").to_string(), text);
        }
    }

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(["a=b", "a=b c", "it's", ""].map(quoted), ["a=b", "'a=b c'", "'it'\\''s'", "''"]);
    }
}
