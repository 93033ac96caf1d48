//! Looks for boards that are as hard as asked for.

use std::collections::HashSet;
use std::fmt;

use super::{Exercise, Request, Sheet, SheetError, Span};
use crate::catalog::{Choice, Entry, MethodInfo, Puzzle, SolveError};
use crate::limits::{Limit, Limits};
use crate::notation::{Fault, Input, Options, ReadError};
use crate::random::Random;
use crate::report::{Answer, Report, grouped};

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

/// The result of trying a board.
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
        return Err(SheetError::Request(Fault::new(message, "leave `--cost` out; `--expanded` says how hard a board is")));
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
        return Err(SheetError::Request(Fault::new(message, "ask for smaller ones with `--option`")));
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
