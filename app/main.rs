//! The `kibitzer` program, with its built-in games.

fn main() -> std::process::ExitCode {
    kibitzer_cli::main(&kibitzer::games::GAMES)
}
