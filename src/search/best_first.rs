//! Best-first search. Uniform-cost, greedy, A* and weighted A* are settings of this one engine: they differ only in how
//! much the cost so far and the estimate count.
//!
//! Correct with inconsistent heuristics (a state to which a cheaper way is found is opened again) and with moves that cost
//! nothing. A goal is noticed when it is made, so that a run that hits its limit already has a plan to show; the search
//! ends when no open state can lead to a cheaper one.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::column::Column;
use super::driver::{Budget, Engine, Root, heap_bytes, state_bytes};
use super::guide::Guide;
use super::packed;
use super::queue::{Key, Queue};
use super::replay::{Patience, ROOT, above, plan_to, states_to};
use super::store::{Batch, Id, Store};
use super::trace::{Known, Place, Shown, Watched};
use crate::limits::{Limit, Limits};
use crate::outcome::{Plan, Stats, Verdict, Why};
use crate::rules::{Cost, DEAD, Packing, Problem};
use crate::trace::Side;

/// Is a way of this cost better than what is known of a state?
fn improves(order: Order, cost: Cost, known: Node) -> bool {
    order.cost > 0 && cost < known.cost & !CLOSED
}

/// The priority of a state is `cost` times its cost so far plus `estimate` times its estimate.
#[derive(Clone, Copy)]
pub(super) struct Order {
    pub(super) cost: u32,
    pub(super) estimate: u32,
}

impl Order {
    fn key(self, cost: Cost, estimate: Cost) -> Key {
        let key = u64::from(self.cost) * u64::from(cost) + u64::from(self.estimate) * u64::from(estimate);
        (key, if self.estimate == 0 { 0 } else { estimate })
    }

    /// With an admissible estimate the open state on a best plan has cost + estimate <= optimum, hence
    /// key <= larger weight * optimum, and so has the least key.
    fn lower_bound(self, (key, _): Key) -> Cost {
        key.div_ceil(u64::from(self.cost.max(self.estimate))) as Cost
    }
}

/// What is known about a stored state.
#[derive(Clone, Copy)]
struct Node {
    parent: Id,
    /// The cheapest known way from the start; the top bit says that the state is closed (or dead).
    cost: Cost,
}

const CLOSED: Cost = 1 << 31;

pub(super) struct BestFirst<P: Problem> {
    problem: Arc<P>,
    start: P::State,
    guide: Guide<P>,
    order: Order,
    store: Store,
    nodes: Column<Node>,
    queue: Queue,
    closed: u64,
    lower: Cost,
    best: Option<(Cost, Id)>,
    last: Option<Id>,
    batch: Batch,
    moves: Vec<P::Move>,
    children: Vec<(P::State, Cost)>,
    /// Estimates for the children, where they are made before anything is stored.
    estimates: Vec<Cost>,
    stats: Stats,
}

/// More children than this are estimated one by one under the limits.
const MANY: usize = 1024;

impl<P: Problem> BestFirst<P> {
    fn expand(&mut self, id: Id, budget: &mut Budget) -> Result<(), Limit> {
        let problem = &*self.problem;
        let node = self.nodes.get(id);
        let state = problem.unpack(self.store.get(id));
        self.children.clear();
        self.batch.clear();
        let mut stopped = Ok(());
        let _ = problem.expand(&state, &mut self.moves, |child, cost| {
            stopped = budget.child();
            if stopped.is_err() {
                return ControlFlow::Break(());
            }
            self.batch.push_state(problem, &child);
            self.children.push((child, node.cost.saturating_add(cost).min(CLOSED - 1)));
            ControlFlow::Continue(())
        });
        stopped?;
        // Estimates are made while states are stored, for new states only. Those that may take long are made before, so that
        // nothing is stored if a limit ends them.
        let early = self.guide.is_slow() || self.children.len() > MANY;
        if early {
            self.estimates.clear();
            for (index, (state, cost)) in self.children.iter().enumerate() {
                let known = self.store.find(self.batch.get(index)).map(|id| self.nodes.get(id));
                let wanted = known.is_none_or(|known| improves(self.order, *cost, known));
                self.estimates.push(if wanted { self.guide.at(problem, state, budget.limits)? } else { DEAD });
                budget.limits.check()?;
            }
        }
        // From here on nothing can end it.
        self.queue.pop();
        self.nodes.set(id, Node { cost: node.cost | CLOSED, ..node });
        self.closed += 1;
        self.last = Some(id);
        self.stats.expanded += 1;
        self.stats.generated += self.children.len() as u64;
        self.store.insert_all(&mut self.batch, |index, child, new| {
            let (state, cost) = &self.children[index];
            if new {
                self.nodes.push(Node { parent: id, cost: *cost });
            } else {
                let known = self.nodes.get(child);
                if !improves(self.order, *cost, known) {
                    return;
                }
                if known.cost & CLOSED != 0 {
                    self.closed -= 1;
                    self.stats.reopened += 1;
                }
                self.nodes.set(child, Node { parent: id, cost: *cost });
            }
            let estimate = if early { self.estimates[index] } else { self.guide.quick(problem, state, budget.limits) };
            if estimate == DEAD {
                // At cost 0 no cheaper way will ever be found to it.
                return self.nodes.set(child, Node { parent: id, cost: CLOSED });
            }
            if problem.is_goal(state) && self.best.is_none_or(|(best, _)| *cost < best) {
                self.best = Some((*cost, child));
            }
            self.queue.push(self.order.key(*cost, estimate), child);
        });
        Ok(())
    }

