//! `kibitzer graph GAME [FILE]`: all positions and moves of a two-player game.

use std::path::PathBuf;

use clap::ValueEnum;
use kibitzer::catalog::GraphError;
use kibitzer::report::grouped;

use crate::effort::Effort;
use crate::failure::{Failure, SOLVED};
use crate::input::Board;
use crate::output;

#[derive(clap::Args)]
#[command(after_help = "\
Rows are layers: positions after equally many moves. N-positions (the player to move wins), P-positions (the other player
wins) and D-positions (a draw) differ in color and shape; moves that win, or keep a draw, are bold. Symmetric positions are
shown once unless --unfolded.")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// What to write
    #[arg(long, value_enum, default_value_t = Format::Dot)]
    format: Format,
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
}

pub fn run(args: Args) -> Result<u8, Failure> {
    let output = output::target(args.output, args.board.file.as_deref())?;
    let watch = args.effort.watch("drawing");
    let (entry, puzzle) = args.board.read(&watch.limits)?;
    let Some(duel) = puzzle.duel() else {
        let help = format!("`kibitzer explore {}` counts its positions", entry.name);
        return Err(Failure::input(format!("{} is no two-player game", entry.name), help));
    };
    let most = args.most.unwrap_or(if args.format == Format::Svg { 600 } else { 200_000 });
    let graph = match duel.graph(!args.unfolded, most, &watch.limits) {
        Ok(graph) => graph,
        Err(GraphError::TooLarge) => {
            let folded = if args.unfolded { "leave `--unfolded` out, " } else { "" };
            let help = format!("{folded}start from a later position (`--position`), or allow more with `--most N`");
            return Err(Failure::input(format!("there are more than {} positions to draw", grouped(most)), help));
        }
        Err(GraphError::Limit(limit)) => return Err(Failure::stopped(limit)),
    };
    let text = match args.format {
        Format::Dot => graph.dot(),
        Format::Graphml => graph.graphml(),
        Format::Json => format!("{}\n", graph.json()),
        Format::Svg => graph.scene(&watch.limits)?.svg(&watch.limits)?,
    };
    output::write(&text, output.as_deref())?;
    Ok(SOLVED)
}
