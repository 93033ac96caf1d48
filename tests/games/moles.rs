//! Compares moles with methods that share no code with the solvers: trying all combinations of hits on small boards of every variant,
//! and solving one equation per hole on all grids with sides below 32.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};

use kibitzer::bits::bitmap::Bitmap;
use kibitzer::catalog::{Choice, Puzzle};
use kibitzer::games;
use kibitzer::games::moles::chase::{Chase, Grid, NoHits, Wrap};
use kibitzer::gf2::echelon::Echelon;
use kibitzer::gf2::matrix::Matrix;
use kibitzer::gf2::vector::Vector;
use kibitzer::limits::Limits;
use kibitzer::notation::{Input, OptionSpec, Options};
use kibitzer::outcome::Why;
use kibitzer::random::Random;
use kibitzer::report::{Answer, Claim, Report};
use serde_json::json;

use crate::common::{amount, least, open, solve};

fn moles(text: &str, options: &[&str]) -> Box<dyn Puzzle> {
    open("moles", text, options)
}

fn check(puzzle: &dyn Puzzle, report: &Report) -> Result<bool, String> {
    let claim = Claim::read(&report.json(0.0).to_string(), "moles")?;
    Ok(puzzle.check(&claim, &Limits::nodes(1 << 20))?.complete())
}

/// An independent implementation of the rules, for small boards.
struct Board {
    rows: usize,
    columns: usize,
    joined: [bool; 2],
    offsets: Vec<(i32, i32)>,
    states: usize,
    missing: Vec<usize>,
    locked: Vec<usize>,
}

impl Board {
    fn places(&self) -> usize {
        self.rows * self.columns
    }

    /// The holes that a hit toggles.
    fn toggled(&self, at: usize) -> Vec<usize> {
        let along = |at: usize, by: i32, size: usize, joined: bool| {
            let to = at as i32 + by;
            if joined { Some(to.rem_euclid(size as i32) as usize) } else { usize::try_from(to).ok().filter(|&to| to < size) }
        };
        let mut places: Vec<usize> = Vec::new();
        for &(down, right) in &self.offsets {
            let row = along(at / self.columns, down, self.rows, self.joined[1]);
            let column = along(at % self.columns, right, self.columns, self.joined[0]);
            if let (Some(row), Some(column)) = (row, column) {
                places.push(row * self.columns + column);
            }
        }
        places.sort_unstable();
        places.dedup();
        places.retain(|place| !self.missing.contains(place));
        places
    }

    /// For every board reachable from the empty one: the number of solutions, and the minimum number of hits.
    fn reachable(&self) -> HashMap<Vec<u8>, (u64, u64)> {
        let hittable: Vec<usize> = (0..self.places()).filter(|at| !self.missing.contains(at) && !self.locked.contains(at)).collect();
        let toggled: Vec<Vec<usize>> = hittable.iter().map(|&at| self.toggled(at)).collect();
        let mut reachable = HashMap::new();
        let mut hits = vec![0; hittable.len()];
        loop {
            let mut board = vec![0; self.places()];
            for (times, toggled) in hits.iter().zip(&toggled) {
                toggled.iter().for_each(|&at| board[at] = ((board[at] + times) % self.states) % self.states);
            }
            let board: Vec<u8> = board.into_iter().map(|state| state as u8).collect();
            let weight: usize = hits.iter().sum();
            let entry = reachable.entry(board).or_insert((0, u64::MAX));
            *entry = (entry.0 + 1, entry.1.min(weight as u64));
            let Some(at) = hits.iter().position(|&times| times + 1 < self.states) else { return reachable };
            hits[..at].fill(0);
            hits[at] += 1;
        }
    }

    fn text(&self, board: &[u8]) -> String {
        let character = |at: usize| if self.missing.contains(&at) { '_' } else { char::from(b'0' + board[at]) };
        let mut text = format!("states: {}\n", self.states);
        if !self.locked.is_empty() {
            let locked: Vec<String> = self.locked.iter().map(|at| (at + 1).to_string()).collect();
            text += &format!("locked: {}\n", locked.join(" "));
        }
        for row in 0..self.rows {
            text.extend((0..self.columns).map(|column| character(row * self.columns + column)));
            text.push('\n');
        }
        text
    }
}

/// An asymmetric pattern that reaches two rows down.
const ODD: &str = "10000/00000/00110/00000/00001";

