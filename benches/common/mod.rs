//! Helpers shared by several benches: timing, random boards, and the speed of memory for comparison.
#![allow(dead_code, reason = "no bench needs all of them")]

use std::hint::black_box;
use std::time::Instant;

use kibitzer::limits::Limits;
use kibitzer::notation::Notation;
use kibitzer::random::Random;

/// The result of `work`, and its time in seconds.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begun = Instant::now();
    let done = work();
    (done, begun.elapsed().as_secs_f64())
}

/// A random board, made with generator options such as `pieces=4`.
pub fn generate<R: Notation>(options: &[String], random: &mut Random) -> R {
    let generator = R::INFO.generator.expect("the game generates boards");
    let options = kibitzer_contract::options(options, generator.options);
    (generator.make)(random, &options, &Limits::none()).expect("the options are valid")
}

/// Seconds per independent random read of a cache line from a table of 2^`bits` lines.
pub fn random_read(bits: u32) -> f64 {
    let table: Vec<[u64; 8]> = vec![[1; 8]; 1 << bits];
    let mut random = Random::new(1);
    let places: Vec<u32> = (0..4 << 20).map(|_| random.below(table.len()) as u32).collect();
    timed(|| black_box(places.iter().map(|&place| table[place as usize][0]).sum::<u64>())).1 / places.len() as f64
}
