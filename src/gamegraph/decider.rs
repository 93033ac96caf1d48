//! Depth-first search with a transposition table over [`Game::key`]: positions with equal keys are looked at once.
//!
//! For the score it stops at the first move that wins, and looks for such a move among the known positions first; for Grundy
//! values it needs them all. It can be stopped anywhere and resumes where it stopped.

use std::sync::Arc;

use super::table::Table;
use crate::limits::{Limit, Limits, Progress};
use crate::outcome::Stats;
use crate::rules::{Game, Score};

/// What is asked about positions.
pub trait Value: Copy + Eq {
    /// The value where the game is over.
    fn end(score: Score) -> Self;
    /// The value of a position with such a move, if that alone decides it.
    fn decided(after: Self) -> Option<Self>;
    /// The value of a position from those after all moves.
    fn of(after: &[Self]) -> Self;
}

/// What the player to move can reach.
impl Value for Score {
    fn end(score: Score) -> Score {
        score
    }

    fn decided(after: Score) -> Option<Score> {
        (after == Score::Loss).then_some(Score::Win)
    }

    fn of(after: &[Score]) -> Score {
        after.iter().min().map_or(Score::Loss, |worst| worst.reversed())
    }
}

/// The Grundy value: the least number that no move leads to.
pub type Grundy = u16;

impl Value for Grundy {
    fn end(_: Score) -> Grundy {
        0
    }

    fn decided(_: Grundy) -> Option<Grundy> {
        None
    }

    fn of(after: &[Grundy]) -> Grundy {
        mex(after)
    }
}

/// The least number that is not there.
pub fn mex(values: &[Grundy]) -> Grundy {
    let mut seen = vec![false; values.len() + 1];
    for &value in values {
        if let Some(place) = seen.get_mut(value as usize) {
            *place = true;
        }
    }
    seen.iter().position(|seen| !seen).expect("there is one more place than values") as Grundy
}

/// A depth-first search at work on one game. It owns what it needs.
pub struct Decider<G: Game, V> {
    game: Arc<G>,
    table: Table<V>,
    stack: Vec<Frame<G::State, V>>,
    stats: Stats,
    since_check: u64,
    moves: Vec<G::Move>,
    key: Vec<u8>,
}

/// A position under way.
struct Frame<S, V> {
    key: Vec<u8>,
    /// Those after moves that are not known yet, the next one last.
    open: Vec<(Vec<u8>, S)>,
    /// Values after moves.
    after: Vec<V>,
}

/// Bytes that even the smallest table takes.
const LEAST: usize = 4096;
/// Positions between two looks at the limits.
const PERIOD: u64 = 1024;

impl<G: Game, V: Value> Decider<G, V> {
    pub fn new(game: Arc<G>) -> Self {
        let table = Table::default();
        Decider { game, table, stack: Vec::new(), stats: Stats::default(), since_check: PERIOD, moves: Vec::new(), key: Vec::new() }
    }

    pub fn stats(&self) -> Stats {
        Stats { stored: self.table.len(), peak_bytes: self.table.bytes(), ..self.stats }
    }

    /// The value of a position. After a limit, the same question resumes where it stopped.
    pub fn value(&mut self, state: &G::State, limits: &Limits) -> Result<V, Limit> {
        self.key.clear();
        self.game.key(state, &mut self.key);
        if let Some(known) = self.table.get(&self.key) {
            return Ok(known);
        }
        self.since_check = PERIOD;
        if self.stack.first().is_none_or(|frame| frame.key != self.key) {
            self.stack.clear();
            self.check(limits)?;
            let key = self.key.clone();
            if let Some(value) = self.enter(state, key) {
                return Ok(value);
            }
        }
        loop {
            let frame = self.stack.last_mut().expect("the question is not answered");
            let Some((key, state)) = frame.open.pop() else {
                let value = V::of(&frame.after);
                if let Some(value) = self.leave(value) {
                    return Ok(value);
                }
                continue;
            };
            // It may have become known meanwhile.
            let value = match self.table.get(&key) {
                Some(value) => value,
                None => {
                    if let Err(limit) = self.check(limits) {
                        self.stack.last_mut().expect("it is there").open.push((key, state));
                        return Err(limit);
                    }
                    match self.enter(&state, key) {
                        Some(value) => value,
                        None => continue,
                    }
                }
            };
            if let Some(value) = self.seen(value) {
                return Ok(value);
            }
        }
    }

    fn check(&mut self, limits: &Limits) -> Result<(), Limit> {
        if self.stats.expanded >= limits.nodes {
            return Err(Limit::Nodes);
        }
        self.since_check += 1;
        if self.since_check <= PERIOD {
            return Ok(());
        }
        self.since_check = 0;
        let bytes = self.table.bytes();
        limits.room(bytes + LEAST)?;
        let (expanded, generated) = (self.stats.expanded, self.stats.generated);
        let progress = Progress { expanded, generated, open: self.stack.len() as u64, bytes, ..Progress::default() };
        limits.report(&progress)
    }

    /// Looks at a position: its value if that is clear at once, or else it is put on the stack.
    fn enter(&mut self, state: &G::State, key: Vec<u8>) -> Option<V> {
        self.stats.expanded += 1;
        if let Some(score) = self.game.terminal(state) {
            return Some(self.remember(&key, V::end(score)));
        }
        self.moves.clear();
        self.game.moves(state, &mut self.moves);
        self.stats.generated += self.moves.len() as u64;
        // Where moves are many, one position is much work.
        self.since_check += self.moves.len() as u64 / 16;
        let mut frame = Frame { key, open: Vec::with_capacity(self.moves.len()), after: Vec::new() };
        for mv in &self.moves {
            let next = self.game.apply(state, mv);
            self.key.clear();
            self.game.key(&next, &mut self.key);
            match self.table.get(&self.key) {
                Some(value) => {
                    if let Some(value) = V::decided(value) {
                        return Some(self.remember(&frame.key, value));
                    }
                    frame.after.push(value);
                }
                None => frame.open.push((self.key.clone(), next)),
            }
        }
        // A short key is a small position, which is soon decided.
        frame.open.sort_by(|a, b| (b.0.len(), &b.0).cmp(&(a.0.len(), &a.0)));
        frame.open.dedup_by(|a, b| a.0 == b.0);
        self.stack.push(frame);
        None
    }

    fn remember(&mut self, key: &[u8], value: V) -> V {
        self.table.put(key, value);
        value
    }

    /// A move of the position on top has this value; gives the value of the whole question if that is now clear.
    fn seen(&mut self, value: V) -> Option<V> {
        let frame = self.stack.last_mut().expect("someone asked");
        frame.after.push(value);
        match V::decided(value) {
            Some(value) => self.leave(value),
            None => None,
        }
    }

    /// The position on top has this value, and so may have those below it.
    fn leave(&mut self, mut value: V) -> Option<V> {
        loop {
            let frame = self.stack.pop().expect("it is there");
            self.table.put(&frame.key, value);
            let Some(below) = self.stack.last_mut() else { return Some(value) };
            below.after.push(value);
            match V::decided(value) {
                Some(decided) => value = decided,
                None => return None,
            }
        }
    }
}
