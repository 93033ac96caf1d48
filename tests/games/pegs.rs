//! Compares peg solitaire with a second implementation of its rules on rows of characters and with the numbers on the course sheet, and
//! tests claims about its heuristics and proofs.

use std::collections::{BTreeMap, HashMap, HashSet};

use kibitzer::catalog::{Choice, Puzzle};
use kibitzer::games::pegs::Pegs;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Notation, Options, parse};
use kibitzer::outcome::{Certificate, Why};
use kibitzer::report::{Answer, Claim};
use kibitzer::rules::{Problem, Rules};
use kibitzer::search::explore::explore;
use proptest::prelude::*;
use serde_json::json;

use crate::common::{amount, file, open, refused, stopped};

fn read(text: &str, options: &[&str]) -> Box<dyn Puzzle> {
    open("pegs", text, options)
}

/// The cost, whether it is optimal, the number of removed nodes if the course's method counts them, and the plan.
fn solve(puzzle: &dyn Puzzle, method: &str) -> (Option<u32>, bool, Option<u64>, String) {
    let report = crate::common::solve(puzzle, method);
    let removed = report.facts.get("removed").and_then(serde_json::Value::as_u64);
    match report.answer {
        Answer::Solved { cost, optimal, moves, .. } => {
            let moves: Vec<String> = moves.into_iter().map(|mv| mv.text).collect();
            (Some(cost), optimal, removed, moves.join(", "))
        }
        Answer::Unsolvable { .. } => (None, true, removed, String::new()),
        Answer::Decided(_) | Answer::Unknown { .. } => unreachable!("there were no limits"),
    }
}

const COURSE_1: &str = "........\n........\n..ab....\n..cd....\n..ef....\n..gh....\n........\n........\n";
const COURSE_2: &str = "....\n.dc.\n.ba.\n....\n";

#[test]
fn the_course_sheet() {
    let rows = [
        (COURSE_1, "BFS", 222, 8, "a down, b down, a right"),
        (COURSE_1, "DFS", 4, 6, "h up, g up, h left"),
        // The sheet says 146, which does not follow from its rules.
        (COURSE_1, "UCS", 175, 4, "h up, g up, g right"),
        (COURSE_1, "GS", 4, 8, "a down, b down, a right"),
        (COURSE_1, "A*", 42, 4, "h up, g up, g right"),
        (COURSE_2, "BFS", 26, 9, "a left, c left, a up"),
        (COURSE_2, "DFS", 4, 7, "d right, b right, d down"),
        (COURSE_2, "UCS", 12, 4, "b up, a up, b right"),
        (COURSE_2, "GS", 4, 9, "a left, c left, a up"),
        (COURSE_2, "A*", 8, 4, "b up, a up, b right"),
    ];
    for (board, name, removed, cost, plan) in rows {
        let puzzle = read(board, &[]);
        let (found, optimal, count, moves) = solve(&*puzzle, &format!("course:{name}"));
        assert_eq!((found, count, moves.as_str()), (Some(cost), Some(removed), plan), "{name}");
        assert_eq!(optimal, name == "UCS", "{name}");
    }
    // The sheet does not list A*2, which must find the least cost.
    for board in [COURSE_1, COURSE_2] {
        let (cost, optimal, ..) = solve(&*read(board, &[]), "course:A*2");
        assert_eq!((cost, optimal), (Some(4), true));
    }
}

#[test]
fn course_names_without_a_prefix_mean_graph_search() {
    let puzzle = read(COURSE_1, &[]);
    for (name, meant) in [("BFS", "bfs"), ("dfs", "dfs"), ("UCS", "ucs"), ("GS", "greedy:h1"), ("A*", "astar:h1"), ("a*2", "astar:h2")] {
        assert_eq!(puzzle.method(&Choice::method(name)).expect("known"), meant);
    }
}

