//! The plan through a state that both sides have made.

use super::Jump;
use super::field::{JumpMask, PegField};
use super::round::{Meeting, Round};
use crate::outcome::Plan;
use crate::rules::Cost;

/// The stored states are images of those that play leads to. So the way is found as a row of canonical states first, from state to
/// state by their costs, and then replayed from the start. Nothing if some state on the way is missing, which cannot be: only states of
/// final cost are expanded, and everything else that is stored was made from one of them. Where a round was stopped, the plan may be
/// cheaper than it was when both sides met.
pub fn plan(field: &PegField, round: &Round<'_, '_>, meeting: Meeting) -> Option<Plan<Jump>> {
    let [forward, backward] = &round.halves;
    let known = |side: &super::round::Half, state: u64| side.tables[state.count_ones() as usize].cost(state);
    let mut way: Vec<(u64, Cost)> = Vec::new();
    let (mut state, mut cost) = (meeting.state, known(forward, meeting.state)?);
    let start = field.least(field.start);
    while state != start {
        let undo = |jump: &&JumpMask| state & jump.flips == jump.landing && jump.price <= cost;
        let before = field.jumps.iter().filter(undo).map(|jump| (field.least(state ^ jump.flips), jump.price));
        let (earlier, price) = before.into_iter().find(|&(earlier, price)| known(forward, earlier) == Some(cost - price))?;
        way.push((state, price));
        (state, cost) = (earlier, cost - price);
    }
    way.reverse();
    let (mut state, mut cost) = (meeting.state, known(backward, meeting.state)?);
    let is_goal = |state: u64| field.goals.iter().any(|&goal| field.least(goal) == state);
    while !(cost == 0 && is_goal(state)) {
        let allowed = |jump: &&JumpMask| state & jump.flips == jump.need && jump.price <= cost;
        let after = field.jumps.iter().filter(allowed).map(|jump| (field.least(state ^ jump.flips), jump.price));
        let (later, price) = after.into_iter().find(|&(later, price)| known(backward, later) == Some(cost - price))?;
        way.push((later, price));
        (state, cost) = (later, cost - price);
    }
    let cost = way.iter().map(|&(_, price)| price).sum();
    let mut here = field.start;
    let mut moves = Vec::new();
    for (next, price) in way {
        let leads = |jump: &&JumpMask| jump.price == price && here & jump.flips == jump.need && field.least(here ^ jump.flips) == next;
        let jump = field.jumps.iter().find(leads)?;
        moves.push(Jump { from: jump.holes.0, to: jump.holes.1 });
        here ^= jump.flips;
    }
    Some(Plan { moves, cost })
}
