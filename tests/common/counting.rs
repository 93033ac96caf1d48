//! An allocator that counts bytes and allocations, for tests and benches that measure memory or work.
//!
//! Include it with `#[path]`, not through `common`: a program has only one global allocator, and most tests need the standard one.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kibitzer::limits::{Cancel, Limit};

struct CountingAllocator;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static MADE: AtomicU64 = AtomicU64::new(0);
/// The number of the allocation at which the cancel flag is set.
static LAST: AtomicU64 = AtomicU64::new(u64::MAX);
static FLAG: Mutex<Option<Cancel>> = Mutex::new(None);

fn grow(bytes: usize) {
    PEAK.fetch_max(NOW.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

fn count() {
    if MADE.fetch_add(1, Relaxed) == LAST.load(Relaxed)
        && let Some(cancel) = &*FLAG.lock().expect("no panic")
    {
        cancel.stop(Limit::Time);
    }
}

fn shrink(bytes: usize) {
    NOW.fetch_sub(bytes, Relaxed);
}

// SAFETY: every call is passed to the system allocator unchanged; only counters are added.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        count();
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        shrink(layout.size());
        unsafe { System.dealloc(at, layout) }
    }

    // The system resizes large blocks in place, so the old and the new block are not counted at the same time.
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        shrink(layout.size());
        grow(size);
        count();
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Acquires the lock that a test must hold while it reads the counters, because they are global.
#[allow(dead_code, reason = "benches have one thread")]
pub fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work`, sets the cancel flag at allocation number `last`, and returns the result and the number of allocations.
#[allow(dead_code, reason = "only tests of limits need it")]
pub fn stopped_at<T>(last: u64, cancel: &Cancel, work: impl FnOnce() -> T) -> (T, u64) {
    *FLAG.lock().expect("no panic") = Some(cancel.clone());
    MADE.store(0, Relaxed);
    LAST.store(last, Relaxed);
    let done = work();
    let made = MADE.load(Relaxed);
    LAST.store(u64::MAX, Relaxed);
    (done, made)
}

/// Runs `work` and returns its result and the peak growth of the heap, in bytes.
///
/// The counters are global and include allocations of other threads.
pub fn peak_bytes<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let done = work();
    (done, PEAK.load(Relaxed) - before)
}
