//! `kibitzer generate GAME`: a board, a board of a level, or a sheet of exercises.

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
  kibitzer generate GAME --level easy --seed 7                 easy, medium, hard or expert, by what is measured on the board
  kibitzer generate GAME --daily 2026-11-16                    the board of a day, the same for everybody
  kibitzer generate GAME --seed 7 --cost 6..9                  one board whose least cost is from 6 to 9
  kibitzer generate GAME --seed 7 --count 10 -o sheet.html     ten exercises, and sheet-answers.html
  kibitzer generate GAME --seed 7 --count 10 --expanded 20..60 --method astar -o sheet.md
  kibitzer generate GAME --seed 7 --count 10 --json            boards and answers as JSON

The same seed and options always give the same board, and the same sheet or board of a level in the same version of kibitzer.

A board of a level can be solved; where two play, the player to move wins under best play. --json also prints what was \
measured on it: docs/levels.md says how. Monday and Tuesday have easy daily boards, Wednesday and Thursday medium, Friday and \
Saturday hard ones, and Sunday one for experts.

A sheet has --count boards that can be solved, all different, the easiest first. -o names the sheet for students, as .html (to \
be printed), .md or .json; the answers go beside it, into a file whose name ends in `-answers`. Without -o both are printed as \
Markdown. Every exercise names the command that makes its board again, and every answer is checked as those of `solve` are.

RANGE is 6..9 (both included), 6.., ..9 or 6. --cost is about proved least costs. --expanded is about the states that \
--method expands: by default the method of `solve` or, where that is not a search but a solver of the game's own, A*. If too few \
boards are found there is no sheet, and the error says what was seen.")]
pub struct Args {
    /// The game; `kibitzer list` shows them
    game: String,
    /// Which board, or which sheet; a new one each time if left out
    #[arg(long)]
    seed: Option<u64>,
    /// What the board should be like; `kibitzer about GAME` lists the options
    #[arg(long = "option", short = 'O', value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Make a sheet with so many exercises, 1 to 1000
    #[arg(long, value_name = "N", group = "made", value_parser = clap::value_parser!(u16).range(1..=1000))]
    count: Option<u16>,
    /// Make a board of this level: easy, medium, hard or expert
    #[arg(long, value_name = "LEVEL", group = "made", value_parser = level_of, conflicts_with_all = ["options", "cost", "expanded", "method"])]
    level: Option<Level>,
    /// Make the board of a day, such as 2026-11-16
    #[arg(long, value_name = "DATE", group = "made", value_parser = date_of, conflicts_with_all = ["seed", "options", "cost", "expanded", "method"])]
    daily: Option<Date>,
    /// Only boards with such a least cost
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    cost: Option<Span>,
    /// Only boards on which the method expands so many states
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    expanded: Option<Span>,
    /// The method whose expanded states count
    #[arg(long, short, value_name = "METHOD[:HEURISTIC]")]
    method: Option<String>,
    /// Most boards to look at for a sheet or a range
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    tries: u64,
    /// The title of the sheet
    #[arg(long, value_name = "TEXT", requires = "count")]
    title: Option<String>,
    /// Print the sheet with its answers, or the board of a level with what was measured, as JSON
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
    if let Some(date) = args.daily {
        return write_leveled(&args, entry, date.level(), date.seed(entry.name), output.as_deref());
    }
    if let Some(level) = args.level {
        return write_leveled(&args, entry, level, seed, output.as_deref());
    }
    if args.count.is_some() {
        return write_sheet(args, entry, seed, output);
    }
    if args.cost.is_some() || args.expanded.is_some() {
        return write_fitting(&args, entry, seed, output.as_deref());
    }
    if args.method.is_some() {
        let help = "add a range with `--expanded`, or `--count`; `kibitzer solve` takes a method, too";
        return Err(Failure::input("`--method` says whose expanded states count, and none do here", help));
    }
    let options = input::read_options(&args.options, entry.generate_options.unwrap_or_default())?;
    let watch = args.effort.watch("generating");
    let failed = |error: ReadError| Failure::reading("the board", &error);
    let note_seed = || {
        if args.seed.is_none() {
            output::note(&format!("seed {seed}"));
        }
    };
    if output.as_deref().is_some_and(bitmap::is_named) {
        let board = (bitmap::of(entry)?.generate)(seed, &options, &watch.limits).map_err(failed)?;
        note_seed();
        bitmap::write(&board, output.as_deref())?;
        return Ok(SOLVED);
    }
    let board = (entry.generate)(seed, &options, &watch.limits).map_err(failed)?;
    note_seed();
    output::write(&board, output.as_deref())?;
    Ok(SOLVED)
}

/// One board that fits.
fn write_fitting(args: &Args, entry: &'static Entry, seed: u64, output: Option<&Path>) -> Result<u8, Failure> {
    if output.is_some_and(bitmap::is_named) {
        return Err(Failure::input("`--cost` and `--expanded` do not go with bitmaps", "write the board as text"));
    }
    let sheet = collect(args, entry, seed, 1)?;
    for exercise in &sheet.exercises {
        output::note(&format!("`{}` makes this board, too", sheet.command(exercise)));
        output::write(&exercise.position.instance, output)?;
    }
    Ok(SOLVED)
}

