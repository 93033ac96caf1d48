//! Automorphisms and canonical forms, with or without vertex colors to preserve.
//!
//! Twins (vertices that can be swapped without changing the graph) are merged first, repeatedly. Merging alone solves stars, complete
//! graphs and complete multipartite graphs. For what remains, the method is the classical search: refine the partition until all
//! vertices of a cell have the same number of neighbors in every cell, pick a cell with several vertices, try each of its vertices in
//! turn, and compare the leaves. Two leaves with the same graph yield an automorphism, so images of tried vertices under it need not be
//! tried. nauty uses the same method and is faster, but it is written in C, and this module must build for wasm32.

mod refine;

use std::collections::HashMap;

use refine::{Leaf, Partition};

use super::Graph;
use crate::limits::{Limit, Limits};
use crate::sort;

/// The symmetries of a graph, as far as they were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automorphisms {
    /// Permutations that generate the group: `generator[v]` is the image of `v`.
    pub generators: Vec<Vec<u32>>,
    /// For each vertex, the least vertex of its orbit.
    pub orbits: Vec<u32>,
    /// The factors of the group's order.
    factors: Vec<u64>,
    /// `canonical[v]` is the position of `v` in the canonical form.
    canonical: Vec<u32>,
    /// True if the search was completed. Otherwise, the generators may not generate all automorphisms, and there is no canonical form.
    pub complete: bool,
}

impl Automorphisms {
    /// The number of automorphisms; `None` if it is unknown or overflows.
    pub fn order(&self) -> Option<u128> {
        self.complete.then_some(())?;
        self.factors.iter().try_fold(1u128, |product, &factor| product.checked_mul(u128::from(factor)))
    }

    /// The position of every vertex in the canonical form. Two graphs are isomorphic (with colors preserved) if and only if their
    /// canonical forms are equal.
    pub fn canonical(&self) -> Option<&[u32]> {
        self.complete.then_some(&self.canonical)
    }

    /// Every automorphism, starting with the identity, if there are at most `most`.
    pub fn elements(&self, most: usize) -> Option<Vec<Vec<u32>>> {
        closure(self.orbits.len(), &self.generators, most)
    }
}

/// All products of these permutations of `n` elements, starting with the identity, if there are at most `most`.
pub fn closure(n: usize, generators: &[Vec<u32>], most: usize) -> Option<Vec<Vec<u32>>> {
    let identity: Vec<u32> = (0..n as u32).collect();
    let mut seen = std::collections::HashSet::from([identity.clone()]);
    let mut elements = vec![identity];
    let mut at = 0;
    while at < elements.len() {
        for generator in generators {
            let product: Vec<u32> = elements[at].iter().map(|&v| generator[v as usize]).collect();
            if seen.insert(product.clone()) {
                if elements.len() >= most {
                    return None;
                }
                elements.push(product);
            }
        }
        at += 1;
    }
    Some(elements)
}

/// Maximum number of nodes in the search tree. Reaching this limit or [`MOST_WORK`] takes seconds.
const MOST_NODES: usize = 200_000;
/// Maximum number of vertices and edges visited in all nodes together.
const MOST_WORK: usize = 200_000_000;

/// The automorphisms that preserve `colors`, one number per vertex. Without colors, all vertices have the same color.
pub fn of(graph: &Graph, colors: Option<&[u32]>) -> Automorphisms {
    within(graph, colors, &Limits::none()).expect("the cancel flag cannot be set")
}

/// Like [`of`], but checks the limits.
pub fn within(graph: &Graph, colors: Option<&[u32]>, limits: &Limits) -> Result<Automorphisms, Limit> {
    let plain = vec![0; graph.len()];
    let colors = colors.unwrap_or(&plain);
    assert_eq!(colors.len(), graph.len(), "one color per vertex");
    let mut symmetry = fold(graph, colors, limits)?;
    symmetry.orbits = orbits(graph.len(), symmetry.generators.iter());
    Ok(symmetry)
}

/// The canonical form of a graph without names. Isomorphic graphs have equal canonical forms. `None` if the search gave up.
pub fn canonical(graph: &Graph) -> Option<Graph> {
    let symmetry = of(graph, None);
    let mut form = graph.relabeled(symmetry.canonical()?);
    form.set_names(None);
    Some(form)
}

