//! `kibitzer census GAME`: solves many boards on all cores. A game may define its own table. With `--method`, and for one-player games
//! without their own table, the rows are the results of a method (`solving`). Rows are in the order of the input lines, regardless of the
//! number of threads. An interrupted census can be resumed after its last complete row.

pub mod solving;
mod spread;

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use clap::ArgMatches;
use clap::parser::ValueSource;
use crc32fast::Hasher;
use kibitzer::catalog::{Games, Survey};
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Input, OptionSpec, Options, ReadError, shorten};
use kibitzer::report::{count, duration};
use kibitzer::sheet::Span;

use self::solving::{Solving, Totals};
use crate::cache::CacheArgs;
use crate::cluster::ClusterArgs;
use crate::effort::{Budget, Watch, spinner};
use crate::failure::{Failure, SOLVED, limit_code};
use crate::lines::{self, ListLines, is_board};
use crate::table::{ListCounts, RowFormat, TableHead, TextTable, closing};
use crate::{help, input, output, parallel};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  # graph6 lines, as geng prints them
  geng -c 7 | kibitzer census GAME
  # One-player games: solve one board per line by a method, with totals
  kibitzer census GAME boards.list --method astar -o table.csv
  # Resume the census after its last complete row
  kibitzer census GAME boards.list --method astar -o table.csv --resume
  # Build the tables of the heuristic once for all boards
  kibitzer census GAME boards.list --method astar:pattern --cache DIR")]
pub struct Args {
    /// The game; see `kibitzer list`
    game: String,
    /// File with one board or graph per line [default: standard input]
    file: Option<String>,
    /// One-player games: solve every board by this method, and write the cost and the numbers of states [default: the game's own table,
    /// or the best method if it has none]
    #[arg(long, short, value_name = "METHOD[:HEURISTIC]")]
    method: Option<String>,
    /// With the results of a method: set an option of the game for all boards
    #[arg(long = "option", short = 'O', value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Use only these lines, such as 5 or 5..20
    #[arg(long, value_name = "LINES", value_parser = lines::span)]
    line: Option<Span>,
    /// Format of the rows [default: by the file extension, else csv]
    #[arg(long, value_enum)]
    format: Option<RowFormat>,
    /// Write to a file, row by row
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Resume after the last complete row of the output file
    #[arg(long, requires = "output")]
    resume: bool,
    /// Give up on a board after expanding N states
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    #[command(flatten)]
    budget: Budget,
    #[command(flatten)]
    cache: CacheArgs,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    cluster: ClusterArgs,
    /// The flags that games define, as `name=value` options.
    #[arg(skip)]
    flags: Vec<String>,
}

impl Args {
    /// Adds the flags that games define.
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
    let flags = args.flags.iter().map(String::as_str);
    let (rows, given) = match &entry.census {
        Some(survey) if args.method.is_none() => {
            if let Some(option) = args.options.first() {
                let help = "add `--method` to solve every board by a method, or omit `--option`";
                return Err(Failure::input(format!("the table of {} has no option `{}`", entry.name, shorten(option)), help));
            }
            let options = Options::parse(flags, &survey.options().collect::<Vec<_>>())?;
            let value = |spec: &OptionSpec| clean(options.get(spec.name).unwrap_or(spec.default));
            let given = survey.options().map(|spec| (spec.name.to_owned(), value(spec))).collect();
            (Rows::Survey(survey, options), given)
        }
        _ if entry.players != 1 => {
            return Err(Failure::input(format!("{} has two players, so no method finds plans", entry.name), "omit `--method`"));
        }
        _ => {
            Options::parse(flags, &[])?;
            let options = input::read_options(&args.options, entry.options)?;
            let mut given = vec![(solving::METHOD.to_owned(), clean(args.method.as_deref().unwrap_or_default()))];
            let values = entry.options.iter().filter_map(|spec| Some((spec.name.to_owned(), clean(options.get(spec.name)?))));
            given.extend(values);
            (Rows::Solving(Solving { entry, method: args.method.clone(), options }), given)
        }
    };
    let watch = args.budget.watch_nodes("census", args.nodes);
    let head = head(entry.name, rows.columns(), given, args.nodes, args.line);
    let format = RowFormat::of(args.format, args.output.as_deref());
    let job = CensusJob { rows, head, format };
    output::stream();
    if args.cluster.is_asked_for() { spread::run(&args, job, &watch) } else { job.run(&args, &watch) }
}

