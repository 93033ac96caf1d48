//! Work to measure, the same natively and in the browser. `benches/worker.rs` compares the two.

use std::sync::Arc;

use kibitzer::games::moles::chase::{Chase, Grid, Wrap, toggle};
use kibitzer::games::pegs::Pegs;
use kibitzer::limits::Limits;
use kibitzer::notation::bitmap::{Bitmap, mask_row};
use kibitzer::notation::{Options, parse};
use kibitzer::random::Random;
use kibitzer::rules::Rules;
use kibitzer::search::explore::explore;
use kibitzer::space::ProblemSpace;

use crate::host::now;

/// Milliseconds to walk through all positions of the English peg board. Their number is checked.
#[unsafe(no_mangle)]
pub extern "C" fn peg_space() -> f64 {
    let board = Arc::new(parse::<Pegs>(include_str!("../../instances/pegs/english.txt"), &Options::default()).expect("a sound board"));
    let space = ProblemSpace::new(Arc::clone(&board), board.start(), true);
    let begun = now();
    let total = explore(&space, &Limits::none()).total();
    let taken = now() - begun;
    assert_eq!((total.states, total.unfolded), (23_475_688, 187_636_299));
    taken
}

/// Milliseconds to solve a random board of n x n holes, from board to hits: the shortest of some runs. The hits are checked.
#[unsafe(no_mangle)]
pub extern "C" fn moles(n: usize, runs: usize) -> f64 {
    let mut random = Random::new(n as u64);
    let mut board = Bitmap::new(n, n).expect("it fits");
    for row in 0..n {
        board.row_mut(row).iter_mut().for_each(|word| *word = random.word());
        mask_row(board.row_mut(row), n);
    }
    let grid = Grid { rows: n, columns: n, center: true, wrap: Wrap::None };
    toggle(grid, &mut board, &Limits::none()).expect("there are no limits");
    let mut shortest = f64::INFINITY;
    for _ in 0..runs {
        let mut hits = board.clone();
        let begun = now();
        Chase::new(grid).expect("a grid").solve(&mut hits).expect("solvable");
        shortest = shortest.min(now() - begun);
        toggle(grid, &mut hits, &Limits::none()).expect("there are no limits");
        assert!(hits.words() == board.words(), "the hits do not give the board");
    }
    shortest
}
