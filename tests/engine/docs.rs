//! The lists in README.md, ARCHITECTURE.md and docs/ against the registry and the program itself.

use kibitzer::games::GAMES;
use kibitzer::search::METHODS;

fn read(name: &str) -> String {
    std::fs::read_to_string(crate::common::root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_game_is_listed() {
    let (readme, architecture) = (read("README.md"), read("ARCHITECTURE.md"));
    for entry in GAMES {
        let name = entry.name;
        assert!(
            readme.contains(&format!("* [{name}](docs/{name}.md):")),
            "README.md does not list {name}: it needs a line that begins `* [{name}](docs/{name}.md):`"
        );
        assert!(
            architecture.contains(&format!("games/{name} ")),
            "ARCHITECTURE.md does not show {name}: its drawing needs a line with `games/{name} `"
        );
    }
    let listed = readme.lines().filter(|line| line.starts_with("* [") && line.contains("](docs/")).count();
    assert_eq!(listed, GAMES.len(), "README.md lists a game that is not there");
    let shown = architecture.lines().filter(|line| line.trim_start().starts_with("games/")).count();
    assert_eq!(shown, GAMES.len(), "ARCHITECTURE.md shows a game that is not there");
}

/// README.md speaks of the methods by the names that begin their descriptions: breadth-first, IDA*, and so on.
#[test]
fn every_method_is_named() {
    let readme = read("README.md").to_lowercase();
    for method in METHODS {
        let word = method.about.split([' ', ':']).next().expect("a word").to_lowercase();
        assert!(readme.contains(&word), "README.md does not name {} ({word})", method.name);
    }
}

/// The code map of ARCHITECTURE.md names only files that are there.
#[test]
fn the_code_map_is_true() {
    let architecture = read("ARCHITECTURE.md");
    let map = architecture.split("## Code map").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a code map");
    let places = map.lines().filter(|line| line.starts_with("| `")).filter_map(|line| line.split('|').nth(1));
    for place in places.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()) {
        let path = place.replace("GAME/", "chexers/");
        assert!(crate::common::root().join(&path).exists(), "ARCHITECTURE.md names {place}, which is not there");
    }
}
