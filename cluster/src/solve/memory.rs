//! The search in memory. A worker stores all states that it receives, and stops when memory is full.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use kibitzer::search::store::{Id, Store};

use super::super::block::word_of;
use super::super::communicator;
use super::super::expand::ROUND;
use super::super::net::Cluster;
use super::*;

/// Maximum number of states per bucket and step, except for ties: enough to keep all workers busy. The number is one for
/// every [`PER`] states expanded so far, but at least 1, so that easy searches stay small.
const MOST: u64 = 64;
const PER: u64 = 16_384;
/// Approximate overhead of a list of open states, in bytes.
const OPEN: usize = 96;

/// Searches for a least-cost plan.
pub fn solve(task: Task, setup: &Cluster, limits: &Limits) -> Result<(PackedOutcome, Stats), Halt> {
    let most = limits.bytes / setup.workers;
    let limits_of_all = limits.clone();
    of_process(communicator::run(setup, limits, ROUND, move |comm| run(&task, &limits_of_all, most, comm))?)
}

fn run(task: &Task, limits: &Limits, most: usize, comm: &mut Communicator) -> Result<(PackedOutcome, Stats), Halt> {
    let mut search = Search::new(task, limits);
    let mut states = States::new(task, most);
    let (found, lower) = states.search(&mut search, comm);
    let stored = states.states.len() as u64;
    search.sum(found, lower, stored, comm)
}

/// An open state: its [`place`], which depends only on the state and not on when it arrived, and its id.
type Open = (u64, Id);

/// The cost of an open state, its place, and its id.
type Arrived = (Cost, u64, Id);

/// Open states with the same f. Arriving states are appended, and sorted only when they are needed. Inserting each state when it arrives
/// would wait for memory each time.
#[derive(Default)]
struct Layer {
    arrived: Vec<Arrived>,
    /// Open states by bucket and by cost, the largest cost first.
    buckets: BTreeMap<u64, BTreeMap<Reverse<Cost>, BinaryHeap<Open>>>,
}

/// A worker's states.
struct States<'a> {
    task: &'a Task,
    most: usize,
    states: Store,
    /// The least known cost, by id.
    costs: Vec<Cost>,
    /// The step in which the least known cost was found, by id.
    found: Vec<u32>,
    /// True if the state was expanded or is dead, by id.
    expanded: Vec<bool>,
    /// Open states, by f.
    open: BTreeMap<Cost, Layer>,
    entries: usize,
    /// The number of lists of open states when this step began.
    lists: usize,
    /// The states that this worker expands in each step.
    steps: Vec<Vec<Id>>,
    /// The number of states of the last step that were already taken.
    taken: usize,
}

