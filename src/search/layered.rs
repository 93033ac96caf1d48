//! Layered search, for problems in which no state comes back ([`Rules::layer`](crate::rules::Rules::layer)): a dynamic
//! program that walks through the layers and expands each state when its cost is final.
//!
//! It needs no queue, and states of one layer are expanded together, which suits the store. What A* gains by its order is
//! had by bounds instead. First a narrow beam through the layers finds a good plan; then all layers are walked through,
//! and states that cannot lead to a cheaper plan are skipped. Only what the beam expanded too early is expanded again.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::column::Column;
use super::driver::{Budget, Engine, Root};
use super::guide::Guide;
use super::packed;
use super::replay::{Patience, ROOT, above, plan_to, states_to};
use super::store::{Batch, Id, Store};
use super::trace::{Known, Place, Shown, Watched};
use crate::limits::{Limit, Limits};
use crate::outcome::{Plan, Stats, Verdict, Why};
use crate::rules::{Cost, DEAD, Packing, Problem};
use crate::trace::Side;

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

pub(super) struct Layered<P: Problem> {
    problem: Arc<P>,
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
    /// While the beam chooses among the states that are left: those that have a value by now.
    valued: Option<Vec<(Cost, Id)>>,
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

impl<P: Problem> Layered<P> {
    /// Cost so far plus estimate, or `DEAD`.
    fn value(&self, id: Id, limits: &Limits) -> Result<Cost, Limit> {
        let cost = self.nodes.get(id).cost & !DONE;
        Ok(match self.guide.at(&*self.problem, &self.problem.unpack(self.store.get(id)), limits)? {
            DEAD => DEAD,
            estimate => cost.saturating_add(estimate),
        })
    }

    /// Gives the next states of a wide layer their values; once all have one, the best are what is left of the layer.
    fn narrow(&mut self, mut valued: Vec<(Cost, Id)>, limits: &Limits) -> Result<u64, Limit> {
        let before = valued.len();
        let mut stopped = Ok(());
        while valued.len() < self.left.len().min(before + TOGETHER) && stopped.is_ok() {
            let id = self.left[valued.len()];
            match limits.check().and_then(|()| self.value(id, limits)) {
                Ok(value) => valued.push((value, id)),
                Err(limit) => stopped = Err(limit),
            }
        }
        let done = (valued.len() - before) as u64;
        if valued.len() < self.left.len() {
            self.valued = Some(valued);
        } else {
            valued.sort_unstable();
            self.left = valued[..BEAM].iter().rev().map(|&(_, id)| id).collect();
        }
        stopped.map(|()| done)
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
            self.valued = Some(Vec::new());
        } else {
            self.left.reverse();
        }
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
    fn expand(&mut self, id: Id, budget: &mut Budget) -> Result<bool, Limit> {
        let problem = &*self.problem;
        let node = self.nodes.get(id);
        if node.cost & DONE != 0 || node.cost >= self.upper {
            return Ok(false);
        }
        let state = problem.unpack(self.store.get(id));
        let estimate = self.guide.at(problem, &state, budget.limits)?;
        // An estimate that may be too large must not cut anything off.
        if estimate == DEAD || self.guide.admissible && node.cost.saturating_add(estimate) >= self.upper {
            return Ok(false);
        }
        let (whole, mut stopped) = (self.made.len(), Ok(()));
        let _ = problem.expand(&state, &mut self.moves, |child, cost| {
            stopped = budget.child();
            if stopped.is_err() {
                return ControlFlow::Break(());
            }
            self.batch.push_state(problem, &child);
            let cost = node.cost.saturating_add(cost).min(DONE - 1);
            debug_assert!(problem.layer(&child) > self.layer, "layers grow");
            self.made.push((id, cost, problem.layer(&child).unwrap_or(0), problem.is_goal(&child)));
            ControlFlow::Continue(())
        });
        if let Err(limit) = stopped {
            self.batch.truncate(whole);
            self.made.truncate(whole);
            return Err(limit);
        }
        self.nodes.set(id, Node { cost: node.cost | DONE, ..node });
        self.last = Some(id);
        self.stats.expanded += 1;
        self.stats.generated += (self.made.len() - whole) as u64;
        Ok(true)
    }

    fn plan_within(&self, patience: Patience) -> Result<Option<Plan<P::Move>>, Limit> {
        let plan = |goal| plan_to(&*self.problem, &self.start, &self.store, goal, |id| self.nodes.get(id).parent, patience);
        self.best.map(|(_, goal)| plan(goal)).transpose()
    }
}

impl<P: Problem> Engine<P> for Layered<P> {
    type Setting = ();

