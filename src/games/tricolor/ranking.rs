//! Finds the cheapest plan over all members of the relaxed problem, trying the most promising member first.
//!
//! The cost of a member is a lower bound on the cost of every plan with its clicks. With the clauses of [`ClickOrder`], a SAT
//! solver decides whether the clicks can be put in an order of that cost. If they cannot, the solver returns a *core*: a few literals
//! with prices, at least one of which must be true, and the clicks from which this follows. Cores raise the bound of a member step by
//! step, as in core-guided MaxSAT (OLL): the prices of all literals in a core drop by the increase in the bound, and "at least two of
//! them" becomes a literal with a price, then "at least three". A core applies to every member that agrees on those clicks, so one call
//! often settles thousands of members. If a member can be ordered at its bound and no other member has a lower bound, the resulting
//! plan is optimal.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::members::{CosetMembers, Member};
use super::meter::{Effort, Meter};
use super::order::{ClickOrder, Read};
use super::sets::VertexSet;
use crate::limits::Limit;
use crate::rules::Cost;
use crate::sat::Lit;
use crate::sat::gates::Count;
use crate::sort;

/// A core: at least one of the counted literals is true in every plan whose member contains all of `with` and none of `without`.
struct Core<const W: usize> {
    with: VertexSet<W>,
    without: VertexSet<W>,
    count: Count,
}

/// The prices of literals, by index.
#[derive(Default)]
struct Prices {
    /// The original prices.
    first: Vec<u32>,
    /// The prices for the current member, reduced by the cost that all its plans share.
    left: Vec<u32>,
    /// The literals whose price in `left` may differ from that in `first`.
    changed: Vec<Lit>,
    /// The cost that all plans of the current member share.
    paid: u32,
}

fn at(lit: Lit) -> usize {
    lit.idx() as usize
}

impl Prices {
    /// Restores the original prices, and adds literals that were created in the meantime.
    fn reset(&mut self, softs: &[(Lit, u32)]) {
        for lit in self.changed.drain(..) {
            self.left[at(lit)] = self.first.get(at(lit)).copied().unwrap_or(0);
        }
        self.paid = 0;
        for &(lit, price) in softs.iter().rev() {
            if self.of(lit) > 0 {
                break;
            }
            self.first.resize(self.first.len().max(at(lit) + 1), 0);
            self.left.resize(self.left.len().max(at(lit) + 1), 0);
            self.first[at(lit)] = price;
            self.left[at(lit)] = price;
        }
    }

    fn of(&self, lit: Lit) -> u32 {
        self.left.get(at(lit)).copied().unwrap_or(0)
    }

    fn set(&mut self, lit: Lit, price: u32) {
        self.left.resize(self.left.len().max(at(lit) + 1), 0);
        self.left[at(lit)] = price;
        self.changed.push(lit);
    }
}

pub struct RankedMembers<'a, const W: usize> {
    order: ClickOrder<'a>,
    members: &'a CosetMembers<W>,
    cores: Vec<Core<W>>,
    /// For each literal "at least k literals of a core are true": the core, and k.
    counted: HashMap<Lit, (usize, usize)>,
    prices: Prices,
    /// Members by bound.
    open: BinaryHeap<Reverse<(u32, Member<W>)>>,
    /// All members that cost less than this have been listed.
    listed: u32,
    /// The number of members of each cost.
    histogram: Vec<u64>,
    pub effort: Effort,
    /// A lower bound on the cost of every plan.
    pub lower: Cost,
    /// The number of calls to the SAT solver so far.
    asked: u64,
}

/// The result of a search.
pub enum Ranked {
    Plan(Vec<u32>),
    /// No plan was found, because every plan costs more than the maximum allowed.
    Dearer,
}

/// Approximate number of members listed at a time.
const LISTED: u64 = 1 << 16;
/// Maximum number of attempts to shrink a core.
const TRIES: usize = 4;
/// Number of calls between two turns of a search that runs alternately with this one; most calls take a few tenths of a millisecond.
const TURN: u64 = 4;

impl<'a, const W: usize> RankedMembers<'a, W> {
    pub fn new(order: ClickOrder<'a>, members: &'a CosetMembers<W>) -> Self {
        let (open, effort) = (BinaryHeap::new(), Effort::default());
        let (cores, counted, histogram) = (Vec::new(), HashMap::new(), Vec::new());
        RankedMembers { order, members, cores, counted, prices: Prices::default(), open, listed: 0, histogram, effort, lower: 0, asked: 0 }
    }

    /// Finds the cheapest plan, if it costs at most `most`.
    pub fn solve(&mut self, most: Cost, meter: &mut Meter<'_>) -> Result<Ranked, Limit> {
        self.count(meter)?;
        loop {
            meter.limits.check()?;
            let next = self.open.peek().map_or(u32::MAX, |Reverse((bound, _))| *bound);
            if next > self.listed && (self.listed as usize) < self.histogram.len() {
                self.list(meter)?;
                continue;
            }
            self.lower = self.lower.max(next);
            meter.lower = self.lower;
            let Some(Reverse((bound, member))) = self.open.pop().filter(|_| next <= most) else { return Ok(Ranked::Dearer) };
            if !self.charge(&member) {
                continue;
            }
            let raised = member.cost + self.prices.paid;
            if raised > bound {
                self.open.push(Reverse((raised, member)));
            } else if self.ask(&member, meter)? {
                if let Read::Plan(plan) = self.order.read(member.clicks.words()) {
                    return Ok(Ranked::Plan(plan));
                }
                self.open.push(Reverse((bound, member)));
            } else {
                self.learn(meter)?;
                self.open.push(Reverse((bound, member)));
            }
        }
    }

