//! Levels: boards are within the ranges of their level, as verified by a second method, and a seed always produces the same board.

use std::collections::BTreeSet;

use kibitzer::ask::{self, Kind};
use kibitzer::catalog::{Choice, Entry, Puzzle};
use kibitzer::games::GAMES;
use kibitzer::level::{self, LEVELS, Leveled};
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::Options;
use kibitzer::report::Answer;
use kibitzer::rules::Score;
use serde_json::{Value, json};

use crate::common::{amount, least, position, solve, stopped};

fn make(entry: &'static Entry, level: level::Level, seed: u64) -> Leveled {
    level::make(entry, level, seed, &Limits::none()).unwrap_or_else(|error| panic!("{} {level} {seed}: {error}", entry.name))
}

fn median(mut numbers: Vec<u64>) -> u64 {
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}

fn read(entry: &Entry, instance: &str) -> Box<dyn Puzzle> {
    entry.parse(instance, &Options::default()).expect("generated boards can be read")
}

/// The number of states that a search without a heuristic expands, up to a limit well above that of `Difficulty::states`.
fn searched(puzzle: &dyn Puzzle) -> u64 {
    const MOST: u64 = 60_000;
    let plain = Choice::method(if puzzle.duel().is_some() { "induction" } else { "bfs" });
    puzzle.solve(&plain, &Limits::nodes(MOST)).expect("no fault").stats.expanded.min(MOST)
}

/// The binary logarithm of the number of lines of play: the sum of the logarithms of the branching factors along the best plan.
fn lines(puzzle: &dyn Puzzle) -> u64 {
    let Answer::Solved { moves, .. } = solve(puzzle, None).answer else { return 0 };
    let plan: Vec<Value> = moves.iter().map(|mv| mv.json.clone()).collect();
    let legal = |made: usize| position(&*puzzle.after(&plan[..made]).expect("a plan can be played")).moves.len() as f64;
    (0..plan.len()).map(|made| legal(made).log2()).sum::<f64>() as u64
}

/// Uses a few seeds per level; `docs/levels.md` uses fifty.
#[test]
fn boards_are_within_the_ranges_of_their_level_and_grow_harder_by_a_second_measure() {
    for entry in GAMES {
        let specs = entry.levels.unwrap_or_else(|| panic!("{} has no levels", entry.name));
        let mut before = (0, 0);
        for level in LEVELS.into_iter().take(amount(2, 4)) {
            let boards: Vec<Leveled> = (1..=amount(3, 5)).map(|seed| make(entry, level, seed)).collect();
            let spec = &specs[level as usize];
            let (mut counts, mut bits) = (Vec::new(), Vec::new());
            for board in &boards {
                let context = format!("{} {level} {}: {:?}", entry.name, board.seed, board.difficulty);
                let puzzle = read(entry, &board.instance);
                // The board is solved again by an independent method, which finds the least cost, or a win for the player to move.
                let length = match puzzle.duel() {
                    None => u64::from(least(&*puzzle, None).expect("solvable")),
                    Some(duel) => {
                        assert!(duel.labels(&Limits::none()).expect("no limit").iter().any(|label| label.score == Score::Win), "{context}");
                        let Answer::Decided(decided) = solve(&*puzzle, "induction").answer else { panic!("{context}") };
                        assert_eq!(decided.winner, Some(1), "{context}");
                        u64::from(decided.length.expect("induction finds the length"))
                    }
                };
                assert!(spec.least.contains(&length), "{context}: {length} is not in {:?}", spec.least);
                assert!(spec.guesses.contains(&board.difficulty.guesses), "{context} is not in {:?}", spec.guesses);
                counts.push(searched(&*puzzle));
                bits.push(lines(&*puzzle));
            }
            let now = (median(counts), median(bits));
            assert!(now > before, "{} {level}: {now:?} is not harder than {before:?}", entry.name);
            before = now;
        }
    }
}

#[test]
fn a_seed_gives_one_board_and_another_seed_another() {
    for entry in GAMES {
        for level in LEVELS.into_iter().take(amount(2, 3)) {
            let boards: Vec<String> = (1..=4).map(|seed| make(entry, level, seed).instance).collect();
            assert_eq!(make(entry, level, 2).instance, boards[1], "{} {level}", entry.name);
            let mut different = boards.clone();
            different.sort();
            different.dedup();
            assert!(different.len() > 1, "{} {level}: {boards:?}", entry.name);
        }
    }
}

