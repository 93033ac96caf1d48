//! Gaussian elimination: rank, kernel, solutions for any number of right-hand sides, or a proof that there is no solution.
//!
//! Columns are processed in panels of 64, which are one word of each row. Pivots are found from these words alone; a second word
//! per pivot records which rows were added to form it. Only then are all rows changed, in one pass of `russians`. After each panel,
//! only its own line of 8 words is updated. The rest of each row is updated once per line, with 8 panels at once, because
//! fetching a large matrix from memory costs more than adding to it.
//!
//! The downward pass changes only the rows below each pivot, with n^3/3 bit operations for n pivots. The upward pass computes only
//! the columns without a pivot (few in most systems), because all other columns become unit vectors. The reduced form therefore costs
//! little more than the rank.
//!
//! A large system takes minutes, so limits are checked every few milliseconds.

use std::ops::Range;

use super::matrix::Matrix;
use super::russians::Adder;
use super::vector::Vector;
use crate::bits::ones;
use crate::limits::{Limit, Limits};
use crate::sort;

/// Number of rows times lines to process between two checks of the limits. With eight sets of sources, this takes about ten
/// milliseconds.
const PIECE: usize = 1 << 18;

/// The pivots in one word of columns.
struct Panel {
    word: usize,
    /// The pivot columns, as bits of the word.
    mask: u64,
    /// The pivot rows, in the order of their columns.
    rows: Range<usize>,
}

/// A pivot of the panel that is being processed.
struct Pivot {
    /// The pivot column, as a bit of the word.
    col: u32,
    /// The panel's word of the pivot row. Among the panel's pivot columns, only this pivot's column is set.
    word: u64,
    /// The rows that add up to the pivot row. Bit `i` stands for the `i`-th pivot row found.
    sum: u64,
}

/// Brings a matrix into reduced row echelon form, taking pivots from the first `cols` columns only, and returns the pivot
/// columns: the pivot of row `i` is in the `i`-th of these columns, and is the only 1 there. Rows without a pivot come last and
/// are zero in the first `cols` columns. If elimination is stopped, the rows still span the same space, but have no particular form.
///
/// # Panics
/// If the matrix has fewer than `cols` columns.
pub fn reduce(a: &mut Matrix, cols: usize, limits: &Limits) -> Result<Vec<usize>, Limit> {
    assert!(cols <= a.columns(), "{cols} pivot columns in a matrix of {} columns", a.columns());
    let mut adder = Adder::new(a.stride());
    let panels = down(a, cols, &mut adder, limits)?;
    up(a, &panels, &mut adder, limits)?;
    Ok(panels.iter().flat_map(|panel| ones(panel.mask).map(|col| 64 * panel.word + col)).collect())
}

/// Clears everything below the pivots, one line of 8 panels after another.
fn down(a: &mut Matrix, cols: usize, adder: &mut Adder, limits: &Limits) -> Result<Vec<Panel>, Limit> {
    let mut panels: Vec<Panel> = Vec::new();
    let mut top = 0;
    for line in 0..cols.div_ceil(512) {
        let (base, before) = (top, panels.len());
        // For each panel of the line and each row from `base` on, the combination of pivot rows to add to the row.
        let mut chosen: Vec<Vec<u64>> = Vec::new();
        for word in 8 * line..cols.div_ceil(64).min(8 * line + 8) {
            limits.check()?;
            let mask = u64::MAX >> (64 - (cols - 64 * word).min(64));
            let mut column = vec![0; top - base];
            column.extend((top..a.rows()).map(|row| a.row(row)[word] & mask));
            let pivots = search(&mut column[top - base..], |one, other| {
                a.swap_rows(top + one, top + other);
                chosen.iter_mut().for_each(|column| column.swap(top - base + one, top - base + other));
            });
            if pivots.is_empty() {
                continue;
            }
            choose(&mut column[top - base..], &pivots);
            let mask = pivots.iter().fold(0, |mask, pivot| mask | 1 << pivot.col);
            panels.push(Panel { word, mask, rows: top..top + pivots.len() });
            (0..pivots.len()).for_each(|at| adder.put(at, a.row(top + at)));
            adder.add(0, &[&column[top - base..]], a, top, line..line + 1);
            chosen.push(column);
            top += pivots.len();
        }
        // So far, only this line has been updated. The other lines follow. Pivot rows come first, panel by panel, because the rows
        // below need each panel's pivot rows as modified by the previous panels. Then all rows below are updated, with all panels in
        // one pass.
        for (set, panel) in panels[before..].iter().enumerate() {
            panel.rows.clone().enumerate().for_each(|(at, row)| adder.put(64 * set + at, a.row(row)));
            let column = &chosen[set][panel.rows.start - base..top - base];
            adder.add(set, &[column], a, panel.rows.start, line + 1..a.lines());
        }
        let below: Vec<&[u64]> = chosen.iter().map(|column| &column[top - base..]).collect();
        add_in_pieces(adder, &below, a, top, line + 1..a.lines(), limits)?;
    }
    Ok(panels)
}

