//! Checks answers. Shares no code with any solver: plans are replayed by the rules, certificates are checked by the
//! game's own checker, and "no plan" or "no cheaper plan" is confirmed by a plain search over plain states, without
//! packing, symmetry, heuristics or pruning, as far as the budget goes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use crate::limits::Limits;
use crate::outcome::Why;
use crate::rules::{Cost, Game, Problem, Rules};

/// States that a check looks at unless somebody asks for more. In all checks here `limits.nodes` is the number of states
/// that a plain search may hold before it says that it does not know.
pub const STATES: u64 = 200_000;
/// Most bytes that packed states would take; unpacked ones take a few times that.
const BYTES: usize = 200 << 20;

/// Replays a plan and gives its cost. Every move must be legal where it is made, and the end must be a goal.
pub fn plan<P: Problem>(problem: &P, start: &P::State, moves: &[P::Move]) -> Result<Cost, String> {
    let mut state = start.clone();
    let mut total: Cost = 0;
    for (at, mv) in moves.iter().enumerate() {
        if !problem.is_legal(&state, mv) {
            return Err(format!("move {} is not legal there", at + 1));
        }
        let cost = problem.cost(&state, mv);
        total = total.checked_add(cost).ok_or("the plan's cost is beyond all bounds")?;
        problem.make(&mut state, mv);
    }
    match problem.is_goal(&state) {
        true => Ok(total),
        false => Err("the plan does not end at a goal".to_owned()),
    }
}

/// Checks a reason for "there is no plan": `true` if it holds, `false` if the budget was too small to tell.
pub fn refutation<P: Problem>(problem: &P, start: &P::State, why: &Why, limits: &Limits) -> Result<bool, String> {
    match why {
        Why::Certificate(certificate) => match P::PROOFS {
            Some(proofs) => (proofs.check)(problem, start, certificate).map(|()| true),
            None => Err("this game has no certificates".to_owned()),
        },
        Why::Exhausted { .. } => match least_cost(problem, start, limits) {
            Least::None => Ok(true),
            Least::Cost(cost) => Err(format!("there is a plan of cost {cost}")),
            Least::Unknown => Ok(false),
        },
    }
}

/// Whether no plan costs less than `cost`: by plain search or, where that is hopeless, by the game's own checker.
pub fn is_least<P: Problem>(problem: &P, start: &P::State, cost: Cost, limits: &Limits) -> Result<Option<&'static str>, String> {
    match P::PROOFS.and_then(|proofs| proofs.least?(problem, start, cost, limits)) {
        Some(true) => return Ok(Some("all other plans of the same effect were compared")),
        Some(false) => return Err(format!("the plan costs {cost}, but less is possible")),
        None => {}
    }
    match least_cost(problem, start, limits) {
        Least::Cost(least) if least < cost => Err(format!("the plan costs {cost}, but {least} is possible")),
        Least::Cost(_) => Ok(Some("a plain search found none that is cheaper")),
        _ => Ok(None),
    }
}

/// What a plain search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Least {
    /// The least cost of any plan.
    Cost(Cost),
    /// There is no plan.
    None,
    /// The budget ran out.
    Unknown,
}

/// The least cost of any plan, by Dijkstra's algorithm in its plainest form.
pub fn least_cost<P: Problem>(problem: &P, start: &P::State, limits: &Limits) -> Least {
    let most = limits.nodes.min((BYTES / problem.state_bytes().max(1)) as u64);
    // A state is known by its number in `states`; the map finds the number.
    let mut states = vec![start.clone()];
    let mut costs: Vec<Cost> = vec![0];
    let mut number: HashMap<P::State, usize> = HashMap::from([(start.clone(), 0)]);
    let mut open = BinaryHeap::from([(Reverse(0), 0)]);
    let mut moves = Vec::new();
    while let Some((Reverse(cost), at)) = open.pop() {
        if cost > costs[at] {
            continue;
        }
        let state = states[at].clone();
        if problem.is_goal(&state) {
            return Least::Cost(cost);
        }
        moves.clear();
        problem.moves(&state, &mut moves);
        for mv in &moves {
            if states.len() as u64 > most || limits.check().is_err() {
                return Least::Unknown;
            }
            let next = problem.apply(&state, mv);
            let cost = cost.saturating_add(problem.cost(&state, mv));
            let at = *number.entry(next).or_insert_with_key(|next| {
                states.push(next.clone());
                costs.push(Cost::MAX);
                states.len() - 1
            });
            if cost < costs[at] {
                costs[at] = cost;
                open.push((Reverse(cost), at));
            }
        }
    }
    Least::None
}

/// What a plain induction found about a position: does the player to move win, and the Grundy value.
pub type Worth = (bool, u16);

/// The worth of a position, and of those after each of its moves.
type Inducted<G> = (Worth, Vec<(<G as Rules>::Move, Worth)>);

/// The worth of a position and of those after each of its moves, by induction over all positions that can be reached: the
/// plain ones or, where these are more than the budget, one of each set that the rules call symmetric. `None` if even
/// these are too many.
pub fn worth<G: Game>(game: &G, start: &G::State, limits: &Limits) -> Option<Inducted<G>> {
    [false, true].into_iter().find_map(|fold| induction(game, start, fold, limits))
}

fn induction<G: Game>(game: &G, start: &G::State, fold: bool, limits: &Limits) -> Option<Inducted<G>> {
    let seen_as = |state: G::State| if fold { game.canonical(state) } else { state };
    let mut layers: BTreeMap<u32, HashMap<G::State, Worth>> = BTreeMap::new();
    layers.entry(game.layer(start)?).or_default().insert(start.clone(), (false, 0));
    let mut moves = Vec::new();
    let (mut count, mut layer) = (1, game.layer(start)?);
    loop {
        let states: Vec<G::State> = layers[&layer].keys().cloned().collect();
        for state in &states {
            if count > limits.nodes || limits.check().is_err() {
                return None;
            }
            moves.clear();
            game.moves(state, &mut moves);
            for mv in &moves {
                let next = seen_as(game.apply(state, mv));
                let new = layers.entry(game.layer(&next)?).or_default().insert(next, (false, 0)).is_none();
                count += u64::from(new);
            }
        }
        match layers.range(layer + 1..).next() {
            Some((next, _)) => layer = *next,
            None => break,
        }
    }
    let find = |layers: &BTreeMap<u32, HashMap<G::State, Worth>>, next: G::State| layers[&game.layer(&next)?].get(&next).copied();
    let mut numbers: Vec<u32> = layers.keys().copied().collect();
    numbers.reverse();
    for layer in numbers {
        let states: Vec<G::State> = layers[&layer].keys().cloned().collect();
        for state in states {
            moves.clear();
            game.moves(&state, &mut moves);
            let after = moves.iter().map(|mv| find(&layers, seen_as(game.apply(&state, mv)))).collect::<Option<Vec<Worth>>>()?;
            let wins = game.terminal(&state).unwrap_or_else(|| after.iter().any(|(wins, _)| !wins));
            let grundy = (0..).find(|value| after.iter().all(|(_, other)| other != value))?;
            layers.get_mut(&layer)?.insert(state, (wins, grundy));
        }
    }
    moves.clear();
    game.moves(start, &mut moves);
    let after = moves.iter().map(|mv| Some((mv.clone(), find(&layers, seen_as(game.apply(start, mv)))?))).collect::<Option<Vec<_>>>()?;
    Some((find(&layers, start.clone())?, after))
}
