//! Against every member one by one, and against known answers.

use crate::limits::Limits;
use proptest::prelude::*;

use super::Lightest;
use super::code::Code;
use super::component::Component;
use super::groups::Groups;
use super::walsh::Walsh;
use crate::bits::{bit, ones, pack, xor};
use crate::gf2::speed::Speed;
use crate::random::Random;

fn bits(random: &mut Random, n: usize, one_in: usize) -> Vec<u64> {
    pack((0..n).map(|_| random.below(one_in) == 0))
}

fn cost_of(n: usize, member: &[u64], costs: &[[u32; 2]]) -> u64 {
    (0..n).map(|at| u64::from(costs[at][usize::from(bit(member, at))])).sum()
}

/// The least cost, by trying all.
fn brute(n: usize, member: &[u64], kernel: &[Vec<u64>], costs: &[[u32; 2]]) -> u64 {
    let all = 0..1u64 << kernel.len();
    let sum = |z: u64| {
        let mut sum = member.to_vec();
        ones(z).for_each(|i| xor(&mut sum, &kernel[i]));
        sum
    };
    all.map(|z| cost_of(n, &sum(z), costs)).min().expect("one")
}

/// A pattern of a code, by the words that are chosen.
pub(super) fn pattern(code: &Code, choice: u64) -> Vec<u64> {
    let mut pattern = code.start.clone();
    ones(choice).for_each(|i| xor(&mut pattern, &code.words[i]));
    pattern
}

/// The least cost of a code, by trying all.
pub(super) fn least_of(code: &Code) -> u64 {
    (0..1_u64 << code.dims()).map(|choice| code.cost(&pattern(code, choice))).min().expect("one")
}

/// Whether a vector is a sum of kernel vectors.
fn spanned(kernel: &[Vec<u64>], vector: &[u64], n: usize) -> bool {
    let rank = |mut vectors: Vec<Vec<u64>>| super::code::echelon(&mut vectors, 0..n, &Limits::none()).unwrap().len();
    let mut more = kernel.to_vec();
    more.push(vector.to_vec());
    rank(more) == rank(kernel.to_vec())
}

type Coset = (usize, Vec<u64>, Vec<Vec<u64>>, Vec<[u32; 2]>);

/// A random coset: sparse or dense, with repeated and zero columns, dependent vectors, and costs of some kind.
fn coset(seed: u64, most: usize) -> Coset {
    let mut random = Random::new(seed);
    let n = 1 + random.below(90);
    let d = random.below(most + 1);
    let one_in = 2 + random.below(4);
    let member = bits(&mut random, n, 2);
    let mut kernel: Vec<Vec<u64>> = (0..d).map(|_| bits(&mut random, n, one_in)).collect();
    if d > 2 && random.below(3) == 0 {
        kernel[d - 1] = kernel[0].iter().zip(&kernel[1]).map(|(a, b)| a ^ b).collect();
    }
    if random.below(3) == 0 {
        // The second half of the columns like the first.
        for vector in &mut kernel {
            *vector = pack((0..n).map(|at| bit(vector, at % n.div_ceil(2))));
        }
    }
    let most = [1, 3, 300, 100_000][random.below(4)];
    let unit = 1 + random.below(3) as u32;
    let cost = |random: &mut Random| unit * random.below(most + 1) as u32;
    let costs = (0..n).map(|_| if most == 1 { [0, unit] } else { [cost(&mut random), cost(&mut random)] }).collect();
    (n, member, kernel, costs)
}