    fn new(root: Root<P>, (): ()) -> Self {
        let Root { problem, start, guide, estimate } = root;
        let width = problem.state_bytes();
        let mut search = Layered {
            store: Store::new(width),
            nodes: Column::new(),
            layers: BTreeMap::new(),
            phase: Phase::Beam,
            layer: None,
            left: Vec::new(),
            valued: None,
            upper: DEAD,
            lower: 0,
            best: None,
            last: None,
            batch: Batch::new(width),
            made: Vec::new(),
            moves: Vec::new(),
            stats: Stats::default(),
            guide,
            start,
            problem,
        };
        search.store.insert(&packed(&*search.problem, search.start.clone()));
        search.nodes.push(Node { parent: ROOT, cost: 0 });
        if estimate != DEAD {
            search.layers.insert(search.problem.layer(&search.start).unwrap_or(0), vec![0]);
            if search.guide.admissible {
                search.lower = estimate;
            }
            if search.problem.is_goal(&search.start) {
                search.best = Some((0, 0));
            }
        }
        search
    }

    fn answer(&mut self, limits: &Limits) -> Result<Option<Verdict<P::Move>>, Limit> {
        if !self.left.is_empty() || self.next_layer() {
            return Ok(None);
        }
        Ok(Some(match self.plan_within(Patience::Limits(limits))? {
            None => Verdict::Unsolvable(Why::Exhausted { states: self.store.len() as u64 }),
            Some(plan) => Verdict::Solved { lower: if self.guide.admissible { plan.cost } else { 0 }, plan },
        }))
    }

    #[inline(never)]
    fn work(&mut self, most: u64, budget: &mut Budget) -> Result<u64, Limit> {
        if let Some(valued) = self.valued.take() {
            return self.narrow(valued, budget.limits);
        }
        let (before, mut expanded, mut seen) = (self.stats.generated, 0, 0);
        let mut stopped = Ok(());
        while expanded < most && seen < TOGETHER && self.batch.len() < TOGETHER {
            let Some(&id) = self.left.last() else { break };
            match self.expand(id, budget) {
                Ok(done) => expanded += u64::from(done),
                Err(limit) => {
                    stopped = Err(limit);
                    break;
                }
            }
            self.left.pop();
            seen += 1;
        }
        self.flush();
        if seen == 0 { stopped.map(|()| 0) } else { Ok(seen as u64 + self.stats.generated - before) }
    }

    fn kept(&self) -> u64 {
        self.store.len() as u64
    }

    fn plan(&self) -> Option<Plan<P::Move>> {
        self.plan_within(Patience::short()).ok().flatten()
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
        let valued = self.valued.as_ref().map_or(0, |valued| valued.capacity() * size_of::<(Cost, Id)>());
        let made = self.made.capacity() * size_of::<(Id, Cost, u32, bool)>();
        let buffers = self.batch.bytes() + made + valued + self.moves.capacity() * size_of::<P::Move>();
        self.store.bytes_after(more) + self.nodes.bytes_after(more) + lists + buffers + self.guide.bytes()
    }
    fn child_bytes(&self) -> usize {
        3 * self.problem.state_bytes() + 2 * size_of::<(Id, Cost, u32, bool)>() + size_of::<Node>()
    }
}

impl<P: Problem> Watched<P> for Layered<P> {
    fn shown(&self) -> Option<Shown<P::State>> {
        let id = self.last?;
        let Node { parent, cost } = self.nodes.get(id);
        let place = Place::Stored { side: None, id, parent: above(parent) };
        Some(Shown { state: self.problem.unpack(self.store.get(id)), cost: Some(cost & !DONE), place, bound: None })
    }

    fn stored(&self, _side: Option<Side>) -> usize {
        self.store.len()
    }

    fn known(&self, _side: Option<Side>, packed: &[u8]) -> Option<Known> {
        let id = self.store.find(packed)?;
        let Node { parent, cost } = self.nodes.get(id);
        Some(Known { id, parent: above(parent), cost: Some(cost & !DONE) })
    }

    fn ancestors(&self, _side: Option<Side>, id: Id) -> Vec<P::State> {
        states_to(&*self.problem, &self.store, id, |id| self.nodes.get(id).parent)
    }

    fn guide(&self) -> Option<&Guide<P>> {
        Some(&self.guide)
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn lower(&self) -> Cost {
        self.lower
    }

    fn upper(&self) -> Option<Cost> {
        self.best.map(|(cost, _)| cost)
    }
}
