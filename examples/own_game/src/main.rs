//! A command-line program and a web page for your own game: `cargo run -- solve frogs`. `cargo test` checks the contract.

mod frogs;

use frogs::Frogs;
use kibitzer::catalog::Entry;

static GAMES: [Entry; 1] = [Entry::one_player::<Frogs>()];

fn main() -> std::process::ExitCode {
    kibitzer_cli::main(&GAMES)
}

#[test]
fn contract() {
    kibitzer_contract::one_player::check::<Frogs>(&GAMES[0]);
}