/// Like [`Adder::add`] with `set` 0, but checks the limits every few lines.
fn add_in_pieces(
    adder: &mut Adder,
    chosen: &[&[u64]],
    target: &mut Matrix,
    first: usize,
    lines: Range<usize>,
    limits: &Limits,
) -> Result<(), Limit> {
    let rows = chosen.first().map_or(0, |chosen| chosen.len());
    // The number of lines per piece, rounded up to whole strips of four lines.
    let step = (PIECE / rows.max(1)).next_multiple_of(4).max(4);
    for start in lines.clone().step_by(step) {
        limits.check()?;
        adder.add(0, chosen, target, first, start..lines.end.min(start + step));
    }
    Ok(())
}

/// Computes which of the original pivot rows to add to each row. `column` contains one word per row, the pivot rows first; each word
/// is replaced by the bit mask of the rows to add. In the panel's pivot columns, these additions leave a single 1 in each pivot row
/// and only zeros in the other rows.
fn choose(column: &mut [u64], pivots: &[Pivot]) {
    let mut sums = [0; 64];
    pivots.iter().for_each(|pivot| sums[pivot.col as usize] = pivot.sum);
    let sums = LinearMap::new(|bit| sums[bit]);
    let (pivot_rows, others) = column.split_at_mut(pivots.len());
    pivot_rows.iter_mut().zip(pivots).enumerate().for_each(|(at, (bits, pivot))| *bits = pivot.sum ^ 1 << at);
    others.iter_mut().for_each(|bits| *bits = sums.of(*bits));
}

/// Finds the pivots (at most 64) in one word of columns, and moves their rows to the front with `swap`. Returns the pivots in the
/// order of their columns.
fn search(column: &mut [u64], mut swap: impl FnMut(usize, usize)) -> Vec<Pivot> {
    let mut pivots: Vec<Pivot> = Vec::with_capacity(64);
    for row in 0..column.len() {
        let (mut word, mut sum) = (column[row], 0);
        for pivot in &pivots {
            // All ones if the row has a 1 in the pivot's column. A mask avoids an unpredictable branch.
            let has = 0u64.wrapping_sub(word >> pivot.col & 1);
            word ^= pivot.word & has;
            sum ^= pivot.sum & has;
        }
        if word == 0 {
            continue;
        }
        let found = pivots.len();
        column.swap(found, row);
        swap(found, row);
        let new = Pivot { col: word.trailing_zeros(), word, sum: sum ^ 1 << found };
        for pivot in &mut pivots {
            let has = 0u64.wrapping_sub(pivot.word >> new.col & 1);
            pivot.word ^= new.word & has;
            pivot.sum ^= new.sum & has;
        }
        pivots.push(new);
        if found + 1 == 64 {
            break;
        }
    }
    sort::by_key(&mut pivots, |pivot| pivot.col);
    pivots
}

