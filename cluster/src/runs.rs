//! Merges sorted runs into one, without duplicates and without known states.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::Halt;
use super::block::{STATES, is_narrow};
use super::monitor::Monitor;
use super::table::{Cursor, PIECE};

/// Minimum and maximum number of runs merged at a time.
const FAN_IN: std::ops::RangeInclusive<usize> = 4..=48;

/// The number of runs that can be merged at a time within a budget, since each run needs a buffer.
pub fn fan_in(budget: usize, width: usize) -> usize {
    (budget / (PIECE + buffer(width))).clamp(*FAN_IN.start(), *FAN_IN.end())
}

/// Bytes to read at a time from each run, so that all runs together stay within a budget if possible.
pub fn piece(budget: usize, runs: usize, width: usize) -> usize {
    (budget / runs.max(1)).saturating_sub(buffer(width)).clamp(LEAST_PIECE, PIECE)
}

/// The minimum number of bytes needed to read `runs` runs.
pub fn reading(runs: usize, width: usize) -> usize {
    runs * (LEAST_PIECE + buffer(width))
}

/// Size of a run's decoded block, in bytes.
fn buffer(width: usize) -> usize {
    STATES * width
}

const LEAST_PIECE: usize = 8 << 10;

/// Calls `emit` once, in order, for each state that is in `runs` but not in `known`.
pub fn merge(runs: Vec<Cursor>, known: Vec<Cursor>, width: usize, monitor: &Monitor, emit: Emit) -> Result<(), Halt> {
    let mut known = KnownRuns::new(known)?;
    if is_narrow(width) {
        return merge_words(runs, &mut known, monitor, emit);
    }
    let mut merged = Merged::new(runs)?;
    while let Some(state) = merged.next()? {
        monitor.step()?;
        if !known.has_state(state)? {
            emit(state)?;
        }
    }
    Ok(())
}

type Emit<'a> = &'a mut dyn FnMut(&[u8]) -> Result<(), Halt>;

/// Merges runs whose states are numbers. The first states of all runs are adjacent in memory, so a loop without branches finds the least
/// one.
fn merge_words(mut runs: Vec<Cursor>, known: &mut KnownRuns, monitor: &Monitor, emit: Emit) -> Result<(), Halt> {
    begin(&mut runs)?;
    let mut heads: Vec<u64> = runs.iter().map(|run| run.word).collect();
    while let Some(least) = heads.iter().copied().reduce(u64::min) {
        monitor.step()?;
        let (mut first, mut ended) = (true, false);
        for at in 0..heads.len() {
            if heads[at] != least {
                continue;
            }
            if std::mem::take(&mut first) && !known.has_state(runs[at].head())? {
                emit(runs[at].head())?;
            }
            ended |= !runs[at].advance()?;
            heads[at] = runs[at].word;
        }
        if ended {
            runs.retain(|run| !run.is_over());
            heads = runs.iter().map(|run| run.word).collect();
        }
    }
    Ok(())
}

/// Merges runs of byte strings into one.
pub(super) struct Merged {
    cursors: Vec<Cursor>,
    /// The first remaining strings of the unfinished runs, the least first.
    heap: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
    /// The string returned last.
    string: Option<Vec<u8>>,
}

impl Merged {
    pub fn new(mut cursors: Vec<Cursor>) -> Result<Merged, Halt> {
        begin(&mut cursors)?;
        let heap = cursors.iter().enumerate().map(|(at, cursor)| Reverse((cursor.head().to_vec(), at))).collect();
        Ok(Merged { cursors, heap, string: None })
    }

    /// Returns the next string that differs from the previous one.
    pub fn next(&mut self) -> Result<Option<&[u8]>, Halt> {
        while let Some(mut first) = self.heap.peek_mut() {
            let Reverse((head, at)) = &mut *first;
            let new = self.string.as_ref() != Some(head);
            if new {
                self.string.get_or_insert_default().clone_from(head);
            }
            if self.cursors[*at].advance()? {
                head.copy_from_slice(self.cursors[*at].head());
            } else {
                PeekMut::pop(first);
            }
            if new {
                return Ok(self.string.as_deref());
            }
        }
        Ok(None)
    }
}

/// Runs in which states are looked up in ascending order.
pub struct KnownRuns(Vec<Cursor>);

impl KnownRuns {
    pub fn new(mut runs: Vec<Cursor>) -> Result<KnownRuns, Halt> {
        begin(&mut runs)?;
        Ok(KnownRuns(runs))
    }

    /// True if a run contains the state. States must be passed in ascending order.
    pub fn has_state(&mut self, state: &[u8]) -> Result<bool, Halt> {
        let mut found = false;
        for run in &mut self.0 {
            found |= run.seek(state)?;
        }
        Ok(found)
    }
}

fn begin(runs: &mut Vec<Cursor>) -> Result<(), Halt> {
    for run in runs.iter_mut() {
        run.advance()?;
    }
    runs.retain(|run| !run.is_over());
    Ok(())
}
