//! States, moves and exceptions of games written in Python.
//!
//! A state is any hashable Python object. Searches store states as fixed-size byte strings, so every stored state gets a number, in a
//! table that uses Python's `hash` and `==`. Methods that keep only one path store no states, so Python frees
//! their states as usual.
//!
//! The methods of the library's traits cannot return errors. So an exception is recorded and the cancel flag is set; when the work has
//! stopped, its report is dropped and the exception is raised. After a `KeyboardInterrupt`, the interrupted call is repeated instead, so
//! that the search can be resumed.

use std::cell::RefCell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kibitzer::ask::Refusal;
use kibitzer::limits::{Limit, Limits};
use kibitzer::rules::Cost;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;

use crate::errors::refused;
use crate::table::{NO_ID, Table, UNKNOWN};

/// A state: an object, its hash, and cached facts about it.
pub struct State {
    object: Py<PyAny>,
    hash: u64,
    /// The state's number in the table, once the state is stored.
    id: AtomicU32,
    /// Size of the table at the last look-up that did not find the state.
    missed: u32,
    /// [`UNKNOWN`], or 1 for a goal and 0 for any other state.
    goal: AtomicU8,
}

thread_local! {
    /// The sessions that are active on this thread, in nesting order. The last session in the list records exceptions raised by comparing
    /// two states.
    static CURRENT: RefCell<Vec<Arc<Session>>> = const { RefCell::new(Vec::new()) };
}

impl State {
    pub fn new(object: Py<PyAny>, hash: u64, missed: u32) -> State {
        State { object, hash, id: NO_ID.into(), missed, goal: UNKNOWN.into() }
    }

    #[inline]
    pub fn object<'py>(&self, py: Python<'py>) -> &Bound<'py, PyAny> {
        self.object.bind(py)
    }

    /// The state with this number.
    #[inline]
    fn stored(py: Python<'_>, table: &Table, id: u32) -> State {
        let (object, hash, goal) = table.get(id);
        State { object: object.clone_ref(py), hash, id: id.into(), missed: 0, goal: goal.into() }
    }
}

/// The number of the stored state that equals `object`.
#[inline]
fn find(py: Python<'_>, table: &Table, hash: u64, object: &Bound<'_, PyAny>) -> Option<u32> {
    table.find(hash, |other| other.is(object) || equal(other.bind(py), object))
}

impl Clone for State {
    fn clone(&self) -> State {
        let State { object, hash, id, missed, goal } = self;
        let (id, goal) = (id.load(Ordering::Relaxed).into(), goal.load(Ordering::Relaxed).into());
        State { object: Python::attach(|py| object.clone_ref(py)), hash: *hash, id, missed: *missed, goal }
    }
}

/// Python's `==`.
fn equal(one: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>) -> bool {
    one.eq(other).unwrap_or_else(|error| {
        let py = one.py();
        let Some(session) = CURRENT.with_borrow(|current| current.last().cloned()) else { return false };
        let again = if session.interrupts(py, &error) { one.eq(other) } else { Err(error) };
        again.unwrap_or_else(|error| {
            session.fail(py, error, "==", Some(one));
            false
        })
    })
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.hash == other.hash && (self.object.is(&other.object) || Python::attach(|py| equal(self.object(py), other.object(py))))
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl fmt::Debug for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&repr(&self.object))
    }
}

/// A move: an index into the moves of its state.
#[derive(Clone)]
pub struct Move {
    at: usize,
    all: Arc<[Py<PyAny>]>,
}

impl Move {
    /// All moves of a state.
    pub fn list(objects: Vec<Py<PyAny>>) -> impl Iterator<Item = Move> {
        let all: Arc<[Py<PyAny>]> = objects.into();
        (0..all.len()).map(move |at| Move { at, all: Arc::clone(&all) })
    }

    pub fn object<'py>(&self, py: Python<'py>) -> &Bound<'py, PyAny> {
        self.all[self.at].bind(py)
    }

    /// The result of Python's `str`. If several moves of a state have the same text, those after the first are numbered, as in
    /// `_texts` on the Python side.
    pub fn text(&self) -> String {
        Python::attach(|py| {
            let written =
                |object: &Py<PyAny>| object.bind(py).str().map_or_else(|_| repr(object), |text| text.to_string_lossy().into_owned());
            let text = written(&self.all[self.at]);
            match self.all[..self.at].iter().filter(|&other| written(other) == text).count() {
                0 => text,
                before => format!("{text} #{}", before + 1),
            }
        })
    }
}

impl PartialEq for Move {
    fn eq(&self, other: &Move) -> bool {
        Arc::ptr_eq(&self.all, &other.all) && self.at == other.at || Python::attach(|py| equal(self.object(py), other.object(py)))
    }
}

impl Eq for Move {}

