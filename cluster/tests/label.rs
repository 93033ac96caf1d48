//! Labels of every position, on any number of workers, are those of the library's own induction; so are the counts.

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;

use kibitzer::catalog::{Puzzle, TwoPlayer};
use kibitzer::drawing::Drawing;
use kibitzer::gamegraph::induction;
use kibitzer::games::{self, Visitor};
use kibitzer::limits::Limits;
use kibitzer::notation::{Options, parse};
use kibitzer::rules::{Game, Problem, Score};
use kibitzer_cluster::block::Label;
use kibitzer_cluster::disk::{Job, walk};
use kibitzer_cluster::net::Setup;
use kibitzer_cluster::route::BUCKETS;
use kibitzer_cluster::table::{Meta, Table};

/// Positions that a game may have here.
const NODES: u64 = 30_000;

struct Boards {
    compared: usize,
}

impl Boards {
    fn compare<G: Game + Drawing>(&mut self, text: &str) {
        let Ok(game) = parse::<G>(text, &Options::default()) else { panic!("{text} is no board") };
        let start = game.start();
        let Ok(labeled) = induction::label(&game, &start, true, &Limits::nodes(NODES)) else { return };
        let mut expected = BTreeMap::new();
        let mut bytes = vec![0; game.state_bytes()];
        for (layer, state, worth) in labeled.positions() {
            game.pack(&state, &mut bytes);
            let score = [Score::Loss, Score::Draw, Score::Win].iter().position(|score| *score == worth.score).expect("a score") as u8;
            let grundy = if game.impartial() { worth.grundy } else { 0 };
            expected.insert((layer, bytes.clone()), Label { score, grundy, length: worth.length });
        }
        let counts = labeled.counts(&Limits::none()).expect("no limit");
        let puzzle = TwoPlayer::new(parse::<G>(text, &Options::default()).expect("read before"));
        let mut first = None;
        for workers in [1, 2, 3] {
            let folder = tempfile::tempdir().expect("a folder");
            let meta = Meta {
                kibitzer: "test".to_owned(),
                game: puzzle.game().to_owned(),
                instance: puzzle.instance(),
                options: Vec::new(),
                symmetry: true,
                width: puzzle.state_bytes(),
                buckets: BUCKETS,
                labels: false,
                grundy: puzzle.packed().has_grundy(),
                layers: Vec::new(),
            };
            let path = folder.path().join("table.kib");
            let job = Job {
                space: Arc::from(puzzle.space(true)),
                meta,
                folder: folder.path().join("work"),
                label: true,
                table: Some(path.clone()),
            };
            let found = walk(job, &Setup::local(workers), &Limits::none()).expect("no fault");
            let of_layers: Vec<(u32, u64, u64, u64)> =
                found.labeled.expect("labels").iter().map(|counts| (counts.layer, counts.losing, counts.drawn, counts.over)).collect();
            assert_eq!(of_layers, counts.iter().map(|count| (count.layer, count.losing, count.drawn, count.over)).collect::<Vec<_>>());
            let table = Table::open(&path).expect("a table");
            let mut got = BTreeMap::new();
            for entry in table.entries.iter() {
                let mut cursor = table.cursor(entry);
                while cursor.advance().expect("whole") {
                    got.insert((entry.layer, cursor.head().to_vec()), cursor.label());
                    assert_eq!(table.find(entry.layer, cursor.head()).expect("whole"), Some(cursor.label()));
                }
            }
            assert!(got == expected, "{text} on {workers} workers");
            let bytes = std::fs::read(&path).expect("readable");
            assert!(*first.get_or_insert_with(|| bytes.clone()) == bytes, "{text} on {workers} workers: another table");
        }
        self.compared += 1;
    }
}

impl Visitor for Boards {
    fn one_player<P: Problem + Drawing>(&mut self) {}

    fn two_player<G: Game + Drawing>(&mut self) {
        self.compare::<G>(G::SAMPLE);
        // The template has no folder.
        for entry in std::fs::read_dir(common::root().join("instances").join(G::NAME)).into_iter().flatten() {
            let text = std::fs::read_to_string(entry.expect("readable").path()).expect("text");
            if !text.contains("# options:") {
                self.compare::<G>(&text);
            }
        }
        if G::NAME == "edge" {
            for graph in ["P2", "P3", "P4", "P6", "P9", "C3", "C4", "C5", "C7", "C9", "K3", "K4", "K1,3", "K1,5", "K2,3", "K3,3", "W5"] {
                if parse::<G>(graph, &Options::default()).is_ok() {
                    self.compare::<G>(graph);
                }
            }
        }
    }
}

#[test]
fn every_label_is_that_of_the_induction() {
    let mut boards = Boards { compared: 0 };
    games::visit(&mut boards);
    assert!(boards.compared >= 12, "{} boards were small enough", boards.compared);
}
