//! The classic instance of the lightest-member problem: Lights Out on a square board, all lamps on.

use kibitzer::gf2::echelon::solve;
use kibitzer::gf2::matrix::Matrix;
use kibitzer::gf2::vector::Vector;

/// One solution of the n x n board and a basis of the kernel, as packed words. Takes O(n^6 / 64) steps.
pub fn lights_out(n: usize) -> (Vec<u64>, Vec<Vec<u64>>) {
    let mut a = Matrix::identity(n * n);
    for cell in 0..n * n {
        let (row, column) = (cell / n, cell % n);
        for (near, inside) in [(cell + 1, column + 1 < n), (cell + n, row + 1 < n)] {
            if inside {
                a.flip(cell, near);
                a.flip(near, cell);
            }
        }
    }
    let found = solve(&a, &Vector::from_fn(n * n, |_| true)).expect("all ones can be solved on every graph (Sutner)");
    let kernel = (0..found.kernel.rows()).map(|row| found.kernel.row(row).to_vec()).collect();
    (found.x.words().to_vec(), kernel)
}
