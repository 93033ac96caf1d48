//! Groups of known order, canonical forms against shuffled copies, and the number of graphs of each size.

use super::*;
use crate::graph::families;
use crate::random::Random;

fn named(name: &str) -> Graph {
    families::by_name(name).and_then(Result::ok).expect("a family")
}

fn keeps(graph: &Graph, permutation: &[u32]) -> bool {
    graph.edges().all(|(u, v)| graph.has_edge(permutation[u] as usize, permutation[v] as usize))
}

#[test]
fn orders_are_known() {
    for (name, order) in [
        ("P1", 1),
        ("P2", 2),
        ("P5", 2),
        ("C3", 6),
        ("C4", 8),
        ("C7", 14),
        ("K6", 720),
        ("K3,3", 72),
        ("K3,4", 144),
        ("S6", 720),
        ("W5", 10),
        ("Q3", 48),
        ("Q4", 384),
        ("Q6", 46080),
        ("grid3x3", 8),
        ("grid3x4", 4),
        ("torus4x4", 384),
        ("torus5x7", 140),
        ("prism5", 20),
        ("ladder6", 4),
        ("petersen", 120),
        ("empty5", 120),
        ("empty0", 1),
        ("C200", 400),
        ("grid30x30", 8),
    ] {
        let graph = named(name);
        let symmetry = of(&graph, None);
        assert!(symmetry.complete && symmetry.generators.iter().all(|g| keeps(&graph, g)), "{name}");
        assert_eq!(symmetry.order(), Some(order), "{name}");
        if order < 1000 {
            assert_eq!(symmetry.elements(1000).map(|all| all.len() as u128), Some(order), "{name}");
        }
    }
    assert_eq!(of(&named("S2000"), None).order(), None, "too large a number");
    assert_eq!(of(&named("petersen"), None).elements(119), None);
}

#[test]
fn colors_are_kept() {
    let graph = named("C6");
    let symmetry = of(&graph, Some(&[1, 0, 1, 0, 1, 0]));
    assert_eq!(symmetry.order(), Some(6));
    assert_eq!(symmetry.orbits, [0, 1, 0, 1, 0, 1]);
    assert_eq!(of(&graph, Some(&[1, 0, 0, 0, 0, 0])).order(), Some(2));
    assert_eq!(of(&named("K5"), Some(&[0, 0, 7, 7, 7])).order(), Some(12));
    // The form of a colored graph includes the colors.
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
fn shuffled_copies_have_one_form() {
    let mut random = Random::new(5);
    let names = ["P7", "C8", "K5", "K2,3", "W6", "Q3", "Q4", "grid3x4", "torus3x4", "prism6", "petersen", "ladder5", "S7"];
    let mut graphs: Vec<Graph> = names.iter().map(|name| named(name)).collect();
    graphs.extend((0..60).map(|seed| families::random_connected(&mut Random::new(seed), 12, 12 + seed as usize % 20)));
    // Two disjoint triangles against a hexagon: alike to refinement, but not equal.
    graphs.push(Graph::from_edges(6, [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]));
    let mut forms = Vec::new();
    for graph in &graphs {
        let form = canonical(graph).expect("small");
        assert_eq!((form.len(), form.edge_count()), (graph.len(), graph.edge_count()));
        for _ in 0..8 {
            let mut to: Vec<u32> = (0..graph.len() as u32).collect();
            random.shuffle(&mut to, graph.len());
            assert_eq!(canonical(&graph.relabeled(&to)), Some(form.clone()));
        }
        forms.push(form);
    }
    assert_ne!(canonical(&named("C6")), forms.last().cloned());
}

/// Every graph by adding a vertex to every smaller one in every way: the number of forms is known (OEIS A000088).
#[test]
fn all_small_graphs_are_distinguished() {
    let mut graphs = vec![Graph::empty(0)];
    for (n, count) in [(1, 1), (2, 2), (3, 4), (4, 11), (5, 34), (6, 156)] {
        let mut forms = std::collections::HashSet::new();
        for graph in &graphs {
            for mask in 0..1u32 << (n - 1) {
                let mut larger = Graph::from_edges(n, graph.edges());
                (0..n - 1).filter(|v| mask >> v & 1 == 1).for_each(|v| _ = larger.add_edge(v, n - 1));
                forms.insert(canonical(&larger).expect("small").edges().collect::<Vec<_>>());
            }
        }
        assert_eq!(forms.len(), count, "{n} vertices");
        graphs = forms.into_iter().map(|edges| Graph::from_edges(n, edges)).collect();
        // Orbit and stabilizer: the labeled graphs are all counted.
        let factorial: u128 = (1..=n as u128).product();
        let labeled: u128 = graphs.iter().map(|graph| factorial / of(graph, None).order().expect("small")).sum();
        assert_eq!(labeled, 1 << (n * (n - 1) / 2));
    }
}
