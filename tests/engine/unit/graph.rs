//! Graphs and families of known sizes, automorphism groups of known orders, canonical forms of shuffled copies, and the number of
//! graphs of each size.

use kibitzer::graph::families::{by_name, random_connected};
use kibitzer::graph::symmetry::{canonical, of};
use kibitzer::graph::{Graph, families};
use kibitzer::random::Random;

pub use crate::common::family as named;
use crate::common::graphs;

/// The same graph with its vertices in random order.
pub fn shuffled(graph: &Graph, random: &mut Random) -> Graph {
    let mut to: Vec<u32> = (0..graph.len() as u32).collect();
    random.shuffle(&mut to, graph.len());
    graph.relabeled(&to)
}

#[test]
fn edges_rows_and_lists_agree() {
    let graph = Graph::from_edges(130, [(0, 129), (129, 64), (64, 0), (0, 64)]);
    assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 64), (0, 129), (64, 129)]);
    assert_eq!(graph.edge_count(), 3);
    assert_eq!(graph.neighbors(64), [0, 129]);
    assert_eq!(graph.row(64), [1, 0, 2]);
    assert!(graph.has_edge(129, 0) && !graph.has_edge(0, 0));
    assert_eq!((graph.degree(1), graph.max_degree()), (0, 2));
    assert!(!graph.is_connected());
    assert_eq!(graph.parts()[..3], [0, 1, 2]);
    assert_eq!((graph.name(64), graph.find("129")), ("64".to_owned(), Some(129)));
}

#[test]
fn names_are_letters_where_they_suffice() {
    let mut graph = Graph::from_edges(52, [(0, 51)]);
    assert_eq!([graph.name(0), graph.name(25), graph.name(26), graph.name(51)], ["a", "z", "A", "Z"]);
    graph.set_names(Some((1..=52).map(|v| v.to_string()).collect()));
    let turned: Vec<u32> = (0..52).map(|v| (v + 1) % 52).collect();
    let other = graph.relabeled(&turned);
    assert_eq!((other.find("1"), other.has_edge(1, 0)), (Some(1), true));
}

/// For each graph: its names, and its number of vertices, number of edges and maximum degree.
#[test]
fn families_have_known_sizes() {
    for (names, size) in [
        ("P1|Q0|K1", (1, 0, 0)),
        ("p5|Path 5", (5, 4, 2)),
        ("C3|cycle3|K3", (3, 3, 2)),
        ("K4|W3", (4, 6, 3)),
        ("K2,3|k2_3|K_{2,3}", (5, 6, 3)),
        ("K2,2,2", (6, 12, 4)),
        ("S4|K1,4", (5, 4, 4)),
        ("W5", (6, 10, 5)),
        ("Q3", (8, 12, 3)),
        ("grid3x4|grid 3 x 4", (12, 17, 4)),
        ("torus3x3", (9, 18, 4)),
        ("L4", (8, 10, 3)),
        ("ladder1", (2, 1, 1)),
        ("prism3", (6, 9, 3)),
        ("Petersen", (10, 15, 3)),
        ("empty0", (0, 0, 0)),
    ] {
        let graphs: Vec<Graph> = names.split('|').map(named).collect();
        assert!(graphs.iter().all(|graph| *graph == graphs[0] && (graph.len(), graph.edge_count(), graph.max_degree()) == size), "{names}");
    }
}

#[test]
fn errors_in_family_names_have_a_remedy() {
    for (name, expected, help) in [
        ("X5", "unknown graph family", "P5: path"),
        ("petersn", "unknown graph family", "did you mean `petersen`"),
        ("lader4", "unknown graph family", "did you mean `ladder4`"),
        ("C2", "at least 3", "C7"),
        ("P0", "at least 1", "P5"),
        ("P", "accept 0 numbers", "P5"),
        ("P3,4", "accept 2 numbers", "P5"),
        ("P99999999999999999999999", "too large", "at most"),
        ("K30000", "too large", "at most"),
        ("K5000,5000", "too large", "at most"),
        ("Q40", "too large", "at most"),
        ("grid30000x30000", "too large", "at most"),
    ] {
        let Some(Err(error)) = by_name(name) else { panic!("{name}") };
        assert!(error.message.contains(expected) && error.help.contains(help), "{name}: {}; {}", error.message, error.help);
    }
    for other in ["", "a-b", "Bw", "DQc", "0-1", "a:b b:a", "{}"] {
        assert!(by_name(other).is_none(), "{other}");
    }
}