#[test]
fn h1_is_not_admissible_and_its_plans_are_never_called_optimal() {
    let text = ".....\n....a\nbcde.\n....f\n....g\n....h\n.....\n";
    let board = parse::<Pegs>(text, &Options::default()).expect("valid");
    let h1 = Pegs::HEURISTICS.iter().find(|heuristic| heuristic.name == "h1").expect("exists");
    assert!(!h1.admissible && !h1.consistent);
    let none = Limits::none();
    assert_eq!((h1.build)(&board, &none).and_then(|h1| h1.at(&board, &board.start(), &none)), Ok(4));
    let puzzle = read(text, &[]);
    assert_eq!(solve(&*puzzle, "ucs").0, Some(3));
    assert!(!solve(&*puzzle, "A*").1);
}

/// Finds the least cost by trying all moves on rows of characters.
struct Plain {
    single: bool,
    costs: [u32; 4],
    known: HashMap<Vec<Vec<u8>>, Option<u32>>,
}

impl Plain {
    fn least(&mut self, board: &Vec<Vec<u8>>) -> Option<u32> {
        if board.iter().flatten().filter(|&&square| square == b'o').count() == 1 {
            return Some(0);
        }
        if let Some(known) = self.known.get(board) {
            return *known;
        }
        let mut best = None;
        // A negative index wraps around to one that is out of range.
        let at = |board: &[Vec<u8>], r: i32, c: i32| board.get(r as usize).and_then(|row| row.get(c as usize)).copied().unwrap_or(b'#');
        for r in 0..board.len() as i32 {
            for c in 0..board[0].len() as i32 {
                for (direction, (dr, dc)) in [(-1, 0), (0, 1), (1, 0), (0, -1)].into_iter().enumerate() {
                    if at(board, r, c) != b'o' {
                        continue;
                    }
                    let mut length = 1;
                    while at(board, r + length * dr, c + length * dc) == b'o' {
                        length += 1;
                    }
                    if length == 1 || self.single && length != 2 || at(board, r + length * dr, c + length * dc) != b'.' {
                        continue;
                    }
                    let mut after = board.clone();
                    for step in 0..length {
                        after[(r + step * dr) as usize][(c + step * dc) as usize] = b'.';
                    }
                    after[(r + length * dr) as usize][(c + length * dc) as usize] = b'o';
                    let total = self.least(&after).map(|rest| rest + self.costs[direction]);
                    best = best.into_iter().chain(total).min();
                }
            }
        }
        self.known.insert(board.clone(), best);
        best
    }
}

fn random_board() -> impl Strategy<Value = Vec<Vec<u8>>> {
    (1usize..=5, 1usize..=5).prop_flat_map(|(rows, columns)| {
        let square = prop_oneof![5 => Just(b'o'), 5 => Just(b'.'), 1 => Just(b'#')];
        prop::collection::vec(prop::collection::vec(square, columns), rows)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: amount(30, 100), ..ProptestConfig::default() })]

    #[test]
    fn every_method_agrees_with_exhaustive_search(
        board in random_board(),
        single: bool,
        costs in prop_oneof![Just([1u32, 2, 3, 4]), Just([1; 4]), [0u32..6, 0u32..6, 0u32..6, 0u32..6]],
    ) {
        prop_assume!(board.iter().flatten().any(|&square| square != b'#'));
        prop_assume!(board.iter().flatten().filter(|&&square| square == b'o').count() <= 12);
        let least = Plain { single, costs, known: HashMap::new() }.least(&board);
        let text: String = board.iter().map(|row| String::from_utf8(row.clone()).expect("letters") + "\n").collect();
        let prices = format!("costs={}", costs.map(|cost| cost.to_string()).join(","));
        let puzzle = read(&text, &[&prices, if single { "jump=single" } else { "jump=long" }]);
        for method in ["ucs", "astar:priced", "astar:potential", "astar:lines", "astar:h2", "layered:priced", "layered:h2", "idastar:priced"] {
            let (cost, optimal, ..) = solve(&*puzzle, method);
            prop_assert_eq!((cost, optimal), (least, true), "{}\n{}", method, text);
        }
        let report = crate::common::solve(&*puzzle, None);
        prop_assert_eq!(report.verdict() == "unsolvable", least.is_none());
        for method in ["A*", "GS", "course:BFS", "course:GS"] {
            let report = puzzle.solve(&Choice::method(method), &Limits::nodes(20_000)).expect("no fault");
            if let Answer::Solved { cost, optimal, .. } = report.answer {
                prop_assert!(Some(cost) >= least && (!optimal || cost == 0), "{}", method);
            }
        }
    }

    /// A certificate is returned only if there is no solution, and it passes its own check.
    #[test]
    fn proofs_are_right(board in random_board(), single: bool) {
        prop_assume!(board.iter().flatten().any(|&square| square != b'#'));
        prop_assume!(board.iter().flatten().filter(|&&square| square == b'o').count() <= 12);
        let text: String = board.iter().map(|row| String::from_utf8(row.clone()).expect("letters") + "\n").collect();
        let text = if single { format!("jump: single\n{text}") } else { text };
        let pegs = parse::<Pegs>(&text, &Options::default()).expect("valid");
        let proofs = Pegs::PROOFS.expect("pegs has proofs");
        if let Some(certificate) = (proofs.refute)(&pegs, &pegs.start(), &Limits::none()) {
            prop_assert_eq!((proofs.check)(&pegs, &pegs.start(), &certificate, &Limits::none()), Ok(()));
            prop_assert_eq!(Plain { single, costs: [1; 4], known: HashMap::new() }.least(&board), None, "{}", text);
        }
    }
}

