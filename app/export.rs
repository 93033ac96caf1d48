//! `kibitzer export TABLE`: writes a table in a format that other programs read.

use std::path::PathBuf;

use clap::ValueEnum;
use kibitzer::catalog::Games;

use crate::cluster::open_table;
use crate::failure::Failure;
use crate::output;
use crate::table::RowFormat;

mod rows;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer export game.kib --format csv -o game.csv
  kibitzer export game.kib --format jsonl --boards | head
  # Needs the feature `parquet`
  kibitzer export game.kib --format parquet -o game.parquet

Rows are in the order of the table: by layer, bucket and state. See docs/table-format.md for the table itself.")]
pub struct Args {
    /// A table of positions that `label` or `explore --table` wrote
    table: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// Also write each position in the game's notation
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
    /// For pandas, polars, DuckDB; needs the feature `parquet`
    Parquet,
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    if args.format == Format::Parquet {
        check_parquet(args.output.is_some())?;
    }
    let output = output::target(args.output, args.table.to_str())?;
    let (table, puzzle) = open_table(games, &args.table, None)?;
    let rows = rows::StateRows::new(&table, puzzle.packed(), args.boards);
    output::write_with(output.as_deref(), |out| match args.format {
        Format::Csv => rows.write(RowFormat::Csv, out),
        Format::Jsonl => rows.write(RowFormat::Jsonl, out),
        #[cfg(feature = "parquet")]
        Format::Parquet => rows.parquet(out),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => Ok(()),
    })
}

/// Parquet needs a file and the feature `parquet`.
fn check_parquet(to_file: bool) -> Result<(), Failure> {
    if !cfg!(feature = "parquet") {
        let help = "build it with `cargo install --path app --features parquet`, or use `--format csv`";
        return Err(Failure::input("this program was built without the feature `parquet`", help));
    }
    if !to_file {
        return Err(Failure::input("Parquet cannot be written to the terminal", "choose a file with `-o FILE`"));
    }
    Ok(())
}
