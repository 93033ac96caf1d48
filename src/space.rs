//! State spaces as bytes: any game is a graph of packed states behind one object-safe trait.
//!
//! Code that traverses a whole space (a count, a cluster, a game written in another language) needs none of a game's types. Such code
//! needs only states as byte strings, and the successors of many states at once. One virtual call handles a whole [`Batch`], so its
//! cost is negligible. [`RulesSpace`] makes a space from any [`Problem`] or [`Game`], with or without symmetry.

pub(crate) mod batch;

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

pub use batch::Batch;

use crate::limits::{Limit, Limits};
use crate::rules::{Cost, Game, Packing, Problem, Rules, Score, is_own_image};

/// A graph of packed states. All states have the same width. With symmetry, each state represents all its images.
pub trait Space: Send + Sync {
    /// The number of bytes per state.
    fn width(&self) -> usize;

    fn start(&self) -> Vec<u8>;

    /// A number that strictly increases with every move, so that no state can recur; `None` if the space has no such number.
    fn layer(&self, state: &[u8]) -> Option<u32>;

    /// True if every symmetry maps the start to itself. The total number of states then follows from the counts up to symmetry.
    fn is_symmetric(&self) -> bool;

    /// The number of states that this state represents.
    fn orbit(&self, state: &[u8]) -> u64;

    /// The status of a state: open, a goal, or the end of a game.
    fn status(&self, state: &[u8]) -> Status;

    /// Replaces the contents of `out` with the status and all successors of each of these states. `limits.bytes` is the limit for
    /// `out` alone. After an error, `out` is incomplete.
    fn successors(&self, states: &Batch, out: &mut Successors, limits: &Limits) -> Result<(), Limit>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The state is neither a goal nor the end of a game.
    Open,
    /// The state is a goal of a one-player problem. It may still have moves.
    Goal,
    /// The state is the end of a two-player game. It has no moves.
    Over(Score),
}

/// The successors of a batch of states, in a reusable buffer.
pub struct Successors {
    states: Batch,
    costs: Vec<Cost>,
    /// For each run of consecutive successors in the same layer: its first index, and the layer.
    runs: Vec<(usize, Option<u32>)>,
    parents: Vec<Parent>,
}

/// Data about a state whose successors are listed.
#[derive(Clone, Copy, Debug)]
pub struct Parent {
    pub status: Status,
    pub orbit: u64,
    /// The index after the state's last successor.
    pub end: usize,
}

impl Successors {
    pub fn new(width: usize) -> Self {
        Successors { states: Batch::new(width), costs: Vec::new(), runs: Vec::new(), parents: Vec::new() }
    }

    /// The successors of all requested states, in the order of the requested states and of each state's moves.
    pub fn states(&self) -> &Batch {
        &self.states
    }

    /// The cost of the move to each successor.
    pub fn costs(&self) -> &[Cost] {
        &self.costs
    }

    /// Data about each requested state: its status, its orbit, and where its successors end.
    pub fn parents(&self) -> &[Parent] {
        &self.parents
    }

    /// For each run of consecutive successors in the same layer: the layer, and the range of their indices.
    pub fn runs(&self) -> impl Iterator<Item = (Option<u32>, Range<usize>)> + '_ {
        let ends = self.runs.iter().skip(1).map(|&(at, _)| at).chain([self.states.len()]);
        self.runs.iter().zip(ends).map(|(&(at, layer), end)| (layer, at..end))
    }

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

    /// Adds a successor of the current state. The current state itself is added to `parents` after its last successor.
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
}

/// The space of a board under the rules of its game.
pub struct RulesSpace<R: Rules> {
    rules: Arc<R>,
    start: R::State,
    /// True if states that are equal up to symmetry are merged.
    fold: bool,
    status: fn(&R, &R::State) -> Status,
    successors: fn(&Self, &Batch, &mut Successors, &Limits) -> Result<(), Limit>,
}

