//! `kibitzer census GAME`: a game decided on many graphs, on all cores. Rows come in the order of the lines, whatever the
//! number of threads; a census that was stopped goes on after its last whole row.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use kibitzer::gamegraph::decider::Decider;
use kibitzer::games::edge::{Edge, MOST, edcn};
use kibitzer::graph::formats;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{ReadError, Source};
use kibitzer::rules::{Rules, Score};

use crate::effort::{self, Effort};
use crate::failure::{Failure, SOLVED, TIME_LIMIT};
use crate::{input, output};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  geng -c 7 | kibitzer census edge                          graph6 lines, as nauty's geng prints them
  kibitzer census edge graphs.g6 -o census.csv              on all cores, with progress
  kibitzer census edge graphs.g6 -o census.csv --resume     goes on after the last row
  printf 'P5\\nC6\\nK3,3\\n' | kibitzer census edge           any one-line format

Columns: line (of the input), graph (as given), n and m (vertices and edges), edcn, winner, outcome (N or P), grundy, boards
(legal boards, without symmetry), positions (that the search looked at, after all reductions). A field is empty where a
limit was reached, or where there is no such value.")]
pub struct Args {
    /// The game; only `edge` is played on graphs alone
    game: String,
    /// A file with one graph per line; standard input if left out or `-`
    file: Option<String>,
    /// Write to a file, row by row
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Go on after the last whole row of the output file
    #[arg(long, requires = "output")]
    resume: bool,
    /// How many colors on every graph [default: each graph's EDCN]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=64))]
    colors: Option<u8>,
    /// Who cannot move wins
    #[arg(long)]
    misere: bool,
    /// Only the winner, not the Grundy value: quicker on larger graphs
    #[arg(long)]
    winner: bool,
    /// Most positions to look at on each graph
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    nodes: u64,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = effort::seconds)]
    time: Option<f64>,
    /// How many threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

const HEADER: &str = "line,graph,n,m,edcn,winner,outcome,grundy,boards,positions\n";
/// Steps that counting the boards of one graph may take.
const BOARD_STEPS: u64 = 20_000_000;
/// Steps that finding one EDCN may take.
const EDCN_STEPS: u64 = 50_000_000;

pub fn run(args: Args) -> Result<u8, Failure> {
    let entry = input::find_game(&args.game)?;
    if entry.name != "edge" {
        return Err(Failure::input(format!("a board of {} is more than a graph", entry.name), "take `kibitzer census edge`"));
    }
    let input: Box<dyn BufRead + Send> = match args.file.as_deref() {
        None | Some("-") => Box::new(BufReader::new(std::io::stdin())),
        Some(name) => Box::new(BufReader::new(File::open(name).map_err(|error| input::cannot_read(name, &error))?)),
    };
    let (mut out, done) = open(args.output.as_deref(), args.resume, args.file.as_deref())?;
    if done > 0 {
        output::note(&format!("going on after line {done}"));
    }
    survey(&args, input, &mut *out, done)
}

/// The place for the rows, and the line after which to go on. A row that was not finished is cut off.
fn open(path: Option<&Path>, resume: bool, input: Option<&str>) -> Result<(Box<dyn Write>, u64), Failure> {
    let Some(path) = output::target(path.map(Path::to_path_buf), input)? else {
        let mut out = std::io::stdout();
        out.write_all(HEADER.as_bytes()).map_err(|error| cannot_write(&error))?;
        return Ok((Box::new(out), 0));
    };
    let exists = path.exists();
    if exists && !resume {
        let help = "add `--resume` to go on with it, or name another file";
        return Err(Failure::input(format!("{} exists already", path.display()), help));
    }
    let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
    let mut file = options.map_err(|error| cannot_write(&error))?;
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(|error| input::cannot_read(&path.display().to_string(), &error))?;
    let whole = text.rfind('\n').map_or(0, |at| at + 1);
    let mut done = 0;
    if whole > 0 {
        if !text.starts_with(HEADER) {
            return Err(Failure::input(format!("{} is no census of this program", path.display()), "name another file"));
        }
        let last = text[..whole].lines().last().and_then(|row| row.split(',').next()).unwrap_or_default();
        done = last.parse().unwrap_or(0);
    }
    file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(|error| cannot_write(&error))?;
    if whole == 0 {
        file.write_all(HEADER.as_bytes()).map_err(|error| cannot_write(&error))?;
    }
    Ok((Box::new(file), done))
}

fn cannot_write(error: &std::io::Error) -> Failure {
    Failure::input(format!("cannot write the census: {error}"), "check the place, the permissions and the space left")
}

