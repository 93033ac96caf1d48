//! The Edge-Distinguishing Game: published values, and every graph on up to six vertices compared with the paper's plain algorithm,
//! which labels all legal colorings from the last layer to the first.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

use kibitzer::gamegraph::decider::Decider;
use kibitzer::gamegraph::induction::{self, Labeled};
use kibitzer::games::edge::{Edge, edcn};
use kibitzer::graph::{Graph, families};
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Notation, Options, parse};
use kibitzer::random::Random;
use kibitzer::rules::{Game, Rules, Score};
use kibitzer::search::explore::Layer;

use crate::common::{amount, family as named, graphs, open, options, refused, stopped};

fn least(graph: &Graph) -> usize {
    edcn(graph, &Limits::none()).expect("no limit").colors
}

fn labels(game: &Edge, fold: bool) -> Labeled<'_, Edge> {
    induction::label(game, &game.start(), fold, &Limits::none()).unwrap_or_else(|_| panic!("no limit"))
}

fn winner(graph: Graph) -> u8 {
    let colors = least(&graph);
    let game = Arc::new(Edge::on(graph, colors, false));
    let score = Decider::new(Arc::clone(&game)).value(&game.start(), &Limits::none());
    if score == Ok(Score::Win) { 1 } else { 2 }
}

#[test]
fn published_winners() {
    let row = |names: &[&str]| names.iter().map(|name| winner(named(name))).collect::<Vec<_>>();
    assert_eq!(row(&["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8"]), [1, 2, 1, 1, 1, 1, 2, 1]);
    assert_eq!(row(&["C3", "C4", "C5", "C6", "C7", "C8"]), [2, 2, 1, 1, 2, 2]);
    assert_eq!(row(&["S1", "S2", "S3", "S4", "S5", "S6"]), [2, 1, 2, 1, 2, 1]);
    assert_eq!(row(&["K2", "K3", "K4", "K5", "K6"]), [2, 2, 2, 2, 2]);
}

