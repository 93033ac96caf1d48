//! Backward induction: lists all reachable positions layer by layer, then labels them from the last layer to the first. Moves are
//! generated twice instead of stored, which is faster than reading them from memory.

use std::collections::BTreeMap;

use super::decider::{Grundy, mex};
use crate::limits::{Limit, Limits, Progress};
use crate::outcome::{Stats, Worth};
use crate::rules::{Game, Packing, Score};
use crate::search::explore;
use crate::search::store::{Id, Store};
use crate::space::Batch;

/// One layer of positions.
struct LabeledLayer {
    /// The layer's number in the game.
    layer: u32,
    states: Store,
    worth: Vec<Worth>,
}

/// All positions of a game and their labels.
pub struct Labeled<'a, G: Game> {
    game: &'a G,
    fold: bool,
    layers: Vec<LabeledLayer>,
    expanded: u64,
    generated: u64,
    pub bytes: usize,
}

/// The size of the smallest store, in bytes.
const LEAST: usize = 4096;
/// Number of positions between two progress reports.
const PERIOD: u64 = 4096;

struct Work<'a, G: Game> {
    game: &'a G,
    fold: bool,
    limits: &'a Limits,
    layers: BTreeMap<u32, (Store, Batch)>,
    expanded: u64,
    generated: u64,
    next_check: u64,
    held: usize,
}

/// Labels all positions reachable from `start`; with `fold`, only one position from each set of symmetric positions.
pub fn label<'a, G: Game>(game: &'a G, start: &G::State, fold: bool, limits: &Limits) -> Result<Labeled<'a, G>, Limit> {
    watched(game, start, fold, limits, None)
}

/// A labeled position, with its moves and the positions after them.
pub struct LabeledPosition<'a, G: Game> {
    /// The position's number. Positions are numbered layer by layer from the start.
    pub id: u64,
    /// Number of layers from the start.
    pub depth: u32,
    pub state: &'a G::State,
    pub worth: Worth,
    pub moves: &'a [G::Move],
    pub after: &'a [(u64, Worth)],
}

/// An observer of positions being labeled.
pub type LabelObserver<'w, G> = &'w mut dyn FnMut(LabeledPosition<'_, G>);

/// Like [`label`], but an observer is called with every labeled position, from the last layer to the first.
pub fn watched<'a, G: Game>(
    game: &'a G,
    start: &G::State,
    fold: bool,
    limits: &Limits,
    mut watch: Option<LabelObserver<'_, G>>,
) -> Result<Labeled<'a, G>, Limit> {
    let mut work = Work { game, fold, limits, layers: BTreeMap::new(), expanded: 0, generated: 0, next_check: PERIOD, held: 0 };
    work.check()?;
    work.put(start.clone())?;
    let mut done: Vec<LabeledLayer> = Vec::new();
    while let Some((layer, (mut states, mut batch))) = work.layers.pop_first() {
        states.insert_all(&mut batch, |_, _, _| ());
        work.forward(&states)?;
        work.held += states.bytes() + states.len() * size_of::<Worth>();
        done.push(LabeledLayer { layer, worth: Vec::new(), states });
    }
    // Every move leads to a later layer, which comes later in `done`.
    let (mut moves, mut after) = (Vec::new(), Vec::new());
    let mut bytes = vec![0; game.state_bytes()];
    let mut since_check = 0;
    let first: Vec<u64> = done.iter().scan(0, |sum, layer| Some(std::mem::replace(sum, *sum + layer.states.len() as u64))).collect();
    for at in (0..done.len()).rev() {
        let (before, ahead) = done.split_at_mut(at + 1);
        let layer = &mut before[at];
        for id in 0..layer.states.len() as Id {
            if since_check >= PERIOD {
                since_check = 0;
                work.check()?;
            }
            since_check += 1 + moves.len() as u64;
            let state = game.unpack(layer.states.get(id));
            moves.clear();
            after.clear();
            let here = match game.terminal(&state) {
                Some(score) => Worth { score, grundy: 0, length: 0 },
                None => {
                    game.moves(&state, &mut moves);
                    for mv in &moves {
                        limits.check()?;
                        let (layer, id) = find(game, fold, ahead, game.apply(&state, mv), &mut bytes, limits)?;
                        after.push((first[at + 1 + layer] + u64::from(id), ahead[layer].worth[id as usize]));
                    }
                    worth(&after)
                }
            };
            layer.worth.push(here);
            if let Some(watch) = &mut watch {
                let (id, depth) = (first[at] + u64::from(id), at as u32);
                watch(LabeledPosition { id, depth, state: &state, worth: here, moves: &moves, after: &after });
            }
        }
    }
    let Work { expanded, generated, held, .. } = work;
    Ok(Labeled { game, fold, layers: done, expanded, generated, bytes: held })
}

/// Computes the labels of a position from those of its successors.
fn worth(after: &[(u64, Worth)]) -> Worth {
    let Some(worst) = after.iter().map(|(_, after)| after.score).min() else {
        return Worth { score: Score::Loss, grundy: 0, length: 0 };
    };
    let score = worst.reversed();
    let lengths = after.iter().filter(|(_, after)| after.score == worst).map(|(_, after)| after.length);
    let length = if score == Score::Loss { lengths.max() } else { lengths.min() };
    let values: Vec<Grundy> = after.iter().map(|(_, after)| after.grundy).collect();
    Worth { score, grundy: mex(&values), length: length.unwrap_or(0).saturating_add(1) }
}