impl<P: Problem> RulesSpace<P> {
    /// The space of a one-player problem. With `fold`, states that are equal up to symmetry are merged.
    pub fn of_problem(rules: Arc<P>, start: P::State, fold: bool) -> Self {
        let status = |problem: &P, state: &P::State| if problem.is_goal(state) { Status::Goal } else { Status::Open };
        let successors = |space: &Self, states: &Batch, out: &mut Successors, limits: &Limits| {
            let (problem, mut moves) = (&*space.rules, Vec::new());
            space.expand_all(states, out, |state, out| {
                let mut added = Ok(());
                if space.fold {
                    let _ = problem.expand(state, &mut moves, |child, cost| {
                        added = out.child(problem, &child, cost, limits);
                        if added.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                    });
                } else {
                    moves.clear();
                    problem.moves(state, &mut moves);
                    added = moves.iter().try_for_each(|mv| out.child(problem, &problem.apply(state, mv), problem.cost(state, mv), limits));
                }
                added.map(|()| if problem.is_goal(state) { Status::Goal } else { Status::Open })
            })
        };
        RulesSpace { rules, start, fold, status, successors }
    }
}

impl<G: Game> RulesSpace<G> {
    /// The space of a two-player game. With `fold`, states that are equal up to symmetry are merged.
    pub fn of_game(rules: Arc<G>, start: G::State, fold: bool) -> Self {
        let status = |game: &G, state: &G::State| game.terminal(state).map_or(Status::Open, Status::Over);
        let successors = |space: &Self, states: &Batch, out: &mut Successors, limits: &Limits| {
            let (game, mut moves) = (&*space.rules, Vec::new());
            space.expand_all(states, out, |state, out| {
                if let Some(score) = game.terminal(state) {
                    return Ok(Status::Over(score));
                }
                moves.clear();
                game.moves(state, &mut moves);
                for mv in &moves {
                    let child = game.apply(state, mv);
                    let child = if space.fold { game.canonical(child) } else { child };
                    out.child(game, &child, 1, limits)?;
                }
                Ok(Status::Open)
            })
        };
        RulesSpace { rules, start, fold, status, successors }
    }
}

impl<R: Rules> RulesSpace<R> {
    fn orbit_of(&self, state: &R::State) -> u64 {
        if self.fold { self.rules.orbit(state) } else { 1 }
    }

    /// For each of these states, calls `expand` to add its successors, then adds the state to `parents`.
    #[inline]
    fn expand_all(
        &self,
        states: &Batch,
        out: &mut Successors,
        mut expand: impl FnMut(&R::State, &mut Successors) -> Result<Status, Limit>,
    ) -> Result<(), Limit> {
        out.clear();
        for at in 0..states.len() {
            let state = self.rules.unpack(states.get(at));
            let status = expand(&state, out)?;
            out.parents.push(Parent { status, orbit: self.orbit_of(&state), end: out.states.len() });
        }
        Ok(())
    }
}

impl<R: Rules> Space for RulesSpace<R> {
    fn width(&self) -> usize {
        self.rules.state_bytes()
    }

    fn start(&self) -> Vec<u8> {
        packed(&*self.rules, self.start.clone(), self.fold)
    }

    fn is_symmetric(&self) -> bool {
        is_own_image(&*self.rules, &self.start)
    }

    fn layer(&self, state: &[u8]) -> Option<u32> {
        self.rules.layer(&self.rules.unpack(state))
    }

    fn orbit(&self, state: &[u8]) -> u64 {
        self.orbit_of(&self.rules.unpack(state))
    }

    fn status(&self, state: &[u8]) -> Status {
        (self.status)(&self.rules, &self.rules.unpack(state))
    }

    fn successors(&self, states: &Batch, out: &mut Successors, limits: &Limits) -> Result<(), Limit> {
        (self.successors)(self, states, out, limits)
    }
}

/// The bytes of a state, which is first made canonical if `fold` is set.
pub(crate) fn packed<R: Rules>(rules: &R, state: R::State, fold: bool) -> Vec<u8> {
    let state = if fold { rules.canonical(state) } else { state };
    let mut bytes = vec![0; rules.state_bytes()];
    rules.pack(&state, &mut bytes);
    bytes
}
