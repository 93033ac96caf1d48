//! Kibitzer solves combinatorial puzzles and games exactly: the least-cost plan, or a proof that there is none.
//!
//! This is the library: rules and solving. It reads no clock, file or environment, prints nothing, and builds for
//! `wasm32-unknown-unknown`. A tour of the listing:
//!
//! * [`rules`] is the contract: what a game must say about itself; [`limits`] is what work may spend,
//!   [`outcome`] what a solver answers.
//! * [`games`] has one file or folder per game; `games/template.rs` is the smallest whole one, to copy for a new game.
//! * [`gf2`] is linear algebra over the field of two elements, [`modular`] linear systems modulo any k; both stand on their own;
//!   [`bits`] has the loops over packed bits. [`sat`] decides clauses, for orders that linear algebra cannot see.
//! * [`search`] has one-player search, one algorithm per file, over [`search::store`], the packed states.
//! * [`space`] shows any game as a graph of packed states; [`search::explore`] counts such a space.
//! * [`graph`] has simple graphs: families, formats, automorphisms, places for drawing.
//! * [`notation`] reads and writes boards and moves; [`scene`] draws them; [`random`] makes them up.
//! * [`catalog`] joins all this into [`catalog::Puzzle`], the one type that programs and pages need.
//! * [`film`] makes a plan into a document that plays it, [`sheet`] random boards into exercises with their answers; [`html`]
//!   is what such documents share.
//! * [`level`] makes random boards of a measured difficulty, and the board of a day.
//! * [`ask`] answers the questions of every front end, from JSON to JSON.
//! * [`tools`] is what a game brings along besides its rules: commands of its own, tables over many boards, examples.
//! * [`trace`] is a search step by step, taken from the engines themselves.
//! * [`report`] writes answers down; [`verify`] checks them and shares no code with any solver.
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

// Allowed on single lines of `gf2` only, which `tests/layers.rs` watches.
#![deny(unsafe_code)]

pub mod ask;
pub mod bits;
pub mod catalog;
pub mod drawing;
pub mod film;
pub mod gamegraph;
pub mod games;
pub mod gf2;
pub mod graph;
pub mod html;
pub mod level;
pub mod limits;
pub mod modular;
pub mod notation;
pub mod outcome;
pub mod random;
pub mod report;
pub mod rules;
pub mod sat;
pub mod scene;
pub mod search;
pub mod sheet;
pub mod space;
pub mod tools;
pub mod trace;
pub mod verify;
