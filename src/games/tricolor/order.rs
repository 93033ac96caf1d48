//! The order of a member's clicks, as clauses for a SAT solver.
//!
//! The final board is all green, so a colored vertex is red if and only if an odd number of the remaining clicks swap it. A click
//! that colors a black vertex (a *turn*) splits the other clicks into earlier and later ones. The color that the vertex turns
//! depends only on the later clicks on vertices at most two edges away. The variables express which of two clicks comes first, if
//! that matters, and which of the following clicks are made:
//!
//! * for a colored vertex, one click, if the vertex is in the member;
//! * for a black vertex, the turn, possibly one click before it (a *tie*), and possibly one click after it;
//! * *extra* clicks, in pairs. At first, only their least price is modeled: a vertex with extras may have any parity at any time.
//!   If a model makes use of that, [`ClickOrder::read`] adds a pair of real clicks, and further extras.
//!
//! The difference between the cost of a plan and that of its member is a sum over the literals in [`ClickOrder::softs`].

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Colors;
use crate::bits::bit;
use crate::graph::Graph;
use crate::sat::Lit;
use crate::sat::gates::Gates;
use crate::sort;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A click on a black vertex that leaves it black.
    Tie,
    /// A click on a black vertex that colors it.
    Turn,
    /// A click on a colored vertex.
    Colored,
}

/// A possible click.
struct Event {
    vertex: usize,
    made: Lit,
    kind: Kind,
    /// For each other click: whether it is after this one. A click that is not made is considered to be before all others.
    after: BTreeMap<usize, Lit>,
}

#[derive(Default)]
struct Vertex {
    events: Vec<usize>,
    /// For a black vertex: its turn.
    turn: usize,
    /// For a black vertex: its ties, from the last to the first.
    ties: Vec<Lit>,
    /// For a black vertex: its clicks after the turn, from the last to the first.
    again: Vec<Lit>,
    /// For a black vertex: for each n from 1, whether it has at least n unneeded pairs of clicks.
    pairs: Vec<Lit>,
    /// For a black vertex: whether the number of clicks that are not listed yet is odd.
    odd: Option<Lit>,
    /// True if there are more clicks than those listed.
    extra: Option<Lit>,
    /// Events, each with the parity of the extra clicks after it, which is unconstrained.
    free: Vec<(usize, Lit)>,
}

/// The result of reading a model.
pub enum Read {
    Plan(Vec<u32>),
    /// The model is not a plan; clauses that exclude it were added.
    Refined,
}

pub struct ClickOrder<'a> {
    graph: &'a Graph,
    black: &'a [u64],
    by_color: bool,
    pub gates: Gates,
    /// For each vertex, whether its number of clicks is odd; `None` if the order of its clicks never matters.
    pub odd: Vec<Option<Lit>>,
    /// Literals that, if true, raise the plan's cost above its member's, each with the amount it adds.
    pub softs: Vec<(Lit, u32)>,
    events: Vec<Event>,
    /// The ties and turns.
    black_events: Vec<usize>,
    vertices: Vec<Vertex>,
    relations: usize,
}

/// Approximate maximum number of clauses.
const CLAUSES: usize = 4_000_000;

impl<'a> ClickOrder<'a> {
    /// Returns whether a board is small enough for the SAT solver.
    pub fn fits(graph: &Graph, colors: &Colors, by_color: bool) -> bool {
        let degree = |v: usize| graph.neighbors(v).len();
        let around = |v: usize| graph.neighbors(v).iter().map(|&w| degree(v) + degree(w as usize)).sum::<usize>();
        let blacks = (0..graph.len()).filter(|&v| bit(colors.black(), v)).count();
        let conditions: usize = (0..graph.len()).filter(|&v| by_color || bit(colors.black(), v)).map(around).sum();
        let triples = graph.len().saturating_add(blacks).saturating_mul(blacks * blacks);
        triples.saturating_add(8 * conditions) <= CLAUSES
    }

