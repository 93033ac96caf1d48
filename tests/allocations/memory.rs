//! Compares the `peak_bytes` of reports with the bytes allocated during the search.

use kibitzer::catalog::Choice;
use kibitzer::games;
use kibitzer::limits::Limits;
use kibitzer::notation::Options;

use crate::common::amount;
use crate::counting::{alone, peak_bytes};

#[test]
fn peak_bytes_matches_the_allocations() {
    let _alone = alone();
    let entry = games::find("chexers").expect("listed");
    let read = |board: &str| entry.parse(board, &Options::default()).expect("valid");
    let board = r#"{"colour":"red","pieces":[[-3,0],[-3,1],[-3,2],[-3,3],[-2,0],[-2,2]],"blocks":[[0,0],[1,1],[-1,-1]]}"#;
    let open = read(board);
    // Depth-first search runs on a board without exits, which has no plan. On the open board, its plan would be long; the plan would be
    // allocated, but is not part of `peak_bytes`.
    let closed = read(&board.replace("\"blocks\":[", "\"blocks\":[[3,-3],[3,-2],[3,-1],[3,0],"));
    for (puzzle, method) in [(&open, "bfs"), (&open, "ucs"), (&closed, "dfs"), (&open, "astar:null"), (&open, "bidirectional")] {
        let (report, real) =
            peak_bytes(|| puzzle.solve(&Choice::method(method), &Limits::nodes(amount(25_000, 150_000))).expect("no fault"));
        let (claimed, real) = (report.stats.peak_bytes as f64, real as f64);
        assert!(real > 2e6, "{method}: {real} bytes are too few to compare");
        assert!((0.85..1.1).contains(&(claimed / real)), "{method} claims {claimed} bytes and used {real}");
    }

    // Memory limits are respected.
    for limit in [100_000, 1_000_000, 5_000_000].into_iter().take(amount(2, 3)) {
        let limits = Limits { bytes: limit, ..Limits::none() };
        let (report, real) = peak_bytes(|| open.solve(&Choice::method("ucs"), &limits).expect("no fault"));
        assert_eq!(report.verdict(), "unknown");
        assert!(real < limit + 200_000, "limit {limit}, took {real}");
    }
}
