//! What games written in Python share: their states, calls of their functions, and what goes wrong there.
//!
//! A state is any hashable Python object. A search keeps states as rows of bytes, so those that it stores get numbers, in a
//! table by Python's own `hash` and `==`; methods that keep one path only store none, and their states go when they are left.
//!
//! The traits of the library cannot fail. So an exception is kept, the cancel flag is set, and whatever is answered from then
//! on does not matter: the report is thrown away and the exception raised. A `KeyboardInterrupt` is different: what it ended is
//! done again, so that the search stays whole and can be resumed.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use kibitzer::ask::{Kind, Refusal};
use kibitzer::limits::{Limit, Limits};
use kibitzer::rules::Cost;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::errors::raise;
use crate::table::{NO_ID, Table, UNKNOWN};

/// A state: an object, its hash, and what was found out about it.
pub struct State {
    object: Py<PyAny>,
    hash: u64,
    /// Its number in the table, once it is stored.
    id: AtomicU32,
    /// How many states there were when it was not among them.
    missed: u32,
    /// [`UNKNOWN`], or whether it is a goal.
    goal: AtomicU8,
}

thread_local! {
    /// The sessions at work on this thread, the innermost last: `==` of states has no other way to find its own.
    static CURRENT: RefCell<Vec<Arc<Session>>> = const { RefCell::new(Vec::new()) };
}

impl State {
    fn new(object: Py<PyAny>, hash: u64, missed: u32) -> State {
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

/// The number of a state in a table.
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

/// A move: its place among the moves of its state, and all of those.
#[derive(Clone)]
pub struct Move {
    at: usize,
    all: Arc<[Py<PyAny>]>,
}

impl Move {
    pub fn object<'py>(&self, py: Python<'py>) -> &Bound<'py, PyAny> {
        self.all[self.at].bind(py)
    }

    /// What `str` makes of it. Where that is the same for several moves of a state, those after the first are numbered, as
    /// `_texts` does on the Python side.
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

/// Python's `repr`, or a word where that fails.
pub fn repr(object: &Py<PyAny>) -> String {
    Python::attach(|py| object.bind(py).repr().map_or_else(|_| "?".to_owned(), |text| text.to_string_lossy().into_owned()))
}

/// A game at work, as all methods see it.
#[derive(Default)]
pub struct Session {
    trouble: Mutex<Trouble>,
    /// Was there an exception?
    failed: AtomicBool,
    table: Mutex<Table>,
    /// Bytes of the objects that were measured, and how many were.
    measured: Mutex<(usize, usize)>,
    /// What the stored objects take, about: all, and each.
    bytes: AtomicUsize,
    each: AtomicUsize,
    /// A game for two that does not say its layers: a position may come back.
    pub unlayered: AtomicBool,
}

#[derive(Default)]
struct Trouble {
    limits: Limits,
    error: Option<PyErr>,
    interrupt: Option<PyErr>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    /// Work begins under these limits.
    pub fn begin(self: &Arc<Self>, limits: &Limits) {
        // Without the sink, which holds this session.
        lock(&self.trouble).limits = Limits { progress: None, ..limits.clone() };
        CURRENT.with_borrow_mut(|current| current.push(Arc::clone(self)));
    }

    /// Work has ended: the exception that came up, if one did.
    pub fn end(&self) -> Option<PyErr> {
        CURRENT.with_borrow_mut(|current| _ = current.pop());
        lock(&self.trouble).error.take()
    }

    /// Is this exception a Ctrl-C? Then the work ends, and what was interrupted is to be done again, so that nothing is half
    /// done.
    pub fn interrupts(&self, py: Python<'_>, error: &PyErr) -> bool {
        let interrupts = error.is_instance_of::<PyKeyboardInterrupt>(py);
        if interrupts {
            let mut trouble = lock(&self.trouble);
            trouble.limits.cancel.stop(Limit::Time);
            trouble.interrupt.get_or_insert_with(|| error.clone_ref(py));
        }
        interrupts
    }

    /// Does something about a state that calls the game, and does it again after a Ctrl-C; none after an exception.
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

    /// The Ctrl-C that came up, if one did.
    pub fn interrupted(&self) -> Option<PyErr> {
        lock(&self.trouble).interrupt.take()
    }

