//! Depth-first search for the Grundy values of sums, with a table of independent parts: [`Game::PARTS`].
//!
//! The value of a sum is the xor of the values of its parts (Sprague and Grundy), so only parts are searched and stored. To find out
//! whether a part has the value n, the search looks for a move to a sum of value n. It needs the values of all parts of that sum except the
//! largest one, of which it asks the same kind of question (Lemoine and Viennot). So most moves of most parts are never searched.
//!
//! The search can be stopped at any time and resumes where it stopped.

use std::cmp::Ordering;
use std::sync::Arc;

use super::decider::{Grundy, Value};
use super::table::Transpositions;
use super::tally::Tally;
use crate::limits::{Limit, Limits};
use crate::outcome::Stats;
use crate::rules::{Game, Parts, Score};
use crate::trace::PositionValue;

/// The state of knowledge about a value: either the value, or a set of numbers that it is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Known(u32);

/// Set if the value is known.
const EXACT: u32 = 1 << 31;
/// Numbers from here on cannot be excluded separately: a question about one of them asks for the value itself.
const LARGE: Grundy = 31;

impl Known {
    fn exactly(value: Grundy) -> Known {
        Known(EXACT | u32::from(value))
    }

    fn value(self) -> Option<Grundy> {
        (self.0 & EXACT != 0).then_some(self.0 as Grundy)
    }

    /// True if the value is known to differ from `value`.
    fn excludes(self, value: Grundy) -> bool {
        match self.value() {
            Some(known) => known != value,
            None => value < LARGE && self.0 >> value & 1 == 1,
        }
    }

    fn without(self, value: Grundy) -> Known {
        if value < LARGE && self.0 & EXACT == 0 { Known(self.0 | 1 << value) } else { self }
    }
}

/// The question that a search answers about a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    Value,
    /// Tells this value from all others.
    Whether(Grundy),
}

impl Goal {
    fn whether(value: Grundy) -> Goal {
        if value < LARGE { Goal::Whether(value) } else { Goal::Value }
    }

    fn is_met(self, known: Known) -> bool {
        known.value().is_some() || matches!(self, Goal::Whether(value) if known.excludes(value))
    }
}

/// A part whose value is not yet known.
#[derive(Clone)]
struct Part<S> {
    state: S,
    key: Box<[u8]>,
    /// Parts of higher layers are smaller.
    layer: u32,
}

/// A sum: the xor of the known values, and the other parts, with the largest one first.
struct Sum<S> {
    xor: Grundy,
    open: Vec<Part<S>>,
    /// The number of moves in the largest part.
    moves: usize,
}

/// The result of adding up the known values of a sum.
enum Judged<S> {
    Value(Grundy),
    /// The value is not the one in question.
    Other,
    /// It depends on this part.
    Depends(Part<S>, Goal),
}

impl<S: Clone> Sum<S> {
    /// Adds up the known values. If they do not decide whether the value is `target` (without a target, what the value is), returns a
    /// part to search.
    fn judge(&mut self, table: &Transpositions<Known>, target: Option<Grundy>) -> Judged<S> {
        let xor = &mut self.xor;
        self.open.retain(|part| match table.get(&part.key).and_then(Known::value) {
            Some(value) => {
                *xor ^= value;
                false
            }
            None => true,
        });
        match (&self.open[..], target) {
            ([], _) => Judged::Value(self.xor),
            ([part], Some(target)) => {
                let target = target ^ self.xor;
                match table.get(&part.key).is_some_and(|known| known.excludes(target)) {
                    true => Judged::Other,
                    false => Judged::Depends(part.clone(), Goal::whether(target)),
                }
            }
            ([.., part], _) => Judged::Depends(part.clone(), Goal::Value),
        }
    }
}

/// A part in progress.
struct Frame<G: Game> {
    part: Part<G::State>,
    goal: Goal,
    /// The knowledge about its value so far.
    known: Known,
    /// The number that is being looked for among the values after its moves.
    candidate: Grundy,
    /// The moves, without those that lead to the same sum as an earlier one, and the sums after them.
    moves: Vec<(G::Move, Sum<G::State>)>,
    /// The next move to try.
    at: usize,
    /// True if no move leads to the number that the goal asks about.
    is_missed: bool,
    bytes: usize,
}

/// An observer of a search.
pub trait Watch<G: Game> {
    /// False if nothing is observed, so that no values need to be collected.
    const OBSERVES: bool = true;

    /// Called when a part is searched that arises by this move from the part that is being searched.
    fn entered(&mut self, _state: &G::State, _key: &[u8], _mv: Option<&G::Move>) {}
    /// Called at the end of the search of a part, with its value and the values after all its moves, as far as they are known.
    fn left(&mut self, _value: Option<PositionValue>, _after: &[(G::Move, Option<PositionValue>)]) {}
    /// Called when the parts in progress are given up for another question.
    fn abandoned(&mut self) {}
}

