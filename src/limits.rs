//! Limits on work, cancellation, and progress reports.
//!
//! [`Limits`] are cheap to clone, and all clones share one cancel flag and one progress sink, so any number of threads can use
//! them. The library has no clock: a deadline, Ctrl-C or a monitor of the process's memory sets the flag from outside. Everything
//! that may take a long time (reading, building a heuristic, search, proofs, drawing, checking) calls [`Limits::check`] often.
//! This check is a single relaxed load.
//!
//! If there is no other thread, the progress sink can set the flag, because it is called on the working thread. In a browser, that is
//! not enough, because not all work reports progress. In a browser, checks are therefore counted, and after a certain number of checks
//! a callback decides whether to continue (`watch`).

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use serde::{Deserialize, Serialize};

use crate::cost::Cost;

/// The limits on a piece of work.
#[derive(Clone)]
pub struct Limits {
    /// Maximum number of states to expand, counted over the whole life of a search, so a resumed search needs a larger number.
    pub nodes: u64,
    /// Maximum number of bytes for the work's own data structures.
    pub bytes: usize,
    /// Stops the work from outside.
    pub cancel: Cancel,
    /// Called every few hundred expansions, on the thread that does the work.
    pub progress: Option<Sink>,
    /// Threads for parallel work. If `None`, all work runs on the caller's thread.
    pub threads: Option<Threads>,
    /// Other work that alternates with this work.
    pub turn: Option<Turn>,
    /// Tables kept between runs.
    pub cache: Option<Arc<dyn Cache>>,
}

/// A place where tables are kept between runs. The library itself reads and writes no files.
pub trait Cache: Send + Sync {
    /// The bytes stored under this name, if there are any.
    fn load(&self, name: &str) -> Option<Vec<u8>>;

    /// Stores these parts, one after another, under a name. If storing fails, the next run computes the table again.
    fn store(&self, name: &str, parts: &[&[u8]]);

    /// Receives a note for the user, for example that a stored table is damaged.
    fn note(&self, text: &str);
}

/// The receiver of progress reports.
pub type Sink = Arc<dyn Fn(&Progress) + Send + Sync>;

/// A function that does one turn of other work on the same thread. If it returns an error, the calling work stops, because its answer
/// is no longer needed.
pub type Turn = Arc<dyn Fn() -> Result<(), Limit> + Send + Sync>;

/// Threads lent by the caller. The library itself starts no threads.
#[derive(Clone)]
pub struct Threads {
    /// The number of threads, including the caller's own.
    pub count: usize,
    /// Runs a job on all threads at the same time, once on each, and returns when all runs have ended.
    pub run: Arc<RunOnEach>,
}

/// A function that runs a job on several threads.
type RunOnEach = dyn Fn(&(dyn Fn() + Sync)) + Send + Sync;

impl Limits {
    /// No limits, apart from the cancel flag.
    pub fn none() -> Self {
        Limits { nodes: u64::MAX, bytes: usize::MAX, cancel: Cancel::default(), progress: None, threads: None, turn: None, cache: None }
    }

    /// Limits only the number of expansions.
    pub fn nodes(nodes: u64) -> Self {
        Limits { nodes, ..Limits::none() }
    }

    /// Limits that stop the work once `over` returns true for the reported progress. Intended for callers that have no other thread to
    /// set the cancel flag.
    pub fn until(over: impl Fn(&Progress) -> bool + Send + Sync + 'static) -> Self {
        let cancel = Cancel::default();
        let flag = cancel.clone();
        let sink: Sink = Arc::new(move |progress| {
            if over(progress) {
                flag.stop(Limit::Time);
            }
        });
        Limits { cancel, progress: Some(sink), ..Limits::none() }
    }

    /// Returns the same limits, flag and sink, but with a different maximum number of nodes.
    pub fn with_nodes(&self, nodes: u64) -> Self {
        Limits { nodes, ..self.clone() }
    }

    /// Returns an error if the work must stop. Cheap enough for inner loops.
    #[inline]
    pub fn check(&self) -> Result<(), Limit> {
        self.cancel.check()
    }

    /// Reports progress, and returns an error if the work must stop.
    pub fn report(&self, progress: &Progress) -> Result<(), Limit> {
        if let Some(sink) = &self.progress {
            sink(progress);
        }
        self.check()
    }

