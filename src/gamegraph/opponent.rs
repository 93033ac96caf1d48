//! Opponents of different strength: one plays perfectly, one looks some moves ahead, and one plays at random.
//!
//! [`look`] is negamax with alpha-beta pruning and a depth limit. It has no evaluation function: a position at the depth limit counts
//! as a draw. It needs neither layers nor a table, so it also plays games in which positions repeat.

use std::fmt;
use std::str::FromStr;

use crate::limits::{Limit, Limits};
use crate::rules::{Game, Score};

/// How an opponent chooses its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Opponent {
    /// Makes a best move.
    #[default]
    Perfect,
    /// Looks this number of moves ahead, its own move included, and makes a random move unless it sees a win or a loss.
    Ahead(u32),
    /// Makes a random move.
    Random,
}

/// Maximum number of moves to look ahead.
pub const MOST_AHEAD: u32 = 100;

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opponent::Perfect => f.write_str("perfect"),
            Opponent::Ahead(moves) => moves.fmt(f),
            Opponent::Random => f.write_str("random"),
        }
    }
}

impl FromStr for Opponent {
    type Err = String;

    fn from_str(text: &str) -> Result<Opponent, String> {
        match text {
            "perfect" => Ok(Opponent::Perfect),
            "random" => Ok(Opponent::Random),
            number => {
                let moves = number.parse().ok().filter(|moves| (1..=MOST_AHEAD).contains(moves));
                let expected = || format!("expected `perfect`, `random`, or a number of moves to look ahead from 1 to {MOST_AHEAD}");
                moves.map(Opponent::Ahead).ok_or_else(expected)
            }
        }
    }
}

/// A win or a loss that a look ahead has found, for the player who makes the move, and the number of moves to the end after it.
pub type Seen = Option<(Score, u16)>;

/// Maximum number of positions visited for one reply.
const NODES: u64 = 200_000;

/// What can be seen of every move within `ahead` moves. It looks one move further each time, until it sees a win or has visited
/// `NODES` positions; the result is that of the last complete look. When a limit is reached, the looks so far count.
pub fn look<G: Game>(game: &G, state: &G::State, moves: &[G::Move], ahead: u32, limits: &Limits) -> Vec<Seen> {
    let mut found = vec![0; moves.len()];
    let mut search = Look { game, limits, left: NODES };
    for depth in 1..=ahead {
        let values = moves.iter().map(|mv| Ok(-search.value(&game.apply(state, mv), depth - 1, 1, -END, END)?));
        let Ok(values) = values.collect::<Result<Vec<i32>, Limit>>() else { break };
        let is_over = values.iter().any(|&value| value > 0) || values.iter().all(|&value| value < 0);
        found = values;
        if is_over {
            break;
        }
    }
    found.into_iter().map(seen).collect()
}

/// The value of a game that is won at once. A win after N moves has the value `END` - N, so that sooner wins are better.
const END: i32 = 1 << 16;

fn seen(value: i32) -> Seen {
    // The move itself is one of the moves to the end.
    let length = (END - value.abs() - 1) as u16;
    match value.signum() {
        0 => None,
        1 => Some((Score::Win, length)),
        _ => Some((Score::Loss, length)),
    }
}

struct Look<'a, G> {
    game: &'a G,
    limits: &'a Limits,
    /// Number of positions that may still be visited.
    left: u64,
}

impl<G: Game> Look<'_, G> {
    /// The value for the player to move, `made` moves after the root.
    fn value(&mut self, state: &G::State, depth: u32, made: i32, mut alpha: i32, beta: i32) -> Result<i32, Limit> {
        self.limits.check()?;
        self.left = self.left.checked_sub(1).ok_or(Limit::Nodes)?;
        let end = |score| match score {
            Score::Win => END - made,
            Score::Draw => 0,
            Score::Loss => made - END,
        };
        if let Some(score) = self.game.terminal(state) {
            return Ok(end(score));
        }
        if depth == 0 {
            return Ok(0);
        }
        let mut moves = Vec::new();
        self.game.moves(state, &mut moves);
        let mut best = end(Score::Loss);
        for mv in &moves {
            best = best.max(-self.value(&self.game.apply(state, mv), depth - 1, made + 1, -beta, -alpha)?);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }
}
