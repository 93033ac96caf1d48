//! Exact node counts of every method on every instance, as a fingerprint of behavior. A commit that changes a count must also
//! change `tests/counts.txt`. Without `LONG=1`, only about a third of the runs that expand at most 300 states are repeated.

use std::collections::HashMap;
use std::fmt::Write;

use kibitzer::catalog::Choice;
use kibitzer::games::GAMES;
use kibitzer::limits::Limits;
use kibitzer::notation::Options;

/// The stored lines that a short run does not recompute, keyed by game, instance and method.
fn long_lines(stored: &str) -> HashMap<&str, &str> {
    let expanded = |counts: &str| counts.split(' ').nth(1).and_then(|number| number.parse::<u64>().ok());
    let skipped = |at: usize, counts: &str| crate::common::amount(!at.is_multiple_of(3) || expanded(counts) > Some(300), false);
    let lines = stored.lines().filter_map(|line| line.split_once(": ").map(|(what, counts)| (what, counts, line)));
    lines.enumerate().filter(|(at, (_, counts, _))| skipped(*at, counts)).map(|(_, (what, _, line))| (what, line)).collect()
}

#[test]
fn counts() {
    let stored = crate::common::file("tests/counts.txt");
    let known = if std::env::var_os("BLESS").is_some() { HashMap::new() } else { long_lines(&stored) };
    let mut text = String::from("# game, instance, method: verdict, expanded, generated, reopened, stored (at most 20,000 expanded)\n");
    for entry in GAMES {
        for instance in crate::common::instances(entry.name) {
            let puzzle = instance.open(entry);
            for method in puzzle.methods() {
                let what = format!("{} {} {}", entry.name, instance.path.file_stem().expect("a name").to_string_lossy(), method.name);
                if let Some(line) = known.get(&*what) {
                    let _ = writeln!(text, "{line}");
                    continue;
                }
                let report = puzzle.solve(&Choice::method(&method.name), &Limits::nodes(20_000)).expect("no fault");
                let stats = report.stats;
                let counts = format!("{} {} {} {}", stats.expanded, stats.generated, stats.reopened, stats.stored);
                let _ = writeln!(text, "{what}: {} {counts}", report.verdict());
            }
        }
    }
    crate::common::golden("tests/counts.txt", &text);
}

/// A method's own work can be measured separately from the check of its answer: after `work`, nothing is left to search.
#[test]
fn work_is_separate_from_the_check() {
    for entry in GAMES {
        let puzzle = entry.parse(entry.sample, &Options::default()).expect("valid");
        for method in puzzle.methods() {
            let choice = Choice::method(&method.name);
            let limits = Limits::nodes(2_000);
            let whole = puzzle.solve(&choice, &limits).expect("no fault");
            let mut run = puzzle.begin(&choice).expect("applies");
            run.work(&limits);
            let report = run.advance(&Limits::nodes(0)).expect("no fault");
            assert_eq!((report.verdict(), report.stats), (whole.verdict(), whole.stats), "{} {}", entry.name, method.name);
        }
    }
}
