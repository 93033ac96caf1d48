//! Implements the part of the library's traits that one-player problems and two-player games written in Python share.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, OnceLock};

use kibitzer::drawing::Drawing;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Fault, Info, Input, Notation, ReadError};
use kibitzer::rules::{Cost, Pack, Rules};
use kibitzer::scene::{Form, Paint, Scene};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::session::{Function, Move, Session, State, lock, shown};

/// Maximum number of states in a search that confirms an answer. Rules in Python are much slower than in Rust, and confirming an answer
/// should not take a minute if finding it took only a moment.
const VERIFIED_STATES: u64 = 10_000;

/// Number of children that are looked up at a time.
const TOGETHER: usize = 16;

/// An instance of a Python class: the functions that every game has, and those specific to problems or to games.
pub struct Own<K> {
    pub name: &'static str,
    pub session: Arc<Session>,
    pub start: State,
    pub moves: Function,
    apply: Function,
    canonical: Option<Function>,
    pub layer: Option<Function>,
    pub kind: K,
}

/// The part that differs between one-player problems and two-player games.
pub trait Kind: Send + Sync + Sized + 'static {
    const NAME: &'static str;
    const ABOUT: &'static str;

    /// A number that strictly increases with every move, if the game has such a number.
    fn layer(own: &Own<Self>, state: &State) -> Option<u32> {
        own.written_layer(state)
    }
}

impl<K> Own<K> {
    /// Reads the functions from the attributes of `adapter`, which the Python side builds.
    pub fn new(adapter: &Bound<'_, PyAny>, kind: K) -> PyResult<Own<K>> {
        let py = adapter.py();
        let name: String = adapter.getattr(intern!(py, "name"))?.extract()?;
        let start = adapter.getattr(intern!(py, "state"))?;
        let hash = start.hash()? as u64;
        Ok(Own {
            name: permanent(&name),
            session: Arc::default(),
            start: State::new(start.unbind(), hash, 0),
            moves: required(adapter, "moves")?,
            apply: required(adapter, "apply")?,
            canonical: optional(adapter, "canonical")?,
            layer: optional(adapter, "layer")?,
            kind,
        })
    }

