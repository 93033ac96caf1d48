//! Runs work for Python: enforces deadlines and memory limits, handles Ctrl-C, and reports progress.
//!
//! Work runs on the caller's thread with the interpreter released, so a small board costs microseconds. An [`Alarm`] watches the
//! deadline and the memory limit, and sets the cancel flag. A signal handler sets the same flag on Ctrl-C and passes the signal on
//! to Python's handler, which raises `KeyboardInterrupt` as usual. So Ctrl-C also ends work that reports no progress. The signal
//! handler is installed only during work on the main thread.
//!
//! Games written in Python are searched with the interpreter held, because every state calls Python functions.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kibitzer::limits::{Cancel, Limit, Limits, Progress, Sink};
use kibitzer_watch::{Alarm, default_limit, most_resident, resident};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::errors;
use crate::interrupt;
use crate::session::{Session, lock};

/// Milliseconds between progress reports.
const PERIOD: u64 = 100;

/// Maximum age of a memory measurement. Measurements are reused, because taking one may take longer than solving a small board.
const FRESH: Duration = Duration::from_secs(1);

/// The limits of a call as the Python side passes them: seconds, bytes, states, and a progress callback.
#[derive(FromPyObject, Default)]
pub struct Effort(Option<f64>, Option<u64>, Option<u64>, Option<Py<PyAny>>);

impl Effort {
    /// Limits only the number of states.
    pub fn states(most: u64) -> Effort {
        Effort(None, None, Some(most), None)
    }
}

thread_local! {
    /// Nesting depth of work on this thread that runs a game written in Python. A panic there means that the game contradicts itself.
    static QUIET: Cell<usize> = const { Cell::new(0) };
}

/// Suppresses the printed message of panics in games written in Python, which become exceptions.
pub fn quiet_panics() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if QUIET.get() == 0 {
            print(info);
        }
    }));
}

/// The result of work.
pub struct Done<T> {
    pub value: T,
    pub seconds: f64,
    /// The exception if Ctrl-C ended the work. The caller returns it along with the results so far.
    pub interrupt: Option<PyErr>,
}

impl<T> Done<T> {
    /// The value, unless the work was interrupted.
    pub fn whole(self) -> PyResult<T> {
        self.interrupt.map_or(Ok(self.value), Err)
    }
}

