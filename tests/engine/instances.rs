//! The boards in `instances/` give the answers that their headers say, for every game of the registry.

use kibitzer::catalog::{Choice, Puzzle};
use kibitzer::games::GAMES;
use kibitzer::limits::Limits;
use kibitzer::report::Answer;

fn answer(puzzle: &dyn Puzzle) -> Option<u32> {
    let report = puzzle.solve(&Choice::default(), &Limits::none()).expect("no fault");
    match report.answer {
        Answer::Solved { cost, optimal: true, .. } => Some(cost),
        Answer::Unsolvable { .. } => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn instances_have_their_known_answers() {
    for entry in GAMES {
        for instance in crate::common::instances(entry.name) {
            let options = crate::common::options(&instance.options, entry.options);
            let puzzle = entry.parse(&instance.text, &options).unwrap_or_else(|error| panic!("{}: {error}", instance.path.display()));
            let known = match instance.answer.split_once(' ') {
                _ if entry.players == 2 => {
                    let report = puzzle.solve(&Choice::default(), &Limits::none()).expect("no fault");
                    let Answer::Decided(decided) = &report.answer else { panic!("{report:?}") };
                    let found = decided.winner.map_or_else(|| "draw".to_owned(), |player| format!("player {player}"));
                    assert_eq!(found, instance.answer, "{}", instance.path.display());
                    continue;
                }
                Some(("cost", cost)) => Some(cost.parse().expect("a number")),
                None if instance.answer == "unsolvable" => None,
                _ => panic!("{}: what is `{}`?", instance.path.display(), instance.answer),
            };
            assert_eq!(answer(&*puzzle), known, "{}", instance.path.display());
        }
    }
}
