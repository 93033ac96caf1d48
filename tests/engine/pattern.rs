//! Compares pattern databases with Bellman-Ford on random graphs, and depth-first searches that make moves in place with those that copy
//! states.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use kibitzer::limits::{Cache, Limit, Limits};
use kibitzer::rules::{Cost, DEAD, Estimate, Heuristic, InPlace, Patterns, Problem, Projection, Rules};
use kibitzer::search::{self, Algorithm};
use proptest::prelude::*;

const NODES: usize = 14;

/// A weighted graph; a move is an edge. `ADDITIVE`: the cost of an edge counts in only one projection. `IN_PLACE`: moves are made in place.
#[derive(Clone, Debug)]
struct Graph<const ADDITIVE: bool, const IN_PLACE: bool> {
    edges: Vec<(u8, u8, Cost)>,
    goal: u8,
    /// The pattern of each node under each projection.
    maps: [Vec<u8>; 2],
    /// Number of patterns per entry.
    details: u32,
    /// Estimates, mostly inconsistent.
    rough: Vec<Cost>,
    /// True if all prices are 1, and the problem declares this.
    equal: bool,
}

impl<const A: bool, const B: bool> Graph<A, B> {
    /// The cost that an edge has in a projection.
    fn share(&self, edge: usize, projection: usize) -> Cost {
        if !A || edge % 2 == projection { self.edges[edge].2 } else { 0 }
    }

    fn with<const C: bool, const D: bool>(&self) -> Arc<Graph<C, D>> {
        let Graph { edges, goal, maps, details, rough, equal } = self.clone();
        Arc::new(Graph { edges, goal, maps, details, rough, equal })
    }
}

impl<const A: bool, const B: bool> Rules for Graph<A, B> {
    type State = u8;
    type Move = usize;
    fn start(&self) -> u8 {
        0
    }
    fn moves(&self, node: &u8, out: &mut Vec<usize>) {
        out.extend((0..self.edges.len()).filter(|&edge| self.edges[edge].0 == *node));
    }
    fn apply(&self, _: &u8, edge: &usize) -> u8 {
        self.edges[*edge].1
    }
}

impl<const A: bool, const B: bool> Problem for Graph<A, B> {
    const HEURISTICS: &'static [Heuristic<Self>] = &[Heuristic {
        name: "rough",
        about: "",
        admissible: true,
        consistent: false,
        aliases: &[],
        build: |graph, _| {
            let estimate = Estimate::new(|graph: &Self, node: &u8| graph.rough[*node as usize]);
            let change = |&(from, to, _): &(u8, u8, Cost)| graph.rough[to as usize].wrapping_sub(graph.rough[from as usize]);
            Ok(estimate.with_differences(graph.edges.iter().map(change).collect()))
        },
    }];
    const PATTERNS: Option<Patterns<Self>> = Some(Patterns {
        about: "",
        additive: A,
        consistent: false,
        projections: |graph| {
            let entries = (NODES as u32).div_ceil(graph.details);
            (0..2).map(|at| Projection { id: format!("test {at} {graph:?}"), entries, details: graph.details }).collect()
        },
        entries: |graph, node, out| {
            for (entry, map) in out.iter_mut().zip(&graph.maps) {
                *entry = u32::from(map[*node as usize]) / graph.details;
            }
        },
        goals: |graph, at| vec![graph.maps[at][graph.goal as usize].into()],
        step: |graph, at, pattern, emit| {
            BUILT.set(BUILT.get() + 1);
            let map = &graph.maps[at];
            for (edge, &(from, to, _)) in graph.edges.iter().enumerate().filter(|(_, edge)| u64::from(map[edge.1 as usize]) == pattern) {
                assert_eq!(u64::from(map[to as usize]), pattern);
                emit(map[from as usize].into(), graph.share(edge, at));
            }
        },
    });
    const IN_PLACE: Option<InPlace<Self>> = if B {
        Some(InPlace {
            make: |graph, node, edge| u64::from(std::mem::replace(node, graph.edges[*edge].1)),
            unmake: |_, node, _, before| *node = before as u8,
            changes: |_, _, edges, changes| changes.copy_from_slice(edges),
        })
    } else {
        None
    };
    fn is_goal(&self, node: &u8) -> bool {
        *node == self.goal
    }
    fn cost(&self, _: &u8, edge: &usize) -> Cost {
        self.edges[*edge].2
    }
    fn move_costs(&self) -> std::ops::RangeInclusive<Cost> {
        if self.equal { 1..=1 } else { 0..=400 }
    }
    fn is_dead(&self, node: &u8) -> bool {
        self.rough[*node as usize] == 7
    }
}