#[test]
fn random_graphs_are_connected_and_repeatable() {
    for seed in 0..20 {
        let graph = random_connected(&mut Random::new(seed), 9, 12);
        assert_eq!((graph.len(), graph.edge_count(), graph.is_connected()), (9, 12, true));
        assert_eq!(graph, random_connected(&mut Random::new(seed), 9, 12));
    }
    assert_eq!(random_connected(&mut Random::new(1), 4, 99).edge_count(), 6);
}

#[test]
fn groups_have_known_orders() {
    for (names, order) in [
        ("P1 empty0", 1),
        ("P2 P5", 2),
        ("grid3x4 ladder6", 4),
        ("C3", 6),
        ("C4 grid3x3 grid30x30", 8),
        ("W5", 10),
        ("C7", 14),
        ("prism5", 20),
        ("Q3", 48),
        ("K3,3", 72),
        ("petersen empty5", 120),
        ("torus5x7", 140),
        ("K3,4", 144),
        ("Q4 torus4x4", 384),
        ("C200", 400),
        ("K6 S6", 720),
        ("Q6", 46080),
    ] {
        for name in names.split(' ') {
            let (graph, symmetry) = (named(name), of(&named(name), None));
            let keeps = |to: &Vec<u32>| graph.edges().all(|(u, v)| graph.has_edge(to[u] as usize, to[v] as usize));
            assert!(symmetry.complete && symmetry.generators.iter().all(keeps), "{name}");
            assert_eq!(symmetry.order(), Some(order), "{name}");
            if order < 1000 {
                assert_eq!(symmetry.elements(1000).map(|all| all.len() as u128), Some(order), "{name}");
            }
        }
    }
    assert_eq!(of(&named("S2000"), None).order(), None, "the order overflows");
    assert_eq!(of(&named("petersen"), None).elements(119), None);
}

#[test]
fn automorphisms_keep_colors() {
    let graph = named("C6");
    let symmetry = of(&graph, Some(&[1, 0, 1, 0, 1, 0]));
    assert_eq!(symmetry.order(), Some(6));
    assert_eq!(symmetry.orbits, [0, 1, 0, 1, 0, 1]);
    assert_eq!(of(&graph, Some(&[1, 0, 0, 0, 0, 0])).order(), Some(2));
    assert_eq!(of(&named("K5"), Some(&[0, 0, 7, 7, 7])).order(), Some(12));
    // The canonical form of a colored graph includes the colors.
    let form = |colors: &[u32]| {
        let symmetry = of(&graph, Some(colors));
        let place = symmetry.canonical().expect("small").to_vec();
        let mut moved = [0; 6];
        place.iter().zip(colors).for_each(|(&place, &color)| moved[place as usize] = color);
        (graph.relabeled(&place), moved)
    };
    assert_eq!(form(&[1, 0, 0, 2, 0, 0]), form(&[0, 2, 0, 0, 1, 0]));
    assert_ne!(form(&[1, 0, 0, 2, 0, 0]), form(&[1, 0, 2, 0, 0, 0]));
}

#[test]
fn shuffled_copies_have_the_same_canonical_form() {
    let mut random = Random::new(5);
    let names = ["P7", "C8", "K5", "K2,3", "W6", "Q3", "Q4", "grid3x4", "torus3x4", "prism6", "petersen", "ladder5", "S7"];
    let mut graphs: Vec<Graph> = names.iter().map(|name| named(name)).collect();
    graphs.extend((0..60).map(|seed| families::random_connected(&mut Random::new(seed), 12, 12 + seed as usize % 20)));
    // Two disjoint triangles, which refinement cannot distinguish from a hexagon.
    let triangles = Graph::from_edges(6, [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]);
    assert_ne!(canonical(&named("C6")), canonical(&triangles));
    for graph in graphs.iter().chain([&triangles]) {
        let form = canonical(graph).expect("small");
        assert_eq!((form.len(), form.edge_count()), (graph.len(), graph.edge_count()));
        assert!((0..8).all(|_| canonical(&shuffled(graph, &mut random)).as_ref() == Some(&form)));
    }
}

/// The number of graphs of each size is known (OEIS A000088).
#[test]
fn all_small_graphs_are_distinguished() {
    for (n, count) in [(1, 1), (2, 2), (3, 4), (4, 11), (5, 34), (6, 156)] {
        let graphs = graphs(n);
        assert_eq!(graphs.len(), count, "{n} vertices");
        // By the orbit-stabilizer theorem, the orbit sizes of all graphs add up to the number of labeled graphs.
        let factorial: u128 = (1..=n as u128).product();
        let labeled: u128 = graphs.iter().map(|graph| factorial / of(graph, None).order().expect("small")).sum();
        assert_eq!(labeled, 1 << (n * (n - 1) / 2));
    }
}
