//! `kibitzer kernel GAME [FILE]`: shows the sets of moves that change nothing, each as a board, or prints a table with their number for
//! many board sizes.

use std::path::{Path, PathBuf};

use kibitzer::catalog::{Entry, Games};
use kibitzer::notation::tools::Kernel;
use kibitzer::notation::{Input, Options};
use kibitzer::report::count;
use kibitzer::scene::Scene;
use kibitzer::sheet::Span;
use serde_json::json;

use crate::effort::{Budget, Watch};
use crate::failure::Failure;
use crate::input::{self, Board};
use crate::lines;
use crate::table::{ListCounts, RowFormat, TableHead, closing};
use crate::{bitmap, output};

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// Use an empty board of this size
    #[arg(long, value_name = "ROWSxCOLUMNS", conflicts_with = "file")]
    size: Option<String>,
    /// Print a table for the square boards of these sizes, such as 3..50
    #[arg(long, value_parser = lines::span, value_name = "FROM..TO", conflicts_with_all = ["file", "size", "most"])]
    sizes: Option<Span>,
    /// Join opposite sides; short for `--option wrap=WRAP`
    #[arg(long, value_name = "WRAP")]
    wrap: Option<String>,
    /// Format of the table [default: by the file extension, else csv]
    #[arg(long, value_enum, requires = "sizes")]
    format: Option<RowFormat>,
    /// Maximum number of sets to show
    #[arg(long, value_name = "N", default_value_t = 64)]
    most: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write to a file; .svg for a drawing
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    budget: Budget,
}

/// Number of drawings per row.
const ACROSS: usize = 4;
const GAP: f64 = 30.0;

pub fn run(mut args: Args, games: Games) -> Result<u8, Failure> {
    let output = output::target(args.output, args.board.file.as_deref())?;
    let watch = args.budget.watch("kernel");
    let entry = input::find_game(games, &args.board.game)?;
    let Some(kernel) = entry.kernel() else {
        let others = games.names(|entry| entry.kernel().is_some());
        let message = format!("in {}, no set of moves leaves every board unchanged", entry.name);
        return Err(Failure::input(message, format!("games with such sets: {}", others.join(", "))));
    };
    if let Some(size) = &args.size {
        args.board.file = Some((kernel.empty)(size));
    }
    args.board.options.extend(args.wrap.iter().map(|wrap| format!("wrap={wrap}")));
    if let Some(sizes) = args.sizes {
        let format = match args.json {
            true => RowFormat::Jsonl,
            false => RowFormat::of(args.format, output.as_deref()),
        };
        return table(entry, kernel, &args.board.options, sizes, format, output.as_deref(), &watch);
    }
    let instance = args.board.read(games, &watch.limits)?.1.instance();
    let shown = (kernel.show)(&Input::new(&instance, &Options::default(), &watch.limits), args.most)
        .map_err(|error| Failure::reading("the board", &error))?;
    if output.as_deref().is_some_and(bitmap::is_named) {
        return Err(Failure::input("a PBM bitmap cannot hold several patterns", "write an .svg file"));
    }
    let text = if args.json {
        let items: Vec<_> = shown.items.iter().map(|item| json!({"title": item.title, "instance": item.instance})).collect();
        format!("{}\n", json!({"game": entry.name, "about": shown.about, "count": shown.count, "total": shown.total, "patterns": items}))
    } else if output::ending(output.as_deref()).as_deref() == Some("svg") {
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
    output::write(&text, output.as_deref())
}

/// The version of the table format.
const EDITION: u64 = 1;

fn table(
    entry: &Entry,
    kernel: &Kernel,
    options: &[String],
    sizes: Span,
    format: RowFormat,
    output: Option<&Path>,
    watch: &Watch,
) -> Result<u8, Failure> {
    if sizes.most == u64::MAX {
        return Err(Failure::input("the range of sizes has no end", "give the last size, as in `--sizes 3..50`"));
    }
    let mut names = options.iter().map(|option| option.split('=').next().unwrap_or_default());
    if let Some(name) = names.find(|name| !kernel.options.contains(name)) {
        let known: Vec<String> = kernel.options.iter().map(|name| format!("`{name}`")).collect();
        return Err(Failure::input(
            format!("option `{name}` cannot be combined with `--sizes`"),
            format!("use only {}", known.join(" and ")),
        ));
    }
    let read = input::read_options(options, entry.options)?;
    let given = options.iter().filter_map(|option| option.split_once('=')).map(|(name, value)| (name.to_owned(), value.to_owned()));
    let head = TableHead::new("kernel", EDITION, entry.name, given.collect(), kernel.columns.iter().copied());
    // If a limit or a board that is too large ends the table early, the rows so far are written without the closing line.
    let mut text = if output.is_some() { head.lines(format) } else { format.header(&head.columns) };
    let mut rows = 0;
    for size in sizes.least..=sizes.most {
        watch.say(&format!("size {size}"));
        match (kernel.row)(size, &read, &watch.limits).map_err(|error| Failure::reading(&format!("size {size}"), &error)) {
            Ok(fields) => text.push_str(&head.row(format, &fields)),
            Err(failure) if rows > 0 => {
                output::write(&text, output)?;
                let message = format!("{}; {} written before it", failure.message, count(rows, "row"));
                return Err(Failure { message, ..failure });
            }
            Err(failure) => return Err(failure),
        }
        rows += 1;
    }
    if output.is_some() {
        text.push_str(&closing(format, rows, crc32fast::hash(text.as_bytes()), Some(ListCounts { lines: rows, skipped: 0 })));
    }
    output::write(&text, output)
}
