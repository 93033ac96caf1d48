//! Iterative deepening and IDA*: depth-first search under a limit that grows to the least value that exceeded it. The two
//! differ only in what is limited: the number of moves, or cost so far plus estimate.
//!
//! Memory is one path. States on the path are not entered again, which makes both end on every finite space; but without
//! a visited set a state is searched once for every way to it, so on unsolvable boards they may take very long.
//!
//! Nearly all children exceed the limit, so that is tested first. Whether a child is on the path matters only if it is to be
//! entered or would be the least that exceeded the limit; a small table of hashes says mostly at once that it is not there.
//! All children that wait are in one stack, and a frame is three numbers beside its state.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::driver::{Budget, Engine, Root, heap_bytes};
use super::guide::Guide;
use super::replay::{Patience, replay};
use crate::limits::{Limit, Limits};
use crate::outcome::{Plan, Stats, Verdict, Why};
use crate::rules::{Cost, DEAD, Problem};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Moves,
    Cost,
}

pub(super) struct Deepening<P: Problem> {
    problem: Arc<P>,
    start: P::State,
    guide: Guide<P>,
    measure: Measure,
    /// The path; its first frame is the start.
    path: Path<P::State>,
    /// Children under the limit of all states on the path, those of the last one on top, its first move topmost.
    open: Vec<(P::State, Cost)>,
    /// Is the end of the path expanded?
    expanded: bool,
    limit: Cost,
    /// The least measure that exceeded the limit in this round.
    next_limit: Cost,
    /// States expanded in this round.
    round: u64,
    /// The goal after the end of the path, once it is found, and the plan, once it is written down.
    goal: Option<P::State>,
    plan: Option<Plan<P::Move>>,
    finished: bool,
    moves: Vec<P::Move>,
    /// The state expanded last, if it is no longer on the path.
    left: Option<P::State>,
    stats: Stats,
}

struct Frame<S> {
    /// In canonical form, as is everything that the path is compared with.
    state: S,
    cost: Cost,
    hash: u32,
    /// Where its children begin in the stack.
    children: usize,
}

/// The states from the start to the one under way, and a count of those with each hash.
struct Path<S> {
    frames: Vec<Frame<S>>,
    counts: Vec<u32>,
}

impl<S: Hash + Eq> Path<S> {
    fn new(state: S) -> Self {
        let mut path = Path { frames: Vec::new(), counts: vec![0; 1024] };
        path.push(state, 0, 0);
        path
    }

    fn last(&self) -> &Frame<S> {
        self.frames.last().expect("the start stays")
    }

    fn slot(&self, hash: u32) -> usize {
        hash as usize & (self.counts.len() - 1)
    }

    fn push(&mut self, state: S, cost: Cost, children: usize) {
        if self.frames.len() * 4 > self.counts.len() {
            self.counts = vec![0; 4 * self.counts.len()];
            for at in 0..self.frames.len() {
                let slot = self.slot(self.frames[at].hash);
                self.counts[slot] += 1;
            }
        }
        let hash = short_hash(&state);
        let slot = self.slot(hash);
        self.counts[slot] += 1;
        self.frames.push(Frame { state, cost, hash, children });
    }

    fn pop(&mut self) -> Option<S> {
        let frame = self.frames.pop()?;
        let slot = self.slot(frame.hash);
        self.counts[slot] -= 1;
        Some(frame.state)
    }

    fn has(&self, state: &S) -> bool {
        self.counts[self.slot(short_hash(state))] > 0 && self.frames.iter().rev().any(|frame| frame.state == *state)
    }
}

/// Rotates, adds and multiplies word by word; its high bits are good enough for a table that may err on one side.
struct Multiplying(u64);

