//! `kibitzer census GAME`: a game decided on many boards, on all cores. Rows come in the order of the lines, whatever the
//! number of threads; a census that was stopped resumes after its last complete row.

mod spread;

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ArgMatches;
use clap::parser::ValueSource;
use crc32fast::Hasher;
use indicatif::{ProgressBar, ProgressStyle};
use kibitzer::catalog::{Games, Survey};
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Input, OptionSpec, Options, ReadError, shorten};
use kibitzer::report::{count, duration};
use kibitzer::sheet::Span;

use crate::cluster::ClusterArgs;
use crate::effort::{Budget, Watch};
use crate::failure::{Failure, SOLVED, TIME_LIMIT};
use crate::lines::{self, ListLines, is_board};
use crate::table::{ListCounts, RowFormat, TableHead, TextTable, closing};
use crate::{help, input, output, parallel};

#[derive(clap::Args)]
pub struct Args {
    /// The game
    game: String,
    /// A file with one graph per line; standard input if left out or `-`
    file: Option<String>,
    /// Take only these lines: one, such as 5, or some, such as 5..20
    #[arg(long, value_name = "LINES", value_parser = lines::span)]
    line: Option<Span>,
    /// How to write rows [default: by the file's ending, else csv]
    #[arg(long, value_enum)]
    format: Option<RowFormat>,
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
    cluster: ClusterArgs,
    /// The games' own flags, as options.
    #[arg(skip)]
    flags: Vec<String>,
}

impl Args {
    /// Adds the flags that the games bring along, which no field of this record holds.
    pub fn with_flags(mut self, games: Games, matches: &ArgMatches) -> Args {
        let Some((_, matches)) = matches.subcommand() else { return self };
        for spec in help::census_options(games) {
            if matches.value_source(spec.name) != Some(ValueSource::CommandLine) {
                continue;
            }
            let value = if spec.default == "no" { "yes" } else { matches.get_one::<String>(spec.name).map_or("", String::as_str) };
            self.flags.push(format!("{}={value}", spec.name));
        }
        self
    }
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    let entry = input::find_game(games, &args.game)?;
    let Some(survey) = &entry.census else {
        let names = games.names(|entry| entry.census.is_some());
        let message = format!("there is no census of {}: its boards do not fit on a line", entry.name);
        return Err(Failure::input(message, format!("there is one of {}", names.join(", "))));
    };
    let known: Vec<&OptionSpec> = survey.options().collect();
    let options = Options::parse(args.flags.iter().map(String::as_str), &known)?;
    let watch = args.budget.watch_nodes("census", args.nodes);
    let head = head(entry.name, survey, &options, args.nodes, args.line);
    let format = RowFormat::of(args.format, args.output.as_deref());
    output::stream();
    if args.cluster.is_asked_for() {
        return spread::run(&args, survey, options, &watch, &head, format);
    }
    let input: Box<dyn Read + Send> = match args.file.as_deref() {
        None | Some("-") => Box::new(std::io::stdin()),
        Some(name) => Box::new(input::open(name)?),
    };
    let (mut place, done) = open(args.output.as_deref(), args.resume, args.file.as_deref(), head, format)?;
    let threads = args.threads.map_or_else(parallel::threads, usize::from);
    let job = CensusJob { survey, options: &options, head: place.head.clone(), format };
    Census { job: &job, range: args.line.unwrap_or(lines::ALL), watch: &watch, threads }.run(input, &mut place, done)
}

/// The version of the table: of its columns, and of what they mean.
pub const EDITION: u64 = 2;

/// The head of a table. A table can be resumed only with the same head.
pub fn head(game: &str, survey: &Survey, options: &Options, nodes: u64, range: Option<Span>) -> TableHead {
    let value = |spec: &OptionSpec| options.get(spec.name).unwrap_or(spec.default).replace(['\n', '\r', ';'], " ");
    let mut given: Vec<(String, String)> = survey.options().map(|spec| (spec.name.to_owned(), value(spec))).collect();
    if nodes != u64::MAX {
        given.push(("nodes".to_owned(), nodes.to_string()));
    }
    if let Some(range) = range {
        given.push(("line".to_owned(), range.to_string()));
    }
    TableHead {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        kind: "census".to_owned(),
        edition: EDITION,
        game: game.to_owned(),
        options: given,
        columns: ["line", "graph"].into_iter().chain(survey.columns().map(|(name, _)| name)).map(str::to_owned).collect(),
    }
}

