//! Levels: random boards of measured difficulty (easy, medium, hard or expert), and daily boards.
//!
//! [`Info::levels`] contains the generator settings and the allowed ranges of measured difficulty for each level. Seeds are derived
//! from the level's seed, and a board is generated from each until one fits. No clock and no floating-point numbers are involved, so
//! the same version, game, level and seed produce the same board on every machine. Every board has a proved answer. A one-player board
//! is solvable and its least cost is known; on a two-player board the player to move wins with best play.
//!
//! If a game has no such ranges, [`DRAWS`] boards are generated and sorted by difficulty, and the level selects the easiest, the
//! hardest, or one in between.
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
use crate::sort;

/// The difficulty of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Easy,
    Medium,
    Hard,
    Expert,
}

/// All levels, from the easiest to the hardest.
pub const LEVELS: [Level; 4] = [Level::Easy, Level::Medium, Level::Hard, Level::Expert];

impl Level {
    /// The level's name on the command line, in JSON and in URLs.
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
        LEVELS.into_iter().find(|level| level.name() == text).ok_or_else(|| format!("unknown level `{}`", shorten(text)))
    }
}

/// A board of a given level.
pub struct Leveled {
    pub level: Level,
    pub seed: u64,
    /// The board as text.
    pub instance: String,
    /// The checked answer, as `solve` reports it.
    pub report: Report,
    pub difficulty: Difficulty,
}

/// Maximum number of boards to try. Ranges are chosen so that about one board in five fits.
const TRIES: u64 = 300;
/// Number of boards to compare if the game has no ranges for levels.
pub const DRAWS: usize = 8;
/// Maximum number of states expanded to decide one board.
const NODES: u64 = 10_000;

/// The board for a game, a level and a seed. The result must not depend on the limits, so a node limit that is too small to decide one
/// board is an error.
pub fn make(entry: &'static Entry, level: Level, seed: u64, limits: &Limits) -> Result<Leveled, SheetError> {
    if limits.nodes < NODES {
        return Err(ReadError::Stopped(Limit::Nodes).into());
    }
    // Boards with the same seed at different levels are independent.
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
    sort::by_key(&mut boards, |(difficulty, ..)| (difficulty.guesses, difficulty.least, difficulty.moves));
    // The easy board is the first and the expert board the last. The medium and hard boards are one third and two thirds of the way
    // between them.
    let at = (boards.len() - 1) * level as usize / (LEVELS.len() - 1);
    let (difficulty, instance, puzzle, report) = boards.swap_remove(at);
    let difficulty = difficulty::with_states(difficulty, &*puzzle, limits)?;
    Ok(Leveled { level, seed, instance, report, difficulty })
}

/// True if a board fits the level.
pub fn fits(spec: &LevelSpec, difficulty: &Difficulty) -> bool {
    spec.least.contains(&difficulty.least.unwrap_or(difficulty.moves)) && spec.guesses.contains(&difficulty.guesses)
}

/// Measures and decides a board; `None` if it does not fit, if the player to move cannot win, or if it takes too much work. Cheaper
/// checks come before more expensive ones.
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
