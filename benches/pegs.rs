//! Benchmarks peg solitaire in two parts: `cargo bench --bench pegs`, or `-- priced` for only the second part. The first part explores the
//! whole space of the English board with the generic engine, and with the `pathfinding` crate under the same rules. The second part solves
//! priced boards by A* and by layers. For boards with many pegs, use `kibitzer compare` to compare `meet` with A*.
//!
//! Absolute times depend on the machine; ratios compare times from the same run. The theoretical minimum is one independent random read
//! of a cache line per generated position, because a hash table needs at least one such read.

mod common;
#[path = "../tests/common/counting.rs"]
mod counting;

use std::sync::Arc;

use common::{generate, random_read, timed};

use kibitzer::games::pegs::{PegSet, Pegs};
use kibitzer::limits::Limits;
use kibitzer::notation::{Options, parse};
use kibitzer::outcome::Verdict;
use kibitzer::random::Random;
use kibitzer::rules::{Packing, Problem, Rules};
use kibitzer::search;
use kibitzer::search::explore::explore;
use kibitzer::space::RulesSpace;

/// The result of `work`, its time in seconds, and its peak memory in megabytes.
fn measured<T>(work: impl FnOnce() -> T) -> (T, f64, f64) {
    let ((done, bytes), seconds) = timed(|| counting::peak_bytes(work));
    (done, seconds, bytes as f64 / 1e6)
}

const ENGLISH: &str = "jump: single\ncosts: unit\ngoal: at 3,3\n##abc##\n##def##\nghijklm\nnop.qrs\ntuvwxyz\n##ABC##\n##DEF##\n";

fn main() {
    let asked = |part: &str| std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).all(|arg| arg == part);
    for (name, part) in [("english", english as fn()), ("priced", priced)] {
        if asked(name) {
            part();
        }
    }
}

fn english() {
    let board = Arc::new(parse::<Pegs>(ENGLISH, &Options::default()).expect("valid"));
    println!("the English board: all positions reachable from the start with an empty center");
    let (found, ours, memory) = measured(|| explore(&RulesSpace::of_problem(Arc::clone(&board), board.start(), true), &Limits::none()));
    let total = found.total();
    assert_eq!((total.states, total.unfolded), (23_475_688, 187_636_299));
    println!(
        "  kibitzer, generic            {ours:7.2} s {memory:7.0} MB   {:.0} ns per generated position",
        ours * 1e9 / total.moves as f64
    );

    let successors = |state: &u64| {
        let state = board.unpack(&state.to_le_bytes()[..board.state_bytes()]);
        let mut moves = Vec::new();
        board.moves(&state, &mut moves);
        let key = |state: PegSet| {
            let mut bytes = [0; 8];
            board.pack(&board.canonical(state), &mut bytes[..board.state_bytes()]);
            u64::from_le_bytes(bytes)
        };
        moves.iter().map(|mv| key(board.apply(&state, mv))).collect::<Vec<u64>>()
    };
    let mut start = [0; 8];
    board.pack(&board.canonical(board.start()), &mut start[..board.state_bytes()]);
    let (count, theirs, their_memory) = measured(|| pathfinding::prelude::bfs_reach(u64::from_le_bytes(start), successors).count());
    assert_eq!(count, 23_475_688);
    let (faster, smaller) = (theirs / ours, their_memory / memory);
    println!(
        "  pathfinding::bfs_reach       {theirs:7.2} s {their_memory:7.0} MB   kibitzer is {faster:.1} times as fast; pathfinding takes {smaller:.1} times the memory"
    );
    // A table of 2^20 cache lines is about as large as the largest layer.
    let read = random_read(20);
    println!(
        "  one independent random read  {:7.1} ns; kibitzer takes {:.1} times as long per generated position",
        read * 1e9,
        ours / total.moves as f64 / read
    );
}

/// Solves random boards with the usual prices, checks that all methods find the same costs, and prints time and memory.
fn priced() {
    for (jump, size, pegs, count) in [("long", 5, 9, 60), ("long", 6, 16, 12), ("single", 5, 13, 12), ("single", 6, 14, 12)] {
        println!("\n{count} random {size} x {size} boards with {pegs} pegs, {jump} jumps, prices 1 2 3 4");
        let options = [format!("rows={size}"), format!("columns={size}"), format!("pegs={pegs}"), format!("jump={jump}")];
        let boards: Vec<Arc<Pegs>> = (0..count).map(|seed| Arc::new(generate(&options, &mut Random::new(seed)))).collect();
        let mut known_costs: Option<Vec<u32>> = None;
        let mut first = None;
        for method in ["astar:h2", "astar:lines", "astar:potential", "astar:priced", "layered:potential", "layered:priced"] {
            let (name, heuristic) = method.split_once(':').expect("both");
            let kind = search::find(name).expect("exists").kind;
            let heuristic = Pegs::HEURISTICS.iter().find(|known| known.name == heuristic).expect("exists");
            let mut expanded = 0;
            let solve = |board: &Arc<Pegs>| {
                let mut search = search::begin(kind, Arc::clone(board), board.start(), Some(heuristic), 1000);
                let Verdict::Solved { plan, lower } = search.run(&Limits::none()) else { panic!("solvable") };
                assert_eq!(plan.cost, lower);
                expanded += search.stats().expanded;
                plan.cost
            };
            let (costs, seconds, memory) = measured(|| boards.iter().map(solve).collect::<Vec<u32>>());
            assert_eq!(known_costs.get_or_insert(costs.clone()), &costs, "{method}");
            let ratio = *first.get_or_insert(seconds) / seconds;
            println!("  {method:18} {seconds:8.3} s {expanded:9} expanded {memory:6.0} MB, {ratio:.1} times as fast as astar:h2");
        }
    }
}
