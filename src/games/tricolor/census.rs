//! A census row: the number of colorings of a small graph, the number that can be solved, and the hardest solvable ones.
//!
//! The search runs backward from the green board, one click at a time, and stores the sets of red and black vertices as bit masks.
//! A table holds one byte per coloring: the number of clicks that it needs. No code is shared with the solvers.

use std::cmp::Ordering;

use super::{Colors, Tricolor};
use crate::graph::Graph;
use crate::limits::{Limit, Limits, Progress};
use crate::notation::tools::{Census, CensusLine};

/// Maximum number of vertices; a graph with 14 vertices has about 5 million colorings.
const MOST_VERTICES: usize = 14;
/// Marks a coloring that was not reached.
const FAR: u8 = u8::MAX;

pub const CENSUS: Census<Tricolor> = Census {
    lines: "one graph per line, in graph6 or any other one-line format; colorings are counted for graphs with up to 14 vertices",
    before: &[("n", "vertices"), ("m", "edges")],
    after: &[
        ("colorings", "number of colorings, 3^n"),
        ("solvable", "number of colorings from which all vertices can be made green"),
        ("hardest", "maximum number of clicks that a solvable coloring needs"),
        ("count", "number of colorings that need this maximum"),
        ("coloring", "the first of these colorings, one letter per vertex"),
    ],
    options: &[],
    read: |input| {
        CensusLine::of_graph(input, |graph| {
            let n = graph.len();
            (n <= MOST_VERTICES).then(|| Tricolor::new(graph, Colors::green(n), false))
        })
    },
    rest: |tricolor, limits| row(&tricolor.graph, limits).unwrap_or_else(|_| vec![String::new(); 5]),
};

/// A coloring: the sets of red and black vertices.
type Sets = (u32, u32);

/// Emits the colorings from which a click on `v` leads to this one. `near` is the set of neighbors of `v`.
fn before(near: u32, v: usize, (red, black): Sets, mut emit: impl FnMut(Sets)) {
    let one = 1 << v;
    let colored = near & !black;
    // If the vertex was black, the click counted the colors that its neighbors have now.
    let reds = (red & colored).count_ones();
    let swapped = (red ^ colored) & !one;
    let is = (red & one != 0, black & one != 0);
    let majority = colored.count_ones().cmp(&(2 * reds));
    if is == (majority == Ordering::Less, majority == Ordering::Equal) {
        emit((swapped, black | one));
    }
    match is {
        (true, _) => emit((swapped, black)),
        (_, false) => emit((swapped | one, black)),
        _ => {}
    }
}

/// The minimum number of clicks for each coloring, indexed by the coloring as a base-3 number; [`FAR`] if there is no plan.
fn distances(graph: &Graph, limits: &Limits) -> Result<Vec<u8>, Limit> {
    let n = graph.len();
    let all = 3_usize.pow(n as u32);
    limits.room(all * (1 + size_of::<Sets>()))?;
    // For each set of vertices, the sum of their powers of 3.
    let mut sums = vec![0_u32; 1 << n];
    for set in 1..sums.len() {
        sums[set] = sums[set & (set - 1)] + 3_u32.pow(set.trailing_zeros());
    }
    let near: Vec<u32> = (0..n).map(|v| graph.neighbors(v).iter().fold(0, |set, &u| set | 1 << u)).collect();
    let mut clicks = vec![FAR; all];
    clicks[0] = 0;
    let mut layer: Vec<Sets> = vec![(0, 0)];
    let (mut depth, mut done) = (0, 0_u64);
    while !layer.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for (at, &coloring) in layer.iter().enumerate() {
            if at % 4096 == 0 {
                limits.report(&Progress { expanded: done + at as u64, generated: done + at as u64, ..Progress::default() })?;
            }
            for (v, &near) in near.iter().enumerate() {
                before(near, v, coloring, |(red, black)| {
                    let place = &mut clicks[(sums[red as usize] + 2 * sums[black as usize]) as usize];
                    if *place == FAR {
                        *place = depth;
                        next.push((red, black));
                    }
                });
            }
        }
        done += layer.len() as u64;
        layer = next;
    }
    Ok(clicks)
}

fn row(graph: &Graph, limits: &Limits) -> Result<Vec<String>, Limit> {
    let clicks = distances(graph, limits)?;
    let solvable = clicks.iter().filter(|&&clicks| clicks != FAR).count();
    let hardest = clicks.iter().copied().filter(|&clicks| clicks != FAR).max().unwrap_or(0);
    let count = clicks.iter().filter(|&&clicks| clicks == hardest).count();
    let first = clicks.iter().position(|&clicks| clicks == hardest).unwrap_or(0);
    let coloring: String = (0..graph.len()).map(|v| ['G', 'R', 'B'][first / 3_usize.pow(v as u32) % 3]).collect();
    Ok(vec![clicks.len().to_string(), solvable.to_string(), hardest.to_string(), count.to_string(), coloring])
}