    pub fn failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// What the work that goes on may spend.
    pub fn limits(&self) -> Limits {
        lock(&self.trouble).limits.clone()
    }

    /// Ends a search whose path is longer than there are positions: one of them has come back, and it would go on forever.
    pub fn watch_path(&self, length: u64) {
        if self.unlayered.load(Ordering::Relaxed) && length > self.stored() as u64 + 1 {
            Python::attach(|py| self.fail(py, comes_back(py, "a position"), "moves", None));
        }
    }

    /// States that are stored.
    pub fn stored(&self) -> usize {
        lock(&self.table).len()
    }

    /// Bytes of the stored objects, about.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Keeps an exception, with the state that caused it, and ends the work.
    pub fn fail(&self, py: Python<'_>, error: PyErr, function: &str, state: Option<&Bound<'_, PyAny>>) {
        self.failed.store(true, Ordering::Relaxed);
        let mut trouble = lock(&self.trouble);
        trouble.limits.cancel.stop(Limit::Time);
        if trouble.error.is_some() {
            return;
        }
        if let Some(state) = state {
            let value = error.value(py);
            let note = format!("while `{function}` was asked about the state {}", shown(state));
            // Notes came with Python 3.11; some exceptions take no attributes.
            let _ = value.call_method1(intern!(py, "add_note"), (note,));
            let _ = value.setattr(intern!(py, "kibitzer_state"), state);
        }
        trouble.error = Some(error);
    }

    /// Calls a function of the game about a state; None after an exception.
    pub fn call<'py>(&self, function: &Function, state: &Bound<'py, PyAny>, mv: Option<&Bound<'py, PyAny>>) -> Option<Bound<'py, PyAny>> {
        let py = state.py();
        self.attempt(py, function.name, Some(state), || function.call(state, mv))
    }

    /// An object as a state: the one that is stored, if it is. None if it has no hash.
    pub fn state(&self, object: Bound<'_, PyAny>, function: &str, from: Option<&Bound<'_, PyAny>>) -> Option<State> {
        let py = object.py();
        let hash = self.attempt(py, function, from, || object.hash())? as u64;
        let table = lock(&self.table);
        Some(match find(py, &table, hash, &object) {
            Some(id) => State::stored(py, &table, id),
            None => State::new(object.unbind(), hash, table.len() as u32),
        })
    }

    /// Looks for some states at once.
    fn look_up(&self, py: Python<'_>, states: &mut [(State, Cost)]) {
        let table = lock(&self.table);
        table.touch(states.iter().map(|(state, _)| state.hash));
        for (state, _) in states {
            match find(py, &table, state.hash, state.object(py)) {
                Some(id) => *state = State::stored(py, &table, id),
                None => state.missed = table.len() as u32,
            }
        }
    }

    /// The number of a state; it is stored if it is not yet.
    pub fn number(&self, state: &State) -> u32 {
        let known = state.id.load(Ordering::Relaxed);
        if known != NO_ID {
            return known;
        }
        Python::attach(|py| {
            let mut table = lock(&self.table);
            // Most states are stored at once after they were looked for.
            let known = if state.missed as usize == table.len() { None } else { find(py, &table, state.hash, state.object(py)) };
            let id = known.unwrap_or_else(|| {
                self.measure(table.len() + 1, state.object(py));
                table.push(py, &state.object, state.hash, state.goal.load(Ordering::Relaxed))
            });
            state.id.store(id, Ordering::Relaxed);
            id
        })
    }

    /// Whether a state is a goal, which the game is asked once.
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

    /// Estimates what the stored objects take: the first ones are measured, and then some.
    fn measure(&self, count: usize, object: &Bound<'_, PyAny>) {
        if count <= 64 || count.is_multiple_of(256) {
            let size = size_of_object(object).unwrap_or(64);
            let (sum, measured) = &mut *lock(&self.measured);
            (*sum, *measured) = (*sum + size, *measured + 1);
            // The object with what the garbage collector needs.
            self.each.store(*sum / *measured + 16 + Table::BYTES, Ordering::Relaxed);
        }
        self.bytes.store(self.each.load(Ordering::Relaxed) * count, Ordering::Relaxed);
    }
}

fn size_of_object(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    object.py().import(intern!(object.py(), "sys"))?.call_method1(intern!(object.py(), "getsizeof"), (object,))?.extract()
}

/// What there is to say about a game in which a position comes back.
pub fn comes_back(py: Python<'_>, position: &str) -> PyErr {
    let help = "only games in which no position can come back are solved; count the moves in the state, and end the game by `terminal`";
    raise(py, &Refusal::new(Kind::Board, format!("{position} comes back"), help))
}

/// An object in an error message.
pub fn shown(object: &Bound<'_, PyAny>) -> String {
    kibitzer::notation::shorten(&object.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string_lossy().into_owned()))
}