/// Known examples of each kind of proof, and forged proofs.
#[test]
fn certificates() {
    let kind = |puzzle: &dyn Puzzle| match crate::common::solve(puzzle, "bfs").answer {
        Answer::Unsolvable { why: Why::Certificate(certificate) } => certificate,
        other => panic!("{other:?}"),
    };
    assert_eq!(kind(&*read("..\n..\n", &[])).kind, "count");
    assert_eq!(kind(&*read("aaa\n", &["jump=single"])).kind, "class");
    // A pagoda function proves that these two pegs can never meet, even with long jumps.
    let apart = read("a.....b\n", &[]);
    let certificate = kind(&*apart);
    assert_eq!(certificate.kind, "pagoda");
    let board: Pegs = parse("a.....b\n", &Options::default()).expect("a board");
    assert!(
        (Pegs::PROOFS.expect("pegs has proofs").refute)(&board, &board.start(), &stopped()).is_none(),
        "a stopped search for a proof finds none"
    );
    let check = |certificate: &Certificate| apart.check(&Claim::from(Why::Certificate(certificate.clone())), &Limits::nodes(0));
    assert!(check(&certificate).is_ok_and(|checked| checked.complete()));
    let forged = [json!([[0, 0, 0, 5, 0, 0, 0]]), json!([]), json!([[1, 1, 1, 1, 1, 1, 1]]), json!([[9]]), json!("x")];
    for (at, weights) in forged.into_iter().enumerate() {
        let mut wrong = certificate.clone();
        wrong.data["weights"] = weights;
        assert!(check(&wrong).is_err_and(|error| at > 0 || error.contains("gains")));
    }
}

/// Compares the number of positions per layer, with and without symmetry, to that of a plain exploration on strings.
#[test]
fn explore_counts_every_position_once() {
    for text in ["jump: single\ncosts: unit\n.ooo\noooo\noooo\n", "oo.o\n.ooo\no.oo\n", "jump: single\ncosts: unit\nooo\no.o\nooo\n"] {
        let board = parse::<Pegs>(text, &Options::default()).expect("valid");
        let found = explore(&*read(text, &[]).space(true), &Limits::none());
        let mut layers: BTreeMap<u32, HashSet<String>> = BTreeMap::new();
        let mut raw = HashSet::new();
        let mut todo = vec![board.start()];
        while let Some(state) = todo.pop() {
            let folded = board.write(&board.canonical(state.clone()));
            if raw.insert(folded.clone() + &board.write(&state).replace(|c: char| c.is_ascii_alphabetic(), "o")) {
                layers.entry(board.layer(&state).expect("layers")).or_default().insert(folded);
                let mut moves = Vec::new();
                board.moves(&state, &mut moves);
                todo.extend(moves.iter().map(|mv| board.apply(&state, mv)));
            }
        }
        let counted: Vec<(u32, u64)> = found.layers.iter().map(|layer| (layer.layer, layer.states)).collect();
        let plain: Vec<(u32, u64)> = layers.iter().map(|(layer, states)| (*layer, states.len() as u64)).collect();
        assert_eq!(counted, plain, "{text}");
        let space = read(text, &[]).explore(&Limits::none());
        assert_eq!(space.unfolded, Some(raw.len() as u64), "{text}");
    }
}

