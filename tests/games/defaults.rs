//! Default methods that share their work with a plain search: they decide boards on which the game's own solver stalls, within
//! the limits, and the report names the method that answered.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kibitzer::catalog::{Choice, Puzzle};
use kibitzer::games;
use kibitzer::limits::{Limit, Limits, Sink};
use kibitzer::notation::Options;
use kibitzer::report::{Answer, Report};

/// Prices so large that hardly any number is the cost of a plan.
const DEAR: &str = "jump: single\ncosts: 1000000,1,1,1000000\nrADLoqXX\nRptA#QWK\n.Nkp#.iS\ngoal:\nx...x..x\nx...#..x\nx..x#x.x\n";

fn read(game: &str, text: &str) -> Box<dyn Puzzle> {
    games::find(game).expect("listed").parse(text, &Options::default()).expect("a sound board")
}

/// Small dense graphs, on which `phases` stalls.
fn dense() -> Vec<Box<dyn Puzzle>> {
    let boards = [
        ("K4,6", "BBBBGBGRRB", "clicks"),
        ("K5,6", "BBBBBGBBBBG", "clicks"),
        ("K4,6", "RBGBBBRBRB", "color"),
        ("K6,6", "RGBBBBBBRBRG", "color"),
    ];
    boards.map(|(graph, colors, cost)| read("tricolor", &format!("graph: {graph}\ncolors: {colors}\ncost: {cost}\n"))).into()
}

fn solve(puzzle: &dyn Puzzle, choice: &Choice, limits: &Limits) -> Report {
    puzzle.solve(choice, limits).expect("no fault")
}

fn least(report: &Report) -> Option<u32> {
    match report.answer {
        Answer::Solved { cost, optimal: true, .. } => Some(cost),
        _ => None,
    }
}

#[test]
fn boards_on_which_the_own_solver_stalls_are_decided() {
    for puzzle in dense() {
        let report = solve(&*puzzle, &Choice::default(), &Limits::nodes(50_000));
        let known = least(&solve(&*puzzle, &Choice::method("bfs"), &Limits::none()));
        let known = known.or_else(|| least(&solve(&*puzzle, &Choice::method("ucs"), &Limits::none())));
        assert!(known.is_some() && least(&report) == known, "{}", puzzle.instance());
        assert_eq!((report.method.as_str(), puzzle.method(&Choice::default()).expect("one")), ("astar:relaxed", "phases".to_owned()));
    }
    // Here the own solver no longer stalls.
    let puzzle = read("pegs", DEAR);
    for choice in [Choice::default(), Choice::method("meet")] {
        assert_eq!(least(&solve(&*puzzle, &choice, &Limits::nodes(50_000))), Some(4_000_007));
    }
}

/// States of both methods count, whether or not there is an answer; the same limit gives the same report again.
#[test]
fn both_methods_keep_the_limits_together() {
    let english = std::fs::read_to_string(crate::common::root().join("instances/pegs/english-priced.txt")).expect("there");
    for puzzle in dense().into_iter().chain([read("pegs", &english)]) {
        for nodes in [0, 7, 1000, 1, 100, 3000, 20_000].into_iter().take(crate::common::amount(3, 7)) {
            let report = solve(&*puzzle, &Choice::default(), &Limits::nodes(nodes));
            assert!(report.stats.expanded <= nodes, "{} of {nodes}", report.stats.expanded);
            assert!(report.verdict() != "unknown" || report.gave_up() == Some(Limit::Nodes));
            let mut run = puzzle.begin(&Choice::default()).expect("a method");
            run.work(&Limits::nodes(nodes));
            let again = run.advance(&Limits::nodes(0)).expect("no fault");
            assert_eq!((again.json(0.0), again.stats), (report.json(0.0), report.stats));
            // What does not resume starts over.
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
    let whole = solve(&**puzzle, &Choice::default(), &Limits { progress: Some(sink), ..Limits::none() });
    assert!(most.load(Ordering::Relaxed) <= whole.stats.expanded);
    let stopped = solve(&**puzzle, &Choice::default(), &Limits::until(|_| true));
    assert_eq!(stopped.gave_up(), Some(Limit::Time));
}

/// A trace shows the method that is named before it begins.
#[test]
fn a_trace_shows_the_named_method() {
    for (puzzle, nodes) in dense().into_iter().zip([50, 150, 500, 2000]).take(crate::common::amount(2, 4)) {
        let mut lines = 0;
        let mut run = puzzle.begin(&Choice::default()).expect("a method");
        let report = run.trace(false, &Limits::nodes(nodes), &mut |_| lines += 1).expect("no fault");
        assert_eq!((report.method.as_str(), report.stats.expanded), ("phases", lines));
    }
}
