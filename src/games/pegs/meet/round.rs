//! One round of the search, which looks for a plan up to a given cost.
//!
//! The weights are chosen so that no jump removes more weight than its price. The *loss* of a jump is its price minus the weight
//! that it removes. It is never negative, and the cost limit bounds the total loss of a plan. On each side, forward from the start
//! or backward from the goals, a state has a layer and a *level*. The layer is its number of pegs. The level is the least loss of a
//! path to it, in units of `quantum`. Along a plan, the number of pegs falls, the loss so far never falls, and the levels of both
//! sides never add up to more than the highest level.
//!
//! Each forward level is paired with the highest backward level that the bound still allows. The layers that neither level of a pair has
//! expanded form a gap. When all gaps are closed, both sides have reached a common state of every plan: the first state that the forward
//! search has not expanded. All states of a level in a layer are known once the lower levels have been expanded one layer further. So the
//! size of each such set is known, and the smallest set is expanded next.

use std::cmp::Reverse;

use super::budget::{MeetBudget, Stop};
use super::layer_table::{LEVELS, LayerTable};
use super::shared::Shared;

use crate::limits::Limit;
use crate::rules::Cost;
use crate::trace::{Expanded, Fate, Side};

/// The maximum number of levels per unit of price.
const FINEST: i64 = 2;
/// The maximum number of levels per round.
const MOST_LEVELS: i64 = 64;
/// The number of states between two checks of the limits.
const LOOK: usize = 256;
/// The number of states between two progress reports.
const REPORT: usize = 1 << 16;

/// One side of a round.
pub struct Half {
    /// Indexed by the number of pegs.
    pub tables: Vec<LayerTable>,
    /// For each level, the layer to expand next.
    next: Vec<usize>,
}

/// A state that both sides have reached, and the cost of the plan through it.
#[derive(Clone, Copy)]
pub struct MeetingState {
    pub state: u64,
    pub cost: Cost,
}

pub struct Round<'a, 'b> {
    shared: &'b mut Shared<'a>,
    most: Cost,
    /// The maximum number of states per layer that are expanded forward; `None` for no maximum.
    width: Option<usize>,
    /// True if states were dropped because of the width; if so, the round proves nothing.
    pub narrowed: bool,
    /// The loss per level.
    quantum: i64,
    /// The highest level.
    last: usize,
    /// Forward and backward.
    pub halves: [Half; 2],
    pub best: Option<MeetingState>,
    expanded: u64,
    /// The number of bytes in all tables.
    held: usize,
    /// The maximum number of bytes in all tables.
    room: usize,
    /// True if a table could not grow within the maximum.
    short: bool,
}

impl<'a, 'b> Round<'a, 'b> {
    pub fn new(shared: &'b mut Shared<'a>, most: Cost, width: Option<usize>, room: usize) -> Self {
        let field = shared.field;
        let all = shared.loss(Side::Backward, field.start, most).max(0);
        let quantum = if width.is_some() { all + 1 } else { (shared.scale / FINEST).max(all / MOST_LEVELS + 1) };
        let last = (all / quantum) as usize;
        debug_assert!(last < LEVELS);
        let half = |next| Half { tables: (0..=field.holes).map(|_| LayerTable::new(last + 1)).collect(), next: vec![next; last + 1] };
        let fewest = field.goals.iter().map(|goal| goal.count_ones()).min().unwrap_or(0) as usize;
        let halves = [half(field.start.count_ones() as usize), half(fewest)];
        let room = room.saturating_sub(shared.bytes());
        let (best, held) = (None, 0);
        let mut round = Round { shared, most, width, narrowed: false, quantum, last, halves, best, expanded: 0, held, room, short: false };
        round.put(Side::Forward, field.least(field.start), 0, 0);
        for &goal in &field.goals {
            let loss = round.shared.loss(Side::Backward, goal, 0);
            round.put(Side::Backward, field.least(goal), 0, loss);
        }
        round
    }

