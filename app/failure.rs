//! Errors as people meet them: one `error:` line with the place, one `help:` line with the remedy, and an exit code.

use std::io::Write;

use clap::CommandFactory;
use clap::error::ErrorKind;
use kibitzer::catalog::{ChoiceError, SelfCheck, SolveError};
use kibitzer::notation::{OptionError, ReadError};

pub const SOLVED: u8 = 0;
pub const BAD_INPUT: u8 = 2;
pub const UNSOLVABLE: u8 = 10;
pub const SPACE_LIMIT: u8 = 20;
pub const TIME_LIMIT: u8 = 21;
pub const INTERNAL: u8 = 30;

pub struct Failure {
    pub code: u8,
    pub message: String,
    pub help: String,
}

impl Failure {
    pub fn input(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure { code: BAD_INPUT, message: message.into(), help: help.into() }
    }

    pub fn internal(message: impl Into<String>) -> Failure {
        let help = "this is a fault in kibitzer, not in your input; please report it with the command and the board";
        Failure { code: INTERNAL, message: format!("internal error: {}", message.into()), help: help.to_owned() }
    }

    /// A board that could not be read, with the name of where it came from.
    pub fn reading(origin: &str, error: &ReadError) -> Failure {
        match error {
            ReadError::Text(text) => Failure::input(format!("{origin}: {text}"), error.help()),
            ReadError::Option(option) => Failure::input(option.to_string(), error.help()),
        }
    }

    pub fn print(&self) {
        // If even this cannot be written there is nobody left to tell.
        let _ = writeln!(std::io::stderr(), "error: {}\nhelp: {}", self.message, self.help);
    }
}

impl From<OptionError> for Failure {
    fn from(error: OptionError) -> Failure {
        Failure::input(error.message, error.help)
    }
}

impl From<ChoiceError> for Failure {
    fn from(error: ChoiceError) -> Failure {
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

/// Help and version go to stdout; everything else the command line can have wrong is told in our form.
pub fn from_clap(error: clap::Error) -> u8 {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        let _ = error.print();
        return SOLVED;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        Failure::input("no command was given", "`kibitzer --help` lists them; `kibitzer solve chexers` is a good first one").print();
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
    let commands: Vec<String> = crate::Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let command = std::env::args_os().skip(1).filter_map(|word| word.into_string().ok()).find(|word| commands.contains(word));
    let command = command.map(|word| word + " ").unwrap_or_default();
    let help = similar.map_or_else(|| format!("see `kibitzer {command}--help`"), str::to_owned);
    Failure::input(message, help).print();
    BAD_INPUT
}