fn check(n: usize, member: &[u64], kernel: &[Vec<u64>], costs: &[[u32; 2]], search: &Lightest) {
    let found = search.member();
    assert_eq!(cost_of(n, &found, costs), search.cost());
    let sum: Vec<u64> = found.iter().zip(member).map(|(a, b)| a ^ b).collect();
    assert!(spanned(kernel, &sum, n));
    assert!(search.lower() <= search.cost());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::testing::amount(60, 300)))]

    #[test]
    fn as_light_as_the_lightest_of_all(seed: u64) {
        let (n, member, kernel, costs) = coset(seed, 13);
        let least = brute(n, &member, &kernel, &costs);
        let mut whole = Lightest::with_costs(n, &member, &kernel, &|at| costs[at], &Limits::none()).unwrap();
        prop_assert!(whole.lower() <= least);
        prop_assert!(whole.step(u64::MAX) && whole.done());
        check(n, &member, &kernel, &costs, &whole);
        prop_assert_eq!((whole.cost(), whole.lower(), whole.progress()), (least, least, 1.0));

        let mut stepped = Lightest::with_costs(n, &member, &kernel, &|at| costs[at], &Limits::none()).unwrap();
        while !stepped.step(1) {
            check(n, &member, &kernel, &costs, &stepped);
            prop_assert!(stepped.lower() <= least);
        }
        prop_assert_eq!(stepped.member(), whole.member());
    }

    #[test]
    fn every_way_of_computing_finds_the_same(seed: u64) {
        let mut random = Random::new(seed);
        let (columns, dims) = (1 + random.below(120), 1 + random.below(15));
        let most = [1, 7, 1000, 100_000][random.below(4)];
        let weights: Vec<u32> = (0..columns).map(|_| 1 + random.below(most) as u32).collect();
        let words = (0..dims).map(|_| bits(&mut random, columns, 3)).collect();
        let code = Code::new(weights, bits(&mut random, columns, 2), words, &Limits::none()).unwrap();
        let (start, least) = (code.cost(&code.start), least_of(&code));
        // The known cost decides how the bits are used; nothing cheaper than the least may be found.
        for known in [start, (start + least) / 2, least + 1, least] {
            for speed in Speed::all() {
                let mut walk = Walsh::new(&code, &code.words, known, 1).with_speed(speed);
                walk.run(u64::MAX);
                let found = walk.take().map(|choice| code.cost(&pattern(&code, choice)));
                prop_assert_eq!(found, (least < known).then_some(least), "{:?}", speed);
            }
        }
    }
}

#[test]
fn groups_add_up_to_no_more_than_the_least() {
    let mut random = Random::new(2);
    let mut tight = 0;
    for case in 0..60 {
        let (columns, d) = (40 + random.below(100), 12);
        let weights: Vec<u32> = (0..columns).map(|_| 1 + random.below(2) as u32).collect();
        let words = (0..d).map(|_| bits(&mut random, columns, 2 + case % 3)).collect();
        let code = Code::new(weights, bits(&mut random, columns, 2), words, &Limits::none()).unwrap();
        let least = |code: Code| {
            let mut search = Component::new(code, false);
            while !search.done() {
                search.step(u64::MAX, &Limits::none()).unwrap();
            }
            search.cost()
        };
        let mut groups = Groups::new(&code, 3 + case % 8, &Limits::none()).unwrap();
        let (mut sum, mut seen) = (0, vec![false; columns]);
        while let Some(group) = groups.next(&code, &Limits::none()).unwrap() {
            assert!(group.iter().all(|&at| !std::mem::replace(&mut seen[at], true)), "no column twice");
            sum += least(code.restrict(&group, &Limits::none()).unwrap());
        }
        let least = least(code);
        assert!(sum <= least, "{sum} > {least}");
        tight += usize::from(2 * sum > least);
    }
    assert!(tight > 10, "the bound is worth something: {tight}");
}

#[test]
fn out_of_reach_gives_bounds() {
    // Far too many dimensions to walk: the bounds must hold around a member that is known to be light.
    let mut random = Random::new(5);
    for (n, d) in [(150, 50), (300, 150), (400, 70)] {
        let light = bits(&mut random, n, 20);
        let kernel: Vec<Vec<u64>> = (0..d).map(|_| bits(&mut random, n, 3)).collect();
        let mut member = light.clone();
        for vector in kernel.iter().filter(|_| random.below(2) == 0) {
            xor(&mut member, vector);
        }
        let mut search = Lightest::new(n, &member, &kernel);
        let costs = vec![[0, 1]; n];
        for _ in 0..100 {
            search.step(100);
            check(n, &member, &kernel, &costs, &search);
            assert!(search.lower() <= cost_of(n, &light, &costs));
        }
        assert!(!search.done() && search.progress() == 0.0);
    }
}

/// Stopped while it is made, and in the middle of a step: the member found so far stands, and the search can be resumed.
#[test]
fn limits_end_a_search() {
    use crate::limits::Limit;
    let stopped = Limits::none();
    stopped.cancel.stop(Limit::Time);
    let kernel = [vec![0b1110], vec![0b0111]];
    assert!(matches!(Lightest::with_costs(4, &[0b1111], &kernel, &|_| [0, 1], &stopped), Err(Limit::Time)));
    let mut search = Lightest::new(4, &[0b1111], &kernel);
    assert_eq!(search.step_within(u64::MAX, &stopped), Err(Limit::Time));
    assert!(!search.done() && search.lower() <= 1 && search.cost() <= 4);
    assert_eq!((search.step_within(u64::MAX, &Limits::none()), search.cost()), (Ok(true), 1));
}
