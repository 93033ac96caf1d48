//! The states that a search has stored, by number and by hash.
//!
//! Most states that a search generates are already in the table, so look-ups dominate and memory latency sets the speed. This is a
//! plain hash table with open addressing. Each slot has a pointer to the object, so a look-up reads only one cache line of the table and
//! the object itself.

use std::hint::black_box;

use pyo3::ffi;
use pyo3::prelude::*;

/// The number of a state that is not stored.
pub const NO_ID: u32 = u32::MAX;
/// The value in `goals` if it is not yet known whether the state is a goal.
pub const UNKNOWN: u8 = 2;

#[derive(Default)]
pub struct Table {
    /// The slots, whose number is a power of two. At most half of the slots are used.
    places: Vec<Place>,
    /// Objects and hashes, by state number.
    states: Vec<(Py<PyAny>, u64)>,
    /// [`UNKNOWN`], or 1 for a goal and 0 for any other state.
    goals: Vec<u8>,
}

/// A slot of the table. Half of the hash is enough to distinguish most states without reading the objects.
#[derive(Default)]
struct Place {
    object: Option<Py<PyAny>>,
    hash: u32,
    id: u32,
}

impl Table {
    /// Approximate bytes per state, without the object.
    pub const BYTES: usize = 3 * size_of::<Place>() + size_of::<(Py<PyAny>, u64)>() + 1;

    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn get(&self, id: u32) -> (&Py<PyAny>, u64, u8) {
        let (object, hash) = &self.states[id as usize];
        (object, *hash, self.goals[id as usize])
    }

    pub fn set_goal(&mut self, id: u32, goal: u8) {
        self.goals[id as usize] = goal;
    }

    /// The number of the stored state with this hash for which `same` holds.
    #[inline]
    pub fn find(&self, hash: u64, same: impl Fn(&Py<PyAny>) -> bool) -> Option<u32> {
        let mut at = self.home(hash)?;
        loop {
            let Place { object, hash: half, id } = &self.places[at];
            let object = object.as_ref()?;
            if *half == hash as u32 && same(object) {
                return Some(*id);
            }
            at = (at + 1) & (self.places.len() - 1);
        }
    }

    /// Prefetches the slots and objects for these hashes, so that their cache misses overlap.
    pub fn touch(&self, hashes: impl Iterator<Item = u64> + Clone) {
        let places = hashes.filter_map(|hash| self.home(hash).map(|at| (&self.places[at], hash as u32)));
        black_box(places.clone().fold(0, |all, (place, _)| all ^ place.hash));
        let objects = places.filter_map(|(place, hash)| place.object.as_ref().filter(|_| place.hash == hash));
        // SAFETY: the table holds a reference to the object.
        black_box(objects.fold(0, |all, object| all ^ unsafe { ffi::Py_REFCNT(object.as_ptr()) }));
    }

    /// Stores a new state. Returns its number.
    pub fn push(&mut self, py: Python<'_>, object: &Py<PyAny>, hash: u64, goal: u8) -> u32 {
        if 2 * self.states.len() >= self.places.len() {
            let size = (2 * self.places.len()).max(64);
            self.places = Vec::with_capacity(size);
            prefer_large_pages(self.places.as_ptr().cast(), size * size_of::<Place>());
            self.places.resize_with(size, Place::default);
            for id in 0..self.states.len() {
                let (object, hash) = &self.states[id];
                self.enter(object.clone_ref(py), *hash, id as u32);
            }
        }
        let id = self.states.len() as u32;
        assert!(id != NO_ID, "fewer than 2^32 states");
        self.enter(object.clone_ref(py), hash, id);
        self.states.push((object.clone_ref(py), hash));
        self.goals.push(goal);
        id
    }

    fn enter(&mut self, object: Py<PyAny>, hash: u64, id: u32) {
        let mut at = self.home(hash).expect("the table has slots");
        while self.places[at].object.is_some() {
            at = (at + 1) & (self.places.len() - 1);
        }
        self.places[at] = Place { object: Some(object), hash: hash as u32, id };
    }

    /// Returns the first slot to probe. Python hashes small integers to themselves, so the hash is mixed by a multiplication, because the
    /// high bits of the product depend on all bits of the hash.
    #[inline]
    fn home(&self, hash: u64) -> Option<usize> {
        let mixed = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Some((mixed >> 32) as usize & self.places.len().checked_sub(1)?)
    }
}

/// Requests large pages. With 4 KiB pages, page faults can cost more than the rest of the work.
fn prefer_large_pages(memory: *const u64, bytes: usize) {
    #[cfg(target_os = "linux")]
    if bytes >= 4 << 20 {
        let (start, page) = (memory as usize, 1 << 12);
        let first = start.next_multiple_of(page);
        // SAFETY: the pages belong to the caller, and the advice does not change their content.
        unsafe { libc::madvise(first as *mut libc::c_void, (start + bytes - first) & !(page - 1), libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (memory, bytes);
}
