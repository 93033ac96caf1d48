//! External sorting: records of one width, more of them than memory holds, each once and in the order of their bytes.
//!
//! Records are collected in a buffer. When it is full, it is sorted where it is and written as a *run*, a file in the format of
//! tables ([`super::table`]): compressed, with a checksum for every block. Runs are merged when there are many of them, each with
//! others of about its size, so a record is written as often as the logarithm of their number. Runs are removed with
//! their sorter, or at the next start.
//!
//! Sorting a full buffer and merging large runs take long, so both check the limits.

use std::fs;
use std::path::{Path, PathBuf};

use super::Halt;
use super::monitor::Monitor;
use super::runs::Merged;
use super::table::{Meta, StateFile, Writer};

/// The number of records that are sorted without checking the limits.
const FEW: usize = 4096;
/// Minimum and maximum number of runs merged at a time.
const FAN_IN: (usize, usize) = (8, 64);
/// Minimum and maximum number of bytes for reading a run.
const READING: (usize, usize) = (4 << 10, 128 << 10);

/// The folder of a sorter's runs, and the beginning of their names.
#[derive(Clone)]
pub struct RunFiles {
    pub folder: PathBuf,
    pub name: String,
    pub meta: Meta,
}

/// Collects records.
pub struct Sorter {
    place: RunFiles,
    width: usize,
    buffer: Vec<u8>,
    /// Bytes that the buffer may take.
    most: usize,
    monitor: Monitor,
    fan_in: usize,
    /// Bytes that reading a run takes.
    reading: usize,
    /// Runs by the number of times that their records were merged.
    levels: Vec<Vec<Run>>,
    written: u32,
}

impl Sorter {
    /// A sorter for records of `width` bytes, eight or more, that takes about `bytes` of memory.
    pub fn new(place: RunFiles, width: usize, bytes: usize, monitor: Monitor) -> Sorter {
        debug_assert!(width >= 8, "tables sort shorter states as numbers");
        let place = RunFiles { meta: Meta { width, labels: false, layers: Vec::new(), ..place.meta }, ..place };
        let fan_in = (bytes / 4 / (16 << 10)).clamp(FAN_IN.0, FAN_IN.1);
        let reading = (bytes / 4 / fan_in).clamp(READING.0, READING.1);
        let most = (bytes / 4 * 3).max(FEW * width) / width * width;
        Sorter { place, width, buffer: Vec::new(), most, monitor, fan_in, reading, levels: Vec::new(), written: 0 }
    }

    /// Adds a record.
    #[inline]
    pub fn push(&mut self, record: &[u8]) -> Result<(), Halt> {
        debug_assert_eq!(record.len(), self.width);
        self.push_all(record)
    }

    /// Adds records that lie side by side.
    #[inline]
    pub fn push_all(&mut self, records: &[u8]) -> Result<(), Halt> {
        self.monitor.steps(records.len() / self.width)?;
        if self.buffer.len() + records.len() > self.buffer.capacity() {
            return self.push_slowly(records);
        }
        self.buffer.extend_from_slice(records);
        Ok(())
    }

    /// The buffer must grow or be written.
    #[cold]
    fn push_slowly(&mut self, mut records: &[u8]) -> Result<(), Halt> {
        while !records.is_empty() {
            if self.buffer.len() == self.most {
                self.spill()?;
            }
            let count = records.len().min(self.most - self.buffer.len());
            let wanted = self.buffer.len() + count;
            if wanted > self.buffer.capacity() {
                let room = (2 * self.buffer.capacity()).clamp(wanted, self.most.max(wanted));
                self.buffer.reserve_exact(room - self.buffer.len());
                self.monitor.holds(room);
            }
            self.buffer.extend_from_slice(&records[..count]);
            records = &records[count..];
        }
        Ok(())
    }

