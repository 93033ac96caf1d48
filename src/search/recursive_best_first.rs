//! Recursive best-first search (Korf): expands in A*'s order but keeps one path and its siblings. When the best sibling
//! elsewhere looks better than everything below, the path is forgotten, leaving the best value found below it behind.
//!
//! The recursion is an explicit stack, so that the search can be stopped, looked into and resumed.

use super::Guide;
use super::driver::Engine;
use super::replay::replay;
use crate::outcome::{Plan, Stats, Verdict, Why};
use crate::rules::{Cost, DEAD, Problem};

pub(super) struct RecursiveBestFirst<'a, P: Problem> {
    problem: &'a P,
    start: P::State,
    guide: Guide<P>,
    path: Vec<Frame<P>>,
    lower: Cost,
    plan: Option<Plan<P::Move>>,
    finished: bool,
    moves: Vec<P::Move>,
    last: Option<P::State>,
    stats: Stats,
}

struct Frame<P: Problem> {
    /// In canonical form.
    state: P::State,
    cost: Cost,
    /// The largest value proved for this state so far: its own estimate, or what earlier visits left behind.
    value: Cost,
    /// Go back as soon as everything below is worth more than this.
    limit: Cost,
    children: Option<Vec<Child<P>>>,
    /// The child that the path goes on with.
    entered: usize,
}

struct Child<P: Problem> {
    state: P::State,
    cost: Cost,
    value: Cost,
    goal: bool,
}

impl<'a, P: Problem> RecursiveBestFirst<'a, P> {
    pub(super) fn new(problem: &'a P, start: P::State, guide: Guide<P>) -> Self {
        let value = guide.at(problem, &start);
        let state = problem.canonical(start.clone());
        let plan = problem.is_goal(&start).then(|| Plan { moves: Vec::new(), cost: 0 });
        RecursiveBestFirst {
            problem,
            lower: if guide.admissible && value != DEAD { value } else { 0 },
            guide,
            path: vec![Frame { state, cost: 0, value, limit: DEAD - 1, children: None, entered: 0 }],
            finished: plan.is_some() || value == DEAD,
            plan,
            moves: Vec::new(),
            last: None,
            stats: Stats::default(),
            start,
        }
    }

    fn expand(&mut self) {
        let problem = self.problem;
        let (frame, above) = self.path.split_last_mut().expect("the path has the start");
        self.stats.expanded += 1;
        self.last = Some(frame.state.clone());
        let mut children = Vec::new();
        problem.expand(&frame.state, &mut self.moves, |state, cost| {
            self.stats.generated += 1;
            if state == frame.state || above.iter().any(|frame| frame.state == state) {
                return;
            }
            let estimate = self.guide.at(problem, &state);
            if estimate != DEAD {
                // What is known of the parent holds for its children: this is also what makes estimates monotone.
                let cost = frame.cost.saturating_add(cost);
                let value = cost.saturating_add(estimate).max(frame.value).min(DEAD - 1);
                let goal = problem.is_goal(&state);
                children.push(Child { state, cost, value, goal });
            }
        });
        frame.children = Some(children);
    }

    /// Enters the best child of the end of the path, or goes back with its value.
    fn advance(&mut self) {
        let end = self.path.len() - 1;
        let frame = &self.path[end];
        let Some(children) = &frame.children else { return };
        let best = (0..children.len()).min_by_key(|&at| (children[at].value, !children[at].goal));
        let value = best.map_or(DEAD, |at| children[at].value);
        if end == 0 && self.guide.admissible && value != DEAD {
            self.lower = self.lower.max(value);
        }
        match best {
            Some(at) if value <= frame.limit => {
                let child = &children[at];
                if child.goal {
                    let steps = self.path[1..].iter().map(|frame| &frame.state).chain([&child.state]).cloned();
                    self.plan = Some(replay(self.problem, &self.start, steps));
                    self.finished = true;
                    return;
                }
                let rival = children.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, child)| child.value).min();
                let limit = frame.limit.min(rival.unwrap_or(DEAD));
                let (state, cost) = (child.state.clone(), child.cost);
                self.path[end].entered = at;
                self.path.push(Frame { state, cost, value, limit, children: None, entered: 0 });
            }
            _ if end == 0 => self.finished = true,
            _ => {
                self.path.pop();
                let parent = &mut self.path[end - 1];
                parent.children.as_mut().expect("it was expanded")[parent.entered].value = value;
            }
        }
    }
}

impl<P: Problem> Engine<P> for RecursiveBestFirst<'_, P> {
    fn answer(&mut self) -> Option<Verdict<P::Move>> {
        while !self.finished && self.path.last().is_some_and(|frame| frame.children.is_some()) {
            self.advance();
        }
        if !self.finished {
            return None;
        }
        Some(match &self.plan {
            None => Verdict::Unsolvable(Why::Exhausted { states: self.stats.expanded }),
            // The goal's value was the least of all open values.
            Some(plan) => Verdict::Solved { plan: plan.clone(), lower: if self.guide.admissible { plan.cost } else { 0 } },
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
        self.path.len() as u64
    }

    fn lower(&self) -> Cost {
        self.lower
    }

    fn plan(&self) -> Option<Plan<P::Move>> {
        self.plan.clone()
    }

    fn upper(&self) -> Option<Cost> {
        self.plan.as_ref().map(|plan| plan.cost)
    }

    fn open_and_closed(&self) -> (u64, u64) {
        let siblings = self.path.iter().filter_map(|frame| frame.children.as_ref()).map(|children| children.len() as u64);
        (siblings.sum(), self.path.len() as u64)
    }

    fn last(&self) -> Option<P::State> {
        self.last.clone()
    }

    fn bytes(&self, _more: usize) -> usize {
        let children: usize = self.path.iter().filter_map(|frame| frame.children.as_ref()).map(Vec::capacity).sum();
        size_of_val(&*self.path) + children * size_of::<Child<P>>() + self.guide.bytes()
    }
}
