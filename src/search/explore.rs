//! A walk through the whole space: how many states there are, layer by layer, and what becomes of them.
//!
//! Where no state comes back ([`Rules::layer`](crate::rules::Rules::layer)), layers are forgotten once they are done, and only
//! those ahead are kept. Elsewhere a layer is a number of moves from the start, and all states are kept.

use std::collections::BTreeMap;

use super::packed;
use super::set::Set;
use super::store::{Batch, Id, Store};
use crate::limits::{Limit, Limits, Progress};
use crate::rules::Problem;

/// One layer of the space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// The game's number for it, or moves from the start.
    pub layer: u32,
    /// States up to symmetry.
    pub states: u64,
    /// States in all, if the start is symmetric.
    pub unfolded: u64,
    pub goals: u64,
    /// States without a move that are no goal.
    pub dead_ends: u64,
    /// Moves out of these states.
    pub moves: u64,
}

/// What a walk found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// Whole layers.
    pub layers: Vec<Layer>,
    /// What ended the walk before its end.
    pub limit: Option<Limit>,
    pub peak_bytes: usize,
}

impl Explored {
    /// All layers together.
    pub fn total(&self) -> Layer {
        let add = |sum: Layer, layer: &Layer| Layer {
            layer: layer.layer,
            states: sum.states + layer.states,
            unfolded: sum.unfolded.saturating_add(layer.unfolded),
            goals: sum.goals + layer.goals,
            dead_ends: sum.dead_ends.saturating_add(layer.dead_ends),
            moves: sum.moves + layer.moves,
        };
        self.layers.iter().fold(Layer::default(), add)
    }
}

/// States made between two looks at the limits.
const PERIOD: u64 = 16_384;

/// Walks through everything that can be reached from `start`.
pub fn explore<P: Problem>(problem: &P, start: &P::State, limits: &Limits) -> Explored {
    let mut walk = Walk { problem, moves: Vec::new(), made: 0, next_check: 0, expanded: 0, found: Explored::default() };
    let ended = match problem.layer(start) {
        Some(_) => walk.forgetting(start, limits),
        None => walk.keeping(start, limits),
    };
    walk.found.limit = ended.err();
    walk.found
}

struct Walk<'a, P: Problem> {
    problem: &'a P,
    moves: Vec<P::Move>,
    made: u64,
    next_check: u64,
    expanded: u64,
    found: Explored,
}

impl<P: Problem> Walk<'_, P> {
    /// Counts a state and gives its successors to `emit`.
    fn visit(&mut self, bytes: &[u8], layer: &mut Layer, mut emit: impl FnMut(P::State)) {
        let state = self.problem.unpack(bytes);
        let mut moves = 0;
        self.problem.expand(&state, &mut self.moves, |child, _| {
            moves += 1;
            emit(child);
        });
        let goal = self.problem.is_goal(&state);
        layer.states += 1;
        layer.unfolded += self.problem.orbit(&state);
        layer.goals += u64::from(goal);
        layer.dead_ends += u64::from(!goal && moves == 0);
        layer.moves += moves;
        self.made += moves;
        self.expanded += 1;
    }

    /// Looks at the limits now and then.
    fn check(&mut self, limits: &Limits, bytes: impl FnOnce() -> usize, open: usize) -> Result<(), Limit> {
        if self.expanded >= limits.nodes {
            return Err(Limit::Nodes);
        }
        if self.made < self.next_check {
            return Ok(());
        }
        self.next_check = self.made + PERIOD;
        let bytes = bytes();
        limits.room(bytes)?;
        self.found.peak_bytes = self.found.peak_bytes.max(bytes);
        let now = Progress { expanded: self.expanded, generated: self.made, open: open as u64, bytes, ..Progress::default() };
        limits.report(&now)
    }

    fn forgetting(&mut self, start: &P::State, limits: &Limits) -> Result<(), Limit> {
        let (problem, width) = (self.problem, self.problem.state_bytes());
        let number = |state: &P::State| problem.layer(state).unwrap_or(0);
        let mut ahead: BTreeMap<u32, Set> = BTreeMap::new();
        let mut first = Set::new(width);
        first.push(problem, &problem.canonical(start.clone()));
        first.flush();
        ahead.insert(number(start), first);
        while let Some((layer, set)) = ahead.pop_first() {
            let mut counted = Layer { layer, ..Layer::default() };
            // Mostly one layer takes all children; it is kept at hand.
            let mut near: Option<(u32, Set)> = None;
            for place in 0..set.places() {
                let bytes = || {
                    let kept = ahead.values().chain(near.as_ref().map(|(_, set)| set)).map(|set| set.bytes_after(PERIOD as usize));
                    set.bytes_after(0) + kept.sum::<usize>()
                };
                self.check(limits, bytes, set.len() - counted.states as usize)?;
                set.at(place, |bytes| {
                    self.visit(bytes, &mut counted, |child| {
                        let layer = number(&child);
                        if near.as_ref().is_none_or(|(at, _)| *at != layer) {
                            let set = ahead.remove(&layer).unwrap_or_else(|| Set::new(width));
                            if let Some((old, set)) = near.replace((layer, set)) {
                                ahead.insert(old, set);
                            }
                        }
                        let (_, set) = near.as_mut().expect("just put there");
                        set.push(problem, &child);
                    });
                });
            }
            ahead.extend(near);
            ahead.values_mut().for_each(Set::flush);
            self.found.layers.push(counted);
        }
        Ok(())
    }

    fn keeping(&mut self, start: &P::State, limits: &Limits) -> Result<(), Limit> {
        let (problem, width) = (self.problem, self.problem.state_bytes());
        let (mut store, mut batch) = (Store::new(width), Batch::new(width));
        store.insert(&packed(problem, start.clone()));
        let (mut next, mut depth): (Id, u32) = (0, 0);
        while (next as usize) < store.len() {
            let end = store.len() as Id;
            let mut counted = Layer { layer: depth, ..Layer::default() };
            while next < end {
                self.check(limits, || store.bytes_after(2 * PERIOD as usize) + batch.bytes(), store.len() - next as usize)?;
                self.visit(store.get(next), &mut counted, |child| batch.push(|out| problem.pack(&child, out)));
                next += 1;
                if batch.len() >= 1024 {
                    store.insert_all(&mut batch, |_, _, _| ());
                }
            }
            store.insert_all(&mut batch, |_, _, _| ());
            self.found.layers.push(counted);
            depth += 1;
        }
        Ok(())
    }
}
