//! Compares every search method with Bellman-Ford, on random graphs with zero-cost moves, parallel moves between the same states, dead
//! ends, and inconsistent or inadmissible estimates.

use std::sync::{Arc, Mutex};

use kibitzer::limits::{Cancel, Limit, Limits};
use kibitzer::outcome::Verdict;
use kibitzer::rules::{Backward, Cost, DEAD, Estimate, Heuristic, Pack, Problem, Rules};
use kibitzer::search::{self, Algorithm};
use kibitzer::verify;
use proptest::prelude::*;

/// A weighted graph; a move is an edge.
#[derive(Clone, Debug)]
struct Graph {
    nodes: u8,
    edges: Vec<(u8, u8, Cost)>,
    goals: Vec<u8>,
    /// Admissible estimates, mostly inconsistent.
    rough: Vec<Cost>,
    /// Estimates that are neither admissible nor consistent.
    wild: Vec<Cost>,
    exact: Vec<Cost>,
    fuse: Fuse,
    /// Size of a packed state, in bytes.
    width: usize,
}

impl Graph {
    /// A graph whose last node is the goal.
    fn new(edges: Vec<(u8, u8, Cost)>, rough: Vec<Cost>, exact: Vec<Cost>) -> Graph {
        let nodes = exact.len() as u8;
        Graph { nodes, edges, goals: vec![nodes - 1], rough, wild: vec![0; exact.len()], exact, fuse: Fuse::default(), width: 1 }
    }
}

/// Sets a cancel flag after a given number of states have been generated or estimated.
#[derive(Clone, Debug, Default)]
struct Fuse(Arc<Mutex<(u64, Cancel)>>);

impl Fuse {
    /// Limits that end a run after `ticks` ticks.
    fn light(&self, ticks: u64, limits: Limits) -> Limits {
        *self.0.lock().expect("not poisoned") = (ticks, limits.cancel.clone());
        limits
    }

    fn tick(&self) {
        let mut fuse = self.0.lock().expect("not poisoned");
        fuse.0 = fuse.0.saturating_sub(1);
        if fuse.0 == 0 {
            fuse.1.stop(Limit::Time);
        }
    }
}

/// A node, packed into `width` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node(u8);

impl Pack<Graph> for Node {
    fn bytes(graph: &Graph) -> usize {
        graph.width
    }
    fn pack(&self, _: &Graph, out: &mut [u8]) {
        out.fill(0);
        out[0] = self.0;
    }
    fn unpack(_: &Graph, bytes: &[u8]) -> Node {
        Node(bytes[0])
    }
}

impl Rules for Graph {
    type State = Node;
    type Move = usize;
    fn start(&self) -> Node {
        Node(0)
    }
    fn moves(&self, node: &Node, out: &mut Vec<usize>) {
        out.extend((0..self.edges.len()).filter(|&edge| self.edges[edge].0 == node.0));
    }
    fn apply(&self, _: &Node, edge: &usize) -> Node {
        self.fuse.tick();
        Node(self.edges[*edge].1)
    }
    fn layer(&self, node: &Node) -> Option<u32> {
        self.edges.iter().all(|edge| edge.0 < edge.1).then_some(u32::from(node.0))
    }
}

impl Problem for Graph {
    const HEURISTICS: &'static [Heuristic<Self>] = &[
        Heuristic {
            name: "rough",
            about: "",
            admissible: true,
            consistent: false,
            aliases: &[],
            build: |_, _| Ok(Estimate::new(|graph: &Graph, node| graph.rough[node.0 as usize])),
        },
        Heuristic {
            name: "wild",
            about: "",
            admissible: false,
            consistent: false,
            aliases: &[],
            build: |_, _| Ok(Estimate::new(|graph: &Graph, node| graph.wild[node.0 as usize])),
        },
        Heuristic {
            name: "slow",
            about: "rough, but checks the limits",
            admissible: true,
            consistent: false,
            aliases: &[],
            build: |graph, limits| {
                graph.fuse.tick();
                limits.check()?;
                Ok(Estimate::slow(|graph: &Graph, node, limits| {
                    graph.fuse.tick();
                    limits.check().map(|()| graph.rough[node.0 as usize])
                }))
            },
        },
    ];
    const BACKWARD: Option<Backward<Self>> = Some(Backward {
        goals: |graph| graph.goals.iter().copied().map(Node).collect(),
        step: |graph, node, emit| graph.edges.iter().filter(|edge| edge.1 == node.0).try_for_each(|edge| emit(Node(edge.0), edge.2)),
    });
    fn is_goal(&self, node: &Node) -> bool {
        self.goals.contains(&node.0)
    }
    fn cost(&self, _: &Node, edge: &usize) -> Cost {
        self.edges[*edge].2
    }
    fn move_costs(&self) -> std::ops::RangeInclusive<Cost> {
        0..=4
    }
}

