//! `kibitzer census GAME`: a game decided on many boards, on all cores. Rows come in the order of the lines, whatever the
//! number of threads; a census that was stopped goes on after its last whole row.

#[cfg(feature = "cluster")]
mod spread;

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, ErrorKind, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use clap::ArgMatches;
use clap::parser::ValueSource;
use indicatif::{ProgressBar, ProgressStyle};
use kibitzer::catalog::{Survey, census};
use kibitzer::games::GAMES;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Input, OptionSpec, Options, ReadError, shorten};
use kibitzer::report::{count, duration};

use crate::cluster::Crew;
use crate::effort::{Budget, Watch};
use crate::failure::{Failure, SOLVED, TIME_LIMIT};
use crate::{csv, help, input, output};

#[derive(clap::Args)]
pub struct Args {
    /// The game
    game: String,
    /// A file with one board per line; standard input if left out or `-`
    file: Option<String>,
    /// Write to a file, row by row
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Go on after the last whole row of the output file
    #[arg(long, requires = "output")]
    resume: bool,
    /// Most positions to look at on each board
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    nodes: u64,
    #[command(flatten)]
    budget: Budget,
    /// How many threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    crew: Crew,
    /// The games' own flags, as options.
    #[arg(skip)]
    flags: Vec<String>,
}

impl Args {
    /// Adds the flags that the games bring along, which no field of this record holds.
    pub fn with_flags(mut self, matches: &ArgMatches) -> Args {
        let Some((_, matches)) = matches.subcommand() else { return self };
        for spec in help::census_options() {
            if matches.value_source(spec.name) != Some(ValueSource::CommandLine) {
                continue;
            }
            let value = if spec.default == "no" { "yes" } else { matches.get_one::<String>(spec.name).map_or("", String::as_str) };
            self.flags.push(format!("{}={value}", spec.name));
        }
        self
    }
}

pub fn run(args: Args) -> Result<u8, Failure> {
    let entry = input::find_game(&args.game)?;
    let Some(survey) = &entry.census else {
        let names: Vec<&str> = GAMES.iter().filter(|entry| entry.census.is_some()).map(|entry| entry.name).collect();
        let message = format!("there is no census of {}: its boards do not fit on a line", entry.name);
        return Err(Failure::input(message, format!("there is one of {}", names.join(", "))));
    };
    let known: Vec<&OptionSpec> = survey.options.iter().chain(census::OPTIONS).collect();
    let options = Options::parse(args.flags.iter().map(String::as_str), &known)?;
    let watch = args.budget.watch_nodes("census", args.nodes);
    let columns = csv::row(["line", "graph"].into_iter().chain(survey.columns().map(|(name, _)| name)));
    let made = made_by(entry.name, &options, &known, args.nodes);
    output::stream();
    if args.crew.is_asked_for() {
        #[cfg(feature = "cluster")]
        return spread::run(&args, survey, options, &watch, &made, &columns);
        #[cfg(not(feature = "cluster"))]
        return Err(crate::cluster::missing());
    }
    let input: Box<dyn BufRead + Send> = match args.file.as_deref() {
        None | Some("-") => Box::new(BufReader::new(std::io::stdin())),
        Some(name) => Box::new(BufReader::new(input::open(name)?)),
    };
    let (mut out, done) = open(args.output.as_deref(), args.resume, args.file.as_deref(), &made, &columns)?;
    let threads = args.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    Census { survey, options: &options, watch: &watch, threads }.run(input, &mut *out, done)
}

/// The first line of a table in a file: how it was made. It goes on only with the same.
fn made_by(game: &str, options: &Options, known: &[&OptionSpec], nodes: u64) -> String {
    let mut text = format!("# kibitzer census {FORMAT}: {game}");
    for spec in known {
        text.push_str(&format!("; {}={}", spec.name, options.get(spec.name).unwrap_or(spec.default).replace(['\n', '\r'], " ")));
    }
    if nodes != u64::MAX {
        text.push_str(&format!("; nodes={nodes}"));
    }
    text + "\n"
}

/// The version of the table: of its columns, and of what they mean.
const FORMAT: u32 = 1;

/// The lines that have a row already, and the board on each.
type Done = BTreeMap<u64, String>;

