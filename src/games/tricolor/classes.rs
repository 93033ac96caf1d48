//! Decides whether a board can be solved at all, without enumerating boards.
//!
//! Call a set of colored vertices *even* if every click on a colored vertex swaps an even number of its vertices. Two boards with
//! the same black vertices are in the same *class* if the number of red vertices in each even set has the same parity on both
//! boards. Clicks on colored vertices lead from a board to exactly the boards in its class. There are 2^nullity classes, usually a
//! handful. A black vertex can turn a given color within a class if its neighbors have the right majority on at least one board in
//! the class. So the search visits pairs, each a set of black vertices and a class. For b black vertices, there are about 2^b such
//! pairs, however many boards there are. The search finds a plan, not necessarily the best one, or proves that none exists.

use std::cmp::{Ordering, Reverse};
use std::collections::{HashMap, HashSet};

use super::meter::{Effort, Meter};
use super::relaxed::{Coset, colored};
use super::trace::{TracedBoard, child};
use super::{Colors, Tricolor, count};
use crate::bits::{bit, dot, ones_in, pack, xor};
use crate::gf2::echelon::Echelon;
use crate::gf2::matrix::Matrix;
use crate::graph::Graph;
use crate::limits::{Limit, Limits};
use crate::sort;
use crate::trace::{Fate, Way};

pub enum Solvability {
    Plan(Vec<u32>),
    /// There is no plan; `classes` is the number of classes visited.
    None {
        classes: u64,
    },
    /// Undecided: there are too many patterns around at least one vertex.
    Open,
}

/// Maximum dimension of the space of patterns around a vertex for which all patterns are tried.
const PATTERNS: usize = 16;
/// Number of patterns between two checks of the limits.
const LOOK: u64 = 1 << 12;

struct Node {
    colors: Colors,
    from: usize,
    /// Clicks on colored vertices, followed by one on a black vertex.
    step: Vec<u32>,
}

/// Bases of two spaces of vertex sets, for a given set of black vertices.
struct EvenSets {
    /// Sets such that every click on a colored vertex swaps an even number of their vertices. They distinguish the classes.
    even: Vec<Vec<u64>>,
    /// Sets such that every click swaps an even number of their vertices. If one has an odd number of red vertices, there is no plan.
    dead: Vec<Vec<u64>>,
}

pub struct Classes<'a> {
    tricolor: &'a Tricolor,
    known: HashMap<Vec<u64>, EvenSets>,
    pub effort: Effort,
}

impl<'a> Classes<'a> {
    pub fn new(tricolor: &'a Tricolor) -> Self {
        Classes { tricolor, known: HashMap::new(), effort: Effort::default() }
    }

