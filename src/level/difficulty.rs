//! The difficulty of a board for a human, measured by following a best line of play and examining the alternatives at each step.

use std::cmp::Reverse;
use std::collections::HashMap;

use serde_json::{Value, json};

use crate::catalog::{Choice, MoveValue, Puzzle};
use crate::limits::{Limit, Limits};
use crate::report::{Answer, Report};
use crate::rules::Score;
use crate::sheet::{self, SheetError, stopped};
use crate::sort;
use crate::space::{Batch, Space, Status, Successors};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difficulty {
    /// The proved least cost, for one player.
    pub least: Option<u64>,
    /// Number of moves in the best line that was followed.
    pub moves: u64,
    /// Expected number of moves that a guesser tries, undoing every move that is not best: the number of legal moves divided by the
    /// number of best moves, summed over all steps and rounded. For two players, only the winner's steps count, and a best move is one
    /// that keeps the win.
    pub guesses: u64,
    /// Average number of legal moves at these steps, rounded.
    pub choices: u64,
    /// Among the examined moves that are not best, the percentage that make the goal unreachable or throw away the win.
    pub dead_ends: u64,
    /// Number of states that a plain search expands, up to `STATES`; if no state can repeat, the number of all reachable states.
    pub states: u64,
}

/// Maximum number of steps to examine in a line. If there are more, the examined ones are evenly spread.
const STEPS: usize = 6;
/// Maximum number of moves to examine at each step. If there are more, the examined ones are evenly spread.
const MOVES: usize = 12;
/// Maximum number of states expanded to solve the board after one move. An undecided move does not count as best.
const NODES: u64 = 1_000;
/// Maximum number of states in the plain search.
pub const STATES: u64 = 3_000;
/// Maximum number of states if the whole space is explored.
const SPACE: u64 = 40_000;
/// Maximum number of positions searched to label the moves of a two-player board.
const POSITIONS: u64 = 30_000;

impl Difficulty {
    pub fn json(&self) -> Value {
        let Difficulty { least, moves, guesses, choices, dead_ends, states } = self;
        json!({"least": least, "moves": moves, "guesses": guesses, "choices": choices, "dead_ends": dead_ends, "states": states})
    }
}

/// Sums over the examined steps. `guesses` is in thousandths.
#[derive(Default)]
struct Tally {
    steps: u64,
    guesses: u64,
    legal: u64,
    wrong: u64,
    dead: u64,
}

impl Tally {
    /// Adds a step with `legal` moves, of which `looked` were examined. One of these is known to be best; the others are a sample of the
    /// rest.
    fn step(&mut self, legal: usize, looked: usize, best: usize, dead: usize) {
        let (legal, others, also) = (legal as u64, looked as u64 - 1, best as u64 - 1);
        self.steps += 1;
        self.legal += legal;
        self.guesses += if others == 0 { 1000 * legal } else { 1000 * legal * others / (others + also * (legal - 1)) };
        self.wrong += (looked - best) as u64;
        self.dead += dead as u64;
    }

    /// The difficulty of a line of `steps` steps, for which the tallied steps are representative.
    fn difficulty(&self, least: Option<u64>, moves: u64, steps: u64) -> Difficulty {
        let seen = self.steps.max(1);
        Difficulty {
            least,
            moves,
            guesses: (self.guesses * steps / seen + 500) / 1000,
            choices: (self.legal * 2 / seen).div_ceil(2),
            dead_ends: (100 * self.dead).checked_div(self.wrong).unwrap_or(0),
            states: 0,
        }
    }
}

/// Up to `most` numbers below `count`, evenly spread.
fn spread(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let taken = count.min(most);
    (0..taken).map(move |at| if taken < 2 { 0 } else { at * (count - 1) / (taken - 1) })
}

/// Measures a one-player board along a known plan. `states` may be left at 0 for [`with_states`]. `None` if the measurement takes
/// too much work.
///
/// If no state can repeat, most wrong moves are dead ends, which take too long to prove one by one. Then the whole space is
/// explored, and every move of every step is examined.
pub fn alone(puzzle: &dyn Puzzle, report: &Report, limits: &Limits) -> Result<Option<Difficulty>, SheetError> {
    let Answer::Solved { cost, moves, .. } = &report.answer else { return Ok(None) };
    let least = u64::from(*cost);
    let space = puzzle.space(false);
    if space.layer(&space.start()).is_some() {
        return whole(&*space, least, limits).map_err(stopped);
    }
    let plan: Vec<Value> = moves.iter().map(|mv| mv.json.clone()).collect();
    step_by_step(puzzle, least, &plan, limits).map(Some)
}

/// A reached state, and its successors with the costs of the moves.
struct Reached {
    layer: u32,
    is_goal: bool,
    children: Vec<(usize, u64)>,
}

