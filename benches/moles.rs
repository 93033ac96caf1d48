//! Benchmarks moles on large boards, compared with the time to copy the board: `cargo bench --bench moles`.
//!
//! Times are minima of several runs; ratios compare times from the same run. The theoretical limit is memory bandwidth, because a board
//! must be read twice (for two passes of chasing) and written once.

mod common;

use std::hint::black_box;
use std::time::{Duration, Instant};

use common::timed;
use kibitzer::bits::bitmap::Bitmap;
use kibitzer::catalog::{Choice, Puzzle};
use kibitzer::games::{self, moles::chase::*};
use kibitzer::limits::Limits;
use kibitzer::report::duration;

/// The shortest time of several runs of `work` on the result of `prepare`.
fn shortest<T>(runs: usize, mut prepare: impl FnMut() -> T, mut work: impl FnMut(&mut T)) -> Duration {
    let once = |_| {
        let mut input = prepare();
        let begun = Instant::now();
        work(&mut input);
        let taken = begun.elapsed();
        black_box(&input);
        taken
    };
    (0..runs).map(once).min().expect("at least one run")
}

fn random(n: usize) -> Bitmap {
    let entry = games::find("moles").expect("listed");
    let options = kibitzer_contract::options(&[format!("size={n}x{n}")], entry.generate_options.expect("has a generator"));
    (entry.bitmaps().expect("moles has bitmaps").generate)(n as u64, &options, &Limits::none()).expect("solvable by construction")
}

fn solve_grid(n: usize, board: &mut Bitmap) {
    let chase = Chase::new(grid(n), &Limits::none()).expect("no limits").expect("a grid");
    chase.solve(board, &Limits::none()).expect("no limits").expect("solvable");
}

fn grid(n: usize) -> Grid {
    Grid { rows: n, columns: n, center: true, wrap: Wrap::None }
}

fn seconds(time: Duration) -> String {
    duration(time.as_secs_f64())
}

fn puzzle(text: &str, options: &[&str]) -> Box<dyn Puzzle> {
    let entry = games::find("moles").expect("listed");
    entry.parse(text, &kibitzer_contract::options(options, entry.options)).expect("a valid board")
}

fn main() {
    println!("random solvable n x n boards; `algebra` is the part that depends only on the size, `solve` is everything from board to hits");
    println!("{:>7} {:>10} {:>10} {:>10} {:>8} {:>18}", "n", "algebra", "solve", "copy", "ratio", "words/s, solve");
    for n in [100, 128, 200, 500, 1000, 2000, 5000, 10_000, 20_000] {
        let board = random(n);
        let runs = (200_000 / n).clamp(5, 500);
        let algebra = shortest(runs, || (), |()| drop(black_box(Chase::new(grid(n), &Limits::none()))));
        let solve = shortest(runs, || board.clone(), |board| solve_grid(n, board));
        // Copies into memory that is already allocated, because the solver also overwrites an existing board.
        let mut to = vec![1_u64; board.words().len()];
        let copy = shortest(runs, || (), |()| black_box(&mut to).copy_from_slice(black_box(board.words())));
        let ratio = solve.as_secs_f64() / copy.as_secs_f64();
        let rate = (n * n) as f64 / 64.0 / solve.as_secs_f64();
        println!("{n:>7} {:>10} {:>10} {:>10} {ratio:>8.1} {rate:>18.3e}", seconds(algebra), seconds(solve), seconds(copy));
    }

    println!("\nn = 128, compared with one equation per hole (16,384 equations)");
    let board = random(128);
    let rows = (games::find("moles").and_then(|entry| entry.bitmaps()).expect("moles has bitmaps").to_text)(&board);
    let chase = shortest(500, || board.clone(), |board| solve_grid(128, board));
    // Any solution will do, because choosing the lightest is not part of the elimination.
    let board = puzzle(&rows, &["answer=any"]);
    let (report, dense) = timed(|| board.solve(&Choice::method("dense"), &Limits::none()).expect("valid"));
    assert_eq!(report.verdict(), "solved");
    println!("chase {}, dense {}: {:.0} times as long", seconds(chase), duration(dense), dense / chase.as_secs_f64());
}
