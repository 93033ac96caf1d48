//! `kibitzer check GAME FILE ANSWER...` and `kibitzer check TABLE`. A single answer is reported in a sentence, and several answers in a
//! table with one row each. Work that several answers share, such as finding the least cost, is done once.

mod answers;
mod grade;
mod tables;

use std::borrow::Cow;
use std::ffi::OsString;
use std::sync::{Arc, Mutex, MutexGuard};

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
use crate::parallel::lock;
use crate::supervise::GRACE;
use crate::{bitmap, output};

#[derive(clap::Args)]
// `mut_arg` would move an argument after the others, and thereby change the order of the positional arguments.
#[command(mut_args(|arg| match arg.get_id().as_str() {
    "game" => arg.help("The game, or a table as the only argument"),
    "file" => arg.help("The board: a file, `-` for standard input, the name of a board, or the text of a short board"),
    _ => arg,
}))]
#[command(after_help = "\
Examples:
  kibitzer solve GAME FILE --json -o answer.json
  kibitzer check GAME FILE answer.json
  # A plan as text, one move per line
  kibitzer check GAME FILE plan.txt
  # A strategy, as `solve --certificate` writes it
  kibitzer check GAME FILE game.strategy
  kibitzer check GAME FILE students/ --least --csv > grades.csv
  # 100 rows of a census, recomputed
  kibitzer check table.csv --sample 100

Plans are replayed by the rules, and certificates have their own checker. Claims about all plans (that none exists, or that none is
cheaper) are confirmed by a plain search over at most --states states. None of this shares code with a solver. A correct plan is also
compared with the least cost, if the game's best method finds it within --states states and the remaining time. Without --time, the limit
is 10 seconds. With --least, a plan that costs more is wrong.

Several answers, or a folder, produce a table with one row per answer. The columns are answer, result (right, wrong, unreadable,
undecided), claimed (the cost that the answer states), cost (the actual cost of its plan), least, least_by (the method that proved it, or
check), text, undecided. Subfolders and hidden files are skipped.

To check a table that `census` or `kernel` wrote, pass it as the only argument. If the table is complete, its checksum is verified. By
default, all rows are recomputed. With --sample N, only N random rows are recomputed.

Exit code 0: everything claimed is confirmed. 1: an answer is wrong. 2: no answer is wrong, but one cannot be read. 20 or 21: a claim could
not be decided within the limits. `kibitzer about GAME` lists what an answer can claim.")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// Answers: files with the JSON of `solve --json` or a plan as text, `-` for standard input, or a folder
    #[arg(value_name = "ANSWER")]
    answers: Vec<OsString>,
    /// Check only N rows of a table
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Seed for choosing the sample
    #[arg(long, value_name = "N", default_value_t = 0, requires = "sample")]
    seed: u64,
    /// Treat a plan that does not have the least cost as wrong
    #[arg(long)]
    least: bool,
    /// Maximum number of states for the plain search, and for the search for the least cost
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    states: u64,
    #[command(flatten)]
    budget: Budget,
    /// Print JSON: one object, or a list for several answers
    #[arg(long)]
    json: bool,
    /// Print comma-separated values, one row per answer
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// Time limit for finding the least cost, in seconds, unless `--time` is given.
const LEAST_TIME: f64 = 10.0;

/// The request and the results so far. If the work overruns its time limit, another thread prints these results.
struct Job {
    names: Vec<String>,
    many: bool,
    least: bool,
    json: bool,
    csv: bool,
    graded: Mutex<Vec<Graded>>,
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    let Some(file) = &args.board.file else {
        let name = &args.board.game;
        if games.find(name).is_some() || !std::path::Path::new(name).exists() {
            input::find_game(games, name)?;
            return Err(Failure::input("no board and no answer given", "see `kibitzer check --help`"));
        }
        if !tables::is_table(name) {
            let message = format!("{name} is not a table that `check` can read");
            return Err(Failure::input(message, "give a table that `census` or `kernel` wrote, or GAME FILE ANSWER"));
        }
        return tables::run(games, name, args.sample, args.seed, args.json, &args.budget.watch("checking"));
    };
    if args.answers.is_empty() {
        return Err(Failure::input("there is no answer to check", "give the answer after the board; see `kibitzer check --help`"));
    }
    if args.sample.is_some() {
        return Err(Failure::input("`--sample` is only for tables", "omit `--sample`"));
    }
    let Answers { list, many } = answers::find(&args.answers, file)?;
    let names = list.iter().map(|answer| answer.name.clone()).collect();
    let job = Arc::new(Job { names, many, least: args.least, json: args.json, csv: args.csv, graded: Mutex::default() });
    let give_up = {
        let job = Arc::clone(&job);
        move |limit| job.give_up(limit)
    };
    let effort = Effort { budget: args.budget, nodes: Some(args.states) };
    let watch = effort.watch_or("checking", GRACE, give_up.clone());
    let asked = match job.check(games, &list, &args.board, &watch) {
        // The board was not read within the limits, so no answer is decided.
        Err(Failure { limit: Some(limit), .. }) => return job.give_up(limit),
        checked => checked?,
    };
    let code = undecided(&watch.limits);
    let report = match asked {
        None => None,
        Some(puzzle) => {
            let time = effort.budget.time.map_or(LEAST_TIME, |whole| (whole - watch.seconds()).max(0.0));
            let watch = effort.with_time(time).watch_or("least cost", GRACE, give_up);
            Some(puzzle.solve(&Choice::default(), &watch.limits)?)
        }
    };
    job.finish(lock(&job.graded), report.as_ref(), code)
}

/// The exit code if a claim could not be decided within the limits.
fn undecided(limits: &Limits) -> u8 {
    limits.check().err().map_or(SPACE_LIMIT, limit_code)
}

