//! Parts of tricolor: limits of its solver, the two searches within it, and census rows.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kibitzer::drawing::Drawing;
use kibitzer::games::tricolor::{Tricolor, phases_within};
use kibitzer::graph::formats::graph6;
use kibitzer::graph::{Graph, families};
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Input, Notation, Options, parse};
use kibitzer::outcome::{Outcome, Verdict};
use kibitzer::random::Random;
use kibitzer::rules::{Problem, Rules};

use crate::common::{amount, family, proved, stopped};

/// A path in which every third vertex is black.
fn path(vertices: usize) -> Tricolor {
    let colors: String = "RGB".chars().cycle().take(vertices).collect();
    parse(&format!("colors: {colors}; graph: P{vertices}"), &Options::default()).expect("a board")
}

fn phases(tricolor: &Tricolor, limits: &Limits) -> Outcome<u32> {
    (Tricolor::SOLVERS[0].run)(tricolor, &tricolor.start(), limits)
}

#[test]
fn a_set_cancel_flag_stops_everything() {
    let (many, few) = (path(50), path(12));
    let count = (Tricolor::HEURISTICS[1].build)(&many, &Limits::none()).expect("no limit");
    let lower = count.at(&many, &many.start(), &Limits::none()).expect("no limit");
    assert_eq!(phases(&many, &stopped()).verdict, Verdict::Unknown { limit: Limit::Time, lower, best: None });
    let proofs = Tricolor::PROOFS.expect("has proofs");
    assert_eq!((proofs.refute)(&many, &many.start(), &stopped()), None);
    assert!((Tricolor::HEURISTICS[0].build)(&few, &stopped()).is_err());
    assert!((Tricolor::LESSON.expect("has a lesson").explain)(&few, &few.start(), &stopped()).is_none());
    assert_eq!((proofs.least.expect("proves least costs"))(&few, &few.start(), 5, &stopped()), None);
}

#[test]
fn a_matrix_that_does_not_fit_is_not_allocated() {
    let verdict = phases(&path(300), &Limits { bytes: 40_000, ..Limits::none() }).verdict;
    assert!(matches!(verdict, Verdict::Unknown { limit: Limit::Memory, best: None, .. }), "{verdict:?}");
}

/// With hundreds of black vertices, one expansion needs an elimination for each of them, so limits are checked many times within it.
#[test]
fn limits_are_checked_within_an_expansion() {
    let tricolor = path(600);
    for most in [1, 10, 60] {
        let reports = Arc::new(AtomicU64::new(0));
        let count = reports.clone();
        let limits = Limits::until(move |progress| {
            assert!(progress.expanded <= 1, "still in the first expansion");
            count.fetch_add(1, Ordering::Relaxed) + 1 >= most
        });
        let verdict = phases(&tricolor, &limits).verdict;
        assert!(matches!(verdict, Verdict::Unknown { limit: Limit::Time, lower: 1.., best: None }), "{verdict:?}");
        assert_eq!(reports.load(Ordering::Relaxed), most, "the work stops once the flag is set");
    }
}

/// The SAT solver alone and the search over recolorings alone agree, on sparse and dense boards, with few and many black vertices.
#[test]
fn the_sat_solver_and_the_search_over_recolorings_agree() {
    let mut random = Random::new(11);
    let (mut solved, mut not) = (0, 0);
    for round in 0..amount(150, 600) {
        let n = 3 + round % 10;
        let edges = n - 1 + random.below(n);
        let graph = families::random_connected(&mut random, n, edges.min(n * (n - 1) / 2));
        let mut letters = vec!['B'; 1 + random.below(n.min(6))];
        letters.resize_with(n, || ['R', 'G'][random.below(2)]);
        random.shuffle(&mut letters, n);
        let text = format!("colors: {}; graph: {}", String::from_iter(letters), graph6::write(&graph));
        let board: Tricolor = parse(&text, &Options::default()).expect("a board");
        let cost = |expanded, words| proved(&board, &board.start(), &phases_within(&board, &Limits::none(), expanded, words));
        let least = cost(u64::MAX, usize::MAX);
        assert_eq!(cost(0, 0), least, "{text}");
        *(if least.is_some() { &mut solved } else { &mut not }) += 1;
    }
    assert!(solved > amount(30, 200) && not > amount(5, 40), "{solved} {not}");
}

/// Compares census rows with distances from the independent implementation of the rules. Some of the graphs are not connected.
#[test]
fn census_rows_agree_with_the_rules() {
    let census = Tricolor::INFO.census.expect("has a census");
    let (options, limits) = (Options::default(), Limits::none());
    let board = |graph: &Graph| (census.read)(&Input::new(&graph6::write(graph), &options, &limits)).unwrap().unwrap().board.unwrap();
    let mut random = Random::new(5);
    for round in 0..24 {
        let n = 1 + random.below(6);
        let edges = (n - 1 + random.below(3)).min(n * (n - 1) / 2);
        let connected = families::random_connected(&mut random, n, edges);
        let graph = Graph::from_edges(n, connected.edges().skip(usize::from(round % 4 == 0)).collect::<Vec<_>>());
        let known = crate::tricolor::distances(n, &graph.edges().collect::<Vec<_>>(), false);
        let hardest = *known.values().max().expect("the green board");
        let mut hard: Vec<Vec<usize>> = Vec::new();
        for (board, _) in known.iter().filter(|(_, cost)| **cost == hardest) {
            // In census order, the last vertex is the most significant, and green < red < black.
            hard.push(board.iter().rev().map(|letter| "GRB".find(char::from(*letter)).expect("a color")).collect());
        }
        let first: String = hard.iter().min().expect("nonempty").iter().rev().map(|&color| ['G', 'R', 'B'][color]).collect();
        let numbers = [3_usize.pow(n as u32), known.len(), hardest as usize, hard.len()].map(|number| number.to_string());
        let row = (census.rest)(&board(&graph), &limits);
        assert_eq!((&row[..4], &row[4]), (&numbers[..], &first), "{:?}", graph.edges().collect::<Vec<_>>());
    }
    let ring = board(&family("C12"));
    for limits in [Limits { bytes: 1000, ..Limits::none() }, Limits::until(|progress| progress.expanded > 5000)] {
        assert_eq!((census.rest)(&ring, &limits), [""; 5], "a limit leaves the rest of the row empty");
    }
}
