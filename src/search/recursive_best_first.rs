//! Recursive best-first search (Korf): expands in A*'s order but keeps one path and its siblings. When the best sibling
//! elsewhere looks better than everything below, the path is forgotten, leaving the best value found below it behind.
//!
//! The recursion is an explicit stack, so that the search can be stopped, looked into and resumed.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::driver::{Budget, Engine, Root, heap_bytes};
use super::guide::Guide;
use super::replay::{Patience, replay};
use super::trace::{Place, Shown, Watched};
use crate::limits::{Limit, Limits};
use crate::outcome::{Plan, Stats, Verdict, Why};
use crate::rules::{Cost, DEAD, Problem};

pub(super) struct RecursiveBestFirst<P: Problem> {
    problem: Arc<P>,
    start: P::State,
    guide: Guide<P>,
    path: Vec<Frame<P>>,
    /// Children on the path, with room for them.
    held: usize,
    lower: Cost,
    /// The goal at the end of the path, once it is found, and the plan, once it is written down.
    goal: Option<P::State>,
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

impl<P: Problem> RecursiveBestFirst<P> {
    fn expand(&mut self, budget: &mut Budget) -> Result<(), Limit> {
        let problem = &*self.problem;
        let (frame, above) = self.path.split_last_mut().expect("the path has the start");
        let mut children: Vec<Child<P>> = Vec::new();
        let (mut generated, mut stopped) = (0, Ok(()));
        let _ = problem.expand(&frame.state, &mut self.moves, |state, cost| {
            stopped = budget.child();
            if stopped.is_err() {
                return ControlFlow::Break(());
            }
            generated += 1;
            if state == frame.state || above.iter().any(|frame| frame.state == state) {
                return ControlFlow::Continue(());
            }
            match self.guide.at(problem, &state, budget.limits) {
                Ok(DEAD) => {}
                Ok(estimate) => {
                    // What is known of the parent holds for its children: this is also what makes estimates monotone.
                    let cost = frame.cost.saturating_add(cost);
                    let value = cost.saturating_add(estimate).max(frame.value).min(DEAD - 1);
                    let goal = problem.is_goal(&state);
                    children.push(Child { state, cost, value, goal });
                }
                Err(limit) => {
                    stopped = Err(limit);
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        stopped?;
        self.stats.expanded += 1;
        self.stats.generated += generated;
        self.last = Some(frame.state.clone());
        self.held += children.capacity();
        frame.children = Some(children);
        Ok(())
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
                    self.goal = Some(child.state.clone());
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
                self.held -= children.capacity();
                self.path.pop();
                let parent = &mut self.path[end - 1];
                parent.children.as_mut().expect("it was expanded")[parent.entered].value = value;
            }
        }
    }
}

impl<P: Problem> Engine<P> for RecursiveBestFirst<P> {
    type Setting = ();

    fn new(root: Root<P>, (): ()) -> Self {
        let Root { problem, start, guide, estimate: value } = root;
        let state = problem.canonical(start.clone());
        let plan = problem.is_goal(&start).then(|| Plan { moves: Vec::new(), cost: 0 });
        RecursiveBestFirst {
            lower: if guide.admissible && value != DEAD { value } else { 0 },
            path: vec![Frame { state, cost: 0, value, limit: DEAD - 1, children: None, entered: 0 }],
            held: 0,
            finished: plan.is_some() || value == DEAD,
            goal: None,
            plan,
            moves: Vec::new(),
            last: None,
            stats: Stats::default(),
            guide,
            start,
            problem,
        }
    }

    fn answer(&mut self, limits: &Limits) -> Result<Option<Verdict<P::Move>>, Limit> {
        while !self.finished && self.path.last().is_some_and(|frame| frame.children.is_some()) {
            self.advance();
        }
        if !self.finished {
            return Ok(None);
        }
        if let (Some(goal), None) = (&self.goal, &self.plan) {
            let steps = self.path[1..].iter().map(|frame| &frame.state).chain([goal]).cloned();
            self.plan = Some(replay(&*self.problem, &self.start, steps, Patience::Limits(limits))?);
        }
        Ok(Some(match &self.plan {
            None => Verdict::Unsolvable(Why::Exhausted { states: self.stats.expanded }),
            // The goal's value was the least of all open values.
            Some(plan) => Verdict::Solved { plan: plan.clone(), lower: if self.guide.admissible { plan.cost } else { 0 } },
        }))
    }

    #[inline(never)]
    fn work(&mut self, _most: u64, budget: &mut Budget) -> Result<u64, Limit> {
        let before = self.stats.generated;
        self.expand(budget)?;
        Ok(self.stats.generated - before)
    }

    fn kept(&self) -> u64 {
        self.path.len() as u64
    }

    fn plan(&self) -> Option<Plan<P::Move>> {
        self.plan.clone()
    }

    fn open_and_closed(&self) -> (u64, u64) {
        (self.waiting(), self.path.len() as u64)
    }

    fn last(&self) -> Option<P::State> {
        self.last.clone()
    }

    fn bytes(&self, _more: usize) -> usize {
        let frames = self.path.capacity() * size_of::<Frame<P>>() + self.path.len() * heap_bytes(&*self.problem);
        let moves = self.moves.capacity() * size_of::<P::Move>();
        frames + self.held * self.child_bytes() + moves + self.guide.bytes()
    }

    fn child_bytes(&self) -> usize {
        size_of::<Child<P>>() + heap_bytes(&*self.problem)
    }
}

impl<P: Problem> Watched<P> for RecursiveBestFirst<P> {
    fn shown(&self) -> Option<Shown<P::State>> {
        let frame = self.path.last()?;
        let place = Place::Path { depth: self.path.len() - 1 };
        let bound = Some(frame.limit).filter(|&limit| limit < DEAD - 1);
        Some(Shown { state: frame.state.clone(), cost: Some(frame.cost), place, bound })
    }

    fn waiting(&self) -> u64 {
        self.path.iter().filter_map(|frame| frame.children.as_ref()).map(|children| children.len() as u64).sum()
    }

    fn guide(&self) -> Option<&Guide<P>> {
        Some(&self.guide)
    }

    /// What is proved of the state at the end of the path holds for its children, too.
    fn priority(&self, cost: Cost, estimate: Cost) -> Option<f64> {
        self.path.last().map(|frame| f64::from(cost.saturating_add(estimate).max(frame.value)))
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn lower(&self) -> Cost {
        self.lower
    }

    fn upper(&self) -> Option<Cost> {
        self.plan.as_ref().map(|plan| plan.cost)
    }
}
