//! Kayles: published sequences, and every answer compared with plain recursions that share no code with the game.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use kibitzer::catalog::Choice;
use kibitzer::gamegraph::sum::Adder;
use kibitzer::games::kayles::{Kayles, Octal, Period, Rule};
use kibitzer::graph::{Graph, families};
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Input, Options};
use kibitzer::random::Random;
use kibitzer::report::{Answer, Confirmed};
use kibitzer::rules::Rules;
use serde_json::json;

use crate::common::{amount, family, graphs, open, refused, solve, stopped};

fn mex(values: &BTreeSet<u16>) -> u16 {
    (0..).find(|value| !values.contains(value)).expect("finite")
}

/// The values of heaps by the definition: every way to take pins from the row.
fn heap_values(digits: &[u8], count: usize) -> Vec<u16> {
    let mut values: Vec<u16> = vec![0];
    for n in 1..count {
        let mut reached = BTreeSet::new();
        for (take, digit) in (1..=n).zip(digits) {
            for before in 0..=n - take {
                let after = n - take - before;
                let heaps = usize::from(before > 0) + usize::from(after > 0);
                if digit >> heaps & 1 == 1 {
                    reached.insert(values[before] ^ values[after]);
                }
            }
        }
        values.push(mex(&reached));
    }
    values
}

/// The value of a graph, by trying every move on the set of vertices left.
fn graph_value(graph: &Graph, rule: Rule, left: u32, known: &mut HashMap<u32, u16>) -> u16 {
    if let Some(&value) = known.get(&left) {
        return value;
    }
    let there = |v: usize| left >> v & 1 == 1;
    let mut reached = BTreeSet::new();
    for u in (0..graph.len()).filter(|&u| there(u)) {
        let near = graph.neighbors(u).iter().map(|&v| v as usize).filter(|&v| there(v));
        match rule {
            Rule::Node => _ = reached.insert(graph_value(graph, rule, near.fold(left & !(1 << u), |left, v| left & !(1 << v)), known)),
            Rule::Arc => near.for_each(|v| _ = reached.insert(graph_value(graph, rule, left & !(1 << u) & !(1 << v), known))),
        }
    }
    let value = mex(&reached);
    known.insert(left, value);
    value
}

fn plain(graph: &Graph, rule: Rule) -> u16 {
    graph_value(graph, rule, ((1u64 << graph.len()) - 1) as u32, &mut HashMap::new())
}

/// The value found by the search over parts, and the number of parts searched.
fn value(kayles: Kayles) -> u16 {
    let kayles = Arc::new(kayles);
    let start = kayles.start();
    Adder::new(&kayles).expect("positions split").value(&start, &Limits::none(), &mut ()).expect("no limit")
}

fn grundy(text: &str) -> Option<u16> {
    let report = open("kayles", text, &[]).solve(&Choice::method("grundy"), &Limits::none()).expect("no fault");
    let Answer::Decided(decided) = report.answer else { panic!("{text}: not decided") };
    decided.grundy
}

fn values(code: &str, count: usize) -> Vec<u16> {
    let mut values = Vec::new();
    Octal::read(code).expect("a code").extend(&mut values, count, &Limits::none()).expect("no limit");
    values
}

#[test]
fn values_of_heaps_are_the_published_ones() {
    // OEIS A002186 and A002187.
    let kayles = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4, 1, 2, 8, 5, 4, 7, 2, 1, 8, 6, 7];
    let chess = [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0, 4, 5, 2, 7, 4];
    assert_eq!(values("0.77", kayles.len()), kayles);
    assert_eq!(values("0.137", chess.len()), chess);
    // Dawson's Kayles is the same shifted by one.
    assert_eq!(values("0.07", chess.len() + 1)[1..], chess);
}

#[test]
fn values_of_heaps_follow_the_definition() {
    let mut random = Random::new(1);
    let mut codes: Vec<Vec<u8>> = vec![vec![7, 7], vec![1, 3, 7], vec![0, 7], vec![3; 40], vec![4, 0, 5], vec![0, 0, 0, 6]];
    for _ in 0..amount(20, 100) {
        let mut digits: Vec<u8> = (0..1 + random.below(5)).map(|_| random.below(8) as u8).collect();
        digits.push(1 + random.below(7) as u8);
        codes.push(digits);
    }
    for digits in codes {
        let code = format!("0.{}", digits.iter().map(u8::to_string).collect::<String>());
        assert_eq!(values(&code, 60), heap_values(&digits, 60), "{code}");
        for size in [1, 2, 5, 8, 11] {
            let found = grundy(&format!("octal: {code}; heaps: {size}"));
            assert_eq!(found, Some(heap_values(&digits, 12)[size]), "{code}: a heap of {size}");
        }
    }
}

