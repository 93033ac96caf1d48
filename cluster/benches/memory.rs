//! Benchmarks English peg solitaire with an eighth of the memory that its packed states need. The baselines are the same work in
//! memory, and on disk with enough memory. Prints time ratios from the same run, and the peak resident memory.

mod common;

use std::sync::Arc;
use std::time::Instant;

use common::measured;
use kibitzer::limits::Limits;
use kibitzer::notation::Options;
use kibitzer_cluster::net::Cluster;
use kibitzer_cluster::table::Meta;
use kibitzer_cluster::{disk, explore};

/// A memory limit too small for the packed states, in bytes.
const LIMIT: usize = 14_600_000;

fn main() {
    let entry = kibitzer::games::find("pegs").expect("a game");
    let puzzle = entry.parse(include_str!("../../instances/pegs/english.txt"), &Options::default()).expect("valid");
    let meta = Meta::new("pegs", puzzle.instance(), puzzle.state_bytes());
    let on_disk = |name: &str, bytes: usize| {
        let folder = tempfile::tempdir().expect("a folder");
        let job = disk::DiskJob {
            space: Arc::from(puzzle.space(true)),
            meta: meta.clone(),
            folder: folder.path().to_owned(),
            label: false,
            table: None,
        };
        let work = || disk::explore(job, &Cluster::local(1), &Limits { bytes, ..Limits::none() }).expect("no fault");
        let (found, seconds, resident) = measured(work);
        let written: u64 =
            std::fs::read_dir(folder.path()).expect("exists").filter_map(|file| Some(file.ok()?.metadata().ok()?.len())).sum();
        println!("{name:<20} {seconds:7.2} s, {resident}, {} MB on disk", written >> 20);
        (found.explored.total().states, seconds)
    };
    // The tight run comes first, because memory that the allocator keeps after the other runs would be counted.
    let width = puzzle.state_bytes();
    let (states, tight) = on_disk("short of memory", LIMIT);
    let (same, enough) = on_disk("on disk", usize::MAX / 4);
    let begun = Instant::now();
    let in_memory = explore::explore(Arc::from(puzzle.space(true)), &Cluster::local(1), &Limits::none()).expect("no fault");
    let memory = begun.elapsed().as_secs_f64();
    assert_eq!((states, same), (in_memory.explored.total().states, states));
    println!("in memory            {memory:7.2} s");
    println!("{states} states of {width} bytes are {:.1} times the limit", (states as usize * width) as f64 / LIMIT as f64);
    println!("speed relative to the run in memory: {:.2} on disk, {:.2} on disk with little memory", memory / enough, memory / tight);
}
