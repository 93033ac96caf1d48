//! Solves complete grids over GF(2), in time linear in the size of the board.
//!
//! *Chasing*: once a row of hits is chosen, each hole determines whether the hole below it must be hit. So the first row determines
//! all others, and the moles left over after the last row are a linear function of it. That function is a polynomial in one matrix,
//! so solving the system for the first row is a division in a polynomial ring: GF(2)\[x] modulo the path polynomial f(n) for rows
//! with two ends, GF(2)\[y] modulo y^n + 1 for rows joined into rings. On a torus, the last row is also unknown, so the system
//! consists of two equations in two unknowns.
//!
//! The board is read twice and written once, row by row; only a few other rows are kept in memory.

use super::recurrence::RowRecurrence;
use crate::bits::bitmap::{Bitmap, mask_row};
use crate::bits::dot;
use crate::gf2::poly::{Poly, poly_to_row, row_to_poly};
use crate::limits::{Limit, Limits};

/// The joined sides of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    None,
    /// Left and right are joined.
    Cylinder,
    /// Left and right are joined, and so are top and bottom.
    Torus,
}

impl Wrap {
    /// The value of the option `wrap`.
    pub fn name(self) -> &'static str {
        match self {
            Wrap::None => "none",
            Wrap::Cylinder => "cylinder",
            Wrap::Torus => "torus",
        }
    }
}

/// A rectangle of holes, each of which toggles its orthogonal neighbors and, with `center`, itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    pub rows: usize,
    pub columns: usize,
    pub center: bool,
    pub wrap: Wrap,
}

/// The algebra for a grid size, prepared once and used for every board of that size.
pub struct Chase {
    /// The grid as it is chased: rows run along the shorter side if there is a choice.
    grid: Grid,
    turned: bool,
    modulus: Poly,
    factors: Vec<Factor>,
    /// The matrices that diagonalize the system of two unknown rows.
    change: Option<Change>,
}

/// An equation `d X = B`, prepared so that it can be solved for any `B`.
struct Factor {
    /// The greatest common divisor of d and the modulus.
    divisor: Poly,
    /// The modulus divided by `divisor`.
    rest: Poly,
    /// `inverse * d = divisor` modulo the modulus.
    inverse: Poly,
}

/// Invertible matrices of polynomials such that `left * system * right` is diagonal.
struct Change {
    left: [[Poly; 2]; 2],
    right: [[Poly; 2]; 2],
}

impl Chase {
    /// Returns whether this grid can be chased. Rings of fewer than three holes cannot, because both neighbors of a hole would be
    /// the same hole.
    pub fn fits(grid: &Grid) -> bool {
        let Grid { rows, columns, wrap, .. } = *grid;
        rows > 0 && columns > 0 && (wrap == Wrap::None || columns >= 3) && (wrap != Wrap::Torus || rows >= 3)
    }

    /// Prepares the algebra for a grid; `None` if the grid cannot be chased (see [`Chase::fits`]). On rings of millions of holes,
    /// this takes minutes.
    pub fn new(grid: Grid, limits: &Limits) -> Result<Option<Chase>, Limit> {
        if !Chase::fits(&grid) {
            return Ok(None);
        }
        let Grid { rows, columns, center, wrap } = grid;
        let turned = wrap != Wrap::Cylinder && columns > rows;
        let (rows, columns) = if turned { (columns, rows) } else { (rows, columns) };
        let grid = Grid { rows, columns, center, wrap };
        let modulus = match wrap {
            Wrap::None => Poly::of_path(columns),
            _ => Poly::from_exponents(&[0, columns]),
        };
        let (factors, change) = match wrap {
            Wrap::None => {
                let system = Poly::of_path(rows);
                let system = if center { system.shifted_by_one() } else { system };
                (vec![Factor::new(&system, &modulus, limits)?], None)
            }
            Wrap::Cylinder => (vec![Factor::new(&ring_power(&grid, rows, limits)?.0, &modulus, limits)?], None),
            Wrap::Torus => {
                let (mut last, before) = ring_power(&grid, rows, limits)?;
                let mut first = before.mul_within(&ring_step(&grid), limits)?;
                first.add(&last);
                let mut first = fold(first, columns);
                last.add(&Poly::one());
                first.add(&Poly::one());
                let (diagonal, change) = diagonalize([[last, before.clone()], [before, first]], columns, limits)?;
                let factors: Result<Vec<Factor>, Limit> = diagonal.iter().map(|d| Factor::new(d, &modulus, limits)).collect();
                (factors?, Some(change))
            }
        };
        Ok(Some(Chase { grid, turned, modulus, factors, change }))
    }

