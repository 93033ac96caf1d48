//! Plans from stored states. Searches keep canonical states and parents, no moves: here the moves are found again.

use super::store::{Id, Store};
use crate::outcome::Plan;
use crate::rules::{Cost, Problem};

/// Marks the state that has no parent.
pub(super) const ROOT: Id = Id::MAX;

/// The ids from the root to `id`, both included.
pub(super) fn chain(mut id: Id, parent: impl Fn(Id) -> Id) -> Vec<Id> {
    let mut ids = vec![id];
    while parent(id) != ROOT {
        id = parent(id);
        ids.push(id);
    }
    ids.reverse();
    ids
}

/// Walks from the true start through states given up to symmetry, by the cheapest move each time.
pub(super) fn replay<P: Problem>(problem: &P, start: &P::State, steps: impl IntoIterator<Item = P::State>) -> Plan<P::Move> {
    let mut state = start.clone();
    let mut plan = Plan { moves: Vec::new(), cost: 0 };
    let mut moves = Vec::new();
    for step in steps {
        moves.clear();
        problem.moves(&state, &mut moves);
        let (cost, mv, next) = moves
            .drain(..)
            .filter_map(|mv| {
                let next = problem.apply(&state, &mv);
                (problem.canonical(next.clone()) == step).then(|| (problem.cost(&state, &mv), mv, next))
            })
            .min_by_key(|(cost, ..)| *cost)
            .expect("every stored state was reached by a move from its parent, up to symmetry");
        plan.cost = Cost::saturating_add(plan.cost, cost);
        plan.moves.push(mv);
        state = next;
    }
    plan
}

/// The plan to a stored goal, whose ancestors are stored, too.
pub(super) fn plan_to<P: Problem>(problem: &P, start: &P::State, store: &Store, goal: Id, parent: impl Fn(Id) -> Id) -> Plan<P::Move> {
    let ids = chain(goal, parent);
    replay(problem, start, ids[1..].iter().map(|&id| problem.unpack(store.get(id))))
}
