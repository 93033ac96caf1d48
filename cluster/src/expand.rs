//! Expands a layer on all workers: each expands its own states, counts them, and sends the successors to their owners. A
//! [`Frontier`] stores the states, in memory or on disk.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use kibitzer::limits::{Limits, Progress};
use kibitzer::search::explore::Layer;
use kibitzer::space::{Batch, Space, Successors};
use serde::{Deserialize, Serialize};

use super::Halt;
use super::communicator::{Communicator, Parcel};
use super::monitor::Monitor;
use super::net::Events;
use super::route;

/// A worker's states: those of the current layer, and those of later layers.
pub trait Frontier {
    /// Adds up to `most` more states of the current layer to a batch, or none at the end of the layer.
    fn take(&mut self, most: usize, out: &mut Batch) -> Result<(), Halt>;

    /// Adds states to a layer, which may already contain some of them.
    fn put(&mut self, layer: u32, states: &Batch, range: Range<usize>) -> Result<(), Halt>;

    /// The number of bytes held, including a reserve for more states.
    fn bytes(&self) -> usize;
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    #[serde(flatten)]
    pub counts: Layer,
    /// The first states of the layer, in byte order.
    pub least: Vec<Vec<u8>>,
    /// The last layer that moves from this layer lead to. `None` if there are no moves, or in checkpoints that do not record this number.
    #[serde(default)]
    pub reach: Option<u32>,
}

/// The number of example states kept for each layer.
pub const SAMPLES: usize = 5;

impl Counted {
    pub fn new(layer: u32) -> Counted {
        Counted { counts: Layer { layer, ..Layer::default() }, ..Counted::default() }
    }

    /// Sums the counts of one layer over all workers.
    pub fn sum(parts: Vec<Counted>) -> Counted {
        parts.into_iter().reduce(Counted::plus).unwrap_or_default()
    }

    fn plus(mut self, other: Counted) -> Counted {
        self.counts = self.counts.plus(&other.counts);
        self.reach = self.reach.max(other.reach);
        self.least.extend(other.least);
        self.least.sort_unstable();
        self.least.truncate(SAMPLES);
        self
    }

    #[inline]
    fn sample(&mut self, state: &[u8]) {
        if self.least.len() == SAMPLES && self.least[SAMPLES - 1].as_slice() <= state {
            return;
        }
        let at = self.least.partition_point(|other| other.as_slice() < state);
        self.least.insert(at, state.to_vec());
        self.least.truncate(SAMPLES);
    }
}

/// The progress of all workers of this process.
#[derive(Default)]
pub struct SharedProgress {
    pub expanded: AtomicU64,
    pub generated: AtomicU64,
    pub open: AtomicU64,
    /// Number of states written since the current stage began.
    pub written: AtomicU64,
    pub bytes: AtomicUsize,
    pub peak: AtomicUsize,
    pub events: Events,
}

/// Number of states generated between two checks of the limits.
const PERIOD: u64 = 16_384;
/// Maximum number of states expanded together: few enough to fit in the caches, but enough for their memory accesses to overlap.
const TOGETHER: usize = 128;
/// Maximum size of the states expanded together, in bytes.
const TOGETHER_BYTES: usize = 4096;
/// Size of a parcel, in bytes.
pub const CHUNK: usize = 32 << 10;
/// Bytes that a worker sends before it checks whether the receivers keep up.
pub const ROUND: usize = 1 << 20;

/// Bytes that the successors of one batch may always take, however low the memory limit is. These successors are not yet stored.
const BATCH: usize = 256 << 10;

/// One worker that expands layers.
pub struct Expander<'a> {
    space: &'a dyn Space,
    limits: &'a Limits,
    shared: &'a Arc<SharedProgress>,
    together: usize,
    parents: Batch,
    next: Successors,
    /// States to be sent to each worker, by layer.
    outgoing: BTreeMap<u32, Vec<Batch>>,
    arrived: Batch,
    made: u64,
    next_look: u64,
    /// The numbers of expanded and generated states that were already added to the shared counts.
    reported: (u64, u64),
    monitor: Monitor,
    /// The limits for one batch of successors.
    batch: Limits,
    expanded: u64,
    /// Maximum number of bytes that a frontier may hold. Holding more is an error.
    most: usize,
}

impl<'a> Expander<'a> {
    pub fn new(space: &'a dyn Space, limits: &'a Limits, shared: &'a Arc<SharedProgress>, most: usize) -> Self {
        let width = space.width();
        Expander {
            space,
            limits,
            shared,
            together: TOGETHER.min(TOGETHER_BYTES / width.max(1)).max(1),
            parents: Batch::new(width),
            next: Successors::new(width),
            outgoing: BTreeMap::new(),
            arrived: Batch::new(width),
            made: 0,
            next_look: 0,
            reported: (0, 0),
            monitor: Monitor::new(limits, shared),
            batch: Limits { bytes: limits.bytes.max(BATCH), ..limits.clone() },
            expanded: 0,
            most,
        }
    }

