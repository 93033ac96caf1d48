//! `kibitzer compare GAME [FILE]`: one row per method.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table, presets};
use kibitzer::catalog::Games;
use kibitzer::compare::{self, LeastCosts, METHOD_TIME, Share, TABLE_TIME};
use kibitzer::limits::Limit;
use kibitzer::report::{Answer, ProofSource, Report, bytes, count, duration, grouped};
use serde_json::Value;

use crate::effort::Effort;
use crate::failure::{Failure, SOLVED, TIME_LIMIT};
use crate::input::Board;
use crate::solve::{timed, weight};
use crate::supervise::GRACE;
use crate::{csv, output, supervise};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer compare GAME
  kibitzer compare GAME FILE --methods bfs,astar --time 60 --json

--time is for the whole table: each method gets an equal share of what is left. Unless set, the table gets 60 seconds, and a
method 10 of them at most. Memory and nodes hold for each method. What is shown is the method's own time, without the check
of its answer. --csv and --json have the fields of `solve --json`, what `stats` holds as columns of their own.

`yes, proved`: the method promises least cost. `yes, by a lower bound`: it promises nothing, but no plan can cost less than
the one it found. The field `proved_by` says the same: method, bound, or certificate, the game's own short proof.")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// The methods to compare, with commas between them [default: all that apply]
    #[arg(long, short, value_name = "METHOD,...", value_delimiter = ',')]
    methods: Vec<String>,
    /// How much more the estimate counts in weighted A*, from 1 to 1000
    #[arg(long, value_parser = weight, default_value = "2")]
    weight: u32,
    /// Compare a course's own algorithms, exactly as they are taught
    #[arg(long, conflicts_with = "methods")]
    course: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print comma-separated values: a header and one row per method
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    effort: Effort,
}

/// A report, and how long the method took.
type Row = (Report, f64);

