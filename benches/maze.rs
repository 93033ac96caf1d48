//! Benchmarks mazes: `cargo bench --bench maze`.
//!
//! A* with octile distance on a field of 1024 x 1024 cells, a quarter of them walls, with diagonal moves. The same rules, costs and
//! heuristic are given to the `pathfinding` crate and to a loop with a bucket queue, written by hand for this one problem. Absolute times
//! depend on the machine; ratios compare times from the same run.

mod common;
#[path = "../tests/common/counting.rs"]
mod counting;

use std::sync::Arc;

use common::{generate, timed};
use kibitzer::games::maze::Maze;
use kibitzer::limits::Limits;
use kibitzer::notation::{Notation, Options, parse};
use kibitzer::outcome::Verdict;
use kibitzer::random::Random;
use kibitzer::rules::{Problem, Rules};
use kibitzer::search::{self, Algorithm};

const SIDE: usize = 1024;
/// The columns and rows of the starts and goals, for paths across the whole field and for shorter ones.
const PATHS: [[(usize, usize); 2]; 6] = [
    [(0, 0), (1023, 1023)],
    [(1000, 20), (30, 990)],
    [(10, 500), (1010, 520)],
    [(700, 900), (690, 100)],
    [(300, 300), (600, 420)],
    [(800, 200), (700, 650)],
];
/// Every search is repeated, and its shortest time counts.
const ROUNDS: usize = 5;

fn main() {
    let options = [format!("rows={SIDE}"), format!("columns={SIDE}"), "shape=field".into(), "walls=25".into(), "neighbors=8".into()];
    let maze: Maze = generate(&options, &mut Random::new(1));
    let text = maze.write(&maze.start());
    println!("A* with octile distance on {SIDE} x {SIDE} cells: milliseconds, and states expanded");
    let mut totals = [0.0; 3];
    for ends in PATHS {
        let hand = Hand::new(&text, ends);
        let [start, goal] = ends.map(|(x, y)| format!("{x},{y}"));
        let maze: Arc<Maze> = Arc::new(parse(&hand.text(), &Options::default()).expect("valid"));
        let (mut least, mut bytes, mut counts, mut cost) = ([f64::MAX; 3], [0; 3], [0; 3], [0; 3]);
        for _ in 0..ROUNDS {
            let searches: [&dyn Fn() -> (u32, u64); 3] = [&|| ours(&maze), &|| hand.crates(), &|| hand.solve()];
            for (index, search) in searches.into_iter().enumerate() {
                let (((found, expanded), peak), seconds) = timed(|| counting::peak_bytes(search));
                least[index] = least[index].min(seconds);
                (bytes[index], counts[index], cost[index]) = (peak, expanded, found);
            }
        }
        assert!(cost[0] == cost[1] && cost[0] == cost[2], "{cost:?}");
        println!("  {start:>8} to {goal:9} cost {:6}", cost[0]);
        for (index, name) in ["kibitzer", "pathfinding", "bucket queue by hand"].into_iter().enumerate() {
            totals[index] += least[index];
            let (time, memory) = (least[index] * 1e3, bytes[index] as f64 / 1e6);
            println!("    {name:22} {time:8.1} ms {:8} expanded, {memory:6.1} MB", counts[index]);
        }
    }
    let [ours, crates, hand] = totals;
    println!(
        "in all, kibitzer is {:.2} times as fast as pathfinding, and takes {:.2} times as long as the loop",
        crates / ours,
        ours / hand
    );
}

fn ours(maze: &Arc<Maze>) -> (u32, u64) {
    let octile = maze.heuristics().iter().find(|known| known.name == "octile");
    let mut search = search::begin(Algorithm::AStar, Arc::clone(maze), maze.start(), octile, 1000);
    let Verdict::Solved { plan, lower } = search.run(&Limits::none()) else { panic!("there is a path") };
    assert_eq!(plan.cost, lower);
    (plan.cost, search.stats().expanded)
}

/// The field, with a frame of walls, and two of its cells.
struct Hand {
    free: Vec<bool>,
    start: u32,
    goal: u32,
}

const STRIDE: u32 = SIDE as u32 + 2;

