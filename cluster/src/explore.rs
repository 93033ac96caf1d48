//! Explores a whole space on many workers, in memory.
//!
//! If no state can recur in a later layer, a layer is dropped when it is finished, and only the later ones are kept. Otherwise, a layer
//! consists of the states at the same distance from the start, and all states are kept. With one worker, nothing is sent, and the work is
//! the same as in `kibitzer::search::explore`, plus a few calls per hundred states.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use kibitzer::limits::{Limit, Limits};
use kibitzer::search::explore::{Explored, Layer};
use kibitzer::search::set::StateSet;
use kibitzer::search::store::{Id, Store};
use kibitzer::space::{Batch, Space};

use super::communicator::{self, Communicator};
use super::expand::{Counted, Expander, Frontier, ROUND, SharedProgress};
use super::net::Cluster;
use super::{Halt, route};

/// The counts of all layers of a space.
#[derive(Clone, Debug, Default)]
pub struct SpaceReport {
    /// The complete layers, the limit that ended the work early, if any, and the peak memory of this process.
    pub explored: Explored,
    /// The first states of the last complete layer, in byte order.
    pub deepest: Vec<Vec<u8>>,
    /// The counts of labels in each layer, if the positions were labeled.
    pub labeled: Option<Vec<Layer>>,
    /// Number of layers that were labeled by sorting on disk, because memory was short.
    pub sorted: u32,
    /// Number of parcels that this process sent.
    pub messages: u64,
    /// Number of bytes that this process sent.
    pub sent: u64,
}

impl SpaceReport {
    pub fn new(counted: &[Counted], limit: Option<Limit>) -> SpaceReport {
        let layers: Vec<Layer> = counted.iter().map(|counted| counted.counts).collect();
        let deepest = counted.last().map(|last| last.least.clone()).unwrap_or_default();
        SpaceReport { explored: Explored { layers, limit, peak_bytes: 0 }, deepest, ..SpaceReport::default() }
    }

    /// The report of a process. All workers found the same result, but each sent its own parcels.
    pub fn of_process(workers: Vec<SpaceReport>, shared: &SharedProgress) -> SpaceReport {
        let (messages, sent) = workers.iter().fold((0, 0), |(messages, sent), of| (messages + of.messages, sent + of.sent));
        let mut found = workers.into_iter().next().unwrap_or_default();
        found.explored.peak_bytes = shared.peak.load(Ordering::Relaxed);
        SpaceReport { messages, sent, ..found }
    }
}

/// Explores all states that are reachable from the start of a space. Reaching a limit is not an error: the finished layers are reported.
pub fn explore(space: Arc<dyn Space>, setup: &Cluster, limits: &Limits) -> Result<SpaceReport, Halt> {
    let shared = Arc::new(SharedProgress { events: setup.events.clone(), ..SharedProgress::default() });
    let (mine, limits_of_all) = (Arc::clone(&shared), limits.clone());
    let (most, workers) = (limits.bytes / setup.workers, setup.workers);
    let parts = communicator::run(setup, limits, ROUND, move |comm| {
        let explorer = Explorer { space: &*space, limits: &limits_of_all, shared: &mine, most, first: comm.index % workers == 0 };
        let start = space.start();
        let (width, layer) = (start.len(), space.layer(&start));
        let mut frontier: Box<dyn Layers> = match layer {
            Some(_) => Box::new(LayerSets { current: StateSet::new(width), left: 0, place: 0, ahead: BTreeMap::new(), width }),
            None => Box::new(AllStates { store: Store::new(width), next: 0, end: 0, depth: 0 }),
        };
        if route::owner(route::bucket(&start), comm.peers) == comm.index {
            frontier.put(layer.unwrap_or(0), &single(&start), 0..1)?;
        }
        let mut found = explorer.layers(comm, &mut *frontier)?;
        (found.messages, found.sent) = (comm.messages, comm.bytes);
        Ok(found)
    })?;
    Ok(SpaceReport::of_process(parts, &shared))
}

