//! Traces of two-player solvers: a line for every position, in the order in which positions are decided.

use std::collections::HashMap;
use std::sync::Arc;

use crate::catalog::TraceSink;
use crate::gamegraph::decider::{Observer, Value};
use crate::gamegraph::induction::LabeledPosition;
use crate::gamegraph::sum::Watch;
use crate::gamegraph::tree::{Visit, VisitedChild};
use crate::notation::Notation;
use crate::outcome::Worth;
use crate::rules::{Game, Score};
use crate::trace::{ChildLine, Fate, Line, PositionValue};

/// Numbers lines and writes them.
pub(super) struct DuelTracer<'a, G> {
    game: Arc<G>,
    sink: TraceSink<'a>,
    pub(super) lines: u64,
    /// The next unused position number.
    next: u64,
}

impl<'a, G: Game + Notation> DuelTracer<'a, G> {
    pub(super) fn new(game: Arc<G>, sink: TraceSink<'a>, lines: u64) -> Self {
        DuelTracer { game, sink, lines, next: 0 }
    }

    fn line(&mut self, line: Line, state: &G::State) {
        self.lines += 1;
        let state = self.sink.states.then(|| self.game.write(state));
        (self.sink.emit)(Line { n: self.lines, state, ..line });
    }

    /// Writes a visit by a method of the minimax family.
    pub(super) fn visited(&mut self, visit: Visit<'_, G>) {
        let Visit { id, parent, mv, depth, state, open, judged, exact, children } = visit;
        let value = |exact: Option<(Score, Option<u16>)>| exact.map(|(score, length)| PositionValue { score, grundy: None, length });
        let child = |child: VisitedChild<'_, G>| ChildLine {
            id: child.id,
            mv: self.game.write_move(state, child.mv),
            numbers: None,
            value: value(child.exact),
            fate: child.fate,
            goal: false,
            place: None,
        };
        let children = children.into_iter().map(child).collect();
        let mv = mv.map(|(above, mv)| self.game.write_move(above, mv));
        let (value, judged, open) = (value(exact), Some(judged), Some(open));
        self.line(Line { id, parent, mv, depth, value, judged, open, children, ..Line::default() }, state);
    }

    /// Writes a position labeled by backward induction or retrograde analysis. All positions after it are known. Only induction computes
    /// Grundy values.
    pub(super) fn labeled(&mut self, position: LabeledPosition<'_, G>, with_grundy: bool) {
        let impartial = with_grundy && self.game.impartial();
        let worth = |worth: Worth| PositionValue { score: worth.score, grundy: impartial.then_some(worth.grundy), length: worth.moves() };
        let LabeledPosition { id, depth, state, moves, after, .. } = position;
        let child = |(mv, (id, after)): (&G::Move, &(u64, _))| ChildLine {
            id: Some(*id),
            mv: self.game.write_move(state, mv),
            numbers: None,
            value: Some(worth(*after)),
            fate: Fate::Known,
            goal: false,
            place: None,
        };
        let children = moves.iter().zip(after).map(child).collect();
        self.line(Line { id, depth, value: Some(worth(position.worth)), children, ..Line::default() }, state);
    }
}

/// The observer of a depth-first search.
pub(super) struct DeciderTrace<'t, 'a, G: Game, V> {
    tracer: &'t mut DuelTracer<'a, G>,
    /// Positions in progress. Each is reached by a move from the one before.
    stack: Vec<Looked<G, V>>,
    /// The number and the value of a position, by its key.
    known: HashMap<Vec<u8>, (u64, Option<V>)>,
}

struct Looked<G: Game, V> {
    id: u64,
    parent: Option<u64>,
    mv: Option<String>,
    state: G::State,
    key: Vec<u8>,
    moves: Vec<(G::Move, Vec<u8>, Option<V>)>,
}

impl<'t, 'a, G: Game + Notation, V: Value> DeciderTrace<'t, 'a, G, V> {
    pub(super) fn new(tracer: &'t mut DuelTracer<'a, G>) -> Self {
        DeciderTrace { tracer, stack: Vec::new(), known: HashMap::new() }
    }

    /// The number of the position with this key.
    fn number(&mut self, key: &[u8]) -> u64 {
        let next = &mut self.tracer.next;
        let (id, _) = self.known.entry(key.to_vec()).or_insert_with(|| {
            *next += 1;
            (*next - 1, None)
        });
        *id
    }