fn survey(args: &Args, input: Box<dyn BufRead + Send>, out: &mut dyn Write, done: u64) -> Result<u8, Failure> {
    let watch = Effort { time: args.time, memory: None, nodes: Some(args.nodes) }.watch("census", None);
    let limits = &watch.limits;
    let lines = Mutex::new((0u64, input.lines()));
    let threads = args.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let bar = std::io::stderr().is_terminal().then(|| {
        let style =
            ProgressStyle::with_template("{spinner} census  {elapsed}  {human_pos} graphs, {per_sec}").expect("the template is right");
        ProgressBar::new_spinner().with_style(style)
    });
    // A bounded channel, so that a fast reader does not run ahead of a slow disk.
    let (sender, receiver) = mpsc::sync_channel::<(u64, Result<Option<String>, Failure>)>(1024);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, lines) = (sender.clone(), &lines);
            scope.spawn(move || {
                while limits.check().is_ok() {
                    let (number, line) = {
                        let mut lines = lines.lock().expect("no thread panics while reading");
                        let Some(line) = lines.1.next() else { return };
                        lines.0 += 1;
                        (lines.0, line)
                    };
                    let row = match line {
                        _ if number <= done => Ok(None),
                        Err(error) => Err(input::cannot_read("the list of graphs", &error)),
                        Ok(line) => row(args, number, line.trim(), limits),
                    };
                    if sender.send((number, row)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        // Rows wait here until all before them are written.
        let mut waiting = BTreeMap::new();
        let mut next = 1;
        let mut rows = 0u64;
        let mut result = Ok(SOLVED);
        loop {
            match receiver.recv_timeout(Duration::from_millis(100)) {
                Ok((number, row)) => _ = waiting.insert(number, row),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            while let Some(row) = waiting.remove(&next) {
                next += 1;
                let written = row.and_then(|row| match row {
                    Some(row) if result.is_ok() && limits.check().is_ok() => {
                        rows += 1;
                        out.write_all(row.as_bytes()).and_then(|()| out.flush()).map_err(|error| cannot_write(&error))
                    }
                    _ => Ok(()),
                });
                if let (Err(failure), true) = (written, result.is_ok()) {
                    result = Err(failure);
                    limits.cancel.stop(Limit::Time);
                }
                if let Some(bar) = &bar {
                    bar.inc(1);
                }
            }
            if limits.check().is_err() && result.is_ok() {
                result = Ok(TIME_LIMIT);
            }
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        let seconds = watch.seconds();
        let graphs = kibitzer::report::grouped(rows);
        output::note(&format!("{graphs} graphs in {} on {threads} threads", kibitzer::report::duration(seconds)));
        if matches!(result, Ok(TIME_LIMIT)) {
            output::note("stopped before the end; with `-o FILE --resume` it goes on from there");
        }
        result
    })
}

/// One row, or nothing for an empty line. A row that was stopped half-way is not written.
fn row(args: &Args, number: u64, line: &str, limits: &Limits) -> Result<Option<String>, Failure> {
    if line.is_empty() || line.starts_with('#') || line == ">>graph6<<" || line == ">>sparse6<<" {
        return Ok(None);
    }
    let at_line = |mut error: kibitzer::notation::ParseError| {
        error.line = number as usize;
        Failure::reading("the list of graphs", &ReadError::Text(error))
    };
    let source = Source::new(line);
    let graph = formats::read(&source).and_then(formats::Reading::simple).map_err(at_line)?;
    if graph.len() > MOST {
        let message = format!("the game is played on at most {MOST} vertices, and this graph has {}", graph.len());
        return Err(at_line(source.error(0, message, "take this line out")));
    }
    let (n, m) = (graph.len(), graph.edge_count());
    let stopped = || limits.check().is_err();
    let least = edcn(&graph, &limits.with_nodes(EDCN_STEPS)).ok().map(|found| found.colors);
    let colors = args.colors.map(usize::from).or(least);
    let text = |value: Option<String>| value.unwrap_or_default();
    let mut fields = [const { String::new() }; 5];
    if let Some(colors) = colors {
        let game = Arc::new(Edge::on(graph, colors, args.misere));
        let (wins, grundy, stats) = if args.winner || args.misere {
            let mut decider: Decider<Edge, Score> = Decider::new(Arc::clone(&game));
            (decider.value(&game.start(), limits).ok().map(|score| score == Score::Win), None, decider.stats())
        } else {
            let mut decider: Decider<Edge, u16> = Decider::new(Arc::clone(&game));
            let grundy = decider.value(&game.start(), limits).ok();
            (grundy.map(|grundy| grundy != 0), grundy, decider.stats())
        };
        let word = |yes: &str, no: &str| text(wins.map(|wins| if wins { yes } else { no }.to_owned()));
        let boards = if args.winner { None } else { game.boards(BOARD_STEPS) };
        let numbers = [grundy.map(u128::from), boards, Some(u128::from(stats.expanded))].map(|value| text(value.map(|n| n.to_string())));
        let [grundy, boards, positions] = numbers;
        fields = [word("1", "2"), word("N", "P"), grundy, boards, positions];
    }
    if stopped() {
        return Ok(None);
    }
    let quoted = if line.contains([',', '"']) { format!("\"{}\"", line.replace('"', "\"\"")) } else { line.to_owned() };
    let least = text(least.map(|least| least.to_string()));
    Ok(Some(format!("{number},{quoted},{n},{m},{least},{}\n", fields.join(","))))
}
