//! Finds a least-cost plan on many workers, by A*, or by Dijkstra's algorithm if there is no estimate.
//!
//! States with the same f = g + h are expanded together, by all workers, in *steps*. The step with the least f comes first. With a
//! consistent estimate, a state has its least g when it is expanded, regardless of the order among states with the same f. Therefore, no
//! state is expanded twice, and the first goal that is expanded ends the search. The states of a step do not depend on the number of
//! workers.
//!
//! In memory (`memory`), a step contains a limited number of states for every value of g, the largest g first, so that the search dives
//! toward a goal. On disk (`disk`), a step contains all states with the least g and no others, so each layer is written and read once.
//!
//! No parents are stored. Once a goal is found, steps are expanded again, from the last to the first, to find the predecessors on
//! the path. Of several predecessors, the first in byte order is chosen. Finding the path takes at most as long as the search.

pub mod disk;
mod memory;

use std::sync::Arc;

use kibitzer::catalog::packed::{Estimator, PackedOutcome};
use kibitzer::limits::{Limit, Limits, Progress};
use kibitzer::outcome::Stats;
use kibitzer::rules::{Cost, DEAD};
use kibitzer::space::{Batch, Space, Status, Successors};

use super::communicator::{Communicator, Parcel};
use super::{Halt, route};
pub use memory::solve;

/// A problem to solve. The space and the guide must belong to the same problem. The space may merge symmetric states.
#[derive(Clone)]
pub struct Task {
    pub space: Arc<dyn Space>,
    pub guide: Arc<dyn Estimator>,
    /// True if the guide is asked for a short proof that there is no plan, once the search has turned out to be hard.
    pub refute: bool,
}

/// Number of states expanded together.
const TOGETHER: usize = 128;
/// Size of a parcel, in bytes.
const CHUNK: usize = 32 << 10;
/// Size of a cost, in bytes.
const COST: usize = size_of::<Cost>();
/// Number of states expanded before a short proof is requested, the same as in a search without workers.
const REFUTE_AFTER: u64 = 10_000;

/// A worker's states.
trait Keeper {
    /// Adds up to `most` more states of the current step and their costs, or none at the end of the step.
    fn take(&mut self, most: usize, out: &mut Batch, costs: &mut Vec<Cost>) -> Result<(), Halt>;

    /// Adds states with their costs. Some of the states may already be stored.
    fn put(&mut self, states: &Batch, costs: &[Cost], search: &Search) -> Result<(), Halt>;

    /// Returns the number of bytes held, or an error if it exceeds the limit.
    fn bytes(&mut self) -> Result<usize, Halt>;
}

/// One worker of a search.
struct Search<'a> {
    task: &'a Task,
    limits: &'a Limits,
    stats: Stats,
    /// The smallest and largest move costs seen so far.
    prices: (Cost, Cost),
    asked: bool,
}