impl Ord for Move {
    fn cmp(&self, other: &Move) -> std::cmp::Ordering {
        self.at.cmp(&other.at)
    }
}

impl PartialOrd for Move {
    fn partial_cmp(&self, other: &Move) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&repr(&self.all[self.at]))
    }
}

/// Python's `repr`, or `?` if it raises an exception.
fn repr(object: &Py<PyAny>) -> String {
    Python::attach(|py| object.bind(py).repr().map_or_else(|_| "?".to_owned(), |text| text.to_string_lossy().into_owned()))
}

/// The stored states and the exceptions of one search.
#[derive(Default)]
pub struct Session {
    trouble: Mutex<Trouble>,
    /// True if an exception was recorded.
    failed: AtomicBool,
    table: Mutex<Table>,
    /// Total bytes of the measured objects, and their number.
    measured: Mutex<(usize, usize)>,
    /// Estimated bytes of all stored objects.
    bytes: AtomicUsize,
    /// Estimated bytes per stored object.
    each: AtomicUsize,
    /// True for a two-player game without `layer`, in which a position might repeat.
    pub unlayered: AtomicBool,
}

#[derive(Default)]
struct Trouble {
    limits: Limits,
    error: Option<PyErr>,
    interrupt: Option<PyErr>,
}

pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    /// Starts work under these limits.
    pub fn begin(self: &Arc<Self>, limits: &Limits) {
        // The stored limits omit the progress sink, because it has a reference to this session.
        lock(&self.trouble).limits = Limits { progress: None, ..limits.clone() };
        CURRENT.with_borrow_mut(|current| current.push(Arc::clone(self)));
    }

    /// Ends the work. Returns the recorded exception.
    pub fn end(&self) -> Option<PyErr> {
        CURRENT.with_borrow_mut(|current| _ = current.pop());
        lock(&self.trouble).error.take()
    }

    /// Returns true if the exception is a `KeyboardInterrupt`, which cancels the work. The caller then repeats the interrupted call, so
    /// that nothing is left half done.
    pub fn interrupts(&self, py: Python<'_>, error: &PyErr) -> bool {
        let interrupts = error.is_instance_of::<PyKeyboardInterrupt>(py);
        if interrupts {
            let mut trouble = lock(&self.trouble);
            trouble.limits.cancel.stop(Limit::Time);
            trouble.interrupt.get_or_insert_with(|| error.clone_ref(py));
        }
        interrupts
    }

    /// Runs `work`, which calls the game, and repeats it after a Ctrl-C. Returns `None` after an exception.
    pub fn attempt<'py, T>(
        &self,
        py: Python<'py>,
        function: &str,
        state: Option<&Bound<'py, PyAny>>,
        mut work: impl FnMut() -> PyResult<T>,
    ) -> Option<T> {
        if self.failed() {
            return None;
        }
        let done = match work() {
            Err(error) if self.interrupts(py, &error) => work(),
            done => done,
        };
        done.map_err(|error| self.fail(py, error, function, state)).ok()
    }

    /// Takes the recorded `KeyboardInterrupt`.
    pub fn interrupted(&self) -> Option<PyErr> {
        lock(&self.trouble).interrupt.take()
    }

    pub fn failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// The limits of the current work.
    pub fn limits(&self) -> Limits {
        lock(&self.trouble).limits.clone()
    }

    /// Ends a search whose path is longer than the number of positions, because a position must have repeated and the search would never
    /// end.
    pub fn watch_path(&self, length: u64) {
        if self.unlayered.load(Ordering::Relaxed) && length > self.stored() as u64 + 1 {
            Python::attach(|py| self.fail(py, comes_back(py, "a position"), "moves", None));
        }
    }

    /// The number of stored states.
    pub fn stored(&self) -> usize {
        lock(&self.table).len()
    }

    /// Estimated bytes of the stored objects.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Records an exception with the state that caused it, and cancels the work.
    pub fn fail(&self, py: Python<'_>, error: PyErr, function: &str, state: Option<&Bound<'_, PyAny>>) {
        self.failed.store(true, Ordering::Relaxed);
        let mut trouble = lock(&self.trouble);
        trouble.limits.cancel.stop(Limit::Time);
        if trouble.error.is_some() {
            return;
        }
        if let Some(state) = state {
            let value = error.value(py);
            let note = format!("in `{function}`, called with the state {}", shown(state));
            // Python 3.10 has no `add_note`, and some exceptions accept no attributes.
            let _ = value.call_method1(intern!(py, "add_note"), (note,));
            let _ = value.setattr(intern!(py, "kibitzer_state"), state);
        }
        trouble.error = Some(error);
    }

    /// Calls a function of the game. Returns `None` after an exception.
    pub fn call<'py>(&self, function: &Function, state: &Bound<'py, PyAny>, mv: Option<&Bound<'py, PyAny>>) -> Option<Bound<'py, PyAny>> {
        let py = state.py();
        self.attempt(py, function.name, Some(state), || function.call(state, mv))
    }

    /// Returns the state for an object: the equal stored state if there is one, otherwise a new state. Returns `None` if the object is not
    /// hashable.
    pub fn state(&self, object: Bound<'_, PyAny>, function: &str, from: Option<&Bound<'_, PyAny>>) -> Option<State> {
        let py = object.py();
        let hash = self.attempt(py, function, from, || object.hash())? as u64;
        let table = lock(&self.table);
        Some(match find(py, &table, hash, &object) {
            Some(id) => State::stored(py, &table, id),
            None => State::new(object.unbind(), hash, table.len() as u32),
        })
    }

    /// Replaces states with equal stored states, faster than by looking up one state at a time, because memory is prefetched.
    pub fn look_up(&self, py: Python<'_>, states: &mut [(State, Cost)]) {
        let table = lock(&self.table);
        table.touch(states.iter().map(|(state, _)| state.hash));
        for (state, _) in states {
            match find(py, &table, state.hash, state.object(py)) {
                Some(id) => *state = State::stored(py, &table, id),
                None => state.missed = table.len() as u32,
            }
        }
    }

    /// The number of a state, which is stored first if necessary.
    pub fn number(&self, state: &State) -> u32 {
        let known = state.id.load(Ordering::Relaxed);
        if known != NO_ID {
            return known;
        }
        Python::attach(|py| {
            let mut table = lock(&self.table);
            // Most states are stored right after a look-up.
            let known = if state.missed as usize == table.len() { None } else { find(py, &table, state.hash, state.object(py)) };
            let id = known.unwrap_or_else(|| {
                self.measure(table.len() + 1, state.object(py));
                table.push(py, &state.object, state.hash, state.goal.load(Ordering::Relaxed))
            });
            state.id.store(id, Ordering::Relaxed);
            id
        })
    }

    /// Returns true if the state is a goal. Calls `find` only if this is not yet known.
    pub fn goal(&self, state: &State, find: impl FnOnce() -> bool) -> bool {
        let id = state.id.load(Ordering::Relaxed);
        let mut goal = state.goal.load(Ordering::Relaxed);
        if goal == UNKNOWN && id != NO_ID {
            goal = lock(&self.table).get(id).2;
        }
        if goal == UNKNOWN {
            goal = u8::from(find());
            state.goal.store(goal, Ordering::Relaxed);
            if id != NO_ID {
                lock(&self.table).set_goal(id, goal);
            }
        }
        goal == 1
    }

    /// The state with this number.
    pub fn numbered(&self, id: u32) -> State {
        Python::attach(|py| State::stored(py, &lock(&self.table), id))
    }

    /// Estimates the size of the stored objects from a sample: the first 64, then every 256th.
    fn measure(&self, count: usize, object: &Bound<'_, PyAny>) {
        if count <= 64 || count.is_multiple_of(256) {
            let size = size_of_object(object).unwrap_or(64);
            let (sum, measured) = &mut *lock(&self.measured);
            (*sum, *measured) = (*sum + size, *measured + 1);
            // The 16 bytes are the garbage collector's header.
            self.each.store(*sum / *measured + 16 + Table::BYTES, Ordering::Relaxed);
        }
        self.bytes.store(self.each.load(Ordering::Relaxed) * count, Ordering::Relaxed);
    }
}

