//! Every instance of `pegs` and `chexers`, however large, solved in one process, on one worker, on two workers and by two processes
//! over loopback: the costs and verdicts must be the same. `ON_DISK=BYTES` also searches on disk within
//! this memory limit, where one process expands fewer states than `MOST`.

mod common;

use std::sync::Arc;
use std::time::Instant;

use common::{number, process, two_hosts};
use kibitzer::catalog::{Choice, Puzzle};
use kibitzer::limits::Limits;
use kibitzer::notation::Options;
use kibitzer::report::{Answer, Report};
use kibitzer_cluster::net::Cluster;
use kibitzer_cluster::solve::{Task, disk, solve};
use kibitzer_cluster::table::Meta;

/// Bytes that one search may hold.
const BYTES: usize = 2 << 30;

fn verdict(report: &Report) -> String {
    match &report.answer {
        Answer::Solved { cost, optimal: true, .. } => format!("cost {cost}"),
        Answer::Unsolvable { .. } => "unsolvable".to_owned(),
        other => format!("{other:?}"),
    }
}

fn on_workers(puzzle: &dyn Puzzle, setup: &Cluster, memory: Option<usize>) -> Report {
    let (_, mut guide) = puzzle.packed().guide(None).expect("one player");
    guide.build(&Limits::none()).expect("no limit");
    let task = Task { space: Arc::from(puzzle.space(true)), guide: Arc::from(guide), refute: true };
    let found = match memory {
        None => solve(task, setup, &Limits { bytes: BYTES, ..Limits::none() }),
        Some(bytes) => {
            let folder = tempfile::tempdir().expect("a folder");
            let meta = Meta::new(puzzle.game(), puzzle.instance(), puzzle.state_bytes());
            disk::solve(task, meta, folder.path(), setup, &Limits { bytes, ..Limits::none() })
        }
    };
    let (found, stats) = found.expect("no fault");
    puzzle.packed().report("bench", found, stats, &Limits::none()).expect("the plan is right")
}

/// Process 0 of two that this process starts as threads.
fn two_processes(puzzle: &dyn Puzzle) -> Report {
    let hosts = two_hosts();
    let (first, second) = (process(0, &hosts), process(1, &hosts));
    let other = puzzle.after(&[]).expect("no move");
    std::thread::scope(|scope| {
        let other = scope.spawn(move || on_workers(&*other, &second, None));
        let report = on_workers(puzzle, &first, None);
        other.join().expect("it ends");
        report
    })
}

fn main() {
    let on_disk: Option<usize> = std::env::var("ON_DISK").ok().and_then(|text| text.parse().ok());
    let most = number("MOST", 100_000) as u64;
    println!(
        "{:<36} {:<12} {:>24} {:>24} {:>24} {:>24}",
        "instance", "answer", "one process", "one worker", "two workers", "two processes"
    );
    for game in ["pegs", "chexers"] {
        let entry = kibitzer::games::find(game).expect("a game");
        let folder = std::fs::read_dir(format!("{}/../instances/{game}", env!("CARGO_MANIFEST_DIR"))).expect("a folder");
        let mut paths: Vec<_> = folder.map(|file| file.expect("readable").path()).collect();
        paths.sort();
        for path in paths {
            let text = std::fs::read_to_string(&path).expect("text");
            let puzzle = entry.parse(&text, &Options::default()).expect("a board");
            let timed = |work: &dyn Fn() -> Report| {
                let begun = Instant::now();
                let report = work();
                (report, begun.elapsed().as_secs_f64())
            };
            let limits = Limits { bytes: BYTES, ..Limits::none() };
            let alone = timed(&|| puzzle.solve(&Choice::default(), &limits).expect("it searches"));
            let one = timed(&|| on_workers(&*puzzle, &Cluster::local(1), None));
            let two = timed(&|| on_workers(&*puzzle, &Cluster::local(2), None));
            let apart = timed(&|| two_processes(&*puzzle));
            let expected = verdict(&alone.0);
            let name = format!("{game}/{}", path.file_stem().expect("a name").to_string_lossy());
            let shown = |(report, seconds): &(Report, f64)| format!("{} in {seconds:.2} s", report.stats.expanded);
            println!("{name:<36} {expected:<12} {:>24} {:>24} {:>24} {:>24}", shown(&alone), shown(&one), shown(&two), shown(&apart));
            for (report, _) in [&one, &two, &apart] {
                assert_eq!(verdict(report), expected, "{name}");
            }
            assert_eq!((one.0.stats.expanded, two.0.stats.expanded), (two.0.stats.expanded, apart.0.stats.expanded), "{name}");
            if let Some(bytes) = on_disk.filter(|_| alone.0.stats.expanded < most) {
                let disk = timed(&|| on_workers(&*puzzle, &Cluster::local(2), Some(bytes)));
                println!("{name:<36} on disk with {bytes} bytes: {}", shown(&disk));
                assert_eq!(verdict(&disk.0), expected, "{name} on disk");
            }
        }
    }
}
