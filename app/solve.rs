//! `kibitzer solve GAME [FILE]`

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use kibitzer::catalog::{Choice, Entry, Games, Puzzle, Run};
use kibitzer::gamegraph::order::{ORDERS, Order};
use kibitzer::limits::{Limit, Limits};
use kibitzer::report::{Answer, Report, bitmap_json, bitmap_text};
use kibitzer::search::weight_from;

use crate::cache::CacheArgs;
use crate::cluster::{self, ClusterArgs};
use crate::effort::Effort;
use crate::failure::{Failure, SOLVED, UNSOLVABLE, limit_code};
use crate::input::{self, Board};
use crate::supervise::GRACE;
use crate::{bitmap, output};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  # The sample board, by the best method
  kibitzer solve GAME
  kibitzer solve GAME FILE --json --time 10
  cat FILE | kibitzer solve GAME -
  # A strategy, which `kibitzer check GAME FILE game.strategy` verifies
  kibitzer solve GAME FILE --certificate game.strategy
  # A* or Dijkstra on many cores; with --hosts, on many machines
  kibitzer solve GAME FILE --workers 8
  # A pattern database, built once and kept in a folder
  kibitzer solve GAME FILE --method astar:pattern --cache DIR
  # A search larger than memory
  kibitzer solve GAME FILE --checkpoint DIR --memory 4G
  # The number of least-cost plans, and the first ten of them
  kibitzer solve GAME FILE --plans count
  kibitzer solve GAME FILE --plans 10

`kibitzer about GAME` lists the methods. The time limit covers everything, including reading the board. Ctrl-C works like a time limit:
the result so far is printed.")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// Method, with an optional heuristic [default: the best one]
    #[arg(long, short, value_name = "METHOD[:HEURISTIC]")]
    method: Option<String>,
    /// Run a course's algorithm exactly as it is taught, and print the result in the course's format
    #[arg(long)]
    course: bool,
    /// Weight of the heuristic in weighted A*, from 1 to 1000
    #[arg(long, value_parser = weight, default_value = "2")]
    weight: u32,
    /// Two-player games: the order in which methods that search the tree try moves: game, none or history [default: game]
    #[arg(long, value_parser = order)]
    order: Option<Order>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write to a file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Two-player games: write the winner's strategy, which `check` verifies
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Also count the least-cost plans (count), and list up to N of them (N) or all of them (all)
    #[arg(long, value_name = "count|N|all", value_parser = plans, conflicts_with_all = ["course", "certificate"])]
    plans: Option<PlansWanted>,
    #[command(flatten)]
    cluster: ClusterArgs,
    /// Store finished layers in DIR: allows searches larger than memory; rerun the same command to resume
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    effort: Effort,
}

/// The value of `--plans`: the maximum number of plans to list, or `None` to count them only.
#[derive(Clone, Copy)]
struct PlansWanted(Option<u64>);

fn plans(text: &str) -> Result<PlansWanted, String> {
    Ok(PlansWanted(match text {
        "count" => None,
        "all" => Some(u64::MAX),
        number => {
            let number = number.parse().ok().filter(|&number: &u64| number > 0);
            Some(number.ok_or("expected `count`, a positive number of plans to list, or `all`")?)
        }
    }))
}

/// The method name in a report if work ended before a method was chosen.
const NO_METHOD: &str = "reading";

/// The output and format of the answer.
#[derive(Clone)]
struct Form {
    json: bool,
    output: Option<PathBuf>,
}

impl Form {
    /// Prints a report without a result.
    fn unknown(&self, game: &'static str, method: &str, limit: Limit, seconds: f64) -> Result<u8, Failure> {
        let report = Report::unknown(game, method, limit);
        let text = if self.json { format!("{}\n", report.json(seconds)) } else { report.text(seconds) };
        // This answer cannot be written as a bitmap.
        output::write(&text, self.output.as_deref().filter(|path| !bitmap::is_named(path)))?;
        Ok(limit_code(limit))
    }
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    let form = Form { json: args.json, output: output::target(args.output.clone(), args.board.file.as_deref())? };
    let game = input::find_game(games, &args.board.game)?.name;
    let begun = Instant::now();
    let method: Arc<OnceLock<String>> = Arc::default();
    let give_up = {
        let (form, method) = (form.clone(), Arc::clone(&method));
        move |limit| form.unknown(game, method.get().map_or(NO_METHOD, |name| name), limit, begun.elapsed().as_secs_f64())
    };
    let watch = args.effort.watch_or(game, GRACE, give_up.clone());
    let limits = args.cache.limits(&watch.limits)?;
    match solve(games, args, &form, &method, &limits) {
        // If a limit is reached while the board is read, the answer is `unknown`.
        Err(Failure { limit: Some(limit), .. }) => give_up(limit),
        done => done,
    }
}

