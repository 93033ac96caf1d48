//! Against every member one by one, with blocks and lists so small that everything happens; and the pieces on their own.

use std::sync::Arc;

use proptest::prelude::*;

use super::super::component::Component;
use super::super::tests::least_of;
use super::table::{CostTable, INDEX};
use super::*;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::bits::pack;
use crate::limits::Crew;
use crate::random::Random;

/// Threads as the program lends them.
fn threads(threads: usize) -> Limits {
    let run = move |job: &(dyn Fn() + Sync)| {
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(job))));
    };
    Limits { crew: Some(Crew { threads, run: Arc::new(run) }), ..Limits::none() }
}

/// A random coset whose classes have the given ranks: words are random, but a class sees only some sums of the choice.
fn coset(random: &mut Random, dims: usize, ranks: [usize; 4], weights: u32) -> (Code, Vec<usize>) {
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
    (Code::new(weights, start, words, &Limits::none()).expect("no limits"), class)
}

/// Small blocks and lists; the speeds are all tried.
fn small(random: &mut Random) -> Setup {
    let all = Speed::all();
    let low = 1 + random.below(8) as u32;
    Setup { low, kept: 1 + random.below(40), pairs: random.below(50) as f64, speed: all[random.below(all.len())] }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::testing::amount(80, 400)))]

    /// Ranks that fit and ranks that do not: bits that a pair leaves open, and bits in which it must agree.
    #[test]
    fn as_light_as_the_lightest_of_all(seed: u64) {
        let mut random = Random::new(seed);
        let dims = 8 + random.below(6);
        let ranks = std::array::from_fn(|_| (dims / 2 + random.below(4)).saturating_sub(1 + random.below(2)));
        let weights = [1, 1, 4, 90][random.below(4)];
        let (code, class) = coset(&mut random, dims, ranks, weights);
        let least = least_of(&code);
        let setup = small(&mut random);
        let limits = threads(1 + random.below(3));
        let report = |_, lower| assert!(lower <= least);
        let Some(mut split) = Split::new(&code, &class, setup, &limits).unwrap() else { return Ok(()) };
        // From a member of any cost, and from one that cannot be beaten.
        let above = 1 + random.below(30) as u64;
        let found = split.run(least + above, &limits, &report).unwrap().expect("there is one");
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

    /// The blocks of a table and its list of least cost, against one column at a time.
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
        // The most whole levels that there is room for.
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

/// Every pair within the thresholds is tried, and no other: counted where no member is light enough to end it early.
#[test]
fn no_pair_is_left_out() {
    let mut random = Random::new(3);
    let mut tried = 0;
    for _ in 0..60 {
        let dims = 10 + random.below(3);
        let (code, class) = coset(&mut random, dims, [dims / 2; 4], 1);
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
                let wanted =
                    excesses[0].iter().flat_map(|a| excesses[1].iter().map(move |b| a + b)).filter(|&sum| sum <= u64::from(most)).count();
                let wanted = (wanted as u64) << side.spare;
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

/// A stop leaves a bound that holds, and so does a memory limit.
#[test]
fn limits_leave_a_bound() {
    let mut random = Random::new(5);
    let (code, class) = coset(&mut random, 14, [7; 4], 1);
    let least = least_of(&code);
    let setup = Setup { low: 4, kept: 8, pairs: 1.0, speed: Speed::Plain };
    let mut bounds = Vec::new();
    for most in 0..400 {
        let limits = threads(2);
        let left = AtomicU64::new(most);
        let mut split = Split::new(&code, &class, setup, &limits).unwrap().expect("it splits");
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
    let mut split = Split::new(&code, &class, setup, &tight).unwrap().expect("it splits");
    assert_eq!(split.run(least + 20, &tight, &|_, _| ()), Err(Limit::Memory));
}

#[test]
fn classes_that_see_everything_are_of_no_help() {
    let mut random = Random::new(7);
    let (code, class) = coset(&mut random, 12, [12; 4], 1);
    assert!(Split::new(&code, &class, Setup::default(), &Limits::none()).unwrap().is_none());
}
