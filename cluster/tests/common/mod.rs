//! Boards to test on: the sample and all instances of every game.
#![allow(dead_code, reason = "not every test file uses everything")]

use std::path::{Path, PathBuf};

use kibitzer::catalog::{Entry, Puzzle};
use kibitzer::games::GAMES;
use kibitzer::notation::{OptionSpec, Options};

pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn read(entry: &Entry, path: &Path) -> Box<dyn Puzzle> {
    let text = std::fs::read_to_string(path).expect("an instance is text");
    let line = text.lines().find_map(|line| line.strip_prefix("# options:")).unwrap_or_default();
    let known: Vec<&OptionSpec> = entry.options.iter().collect();
    let options = Options::parse(line.split_whitespace(), &known).expect("the options are right");
    entry.parse(&text, &options).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// One instance.
pub fn board(game: &str, name: &str) -> Box<dyn Puzzle> {
    let entry = kibitzer::games::find(game).expect("a game");
    read(entry, &root().join("instances").join(game).join(name))
}

/// All instances of a game.
pub fn instances(game: &str) -> Vec<(String, Box<dyn Puzzle>)> {
    let entry = kibitzer::games::find(game).expect("a game");
    let folder = std::fs::read_dir(root().join("instances").join(game)).expect("a folder");
    let mut paths: Vec<PathBuf> = folder.map(|file| file.expect("readable").path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.display().to_string(), read(entry, &path))).collect()
}

/// The samples and all instances.
pub fn boards() -> Vec<(String, Box<dyn Puzzle>)> {
    let mut boards = Vec::new();
    for entry in GAMES {
        boards.push((format!("sample of {}", entry.name), entry.parse(entry.sample, &Options::default()).expect("right")));
        boards.extend(instances(entry.name));
    }
    boards
}
