//! Compares the search for the lightest member of a coset with an enumeration of all members. Tests the whole search, and its parts
//! with blocks and lists so small that every case occurs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kibitzer::bits::{bit, ones, pack, xor};
use kibitzer::gf2::lightest::Lightest;
use kibitzer::gf2::lightest::code::{Code, echelon};
use kibitzer::gf2::lightest::component::Component;
use kibitzer::gf2::lightest::groups::Groups;
use kibitzer::gf2::lightest::split::table::{CostTable, INDEX};
use kibitzer::gf2::lightest::split::{Rounds, Setup, Split};
use kibitzer::gf2::lightest::walsh::Walsh;
use kibitzer::gf2::speed::Speed;
use kibitzer::limits::{Limit, Limits, Threads};
use kibitzer::random::Random;
use proptest::prelude::*;

use crate::common::{amount, stopped};

fn bits(random: &mut Random, n: usize, one_in: usize) -> Vec<u64> {
    pack((0..n).map(|_| random.below(one_in) == 0))
}

/// The start plus the words selected by the bits of `choice`.
fn sum(start: &[u64], words: &[Vec<u64>], choice: u64) -> Vec<u64> {
    let mut sum = start.to_vec();
    ones(choice).for_each(|i| xor(&mut sum, &words[i]));
    sum
}

/// The least cost of a code, by enumeration.
fn least_of(code: &Code) -> u64 {
    (0..1_u64 << code.dims()).map(|choice| code.cost(&sum(&code.start, &code.words, choice))).min().expect("nonempty")
}

fn code(weights: Vec<u32>, start: Vec<u64>, words: Vec<Vec<u64>>) -> Code {
    Code::new(weights, start, words, &Limits::none()).expect("no limits")
}

/// A coset, and the costs of a 0 and of a 1 at each coordinate.
struct Coset {
    n: usize,
    member: Vec<u64>,
    kernel: Vec<Vec<u64>>,
    costs: Vec<[u32; 2]>,
}

impl Coset {
    /// A sparse or dense coset with repeated and zero columns, dependent vectors, and one of several cost distributions.
    fn random(seed: u64, most: usize) -> Coset {
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
            // Makes the second half of the columns repeat the first half.
            for vector in &mut kernel {
                *vector = pack((0..n).map(|at| bit(vector, at % n.div_ceil(2))));
            }
        }
        let most = [1, 3, 300, 100_000][random.below(4)];
        let unit = 1 + random.below(3) as u32;
        let cost = |random: &mut Random| unit * random.below(most + 1) as u32;
        let costs = (0..n).map(|_| if most == 1 { [0, unit] } else { [cost(&mut random), cost(&mut random)] }).collect();
        Coset { n, member, kernel, costs }
    }

    fn cost(&self, member: &[u64]) -> u64 {
        self.costs.iter().enumerate().map(|(at, costs)| u64::from(costs[usize::from(bit(member, at))])).sum()
    }

    fn search(&self) -> Lightest {
        Lightest::with_costs(self.n, &self.member, &self.kernel, &|at| self.costs[at], &Limits::none()).expect("no limits")
    }

    /// Checks that the best member found is in the coset, that its cost is as reported, and that this cost is not below the lower
    /// bound.
    fn check(&self, search: &Lightest) {
        let found = search.member();
        assert_eq!(self.cost(&found), search.cost());
        let rank = |mut vectors: Vec<Vec<u64>>| echelon(&mut vectors, 0..self.n, &Limits::none()).expect("no limits").len();
        let mut more = self.kernel.clone();
        more.push(found.iter().zip(&self.member).map(|(a, b)| a ^ b).collect());
        assert_eq!(rank(more), rank(self.kernel.clone()));
        assert!(search.lower() <= search.cost());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(amount(60, 300)))]

    #[test]
    fn the_search_finds_the_lightest_member(seed: u64) {
        let coset = Coset::random(seed, 13);
        let all = 0..1_u64 << coset.kernel.len();
        let least = all.map(|choice| coset.cost(&sum(&coset.member, &coset.kernel, choice))).min().expect("nonempty");
        let mut whole = coset.search();
        prop_assert!(whole.lower() <= least);
        prop_assert!(whole.step(u64::MAX) && whole.done());
        coset.check(&whole);
        prop_assert_eq!((whole.cost(), whole.lower(), whole.progress()), (least, least, 1.0));

        let mut stepped = coset.search();
        while !stepped.step(1) {
            coset.check(&stepped);
            prop_assert!(stepped.lower() <= least);
        }
        prop_assert_eq!(stepped.member(), whole.member());
    }

    #[test]
    fn all_instruction_sets_find_the_least_cost(seed: u64) {
        let mut random = Random::new(seed);
        let (columns, dims) = (1 + random.below(120), 1 + random.below(15));
        let most = [1, 7, 1000, 100_000][random.below(4)];
        let weights: Vec<u32> = (0..columns).map(|_| 1 + random.below(most) as u32).collect();
        let words = (0..dims).map(|_| bits(&mut random, columns, 3)).collect();
        let code = code(weights, bits(&mut random, columns, 2), words);
        let (start, least) = (code.cost(&code.start), least_of(&code));
        // The known cost determines how the walk divides the bits; nothing cheaper than the least cost may be found.
        for known in [start, (start + least) / 2, least + 1, least] {
            for speed in Speed::all() {
                let mut walk = Walsh::new(&code, &code.words, known, 1).with_speed(speed);
                walk.run(u64::MAX);
                let found = walk.take().map(|choice| code.cost(&sum(&code.start, &code.words, choice)));
                prop_assert_eq!(found, (least < known).then_some(least), "{:?}", speed);
            }
        }
    }
}

