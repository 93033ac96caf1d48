//! Kibitzer solves combinatorial puzzles and games exactly: the least-cost plan, or a proof that there is none.
//!
//! A search problem of your own takes two traits and one call; `cargo run --example own_search` runs this:
//!
//! ```
#![doc = include_str!("../examples/own_search.rs")]
//! ```
//!
//! This is the library: rules and solving. It reads no clock, file or environment, prints nothing, and builds for
//! `wasm32-unknown-unknown`. A tour of the listing:
//!
//! * [`text`], [`limits`] and [`outcome`] come first: input with line and column, limits on work, answers of solvers.
//! * [`rules`] is the contract of a game; [`trace`] is a search step by step.
//! * [`gf2`], [`modular`], [`sat`] and [`graph`] are tools for games: linear algebra, satisfiability, graphs.
//! * [`notation`] says how boards and moves are written, [`drawing`] how they are drawn, with the shapes of [`scene`].
//! * [`games`] has one file or folder per game; `games/template.rs` is the smallest whole one, to copy for a new game.
//! * [`space`] shows any game as a graph of packed states; [`search`] has one-player search, one algorithm per file.
//! * [`verify`] checks answers and shares no code with any solver.
//! * [`gamegraph`] solves two-player games.
//! * [`report`] writes answers; [`catalog`] joins everything above into [`catalog::Puzzle`], the type that front ends use.
//! * [`viewer`], [`film`] and [`sheet`] make documents; [`level`] makes boards of a measured difficulty;
//!   [`compare`] runs methods side by side.
//! * [`ask`] answers the questions of every front end, from JSON to JSON.
//!
//! A game that ships, by name:
//!
//! ```
//! use kibitzer::catalog::Choice;
//! use kibitzer::limits::Limits;
//!
//! let chexers = kibitzer::games::find("chexers").unwrap();
//! let puzzle = chexers.parse(chexers.sample, &Default::default())?;
//! let report = puzzle.solve(&Choice::default(), &Limits::none())?;
//! assert_eq!(report.verdict(), "solved");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Allowed on single lines of `gf2` only, which `tests/engine/layers.rs` checks.
#![deny(unsafe_code)]

pub mod ask;
pub mod bits;
pub mod catalog;
pub mod compare;
pub mod cost;
pub mod drawing;
pub mod film;
pub mod gamegraph;
#[cfg(feature = "games")]
pub mod games;
#[cfg(feature = "games")]
pub mod gf2;
pub mod graph;
pub mod html;
pub mod level;
pub mod limits;
#[cfg(feature = "games")]
pub mod modular;
pub mod notation;
pub mod outcome;
pub mod random;
pub mod report;
pub mod rules;
#[cfg(feature = "games")]
pub mod sat;
pub mod scene;
pub mod search;
pub mod sheet;
pub mod space;
pub mod text;
pub mod trace;
pub mod verify;
pub mod viewer;
