//! Depth-first search with a transposition table over [`Game::KEYS`]: positions with equal keys are searched once.
//!
//! To find the score, the search stops at the first winning move. It first looks at the moves to known positions, then tries the
//! others in the order of [`Keys::successors`](crate::rules::Keys::successors). For Grundy values, it needs all moves. The search can
//! be stopped at any time and resumes where it stopped.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::table::Transpositions;
use super::tally::Tally;
use crate::limits::{Limit, Limits};
use crate::outcome::Stats;
use crate::rules::{Game, Score};
use crate::trace::PositionValue;

/// A position's value: the score or the Grundy value.
pub trait Value: Copy + Eq {
    /// The value as shown in a trace.
    fn worth(self) -> PositionValue;
    /// The value of a position in which the game is over.
    fn end(score: Score) -> Self;
    /// The value of a position with a move to a position of value `after`, if that move alone decides the value.
    fn decided(after: Self) -> Option<Self>;
    /// The value of a position, computed from the values after all of its moves.
    fn of(after: &[Self]) -> Self;
}

/// The best score of the player to move.
impl Value for Score {
    fn worth(self) -> PositionValue {
        PositionValue { score: self, grundy: None, length: None }
    }

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

/// The Grundy value: the least number that is not the value of any successor.
pub type Grundy = u16;

impl Value for Grundy {
    fn worth(self) -> PositionValue {
        PositionValue { score: if self == 0 { Score::Loss } else { Score::Win }, grundy: Some(self), length: None }
    }

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

/// The least number that is not in the list.
pub fn mex(values: &[Grundy]) -> Grundy {
    let mut seen = vec![false; values.len() + 1];
    for &value in values {
        if let Some(place) = seen.get_mut(value as usize) {
            *place = true;
        }
    }
    let least = seen.iter().position(|seen| !seen).expect("there is one more place than values");
    Grundy::try_from(least).expect("a Grundy value above 65,535 needs a graph with two billion moves")
}

/// An observer of a search. The current position is the last one that was entered but not yet decided.
pub trait Observer<G: Game, V> {
    fn entered(&mut self, _state: &G::State, _key: &[u8]) {}
    /// Called when a move of the current position leads to a position with this key, whose value may be known.
    fn looked(&mut self, _mv: &G::Move, _key: &[u8], _known: Option<V>) {}
    fn decided(&mut self, _value: V) {}
}

impl<G: Game, V> Observer<G, V> for () {}

/// A depth-first search of one game, in progress. It owns its data.
pub struct Decider<G: Game, V> {
    game: Arc<G>,
    table: Transpositions<V>,
    stack: Vec<Frame<G::State, V>>,
    /// The position whose expansion was stopped by a limit. Its moves are in `moves`.
    begun: Option<Expansion<G::State, V>>,
    tally: Tally,
    /// The total size of the frames on the stack, in bytes.
    stack_bytes: usize,
    moves: Vec<G::Move>,
    key: Vec<u8>,
}

/// A partially expanded position, and the index of its next move.
struct Expansion<S, V> {
    state: S,
    frame: Frame<S, V>,
    next: usize,
}

/// A position in progress.
struct Frame<S, V> {
    /// The position's own key, followed by the keys of the open positions.
    keys: Vec<u8>,
    /// The length of the position's own key.
    own: usize,
    /// The successors whose values are not yet known, with the next one last.
    open: Vec<Open<S>>,
    /// Values of the successors evaluated so far.
    after: Vec<V>,
    bytes: usize,
}

/// A position whose value is not yet known. Its key is at `from..to` in the frame's `keys`.
struct Open<S> {
    rank: u32,
    from: usize,
    to: usize,
    state: S,
}

impl<S, V> Frame<S, V> {
    fn key(&self) -> &[u8] {
        &self.keys[..self.own]
    }

