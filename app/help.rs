//! The command line as it is shown: the fixed commands with the games' own examples, and a command for each game's own tool.

use std::fmt::Write;

use clap::{Arg, ArgAction, CommandFactory};
use kibitzer::catalog::Entry;
use kibitzer::catalog::Games;
use kibitzer::notation::OptionSpec;
use kibitzer::notation::tools::{Command, Example};

use crate::{Cli, tool};

/// The heading of examples.
const EXAMPLES: &str = "Examples:\n";

/// The commands that games bring along.
pub fn tools(games: Games) -> impl Iterator<Item = &'static Command> {
    games.iter().flat_map(Entry::commands)
}

/// The options of all censuses, each once.
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
        let lines: Vec<(String, &str)> = games.iter().flat_map(|entry| of_game(&name, entry.name, entry.examples)).collect();
        command = command.mut_subcommand(&name, |sub| with_examples(sub, &lines));
    }
    command = command.mut_subcommand("census", |sub| sub.args(census_options(games).into_iter().map(flag)).after_help(census_help(games)));
    let first = games.first().map_or("GAME", |entry| entry.name);
    let examples = format!(
        "Examples:
  kibitzer list                            the games
  kibitzer about {first:24}  rules, formats, options, methods
  kibitzer solve {first:24}  solve a game's own sample
  kibitzer solve GAME FILE --json          the answer as JSON
  kibitzer compare GAME FILE               every method side by side
  kibitzer play {first:24}   play, with hints
  kibitzer serve                           the same and more in a browser

Exit codes: 0 solved, or an answer confirmed; 1 an answer is wrong; 10 proved unsolvable, 20 memory or node limit, 21 time limit or Ctrl-C,
2 bad input or usage, 30 internal error."
    );
    command = command.subcommands(tools(games).map(tool::command)).after_help(examples);
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    names.into_iter().fold(flowing(command), |command, name| command.mut_subcommand(name, flowing))
}

/// Makes each paragraph below the options one line, which is wrapped where the terminal ends and not where the source does.
fn flowing(command: clap::Command) -> clap::Command {
    let Some(text) = command.get_after_help().map(ToString::to_string) else { return command };
    let (mut flowing, mut goes_on) = (String::new(), false);
    for line in text.lines() {
        // Examples stay as they are, and so does what announces them.
        let prose = !line.is_empty() && !line.starts_with(' ');
        flowing.push(if goes_on && prose { ' ' } else { '\n' });
        flowing.push_str(line);
        goes_on = prose && !line.ends_with(':');
    }
    command.after_help(flowing.trim().to_owned())
}

/// Examples of one command with the game's name, which every command but a tool's own has.
fn of_game<'a>(command: &str, game: &str, examples: &'a [Example]) -> Vec<(String, &'a str)> {
    let line = |example: &'a Example| (format!("kibitzer {command} {game} {}", example.arguments), example.about);
    examples.iter().filter(|example| example.command == command).map(line).collect()
}

/// Puts examples first among those that the help has already.
pub fn with_examples(command: clap::Command, lines: &[(String, &str)]) -> clap::Command {
    if lines.is_empty() {
        return command;
    }
    let said = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let rest = said.strip_prefix(EXAMPLES).map_or_else(|| format!("\n{said}"), str::to_owned);
    let width = lines.iter().filter(|(_, about)| !about.is_empty()).map(|(line, _)| line.len()).max().unwrap_or(0);
    let mut text = EXAMPLES.to_owned();
    for (line, about) in lines {
        let _ = writeln!(text, "{}", format!("  {line:width$}  {about}").trim_end());
    }
    command.after_help(format!("{text}{rest}").trim_end().to_owned())
}

/// An option of a census as a flag.
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

fn census_help(games: Games) -> String {
    let mut lines = Vec::new();
    let mut columns = String::new();
    for entry in games {
        let Some(survey) = &entry.census else { continue };
        lines.push((format!("geng -c 7 | kibitzer census {}", entry.name), "graph6 lines, as geng prints them"));
        lines.extend(of_game("census", entry.name, entry.examples));
        let of_game: Vec<String> = survey.columns().map(|(name, about)| format!("{name} ({about})")).collect();
        let _ = write!(columns, "\n{}: {}. Columns: line, graph (as given), {}.\n", entry.name, survey.lines, of_game.join(", "));
    }
    let mut text = EXAMPLES.to_owned();
    for (line, about) in lines {
        let _ = writeln!(text, "{}", format!("  {line:52}  {about}").trim_end());
    }
    format!("{text}{columns}\nA field is empty where a limit was reached, or where there is no such value.")
}
