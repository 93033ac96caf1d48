//! Explores spaces whose layers are stored on disk. For any number of workers and any memory limit, and after any stop, the counts are the
//! same and the table is identical byte for byte. A damaged checkpoint is refused with the reason.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use kibitzer::catalog::Puzzle;
use kibitzer::limits::{Limit, Limits};
use kibitzer::search::explore::explore;
use kibitzer_cluster::Halt;
use kibitzer_cluster::disk::{self, DiskJob};
use kibitzer_cluster::explore::SpaceReport;
use kibitzer_cluster::net::Cluster;

/// Maximum number of states per space in these tests.
const NODES: u64 = 30_000;

fn job(puzzle: &dyn Puzzle, fold: bool, folder: &Path) -> DiskJob {
    let meta = crate::boards::meta(puzzle, fold);
    DiskJob { space: Arc::from(puzzle.space(fold)), meta, folder: folder.to_owned(), label: false, table: Some(folder.join("table.kib")) }
}

fn run(job: &DiskJob, workers: usize, limits: &Limits) -> Result<SpaceReport, Halt> {
    disk::explore(job.clone(), &Cluster::local(workers), limits)
}

fn table(job: &DiskJob) -> Vec<u8> {
    fs::read(job.table.as_ref().expect("a table path")).expect("the table was written")
}

/// A memory limit so small that all but the smallest layers are spilled.
fn tight() -> Limits {
    Limits { bytes: 400 << 10, ..Limits::none() }
}

#[test]
fn every_game_gives_the_same_table_with_any_number_of_workers_and_any_memory_limit() {
    let mut checked = 0;
    for (name, puzzle) in crate::boards::boards() {
        let mut expected = explore(&*puzzle.space(true), &Limits::nodes(NODES));
        if expected.limit.is_some() {
            continue;
        }
        checked += 1;
        expected.peak_bytes = 0;
        let mut first = None;
        for (workers, limits) in [(1, Limits::none()), (2, tight()), (5, Limits::none())] {
            let folder = tempfile::tempdir().expect("a folder");
            let job = job(&*puzzle, true, folder.path());
            let mut found = run(&job, workers, &limits).expect("no fault");
            found.explored.peak_bytes = 0;
            assert_eq!(found.explored, expected, "{name} on {workers} workers");
            let bytes = table(&job);
            assert!(*first.get_or_insert_with(|| bytes.clone()) == bytes, "{name} on {workers} workers: a different table");
        }
    }
    assert!(checked > 30, "{checked} spaces were small enough");
}

/// The table is the same if the run is stopped after every layer and resumed with a different number of workers. If moves skip layers,
/// run files for later layers survive a stop, and files written afterward do not reuse their names.
#[test]
fn exploring_resumes_where_it_was_stopped_with_a_different_number_of_workers() {
    let mut ahead = 0;
    for (game, name) in
        [("pegs", "square-6.txt"), ("pegs", "course-1.txt"), ("chexers", "four-red.json"), ("tricolor", "petersen.txt"), ("edge", "p7.txt")]
    {
        let puzzle = crate::boards::board(game, name);
        let whole = tempfile::tempdir().expect("a folder");
        let expected = job(&*puzzle, true, whole.path());
        let most = Limits::nodes(NODES);
        let layers = run(&expected, 1, &most).expect("no fault").explored.layers;
        let folder = tempfile::tempdir().expect("a folder");
        let job = job(&*puzzle, true, folder.path());
        let mut states = 0;
        for (at, layer) in layers.iter().enumerate() {
            states += layer.states;
            let found = run(&job, 1 + at % 4, &Limits { bytes: 400 << 10, ..Limits::nodes(states) }).expect("no fault");
            assert_eq!(found.explored.layers, layers[..=at], "{game} stopped after layer {at}");
            let names = fs::read_dir(folder.path()).expect("readable").map(|entry| entry.expect("readable").file_name());
            ahead += names.filter(|name| name.to_string_lossy().starts_with("run-")).count();
        }
        let found = run(&job, 3, &most).expect("no fault");
        assert_eq!(found.explored.layers, layers);
        if found.explored.limit.is_none() {
            assert!(table(&job) == table(&expected), "{game}: a different table");
        }
    }
    assert!(ahead > 5, "only {ahead} run files survived a stop");
}

