//! `kibitzer list [GAME]`

use kibitzer::ask::instances::{self, Instance};
use kibitzer::catalog::{Entry, Games};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::{about, input, output};

#[derive(clap::Args)]
pub struct Args {
    /// List the boards of this game; other commands accept their names as FILE
    game: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    let (json, rows): (Value, Vec<(&str, String)>) = match &args.game {
        None => {
            let object = |entry: &Entry| json!({"name": entry.name, "about": entry.about, "players": entry.players});
            (games.iter().map(object).collect(), games.iter().map(|entry| (entry.name, entry.about.to_owned())).collect())
        }
        Some(game) => {
            let boards = instances::of(input::find_game(games, game)?.name);
            (boards.iter().map(Instance::json).collect(), boards.into_iter().map(|board| (board.name, board.title)).collect())
        }
    };
    output::write(&if args.json { format!("{json}\n") } else { about::columns("", &rows) }, None)
}
