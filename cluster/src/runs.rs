//! Sorted runs merged into one, each state once, without those that are known already.

use std::cmp::Ordering;

use super::Halt;
use super::block::STATES;
use super::pace::Pace;
use super::table::{Cursor, PIECE};

/// Runs that are merged at a time, at least and at most.
const FAN_IN: std::ops::RangeInclusive<usize> = 4..=48;

/// How many runs are merged at a time within some bytes: each takes a buffer.
pub fn fan_in(budget: usize, width: usize) -> usize {
    (budget / (PIECE + buffer(width))).clamp(*FAN_IN.start(), *FAN_IN.end())
}

/// Bytes to be read at once of each of so many runs, so that all together stay within a budget as far as that is possible.
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
pub fn merge(runs: Vec<Cursor>, known: Vec<Cursor>, narrow: bool, pace: &Pace, emit: Emit) -> Result<(), Halt> {
    let mut runs = runs;
    let mut known = KnownRuns::new(known, narrow)?;
    begin(&mut runs)?;
    if narrow { merge_words(&mut runs, &mut known, pace, emit) } else { merge_strings(&mut runs, &mut known, pace, emit) }
}

/// Takes a state.
type Emit<'a> = &'a mut dyn FnMut(&[u8]) -> Result<(), Halt>;

/// Of states that are numbers. The heads of all runs lie side by side: the least is found by a loop without branches.
fn merge_words(runs: &mut Vec<Cursor>, known: &mut KnownRuns, pace: &Pace, emit: Emit) -> Result<(), Halt> {
    let mut heads: Vec<u64> = runs.iter().map(|run| run.word).collect();
    while let Some(least) = heads.iter().copied().reduce(u64::min) {
        pace.step()?;
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

/// Of states that are strings of bytes.
fn merge_strings(runs: &mut Vec<Cursor>, known: &mut KnownRuns, pace: &Pace, emit: Emit) -> Result<(), Halt> {
    while let Some(at) = (0..runs.len()).min_by(|&a, &b| runs[a].head().cmp(runs[b].head())) {
        pace.step()?;
        let least = runs[at].head().to_vec();
        if !known.has_state(&least)? {
            emit(&least)?;
        }
        let mut ended = false;
        for run in runs.iter_mut().filter(|run| run.head() == least) {
            ended |= !run.advance()?;
        }
        if ended {
            runs.retain(|run| !run.is_over());
        }
    }
    Ok(())
}

/// Runs to be looked into in order.
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
