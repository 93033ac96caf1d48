//! Drawings of graphs: vertices keep their distance from each other and from edges, familiar graphs are recognized, and positions
//! chosen by hand are read and written.

use kibitzer::graph::layout::{Gaps, places};
use kibitzer::graph::places::{Arranged, Layout, Room};
use kibitzer::graph::{Graph, families};
use kibitzer::limits::Limits;
use kibitzer::random::Random;
use kibitzer::text::{ParseError, Source, json};
use proptest::prelude::*;

use super::graph::{named, shuffled};

fn drawn(graph: &Graph) -> Vec<(f64, f64)> {
    places(graph, &Limits::none()).expect("no limit")
}

fn gaps(graph: &Graph, places: &[(f64, f64)]) -> Gaps {
    Gaps::of(graph, places, &Limits::none()).expect("no limit")
}

const NAMES: [&str; 51] = [
    "P1", "P2", "P3", "P5", "P8", "P9", "P12", "P16", "P30", "P64", "C3", "C4", "C8", "C16", "K2", "K3", "K4", "K5", "K8", "K12", "K1,3",
    "K2,3", "K3,3", "K3,4", "K5,7", "K2,2,2", "K1,2,3", "K3,3,3", "S6", "S15", "W3", "W5", "W12", "Q2", "Q3", "Q4", "Q5", "grid3x3",
    "grid4x5", "grid6x2", "ladder1", "ladder6", "prism3", "prism4", "prism5", "prism12", "petersen", "torus3x3", "torus3x4", "torus4x5",
    "empty4",
];

#[test]
fn vertices_are_inside_and_apart_and_clear_of_other_edges() {
    for name in NAMES {
        let graph = named(name);
        let places = drawn(&graph);
        assert_eq!(places.len(), graph.len());
        assert!(places.iter().all(|at| [at.0, at.1].iter().all(|n| (-1e-9..=1.0 + 1e-9).contains(n))), "{name}: {places:?}");
        let gaps = gaps(&graph, &places);
        // If the nearest vertices are 54 units apart, vertices of radius 17 touch neither each other nor edges that do not end at them.
        let least = if matches!(name, "K12" | "Q5") { 0.2 } else { 17.0 / 54.0 };
        assert!(gaps.clear / gaps.vertices > least, "{name}: {gaps:?}");
        assert!(gaps.vertices > 0.35 / (graph.len() as f64).sqrt().max(1.0), "{name}: {gaps:?}");
    }
}

/// The number of crossings between edges that share no vertex.
fn crossings(graph: &Graph) -> usize {
    let at = drawn(graph);
    let side =
        |a: usize, b: usize, c: usize| ((at[b].0 - at[a].0) * (at[c].1 - at[a].1) - (at[b].1 - at[a].1) * (at[c].0 - at[a].0)).signum();
    let edges: Vec<(usize, usize)> = graph.edges().collect();
    let cross = |&(a, b): &(usize, usize), &(c, d): &(usize, usize)| {
        ![a, b].contains(&c) && ![a, b].contains(&d) && side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b)
    };
    edges.iter().enumerate().map(|(i, one)| edges[..i].iter().filter(|other| cross(one, other)).count()).sum()
}

#[test]
fn planar_families_are_drawn_without_crossings() {
    for name in ["P9", "C8", "K4", "W3", "W7", "K2,2,2", "Q3", "grid4x5", "ladder6", "prism3", "prism4", "prism9", "S6"] {
        let copies = [1, 2].map(|seed| shuffled(&named(name), &mut Random::new(seed)));
        assert_eq!([&named(name), &copies[0], &copies[1]].map(crossings), [0; 3], "{name}");
    }
    // The inner pentagram crosses itself five times, and no other edges cross.
    assert_eq!(crossings(&named("petersen")), 5);
    for seed in 0..10 {
        assert_eq!(crossings(&families::random_connected(&mut Random::new(seed), 14, 13)), 0, "tree {seed}");
    }
}

/// A familiar graph is drawn with the same edge lengths whatever the order of its vertices.
#[test]
fn familiar_graphs_are_recognized() {
    let lengths = |graph: &Graph| {
        let places = drawn(graph);
        let length = |(u, v): (usize, usize)| ((places[u].0 - places[v].0).hypot(places[u].1 - places[v].1) * 1e6).round() as u64;
        let mut all: Vec<u64> = graph.edges().map(length).collect();
        all.sort_unstable();
        all
    };
    for name in ["petersen", "Q3", "Q4", "prism5", "grid3x4", "ladder5", "torus3x4", "W6", "K3,4", "K2,2,2"] {
        for seed in 0..5 {
            assert_eq!(lengths(&shuffled(&named(name), &mut Random::new(seed))), lengths(&named(name)), "{name}");
        }
    }
    // Like the cube, this graph has 8 vertices with 3 neighbors each. But it has triangles, so it must not be drawn like the cube, as a
    // square in a square.
    let other = Graph::from_edges(8, [(0, 1), (1, 2), (2, 0), (0, 3), (1, 4), (2, 5), (3, 4), (3, 6), (4, 7), (5, 6), (5, 7), (6, 7)]);
    assert_ne!(lengths(&other), lengths(&named("Q3")));
}

#[test]
fn random_graphs_are_clear() {
    for seed in 0..30 {
        let graph = families::random_connected(&mut Random::new(seed), 9, 12);
        let gaps = gaps(&graph, &drawn(&graph));
        assert!(gaps.clear > 0.05 && gaps.vertices > 0.08, "seed {seed}: {gaps:?}");
    }
}

