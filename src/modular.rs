//! Linear systems A x = b modulo any k: all solutions, or a proof that there is no solution.
//!
//! Modulo a composite number, some nonzero numbers have no inverse, so plain elimination fails. Two steps avoid this problem. By the
//! Chinese remainder theorem, the system is solved modulo each prime power q = p^e of k, and the results are combined. Modulo q, one of
//! any two numbers divides the other: the one with fewer factors p. So a pivot with the fewest factors p divides all remaining entries
//! of the matrix, and elimination succeeds with pivots d = p^0, p^0, ..., p^1, ... that never decrease.
//!
//! Each pivot row then has the form d (x + r y + ...) = b. If the sum in parentheses replaces x as an unknown, the row is solvable if
//! and only if d divides b, and leaves d choices for the sum: b/d plus multiples of q/d. These sums and the free unknowns can be chosen
//! independently, so the solutions of A x = 0 have one generator of order d for each pivot with d > 1, and one of order q for each free
//! unknown.

use crate::limits::{Limit, Limits};

/// All solutions of a system: `x` plus c\[0\] kernel\[0\] + c\[1\] kernel\[1\] + ..., where each c\[i\] ranges from 0 to its
/// generator's order - 1. Each solution occurs exactly once, so their number is the product of the orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModularSolution {
    pub x: Vec<u32>,
    pub kernel: Vec<KernelGenerator>,
}

/// One solution of A x = 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelGenerator {
    pub vector: Vec<u32>,
    /// The order of this solution: the least n > 0 for which n times the vector is zero. The order is a prime power.
    pub order: u32,
}

/// A proof that A x = b has no solution modulo k: `z` with z A = 0 and z b not 0. If there were a solution x, then 0 = z A x = z b.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModularInconsistency {
    pub z: Vec<u32>,
}

impl ModularInconsistency {
    /// True if this is a valid proof for the system; see [`solve`].
    pub fn holds(&self, k: u32, cols: usize, a: &[Vec<u32>], b: &[u32]) -> bool {
        let times = |column: &mut dyn Iterator<Item = u32>| {
            self.z.iter().zip(column).fold(0, |sum, (&z, entry)| (sum + u64::from(z) * u64::from(entry % k)) % u64::from(k))
        };
        self.z.len() == a.len()
            && b.len() == a.len()
            && (0..cols).all(|col| times(&mut a.iter().map(|row| row[col])) == 0)
            && times(&mut b.iter().copied()) != 0
    }
}

/// Solves A x = b modulo `k`, where A is given as rows of `cols` numbers each. Takes O(rows * cols * rank) steps per prime
/// factor, and checks the limits every few rows.
///
/// # Panics
/// If `k` is not between 2 and 65,536, or the sizes do not match.
pub fn solve(
    k: u32,
    cols: usize,
    a: &[Vec<u32>],
    b: &[u32],
    limits: &Limits,
) -> Result<Result<ModularSolution, ModularInconsistency>, Limit> {
    assert!((2..=1 << 16).contains(&k), "the modulus {k} is out of range");
    assert_eq!(a.len(), b.len(), "one right-hand side per row");
    assert!(a.iter().all(|row| row.len() == cols), "every row has {cols} numbers");
    let mut joined = ModularSolution { x: vec![0; cols], kernel: Vec::new() };
    for (p, q) in prime_powers(k) {
        let ring = Ring::new(p, q);
        let others = k / q;
        let Some(part) = ring.solve(cols, a, b, limits)? else {
            // The certificate z is itself the solution of a system: the transpose of (A | b) times z is (0, ..., 0, q/p). This
            // system has a solution modulo a prime power if and only if A x = b has none.
            limits.room(3 * bytes(a.len(), cols))?;
            let mut both: Vec<Vec<u32>> = Vec::with_capacity(cols + 1);
            for col in 0..cols {
                limits.check()?;
                both.push(a.iter().map(|row| row[col]).collect());
            }
            both.push(b.to_vec());
            let mut side = vec![0; cols];
            side.push(q / p);
            let z = ring.solve(a.len(), &both, &side, limits)?.expect("one of the two systems has a solution").x;
            return Ok(Err(ModularInconsistency { z: z.iter().map(|z| z * others).collect() }));
        };
        // Multiplying by `lift` turns a number modulo q into a number modulo k that is zero modulo the other prime powers.
        let lift = u64::from(others) * u64::from(ring.inverse(others % q));
        let lifted = |vector: &[u32]| -> Vec<u32> { vector.iter().map(|&x| (u64::from(x) * lift % u64::from(k)) as u32).collect() };
        joined.x.iter_mut().zip(lifted(&part.x)).for_each(|(x, part)| *x = (*x + part) % k);
        joined.kernel.extend(part.kernel.iter().map(|found| KernelGenerator { vector: lifted(&found.vector), order: found.order }));
    }
    Ok(Ok(joined))
}

/// The approximate size of a system's numbers in bytes.
fn bytes(rows: usize, cols: usize) -> usize {
    rows.saturating_mul(cols.saturating_mul(size_of::<u32>()).saturating_add(size_of::<Vec<u32>>()))
}

/// The prime factors p of `k`, each with the highest power of p that divides `k`.
fn prime_powers(mut k: u32) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let mut p = 2;
    while k > 1 {
        let mut q = 1;
        while k.is_multiple_of(p) {
            (k, q) = (k / p, q * p);
        }
        if q > 1 {
            found.push((p, q));
        }
        p += 1;
    }
    found
}

/// Numbers modulo q = p^e.
struct Ring {
    p: u32,
    q: u32,
    /// 2^32 / q, for division by multiplication.
    reciprocal: u64,
}

