//! `kibitzer compare GAME [FILE]`: one row per method.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kibitzer::catalog::{Choice, Games};
use kibitzer::compare::{self, LeastCosts, METHOD_TIME, Share, TABLE_TIME};
use kibitzer::gamegraph::order::Order;
use kibitzer::limits::Limit;
use kibitzer::outcome::Stats;
use kibitzer::report::{Answer, ProofSource, Report, bytes, count, duration, grouped};
use serde_json::Value;

use crate::cache::CacheArgs;
use crate::effort::Effort;
use crate::failure::{Failure, SOLVED, TIME_LIMIT};
use crate::input::Board;
use crate::parallel::lock;
use crate::solve::{order, timed, weight};
use crate::supervise::GRACE;
use crate::{csv, output, supervise};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer compare GAME
  kibitzer compare GAME FILE --methods bfs,astar --time 60 --json

--time limits the whole table; each method gets an equal share of the time left. By default, the table gets 60 seconds and each
method at most 10. --memory and --nodes limit each method. Times cover only the method, not the check of its answer. --json
and --csv have the fields of `solve --json`; in CSV, each field of `stats` is a column.

`yes, proved` means that the method guarantees least cost. `yes, by a lower bound` means that the method does not
guarantee it, but a lower bound equals the cost of its plan. The field `proved_by` is method, bound, or certificate (the game's own
short proof).

b* is the effective branching factor of AIMA: with N states generated and a plan of d moves, N + 1 = 1 + b* + ... + b*^d. The better the
heuristic, the closer b* is to 1. In JSON and CSV, it is the field `branching`.

For two players, the columns `cutoffs` and `table` show how often the last moves of a position were pruned, and how many positions are in
the transposition table. A method that gave up may have proved a bound on the outcome (the fields `at_least` and `at_most`).")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// Methods to compare, separated by commas [default: all that apply]
    #[arg(long, short, value_name = "METHOD,...", value_delimiter = ',')]
    methods: Vec<String>,
    /// Weight of the heuristic in weighted A*, from 1 to 1000
    #[arg(long, value_parser = weight, default_value = "2")]
    weight: u32,
    /// Two-player games: the order in which methods that search the tree try moves: game, none or history [default: game]
    #[arg(long, value_parser = order)]
    order: Option<Order>,
    /// Compare the algorithms of a course, exactly as the course teaches them
    #[arg(long, conflicts_with = "methods")]
    course: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print comma-separated values, one row per method
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    effort: Effort,
}

/// A report, and the seconds that the method took.
type Row = (Report, f64);