/// The place for the rows, and those that are there already. A row that was not finished is cut off.
fn open(
    path: Option<&Path>,
    resume: bool,
    input: Option<&str>,
    made: &str,
    columns: &str,
) -> Result<(Box<dyn Write + Send>, Done), Failure> {
    let Some(path) = output::target(path.map(Path::to_path_buf), input)? else {
        output::write(columns, None)?;
        return Ok((Box::new(std::io::stdout()), Done::new()));
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
    let header = format!("{made}{columns}");
    let whole = text.rfind('\n').map_or(0, |at| at + 1);
    // Stopped within the header.
    let whole = if whole < header.len() && header.starts_with(&text[..whole]) { 0 } else { whole };
    let tail = &text[whole..];
    let unfinished = if whole == 0 { header.starts_with(tail) } else { tail.is_empty() || tail.starts_with(|c: char| c.is_ascii_digit()) };
    if !unfinished {
        let message = format!("{}: its last line is no row of a census", path.display());
        return Err(Failure::input(message, "name another file"));
    }
    let mut done = Done::new();
    if whole > 0 {
        let refused = |why: String| Failure::input(format!("{}: {why}", path.display()), "name another file");
        let rows = text[..whole].strip_prefix(&header).ok_or_else(|| refused(difference(&text, made)))?;
        for (at, row) in rows.lines().enumerate() {
            let found = csv::fields(row).filter(|fields| fields.len() == columns.split(',').count());
            let found = found.and_then(|mut fields| Some((fields[0].parse().ok()?, std::mem::take(&mut fields[1]))));
            let (number, board): (u64, String) = found.ok_or_else(|| refused(format!("line {} is no row of a census", at + 3)))?;
            if done.last_key_value().is_some_and(|(&last, _)| last >= number) {
                return Err(refused(format!("line {} is out of order", at + 3)));
            }
            done.insert(number, board);
        }
    }
    file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(|error| cannot_write(&error))?;
    if whole == 0 {
        file.write_all(header.as_bytes()).map_err(|error| cannot_write(&error))?;
    }
    Ok((Box::new(file), done))
}

/// Why a table cannot be gone on with.
fn difference(text: &str, made: &str) -> String {
    let first = text.lines().next().unwrap_or_default();
    match first.starts_with("# kibitzer census ") {
        false => "it does not say how it was made".to_owned(),
        true if first == made.trim_end() => "it has other columns".to_owned(),
        true => format!("it was made by `{}`, not by `{}`", first.trim_start_matches("# "), made.trim_end().trim_start_matches("# ")),
    }
}

fn cannot_write(error: &std::io::Error) -> Failure {
    Failure::input(format!("cannot write the census: {error}"), "check the place, the permissions and the space left")
}

/// A line that was done before must hold the board that its row says.
fn same_board(number: u64, line: &str, done: &Done) -> Result<(), Failure> {
    let says = match done.get(&number) {
        Some(board) if board != line => format!("says `{}`", shorten(board)),
        None if is_board(line) => "has no such row".to_owned(),
        _ => return Ok(()),
    };
    let message = format!("line {number} of the list is `{}`, but the table {says}", shorten(line));
    Err(Failure::input(message, "give the list that the table was made from, or name another file"))
}

/// Does a line hold a board?
fn is_board(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#')
}

/// Lines that end with a line feed, a carriage return, or both.
struct Lines {
    input: Box<dyn BufRead + Send>,
    /// Was nothing read yet? Some editors begin a file with a byte-order mark.
    first: bool,
    /// Was the last end a carriage return? Then a line feed belongs to it.
    after_return: bool,
}

impl Iterator for Lines {
    type Item = std::io::Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        let first = std::mem::take(&mut self.first);
        let text = |line: Vec<u8>| match String::from_utf8(line) {
            Ok(line) if first && line.starts_with('\u{feff}') => Ok(line['\u{feff}'.len_utf8()..].to_owned()),
            line => line.map_err(|_| std::io::Error::new(ErrorKind::InvalidData, "a line is not UTF-8 text")),
        };
        let mut line = Vec::new();
        loop {
            let piece = match self.input.fill_buf() {
                Ok(piece) => piece,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Some(Err(error)),
            };
            if piece.is_empty() {
                return if line.is_empty() { None } else { Some(text(line)) };
            }
            if std::mem::take(&mut self.after_return) && piece[0] == b'\n' {
                self.input.consume(1);
                continue;
            }
            let end = piece.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            line.extend_from_slice(&piece[..end.unwrap_or(piece.len())]);
            match end {
                None => {
                    let count = piece.len();
                    self.input.consume(count);
                }
                Some(at) => {
                    self.after_return = piece[at] == b'\r';
                    self.input.consume(at + 1);
                    return Some(text(line));
                }
            }
        }
    }
}

/// Everything that does not change from row to row.
struct Census<'a> {
    survey: &'a Survey,
    options: &'a Options,
    watch: &'a Watch,
    threads: usize,
}

