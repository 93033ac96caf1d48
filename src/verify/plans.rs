//! Counts the least-cost plans in plain states, without symmetry, packing or estimates, to confirm the count of the search engine.

use std::collections::{HashMap, VecDeque};

use super::{BYTES, Least};
use crate::bits::natural::Natural;
use crate::limits::Limits;
use crate::rules::{Cost, Packing, Problem};

/// The number of least-cost plans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanTotal {
    Count(Natural),
    /// Moves of cost 0 form a cycle on a plan.
    Infinite,
}

/// The number of least-cost plans; `None` if the limits were too small. If there is no plan, the number is 0.
///
/// The least cost of reaching each state is computed by repeated passes over all moves. Then paths are counted forward, state by state, as
/// soon as all moves that lead to a state on a plan have been counted.
pub fn plan_total<P: Problem>(problem: &P, start: &P::State, limits: &Limits) -> Option<PlanTotal> {
    let least = match super::least_cost(problem, start, limits) {
        Least::Cost(cost) => cost,
        Least::None => return Some(PlanTotal::Count(Natural::default())),
        Least::Unknown { .. } => return None,
    };
    let most = limits.nodes.min((BYTES / problem.state_bytes().max(1)) as u64);
    // All states within the least cost, and the moves from those that are not goals.
    let mut states = vec![start.clone()];
    let mut number = HashMap::from([(start.clone(), 0)]);
    let mut costs: Vec<Cost> = vec![0];
    let mut waiting = VecDeque::from([0]);
    let mut moves = Vec::new();
    while let Some(at) = waiting.pop_front() {
        let state = states[at].clone();
        if problem.is_goal(&state) {
            continue;
        }
        moves.clear();
        problem.moves(&state, &mut moves);
        for mv in &moves {
            limits.check().ok()?;
            let cost = costs[at].saturating_add(problem.cost(&state, mv));
            if cost > least {
                continue;
            }
            let next = problem.apply(&state, mv);
            let to = *number.entry(next).or_insert_with_key(|next| {
                states.push(next.clone());
                costs.push(Cost::MAX);
                states.len() - 1
            });
            if states.len() as u64 > most {
                return None;
            }
            if cost < costs[to] {
                costs[to] = cost;
                waiting.push_back(to);
            }
        }
    }
    // The moves that keep the cost least, by the state that they lead to.
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); states.len()];
    for (at, state) in states.iter().enumerate().filter(|(_, state)| !problem.is_goal(state)) {
        moves.clear();
        problem.moves(state, &mut moves);
        for mv in &moves {
            limits.check().ok()?;
            let Some(&to) = number.get(&problem.apply(state, mv)) else { continue };
            if costs[at].checked_add(problem.cost(state, mv)) == Some(costs[to]) {
                before[to].push(at);
            }
        }
    }
    // The states on plans, found backward from the goals.
    let goals: Vec<usize> = (0..states.len()).filter(|&at| costs[at] == least && problem.is_goal(&states[at])).collect();
    let mut on_plan = vec![false; states.len()];
    let mut found = goals.clone();
    found.iter().for_each(|&at| on_plan[at] = true);
    while let Some(to) = found.pop() {
        for &from in &before[to] {
            if !std::mem::replace(&mut on_plan[from], true) {
                found.push(from);
            }
        }
    }
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); states.len()];
    let mut left = vec![0_usize; states.len()];
    for to in (0..states.len()).filter(|&to| on_plan[to]) {
        for &from in &before[to] {
            after[from].push(to);
            left[to] += 1;
        }
    }
    // Every state on a plan is reached from the start, so the start is the only state without a predecessor.
    let mut paths = vec![Natural::default(); states.len()];
    paths[0] = Natural::from(1);
    let (mut ready, mut done) = (if left[0] == 0 { vec![0] } else { Vec::new() }, 0);
    while let Some(at) = ready.pop() {
        limits.check().ok()?;
        done += 1;
        for &to in &after[at] {
            let more = paths[at].clone();
            paths[to] += &more;
            left[to] -= 1;
            if left[to] == 0 {
                ready.push(to);
            }
        }
    }
    if done < on_plan.iter().filter(|&&is_on| is_on).count() {
        return Some(PlanTotal::Infinite);
    }
    let mut total = Natural::default();
    goals.iter().for_each(|&goal| total += &paths[goal]);
    Some(PlanTotal::Count(total))
}