fn graphs() -> impl Strategy<Value = Graph> {
    let edges = prop::collection::vec((0u8..14, 0u8..14, 0u32..5), 0..45);
    let tables = (prop::collection::vec(0u32..=100, 14), prop::collection::vec(prop_oneof![0u32..20, Just(DEAD)], 14));
    (edges, prop::collection::vec(0u8..14, 0..3), tables, prop::bool::weighted(0.3)).prop_map(
        |(mut edges, goals, (share, wild), layered)| {
            // Layers require an acyclic graph.
            edges.retain(|edge| !layered || edge.0 < edge.1);
            let mut exact = vec![DEAD; 14];
            goals.iter().for_each(|&goal| exact[goal as usize] = 0);
            for _ in 0..14 {
                for &(from, to, cost) in &edges {
                    exact[from as usize] = exact[from as usize].min(exact[to as usize].saturating_add(cost));
                }
            }
            // The estimate is a fraction of the exact cost, and only some dead ends are recognized.
            let rough = exact.iter().zip(&share).map(|(&exact, &share)| match exact {
                DEAD if share > 50 => DEAD,
                DEAD => share,
                exact => exact * share / 100,
            });
            Graph { nodes: 14, rough: rough.collect(), wild, edges, goals, exact, fuse: Fuse::default(), width: 1 }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::common::amount(500, 1500), ..ProptestConfig::default() })]

    #[test]
    fn every_method_is_right_on_every_graph(graph in graphs(), weight in 1000u32..5000) {
        prop_assert!(graph.edges.iter().all(|edge| edge.0 < graph.nodes && edge.1 < graph.nodes));
        let (graph, least) = (Arc::new(graph.clone()), graph.exact[0]);
        for method in search::METHODS {
            for heuristic in Graph::HEURISTICS.iter().take(if method.guided { 2 } else { 1 }) {
                if method.applies(&*graph, &Node(0)).is_err() {
                    continue;
                }
                let mut search = search::begin(method.kind, Arc::clone(&graph), Node(0), Some(heuristic), weight);
                let verdict = search.run(&Limits::nodes(200_000));
                match verdict {
                    Verdict::Solved { plan, lower } => {
                        prop_assert_eq!(verify::plan(&*graph, &Node(0), &plan.moves), Ok(plan.cost), "{}", method.name);
                        prop_assert!(lower <= least, "{}: {} is not a lower bound for {}", method.name, lower, least);
                        let sure = heuristic.admissible;
                        let optimal = match method.kind {
                            Algorithm::UniformCost | Algorithm::Bidirectional => true,
                            Algorithm::AStar | Algorithm::IdaStar | Algorithm::RecursiveBestFirst => sure,
                            _ => false,
                        };
                        if optimal {
                            prop_assert_eq!((plan.cost, lower), (least, least), "{}", method.name);
                        }
                        if method.kind == Algorithm::WeightedAStar && sure {
                            let bound = u64::from(least) * u64::from(weight);
                            prop_assert!(u64::from(plan.cost) * 1000 <= bound, "cost {} exceeds the bound for weight {}", plan.cost, weight);
                        }
                        if method.guided && !sure {
                            prop_assert!(plan.cost == 0 || lower == 0, "{}: an inadmissible estimate proves nothing", method.name);
                        }
                    }
                    Verdict::Unsolvable(_) => prop_assert_eq!(least, DEAD, "{}:{}", method.name, heuristic.name),
                    Verdict::Unknown { limit, lower, best } => {
                        // Only methods without a visited set may reach the node limit.
                        prop_assert!(limit == Limit::Nodes && best.is_none() && lower <= least);
                        prop_assert!(matches!(method.kind, Algorithm::IterativeDeepening | Algorithm::IdaStar | Algorithm::RecursiveBestFirst));
                    }
                }
            }
        }
    }

    /// The bounds hold at every limit, and the best plan so far is valid.
    #[test]
    fn bounds_hold_at_every_limit(graph in graphs(), nodes in 0u64..12) {
        let graph = Arc::new(graph);
        for method in search::METHODS.iter().filter(|method| method.applies(&*graph, &Node(0)).is_ok()) {
            let mut search = search::begin(method.kind, Arc::clone(&graph), Node(0), Graph::HEURISTICS.first(), 2000);
            if let Verdict::Unknown { limit, lower, best } = search.run(&Limits::nodes(nodes)) {
                prop_assert_eq!((limit, search.stats().expanded), (Limit::Nodes, nodes), "{}", method.name);
                prop_assert!(lower <= graph.exact[0], "{}", method.name);
                if let Some(best) = best {
                    prop_assert_eq!(verify::plan(&*graph, &Node(0), &best.moves), Ok(best.cost), "{}", method.name);
                }
            }
        }
    }
}