/// The lines that have a row already, and the board on each.
type Done = BTreeMap<u64, String>;

/// The output for rows: standard output, or a file with a head and a closing line.
pub struct RowOutput {
    out: Out,
    head: TableHead,
    format: RowFormat,
    /// The checksum so far, and the rows; none on standard output.
    sum: Option<(Hasher, u64)>,
}

enum Out {
    Screen,
    File {
        file: File,
        /// The number of bytes to keep of an old table, and the first lines of a new one. Done with the first row, so that a
        /// table that does not fit the list stays as it is.
        begin: Option<(u64, String)>,
    },
}

impl RowOutput {
    /// Writes rows.
    fn write(&mut self, rows: &str, count: u64) -> std::io::Result<()> {
        if let Some((sum, all)) = &mut self.sum {
            sum.update(rows.as_bytes());
            *all += count;
        }
        self.put(rows)
    }

    /// Says that no row is missing of these lines of the list.
    fn close(&mut self, lines: u64) -> std::io::Result<()> {
        let Some((sum, rows)) = self.sum.take() else { return Ok(()) };
        self.put(&closing(self.format, rows, sum.finalize(), Some(ListCounts { lines, skipped: lines - rows })))
    }

    fn put(&mut self, text: &str) -> std::io::Result<()> {
        let mut written = Ok(());
        output::hold(|| written = self.out.put(text));
        written
    }
}

impl Out {
    fn put(&mut self, text: &str) -> std::io::Result<()> {
        match self {
            Out::Screen => {
                let mut screen = std::io::stdout();
                screen.write_all(text.as_bytes()).and_then(|()| screen.flush())
            }
            Out::File { file, begin } => {
                if let Some((kept, lines)) = begin.take() {
                    file.set_len(kept)?;
                    file.seek(SeekFrom::End(0))?;
                    file.write_all(lines.as_bytes())?;
                }
                file.write_all(text.as_bytes())
            }
        }
    }
}

/// The place for the rows, and those that are there already. A row that was not finished is cut off, and so is the last line of
/// a table that was complete: the list may have grown.
fn open(path: Option<&Path>, resume: bool, input: Option<&str>, head: TableHead, format: RowFormat) -> Result<(RowOutput, Done), Failure> {
    let Some(path) = output::target(path.map(Path::to_path_buf), input)? else {
        output::write(&head.bare(format), None)?;
        return Ok((RowOutput { out: Out::Screen, head, format, sum: None }, Done::new()));
    };
    if path.exists() && !resume {
        let help = "add `--resume` to go on with it, or name another file";
        return Err(Failure::input(format!("{} exists already", path.display()), help));
    }
    let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
    let mut file = options.map_err(|error| cannot_write(&error))?;
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(|error| input::cannot_read(&path.display().to_string(), &error))?;
    let lines = head.lines(format);
    let mut done = Done::new();
    let (whole, mut sum) = if lines.starts_with(&text) {
        // New, or stopped within the first lines.
        (0, (Hasher::new(), 0))
    } else {
        let refused = |why: String| Failure::input(format!("{}: {why}", path.display()), "name another file");
        let table = TextTable::read(&text).map_err(refused)?;
        if table.head != head || table.format != format {
            return Err(refused(difference(&table, &head)));
        }
        for (at, fields) in &table.rows {
            let number: u64 = fields[0].parse().map_err(|_| refused(format!("line {at} is no row of a census")))?;
            if done.last_key_value().is_some_and(|(&last, _)| last >= number) {
                return Err(refused(format!("line {at} is out of order")));
            }
            done.insert(number, fields[1].clone());
        }
        (table.whole, (table.sum, table.rows.len() as u64))
    };
    let begins = if whole == 0 { lines } else { String::new() };
    sum.0.update(begins.as_bytes());
    Ok((RowOutput { out: Out::File { file, begin: Some((whole as u64, begins)) }, head, format, sum: Some(sum) }, done))
}

/// Why a table cannot be resumed.
fn difference(table: &TextTable, head: &TableHead) -> String {
    match table.head.made() == head.made() {
        true if table.head.columns != head.columns => "it has other columns".to_owned(),
        true => "its rows are written in another format".to_owned(),
        false => format!("it was made by `{}`, not by `{}`", table.head.made(), head.made()),
    }
}