fn pattern(name: &str) -> Vec<(i32, i32)> {
    if name == ODD {
        return vec![(-2, -2), (0, 0), (0, 1), (2, 2)];
    }
    let near = (-1..=1).flat_map(|row: i32| (-1..=1).map(move |column: i32| (row, column)));
    let fits = |&(row, column): &(i32, i32)| match name {
        "plus" => row.abs() + column.abs() <= 1,
        "cross" => row.abs() + column.abs() == 1,
        "king" => true,
        _ => (row, column) != (0, 0),
    };
    near.filter(fits).collect()
}

/// Rows, columns and number of states of boards small enough to try all combinations of hits.
const SIZES: [(usize, usize, usize); 12] =
    [(1, 1, 2), (1, 4, 2), (4, 1, 3), (2, 2, 6), (2, 3, 3), (3, 2, 4), (3, 3, 2), (2, 5, 2), (4, 3, 2), (3, 4, 2), (5, 2, 2), (1, 6, 4)];

#[test]
fn every_variant_agrees_with_trying_all_hits() {
    let mut random = Random::new(11);
    let mut decided = [0; 2];
    for name in ["plus", "cross", "king", "ring", ODD] {
        for (wrap, joined) in [("none", [false, false]), ("cylinder", [true, false]), ("torus", [true, true])] {
            for (rows, columns, states) in SIZES {
                for obstacles in 0..2 {
                    let mut places: Vec<usize> = (0..rows * columns).collect();
                    random.shuffle(&mut places, rows * columns);
                    let count = obstacles * random.below(1 + rows * columns / 3);
                    let (missing, locked) = places[..count].split_at(count / 2);
                    let (missing, locked) = (missing.to_vec(), locked.to_vec());
                    let board = Board { rows, columns, joined, offsets: pattern(name), states, missing, locked };
                    let reachable = board.reachable();
                    for _ in 0..amount(2, 4) {
                        let state =
                            |at: usize, random: &mut Random| if board.missing.contains(&at) { 0 } else { random.below(states) as u8 };
                        let mut start: Vec<u8> = (0..board.places()).map(|at| state(at, &mut random)).collect();
                        if random.below(2) == 0 {
                            let mut keys: Vec<&Vec<u8>> = reachable.keys().collect();
                            keys.sort();
                            start = keys[random.below(keys.len())].clone();
                        }
                        let need: Vec<u8> = start.iter().map(|state| (states as u8 - state) % states as u8).collect();
                        let text = board.text(&start);
                        let options = [format!("wrap={wrap}"), format!("pattern={name}")];
                        let puzzle = moles(&text, &options.each_ref().map(String::as_str));
                        let expected = reachable.get(&need);
                        decided[usize::from(expected.is_some())] += 1;
                        for method in puzzle.methods().iter().filter(|info| ["chase", "dense", "source"].contains(&info.name.as_str())) {
                            let context = format!("{} on {options:?}\n{text}", method.name);
                            let report = solve(&*puzzle, &*method.name);
                            match (&report.answer, expected) {
                                (Answer::Solved { cost, optimal, .. }, Some(&(ways, least))) => {
                                    assert_eq!(report.facts["solutions"], json!(ways), "{context}");
                                    assert!(!optimal || u64::from(*cost) == least, "{context}: {cost}, not {least}");
                                    assert!(*optimal || !method.optimal, "{context}");
                                }
                                (Answer::Unsolvable { why: Why::Certificate(_) }, None) => {
                                    assert_eq!(check(&*puzzle, &report), Ok(true), "{context}");
                                }
                                other => panic!("{context}: {other:?}"),
                            }
                            assert!(report.verified);
                        }
                    }
                }
            }
        }
    }
    assert!(decided.iter().all(|&count| count > amount(100, 200)), "both kinds occur: {decided:?}");
}

