//! Levels: random boards that are easy, medium, hard or for experts by measured difficulty, and the board of a day.
//!
//! [`Info::levels`] has the settings of the generator for each level, and the ranges of the measured difficulty. Boards are generated
//! from seeds that are derived from the level's seed until one fits. No clock and no floating-point number is involved, so the same
//! version, game, level and seed give the same board on every machine. Every board has a proved answer: one player can solve it and
//! the least cost is known, or of two players the one to move wins under best play.
//!
//! A game without such ranges still has levels: of [`DRAWS`] boards the easiest, the hardest, or one between them.
//!
//! [`Info::levels`]: crate::notation::Info::levels

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
    /// The name in the command line, in JSON and in addresses.
    pub fn name(self) -> &'static str {
        ["easy", "medium", "hard", "expert"][self as usize]
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

/// Maximum number of boards to try. Ranges are chosen so that about every fifth board fits.
const TRIES: u64 = 300;
/// Boards that are compared if the game has no ranges for levels.
pub const DRAWS: usize = 8;
/// States that deciding one board may take.
const NODES: u64 = 10_000;

/// The board of a game, level and seed. It must not depend on the limits, so limits of fewer nodes than deciding one board may take
/// are an error.
pub fn make(entry: &'static Entry, level: Level, seed: u64, limits: &Limits) -> Result<Leveled, SheetError> {
    if limits.nodes < NODES {
        return Err(ReadError::Stopped(Limit::Nodes).into());
    }
    // Boards of one seed at different levels are independent.
    let mut random = Random::new(Random::new(seed).word() ^ level as u64);
    let mut seen = Shortage { wanted: 1, ..Shortage::default() };
    let spec = entry.levels.map(|specs| &specs[level as usize]);
    let (settings, draws) = spec.map_or((&[""][..], DRAWS), |spec| (spec.options, 1));
    let specs: Vec<_> = entry.generate_options.unwrap_or_default().iter().collect();
    let mut boards = Vec::new();
    while boards.len() < draws && seen.tried < TRIES {
        seen.tried += 1;
        let (settings, seed) = (settings[random.below(settings.len())], random.word());
        let options = Options::parse(settings.split_whitespace(), &specs).map_err(ReadError::from)?;
        let Some((instance, puzzle)) = sheet::make(entry, seed, &options, &mut seen, limits)? else { continue };
        if let Some((difficulty, report)) = judge(&*puzzle, spec, &mut seen, limits)? {
            boards.push((difficulty, instance, puzzle, report));
        }
    }
    if boards.is_empty() {
        return Err(seen.error());
    }
    boards.sort_by_key(|(difficulty, ..)| (difficulty.guesses, difficulty.least, difficulty.moves));
    // Of several boards the first, the last, and two that divide the others evenly.
    let at = (boards.len() - 1) * level as usize / (LEVELS.len() - 1);
    let (difficulty, instance, puzzle, report) = boards.swap_remove(at);
    let difficulty = difficulty::with_states(difficulty, &*puzzle, limits)?;
    Ok(Leveled { level, seed, instance, report, difficulty })
}

/// True if a board belongs to the level.
pub fn fits(spec: &LevelSpec, difficulty: &Difficulty) -> bool {
    spec.least.contains(&difficulty.least.unwrap_or(difficulty.moves)) && spec.guesses.contains(&difficulty.guesses)
}

/// Measures and decides a board; `None` if it does not fit, cannot be won by the player to move, or takes too much work. Checks
/// that rule out a board quickly come first.
fn judge(
    puzzle: &dyn Puzzle,
    wanted: Option<&LevelSpec>,
    seen: &mut Shortage,
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
    Span::include(&mut seen.costs, cost);
    if wanted.is_some_and(|spec| !spec.least.contains(&cost)) {
        return Ok(None);
    }
    Ok(difficulty::alone(puzzle, &report, limits)?.filter(is_wanted).map(|difficulty| (difficulty, report)))
}
