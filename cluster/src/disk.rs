//! Explores a space with finished layers on disk, so that the space may be larger than memory and a stopped run can be resumed.
//!
//! A layer is read from its files. The successors of its states are collected and sorted ([`super::frontier`]) and written as the files of
//! the next layer. A manifest then records these files ([`super::checkpoint`]). If states can recur in later layers, each new layer is
//! compared with all earlier ones, and known states are dropped. This method is called delayed duplicate detection, and it is exact on any
//! graph. The states on disk depend only on the space, not on the number of workers, the memory limit, or interruptions.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use kibitzer::limits::{Limit, Limits};
use kibitzer::report::{bytes, count};
use kibitzer::space::Space;

use super::block::STATES;
use super::checkpoint::{Folder, LayerFile, Manifest};
use super::communicator::{self, AHEAD, Communicator};
use super::expand::{CHUNK, Counted, Expander, Frontier, ROUND, SharedProgress};
use super::explore::{SpaceReport, single};
use super::frontier::DiskFrontier;
use super::label::{LabelFile, Labeler, LayerToLabel, Rounds};
use super::monitor::Monitor;
use super::net::Cluster;
use super::table::{Meta, StateFile, Writer};
use super::{Halt, route};

/// A space to explore, and the folder to store it in.
#[derive(Clone)]
pub struct DiskJob {
    pub space: Arc<dyn Space>,
    pub meta: Meta,
    pub folder: PathBuf,
    /// True if every position is labeled; only for two-player games.
    pub label: bool,
    /// The file for a table of all states, if one is requested.
    pub table: Option<PathBuf>,
}

/// Explores all reachable states. Reaching a limit is not an error, because the checkpoint can be resumed.
pub fn explore(job: DiskJob, setup: &Cluster, limits: &Limits) -> Result<SpaceReport, Halt> {
    let shared = Arc::new(SharedProgress { events: setup.events.clone(), ..SharedProgress::default() });
    let parts = run(job, Arc::clone(&shared), setup, limits, |explorer, comm| {
        let mut found = explorer.explore(comm)?;
        (found.messages, found.sent) = (comm.messages, comm.bytes);
        Ok(found)
    })?;
    Ok(SpaceReport::of_process(parts, &shared))
}

/// Runs `work` on all workers, in the job's folder.
pub(super) fn run<T: Send + 'static>(
    job: DiskJob,
    shared: Arc<SharedProgress>,
    setup: &Cluster,
    limits: &Limits,
    work: impl Fn(&DiskExplorer, &mut Communicator) -> Result<T, Halt> + Send + Sync + 'static,
) -> Result<Vec<T>, Halt> {
    let (round, budget) = shares(setup, limits, job.meta.width)?;
    let folder = Folder::hold(&job.folder, setup.process)?;
    let (limits_of_all, workers, process) = (limits.clone(), setup.workers, setup.process);
    communicator::run(setup, limits, round, move |comm| {
        let first = comm.index % workers == 0;
        let explorer = DiskExplorer { job: &job, folder: &folder, limits: &limits_of_all, shared: &shared, budget, process, first };
        work(&explorer, comm)
    })
}

/// The smallest memory limit that a process can stay within: the bytes for its workers' readers, writers and messages, minus the bytes
/// allowed beyond any limit.
pub fn minimum(setup: &Cluster, width: usize) -> usize {
    let fixed = setup.workers * (WORKER + BLOCKS * STATES * width) + (setup.processes() - 1) * PROCESS;
    fixed.saturating_sub(ALLOWED).max(setup.workers * LEAST)
}

/// Bytes that a worker needs besides its states: for its stack, file buffers, and memory kept by the allocator.
const WORKER: usize = 3 << 19;
/// Minimum number of state blocks that a worker decodes and encodes at a time.
const BLOCKS: usize = 10;
/// Bytes that the connection to another process needs.
const PROCESS: usize = 4 << 20;
/// Bytes that a process may use beyond its limit, not counting the program itself.
const ALLOWED: usize = 12 << 20;
/// The minimum memory limit per worker, in bytes.
const LEAST: usize = 10_000;

