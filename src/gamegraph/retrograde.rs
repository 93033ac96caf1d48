//! Retrograde analysis, for games in which positions can repeat and for all others: lists all reachable positions, then works backward
//! from the ends of the game.
//!
//! A position is won as soon as one successor is lost, and lost as soon as all of its successors are won. Positions are decided in the
//! order of their distance from the end, so the distance is the length of best play: the winner hurries and the loser delays. Positions
//! that are never decided are draws, because neither player can force an end. In some of them, both players together can reach a drawn end;
//! in the others, play never ends.
//!
//! Moves are generated twice: first to list the positions and count the moves to each of them, then to list these moves in an array of
//! exactly that size.

use std::sync::Arc;

use super::induction::{LabelObserver, LabeledPosition, count};
use crate::limits::{Limit, Limits, Progress};
use crate::outcome::{Stats, Worth};
use crate::rules::{Game, Packing, Score};
use crate::search::explore;
use crate::search::store::{Id, Store};
use crate::space::Batch;

/// All positions of a game, with their scores and the lengths of best play.
pub struct Retrograde<G: Game> {
    game: Arc<G>,
    fold: bool,
    states: Store,
    /// The first id of each distance from the start, then the number of positions.
    first: Vec<usize>,
    values: Vec<Value>,
    expanded: u64,
    generated: u64,
    pub bytes: usize,
}

/// A score and a length in one word.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Value(u32);

impl Value {
    /// Undecided; in the end, a draw in which play never ends.
    const OPEN: Value = Value(u32::MAX);

    fn new(score: Score, length: u32) -> Value {
        Value(length.min(u32::MAX >> 3) << 2 | score as u32)
    }

    fn score(self) -> Score {
        match self.0 & 3 {
            0 => Score::Loss,
            2 => Score::Win,
            _ => Score::Draw,
        }
    }

    fn length(self) -> Option<u32> {
        (self != Value::OPEN).then_some(self.0 >> 2)
    }
}

/// The size of the smallest store, in bytes.
const LEAST: usize = 4096;
/// Number of positions and moves between two progress reports.
const PERIOD: u64 = 4096;
/// Maximum number of positions inserted together.
const TOGETHER: usize = 1024;
/// Maximum total size of these positions, in bytes.
const TOGETHER_BYTES: usize = 1 << 18;

/// Analyzes all positions reachable from `start`; with `fold`, only one position from each set of symmetric positions. `limits.nodes` is
/// the maximum number of positions.
pub fn analyze<G: Game>(game: &Arc<G>, start: &G::State, fold: bool, limits: &Limits) -> Result<Retrograde<G>, Limit> {
    watched(game, start, fold, limits, None)
}

/// Like [`analyze`], but an observer is called with every position afterward, in the order in which positions were decided.
pub fn watched<G: Game>(
    game: &Arc<G>,
    start: &G::State,
    fold: bool,
    limits: &Limits,
    watch: Option<LabelObserver<'_, G>>,
) -> Result<Retrograde<G>, Limit> {
    let width = game.state_bytes();
    let mut work = Work {
        game: &**game,
        fold,
        limits,
        states: Store::new(width),
        batch: Batch::new(width),
        together: TOGETHER.min(TOGETHER_BYTES / width.max(1)).max(1),
        parents: Vec::new(),
        arrivals: Vec::new(),
        left: Vec::new(),
        ends: Vec::new(),
        expanded: 0,
        generated: 0,
        since_check: 0,
        peak: 0,
    };
    let first = work.list(start)?;
    let before = work.link()?;
    let (values, order) = work.decide(&before)?;
    let Work { states, expanded, generated, peak, .. } = work;
    let found = Retrograde { game: Arc::clone(game), fold, states, first, values, expanded, generated, bytes: peak };
    if let Some(watch) = watch {
        found.show(order, watch, limits)?;
    }
    Ok(found)
}

struct Work<'a, G: Game> {
    game: &'a G,
    fold: bool,
    limits: &'a Limits,
    states: Store,
    /// Successors that are not yet inserted, their maximum number, and the positions that they follow.
    batch: Batch,
    together: usize,
    parents: Vec<Id>,
    /// First the number of moves to each position, then the place of the first of them in the list of all moves.
    arrivals: Vec<usize>,
    /// Number of moves from each position to a position that is not known to be won by the next player.
    left: Vec<u32>,
    /// Positions where the game is over.
    ends: Vec<(Id, Score)>,
    expanded: u64,
    generated: u64,
    since_check: u64,
    peak: usize,
}

/// The number of bytes that a vector may need while it grows.
fn growing<T>(vec: &Vec<T>) -> usize {
    let near_full = vec.len() + 2 * PERIOD as usize > vec.capacity();
    (if near_full { 3 * vec.capacity() } else { vec.capacity() }) * size_of::<T>()
}

