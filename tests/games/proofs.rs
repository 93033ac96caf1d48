//! Short proofs that there is no plan are tried before any search gives up. A method chosen by name still searches first.

use kibitzer::catalog::Choice;
use kibitzer::limits::{Limit, Limits};
use kibitzer::outcome::Why;
use kibitzer::report::{Answer, Report};

use crate::common::{open, stopped};

/// A board with all exits blocked and more states than the searches below may expand.
const BLOCKED: &str = "colour: red; pieces: (0,0) (0,1) (-2,1); blocks: (3,-3) (3,-2) (3,-1) (3,0)";

fn solve(text: &str, method: Option<&str>, limits: &Limits) -> Report {
    open("chexers", text, &[]).solve(&Choice { method: method.map(str::to_owned), ..Choice::default() }, limits).expect("no fault")
}

fn certificate(report: &Report) -> Option<&str> {
    match &report.answer {
        Answer::Unsolvable { why: Why::Certificate(certificate) } => Some(&certificate.kind),
        _ => None,
    }
}

#[test]
fn a_named_method_searches_and_tries_a_proof_before_giving_up() {
    for method in ["bfs", "dfs", "iddfs", "ucs", "astar:null", "idastar:null", "rbfs:null"] {
        let report = solve(BLOCKED, Some(method), &Limits::nodes(100));
        assert_eq!((certificate(&report), report.stats.expanded), (Some("enclosed"), 100), "{method}");
    }
    // A small board is searched completely, but the report gives the proof as the reason.
    let report = solve("colour: red; pieces: (0,0); blocks: (3,-3) (3,-2) (3,-1) (3,0)", Some("bfs"), &Limits::none());
    assert_eq!(certificate(&report), Some("enclosed"));
    assert!(report.stats.expanded > 3, "{:?}", report.stats);
}

#[test]
fn a_quick_proof_is_found_even_after_the_time_limit() {
    assert_eq!(certificate(&solve(BLOCKED, Some("bfs"), &stopped())), Some("enclosed"));
    // A solvable board remains undecided.
    let report = solve("colour: red; pieces: (0,0)", Some("bfs"), &stopped());
    assert!(matches!(report.answer, Answer::Unknown { limit: Limit::Time, .. }), "{:?}", report.answer);
}

/// A run owns its board. The run outlives the puzzle, moves to another thread, is stopped there and resumed elsewhere.
#[test]
fn a_run_moves_between_threads() {
    let choice = Choice::method("bfs");
    let begin = || open("chexers", "colour: red; pieces: (0,0) (0,1) (-2,1); blocks: (-1,0) (-1,1)", &[]).begin(&choice);
    let mut run = begin().expect("a method");
    assert!(run.resumes());
    let stopped = std::thread::spawn(move || {
        let report = run.advance(&Limits::nodes(20)).expect("no fault");
        (run, report)
    });
    let (mut run, report) = stopped.join().expect("no panic");
    assert!(matches!(report.answer, Answer::Unknown { limit: Limit::Nodes, .. }));
    assert_eq!(run.look().expect("a search can be inspected").stats.expanded, 20);
    let resumed = run.advance(&Limits::none()).expect("no fault");
    let whole = begin().expect("a method").advance(&Limits::none()).expect("no fault");
    assert_eq!((resumed.stats.expanded, resumed.json(0.0)["moves"].clone()), (whole.stats.expanded, whole.json(0.0)["moves"].clone()));
    assert_eq!(resumed.verdict(), "solved");
}