fn cannot_write(error: &std::io::Error) -> Failure {
    Failure::writing("the census", error)
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

/// Everything that determines a row.
pub struct CensusJob<'a> {
    pub survey: &'a Survey,
    pub options: &'a Options,
    pub head: TableHead,
    pub format: RowFormat,
}

/// Everything that does not change from row to row.
struct Census<'a> {
    job: &'a CensusJob<'a>,
    range: Span,
    watch: &'a Watch,
    threads: usize,
}

impl Census<'_> {
    fn run(&self, input: Box<dyn Read + Send>, place: &mut RowOutput, done: Done) -> Result<u8, Failure> {
        let (limits, done) = (&self.watch.limits, &done);
        let last = done.keys().next_back().copied().unwrap_or(0);
        let bar = std::io::stderr().is_terminal().then(|| {
            let style =
                ProgressStyle::with_template("{spinner} census  {elapsed}  boards: {human_pos}, {per_sec}").expect("the template is right");
            ProgressBar::new_spinner().with_style(style)
        });
        // Is there a line whose row a limit prevented?
        let stopped = AtomicBool::new(false);
        let lines = (1..).zip(ListLines::new(input)).take_while(|(number, _)| *number <= self.range.most);
        let row = |(number, line): (u64, std::io::Result<String>)| match line {
            Err(error) => Err(input::cannot_read("the list of boards", &error)),
            Ok(_) if number < self.range.least => Ok(None),
            Ok(line) if number <= last => same_board(number, line.trim(), done).map(|()| None),
            Ok(line) => {
                let row = self.job.row(number, line.trim(), limits);
                if matches!(row, Ok(None)) && is_board(line.trim()) && limits.check().is_err() {
                    // Stopped half-way.
                    stopped.store(true, Ordering::Relaxed);
                }
                row
            }
        };
        let (mut next, mut rows, mut result, mut quiet) = (1, 0, Ok(SOLVED), false);
        let ended = parallel::in_order(lines, self.threads, limits, row, |row| {
            next += 1;
            let written = row.and_then(|row| match row {
                Some(row) if result.is_ok() && limits.check().is_ok() => {
                    rows += 1;
                    match place.write(&row, 1) {
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
        });
        if limits.check().is_err() && result.is_ok() && (!ended || stopped.load(Ordering::Relaxed)) {
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
        if result.is_ok() && limits.check().is_ok() && self.range.least > 1 && next <= self.range.least {
            let message = format!("the list has no line {}: it ends with line {}", self.range.least, next - 1);
            return Err(Failure::input(message, "lines count from 1"));
        }
        if matches!(result, Ok(SOLVED)) {
            place.close(next - self.range.least).map_err(|error| cannot_write(&error))?;
        }
        let seconds = self.watch.seconds();
        let (boards, threads) = (count(rows, "board"), count(self.threads as u64, "thread"));
        output::note(&format!("{boards} in {} on {threads}", duration(seconds)));
        if matches!(result, Ok(TIME_LIMIT)) {
            output::note("stopped before the end; with `-o FILE --resume` it goes on from there");
        }
        result
    }
}

impl CensusJob<'_> {
    /// One row, or nothing for a line without a board. A row that was stopped half-way is not written.
    fn row(&self, number: u64, line: &str, limits: &Limits) -> Result<Option<String>, Failure> {
        Ok(self.fields(number, line, limits)?.map(|fields| self.head.row(self.format, &fields)))
    }

    /// The fields of a row.
    pub fn fields(&self, number: u64, line: &str, limits: &Limits) -> Result<Option<Vec<String>>, Failure> {
        if !is_board(line) {
            return Ok(None);
        }
        let row = match (self.survey.row)(&Input::new(line, self.options, limits)) {
            Ok(row) => row.filter(|_| limits.check().is_ok()),
            // Not enough memory for this board: a table without its row would not be complete.
            Err(ReadError::Stopped(limit)) if limits.check().is_ok() => {
                let stopped = Failure::stopped(limit);
                return Err(Failure { message: format!("line {number} of the list: {}", stopped.message), ..stopped });
            }
            Err(ReadError::Stopped(_)) => None,
            Err(ReadError::Text(error)) => {
                let error = kibitzer::notation::ParseError { line: number as usize, ..error };
                return Err(Failure::reading("the list of boards", &error.into()));
            }
            Err(error) => return Err(Failure::reading("the census", &error)),
        };
        Ok(row.map(|row| [number.to_string(), line.to_owned()].into_iter().chain(row).collect()))
    }
}
