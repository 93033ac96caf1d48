//! The least clicks on a board with black vertices, by a search over what happens to the black ones.
//!
//! Every plan can be brought into this form without changing its price: colored clicks `Y`, then a click on a black vertex
//! `u`, again and again, and in the end, when nothing is black, the rest. Two rules keep the sets `Y` few and small:
//!
//! * Only clicks that swap a neighbor of `u` matter to `u`; all others can wait.
//! * Of two sets with the same result for `u` and the same parity of clicks next to `u`, one inside the other, the larger can
//!   be cut down to the smaller: what is left over can be clicked afterwards, and has the same effect there.
//!
//! The guide is the relaxed problem, all solutions of it: the *members* of a coset, each a set of clicks still to be made.
//! A click in the set takes it out; one that is not in it makes the member dearer by two; a vertex that takes a color rules
//! out the members that would leave it red. What survives within the price allowed is all that can still happen, so the
//! search is depth first, with a price that grows from the relaxed minimum until a plan is found (IDA*), and a table of
//! boards seen at that price.

use std::collections::HashMap;

use super::members::{Member, Members};
use super::meter::{Effort, Made, Meter, Most, Seen};
use super::sets::{Field, Here, Set, Turn};
use crate::limits::Limit;
use crate::rules::Cost;
use crate::trace::Fate;

/// Colored clicks, then a black one.
struct Step<const W: usize> {
    clicks: Set<W>,
    black: usize,
    next: Here<W>,
    spent: u32,
    members: Vec<Member<W>>,
    /// The least price of a plan through here, as far as it is known.
    least: u32,
}

/// A set of clicks, what is red after them, and the first vertex that may still join.
type Layered<const W: usize> = (Set<W>, Set<W>, usize);

/// The result of a level of the search.
pub enum Level {
    Plan(Vec<u32>),
    /// No plan at this price; the next one worth trying.
    Next(Cost),
}

/// Words of members that are looked at between two looks at the limits: some milliseconds.
const LOOK: usize = 1 << 20;

pub struct Phases<'a, const W: usize> {
    field: &'a Field<W>,
    start: Here<W>,
    all: &'a Members<W>,
    /// The price allowed, and the least that was refused.
    most: u32,
    refused: u32,
    /// The clicks that it took to come to a board.
    seen: HashMap<Here<W>, u32>,
    path: Vec<(Set<W>, usize)>,
    /// Words looked at since the limits were asked, and before.
    work: usize,
    words: usize,
    pub effort: Effort,
    /// The number of the start, where somebody watches.
    root: Option<u64>,
}

impl<'a, const W: usize> Phases<'a, W> {
    /// With all members of the relaxed problem. With some of them only, plans are found but not proved to be the best.
    pub fn new(field: &'a Field<W>, start: Here<W>, all: &'a Members<W>) -> Self {
        let (seen, path, effort) = (HashMap::new(), Vec::new(), Effort::default());
        Phases { field, start, all, most: 0, refused: 0, seen, path, work: 0, words: 0, effort, root: None }
    }

    /// Looks for a plan of at most this price.
    pub fn level(&mut self, most: Cost, meter: &Meter<'_>) -> Result<Level, Limit> {
        self.most = most;
        self.refused = u32::MAX;
        self.seen = HashMap::new();
        self.path.clear();
        self.effort.bytes = 0;
        let members = self.members(meter)?;
        let root = self.root(meter);
        let Some(last) = self.visit(root, None, members, meter)? else { return Ok(Level::Next(self.refused)) };
        let mut clicks: Vec<u32> = Vec::new();
        for (before, black) in &self.path {
            clicks.extend(before.ones().map(|v| v as u32));
            clicks.push(*black as u32);
        }
        clicks.extend(last.ones().map(|v| v as u32));
        Ok(Level::Plan(clicks))
    }

    /// Has it done so much that it gives up by itself?
    pub fn is_spent(&self, most: &Most) -> bool {
        self.effort.expanded >= most.expanded || self.words > most.words
    }

