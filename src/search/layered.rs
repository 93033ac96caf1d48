//! Layered search, for problems in which no state comes back ([`Rules::layer`](crate::rules::Rules::layer)): a dynamic
//! program that walks through the layers and expands each state when its cost is final.
//!
//! It needs no queue, and states of one layer are expanded together, which suits the store. What A* gains by its order is
//! had by bounds instead. First a narrow beam through the layers finds a good plan; then all layers are walked through,
//! and states that cannot lead to a cheaper plan are skipped. Only what the beam expanded too early is expanded again.

use std::collections::BTreeMap;

use super::column::Column;
use super::driver::Engine;
use super::replay::{ROOT, plan_to};
use super::store::{Batch, Id, Store};
use super::{Guide, packed};
use crate::outcome::{Plan, Stats, Verdict, Why};
use crate::rules::{Cost, DEAD, Problem};

/// States of a layer that the beam expands.
const BEAM: usize = 1000;
/// Children that are made before they enter the store together, and states that are looked at between two looks at limits.
const TOGETHER: usize = 1024;

#[derive(Clone, Copy)]
struct Node {
    parent: Id,
    /// The top bit says that the state was expanded at this cost, or need not be.
    cost: Cost,
}

const DONE: Cost = 1 << 31;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Beam,
    All,
}

pub(super) struct Layered<'a, P: Problem> {
    problem: &'a P,
    start: P::State,
    guide: Guide<P>,
    store: Store,
    nodes: Column<Node>,
    layers: BTreeMap<u32, Vec<Id>>,
    phase: Phase,
    /// The layer under way, what is left of it (the next state last), and the cost to beat, which stays the same while it
    /// lasts: so the result does not depend on where a run is stopped.
    layer: Option<u32>,
    left: Vec<Id>,
    upper: Cost,
    lower: Cost,
    best: Option<(Cost, Id)>,
    last: Option<Id>,
    batch: Batch,
    /// For each state of the batch its parent, its cost, its layer, and whether it is a goal.
    made: Vec<(Id, Cost, u32, bool)>,
    moves: Vec<P::Move>,
    stats: Stats,
}

impl<'a, P: Problem> Layered<'a, P> {
    pub(super) fn new(problem: &'a P, start: P::State, guide: Guide<P>) -> Self {
        let mut search = Layered {
            problem,
            store: Store::new(problem.state_bytes()),
            nodes: Column::new(),
            layers: BTreeMap::new(),
            phase: Phase::Beam,
            layer: None,
            left: Vec::new(),
            upper: DEAD,
            lower: 0,
            best: None,
            last: None,
            batch: Batch::new(problem.state_bytes()),
            made: Vec::new(),
            moves: Vec::new(),
            stats: Stats::default(),
            guide,
            start,
        };
        search.store.insert(&packed(problem, search.start.clone()));
        search.nodes.push(Node { parent: ROOT, cost: 0 });
        let estimate = search.guide.at(problem, &search.start);
        if estimate != DEAD {
            search.layers.insert(problem.layer(&search.start).unwrap_or(0), vec![0]);
            if search.guide.admissible {
                search.lower = estimate;
            }
            if problem.is_goal(&search.start) {
                search.best = Some((0, 0));
            }
        }
        search
    }

    /// Cost so far plus estimate, or `DEAD`.
    fn value(&self, id: Id) -> Cost {
        let cost = self.nodes.get(id).cost & !DONE;
        match self.guide.at(self.problem, &self.problem.unpack(self.store.get(id))) {
            DEAD => DEAD,
            estimate => cost.saturating_add(estimate),
        }
    }

    /// Takes the next layer; after the last one of the beam, the first again. False if there is none, or no need.
    fn next_layer(&mut self) -> bool {
        self.upper = self.best.map_or(DEAD, |(cost, _)| cost);
        if self.guide.admissible && self.upper <= self.lower {
            return false;
        }
        let from = self.layer.map_or(0, |layer| layer + 1);
        let Some((&layer, ids)) = self.layers.range(from..).next() else {
            if self.phase == Phase::All {
                return false;
            }
            (self.phase, self.layer) = (Phase::All, None);
            return self.next_layer();
        };
        self.layer = Some(layer);
        self.left = ids.clone();
        if self.phase == Phase::Beam && self.left.len() > BEAM {
            let mut valued: Vec<(Cost, Id)> = self.left.iter().map(|&id| (self.value(id), id)).collect();
            valued.sort_unstable();
            self.left = valued[..BEAM].iter().map(|&(_, id)| id).collect();
        }
        self.left.reverse();
        true
    }

