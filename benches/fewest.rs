//! Computes the minimum number of hits for an n x n board full of moles, independently of the library.
//! `cargo bench --bench fewest -- 61 1629` proves that no solution has fewer than 1629 hits, and finds one with 1629. Without arguments,
//! the program runs on five small boards.
//!
//! This program shares no code with the library and uses a different method. It solves the equations by elimination, not by polynomial
//! division. Like the library, it divides the cells into four classes, by the parities of row and column, but it pairs (even, even) with
//! (even, odd) and (odd, even) with (odd, odd), while the library pairs the classes along the diagonals. The *excess* of a solution in a
//! class is its number of hits there beyond the least possible. The allowed excess is always split evenly between the two pairs. A table
//! has one byte for each index of a class, so a class of rank 32 takes 4 GB.

use std::time::Instant;

type Bits = Vec<u64>;

fn bit(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 == 1
}

/// Expresses all cells as linear functions of the first row and a constant (bit n), and solves for the first row by setting the row
/// below the board to 0. Returns one solution and a basis of the quiet patterns, cell by cell.
fn solve(n: usize) -> (Vec<bool>, Vec<Vec<bool>>) {
    let words = (n + 1).div_ceil(64);
    let unit = |at: usize| (0..words).map(|word| if at / 64 == word { 1 << (at % 64) } else { 0 }).collect::<Bits>();
    let mut rows: Vec<Vec<Bits>> = vec![vec![vec![0; words]; n], (0..n).map(unit).collect()];
    for row in 1..=n {
        let next = (0..n).map(|column| {
            let mut sum = unit(n);
            let mut add = |bits: &Bits| sum.iter_mut().zip(bits).for_each(|(a, b)| *a ^= b);
            add(&rows[row - 1][column]);
            rows[row][column.saturating_sub(1)..(column + 2).min(n)].iter().for_each(&mut add);
            sum
        });
        let next = next.collect();
        rows.push(next);
    }
    let mut system = rows.pop().expect("the row below the board");
    let mut pivots = Vec::new();
    for column in 0..n {
        let Some(found) = (pivots.len()..n).find(|&row| bit(&system[row], column)) else { continue };
        system.swap(pivots.len(), found);
        let pivot = system[pivots.len()].clone();
        for (row, bits) in system.iter_mut().enumerate() {
            if row != pivots.len() && bit(bits, column) {
                bits.iter_mut().zip(&pivot).for_each(|(a, b)| *a ^= b);
            }
        }
        pivots.push(column);
    }
    assert!(system[pivots.len()..].iter().all(|bits| !bit(bits, n)), "solvable");
    // The values of all cells if this free variable (or the constant) is 1 and all others are 0.
    let cells = |free: usize| {
        let mut first = unit(free);
        for (row, &column) in pivots.iter().enumerate() {
            first[column / 64] |= u64::from(bit(&system[row], free)) << (column % 64);
        }
        let cell = |bits: &Bits| bits.iter().zip(&first).fold(0, |sum, (a, b)| sum ^ (a & b)).count_ones() % 2 == 1;
        rows[1..].iter().flatten().map(cell).collect::<Vec<bool>>()
    };
    let quiet = (0..n).filter(|column| !pivots.contains(column)).map(cells).collect();
    (cells(n), quiet)
}

/// Gaussian elimination, one vector at a time; each reduced vector is stored with the sum of inputs that produces it.
#[derive(Clone, Default)]
struct Space {
    reduced: Vec<(u128, u128)>,
}

impl Space {
    fn sum(&self, mut vector: u128) -> (u128, u128) {
        let mut how = 0;
        for &(reduced, sum) in &self.reduced {
            if vector >> reduced.trailing_zeros() & 1 == 1 {
                vector ^= reduced;
                how ^= sum;
            }
        }
        (vector, how)
    }

    fn put(&mut self, vector: u128) -> bool {
        let (rest, how) = self.sum(vector);
        if rest != 0 {
            let number = self.reduced.len();
            self.reduced.push((rest, how ^ 1 << number));
        }
        rest != 0
    }
}

/// One class of cells. For each cell, the class has the bits of an index that flip the cell, and a flag for whether it is hit in the first
/// solution.
struct Class {
    basis: Vec<u128>,
    cells: Vec<(u64, bool)>,
}

