//! Two-player games written in Python.

use std::sync::Mutex;
use std::sync::atomic::Ordering;

use kibitzer::limits::Limit;
use kibitzer::rules::{Game, Rules, Score};
use pyo3::intern;
use pyo3::prelude::*;

use crate::own::{Kind, Own, optional};
use crate::session::{Function, State, comes_back, lock, shown};

/// A two-player game written in Python.
pub type CustomGame = Own<TwoPlayer>;

/// The functions that only two-player games have.
pub struct TwoPlayer {
    terminal: Option<Function>,
    impartial: bool,
    /// True if the class says that positions can repeat.
    repeats: bool,
    /// The layers of a game that does not define `layer`.
    heights: Option<Mutex<Heights>>,
}

/// The length of the longest game from each position, by state number. These lengths serve as layers if the game does not define `layer`.
#[derive(Default)]
struct Heights {
    known: Vec<u32>,
}

const NOT_YET: u32 = u32::MAX;
/// Marks a state on the current path.
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

    /// Computes the height of a canonical state. Returns `None` after a limit or an exception, or if a position repeats, but keeps the
    /// heights that are already known.
    fn of(&mut self, game: &CustomGame, state: &State) -> Option<u32> {
        let session = &game.session;
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
    pub fn from_adapter(adapter: &Bound<'_, PyAny>) -> PyResult<CustomGame> {
        let impartial = adapter.getattr(intern!(adapter.py(), "impartial"))?.extract()?;
        let repeats = adapter.getattr(intern!(adapter.py(), "repeats"))?.extract()?;
        let mut game = Own::new(adapter, TwoPlayer { terminal: optional(adapter, "terminal")?, impartial, repeats, heights: None })?;
        let unlayered = game.layer.is_none() && !repeats;
        game.kind.heights = unlayered.then(Mutex::default);
        game.session.unlayered.store(unlayered, Ordering::Relaxed);
        Ok(game)
    }

    /// Lists the state numbers of the positions that can be reached by one move.
    fn after(&self, state: &State) -> Vec<u32> {
        let mut moves = Vec::new();
        if self.terminal(state).is_none() {
            self.moves(state, &mut moves);
        }
        moves.iter().map(|mv| self.session.number(&self.canonical(self.apply(state, mv)))).collect()
    }

    /// Ends the work with an exception because a position repeats. Games in which positions repeat cannot be solved.
    fn comes_back(&self, py: Python<'_>, state: &State) {
        let error = comes_back(py, &format!("the position {}", shown(state.object(py))));
        self.session.fail(py, error, self.moves.name, None);
    }

    /// Reads the result of `terminal`.
    fn score(&self, value: &Bound<'_, PyAny>, function: &Function, state: &Bound<'_, PyAny>) -> Option<Score> {
        if value.is_none() {
            return None;
        }
        match value.extract::<String>().as_deref() {
            Ok("win") => Some(Score::Win),
            Ok("draw") => Some(Score::Draw),
            Ok("loss") => Some(Score::Loss),
            _ => {
                self.wrong(value, function, "\"win\", \"draw\", \"loss\" or None", state);
                Some(Score::Loss)
            }
        }
    }
}

impl Kind for TwoPlayer {
    const NAME: &'static str = "game";
    const ABOUT: &'static str = "a game written in Python";

    fn layer(own: &CustomGame, state: &State) -> Option<u32> {
        if own.kind.repeats {
            return None;
        }
        let Some(heights) = &own.kind.heights else { return own.written_layer(state) };
        let heights = &mut *lock(heights);
        let start = heights.of(own, &own.canonical(own.start.clone()))?;
        // A position that cannot be reached from the start may have a greater height than the start, but its layer does not matter.
        Some(start.saturating_sub(heights.of(own, &own.canonical(state.clone()))?))
    }
}

impl Game for CustomGame {
    fn terminal(&self, state: &State) -> Option<Score> {
        Python::attach(|py| {
            let object = state.object(py);
            if let Some(terminal) = &self.kind.terminal {
                let value = self.session.call(terminal, object, None)?;
                if let Some(score) = self.score(&value, terminal, object) {
                    return Some(score);
                }
            }
            let mut over = true;
            self.each_move(py, state, |_| {
                over = false;
                false
            });
            over.then_some(Score::Loss)
        })
    }

    fn impartial(&self) -> bool {
        self.kind.impartial
    }

    /// Computing the layers of a game without `layer` takes as long as solving it.
    fn repeats(&self) -> bool {
        self.kind.repeats
    }
}
