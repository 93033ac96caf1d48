//! Searches for boards of the requested difficulty.

use std::collections::HashSet;
use std::fmt;

use super::{Exercise, Request, Sheet, SheetError, Span};
use crate::catalog::{Choice, Entry, MethodInfo, Puzzle, SolveError};
use crate::limits::{Limit, Limits};
use crate::notation::{Fault, Input, Options, ReadError};
use crate::random::Random;
use crate::report::{Answer, Report, count, grouped};
use crate::sort;

/// The report of a search that found too few boards. Describes the boards that were tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shortage {
    pub wanted: usize,
    pub found: usize,
    pub tried: u64,
    /// The limit that ended the work, if it was not the number of tries.
    pub limit: Option<Limit>,
    /// Number of boards that were not decided within the node limit.
    pub undecided: u64,
    /// Number of boards that had already been generated from another seed.
    pub repeated: u64,
    /// The range of least costs found.
    pub costs: Option<Span>,
    /// The range of the numbers of states expanded on boards whose cost fits, if a range was requested. Counting stops at one more than
    /// the largest requested number.
    pub expanded: Option<Span>,
    /// True if counting stopped early on some board.
    pub cut: bool,
    /// Number of seeds with which the generator failed.
    pub failed: u32,
    /// The generator's first error.
    pub failure: Option<Box<ReadError>>,
}

impl Shortage {
    /// The error to report. This is the generator's first error if there is nothing else to report.
    pub(crate) fn error(mut self) -> SheetError {
        let is_only_failure = self.found == 0 && self.costs.is_none() && self.expanded.is_none();
        match self.failure.take_if(|_| is_only_failure) {
            Some(failure) => SheetError::Read(*failure),
            None => SheetError::Short(self),
        }
    }
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(limit) = self.limit {
            write!(f, "{}: ", limit.words())?;
        }
        write!(f, "found {} of {} among {}", self.found, count(self.wanted as u64, "exercise"), count(self.tried, "board"))?;
        if let Some(costs) = self.costs {
            write!(f, "; least costs found: {costs}")?;
        }
        if let Some(expanded) = self.expanded {
            let most = if self.cut { format!("{} or more", expanded.least) } else { expanded.to_string() };
            write!(f, "; states expanded{}: {most}", if self.costs.is_some() { " on boards with a suitable cost" } else { "" })?;
        }
        for (what, count) in [("repeated", self.repeated), ("not decided within the limits", self.undecided)] {
            if count > 0 {
                write!(f, "; {what}: {}", grouped(count))?;
            }
        }
        Ok(())
    }
}

/// Maximum number of states expanded to decide one board.
const NODES: u64 = 300_000;
/// Maximum number of bytes per packed state, as on the page. Larger boards do not fit on paper.
const MOST_STATE: usize = 640;
/// Maximum number of seeds with which a generator may fail.
const FAILURES: u32 = 100;
/// Seeds have at most nine digits, so that they can be typed.
const SEEDS: usize = 1_000_000_000;

/// Searches for boards. `progress` is called with the numbers of boards found and tried.
pub fn collect(request: Request, limits: &Limits, progress: &mut dyn FnMut(usize, u64)) -> Result<Sheet, SheetError> {
    let entry = request.entry;
    if entry.players == 2 && request.cost.is_some() {
        let message = format!("{0} boards have no cost, because {0} is a two-player game", entry.name);
        return Err(SheetError::Request(Fault::new(message, "omit `--cost`; `--expanded` measures how hard a board is")));
    }
    let specs: Vec<_> = entry.generate_options.unwrap_or_default().iter().collect();
    let options = Options::parse(request.options.iter().map(String::as_str), &specs).map_err(ReadError::from)?;
    let mut seeds = Random::new(request.seed);
    let mut texts = HashSet::new();
    let mut exercises: Vec<Exercise> = Vec::new();
    let mut seen = Shortage { wanted: request.count, ..Shortage::default() };
    while exercises.len() < request.count && seen.tried < request.tries && seen.limit.is_none() {
        progress(exercises.len(), seen.tried);
        match attempt(&request, seeds.below(SEEDS) as u64, &options, &mut texts, &mut seen, limits) {
            Ok(exercise) => {
                exercises.extend(exercise);
                seen.tried += 1;
            }
            Err(SheetError::Read(ReadError::Stopped(reached))) => seen.limit = Some(reached),
            Err(error) => return Err(error),
        }
    }
    seen.found = exercises.len();
    if seen.found < request.count {
        return Err(seen.error());
    }
    // The sort is stable, so ties keep the order in which their boards were generated.
    sort::by_key(&mut exercises, |exercise| (exercise.cost(), exercise.expanded));
    Ok(Sheet { request, exercises })
}

