//! The solver against trying everything, on random boards of every kind, with beams so narrow that the rounds have to do the work.

use std::collections::HashMap;

use super::*;
use crate::limits::Cancel;
use crate::notation::{Notation, Options, parse};
use crate::random::Random;
use crate::rules::{Problem, Rules};
use crate::testing::amount;

/// The least cost by trying everything.
fn least(board: &Pegs, state: &PegSet, known: &mut HashMap<u128, Option<Cost>>) -> Option<Cost> {
    if board.is_goal(state) {
        return Some(0);
    }
    if let Some(known) = known.get(&state.pegs) {
        return *known;
    }
    let mut moves = Vec::new();
    board.moves(state, &mut moves);
    let through = |jump: &Jump| Some(board.cost(state, jump) + least(board, &board.apply(state, jump), known)?);
    let found = moves.iter().filter_map(through).min();
    known.insert(state.pegs, found);
    found
}

/// A random board with random rules; goals are one peg anywhere, one peg in a hole, or a board that random play leads to.
fn random_board(random: &mut Random) -> Option<Pegs> {
    let (rows, columns) = (1 + random.below(5), 2 + random.below(4));
    let filled = 3 + random.below(6);
    let square = |random: &mut Random| match random.below(11) {
        0 => '#',
        other if other <= filled => 'o',
        _ => '.',
    };
    let text: Vec<String> = (0..rows).map(|_| (0..columns).map(|_| square(random)).collect()).collect();
    let jump = ["single", "long"][random.below(2)];
    let costs = match random.below(4) {
        0 => "unit".to_owned(),
        1 => "1 2 3 4".to_owned(),
        2 => "2 1 2 1".to_owned(),
        _ => (0..4).map(|_| random.below(6).to_string()).collect::<Vec<_>>().join(" "),
    };
    let settings = format!("jump: {jump}\ncosts: {costs}\n");
    let body = text.join("\n");
    if body.matches('o').count() > 12 {
        return None;
    }
    let read = |goal: &str, end: &str| parse::<Pegs>(&format!("{settings}{goal}{body}\n{end}"), &Options::default()).ok();
    match random.below(3) {
        0 => read("", ""),
        1 => read(&format!("goal: at {},{}\n", random.below(rows), random.below(columns)), ""),
        _ => {
            let board = read("", "")?;
            let (mut state, mut moves) = (board.start(), Vec::new());
            for _ in 0..random.below(6) {
                moves.clear();
                board.moves(&state, &mut moves);
                if moves.is_empty() {
                    break;
                }
                state = board.apply(&state, &moves[random.below(moves.len())]);
            }
            let mut goal: Vec<Vec<char>> = text.iter().map(|row| row.chars().collect()).collect();
            for (hole, &(row, column)) in board.holes.iter().enumerate() {
                goal[row][column] = if state.pegs >> hole & 1 == 1 { 'o' } else { '.' };
            }
            let goal: Vec<String> = goal.into_iter().map(String::from_iter).collect();
            read("", &format!("goal:\n{}\n", goal.join("\n")))
        }
    }
}

/// The cost of an answer, which is replayed; none if there is no plan.
fn cost(board: &Pegs, start: &PegSet, outcome: &Outcome<Jump>) -> Option<Cost> {
    match &outcome.verdict {
        Verdict::Solved { plan, lower } => {
            let mut state = start.clone();
            let mut cost = 0;
            for jump in &plan.moves {
                assert!((Pegs::REPLAY.is_legal)(board, &state, jump));
                cost += board.cost(&state, jump);
                state = board.apply(&state, jump);
            }
            assert!(board.is_goal(&state));
            assert_eq!((cost, plan.cost), (plan.cost, *lower));
            Some(cost)
        }
        Verdict::Unsolvable(_) => None,
        Verdict::Unknown { .. } => panic!("there were no limits"),
    }
}

#[test]
fn agrees_with_trying_everything() {
    let mut random = Random::new(17);
    let (mut solved, mut refused) = (0, 0);
    for case in 0..amount(1500, 6000) {
        let Some(board) = random_board(&mut random).filter(|board| fits(board, board.start.pegs).is_ok()) else { continue };
        // From some way into play as well: then the start need not be symmetric where the goal is.
        let (mut start, mut moves) = (board.start(), Vec::new());
        board.moves(&start, &mut moves);
        if case % 3 == 0 && !moves.is_empty() {
            start = board.apply(&start, &moves[random.below(moves.len())]);
        }
        let known = least(&board, &start, &mut HashMap::new());
        for width in [1, 4, 1000] {
            let outcome = solve(&board, &start, width, &Limits::none(), None);
            assert_eq!(cost(&board, &start, &outcome), known, "case {case}, width {width}: {}", board.write(&start));
        }
        *(if known.is_some() { &mut solved } else { &mut refused }) += 1;
    }
    assert!(solved > amount(150, 1000) && refused > amount(80, 500), "{solved} {refused}");
}

fn english(costs: &str) -> Pegs {
    let rows = "##ooo##\n##ooo##\nooooooo\nooo.ooo\nooooooo\n##ooo##\n##ooo##\n";
    parse(&format!("jump: single\ncosts: {costs}\ngoal: at 3,3\n{rows}"), &Options::default()).expect("sound")
}

/// Whatever the limit, it is kept, and what is said is true.
#[test]
fn limits_are_kept() {
    let board = english("1 2 3 4");
    for nodes in [0, 1, 100, 10_000, 60_000] {
        let outcome = solve(&board, &board.start, WIDTH, &Limits::nodes(nodes), None);
        let Verdict::Unknown { limit: Limit::Nodes, lower, best } = outcome.verdict else { panic!("{nodes} nodes") };
        assert!(outcome.stats.expanded == nodes && (59..=64).contains(&lower), "{lower}");
        assert!(best.is_none_or(|plan| plan.cost >= 64));
    }
    for bytes in [1000, 300_000, 2_000_000] {
        let limits = Limits { bytes, ..Limits::none() };
        let outcome = solve(&board, &board.start, WIDTH, &limits, None);
        assert!(matches!(outcome.verdict, Verdict::Unknown { limit: Limit::Memory, lower: 59..=64, .. }), "{bytes} bytes");
        assert!(outcome.stats.peak_bytes <= bytes, "{} of {bytes}", outcome.stats.peak_bytes);
    }
    let cancel = Cancel::default();
    cancel.stop(Limit::Time);
    let outcome = solve(&board, &board.start, WIDTH, &Limits { cancel, ..Limits::none() }, None);
    assert!(matches!(outcome.verdict, Verdict::Unknown { limit: Limit::Time, .. }));
}
