//! Linear algebra over GF(2), the field of two elements: to add is `xor`, to multiply is `and`. It stands on its own:
//! nothing here knows a game.
//!
//! * [`bits`] is a vector, 64 entries to a word.
//! * [`matrix`] is a dense matrix in the same words: products, transpose.
//! * [`echelon`] is the one elimination that everything comes from: rank, kernel, solutions, proofs that there are none.
//! * [`lightest`] is the lightest of all solutions, or the best found and a bound.
//! * [`plain`] is the elimination of the textbooks, short and slow: to teach, and to test the other one.
//! * [`poly`] has polynomials: products, division, greatest common divisors.
//! * `russians`, not public, is the one loop that costs time: adding many rows at once by looking sums up in tables; `tiles`
//!   is the same for processors that multiply small matrices of bits themselves.
//!
//! Light switches: each of three lamps in a row has a switch that toggles it and its neighbors. Which to press?
//!
//! ```
//! use kibitzer::gf2::bits::Bits;
//! use kibitzer::gf2::echelon::solve;
//! use kibitzer::gf2::matrix::Matrix;
//!
//! let a = Matrix::from_fn(3, 3, |lamp, switch| lamp.abs_diff(switch) <= 1);
//! let lit = Bits::from_fn(3, |_| true);
//! let found = solve(&a, &lit).expect("solvable");
//! assert_eq!(found.x.ones().collect::<Vec<_>>(), [1]);
//! assert_eq!(found.kernel.rows(), 0, "and no other way");
//! ```

pub mod bits;
pub mod echelon;
pub mod lightest;
pub mod matrix;
pub mod plain;
pub mod poly;
mod russians;
#[cfg(target_arch = "x86_64")]
mod tiles;
