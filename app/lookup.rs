//! `kibitzer lookup TABLE`: looks up the value of a position in a table.

use std::path::PathBuf;

use kibitzer::catalog::Games;
use kibitzer::report::count;
use serde_json::json;

use crate::cluster::open_table;
use crate::failure::{Failure, UNSOLVABLE};
use crate::output;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  # The starting position
  kibitzer lookup game.kib
  # The position after these moves
  kibitzer lookup game.kib --moves 'a:1' 'b:2'
  # A position in the notation of the game
  kibitzer lookup game.kib --position '1,-,2'

Exit code 0: the position is in the table. 10: the position is not in the table, so it cannot be reached from the start.")]
pub struct Args {
    /// A table of positions that `label` or `explore --table` wrote
    table: PathBuf,
    /// Look up the position after these moves
    #[arg(long, value_name = "MOVE", num_args = 1.., conflicts_with = "position", allow_hyphen_values = true)]
    moves: Vec<String>,
    /// Look up this position; only for games with the option `position`
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    let (table, puzzle) = open_table(games, &args.table, args.position.as_deref())?;
    let moves: Vec<serde_json::Value> = args.moves.iter().map(|text| json!(text)).collect();
    let position = puzzle.after(&moves).map_err(|error| Failure::input(error.to_string(), "write moves as `kibitzer play` shows them"))?;
    let space = position.space(table.meta.symmetry);
    let state = space.start();
    let layers = || table.entries.iter().map(|entry| entry.layer).collect::<std::collections::BTreeSet<u32>>();
    // If layers are distances from the start, the layer of a position is known only from the table.
    let mut layers = space.layer(&state).map_or_else(layers, |layer| [layer].into()).into_iter();
    let found = layers.find_map(|layer| table.find(layer, &state).map(|label| label.map(|label| (layer, label))).transpose());
    let Some((layer, label)) = found.transpose()? else {
        let text = if args.json { "{\"found\":false}\n" } else { "Not in the table: this position cannot be reached from the start.\n" };
        output::write(text, None)?;
        return Ok(UNSOLVABLE);
    };
    let name = puzzle.packed().layer_name(layer);
    let (outcome, words) =
        [("P", "the player to move loses"), ("D", "a draw"), ("N", "the player to move wins")][usize::from(label.score.min(2))];
    let mut json = json!({"found": true, "layer": name});
    let mut text = format!("In layer {name}.\n");
    if table.meta.labels {
        json["outcome"] = json!(outcome);
        json["length"] = json!(label.moves());
        text.push_str(&match label.moves() {
            Some(length) => format!("{outcome}: {words} after {} with best play.\n", count(length.into(), "move")),
            None => format!("{outcome}: {words} by repetition.\n"),
        });
        if table.meta.grundy {
            json["grundy"] = json!(label.grundy);
            text.push_str(&format!("Grundy value {}.\n", label.grundy));
        }
    }
    output::write(&if args.json { format!("{json}\n") } else { text }, None)
}