#[test]
fn damaged_foreign_and_newer_checkpoints_are_refused_with_the_reason() {
    let puzzle = crate::boards::board("pegs", "diamond.txt");
    let refused = |change: &dyn Fn(&Path), reason: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let job = job(&*puzzle, true, folder.path());
        let found = run(&job, 2, &Limits::nodes(2000)).expect("no fault");
        assert_eq!(found.explored.limit, Some(Limit::Nodes), "it was stopped early");
        change(folder.path());
        let message = fault(&job);
        assert!(message.contains(reason), "{message} does not contain `{reason}`");
    };
    let newest = |folder: &Path, start: &str| {
        let names = fs::read_dir(folder).expect("readable").map(|entry| entry.expect("readable").path());
        names.filter(|path| path.file_name().expect("a name").to_string_lossy().starts_with(start)).max().expect("a match")
    };
    let edit = |path: &Path, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = fs::read(path).expect("readable");
        change(&mut bytes);
        fs::write(path, bytes).expect("writable");
    };
    refused(&|folder| edit(&newest(folder, "manifest"), &|bytes| bytes.truncate(bytes.len() / 2)), "its end is missing");
    refused(&|folder| edit(&newest(folder, "manifest"), &|bytes| bytes[100] ^= 1), "its checksum is wrong");
    refused(&|folder| edit(&newest(folder, "layer"), &|bytes| bytes.truncate(bytes.len() - 1)), "its end is missing");
    refused(&|folder| edit(&newest(folder, "layer"), &|bytes| bytes[8] = 2), "format");
    refused(&|folder| edit(&newest(folder, "layer"), &|bytes| bytes[20] ^= 4), "checksum of its header");
    refused(&|folder| fs::remove_file(newest(folder, "layer")).expect("removable"), "is missing");
    // A flipped bit in the stored states is detected when they are read.
    let flip = |bytes: &mut Vec<u8>| {
        let at = bytes.len() * 2 / 3;
        bytes[at] ^= 16;
    };
    refused(&|folder| edit(&newest(folder, "layer"), &flip), "checksum");
    let newer = |bytes: &mut Vec<u8>| {
        let text = String::from_utf8(bytes.clone()).expect("text").replace("\"checkpoint\":1", "\"checkpoint\":2");
        let body = text.rsplit_once("\ncrc32").expect("a checksum").0.to_owned();
        *bytes = format!("{body}\ncrc32 {:08x}\n", crc32fast::hash(body.as_bytes())).into_bytes();
    };
    refused(&|folder| edit(&newest(folder, "manifest"), &newer), "format 2");
    let folder = tempfile::tempdir().expect("a folder");
    run(&job(&*puzzle, true, folder.path()), 1, &Limits::nodes(2000)).expect("no fault");
    let other = crate::boards::board("pegs", "square-6.txt");
    for (foreign, reason) in
        [(job(&*other, true, folder.path()), "different board"), (job(&*puzzle, false, folder.path()), "different symmetry")]
    {
        assert!(fault(&foreign).contains(reason), "{}", fault(&foreign));
    }
}

/// The error message of a run that is refused.
fn fault(job: &DiskJob) -> String {
    let Err(Halt::Fault { message, help, .. }) = run(job, 1, &Limits::nodes(100_000)) else { panic!("it was not refused") };
    assert!(!help.is_empty(), "{message}");
    message
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let puzzle = crate::boards::board("pegs", "diamond.txt");
    let folder = tempfile::tempdir().expect("a folder");
    let held = kibitzer_cluster::checkpoint::Folder::hold(folder.path(), 0).expect("unlocked");
    let message = fault(&job(&*puzzle, true, folder.path()));
    assert!(message.contains("another run is using"), "{message}");
    drop(held);
    run(&job(&*puzzle, true, folder.path()), 1, &Limits::nodes(100)).expect("no fault");
}