/// Runs `work` under the limits. Errors are exceptions raised by a progress callback or by a game written in Python.
pub fn supervised<T: Send>(
    py: Python<'_>,
    effort: &Effort,
    session: Option<&Arc<Session>>,
    work: impl FnOnce(&Limits) -> T + Send,
) -> PyResult<Done<T>> {
    let Effort(time, memory, nodes, callback) = effort;
    if time.is_some_and(|time| time.is_nan() || time <= 0.0) {
        return Err(PyValueError::new_err("`time` must be a number of seconds above 0"));
    }
    let memory = memory.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
    let (default, held) = memory_now();
    let bytes = memory.unwrap_or(default);
    let mut limits = Limits { bytes, nodes: nodes.unwrap_or(u64::MAX), ..Limits::none() };
    let _active = Active::new(&limits.cancel)?;
    let begun = Instant::now();
    let main = interrupt::on_main_thread(py);
    let raised: Arc<Mutex<Option<PyErr>>> = Arc::default();
    limits.progress = Some(sink(&limits, session, callback.as_ref().map(|callback| callback.clone_ref(py)), main, begun, held, &raised));
    // `None`: the deadline is too far away to represent.
    let deadline = time.and_then(|seconds| begun.checked_add(Duration::try_from_secs_f64(seconds).ok()?));
    let most = memory.and_then(|bytes| Some(most_resident(resident()?, bytes)));
    let flag = limits.cancel.clone();
    let _alarm = Alarm::new(deadline, most, move |limit| flag.stop(limit));
    let hook = (main && interrupt::raises(py)).then(|| interrupt::Hook::new(&limits.cancel));
    let started = Instant::now();
    let value = match session {
        None => Ok(py.detach(|| work(&limits))),
        Some(session) => {
            session.begin(&limits);
            QUIET.set(QUIET.get() + 1);
            let value = catch_unwind(AssertUnwindSafe(|| work(&limits)));
            QUIET.set(QUIET.get() - 1);
            session.end().map_or(Ok(value), Err)?.map_err(|payload| errors::panicked(py, &*payload))
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    drop(hook);
    let raised = lock(&raised).take();
    let interrupt = raised.or_else(|| session?.interrupted()).or_else(|| py.check_signals().err());
    match interrupt {
        Some(error) if !error.is_instance_of::<PyKeyboardInterrupt>(py) => Err(error),
        interrupt => Ok(Done { value: value?, seconds, interrupt }),
    }
}

/// The default memory limit and the resident bytes of the process, measured at most once per second.
fn memory_now() -> (usize, usize) {
    static SEEN: Mutex<Option<(Instant, (usize, usize))>> = Mutex::new(None);
    let mut seen = lock(&SEEN);
    match &*seen {
        Some((when, found)) if when.elapsed() < FRESH => *found,
        _ => {
            let found = (default_limit(), resident().unwrap_or(0));
            *seen = Some((Instant::now(), found));
            found
        }
    }
}

/// Cancel flags of all work in progress, and whether the interpreter is shutting down.
static ACTIVE: Mutex<(Vec<Cancel>, bool)> = Mutex::new((Vec::new(), false));

/// Work in progress. At shutdown, the interpreter unwinds threads that return to it. That unwinding must not be caught, so [`shut_down`]
/// first stops all work.
struct Active(Cancel);

impl Active {
    fn new(cancel: &Cancel) -> PyResult<Active> {
        let mut active = lock(&ACTIVE);
        if active.1 {
            return Err(PyRuntimeError::new_err("the interpreter is shutting down"));
        }
        active.0.push(cancel.clone());
        Ok(Active(cancel.clone()))
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        let mut active = lock(&ACTIVE);
        if let Some(at) = active.0.iter().position(|cancel| cancel.is(&self.0)) {
            active.0.swap_remove(at);
        }
    }
}

/// Stops all work and waits until it has stopped, at most two seconds. Called by `atexit`.
#[pyfunction]
pub fn shut_down(py: Python<'_>) {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(2) {
        {
            let mut active = lock(&ACTIVE);
            active.1 = true;
            active.0.iter().for_each(|cancel| cancel.stop(Limit::Time));
            if active.0.is_empty() {
                return;
            }
        }
        py.detach(|| std::thread::sleep(Duration::from_millis(1)));
    }
}

/// A progress sink that periodically calls the callback and lets Python handle signals.
fn sink(
    limits: &Limits,
    session: Option<&Arc<Session>>,
    callback: Option<Py<PyAny>>,
    main: bool,
    begun: Instant,
    before: usize,
    raised: &Arc<Mutex<Option<PyErr>>>,
) -> Sink {
    let (cancel, most, session, raised) = (limits.cancel.clone(), limits.bytes, session.cloned(), Arc::clone(raised));
    let last = AtomicU64::new(0);
    Arc::new(move |progress: &Progress| {
        // The search does not count the bytes of Python objects.
        let bytes = progress.bytes.saturating_add(session.as_ref().map_or(0, |session| session.bytes()));
        if bytes > most {
            cancel.stop(Limit::Memory);
        }
        if let Some(session) = &session {
            session.watch_path(progress.open);
        }
        let elapsed = begun.elapsed();
        let now = elapsed.as_millis() as u64;
        if now < last.load(Ordering::Relaxed) + PERIOD {
            return;
        }
        last.store(now, Ordering::Relaxed);
        // The search does not count all memory, so the resident size is checked here. A thread checks limits set by the caller more often.
        if resident().is_some_and(|held| held > most_resident(before, most)) {
            cancel.stop(Limit::Memory);
        }
        if !main && callback.is_none() {
            return;
        }
        Python::attach(|py| {
            let told = py.check_signals().and_then(|()| match &callback {
                Some(callback) => {
                    let Progress { expanded, generated, open, lower, upper, .. } = *progress;
                    callback.call1(py, (expanded, generated, open, bytes, lower, upper, elapsed.as_secs_f64())).map(|_| ())
                }
                None => Ok(()),
            });
            if let Err(error) = told {
                cancel.stop(Limit::Time);
                lock(&raised).get_or_insert(error);
            }
        });
    })
}