/// Every solution is listed exactly once.
#[test]
fn all_solutions_are_listed() {
    for (text, options) in [("0100 1110 0001 1101", ["answer=all", "states=2"]), ("0000 0000 0000 0000", ["answer=all", "states=3"])] {
        let puzzle = moles(text, &options);
        let report = solve(&*puzzle, "chase");
        let plans = report.all.expect("asked for");
        let mut texts: Vec<Vec<String>> = plans.iter().map(|plan| plan.iter().map(|mv| mv.text.clone()).collect()).collect();
        assert_eq!(json!(texts.len()), report.facts["solutions"]);
        assert!(texts.iter().map(Vec::len).is_sorted(), "the lightest first");
        texts.sort();
        texts.dedup();
        assert_eq!(json!(texts.len()), report.facts["solutions"], "all different");
    }
    let weights: Vec<usize> = solve(&*moles("0100 1110 0001 1101", &["answer=all"]), "dense").all.unwrap().iter().map(Vec::len).collect();
    assert_eq!(weights, [3, 5, 5, 5, 7, 7, 7, 9, 9, 9, 9, 9, 11, 11, 11, 11]);
    let some = solve(&*moles("0100 1110 0001 1101", &["answer=all", "limit=3"]), "chase").all.unwrap();
    assert_eq!(some.len(), 3);
}

#[test]
fn all_boards_of_4_x_4() {
    let board = Board { rows: 4, columns: 4, joined: [false; 2], offsets: pattern("plus"), states: 2, missing: vec![], locked: vec![] };
    let reachable = board.reachable();
    assert_eq!(reachable.len(), 4096);
    let mut histogram = [0; 8];
    for (start, &(ways, fewest)) in &reachable {
        assert_eq!(ways, 16);
        assert_eq!(least(&*moles(&board.text(start), &[]), "chase").map(u64::from), Some(fewest));
        histogram[fewest as usize] += 1;
    }
    assert_eq!(histogram, [1, 16, 120, 560, 1387, 1440, 540, 32]);
}

#[test]
fn published_fewest_hits() {
    let known = [1, 4, 5, 4, 15, 28, 33, 40, 25, 44, 55, 72].into_iter().enumerate().map(|(at, hits)| (at + 1, hits));
    for (n, hits) in known.chain([(19, 141), (30, 376)]) {
        let text = format!("size: {n}x{n}; moles: all");
        for method in ["chase", "dense"] {
            assert_eq!(least(&*moles(&text, &[]), method), Some(hits), "{n} {method}");
        }
        // The bitmap method agrees.
        let pictures = games::find("moles").unwrap().bitmaps().unwrap();
        let (board, options) = (pictures.from_text)(&Input::new(&text, &Options::default(), &Limits::none())).unwrap();
        let answer = pictures.answer(&board, &options, &Limits::none()).unwrap();
        assert_eq!((answer.cost, answer.lower), (Some(u64::from(hits)), u64::from(hits)), "{n}");
    }
}

/// For a board that is too hard to solve optimally, the report still has a solution and a lower bound.
#[test]
fn a_limit_leaves_a_solution_and_a_bound() {
    let puzzle = moles("size: 95x95; moles: all", &[]);
    let asked = AtomicU64::new(0);
    let limits = Limits::until(move |_| asked.fetch_add(1, Ordering::Relaxed) >= 20);
    let report = puzzle.solve(&Choice::default(), &limits).unwrap();
    let Answer::Solved { cost, optimal: false, lower, .. } = report.answer else { panic!("{:?}", report.answer) };
    assert_eq!(report.facts["nullity"], json!(62));
    assert!(lower >= 95 * 95_u32.div_ceil(5) && lower < cost && cost < 5000, "{lower} {cost}");
}

#[test]
fn all_moles_can_always_be_cleared() {
    let mut random = Random::new(5);
    for n in 1..40 {
        let pairs = (0..2 * n).map(|_| (random.below(n), random.below(n))).filter(|(u, v)| u < v);
        let edges: BTreeSet<String> = pairs.chain([(n, n - 1)]).map(|(u, v)| format!("{u}-{v}")).collect();
        let graph = format!("graph={}", Vec::from_iter(edges).join(" "));
        let puzzle = moles("moles: all", &[&graph]);
        let report = solve(&*puzzle, "dense");
        assert_eq!(report.verdict(), "solved", "{graph}");
        assert_eq!(check(&*puzzle, &report), Ok(true), "{graph}");
    }
}

fn matrix(grid: Grid) -> Matrix {
    let board = Board {
        rows: grid.rows,
        columns: grid.columns,
        joined: [grid.wrap != Wrap::None, grid.wrap == Wrap::Torus],
        offsets: pattern(if grid.center { "plus" } else { "cross" }),
        states: 2,
        missing: vec![],
        locked: vec![],
    };
    let mut matrix = Matrix::zero(board.places(), board.places());
    for at in 0..board.places() {
        board.toggled(at).into_iter().for_each(|hole| matrix.flip(hole, at));
    }
    matrix
}

