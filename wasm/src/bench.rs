//! Work to measure natively and in the browser. `benches/worker.rs` compares the two.

use std::sync::Arc;

use kibitzer::bits::bitmap::{Bitmap, mask_row};
use kibitzer::games::moles::bitmaps::toggled;
use kibitzer::games::moles::chase::{Chase, Grid, Wrap};
use kibitzer::games::pegs::Pegs;
use kibitzer::limits::Limits;
use kibitzer::notation::{Options, parse};
use kibitzer::random::Random;
use kibitzer::rules::Rules;
use kibitzer::search::explore::explore;
use kibitzer::space::RulesSpace;

use crate::host::now;

/// Milliseconds to explore all positions of the English peg board. Their number is checked.
#[unsafe(no_mangle)]
pub extern "C" fn peg_space() -> f64 {
    let board = Arc::new(parse::<Pegs>(include_str!("../../instances/pegs/english.txt"), &Options::default()).expect("a valid board"));
    let space = RulesSpace::of_problem(Arc::clone(&board), board.start(), true);
    let begun = now();
    let total = explore(&space, &Limits::none()).total();
    let taken = now() - begun;
    assert_eq!((total.states, total.unfolded), (23_475_688, 187_636_299));
    taken
}

/// Milliseconds to solve a random board of n x n holes, the minimum of several runs. The hits are checked.
#[unsafe(no_mangle)]
pub extern "C" fn moles(n: usize, runs: usize) -> f64 {
    let mut random = Random::new(n as u64);
    let mut made = Bitmap::new(n, n).expect("it fits");
    for row in 0..n {
        made.row_mut(row).iter_mut().for_each(|word| *word = random.word());
        mask_row(made.row_mut(row), n);
    }
    let grid = Grid { rows: n, columns: n, center: true, wrap: Wrap::None };
    let board = toggled(grid, &made);
    let mut shortest = f64::INFINITY;
    for _ in 0..runs {
        let mut hits = board.clone();
        let begun = now();
        let chase = Chase::new(grid, &Limits::none()).ok().flatten().expect("a grid");
        chase.solve(&mut hits, &Limits::none()).ok().and_then(Result::ok).expect("solvable");
        shortest = shortest.min(now() - begun);
        assert!(toggled(grid, &hits) == board, "the hits do not produce the board");
    }
    shortest
}