/// Divides the memory limit of a process. Returns the size of a message round and the maximum size of a worker's states, in bytes.
fn shares(setup: &Cluster, limits: &Limits, width: usize) -> Result<(usize, usize), Halt> {
    let (workers, peers) = (setup.workers, setup.workers * setup.processes());
    let least = minimum(setup, width);
    if limits.bytes < least {
        let message = format!("{} is too little memory for {}", bytes(limits.bytes), count(workers as u64, "worker"));
        return Err(Halt::fault(message, format!("use at least `--memory {}k`, or fewer workers", least.div_ceil(1000))));
    }
    let round = (limits.bytes / 64 / workers).clamp(64 << 10, ROUND);
    // The bytes of parcels that are being filled or are in transit. A single worker sends no parcels.
    let in_flight = if peers > 1 { workers * peers * CHUNK + (AHEAD as usize + 1) * round * peers } else { 0 };
    Ok((round, (limits.bytes - in_flight.min(limits.bytes / 4)) / workers))
}

pub(super) struct DiskExplorer<'a> {
    pub job: &'a DiskJob,
    pub folder: &'a Folder,
    pub limits: &'a Limits,
    pub shared: &'a Arc<SharedProgress>,
    pub budget: usize,
    pub process: usize,
    /// True for the first worker of its process.
    pub first: bool,
}