#[test]
fn boards_on_paths_are_heaps() {
    let (chess, kayles) = (heap_values(&[1, 3, 7], 31), heap_values(&[0, 7], 31));
    for n in 1..=30 {
        assert_eq!(grundy(&format!("graph: P{n}; rule: node")), Some(chess[n]), "node on P{n}");
        assert_eq!(grundy(&format!("graph: P{n}; rule: arc")), Some(kayles[n]), "arc on P{n}");
    }
    let nim: Vec<Option<u16>> = ["heaps: 3 4 5", "heaps: 1 2 3", "heaps: 7", "heaps: 40 41"].map(grundy).into();
    assert_eq!(nim, [Some(2), Some(0), Some(7), Some(40 ^ 41)]);
    assert_eq!(grundy("octal: 0.77; heaps: 70 3"), Some(values("0.77", 71)[70] ^ 3));
}

/// All graphs with a few vertices, and random ones with more.
#[test]
fn values_of_graphs_are_those_of_a_plain_recursion() {
    let mut boards: Vec<Graph> = (1..=amount(5, 6)).flat_map(graphs).collect();
    let random = |seed: u64| families::random_connected(&mut Random::new(seed), 6 + seed as usize % 6, 6 + seed as usize % 9);
    boards.extend((0..amount(20, 100)).map(random));
    boards.extend(["grid3x4", "petersen", "Q3", "K3,4", "W7", "S6", "prism5", "torus3x3"].map(family));
    for graph in boards {
        for rule in [Rule::Arc, Rule::Node] {
            assert_eq!(value(Kayles::on(graph.clone(), rule)), plain(&graph, rule), "{rule:?} on {graph:?}");
        }
    }
}

/// Grids have keys of their own if they are given by name.
#[test]
fn cram_has_the_published_values() {
    for (rows, columns) in [(2, 5), (3, 3), (3, 4), (3, 5), (4, 4), (3, 6)] {
        for (rule, name) in [(Rule::Arc, "arc"), (Rule::Node, "node")] {
            let grid = format!("grid{rows}x{columns}");
            assert_eq!(grundy(&format!("graph: {grid}; rule: {name}")), Some(plain(&family(&grid), rule)), "{name} on {grid}");
        }
    }
    // Lemoine and Viennot: Nimbers are inevitable.
    let row = |rows: usize, columns: std::ops::RangeInclusive<usize>| {
        columns.map(|columns| grundy(&format!("grid{rows}x{columns}")).expect("impartial")).collect::<Vec<u16>>()
    };
    let three = [0, 1, 1, 4, 1, 3, 1, 2, 0, 1];
    let most = amount(6, 12);
    assert_eq!(row(3, 3..=most), three[..most - 2]);
    let four = [2, 0, 3, 0, 1];
    let most = amount(5, 8);
    assert_eq!(row(4, 5..=most), four[..most - 4]);
    assert_eq!(row(5, 5..=5), [0]);
}

#[test]
fn the_periods_are_the_published_ones() {
    let period = |code: &str, count: usize| Octal::read(code).expect("a code").period(&values(code, count));
    assert_eq!(period("0.77", 200), Some(Period { from: 71, period: 12, checked: 156 }));
    assert_eq!(period("0.137", 250), Some(Period { from: 52, period: 34, checked: 141 }));
    assert_eq!(period("0.07", 250), Some(Period { from: 53, period: 34, checked: 142 }));
    // Too few values prove nothing, even if they repeat.
    assert_eq!(period("0.77", 150), None);
    // The period that is proved early holds later.
    for code in ["0.77", "0.137", "0.07", "0.17", "0.3", "0.4"] {
        let Period { from, period, .. } = period(code, 2000).unwrap_or_else(|| panic!("{code} has a short period"));
        let values = values(code, 4000);
        assert!((from..4000 - period).all(|n| values[n] == values[n + period]), "{code}");
        assert!(from == 0 || values[from - 1] != values[from - 1 + period], "{code}: the period begins earlier");
        assert!((1..period).all(|less| (from..2000).any(|n| values[n] != values[n + less])), "{code}: a shorter period");
    }
}

#[test]
fn the_command_period_answers_or_gives_up() {
    let entry = kibitzer::games::find("kayles").expect("a game");
    let tool = entry.tools.iter().find_map(|tool| match tool {
        kibitzer::notation::tools::Tool::Command(command) => Some(command),
        _ => None,
    });
    let run = tool.expect("the command `period`").run;
    let ask = |text: &str, limits: &Limits| run(&Input::new(text, &Options::default(), limits));
    let found = ask("octal: 0.77", &Limits::none()).unwrap_or_else(|error| panic!("{error:?}"));
    assert!(found.text.starts_with("period 12 from 71\n") && found.limit.is_none());
    assert_eq!((&found.json["preperiod"], &found.json["period"], &found.json["checked"]), (&json!(71), &json!(12), &json!([71, 155])));
    let few = ask("0.77", &Limits::nodes(100)).unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!((few.limit, few.json.get("period"), few.steps), (Some(Limit::Nodes), None, 100));
    assert_eq!(ask("0.77", &stopped()).ok().and_then(|late| late.limit), Some(Limit::Time));
    for wrong in ["", "octal: 0.8", "0", "4.7", "heaps: 3", "octal: 0.00"] {
        assert!(ask(wrong, &Limits::none()).is_err(), "{wrong}");
    }
}