    /// Sorts the open positions so that the next one to search is last: the one of lowest rank or, among equals, the one generated
    /// first. Positions after consecutive moves are similar, so they are searched one after another.
    fn sort(&mut self) {
        self.open.sort_by_key(|open| std::cmp::Reverse((open.rank, open.from)));
        self.bytes = size_of::<Self>() + self.open.capacity() * size_of::<Open<S>>() + self.keys.capacity();
    }
}

impl<G: Game, V: Value> Decider<G, V> {
    pub fn new(game: Arc<G>) -> Self {
        let table = Transpositions::default();
        let (stack, moves, key) = (Vec::new(), Vec::new(), Vec::new());
        let tally = Tally::new(Stats::default());
        Decider { game, table, stack, begun: None, tally, stack_bytes: 0, moves, key }
    }

    pub fn stats(&self) -> Stats {
        let before = self.tally.stats;
        Stats { stored: self.table.len(), peak_bytes: before.peak_bytes.max(self.bytes()), ..before }
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.stack_bytes
    }

    /// The value of a position. After a limit, another call for the same position resumes where it stopped.
    pub fn value(&mut self, state: &G::State, limits: &Limits) -> Result<V, Limit> {
        self.watched(state, limits, &mut ())
    }

    /// Like [`Decider::value`], but traced by an observer.
    pub fn watched(&mut self, state: &G::State, limits: &Limits, watch: &mut impl Observer<G, V>) -> Result<V, Limit> {
        self.key.clear();
        (G::KEYS.key)(&self.game, state, &mut self.key);
        if let Some(known) = self.table.get(&self.key) {
            return Ok(known);
        }
        self.tally.begin();
        let root = self.stack.first().or(self.begun.as_ref().map(|begun| &begun.frame));
        if root.is_none_or(|frame| frame.key() != self.key) {
            self.stack.clear();
            self.begun = None;
            self.stack_bytes = 0;
            self.check(limits)?;
            if let Some(value) = self.enter(state.clone(), limits, watch)? {
                return Ok(value);
            }
        } else {
            self.check(limits)?;
            if let Some(begun) = self.begun.take()
                && let Some(value) = self.expand(begun, limits, watch)?
            {
                let whole = if self.stack.is_empty() { Some(value) } else { self.seen(value, watch) };
                if let Some(value) = whole {
                    return Ok(value);
                }
            }
        }
        loop {
            let frame = self.stack.last_mut().expect("the root is not decided yet");
            let Some(open) = frame.open.pop() else {
                let value = V::of(&frame.after);
                if let Some(value) = self.leave(value, watch) {
                    return Ok(value);
                }
                continue;
            };
            self.key.clear();
            self.key.extend_from_slice(&frame.keys[open.from..open.to]);
            // Its value may have become known in the meantime.
            let value = match self.table.get(&self.key) {
                Some(value) => value,
                None => {
                    if let Err(limit) = self.check(limits) {
                        self.stack.last_mut().expect("the stack is not empty").open.push(open);
                        return Err(limit);
                    }
                    match self.enter(open.state, limits, watch)? {
                        Some(value) => value,
                        None => continue,
                    }
                }
            };
            if let Some(value) = self.seen(value, watch) {
                return Ok(value);
            }
        }
    }

    fn check(&mut self, limits: &Limits) -> Result<(), Limit> {
        let (table, stack) = (&self.table, self.stack_bytes);
        self.tally.check(limits, self.stack.len() as u64, || table.bytes() + stack)
    }

    /// Enters the position whose key is `self.key`. Returns its value if it is decided at once; otherwise pushes it on the stack.
    fn enter(&mut self, state: G::State, limits: &Limits, watch: &mut impl Observer<G, V>) -> Result<Option<V>, Limit> {
        watch.entered(&state, &self.key);
        if let Some(score) = self.game.terminal(&state) {
            self.tally.visited(0, 0);
            let key = std::mem::take(&mut self.key);
            let value = self.remember(&key, V::end(score), watch);
            self.key = key;
            return Ok(Some(value));
        }
        self.moves.clear();
        self.game.moves(&state, &mut self.moves);
        self.tally.visited(self.moves.len(), 0);
        let mut keys = Vec::with_capacity(self.key.len() * (1 + self.moves.len()));
        keys.extend_from_slice(&self.key);
        let frame = Frame { own: keys.len(), keys, open: Vec::with_capacity(self.moves.len()), after: Vec::new(), bytes: 0 };
        self.expand(Expansion { state, frame, next: 0 }, limits, watch)
    }

