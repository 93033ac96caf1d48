//! IDA* on the 15-puzzle: the generic engine against a loop written by hand for this puzzle alone. `cargo bench --bench ida`
//!
//! Both know a board's Manhattan distance from its state and take the moves in the same order. The engine compares every state
//! that it enters with the whole path; the loop only does not undo the last move, as is usual, so that it may expand a few
//! states more. What is compared are states expanded per second, in one run.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use kibitzer::limits::Limits;
use kibitzer::outcome::Verdict;
use kibitzer::random::Random;
use kibitzer::rules::{Cost, Estimate, Heuristic, Pack, Problem, Rules};
use kibitzer::search::{self, Algorithm};

/// Four bits per cell, the first cell lowest; 0 is the blank, whose home is cell 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Board {
    cells: u64,
    blank: u8,
    distance: u8,
}

struct Fifteen {
    start: Board,
    tables: Tables,
}

/// By cell the neighbors, in order; and by tile and cell the distance from home.
struct Tables {
    near: Vec<Vec<u8>>,
    away: [[u8; 16]; 16],
}

impl Tables {
    fn new() -> Tables {
        let far = |a: usize, b: usize| (a / 4).abs_diff(b / 4) + (a % 4).abs_diff(b % 4);
        let near = (0..16).map(|cell| (0..16).filter(|&other| far(cell, other) == 1).map(|other| other as u8).collect()).collect();
        Tables { near, away: std::array::from_fn(|tile| std::array::from_fn(|cell| if tile == 0 { 0 } else { far(tile, cell) as u8 })) }
    }

    /// Moves the tile on this cell to the blank.
    #[inline]
    fn slide(&self, board: Board, cell: u8) -> Board {
        let tile = board.cells >> (4 * cell) & 15;
        let away = &self.away[tile as usize & 15];
        Board {
            cells: board.cells ^ tile << (4 * cell) ^ tile << (4 * board.blank),
            blank: cell,
            distance: board.distance + away[board.blank as usize & 15] - away[cell as usize & 15],
        }
    }

    /// A board some random moves away from home.
    fn shuffled(&self, random: &mut Random, moves: usize) -> Board {
        let home = Board { cells: (0..16).fold(0, |cells, cell| cells | cell << (4 * cell)), blank: 0, distance: 0 };
        (0..moves).fold(home, |board, _| {
            let near = &self.near[board.blank as usize];
            self.slide(board, near[random.below(near.len())])
        })
    }
}

impl Pack<Fifteen> for Board {
    fn bytes(_: &Fifteen) -> usize {
        8
    }

    fn pack(&self, _: &Fifteen, out: &mut [u8]) {
        out.copy_from_slice(&self.cells.to_le_bytes());
    }

    fn unpack(rules: &Fifteen, bytes: &[u8]) -> Self {
        let cells = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        let tile = |cell: usize| (cells >> (4 * cell) & 15) as usize;
        let blank = (0..16).find(|&cell| tile(cell) == 0).expect("there is one") as u8;
        Board { cells, blank, distance: (0..16).map(|cell| rules.tables.away[tile(cell)][cell]).sum() }
    }
}

impl Rules for Fifteen {
    type State = Board;
    /// The cell whose tile moves.
    type Move = u8;

    fn start(&self) -> Board {
        self.start
    }

    #[inline]
    fn moves(&self, board: &Board, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.tables.near[board.blank as usize]);
    }

    #[inline]
    fn apply(&self, board: &Board, cell: &u8) -> Board {
        self.tables.slide(*board, *cell)
    }
}

impl Problem for Fifteen {
    const HEURISTICS: &'static [Heuristic<Self>] = &[Heuristic {
        name: "manhattan",
        about: "the sum of the tiles' distances from home",
        admissible: true,
        consistent: true,
        aliases: &[],
        build: |_, _| Ok(Estimate::new(|_, board: &Board| Cost::from(board.distance))),
    }];

    #[inline]
    fn is_goal(&self, board: &Board) -> bool {
        board.distance == 0
    }
}

/// The same by hand: recursion, no path, no trait, no limits.
struct Loop<'a> {
    tables: &'a Tables,
    limit: u32,
    next: u32,
    expanded: u64,
}

impl Loop<'_> {
    fn solve(&mut self, start: Board) -> u32 {
        self.limit = start.distance.into();
        loop {
            self.next = u32::MAX;
            if start.distance == 0 || self.below(start, 16, 0).is_break() {
                return self.limit;
            }
            self.limit = self.next;
        }
    }

    fn below(&mut self, board: Board, before: u8, depth: u32) -> ControlFlow<()> {
        self.expanded += 1;
        for &cell in &self.tables.near[board.blank as usize & 15] {
            if cell == before {
                continue;
            }
            let child = self.tables.slide(board, cell);
            let value = depth + 1 + u32::from(child.distance);
            if value > self.limit {
                self.next = self.next.min(value);
            } else if child.distance == 0 {
                return ControlFlow::Break(());
            } else {
                self.below(child, board.blank, depth + 1)?;
            }
        }
        ControlFlow::Continue(())
    }
}

fn main() {
    // `cargo test` builds and runs benches too, with `--test`: nothing to measure then.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let tables = Tables::new();
    let mut random = Random::new(15);
    let (mut by_engine, mut by_hand) = ((0, 0.0), (0, 0.0));
    let mut boards = 0;
    while by_engine.0 < 40_000_000 {
        let start = tables.shuffled(&mut random, 140);
        let begun = Instant::now();
        let mut hand = Loop { tables: &tables, limit: 0, next: 0, expanded: 0 };
        let cost = hand.solve(start);
        by_hand = (by_hand.0 + hand.expanded, by_hand.1 + begun.elapsed().as_secs_f64());

        let fifteen = Arc::new(Fifteen { start, tables: Tables::new() });
        let begun = Instant::now();
        let mut search = search::begin(Algorithm::IdaStar, fifteen, start, Fifteen::HEURISTICS.first(), 1000);
        let Verdict::Solved { plan, .. } = search.run(&Limits::none()) else { panic!("solvable") };
        assert_eq!(plan.cost, cost);
        by_engine = (by_engine.0 + search.stats().expanded, by_engine.1 + begun.elapsed().as_secs_f64());
        boards += 1;
    }
    println!("{boards} boards of the 15-puzzle, solved by IDA* with the Manhattan distance");
    let rate = |(expanded, seconds): (u64, f64)| expanded as f64 / seconds / 1e6;
    for (name, result) in [("kibitzer, generic", by_engine), ("written by hand", by_hand)] {
        println!("  {name:20} {:9} expanded {:7.2} s {:6.1} M states/s", result.0, result.1, rate(result));
    }
    println!("  the loop by hand is {:.2} times as fast", rate(by_hand) / rate(by_engine));
}
