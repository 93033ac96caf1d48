//! The program, run as users run it.

#[path = "../common/mod.rs"]
mod common;

mod bitmaps;
mod cli;
mod cli_edge;
mod cli_kayles;
mod film;
mod grading;
mod graphs;
mod plans;
mod run;
mod serve;
mod sheet;
mod trace;
