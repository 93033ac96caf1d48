//! Benchmarks Chexers searches: `cargo bench --bench chexers`.
//!
//! Absolute times depend on the machine; ratios compare times from the same run. There are two baselines: the `pathfinding` crate with the
//! same rules and heuristic, and the time for one independent random read of a cache line, of which a search that stores every state needs
//! about two per generated state.

mod common;

use std::sync::Arc;

use common::{generate, random_read, timed};

use kibitzer::catalog::Choice;
use kibitzer::games;
use kibitzer::games::chexers::{Chexers, HexSet};
use kibitzer::limits::Limits;
use kibitzer::notation::{Notation, Options, parse};
use kibitzer::outcome::Verdict;
use kibitzer::random::Random;
use kibitzer::report::Answer;
use kibitzer::rules::{Problem, Rules};
use kibitzer::search::{self, Algorithm};

fn main() {
    println!("4 pieces, 0 to 15 blocks, 300 random solvable boards");
    many(boards(4, 15, 300));
    println!("\n8 pieces, 0 to 12 blocks, 30 random solvable boards");
    many(boards(8, 12, 30));
    println!("\n12 pieces, radius 4, default method: expanded, megabytes, seconds");
    twelve();
    println!("\nbreadth-first search of the whole space of a board whose 7 pieces cannot exit");
    space();
}

fn twelve() {
    let entry = games::find("chexers").expect("listed");
    for blocks in [0, 6, 12, 20] {
        let wanted = ["radius=4".to_owned(), "pieces=12".to_owned(), format!("blocks={blocks}")];
        for seed in 1..=3 {
            let board: Chexers = generate(&wanted, &mut Random::new(seed));
            let puzzle = entry.parse(&board.write(&board.start()), &Options::default()).expect("valid");
            let (report, seconds) = timed(|| puzzle.solve(&Choice::default(), &Limits::nodes(20_000_000)).expect("no fault"));
            let answer = match &report.answer {
                Answer::Solved { cost, optimal, .. } => format!("cost {cost}{}", if *optimal { ", proved" } else { "" }),
                Answer::Unknown { lower, .. } => format!("at least {lower}"),
                _ => report.verdict().to_owned(),
            };
            let megabytes = report.stats.peak_bytes as f64 / 1e6;
            println!("  {blocks:2} blocks, seed {seed}: {answer}; {} {megabytes:.0} {seconds:.2}", report.stats.expanded);
        }
    }
}

fn boards(pieces: usize, blocks: usize, count: usize) -> Vec<Arc<Chexers>> {
    let mut random = Random::new(2024);
    let mut board = || {
        let options = [format!("pieces={pieces}"), format!("blocks={}", random.below(blocks + 1))];
        Arc::new(generate(&options, &mut random))
    };
    (0..count).map(|_| board()).collect()
}

fn successors(board: &Chexers, pieces: &HexSet) -> Vec<HexSet> {
    let mut moves = Vec::new();
    board.moves(pieces, &mut moves);
    moves.iter().map(|mv| board.canonical(board.apply(pieces, mv))).collect()
}

/// Solves all boards by A* with two heuristics, and with the `pathfinding` crate.
fn many(boards: Vec<Arc<Chexers>>) {
    let heuristic = |name: &str| Chexers::HEURISTICS.iter().find(|heuristic| heuristic.name == name).expect("exists");
    let mut costs: Vec<Vec<u32>> = Vec::new();
    for name in ["endgame", "relaxed"] {
        let (mut times, mut found) = (Vec::new(), Vec::new());
        let (mut expanded, mut stored, mut bytes) = (0, 0, 0);
        for board in &boards {
            let begin = || search::begin(Algorithm::AStar, Arc::clone(board), board.start(), Some(heuristic(name)), 1000);
            let ((search, verdict), seconds) = timed(|| {
                let mut search = begin();
                let verdict = search.run(&Limits::none());
                (search, verdict)
            });
            let Verdict::Solved { plan, lower } = verdict else { panic!("solvable") };
            assert_eq!(plan.cost, lower);
            times.push(seconds);
            found.push(plan.cost);
            let stats = search.stats();
            (expanded, stored, bytes) = (expanded + stats.expanded, stored + stats.stored, bytes + stats.peak_bytes);
        }
        let per_state = bytes as f64 / stored as f64;
        show(&format!("astar:{name}"), &mut times, expanded, &format!(", {per_state:.0} bytes per stored state"));
        costs.push(found);
    }
    let (mut times, mut found, mut expanded) = (Vec::new(), Vec::new(), 0);
    for board in &boards {
        let limits = Limits::none();
        let (plan, seconds) = timed(|| {
            let estimate = (heuristic("relaxed").build)(board, &limits).expect("no limit");
            pathfinding::prelude::astar(
                &board.canonical(board.start()),
                |pieces| {
                    expanded += 1;
                    successors(board, pieces).into_iter().map(|after| (after, 1)).collect::<Vec<_>>()
                },
                |pieces| estimate.at(board, pieces, &limits).expect("no limit"),
                |pieces| board.is_goal(pieces),
            )
        });
        times.push(seconds);
        found.push(plan.expect("solvable").1);
    }
    show("pathfinding::astar, relaxed", &mut times, expanded, "");
    costs.push(found);
    assert!(costs.windows(2).all(|pair| pair[0] == pair[1]), "all methods find the same costs");
}

fn show(name: &str, times: &mut [f64], expanded: u64, more: &str) {
    let total: f64 = times.iter().sum();
    times.sort_by(f64::total_cmp);
    let (median, worst) = (times[times.len() / 2] * 1e3, times[times.len() - 1] * 1e3);
    let rate = expanded as f64 / total / 1e6;
    println!("  {name:28} median {median:8.3} ms, worst {worst:9.2} ms, {expanded:9} expanded, {rate:5.2} M/s{more}");
}

fn space() {
    let text =
        r#"{"colour":"red","pieces":[[-3,0],[-3,1],[-3,2],[-3,3],[-2,0],[-2,2],[0,0]],"blocks":[[3,-3],[3,-2],[3,-1],[3,0],[1,-2]]}"#;
    let board = Arc::new(parse::<Chexers>(text, &Options::default()).expect("valid"));
    let mut search = search::begin(Algorithm::BreadthFirst, Arc::clone(&board), board.start(), None, 1000);
    let (verdict, ours) = timed(|| search.run(&Limits::none()));
    assert!(matches!(verdict, Verdict::Unsolvable(_)));
    let stats = search.stats();
    drop(search);
    let start = board.canonical(board.start());
    let (states, theirs) = timed(|| pathfinding::prelude::bfs_reach(start, |pieces| successors(&board, pieces)).count());
    assert_eq!(states as u64, stats.stored);

    let read = random_read(22);
    let (made, per_made) = (stats.generated, ours / stats.generated as f64);
    println!("  {} states, {made} generated, {:.0} bytes per state", stats.stored, stats.peak_bytes as f64 / stats.stored as f64);
    println!("  kibitzer bfs {ours:.2} s, pathfinding::bfs_reach {theirs:.2} s: kibitzer is {:.1} times as fast", theirs / ours);
    println!(
        "  {:.0} ns per generated state; two independent random reads take {:.0} ns; ratio {:.1}",
        per_made * 1e9,
        2e9 * read,
        per_made / (2.0 * read)
    );
}
