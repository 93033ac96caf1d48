//! A row of a census: all 3^n colorings of a small graph, how many of them can be made green, and the hardest of them.
//!
//! A search backwards from the green board, one click at a time, over sets of red and of black vertices in words. It shares no
//! code with the solvers; what takes each coloring how many clicks is kept in a table with one byte per coloring.

use super::notation::letter;
use super::{Color, Colors, Price, Tricolor};
use crate::graph::{Graph, formats};
use crate::limits::{Limit, Limits, Progress};
use crate::notation::tools::{Census, CensusLine};
use crate::notation::{Input, ReadError, Source};

/// Graphs with more vertices have too many colorings: 3^14 are 5 million.
const MOST_VERTICES: usize = 14;
/// The maximum number of vertices of a graph in a census.
const MOST_READ: usize = 4096;
/// Not reached.
const FAR: u8 = u8::MAX;

pub const CENSUS: Census<Tricolor> = Census {
    lines: "one graph per line, in graph6 or any one-line format; colorings are counted on up to 14 vertices",
    before: &[("n", "vertices"), ("m", "edges")],
    after: &[
        ("colorings", "3^n"),
        ("solvable", "colorings from which all vertices can be made green"),
        ("hardest", "the most clicks that a solvable coloring needs"),
        ("count", "how many colorings need that many"),
        ("coloring", "the first of them, one letter for each vertex"),
    ],
    options: &[],
    read: read_line,
    rest: |tricolor, limits| row(&tricolor.graph, limits).unwrap_or_else(|_| vec![String::new(); 5]),
};

fn read_line(input: &Input<'_>) -> Result<Option<CensusLine<Tricolor>>, ReadError> {
    let Some(graph) = formats::line_of_list(input.text)? else { return Ok(None) };
    if graph.is_empty() || graph.len() > MOST_READ {
        let message = format!("a census takes graphs of 1 to {MOST_READ} vertices, and this one has {}", graph.len());
        return Err(Source::new(input.text).error(0, message, "take this line out").into());
    }
    let fields = vec![graph.len().to_string(), graph.edge_count().to_string()];
    let (n, few) = (graph.len(), graph.len() <= MOST_VERTICES);
    Ok(Some(CensusLine { fields, board: few.then(|| Tricolor::new(graph, Colors::green(n), Price::Clicks)) }))
}

/// Colorings as sets of vertices: red ones and black ones.
type Sets = (u32, u32);

/// The number of a coloring, from the sums of the powers of 3 over all sets of vertices.
fn index(sums: &[u32], (red, black): Sets) -> usize {
    (sums[red as usize] + 2 * sums[black as usize]) as usize
}

/// The colorings from which a click on `v` leads here. `near` are the neighbors of `v`.
fn before(near: u32, v: usize, (red, black): Sets, mut emit: impl FnMut(Sets)) {
    let one = 1 << v;
    let colored = near & !black;
    // What the neighbors are now is what a black vertex counted.
    let (reds, all) = ((red & colored).count_ones(), colored.count_ones());
    let swapped = (red ^ colored) & !one;
    let is = (red & one != 0, black & one != 0);
    let counted = match all.cmp(&(2 * reds)) {
        std::cmp::Ordering::Greater => (false, false),
        std::cmp::Ordering::Less => (true, false),
        std::cmp::Ordering::Equal => (false, true),
    };
    if is == counted {
        emit((swapped, black | one));
    }
    match is {
        (true, _) => emit((swapped, black)),
        (_, false) => emit((swapped | one, black)),
        _ => {}
    }
}

/// The least clicks of every coloring, by its number; [`FAR`] where there is no way.
fn distances(graph: &Graph, limits: &Limits) -> Result<Vec<u8>, Limit> {
    let n = graph.len();
    let all = 3_usize.pow(n as u32);
    limits.room(all * (1 + size_of::<Sets>()))?;
    let mut sums = vec![0_u32; 1 << n];
    for set in 1..sums.len() {
        let low = set.trailing_zeros();
        sums[set] = sums[set & (set - 1)] + 3_u32.pow(low);
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
                before(near, v, coloring, |earlier| {
                    let place = &mut clicks[index(&sums, earlier)];
                    if *place == FAR {
                        *place = depth;
                        next.push(earlier);
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
    let digit = |v: usize| [Color::Green, Color::Red, Color::Black][first / 3_usize.pow(v as u32) % 3];
    let coloring: String = (0..graph.len()).map(|v| letter(digit(v))).collect();
    Ok(vec![clicks.len().to_string(), solvable.to_string(), hardest.to_string(), count.to_string(), coloring])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::families;
    use crate::random::Random;
    use crate::rules::Rules;

    /// A coloring is one click farther than the nearest one that a click leads to, by the rules of the game.
    #[test]
    fn every_coloring_is_as_far_as_the_rules_say() {
        let mut random = Random::new(5);
        for round in 0..24 {
            let n = 1 + random.below(6);
            let edges = (n - 1 + random.below(3)).min(n * (n - 1) / 2);
            let mut graph = families::random_connected(&mut random, n, edges);
            if round % 4 == 0 {
                // Not connected.
                graph = Graph::from_edges(n, graph.edges().skip(1).collect::<Vec<_>>());
            }
            let found = distances(&graph, &Limits::none()).expect("no limits");
            let game = Tricolor::new(graph, Colors::green(n), Price::Clicks);
            const COLORS: [Color; 3] = [Color::Green, Color::Red, Color::Black];
            for (number, &clicks) in found.iter().enumerate() {
                let mut colors = Colors::green(n);
                (0..n).for_each(|v| colors.set(v, COLORS[number / 3_usize.pow(v as u32) % 3]));
                let digit = |colors: &Colors, v: usize| COLORS.iter().position(|color| *color == colors.get(v)).expect("a color");
                let index = |colors: &Colors| (0..n).rev().fold(0, |sum, v| 3 * sum + digit(colors, v));
                let nearest = (0..n as u32).map(|v| found[index(&game.apply(&colors, &v))]).min().expect("a vertex");
                let expected = if number == 0 { 0 } else { nearest.saturating_add(1) };
                assert_eq!(clicks, expected, "coloring {number} of {:?}", game.graph.edges().collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_limit_ends_it() {
        let graph = families::by_name("C12").and_then(Result::ok).expect("a family");
        assert_eq!(row(&graph, &Limits { bytes: 1000, ..Limits::none() }), Err(Limit::Memory));
        assert_eq!(row(&graph, &Limits::until(|progress| progress.expanded > 5000)), Err(Limit::Time));
    }
}
