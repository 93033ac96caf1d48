//! Every game: the contract, the rules written a second time, and what only one game has.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/lights_out.rs"]
mod lights_out;
#[path = "../common/tictactoe.rs"]
mod tictactoe;

mod chexers;
mod contract;
mod duel;
mod edge;
mod hooks;
mod layout;
mod levels;
mod lightest;
mod moles;
mod pegs;
mod primer;
mod proofs;
mod strategy;
mod tricolor;