impl DiskExplorer<'_> {
    fn explore(&self, comm: &mut Communicator) -> Result<SpaceReport, Halt> {
        let mut manifest = Manifest::new(self.job.meta.clone());
        match self.all_stages(comm, &mut manifest) {
            Ok(sorted) => {
                let labeled = self.job.label.then(|| manifest.labeled.iter().rev().copied().collect());
                Ok(SpaceReport { labeled, sorted, ..SpaceReport::new(&manifest.done, None) })
            }
            Err(why) => why.limit().map(|limit| SpaceReport::new(&manifest.done, Some(limit))).ok_or(why),
        }
    }

    /// Explores the space and, if the job requests it, labels the positions and writes the table. Returns the number of layers that
    /// were labeled by sorting. After an error, the manifest contains the finished layers.
    fn all_stages(&self, comm: &mut Communicator, manifest: &mut Manifest) -> Result<u32, Halt> {
        let layer = self.job.space.layer(&self.job.space.start());
        *manifest = self.resume(comm, layer.unwrap_or(0))?;
        manifest.done.iter().for_each(|counted| self.report_layer(counted));
        if !manifest.complete {
            self.expand_layers(comm, manifest, layer.is_some())?;
        }
        let sorted = if self.job.label { self.label(comm, manifest)? } else { 0 };
        if let Some(path) = &self.job.table {
            self.assemble(comm, manifest, path)?;
        }
        Ok(sorted)
    }

    /// Expands the unfinished layers. `layered` means that no state recurs in a later layer.
    fn expand_layers(&self, comm: &mut Communicator, manifest: &mut Manifest, layered: bool) -> Result<(), Halt> {
        let layer = manifest.layer;
        let mut known = self.open(comm, &manifest.files, &|of| of == layer || !layered)?;
        let mut frontier = self.frontier(comm, manifest)?;
        let mut expander = Expander::new(&*self.job.space, self.limits, self.shared, usize::MAX);
        let mut expanded: u64 = manifest.done.iter().map(|counted| counted.counts.states).sum();
        while !manifest.complete {
            let layer = manifest.layer;
            let states = comm.sum(frontier.begin(layer, &known))?;
            self.shared.open.store(expanded + states, Ordering::Relaxed);
            self.shared.expanded.fetch_max(expanded, Ordering::Relaxed);
            if expanded + states > self.limits.nodes {
                return Err(Limit::Nodes.into());
            }
            self.stage("exploring");
            let counted = expander.layer(layer, comm, &mut frontier)?;
            expanded += counted.counts.states;
            let next = comm.least(frontier.next())?;
            if layered {
                known.clear();
            }
            self.stage("writing the next layer");
            let (files, table) = match next {
                Some(next) => settle(next, &known, &mut frontier, comm)?,
                None => Default::default(),
            };
            let ahead = comm.collect(frontier.save_ahead())?;
            match next.filter(|_| !files.is_empty()) {
                Some(next) => {
                    known.extend(table);
                    manifest.layer = next;
                    manifest.files.extend(files);
                }
                None => manifest.complete = true,
            }
            manifest.done.push(counted);
            self.commit_ahead(comm, manifest, ahead, &mut frontier)?;
            manifest.done.last().into_iter().for_each(|counted| self.report_layer(counted));
        }
        Ok(())
    }

    /// Opens the files that contain states of this worker in the wanted layers.
    pub fn open(&self, comm: &mut Communicator, files: &[LayerFile], wanted: &dyn Fn(u32) -> bool) -> Result<Vec<(u32, StateFile)>, Halt> {
        let mine = route::buckets_of(comm.index, comm.peers);
        let files = files.iter().filter(|file| wanted(file.layer) && file.has(&mine));
        comm.agree(files.map(|file| Ok((file.layer, self.folder.open(&file.seal, &self.job.meta)?))).collect())
    }

    /// This worker's frontier, with the runs of later layers that a manifest lists.
    pub fn frontier(&self, comm: &mut Communicator, manifest: &Manifest) -> Result<DiskFrontier, Halt> {
        // The names of new runs contain the manifest's number, so they differ from all names that the manifest lists.
        let name = format!("{}-{}-{}", manifest.sequence, self.process, comm.index);
        let mut frontier = self.reader(comm, self.budget, name);
        for (layer, run) in self.open(comm, &manifest.ahead, &|_| true)? {
            frontier.add_run(layer, run);
        }
        Ok(frontier)
    }

    /// A frontier without runs.
    pub fn reader(&self, comm: &Communicator, budget: usize, name: String) -> DiskFrontier {
        let (monitor, mine) = (Monitor::new(self.limits, self.shared), route::buckets_of(comm.index, comm.peers));
        DiskFrontier::new(self.folder.path.clone(), self.job.meta.clone(), monitor, mine, budget, name)
    }

    fn stage(&self, what: &str) {
        if self.first {
            Monitor::new(self.limits, self.shared).begin(what);
        }
    }

    fn report_layer(&self, counted: &Counted) {
        if self.first {
            (self.shared.events.layer)(&counted.counts);
        }
    }

    /// Labels all layers, from the last to the first, and returns the number of layers for which memory was short.
    fn label(&self, comm: &mut Communicator, manifest: &mut Manifest) -> Result<u32, Halt> {
        self.stage("labeling");
        if self.job.space.layer(&self.job.space.start()).is_none() {
            return self.label_in_rounds(comm, manifest).map(|()| 0);
        }
        let mine = route::buckets_of(comm.index, comm.peers);
        let meta = Meta { labels: true, ..self.job.meta.clone() };
        let files = self.open(comm, &manifest.labels, &|_| true)?;
        let mut labeler = Labeler::new(&*self.job.space, self.limits, self.shared, self.budget, &meta, files);
        // From here on, labeled positions are reported as expanded.
        let states = |done: &[Counted]| done.iter().map(|counted| counted.counts.states).sum::<u64>();
        self.shared.open.store(states(&manifest.done), Ordering::Relaxed);
        let labeled = &manifest.done[manifest.done.len() - manifest.labeled.len()..];
        self.shared.expanded.store(states(labeled), Ordering::Relaxed);
        while let Some((layer, reach)) =
            manifest.done.iter().rev().nth(manifest.labeled.len()).map(|counted| (counted.counts.layer, counted.reach))
        {
            let tables = self.open(comm, &manifest.files, &|of| of == layer)?;
            let path = self.folder.path.join(format!("label-{layer:06}-{:03}-{:03}.kib", mine.start, mine.end));
            let file = LabelFile { path, meta: meta.clone(), buckets: mine.clone() };
            let (written, counts) = labeler.layer(&LayerToLabel { layer, reach, tables: &tables }, file, comm)?;
            manifest.labels.extend(comm.collect(Ok(written))?.concat());
            manifest.labeled.push(counts);
            manifest.sequence += 1;
            self.commit(comm, manifest)?;
        }
        Ok(labeler.sorted)
    }

    /// Labels all layers together, because positions can repeat. If this is stopped, it starts over.
    fn label_in_rounds(&self, comm: &mut Communicator, manifest: &mut Manifest) -> Result<(), Halt> {
        let layers: Vec<u32> = manifest.done.iter().map(|counted| counted.counts.layer).collect();
        if manifest.labeled.len() == layers.len() {
            return Ok(());
        }
        self.shared.open.store(manifest.done.iter().map(|counted| counted.counts.states).sum(), Ordering::Relaxed);
        self.shared.expanded.store(0, Ordering::Relaxed);
        let buckets = route::buckets_of(comm.index, comm.peers);
        let tables = self.open(comm, &manifest.files, &|_| true)?;
        let rounds = Rounds { space: &*self.job.space, limits: self.limits, shared: self.shared, budget: self.budget, buckets };
        let meta = Meta { labels: true, ..self.job.meta.clone() };
        let (files, counts) = rounds.label(&layers, &tables, &self.folder.path, &meta, comm)?;
        manifest.labels = comm.collect(Ok(files))?.concat();
        manifest.labeled = counts.into_iter().rev().collect();
        manifest.sequence += 1;
        self.commit(comm, manifest)
    }

    /// The newest manifest that all processes have, or a new one in which `layer` contains the start.
    pub fn resume(&self, comm: &mut Communicator, layer: u32) -> Result<Manifest, Halt> {
        // The number 0 means that there is no manifest, and n + 1 means manifest n.
        let newest = comm.collect(self.folder.newest().map(|newest| newest.map_or(0, |sequence| sequence + 1)))?;
        let apart = || {
            let help = "give every process its own folder from the same run, or give all of them one shared folder";
            Halt::fault("the processes' checkpoint folders do not belong together", help)
        };
        let (least, most) = (newest.iter().copied().min().unwrap_or(0), newest.iter().copied().max().unwrap_or(0));
        if most - least > 1 {
            return Err(apart());
        }
        let manifest = match least.checked_sub(1) {
            Some(sequence) => {
                let (manifest, sum) = comm.agree(self.folder.read(sequence, &self.job.meta))?;
                if comm.collect(Ok(sum))?.iter().any(|other| *other != sum) {
                    return Err(apart());
                }
                Some(manifest)
            }
            None => None,
        };
        let cleaned = if self.first { self.folder.clean(manifest.as_ref()) } else { Ok(()) };
        comm.agree(cleaned)?;
        match manifest {
            Some(manifest) => Ok(manifest),
            None => self.begin(comm, layer),
        }
    }

    /// Writes the first layer, which contains only the start.
    fn begin(&self, comm: &mut Communicator, layer: u32) -> Result<Manifest, Halt> {
        let start = self.job.space.start();
        let mut frontier = self.reader(comm, 0, String::new());
        let put = match route::owner(route::bucket(&start), comm.peers) == comm.index {
            true => frontier.put(layer, &single(&start), 0..1),
            false => Ok(()),
        };
        comm.agree(put)?;
        let (files, _) = settle(layer, &[], &mut frontier, comm)?;
        let manifest = Manifest { layer, files, ..Manifest::new(self.job.meta.clone()) };
        self.commit(comm, &manifest)?;
        Ok(manifest)
    }

    pub fn commit(&self, comm: &mut Communicator, manifest: &Manifest) -> Result<(), Halt> {
        let written = if self.first { self.folder.write(manifest, self.process) } else { Ok(()) };
        comm.agree(written)
    }

    /// Writes the manifest with the files of later layers, and removes runs that no manifest lists.
    pub fn commit_ahead(
        &self,
        comm: &mut Communicator,
        manifest: &mut Manifest,
        ahead: Vec<Vec<LayerFile>>,
        frontier: &mut DiskFrontier,
    ) -> Result<(), Halt> {
        manifest.ahead = ahead.concat();
        // If the run was restarted with a different number of workers, several workers may list the same file.
        manifest.ahead.sort_by(|a, b| a.seal.name.cmp(&b.seal.name));
        manifest.ahead.dedup();
        manifest.sequence += 1;
        self.commit(comm, manifest)?;
        frontier.forget(&manifest.ahead);
        Ok(())
    }

    /// Sends all layers to the first worker, which writes them into one table, ordered by layer and bucket.
    fn assemble(&self, comm: &mut Communicator, manifest: &Manifest, path: &Path) -> Result<(), Halt> {
        let mine = route::buckets_of(comm.index, comm.peers);
        let beside = path.with_extension("unfinished");
        let mut meta = Meta { labels: self.job.label, ..self.job.meta.clone() };
        meta.layers = manifest.done.iter().map(summary).collect();
        let all = if self.job.label { &manifest.labels } else { &manifest.files };
        let writer = if comm.index == 0 { Writer::create(&beside, &meta).map(Some) } else { Ok(None) };
        let mut writer = comm.agree(writer)?;
        self.stage("writing the table");
        let monitor = Monitor::new(self.limits, self.shared);
        for counted in &manifest.done {
            let layer = counted.counts.layer;
            let tables = self.open(comm, all, &|of| of == layer)?;
            for sender in 0..comm.peers {
                let mut take = |parcel: communicator::Parcel| match &mut writer {
                    Some(writer) => writer.copy(layer, parcel.tag as usize, u64::from(parcel.count), &parcel.bytes),
                    None => Ok(()),
                };
                if sender == comm.index
                    && let Err(why) = send_segments(&tables, layer, mine.clone(), &monitor, comm, &mut take)
                {
                    comm.stop(why);
                }
                comm.finish(&mut take)?;
            }
        }
        let finished = match writer {
            Some(writer) => writer.finish(true).and_then(|_| put_in_place(&beside, path)),
            None => Ok(()),
        };
        comm.agree(finished)
    }
}

