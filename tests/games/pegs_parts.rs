//! Parts of peg solitaire: covers, linear programs, the editor, and the meet-in-the-middle solver. The solver is compared with
//! exhaustive search, using beams so narrow that the exact rounds have to do the work.

use std::collections::HashMap;

use kibitzer::drawing::Drawing;
use kibitzer::games::pegs::heuristics::{few_lines, flow};
use kibitzer::games::pegs::meet::{fits, solve};
use kibitzer::games::pegs::program::LinearProgram;
use kibitzer::games::pegs::{Jump, PegSet, Pegs};
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Notation, Options, parse};
use kibitzer::outcome::Verdict;
use kibitzer::random::Random;
use kibitzer::rules::{Cost, Problem, Rules};

use crate::common::{amount, proved, stopped};

fn read(text: &str) -> Pegs {
    parse(text, &Options::default()).expect("a valid board")
}

/// A heuristic's estimate for a board's start position.
fn estimate(board: &Pegs, name: &str) -> Cost {
    let heuristic = Pegs::HEURISTICS.iter().find(|heuristic| heuristic.name == name).expect("exists");
    let none = Limits::none();
    (heuristic.build)(board, &none).and_then(|built| built.at(board, &board.start(), &none)).expect("no limits")
}

#[test]
fn few_lines_and_flow_find_the_same_cost() {
    let board = read(&"aaaaaaaaa\n".repeat(9));
    let mut random = Random::new(5);
    let mut tried = 0;
    for _ in 0..20_000 {
        let squares = (0..random.below(40)).fold(0_u128, |squares, _| squares | 1 << random.below(81));
        let (row, column) = (random.below(5) as Cost, random.below(5) as Cost);
        if let Some(cost) = few_lines(&board, squares, row, column) {
            assert_eq!(cost, flow(&board, squares, row, column), "{squares:x} at {row} and {column}");
            tried += 1;
        }
    }
    assert!(tried > 5000, "{tried}");
}

/// A board with 300 rows or columns is treated like a small one if most of its holes are missing.
#[test]
fn long_boards_with_few_holes() {
    let gap = "#".repeat(290);
    let small = "ab.c.#..d";
    let long = format!("ab.c.{gap}..d");
    let turned = |line: &str| line.chars().map(|square| format!("{square}\n")).collect::<String>();
    let explain = Pegs::LESSON.expect("has a lesson").explain;
    for (small, long) in [(format!("{small}\n"), format!("{long}\n")), (turned(small), turned(&long))] {
        let [small, long] = [small, long].map(|text| read(&format!("costs: unit\n{text}")));
        for heuristic in Pegs::HEURISTICS {
            assert_eq!(estimate(&long, heuristic.name), estimate(&small, heuristic.name), "{}", heuristic.name);
        }
        let lines = |board: &Pegs| explain(board, &board.start(), &Limits::none()).expect("an explanation").shapes.len();
        assert_eq!(lines(&long), lines(&small));
    }
    // Thirteen pegs, no two in the same row or column, spread over more rows and columns than a set of 128 bits can hold.
    let row = |at: usize| format!("{}a{}\n", "#".repeat(20 * at), "#".repeat(20 * (12 - at)));
    let diagonal = read(&(0..13).map(|at| row(at) + &format!("{}\n", "#".repeat(241)).repeat(11)).collect::<String>());
    assert_eq!(["h1", "h2", "lines"].map(|name| estimate(&diagonal, name)), [12; 3]);
}

#[test]
fn the_number_of_drawn_lines_is_one_more_than_h2() {
    let explain = Pegs::LESSON.expect("has a lesson").explain;
    for text in ["a", ".....|.atb.|n...g|n...a|h...b|x...c", "ab.|.cd|e.f", "abcd|e...|f...|g..."] {
        let board = read(text);
        let lines = explain(&board, &board.start(), &Limits::none()).expect("an explanation").shapes.len();
        assert_eq!(lines as Cost, estimate(&board, "h2") + 1, "{text}");
    }
}

#[test]
fn painting_outside_enlarges_the_board_and_moves_the_goal() {
    let board = read("goal: at 0,1\nab.\n");
    let paint = Pegs::EDITOR.expect("has an editor").paint;
    for (brush, square, expected) in
        [("peg", "-1,0", Some("goal: at 1,1\nc##\nab.\n")), ("no hole", "0,0", Some("goal: at 0,0\nb.\n")), ("peg", "5,0", None)]
    {
        assert_eq!(paint(&board, &board.start(), brush, &[square]).as_deref(), expected);
    }
}

#[test]
fn linear_programs_are_solved_for_changing_right_hand_sides() {
    // Each row of the program stands for a hole. A jump of price 2 goes from the first hole over the second to the third; a jump of price 3
    // goes back.
    let columns = [(vec![1.0, 1.0, -1.0], 2.0), (vec![-1.0, 1.0, 1.0], 3.0)];
    let mut program = LinearProgram::new(&columns, vec![50.0; 3]);
    for (side, least) in [([1.0, 1.0, -1.0], 2.0), ([0.0, 2.0, 0.0], 5.0), ([-1.0, 1.0, 1.0], 3.0), ([0.0, 0.0, 1.0], 50.0)] {
        assert!(program.solve(&side));
        let value: f64 = program.weights.iter().zip(&side).map(|(weight, side)| weight * side).sum();
        assert!((value - least).abs() < 1e-6, "{side:?}: {value}");
    }
}

