//! A space as bytes: every game as a graph of packed states, behind one object-safe trait.
//!
//! What walks through a whole space (counting it, a cluster, a game written in another language) needs no types of a game,
//! only its states as rows of bytes and, for many of them at once, what follows. One virtual call handles a whole [`Batch`],
//! so it costs nothing that can be measured. [`ProblemSpace`] and [`GameSpace`] make a space of anything that implements
//! [`Problem`] or [`Game`], with symmetry or without.

pub(crate) mod batch;

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

pub use batch::Batch;

use crate::limits::{Limit, Limits};
use crate::rules::{Cost, Game, Packing, Problem, Rules, Score, is_own_image};

/// A graph of packed states. All states have the same width; with symmetry, one stands for all its images.
pub trait Space: Send + Sync {
    /// Bytes of a state.
    fn width(&self) -> usize;

    /// The start.
    fn start(&self) -> Vec<u8>;

    /// A number that grows with every move, if there is one: then no state comes back.
    fn layer(&self, state: &[u8]) -> Option<u32>;

    /// Is the start its own image, so that counts up to symmetry also say how many states there are without it?
    fn is_symmetric(&self) -> bool;

    /// The number of states that this one stands for.
    fn orbit(&self, state: &[u8]) -> u64;

    /// Is it a goal, or the end of a game?
    fn status(&self, state: &[u8]) -> Status;

    /// Writes into `out`, in place of what was there, what each of these states is and all its successors. `limits.bytes` is
    /// for `out` alone. After an error `out` holds only a part.
    fn successors(&self, states: &Batch, out: &mut Successors, limits: &Limits) -> Result<(), Limit>;
}

/// The status of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Nothing special.
    Open,
    /// One player has solved the problem. It may still have moves.
    Goal,
    /// A game between two is over: there are no moves.
    Over(Score),
}

/// The successors of a batch of states: a buffer to be used again and again.
pub struct Successors {
    states: Batch,
    costs: Vec<Cost>,
    /// The places where runs of successors of one layer begin, and their layers.
    runs: Vec<(usize, Option<u32>)>,
    parents: Vec<Parent>,
}

/// The facts about a state whose successors are given.
#[derive(Clone, Copy, Debug)]
pub struct Parent {
    pub status: Status,
    pub orbit: u64,
    /// Its successors end before this place.
    pub end: usize,
}

impl Successors {
    pub fn new(width: usize) -> Self {
        Successors { states: Batch::new(width), costs: Vec::new(), runs: Vec::new(), parents: Vec::new() }
    }

    /// All successors, those of the first state first, each state's in the order of its moves.
    pub fn states(&self) -> &Batch {
        &self.states
    }

    /// The cost of the move to each of them.
    pub fn costs(&self) -> &[Cost] {
        &self.costs
    }

    /// One for each state that was asked for.
    pub fn parents(&self) -> &[Parent] {
        &self.parents
    }

    /// The successors in runs of one layer each.
    pub fn runs(&self) -> impl Iterator<Item = (Option<u32>, Range<usize>)> + '_ {
        let ends = self.runs.iter().skip(1).map(|&(at, _)| at).chain([self.states.len()]);
        self.runs.iter().zip(ends).map(|(&(at, layer), end)| (layer, at..end))
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let columns = self.costs.capacity() * size_of::<Cost>() + self.runs.capacity() * size_of::<(usize, Option<u32>)>();
        self.states.bytes() + columns + self.parents.capacity() * size_of::<Parent>()
    }

    fn clear(&mut self) {
        self.states.clear();
        self.costs.clear();
        self.runs.clear();
        self.parents.clear();
    }

    /// Adds a successor of the next parent.
    #[inline]
    fn child<R: Rules>(&mut self, rules: &R, state: &R::State, cost: Cost, limits: &Limits) -> Result<(), Limit> {
        limits.check()?;
        limits.room(self.states.bytes_after_push())?;
        let layer = rules.layer(state);
        if self.runs.last().is_none_or(|&(_, last)| last != layer) {
            self.runs.push((self.states.len(), layer));
        }
        self.states.push_state(rules, state);
        self.costs.push(cost);
        Ok(())
    }

    fn parent(&mut self, status: Status, orbit: u64) {
        self.parents.push(Parent { status, orbit, end: self.states.len() });
    }
}

/// The space of a one-player problem.
pub struct ProblemSpace<P: Problem> {
    problem: Arc<P>,
    start: P::State,
    fold: bool,
}

