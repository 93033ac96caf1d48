//! The states that a search has stored, by number and by hash.
//!
//! Searches in games written in Python make a state after the other that is there already, and the time goes into waiting for
//! memory. So this is a plain table with open addressing whose places hold what a look needs, the object itself included:
//! finding a state takes one line of memory here, and the object.

use std::hint::black_box;

use pyo3::ffi;
use pyo3::prelude::*;

/// No number.
pub const NO_ID: u32 = u32::MAX;
/// It is not known whether a state is a goal.
pub const UNKNOWN: u8 = 2;

#[derive(Default)]
pub struct Table {
    /// As many as a power of two, at most half of them taken.
    places: Vec<Place>,
    /// Objects and hashes, by number.
    states: Vec<(Py<PyAny>, u64)>,
    /// [`UNKNOWN`], or whether a state is a goal.
    goals: Vec<u8>,
}

/// Half of a hash tells most other states apart without looking at them.
#[derive(Default)]
struct Place {
    object: Option<Py<PyAny>>,
    hash: u32,
    id: u32,
}

impl Table {
    /// Bytes per state, about, without the object.
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

    /// The number of a state with this hash that is the `same`.
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

    /// Reads what looking for these hashes will need, so that all of it is under way at the same time: places, then objects.
    pub fn touch(&self, hashes: impl Iterator<Item = u64> + Clone) {
        let places = hashes.filter_map(|hash| self.home(hash).map(|at| (&self.places[at], hash as u32)));
        black_box(places.clone().fold(0, |all, (place, _)| all ^ place.hash));
        let objects = places.filter_map(|(place, hash)| place.object.as_ref().filter(|_| place.hash == hash));
        // SAFETY: the object is kept here.
        black_box(objects.fold(0, |all, object| all ^ unsafe { ffi::Py_REFCNT(object.as_ptr()) }));
    }

    /// Stores a state that is not there; its number.
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
        assert!(id != NO_ID, "less than 2^32 states");
        self.enter(object.clone_ref(py), hash, id);
        self.states.push((object.clone_ref(py), hash));
        self.goals.push(goal);
        id
    }

    fn enter(&mut self, object: Py<PyAny>, hash: u64, id: u32) {
        let mut at = self.home(hash).expect("there are places");
        while self.places[at].object.is_some() {
            at = (at + 1) & (self.places.len() - 1);
        }
        self.places[at] = Place { object: Some(object), hash: hash as u32, id };
    }

    /// Where to begin to look for a state. Python's hashes of small numbers are the numbers themselves; the high bits of a
    /// product depend on all of them.
    #[inline]
    fn home(&self, hash: u64) -> Option<usize> {
        let mixed = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Some((mixed >> 32) as usize & self.places.len().checked_sub(1)?)
    }
}

/// Asks for large pages: large pieces of memory take a page fault for every 4 KiB, which can cost more than all the work.
fn prefer_large_pages(memory: *const u64, bytes: usize) {
    #[cfg(target_os = "linux")]
    if bytes >= 4 << 20 {
        let (start, page) = (memory as usize, 1 << 12);
        let first = start.next_multiple_of(page);
        // SAFETY: advice about whole pages within a piece of memory that belongs to the caller; it changes no content.
        unsafe { libc::madvise(first as *mut libc::c_void, (start + bytes - first) & !(page - 1), libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (memory, bytes);
}
