//! The search in memory. A worker keeps all states that it was sent, and stops when there is no room for more.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use kibitzer::search::store::{Id, Store};

use super::super::crew;
use super::super::expand::ROUND;
use super::super::net::Setup;
use super::*;

/// Most states of a step in each bucket, but for those that cannot be told apart: enough to keep all workers busy. An easy search
/// is over before it pays to take so many: it begins with one, and takes more with every so many states.
const MOST: u64 = 64;
const PER: u64 = 16_384;

/// Searches for a plan of least cost.
pub fn solve(task: Task, setup: &Setup, limits: &Limits) -> Result<(Found, Stats), Halt> {
    let most = limits.bytes / setup.workers;
    let limits_of_all = limits.clone();
    let parts = crew::run(setup, limits, ROUND, move |crew| run(&task, &limits_of_all, most, crew))?;
    let local: usize = parts.iter().map(|(_, stats)| stats.peak_bytes).sum();
    let (found, stats) = parts.into_iter().next().ok_or_else(|| Halt::fault("no worker was there", "please report it"))?;
    Ok((found, Stats { peak_bytes: local, ..stats }))
}

fn run(task: &Task, limits: &Limits, most: usize, crew: &mut Crew) -> Result<(Found, Stats), Halt> {
    let mut search = Search::new(task, limits);
    let mut states = States::new(task, most);
    let (found, lower) = states.search(&mut search, crew);
    let stored = states.states.len() as u64;
    search.sum(found, lower, stored, crew)
}

/// Cost plus estimate, and then the largest cost first.
type Key = (Cost, Reverse<Cost>);

/// A worker's states.
struct States<'a> {
    task: &'a Task,
    most: usize,
    states: Store,
    /// By id: the least cost known, and whether the state was expanded or is dead.
    costs: Vec<Cost>,
    expanded: Vec<bool>,
    /// By bucket and a number made of the state, which do not depend on when a state came.
    open: BTreeMap<Key, Vec<(u64, Id)>>,
    entries: usize,
    /// What this worker expanded in each step, with the cost of them, and how much of the last one is under way.
    steps: Vec<(Cost, Vec<Id>)>,
    taken: usize,
}

impl<'a> States<'a> {
    fn new(task: &'a Task, most: usize) -> States<'a> {
        States {
            task,
            most,
            states: Store::new(task.space.width()),
            costs: Vec::new(),
            expanded: Vec::new(),
            open: BTreeMap::new(),
            entries: 0,
            steps: Vec::new(),
            taken: 0,
        }
    }

    /// The answer, and a cost that no plan is below.
    fn search(&mut self, search: &mut Search, crew: &mut Crew) -> (Result<Found, Halt>, Cost) {
        let mut lower = 0;
        let found = self.steps_to_goal(&mut lower, search, crew).and_then(|found| match found {
            Ok((goal, cost)) => {
                let costs: Vec<Cost> = self.steps.iter().map(|(cost, _)| *cost).collect();
                let batches = |step: usize| Ok(self.batches(step));
                search.retrace(goal, cost, &costs, batches, crew).map(Found::Path)
            }
            Err(found) => Ok(found),
        });
        (found, lower)
    }

    /// A goal and its cost, or what else ended the search.
    fn steps_to_goal(&mut self, lower: &mut Cost, search: &mut Search, crew: &mut Crew) -> Result<Result<(Vec<u8>, Cost), Found>, Halt> {
        let start = self.task.space.start();
        let mut first = Ok(());
        if route::owner(route::bucket(&start), crew.peers) == crew.index {
            first = self.put(&super::super::walk::single(&start), &[0], search);
        }
        crew.agree(first)?;
        let mut expanded = 0;
        loop {
            let keys = crew.reduce(&self.open.keys().next().map(|(f, Reverse(cost))| (*f, *cost)))?;
            let Some((Reverse(f), cost)) = keys.into_iter().flatten().map(|(f, cost)| (Reverse(f), cost)).max() else {
                return Ok(Err(Found::Nothing { states: expanded }));
            };
            *lower = f.max(*lower);
            if search.is_refuted(expanded, crew)? {
                return Ok(Err(Found::Refuted));
            }
            let states: u64 = crew.reduce(&self.begin((f, Reverse(cost)), (expanded / PER).clamp(1, MOST)))?.into_iter().sum();
            if expanded + states > search.limits.nodes {
                return Ok(Err(Found::Limit(Limit::Nodes, *lower)));
            }
            if let Some(goal) = search.step(cost, *lower, self, crew)? {
                return Ok(Ok((goal, cost)));
            }
            expanded += states;
        }
    }

    /// Takes states of a key that are still worth it, not too many of each bucket: they are the next step.
    fn begin(&mut self, key: Key, most: u64) -> u64 {
        let mut open = self.open.remove(&key).unwrap_or_default();
        // What is left of the last time is sorted: merging is all that is to be done.
        open.sort();
        let before = open.len();
        let (mut ids, mut count, mut last) = (Vec::new(), 0, None);
        open.retain(|&(place, id)| {
            let bucket = place >> 56;
            match last {
                Some((of, _)) if of != bucket => count = 0,
                Some((_, end)) if count >= most && place != end => return true,
                _ => {}
            }
            if self.costs[id as usize] == key.1.0 && !std::mem::replace(&mut self.expanded[id as usize], true) {
                ids.push(id);
                count += 1;
                last = Some((bucket, place));
            }
            false
        });
        self.entries -= before - open.len();
        if !open.is_empty() {
            self.open.insert(key, open);
        }
        let states = ids.len() as u64;
        self.steps.push((key.1.0, ids));
        self.taken = 0;
        states
    }

    /// The states of a step.
    fn batches(&self, step: usize) -> Batches<'_> {
        let mut chunks = self.steps[step].1.chunks(TOGETHER);
        Box::new(move |out| {
            let ids = chunks.next().unwrap_or_default();
            ids.iter().for_each(|&id| out.push(|out| out.copy_from_slice(self.states.get(id))));
            Ok(())
        })
    }
}

