//! English peg solitaire, 23,475,688 positions up to symmetry, on one worker and on two, against the walk of one process: ratios
//! taken in one run.

use std::sync::Arc;
use std::time::Instant;

use kibitzer::limits::Limits;
use kibitzer::notation::Options;
use kibitzer::search::explore::explore;
use kibitzer_cluster::net::Setup;
use kibitzer_cluster::walk::walk;

fn main() {
    let entry = kibitzer::games::find("pegs").expect("a game");
    let text = include_str!("../../instances/pegs/english.txt");
    let puzzle = entry.parse(text, &Options::default()).expect("right");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{cores} cores");
    let timed = |name: &str, work: &dyn Fn() -> u64| {
        let begun = Instant::now();
        let states = work();
        let seconds = begun.elapsed().as_secs_f64();
        assert_eq!(states, 23_475_688, "{name}");
        println!("{name:<24} {seconds:7.2} s");
        seconds
    };
    let plain = || timed("explore", &|| explore(&*puzzle.space(true), &Limits::none()).total().states);
    let on = |workers: usize| {
        timed(&format!("{workers} workers"), &|| {
            let found = walk(Arc::from(puzzle.space(true)), &Setup::local(workers), &Limits::none()).expect("no fault");
            found.explored.total().states
        })
    };
    let (mut overhead, mut speedup) = (f64::MAX, 0f64);
    for _ in 0..3 {
        let (base, one, two) = (plain(), on(1), on(2));
        overhead = overhead.min(one / base);
        speedup = speedup.max(one / two);
    }
    println!("one worker takes {overhead:.2} times as long as explore; two workers are {speedup:.2} times as fast as one");
}