impl Hand {
    fn new(text: &str, ends: [(usize, usize); 2]) -> Hand {
        let mut free = vec![false; STRIDE as usize];
        for row in text.lines().filter(|line| !line.contains(':')) {
            free.push(false);
            free.extend(row.chars().map(|sign| sign != '#'));
            free.push(false);
        }
        free.resize(free.len() + STRIDE as usize, false);
        let [start, goal] = ends.map(|(x, y)| (y as u32 + 1) * STRIDE + x as u32 + 1);
        (free[start as usize], free[goal as usize]) = (true, true);
        Hand { free, start, goal }
    }

    /// The field in the notation of mazes.
    fn text(&self) -> String {
        let sign = |cell: u32| match cell {
            _ if cell == self.start => 'S',
            _ if cell == self.goal => 'G',
            _ => ['#', '.'][usize::from(self.free[cell as usize])],
        };
        let row = |y: u32| (1..STRIDE - 1).map(|x| sign(y * STRIDE + x)).collect::<String>() + "\n";
        "neighbors: 8\n".to_owned() + &(1..=SIDE as u32).map(row).collect::<String>()
    }

    #[inline]
    fn steps(&self, cell: u32, mut each: impl FnMut(u32, u32)) {
        let free = |cell: u32| self.free[cell as usize];
        let (up, left, right, down) = (cell - STRIDE, cell - 1, cell + 1, cell + STRIDE);
        let [to_up, to_left, to_right, to_down] = [up, left, right, down].map(free);
        for (to, open) in [(up, to_up), (left, to_left), (right, to_right), (down, to_down)] {
            if open {
                each(to, 10);
            }
        }
        for (to, open) in
            [(up - 1, to_up & to_left), (up + 1, to_up & to_right), (down - 1, to_down & to_left), (down + 1, to_down & to_right)]
        {
            if open && free(to) {
                each(to, 14);
            }
        }
    }

    #[inline]
    fn estimate(&self, cell: u32) -> u32 {
        let (dx, dy) = ((cell % STRIDE).abs_diff(self.goal % STRIDE), (cell / STRIDE).abs_diff(self.goal / STRIDE));
        10 * dx.max(dy) + 4 * dx.min(dy)
    }

    fn crates(&self) -> (u32, u64) {
        let mut expanded = 0;
        let steps = |&cell: &u32| {
            expanded += 1;
            let mut steps = Vec::with_capacity(8);
            self.steps(cell, |to, cost| steps.push((to, cost)));
            steps
        };
        let found = pathfinding::prelude::astar(&self.start, steps, |&cell| self.estimate(cell), |&cell| cell == self.goal);
        (found.expect("there is a path").1, expanded)
    }

    /// A* with an array of costs and parents by cell, and a list of buckets by cost plus estimate.
    fn solve(&self) -> (u32, u64) {
        let mut nodes = vec![(u32::MAX, 0); self.free.len()];
        let mut closed = vec![false; self.free.len()];
        let first = self.estimate(self.start);
        let mut buckets = vec![vec![self.start]];
        nodes[self.start as usize].0 = 0;
        let (mut expanded, mut least) = (0, 0);
        loop {
            let Some(cell) = buckets[least].pop() else {
                least += 1;
                continue;
            };
            if std::mem::replace(&mut closed[cell as usize], true) {
                continue;
            }
            if cell == self.goal {
                break;
            }
            expanded += 1;
            let here = nodes[cell as usize].0;
            self.steps(cell, |to, cost| {
                if here + cost < nodes[to as usize].0 {
                    nodes[to as usize] = (here + cost, cell);
                    let bucket = (here + cost + self.estimate(to) - first) as usize;
                    if bucket >= buckets.len() {
                        buckets.resize(bucket + 1, Vec::new());
                    }
                    buckets[bucket].push(to);
                }
            });
        }
        let (mut cell, mut path) = (self.goal, vec![self.goal]);
        while cell != self.start {
            cell = nodes[cell as usize].1;
            path.push(cell);
        }
        path.reverse();
        let cost = |pair: &[u32]| if [1, STRIDE].contains(&pair[0].abs_diff(pair[1])) { 10 } else { 14 };
        assert_eq!(path.windows(2).map(cost).sum::<u32>(), nodes[self.goal as usize].0);
        (nodes[self.goal as usize].0, expanded)
    }
}