#[test]
fn published_numbers_of_colors() {
    let row = |name: &str, from: usize, to: usize| (from..=to).map(|n| least(&named(&format!("{name}{n}")))).collect::<Vec<_>>();
    // OEIS A006670, A006671, A278375.
    assert_eq!(row("P", 1, 17), [1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 5, 6]);
    assert_eq!(row("C", 3, 16), [3, 3, 3, 3, 4, 4, 5, 5, 5, 5, 5, 5, 5, 6]);
    assert_eq!(row("L", 1, 14), [1, 3, 4, 5, 5, 6, 7, 7, 7, 8, 8, 8, 9, 9]);
    assert_eq!(row("K", 3, 9), [3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(row("S", 1, 9), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    // More colors than fit in a byte.
    assert_eq!(edcn(&named("S300"), &Limits::nodes(10_000)).map(|found| found.colors), Ok(300));
}

/// The coloring found is legal, and trying all colorings with fewer colors finds no legal one.
#[test]
fn the_number_of_colors_is_the_least() {
    for seed in 0..40 {
        let graph = families::random_connected(&mut Random::new(seed), 2 + seed as usize % 6, 3 + seed as usize % 9);
        let found = edcn(&graph, &Limits::none()).expect("small");
        let legal = |colors: &[u16]| is_legal(&graph, colors);
        assert!(legal(&found.coloring) && found.coloring.iter().all(|&c| c >= 1 && c as usize <= found.colors));
        let fewer = found.colors as u64 - 1;
        let any = (0..fewer.pow(graph.len() as u32)).any(|number| {
            let colors: Vec<u16> = (0..graph.len() as u32).map(|v| (number / fewer.pow(v) % fewer) as u16 + 1).collect();
            legal(&colors)
        });
        assert!(!any, "{graph:?} can be colored with {fewer}");
    }
}

fn is_legal<C: Copy + Ord + Default>(graph: &Graph, colors: &[C]) -> bool {
    let mut seen = BTreeSet::new();
    let colored = |&(u, v): &(usize, usize)| colors[u] != C::default() && colors[v] != C::default();
    graph.edges().filter(colored).all(|(u, v)| seen.insert((colors[u].min(colors[v]), colors[u].max(colors[v]))))
}

/// The paper's algorithm: lists all colorings, keeps the legal ones, and labels them from the full boards back to the empty one.
struct Plain {
    /// Indexed by the board's number in base k + 1, for k colors. For a legal board: whether the player to move wins in normal play
    /// and in misère play, and the Grundy value.
    worth: Vec<Option<(bool, bool, u16)>>,
    over: u64,
}

impl Plain {
    fn new(graph: &Graph, colors: usize) -> Plain {
        let (n, base) = (graph.len(), colors + 1);
        let power: Vec<usize> = (0..=n).map(|v| base.pow(v as u32)).collect();
        let digits = |number: usize| -> Vec<u8> { power[..n].iter().map(|power| (number / power % base) as u8).collect() };
        let boards: Vec<Vec<u8>> = (0..power[n]).map(digits).collect();
        let mut layers: Vec<Vec<usize>> = vec![Vec::new(); n + 1];
        for (number, board) in boards.iter().enumerate().filter(|(_, board)| is_legal(graph, board)) {
            layers[board.iter().filter(|&&color| color != 0).count()].push(number);
        }
        let mut plain = Plain { worth: vec![None; power[n]], over: 0 };
        for number in layers.into_iter().rev().flatten() {
            let open = (0..n).filter(|&v| boards[number][v] == 0);
            let after: Vec<(bool, bool, u16)> =
                open.flat_map(|v| (1..base).map(move |color| (v, color))).filter_map(|(v, c)| plain.worth[number + c * power[v]]).collect();
            let grundy = (0..).find(|value| after.iter().all(|other| other.2 != *value)).expect("some value is free");
            let misere = after.is_empty() || after.iter().any(|after| !after.1);
            plain.over += u64::from(after.is_empty());
            plain.worth[number] = Some((after.iter().any(|after| !after.0), misere, grundy));
        }
        plain
    }

    fn boards(&self) -> u64 {
        self.worth.iter().flatten().count() as u64
    }
}

/// A short run tests only graphs on up to five vertices.
#[test]
fn all_graphs_on_up_to_six_vertices() {
    for graph in (1..=amount(5, 6)).flat_map(graphs) {
        let colors = least(&graph);
        let plain = Plain::new(&graph, colors);
        let (wins, misere, grundy) = plain.worth[0].expect("the empty board is legal");
        let losing = plain.worth.iter().flatten().filter(|worth| !worth.0).count() as u64;
        let game = Arc::new(Edge::on(graph.clone(), colors, false));
        let start = game.start();
        let score = |wins: bool| if wins { Score::Win } else { Score::Loss };
        assert_eq!(Decider::new(Arc::clone(&game)).value(&start, &Limits::none()), Ok(score(wins)), "{graph:?}");
        assert_eq!(Decider::<Edge, u16>::new(Arc::clone(&game)).value(&start, &Limits::none()), Ok(grundy), "{graph:?}");
        let other = Arc::new(Edge::on(graph.clone(), colors, true));
        assert_eq!(Decider::new(other).value(&start, &Limits::none()), Ok(score(misere)), "{graph:?} misère");
        let labeled = labels(&game, true);
        assert_eq!((labeled.worth(&start).score, labeled.worth(&start).grundy), (score(wins), grundy), "{graph:?}");
        let counts = labeled.counts(&Limits::none()).expect("no limit");
        let sum = |of: fn(&Layer) -> u64| counts.iter().map(of).sum::<u64>();
        let counted = (sum(|count| count.unfolded), sum(|count| count.losing), sum(|count| count.dead_ends));
        assert_eq!(counted, (plain.boards(), losing, plain.over), "{graph:?}");
        assert_eq!(game.boards(&Limits::none()), Ok(Some(u128::from(plain.boards()))), "{graph:?}");
    }
}

#[test]
fn examples_on_paths_from_the_paper() {
    let later = parse::<Edge>("P5", &options(&["position=-,2,1,-,-"], Edge::INFO.options)).expect("valid");
    let start = later.start();
    let labeled = labels(&later, true);
    let mut moves = Vec::new();
    later.moves(&start, &mut moves);
    let label = |mv| labeled.worth(&later.apply(&start, mv)).score.outcome();
    let outcomes: Vec<String> = moves.iter().map(|mv| format!("{} {}", later.write_move(&start, mv), label(mv))).collect();
    assert_eq!(outcomes, ["a:2 N", "a:3 N", "d:1 P", "d:3 P", "e:1 N", "e:2 N", "e:3 P"]);
    assert_eq!(labels(&Edge::on(named("P8"), 4, false), false).total(), 126_621);
}

/// Positions with the same key have the same value. All positions of small boards are tested, with both more and fewer colors than needed.
#[test]
fn keys_merge_only_positions_of_equal_value() {
    let mut graphs: Vec<(Graph, usize)> = Vec::new();
    for name in ["P6", "C6", "K2,3", "S4", "W4", "grid2x3", "K4", "prism3", "empty3", "C3"] {
        graphs.extend([2, 3].map(|colors| (named(name), colors)));
    }
    graphs.extend((0..amount(6, 30)).map(|seed| (families::random_connected(&mut Random::new(seed), 6, 5 + seed as usize % 5), 3)));
    graphs.push((named("P7"), 3));
    graphs.push((Graph::from_edges(6, [(0, 1), (2, 3), (4, 5)]), 3));
    for (graph, colors) in graphs {
        for misere in [false, true] {
            let game = Edge::on(graph.clone(), colors, misere);
            let labeled = labels(&game, false);
            let mut by_key: HashMap<Vec<u8>, (Score, u16)> = HashMap::new();
            let (mut positions, mut folded) = (0, BTreeSet::new());
            for (_, board, worth) in labeled.positions() {
                let mut key = Vec::new();
                (Edge::KEYS.key)(&game, &board, &mut key);
                let value = (worth.score, if misere { 0 } else { worth.grundy });
                let known = *by_key.entry(key).or_insert(value);
                assert_eq!(known, value, "{graph:?} with {colors} colors at {board:?}");
                positions += 1;
                folded.insert(game.canonical(board).to_vec());
            }
            assert!(by_key.len() <= folded.len() && folded.len() <= positions, "{graph:?}: keys merge at least as much as symmetry does");
        }
    }
}

#[test]
fn positions_are_read_in_every_notation() {
    for position in ["-,2,1,-,-", "- 2 1 - -", "-21--", "b:2 c:1", "0,2,1,0,0", "-1,2,1,-1,-1", "[-,2,1,-,-]"] {
        let instance = open("edge", "P5", &[&format!("position={position}")]).instance();
        assert!(instance.contains("\nposition: -,2,1,-,-\n"), "{position}: {instance}");
    }
    let json = open("edge", "{\"graph\":\"P5\",\"colors\":3,\"position\":[0,2,1,0,0],\"misere\":true}", &[]);
    assert_eq!(json.instance(), "graph: P5\ncolors: 3\nposition: -,2,1,-,-\nmisere: yes\n");
}

#[test]
fn counting_and_reading_have_limits() {
    assert_eq!(parse::<Edge>("P5", &Options::default()).expect("a family").boards(&stopped()), Err(Limit::Time));
    // The error for the reader's own step limit has its own remedy. The reader takes a long time to reach that limit.
    if amount(false, true) {
        refused("edge", "torus4x8", &[], "at least");
    }
}

/// `successors` emits each move with the key of the resulting board, for every width of color sets. It emits each move once, lowest rank
/// first if moves have ranks, and omits the first `skip` moves.
#[test]
fn successors_have_the_keys_of_their_boards() {
    let mut random = Random::new(5);
    for name in ["P12", "C9", "grid3x3", "petersen", "W9", "K10", "S12", "S20"] {
        for misere in [false, true] {
            let graph = named(name);
            let colors = least(&graph);
            let game = Edge::on(graph, colors, misere);
            for _ in 0..amount(2, 6) {
                let mut board = game.start();
                loop {
                    let (mut moves, mut key, mut seen) = (Vec::new(), Vec::new(), Vec::new());
                    game.moves(&board, &mut moves);
                    if moves.is_empty() {
                        break;
                    }
                    (Edge::KEYS.successors)(&game, &board, &moves, 0, &mut |mv, rank, found| {
                        key.clear();
                        (Edge::KEYS.key)(&game, &game.apply(&board, mv), &mut key);
                        assert_eq!(found, key, "{name}: {board:?} and {mv:?}");
                        seen.push((rank, *mv));
                        ControlFlow::Continue(())
                    });
                    let mut rest = Vec::new();
                    (Edge::KEYS.successors)(&game, &board, &moves, moves.len() / 2, &mut |mv, rank, _| {
                        rest.push((rank, *mv));
                        ControlFlow::Continue(())
                    });
                    assert_eq!(rest, seen[moves.len() / 2..]);
                    assert!(colors > 16 || seen.windows(2).all(|two| two[0].0 <= two[1].0));
                    let mut all: Vec<_> = seen.iter().map(|(_, mv)| *mv).collect();
                    all.sort();
                    assert_eq!(all, moves);
                    board = game.apply(&board, &moves[random.below(moves.len())]);
                }
            }
        }
    }
}