    pub fn states(&self) -> u64 {
        self.tables().map(|table| table.len() as u64).sum()
    }

    fn tables(&self) -> impl Iterator<Item = &LayerTable> {
        self.halves.iter().flat_map(|half| &half.tables)
    }

    /// The bytes in use, and the number of open states.
    fn holds(&self) -> (usize, u64) {
        (self.held + self.shared.bytes(), self.states().saturating_sub(self.expanded))
    }

    /// Stores a state unless no plan can pass through it.
    fn put(&mut self, side: Side, canonical: u64, cost: Cost, loss: i64) -> Fate {
        let level = loss / self.quantum;
        if cost > self.most || level > self.last as i64 || self.shared.known(side, canonical, self.most - cost) {
            return Fate::Dead;
        }
        let table = &mut self.halves[side as usize].tables[canonical.count_ones() as usize];
        let full = table.is_full();
        if full && table.bytes_grown() > self.room.saturating_sub(self.held) {
            // The round ends after this state.
            self.short = true;
            return Fate::Dead;
        }
        let (before, bytes) = (table.len(), table.bytes());
        let news = table.put(canonical, level as usize, cost);
        self.held += table.bytes() - bytes;
        match news {
            true if table.len() > before => Fate::New,
            true => Fate::Better,
            false => Fate::Known,
        }
    }

    /// The side and level to expand next; `None` when all gaps are closed.
    fn pick(&self) -> Option<(Side, usize)> {
        let [forward, backward] = &self.halves;
        let mut best: Option<(usize, Side, usize)> = None;
        for ahead in 0..=self.last {
            let behind = self.last - ahead;
            let (high, low) = (forward.next[ahead], backward.next[behind]);
            if high <= low {
                continue;
            }
            let mut offer = |ready: bool, size: usize, side: Side, level: usize| {
                if ready && best.is_none_or(|(least, ..)| size < least) {
                    best = Some((size, side, level));
                }
            };
            let size = forward.tables[high].level(ahead);
            offer(ahead == 0 || forward.next[ahead - 1] < high, self.width.map_or(size, |width| size.min(width)), Side::Forward, ahead);
            offer(behind == 0 || backward.next[behind - 1] > low, backward.tables[low].level(behind), Side::Backward, behind);
        }
        best.map(|(_, side, level)| (side, level))
    }

    /// Runs the search. Afterward, `best` is the cheapest plan that costs at most `most`, if there is one and no state was dropped.
    pub fn run(&mut self, budget: &mut MeetBudget<'_>) -> Result<(), Stop> {
        if self.short {
            return Err(Limit::Memory.into());
        }
        budget.limits.check()?;
        while let Some((side, level)) = self.pick() {
            self.expand_all(side, level, budget)?;
            // No plan is cheaper than the proved lower bound.
            if self.best.is_some_and(|best| best.cost <= budget.lower) {
                return Ok(());
            }
            let next = &mut self.halves[side as usize].next[level];
            *next = if side == Side::Forward { *next - 1 } else { *next + 1 };
        }
        // Both sides may also meet in states that neither has expanded.
        for pegs in 0..self.halves[0].tables.len() {
            let (one, other) = (&self.halves[0].tables[pegs], &self.halves[1].tables[pegs]);
            let (few, many) = if one.len() <= other.len() { (one, other) } else { (other, one) };
            for (at, (state, _, cost)) in few.iter().enumerate() {
                if at % LOOK == 0 {
                    budget.limits.check()?;
                }
                meet(&mut self.best, state, cost, many);
            }
        }
        self.best = self.best.filter(|best| best.cost <= self.most);
        Ok(())
    }