impl<'a> Search<'a> {
    fn new(task: &'a Task, limits: &'a Limits) -> Search<'a> {
        Search { task, limits, stats: Stats::default(), prices: (Cost::MAX, 0), asked: !task.refute }
    }

    fn estimates(&self, states: &Batch) -> Result<Vec<Cost>, Halt> {
        let mut estimates = Vec::with_capacity(states.len());
        self.task.guide.estimate(states, &mut estimates, self.limits)?;
        Ok(estimates)
    }

    /// Expands this worker's part of a step. Returns when all workers have expanded their parts and every successor has reached its owner.
    /// The result is the least goal in this worker's part, if there is one, with its cost. [`Communicator::collect`] must be called next.
    fn step(&mut self, lower: Cost, keeper: &mut dyn Keeper, comm: &mut Communicator) -> Option<Reached> {
        let goal = self.expand(lower, keeper, comm).unwrap_or_else(|why| {
            comm.stop(why);
            None
        });
        let mut arrived = Batch::new(self.task.space.width());
        comm.settle(&mut |parcel| self.unpack(parcel, &mut arrived, keeper));
        goal
    }

    fn expand(&mut self, lower: Cost, keeper: &mut dyn Keeper, comm: &mut Communicator) -> Result<Option<Reached>, Halt> {
        let width = self.task.space.width();
        let (mut parents, mut paid, mut next, mut arrived) = (Batch::new(width), Vec::new(), Successors::new(width), Batch::new(width));
        let mut outgoing: Vec<(Batch, Vec<Cost>)> = (0..comm.peers).map(|_| (Batch::new(width), Vec::new())).collect();
        let mut goal: Option<Reached> = None;
        while !comm.stops() {
            parents.clear();
            paid.clear();
            keeper.take(TOGETHER, &mut parents, &mut paid)?;
            if parents.is_empty() {
                break;
            }
            self.look(lower, keeper)?;
            self.task.space.successors(&parents, &mut next, self.limits)?;
            self.stats.expanded += parents.len() as u64;
            self.stats.generated += next.states().len() as u64;
            let mut begin = 0;
            for (at, parent) in next.parents().iter().enumerate() {
                let (state, cost) = (parents.get(at), paid[at]);
                if parent.status == Status::Goal && goal.as_ref().is_none_or(|goal| (cost, state) < (goal.0, &goal.1)) {
                    goal = Some((cost, state.to_vec()));
                }
                for child in begin..parent.end {
                    let (state, price) = (next.states().get(child), next.costs()[child]);
                    let (states, costs) = &mut outgoing[route::owner(route::bucket(state), comm.peers)];
                    states.push(|out| out.copy_from_slice(state));
                    costs.push(cost.saturating_add(price));
                    self.prices = (self.prices.0.min(price), self.prices.1.max(price));
                }
                begin = parent.end;
            }
            for (to, (states, costs)) in outgoing.iter_mut().enumerate() {
                if costs.len() * (width + COST) >= CHUNK {
                    self.deliver(to, states, costs, keeper, comm)?;
                }
            }
            comm.turn(&mut |parcel| self.unpack(parcel, &mut arrived, keeper))?;
        }
        for (to, (states, costs)) in outgoing.iter_mut().enumerate() {
            if !costs.is_empty() {
                self.deliver(to, states, costs, keeper, comm)?;
            }
        }
        Ok(goal)
    }

    fn deliver(
        &mut self,
        to: usize,
        states: &mut Batch,
        costs: &mut Vec<Cost>,
        keeper: &mut dyn Keeper,
        comm: &mut Communicator,
    ) -> Result<(), Halt> {
        if to == comm.index {
            keeper.put(states, costs, self)?;
        } else {
            let mut bytes = states.slice(0..states.len()).to_vec();
            costs.iter().for_each(|cost| bytes.extend(cost.to_le_bytes()));
            comm.send(to, 0, costs.len(), bytes);
        }
        states.clear();
        costs.clear();
        Ok(())
    }

    /// Adds states from another worker. In the parcel, the costs follow the states.
    fn unpack(&mut self, parcel: Parcel, arrived: &mut Batch, keeper: &mut dyn Keeper) -> Result<(), Halt> {
        let count = parcel.count as usize;
        let (states, costs) = parcel.bytes.split_at(count * self.task.space.width());
        let costs: Vec<Cost> = costs.chunks_exact(COST).map(|cost| Cost::from_le_bytes(cost.try_into().unwrap_or_default())).collect();
        arrived.clear();
        arrived.push_all(count, states);
        keeper.put(arrived, &costs, self)
    }

    fn look(&mut self, lower: Cost, keeper: &mut dyn Keeper) -> Result<(), Halt> {
        let bytes = keeper.bytes()?;
        self.stats.peak_bytes = self.stats.peak_bytes.max(bytes);
        let Stats { expanded, generated, .. } = self.stats;
        self.limits.report(&Progress { expanded, generated, bytes, lower, ..Progress::default() })?;
        Ok(())
    }

    /// True if there is a short proof that there is no plan. The first worker looks for such a proof once the search has turned out to be
    /// hard.
    fn is_refuted(&mut self, expanded: u64, comm: &mut Communicator) -> Result<bool, Halt> {
        if self.asked || expanded < REFUTE_AFTER {
            return Ok(false);
        }
        self.asked = true;
        let mine = comm.index == 0 && self.task.guide.refutes(self.limits);
        comm.any(mine)
    }

    /// The states from the start to a goal. `before` returns this worker's states of the steps that may have led to a state, the last
    /// step first, batch by batch. All workers must return the same number of steps.
    fn retrace<'b>(&mut self, (mut cost, goal): Reached, before: Before<'_, 'b>, comm: &mut Communicator) -> Result<Vec<Vec<u8>>, Halt> {
        let mut path = vec![goal];
        let start = self.task.space.start();
        while path[path.len() - 1] != start {
            let target = &path[path.len() - 1];
            let Some(states) = before(target, cost, comm)? else {
                return Err(Halt::fault("no path leads back from the goal", "this is a bug; please report it and include the board"));
            };
            let found = self.leading(states, target, cost);
            if let Some((paid, state)) = comm.collect(found)?.into_iter().flatten().min_by(|a, b| a.1.cmp(&b.1)) {
                path.push(state);
                cost = paid;
            }
        }
        path.reverse();
        Ok(path)
    }

    /// Finds the least of these states that leads to `target` at `cost`.
    fn leading(&self, mut states: Batches, target: &[u8], cost: Cost) -> Result<Option<Reached>, Halt> {
        let width = self.task.space.width();
        let (mut parents, mut paid, mut next) = (Batch::new(width), Vec::new(), Successors::new(width));
        let mut best: Option<Reached> = None;
        loop {
            parents.clear();
            paid.clear();
            states(&mut parents, &mut paid)?;
            if parents.is_empty() {
                return Ok(best);
            }
            let Stats { expanded, generated, peak_bytes: bytes, .. } = self.stats;
            self.limits.report(&Progress { expanded, generated, bytes, ..Progress::default() })?;
            self.task.space.successors(&parents, &mut next, self.limits)?;
            let mut begin = 0;
            for (at, parent) in next.parents().iter().enumerate() {
                let reaches = |child: usize| paid[at].saturating_add(next.costs()[child]) == cost && next.states().get(child) == target;
                let leads = (begin..parent.end).any(reaches);
                begin = parent.end;
                if leads && best.as_ref().is_none_or(|best| *parents.get(at) < *best.1) {
                    best = Some((paid[at], parents.get(at).to_vec()));
                }
            }
        }
    }

    /// The answer, with the statistics of all workers.
    fn sum(
        &mut self,
        found: Result<PackedOutcome, Halt>,
        lower: Cost,
        stored: u64,
        comm: &mut Communicator,
    ) -> Result<(PackedOutcome, Stats), Halt> {
        let found = match found {
            Ok(found) => found,
            Err(why) => why.limit().map(|limit| PackedOutcome::Limit(limit, lower)).ok_or(why)?,
        };
        let (expanded, generated) = (comm.sum(self.stats.expanded)?, comm.sum(self.stats.generated)?);
        Ok((found, Stats { expanded, generated, stored: comm.sum(stored)?, ..self.stats }))
    }
}

/// The answer and the statistics of a process. All workers found the same answer, but each worker used its own memory.
fn of_process(workers: Vec<(PackedOutcome, Stats)>) -> Result<(PackedOutcome, Stats), Halt> {
    let peak_bytes = workers.iter().map(|(_, stats)| stats.peak_bytes).sum();
    let (found, stats) = workers.into_iter().next().ok_or_else(|| Halt::fault("there was no worker", "this is a bug; please report it"))?;
    Ok((found, Stats { peak_bytes, ..stats }))
}

/// The cost of a state, and the state.
type Reached = (Cost, Vec<u8>);

/// A function that returns this worker's states of the latest remaining step that may have led to a state with the given cost.
type Before<'a, 'b> = &'a mut dyn FnMut(&[u8], Cost, &mut Communicator) -> Result<Option<Batches<'b>>, Halt>;

/// A function that adds the next batch of states and their costs, or none at the end.
type Batches<'b> = Box<dyn FnMut(&mut Batch, &mut Vec<Cost>) -> Result<(), Halt> + 'b>;