impl Class {
    fn new(columns: impl Iterator<Item = (u128, bool)> + Clone) -> Class {
        let mut space = Space::default();
        let basis = columns.clone().map(|(column, _)| column).filter(|&column| space.put(column)).collect();
        Class { basis, cells: columns.map(|(column, hit)| (space.sum(column).1 as u64, hit)).collect() }
    }

    fn cost(&self, index: u64) -> usize {
        self.cells.iter().filter(|(bits, hit)| ((bits & index).count_ones() % 2 == 1) != *hit).count()
    }

    /// Calls `visit` with the number of each block and the costs of the indices in it.
    fn blocks(&self, mut visit: impl FnMut(usize, &[i16])) {
        let rank = self.basis.len();
        let low = rank.min(16);
        let mut sums = vec![0_i16; 1 << low];
        for high in 0..1_usize << (rank - low) {
            sums.fill(0);
            for &(bits, hit) in &self.cells {
                let odd = (bits >> low & high as u64).count_ones() % 2 == 1;
                sums[(bits & ((1 << low) - 1)) as usize] += if odd == hit { 1 } else { -1 };
            }
            let mut half = 1;
            while half < sums.len() {
                for pair in sums.chunks_exact_mut(2 * half) {
                    let (one, two) = pair.split_at_mut(half);
                    for (a, b) in one.iter_mut().zip(two) {
                        (*a, *b) = (*a + *b, *a - *b);
                    }
                }
                half *= 2;
            }
            let cells = self.cells.len() as i16;
            sums.iter_mut().for_each(|sum| *sum = (cells - *sum) / 2);
            visit(high, &sums);
        }
    }

    fn least(&self) -> usize {
        let mut least = i16::MAX;
        self.blocks(|_, costs| least = costs.iter().fold(least, |least, &cost| least.min(cost)));
        least as usize
    }

    /// For every index, its cost minus the least cost, capped at 255.
    fn table(&self, least: usize) -> Vec<u8> {
        let mut table = vec![0; 1 << self.basis.len()];
        self.blocks(|high, costs| {
            let out = &mut table[high * costs.len()..][..costs.len()];
            out.iter_mut().zip(costs).for_each(|(out, &cost)| *out = (cost - least as i16).min(255) as u8);
        });
        table
    }

    /// The indices whose excess is at most `most`, sorted by excess.
    fn list(&self, least: usize, most: u32) -> Vec<(u8, u64)> {
        let mut list = Vec::new();
        self.blocks(|high, costs| {
            for (at, &cost) in costs.iter().enumerate().filter(|(_, cost)| **cost as usize <= least + most as usize) {
                list.push(((cost as usize - least) as u8, (high * costs.len() + at) as u64));
            }
        });
        list.sort_unstable();
        list
    }
}

/// Applies a linear map, given as one image per bit.
fn apply(images: &[u64], mut index: u64) -> u64 {
    let mut sum = 0;
    while index != 0 {
        sum ^= images[index.trailing_zeros() as usize];
        index &= index - 1;
    }
    sum
}

