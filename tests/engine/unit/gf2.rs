//! Linear algebra over GF(2): elimination is compared with the textbook algorithm, and operations on polynomials with arithmetic on
//! one coefficient at a time.

use kibitzer::bits::{bit, ones_in};
use kibitzer::gf2::echelon::{Echelon, Reduce, reduce, refute, solve};
use kibitzer::gf2::matrix::Matrix;
use kibitzer::gf2::plain;
use kibitzer::gf2::poly::{Poly, multiply_portable, poly_to_row, row_to_poly};
use kibitzer::gf2::russians::Adder;
use kibitzer::gf2::speed::Speed;
use kibitzer::gf2::vector::Vector;
use kibitzer::limits::{Limit, Limits};
use kibitzer::random::Random;
use proptest::prelude::*;

use crate::common::{amount, stopped};

/// A dense or sparse matrix of at most the given rank. Some rows and columns may be zero.
fn matrix(rows: usize, cols: usize, rank: usize, seed: u64) -> Matrix {
    let mut random = Random::new(seed);
    let thin = 1 + random.below(40);
    let mut bits = |rows, cols| Matrix::from_fn(rows, cols, |_, _| random.below(1 + thin) == 0);
    if rank >= rows.min(cols) {
        return bits(rows, cols);
    }
    let (choices, basis) = (bits(rows, rank), bits(rank, cols));
    let sums: Vec<Vector> = (0..rows).map(|row| basis.vec_mul(&choices.row_vector(row))).collect();
    Matrix::from_fn(rows, cols, |row, col| sums[row].get(col))
}

fn random_bits(len: usize, random: &mut Random) -> Vector {
    Vector::from_fn(len, |_| random.below(2) == 1)
}

fn size() -> impl Strategy<Value = usize> {
    prop_oneof![0..20usize, prop::sample::select(&[62, 63, 64, 65, 66, 127, 128, 129, 191, 200, 520, 650][..])]
}

fn any_matrix() -> impl Strategy<Value = Matrix> {
    let rank = prop_oneof![0..10usize, 50..140usize, Just(usize::MAX)];
    (size(), size(), rank, any::<u64>()).prop_map(|(rows, cols, rank, seed)| matrix(rows, cols, rank, seed))
}

/// The reduced matrix and its pivots.
fn reduced(a: &Matrix, cols: usize, reduce: Reduce) -> (Vec<usize>, Matrix) {
    let mut a = a.clone();
    let pivots = reduce(&mut a, cols, &Limits::none()).expect("no limits");
    (pivots, a)
}

fn echelon(a: &Matrix, sides: &[&Vector]) -> Echelon {
    Echelon::new(a, sides, &Limits::none()).expect("no limits")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(amount(60, 300)))]

    /// The reduced form is unique, so both methods must agree bit for bit.
    #[test]
    fn the_reduced_form_agrees_with_the_textbook(a in any_matrix()) {
        prop_assert!(reduced(&a, a.columns(), reduce) == reduced(&a, a.columns(), plain::reduce));
    }

    /// Columns in which no pivot may be chosen are also updated, so the rows still span the same space.
    #[test]
    fn columns_without_pivots_are_also_updated(a in any_matrix(), without in 1..70usize) {
        let cols = a.columns().saturating_sub(without);
        let ((pivots, fast), (expected, slow)) = (reduced(&a, cols, reduce), reduced(&a, cols, plain::reduce));
        prop_assert_eq!(pivots, expected);
        prop_assert!((0..a.rows()).all(|row| (0..cols).all(|col| fast.get(row, col) == slow.get(row, col))));
        prop_assert!(reduced(&fast, a.columns(), plain::reduce) == reduced(&slow, a.columns(), plain::reduce));
    }

    #[test]
    fn kernel_vectors_are_a_basis_of_the_kernel(a in any_matrix()) {
        let reduced = echelon(&a, &[]);
        let kernel = reduced.kernel(&Limits::none()).expect("no limits");
        prop_assert!((0..kernel.rows()).all(|row| a.mul_vec(&kernel.row_vector(row)).is_zero()));
        prop_assert_eq!(reduced.rank() + kernel.rows(), a.columns());
        let turned = Matrix::from_fn(a.columns(), a.rows(), |row, col| a.get(col, row));
        prop_assert_eq!(reduced.rank(), echelon(&turned, &[]).rank());
        for (vector, &col) in reduced.free().iter().enumerate() {
            prop_assert!((0..kernel.rows()).all(|row| kernel.get(row, col) == (row == vector)));
        }
    }

    /// Tests a right-hand side that is solvable by construction, and a random one.
    #[test]
    fn every_system_is_solved_or_refuted(a in any_matrix(), seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let solvable = a.mul_vec(&random_bits(a.columns(), &mut random));
        let found = solve(&a, &solvable).expect("solvable by construction");
        prop_assert_eq!(a.mul_vec(&found.x), solvable.clone());
        prop_assert_eq!(found.rank + found.kernel.rows(), a.columns());

        let chance = random_bits(a.rows(), &mut random);
        let answer = solve(&a, &chance);
        match &answer {
            Ok(found) => prop_assert_eq!(a.mul_vec(&found.x), chance.clone()),
            Err(z) => prop_assert!(a.vec_mul(z).is_zero() && z.dot(&chance) && !z.dot(&solvable)),
        }
        let both = echelon(&a, &[&solvable, &chance]);
        prop_assert_eq!(both.solution(0), Some(found.x));
        prop_assert_eq!(both.solution(1), answer.ok().map(|found| found.x));
    }
}

