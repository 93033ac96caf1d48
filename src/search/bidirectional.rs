//! Bidirectional uniform-cost search: one search from the start, one backwards from all goals, until they have met and no
//! cheaper meeting is possible. Of two searches of half the depth each sees far fewer states than one of the whole depth.
//!
//! It needs a problem that can list its goals and step backwards. The side with fewer open states moves.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::column::Column;
use super::driver::{Budget, Engine, Root};
use super::queue::Queue;
use super::replay::{Patience, ROOT, above, replay, states_to};
use super::store::{Batch, Id, Store};
use super::trace::{Known, Place, Shown, Watched};
use super::{goals, packed};
use crate::limits::{Limit, Limits};
use crate::outcome::{Plan, Stats, Verdict, Why};
use crate::rules::{Cost, DEAD, Packing, Problem, Rules};
use crate::trace;

pub(super) struct Bidirectional<P: Problem> {
    problem: Arc<P>,
    start: P::State,
    /// Forwards from the start, backwards from the goals.
    sides: [Side; 2],
    lower: Cost,
    /// The cheapest way through a state that both sides know: its cost and its id on either side.
    best: Option<(Cost, [Id; 2])>,
    /// The state expanded last.
    last: Option<(trace::Side, Id)>,
    moves: Vec<P::Move>,
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
        states_to(problem, &self.store, id, |id| self.nodes.get(id).parent)
    }

    fn bytes(&self, more: usize) -> usize {
        self.store.bytes_after(more)
            + self.nodes.bytes_after(more)
            + self.queue.bytes_after(more)
            + self.batch.bytes()
            + self.costs.capacity() * size_of::<Cost>()
    }
}

impl<P: Problem> Bidirectional<P> {
    fn expand(&mut self, forward: bool, id: Id, budget: &mut Budget) -> Result<(), Limit> {
        let problem = &*self.problem;
        let [ahead, behind] = &mut self.sides;
        let (here, there) = if forward { (ahead, behind) } else { (behind, ahead) };
        let node = here.nodes.get(id);
        let state = problem.unpack(here.store.get(id));
        here.batch.clear();
        here.costs.clear();
        let (mut generated, mut stopped) = (0, Ok(()));
        let mut child = |child: P::State, cost: Cost| {
            stopped = budget.child();
            if stopped.is_err() {
                return ControlFlow::Break(());
            }
            generated += 1;
            if !forward || !problem.is_dead(&child) {
                here.batch.push_state(problem, &child);
                here.costs.push(node.cost.saturating_add(cost));
            }
            ControlFlow::Continue(())
        };
        let _ = match forward {
            true => problem.expand(&state, &mut self.moves, child),
            false => match P::BACKWARD {
                Some(backward) => (backward.step)(problem, &state, &mut |before, cost| child(problem.canonical(before), cost)),
                None => ControlFlow::Continue(()),
            },
        };
        stopped?;
        here.queue.pop();
        here.nodes.set(id, Node { closed: true, ..node });
        self.stats.expanded += 1;
        self.stats.generated += generated;
        self.last = Some((if forward { trace::Side::Forward } else { trace::Side::Backward }, id));
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
        Ok(())
    }

    /// What every way costs at least that was not met yet.
    fn bound(&mut self) -> Cost {
        // It passes an open state on both sides. With one side empty there is none.
        let bound = match [self.sides[0].peek(), self.sides[1].peek()] {
            [Some((ahead, _)), Some((behind, _))] => ahead.saturating_add(behind),
            _ => DEAD,
        };
        self.lower = self.lower.max(bound.min(self.upper().unwrap_or(DEAD)));
        bound
    }

    fn side(&self, side: Option<trace::Side>) -> &Side {
        &self.sides[usize::from(side == Some(trace::Side::Backward))]
    }