/// The verdict and counters of a search at its end.
fn end(search: &search::Search<Graph>, verdict: Verdict<usize>) -> impl PartialEq + std::fmt::Debug {
    let stats = search.stats();
    (verdict, stats.expanded, stats.generated, stats.reopened, stats.stored, search.look().last, search.look().open)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::common::amount(30, 150), ..ProptestConfig::default() })]

    /// A limit may end a run at any point: between states, between two children, during an estimate, or while the plan is constructed. An
    /// unfinished expansion has no effect.
    #[test]
    fn an_interrupted_expansion_changes_nothing(graph in graphs(), nodes in 0u64..300, slow: bool) {
        // With large states, the limits are checked at every child.
        let graph = Arc::new(Graph { width: 20_000, ..graph });
        let heuristic = &Graph::HEURISTICS[if slow { 2 } else { 0 }];
        for method in search::METHODS.iter().filter(|method| method.applies(&*graph, &Node(0)).is_ok()) {
            let begin = || search::begin(method.kind, Arc::clone(&graph), Node(0), Some(heuristic), 1500);
            let mut whole = begin();
            let verdict = whole.run(&Limits::nodes(nodes));
            let mut stopped = begin();
            let (mut ticks, mut stops) = (0, 0);
            let last = loop {
                ticks += 1;
                match stopped.run(&graph.fuse.light(ticks, Limits::nodes(nodes))) {
                    Verdict::Unknown { limit: Limit::Time, lower, .. } => {
                        stops += 1;
                        prop_assert!(lower <= graph.exact[0], "{}", method.name);
                    }
                    verdict => break verdict,
                }
                graph.fuse.light(u64::MAX, Limits::none());
                let mut same = begin();
                if stopped.stats().expanded > 0 {
                    same.run(&Limits::nodes(stopped.stats().expanded));
                    let (same, stopped) = (same.stats(), stopped.stats());
                    prop_assert_eq!((same.generated, same.stored), (stopped.generated, stopped.stored), "{}", method.name);
                }
            };
            graph.fuse.light(u64::MAX, Limits::none());
            prop_assert!(stops > 0 || whole.stats().generated == 0, "{} was never stopped", method.name);
            prop_assert_eq!(end(&stopped, last), end(&whole, verdict), "{} stopped {} times", method.name, stops);
        }
    }

    /// A search that repeatedly stops at a memory limit and resumes with a higher one has the same result.
    #[test]
    fn a_memory_limit_changes_nothing(graph in graphs(), nodes in 0u64..300) {
        let graph = Arc::new(graph);
        for method in search::METHODS.iter().filter(|method| method.applies(&*graph, &Node(0)).is_ok()) {
            let begin = || search::begin(method.kind, Arc::clone(&graph), Node(0), Graph::HEURISTICS.first(), 1500);
            let mut whole = begin();
            let verdict = whole.run(&Limits::nodes(nodes));
            let mut stopped = begin();
            let last = (0..).step_by(1009).find_map(|bytes| match stopped.run(&Limits { bytes, ..Limits::nodes(nodes) }) {
                Verdict::Unknown { limit: Limit::Memory, .. } => None,
                verdict => Some(verdict),
            });
            prop_assert_eq!(last.map(|last| end(&stopped, last)), Some(end(&whole, verdict)), "{}", method.name);
        }
    }
}

/// Without reopening, A* would keep the expensive path to node 3 (3 + 1 instead of 1 + 1 + 1).
#[test]
fn an_inconsistent_estimate_needs_reopening() {
    let edges = vec![(0, 1, 1), (0, 2, 3), (1, 2, 1), (2, 3, 1), (3, 4, 4)];
    let graph = Arc::new(Graph::new(edges, vec![0, 6, 0, 4, 0], vec![7, 6, 5, 4, 0]));
    let mut search = search::begin(Algorithm::AStar, Arc::clone(&graph), Node(0), Graph::HEURISTICS.first(), 1000);
    let Verdict::Solved { plan, lower } = search.run(&Limits::none()) else { panic!("solvable") };
    assert_eq!((plan.cost, lower), (7, 7));
    assert_eq!(search.stats().reopened, 1);
}
