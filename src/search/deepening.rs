//! Iterative deepening and IDA*: depth-first search under a limit that grows to the least value that exceeded it. The two
//! differ only in what is limited: the number of moves, or cost so far plus estimate.
//!
//! Memory is one path. States on the path are not entered again, which makes both end on every finite space; but without
//! a visited set a state is searched once for every way to it, so on unsolvable boards they may take very long.

use super::Guide;
use super::driver::Engine;
use super::replay::replay;
use crate::outcome::{Plan, Stats, Verdict, Why};
use crate::rules::{Cost, DEAD, Problem};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Moves,
    Cost,
}

pub(super) struct Deepening<'a, P: Problem> {
    problem: &'a P,
    start: P::State,
    guide: Guide<P>,
    measure: Measure,
    /// The path: frame 0 is the start. Frames beyond `depth` are kept for their buffers.
    frames: Vec<Frame<P>>,
    depth: usize,
    limit: Cost,
    /// The least measure that exceeded the limit in this round.
    next_limit: Cost,
    /// States expanded in this round.
    round: u64,
    plan: Option<Plan<P::Move>>,
    finished: bool,
    moves: Vec<P::Move>,
    last: Option<P::State>,
    stats: Stats,
}

struct Frame<P: Problem> {
    /// In canonical form, as is everything that the path is compared with.
    state: P::State,
    cost: Cost,
    /// Children under the limit, the next one to enter last.
    children: Vec<(P::State, Cost)>,
    expanded: bool,
}

impl<'a, P: Problem> Deepening<'a, P> {
    pub(super) fn new(problem: &'a P, start: P::State, guide: Guide<P>, measure: Measure) -> Self {
        let estimate = guide.at(problem, &start);
        let root = Frame { state: problem.canonical(start.clone()), cost: 0, children: Vec::new(), expanded: false };
        let plan = problem.is_goal(&start).then(|| Plan { moves: Vec::new(), cost: 0 });
        Deepening {
            problem,
            start,
            guide,
            measure,
            frames: vec![root],
            depth: 0,
            limit: estimate,
            next_limit: DEAD,
            round: 0,
            finished: plan.is_some() || estimate == DEAD,
            plan,
            moves: Vec::new(),
            last: None,
            stats: Stats::default(),
        }
    }

    /// One step of the depth-first search: expands the end of the path, or enters its next child, or goes back.
    fn advance(&mut self) {
        let frame = &mut self.frames[self.depth];
        if !frame.expanded {
            return self.expand();
        }
        match frame.children.pop() {
            Some((state, cost)) => {
                self.depth += 1;
                match self.frames.get_mut(self.depth) {
                    Some(frame) => (frame.state, frame.cost, frame.expanded) = (state, cost, false),
                    None => self.frames.push(Frame { state, cost, children: Vec::new(), expanded: false }),
                }
            }
            None if self.depth > 0 => self.depth -= 1,
            None if self.next_limit == DEAD => self.finished = true,
            None => {
                frame.expanded = false;
                (self.limit, self.next_limit, self.round) = (self.next_limit, DEAD, 0);
            }
        }
    }

    fn expand(&mut self) {
        let problem = self.problem;
        let (path, rest) = self.frames.split_at_mut(self.depth);
        let frame = &mut rest[0];
        frame.expanded = true;
        self.last = Some(frame.state.clone());
        self.stats.expanded += 1;
        self.round += 1;
        let Frame { state, cost: spent, children, .. } = frame;
        let mut goal = None;
        problem.expand(state, &mut self.moves, |child, cost| {
            self.stats.generated += 1;
            if goal.is_some() || child == *state || path.iter().any(|frame| frame.state == child) {
                return;
            }
            let estimate = self.guide.at(problem, &child);
            if estimate == DEAD {
                return;
            }
            let cost = spent.saturating_add(cost);
            let value = match self.measure {
                Measure::Moves => self.depth as Cost + 1,
                Measure::Cost => cost.saturating_add(estimate).min(DEAD - 1),
            };
            if value > self.limit {
                self.next_limit = self.next_limit.min(value);
            } else if problem.is_goal(&child) {
                goal = Some(child);
            } else {
                children.push((child, cost));
            }
        });
        if let Some(goal) = goal {
            let steps = self.frames[..=self.depth].iter().skip(1).map(|frame| &frame.state).chain([&goal]).cloned();
            self.plan = Some(replay(problem, &self.start, steps));
            self.finished = true;
            return;
        }
        let frame = &mut self.frames[self.depth];
        frame.children.reverse();
    }
}

impl<P: Problem> Engine<P> for Deepening<'_, P> {
    fn answer(&mut self) -> Option<Verdict<P::Move>> {
        while !self.finished && self.frames[self.depth].expanded {
            self.advance();
        }
        if !self.finished {
            return None;
        }
        Some(match &self.plan {
            None => Verdict::Unsolvable(Why::Exhausted { states: self.round }),
            Some(plan) => Verdict::Solved { plan: plan.clone(), lower: self.lower().min(plan.cost) },
        })
    }

    fn work(&mut self, _most: u64) -> u64 {
        let before = self.stats.generated;
        self.expand();
        self.stats.generated - before
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn stored(&self) -> u64 {
        self.depth as u64 + 1
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
        (self.frames[..=self.depth].iter().map(|frame| frame.children.len() as u64).sum(), self.depth as u64)
    }

    fn last(&self) -> Option<P::State> {
        self.last.clone()
    }

    fn bytes(&self, _more: usize) -> usize {
        let children: usize = self.frames.iter().map(|frame| frame.children.capacity()).sum();
        size_of_val(&*self.frames) + children * size_of::<(P::State, Cost)>() + self.guide.bytes()
    }
}
