//! Sorted runs merged into one, each state once, without those that are known already.

use std::cmp::Ordering;

use super::Halt;
use super::block::{STATES, is_narrow};
use super::monitor::Monitor;
use super::table::{Cursor, PIECE};

/// Runs that are merged at a time, at least and at most.
const FAN_IN: std::ops::RangeInclusive<usize> = 4..=48;

/// The number of runs merged at a time within a budget: each takes a buffer.
pub fn fan_in(budget: usize, width: usize) -> usize {
    (budget / (PIECE + buffer(width))).clamp(*FAN_IN.start(), *FAN_IN.end())
}

/// Bytes to read at once from each of these runs, so that together they stay within a budget as far as possible.
pub fn piece(budget: usize, runs: usize, width: usize) -> usize {
    (budget / runs.max(1)).saturating_sub(buffer(width)).clamp(LEAST_PIECE, PIECE)
}

/// The minimum of bytes that reading this many runs takes.
pub fn reading(runs: usize, width: usize) -> usize {
    runs * (LEAST_PIECE + buffer(width))
}

/// Bytes of a run's decoded block.
fn buffer(width: usize) -> usize {
    STATES * width
}

const LEAST_PIECE: usize = 8 << 10;

/// Gives `emit` every state of these runs once, in order, that is in none of the `known` ones.
pub fn merge(runs: Vec<Cursor>, known: Vec<Cursor>, width: usize, monitor: &Monitor, emit: Emit) -> Result<(), Halt> {
    let mut known = KnownRuns::new(known, is_narrow(width))?;
    if is_narrow(width) {
        return merge_words(runs, &mut known, monitor, emit);
    }
    let mut merged = Merged::new(runs, width)?;
    while let Some(state) = merged.next()? {
        monitor.step()?;
        if !known.has_state(state)? {
            emit(state)?;
        }
    }
    Ok(())
}

/// Takes a state.
type Emit<'a> = &'a mut dyn FnMut(&[u8]) -> Result<(), Halt>;

/// Merges states that are numbers. The heads of all runs lie side by side, so the least is found by a loop without branches.
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

/// Runs of strings of bytes merged into one, by a heap of those that are not over.
pub(super) struct Merged {
    cursors: Vec<Cursor>,
    heap: Vec<usize>,
    /// The last string.
    string: Vec<u8>,
    begun: bool,
}

impl Merged {
    pub fn new(mut cursors: Vec<Cursor>, width: usize) -> Result<Merged, Halt> {
        let mut heap = Vec::new();
        for (at, cursor) in cursors.iter_mut().enumerate() {
            if cursor.advance()? {
                heap.push(at);
            }
        }
        let mut merged = Merged { cursors, heap, string: vec![0; width], begun: false };
        (0..merged.heap.len() / 2).rev().for_each(|place| merged.sink(place));
        Ok(merged)
    }

    fn before(&self, a: usize, b: usize) -> bool {
        self.cursors[self.heap[a]].head() < self.cursors[self.heap[b]].head()
    }

    /// Moves the entry at a place of the heap down to where it belongs.
    fn sink(&mut self, mut place: usize) {
        loop {
            let (left, right) = (2 * place + 1, 2 * place + 2);
            if left >= self.heap.len() {
                return;
            }
            let child = if right < self.heap.len() && self.before(right, left) { right } else { left };
            if !self.before(child, place) {
                return;
            }
            self.heap.swap(child, place);
            place = child;
        }
    }

    /// The next string, each of them once.
    pub fn next(&mut self) -> Result<Option<&[u8]>, Halt> {
        while let Some(&first) = self.heap.first() {
            let head = self.cursors[first].head();
            let new = !self.begun || head != self.string;
            if new {
                self.string.copy_from_slice(head);
                self.begun = true;
            }
            if !self.cursors[first].advance()? {
                self.heap.swap_remove(0);
            }
            self.sink(0);
            if new {
                return Ok(Some(&self.string));
            }
        }
        Ok(None)
    }
}

/// Runs that are searched in order.
pub struct KnownRuns {
    runs: Vec<Cursor>,
    narrow: bool,
}

impl KnownRuns {
    pub fn new(mut runs: Vec<Cursor>, narrow: bool) -> Result<KnownRuns, Halt> {
        begin(&mut runs)?;
        Ok(KnownRuns { runs, narrow })
    }

    /// Is a state among them? States must be asked for in order.
    pub fn has_state(&mut self, state: &[u8]) -> Result<bool, Halt> {
        if self.runs.is_empty() {
            return Ok(false);
        }
        if self.narrow {
            let word = super::block::word_of(state);
            return self.find(|run| run.word.cmp(&word));
        }
        self.find(|run| run.head().cmp(state))
    }

    fn find(&mut self, compare: impl Fn(&Cursor) -> Ordering) -> Result<bool, Halt> {
        let (mut found, mut ended) = (false, false);
        for run in &mut self.runs {
            loop {
                match compare(run) {
                    Ordering::Less if run.advance()? => {}
                    Ordering::Less => {
                        ended = true;
                        break;
                    }
                    Ordering::Equal => {
                        found = true;
                        break;
                    }
                    Ordering::Greater => break,
                }
            }
        }
        if ended {
            self.runs.retain(|run| !run.is_over());
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