thread_local! {
    /// Number of patterns that were expanded while tables were built.
    static BUILT: Cell<u64> = const { Cell::new(0) };
}

type Plain = Graph<false, false>;

fn graphs() -> impl Strategy<Value = Plain> {
    let edges = prop::collection::vec((0..NODES as u8, 0..NODES as u8, prop_oneof![0u32..5, Just(300)]), 0..45);
    let map = || prop::collection::vec(0..NODES as u8, NODES);
    let rough = prop::collection::vec(prop_oneof![0u32..9, Just(DEAD)], NODES);
    (edges, 0..NODES as u8, map(), map(), 1u32..5, rough, any::<bool>()).prop_map(|(mut edges, goal, one, two, details, rough, equal)| {
        if equal {
            edges.iter_mut().for_each(|edge| edge.2 = 1);
        }
        Graph { edges, goal, maps: [one, two], details, rough, equal }
    })
}

/// The least costs to the goal in the graph in which `map` merges nodes and `price` gives the costs of the edges.
fn exact(edges: &[(u8, u8, Cost)], goal: u8, map: &[u8], price: impl Fn(usize) -> Cost) -> Vec<Cost> {
    let mut costs = vec![DEAD; NODES];
    costs[map[goal as usize] as usize] = 0;
    for _ in 0..NODES {
        for (edge, &(from, to, _)) in edges.iter().enumerate() {
            let through = costs[map[to as usize] as usize].saturating_add(price(edge));
            let here = &mut costs[map[from as usize] as usize];
            *here = (*here).min(through);
        }
    }
    costs
}

fn estimates<P: Problem<State = u8>>(problem: &P, limits: &Limits) -> Result<Vec<Cost>, Limit> {
    let heuristic = search::heuristics(problem).into_iter().find(|heuristic| heuristic.name == "pattern").expect("there are patterns");
    let estimate = (heuristic.build)(problem, limits)?;
    (0..NODES as u8).map(|node| estimate.at(problem, &node, limits)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::common::amount(300, 3000), ..ProptestConfig::default() })]

    #[test]
    fn a_pattern_database_has_the_least_costs_of_the_projections(graph in graphs()) {
        let whole: Vec<u8> = (0..NODES as u8).collect();
        let true_costs = exact(&graph.edges, graph.goal, &whole, |edge| graph.edges[edge].2);
        let costs = |price: &dyn Fn(usize, usize) -> Cost, at: usize, node: usize| {
            let costs = exact(&graph.edges, graph.goal, &graph.maps[at], |edge| price(edge, at));
            let entry = u32::from(graph.maps[at][node]) / graph.details;
            (0..NODES).filter(|&pattern| pattern as u32 / graph.details == entry).map(|pattern| costs[pattern]).min().expect("not empty")
        };
        let additive = graph.with::<true, false>();
        let greatest = estimates(&graph, &Limits::none()).expect("no limit");
        let sums = estimates(&*additive, &Limits::none()).expect("no limit");
        for node in 0..NODES {
            let parts = [0, 1].map(|at| costs(&|edge, at| graph.share(edge, at), at, node));
            prop_assert_eq!(greatest[node], parts[0].max(parts[1]));
            prop_assert!(greatest[node] <= true_costs[node]);
            let parts = [0, 1].map(|at| costs(&|edge, at| additive.share(edge, at), at, node));
            prop_assert_eq!(sums[node], parts[0].saturating_add(parts[1]));
            prop_assert!(sums[node] <= true_costs[node]);
        }
    }

    /// The counts, the bounds and the plan are the same whether states are copied or moves are made in place, at every limit.
    #[test]
    fn making_moves_in_place_changes_no_search(graph in graphs(), nodes in 1u64..400) {
        let (copying, in_place) = (graph.with::<false, false>(), graph.with::<false, true>());
        for (kind, heuristic) in [(Algorithm::IterativeDeepening, None), (Algorithm::IdaStar, Some("rough")), (Algorithm::IdaStar, Some("pattern"))] {
            let mut one = begin(&copying, kind, heuristic);
            let mut other = begin(&in_place, kind, heuristic);
            let (mut first, mut second) = (one.run(&Limits::nodes(nodes / 2)), other.run(&Limits::nodes(nodes / 2)));
            prop_assert_eq!(&first, &second);
            (first, second) = (one.run(&Limits::nodes(nodes)), other.run(&Limits::nodes(nodes)));
            prop_assert_eq!(&first, &second);
            let counts = |stats: kibitzer::outcome::Stats| (stats.expanded, stats.generated, stats.stored);
            prop_assert_eq!(counts(one.stats()), counts(other.stats()));
            prop_assert_eq!((one.look().last, one.look().open), (other.look().last, other.look().open));
        }
    }
}

