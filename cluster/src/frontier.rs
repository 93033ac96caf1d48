//! A worker's states on disk. The current layer is read from its file. Later layers are collected in sets, which are written as
//! sorted runs when memory is short.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use kibitzer::search::set::StateSet;
use kibitzer::space::Batch;

use super::Halt;
use super::checkpoint::LayerFile;
use super::expand::Frontier;
use super::monitor::Monitor;
use super::route;
use super::runs::{KnownRuns, fan_in, merge, piece, reading};
use super::table::{Cursor, Meta, StateFile, Writer};

/// The states of a later layer.
struct Pile {
    set: StateSet,
    runs: Vec<StateFile>,
}

pub struct DiskFrontier {
    folder: PathBuf,
    meta: Meta,
    monitor: Monitor,
    pub buckets: Range<usize>,
    /// The remaining segments of the current layer, in reverse order.
    current: Vec<Cursor>,
    piles: BTreeMap<u32, Pile>,
    /// Maximum number of bytes for all sets together.
    budget: usize,
    /// Number of additional states to reserve memory for; lower if the budget is small.
    more: usize,
    /// The part of run file names that identifies this frontier, as in `run-NAME-1.kib`.
    name: String,
    /// The number of runs written.
    written: u32,
    /// Runs that are no longer needed once the next manifest is written.
    spent: Vec<PathBuf>,
}

/// Maximum number of additional states to reserve memory for.
const MORE: usize = 32_768;
/// Minimum size, in bytes, of a set that is written to free memory.
const LEAST: usize = 64 << 10;

impl DiskFrontier {
    pub fn new(folder: PathBuf, meta: Meta, monitor: Monitor, buckets: Range<usize>, budget: usize, name: String) -> DiskFrontier {
        let width = meta.width.max(1);
        DiskFrontier {
            folder,
            meta,
            monitor,
            buckets,
            current: Vec::new(),
            piles: BTreeMap::new(),
            budget: budget.max(2 * LEAST),
            more: (budget.max(2 * LEAST) / width / 32).clamp(64, MORE),
            name,
            written: 0,
            spent: Vec::new(),
        }
    }

    /// Starts a layer, and returns the number of states that these files contain for it.
    pub fn begin(&mut self, layer: u32, files: &[(u32, StateFile)]) -> u64 {
        let mut count = 0;
        self.current.clear();
        for bucket in self.buckets.clone().rev() {
            let of_layer = files.iter().filter(|(of, _)| *of == layer);
            for (table, entry) in of_layer.filter_map(|(_, table)| Some((table, table.entry(layer, bucket)?))) {
                count += entry.count;
                self.current.push(table.cursor(entry));
            }
        }
        count
    }

    /// Returns the number of the first later layer that has states.
    pub fn next(&self) -> Option<u32> {
        self.piles.keys().next().copied()
    }

    /// Adds a run that was written before a restart.
    pub fn add_run(&mut self, layer: u32, run: StateFile) {
        let width = self.meta.width;
        self.spent.push(run.path.to_path_buf());
        self.piles.entry(layer).or_insert_with(|| Pile { set: StateSet::new(width), runs: Vec::new() }).runs.push(run);
    }

    fn run_path(&mut self) -> PathBuf {
        self.written += 1;
        self.folder.join(format!("run-{}-{}.kib", self.name, self.written))
    }

    /// Writes the set of a pile as a sorted run.
    fn spill(&mut self, layer: u32, sync: bool) -> Result<(), Halt> {
        let path = self.run_path();
        let Some(pile) = self.piles.get_mut(&layer) else { return Ok(()) };
        let set = std::mem::replace(&mut pile.set, StateSet::new(self.meta.width));
        let mut writer = Writer::create(&path, &self.meta)?;
        let monitor = &self.monitor;
        sort(set, monitor, &mut |bucket, state| writer.push(layer, bucket, state))?;
        writer.finish(sync)?;
        pile.runs.push(StateFile::open(&path)?);
        self.spent.push(path);
        if pile.runs.len() > fan_in(self.budget, self.meta.width) { self.compact(layer) } else { Ok(()) }
    }

    /// Merges all runs of a layer into one.
    fn compact(&mut self, layer: u32) -> Result<(), Halt> {
        let (path, room) = (self.run_path(), self.room());
        let Some(pile) = self.piles.get_mut(&layer) else { return Ok(()) };
        let mut writer = Writer::create(&path, &self.meta)?;
        let (monitor, at_once) = (&self.monitor, piece(room, pile.runs.len(), self.meta.width));
        for bucket in self.buckets.clone() {
            let runs = pile.runs.iter().filter_map(|run| Some(run.cursor(run.entry(layer, bucket)?).reading(at_once))).collect();
            merge(runs, Vec::new(), self.meta.width, monitor, &mut |state| writer.push(layer, bucket, state))?;
        }
        writer.finish(false)?;
        pile.runs = vec![StateFile::open(&path)?];
        self.spent.push(path);
        Ok(())
    }

    /// Unused bytes of the budget.
    fn room(&self) -> usize {
        self.budget.saturating_sub(self.bytes())
    }

