//! The plan through a state that both sides have generated.

use super::Jump;
use super::field::{JumpMask, PegField};
use super::round::{Half, MeetingState, Round};
use crate::outcome::Plan;
use crate::rules::Cost;

/// The plan through the state where both sides met. Stored states are images of the states in actual play. So the path is first
/// traced through the stored states, by comparing their costs, and then replayed from the start. If the round was stopped early,
/// the plan may be cheaper than the cost recorded for the meeting state. `None` would mean that a state on the path is missing,
/// which cannot happen: only states whose cost is final are expanded, and every other stored state was generated from one of them.
pub fn plan(field: &PegField, round: &Round<'_, '_>, meeting: MeetingState) -> Option<Plan<Jump>> {
    // The steps from the meeting state to the end of a side: the states before and after each step, and its price.
    let walk = |half: &Half, before: fn(&JumpMask) -> u64, is_end: &dyn Fn(u64, Cost) -> bool| {
        let known = |state: u64| half.tables[state.count_ones() as usize].cost(state);
        let (mut state, mut cost) = (meeting.state, known(meeting.state)?);
        let mut steps: Vec<(u64, u64, Cost)> = Vec::new();
        while !is_end(state, cost) {
            let fits = |jump: &&JumpMask| state & jump.flips == before(jump) && jump.price <= cost;
            let mut next = field.jumps.iter().filter(fits).map(|jump| (field.least(state ^ jump.flips), jump.price));
            let (there, price) = next.find(|&(there, price)| known(there) == Some(cost - price))?;
            steps.push((state, there, price));
            (state, cost) = (there, cost - price);
        }
        Some(steps)
    };
    let (start, goals) = (field.least(field.start), field.goals.iter().map(|&goal| field.least(goal)).collect::<Vec<_>>());
    let [forward, backward] = &round.halves;
    let back = walk(forward, |jump| jump.landing, &|state, _| state == start)?;
    let on = walk(backward, |jump| jump.need, &|state, cost| cost == 0 && goals.contains(&state))?;
    let way = || back.iter().rev().map(|&(to, _, price)| (to, price)).chain(on.iter().map(|&(_, to, price)| (to, price)));
    let cost = way().map(|(_, price)| price).sum();
    let mut here = field.start;
    let mut moves = Vec::new();
    for (next, price) in way() {
        let leads = |jump: &&JumpMask| jump.price == price && here & jump.flips == jump.need && field.least(here ^ jump.flips) == next;
        let jump = field.jumps.iter().find(leads)?;
        moves.push(Jump::single(jump.holes.0, jump.holes.1));
        here ^= jump.flips;
    }
    Some(Plan { moves, cost })
}
