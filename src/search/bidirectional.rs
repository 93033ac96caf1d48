//! Bidirectional uniform-cost search: one search from the start, one backwards from all goals, until they have met and no
//! cheaper meeting is possible. Of two searches of half the depth each sees far fewer states than one of the whole depth.
//!
//! It needs a problem that can list its goals and step backwards. The side with fewer open states moves.

use super::column::Column;
use super::driver::Engine;
use super::queue::Queue;
use super::replay::{ROOT, chain, replay};
use super::store::{Batch, Id, Store};
use super::{goals, packed};
use crate::outcome::{Plan, Stats, Verdict, Why};
use crate::rules::{Cost, DEAD, Problem, Rules};

pub(super) struct Bidirectional<'a, P: Problem> {
    problem: &'a P,
    start: P::State,
    /// Forwards from the start, backwards from the goals.
    sides: [Side; 2],
    lower: Cost,
    /// The cheapest way through a state that both sides know: its cost and its id on either side.
    best: Option<(Cost, [Id; 2])>,
    last: Option<P::State>,
    moves: Vec<P::Move>,
    children: Vec<(P::State, Cost)>,
    stats: Stats,
}

struct Side {
    store: Store,
    nodes: Column<Node>,
    queue: Queue,
    batch: Batch,
    costs: Vec<Cost>,
}

#[derive(Clone, Copy)]
struct Node {
    parent: Id,
    cost: Cost,
    closed: bool,
}

impl Side {
    fn new(width: usize) -> Side {
        Side { store: Store::new(width), nodes: Column::new(), queue: Queue::default(), batch: Batch::new(width), costs: Vec::new() }
    }

    fn root(&mut self, state: &[u8]) {
        let (id, new) = self.store.insert(state);
        if new {
            self.nodes.push(Node { parent: ROOT, cost: 0, closed: false });
            self.queue.push((0, 0), id);
        }
    }

    /// The cheapest open state, stale entries removed.
    fn peek(&mut self) -> Option<(Cost, Id)> {
        while let Some(((cost, _), id)) = self.queue.peek() {
            if !self.nodes.get(id).closed {
                return Some((cost as Cost, id));
            }
            self.queue.pop();
        }
        None
    }

    /// The states from the root to `id`.
    fn path<P: Rules>(&self, problem: &P, id: Id) -> Vec<P::State> {
        let ids = chain(id, |id| self.nodes.get(id).parent);
        ids.into_iter().map(|id| problem.unpack(self.store.get(id))).collect()
    }

    fn bytes(&self, more: usize) -> usize {
        self.store.bytes_after(more) + self.nodes.bytes_after(more) + self.queue.bytes_after(more) + self.batch.bytes()
    }
}

impl<'a, P: Problem> Bidirectional<'a, P> {
    pub(super) fn new(problem: &'a P, start: P::State) -> Self {
        let mut sides = [Side::new(problem.state_bytes()), Side::new(problem.state_bytes())];
        sides[0].root(&packed(problem, start.clone()));
        for goal in goals(problem) {
            sides[1].root(&packed(problem, goal));
        }
        let meet = sides[1].store.find(sides[0].store.get(0));
        let best = meet.map(|id| (0, [0, id]));
        let (last, moves, children, stats) = (None, Vec::new(), Vec::new(), Stats::default());
        Bidirectional { problem, start, sides, lower: 0, best, last, moves, children, stats }
    }

    fn expand(&mut self, forward: bool, id: Id) {
        let problem = self.problem;
        let [ahead, behind] = &mut self.sides;
        let (here, there) = if forward { (ahead, behind) } else { (behind, ahead) };
        here.queue.pop();
        let node = here.nodes.get(id);
        here.nodes.set(id, Node { closed: true, ..node });
        self.stats.expanded += 1;
        let state = problem.unpack(here.store.get(id));
        self.children.clear();
        if forward {
            problem.expand(&state, &mut self.moves, |child, cost| self.children.push((child, cost)));
        } else {
            if let Some(backward) = P::BACKWARD {
                (backward.step)(problem, &state, &mut self.children);
            }
            self.children.iter_mut().for_each(|(child, _)| *child = problem.canonical(child.clone()));
        }
        self.last = Some(state);
        self.stats.generated += self.children.len() as u64;
        here.costs.clear();
        for (child, cost) in self.children.drain(..) {
            if forward && problem.is_dead(&child) {
                continue;
            }
            here.batch.push(|out| problem.pack(&child, out));
            here.costs.push(node.cost.saturating_add(cost));
        }
        let mut improved = Vec::new();
        here.store.insert_all(&mut here.batch, |index, child, new| {
            let cost = here.costs[index];
            if new {
                here.nodes.push(Node { parent: id, cost, closed: false });
            } else if cost < here.nodes.get(child).cost {
                here.nodes.set(child, Node { parent: id, cost, closed: false });
            } else {
                return;
            }
            here.queue.push((u64::from(cost), 0), child);
            improved.push((child, cost));
        });
        for (child, cost) in improved {
            if let Some(other) = there.store.find(here.store.get(child)) {
                let total = cost.saturating_add(there.nodes.get(other).cost);
                if self.best.is_none_or(|(best, _)| total < best) {
                    self.best = Some((total, if forward { [child, other] } else { [other, child] }));
                }
            }
        }
    }
}

impl<P: Problem> Engine<P> for Bidirectional<'_, P> {
    fn answer(&mut self) -> Option<Verdict<P::Move>> {
        // Any way not met yet passes an open state on both sides. With one side empty there is none.
        let bound = match [self.sides[0].peek(), self.sides[1].peek()] {
            [Some((ahead, _)), Some((behind, _))] => ahead.saturating_add(behind),
            _ => DEAD,
        };
        let upper = self.upper().unwrap_or(DEAD);
        self.lower = self.lower.max(bound.min(upper));
        (bound >= upper).then(|| match self.plan() {
            Some(plan) => Verdict::Solved { lower: self.lower.min(plan.cost), plan },
            None => Verdict::Unsolvable(Why::Exhausted { states: self.stored() }),
        })
    }

    fn work(&mut self, _most: u64) -> u64 {
        let before = self.stats.generated;
        let forward = self.sides[0].queue.len() <= self.sides[1].queue.len();
        if let Some((_, id)) = self.sides[usize::from(!forward)].peek() {
            self.expand(forward, id);
        }
        self.stats.generated - before
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn stored(&self) -> u64 {
        self.sides.iter().map(|side| side.store.len() as u64).sum()
    }

    fn lower(&self) -> Cost {
        self.lower
    }

    fn plan(&self) -> Option<Plan<P::Move>> {
        self.best.map(|(_, [ahead, behind])| {
            let mut steps = self.sides[0].path(self.problem, ahead);
            steps.extend(self.sides[1].path(self.problem, behind).into_iter().rev().skip(1));
            replay(self.problem, &self.start, steps.into_iter().skip(1))
        })
    }

    fn upper(&self) -> Option<Cost> {
        self.best.map(|(cost, _)| cost)
    }

    fn open_and_closed(&self) -> (u64, u64) {
        (self.sides.iter().map(|side| side.queue.len() as u64).sum(), self.stats.expanded)
    }

    fn last(&self) -> Option<P::State> {
        self.last.clone()
    }

    fn bytes(&self, more: usize) -> usize {
        self.sides[0].bytes(more) + self.sides[1].bytes(more)
    }
}
