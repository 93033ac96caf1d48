//! Linear systems modulo k. Small systems are checked by trying every vector, large systems by multiplication.

use std::collections::BTreeSet;

use kibitzer::limits::{Limit, Limits};
use kibitzer::modular::solve;
use kibitzer::random::Random;
use proptest::prelude::*;

fn times(k: u32, a: &[Vec<u32>], x: &[u32]) -> Vec<u32> {
    let entry = |row: &Vec<u32>| row.iter().zip(x).fold(0, |sum, (&r, &x)| (sum + u64::from(r) * u64::from(x)) % u64::from(k));
    a.iter().map(|row| entry(row) as u32).collect()
}

/// All vectors of `len` numbers below `k`.
fn vectors(k: u32, len: usize) -> impl Iterator<Item = Vec<u32>> {
    (0..k.pow(len as u32)).map(move |number| (0..len).map(|at| number / k.pow(at as u32) % k).collect())
}

/// Compares the solutions with those found by trying every vector. Each solution must be listed once.
fn check(k: u32, cols: usize, a: &[Vec<u32>], b: &[u32]) {
    let side: Vec<u32> = b.iter().map(|b| b % k).collect();
    let expected: BTreeSet<Vec<u32>> = vectors(k, cols).filter(|x| times(k, a, x) == side).collect();
    match solve(k, cols, a, b, &Limits::none()).expect("no limit") {
        Ok(solution) => {
            let mut all = vec![solution.x];
            for generator in &solution.kernel {
                let step = |x: &Vec<u32>, count: u32| -> Vec<u32> {
                    x.iter().zip(&generator.vector).map(|(x, step)| (x + count * step) % k).collect()
                };
                all = (0..generator.order).flat_map(|count| all.iter().map(|x| step(x, count)).collect::<Vec<_>>()).collect();
            }
            assert_eq!(all.len(), expected.len(), "{a:?} x = {b:?} modulo {k}");
            assert_eq!(BTreeSet::from_iter(all), expected, "{a:?} x = {b:?} modulo {k}");
        }
        Err(certificate) => {
            assert!(expected.is_empty(), "{a:?} x = {b:?} modulo {k} has solutions");
            assert!(certificate.holds(k, cols, a, b), "{a:?} x = {b:?} modulo {k}: {certificate:?}");
            assert!(certificate.z.iter().all(|&z| z < k));
        }
    }
}

#[test]
fn all_small_systems() {
    for k in 2..=12 {
        check(k, 0, &[], &[]);
        check(k, 2, &[], &[]);
        check(k, 0, &[vec![], vec![]], &[0, k - 1]);
        for row in vectors(k, 3) {
            check(k, 2, &[row[..2].to_vec()], &row[2..]);
            check(k, 1, &[vec![row[0]], vec![row[1]]], &[row[2], 1]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::common::amount(400, 2000)))]

    /// Entries often share factors with the modulus, and some exceed it.
    #[test]
    fn random_systems((k, cols, rows) in (2..=12u32, 1..=3usize, 1..=4usize), seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let scale = 1 + random.below(k as usize) as u32;
        let mut entry = || random.below(2 * k as usize) as u32 * scale;
        let a: Vec<Vec<u32>> = (0..rows).map(|_| (0..cols).map(|_| entry()).collect()).collect();
        let b: Vec<u32> = (0..rows).map(|_| entry()).collect();
        check(k, cols, &a, &b);
    }
}

/// Systems too large for brute force are checked by multiplication, for moduli up to the maximum.
#[test]
fn solutions_of_large_systems_satisfy_them() {
    let mut random = Random::new(1);
    for k in [2, 3, 4, 7, 12, 36, 64, 60, 243, 4_099, 32_771, 65_521, 65_536, 65_520] {
        for (rows, cols, rank) in [(60, 60, 60), (50, 70, 30), (70, 50, 50)] {
            let mut entries = |rows: usize, cols: usize| -> Vec<Vec<u32>> {
                (0..rows).map(|_| (0..cols).map(|_| random.below(k as usize) as u32).collect()).collect()
            };
            let (left, right, x, chance) = (entries(rows, rank), entries(cols, rank), entries(1, cols), entries(1, rows));
            let columns: Vec<Vec<u32>> = right.iter().map(|col| times(k, &left, col)).collect();
            let a: Vec<Vec<u32>> = (0..rows).map(|row| columns.iter().map(|col| col[row]).collect()).collect();
            let b = times(k, &a, &x[0]);
            let within = |b: &[u32]| solve(k, cols, &a, b, &Limits::none()).expect("no limit");
            let solution = within(&b).expect("solvable by construction");
            assert_eq!(times(k, &a, &solution.x), b, "modulo {k}");
            for generator in &solution.kernel {
                assert!(times(k, &a, &generator.vector).iter().all(|&entry| entry == 0), "modulo {k}");
                let multiple =
                    |count: u32| generator.vector.iter().all(|&x| (u64::from(x) * u64::from(count)).is_multiple_of(u64::from(k)));
                assert!((1..=generator.order.min(300)).all(|count| multiple(count) == (count == generator.order)), "modulo {k}");
                assert!(multiple(generator.order));
            }
            match within(&chance[0]) {
                Ok(solution) => assert_eq!(times(k, &a, &solution.x), chance[0]),
                Err(certificate) => assert!(certificate.holds(k, cols, &a, &chance[0]), "modulo {k}"),
            }
        }
    }
}

#[test]
fn limits_end_an_elimination() {
    let a = vec![vec![1, 2], vec![2, 4]];
    assert_eq!(solve(6, 2, &a, &[0, 0], &crate::common::stopped()), Err(Limit::Time));
    // Two copies of two rows, each a vector of two numbers, take 128 bytes.
    let small = Limits { bytes: 127, ..Limits::none() };
    assert_eq!(solve(6, 2, &a, &[0, 0], &small), Err(Limit::Memory));
}
