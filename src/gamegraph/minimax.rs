//! Minimax search of the game tree, and its refinements: alpha-beta search, alpha-beta search with a transposition table, and SCOUT.
//!
//! The window of a position consists of two scores of its player to move: `alpha`, which that player has already reached elsewhere, and
//! `beta`, above which the other player avoids the position. At first, the window is open, as in textbooks; a position is cut off once
//! `alpha >= beta`. SCOUT tests most moves with a window that is one step wide. For this it must know that there are three scores, so its
//! first window is from a loss to a win. Values are fail-soft: a value outside the window is a bound.
//!
//! The positions in progress are on a stack of the search's own, so deep games need no deep recursion, and the search can be stopped and
//! resumed before every visit.

use std::sync::Arc;

use super::order::{Listed, Moves, Order, Sorter};
use super::table::Transpositions;
use super::tally::Tally;
use super::tree::{Proved, Range, TreeSearch, Visit, VisitedChild, Watch, Way, sorted};
use crate::limits::{Limit, Limits};
use crate::outcome::Stats;
use crate::rules::{Game, Score};
use crate::trace::{Fate, Judged, Window};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Visits the whole tree and computes the length of play.
    Minimax,
    AlphaBeta,
    /// Alpha-beta search that stores values and bounds by [`Game::KEYS`].
    Table,
    Scout,
}

/// The value of a position for its player to move. The length is only meaningful in minimax search.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Value {
    score: Score,
    length: u16,
}

impl Value {
    /// The value of a move to a position of this value.
    fn before(self) -> Value {
        Value { score: self.score.reversed(), length: self.length.saturating_add(1) }
    }

    /// True if a player prefers this value. The winner hurries, and the loser delays. A draw should be short.
    fn is_above(self, other: Value) -> bool {
        let longer = self.length > other.length;
        let shorter = self.length < other.length;
        self.score > other.score || self.score == other.score && if self.score == Score::Loss { longer } else { shorter }
    }
}

/// The score that is one step better.
fn next(score: Score) -> Score {
    if score == Score::Loss { Score::Draw } else { Score::Win }
}

impl Window {
    /// The window of the position after a move.
    fn turned(self) -> Window {
        Window { alpha: self.beta.map(Score::reversed), beta: self.alpha.map(Score::reversed) }
    }

    fn is_closed(self) -> bool {
        self.alpha.is_some() && self.beta.is_some_and(|beta| self.alpha >= Some(beta))
    }

    /// The range of the score of a position for which a search with this window returned `value`.
    fn range(self, value: Score) -> Range {
        let is_upper = self.alpha.is_some_and(|alpha| value <= alpha);
        let is_lower = self.beta.is_some_and(|beta| value >= beta);
        Range { at_least: if is_upper { Score::Loss } else { value }, at_most: if is_lower { Score::Win } else { value } }
    }
}

impl Range {
    fn exact(self) -> Option<Score> {
        (self.at_least == self.at_most).then_some(self.at_least)
    }

    fn reversed(self) -> Range {
        Range { at_least: self.at_most.reversed(), at_most: self.at_least.reversed() }
    }

    /// The scores in both ranges.
    fn and(self, other: Range) -> Range {
        Range { at_least: self.at_least.max(other.at_least), at_most: self.at_most.min(other.at_most) }
    }
}

/// A move whose position has been searched, or found in the table.
struct Tried {
    /// The number of the visit; `None` if the position was found in the table.
    id: Option<u64>,
    /// The score of the position after the move, for its player to move.
    range: Range,
    length: u16,
}

/// A position in progress.
struct Frame<G: Game> {
    id: u64,
    state: G::State,
    /// The position's own key, in a search with a table.
    key: Vec<u8>,
    moves: Moves<G::Move>,
    /// The index of the move to search next.
    next: usize,
    /// The window at first, and with the best value so far.
    first: Window,
    window: Window,
    best: Option<Value>,
    /// The window with which the next move is searched, while it is.
    inner: Window,
    /// The visit of the position after the next move, while it is searched.
    child: Option<u64>,
    /// The range that a test has proved for the position after the next move, which is now searched again.
    tested: Option<Range>,
    /// All moves searched so far, at the root or in a traced search.
    tried: Vec<Tried>,
    /// True if the trace already has a line for this visit, because a limit had ended the run.
    shown: bool,
}

