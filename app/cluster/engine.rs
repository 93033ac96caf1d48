//! Runs the program's tasks on the cluster engine.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use kibitzer::catalog::{Entry, Exploration, Games, Puzzle};
use kibitzer::limits::{Limit, Limits};
use kibitzer::report::{Report, count};
use kibitzer::search::explore::Layer;
use kibitzer_cluster::explore::SpaceReport;
use kibitzer_cluster::net::{Cluster, Events, read_hosts};
use kibitzer_cluster::route::BUCKETS;
use kibitzer_cluster::table::Meta;
pub use kibitzer_cluster::table::StateFile;
use kibitzer_cluster::{Halt, communicator, disk, explore};

use super::{CensusTask, ClusterArgs, ExploreTask, SolveTask, WholeSpace};
use crate::effort::Watch;
use crate::explore::SoFar;
use crate::failure::{Failure, SPACE_LIMIT};
use crate::{input, output};

impl From<Halt> for Failure {
    fn from(halt: Halt) -> Failure {
        match halt {
            Halt::Fault { message, help, scarce: true } => Failure { code: SPACE_LIMIT, ..Failure::input(message, help) },
            Halt::Fault { message, help, .. } => Failure::input(message, help),
            limit => Failure::stopped(limit.limit().unwrap_or(Limit::Time)),
        }
    }
}

/// The description of a board in tables and checkpoints.
pub fn meta(entry: &Entry, puzzle: &dyn Puzzle, options: &[String], symmetry: bool) -> Meta {
    let meta = Meta::new(entry.name, puzzle.instance(), puzzle.state_bytes());
    let kibitzer = env!("CARGO_PKG_VERSION").to_owned();
    Meta { kibitzer, options: options.to_vec(), symmetry, grundy: puzzle.packed().has_grundy(), ..meta }
}

/// Sets up the processes that work together. `job` contains the names and values that all processes must agree on.
pub fn setup(args: &ClusterArgs, job: Vec<(String, String)>, limits: &Limits) -> Result<Cluster, Failure> {
    let workers = args.workers.map_or(1, usize::from);
    let mut setup = Cluster { job, patience: Duration::from_secs(args.wait), ..Cluster::local(workers) };
    let Some(name) = &args.hosts else { return Ok(setup) };
    let text = input::read_all(input::open(name)?, name, limits)?;
    setup.hosts = read_hosts(&text)?;
    setup.process = args.process.unwrap_or(0);
    setup.bind.clone_from(&args.bind);
    let hosts = setup.hosts.len();
    if setup.process >= hosts {
        let message = format!("there is no process {}: the file lists {}", setup.process, count(hosts as u64, "host"));
        return Err(Failure::input(message, format!("`--process` must be from 0 to {}", hosts - 1)));
    }
    if workers * hosts > BUCKETS {
        let message = format!("{} workers are too many", workers * hosts);
        return Err(Failure::input(message, format!("use at most {BUCKETS} in total")));
    }
    setup.lost = Arc::new(lost);
    setup.events.say = Arc::new(|text| output::note(&format!("note: {text}")));
    Ok(setup)
}

/// Ends the program when a process is lost, because the engine cannot continue without it.
fn lost(process: usize, address: &str) {
    static SAID: AtomicBool = AtomicBool::new(false);
    if SAID.swap(true, Ordering::Relaxed) {
        loop {
            std::thread::park();
        }
    }
    let message = format!("lost connection to process {process} ({address})");
    let help = "rerun the same command on every host; with `--checkpoint` it resumes after the last finished layer";
    let failure = Failure { code: SPACE_LIMIT, ..Failure::input(message, help) };
    failure.print();
    output::clean_up();
    std::process::exit(i32::from(failure.code));
}

/// Interval between notes about finished layers if there is no progress bar, as in a job log.
const NOTES: Duration = Duration::from_secs(10);
/// Number of positions above which a note announces the second count, because that count takes a while.
const MANY: u64 = 10_000_000;

/// Callbacks that show the engine's progress. Finished layers are collected in `so_far`.
fn events(watch: &Watch, puzzle: &Arc<dyn Puzzle>, so_far: Option<Arc<SoFar>>) -> Events {
    let (puzzle, log) = (Arc::clone(puzzle), !watch.shows());
    let last = Mutex::new((Instant::now(), 0u64));
    let layer = move |layer: &Layer| {
        let name = puzzle.packed().layer_name(layer.layer);
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        last.1 += layer.states;
        if log && last.0.elapsed() >= NOTES {
            last.0 = Instant::now();
            output::note(&format!("note: layer {name} is done; {} so far", count(last.1, "position")));
        }
        so_far.iter().for_each(|so_far| so_far.add(*layer, name.clone()));
    };
    Events { stage: watch.stage(), layer: Arc::new(layer), ..Events::default() }
}

