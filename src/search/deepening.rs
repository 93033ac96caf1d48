//! Iterative deepening and IDA*: depth-first search under a limit that grows to the least value that exceeded it. The two
//! differ only in what is limited: the number of moves, or cost so far plus estimate.
//!
//! Memory is one path. States on the path are not entered again, which makes both end on every finite space; but without
//! a visited set a state is searched once for every way to it, so on unsolvable boards they may take very long.
//!
//! Nearly all children exceed the limit, so that is tested first. Whether a child is on the path matters only if it is to be
//! entered or would be the least that exceeded the limit; a small table of hashes says mostly at once that it is not there.
//! All children that wait are in one stack, a frame is three numbers beside its state, and a state becomes a frame only when
//! a child of it is entered: most have none within the limit.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::driver::{Budget, Engine, Root, heap_bytes};
use super::guide::Guide;
use super::replay::{Patience, replay};
use super::trace::{Place, Shown, Watched};
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
    /// The path, without its end; its first frame is the start.
    path: Path<P::State>,
    /// Its end, and whether that is expanded.
    tip: Open<P::State>,
    expanded: bool,
    /// Children under the limit of all states on the path, those of the last one on top, its first move topmost.
    open: Vec<Open<P::State>>,
    /// Where those of the tip begin.
    children: usize,
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
    /// The state that was expanded before the tip is the one above it if the tip was entered from there, else this one.
    left: Open<P::State>,
    entered: bool,
    stats: Stats,
}

/// A child that waits.
struct Open<S> {
    state: S,
    cost: Cost,
    hash: u32,
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
    fn new() -> Self {
        Path { frames: Vec::new(), counts: vec![0; 1024] }
    }

    #[inline]
    fn slot(&self, hash: u32) -> usize {
        hash as usize & (self.counts.len() - 1)
    }

    #[inline]
    fn push(&mut self, Open { state, cost, hash }: Open<S>, children: usize) {
        if self.frames.len() * 4 > self.counts.len() {
            self.recount();
        }
        let slot = self.slot(hash);
        self.counts[slot] += 1;
        self.frames.push(Frame { state, cost, hash, children });
    }

    /// Counts again in a larger table.
    #[cold]
    fn recount(&mut self) {
        self.counts = vec![0; 4 * self.counts.len()];
        for at in 0..self.frames.len() {
            let slot = self.slot(self.frames[at].hash);
            self.counts[slot] += 1;
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<Open<S>> {
        let Frame { state, cost, hash, .. } = self.frames.pop()?;
        let slot = self.slot(hash);
        self.counts[slot] -= 1;
        Some(Open { state, cost, hash })
    }

    #[inline]
    fn has(&self, state: &S, hash: u32) -> bool {
        self.counts[self.slot(hash)] > 0 && self.frames.iter().rev().any(|frame| frame.state == *state)
    }
}

/// Rotates, adds and multiplies word by word; its high bits are good enough for a table that may err on one side.
struct Multiplying(u64);

impl Hasher for Multiplying {
    #[inline]
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

    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }

    #[inline]
    fn write_u16(&mut self, n: u16) {
        self.write_u64(n.into());
    }

    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }

    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0 >> 32
    }
}

#[inline]
fn short_hash<S: Hash>(state: &S) -> u32 {
    let mut hasher = Multiplying(0);
    state.hash(&mut hasher);
    hasher.finish() as u32
}

/// Children made in one go, between two looks at the answer.
const TOGETHER: u64 = 1024;

impl<P: Problem> Deepening<P> {
    /// Enters the next child of the tip, or of the state above that has one, so that there is a state to expand.
    #[inline]
    fn advance(&mut self) {
        if !self.expanded || self.finished {
            return;
        }
        if self.open.len() > self.children {
            let child = self.open.pop().expect("there are more");
            let tip = std::mem::replace(&mut self.tip, child);
            self.path.push(tip, self.children);
            self.entered = true;
        } else {
            self.go_back();
        }
        self.children = self.open.len();
        self.expanded = self.finished;
    }

    #[inline]
    fn go_back(&mut self) {
        let mut gone = false;
        while let Some(above) = self.path.frames.last() {
            let more = self.open.len() > above.children;
            let next = if more { self.open.pop() } else { self.path.pop() }.expect("there is one");
            let tip = std::mem::replace(&mut self.tip, next);
            if !gone {
                (gone, self.left) = (true, tip);
            }
            if more {
                break;
            }
        }
        self.entered = !gone;
        if !self.path.frames.is_empty() {
            return;
        }
        // The tip is the start.
        if self.next_limit == DEAD {
            self.finished = true;
        } else {
            (self.limit, self.next_limit, self.round) = (self.next_limit, DEAD, 0);
        }
    }