/// How the rows are printed.
#[derive(Clone)]
enum Form {
    Table,
    Json,
    /// With these columns.
    Csv(Vec<&'static str>),
}

impl Form {
    fn text(&self, rows: &[Row]) -> String {
        match self {
            Form::Table => table(rows) + "\n",
            Form::Json => format!("{}\n", rows.iter().map(|(report, seconds)| report.json(*seconds)).collect::<Value>()),
            Form::Csv(columns) => {
                let rows = rows.iter().map(|(report, seconds)| csv::row(report.fields(*seconds, columns)));
                csv::row(columns) + &rows.collect::<String>()
            }
        }
    }
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    let begun = Instant::now();
    let (entry, puzzle) = args.board.read(games, &args.effort.watch("reading").limits)?;
    let choices = compare::choices(&*puzzle, &args.methods, args.course, args.weight)?;
    let form = match (args.json, args.csv) {
        (true, _) => Form::Json,
        (_, true) => Form::Csv(entry.columns()),
        _ => Form::Table,
    };
    let rows: Arc<Mutex<Vec<Row>>> = Arc::default();
    let game = puzzle.game();
    for (at, choice) in choices.iter().enumerate() {
        let name = puzzle.method(choice)?;
        // Late work is given up with the rows that are there, and one more for the method itself.
        let give_up = {
            let (rows, name, begun, form) = (Arc::clone(&rows), name.clone(), Instant::now(), form.clone());
            move |limit| {
                rows.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push((Report::unknown(game, &*name, limit), begun.elapsed().as_secs_f64()));
                finish(&rows, &form, TIME_LIMIT)
            }
        };
        let share = Share::of(args.effort.budget.time, begun.elapsed().as_secs_f64(), choices.len() - at);
        let grace = Duration::from_secs_f64(share.grace).max(GRACE);
        let watch = args.effort.with_time(share.time).watch_late(&name, grace, give_up);
        let row = timed(&*puzzle, choice, &watch.limits)?;
        rows.lock().unwrap_or_else(PoisonError::into_inner).push(row);
        if supervise::interrupted() {
            return finish(&rows, &form, TIME_LIMIT);
        }
    }
    let code = finish(&rows, &form, SOLVED)?;
    let rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
    let late = rows.iter().filter(|(report, _)| report.gave_up() == Some(Limit::Time)).count();
    if late > 0 {
        let times = match args.effort.budget.time {
            Some(time) => format!("{time} seconds for the table, each method an equal share of what is left"),
            None => format!("{TABLE_TIME} seconds for the table, {METHOD_TIME} at most for a method"),
        };
        output::note(&format!("note: {} ran out of time ({times}); `--time` gives more", count(late as u64, "method")));
    }
    Ok(code)
}

/// Prints the rows. `code` is not 0 if there should be more of them.
fn finish(rows: &Mutex<Vec<Row>>, form: &Form, code: u8) -> Result<u8, Failure> {
    // Nothing is locked while a result is written: another thread may have the turn to print, and then this one waits for ever.
    let text = form.text(&rows.lock().unwrap_or_else(PoisonError::into_inner));
    output::write(&text, None)?;
    if code != SOLVED {
        output::note("stopped: the remaining methods were not run");
    }
    Ok(code)
}

fn table(rows: &[Row]) -> String {
    let least = LeastCosts::of(rows.iter().map(|(report, _)| report));
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    let two = rows.iter().any(|(report, _)| matches!(report.answer, Answer::Decided(_)));
    let [what, how] = if two { ["winner", "outcome"] } else { ["cost", "optimal?"] };
    table.set_header(["method", what, how, "expanded", "generated", "memory", "time"]);
    for at in [1, 3, 4, 5, 6] {
        table.column_mut(at).expect("there are seven").set_cell_alignment(CellAlignment::Right);
    }
    let (mut gave_up, mut by_bound) = (false, false);
    for (report, seconds) in rows {
        let (cost, optimal) = match &report.answer {
            Answer::Solved { cost, optimal: true, .. } if report.proof == Some(ProofSource::Bound) => {
                by_bound = true;
                (cost.to_string(), "yes, by a lower bound".to_owned())
            }
            Answer::Solved { cost, optimal: true, .. } => (cost.to_string(), "yes, proved".to_owned()),
            Answer::Solved { cost, .. } => match (least.proved, least.found) {
                (Some(least), _) if *cost > least => (cost.to_string(), format!("no, {} above the optimum", cost - least)),
                (Some(_), _) => (cost.to_string(), "yes, but no proof of its own".to_owned()),
                (None, Some(cheapest)) if *cost > cheapest => (cost.to_string(), format!("no, at least {} above", cost - cheapest)),
                _ => (cost.to_string(), "no proof".to_owned()),
            },
            Answer::Unsolvable { .. } => {
                let proved = match report.proof {
                    Some(ProofSource::Certificate { gave_up: Some(limit) }) => format!("gave up: {}; the game's own proof", limit.name()),
                    Some(ProofSource::Certificate { gave_up: None }) => "no solution, the game's own proof".to_owned(),
                    _ => "no solution, proved".to_owned(),
                };
                ("none".to_owned(), proved)
            }
            Answer::Decided(decided) => match decided.winner {
                Some(player) => (format!("player {player}"), decided.outcome().to_owned()),
                None => ("nobody".to_owned(), format!("{}, a draw", decided.outcome())),
            },
            Answer::Unknown { limit, lower, upper, .. } => {
                gave_up |= *lower > 0 || upper.is_some();
                let cost = match (lower, upper) {
                    (0, None) => "?".to_owned(),
                    (lower, None) => format!("≥ {lower}"),
                    (lower, Some(upper)) => format!("{lower} to {upper}"),
                };
                (cost, format!("gave up: {}", limit.name()))
            }
        };
        let stats = report.stats;
        let counts = [grouped(stats.expanded), grouped(stats.generated), bytes(stats.peak_bytes), duration(*seconds)];
        table.add_row([report.method.clone(), cost, optimal].into_iter().chain(counts));
    }
    let mut text = table.to_string();
    if by_bound {
        text.push_str("\nBy a lower bound: the method promises nothing, but no plan can cost less than the one that it found.");
    }
    if gave_up {
        text.push_str("\nA method that gave up has proved that no plan costs less than the number after ≥, or than the first of two.");
    }
    text
}
