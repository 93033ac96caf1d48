//! Depth-first proof-number search with a transposition table: Nagai, *Df-pn algorithm for searching AND/OR trees* (2002).
//!
//! Like [`super::proof_number`], but a position is searched until its numbers reach thresholds, above which the best-first search would
//! continue elsewhere. So only the positions of one path are in progress, and numbers are kept in a table by [`Game::KEYS`]. The table has
//! two generations of bounded size: when the young one is full, it replaces the old one. A forgotten position is searched again. The
//! positions in progress keep the numbers of the positions after their moves, so each search makes progress even if the table forgets them.
//!
//! The question of a position is whether its player to move reaches a score. After a move, it is whether the other player prevents this.

use std::sync::Arc;

use super::order::{Listed, Moves, Order, Sorter};
use super::proof_number::{Questions, UNKNOWN, any};
use super::table::Transpositions;
use super::tally::Tally;
use super::tree::{Proved, Range, TreeSearch, Visit, VisitedChild, Watch, Way};
use crate::limits::{Limit, Limits};
use crate::outcome::Stats;
use crate::rules::{Game, Score};
use crate::trace::{Fate, INFINITE, Judged, ProofNumbers};

/// Maximum number of positions in one generation of the table.
const GENERATION: u64 = 1 << 20;

/// Numbers by position and question.
struct Table {
    young: Transpositions<ProofNumbers>,
    old: Transpositions<ProofNumbers>,
    /// Maximum number of positions in one generation.
    most: u64,
}

impl Table {
    fn get(&self, key: &[u8]) -> Option<ProofNumbers> {
        self.young.get(key).or_else(|| self.old.get(key))
    }

    fn set(&mut self, key: &[u8], numbers: ProofNumbers) {
        self.young.set(key, numbers);
        if self.young.len() >= self.most {
            self.old = std::mem::take(&mut self.young);
        }
    }

    fn len(&self) -> u64 {
        self.young.len() + self.old.len()
    }

    fn bytes(&self) -> usize {
        self.young.bytes() + self.old.bytes()
    }
}

/// The score that the player to move must reach to prevent the other player from reaching `goal`.
fn against(goal: Score) -> Score {
    if goal == Score::Win { Score::Draw } else { Score::Win }
}

/// Writes the key of a position together with its question.
fn with_goal(key: &mut Vec<u8>, goal: Score) {
    key.push(u8::from(goal == Score::Win));
}

/// A position in progress. Its own numbers and those of the positions after its moves are for the question whether its player to move
/// reaches `goal`.
struct Frame<G: Game> {
    id: u64,
    state: G::State,
    goal: Score,
    /// The key of the position and its question.
    key: Vec<u8>,
    moves: Moves<G::Move>,
    after: Vec<ProofNumbers>,
    /// For each move, the last visit of the position after it, and whether the table had numbers for that position. Only in a traced
    /// search.
    seen: Vec<(Option<u64>, bool)>,
    /// The numbers at which the search of this position ends.
    threshold: ProofNumbers,
    /// The move that is being searched.
    next: usize,
    /// True if the trace already has a line for this visit, because a limit had ended the run.
    shown: bool,
}

impl<G: Game> Frame<G> {
    fn bytes(&self) -> usize {
        let after = self.after.capacity() * size_of::<ProofNumbers>() + self.seen.capacity() * size_of::<(Option<u64>, bool)>();
        size_of::<Self>() + self.key.capacity() + self.moves.bytes() + after
    }

    fn numbers(&self) -> ProofNumbers {
        any(self.after.iter().copied())
    }

    fn key_after(&self, at: usize, key: &mut Vec<u8>) {
        key.clear();
        key.extend_from_slice(self.moves.key(at));
        with_goal(key, against(self.goal));
    }
}

/// A depth-first proof-number search in progress.
pub struct DepthFirstProof<G: Game> {
    game: Arc<G>,
    start: G::State,
    sorter: Sorter<G::Move>,
    questions: Questions,
    table: Table,
    stack: Vec<Frame<G>>,
    /// The total size of the frames on the stack, in bytes.
    stack_bytes: usize,
    tally: Tally,
    found: Option<Proved<G::Move>>,
    traced: bool,
}

