//! `kibitzer about GAME`

use std::fmt::Write;

use kibitzer::catalog::{Games, MethodInfo};
use kibitzer::notation::{Input, OptionSpec, Options, ReadError};
use serde_json::{Value, json};

use crate::effort::Budget;
use crate::failure::Failure;
use crate::{input, output};

#[derive(clap::Args)]
pub struct Args {
    /// The game; see `kibitzer list`
    game: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    budget: Budget,
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    let entry = input::find_game(games, &args.game)?;
    let watch = args.budget.watch("reading");
    let options = Options::default();
    let sample = (entry.read)(&Input::new(entry.sample, &options, &watch.limits)).map_err(|error| match error {
        ReadError::Stopped(limit) => Failure::stopped(limit),
        error => Failure::internal(error.to_string()),
    })?;
    let generate_options = entry.generate_options.unwrap_or_default();
    let methods = sample.methods();
    let text = if args.json {
        let options = |specs: &[OptionSpec]| -> Value {
            specs.iter().map(|spec| json!({"name": spec.name, "about": spec.about, "default": spec.default})).collect()
        };
        let methods: Value = methods
            .iter()
            .map(|info| json!({"name": info.name, "about": info.about, "optimal": info.optimal, "memory": info.memory.map(|m| m.about())}))
            .collect();
        let object = json!({
            "name": entry.name, "about": entry.about, "players": entry.players, "rules": entry.rules, "sample": entry.sample,
            "sources": entry.sources, "options": options(entry.options), "generate_options": options(generate_options), "methods": methods,
            "claims": entry.claims().map(|field| json!({"name": field.name, "about": field.about})).collect::<Value>(),
        });
        format!("{object}\n")
    } else {
        let mut text = format!("{}: {}\n\n{}\n", entry.name, entry.about, entry.rules);
        let mut section = |title: &str, rows: Vec<(&str, String)>| {
            if !rows.is_empty() {
                let _ = write!(text, "\n{title}:\n{}", columns("  ", &rows));
            }
        };
        let row = |spec: &OptionSpec| (spec.name, format!("{} [default: {}]", spec.about, spec.default));
        section("Options (--option NAME=VALUE)", entry.options.iter().map(row).collect());
        section("Options for `generate`", generate_options.iter().map(row).collect());
        let optimal = |info: &MethodInfo| if info.optimal { " [least cost]" } else { "" };
        let row = methods.iter().map(|info| (info.name.as_str(), info.about.clone() + optimal(info)));
        section("Methods for the sample board (--method NAME); the first is the default", row.collect());
        let row = entry.claims().map(|field| (field.name, field.about.to_owned()));
        section("JSON answer fields that `check` confirms or refutes", row.collect());
        section("Sources", entry.sources.iter().map(|source| (*source, String::new())).collect());
        text + &format!("\nThe sample board:\n{}\n", sample.ascii())
    };
    output::write(&text, None)
}

/// Formats two columns. The first column is as wide as the longest name that has a description.
pub fn columns(indent: &str, rows: &[(&str, String)]) -> String {
    let width = rows.iter().filter(|(_, about)| !about.is_empty()).map(|(name, _)| name.len()).max().unwrap_or(0);
    rows.iter().map(|(name, about)| format!("{indent}{name:width$}  {about}").trim_end().to_owned() + "\n").collect()
}
