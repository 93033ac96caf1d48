//! Compares sliding tiles with plain searches over arrays of numbers, with a plain loop that counts nodes as Korf did, and with
//! published numbers of boards.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use kibitzer::catalog::Choice;
use kibitzer::games::tiles::Tiles;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Input, Notation, Options, parse};
use kibitzer::outcome::{Certificate, Verdict, Why};
use kibitzer::random::Random;
use kibitzer::report::Answer;
use kibitzer::rules::{Problem, Rules};

use crate::common::{amount, file, least, open, options, proved, refused, solve, stopped};

type Board = Vec<usize>;

/// The boards that are one move away, each with the tile that moves, in the order in which the blank moves up, left, right and down.
fn moves(board: &Board, columns: usize) -> Vec<(Board, usize)> {
    let blank = board.iter().position(|&tile| tile == 0).expect("a blank");
    let (row, column, rows) = (blank / columns, blank % columns, board.len() / columns);
    let mut found = Vec::new();
    for (is_inside, cell) in [
        (row > 0, blank.wrapping_sub(columns)),
        (column > 0, blank.wrapping_sub(1)),
        (column + 1 < columns, blank + 1),
        (row + 1 < rows, blank + columns),
    ] {
        if is_inside {
            let mut after = board.clone();
            after.swap(blank, cell);
            found.push((after, board[cell]));
        }
    }
    found
}

/// The least cost from every board that can reach the goal.
fn distances(goal: &Board, columns: usize, by_tile: bool) -> HashMap<Board, u32> {
    let mut known = HashMap::from([(goal.clone(), 0)]);
    let mut open = BinaryHeap::from([Reverse((0, goal.clone()))]);
    while let Some(Reverse((cost, board))) = open.pop() {
        if known[&board] < cost {
            continue;
        }
        for (next, tile) in moves(&board, columns) {
            let total = cost + if by_tile { tile as u32 } else { 1 };
            if known.get(&next).is_none_or(|&other| total < other) {
                known.insert(next.clone(), total);
                open.push(Reverse((total, next)));
            }
        }
    }
    known
}

