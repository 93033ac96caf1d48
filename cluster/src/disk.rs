//! Explores a space with finished layers on disk: larger than memory, and resumable after a stop.
//!
//! A layer is read from its files, its successors are collected and sorted ([`super::frontier`]), and written as the files of the
//! next layer; then a manifest says so ([`super::checkpoint`]). Where states can come back, a new layer is merged against all
//! earlier ones: that is delayed duplicate detection, and exact whatever the graph. What is on disk depends on the space alone,
//! neither on the number of workers nor on how often memory was short or the run was stopped.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use kibitzer::limits::{Limit, Limits};
use kibitzer::report::{bytes, count};
use kibitzer::space::Space;

use super::block::STATES;
use super::checkpoint::{Filed, Folder, Manifest};
use super::communicator::{self, AHEAD, Communicator};
use super::expand::{CHUNK, Counted, Expander, ROUND, SharedProgress};
use super::explore::SpaceReport;
use super::frontier::DiskFrontier;
use super::label::{LabelFile, Labeler, LayerToLabel, agree};
use super::net::Cluster;
use super::pace::Pace;
use super::table::{FORMAT, Meta, StateFile, Writer};
use super::{Halt, route};

/// A space to explore, and where to keep it.
#[derive(Clone)]
pub struct DiskJob {
    pub space: Arc<dyn Space>,
    pub meta: Meta,
    pub folder: PathBuf,
    /// Find out what every position is worth; only for games of two players.
    pub label: bool,
    /// Write all states into one table, too.
    pub table: Option<PathBuf>,
}

/// Explores everything that can be reached. A limit is not an error: the checkpoint can be resumed.
pub fn explore(job: DiskJob, setup: &Cluster, limits: &Limits) -> Result<SpaceReport, Halt> {
    let (round, budget) = shares(setup, limits, job.meta.width)?;
    let (folder, held) = Folder::hold(&job.folder, setup.process)?;
    let shared = Arc::new(SharedProgress { tell: setup.tell.clone(), ..SharedProgress::default() });
    let (mine, limits_of_all, workers, process) = (Arc::clone(&shared), limits.clone(), setup.workers, setup.process);
    let parts = communicator::run(setup, limits, round, move |comm| {
        let explorer = DiskExplorer {
            job: &job,
            folder: &folder,
            limits: &limits_of_all,
            shared: &mine,
            budget,
            process,
            first: comm.index % workers == 0,
        };
        let mut found = explorer.explore(comm)?;
        (found.messages, found.sent) = (comm.messages, comm.bytes);
        Ok(found)
    })?;
    drop(held);
    let (messages, sent) = parts.iter().fold((0, 0), |(messages, sent), part| (messages + part.messages, sent + part.sent));
    let mut found = parts.into_iter().next().unwrap_or_default();
    found.explored.peak_bytes = shared.peak.load(Ordering::Relaxed);
    Ok(SpaceReport { messages, sent, ..found })
}

/// The smallest memory limit of a process that is kept: what readers, writers and messages of many workers take, without what is
/// allowed beyond every limit.
pub fn minimum(setup: &Cluster, width: usize) -> usize {
    let fixed = setup.workers * (WORKER + BLOCKS * STATES * width) + (setup.processes() - 1) * PROCESS;
    fixed.saturating_sub(ALLOWED).max(setup.workers * LEAST)
}

/// Bytes that a worker takes besides its states: stack, buffers of files, what its allocator keeps.
const WORKER: usize = 3 << 19;
/// Blocks of states that a worker decodes and encodes at a time, at least.
const BLOCKS: usize = 10;
/// Bytes that the connection to another process takes.
const PROCESS: usize = 4 << 20;
/// Bytes that a process may take beyond its limit, without those of the program itself.
const ALLOWED: usize = 12 << 20;
/// The smallest memory limit for a worker.
const LEAST: usize = 10_000;

/// The memory limit of a process, divided: bytes of a round of messages, and bytes that the states of each worker may take.
pub(super) fn shares(setup: &Cluster, limits: &Limits, width: usize) -> Result<(usize, usize), Halt> {
    let (workers, peers) = (setup.workers, setup.workers * setup.processes());
    let least = minimum(setup, width);
    if limits.bytes < least {
        let message = format!("{} is too little memory for {}", bytes(limits.bytes), count(workers as u64, "worker"));
        return Err(Halt::fault(message, format!("use at least `--memory {}k`, or fewer workers", least.div_ceil(1000))));
    }
    let round = (limits.bytes / 64 / workers).clamp(64 << 10, ROUND);
    // Parcels that are filled, and those under way. One worker alone sends none.
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
    /// Is this the first worker of its process?
    pub first: bool,
}