fn solve(games: Games, args: Args, form: &Form, method: &OnceLock<String>, limits: &Limits) -> Result<u8, Failure> {
    let output = form.output.as_deref();
    let (entry, options, board) = args.board.load(games, limits)?;
    if args.plans.is_some() && entry.players != 1 {
        return Err(Failure::input(format!("{} is for two players and has no plans", entry.name), "omit `--plans`"));
    }
    if args.plans.is_some() && (args.cluster.is_asked_for() || args.checkpoint.is_some()) {
        let help = "omit `--plans`, or omit `--workers`, `--hosts` and `--checkpoint`";
        return Err(Failure::input("plans are counted in one process and in memory", help));
    }
    if output.is_some_and(bitmap::is_named) || board.is_large_bitmap(entry) {
        let bitmaps = bitmap::of(entry)?;
        let only = bitmaps.method;
        if args.plans.is_some() {
            return Err(Failure::input("the plans of a bitmap cannot be counted", "omit `--plans`, or use a smaller board"));
        }
        if args.course || args.method.as_ref().is_some_and(|method| method != only) {
            let message = format!("bitmaps are solved only by the method `{only}`");
            return Err(Failure::input(message, "omit `--method`, or use a smaller board"));
        }
        let _ = method.set(only.to_owned());
        let (board, options) = board.to_bitmap(entry, &options, limits)?;
        let begun = Instant::now();
        let answer = (bitmaps.solve)(&board, &options, limits).map_err(|error| Failure::reading("the board", &error))?;
        // The time does not include checking the answer.
        let seconds = begun.elapsed().as_secs_f64();
        bitmaps.confirm(&board, &answer, &options).map_err(|error| Failure::tool(only, "the board", error))?;
        if let Some(file) = output {
            bitmap::write(&answer.cells, Some(file))?;
        }
        let file = output.map(|file| file.display().to_string());
        let text = match form.json {
            true => format!("{}\n", bitmap_json(entry.name, only, &answer, file.as_deref(), seconds)),
            false => bitmap_text(entry.name, only, &answer, file.as_deref(), seconds),
        };
        output::write(&text, None)?;
        return Ok(if answer.cost.is_some() { SOLVED } else { UNSOLVABLE });
    }
    let puzzle = board.to_puzzle(entry, &options, limits)?;
    if args.cluster.is_asked_for() || args.checkpoint.is_some() {
        return spread(&args, games, entry, form, &*puzzle, method, limits);
    }
    let asked = if args.course { Some(course_method(&*puzzle, args.method.as_deref())?) } else { args.method };
    let choice = Choice { method: asked, weight: args.weight, order: args.order };
    let _ = method.set(puzzle.method(&choice)?);
    if args.certificate.is_some() && puzzle.duel().is_none() {
        return Err(Failure::input(format!("{} is for one player and has no strategies", puzzle.game()), "omit `--certificate`"));
    }
    let certificate = output::target(args.certificate, args.board.file.as_deref())?;
    let (mut run, mut report, seconds) = timed_run(&*puzzle, &choice, limits)?;
    let mut stopped = None;
    if let Some(PlansWanted(list)) = args.plans {
        puzzle.count_plans(&mut report, list, limits)?;
        stopped = report.plans.as_ref().and_then(|plans| plans.limit).map(limit_code);
    }
    if let (Some(path), Answer::Decided(_)) = (&certificate, &report.answer) {
        match run.certificate(limits).transpose()? {
            Some(Ok(text)) => {
                output::write(&text, Some(path))?;
                report.confirm_by_strategy();
            }
            Some(Err(limit)) => {
                output::note(&format!("note: no certificate was written: {}", limit.words()));
                stopped = Some(limit_code(limit));
            }
            None => {}
        }
    }
    let text = if form.json {
        format!("{}\n", report.json(seconds))
    } else if args.course {
        course_text(&report)
    } else if output.is_none() && std::io::stdout().is_terminal() {
        let board: String = puzzle.ascii().lines().map(|line| format!("# {line}\n")).collect();
        format!("{board}{}", report.text(seconds))
    } else {
        report.text(seconds)
    };
    output::write(&text, output)?;
    Ok(stopped.unwrap_or_else(|| exit_code(&report)))
}

