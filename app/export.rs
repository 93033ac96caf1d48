//! `kibitzer export TABLE`: a table as rows that other programs read.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::failure::Failure;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer export game.kib --format csv -o game.csv
  kibitzer export game.kib --format jsonl --boards | head

Rows come in the order of the table: by layer, bucket and state. docs/table-format.md describes the table itself.")]
pub struct Args {
    /// A table that `label` or `explore --table` wrote
    table: PathBuf,
    /// What to write
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// Write each position as the game does, too, not only its bytes
    #[arg(long)]
    boards: bool,
    /// Write to a file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Csv,
    Jsonl,
}

#[cfg(not(feature = "cluster"))]
pub fn run(args: Args) -> Result<u8, Failure> {
    let _ = (args.table, args.format == Format::Csv, args.boards, args.output);
    Err(crate::cluster::missing())
}

#[cfg(feature = "cluster")]
pub fn run(args: Args) -> Result<u8, Failure> {
    use serde_json::json;

    use crate::cluster::open_table;
    use crate::failure::SOLVED;
    use crate::{csv, output};

    let output = output::target(args.output, args.table.to_str())?;
    let (table, puzzle) = open_table(&args.table, None)?;
    let (meta, packed) = (&table.meta, puzzle.packed());
    let labels: &[&str] = match (meta.labels, meta.grundy) {
        (false, _) => &[],
        (true, false) => &["outcome", "length"],
        (true, true) => &["outcome", "length", "grundy"],
    };
    let columns: Vec<&str> = ["layer", "state"].into_iter().chain(labels.iter().copied()).chain(args.boards.then_some("board")).collect();
    let mut fault = None;
    output::write_with(output.as_deref(), |out| {
        if args.format == Format::Csv {
            out.write_all(csv::row(&columns).as_bytes())?;
        }
        for entry in table.entries.iter() {
            let mut cursor = table.cursor(entry);
            let name = packed.layer_name(entry.layer);
            loop {
                match cursor.advance() {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(why) => {
                        fault = Some(why);
                        return Ok(());
                    }
                }
                let (state, label) = (cursor.head(), cursor.label());
                let hex: String = state.iter().map(|byte| format!("{byte:02x}")).collect();
                let mut values = vec![json!(name), json!(hex)];
                let worth = [json!(["P", "D", "N"][usize::from(label.score.min(2))]), json!(label.length), json!(label.grundy)];
                values.extend(worth.into_iter().take(labels.len()));
                values.extend(args.boards.then(|| json!(packed.instance_of(state))));
                let row = if args.format == Format::Csv {
                    csv::row(values.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
                } else {
                    let object: serde_json::Map<_, _> = columns.iter().map(|name| (*name).to_owned()).zip(values).collect();
                    format!("{}\n", serde_json::Value::Object(object))
                };
                out.write_all(row.as_bytes())?;
            }
        }
        Ok(())
    })?;
    fault.map_or(Ok(SOLVED), |why| Err(why.into()))
}
