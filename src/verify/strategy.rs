//! Checks strategies: a player who follows the strategy must reach the promised score, whatever the other player does. Every legal
//! reply is tried. Positions with the same [`Game::OUTLINE`] are examined once.
//!
//! If positions can repeat, play might never end, so that there is neither a loss nor a win. So a strategy that wins such a game lists the
//! number of moves to the end for every position, which must become smaller with every move. To draw, it is enough not to lose.

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
    /// Maps the outline of a position to the maximum number of moves to the end. Empty unless positions can repeat and the strategy wins.
    pub lengths: HashMap<String, u32>,
}

/// Number of bytes per position in addition to its text.
const POSITION_BYTES: usize = 64;

/// Plays a strategy against every reply and returns the number of positions that can arise, at most `limits.nodes`.
pub fn strategy<G: Game>(game: &G, start: &G::State, strategy: &Strategy, limits: &Limits) -> Result<u64, CheckError> {
    let with_lengths = strategy.score == Score::Win && game.repeats();
    if !with_lengths && !strategy.lengths.is_empty() {
        return Err("the strategy lists lengths, but only a win in a game whose positions can repeat needs them".into());
    }
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
        let next = game.apply(&state, &moves[at]);
        if with_lengths {
            let most = longest(game, &next, strategy, limits)?.saturating_add(1);
            if strategy.lengths.get(&text) != Some(&most) {
                let listed = strategy.lengths.get(&text).map_or("no length".to_owned(), |length| format!("length {length}"));
                let text = shorten(&text);
                return Err(format!("the strategy lists {listed} at `{text}`, but the end can be {most} moves away").into());
            }
        }
        stack.push((false, next));
        used.insert(text);
    }
    match strategy.moves.len() - used.len() {
        0 => Ok(seen.len() as u64),
        more => Err(format!("{more} of the strategy's {} positions can never occur", strategy.moves.len()).into()),
    }
}

/// The maximum number of moves to the end from a position in which the other player moves, according to the lengths that the strategy
/// lists for the positions after these moves.
fn longest<G: Game>(game: &G, state: &G::State, strategy: &Strategy, limits: &Limits) -> Result<u32, CheckError> {
    let mut moves = Vec::new();
    if game.terminal(state).is_none() {
        game.moves(state, &mut moves);
    }
    let mut longest = 0;
    for mv in &moves {
        limits.check()?;
        let next = game.apply(state, mv);
        let mut replies = Vec::new();
        if game.terminal(&next).is_none() {
            game.moves(&next, &mut replies);
        }
        let left = if replies.is_empty() {
            0
        } else {
            let (text, _) = (G::OUTLINE.position)(game, &next, &[]);
            let missing = || format!("the strategy lists no length at `{}`, which can occur", shorten(&text));
            *strategy.lengths.get(&text).ok_or_else(missing)?
        };
        longest = longest.max(left.saturating_add(1));
    }
    Ok(longest)
}