/// Clears everything above the pivots, from the last line of panels to the first.
fn up(a: &mut Matrix, panels: &[Panel], adder: &mut Adder, limits: &Limits) -> Result<(), Limit> {
    // The number of full panels in each line. If all eight are full, all columns of the line become unit vectors.
    let mut full = vec![0; a.lines()];
    panels.iter().filter(|panel| panel.mask == u64::MAX).for_each(|panel| full[panel.word / 8] += 1);
    for panels in panels.chunk_by(|one, next| one.word / 8 == next.word / 8).rev() {
        limits.check()?;
        let base = panels[0].rows.start;
        let open: Vec<usize> = (panels[0].word / 8..a.lines()).filter(|&line| full[line] < 8).collect();
        let open: Vec<Range<usize>> = open.chunk_by(|one, next| one + 1 == *next).map(|run| run[0]..run[0] + run.len()).collect();
        // The panels are independent: by the time a panel is processed, its rows are zero in all pivot columns but their own.
        let column = |panel: &Panel| (0..panel.rows.start).map(|row| a.row(row)[panel.word] & panel.mask).collect();
        let chosen: Vec<Vec<u64>> = panels.iter().map(column).collect();
        // As in the downward pass, the pivot rows of this line are changed first, then all other rows in one pass.
        for (set, panel) in panels.iter().enumerate().rev() {
            for (row, col) in panel.rows.clone().zip(ones(panel.mask)) {
                adder.put(64 * set + col, a.row(row));
            }
            open.iter().for_each(|lines| adder.add(set, &[&chosen[set][base..]], a, base, lines.clone()));
        }
        let above: Vec<&[u64]> = chosen.iter().map(|column| &column[..base]).collect();
        for lines in open {
            add_in_pieces(adder, &above, a, 0, lines, limits)?;
        }
        for panel in panels {
            (0..panel.rows.start).for_each(|row| a.row_mut(row)[panel.word] &= !panel.mask);
        }
    }
    Ok(())
}

/// A linear map from words to words, stored as tables of the images of bytes.
pub struct LinearMap(Vec<[u64; 256]>);

impl LinearMap {
    /// The map that maps bit `i` to `image(i)`.
    pub fn new(image: impl Fn(usize) -> u64) -> LinearMap {
        let mut tables = vec![[0; 256]; 8];
        for (byte, table) in tables.iter_mut().enumerate() {
            for value in 1..256_usize {
                table[value] = table[value & (value - 1)] ^ image(8 * byte + value.trailing_zeros() as usize);
            }
        }
        LinearMap(tables)
    }

    #[inline]
    pub fn of(&self, word: u64) -> u64 {
        self.0.iter().zip(word.to_le_bytes()).fold(0, |sum, (table, byte)| sum ^ table[usize::from(byte)])
    }
}

/// An elimination function: see [`reduce`].
pub type Reduce = fn(&mut Matrix, usize, &Limits) -> Result<Vec<usize>, Limit>;

/// A system A x = b in reduced form, for any number of right-hand sides b at once.
pub struct Echelon {
    /// A in reduced form, with the right-hand sides transformed in the same way.
    reduced: Matrix,
    /// The number of columns of A.
    cols: usize,
    pivots: Vec<usize>,
}

impl Echelon {
    /// Reduces `a` together with any number of right-hand sides.
    ///
    /// # Panics
    /// If a right-hand side does not have one entry per row of `a`.
    pub fn new(a: &Matrix, sides: &[&Vector], limits: &Limits) -> Result<Echelon, Limit> {
        Echelon::by(a, sides, reduce, limits)
    }

    /// Like [`Echelon::new`], but uses another elimination function, such as [`plain::reduce`](super::plain::reduce).
    pub fn by(a: &Matrix, sides: &[&Vector], reduce: Reduce, limits: &Limits) -> Result<Echelon, Limit> {
        let cols = a.columns();
        limits.room(2 * Matrix::bytes(a.rows(), cols + sides.len()))?;
        let mut reduced = Matrix::zero(a.rows(), cols + sides.len());
        for row in 0..a.rows() {
            limits.check()?;
            reduced.row_mut(row)[..a.row(row).len()].copy_from_slice(a.row(row));
        }
        for (side, bits) in sides.iter().enumerate() {
            assert_eq!(bits.len(), a.rows(), "lengths differ");
            bits.ones().for_each(|row| reduced.flip(row, cols + side));
        }
        let pivots = reduce(&mut reduced, cols, limits)?;
        Ok(Echelon { reduced, cols, pivots })
    }

