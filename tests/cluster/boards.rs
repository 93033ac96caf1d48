//! Boards for tests: the sample and all instances of every game.

use kibitzer::catalog::Puzzle;
use kibitzer::games::GAMES;
use kibitzer::notation::Options;

use kibitzer_cluster::table::Meta;

use crate::common::{self, Instance};

pub fn board(game: &str, name: &str) -> Box<dyn Puzzle> {
    let entry = kibitzer::games::find(game).expect("a game");
    let found = common::instances(game).into_iter().find(|instance| instance.path.ends_with(name));
    found.expect("an instance").open(entry)
}

pub fn instances(game: &str) -> Vec<(String, Box<dyn Puzzle>)> {
    let entry = kibitzer::games::find(game).expect("a game");
    let named = |instance: Instance| (instance.path.display().to_string(), instance.open(entry));
    common::instances(game).into_iter().map(named).collect()
}

pub fn boards() -> Vec<(String, Box<dyn Puzzle>)> {
    let mut boards = Vec::new();
    for entry in GAMES {
        boards.push((format!("sample of {}", entry.name), entry.parse(entry.sample, &Options::default()).expect("valid")));
        boards.extend(instances(entry.name));
    }
    boards
}

/// The header of a table for a board.
pub fn meta(puzzle: &dyn Puzzle, symmetry: bool) -> Meta {
    Meta { symmetry, ..Meta::new(puzzle.game(), puzzle.instance(), puzzle.state_bytes()) }
}