/// Removes from an option's value the characters that separate options in a header.
fn clean(value: &str) -> String {
    value.replace(['\n', '\r', ';'], " ")
}

/// The kind of a table, with everything that determines its rows.
pub enum Rows {
    /// The game's own table.
    Survey(&'static Survey, Options),
    /// The results of a method.
    Solving(Solving),
}

impl Rows {
    pub fn columns(&self) -> Vec<&'static str> {
        match self {
            Rows::Survey(survey, _) => ["line", "graph"].into_iter().chain(survey.columns().map(|(name, _)| name)).collect(),
            Rows::Solving(_) => solving::COLUMNS.iter().map(|(name, _)| *name).collect(),
        }
    }

    /// The fields of the row for an input line. `None` if the line has no board, or if a limit was reached.
    pub fn fields(&self, number: u64, line: &str, limits: &Limits) -> Result<Option<Vec<String>>, Failure> {
        match self {
            Rows::Survey(survey, options) => fields(survey, options, number, line, limits),
            Rows::Solving(solving) => solving.fields(number, line, limits),
        }
    }
}

/// The version of the table format, which changes whenever the columns or their meaning change.
pub const EDITION: u64 = 2;

/// The header of a table. A table can be resumed only if its header has not changed.
fn head(game: &str, columns: Vec<&str>, mut given: Vec<(String, String)>, nodes: Option<u64>, range: Option<Span>) -> TableHead {
    given.extend(nodes.map(|nodes| ("nodes".to_owned(), nodes.to_string())));
    given.extend(range.map(|range| ("line".to_owned(), range.to_string())));
    TableHead::new("census", EDITION, game, given, columns.into_iter())
}

/// The lines that already have a row, each with its board.
type Done = BTreeMap<u64, String>;

/// The destination of the rows: standard output, or a file with a header and a closing line.
struct RowOutput {
    file: Option<TableFile>,
    head: TableHead,
    format: RowFormat,
    /// The totals so far, if the table has any.
    totals: Option<Totals>,
}

struct TableFile {
    file: File,
    /// The length to which the file is cut, and the text to append after that (the header of a new table). The file is cut only when
    /// the first row is written, so a table that does not match the list stays unchanged.
    begin: Option<(u64, String)>,
    sum: Hasher,
    rows: u64,
}

impl RowOutput {
    fn write(&mut self, rows: &str, count: u64) -> std::io::Result<()> {
        if let Some(totals) = &mut self.totals {
            rows.lines().filter_map(|row| self.head.fields(self.format, row)).for_each(|fields| totals.add(&fields));
        }
        let Some(table) = &mut self.file else { return output::stream().write_all(rows.as_bytes()) };
        table.sum.update(rows.as_bytes());
        table.rows += count;
        table.put(rows)
    }

    /// Writes the totals, if there are any, and the closing line of a complete table that was made from `lines` lines.
    fn close(&mut self, lines: u64) -> std::io::Result<()> {
        let totals = self.totals.as_ref().map(|totals| totals.line(self.format)).unwrap_or_default();
        let Some(table) = &mut self.file else { return output::stream().write_all(totals.as_bytes()) };
        if !totals.is_empty() {
            table.sum.update(totals.as_bytes());
            table.put(&totals)?;
        }
        let counts = ListCounts { lines, skipped: lines - table.rows };
        table.put(&closing(self.format, table.rows, table.sum.clone().finalize(), Some(counts)))
    }
}

impl TableFile {
    fn put(&mut self, text: &str) -> std::io::Result<()> {
        output::hold(|| {
            if let Some((kept, lines)) = self.begin.take() {
                self.file.set_len(kept)?;
                self.file.seek(SeekFrom::End(0))?;
                self.file.write_all(lines.as_bytes())?;
            }
            self.file.write_all(text.as_bytes())
        })
    }
}

fn cannot_write(error: &std::io::Error) -> Failure {
    Failure::writing("the census", error)
}

/// Checks that a line contains the same board as its row in the table.
fn same_board(number: u64, line: &str, done: &Done) -> Result<(), Failure> {
    let says = match done.get(&number) {
        Some(board) if board != line => format!("has `{}`", shorten(board)),
        None if is_board(line) => "has no row for it".to_owned(),
        _ => return Ok(()),
    };
    Err(other_list(format!("line {number} of the list is `{}`, but the table {says}", shorten(line))))
}