impl Census<'_> {
    fn run(&self, input: Box<dyn BufRead + Send>, out: &mut dyn Write, done: Done) -> Result<u8, Failure> {
        let (limits, threads, done) = (&self.watch.limits, self.threads, &done);
        let last = done.keys().next_back().copied().unwrap_or(0);
        let lines = Mutex::new((0u64, Lines { input, first: true, after_return: false }));
        let bar = std::io::stderr().is_terminal().then(|| {
            let style =
                ProgressStyle::with_template("{spinner} census  {elapsed}  boards: {human_pos}, {per_sec}").expect("the template is right");
            ProgressBar::new_spinner().with_style(style)
        });
        // Were all lines read, and is there one whose row a limit prevented?
        let (ended, stopped) = (AtomicBool::new(false), AtomicBool::new(false));
        // A bounded channel, so that a fast reader does not run ahead of a slow disk.
        let (sender, receiver) = mpsc::sync_channel::<(u64, Result<Option<String>, Failure>)>(1024);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let (sender, lines, ended) = (sender.clone(), &lines, &ended);
                let stopped = &stopped;
                scope.spawn(move || {
                    while limits.check().is_ok() {
                        let (number, line) = {
                            let mut lines = lines.lock().expect("no thread panics while reading");
                            let Some(line) = lines.1.next() else {
                                ended.store(true, Ordering::Relaxed);
                                return;
                            };
                            lines.0 += 1;
                            (lines.0, line)
                        };
                        let row = match line {
                            Err(error) => Err(input::cannot_read("the list of boards", &error)),
                            Ok(line) if number <= last => same_board(number, line.trim(), done).map(|()| None),
                            Ok(line) => {
                                let row = self.row(number, line.trim(), limits);
                                if matches!(row, Ok(None)) && is_board(line.trim()) && limits.check().is_err() {
                                    // Stopped half-way.
                                    stopped.store(true, Ordering::Relaxed);
                                }
                                row
                            }
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
            let mut quiet = false;
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
                            let mut written = Ok(());
                            output::hold(|| written = out.write_all(row.as_bytes()).and_then(|()| out.flush()));
                            match written {
                                // The reader has seen enough, as in `| head`.
                                Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                                    quiet = true;
                                    limits.cancel.stop(Limit::Time);
                                    Ok(())
                                }
                                written => written.map_err(|error| cannot_write(&error)),
                            }
                        }
                        Some(_) => {
                            stopped.store(true, Ordering::Relaxed);
                            Ok(())
                        }
                        None => Ok(()),
                    });
                    if let (Err(failure), true) = (written, result.is_ok()) {
                        result = Err(failure);
                        limits.cancel.stop(Limit::Time);
                    }
                    // Only now is it known that the boards so far are those of the table.
                    if next == last + 1 && last > 0 && result.is_ok() {
                        output::note(&format!("going on after line {last}"));
                    }
                    if let Some(bar) = &bar {
                        bar.inc(1);
                    }
                }
            }
            if limits.check().is_err() && result.is_ok() && (!ended.load(Ordering::Relaxed) || stopped.load(Ordering::Relaxed)) {
                result = Ok(TIME_LIMIT);
            }
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
            if quiet {
                return Ok(SOLVED);
            }
            if result.is_ok() && limits.check().is_ok() && next <= last {
                let message = format!("the table goes on to line {last}, but the list of boards ends with line {}", next - 1);
                return Err(Failure::input(message, "give the list that the table was made from, or name another file"));
            }
            let seconds = self.watch.seconds();
            let (boards, threads) = (count(rows, "board"), count(threads as u64, "thread"));
            output::note(&format!("{boards} in {} on {threads}", duration(seconds)));
            if matches!(result, Ok(TIME_LIMIT)) {
                output::note("stopped before the end; with `-o FILE --resume` it goes on from there");
            }
            result
        })
    }
    fn row(&self, number: u64, line: &str, limits: &Limits) -> Result<Option<String>, Failure> {
        row(self.survey, self.options, number, line, limits)
    }
}

/// One row, or nothing for a line without a board. A row that was stopped half-way is not written.
fn row(survey: &Survey, options: &Options, number: u64, line: &str, limits: &Limits) -> Result<Option<String>, Failure> {
    if !is_board(line) {
        return Ok(None);
    }
    let row = match (survey.row)(&Input::new(line, options, limits)) {
        Ok(row) => row.filter(|_| limits.check().is_ok()),
        Err(ReadError::Stopped(_)) => None,
        Err(ReadError::Text(error)) => {
            let error = kibitzer::notation::ParseError { line: number as usize, ..error };
            return Err(Failure::reading("the list of boards", &error.into()));
        }
        Err(error) => return Err(Failure::reading("the census", &error)),
    };
    let number = number.to_string();
    Ok(row.map(|row| csv::row([number.as_str(), line].into_iter().chain(row.iter().map(String::as_str)))))
}
