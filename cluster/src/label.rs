//! Labels every position of a two-player game by backward induction over the layers that exploration left on disk.
//!
//! From the last layer to the first, each worker goes through its own positions, asks the owners of the successors for their
//! labels, and combines the answers. If the labels of the successors' layers fit in memory, owners answer from memory (`waves`).
//! Otherwise, questions and answers are sorted on disk, and questions are read in lockstep with the labels (`sorted`). Both methods
//! give the same labels.
//!
//! If positions can repeat, there is no last layer. Then retrograde analysis labels all positions at once, in memory (`rounds`).
//!
//! Manifests also list finished label files, so labeling can resume after a stop.

mod rounds;
mod sorted;
mod waves;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use kibitzer::limits::Limits;
use kibitzer::rules::Score;
use kibitzer::search::explore;
use kibitzer::search::store::Store;
use kibitzer::space::{Batch, Space, Status, Successors};

use super::Halt;
use super::block::Label;
use super::checkpoint::LayerFile;
use super::communicator::Communicator;
use super::expand::SharedProgress;
use super::monitor::Monitor;
use super::table::{Cursor, Meta, StateFile, Writer};
pub use rounds::Rounds;
use waves::LabelsInMemory;

/// Number of positions expanded together.
const TOGETHER: usize = 128;
/// Size of a label in a message, in bytes.
const LABEL: usize = 5;

/// A label in a message.
fn to_bytes(label: Label) -> [u8; LABEL] {
    let ([a, b], [c, d]) = (label.grundy.to_le_bytes(), label.length.to_le_bytes());
    [label.score, a, b, c, d]
}

fn from_bytes(bytes: &[u8]) -> Label {
    let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    Label { score: bytes[0], grundy: short(1), length: short(3) }
}

/// A worker that labels positions.
pub struct Labeler<'a> {
    pub space: &'a dyn Space,
    pub limits: &'a Limits,
    pub shared: &'a Arc<SharedProgress>,
    /// Maximum bytes that this worker may hold.
    pub budget: usize,
    pub grundy: bool,
    /// Labels in memory, by layer.
    known: BTreeMap<u32, LabelsInMemory>,
    /// The files of all labeled layers with buckets of this worker.
    pub files: Vec<(u32, StateFile)>,
    /// Number of layers for which memory was short.
    pub sorted: u32,
}

/// The state of a position while the labels of its successors are collected.
#[derive(Clone, Default)]
struct Open {
    over: Option<u8>,
    /// The lowest score of any successor, for the player to move there, and the number of moves from there to the end.
    worst: Option<(u8, u16)>,
    /// The successors' Grundy values below 64, as a bit set.
    small: u64,
    /// The successors' other Grundy values.
    large: Vec<u16>,
}

impl Open {
    fn new(status: Status) -> Open {
        let over = match status {
            Status::Over(Score::Loss) => Some(0),
            Status::Over(Score::Draw) => Some(1),
            Status::Over(Score::Win) => Some(2),
            Status::Open | Status::Goal => None,
        };
        Open { over, ..Open::default() }
    }

    fn add(&mut self, label: Label) {
        let longer = label.score == 2;
        self.worst = Some(match self.worst {
            Some((score, length)) if score < label.score => (score, length),
            Some((score, length)) if score == label.score => {
                (score, if longer { length.max(label.length) } else { length.min(label.length) })
            }
            _ => (label.score, label.length),
        });
        match label.grundy {
            small @ 0..64 => self.small |= 1 << small,
            large => self.large.push(large),
        }
    }

    fn label(&mut self, grundy: bool) -> Label {
        if let Some(score) = self.over {
            return Label { score, ..Label::default() };
        }
        // A player who cannot move loses.
        let Some((worst, length)) = self.worst else { return Label::default() };
        let mut value = self.small.trailing_ones() as u16;
        if value == 64 {
            self.large.sort_unstable();
            self.large.dedup();
            value += self.large.iter().zip(64..).take_while(|(have, want)| **have == *want).count() as u16;
        }
        Label { score: 2 - worst, grundy: if grundy { value } else { 0 }, length: length.saturating_add(1) }
    }
}

pub struct LayerToLabel<'t> {
    pub layer: u32,
    /// The last layer that its moves lead to, if it was recorded.
    pub reach: Option<u32>,
    /// The files with its positions.
    pub tables: &'t [(u32, StateFile)],
}