/// The example in the documentation of `walsh`.
#[test]
fn the_worked_example() {
    let pattern = |bits: &str| vec![bits.chars().rev().fold(0, |sum, c| sum << 1 | u64::from(c == '1'))];
    let words: Vec<Vec<u64>> = ["110010", "011001", "000111"].map(pattern).to_vec();
    let code = code(vec![1, 1, 1, 2, 1, 1], pattern("110110"), words.clone());
    let costs: Vec<u64> = (0..8).map(|choice| code.cost(&sum(&code.start, &words, choice))).collect();
    assert_eq!(costs, [5, 2, 6, 5, 3, 2, 2, 3]);
    for (known, first) in [(5, Some(1)), (2, None)] {
        let mut walk = Walsh::new(&code, &words, known, 1);
        walk.run(u64::MAX);
        assert_eq!(walk.take(), first, "the first member of least cost, if below {known}");
    }
}

#[test]
fn the_least_costs_of_groups_add_up_to_a_lower_bound() {
    let mut random = Random::new(2);
    let mut tight = 0;
    for case in 0..60 {
        let columns = 40 + random.below(100);
        let weights: Vec<u32> = (0..columns).map(|_| 1 + random.below(2) as u32).collect();
        let words = (0..12).map(|_| bits(&mut random, columns, 2 + case % 3)).collect();
        let code = code(weights, bits(&mut random, columns, 2), words);
        let mut groups = Groups::new(&code, 3 + case % 8, &Limits::none()).unwrap();
        let (mut sum, mut seen) = (0, vec![false; columns]);
        while let Some(group) = groups.next(&code, &Limits::none()).unwrap() {
            assert!(group.iter().all(|&at| !std::mem::replace(&mut seen[at], true)), "a column occurs twice");
            sum += least_of(&code.restrict(&group, &Limits::none()).unwrap());
        }
        let least = least_of(&code);
        assert!(sum <= least, "{sum} > {least}");
        tight += usize::from(2 * sum > least);
    }
    assert!(tight > 10, "only {tight} bounds exceed half the least cost");
}

/// If there are too many dimensions to enumerate, lower bounds must not exceed the cost of a member known to be light.
#[test]
fn unfinished_searches_give_valid_bounds() {
    let mut random = Random::new(5);
    for (n, d) in [(150, 50), (300, 150), (400, 70)] {
        let light = bits(&mut random, n, 20);
        let kernel: Vec<Vec<u64>> = (0..d).map(|_| bits(&mut random, n, 3)).collect();
        let mut member = light.clone();
        for vector in kernel.iter().filter(|_| random.below(2) == 0) {
            xor(&mut member, vector);
        }
        let coset = Coset { n, member, kernel, costs: vec![[0, 1]; n] };
        let mut search = Lightest::new(n, &coset.member, &coset.kernel);
        for _ in 0..amount(10, 30) {
            search.step(100);
            coset.check(&search);
            assert!(search.lower() <= coset.cost(&light));
        }
        assert!(!search.done() && search.progress() == 0.0);
    }
}

/// A search can be stopped while it is constructed or within a step. It keeps the best member so far and can be resumed.
#[test]
fn limits_end_a_search() {
    let stopped = stopped();
    let kernel = [vec![0b1110], vec![0b0111]];
    assert!(matches!(Lightest::with_costs(4, &[0b1111], &kernel, &|_| [0, 1], &stopped), Err(Limit::Time)));
    let mut search = Lightest::new(4, &[0b1111], &kernel);
    assert_eq!(search.step_within(u64::MAX, &stopped), Err(Limit::Time));
    assert!(!search.done() && search.lower() <= 1 && search.cost() <= 4);
    assert_eq!((search.step_within(u64::MAX, &Limits::none()), search.cost()), (Ok(true), 1));
}