/// Explores the whole space, whose states never repeat, and then follows a least-cost plan.
fn whole(space: &dyn Space, least: u64, limits: &Limits) -> Result<Option<Difficulty>, Limit> {
    let width = space.width();
    let mut ids: HashMap<Vec<u8>, usize> = HashMap::from([(space.start(), 0)]);
    let mut queue = vec![space.start()];
    let mut reached: Vec<Reached> = Vec::new();
    let mut next = Successors::new(width);
    while reached.len() < queue.len() {
        if queue.len() as u64 > SPACE {
            return Ok(None);
        }
        limits.room(queue.len() * (2 * width + 160))?;
        let state = queue[reached.len()].clone();
        let mut batch = Batch::new(width);
        batch.push(|out| out.copy_from_slice(&state));
        space.successors(&batch, &mut next, limits)?;
        let children = (0..next.states().len()).map(|at| {
            let child = next.states().get(at);
            let id = *ids.entry(child.to_vec()).or_insert_with(|| {
                queue.push(child.to_vec());
                queue.len() - 1
            });
            (id, u64::from(next.costs()[at]))
        });
        let children = children.collect();
        reached.push(Reached { layer: space.layer(&state).unwrap_or(0), is_goal: space.status(&state) == Status::Goal, children });
    }
    // Computes least costs to go, from the last layer back.
    let mut order: Vec<usize> = (0..reached.len()).collect();
    sort::by_key(&mut order, |&id| Reverse(reached[id].layer));
    let mut to_go: Vec<Option<u64>> = vec![None; reached.len()];
    for id in order {
        let by_move = |&(child, cost): &(usize, u64)| to_go[child].map(|left| left + cost);
        to_go[id] = if reached[id].is_goal { Some(0) } else { reached[id].children.iter().filter_map(by_move).min() };
    }
    let (mut tally, mut here) = (Tally::default(), 0);
    while !reached[here].is_goal {
        let children = &reached[here].children;
        let is_best = |&&(child, cost): &&(usize, u64)| to_go[child].is_some_and(|left| Some(left + cost) == to_go[here]);
        let best = children.iter().filter(is_best).count();
        let dead = children.iter().filter(|&&(child, _)| to_go[child].is_none()).count();
        let Some(&(child, _)) = children.iter().find(is_best) else { return Ok(None) };
        tally.step(children.len(), children.len(), best, dead);
        here = child;
    }
    let difficulty = Difficulty { states: reached.len() as u64, ..tally.difficulty(Some(least), tally.steps, tally.steps) };
    Ok((to_go[0] == Some(least)).then_some(difficulty))
}

/// Solves the boards after alternative moves along the plan.
fn step_by_step(puzzle: &dyn Puzzle, least: u64, plan: &[Value], limits: &Limits) -> Result<Difficulty, SheetError> {
    let mut tally = Tally::default();
    for step in spread(plan.len(), STEPS) {
        let made = &plan[..step];
        let (Ok(here), Ok(spent)) = (puzzle.after(made), puzzle.cost(made)) else { break };
        let legal = here.position(limits).map_err(stopped)?.moves;
        let left = least.saturating_sub(spent);
        let (mut looked, mut best, mut dead) = (1, 1, 0);
        // The plan's own move is best; the others are examined.
        let others: Vec<_> = legal.iter().filter(|mv| mv.json != plan[step]).collect();
        for at in spread(others.len(), MOVES - 1) {
            limits.check().map_err(stopped)?;
            let mv = others[at];
            looked += 1;
            let Ok(after) = here.after(std::slice::from_ref(&mv.json)) else { continue };
            match sheet::solve(&*after, &Choice::default(), NODES, limits)?.answer {
                Answer::Solved { cost, optimal: true, .. } if u64::from(cost) + u64::from(mv.cost) == left => best += 1,
                Answer::Unsolvable { .. } => dead += 1,
                _ => {}
            }
        }
        tally.step(legal.len(), looked, best, dead);
    }
    Ok(tally.difficulty(Some(least), plan.len() as u64, plan.len() as u64))
}

/// Measures a two-player board. The player to move wins as soon as possible, and the other player delays the loss as long as possible.
/// `None` if the player to move cannot win, or if the measurement takes too much work. `states` is left at 0.
pub fn duel(puzzle: &dyn Puzzle, limits: &Limits) -> Result<Option<Difficulty>, SheetError> {
    let few = limits.with_nodes(POSITIONS);
    let (mut tally, mut moves) = (Tally::default(), 0);
    let Ok(mut here) = puzzle.after(&[]) else { return Ok(None) };
    loop {
        limits.check().map_err(stopped)?;
        let Some(duel) = here.duel() else { return Ok(None) };
        let labels = match duel.labels(&few) {
            Err(Limit::Nodes) => return Ok(None),
            other => other.map_err(stopped)?,
        };
        if labels.is_empty() {
            return Ok(Some(tally.difficulty(None, moves, tally.steps)));
        }
        if moves % 2 == 0 {
            let best = labels.iter().filter(|label| label.score == Score::Win).count();
            if best == 0 {
                return Ok(None);
            }
            tally.step(labels.len(), labels.len(), best, labels.len() - best);
        }
        let mv = Value::String(labels[MoveValue::best(&labels)].text.clone());
        let Ok(after) = here.after(&[mv]) else { return Ok(None) };
        here = after;
        moves += 1;
    }
}

/// Sets the number of states that a plain search expands, up to [`STATES`]. The plain search is uniform-cost search, or induction
/// for two players.
pub fn with_states(difficulty: Difficulty, puzzle: &dyn Puzzle, limits: &Limits) -> Result<Difficulty, SheetError> {
    if difficulty.states > 0 {
        return Ok(difficulty);
    }
    let plain = Choice::method(if puzzle.duel().is_some() { "induction" } else { "ucs" });
    let report = sheet::solve(puzzle, &plain, STATES, limits)?;
    // Induction reports no counts if the limit is reached.
    let states = if report.gave_up().is_some() { STATES } else { report.stats.expanded.min(STATES) };
    Ok(Difficulty { states, ..difficulty })
}