fn begin<P: Problem<State = u8>>(problem: &Arc<P>, kind: Algorithm, heuristic: Option<&str>) -> search::Search<P> {
    let found = search::heuristics(&**problem).into_iter().find(|known| Some(known.name) == heuristic);
    search::begin(kind, Arc::clone(problem), 0, found, 2000)
}

/// Tables in memory, and the notes about them.
#[derive(Default)]
struct Shelf {
    tables: Mutex<HashMap<String, Vec<u8>>>,
    notes: Mutex<Vec<String>>,
}

impl Cache for Shelf {
    fn load(&self, name: &str) -> Option<Vec<u8>> {
        self.tables.lock().expect("not poisoned").get(name).cloned()
    }
    fn store(&self, name: &str, parts: &[&[u8]]) {
        self.tables.lock().expect("not poisoned").insert(name.to_owned(), parts.concat());
    }
    fn note(&self, text: &str) {
        self.notes.lock().expect("not poisoned").push(text.to_owned());
    }
}

/// A stored table is used without being rebuilt. If one bit of any byte is flipped, or the table is cut to half its length, it is rebuilt
/// and stored again, with a note.
#[test]
fn stored_tables_are_checked() {
    let edges = vec![(0, 1, 1), (1, 2, 300), (2, 3, 1), (3, 4, 4)];
    let whole: Vec<u8> = (0..NODES as u8).collect();
    let halves = whole.iter().map(|node| node / 2).collect();
    let graph: Plain = Graph { edges, goal: 4, maps: [whole, halves], details: 1, rough: vec![0; NODES], equal: false };
    let shelf = Arc::new(Shelf::default());
    let limits = Limits { cache: Some(Arc::clone(&shelf) as Arc<dyn Cache>), ..Limits::none() };
    let built = || {
        let before = BUILT.get();
        let values = estimates(&graph, &limits).expect("no limit");
        (values, BUILT.get() > before)
    };
    let (values, first) = built();
    assert_eq!(values[..5], [306, 305, 5, 4, 0]);
    assert!(first);
    assert_eq!(built(), (values.clone(), false));
    let stored = shelf.tables.lock().expect("not poisoned").clone();
    assert_eq!(stored.len(), 2);
    for (name, bytes) in &stored {
        assert!(name.ends_with(".pattern") && bytes.starts_with(b"kibitzer pattern database 1\nid: test "), "{name}");
        for at in 0..=bytes.len() {
            let mut wrong = bytes.clone();
            match wrong.get_mut(at) {
                Some(byte) => *byte ^= 1,
                None => wrong.truncate(at / 2),
            }
            shelf.store(name, &[&wrong]);
            assert_eq!(built().0, values, "byte {at}");
            assert_eq!(shelf.load(name).as_ref(), Some(bytes), "byte {at} of {name}");
            let notes = std::mem::take(&mut *shelf.notes.lock().expect("not poisoned"));
            assert!(notes.len() == 1 && notes[0].contains("rebuilt"), "{notes:?}");
        }
    }
    assert!(shelf.notes.lock().expect("not poisoned").is_empty());
}

#[test]
fn a_table_respects_the_limits() {
    let edges = (0..13).map(|node| (node, node + 1, 1)).collect();
    let whole: Vec<u8> = (0..NODES as u8).collect();
    let graph: Plain = Graph { edges, goal: 13, maps: [whole.clone(), whole], details: 1, rough: vec![0; NODES], equal: true };
    assert_eq!(estimates(&graph, &Limits { bytes: 10, ..Limits::none() }), Err(Limit::Memory));
    assert_eq!(estimates(&graph, &Limits::until(|progress| progress.bytes > 0)), Err(Limit::Time));
    assert_eq!(estimates(&graph, &Limits::none()).expect("no limit")[0], 13);
}
