//! Counts the positions of a pegs board: `cargo run --release --example pegs_again -- instances/pegs/european.txt`.
//!
//! This is an independent computation for docs/results/european-pegs.md that shares no code with the library. While `explore` keeps a list
//! of positions, one per symmetry class, this program represents a position by one bit and makes jumps in 64 positions at once. Coloring
//! the holes along diagonals with three colors shows that jumps preserve four sums modulo 2. Four holes are therefore determined by the
//! others, and the bits of a layer take 2^(n - 4) / 8 bytes for n holes. Symmetric positions are identified only when a layer is counted.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// For each of the six lowest bits of a position's number, the mask of positions in a word with that bit set.
const LOW: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];
/// The number of bits in the index of a lookup table.
const PIECE: usize = 11;

/// A sum modulo 2 that is 1 if a hole has a peg: the bits of the position's number that `bits` selects, plus 1 if `odd`.
#[derive(Clone, Copy)]
struct Hole {
    bits: u64,
    odd: bool,
}

/// A condition on a hole, for the 64 positions of a word. If the index of the word has an even number of bits in `high`, the positions in
/// `low` meet the condition; otherwise, all other positions meet it.
struct Need {
    high: u64,
    low: u64,
}

impl Need {
    fn new(hole: Hole, peg: bool) -> Need {
        let low = (0..6).filter(|bit| hole.bits >> bit & 1 == 1).fold(0, |mask, bit| mask ^ LOW[bit]);
        Need { high: hole.bits >> 6, low: if peg == hole.odd { !low } else { low } }
    }

    fn met(&self, word: u64) -> u64 {
        if parity(self.high & word) { !self.low } else { self.low }
    }
}

struct Jump {
    needs: [Need; 3],
    /// The bits that the jump changes.
    flips: u64,
}

/// An affine map over GF(2), with one lookup table for every [`PIECE`] bits of a number.
struct Linear {
    tables: Vec<Vec<u64>>,
    constant: u64,
}

impl Linear {
    fn new(bits: usize, of: impl Fn(u64) -> u64) -> Linear {
        let constant = of(0);
        let table = |at: usize| (0..1 << PIECE.min(bits - at)).map(|piece: u64| of(piece << at) ^ constant).collect();
        Linear { tables: (0..bits).step_by(PIECE).map(table).collect(), constant }
    }

    fn of(&self, number: u64) -> u64 {
        let piece = |at: usize| (number >> (at * PIECE)) as usize & ((1 << PIECE) - 1);
        self.tables.iter().enumerate().fold(self.constant, |sum, (at, table)| sum ^ table[piece(at)])
    }
}

fn parity(bits: u64) -> bool {
    bits.count_ones() % 2 == 1
}

/// The positions of a word after the given low bits of their numbers are flipped.
fn exchanged(mut positions: u64, flips: u64) -> u64 {
    for (bit, with) in LOW.iter().enumerate().filter(|(bit, _)| flips >> bit & 1 == 1) {
        positions = (positions & with) >> (1 << bit) | (positions & !with) << (1 << bit);
    }
    positions
}

/// Processes both halves of the words in parallel, and adds up their counts.
fn halves(words: usize, work: impl Fn(Range<usize>) -> [u64; 2] + Sync) -> [u64; 2] {
    std::thread::scope(|scope| {
        let first = scope.spawn(|| work(0..words / 2));
        let second = work(words / 2..words);
        let first = first.join().expect("no panic");
        [first[0] + second[0], first[1] + second[1]]
    })
}

