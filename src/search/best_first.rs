//! Best-first search. Uniform-cost, greedy, A* and weighted A* are settings of this one engine: they differ only in how
//! much the cost so far and the estimate count.
//!
//! Correct with inconsistent heuristics (a state to which a cheaper way is found is opened again) and with moves that cost
//! nothing. A goal is noticed when it is made, so that a run that hits its limit already has a plan to show; the search
//! ends when no open state can lead to a cheaper one.

use super::column::Column;
use super::driver::Engine;
use super::queue::{Key, Queue};
use super::replay::{ROOT, plan_to};
use super::store::{Batch, Id, Store};
use super::{Guide, packed};
use crate::outcome::{Plan, Stats, Verdict, Why};
use crate::rules::{Cost, DEAD, Problem};

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

pub(super) struct BestFirst<'a, P: Problem> {
    problem: &'a P,
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
    stats: Stats,
}

impl<'a, P: Problem> BestFirst<'a, P> {
    pub(super) fn new(problem: &'a P, start: P::State, guide: Guide<P>, order: Order) -> Self {
        let mut search = BestFirst {
            problem,
            guide,
            order,
            store: Store::new(problem.state_bytes()),
            nodes: Column::new(),
            queue: Queue::default(),
            closed: 0,
            lower: 0,
            best: None,
            last: None,
            batch: Batch::new(problem.state_bytes()),
            moves: Vec::new(),
            children: Vec::new(),
            stats: Stats::default(),
            start,
        };
        search.store.insert(&packed(problem, search.start.clone()));
        search.nodes.push(Node { parent: ROOT, cost: 0 });
        let estimate = search.guide.at(problem, &search.start);
        if estimate != DEAD {
            search.queue.push(order.key(0, estimate), 0);
            if search.guide.admissible {
                search.lower = estimate;
            }
            if problem.is_goal(&search.start) {
                search.best = Some((0, 0));
            }
        }
        search
    }

    fn expand(&mut self, id: Id) {
        let problem = self.problem;
        let node = self.nodes.get(id);
        self.nodes.set(id, Node { cost: node.cost | CLOSED, ..node });
        self.closed += 1;
        self.last = Some(id);
        self.stats.expanded += 1;
        let state = problem.unpack(self.store.get(id));
        self.children.clear();
        problem.expand(&state, &mut self.moves, |child, cost| {
            self.batch.push(|out| problem.pack(&child, out));
            self.children.push((child, node.cost.saturating_add(cost).min(CLOSED - 1)));
        });
        self.stats.generated += self.children.len() as u64;
        self.store.insert_all(&mut self.batch, |index, child, new| {
            let (state, cost) = &self.children[index];
            if new {
                self.nodes.push(Node { parent: id, cost: *cost });
            } else {
                let known = self.nodes.get(child);
                if self.order.cost == 0 || *cost >= known.cost & !CLOSED {
                    return;
                }
                if known.cost & CLOSED != 0 {
                    self.closed -= 1;
                    self.stats.reopened += 1;
                }
                self.nodes.set(child, Node { parent: id, cost: *cost });
            }
            let estimate = self.guide.at(problem, state);
            if estimate == DEAD {
                // At cost 0 no cheaper way will ever be found to it.
                return self.nodes.set(child, Node { parent: id, cost: CLOSED });
            }
            if problem.is_goal(state) && self.best.is_none_or(|(best, _)| *cost < best) {
                self.best = Some((*cost, child));
            }
            self.queue.push(self.order.key(*cost, estimate), child);
        });
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

impl<P: Problem> Engine<P> for BestFirst<'_, P> {
    fn answer(&mut self) -> Option<Verdict<P::Move>> {
        let top = self.peek();
        if self.guide.admissible && self.order.cost > 0 {
            let bound = top.map_or(DEAD, |(key, _)| self.order.lower_bound(key));
            self.lower = self.lower.max(bound.min(self.upper().unwrap_or(DEAD)));
        }
        let done = match (self.best, top) {
            (None, Some(_)) => false,
            (Some((cost, _)), Some((key, _))) => self.order.cost == 0 || key >= self.order.key(cost, 0),
            (_, None) => true,
        };
        done.then(|| match self.plan() {
            Some(plan) => Verdict::Solved { lower: self.lower.min(plan.cost), plan },
            None => Verdict::Unsolvable(Why::Exhausted { states: self.store.len() as u64 }),
        })
    }

    fn work(&mut self, _most: u64) -> u64 {
        let Some((_, id)) = self.peek() else { return 0 };
        self.queue.pop();
        self.expand(id);
        self.children.len() as u64
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
        (self.queue.len() as u64, self.closed)
    }

    fn last(&self) -> Option<P::State> {
        self.last.map(|id| self.problem.unpack(self.store.get(id)))
    }

    fn bytes(&self, more: usize) -> usize {
        let buffers = self.batch.bytes() + self.children.capacity() * size_of::<(P::State, Cost)>();
        self.store.bytes_after(more) + self.nodes.bytes_after(more) + self.queue.bytes_after(more) + buffers + self.guide.bytes()
    }
}
