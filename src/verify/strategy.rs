//! Checks strategies: a player who follows the strategy must reach the promised score, whatever the other player does. Every legal
//! reply is tried. Positions with the same [`Game::OUTLINE`] are examined once.

use std::collections::{HashMap, HashSet};

use crate::limits::{Limit, Limits};
use crate::rules::{CheckError, Game, Score};
use crate::text::shorten;

/// One player's moves in every position that can arise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// 1 for the player to move at the start, 2 for the other player.
    pub player: u8,
    /// The minimum score that the player reaches with this strategy.
    pub score: Score,
    /// Maps the outline of a position to the name of a move.
    pub moves: HashMap<String, String>,
}

/// Number of bytes per position in addition to its text.
const POSITION_BYTES: usize = 64;

/// Plays a strategy against every reply and returns the number of positions that can arise, at most `limits.nodes`.
pub fn strategy<G: Game>(game: &G, start: &G::State, strategy: &Strategy, limits: &Limits) -> Result<u64, CheckError> {
    let mut seen: HashSet<(bool, String)> = HashSet::new();
    let mut used: HashSet<String> = HashSet::new();
    let mut stack = vec![(strategy.player == 1, start.clone())];
    let mut moves = Vec::new();
    let mut bytes = 0;
    while let Some((own, state)) = stack.pop() {
        limits.check()?;
        moves.clear();
        let end = game.terminal(&state);
        if end.is_none() {
            game.moves(&state, &mut moves);
        }
        let (text, names) = (G::OUTLINE.position)(game, &state, if own { &moves } else { &[] });
        if !seen.insert((own, text.clone())) {
            continue;
        }
        bytes += text.len() + POSITION_BYTES;
        limits.room(2 * bytes + stack.capacity() * size_of::<(bool, G::State)>())?;
        if seen.len() as u64 > limits.nodes {
            return Err(Limit::Nodes.into());
        }
        // A state without moves for which `terminal` returns `None` counts as lost.
        if let Some(score) = end.or(moves.is_empty().then_some(Score::Loss)) {
            if (if own { score } else { score.reversed() }) < strategy.score {
                return Err(
                    format!("player {} does not reach the promised score: play can end at `{}`", strategy.player, shorten(&text)).into()
                );
            }
            continue;
        }
        if !own {
            stack.extend(moves.iter().map(|mv| (true, game.apply(&state, mv))));
            continue;
        }
        let Some(name) = strategy.moves.get(&text) else {
            return Err(format!("the strategy has no move for player {} at `{}`, which can occur", strategy.player, shorten(&text)).into());
        };
        let Some(at) = names.iter().position(|legal| legal == name) else {
            return Err(format!("the move `{}` is not legal at `{}`", shorten(name), shorten(&text)).into());
        };
        stack.push((false, game.apply(&state, &moves[at])));
        used.insert(text);
    }
    match strategy.moves.len() - used.len() {
        0 => Ok(seen.len() as u64),
        more => Err(format!("{more} of the strategy's {} positions can never occur", strategy.moves.len()).into()),
    }
}