impl<G: Game> DepthFirstProof<G> {
    pub fn new(game: Arc<G>, start: G::State, order: Order) -> Self {
        DepthFirstProof::with_table(game, start, order, GENERATION)
    }

    /// A search with a table of this number of positions per generation.
    pub fn with_table(game: Arc<G>, start: G::State, order: Order, most: u64) -> Self {
        let table = Table { young: Transpositions::default(), old: Transpositions::default(), most };
        let (sorter, tally) = (Sorter::new(order), Tally::new(Stats { table: Some(0), ..Stats::default() }));
        let (questions, stack) = (Questions::FIRST, Vec::new());
        DepthFirstProof { game, start, sorter, questions, table, stack, stack_bytes: 0, tally, found: None, traced: false }
    }

    /// Visits a position. Returns its numbers if the game is over; otherwise pushes it on the stack.
    fn visit(
        &mut self,
        (state, goal, key): (G::State, Score, Vec<u8>),
        threshold: ProofNumbers,
        limits: &Limits,
        watch: &mut Watch<'_, G>,
    ) -> Result<Option<ProofNumbers>, Limit> {
        let depth = self.stack.len();
        let (table, stack) = (&self.table, self.stack_bytes);
        self.tally.check(limits, depth as u64, || table.bytes() + stack)?;
        let listed = self.sorter.list(&*self.game, &state, depth, true, limits)?;
        let id = self.tally.stats.expanded;
        if let Some(seen) = self.stack.last_mut().and_then(|above| above.seen.get_mut(above.next)) {
            seen.0 = Some(id);
        }
        let moves = match listed {
            Listed::Moves(moves) => moves,
            Listed::End(score) => {
                self.tally.visited(0, 0);
                self.questions.met_draw |= score == Score::Draw;
                let numbers = ProofNumbers::decided(score >= goal);
                self.table.set(&key, numbers);
                if depth == 0 {
                    self.found = Some(Proved { score, length: None, best: Vec::new(), all_best: true });
                }
                if let Some(watch) = watch {
                    let (judged, (parent, mv)) = (self.judged(depth, Some(numbers)), self.way(depth));
                    let (depth, open, exact) = (depth as u32, depth as u64, Some((score, None)));
                    watch(Visit { id, parent, mv, depth, state: &state, open, judged, exact, children: Vec::new() });
                }
                return Ok(Some(numbers));
            }
        };
        let count = moves.list.len();
        let mut frame =
            Frame { id, state, goal, key, moves, after: Vec::with_capacity(count), seen: Vec::new(), threshold, next: 0, shown: false };
        let mut key = Vec::new();
        for at in 0..count {
            frame.key_after(at, &mut key);
            let known = self.table.get(&key);
            frame.after.push(known.unwrap_or(UNKNOWN).turned());
            if self.traced {
                frame.seen.push((None, known.is_some()));
            }
        }
        let bytes = frame.bytes();
        self.tally.visited(count, bytes);
        self.stack_bytes += bytes;
        self.tally.holds(self.stack_bytes);
        self.stack.push(frame);
        Ok(None)
    }

