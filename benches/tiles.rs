//! Benchmarks sliding tiles: `cargo bench --bench tiles`, or `cargo bench --bench tiles -- ida` for one part (`ida`, `astar`, `pattern`).
//!
//! Absolute times depend on the machine; ratios compare times from the same run. IDA* is compared with a hand-written loop for this one
//! puzzle, and A* with the `pathfinding` crate, given the same rules and heuristic.

mod common;
#[path = "../tests/common/counting.rs"]
mod counting;

use std::sync::Arc;

use common::timed;
use kibitzer::games::tiles::Tiles;
use kibitzer::limits::Limits;
use kibitzer::notation::{Options, parse};
use kibitzer::outcome::{Stats, Verdict};
use kibitzer::rules::{Cost, Estimate, Problem, Rules};
use kibitzer::search::{self, Algorithm};

/// The numbers of some of the easier boards among Korf's 100.
const EASY: [usize; 8] = [12, 79, 42, 55, 94, 47, 97, 31];

fn main() {
    let asked = |part: &str| std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).all(|arg| arg == part);
    for (name, part) in [("ida", ida as fn()), ("astar", astar), ("pattern", pattern)] {
        if asked(name) {
            part();
        }
    }
}

/// The tiles of one of Korf's boards, numbered from 1.
fn korf(number: usize) -> Vec<u8> {
    let list = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/instances/tiles/korf100.list")).expect("readable");
    let line = list.lines().filter(|line| !line.starts_with('#')).nth(number - 1).expect("100 boards").to_owned();
    let board = line.split(';').next_back().expect("a board");
    board.split([' ', '|']).filter_map(|word| word.parse().ok()).collect()
}