    fn leave(&mut self, value: Option<V>) {
        let Some(looked) = self.stack.pop() else { return };
        self.known.insert(looked.key, (looked.id, value));
        let mut moves = Vec::new();
        if self.tracer.game.terminal(&looked.state).is_none() {
            self.tracer.game.moves(&looked.state, &mut moves);
        }
        let mut children: Vec<ChildLine> = Vec::with_capacity(moves.len());
        for (mv, key, before) in &looked.moves {
            let id = self.number(key);
            let value = before.or_else(|| self.known.get(key).and_then(|(_, value)| *value));
            // Symmetric moves lead to the same position.
            let again = children.iter().any(|child| child.id == Some(id));
            children.push(ChildLine {
                id: Some(id),
                mv: self.tracer.game.write_move(&looked.state, mv),
                numbers: None,
                value: value.map(Value::worth),
                fate: if before.is_some() || again { Fate::Known } else { Fate::New },
                goal: false,
                place: None,
            });
        }
        // The search ignores the other moves once one wins.
        for mv in moves.iter().filter(|mv| looked.moves.iter().all(|(seen, ..)| seen != *mv)) {
            let mv = self.tracer.game.write_move(&looked.state, mv);
            children.push(ChildLine { id: None, mv, numbers: None, value: None, fate: Fate::New, goal: false, place: None });
        }
        let (id, parent, mv, depth) = (looked.id, looked.parent, looked.mv, self.stack.len() as u32);
        let open = Some(self.stack.len() as u64);
        let line = Line { id, parent, mv, depth, value: value.map(Value::worth), open, children, ..Line::default() };
        self.tracer.line(line, &looked.state);
    }

    /// Also writes lines for positions that a limit left undecided.
    pub(super) fn finish(&mut self) {
        while !self.stack.is_empty() {
            self.leave(None);
        }
    }
}

impl<G: Game + Notation, V: Value> Observer<G, V> for DeciderTrace<'_, '_, G, V> {
    fn entered(&mut self, state: &G::State, key: &[u8]) {
        let id = self.number(key);
        let above = self.stack.last();
        let mv = above.and_then(|above| {
            let (mv, ..) = above.moves.iter().find(|(_, after, _)| after == key)?;
            Some(self.tracer.game.write_move(&above.state, mv))
        });
        let parent = above.map(|above| above.id);
        self.stack.push(Looked { id, parent, mv, state: state.clone(), key: key.to_vec(), moves: Vec::new() });
    }

    fn looked(&mut self, mv: &G::Move, key: &[u8], known: Option<V>) {
        if let Some(looked) = self.stack.last_mut() {
            looked.moves.push((mv.clone(), key.to_vec(), known));
        }
    }

    fn decided(&mut self, value: V) {
        self.leave(Some(value));
    }
}

/// The observer of a search of sums. Its lines are parts of positions.
pub(super) struct SumTrace<'t, 'a, G: Game> {
    tracer: &'t mut DuelTracer<'a, G>,
    /// Parts in progress.
    stack: Vec<EnteredPart<G>>,
    numbers: HashMap<Vec<u8>, u64>,
}

struct EnteredPart<G: Game> {
    id: u64,
    mv: Option<String>,
    state: G::State,
}

impl<'t, 'a, G: Game + Notation> SumTrace<'t, 'a, G> {
    pub(super) fn new(tracer: &'t mut DuelTracer<'a, G>) -> Self {
        SumTrace { tracer, stack: Vec::new(), numbers: HashMap::new() }
    }

    /// Also writes lines for parts that a limit left undecided.
    pub(super) fn finish(&mut self) {
        while let Some(part) = self.stack.last() {
            let mut moves = Vec::new();
            if self.tracer.game.terminal(&part.state).is_none() {
                self.tracer.game.moves(&part.state, &mut moves);
            }
            self.left(None, &moves.into_iter().map(|mv| (mv, None)).collect::<Vec<_>>());
        }
    }
}

impl<G: Game + Notation> Watch<G> for SumTrace<'_, '_, G> {
    fn entered(&mut self, state: &G::State, key: &[u8], mv: Option<&G::Move>) {
        let next = &mut self.tracer.next;
        let id = *self.numbers.entry(key.to_vec()).or_insert_with(|| {
            *next += 1;
            *next - 1
        });
        let above = self.stack.last();
        let mv = above.zip(mv).map(|(above, mv)| self.tracer.game.write_move(&above.state, mv));
        self.stack.push(EnteredPart { id, mv, state: state.clone() });
    }

    fn left(&mut self, value: Option<PositionValue>, after: &[(G::Move, Option<PositionValue>)]) {
        let Some(EnteredPart { id, mv, state }) = self.stack.pop() else { return };
        let child = |(mv, value): &(G::Move, Option<PositionValue>)| ChildLine {
            id: None,
            mv: self.tracer.game.write_move(&state, mv),
            numbers: None,
            value: *value,
            fate: if value.is_some() { Fate::Known } else { Fate::New },
            goal: false,
            place: None,
        };
        let children = after.iter().map(child).collect();
        let (parent, depth) = (self.stack.last().map(|above| above.id), self.stack.len() as u32);
        self.tracer.line(Line { id, parent, mv, depth, value, open: Some(u64::from(depth)), children, ..Line::default() }, &state);
    }
    fn abandoned(&mut self) {
        self.finish();
    }
}
