//! `kibitzer about GAME`

use std::fmt::Write;

use kibitzer::catalog::Games;
use kibitzer::notation::{Input, OptionSpec, Options, ReadError};
use serde_json::{Value, json};

use crate::effort::Budget;
use crate::failure::{Failure, SOLVED};
use crate::{input, output};

#[derive(clap::Args)]
pub struct Args {
    /// The game; `kibitzer list` shows them
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
        for (title, specs) in [("Options (--option NAME=VALUE)", entry.options), ("Options of `generate`", generate_options)] {
            if !specs.is_empty() {
                let _ = writeln!(text, "\n{title}:");
                for spec in specs {
                    let _ = writeln!(text, "  {:10} {} [{}]", spec.name, spec.about, spec.default);
                }
            }
        }
        let _ = writeln!(text, "\nMethods (--method NAME), on the sample; the first is the default:");
        let width = methods.iter().map(|info| info.name.len()).max().unwrap_or(0);
        for info in &methods {
            let optimal = if info.optimal { " [least cost]" } else { "" };
            let _ = writeln!(text, "  {:width$}  {}{optimal}", info.name, info.about);
        }
        let _ = writeln!(text, "\nWhat an answer claims, in JSON; `check` confirms or refutes each:");
        let width = entry.claims().map(|field| field.name.len()).max().unwrap_or(0);
        for field in entry.claims() {
            let _ = writeln!(text, "  {:width$}  {}", field.name, field.about);
        }
        if !entry.sources.is_empty() {
            let _ = writeln!(text, "\nSources:");
            entry.sources.iter().for_each(|source| _ = writeln!(text, "  {source}"));
        }
        let _ = writeln!(text, "\nThe sample:\n{}", sample.ascii());
        text
    };
    output::write(&text, None)?;
    Ok(SOLVED)
}