fn board(tiles: &[u8]) -> Arc<Tiles> {
    let rows: Vec<String> = tiles.chunks(4).map(|row| row.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")).collect();
    Arc::new(parse::<Tiles>(&format!("goal: blank-first\n{}", rows.join("\n")), &Options::default()).expect("valid"))
}

fn solve(board: &Arc<Tiles>, kind: Algorithm, heuristic: &str) -> (Cost, Stats) {
    let heuristic = search::heuristics(&**board).into_iter().find(|known| known.name == heuristic);
    let mut search = search::begin(kind, Arc::clone(board), board.start(), heuristic, 1000);
    let Verdict::Solved { plan, lower } = search.run(&Limits::none()) else { panic!("solvable") };
    assert_eq!(plan.cost, lower);
    (plan.cost, search.stats())
}

fn ida() {
    println!("IDA* with Manhattan distance, boards {EASY:?} of Korf's 100");
    let (mut ours, mut theirs) = (0.0, 0.0);
    let (mut expanded, mut generated, mut by_hand) = (0, 0, 0);
    for number in EASY {
        let tiles = korf(number);
        let ((cost, stats), seconds) = timed(|| solve(&board(&tiles), Algorithm::IdaStar, "manhattan"));
        let ((least, count), hand_seconds) = timed(|| Hand::new(&tiles).solve());
        assert_eq!(cost, least);
        (ours, theirs) = (ours + seconds, theirs + hand_seconds);
        (expanded, generated, by_hand) = (expanded + stats.expanded, generated + stats.generated, by_hand + count);
    }
    println!("  kibitzer           {ours:7.2} s, {expanded} expanded, {generated} generated");
    println!("  hand-written loop  {theirs:7.2} s, {by_hand} generated; kibitzer takes {:.2} times as long", ours / theirs);
}

/// IDA* written for this puzzle alone: one array, tables of differences, recursion.
struct Hand {
    tiles: [u8; 16],
    /// The change of the estimate if a tile moves from a cell to a neighbor: up, left, right, down.
    change: Box<[[[i8; 4]; 16]; 16]>,
    count: u64,
    next: i32,
}

impl Hand {
    fn new(tiles: &[u8]) -> Hand {
        let mut change = Box::new([[[0; 4]; 16]; 16]);
        for (tile, cells) in change.iter_mut().enumerate() {
            for (cell, sides) in cells.iter_mut().enumerate() {
                for (side, by) in sides.iter_mut().enumerate() {
                    if let Some(to) = beside(cell, side) {
                        *by = far(tile, to) as i8 - far(tile, cell) as i8;
                    }
                }
            }
        }
        Hand { tiles: tiles.try_into().expect("16 cells"), change, count: 1, next: 0 }
    }

    fn solve(mut self) -> (Cost, u64) {
        let blank = self.tiles.iter().position(|&tile| tile == 0).expect("a blank");
        let estimate = (0..16).filter(|&cell| cell != blank).map(|cell| far(self.tiles[cell].into(), cell) as i32).sum();
        self.next = estimate;
        loop {
            let limit = std::mem::replace(&mut self.next, i32::MAX);
            if self.search(blank, 4, 0, estimate, limit) {
                return (limit as Cost, self.count);
            }
        }
    }

    fn search(&mut self, blank: usize, last: usize, cost: i32, estimate: i32, limit: i32) -> bool {
        if estimate == 0 {
            return true;
        }
        for (side, from) in SIDES[blank].iter().enumerate() {
            if side + last == 3 {
                continue;
            }
            let Some(from) = *from else { continue };
            let from = from as usize;
            let tile = self.tiles[from];
            // The tile moves in the opposite direction to the blank.
            let after = estimate + i32::from(self.change[tile as usize][from][3 - side]);
            self.count += 1;
            if cost + 1 + after > limit {
                self.next = self.next.min(cost + 1 + after);
                continue;
            }
            (self.tiles[blank], self.tiles[from]) = (tile, 0);
            let found = self.search(from, side, cost + 1, after, limit);
            (self.tiles[from], self.tiles[blank]) = (tile, 0);
            if found {
                return true;
            }
        }
        false
    }
}

const SIDES: [[Option<u8>; 4]; 16] = {
    let mut sides = [[None; 4]; 16];
    let mut cell = 0;
    while cell < 16 {
        let at = cell as u8;
        sides[cell] = [
            if at >= 4 { Some(at - 4) } else { None },
            if !at.is_multiple_of(4) { Some(at - 1) } else { None },
            if at % 4 < 3 { Some(at + 1) } else { None },
            if at < 12 { Some(at + 4) } else { None },
        ];
        cell += 1;
    }
    sides
};

fn beside(cell: usize, side: usize) -> Option<usize> {
    SIDES[cell][side].map(usize::from)
}

fn far(tile: usize, cell: usize) -> usize {
    (tile / 4).abs_diff(cell / 4) + (tile % 4).abs_diff(cell % 4)
}

fn astar() {
    println!("\nA* with Manhattan distance, boards 12 and 79 of Korf's 100");
    for number in [12, 79] {
        let board = board(&korf(number));
        let (((cost, stats), bytes), ours) = timed(|| counting::peak_bytes(|| solve(&board, Algorithm::AStar, "manhattan")));
        let heuristic = Tiles::HEURISTICS.iter().find(|known| known.name == "manhattan").expect("listed");
        let limits = Limits::none();
        let estimate: Estimate<Tiles> = (heuristic.build)(&board, &limits).expect("no limit");
        let search = || {
            pathfinding::prelude::astar(
                &board.start(),
                |cells| {
                    let mut moves = Vec::new();
                    board.moves(cells, &mut moves);
                    moves.into_iter().map(|mv| (board.apply(cells, &mv), 1)).collect::<Vec<_>>()
                },
                |cells| estimate.at(&board, cells, &limits).expect("no limit"),
                |cells| board.is_goal(cells),
            )
        };
        let ((found, their_bytes), theirs) = timed(|| counting::peak_bytes(search));
        assert_eq!(found.map(|(_, least)| least), Some(cost));
        println!(
            "  board {number}: kibitzer {ours:.2} s, {:.0} MB, {} expanded, {} stored; pathfinding {theirs:.2} s, {:.0} MB: {:.1} times as fast, {:.1} times the memory",
            bytes as f64 / 1e6,
            stats.expanded,
            stats.stored,
            their_bytes as f64 / 1e6,
            theirs / ours,
            their_bytes as f64 / bytes as f64
        );
    }
}

fn pattern() {
    println!("\nIDA* and A* with the heuristics of tiles, boards {EASY:?} of Korf's 100: generated, seconds (building tables included)");
    for (name, kind) in [("idastar", Algorithm::IdaStar), ("astar", Algorithm::AStar)] {
        for heuristic in ["manhattan", "conflict", "pattern"] {
            let solve = |number: &usize| solve(&board(&korf(*number)), kind, heuristic).1.generated;
            let (generated, seconds) = timed(|| EASY.iter().map(solve).sum::<u64>());
            println!("  {name}:{heuristic:10} {generated:12} {seconds:8.2}");
        }
    }
}