    fn plan_within(&self, patience: Patience) -> Result<Option<Plan<P::Move>>, Limit> {
        let Some((_, [ahead, behind])) = self.best else { return Ok(None) };
        let problem = &*self.problem;
        let mut steps = self.sides[0].path(problem, ahead);
        steps.extend(self.sides[1].path(problem, behind).into_iter().rev().skip(1));
        replay(problem, &self.start, steps.into_iter().skip(1), patience).map(Some)
    }
}

impl<P: Problem> Engine<P> for Bidirectional<P> {
    type Setting = ();

    fn new(root: Root<P>, (): ()) -> Self {
        let Root { problem, start, .. } = root;
        let mut sides = [Side::new(problem.state_bytes()), Side::new(problem.state_bytes())];
        sides[0].root(&packed(&*problem, start.clone()));
        for goal in goals(&*problem) {
            sides[1].root(&packed(&*problem, goal));
        }
        let meet = sides[1].store.find(sides[0].store.get(0));
        let best = meet.map(|id| (0, [0, id]));
        let (last, moves, stats) = (None, Vec::new(), Stats::default());
        Bidirectional { problem, start, sides, lower: 0, best, last, moves, stats }
    }

    fn answer(&mut self, limits: &Limits) -> Result<Option<Verdict<P::Move>>, Limit> {
        if self.bound() < self.upper().unwrap_or(DEAD) {
            return Ok(None);
        }
        Ok(Some(match self.plan_within(Patience::Limits(limits))? {
            Some(plan) => Verdict::Solved { lower: self.lower.min(plan.cost), plan },
            None => Verdict::Unsolvable(Why::Exhausted { states: self.kept() }),
        }))
    }

    #[inline(never)]
    fn work(&mut self, _most: u64, budget: &mut Budget) -> Result<u64, Limit> {
        let before = self.stats.generated;
        let forward = self.sides[0].queue.len() <= self.sides[1].queue.len();
        if let Some((_, id)) = self.sides[usize::from(!forward)].peek() {
            self.expand(forward, id, budget)?;
        }
        Ok(self.stats.generated - before)
    }

    fn kept(&self) -> u64 {
        self.sides.iter().map(|side| side.store.len() as u64).sum()
    }

    fn plan(&self) -> Option<Plan<P::Move>> {
        self.plan_within(Patience::short()).ok().flatten()
    }

    fn open_and_closed(&self) -> (u64, u64) {
        (self.sides.iter().map(|side| side.queue.len() as u64).sum(), self.stats.expanded)
    }

    fn last(&self) -> Option<P::State> {
        self.last.map(|(side, id)| self.problem.unpack(self.side(Some(side)).store.get(id)))
    }

    fn bytes(&self, more: usize) -> usize {
        self.sides[0].bytes(more) + self.sides[1].bytes(more) + self.moves.capacity() * size_of::<P::Move>()
    }

    fn child_bytes(&self) -> usize {
        3 * self.problem.state_bytes() + size_of::<Node>() + 4 * size_of::<Id>()
    }
}

impl<P: Problem> Watched<P> for Bidirectional<P> {
    fn settle(&mut self) {
        self.bound();
    }

    fn shown(&self) -> Option<Shown<P::State>> {
        let (side, id) = self.last?;
        let Side { store, nodes, .. } = self.side(Some(side));
        let Node { parent, cost, .. } = nodes.get(id);
        let place = Place::Stored { side: Some(side), id, parent: above(parent) };
        Some(Shown { state: self.problem.unpack(store.get(id)), cost: Some(cost), place, bound: None })
    }

    fn stored(&self, side: Option<trace::Side>) -> usize {
        self.side(side).store.len()
    }

    fn known(&self, side: Option<trace::Side>, packed: &[u8]) -> Option<Known> {
        let Side { store, nodes, .. } = self.side(side);
        let id = store.find(packed)?;
        let Node { parent, cost, .. } = nodes.get(id);
        Some(Known { id, parent: above(parent), cost: Some(cost) })
    }

    fn ancestors(&self, side: Option<trace::Side>, id: Id) -> Vec<P::State> {
        self.side(side).path(&*self.problem, id)
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