impl<G: Game> Work<'_, G> {
    /// Lists all positions, and counts the moves to and from each of them. Returns the first id of each distance from the start.
    fn list(&mut self, start: &G::State) -> Result<Vec<usize>, Limit> {
        self.check(0)?;
        let start = if self.fold { self.game.canonical(start.clone()) } else { start.clone() };
        self.batch.push_state(self.game, &start);
        self.states.insert_all(&mut self.batch, |_, _, _| ());
        self.arrivals.push(0);
        let (mut first, mut moves) = (Vec::new(), Vec::new());
        let mut next = 0;
        while next < self.states.len() {
            first.push(next);
            for id in next..self.states.len() {
                if self.expanded >= self.limits.nodes {
                    return Err(Limit::Nodes);
                }
                self.expanded += 1;
                let score = self.expand(id as Id, &mut moves, None)?;
                self.ends.extend(score.map(|score| (id as Id, score)));
                self.left.push(moves.len() as u32);
                self.generated += moves.len() as u64;
                self.check_after(1, 0)?;
            }
            next = self.left.len();
            self.arrive(None);
        }
        first.push(self.states.len());
        Ok(first)
    }

    /// Counts the moves of a position or, if there is a list, lists them. Returns the score if the game is over.
    fn expand(&mut self, id: Id, moves: &mut Vec<G::Move>, mut before: Option<&mut [Id]>) -> Result<Option<Score>, Limit> {
        let state = self.game.unpack(self.states.get(id));
        moves.clear();
        let end = self.game.terminal(&state);
        if end.is_none() {
            self.game.moves(&state, moves);
        }
        for mv in &*moves {
            // There may be thousands of moves, and computing canonical forms takes time.
            self.limits.check()?;
            let after = self.game.apply(&state, mv);
            self.batch.push_state(self.game, &if self.fold { self.game.canonical(after) } else { after });
            self.parents.push(id);
            if self.batch.len() >= self.together {
                let held = before.as_ref().map_or(0, |before| size_of_val(&**before));
                self.arrive(before.as_deref_mut());
                self.check_after(PERIOD / 4, held)?;
            }
        }
        // A state without moves for which `terminal` returns `None` counts as lost.
        Ok(end.or(moves.is_empty().then_some(Score::Loss)))
    }

    /// Inserts the batch and counts the moves to each position, or lists them. When they are listed, each counts the place of its target down
    /// by one, from the end of the target's list to its beginning.
    fn arrive(&mut self, before: Option<&mut [Id]>) {
        let (arrivals, parents) = (&mut self.arrivals, &self.parents);
        match before {
            None => self.states.insert_all(&mut self.batch, |_, id, is_new| {
                if is_new {
                    arrivals.push(0);
                }
                arrivals[id as usize] += 1;
            }),
            Some(before) => self.states.insert_all(&mut self.batch, |at, id, _| {
                let place = &mut arrivals[id as usize];
                *place -= 1;
                before[*place] = parents[at];
            }),
        }
        self.parents.clear();
    }

    /// Lists, for each position, the positions from which a move leads to it. A position is listed once for each such move.
    fn link(&mut self) -> Result<Vec<Id>, Limit> {
        let size = usize::try_from(self.generated).unwrap_or(usize::MAX);
        let held = size.saturating_mul(size_of::<Id>());
        self.check(held)?;
        let mut before = vec![0; size];
        let mut sum = 0;
        for count in &mut self.arrivals {
            sum += *count;
            *count = sum;
        }
        self.arrivals.push(sum);
        let mut moves = Vec::new();
        for id in 0..self.states.len() as Id {
            self.expand(id, &mut moves, Some(&mut before))?;
            self.check_after(1, held)?;
        }
        self.arrive(Some(&mut before));
        Ok(before)
    }

    /// Decides all positions. Returns their values and the order in which they were decided.
    fn decide(&mut self, before: &[Id]) -> Result<(Vec<Value>, Vec<Id>), Limit> {
        let count = self.states.len();
        let held = size_of_val(before) + count * (size_of::<Value>() + size_of::<Id>());
        self.check(held)?;
        let mut values = vec![Value::OPEN; count];
        let mut order: Vec<Id> = Vec::with_capacity(count);
        // First the wins and losses. Then the draws, which no win or loss depends on.
        for drawn in [false, true] {
            let mut next = order.len();
            for &(id, score) in self.ends.iter().filter(|(_, score)| (*score == Score::Draw) == drawn) {
                values[id as usize] = Value::new(score, 0);
                order.push(id);
            }
            while let Some(&id) = order.get(next) {
                next += 1;
                let value = values[id as usize];
                let (from, to) = (self.arrivals[id as usize], self.arrivals[id as usize + 1]);
                for &parent in &before[from..to] {
                    let place = parent as usize;
                    if values[place] != Value::OPEN {
                        continue;
                    }
                    if value.score() == Score::Win {
                        self.left[place] -= 1;
                        if self.left[place] > 0 {
                            continue;
                        }
                    }
                    values[place] = Value::new(value.score().reversed(), value.length().map_or(0, |length| length + 1));
                    order.push(parent);
                }
                self.check_after(1 + (to - from) as u64, held)?;
            }
        }
        Ok((values, order))
    }

    /// Checks the limits once per period. `held` is the number of bytes in use elsewhere.
    fn check_after(&mut self, work: u64, held: usize) -> Result<(), Limit> {
        self.since_check += work;
        if self.since_check < PERIOD {
            return Ok(());
        }
        self.check(held)
    }

    fn check(&mut self, held: usize) -> Result<(), Limit> {
        self.since_check = 0;
        let columns = growing(&self.arrivals) + growing(&self.left) + growing(&self.ends) + growing(&self.parents);
        let bytes = held.saturating_add(self.states.bytes_after(8 * self.together) + self.batch.bytes() + columns + LEAST);
        self.limits.room(bytes)?;
        self.peak = self.peak.max(bytes);
        let open = self.states.len() as u64 - self.expanded;
        let progress = Progress { expanded: self.expanded, generated: self.generated, open, bytes, ..Progress::default() };
        self.limits.report(&progress)
    }
}

