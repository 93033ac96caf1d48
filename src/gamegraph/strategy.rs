//! Builds a strategy from the results of a search: one player's moves in every position that can arise.
//! [`crate::verify::strategy`] checks it.

use std::collections::{HashMap, HashSet};

use super::decider::Decider;
use super::retrograde::Retrograde;
use crate::limits::{Limit, Limits};
use crate::rules::{Game, Score};
use crate::verify::Strategy;

/// Number of bytes per position in addition to its text.
const POSITION_BYTES: usize = 128;

/// Knows the moves of a strategy.
pub trait Guide<G: Game> {
    /// The index of a move with which the player to move reaches at least this score. There must be one.
    fn reply(&mut self, state: &G::State, moves: &[G::Move], score: Score, limits: &Limits) -> Result<usize, Limit>;

    /// The number of moves to the end with best play, if it is known.
    fn length(&self, state: &G::State) -> Option<u32>;

    /// Number of bytes in use.
    fn bytes(&self) -> usize;
}

impl<G: Game> Guide<G> for Decider<G, Score> {
    fn reply(&mut self, state: &G::State, moves: &[G::Move], score: Score, limits: &Limits) -> Result<usize, Limit> {
        let mv = Decider::reply(self, state, score, limits)?;
        Ok(moves.iter().position(|other| *other == mv).expect("the search returns a legal move"))
    }

    fn length(&self, _: &G::State) -> Option<u32> {
        None
    }

    fn bytes(&self) -> usize {
        self.stats().peak_bytes
    }
}

impl<G: Game> Guide<G> for Retrograde<G> {
    fn reply(&mut self, state: &G::State, moves: &[G::Move], _: Score, limits: &Limits) -> Result<usize, Limit> {
        limits.check()?;
        Ok(self.best(state, moves).expect("there is a move"))
    }

    fn length(&self, state: &G::State) -> Option<u32> {
        Retrograde::length(self, state)
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}

/// The moves by which a player reaches a score that the guide has proved. Player 1 is to move at the start. `limits.nodes` is the
/// maximum number of positions in the strategy. If positions can repeat, a win also lists lengths, which the guide must know.
pub fn find<G: Game>(
    game: &G,
    start: &G::State,
    (player, score): (u8, Score),
    guide: &mut impl Guide<G>,
    limits: &Limits,
) -> Result<Strategy, Limit> {
    let mut strategy = Strategy { player, score, moves: HashMap::new(), lengths: HashMap::new() };
    let with_lengths = score == Score::Win && game.repeats();
    let mut seen: HashSet<String> = HashSet::new();
    let mut stack = vec![(player == 1, start.clone())];
    let unlimited = limits.with_nodes(u64::MAX);
    let mut moves = Vec::new();
    let mut bytes = 0;
    while let Some((own, state)) = stack.pop() {
        limits.check()?;
        if game.terminal(&state).is_some() {
            continue;
        }
        moves.clear();
        game.moves(&state, &mut moves);
        if !own {
            let (text, _) = (G::OUTLINE.position)(game, &state, &[]);
            bytes += text.len() + POSITION_BYTES;
            if seen.insert(text) {
                stack.extend(moves.iter().map(|mv| (true, game.apply(&state, mv))));
            }
        } else {
            let (text, names) = (G::OUTLINE.position)(game, &state, &moves);
            if strategy.moves.contains_key(&text) {
                continue;
            }
            let at = guide.reply(&state, &moves, score, &unlimited)?;
            bytes += text.len() + POSITION_BYTES;
            if with_lengths {
                bytes += text.len() + POSITION_BYTES;
                strategy.lengths.extend(guide.length(&state).map(|length| (text.clone(), length)));
            }
            strategy.moves.insert(text, names[at].clone());
            stack.push((false, game.apply(&state, &moves[at])));
        }
        limits.room(2 * bytes + stack.capacity() * size_of::<(bool, G::State)>() + guide.bytes())?;
        if (seen.len() + strategy.moves.len()) as u64 > limits.nodes {
            return Err(Limit::Nodes);
        }
    }
    Ok(strategy)
}