/// Matrices wide enough for full strips and many panels, with free columns in the middle.
#[test]
fn large_matrices_agree_with_the_textbook() {
    for (rows, cols, rank) in [(700, 2500, 600), (2500, 700, 650), (1500, 1500, 1499)] {
        let a = matrix(rows, cols, rank, 5);
        assert!(reduced(&a, cols, reduce) == reduced(&a, cols, plain::reduce), "{rows} x {cols}");
    }
}

/// A cancel flag set from the start stops every function that takes limits, and a matrix that is too large is not allocated.
#[test]
fn limits_end_an_elimination() {
    let a = matrix(600, 600, 500, 1);
    let stopped = stopped();
    assert_eq!(reduce(&mut a.clone(), 600, &stopped), Err(Limit::Time));
    assert_eq!(plain::reduce(&mut a.clone(), 600, &stopped), Err(Limit::Time));
    assert_eq!(echelon(&a, &[]).kernel(&stopped), Err(Limit::Time));
    let side = Vector::zero(600);
    assert_eq!(Echelon::new(&a, &[&side], &stopped).err(), Some(Limit::Time));
    assert_eq!(refute(&a, &side, &stopped), Err(Limit::Time));
    let small = Limits { bytes: 2 * Matrix::bytes(600, 601) - 1, ..Limits::none() };
    assert_eq!(Echelon::new(&a, &[&side], &small).err(), Some(Limit::Memory));
    let enough = Limits { bytes: small.bytes + 1, ..small };
    assert_eq!(Echelon::new(&a, &[&side], &enough).map(|found| found.rank()), Ok(echelon(&a, &[]).rank()));
}

/// Compares the loop chosen for this CPU, the tables with each instruction set, and row-by-row addition.
#[test]
fn all_ways_to_add_agree() {
    let mut random = Random::new(1);
    for cols in [1, 64, 65, 700, 64 * 45 + 3] {
        for (rows, places, first, set) in [(1, 64, 0, 0), (70, 64, 3, 2), (300, 5, 0, 7), (40, 150, 39, 1), (300, 512, 1, 0)] {
            let mut bits = |rows| Matrix::from_fn(rows, cols, |_, _| random.below(2) == 1);
            let (sources, start) = (bits(places), bits(rows));
            let choices: Vec<Vector> = (first..rows).map(|_| random_bits(places, &mut random)).collect();
            let word = |number: usize| choices.iter().map(|choice| choice.words()[number]).collect();
            let chosen: Vec<Vec<u64>> = (0..places.div_ceil(64)).map(word).collect();
            let chosen: Vec<&[u64]> = chosen.iter().map(Vec::as_slice).collect();
            let lines = random.below(start.lines())..start.lines();

            let mut slow = start.clone();
            for (row, choice) in (first..).zip(&choices) {
                for place in choice.ones() {
                    let words = 8 * lines.start..sources.row(place).len();
                    words.for_each(|word| slow.row_mut(row)[word] ^= sources.row(place)[word]);
                }
            }
            let mut adder = Adder::new(start.stride());
            (0..places).for_each(|place| adder.put(64 * set + place, sources.row(place)));
            let mut fast = start.clone();
            adder.add(set, &chosen, &mut fast, first, lines.clone());
            assert!(fast == slow, "{rows} x {cols}, {places} sources");
            for speed in Speed::all() {
                let mut tables = start.clone();
                adder.add_by(speed, set, &chosen, &mut tables.words_mut()[first * start.stride()..], lines.clone());
                assert!(tables == slow, "{rows} x {cols}, {places} sources, {speed:?}");
            }
        }
    }
}