/// A row that contains a pivot.
struct Pivot {
    col: usize,
    /// The power of p by which the whole row was divided to make the pivot entry 1.
    d: u32,
    row: Vec<u32>,
    /// The right-hand side of the row, divided by d.
    side: u32,
}

/// Pivot rows, each zero in the columns of all earlier pivots, and the columns without a pivot.
type Echelon = (Vec<Pivot>, Vec<usize>);

impl Ring {
    fn new(p: u32, q: u32) -> Ring {
        Ring { p, q, reciprocal: (1 << 32) / u64::from(q) }
    }

    /// Reduces a number modulo q.
    fn reduce(&self, number: u32) -> u32 {
        // The quotient is exact or one too small. If it is too small, subtracting q once more does not wrap around, and yields a
        // smaller result.
        let quotient = (u64::from(number) * self.reciprocal) >> 32;
        let rest = number.wrapping_sub((quotient as u32).wrapping_mul(self.q));
        rest.min(rest.wrapping_sub(self.q))
    }

    fn product(&self, a: u32, b: u32) -> u32 {
        (u64::from(a) * u64::from(b) % u64::from(self.q)) as u32
    }

    /// The inverse of `unit`, which p must not divide.
    fn inverse(&self, unit: u32) -> u32 {
        // By Euler's theorem, any unit to the power q - q/p, the number of units, is 1.
        let (mut power, mut square, mut exponent) = (1 % self.q, unit % self.q, self.q - self.q / self.p - 1);
        while exponent > 0 {
            if exponent % 2 == 1 {
                power = self.product(power, square);
            }
            (square, exponent) = (self.product(square, square), exponent / 2);
        }
        power
    }

    /// All solutions; `None` if there is no solution.
    fn solve(&self, cols: usize, a: &[Vec<u32>], b: &[u32], limits: &Limits) -> Result<Option<ModularSolution>, Limit> {
        let Some((pivots, free)) = self.eliminate(cols, a, b, limits)? else { return Ok(None) };
        let generators = free.len() + pivots.iter().filter(|pivot| pivot.d > 1).count();
        limits.room(2 * bytes(a.len(), cols) + bytes(generators, cols))?;
        let mut kernel = Vec::new();
        for &col in &free {
            let mut vector = vec![0; cols];
            vector[col] = 1;
            self.complete(&pivots, &mut vector, |_| 0, limits)?;
            kernel.push(KernelGenerator { vector, order: self.q });
        }
        for (number, pivot) in pivots.iter().enumerate().filter(|(_, pivot)| pivot.d > 1) {
            let mut vector = vec![0; cols];
            self.complete(&pivots, &mut vector, |at| if at == number { self.q / pivot.d } else { 0 }, limits)?;
            kernel.push(KernelGenerator { vector, order: pivot.d });
        }
        let mut x = vec![0; cols];
        self.complete(&pivots, &mut x, |at| pivots[at].side, limits)?;
        Ok(Some(ModularSolution { x, kernel }))
    }

    /// Fills in the unknowns in the pivot columns, the last pivot first, so that row `i`, divided by its d, adds up to `sides(i)`.
    fn complete(&self, pivots: &[Pivot], x: &mut [u32], sides: impl Fn(usize) -> u32, limits: &Limits) -> Result<(), Limit> {
        for (number, pivot) in pivots.iter().enumerate().rev() {
            limits.check()?;
            let known = pivot.row.iter().zip(&*x).fold(0, |sum, (&r, &x)| sum + u64::from(r) * u64::from(x));
            x[pivot.col] = (sides(number) + self.q - (known % u64::from(self.q)) as u32) % self.q;
        }
        Ok(())
    }

    /// The system in echelon form; `None` if there is no solution.
    fn eliminate(&self, cols: usize, a: &[Vec<u32>], b: &[u32], limits: &Limits) -> Result<Option<Echelon>, Limit> {
        limits.room(2 * bytes(a.len(), cols))?;
        // The right-hand side is the last entry of a row.
        let mut rows: Vec<Vec<u32>> = Vec::with_capacity(a.len());
        for (row, side) in a.iter().zip(b) {
            limits.check()?;
            rows.push(row.iter().chain([side]).map(|entry| entry % self.q).collect());
        }
        let mut free: Vec<usize> = (0..cols).collect();
        let mut pivots = Vec::new();
        let mut d = 1;
        while d < self.q {
            // All remaining entries of the matrix are divisible by d.
            let mut found = None;
            for (at, row) in rows.iter().enumerate() {
                limits.check()?;
                found = free.iter().position(|&col| !row[col].is_multiple_of(d * self.p)).map(|place| (at, place));
                if found.is_some() {
                    break;
                }
            }
            let Some((at, place)) = found else {
                d *= self.p;
                continue;
            };
            let mut row = rows.swap_remove(at);
            let col = free.remove(place);
            let unit = self.inverse(row[col] / d);
            row.iter_mut().for_each(|entry| *entry = self.product(*entry, unit));
            for other in rows.iter_mut().filter(|other| other[col] != 0) {
                limits.check()?;
                let times = self.q - other[col] / d;
                other.iter_mut().zip(&row).for_each(|(entry, add)| *entry = self.reduce(*entry + times * add));
            }
            let side = row.pop().expect("the right-hand side");
            if !side.is_multiple_of(d) {
                return Ok(None);
            }
            row.iter_mut().for_each(|entry| *entry /= d);
            row[col] = 0;
            pivots.push(Pivot { col, d, row, side: side / d });
        }
        Ok(rows.iter().all(|row| row[cols] == 0).then_some((pivots, free)))
    }
}
