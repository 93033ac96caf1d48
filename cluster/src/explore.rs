//! Explores a whole space on many workers, in memory.
//!
//! As in one process: where no state comes back, layers are forgotten once they are done, and only those ahead are kept;
//! elsewhere a layer is a number of moves from the start, and all states are kept. With one worker nothing travels, and the
//! work is that of `kibitzer::search::explore` but for a few calls per hundred states.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use kibitzer::limits::{Limit, Limits};
use kibitzer::search::explore::{Explored, Layer};
use kibitzer::search::set::Set;
use kibitzer::search::store::{Id, Store};
use kibitzer::space::{Batch, Space};
use serde::{Deserialize, Serialize};

use super::communicator::{self, Communicator};
use super::expand::{Counted, Expander, Frontier, ROUND, SharedProgress};
use super::net::Cluster;
use super::{Halt, route};

/// The layers of a space, counted.
#[derive(Clone, Debug, Default)]
pub struct SpaceReport {
    /// Whole layers, the limit that ended the work early, and bytes of this process.
    pub explored: Explored,
    /// The least states of the last whole layer, by their bytes: as far from the start as any.
    pub deepest: Vec<Vec<u8>>,
    /// For two players, if that was asked for: what was counted with the labels, by layer.
    pub labeled: Option<Vec<Layer>>,
    /// Layers that were labeled by sorting on disk, because memory was short.
    pub sorted: u32,
    /// Parcels and bytes that this process sent.
    pub messages: u64,
    pub sent: u64,
}

impl SpaceReport {
    pub fn new(counted: &[Counted], limit: Option<Limit>, peak_bytes: usize) -> SpaceReport {
        let layers: Vec<Layer> = counted.iter().map(|counted| counted.counts).collect();
        let deepest = counted.last().map(|last| last.least.clone()).unwrap_or_default();
        SpaceReport { explored: Explored { layers, limit, peak_bytes }, deepest, labeled: None, sorted: 0, messages: 0, sent: 0 }
    }
}

/// Explores everything that can be reached from the start of a space. A limit is not an error: whole layers are reported.
pub fn explore(space: Arc<dyn Space>, setup: &Cluster, limits: &Limits) -> Result<SpaceReport, Halt> {
    let shared = Arc::new(SharedProgress { tell: setup.tell.clone(), ..SharedProgress::default() });
    let (mine, limits_of_all) = (Arc::clone(&shared), limits.clone());
    let (most, workers) = (limits.bytes / setup.workers, setup.workers);
    let parts = communicator::run(setup, limits, ROUND, move |comm| {
        let explorer = Explorer { space: &*space, limits: &limits_of_all, shared: &mine, most, first: comm.index % workers == 0 };
        let start = space.start();
        let mut found = match space.layer(&start) {
            Some(layer) => explorer.forgetting(comm, &start, layer),
            None => explorer.keeping(comm, &start),
        }?;
        (found.messages, found.sent) = (comm.messages, comm.bytes);
        Ok(found)
    })?;
    let (messages, sent) = parts.iter().fold((0, 0), |(messages, sent), part| (messages + part.messages, sent + part.sent));
    let mut found = parts.into_iter().next().unwrap_or_default();
    found.explored.peak_bytes = shared.peak.load(Ordering::Relaxed);
    Ok(SpaceReport { messages, sent, ..found })
}

struct Explorer<'a> {
    space: &'a dyn Space,
    limits: &'a Limits,
    shared: &'a Arc<SharedProgress>,
    most: usize,
    /// Is this the first worker of its process?
    first: bool,
}

/// What the workers tell each other before a layer.
#[derive(Serialize, Deserialize)]
struct Ahead {
    /// The least layer that this worker has states of.
    least: Option<u32>,
}