    /// Decides whether there is a plan, unless a limit is reached.
    pub fn decide(&mut self, start: &Colors, meter: &Meter<'_>) -> Result<Solvability, Limit> {
        let graph = &self.tricolor.graph;
        let mut nodes = vec![Node { colors: start.clone(), from: 0, step: Vec::new() }];
        let mut seen = HashSet::from([(start.black().to_vec(), self.class(start, meter)?.unwrap_or_default())]);
        let mut open = vec![0];
        let mut complete = true;
        while let Some(at) = open.pop() {
            let here = nodes[at].colors.clone();
            if count(here.black()) == 0 {
                if let Some(last) = Coset::new(graph, here.black(), meter.limits)?.member(here.red()) {
                    return Ok(Solvability::Plan(plan(&nodes, at, &last)));
                }
                continue;
            }
            meter.expand(&self.effort)?;
            let mut steps = Vec::new();
            for black in ones_in(here.black()) {
                let (ways, all) = ways(graph, &here, black, meter.limits)?;
                complete &= all;
                steps.extend(ways.iter().map(|(clicks, turn)| {
                    let step: Vec<u32> = ones_in(clicks).chain([black]).map(|v| v as u32).collect();
                    (*turn != Ordering::Equal, Reverse(step.len()), step)
                }));
            }
            // The last step is tried first. Steps that color a vertex are last, because they make progress.
            sort::by_key(&mut steps, |(colors, clicks, _)| (*colors, *clicks));
            let mut after = Vec::with_capacity(steps.len());
            for (.., step) in steps {
                meter.check(&self.effort)?;
                let mut next = here.clone();
                step.iter().for_each(|click| self.tricolor.make(&mut next, click));
                let class = self.class(&next, meter)?;
                after.push((step, next, class));
            }
            // No limit is checked from here on, so the counts are exact.
            self.effort.expanded += 1;
            self.effort.generated += after.len() as u64;
            let mut children = Vec::new();
            for (step, next, class) in after {
                let mut fate = if class.is_none() { Fate::Dead } else { Fate::Known };
                let black = next.black().to_vec();
                if class.is_some_and(|class| seen.insert((black, class))) {
                    fate = Fate::New;
                    nodes.push(Node { colors: next, from: at, step: step.clone() });
                    open.push(nodes.len() - 1);
                    self.effort.hold(2 * size_of::<Node>() + 40 * graph.len().div_ceil(64) + 4 * step.len() + 128);
                }
                let id = (fate == Fate::New).then(|| nodes.len() as u64 - 1);
                children.push((step, id, fate));
            }
            if let Some(trace) = &meter.trace {
                let (board, bounds) = (placed(&nodes, at), (open.len() as u64, meter.lower, None));
                let children = children.into_iter().map(|(clicks, id, fate)| child(clicks, board.spent, id, None, fate)).collect();
                trace.borrow_mut().expanded(board, (None, None), bounds, children);
                trace.borrow_mut().next = nodes.len() as u64;
            }
        }
        Ok(if complete { Solvability::None { classes: nodes.len() as u64 } } else { Solvability::Open })
    }

    /// The class of a board among those with the same black vertices; `None` if no plan starts from this board.
    fn class(&mut self, colors: &Colors, meter: &Meter<'_>) -> Result<Option<Vec<u64>>, Limit> {
        if !self.known.contains_key(colors.black()) {
            let graph = &self.tricolor.graph;
            let dead = Coset::new(graph, colors.black(), meter.limits)?.even;
            let even = even(graph, colors.black(), meter.limits)?;
            self.effort.hold((even.len() + dead.len() + 4) * (8 * graph.len().div_ceil(64) + size_of::<Vec<u64>>()));
            self.known.insert(colors.black().to_vec(), EvenSets { even, dead });
            // This takes as long as an expansion in other searches.
            meter.report(&self.effort)?;
        }
        let sets = &self.known[colors.black()];
        let odd = |set: &Vec<u64>| dot(set, colors.red());
        Ok((!sets.dead.iter().any(odd)).then(|| pack(sets.even.iter().map(odd))))
    }
}

/// A set of clicks on colored vertices, and the effect of a subsequent click on a black vertex: the number of its green neighbors
/// compared with the number of its red neighbors.
type Approach = (Vec<u64>, Ordering);