/// The file for a worker's labels of a layer.
pub struct LabelFile {
    pub path: PathBuf,
    pub meta: Meta,
    pub buckets: Range<usize>,
}

impl<'a> Labeler<'a> {
    pub fn new(
        space: &'a dyn Space,
        limits: &'a Limits,
        shared: &'a Arc<SharedProgress>,
        budget: usize,
        meta: &Meta,
        files: Vec<(u32, StateFile)>,
    ) -> Self {
        Labeler { space, limits, shared, budget, grundy: meta.grundy, known: BTreeMap::new(), files, sorted: 0 }
    }

    /// Labels this worker's part of a layer while the other workers label theirs. All successors must already be labeled.
    pub fn layer(&mut self, of: &LayerToLabel, file: LabelFile, comm: &mut Communicator) -> Result<(Vec<LayerFile>, explore::Layer), Halt> {
        let count = Positions::new(of, &file.buckets).left;
        let fits = !comm.any(!self.fits(of))?;
        let created = if count > 0 { Writer::create(&file.path, &file.meta).map(Some) } else { Ok(None) };
        let mut out = Out {
            layer: of.layer,
            grundy: self.grundy,
            writer: comm.agree(created)?,
            counts: explore::Layer { layer: of.layer, ..explore::Layer::default() },
            monitor: Monitor::new(self.limits, self.shared),
            shared: self.shared,
        };
        if fits {
            self.in_waves(of, &file, comm, &mut out)?;
        } else {
            self.sorted += 1;
            self.by_sorting(of, &file, comm, &mut out)?;
        }
        let Out { writer, counts, .. } = out;
        let finished = match writer {
            Some(writer) => writer.finish(true).map(|seal| vec![LayerFile { layer: of.layer, buckets: file.buckets.clone(), seal }]),
            None => Ok(Vec::new()),
        };
        let written = comm.agree(finished)?;
        let opened = comm.agree(written.iter().map(|_| StateFile::open(&file.path)).collect::<Result<Vec<_>, Halt>>())?;
        self.files.extend(opened.into_iter().map(|table| (of.layer, table)));
        let counts = comm.collect(Ok(counts))?.iter().fold(explore::Layer::default(), explore::Layer::plus);
        Ok((written, counts))
    }

    /// Expands the next positions. Returns false if there are none.
    fn expand(&self, positions: &mut Positions, expanded: &mut Expanded) -> Result<bool, Halt> {
        expanded.positions.clear();
        expanded.buckets.clear();
        while expanded.positions.len() < TOGETHER
            && let Some((bucket, state)) = positions.next()?
        {
            expanded.positions.push(|out| out.copy_from_slice(state));
            expanded.buckets.push(bucket as u8);
        }
        self.space.successors(&expanded.positions, &mut expanded.next, self.limits)?;
        Ok(!expanded.positions.is_empty())
    }

    /// True if all labels that may be needed fit in memory.
    fn fits(&self, of: &LayerToLabel) -> bool {
        let asked = |layer: u32| layer > of.layer && of.reach.is_none_or(|reach| layer <= reach);
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        for (layer, table) in self.files.iter().filter(|(layer, _)| asked(*layer)) {
            *counts.entry(*layer).or_default() += table.entries.iter().map(|entry| entry.count).sum::<u64>();
        }
        let empty = Store::new(self.space.width());
        let needed = |count: u64| empty.bytes_after(count as usize) + count as usize * size_of::<Label>();
        counts.values().map(|count| needed(*count)).sum::<usize>() <= self.budget / 2
    }
}

/// A worker's positions of a layer, in order.
struct Positions {
    /// The buckets and cursors of the remaining segments, in reverse order.
    cursors: Vec<(usize, Cursor)>,
    left: u64,
}

impl Positions {
    fn new(of: &LayerToLabel, buckets: &Range<usize>) -> Positions {
        let mut positions = Positions { cursors: Vec::new(), left: 0 };
        for bucket in buckets.clone().rev() {
            for (table, entry) in of.tables.iter().filter_map(|(_, table)| Some((table, table.entry(of.layer, bucket)?))) {
                positions.left += entry.count;
                positions.cursors.push((bucket, table.cursor(entry)));
            }
        }
        positions
    }

