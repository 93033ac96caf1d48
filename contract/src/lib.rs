//! The game contract as tests: the promises of `Rules`, `Problem`, `Game`, `Notation` and `Drawing`, checked on the game's own boards.
//! These tests cover a new game even before its author writes any tests.
//!
//! One test in the game's crate runs everything:
//!
//! ```ignore
//! #[test]
//! fn contract() {
//!     kibitzer_contract::one_player::check::<Frogs>(&GAMES[0]);
//! }
//! ```
//!
//! The test boards are the sample, the files in `instances/NAME/`, and random boards from the game's generator. If a law is violated, a
//! check panics with the names of the game, the board and the law. With `LONG` set, more and larger boards are tested.

mod any;
mod boards;
mod measures;
pub mod one_player;
mod plans;
pub mod two_player;

pub use boards::{Board, Instance, boards, instances, options};

/// A named check of one game.
pub type Check = (&'static str, fn(&kibitzer::catalog::Entry));

/// The amount of work: `little` by default, `much` if `LONG` is set in the environment.
pub fn amount<T>(little: T, much: T) -> T {
    if std::env::var_os("LONG").is_some() { much } else { little }
}
