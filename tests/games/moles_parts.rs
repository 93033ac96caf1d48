//! Parts of moles: limits of its methods, the row recurrence, and census rows.

use kibitzer::bits::{bit, pack};
use kibitzer::drawing::Drawing;
use kibitzer::games::moles::Moles;
use kibitzer::games::moles::recurrence::RowRecurrence;
use kibitzer::graph::families;
use kibitzer::graph::formats::graph6;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Input, Notation, Options, parse};
use kibitzer::outcome::Verdict;
use kibitzer::random::Random;
use kibitzer::rules::{Problem, Rules};

use crate::common::stopped;

/// A full grid, one with a missing hole, one modulo 36, a graph, and a single row, so that every method is used.
const BOARDS: [&str; 5] =
    ["size: 30x30; moles: all", "size: 30x30; missing: 7; moles: 8", "states: 36; size: 12x12; moles: 1 5", "graph: Q6", "0000"];

fn read(text: &str) -> Moles {
    parse(text, &Options::default()).expect("a board")
}

#[test]
fn a_set_cancel_flag_stops_everything() {
    for text in BOARDS {
        let moles = read(text);
        let board = moles.start();
        let solved = (Moles::SOLVERS[1].run)(&read(text), &board, &Limits::none()).verdict;
        let reach = (Moles::HEURISTICS[0].build)(&moles, &Limits::none()).expect("no limit");
        let lower = reach.at(&moles, &board, &Limits::none()).expect("no limit");
        for solver in Moles::SOLVERS.iter().filter(|solver| (solver.applies)(&moles, &board).is_ok()) {
            let outcome = (solver.run)(&moles, &board, &stopped());
            let expected = Verdict::Unknown { limit: Limit::Time, lower, best: None };
            assert_eq!(outcome.verdict, expected, "{text} by {}", solver.name);
        }
        assert_eq!((Moles::PROOFS.expect("has proofs").refute)(&moles, &board, &stopped()), None, "{text}");
        assert!((Moles::LESSON.expect("has a lesson").explain)(&moles, &board, &stopped()).is_none(), "{text}");
        let facts = |limits: Limits| (Moles::FACTS.of)(&moles, &solved, &limits).len();
        assert_eq!(facts(stopped()), 0, "{text}: an interrupted computation is not kept");
        assert_eq!(facts(Limits::none()), 3, "{text}");
        assert_eq!(facts(stopped()), 3, "{text}: known facts are kept");
    }
}

#[test]
fn matrices_that_do_not_fit_are_not_allocated() {
    let moles = read("graph: K300; moles: 1");
    let small = Limits { bytes: 20_000, ..Limits::none() };
    let outcome = (Moles::SOLVERS[1].run)(&moles, &moles.start(), &small);
    assert_eq!(outcome.verdict, Verdict::Unknown { limit: Limit::Memory, lower: 1, best: None });
}

/// If the search for the lightest solution is stopped, the first solution found is kept, with a bound.
#[test]
fn a_stop_during_the_choice_among_solutions_leaves_a_plan() {
    for text in ["size: 30x30; wrap: torus; moles: 1 2 3", "states: 4; size: 9x9; wrap: cylinder; moles: 1"] {
        let moles = read(text);
        let mut board = (Moles::BACKWARD.expect("has backward steps").goals)(&moles).remove(0);
        (0..40).for_each(|hole| (Moles::REPLAY.make)(&moles, &mut board, &hole));
        let outcome = (Moles::SOLVERS[1].run)(&moles, &board, &Limits::until(|_| true));
        let Verdict::Solved { plan, lower } = outcome.verdict else { panic!("{text}: {:?}", outcome.verdict) };
        assert!(lower <= plan.cost, "{text}");
        plan.moves.iter().for_each(|hole| (Moles::REPLAY.make)(&moles, &mut board, hole));
        assert!(moles.is_goal(&board), "{text}");
    }
}

/// Compares census rows of random graphs with the results of trying every set of hits.
#[test]
fn census_rows_agree_with_all_sets_of_hits() {
    let census = Moles::INFO.census.expect("has a census");
    let mut random = Random::new(3);
    for _ in 0..40 {
        let n = 1 + random.below(9);
        let graph = families::random_connected(&mut random, n, n + 1);
        let text = graph6::write(&graph);
        let line = (census.read)(&Input::new(&text, &Options::default(), &Limits::none())).expect("valid").expect("a graph");
        let board = line.board.expect("a board");
        let closed: Vec<u32> = (0..n).map(|v| graph.neighbors(v).iter().fold(1 << v, |set, u| set | 1 << u)).collect();
        let after = |hits: u32| (0..n).filter(|at| hits >> at & 1 == 1).fold(0, |moles, at| moles ^ closed[at]);
        let quiet = (0..1_u32 << n).filter(|&hits| after(hits) == 0).count();
        let clearing = || (0..1_u32 << n).filter(|&hits| after(hits) == (1 << n) - 1).map(u32::count_ones);
        let (fewest, most) = (clearing().min().expect("Sutner") as usize, clearing().max().expect("Sutner") as usize);
        let nullity = quiet.ilog2() as usize;
        let expected = [n - nullity, nullity, fewest, most].map(|number| number.to_string());
        assert_eq!((census.rest)(&board, &Limits::none()), expected, "{text}");
    }
}

/// Compares the rows computed by every instruction set to rows computed bit by bit.
#[test]
fn rows_agree_with_computing_bit_by_bit() {
    let mut random = Random::new(8);
    for columns in [3, 4, 63, 64, 65, 100, 511, 512, 513, 1000] {
        for (center, joined) in [(true, true), (true, false), (false, true), (false, false)] {
            let mut row = || pack((0..columns).map(|_| random.below(2) == 0));
            let (mut now, mut before) = (row(), row());
            let mut variants = RowRecurrence::variants(columns, center, joined);
            variants.iter_mut().for_each(|rows| rows.set(&now, &before));
            for step in 0..9 {
                let given: Vec<Vec<u64>> = match step % 3 {
                    0 => vec![vec![0; now.len()]],
                    _ => (0..step % 4).map(|_| row()).collect(),
                };
                let mut seen = Vec::new();
                for given in &given {
                    let next = pack((0..columns).map(|at| {
                        let left = if at > 0 { bit(&now, at - 1) } else { joined && bit(&now, columns - 1) };
                        let right = if at + 1 < columns { bit(&now, at + 1) } else { joined && bit(&now, 0) };
                        bit(given, at) ^ bit(&before, at) ^ (center && bit(&now, at)) ^ left ^ right
                    }));
                    seen.extend_from_slice(&now);
                    (before, now) = (now, next);
                }
                for (variant, rows) in variants.iter_mut().enumerate() {
                    let mut given = given.concat();
                    match step % 3 {
                        0 => rows.next(),
                        1 => rows.read(&given),
                        _ => {
                            rows.overwrite(&mut given);
                            assert!(given == seen);
                        }
                    }
                    assert!(rows.now() == now && rows.before() == before, "{columns} {center} {joined} {variant}");
                }
            }
        }
    }
}
