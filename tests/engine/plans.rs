//! Compares the engine that counts least-cost plans with plain counts and enumerations, on random graphs with moves of cost 0.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use kibitzer::bits::natural::Natural;
use kibitzer::limits::{Limit, Limits};
use kibitzer::rules::{Cost, Problem, Rules};
use kibitzer::search::plans::{self, PlanGraph, Uncounted};
use kibitzer::space::{Batch, RulesSpace};
use kibitzer::verify::{self, Least, PlanTotal};
use proptest::prelude::*;

/// A search problem on a weighted graph: node 0 is the start, and each edge is a move.
#[derive(Clone, Debug)]
struct Graph {
    edges: Vec<(u16, u16, Cost)>,
    goals: Vec<u16>,
}

impl Rules for Graph {
    type State = u16;
    type Move = usize;
    fn start(&self) -> u16 {
        0
    }
    fn moves(&self, node: &u16, out: &mut Vec<usize>) {
        out.extend((0..self.edges.len()).filter(|&edge| self.edges[edge].0 == *node));
    }
    fn apply(&self, _: &u16, edge: &usize) -> u16 {
        self.edges[*edge].1
    }
}

impl Problem for Graph {
    fn is_goal(&self, node: &u16) -> bool {
        self.goals.contains(node)
    }
    fn cost(&self, _: &u16, edge: &usize) -> Cost {
        self.edges[*edge].2
    }
    fn move_costs(&self) -> std::ops::RangeInclusive<Cost> {
        0..=3
    }
}

/// Counts plans, using an estimate that is always 0.
fn count(graph: &Graph, cheapest: Cost, least: Cost, limits: &Limits) -> Result<PlanGraph, Uncounted> {
    let space = RulesSpace::of_problem(Arc::new(graph.clone()), 0, true);
    let mut none = |states: &Batch, out: &mut Vec<Cost>| {
        *out = vec![0; states.len()];
        Ok(())
    };
    plans::count(&space, &mut none, cheapest, least, limits)
}

/// All plans that pass through no state twice and cost at most `left`.
fn enumerate(graph: &Graph, path: &mut Vec<usize>, seen: &mut Vec<u16>, left: Cost, found: &mut Vec<Vec<usize>>) {
    let node = seen[seen.len() - 1];
    if graph.is_goal(&node) {
        return found.push(path.clone());
    }
    let mut moves = Vec::new();
    graph.moves(&node, &mut moves);
    for edge in moves {
        let (_, to, cost) = graph.edges[edge];
        if cost <= left && !seen.contains(&to) {
            path.push(edge);
            seen.push(to);
            enumerate(graph, path, seen, left - cost, found);
            path.pop();
            seen.pop();
        }
    }
}

