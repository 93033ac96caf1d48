//! Labels all positions of a game in which positions can repeat, by the definition: passes over all positions, until a pass changes
//! nothing.
//!
//! The passes are numbered. A pass uses only the results of earlier passes, so its number is the length of best play. This is far slower
//! than following moves backward, but there is little that can be wrong.

use std::collections::HashMap;

use super::Induction;
use crate::limits::Limits;
use crate::outcome::Worth;
use crate::rules::{Game, Score};

impl<G: Game> Induction<'_, G> {
    /// Labels all reachable positions. `None` if there are more than `limits.nodes`, or if a limit is reached.
    pub(super) fn passes(&mut self, limits: &Limits) -> Option<()> {
        let start = self.seen_as(self.start.clone());
        let mut states = vec![start.clone()];
        let mut number = HashMap::from([(start, 0)]);
        let mut after: Vec<Vec<usize>> = Vec::new();
        while let Some(state) = states.get(after.len()).cloned() {
            let mut next = Vec::new();
            for mv in self.moves(&state) {
                if states.len() as u64 > limits.nodes || limits.check().is_err() {
                    return None;
                }
                let state = self.seen_as(self.game.apply(&state, &mv));
                next.push(*number.entry(state).or_insert_with_key(|state| {
                    states.push(state.clone());
                    states.len() - 1
                }));
            }
            after.push(next);
        }
        if states.len() as u64 > limits.nodes {
            return None;
        }
        // A state without moves for which `terminal` returns `None` counts as lost.
        let end = |at: usize| self.game.terminal(&states[at]).or(after[at].is_empty().then_some(Score::Loss));
        let mut known: Vec<Option<(Score, usize)>> = (0..states.len()).map(|at| Some((end(at)?, 0))).collect();
        for rule in [won_or_lost, drawn] {
            for pass in 1.. {
                let mut changed = Vec::new();
                for at in (0..states.len()).filter(|at| known[*at].is_none()) {
                    limits.check().ok()?;
                    let scores: Vec<Option<Score>> = after[at].iter().map(|to| known[*to].map(|(score, _)| score)).collect();
                    changed.extend(rule(&scores).map(|score| (at, score)));
                }
                if changed.is_empty() {
                    break;
                }
                changed.into_iter().for_each(|(at, score)| known[at] = Some((score, pass)));
            }
        }
        let worth = |known: Option<(Score, usize)>| {
            let Some((score, length)) = known else { return Worth { score: Score::Draw, grundy: 0, length: Worth::ENDLESS } };
            // The greatest length is reserved for draws that never end.
            Worth { score, grundy: 0, length: length.min(usize::from(Worth::ENDLESS) - 1) as u16 }
        };
        self.layers = [(0, states.into_iter().zip(known).map(|(state, known)| (state, Some(worth(known)))).collect())].into();
        Some(())
    }
}

/// The score of a position whose successors have these scores, if that makes it won or lost.
fn won_or_lost(after: &[Option<Score>]) -> Option<Score> {
    if after.contains(&Some(Score::Loss)) {
        return Some(Score::Win);
    }
    after.iter().all(|score| *score == Some(Score::Win)).then_some(Score::Loss)
}

/// A draw, if a move leads to a drawn end or toward one. All wins and losses must be known.
fn drawn(after: &[Option<Score>]) -> Option<Score> {
    after.contains(&Some(Score::Draw)).then_some(Score::Draw)
}