struct Explorer<'a> {
    space: &'a dyn Space,
    limits: &'a Limits,
    shared: &'a Arc<SharedProgress>,
    most: usize,
    /// True for the first worker of its process.
    first: bool,
}

/// States in memory, layer by layer.
trait Layers: Frontier {
    /// Starts a layer, and returns the number of this worker's states in it.
    fn begin(&mut self, layer: u32) -> usize;

    /// The next layer in which this worker has states.
    fn next(&self) -> Option<u32>;
}

impl Explorer<'_> {
    /// Expands the layers, one after another.
    fn layers(&self, comm: &mut Communicator, frontier: &mut dyn Layers) -> Result<SpaceReport, Halt> {
        let mut expander = Expander::new(self.space, self.limits, self.shared, self.most);
        let mut done: Vec<Counted> = Vec::new();
        let mut expanded = 0;
        loop {
            let Some(layer) = comm.least(frontier.next())? else {
                return Ok(SpaceReport::new(&done, None));
            };
            let states = comm.sum(frontier.begin(layer) as u64)?;
            self.shared.open.store(expanded + states, Ordering::Relaxed);
            if expanded + states > self.limits.nodes {
                return Ok(SpaceReport::new(&done, Some(Limit::Nodes)));
            }
            match expander.layer(layer, comm, frontier) {
                Ok(counted) => {
                    expanded += counted.counts.states;
                    if self.first {
                        (self.shared.events.layer)(&counted.counts);
                    }
                    done.push(counted);
                }
                Err(why) => return why.limit().map(|limit| SpaceReport::new(&done, Some(limit))).ok_or(why),
            }
        }
    }
}

pub fn single(state: &[u8]) -> Batch {
    let mut batch = Batch::new(state.len());
    batch.push(|out| out.copy_from_slice(state));
    batch
}

/// Number of additional states to reserve memory for.
const MORE: usize = 16_384;

/// One set of states per layer. The set of the current layer is dropped when that layer is finished.
struct LayerSets {
    current: StateSet,
    left: usize,
    place: usize,
    ahead: BTreeMap<u32, StateSet>,
    width: usize,
}

impl Layers for LayerSets {
    fn begin(&mut self, layer: u32) -> usize {
        self.current = self.ahead.remove(&layer).unwrap_or_else(|| StateSet::new(self.width));
        (self.place, self.left) = (0, self.current.len());
        self.left
    }

    fn next(&self) -> Option<u32> {
        self.ahead.keys().next().copied()
    }
}

impl Frontier for LayerSets {
    fn take(&mut self, most: usize, out: &mut Batch) -> Result<(), Halt> {
        if self.left > 0 {
            self.place = self.current.take(self.place, most.min(self.left), out);
            self.left -= out.len();
        }
        Ok(())
    }

    fn put(&mut self, layer: u32, states: &Batch, range: Range<usize>) -> Result<(), Halt> {
        self.ahead.entry(layer).or_insert_with(|| StateSet::new(self.width)).insert(states, range);
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.current.bytes_after(0) + self.ahead.values().map(|set| set.bytes_after(MORE)).sum::<usize>()
    }
}

/// The states of all layers, stored layer by layer.
struct AllStates {
    store: Store,
    next: usize,
    end: usize,
    depth: u32,
}

impl Layers for AllStates {
    fn begin(&mut self, layer: u32) -> usize {
        self.depth = layer + 1;
        (self.next, self.end) = (self.end, self.store.len());
        self.end - self.next
    }

    fn next(&self) -> Option<u32> {
        (self.end < self.store.len()).then_some(self.depth)
    }
}

impl Frontier for AllStates {
    fn take(&mut self, most: usize, out: &mut Batch) -> Result<(), Halt> {
        let end = self.end.min(self.next + most);
        (self.next..end).for_each(|id| out.push(|out| out.copy_from_slice(self.store.get(id as Id))));
        self.next = end;
        Ok(())
    }

    fn put(&mut self, _layer: u32, states: &Batch, range: Range<usize>) -> Result<(), Halt> {
        self.store.insert_range(states, range, |_, _, _| ());
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.store.bytes_after(2 * MORE)
    }
}