impl Hasher for Multiplying {
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.write_u64(u64::from_le_bytes(word.try_into().expect("eight bytes")));
        }
        let rest = words.remainder();
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.write_u64(u64::from_le_bytes(last));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }

    fn write_u16(&mut self, n: u16) {
        self.write_u64(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    fn finish(&self) -> u64 {
        self.0 >> 32
    }
}

fn short_hash<S: Hash>(state: &S) -> u32 {
    let mut hasher = Multiplying(0);
    state.hash(&mut hasher);
    hasher.finish() as u32
}

/// Children made in one go, between two looks at the answer.
const TOGETHER: u64 = 1024;

impl<P: Problem> Deepening<P> {
    /// Enters the next child of the end of the path, or goes back, until there is a state to expand.
    fn advance(&mut self) {
        while self.expanded && !self.finished {
            if self.open.len() > self.path.last().children {
                let (state, cost) = self.open.pop().expect("there are more");
                self.path.push(state, cost, self.open.len());
                self.expanded = false;
            } else if self.path.frames.len() > 1 {
                let state = self.path.pop();
                if self.left.is_none() {
                    self.left = state;
                }
            } else if self.next_limit == DEAD {
                self.finished = true;
            } else {
                self.expanded = false;
                (self.limit, self.next_limit, self.round) = (self.next_limit, DEAD, 0);
            }
        }
    }

    /// Expands the end of the path.
    fn expand(&mut self, budget: &mut Budget) -> Result<(), Limit> {
        let problem = &*self.problem;
        let (path, open, limit, measure) = (&self.path, &mut self.open, self.limit, self.measure);
        let Frame { state, cost: spent, children, .. } = path.last();
        let depth = path.frames.len() as Cost;
        let (mut goal, mut generated, mut next_limit, mut stopped) = (None, 0, self.next_limit, Ok(()));
        let _ = problem.expand(state, &mut self.moves, |child, cost| {
            let estimate = match budget.child().and_then(|()| self.guide.at(problem, &child, budget.limits)) {
                Ok(estimate) => estimate,
                Err(limit) => {
                    stopped = Err(limit);
                    return ControlFlow::Break(());
                }
            };
            generated += 1;
            if estimate == DEAD || goal.is_some() {
                return ControlFlow::Continue(());
            }
            let cost = spent.saturating_add(cost);
            let value = match measure {
                Measure::Moves => depth,
                Measure::Cost => cost.saturating_add(estimate).min(DEAD - 1),
            };
            if value > limit {
                if value < next_limit && !path.has(&child) {
                    next_limit = value;
                }
            } else if !path.has(&child) {
                if problem.is_goal(&child) {
                    goal = Some(child);
                } else {
                    open.push((child, cost));
                }
            }
            ControlFlow::Continue(())
        });
        if stopped.is_err() {
            open.truncate(*children);
            return stopped;
        }
        open[*children..].reverse();
        self.expanded = true;
        self.left = None;
        self.next_limit = next_limit;
        self.finished = goal.is_some();
        self.goal = goal;
        self.stats.expanded += 1;
        self.stats.generated += generated;
        self.round += 1;
        Ok(())
    }
}

impl<P: Problem> Engine<P> for Deepening<P> {
    type Setting = Measure;

    fn new(root: Root<P>, measure: Measure) -> Self {
        let Root { problem, start, guide, estimate } = root;
        let plan = problem.is_goal(&start).then(|| Plan { moves: Vec::new(), cost: 0 });
        Deepening {
            path: Path::new(problem.canonical(start.clone())),
            measure,
            open: Vec::new(),
            expanded: false,
            limit: estimate,
            next_limit: DEAD,
            round: 0,
            finished: plan.is_some() || estimate == DEAD,
            goal: None,
            plan,
            moves: Vec::new(),
            left: None,
            stats: Stats::default(),
            guide,
            start,
            problem,
        }
    }

    fn answer(&mut self, limits: &Limits) -> Result<Option<Verdict<P::Move>>, Limit> {
        self.advance();
        if !self.finished {
            return Ok(None);
        }
        if let (Some(goal), None) = (&self.goal, &self.plan) {
            let steps = self.path.frames[1..].iter().map(|frame| &frame.state).chain([goal]).cloned();
            self.plan = Some(replay(&*self.problem, &self.start, steps, Patience::Limits(limits))?);
        }
        Ok(Some(match &self.plan {
            None => Verdict::Unsolvable(Why::Exhausted { states: self.round }),
            Some(plan) => Verdict::Solved { plan: plan.clone(), lower: self.lower().min(plan.cost) },
        }))
    }

    fn work(&mut self, most: u64, budget: &mut Budget) -> Result<u64, Limit> {
        let before = self.stats;
        loop {
            let expanded = self.expand(budget);
            let (states, made) = (self.stats.expanded - before.expanded, self.stats.generated - before.generated);
            if expanded.is_err() && states == 0 {
                return expanded.map(|()| 0);
            }
            if expanded.is_err() || self.finished || states >= most || made >= TOGETHER {
                return Ok(made);
            }
            self.advance();
            if self.finished {
                return Ok(made);
            }
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn stored(&self) -> u64 {
        self.path.frames.len() as u64
    }

    fn lower(&self) -> Cost {
        match self.measure {
            Measure::Moves => self.limit.saturating_mul(*self.problem.move_costs().start()),
            Measure::Cost if self.guide.admissible => self.limit,
            Measure::Cost => 0,
        }
    }

    fn plan(&self) -> Option<Plan<P::Move>> {
        self.plan.clone()
    }

    fn upper(&self) -> Option<Cost> {
        self.plan.as_ref().map(|plan| plan.cost)
    }

    fn open_and_closed(&self) -> (u64, u64) {
        (self.open.len() as u64, self.path.frames.len() as u64 - 1)
    }

    fn last(&self) -> Option<P::State> {
        let frames = &self.path.frames;
        let on_path = match frames.len() {
            end if self.expanded => frames.get(end - 1),
            // Its first child has been entered, or a new round begins.
            1 => frames.first().filter(|_| self.stats.expanded > 0),
            end => frames.get(end - 2),
        };
        self.left.as_ref().or(on_path.map(|frame| &frame.state)).cloned()
    }

    fn bytes(&self, _more: usize) -> usize {
        let path = self.path.frames.capacity() * size_of::<Frame<P::State>>() + self.path.counts.capacity() * size_of::<u32>();
        let heap = (self.path.frames.len() + self.open.len()) * heap_bytes(&*self.problem);
        let open = self.open.capacity() * size_of::<(P::State, Cost)>();
        path + heap + open + self.moves.capacity() * size_of::<P::Move>() + self.guide.bytes()
    }

    fn child_bytes(&self) -> usize {
        2 * size_of::<(P::State, Cost)>() + heap_bytes(&*self.problem)
    }
}