    fn plan_within(&self, patience: Patience) -> Result<Option<Plan<P::Move>>, Limit> {
        let plan = |goal| plan_to(&*self.problem, &self.start, &self.store, goal, |id| self.nodes.get(id).parent, patience);
        self.best.map(|(_, goal)| plan(goal)).transpose()
    }

    /// The best open entry, by which no plan costs less than it says.
    fn bound(&mut self) -> Option<(Key, Id)> {
        let top = self.peek();
        if self.guide.admissible && self.order.cost > 0 {
            let bound = top.map_or(DEAD, |(key, _)| self.order.lower_bound(key));
            self.lower = self.lower.max(bound.min(self.upper().unwrap_or(DEAD)));
        }
        top
    }

    /// The best open entry that is not stale.
    fn peek(&mut self) -> Option<(Key, Id)> {
        while let Some((key, id)) = self.queue.peek() {
            if self.nodes.get(id).cost & CLOSED == 0 {
                return Some((key, id));
            }
            self.queue.pop();
        }
        None
    }
}

impl<P: Problem> Engine<P> for BestFirst<P> {
    type Setting = Order;

    fn new(root: Root<P>, order: Order) -> Self {
        let Root { problem, start, guide, estimate } = root;
        let width = problem.state_bytes();
        let mut search = BestFirst {
            order,
            store: Store::new(width),
            nodes: Column::new(),
            queue: Queue::default(),
            closed: 0,
            lower: 0,
            best: None,
            last: None,
            batch: Batch::new(width),
            moves: Vec::new(),
            children: Vec::new(),
            estimates: Vec::new(),
            stats: Stats::default(),
            guide,
            start,
            problem,
        };
        search.store.insert(&packed(&*search.problem, search.start.clone()));
        search.nodes.push(Node { parent: ROOT, cost: 0 });
        if estimate != DEAD {
            search.queue.push(order.key(0, estimate), 0);
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
        let top = self.bound();
        let done = match (self.best, top) {
            (None, Some(_)) => false,
            (Some((cost, _)), Some((key, _))) => self.order.cost == 0 || key >= self.order.key(cost, 0),
            (_, None) => true,
        };
        if !done {
            return Ok(None);
        }
        Ok(Some(match self.plan_within(Patience::Limits(limits))? {
            Some(plan) => Verdict::Solved { lower: self.lower.min(plan.cost), plan },
            None => Verdict::Unsolvable(Why::Exhausted { states: self.store.len() as u64 }),
        }))
    }

    #[inline(never)]
    fn work(&mut self, _most: u64, budget: &mut Budget) -> Result<u64, Limit> {
        let Some((_, id)) = self.peek() else { return Ok(0) };
        self.expand(id, budget)?;
        Ok(self.children.len() as u64)
    }

    fn kept(&self) -> u64 {
        self.store.len() as u64
    }

    fn plan(&self) -> Option<Plan<P::Move>> {
        self.plan_within(Patience::short()).ok().flatten()
    }

    fn open_and_closed(&self) -> (u64, u64) {
        (self.queue.len() as u64, self.closed)
    }

    fn last(&self) -> Option<P::State> {
        self.last.map(|id| self.problem.unpack(self.store.get(id)))
    }

    fn bytes(&self, more: usize) -> usize {
        let children = self.children.capacity() * size_of::<(P::State, Cost)>() + self.children.len() * heap_bytes(&*self.problem);
        let buffers = self.batch.bytes() + children + self.moves.capacity() * size_of::<P::Move>();
        self.store.bytes_after(more) + self.nodes.bytes_after(more) + self.queue.bytes_after(more) + buffers + self.guide.bytes()
    }
    fn child_bytes(&self) -> usize {
        state_bytes(&*self.problem) + 3 * self.problem.state_bytes() + size_of::<Node>() + size_of::<(Cost, Cost, Id)>()
    }
}

impl<P: Problem> Watched<P> for BestFirst<P> {
    fn settle(&mut self) {
        self.bound();
    }

    fn shown(&self) -> Option<Shown<P::State>> {
        let id = self.last?;
        let Node { parent, cost } = self.nodes.get(id);
        let place = Place::Stored { side: None, id, parent: above(parent) };
        Some(Shown { state: self.problem.unpack(self.store.get(id)), cost: Some(cost & !CLOSED), place, bound: None })
    }

    fn stored(&self, _side: Option<Side>) -> usize {
        self.store.len()
    }

    fn known(&self, _side: Option<Side>, packed: &[u8]) -> Option<Known> {
        let id = self.store.find(packed)?;
        let Node { parent, cost } = self.nodes.get(id);
        Some(Known { id, parent: above(parent), cost: Some(cost & !CLOSED) })
    }

    fn ancestors(&self, _side: Option<Side>, id: Id) -> Vec<P::State> {
        states_to(&*self.problem, &self.store, id, |id| self.nodes.get(id).parent)
    }

    fn guide(&self) -> Option<&Guide<P>> {
        Some(&self.guide)
    }

    fn priority(&self, cost: Cost, estimate: Cost) -> Option<f64> {
        let Order { cost: weight, estimate: other } = self.order;
        (other > 0 && other != weight).then(|| self.order.key(cost, estimate).0 as f64 / f64::from(weight.max(1)))
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