/// Limits with threads, as the program provides them.
fn threads(threads: usize) -> Limits {
    let run = move |job: &(dyn Fn() + Sync)| {
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(job))));
    };
    Limits { threads: Some(Threads { count: threads, run: Arc::new(run) }), ..Limits::none() }
}

/// A random coset whose classes have the given ranks: the words are random, but each class depends on only a few sums of the choice
/// bits.
fn classes(random: &mut Random, dims: usize, ranks: [usize; 4], weights: u32) -> (Code, Vec<usize>) {
    let mut class = Vec::new();
    let mut columns: Vec<u64> = Vec::new();
    for (this, &rank) in ranks.iter().enumerate() {
        let basis: Vec<u64> = (0..rank).map(|_| random.word() & ((1 << dims) - 1)).collect();
        for _ in 0..3 * rank + random.below(12) {
            columns.push(basis.iter().fold(0, |sum, vector| if random.below(2) == 0 { sum ^ vector } else { sum }));
            class.push(this);
        }
    }
    let words = (0..dims).map(|i| pack(columns.iter().map(|column| column >> i & 1 == 1))).collect();
    let start = pack(columns.iter().map(|_| random.below(2) == 0));
    let weights = columns.iter().map(|_| 1 + random.below(weights as usize) as u32).collect();
    (code(weights, start, words), class)
}

/// A setup with small blocks and lists, and with one of the available instruction sets at random.
fn small(random: &mut Random) -> Setup {
    let all = Speed::all();
    let low = 1 + random.below(8) as u32;
    Setup { low, kept: 1 + random.below(40), pairs: random.below(50) as f64, speed: all[random.below(all.len())] }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(amount(80, 400)))]

    /// Tests pairs of classes that leave some bits open, and pairs that must agree in some bits.
    #[test]
    fn a_split_finds_the_lightest_member(seed: u64) {
        let mut random = Random::new(seed);
        let dims = 8 + random.below(6);
        let ranks = std::array::from_fn(|_| (dims / 2 + random.below(4)).saturating_sub(1 + random.below(2)));
        let weights = [1, 1, 4, 90][random.below(4)];
        let (code, class) = classes(&mut random, dims, ranks, weights);
        let least = least_of(&code);
        let setup = small(&mut random);
        let limits = threads(1 + random.below(3));
        let report = |_, lower| assert!(lower <= least);
        let Some(mut split) = Split::new(&code, &class, setup, &limits).unwrap() else { return Ok(()) };
        // Runs once with a known cost above the least cost, and once with the least cost itself, which cannot be improved.
        let above = 1 + random.below(30) as u64;
        let found = split.run(least + above, &limits, &report).unwrap().expect("a lighter member");
        prop_assert_eq!((code.cost(&found), split.lower), (least, least));
        let alone = Split::new(&code, &class, Setup::default(), &Limits::none()).unwrap().expect("the same classes")
            .run(least + above, &Limits::none(), &report).unwrap();
        prop_assert_eq!(alone.map(|found| code.cost(&found)), Some(least));
        prop_assert_eq!(split.run(least, &limits, &report).unwrap(), None);
        prop_assert_eq!(split.lower, least);
        let mut component = Component::new(code, true);
        component.split(&class, setup, &limits, &report).unwrap();
        prop_assert!(component.done());
        prop_assert_eq!(component.cost(), least);
    }

    /// Compares the blocks of a table and its list of least-cost entries with sums over the columns.
    #[test]
    fn tables_and_their_best_entries(seed: u64) {
        let mut random = Random::new(seed);
        let rank = 1 + random.below(11) as u32;
        let weight = |random: &mut Random| (1 + random.below(5) as i32) * if random.below(2) == 0 { -1 } else { 1 };
        let columns: Vec<(u64, i32)> = (0..5 + random.below(60)).map(|_| (random.word() & ((1 << rank) - 1), weight(&mut random))).collect();
        let setup = small(&mut random);
        let table = CostTable::new(columns.iter().copied(), rank, setup.low, setup.speed);
        let sum = |u: u64| columns.iter().map(|&(bits, weight)| if (bits & u).count_ones() % 2 == 1 { -weight } else { weight }).sum::<i32>();
        let mut block = table.block();
        for high in 0..table.blocks() {
            for (at, &found) in table.sums(high, &mut block).iter().enumerate() {
                prop_assert_eq!(i32::from(found), sum(high << table.low | at as u64));
            }
        }
        let all: Vec<i32> = (0..1 << rank).map(sum).collect();
        let peak = all.iter().copied().max().unwrap();
        let excess: Vec<u64> = all.iter().map(|sum| (peak - sum) as u64 / 2).collect();
        let tail = table.tail(setup.kept, &threads(1 + random.below(3)), &|_| ()).unwrap();
        prop_assert_eq!(tail.peak, peak);
        prop_assert!(tail.entries.len() <= setup.kept && tail.entries.is_sorted());
        // The list contains as many complete levels as fit.
        let up_to = |level: u64| excess.iter().filter(|&&excess| excess <= level).count();
        let whole = tail.whole.map(u64::from);
        prop_assert_eq!(tail.entries.len(), whole.map_or(0, up_to));
        if tail.entries.len() < all.len() {
            prop_assert!(up_to(whole.map_or(0, |whole| whole + 1)) > setup.kept);
        }
        for entry in &tail.entries {
            prop_assert_eq!(entry >> INDEX, excess[(entry & ((1 << INDEX) - 1)) as usize]);
        }
    }
}

