//! Tests boards that must be refused. For each game, tests/refused/GAME.txt lists these boards with their options, errors and remedies;
//! graph.txt does the same for graphs. `BLESS=1 cargo test --test engine refused` stores the current errors.

use kibitzer::games::GAMES;
use kibitzer::graph::formats::read_simple;
use kibitzer::notation::Source;

use crate::common::{golden, options, root};

/// Checks the cases in a file. `read` returns the error and the remedy for a board and its options, or `None` if the board is accepted.
fn check(name: &str, read: impl Fn(&str, &[&str]) -> Option<(String, String)>) {
    let file = format!("tests/refused/{name}.txt");
    let stored = std::fs::read_to_string(root().join(&file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let case = |case: &str| {
        let part = |start: &str| case.lines().filter_map(|line| line.strip_prefix(start).map(str::to_owned)).collect::<Vec<_>>();
        let (board, given) = (part(">"), part("option "));
        let text = board.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n");
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let (error, help) = read(&text, &given).unwrap_or_else(|| panic!("{file}: {text:?} {given:?} is accepted"));
        assert!(!help.is_empty(), "{file}: {text:?}: {error}");
        let option = |option: &&str| format!("option {option}\n");
        let lines = |line: &String| format!(">{line}\n");
        let shown: String = given.iter().map(option).chain(board.iter().map(lines)).collect();
        format!("{shown}error: {error}\nhelp: {help}\n")
    };
    golden(&file, &stored.split("\n\n").map(case).collect::<Vec<_>>().join("\n"));
}

#[test]
fn boards() {
    for entry in GAMES {
        check(entry.name, |text, given| {
            let error = entry.parse(text, &options(given, entry.options)).err()?;
            Some((error.to_string(), error.help().to_owned()))
        });
    }
}

#[test]
fn graphs() {
    check("graph", |text, _| {
        let error = read_simple(&Source::without_comments(text)).err()?;
        Some((error.to_string(), error.help))
    });
}
