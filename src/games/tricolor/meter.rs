//! What the solver has spent, and its limits.
//!
//! A single expansion may take seconds: hundreds of black vertices, each with an elimination for every way to click it. So the
//! limits are asked before every expansion and within it, but the number of nodes only before, where it can be exact.

use std::cell::RefCell;

use super::sets::{Here, Set};
use super::{Colors, Tricolor};
use crate::limits::{Limit, Limits, Progress};
use crate::rules::Cost;
use crate::trace::{Child, Expanded, Fate, Way};

/// What it took so far.
#[derive(Clone, Copy, Default)]
pub struct Effort {
    pub expanded: u64,
    pub generated: u64,
    pub bytes: usize,
    pub peak: usize,
}

impl Effort {
    pub fn hold(&mut self, bytes: usize) {
        self.bytes += bytes;
        self.peak = self.peak.max(self.bytes);
    }
}

/// The limits, as the searches ask about them, and what goes into reports of progress.
pub struct Meter<'a> {
    pub limits: &'a Limits,
    pub lower: Cost,
    pub upper: Option<Cost>,
    /// What was expanded before.
    pub expanded: u64,
    /// Work after which the search over recolorings gives up by itself.
    pub most: Option<Most>,
    /// Who watches, if anybody does.
    pub show: Option<RefCell<Show<'a>>>,
}

/// Boards expanded, and words of members looked at.
#[derive(Clone, Copy)]
pub struct Most {
    pub expanded: u64,
    pub words: usize,
}

/// Expansions between two reports of progress.
const REPORTED: u64 = 64;

impl Meter<'_> {
    /// May one more board be expanded?
    pub fn expand(&self, effort: &Effort) -> Result<(), Limit> {
        let expanded = self.expanded + effort.expanded;
        if expanded >= self.limits.nodes || self.most.is_some_and(|most| effort.expanded >= most.expanded) {
            return Err(Limit::Nodes);
        }
        if effort.expanded % REPORTED == REPORTED - 1 {
            self.long(effort)?;
        }
        self.check(effort)
    }

    /// May the work go on? Asked within an expansion.
    pub fn check(&self, effort: &Effort) -> Result<(), Limit> {
        self.limits.room(effort.bytes)?;
        self.limits.check()
    }

    /// Like [`Meter::check`], but also reports progress: for work that takes long without an expansion.
    pub fn report(&self, effort: &Effort) -> Result<(), Limit> {
        self.limits.room(effort.bytes)?;
        self.limits.report(&self.progress(effort))
    }

    /// Like [`Meter::report`], after a millisecond of work or more.
    pub fn long(&self, effort: &Effort) -> Result<(), Limit> {
        self.report(effort)?;
        self.limits.take_turns()
    }

    /// The progress so far.
    pub fn progress(&self, effort: &Effort) -> Progress {
        Progress {
            expanded: self.expanded + effort.expanded,
            generated: effort.generated,
            bytes: effort.bytes,
            lower: self.lower,
            upper: self.upper,
            open: 0,
        }
    }
}

/// Shows boards that are expanded.
pub struct Show<'a> {
    pub tricolor: &'a Tricolor,
    pub emit: &'a mut dyn FnMut(Expanded<Tricolor>),
    /// The next number that no board has.
    pub next: u64,
}

/// A board of a search, with its number, the steps from the start and the clicks made.
#[derive(Clone, Copy)]
pub struct Seen<const W: usize> {
    pub id: u64,
    pub here: Here<W>,
    pub depth: u32,
    pub spent: Cost,
}

/// Colored clicks, then one on a black vertex, and what became of the board after them.
pub struct Made<const W: usize> {
    pub step: (Set<W>, usize),
    pub id: Option<u64>,
    pub estimate: Option<Cost>,
    pub fate: Fate,
}

impl Show<'_> {
    /// Shows a board, how the search came to it, and what it led to.
    pub fn expanded<const W: usize>(
        &mut self,
        seen: Seen<W>,
        from: Option<(Seen<W>, (Set<W>, usize))>,
        estimate: Option<Cost>,
        bound: Option<Cost>,
        meter: (u64, Cost, Option<Cost>),
        made: &[Made<W>],
    ) {
        let (open, lower, upper) = meter;
        let colors = |here: &Here<W>| self.colors(here);
        let moves = |(clicks, black): (Set<W>, usize)| clicks.ones().chain([black]).map(|v| v as u32).collect::<Vec<_>>();
        let child = |made: &Made<W>| Child {
            id: made.id,
            moves: moves(made.step),
            from: None,
            cost: seen.spent + made.step.0.len() + 1,
            estimate: made.estimate,
            priority: None,
            fate: made.fate,
            goal: false,
        };
        let expanded = Expanded {
            id: seen.id,
            parent: from.map(|(parent, _)| parent.id),
            way: from.map(|(parent, step)| Way { from: colors(&parent.here), moves: moves(step) }),
            state: colors(&seen.here),
            depth: seen.depth,
            cost: seen.spent,
            estimate,
            priority: None,
            open,
            lower,
            upper,
            bound,
            side: None,
            children: made.iter().map(child).collect(),
        };
        (self.emit)(expanded);
    }

    fn colors<const W: usize>(&self, here: &Here<W>) -> Colors {
        let words = self.tricolor.graph.len().div_ceil(64);
        Colors { words: [&here.red.words()[..words], &here.black.words()[..words]].concat() }
    }
}