    /// The dimension of the space of hits that change nothing.
    pub fn nullity(&self) -> usize {
        self.factors.iter().map(Factor::nullity).sum()
    }

    /// Replaces the board with hits that clear it or, if there are none, with a proof: a set of holes with an odd number of moles
    /// such that every hit toggles an even number of its holes. If a limit is reached, the content of the board is undefined.
    pub fn solve(&self, board: &mut Bitmap, limits: &Limits) -> Result<Result<(), NoHits>, Limit> {
        self.turn(board);
        let solved = self.solve_rows(board, limits);
        self.turn(board);
        solved
    }

    /// Transposes a board between its given and its chased orientation, if they differ.
    fn turn(&self, board: &mut Bitmap) {
        if self.turned {
            *board = board.transposed();
        }
    }

    fn solve_rows(&self, board: &mut Bitmap, limits: &Limits) -> Result<Result<(), NoHits>, Limit> {
        let mut rows = no_hits(self.grid);
        for part in board.words().chunks(ROWS * board.stride()) {
            limits.check()?;
            rows.read(part);
        }
        let left_over = [rows.now().to_vec(), rows.before().to_vec()];
        if let Some(rows) = self.first_rows(&left_over, limits)? {
            return self.follow(&rows, board, limits).map(Ok);
        }
        for at in 0..self.nullity() {
            let rows = self.kernel_rows(at, limits)?;
            if rows.iter().zip(&left_over).fold(false, |odd, (row, rest)| odd ^ dot(row, rest)) {
                board.words_mut().fill(0);
                self.follow(&rows, board, limits)?;
                board.reverse_rows();
                return Ok(Err(NoHits));
            }
        }
        unreachable!("if there is no solution, at least one quiet pattern contains an odd number of the board's moles")
    }

    /// Quiet pattern number `at` of a basis; `at` must be below the nullity.
    pub fn kernel(&self, at: usize, limits: &Limits) -> Result<Bitmap, Limit> {
        let mut board = Bitmap::new(self.grid.rows, self.grid.columns).ok_or(Limit::Memory)?;
        self.follow(&self.kernel_rows(at, limits)?, &mut board, limits)?;
        self.turn(&mut board);
        Ok(board)
    }

    /// The number of bytes for the transposed board; 0 if it is not transposed.
    pub fn turned_bytes(&self) -> usize {
        if self.turned { self.grid.rows.saturating_mul(self.grid.columns.div_ceil(64)).saturating_mul(8) } else { 0 }
    }

    /// Number of columns in the chased orientation.
    pub fn columns(&self) -> usize {
        self.grid.columns
    }

