//! Slow: limits on huge boards measured from outside, and processes that are killed. `./test long` runs it.

#[path = "../common/mod.rs"]
mod common;

mod cluster;
mod english;
mod limits;
