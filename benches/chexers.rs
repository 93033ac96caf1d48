//! The speed of search on Chexers, and how far it is from the limit of the machine. `cargo bench --bench chexers`
//!
//! Absolute times depend on the machine; ratios are taken within one run. Compared with the crate `pathfinding` on the same rules
//! and the same heuristic, and with the rate of independent random reads of cache lines: a search that stores every state needs
//! about two such reads per generated state. With `BASE=path/to/kibitzer` the program of another commit solves the boards with
//! 12 pieces, too.

#[path = "common/base.rs"]
mod base;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use kibitzer::catalog::Choice;
use kibitzer::games;
use kibitzer::games::chexers::{Chexers, HexSet};
use kibitzer::limits::Limits;
use kibitzer::notation::{Notation, OptionSpec, Options, parse};
use kibitzer::outcome::Verdict;
use kibitzer::random::Random;
use kibitzer::report::Answer;
use kibitzer::rules::{Problem, Rules};
use kibitzer::search::{self, Algorithm};

fn main() {
    // `cargo test` runs benches, too, with `--test`: nothing to measure then.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    println!("4 pieces, 0 to 15 blocks, 300 random solvable boards");
    many(boards(4, 15, 300));
    println!("\n8 pieces, 0 to 12 blocks, 30 random solvable boards");
    many(boards(8, 12, 30));
    println!("\n12 pieces, radius 4, by default: expanded, megabytes, seconds");
    twelve();
    println!("\nthe whole space of 7 pieces that cannot leave, breadth first");
    space();
}

fn twelve() {
    let entry = games::find("chexers").expect("listed");
    let known: Vec<&OptionSpec> = entry.generate_options.expect("it makes boards").iter().collect();
    let mut texts = Vec::new();
    for blocks in [0, 6, 12, 20] {
        let wanted = ["radius=4".to_owned(), "pieces=12".to_owned(), format!("blocks={blocks}")];
        let options = Options::parse(wanted.iter().map(String::as_str), &known).expect("right");
        for seed in 1..=3 {
            let text = (entry.generate)(seed, &options, &Limits::none()).expect("it can be made");
            let puzzle = entry.parse(&text, &Options::default()).expect("sound");
            let begun = Instant::now();
            let report = puzzle.solve(&Choice::default(), &Limits::nodes(20_000_000)).expect("no fault");
            let (stats, seconds) = (&report.stats, begun.elapsed().as_secs_f64());
            let answer = match &report.answer {
                Answer::Solved { cost, optimal, .. } => format!("cost {cost}{}", if *optimal { ", proved" } else { "" }),
                Answer::Unknown { lower, .. } => format!("at least {lower}"),
                _ => report.verdict().to_owned(),
            };
            let megabytes = stats.peak_bytes as f64 / 1e6;
            println!("  {blocks:2} blocks, seed {seed}: {answer}; {} {megabytes:.0} {seconds:.2}", stats.expanded);
            texts.push(text);
        }
    }
    base::compare("chexers", &texts, "30");
}

fn options(texts: &[String]) -> Options {
    let generator = Chexers::INFO.generator.expect("chexers makes boards");
    let known: Vec<&OptionSpec> = generator.options.iter().collect();
    Options::parse(texts.iter().map(String::as_str), &known).expect("right")
}

fn boards(pieces: usize, blocks: usize, count: usize) -> Vec<Arc<Chexers>> {
    let mut random = Random::new(2024);
    let mut boards = Vec::new();
    while boards.len() < count {
        let options = options(&[format!("pieces={pieces}"), format!("blocks={}", random.below(blocks + 1))]);
        let generator = Chexers::INFO.generator.expect("chexers makes boards");
        let board = (generator.make)(&mut random, &options, &Limits::none()).expect("right");
        boards.push(Arc::new(board));
    }
    boards
}

