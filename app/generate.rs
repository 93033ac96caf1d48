//! `kibitzer generate GAME`

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use kibitzer::notation::ReadError;

use crate::effort::Effort;
use crate::failure::{Failure, SOLVED};
use crate::{bitmap, input, output};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer generate GAME --seed 7
  kibitzer generate GAME | kibitzer solve GAME -

The same seed and options always give the same board.")]
pub struct Args {
    /// The game; `kibitzer list` shows them
    game: String,
    /// Which board; a new one each time if left out
    #[arg(long)]
    seed: Option<u64>,
    /// What the board should be like; `kibitzer about GAME` lists the options
    #[arg(long = "option", short = 'O', value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Write to a file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    effort: Effort,
}

pub fn run(args: Args) -> Result<u8, Failure> {
    let output = output::target(args.output, None)?;
    let entry = input::find_game(&args.game)?;
    let known = entry.generate_options.unwrap_or_default();
    let options = input::read_options(&args.options, known)?;
    let watch = args.effort.watch("generating");
    let failed = |error: ReadError| Failure::reading("the board", &error);
    let seed = args.seed.unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        now.as_nanos() as u64 % 1_000_000_007
    });
    let note_seed = || {
        if args.seed.is_none() {
            output::note(&format!("seed {seed}"));
        }
    };
    if output.as_deref().is_some_and(bitmap::is_named) {
        let board = (bitmap::of(entry)?.generate)(seed, &options, &watch.limits).map_err(failed)?;
        note_seed();
        bitmap::write(&board, output.as_deref())?;
        return Ok(SOLVED);
    }
    let board = (entry.generate)(seed, &options, &watch.limits).map_err(failed)?;
    note_seed();
    output::write(&board, output.as_deref())?;
    Ok(SOLVED)
}
