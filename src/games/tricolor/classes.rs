//! Can the board be solved at all? That is decided without enumerating boards.
//!
//! While the black vertices stay the same, colored clicks lead from a board to all boards of its *class*: those that agree
//! with it on every set of vertices of which each such click swaps an even number. There are 2^nullity classes, usually a
//! handful. Some board of the class gives a clicked black vertex a certain color if some pattern on its neighbors, of those
//! that occur in the class, has that majority. So the search is over pairs of a set of black vertices and a class: about 2^b
//! of them for b black vertices, whatever the number of boards. It finds a plan, not the best one, or proves that there is none.

use std::collections::{HashMap, HashSet};

use super::meter::{Effort, Made, Meter, Seen};
use super::relaxed::Coset;
use super::sets::{Field, Here, Set, Turn};
use crate::gf2::echelon::Echelon;
use crate::gf2::matrix::Matrix;
use crate::graph::Graph;
use crate::limits::{Limit, Limits};
use crate::trace::Fate;

/// What was found out.
pub enum Decided {
    Plan(Vec<u32>),
    /// There is no plan: so many classes were visited.
    None {
        classes: u64,
    },
    /// There were too many patterns around some vertex to decide.
    Open,
}

/// The most dimensions of patterns around a vertex that are tried.
const PATTERNS: usize = 16;
/// Patterns between two looks at the limits.
const LOOK: u64 = 1 << 12;

struct Node<const W: usize> {
    here: Here<W>,
    from: usize,
    step: (Set<W>, usize),
}

/// What is known for one set of black vertices: a basis of the sets of which every colored click swaps an even number, which
/// distinguish the classes, and of those of which every click does; an odd number of reds in one of the latter means no plan.
struct Sets<const W: usize> {
    even: Vec<Set<W>>,
    dead: Vec<Set<W>>,
}

pub struct Classes<'a, const W: usize> {
    graph: &'a Graph,
    field: &'a Field<W>,
    known: HashMap<Set<W>, Sets<W>>,
    pub effort: Effort,
}

impl<'a, const W: usize> Classes<'a, W> {
    pub fn new(graph: &'a Graph, field: &'a Field<W>) -> Self {
        Classes { graph, field, known: HashMap::new(), effort: Effort::default() }
    }

    /// Decides, unless a limit is hit.
    pub fn decide(&mut self, start: Here<W>, meter: &Meter<'_>) -> Result<Decided, Limit> {
        let mut nodes = vec![Node { here: start, from: 0, step: (Set::EMPTY, 0) }];
        let mut seen = HashSet::from([(start.black, self.class(&start, meter)?.unwrap_or_default())]);
        let mut open = vec![0];
        let mut complete = true;
        while let Some(at) = open.pop() {
            let here = nodes[at].here;
            if here.black.is_empty() {
                if let Some(last) = self.finish(&here, meter.limits)? {
                    return Ok(Decided::Plan(plan(&nodes, at, last)));
                }
                continue;
            }
            meter.expand(&self.effort)?;
            let mut turns = Vec::new();
            for black in here.black.ones() {
                let (ways, all) = self.ways(&here, black, meter.limits)?;
                complete &= all;
                turns.extend(ways.into_iter().map(|(clicks, turn)| (turn != Turn::Stays, clicks, black)));
            }
            // The last is tried first: a vertex that takes a color brings the end nearer.
            turns.sort_by_key(|(colors, clicks, _)| (*colors, std::cmp::Reverse(clicks.len())));
            let mut after = Vec::with_capacity(turns.len());
            for (_, clicks, black) in turns {
                meter.check(&self.effort)?;
                let (next, _) = self.field.after(&here, clicks, black);
                after.push(((clicks, black), next, self.class(&next, meter)?));
            }
            // From here on nothing can end it.
            self.effort.expanded += 1;
            self.effort.generated += after.len() as u64;
            let mut made = Vec::new();
            for (step, next, class) in after {
                let dead = class.is_none();
                let new = class.is_some_and(|class| seen.insert((next.black, class)));
                if new {
                    nodes.push(Node { here: next, from: at, step });
                    open.push(nodes.len() - 1);
                    self.effort.hold(size_of::<Node<W>>() + 2 * size_of::<(Set<W>, Vec<u64>)>() + size_of::<usize>());
                }
                if meter.show.is_some() {
                    let fate = if dead {
                        Fate::Dead
                    } else if new {
                        Fate::New
                    } else {
                        Fate::Known
                    };
                    made.push(Made { step, id: new.then(|| nodes.len() as u64 - 1), estimate: None, fate });
                }
            }
            if let Some(show) = &meter.show {
                let from = (at != 0).then(|| (placed(&nodes, nodes[at].from), nodes[at].step));
                let bounds = (open.len() as u64, meter.lower, None);
                show.borrow_mut().expanded(placed(&nodes, at), from, None, None, bounds, &made);
                show.borrow_mut().next = nodes.len() as u64;
            }
        }
        Ok(if complete { Decided::None { classes: nodes.len() as u64 } } else { Decided::Open })
    }

    /// The class among the boards with the same black vertices; none if it is certain that no plan leads on from it.
    fn class(&mut self, here: &Here<W>, meter: &Meter<'_>) -> Result<Option<Vec<u64>>, Limit> {
        if !self.known.contains_key(&here.black) {
            let sets = self.sets(&here.black, meter.limits)?;
            self.effort.hold((sets.even.len() + sets.dead.len() + 4) * size_of::<Set<W>>());
            self.known.insert(here.black, sets);
            // As long as an expansion elsewhere.
            meter.report(&self.effort)?;
        }
        let sets = &self.known[&here.black];
        let odd = |set: &Set<W>| set.and(here.red).len() % 2 == 1;
        if sets.dead.iter().any(odd) {
            return Ok(None);
        }
        let mut class = vec![0; sets.even.len().div_ceil(64)];
        for (at, set) in sets.even.iter().enumerate() {
            class[at / 64] |= u64::from(odd(set)) << (at % 64);
        }
        Ok(Some(class))
    }

