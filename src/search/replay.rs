//! Plans from stored states. Searches keep canonical states and parents, no moves: here the moves are found again.

use super::store::{Id, Store};
use crate::limits::{Limit, Limits};
use crate::outcome::Plan;
use crate::rules::{Cost, Packing, Problem, Rules};

/// Marks the state that has no parent.
pub(super) const ROOT: Id = Id::MAX;

/// The parent, unless it is the mark of the root.
pub(super) fn above(parent: Id) -> Option<Id> {
    Some(parent).filter(|&parent| parent != ROOT)
}

/// The stored states from the root to `id`, both included.
pub(super) fn states_to<P: Rules>(problem: &P, store: &Store, id: Id, parent: impl Fn(Id) -> Id) -> Vec<P::State> {
    chain(id, parent).into_iter().map(|id| problem.unpack(store.get(id))).collect()
}

/// The ids from the root to `id`, both included.
fn chain(mut id: Id, parent: impl Fn(Id) -> Id) -> Vec<Id> {
    let mut ids = vec![id];
    while parent(id) != ROOT {
        id = parent(id);
        ids.push(id);
    }
    ids.reverse();
    ids
}

/// How long writing down a plan may take.
pub(crate) enum Patience<'a> {
    /// As long as the limits allow.
    Limits(&'a Limits),
    /// A few hundredths of a second, counted in bytes of states made: for a plan that is asked for after a limit was hit.
    Bytes(usize),
}

impl Patience<'_> {
    pub(super) fn short() -> Self {
        Patience::Bytes(64 << 20)
    }

    fn state(&mut self, bytes: usize) -> Result<(), Limit> {
        match self {
            Patience::Limits(limits) => limits.check(),
            Patience::Bytes(left) => {
                *left = left.checked_sub(bytes).ok_or(Limit::Time)?;
                Ok(())
            }
        }
    }
}

/// Walks from the true start through states given up to symmetry, by the cheapest move each time.
pub(crate) fn replay<P: Problem>(
    problem: &P,
    start: &P::State,
    steps: impl IntoIterator<Item = P::State>,
    mut patience: Patience,
) -> Result<Plan<P::Move>, Limit> {
    let bytes = size_of::<P::State>() + problem.state_bytes();
    let mut state = start.clone();
    let mut plan = Plan { moves: Vec::new(), cost: 0 };
    let mut moves = Vec::new();
    for step in steps {
        moves.clear();
        problem.moves(&state, &mut moves);
        let mut found: Option<(Cost, P::Move, P::State)> = None;
        for mv in moves.drain(..) {
            patience.state(bytes)?;
            let cost = problem.cost(&state, &mv);
            if found.as_ref().is_some_and(|(least, ..)| *least <= cost) {
                continue;
            }
            let next = problem.apply(&state, &mv);
            if problem.canonical(next.clone()) == step {
                found = Some((cost, mv, next));
            }
        }
        let (cost, mv, next) = found.expect("every stored state was reached by a move from its parent, up to symmetry");
        plan.cost = Cost::saturating_add(plan.cost, cost);
        plan.moves.push(mv);
        state = next;
    }
    Ok(plan)
}

/// The plan to a stored goal, whose ancestors are stored, too.
pub(super) fn plan_to<P: Problem>(
    problem: &P,
    start: &P::State,
    store: &Store,
    goal: Id,
    parent: impl Fn(Id) -> Id,
    patience: Patience,
) -> Result<Plan<P::Move>, Limit> {
    let ids = chain(goal, parent);
    replay(problem, start, ids[1..].iter().map(|&id| problem.unpack(store.get(id))), patience)
}
