//! `kibitzer lookup TABLE`: what a table says about a position.

use std::path::PathBuf;

use crate::cluster::open_table;
use crate::failure::Failure;
use crate::failure::{SOLVED, UNSOLVABLE};
use crate::output;
use kibitzer::catalog::Games;
use serde_json::json;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer lookup game.kib                       the start
  kibitzer lookup game.kib --moves 'a:1' 'b:2'   the position after these moves
  kibitzer lookup game.kib --position '1,-,2'    a position as the game writes it

Exit code 0: it is in the table. 10: it is not, so it cannot be reached from the start.")]
pub struct Args {
    /// A table that `label` or `explore --table` wrote
    table: PathBuf,
    /// Moves from the start, as the game writes them
    #[arg(long, value_name = "MOVE", num_args = 1.., conflicts_with = "position", allow_hyphen_values = true)]
    moves: Vec<String>,
    /// A position, where the game has an option for it
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
    // If layers are distances from the start, only the table has that of a position.
    let layers = space.layer(&state).map_or_else(layers, |layer| [layer].into());
    let mut found = None;
    for layer in layers {
        if let Some(label) = table.find(layer, &state)? {
            found = Some((layer, label));
            break;
        }
    }
    let Some((layer, label)) = found else {
        let text =
            if args.json { "{\"found\":false}\n" } else { "This position is not in the table: it cannot be reached from its start.\n" };
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
        json["length"] = json!(label.length);
        text.push_str(&format!("{outcome}: {words}, after {} moves under best play.\n", label.length));
        if table.meta.grundy {
            json["grundy"] = json!(label.grundy);
            text.push_str(&format!("Grundy value {}.\n", label.grundy));
        }
    }
    output::write(&if args.json { format!("{json}\n") } else { text }, None)?;
    Ok(SOLVED)
}
