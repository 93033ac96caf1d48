//! Counts all reachable states, layer by layer.
//!
//! If no state can recur ([`Rules::layer`](crate::rules::Rules::layer)), only the current and later layers are stored. Otherwise a
//! layer is the number of moves from the start, and all states are stored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::set::StateSet;
use super::store::{Id, Store};
use crate::limits::{Limit, Limits, Progress};
use crate::space::{Batch, Space, Status, Successors};

/// The counts of one layer of a space, for one player or two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layer {
    /// The number of the layer, which is defined by the game or else is the number of moves from the start.
    pub layer: u32,
    /// States up to symmetry.
    pub states: u64,
    /// All states, with symmetric ones counted separately, if every symmetry maps the start to itself. At most `u64::MAX`, even if
    /// there are more.
    pub unfolded: u64,
    pub goals: u64,
    /// States that have no moves and are not goals. For two players, the number of boards where the game is over, with symmetric ones
    /// counted separately.
    #[serde(alias = "over")]
    pub dead_ends: u64,
    /// Number of moves that can be made in these states.
    pub moves: u64,
    /// For two players, if positions are labeled: boards that the player to move loses, with symmetric ones counted separately.
    pub losing: u64,
    /// Like `losing`, but for draws.
    pub drawn: u64,
}

impl Layer {
    /// Adds the states whose successors are in `next` to the counts, and returns the number of successors.
    pub fn count(&mut self, next: &Successors) -> u64 {
        let mut begin = 0;
        for parent in next.parents() {
            let moves = (parent.end - begin) as u64;
            begin = parent.end;
            let goal = parent.status == Status::Goal;
            self.states += 1;
            self.unfolded = self.unfolded.saturating_add(parent.orbit);
            self.goals += u64::from(goal);
            self.dead_ends += u64::from(!goal && moves == 0);
            self.moves += moves;
        }
        begin as u64
    }

    /// The combined counts of two parts of a layer.
    pub fn plus(self, other: &Layer) -> Layer {
        Layer {
            layer: other.layer,
            states: self.states + other.states,
            unfolded: self.unfolded.saturating_add(other.unfolded),
            goals: self.goals + other.goals,
            dead_ends: self.dead_ends.saturating_add(other.dead_ends),
            moves: self.moves + other.moves,
            losing: self.losing.saturating_add(other.losing),
            drawn: self.drawn.saturating_add(other.drawn),
        }
    }
}

/// The counts of a space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// The counts of each complete layer.
    pub layers: Vec<Layer>,
    /// The limit that ended the count early, if any.
    pub limit: Option<Limit>,
    pub peak_bytes: usize,
}

impl Explored {
    /// The combined counts of all layers.
    pub fn total(&self) -> Layer {
        self.layers.iter().fold(Layer::default(), Layer::plus)
    }

    /// The total number of states, with symmetric ones counted separately, if all of them were counted within the limits. It
    /// follows from the counts up to symmetry if the start is its own image ([`is_own_image`](crate::rules::is_own_image));
    /// otherwise `plain` counts the states again without merging symmetric ones.
    pub fn without_symmetry<E>(&self, symmetric: bool, plain: impl FnOnce() -> Result<Explored, E>) -> Result<Option<u64>, E> {
        if self.limit.is_some() || symmetric {
            return Ok(self.images());
        }
        let plain = plain()?;
        Ok(plain.limit.is_none().then(|| plain.total().states))
    }

    /// The total number of images of all states, if the count is complete and does not overflow.
    pub fn images(&self) -> Option<u64> {
        self.limit.is_none().then(|| self.total().unfolded).filter(|&states| states < u64::MAX)
    }
}

/// Number of states generated between memory checks and progress reports.
const PERIOD: u64 = 16_384;
/// Maximum number of states whose successors are generated together: few enough for the caches, many enough to overlap their
/// memory accesses.
const TOGETHER: usize = 128;
/// Maximum total size of these states, in bytes.
const TOGETHER_BYTES: usize = 4096;