    fn create(&mut self) -> Result<(PathBuf, Writer), Halt> {
        self.written += 1;
        let path = self.place.folder.join(format!("run-{}-{}.kib", self.place.name, self.written));
        let writer = Writer::create(&path, &self.place.meta)?.with_blocks(self.reading / 2 / self.width);
        Ok((path, writer))
    }

    /// Writes the buffer as a run.
    fn spill(&mut self) -> Result<(), Halt> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        sort(&mut self.buffer, self.width, &self.monitor)?;
        let (path, mut writer) = self.create()?;
        let removed = TempFile(path.clone());
        let mut last: &[u8] = &[];
        for record in self.buffer.chunks_exact(self.width) {
            self.monitor.step()?;
            if record != last {
                writer.push(0, 0, record)?;
            }
            last = record;
        }
        self.buffer.clear();
        writer.finish(false)?;
        let run = Run::open(path)?;
        std::mem::forget(removed);
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
        let merged = self.merge(runs)?;
        self.add(merged, level + 1)
    }

    /// Merges several runs into one.
    fn merge(&mut self, runs: Vec<Run>) -> Result<Run, Halt> {
        let (path, mut writer) = self.create()?;
        let removed = TempFile(path.clone());
        let mut merged = self.merged(&runs)?;
        while let Some(record) = merged.next()? {
            self.monitor.step()?;
            writer.push(0, 0, record)?;
        }
        writer.finish(false)?;
        let run = Run::open(path)?;
        std::mem::forget(removed);
        Ok(run)
    }

    fn merged(&self, runs: &[Run]) -> Result<Merged, Halt> {
        let cursor = |run: &Run| run.table.entries.iter().next().map(|entry| run.table.cursor(entry).reading(self.reading / 2));
        Merged::new(runs.iter().filter_map(cursor).collect(), self.width)
    }

    /// All records in order.
    pub fn finish(mut self) -> Result<Sorted, Halt> {
        if self.levels.is_empty() {
            sort(&mut self.buffer, self.width, &self.monitor)?;
            let source = Source::Buffer { bytes: self.buffer, at: 0 };
            return Ok(Sorted { width: self.width, source, monitor: self.monitor });
        }
        self.spill()?;
        self.buffer = Vec::new();
        // The smallest ones first: that is least work.
        let mut runs: Vec<Run> = std::mem::take(&mut self.levels).into_iter().flatten().collect();
        while runs.len() > self.fan_in {
            let rest = runs.split_off(self.fan_in.min(runs.len() + 1 - self.fan_in));
            let merged = self.merge(std::mem::replace(&mut runs, rest))?;
            runs.push(merged);
        }
        let source = Source::Runs(self.merged(&runs)?, runs);
        self.monitor.holds(self.fan_in * self.reading);
        Ok(Sorted { width: self.width, source, monitor: self.monitor })
    }
}

/// Records in order.
pub struct Sorted {
    width: usize,
    source: Source,
    monitor: Monitor,
}