    /// Expands the tip.
    #[inline]
    fn expand(&mut self, budget: &mut Budget) -> Result<(), Limit> {
        let problem = &*self.problem;
        let (path, open, limit, measure) = (&self.path, &mut self.open, self.limit, self.measure);
        let Open { state, cost: spent, .. } = &self.tip;
        let (depth, above) = (path.frames.len() as Cost + 1, path.frames.last().map(|frame| &frame.state));
        let (mut goal, mut generated, mut next_limit, mut stopped) = (None, 0, self.next_limit, Ok(()));
        let _ = problem.expand(state, &mut self.moves, |child, cost| {
            if let Err(limit) = budget.child() {
                stopped = Err(limit);
                return ControlFlow::Break(());
            }
            generated += 1;
            // Most moves can be taken back at once, so this is the usual child that is on the path.
            if above == Some(&child) {
                return ControlFlow::Continue(());
            }
            let estimate = match self.guide.at(problem, &child, budget.limits) {
                Ok(estimate) => estimate,
                Err(limit) => {
                    stopped = Err(limit);
                    return ControlFlow::Break(());
                }
            };
            if estimate == DEAD || goal.is_some() {
                return ControlFlow::Continue(());
            }
            let cost = spent.saturating_add(cost);
            let value = match measure {
                Measure::Moves => depth,
                Measure::Cost => cost.saturating_add(estimate).min(DEAD - 1),
            };
            if value > limit {
                if value < next_limit && child != *state && !path.has(&child, short_hash(&child)) {
                    next_limit = value;
                }
                return ControlFlow::Continue(());
            }
            let hash = short_hash(&child);
            if child != *state && !path.has(&child, hash) {
                if problem.is_goal(&child) {
                    goal = Some(child);
                } else {
                    open.push(Open { state: child, cost, hash });
                }
            }
            ControlFlow::Continue(())
        });
        if stopped.is_err() {
            open.truncate(self.children);
            return stopped;
        }
        if open.len() > self.children + 1 {
            open[self.children..].reverse();
        }
        self.expanded = true;
        self.next_limit = next_limit;
        if goal.is_some() {
            self.finished = true;
            self.goal = goal;
        }
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
        let state = problem.canonical(start.clone());
        let hash = short_hash(&state);
        Deepening {
            path: Path::new(),
            left: Open { state: state.clone(), cost: 0, hash },
            entered: true,
            tip: Open { state, cost: 0, hash },
            children: 0,
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
            let path = self.path.frames.iter().map(|frame| &frame.state).chain([&self.tip.state]);
            let steps = path.skip(1).chain([goal]).cloned();
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

    fn kept(&self) -> u64 {
        self.path.frames.len() as u64 + 1
    }

    fn plan(&self) -> Option<Plan<P::Move>> {
        self.plan.clone()
    }

    fn open_and_closed(&self) -> (u64, u64) {
        (self.open.len() as u64, self.path.frames.len() as u64)
    }

    fn last(&self) -> Option<P::State> {
        if self.expanded {
            return Some(self.tip.state.clone());
        }
        let last = match self.path.frames.last() {
            Some(above) if self.entered => &above.state,
            // The start had no child to enter, and a new round begins.
            None if self.entered => &self.tip.state,
            _ => &self.left.state,
        };
        (self.stats.expanded > 0).then(|| last.clone())
    }

    fn bytes(&self, _more: usize) -> usize {
        let path = self.path.frames.capacity() * size_of::<Frame<P::State>>() + self.path.counts.capacity() * size_of::<u32>();
        let heap = (self.path.frames.len() + self.open.len()) * heap_bytes(&*self.problem);
        let open = self.open.capacity() * size_of::<Open<P::State>>();
        path + heap + open + self.moves.capacity() * size_of::<P::Move>() + self.guide.bytes()
    }

    fn child_bytes(&self) -> usize {
        2 * size_of::<Open<P::State>>() + heap_bytes(&*self.problem)
    }
}

impl<P: Problem> Watched<P> for Deepening<P> {
    fn shown(&self) -> Option<Shown<P::State>> {
        let place = Place::Path { depth: self.path.frames.len() };
        Some(Shown { state: self.tip.state.clone(), cost: Some(self.tip.cost), place, bound: Some(self.limit) })
    }

    fn waiting(&self) -> u64 {
        self.open.len() as u64
    }

    fn guide(&self) -> Option<&Guide<P>> {
        Some(&self.guide)
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn lower(&self) -> Cost {
        match self.measure {
            Measure::Moves => self.limit.saturating_mul(*self.problem.move_costs().start()),
            Measure::Cost if self.guide.admissible => self.limit,
            Measure::Cost => 0,
        }
    }

    fn upper(&self) -> Option<Cost> {
        self.plan.as_ref().map(|plan| plan.cost)
    }
}