    /// The next position and its bucket.
    fn next(&mut self) -> Result<Option<(usize, &[u8])>, Halt> {
        while let Some((_, cursor)) = self.cursors.last_mut() {
            if cursor.advance()? {
                self.left -= 1;
                return Ok(self.cursors.last().map(|(bucket, cursor)| (*bucket, cursor.head())));
            }
            self.cursors.pop();
        }
        Ok(None)
    }
}

/// Positions that were expanded together, their buckets, and their successors.
struct Expanded {
    positions: Batch,
    buckets: Vec<u8>,
    next: Successors,
}

impl Expanded {
    fn new(width: usize) -> Expanded {
        Expanded { positions: Batch::new(width), buckets: Vec::new(), next: Successors::new(width) }
    }

    /// Calls `take` for every successor, with the number of its parent position, its layer, and its state.
    fn each(&self, mut take: impl FnMut(usize, u32, &[u8]) -> Result<(), Halt>) -> Result<(), Halt> {
        let mut of = 0;
        for (layer, range) in self.next.runs() {
            let layer =
                layer.ok_or_else(|| Halt::fault("this game has no layers", "only games whose positions never repeat can be labeled"))?;
            for at in range {
                while self.next.parents()[of].end <= at {
                    of += 1;
                }
                take(of, layer, self.next.states().get(at))?;
            }
        }
        Ok(())
    }
}

/// Writes labels to the file of a layer.
struct Out<'a> {
    layer: u32,
    grundy: bool,
    /// None if this worker has no positions of the layer.
    writer: Option<Writer>,
    counts: explore::Layer,
    monitor: Monitor,
    shared: &'a SharedProgress,
}

impl Out<'_> {
    /// Writes the label of a position whose successors are all known. Positions must be passed in ascending order.
    fn put(&mut self, bucket: usize, state: &[u8], open: &mut Open, orbit: impl FnOnce() -> u64) -> Result<(), Halt> {
        let label = open.label(self.grundy);
        if label.score < 2 || open.over.is_some() {
            let boards = orbit();
            let add = |count: &mut u64| *count = count.saturating_add(boards);
            match label.score {
                0 => add(&mut self.counts.losing),
                1 => add(&mut self.counts.drawn),
                _ => {}
            }
            if open.over.is_some() {
                add(&mut self.counts.dead_ends);
            }
        }
        self.shared.expanded.fetch_add(1, Ordering::Relaxed);
        self.monitor.step()?;
        let none = || Halt::fault("a position was not counted", "this is a bug; please report it and include the board");
        self.writer.as_mut().ok_or_else(none)?.push_labeled(self.layer, bucket, state, label)
    }
}

/// The error for a successor without a label.
fn missing() -> Halt {
    Halt::fault("a successor is missing from its layer", "this is a bug; please report it and include the board")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Grundy value is the least value that no successor has, even if it is 64 or more.
    #[test]
    fn grundy_values_may_exceed_63() {
        for most in [0, 1, 63, 64, 65, 200] {
            for gap in [0, 3, 63, 64, 70, 199, 500] {
                let mut open = Open::default();
                (0..most).rev().chain([0]).filter(|value| *value != gap).for_each(|grundy| open.add(Label { grundy, ..Label::default() }));
                let expected = if most == 0 && gap == 0 { 0 } else { gap.min(most.max(1)) };
                assert_eq!(open.label(true).grundy, expected, "values below {most} without {gap}");
            }
        }
    }

    #[test]
    fn winners_hurry_and_losers_delay() {
        let label = |after: &[(u8, u16)]| {
            let mut open = Open::default();
            after.iter().for_each(|&(score, length)| open.add(Label { score, length, grundy: 0 }));
            let label = open.label(false);
            (label.score, label.length)
        };
        assert_eq!(label(&[]), (0, 0));
        assert_eq!(label(&[(2, 3), (2, 7), (2, 5)]), (0, 8));
        assert_eq!(label(&[(2, 9), (0, 6), (1, 1), (0, 4)]), (2, 5));
        assert_eq!(label(&[(2, 9), (1, 6), (1, 2)]), (1, 3));
        assert_eq!(label(&[(0, u16::MAX)]), (2, u16::MAX));
    }
}