/// A board, as text and ready to be solved.
type Board = (String, Box<dyn Puzzle>);

/// Generates a board from a seed; `None` if the generator fails, which may depend on the seed. A limit is reported as
/// [`ReadError::Stopped`].
pub(crate) fn make(entry: &Entry, seed: u64, options: &Options, seen: &mut Shortage, limits: &Limits) -> Result<Option<Board>, SheetError> {
    limits.check().map_err(stopped)?;
    let text = match (entry.generate)(seed, options, limits) {
        Err(error @ ReadError::Option(_)) if seen.failed < FAILURES => {
            seen.failed += 1;
            seen.failure.get_or_insert(Box::new(error));
            return Ok(None);
        }
        made => made?,
    };
    let puzzle = (entry.read)(&Input::new(&text, &Options::default(), limits))?;
    if puzzle.state_bytes() > MOST_STATE {
        let message = format!("{} boards of this size are too large for a sheet", entry.name);
        return Err(SheetError::Request(Fault::new(message, "request smaller boards with `--option`")));
    }
    Ok(Some((text, puzzle)))
}

/// Solves a board by expanding at most `nodes` states. Any other limit is reported as [`ReadError::Stopped`].
pub(crate) fn solve(puzzle: &dyn Puzzle, choice: &Choice, nodes: u64, limits: &Limits) -> Result<Report, SheetError> {
    let report = puzzle.solve(choice, &limits.with_nodes(nodes))?;
    match report.answer {
        Answer::Unknown { limit: limit @ (Limit::Time | Limit::Interrupt | Limit::Memory), .. } => Err(stopped(limit)),
        _ => Ok(report),
    }
}

/// The checked answer to the board and, for one player, its proven least cost. `None` if `nodes` states do not decide the board, or if
/// there is no plan.
pub(crate) fn decide(puzzle: &dyn Puzzle, nodes: u64, limits: &Limits) -> Result<Option<(Report, Option<u64>)>, SheetError> {
    let report = solve(puzzle, &Choice::default(), limits.nodes.min(nodes), limits)?;
    Ok(match report.answer {
        Answer::Solved { cost, optimal: true, .. } => Some((report, Some(u64::from(cost)))),
        Answer::Decided(_) if report.verified => Some((report, None)),
        _ => None,
    })
}

/// The error for a limit that ended the work.
pub(crate) fn stopped(limit: Limit) -> SheetError {
    SheetError::Read(ReadError::Stopped(limit))
}

/// Generates a board and checks whether it fits. If the board does not fit, `seen` records the reason. A limit other than the node
/// limit is reported as [`ReadError::Stopped`].
fn attempt(
    request: &Request,
    seed: u64,
    options: &Options,
    texts: &mut HashSet<String>,
    seen: &mut Shortage,
    limits: &Limits,
) -> Result<Option<Exercise>, SheetError> {
    let Some((text, puzzle)) = make(request.entry, seed, options, seen, limits)? else { return Ok(None) };
    if !texts.insert(text) {
        seen.repeated += 1;
        return Ok(None);
    }
    let nodes = limits.nodes.min(NODES);
    let counting = counting(request, &*puzzle);
    let named = puzzle.method(&counting).map_err(SolveError::from)?;
    let Some((report, cost)) = decide(&*puzzle, nodes, limits)? else {
        seen.undecided += 1;
        return Ok(None);
    };
    if let Some(cost) = cost {
        Span::include(&mut seen.costs, cost);
        if request.cost.is_some_and(|span| !span.contains(cost)) {
            return Ok(None);
        }
    }
    let enough = request.expanded.map_or(nodes, |span| span.most.saturating_add(1).min(nodes));
    let (method, expanded) = if counting.method.is_none() || named == report.method {
        (report.method.clone(), report.stats.expanded)
    } else {
        let counted = solve(&*puzzle, &counting, enough, limits)?;
        if matches!(counted.answer, Answer::Unknown { .. }) && enough == nodes {
            seen.undecided += 1;
            return Ok(None);
        }
        (named, counted.stats.expanded)
    };
    if let Some(span) = request.expanded {
        Span::include(&mut seen.expanded, expanded);
        seen.cut |= expanded > span.most;
        if !span.contains(expanded) {
            return Ok(None);
        }
    }
    let position = puzzle.position(limits).map_err(stopped)?;
    Ok(Some(Exercise { seed, position, report, method, expanded }))
}

/// The method whose expanded states are counted; see [`Request::method`].
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