/// A function of the game, and what it is called.
pub struct Function {
    pub object: Py<PyAny>,
    pub name: &'static str,
}

/// Rules in Python are some hundred times as slow as in Rust: an answer that takes a moment should not take a minute to confirm.
pub const VERIFIED_STATES: u64 = 10_000;

impl Function {
    /// Calls it, without making a tuple of the arguments: that would cost as much as many a function takes.
    #[inline]
    fn call<'py>(&self, state: &Bound<'py, PyAny>, mv: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let (function, first, end) = (self.object.as_ptr(), state.as_ptr(), std::ptr::null_mut::<ffi::PyObject>());
        // SAFETY: these are objects that live during the call, ended by null; a new reference comes back, or null.
        unsafe {
            let value = match mv {
                None => ffi::PyObject_CallFunctionObjArgs(function, first, end),
                Some(mv) => ffi::PyObject_CallFunctionObjArgs(function, first, mv.as_ptr(), end),
            };
            Bound::from_owned_ptr_or_err(state.py(), value)
        }
    }
}

/// Children that are looked up together.
const TOGETHER: usize = 16;

/// What problems and games have in common.
pub struct Core {
    pub name: &'static str,
    pub session: Arc<Session>,
    pub start: State,
    pub moves: Function,
    pub apply: Function,
    pub canonical: Option<Function>,
    pub layer: Option<Function>,
}

impl Core {
    /// From an object of the Python side with these functions as attributes.
    pub fn new(adapter: &Bound<'_, PyAny>) -> PyResult<Core> {
        let py = adapter.py();
        let session = Arc::new(Session::default());
        let name: String = adapter.getattr(intern!(py, "name"))?.extract()?;
        let start = adapter.getattr(intern!(py, "state"))?;
        let hash = start.hash()? as u64;
        let start = State::new(start.unbind(), hash, 0);
        Ok(Core {
            name: permanent(&name),
            session,
            start,
            moves: required(adapter, "moves")?,
            apply: required(adapter, "apply")?,
            canonical: optional(adapter, "canonical")?,
            layer: optional(adapter, "layer")?,
        })
    }

    /// Gives `each` every move of a state, until it says that this is enough.
    pub fn each_move<'py>(&self, py: Python<'py>, state: &State, mut each: impl FnMut(Bound<'py, PyAny>) -> bool) {
        let object = state.object(py);
        let mut given = 0;
        self.session.attempt(py, self.moves.name, Some(object), || {
            let moves = self.moves.call(object, None)?;
            // Those that were given before a Ctrl-C are not given again.
            if let Ok(moves) = moves.cast_exact::<PyList>() {
                // As an iterator does it, since the list may change meanwhile, but without one.
                while given < moves.len() {
                    given += 1;
                    if !each(moves.get_item(given - 1)?) {
                        break;
                    }
                }
                return Ok(());
            }
            for mv in moves.try_iter()?.skip(given) {
                given += 1;
                if !each(mv.inspect_err(|_| given -= 1)?) {
                    break;
                }
            }
            Ok(())
        });
    }

    pub fn moves(&self, state: &State, out: &mut Vec<Move>) {
        let mut all = Vec::new();
        Python::attach(|py| {
            self.each_move(py, state, |object| {
                all.push(object.unbind());
                true
            });
        });
        let all: Arc<[Py<PyAny>]> = all.into();
        out.extend((0..all.len()).map(|at| Move { at, all: Arc::clone(&all) }));
    }

