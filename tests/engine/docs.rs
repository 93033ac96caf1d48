//! Compares the lists in README.md, ARCHITECTURE.md and docs/ with the registry and the program itself.

use kibitzer::games::GAMES;
use kibitzer::search::METHODS;

use crate::common::{file, root};

/// Every game has a page in docs/, and README.md and ARCHITECTURE.md name only games that exist.
#[test]
fn documents_name_only_games_that_exist() {
    for entry in GAMES {
        assert!(root().join(format!("docs/{}.md", entry.name)).exists(), "docs/{}.md is missing", entry.name);
    }
    for text in [file("README.md"), file("ARCHITECTURE.md")] {
        let listed = text.lines().filter_map(|line| line.trim_start().strip_prefix("* ["));
        for name in listed.filter(|line| line.contains("](docs/")).filter_map(|line| line.split(']').next()) {
            assert!(GAMES.find(name).is_some(), "unknown game {name}");
        }
        let drawn = text.lines().filter_map(|line| line.trim_start().strip_prefix("games/"));
        for name in drawn.filter_map(|line| line.split_whitespace().next()) {
            assert!(GAMES.find(name).is_some(), "unknown game {name}");
        }
    }
}

/// README.md refers to each method by the name that begins its description: breadth-first, IDA*, and so on.
#[test]
fn every_method_is_named() {
    let readme = file("README.md").to_lowercase();
    for method in METHODS {
        let word = method.about.split([' ', ':']).next().expect("a word").to_lowercase();
        assert!(readme.contains(&word), "README.md does not name {} ({word})", method.name);
    }
}

#[test]
fn architecture_names_files_that_exist() {
    let architecture = file("ARCHITECTURE.md");
    let map = architecture.split("## Where to look").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a table");
    let places = map.lines().filter(|line| line.starts_with("| `")).filter_map(|line| line.split('|').nth(1));
    for place in places.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()) {
        let path = place.replace("GAME/", "chexers/");
        assert!(root().join(&path).exists(), "ARCHITECTURE.md names {place}, which does not exist");
    }
}
