//! On every instance, plans found by many workers, in memory and on disk, have the same cost as the plan of one process, and can be
//! replayed.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kibitzer::catalog::{Choice, Puzzle};
use kibitzer::limits::{Limit, Limits};
use kibitzer::report::{Answer, Report};
use kibitzer_cluster::Halt;
use kibitzer_cluster::net::Cluster;
use kibitzer_cluster::solve::{Task, disk, solve};
use kibitzer_cluster::table::Meta;

/// Maximum number of states that a search may expand in these tests. Only the largest instances need more.
const NODES: u64 = 60_000;

fn task(puzzle: &dyn Puzzle, heuristic: Option<&str>, refute: bool) -> Task {
    let (_, mut guide) = puzzle.packed().guide(heuristic).expect("one player");
    guide.build(&Limits::none()).expect("no limit");
    Task { space: Arc::from(puzzle.space(true)), guide: Arc::from(guide), refute }
}

fn in_memory(puzzle: &dyn Puzzle, heuristic: Option<&str>, workers: usize, limits: &Limits) -> Report {
    let (found, stats) = solve(task(puzzle, heuristic, true), &Cluster::local(workers), limits).expect("no fault");
    puzzle.packed().report("test", found, stats, &Limits::none()).expect("the plan is valid")
}

fn on_disk(puzzle: &dyn Puzzle, heuristic: Option<&str>, workers: usize, folder: &Path, limits: &Limits) -> Result<Report, Halt> {
    let options = heuristic.iter().map(|name| format!("method={name}")).collect();
    let meta = Meta { options, ..crate::boards::meta(puzzle, true) };
    let (found, stats) = disk::solve(task(puzzle, heuristic, true), meta, folder, &Cluster::local(workers), limits)?;
    Ok(puzzle.packed().report("test", found, stats, &Limits::none()).expect("the plan is valid"))
}

fn plan(report: &Report) -> Option<Vec<String>> {
    match &report.answer {
        Answer::Solved { moves, .. } => Some(moves.iter().map(|mv| mv.text.clone()).collect()),
        _ => None,
    }
}

#[test]
fn many_workers_find_the_optimum_of_one_process_on_every_instance() {
    let (mut solved, mut unsolvable, mut unknown) = (0, 0, Vec::new());
    for game in ["pegs", "chexers", "tricolor"] {
        for (name, puzzle) in crate::boards::instances(game) {
            // The answer of one process with the default method.
            let expected = puzzle.solve(&Choice::default(), &Limits::nodes(1_000_000)).expect("applies").answer;
            let limits = Limits::nodes(NODES);
            let mut compare = |report: &Report, how: &str| match (&report.answer, &expected) {
                (Answer::Solved { cost, optimal, .. }, Answer::Solved { cost: least, optimal: true, .. }) => {
                    assert_eq!((cost, *optimal), (least, true), "{name} {how}");
                    solved += 1;
                }
                (Answer::Unsolvable { .. }, Answer::Unsolvable { .. }) => unsolvable += 1,
                (Answer::Unknown { limit, .. }, _) => {
                    assert_eq!(*limit, Limit::Nodes, "{name} {how}");
                    unknown.push(format!("{name} {how}"));
                }
                (_, Answer::Unknown { .. }) => unknown.push(format!("{name} in one process")),
                (found, expected) => panic!("{name} {how}: {found:?}, not {expected:?}"),
            };
            let first = in_memory(&*puzzle, None, 1, &limits);
            compare(&first, "on one worker");
            for workers in [2, 4] {
                let report = in_memory(&*puzzle, None, workers, &limits);
                compare(&report, "on many workers");
                assert_eq!(plan(&report), plan(&first), "{name}: a different plan on {workers} workers");
                assert_eq!(report.stats.expanded, first.stats.expanded, "{name}: different states on {workers} workers");
            }
            compare(&in_memory(&*puzzle, Some(""), 3, &limits), "without an estimate");
            let mut plans = Vec::new();
            for (workers, bytes) in [(1, usize::MAX), (3, 400_000)] {
                let folder = tempfile::tempdir().expect("a folder");
                let report = on_disk(&*puzzle, None, workers, folder.path(), &Limits { bytes, ..limits.clone() }).expect("no fault");
                compare(&report, "on disk");
                plans.push(plan(&report));
            }
            assert_eq!(plans[0], plans[1], "{name}: a different plan with little memory");
        }
    }
    assert!(solved > 100 && unsolvable > 20, "{solved} solved, {unsolvable} unsolvable, not {unknown:?}");
}

/// The search is stopped repeatedly, and resumed with a different number of workers and with so little memory that layers are spilled.
#[test]
fn a_search_on_disk_resumes_where_it_was_stopped() {
    for (game, name, heuristic) in
        [("chexers", "four-red.json", Some("")), ("chexers", "wall-red.json", None), ("pegs", "source-2.txt", Some(""))]
    {
        let puzzle = crate::boards::board(game, name);
        let calm = tempfile::tempdir().expect("a folder");
        let expected = on_disk(&*puzzle, heuristic, 1, calm.path(), &Limits::nodes(200_000)).expect("no fault");
        let folder = tempfile::tempdir().expect("a folder");
        let mut stopped = 0;
        let report = loop {
            let reports = AtomicU64::new(0);
            let most = 10 + 40 * stopped as u64;
            let few = Limits { bytes: 300_000, ..Limits::until(move |_| reports.fetch_add(1, Ordering::Relaxed) > most) };
            let report = on_disk(&*puzzle, heuristic, 1 + stopped % 4, folder.path(), &few).expect("no fault");
            match &report.answer {
                Answer::Unknown { limit, .. } => assert_eq!(*limit, Limit::Time),
                _ => break report,
            }
            stopped += 1;
        };
        assert!(stopped > 2, "{name} was stopped only {stopped} times");
        assert_eq!(plan(&report), plan(&expected), "{name}");
        assert!(plan(&report).is_some(), "{name} has a plan");
    }
}

#[test]
fn a_memory_limit_is_reported_and_not_exceeded() {
    let puzzle = crate::boards::board("pegs", "english-priced.txt");
    let report = in_memory(&*puzzle, None, 2, &Limits { bytes: 3 << 20, ..Limits::none() });
    assert!(matches!(report.answer, Answer::Unknown { limit: Limit::Memory, .. }), "{:?}", report.answer);
    assert!(report.stats.peak_bytes <= 3 << 20, "{} bytes", report.stats.peak_bytes);
}

#[test]
fn the_checkpoint_of_another_search_is_refused() {
    let puzzle = crate::boards::board("pegs", "source-2.txt");
    let folder = tempfile::tempdir().expect("a folder");
    on_disk(&*puzzle, None, 1, folder.path(), &Limits::nodes(100)).expect("no fault");
    let Err(Halt::Fault { message, .. }) = on_disk(&*puzzle, Some(""), 1, folder.path(), &Limits::nodes(100)) else {
        panic!("it was not refused")
    };
    assert!(message.contains("different set of options"), "{message}");
}
