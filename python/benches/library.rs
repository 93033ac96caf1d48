//! The library without Python: what `benches/*.py` compare with, in a process of its own that works when it is asked to, so that
//! its rounds and Python's take turns.
//!
//! Each line of the input is a request, and gets a line of numbers:
//!
//! * `read FILE` keeps a board of moles, a bitmap in PBM's packed form; no numbers
//! * `moles` solves it: processor seconds for a copy of the board, for solving the copy, and for the check of the answer against
//!   the board
//! * `call GAME TIMES` solves the sample board of a game TIMES times: the median of the seconds for reading it, and for
//!   choosing a method, solving and checking

use std::hint::black_box;
use std::io::{Write, stdin, stdout};
use std::time::Instant;

use kibitzer::bits::bitmap::{Bitmap, read_pbm};
use kibitzer::catalog::Choice;
use kibitzer::catalog::Entry;
use kibitzer::games;
use kibitzer::limits::Limits;
use kibitzer::notation::Options;

/// The seconds that something takes.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begun = Instant::now();
    let value = black_box(work());
    (value, begun.elapsed().as_secs_f64())
}

/// The seconds for which the processor works at it: others that it also works for do not count.
fn worked<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let clock = || {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: it fills in the time.
        unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
        time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
    };
    let begun = clock();
    let value = black_box(work());
    (value, clock() - begun)
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

fn read(path: &str) -> Bitmap {
    read_pbm(&std::fs::read(path).expect("the file is there")).expect("a bitmap")
}

fn moles(board: &Bitmap) -> [f64; 2] {
    let bitmaps = games::find("moles").and_then(Entry::bitmaps).expect("boards of moles are bitmaps");
    let (options, limits) = (Options::default(), Limits::none());
    let (answer, solve) = worked(|| (bitmaps.solve)(board, &options, &limits));
    let cells = answer.expect("there are no limits").cells;
    let (judged, check) = worked(|| (bitmaps.check)(board, &cells, &options));
    assert_eq!(judged, Ok(true));
    [solve, check]
}

fn call(game: &str, times: usize) -> [f64; 2] {
    let entry = games::find(game).expect("a game");
    let (mut reading, mut solving) = (Vec::new(), Vec::new());
    for _ in 0..times {
        let (puzzle, seconds) = timed(|| entry.parse(entry.sample, &Options::default()).expect("a sound board"));
        reading.push(seconds);
        solving.push(timed(|| puzzle.solve(&Choice::default(), &Limits::none()).expect("a sound answer")).1);
    }
    [median(reading), median(solving)]
}

fn main() {
    let mut board = None;
    for line in stdin().lines() {
        let line = line.expect("text");
        let words: Vec<&str> = line.split_whitespace().collect();
        let kept = || board.as_ref().expect("a board was read");
        let numbers = match words[..] {
            ["read", path] => {
                board = Some(read(path));
                Vec::new()
            }
            ["moles"] => moles(kept()).to_vec(),
            ["call", game, times] => call(game, times.parse().expect("a number")).to_vec(),
            _ => panic!("there is no request `{line}`"),
        };
        println!("{}", numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" "));
        stdout().flush().expect("somebody reads this");
    }
}
