//! A plan of least cost on many workers: A* by layers of (f, g), or Dijkstra by layers of g where there is no estimate.
//!
//! All states whose cost so far plus estimate is f, and whose cost so far is g, are expanded together, by all workers; then the
//! next pair. With a consistent estimate a state's cost is least when its turn comes, so none is expanded twice, and which states
//! are expanded does not depend on the number of workers. Nobody keeps parents: once a goal is found, the layers are expanded
//! again, from the last to the first, to find who leads to whom, the least by its bytes if there are several. That costs at most
//! as much time as the search, and no memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use kibitzer::catalog::packed::{Found, Guide};
use kibitzer::limits::{Limit, Limits, Progress};
use kibitzer::outcome::Stats;
use kibitzer::rules::{Cost, DEAD};
use kibitzer::search::store::{Id, Store};
use kibitzer::space::{Batch, Space, Status, Successors};
use serde::{Deserialize, Serialize};

use super::crew::{self, Crew, Parcel};
use super::expand::ROUND;
use super::net::Setup;
use super::{Halt, route};

/// States that are expanded together, and bytes of a parcel.
const TOGETHER: usize = 128;
const CHUNK: usize = 32 << 10;
/// Bytes of a cost.
const COST: usize = size_of::<Cost>();

/// Searches for a plan of least cost. The space must be that of the guide's problem, up to symmetry.
pub fn solve(space: Arc<dyn Space>, guide: Arc<dyn Guide>, setup: &Setup, limits: &Limits) -> Result<(Found, Stats), Halt> {
    let most = limits.bytes / setup.workers;
    let limits_of_all = limits.clone();
    let parts = crew::run(setup, limits, ROUND, move |crew| {
        let width = space.width();
        let mut search = Search {
            space: &*space,
            guide: &*guide,
            limits: &limits_of_all,
            most,
            states: Store::new(width),
            costs: Vec::new(),
            expanded: Vec::new(),
            open: BTreeMap::new(),
            steps: Vec::new(),
            stats: Stats::default(),
            arrived: Batch::new(width),
        };
        search.run(crew)
    })?;
    let local: usize = parts.iter().map(|(_, stats)| stats.peak_bytes).sum();
    let (found, stats) = parts.into_iter().next().ok_or_else(|| Halt::fault("no worker was there", "please report it"))?;
    Ok((found, Stats { peak_bytes: local, ..stats }))
}

/// A pair of cost plus estimate, and cost.
type Key = (Cost, Cost);

struct Search<'a> {
    space: &'a dyn Space,
    guide: &'a dyn Guide,
    limits: &'a Limits,
    most: usize,
    states: Store,
    /// By id: the least cost known, and whether the state was expanded or is dead.
    costs: Vec<Cost>,
    expanded: Vec<bool>,
    open: BTreeMap<Key, Vec<Id>>,
    /// What this worker expanded in each step, with the cost of them.
    steps: Vec<(Cost, Vec<Id>)>,
    stats: Stats,
    arrived: Batch,
}

/// What the workers tell each other before a step.
#[derive(Serialize, Deserialize)]
struct Turn {
    states: u64,
    /// The least goal among them.
    goal: Option<Vec<u8>>,
}