/// For each vertex, the least vertex of its orbit.
fn orbits<'a>(n: usize, generators: impl Iterator<Item = &'a Vec<u32>>) -> Vec<u32> {
    let mut least: Vec<u32> = (0..n as u32).collect();
    fn root(least: &mut [u32], mut v: u32) -> u32 {
        while least[v as usize] != v {
            least[v as usize] = least[least[v as usize] as usize];
            v = least[v as usize];
        }
        v
    }
    for generator in generators {
        for (v, &image) in generator.iter().enumerate() {
            let (a, b) = (root(&mut least, v as u32), root(&mut least, image));
            least[a.max(b) as usize] = a.min(b);
        }
    }
    (0..n as u32).map(|v| root(&mut least, v)).collect()
}

/// Classes of twins: vertices of the same color with the same neighbors, not counting each other. The flag of a class is true if its
/// vertices are adjacent to each other.
pub fn twins(graph: &Graph, colors: &[u32]) -> Vec<(bool, Vec<u32>)> {
    let mut classes: Vec<(bool, Vec<u32>)> = Vec::new();
    let mut taken = vec![false; graph.len()];
    for joined in [false, true] {
        let mut alike: HashMap<(u32, Vec<u64>), Vec<u32>> = HashMap::new();
        for v in (0..graph.len()).filter(|&v| !taken[v]) {
            let mut row = graph.row(v).to_vec();
            if joined {
                row[v / 64] |= 1 << (v % 64);
            }
            alike.entry((colors[v], row)).or_default().push(v as u32);
        }
        for class in alike.into_values().filter(|class| class.len() > 1) {
            class.iter().for_each(|&v| taken[v as usize] = true);
            classes.push((joined, class));
        }
    }
    classes.extend((0..graph.len()).filter(|&v| !taken[v]).map(|v| (false, vec![v as u32])));
    sort::by_key(&mut classes, |(_, class)| class[0]);
    classes
}

fn fold(graph: &Graph, colors: &[u32], limits: &Limits) -> Result<Automorphisms, Limit> {
    let n = graph.len();
    let classes = twins(graph, colors);
    if classes.len() == n {
        return search(graph, colors, limits);
    }
    // The quotient graph of the classes, colored by the color, kind and size of each class.
    let kind = |(joined, class): &(bool, Vec<u32>)| (colors[class[0] as usize], *joined, class.len());
    let mut kinds: Vec<(u32, bool, usize)> = classes.iter().map(kind).collect();
    sort::ascending(&mut kinds);
    kinds.dedup();
    let folded_colors: Vec<u32> = classes.iter().map(|class| kinds.partition_point(|other| *other < kind(class)) as u32).collect();
    let mut folded = Graph::empty(classes.len());
    let mut class_of = vec![0; n];
    for (at, (_, class)) in classes.iter().enumerate() {
        class.iter().for_each(|&v| class_of[v as usize] = at);
    }
    for (u, v) in graph.edges().filter(|&(u, v)| class_of[u] != class_of[v]) {
        folded.add_edge(class_of[u], class_of[v]);
    }
    let inner = fold(&folded, &folded_colors, limits)?;
    let mut generators = Vec::new();
    let mut factors = inner.factors;
    for (_, class) in classes.iter().filter(|(_, class)| class.len() > 1) {
        for two in class.windows(2) {
            let mut swap: Vec<u32> = (0..n as u32).collect();
            swap.swap(two[0] as usize, two[1] as usize);
            generators.push(swap);
        }
        factors.extend(2..=class.len() as u64);
    }
    for generator in &inner.generators {
        let mut lifted = vec![0; n];
        for (at, (_, class)) in classes.iter().enumerate() {
            let image = &classes[generator[at] as usize].1;
            class.iter().zip(image).for_each(|(&v, &to)| lifted[v as usize] = to);
        }
        generators.push(lifted);
    }
    // List the classes in canonical order, and the members of each class in sequence.
    let mut order: Vec<usize> = (0..classes.len()).collect();
    sort::by_key(&mut order, |&at| inner.canonical[at]);
    let mut canonical = vec![0; n];
    for (place, &v) in order.iter().flat_map(|&at| &classes[at].1).enumerate() {
        canonical[v as usize] = place as u32;
    }
    Ok(Automorphisms { generators, orbits: Vec::new(), factors, canonical, complete: inner.complete })
}

