//! Tests state spaces that are explored by many workers and processes, in memory and on disk. Only `./test long` runs these tests.

#[path = "../common/mod.rs"]
mod common;

mod boards;
mod disk;
mod explore;
mod label;
mod repetition;
mod solve;

#[path = "../games/dodgem.rs"]
mod dodgem;
#[path = "../engine/token.rs"]
mod token;
