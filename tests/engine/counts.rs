//! Node counts as a fingerprint of behavior: every method on every instance, exactly. A commit that changes a number
//! says so by changing `tests/counts.txt`.

use std::fmt::Write;

use kibitzer::catalog::Choice;
use kibitzer::games::GAMES;
use kibitzer::limits::Limits;
use kibitzer::notation::Options;

#[test]
fn counts() {
    let mut text = String::from("# game, instance, method: verdict, expanded, generated, reopened, stored (at most 20,000 expanded)\n");
    for entry in GAMES {
        for instance in crate::common::instances(entry.name) {
            let puzzle = entry.parse(&instance.text, &crate::common::options(&instance.options, entry.options)).expect("sound");
            for method in puzzle.methods() {
                let report = puzzle.solve(&Choice::method(&method.name), &Limits::nodes(20_000)).expect("no fault");
                let (name, stats) = (instance.path.file_stem().expect("a name").to_string_lossy(), report.stats);
                let counts = format!("{} {} {} {}", stats.expanded, stats.generated, stats.reopened, stats.stored);
                let _ = writeln!(text, "{} {name} {}: {} {counts}", entry.name, method.name, report.verdict());
            }
        }
    }
    crate::common::golden(&crate::common::root().join("tests/counts.txt"), &text);
}

/// A method's own work can be measured apart from the check of its answer: after it, nothing is left to be searched.
#[test]
fn work_and_check_are_apart() {
    for entry in GAMES {
        let puzzle = entry.parse(entry.sample, &Options::default()).expect("sound");
        for method in puzzle.methods() {
            let choice = Choice::method(&method.name);
            let limits = Limits::nodes(2_000);
            let whole = puzzle.solve(&choice, &limits).expect("no fault");
            let mut run = puzzle.begin(&choice).expect("it applies");
            run.work(&limits);
            let report = run.advance(&Limits::nodes(0)).expect("no fault");
            assert_eq!((report.verdict(), report.stats), (whole.verdict(), whole.stats), "{} {}", entry.name, method.name);
        }
    }
}
