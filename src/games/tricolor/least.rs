//! The least cost of a board on which the order of clicks matters, because it has black vertices or because clicks are priced by
//! color.
//!
//! There are four steps. `classes` finds a plan, or proves that there is none. The solutions of the relaxed problem, its *members*,
//! yield a lower bound. Unless clicks are priced by color, `phases` searches over the recolorings, which solves most small boards
//! quickly. All other boards go to `ranking`, which orders the clicks with a SAT solver.

use super::classes::{Classes, Solvability};
use super::linear::{Lightened, lightest};
use super::members::CosetMembers;
use super::meter::{Effort, Meter, Most};
use super::order::ClickOrder;
use super::phases::{Phases, Priced};
use super::ranking::{Ranked, RankedMembers};
use super::relaxed::Coset;
use super::sets::{VertexSet, counted_words};
use super::{Colors, Tricolor, count};
use crate::bits::bit;
use crate::limits::Limit;
use crate::outcome::{Outcome, Plan, Stats, Verdict, Why};
use crate::rules::{Cost, Problem};
use crate::sort;

/// Maximum dimension of a coset whose members are all enumerated; lower on large graphs. 2^26 members take a few tenths of a second.
const MEMBERS: usize = 26;
/// For larger cosets, the number of dimensions enumerated around a lightest member.
const SOME_MEMBERS: usize = 14;
/// For larger cosets, the maximum amount by which a plan's cost may exceed the lower bound.
const SOME_MORE: Cost = 12;
/// The amount of work that the search over recolorings may do before the SAT solver takes over.
pub const AT_FIRST: Most = Most { expanded: 200, words: 1 << 21 };
/// Number of expansions spent on each cost if a board is too large for the SAT solver and for a proof.
const ALONE: u64 = 4000;

/// A board that no short proof refutes, and its relaxed problem.
pub struct LeastCost<'a> {
    pub tricolor: &'a Tricolor,
    pub colors: &'a Colors,
    pub coset: &'a Coset,
    pub member: &'a [u64],
    pub at_first: Most,
}

/// Facts about the cost: a plan, a lower bound, and whether all members are enumerated, which is needed for a proof.
struct Known {
    best: Option<Plan<u32>>,
    lower: Cost,
    all: bool,
}

impl Known {
    /// The verdict for the best plan found.
    fn solved(&self, plan: Plan<u32>) -> Verdict<u32> {
        let lower = if self.all { plan.cost } else { self.lower };
        Verdict::Solved { plan, lower }
    }
}

