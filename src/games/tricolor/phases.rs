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

use super::sets::{Field, Here, Set, Turn};
use crate::limits::Limit;
use crate::rules::Cost;

/// Clicks still to be made, if black vertices may end in any color, and their price.
#[derive(Clone, Copy)]
struct Member<const W: usize> {
    clicks: Set<W>,
    cost: u32,
}

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

/// What a level of the search came to.
pub enum Level {
    Plan(Vec<u32>),
    /// No plan at this price; the next one worth trying.
    Next(Cost),
    Stopped(Limit),
}

/// What it took so far.
#[derive(Clone, Copy, Default)]
pub struct Effort {
    pub expanded: u64,
    pub generated: u64,
    pub bytes: usize,
    pub peak: usize,
    /// Grows with everything that takes time.
    pub work: u64,
}

impl Effort {
    pub fn hold(&mut self, bytes: usize) {
        self.bytes += bytes;
        self.peak = self.peak.max(self.bytes);
    }
}

pub struct Phases<'a, const W: usize> {
    field: &'a Field<W>,
    start: Here<W>,
    member: Set<W>,
    kernel: Vec<Set<W>>,
    /// The price allowed, and the least that was refused.
    most: u32,
    refused: u32,
    /// The clicks that it took to come to a board.
    seen: HashMap<Here<W>, u32>,
    path: Vec<(Set<W>, usize)>,
    pub effort: Effort,
}

/// Asked before every expansion and now and then: `Some` ends the search.
pub type Asked<'a> = dyn FnMut(&Effort) -> Option<Limit> + 'a;

impl<'a, const W: usize> Phases<'a, W> {
    /// With all members of the relaxed problem: one of them, plus sums of the kernel. With some of them only, plans are found
    /// but not proved to be the best.
    pub fn new(field: &'a Field<W>, start: Here<W>, member: &[u64], kernel: &[Vec<u64>]) -> Self {
        let kernel: Vec<Set<W>> = kernel.iter().map(|vector| Set::from_row(vector)).collect();
        let effort = Effort::default();
        let member = Set::from_row(member);
        Phases { field, start, member, kernel, most: 0, refused: 0, seen: HashMap::new(), path: Vec::new(), effort }
    }

    /// The least price of the relaxed problem.
    pub fn relaxed(&mut self, asked: &mut Asked<'_>) -> Result<Cost, Limit> {
        self.most = 0;
        self.refused = u32::MAX;
        self.members(asked)?;
        Ok(self.refused)
    }

    /// Looks for a plan of at most this price.
    pub fn level(&mut self, most: Cost, asked: &mut Asked<'_>) -> Level {
        self.most = most;
        self.refused = u32::MAX;
        self.seen = HashMap::new();
        self.path.clear();
        self.effort.bytes = 0;
        let found = self.members(asked).and_then(|members| self.visit(self.start, 0, members, asked));
        match found {
            Ok(None) => Level::Next(self.refused),
            Ok(Some(last)) => {
                let mut clicks: Vec<u32> = Vec::new();
                for (before, black) in &self.path {
                    clicks.extend(before.ones().map(|v| v as u32));
                    clicks.push(*black as u32);
                }
                clicks.extend(last.ones().map(|v| v as u32));
                Level::Plan(clicks)
            }
            Err(limit) => Level::Stopped(limit),
        }
    }

    /// All members within the price allowed, in Gray code.
    fn members(&mut self, asked: &mut Asked<'_>) -> Result<Vec<Member<W>>, Limit> {
        let black = self.start.black;
        let mut members = Vec::new();
        let mut clicks = self.member;
        for step in 1_u64..=1 << self.kernel.len() {
            let cost = price(&clicks, &black);
            match cost <= self.most {
                true => members.push(Member { clicks, cost }),
                false => self.refused = self.refused.min(cost),
            }
            if let Some(vector) = self.kernel.get(step.trailing_zeros() as usize) {
                clicks = clicks.xor(*vector);
            }
            if step % (1 << 16) == 0 {
                self.effort.work += 1;
                self.effort.bytes = members.capacity() * size_of::<Member<W>>();
                if let Some(limit) = asked(&self.effort) {
                    return Err(limit);
                }
            }
        }
        self.effort.bytes = 0;
        self.effort.hold(members.len() * size_of::<Member<W>>());
        Ok(members)
    }

