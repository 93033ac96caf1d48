//! The algorithms exactly as the course teaches them: tree search without a visited set, the goal test when a node is removed, ties
//! broken by the letter and direction of the last move. So their node counts can be compared with those in the course sheet.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde_json::{Map, json};

use super::{Direction, Down, Hole, Jump, Left, PegSet, Pegs, Right, Up, heuristics, holes_of};
use crate::limits::{Limit, Limits, Progress};
use crate::outcome::{Outcome, Plan, Stats, Verdict, Why};
use crate::rules::{Cost, Problem, Rules, Solver};
use crate::sort;
use crate::trace::{Child, Expanded, Fate, Way};

pub(super) const BFS: Solver<Pegs> = row::<0>("course:BFS", "breadth-first search as the course teaches it");
pub(super) const DFS: Solver<Pegs> = row::<1>("course:DFS", "depth-first search as the course teaches it");
pub(super) const UCS: Solver<Pegs> = row::<2>("course:UCS", "uniform-cost search as the course teaches it");
pub(super) const GREEDY: Solver<Pegs> = row::<3>("course:GS", "greedy search with h1 as the course teaches it");
pub(super) const A_STAR: Solver<Pegs> = row::<4>("course:A*", "A* with h1 as the course teaches it");
pub(super) const A_STAR_2: Solver<Pegs> = row::<5>("course:A*2", "A* with h2 as the course teaches it");

/// The rules of the algorithms, in the order of the solvers above.
const RULES: [Rule; 6] = [
    Rule { removed: Removed::First, estimate: |_, _| 0, proves: |_| false },
    Rule { removed: Removed::Last, estimate: |_, _| 0, proves: |_| false },
    Rule { removed: Removed::Cheapest, estimate: |_, _| 0, proves: |_| true },
    Rule { removed: Removed::Nearest, estimate: heuristics::h1, proves: |_| false },
    Rule { removed: Removed::Cheapest, estimate: heuristics::h1, proves: |_| false },
    // The course's h2 counts lines, ignoring prices, so it is a lower bound only if every jump costs at least 1.
    Rule { removed: Removed::Cheapest, estimate: heuristics::h2, proves: |board| *board.move_costs().start() >= 1 },
];

const fn row<const AT: usize>(name: &'static str, about: &'static str) -> Solver<Pegs> {
    Solver {
        name,
        about,
        optimal: false,
        course: true,
        beside: None,
        applies: |board, _| if board.by_moves { Err("the course counts jumps, not moves") } else { Ok(()) },
        run: |board, start, limits| search(board, start, limits, &RULES[AT], None),
        trace: Some(|board, start, limits, emit| search(board, start, limits, &RULES[AT], Some(emit))),
    }
}

/// One of the algorithms. `proves` returns true if the algorithm's plans have the least cost.
struct Rule {
    removed: Removed,
    estimate: fn(&Pegs, &PegSet) -> Cost,
    proves: fn(&Pegs) -> bool,
}

/// The node that is removed next. The last two kinds break ties by the letter and direction of the last move, then by age.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Removed {
    First,
    Last,
    /// The node with the least sum of cost and estimate.
    Cheapest,
    /// The node with the least estimate.
    Nearest,
}

/// The order in which the course tries directions.
const TRIED: [Direction; 4] = [Left, Down, Right, Up];

struct Node {
    board: PegSet,
    cost: Cost,
    parent: usize,
    jump: Option<Jump>,
}

/// The children, ordered by letter (equal letters in reading order), then by direction; each with its rank for breaking ties.
fn children(board: &Pegs, state: &PegSet) -> Vec<(Jump, (char, u8))> {
    let mut pegs: Vec<Hole> = holes_of(state.pegs).collect();
    sort::by_key(&mut pegs, |&hole| state.label(hole));
    let jumps = |hole: Hole| {
        (0..).zip(TRIED).filter_map(move |(rank, direction)| {
            let segment = board.jump(state.pegs, hole, direction)?;
            Some((Jump::single(hole, segment.to), (state.label(hole), rank)))
        })
    };
    pegs.into_iter().flat_map(jumps).collect()
}