    /// Writes a layer to its file, without duplicates and without states of earlier layers. Returns `None` if no state is left.
    pub fn settle(&mut self, layer: u32, earlier: &[(u32, StateFile)]) -> Result<Option<(LayerFile, StateFile)>, Halt> {
        let Some(pile) = self.piles.get(&layer) else { return Ok(None) };
        // If the set leaves too little memory for reading earlier layers, it is first written as a run.
        let crowded = reading(earlier.len(), self.meta.width) > self.room() && !pile.set.is_empty();
        let spilled = crowded || !pile.runs.is_empty();
        if spilled && !pile.set.is_empty() {
            self.spill(layer, false)?;
        }
        let room = self.room();
        let Some(pile) = self.piles.remove(&layer) else { return Ok(None) };
        let buckets = self.buckets.clone();
        let path = self.folder.join(format!("layer-{layer:06}-{:03}-{:03}.kib", buckets.start, buckets.end));
        let mut writer = Writer::create(&path, &self.meta)?;
        let at_once = piece(room, pile.runs.len() + earlier.len(), self.meta.width);
        let known = |bucket: usize| -> Vec<Cursor> {
            earlier.iter().filter_map(|(layer, table)| Some(table.cursor(table.entry(*layer, bucket)?).reading(at_once))).collect()
        };
        let (monitor, mut count) = (&self.monitor, 0);
        if spilled {
            drop(pile.set);
            for bucket in buckets.clone() {
                let runs = pile.runs.iter().filter_map(|run| Some(run.cursor(run.entry(layer, bucket)?).reading(at_once))).collect();
                merge(runs, known(bucket), self.meta.width, monitor, &mut |state| {
                    count += 1;
                    writer.push(layer, bucket, state)
                })?;
            }
        } else {
            let mut now = (usize::MAX, KnownRuns::new(Vec::new())?);
            sort(pile.set, monitor, &mut |bucket, state| {
                if now.0 != bucket {
                    now = (bucket, KnownRuns::new(known(bucket))?);
                }
                if now.1.has_state(state)? {
                    return Ok(());
                }
                count += 1;
                writer.push(layer, bucket, state)
            })?;
        }
        let seal = writer.finish(true)?;
        if count == 0 {
            // No manifest will list this file.
            let _ = fs::remove_file(&path);
            return Ok(None);
        }
        Ok(Some((LayerFile { layer, buckets, seal }, StateFile::open(&path)?)))
    }

    /// Writes all later layers, so that a manifest can list their files.
    pub fn save_ahead(&mut self) -> Result<Vec<LayerFile>, Halt> {
        let layers: Vec<u32> = self.piles.keys().copied().collect();
        let mut files = Vec::new();
        for layer in layers {
            if self.piles.get(&layer).is_some_and(|pile| !pile.set.is_empty()) {
                self.spill(layer, true)?;
            }
            let Some(pile) = self.piles.get(&layer) else { continue };
            for run in &pile.runs {
                let file = fs::File::open(&run.path).and_then(|file| file.sync_all());
                file.map_err(|error| super::table::cannot_write(&run.path, &error))?;
                files.push(LayerFile { layer, buckets: 0..route::BUCKETS, seal: run.seal.clone() });
            }
        }
        Ok(files)
    }

    /// Removes runs that are no longer needed. Runs that the newest manifest lists are kept, because another worker may use them.
    pub fn forget(&mut self, named: &[LayerFile]) {
        let kept: Vec<PathBuf> = self.piles.values().flat_map(|pile| pile.runs.iter().map(|run| run.path.to_path_buf())).collect();
        for path in std::mem::take(&mut self.spent) {
            if kept.contains(&path) || named.iter().any(|file| path.ends_with(&file.seal.name)) {
                self.spent.push(path);
            } else {
                // Errors are ignored: another worker may have already removed the file, and leftover files are removed at the next start.
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// A function that receives a bucket and a state in that bucket.
type EmitInBucket<'a> = &'a mut dyn FnMut(usize, &[u8]) -> Result<(), Halt>;

/// Calls `emit` for every state of a set, with its bucket, in table order.
fn sort(set: StateSet, monitor: &Monitor, emit: EmitInBucket) -> Result<(), Halt> {
    let each = |bucket: usize, state: &[u8]| {
        monitor.step()?;
        emit(bucket, state)
    };
    set.sorted(route::bucket, || monitor.check(), each)
}

impl Frontier for DiskFrontier {
    fn take(&mut self, most: usize, out: &mut Batch) -> Result<(), Halt> {
        while out.len() < most {
            let Some(cursor) = self.current.last_mut() else { return Ok(()) };
            if cursor.advance()? {
                let (count, states) = cursor.block();
                let count = count.min(most - out.len());
                out.push_all(count, &states[..count * self.meta.width]);
                cursor.skip(count);
            } else {
                self.current.pop();
            }
        }
        Ok(())
    }

    fn put(&mut self, layer: u32, states: &Batch, range: Range<usize>) -> Result<(), Halt> {
        let width = self.meta.width;
        let pile = self.piles.entry(layer).or_insert_with(|| Pile { set: StateSet::new(width), runs: Vec::new() });
        pile.set.insert(states, range);
        if self.bytes() > self.budget {
            // Writing the largest set frees the most memory.
            let size = |pile: &Pile| pile.set.bytes_after(0) + pile.set.bytes_to_sort();
            if let Some((&layer, _)) = self.piles.iter().max_by_key(|(_, pile)| size(pile)).filter(|(_, pile)| size(pile) >= LEAST) {
                self.spill(layer, false)?;
                // The set will be filled again, so memory for its full size is allocated at once.
                let alone = self.piles.len() == 1;
                if let Some(pile) = self.piles.get_mut(&layer).filter(|_| alone) {
                    pile.set = StateSet::with_bytes(width, self.budget - self.budget / 8);
                }
            }
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.piles.values().map(|pile| pile.set.bytes_after(self.more) + pile.set.bytes_to_sort()).sum()
    }
}