/// All pairs within the thresholds are tried, and no others. The pairs are counted with a bound so low that no member ends the round early.
#[test]
fn no_pair_is_left_out() {
    let mut random = Random::new(3);
    let mut tried = 0;
    for _ in 0..60 {
        let dims = 10 + random.below(3);
        let (code, class) = classes(&mut random, dims, [dims / 2; 4], 1);
        let setup = Setup { kept: 1 << 12, ..small(&mut random) };
        let limits = threads(2);
        let Some(mut split) = Split::new(&code, &class, setup, &limits).unwrap() else { continue };
        let tails = split.tails(setup.kept, None, &limits, &|_, _| ()).unwrap();
        let base: u64 = tails.iter().zip(&split.tables).map(|(tail, table)| table.cost(tail.peak)).sum();
        let Some(bound) = (least_of(&code) - base).checked_sub(1) else { continue };
        let plan = Rounds::new(&split.frame, &tails, 40);
        for (number, side) in split.frame.sides.iter().enumerate().filter(|(_, side)| side.overlap == 0) {
            for most in 0..=bound as u32 {
                let pairs = AtomicU64::new(0);
                let mut thresholds = [None; 2];
                thresholds[number] = Some(most);
                let count = |work, _| {
                    pairs.fetch_add(work, Ordering::Relaxed);
                };
                assert_eq!(split.round(bound as u32, thresholds, &tails, &limits, &count), Ok(None));
                let excesses = side.pair.map(|class| tails[class].entries.iter().map(|entry| entry >> INDEX).collect::<Vec<u64>>());
                let sums = excesses[0].iter().flat_map(|a| excesses[1].iter().map(move |b| a + b));
                let wanted = (sums.filter(|&sum| sum <= u64::from(most)).count() as u64) << side.spare;
                assert_eq!(pairs.into_inner(), wanted);
                if let Some(&estimate) = plan.pairs[number].get(most as usize) {
                    assert_eq!(estimate as u64, wanted);
                }
                tried += wanted;
            }
        }
    }
    assert!(tried > 5_000, "{tried}");
}

/// A split that was stopped has a valid bound. Memory limits are respected.
#[test]
fn a_stopped_split_has_a_valid_bound() {
    let mut random = Random::new(5);
    let (code, class) = classes(&mut random, 14, [7; 4], 1);
    let least = least_of(&code);
    let setup = Setup { low: 4, kept: 8, pairs: 1.0, speed: Speed::Plain };
    let mut bounds = Vec::new();
    for most in (0..400).step_by(amount(7, 1)) {
        let limits = threads(2);
        let left = AtomicU64::new(most);
        let mut split = Split::new(&code, &class, setup, &limits).unwrap().expect("splits");
        let report = |_, _| {
            if left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err() {
                limits.cancel.stop(Limit::Time);
            }
        };
        if split.run(least + 20, &limits, &report).is_err() {
            bounds.push(split.lower);
        }
    }
    assert!(bounds.iter().all(|&lower| lower <= least) && bounds.iter().any(|&lower| lower > 0), "{bounds:?}");
    let tight = Limits { bytes: 1000, ..Limits::none() };
    let mut split = Split::new(&code, &class, setup, &tight).unwrap().expect("splits");
    assert_eq!(split.run(least + 20, &tight, &|_, _| ()), Err(Limit::Memory));
}

#[test]
fn classes_of_full_rank_do_not_split() {
    let mut random = Random::new(7);
    let (code, class) = classes(&mut random, 12, [12; 4], 1);
    assert!(Split::new(&code, &class, Setup::default(), &Limits::none()).unwrap().is_none());
}