#[test]
fn a_limit_leaves_complete_layers() {
    let space = read(&file("instances/pegs/english.txt"), &[]).explore(&Limits { bytes: 3_000_000, ..Limits::none() });
    assert_eq!(space.explored.limit, Some(Limit::Memory));
    // Published counts of the first layers, up to symmetry.
    let counts: Vec<u64> = space.explored.layers.iter().take(7).map(|layer| layer.states).collect();
    assert_eq!(counts, [1, 1, 2, 8, 39, 171, 719]);
    assert!(space.unfolded.is_none() && space.explored.peak_bytes <= 3_000_000);
}

/// By default, boards with many pegs are solved by `meet`, which finds the same costs as uniform-cost search.
#[test]
fn boards_with_many_pegs_are_solved_by_meet() {
    let mut solved = 0;
    let boards = ["ooooooo\nooooooo\no.ooooo\n", "oooooo\no.oooo\noooooo\n#oooo#\n", "ooooooo\nooo.ooo\nooooooo\n"];
    let costs = ["costs=1,2,3,4", "costs=unit", "costs=2,1,2,1", "costs=0,3,0,1"];
    for (costs, board) in costs.into_iter().zip(boards.into_iter().cycle()).take(amount(1, 4)) {
        for jump in ["jump=single", "jump=long"] {
            for goal in ["goal=one", "goal=at:1,3"].into_iter().take(amount(1, 2)) {
                let puzzle = read(board, &[costs, jump, goal]);
                assert_eq!(puzzle.method(&Choice::default()).expect("a default method"), "meet");
                let (cost, optimal, ..) = solve(&*puzzle, "meet");
                assert_eq!((cost, optimal), (solve(&*puzzle, "ucs").0, true), "{board}{costs} {jump} {goal}");
                solved += usize::from(cost.is_some());
            }
        }
    }
    assert!(solved >= amount(1, 4), "{solved}");
    let refused = read(COURSE_1, &[]).method(&Choice::method("meet")).expect_err("few pegs");
    assert!(refused.message.contains("at least 20 pegs"), "{}", refused.message);
    let large = format!("{}\n", ["ooooooooo"; 9].join("\n")).replacen('o', ".", 1);
    assert_ne!(read(&large, &[]).method(&Choice::default()).expect("a default method"), "meet", "more than 64 holes");
}

#[test]
fn full_goal_boards_and_single_squares() {
    let puzzle = read("jump: single\ncosts: unit\nab.c.\ngoal:\n..o.o\n", &[]);
    assert_eq!(solve(&*puzzle, "astar").0, None, "the remaining pegs are elsewhere");
    let puzzle = read("jump: single\nab..c\ngoal:\n..o.o\n", &[]);
    assert_eq!(solve(&*puzzle, "astar").0, Some(2));
    let puzzle = read("ab..\n", &["goal=at:0,2"]);
    assert_eq!(solve(&*puzzle, "astar").0, Some(2));
    assert_eq!(solve(&*read("ab..\n", &["goal=at:0,0"]), "astar").0, None);
}

#[test]
fn unprintable_characters_and_large_boards_are_refused() {
    refused("pegs", "a.b\n.\t.\n", &[], "line 2, column 2");
    refused("pegs", "a.b\n.\u{7}.\n", &[], "line 2, column 2: `\u{fffd}` is not a valid board character");
    refused("pegs", &format!("{}\n", "a".repeat(1000)).repeat(1000), &[], "at most 128");
    // If spaces stand for missing holes, short rows are padded.
    read(" a \nab.\n c\n", &[]);
}