/// A search that is stopped again and again finds the same with the same counts.
#[test]
fn a_stopped_search_over_parts_resumes() {
    for text in ["grid4x4", "octal: 0.77; heaps: 30 12", "graph: petersen; rule: node + grid3x4"] {
        let game = Arc::new(kibitzer::notation::parse::<Kayles>(text, &Options::default()).expect("a board"));
        let start = game.start();
        let mut whole = Adder::new(&game).expect("positions split");
        let value = whole.value(&start, &Limits::none(), &mut ());
        let mut pieces = Adder::new(&game).expect("positions split");
        let mut nodes = 0;
        let found = loop {
            match pieces.value(&start, &Limits::nodes(nodes), &mut ()) {
                Err(Limit::Nodes) => nodes += 1,
                found => break found,
            }
        };
        assert_eq!(found, value, "{text}");
        let counts = |adder: &Adder<Kayles>| (adder.stats().expanded, adder.stats().generated, adder.stats().stored);
        assert_eq!(counts(&pieces), counts(&whole), "{text}");
        assert!(nodes > 3, "{text}: it was never stopped");
    }
}

/// Reports list the parts of a position, and `check` compares them.
#[test]
fn parts_are_reported_and_checked() {
    let puzzle = open("kayles", "graph: P5; rule: node + heaps: 2 4", &[]);
    let report = solve(&*puzzle, None);
    let json = report.json(0.0);
    let part = |position: &str, grundy: u16| json!({"position": position, "grundy": grundy});
    assert_eq!(json["parts"], json!([part("node on P5", 3), part("Nim: 2", 2), part("Nim: 4", 4)]));
    assert!(report.text(0.0).contains("\n# part: node on P5: Grundy value 3\n"));
    assert_eq!(report.text(0.0).matches("# part: ").count(), 3);
    let check = |json: &serde_json::Value, nodes: u64| {
        let claim = kibitzer::report::Claim::read_for(&json.to_string(), "kayles", 2).expect("JSON");
        puzzle.check(&claim, &Limits::nodes(nodes))
    };
    assert!(check(&json, 10_000).is_ok_and(|checked| checked.complete()));
    let mut wrong = json.clone();
    wrong["parts"][1]["grundy"] = json!(1);
    assert!(check(&wrong, 10_000).is_err_and(|fault| fault.contains("`parts`")));
    // With fewer positions, the parts are examined one by one.
    assert!(check(&json, 100).is_ok_and(|checked| checked.complete()));
    assert!(check(&wrong, 100).is_err_and(|fault| fault.contains("`parts`")));
    assert!(check(&json, 2).is_ok_and(|checked| !checked.complete()));
    // A position that does not split has no list.
    assert!(solve(&*open("kayles", "grid3x3", &[]), None).json(0.0).get("parts").is_none());
    let large = solve(&*open("kayles", "octal: 0.77; heaps: 70", &[]), None);
    assert!(large.verified && matches!(large.answer, Answer::Decided(decided) if decided.confirmed == Some(Confirmed::Parts)));
}

#[test]
fn readers_refuse_what_is_not_a_board() {
    for (text, expected) in [
        ("heaps: 3 0", "a heap cannot have 0 pins"),
        ("heaps: 3 -1", "a heap cannot have -1 pins"),
        ("heaps: 200 100", "at most 256 vertices and pins"),
        ("heaps: 99999999999", "at most 256 vertices and pins"),
        ("heaps:", "there are no heaps"),
        ("octal: 0.79; heaps: 3", "the digits 0 to 7"),
        ("octal: 4.7; heaps: 3", "the digit before the point must be 0"),
        ("octal: 0.0; heaps: 3", "allows no move"),
        ("octal: 0.77", "`heaps: …` is missing"),
        ("graph: P3; octal: 0.77", "for heaps"),
        ("graph: P3; heaps: 3", "either a graph or heaps"),
        ("graph: P3; rule: edge", "neither arc nor node"),
        ("graph: P3; taken: z", "there is no vertex `z`"),
        ("heaps: 3; taken: 1.4", "there is no pin `1.4`"),
        ("graph: P3 +", "there is no board"),
        ("graph: P200 + heaps: 100", "at most 256 vertices and pins"),
        ("P300", "at most 256 vertices and pins"),
    ] {
        refused("kayles", text, &[], expected);
    }
    refused("kayles", "P3", &["rule=edge"], "option `rule`");
    refused("kayles", "graph: P3; rule: arc", &["rule=node"], "but the board says `arc`");
    refused("kayles", "", &["graph=P300"], "at most 256 vertices");
    assert_eq!(open("kayles", "", &["graph=P4", "rule=node"]).instance(), "graph: P4; rule: node\n");
    let later = "graph: P4; rule: arc; taken: a b + heaps: 3 4; taken: 2.2-2.4\n";
    assert_eq!(open("kayles", "graph: P4; taken: b a + heaps: 3,4; taken: 2.4 2.2-2.3", &[]).instance(), later);
}
