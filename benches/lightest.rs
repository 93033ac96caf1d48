//! The lightest member of a coset: members decided per second, against Gray code with popcount in the same run.
//! `cargo bench --bench lightest`; `-- long` adds a board that takes minutes, `-- far` shows the bounds on large boards over time.
//!
//! The baseline steps through the members by Gray code and counts bits, vectorized for the same CPU. The limit is one vector
//! addition per butterfly level and member, at the clock rate measured by a chain of dependent additions: a plain transform of d
//! levels cannot be faster.

#[path = "common/lights_out.rs"]
mod lights_out;

use std::hint::black_box;
use std::time::Instant;

use kibitzer::bits::pack;
use kibitzer::gf2::lightest::Lightest;
use kibitzer::random::Random;
use lights_out::lights_out;

fn main() {
    // `cargo test` runs benches, too, with `--test`: nothing to measure then.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let asked = |part: &str| std::env::args().any(|arg| arg == part);
    let clock = clock();
    println!("clock {:.2} GHz", clock / 1e9);
    if asked("far") {
        return [61, 79, 95].into_iter().for_each(far);
    }
    let boards = [(30, Some(376)), (62, None), (64, None), (47, Some(971)), (39, Some(561))];
    for (n, known) in boards {
        let (member, kernel) = lights_out(n);
        compare(&format!("board {n} x {n}"), n * n, &member, &kernel, known, clock);
    }
    for (n, d) in [(64, 28), (256, 28), (1000, 28)] {
        let mut random = Random::new(n as u64);
        let mut bits = || pack((0..n).map(|_| random.below(2) == 0));
        let member = bits();
        let kernel: Vec<Vec<u64>> = (0..d).map(|_| bits()).collect();
        compare(&format!("random {n} bits"), n, &member, &kernel, None, clock);
    }
    if asked("long") {
        let (member, kernel) = lights_out(61);
        compare("board 61 x 61", 3721, &member, &kernel, None, clock);
    }
}

fn compare(name: &str, n: usize, member: &[u64], kernel: &[Vec<u64>], known: Option<u64>, clock: f64) {
    let repeat = if kernel.len() < 30 { 5 } else { 1 };
    let mut ours = f64::INFINITY;
    let mut cost = 0;
    for _ in 0..repeat {
        let begun = Instant::now();
        let mut search = Lightest::new(n, member, kernel);
        while !search.step(1 << 16) {}
        ours = ours.min(begun.elapsed().as_secs_f64());
        assert_eq!(search.cost(), search.lower());
        cost = search.cost();
    }
    assert!(known.is_none_or(|known| known == cost), "{name}: {cost}");
    let members = (kernel.len() as f64).exp2();
    let steps = 1u64 << kernel.len().min(22);
    let gray = (0..3).map(|_| gray(member, kernel, steps)).fold(f64::INFINITY, f64::min) / steps as f64 * members;
    // Bytes in registers of 64, two additions of those in a cycle.
    let limit = members * kernel.len() as f64 / (128.0 * clock);
    println!(
        "{name:16} d = {:2}: least {cost:4}, {:9.3} ms, {:6.2} G members/s; Gray code and popcount {:5.3} G/s, {:4.0} times slower; \
         all {} levels at the limit {:9.3} ms",
        kernel.len(),
        ours * 1e3,
        members / ours / 1e9,
        members / gray / 1e9,
        gray / ours,
        kernel.len(),
        limit * 1e3
    );
}

/// The bounds over time on a board for which the exact walk takes long or is infeasible.
fn far(n: usize) {
    let (member, kernel) = lights_out(n);
    let mut search = Lightest::new(n * n, &member, &kernel);
    let begun = Instant::now();
    let mut next = 1.0;
    while next < 100.0 && !search.step(1 << 12) {
        if begun.elapsed().as_secs_f64() >= next {
            let walked = 100.0 * search.progress();
            let (lower, cost) = (search.lower(), search.cost());
            println!("board {n} x {n}, d = {}: after {next:3} s between {lower} and {cost}, {walked:.1} % walked", kernel.len());
            next *= 2.0;
        }
    }
}

/// Seconds for `steps` steps of Gray code and popcount.
fn gray(member: &[u64], kernel: &[Vec<u64>], steps: u64) -> f64 {
    let pad = |bits: &[u64]| -> Vec<[u64; 8]> {
        bits.chunks(8).map(|chunk| std::array::from_fn(|at| chunk.get(at).copied().unwrap_or(0))).collect()
    };
    let (mut member, kernel): (Vec<[u64; 8]>, Vec<Vec<[u64; 8]>>) = (pad(member), kernel.iter().map(|vector| pad(vector)).collect());
    let begun = Instant::now();
    #[cfg(target_arch = "x86_64")]
    let least = if is_x86_feature_detected!("avx512vpopcntdq") {
        // SAFETY: the CPU has it.
        unsafe { gray_avx512(&mut member, &kernel, steps) }
    } else if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
        // SAFETY: the CPU has it.
        unsafe { gray_avx2(&mut member, &kernel, steps) }
    } else {
        gray_plain(&mut member, &kernel, steps)
    };
    #[cfg(not(target_arch = "x86_64"))]
    let least = gray_plain(&mut member, &kernel, steps);
    black_box(least);
    begun.elapsed().as_secs_f64()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn gray_avx512(member: &mut [[u64; 8]], kernel: &[Vec<[u64; 8]>], steps: u64) -> u64 {
    gray_plain(member, kernel, steps)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn gray_avx2(member: &mut [[u64; 8]], kernel: &[Vec<[u64; 8]>], steps: u64) -> u64 {
    gray_plain(member, kernel, steps)
}

#[inline(always)]
fn gray_plain(member: &mut [[u64; 8]], kernel: &[Vec<[u64; 8]>], steps: u64) -> u64 {
    let mut least = u64::MAX;
    for step in 1..=steps {
        let vector = &kernel[(step.trailing_zeros() as usize).min(kernel.len() - 1)];
        let mut count = [0; 8];
        for (a, b) in member.iter_mut().zip(vector) {
            for at in 0..8 {
                a[at] ^= b[at];
                count[at] += u64::from(a[at].count_ones());
            }
        }
        least = least.min(count.iter().sum());
    }
    least
}

/// Cycles per second, measured by dependent operations.
fn clock() -> f64 {
    let measure = || {
        let begun = Instant::now();
        let mut sum = black_box(1u64);
        for _ in 0..1u64 << 22 {
            // Each rotation and each addition takes a cycle and depends on the one before; no compiler can shorten this.
            sum = sum.rotate_left(7).wrapping_add(0x9e37);
            sum = sum.rotate_left(9).wrapping_add(0x79b9);
        }
        black_box(sum);
        begun.elapsed().as_secs_f64()
    };
    (4u64 << 22) as f64 / (0..5).map(|_| measure()).fold(f64::INFINITY, f64::min)
}