    pub fn rank(&self) -> usize {
        self.pivots.len()
    }

    /// Columns without a pivot, one for each basis vector of the kernel.
    pub fn free(&self) -> Vec<usize> {
        let mut pivots = self.pivots.iter().peekable();
        (0..self.cols).filter(|col| pivots.next_if_eq(&col).is_none()).collect()
    }

    /// A basis of the space of all x with A x = 0, as rows. The `i`-th row has a one in the `i`-th free column and zeros in the other free
    /// columns, so every sum of basis vectors is determined by its free columns.
    pub fn kernel(&self, limits: &Limits) -> Result<Matrix, Limit> {
        let free = self.free();
        limits.room(Matrix::bytes(free.len(), self.cols))?;
        let mut kernel = Matrix::zero(free.len(), self.cols);
        for (vector, &col) in free.iter().enumerate() {
            limits.check()?;
            kernel.flip(vector, col);
            for (row, &pivot) in self.pivots.iter().enumerate() {
                if self.reduced.get(row, col) {
                    kernel.flip(vector, pivot);
                }
            }
        }
        Ok(kernel)
    }

    /// The solution for right-hand side number `side` that is zero in all free columns; `None` if there is no solution.
    pub fn solution(&self, side: usize) -> Option<Vector> {
        let col = self.cols + side;
        if (self.rank()..self.reduced.rows()).any(|row| self.reduced.get(row, col)) {
            return None;
        }
        let mut x = Vector::zero(self.cols);
        let ones = self.pivots.iter().enumerate().filter(|&(row, _)| self.reduced.get(row, col));
        ones.for_each(|(_, &pivot)| x.flip(pivot));
        Some(x)
    }
}

/// All solutions of A x = b: `x` plus any sum of rows of `kernel`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearSolution {
    /// The solution that is zero in all free columns.
    pub x: Vector,
    pub rank: usize,
    /// See [`Echelon::kernel`].
    pub kernel: Matrix,
}

/// Solves A x = b, or returns the proof from [`refute`] that there is no solution. Takes O(n^3) bit operations. A refutation requires a
/// second elimination.
///
/// # Panics
/// If `b` does not have one entry per row of `a`.
pub fn solve(a: &Matrix, b: &Vector) -> Result<LinearSolution, Vector> {
    const NO_LIMITS: &str = "there are no limits";
    let limits = Limits::none();
    let echelon = Echelon::new(a, &[b], &limits).expect(NO_LIMITS);
    match echelon.solution(0) {
        Some(x) => Ok(LinearSolution { x, rank: echelon.rank(), kernel: echelon.kernel(&limits).expect(NO_LIMITS) }),
        None => Err(refute(a, b, &limits).expect(NO_LIMITS)),
    }
}

/// A proof that A x = b has no solution: `z` with z A = 0 and z b = 1. If there were a solution x, then 0 = z A x = z b = 1. The proof
/// is found as the solution of another system: the transpose of (A | b) times z is (0, ..., 0, 1). By Fredholm's alternative, that
/// system has a solution if and only if A x = b has none.
///
/// # Panics
/// If A x = b has a solution.
pub fn refute(a: &Matrix, b: &Vector, limits: &Limits) -> Result<Vector, Limit> {
    let cols = a.columns();
    limits.room(3 * Matrix::bytes(cols + 1, a.rows()))?;
    let mut both = Matrix::zero(cols + 1, a.rows());
    for top in (0..a.rows()).step_by(64) {
        limits.check()?;
        a.turn_strip(top, &mut both);
    }
    both.row_mut(cols).copy_from_slice(b.words());
    let last = Vector::from_fn(cols + 1, |row| row == cols);
    let echelon = Echelon::new(&both, &[&last], limits)?;
    Ok(echelon.solution(0).expect("one of the two systems has a solution"))
}