/// A node of the search tree: its partition, the vertices to try, and the number already tried.
struct Node {
    partition: Partition,
    cell: Vec<u32>,
    next: usize,
    /// The vertices tried here, one per orbit.
    tried: Vec<u32>,
    /// The vertex that led to the child being visited.
    chosen: u32,
}

fn search(graph: &Graph, colors: &[u32], limits: &Limits) -> Result<Automorphisms, Limit> {
    let n = graph.len();
    let most_nodes = MOST_NODES.min(MOST_WORK / (n + graph.edge_count()).max(1));
    let mut generators: Vec<Vec<u32>> = Vec::new();
    let mut factors = Vec::new();
    let (root, mark) = Partition::new(graph, colors);
    let mut marks = vec![mark];
    let mut first: Option<Leaf> = None;
    let mut best: Option<Leaf> = None;
    let mut nodes = 0;
    let mut complete = true;
    let mut stack: Vec<Node> = Vec::new();
    match root.target() {
        None => best = Some(Leaf::new(graph, &root, &marks, &[])),
        Some(cell) => stack.push(Node { cell: root.cell(cell), partition: root.clone(), next: 0, tried: Vec::new(), chosen: 0 }),
    }
    while let Some(node) = stack.last_mut() {
        let v = node.cell.get(node.next).copied().filter(|_| complete);
        node.next += 1;
        let depth = stack.len();
        let path: Vec<u32> = stack[..depth - 1].iter().map(|node| node.chosen).collect();
        // Only automorphisms that fix every vertex on the path are used here.
        let fixes = |generator: &&Vec<u32>| path.iter().all(|&v| generator[v as usize] == v);
        let orbits = || orbits(n, generators.iter().filter(fixes));
        let Some(v) = v else {
            let done = stack.pop().expect("the stack is not empty");
            marks.truncate(depth - 1);
            // On the first path, the size of the chosen vertex's orbit is a factor of the order.
            if let Some(first) = first.as_ref().filter(|first| first.path.starts_with(&path)) {
                let (orbits, chosen) = (orbits(), first.path[path.len()]);
                factors.push(done.cell.iter().filter(|&&v| orbits[v as usize] == orbits[chosen as usize]).count() as u64);
            }
            continue;
        };
        let node = stack.last_mut().expect("the stack is not empty");
        if !node.tried.is_empty() {
            let orbits = orbits();
            if node.tried.iter().any(|&other| orbits[other as usize] == orbits[v as usize]) {
                continue;
            }
        }
        node.tried.push(v);
        node.chosen = v;
        nodes += 1;
        limits.check()?;
        if nodes > most_nodes {
            complete = false;
            continue;
        }
        let mut child = node.partition.clone();
        let mark = child.choose(graph, v);
        marks.truncate(depth);
        marks.push(mark);
        let like_first = first.as_ref().is_none_or(|first| first.marks.starts_with(&marks));
        let against_best = best.as_ref().map(|best| marks.as_slice().cmp(&best.marks[..marks.len().min(best.marks.len())]));
        if !like_first && against_best.is_some_and(|order| order.is_gt()) {
            continue;
        }
        let path = [path.as_slice(), &[v]].concat();
        if let Some(cell) = child.target() {
            stack.push(Node { cell: child.cell(cell), partition: child, next: 0, tried: Vec::new(), chosen: 0 });
            continue;
        }
        let leaf = Leaf::new(graph, &child, &marks, &path);
        let same = |known: &&Leaf| known.marks == leaf.marks && known.form == leaf.form;
        if let Some(known) = [&first, &best].into_iter().flatten().find(same) {
            let generator = known.to(&leaf);
            debug_assert!(graph.edges().all(|(u, v)| graph.has_edge(generator[u] as usize, generator[v] as usize)));
            generators.push(generator);
            // The rest of this branch is an image of a branch already searched, so backtrack to where the paths diverge.
            let common = known.path.iter().zip(&path).take_while(|(a, b)| a == b).count();
            stack.truncate(common + 1);
            marks.truncate(common + 1);
            continue;
        }
        if first.is_none() {
            first = Some(leaf.clone());
        }
        if best.as_ref().is_none_or(|best| (&leaf.marks, &leaf.form) < (&best.marks, &best.form)) {
            best = Some(leaf);
        }
    }
    let canonical = best.map_or_else(|| (0..n as u32).collect(), |best| best.place);
    Ok(Automorphisms { generators, orbits: Vec::new(), factors, canonical, complete })
}
