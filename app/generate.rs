//! `kibitzer generate GAME`

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::failure::{Failure, SOLVED};
use crate::{input, output, picture};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer generate chexers --seed 7
  kibitzer generate chexers --option pieces=4 --option blocks=15 -o board.json
  kibitzer generate chexers | kibitzer solve chexers -

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
}

pub fn run(args: Args) -> Result<u8, Failure> {
    let output = output::target(args.output, None)?;
    let entry = input::find_game(&args.game)?;
    let options = input::read_options(&args.options, entry.generate_options)?;
    let seed = args.seed.unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        now.as_nanos() as u64 % 1_000_000_007
    });
    let tell_seed = || {
        if args.seed.is_none() {
            output::note(&format!("seed {seed}"));
        }
    };
    if output.as_deref().is_some_and(picture::is_named) {
        let board = (picture::of(entry)?.generate)(seed, &options)?;
        tell_seed();
        picture::write(&board, output.as_deref())?;
        return Ok(SOLVED);
    }
    let board = (entry.generate)(seed, &options)?;
    tell_seed();
    output::write(&board, output.as_deref())?;
    Ok(SOLVED)
}