    /// Expands this worker's part of a layer, and returns when all workers have done so and every successor is in its owner's frontier.
    /// A successor for which the game defines no layer is added to the layer after this one.
    pub fn layer(&mut self, layer: u32, comm: &mut Communicator, frontier: &mut dyn Frontier) -> Result<Counted, Halt> {
        let mut counted = Counted::new(layer);
        if let Err(why) = self.all(&mut counted, comm, frontier) {
            comm.stop(why);
        }
        for (layer, batches) in std::mem::take(&mut self.outgoing) {
            for (to, batch) in batches.iter().enumerate().filter(|(_, batch)| !batch.is_empty()) {
                if comm.stops() {
                    break;
                }
                if let Err(why) = deliver(to, layer, batch, comm, frontier) {
                    comm.stop(why);
                }
            }
        }
        let arrived = &mut self.arrived;
        comm.finish(&mut |parcel| unpack(parcel, arrived, frontier))?;
        // A limit that only one worker has noticed ends the layer on all workers.
        let looked = self.look(frontier, true);
        let parts = comm.collect(looked.map(|()| counted))?;
        Ok(Counted::sum(parts))
    }

    fn all(&mut self, counted: &mut Counted, comm: &mut Communicator, frontier: &mut dyn Frontier) -> Result<(), Halt> {
        loop {
            self.parents.clear();
            frontier.take(self.together, &mut self.parents)?;
            if self.parents.is_empty() || comm.stops() {
                return Ok(());
            }
            self.space.successors(&self.parents, &mut self.next, &self.batch)?;
            self.count(counted);
            for (layer, range) in self.next.runs() {
                let layer = layer.unwrap_or(counted.counts.layer + 1);
                counted.reach = counted.reach.max(Some(layer));
                if comm.peers == 1 {
                    frontier.put(layer, self.next.states(), range)?;
                } else {
                    send(self.next.states(), range, layer, &mut self.outgoing, comm, frontier)?;
                }
            }
            let arrived = &mut self.arrived;
            comm.turn(&mut |parcel| unpack(parcel, arrived, frontier))?;
            self.look(frontier, false)?;
        }
    }

    fn count(&mut self, counted: &mut Counted) {
        self.made += counted.counts.count(&self.next);
        (0..self.parents.len()).for_each(|at| counted.sample(self.parents.get(at)));
        self.expanded += self.parents.len() as u64;
    }

    /// Reports progress and checks the limits: immediately if `now` is set, otherwise every [`PERIOD`] states.
    fn look(&mut self, frontier: &dyn Frontier, now: bool) -> Result<(), Halt> {
        if self.made < self.next_look && !now {
            return Ok(());
        }
        self.next_look = self.made + PERIOD;
        let bytes = frontier.bytes();
        let shared = self.shared;
        let expanded = shared.expanded.fetch_add(self.expanded - self.reported.0, Ordering::Relaxed) + self.expanded - self.reported.0;
        let generated = shared.generated.fetch_add(self.made - self.reported.1, Ordering::Relaxed) + self.made - self.reported.1;
        let held = self.monitor.holds(bytes);
        self.reported = (self.expanded, self.made);
        if bytes > self.most {
            return Err(kibitzer::limits::Limit::Memory.into());
        }
        let open = shared.open.load(Ordering::Relaxed).saturating_sub(expanded);
        self.limits.report(&Progress { expanded, generated, open, bytes: held, ..Progress::default() })?;
        Ok(())
    }
}

/// Adds arrived states to the frontier.
fn unpack(parcel: Parcel, arrived: &mut Batch, frontier: &mut dyn Frontier) -> Result<(), Halt> {
    arrived.clear();
    arrived.push_all(parcel.count as usize, &parcel.bytes);
    frontier.put(parcel.tag, arrived, 0..arrived.len())
}

/// Groups states by owner, and sends the parcels that are full.
fn send(
    states: &Batch,
    range: Range<usize>,
    layer: u32,
    outgoing: &mut BTreeMap<u32, Vec<Batch>>,
    comm: &mut Communicator,
    frontier: &mut dyn Frontier,
) -> Result<(), Halt> {
    let (width, peers) = (states.width(), comm.peers);
    let batches = outgoing.entry(layer).or_insert_with(|| (0..peers).map(|_| Batch::new(width)).collect());
    if (1..=8).contains(&width) {
        let mask = u64::MAX >> (64 - 8 * width);
        for at in range {
            let word = states.word(at) & mask;
            batches[route::owner(route::bucket_of_word(word), peers)].push_word(word);
        }
    } else {
        for at in range {
            let state = states.get(at);
            batches[route::owner(route::bucket(state), peers)].push(|out| out.copy_from_slice(state));
        }
    }
    for (to, batch) in batches.iter_mut().enumerate() {
        if batch.len() * width.max(1) < CHUNK {
            continue;
        }
        deliver(to, layer, batch, comm, frontier)?;
        batch.clear();
    }
    Ok(())
}

/// Sends states to a worker, or keeps them if this worker owns them.
fn deliver(to: usize, layer: u32, batch: &Batch, comm: &mut Communicator, frontier: &mut dyn Frontier) -> Result<(), Halt> {
    if to == comm.index {
        return frontier.put(layer, batch, 0..batch.len());
    }
    comm.send(to, layer, batch.len(), batch.slice(0..batch.len()).to_vec());
    Ok(())
}