/// Counts all states reachable from the start of a space.
pub fn explore(space: &dyn Space, limits: &Limits) -> Explored {
    let width = space.width();
    let mut walk = Walk {
        space,
        limits,
        for_buffer: limits.clone(),
        together: TOGETHER.min(TOGETHER_BYTES / width.max(1)).max(1),
        parents: Batch::new(width),
        next: Successors::new(width),
        made: 0,
        next_check: 0,
        expanded: 0,
        found: Explored::default(),
    };
    let start = space.start();
    let ended = match space.layer(&start) {
        Some(layer) => walk.forgetting(&start, layer),
        None => walk.keeping(&start),
    };
    walk.found.limit = ended.err();
    walk.found
}

struct Walk<'a> {
    space: &'a dyn Space,
    limits: &'a Limits,
    /// Like `limits`, but with only the bytes that are left for `next`.
    for_buffer: Limits,
    together: usize,
    /// The current states.
    parents: Batch,
    /// The successors of the current states.
    next: Successors,
    made: u64,
    next_check: u64,
    expanded: u64,
    found: Explored,
}

impl Walk<'_> {
    /// Counts the current states and generates their successors.
    fn visit(&mut self, layer: &mut Layer) -> Result<(), Limit> {
        self.space.successors(&self.parents, &mut self.next, &self.for_buffer)?;
        self.made += layer.count(&self.next);
        self.expanded += self.parents.len() as u64;
        self.parents.clear();
        Ok(())
    }

    /// Maximum number of states that may be expanded together next.
    fn allowed(&self) -> usize {
        usize::try_from(self.limits.nodes - self.expanded).unwrap_or(usize::MAX).min(self.together)
    }

    /// Checks memory and reports progress, once per period.
    fn check(&mut self, bytes: impl FnOnce() -> usize, open: usize) -> Result<(), Limit> {
        if self.made < self.next_check {
            return Ok(());
        }
        self.next_check = self.made + PERIOD;
        let states = bytes();
        let bytes = states + self.parents.bytes() + self.next.bytes();
        self.limits.room(bytes)?;
        self.for_buffer.bytes = self.limits.bytes - states;
        self.found.peak_bytes = self.found.peak_bytes.max(bytes);
        let now = Progress { expanded: self.expanded, generated: self.made, open: open as u64, bytes, ..Progress::default() };
        self.limits.report(&now)
    }

    fn forgetting(&mut self, start: &[u8], layer: u32) -> Result<(), Limit> {
        let width = start.len();
        let mut first = StateSet::new(width);
        self.parents.push(|out| out.copy_from_slice(start));
        first.insert(&self.parents, 0..1);
        self.parents.clear();
        let mut ahead = BTreeMap::from([(layer, first)]);
        while let Some((layer, set)) = ahead.pop_first() {
            let mut counted = Layer { layer, ..Layer::default() };
            let mut place = 0;
            while (counted.states as usize) < set.len() {
                let bytes = || set.bytes_after(0) + ahead.values().map(|set| set.bytes_after(PERIOD as usize)).sum::<usize>();
                self.check(bytes, set.len() - counted.states as usize)?;
                let allowed = self.allowed();
                if allowed == 0 {
                    return Err(Limit::Nodes);
                }
                place = set.take(place, allowed, &mut self.parents);
                self.visit(&mut counted)?;
                for (layer, range) in self.next.runs() {
                    let layer = layer.expect("every state has a layer if the start has one");
                    assert!(layer > counted.layer, "`layer` increases with every move");
                    ahead.entry(layer).or_insert_with(|| StateSet::new(width)).insert(self.next.states(), range);
                }
            }
            self.found.layers.push(counted);
        }
        Ok(())
    }

    fn keeping(&mut self, start: &[u8]) -> Result<(), Limit> {
        let mut store = Store::new(start.len());
        store.insert(start);
        let (mut next, mut depth) = (0, 0);
        while next < store.len() {
            let end = store.len();
            let mut counted = Layer { layer: depth, ..Layer::default() };
            while next < end {
                self.check(|| store.bytes_after(2 * PERIOD as usize), store.len() - next)?;
                let most = end.min(next.saturating_add(self.allowed()));
                if most == next {
                    return Err(Limit::Nodes);
                }
                (next..most).for_each(|id| self.parents.push(|out| out.copy_from_slice(store.get(id as Id))));
                next = most;
                self.visit(&mut counted)?;
                let made = self.next.states();
                store.insert_range(made, 0..made.len(), |_, _, _| ());
            }
            self.found.layers.push(counted);
            depth += 1;
        }
        Ok(())
    }
}
