//! The pattern databases of tiles: every value of a table is compared with distances found using only the rules.

use std::collections::{HashMap, VecDeque};

use kibitzer::games::tiles::Tiles;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Input, Notation, Options, parse};
use kibitzer::random::Random;
use kibitzer::rules::{Cost, Problem, Rules};
use kibitzer::search;

use crate::common::amount;

/// Distances to the goal of all boards with this number of columns, by breadth-first or uniform-cost search on plain lists. Tiles that are
/// not in `counted` are interchangeable, and their moves cost nothing.
fn distances(goal: &[u8], columns: usize, counted: &[u8], price: impl Fn(u8) -> Cost) -> HashMap<Vec<u8>, Cost> {
    let plain = |tile: u8| if tile == 0 || counted.contains(&tile) { tile } else { 99 };
    let mut known: HashMap<Vec<u8>, Cost> = HashMap::new();
    let mut levels: Vec<VecDeque<Vec<u8>>> = vec![VecDeque::from([goal.iter().map(|&tile| plain(tile)).collect()])];
    let mut cost = 0;
    while cost < levels.len() {
        while let Some(board) = levels[cost].pop_front() {
            if known.contains_key(&board) {
                continue;
            }
            known.insert(board.clone(), cost as Cost);
            let blank = board.iter().position(|&tile| tile == 0).expect("a blank");
            for other in 0..board.len() {
                let (row, column) = (blank / columns, blank % columns);
                if (other / columns).abs_diff(row) + (other % columns).abs_diff(column) == 1 {
                    let mut after = board.clone();
                    after.swap(blank, other);
                    let next = cost + if board[other] == 99 { 0 } else { price(board[other]) as usize };
                    levels.resize_with(levels.len().max(next + 1), VecDeque::new);
                    levels[next].push_back(after);
                }
            }
        }
        cost += 1;
    }
    known
}

