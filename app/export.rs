//! `kibitzer export TABLE`: a table as rows that other programs read.

use std::path::PathBuf;

use clap::ValueEnum;
use kibitzer::catalog::Games;

use crate::cluster::open_table;
use crate::failure::Failure;
use crate::failure::SOLVED;
use crate::output;

mod rows;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer export game.kib --format csv -o game.csv
  kibitzer export game.kib --format jsonl --boards | head
  kibitzer export game.kib --format parquet -o game.parquet      (with the feature `parquet`)

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
    let mut fault = None;
    let written = output::write_with(output.as_deref(), |out| {
        let written = match args.format {
            Format::Csv => rows.csv(out),
            Format::Jsonl => rows.jsonl(out),
            #[cfg(feature = "parquet")]
            Format::Parquet => rows.parquet(out),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Ok(()),
        };
        written.map_err(|stop| match stop {
            rows::ExportStop::Output(error) => error,
            // An old file stays as it is.
            rows::ExportStop::Source(why) => {
                fault = Some(why);
                std::io::Error::other("the table is damaged")
            }
        })
    });
    match fault {
        Some(why) => Err(why),
        None => written.map(|()| SOLVED),
    }
}

/// Parquet needs a file and the feature `parquet`.
fn check_parquet(to_file: bool) -> Result<(), Failure> {
    if !cfg!(feature = "parquet") {
        let help = "`cargo install --path app --features parquet` builds it, or take `--format csv`";
        return Err(Failure::input("this program was built without Parquet", help));
    }
    if !to_file {
        return Err(Failure::input("a Parquet file is not for the screen", "name a file with `-o FILE`"));
    }
    Ok(())
}
