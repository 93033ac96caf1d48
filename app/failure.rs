//! User-facing errors: an `error:` line with the location, a `help:` line with the remedy, and an exit code.

use std::io::Write;

use clap::error::ErrorKind;
use kibitzer::catalog::{Games, SelfCheck, SolveError};
use kibitzer::limits::Limit;
use kibitzer::notation::tools::ToolError;
use kibitzer::notation::{Fault, ReadError};

pub const SOLVED: u8 = 0;
/// The answer is wrong; only for `check`.
pub const WRONG: u8 = 1;
pub const BAD_INPUT: u8 = 2;
pub const UNSOLVABLE: u8 = 10;
pub const SPACE_LIMIT: u8 = 20;
pub const TIME_LIMIT: u8 = 21;
pub const INTERNAL: u8 = 30;

#[derive(Clone, Debug)]
pub struct Failure {
    pub code: u8,
    /// The limit that stopped the work, if any.
    pub limit: Option<Limit>,
    pub message: String,
    pub help: String,
}

impl Failure {
    /// An error from a game's own command. `origin` names its input.
    pub fn tool(name: &str, origin: &str, error: ToolError) -> Failure {
        match error {
            ToolError::Read(error) => Failure::reading(origin, &error),
            ToolError::SelfCheck(fault) => Failure::internal(format!("the answer from `{name}` failed its check: {fault}")),
        }
    }

    pub fn input(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure { code: BAD_INPUT, limit: None, message: message.into(), help: help.into() }
    }

    /// An answer that was checked and is wrong.
    pub fn wrong(message: impl Into<String>) -> Failure {
        Failure { code: WRONG, ..Failure::input(message, "compare the answer with that of `kibitzer solve` for the same board") }
    }

    pub fn internal(message: impl Into<String>) -> Failure {
        let help = "this is a bug in kibitzer, not in your input; please report it and include the command and the board";
        Failure { code: INTERNAL, limit: None, message: format!("internal error: {}", message.into()), help: help.to_owned() }
    }

    /// Converts a write error. If the error wraps a [`Failure`], that failure is returned.
    pub fn writing(what: &str, error: &std::io::Error) -> Failure {
        if let Some(failure) = error.get_ref().and_then(|inner| inner.downcast_ref::<Failure>()) {
            return failure.clone();
        }
        let message = format!("cannot write {what}: {error}");
        match error.kind() {
            std::io::ErrorKind::StorageFull => {
                Failure { code: SPACE_LIMIT, ..Failure::input(message, "free some disk space, or write to another disk") }
            }
            _ => Failure::input(message, "check the folder and its permissions"),
        }
    }

    /// The error for work that a limit stopped before there was a result.
    pub fn stopped(limit: Limit) -> Failure {
        let message = limit.words().to_owned();
        let help = match limit {
            Limit::Time => "raise `--time`, or use a smaller board",
            Limit::Memory => "raise `--memory`, or use a smaller board",
            Limit::Nodes => "raise `--nodes`, or use a smaller board",
            Limit::Interrupt => "run the command again for an answer; `--time` sets a limit",
        };
        Failure { code: limit_code(limit), limit: Some(limit), message, help: help.to_owned() }
    }

    /// An error in a board. `origin` names its source.
    pub fn reading(origin: &str, error: &ReadError) -> Failure {
        match error {
            ReadError::Text(text) => Failure::input(format!("{origin}: {text}"), error.help()),
            ReadError::Option(option) => Failure::input(option.to_string(), error.help()),
            ReadError::Stopped(limit) => Failure { message: format!("{origin}: {error}"), ..Failure::stopped(*limit) },
        }
    }

    pub fn print(&self) {
        // Writing fails only if nothing reads standard error.
        let _ = writeln!(std::io::stderr(), "error: {}\nhelp: {}", self.message, self.help);
    }
}

/// The exit code for work that a limit stopped.
pub fn limit_code(limit: Limit) -> u8 {
    match limit {
        Limit::Time | Limit::Interrupt => TIME_LIMIT,
        Limit::Memory | Limit::Nodes => SPACE_LIMIT,
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl From<Limit> for Failure {
    fn from(limit: Limit) -> Failure {
        Failure::stopped(limit)
    }
}

impl From<Fault> for Failure {
    fn from(error: Fault) -> Failure {
        Failure::input(error.message, error.help)
    }
}

impl From<SelfCheck> for Failure {
    fn from(error: SelfCheck) -> Failure {
        Failure::internal(format!("the self-check failed: {error}"))
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        match error {
            SolveError::Choice(error) => error.into(),
            SolveError::SelfCheck(error) => error.into(),
        }
    }
}

/// Prints help and version to stdout, and command-line errors in this program's format. Without a command, prints the short help to
/// stderr and returns the exit code for bad usage.
pub fn from_clap(games: Games, error: clap::Error) -> u8 {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            return match error.print().and_then(|()| std::io::stdout().flush()) {
                // The reader closed the pipe, as `head` does.
                Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                    let failure = Failure::writing("to standard output", &error);
                    failure.print();
                    failure.code
                }
                _ => SOLVED,
            };
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            return BAD_INPUT;
        }
        _ => {}
    }
    let text = error.render().to_string();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let message = lines.next().unwrap_or("invalid command line").trim_start_matches("error: ");
    // The following lines contain missing arguments, possible values, and sometimes a suggestion.
    let details = lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
    let (tips, details): (Vec<&str>, Vec<&str>) = details.partition(|line| line.starts_with("tip:"));
    let message = [&[message], details.as_slice()].concat().join(" ");
    let similar = tips.iter().find_map(|tip| tip.strip_prefix("tip: ").filter(|tip| tip.contains("similar")));
    let commands: Vec<String> = crate::command(games).get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let command = std::env::args_os().skip(1).filter_map(|word| word.into_string().ok()).find(|word| commands.contains(word));
    let command = command.map(|word| word + " ").unwrap_or_default();
    let help = similar.map_or_else(|| format!("see `kibitzer {command}--help`"), str::to_owned);
    Failure::input(message, help).print();
    BAD_INPUT
}