/// Checks the answers to one board.
struct Desk<'a> {
    entry: &'static Entry,
    /// The board as a bitmap, and its options. Set only if an answer is a bitmap.
    image: Option<Result<(Cow<'a, Bitmap>, Options), Failure>>,
    /// `None` if the board is too large for text answers.
    checker: Option<Box<dyn Checker + 'a>>,
    duel: Option<&'a dyn Duel>,
    limits: &'a Limits,
}

/// An answer's claim, and either the result of its check or a description of the fault.
type Judged = (Option<Claim>, Result<Checked, String>);

impl Desk<'_> {
    /// Checks an answer. Fails if the answer cannot be read.
    fn check(&mut self, answer: &Answer, is_bitmap: bool) -> Result<Judged, Failure> {
        if let (true, Some(image), Some(path)) = (is_bitmap, &self.image, &answer.path) {
            let (board, options) = image.as_ref().map_err(Clone::clone)?;
            return Ok((None, bitmap::check(self.entry, board, path, options, self.limits)?));
        }
        let Some(checker) = &mut self.checker else {
            return Err(Failure::input("the board is too large for text answers", "give the moves as a bitmap"));
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

/// Checks a certificate. Fails if the certificate cannot be read.
fn certificate(duel: &dyn Duel, text: &str, limits: &Limits) -> Result<Result<Checked, String>, Failure> {
    let checked = |text: String, undecided| Ok(Checked { text, undecided, cost: None, least: None });
    match duel.check(text, limits) {
        Ok(sentence) => Ok(checked(sentence, Vec::new())),
        Err(CertificateError::Wrong(fault)) => Ok(Err(fault)),
        Err(CertificateError::Stopped(limit)) => {
            Ok(checked(format!("{} before every reply was tried", limit.words()), vec!["strategy".to_owned()]))
        }
        Err(CertificateError::Unreadable(fault)) => {
            Err(Failure::input(fault, "recreate the strategy with `kibitzer solve --certificate FILE`"))
        }
    }
}

impl Job {
    /// Checks all answers. Returns the puzzle if its least cost would help to judge any of these answers.
    fn check(&self, games: Games, list: &[Answer], board: &Board, watch: &Watch) -> Result<Option<Box<dyn Puzzle>>, Failure> {
        let limits = &watch.limits;
        let (entry, options, board) = board.load(games, limits)?;
        let is_bitmap = |answer: &Answer| {
            let path = answer.path.as_deref().filter(|path| entry.bitmaps().is_some() || bitmap::is_named(path));
            path.is_some_and(bitmap::is_file)
        };
        let bitmaps: Vec<bool> = list.iter().map(is_bitmap).collect();
        let image = bitmaps.contains(&true).then(|| board.to_bitmap(entry, &options, limits));
        // If the board is too large for text answers, reading it fails if there is only one answer; otherwise, each text answer is reported
        // as unreadable.
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
            lock(&self.graded).push(Graded { name: answer.name.clone(), claim, checked, code: undecided(limits) });
        }
        drop(desk);
        let wanted = entry.players == 1 && !too_large && limits.check().is_ok() && lock(&self.graded).iter().any(Graded::wants_least);
        Ok(if wanted { puzzle.or_else(|| board.to_puzzle(entry, &options, limits).ok()) } else { None })
    }

    /// Prints the results so far if the work overruns its time limit. Unchecked answers are undecided.
    fn give_up(&self, limit: Limit) -> Result<u8, Failure> {
        let mut graded = lock(&self.graded);
        let code = limit_code(limit);
        let unchecked = |name: &String| Graded { name: name.clone(), claim: None, checked: Err(limit.into()), code };
        let done = graded.len().min(self.names.len());
        graded.extend(self.names[done..].iter().map(unchecked));
        self.finish(graded, None, code)
    }

    /// Prints the result. `code` is the exit code if `--least` is given and the least cost is not known.
    fn finish(&self, graded: MutexGuard<'_, Vec<Graded>>, report: Option<&Report>, code: u8) -> Result<u8, Failure> {
        let least = Least::new(&graded, report, code);
        let rows = graded.iter().map(|graded| Row::new(graded, &least, self.least)).collect::<Result<Vec<Row>, Failure>>()?;
        let single = match graded.as_slice() {
            [graded] if !self.many && !self.csv => Some(graded.checked.as_ref().err().cloned()),
            _ => None,
        };
        // The lock is released before printing, because this thread waits forever if another one has taken over printing.
        drop(graded);
        if let Some(unreadable) = single {
            let text = unreadable.map_or_else(|| self.sentence(&rows[0]), Err)?;
            output::write(&text, None)?;
            return Ok(rows[0].code);
        }
        let text = match (self.json, self.csv) {
            (true, _) => format!("{}\n", rows.iter().map(Row::json).collect::<Value>()),
            (_, true) => grade::csv(&rows),
            _ => grade::table(&rows),
        };
        output::write(&text, None)?;
        output::note(&grade::summary(&rows));
        Ok(grade::exit_code(&rows))
    }

    /// The result of a single answer.
    fn sentence(&self, row: &Row) -> Result<String, Failure> {
        Ok(match row.grade {
            _ if self.json => format!("{}\n", row.json()),
            Grade::Right => format!("correct: {}\n", row.text),
            Grade::Wrong | Grade::Unreadable => return Err(Failure::wrong(format!("the answer is wrong: {}", row.text))),
            Grade::Undecided => {
                let fields: Vec<String> = row.undecided.iter().map(|name| format!("`{name}`")).collect();
                format!("not decided: {}; {}\n", fields.join(", "), row.text)
            }
        })
    }
}
