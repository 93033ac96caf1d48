//! Many workers, many machines, and more states than memory holds: the options for them, and calls of the engine.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use kibitzer::catalog::{Entry, Exploration, Games, Puzzle};
use kibitzer::limits::{Limit, Limits};
use kibitzer::report::{Report, count};
use kibitzer::search::explore::Layer;

use crate::effort::Watch;
use crate::explore::SoFar;
use crate::failure::{Failure, SPACE_LIMIT};
use crate::{input, output};
use kibitzer_cluster::explore::SpaceReport;
use kibitzer_cluster::net::{Cluster, Events, read_hosts};
use kibitzer_cluster::route::BUCKETS;
use kibitzer_cluster::table::Meta;
pub use kibitzer_cluster::table::StateFile;
use kibitzer_cluster::{Halt, communicator, disk, explore};

/// Who works together.
#[derive(clap::Args, Clone)]
pub struct ClusterArgs {
    /// Number of threads in each process
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub workers: Option<u16>,
    /// Work with other processes: a file with the `host:port` of each on a line
    #[arg(long, value_name = "FILE", requires = "process")]
    pub hosts: Option<String>,
    /// Which line of the hosts file is this process, from 0
    #[arg(long, value_name = "I", requires = "hosts")]
    pub process: Option<usize>,
    /// Listen here in place of the line of the hosts file
    #[arg(long, value_name = "ADDRESS:PORT", requires = "hosts")]
    pub bind: Option<String>,
    /// How long to wait for the other processes
    #[arg(long, value_name = "SECONDS", requires = "hosts", default_value_t = 120)]
    pub wait: u64,
}

impl ClusterArgs {
    /// Was any of it asked for?
    pub fn is_asked_for(&self) -> bool {
        self.workers.is_some() || self.hosts.is_some()
    }
}

/// Where states go that outlive the program.
#[derive(clap::Args, Clone)]
pub struct Disk {
    /// Keep finished layers in a folder: memory may be less than the space takes, and the same command goes on after a stop
    #[arg(long, value_name = "DIR")]
    pub checkpoint: Option<PathBuf>,
    /// Write all positions into a table for `lookup` and `export`
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
}

impl From<Halt> for Failure {
    fn from(halt: Halt) -> Failure {
        match halt {
            Halt::Fault { message, help, scarce: true } => Failure { code: SPACE_LIMIT, ..Failure::input(message, help) },
            Halt::Fault { message, help, .. } => Failure::input(message, help),
            limit => Failure::stopped(limit.limit().unwrap_or(Limit::Time)),
        }
    }
}

/// The description of a board in files.
pub fn meta(entry: &Entry, puzzle: &dyn Puzzle, options: &[String], symmetry: bool) -> Meta {
    let meta = Meta::new(entry.name, puzzle.instance(), puzzle.state_bytes());
    let kibitzer = env!("CARGO_PKG_VERSION").to_owned();
    Meta { kibitzer, options: options.to_vec(), symmetry, grundy: puzzle.packed().has_grundy(), ..meta }
}

/// The processes that work together. `job` has the names and values that they must agree on.
pub fn setup(args: &ClusterArgs, job: Vec<(String, String)>, limits: &Limits) -> Result<Cluster, Failure> {
    let workers = args.workers.map_or(1, usize::from);
    let mut setup = Cluster { job, patience: Duration::from_secs(args.wait), ..Cluster::local(workers) };
    let Some(name) = &args.hosts else { return Ok(setup) };
    let text = input::read_all(input::open(name)?, name, limits)?;
    setup.hosts = read_hosts(&text)?;
    setup.process = args.process.unwrap_or(0);
    setup.bind.clone_from(&args.bind);
    let count = setup.hosts.len();
    if setup.process >= count {
        let message = format!("there is no process {} among {count} hosts", setup.process);
        return Err(Failure::input(message, format!("`--process` is 0 to {}", count - 1)));
    }
    if workers * count > BUCKETS {
        let message = format!("{} workers are too many", workers * count);
        return Err(Failure::input(message, format!("use at most {BUCKETS} in all")));
    }
    setup.lost = Arc::new(lost);
    setup.events.say = Arc::new(|text| output::note(&format!("note: {text}")));
    Ok(setup)
}

/// Ends the program: the engine cannot continue without one of its processes.
fn lost(process: usize, address: &str) {
    static SAID: AtomicBool = AtomicBool::new(false);
    if SAID.swap(true, Ordering::Relaxed) {
        loop {
            std::thread::park();
        }
    }
    let message = format!("process {process} at {address} is gone");
    let help = "start the same command again on every host; with `--checkpoint` it goes on after the last finished layer";
    let failure = Failure { code: SPACE_LIMIT, ..Failure::input(message, help) };
    failure.print();
    output::clean_up();
    std::process::exit(i32::from(failure.code));
}

