//! Default methods that alternate with a plain search. They solve boards on which the game's own solver stalls, within the limits, and
//! the report names the method that found the answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kibitzer::catalog::{Choice, Puzzle};
use kibitzer::limits::{Limit, Limits, Sink};
use kibitzer::report::Answer;

use crate::common::{amount, file, least, open};

/// A board with prices so large that only a few numbers are costs of plans.
const DEAR: &str = "jump: single\ncosts: 1000000,1,1,1000000\nrADLoqXX\nRptA#QWK\n.Nkp#.iS\ngoal:\nx...x..x\nx...#..x\nx..x#x.x\n";

/// Small dense graphs, on which `phases` stalls.
fn dense() -> Vec<Box<dyn Puzzle>> {
    let boards = [
        ("K4,6", "BBBBGBGRRB", "clicks"),
        ("K5,6", "BBBBBGBBBBG", "clicks"),
        ("K4,6", "RBGBBBRBRB", "color"),
        ("K6,6", "RGBBBBBBRBRG", "color"),
    ];
    boards.map(|(graph, colors, cost)| open("tricolor", &format!("graph: {graph}\ncolors: {colors}\ncost: {cost}\n"), &[])).into()
}

#[test]
fn boards_on_which_the_games_own_solver_stalls_are_decided() {
    let limited = |puzzle: &dyn Puzzle, choice: &Choice| {
        let report = puzzle.solve(choice, &Limits::nodes(50_000)).expect("no fault");
        let Answer::Solved { cost, optimal: true, .. } = report.answer else { panic!("{report:?}") };
        (cost, report.method)
    };
    for puzzle in dense() {
        let known = least(&*puzzle, "ucs").expect("solvable");
        assert_eq!(limited(&*puzzle, &Choice::default()), (known, "astar:relaxed".to_owned()), "{}", puzzle.instance());
        assert_eq!(puzzle.method(&Choice::default()).expect("a method"), "phases");
    }
    // On this board, the game's own solver does not stall.
    let puzzle = open("pegs", DEAR, &[]);
    for choice in [Choice::default(), Choice::method("meet")] {
        assert_eq!(limited(&*puzzle, &choice).0, 4_000_007);
    }
}

/// States expanded by both methods count toward the limit, with or without an answer. The same limit yields the same report.
#[test]
fn both_methods_together_respect_the_limits() {
    for puzzle in dense().into_iter().chain([open("pegs", &file("instances/pegs/english-priced.txt"), &[])]) {
        for nodes in [0, 7, 300, 1, 1000, 3000, 20_000].into_iter().take(amount(3, 7)) {
            let report = puzzle.solve(&Choice::default(), &Limits::nodes(nodes)).expect("no fault");
            assert!(report.stats.expanded <= nodes, "{} of {nodes}", report.stats.expanded);
            assert!(report.verdict() != "unknown" || report.gave_up() == Some(Limit::Nodes));
            let mut run = puzzle.begin(&Choice::default()).expect("a method");
            run.work(&Limits::nodes(nodes));
            let again = run.advance(&Limits::nodes(0)).expect("no fault");
            assert_eq!((again.json(0.0), again.stats), (report.json(0.0), report.stats));
            // A run that cannot be resumed starts over.
            assert!(!run.resumes());
            let over = run.advance(&Limits::nodes(nodes)).expect("no fault");
            assert_eq!((over.json(0.0), over.stats), (report.json(0.0), report.stats));
        }
    }
}

#[test]
fn progress_counts_both_methods_and_may_end_them() {
    let puzzle = &dense()[0];
    let most = Arc::new(AtomicU64::new(0));
    let sink: Sink = Arc::new({
        let most = Arc::clone(&most);
        move |progress| {
            let before = most.swap(progress.expanded, Ordering::Relaxed);
            assert!(before <= progress.expanded, "{before} {}", progress.expanded);
        }
    });
    let whole = puzzle.solve(&Choice::default(), &Limits { progress: Some(sink), ..Limits::none() }).expect("no fault");
    assert!(most.load(Ordering::Relaxed) <= whole.stats.expanded);
    let stopped = puzzle.solve(&Choice::default(), &Limits::until(|_| true)).expect("no fault");
    assert_eq!(stopped.gave_up(), Some(Limit::Time));
}

/// A trace shows only the method named at the start, not the search that alternates with it.
#[test]
fn a_trace_shows_the_named_method() {
    for (puzzle, nodes) in dense().into_iter().zip([50, 150, 500, 2000]).take(amount(2, 4)) {
        let mut lines = 0;
        let mut run = puzzle.begin(&Choice::default()).expect("a method");
        let report = run.trace(false, &Limits::nodes(nodes), &mut |_| lines += 1).expect("no fault");
        assert_eq!((report.method.as_str(), report.stats.expanded), ("phases", lines));
    }
}
