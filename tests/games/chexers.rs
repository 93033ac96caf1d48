//! Chexers against rules written once more, in the plainest way and sharing nothing with the library: random boards are solved
//! by breadth-first search over them. Certificates that were tampered with are refused.

use std::collections::{BTreeSet, HashSet};

use kibitzer::catalog::{Choice, Puzzle};
use kibitzer::games;
use kibitzer::games::chexers::Chexers;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Input, Notation, Options, ReadError, parse};
use kibitzer::outcome::Why;
use kibitzer::report::{Answer, Claim};
use proptest::prelude::*;
use proptest::sample::subsequence;

fn answer(puzzle: &dyn Puzzle, method: Option<&str>) -> Option<u32> {
    let choice = method.map_or_else(Choice::default, Choice::method);
    let report = puzzle.solve(&choice, &Limits::none()).expect("no fault");
    match report.answer {
        Answer::Solved { cost, optimal: true, .. } => Some(cost),
        Answer::Unsolvable { .. } => None,
        other => panic!("{other:?}"),
    }
}

pub type Hex = (i32, i32);

/// Chexers once more: sets of coordinates, breadth first.
fn chexers(radius: i32, color: &str, pieces: &[Hex], blocks: &[Hex]) -> Option<u32> {
    let on_board = |(q, r): Hex| [q, r, -q - r].iter().all(|c| (-radius..=radius).contains(c));
    let can_exit = |(q, r): Hex| {
        !blocks.contains(&(q, r))
            && match color {
                "red" => q == radius,
                "green" => r == radius,
                _ => q + r == -radius,
            }
    };
    let mut layer = HashSet::from([pieces.iter().copied().collect::<BTreeSet<Hex>>()]);
    let mut seen = layer.clone();
    for depth in 0.. {
        if layer.iter().any(BTreeSet::is_empty) {
            return Some(depth);
        }
        let mut next = HashSet::new();
        for board in &layer {
            for &(q, r) in board {
                let mut others = board.clone();
                others.remove(&(q, r));
                if can_exit((q, r)) {
                    next.insert(others.clone());
                }
                let taken = |hex: Hex| blocks.contains(&hex) || board.contains(&hex);
                for (dq, dr) in [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)] {
                    let (near, far) = ((q + dq, r + dr), (q + 2 * dq, r + 2 * dr));
                    let to = match (on_board(near) && !taken(near), on_board(far) && taken(near) && !taken(far)) {
                        (true, _) => near,
                        (_, true) => far,
                        _ => continue,
                    };
                    let mut after = others.clone();
                    after.insert(to);
                    next.insert(after);
                }
            }
        }
        layer = next.into_iter().filter(|board| seen.insert(board.clone())).collect();
        if layer.is_empty() {
            return None;
        }
    }
    unreachable!("the boards are finite")
}

pub fn hexes(radius: i32) -> Vec<Hex> {
    let all = (-radius..=radius).flat_map(|q| (-radius..=radius).map(move |r| (q, r)));
    all.filter(|(q, r)| (q + r).abs() <= radius).collect()
}

/// A radius, and pieces and blocks on different hexes of that board.
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
    games::find("chexers").expect("listed").parse(&text, &Options::default()).expect("a sound board")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::common::amount(30, 400), ..ProptestConfig::default() })]

    #[test]
    fn chexers_agrees_with_plain_breadth_first_search((radius, pieces, blocks) in board(), color in prop::sample::select(vec!["red", "green", "blue"])) {
        let puzzle = read(radius, color, &pieces, &blocks);
        let least = chexers(radius, color, &pieces, &blocks);
        prop_assert_eq!(answer(&*puzzle, None), least);
        for method in ["bfs", "ucs", "astar:relaxed", "bidirectional"] {
            prop_assert_eq!(answer(&*puzzle, Some(method)), least, "{}", method);
        }
    }

    /// Blocks that are their own mirror image, and pieces that may start on blocked exits: where symmetry can go wrong.
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
        let (pieces, blocks): (Vec<Hex>, Vec<Hex>) = (pieces.into_iter().collect(), blocks.into_iter().collect());
        let puzzle = read(radius, "red", &pieces, &blocks);
        let least = chexers(radius, "red", &pieces, &blocks);
        for method in ["bfs", "astar:relaxed", "astar:endgame", "idastar:endgame", "bidirectional"] {
            let report = puzzle.solve(&Choice::method(method), &Limits::nodes(crate::common::amount(10_000, 100_000))).expect("no fault");
            if let Answer::Solved { cost, optimal, .. } = report.answer {
                prop_assert_eq!((Some(cost), optimal), (least, true), "{}", method);
            } else if report.verdict() == "unsolvable" {
                prop_assert_eq!(least, None, "{}", method);
            }
        }
    }

    /// One thing is proved in the documentation: a board without solution always has an enclosed piece.
    #[test]
    fn chexers_boards_without_solution_have_a_certificate((radius, pieces, blocks) in board()) {
        let report = read(radius, "red", &pieces, &blocks).solve(&Choice::default(), &Limits::none()).expect("no fault");
        let by_certificate = matches!(&report.answer, Answer::Unsolvable { why: kibitzer::outcome::Why::Certificate(_) });
        prop_assert_eq!(by_certificate, report.verdict() == "unsolvable");
    }
}