impl<G: Game> Retrograde<G> {
    /// The id of a reachable position.
    fn id(&self, state: &G::State) -> usize {
        let state = if self.fold { self.game.canonical(state.clone()) } else { state.clone() };
        let mut bytes = vec![0; self.game.state_bytes()];
        self.game.pack(&state, &mut bytes);
        self.states.find(&bytes).expect("the position was reached") as usize
    }

    fn worth_of(&self, id: usize) -> Worth {
        let (score, length) = (self.values[id].score(), self.values[id].length());
        // The greatest length is reserved for draws that never end.
        let length = length.map_or(Worth::ENDLESS, |length| length.min(u32::from(Worth::ENDLESS) - 1) as u16);
        Worth { score, grundy: 0, length }
    }

    /// The score and the length of best play of a reachable position. There is no Grundy value.
    pub fn worth(&self, state: &G::State) -> Worth {
        self.worth_of(self.id(state))
    }

    /// The exact number of moves to the end with best play; `None` if play never ends.
    pub fn length(&self, state: &G::State) -> Option<u32> {
        self.values[self.id(state)].length()
    }

    /// The first best move among these: one that wins soonest, else one that draws soonest, else one that loses latest. `None` if there are
    /// no moves.
    pub fn best(&self, state: &G::State, moves: &[G::Move]) -> Option<usize> {
        let rank = |at: &usize| {
            let value = self.values[self.id(&self.game.apply(state, &moves[*at]))];
            let length = value.length().map_or(i64::MAX, i64::from);
            (value.score(), if value.score() == Score::Win { -length } else { length })
        };
        (0..moves.len()).min_by_key(rank)
    }

    /// The number of positions.
    pub fn total(&self) -> u64 {
        self.states.len() as u64
    }

    pub fn stats(&self) -> Stats {
        Stats { expanded: self.expanded, generated: self.generated, stored: self.total(), peak_bytes: self.bytes, ..Stats::default() }
    }

    /// Every position with its distance from the start, its score and its length, in the order of the distance.
    pub fn positions(&self) -> impl Iterator<Item = (u32, G::State, Worth)> + '_ {
        let depths = self.first.windows(2).zip(0u32..).flat_map(|(ids, depth)| (ids[0]..ids[1]).map(move |id| (depth, id)));
        depths.map(|(depth, id)| (depth, self.game.unpack(self.states.get(id as Id)), self.worth_of(id)))
    }

    /// The counts for each distance from the start.
    pub fn counts(&self, limits: &Limits) -> Result<Vec<explore::Layer>, Limit> {
        count(&*self.game, self.fold, self.positions(), limits)
    }

    /// Shows all positions to an observer: the decided ones in the order in which they were decided, then the others.
    fn show(&self, order: Vec<Id>, watch: LabelObserver<'_, G>, limits: &Limits) -> Result<(), Limit> {
        let undecided = (0..self.states.len() as Id).filter(|id| self.values[*id as usize] == Value::OPEN);
        let (mut moves, mut after) = (Vec::new(), Vec::new());
        for id in order.into_iter().chain(undecided) {
            limits.check()?;
            let state = self.game.unpack(self.states.get(id));
            moves.clear();
            after.clear();
            if self.game.terminal(&state).is_none() {
                self.game.moves(&state, &mut moves);
            }
            for mv in &moves {
                let id = self.id(&self.game.apply(&state, mv));
                after.push((id as u64, self.worth_of(id)));
            }
            let depth = (self.first.partition_point(|first| *first <= id as usize) - 1) as u32;
            let worth = self.worth_of(id as usize);
            watch(LabeledPosition { id: u64::from(id), depth, state: &state, worth, moves: &moves, after: &after });
        }
        Ok(())
    }
}
