//! `kibitzer draw GAME [FILE]`

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::ValueEnum;
use kibitzer::catalog::Games;
use kibitzer::notation::Options;

use crate::effort::Budget;
use crate::failure::Failure;
use crate::input::{Board, Loaded};
use crate::{bitmap, output, plan, png};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer draw GAME FILE -o board.svg
  kibitzer draw GAME FILE --format text
  kibitzer draw GAME FILE --after 'MOVE; MOVE' -o later.svg
  kibitzer draw GAME FILE --after answer.json -o last.png

MOVES are written as `kibitzer solve` prints them, separated by `;` or line breaks. PNG needs a program built with \
`cargo install --path app --features png`.")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// Draw the board after these moves: 'MOVE; MOVE', a file with an answer or a plan, or `-` for standard input
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    after: Option<String>,
    /// Write to a file: .svg, .png, or .pbm if the game supports bitmaps
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Output format [default: text on a terminal, else svg]
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

/// Maximum number of shapes in a drawing; browsers cannot show more.
const MOST_SHAPES: usize = 200_000;

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    let output = output::target(args.output, args.board.file.as_deref())?;
    if args.after.as_deref() == Some("-") && args.board.file.as_deref() == Some("-") {
        return Err(Failure::input("the board and the moves cannot both come from standard input", "pass a file for one of them"));
    }
    let watch = args.budget.watch("drawing");
    let limits = &watch.limits;
    let (entry, options, board) = args.board.load(games, limits)?;
    if args.after.is_none() && output.as_deref().is_some_and(bitmap::is_named) {
        return bitmap::write(&board.to_bitmap(entry, &options, limits)?.0, output.as_deref());
    }
    let mut puzzle = board.to_puzzle(entry, &options, limits)?;
    if let Some(moves) = &args.after {
        let moves = plan::read(entry, moves, limits)?;
        puzzle = puzzle.after(&moves).map_err(|error| plan::illegal(&*puzzle, &moves, &error, limits))?;
    }
    if output.as_deref().is_some_and(bitmap::is_named) {
        let after = Loaded::Text { text: puzzle.instance(), from: "the board after the moves".to_owned() };
        return bitmap::write(&after.to_bitmap(entry, &Options::default(), limits)?.0, output.as_deref());
    }
    let ending = output::ending(output.as_deref());
    if let Some(ending) = ending.as_deref().filter(|ending| ["jpg", "jpeg", "gif", "pdf", "webp"].contains(ending)) {
        let help = "use an .svg file, which any browser can open, or a .png file";
        return Err(Failure::input(format!("cannot draw to .{ending} files"), help));
    }
    let png = ending.as_deref() == Some("png");
    if png && args.format.is_some() {
        return Err(Failure::input("`--format` cannot be combined with a .png file", "omit `--format`, or choose another file"));
    }
    let on_terminal = output.is_none() && std::io::stdout().is_terminal();
    let format = args.format.unwrap_or(if on_terminal { Format::Text } else { Format::Svg });
    let position = puzzle.position(limits)?;
    if format == Format::Svg && position.scene.shapes.len() > MOST_SHAPES {
        let message = format!("a drawing with {} shapes is too large", position.scene.shapes.len());
        return Err(Failure::input(message, "use a smaller board, or a bitmap if the game supports bitmaps: `-o board.pbm`"));
    }
    if png {
        let image = png::png(&position.scene, limits)?;
        return output::write_with(output.as_deref(), |out| out.write_all(&image));
    }
    let text = match format {
        Format::Svg => position.scene.svg(limits)?,
        Format::Text => position.ascii + "\n",
    };
    output::write(&text, output.as_deref())
}