/// Solves with the cluster engine, by A* or Dijkstra.
fn spread(
    args: &Args,
    games: Games,
    entry: &'static Entry,
    form: &Form,
    puzzle: &dyn Puzzle,
    name: &OnceLock<String>,
    limits: &Limits,
) -> Result<u8, Failure> {
    let word = args.method.as_deref().unwrap_or("astar");
    let (method, heuristic) = word.split_once(':').map_or((word, None), |(method, heuristic)| (method, Some(heuristic)));
    let heuristic = match method.to_ascii_lowercase().as_str() {
        "astar" | "a*" if !args.course => heuristic,
        "dijkstra" if !args.course && heuristic.is_none() => Some(""),
        _ => {
            let message = format!("method `{}` does not run on many workers", kibitzer::notation::shorten(word));
            let help = "use `--method astar`, `astar:HEURISTIC` or `dijkstra`, or omit `--workers`, `--hosts` and `--checkpoint`";
            return Err(Failure::input(message, help));
        }
    };
    let options = args.board.options_text(games);
    let (free, checkpoint) = (args.method.is_none(), args.checkpoint.as_deref());
    let search = cluster::SolveTask { entry, puzzle, options: &options, heuristic, free, cluster: &args.cluster, checkpoint };
    let (report, seconds) = search.run(name, limits)?;
    let text = if form.json { format!("{}\n", report.json(seconds)) } else { report.text(seconds) };
    if args.cluster.process.unwrap_or(0) == 0 {
        output::write(&text, form.output.as_deref())?;
    }
    Ok(exit_code(&report))
}

/// Solves, and measures the time of the method without the check of its answer.
pub fn timed(puzzle: &dyn Puzzle, choice: &Choice, limits: &Limits) -> Result<(Report, f64), Failure> {
    timed_run(puzzle, choice, limits).map(|(_, report, seconds)| (report, seconds))
}

/// Like [`timed`], but also returns the run.
fn timed_run(puzzle: &dyn Puzzle, choice: &Choice, limits: &Limits) -> Result<(Box<dyn Run + Send>, Report, f64), Failure> {
    let mut run = puzzle.begin(choice)?;
    let begun = Instant::now();
    run.work(limits);
    let seconds = begun.elapsed().as_secs_f64();
    let report = run.advance(limits)?;
    Ok((run, report, seconds))
}

/// The course's algorithm with this name, ignoring case.
fn course_method(puzzle: &dyn Puzzle, name: Option<&str>) -> Result<String, Failure> {
    let names: Vec<String> = puzzle.methods().into_iter().filter(|info| info.course).map(|info| info.name).collect();
    let words: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("course:")).collect();
    if words.is_empty() {
        return Err(Failure::input(format!("{} has no course algorithms", puzzle.game()), "omit `--course`"));
    }
    let help = format!("choose one of {}, as in `--course --method {}`", words.join(", "), words[0]);
    let Some(name) = name else { return Err(Failure::input("`--course` needs a method", help)) };
    let bare = name.strip_prefix("course:").unwrap_or(name);
    let word = words.iter().find(|word| word.eq_ignore_ascii_case(bare));
    let word = word.ok_or_else(|| Failure::input(format!("the course has no algorithm `{name}`"), help))?;
    Ok(format!("course:{word}"))
}

/// The result in the course's output format.
fn course_text(report: &Report) -> String {
    let result = match &report.answer {
        Answer::Solved { cost, moves, .. } => {
            let moves: Vec<&str> = moves.iter().map(|mv| mv.text.as_str()).collect();
            format!("Path cost: {cost}\nSolution: {}", moves.join(", "))
        }
        Answer::Unsolvable { .. } | Answer::Decided(_) => "No solution".to_owned(),
        Answer::Unknown { limit, .. } => format!("Stopped: {}", limit.words()),
    };
    let count = match report.facts.get("removed") {
        Some(removed) => format!("Number of removed nodes: {removed}"),
        None => format!("Generated nodes: {}", report.stats.generated),
    };
    format!("{count}\n{result}\n")
}

pub fn exit_code(report: &Report) -> u8 {
    match report.answer {
        Answer::Solved { .. } | Answer::Decided(_) => SOLVED,
        Answer::Unsolvable { .. } => UNSOLVABLE,
        Answer::Unknown { limit, .. } => limit_code(limit),
    }
}

/// Parses an order of moves.
pub fn order(text: &str) -> Result<Order, String> {
    Order::find(text).ok_or_else(|| {
        let names: Vec<&str> = ORDERS.iter().map(|(_, name, _)| *name).collect();
        format!("the orders are {}", names.join(", "))
    })
}

/// Parses a weight, such as `1.5`, and returns it in thousandths.
pub fn weight(text: &str) -> Result<u32, String> {
    text.parse().ok().and_then(weight_from).ok_or_else(|| "expected a number from 1 to 1000, such as 1.5".to_owned())
}
