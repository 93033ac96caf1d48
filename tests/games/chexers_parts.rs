//! Parts of Chexers: the `columns` estimate and the `wasted` solver, compared with exhaustive search, and limits.

use std::collections::HashMap;
use std::ops::ControlFlow;

use kibitzer::games::chexers::{Chexers, HexSet};
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Options, parse};
use kibitzer::outcome::{Outcome, Verdict};
use kibitzer::random::Random;
use kibitzer::rules::{Cost, Estimate, Problem, Rules};
use serde_json::json;

use crate::chexers::hexes;
use crate::common::{proved, stopped};

fn board(random: &mut Random, radius: i32, pieces: usize, blocks: usize) -> Chexers {
    let mut all = hexes(radius);
    random.shuffle(&mut all, pieces + blocks);
    let color = ["red", "green", "blue"][random.below(3)];
    let text = json!({"colour": color, "radius": radius, "pieces": all[..pieces], "blocks": all[pieces..pieces + blocks]});
    parse(&text.to_string(), &Options::default()).expect("a board")
}

/// The cost of every solvable position, computed backward from the empty board.
fn costs(board: &Chexers) -> HashMap<HexSet, Cost> {
    let backward = Chexers::BACKWARD.expect("has backward steps");
    let mut layer = (backward.goals)(board);
    let mut costs = HashMap::new();
    for cost in 0.. {
        layer.retain(|pieces| costs.insert(pieces.clone(), cost).is_none());
        if layer.is_empty() {
            break;
        }
        let mut before = Vec::new();
        for pieces in &layer {
            let _ = (backward.step)(board, pieces, &mut |earlier, _| {
                if !costs.contains_key(&earlier) {
                    before.push(earlier);
                }
                ControlFlow::Continue(())
            });
        }
        before.sort();
        before.dedup();
        layer = before;
    }
    costs
}

fn estimate(board: &Chexers, name: &str) -> Estimate<Chexers> {
    let heuristic = Chexers::HEURISTICS.iter().find(|heuristic| heuristic.name == name).expect("listed");
    (heuristic.build)(board, &Limits::none()).expect("no limit")
}

fn wasted(board: &Chexers, limits: &Limits) -> Outcome<<Chexers as Rules>::Move> {
    (Chexers::SOLVERS[0].run)(board, &board.start(), limits)
}

#[test]
fn columns_and_wasted_agree_with_exhaustive_search() {
    let mut random = Random::new(77);
    let (mut positions, mut raised, mut unsolvable) = (0, 0, 0);
    for _ in 0..120 {
        let radius = 1 + random.below(2) as i32;
        let pieces = 1 + random.below(if radius == 1 { 5 } else { 4 });
        let blocks = random.below(hexes(radius).len() - pieces);
        let board = board(&mut random, radius, pieces, blocks);
        let costs = costs(&board);
        let (columns, relaxed) = (estimate(&board, "columns"), estimate(&board, "relaxed"));
        let at = |estimate: &Estimate<Chexers>, pieces: &HexSet| estimate.at(&board, pieces, &Limits::none()).expect("no limit");
        let mut moves = Vec::new();
        for (pieces, &cost) in &costs {
            let estimate = at(&columns, pieces);
            assert!(estimate <= cost && (cost > 0 || estimate == 0), "{pieces:?} {estimate} {cost}");
            raised += u32::from(estimate > at(&relaxed, pieces));
            positions += 1;
            moves.clear();
            board.moves(pieces, &mut moves);
            assert!(moves.iter().all(|action| at(&columns, &board.apply(pieces, action)).saturating_add(1) >= estimate), "consistent");
        }
        let least = costs.get(&board.start()).copied();
        assert_eq!(proved(&board, &board.start(), &wasted(&board, &Limits::none())), least);
        unsolvable += u32::from(least.is_none());
    }
    assert!(positions > 10_000 && raised > 100 && unsolvable > 5, "{positions} {raised} {unsolvable}");
}

#[test]
fn wasted_respects_its_limits() {
    let board = board(&mut Random::new(5), 3, 8, 4);
    for nodes in [0, 1, 50, 500] {
        let outcome = wasted(&board, &Limits::nodes(nodes));
        assert!(matches!(outcome.verdict, Verdict::Unknown { limit: Limit::Nodes, lower: 1.., .. }), "{:?}", outcome.verdict);
        assert_eq!(outcome.stats.expanded, nodes);
    }
    for (limits, expected) in [(Limits { bytes: 10_000, ..Limits::none() }, Limit::Memory), (stopped(), Limit::Time)] {
        let verdict = wasted(&board, &limits).verdict;
        assert!(matches!(verdict, Verdict::Unknown { limit, .. } if limit == expected), "{verdict:?}");
    }
}
