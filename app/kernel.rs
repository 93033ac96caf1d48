//! `kibitzer kernel GAME [FILE]`: the sets of moves that change nothing, as pictures.

use std::path::PathBuf;

use kibitzer::scene::Scene;
use serde_json::json;

use crate::failure::{Failure, SOLVED};
use crate::input::Board;
use crate::{output, picture};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer kernel moles --size 9x9
  kibitzer kernel moles --size 19x19 -o quiet.svg
  kibitzer kernel moles --size 6x6 --option wrap=torus --json")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// An empty board of this size in place of a file
    #[arg(long, value_name = "ROWSxCOLUMNS", conflicts_with = "file")]
    size: Option<String>,
    /// Show at most so many
    #[arg(long, value_name = "N", default_value_t = 64)]
    most: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write to a file; as a drawing if it ends in .svg
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Drawings in a row.
const ACROSS: usize = 4;
const GAP: f64 = 30.0;

pub fn run(mut args: Args) -> Result<u8, Failure> {
    let output = output::target(args.output, args.board.file.as_deref())?;
    if let Some(size) = &args.size {
        args.board.file = Some(format!("size: {size}"));
    }
    let (entry, puzzle) = args.board.read()?;
    let Some(shown) = puzzle.exhibits(args.most) else {
        let help = "in moles there are such sets: `kibitzer kernel moles --size 9x9`";
        return Err(Failure::input(format!("{} has no sets of moves that change nothing", entry.name), help));
    };
    let drawn = output.as_deref().is_some_and(|path| path.extension().is_some_and(|ending| ending == "svg"));
    if output.as_deref().is_some_and(picture::is_named) {
        return Err(Failure::input("several patterns do not fit into one PBM picture", "write them to a file that ends in .svg"));
    }
    let text = if args.json {
        let items: Vec<_> = shown.items.iter().map(|item| json!({"title": item.title, "instance": item.instance})).collect();
        format!("{}\n", json!({"game": entry.name, "about": shown.about, "count": shown.count, "total": shown.total, "patterns": items}))
    } else if drawn {
        let mut all = Scene { title: format!("{}; {}", shown.about, shown.total), ..Scene::default() };
        let (mut x, mut y, mut height) = (0.0, 0.0, 0.0_f64);
        for (at, item) in shown.items.iter().enumerate() {
            if at % ACROSS == 0 && at > 0 {
                (x, y, height) = (0.0, y + height + GAP, 0.0);
            }
            all.place(&item.scene, x, y, &item.title);
            x += item.scene.width + GAP;
            height = height.max(item.scene.height);
        }
        all.svg()
    } else {
        let mut text = format!("# {}\n# {}\n", shown.about, shown.total);
        for item in &shown.items {
            text.push_str(&format!("\n# {}\n{}\n", item.title, item.picture));
        }
        text
    };
    output::write(&text, output.as_deref())?;
    Ok(SOLVED)
}
