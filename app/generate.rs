//! `kibitzer generate GAME`: generates a board, a board at a given level, or a sheet of exercises.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use kibitzer::catalog::{Entry, Games};
use kibitzer::level::daily::{self, Date};
use kibitzer::level::{self, LEVELS, Level};
use kibitzer::notation::ReadError;
use kibitzer::sheet::{self, Request, Sheet, SheetError, Shortage, Span};
use serde_json::json;

use crate::effort::Effort;
use crate::failure::{Failure, SOLVED, limit_code};
use crate::{bitmap, input, output};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer generate GAME --seed 7
  kibitzer generate GAME | kibitzer solve GAME -
  kibitzer generate GAME --level easy --seed 7
  # The daily board for a date; it is the same on every machine
  kibitzer generate GAME --daily 2026-11-16
  # A board whose least cost is between 6 and 9
  kibitzer generate GAME --seed 7 --cost 6..9
  # Ten exercises, and their answers in sheet-answers.html
  kibitzer generate GAME --seed 7 --count 10 -o sheet.html
  kibitzer generate GAME --seed 7 --count 10 --expanded 20..60 --method astar
  # Ten boards with their answers, as JSON
  kibitzer generate GAME --seed 7 --count 10 --json

The same seed and options always produce the same board. Sheets and --level boards may change between versions of kibitzer.

Boards with a level are solvable; in two-player games, the player to move wins with best play. --json adds the measured difficulty, which
docs/levels.md explains. The level of daily boards is easy on Monday and Tuesday, medium on Wednesday and Thursday, hard on Friday and
Saturday, and expert on Sunday.

A sheet contains --count different solvable boards, the easiest first. -o names the file for the students' sheet: .html (for printing),
.md or .json. The answers are written to a second file whose name ends in `-answers`. Without -o, both are printed as Markdown. Every
exercise shows the command that generates its board, and every answer is checked.

RANGE is written as 6..9 (both ends included), 6.., ..9 or 6. --cost applies to proven least costs, and --expanded to the number of
states that --method expands. The default method is the one that `solve` uses, or A* if that method is not a search. If too few boards
are found, no sheet is written, and the error message describes the boards that were found.")]
pub struct Args {
    /// The game; see `kibitzer list`
    game: String,
    /// Seed of the board or sheet [default: a new one each time]
    #[arg(long)]
    seed: Option<u64>,
    /// Set an option of the generator; `kibitzer about GAME` lists the options
    #[arg(long = "option", short = 'O', value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Generate a sheet of N exercises, from 1 to 1000
    #[arg(long, value_name = "N", group = "made", value_parser = clap::value_parser!(u16).range(1..=1000))]
    count: Option<u16>,
    /// Generate a board at this level: easy, medium, hard or expert
    #[arg(long, value_name = "LEVEL", group = "made", value_parser = level_of, conflicts_with_all = ["options", "cost", "expanded", "method"])]
    level: Option<Level>,
    /// Generate the daily board for a date, such as 2026-11-16
    #[arg(long, value_name = "DATE", group = "made", value_parser = date_of, conflicts_with_all = ["seed", "options", "cost", "expanded", "method"])]
    daily: Option<Date>,
    /// Generate only boards whose least cost is in RANGE
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    cost: Option<Span>,
    /// Generate only boards on which the method expands a number of states in RANGE
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    expanded: Option<Span>,
    /// Method for --expanded
    #[arg(long, short, value_name = "METHOD[:HEURISTIC]")]
    method: Option<String>,
    /// Maximum number of boards to try with --count, --cost or --expanded
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    tries: u64,
    /// Title of the sheet
    #[arg(long, value_name = "TEXT", requires = "count")]
    title: Option<String>,
    /// Print JSON: a sheet with its answers, or a level's board with its measured difficulty
    #[arg(long, requires = "made", conflicts_with = "output")]
    json: bool,
    /// Write to a file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    effort: Effort,
}

fn level_of(text: &str) -> Result<Level, String> {
    text.parse().map_err(|error| format!("{error}; the levels are {}", LEVELS.map(Level::name).join(", ")))
}

fn date_of(text: &str) -> Result<Date, String> {
    text.parse().map_err(|error| format!("{error}; {}", daily::HELP))
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    let output = output::target(args.output.clone(), None)?;
    let entry = input::find_game(games, &args.game)?;
    let seed = args.seed.unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        now.as_nanos() as u64 % 1_000_000_007
    });
    let file = output.as_deref();
    let bitmap = file.is_some_and(bitmap::is_named);
    let fits = args.cost.is_some() || args.expanded.is_some();
    if bitmap && (args.daily.is_some() || args.level.is_some() || args.count.is_none() && fits) {
        let help = "write the board as text, or omit the option";
        return Err(Failure::input("levels, `--cost` and `--expanded` cannot be combined with bitmaps", help));
    }
    if let Some(date) = args.daily {
        return write_leveled(&args, entry, date.level(), date.seed(entry.name), file);
    }
    if let Some(level) = args.level {
        return write_leveled(&args, entry, level, seed, file);
    }
    if let Some(count) = args.count {
        return write_sheet(&args, entry, seed, count, file);
    }
    if fits {
        let sheet = collect(&args, entry, seed, 1)?;
        for exercise in &sheet.exercises {
            output::note(&format!("`{}` also generates this board", sheet.command(exercise)));
            output::write(&exercise.position.instance, file)?;
        }
        return Ok(SOLVED);
    }
    if args.method.is_some() {
        return Err(Failure::input("`--method` needs `--expanded` or `--count`", "add one of them, or omit `--method`"));
    }
    let options = input::read_options(&args.options, entry.generate_options.unwrap_or_default())?;
    let watch = args.effort.watch("generating");
    let failed = |error: ReadError| Failure::reading("the board", &error);
    if bitmap {
        let board = (bitmap::of(entry)?.generate)(seed, &options, &watch.limits).map_err(failed)?;
        note_seed(&args, seed);
        return bitmap::write(&board, file);
    }
    let board = (entry.generate)(seed, &options, &watch.limits).map_err(failed)?;
    note_seed(&args, seed);
    output::write(&board, file)
}