impl<G: Game> Frame<G> {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.key.capacity() + self.moves.bytes() + self.tried.capacity() * size_of::<Tried>()
    }

    fn is_cut(&self) -> bool {
        self.next < self.moves.list.len() && self.window.is_closed()
    }
}

/// A minimax search in progress.
pub struct Minimax<G: Game> {
    game: Arc<G>,
    start: G::State,
    variant: Variant,
    table: Transpositions<Range>,
    sorter: Sorter<G::Move>,
    stack: Vec<Frame<G>>,
    /// The total size of the frames on the stack, in bytes.
    stack_bytes: usize,
    tally: Tally,
    found: Option<Proved<G::Move>>,
    /// True if lines are shown, so that frames keep what lines contain.
    traced: bool,
}

impl<G: Game> Minimax<G> {
    pub fn new(game: Arc<G>, start: G::State, variant: Variant, order: Order) -> Self {
        let table = (variant == Variant::Table).then_some(0);
        let tally = Tally::new(Stats { cutoffs: Some(0), table, ..Stats::default() });
        let (table, sorter, stack) = (Transpositions::default(), Sorter::new(order), Vec::new());
        Minimax { game, start, variant, table, sorter, stack, stack_bytes: 0, tally, found: None, traced: false }
    }

    fn cuts(&self) -> bool {
        self.variant != Variant::Minimax
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.sorter.bytes() + self.stack_bytes
    }

