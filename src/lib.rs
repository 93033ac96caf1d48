//! Kibitzer solves combinatorial puzzles and games exactly: it finds a least-cost plan, or proves that there is none.
//!
//! To solve your own search problem, implement two traits and make one call. `cargo run --example own_search` runs this:
//!
//! ```
#![doc = include_str!("../examples/own_search.rs")]
//! ```
//!
//! This library contains rules and solvers. It reads no clock, file or environment variable, prints nothing, and builds for
//! `wasm32-unknown-unknown`. Its modules, from the bottom up:
//!
//! * [`text`], [`limits`] and [`outcome`] are the base: input with line and column numbers, limits on work, and answers of solvers.
//! * [`rules`] is the contract of a game; [`trace`] records a search step by step.
//! * [`gf2`], [`modular`], [`sat`] and [`graph`] are tools for games: linear algebra, satisfiability, graphs.
//! * [`notation`] defines how boards and moves are written; [`drawing`] defines how they are drawn, with the shapes of [`scene`].
//! * [`games`] has one file or folder per game; `games/template.rs` is the smallest complete game, to copy for a new one.
//! * [`space`] presents any game as a graph of packed states; [`search`] contains one-player search, one algorithm per file.
//! * [`verify`] checks answers and shares no code with any solver.
//! * [`gamegraph`] solves two-player games.
//! * [`report`] writes answers; [`catalog`] combines everything above into [`catalog::Puzzle`], the type that front ends use.
//! * [`viewer`], [`film`] and [`sheet`] write documents; [`level`] generates boards of a measured difficulty; [`compare`] runs
//!   methods side by side.
//! * [`ask`] answers the questions of all front ends. Questions and answers are JSON.
//!
//! Using a built-in game by name:
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

// Unsafe code is allowed only on individual lines of `gf2`; `tests/engine/layers.rs` checks this.
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
pub mod sort;
pub mod space;
pub mod text;
pub mod trace;
pub mod verify;
pub mod viewer;