fn random_graph() -> impl Strategy<Value = Graph> {
    (2_u16..9).prop_flat_map(|nodes| {
        let edges = prop::collection::vec((0..nodes, 0..nodes, 0_u32..4), 1..24);
        (edges, prop::collection::vec(0..nodes, 1..3)).prop_map(|(edges, goals)| Graph { edges, goals })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn counts_agree_with_plain_counts_and_enumerations(graph in random_graph()) {
        let none = Limits::none();
        let total = verify::plan_total(&graph, &0, &none).expect("no limit");
        let Least::Cost(least) = verify::least_cost(&graph, &0, &none) else {
            prop_assert_eq!(total, PlanTotal::Count(Natural::default()));
            return Ok(());
        };
        let counted = match count(&graph, 0, least, &none) {
            Err(Uncounted::Infinite) => {
                prop_assert_eq!(total, PlanTotal::Infinite);
                return Ok(());
            }
            counted => counted.expect("finite"),
        };
        prop_assert_eq!(PlanTotal::Count(counted.total()), total);
        // Without cycles of cost 0, no least-cost plan passes through a state twice.
        let mut expected = Vec::new();
        enumerate(&graph, &mut Vec::new(), &mut vec![0], least, &mut expected);
        let mut listed = Vec::new();
        let limit = counted.list(&graph, &0, &none, &mut |plan| {
            assert_eq!(plan.cost, least);
            listed.push(plan.moves);
            ControlFlow::Continue(())
        });
        prop_assert_eq!((limit, &listed), (None, &expected));
        prop_assert_eq!(counted.total().to_string(), expected.len().to_string());
        // If the given cost is more than the least cost, the count fails.
        let wrong = count(&graph, 0, least + 1, &none);
        prop_assert!(matches!(wrong, Err(Uncounted::Cheaper(cost)) if cost == least) || matches!(wrong, Err(Uncounted::Infinite)));
    }

    #[test]
    fn natural_numbers_agree_with_128_bits(numbers in prop::collection::vec(any::<u128>().prop_map(|number| number >> 4), 1..8)) {
        let mut sum = Natural::default();
        for &number in &numbers {
            sum += &Natural::from(number);
        }
        prop_assert_eq!(sum.to_string(), numbers.iter().sum::<u128>().to_string());
        prop_assert_eq!(sum, Natural::from(numbers.iter().sum::<u128>()));
    }
}

/// A chain of diamonds: at each of `length` nodes, there are two ways to the next one.
fn diamonds(length: u16) -> Graph {
    let pair = |node: u16| [(3 * node, 3 * node + 1), (3 * node, 3 * node + 2), (3 * node + 1, 3 * node + 3), (3 * node + 2, 3 * node + 3)];
    Graph { edges: (0..length).flat_map(pair).map(|(from, to)| (from, to, 1)).collect(), goals: vec![3 * length] }
}

#[test]
fn numbers_of_plans_may_exceed_all_machine_words() {
    let powers = BTreeMap::from([
        (1, "2"),
        (63, "9223372036854775808"),
        (64, "18446744073709551616"),
        (65, "36893488147419103232"),
        (130, "1361129467683753853853498429727072845824"),
        (200, "1606938044258990275541962092341162602522202993782792835301376"),
    ]);
    for (length, power) in powers {
        let graph = diamonds(length);
        let counted = count(&graph, 1, 2 * Cost::from(length), &Limits::none()).expect("no limit");
        assert_eq!(counted.total().to_string(), power);
        let plain = verify::plan_total(&graph, &0, &Limits::none());
        assert_eq!(plain, Some(PlanTotal::Count(counted.total())));
        let mut listed = 0;
        let stopped = counted.list(&graph, &0, &Limits::none(), &mut |plan| {
            assert_eq!(verify::plan(&graph, &0, &plan.moves), Ok(2 * Cost::from(length)));
            listed += 1;
            if listed < 50 { ControlFlow::Continue(()) } else { ControlFlow::Break(None) }
        });
        assert_eq!((stopped, listed), (None, if length == 1 { 2 } else { 50 }));
    }
}

#[test]
fn cycles_of_cost_0_matter_only_on_plans() {
    let counted = |edges: &[(u16, u16, Cost)]| {
        let graph = Graph { edges: edges.to_vec(), goals: vec![3] };
        count(&graph, 0, 1, &Limits::none()).map(|counted| counted.total().to_string())
    };
    // The cycles are off the plans, behind the goal, and on a plan; the last graph has none.
    assert_eq!(counted(&[(0, 3, 1), (0, 1, 0), (1, 2, 0), (2, 1, 0)]), Ok("1".to_owned()));
    assert_eq!(counted(&[(0, 3, 1), (3, 4, 0), (4, 3, 0)]), Ok("1".to_owned()));
    assert_eq!(counted(&[(0, 3, 1), (0, 1, 0), (1, 0, 0)]), Err(Uncounted::Infinite));
    assert_eq!(counted(&[(0, 3, 1), (0, 0, 0)]), Err(Uncounted::Infinite));
    assert_eq!(counted(&[(0, 1, 0), (0, 2, 0), (1, 2, 0), (2, 3, 1), (1, 3, 1)]), Ok("3".to_owned()));
}

#[test]
fn limits_hold() {
    let graph = diamonds(60);
    let error = |limits: &Limits| count(&graph, 1, 120, limits).err();
    assert_eq!(error(&Limits::nodes(100)), Some(Uncounted::Limit(Limit::Nodes)));
    assert_eq!(error(&Limits::nodes(300)), Some(Uncounted::Limit(Limit::Nodes)));
    assert_eq!(error(&Limits::nodes(400)), None);
    assert_eq!(error(&Limits { bytes: 100, ..Limits::none() }), Some(Uncounted::Limit(Limit::Memory)));
    assert_eq!(error(&crate::common::stopped()), Some(Uncounted::Limit(Limit::Time)));
}