    /// Visits a position. Returns its value if the game is over; otherwise pushes it on the stack.
    fn visit(
        &mut self,
        state: G::State,
        key: &[u8],
        window: Window,
        limits: &Limits,
        watch: &mut Watch<'_, G>,
    ) -> Result<Option<Value>, Limit> {
        let (depth, has_table) = (self.stack.len(), self.variant == Variant::Table);
        let (table, sorter, stack) = (&self.table, &self.sorter, self.stack_bytes);
        self.tally.check(limits, depth as u64, || table.bytes() + sorter.bytes() + stack)?;
        let listed = self.sorter.list(&*self.game, &state, depth, has_table, limits)?;
        let id = self.tally.stats.expanded;
        if let Some(above) = self.stack.last_mut() {
            above.child = Some(id);
        }
        let moves = match listed {
            Listed::Moves(moves) => moves,
            Listed::End(score) => {
                self.tally.visited(0, 0);
                if has_table {
                    self.table.set(key, Range { at_least: score, at_most: score });
                }
                if let Some(watch) = watch {
                    let judged = self.judged(window, Some(score), false);
                    let length = (!self.cuts()).then_some(0);
                    let (parent, mv) = self.way(depth);
                    let (depth, open) = (depth as u32, depth as u64);
                    watch(Visit { id, parent, mv, depth, state: &state, open, judged, exact: Some((score, length)), children: Vec::new() });
                }
                return Ok(Some(Value { score, length: 0 }));
            }
        };
        let frame = Frame {
            id,
            state,
            key: key.to_vec(),
            moves,
            next: 0,
            first: window,
            window,
            best: None,
            inner: window,
            child: None,
            tested: None,
            tried: Vec::new(),
            shown: false,
        };
        let bytes = frame.bytes();
        self.tally.visited(frame.moves.list.len(), bytes);
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

    fn judged(&self, window: Window, value: Option<Score>, cutoff: bool) -> Judged {
        let window = self.cuts().then_some(window);
        Judged::Value { window, value, cutoff }
    }

    /// Emits the line of a position on the stack.
    fn show(&self, depth: usize, value: Option<Value>, watch: &mut dyn FnMut(Visit<'_, G>)) {
        let frame = &self.stack[depth];
        let lengths = !self.cuts();
        let length = |length: u16| lengths.then_some(length);
        let is_cut = frame.is_cut();
        let child = |(at, mv)| {
            let tried: Option<&Tried> = frame.tried.get(at);
            let here = at == frame.next && value.is_none();
            let fate = match tried {
                Some(Tried { id: None, .. }) => Fate::Known,
                None if is_cut && value.is_some() => Fate::Pruned,
                _ => Fate::New,
            };
            let exact = tried.and_then(|tried| tried.range.exact().map(|score| (score, length(tried.length))));
            let id = if here { frame.child } else { tried.and_then(|tried| tried.id) };
            VisitedChild { mv, id, exact, fate }
        };
        let score = value.map(|value| value.score);
        let exact = value.and_then(|value| frame.first.range(value.score).exact().map(|score| (score, length(value.length))));
        let children = frame.moves.list.iter().enumerate().map(child).collect();
        let judged = self.judged(frame.first, score, is_cut && value.is_some());
        let (parent, mv) = self.way(depth);
        let (depth, open) = (depth as u32, depth as u64);
        watch(Visit { id: frame.id, parent, mv, depth, state: &frame.state, open, judged, exact, children });
    }

    /// Removes the top position, whose search is complete, and returns its value.
    fn leave(&mut self, watch: &mut Watch<'_, G>) -> Value {
        let depth = self.stack.len() - 1;
        let value = self.stack[depth].best.expect("a position with moves has a value");
        if let Some(watch) = watch
            && !self.stack[depth].shown
        {
            self.show(depth, Some(value), *watch);
        }
        let frame = self.stack.pop().expect("the stack is not empty");
        self.stack_bytes -= frame.bytes();
        if self.variant == Variant::Table {
            let before = self.table.get(&frame.key).unwrap_or(Range::ALL);
            self.table.set(&frame.key, before.and(frame.first.range(value.score)));
        }
        if self.stack.is_empty() {
            self.found = Some(self.proved(frame, value));
        }
        value
    }

    /// The answer, once the root has been searched. A move is one of the best if its score is surely that of the root.
    fn proved(&self, root: Frame<G>, value: Value) -> Proved<G::Move> {
        let (score, mut best, mut all_best) = (value.score, Vec::new(), !root.is_cut());
        for (mv, tried) in root.moves.list.into_iter().zip(&root.tried) {
            let Range { at_least, at_most } = tried.range.reversed();
            match at_least == score {
                true => best.push(mv),
                false => all_best &= at_most < score,
            }
        }
        if score == Score::Loss {
            (best, all_best) = (Vec::new(), true);
        }
        Proved { score, length: (!self.cuts()).then_some(value.length), best: sorted(best), all_best }
    }

    /// Records the value of the position after the next move of the top position.
    fn receive(&mut self, after: Value, known: bool) {
        let (depth, keeps) = (self.stack.len() - 1, self.stack.len() == 1 || self.traced);
        let is_scout = self.variant == Variant::Scout;
        let frame = &mut self.stack[depth];
        let mut range = frame.inner.turned().range(after.score);
        if let Some(tested) = frame.tested {
            range = range.and(tested);
        }
        let value = after.before();
        if frame.best.is_none_or(|best| value.is_above(best)) {
            frame.best = Some(value);
        }
        let tests = is_scout && frame.tested.is_none() && frame.inner != frame.window;
        let fails = tests && Some(value.score) > frame.window.alpha && frame.window.beta.is_none_or(|beta| value.score < beta);
        if self.variant != Variant::Minimax && Some(value.score) > frame.window.alpha {
            frame.window.alpha = Some(value.score);
        }
        if fails {
            frame.tested = Some(range);
            return;
        }
        frame.tested = None;
        if keeps {
            let before = frame.tried.capacity();
            frame.tried.push(Tried { id: frame.child.filter(|_| !known), range, length: after.length });
            self.stack_bytes += (frame.tried.capacity() - before) * size_of::<Tried>();
        }
        if frame.window.is_closed() {
            self.sorter.cut(depth, &frame.moves.list[frame.next]);
        }
        frame.next += 1;
        frame.child = None;
        if frame.is_cut() {
            self.tally.stats.cutoffs = self.tally.stats.cutoffs.map(|cutoffs| cutoffs + 1);
        }
    }

    /// Searches until the root is decided.
    fn run(&mut self, limits: &Limits, watch: &mut Watch<'_, G>) -> Result<(), Limit> {
        if self.stack.is_empty() {
            let window = match self.variant {
                Variant::Scout => Window { alpha: Some(Score::Loss), beta: Some(Score::Win) },
                _ => Window { alpha: None, beta: None },
            };
            let mut key = Vec::new();
            if self.variant == Variant::Table {
                (G::KEYS.key)(&self.game, &self.start, &mut key);
            }
            if let Some(Value { score, length }) = self.visit(self.start.clone(), &key, window, limits, watch)? {
                let length = (!self.cuts()).then_some(length);
                self.found = Some(Proved { score, length, best: Vec::new(), all_best: true });
            }
        }
        let mut key = Vec::new();
        while let Some(frame) = self.stack.last_mut() {
            let at = frame.next;
            if at == frame.moves.list.len() || frame.is_cut() {
                let value = self.leave(watch);
                if !self.stack.is_empty() {
                    self.receive(value, false);
                }
                continue;
            }
            // SCOUT tests whether a move is better than the best one so far.
            frame.inner = match frame.window.alpha {
                Some(alpha) if self.variant == Variant::Scout && at > 0 && frame.tested.is_none() => {
                    Window { alpha: Some(alpha), beta: Some(next(alpha)) }
                }
                _ => frame.window,
            };
            let mut window = frame.inner.turned();
            if self.variant == Variant::Table {
                key.clear();
                key.extend_from_slice(frame.moves.key(at));
                if let Some(range) = self.table.get(&key) {
                    let Range { at_least, at_most } = range;
                    let is_high = window.beta.is_some_and(|beta| at_least >= beta);
                    let known = if is_high || at_least == at_most {
                        Some(at_least)
                    } else {
                        Some(at_most).filter(|most| Some(*most) <= window.alpha)
                    };
                    if let Some(score) = known {
                        self.receive(Value { score, length: 0 }, true);
                        continue;
                    }
                    window = Window {
                        alpha: window.alpha.max(Some(at_least).filter(|least| *least > Score::Loss)),
                        beta: match window.beta {
                            Some(beta) => Some(beta.min(at_most)),
                            None => Some(at_most).filter(|most| *most < Score::Win),
                        },
                    };
                }
            }
            let state = self.game.apply(&frame.state, &frame.moves.list[at]);
            if let Some(value) = self.visit(state, &key, window, limits, watch)? {
                self.receive(value, false);
            }
        }
        Ok(())
    }
}

impl<G: Game> TreeSearch<G> for Minimax<G> {
    fn solve(&mut self, limits: &Limits, mut watch: Watch<'_, G>) -> Result<Proved<G::Move>, Limit> {
        self.tally.begin();
        self.traced |= watch.is_some();
        if self.found.is_none()
            && let Err(limit) = self.run(limits, &mut watch)
        {
            // The trace also shows the positions that the limit left undecided.
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
        Ok(self.found.clone().expect("the root is decided"))
    }

    fn stats(&self) -> Stats {
        let len = self.table.len();
        let (bytes, before) = (self.bytes(), self.tally.stats);
        Stats { stored: len, table: before.table.map(|_| len), peak_bytes: before.peak_bytes.max(bytes), ..before }
    }

    fn range(&self) -> Range {
        match (&self.found, self.stack.first()) {
            (Some(found), _) => Range { at_least: found.score, at_most: found.score },
            (None, Some(root)) => Range { at_least: root.best.map_or(Score::Loss, |best| best.score), ..Range::ALL },
            (None, None) => Range::ALL,
        }
    }
}