fn moves(board: &Pegs, state: &PegSet) -> Vec<Jump> {
    let mut moves = Vec::new();
    board.moves(state, &mut moves);
    moves
}

/// The least cost by exhaustive search.
fn least(board: &Pegs, state: &PegSet, known: &mut HashMap<PegSet, Option<Cost>>) -> Option<Cost> {
    if board.is_goal(state) {
        return Some(0);
    }
    if let Some(known) = known.get(state) {
        return *known;
    }
    let through = |jump: &Jump| Some(board.cost(state, jump) + least(board, &board.apply(state, jump), known)?);
    let found = moves(board, state).iter().filter_map(through).min();
    known.insert(state.clone(), found);
    found
}

/// A random board with random rules. Its goal is one peg anywhere, one peg in a given hole, or a board reached by random play.
fn random_board(random: &mut Random) -> Option<Pegs> {
    let (rows, columns) = (1 + random.below(5), 2 + random.below(4));
    let filled = 3 + random.below(6);
    let square = |random: &mut Random| match random.below(11) {
        0 => '#',
        other if other <= filled => 'o',
        _ => '.',
    };
    let body: String = (0..rows).map(|_| (0..columns).map(|_| square(random)).chain(['\n']).collect::<String>()).collect();
    let jump = ["single", "long"][random.below(2)];
    let costs = match random.below(4) {
        0 => "unit".to_owned(),
        1 => "1 2 3 4".to_owned(),
        2 => "2 1 2 1".to_owned(),
        _ => (0..4).map(|_| random.below(6).to_string()).collect::<Vec<_>>().join(" "),
    };
    if body.matches('o').count() > 12 {
        return None;
    }
    let read = |goal: &str, end: &str| parse::<Pegs>(&format!("jump: {jump}\ncosts: {costs}\n{goal}{body}{end}"), &Options::default()).ok();
    match random.below(3) {
        0 => read("", ""),
        1 => read(&format!("goal: at {},{}\n", random.below(rows), random.below(columns)), ""),
        _ => {
            let board = read("", "")?;
            let mut state = board.start();
            for _ in 0..random.below(6) {
                let moves = moves(&board, &state);
                if moves.is_empty() {
                    break;
                }
                state = board.apply(&state, &moves[random.below(moves.len())]);
            }
            let text = board.write(&state);
            let goal: Vec<&str> = text.lines().filter(|line| !line.contains(':')).collect();
            read("", &format!("goal:\n{}\n", goal.join("\n")))
        }
    }
}

#[test]
fn meet_agrees_with_exhaustive_search() {
    let mut random = Random::new(17);
    let (mut solved, mut refused) = (0, 0);
    for case in 0..amount(800, 3000) {
        let Some(board) = random_board(&mut random).filter(|board| fits(board, &board.start()).is_ok()) else { continue };
        // Every third case starts after a move, so that the start may lack a symmetry that the goal has.
        let mut start = board.start();
        let moves = moves(&board, &start);
        if case % 3 == 0 && !moves.is_empty() {
            start = board.apply(&start, &moves[random.below(moves.len())]);
        }
        let known = least(&board, &start, &mut HashMap::new());
        for width in [1, 4, 1000] {
            let outcome = solve(&board, &start, width, &Limits::none(), None);
            assert_eq!(proved(&board, &start, &outcome), known, "case {case}, width {width}: {}", board.write(&start));
        }
        *(if known.is_some() { &mut solved } else { &mut refused }) += 1;
    }
    assert!(solved > amount(80, 500) && refused > amount(40, 250), "{solved} {refused}");
}

/// The solver respects every limit, and the reported bounds are true.
#[test]
fn meet_respects_its_limits() {
    let rows = "##ooo##\n##ooo##\nooooooo\nooo.ooo\nooooooo\n##ooo##\n##ooo##\n";
    let board = read(&format!("jump: single\ngoal: at 3,3\n{rows}"));
    let solve = |limits: &Limits| solve(&board, &board.start(), 64, limits, None);
    for nodes in [0, 1, 100, 10_000, 60_000].into_iter().take(amount(4, 5)) {
        let outcome = solve(&Limits::nodes(nodes));
        let Verdict::Unknown { limit: Limit::Nodes, lower, best } = outcome.verdict else { panic!("{nodes} nodes") };
        assert!(outcome.stats.expanded == nodes && (59..=64).contains(&lower), "{lower}");
        assert!(best.is_none_or(|plan| plan.cost >= 64));
    }
    for bytes in [1000, 300_000, 2_000_000] {
        let outcome = solve(&Limits { bytes, ..Limits::none() });
        assert!(matches!(outcome.verdict, Verdict::Unknown { limit: Limit::Memory, lower: 59..=64, .. }), "{bytes} bytes");
        assert!(outcome.stats.peak_bytes <= bytes, "{} of {bytes}", outcome.stats.peak_bytes);
    }
    assert!(matches!(solve(&stopped()).verdict, Verdict::Unknown { limit: Limit::Time, .. }));
}
