//! `kibitzer explore GAME [FILE]`: the whole reachable space, on one core or, with the engine of `cluster/`, on many cores and
//! machines and on disk.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table, presets};
use kibitzer::catalog::{Entry, Exploration, Games, Puzzle};
use kibitzer::limits::Limit;
use kibitzer::report::{self, bytes, count, duration, grouped};
use kibitzer::search::explore::{Explored, Layer};

use crate::cluster::{self, ClusterArgs, Disk};
use crate::effort::{Effort, Watch};
use crate::failure::{Failure, SOLVED, limit_code};
use crate::input::{self, Board};
use crate::supervise::GRACE;
use crate::{csv, output};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer explore GAME FILE --json
  kibitzer explore GAME FILE --workers 8 --checkpoint DIR --memory 4G
  kibitzer explore GAME FILE --hosts hosts.txt --process 0 --checkpoint DIR

Exit code 0: everything was counted. 20 or 21: a limit was reached, the disk is full, or another process is gone; the layers printed
are whole, and with a checkpoint the same command goes on. docs/cluster.md says how to use many machines.")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    disk: Disk,
    #[command(flatten)]
    effort: Effort,
}

/// How layers are printed.
#[derive(clap::Args, Clone, Copy)]
struct Form {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print a row of comma-separated values for each layer
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print a JSON object for each layer, on a line
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    jsonl: bool,
}

/// Finished layers with their names, which are printed if the work is given up.
#[derive(Default)]
pub struct SoFar(Mutex<Vec<(Layer, String)>>);

impl SoFar {
    pub fn add(&self, layer: Layer, name: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((layer, name));
    }

    fn exploration(&self, limit: Limit) -> Exploration {
        let (layers, names) = self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().unzip();
        let explored = Explored { layers, limit: Some(limit), peak_bytes: 0 };
        Exploration { explored, unfolded: None, names, labeled: false }
    }
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    let asked = args.cluster.is_asked_for() || args.disk.checkpoint.is_some() || args.disk.table.is_some();
    let grace = if asked { LATE } else { GRACE };
    // Of many processes the first one answers.
    let answers = args.cluster.process.unwrap_or(0) == 0;
    let (so_far, form, game) = (Arc::<SoFar>::default(), args.form, input::find_game(games, &args.board.game)?.name);
    let (finished, begun) = (Arc::clone(&so_far), Instant::now());
    let watch = args.effort.watch_late("exploring", grace, move |limit| {
        let space = finished.exploration(limit);
        if !asked || space.names.is_empty() {
            return Err(Failure::stopped(limit));
        }
        if answers {
            output::write(&text(game, form, &space, None, begun.elapsed().as_secs_f64()), None)?;
        }
        Ok(limit_code(limit))
    });
    let (entry, puzzle) = args.board.read(games, &watch.limits)?;
    let begun = Instant::now();
    let (space, deepest) =
        if asked { spread(&args, games, entry, puzzle.into(), so_far, &watch)? } else { (puzzle.explore(&watch.limits), None) };
    let seconds = begun.elapsed().as_secs_f64();
    if answers {
        output::write(&text(game, form, &space, deepest, seconds), None)?;
    }
    Ok(space.explored.limit.map_or(SOLVED, limit_code))
}

fn text(game: &str, form: Form, space: &Exploration, deepest: Option<Vec<String>>, seconds: f64) -> String {
    if form.json {
        let mut json = report::exploration_json(game, space, seconds);
        if let (Some(deepest), Some(object)) = (deepest, json.as_object_mut()) {
            object.insert("deepest".to_owned(), deepest.into());
        }
        format!("{json}\n")
    } else if form.csv || form.jsonl {
        rows(space, form.csv)
    } else {
        table(space, seconds) + &deepest.map(|deepest| examples(space, &deepest)).unwrap_or_default()
    }
}

/// The space, and some of its deepest positions.
type Spread = (Exploration, Option<Vec<String>>);

/// Explores with the engine for many workers.
fn spread(
    args: &Args,
    games: Games,
    entry: &'static Entry,
    puzzle: Arc<dyn Puzzle>,
    so_far: Arc<SoFar>,
    watch: &Watch,
) -> Result<Spread, Failure> {
    let (cluster, disk, options) = (&args.cluster, &args.disk, args.board.options_text(games));
    let (events, again) = (cluster::events(watch, &puzzle, Some(so_far)), cluster::events(watch, &puzzle, None));
    let task = cluster::ExploreTask { entry, puzzle: &*puzzle, options: &options, cluster, disk, label: entry.players == 2, events, again };
    let found = task.run(&watch.limits)?;
    if found.messages > 0 {
        output::note(&format!("note: this process sent {} in {} messages", bytes(found.sent as usize), grouped(found.messages)));
    }
    if found.exploration.explored.limit == Some(Limit::Memory) && disk.checkpoint.is_none() {
        output::note("note: with `--checkpoint DIR` the space may be larger than memory");
    }
    Ok((found.exploration, Some(found.deepest)))
}