impl<G: Game> Watch<G> for () {
    const OBSERVES: bool = false;
}

/// A search of one game, in progress. It owns its data.
pub struct Adder<G: Game> {
    game: Arc<G>,
    parts: &'static Parts<G>,
    table: Transpositions<Known>,
    stack: Vec<Frame<G>>,
    tally: Tally,
    stack_bytes: usize,
    key: Vec<u8>,
    split: Vec<G::State>,
    legal: Vec<G::Move>,
}

impl<G: Game> Adder<G> {
    /// `None` if positions of this game do not split, or have no Grundy values.
    pub fn new(game: &Arc<G>) -> Option<Self> {
        let parts = const { G::PARTS.as_ref() }.filter(|_| game.impartial())?;
        let (game, table, tally) = (Arc::clone(game), Transpositions::default(), Tally::new(Stats::default()));
        let (stack, key, split, legal) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Some(Adder { game, parts, table, stack, tally, stack_bytes: 0, key, split, legal })
    }

    pub fn stats(&self) -> Stats {
        let before = self.tally.stats;
        Stats { stored: self.table.len(), peak_bytes: before.peak_bytes.max(self.bytes()), ..before }
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.stack_bytes
    }

    /// The Grundy value of a position. After a limit, another call for the same position resumes where it stopped.
    pub fn value(&mut self, state: &G::State, limits: &Limits, watch: &mut impl Watch<G>) -> Result<Grundy, Limit> {
        let found = self.find(state, None, limits, watch)?;
        Ok(found.expect("there is no other question"))
    }

    /// True if the player to move loses. Resumes like [`Adder::value`].
    pub fn is_lost(&mut self, state: &G::State, limits: &Limits, watch: &mut impl Watch<G>) -> Result<bool, Limit> {
        Ok(self.find(state, Some(0), limits, watch)? == Some(0))
    }

    /// The parts of a position, with their Grundy values.
    pub fn parts(&mut self, state: &G::State, limits: &Limits, watch: &mut impl Watch<G>) -> Result<Vec<(G::State, Grundy)>, Limit> {
        let mut split = Vec::new();
        (self.parts.of)(&self.game, state, &mut split);
        split.into_iter().map(|part| self.value(&part, limits, watch).map(|value| (part, value))).collect()
    }

    /// The value of a position; `None` if it is found not to be the target.
    fn find(
        &mut self,
        state: &G::State,
        target: Option<Grundy>,
        limits: &Limits,
        watch: &mut impl Watch<G>,
    ) -> Result<Option<Grundy>, Limit> {
        self.tally.begin();
        let mut sum = self.split(state);
        loop {
            match sum.judge(&self.table, target) {
                Judged::Value(value) => return Ok(Some(value)),
                Judged::Other => return Ok(None),
                Judged::Depends(part, goal) => self.search(part, goal, limits, watch)?,
            }
        }
    }

    /// The parts of a position. Equal parts cancel.
    fn split(&mut self, state: &G::State) -> Sum<G::State> {
        self.split.clear();
        (self.parts.of)(&self.game, state, &mut self.split);
        let mut open: Vec<Part<G::State>> = Vec::with_capacity(self.split.len());
        for state in self.split.drain(..) {
            self.key.clear();
            (G::KEYS.key)(&self.game, &state, &mut self.key);
            match open.iter().position(|part| *part.key == *self.key) {
                Some(equal) => _ = open.swap_remove(equal),
                None => open.push(Part { layer: self.game.layer(&state).unwrap_or(0), key: self.key.as_slice().into(), state }),
            }
        }
        open.sort_unstable_by(|one, other| (one.layer, &one.key).cmp(&(other.layer, &other.key)));
        self.legal.clear();
        if let Some(part) = open.first() {
            self.game.moves(&part.state, &mut self.legal);
        }
        Sum { xor: 0, open, moves: self.legal.len() }
    }

    /// Searches a part until the goal is met. Stores the answer in the table.
    fn search(&mut self, part: Part<G::State>, goal: Goal, limits: &Limits, watch: &mut impl Watch<G>) -> Result<(), Limit> {
        if self.stack.first().is_none_or(|root| root.part.key != part.key || root.goal != goal) {
            if !self.stack.is_empty() {
                watch.abandoned();
            }
            self.stack.clear();
            self.stack_bytes = 0;
            self.enter(part, goal, limits, watch)?;
        }
        while let Some(frame) = self.stack.last_mut() {
            if let Some((part, goal)) = frame.advance(&self.table) {
                self.enter(part, goal, limits, watch)?;
                continue;
            }
            let frame = self.stack.pop().expect("the stack is not empty");
            self.stack_bytes -= frame.bytes;
            self.table.set(&frame.part.key, frame.known);
            self.report(&frame, watch);
        }
        Ok(())
    }

