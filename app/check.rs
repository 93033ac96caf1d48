//! `kibitzer check GAME FILE ANSWER...` and `kibitzer check TABLE`: answers and tables from anywhere, checked. One answer is reported in a sentence, several in a
//! table with a row for each. What they share, the board, the least cost, an induction over all positions, is done once.

mod answers;
mod grade;
mod tables;

use std::borrow::Cow;
use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};

use answers::{Answer, Answers};
use grade::{Grade, Graded, Least, Row};
use kibitzer::bits::bitmap::Bitmap;
use kibitzer::catalog::{CertificateError, Checked, Checker, Choice, Duel, Entry, Games, Puzzle, is_certificate};
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::Options;
use kibitzer::report::{Claim, Report};
use serde_json::Value;

use crate::effort::{Budget, Effort, Watch};
use crate::failure::{Failure, SPACE_LIMIT, limit_code};
use crate::input::{self, Board};
use crate::{bitmap, output};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer solve GAME FILE --json -o answer.json
  kibitzer check GAME FILE answer.json
  kibitzer check GAME FILE plan.txt        a plan as text, one move per line
  kibitzer check GAME FILE game.strategy   a strategy, as `solve --certificate` writes it
  kibitzer check GAME FILE students/ --least --csv > grades.csv
  kibitzer check table.csv --sample 100    rows of a census, recomputed

A plan is replayed by the rules, a certificate is checked by its own checker, and claims about all plans (none exists,
none is cheaper) are confirmed by a plain search over at most --states states. No solver's code is used for that. A right
plan is compared with the least cost besides, which the game's best method finds within the same number of states and the
rest of --time, or 10 seconds; --least makes that a part of the check.

Several answers, or a folder of them, give a table with one row for each; the columns are answer, result (right, wrong,
unreadable, undecided), claimed (the cost that the answer states), cost (what its plan costs), least, least_by (the method
that proved it, or check), text, undecided. Folders in a folder and hidden files are skipped.

A table that `census` or `kernel` wrote is given alone. Its checksum is compared, if it is complete, and its rows are
recomputed: all of them, or --sample N of them, chosen by --seed.

