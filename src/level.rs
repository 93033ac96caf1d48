//! Levels: random boards that are easy, medium, hard or for experts by what was measured on them, and the board of a day.
//!
//! A game says in [`Info::levels`] how boards of a level are made and what must be measured on them. Boards are drawn from
//! seeds that follow from the level's own until one fits, so the same version, game, level and seed give the same board on every
//! machine: there is no clock in it, and no floating-point number. Every board is proved to be what it is for: one player can
//! solve it, and the least cost is known; where two play, the player to move wins under best play.
//!
//! A game without such ranges still has levels: of [`DRAWS`] boards the easiest, the hardest, or one between them.
//!
//! [`Info::levels`]: crate::notation::Notation::LEVELS

pub mod daily;
mod difficulty;

use std::fmt;
use std::str::FromStr;

pub use difficulty::Difficulty;

use crate::catalog::{Entry, Puzzle};
use crate::limits::{Limit, Limits};
use crate::notation::{LevelSpec, Options, ReadError, shorten};
use crate::random::Random;
use crate::report::Report;
use crate::sheet::{self, SheetError, Shortage, Span};

/// The difficulty of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Easy,
    Medium,
    Hard,
    Expert,
}

/// All levels, the easiest first.
pub const LEVELS: [Level; 4] = [Level::Easy, Level::Medium, Level::Hard, Level::Expert];

impl Level {
    /// The same everywhere: command line, JSON, address.
    pub fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::Expert => "expert",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        LEVELS.into_iter().find(|level| level.name() == text).ok_or_else(|| format!("there is no level `{}`", shorten(text)))
    }
}

/// A board of a level.
pub struct Leveled {
    pub level: Level,
    pub seed: u64,
    /// The board as text.
    pub instance: String,
    /// The answer of `solve`, checked.
    pub report: Report,
    pub difficulty: Difficulty,
}

/// Boards that are looked at before there is said to be none. Ranges are chosen so that about every fifth fits.
const TRIES: u64 = 300;
/// Boards that are compared where the game says nothing about levels.
pub const DRAWS: usize = 8;
/// States that deciding one board may take.
const NODES: u64 = 10_000;

/// The board of a game, level and seed. Which one it is must not depend on the limits: with fewer nodes than deciding one board may
/// take, there is none.
pub fn make(entry: &'static Entry, level: Level, seed: u64, limits: &Limits) -> Result<Leveled, SheetError> {
    if limits.nodes < NODES {
        return Err(ReadError::Stopped(Limit::Nodes).into());
    }
    // Levels of one seed have nothing to do with each other.
    let mut random = Random::new(Random::new(seed).word() ^ level as u64);
    let mut seen = Seen::default();
    let leveled = |board: Board, difficulty: Difficulty, report: Report| -> Result<Leveled, SheetError> {
        let difficulty = difficulty::with_states(difficulty, &*board.puzzle, limits)?;
        Ok(Leveled { level, seed, instance: board.instance, report, difficulty })
    };
    if let Some(specs) = entry.levels {
        let spec = &specs[level as usize];
        while seen.tried < TRIES {
            let Some(board) = draw(entry, spec.options, &mut random, &mut seen, limits)? else { continue };
            if let Some((difficulty, report)) = judge(&*board.puzzle, Some(spec), &mut seen, limits)? {
                return leveled(board, difficulty, report);
            }
        }
        return Err(seen.short());
    }
    let mut boards = Vec::new();
    while boards.len() < DRAWS && seen.tried < TRIES {
        let Some(board) = draw(entry, &[""], &mut random, &mut seen, limits)? else { continue };
        if let Some((difficulty, report)) = judge(&*board.puzzle, None, &mut seen, limits)? {
            boards.push((difficulty, board, report));
        }
    }
    if boards.is_empty() {
        return Err(seen.short());
    }
    boards.sort_by_key(|(difficulty, ..)| (difficulty.guesses, difficulty.least, difficulty.moves));
    // The first, the last, and two that divide what is between them.
    let at = (boards.len() - 1) * level as usize / (LEVELS.len() - 1);
    let (difficulty, board, report) = boards.swap_remove(at);
    leveled(board, difficulty, report)
}

/// Does a board belong to the level?
pub fn fits(spec: &LevelSpec, difficulty: &Difficulty) -> bool {
    spec.least.contains(&difficulty.least.unwrap_or(difficulty.moves)) && spec.guesses.contains(&difficulty.guesses)
}

/// The boards seen while none fitted.
#[derive(Default)]
struct Seen {
    tried: u64,
    undecided: u64,
    costs: Option<Span>,
    failure: Option<ReadError>,
}

impl Seen {
    fn cost(&mut self, cost: u64) {
        let Span { least, most } = self.costs.unwrap_or(Span { least: cost, most: cost });
        self.costs = Some(Span { least: least.min(cost), most: most.max(cost) });
    }

    fn short(self) -> SheetError {
        if let Some(failure) = self.failure.filter(|_| self.costs.is_none()) {
            return failure.into();
        }
        let Seen { tried, undecided, costs, .. } = self;
        SheetError::Short(Shortage { wanted: 1, found: 0, tried, limit: None, undecided, repeated: 0, costs, expanded: None, cut: false })
    }
}

struct Board {
    instance: String,
    puzzle: Box<dyn Puzzle>,
}

/// The next board; none if the generator fails, as it may with one seed and not with another.
fn draw(
    entry: &'static Entry,
    options: &[&str],
    random: &mut Random,
    seen: &mut Seen,
    limits: &Limits,
) -> Result<Option<Board>, SheetError> {
    seen.tried += 1;
    let (options, seed) = (options[random.below(options.len())], random.word());
    let specs: Vec<_> = entry.generate_options.unwrap_or_default().iter().collect();
    let options = Options::parse(options.split_whitespace(), &specs).map_err(ReadError::from)?;
    match sheet::make(entry, seed, &options, limits) {
        Ok((instance, puzzle)) => Ok(Some(Board { instance, puzzle })),
        Err(SheetError::Read(error @ ReadError::Option(_))) => {
            seen.failure.get_or_insert(error);
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Measures and decides a board; none if it does not fit, cannot be won by the player to move, or takes too much. What rules a
/// board out soonest comes first.
fn judge(
    puzzle: &dyn Puzzle,
    wanted: Option<&LevelSpec>,
    seen: &mut Seen,
    limits: &Limits,
) -> Result<Option<(Difficulty, Report)>, SheetError> {
    let is_wanted = |difficulty: &Difficulty| difficulty.moves > 0 && wanted.is_none_or(|spec| fits(spec, difficulty));
    if puzzle.duel().is_some() {
        let Some(difficulty) = difficulty::duel(puzzle, limits)?.filter(is_wanted) else { return Ok(None) };
        let decided = sheet::decide(puzzle, NODES, limits)?;
        seen.undecided += u64::from(decided.is_none());
        return Ok(decided.map(|(report, _)| (difficulty, report)));
    }
    let Some((report, Some(cost))) = sheet::decide(puzzle, NODES, limits)? else {
        seen.undecided += 1;
        return Ok(None);
    };
    seen.cost(cost);
    if wanted.is_some_and(|spec| !spec.least.contains(&cost)) {
        return Ok(None);
    }
    Ok(difficulty::alone(puzzle, &report, limits)?.filter(is_wanted).map(|difficulty| (difficulty, report)))
}
