//! Expanding a layer on all workers: each takes its own states, counts what they are, and sends what follows to its owners.
//! Where the states lie, in memory or on disk, is for a [`Frontier`] to say.

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
use super::net::Tell;
use super::route;

/// Where a worker's states lie: those of the layer under way, and those ahead.
pub trait Frontier {
    /// Adds up to `most` further states of the layer under way to a batch; none at its end.
    fn take(&mut self, most: usize, out: &mut Batch) -> Result<(), Halt>;

    /// Puts states where they belong. They may be there already.
    fn put(&mut self, layer: u32, states: &Batch, range: Range<usize>) -> Result<(), Halt>;

    /// Bytes held, with room for some more states.
    fn bytes(&self) -> usize;
}

/// What is counted of a layer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    #[serde(flatten)]
    pub counts: Layer,
    /// The least states of the layer, by their bytes.
    pub least: Vec<Vec<u8>>,
    /// The last layer that its moves lead to, if any; none, too, in checkpoints that do not say.
    #[serde(default)]
    pub reach: Option<u32>,
}

/// How many states of a layer are kept for people to look at.
pub const SAMPLES: usize = 5;

impl Counted {
    pub fn new(layer: u32) -> Counted {
        Counted { counts: Layer { layer, ..Layer::default() }, ..Counted::default() }
    }

    /// What several workers counted of one layer.
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

/// How far all workers of this process have come.
#[derive(Default)]
pub struct SharedProgress {
    pub expanded: AtomicU64,
    pub generated: AtomicU64,
    pub open: AtomicU64,
    /// States written since the present stage began.
    pub written: AtomicU64,
    pub bytes: AtomicUsize,
    pub peak: AtomicUsize,
    pub tell: Tell,
}

/// States made between two looks at memory and the progress sink.
const PERIOD: u64 = 16_384;
/// As in `kibitzer::search::explore`: few enough for the caches, many enough to have their memory accesses under way at once.
const TOGETHER: usize = 128;
const TOGETHER_BYTES: usize = 4096;
/// Bytes of a parcel.
pub const CHUNK: usize = 32 << 10;
/// Bytes that a worker sends before it looks whether others can follow.
pub const ROUND: usize = 1 << 20;

/// One worker at work.
pub struct Expander<'a> {
    space: &'a dyn Space,
    limits: &'a Limits,
    shared: &'a Arc<SharedProgress>,
    together: usize,
    parents: Batch,
    next: Successors,
    /// States on their way to each worker, by layer.
    outgoing: BTreeMap<u32, Vec<Batch>>,
    arrived: Batch,
    made: u64,
    next_look: u64,
    /// What was last added to the shared counts.
    told: (u64, u64, usize),
    expanded: u64,
    /// Bytes that a frontier may hold; more is an error.
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
            told: (0, 0, 0),
            expanded: 0,
            most,
        }
    }

    /// Expands this worker's part of a layer, and returns when all workers have done so and every successor is in its frontier.
    /// A successor without a layer of its own goes to the one after this.
    pub fn layer(&mut self, layer: u32, comm: &mut Communicator, frontier: &mut dyn Frontier) -> Result<Counted, Halt> {
        let mut counted = Counted::new(layer);
        if let Err(why) = self.all(&mut counted, comm, frontier) {
            comm.stop(why);
        }
        for (layer, batches) in std::mem::take(&mut self.outgoing) {
            for (to, batch) in batches.into_iter().enumerate().filter(|(_, batch)| !batch.is_empty()) {
                if comm.stops() {
                    break;
                }
                if to == comm.index {
                    if let Err(why) = frontier.put(layer, &batch, 0..batch.len()) {
                        comm.stop(why);
                    }
                } else {
                    comm.send(to, layer, batch.len(), batch.slice(0..batch.len()).to_vec());
                }
            }
        }
        let arrived = &mut self.arrived;
        comm.finish(&mut |parcel| unpack(parcel, arrived, frontier))?;
        // A limit that only one worker has noticed by now ends the layer on all of them.
        let looked = self.look(frontier, true);
        let parts = comm.agree(looked.map(|()| counted))?;
        Ok(Counted::sum(parts))
    }

    fn all(&mut self, counted: &mut Counted, comm: &mut Communicator, frontier: &mut dyn Frontier) -> Result<(), Halt> {
        loop {
            self.parents.clear();
            frontier.take(self.together, &mut self.parents)?;
            if self.parents.is_empty() || comm.stops() {
                return Ok(());
            }
            self.space.successors(&self.parents, &mut self.next, self.limits)?;
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

    /// Counts the states under way.
    fn count(&mut self, counted: &mut Counted) {
        self.made += counted.counts.count(&self.next);
        (0..self.parents.len()).for_each(|at| counted.sample(self.parents.get(at)));
        self.expanded += self.parents.len() as u64;
    }

    /// Looks at the limits now and then.
    fn look(&mut self, frontier: &dyn Frontier, now: bool) -> Result<(), Halt> {
        if self.made < self.next_look && !now {
            return Ok(());
        }
        self.next_look = self.made + PERIOD;
        let bytes = frontier.bytes();
        let shared = self.shared;
        let expanded = shared.expanded.fetch_add(self.expanded - self.told.0, Ordering::Relaxed) + self.expanded - self.told.0;
        let generated = shared.generated.fetch_add(self.made - self.told.1, Ordering::Relaxed) + self.made - self.told.1;
        let held = shared.bytes.fetch_add(bytes.wrapping_sub(self.told.2), Ordering::Relaxed).wrapping_add(bytes.wrapping_sub(self.told.2));
        self.told = (self.expanded, self.made, bytes);
        shared.peak.fetch_max(held, Ordering::Relaxed);
        if bytes > self.most {
            return Err(kibitzer::limits::Limit::Memory.into());
        }
        let open = shared.open.load(Ordering::Relaxed).saturating_sub(expanded);
        self.limits.report(&Progress { expanded, generated, open, bytes: held, ..Progress::default() })?;
        Ok(())
    }
}

/// Adds what arrived to the frontier.
fn unpack(parcel: Parcel, arrived: &mut Batch, frontier: &mut dyn Frontier) -> Result<(), Halt> {
    arrived.clear();
    arrived.push_all(parcel.count as usize, &parcel.bytes.0);
    frontier.put(parcel.tag, arrived, 0..arrived.len())
}

/// Sorts states by their owners, and sends what fills a parcel.
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
        if to == comm.index {
            frontier.put(layer, batch, 0..batch.len())?;
        } else {
            comm.send(to, layer, batch.len(), batch.slice(0..batch.len()).to_vec());
        }
        batch.clear();
    }
    Ok(())
}