    /// Visits a board row by row, in its chased orientation, together with the same rows of the given quiet patterns. Stops if
    /// `visit` returns an error.
    pub fn with_quiet(
        &self,
        board: &mut Bitmap,
        patterns: Vec<usize>,
        limits: &Limits,
        mut visit: impl FnMut(&[&[u64]], &mut [u64]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let mut quiet = Vec::with_capacity(patterns.len());
        for at in patterns {
            let [first, last] = self.kernel_rows(at, limits)?;
            let mut rows = no_hits(self.grid);
            rows.set(&first, &last);
            quiet.push(rows);
        }
        self.turn(board);
        let visited = (0..self.grid.rows).try_for_each(|row| {
            let shown: Vec<&[u64]> = quiet.iter().map(RowRecurrence::now).collect();
            visit(&shown, board.row_mut(row))?;
            quiet.iter_mut().for_each(RowRecurrence::next);
            Ok(())
        });
        self.turn(board);
        visited
    }

    /// Replaces the moles with the hits that follow from the first row (and the last one, on a torus).
    fn follow(&self, [first, last]: &[Vec<u64>; 2], board: &mut Bitmap, limits: &Limits) -> Result<(), Limit> {
        let mut rows = no_hits(self.grid);
        rows.set(first, last);
        let part = ROWS * board.stride();
        for part in board.words_mut().chunks_mut(part) {
            limits.check()?;
            rows.overwrite(part);
        }
        Ok(())
    }

    /// The first and last rows of hits, computed from the moles left over after chasing without hits in these rows.
    fn first_rows(&self, left_over: &[Vec<u64>; 2], limits: &Limits) -> Result<Option<[Vec<u64>; 2]>, Limit> {
        let [one, two] = left_over;
        let mut rest = [self.poly(one, limits)?, self.poly(two, limits)?];
        if let Some(change) = &self.change {
            rest = self.times(&change.left, &rest, limits)?;
        }
        let mut found = [Poly::zero(), Poly::zero()];
        for ((factor, rest), found) in self.factors.iter().zip(&rest).zip(&mut found) {
            let Some(solution) = factor.solve(rest, limits)? else { return Ok(None) };
            *found = solution;
        }
        Ok(Some(self.rows(found, limits)?))
    }

    /// The first and last rows of quiet pattern number `at` of a basis.
    fn kernel_rows(&self, at: usize, limits: &Limits) -> Result<[Vec<u64>; 2], Limit> {
        let mut found = [Poly::zero(), Poly::zero()];
        let mut at = at;
        for (factor, found) in self.factors.iter().zip(&mut found) {
            if at < factor.nullity() {
                found.add_shifted(&factor.rest, at);
                break;
            }
            at -= factor.nullity();
        }
        self.rows(found, limits)
    }

    fn rows(&self, mut found: [Poly; 2], limits: &Limits) -> Result<[Vec<u64>; 2], Limit> {
        if let Some(change) = &self.change {
            found = self.times(&change.right, &found, limits)?;
        }
        Ok(found.map(|poly| self.row(&poly)))
    }

    fn poly(&self, row: &[u64], limits: &Limits) -> Result<Poly, Limit> {
        match self.grid.wrap {
            Wrap::None => Ok(row_to_poly(row).div_rem(&self.modulus, limits)?.1),
            _ => Ok(Poly::from_words(row.to_vec())),
        }
    }

    fn row(&self, poly: &Poly) -> Vec<u64> {
        let words = self.grid.columns.div_ceil(64);
        match self.grid.wrap {
            Wrap::None => poly_to_row(poly, words),
            _ => poly.clone().into_words(words),
        }
    }

    fn times(&self, [first, second]: &[[Poly; 2]; 2], vector: &[Poly; 2], limits: &Limits) -> Result<[Poly; 2], Limit> {
        let columns = self.grid.columns;
        Ok([fold(sum_of_products(first, vector, limits)?, columns), fold(sum_of_products(second, vector, limits)?, columns)])
    }
}

/// The error for a board that cannot be cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoHits;

impl Factor {
    fn new(d: &Poly, modulus: &Poly, limits: &Limits) -> Result<Factor, Limit> {
        let (divisor, inverse) = d.gcd_with_inverse(modulus, limits)?;
        Ok(Factor { rest: modulus.div_rem(&divisor, limits)?.0, divisor, inverse })
    }

    fn nullity(&self) -> usize {
        self.divisor.degree().unwrap_or(0)
    }