/// The product, computed one coefficient at a time.
fn product(a: &Poly, b: &Poly) -> Poly {
    let mut sum = Poly::zero();
    ones_in(a.words()).for_each(|exponent| sum.add_shifted(b, exponent));
    sum
}

fn multiplied(a: &Poly, b: &Poly) -> Poly {
    a.mul_within(b, &Limits::none()).expect("no limits")
}

fn div_rem(a: &Poly, b: &Poly) -> (Poly, Poly) {
    a.div_rem(b, &Limits::none()).expect("no limits")
}

/// Short and long polynomials with runs of zeros, so that batches end early and quotients of every size occur.
fn poly() -> impl Strategy<Value = Poly> {
    let word = prop_oneof![3 => any::<u64>(), 1 => Just(0), 1 => any::<u64>().prop_map(|word| word & word >> 7 & word << 9)];
    proptest::collection::vec(word, 0..24).prop_map(Poly::from_words)
}

proptest! {
    #[test]
    fn products_and_quotients_are_right(a in poly(), b in poly(), c in poly()) {
        let ab = product(&a, &b);
        prop_assert_eq!(&multiplied(&a, &b), &ab);
        if !a.is_zero() && !b.is_zero() {
            let mut words = vec![0; a.words().len() + b.words().len()];
            multiply_portable(a.words(), b.words(), &mut words);
            prop_assert_eq!(&Poly::from_words(words), &ab);
        }
        if !b.is_zero() {
            let (quotient, rest) = div_rem(&c, &b);
            let mut sum = product(&quotient, &b);
            sum.add(&rest);
            prop_assert_eq!(sum, c);
            prop_assert!(rest.degree() < b.degree());
        }
    }

    /// A common divisor that is a sum of multiples of both polynomials is their greatest common divisor.
    #[test]
    fn the_gcd_is_a_sum_of_multiples(a in poly(), b in poly(), common in poly()) {
        let (a, modulus) = (multiplied(&a, &common), multiplied(&b, &common));
        prop_assume!(!modulus.is_zero());
        let (g, u) = a.gcd_with_inverse(&modulus, &Limits::none()).expect("no limits");
        prop_assert!(div_rem(&a, &g).1.is_zero() && div_rem(&modulus, &g).1.is_zero());
        let mut rest = product(&a, &u);
        rest.add(&g);
        prop_assert!(div_rem(&rest, &modulus).1.is_zero());
        let bound = div_rem(&modulus, &g).0.degree().expect("not zero");
        prop_assert!(u.degree().is_none_or(|degree| degree < bound.max(1)));
    }

    /// Compares the substitution of x + 1 for x with Horner's rule.
    #[test]
    fn substituting_x_plus_one_twice_changes_nothing(a in poly()) {
        let once = a.shifted_by_one();
        prop_assert_eq!(once.shifted_by_one(), a.clone());
        let mut sum = Poly::zero();
        for exponent in (0..a.words().len() * 64).rev() {
            sum = product(&Poly::from_exponents(&[0, 1]), &sum);
            if bit(a.words(), exponent) {
                sum.add(&Poly::one());
            }
        }
        prop_assert_eq!(once, sum);
    }

    #[test]
    fn rows_are_sums_of_path_polynomials(row in proptest::collection::vec(any::<u64>(), 1..6)) {
        let poly = row_to_poly(&row);
        let mut sum = Poly::zero();
        ones_in(&row).for_each(|at| sum.add(&Poly::of_path(at)));
        prop_assert_eq!(&poly, &sum);
        prop_assert_eq!(poly_to_row(&poly, row.len()), row);
    }
}

#[test]
fn path_polynomials_follow_their_recurrence() {
    let (mut before, mut now) = (Poly::one(), Poly::monomial(1));
    for n in 1..300 {
        assert_eq!(Poly::of_path(n), now, "{n}");
        before.add_shifted(&now, 1);
        (before, now) = (now, before);
    }
}