fn other_list(message: String) -> Failure {
    Failure::input(message, "use the list that the table was made from, or choose another file")
}

/// The rows to compute, the header of their table, and their format.
struct CensusJob {
    rows: Rows,
    head: TableHead,
    format: RowFormat,
}

impl CensusJob {
    /// Opens the output, and returns it with its existing rows. An incomplete last row is cut off. The closing line of a complete table is
    /// also cut off, because the list may have grown.
    fn open(&self, args: &Args) -> Result<(RowOutput, Done), Failure> {
        let (head, format) = (&self.head, self.format);
        let Some(path) = output::target(args.output.clone(), args.file.as_deref())? else {
            output::write(&format.header(&head.columns), None)?;
            return Ok((self.output(None, &[]), Done::new()));
        };
        if path.exists() && !args.resume {
            let help = "add `--resume` to continue it, or choose another file";
            return Err(Failure::input(format!("{} already exists", path.display()), help));
        }
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = options.map_err(|error| cannot_write(&error))?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|error| input::cannot_read(&path.display().to_string(), &error))?;
        let (mut done, lines) = (Done::new(), head.lines(format));
        if lines.starts_with(&text) {
            // The file is new, or was cut off within the first lines.
            let mut sum = Hasher::new();
            sum.update(lines.as_bytes());
            return Ok((self.output(Some(TableFile { file, begin: Some((0, lines)), sum, rows: 0 }), &[]), done));
        }
        let refused = |why: String| Failure::input(format!("{}: {why}", path.display()), "choose another file");
        let table = TextTable::read(&text).map_err(refused)?;
        if table.head.made() != head.made() {
            return Err(refused(format!("it was made by `{}`, not by `{}`", table.head.made(), head.made())));
        } else if table.head != *head {
            return Err(refused("its columns differ from those of this census".to_owned()));
        } else if table.format != format {
            return Err(refused("its rows are not in the requested format".to_owned()));
        }
        for (at, fields) in &table.rows {
            let number: u64 = fields[0].parse().map_err(|_| refused(format!("line {at} is not a census row")))?;
            if done.last_key_value().is_some_and(|(&last, _)| last >= number) {
                return Err(refused(format!("line {at} is out of order")));
            }
            done.insert(number, fields[1].clone());
        }
        let begin = Some((table.whole as u64, String::new()));
        let file = TableFile { file, begin, sum: table.sum, rows: table.rows.len() as u64 };
        Ok((self.output(Some(file), &table.rows), done))
    }

    /// The output of a table that already has these rows.
    fn output(&self, file: Option<TableFile>, rows: &[(usize, Vec<String>)]) -> RowOutput {
        let totals = matches!(self.rows, Rows::Solving(_)).then(|| {
            let mut totals = Totals::default();
            rows.iter().for_each(|(_, fields)| totals.add(fields));
            totals
        });
        RowOutput { file, head: self.head.clone(), format: self.format, totals }
    }

    /// The row for an input line. `None` if the line has no board, or if a limit was reached.
    fn row(&self, number: u64, line: &str, limits: &Limits) -> Result<Option<String>, Failure> {
        Ok(self.rows.fields(number, line, limits)?.map(|fields| self.head.row(self.format, &fields)))
    }

    /// Runs the census on the threads of this process.
    fn run(&self, args: &Args, watch: &Watch) -> Result<u8, Failure> {
        let (_, input) = input::source(args.file.as_deref().unwrap_or("-"))?;
        let limits = args.cache.limits(&watch.limits)?;
        let (mut place, done) = self.open(args)?;
        let threads = args.threads.map_or_else(parallel::threads, usize::from);
        // A method solves as many boards at the same time as there are threads, and each thread may use its share of the memory.
        let share = if matches!(self.rows, Rows::Solving(_)) { threads } else { 1 };
        let each = Limits { bytes: limits.bytes / share, ..limits };
        let (limits, range) = (&each, args.line.unwrap_or(lines::ALL));
        let last = done.keys().next_back().copied().unwrap_or(0);
        let bar = std::io::stderr().is_terminal().then(|| spinner("census  {elapsed}  boards: {human_pos}, {per_sec}"));
        let lines = (1..).zip(ListLines::new(input)).take_while(|(number, _)| *number <= range.most);
        // Computes the row for an input line. `Err(None)` means that a limit was reached.
        let row = |(number, line): (u64, std::io::Result<String>)| {
            let line = line.map_err(|error| Some(input::cannot_read("the list of boards", &error)))?;
            let line = line.trim();
            if number < range.least {
                return Ok(None);
            }
            if number <= last {
                return same_board(number, line, &done).map(|()| None).map_err(Some);
            }
            match self.row(number, line, limits) {
                Ok(None) if is_board(line) && limits.check().is_err() => Err(None),
                row => row.map_err(Some),
            }
        };
        let (mut next, mut rows, mut result) = (1, 0, Ok(SOLVED));
        let stopped = || limits.check().map_or_else(limit_code, |()| SOLVED);
        let ended = parallel::in_order(lines, threads, limits, row, |row: Result<Option<String>, Option<Failure>>| {
            next += 1;
            if !matches!(result, Ok(SOLVED)) {
                return;
            }
            result = match row {
                Ok(None) => Ok(SOLVED),
                Ok(Some(row)) if limits.check().is_ok() => {
                    rows += 1;
                    place.write(&row, 1).map(|()| SOLVED)
                }
                Ok(Some(_)) | Err(None) => Ok(stopped()),
                Err(Some(failure)) => Err(std::io::Error::other(failure)),
            };
            if result.is_err() {
                limits.cancel.stop(Limit::Time);
            } else if next == last + 1 && last > 0 {
                // All boards in the table have now been compared with the list.
                output::note(&format!("resuming after line {last}"));
            }
            if let Some(bar) = &bar {
                bar.inc(1);
            }
        });
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        let result = match result {
            // The reader closed the pipe, as `head` does.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(SOLVED),
            Err(error) => Err(cannot_write(&error)),
            Ok(SOLVED) if !ended => Ok(stopped()),
            Ok(code) => Ok(code),
        };
        if matches!(result, Ok(SOLVED)) {
            let list_end = next - 1;
            if limits.check().is_ok() && list_end < last {
                return Err(other_list(format!("the table has rows up to line {last}, but the list of boards ends with line {list_end}")));
            }
            if limits.check().is_ok() && range.least > 1 && list_end < range.least {
                let message = format!("the list ends with line {list_end}, so there is no line {}", range.least);
                return Err(Failure::input(message, "lines are numbered from 1"));
            }
            place.close(next - range.least).map_err(|error| cannot_write(&error))?;
        }
        let code = result?;
        let (boards, threads) = (count(rows, "board"), count(threads as u64, "thread"));
        output::note(&format!("{boards} in {} on {threads}", duration(watch.seconds())));
        if let Some(totals) = &place.totals {
            output::note(&totals.sentence());
        }
        if code != SOLVED {
            output::note(STOPPED);
        }
        Ok(code)
    }
}