impl ExploreTask<'_> {
    pub fn run(&self, watch: &Watch) -> Result<WholeSpace, Failure> {
        let symmetric = self.puzzle.space(true).is_symmetric();
        let two = self.entry.players == 2;
        let (folder, table) = (self.disk.checkpoint.as_deref(), self.disk.table.as_deref());
        let limits = &watch.limits;
        let found = self.explore(symmetric || !two, limits, folder, table, events(watch, &self.puzzle, self.so_far.clone()))?;
        let unfolded = found.explored.without_symmetry(symmetric || two, || {
            let beside = self.disk.checkpoint.as_ref().map(|folder| folder.join("without-symmetry"));
            let states = found.explored.total().states;
            if states > MANY {
                let states = count(states, "position");
                let note = "counting again without symmetry takes up to 8 times as long; press Ctrl-C to skip";
                output::note(&format!("note: all {states} up to symmetry are counted; {note}"));
            }
            let events = events(watch, &self.puzzle, None);
            self.explore(false, limits, beside.as_deref(), None, events).map(|plain| plain.explored)
        })?;
        let packed = self.puzzle.packed();
        let mut explored = found.explored;
        for (layer, counts) in explored.layers.iter_mut().zip(found.labeled.iter().flatten()) {
            (layer.dead_ends, layer.losing, layer.drawn) = (counts.dead_ends, counts.losing, counts.drawn);
        }
        let names = explored.layers.iter().map(|layer| packed.layer_name(layer.layer)).collect();
        let exploration = Exploration { unfolded, names, labeled: found.labeled.is_some(), explored };
        let deepest = found.deepest.iter().map(|state| packed.instance_of(state)).collect();
        Ok(WholeSpace { exploration, deepest, sent: found.sent, messages: found.messages })
    }

    fn explore(
        &self,
        symmetry: bool,
        limits: &Limits,
        folder: Option<&Path>,
        table: Option<&Path>,
        events: Events,
    ) -> Result<SpaceReport, Failure> {
        let label = self.entry.players == 2;
        let meta = meta(self.entry, &*self.puzzle, &self.options, symmetry);
        let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
        let job = vec![
            ("game".to_owned(), meta.game.clone()),
            ("board".to_owned(), meta.instance.clone()),
            ("set of options".to_owned(), meta.options.join(" ")),
            ("symmetry".to_owned(), yes(symmetry)),
            ("checkpoint".to_owned(), yes(folder.is_some())),
            ("table".to_owned(), yes(table.is_some())),
            ("labels".to_owned(), yes(label)),
        ];
        let mut setup = setup(self.cluster, job, limits)?;
        setup.events = Events { say: setup.events.say, ..events };
        let space = Arc::from(self.puzzle.space(symmetry));
        if folder.is_none() && table.is_none() && !label {
            return Ok(explore::explore(space, &setup, limits)?);
        }
        // Without `--checkpoint`, the engine uses a temporary folder.
        let temporary =
            match folder {
                Some(_) => None,
                None => Some(tempfile::tempdir().map_err(|error| {
                    Failure::input(format!("cannot create a temporary folder: {error}"), "choose one with `--checkpoint`")
                })?),
            };
        let folder = folder.or(temporary.as_ref().map(tempfile::TempDir::path)).unwrap_or(Path::new("."));
        let job = disk::DiskJob { space, meta, folder: folder.to_owned(), label, table: table.map(Path::to_path_buf) };
        Ok(disk::explore(job, &setup, limits)?)
    }
}