    /// Puts what was made into the store.
    fn flush(&mut self) {
        let made = &self.made;
        self.store.insert_all(&mut self.batch, |index, id, new| {
            let (parent, cost, layer, goal) = made[index];
            if new {
                self.nodes.push(Node { parent, cost });
                self.layers.entry(layer).or_default().push(id);
            } else if cost < self.nodes.get(id).cost & !DONE {
                self.nodes.set(id, Node { parent, cost });
            } else {
                return;
            }
            if goal && self.best.is_none_or(|(best, _)| cost < best) {
                self.best = Some((cost, id));
            }
        });
        self.made.clear();
    }

    /// Expands a state unless it is done or cannot lead to a cheaper plan.
    fn expand(&mut self, id: Id) -> bool {
        let problem = self.problem;
        let node = self.nodes.get(id);
        if node.cost & DONE != 0 || node.cost >= self.upper {
            return false;
        }
        let state = problem.unpack(self.store.get(id));
        let estimate = self.guide.at(problem, &state);
        // An estimate that may be too large must not cut anything off.
        if estimate == DEAD || self.guide.admissible && node.cost.saturating_add(estimate) >= self.upper {
            return false;
        }
        self.nodes.set(id, Node { cost: node.cost | DONE, ..node });
        self.last = Some(id);
        self.stats.expanded += 1;
        problem.expand(&state, &mut self.moves, |child, cost| {
            self.stats.generated += 1;
            self.batch.push(|out| problem.pack(&child, out));
            let cost = node.cost.saturating_add(cost).min(DONE - 1);
            debug_assert!(problem.layer(&child) > self.layer, "layers grow");
            self.made.push((id, cost, problem.layer(&child).unwrap_or(0), problem.is_goal(&child)));
        });
        true
    }
}

impl<P: Problem> Engine<P> for Layered<'_, P> {
    fn answer(&mut self) -> Option<Verdict<P::Move>> {
        if !self.left.is_empty() || self.next_layer() {
            return None;
        }
        Some(match self.plan() {
            None => Verdict::Unsolvable(Why::Exhausted { states: self.store.len() as u64 }),
            Some(plan) => Verdict::Solved { lower: if self.guide.admissible { plan.cost } else { 0 }, plan },
        })
    }

    fn work(&mut self, most: u64) -> u64 {
        let (before, mut expanded, mut seen) = (self.stats.generated, 0, 0);
        while expanded < most && seen < TOGETHER && self.batch.len() < TOGETHER {
            let Some(id) = self.left.pop() else { break };
            expanded += u64::from(self.expand(id));
            seen += 1;
        }
        self.flush();
        seen as u64 + self.stats.generated - before
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn stored(&self) -> u64 {
        self.store.len() as u64
    }

    fn lower(&self) -> Cost {
        self.lower
    }

    fn plan(&self) -> Option<Plan<P::Move>> {
        self.best.map(|(_, goal)| plan_to(self.problem, &self.start, &self.store, goal, |id| self.nodes.get(id).parent))
    }

    fn upper(&self) -> Option<Cost> {
        self.best.map(|(cost, _)| cost)
    }

    fn open_and_closed(&self) -> (u64, u64) {
        let closed = self.stats.expanded.min(self.store.len() as u64);
        (self.store.len() as u64 - closed, closed)
    }

    fn last(&self) -> Option<P::State> {
        self.last.map(|id| self.problem.unpack(self.store.get(id)))
    }

    fn bytes(&self, more: usize) -> usize {
        // Every stored state is in one layer's list, and the layer under way is there twice.
        let lists = (self.store.len() + more) * size_of::<Id>() * 3 / 2 + self.left.capacity() * size_of::<Id>();
        let buffers = self.batch.bytes() + self.made.capacity() * size_of::<(Id, Cost, u32, bool)>();
        self.store.bytes_after(more) + self.nodes.bytes_after(more) + lists + buffers + self.guide.bytes()
    }
}
