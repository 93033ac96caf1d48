//! Compares tricolor with a second, simple implementation that shares no code with the library and computes the exact distances of all
//! colorings of a graph backward from the goal. Also tests known answers, certificates, formats and errors.

use std::collections::HashMap;

use kibitzer::catalog::Puzzle;
use kibitzer::games;
use kibitzer::games::tricolor::Tricolor;
use kibitzer::graph::{Graph, families};
use kibitzer::limits::Limits;
use kibitzer::notation::{Input, Notation, Options};
use kibitzer::outcome::Why;
use kibitzer::random::Random;
use kibitzer::report::{Answer, Claim};
use serde_json::{Value, json};

use crate::common::{amount, family, graphs, open, options, solve};

/// Applies a click to a board of letters, independently of the library.
fn click(edges: &[(usize, usize)], board: &[u8], v: usize) -> Vec<u8> {
    let near: Vec<usize> = edges.iter().filter_map(|&(a, b)| if a == v { Some(b) } else { (b == v).then_some(a) }).collect();
    let swap = |color: u8| match color {
        b'R' => b'G',
        b'G' => b'R',
        other => other,
    };
    let mut after = board.to_vec();
    near.iter().for_each(|&u| after[u] = swap(after[u]));
    if board[v] == b'B' {
        let count = |color: u8| near.iter().filter(|&&u| after[u] == color).count();
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

fn price(color: u8, by_color: bool) -> u32 {
    match color {
        _ if !by_color => 1,
        b'R' => 1,
        b'B' => 2,
        _ => 3,
    }
}

/// The least cost of every solvable coloring. Costs are small integers, so the search processes the colorings in order of cost.
pub fn distances(n: usize, edges: &[(usize, usize)], by_color: bool) -> HashMap<Vec<u8>, u32> {
    let mut before: HashMap<Vec<u8>, Vec<(Vec<u8>, u32)>> = HashMap::new();
    for number in 0..3_usize.pow(n as u32) {
        let board: Vec<u8> = (0..n).map(|v| b"RGB"[number / 3_usize.pow(v as u32) % 3]).collect();
        for v in 0..n {
            before.entry(click(edges, &board, v)).or_default().push((board.clone(), price(board[v], by_color)));
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

fn text(edges: &[(usize, usize)], board: &[u8], by_color: bool) -> String {
    let edges: Vec<String> = edges.iter().map(|(u, v)| format!("{u}-{v}")).collect();
    let cost = if by_color { "; cost: color" } else { "" };
    format!("colors: {}; edges: {}{cost}", String::from_utf8_lossy(board), edges.join(" "))
}

fn read(text: &str) -> Box<dyn Puzzle> {
    open("tricolor", text, &[])
}

/// The least cost, or `None` if there is no plan; in that case, the method must return a certificate.
fn answer(puzzle: &dyn Puzzle, method: Option<&str>) -> Option<u32> {
    let report = solve(puzzle, method);
    assert!(report.verified);
    match report.answer {
        Answer::Solved { cost, optimal: true, .. } => Some(cost),
        Answer::Unsolvable { why: Why::Certificate(_) } => None,
        other => panic!("{other:?}"),
    }
}

fn all_colorings_agree(graph: &Graph, by_color: bool) -> (usize, usize) {
    let (n, edges) = (graph.len(), graph.edges().collect::<Vec<_>>());
    let known = distances(n, &edges, by_color);
    for number in 0..3_usize.pow(n as u32) {
        let board: Vec<u8> = (0..n).map(|v| b"RGB"[number / 3_usize.pow(v as u32) % 3]).collect();
        let text = text(&edges, &board, by_color);
        assert_eq!(answer(&*read(&text), None), known.get(&board).copied(), "{text}");
    }
    (known.len(), 3_usize.pow(n as u32) - known.len())
}

/// A short run tests only graphs on up to three vertices.
#[test]
fn all_graphs_with_up_to_five_vertices() {
    let (mut solvable, mut not) = (0, 0);
    let mut kinds = 0;
    for n in 1..=amount(3, 5) {
        for graph in graphs(n) {
            kinds += 1;
            let (some, none) = all_colorings_agree(&graph, false);
            (solvable, not) = (solvable + some, not + none);
            all_colorings_agree(&graph, true);
        }
    }
    assert_eq!(kinds, 1 + 2 + 4 + amount(0, 11 + 34));
    assert_eq!(solvable + not, 3 + 2 * 9 + 4 * 27 + amount(0, 11 * 81 + 34 * 243));
    assert!(solvable.min(not) > amount(20, 1000), "{solvable} {not}");
}

/// Random larger graphs, some with many twins, some disconnected. A short run tests one graph with five vertices and a star.
#[test]
fn random_graphs_with_six_and_seven_vertices() {
    let mut random = Random::new(5);
    for round in 0..amount(1, 4) {
        let n = amount(5, if round % 4 == 3 { 7 } else { 6 });
        let density = 1 + random.below(4);
        let pairs = (0..n).flat_map(|v| (0..v).map(move |u| (u, v)));
        let graph = Graph::from_edges(n, pairs.filter(|_| random.below(5) < density).collect::<Vec<_>>());
        all_colorings_agree(&graph, false);
        if n < 7 {
            all_colorings_agree(&graph, true);
        }
    }
    for name in &["K1,5", "C6", "K3,3", "W5", "prism3", "grid2x3", "P6", "K6"][..amount(1, 8)] {
        all_colorings_agree(&family(name), false);
    }
}

/// The table in the description of the game.
#[test]
fn known_answers() {
    let source = "colors: GGBRR; edges: 0-1 0-2 1-2 1-3 1-4 2-3";
    let after = read(source).after(&[json!(1)]).expect("legal").instance();
    assert!(after.starts_with("colors: RRBGG\n"), "{after}");
    let plan = Claim::read("1 6 0 1 3".replace(' ', "\n").as_str(), "tricolor").expect("a plan");
    let seven = read("colors: RBGRRGR; edges: 0-4 1-2 1-3 1-4 3-5 4-5 5-6");
    assert!(seven.check(&plan, &Limits::nodes(300_000)).is_ok());
    for (text, clicks, color) in [
        (source, 4, 5),
        ("colors: RBGRRGR; edges: 0-4 1-2 1-3 1-4 3-5 4-5 5-6", 5, 6),
        ("colors: BRRGR; edges: 0-1 0-2 0-3 1-2 3-4", 2, 3),
        ("colors: BR; edges: 0-1", 1, 2),
        ("colors: BGGG; edges: 0-1 0-2 0-3", 2, 3),
    ] {
        for method in [None, Some("phases"), Some("astar:relaxed"), Some("astar:count"), Some("bfs"), Some("bidirectional")] {
            assert_eq!(answer(&*read(text), method), Some(clicks), "{text} {method:?}");
        }
        let priced = read(&format!("{text}; cost: color"));
        for method in [None, Some("ucs"), Some("astar:count"), Some("idastar:relaxed"), Some("bidirectional")] {
            assert_eq!(answer(&*priced, method), Some(color), "{text} {method:?}");
        }
    }
}

/// A random connected graph with `black` black vertices.
fn random_board(random: &mut Random, n: usize, black: usize, degree: usize) -> String {
    let graph = families::random_connected(random, n, n * degree / 2);
    let mut order: Vec<usize> = (0..n).collect();
    random.shuffle(&mut order, n);
    let mut board: Vec<u8> = (0..n).map(|_| b"RG"[random.below(2)]).collect();
    order[..black].iter().for_each(|&v| board[v] = b'B');
    text(&graph.edges().collect::<Vec<_>>(), &board, false)
}

/// Tests boards far beyond the reach of a plain search. If the cost equals that of the relaxed problem, a separate method verifies it.
#[test]
fn large_boards_are_solved_and_proved() {
    let mut random = Random::new(30);
    let (mut solved, mut confirmed) = (0, 0);
    for (n, black, degree, boards) in [(30, 4, 4, 12), (60, 2, 4, 12), (30, 12, 3, 6), (200, 4, 4, 3), (40, 8, 2, 6)] {
        for _ in 0..boards.min(amount(3, 12)) {
            let text = random_board(&mut random, n, black, degree);
            let puzzle = read(&text);
            let report = solve(&*puzzle, None);
            assert!(report.verified && report.stats.peak_bytes < 1 << 30, "{text}");
            let Answer::Solved { optimal, .. } = &report.answer else {
                assert!(matches!(&report.answer, Answer::Unsolvable { why: Why::Certificate(_) }), "{text}");
                continue;
            };
            assert!(optimal, "{text}");
            solved += 1;
            let claim = Claim::read(&report.json(0.0).to_string(), "tricolor").expect("Kibitzer's own JSON");
            let checked = puzzle.check(&claim, &Limits::nodes(1 << 14)).expect("valid");
            confirmed += u32::from(checked.complete());
        }
    }
    assert!(solved >= amount(5, 25) && confirmed * 10 >= solved * 8, "{confirmed} of {solved} confirmed");
}

#[test]
fn without_black_vertices_it_is_linear_algebra() {
    let mut random = Random::new(7);
    for (n, degree) in [(2000, 4), (1000, 3), (300, 10)] {
        let mut solved = 0;
        while solved < 2 {
            let puzzle = read(&random_board(&mut random, n, 0, degree));
            let report = solve(&*puzzle, None);
            if let Answer::Solved { optimal, .. } = report.answer {
                assert!(optimal && report.method == "phases");
                solved += 1;
            } else {
                assert_eq!((report.verdict(), report.verified), ("unsolvable", true));
            }
        }
    }
    // High nullity in small components: every edge is an independent choice.
    let pairs: Vec<(usize, usize)> = (0..500).map(|v| (2 * v, 2 * v + 1)).collect();
    assert_eq!(answer(&*read(&text(&pairs, &[b'R'; 1000], false)), None), Some(500));
    // Too hard to prove optimal, but there is still a plan and a bound.
    let torus = format!("colors: {}; graph: torus30x30", "RGGR".repeat(225));
    let report = solve(&*read(&torus), None);
    match report.answer {
        Answer::Solved { cost, optimal, lower, .. } => assert!(lower > 0 && optimal == (lower == cost), "{cost} {lower}"),
        other => assert!(matches!(other, Answer::Unsolvable { .. }), "{other:?}"),
    }
}

/// The search over recolorings expands far fewer boards than A* with the source's heuristic.
#[test]
fn phases_expand_far_fewer_boards() {
    let mut random = Random::new(14);
    let mut ratios = Vec::new();
    while ratios.len() < 5 {
        let puzzle = read(&random_board(&mut random, 13, 3, 4));
        let expanded = |method: &str| {
            let report = solve(&*puzzle, method);
            (report.verdict() == "solved").then_some(report.stats.expanded)
        };
        let (Some(own), Some(relaxed), Some(count)) = (expanded("phases"), expanded("astar:relaxed"), expanded("astar:count")) else {
            continue;
        };
        assert!(relaxed <= count);
        ratios.push(count / own.max(1));
    }
    ratios.sort_unstable();
    assert!(ratios[2] >= 100, "{ratios:?}");
}

#[test]
fn certificates_are_checked() {
    for (text, kind) in [("colors: BRG; edges: 0-1 0-2 1-2", "parity"), ("colors: BBRR; edges: 0-1 2-3", "enclosed")] {
        let puzzle = read(text);
        for method in ["phases", "bfs", "astar:relaxed"] {
            let report = solve(&*puzzle, method);
            let Answer::Unsolvable { why: Why::Certificate(certificate) } = &report.answer else { panic!("{report:?}") };
            assert!(report.verified && certificate.kind == kind);
        }
        let report = solve(&*puzzle, None);
        let Answer::Unsolvable { why: Why::Certificate(right) } = report.answer else { panic!("{text}") };
        let reason = |kind: &str, vertices: Value| {
            let mut wrong = right.clone();
            wrong.kind = kind.to_owned();
            wrong.data.insert("vertices".to_owned(), vertices);
            let claim = Claim::from(Why::Certificate(wrong));
            puzzle.check(&claim, &Limits::nodes(0)).expect_err("wrong")
        };
        assert!(reason("magic", json!([1])).contains("no certificates of kind"));
        assert!(reason(kind, json!([99])).contains("there is no vertex 99"));
        assert!(reason(kind, json!(["x"])).contains("there is no vertex"));
        assert!(reason(kind, json!(3)).contains("is not a list"));
        assert!(reason(kind, json!([1, 1])).contains("twice"));
        assert!(reason("parity", json!([0])).contains("black"));
        assert!(reason("parity", json!([2])).contains("odd"));
        assert!(reason("parity", json!([])).contains("proves nothing"));
        assert!(reason("enclosed", json!([])).contains("empty"));
        assert!(reason("enclosed", json!([2])).contains("not black"));
        assert!(reason("enclosed", json!([0])).contains("neighbor"));
    }
    let solvable = read("colors: GGBRR; edges: 0-1 0-2 1-2 1-3 1-4 2-3");
    let claim = Claim::from(Why::Exhausted { states: 9 });
    assert!(solvable.check(&claim, &Limits::nodes(300_000)).is_err());
}

#[test]
fn formats_describe_the_same_board() {
    let texts = [
        "colors: GGBRR\nedges: 0-1 0-2 1-2 1-3 1-4 2-3",
        "# comment\ncolors: G G B R R # and here\nedges: 1-0, 2-0 2-1 3-1 4-1 3-2",
        "colors: ggbrr\n11100\n11111\n11110\n01110\n01001",
        "1 1 1 0 0\n1 0 1 1 1\n1 1 1 1 0\n0 1 1 1 0\n0 1 0 0 1\ncolors: GGBRR",
        "colors: GGBRR; graph: DzO",
        r#"{"colors": "GGBRR", "edges": [[0,1],[0,2],[1,2],[1,3],[1,4],[2,3]]}"#,
        r#"{"colors": "GGBRR", "graph": "DzO", "cost": "clicks"}"#,
        "colors: GGBRR; edges: 0-1 0-2 1-2 1-3 1-4 2-3 3-2 0-1",
    ];
    let first = read(texts[0]).instance();
    for text in texts {
        let puzzle = read(text);
        assert_eq!(puzzle.instance(), first, "{text}");
        let (options, limits) = (Options::default(), Limits::none());
        let input = Input::new(text, &options, &limits);
        Tricolor::read(&input).expect("valid");
        let noted = input.notes().iter().any(|note| note.contains("3-2 is given twice; it is counted once"));
        assert_eq!(noted, text.contains("3-2 0-1"), "{text}");
    }
    let json = solve(&*read(texts[0]), None).json(0.0);
    assert!(json["moves"].as_array().is_some_and(|moves| moves.len() == 4 && moves.iter().all(Value::is_u64)));
}

#[test]
fn generated_boards_can_be_solved() {
    let entry = games::find("tricolor").expect("listed");
    let read_options = |texts: &[&str]| options(texts, entry.generate_options.expect("has a generator"));
    for texts in [&[][..], &["vertices=20", "black=5", "degree=4"], &["graph=petersen", "black=4"], &["vertices=100", "black=6"]] {
        let options = read_options(texts);
        for seed in 0..6 {
            let text = (entry.generate)(seed, &options, &Limits::none()).expect("generated");
            assert_eq!(text, (entry.generate)(seed, &options, &Limits::none()).expect("again"), "the same seed generates the same board");
            let report = solve(&*read(&text), None);
            assert_eq!(report.verdict(), "solved", "{text}");
            let black = options.get("black").map_or(2, |black| black.parse().expect("a number"));
            assert_eq!(text.lines().next().map(|line| line.matches('B').count()), Some(black), "{text}");
        }
    }
    let all = read_options(&["graph=empty3", "black=3"]);
    assert!((entry.generate)(1, &all, &Limits::none()).is_err(), "a vertex without neighbors cannot have been black");
}

/// Boards that are equal up to symmetry are counted once.
#[test]
fn symmetry_folds_the_space() {
    for (name, colors) in [("K1,5", "BGRRGG"), ("C6", "BRRGRR")] {
        let puzzle = read(&format!("colors: {colors}; graph: {name}"));
        let space = puzzle.explore(&Limits::none());
        let folded = space.explored.total().states;
        assert!(space.unfolded.is_some_and(|all| all > folded), "{name}: {folded} of {:?}", space.unfolded);
    }
}
