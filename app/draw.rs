//! `kibitzer draw GAME [FILE]`

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::ValueEnum;

use crate::effort::Budget;
use crate::failure::{Failure, SOLVED};
use crate::input::Board;
use crate::{bitmap, output};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer draw GAME FILE -o board.svg
  kibitzer draw GAME FILE --format text")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// Write to a file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What to draw [default: text on a terminal, else svg]
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    budget: Budget,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Svg,
    Text,
}

/// No browser shows more.
const MOST_SHAPES: usize = 200_000;

pub fn run(args: Args) -> Result<u8, Failure> {
    let output = output::target(args.output, args.board.file.as_deref())?;
    let watch = args.budget.watch("drawing");
    let limits = &watch.limits;
    let (entry, options, board) = args.board.load(limits)?;
    if output.as_deref().is_some_and(bitmap::is_named) {
        bitmap::write(&board.to_bitmap(entry, &options, limits)?.read(limits)?, output.as_deref())?;
        return Ok(SOLVED);
    }
    let puzzle = board.to_puzzle(entry, &options, limits)?;
    let ending = output.as_deref().and_then(|path| path.extension()).map(|ending| ending.to_string_lossy().to_lowercase());
    if let Some(ending) = ending.filter(|ending| ["png", "jpg", "jpeg", "gif", "pdf", "webp"].contains(&ending.as_str())) {
        let help = "write an .svg, which any browser shows, and convert that";
        return Err(Failure::input(format!("drawings are not written as .{ending}"), help));
    }
    let position = puzzle.position(limits)?;
    let on_terminal = output.is_none() && std::io::stdout().is_terminal();
    let text = match args.format.unwrap_or(if on_terminal { Format::Text } else { Format::Svg }) {
        Format::Svg if position.scene.shapes.len() > MOST_SHAPES => {
            let message = format!("a drawing of {} shapes is too large", position.scene.shapes.len());
            return Err(Failure::input(message, "where boards can be bitmaps, write one: `-o board.pbm`"));
        }
        Format::Svg => position.scene.svg(limits)?,
        Format::Text => position.ascii + "\n",
    };
    output::write(&text, output.as_deref())?;
    Ok(SOLVED)
}
