//! A walk through a whole space on many workers, in memory.
//!
//! As in one process: where no state comes back, layers are forgotten once they are done, and only those ahead are kept;
//! elsewhere a layer is a number of moves from the start, and all states are kept. With one worker nothing travels, and the
//! walk is that of `kibitzer::search::explore` but for a few calls per hundred states.

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

use super::crew::{self, Crew};
use super::expand::{Counted, Expander, ROUND, Shared, Shelf};
use super::net::Setup;
use super::{Halt, route};

/// What a walk found.
#[derive(Clone, Debug, Default)]
pub struct Walked {
    /// Whole layers, what ended the walk before its end, and bytes of this process.
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

impl Walked {
    pub fn new(counted: &[Counted], limit: Option<Limit>, peak_bytes: usize) -> Walked {
        let layers: Vec<Layer> = counted.iter().map(|counted| counted.counts).collect();
        let deepest = counted.last().map(|last| last.least.clone()).unwrap_or_default();
        Walked { explored: Explored { layers, limit, peak_bytes }, deepest, labeled: None, sorted: 0, messages: 0, sent: 0 }
    }
}

/// Walks through everything that can be reached from the start of a space. A limit is no error: what was counted before is.
pub fn walk(space: Arc<dyn Space>, setup: &Setup, limits: &Limits) -> Result<Walked, Halt> {
    let shared = Arc::new(Shared { tell: setup.tell.clone(), ..Shared::default() });
    let (mine, limits_of_all) = (Arc::clone(&shared), limits.clone());
    let (most, workers) = (limits.bytes / setup.workers, setup.workers);
    let parts = crew::run(setup, limits, ROUND, move |crew| {
        let walker = Walker { space: &*space, limits: &limits_of_all, shared: &mine, most, first: crew.index % workers == 0 };
        let start = space.start();
        let mut found = match space.layer(&start) {
            Some(layer) => walker.forgetting(crew, &start, layer),
            None => walker.keeping(crew, &start),
        }?;
        (found.messages, found.sent) = (crew.messages, crew.bytes);
        Ok(found)
    })?;
    let (messages, sent) = parts.iter().fold((0, 0), |(messages, sent), part| (messages + part.messages, sent + part.sent));
    let mut found = parts.into_iter().next().unwrap_or_default();
    found.explored.peak_bytes = shared.peak.load(Ordering::Relaxed);
    Ok(Walked { messages, sent, ..found })
}

struct Walker<'a> {
    space: &'a dyn Space,
    limits: &'a Limits,
    shared: &'a Arc<Shared>,
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

impl Walker<'_> {
    /// The layers, one after the other; `next` says which comes next and how many states of it this worker has.
    fn layers<S: Shelf>(
        &self,
        crew: &mut Crew,
        mut shelf: S,
        begin: impl Fn(&mut S, u32) -> usize,
        least: impl Fn(&S) -> Option<u32>,
    ) -> Result<Walked, Halt> {
        let mut expander = Expander::new(self.space, self.limits, self.shared, self.most);
        let mut done: Vec<Counted> = Vec::new();
        let mut expanded = 0;
        loop {
            let ahead = crew.reduce(&Ahead { least: least(&shelf) })?;
            let Some(layer) = ahead.iter().filter_map(|ahead| ahead.least).min() else {
                return Ok(Walked::new(&done, None, 0));
            };
            let states: u64 = crew.reduce(&(begin(&mut shelf, layer) as u64))?.into_iter().sum();
            self.shared.open.store(expanded + states, Ordering::Relaxed);
            if expanded + states > self.limits.nodes {
                return Ok(Walked::new(&done, Some(Limit::Nodes), 0));
            }
            match expander.layer(layer, crew, &mut shelf) {
                Ok(counted) => {
                    expanded += counted.counts.states;
                    if self.first {
                        (self.shared.tell.layer)(&counted.counts);
                    }
                    done.push(counted);
                }
                Err(why) => return why.limit().map(|limit| Walked::new(&done, Some(limit), 0)).ok_or(why),
            }
        }
    }

    fn forgetting(&self, crew: &mut Crew, start: &[u8], layer: u32) -> Result<Walked, Halt> {
        let width = start.len();
        let mut shelf = Forgetting { current: Set::new(width), left: 0, place: 0, ahead: BTreeMap::new(), width };
        if route::owner(route::bucket(start), crew.peers) == crew.index {
            shelf.put(layer, &single(start), 0..1)?;
        }
        self.layers(crew, shelf, Forgetting::begin, |shelf| shelf.ahead.keys().next().copied())
    }

    fn keeping(&self, crew: &mut Crew, start: &[u8]) -> Result<Walked, Halt> {
        let mut shelf = Keeping { store: Store::new(start.len()), next: 0, end: 0, depth: 0 };
        if route::owner(route::bucket(start), crew.peers) == crew.index {
            shelf.store.insert(start);
        }
        self.layers(crew, shelf, Keeping::begin, |shelf| (shelf.end < shelf.store.len()).then_some(shelf.depth))
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

impl Shelf for Forgetting {
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

impl Shelf for Keeping {
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
