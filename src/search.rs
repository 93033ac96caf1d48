//! One-player search, one algorithm per file. Nothing here depends on a particular game.
//!
//! [`METHODS`] lists the methods, and [`begin`] starts one. A search is an object: it can be run up to a limit, inspected, stepped one
//! state at a time, and resumed with larger limits. A search owns its data, so it can be sent to another thread. Stopping and resuming
//! a search, even in the middle of an expansion, never changes its answer or its counts.

#[doc(hidden)] // Public for the tests.
pub mod column;
pub mod explore;
pub mod plans;
#[doc(hidden)] // Public for the tests.
pub mod queue;
pub mod set;
pub mod store;

mod best_first;
mod bidirectional;
mod breadth_first;
mod deepening;
mod depth_first;
mod driver;
mod guide;
mod layered;
mod pattern;
mod recursive_best_first;
pub(crate) mod replay;
mod trace;
mod tree;

use std::sync::Arc;

pub use driver::Search;
use driver::{Engine, Task};
pub use pattern::heuristics;
pub use trace::Emit;

use crate::limits::Limits;
use crate::outcome::{Outcome, Stats};
use crate::rules::{Cost, Heuristic, Problem};

/// A search method, described as data. Help, documentation, tests and the page are generated from it.
#[derive(Debug)]
pub struct Method {
    /// The name of the method, as in `--method NAME`.
    pub name: &'static str,
    /// Other names that courses and books use for the method.
    pub aliases: &'static [&'static str],
    pub about: &'static str,
    pub optimal: Optimal,
    pub memory: Memory,
    /// True if the method takes a heuristic, as in `--method NAME:HEURISTIC`.
    pub guided: bool,
    pub kind: Algorithm,
}

/// The condition under which a method's plans are optimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimal {
    Always,
    /// Plans are optimal if all moves cost the same.
    EqualCosts,
    /// Plans are optimal if the heuristic is admissible.
    Admissible,
    /// Plans cost at most the weight times the optimum, if the heuristic is admissible.
    Bounded,
    Never,
}

impl Optimal {
    pub fn about(self) -> &'static str {
        match self {
            Optimal::Always => "always",
            Optimal::EqualCosts => "if all moves cost the same",
            Optimal::Admissible => "if the heuristic is admissible",
            Optimal::Bounded => "within a factor of the weight, if the heuristic is admissible",
            Optimal::Never => "no",
        }
    }
}

/// The states that a method stores in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Every state that the search has seen.
    States,
    /// One path and the siblings of its states.
    Path,
}

impl Memory {
    pub fn about(self) -> &'static str {
        match self {
            Memory::States => "all states seen",
            Memory::Path => "one path",
        }
    }
}

/// The algorithm of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    BreadthFirst,
    DepthFirst,
    IterativeDeepening,
    UniformCost,
    Greedy,
    AStar,
    WeightedAStar,
    IdaStar,
    RecursiveBestFirst,
    Bidirectional,
    Layered,
}

/// Every method, in the order in which courses introduce them.
#[rustfmt::skip]
pub const METHODS: &[Method] = &[
    Method { name: "bfs", aliases: &["breadth-first"], optimal: Optimal::EqualCosts, memory: Memory::States, guided: false,
        kind: Algorithm::BreadthFirst, about: "breadth-first search: layer by layer, fewest moves first" },
    Method { name: "dfs", aliases: &["depth-first"], optimal: Optimal::Never, memory: Memory::States, guided: false,
        kind: Algorithm::DepthFirst, about: "depth-first search: the first plan it finds, however long" },
    Method { name: "iddfs", aliases: &["ids", "iterative-deepening"], optimal: Optimal::EqualCosts, memory: Memory::Path, guided: false,
        kind: Algorithm::IterativeDeepening, about: "iterative deepening: depth-first with a growing depth limit" },
    Method { name: "ucs", aliases: &["uniform-cost", "dijkstra"], optimal: Optimal::Always, memory: Memory::States, guided: false,
        kind: Algorithm::UniformCost, about: "uniform-cost search: cheapest state first" },
    Method { name: "greedy", aliases: &["gs", "gbfs", "greedy-best-first"], optimal: Optimal::Never, memory: Memory::States, guided: true,
        kind: Algorithm::Greedy, about: "greedy best-first search: least estimate first, ignoring the cost so far" },
    Method { name: "astar", aliases: &["a*", "a-star"], optimal: Optimal::Admissible, memory: Memory::States, guided: true,
        kind: Algorithm::AStar, about: "A*: least sum of cost so far and estimate first" },
    Method { name: "wastar", aliases: &["wa*", "weighted-astar", "weighted-a*"], optimal: Optimal::Bounded, memory: Memory::States, guided: true,
        kind: Algorithm::WeightedAStar, about: "weighted A*: the estimate is multiplied by --weight (default 2)" },
    Method { name: "idastar", aliases: &["ida*", "ida-star"], optimal: Optimal::Admissible, memory: Memory::Path, guided: true,
        kind: Algorithm::IdaStar, about: "IDA*: depth-first with a growing limit on cost plus estimate" },
    Method { name: "rbfs", aliases: &["recursive-best-first"], optimal: Optimal::Admissible, memory: Memory::Path, guided: true,
        kind: Algorithm::RecursiveBestFirst, about: "recursive best-first search: A*'s order with the memory of one path" },
    Method { name: "bidirectional", aliases: &["bidi", "bds"], optimal: Optimal::Always, memory: Memory::States, guided: false,
        kind: Algorithm::Bidirectional, about: "bidirectional uniform-cost search, if the problem has reverse moves" },
    Method { name: "layered", aliases: &["layers"], optimal: Optimal::Admissible, memory: Memory::States, guided: true,
        kind: Algorithm::Layered, about: "layered dynamic programming: layer by layer, if no state can repeat" },
];