/// Interval between notes about finished layers where there is no progress bar, as in the log of a job.
const NOTES: Duration = Duration::from_secs(10);
/// The number of positions from which counting again takes a while.
const MANY: u64 = 10_000_000;

/// Functions that show the progress of the engine. Finished layers are collected in `so_far`.
pub fn events(watch: &Watch, puzzle: &Arc<dyn Puzzle>, so_far: Option<Arc<SoFar>>) -> Events {
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

/// A space to explore.
pub struct ExploreTask<'a> {
    pub entry: &'static Entry,
    pub puzzle: &'a dyn Puzzle,
    pub options: &'a [String],
    pub cluster: &'a ClusterArgs,
    pub disk: &'a Disk,
    /// For two players: label every position.
    pub label: bool,
    pub events: Events,
    /// For exploring without symmetry, where that is needed.
    pub again: Events,
}

/// A whole space, and what lies deepest in it.
pub struct WholeSpace {
    pub exploration: Exploration,
    pub deepest: Vec<String>,
    pub sent: u64,
    pub messages: u64,
}

impl ExploreTask<'_> {
    pub fn run(&self, limits: &Limits) -> Result<WholeSpace, Failure> {
        let symmetric = self.puzzle.space(true).is_symmetric();
        let two = self.entry.players == 2;
        let (folder, table) = (self.disk.checkpoint.as_deref(), self.disk.table.as_deref());
        let found = self.explore(symmetric || !two, limits, folder, table, self.events.clone())?;
        let unfolded = found.explored.without_symmetry(symmetric || two, || {
            let beside = self.disk.checkpoint.as_ref().map(|folder| folder.join("without-symmetry"));
            let states = found.explored.total().states;
            if states > MANY {
                let states = count(states, "position");
                let note = "now they are counted without it, which takes up to eight times as long; Ctrl-C leaves it out";
                output::note(&format!("note: these are all {states} up to symmetry; {note}"));
            }
            self.explore(false, limits, beside.as_deref(), None, self.again.clone()).map(|plain| plain.explored)
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
        let meta = meta(self.entry, self.puzzle, self.options, symmetry);
        let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
        let job = vec![
            ("game".to_owned(), meta.game.clone()),
            ("board".to_owned(), meta.instance.clone()),
            ("set of options".to_owned(), meta.options.join(" ")),
            ("symmetry".to_owned(), yes(symmetry)),
            ("checkpoint".to_owned(), yes(folder.is_some())),
            ("table".to_owned(), yes(table.is_some())),
            ("labels".to_owned(), yes(self.label)),
        ];
        let mut setup = setup(self.cluster, job, limits)?;
        setup.events = Events { say: setup.events.say, ..events };
        let space = Arc::from(self.puzzle.space(symmetry));
        if folder.is_none() && table.is_none() && !self.label {
            return Ok(explore::explore(space, &setup, limits)?);
        }
        // Without `--checkpoint`, the work has a temporary folder.
        let temporary = match folder {
            Some(_) => None,
            None => Some(
                tempfile::tempdir()
                    .map_err(|error| Failure::input(format!("no folder for the work: {error}"), "name one with `--checkpoint`"))?,
            ),
        };
        let folder = folder.or(temporary.as_ref().map(tempfile::TempDir::path)).unwrap_or(Path::new("."));
        let job = disk::DiskJob { space, meta, folder: folder.to_owned(), label: self.label, table: table.map(Path::to_path_buf) };
        Ok(disk::explore(job, &setup, limits)?)
    }
}

/// A plan to search for.
pub struct SolveTask<'a> {
    pub entry: &'static Entry,
    pub puzzle: &'a dyn Puzzle,
    pub options: &'a [String],
    /// The name of a heuristic, the empty name for none; without a name the game chooses.
    pub heuristic: Option<&'a str>,
    /// Was no method asked for? Then a short proof that there is no plan is also an answer.
    pub free: bool,
    pub cluster: &'a ClusterArgs,
    pub checkpoint: Option<&'a Path>,
}

