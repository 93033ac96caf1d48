//! Finds a plan with the fewest clicks for a board with black vertices, by a search over the clicks on black vertices.
//!
//! Every plan can be rearranged into steps without changing its cost. A step is a set `Y` of clicks on colored vertices, followed by a
//! click on a black vertex `u`. Once no vertex is black, only the remaining clicks on colored vertices follow. Two rules keep the sets
//! `Y` few and small:
//!
//! * Only clicks that swap a neighbor of `u` matter to `u`; all others can be made later.
//! * If two sets have the same result for `u` and the same parity of clicks on neighbors of `u`, and one contains the other, only
//!   the smaller is needed: the remaining clicks of the larger one can be made later, with the same effect.
//!
//! The search is guided by all solutions of the relaxed problem: the *members* of a coset, each a set of clicks still to make.
//! Making a click removes it from the members that contain it and raises the cost of all others by two. When a black vertex turns
//! red or green, the members that would leave it red are ruled out. Only members within the allowed cost can still become plans. The
//! search is therefore depth-first under a cost limit that grows from the relaxed minimum until a plan is found (IDA*), and keeps a
//! table of the boards seen under the current limit.

use std::cell::RefCell;
use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;

use super::members::{CosetMembers, Member};
use super::meter::{Effort, Meter, Most};
use super::sets::{VertexSet, counted_words};
use super::trace::{BoardTrace, TracedBoard, child};
use super::{Colors, Tricolor};
use crate::limits::Limit;
use crate::rules::Cost;
use crate::sort;
use crate::trace::{Fate, Way};

/// A board: the red and the black vertices.
#[derive(Clone, Copy)]
struct Here<const W: usize> {
    red: VertexSet<W>,
    black: VertexSet<W>,
}

/// Clicks on colored vertices, followed by one on a black vertex.
#[derive(Clone, Copy)]
struct Clicks<const W: usize> {
    colored: VertexSet<W>,
    black: usize,
}

impl<const W: usize> Clicks<W> {
    fn moves(&self) -> Vec<u32> {
        self.colored.ones().chain([self.black]).map(|v| v as u32).collect()
    }
}

/// Clicks, and the board after them.
struct Step<const W: usize> {
    clicks: Clicks<W>,
    next: Here<W>,
    spent: u32,
    members: Vec<Member<W>>,
    /// A lower bound on the cost of a plan through this step.
    least: u32,
}

/// A visited board: its number in the trace, its depth in steps, and the number of clicks made.
#[derive(Clone, Copy)]
struct Visit<const W: usize> {
    id: u64,
    here: Here<W>,
    depth: u32,
    spent: Cost,
}

/// A set of clicks, the red vertices after them, and the index of the first vertex that may still be added.
type Layered<const W: usize> = (VertexSet<W>, VertexSet<W>, usize);

/// The result of a search for plans up to a given cost.
pub enum Priced {
    Plan(Vec<u32>),
    /// No plan has a cost within the limit. Contains the next cost to try.
    Next(Cost),
}

/// Number of words of members read between two checks of the limits: a few milliseconds of work.
const LOOK: usize = 1 << 20;

pub struct Phases<'a, const W: usize> {
    rows: Vec<VertexSet<W>>,
    /// The number of words charged to the work budget for each set that is read.
    width: usize,
    start: Here<W>,
    all: &'a CosetMembers<W>,
    /// The maximum cost allowed.
    most: u32,
    /// The least cost above `most` that was seen.
    refused: u32,
    /// For each board visited, the fewest clicks that have reached it.
    seen: HashMap<Colors, u32>,
    path: Vec<Clicks<W>>,
    /// The number of words read since the last check of the limits.
    work: usize,
    /// The number of words read before the last check of the limits.
    words: usize,
    pub effort: Effort,
    /// The number of the starting board in the trace, which is the same in every round.
    root: u64,
}