    /// Gives `emit` the states after all moves, up to symmetry, and what the moves cost.
    pub fn expand(
        &self,
        state: &State,
        mut price: impl FnMut(&Bound<'_, PyAny>) -> Cost,
        mut emit: impl FnMut(State, Cost) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let session = &self.session;
        let mut give = |py: Python<'_>, children: &mut Vec<(State, Cost)>| {
            session.look_up(py, children);
            children.drain(..).try_for_each(|(child, cost)| emit(child, cost))
        };
        let (mut flow, mut children) = (ControlFlow::Continue(()), Vec::with_capacity(TOGETHER));
        Python::attach(|py| {
            let object = state.object(py);
            self.each_move(py, state, |mv| {
                let mut after = session.call(&self.apply, object, Some(&mv));
                if let (Some(canonical), Some(state)) = (&self.canonical, &after) {
                    after = session.call(canonical, state, None);
                }
                let Some(after) = after else { return false };
                let Some(hash) = session.attempt(py, self.apply.name, Some(object), || after.hash()) else { return false };
                children.push((State::new(after.unbind(), hash as u64, 0), price(&mv)));
                if children.len() == TOGETHER {
                    flow = give(py, &mut children);
                }
                flow.is_continue() && !session.failed()
            });
            if flow.is_continue() && !session.failed() {
                flow = give(py, &mut children);
            }
        });
        flow
    }

    /// The state after a move; the same state after an exception.
    pub fn apply(&self, state: &State, mv: &Bound<'_, PyAny>) -> State {
        let object = state.object(mv.py());
        let after = self.session.call(&self.apply, object, Some(mv));
        after.and_then(|after| self.session.state(after, self.apply.name, Some(object))).unwrap_or_else(|| state.clone())
    }

    /// Anything but one where states are merged: then spaces are counted without symmetry state by state, since nobody knows how
    /// many are merged.
    pub fn orbit(&self) -> u64 {
        if self.canonical.is_some() { 2 } else { 1 }
    }

    pub fn canonical(&self, state: State) -> State {
        let Some(canonical) = &self.canonical else { return state };
        Python::attach(|py| {
            let object = state.object(py);
            let folded = self.session.call(canonical, object, None);
            folded.and_then(|folded| self.session.state(folded, canonical.name, Some(object))).unwrap_or_else(|| state.clone())
        })
    }

    pub fn layer(&self, state: &State) -> Option<u32> {
        let layer = self.layer.as_ref()?;
        Python::attach(|py| {
            let object = state.object(py);
            let number = self.session.call(layer, object, None)?;
            self.number(&number, layer, object)
        })
    }

    /// A whole number from the game; none, and an exception, for anything else.
    pub fn number(&self, value: &Bound<'_, PyAny>, function: &Function, state: &Bound<'_, PyAny>) -> Option<Cost> {
        value.extract().map_err(|_| self.wrong(value, function, "a whole number from 0 on", state)).ok()
    }

    /// Keeps an exception: a function gave something that it may not give.
    pub fn wrong(&self, value: &Bound<'_, PyAny>, function: &Function, wanted: &str, state: &Bound<'_, PyAny>) {
        let message = format!("`{}` gave {}, which is not {wanted}", function.name, shown(value));
        self.session.fail(value.py(), pyo3::exceptions::PyValueError::new_err(message), function.name, Some(state));
    }

    pub fn text(&self, state: &State) -> String {
        Python::attach(|py| state.object(py).str().map_or_else(|_| shown(state.object(py)), |text| text.to_string_lossy().into_owned()))
    }
}

/// A function of the game that must be there.
pub fn required(adapter: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Function> {
    Ok(Function { object: adapter.getattr(name)?.unbind(), name })
}

/// A function of the game that may be None.
pub fn optional(adapter: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Option<Function>> {
    let object = adapter.getattr(name)?;
    Ok((!object.is_none()).then(|| Function { object: object.unbind(), name }))
}

/// A text that stays: names of classes, of which there are few.
pub fn permanent(text: &str) -> &'static str {
    static TEXTS: OnceLock<Mutex<HashSet<&'static str>>> = OnceLock::new();
    let mut texts = lock(TEXTS.get_or_init(Mutex::default));
    if let Some(known) = texts.get(text) {
        return known;
    }
    let kept: &'static str = Box::leak(text.to_owned().into_boxed_str());
    texts.insert(kept);
    kept
}
