//! The labels of games in which positions can repeat equal those of the library's own retrograde analysis, with any number of workers.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kibitzer::gamegraph::retrograde;
use kibitzer::limits::{Limit, Limits};
use kibitzer::random::Random;
use kibitzer::rules::{Game, Packing, Rules, Score};
use kibitzer::space::{RulesSpace, Space};
use kibitzer_cluster::block::Label;
use kibitzer_cluster::disk::{DiskJob, explore};
use kibitzer_cluster::explore::SpaceReport;
use kibitzer_cluster::net::Cluster;
use kibitzer_cluster::table::{Meta, StateFile};

use crate::common::amount;
use crate::dodgem::Dodgem;
use crate::token::random_game;

fn job<G: Game>(game: &Arc<G>, folder: &Path) -> DiskJob {
    let space: Arc<dyn Space> = Arc::new(RulesSpace::of_game(Arc::clone(game), game.start(), true));
    let meta = Meta::new("test", String::new(), space.width());
    DiskJob { space, meta, folder: folder.join("work"), label: true, table: Some(folder.join("table.kib")) }
}

fn label(job: &DiskJob, workers: usize, limits: &Limits) -> SpaceReport {
    explore(job.clone(), &Cluster::local(workers), limits).expect("no fault")
}

/// Every label, and the counts of every layer, compared with retrograde analysis in one process. Returns the bytes of the table.
fn compare<G: Game>(game: &Arc<G>, workers: usize) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let job = job(game, folder.path());
    let found = label(&job, workers, &Limits::none());
    let expected = retrograde::analyze(game, &game.start(), true, &Limits::none()).expect("no limit");
    let counts = expected.counts(&Limits::none()).expect("no limit");
    let counts: Vec<_> = counts.iter().map(|layer| (layer.layer, layer.losing, layer.drawn, layer.dead_ends)).collect();
    let labeled = found.labeled.expect("labels");
    assert_eq!(labeled.iter().map(|layer| (layer.layer, layer.losing, layer.drawn, layer.dead_ends)).collect::<Vec<_>>(), counts);
    let mut labels = BTreeMap::new();
    let mut bytes = vec![0; game.state_bytes()];
    for (layer, state, worth) in expected.positions() {
        game.pack(&state, &mut bytes);
        let score = [Score::Loss, Score::Draw, Score::Win].iter().position(|score| *score == worth.score).expect("a score") as u8;
        labels.insert((layer, bytes.clone()), Label { score, grundy: 0, length: worth.length });
    }
    let path = job.table.as_ref().expect("a table");
    let table = StateFile::open(path).expect("a table");
    let mut read = BTreeMap::new();
    for entry in table.entries.iter() {
        let mut cursor = table.cursor(entry);
        while cursor.advance().expect("undamaged") {
            read.insert((entry.layer, cursor.head().to_vec()), cursor.label());
        }
    }
    assert!(read == labels, "{workers} workers");
    std::fs::read(path).expect("readable")
}

#[test]
fn every_label_agrees_with_retrograde_analysis() {
    for size in 2..=amount(3, 4) {
        let game = Arc::new(Dodgem::new(size));
        let tables = [1, 2, 4].map(|workers| compare(&game, workers));
        assert!(tables.iter().all(|table| *table == tables[0]), "the table depends on the number of workers");
    }
    let mut random = Random::new(7);
    for _ in 0..amount(30, 300) {
        let game = Arc::new(random_game(&mut random));
        for workers in [1, 2, 4] {
            compare(&game, workers);
        }
    }
}

/// A run that is stopped while it labels positions, by time or by memory, resumes with any number of workers.
#[test]
fn labeling_resumes() {
    let game = Arc::new(Dodgem::new(4));
    let expected = retrograde::analyze(&game, &game.start(), true, &Limits::none()).expect("no limit");
    let folder = tempfile::tempdir().expect("a folder");
    let job = job(&game, folder.path());
    let explored = label(&DiskJob { label: false, table: None, ..job.clone() }, 2, &Limits::none());
    assert_eq!((explored.explored.limit, explored.explored.total().states), (None, expected.total()));
    // One report comes after every 16,384 positions or moves. The last run is stopped while it decides positions.
    for (workers, most) in [(1, 5), (2, 40), (1, 110)] {
        let reports = AtomicU64::new(0);
        let limits = Limits::until(move |_| reports.fetch_add(1, Ordering::Relaxed) >= most);
        assert_eq!(label(&job, workers, &limits).explored.limit, Some(Limit::Time), "{workers} workers, {most} reports");
    }
    let small = Limits { bytes: 6_000_000, ..Limits::none() };
    assert_eq!(label(&job, 1, &small).explored.limit, Some(Limit::Memory), "labels must fit in memory");
    let found = label(&job, 3, &Limits::none());
    let drawn = |layers: &[kibitzer::search::explore::Layer]| layers.iter().map(|layer| layer.drawn).sum::<u64>();
    assert_eq!(drawn(&found.labeled.expect("labels")), drawn(&expected.counts(&Limits::none()).expect("no limit")));
}