impl<'a> States<'a> {
    fn new(task: &'a Task, most: usize) -> States<'a> {
        States {
            task,
            most,
            states: Store::new(task.space.width()),
            costs: Vec::new(),
            found: Vec::new(),
            expanded: Vec::new(),
            open: BTreeMap::new(),
            entries: 0,
            lists: 0,
            steps: Vec::new(),
            taken: 0,
        }
    }

    /// Runs the search. Returns the answer, and a lower bound on the cost of any plan.
    fn search(&mut self, search: &mut Search, comm: &mut Communicator) -> (Result<PackedOutcome, Halt>, Cost) {
        let mut lower = 0;
        let found = self.steps_to_goal(&mut lower, search, comm).and_then(|found| match found {
            Ok(goal) => {
                let mut last = u32::MAX;
                let mut before = |target: &[u8], _: Cost, comm: &mut Communicator| {
                    let mine = self.states.find(target).map(|id| self.found[id as usize]);
                    // A state is found before it is expanded, so the steps decrease along the path back.
                    let step = comm.least(mine)?.filter(|step| *step < last);
                    last = step.unwrap_or(0);
                    Ok(step.map(|step| self.batches(step as usize)))
                };
                search.retrace(goal, &mut before, comm).map(PackedOutcome::Path)
            }
            Err(found) => Ok(found),
        });
        (found, lower)
    }

    /// Expands steps until a goal is found. Returns the goal, or the outcome that ended the search without a goal.
    fn steps_to_goal(
        &mut self,
        lower: &mut Cost,
        search: &mut Search,
        comm: &mut Communicator,
    ) -> Result<Result<Reached, PackedOutcome>, Halt> {
        let start = self.task.space.start();
        let mut first = Ok(());
        if route::owner(route::bucket(&start), comm.peers) == comm.index {
            first = self.put(&super::super::explore::single(&start), &[0], search);
        }
        comm.agree(first)?;
        let (mut expanded, mut goal): (u64, Option<Reached>) = (0, None);
        loop {
            // The states that this worker expands next, unless another worker has a smaller f. Each worker chooses these states before the
            // workers compare their f, so each step needs only one exchange.
            let offer = self.begin((expanded / PER).clamp(1, MOST) as usize);
            let (mut goals, mut offers) = (Vec::new(), Vec::new());
            for (of_worker, reached) in comm.collect(Ok((offer, goal.take())))? {
                goals.extend(reached);
                offers.extend(of_worker);
            }
            if let Some(goal) = goals.into_iter().min() {
                return Ok(Ok(goal));
            }
            let Some(f) = offers.iter().map(|(f, _)| *f).min() else {
                return Ok(Err(PackedOutcome::Nothing { states: expanded }));
            };
            *lower = f.max(*lower);
            if let Some((mine, _)) = offer.filter(|(mine, _)| *mine > f) {
                self.take_back(mine);
            }
            if search.is_refuted(expanded, comm)? {
                return Ok(Err(PackedOutcome::Refuted));
            }
            let states: u64 = offers.iter().filter(|(of, _)| *of == f).map(|(_, states)| states).sum();
            if expanded + states > search.limits.nodes {
                return Ok(Err(PackedOutcome::Limit(Limit::Nodes, *lower)));
            }
            goal = search.step(*lower, self, comm);
            expanded += states;
        }
    }

    /// Starts a step with states of the least f. It takes a limited number of states from each bucket, cycling through the costs: one state
    /// with the largest cost, one with the next largest, and so on. The search therefore dives toward a goal from many places, and does not
    /// get stuck in one of them. Returns f and the number of states.
    fn begin(&mut self, most: usize) -> Option<(Cost, u64)> {
        let (mut ids, mut least) = (Vec::new(), None);
        while let Some(mut layer) = self.open.first_entry() {
            let f = *layer.key();
            let Layer { arrived, buckets } = layer.get_mut();
            let list = |&(cost, place, _): &Arrived| (bucket(place), Reverse(cost));
            arrived.sort_unstable_by_key(list);
            for same in arrived.chunk_by(|a, b| list(a) == list(b)) {
                let (bucket, cost) = list(&same[0]);
                let open = buckets.entry(bucket).or_default().entry(cost).or_default();
                open.extend(same.iter().map(|&(_, place, id)| (place, id)));
            }
            *arrived = Vec::new();
            buckets.retain(|_, bucket| {
                let enough = ids.len() + most;
                while ids.len() < enough && !bucket.is_empty() {
                    bucket.retain(|&Reverse(cost), open| {
                        let mut last = None;
                        while let Some(&(place, id)) = open.peek() {
                            if last.is_some_and(|last| last != place) || last.is_none() && ids.len() >= enough {
                                break;
                            }
                            open.pop();
                            self.entries -= 1;
                            if self.costs[id as usize] == cost && !std::mem::replace(&mut self.expanded[id as usize], true) {
                                ids.push(id);
                                last = Some(place);
                            }
                        }
                        !open.is_empty()
                    });
                }
                !bucket.is_empty()
            });
            if buckets.is_empty() {
                layer.remove();
            }
            if !ids.is_empty() {
                least = Some((f, ids.len() as u64));
                break;
            }
        }
        self.lists = self.open.values().flat_map(|layer| layer.buckets.values()).map(BTreeMap::len).sum();
        self.steps.push(ids);
        self.taken = 0;
        least
    }

    /// Returns the states of this step to the open lists, because another worker has states with a smaller f.
    fn take_back(&mut self, f: Cost) {
        for id in self.steps.last_mut().map(std::mem::take).unwrap_or_default() {
            self.expanded[id as usize] = false;
            self.open(f, self.costs[id as usize], id);
        }
    }

    fn open(&mut self, f: Cost, cost: Cost, id: Id) {
        let state = self.states.get(id);
        self.open.entry(f).or_default().arrived.push((cost, place(state), id));
        self.entries += 1;
    }

    /// The states of a step, in batches.
    fn batches(&self, step: usize) -> Batches<'_> {
        let mut chunks = self.steps[step].chunks(TOGETHER);
        Box::new(move |out, costs| {
            self.copy(chunks.next().unwrap_or_default(), out, costs);
            Ok(())
        })
    }

