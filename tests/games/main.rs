//! Tests of every game: the contract, independent implementations of the rules, and game-specific features.

#[path = "../common/mod.rs"]
mod common;

use kibitzer::catalog::Entry;
use kibitzer::games;
use kibitzer::games::template::Jugs;
use kibitzer::games::template2::TicTacToe;

mod chexers;
mod chexers_parts;
mod connect;
mod contract;
mod defaults;
mod dodgem;
mod duel;
mod edge;
mod edge_parts;
mod hooks;
mod kayles;
mod layout;
mod levels;
mod lightest;
mod maze;
mod minimax;
mod moles;
mod moles_parts;
mod pegs;
mod pegs_moves;
mod pegs_parts;
mod primer;
mod proofs;
mod repetition;
mod strategy;
mod tiles;
mod tiles_patterns;
mod trace;
mod tricolor;
mod tricolor_parts;

/// The templates, as registry entries. Engines are compiled for the templates only here; tests that run on all games call [`entry`].
static TEMPLATES: [Entry; 2] = [Entry::one_player::<Jugs>(), Entry::two_player::<TicTacToe>()];

/// The registry entry of a game or template.
fn entry(name: &str) -> &'static Entry {
    games::find(name).or_else(|| TEMPLATES.iter().find(|entry| entry.name == name)).expect("a game or a template")
}
