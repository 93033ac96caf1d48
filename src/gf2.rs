//! Linear algebra over GF(2), the field of two elements: addition is `xor`, multiplication is `and`. Nothing here depends on a
//! game.
//!
//! * [`vector`] is a vector, 64 entries per word.
//! * [`matrix`] is a dense matrix, packed the same way: products with vectors, transpose.
//! * [`echelon`] is Gaussian elimination: rank, kernel, solutions, or a proof that there is no solution.
//! * [`lightest`] finds the lightest of all solutions, or a good solution and a lower bound.
//! * [`plain`] is textbook elimination, short and slow, for teaching and for testing the fast version.
//! * [`poly`] has polynomials: products, division, greatest common divisors.
//! * `russians` is the inner loop, which adds many rows at once by looking up sums in tables. `tiles` does the same as `russians` with
//!   CPU instructions that multiply small bit matrices. `speed` compiles loops for several instruction sets.
//!
//! Light switches: each of three lamps in a row has a switch that toggles the lamp and its neighbors. All three lamps are lit.
//! Which switches turn them off?
//!
//! ```
//! use kibitzer::gf2::vector::Vector;
//! use kibitzer::gf2::echelon::solve;
//! use kibitzer::gf2::matrix::Matrix;
//!
//! let a = Matrix::from_fn(3, 3, |lamp, switch| lamp.abs_diff(switch) <= 1);
//! let lit = Vector::from_fn(3, |_| true);
//! let found = solve(&a, &lit).expect("solvable");
//! assert_eq!(found.x.ones().collect::<Vec<_>>(), [1]);
//! assert_eq!(found.kernel.rows(), 0, "there is no other solution");
//! ```

pub mod echelon;
pub mod lightest;
pub mod matrix;
pub mod plain;
pub mod poly;
#[doc(hidden)] // public for the tests
pub mod russians;
#[doc(hidden)] // public for the tests
pub mod speed;
#[cfg(target_arch = "x86_64")]
mod tiles;
pub mod vector;