impl DiskExplorer<'_> {
    fn explore(&self, comm: &mut Communicator) -> Result<SpaceReport, Halt> {
        let ended = |manifest: &Manifest, limit: Limit| Ok(SpaceReport::new(&manifest.done, Some(limit), 0));
        let start = self.job.space.start();
        let mut manifest = self.resume(comm, self.job.space.layer(&start).unwrap_or(0))?;
        manifest.done.iter().for_each(|counted| self.tell(counted));
        let meta = &self.job.meta;
        let mine = route::buckets_of(comm.index, comm.peers);
        // Runs that the manifest names were written before it: with its number in their names, new ones are others.
        let name = format!("{}-{}-{}", manifest.sequence, self.process, comm.index);
        let mut frontier =
            DiskFrontier::new(self.folder.path.clone(), meta.clone(), Pace::new(self.limits, self.shared), mine.clone(), self.budget, name);
        let mut expander = Expander::new(&*self.job.space, self.limits, self.shared, usize::MAX);
        let layered = self.job.space.layer(&start).is_some();
        let open = |files: &[Filed], wanted: &dyn Fn(&Filed) -> bool| -> Result<Vec<(u32, StateFile)>, Halt> {
            let files = files.iter().filter(|file| wanted(file) && file.has(&mine));
            files.map(|file| Ok((file.layer, self.folder.open(&file.seal, meta)?))).collect()
        };
        let (layer, complete) = (manifest.layer, manifest.complete);
        // States may come back to any earlier layer.
        let mut known = agree(comm, open(&manifest.files, &|file| !complete && (file.layer == layer || !layered)))?;
        for (layer, run) in agree(comm, open(&manifest.ahead, &|_| !complete))? {
            frontier.add_run(layer, run);
        }
        let mut expanded: u64 = manifest.done.iter().map(|counted| counted.counts.states).sum();
        while !manifest.complete {
            let layer = manifest.layer;
            let tables: Vec<StateFile> = known.iter().filter(|(of, _)| *of == layer).map(|(_, table)| table.clone()).collect();
            let states: u64 = comm.reduce(&frontier.begin(layer, &tables))?.into_iter().sum();
            self.shared.open.store(expanded + states, Ordering::Relaxed);
            self.shared.expanded.fetch_max(expanded, Ordering::Relaxed);
            if expanded + states > self.limits.nodes {
                return ended(&manifest, Limit::Nodes);
            }
            self.stage("exploring");
            let counted = match expander.layer(layer, comm, &mut frontier) {
                Ok(counted) => counted,
                Err(why) => return why.limit().map_or(Err(why), |limit| ended(&manifest, limit)),
            };
            expanded += counted.counts.states;
            manifest.done.push(counted);
            let next = comm.reduce(&frontier.next())?.into_iter().flatten().min();
            if layered {
                known.clear();
            }
            self.stage("writing the next layer");
            let settled =
                next.map_or(Ok(None), |next| frontier.settle(next, &known)).and_then(|settled| Ok((settled, frontier.save_ahead()?)));
            let told =
                settled.as_ref().map(|(settled, ahead)| (settled.as_ref().map(|(file, _, count)| (file.clone(), *count)), ahead.clone()));
            let all = match comm.agree(told.map_err(Clone::clone)) {
                Ok(all) => all,
                Err(why) => {
                    manifest.done.pop();
                    return why.limit().map_or(Err(why), |limit| ended(&manifest, limit));
                }
            };
            let found: u64 = all.iter().filter_map(|(file, _)| file.as_ref().map(|(_, count)| *count)).sum();
            let files = all.iter().filter_map(|(file, _)| file.as_ref().filter(|(_, count)| *count > 0).map(|(file, _)| file.clone()));
            match next.filter(|_| found > 0) {
                Some(next) => {
                    manifest.layer = next;
                    manifest.files.extend(files);
                }
                None => manifest.complete = true,
            }
            manifest.ahead = all.iter().flat_map(|(_, ahead)| ahead.clone()).collect();
            // After a start with another number of workers, several have the same run.
            manifest.ahead.sort_by(|a, b| a.seal.name.cmp(&b.seal.name));
            manifest.ahead.dedup();
            manifest.sequence += 1;
            self.commit(comm, &manifest)?;
            manifest.done.last().into_iter().for_each(|counted| self.tell(counted));
            frontier.forget(&manifest.ahead);
            if let Ok((Some((file, table, _)), _)) = settled {
                known.push((file.layer, table));
            }
        }
        drop((frontier, expander));
        let mut sorted = 0;
        if self.job.label {
            match self.label(comm, &mut manifest) {
                Ok(layers) => sorted = layers,
                Err(why) => return why.limit().map_or(Err(why), |limit| ended(&manifest, limit)),
            }
        }
        if self.job.table.is_some()
            && let Err(why) = self.assemble(comm, &manifest)
        {
            return why.limit().map_or(Err(why), |limit| ended(&manifest, limit));
        }
        let labeled = self.job.label.then(|| manifest.labeled.iter().rev().copied().collect());
        Ok(SpaceReport { labeled, sorted, ..SpaceReport::new(&manifest.done, None, 0) })
    }

    /// Says what is being done.
    fn stage(&self, what: &str) {
        if self.first {
            Pace::new(self.limits, self.shared).begin(what);
        }
    }

    /// Says that a layer is finished.
    fn tell(&self, counted: &Counted) {
        if self.first {
            (self.shared.tell.layer)(&counted.counts);
        }
    }

    /// Labels all layers, from the last to the first, and says for how many memory was short.
    fn label(&self, comm: &mut Communicator, manifest: &mut Manifest) -> Result<u32, Halt> {
        self.stage("labeling");
        let mine = route::buckets_of(comm.index, comm.peers);
        let meta = Meta { labels: true, ..self.job.meta.clone() };
        let open = |files: &[Filed], of: Option<u32>| -> Result<Vec<(u32, StateFile)>, Halt> {
            let files = files.iter().filter(|file| of.is_none_or(|layer| file.layer == layer) && file.has(&mine));
            files.map(|file| Ok((file.layer, self.folder.open(&file.seal, &meta)?))).collect()
        };
        let files = agree(comm, open(&manifest.labels, None))?;
        let mut labeler = Labeler::new(&*self.job.space, self.limits, self.shared, self.budget, &meta, files);
        // From here on, what is labeled is reported.
        let states = |done: &[Counted]| done.iter().map(|counted| counted.counts.states).sum::<u64>();
        self.shared.open.store(states(&manifest.done), Ordering::Relaxed);
        let labeled = &manifest.done[manifest.done.len() - manifest.labeled.len()..];
        self.shared.expanded.store(states(labeled), Ordering::Relaxed);
        while let Some((layer, reach)) =
            manifest.done.iter().rev().nth(manifest.labeled.len()).map(|counted| (counted.counts.layer, counted.reach))
        {
            let tables = agree(comm, open(&manifest.files, Some(layer)))?;
            let tables: Vec<StateFile> = tables.into_iter().map(|(_, table)| table).collect();
            let path = self.folder.path.join(format!("label-{layer:06}-{:03}-{:03}.kib", mine.start, mine.end));
            let file = LabelFile { path, meta: meta.clone(), buckets: mine.clone() };
            let (filed, counts) = labeler.layer(&LayerToLabel { layer, reach, tables: &tables }, file, comm)?;
            manifest.labels.extend(comm.reduce(&filed)?.into_iter().flatten());
            manifest.labeled.push(counts);
            manifest.sequence += 1;
            self.commit(comm, manifest)?;
        }
        Ok(labeler.sorted)
    }

    /// The newest manifest that all processes have, or the start as the states of a layer.
    pub fn resume(&self, comm: &mut Communicator, layer: u32) -> Result<Manifest, Halt> {
        let newest = comm.agree(self.folder.newest())?;
        let apart = || {
            let help = "give every process its own folder of the same run, or one shared folder";
            Halt::fault("the processes' checkpoint folders do not belong together", help)
        };
        // None is 0, manifest n is n + 1.
        let number = |newest: &Option<u32>| newest.map_or(0, |sequence| sequence + 1);
        let (least, most) = (newest.iter().map(number).min().unwrap_or(0), newest.iter().map(number).max().unwrap_or(0));
        if most - least > 1 {
            return Err(apart());
        }
        let manifest = match least.checked_sub(1) {
            Some(sequence) => {
                let all = comm.agree(self.folder.read(sequence, &self.job.meta))?;
                if all.iter().any(|other| *other != all[0]) {
                    return Err(apart());
                }
                all.into_iter().next()
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

    /// The first layer, which is the start.
    fn begin(&self, comm: &mut Communicator, layer: u32) -> Result<Manifest, Halt> {
        let start = self.job.space.start();
        let bucket = route::bucket(&start);
        let buckets = route::buckets_of(comm.index, comm.peers);
        let write = || -> Result<Option<Filed>, Halt> {
            if !buckets.contains(&bucket) {
                return Ok(None);
            }
            let path = self.folder.path.join(format!("layer-{layer:06}-{:03}-{:03}.kib", buckets.start, buckets.end));
            let mut writer = Writer::create(&path, &self.job.meta)?;
            writer.push(layer, bucket, &start)?;
            Ok(Some(Filed { layer, buckets: buckets.clone(), seal: writer.finish(true)? }))
        };
        let files = comm.agree(write())?.into_iter().flatten().collect();
        let meta = self.job.meta.clone();
        let manifest = Manifest {
            checkpoint: FORMAT,
            meta,
            sequence: 0,
            done: Vec::new(),
            layer,
            complete: false,
            files,
            ahead: Vec::new(),
            labels: Vec::new(),
            labeled: Vec::new(),
        };
        self.commit(comm, &manifest)?;
        Ok(manifest)
    }

    pub fn commit(&self, comm: &mut Communicator, manifest: &Manifest) -> Result<(), Halt> {
        let written = if self.first { self.folder.write(manifest, self.process) } else { Ok(()) };
        comm.agree(written).map(|_| ())
    }

    /// Sends all layers to the first worker, which writes them into one table, ordered by layer and bucket.
    fn assemble(&self, comm: &mut Communicator, manifest: &Manifest) -> Result<(), Halt> {
        let mine = route::buckets_of(comm.index, comm.peers);
        let Some(path) = &self.job.table else { return Ok(()) };
        let beside = path.with_extension("unfinished");
        let mut meta = Meta { labels: self.job.label, ..self.job.meta.clone() };
        meta.layers = manifest.done.iter().map(summary).collect();
        let all = if self.job.label { &manifest.labels } else { &manifest.files };
        let writer = if comm.index == 0 { Writer::create(&beside, &meta).map(Some) } else { Ok(None) };
        let mut writer = agree(comm, writer)?;
        self.stage("writing the table");
        let pace = Pace::new(self.limits, self.shared);
        for counted in &manifest.done {
            let files = all.iter().filter(|file| file.layer == counted.counts.layer && file.has(&mine));
            let tables = files.map(|file| self.folder.open(&file.seal, &self.job.meta)).collect::<Result<Vec<StateFile>, Halt>>();
            let tables = agree(comm, tables)?;
            for sender in 0..comm.peers {
                let layer = counted.counts.layer;
                let mut take = |parcel: communicator::Parcel| match &mut writer {
                    Some(writer) => writer.copy(layer, parcel.tag as usize, u64::from(parcel.count), &parcel.bytes.0),
                    None => Ok(()),
                };
                if sender == comm.index
                    && let Err(why) = send_segments(&tables, layer, mine.clone(), &pace, comm, &mut take)
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
        comm.agree(finished).map(|_| ())
    }
}

fn put_in_place(from: &Path, to: &Path) -> Result<(), Halt> {
    std::fs::rename(from, to).map_err(|error| super::table::cannot_write(to, &error))?;
    super::checkpoint::sync_folder(to.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")))
}

/// What was counted of a layer, for readers of a table.
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
    tables: &[StateFile],
    layer: u32,
    buckets: std::ops::Range<usize>,
    pace: &Pace,
    comm: &mut Communicator,
    take: &mut dyn FnMut(communicator::Parcel) -> Result<(), Halt>,
) -> Result<(), Halt> {
    for bucket in buckets {
        for table in tables {
            let Some(entry) = table.entry(layer, bucket) else { continue };
            let mut blocks = table.blocks(entry);
            while let Some((count, block)) = blocks.next_block()? {
                pace.look()?;
                comm.send(0, bucket as u32, count, block);
                comm.turn(take)?;
            }
        }
    }
    Ok(())
}