    /// The visit from which a position at this depth of the stack is reached, and the move to it.
    fn way(&self, depth: usize) -> Way<'_, G> {
        match depth.checked_sub(1).map(|above| &self.stack[above]) {
            Some(above) => (Some(above.id), Some((&above.state, &above.moves.list[above.next]))),
            None => (None, None),
        }
    }

    /// The numbers of a position at this depth, for the question about the start.
    fn judged(&self, depth: usize, numbers: Option<ProofNumbers>) -> Judged {
        let numbers = if depth.is_multiple_of(2) { numbers } else { numbers.map(ProofNumbers::turned) };
        Judged::Proof { question: self.questions.goal, numbers }
    }

    /// Emits the line of a position on the stack.
    fn show(&self, depth: usize, numbers: Option<ProofNumbers>, watch: &mut dyn FnMut(Visit<'_, G>)) {
        let frame = &self.stack[depth];
        let child = |(mv, &(id, known))| VisitedChild { mv, id, exact: None, fate: if known { Fate::Known } else { Fate::New } };
        let children = frame.moves.list.iter().zip(&frame.seen).map(child).collect();
        let (judged, (parent, mv)) = (self.judged(depth, numbers), self.way(depth));
        let (depth, open) = (depth as u32, depth as u64);
        watch(Visit { id: frame.id, parent, mv, depth, state: &frame.state, open, judged, exact: None, children });
    }

    /// Removes the top position, whose numbers have reached its thresholds.
    fn leave(&mut self, numbers: ProofNumbers, watch: &mut Watch<'_, G>) {
        let depth = self.stack.len() - 1;
        if let Some(watch) = watch
            && !self.stack[depth].shown
        {
            self.show(depth, Some(numbers), *watch);
        }
        let frame = self.stack.pop().expect("the stack is not empty");
        self.stack_bytes -= frame.bytes();
        self.table.set(&frame.key, numbers);
        match self.stack.last_mut() {
            Some(above) => above.after[above.next] = numbers.turned(),
            None => match self.questions.score(numbers.proof == 0) {
                Some(score) => self.found = Some(Questions::answer(score, frame.moves.list.into_iter().zip(frame.after))),
                None => self.questions.goal = Score::Draw,
            },
        }
    }

    /// Searches until the start is decided.
    fn run(&mut self, limits: &Limits, watch: &mut Watch<'_, G>) -> Result<(), Limit> {
        let mut key = Vec::new();
        while self.found.is_none() {
            let Some(frame) = self.stack.last_mut() else {
                let mut key = Vec::new();
                (G::KEYS.key)(&self.game, &self.start, &mut key);
                with_goal(&mut key, self.questions.goal);
                let threshold = ProofNumbers { proof: INFINITE, disproof: INFINITE };
                self.visit((self.start.clone(), self.questions.goal, key), threshold, limits, watch)?;
                continue;
            };
            // Other lines of play may have changed the numbers of positions after other moves.
            for at in 0..frame.after.len() {
                if !frame.after[at].is_decided() {
                    frame.key_after(at, &mut key);
                    if let Some(numbers) = self.table.get(&key) {
                        frame.after[at] = numbers.turned();
                    }
                }
            }
            let numbers = frame.numbers();
            if numbers.proof >= frame.threshold.proof || numbers.disproof >= frame.threshold.disproof {
                self.leave(numbers, watch);
                continue;
            }
            let at = (0..frame.after.len()).min_by_key(|&at| frame.after[at].proof).expect("the position has moves");
            let others = frame.after.iter().enumerate().filter(|(other, _)| *other != at);
            let second = others.map(|(_, numbers)| numbers.proof).min().unwrap_or(INFINITE);
            // The search of the move ends when another move is better, or when this position reaches a threshold.
            let rest = numbers.disproof - frame.after[at].disproof;
            let disproof = match frame.threshold.disproof {
                INFINITE => INFINITE,
                threshold => threshold - rest,
            };
            let threshold = ProofNumbers { proof: frame.threshold.proof.min(second.saturating_add(1)), disproof };
            frame.next = at;
            frame.key_after(at, &mut key);
            let state = self.game.apply(&frame.state, &frame.moves.list[at]);
            let after = (state, against(frame.goal), key.clone());
            if let Some(numbers) = self.visit(after, threshold.turned(), limits, watch)? {
                let above = self.stack.last_mut().expect("the position after a move is above another");
                above.after[at] = numbers.turned();
            }
        }
        Ok(())
    }
}

impl<G: Game> TreeSearch<G> for DepthFirstProof<G> {
    fn solve(&mut self, limits: &Limits, mut watch: Watch<'_, G>) -> Result<Proved<G::Move>, Limit> {
        self.tally.begin();
        self.traced |= watch.is_some();
        if let Err(limit) = self.run(limits, &mut watch) {
            for depth in (0..self.stack.len()).rev() {
                if let Some(watch) = &mut watch
                    && !self.stack[depth].shown
                {
                    self.show(depth, None, *watch);
                    self.stack[depth].shown = true;
                }
            }
            return Err(limit);
        }
        Ok(self.found.clone().expect("the start is decided"))
    }

    fn stats(&self) -> Stats {
        let (len, before) = (self.table.len(), self.tally.stats);
        let bytes = self.table.bytes() + self.stack_bytes;
        Stats { stored: len, table: Some(len), peak_bytes: before.peak_bytes.max(bytes), ..before }
    }

    fn range(&self) -> Range {
        self.questions.range()
    }
}