impl Search<'_> {
    fn run(&mut self, crew: &mut Crew) -> Result<(Found, Stats), Halt> {
        let start = self.space.start();
        let mut first = Ok(());
        if route::owner(route::bucket(&start), crew.peers) == crew.index {
            first = self.put(&[&start[..], &[0; COST]].concat(), 1);
        }
        crew.agree(first)?;
        let (mut expanded, mut lower) = (0, 0);
        loop {
            let keys = crew.reduce(&self.open.keys().next().copied())?;
            let Some(key) = keys.into_iter().flatten().min() else {
                return self.sum(crew, Found::Nothing { states: expanded });
            };
            lower = lower.max(key.0);
            let turn = self.begin(key);
            let turns = crew.reduce(&turn)?;
            if let Some(goal) = turns.iter().filter_map(|turn| turn.goal.clone()).min() {
                return match self.retrace(goal, key.1, crew) {
                    Ok(path) => self.sum(crew, Found::Path(path)),
                    Err(why) => why.limit().map_or(Err(why), |limit| self.sum(crew, Found::Limit(limit, lower))),
                };
            }
            let states: u64 = turns.iter().map(|turn| turn.states).sum();
            if expanded + states > self.limits.nodes {
                return self.sum(crew, Found::Limit(Limit::Nodes, lower));
            }
            if let Err(why) = self.step(crew, lower) {
                return why.limit().map_or(Err(why), |limit| self.sum(crew, Found::Limit(limit, lower)));
            }
            expanded += states;
        }
    }

    /// Takes all states of a key that are still worth it: they are the next step.
    fn begin(&mut self, key: Key) -> Turn {
        let mut ids = self.open.remove(&key).unwrap_or_default();
        ids.retain(|&id| self.costs[id as usize] == key.1 && !std::mem::replace(&mut self.expanded[id as usize], true));
        let goals = ids.iter().map(|&id| self.states.get(id)).filter(|state| self.space.status(state) == Status::Goal);
        let turn = Turn { states: ids.len() as u64, goal: goals.min().map(<[u8]>::to_vec) };
        self.steps.push((key.1, ids));
        turn
    }

    /// Expands the last step.
    fn step(&mut self, crew: &mut Crew, lower: Cost) -> Result<(), Halt> {
        if let Err(why) = self.expand(crew, lower) {
            crew.stop(why);
        }
        crew.finish(&mut |parcel: Parcel| self.put(&parcel.bytes.0, parcel.count as usize))
    }

    fn expand(&mut self, crew: &mut Crew, lower: Cost) -> Result<(), Halt> {
        let width = self.space.width();
        let Some((cost, ids)) = self.steps.pop() else { return Ok(()) };
        let (mut parents, mut next) = (Batch::new(width), Successors::new(width));
        let mut outgoing: Vec<(Batch, Vec<u8>)> = (0..crew.peers).map(|_| (Batch::new(width), Vec::new())).collect();
        let mut result = Ok(());
        for some in ids.chunks(TOGETHER) {
            parents.clear();
            some.iter().for_each(|&id| parents.push(|out| out.copy_from_slice(self.states.get(id))));
            result = self.look(lower).and_then(|()| Ok(self.space.successors(&parents, &mut next, self.limits)?));
            if result.is_err() || crew.stops() {
                break;
            }
            self.stats.expanded += some.len() as u64;
            self.stats.generated += next.states().len() as u64;
            for at in 0..next.states().len() {
                let state = next.states().get(at);
                let (states, costs) = &mut outgoing[route::owner(route::bucket(state), crew.peers)];
                states.push(|out| out.copy_from_slice(state));
                costs.extend(cost.saturating_add(next.costs()[at]).to_le_bytes());
            }
            for (to, (states, costs)) in outgoing.iter_mut().enumerate() {
                if costs.len() >= CHUNK {
                    result = self.deliver(to, states, costs, crew);
                }
            }
            if result.is_err() {
                break;
            }
            result = crew.turn(&mut |parcel| self.put(&parcel.bytes.0, parcel.count as usize));
        }
        for (to, (states, costs)) in outgoing.iter_mut().enumerate() {
            if result.is_ok() && !states.is_empty() {
                result = self.deliver(to, states, costs, crew);
            }
        }
        self.steps.push((cost, ids));
        result
    }

    fn deliver(&mut self, to: usize, states: &mut Batch, costs: &mut Vec<u8>, crew: &mut Crew) -> Result<(), Halt> {
        let count = states.len();
        let mut bytes = states.slice(0..count).to_vec();
        bytes.append(costs);
        states.clear();
        if to == crew.index {
            return self.put(&bytes, count);
        }
        crew.send(to, 0, count, bytes);
        Ok(())
    }

    /// Takes states, all of them followed by what each costs.
    fn put(&mut self, bytes: &[u8], count: usize) -> Result<(), Halt> {
        let (states, costs) = bytes.split_at(count * self.space.width());
        let cost_at = |at: usize| Cost::from_le_bytes(costs[COST * at..COST * (at + 1)].try_into().unwrap_or_default());
        let mut arrived = std::mem::replace(&mut self.arrived, Batch::new(0));
        arrived.clear();
        arrived.push_all(count, states);
        let mut better: Vec<(Id, usize)> = Vec::new();
        let (known, expanded) = (&mut self.costs, &mut self.expanded);
        self.states.insert_range(&arrived, 0..count, |at, id, new| {
            let cost = cost_at(at);
            if new {
                known.push(cost);
                expanded.push(false);
                better.push((id, at));
            } else if cost < known[id as usize] && !expanded[id as usize] {
                known[id as usize] = cost;
                better.push((id, at));
            }
        });
        let mut worth = Batch::new(self.space.width());
        better.iter().for_each(|&(_, at)| worth.push(|out| out.copy_from_slice(arrived.get(at))));
        self.arrived = arrived;
        let mut estimates = Vec::new();
        self.guide.estimate(&worth, &mut estimates, self.limits)?;
        for (&(id, at), &estimate) in better.iter().zip(&estimates) {
            if estimate == DEAD {
                self.expanded[id as usize] = true;
            } else {
                let cost = cost_at(at);
                self.open.entry((cost.saturating_add(estimate), cost)).or_default().push(id);
            }
        }
        Ok(())
    }

    fn look(&mut self, lower: Cost) -> Result<(), Halt> {
        let listed = self.states.len() * (size_of::<Id>() * 2 + COST + 1);
        let bytes = self.states.bytes_after(TOGETHER * 64) + listed;
        self.stats.peak_bytes = self.stats.peak_bytes.max(bytes);
        if bytes > self.most {
            return Err(Limit::Memory.into());
        }
        let Stats { expanded, generated, .. } = self.stats;
        self.limits.report(&Progress { expanded, generated, bytes, lower, ..Progress::default() })?;
        Ok(())
    }

    /// The states from the start to a goal that was reached at this cost.
    fn retrace(&mut self, goal: Vec<u8>, cost: Cost, crew: &mut Crew) -> Result<Vec<Vec<u8>>, Halt> {
        let mut path = vec![goal];
        let mut left = cost;
        let start = self.space.start();
        for step in (0..self.steps.len().saturating_sub(1)).rev() {
            let target = &path[path.len() - 1];
            if *target == start {
                break;
            }
            // All workers have the same steps.
            let at = self.steps[step].0;
            if at > left {
                continue;
            }
            let before = crew.agree(self.before(step, target, left - at))?.into_iter().flatten().min();
            if let Some(before) = before {
                path.push(before);
                left = at;
            }
        }
        path.reverse();
        if path.first() == Some(&start) {
            Ok(path)
        } else {
            Err(Halt::fault("no way leads back from the goal", "please report it with the board"))
        }
    }

    /// The least state of a step that leads to another at a price.
    fn before(&self, step: usize, target: &[u8], price: Cost) -> Result<Option<Vec<u8>>, Halt> {
        let width = self.space.width();
        let (mut parents, mut next) = (Batch::new(width), Successors::new(width));
        let mut best: Option<Vec<u8>> = None;
        for some in self.steps[step].1.chunks(TOGETHER) {
            parents.clear();
            some.iter().for_each(|&id| parents.push(|out| out.copy_from_slice(self.states.get(id))));
            self.limits.check()?;
            self.space.successors(&parents, &mut next, self.limits)?;
            let mut begin = 0;
            for (at, parent) in next.parents().iter().enumerate() {
                let leads = (begin..parent.end).any(|child| next.costs()[child] == price && next.states().get(child) == target);
                begin = parent.end;
                if leads && best.as_deref().is_none_or(|best| parents.get(at) < best) {
                    best = Some(parents.get(at).to_vec());
                }
            }
        }
        Ok(best)
    }

    /// The answer, with what all workers did for it.
    fn sum(&mut self, crew: &mut Crew, found: Found) -> Result<(Found, Stats), Halt> {
        let mine = (self.stats.expanded, self.stats.generated, self.states.len() as u64);
        let all = crew.reduce(&mine)?.into_iter().fold((0, 0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1, sum.2 + part.2));
        Ok((found, Stats { expanded: all.0, generated: all.1, stored: all.2, ..self.stats }))
    }
}