/// A board of a level.
fn write_leveled(args: &Args, entry: &'static Entry, level: Level, seed: u64, output: Option<&Path>) -> Result<u8, Failure> {
    if output.is_some_and(bitmap::is_named) {
        return Err(Failure::input("levels do not go with bitmaps", "write the board as text"));
    }
    let watch = args.effort.watch("generating");
    let short = |shortage: &Shortage| Failure::input(shortage.to_string(), "take another seed or level");
    let made = level::make(entry, level, seed, &watch.limits).map_err(|error| failed(error, &short))?;
    if args.json {
        let value = json!({
            "game": entry.name, "level": level.name(), "seed": seed, "instance": made.instance, "difficulty": made.difficulty.json(),
        });
        output::write(&format!("{value:#}\n"), None)?;
        return Ok(SOLVED);
    }
    if args.seed.is_none() {
        output::note(&format!("level {level}, seed {seed}"));
    }
    output::write(&made.instance, output)?;
    Ok(SOLVED)
}

/// The format of a sheet.
#[derive(Clone, Copy)]
enum Form {
    Markdown,
    Html,
    Json,
}

impl Form {
    fn write(self, sheet: &Sheet, answers: bool) -> String {
        match self {
            Form::Markdown => sheet.markdown(answers),
            Form::Html => sheet.html(answers),
            Form::Json => format!("{:#}\n", sheet.json(answers)),
        }
    }
}

fn write_sheet(args: Args, entry: &'static Entry, seed: u64, output: Option<PathBuf>) -> Result<u8, Failure> {
    let files = output.map(|path| sheet_files(&path)).transpose()?;
    let sheet = collect(&args, entry, seed, usize::from(args.count.unwrap_or(1)))?;
    if args.seed.is_none() {
        output::note(&format!("seed {seed}"));
    }
    match files {
        Some((form, exercises, answers)) => {
            // The answers come first, so that there is never a sheet without them.
            output::write(&form.write(&sheet, true), Some(&answers))?;
            output::write(&form.write(&sheet, false), Some(&exercises))?;
        }
        None if args.json => output::write(&Form::Json.write(&sheet, true), None)?,
        None => output::write(&format!("{}\n{}", sheet.markdown(false), sheet.markdown(true)), None)?,
    }
    Ok(SOLVED)
}

/// The form of a sheet by its file's name, that file, and the one for the answers.
fn sheet_files(path: &Path) -> Result<(Form, PathBuf, PathBuf), Failure> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
    let form = match ending.to_lowercase().as_str() {
        "md" | "markdown" => Form::Markdown,
        "html" | "htm" => Form::Html,
        "json" => Form::Json,
        _ => {
            let message = format!("{} does not say how the sheet is to be written", path.display());
            return Err(Failure::input(message, "name a file that ends in .html, .md or .json"));
        }
    };
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let answers = output::target(Some(path.with_file_name(format!("{stem}-answers.{ending}"))), None)?;
    let answers = answers.ok_or_else(|| Failure::internal("the file for the answers has no name"))?;
    Ok((form, path.to_owned(), answers))
}

fn collect(args: &Args, entry: &'static Entry, seed: u64, count: usize) -> Result<Sheet, Failure> {
    // Refuses wrong options before anything else.
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
    let mut progress = |found: usize, tried: u64| watch.say(&format!("generating: {found} of {count} found, {tried} boards tried"));
    sheet::collect(request, &watch.limits, &mut progress).map_err(|error| failed(error, &|shortage| short(args, shortage)))
}

/// Why there are no boards. `short` says what to do if too few were found.
fn failed(error: SheetError, short: &dyn Fn(&Shortage) -> Failure) -> Failure {
    match error {
        SheetError::Read(ReadError::Option(fault)) | SheetError::Request(fault) => fault.into(),
        SheetError::Read(error) => Failure::reading("a board", &error),
        SheetError::Solve(error) => error.into(),
        SheetError::Short(shortage) => short(&shortage),
    }
}

/// The error if too few boards were found, with its remedies.
fn short(args: &Args, shortage: &Shortage) -> Failure {
    let mut remedies = Vec::new();
    if shortage.found > 0 && args.count.is_some() {
        remedies.push(format!("take those found with `--count {}`", shortage.found));
    }
    for (name, wanted, seen) in [("--cost", args.cost, shortage.costs), ("--expanded", args.expanded, shortage.expanded)] {
        if let (Some(_), Some(seen)) = (wanted, seen) {
            remedies.push(match name == "--expanded" && shortage.cut {
                true => format!("raise the upper end of `{name}`"),
                false => format!("widen `{name}` towards {seen}"),
            });
        }
    }
    remedies.push("make other boards with `--option`".to_owned());
    remedies.push(match shortage.limit {
        None => "allow more with `--tries`".to_owned(),
        Some(limit) => Failure::stopped(limit).help,
    });
    let failure = Failure::input(shortage.to_string(), remedies.join(", or "));
    match shortage.limit {
        Some(limit) => Failure { code: limit_code(limit), limit: Some(limit), ..failure },
        None => failure,
    }
}