impl SolveTask<'_> {
    /// A plan of least cost, and how long it took to find.
    pub fn run(&self, name: &OnceLock<String>, limits: &Limits) -> Result<(Report, f64), Failure> {
        let puzzle = self.puzzle;
        let packed = puzzle.packed();
        let (found, mut guide) = packed.guide(self.heuristic)?;
        let method = found.map_or_else(|| "dijkstra".to_owned(), |heuristic| format!("astar:{heuristic}"));
        let _ = name.set(method.clone());
        let begun = Instant::now();
        guide.build(limits)?;
        let mut meta = meta(self.entry, puzzle, self.options, true);
        // Another method cannot use these layers.
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

/// Computes the row with a number.
type RowOf = dyn Fn(usize) -> Result<Option<String>, Failure> + Send + Sync;

/// Writes rows.
type WriteRows = dyn Fn(&str) -> std::io::Result<()> + Send + Sync;

/// The rows of a census, computed by the workers of many processes and written by the first.
pub struct CensusTask {
    /// The number of rows, and how many of them were written before. Only the first process has to know the second.
    pub count: usize,
    pub done: usize,
    /// Computes a row, with its line end; none if a limit was reached.
    pub row: Box<RowOf>,
    /// Writes rows, in order. Only the first worker calls it.
    pub write: Box<WriteRows>,
}

/// Rows of each worker between two times that they are collected: enough to even out hard and easy ones.
const EACH: usize = 32;
/// Bytes of rows that are on their way.
const ROUND: usize = 1 << 20;

impl CensusTask {
    /// Deals the rows out in turn, and returns the number of workers.
    pub fn run(self, args: &ClusterArgs, job: Vec<(String, String)>, limits: &Limits) -> Result<usize, Failure> {
        let setup = setup(args, job, limits)?;
        let CensusTask { count, done, row, write } = self;
        let limits_of_all = limits.clone();
        let row = move |number: usize| match row(number) {
            Ok(Some(row)) => Ok(row),
            Ok(None) => Err(limits_of_all.check().err().map_or_else(|| Halt::fault("a board has no row", "please report it"), Halt::from)),
            Err(failure) => Err(Halt::fault(failure.message, failure.help)),
        };
        communicator::run(&setup, limits, ROUND, move |comm| {
            let begin = comm.numbers(Ok(if comm.index == 0 { done as u64 } else { 0 }))?.into_iter().max().unwrap_or(0);
            let left: Vec<usize> = (begin as usize..count).collect();
            for some in left.chunks(EACH * comm.peers) {
                let mine = some.iter().skip(comm.index).step_by(comm.peers).map(|&number| row(number));
                let mine: Vec<u8> = comm.agree(mine.collect::<Result<String, Halt>>())?.into_bytes();
                comm.send(0, 0, 0, mine);
                let mut texts = vec![String::new(); comm.peers];
                comm.finish(&mut |parcel| {
                    let unreadable = |_| Halt::fault("rows cannot be read", "please report it");
                    texts[parcel.from as usize] = String::from_utf8(parcel.bytes).map_err(unreadable)?;
                    Ok(())
                })?;
                // The rows were dealt out in turn.
                let mut rows: Vec<_> = texts.iter().map(|text| text.split_inclusive('\n')).collect();
                let text: String = (0..some.len()).filter_map(|at| rows[at % comm.peers].next()).collect();
                let full =
                    |error: std::io::Error| Halt::scarce(format!("cannot write the census: {error}"), "check the place and the space left");
                comm.agree(if comm.index == 0 { write(&text).map_err(full) } else { Ok(()) })?;
            }
            Ok(())
        })?;
        Ok(setup.workers * setup.processes())
    }
}

/// A table and the board that it is about.
pub fn open_table(games: Games, path: &Path, position: Option<&str>) -> Result<(StateFile, Box<dyn Puzzle>), Failure> {
    let table = StateFile::open(path)?;
    let entry = input::find_game(games, &table.meta.game)?;
    let mut options = table.meta.options.clone();
    options.extend(position.map(|position| format!("position={position}")));
    let options = input::read_options(&options, entry.options)?;
    let puzzle = entry.parse(&table.meta.instance, &options).map_err(|error| Failure::reading(&path.display().to_string(), &error))?;
    if puzzle.state_bytes() != table.meta.width {
        let message = format!("{} was written by another version of the game ({})", path.display(), table.meta.kibitzer);
        return Err(Failure::input(message, "use the version of kibitzer that wrote it"));
    }
    Ok((table, puzzle))
}

/// Refuses one-player games, which have no labels.
pub fn needs_two(entry: &Entry) -> Result<(), Failure> {
    if entry.players == 2 {
        return Ok(());
    }
    let message = format!("{} is for one player: its positions have no winner", entry.name);
    Err(Failure::input(message, "`kibitzer explore` counts its positions, `kibitzer solve` finds the shortest plan"))
}
