//! The games. [`GAMES`] is the registry: a new game is one file here and one line there; help, tests, program and page
//! follow. [`template`] is built and tested like a game but not listed.

pub mod chexers;
pub mod template;

use crate::catalog::Entry;

/// Every game, in the order in which they are listed.
pub const GAMES: &[Entry] = &[Entry::one_player::<chexers::Chexers>()];

/// The template, for tests.
pub const TEMPLATE: Entry = Entry::one_player::<template::Jugs>();

/// The game with this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    GAMES.iter().find(|entry| entry.name == name)
}
