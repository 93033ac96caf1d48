//! `kibitzer explore GAME [FILE]`: counts all reachable positions, on one core or, with the cluster engine, on many cores and
//! machines and on disk.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kibitzer::catalog::{Exploration, Games};
use kibitzer::limits::Limit;
use kibitzer::report::{self, bytes, count, duration, grouped};
use kibitzer::search::explore::{Explored, Layer};
use serde_json::json;

use crate::cluster::{ClusterArgs, Disk, ExploreTask};
use crate::effort::Effort;
use crate::failure::{Failure, SOLVED, limit_code};
use crate::input::{self, Board};
use crate::output;
use crate::parallel::lock;
use crate::supervise::GRACE;
use crate::table::RowFormat;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer explore GAME FILE --json
  kibitzer explore GAME FILE --workers 8 --checkpoint DIR --memory 4G
  kibitzer explore GAME FILE --hosts hosts.txt --process 0 --checkpoint DIR

Exit code 0: everything was counted. 20 or 21: a limit was reached, the disk is full, or the connection to another process was lost. The
printed layers are complete, and with --checkpoint, rerunning the same command resumes. See docs/cluster.md for runs on many machines.")]
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

/// The format of the layers.
#[derive(clap::Args, Clone, Copy)]
struct Form {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print comma-separated values, one row per layer
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print JSON lines, one object per layer
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    jsonl: bool,
}

/// The finished layers and their names, which are printed if the work has to be abandoned.
#[derive(Default)]
pub struct SoFar(Mutex<Vec<(Layer, String)>>);

impl SoFar {
    pub fn add(&self, layer: Layer, name: String) {
        lock(&self.0).push((layer, name));
    }

    fn exploration(&self, limit: Limit) -> Exploration {
        let (layers, names) = lock(&self.0).iter().cloned().unzip();
        let explored = Explored { layers, limit: Some(limit), peak_bytes: 0 };
        Exploration { explored, unfolded: None, names, labeled: false }
    }
}

/// Grace period after the deadline for a run with several workers.
pub const LATE: Duration = Duration::from_secs(5);

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    let engine = args.cluster.is_asked_for() || args.disk.checkpoint.is_some() || args.disk.table.is_some();
    let grace = if engine { LATE } else { GRACE };
    // Only the first process prints the answer.
    let prints = args.cluster.process.unwrap_or(0) == 0;
    let (so_far, form, game) = (Arc::<SoFar>::default(), args.form, input::find_game(games, &args.board.game)?.name);
    let (finished, begun) = (Arc::clone(&so_far), Instant::now());
    let watch = args.effort.watch_or("exploring", grace, move |limit| {
        let space = finished.exploration(limit);
        if !engine || space.names.is_empty() {
            return Err(Failure::stopped(limit));
        }
        if prints {
            output::write(&text(game, form, &space, None, begun.elapsed().as_secs_f64()), None)?;
        }
        Ok(limit_code(limit))
    });
    let (entry, puzzle) = args.board.read(games, &watch.limits)?;
    let begun = Instant::now();
    let (space, deepest) = if engine {
        let (puzzle, options) = (puzzle.into(), args.board.options_text(games));
        let found = ExploreTask { entry, puzzle, options, cluster: &args.cluster, disk: &args.disk, so_far: Some(so_far) }.run(&watch)?;
        if found.messages > 0 {
            output::note(&format!("note: this process sent {} in {}", bytes(found.sent as usize), count(found.messages, "message")));
        }
        if found.exploration.explored.limit == Some(Limit::Memory) && args.disk.checkpoint.is_none() {
            output::note("note: `--checkpoint DIR` allows spaces larger than memory");
        }
        (found.exploration, Some(found.deepest))
    } else {
        (puzzle.explore(&watch.limits), None)
    };
    if prints {
        output::write(&text(game, form, &space, deepest, begun.elapsed().as_secs_f64()), None)?;
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
        rows(space, if form.csv { RowFormat::Csv } else { RowFormat::Jsonl })
    } else {
        table(space, seconds) + &deepest.map(|deepest| examples(space, &deepest)).unwrap_or_default()
    }
}

/// One row per layer.
fn rows(space: &Exploration, format: RowFormat) -> String {
    let columns = ["layer", "states", "unfolded", "goals", "dead_ends", "moves", "losing", "drawn"];
    let mut text = format.header(&columns);
    for (layer, name) in space.explored.layers.iter().zip(&space.names) {
        let counts = [layer.states, layer.unfolded, layer.goals, layer.dead_ends, layer.moves].map(Some);
        let labels = [layer.losing, layer.drawn].map(|boards| space.labeled.then_some(boards));
        text.push_str(&format.row(&columns, [json!(name)].into_iter().chain(counts.into_iter().chain(labels).map(|count| json!(count)))));
    }
    text
}

/// Two example positions of the last layer.
fn examples(space: &Exploration, deepest: &[String]) -> String {
    let Some((layer, name)) = space.explored.layers.last().zip(space.names.last()) else { return String::new() };
    let mut text = format!("Deepest layer: {name} ({}), for example:\n", count(layer.states, "position"));
    deepest.iter().take(2).for_each(|board| text.push_str(&format!("\n{}\n", board.trim_end())));
    text
}

/// A human-readable table. For two-player games, the table counts boards by outcome, with symmetric boards counted separately. The column
/// for draws is omitted if there are no draws.
fn table(space: &Exploration, seconds: f64) -> String {
    let total = space.explored.total();
    let end = format!("{}, {}\n", bytes(space.explored.peak_bytes), duration(seconds));
    let draws = total.drawn > 0;
    let header = match (space.labeled, draws) {
        (false, _) => vec!["layer", "positions", "goals", "dead ends", "moves"],
        (true, false) => vec!["layer", "up to symmetry", "boards", "N", "P", "over"],
        (true, true) => vec!["layer", "up to symmetry", "boards", "N", "P", "D", "over"],
    };
    let counts = |layer: &Layer| match space.labeled {
        false => vec![layer.states, layer.goals, layer.dead_ends, layer.moves],
        true => {
            let winning = layer.unfolded.saturating_sub(layer.losing).saturating_sub(layer.drawn);
            let drawn = draws.then_some(layer.drawn);
            [layer.states, layer.unfolded, winning, layer.losing].into_iter().chain(drawn).chain([layer.dead_ends]).collect()
        }
    };
    let counted = |boards: u64| if boards == u64::MAX { "> 10^19".to_owned() } else { grouped(boards) };
    let names = space.names.iter().cloned().chain(["total".to_owned()]);
    let rows = names.zip(space.explored.layers.iter().chain([&total]));
    let rows = rows.map(|(name, layer)| [name].into_iter().chain(counts(layer).into_iter().map(counted)).collect());
    let table = output::table(header, |_| true, rows);
    let states = count(total.states, "position");
    match (space.explored.limit, space.unfolded) {
        (Some(limit), _) if space.labeled => format!("Nothing was counted: {}.\n{end}", limit.words()),
        (None, _) if space.labeled => {
            format!("{table}The columns N, P{} and `over` count symmetric boards separately.\n{end}", if draws { ", D" } else { "" })
        }
        (Some(limit), _) => format!("{table}The exploration is incomplete: {}. The layers above are complete.\n{end}", limit.words()),
        (None, Some(all)) if all != total.states => format!("{table}{states} up to symmetry, {} in all.\n{end}", grouped(all)),
        (None, Some(_)) => format!("{table}{states}; no two of them are symmetric.\n{end}"),
        (None, None) => {
            format!("{table}{states} up to symmetry; a limit was reached before symmetric ones could be counted separately.\n{end}")
        }
    }
}