/// All workers' files for a layer, and this worker's own file, already open.
type Settled = (Vec<LayerFile>, Option<(u32, StateFile)>);

/// Calls [`DiskFrontier::settle`] on all workers.
pub(super) fn settle(
    layer: u32,
    earlier: &[(u32, StateFile)],
    frontier: &mut DiskFrontier,
    comm: &mut Communicator,
) -> Result<Settled, Halt> {
    let (file, table): (Vec<LayerFile>, Vec<StateFile>) = comm.agree(frontier.settle(layer, earlier))?.into_iter().unzip();
    Ok((comm.collect(Ok(file))?.concat(), table.into_iter().next().map(|table| (layer, table))))
}

fn put_in_place(from: &Path, to: &Path) -> Result<(), Halt> {
    std::fs::rename(from, to).map_err(|error| super::table::cannot_write(to, &error))?;
    super::checkpoint::sync_folder(to.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")))
}

/// The counts of a layer, for readers of a table.
pub fn summary(counted: &Counted) -> serde_json::Value {
    serde_json::json!({
        "layer": counted.counts.layer,
        "positions": counted.counts.states,
        "unfolded": counted.counts.unfolded,
        "goals": counted.counts.goals,
        "dead_ends": counted.counts.dead_ends,
        "moves": counted.counts.moves,
    })
}

/// Sends the segments of a layer to the first worker, block by block.
fn send_segments(
    tables: &[(u32, StateFile)],
    layer: u32,
    buckets: std::ops::Range<usize>,
    monitor: &Monitor,
    comm: &mut Communicator,
    take: &mut dyn FnMut(communicator::Parcel) -> Result<(), Halt>,
) -> Result<(), Halt> {
    for bucket in buckets {
        for (_, table) in tables {
            let Some(entry) = table.entry(layer, bucket) else { continue };
            let mut cursor = table.cursor(entry);
            while let Some((count, block)) = cursor.next_block()? {
                monitor.check()?;
                comm.send(0, bucket as u32, count, block);
                comm.turn(take)?;
            }
        }
    }
    Ok(())
}