    /// The clauses for a board. With `by_color`, clicks on green vertices cost 2 more than clicks on red ones, and ties cost 1 more.
    pub fn new<E>(graph: &'a Graph, colors: &'a Colors, by_color: bool, check: impl Fn(usize) -> Result<(), E>) -> Result<Self, E> {
        let black = colors.black();
        let vertices = (0..graph.len()).map(|_| Vertex::default()).collect();
        let (gates, odd, softs) = (Gates::default(), vec![None; graph.len()], Vec::new());
        let (events, black_events) = (Vec::new(), Vec::new());
        let mut order = ClickOrder { graph, black, by_color, gates, odd, softs, events, black_events, vertices, relations: 0 };
        let mut made = Vec::new();
        for v in 0..graph.len() {
            check(order.bytes())?;
            let near = |&w: &u32| bit(black, w as usize) || graph.neighbors(w as usize).iter().any(|&u| bit(black, u as usize));
            let odd = order.gates.sat.var();
            if bit(black, v) {
                order.vertices[v].odd = Some(odd);
                order.vertices[v].turn = order.event(v, order.gates.yes, Kind::Turn);
                made.push(order.vertices[v].turn);
                made.extend(order.more_black(v));
            } else if by_color || graph.neighbors(v).iter().any(near) {
                made.push(order.event(v, odd, Kind::Colored));
                order.extra(v, None);
            } else {
                continue;
            }
            order.odd[v] = Some(odd);
        }
        for event in made {
            check(order.bytes())?;
            order.condition(event);
        }
        Ok(order)
    }

    /// The approximate number of bytes in use.
    pub fn bytes(&self) -> usize {
        self.gates.bytes() + self.relations * 2 * 40 + self.events.len() * size_of::<Event>() + self.vertices.len() * size_of::<Vertex>()
    }

    fn is_black(&self, v: usize) -> bool {
        bit(self.black, v)
    }

    fn event(&mut self, vertex: usize, made: Lit, kind: Kind) -> usize {
        let event = self.events.len();
        self.events.push(Event { vertex, made, kind, after: BTreeMap::new() });
        self.vertices[vertex].events.push(event);
        if kind != Kind::Colored {
            for other in self.black_events.clone() {
                if self.events[other].vertex != vertex {
                    self.after(other, event);
                }
            }
            self.black_events.push(event);
        }
        event
    }

    /// A literal for another pair of clicks on a colored vertex.
    fn extra(&mut self, v: usize, before: Option<Lit>) -> Lit {
        let extra = self.gates.var_below(before.unwrap_or(self.gates.yes));
        self.softs.push((extra, 2));
        self.vertices[v].extra = Some(extra);
        extra
    }

    /// Replaces the extra clicks of a vertex with real ones, followed by further extras.
    fn refine(&mut self, v: usize) {
        let new = if self.is_black(v) { self.more_black(v) } else { self.more_colored(v) };
        new.into_iter().for_each(|event| self.condition(event));
    }

    fn more_colored(&mut self, v: usize) -> [usize; 2] {
        let Some(made) = self.vertices[v].extra else { unreachable!("every listed vertex has extras") };
        let pair = [self.event(v, made, Kind::Colored), self.event(v, made, Kind::Colored)];
        self.relate(pair[0], pair[1], self.gates.yes);
        let beyond = self.extra(v, Some(made));
        self.settle(v, pair, beyond);
        pair
    }

    /// Adds a tie, and a click after the turn.
    fn more_black(&mut self, v: usize) -> [usize; 2] {
        let (tie, again) = (self.gates.sat.var(), self.gates.sat.var());
        let beyond = match self.vertices[v].extra {
            None => self.gates.sat.var(),
            Some(extra) => {
                for (new, listed) in [(tie, &self.vertices[v].ties), (again, &self.vertices[v].again)] {
                    let last = listed[listed.len() - 1];
                    self.gates.implies(new, last);
                    self.gates.implies(new, extra);
                }
                self.gates.var_below(extra)
            }
        };
        // The turn is always made, so if the total number of clicks is odd, the number of others is even.
        let Some(odd) = self.vertices[v].odd else { unreachable!("set for every black vertex") };
        let odd = odd.apply_sign(self.vertices[v].extra.is_some());
        let rest = self.gates.var_below(beyond);
        self.gates.even(&[odd, tie, again, rest]);
        let pair = self.gates.sat.var();
        self.softs.push((pair, 2));
        if self.by_color {
            self.softs.push((tie, 1));
        }
        let vertex = &mut self.vertices[v];
        vertex.odd = Some(rest);
        vertex.extra = Some(beyond);
        vertex.ties.push(tie);
        vertex.again.push(again);
        vertex.pairs.push(pair);
        self.price_pairs(v, beyond);

        let before = self.vertices[v].events.clone();
        let new = [self.event(v, tie, Kind::Tie), self.event(v, again, Kind::Colored)];
        self.relate(new[0], new[1], again);
        for other in before {
            let made = self.events[other].made;
            match self.events[other].kind {
                Kind::Colored => {
                    self.relate(new[0], other, made);
                    self.relate(new[1], other, self.gates.yes);
                }
                Kind::Tie | Kind::Turn => {
                    self.relate(new[0], other, self.gates.yes);
                    self.relate(other, new[1], again);
                }
            }
        }
        self.settle(v, new, beyond);
        new
    }