    /// Goes on from a board; the last clicks if a plan was found.
    fn visit(&mut self, here: Here<W>, spent: u32, members: Vec<Member<W>>, asked: &mut Asked<'_>) -> Result<Option<Set<W>>, Limit> {
        if here.black.is_empty() {
            return Ok(members.iter().min_by_key(|member| member.cost).map(|member| member.clicks));
        }
        match self.seen.get(&here) {
            Some(&before) if before <= spent => return Ok(None),
            _ => _ = self.seen.insert(here, spent),
        }
        self.effort.hold(size_of::<(Here<W>, u32)>() * 2);
        if let Some(limit) = asked(&self.effort) {
            return Err(limit);
        }
        self.effort.expanded += 1;
        self.effort.work += 1;
        let mut steps: Vec<Step<W>> = Vec::new();
        for black in here.black.ones() {
            self.steps(&here, spent, &members, black, &mut steps, asked)?;
        }
        self.effort.generated += steps.len() as u64;
        steps.sort_by_key(|step| (step.least, step.next.black.len(), std::cmp::Reverse(step.members.len())));
        let held: usize = steps.iter().map(|step| size_of::<Step<W>>() + step.members.len() * size_of::<Member<W>>()).sum();
        self.effort.hold(held);
        for step in steps {
            self.path.push((step.clicks, step.black));
            if let Some(last) = self.visit(step.next, step.spent, step.members, asked)? {
                return Ok(Some(last));
            }
            self.path.pop();
        }
        self.effort.bytes -= held;
        Ok(None)
    }

    /// All steps that end with a click on this black vertex.
    fn steps(
        &mut self,
        here: &Here<W>,
        spent: u32,
        members: &[Member<W>],
        black: usize,
        out: &mut Vec<Step<W>>,
        asked: &mut Asked<'_>,
    ) -> Result<(), Limit> {
        let neighbors = self.field.rows[black].without(here.black);
        let near = neighbors.ones().fold(Set::EMPTY, |near, v| near.or(self.field.closed(v))).without(here.black);
        let near: Vec<(usize, Set<W>)> = near.ones().map(|v| (v, self.field.closed(v).and(neighbors))).collect();
        let kinds = if neighbors.len() % 2 == 1 { 4 } else { 5 };
        // The smallest sets of each kind: by result and, where that is a color, by the parity of clicks next to the vertex.
        let mut least: [Vec<Set<W>>; 5] = Default::default();
        // Sets of one size: clicks, what is red then, and the first vertex that may still join.
        let mut layer = vec![(Set::EMPTY, here.red, 0)];
        while !layer.is_empty() {
            let mut larger = Vec::new();
            for (at, (clicks, red, from)) in layer.into_iter().enumerate() {
                // Around a vertex of high degree there may be very many sets.
                if at % 1024 == 1023 {
                    self.effort.work += 1;
                    if let Some(limit) = asked(&self.effort) {
                        return Err(limit);
                    }
                }
                let turn = Field::turn(&neighbors, &red);
                let kind = match turn {
                    Turn::Stays => 4,
                    turn => 2 * usize::from(turn == Turn::Red) + clicks.and(neighbors).len() as usize % 2,
                };
                if !least[kind].iter().any(|smaller| smaller.within(&clicks)) {
                    least[kind].push(clicks);
                    self.step(here, spent, members, clicks, black, out);
                }
                let done = least.iter().filter(|sets| sets.iter().any(|smaller| smaller.within(&clicks))).count();
                if done == kinds {
                    continue;
                }
                for (at, (v, swaps)) in near.iter().enumerate().skip(from) {
                    let clicks = clicks.or(Set::of(*v));
                    let cost = |member: &Member<W>| spent + member.cost + 2 * clicks.without(member.clicks).len();
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
            let cost = price(&clicks, &next.black);
            least = least.min(spent + cost);
            if spent + cost <= self.most {
                left.push(Member { clicks, cost });
            }
        }
        if left.is_empty() {
            self.refused = self.refused.min(least);
        } else {
            out.push(Step { clicks, black, next, spent, members: left, least });
        }
    }
}

/// What these clicks cost: a black vertex is clicked at least once.
fn price<const W: usize>(clicks: &Set<W>, black: &Set<W>) -> u32 {
    clicks.without(*black).len() + 2 * black.len() - clicks.and(*black).len()
}
