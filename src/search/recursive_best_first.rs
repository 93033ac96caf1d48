//! Recursive best-first search (Korf): expands states in A*'s order but stores only one path and the siblings of its states. When
//! an alternative elsewhere looks better than everything below the last state, the search backtracks and keeps only the best value
//! found below that state.
//!
//! The recursion is an explicit stack, so that the search can be stopped, inspected and resumed.

use super::driver::{Budget, Engine, Kept, Path, Task, heap_bytes};
use crate::limits::Limit;
use crate::outcome::{Plan, Stats};
use crate::rules::{Cost, DEAD, Problem};

pub(super) struct RecursiveBestFirst<P: Problem> {
    path: Vec<Frame<P>>,
    /// The total capacity of the lists of children on the path.
    held: usize,
    /// The goal at the end of the path, once it has been found.
    goal: Option<P::State>,
    finished: bool,
    last: P::State,
    /// Number of states expanded.
    searched: u64,
}

struct Frame<P: Problem> {
    /// The state in canonical form.
    state: P::State,
    cost: Cost,
    /// The largest known value of this state: its cost plus its estimate, its parent's value, or its value from an earlier visit.
    value: Cost,
    /// The search backtracks from this state as soon as all of its children have values larger than this.
    limit: Cost,
    children: Option<Vec<Child<P>>>,
    /// The index of the child that continues the path.
    entered: usize,
}

struct Child<P: Problem> {
    state: P::State,
    cost: Cost,
    value: Cost,
    goal: bool,
}

impl<P: Problem> RecursiveBestFirst<P> {
    pub(super) fn new(task: &mut Task<P>) -> Self {
        task.plan = task.begins_at_goal().then(|| Plan { moves: Vec::new(), cost: 0 });
        let (state, value) = (task.problem.canonical(task.start.clone()), task.estimate);
        let (last, finished) = (state.clone(), task.plan.is_some() || value == DEAD);
        let path = vec![Frame { state, cost: 0, value, limit: DEAD - 1, children: None, entered: 0 }];
        RecursiveBestFirst { path, held: 0, goal: None, finished, last, searched: 0 }
    }

    /// Enters the best child of the path's last state, or backtracks and stores that child's value in the parent.
    fn enter(&mut self, task: &mut Task<P>) {
        let end = self.path.len() - 1;
        let frame = &self.path[end];
        let Some(children) = &frame.children else { return };
        let best = (0..children.len()).min_by_key(|&at| (children[at].value, !children[at].goal));
        let value = best.map_or(DEAD, |at| children[at].value);
        if end == 0 && task.guide.admissible && value != DEAD {
            task.lower = task.lower.max(value);
        }
        match best {
            Some(at) if value <= frame.limit => {
                let child = &children[at];
                if child.goal {
                    self.goal = Some(child.state.clone());
                    self.finished = true;
                    if task.guide.admissible {
                        // The goal's value is the minimum of all open values.
                        task.lower = task.lower.max(child.cost);
                    }
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
    fn advance(&mut self, task: &mut Task<P>) -> bool {
        while !self.finished && self.path.last().is_some_and(|frame| frame.children.is_some()) {
            self.enter(task);
        }
        !self.finished
    }

    #[inline(never)]
    fn work(&mut self, task: &mut Task<P>, _most: u64, budget: &mut Budget) -> Result<u64, Limit> {
        let (problem, limits) = (&*task.problem, budget.limits);
        let (frame, above) = self.path.split_last_mut().expect("the path contains the start");
        let mut children: Vec<Child<P>> = Vec::new();
        let generated = budget.expand(problem, &frame.state, &mut task.moves, |state, cost| {
            if state == frame.state || above.iter().any(|frame| frame.state == state) {
                return Ok(());
            }
            let estimate = task.guide.at(problem, &state, limits)?;
            if estimate != DEAD {
                // A bound that holds for the parent also holds for its children, so estimates are made monotone.
                let cost = frame.cost.saturating_add(cost);
                let value = cost.saturating_add(estimate).max(frame.value).min(DEAD - 1);
                let goal = problem.is_goal(&state);
                children.push(Child { state, cost, value, goal });
            }
            Ok(())
        })?;
        task.count(1, generated);
        self.searched = task.stats.expanded;
        self.last = frame.state.clone();
        self.held += children.capacity();
        frame.children = Some(children);
        Ok(generated)
    }

    fn kept(&self) -> Kept<'_, P::State> {
        let (depth, last) = (self.path.len() - 1, &self.last);
        let Frame { state: tip, cost, limit, .. } = &self.path[depth];
        let bound = Some(*limit).filter(|&limit| limit < DEAD - 1);
        Kept::Path(Path { tip, cost: *cost, depth, bound, last, searched: self.searched })
    }

    fn steps(&self) -> Option<Vec<&P::State>> {
        let goal = self.goal.as_ref()?;
        Some(self.path[1..].iter().map(|frame| &frame.state).chain([goal]).collect())
    }

    fn open_and_closed(&self, _stats: &Stats) -> (u64, u64) {
        let waiting = self.path.iter().filter_map(|frame| frame.children.as_ref()).map(|children| children.len() as u64).sum();
        (waiting, self.path.len() as u64)
    }

    fn bytes(&self, problem: &P, _more: usize) -> usize {
        let frames = self.path.capacity() * size_of::<Frame<P>>() + self.path.len() * heap_bytes(problem);
        frames + self.held * self.child_bytes(problem)
    }

    fn child_bytes(&self, problem: &P) -> usize {
        size_of::<Child<P>>() + heap_bytes(problem)
    }

    /// A bound proved for the last state of the path also holds for its children.
    fn priority(&self, cost: Cost, estimate: Cost) -> Option<f64> {
        self.path.last().map(|frame| f64::from(cost.saturating_add(estimate).max(frame.value)))
    }
}