#[test]
fn distances_are_measured() {
    let graph = Graph::from_edges(4, [(0, 1)]);
    let measured = gaps(&graph, &[(0.0, 0.0), (1.0, 0.0), (0.5, 0.25), (0.5, 0.75)]);
    assert_eq!(measured, Gaps { vertices: 0.5, edge: 1.0, clear: 0.25 });
    assert_eq!(gaps(&Graph::from_edges(3, [(0, 1)]), &[(0.0, 0.0), (0.0, 0.0), (0.3, 0.4)]).clear, 0.5, "an edge of length zero");
    assert_eq!(gaps(&Graph::empty(1), &[(0.5, 0.5)]), Gaps { vertices: 1.0, edge: 1.0, clear: 1.0 });
}

fn names() -> Vec<String> {
    ["a", "b", "c"].map(str::to_owned).to_vec()
}

fn written(layout: &Layout) -> Option<String> {
    layout.write(&|v| names()[v].clone())
}

fn read(value: &str) -> Result<Layout, ParseError> {
    let text = format!("layout: {value}");
    let source = Source::new(&text);
    let fields = source.fields(&["layout"], "")?;
    Layout::read(&fields[0], names())
}

fn read_json(text: &str) -> Result<Layout, ParseError> {
    json::read(&Source::new(text), |node| Layout::from_json(node, names()))
}

#[test]
fn layouts_are_written_as_they_were_read() {
    for text in ["a 0.1 0.5, c 0.9 1", "b 0 0.001", "a 1 1, b 0.25 0.125, c 0 0"] {
        assert_eq!(written(&read(text).expect("valid")).as_deref(), Some(text));
    }
    assert_eq!(written(&read("c .5 1.0,a 0.12345 00.1").expect("valid")).as_deref(), Some("a 0.123 0.1, c 0.5 1"));
    assert_eq!(read_json("{\"a\": [0.1, 0.5], \"c\": [1, 0]}"), read("a 0.1 0.5, c 1 0"));
    assert_eq!(written(&Layout::default()), None);
    assert_eq!(read_json("{}").map(|layout| layout.is_empty()), Ok(true));
}

#[test]
fn errors_in_a_layout_have_a_column() {
    for (text, column, message) in [
        ("a 0.1", 9, "`a 0.1` is not a vertex with two coordinates"),
        ("a 0.1 0.5, b", 20, "`b` is not a vertex with two coordinates"),
        ("", 8, "a vertex with two coordinates is missing"),
        ("a 0.1 0.5,", 19, "a vertex with two coordinates is missing"),
        ("a 0.1 x", 15, "`x` is not a decimal number from 0 to 1"),
        ("a NaN 0.5", 11, "`NaN` is not a decimal number from 0 to 1"),
        ("a inf 0.5", 11, "`inf` is not a decimal number from 0 to 1"),
        ("a 0.5 1e999", 15, "`1e999` is not a decimal number from 0 to 1"),
        ("a 0.5 1.001", 15, "`1.001` is not a decimal number from 0 to 1"),
        ("a -0.1 0", 11, "`-0.1` is not a decimal number from 0 to 1"),
        ("a 0 1e-1", 13, "`1e-1` is not a decimal number from 0 to 1"),
        ("a 0 0, d 0 0", 16, "there is no vertex `d`"),
        ("a 0 0, a 1 1", 16, "vertex `a` is placed twice"),
        ("[]", 1, "expected an object, found a list"),
        ("{\"a\": 1}", 7, "expected a list, found the number 1"),
        ("{\"a\": [1]}", 7, "a vertex has 2 coordinates, not 1"),
        ("{\"a\": [1, \"0\"]}", 11, "expected a number, found the string \"0\""),
        ("{\"a\": [1, 1e999]}", 11, "`1e999` is not a decimal number from 0 to 1"),
        ("{\"a\": [0, 2]}", 11, "`2` is not a decimal number from 0 to 1"),
        ("{\"d\": [0, 0]}", 7, "there is no vertex `d`"),
        ("{\"a\": [0, 0], \"a\": [0, 0]}", 20, "vertex `a` is placed twice"),
    ] {
        let error = if text.starts_with(['[', '{']) { read_json(text) } else { read(text) }.expect_err(text);
        assert_eq!((error.column, error.message.as_str()), (column, message), "{text}");
        assert!(!error.help.is_empty());
    }
}

proptest! {
    /// No text makes the reader panic, and a layout that it accepts survives writing and reading.
    #[test]
    fn any_layout_is_read_or_refused(value in "[abcd0-9 .,eENan+-]{0,40}|\\PC{0,20}") {
        prop_assume!(!value.contains([';', '\n', '\r']));
        if let Ok(layout) = read(&value) {
            let text = written(&layout).expect("at least one vertex is placed");
            prop_assert_eq!(read(&text), Ok(layout));
        }
    }
}

#[test]
fn moving_a_vertex_within_the_frame_keeps_the_frame() {
    const ROOM: Room = Room { apart: 50.0, edge: 60.0, clear: 20.0, margins: [30.0, 40.0, 25.0], width: 0.0 };
    let arranged = |layout: &Layout| Arranged::new(&named("P3"), layout, &ROOM, &Limits::none()).expect("no limit");
    let before = arranged(&Layout::default());
    let after = arranged(&before.moved(1, (100.0, 45.0)));
    assert_eq!((before.width, before.height, before.points[2]), (after.width, after.height, after.points[2]));
    assert!((after.points[1].0 - 100.0).abs() < 0.2 && (after.points[1].1 - 45.0).abs() < 0.2, "{:?}", after.points[1]);
    let free = before.free();
    assert!(before.places.iter().all(|place| (place.0 - free.0).hypot(place.1 - free.1) > 0.2), "{free:?}");
}