/// The heuristic as a function of a board.
fn pattern(text: &str) -> impl Fn(&[u8]) -> Cost {
    let tiles = parse::<Tiles>(text, &Options::default()).expect("valid");
    let heuristic = search::heuristics(&tiles).into_iter().find(|known| known.name == "pattern").expect("it has patterns");
    assert!(heuristic.admissible && !heuristic.consistent);
    let estimate = (heuristic.build)(&tiles, &Limits::none()).expect("no limit");
    let settings: String = text.lines().filter(|line| line.contains(':')).map(|line| format!("{line}\n")).collect();
    let columns = text.lines().last().expect("rows").split(' ').count();
    move |board| {
        let rows: Vec<String> = board.chunks(columns).map(|row| row.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")).collect();
        let there = parse::<Tiles>(&format!("{settings}{}", rows.join("\n")), &Options::default()).expect("valid");
        estimate.at(&tiles, &there.start(), &Limits::none()).expect("no limit")
    }
}

/// A board, the cells of its goal, the number of columns, the groups of tiles, and the price of a tile.
type Case<'a> = (&'a str, &'a [u8], usize, &'a [&'a [u8]], fn(u8) -> Cost);

/// On small boards, the estimate is the sum over the groups of the exact distances of projected boards, minimized over the blank. It never
/// exceeds the exact distance, and equals it if there is only one group.
#[test]
fn estimates_are_sums_of_exact_distances() {
    let unit: fn(u8) -> Cost = |_| 1;
    let by_tile: fn(u8) -> Cost = Cost::from;
    let cases: [Case<'_>; 5] = [
        ("1 2 3\n4 5 6\n7 0 8", &[1, 2, 3, 4, 5, 6, 7, 8, 0], 3, &[&[8, 7, 6, 5], &[4, 3, 2, 1]], unit),
        ("cost: tile\npatterns: 3-5\n1 2 3\n4 5 6\n7 0 8", &[1, 2, 3, 4, 5, 6, 7, 8, 0], 3, &[&[8, 7, 6], &[1, 2, 3, 4, 5]], by_tile),
        ("goal: blank-first\npatterns: 2-6\n1 2 3\n4 5 6\n7 0 8", &[0, 1, 2, 3, 4, 5, 6, 7, 8], 3, &[&[1, 2], &[3, 4, 5, 6, 7, 8]], unit),
        ("1 2 3\n4 0 5", &[1, 2, 3, 4, 5, 0], 3, &[&[1, 2, 3, 4, 5]], unit),
        (
            "goal: 1 2 3|8 0 4|7 6 5\npatterns: 4-4\n1 2 3\n8 0 4\n7 6 5",
            &[1, 2, 3, 8, 0, 4, 7, 6, 5],
            3,
            &[&[5, 6, 7, 4], &[8, 3, 2, 1]],
            unit,
        ),
    ];
    for (text, goal, columns, groups, price) in cases.into_iter().take(amount(2, 5)) {
        let whole: Vec<u8> = (1..goal.len() as u8).collect();
        let exact = distances(goal, columns, &whole, price);
        let mut parts = vec![HashMap::new(); groups.len()];
        for (group, part) in groups.iter().zip(&mut parts) {
            for (board, cost) in distances(goal, columns, group, price) {
                let places: Vec<usize> = group.iter().map(|tile| board.iter().position(|other| other == tile).expect("there")).collect();
                let least = part.entry(places).or_insert(cost);
                *least = cost.min(*least);
            }
        }
        let estimate = pattern(text);
        let mut random = Random::new(5);
        let mut boards: Vec<&Vec<u8>> = exact.keys().collect();
        boards.sort();
        for _ in 0..amount(3_000, 30_000) {
            let board = boards[random.below(boards.len())];
            let place = |tile: &u8| board.iter().position(|other| other == tile).expect("there");
            let sum: Cost = groups.iter().zip(&parts).map(|(group, part)| part[&group.iter().map(place).collect::<Vec<_>>()]).sum();
            assert_eq!(estimate(board), sum, "{text}: {board:?}");
            assert!(sum <= exact[board] && (groups.len() > 1 || sum == exact[board]), "{text}: {board:?}");
        }
    }
}

/// On the 15-puzzle, the sum of all groups is never less than the Manhattan distance and never more than the length of a random walk from
/// the goal, and has the parity of that length. A short run uses smaller groups.
#[test]
fn estimates_of_the_15_puzzle_are_lower_bounds() {
    let sizes = amount("patterns: 3-3-3-3-3\n", "");
    let tiles = parse::<Tiles>(&format!("{sizes}1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0"), &Options::default()).expect("valid");
    let heuristic = |name: &str| {
        let found = search::heuristics(&tiles).into_iter().find(|known| known.name == name).expect("listed");
        (found.build)(&tiles, &Limits::none()).expect("no limit")
    };
    let (pattern, manhattan) = (heuristic("pattern"), heuristic("manhattan"));
    assert_eq!(pattern.bytes(), amount(5 * 3_360, 3 * 524_160));
    let mut random = Random::new(3);
    let (mut better, mut count) = (0, 0);
    for _ in 0..20 {
        let mut state = tiles.start();
        for steps in 0..200 {
            let value = |estimate: &kibitzer::rules::Estimate<Tiles>| estimate.at(&tiles, &state, &Limits::none()).expect("no limit");
            let (here, plain) = (value(&pattern), value(&manhattan));
            assert!(here <= steps && here % 2 == steps % 2 && here >= plain, "{state:?}: {here} after {steps} steps, manhattan {plain}");
            (better, count) = (better + u32::from(here > plain), count + 1);
            let mut moves = Vec::new();
            tiles.moves(&state, &mut moves);
            state = tiles.apply(&state, &moves[random.below(moves.len())]);
        }
    }
    assert!(better > count / amount(20, 2), "{better} of {count}");
}

#[test]
fn groups_are_checked_and_need_memory() {
    let board = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0 15";
    let read = |sizes: &str, limits: &Limits| {
        let text = format!("patterns: {sizes}\n{board}");
        let options = Options::default();
        let input = Input::new(&text, &options, limits);
        let read = Tiles::read(&input);
        (read, input.notes())
    };
    for wrong in ["", "5-5", "5-5-6", "15-0", "a-b", "5-5-5-", "9223372036854775807-9223372036854775807", "15", "9-6"] {
        let (read, _) = read(wrong, &Limits::none());
        assert!(read.err().is_some_and(|error| error.to_string().contains("line 1")), "`{wrong}`");
    }
    let small = Limits { bytes: 100_000_000, ..Limits::none() };
    let (large, notes) = read("7-8", &small);
    assert!(notes.len() == 1 && notes[0].contains("7-8") && notes[0].contains("--memory"), "{notes:?}");
    let large = large.expect("valid");
    let heuristic = search::heuristics(&large).into_iter().find(|known| known.name == "pattern").expect("listed");
    assert_eq!((heuristic.build)(&large, &small).err(), Some(Limit::Memory));
    let (few, notes) = read("3-3-3-3-3", &small);
    assert!(few.is_ok() && notes.is_empty(), "{notes:?}");
    assert!(Tiles::PATTERNS.is_some_and(|patterns| patterns.additive));
}
