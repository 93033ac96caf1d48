//! A walk through a space with finished layers on disk: larger than memory, and to be gone on with after it was stopped.
//!
//! A layer is read from its files, its successors are collected and sorted ([`super::shelf`]), and written as the files of the
//! next layer; then a manifest says so ([`super::checkpoint`]). Where states can come back, a new layer is merged against all
//! earlier ones: that is delayed duplicate detection, and exact whatever the graph. What is on disk depends on the space alone,
//! neither on the number of workers nor on how often memory was short or the run was stopped.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use kibitzer::limits::{Limit, Limits};
use kibitzer::space::Space;

use super::checkpoint::{Filed, Folder, Manifest};
use super::crew::{self, Crew};
use super::expand::{Counted, Expander, ROUND, Shared};
use super::label::{LabelFile, Labeler, Layer, agree};
use super::net::Setup;
use super::pace::Pace;
use super::shelf::OnDisk;
use super::table::{FORMAT, Meta, Table, Writer};
use super::walk::Walked;
use super::{Halt, route};

/// What to walk through, and where.
#[derive(Clone)]
pub struct Job {
    pub space: Arc<dyn Space>,
    pub meta: Meta,
    pub folder: PathBuf,
    /// Find out what every position is worth; only for games of two players.
    pub label: bool,
    /// Write all states into one table, too.
    pub table: Option<PathBuf>,
}

/// Walks through everything that can be reached. A limit is no error: the checkpoint is there to be gone on with.
pub fn walk(job: Job, setup: &Setup, limits: &Limits) -> Result<Walked, Halt> {
    let (folder, held) = Folder::hold(&job.folder, setup.process)?;
    let shared = Arc::new(Shared { tell: setup.tell.clone(), ..Shared::default() });
    let (round, budget) = shares(setup, limits);
    let (mine, limits_of_all, workers, process) = (Arc::clone(&shared), limits.clone(), setup.workers, setup.process);
    let parts = crew::run(setup, limits, round, move |crew| {
        let walker =
            Walker { job: &job, folder: &folder, limits: &limits_of_all, shared: &mine, budget, process, first: crew.index % workers == 0 };
        let mut found = walker.walk(crew)?;
        (found.messages, found.sent) = (crew.messages, crew.bytes);
        Ok(found)
    })?;
    drop(held);
    let (messages, sent) = parts.iter().fold((0, 0), |(messages, sent), part| (messages + part.messages, sent + part.sent));
    let mut found = parts.into_iter().next().unwrap_or_default();
    found.explored.peak_bytes = shared.peak.load(Ordering::Relaxed);
    Ok(Walked { messages, sent, ..found })
}

/// Bytes of a round, and bytes that each worker of this process may hold.
pub(super) fn shares(setup: &Setup, limits: &Limits) -> (usize, usize) {
    let round = (limits.bytes / 64 / setup.workers).clamp(64 << 10, ROUND);
    let queues = (4 * round * setup.workers * setup.processes()).min(limits.bytes / 4);
    (round, (limits.bytes - queues) / setup.workers)
}

pub(super) struct Walker<'a> {
    pub job: &'a Job,
    pub folder: &'a Folder,
    pub limits: &'a Limits,
    pub shared: &'a Arc<Shared>,
    pub budget: usize,
    pub process: usize,
    /// Is this the first worker of its process?
    pub first: bool,
}

