//! `kibitzer graph GAME [FILE]`: draws all positions and moves of a two-player game, or writes the graph that a board is played on.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use kibitzer::catalog::{Games, GraphError, Puzzle};
use kibitzer::graph::formats::FORMATS;
use kibitzer::report::grouped;

use crate::effort::Effort;
use crate::failure::Failure;
use crate::input::Board;
use crate::output;

#[derive(clap::Args)]
#[command(after_help = "\
Each row is a layer: the positions after the same number of moves. N-positions (the player to move wins), P-positions (the other
player wins) and D-positions (a draw) differ in color and shape. Moves that win or preserve a draw are bold. Symmetric positions are
shown once, unless --unfolded is given.

With --board, the output is instead the graph on which the board is played, with its vertices named as in moves. The formats for this graph
are dot, graphml, gml, json (node-link, for networkx and D3), graph6, sparse6, edges and adjacency (networkx lists) and list
(`a:b b:a,c`). Without --format, the file extension determines the format.")]
pub struct Args {
    #[command(flatten)]
    input: Board,
    /// Output format [default: dot; with --board, taken from the file extension]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write the graph on which the board is played
    #[arg(long, conflicts_with_all = ["unfolded", "most"])]
    board: bool,
    /// Show symmetric positions separately
    #[arg(long)]
    unfolded: bool,
    /// Maximum number of positions [default: 600 for svg, else 200000]
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
        return Err(Failure::input(format!("{} is not a two-player game", entry.name), help));
    };
    let most = args.most.unwrap_or(if format == Format::Svg { 600 } else { 200_000 });
    let graph = match duel.graph(!args.unfolded, most, &watch.limits) {
        Ok(graph) => graph,
        Err(GraphError::TooLarge) => {
            let folded = if args.unfolded { "omit `--unfolded`, " } else { "" };
            let help = format!("{folded}start from a later position (`--position`), or raise `--most`");
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
            let help = "use dot, graphml, json or svg; with `--board`, the graph of the board can be written in any format";
            return Err(Failure::input("positions cannot be written in this format", help));
        }
    };
    output::write(&text, output.as_deref())
}

/// Writes the graph on which a board is played.
fn board(puzzle: &dyn Puzzle, asked: Option<Format>, output: Option<&Path>) -> Result<u8, Failure> {
    let Some(graph) = puzzle.board_graph() else {
        let message = format!("this {} board is not played on a graph", puzzle.game());
        return Err(Failure::input(message, "draw it with `kibitzer draw`"));
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
        let help = format!("choose one with `--format`: {}; `kibitzer draw` draws the board", names.join(", "));
        let message = match (name, ending) {
            (None, Some(ending)) => format!("no graph format has the file extension .{ending}"),
            (name, _) => format!("cannot write the graph of a board as {}", name.unwrap_or_default()),
        };
        return Err(Failure::input(message, help));
    };
    output::write(&(format.write)(&graph), output)
}