    /// Counts work on so many members, and asks the limits now and then. `more` are bytes held for the moment.
    #[inline]
    fn look(&mut self, members: usize, more: usize, meter: &Meter<'_>) -> Result<(), Limit> {
        self.work += members * W;
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

    /// All members within the price allowed.
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

    /// Goes on from a board; the last clicks if a plan was found.
    /// `from` is the board before, and the step from it.
    fn visit(
        &mut self,
        seen: Seen<W>,
        from: Option<(Seen<W>, (Set<W>, usize))>,
        members: Vec<Member<W>>,
        meter: &Meter<'_>,
    ) -> Result<Option<Set<W>>, Limit> {
        let Seen { here, spent, .. } = seen;
        if here.black.is_empty() {
            return Ok(members.iter().min_by_key(|member| member.cost).map(|member| member.clicks));
        }
        if self.seen.get(&here).is_some_and(|&before| before <= spent) {
            return Ok(None);
        }
        self.seen.insert(here, spent);
        self.effort.hold(size_of::<(Here<W>, u32)>() * 2);
        meter.expand(&self.effort)?;
        let before = self.effort.bytes;
        let mut steps: Vec<Step<W>> = Vec::new();
        for black in here.black.ones() {
            self.steps(&here, spent, &members, black, &mut steps, meter)?;
        }
        let held = self.effort.bytes - before;
        self.effort.expanded += 1;
        self.effort.generated += steps.len() as u64;
        steps.sort_by_key(|step| (step.least, step.next.black.len(), std::cmp::Reverse(step.members.len())));
        let first = self.show(seen, from, &members, &steps, meter);
        for (id, step) in (first..).zip(steps) {
            self.path.push((step.clicks, step.black));
            let next = Seen { id, here: step.next, depth: seen.depth + 1, spent: step.spent };
            if let Some(last) = self.visit(next, Some((seen, (step.clicks, step.black))), step.members, meter)? {
                return Ok(Some(last));
            }
            self.path.pop();
        }
        self.effort.bytes -= held;
        Ok(None)
    }

    /// The start, with the number that it has in every round.
    fn root(&mut self, meter: &Meter<'_>) -> Seen<W> {
        if let (Some(show), None) = (&meter.show, self.root) {
            let mut show = show.borrow_mut();
            self.root = Some(show.next);
            show.next += 1;
        }
        Seen { id: self.root.unwrap_or(0), here: self.start, depth: 0, spent: 0 }
    }

    /// Shows a board and its steps to whoever watches; the first of them gets this number.
    fn show(
        &self,
        seen: Seen<W>,
        from: Option<(Seen<W>, (Set<W>, usize))>,
        members: &[Member<W>],
        steps: &[Step<W>],
        meter: &Meter<'_>,
    ) -> u64 {
        let Some(show) = &meter.show else { return 0 };
        let mut show = show.borrow_mut();
        let first = show.next;
        show.next += steps.len() as u64;
        let made = |(id, step): (u64, &Step<W>)| {
            let known = self.seen.get(&step.next).is_some_and(|&before| before <= step.spent);
            let fate = if known { Fate::Known } else { Fate::New };
            Made { step: (step.clicks, step.black), id: Some(id), estimate: Some(step.least - step.spent), fate }
        };
        let made: Vec<Made<W>> = (first..).zip(steps).map(made).collect();
        let estimate = members.iter().map(|member| member.cost).min();
        let bounds = (self.path.len() as u64 + steps.len() as u64, meter.lower, meter.upper);
        show.expanded(seen, from, estimate, Some(self.most), bounds, &made);
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
        let neighbors = self.field.rows[black].without(here.black);
        let near = neighbors.ones().fold(Set::EMPTY, |near, v| near.or(self.field.closed(v))).without(here.black);
        let near: Vec<(usize, Set<W>)> = near.ones().map(|v| (v, self.field.closed(v).and(neighbors))).collect();
        let kinds = if neighbors.len() % 2 == 1 { 4 } else { 5 };
        // The smallest sets of each kind: by result and, where that is a color, by the parity of clicks next to the vertex.
        let mut least: [Vec<Set<W>>; 5] = Default::default();
        // Sets of one size.
        let mut layer: Vec<Layered<W>> = vec![(Set::EMPTY, here.red, 0)];
        while !layer.is_empty() {
            let mut larger: Vec<Layered<W>> = Vec::new();
            let width = layer.len();
            for (clicks, red, from) in layer {
                let turn = Field::turn(&neighbors, &red);
                let kind = match turn {
                    Turn::Stays => 4,
                    turn => 2 * usize::from(turn == Turn::Red) + clicks.and(neighbors).len() as usize % 2,
                };
                if !least[kind].iter().any(|smaller| smaller.within(&clicks)) {
                    least[kind].push(clicks);
                    self.step(here, spent, members, clicks, black, out);
                    self.look(members.len(), 0, meter)?;
                }
                // Around a vertex of high degree there may be very many sets.
                self.look(1 + least.iter().map(Vec::len).sum::<usize>(), (width + larger.len()) * size_of::<Layered<W>>(), meter)?;
                let done = least.iter().filter(|sets| sets.iter().any(|smaller| smaller.within(&clicks))).count();
                if done == kinds {
                    continue;
                }
                for (at, (v, swaps)) in near.iter().enumerate().skip(from) {
                    let clicks = clicks.or(Set::of(*v));
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

    fn step(&mut self, here: &Here<W>, spent: u32, members: &[Member<W>], clicks: Set<W>, black: usize, out: &mut Vec<Step<W>>) {
        let (next, turn) = self.field.after(here, clicks, black);
        let spent = spent + clicks.len() + 1;
        let made = clicks.or(Set::of(black));
        let equation = self.field.closed(black);
        let mut left = Vec::new();
        let mut least = u32::MAX;
        for member in members {
            let clicks = member.clicks.xor(made);
            let odd = clicks.and(equation).len() % 2 == 1;
            if turn != Turn::Stays && odd != (turn == Turn::Red) {
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
            out.push(Step { clicks, black, next, spent, members: left, least });
        }
    }
}