enum Source {
    Buffer { bytes: Vec<u8>, at: usize },
    Runs(Merged, #[expect(dead_code, reason = "the files live as long as they are read")] Vec<Run>),
}

impl Sorted {
    /// The next record, each of them once.
    #[inline]
    pub fn take(&mut self) -> Result<Option<&[u8]>, Halt> {
        self.monitor.step()?;
        match &mut self.source {
            Source::Runs(merged, _) => merged.next(),
            Source::Buffer { bytes, at } => {
                let from = *at;
                while *at < bytes.len() {
                    *at += self.width;
                    let next = bytes.get(*at..*at + self.width);
                    if next.is_none_or(|next| next != &bytes[*at - self.width..*at]) {
                        return Ok(Some(&bytes[*at - self.width..*at]));
                    }
                }
                debug_assert_eq!(from, *at, "the last record of a row is given");
                Ok(None)
            }
        }
    }
}

/// A file that is removed with this value.
struct TempFile(PathBuf);

impl Drop for TempFile {
    fn drop(&mut self) {
        // Leftovers are removed at the next start.
        let _ = fs::remove_file(&self.0);
    }
}

struct Run {
    table: StateFile,
    _file: TempFile,
}

impl Run {
    fn open(path: PathBuf) -> Result<Run, Halt> {
        Ok(Run { table: StateFile::open(Path::new(&path))?, _file: TempFile(path) })
    }
}

/// Sorts records where they are: by one byte after the other, in place, until there are few of them.
fn sort(records: &mut [u8], width: usize, monitor: &Monitor) -> Result<(), Halt> {
    let (mut keys, mut copy) = (Vec::new(), Vec::new());
    let mut todo = vec![(0, records.len() / width, 0)];
    while let Some((from, to, depth)) = todo.pop() {
        let part = &mut records[from * width..to * width];
        monitor.steps(to - from)?;
        if to - from <= FEW {
            sort_few(part, width, depth, &mut keys, &mut copy);
            continue;
        }
        let ends = flag(part, width, depth, monitor)?;
        let mut begin = from;
        for end in ends {
            let end = from + end;
            if end - begin > 1 && depth + 1 < width {
                todo.push((begin, end, depth + 1));
            }
            begin = end;
        }
    }
    Ok(())
}

/// American flag sort by one byte; says where the records with each value end.
fn flag(records: &mut [u8], width: usize, byte: usize, monitor: &Monitor) -> Result<[usize; 256], Halt> {
    let mut ends = [0; 256];
    for record in records.chunks_exact(width) {
        ends[usize::from(record[byte])] += 1;
        monitor.step()?;
    }
    let (mut next, mut sum) = ([0; 256], 0);
    for (next, end) in next.iter_mut().zip(&mut ends) {
        *next = sum;
        sum += *end;
        *end = sum;
    }
    for this in 0..256 {
        while next[this] < ends[this] {
            let at = next[this];
            let home = usize::from(records[at * width + byte]);
            if home != this {
                let to = next[home];
                let (left, right) = records.split_at_mut(to * width);
                left[at * width..(at + 1) * width].swap_with_slice(&mut right[..width]);
            }
            next[home] += 1;
            monitor.step()?;
        }
    }
    Ok(ends)
}

/// Sorts records that agree in their first bytes, by the eight bytes that follow and then by the rest.
fn sort_few(records: &mut [u8], width: usize, depth: usize, keys: &mut Vec<(u64, u32)>, copy: &mut Vec<u8>) {
    let depth = depth.min(width - 8);
    let record = |at: u32| &records[at as usize * width..(at as usize + 1) * width];
    let key = |at: u32| u64::from_be_bytes(record(at)[depth..depth + 8].try_into().unwrap_or_default());
    keys.clear();
    keys.extend((0..(records.len() / width) as u32).map(|at| (key(at), at)));
    keys.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| record(a.1)[depth + 8..].cmp(&record(b.1)[depth + 8..])));
    copy.clear();
    keys.iter().for_each(|&(_, at)| copy.extend_from_slice(record(at)));
    records.copy_from_slice(copy);
}

#[cfg(test)]
mod tests {
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

    /// Random records, with many equal ones and many that agree in their first bytes, against a plain set.
    #[test]
    fn every_record_comes_once_and_in_order_however_little_memory_there_is() {
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
            let most = if bytes == 0 { (FEW * width).max(count * width / 2) } else { usize::MAX };
            assert!(sorter.buffer.capacity() <= most, "{} bytes", sorter.buffer.capacity());
            assert_eq!(files(folder.path()) > 0, bytes < 1 << 30 && count * width > sorter.most, "{width}");
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

    /// A limit ends sorting and merging, wherever it is noticed, and leaves no file.
    #[test]
    fn a_limit_is_obeyed_while_sorting_and_merging() {
        for looks in [1, 5, 20, 60, 100] {
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
            assert_eq!(why.limit(), Some(Limit::Time), "after {looks} looks");
            drop(sorter);
            assert_eq!(files(folder.path()), 0);
        }
    }
}