    fn sets(&self, black: &Set<W>, limits: &Limits) -> Result<Sets<W>, Limit> {
        let words = self.graph.len().div_ceil(64);
        let dead = Coset::new(self.graph, &black.words()[..words], limits)?.even;
        Ok(Sets { even: even(self.graph, black, limits)?, dead: dead.iter().map(|set| Set::from_row(set)).collect() })
    }

    /// The clicks that solve a board without black vertices.
    fn finish(&self, here: &Here<W>, limits: &Limits) -> Result<Option<Set<W>>, Limit> {
        let words = self.graph.len().div_ceil(64);
        let member = Coset::new(self.graph, &vec![0; words], limits)?.member(&here.red.words()[..words]);
        Ok(member.map(|member| Set::from_row(&member)))
    }

    /// Clicks on colored vertices after which a click on the black one does something: one way for each result and each parity
    /// of clicks next to it, since these determine the class that follows. `false` if there may be more.
    fn ways(&self, here: &Here<W>, black: usize, limits: &Limits) -> Result<(Vec<(Set<W>, Turn)>, bool), Limit> {
        let neighbors = self.field.rows[black].without(here.black);
        // A basis of what clicks can do here: the neighbors swapped, whether an odd number of clicks were next to it, the clicks.
        let mut basis: Vec<(Set<W>, bool, Set<W>)> = Vec::new();
        let near = neighbors.ones().fold(Set::EMPTY, |near, v| near.or(self.field.closed(v))).without(here.black);
        for v in near.ones() {
            limits.check()?;
            let mut vector = (self.field.closed(v).and(neighbors), neighbors.has(v), Set::of(v));
            for other in &basis {
                let reduced = (vector.0.xor(other.0), vector.1 ^ other.1);
                if reduced < (vector.0, vector.1) {
                    vector = (reduced.0, reduced.1, vector.2.xor(other.2));
                }
            }
            if !vector.0.is_empty() || vector.1 {
                let at = basis.partition_point(|other| *other > vector);
                basis.insert(at, vector);
            }
        }
        let few = basis.len() <= PATTERNS;
        let wanted = if neighbors.len() % 2 == 1 { 4 } else { 5 };
        let mut found: Vec<(bool, Set<W>, Turn)> = Vec::new();
        let (mut red, mut odd, mut clicks) = (here.red, false, Set::EMPTY);
        for step in 1_u64..=1 << basis.len().min(PATTERNS) {
            if step % LOOK == 0 {
                limits.check()?;
            }
            let turn = Field::turn(&neighbors, &red);
            if !found.iter().any(|(parity, _, known)| *known == turn && (*parity == odd || turn == Turn::Stays)) {
                found.push((odd, clicks, turn));
            }
            if found.len() == wanted {
                break;
            }
            if let Some((swaps, next, by)) = basis.get(step.trailing_zeros() as usize) {
                (red, odd, clicks) = (red.xor(*swaps), odd ^ next, clicks.xor(*by));
            }
        }
        let all = few || found.len() == wanted;
        Ok((found.into_iter().map(|(_, clicks, turn)| (clicks, turn)).collect(), all))
    }
}

/// The sets of colored vertices of which every click on a colored vertex swaps an even number: a basis.
fn even<const W: usize>(graph: &Graph, black: &Set<W>, limits: &Limits) -> Result<Vec<Set<W>>, Limit> {
    let colored: Vec<usize> = (0..graph.len()).filter(|&v| !black.has(v)).collect();
    let mut row_of = vec![usize::MAX; graph.len()];
    colored.iter().enumerate().for_each(|(row, &v)| row_of[v] = row);
    let mut matrix = Matrix::identity(colored.len());
    for (row, &v) in colored.iter().enumerate() {
        let others = graph.neighbors(v).iter().map(|&other| row_of[other as usize]);
        others.filter(|&other| other != usize::MAX).for_each(|other| matrix.flip(row, other));
    }
    let kernel = Echelon::within(&matrix, &[], limits)?.kernel_within(limits)?;
    let set = |row: usize| kernel.row_vector(row).ones().fold(Set::EMPTY, |set, at| set.or(Set::of(colored[at])));
    Ok((0..kernel.rows()).map(set).collect())
}

/// A node with what it took to come to it.
fn placed<const W: usize>(nodes: &[Node<W>], at: usize) -> Seen<W> {
    let mut seen = Seen { id: at as u64, here: nodes[at].here, depth: 0, spent: 0 };
    let mut above = at;
    while above != 0 {
        seen.depth += 1;
        seen.spent += nodes[above].step.0.len() + 1;
        above = nodes[above].from;
    }
    seen
}

fn plan<const W: usize>(nodes: &[Node<W>], mut at: usize, last: Set<W>) -> Vec<u32> {
    let mut clicks: Vec<u32> = last.ones().map(|v| v as u32).collect();
    clicks.reverse();
    while at != 0 {
        let Node { from, step: (before, black), .. } = &nodes[at];
        clicks.push(*black as u32);
        clicks.extend(before.ones().map(|v| v as u32));
        at = *from;
    }
    clicks.reverse();
    clicks
}
