//! The games' own commands, each of which reads text and prints a result.

use clap::Args as _;
use kibitzer::notation::tools::{Command, Example};
use kibitzer::notation::{Input, Options};
use kibitzer::report::{count, duration, tool_json};

use crate::effort::Effort;
use crate::failure::{Failure, SOLVED, limit_code};
use crate::{help, input, lines, output};

#[derive(clap::Args)]
pub struct Args {
    /// The text
    text: String,
    /// Use line N of a file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    line: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    effort: Effort,
}

/// The tool as a subcommand.
pub fn command(tool: &'static Command) -> clap::Command {
    let (name, about) = tool.argument;
    // Without `long_about(None)`, the doc comments of flattened structs would replace the description.
    let command = Args::augment_args(clap::Command::new(tool.name)).about(tool.about).long_about(None).after_help(tool.help);
    let command = command.mut_arg("text", |arg| arg.value_name(name).help(about));
    let line = |example: &'static Example| (format!("kibitzer {} {}", tool.name, example.arguments), example.about);
    help::with_examples(command, &tool.examples.iter().map(line).collect::<Vec<_>>())
}

pub fn run(tool: &'static Command, args: Args) -> Result<u8, Failure> {
    let watch = args.effort.watch(tool.name);
    let (origin, text) = match args.line {
        Some(number) => (format!("{}, line {number}", args.text), lines::pick(&args.text, number, &watch.limits)?),
        None => input::text_of(&args.text, "the text", &watch.limits)?,
    };
    let options = Options::default();
    let input = Input::new(&text, &options, &watch.limits);
    let found = (tool.run)(&input).map_err(|error| Failure::tool(tool.name, &origin, error))?;
    input::print_notes(&input);
    let seconds = watch.seconds();
    let text = if args.json {
        format!("{}\n", tool_json(&found, seconds))
    } else {
        format!("{}# {}, {}\n", found.text, count(found.steps, "step"), duration(seconds))
    };
    output::write(&text, None)?;
    Ok(found.limit.map_or(SOLVED, limit_code))
}
