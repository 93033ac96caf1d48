//! Computes winners of the Edge-Distinguishing Game by proof-number search: `cargo run --release --example winners_again -- P17 C18`.
//!
//! This is an independent computation for docs/edge-winners.md. The library decides a position depth-first, trying moves in a fixed order.
//! This search always continues at the position that seems closest to a proof, so it examines different positions. The two searches share
//! only the rules and the position keys.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::time::Instant;

use kibitzer::games::edge::{Coloring, Edge, edcn};
use kibitzer::graph::families;
use kibitzer::limits::Limits;
use kibitzer::rules::{Game, Rules};

/// Estimates of the work left: how many positions must be decided to prove that the player to move wins, and how many to prove that this
/// player loses. 0 means proved.
type Numbers = (u32, u32);

const NEVER: u32 = 1 << 30;
const WON: Numbers = (0, NEVER);
const LOST: Numbers = (NEVER, 0);

struct Search<'a> {
    game: &'a Edge,
    known: HashMap<Box<[u8]>, Numbers>,
    visits: u64,
}

/// A position after a move.
struct After {
    board: Coloring,
    key: Box<[u8]>,
    /// The initial numbers. A position with many moves is hard to prove lost.
    first: Numbers,
}

impl Search<'_> {
    /// Returns all successors, one per key, or `None` if one of them is known to be lost.
    fn after(&self, board: &Coloring) -> Option<Vec<After>> {
        let mut moves = Vec::new();
        self.game.moves(board, &mut moves);
        let (mut all, mut keys, mut won) = (Vec::new(), HashSet::new(), false);
        (Edge::KEYS.successors)(self.game, board, &moves, 0, &mut |mv, rank, key| {
            won = self.known.get(key) == Some(&LOST);
            if won {
                return ControlFlow::Break(());
            }
            if keys.insert(Box::<[u8]>::from(key)) {
                all.push(After { board: self.game.apply(board, mv), key: key.into(), first: (1, 1 + rank) });
            }
            ControlFlow::Continue(())
        });
        (!won).then_some(all)
    }

    /// Searches a position until one of its numbers reaches its threshold, or the position is decided.
    fn visit(&mut self, board: &Coloring, key: &[u8], win_below: u32, lose_below: u32) -> Numbers {
        self.visits += 1;
        let after = self.after(board);
        let numbers = match after {
            None => WON,
            Some(after) if after.is_empty() => LOST,
            Some(after) => loop {
                // To win, one move must lead to a lost position. To lose, all moves must lead to won positions. The sum of the successors'
                // numbers would count shared positions several times, so `lose` is the largest number plus 1 for each other undecided
                // position.
                let (mut best, mut least, mut second, mut hardest, mut open) = (0, NEVER, NEVER, 0, 0);
                for (at, next) in after.iter().enumerate() {
                    let (win, lose) = self.known.get(&next.key).copied().unwrap_or(next.first);
                    if lose < least {
                        (best, second, least) = (at, least, lose);
                    } else {
                        second = second.min(lose);
                    }
                    hardest = hardest.max(win);
                    open += u32::from(win > 0);
                }
                match (least, open) {
                    (0, _) => break WON,
                    (_, 0) => break LOST,
                    _ => {}
                }
                let others = open - 1;
                let (win, lose) = (least, (hardest + others).min(NEVER));
                if win >= win_below || lose >= lose_below {
                    break (win, lose);
                }
                let lose_next = win_below.min(second.saturating_add(1 + second / 4)).min(NEVER);
                let win_next = lose_below.saturating_sub(others);
                self.visit(&after[best].board, &after[best].key, win_next, lose_next);
            },
        };
        self.known.insert(key.into(), numbers);
        numbers
    }
}

fn main() {
    println!("| board | winner | visits | positions | seconds |\n|---|---|---|---|---|");
    for name in std::env::args().skip(1) {
        let graph = families::by_name(&name).and_then(Result::ok).expect("a family, such as P17");
        let colors = edcn(&graph, &Limits::none()).expect("no limit").colors;
        let game = Edge::on(graph, colors, false);
        let begun = Instant::now();
        let mut search = Search { game: &game, known: HashMap::new(), visits: 0 };
        let (start, mut key) = (game.start(), Vec::new());
        (Edge::KEYS.key)(&game, &start, &mut key);
        let winner = if search.visit(&start, &key, NEVER, NEVER) == WON { 1 } else { 2 };
        let seconds = begun.elapsed().as_secs_f64();
        println!("| {name} | {winner} | {} | {} | {seconds:.1} |", search.visits, search.known.len());
    }
}
