//! The boards in `instances/` have the answers stated in their headers, for every registered game.

use kibitzer::catalog::Choice;
use kibitzer::games::GAMES;
use kibitzer::limits::Limits;
use kibitzer::report::Answer;

/// Without `LONG=1`, slow boards are skipped.
#[test]
fn instances_have_their_known_answers() {
    for entry in GAMES {
        let mut compared = 0;
        for instance in crate::common::instances(entry.name) {
            let puzzle = instance.open(entry);
            let report = puzzle.solve(&Choice::default(), &Limits::nodes(crate::common::amount(200, u64::MAX))).expect("no fault");
            let found = match &report.answer {
                Answer::Solved { cost, optimal: true, .. } => format!("cost {cost}"),
                Answer::Unsolvable { .. } => "unsolvable".to_owned(),
                Answer::Decided(decided) => decided.winner.map_or_else(|| "draw".to_owned(), |player| format!("player {player}")),
                _ if crate::common::amount(true, false) => continue,
                other => panic!("{}: {other:?}", instance.path.display()),
            };
            assert_eq!(found, instance.answer, "{}", instance.path.display());
            compared += 1;
        }
        assert!(compared >= 5, "{}: only {compared} boards were compared", entry.name);
    }
}
