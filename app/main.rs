//! The program `kibitzer`, with the games that ship.

fn main() -> std::process::ExitCode {
    kibitzer_cli::main(&kibitzer::games::GAMES)
}