/// The layer of a position, and its id within the layer.
fn find<G: Game>(
    game: &G,
    fold: bool,
    layers: &[LabeledLayer],
    state: G::State,
    bytes: &mut [u8],
    limits: &Limits,
) -> Result<(usize, Id), Limit> {
    let state = if fold { game.canonical(state) } else { state };
    let number = layer_of(game, &state, limits)?;
    game.pack(&state, bytes);
    let at = layers.iter().position(|layer| layer.layer == number).expect("the position was reached");
    Ok((at, layers[at].states.find(bytes).expect("the position was reached")))
}

/// The layer of a position. A limit may stop its computation.
///
/// # Panics
/// If the game has no layers. Then only retrograde analysis can label its positions.
fn layer_of<G: Game>(game: &G, state: &G::State, limits: &Limits) -> Result<u32, Limit> {
    game.layer(state).map_or_else(|| Err(limits.check().expect_err("backward induction needs layers")), Ok)
}

impl<G: Game> Work<'_, G> {
    /// Adds a position to its layer.
    fn put(&mut self, state: G::State) -> Result<(), Limit> {
        let state = if self.fold { self.game.canonical(state) } else { state };
        let layer = layer_of(self.game, &state, self.limits)?;
        let width = self.game.state_bytes();
        let (states, batch) = self.layers.entry(layer).or_insert_with(|| (Store::new(width), Batch::new(width)));
        batch.push_state(self.game, &state);
        if batch.len() >= 1024 {
            states.insert_all(batch, |_, _, _| ());
        }
        Ok(())
    }

    fn forward(&mut self, states: &Store) -> Result<(), Limit> {
        let mut moves = Vec::new();
        for id in 0..states.len() as Id {
            if self.expanded + self.generated >= self.next_check {
                self.next_check = self.expanded + self.generated + PERIOD;
                self.check()?;
            }
            if self.expanded >= self.limits.nodes {
                return Err(Limit::Nodes);
            }
            self.expanded += 1;
            let state = self.game.unpack(states.get(id));
            if self.game.terminal(&state).is_some() {
                continue;
            }
            moves.clear();
            self.game.moves(&state, &mut moves);
            self.generated += moves.len() as u64;
            for mv in &moves {
                // There may be thousands of moves, and computing canonical forms takes time.
                self.limits.check()?;
                self.put(self.game.apply(&state, mv))?;
            }
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), Limit> {
        let ahead: usize = self.layers.values().map(|(states, batch)| states.bytes() + batch.bytes()).sum();
        let bytes = self.held + ahead + LEAST;
        self.limits.room(bytes)?;
        let progress = Progress { expanded: self.expanded, generated: self.generated, bytes, ..Progress::default() };
        self.limits.report(&progress)
    }
}

impl<G: Game> Labeled<'_, G> {
    /// The labels of a reachable position.
    pub fn worth(&self, state: &G::State) -> Worth {
        let mut bytes = vec![0; self.game.state_bytes()];
        let found = find(self.game, self.fold, &self.layers, state.clone(), &mut bytes, &Limits::none());
        let (layer, id) = found.expect("there is no limit");
        self.layers[layer].worth[id as usize]
    }

    /// The number of positions.
    pub fn total(&self) -> u64 {
        self.layers.iter().map(|layer| layer.states.len() as u64).sum()
    }

    pub fn stats(&self) -> Stats {
        Stats { expanded: self.expanded, generated: self.generated, stored: self.total(), peak_bytes: self.bytes, ..Stats::default() }
    }

    /// Every position with its labels, layer by layer.
    pub fn positions(&self) -> impl Iterator<Item = (u32, G::State, Worth)> + '_ {
        self.layers.iter().flat_map(move |layer| {
            let state = move |id| self.game.unpack(layer.states.get(id));
            (0..layer.states.len() as Id).map(move |id| (layer.layer, state(id), layer.worth[id as usize]))
        })
    }

    /// The counts of each layer.
    pub fn counts(&self, limits: &Limits) -> Result<Vec<explore::Layer>, Limit> {
        count(self.game, self.fold, self.positions(), limits)
    }
}

/// Counts labeled positions, which are listed layer by layer.
pub(super) fn count<G: Game>(
    game: &G,
    fold: bool,
    positions: impl Iterator<Item = (u32, G::State, Worth)>,
    limits: &Limits,
) -> Result<Vec<explore::Layer>, Limit> {
    let mut counts: Vec<explore::Layer> = Vec::new();
    let mut moves = Vec::new();
    for (layer, state, worth) in positions {
        limits.check()?;
        let boards = if fold { game.orbit(&state) } else { 1 };
        let over = game.terminal(&state).is_some();
        moves.clear();
        if !over {
            game.moves(&state, &mut moves);
        }
        let only = |is: bool| if is { boards } else { 0 };
        let one = explore::Layer {
            layer,
            states: 1,
            unfolded: boards,
            dead_ends: only(over),
            moves: moves.len() as u64,
            losing: only(worth.score == Score::Loss),
            drawn: only(worth.score == Score::Draw),
            ..explore::Layer::default()
        };
        match counts.last_mut().filter(|last| last.layer == layer) {
            Some(last) => *last = last.plus(&one),
            None => counts.push(one),
        }
    }
    Ok(counts)
}