impl Walker<'_> {
    fn walk(&self, crew: &mut Crew) -> Result<Walked, Halt> {
        let ended = |manifest: &Manifest, limit: Limit| Ok(Walked::new(&manifest.done, Some(limit), 0));
        let start = self.job.space.start();
        let mut manifest = self.resume(crew, self.job.space.layer(&start).unwrap_or(0))?;
        manifest.done.iter().for_each(|counted| self.tell(counted));
        let meta = &self.job.meta;
        let mine = route::buckets_of(crew.index, crew.peers);
        // Runs that the manifest names were written before it: with its number in their names, new ones are others.
        let name = format!("{}-{}-{}", manifest.sequence, self.process, crew.index);
        let mut shelf =
            OnDisk::new(self.folder.path.clone(), meta.clone(), Pace::new(self.limits, self.shared), mine.clone(), self.budget, name);
        let mut expander = Expander::new(&*self.job.space, self.limits, self.shared, usize::MAX);
        let layered = self.job.space.layer(&start).is_some();
        let open = |files: &[Filed], wanted: &dyn Fn(&Filed) -> bool| -> Result<Vec<(u32, Table)>, Halt> {
            let files = files.iter().filter(|file| wanted(file) && file.has(&mine));
            files.map(|file| Ok((file.layer, self.folder.open(&file.seal, meta)?))).collect()
        };
        let (layer, complete) = (manifest.layer, manifest.complete);
        // States may come back to any earlier layer.
        let mut known = agree(crew, open(&manifest.files, &|file| !complete && (file.layer == layer || !layered)))?;
        for (layer, run) in agree(crew, open(&manifest.ahead, &|_| !complete))? {
            shelf.add_run(layer, run);
        }
        let mut expanded: u64 = manifest.done.iter().map(|counted| counted.counts.states).sum();
        while !manifest.complete {
            let layer = manifest.layer;
            let tables: Vec<Table> = known.iter().filter(|(of, _)| *of == layer).map(|(_, table)| table.clone()).collect();
            let states: u64 = crew.reduce(&shelf.begin(layer, &tables))?.into_iter().sum();
            self.shared.open.store(expanded + states, Ordering::Relaxed);
            self.shared.expanded.fetch_max(expanded, Ordering::Relaxed);
            if expanded + states > self.limits.nodes {
                return ended(&manifest, Limit::Nodes);
            }
            self.stage("exploring");
            let counted = match expander.layer(layer, crew, &mut shelf) {
                Ok(counted) => counted,
                Err(why) => return why.limit().map_or(Err(why), |limit| ended(&manifest, limit)),
            };
            expanded += counted.counts.states;
            manifest.done.push(counted);
            let next = crew.reduce(&shelf.next())?.into_iter().flatten().min();
            if layered {
                known.clear();
            }
            self.stage("writing the next layer");
            let settled = next.map_or(Ok(None), |next| shelf.settle(next, &known)).and_then(|settled| Ok((settled, shelf.save_ahead()?)));
            let told =
                settled.as_ref().map(|(settled, ahead)| (settled.as_ref().map(|(file, _, count)| (file.clone(), *count)), ahead.clone()));
            let all = match crew.agree(told.map_err(Clone::clone)) {
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
            self.commit(crew, &manifest)?;
            manifest.done.last().into_iter().for_each(|counted| self.tell(counted));
            shelf.forget(&manifest.ahead);
            if let Ok((Some((file, table, _)), _)) = settled {
                known.push((file.layer, table));
            }
        }
        drop((shelf, expander));
        let mut sorted = 0;
        if self.job.label {
            match self.label(crew, &mut manifest) {
                Ok(layers) => sorted = layers,
                Err(why) => return why.limit().map_or(Err(why), |limit| ended(&manifest, limit)),
            }
        }
        if self.job.table.is_some()
            && let Err(why) = self.assemble(crew, &manifest)
        {
            return why.limit().map_or(Err(why), |limit| ended(&manifest, limit));
        }
        let labeled = self.job.label.then(|| manifest.labeled.iter().rev().copied().collect());
        Ok(Walked { labeled, sorted, ..Walked::new(&manifest.done, None, 0) })
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
    fn label(&self, crew: &mut Crew, manifest: &mut Manifest) -> Result<u32, Halt> {
        self.stage("labeling");
        let mine = route::buckets_of(crew.index, crew.peers);
        let meta = Meta { labels: true, ..self.job.meta.clone() };
        let open = |files: &[Filed], of: Option<u32>| -> Result<Vec<(u32, Table)>, Halt> {
            let files = files.iter().filter(|file| of.is_none_or(|layer| file.layer == layer) && file.has(&mine));
            files.map(|file| Ok((file.layer, self.folder.open(&file.seal, &meta)?))).collect()
        };
        let files = agree(crew, open(&manifest.labels, None))?;
        let mut labeler = Labeler::new(&*self.job.space, self.limits, self.shared, self.budget, &meta, files);
        // From here on, what is labeled is reported.
        let states = |done: &[Counted]| done.iter().map(|counted| counted.counts.states).sum::<u64>();
        self.shared.open.store(states(&manifest.done), Ordering::Relaxed);
        let labeled = &manifest.done[manifest.done.len() - manifest.labeled.len()..];
        self.shared.expanded.store(states(labeled), Ordering::Relaxed);
        while let Some((layer, reach)) =
            manifest.done.iter().rev().nth(manifest.labeled.len()).map(|counted| (counted.counts.layer, counted.reach))
        {
            let tables = agree(crew, open(&manifest.files, Some(layer)))?;
            let tables: Vec<Table> = tables.into_iter().map(|(_, table)| table).collect();
            let path = self.folder.path.join(format!("label-{layer:06}-{:03}-{:03}.kib", mine.start, mine.end));
            let file = LabelFile { path, meta: meta.clone(), buckets: mine.clone() };
            let (filed, counts) = labeler.layer(&Layer { layer, reach, tables: &tables }, file, crew)?;
            manifest.labels.extend(crew.reduce(&filed)?.into_iter().flatten());
            manifest.labeled.push(counts);
            manifest.sequence += 1;
            self.commit(crew, manifest)?;
        }
        Ok(labeler.sorted)
    }

    /// The newest manifest that all processes have, or the start as the states of a layer.
    pub fn resume(&self, crew: &mut Crew, layer: u32) -> Result<Manifest, Halt> {
        let newest = crew.agree(self.folder.newest())?;
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
                let all = crew.agree(self.folder.read(sequence, &self.job.meta))?;
                if all.iter().any(|other| *other != all[0]) {
                    return Err(apart());
                }
                all.into_iter().next()
            }
            None => None,
        };
        let cleaned = if self.first { self.folder.clean(manifest.as_ref()) } else { Ok(()) };
        crew.agree(cleaned)?;
        match manifest {
            Some(manifest) => Ok(manifest),
            None => self.begin(crew, layer),
        }
    }

    /// The first layer, which is the start.
    fn begin(&self, crew: &mut Crew, layer: u32) -> Result<Manifest, Halt> {
        let start = self.job.space.start();
        let bucket = route::bucket(&start);
        let buckets = route::buckets_of(crew.index, crew.peers);
        let write = || -> Result<Option<Filed>, Halt> {
            if !buckets.contains(&bucket) {
                return Ok(None);
            }
            let path = self.folder.path.join(format!("layer-{layer:06}-{:03}-{:03}.kib", buckets.start, buckets.end));
            let mut writer = Writer::create(&path, &self.job.meta)?;
            writer.push(layer, bucket, &start)?;
            Ok(Some(Filed { layer, buckets: buckets.clone(), seal: writer.finish(true)? }))
        };
        let files = crew.agree(write())?.into_iter().flatten().collect();
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
        self.commit(crew, &manifest)?;
        Ok(manifest)
    }

    pub fn commit(&self, crew: &mut Crew, manifest: &Manifest) -> Result<(), Halt> {
        let written = if self.first { self.folder.write(manifest, self.process) } else { Ok(()) };
        crew.agree(written).map(|_| ())
    }

    /// Sends all layers to the first worker, which writes them into one table, ordered by layer and bucket.
    fn assemble(&self, crew: &mut Crew, manifest: &Manifest) -> Result<(), Halt> {
        let mine = route::buckets_of(crew.index, crew.peers);
        let Some(path) = &self.job.table else { return Ok(()) };
        let beside = path.with_extension("unfinished");
        let mut meta = Meta { labels: self.job.label, ..self.job.meta.clone() };
        meta.layers = manifest.done.iter().map(summary).collect();
        let all = if self.job.label { &manifest.labels } else { &manifest.files };
        let writer = if crew.index == 0 { Writer::create(&beside, &meta).map(Some) } else { Ok(None) };
        let mut writer = agree(crew, writer)?;
        self.stage("writing the table");
        let pace = Pace::new(self.limits, self.shared);
        for counted in &manifest.done {
            let files = all.iter().filter(|file| file.layer == counted.counts.layer && file.has(&mine));
            let tables = files.map(|file| self.folder.open(&file.seal, &self.job.meta)).collect::<Result<Vec<Table>, Halt>>();
            let tables = agree(crew, tables)?;
            for sender in 0..crew.peers {
                let layer = counted.counts.layer;
                let mut take = |parcel: crew::Parcel| match &mut writer {
                    Some(writer) => writer.copy(layer, parcel.tag as usize, u64::from(parcel.count), &parcel.bytes.0),
                    None => Ok(()),
                };
                if sender == crew.index
                    && let Err(why) = send_segments(&tables, layer, mine.clone(), &pace, crew, &mut take)
                {
                    crew.stop(why);
                }
                crew.finish(&mut take)?;
            }
        }
        let finished = match writer {
            Some(writer) => writer.finish(true).and_then(|_| put_in_place(&beside, path)),
            None => Ok(()),
        };
        crew.agree(finished).map(|_| ())
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
    tables: &[Table],
    layer: u32,
    buckets: std::ops::Range<usize>,
    pace: &Pace,
    crew: &mut Crew,
    take: &mut dyn FnMut(crew::Parcel) -> Result<(), Halt>,
) -> Result<(), Halt> {
    for bucket in buckets {
        for table in tables {
            let Some(entry) = table.entry(layer, bucket) else { continue };
            let mut blocks = table.blocks(entry);
            while let Some((count, block)) = blocks.next_block()? {
                pace.look()?;
                crew.send(0, bucket as u32, count, block);
                crew.turn(take)?;
            }
        }
    }
    Ok(())
}