impl Explorer<'_> {
    /// The layers, one after the other; `next` says which comes next and how many states of it this worker has.
    fn layers<S: Frontier>(
        &self,
        comm: &mut Communicator,
        mut frontier: S,
        begin: impl Fn(&mut S, u32) -> usize,
        least: impl Fn(&S) -> Option<u32>,
    ) -> Result<SpaceReport, Halt> {
        let mut expander = Expander::new(self.space, self.limits, self.shared, self.most);
        let mut done: Vec<Counted> = Vec::new();
        let mut expanded = 0;
        loop {
            let ahead = comm.reduce(&Ahead { least: least(&frontier) })?;
            let Some(layer) = ahead.iter().filter_map(|ahead| ahead.least).min() else {
                return Ok(SpaceReport::new(&done, None, 0));
            };
            let states: u64 = comm.reduce(&(begin(&mut frontier, layer) as u64))?.into_iter().sum();
            self.shared.open.store(expanded + states, Ordering::Relaxed);
            if expanded + states > self.limits.nodes {
                return Ok(SpaceReport::new(&done, Some(Limit::Nodes), 0));
            }
            match expander.layer(layer, comm, &mut frontier) {
                Ok(counted) => {
                    expanded += counted.counts.states;
                    if self.first {
                        (self.shared.tell.layer)(&counted.counts);
                    }
                    done.push(counted);
                }
                Err(why) => return why.limit().map(|limit| SpaceReport::new(&done, Some(limit), 0)).ok_or(why),
            }
        }
    }

    fn forgetting(&self, comm: &mut Communicator, start: &[u8], layer: u32) -> Result<SpaceReport, Halt> {
        let width = start.len();
        let mut frontier = Forgetting { current: Set::new(width), left: 0, place: 0, ahead: BTreeMap::new(), width };
        if route::owner(route::bucket(start), comm.peers) == comm.index {
            frontier.put(layer, &single(start), 0..1)?;
        }
        self.layers(comm, frontier, Forgetting::begin, |frontier| frontier.ahead.keys().next().copied())
    }

    fn keeping(&self, comm: &mut Communicator, start: &[u8]) -> Result<SpaceReport, Halt> {
        let mut frontier = Keeping { store: Store::new(start.len()), next: 0, end: 0, depth: 0 };
        if route::owner(route::bucket(start), comm.peers) == comm.index {
            frontier.store.insert(start);
        }
        self.layers(comm, frontier, Keeping::begin, |frontier| (frontier.end < frontier.store.len()).then_some(frontier.depth))
    }
}

/// A batch of one state.
pub fn single(state: &[u8]) -> Batch {
    let mut batch = Batch::new(state.len());
    batch.push(|out| out.copy_from_slice(state));
    batch
}

/// Room that is looked for ahead of time.
const MORE: usize = 16_384;

/// Sets by layer; the current one is forgotten.
struct Forgetting {
    current: Set,
    left: usize,
    place: usize,
    ahead: BTreeMap<u32, Set>,
    width: usize,
}

impl Forgetting {
    fn begin(&mut self, layer: u32) -> usize {
        self.current = self.ahead.remove(&layer).unwrap_or_else(|| Set::new(self.width));
        (self.place, self.left) = (0, self.current.len());
        self.left
    }
}

impl Frontier for Forgetting {
    fn take(&mut self, most: usize, out: &mut Batch) -> Result<(), Halt> {
        if self.left > 0 {
            self.place = self.current.take(self.place, most.min(self.left), out);
            self.left -= out.len();
        }
        Ok(())
    }

    fn put(&mut self, layer: u32, states: &Batch, range: Range<usize>) -> Result<(), Halt> {
        self.ahead.entry(layer).or_insert_with(|| Set::new(self.width)).insert(states, range);
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.current.bytes_after(0) + self.ahead.values().map(|set| set.bytes_after(MORE)).sum::<usize>()
    }
}

/// All states, in the order of their layers.
struct Keeping {
    store: Store,
    next: usize,
    end: usize,
    depth: u32,
}

impl Keeping {
    fn begin(&mut self, layer: u32) -> usize {
        self.depth = layer + 1;
        (self.next, self.end) = (self.end, self.store.len());
        self.end - self.next
    }
}

impl Frontier for Keeping {
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
