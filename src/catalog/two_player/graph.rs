//! The position graph of a board, built from the labels of all positions and written in the game's notation.

use std::collections::HashMap;

use super::TwoPlayer;
use crate::gamegraph::graph::{MoveArc, PositionGraph, PositionNode};
use crate::gamegraph::labels;
use crate::limits::{Limit, Limits};
use crate::notation::Notation;
use crate::rules::Game;

/// The error if a position graph cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphError {
    /// There are more positions than the caller allows.
    TooLarge,
    Limit(Limit),
}

/// See [`super::Duel::graph`].
pub(super) fn graph<G: Game + Notation>(
    puzzle: &TwoPlayer<G>,
    fold: bool,
    most: u64,
    limits: &Limits,
) -> Result<PositionGraph, GraphError> {
    let game = &*puzzle.game;
    let few = limits.with_nodes(limits.nodes.min(most));
    let labeled = labels::label(&puzzle.game, &puzzle.start, fold, &few).map_err(|limit| match limit {
        Limit::Nodes if most <= limits.nodes => GraphError::TooLarge,
        limit => GraphError::Limit(limit),
    })?;
    let title = format!("{}: {}", game.name(), game.line(&puzzle.start));
    let mut graph = PositionGraph { title, ..PositionGraph::default() };
    let mut number: HashMap<G::State, usize> = HashMap::new();
    let mut states = Vec::new();
    // The strings need more memory than the positions themselves.
    let mut bytes = labeled.stats().peak_bytes;
    for (layer, state, worth) in labeled.positions() {
        limits.check().and_then(|()| limits.room(bytes)).map_err(GraphError::Limit)?;
        number.insert(state.clone(), states.len());
        let node = PositionNode {
            text: game.line(&state),
            instance: game.write(&state),
            layer,
            score: worth.score,
            grundy: labeled.grundy(game, worth),
            length: worth.moves(),
            over: game.terminal(&state).is_some(),
            boards: if fold { game.orbit(&state) } else { 1 },
        };
        bytes += size_of::<PositionNode>() + node.text.capacity() + node.instance.capacity() + 3 * size_of::<G::State>();
        graph.nodes.push(node);
        states.push(state);
    }
    for (from, state) in states.iter().enumerate().filter(|(from, _)| !graph.nodes[*from].over) {
        let first = graph.arcs.len();
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        for mv in &moves {
            limits.check().and_then(|()| limits.room(bytes)).map_err(GraphError::Limit)?;
            let next = game.apply(state, mv);
            let to = number[&if fold { game.canonical(next) } else { next }];
            match graph.arcs[first..].iter_mut().find(|arc| arc.to == to) {
                Some(arc) => arc.count += 1,
                None => {
                    let arc = MoveArc { from, to, text: game.write_move(state, mv), count: 1 };
                    bytes += size_of::<MoveArc>() + arc.text.capacity();
                    graph.arcs.push(arc);
                }
            }
        }
    }
    Ok(graph)
}