/// The least total excess of any solution whose excess in the two classes of `pair` is at most `most`, or `None` if that total exceeds
/// `bound`.
fn side(classes: &[Class; 4], least: &[usize; 4], dims: usize, pair: [usize; 2], most: u32, bound: u32) -> Option<u32> {
    let others = [3 - pair[1], 3 - pair[0]];
    // The coordinates of a solution are those of its index in the first class, those that the second class adds, and those that neither
    // class determines.
    let mut space = Space::default();
    let mut owner = Vec::new();
    let mut agree = Vec::new();
    for (part, &class) in pair.iter().enumerate() {
        for (at, &vector) in classes[class].basis.iter().enumerate() {
            let (_, how) = space.sum(vector);
            if space.put(vector) {
                owner.push((part, at));
            } else {
                agree.push((how, at));
            }
        }
    }
    let open = (0..dims).map(|at| 1_u128 << at).filter(|&vector| space.put(vector)).count();
    owner.extend((0..open).map(|at| (2, at)));
    // Flips bit j in the image of each coordinate of `part` that occurs in the sum `how`.
    let add = |images: &mut [u64], how: u128, part: usize, j: usize| {
        let within = owner.iter().enumerate().filter(|(at, owner)| how >> at & 1 == 1 && owner.0 == part);
        within.for_each(|(_, owner)| images[owner.1] ^= 1 << j);
    };
    let images = |class: usize, part: usize| {
        let mut images = vec![0_u64; 64];
        let basis = classes[class].basis.iter().enumerate();
        basis.for_each(|(j, &vector)| add(&mut images, space.sum(vector).1, part, j));
        images
    };
    let maps = others.map(|class| [0, 1, 2].map(|part| images(class, part)));
    // The bits in which both indices must agree, as functions of each index.
    let agreement = [0, 1].map(|part| {
        let mut images = vec![0_u64; 64];
        for (j, &(how, bit)) in agree.iter().enumerate() {
            add(&mut images, how, part, j);
            if part == 1 {
                images[bit] ^= 1 << j;
            }
        }
        images
    });
    let lists = pair.map(|class| classes[class].list(least[class], most));
    let table = classes[others[0]].table(least[others[0]]);
    let prepared = [0, 1].map(|part| {
        let entry = |&(excess, index): &(u8, u64)| {
            (u32::from(excess), apply(&agreement[part], index), apply(&maps[0][part], index), apply(&maps[1][part], index))
        };
        lists[part].iter().map(entry).collect::<Vec<_>>()
    });
    let (mut best, mut pairs) = (None, 0_u64);
    let mut bound = bound;
    for &(one, key, probe, last) in &prepared[0] {
        for &(two, other_key, other_probe, other_last) in &prepared[1] {
            if one + two > most {
                break;
            }
            if key != other_key {
                continue;
            }
            for spare in 0..1_u64 << open {
                pairs += 1;
                let third = probe ^ other_probe ^ apply(&maps[0][2], spare);
                let mut three = u32::from(table[third as usize]);
                // A table entry of 255 means "at least 255".
                if three == 255 && one + two + three <= bound {
                    three = (classes[others[0]].cost(third) - least[others[0]]) as u32;
                }
                if one + two + three <= bound {
                    let four = classes[others[1]].cost(last ^ other_last ^ apply(&maps[1][2], spare)) - least[others[1]];
                    let excess = one + two + three + four as u32;
                    if excess <= bound {
                        bound = excess;
                        best = Some(excess);
                    }
                }
            }
        }
    }
    println!("  classes {pair:?} up to {most}: lists of {} and {}, {pairs} pairs", prepared[0].len(), prepared[1].len());
    best
}

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    let cases = match numbers[..] {
        [n, hits] => vec![(n, hits)],
        _ => vec![(5, 15), (9, 25), (19, 141), (30, 376), (39, 561)],
    };
    for (n, hits) in cases {
        let begun = Instant::now();
        let (first, quiet) = solve(n);
        let columns: Vec<(u128, bool)> = (0..n * n)
            .map(|cell| (quiet.iter().rev().fold(0, |bits, pattern| bits << 1 | u128::from(pattern[cell])), first[cell]))
            .collect();
        let classes: [Class; 4] = std::array::from_fn(|class| {
            let inside = move |cell: &usize| (cell / n + 1) % 2 * 2 + (cell % n + 1) % 2 == class;
            Class::new((0..n * n).filter(inside).map(|cell| columns[cell]))
        });
        let ranks = classes.each_ref().map(|class| class.basis.len());
        let minima = classes.each_ref().map(Class::least);
        let least: usize = minima.iter().sum();
        println!("n = {n}: nullity {}, ranks {ranks:?}, at least {least}", quiet.len());
        let bound = (hits - least) as u32;
        let half = bound / 2;
        let one = side(&classes, &minima, quiet.len(), [0, 1], half, bound);
        let two = bound.checked_sub(half + 1).and_then(|most| side(&classes, &minima, quiet.len(), [2, 3], most, bound));
        let found = one.into_iter().chain(two).min();
        println!(
            "n = {n}: fewest hits {:?}, claimed {hits}, {:.1} s",
            found.map(|excess| least + excess as usize),
            begun.elapsed().as_secs_f64()
        );
        assert_eq!(found, Some(bound), "n = {n}");
    }
}
