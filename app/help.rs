//! The command line and its help: the built-in commands, with each game's examples, and the games' own commands.

use std::fmt::Write;

use clap::{Arg, ArgAction, CommandFactory};
use kibitzer::catalog::{Entry, Games};
use kibitzer::notation::OptionSpec;
use kibitzer::notation::tools::{Command, Example};

use crate::census::solving;
use crate::{Cli, tool};

const EXAMPLES: &str = "Examples:\n";

/// The games' own commands.
pub fn tools(games: Games) -> impl Iterator<Item = &'static Command> {
    games.iter().flat_map(Entry::commands)
}

/// The census options of all games, without duplicates.
pub fn census_options(games: Games) -> Vec<&'static OptionSpec> {
    let mut options: Vec<&OptionSpec> = Vec::new();
    for spec in games.iter().filter_map(|entry| entry.census.as_ref()).flat_map(|survey| survey.options()) {
        if !options.iter().any(|known| known.name == spec.name) {
            options.push(spec);
        }
    }
    options
}

/// The whole command line.
pub fn command(games: Games) -> clap::Command {
    let mut command = Cli::command();
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names {
        let examples: Vec<(String, &str)> = games.iter().flat_map(|entry| of_game(&name, entry)).collect();
        command = command.mut_subcommand(&name, |sub| with_examples(sub, &examples));
    }
    command = command.mut_subcommand("census", |sub| {
        let help = sub.get_after_help().map(ToString::to_string).unwrap_or_default();
        sub.args(census_options(games).into_iter().map(flag)).after_help(help + &census_columns(games))
    });
    let first = games.first().map_or("GAME", |entry| entry.name);
    let examples = format!(
        "Examples:
  kibitzer list                    # the games
  kibitzer about {first:17} # rules, formats, options, methods
  kibitzer solve {first:17} # solve the game's sample board
  kibitzer solve GAME FILE --json  # print the answer as JSON
  kibitzer compare GAME FILE       # all methods side by side
  kibitzer play {first:18} # play, with hints
  kibitzer serve                   # play, edit and solve in a browser

Exit codes:
  0   solved, or the answer is confirmed
  1   `check`: an answer is wrong
  2   bad input or usage
  10  proved unsolvable
  20  memory or node limit
  21  time limit or Ctrl-C
  30  internal error"
    );
    command = command.subcommands(tools(games).map(tool::command)).after_help(examples);
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    names.into_iter().fold(flowing(command), |command, name| command.mut_subcommand(name, flowing))
}

/// Joins each paragraph below the options into one line, so that it is wrapped at the width of the terminal.
fn flowing(command: clap::Command) -> clap::Command {
    let Some(text) = command.get_after_help().map(ToString::to_string) else { return command };
    let (mut flowing, mut continues) = (String::new(), false);
    for line in text.lines() {
        // Examples and headings stay on their own lines.
        let prose = !line.is_empty() && !line.starts_with(' ');
        flowing.push(if continues && prose { ' ' } else { '\n' });
        flowing.push_str(line);
        continues = prose && !line.ends_with(':');
    }
    command.after_help(flowing.trim().to_owned())
}

/// A game's examples for one command.
fn of_game(command: &str, entry: &'static Entry) -> impl Iterator<Item = (String, &'static str)> {
    let line =
        move |example: &'static Example| (format!("kibitzer {} {} {}", example.command, entry.name, example.arguments), example.about);
    entry.examples.iter().filter(move |example| example.command == command).map(line)
}

/// Inserts examples before those already in the help. The explanation of an example is on the line above it.
pub fn with_examples(command: clap::Command, examples: &[(String, &str)]) -> clap::Command {
    if examples.is_empty() {
        return command;
    }
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let rest = help.strip_prefix(EXAMPLES).map_or_else(|| format!("\n{help}"), str::to_owned);
    let mut text = EXAMPLES.to_owned();
    for (line, about) in examples {
        if !about.is_empty() {
            let _ = writeln!(text, "  # {}", capital(about));
        }
        let _ = writeln!(text, "  {line}");
    }
    command.after_help(format!("{text}{rest}").trim_end().to_owned())
}

/// A census option as a command-line flag.
fn flag(spec: &'static OptionSpec) -> Arg {
    let arg = Arg::new(spec.name).long(spec.name);
    if spec.default == "no" {
        return arg.action(ArgAction::SetTrue).help(capital(spec.about));
    }
    arg.value_name("VALUE").help(format!("{} [default: {}]", capital(spec.about), spec.default))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn census_columns(games: Games) -> String {
    let mut text = String::new();
    for entry in games {
        let Some(survey) = &entry.census else { continue };
        let _ = write!(text, "\n\n{}: {}. Columns:\n", entry.name, survey.lines);
        let columns = [("line", "the line number in the list"), ("graph", "as given")].into_iter().chain(survey.columns());
        columns.for_each(|(name, about)| _ = writeln!(text, "  {name:11} {about}"));
    }
    text.push_str("\n\nWith --method, and for one-player games without a table of their own: one board per line. Columns:\n");
    solving::COLUMNS.iter().for_each(|(name, about)| _ = writeln!(text, "  {name:11} {about}"));
    text + "\nA field is empty if a limit was reached, or if the column does not apply."
}
