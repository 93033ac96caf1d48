//! Errors as users see them: an `error:` line with the place, a `help:` line with the remedy, and an exit code.

use std::io::Write;

use clap::error::ErrorKind;
use kibitzer::catalog::{Games, SelfCheck, SolveError};
use kibitzer::limits::Limit;
use kibitzer::notation::tools::ToolError;
use kibitzer::notation::{Fault, ReadError};

pub const SOLVED: u8 = 0;
/// Only `check`: the answer is wrong.
pub const WRONG: u8 = 1;
pub const BAD_INPUT: u8 = 2;
pub const UNSOLVABLE: u8 = 10;
pub const SPACE_LIMIT: u8 = 20;
pub const TIME_LIMIT: u8 = 21;
pub const INTERNAL: u8 = 30;

#[derive(Clone)]
pub struct Failure {
    pub code: u8,
    /// The limit that ended the work, if that is what happened.
    pub limit: Option<Limit>,
    pub message: String,
    pub help: String,
}

impl Failure {
    /// Why a tool of a game has no answer; `origin` is where its input comes from.
    pub fn tool(name: &str, origin: &str, error: ToolError) -> Failure {
        match error {
            ToolError::Read(error) => Failure::reading(origin, &error),
            ToolError::SelfCheck(fault) => Failure::internal(format!("the answer of `{name}` did not pass its check: {fault}")),
        }
    }

    pub fn input(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure { code: BAD_INPUT, limit: None, message: message.into(), help: help.into() }
    }

    /// An answer that was checked and is wrong.
    pub fn wrong(message: impl Into<String>) -> Failure {
        Failure { code: WRONG, ..Failure::input(message, "compare it with `kibitzer solve` on the same board") }
    }

    pub fn internal(message: impl Into<String>) -> Failure {
        let help = "this is a fault in kibitzer, not in your input; please report it with the command and the board";
        Failure { code: INTERNAL, limit: None, message: format!("internal error: {}", message.into()), help: help.to_owned() }
    }

    /// Something could not be written.
    pub fn writing(what: &str, error: &std::io::Error) -> Failure {
        let message = format!("cannot write {what}: {error}");
        match error.kind() {
            std::io::ErrorKind::StorageFull => {
                Failure { code: SPACE_LIMIT, ..Failure::input(message, "make room, or write to another disk") }
            }
            _ => Failure::input(message, "check the folder and the permissions"),
        }
    }

    /// Work that a limit ended before there was anything to show.
    pub fn stopped(limit: Limit) -> Failure {
        let message = format!("the {} was reached", limit.words());
        let help = match limit {
            Limit::Time => "give more time with `--time`, or a smaller board",
            Limit::Memory => "give more memory with `--memory`, or a smaller board",
            Limit::Nodes => "allow more with `--nodes`, or give a smaller board",
        };
        Failure { code: limit_code(limit), limit: Some(limit), message, help: help.to_owned() }
    }

    /// A board that could not be read, with the name of where it came from.
    pub fn reading(origin: &str, error: &ReadError) -> Failure {
        match error {
            ReadError::Text(text) => Failure::input(format!("{origin}: {text}"), error.help()),
            ReadError::Option(option) => Failure::input(option.to_string(), error.help()),
            ReadError::Stopped(limit) => Failure { message: format!("{origin}: {error}"), ..Failure::stopped(*limit) },
        }
    }

    pub fn print(&self) {
        // If this cannot be written, there is no reader.
        let _ = writeln!(std::io::stderr(), "error: {}\nhelp: {}", self.message, self.help);
    }
}

/// The exit code of work that a limit ended.
pub fn limit_code(limit: Limit) -> u8 {
    match limit {
        Limit::Time => TIME_LIMIT,
        Limit::Memory | Limit::Nodes => SPACE_LIMIT,
    }
}

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

/// Help and version go to stdout; errors of the command line are reformatted. Without a command the short help is printed:
/// on stderr and with the exit code for usage, since nothing was asked for.
pub fn from_clap(games: Games, error: clap::Error) -> u8 {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return match error.print().and_then(|()| std::io::stdout().flush()) {
            // The reader has seen enough, as in `| head`.
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                let failure = Failure::writing("to standard output", &error);
                failure.print();
                failure.code
            }
            _ => SOLVED,
        };
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return BAD_INPUT;
    }
    let text = error.render().to_string();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let message = lines.next().unwrap_or("the command line is wrong").trim_start_matches("error: ");
    // Missing arguments and possible values stand on the following lines, and sometimes a suggestion.
    let details: Vec<&str> = lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more")).collect();
    let (tips, details): (Vec<&str>, Vec<&str>) = details.into_iter().partition(|line| line.starts_with("tip:"));
    let message = [&[message], details.as_slice()].concat().join(" ");
    let similar = tips.iter().find_map(|tip| tip.strip_prefix("tip: ").filter(|tip| tip.contains("similar")));
    let commands: Vec<String> = crate::command(games).get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let command = std::env::args_os().skip(1).filter_map(|word| word.into_string().ok()).find(|word| commands.contains(word));
    let command = command.map(|word| word + " ").unwrap_or_default();
    let help = similar.map_or_else(|| format!("see `kibitzer {command}--help`"), str::to_owned);
    Failure::input(message, help).print();
    BAD_INPUT
}
