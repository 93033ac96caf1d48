//! Boards to test on: the sample and all instances of every game.

use kibitzer::catalog::{Entry, Puzzle};
use kibitzer::games::GAMES;
use kibitzer::notation::Options;

use crate::common::{self, Instance};

fn read(entry: &Entry, instance: &Instance) -> Box<dyn Puzzle> {
    let options = common::options(&instance.options, entry.options);
    entry.parse(&instance.text, &options).unwrap_or_else(|error| panic!("{}: {error}", instance.path.display()))
}

/// One instance.
pub fn board(game: &str, name: &str) -> Box<dyn Puzzle> {
    let entry = kibitzer::games::find(game).expect("a game");
    let found = common::instances(game).into_iter().find(|instance| instance.path.ends_with(name));
    read(entry, &found.expect("an instance"))
}

/// All instances of a game.
pub fn instances(game: &str) -> Vec<(String, Box<dyn Puzzle>)> {
    let entry = kibitzer::games::find(game).expect("a game");
    let named = |instance: Instance| (instance.path.display().to_string(), read(entry, &instance));
    common::instances(game).into_iter().map(named).collect()
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
