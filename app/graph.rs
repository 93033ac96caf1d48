//! `kibitzer graph GAME [FILE]`: all positions and moves of a two-player game, or the graph that a board is played on.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use kibitzer::catalog::{Games, GraphError, Puzzle};
use kibitzer::graph::formats::FORMATS;
use kibitzer::report::grouped;

use crate::effort::Effort;
use crate::failure::{Failure, SOLVED};
use crate::input::Board;
use crate::output;

#[derive(clap::Args)]
#[command(after_help = "\
Rows are layers: positions after equally many moves. N-positions (the player to move wins), P-positions (the other player
wins) and D-positions (a draw) differ in color and shape; moves that win, or keep a draw, are bold. Symmetric positions are
shown once unless --unfolded.

With --board it is the graph on which the board is played, its vertices named as in moves, in any of these formats: dot,
graphml, gml, json (node-link, for networkx and D3), graph6, sparse6, edges and adjacency (networkx's lists), list
(`a:b b:a,c`). The ending of the file given with -o says which, unless --format does.")]
pub struct Args {
    #[command(flatten)]
    input: Board,
    /// What to write [default: dot]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write the graph on which the board is played
    #[arg(long, conflicts_with_all = ["unfolded", "most"])]
    board: bool,
    /// Show symmetric positions one by one
    #[arg(long)]
    unfolded: bool,
    /// Most positions to show [default: 600 in svg, 200000 otherwise]
    #[arg(long, value_name = "N")]
    most: Option<u64>,
    /// Write to a file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    effort: Effort,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Dot,
    Graphml,
    Json,
    Svg,
    Gml,
    Graph6,
    Sparse6,
    Edges,
    Adjacency,
    List,
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    let output = output::target(args.output, args.input.file.as_deref())?;
    let watch = args.effort.watch("drawing");
    let (entry, puzzle) = args.input.read(games, &watch.limits)?;
    if args.board {
        return board(&*puzzle, args.format, output.as_deref());
    }
    let format = args.format.unwrap_or(Format::Dot);
    let Some(duel) = puzzle.duel() else {
        let help = format!("`kibitzer explore {}` counts its positions", entry.name);
        return Err(Failure::input(format!("{} is no two-player game", entry.name), help));
    };
    let most = args.most.unwrap_or(if format == Format::Svg { 600 } else { 200_000 });
    let graph = match duel.graph(!args.unfolded, most, &watch.limits) {
        Ok(graph) => graph,
        Err(GraphError::TooLarge) => {
            let folded = if args.unfolded { "leave `--unfolded` out, " } else { "" };
            let help = format!("{folded}start from a later position (`--position`), or allow more with `--most N`");
            return Err(Failure::input(format!("there are more than {} positions to draw", grouped(most)), help));
        }
        Err(GraphError::Limit(limit)) => return Err(Failure::stopped(limit)),
    };
    let text = match format {
        Format::Dot => graph.dot(),
        Format::Graphml => graph.graphml(),
        Format::Json => format!("{}\n", graph.json()),
        Format::Svg => graph.scene(&watch.limits)?.svg(&watch.limits)?,
        _ => {
            let message = "positions are written as dot, graphml, json or svg";
            return Err(Failure::input(message, "take one of these, or `--board` for the graph of the board"));
        }
    };
    output::write(&text, output.as_deref())?;
    Ok(SOLVED)
}

/// The graph on which a board is played.
fn board(puzzle: &dyn Puzzle, asked: Option<Format>, output: Option<&Path>) -> Result<u8, Failure> {
    let Some(graph) = puzzle.board_graph() else {
        let message = format!("this board of {} is not played on a graph", puzzle.game());
        return Err(Failure::input(message, "`kibitzer draw` draws it"));
    };
    let name = asked.and_then(|format| format.to_possible_value()).map(|value| value.get_name().to_owned());
    let ending = output::ending(output);
    let format = FORMATS.iter().find(|format| match (&name, &ending) {
        (Some(name), _) => format.name == name,
        (None, Some(ending)) => format.endings.contains(&ending.as_str()),
        (None, None) => format.name == "dot",
    });
    let Some(format) = format else {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        let help = format!("name one with `--format`: {}; for a drawing, use `kibitzer draw`", names.join(", "));
        let message = match (name, ending) {
            (None, Some(ending)) => format!("no format of graphs ends in .{ending}"),
            (name, _) => format!("the graph of a board is not written as {}", name.unwrap_or_default()),
        };
        return Err(Failure::input(message, help));
    };
    output::write(&(format.write)(&graph), output)?;
    Ok(SOLVED)
}
