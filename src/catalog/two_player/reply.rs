//! The move of an opponent, of any strength.

use super::{Duel, LENGTH_NODES, MoveValue, Reply, TwoPlayer};
use crate::catalog::{Choice, Puzzle, SolveError};
use crate::drawing::Drawing;
use crate::gamegraph::opponent::{self, Opponent};
use crate::limits::Limits;
use crate::random::Random;
use crate::report::Answer;
use crate::rules::{Game, Score};

/// The index of a move, and what is known of it.
type Chosen = (usize, Option<Score>, Option<u16>);

/// See [`Duel::reply`].
pub(super) fn reply<G: Game + Drawing>(
    puzzle: &TwoPlayer<G>,
    opponent: Opponent,
    seed: u64,
    limits: &Limits,
) -> Result<Option<Reply>, SolveError> {
    let moves = puzzle.moves();
    if moves.is_empty() {
        return Ok(None);
    }
    // The same seed must not choose the first move every time.
    let mut random = Random::new(seed.wrapping_add(puzzle.made as u64));
    let (at, score, length) = match opponent {
        Opponent::Perfect => perfect(puzzle, limits)?.unwrap_or_else(|score| (random.below(moves.len()), score, None)),
        Opponent::Ahead(ahead) => {
            let seen = opponent::look(&*puzzle.game, &puzzle.start, &moves, ahead, limits);
            let rank = |seen: &opponent::Seen| match seen {
                Some((Score::Win, length)) => i32::from(u16::MAX) - i32::from(*length),
                Some((_, length)) => i32::from(*length) - i32::from(u16::MAX) - 1,
                None => 0,
            };
            let best = seen.iter().map(rank).max();
            let equal: Vec<usize> = (0..moves.len()).filter(|&at| Some(rank(&seen[at])) == best).collect();
            let at = equal[random.below(equal.len())];
            (at, seen[at].map(|(score, _)| score), seen[at].map(|(_, length)| length))
        }
        Opponent::Random => (random.below(moves.len()), None, None),
    };
    Ok(Some(Reply { mv: puzzle.legal_move(&moves[at]), score, length }))
}

/// A best move. The error is the score if every move has it or, if a limit was reached first, nothing.
fn perfect<G: Game + Drawing>(puzzle: &TwoPlayer<G>, limits: &Limits) -> Result<Result<Chosen, Option<Score>>, SolveError> {
    let repeats = puzzle.game.repeats();
    let few = if repeats { limits.clone() } else { limits.with_nodes(limits.nodes.min(LENGTH_NODES)) };
    if let Ok(labels) = puzzle.labels(&few) {
        let at = MoveValue::best(&labels);
        return Ok(Ok((at, Some(labels[at].score), labels[at].length)));
    }
    // If positions can repeat, a winning move need not lead toward the end, so the lengths are needed.
    if repeats {
        return Ok(Err(None));
    }
    // The default method needs not decide every move.
    let report = puzzle.solve(&Choice::default(), limits)?;
    let Answer::Decided(decided) = report.answer else { return Ok(Err(None)) };
    let best = decided.best.first().and_then(|best| puzzle.legal_moves().iter().position(|legal| legal.json == best.json));
    Ok(best.map(|at| (at, Some(decided.score), None)).ok_or(Some(decided.score)))
}