impl<P: Problem> ProblemSpace<P> {
    /// With `fold`, states that are equal up to symmetry are one.
    pub fn new(problem: Arc<P>, start: P::State, fold: bool) -> Self {
        ProblemSpace { problem, start, fold }
    }

    fn status_of(&self, state: &P::State) -> Status {
        if self.problem.is_goal(state) { Status::Goal } else { Status::Open }
    }

    fn orbit_of(&self, state: &P::State) -> u64 {
        if self.fold { self.problem.orbit(state) } else { 1 }
    }
}

impl<P: Problem> Space for ProblemSpace<P> {
    fn width(&self) -> usize {
        self.problem.state_bytes()
    }

    fn start(&self) -> Vec<u8> {
        packed(&*self.problem, self.start.clone(), self.fold)
    }

    fn is_symmetric(&self) -> bool {
        is_own_image(&*self.problem, &self.start)
    }

    fn layer(&self, state: &[u8]) -> Option<u32> {
        self.problem.layer(&self.problem.unpack(state))
    }

    fn orbit(&self, state: &[u8]) -> u64 {
        self.orbit_of(&self.problem.unpack(state))
    }

    fn status(&self, state: &[u8]) -> Status {
        self.status_of(&self.problem.unpack(state))
    }

    fn successors(&self, states: &Batch, out: &mut Successors, limits: &Limits) -> Result<(), Limit> {
        let problem = &*self.problem;
        let mut moves = Vec::new();
        out.clear();
        for at in 0..states.len() {
            let state = problem.unpack(states.get(at));
            let mut added = Ok(());
            if self.fold {
                let _ = problem.expand(&state, &mut moves, |child, cost| {
                    added = out.child(problem, &child, cost, limits);
                    if added.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
            } else {
                moves.clear();
                problem.moves(&state, &mut moves);
                added = moves.iter().try_for_each(|mv| out.child(problem, &problem.apply(&state, mv), problem.cost(&state, mv), limits));
            }
            added?;
            out.parent(self.status_of(&state), self.orbit_of(&state));
        }
        Ok(())
    }
}

/// The space of a game between two.
pub struct GameSpace<G: Game> {
    game: Arc<G>,
    start: G::State,
    fold: bool,
}

impl<G: Game> GameSpace<G> {
    /// With `fold`, states that are equal up to symmetry are one.
    pub fn new(game: Arc<G>, start: G::State, fold: bool) -> Self {
        GameSpace { game, start, fold }
    }

    fn status_of(&self, state: &G::State) -> Status {
        self.game.terminal(state).map_or(Status::Open, Status::Over)
    }

    fn orbit_of(&self, state: &G::State) -> u64 {
        if self.fold { self.game.orbit(state) } else { 1 }
    }
}

impl<G: Game> Space for GameSpace<G> {
    fn width(&self) -> usize {
        self.game.state_bytes()
    }

    fn start(&self) -> Vec<u8> {
        packed(&*self.game, self.start.clone(), self.fold)
    }

    fn is_symmetric(&self) -> bool {
        is_own_image(&*self.game, &self.start)
    }

    fn layer(&self, state: &[u8]) -> Option<u32> {
        self.game.layer(&self.game.unpack(state))
    }

    fn orbit(&self, state: &[u8]) -> u64 {
        self.orbit_of(&self.game.unpack(state))
    }

    fn status(&self, state: &[u8]) -> Status {
        self.status_of(&self.game.unpack(state))
    }

    fn successors(&self, states: &Batch, out: &mut Successors, limits: &Limits) -> Result<(), Limit> {
        let game = &*self.game;
        let mut moves = Vec::new();
        out.clear();
        for at in 0..states.len() {
            let state = game.unpack(states.get(at));
            let status = self.status_of(&state);
            moves.clear();
            if status == Status::Open {
                game.moves(&state, &mut moves);
            }
            for mv in &moves {
                let child = game.apply(&state, mv);
                let child = if self.fold { game.canonical(child) } else { child };
                out.child(game, &child, 1, limits)?;
            }
            out.parent(status, self.orbit_of(&state));
        }
        Ok(())
    }
}

/// A state as bytes, in canonical form if `fold` is set.
pub(crate) fn packed<R: Rules>(rules: &R, state: R::State, fold: bool) -> Vec<u8> {
    let state = if fold { rules.canonical(state) } else { state };
    let mut bytes = vec![0; rules.state_bytes()];
    rules.pack(&state, &mut bytes);
    bytes
}
