//! Plans found on many workers cost what one process finds, on every instance, and are replayed.

mod common;

use std::sync::Arc;

use kibitzer::catalog::Choice;
use kibitzer::limits::{Limit, Limits};
use kibitzer::report::Answer;
use kibitzer_cluster::net::Setup;
use kibitzer_cluster::solve::{Task, solve};

/// States that a search may expand here.
const NODES: u64 = 60_000;

#[test]
fn the_optimum_is_that_of_one_process_on_every_instance() {
    let (mut solved, mut unsolvable) = (0, 0);
    for game in ["pegs", "chexers", "tricolor"] {
        for (name, puzzle) in common::instances(game) {
            let choice = Choice { method: Some("astar".to_owned()), ..Choice::default() };
            let expected = puzzle.solve(&choice, &Limits::nodes(NODES)).expect("it searches").answer;
            let mut plans = Vec::new();
            for (workers, heuristic) in [(1, None), (2, None), (3, Some("")), (4, None)] {
                let packed = puzzle.packed();
                let (_, mut guide) = packed.guide(heuristic).expect("one player");
                guide.build(&Limits::none()).expect("no limit");
                let limits = Limits::nodes(NODES);
                let (found, stats) =
                    solve(Task { space: Arc::from(puzzle.space(true)), guide: Arc::from(guide), refute: false }, &Setup::local(workers), &limits).expect("no fault");
                let report = packed.report("test", found, stats, &Limits::none()).expect("the plan is right");
                match (&report.answer, &expected) {
                    (Answer::Solved { cost, optimal, moves, .. }, Answer::Solved { cost: least, optimal: true, .. }) => {
                        assert_eq!((cost, *optimal), (least, true), "{name} on {workers} workers");
                        solved += 1;
                        if heuristic.is_none() {
                            plans.push(moves.iter().map(|mv| mv.text.clone()).collect::<Vec<_>>());
                        }
                    }
                    (Answer::Unsolvable { .. }, Answer::Unsolvable { .. }) => unsolvable += 1,
                    (Answer::Unknown { limit, .. }, _) => assert_eq!(*limit, Limit::Nodes, "{name} on {workers} workers"),
                    // One process may prove at once what a search must look for.
                    (Answer::Unsolvable { .. } | Answer::Solved { .. }, Answer::Unknown { .. }) => {}
                    (found, expected) => panic!("{name} on {workers} workers: {found:?}, not {expected:?}"),
                }
            }
            assert!(plans.windows(2).all(|two| two[0] == two[1]), "{name}: another plan on another number of workers");
        }
    }
    assert!(solved > 40 && unsolvable > 6, "{solved} solved, {unsolvable} unsolvable");
}