    /// Counts the members of each cost.
    fn count(&mut self, meter: &Meter<'_>) -> Result<(), Limit> {
        let mut histogram = std::mem::take(&mut self.histogram);
        self.members.each(meter, &self.effort, |member| {
            let price = member.cost as usize;
            if histogram.len() <= price {
                histogram.resize(price + 1, 0);
            }
            histogram[price] += 1;
            0
        })?;
        self.histogram = histogram;
        Ok(())
    }

    /// Lists the next cheapest members, at least all those of one cost.
    fn list(&mut self, meter: &Meter<'_>) -> Result<(), Limit> {
        let from = self.listed;
        let mut many = 0;
        while (self.listed as usize) < self.histogram.len() && (many == 0 || many + self.histogram[self.listed as usize] <= LISTED) {
            many += self.histogram[self.listed as usize];
            self.listed += 1;
        }
        let (to, open) = (self.listed, &mut self.open);
        self.members.each(meter, &self.effort, |member| {
            if (from..to).contains(&member.cost) {
                open.push(Reverse((member.cost, member)));
            }
            open.capacity() * size_of::<Reverse<(u32, Member<W>)>>()
        })?;
        self.hold();
        meter.report(&self.effort)
    }

    /// Updates the number of bytes in use.
    fn hold(&mut self) {
        let cores: usize = self.cores.iter().map(|core| size_of::<Core<W>>() + core.count.literals.len() * 3 * size_of::<Lit>()).sum();
        let open = self.open.capacity() * size_of::<Reverse<(u32, Member<W>)>>();
        self.effort.bytes = 0;
        self.effort.hold(self.order.bytes() + cores + open);
    }

    /// Computes the prices for a member, using the known cores. Returns `false` if its clicks cannot be ordered at any cost.
    fn charge(&mut self, member: &Member<W>) -> bool {
        self.prices.reset(&self.order.softs);
        for at in 0..self.cores.len() {
            let core = &self.cores[at];
            if !core.with.within(&member.clicks) || !core.without.and(member.clicks).is_empty() {
                continue;
            }
            let Some(least) = core.count.literals.iter().map(|&lit| self.prices.of(lit)).min() else { return false };
            if least > 0 {
                self.pay(at, least);
            }
        }
        true
    }

    /// Pays for one literal of a core: each literal becomes cheaper by `price`, but a second true literal costs `price` again.
    fn pay(&mut self, at: usize, price: u32) {
        self.prices.paid += price;
        for i in 0..self.cores[at].count.literals.len() {
            let lit = self.cores[at].count.literals[i];
            self.prices.set(lit, self.prices.of(lit) - price);
            if let Some(&(core, number)) = self.counted.get(&lit) {
                self.next(core, number + 1, price);
            }
        }
        self.next(at, 2, price);
    }

    /// Adds `price` to the price of the literal "at least `number` literals of a core are true".
    fn next(&mut self, core: usize, number: usize, price: u32) {
        if let Some(lit) = self.cores[core].count.reaches(number, &mut self.order.gates) {
            self.counted.insert(lit, (core, number));
            self.prices.set(lit, self.prices.of(lit) + price);
        }
    }

    /// Decides whether the clicks of a member can be ordered without any cost beyond what is already paid.
    fn ask(&mut self, member: &Member<W>, meter: &Meter<'_>) -> Result<bool, Limit> {
        let odd = self.order.odd.iter().enumerate().filter_map(|(v, odd)| Some(odd.as_ref()?.apply_sign(member.clicks.has(v))));
        let mut assumed: Vec<Lit> = odd.collect();
        let mut dear: Vec<Lit> = self.order.softs.iter().map(|(lit, _)| *lit).chain(self.prices.changed.iter().copied()).collect();
        dear.retain(|&lit| self.prices.of(lit) > 0);
        sort::ascending(&mut dear);
        dear.dedup();
        assumed.extend(dear.iter().map(|&lit| !lit));
        self.decide(&assumed, meter)
    }

    fn decide(&mut self, assumed: &[Lit], meter: &Meter<'_>) -> Result<bool, Limit> {
        if self.asked.is_multiple_of(TURN) {
            meter.limits.take_turns()?;
        }
        self.asked += 1;
        self.hold();
        let found = self.order.gates.sat.solve(assumed, meter.limits, meter.progress(&self.effort));
        self.hold();
        found
    }

    /// Learns a new core from the last call of the SAT solver.
    fn learn(&mut self, meter: &Meter<'_>) -> Result<(), Limit> {
        let mut core = self.order.gates.sat.core();
        for _ in 0..TRIES {
            let smaller: Vec<Lit> = core.iter().rev().copied().collect();
            let clash = self.decide(&smaller, meter)?;
            debug_assert!(!clash, "a core has no model");
            let found = self.order.gates.sat.core();
            if found.len() >= core.len() {
                break;
            }
            core = found;
        }
        let vertex: HashMap<Lit, usize> = self.order.odd.iter().enumerate().filter_map(|(v, odd)| Some(((*odd)?, v))).collect();
        let (mut with, mut without, mut paid) = (VertexSet::EMPTY, VertexSet::EMPTY, Vec::new());
        for lit in core {
            if let Some(&v) = vertex.get(&lit) {
                with = with.or(VertexSet::of(v));
            } else if let Some(&v) = vertex.get(&!lit) {
                without = without.or(VertexSet::of(v));
            } else {
                paid.push(!lit);
            }
        }
        self.cores.push(Core { with, without, count: Count::new(paid) });
        Ok(())
    }
}