/// On every grid with sides below 32 (20 in a short run), chasing and dense elimination find the same rank, and the same verdict on a
/// random board. Hits and proofs are checked by multiplication. Smaller grids are also tested with joined sides and without a center.
#[test]
fn chasing_agrees_with_dense_elimination_on_all_grids() {
    let mut random = Random::new(40);
    let (mut unsolvable, most) = (0, amount(20, 32));
    let plain = (1..most).flat_map(|rows| (1..most).map(move |columns| Grid { rows, columns, center: true, wrap: Wrap::None }));
    let others = (1..13).flat_map(|rows| {
        (1..13).flat_map(move |columns| {
            [(false, Wrap::None), (true, Wrap::Cylinder), (false, Wrap::Cylinder), (true, Wrap::Torus), (false, Wrap::Torus)]
                .map(move |(center, wrap)| Grid { rows, columns, center, wrap })
        })
    });
    for grid in plain.chain(others) {
        let Some(chase) = Chase::new(grid, &Limits::none()).unwrap() else { continue };
        let matrix = matrix(grid);
        let bits = Vector::from_fn(matrix.rows(), |_| random.below(2) == 1);
        let echelon = Echelon::new(&matrix, &[&bits], &Limits::none()).unwrap();
        assert_eq!(chase.nullity(), matrix.columns() - echelon.rank(), "{grid:?}");
        let mut board = Bitmap::new(grid.rows, grid.columns).unwrap();
        bits.ones().for_each(|at| board.flip(at / grid.columns, at % grid.columns));
        let solved = chase.solve(&mut board, &Limits::none()).unwrap();
        let mut answer = Vector::zero(matrix.rows());
        board.ones().for_each(|at| answer.flip(at));
        match (solved, echelon.solution(0)) {
            (Ok(()), Some(_)) => assert!(matrix.mul_vec(&answer) == bits, "{grid:?}"),
            (Err(NoHits), None) => {
                unsolvable += 1;
                assert!(matrix.vec_mul(&answer).is_zero() && answer.dot(&bits), "{grid:?}");
            }
            _ => panic!("{grid:?}: the methods disagree"),
        }
    }
    assert!(unsolvable > amount(50, 80), "{unsolvable}");
}

#[test]
fn bitmaps_are_checked_by_multiplication() {
    let entry = games::find("moles").unwrap();
    let pictures = entry.bitmaps().unwrap();
    let known: Vec<&OptionSpec> = entry.options.iter().chain(entry.generate_options.unwrap()).collect();
    let mut judged = [0; 2];
    for seed in 0..amount(16, 28) {
        let mut random = Random::new(seed);
        // Sides are often close to a multiple of the word size.
        let mut side = |most| if random.below(3) == 0 { [63, 64, 65, 127, 128, 129][random.below(6)] } else { 3 + random.below(most) };
        let (rows, columns) = (side(80), side(150));
        let wrap = ["none", "cylinder", "torus"][random.below(3)];
        let center = ["plus", "cross"][random.below(2)];
        let kind = ["solvable", "any"][random.below(2)];
        let size = format!("size={rows}x{columns}");
        let read = |texts: &[&str]| Options::parse(texts.iter().copied(), &known).unwrap();
        let (wrap, center, kind) = (format!("wrap={wrap}"), format!("pattern={center}"), format!("kind={kind}"));
        let board = (pictures.generate)(seed, &read(&[&size, &wrap, &center, &kind]), &Limits::none()).unwrap();
        let options = read(&[&wrap, &center]);
        let found = (pictures.solve)(&board, &options, &Limits::none()).unwrap();
        let (mut answer, solved) = (found.cells, found.cost.is_some());
        judged[usize::from(solved)] += 1;
        assert_eq!((pictures.check)(&board, &answer, &options), Ok(solved), "{size} {wrap} {center}");
        // Solving the same board as text with `chase` must give the same verdict as the bitmap solver.
        let puzzle = moles(&(pictures.to_text)(&board), &[&wrap, &center, "answer=any"]);
        assert_eq!(solve(&*puzzle, "chase").verdict() == "solved", solved);
        answer.flip(random.below(rows), random.below(columns));
        assert!((pictures.check)(&board, &answer, &options).is_err(), "one wrong cell refutes the answer");
    }
    assert!(judged.iter().all(|&count| count > amount(0, 3)), "{judged:?}");
}