    /// Sets prices: with n clicks besides the turn, there are n / 2 unneeded pairs.
    fn price_pairs(&mut self, v: usize, beyond: Lit) {
        let Vertex { ties, again, pairs, .. } = &self.vertices[v];
        let most = pairs.len();
        for a in 0..=most {
            for b in (0..=most).filter(|b| a.max(*b) == most && (a + b) % 2 == 0) {
                let listed = [(a, ties), (b, again)].into_iter().filter(|(number, _)| *number > 0);
                let mut clause: Vec<Lit> = listed.map(|(number, list)| !list[number - 1]).collect();
                clause.push(pairs[(a + b) / 2 - 1]);
                self.gates.sat.add(&clause);
            }
        }
        // `beyond` means that there are more ties than those listed, or more later clicks.
        let least = pairs[most.div_ceil(2) - 1];
        self.gates.implies(beyond, least);
    }

    /// Expresses the unconstrained parities of a vertex in terms of two new clicks and the extras beyond them.
    fn settle(&mut self, v: usize, new: [usize; 2], beyond: Lit) {
        for (event, free) in std::mem::take(&mut self.vertices[v].free) {
            let [a, b] = new.map(|click| self.made_after(event, click));
            let rest = self.gates.var_below(beyond);
            self.gates.even(&[free, a, b, rest]);
            self.vertices[v].free.push((event, rest));
        }
    }

    /// Defines `lit` as "`b` is after `a`", with transitivity over all clicks that are compared with both.
    fn relate(&mut self, a: usize, b: usize, lit: Lit) {
        self.relations += 1;
        self.events[a].after.insert(b, lit);
        self.events[b].after.insert(a, !lit);
        let between = self.events[a].after.iter().filter_map(|(c, &ac)| Some((ac, *self.events[*c].after.get(&b)?)));
        for (ac, cb) in between.collect::<Vec<_>>() {
            self.gates.sat.add(&[!ac, !cb, lit]);
            self.gates.sat.add(&[ac, cb, !lit]);
        }
    }

    /// The literal for "`b` is after `a`".
    fn after(&mut self, a: usize, b: usize) -> Lit {
        if let Some(&known) = self.events[a].after.get(&b) {
            return known;
        }
        let lit = self.gates.sat.var();
        match (self.events[a].kind == Kind::Colored, self.events[b].kind == Kind::Colored) {
            (false, true) => self.gates.implies(lit, self.events[b].made),
            (true, false) => self.gates.implies(!lit, self.events[a].made),
            _ => {}
        }
        self.relate(a, b, lit);
        lit
    }

    /// The literal for "`b` is made after `a`".
    fn made_after(&mut self, a: usize, b: usize) -> Lit {
        let after = self.after(a, b);
        // A click on a colored vertex that is not made is before every click on a black one.
        let implied = self.events[b].kind == Kind::Colored && self.events[a].kind != Kind::Colored;
        if implied { after } else { self.gates.and(after, self.events[b].made) }
    }

    /// The literal for "the number of clicks on these vertices after an event is odd". Vertices listed twice cancel.
    fn odd_after(&mut self, event: usize, mut vertices: Vec<usize>) -> Lit {
        vertices.sort_unstable();
        let mut terms = Vec::new();
        for same in vertices.chunk_by(|a, b| a == b).filter(|same| same.len() % 2 == 1) {
            let v = same[0];
            for other in self.vertices[v].events.clone() {
                if other != event {
                    terms.push(self.made_after(event, other));
                }
            }
            let Some(extra) = self.vertices[v].extra else { continue };
            let known = self.vertices[v].free.iter().find(|(at, _)| *at == event).map(|(_, free)| *free);
            terms.push(known.unwrap_or_else(|| {
                let free = self.gates.var_below(extra);
                self.vertices[v].free.push((event, free));
                free
            }));
        }
        self.gates.xor(&terms)
    }

