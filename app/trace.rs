//! `kibitzer trace GAME [FILE]`: a search, step by step.

use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::ValueEnum;
use kibitzer::catalog::{Choice, Entry, Games, Puzzle};
use kibitzer::gamegraph::order::Order;
use kibitzer::limits::{Limit, Limits};
use kibitzer::report::{Report, grouped};
use kibitzer::trace::{self, Line, table};
use kibitzer::viewer::page::Page;
use kibitzer::viewer::{moment, painted, tree};

use crate::cache::CacheArgs;
use crate::effort::Effort;
use crate::failure::{Failure, SOLVED};
use crate::input::Board;
use crate::solve::{exit_code, order, weight};
use crate::{csv, output};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  # One JSON object per line
  kibitzer trace GAME --method bfs
  # A table, with the boards
  kibitzer trace GAME FILE --states --format csv -o x.csv
  # A page to step through, with the boards
  kibitzer trace GAME FILE --format html -o x.html
  # The tree of the first 60 states (default 200)
  kibitzer trace GAME FILE --nodes 60 --format svg -o x.svg

The first line is a header. It is followed by one line per expanded state, in order, with its children and the fate of each: new, better
(known, but only at a higher cost), known, or dead (no goal can be reached from it). The last line is the report that `solve --json` prints.
The value f = g + h is the cost so far plus the estimate. If the method orders states by another value, `priority` is that value. For two
players, there is one line per position, in the order in which positions are decided. Methods that search the tree add the window
(alpha, beta), the value and whether there was a cutoff, or the proof and disproof numbers; moves that a cutoff skipped are pruned.

Exit codes are those of `solve`.")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// Method, with an optional heuristic [default: the best one]
    #[arg(long, short, value_name = "METHOD[:HEURISTIC]")]
    method: Option<String>,
    /// Weight of the heuristic in weighted A*, from 1 to 1000
    #[arg(long, value_parser = weight, default_value = "2")]
    weight: u32,
    /// Two-player games: the order in which methods that search the tree try moves: game, none or history [default: game]
    #[arg(long, value_parser = order)]
    order: Option<Order>,
    /// Add the board of every expanded state
    #[arg(long)]
    states: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Jsonl)]
    format: Format,
    /// Write to a file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    effort: Effort,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One JSON object per line
    Jsonl,
    /// One row per expanded state
    Csv,
    /// A page that shows the search step by step, in one file (default: the first 20,000 states)
    Html,
    /// The tree, with the order of expansion and f = g + h (default: the first 200 states), or the board with the search painted on it
    Svg,
}

/// The number of states that a page shows by default: more than anyone reads, in a file small enough to email.
const PAGE_NODES: u64 = 20_000;

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    let output = output::target(args.output.clone(), args.board.file.as_deref())?;
    let nodes = args.effort.nodes.or((args.format == Format::Html).then_some(PAGE_NODES));
    let watch = Effort { nodes, ..args.effort.clone() }.watch("tracing");
    let limits = args.cache.limits(&watch.limits)?;
    let (entry, puzzle) = args.board.read(games, &limits)?;
    let choice = Choice { method: args.method.clone(), weight: args.weight, order: args.order };
    puzzle.method(&choice)?;
    if args.format == Format::Svg {
        return draw(entry, &args, &*puzzle, &choice, &limits, output.as_deref());
    }
    let writer = TraceWriter { entry, args: &args, puzzle: &*puzzle, choice: &choice, limits: &limits };
    let Some(path) = output.as_deref() else {
        return writer.write(&mut BufWriter::with_capacity(PIECE, output::stream()));
    };
    let mut code = SOLVED;
    output::write_with(Some(path), |out| {
        code = writer.write(&mut BufWriter::with_capacity(PIECE, out)).map_err(std::io::Error::other)?;
        Ok(())
    })?;
    Ok(code)
}

/// Default number of states in a drawing.
const DRAWN: u64 = 200;
/// Maximum number of states in a drawing.
const MOST_DRAWN: u64 = 5000;