    fn copy(&self, ids: &[Id], out: &mut Batch, costs: &mut Vec<Cost>) {
        for &id in ids {
            out.push(|out| out.copy_from_slice(self.states.get(id)));
            costs.push(self.costs[id as usize]);
        }
    }
}

/// The bucket of a state with this place.
fn bucket(place: u64) -> u64 {
    place >> 56
}

/// A 64-bit hash of the state: its bucket in one byte, and seven more bytes of hash.
fn place(state: &[u8]) -> u64 {
    let mut mixed = 0u64;
    for bytes in state.chunks(8) {
        mixed = (mixed.rotate_left(21) ^ word_of(bytes)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (route::bucket(state) as u64) << 56 | mixed >> 8
}

impl Keeper for States<'_> {
    fn take(&mut self, most: usize, out: &mut Batch, costs: &mut Vec<Cost>) -> Result<(), Halt> {
        let Some(ids) = self.steps.last() else { return Ok(()) };
        let some = &ids[self.taken..ids.len().min(self.taken + most)];
        self.copy(some, out, costs);
        self.taken += some.len();
        Ok(())
    }

    fn put(&mut self, states: &Batch, costs: &[Cost], search: &Search) -> Result<(), Halt> {
        let mut better: Vec<(Id, usize)> = Vec::new();
        let step = self.steps.len().saturating_sub(1) as u32;
        let (known, found, expanded) = (&mut self.costs, &mut self.found, &mut self.expanded);
        self.states.insert_range(states, 0..costs.len(), |at, id, new| {
            if new {
                known.push(costs[at]);
                found.push(step);
                expanded.push(false);
                better.push((id, at));
            } else if costs[at] < known[id as usize] && !expanded[id as usize] {
                known[id as usize] = costs[at];
                found[id as usize] = step;
                better.push((id, at));
            }
        });
        let mut worth = Batch::new(states.width());
        better.iter().for_each(|&(_, at)| worth.push(|out| out.copy_from_slice(states.get(at))));
        let estimates = search.estimates(&worth)?;
        for (&(id, at), &estimate) in better.iter().zip(&estimates) {
            if estimate == DEAD {
                self.expanded[id as usize] = true;
            } else {
                self.open(costs[at].saturating_add(estimate), costs[at], id);
            }
        }
        Ok(())
    }

    fn bytes(&mut self) -> Result<usize, Halt> {
        // Each state needs an entry in a step, in each column, and in the open lists, which grow by doubling.
        let columns = self.states.len() * (size_of::<Id>() + COST + size_of::<u32>() + 1);
        let open = 2 * self.entries * size_of::<Arrived>() + OPEN * self.lists;
        let bytes = self.states.bytes_after(TOGETHER * 64) + columns + open;
        if bytes > self.most { Err(Limit::Memory.into()) } else { Ok(bytes) }
    }
}