fn size_of_object(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    object.py().import(intern!(object.py(), "sys"))?.call_method1(intern!(object.py(), "getsizeof"), (object,))?.extract()
}

/// The error for a game in which a position repeats.
pub fn comes_back(py: Python<'_>, position: &str) -> PyErr {
    let help = "set `repeats = True` in the class, or count the moves in the state and end the game in `terminal`";
    refused(py, Refusal::board(format!("{position} repeats"), help))
}

/// The text that represents an object in an error message.
pub fn shown(object: &Bound<'_, PyAny>) -> String {
    kibitzer::notation::shorten(&repr(object.as_unbound()))
}

/// A function of the game, and its name.
pub struct Function {
    pub object: Py<PyAny>,
    pub name: &'static str,
}

impl Function {
    /// Calls the function without building an argument tuple, which can take as long as the function itself.
    #[inline]
    pub fn call<'py>(&self, state: &Bound<'py, PyAny>, mv: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let (function, first, end) = (self.object.as_ptr(), state.as_ptr(), std::ptr::null_mut::<ffi::PyObject>());
        // SAFETY: the arguments are objects that live during the call, followed by null. The result is a new reference or null.
        unsafe {
            let value = match mv {
                None => ffi::PyObject_CallFunctionObjArgs(function, first, end),
                Some(mv) => ffi::PyObject_CallFunctionObjArgs(function, first, mv.as_ptr(), end),
            };
            Bound::from_owned_ptr_or_err(state.py(), value)
        }
    }
}
