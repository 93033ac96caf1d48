//! Builds a strategy from the results of a search: one player's moves in every position that can arise.
//! [`crate::verify::strategy`] checks it.

use std::collections::{HashMap, HashSet};

use super::decider::Decider;
use crate::limits::{Limit, Limits};
use crate::rules::{Game, Score};
use crate::verify::Strategy;

/// Number of bytes per position in addition to its text.
const POSITION_BYTES: usize = 128;

/// The moves by which a player reaches a score that the search has proved. Player 1 is to move at the start. `limits.nodes` is the
/// maximum number of positions in the strategy.
pub fn find<G: Game>(
    game: &G,
    start: &G::State,
    (player, score): (u8, Score),
    search: &mut Decider<G, Score>,
    limits: &Limits,
) -> Result<Strategy, Limit> {
    let mut strategy = Strategy { player, score, moves: HashMap::new() };
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
            let mv = search.reply(&state, score, &unlimited)?;
            let at = moves.iter().position(|other| *other == mv).expect("the search returns a legal move");
            bytes += text.len() + POSITION_BYTES;
            strategy.moves.insert(text, names[at].clone());
            stack.push((false, game.apply(&state, &mv)));
        }
        limits.room(2 * bytes + stack.capacity() * size_of::<(bool, G::State)>() + search.stats().peak_bytes)?;
        if (seen.len() + strategy.moves.len()) as u64 > limits.nodes {
            return Err(Limit::Nodes);
        }
    }
    Ok(strategy)
}