    /// Reports the end of the search of a part.
    fn report<W: Watch<G>>(&mut self, frame: &Frame<G>, watch: &mut W) {
        if !W::OBSERVES {
            return;
        }
        let (state, mut legal, mut after) = (&frame.part.state, Vec::new(), Vec::new());
        if self.game.terminal(state).is_none() {
            self.game.moves(state, &mut legal);
        }
        for mv in legal {
            let next = self.game.apply(state, &mv);
            let value = match self.split(&next).judge(&self.table, Some(0)) {
                Judged::Value(value) => Some(value.worth()),
                // It is not lost, whatever its value is.
                Judged::Other => Some(Score::Win.worth()),
                Judged::Depends(..) => None,
            };
            after.push((mv, value));
        }
        let is_won = || frame.known.excludes(0).then(|| Score::Win.worth());
        watch.left(frame.known.value().map(Value::worth).or_else(is_won), &after);
    }

    /// Starts to search a part.
    fn enter(&mut self, part: Part<G::State>, goal: Goal, limits: &Limits, watch: &mut impl Watch<G>) -> Result<(), Limit> {
        let (table, stack) = (&self.table, self.stack_bytes);
        self.tally.check(limits, self.stack.len() as u64, || table.bytes() + stack)?;
        let mut legal = Vec::new();
        if self.game.terminal(&part.state).is_none() {
            self.game.moves(&part.state, &mut legal);
        }
        let mut moves = Vec::with_capacity(legal.len());
        for mv in legal {
            limits.check()?;
            let after = self.game.apply(&part.state, &mv);
            moves.push((mv, self.split(&after)));
        }
        let generated = moves.len();
        let keys = |sum: &Sum<G::State>| sum.open.iter().map(|part| part.key.len()).sum::<usize>();
        // Parts with few moves are decided quickly.
        moves.sort_by(|(_, one), (_, other)| one.compare(other));
        moves.dedup_by(|(_, one), (_, other)| one.compare(other).is_eq());
        let each = size_of::<(G::Move, Sum<G::State>)>();
        let open = |sum: &Sum<G::State>| sum.open.capacity() * size_of::<Part<G::State>>() + keys(sum);
        let bytes = size_of::<Frame<G>>() + moves.capacity() * each + moves.iter().map(|(_, sum)| open(sum)).sum::<usize>();
        let by = self.stack.last().map(|frame| &frame.moves[frame.at].0);
        watch.entered(&part.state, &part.key, by);
        let known = self.table.get(&part.key).unwrap_or_default();
        let candidate = if let Goal::Whether(value) = goal { value } else { 0 };
        self.tally.visited(generated, bytes);
        self.stack_bytes += bytes;
        let mut frame = Frame { part, goal, known, candidate, moves, at: 0, is_missed: false, bytes };
        frame.look_up(&self.table);
        self.stack.push(frame);
        Ok(())
    }
}

impl<S> Sum<S> {
    /// The order in which sums are searched.
    fn compare(&self, other: &Self) -> Ordering {
        let keys = || self.open.iter().map(|part| &part.key).cmp(other.open.iter().map(|part| &part.key));
        self.moves.cmp(&other.moves).then_with(keys)
    }
}

impl<G: Game> Frame<G> {
    /// Excludes the candidate if a move is known to lead to it.
    fn look_up(&mut self, table: &Transpositions<Known>) {
        self.at = 0;
        for (_, sum) in &mut self.moves {
            if matches!(sum.judge(table, Some(self.candidate)), Judged::Value(value) if value == self.candidate) {
                self.known = self.known.without(self.candidate);
                self.at = usize::MAX;
                return;
            }
        }
    }

    /// Continues until the goal is met (`None`) or another part must be searched first.
    fn advance(&mut self, table: &Transpositions<Known>) -> Option<(Part<G::State>, Goal)> {
        loop {
            let mut is_reached = self.at == usize::MAX || self.known.excludes(self.candidate);
            while !is_reached && let Some((_, sum)) = self.moves.get_mut(self.at) {
                match sum.judge(table, Some(self.candidate)) {
                    Judged::Value(value) if value == self.candidate => is_reached = true,
                    Judged::Value(_) | Judged::Other => self.at += 1,
                    Judged::Depends(part, goal) => return Some((part, goal)),
                }
            }
            match (is_reached, self.goal) {
                (true, _) => self.known = self.known.without(self.candidate),
                (false, Goal::Whether(value)) if !self.is_missed && value > 0 => self.is_missed = true,
                // All lesser numbers are reached.
                (false, _) => self.known = Known::exactly(self.candidate),
            }
            if self.goal.is_met(self.known) {
                return None;
            }
            self.candidate = match self.goal {
                // No move leads to the value, so it is right if all lesser numbers are reached.
                Goal::Whether(value) if self.candidate == value => 0,
                _ => self.candidate + 1,
            };
            if matches!(self.goal, Goal::Whether(value) if self.candidate == value) {
                self.known = Known::exactly(self.candidate);
                return None;
            }
            self.look_up(table);
        }
    }
}