fn main() {
    let path = std::env::args().nth(1).expect("a board file");
    let text = std::fs::read_to_string(path).expect("a file");
    let rows: Vec<&[u8]> = text.lines().filter(|line| !line.starts_with("# ") && !line.contains(':')).map(str::as_bytes).collect();
    let side = rows.len();
    assert!(rows.iter().all(|row| row.len() == side), "only square boards are supported");
    let cells = || (0..side).flat_map(|row| (0..side).map(move |column| (row, column)));
    let places: Vec<(usize, usize)> = cells().filter(|&(row, column)| rows[row][column] != b'#').collect();
    let find = |place: (usize, usize)| places.iter().position(|&known| known == place);
    let start: u64 = places.iter().enumerate().map(|(at, &(row, column))| u64::from(rows[row][column] != b'.') << at).sum();

    // The sums that jumps preserve, solved for four holes.
    let color = |colors: [usize; 2], slope: usize| -> u64 {
        places.iter().enumerate().filter(|(_, place)| colors.contains(&((place.0 + slope * place.1) % 3))).map(|(at, _)| 1 << at).sum()
    };
    let sums = [color([0, 1], 1), color([1, 2], 1), color([0, 1], 2), color([1, 2], 2)];
    let mut equations = sums;
    let mut given: Vec<usize> = Vec::new();
    for at in 0..equations.len() {
        let hole = 63 - equations[at].leading_zeros() as usize;
        let with = equations[at];
        given.push(hole);
        equations.iter_mut().enumerate().filter(|(other, of)| *other != at && **of >> hole & 1 == 1).for_each(|(_, of)| *of ^= with);
    }
    let free: Vec<usize> = (0..places.len()).filter(|hole| !given.contains(hole)).collect();
    let number = |pegs: u64| -> u64 { free.iter().enumerate().map(|(bit, hole)| (pegs >> hole & 1) << bit).sum() };
    let hole = |hole: usize| match given.iter().position(|of| *of == hole) {
        Some(at) => Hole { bits: number(equations[at]), odd: parity(equations[at] & start) },
        None => Hole { bits: number(1 << hole), odd: false },
    };
    let holes: Vec<Hole> = (0..places.len()).map(hole).collect();
    let pegs = |number: u64| -> u64 { holes.iter().enumerate().map(|(at, of)| u64::from(parity(of.bits & number) ^ of.odd) << at).sum() };
    assert_eq!(pegs(number(start)), start);

    let mut jumps = Vec::new();
    for (at, &(row, column)) in places.iter().enumerate() {
        for (down, right) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let step = |by: isize| find((row.wrapping_add_signed(down * by), column.wrapping_add_signed(right * by)));
            if let (Some(over), Some(to)) = (step(1), step(2)) {
                let needs = [Need::new(holes[at], true), Need::new(holes[over], true), Need::new(holes[to], false)];
                jumps.push(Jump { needs, flips: number(1 << at | 1 << over | 1 << to) });
            }
        }
    }

    // Only symmetries that preserve the sums are used, because images under the others cannot be reached from this start.
    let turn = |symmetry: u32, (mut row, mut column): (usize, usize)| {
        (0..symmetry % 4).for_each(|_| (row, column) = (column, side - 1 - row));
        if symmetry < 4 { (row, column) } else { (column, row) }
    };
    let mut images = Vec::new();
    for symmetry in 1..8 {
        let to: Option<Vec<usize>> = places.iter().map(|&place| find(turn(symmetry, place))).collect();
        let Some(to) = to else { continue };
        let turned = |pegs: u64| -> u64 { to.iter().enumerate().map(|(at, to)| (pegs >> at & 1) << to).sum() };
        if sums.iter().all(|sum| parity(sum & turned(start)) == parity(sum & start)) {
            images.push(Linear::new(free.len(), |of| number(turned(pegs(of)))));
        }
    }

    let words = 1usize << (free.len() - 6);
    let empty = || -> Vec<AtomicU64> { (0..words).map(|_| AtomicU64::new(0)).collect() };
    let (mut layer, mut next) = (empty(), empty());
    let (begun, mut left, mut total) = (Instant::now(), start.count_ones(), [0, 0]);
    layer[(number(start) >> 6) as usize].store(1 << (number(start) & 63), Relaxed);
    loop {
        let counted = halves(words, |range| {
            let mut counts = [0, 0];
            for word in range {
                let mut positions = layer[word].load(Relaxed);
                counts[1] += u64::from(positions.count_ones());
                while positions != 0 {
                    let number = (word as u64) << 6 | u64::from(positions.trailing_zeros());
                    positions &= positions - 1;
                    let is_there = |number: u64| layer[(number >> 6) as usize].load(Relaxed) >> (number & 63) & 1 == 1;
                    counts[0] += u64::from(!images.iter().map(|image| image.of(number)).any(|image| image < number && is_there(image)));
                }
            }
            counts
        });
        if counted[1] == 0 {
            break;
        }
        println!("pegs left: {left}; {} up to symmetry, {} in total; {:.0} s", counted[0], counted[1], begun.elapsed().as_secs_f64());
        total = [total[0] + counted[0], total[1] + counted[1]];
        left -= 1;
        halves(words, |range| {
            for word in range {
                let positions = layer[word].swap(0, Relaxed);
                if positions == 0 {
                    continue;
                }
                for jump in &jumps {
                    let able = jump.needs.iter().fold(positions, |able, need| able & need.met(word as u64));
                    if able != 0 {
                        next[word ^ (jump.flips >> 6) as usize].fetch_or(exchanged(able, jump.flips), Relaxed);
                    }
                }
            }
            [0, 0]
        });
        std::mem::swap(&mut layer, &mut next);
    }
    println!("all layers: {} up to symmetry, {} in total", total[0], total[1]);
}