/// Solves all boards with two estimates, and with the other crate.
fn many(boards: Vec<Arc<Chexers>>) {
    let mut costs: Vec<Vec<u32>> = Vec::new();
    for name in ["endgame", "relaxed"] {
        let heuristic = Chexers::HEURISTICS.iter().find(|heuristic| heuristic.name == name).expect("there");
        let (mut times, mut found) = (Vec::new(), Vec::new());
        let (mut expanded, mut stored, mut bytes) = (0, 0, 0);
        for board in &boards {
            let begun = Instant::now();
            let mut search = search::begin(Algorithm::AStar, Arc::clone(board), board.start(), Some(heuristic), 1000);
            let Verdict::Solved { plan, lower } = search.run(&Limits::none()) else { panic!("solvable") };
            assert_eq!(plan.cost, lower);
            times.push(begun.elapsed().as_secs_f64());
            found.push(plan.cost);
            let stats = search.stats();
            (expanded, stored, bytes) = (expanded + stats.expanded, stored + stats.stored, bytes + stats.peak_bytes);
        }
        let per_state = bytes as f64 / stored as f64;
        show(&format!("astar:{name}"), &mut times, expanded, &format!(", {per_state:.0} bytes per stored state"));
        costs.push(found);
    }
    let heuristic = Chexers::HEURISTICS.iter().find(|heuristic| heuristic.name == "relaxed").expect("there");
    let (mut times, mut found, mut expanded) = (Vec::new(), Vec::new(), 0);
    for board in &boards {
        let begun = Instant::now();
        let limits = Limits::none();
        let estimate = (heuristic.build)(board, &limits).expect("no limit");
        let successors = |pieces: &HexSet| {
            expanded += 1;
            let mut moves = Vec::new();
            board.moves(pieces, &mut moves);
            moves.iter().map(|mv| (board.canonical(board.apply(pieces, mv)), 1)).collect::<Vec<_>>()
        };
        let start = board.canonical(board.start());
        let plan = pathfinding::prelude::astar(
            &start,
            successors,
            |pieces| estimate.at(board, pieces, &limits).expect("no limit"),
            |pieces| board.is_goal(pieces),
        );
        times.push(begun.elapsed().as_secs_f64());
        found.push(plan.expect("solvable").1);
    }
    show("pathfinding::astar, relaxed", &mut times, expanded, "");
    costs.push(found);
    assert!(costs.windows(2).all(|pair| pair[0] == pair[1]), "all find the same costs");
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
    let board = Arc::new(parse::<Chexers>(text, &Options::default()).expect("sound"));
    let begun = Instant::now();
    let mut search = search::begin(Algorithm::BreadthFirst, Arc::clone(&board), board.start(), None, 1000);
    assert!(matches!(search.run(&Limits::none()), Verdict::Unsolvable(_)));
    let (ours, stats) = (begun.elapsed().as_secs_f64(), search.stats());
    drop(search);

    let begun = Instant::now();
    let successors = |pieces: &HexSet| {
        let mut moves = Vec::new();
        board.moves(pieces, &mut moves);
        moves.iter().map(|mv| board.canonical(board.apply(pieces, mv))).collect::<Vec<_>>()
    };
    let states = pathfinding::prelude::bfs_reach(board.canonical(board.start()), successors).count();
    let theirs = begun.elapsed().as_secs_f64();
    assert_eq!(states as u64, stats.stored);

    let read = random_read();
    let (made, per_made) = (stats.generated, ours / stats.generated as f64);
    println!("  {} states, {made} made, {:.0} bytes per state", stats.stored, stats.peak_bytes as f64 / stats.stored as f64);
    println!("  kibitzer bfs {ours:.2} s, pathfinding::bfs_reach {theirs:.2} s: {:.1} times faster", theirs / ours);
    println!(
        "  {:.0} ns per state made; two independent random reads take {:.0} ns: {:.1} times the limit",
        per_made * 1e9,
        2e9 * read,
        per_made / (2.0 * read)
    );
}

/// Seconds per independent random read of a line from a table of 256 MB.
fn random_read() -> f64 {
    let table: Vec<[u64; 8]> = vec![[1; 8]; 4 << 20];
    let mut random = Random::new(1);
    let places: Vec<u32> = (0..4 << 20).map(|_| random.below(table.len()) as u32).collect();
    let begun = Instant::now();
    let sum: u64 = places.iter().map(|&place| table[place as usize][0]).sum();
    black_box(sum);
    begun.elapsed().as_secs_f64() / places.len() as f64
}