    /// The vertex and its neighbors.
    fn closed(&self, v: usize) -> impl Iterator<Item = usize> + use<'a> {
        self.graph.neighbors(v).iter().map(|&w| w as usize).chain([v])
    }

    /// Adds the conditions for making this click.
    fn condition(&mut self, event: usize) {
        let Event { vertex: v, made, kind, .. } = self.events[event];
        if kind == Kind::Colored {
            if self.by_color {
                // The vertex is green before the click if an odd number of later clicks swap it.
                let green = self.odd_after(event, self.closed(v).collect());
                let dear = self.gates.sat.var();
                self.gates.sat.add(&[!made, !green, dear]);
                self.softs.push((dear, 2));
            }
            return;
        }
        // A neighbor that is still black counts as half a vote for each side.
        let blacks = self.graph.neighbors(v).iter().any(|&w| self.is_black(w as usize));
        let mut votes = Vec::new();
        for &w in self.graph.neighbors(v) {
            let w = w as usize;
            let mut vertices: Vec<usize> = self.closed(w).collect();
            if kind == Kind::Turn {
                vertices.extend(self.closed(v));
            }
            // For a turn: the neighbor votes against the color that the vertex must turn. For a tie: the neighbor is red.
            let against = self.odd_after(event, vertices);
            if self.is_black(w) {
                let colored = self.after(self.vertices[w].turn, event);
                votes.push(self.gates.and(colored, !against));
                votes.push(!self.gates.and(colored, against));
            } else {
                votes.push(!against);
                votes.extend(blacks.then_some(!against));
            }
        }
        let half = votes.len() / 2;
        if kind == Kind::Turn {
            let more = self.gates.at_least(&votes, half + 1);
            self.gates.implies(made, more);
        } else if votes.len() % 2 == 1 {
            self.gates.sat.add(&[!made]);
        } else {
            let others: Vec<Lit> = votes.iter().map(|&vote| !vote).collect();
            for side in [votes, others] {
                let enough = self.gates.at_least(&side, half);
                self.gates.implies(made, enough);
            }
        }
    }

    /// Reads the plan from the model. `clicks` is the member.
    pub fn read(&mut self, clicks: &[u64]) -> Read {
        let holds = |lit: Lit| self.gates.sat.holds(lit);
        let used: Vec<usize> = (0..self.vertices.len()).filter(|&v| self.vertices[v].extra.is_some_and(holds)).collect();
        if !used.is_empty() {
            used.into_iter().for_each(|v| self.refine(v));
            return Read::Refined;
        }
        let mut before = vec![0; self.events.len()];
        let later = |event: usize| self.events[event].after.iter().filter(|(_, lit)| holds(**lit)).map(|(other, _)| *other);
        (0..self.events.len()).flat_map(later).for_each(|event| before[event] += 1);
        let mut ready: Vec<usize> = (0..self.events.len()).rev().filter(|&event| before[event] == 0).collect();
        let mut sorted = Vec::with_capacity(self.events.len());
        while let Some(event) = ready.pop() {
            sorted.push(event);
            for other in later(event) {
                before[other] -= 1;
                if before[other] == 0 {
                    ready.push(other);
                }
            }
        }
        if sorted.len() < self.events.len() {
            self.break_cycles(&before);
            return Read::Refined;
        }
        let made = sorted.into_iter().filter(|&event| holds(self.events[event].made)).map(|event| self.events[event].vertex as u32);
        let others = (0..self.vertices.len()).filter(|&v| self.odd[v].is_none() && bit(clicks, v)).map(|v| v as u32);
        Read::Plan(made.chain(others).collect())
    }

    /// Excludes a shortest cycle through each click that could not be sorted.
    fn break_cycles(&mut self, left: &[usize]) {
        let mut clauses: BTreeSet<Vec<Lit>> = BTreeSet::new();
        for start in (0..left.len()).filter(|&event| left[event] > 0) {
            let mut from: Vec<Option<(usize, Lit)>> = vec![None; left.len()];
            let mut queue = VecDeque::from([start]);
            while let (Some(event), None) = (queue.pop_front(), from[start]) {
                for (&other, &lit) in &self.events[event].after {
                    if left[other] > 0 && from[other].is_none() && self.gates.sat.holds(lit) {
                        from[other] = Some((event, lit));
                        queue.push_back(other);
                    }
                }
            }
            let mut clause = Vec::new();
            let mut at = start;
            while let Some((event, lit)) = from[at].take() {
                clause.push(!lit);
                at = event;
            }
            // A click may come after a cycle without being on it.
            if at == start && !clause.is_empty() {
                sort::ascending(&mut clause);
                clauses.insert(clause);
            }
        }
        clauses.iter().for_each(|clause| self.gates.sat.add(clause));
    }
}