#[test]
fn games_without_ranges_also_have_levels() {
    for entry in &crate::TEMPLATES {
        assert!(entry.levels.is_none());
        for seed in 0..4 {
            let guesses: Vec<u64> = LEVELS.into_iter().map(|level| make(entry, level, seed).difficulty.guesses).collect();
            assert!(guesses[0] > 0, "{}", entry.name);
        }
        let of = |level| median((0..12).map(|seed| make(entry, level, seed).difficulty.guesses).collect());
        let medians = LEVELS.map(of);
        assert!(medians.is_sorted() && medians[0] < medians[3], "{}: {medians:?}", entry.name);
    }
}

#[test]
fn a_day_has_one_board_and_a_week_all_levels() {
    let ask = |game: &str, body: Value| ask::ask(GAMES, Some(game), "level", &body, &Limits::none(), None);
    let mut seeds = BTreeSet::new();
    for entry in GAMES {
        let daily = ask(entry.name, json!({"daily": "2026-11-16"})).expect("a Monday");
        assert_eq!((&daily["daily"], &daily["level"]), (&json!("2026-11-16"), &json!("easy")), "{}", entry.name);
        let again = ask(entry.name, json!({"level": "easy", "seed": daily["seed"]})).expect("the same");
        assert_eq!((&again["instance"], &again["daily"]), (&daily["instance"], &Value::Null));
        let tuesday = ask(entry.name, json!({"daily": "2026-11-17"})).expect("a Tuesday");
        assert_ne!(tuesday["seed"], daily["seed"]);
        assert!(seeds.insert(daily["seed"].to_string()), "{}: another game has the same seed", entry.name);
    }
    let week = (16..=22).map(|day| format!("2026-11-{day}").parse::<level::daily::Date>().expect("a date").level().name());
    assert_eq!(week.collect::<Vec<_>>(), ["easy", "easy", "medium", "medium", "hard", "hard", "expert"]);
    for (body, kind) in [
        (json!({}), Kind::Body),
        (json!({"seed": 3}), Kind::Body),
        (json!({"level": "easy", "daily": "2026-11-16"}), Kind::Body),
        (json!({"daily": "2026-11-16", "seed": 1}), Kind::Body),
        (json!({"level": "easy", "seed": -1}), Kind::Body),
        (json!({"level": "easy", "colour": 1}), Kind::Body),
        (json!({"level": "Easy"}), Kind::Board),
        (json!({"level": ""}), Kind::Board),
        (json!({"daily": "2026-02-30"}), Kind::Board),
        (json!({"daily": "tomorrow"}), Kind::Board),
    ] {
        let refusal = ask("moles", body.clone()).expect_err("refused");
        assert_eq!(refusal.kind, kind, "{body}");
        assert!(!refusal.help.is_empty(), "{body}");
    }
}

#[test]
fn a_limit_ends_the_work() {
    for entry in GAMES {
        let refusal = ask::ask(GAMES, Some(entry.name), "level", &json!({"level": "expert"}), &stopped(), None).expect_err("stopped");
        assert_eq!(refusal.kind, Kind::Limit(Limit::Time), "{}", entry.name);
        // A limit never changes the board: the result is the same board or none.
        let easy = |limits: &Limits| level::make(entry, level::Level::Easy, 1, limits).map(|board| board.instance).ok();
        assert_eq!(easy(&Limits::nodes(100)), None, "{}", entry.name);
        assert_eq!(easy(&Limits::nodes(10_000)), easy(&Limits::none()), "{}", entry.name);
    }
}

/// Boards have distinct, readable titles, and boards for players precede boards for teachers.
#[test]
fn boards_have_readable_titles() {
    for entry in GAMES {
        let about = ask::ask(GAMES, Some(entry.name), "about", &Value::Null, &Limits::none(), None).expect("answered");
        let rows = about["instances"].as_array().expect("a list");
        let mut titles: Vec<&str> = rows.iter().map(|row| row["title"].as_str().expect("a title")).collect();
        for title in &titles {
            assert!(title.starts_with(|first: char| first.is_uppercase()) && !title.to_lowercase().contains("source"), "{title}");
        }
        titles.sort_unstable();
        titles.dedup();
        assert_eq!(titles.len(), rows.len(), "{}: two boards have the same title", entry.name);
        let readers: Vec<&str> = rows.iter().map(|row| row["for"].as_str().expect("an audience")).collect();
        assert!(readers.is_sorted() && readers.contains(&"players") && readers.contains(&"teachers"), "{}: {readers:?}", entry.name);
        for row in rows.iter().filter(|row| row["for"] == "players") {
            let answer = row["answer"].as_str().expect("an answer");
            assert!(answer.starts_with("cost ") && answer != "cost 0" || answer == "player 1", "{} is for players: {answer}", row["title"]);
        }
    }
}
