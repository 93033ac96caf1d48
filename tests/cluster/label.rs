//! The labels and counts of all positions equal those of the library's own induction, with any number of workers and any memory limit.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kibitzer::drawing::Drawing;
use kibitzer::gamegraph::induction;
use kibitzer::games::{self, Visitor};
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Options, parse};
use kibitzer::rules::{Game, Pack, Packing, Problem, Rules, Score};
use kibitzer::space::{RulesSpace, Space};
use kibitzer_cluster::block::Label;
use kibitzer_cluster::disk::{DiskJob, explore};
use kibitzer_cluster::net::Cluster;
use kibitzer_cluster::table::{Meta, StateFile};

/// Maximum number of positions per game in these tests.
const NODES: u64 = 30_000;
/// A memory limit, in bytes, that is too small for the labels of most layers.
const LITTLE: usize = 60_000;

/// The labels of all positions in a table.
type Labels = BTreeMap<(u32, Vec<u8>), Label>;

fn read(path: &Path) -> Labels {
    let table = StateFile::open(path).expect("a table");
    let mut labels = BTreeMap::new();
    for entry in table.entries.iter() {
        let mut cursor = table.cursor(entry);
        while cursor.advance().expect("undamaged") {
            labels.insert((entry.layer, cursor.head().to_vec()), cursor.label());
        }
    }
    labels
}

fn job(space: Arc<dyn Space>, grundy: bool, folder: &Path) -> DiskJob {
    let meta = Meta { grundy, ..Meta::new("test", String::new(), space.width()) };
    DiskJob { space, meta, folder: folder.join("work"), label: true, table: Some(folder.join("table.kib")) }
}

/// A layer, and the numbers of its boards that are lost, drawn and terminal.
type Counted = (u32, u64, u64, u64);

#[derive(Default)]
struct Boards {
    compared: usize,
    /// Number of layers that did not fit in memory.
    sorted: u32,
}

impl Boards {
    fn parse<G: Game + Drawing>(&mut self, text: &str) {
        let read = || parse::<G>(text, &Options::default()).unwrap_or_else(|_| panic!("{text} is not a board"));
        let start = read().start();
        self.compare(text, read(), Arc::new(RulesSpace::of_game(Arc::new(read()), start, true)));
    }

    fn expected<G: Game>(game: &G) -> Option<(Labels, Vec<Counted>)> {
        let labeled = induction::label(game, &game.start(), true, &Limits::nodes(NODES)).ok()?;
        let mut expected = BTreeMap::new();
        let mut bytes = vec![0; game.state_bytes()];
        for (layer, state, worth) in labeled.positions() {
            game.pack(&state, &mut bytes);
            let score = [Score::Loss, Score::Draw, Score::Win].iter().position(|score| *score == worth.score).expect("a score") as u8;
            let grundy = if game.impartial() { worth.grundy } else { 0 };
            expected.insert((layer, bytes.clone()), Label { score, grundy, length: worth.length });
        }
        let counts = labeled.counts(&Limits::none()).expect("no limit");
        Some((expected, counts.iter().map(|count| (count.layer, count.losing, count.drawn, count.dead_ends)).collect()))
    }

    fn compare<G: Game>(&mut self, text: &str, game: G, space: Arc<dyn Space>) {
        let Some((expected, counts)) = Boards::expected(&game) else { return };
        let mut first: Option<Vec<u8>> = None;
        for (workers, memory) in [(1, usize::MAX), (2, LITTLE), (3, usize::MAX), (1, LITTLE), (4, LITTLE)] {
            let folder = tempfile::tempdir().expect("a folder");
            let job = job(Arc::clone(&space), game.impartial(), folder.path());
            let path = job.table.clone().expect("a table");
            let found = explore(job, &Cluster::local(workers), &Limits { bytes: memory, ..Limits::none() }).expect("no fault");
            let of_layers: Vec<_> =
                found.labeled.expect("labels").iter().map(|counts| (counts.layer, counts.losing, counts.drawn, counts.dead_ends)).collect();
            assert_eq!(of_layers, counts, "{text} on {workers} workers");
            assert!(memory == LITTLE || found.sorted == 0);
            self.sorted += found.sorted;
            let bytes = std::fs::read(&path).expect("readable");
            let Some(first) = &first else {
                assert!(read(&path) == expected, "{text}");
                let table = StateFile::open(&path).expect("a table");
                for ((layer, state), label) in &expected {
                    assert_eq!(table.find(*layer, state).expect("undamaged"), Some(*label));
                }
                first = Some(bytes);
                continue;
            };
            assert!(*first == bytes, "{text} on {workers} workers with {memory} bytes: a different table");
        }
        self.compared += 1;
    }
}

impl Visitor for Boards {
    fn one_player<P: Problem + Drawing>(&mut self) {}

