//! Can the board be solved at all? Decided without looking at single boards.
//!
//! While the black vertices stay the same, coloured clicks lead from a board to all boards of its *class*: those that agree
//! with it on every set of vertices of which each such click swaps an even number. There are 2^nullity classes, mostly a
//! handful. A black vertex can be clicked from somewhere in the class with some result if some pattern on its neighbours,
//! of those that occur in the class, has that majority. So the search goes over pairs of black vertices and class: about 2^b
//! of them for b black vertices, whatever the number of boards. It gives a plan, not the best, or the proof that there is none.

use std::collections::{HashMap, HashSet};

use super::relaxed::Coset;
use super::sets::{Field, Here, Set, Turn};
use crate::gf2::echelon;
use crate::gf2::matrix::Matrix;
use crate::graph::Graph;

/// What was found out.
pub enum Decided {
    Plan(Vec<u32>),
    /// None: so many classes were gone through.
    None { classes: u64 },
    /// Stopped, or there were too many patterns around some vertex.
    Open,
}

/// The most dimensions of patterns around a vertex that are gone through.
const PATTERNS: usize = 16;

struct Node<const W: usize> {
    here: Here<W>,
    from: usize,
    step: (Set<W>, usize),
}

pub struct Classes<'a, const W: usize> {
    graph: &'a Graph,
    field: &'a Field<W>,
    /// For each set of black vertices the sets that every coloured click swaps an even number of.
    even: HashMap<Set<W>, Vec<Set<W>>>,
}

impl<'a, const W: usize> Classes<'a, W> {
    pub fn new(graph: &'a Graph, field: &'a Field<W>) -> Self {
        Classes { graph, field, even: HashMap::new() }
    }

    /// Decides; `stop` is asked now and then with the number of classes so far.
    pub fn decide(&mut self, start: Here<W>, mut stop: impl FnMut(u64) -> bool) -> Decided {
        let mut nodes = vec![Node { here: start, from: 0, step: (Set::EMPTY, 0) }];
        let mut seen = HashSet::from([(start.black, self.class(&start))]);
        let mut open = vec![0];
        let mut complete = true;
        while let Some(at) = open.pop() {
            let here = nodes[at].here;
            if here.black.is_empty() {
                if let Some(last) = self.finish(&here) {
                    return Decided::Plan(plan(&nodes, at, last));
                }
                continue;
            }
            if nodes.len() % 64 == 0 && stop(nodes.len() as u64) {
                return Decided::Open;
            }
            let mut turns = Vec::new();
            for black in here.black.ones() {
                let (ways, all) = self.ways(&here, black);
                complete &= all;
                turns.extend(ways.into_iter().map(|(clicks, turn)| (turn != Turn::Stays, clicks, black)));
            }
            // The last is tried first: a vertex that takes a colour brings the end nearer.
            turns.sort_by_key(|(colours, clicks, _)| (*colours, std::cmp::Reverse(clicks.len())));
            for (_, clicks, black) in turns {
                let (next, _) = self.field.after(&here, clicks, black);
                if seen.insert((next.black, self.class(&next))) {
                    nodes.push(Node { here: next, from: at, step: (clicks, black) });
                    open.push(nodes.len() - 1);
                }
            }
        }
        if complete { Decided::None { classes: nodes.len() as u64 } } else { Decided::Open }
    }

    /// The class among the boards with the same black vertices.
    fn class(&mut self, here: &Here<W>) -> Vec<u64> {
        let even = self.even.entry(here.black).or_insert_with(|| even(self.graph, &here.black));
        let mut class = vec![0; even.len().div_ceil(64)];
        for (at, set) in even.iter().enumerate() {
            class[at / 64] |= u64::from(set.and(here.red).len() % 2) << (at % 64);
        }
        class
    }

    /// The clicks that end a board without black vertices.
    fn finish(&mut self, here: &Here<W>) -> Option<Set<W>> {
        if self.class(here).iter().any(|&word| word != 0) {
            return None;
        }
        let words = self.graph.len().div_ceil(64);
        let member = Coset::new(self.graph, &vec![0; words]).member(&here.red.words()[..words])?;
        Some(Set::from_row(&member))
    }

    /// Clicks on coloured vertices after which a click on the black one does something: one way for each result and each parity
    /// of clicks next to it, since these tell the class that follows. `false` if there may be more.
    fn ways(&self, here: &Here<W>, black: usize) -> (Vec<(Set<W>, Turn)>, bool) {
        let neighbours = self.field.rows[black].without(here.black);
        // A basis of what clicks can do here: the neighbours swapped, whether an odd number of clicks were next to it, the clicks.
        let mut basis: Vec<(Set<W>, bool, Set<W>)> = Vec::new();
        let near = neighbours.ones().fold(Set::EMPTY, |near, v| near.or(self.field.closed(v))).without(here.black);
        for v in near.ones() {
            let mut vector = (self.field.closed(v).and(neighbours), neighbours.has(v), Set::of(v));
            for other in &basis {
                let reduced = (vector.0.xor(other.0), vector.1 ^ other.1);
                if reduced < (vector.0, vector.1) {
                    vector = (reduced.0, reduced.1, vector.2.xor(other.2));
                }
            }
            if !vector.0.is_empty() || vector.1 {
                basis.push(vector);
                basis.sort_unstable_by(|a, b| b.cmp(a));
            }
        }
        let few = basis.len() <= PATTERNS;
        let wanted = if neighbours.len() % 2 == 1 { 4 } else { 5 };
        let mut found: Vec<(bool, Set<W>, Turn)> = Vec::new();
        let (mut red, mut odd, mut clicks) = (here.red, false, Set::EMPTY);
        for step in 1_u64..=1 << basis.len().min(PATTERNS) {
            let turn = Field::turn(&neighbours, &red);
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
        (found.into_iter().map(|(_, clicks, turn)| (clicks, turn)).collect(), all)
    }
}

/// The sets of coloured vertices of which every click on a coloured vertex swaps an even number: a basis.
fn even<const W: usize>(graph: &Graph, black: &Set<W>) -> Vec<Set<W>> {
    let coloured: Vec<usize> = (0..graph.len()).filter(|&v| !black.has(v)).collect();
    let swaps = |a: usize, b: usize| a == b || graph.has_edge(coloured[a], coloured[b]);
    let kernel = echelon::kernel(&Matrix::from_fn(coloured.len(), coloured.len(), swaps));
    let set = |row: usize| kernel.row_bits(row).ones().fold(Set::EMPTY, |set, at| set.or(Set::of(coloured[at])));
    (0..kernel.rows()).map(set).collect()
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
