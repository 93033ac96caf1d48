//! Tricolor once more, in the plainest way and sharing nothing with the library: exact distances of all colourings of a
//! graph, backwards from the goal; and what the boards must come to.

mod common;

use std::collections::HashMap;

use kibitzer::catalog::{Choice, Puzzle};
use kibitzer::games;
use kibitzer::graph::{Graph, families, symmetry};
use kibitzer::notation::Options;
use kibitzer::outcome::{Limits, Why};
use kibitzer::random::Random;
use kibitzer::report::{Answer, Claim};
use kibitzer::verify::Budget;

/// A click by the rules, on a list of letters.
fn click(edges: &[(usize, usize)], board: &[u8], v: usize) -> Vec<u8> {
    let near: Vec<usize> = edges.iter().filter_map(|&(a, b)| if a == v { Some(b) } else { (b == v).then_some(a) }).collect();
    let swap = |colour: u8| match colour {
        b'R' => b'G',
        b'G' => b'R',
        other => other,
    };
    let mut after = board.to_vec();
    near.iter().for_each(|&u| after[u] = swap(after[u]));
    if board[v] == b'B' {
        let count = |colour: u8| near.iter().filter(|&&u| after[u] == colour).count();
        let (green, red) = (count(b'G'), count(b'R'));
        after[v] = if green > red {
            b'G'
        } else if red > green {
            b'R'
        } else {
            b'B'
        };
    } else {
        after[v] = swap(after[v]);
    }
    after
}

fn price(colour: u8, by_colour: bool) -> u32 {
    match colour {
        _ if !by_colour => 1,
        b'R' => 1,
        b'B' => 2,
        _ => 3,
    }
}

/// The least cost of every colouring; those without a plan are missing. Costs are small: one layer after another.
fn distances(n: usize, edges: &[(usize, usize)], by_colour: bool) -> HashMap<Vec<u8>, u32> {
    let mut before: HashMap<Vec<u8>, Vec<(Vec<u8>, u32)>> = HashMap::new();
    for number in 0..3_usize.pow(n as u32) {
        let board: Vec<u8> = (0..n).map(|v| b"RGB"[number / 3_usize.pow(v as u32) % 3]).collect();
        for v in 0..n {
            before.entry(click(edges, &board, v)).or_default().push((board.clone(), price(board[v], by_colour)));
        }
    }
    let mut known = HashMap::new();
    let mut layers = vec![vec![vec![b'G'; n]]];
    let mut cost = 0;
    while cost < layers.len() {
        for board in std::mem::take(&mut layers[cost]) {
            if known.contains_key(&board) {
                continue;
            }
            for (earlier, price) in before.get(&board).into_iter().flatten() {
                let total = cost + *price as usize;
                layers.resize(layers.len().max(total + 1), Vec::new());
                layers[total].push(earlier.clone());
            }
            known.insert(board, cost as u32);
        }
        cost += 1;
    }
    known
}

fn text(edges: &[(usize, usize)], board: &[u8], by_colour: bool) -> String {
    let edges: Vec<String> = edges.iter().map(|(u, v)| format!("{u}-{v}")).collect();
    let cost = if by_colour { "; cost: colour" } else { "" };
    format!("colors: {}; edges: {}{cost}", String::from_utf8_lossy(board), edges.join(" "))
}

fn read(text: &str) -> Box<dyn Puzzle> {
    (games::find("tricolor").expect("listed").read)(text, &Options::default()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The least cost by some method; none if there is no plan.
fn answer(puzzle: &dyn Puzzle, method: Option<&str>) -> Option<u32> {
    let choice = method.map_or_else(Choice::default, Choice::method);
    let report = puzzle.solve(&choice, &mut Limits::none()).expect("no fault");
    match report.answer {
        Answer::Solved { cost, optimal: true, .. } => Some(cost),
        Answer::Unsolvable { .. } => None,
        other => panic!("{other:?}"),
    }
}

/// All graphs with so many vertices, one of each kind.
fn graphs(n: usize) -> Vec<Graph> {
    let pairs: Vec<(usize, usize)> = (0..n).flat_map(|v| (0..v).map(move |u| (u, v))).collect();
    let mut forms: Vec<Graph> = Vec::new();
    for chosen in 0..1_usize << pairs.len() {
        let graph = Graph::from_edges(n, pairs.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, pair)| *pair));
        let form = symmetry::canonical(&graph).expect("small");
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}

fn all_colourings_agree(graph: &Graph, by_colour: bool, methods: &[Option<&str>]) -> (usize, usize) {
    let (n, edges) = (graph.len(), graph.edges().collect::<Vec<_>>());
    let known = distances(n, &edges, by_colour);
    for number in 0..3_usize.pow(n as u32) {
        let board: Vec<u8> = (0..n).map(|v| b"RGB"[number / 3_usize.pow(v as u32) % 3]).collect();
        let text = text(&edges, &board, by_colour);
        let puzzle = read(&text);
        for method in methods {
            assert_eq!(answer(&*puzzle, *method), known.get(&board).copied(), "{text} {method:?}");
        }
    }
    (known.len(), 3_usize.pow(n as u32) - known.len())
}

#[test]
fn all_graphs_with_up_to_five_vertices() {
    let (mut solvable, mut not) = (0, 0);
    let mut kinds = 0;
    for n in 1..=5 {
        for graph in graphs(n) {
            kinds += 1;
            let (some, none) = all_colourings_agree(&graph, false, &[None]);
            (solvable, not) = (solvable + some, not + none);
            all_colourings_agree(&graph, true, &[None]);
        }
    }
    assert_eq!(kinds, 1 + 2 + 4 + 11 + 34);
    assert_eq!(solvable + not, 3 + 2 * 9 + 4 * 27 + 11 * 81 + 34 * 243);
    assert!(solvable > 1000 && not > 1000, "{solvable} {not}");
}

/// Larger ones by chance, some with many twins, some in parts.
#[test]
fn random_graphs_with_six_and_seven_vertices() {
    let mut random = Random::new(5);
    for round in 0..24 {
        let n = if round % 4 == 0 { 7 } else { 6 };
        let density = 1 + random.below(4);
        let pairs = (0..n).flat_map(|v| (0..v).map(move |u| (u, v)));
        let graph = Graph::from_edges(n, pairs.filter(|_| random.below(5) < density).collect::<Vec<_>>());
        all_colourings_agree(&graph, false, &[None]);
    }
    for name in ["K1,5", "C6", "K3,3", "W5", "prism3", "grid2x3", "P6", "K6"] {
        let graph = families::by_name(name).and_then(Result::ok).expect("a family");
        all_colourings_agree(&graph, false, &[None]);
    }
}
