//! The minimax family on every two-player game: where a method finishes, it agrees with backward induction, and where a limit stops it,
//! its bounds do not contradict the value.

use std::sync::Arc;

use kibitzer::drawing::Drawing;
use kibitzer::gamegraph::order::ORDERS;
use kibitzer::gamegraph::tree::{self, Proved, Range};
use kibitzer::gamegraph::{METHODS, induction};
use kibitzer::games::Visitor;
use kibitzer::limits::{Limit, Limits};
use kibitzer::rules::{Game, Problem, Score};

use crate::common::amount;

struct Family {
    finished: u64,
    stopped: u64,
}

impl Family {
    /// Compares every method and order, with at most `nodes` visits, with backward induction, if that needs at most `positions` positions.
    fn check<G: Game>(&mut self, game: G, nodes: u64, positions: u64, context: &str) {
        let start = game.start();
        if game.layer(&start).is_none() {
            return;
        }
        let Ok(labeled) = induction::label(&game, &start, true, &Limits::nodes(positions)) else { return };
        let worth = labeled.worth(&start);
        let mut moves = Vec::new();
        if game.terminal(&start).is_none() {
            game.moves(&start, &mut moves);
        }
        let reaches = |mv: &G::Move| worth.score != Score::Loss && labeled.worth(&game.apply(&start, mv)).score.reversed() == worth.score;
        let best: Vec<G::Move> = moves.into_iter().filter(reaches).collect();
        drop(labeled);
        let game = Arc::new(game);
        for method in METHODS.iter().filter(|method| method.kind.searches_tree()) {
            for (order, name, _) in ORDERS.iter().filter(|(order, ..)| method.kind.takes(*order)) {
                let context = format!("{context} {} {name}", method.name);
                let mut search = tree::begin(method.kind, Arc::clone(&game), start.clone(), *order).expect("a method of the family");
                let Proved { score, length, best: found, all_best } = match search.solve(&Limits::nodes(nodes), None) {
                    Ok(proved) => proved,
                    Err(limit) => {
                        assert_eq!((limit, search.stats().expanded), (Limit::Nodes, nodes), "{context}");
                        let Range { at_least, at_most } = search.range();
                        assert!((at_least..=at_most).contains(&worth.score), "{context}");
                        self.stopped += 1;
                        continue;
                    }
                };
                assert_eq!(score, worth.score, "{context}");
                assert!(length.is_none_or(|length| length == worth.length), "{context}");
                assert!(
                    if all_best { found == best } else { found.iter().all(|mv| best.contains(mv)) },
                    "{context}: {found:?} of {best:?}"
                );
                assert_eq!(found.is_empty(), best.is_empty(), "{context}");
                assert!(all_best || !method.kind.finds_all_best(), "{context}");
                self.finished += 1;
            }
        }
    }
}

impl Visitor for Family {
    fn one_player<P: Problem + Drawing>(&mut self) {}

    fn two_player<G: Game + Drawing>(&mut self) {
        let random = amount(200, 2_000);
        let boards = crate::common::boards::<G>(random);
        let listed = boards.len().saturating_sub(if G::INFO.generator.is_some() { random as usize } else { 0 });
        for (at, board) in boards.iter().enumerate() {
            // There are many random boards, so each may take only a short time.
            let (nodes, positions) = match at < listed {
                true => (amount(5_000, 1_000_000), amount(20_000, 1_000_000)),
                false => (amount(500, 3_000), amount(5_000, 50_000)),
            };
            self.check(board.read::<G>(), nodes, positions, &format!("{} {}", G::INFO.name, board.name));
        }
    }
}

#[test]
fn the_minimax_family_agrees_with_induction() {
    let mut family = Family { finished: 0, stopped: 0 };
    crate::common::visit(&mut family);
    let Family { finished, stopped } = family;
    assert!(std::env::var("GAME").is_ok() || finished > amount(1_000, 10_000) && stopped > 0, "{finished} finished, {stopped} stopped");
}
