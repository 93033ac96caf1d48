//! External sorting of fixed-width records that do not fit in memory, without duplicates, in byte order.
//!
//! Records are collected in a buffer. When it is full, it is sorted and written as a *run*, a file in the table format
//! ([`super::table`]): compressed, with a checksum for every block. When there are many runs, those of about the same size are
//! merged, so the number of times that a record is written grows with the logarithm of the number of runs. Runs are removed when
//! their sorter is dropped, or at the next start.
//!
//! The limits are checked while runs are written and merged, because both may take a long time. A buffer is small enough to be sorted
//! between two checks.

use std::fs;
use std::path::PathBuf;

use super::Halt;
use super::monitor::Monitor;
use super::runs::{self, Merged};
use super::table::{Meta, StateFile, Writer};

/// Minimum number of records in a full buffer.
const FEW: usize = 4096;
/// Maximum number of bytes in a buffer, unless [`FEW`] records need more.
const BUFFER: usize = 16 << 20;

/// The folder of a sorter's runs, and the part of their file names that identifies the sorter, as in `run-NAME-1.kib`.
#[derive(Clone)]
pub struct RunFiles {
    pub folder: PathBuf,
    pub name: String,
    pub meta: Meta,
}

/// Collects records and sorts them.
pub struct Sorter {
    place: RunFiles,
    width: usize,
    buffer: Vec<u8>,
    /// Size of a full buffer, in bytes.
    most: usize,
    monitor: Monitor,
    /// Bytes for reading runs.
    reading: usize,
    /// Number of runs merged at a time.
    fan_in: usize,
    /// Runs, grouped by how often their records have been merged.
    levels: Vec<Vec<Run>>,
    written: u32,
}

impl Sorter {
    /// A sorter for records of `width` bytes (at least eight) that uses about `bytes` bytes of memory.
    pub fn new(place: RunFiles, width: usize, bytes: usize, monitor: Monitor) -> Sorter {
        debug_assert!(width >= 8, "tables sort shorter states as numbers");
        let place = RunFiles { meta: Meta { width, labels: false, layers: Vec::new(), ..place.meta }, ..place };
        let (reading, fan_in) = (bytes / 4, runs::fan_in(bytes / 4, width));
        // Sorting needs memory for one index per record.
        let most = (bytes / 4 * 3 / (width + size_of::<u32>()) * width).min(BUFFER).max(FEW * width);
        monitor.holds(most);
        Sorter { place, width, buffer: Vec::with_capacity(most), most, monitor, reading, fan_in, levels: Vec::new(), written: 0 }
    }

    #[inline]
    pub fn push(&mut self, record: &[u8]) -> Result<(), Halt> {
        debug_assert_eq!(record.len(), self.width);
        self.push_all(record)
    }

    /// Adds consecutive records.
    #[inline]
    pub fn push_all(&mut self, records: &[u8]) -> Result<(), Halt> {
        self.monitor.steps(records.len() / self.width)?;
        if self.buffer.len() + records.len() > self.most {
            self.spill()?;
        }
        self.buffer.extend_from_slice(records);
        Ok(())
    }

    /// Writes a run. `fill` adds the records to the run.
    fn write(&mut self, fill: impl FnOnce(&mut Sorter, &mut Writer) -> Result<(), Halt>) -> Result<Run, Halt> {
        self.written += 1;
        let path = self.place.folder.join(format!("run-{}-{}.kib", self.place.name, self.written));
        let mut writer = Writer::create(&path, &self.place.meta)?;
        let file = TempFile(path);
        fill(self, &mut writer)?;
        writer.finish(false)?;
        Ok(Run { table: StateFile::open(&file.0)?, _file: file })
    }

    /// Writes the buffer as a run.
    fn spill(&mut self) -> Result<(), Halt> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let run = self.write(|sorter, writer| {
            let record = |at: u32| &sorter.buffer[at as usize * sorter.width..][..sorter.width];
            let mut order: Vec<u32> = (0..(sorter.buffer.len() / sorter.width) as u32).collect();
            order.sort_unstable_by(|a, b| record(*a).cmp(record(*b)));
            order.dedup_by(|a, b| record(*a) == record(*b));
            for at in order {
                sorter.monitor.step()?;
                writer.push(0, 0, record(at))?;
            }
            Ok(())
        })?;
        self.buffer.clear();
        self.add(run, 0)
    }

    fn add(&mut self, run: Run, level: usize) -> Result<(), Halt> {
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, Vec::new);
        }
        self.levels[level].push(run);
        if self.levels[level].len() < self.fan_in {
            return Ok(());
        }
        let runs = std::mem::take(&mut self.levels[level]);
        let merged = self.merge(&runs)?;
        self.add(merged, level + 1)
    }

    /// Merges several runs into one.
    fn merge(&mut self, runs: &[Run]) -> Result<Run, Halt> {
        self.write(|sorter, writer| {
            let mut merged = sorter.merged(runs)?;
            while let Some(record) = merged.next()? {
                sorter.monitor.step()?;
                writer.push(0, 0, record)?;
            }
            Ok(())
        })
    }

    fn merged(&self, runs: &[Run]) -> Result<Merged, Halt> {
        let at_once = runs::piece(self.reading, runs.len(), self.width);
        let cursor = |run: &Run| run.table.entries.iter().next().map(|entry| run.table.cursor(entry).reading(at_once));
        Merged::new(runs.iter().filter_map(cursor).collect())
    }

    /// Returns all records in order.
    pub fn finish(mut self) -> Result<Sorted, Halt> {
        self.spill()?;
        self.buffer = Vec::new();
        // Merging the smallest runs first takes the least work.
        let mut runs: Vec<Run> = std::mem::take(&mut self.levels).into_iter().flatten().collect();
        while runs.len() > self.fan_in {
            let rest = runs.split_off(self.fan_in.min(runs.len() + 1 - self.fan_in));
            let merged = self.merge(&std::mem::replace(&mut runs, rest))?;
            runs.push(merged);
        }
        self.monitor.holds(self.reading);
        Ok(Sorted { merged: self.merged(&runs)?, _runs: runs, monitor: self.monitor })
    }
}

