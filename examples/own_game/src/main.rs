//! The program, the page and the proofs for a game of your own: `cargo run -- solve frogs`.

mod frogs;

use kibitzer::catalog::Entry;

fn main() -> std::process::ExitCode {
    kibitzer_cli::main(&[Entry::one_player::<frogs::Frogs>()])
}