/// A number made of a state: its bucket, and seven bytes that most states differ in.
fn place(state: &[u8]) -> u64 {
    let mut mixed = 0u64;
    for bytes in state.chunks(7) {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        mixed = mixed.rotate_left(21).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from_le_bytes(word);
    }
    (route::bucket(state) as u64) << 56 | mixed & (u64::MAX >> 8)
}

impl Keeper for States<'_> {
    fn take(&mut self, most: usize, out: &mut Batch) -> Result<(), Halt> {
        let Some((_, ids)) = self.steps.last() else { return Ok(()) };
        let some = &ids[self.taken..ids.len().min(self.taken + most)];
        some.iter().for_each(|&id| out.push(|out| out.copy_from_slice(self.states.get(id))));
        self.taken += some.len();
        Ok(())
    }

    fn put(&mut self, states: &Batch, costs: &[Cost], search: &Search) -> Result<(), Halt> {
        let mut better: Vec<(Id, usize)> = Vec::new();
        let (known, expanded) = (&mut self.costs, &mut self.expanded);
        self.states.insert_range(states, 0..costs.len(), |at, id, new| {
            if new {
                known.push(costs[at]);
                expanded.push(false);
                better.push((id, at));
            } else if costs[at] < known[id as usize] && !expanded[id as usize] {
                known[id as usize] = costs[at];
                better.push((id, at));
            }
        });
        let mut worth = Batch::new(states.width());
        better.iter().for_each(|&(_, at)| worth.push(|out| out.copy_from_slice(states.get(at))));
        let estimates = search.estimates(&worth)?;
        for (&(id, at), &estimate) in better.iter().zip(&estimates) {
            if estimate == DEAD {
                self.expanded[id as usize] = true;
                continue;
            }
            let key = (costs[at].saturating_add(estimate), Reverse(costs[at]));
            self.open.entry(key).or_default().push((place(states.get(at)), id));
            self.entries += 1;
        }
        Ok(())
    }

    fn bytes(&mut self) -> Result<usize, Halt> {
        let columns = self.states.len() * (size_of::<Id>() + COST + 1);
        // Lists of open states grow by doubling.
        let bytes = self.states.bytes_after(TOGETHER * 64) + columns + 2 * self.entries * size_of::<(u64, Id)>();
        if bytes > self.most { Err(Limit::Memory.into()) } else { Ok(bytes) }
    }
}
