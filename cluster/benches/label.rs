//! Labels of a path with twelve vertices, or of the edge board that `BOARD` names: with as much memory as they take, and with
//! `LIMIT` bytes, a small part of what the labels of the largest layer take. Times as ratios within one run, and the most that was
//! resident. The two tables must be the same byte for byte.

mod common;

use std::path::Path;
use std::sync::Arc;

use common::{measured, number};
use kibitzer::limits::Limits;
use kibitzer::notation::Options;
use kibitzer_cluster::disk::{DiskJob, explore};
use kibitzer_cluster::net::Cluster;
use kibitzer_cluster::table::Meta;

fn main() {
    let board = std::env::var("BOARD").unwrap_or_else(|_| "P12".to_owned());
    let (limit, workers) = (number("LIMIT", 1_000_000), number("WORKERS", 2));
    let puzzle = kibitzer::games::find("edge").expect("a game").parse(&board, &Options::default()).expect("a board");
    let meta = Meta { grundy: true, ..Meta::new("edge", puzzle.instance(), puzzle.state_bytes()) };
    // Exploring is not measured: its layers are there before.
    let prepare = |folder: &Path| {
        let job =
            DiskJob { space: Arc::from(puzzle.space(true)), meta: meta.clone(), folder: folder.join("work"), label: false, table: None };
        let found = explore(job, &Cluster::local(workers), &Limits { bytes: limit, ..Limits::none() }).expect("no fault");
        let largest = found.explored.layers.iter().map(|layer| layer.states).max().unwrap_or(0);
        let total = found.explored.total();
        println!("{} positions, {} moves, {largest} positions in the largest layer", total.states, total.moves);
    };
    let label = |name: &str, folder: &Path, bytes: usize| {
        let table = folder.join("table.kib");
        let job = DiskJob {
            space: Arc::from(puzzle.space(true)),
            meta: meta.clone(),
            folder: folder.join("work"),
            label: true,
            table: Some(table.clone()),
        };
        let work = || explore(job, &Cluster::local(workers), &Limits { bytes, ..Limits::none() }).expect("no fault");
        let (found, seconds, resident) = measured(work);
        println!("{name:<16} {seconds:7.2} s, {} layers by sorting, {resident}", found.sorted);
        (std::fs::read(table).expect("written"), seconds)
    };
    let folders = [tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder")];
    folders.iter().for_each(|folder| prepare(folder.path()));
    // The tight one first: what an allocator keeps from the other would count.
    let (little, slow) = label("short of memory", folders[0].path(), limit);
    let (enough, fast) = label("in memory", folders[1].path(), usize::MAX / 4);
    assert!(little == enough, "the tables differ");
    println!("the same table of {:.1} MB; {:.2} times as long with {:.1} MB", enough.len() as f64 / 1e6, slow / fast, limit as f64 / 1e6);
}