    /// Calls `each` with every move of a state, until `each` returns false.
    pub fn each_move<'py>(&self, py: Python<'py>, state: &State, mut each: impl FnMut(Bound<'py, PyAny>) -> bool) {
        let object = state.object(py);
        let mut given = 0;
        self.session.attempt(py, self.moves.name, Some(object), || {
            let moves = self.moves.call(object, None)?;
            // After a Ctrl-C, moves that were already passed to `each` are skipped.
            if let Ok(moves) = moves.cast_exact::<PyList>() {
                // The length is read in every iteration, because `each` may change the list.
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

    /// Calls `emit` with the canonical state after each move, and the cost of the move.
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

    /// The layer that the class defines, if any.
    pub fn written_layer(&self, state: &State) -> Option<u32> {
        let layer = self.layer.as_ref()?;
        Python::attach(|py| {
            let object = state.object(py);
            let number = self.session.call(layer, object, None)?;
            number.extract().map_err(|_| self.wrong(&number, layer, "a whole number of at least 0", object)).ok()
        })
    }

    /// Records an exception: `function` returned a value that is not allowed.
    pub fn wrong(&self, value: &Bound<'_, PyAny>, function: &Function, wanted: &str, state: &Bound<'_, PyAny>) {
        let message = format!("`{}` returned {}, which is not {wanted}", function.name, shown(value));
        self.session.fail(value.py(), PyValueError::new_err(message), function.name, Some(state));
    }
}

impl<K: Kind> Pack<Own<K>> for State {
    fn bytes(_: &Own<K>) -> usize {
        4
    }

    fn pack(&self, rules: &Own<K>, out: &mut [u8]) {
        out.copy_from_slice(&rules.session.number(self).to_le_bytes());
    }

    fn unpack(rules: &Own<K>, bytes: &[u8]) -> Self {
        rules.session.numbered(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }
}

impl<K: Kind> Rules for Own<K> {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        self.start.clone()
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        let mut all = Vec::new();
        Python::attach(|py| {
            self.each_move(py, state, |object| {
                all.push(object.unbind());
                true
            });
        });
        out.extend(Move::list(all));
    }

    /// Returns the state after a move, or the same state after an exception.
    fn apply(&self, state: &State, mv: &Move) -> State {
        Python::attach(|py| {
            let object = state.object(py);
            let after = self.session.call(&self.apply, object, Some(mv.object(py)));
            after.and_then(|after| self.session.state(after, self.apply.name, Some(object))).unwrap_or_else(|| state.clone())
        })
    }

    fn canonical(&self, state: State) -> State {
        let Some(canonical) = &self.canonical else { return state };
        Python::attach(|py| {
            let object = state.object(py);
            let folded = self.session.call(canonical, object, None);
            folded.and_then(|folded| self.session.state(folded, canonical.name, Some(object))).unwrap_or_else(|| state.clone())
        })
    }

    /// Returns 1 if no states are merged, and a different number otherwise. Orbit sizes are not known, so all states are counted a second
    /// time, without symmetry.
    fn orbit(&self, _: &State) -> u64 {
        if self.canonical.is_some() { 2 } else { 1 }
    }

    fn layer(&self, state: &State) -> Option<u32> {
        K::layer(self, state)
    }
}

impl<K: Kind> Notation for Own<K> {
    const INFO: Info<Self> = Info { name: K::NAME, about: K::ABOUT, verified_states: VERIFIED_STATES, ..Info::EMPTY };

    fn name(&self) -> &'static str {
        self.name
    }

    fn read(_: &Input<'_>) -> Result<Self, ReadError> {
        let message = format!("{} cannot be read from text", K::ABOUT);
        Err(Fault { message, help: "create an instance of its class".to_owned() }.into())
    }

    fn write(&self, state: &State) -> String {
        self.ascii(state)
    }

    fn write_move(&self, _: &State, mv: &Move) -> String {
        mv.text()
    }

    /// The result of Python's `str`.
    fn ascii(&self, state: &State) -> String {
        Python::attach(|py| state.object(py).str().map_or_else(|_| shown(state.object(py)), |text| text.to_string_lossy().into_owned()))
    }
}

impl<K: Kind> Drawing for Own<K> {
    /// The text of the state. If the class draws its states, the Python side uses that drawing instead.
    fn scene(&self, state: &State, limits: &Limits) -> Result<Scene, Limit> {
        limits.check()?;
        let text = self.ascii(state);
        let lines: Vec<&str> = text.lines().collect();
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let (width, height) = (11.0 * longest as f64 + 24.0, 22.0 * lines.len().max(1) as f64 + 18.0);
        let mut scene = Scene { title: self.name.to_owned(), width, height, ..Scene::default() };
        for (at, line) in lines.iter().enumerate() {
            let form = Form::Text { x: width / 2.0, y: 22.0 * at as f64 + 20.0, size: 16.0, text: (*line).to_owned() };
            scene.add(form, Paint::Ink);
        }
        Ok(scene)
    }

    fn clicks(&self, _: &State, mv: &Move) -> Vec<String> {
        vec![mv.text()]
    }
}

/// Returns a function that the class must define.
pub fn required(adapter: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Function> {
    Ok(Function { object: adapter.getattr(name)?.unbind(), name })
}

/// Returns an optional function of the class, or `None` if the class does not define it.
pub fn optional(adapter: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Option<Function>> {
    let object = adapter.getattr(name)?;
    Ok((!object.is_none()).then(|| Function { object: object.unbind(), name }))
}

/// A copy of `text` that is never freed. Used only for names and descriptions in classes, so few strings are kept.
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
