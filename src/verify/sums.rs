//! Plain induction over the independent parts of positions, for sums with too many positions. It trusts the game's own
//! [`Game::PARTS`], and uses neither symmetry nor keys.

use std::collections::{BTreeMap, HashMap};

use crate::limits::Limits;
use crate::outcome::Worth;
use crate::rules::{Game, Parts, Score};

/// All parts that can arise, each with its Grundy value.
pub struct Sums<'a, G: Game> {
    game: &'a G,
    parts: Parts<G>,
    layers: BTreeMap<u32, HashMap<G::State, u16>>,
}

/// Finds and labels all parts. `None` if positions do not split, or if there are too many parts.
pub fn sums<'a, G: Game>(game: &'a G, start: &G::State, limits: &Limits) -> Option<Sums<'a, G>> {
    let mut sums = Sums { game, parts: G::PARTS.filter(|_| game.impartial())?, layers: BTreeMap::new() };
    let mut count = 0;
    for part in sums.split(start) {
        count += sums.add(part)?;
    }
    let mut at = sums.layers.keys().next().copied();
    while let Some(layer) = at {
        let states: Vec<G::State> = sums.layers[&layer].keys().cloned().collect();
        for state in states {
            for mv in sums.moves(&state) {
                for part in sums.split(&game.apply(&state, &mv)) {
                    count += sums.add(part)?;
                }
                if count > limits.nodes || limits.check().is_err() {
                    return None;
                }
            }
        }
        at = sums.layers.range(layer + 1..).next().map(|(next, _)| *next);
    }
    let numbers: Vec<u32> = sums.layers.keys().rev().copied().collect();
    for layer in numbers {
        let states: Vec<G::State> = sums.layers[&layer].keys().cloned().collect();
        for state in states {
            limits.check().ok()?;
            let after = sums.moves(&state).iter().map(|mv| sums.value(&game.apply(&state, mv))).collect::<Option<Vec<u16>>>()?;
            let value = (0..).find(|value| !after.contains(value))?;
            sums.layers.get_mut(&layer)?.insert(state, value);
        }
    }
    Some(sums)
}

impl<G: Game> Sums<'_, G> {
    fn split(&self, state: &G::State) -> Vec<G::State> {
        let mut split = Vec::new();
        (self.parts.of)(self.game, state, &mut split);
        split
    }

    /// Returns the number of new parts, 0 or 1.
    fn add(&mut self, part: G::State) -> Option<u64> {
        let layer = self.layers.entry(self.game.layer(&part)?).or_default();
        Some(u64::from(layer.insert(part, 0).is_none()))
    }

    fn moves(&self, state: &G::State) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.game.terminal(state).is_none() {
            self.game.moves(state, &mut moves);
        }
        moves
    }

    /// The parts of a position, with their values. `None` if it cannot be reached.
    pub fn parts(&self, state: &G::State) -> Option<Vec<(G::State, u16)>> {
        let value = |part: G::State| {
            let value = *self.layers.get(&self.game.layer(&part)?)?.get(&part)?;
            Some((part, value))
        };
        self.split(state).into_iter().map(value).collect()
    }

    fn value(&self, state: &G::State) -> Option<u16> {
        Some(self.parts(state)?.iter().fold(0, |sum, (_, value)| sum ^ value))
    }

    /// The labels of a position, without its length.
    pub fn worth(&self, state: &G::State) -> Option<Worth> {
        let grundy = self.value(state)?;
        Some(Worth { score: if grundy == 0 { Score::Loss } else { Score::Win }, grundy, length: 0 })
    }

    /// Every move from a position, with the labels of the position after it.
    pub fn after(&self, state: &G::State) -> Option<Vec<(G::Move, Worth)>> {
        self.moves(state).into_iter().map(|mv| Some((mv.clone(), self.worth(&self.game.apply(state, &mv))?))).collect()
    }
}