    /// Expands the states of a level in its next layer.
    fn expand_all(&mut self, side: Side, level: usize, budget: &mut MeetBudget<'_>) -> Result<(), Stop> {
        let half = &self.halves[side as usize];
        let pegs = half.next[level];
        let table = &half.tables[pegs];
        if table.level(level) == 0 {
            return Ok(());
        }
        let (bytes, open) = self.holds();
        budget.report((bytes + 4 * table.level(level) * size_of::<(u64, Cost)>(), open))?;
        let mut states: Vec<(u64, Cost)> = Vec::with_capacity(table.level(level));
        states.extend(table.iter().filter(|entry| entry.1 == level).map(|(state, _, cost)| (state, cost)));
        // The order must not depend on the history of the table. The linear program is also faster if similar states are adjacent.
        states.sort_unstable();
        let mut kept = 0;
        for at in 0..states.len() {
            if at % LOOK == 0 {
                budget.limits.check()?;
            }
            if at % REPORT == REPORT - 1 {
                budget.report(self.holds())?;
            }
            let (state, cost) = states[at];
            meet(&mut self.best, state, cost, &self.halves[1 - side as usize].tables[pegs]);
            if !self.shared.cut(side, state, self.most - cost) {
                states[kept] = states[at];
                kept += 1;
            }
        }
        states.truncate(kept);
        if side == Side::Forward
            && let Some(width) = self.width
            && states.len() > width
        {
            self.narrow(&mut states, width);
        }
        for (state, cost) in states {
            budget.expand(|| self.holds())?;
            self.expand(side, state, cost, budget);
            if self.short {
                return Err(Limit::Memory.into());
            }
        }
        Ok(())
    }

    /// Keeps the most promising states; among equally promising ones, those with the most jumps whose pegs are all present.
    fn narrow(&mut self, states: &mut Vec<(u64, Cost)>, width: usize) {
        let jumps = &self.shared.field.jumps;
        let rows = |state: u64| jumps.iter().filter(|jump| state & jump.need == jump.need).count();
        let score = |&(state, cost): &(u64, Cost)| (self.shared.promise(state, cost), Reverse(rows(state)), (state, cost));
        let mut scored: Vec<_> = states.iter().map(score).collect();
        scored.select_nth_unstable(width);
        scored.truncate(width);
        scored.sort_unstable();
        states.clear();
        states.extend(scored.into_iter().map(|(.., entry)| entry));
        self.narrowed = true;
    }

    fn expand(&mut self, side: Side, canonical: u64, cost: Cost, budget: &mut MeetBudget<'_>) {
        let field = self.shared.field;
        self.expanded += 1;
        let state = budget.trace.as_ref().map_or(canonical, |trace| trace.image(side, canonical));
        let images = field.images(state);
        let loss = self.shared.loss(side, state, cost);
        for (at, jump) in field.jumps.iter().enumerate() {
            let before = if side == Side::Forward { jump.need } else { jump.landing };
            if state & jump.flips != before {
                continue;
            }
            budget.stats.generated += 1;
            let (child, cost) = (field.least_after(&images, jump), cost.saturating_add(jump.price));
            let fate = self.put(side, child, cost, loss + self.shared.losses[at]);
            if let Some(trace) = &mut budget.trace {
                trace.child(side, canonical, at, child, (cost, self.shared.estimate(side, child)), fate);
            }
        }
        if let Some(trace) = &mut budget.trace
            && let Some(line) = trace.expanded(side, canonical)
        {
            let (estimate, bound) = (Some(self.shared.estimate(side, state)), self.width.is_none().then_some(self.most));
            let (open, lower, upper) = (self.holds().1, budget.lower, budget.upper);
            (trace.emit)(Expanded { cost, estimate, bound, open, lower, upper, ..line });
        }
    }
}

/// Records the plan through a state if the other side has reached it and the plan is the cheapest so far.
fn meet(best: &mut Option<MeetingState>, state: u64, cost: Cost, other: &LayerTable) {
    if let Some(rest) = other.cost(state)
        && best.is_none_or(|best| cost + rest < best.cost)
    {
        *best = Some(MeetingState { state, cost: cost + rest });
    }
}