impl Method {
    /// Tests whether the method can search this problem from this state. If it cannot, returns the reason.
    pub fn applies<P: Problem>(&self, problem: &P, start: &P::State) -> Result<(), &'static str> {
        match self.kind {
            Algorithm::Bidirectional if goals(problem).is_empty() => Err("its goals cannot be enumerated, or it has no reverse moves"),
            Algorithm::Layered if problem.layer(start).is_none() => Err("its states can repeat, so they have no layers"),
            _ => Ok(()),
        }
    }
}

/// The method with this name or alias, ignoring case.
pub fn find(name: &str) -> Option<&'static Method> {
    let name = name.to_lowercase();
    METHODS.iter().find(|method| method.name == name || method.aliases.contains(&name.as_str()))
}

/// A snapshot of a search.
#[derive(Clone, Debug)]
pub struct Look<S> {
    /// Number of states waiting to be expanded.
    pub open: u64,
    /// Number of states expanded and stored.
    pub closed: u64,
    /// A lower bound on the cost of every plan.
    pub lower: Cost,
    /// The cost of the best plan found so far.
    pub upper: Option<Cost>,
    pub stats: Stats,
    /// The last expanded state.
    pub last: Option<S>,
}

/// The weight 1. Weights of weighted A* are in thousandths.
pub const WEIGHT_ONE: u32 = 1000;

/// Converts a weight to thousandths, rounded; `None` if the weight is not between 1 and 1000.
pub fn weight_from(weight: f64) -> Option<u32> {
    (1.0..=1000.0).contains(&weight).then(|| (weight * f64::from(WEIGHT_ONE)).round() as u32)
}

/// Creates a search without computing anything yet: the first run builds the heuristic, within that run's limits. Methods without a
/// heuristic ignore `heuristic`; all methods but weighted A* ignore `weight` (in thousandths, at least [`WEIGHT_ONE`]).
pub fn begin<P: Problem>(
    kind: Algorithm,
    problem: Arc<P>,
    start: P::State,
    heuristic: Option<&'static Heuristic<P>>,
    weight: u32,
) -> Search<P> {
    let guided = METHODS.iter().any(|method| method.kind == kind && method.guided);
    Search::new(problem, start, heuristic.filter(|_| guided), kind, weight)
}

/// Searches a problem from its start, in one call. `method` is a name in [`METHODS`], followed by a colon and a heuristic if the
/// method takes one (`astar:manhattan`). By default, the problem's first heuristic is used, if it has any. On failure, returns a
/// message for the user.
///
/// The plan is not checked; see [`crate::verify::plan`].
pub fn solve<P: Problem>(problem: P, method: &str, limits: &Limits) -> Result<Outcome<P::Move>, String> {
    let (word, name) = method.split_once(':').map_or((method, None), |(word, name)| (word, Some(name)));
    let found = find(word).ok_or_else(|| format!("unknown method `{word}`"))?;
    let heuristic = match name {
        Some(name) => {
            let known = heuristics(&problem).into_iter().find(|heuristic| heuristic.name == name);
            Some(known.ok_or_else(|| format!("unknown heuristic `{name}`"))?)
        }
        None => heuristics(&problem).into_iter().next(),
    };
    let start = problem.start();
    found.applies(&problem, &start).map_err(|reason| format!("`{word}` cannot search this problem: {reason}"))?;
    let mut search = begin(found.kind, Arc::new(problem), start, heuristic, 2 * WEIGHT_ONE);
    let verdict = search.run(limits);
    Ok(Outcome::new(verdict, search.stats()))
}

fn engine<P: Problem>(kind: Algorithm, weight: u32, task: &mut Task<P>) -> Box<dyn Engine<P>> {
    use best_first::{BestFirst, Order};
    use deepening::{Deepening, Measure};
    let mut best_first = |cost, estimate| Box::new(BestFirst::new(task, Order { cost, estimate }));
    match kind {
        Algorithm::BreadthFirst => Box::new(breadth_first::BreadthFirst::new(task)),
        Algorithm::DepthFirst => Box::new(depth_first::DepthFirst::new(task)),
        Algorithm::IterativeDeepening => Box::new(Deepening::new(task, Measure::Moves)),
        Algorithm::UniformCost => best_first(1, 0),
        Algorithm::Greedy => best_first(0, 1),
        Algorithm::AStar => best_first(1, 1),
        Algorithm::WeightedAStar => best_first(WEIGHT_ONE, weight.max(WEIGHT_ONE)),
        Algorithm::IdaStar => Box::new(Deepening::new(task, Measure::Cost)),
        Algorithm::RecursiveBestFirst => Box::new(recursive_best_first::RecursiveBestFirst::new(task)),
        Algorithm::Bidirectional => Box::new(bidirectional::Bidirectional::new(task)),
        Algorithm::Layered => Box::new(layered::Layered::new(task)),
    }
}

/// All goal states, if the problem can enumerate them and step backward from them.
fn goals<P: Problem>(problem: &P) -> Vec<P::State> {
    P::BACKWARD.map_or_else(Vec::new, |backward| (backward.goals)(problem))
}