    fn solve(&self, b: &Poly, limits: &Limits) -> Result<Option<Poly>, Limit> {
        let (quotient, remainder) = b.div_rem(&self.divisor, limits)?;
        if !remainder.is_zero() {
            return Ok(None);
        }
        Ok(Some(quotient.mul_within(&self.inverse, limits)?.div_rem(&self.rest, limits)?.1))
    }
}

/// Number of rows between two checks of the limits.
const ROWS: usize = 64;

/// The effect of a row of hits on the same row of holes, on a ring: the neighbors on both sides and, with a center, the hole
/// itself.
fn ring_step(grid: &Grid) -> Poly {
    let mut step = Poly::from_exponents(&[1, grid.columns - 1]);
    if grid.center {
        step.add(&Poly::one());
    }
    step
}

/// f(k) and f(k-1) for the row step on a ring, by doubling: f(2k) = (f(k) + f(k-1))² and f(2k+1) = step f(k)².
fn ring_power(grid: &Grid, k: usize, limits: &Limits) -> Result<(Poly, Poly), Limit> {
    let step = ring_step(grid);
    let square = |poly: &Poly| Ok::<Poly, Limit>(fold(poly.mul_within(poly, limits)?, grid.columns));
    let odd = |poly: &Poly| Ok::<Poly, Limit>(fold(square(poly)?.mul_within(&step, limits)?, grid.columns));
    let (mut now, mut before) = (Poly::one(), Poly::zero());
    for bit in (0..usize::BITS - k.leading_zeros()).rev() {
        let mut sum = now.clone();
        sum.add(&before);
        let double = square(&sum)?;
        (now, before) = if k >> bit & 1 == 1 { (odd(&now)?, double) } else { (double, odd(&before)?) };
    }
    Ok((now, before))
}

/// The remainder modulo y^n + 1: exponents wrap around at n.
fn fold(poly: Poly, n: usize) -> Poly {
    let Some(degree) = poly.degree().filter(|&degree| degree >= n) else { return poly };
    let mut sum = Poly::zero();
    let words = poly.words();
    for start in (0..=degree).step_by(n) {
        let (at, bits) = (start / 64, start % 64);
        let word = |place: usize| words.get(place).copied().unwrap_or(0);
        let shifted = (at..at + n.div_ceil(64)).map(|place| word(place) >> bits | (word(place + 1) << 1) << (63 - bits));
        let mut part: Vec<u64> = shifted.collect();
        mask_row(&mut part, n);
        sum.add(&Poly::from_words(part));
    }
    sum
}

fn sum_of_products(row: &[Poly; 2], vector: &[Poly; 2], limits: &Limits) -> Result<Poly, Limit> {
    let mut sum = row[0].mul_within(&vector[0], limits)?;
    sum.add(&row[1].mul_within(&vector[1], limits)?);
    Ok(sum)
}

fn identity() -> [[Poly; 2]; 2] {
    [[Poly::one(), Poly::zero()], [Poly::zero(), Poly::one()]]
}

/// Diagonalizes a system of two equations modulo y^n + 1 by applying Euclid's algorithm alternately to its rows and its columns.
fn diagonalize(mut system: [[Poly; 2]; 2], n: usize, limits: &Limits) -> Result<([Poly; 2], Change), Limit> {
    let mut change = Change { left: identity(), right: identity() };
    loop {
        // Row operations make the entry below the corner 0.
        let step = elimination(&system[0][0], &system[1][0], limits)?;
        system = product(&step, &system, n, limits)?;
        change.left = product(&step, &change.left, n, limits)?;
        if system[0][1].is_zero() {
            break;
        }
        // Column operations make the entry beside the corner 0. The entry below may become nonzero again, but then the corner is
        // smaller.
        let step = turned(elimination(&system[0][0], &system[0][1], limits)?);
        system = product(&system, &step, n, limits)?;
        change.right = product(&change.right, &step, n, limits)?;
        if system[1][0].is_zero() {
            break;
        }
    }
    let [[first, _], [_, second]] = system;
    Ok(([first, second], change))
}

/// A matrix of determinant 1 that maps the column (a, b) to (g, 0), where g is the greatest common divisor of a and b.
fn elimination(a: &Poly, b: &Poly, limits: &Limits) -> Result<[[Poly; 2]; 2], Limit> {
    let mut done = identity();
    if b.is_zero() {
        return Ok(done);
    }
    let (mut a, mut b) = (a.clone(), b.clone());
    if !a.is_zero() {
        let (quotient, rest) = b.div_rem(&a, limits)?;
        if rest.is_zero() {
            // The corner does not change, so the loop in `diagonalize` ends.
            done[1][0] = quotient;
            return Ok(done);
        }
    }
    while !b.is_zero() {
        let (quotient, rest) = a.div_rem(&b, limits)?;
        (a, b) = (b, rest);
        let [top, bottom] = done;
        let mut combined = top;
        for (sum, below) in combined.iter_mut().zip(&bottom) {
            sum.add(&quotient.mul_within(below, limits)?);
        }
        done = [bottom, combined];
    }
    Ok(done)
}

fn turned([[a, b], [c, d]]: [[Poly; 2]; 2]) -> [[Poly; 2]; 2] {
    [[a, c], [b, d]]
}

fn product(a: &[[Poly; 2]; 2], b: &[[Poly; 2]; 2], n: usize, limits: &Limits) -> Result<[[Poly; 2]; 2], Limit> {
    let columns = turned(b.clone());
    let mut product = identity();
    for (row, out) in a.iter().zip(&mut product) {
        for (column, out) in columns.iter().zip(out) {
            *out = fold(sum_of_products(row, column, limits)?, n);
        }
    }
    Ok(product)
}

/// The row recurrence, starting with empty rows.
fn no_hits(grid: Grid) -> RowRecurrence {
    RowRecurrence::new(grid.columns, grid.center, grid.wrap != Wrap::None)
}