/// The format of the rows.
#[derive(Clone)]
enum Form {
    /// For this number of players.
    Table(u8),
    Json,
    /// CSV with these columns.
    Csv(Vec<&'static str>),
}

impl Form {
    fn text(&self, rows: &[Row]) -> String {
        match self {
            Form::Table(2) => duel_table(rows),
            Form::Table(_) => table(rows),
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
    let settings = Choice { method: None, weight: args.weight, order: args.order };
    let choices = compare::choices(&*puzzle, &args.methods, args.course, &settings)?;
    let form = match (args.json, args.csv) {
        (true, _) => Form::Json,
        (_, true) => Form::Csv(entry.columns()),
        _ => Form::Table(entry.players),
    };
    let rows: Arc<Mutex<Vec<Row>>> = Arc::default();
    let game = puzzle.game();
    for (at, choice) in choices.iter().enumerate() {
        let name = puzzle.method(choice)?;
        // If a method does not stop, the rows so far are printed, followed by a row for that method.
        let give_up = {
            let (rows, name, begun, form) = (Arc::clone(&rows), name.clone(), Instant::now(), form.clone());
            move |limit| {
                lock(&rows).push((Report::unknown(game, &*name, limit), begun.elapsed().as_secs_f64()));
                finish(&rows, &form, TIME_LIMIT)
            }
        };
        let share = Share::of(args.effort.budget.time, begun.elapsed().as_secs_f64(), choices.len() - at);
        let grace = Duration::from_secs_f64(share.grace).max(GRACE);
        let watch = args.effort.with_time(share.time).watch_or(&name, grace, give_up);
        let row = timed(&*puzzle, choice, &args.cache.limits(&watch.limits)?)?;
        lock(&rows).push(row);
        if supervise::interrupted() {
            return finish(&rows, &form, TIME_LIMIT);
        }
    }
    let code = finish(&rows, &form, SOLVED)?;
    let late = lock(&rows).iter().filter(|(report, _)| report.gave_up() == Some(Limit::Time)).count();
    if late > 0 {
        let times = match args.effort.budget.time {
            Some(time) => format!("{time} seconds for the table, shared equally by the methods"),
            None => format!("{TABLE_TIME} seconds for the table, at most {METHOD_TIME} per method"),
        };
        output::note(&format!("note: {} ran out of time ({times}); raise `--time`", count(late as u64, "method")));
    }
    Ok(code)
}

/// Prints the rows. `code` is not 0 if some are missing.
fn finish(rows: &Mutex<Vec<Row>>, form: &Form, code: u8) -> Result<u8, Failure> {
    // The lock is released before printing, because this thread waits forever if another one has taken over printing.
    let text = form.text(&lock(rows));
    output::write(&text, None)?;
    if code != SOLVED {
        output::note("stopped: the remaining methods were not run");
    }
    Ok(code)
}

/// The table for two players.
fn duel_table(rows: &[Row]) -> String {
    let mut bounded = false;
    let mut row = |(report, seconds): &Row| {
        let (winner, outcome, length) = match &report.answer {
            Answer::Decided(decided) => {
                let length = decided.length.map(|length| length.to_string());
                let outcome = decided.outcome();
                match decided.winner {
                    Some(player) => (format!("player {player}"), outcome.to_owned(), length),
                    None => ("nobody".to_owned(), format!("{outcome}, a draw"), length),
                }
            }
            _ => {
                let bound = |name: &str, words: &str| Some(format!("{words} {}, ", report.facts.get(name)?.as_str()?));
                let bounds: String = [bound("at_least", "at least"), bound("at_most", "at most")].into_iter().flatten().collect();
                bounded |= !bounds.is_empty();
                ("?".to_owned(), format!("{bounds}gave up: {} limit", report.gave_up().map_or("", Limit::name)), None)
            }
        };
        let Stats { expanded, generated, cutoffs, table, peak_bytes, .. } = report.stats;
        let counts = [Some(expanded), Some(generated), cutoffs, table].map(|count| count.map(grouped).unwrap_or_default());
        let answer = [report.method.clone(), winner, outcome, length.unwrap_or_default()];
        answer.into_iter().chain(counts).chain([bytes(peak_bytes), duration(*seconds)]).collect()
    };
    let header = vec!["method", "winner", "outcome", "length", "expanded", "generated", "cutoffs", "table", "memory", "time"];
    let cells: Vec<Vec<String>> = rows.iter().map(&mut row).collect();
    let mut text = output::table(header, |name| !["method", "winner", "outcome"].contains(&name), cells);
    if bounded {
        text.push_str("A method that gave up has proved only a bound. For the player to move, P (a loss) is less than D (a draw), and D less than N.\n");
    }
    text
}

fn table(rows: &[Row]) -> String {
    let least = LeastCosts::of(rows.iter().map(|(report, _)| report));
    let (mut gave_up, mut by_bound) = (false, false);
    let mut row = |(report, seconds): &Row| {
        let (cost, optimal) = match &report.answer {
            Answer::Solved { cost, optimal, .. } => {
                let bound = report.proof == Some(ProofSource::Bound);
                by_bound |= *optimal && bound;
                let optimal = match (least.proved, least.found) {
                    _ if *optimal && bound => "yes, by a lower bound".to_owned(),
                    _ if *optimal => "yes, proved".to_owned(),
                    (Some(least), _) if *cost > least => format!("no, {} above the optimum", cost - least),
                    (Some(_), _) => "yes, but proved only by another method".to_owned(),
                    (None, Some(cheapest)) if *cost > cheapest => format!("no, at least {} above the optimum", cost - cheapest),
                    _ => "no proof".to_owned(),
                };
                (cost.to_string(), optimal)
            }
            Answer::Unsolvable { .. } => {
                let proved = match report.proof {
                    Some(ProofSource::Certificate { gave_up: Some(limit) }) => {
                        format!("no solution, proved by a certificate (gave up: {} limit)", limit.name())
                    }
                    Some(ProofSource::Certificate { gave_up: None }) => "no solution, proved by a certificate".to_owned(),
                    _ => "no solution, proved".to_owned(),
                };
                ("none".to_owned(), proved)
            }
            Answer::Decided(_) => unreachable!("this game has one player"),
            Answer::Unknown { limit, lower, upper, .. } => {
                gave_up |= *lower > 0 || upper.is_some();
                let cost = match (lower, upper) {
                    (0, None) => "?".to_owned(),
                    (lower, None) => format!("≥ {lower}"),
                    (lower, Some(upper)) => format!("{lower} to {upper}"),
                };
                (cost, format!("gave up: {} limit", limit.name()))
            }
        };
        let stats = report.stats;
        let branching = report.branching().map_or_else(String::new, |factor| format!("{factor:.2}"));
        let counts = [grouped(stats.expanded), grouped(stats.generated), branching, bytes(stats.peak_bytes), duration(*seconds)];
        [report.method.clone(), cost, optimal].into_iter().chain(counts).collect()
    };
    let header = vec!["method", "cost", "optimal?", "expanded", "generated", "b*", "memory", "time"];
    let cells: Vec<Vec<String>> = rows.iter().map(&mut row).collect();
    let mut text = output::table(header, |name| name != "method" && name != "optimal?", cells);
    if by_bound {
        text.push_str("By a lower bound: the method does not guarantee least cost, but a lower bound equals the cost of its plan.\n");
    }
    if gave_up {
        text.push_str("A method that gave up has proved that no plan costs less than the number after ≥ or the first number of a range.\n");
    }
    text
}