/// The effect of a click on a black vertex with these colored neighbors: `Greater` if it turns green, `Less` if it turns red,
/// `Equal` if it stays black.
fn turn<const W: usize>(neighbors: &VertexSet<W>, red: &VertexSet<W>) -> Ordering {
    // The click first swaps the neighbors, so those that are red now will be green.
    (2 * red.and(*neighbors).len()).cmp(&neighbors.len())
}

impl<'a, const W: usize> Phases<'a, W> {
    /// Prepares a search with all members of the relaxed problem. If `all` contains only some of the members, the search finds plans
    /// but does not prove them optimal.
    pub fn new(tricolor: &Tricolor, colors: &Colors, all: &'a CosetMembers<W>, meter: &Meter<'_>) -> Self {
        let rows = (0..tricolor.graph.len()).map(|v| VertexSet::from_row(tricolor.graph.row(v))).collect();
        let start = Here { red: VertexSet::from_row(colors.red()), black: VertexSet::from_row(colors.black()) };
        let (seen, path, effort) = (HashMap::new(), Vec::new(), Effort::default());
        let (width, most, refused, work, words) = (counted_words(tricolor.graph.len()), 0, 0, 0, 0);
        let number = |trace: &RefCell<BoardTrace<'_>>| {
            trace.borrow_mut().next += 1;
            trace.borrow().next - 1
        };
        let root = meter.trace.as_ref().map_or(0, number);
        Phases { rows, width, start, all, most, refused, seen, path, work, words, effort, root }
    }

    /// Searches for a plan that costs at most `most`.
    pub fn level(&mut self, most: Cost, meter: &Meter<'_>) -> Result<Priced, Limit> {
        self.most = most;
        self.refused = u32::MAX;
        self.seen = HashMap::new();
        self.path.clear();
        self.effort.bytes = 0;
        let members = self.members(meter)?;
        let root = Visit { id: self.root, here: self.start, depth: 0, spent: 0 };
        let Some(last) = self.visit(root, None, members, meter)? else { return Ok(Priced::Next(self.refused)) };
        let mut clicks: Vec<u32> = self.path.iter().flat_map(Clicks::moves).collect();
        clicks.extend(last.ones().map(|v| v as u32));
        Ok(Priced::Plan(clicks))
    }

    /// True if the search has used up this budget.
    pub fn is_spent(&self, most: &Most) -> bool {
        self.effort.expanded >= most.expanded || self.words > most.words
    }

    /// Counts work on members, and checks the limits regularly. `more` is the number of bytes temporarily in use.
    #[inline]
    fn look(&mut self, members: usize, more: usize, meter: &Meter<'_>) -> Result<(), Limit> {
        self.work += members * self.width;
        if self.work < LOOK {
            return Ok(());
        }
        self.words += self.work;
        self.work = 0;
        if meter.most.is_some_and(|most| self.words > most.words) {
            return Err(Limit::Nodes);
        }
        meter.long(&Effort { bytes: self.effort.bytes + more, ..self.effort })
    }

    /// A vertex and its neighbors, including black ones.
    fn closed(&self, v: usize) -> VertexSet<W> {
        self.rows[v].or(VertexSet::of(v))
    }

    fn colors(&self, here: &Here<W>) -> Colors {
        let words = self.rows.len().div_ceil(64);
        Colors { words: [&here.red.words()[..words], &here.black.words()[..words]].concat() }
    }

    /// The board after these clicks, and the effect of the final click on the black vertex.
    fn after(&self, here: &Here<W>, clicks: &Clicks<W>) -> (Here<W>, Ordering) {
        let red = clicks.colored.ones().fold(here.red, |red, v| red.xor(self.closed(v))).without(here.black);
        let neighbors = self.rows[clicks.black].without(here.black);
        let turn = turn(&neighbors, &red);
        let (red, one) = (red.xor(neighbors), VertexSet::of(clicks.black));
        let next = match turn {
            Ordering::Equal => Here { red, black: here.black },
            Ordering::Greater => Here { red, black: here.black.without(one) },
            Ordering::Less => Here { red: red.or(one), black: here.black.without(one) },
        };
        (next, turn)
    }

    /// All members within the allowed cost.
    fn members(&mut self, meter: &Meter<'_>) -> Result<Vec<Member<W>>, Limit> {
        let mut members = Vec::new();
        self.all.each(meter, &self.effort, |member| {
            if member.cost <= self.most {
                members.push(member);
            } else {
                self.refused = self.refused.min(member.cost);
            }
            members.capacity() * size_of::<Member<W>>()
        })?;
        self.effort.hold(members.len() * size_of::<Member<W>>());
        Ok(members)
    }

    /// Visits a board and its descendants. If a plan is found, returns the clicks that complete it after the steps in `path`. `from` is
    /// the previous board and the step that led from it to this one.
    fn visit(
        &mut self,
        visit: Visit<W>,
        from: Option<(Visit<W>, Clicks<W>)>,
        members: Vec<Member<W>>,
        meter: &Meter<'_>,
    ) -> Result<Option<VertexSet<W>>, Limit> {
        let Visit { here, spent, .. } = visit;
        if here.black.is_empty() {
            return Ok(members.iter().min_by_key(|member| member.cost).map(|member| member.clicks));
        }
        let colors = self.colors(&here);
        if self.seen.get(&colors).is_some_and(|&before| before <= spent) {
            return Ok(None);
        }
        self.effort.hold(2 * (size_of::<(Colors, u32)>() + size_of_val(&*colors.words)));
        self.seen.insert(colors, spent);
        meter.expand(&self.effort)?;
        let before = self.effort.bytes;
        let mut steps: Vec<Step<W>> = Vec::new();
        for black in here.black.ones() {
            self.steps(&here, spent, &members, black, &mut steps, meter)?;
        }
        let held = self.effort.bytes - before;
        self.effort.expanded += 1;
        self.effort.generated += steps.len() as u64;
        sort::by_key(&mut steps, |step| (step.least, step.next.black.len(), Reverse(step.members.len())));
        let first = self.trace(visit, from, &members, &steps, meter);
        for (id, Step { clicks, next, spent, members, .. }) in (first..).zip(steps) {
            self.path.push(clicks);
            let after = Visit { id, here: next, depth: visit.depth + 1, spent };
            if let Some(last) = self.visit(after, Some((visit, clicks)), members, meter)? {
                return Ok(Some(last));
            }
            self.path.pop();
        }
        self.effort.bytes -= held;
        Ok(None)
    }

    /// Adds a board and its steps to the trace. Returns the id of the board that the first step leads to.
    fn trace(
        &self,
        Visit { id, here, depth, spent }: Visit<W>,
        from: Option<(Visit<W>, Clicks<W>)>,
        members: &[Member<W>],
        steps: &[Step<W>],
        meter: &Meter<'_>,
    ) -> u64 {
        let Some(trace) = &meter.trace else { return 0 };
        let mut trace = trace.borrow_mut();
        let first = trace.next;
        trace.next += steps.len() as u64;
        let traced = |(id, step): (u64, &Step<W>)| {
            let known = self.seen.get(&self.colors(&step.next)).is_some_and(|&before| before <= step.spent);
            let fate = if known { Fate::Known } else { Fate::New };
            child(step.clicks.moves(), spent, Some(id), Some(step.least - step.spent), fate)
        };
        let children = (first..).zip(steps).map(traced).collect();
        let estimate = members.iter().map(|member| member.cost).min();
        let bounds = (self.path.len() as u64 + steps.len() as u64, meter.lower, meter.upper);
        let way = from.map(|(parent, clicks)| (parent.id, Way { from: self.colors(&parent.here), moves: clicks.moves() }));
        let board = TracedBoard { id, way, colors: self.colors(&here), depth, spent };
        trace.expanded(board, (estimate, Some(self.most)), bounds, children);
        first
    }

    /// All steps that end with a click on this black vertex.
    fn steps(
        &mut self,
        here: &Here<W>,
        spent: u32,
        members: &[Member<W>],
        black: usize,
        out: &mut Vec<Step<W>>,
        meter: &Meter<'_>,
    ) -> Result<(), Limit> {
        let neighbors = self.rows[black].without(here.black);
        let near = neighbors.ones().fold(VertexSet::EMPTY, |near, v| near.or(self.closed(v))).without(here.black);
        let near: Vec<(usize, VertexSet<W>)> = near.ones().map(|v| (v, self.closed(v).and(neighbors))).collect();
        let kinds = if neighbors.len() % 2 == 1 { 4 } else { 5 };
        // The minimal sets of clicks of each kind. A kind is a result and, if that is a color, a parity of clicks on neighbors.
        let mut least: [Vec<VertexSet<W>>; 5] = Default::default();
        // All sets in a layer have the same size.
        let mut layer: Vec<Layered<W>> = vec![(VertexSet::EMPTY, here.red, 0)];
        while !layer.is_empty() {
            let mut larger: Vec<Layered<W>> = Vec::new();
            let width = layer.len();
            for (clicks, red, from) in layer {
                let kind = match turn(&neighbors, &red) {
                    Ordering::Equal => 4,
                    turn => 2 * usize::from(turn == Ordering::Less) + clicks.and(neighbors).len() as usize % 2,
                };
                if !least[kind].iter().any(|smaller| smaller.within(&clicks)) {
                    least[kind].push(clicks);
                    self.step(here, spent, members, Clicks { colored: clicks, black }, out);
                    self.look(members.len(), 0, meter)?;
                }
                // A vertex of high degree may have a great many sets, so each pass is counted.
                self.look(1 + least.iter().map(Vec::len).sum::<usize>(), (width + larger.len()) * size_of::<Layered<W>>(), meter)?;
                let done = least.iter().filter(|sets| sets.iter().any(|smaller| smaller.within(&clicks))).count();
                if done == kinds {
                    continue;
                }
                for (at, (v, swaps)) in near.iter().enumerate().skip(from) {
                    let clicks = clicks.or(VertexSet::of(*v));
                    let cost = |member: &Member<W>| spent + member.cost + 2 * clicks.without(member.clicks).len();
                    self.look(members.len(), (width + larger.len()) * size_of::<Layered<W>>(), meter)?;
                    if members.iter().any(|member| cost(member) <= self.most) {
                        larger.push((clicks, red.xor(*swaps), at + 1));
                    } else {
                        self.refused = self.refused.min(members.iter().map(cost).min().unwrap_or(u32::MAX));
                    }
                }
            }
            layer = larger;
        }
        Ok(())
    }

    /// Adds the step with these clicks and the members that remain after it, unless it is too expensive.
    fn step(&mut self, here: &Here<W>, spent: u32, members: &[Member<W>], clicks: Clicks<W>, out: &mut Vec<Step<W>>) {
        let (next, turn) = self.after(here, &clicks);
        let spent = spent + clicks.colored.len() + 1;
        let made = clicks.colored.or(VertexSet::of(clicks.black));
        let equation = self.closed(clicks.black);
        let mut left = Vec::new();
        let mut least = u32::MAX;
        for member in members {
            let clicks = member.clicks.xor(made);
            let odd = clicks.and(equation).len() % 2 == 1;
            if turn != Ordering::Equal && odd != (turn == Ordering::Less) {
                continue;
            }
            let cost = self.all.price(&clicks, &next.black);
            least = least.min(spent + cost);
            if spent + cost <= self.most {
                left.push(Member { clicks, cost });
            }
        }
        if left.is_empty() {
            self.refused = self.refused.min(least);
        } else {
            self.effort.hold(size_of::<Step<W>>() + left.len() * size_of::<Member<W>>());
            out.push(Step { clicks, next, spent, members: left, least });
        }
    }
}