    /// Expands a position. The limits are checked after each move, because there may be thousands and computing keys takes time.
    fn expand(&mut self, begun: Expansion<G::State, V>, limits: &Limits, watch: &mut impl Observer<G, V>) -> Result<Option<V>, Limit> {
        let Expansion { state, mut frame, next } = begun;
        let (game, table) = (&*self.game, &self.table);
        let mut at = next;
        let (mut decided, mut stopped) = (None, None);
        (G::KEYS.successors)(game, &state, &self.moves, next, &mut |mv, rank, key| {
            at += 1;
            let known = table.get(key);
            watch.looked(mv, key, known);
            match known {
                Some(value) => {
                    frame.after.push(value);
                    decided = V::decided(value);
                }
                None => {
                    let from = frame.keys.len();
                    frame.keys.extend_from_slice(key);
                    frame.open.push(Open { rank, from, to: frame.keys.len(), state: game.apply(&state, mv) });
                }
            }
            if decided.is_none() {
                stopped = limits.check().err();
            }
            if decided.is_some() || stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if let Some(limit) = stopped {
            self.begun = Some(Expansion { state, frame, next: at });
            return Err(limit);
        }
        if let Some(value) = decided {
            return Ok(Some(self.remember(frame.key(), value, watch)));
        }
        frame.sort();
        self.stack_bytes += frame.bytes;
        self.tally.keeps(frame.bytes);
        self.stack.push(frame);
        Ok(None)
    }

    fn remember(&mut self, key: &[u8], value: V, watch: &mut impl Observer<G, V>) -> V {
        watch.decided(value);
        self.table.put(key, value);
        value
    }

    /// Records the value of a successor of the top position. Returns the value of the root if that is now decided.
    fn seen(&mut self, value: V, watch: &mut impl Observer<G, V>) -> Option<V> {
        let frame = self.stack.last_mut().expect("a position is on the stack");
        frame.after.push(value);
        match V::decided(value) {
            Some(value) => self.leave(value, watch),
            None => None,
        }
    }

    /// Records the value of the top position, which may decide the positions below it. Returns the value of the root if that is now
    /// decided.
    fn leave(&mut self, mut value: V, watch: &mut impl Observer<G, V>) -> Option<V> {
        loop {
            let frame = self.stack.pop().expect("the stack is not empty");
            self.stack_bytes -= frame.bytes;
            self.table.put(frame.key(), value);
            watch.decided(value);
            let Some(below) = self.stack.last_mut() else { return Some(value) };
            below.after.push(value);
            match V::decided(value) {
                Some(decided) => value = decided,
                None => return None,
            }
        }
    }
}

impl<G: Game> Decider<G, Score> {
    /// A move with which the player to move reaches at least this score, preferably a move to a known position.
    pub fn reply(&mut self, state: &G::State, score: Score, limits: &Limits) -> Result<G::Move, Limit> {
        let mut moves = Vec::new();
        self.game.moves(state, &mut moves);
        let mut reply = None;
        let reaches = |after: Score| after.reversed() >= score;
        (G::KEYS.successors)(&self.game, state, &moves, 0, &mut |mv, _, key| match self.table.get(key) {
            Some(after) if reaches(after) => {
                reply = Some(mv.clone());
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        });
        if let Some(reply) = reply {
            return Ok(reply);
        }
        for mv in &moves {
            let after = self.game.apply(state, mv);
            if reaches(self.value(&after, limits)?) {
                return Ok(mv.clone());
            }
        }
        panic!("no move reaches the score")
    }
}