fn search(board: &Pegs, start: &PegSet, limits: &Limits, rule: &Rule, mut emit: Option<&mut dyn FnMut(Expanded<Pegs>)>) -> Outcome<Jump> {
    let mut nodes = vec![Node { board: start.clone(), cost: 0, parent: 0, jump: None }];
    let mut heap = BinaryHeap::from([Reverse(((0, ('\0', 0)), 0))]);
    let mut stats = Stats::default();
    let per_node = size_of::<Node>() + board.holes.len() + size_of::<Reverse<((Cost, (char, u8)), usize)>>();
    let verdict = loop {
        let bytes = nodes.len() * per_node;
        stats.peak_bytes = bytes;
        let progress =
            Progress { expanded: stats.expanded, generated: stats.generated, bytes, open: nodes.len() as u64, ..Progress::default() };
        let allowed = if stats.expanded >= limits.nodes {
            Err(Limit::Nodes)
        } else if stats.expanded.is_multiple_of(256) {
            limits.room(bytes).and_then(|()| limits.report(&progress))
        } else {
            limits.room(bytes).and_then(|()| limits.check())
        };
        if let Err(limit) = allowed {
            break Verdict::Unknown { limit, lower: 0, best: None };
        }
        let Some(Reverse((_, at))) = heap.pop() else {
            break Verdict::Unsolvable(Why::Exhausted { states: stats.expanded });
        };
        stats.expanded += 1;
        if board.is_goal(&nodes[at].board) {
            let plan = plan(&nodes, at);
            if let Some(emit) = &mut emit {
                emit(shown(board, &nodes, at, nodes.len(), rule, stats));
            }
            break Verdict::Solved { lower: if (rule.proves)(board) { plan.cost } else { 0 }, plan };
        }
        let from = nodes.len();
        for (jump, rank) in children(board, &nodes[at].board) {
            let after = board.apply(&nodes[at].board, &jump);
            let cost = nodes[at].cost.saturating_add(board.cost(&nodes[at].board, &jump));
            stats.generated += 1;
            let key = match rule.removed {
                Removed::First => (0, ('\0', 0)),
                Removed::Last => (Cost::MAX - nodes.len() as Cost, ('\0', 0)),
                Removed::Cheapest => ((rule.estimate)(board, &after).saturating_add(cost), rank),
                Removed::Nearest => ((rule.estimate)(board, &after), rank),
            };
            heap.push(Reverse((key, nodes.len())));
            nodes.push(Node { board: after, cost, parent: at, jump: Some(jump) });
        }
        if let Some(emit) = &mut emit {
            emit(shown(board, &nodes, at, from, rule, stats));
        }
    };
    stats.stored = nodes.len() as u64;
    let facts = Map::from_iter([("removed".to_owned(), json!(stats.expanded))]);
    Outcome { facts, ..Outcome::new(verdict, stats) }
}

/// The trace entry for a removed node and its children, which are the nodes from index `from` on. A tree search does not detect
/// repeated states, so every child is new.
fn shown(board: &Pegs, nodes: &[Node], at: usize, from: usize, rule: &Rule, stats: Stats) -> Expanded<Pegs> {
    let estimated = |node: &Node| (rule.estimate)(board, &node.board);
    let priority = |node: &Node| (rule.removed == Removed::Nearest).then(|| f64::from(estimated(node)));
    let way = |node: &Node| node.jump.map(|jump| Way { from: nodes[node.parent].board.clone(), moves: vec![jump] });
    let child = |(id, node): (u64, &Node)| {
        let (estimate, priority) = (Some(estimated(node)), priority(node));
        let goal = board.is_goal(&node.board);
        Some(Child { id: Some(id), moves: vec![node.jump?], from: None, cost: node.cost, estimate, priority, fate: Fate::New, goal })
    };
    let node = &nodes[at];
    Expanded {
        id: at as u64,
        parent: node.jump.map(|_| node.parent as u64),
        way: way(node),
        state: node.board.clone(),
        depth: plan(nodes, at).moves.len() as u32,
        cost: node.cost,
        estimate: Some(estimated(node)),
        priority: priority(node),
        open: nodes.len() as u64 - stats.expanded,
        lower: 0,
        upper: board.is_goal(&node.board).then_some(node.cost),
        bound: None,
        side: None,
        children: (from as u64..).zip(&nodes[from..]).filter_map(child).collect(),
    }
}

fn plan(nodes: &[Node], mut at: usize) -> Plan<Jump> {
    let cost = nodes[at].cost;
    let mut moves = Vec::new();
    while let Some(jump) = nodes[at].jump {
        moves.push(jump);
        at = nodes[at].parent;
    }
    moves.reverse();
    Plan { moves, cost }
}
