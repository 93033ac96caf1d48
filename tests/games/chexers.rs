//! Compares Chexers with a second, simple implementation of the rules that shares no code with the library and solves random boards by
//! breadth-first search. Altered certificates are rejected.

use std::collections::{BTreeSet, HashSet};

use kibitzer::catalog::{Choice, Puzzle};
use kibitzer::games::chexers::Chexers;
use kibitzer::limits::Limits;
use kibitzer::notation::{Input, Notation, Options};
use kibitzer::outcome::{Certificate, Why};
use kibitzer::report::{Answer, Claim};
use proptest::prelude::*;
use proptest::sample::subsequence;
use serde_json::json;

use crate::common::{amount, least, open, refused, solve};

pub type Hex = (i32, i32);

/// The least cost by breadth-first search over sets of hexes, with one bit per hex.
fn chexers(radius: i32, color: &str, pieces: &[Hex], blocks: &[Hex]) -> Option<u32> {
    let all = hexes(radius);
    let bit = |hex: Hex| all.iter().position(|&known| known == hex).map_or(0, |at| 1_u64 << at);
    let set = |hexes: &[Hex]| hexes.iter().fold(0, |set, &hex| set | bit(hex));
    let blocked = set(blocks);
    let is_exit = |(q, r): Hex| match color {
        "red" => q == radius,
        "green" => r == radius,
        _ => q + r == -radius,
    };
    // For each direction, the adjacent hex and the one behind it; 0 if off the board.
    let around =
        |(q, r): Hex| [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)].map(|(dq, dr)| [1, 2].map(|n| bit((q + n * dq, r + n * dr))));
    let around: Vec<[[u64; 2]; 6]> = all.iter().map(|&hex| around(hex)).collect();
    let mut layer = HashSet::from([set(pieces)]);
    let mut seen = layer.clone();
    for depth in 0.. {
        if layer.contains(&0) {
            return Some(depth);
        }
        let mut next = HashSet::new();
        for &board in &layer {
            for (at, &hex) in all.iter().enumerate().filter(|(at, _)| board >> at & 1 == 1) {
                let others = board & !(1 << at);
                if is_exit(hex) && blocked >> at & 1 == 0 {
                    next.insert(others);
                }
                let taken = board | blocked;
                for [near, far] in around[at] {
                    let to = if near & taken == 0 { near } else { far };
                    if to != 0 && to & taken == 0 {
                        next.insert(others | to);
                    }
                }
            }
        }
        next.retain(|&board| seen.insert(board));
        if next.is_empty() {
            return None;
        }
        layer = next;
    }
    unreachable!("the boards are finite")
}

pub fn hexes(radius: i32) -> Vec<Hex> {
    let all = (-radius..=radius).flat_map(|q| (-radius..=radius).map(move |r| (q, r)));
    all.filter(|(q, r)| (q + r).abs() <= radius).collect()
}

/// A radius, and disjoint sets of pieces and blocks on a board of that radius.
fn board() -> impl Strategy<Value = (i32, Vec<Hex>, Vec<Hex>)> {
    (1i32..=3, 0usize..=3).prop_flat_map(|(radius, pieces)| {
        let all = hexes(radius);
        let pieces = pieces.min(all.len() / 3);
        let blocks = 0..=(all.len() * 2 / 3);
        let chosen = subsequence(all.clone(), pieces..=all.len().min(pieces + blocks.end()));
        (Just(radius), chosen.prop_shuffle(), Just(pieces)).prop_map(|(radius, mut chosen, pieces)| {
            let blocks = chosen.split_off(pieces);
            (radius, chosen, blocks)
        })
    })
}

fn read(radius: i32, color: &str, pieces: &[Hex], blocks: &[Hex]) -> Box<dyn Puzzle> {
    let list = |hexes: &[Hex]| hexes.iter().map(|(q, r)| format!("[{q},{r}]")).collect::<Vec<_>>().join(",");
    let text = format!(r#"{{"colour":"{color}","radius":{radius},"pieces":[{}],"blocks":[{}]}}"#, list(pieces), list(blocks));
    open("chexers", &text, &[])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: amount(30, 150), ..ProptestConfig::default() })]

    #[test]
    fn chexers_agrees_with_plain_breadth_first_search((radius, pieces, blocks) in board(), color in prop::sample::select(vec!["red", "green", "blue"])) {
        let puzzle = read(radius, color, &pieces, &blocks);
        let plain = chexers(radius, color, &pieces, &blocks);
        for method in [None, Some("bfs"), Some("ucs"), Some("astar:relaxed"), Some("bidirectional")] {
            prop_assert_eq!(least(&*puzzle, method), plain, "{:?}", method);
        }
    }

    /// Mirror-symmetric blocks, and pieces that start on blocked exits: cases in which a symmetry reduction could go wrong.
    #[test]
    fn chexers_is_right_on_symmetric_boards((radius, pieces, blocks) in board(), on_exit in prop::collection::vec(-3i32..=3, 0..3)) {
        let mirror = |&(q, r): &Hex| (q, -q - r);
        let mut blocks: BTreeSet<Hex> = blocks.iter().flat_map(|hex| [*hex, mirror(hex)]).collect();
        let mut pieces: BTreeSet<Hex> = pieces.into_iter().collect();
        for r in on_exit.into_iter().filter(|&r| (-radius..=0).contains(&r)) {
            blocks.extend([(radius, r), mirror(&(radius, r))]);
            pieces.insert((radius, r));
        }
        pieces.retain(|&(q, r)| !blocks.contains(&(q, r)) || q == radius);
        // Boards with six pieces have millions of positions, so the short run uses at most four.
        let (pieces, blocks): (Vec<Hex>, Vec<Hex>) = (pieces.into_iter().take(amount(4, 6)).collect(), blocks.into_iter().collect());
        let puzzle = read(radius, "red", &pieces, &blocks);
        let plain = chexers(radius, "red", &pieces, &blocks);
        for method in ["bfs", "astar:relaxed", "astar:endgame", "idastar:endgame", "bidirectional"] {
            let report = puzzle.solve(&Choice::method(method), &Limits::nodes(amount(10_000, 50_000))).expect("no fault");
            if let Answer::Solved { cost, optimal, .. } = report.answer {
                prop_assert_eq!((Some(cost), optimal), (plain, true), "{}", method);
            } else if report.verdict() == "unsolvable" {
                prop_assert_eq!(plain, None, "{}", method);
            }
        }
    }

    /// The documentation proves that every unsolvable board has an enclosed piece.
    #[test]
    fn chexers_boards_without_solution_have_a_certificate((radius, pieces, blocks) in board()) {
        let report = solve(&*read(radius, "red", &pieces, &blocks), None);
        let by_certificate = matches!(&report.answer, Answer::Unsolvable { why: Why::Certificate(_) });
        prop_assert_eq!(by_certificate, report.verdict() == "unsolvable");
    }
}