/// Records in order.
pub struct Sorted {
    merged: Merged,
    /// The files are removed when these runs are dropped, so they are kept while the records are read.
    _runs: Vec<Run>,
    monitor: Monitor,
}

impl Sorted {
    /// Returns the next record that differs from the previous one.
    #[inline]
    pub fn take(&mut self) -> Result<Option<&[u8]>, Halt> {
        self.monitor.step()?;
        self.merged.next()
    }
}

/// A file that is removed when this value is dropped.
struct TempFile(PathBuf);

impl Drop for TempFile {
    fn drop(&mut self) {
        // If this fails, the file is removed at the next start.
        let _ = fs::remove_file(&self.0);
    }
}

struct Run {
    table: StateFile,
    _file: TempFile,
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;
    use std::sync::atomic::Ordering;

    use kibitzer::limits::Limits;

    use super::super::expand::SharedProgress;
    use super::*;
    use kibitzer::limits::Limit;
    use kibitzer::random::Random;
    use std::collections::BTreeSet;

    fn place(folder: &Path) -> RunFiles {
        RunFiles { folder: folder.to_owned(), name: "test".to_owned(), meta: Meta::new("test", String::new(), 0) }
    }

    fn files(folder: &Path) -> usize {
        fs::read_dir(folder).expect("a folder").count()
    }

    /// Sorts random records and compares the result with a `BTreeSet`. Many records are equal, and many share their first bytes.
    #[test]
    fn records_are_sorted_without_duplicates_in_any_amount_of_memory() {
        for (width, bytes, count, values) in [
            (8, 1 << 30, 20_000, 1 << 14),
            (11, 0, 300_000, 1 << 30),
            (9, 0, 100_000, 5000),
            (16, 300_000, 200_000, 1 << 40),
            (40, 0, 50_000, 1 << 20),
            (8, 0, 60_000, 1),
            (12, 0, 0, 1),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let shared: Arc<SharedProgress> = Arc::default();
            let mut sorter = Sorter::new(place(folder.path()), width, bytes, Monitor::new(&Limits::none(), &shared));
            let (mut plain, mut random) = (BTreeSet::new(), Random::new(width as u64));
            for _ in 0..count {
                let mut record = vec![7; width];
                let value = random.below(values) as u64;
                record[width - 8..].copy_from_slice(&(value.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20).to_be_bytes());
                sorter.push(&record).expect("no limit");
                plain.insert(record);
            }
            assert_eq!(sorter.buffer.capacity(), sorter.most, "the buffer does not grow");
            assert!(bytes > 0 || sorter.most == FEW * width, "{} bytes", sorter.most);
            assert_eq!(files(folder.path()) > 0, count * width > sorter.most, "{width}");
            let mut sorted = sorter.finish().expect("no limit");
            for record in &plain {
                assert_eq!(sorted.take().expect("no limit"), Some(&record[..]), "{width}");
            }
            assert_eq!(sorted.take().expect("no limit"), None);
            assert_eq!(sorted.take().expect("no limit"), None);
            drop(sorted);
            assert_eq!((files(folder.path()), shared.bytes.load(Ordering::Relaxed)), (0, 0), "nothing is left over");
        }
    }

    /// A limit ends sorting and merging after any number of checks, and no file is left.
    #[test]
    fn a_limit_is_obeyed_while_sorting_and_merging() {
        for looks in [1, 5, 20, 60, 75] {
            let folder = tempfile::tempdir().expect("a folder");
            let seen = std::sync::atomic::AtomicU64::new(0);
            let limits = Limits::until(move |_| seen.fetch_add(1, Ordering::Relaxed) == looks);
            let mut sorter = Sorter::new(place(folder.path()), 10, 0, Monitor::new(&limits, &Arc::default()));
            let mut work = || -> Result<(), Halt> {
                for value in 0..400_000u64 {
                    sorter.push(&[&(value.wrapping_mul(0x9e37_79b9_7f4a_7c15)).to_be_bytes()[..], &[0, 0]].concat())?;
                }
                Ok(())
            };
            let why = work().expect_err("it is asked to stop");
            assert_eq!(why.limit(), Some(Limit::Time), "after {looks} checks");
            drop(sorter);
            assert_eq!(files(folder.path()), 0);
        }
    }
}