fn draw(entry: &Entry, args: &Args, puzzle: &dyn Puzzle, choice: &Choice, limits: &Limits, output: Option<&Path>) -> Result<u8, Failure> {
    let nodes = args.effort.nodes.unwrap_or(if entry.paints { PAGE_NODES } else { DRAWN });
    if nodes > MOST_DRAWN && !entry.paints {
        let message = format!("a tree of {} states is too large to draw", grouped(nodes));
        return Err(Failure::input(message, format!("use `--nodes {MOST_DRAWN}` or less, or `--format jsonl`")));
    }
    let mut lines = Vec::new();
    let report = puzzle.begin(choice)?.trace(false, &limits.with_nodes(nodes), &mut |line| lines.push(line))?;
    if entry.paints {
        let plan: Vec<serde_json::Value> = report.plan().iter().map(|mv| mv.json.clone()).collect();
        let drawn = puzzle.position(limits)?.scene;
        let scene = painted::draw(drawn, &lines, &puzzle.places(&plan), &report, limits)?;
        output::write(&scene.svg(limits)?, output)?;
        return Ok(exit_code(&report));
    }
    // If a limit was reached, the states expanded so far are still drawn. A drawing has few states, so drawing them needs no limit.
    output::write(&tree::draw(&lines, &report).svg(&Limits::none())?, output)?;
    Ok(exit_code(&report))
}

struct TraceWriter<'a> {
    entry: &'static Entry,
    args: &'a Args,
    puzzle: &'a dyn Puzzle,
    choice: &'a Choice,
    limits: &'a Limits,
}

impl TraceWriter<'_> {
    /// Writes the trace, and returns the exit code.
    fn write(&self, out: &mut dyn Write) -> Result<u8, Failure> {
        let csv = self.args.format == Format::Csv;
        let method = self.puzzle.method(self.choice)?;
        if self.args.format == Format::Html {
            return self.write_page(&method, out);
        }
        let head = trace::header(self.puzzle.game(), &method, &self.puzzle.instance());
        let mut written = match csv {
            true => out.write_all(csv::row(table::COLUMNS).as_bytes()),
            false => writeln!(out, "{head}"),
        };
        let mut line = |line: Line| {
            if written.is_ok() {
                written = match csv {
                    true => out.write_all(csv::row(line.fields()).as_bytes()),
                    false => writeln!(out, "{}", line.json()),
                };
                if written.is_err() {
                    self.limits.cancel.stop(Limit::Time);
                }
            }
        };
        let mut run = self.puzzle.begin(self.choice)?;
        let begun = Instant::now();
        let report = run.trace(self.args.states, self.limits, &mut line)?;
        let seconds = begun.elapsed().as_secs_f64();
        if !csv && written.is_ok() {
            written = writeln!(out, "{}", serde_json::json!({"report": report.json(seconds), "moment": moment(&report)}));
        }
        finish(written.and_then(|()| out.flush()), &report)
    }

    /// Writes the trace as an HTML page.
    fn write_page(&self, method: &str, out: &mut dyn Write) -> Result<u8, Failure> {
        let mut page = Page::new(self.entry, method, &self.puzzle.instance());
        page.set_order(self.choice.order);
        let mut run = self.puzzle.begin(self.choice)?;
        let begun = Instant::now();
        let report = run.trace(true, self.limits, &mut |line| page.add(line, self.limits))?;
        let plan: Vec<serde_json::Value> = report.plan().iter().map(|mv| mv.json.clone()).collect();
        page.set_places(self.puzzle.places(&plan));
        let html = page.html(&report, begun.elapsed().as_secs_f64());
        finish(out.write_all(html.as_bytes()).and_then(|()| out.flush()), &report)
    }
}

/// Returns the exit code, or an error if the trace could not be written.
fn finish(written: std::io::Result<()>, report: &Report) -> Result<u8, Failure> {
    match written {
        // The reader closed the pipe, as `head` does.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::writing("the trace", &error)),
        _ => Ok(exit_code(report)),
    }
}

/// Size of the output buffer, in bytes.
const PIECE: usize = 1 << 16;