/// Four pieces have too many states for hundreds of plain searches; a few will do.
#[test]
fn chexers_with_four_pieces_agrees_too() {
    let mut random = kibitzer::random::Random::new(99);
    for _ in 0..crate::common::amount(2, 6) {
        let mut all = hexes(3);
        random.shuffle(&mut all, 37);
        let (pieces, blocks) = (&all[..4], &all[4..4 + random.below(16)]);
        let least = chexers(3, "green", pieces, blocks);
        assert_eq!(answer(&*read(3, "green", pieces, blocks), None), least, "{pieces:?} {blocks:?}");
    }
}

/// Without blocks a lone red piece in column q needs 4 - q actions.
#[test]
fn a_lone_piece_needs_a_step_per_column() {
    for (q, r) in hexes(3) {
        assert_eq!(answer(&*read(3, "red", &[(q, r)], &[]), None), Some((4 - q) as u32));
    }
}

/// The first repeated block is noted with its place, the others only by their number: they may be very many.
#[test]
fn repeated_blocks_are_noted_and_two_pieces_on_a_hex_are_refused() {
    let options = Options::default();
    let limits = Limits::none();
    let notes = |blocks: &str| {
        let text = format!("colour: red; pieces: (0,0); blocks: {blocks}");
        let input = Input::new(&text, &options, &limits);
        Chexers::read(&input).map(|_| input.notes()).expect("accepted")
    };
    let first = "line 1, column 49: the block on (1, 0) is listed twice; it counts once";
    assert_eq!(notes("(1,0) (2,0)"), [""; 0]);
    assert_eq!(notes("(1,0)(2,0) (1,0)"), [first]);
    assert_eq!(notes("(1,0)(2,0) (1,0) (2,0)"), [first, "another block is listed again"]);
    assert_eq!(notes("(1,0)(2,0) (1,0) (2,0) (1,0)"), [first, "2 more blocks are listed again"]);
    let twice = parse::<Chexers>("colour: red; pieces: (0,0) (0,0)", &options).err().map(|error| error.to_string());
    assert!(twice.is_some_and(|error| error.contains("there is already a piece on (0, 0)")));
    limits.cancel.stop(Limit::Time);
    let stopped = Chexers::read(&Input::new("colour: red; pieces: (0,0)", &options, &limits));
    assert_eq!(stopped.err(), Some(ReadError::Stopped(Limit::Time)));
}

/// A certificate must hold for the board it is shown with, and only there.
#[test]
fn certificates_are_checked() {
    let entry = games::find("chexers").expect("listed");
    let read = |text: &str| entry.parse(text, &Options::default()).expect("right");
    let walled = read(r#"{"colour":"red","pieces":[[-3,0],[0,0]],"blocks":[[3,-3],[3,-2],[3,-1],[3,0]]}"#);
    let report = walled.solve(&Choice::default(), &Limits::none()).expect("no fault");
    let Answer::Unsolvable { why: Why::Certificate(certificate) } = &report.answer else { panic!("{report:?}") };
    assert!(report.verified && report.stats.expanded == 0);
    let claim = |edit: &dyn Fn(&mut kibitzer::outcome::Certificate)| {
        let mut certificate = certificate.clone();
        edit(&mut certificate);
        walled.check(&Claim::from(Why::Certificate(certificate)), &Limits::nodes(0))
    };
    assert!(claim(&|_| ()).is_ok());
    let told = |edit: &dyn Fn(&mut kibitzer::outcome::Certificate)| claim(edit).expect_err("it is wrong");
    assert!(told(&|c| c.kind = "magic".into()).contains("no certificates of the kind"));
    assert!(told(&|c| _ = c.data.remove("piece")).contains("has no `piece`"));
    assert!(told(&|c| c.data["piece"] = serde_json::json!([1, 1])).contains("no piece at"));
    assert!(told(&|c| c.data["piece"] = serde_json::json!([9, 9])).contains("not a hex"));
    assert!(told(&|c| c.data["piece"] = serde_json::json!(["x", null])).contains("not a hex"));
    assert!(told(&|c| c.data["region"] = serde_json::json!([[0, 0]])).contains("does not hold"));
    assert!(told(&|c| c.data["region"] = serde_json::json!([[-3, 0]])).contains("can be reached"));
    assert!(told(&|c| c.data["region"].as_array_mut().unwrap().push(serde_json::json!([3, 0, 1]))).contains("not a hex"));
    let open = read(r#"{"colour":"red","pieces":[[-3,0],[0,0]],"blocks":[[3,-3],[3,-2],[3,-1]]}"#);
    assert!(open.check(&Claim::from(Why::Certificate(certificate.clone())), &Limits::nodes(0)).is_err());
    assert!(open.check(&Claim::from(Why::Exhausted { states: 5 }), &Limits::nodes(300_000)).is_err(), "it can be solved");
}