impl LeastCost<'_> {
    /// Solves the board; `stats` is the work so far.
    pub fn solve<const W: usize>(&self, mut meter: Meter<'_>, stats: Stats) -> Outcome<u32> {
        let all = self.coset.kernel.len() + (counted_words(self.tricolor.graph.len()).ilog2() as usize) <= MEMBERS;
        let mut known = Known { best: None, lower: meter.lower, all };
        let (mut classes, mut effort) = (Classes::new(self.tricolor), Effort::default());
        let verdict = self.run::<W>(&mut classes, &mut known, &mut meter, &mut effort);
        let verdict = verdict.unwrap_or_else(|limit| Verdict::Unknown { limit, lower: known.lower, best: known.best });
        let stats = Stats {
            expanded: classes.effort.expanded + effort.expanded,
            generated: classes.effort.generated + effort.generated,
            peak_bytes: stats.peak_bytes + classes.effort.peak.max(effort.peak),
            ..stats
        };
        Outcome::new(verdict, stats)
    }

    fn run<const W: usize>(
        &self,
        classes: &mut Classes<'_>,
        known: &mut Known,
        meter: &mut Meter<'_>,
        effort: &mut Effort,
    ) -> Result<Verdict<u32>, Limit> {
        match classes.decide(self.colors, meter)? {
            Solvability::None { classes } => return Ok(Verdict::Unsolvable(Why::Exhausted { states: classes })),
            Solvability::Plan(moves) => known.best = Some(self.plan(moves)),
            Solvability::Open => {}
        }
        meter.upper = known.best.as_ref().map(|plan| plan.cost);
        meter.expanded = classes.effort.expanded;
        let members = self.members::<W>(known, meter)?;
        meter.lower = known.lower;
        let by_color = self.tricolor.by_color;
        let fits = ClickOrder::fits(&self.tricolor.graph, self.colors, by_color);
        if !by_color && (known.all || !fits) {
            meter.most = fits.then_some(self.at_first);
            if let Some(verdict) = self.phases(&members, known, meter, effort)? {
                return Ok(verdict);
            }
        }
        meter.expanded += effort.expanded;
        self.ranking(&members, known, meter, effort)
    }

    /// The plan with these moves, and its cost.
    fn plan(&self, moves: Vec<u32>) -> Plan<u32> {
        let (mut colors, mut cost) = (self.colors.clone(), 0);
        for vertex in &moves {
            cost += self.tricolor.cost(&colors, vertex);
            self.tricolor.make(&mut colors, vertex);
        }
        Plan { cost, moves }
    }

    /// All members if there are few; otherwise, a lightest member and some of its neighbors. The cost of a lightest member is a
    /// lower bound, so a plan at that cost is optimal.
    fn members<const W: usize>(&self, known: &mut Known, meter: &Meter<'_>) -> Result<CosetMembers<W>, Limit> {
        let (prices, black) = (self.tricolor.prices(), VertexSet::from_row(self.colors.black()));
        if known.all {
            let members = CosetMembers::new(self.member, &self.coset.kernel, black, prices);
            let mut least = Cost::MAX;
            members.each(meter, &Effort::default(), |member| {
                least = least.min(member.cost);
                0
            })?;
            known.lower = known.lower.max(least);
            return Ok(members);
        }
        let costs = |v: usize| if bit(self.colors.black(), v) { prices.black } else { prices.colored };
        let Lightened { clicks, lower, limit } = lightest(self.tricolor.graph.len(), self.member, self.coset, &costs, meter.limits);
        known.lower = known.lower.max(lower);
        if let Some(limit) = limit {
            return Err(limit);
        }
        let mut kernel = self.coset.kernel.clone();
        sort::by_key(&mut kernel, |vector| count(vector));
        kernel.truncate(SOME_MEMBERS);
        Ok(CosetMembers::new(&clicks, &kernel, black, prices))
    }

    /// Searches over recolorings; `None` if `meter.most` was used up.
    fn phases<const W: usize>(
        &self,
        members: &CosetMembers<W>,
        known: &mut Known,
        meter: &mut Meter<'_>,
        effort: &mut Effort,
    ) -> Result<Option<Verdict<u32>>, Limit> {
        let mut phases = Phases::new(self.tricolor, self.colors, members, meter);
        let (at_first, bound) = (meter.most, known.lower);
        let mut price = bound;
        if !known.all {
            meter.most = Some(Most { expanded: ALONE, words: usize::MAX });
        }
        let verdict = loop {
            let enough = |plan: &&Plan<u32>| plan.cost <= price || !known.all && price > bound.saturating_add(SOME_MORE);
            if let Some(plan) = known.best.as_ref().filter(enough) {
                break Some(known.solved(plan.clone()));
            }
            let level = phases.level(price, meter);
            *effort = phases.effort;
            match level {
                Ok(Priced::Plan(moves)) => break Some(known.solved(self.plan(moves))),
                Ok(Priced::Next(u32::MAX)) if known.all => {
                    break Some(Verdict::Unsolvable(Why::Exhausted { states: phases.effort.expanded }));
                }
                Ok(Priced::Next(next)) => price = next,
                Err(Limit::Nodes) if at_first.is_some_and(|most| phases.is_spent(&most)) => break None,
                // Give up on this cost, because a plan at the next one may be easier to find.
                Err(Limit::Nodes) if meter.most.is_some_and(|most| phases.is_spent(&most)) => {
                    meter.most = Some(Most { expanded: phases.effort.expanded + ALONE, words: usize::MAX });
                    price += 1;
                }
                Err(limit) => return Err(limit),
            }
            if known.all {
                known.lower = price;
                meter.lower = price;
            }
        };
        meter.most = None;
        Ok(verdict)
    }

    /// Orders the clicks with a SAT solver.
    fn ranking<const W: usize>(
        &self,
        members: &CosetMembers<W>,
        known: &mut Known,
        meter: &mut Meter<'_>,
        effort: &mut Effort,
    ) -> Result<Verdict<u32>, Limit> {
        let check = |bytes: usize| meter.report(&Effort { bytes, ..Effort::default() });
        let order = ClickOrder::new(&self.tricolor.graph, self.colors, self.tricolor.by_color, check)?;
        // A known plan need not be found again.
        let cheaper = known.best.as_ref().map_or(Cost::MAX, |plan| plan.cost.saturating_sub(1));
        let most = if known.all { cheaper } else { cheaper.min(known.lower.saturating_add(SOME_MORE)) };
        let mut ranking = RankedMembers::new(order, members);
        let ranked = ranking.solve(most, meter);
        effort.peak = effort.peak.max(ranking.effort.peak);
        if known.all {
            known.lower = known.lower.max(ranking.lower.min(cheaper));
        }
        match (ranked?, &known.best) {
            (Ranked::Plan(moves), _) => Ok(known.solved(self.plan(moves))),
            (Ranked::Dearer, Some(plan)) => Ok(known.solved(plan.clone())),
            // No member can be ordered at any cost.
            (Ranked::Dearer, None) if known.all => Ok(Verdict::Unsolvable(Why::Exhausted { states: meter.expanded })),
            // No plan was found near the lightest member, but there may be one elsewhere.
            (Ranked::Dearer, None) => Err(Limit::Nodes),
        }
    }
}