/// One approach to a black vertex for each effect and each parity of clicks on its neighbors; these determine the next class. The
/// second result is `false` if some approaches may be missing.
fn ways(graph: &Graph, colors: &Colors, black: usize, limits: &Limits) -> Result<(Vec<Approach>, bool), Limit> {
    let colored = |row: &[u64]| -> Vec<u64> { row.iter().zip(colors.black()).map(|(row, black)| row & !black).collect() };
    let neighbors = colored(graph.row(black));
    let (all, wanted) = (count(&neighbors), if count(&neighbors) % 2 == 1 { 4 } else { 5 });
    let mut near = neighbors.clone();
    for v in ones_in(&neighbors) {
        near.iter_mut().zip(graph.row(v)).for_each(|(near, row)| *near |= row);
    }
    // A basis of the space of effects: the swapped neighbors, whether the number of clicks on neighbors is odd, and the clicks.
    let mut basis: Vec<(Vec<u64>, bool, Vec<u64>)> = Vec::new();
    for v in ones_in(&colored(&near)) {
        limits.check()?;
        let mut swaps: Vec<u64> = graph.row(v).iter().zip(&neighbors).map(|(row, neighbors)| row & neighbors).collect();
        swaps[v / 64] |= neighbors[v / 64] & 1 << (v % 64);
        let mut clicks = vec![0; swaps.len()];
        clicks[v / 64] = 1 << (v % 64);
        let mut vector = (swaps, bit(&neighbors, v), clicks);
        for other in &basis {
            // Adds the other vector only if that makes this one smaller. The first word that would change determines this.
            let smaller = match other.0.iter().zip(&vector.0).find(|(other, _)| **other != 0) {
                Some((other, word)) => word ^ other < *word,
                None => vector.1 && other.1,
            };
            if smaller {
                xor(&mut vector.0, &other.0);
                xor(&mut vector.2, &other.2);
                vector.1 ^= other.1;
            }
        }
        if vector.1 || vector.0.iter().any(|&word| word != 0) {
            let at = basis.partition_point(|other| *other > vector);
            basis.insert(at, vector);
        }
    }
    let mut found: Vec<(bool, Vec<u64>, Ordering)> = Vec::new();
    let (mut red, mut odd, mut clicks) = (colors.red().to_vec(), false, vec![0; neighbors.len()]);
    for step in 1_u64..=1 << basis.len().min(PATTERNS) {
        if step % LOOK == 0 {
            limits.check()?;
        }
        // The click first swaps the neighbors, so those that are red now will be green.
        let green: usize = red.iter().zip(&neighbors).map(|(red, near)| (red & near).count_ones() as usize).sum();
        let effect = (2 * green).cmp(&all);
        if !found.iter().any(|(parity, _, known)| *known == effect && (*parity == odd || effect == Ordering::Equal)) {
            found.push((odd, clicks.clone(), effect));
        }
        if found.len() == wanted {
            break;
        }
        if let Some((swaps, next, by)) = basis.get(step.trailing_zeros() as usize) {
            xor(&mut red, swaps);
            xor(&mut clicks, by);
            odd ^= next;
        }
    }
    let complete = basis.len() <= PATTERNS || found.len() == wanted;
    Ok((found.into_iter().map(|(_, clicks, effect)| (clicks, effect)).collect(), complete))
}

/// A basis of the sets of colored vertices such that every click on a colored vertex swaps an even number of them.
fn even(graph: &Graph, black: &[u64], limits: &Limits) -> Result<Vec<Vec<u64>>, Limit> {
    let colored = colored(graph, black);
    let mut row_of = vec![usize::MAX; graph.len()];
    colored.iter().enumerate().for_each(|(row, &v)| row_of[v] = row);
    let mut matrix = Matrix::identity(colored.len());
    for (row, &v) in colored.iter().enumerate() {
        let others = graph.neighbors(v).iter().map(|&other| row_of[other as usize]);
        others.filter(|&other| other != usize::MAX).for_each(|other| matrix.flip(row, other));
    }
    let kernel = Echelon::new(&matrix, &[], limits)?.kernel(limits)?;
    let set = |row: usize| {
        let mut set = vec![0; black.len()];
        kernel.row_vector(row).ones().for_each(|at| set[colored[at] / 64] |= 1 << (colored[at] % 64));
        set
    };
    Ok((0..kernel.rows()).map(set).collect())
}

/// Converts a node for the trace.
fn placed(nodes: &[Node], at: usize) -> TracedBoard {
    let (mut depth, mut spent, mut above) = (0, 0, at);
    while above != 0 {
        depth += 1;
        spent += nodes[above].step.len() as u32;
        above = nodes[above].from;
    }
    let Node { colors, from, step } = &nodes[at];
    let way = (at != 0).then(|| (*from as u64, Way { from: nodes[*from].colors.clone(), moves: step.clone() }));
    TracedBoard { id: at as u64, way, colors: colors.clone(), depth, spent }
}

fn plan(nodes: &[Node], mut at: usize, last: &[u64]) -> Vec<u32> {
    let mut steps = vec![ones_in(last).map(|v| v as u32).collect()];
    while at != 0 {
        steps.push(nodes[at].step.clone());
        at = nodes[at].from;
    }
    steps.reverse();
    steps.concat()
}
