//! A two-player game written in Python, as the library sees it.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use kibitzer::limits::{Limit, Limits};
use kibitzer::rules::{Game, Pack, Rules, Score};
use pyo3::intern;
use pyo3::prelude::*;

use crate::session::{Core, Function, Move, State, comes_back, optional, shown};
use crate::text::shown_as_text;

/// A game of a class that was written in Python.
pub struct CustomGame {
    pub core: Core,
    terminal: Option<Function>,
    impartial: bool,
    /// For a game that does not say its layers.
    heights: Option<Mutex<Heights>>,
}

/// How long the longest game from a position is: what makes layers of a game that says none. States are known by the numbers
/// under which the session stores them.
#[derive(Default)]
struct Heights {
    known: Vec<u32>,
}

const NOT_YET: u32 = u32::MAX;
/// On the path from the position that was asked about.
const ON_PATH: u32 = u32::MAX - 1;

impl Heights {
    fn get(&self, id: u32) -> u32 {
        self.known.get(id as usize).copied().unwrap_or(NOT_YET)
    }

    fn set(&mut self, id: u32, height: u32) {
        if self.known.len() <= id as usize {
            self.known.resize(id as usize + 1, NOT_YET);
        }
        self.known[id as usize] = height;
    }

    /// The height of a canonical state; none after a limit, an exception, or if a position comes back. What is known by then
    /// stays known.
    fn of(&mut self, game: &CustomGame, state: &State) -> Option<u32> {
        let session = &game.core.session;
        let root = session.number(state);
        if self.get(root) < ON_PATH {
            return Some(self.get(root));
        }
        let limits = session.limits();
        let mut path = vec![(root, game.after(state))];
        self.set(root, ON_PATH);
        while let Some((id, open)) = path.last_mut() {
            let stop = match session.stored() as u64 > limits.nodes {
                true => Some(Limit::Nodes),
                false => limits.room(session.bytes() + 4 * self.known.len()).err(),
            };
            if let Some(limit) = stop {
                limits.cancel.stop(limit);
            }
            let ended = limits.check().is_err() || session.failed();
            let next = open.iter().copied().find(|&next| self.get(next) >= ON_PATH);
            match next {
                Some(next) if ended || self.get(next) == ON_PATH => {
                    if !ended {
                        Python::attach(|py| game.comes_back(py, &session.numbered(next)));
                    }
                    path.iter().for_each(|&(id, _)| self.set(id, NOT_YET));
                    return None;
                }
                Some(next) => {
                    self.set(next, ON_PATH);
                    path.push((next, game.after(&session.numbered(next))));
                }
                None => {
                    let height = open.iter().map(|&next| self.get(next) + 1).max().unwrap_or(0);
                    let id = *id;
                    self.set(id, height);
                    path.pop();
                }
            }
        }
        (!session.failed()).then(|| self.get(root))
    }
}

impl CustomGame {
    pub fn new(adapter: &Bound<'_, PyAny>) -> PyResult<CustomGame> {
        let impartial = adapter.getattr(intern!(adapter.py(), "impartial"))?.extract()?;
        let core = Core::new(adapter)?;
        let heights = core.layer.is_none().then(Mutex::default);
        core.session.unlayered.store(heights.is_some(), Ordering::Relaxed);
        Ok(CustomGame { core, terminal: optional(adapter, "terminal")?, impartial, heights })
    }

    /// The numbers of the positions after this one.
    fn after(&self, state: &State) -> Vec<u32> {
        let mut moves = Vec::new();
        if self.terminal(state).is_none() {
            self.moves(state, &mut moves);
        }
        moves.iter().map(|mv| self.core.session.number(&self.canonical(self.apply(state, mv)))).collect()
    }

    /// Ends the work: such games are not solved.
    fn comes_back(&self, py: Python<'_>, state: &State) {
        let error = comes_back(py, &format!("the position {}", shown(state.object(py))));
        self.core.session.fail(py, error, self.core.moves.name, None);
    }

    /// What a game may say about its end.
    fn score(&self, value: &Bound<'_, PyAny>, function: &Function, state: &Bound<'_, PyAny>) -> Option<Score> {
        if value.is_none() {
            return None;
        }
        match value.extract::<String>().as_deref() {
            Ok("win") => Some(Score::Win),
            Ok("draw") => Some(Score::Draw),
            Ok("loss") => Some(Score::Loss),
            _ => {
                self.core.wrong(value, function, "\"win\", \"draw\", \"loss\" or None", state);
                Some(Score::Loss)
            }
        }
    }
}

impl Pack<CustomGame> for State {
    fn bytes(_: &CustomGame) -> usize {
        4
    }

    fn pack(&self, rules: &CustomGame, out: &mut [u8]) {
        out.copy_from_slice(&rules.core.session.number(self).to_le_bytes());
    }

    fn unpack(rules: &CustomGame, bytes: &[u8]) -> Self {
        rules.core.session.numbered(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }
}

impl Rules for CustomGame {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        self.core.start.clone()
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        self.core.moves(state, out);
    }

    fn apply(&self, state: &State, mv: &Move) -> State {
        Python::attach(|py| self.core.apply(state, mv.object(py)))
    }

    fn canonical(&self, state: State) -> State {
        self.core.canonical(state)
    }

    fn orbit(&self, _: &State) -> u64 {
        self.core.orbit()
    }

    fn layer(&self, state: &State) -> Option<u32> {
        match &self.heights {
            None => self.core.layer(state),
            Some(heights) => {
                let heights = &mut *heights.lock().unwrap_or_else(PoisonError::into_inner);
                let start = heights.of(self, &self.canonical(self.core.start.clone()))?;
                // A position that cannot be reached from the start is in nobody's way.
                Some(start.saturating_sub(heights.of(self, &self.canonical(state.clone()))?))
            }
        }
    }
}

impl Game for CustomGame {
    fn terminal(&self, state: &State) -> Option<Score> {
        Python::attach(|py| {
            let object = state.object(py);
            if let Some(terminal) = &self.terminal {
                let value = self.core.session.call(terminal, object, None)?;
                if let Some(score) = self.score(&value, terminal, object) {
                    return Some(score);
                }
            }
            let mut over = true;
            self.core.each_move(py, state, |_| {
                over = false;
                false
            });
            over.then_some(Score::Loss)
        })
    }

    fn impartial(&self) -> bool {
        self.impartial
    }
}

shown_as_text!(CustomGame, "game", "a game written in Python");
