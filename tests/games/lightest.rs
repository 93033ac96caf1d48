//! The lightest solutions of Lights Out: two methods compared, and published values for large boards.

use kibitzer::bits::bitmap::Bitmap;
use kibitzer::games::moles::chase::{Chase, Grid, Wrap};
use kibitzer::gf2::lightest::Lightest;
use kibitzer::limits::Limits;
use kibitzer::random::Random;

/// The hits that solve a board, and the quiet patterns of its grid. The hits are random or, without a seed, clear a board full of moles.
fn coset(grid: Grid, seed: Option<u64>) -> Option<(Vec<u64>, Vec<Vec<u64>>)> {
    let mut board = Bitmap::new(grid.rows, grid.columns).expect("fits");
    let mut random = Random::new(seed.unwrap_or(0));
    for at in 0..grid.rows * grid.columns {
        if seed.is_none() || random.below(2) == 0 {
            board.flip(at / grid.columns, at % grid.columns);
        }
    }
    let chase = Chase::new(grid, &Limits::none()).ok()??;
    if seed.is_none() {
        chase.solve(&mut board, &Limits::none()).ok()?.ok()?;
    }
    let flat = |board: &Bitmap| {
        let mut words = vec![0; (grid.rows * grid.columns).div_ceil(64)];
        board.ones().for_each(|at| words[at / 64] |= 1 << (at % 64));
        words
    };
    Some((flat(&board), (0..chase.nullity()).map(|at| flat(&chase.kernel(at, &Limits::none()).unwrap())).collect()))
}

/// Splitting by the parity of rows and columns finds the same cost as the walk through all solutions. Tested on squares with
/// sides from 5 to 39, rectangles, joined sides, patterns without a center, full boards and random boards.
#[test]
fn split_and_walk_agree() {
    let plain = |rows, columns| Grid { rows, columns, center: true, wrap: Wrap::None };
    let mut grids: Vec<Grid> = (5..=39).map(|n| plain(n, n)).collect();
    grids
        .extend([(9, 19), (11, 23), (14, 29), (17, 33), (23, 47), (9, 29), (16, 33), (23, 35)].map(|(rows, columns)| plain(rows, columns)));
    for wrap in [Wrap::Cylinder, Wrap::Torus] {
        for center in [true, false] {
            grids.extend((4..20).flat_map(|rows| [rows, rows + 2, 12].map(|columns| Grid { rows, columns, center, wrap })));
        }
    }
    grids.extend([9, 15, 19, 21].map(|n| Grid { center: false, ..plain(n, n) }));
    let mut split_alone = 0;
    for grid in grids {
        for seed in [None, Some(1), Some(2)] {
            let Some((member, kernel)) = coset(grid, seed) else { continue };
            // The walk visits all 2^nullity solutions.
            if !(8..=crate::common::amount(16, 20)).contains(&kernel.len()) {
                continue;
            }
            let cells = grid.rows * grid.columns;
            let mut walk = Lightest::new(cells, &member, &kernel);
            assert!(walk.step(u64::MAX));
            let mut split = Lightest::new(cells, &member, &kernel);
            split.split(&|at| at / grid.columns % 2 * 2 + at % grid.columns % 2, &Limits::none()).expect("no limits");
            split_alone += usize::from(split.done());
            assert!(split.lower() <= walk.cost(), "{grid:?}");
            assert!(split.step(u64::MAX));
            assert_eq!(split.cost(), walk.cost(), "{grid:?}");
            let weight = split.member().iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            assert_eq!(weight, split.cost(), "{grid:?}");
        }
    }
    // Splitting succeeds on all grids with open sides and a center, and on some others.
    assert!(split_alone > crate::common::amount(10, 20), "{split_alone}");
}

/// Boards on which the walk takes minutes or never ends, solved quickly by splitting into four classes.
#[test]
fn fewest_hits_by_splitting() {
    for (n, presses) in [(39, 561), (47, 971), (61, 1629), (65, 1867)].into_iter().take(crate::common::amount(2, 4)) {
        let (member, kernel) = coset(Grid { rows: n, columns: n, center: true, wrap: Wrap::None }, None).expect("solvable");
        let mut search = Lightest::new(n * n, &member, &kernel);
        search.split(&|at| at / n % 2 * 2 + at % n % 2, &Limits::none()).expect("no limits");
        assert!(search.done());
        assert_eq!(search.cost(), presses, "{n}");
    }
}
