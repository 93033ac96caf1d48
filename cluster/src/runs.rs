//! Sorted runs merged into one, each state once, without those that are known already.

use std::cmp::Ordering;

use super::Halt;
use super::table::Cursor;

/// Most runs that are merged at a time: each takes a buffer.
pub const FAN_IN: usize = 48;

/// Gives `emit` every state of these runs once, in order, that is in none of the `known` ones.
pub fn merge(mut runs: Vec<Cursor>, known: Vec<Cursor>, narrow: bool, emit: &mut dyn FnMut(&[u8]) -> Result<(), Halt>) -> Result<(), Halt> {
    let mut known = Known::new(known, narrow)?;
    begin(&mut runs)?;
    while let Some(at) = least(&runs, narrow) {
        let (before, rest) = runs.split_at_mut(at);
        let (this, after) = rest.split_first_mut().unwrap_or_else(|| unreachable!("it is there"));
        if !known.has(this)? {
            emit(this.head())?;
        }
        let mut ended = false;
        for other in before.iter_mut().chain(after) {
            if compare(other, this, narrow) == Ordering::Equal {
                ended |= !other.advance()?;
            }
        }
        ended |= !this.advance()?;
        if ended {
            runs.retain(|run| !run.is_over());
        }
    }
    Ok(())
}

/// Runs to be looked into in order.
pub struct Known {
    runs: Vec<Cursor>,
    narrow: bool,
}

impl Known {
    pub fn new(mut runs: Vec<Cursor>, narrow: bool) -> Result<Known, Halt> {
        begin(&mut runs)?;
        Ok(Known { runs, narrow })
    }

    /// Is the current state of a run among them? States must be asked for in order.
    fn has(&mut self, state: &Cursor) -> Result<bool, Halt> {
        let narrow = self.narrow;
        self.find(|run| compare(run, state, narrow))
    }

    /// The same for a state on its own.
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

#[inline]
fn compare(a: &Cursor, b: &Cursor, narrow: bool) -> Ordering {
    if narrow { a.word.cmp(&b.word) } else { a.head().cmp(b.head()) }
}

fn least(runs: &[Cursor], narrow: bool) -> Option<usize> {
    let mut best = 0;
    for at in 1..runs.len() {
        if compare(&runs[at], &runs[best], narrow) == Ordering::Less {
            best = at;
        }
    }
    (!runs.is_empty()).then_some(best)
}
