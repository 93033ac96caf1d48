//! Reconstructs plans. Searches store canonical states and parents, but no moves, so the moves are found again here.

use crate::limits::{Limit, Limits};
use crate::outcome::Plan;
use crate::rules::{Cost, Packing, Problem};

/// The maximum amount of work for reconstructing a plan.
pub(crate) enum Patience<'a> {
    /// Continue as long as the limits allow.
    Limits(&'a Limits),
    /// Generate at most this many bytes of states, which takes a few hundredths of a second. Used for a plan that is reported after a
    /// limit was hit.
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

/// The plan that leads from the true start through states given up to symmetry, using the cheapest move each time.
pub(crate) fn replay<P: Problem>(
    problem: &P,
    start: &P::State,
    steps: &mut dyn Iterator<Item = P::State>,
    mut patience: Patience,
) -> Result<Plan<P::Move>, Limit> {
    let mut state = start.clone();
    let mut plan = Plan { moves: Vec::new(), cost: 0 };
    let mut moves = Vec::new();
    for step in steps {
        let (cost, mv, next) = cheapest(problem, &state, &step, &mut moves, &mut patience)?;
        plan.cost = Cost::saturating_add(plan.cost, cost);
        plan.moves.push(mv);
        state = next;
    }
    Ok(plan)
}

/// The cheapest move from a true state to one given in canonical form: its cost, the move, and the true state after it.
pub(super) fn cheapest<P: Problem>(
    problem: &P,
    state: &P::State,
    canonical: &P::State,
    moves: &mut Vec<P::Move>,
    patience: &mut Patience,
) -> Result<(Cost, P::Move, P::State), Limit> {
    let bytes = size_of::<P::State>() + problem.state_bytes();
    let mut found: Option<(Cost, P::Move, P::State)> = None;
    moves.clear();
    problem.moves(state, moves);
    for mv in moves.drain(..) {
        patience.state(bytes)?;
        let cost = problem.cost(state, &mv);
        if found.as_ref().is_some_and(|(least, ..)| *least <= cost) {
            continue;
        }
        let next = problem.apply(state, &mv);
        if problem.canonical(next.clone()) == *canonical {
            found = Some((cost, mv, next));
        }
    }
    Ok(found.expect("every stored state was reached by a move from its parent, up to symmetry"))
}