/// The fields of a row of a game's own table.
fn fields(survey: &Survey, options: &Options, number: u64, line: &str, limits: &Limits) -> Result<Option<Vec<String>>, Failure> {
    if !is_board(line) {
        return Ok(None);
    }
    let row = match (survey.row)(&Input::new(line, options, limits)) {
        Ok(row) => row.filter(|_| limits.check().is_ok()),
        Err(error) => return unreadable(number, error, limits),
    };
    Ok(row.map(|row| [number.to_string(), line.to_owned()].into_iter().chain(row).collect()))
}

/// Returns the error for a line that cannot be read, or no row if the work was canceled.
fn unreadable(number: u64, error: ReadError, limits: &Limits) -> Result<Option<Vec<String>>, Failure> {
    match error {
        // There is not enough memory for this board, and the table would be incomplete without its row.
        ReadError::Stopped(limit) if limits.check().is_ok() => {
            let stopped = Failure::stopped(limit);
            Err(Failure { message: format!("line {number} of the list: {}", stopped.message), ..stopped })
        }
        ReadError::Stopped(_) => Ok(None),
        ReadError::Text(error) => {
            let error = kibitzer::notation::ParseError { line: number as usize, ..error };
            Err(Failure::reading("the list of boards", &error.into()))
        }
        error => Err(Failure::reading("the census", &error)),
    }
}

const STOPPED: &str = "stopped early; resume with `-o FILE --resume`";
