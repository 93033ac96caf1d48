//! Benchmarks tricolor: `cargo bench --bench tricolor`. Compares the search over recolorings with A* over boards, and solves large boards.
//!
//! Node counts are exact and the same everywhere; times depend on the machine.

mod common;
#[path = "../tests/common/counting.rs"]
mod counting;

use common::timed;
use kibitzer::catalog::{Choice, Puzzle};
use kibitzer::games;
use kibitzer::graph::families;
use kibitzer::limits::Limits;
use kibitzer::notation::Options;
use kibitzer::random::Random;
use kibitzer::report::{Answer, Report};

fn board(random: &mut Random, n: usize, black: usize, degree: usize, cost: &str) -> Box<dyn Puzzle> {
    let graph = families::random_connected(random, n, n * degree / 2);
    let mut order: Vec<usize> = (0..n).collect();
    random.shuffle(&mut order, n);
    let mut colors: Vec<char> = (0..n).map(|_| ['R', 'G'][random.below(2)]).collect();
    order[..black].iter().for_each(|&v| colors[v] = 'B');
    let edges: Vec<String> = graph.edges().map(|(u, v)| format!("{u}-{v}")).collect();
    let text = format!("colors: {}\nedges: {}\ncost: {cost}", colors.iter().collect::<String>(), edges.join(" "));
    games::find("tricolor").expect("listed").parse(&text, &Options::default()).expect("a valid board")
}

/// The report, the time in seconds, and the peak memory in megabytes.
fn solved(puzzle: &dyn Puzzle, method: &str, nodes: u64) -> (Report, f64, f64) {
    let solve = || puzzle.solve(&Choice::method(method), &Limits::nodes(nodes)).expect("no fault");
    let ((report, bytes), seconds) = timed(|| counting::peak_bytes(solve));
    (report, seconds, bytes as f64 / 1e6)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    println!("boards expanded: medians over 9 random connected boards of degree 4 with 4 black vertices");
    println!(
        "{:>4} {:>10} {:>14} {:>12} {:>22} {:>23}",
        "n", "phases", "astar:relaxed", "astar:count", "count / phases", "count / relaxed"
    );
    for n in 14..=18 {
        let mut random = Random::new(n as u64);
        let mut found: [Vec<f64>; 5] = Default::default();
        while found[0].len() < 9 {
            let puzzle = board(&mut random, n, 4, 4, "clicks");
            let runs = ["phases", "astar:relaxed", "astar:count"].map(|method| solved(&*puzzle, method, 20_000_000).0);
            if runs[0].verdict() == "solved" {
                let [own, relaxed, count] = runs.map(|run| run.stats.expanded.max(1) as f64);
                [own, relaxed, count, count / own, count / relaxed].into_iter().zip(&mut found).for_each(|(value, list)| list.push(value));
            }
        }
        let [own, relaxed, count, ratio, weaker] = found.map(|mut list| median(&mut list));
        println!("{n:>4} {own:>10.0} {relaxed:>14.0} {count:>12.0} {ratio:>22.0} {weaker:>23.0}");
    }

    println!("\nlarge boards by phases: number solved, unsolvable, undecided; boards expanded; seconds (median, maximum); megabytes");
    for (n, black, degree, price, boards) in [
        (30, 4, 4, "clicks", 100),
        (30, 20, 4, "clicks", 20),
        (100, 10, 4, "clicks", 100),
        (100, 10, 10, "clicks", 50),
        (100, 20, 3, "clicks", 50),
        (200, 10, 4, "clicks", 50),
        (200, 20, 2, "clicks", 20),
        (2000, 3, 4, "clicks", 5),
        (30, 4, 4, "color", 15),
        (60, 6, 4, "color", 15),
        (100, 10, 4, "color", 15),
        (200, 10, 4, "color", 15),
    ] {
        let mut random = Random::new(n as u64);
        let (mut counts, mut expanded, mut seconds, mut most) = ([0; 3], Vec::new(), Vec::new(), 0_f64);
        for _ in 0..boards {
            let (report, time, megabytes) = solved(&*board(&mut random, n, black, degree, price), "phases", u64::MAX);
            counts[match report.answer {
                Answer::Solved { optimal: true, .. } => 0,
                Answer::Unsolvable { .. } => 1,
                _ => 2,
            }] += 1;
            expanded.push(report.stats.expanded as f64);
            seconds.push(time);
            most = most.max(megabytes);
        }
        let (looks, middle) = (median(&mut expanded), median(&mut seconds));
        let [yes, no, open] = counts;
        let longest = seconds[seconds.len() - 1];
        print!("n {n:>4}, {black:>2} black, degree {degree}, {price}: ");
        println!("{yes:>3} {no:>2} {open}; {looks:>5.0}; {middle:.4} {longest:.4}; {most:.1}");
    }
}