    fn two_player<G: Game + Drawing>(&mut self) {
        self.parse::<G>(G::INFO.sample);
        // The template has no instance folder.
        for entry in std::fs::read_dir(crate::common::root().join("instances").join(G::INFO.name)).into_iter().flatten() {
            let text = std::fs::read_to_string(entry.expect("readable").path()).expect("text");
            if !text.contains("# options:") {
                self.parse::<G>(&text);
            }
        }
        if G::INFO.name == "edge" {
            for graph in ["P2", "P3", "P4", "P6", "P9", "C3", "C4", "C5", "C7", "C9", "K3", "K4", "K1,3", "K1,5", "K2,3", "K3,3", "W5"] {
                if parse::<G>(graph, &Options::default()).is_ok() {
                    self.parse::<G>(graph);
                }
            }
        }
    }
}

#[test]
fn every_label_agrees_with_induction() {
    let mut boards = Boards::default();
    games::visit(&mut boards);
    assert!(boards.compared >= 12, "{} boards were small enough", boards.compared);
    assert!(boards.sorted >= 12, "only {} layers did not fit in memory", boards.sorted);
}

/// A game with three heaps. A move takes one to four pieces from one heap. Unlike the other games here, it has moves that skip layers,
/// wins and draws before the last layer, and states of any width.
struct Heaps {
    size: u8,
    width: usize,
}

/// The sizes of the three heaps. The last byte of a packed state holds the size of the last heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Piles([u8; 3]);

impl Pack<Heaps> for Piles {
    fn bytes(heaps: &Heaps) -> usize {
        heaps.width
    }

    fn pack(&self, heaps: &Heaps, out: &mut [u8]) {
        out.fill(1);
        out[..2].copy_from_slice(&self.0[..2]);
        out[heaps.width - 1] = self.0[2];
    }

    fn unpack(heaps: &Heaps, state: &[u8]) -> Piles {
        Piles([state[0], state[1], state[heaps.width - 1]])
    }
}

impl Rules for Heaps {
    type State = Piles;
    type Move = (usize, u8);

    fn start(&self) -> Piles {
        Piles([self.size; 3])
    }

    fn moves(&self, state: &Piles, out: &mut Vec<(usize, u8)>) {
        if self.terminal(state).is_none() {
            out.extend((0..3).flat_map(|heap| (1..=state.0[heap].min(4)).map(move |count| (heap, count))));
        }
    }

    fn apply(&self, state: &Piles, (heap, count): &(usize, u8)) -> Piles {
        let mut after = *state;
        after.0[*heap] -= count;
        after
    }

    fn layer(&self, state: &Piles) -> Option<u32> {
        Some(state.0.iter().map(|left| u32::from(self.size - left)).sum())
    }
}

impl Game for Heaps {
    fn terminal(&self, state: &Piles) -> Option<Score> {
        match state.0 {
            [_, 3, 5] => Some(Score::Draw),
            [9, 1, _] => Some(Score::Win),
            [8, 8, 8] => Some(Score::Loss),
            _ => None,
        }
    }
}

#[test]
fn moves_may_skip_layers() {
    for (size, width) in [(26, 4), (16, 7), (16, 12)] {
        let game = || Heaps { size, width };
        let mut boards = Boards::default();
        boards.compare(&format!("heaps of {size}"), game(), Arc::new(RulesSpace::of_game(Arc::new(game()), Piles([size; 3]), true)));
        assert!(boards.sorted > 10, "only {} layers did not fit in memory", boards.sorted);
    }
}

/// Labeling is stopped repeatedly, at different points, and resumed each time with a different number of workers.
#[test]
fn labeling_resumes_where_it_was_stopped() {
    let space = || Arc::new(RulesSpace::of_game(Arc::new(Heaps { size: 20, width: 5 }), Piles([20; 3]), true));
    let whole = tempfile::tempdir().expect("a folder");
    let expected = job(space(), true, whole.path());
    explore(expected.clone(), &Cluster::local(1), &Limits::none()).expect("no fault");
    let folder = tempfile::tempdir().expect("a folder");
    let job = job(space(), true, folder.path());
    let mut stopped = 0;
    for most in 1.. {
        // Stops after a number of progress reports that grows each time; most reports are sent during sorting or merging.
        let reports = AtomicU64::new(0);
        let limits = Limits { bytes: LITTLE, ..Limits::until(move |_| reports.fetch_add(1, Ordering::Relaxed) > 3 * most) };
        let found = explore(job.clone(), &Cluster::local(1 + most as usize % 4), &limits).expect("no fault");
        match found.explored.limit {
            Some(limit) => assert_eq!(limit, Limit::Time),
            None => break,
        }
        stopped += 1;
    }
    assert!(stopped > 5, "stopped only {stopped} times");
    let table = |job: &DiskJob| std::fs::read(job.table.as_ref().expect("a table")).expect("readable");
    assert!(table(&job) == table(&expected), "a different table");
    let left = std::fs::read_dir(&job.folder).expect("a folder").filter_map(|file| file.ok()?.file_name().into_string().ok());
    assert_eq!(left.filter(|name| name.starts_with("run-")).count(), 0, "no run files are left");
}