    /// Lets the other work, if there is any, take one turn. Call it about once per millisecond.
    pub fn take_turns(&self) -> Result<(), Limit> {
        self.turn.as_ref().map_or(Ok(()), |turn| turn())
    }

    /// Number of threads that [`Limits::together`] uses.
    pub fn threads(&self) -> usize {
        self.threads.as_ref().map_or(1, |threads| threads.count.max(1))
    }

    /// Runs a job on every thread. Each run must take its work from a shared pool, so that the result does not depend on the
    /// number of threads.
    pub fn together(&self, job: &(dyn Fn() + Sync)) {
        match &self.threads {
            Some(threads) => (threads.run)(job),
            None => job(),
        }
    }

    /// Returns an error if this number of bytes exceeds the limit.
    pub fn room(&self, bytes: usize) -> Result<(), Limit> {
        if bytes > self.bytes { Err(Limit::Memory) } else { Ok(()) }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::none()
    }
}

/// A flag that stops work, shared by all its clones. It stores the first reason for which it is set.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicU8>);

impl Cancel {
    /// Tells the work to stop because of this limit.
    pub fn stop(&self, why: Limit) {
        let code = match why {
            Limit::Time => 1,
            Limit::Memory => 2,
            Limit::Nodes => 3,
            Limit::Interrupt => 4,
        };
        // Does nothing if the flag is already set.
        let _ = self.0.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// True if both are the same flag.
    pub fn is(&self, other: &Cancel) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the reason as an error once the flag is set.
    #[inline]
    pub fn check(&self) -> Result<(), Limit> {
        #[cfg(target_arch = "wasm32")]
        watch::tick();
        match self.0.load(Ordering::Relaxed) {
            0 => Ok(()),
            1 => Err(Limit::Time),
            2 => Err(Limit::Memory),
            3 => Err(Limit::Nodes),
            _ => Err(Limit::Interrupt),
        }
    }
}

/// A callback that is polled regularly to decide whether to continue, for platforms where no other thread can set the cancel flag.
#[cfg(target_arch = "wasm32")]
pub mod watch {
    use std::cell::RefCell;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// A callback that sets the flags of work that must stop, and returns the number of checks after which it should be called again.
    pub type Watch = Box<dyn FnMut() -> u32>;

    thread_local! {
        static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
    }
    /// Number of checks until the next call of the callback.
    static LEFT: AtomicU32 = AtomicU32::new(0);

    /// Sets or removes the callback.
    pub fn set(watch: Option<Watch>) {
        WATCH.set(watch);
        LEFT.store(0, Ordering::Relaxed);
    }

    /// Counts a check, and calls the callback when enough checks have been counted. There is only one thread, so a separate load and
    /// store suffice.
    #[inline]
    pub(super) fn tick() {
        match LEFT.load(Ordering::Relaxed) {
            0 => ask(),
            left => LEFT.store(left - 1, Ordering::Relaxed),
        }
    }

    #[cold]
    fn ask() {
        let next = WATCH.with_borrow_mut(|watch| watch.as_mut().map_or(u32::MAX, |watch| watch()));
        LEFT.store(next, Ordering::Relaxed);
    }
}

/// The progress of a piece of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub expanded: u64,
    pub generated: u64,
    /// States waiting to be expanded.
    pub open: u64,
    /// Number of bytes currently used.
    pub bytes: usize,
    /// A lower bound on the cost of every plan.
    pub lower: Cost,
    /// The cost of the best plan found so far.
    pub upper: Option<Cost>,
}

/// The limit that ended a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    Time,
    Memory,
    Nodes,
    /// The user pressed Ctrl-C. JSON reports this as the time limit.
    Interrupt,
}

impl Limit {
    pub fn name(self) -> &'static str {
        match self {
            Limit::Time | Limit::Interrupt => "time",
            Limit::Memory => "memory",
            Limit::Nodes => "nodes",
        }
    }

    /// A sentence that names the limit that was reached.
    pub fn words(self) -> &'static str {
        match self {
            Limit::Time => "the time limit was reached",
            Limit::Memory => "the memory limit was reached",
            Limit::Nodes => "the node limit was reached",
            Limit::Interrupt => "the run was interrupted",
        }
    }
}