fn text(board: &Board, columns: usize) -> String {
    board.chunks(columns).map(|row| row.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join("|")
}

/// All permutations of the numbers below `len`.
fn permutations(len: usize) -> Vec<Board> {
    let Some(last) = len.checked_sub(1) else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for shorter in permutations(last) {
        for at in 0..len {
            let mut longer = shorter.clone();
            longer.insert(at, last);
            all.push(longer);
        }
    }
    all
}

fn blank_last(len: usize) -> Board {
    (1..len).chain([0]).collect()
}

#[test]
fn heuristics_and_methods_on_the_8_puzzle() {
    let cases = [(false, vec![1, 2, 3, 8, 0, 4, 7, 6, 5]), (true, (0..9).collect()), (false, blank_last(9))];
    for (by_tile, goal) in cases.into_iter().take(amount(2, 3)) {
        let exact = distances(&goal, 3, by_tile);
        assert_eq!(exact.len(), 181_440);
        let mut boards: Vec<_> = exact.iter().collect();
        boards.sort();
        let settings = format!("goal: {}; cost: {};", text(&goal, 3), if by_tile { "tile" } else { "unit" });
        let none = Limits::none();
        for (at, (board, &exact)) in boards.into_iter().enumerate().step_by(amount(331, 3)) {
            let line = format!("{settings}{}", text(board, 3));
            let tiles = parse::<Tiles>(&line, &Options::default()).expect("valid");
            let home = |tile: usize| goal.iter().position(|&other| other == tile).expect("all tiles");
            let price = |tile: usize| if by_tile { tile as u32 } else { 1 };
            let away = |cell: usize, home: usize| (cell / 3).abs_diff(home / 3) + (cell % 3).abs_diff(home % 3);
            let sum = |of: &dyn Fn(usize, usize) -> usize| {
                board
                    .iter()
                    .enumerate()
                    .filter(|(_, tile)| **tile > 0)
                    .map(|(cell, &tile)| of(cell, home(tile)) as u32 * price(tile))
                    .sum::<u32>()
            };
            let estimate = |name: &str| {
                let heuristic = Tiles::HEURISTICS.iter().find(|heuristic| heuristic.name == name).expect("exists");
                (heuristic.build)(&tiles, &none).and_then(|estimate| estimate.at(&tiles, &tiles.start(), &none)).expect("no limit")
            };
            assert_eq!(estimate("misplaced"), sum(&|cell, home| usize::from(cell != home)), "{line}");
            let manhattan = sum(&away);
            assert_eq!(estimate("manhattan"), manhattan, "{line}");
            let conflict = estimate("conflict");
            assert!(manhattan <= conflict && conflict <= exact, "{line}: {manhattan} {conflict} {exact}");
            assert_eq!(conflict, manhattan + conflicts(board, &goal, &price), "{line}");
            if at % amount(331 * 20, 300) == 0 {
                let puzzle = open("tiles", &line, &[]);
                for method in ["astar:conflict", "astar:manhattan", "idastar:manhattan", "bidirectional", "course:korf"] {
                    assert_eq!(least(&*puzzle, method), Some(exact), "{line} {method}");
                }
            }
        }
    }
}

/// The amount by which `conflict` exceeds `manhattan` on a 3 x 3 board. For each row and column, it is twice the price of the cheapest set
/// of tiles whose removal leaves the tiles that belong in this row or column in the right order; every set is tried.
fn conflicts(board: &Board, goal: &Board, price: &dyn Fn(usize) -> u32) -> u32 {
    let rows = (0..3).map(|row| [3 * row, 3 * row + 1, 3 * row + 2]);
    let columns = (0..3).map(|column| [column, column + 3, column + 6]);
    let line = |cells: [usize; 3]| {
        let place = |tile: usize| cells.iter().position(|&cell| tile > 0 && goal[cell] == tile);
        let fits = |kept: usize| {
            let places: Vec<usize> = (0..3).filter(|at| kept >> at & 1 == 1).filter_map(|at| place(board[cells[at]])).collect();
            places.is_sorted()
        };
        let left_out = |kept: usize| {
            (0..3).filter(|at| kept >> at & 1 == 0).map(|at| board[cells[at]]).filter(|&tile| place(tile).is_some()).map(price).sum::<u32>()
        };
        2 * (0..8).filter(|&kept| fits(kept)).map(left_out).min().expect("the empty set fits")
    };
    rows.chain(columns).map(line).sum()
}

#[test]
fn every_small_board_is_solved_or_refuted() {
    for (columns, len) in [(1, 2), (2, 2), (3, 3), (1, 4), (5, 5), (2, 4), (3, 6), (2, 6)] {
        let goal = blank_last(len);
        for by_tile in [false, true] {
            let exact = distances(&goal, columns, by_tile);
            let cost = if by_tile { "cost: tile;" } else { "" };
            for board in permutations(len).iter().step_by(if len == 6 { amount(7, 1) } else { 1 }) {
                let line = format!("{cost}{}", text(board, columns));
                let puzzle = open("tiles", &line, &[]);
                for method in [None, Some("course:korf")] {
                    assert_eq!(least(&*puzzle, method), exact.get(board).copied(), "{line} {method:?}");
                }
                let tiles = parse::<Tiles>(&line, &Options::default()).expect("valid");
                let (proofs, none) = (Tiles::PROOFS.expect("it has proofs"), Limits::none());
                let proof = (proofs.refute)(&tiles, &tiles.start(), &none);
                // Some boards with a single row or column can neither be solved nor refuted by parity.
                let is_line = columns == 1 || columns == len;
                assert!(proof.is_none() || !exact.contains_key(board), "{line}");
                assert!(is_line || proof.is_some() != exact.contains_key(board), "{line}");
                let claimed = Certificate { kind: "parity".to_owned(), claim: String::new(), data: Default::default() };
                assert_eq!((proofs.check)(&tiles, &tiles.start(), &claimed, &none).is_ok(), proof.is_some(), "{line}");
            }
        }
    }
}

#[test]
fn the_14_15_puzzle_is_refuted_at_once() {
    let puzzle = open("tiles", &file("instances/tiles/loyd.txt"), &[]);
    let report = puzzle.solve(&Choice::default(), &Limits::nodes(1)).expect("no fault");
    assert!(report.verified && report.stats.expanded == 0, "{report:?}");
    let Answer::Unsolvable { why: Why::Certificate(proof) } = report.answer else { panic!("not refuted") };
    assert_eq!(proof.kind, "parity");
    assert!(proof.claim.contains("even number of moves") && proof.claim.contains("odd number of swaps"), "{}", proof.claim);
    // The goal is arbitrary: if 14 and 15 are also swapped in the goal, the board is already solved.
    let swapped = open("tiles", &file("instances/tiles/loyd.txt"), &["goal=1 2 3 4|5 6 7 8|9 10 11 12|13 15 14 0"]);
    assert_eq!(least(&*swapped, None), Some(0));
}

/// OEIS A089473, and the same counts for other boards.
#[test]
fn numbers_of_boards_at_each_distance() {
    let layers = |board: &str| -> Vec<u64> {
        let space = open("tiles", board, &[]).explore(&Limits::none());
        space.explored.layers.iter().map(|layer| layer.states).collect()
    };
    let eight = layers("1 2 3|4 5 6|7 8 0");
    assert_eq!((eight.iter().sum::<u64>(), eight.len() - 1, eight.last()), (181_440, 31, Some(&2)));
    assert_eq!(eight[..12], [1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396]);
    assert_eq!(layers("1 2 3|4 5 0"), [1, 2, 3, 5, 6, 7, 10, 12, 12, 16, 23, 25, 28, 39, 44, 40, 29, 21, 18, 12, 6, 1]);
    assert_eq!(layers("1 2 0").len(), 3);
    if amount(false, true) {
        let ten = layers("1 2 3 4 5|6 7 8 9 0");
        assert_eq!((ten.iter().sum::<u64>(), ten.len() - 1), (1_814_400, 55));
    }
}

/// IDA* as in Korf's paper, in its simplest form.
struct Plain {
    board: [usize; 16],
    generated: u64,
    bound: u32,
    next: u32,
}

impl Plain {
    /// The distance of a tile from its place, if the blank is first in the goal.
    fn away(tile: usize, cell: usize) -> u32 {
        if tile == 0 { 0 } else { ((tile / 4).abs_diff(cell / 4) + (tile % 4).abs_diff(cell % 4)) as u32 }
    }

    /// The generated nodes and the cost of the plan.
    fn solve(board: [usize; 16]) -> (u64, u32) {
        let estimate = board.iter().enumerate().map(|(cell, &tile)| Plain::away(tile, cell)).sum();
        let blank = board.iter().position(|&tile| tile == 0).expect("a blank");
        let mut search = Plain { board, generated: 1, bound: estimate, next: u32::MAX };
        while !search.dive(blank, 16, 0, estimate) {
            (search.bound, search.next) = (search.next, u32::MAX);
        }
        (search.generated, search.bound)
    }

    fn dive(&mut self, blank: usize, before: usize, depth: u32, estimate: u32) -> bool {
        if estimate == 0 {
            return true;
        }
        let sides = [
            (blank >= 4, blank.wrapping_sub(4)),
            (!blank.is_multiple_of(4), blank.wrapping_sub(1)),
            (blank % 4 < 3, blank + 1),
            (blank < 12, blank + 4),
        ];
        for (_, from) in sides.into_iter().filter(|&(is_inside, from)| is_inside && from != before) {
            self.generated += 1;
            let tile = self.board[from];
            let left = estimate + Plain::away(tile, blank) - Plain::away(tile, from);
            if depth + 1 + left > self.bound {
                self.next = self.next.min(depth + 1 + left);
                continue;
            }
            self.board.swap(blank, from);
            if self.dive(from, blank, depth + 1, left) {
                return true;
            }
            self.board.swap(blank, from);
        }
        false
    }
}

/// The numbers, in Korf's list, of the boards that take the fewest nodes, easiest first.
const EASIEST: [usize; 40] = [
    79, 12, 42, 55, 97, 19, 94, 47, 93, 9, 74, 48, 30, 86, 31, 85, 73, 28, 45, 61, 95, 90, 57, 71, 81, 78, 5, 13, 96, 58, 2, 23, 20, 16,
    77, 65, 39, 34, 46, 62,
];

#[test]
fn korf_counts_like_a_plain_loop() {
    let list = file("instances/tiles/korf100.list");
    let boards: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(boards.len(), 100);
    for number in EASIEST.into_iter().take(amount(3, 40)) {
        let line = boards[number - 1];
        let numbers: Vec<usize> =
            line.strip_prefix("goal: blank-first; ").expect("a goal").split(['|', ' ']).map(|n| n.parse().expect("a tile")).collect();
        let (generated, cost) = Plain::solve(numbers.try_into().expect("16 cells"));
        let tiles = parse::<Tiles>(line, &Options::default()).expect("valid");
        let korf = Tiles::SOLVERS.iter().find(|solver| solver.name == "course:korf").expect("exists");
        let outcome = (korf.run)(&tiles, &tiles.start(), &Limits::none());
        assert_eq!((outcome.stats.generated, proved(&tiles, &tiles.start(), &outcome)), (generated, Some(cost)), "board {number}");
        let published = [(79, 540_860, 42), (12, 546_344, 45)].into_iter().find(|known| known.0 == number);
        assert!(published.is_none_or(|(_, known, least)| (known, least) == (generated, cost)), "board {number}");
    }
}

#[test]
fn korf_keeps_its_limits() {
    let line = file("instances/tiles/korf100.list").lines().nth(2).expect("board 1").to_owned();
    let puzzle = open("tiles", &line, &[]);
    let (choice, distance) = (Choice::method("course:korf"), 41);
    for (limits, limit) in [
        (Limits::nodes(100_000), Limit::Nodes),
        (stopped(), Limit::Time),
        (Limits::until(|progress| progress.expanded > 50_000), Limit::Time),
        (Limits { bytes: 10, ..Limits::none() }, Limit::Memory),
    ] {
        let report = puzzle.solve(&choice, &limits).expect("no fault");
        assert!(matches!(report.answer, Answer::Unknown { limit: hit, lower, .. } if hit == limit && lower >= distance), "{report:?}");
        assert!(report.stats.expanded <= 100_000 && report.stats.generated <= 3 * report.stats.expanded + 1);
    }
}

#[test]
fn settings_are_read_from_lines_and_options() {
    let goal = |text: &str, given: &[&str]| open("tiles", text, given).instance();
    for (text, given) in [
        ("goal: blank-first\ncost: tile\n7 2 4\n5 _ 6\n8 3 1\n", &[] as &[&str]),
        ("goal: blank-first; cost: tile; 7 2 4|5 0 6|8 3 1", &[]),
        ("goal: 0 1 2|3 4 5|6 7 8; cost: tile; 7,2,4/5,0,6/8,3,1", &[]),
        ("# a comment\n7 2 4|5 0 6|8 3 1; cost:tile;", &["goal=blank-first"]),
        ("cost: tile\r\n7\t2  4\r\n\r\n5 0 6\r\n8 3 1", &["goal=_ 1 2|3 4 5|6 7 8", "cost=tile"]),
    ] {
        assert_eq!(goal(text, given), "goal: blank-first\ncost: tile\n7 2 4\n5 0 6\n8 3 1\n", "{text}");
    }
    assert_eq!(goal("goal: 1 2 3|4 5 6|7 8 0; 7 2 4|5 0 6|8 3 1", &["cost=unit"]), "7 2 4\n5 0 6\n8 3 1\n");
    assert_eq!(goal("2 3|1 0", &["goal=2 3|0 1"]), "goal: 2 3|0 1\n2 3\n1 0\n");
    refused("tiles", "goal: blank-last; 1 2|3 0", &["goal=blank-first"], "`goal` cannot be both `blank-first` and `blank-last`");
    refused("tiles", "1 2|3 0", &["goal=1 2 3|0 4 5"], "option `goal: 1 2 3|0 4 5`: the goal is 2 x 3, but the board is 2 x 2");
    // Input that is far too long is refused before it is split into numbers.
    refused("tiles", &"1 ".repeat(1_000_000), &[], "the board is too large");
    let late = Tiles::read(&Input::new("1 2|3 0", &Options::default(), &Limits::none()));
    assert!(late.is_ok());
}

#[test]
fn generated_boards_can_be_solved_and_have_the_options() {
    let generator = Tiles::INFO.generator.expect("it has a generator");
    let make = |seed: u64, given: &[&str]| {
        (generator.make)(&mut Random::new(seed), &options(given, generator.options), &Limits::none()).expect("valid options")
    };
    let mut blanks = [0; 2];
    for seed in 0..amount(40, 400) {
        let tiles = make(seed, &[]);
        assert!((Tiles::PROOFS.expect("it has proofs").refute)(&tiles, &tiles.start(), &Limits::none()).is_none());
        let line = tiles.line(&tiles.start());
        blanks[line.split(['|', ' ']).position(|tile| tile == "0").expect("a blank") % 2] += 1;
    }
    assert!(blanks.iter().all(|&count| count > 8), "the blank is equally often on both colors: {blanks:?}");
    let given = ["rows=2", "columns=4", "steps=7", "goal=blank-first", "cost=tile"];
    let tiles = make(1, &given);
    let written = tiles.write(&tiles.start());
    assert!(written.starts_with("goal: blank-first\ncost: tile\n") && written.lines().count() == 4, "{written}");
    let plan = solve(&*open("tiles", &written.replace("cost: tile\n", ""), &[]), "bfs");
    assert!(matches!(plan.answer, Answer::Solved { cost, .. } if cost <= 7 && cost % 2 == 1), "{plan:?}");
    let line = make(5, &["rows=1", "columns=5"]);
    assert!(least(&*open("tiles", &line.write(&line.start()), &[]), None).is_some());
    let refused = (generator.make)(&mut Random::new(1), &options(&["rows=1", "columns=1"], generator.options), &Limits::none());
    assert!(refused.is_err());
}

#[test]
fn a_plan_is_a_list_of_tiles() {
    let report = solve(&*open("tiles", "1 2 3|4 5 6|0 7 8", &[]), None);
    assert_eq!(report.json(0.0)["moves"], serde_json::json!([7, 8]));
    let outcome =
        (Tiles::SOLVERS[0].run)(&parse("3 1 2|4 0 5", &Options::default()).expect("valid"), &start("3 1 2|4 0 5"), &Limits::none());
    assert!(matches!(outcome.verdict, Verdict::Solved { .. } | Verdict::Unsolvable(_)));
}

fn start(text: &str) -> <Tiles as Rules>::State {
    parse::<Tiles>(text, &Options::default()).expect("valid").start()
}