/// Time for many workers to stop after the deadline.
const LATE: Duration = Duration::from_secs(5);

/// A row for each layer.
fn rows(space: &Exploration, csv: bool) -> String {
    let columns = ["layer", "states", "unfolded", "goals", "dead_ends", "moves", "losing", "drawn"];
    let mut text = if csv { csv::row(columns) } else { String::new() };
    for (layer, name) in space.explored.layers.iter().zip(&space.names) {
        let counts = [layer.states, layer.unfolded, layer.goals, layer.dead_ends, layer.moves].map(Some);
        let labels = [layer.losing, layer.drawn].map(|boards| space.labeled.then_some(boards));
        let counts: Vec<Option<u64>> = counts.into_iter().chain(labels).collect();
        if csv {
            let fields = counts.iter().map(|count| count.map(|count| count.to_string()).unwrap_or_default());
            text.push_str(&csv::row([name.clone()].into_iter().chain(fields)));
        } else {
            let fields = columns[1..].iter().zip(&counts).map(|(name, count)| ((*name).to_owned(), serde_json::json!(count)));
            let object: serde_json::Map<_, _> = [("layer".to_owned(), name.clone().into())].into_iter().chain(fields).collect();
            text.push_str(&format!("{}\n", serde_json::Value::Object(object)));
        }
    }
    text
}

/// Some positions of the last layer.
fn examples(space: &Exploration, deepest: &[String]) -> String {
    let Some((layer, name)) = space.explored.layers.last().zip(space.names.last()) else { return String::new() };
    let mut text = format!("The hardest to reach, {} of layer {name}, such as\n", count(layer.states, "position"));
    deepest.iter().take(2).for_each(|board| text.push_str(&format!("\n{}\n", board.trim_end())));
    text
}

/// For two players: boards without symmetry, and whether the player to move wins. Most games have no draws and no column for them.
fn duel_table(space: &Exploration, seconds: f64) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    let total = space.explored.total();
    let draws = total.drawn > 0;
    let header = ["layer", "up to symmetry", "boards", "N", "P"];
    table.set_header(header.into_iter().chain(draws.then_some("D")).chain(["over"]));
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let names = space.names.iter().cloned().chain(["in all".to_owned()]);
    let counted = |boards: u64| if boards == u64::MAX { "> 10^19".to_owned() } else { grouped(boards) };
    for (layer, name) in space.explored.layers.iter().chain([&total]).zip(names) {
        let winning = layer.unfolded.saturating_sub(layer.losing).saturating_sub(layer.drawn);
        let counts = [layer.states, layer.unfolded, winning, layer.losing].into_iter().chain(draws.then_some(layer.drawn));
        table.add_row([name].into_iter().chain(counts.chain([layer.dead_ends]).map(counted)));
    }
    let limit = space.explored.limit.map(|limit| format!("Nothing was counted: the {} was reached.\n", limit.words()));
    let text =
        limit.unwrap_or_else(|| format!("{table}\nN, P{} and over count boards, without symmetry.\n", if draws { ", D" } else { "" }));
    format!("{text}{}, {}\n", bytes(space.explored.peak_bytes), duration(seconds))
}

fn table(space: &Exploration, seconds: f64) -> String {
    if space.labeled {
        return duel_table(space, seconds);
    }
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header(["layer", "positions", "goals", "dead ends", "moves"]);
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let total = space.explored.total();
    let names = space.names.iter().cloned().chain(["in all".to_owned()]);
    for (layer, name) in space.explored.layers.iter().chain([&total]).zip(names) {
        let counts = [layer.states, layer.goals, layer.dead_ends, layer.moves].map(grouped);
        table.add_row([name].into_iter().chain(counts));
    }
    let states = count(total.states, "position");
    let mut text = format!("{table}\n");
    text.push_str(&match (space.explored.limit, space.unfolded) {
        (Some(limit), _) => format!("Not the whole space: the {} was reached. These layers are whole.\n", limit.words()),
        (None, Some(all)) if all != total.states => format!("{states} up to symmetry, {} without.\n", grouped(all)),
        (None, Some(_)) => format!("{states}; this board has no symmetry that merges any.\n"),
        (None, None) => format!("{states} up to symmetry; without it there were too many for the limits.\n"),
    });
    text.push_str(&format!("{}, {}\n", bytes(space.explored.peak_bytes), duration(seconds)));
    text
}
