//! `kibitzer explore GAME [FILE]`: the whole reachable space.

use std::time::Instant;

use comfy_table::{CellAlignment, Table, presets};
use kibitzer::catalog::Exploration;
use kibitzer::report::{self, bytes, count, duration, grouped};

use crate::effort::Effort;
use crate::failure::{Failure, SOLVED, limit_code};
use crate::input::Board;
use crate::output;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer explore GAME FILE --json

Exit code 0: everything was counted. 20 or 21: a limit was reached; the layers printed are whole.")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    effort: Effort,
}

pub fn run(args: Args) -> Result<u8, Failure> {
    let watch = args.effort.watch("exploring");
    let (entry, puzzle) = args.board.read(&watch.limits)?;
    let begun = Instant::now();
    let space = puzzle.explore(&watch.limits);
    let seconds = begun.elapsed().as_secs_f64();
    let text = if args.json { format!("{}\n", report::exploration_json(entry.name, &space, seconds)) } else { table(&space, seconds) };
    output::write(&text, None)?;
    Ok(space.explored.limit.map_or(SOLVED, limit_code))
}

/// For two players: boards without symmetry, and whether the player to move wins. Most games have no draws and no column for them.
fn duel_table(space: &Exploration, losing: &[u64], drawn: &[u64], seconds: f64) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    let draws = drawn.iter().any(|&boards| boards > 0);
    let header = ["layer", "up to symmetry", "boards", "N", "P"];
    table.set_header(header.into_iter().chain(draws.then_some("D")).chain(["over"]));
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let total = space.explored.total();
    let names = space.names.iter().cloned().chain(["in all".to_owned()]);
    let with_total = |counts: &[u64]| [counts, &[counts.iter().copied().fold(0, u64::saturating_add)]].concat();
    let (losing, drawn) = (with_total(losing), with_total(drawn));
    let counted = |boards: u64| if boards == u64::MAX { "> 10^19".to_owned() } else { grouped(boards) };
    for (at, (layer, name)) in space.explored.layers.iter().chain([&total]).zip(names).enumerate() {
        let winning = layer.unfolded.saturating_sub(losing[at]).saturating_sub(drawn[at]);
        let counts = [layer.states, layer.unfolded, winning, losing[at]].into_iter().chain(draws.then_some(drawn[at]));
        table.add_row([name].into_iter().chain(counts.chain([layer.dead_ends]).map(counted)));
    }
    let limit = space.explored.limit.map(|limit| format!("Nothing was counted: the {} was reached.\n", limit.words()));
    let text =
        limit.unwrap_or_else(|| format!("{table}\nN, P{} and over count boards, without symmetry.\n", if draws { ", D" } else { "" }));
    format!("{text}{}, {}\n", bytes(space.explored.peak_bytes), duration(seconds))
}

fn table(space: &Exploration, seconds: f64) -> String {
    if let (Some(losing), Some(drawn)) = (&space.losing, &space.drawn) {
        return duel_table(space, losing, drawn, seconds);
    }
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header(["layer", "positions", "goals", "dead ends", "moves"]);
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let total = space.explored.total();
    let names = space.names.iter().cloned().chain(["in all".to_owned()]);
    for (layer, name) in space.explored.layers.iter().chain([&total]).zip(names) {
        let counts = [layer.states, layer.goals, layer.dead_ends, layer.moves].map(grouped);
        table.add_row([name].into_iter().chain(counts));
    }
    let states = count(total.states, "position");
    let mut text = format!("{table}\n");
    text.push_str(&match (space.explored.limit, space.unfolded) {
        (Some(limit), _) => format!("Not the whole space: the {} was reached. These layers are whole.\n", limit.words()),
        (None, Some(all)) if all != total.states => format!("{states} up to symmetry, {} without.\n", grouped(all)),
        (None, Some(_)) => format!("{states}; this board has no symmetry that merges any.\n"),
        (None, None) => format!("{states} up to symmetry; without it there were too many for the limits.\n"),
    });
    text.push_str(&format!("{}, {}\n", bytes(space.explored.peak_bytes), duration(seconds)));
    text
}