/// Plain searches with four pieces are slow, so only a few boards are tested.
#[test]
fn chexers_with_four_pieces_agrees_with_plain_search() {
    let mut random = kibitzer::random::Random::new(99);
    for _ in 0..amount(2, 6) {
        let mut all = hexes(3);
        random.shuffle(&mut all, 37);
        let (pieces, blocks) = (&all[..4], &all[4..4 + random.below(16)]);
        let plain = chexers(3, "green", pieces, blocks);
        assert_eq!(least(&*read(3, "green", pieces, blocks), None), plain, "{pieces:?} {blocks:?}");
    }
}

/// The note gives the position of the first repeated block, but only the number of the others, since there may be many.
#[test]
fn repeated_blocks_are_noted_and_two_pieces_on_a_hex_are_refused() {
    let (options, limits) = (Options::default(), Limits::none());
    let notes = |blocks: &str| {
        let text = format!("colour: red; pieces: (0,0); blocks: {blocks}");
        let input = Input::new(&text, &options, &limits);
        Chexers::read(&input).map(|_| input.notes()).expect("accepted")
    };
    let first = "line 1, column 49: the block at (1, 0) is listed twice; it is counted once";
    assert_eq!(notes("(1,0) (2,0)"), [""; 0]);
    assert_eq!(notes("(1,0)(2,0) (1,0)"), [first]);
    assert_eq!(notes("(1,0)(2,0) (1,0) (2,0)"), [first, "one more block is repeated"]);
    assert_eq!(notes("(1,0)(2,0) (1,0) (2,0) (1,0)"), [first, "2 more blocks are repeated"]);
    refused("chexers", "colour: red; pieces: (0,0) (0,0)", &[], "there is already a piece at (0, 0)");
}

/// A certificate is valid only for its own board.
#[test]
fn certificates_are_checked() {
    let exits = [(3, -3), (3, -2), (3, -1), (3, 0)];
    let walled = read(3, "red", &[(-3, 0), (0, 0)], &exits);
    let report = solve(&*walled, None);
    let Answer::Unsolvable { why: Why::Certificate(certificate) } = &report.answer else { panic!("{report:?}") };
    assert!(report.verified && report.stats.expanded == 0);
    let check =
        |puzzle: &dyn Puzzle, certificate: Certificate| puzzle.check(&Claim::from(Why::Certificate(certificate)), &Limits::nodes(0));
    assert!(check(&*walled, certificate.clone()).is_ok());
    let more = json!([certificate.data["region"].as_array().expect("a list").as_slice(), &[json!([3, 0, 1])]].concat());
    for (field, value, expected) in [
        ("piece", json!([1, 1]), "no piece at"),
        ("piece", json!([9, 9]), "not a hex"),
        ("piece", json!(["x", null]), "not a hex"),
        ("region", json!([[0, 0]]), "does not contain"),
        ("region", json!([[-3, 0]]), "can be reached"),
        ("region", more, "not a hex"),
    ] {
        let mut wrong = certificate.clone();
        wrong.data[field] = value;
        assert!(check(&*walled, wrong).is_err_and(|error| error.contains(expected)), "{field}: {expected}");
    }
    let mut without = certificate.clone();
    without.data.remove("piece");
    assert!(check(&*walled, without).is_err_and(|error| error.contains("has no `piece`")));
    let magic = Certificate { kind: "magic".into(), ..certificate.clone() };
    assert!(check(&*walled, magic).is_err_and(|error| error.contains("no certificates of kind")));
    let open = read(3, "red", &[(-3, 0), (0, 0)], &exits[..3]);
    assert!(check(&*open, certificate.clone()).is_err());
    assert!(open.check(&Claim::from(Why::Exhausted { states: 5 }), &Limits::nodes(300_000)).is_err(), "the board is solvable");
}