Exit code 0: everything that is claimed is confirmed. 1: an answer is wrong. 2: none is wrong, but one cannot be read. 20 or
21: a claim could not be decided within the limits. `kibitzer about GAME` lists what an answer can claim.")]
pub struct Args {
    /// The game; `kibitzer list` shows them. Or a table, alone
    game: String,
    /// The board: a file, `-` for standard input, a board's name, or a short board itself
    file: Option<String>,
    /// The answers: JSON as `solve --json` prints it, or a plan as text; `-` for standard input, a folder for all files in it
    #[arg(value_name = "ANSWER")]
    answers: Vec<OsString>,
    /// Of a table, check only so many rows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Which rows a sample has
    #[arg(long, value_name = "N", default_value_t = 0, requires = "sample")]
    seed: u64,
    /// Count a plan that is not of least cost as wrong
    #[arg(long)]
    least: bool,
    /// Most states that the plain search may look at, and that the search for the least cost may expand
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    states: u64,
    #[command(flatten)]
    budget: Budget,
    /// A graph, as given to `solve`
    #[arg(long, value_name = "GRAPH")]
    graph: Option<String>,
    /// A line of a file, as given to `solve`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    line: Option<u64>,
    /// A variant of the game, as given to `solve`
    #[arg(long = "option", short = 'O', value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Where play starts, as given to `solve`
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// Print JSON: one object, or for several answers a list of them
    #[arg(long)]
    json: bool,
    /// Print comma-separated values: a header and one row per answer
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// Seconds for the search for the least cost, unless a time is set for all.
const LEAST_TIME: f64 = 10.0;

/// The request and the results so far, shared with the main thread, which prints them if the work is late.
struct Job {
    names: Vec<String>,
    many: bool,
    least: bool,
    json: bool,
    csv: bool,
    graded: Mutex<Vec<Graded>>,
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    let Some(file) = args.file else {
        if games.find(&args.game).is_some() || !std::path::Path::new(&args.game).exists() {
            input::find_game(games, &args.game)?;
            return Err(Failure::input("there is no board and no answer to check", "see `kibitzer check --help`"));
        }
        if !tables::is_table(&args.game) {
            let message = format!("{} is no table of kibitzer", args.game);
            return Err(Failure::input(message, "give a table that `census` or `kernel` wrote, or GAME FILE ANSWER"));
        }
        let watch = args.budget.watch("checking");
        return tables::run(games, &args.game, args.sample, args.seed, args.json, &watch);
    };
    if args.answers.is_empty() {
        return Err(Failure::input("there is no answer to check", "give it after the board; see `kibitzer check --help`"));
    }
    if args.sample.is_some() {
        return Err(Failure::input("`--sample` is for tables", "leave it out"));
    }
    let Answers { list, many } = answers::find(&args.answers, &file)?;
    let names = list.iter().map(|answer| answer.name.clone()).collect();
    let job = Arc::new(Job { names, many, least: args.least, json: args.json, csv: args.csv, graded: Mutex::default() });
    let give_up = {
        let job = Arc::clone(&job);
        move |limit| job.give_up(limit)
    };
    let effort = Effort { budget: args.budget, nodes: Some(args.states) };
    let board =
        Board { game: args.game, file: Some(file), graph: args.graph, line: args.line, options: args.options, position: args.position };
    let watch = effort.watch_or("checking", give_up.clone());
    let asked = match job.check(games, &list, &board, &watch) {
        // The board was not read within the limits: then no answer is decided.
        Err(Failure { limit: Some(limit), .. }) => return job.give_up(limit),
        checked => checked?,
    };
    let code = undecided(&watch.limits);
    let report = match asked {
        None => None,
        Some(puzzle) => {
            let time = effort.budget.time.map_or(LEAST_TIME, |whole| (whole - watch.seconds()).max(0.0));
            let watch = effort.with_time(time).watch_or("least cost", give_up);
            Some(puzzle.solve(&Choice::default(), &watch.limits)?)
        }
    };
    job.finish(report.as_ref(), code)
}

/// The exit code of what could not be decided within the limits.
fn undecided(limits: &Limits) -> u8 {
    limits.check().err().map_or(SPACE_LIMIT, limit_code)
}

/// Checks the answers to one board.
struct Desk<'a> {
    entry: &'static Entry,
    /// The board as an image and the options that go with it, if an answer is an image.
    image: Option<Result<(Cow<'a, Bitmap>, Options), Failure>>,
    /// None if the board is too large for answers that are texts.
    checker: Option<Box<dyn Checker + 'a>>,
    duel: Option<&'a dyn Duel>,
    limits: &'a Limits,
}

/// The claim of an answer, and the result of its check or the fault found.
type Judged = (Option<Claim>, Result<Checked, String>);

impl Desk<'_> {
    /// A failure says that the answer cannot be read.
    fn check(&mut self, answer: &Answer, is_bitmap: bool) -> Result<Judged, Failure> {
        if let (true, Some(image), Some(path)) = (is_bitmap, &self.image, &answer.path) {
            let (board, options) = image.as_ref().map_err(Clone::clone)?;
            return Ok((None, bitmap::check(self.entry, board, path, options, self.limits)?));
        }
        let Some(checker) = &mut self.checker else {
            return Err(Failure::input("the board is too large for an answer as text", "give the moves as a bitmap"));
        };
        let text = match &answer.path {
            None => input::read_all(std::io::stdin(), "standard input", self.limits)?,
            Some(path) => input::read_all(input::open(path)?, &answer.name, self.limits)?,
        };
        if let (Some(duel), true) = (self.duel, is_certificate(&text)) {
            return certificate(duel, &text, self.limits).map(|checked| (None, checked));
        }
        let remedy = match self.entry.players {
            1 => "an answer is what `kibitzer solve --json` prints, or a plan with one move per line",
            _ => "an answer is what `kibitzer solve` prints, with or without `--json`",
        };
        let claim = self.entry.claim(&text).map_err(|message| Failure::input(message, remedy))?;
        let checked = checker.check(&claim, self.limits);
        Ok((Some(claim), checked))
    }
}

/// A failure says that the certificate cannot be read.
fn certificate(duel: &dyn Duel, text: &str, limits: &Limits) -> Result<Result<Checked, String>, Failure> {
    let checked = |text: String, undecided| Ok(Checked { text, undecided, cost: None, least: None });
    match duel.check(text, limits) {
        Ok(sentence) => Ok(checked(sentence, Vec::new())),
        Err(CertificateError::Wrong(fault)) => Ok(Err(fault)),
        Err(CertificateError::Stopped(limit)) => {
            Ok(checked(format!("the {} was reached before every reply was tried", limit.words()), vec!["strategy".to_owned()]))
        }
        Err(CertificateError::Unreadable(fault)) => Err(Failure::input(fault, "write it again with `kibitzer solve --certificate FILE`")),
    }
}

