//! `kibitzer kernel GAME [FILE]`: the sets of moves that change nothing, shown as boards.

use std::path::PathBuf;

use kibitzer::games::GAMES;
use kibitzer::scene::Scene;
use serde_json::json;

use crate::effort::Budget;
use crate::failure::{Failure, SOLVED};
use crate::input::{self, Board};
use crate::{bitmap, output};

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// An empty board of this size in place of a file: short for the board `size: ROWSxCOLUMNS`
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
    #[command(flatten)]
    budget: Budget,
}

/// Drawings in a row.
const ACROSS: usize = 4;
const GAP: f64 = 30.0;

pub fn run(mut args: Args) -> Result<u8, Failure> {
    let output = output::target(args.output, args.board.file.as_deref())?;
    if let Some(size) = &args.size {
        args.board.file = Some(format!("size: {size}"));
    }
    let watch = args.budget.watch("kernel");
    let entry = input::find_game(&args.board.game)?;
    if !entry.kernel {
        let others: Vec<&str> = GAMES.iter().filter(|entry| entry.kernel).map(|entry| entry.name).collect();
        let message = format!("{} has no sets of moves that change nothing", entry.name);
        return Err(Failure::input(message, format!("there are such sets in {}", others.join(", "))));
    }
    let (_, puzzle) = args.board.read(&watch.limits)?;
    let Some(shown) = puzzle.kernel(args.most, &watch.limits) else {
        return Err(Failure::internal(format!("{} shows no kernel", entry.name)));
    };
    let shown = shown?;
    let drawn = output.as_deref().is_some_and(|path| path.extension().is_some_and(|ending| ending == "svg"));
    if output.as_deref().is_some_and(bitmap::is_named) {
        return Err(Failure::input("several patterns do not fit into one PBM bitmap", "write them to a file that ends in .svg"));
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
            all.place(&item.scene, x, y, &item.title, &watch.limits)?;
            x += item.scene.width + GAP;
            height = height.max(item.scene.height);
        }
        all.svg(&watch.limits)?
    } else {
        let mut text = format!("# {}\n# {}\n", shown.about, shown.total);
        for item in &shown.items {
            text.push_str(&format!("\n# {}\n{}\n", item.title, item.ascii));
        }
        text
    };
    output::write(&text, output.as_deref())?;
    Ok(SOLVED)
}