impl SolveTask<'_> {
    /// Finds a least-cost plan. Also returns the seconds that the search took.
    pub fn run(&self, name: &OnceLock<String>, limits: &Limits) -> Result<(Report, f64), Failure> {
        let puzzle = self.puzzle;
        let packed = puzzle.packed();
        let (found, mut guide) = packed.guide(self.heuristic)?;
        let method = found.map_or_else(|| "dijkstra".to_owned(), |heuristic| format!("astar:{heuristic}"));
        let _ = name.set(method.clone());
        let begun = Instant::now();
        guide.build(limits)?;
        let mut meta = meta(self.entry, puzzle, self.options, true);
        // A search cannot resume from the layers of another method.
        meta.options.push(format!("method={method}"));
        let job = [
            ("game", meta.game.clone()),
            ("board", meta.instance.clone()),
            ("set of options", self.options.join(" ")),
            ("method", method.clone()),
            ("checkpoint", if self.checkpoint.is_some() { "yes" } else { "no" }.to_owned()),
        ];
        let setup = setup(self.cluster, job.map(|(word, value)| (word.to_owned(), value)).to_vec(), limits)?;
        let task = kibitzer_cluster::solve::Task { space: Arc::from(puzzle.space(true)), guide: Arc::from(guide), refute: self.free };
        let (found, stats) = match self.checkpoint {
            Some(folder) => kibitzer_cluster::solve::disk::solve(task, meta, folder, &setup, limits)?,
            None => kibitzer_cluster::solve::solve(task, &setup, limits)?,
        };
        let seconds = begun.elapsed().as_secs_f64();
        Ok((packed.report(&method, found, stats, limits)?, seconds))
    }
}

/// Rows per worker in each collection round, enough to even out hard and easy boards.
const EACH: usize = 32;
/// Maximum number of bytes that a worker sends in one round.
const ROUND: usize = 1 << 20;

impl CensusTask {
    /// Distributes the rows round-robin. Returns the number of workers.
    pub fn run(self, args: &ClusterArgs, job: Vec<(String, String)>, limits: &Limits) -> Result<usize, Failure> {
        let setup = setup(args, job, limits)?;
        let CensusTask { count, done, row, write } = self;
        let limits_of_all = limits.clone();
        let row = move |number: usize| match row(number) {
            Ok(Some(row)) => Ok(row),
            Ok(None) => Err(limits_of_all
                .check()
                .err()
                .map_or_else(|| Halt::fault("a board has no row", "this is a bug; please report it"), Halt::from)),
            Err(failure) => Err(Halt::fault(failure.message, failure.help)),
        };
        communicator::run(&setup, limits, ROUND, move |comm| {
            let begin = comm.collect(Ok(if comm.index == 0 { done } else { 0 }))?.into_iter().max().unwrap_or(0);
            let left: Vec<usize> = (begin..count).collect();
            for some in left.chunks(EACH * comm.peers) {
                let mine = some.iter().skip(comm.index).step_by(comm.peers).map(|&number| row(number));
                let mine: Vec<u8> = comm.agree(mine.collect::<Result<String, Halt>>())?.into_bytes();
                comm.send(0, 0, 0, mine);
                let mut texts = vec![String::new(); comm.peers];
                comm.finish(&mut |parcel| {
                    let unreadable = |_| Halt::fault("rows cannot be read", "this is a bug; please report it");
                    texts[parcel.from as usize] = String::from_utf8(parcel.bytes).map_err(unreadable)?;
                    Ok(())
                })?;
                // The rows were distributed round-robin.
                let mut rows: Vec<_> = texts.iter().map(|text| text.split_inclusive('\n')).collect();
                let text: String = (0..some.len()).filter_map(|at| rows[at % comm.peers].next()).collect();
                let full =
                    |error: std::io::Error| Halt::scarce(format!("cannot write the census: {error}"), "check the path and the free space");
                comm.agree(if comm.index == 0 { write(&text).map_err(full) } else { Ok(()) })?;
            }
            Ok(())
        })?;
        Ok(setup.workers * setup.processes())
    }
}

/// Opens a table and reads its board.
pub fn open_table(games: Games, path: &Path, position: Option<&str>) -> Result<(StateFile, Box<dyn Puzzle>), Failure> {
    let table = StateFile::open(path)?;
    let entry = input::find_game(games, &table.meta.game)?;
    let mut options = table.meta.options.clone();
    options.extend(position.map(|position| format!("position={position}")));
    let options = input::read_options(&options, entry.options)?;
    let puzzle = entry.parse(&table.meta.instance, &options).map_err(|error| Failure::reading(&path.display().to_string(), &error))?;
    if puzzle.state_bytes() != table.meta.width {
        let message = format!("{} was written by another version of kibitzer ({})", path.display(), table.meta.kibitzer);
        return Err(Failure::input(message, "use the version of kibitzer that wrote it"));
    }
    Ok((table, puzzle))
}