impl Job {
    /// Checks all answers. Gives the puzzle, if knowing its least cost would say more about one of them.
    fn check(&self, games: Games, list: &[Answer], board: &Board, watch: &Watch) -> Result<Option<Box<dyn Puzzle>>, Failure> {
        let limits = &watch.limits;
        let (entry, options, board) = board.load(games, limits)?;
        let is_bitmap = |answer: &Answer| {
            let path = answer.path.as_deref().filter(|path| entry.bitmaps().is_some() || bitmap::is_named(path));
            path.is_some_and(bitmap::is_file)
        };
        let bitmaps: Vec<bool> = list.iter().map(is_bitmap).collect();
        let image = bitmaps.contains(&true).then(|| board.to_bitmap(entry, &options, limits));
        // On a board too large for text, a text beside bitmaps is unreadable; without bitmaps the board itself is.
        let too_large = board.is_large_bitmap(entry) && (self.many || !bitmaps.contains(&false));
        let puzzle = match bitmaps.contains(&false) && !too_large {
            true => Some(board.to_puzzle(entry, &options, limits)?),
            false => None,
        };
        let mut desk = Desk {
            entry,
            image,
            checker: puzzle.as_deref().map(|puzzle| puzzle.checker()),
            duel: puzzle.as_deref().and_then(|puzzle| puzzle.duel()),
            limits,
        };
        for (at, (answer, is_bitmap)) in list.iter().zip(bitmaps).enumerate() {
            if self.many {
                watch.say(&format!("checking {} of {}", at + 1, list.len()));
            }
            let (claim, checked) = match desk.check(answer, is_bitmap) {
                Ok((claim, checked)) => (claim, Ok(checked)),
                Err(failure) => (None, Err(failure)),
            };
            self.graded().push(Graded { name: answer.name.clone(), claim, checked, code: undecided(limits) });
        }
        drop(desk);
        let wanted = entry.players == 1 && !too_large && limits.check().is_ok() && self.graded().iter().any(Graded::wants_least);
        Ok(if wanted { puzzle.or_else(|| board.to_puzzle(entry, &options, limits).ok()) } else { None })
    }

    fn graded(&self) -> std::sync::MutexGuard<'_, Vec<Graded>> {
        self.graded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints the results so far when work is late. Unchecked answers are undecided.
    fn give_up(&self, limit: Limit) -> Result<u8, Failure> {
        let result = {
            let mut graded = self.graded();
            let done = graded.len().min(self.names.len());
            graded.extend(self.names[done..].iter().map(|name| Graded {
                name: name.clone(),
                claim: None,
                checked: Err(limit.into()),
                code: limit_code(limit),
            }));
            self.result(&graded, &Least::new(&graded, None, limit_code(limit)))
        };
        self.print(result?)
    }

    /// Prints the result. `code` is the exit code where the least cost was asked for and is not known.
    fn finish(&self, report: Option<&Report>, code: u8) -> Result<u8, Failure> {
        let result = {
            let graded = self.graded();
            self.result(&graded, &Least::new(&graded, report, code))
        };
        self.print(result?)
    }

    /// Nothing is locked meanwhile: another thread may have the turn to print, and then this one waits forever.
    fn print(&self, result: Printed) -> Result<u8, Failure> {
        output::write(&result.text, None)?;
        result.note.iter().for_each(|note| output::note(note));
        Ok(result.code)
    }

    fn result(&self, graded: &[Graded], least: &Least) -> Result<Printed, Failure> {
        let rows = graded.iter().map(|graded| Row::new(graded, least, self.least)).collect::<Result<Vec<Row>, Failure>>()?;
        if !self.many
            && !self.csv
            && let ([graded], [row]) = (graded, rows.as_slice())
        {
            return self.one(graded, row);
        }
        let text = match (self.json, self.csv) {
            (true, _) => format!("{}\n", rows.iter().map(Row::json).collect::<Value>()),
            (_, true) => grade::csv(&rows),
            _ => grade::table(&rows),
        };
        Ok(Printed { text, note: Some(grade::summary(&rows)), code: grade::exit_code(&rows) })
    }

    /// One answer, in a sentence.
    fn one(&self, graded: &Graded, row: &Row) -> Result<Printed, Failure> {
        if let Err(failure) = &graded.checked {
            return Err(failure.clone());
        }
        let text = match row.grade {
            _ if self.json => format!("{}\n", row.json()),
            Grade::Right => format!("correct: {}\n", row.text),
            Grade::Wrong | Grade::Unreadable => return Err(Failure::wrong(format!("the answer is wrong: {}", row.text))),
            Grade::Undecided => {
                let fields: Vec<String> = row.undecided.iter().map(|name| format!("`{name}`")).collect();
                format!("not decided: {}; {}\n", fields.join(", "), row.text)
            }
        };
        Ok(Printed { text, note: None, code: row.code })
    }
}

/// The output and exit code of a command.
struct Printed {
    text: String,
    note: Option<String>,
    code: u8,
}
