//! A two-player game written in Python, as the library sees it.

use kibitzer::drawing::Drawing;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Input, Notation, OptionError, ReadError};
use kibitzer::rules::{Game, Rules, Score};
use kibitzer::scene::Scene;
use pyo3::intern;
use pyo3::prelude::*;

use crate::problem::text_scene;
use crate::session::{Core, Function, Move, State, optional};

/// A game of a class that was written in Python.
pub struct CustomGame {
    pub core: Core,
    terminal: Option<Function>,
    impartial: bool,
}

impl CustomGame {
    pub fn new(adapter: &Bound<'_, PyAny>) -> PyResult<CustomGame> {
        let impartial = adapter.getattr(intern!(adapter.py(), "impartial"))?.extract()?;
        Ok(CustomGame { core: Core::new(adapter)?, terminal: optional(adapter, "terminal")?, impartial })
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

    fn layer(&self, state: &State) -> Option<u32> {
        self.core.layer(state)
    }

    fn state_bytes(&self) -> usize {
        4
    }

    fn pack(&self, state: &State, out: &mut [u8]) {
        out.copy_from_slice(&self.core.session.number(state).to_le_bytes());
    }

    fn unpack(&self, bytes: &[u8]) -> State {
        self.core.session.numbered(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }
}

impl Game for CustomGame {
    fn terminal(&self, state: &State) -> Option<Score> {
        Python::attach(|py| {
            let object = state.object(py);
            if let Some(terminal) = &self.terminal {
                let value = self.core.session.call(terminal, (object,), object)?;
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

impl Notation for CustomGame {
    const NAME: &'static str = "game";
    const ABOUT: &'static str = "a game written in Python";
    const RULES: &'static str = "";
    const SAMPLE: &'static str = "";

    fn name(&self) -> &'static str {
        self.core.name
    }

    fn read(_: &Input<'_>) -> Result<Self, ReadError> {
        let message = "a game written in Python is not read from a text".to_owned();
        Err(OptionError { message, help: "make an object of its class".to_owned() }.into())
    }

    fn write(&self, state: &State) -> String {
        self.core.text(state)
    }

    fn write_move(&self, _: &State, mv: &Move) -> String {
        mv.text()
    }

    fn ascii(&self, state: &State) -> String {
        self.core.text(state)
    }
}

impl Drawing for CustomGame {
    fn scene(&self, state: &State, limits: &Limits) -> Result<Scene, Limit> {
        limits.check()?;
        Ok(text_scene(self.core.name, &self.core.text(state)))
    }

    fn clicks(&self, _: &State, mv: &Move) -> Vec<String> {
        vec![mv.text()]
    }
}
