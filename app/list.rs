//! `kibitzer list`

use kibitzer::games::GAMES;
use serde_json::{Value, json};

use crate::failure::{Failure, SOLVED};
use crate::output;

#[derive(clap::Args)]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<u8, Failure> {
    let text = if args.json {
        let row = |entry: &kibitzer::catalog::Entry| json!({"name": entry.name, "about": entry.about, "players": entry.players});
        format!("{}\n", GAMES.iter().map(row).collect::<Value>())
    } else {
        let width = GAMES.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
        GAMES.iter().map(|entry| format!("{:width$}  {}\n", entry.name, entry.about)).collect()
    };
    output::write(&text, None)?;
    Ok(SOLVED)
}
