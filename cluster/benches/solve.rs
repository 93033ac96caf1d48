//! Solves every instance of `pegs` and `chexers`, of any size, in one process, with one worker, with two workers, and with two
//! processes over loopback. The costs and verdicts must be the same.

mod common;

use std::sync::Arc;
use std::time::Instant;

use common::{process, two_hosts};
use kibitzer::catalog::{Choice, Puzzle};
use kibitzer::limits::Limits;
use kibitzer::report::{Answer, Report};
use kibitzer_cluster::net::Cluster;
use kibitzer_cluster::solve::{Task, solve};

/// Memory limit of one search, in bytes.
const BYTES: usize = 2 << 30;

fn verdict(report: &Report) -> String {
    match &report.answer {
        Answer::Solved { cost, optimal: true, .. } => format!("cost {cost}"),
        Answer::Unsolvable { .. } => "unsolvable".to_owned(),
        other => format!("{other:?}"),
    }
}

fn on_workers(puzzle: &dyn Puzzle, setup: &Cluster) -> Report {
    let (_, mut guide) = puzzle.packed().guide(None).expect("one player");
    guide.build(&Limits::none()).expect("no limit");
    let task = Task { space: Arc::from(puzzle.space(true)), guide: Arc::from(guide), refute: true };
    let found = solve(task, setup, &Limits { bytes: BYTES, ..Limits::none() });
    let (found, stats) = found.expect("no fault");
    puzzle.packed().report("bench", found, stats, &Limits::none()).expect("the plan is valid")
}

/// The report of the first of two processes, both of which run as threads of this process.
fn two_processes(puzzle: &dyn Puzzle) -> Report {
    let hosts = two_hosts();
    let (first, second) = (process(0, &hosts), process(1, &hosts));
    let other = puzzle.after(&[]).expect("no move");
    std::thread::scope(|scope| {
        let other = scope.spawn(move || on_workers(&*other, &second));
        let report = on_workers(puzzle, &first);
        other.join().expect("exits");
        report
    })
}

fn main() {
    println!(
        "{:<36} {:<12} {:>24} {:>24} {:>24} {:>24}",
        "instance", "answer", "one process", "one worker", "two workers", "two processes"
    );
    for game in ["pegs", "chexers"] {
        let entry = kibitzer::games::find(game).expect("a game");
        for instance in kibitzer_contract::instances(game) {
            let puzzle = instance.open(entry);
            let timed = |work: &dyn Fn() -> Report| {
                let begun = Instant::now();
                let report = work();
                (report, begun.elapsed().as_secs_f64())
            };
            let limits = Limits { bytes: BYTES, ..Limits::none() };
            let alone = timed(&|| puzzle.solve(&Choice::default(), &limits).expect("applies"));
            let one = timed(&|| on_workers(&*puzzle, &Cluster::local(1)));
            let two = timed(&|| on_workers(&*puzzle, &Cluster::local(2)));
            let apart = timed(&|| two_processes(&*puzzle));
            let expected = verdict(&alone.0);
            let name = format!("{game}/{}", instance.path.file_stem().expect("a name").to_string_lossy());
            let shown = |(report, seconds): &(Report, f64)| format!("{} in {seconds:.2} s", report.stats.expanded);
            println!("{name:<36} {expected:<12} {:>24} {:>24} {:>24} {:>24}", shown(&alone), shown(&one), shown(&two), shown(&apart));
            for (report, _) in [&one, &two, &apart] {
                assert_eq!(verdict(report), expected, "{name}");
            }
            assert_eq!((one.0.stats.expanded, two.0.stats.expanded), (two.0.stats.expanded, apart.0.stats.expanded), "{name}");
        }
    }
}