fn note_seed(args: &Args, seed: u64) {
    if args.seed.is_none() {
        output::note(&format!("seed {seed}"));
    }
}

fn write_leveled(args: &Args, entry: &'static Entry, level: Level, seed: u64, output: Option<&Path>) -> Result<u8, Failure> {
    let watch = args.effort.watch("generating");
    let short = |shortage: &Shortage| Failure::input(shortage.to_string(), "use another seed or level");
    let made = level::make(entry, level, seed, &watch.limits).map_err(|error| failed(error, &short))?;
    if args.json {
        let value = json!({
            "game": entry.name, "level": level.name(), "seed": seed, "instance": made.instance, "difficulty": made.difficulty.json(),
        });
        return output::write(&format!("{value:#}\n"), None);
    }
    if args.seed.is_none() {
        output::note(&format!("level {level}, seed {seed}"));
    }
    output::write(&made.instance, output)
}

/// A function that formats the exercises of a sheet or, with `true`, its answers.
type Form = fn(&Sheet, bool) -> String;

fn json_form(sheet: &Sheet, answers: bool) -> String {
    format!("{:#}\n", sheet.json(answers))
}

fn write_sheet(args: &Args, entry: &'static Entry, seed: u64, count: u16, output: Option<&Path>) -> Result<u8, Failure> {
    let files = output.map(sheet_files).transpose()?;
    let sheet = collect(args, entry, seed, usize::from(count))?;
    note_seed(args, seed);
    match files {
        Some((form, exercises, answers)) => {
            // The answers are written first, so that there is never a sheet without its answers.
            output::write(&form(&sheet, true), Some(&answers))?;
            output::write(&form(&sheet, false), Some(&exercises))
        }
        None if args.json => output::write(&json_form(&sheet, true), None),
        None => output::write(&format!("{}\n{}", sheet.markdown(false), sheet.markdown(true)), None),
    }
}

/// Returns the sheet's format (from its file extension), its file, and the file for the answers.
fn sheet_files(path: &Path) -> Result<(Form, PathBuf, PathBuf), Failure> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
    let form: Form = match ending.to_lowercase().as_str() {
        "md" | "markdown" => Sheet::markdown,
        "html" | "htm" => Sheet::html,
        "json" => json_form,
        _ => {
            let message = format!("cannot write a sheet to {}: unknown file extension", path.display());
            return Err(Failure::input(message, "choose a file that ends in .html, .md or .json"));
        }
    };
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let answers = output::target(Some(path.with_file_name(format!("{stem}-answers.{ending}"))), None)?;
    let answers = answers.ok_or_else(|| Failure::internal("the file for the answers has no name"))?;
    Ok((form, path.to_owned(), answers))
}

fn collect(args: &Args, entry: &'static Entry, seed: u64, count: usize) -> Result<Sheet, Failure> {
    // Reports wrong options before any board is generated.
    input::read_options(&args.options, entry.generate_options.unwrap_or_default())?;
    let request = Request {
        entry,
        options: args.options.clone(),
        seed,
        count,
        cost: args.cost,
        expanded: args.expanded,
        method: args.method.clone(),
        tries: args.tries,
        title: args.title.clone(),
    };
    let watch = args.effort.watch("generating");
    let mut progress = |found: usize, tried: u64| {
        watch.say(&format!("generating: {found} of {count} found, {} tried", kibitzer::report::count(tried, "board")));
    };
    sheet::collect(request, &watch.limits, &mut progress).map_err(|error| failed(error, &|shortage| short(args, shortage)))
}

/// The error for boards that could not be generated. `short` builds the error for too few boards.
fn failed(error: SheetError, short: &dyn Fn(&Shortage) -> Failure) -> Failure {
    match error {
        SheetError::Read(ReadError::Option(fault)) | SheetError::Request(fault) => fault.into(),
        SheetError::Read(error) => Failure::reading("a board", &error),
        SheetError::Solve(error) => error.into(),
        SheetError::Short(shortage) => short(&shortage),
    }
}

/// The error for too few boards, with possible remedies.
fn short(args: &Args, shortage: &Shortage) -> Failure {
    let mut remedies = Vec::new();
    if shortage.found > 0 && args.count.is_some() {
        remedies.push(format!("use `--count {}`", shortage.found));
    }
    for (name, wanted, seen) in [("--cost", args.cost, shortage.costs), ("--expanded", args.expanded, shortage.expanded)] {
        if let (Some(_), Some(seen)) = (wanted, seen) {
            remedies.push(match name == "--expanded" && shortage.cut {
                true => format!("raise the upper end of `{name}`"),
                false => format!("widen `{name}` toward {seen}"),
            });
        }
    }
    remedies.push("change the boards with `--option`".to_owned());
    remedies.push(match shortage.limit {
        None => "raise `--tries`".to_owned(),
        Some(limit) => Failure::stopped(limit).help,
    });
    let failure = Failure::input(shortage.to_string(), remedies.join(", or "));
    match shortage.limit {
        Some(limit) => Failure { code: limit_code(limit), limit: Some(limit), ..failure },
        None => failure,
    }
}
